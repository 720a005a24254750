//! Messages of errors: English sentences with arguments. Each interface translates them and names
//! the options in its own way.

mod setting;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

pub use setting::{Command, Setting, Word};

/// An English sentence with a placeholder `{name}` for each argument, and the arguments. It
/// dereferences to the English sentence with the arguments inserted. [`Message::code`] is the key
/// of its translation. In the English text, options and questions have their names in JSON, and an
/// interface replaces these by its own names.
///
/// Only the macro [`message!`](crate::message!) creates a message. So each sentence is a literal in
/// the source code, and a test can check that each has a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Box<Sentence>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sentence {
    code: &'static str,
    arguments: Vec<(&'static str, Part)>,
    /// The English text with the arguments inserted. Options and questions have their names in
    /// JSON.
    english: String,
}

/// An argument of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A number, a notation or a name, which is the same in every language.
    Text(String),
    /// A message, which is translated separately.
    Message(Message),
    /// An option of a question, for which each interface has its own name.
    Setting(Setting),
    /// A question with its arguments, which each interface writes in its own form.
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

/// The text that replaces the placeholder of an argument.
#[doc(hidden)]
#[derive(Debug)]
pub enum Filling<'a> {
    /// A text that is inserted unchanged.
    Text(Cow<'a, str>),
    /// A text that includes quotation marks. It replaces the placeholder together with the marks
    /// around it.
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
                Part::Setting(setting) => Filling::Quoted(format!("`{}`", setting.json_form())),
                Part::Command(command) => Filling::Quoted(format!("`{}`", command.json_form())),
            })
        };
        let english = filled(code, argument, |out, text, rest| {
            out.push_str(text);
            rest
        });
        message.0.english = english;
        message
    }

    /// Returns the English sentence with its placeholders, which is the key of the translation.
    ///
    /// ```
    /// use grundy_base::message;
    /// let wrong = message!("heap {heap} is empty", heap = 2);
    /// assert_eq!(wrong, "heap 2 is empty");
    /// assert_eq!(wrong.code(), "heap {heap} is empty");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the argument with this name.
    ///
    /// ```
    /// use grundy_base::message::Part;
    /// let wrong = grundy_base::message!("heap {heap} is empty", heap = 2);
    /// assert_eq!(wrong.argument("heap"), Some(&Part::Text("2".to_owned())));
    /// assert_eq!(wrong.argument("count"), None);
    /// ```
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Part> {
        let mut arguments = self.0.arguments.iter();
        arguments.find_map(|(known, part)| (*known == name).then_some(part))
    }

    /// Returns the arguments in the order in which they were given.
    ///
    /// ```
    /// use grundy_base::message::Part;
    /// let wrong = grundy_base::message!("{n} is more than {most}", n = 9, most = 7);
    /// let parts: Vec<&Part> = wrong.arguments().collect();
    /// assert_eq!(parts, [&Part::from(&9), &Part::from(&7)]);
    /// ```
    pub fn arguments(&self) -> impl Iterator<Item = &Part> {
        self.0.arguments.iter().map(|(_, part)| part)
    }
}

/// Replaces the placeholders of a sentence by their arguments. Braces that do not contain the name
/// of an argument stay unchanged. `put` is called with the output, the text of an argument, and the
/// remainder of the sentence. It must append the text to the output and return the remainder at
/// which the replacement continues.
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
                // The name and the sentence both have quotation marks, as in "`{option}`". Keep
                // only those of the name.
                let inside = after.strip_prefix('`').filter(|_| out.ends_with('`'));
                if inside.is_some() {
                    out.pop();
                }
                put(&mut out, &text, inside.unwrap_or(after))
            }
            None => {
                // Braces that do not contain the name of an argument belong to a notation, such as
                // `{1|0}`.
                out.push('{');
                after
            }
        };
    }
    out + rest
}

// For users of the library a message is an English string. An interface that translates it calls
// `code`.
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

/// Returns whether the placeholders of the sentence are exactly `names`. Braces around other text
/// do not count.
#[doc(hidden)]
#[must_use]
// The loops are over bytes, since a `const fn` can use neither iterators nor string methods.
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
                // Each name has one bit of a `u64`, so a sentence has at most 63 arguments.
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

/// Creates a [`Message`](crate::message::Message) from an English sentence and the arguments for
/// its braces. An argument is any value that implements `Display`, or another message. The Chinese
/// translation is stored in `src/sentences/errors.zh-CN.json` of `grundy-wording`, under the
/// literal sentence.
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
/// An option of a question may be an argument, too, so that each interface can name it.
///
/// ```
/// use grundy_base::message::Setting;
/// use grundy_base::message;
/// let help = message!("{option} raises the limit", option = Setting::new("limits.positions"));
/// assert_eq!(help, "`limits.positions` raises the limit");
/// ```
///
/// If the names of the arguments are not those of the placeholders, the code does not compile.
///
/// ```compile_fail
/// let told = grundy_base::message!("line {line}: {what}", line = 7);
/// ```
#[macro_export]
// The check runs at compile time. Otherwise a misspelt name would show up only when the error
// occurs.
macro_rules! message {
    (@ $name:ident) => { $crate::message::Part::from(&$name) };
    (@ $name:ident $value:expr) => { $crate::message::Part::from(&$value) };
    ($sentence:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const { assert!($crate::message::fits($sentence, &[$(stringify!($name)),*])) };
        $crate::message::Message::new($sentence, [$((stringify!($name), $crate::message!(@ $name $($value)?))),*])
    }};
}
