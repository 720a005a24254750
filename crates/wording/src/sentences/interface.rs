//! The names that options and commands have in each interface.

use grundy_core::message::{Command, Setting, Word};

use super::{Language, sentence};

/// An interface of the program. A message uses the names that options have in the reader's
/// interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interface {
    /// JSON, for the server, batch files, npm and WebAssembly. Its names are neutral: if another
    /// interface has no separate name for an option or a command, the name in JSON is used.
    #[default]
    Json,
    /// The command line.
    Terminal,
    /// The Python package.
    Python,
    /// The web page that the server serves.
    Page,
}

/// The reader for whom a text is worded: a language, and the interface that the reader uses.
///
/// ```
/// use grundy_core::message;
/// use grundy_core::message::Setting;
/// use grundy_wording::{Audience, Interface, Language, message_text};
/// let option = Setting::new("limits.positions");
/// let message = message!("{option} raises the limit", option);
/// let [terminal, json] = [Interface::Terminal, Interface::Json]
///     .map(|interface| message_text(&message, Audience::new(Language::En, interface)));
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

/// Creates a reader with this language, who uses the JSON interface with its neutral names.
impl From<Language> for Audience {
    fn from(language: Language) -> Self {
        Self::new(language, Interface::default())
    }
}

impl Audience {
    /// Creates a reader with this language and interface.
    ///
    /// ```
    /// use grundy_wording::{Audience, Interface, Language};
    /// let reader = Audience::new(Language::Zh, Interface::Terminal);
    /// assert_eq!((reader.language, reader.interface), (Language::Zh, Interface::Terminal));
    /// // JSON is the default interface.
    /// assert_eq!(Audience::new(Language::Zh, Interface::Json), Language::Zh.into());
    /// ```
    #[must_use]
    pub fn new(language: Language, interface: Interface) -> Self {
        Self {
            language,
            interface,
        }
    }
}

/// The name of an option or of a command within a sentence.
#[derive(Debug)]
pub(super) enum Name {
    /// A word of the command line. It has no quotation marks, since the sentence may already have
    /// quotation marks around the placeholder.
    Typed(String),
    /// A name that includes its quotation marks.
    Quoted(String),
}

impl Name {
    fn code(text: &str) -> Self {
        Self::Quoted(format!("`{text}`"))
    }

    /// Returns the label that the web page shows for an option or a command. If the page shows no
    /// label, returns the neutral name.
    fn label(kind: &str, name: &str, neutral: &str, language: Language) -> Self {
        match sentence(&format!("page {kind} {name}"), language) {
            Some(label) => Self::Quoted(format!("“{label}”")),
            None => Self::code(neutral),
        }
    }
}

/// Returns the name that an option has in the reader's interface.
pub(super) fn option(setting: &Setting, audience: Audience) -> Name {
    let key = setting.key();
    match audience.interface {
        Interface::Terminal => Name::Typed(setting.command_line_form()),
        // All interfaces except the command line always return JSON, so they have no option for
        // this.
        _ if key == "json" => Name::Typed("JSON".to_owned()),
        Interface::Python if !setting.is_command_line() => {
            Name::code(&match (key.strip_prefix("limits."), setting.value()) {
                (Some(limit), _) => format!("grundy.limits({limit}=...)"),
                (None, Some(value)) => format!("{key}=\"{value}\""),
                (None, None) => format!("{key}="),
            })
        }
        Interface::Page => Name::label("option", key, &setting.json_form(), audience.language),
        Interface::Json | Interface::Python => Name::code(&setting.json_form()),
    }
}

/// Returns the name that a command has in the reader's interface. A command that exists only on the
/// command line has the same name everywhere.
pub(super) fn command(command: &Command, audience: Audience) -> Name {
    let neutral = command.json_form();
    match audience.interface {
        Interface::Terminal => Name::Typed(command.command_line_form()),
        Interface::Python if !command.is_command_line() => Name::code(&python_call(command)),
        Interface::Page if !command.is_command_line() => {
            Name::label("command", command.name(), &neutral, audience.language)
        }
        Interface::Json | Interface::Python | Interface::Page => Name::code(&neutral),
    }
}

/// Returns the call of a Python function as text. All positional arguments together are written as
/// `...`.
fn python_call(command: &Command) -> String {
    let function = match command.name() {
        // These functions have other names in the Python package.
        "probe" => "tablebase",
        "tree" => "solve_tree",
        name => name,
    };
    let mut arguments = Vec::new();
    for word in command.words() {
        match word {
            // The user knows the first argument from the question, so `...` replaces it.
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

/// Returns whether an option exists in the interface. The page lacks some options, and all other
/// interfaces have all options.
pub(super) fn has_option(setting: &Setting, interface: Interface) -> bool {
    let label = || sentence(&format!("page option {}", setting.key()), Language::En);
    interface != Interface::Page || label().is_some()
}

/// Returns whether a command exists in the interface. The page lacks the commands that exist only
/// on the command line, and those for which it has no label.
pub(super) fn has_command(command: &Command, interface: Interface) -> bool {
    let label = || sentence(&format!("page command {}", command.name()), Language::En);
    interface != Interface::Page || !command.is_command_line() && label().is_some()
}
