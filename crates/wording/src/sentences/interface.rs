//! Names of options and commands: each interface has its own.

use grundy::message::{Command, Setting, Word};

use super::{Language, sentence};

/// The interface through which a question is asked. Messages name options in its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interface {
    /// JSON: the server, lines of a batch, npm and WebAssembly. Its keys are also the neutral
    /// names.
    #[default]
    Json,
    /// The command line.
    Terminal,
    /// The Python package.
    Python,
    /// The page of the server.
    Page,
}

/// Reader of a text: the language, and the interface whose options are named.
///
/// ```
/// use grundy::message;
/// use grundy::message::Setting;
/// use grundy_wording::{Audience, Interface, Language, told};
/// let option = Setting::new("limits.positions");
/// let message = message!("{option} raises the limit", option);
/// let [terminal, json] = [Interface::Terminal, Interface::Json]
///     .map(|interface| told(&message, Audience::new(Language::En, interface)));
/// assert_eq!(terminal, "--max-positions raises the limit");
/// assert_eq!(json, "`limits.positions` raises the limit");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    /// The language.
    pub language: Language,
    /// The interface.
    pub interface: Interface,
}

/// Neutral names in this language.
impl From<Language> for Audience {
    fn from(language: Language) -> Self {
        Self::new(language, Interface::default())
    }
}

impl Audience {
    /// Who reads this language, and asks through this interface.
    #[must_use]
    pub fn new(language: Language, interface: Interface) -> Self {
        Self {
            language,
            interface,
        }
    }
}

/// A name as it stands in a sentence.
#[derive(Debug)]
pub(super) enum Name {
    /// A word of the command line: it stands alone, or in the quotation marks of the sentence.
    Typed(String),
    /// A name with quotation marks of its own.
    Quoted(String),
}

impl Name {
    fn code(text: &str) -> Self {
        Self::Quoted(format!("`{text}`"))
    }

    /// Returns a label of the page. Without one the neutral name stands in.
    fn label(kind: &str, name: &str, neutral: &str, language: Language) -> Self {
        match sentence(&format!("page {kind} {name}"), language) {
            Some(label) => Self::Quoted(format!("“{label}”")),
            None => Self::code(neutral),
        }
    }
}

/// Returns the name of an option.
pub(super) fn option(setting: &Setting, audience: Audience) -> Name {
    let key = setting.key();
    match audience.interface {
        Interface::Terminal => Name::Typed(setting.as_typed()),
        // Whoever asks otherwise gets JSON without an option.
        _ if key == "json" => Name::Typed("JSON".to_owned()),
        Interface::Python if !setting.is_typed() => {
            Name::code(&match (key.strip_prefix("limits."), setting.value()) {
                (Some(limit), _) => format!("grundy.limits({limit}=...)"),
                (None, Some(value)) => format!("{key}=\"{value}\""),
                (None, None) => format!("{key}="),
            })
        }
        Interface::Page => Name::label("option", key, &setting.neutral(), audience.language),
        Interface::Json | Interface::Python => Name::code(&setting.neutral()),
    }
}

/// Returns the name of a question. What only the command line does is named as there, whoever asks.
pub(super) fn command(command: &Command, audience: Audience) -> Name {
    let neutral = command.neutral();
    match audience.interface {
        Interface::Terminal => Name::Typed(command.as_typed()),
        Interface::Python if !command.is_typed() => Name::code(&python_call(command)),
        Interface::Page if !command.is_typed() => {
            Name::label("command", command.name(), &neutral, audience.language)
        }
        Interface::Json | Interface::Python | Interface::Page => Name::code(&neutral),
    }
}

/// Returns the function of the Python package. Positional arguments are left out.
fn python_call(command: &Command) -> String {
    let function = match command.name() {
        "probe" => "tablebase",
        "tree" => "solve_tree",
        name => name,
    };
    let mut arguments = Vec::new();
    for word in command.words() {
        match word {
            Word::Argument(Some(_), _) if arguments.is_empty() => arguments.push("...".to_owned()),
            Word::Argument(..) => {}
            Word::Setting(setting) => arguments.push(match setting.value() {
                Some(value) => format!("{}=\"{value}\"", setting.key()),
                None => format!("{}=...", setting.key()),
            }),
        }
    }
    format!("grundy.{function}({})", arguments.join(", "))
}

/// Returns whether the interface has this option. Every interface but the page has words for all.
pub(super) fn has_option(setting: &Setting, interface: Interface) -> bool {
    let label = || sentence(&format!("page option {}", setting.key()), Language::En);
    interface != Interface::Page || label().is_some()
}

/// Returns whether the interface can ask this question. What is typed elsewhere is no advice on the
/// page.
pub(super) fn has_command(command: &Command, interface: Interface) -> bool {
    let label = || sentence(&format!("page command {}", command.name()), Language::En);
    interface != Interface::Page || !command.is_typed() && label().is_some()
}
