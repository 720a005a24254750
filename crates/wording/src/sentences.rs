//! Words for steps, in English and 中文.
//!
//! The sentences stand in `en.json` and `zh-CN.json`, one for each code, with `{name}` where an
//! argument goes.

mod interface;

use std::collections::HashMap;
use std::sync::OnceLock;

use grundy::message::{Filling, Message, Part, Setting, filled};
use grundy::step::{Datum, Step};

use interface::Name;
pub use interface::{Audience, Interface};

/// A language of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// 中文.
    Zh,
}

/// Where the words for an argument are looked up, if it is an English phrase with words of its own
/// in each language: under itself, or after a word that keeps it apart from the codes
/// (`method tame` is no sentence of the code `tame`). All other texts stand as they are, for they
/// are notation or names that somebody chose.
fn key(code: &str, argument: &str, text: &str) -> Option<String> {
    match argument {
        "play" | "statement" | "theorem" | "source" => Some(text.to_owned()),
        "name" if code == "theorem" => Some(text.to_owned()),
        "method" | "status" | "worth" | "head" => Some(format!("{argument} {text}")),
        "player" | "side" | "other" | "first" | "second" => Some(format!("player {text}")),
        _ => None,
    }
}

type Sentences = HashMap<String, String>;

/// Returns the 中文 of what is told of errors, by the English sentence of its code.
fn errors() -> &'static Sentences {
    static ERRORS: OnceLock<Sentences> = OnceLock::new();
    ERRORS.get_or_init(|| {
        serde_json::from_str(include_str!("sentences/errors.zh-CN.json"))
            .expect("the wording files are tested to be maps of strings")
    })
}

/// Returns the 中文 of what others say: the operating system, the reader of JSON, the reader of the
/// command line.
fn others() -> &'static Sentences {
    static OTHERS: OnceLock<Sentences> = OnceLock::new();
    OTHERS.get_or_init(|| {
        serde_json::from_str(include_str!("sentences/others.zh-CN.json"))
            .expect("the wording files are tested to be maps of strings")
    })
}

/// Words a message for its reader.
///
/// ```
/// use grundy::message;
/// use grundy_wording::{Audience, Interface, Language, told};
/// let message = message!("there is no game named `{name}`", name = "kayls");
/// let [english, chinese] = [Language::En, Language::Zh]
///     .map(|language| told(&message, Audience::new(language, Interface::Terminal)));
/// assert_eq!(english, "there is no game named `kayls`");
/// assert_eq!(chinese, "没有名为 `kayls` 的游戏");
/// ```
#[must_use]
pub fn told(message: &Message, audience: Audience) -> String {
    let chinese = match audience.language {
        Language::En => None,
        Language::Zh => errors().get(message.code()),
    };
    let argument = |name: &str| {
        Some(match message.argument(name)? {
            Part::Message(message) => told(message, audience).into(),
            Part::Setting(setting) => interface::option(setting, audience).into(),
            Part::Command(command) => interface::command(command, audience).into(),
            Part::Text(text) => {
                let known = chinese.and_then(|_| match name {
                    "error" => others().get(text),
                    name => {
                        let key = key("", name, text)?;
                        sentences(Language::Zh).get(&key)
                    }
                });
                known.unwrap_or(text).as_str().into()
            }
        })
    };
    match chinese {
        Some(sentence) => filled(sentence, argument, join),
        None => filled(message.code(), argument, |out, text, rest| {
            out.push_str(text);
            rest
        }),
    }
}

/// Words advice, if the interface has every option and question that it names.
pub(crate) fn advice(help: &Message, audience: Audience) -> Option<String> {
    can_be_followed(help, audience.interface).then(|| told(help, audience))
}

fn can_be_followed(help: &Message, interface: Interface) -> bool {
    help.arguments().all(|part| match part {
        Part::Text(_) => true,
        Part::Message(message) => can_be_followed(message, interface),
        Part::Setting(setting) => interface::has_option(setting, interface),
        Part::Command(command) => interface::has_command(command, interface),
    })
}

impl From<Name> for Filling<'_> {
    fn from(name: Name) -> Self {
        match name {
            Name::Typed(text) => Self::Text(text.into()),
            Name::Quoted(text) => Self::Quoted(text),
        }
    }
}

/// Returns the name of an option, for a step.
#[must_use]
pub fn option(setting: &Setting, audience: Audience) -> String {
    match interface::option(setting, audience) {
        Name::Typed(text) | Name::Quoted(text) => text,
    }
}

/// Returns the sentences of what is told of errors, by their codes, in 中文.
#[must_use]
pub fn errors_in_chinese() -> &'static HashMap<String, String> {
    errors()
}

