//! Options and questions that occur in messages. Each interface has its own names for them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// An option of a question, identified by its key in JSON.
///
/// A terminal writes `--max-positions` for the option that is `limits.positions` in JSON.
///
/// ```
/// use grundy_base::message::Setting;
/// assert_eq!(Setting::new("svg").json_form(), "svg");
/// assert_eq!(Setting::new("play").set_to("misere").json_form(), r#""play": "misere""#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    key: &'static str,
    shell_only: bool,
    value: Option<Cow<'static, str>>,
    placeholder: Option<&'static str>,
}

impl Setting {
    /// Creates the option with this key in JSON.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// let setting = Setting::new("limits.memory");
    /// assert_eq!((setting.key(), setting.value()), ("limits.memory", None));
    /// ```
    #[must_use]
    pub const fn new(key: &'static str) -> Self {
        Self {
            key,
            shell_only: false,
            value: None,
            placeholder: None,
        }
    }

    /// Creates an option that exists only on the command line. Its name is in snake case.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert_eq!(Setting::command_line("no_positions").command_line_form(), "--no-positions");
    /// ```
    #[must_use]
    pub fn command_line(name: &'static str) -> Self {
        Self {
            shell_only: true,
            ..Self::new(name)
        }
    }

    /// Sets the value that the message shows for the option.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// let timeout = Setting::new("timeout").set_to("60");
    /// assert_eq!(timeout.value(), Some("60"));
    /// assert_eq!(timeout.command_line_form(), "--timeout 60");
    /// ```
    #[must_use]
    pub fn set_to(self, value: impl Into<Cow<'static, str>>) -> Self {
        Self {
            value: Some(value.into()),
            ..self
        }
    }

    /// Sets a placeholder for the value, such as `FILE`. It is shown only in the form for the
    /// command line.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// let rules = Setting::new("rules").with_placeholder("FILE");
    /// assert_eq!(rules.command_line_form(), "--rules FILE");
    /// assert_eq!(rules.json_form(), "rules");
    /// ```
    #[must_use]
    pub fn with_placeholder(self, placeholder: &'static str) -> Self {
        Self {
            placeholder: Some(placeholder),
            ..self
        }
    }

    /// Returns whether the option exists on the command line only.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert!(Setting::command_line("resume").is_command_line());
    /// assert!(!Setting::new("timeout").is_command_line());
    /// ```
    #[must_use]
    pub fn is_command_line(&self) -> bool {
        self.shell_only
    }

