//! What is told of an error: a sentence with arguments, put into words at the edge.

use std::fmt;
use std::ops::Deref;

/// An English sentence with `{name}` where an argument goes, and the arguments. As a string it is English; in another
/// language its words are found under [`Message::code`].
///
/// Only [`message!`](crate::message!) makes one, so that every sentence stands in the sources as it is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Box<Sentence>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sentence {
    code: &'static str,
    arguments: Vec<(&'static str, Part)>,
    english: String,
}

/// An argument of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A number, notation, a name: what is the same in every language.
    Text(String),
    /// What has words of its own.
    Message(Message),
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

impl Message {
    #[doc(hidden)]
    pub fn new(code: &'static str, arguments: impl Into<Vec<(&'static str, Part)>>) -> Self {
        let mut message = Self(Box::new(Sentence {
            code,
            arguments: arguments.into(),
            english: String::new(),
        }));
        message.0.english = filled(code, |name| match message.argument(name)? {
            Part::Text(text) => Some(text.as_str()),
            Part::Message(message) => Some(message),
        });
        message
    }

    /// The sentence in English, with its arguments by name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The argument of this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Part> {
        let mut arguments = self.0.arguments.iter();
        arguments.find_map(|(known, part)| (*known == name).then_some(part))
    }
}

/// The sentence with its arguments; braces without a name stand for themselves.
fn filled<'a>(sentence: &str, argument: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut out = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let known = after.split_once('}');
        let known = known.and_then(|(name, after)| Some((argument(name)?, after)));
        let (text, after) = known.unwrap_or(("{", after));
        out.push_str(text);
        rest = after;
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

/// Whether the names in braces are these and no others; other braces stand for themselves.
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

/// A [`Message`](crate::message::Message): an English sentence and, by name, what goes into its braces. An argument is
/// anything that can be displayed, or another message. Its words in 中文 stand in `wording/errors.zh-CN.json` of
/// `grundy-notation`, under the sentence as it is written here.
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