fn sentences(language: Language) -> &'static Sentences {
    static EN: OnceLock<Sentences> = OnceLock::new();
    static ZH: OnceLock<Sentences> = OnceLock::new();
    let (cell, text) = match language {
        Language::En => (&EN, include_str!("sentences/en.json")),
        Language::Zh => (&ZH, include_str!("sentences/zh-CN.json")),
    };
    cell.get_or_init(|| {
        serde_json::from_str(text).expect("the wording files are tested to be maps of strings")
    })
}

/// Returns the sentence for a step.
#[must_use]
pub fn words(step: &Step, language: Language) -> String {
    let Some(sentence) = sentences(language).get(step.code) else {
        return format!("{} {}", step.code, arguments(step));
    };
    let argument = |name: &str| -> Option<Filling<'_>> {
        let Some((_, datum)) = step.args.iter().find(|(known, _)| *known == name) else {
            return Some("?".into());
        };
        let known = match datum {
            Datum::Text(text) => key(step.code, name, text),
            _ => None,
        };
        let known = known.and_then(|key| sentences(language).get(&key));
        Some(known.map_or_else(|| plain(datum, language).into(), Into::into))
    };
    let mut out = filled(sentence, argument, join);
    // Names of theorems and of players are written small within a sentence.
    let named = ["{name}: ", "{side} "]
        .iter()
        .any(|name| sentence.starts_with(name));
    match out.get_mut(..1) {
        Some(first) if named => first.make_ascii_uppercase(),
        _ => {}
    }
    out
}

/// Puts an argument into a sentence and returns the rest of the sentence. The blanks that set a
/// number or a letter apart from 中文 fall away between two characters of 中文.
fn join<'a>(out: &mut String, argument: &str, rest: &'a str) -> &'a str {
    let before = out
        .strip_suffix(' ')
        .is_some_and(|before| before.ends_with(is_han));
    if before && argument.starts_with(is_han) {
        out.pop();
    }
    out.push_str(argument);
    match rest.strip_prefix(' ') {
        Some(after) if argument.ends_with(is_han) && after.starts_with(is_han) => after,
        _ => rest,
    }
}

/// Returns whether a character takes the room of two letters: 中文 and its punctuation.
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}')
}

/// How many letters wide a text is in a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(|c| 1 + usize::from(is_han(c))).sum()
}

/// Returns a name and what it names, as they stand in a line.
#[must_use]
pub fn labelled(label: &str, what: impl Into<Datum>, language: Language) -> String {
    let step = Step::new("labelled").with("label", label);
    words(&step.with("what", what), language)
}

/// Returns a fixed phrase, by its code.
#[must_use]
pub fn phrase(code: &'static str, language: Language) -> String {
    words(&Step::new(code), language)
}

/// Returns an English phrase of the library, such as the name of a theorem, in this language; as it
/// stands where there are no words for it.
///
/// ```
/// use grundy_wording::{Language, translated};
/// assert_eq!(translated("Bouton's theorem", Language::Zh), "Bouton 定理");
/// assert_eq!(translated("Bouton's theorem", Language::En), "Bouton's theorem");
/// ```
#[must_use]
pub fn translated(english: &'static str, language: Language) -> &'static str {
    sentences(language)
        .get(english)
        .map_or(english, String::as_str)
}

fn arguments(step: &Step) -> String {
    let args: Vec<_> = step
        .args
        .iter()
        .map(|(name, datum)| format!("{name} {}", plain(datum, Language::En)))
        .collect();
    args.join(", ")
}

/// Returns a datum as it stands in a sentence of this language: lists with commas, long ones cut.
fn plain(datum: &Datum, language: Language) -> String {
    match datum {
        Datum::Int(n) => n.to_string(),
        // Names come from files: none of them may write to the terminal or break a line.
        Datum::Text(text) if text.contains(char::is_control) => text
            .chars()
            .map(|c| {
                if c.is_control() {
                    c.escape_default().to_string()
                } else {
                    c.to_string()
                }
            })
            .collect(),
        Datum::Text(text) => text.clone(),
        Datum::Bool(b) => b.to_string(),
        Datum::List(items) => {
            let mut shown: Vec<_> = items
                .iter()
                .take(40)
                .map(|item| plain(item, language))
                .collect();
            if items.len() > 40 {
                shown.push("...".to_owned());
            }
            shown.join(match language {
                Language::En => ", ",
                Language::Zh => "、",
            })
        }
    }
}

/// Returns the sentence of a code, with `{name}` where an argument goes.
#[must_use]
pub fn sentence(code: &str, language: Language) -> Option<&'static str> {
    sentences(language).get(code).map(String::as_str)
}

/// Returns all codes that have a sentence.
#[must_use]
pub fn codes(language: Language) -> Vec<&'static str> {
    let mut codes: Vec<_> = sentences(language).keys().map(String::as_str).collect();
    codes.sort_unstable();
    codes
}