    /// Returns the key in JSON. For an option that exists only on the command line, returns its
    /// name.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert_eq!(Setting::new("limits.positions").key(), "limits.positions");
    /// assert_eq!(Setting::command_line("resume").key(), "resume");
    /// ```
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// Returns the value, if the message contains one.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert_eq!(Setting::new("play").set_to("misere").value(), Some("misere"));
    /// assert_eq!(Setting::new("play").value(), None);
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// Returns the placeholder for the value, if one was set.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// let rules = Setting::new("rules").with_placeholder("FILE");
    /// assert_eq!((rules.placeholder(), rules.value()), (Some("FILE"), None));
    /// ```
    #[must_use]
    pub fn placeholder(&self) -> Option<&'static str> {
        self.placeholder
    }

    /// Returns the option as typed on the command line.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert_eq!(Setting::new("best_move").command_line_form(), "--best-move");
    /// assert_eq!(Setting::new("limits.memory").command_line_form(), "--max-memory");
    /// assert_eq!(Setting::new("play").set_to("misere").command_line_form(), "--misere");
    /// let rules = Setting::new("rules").with_placeholder("FILE");
    /// assert_eq!(rules.command_line_form(), "--rules FILE");
    /// ```
    #[must_use]
    pub fn command_line_form(&self) -> String {
        let (name, value) = match (self.key, self.value()) {
            // On the command line, these values of a key in JSON are flags.
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

    /// Returns the option in its JSON form: the key, followed by the value if there is one.
    ///
    /// ```
    /// use grundy_base::message::Setting;
    /// assert_eq!(Setting::new("best_move").json_form(), "best_move");
    /// assert_eq!(Setting::new("of").set_to("genus").json_form(), r#""of": "genus""#);
    /// ```
    #[must_use]
    pub fn json_form(&self) -> String {
        match &self.value {
            Some(value) => format!("\"{}\": \"{value}\"", self.key),
            None => self.key.to_owned(),
        }
    }
}

/// A question: the name of its command, with arguments and options.
///
/// ```
/// use grundy_base::message::{Command, Setting};
/// let table = Command::new("table").argument("game", "EXPR").argument("ranges", "n=0..100");
/// assert_eq!(table.json_form(), r#"table {"game": "EXPR", "ranges": ["n=0..100"]}"#);
/// let misere = Command::new("table").with(Setting::new("play").set_to("misere"));
/// assert_eq!(misere.json_form(), r#"table {"play": "misere"}"#);
/// assert_eq!(Command::new("help").word("games").json_form(), "help");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    name: &'static str,
    shell_only: bool,
    words: Vec<Word>,
    /// The command whose output is piped into this command. Only the form for the command line
    /// shows it.
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
    /// Creates the command with this name.
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// let solve = Command::new("solve");
    /// assert_eq!((solve.name(), solve.words().len()), ("solve", 0));
    /// assert_eq!(solve.json_form(), "solve");
    /// ```
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            shell_only: false,
            words: Vec::new(),
            input: None,
        }
    }

    /// Creates a command that exists only on the command line. All interfaces show it in its form
    /// for the command line.
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// let verify = Command::command_line("verify").word("nim.tb");
    /// assert_eq!(verify.json_form(), "grundy verify nim.tb");
    /// ```
    #[must_use]
    pub fn command_line(name: &'static str) -> Self {
        Self {
            shell_only: true,
            ..Self::new(name)
        }
    }

    /// Adds an argument with this key in JSON.
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// let solve = Command::new("solve").argument("game", "nim(3, 4)");
    /// assert_eq!(solve.json_form(), r#"solve {"game": "nim(3, 4)"}"#);
    /// assert_eq!(solve.command_line_form(), r#"grundy solve "nim(3, 4)""#);
    /// ```
    #[must_use]
    pub fn argument(self, key: &'static str, text: impl Into<String>) -> Self {
        self.then(Word::Argument(Some(key), text.into()))
    }

    /// Adds an argument that exists on the command line only.
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// let help = Command::new("help").word("games");
    /// assert_eq!(help.command_line_form(), "grundy help games");
    /// assert_eq!(help.json_form(), "help");
    /// ```
    #[must_use]
    pub fn word(self, text: impl Into<String>) -> Self {
        self.then(Word::Argument(None, text.into()))
    }

    /// Adds an option.
    ///
    /// ```
    /// use grundy_base::message::{Command, Setting};
    /// let solve = Command::new("solve").with(Setting::new("play").set_to("misere"));
    /// assert_eq!(solve.json_form(), r#"solve {"play": "misere"}"#);
    /// assert_eq!(solve.command_line_form(), "grundy solve --misere");
    /// ```
    #[must_use]
    pub fn with(self, setting: Setting) -> Self {
        self.then(Word::Setting(setting))
    }

    /// Sets the command whose output is piped into this command. Only the form for the command line
    /// shows it.
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// let matrix = Command::command_line("matrix").word("-").with_input(r"printf '1 0\n0 2\n'");
    /// assert_eq!(matrix.command_line_form(), r"printf '1 0\n0 2\n' | grundy matrix -");
    /// ```
    #[must_use]
    pub fn with_input(self, input: &'static str) -> Self {
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
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// assert_eq!(Command::new("solve").argument("game", "nim(3)").name(), "solve");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether the command exists on the command line only.
    ///
    /// ```
    /// use grundy_base::message::Command;
    /// assert!(Command::command_line("verify").is_command_line());
    /// assert!(!Command::new("solve").is_command_line());
    /// ```
    #[must_use]
    pub fn is_command_line(&self) -> bool {
        self.shell_only
    }

    /// Returns the arguments and options in the order in which they are typed.
    ///
    /// ```
    /// use grundy_base::message::{Command, Setting, Word};
    /// let best_move = Setting::new("best_move");
    /// let solve = Command::new("solve").argument("game", "nim(3)").with(best_move.clone());
    /// let game = Word::Argument(Some("game"), "nim(3)".to_owned());
    /// assert_eq!(solve.words(), [game, Word::Setting(best_move)]);
    /// ```
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns the question in its JSON form: its name, followed by its keys and values if there
    /// are any. A command without a JSON form is returned as typed on the command line.
    ///
    /// ```
    /// use grundy_base::message::{Command, Setting};
    /// let best_move = Setting::new("best_move");
    /// let solve = Command::new("solve").argument("game", "nim(3)").with(best_move);
    /// assert_eq!(solve.json_form(), r#"solve {"game": "nim(3)", "best_move": true}"#);
    /// ```
    #[must_use]
    pub fn json_form(&self) -> String {
        if self.shell_only {
            return self.command_line_form();
        }
        let mut keys = String::new();
        for word in &self.words {
            let key = match word {
                // `ranges` is the only argument that is a list.
                Word::Argument(Some("ranges"), text) => format!("\"ranges\": [\"{text}\"]"),
                Word::Argument(Some(key), text) => format!("\"{key}\": \"{text}\""),
                Word::Setting(setting) if setting.value.is_some() => setting.json_form(),
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

    /// Returns the question as typed on the command line.
    ///
    /// ```
    /// use grundy_base::message::{Command, Setting};
    /// let label = Command::new("label").argument("game", "nim(3)").with(Setting::new("ranked"));
    /// assert_eq!(label.command_line_form(), r#"grundy label "nim(3)" --ranked"#);
    /// ```
    #[must_use]
    pub fn command_line_form(&self) -> String {
        let input = self.input.map(|input| format!("{input} | "));
        let mut line = format!("{}grundy {}", input.unwrap_or_default(), self.name);
        for word in &self.words {
            let word = match word {
                Word::Argument(_, text) => shell_word(text),
                Word::Setting(setting) => Cow::Owned(setting.command_line_form()),
            };
            let _ = write!(line, " {word}");
        }
        line
    }
}

/// Quotes a word for a shell, if necessary.
fn shell_word(word: &str) -> Cow<'_, str> {
    // Other characters may have a special meaning for a shell.
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    // Double quotes are easier to read, but inside them a shell expands these characters.
    } else if word.contains(['"', '$', '`', '\\', '!']) {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    } else {
        Cow::Owned(format!("\"{word}\""))
    }
}
