//! Options and commands that a message names. Each interface has words of its own for them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// An option of a question, by the name of its key in JSON.
///
/// A terminal writes `--max-positions` for the same option for which JSON has `limits.positions`.
///
/// ```
/// use grundy_base::message::Setting;
/// assert_eq!(Setting::new("svg").neutral(), "svg");
/// assert_eq!(Setting::new("play").set_to("misere").neutral(), r#""play": "misere""#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    key: &'static str,
    typed: bool,
    value: Option<Cow<'static, str>>,
    placeholder: Option<&'static str>,
}

impl Setting {
    /// Returns the option with this key.
    #[must_use]
    pub const fn new(key: &'static str) -> Self {
        Self {
            key,
            typed: false,
            value: None,
            placeholder: None,
        }
    }

    /// Returns an option that only the command line has, in snake case.
    #[must_use]
    pub fn typed(name: &'static str) -> Self {
        Self {
            typed: true,
            ..Self::new(name)
        }
    }

    /// Returns the option with a value.
    #[must_use]
    pub fn set_to(self, value: impl Into<Cow<'static, str>>) -> Self {
        Self {
            value: Some(value.into()),
            ..self
        }
    }

    /// Returns the option with a word for its value, such as `FILE`. Only a terminal writes it.
    #[must_use]
    pub fn taking(self, placeholder: &'static str) -> Self {
        Self {
            placeholder: Some(placeholder),
            ..self
        }
    }

    /// Returns whether only the command line has the option.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.typed
    }

    /// Returns the key in JSON, or the name of an option that only the command line has.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// Returns the value, if the message names one.
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// Returns the word for the value, if a value has to be given.
    #[must_use]
    pub fn placeholder(&self) -> Option<&'static str> {
        self.placeholder
    }

    /// Returns the option as it is typed.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert_eq!(Setting::new("best_move").as_typed(), "--best-move");
    /// assert_eq!(Setting::new("limits.memory").as_typed(), "--max-memory");
    /// assert_eq!(Setting::new("play").set_to("misere").as_typed(), "--misere");
    /// assert_eq!(Setting::new("rules").taking("FILE").as_typed(), "--rules FILE");
    /// ```
    #[must_use]
    pub fn as_typed(&self) -> String {
        let (name, value) = match (self.key, self.value()) {
            // Flags that are values of a key in JSON.
            ("play", Some("misere")) => ("misere", None),
            ("of", Some("genus")) => ("genus", None),
            ("form", Some("terminal")) => ("terminal", None),
            ("limits.positions", value) => ("max-positions", value),
            ("limits.memory", value) => ("max-memory", value),
            ("limits.output", value) => ("max-output", value),
            (key, value) => (key, value),
        };
        let mut option = format!("--{}", name.replace('_', "-"));
        let value = value.map(shell_word);
        let placeholder = self.placeholder.map(Cow::Borrowed);
        if let Some(value) = value.or(placeholder) {
            let _ = write!(option, " {value}");
        }
        option
    }

    /// Returns the option as in JSON: its key, and its value if there is one.
    #[must_use]
    pub fn neutral(&self) -> String {
        match &self.value {
            Some(value) => format!("\"{}\": \"{value}\"", self.key),
            None => self.key.to_owned(),
        }
    }
}

/// A question, by the name of its command, with what it is asked.
///
/// ```
/// use grundy_base::message::{Command, Setting};
/// let table = Command::new("table").argument("game", "EXPR").argument("ranges", "n=0..100");
/// assert_eq!(table.neutral(), r#"table {"game": "EXPR", "ranges": ["n=0..100"]}"#);
/// let misere = Command::new("table").with(Setting::new("play").set_to("misere"));
/// assert_eq!(misere.neutral(), r#"table {"play": "misere"}"#);
/// assert_eq!(Command::new("help").word("games").neutral(), "help");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    name: &'static str,
    typed: bool,
    words: Vec<Word>,
    /// The command whose output it reads in a shell.
    input: Option<&'static str>,
}

/// A word of a [`Command`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// An argument, with its key in JSON if it has one.
    Argument(Option<&'static str>, String),
    /// An option.
    Setting(Setting),
}

impl Command {
    /// Returns the command with this name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            typed: false,
            words: Vec::new(),
            input: None,
        }
    }

    /// Returns a command for work that only the command line does. Every interface names it as it
    /// is typed.
    #[must_use]
    pub fn typed(name: &'static str) -> Self {
        Self {
            typed: true,
            ..Self::new(name)
        }
    }

    /// Adds an argument, which has this key in JSON.
    #[must_use]
    pub fn argument(self, key: &'static str, text: impl Into<String>) -> Self {
        self.then(Word::Argument(Some(key), text.into()))
    }

    /// Adds an argument that only a terminal has.
    #[must_use]
    pub fn word(self, text: impl Into<String>) -> Self {
        self.then(Word::Argument(None, text.into()))
    }

    /// Adds an option.
    #[must_use]
    pub fn with(self, setting: Setting) -> Self {
        self.then(Word::Setting(setting))
    }

    /// Sets the command whose output it reads in a shell.
    #[must_use]
    pub fn fed_by(self, input: &'static str) -> Self {
        Self {
            input: Some(input),
            ..self
        }
    }

    fn then(mut self, word: Word) -> Self {
        self.words.push(word);
        self
    }

    /// Returns the name of the command.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether only the command line does this.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.typed
    }

    /// Returns the arguments and options, in the order in which they are typed.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns the question as in JSON: its name, and its keys if there are any. A command of the
    /// command line is as it is typed.
    #[must_use]
    pub fn neutral(&self) -> String {
        if self.typed {
            return self.as_typed();
        }
        let mut keys = String::new();
        for word in &self.words {
            let key = match word {
                // The only argument that is a list.
                Word::Argument(Some("ranges"), text) => format!("\"ranges\": [\"{text}\"]"),
                Word::Argument(Some(key), text) => format!("\"{key}\": \"{text}\""),
                Word::Setting(setting) if setting.value.is_some() => setting.neutral(),
                Word::Setting(Setting {
                    key,
                    placeholder: Some(value),
                    ..
                }) => {
                    format!("\"{key}\": \"{value}\"")
                }
                Word::Setting(setting) => format!("\"{}\": true", setting.key),
                Word::Argument(None, _) => continue,
            };
            let comma = if keys.is_empty() { "" } else { ", " };
            let _ = write!(keys, "{comma}{key}");
        }
        match &keys[..] {
            "" => self.name.to_owned(),
            keys => format!("{} {{{keys}}}", self.name),
        }
    }

    /// Returns the question as the command line asks it.
    ///
    /// ```
    /// use grundy_base::message::{Command, Setting};
    /// let label = Command::new("label").argument("game", "nim(3)").with(Setting::new("ranked"));
    /// assert_eq!(label.as_typed(), r#"grundy label "nim(3)" --ranked"#);
    /// ```
    #[must_use]
    pub fn as_typed(&self) -> String {
        let input = self.input.map(|input| format!("{input} | "));
        let mut line = format!("{}grundy {}", input.unwrap_or_default(), self.name);
        for word in &self.words {
            let word = match word {
                Word::Argument(_, text) => shell_word(text),
                Word::Setting(setting) => Cow::Owned(setting.as_typed()),
            };
            let _ = write!(line, " {word}");
        }
        line
    }
}

/// Returns a word as a shell reads it.
fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else if word.contains(['"', '$', '`', '\\', '!']) {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    } else {
        Cow::Owned(format!("\"{word}\""))
    }
}
