//! What is told of an error: a sentence with arguments, put into words at the edge.

mod setting;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

pub use setting::{Command, Setting, Word};

/// An English sentence with `{name}` where an argument goes, and the arguments. As a string it is
/// English; in another language its words are found under [`Message::code`]. Options and questions
/// have neutral names in this string, those of JSON; an interface words a message with names of its
/// own.
///
/// Only [`message!`](crate::message!) makes one, so that every sentence stands in the sources as it
/// is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Box<Sentence>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sentence {
    code: &'static str,
    arguments: Vec<(&'static str, Part)>,
    /// In neutral words: options and questions are named as in JSON.
    english: String,
}

/// An argument of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A number, notation, a name: what is the same in every language.
    Text(String),
    /// What has words of its own.
    Message(Message),
    /// An option of a question. Each interface has a name of its own for it.
    Setting(Setting),
    /// A question with what it is asked, as each interface asks it.
    Command(Command),
}

impl<T: fmt::Display + ?Sized> From<&T> for Part {
    fn from(value: &T) -> Self {
        Self::Text(value.to_string())
    }
}

impl From<&Message> for Part {
    fn from(message: &Message) -> Self {
        Self::Message(message.clone())
    }
}

impl From<&&Message> for Part {
    fn from(message: &&Message) -> Self {
        Self::from(*message)
    }
}

impl From<&Setting> for Part {
    fn from(setting: &Setting) -> Self {
        Self::Setting(setting.clone())
    }
}

impl From<&Command> for Part {
    fn from(command: &Command) -> Self {
        Self::Command(command.clone())
    }
}

/// An argument as it is put into a sentence.
#[doc(hidden)]
#[derive(Debug)]
pub enum Filling<'a> {
    /// A text as it is.
    Text(Cow<'a, str>),
    /// A name with quotation marks of its own: those that the sentence has around it are left out.
    Quoted(String),
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Filling<'a> {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl Message {
    #[doc(hidden)]
    pub fn new(code: &'static str, arguments: impl Into<Vec<(&'static str, Part)>>) -> Self {
        let mut message = Self(Box::new(Sentence {
            code,
            arguments: arguments.into(),
            english: String::new(),
        }));
        let argument = |name: &str| -> Option<Filling<'_>> {
            Some(match message.argument(name)? {
                Part::Text(text) => text.as_str().into(),
                Part::Message(message) => (**message).into(),
                Part::Setting(setting) => Filling::Quoted(format!("`{}`", setting.neutral())),
                Part::Command(command) => Filling::Quoted(format!("`{}`", command.neutral())),
            })
        };
        let english = filled(code, argument, |out, text, rest| {
            out.push_str(text);
            rest
        });
        message.0.english = english;
        message
    }

    /// Returns the sentence in English, with its arguments by name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the argument of this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Part> {
        let mut arguments = self.0.arguments.iter();
        arguments.find_map(|(known, part)| (*known == name).then_some(part))
    }

    /// Returns the arguments, in the order in which they were given.
    pub fn arguments(&self) -> impl Iterator<Item = &Part> {
        self.0.arguments.iter().map(|(_, part)| part)
    }
}

/// Fills the arguments into a sentence; braces without a name stand for themselves. `put` appends
/// an argument to what comes before it, and returns the rest of the sentence after it.
#[doc(hidden)]
pub fn filled<'a, 's>(
    sentence: &'s str,
    argument: impl Fn(&str) -> Option<Filling<'a>>,
    put: impl Fn(&mut String, &str, &'s str) -> &'s str,
) -> String {
    let mut out = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let known = after.split_once('}');
        let known = known.and_then(|(name, after)| Some((argument(name)?, after)));
        rest = match known {
            Some((Filling::Text(text), after)) => put(&mut out, &text, after),
            Some((Filling::Quoted(text), after)) => {
                let inside = after.strip_prefix('`').filter(|_| out.ends_with('`'));
                if inside.is_some() {
                    out.pop();
                }
                put(&mut out, &text, inside.unwrap_or(after))
            }
            None => {
                out.push('{');
                after
            }
        };
    }
    out + rest
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.english
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

/// Returns whether the names in braces are these and no others; other braces stand for themselves.
#[doc(hidden)]
#[must_use]
pub const fn fits(sentence: &str, names: &[&str]) -> bool {
    let text = sentence.as_bytes();
    let (mut at, mut found) = (0, 0);
    while at < text.len() {
        if text[at] == b'{' {
            let mut end = at + 1;
            while end < text.len() && (text[end].is_ascii_lowercase() || text[end] == b'_') {
                end += 1;
            }
            if end > at + 1 && end < text.len() && text[end] == b'}' {
                let mut name = 0;
                while name < names.len() && !same(text, at + 1, end, names[name].as_bytes()) {
                    name += 1;
                }
                if name == names.len() {
                    return false;
                }
                found |= 1_u64 << name;
            }
        }
        at += 1;
    }
    found == (1 << names.len()) - 1
}

const fn same(text: &[u8], from: usize, to: usize, name: &[u8]) -> bool {
    let mut at = 0;
    while at < name.len() && from + at < to && text[from + at] == name[at] {
        at += 1;
    }
    at == name.len() && from + at == to
}

/// A [`Message`](crate::message::Message): an English sentence and, by name, what goes into its
/// braces. An argument is anything that can be displayed, or another message. Its words in 中文 stand
/// in `wording/errors.zh-CN.json` of `grundy-notation`, under the sentence as it is written here.
///
/// ```
/// use grundy_base::message;
/// let row = [1, 2];
/// let what = message!("the row has {squares} squares", squares = row.len());
/// let line = 7;
/// let told = message!("line {line}: {what}", line, what);
/// assert_eq!(told, "line 7: the row has 2 squares");
/// assert_eq!(told.code(), "line {line}: {what}");
/// ```
///
/// An option of a question is an argument, too, so that each interface can name it.
///
/// ```
/// use grundy_base::message::Setting;
/// use grundy_base::message;
/// let help = message!("{option} raises the limit", option = Setting::new("limits.positions"));
/// assert_eq!(help, "`limits.positions` raises the limit");
/// ```
///
/// Names that do not fit the sentence are refused by the compiler.
///
/// ```compile_fail
/// let told = grundy_base::message!("line {line}: {what}", line = 7);
/// ```
#[macro_export]
macro_rules! message {
    (@ $name:ident) => { $crate::message::Part::from(&$name) };
    (@ $name:ident $value:expr) => { $crate::message::Part::from(&$value) };
    ($sentence:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const { assert!($crate::message::fits($sentence, &[$(stringify!($name)),*])) };
        $crate::message::Message::new($sentence, [$((stringify!($name), $crate::message!(@ $name $($value)?))),*])
    }};
}
