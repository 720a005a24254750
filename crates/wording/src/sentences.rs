//! The sentences for the steps of explanations and for messages, in English and Chinese.
//!
//! The sentences are in `en.json` and `zh-CN.json`, each under a code. In a sentence, `{name}` is
//! replaced by the argument `name` of the step or message.

mod interface;

use std::collections::HashMap;
use std::sync::OnceLock;

use grundy_core::message::{Filling, Message, Part, Setting, filled};
use grundy_core::step::{Datum, Step};

use interface::Name;
pub use interface::{Audience, Interface};

/// A language of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// Returns the key under which the translation of an argument of a sentence is stored. Returns
/// `None` if the argument is not one of the English phrases that have a translation.
///
/// Some keys have a prefix, so that they differ from the codes of sentences. For example, `method
/// tame` is the key of a phrase, while `tame` is the code of a sentence. Arguments without a key
/// are notation or names chosen by users, which are not translated.
fn translation_key(code: &str, argument: &str, text: &str) -> Option<String> {
    match argument {
        "play" | "statement" | "theorem" | "source" => Some(text.to_owned()),
        "name" if code == "theorem" => Some(text.to_owned()),
        "method" | "status" | "worth" | "head" => Some(format!("{argument} {text}")),
        "player" | "side" | "other" | "first" | "second" => Some(format!("player {text}")),
        _ => None,
    }
}

/// The suffix of a placeholder that counts an index from 1, as in `{heap+1}`. The arguments of
/// steps count from 0, like the notation.
const ONE_BASED_SUFFIX: &str = "+1";

type Sentences = HashMap<String, String>;

/// Returns the Chinese sentences of error messages. Their keys are the English sentences.
fn error_sentences() -> &'static Sentences {
    static ERRORS: OnceLock<Sentences> = OnceLock::new();
    ERRORS.get_or_init(|| {
        serde_json::from_str(include_str!("sentences/errors.zh-CN.json"))
            .expect("the wording files are tested to be maps of strings")
    })
}

/// Returns the Chinese translations of messages that other software writes: the operating system,
/// the JSON parser and the parser of the command line.
fn foreign_errors() -> &'static Sentences {
    static FOREIGN_ERRORS: OnceLock<Sentences> = OnceLock::new();
    FOREIGN_ERRORS.get_or_init(|| {
        serde_json::from_str(include_str!("sentences/others.zh-CN.json"))
            .expect("the wording files are tested to be maps of strings")
    })
}

/// Returns the text of a message in the language of the reader, with the names that options and
/// commands have in the reader's interface.
///
/// ```
/// use grundy_core::message;
/// use grundy_wording::{Audience, Interface, Language, message_text};
/// let message = message!("there is no game named `{name}`", name = "kayls");
/// let [english, chinese] = [Language::En, Language::Zh]
///     .map(|language| message_text(&message, Audience::new(language, Interface::Terminal)));
/// assert_eq!(english, "there is no game named `kayls`");
/// assert_eq!(chinese, "没有名为 `kayls` 的游戏");
/// ```
#[must_use]
pub fn message_text(message: &Message, audience: Audience) -> String {
    // A message contains its English sentence, which is also its code. Hence only the Chinese
    // sentence is looked up.
    let chinese = match audience.language {
        Language::En => None,
        Language::Zh => error_sentences().get(message.code()),
    };
    let argument = |name: &str| {
        Some(match message.argument(name)? {
            Part::Message(message) => message_text(message, audience).into(),
            Part::Setting(setting) => interface::option(setting, audience).into(),
            Part::Command(command) => interface::command(command, audience).into(),
            Part::Text(text) => {
                let translation = chinese.and_then(|_| match name {
                    // The argument `error` is a text of a library or of the operating system. It is
                    // not a phrase of this project.
                    "error" => foreign_errors().get(text),
                    name => {
                        let key = translation_key("", name, text)?;
                        sentences(Language::Zh).get(&key)
                    }
                });
                translation.unwrap_or(text).as_str().into()
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

/// Returns the text of a hint. Returns `None` if the reader's interface lacks an option or a
/// command that the hint names.
pub(crate) fn hint_text(help: &Message, audience: Audience) -> Option<String> {
    can_be_followed(help, audience.interface).then(|| message_text(help, audience))
}

fn can_be_followed(help: &Message, interface: Interface) -> bool {
    // Nested messages are also checked, since a hint is useful only if all of it can be followed.
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

/// Returns the name that an option has in the reader's interface.
///
/// ```
/// use grundy_core::message::Setting;
/// use grundy_wording::{Audience, Interface, Language, option};
/// let setting = Setting::new("limits.positions");
/// let names = [Interface::Terminal, Interface::Python]
///     .map(|interface| option(&setting, Audience::new(Language::En, interface)));
/// assert_eq!(names, ["--max-positions", "`grundy.limits(positions=...)`"]);
/// ```
#[must_use]
pub fn option(setting: &Setting, audience: Audience) -> String {
    match interface::option(setting, audience) {
        Name::Typed(text) | Name::Quoted(text) => text,
    }
}

/// Returns the Chinese sentences of error messages. The key of each sentence is the English
/// sentence with its placeholders, which serves as the code of the message.
///
/// ```
/// use grundy_wording::errors_in_chinese;
/// let sentence = &errors_in_chinese()["there is no game named `{name}`"];
/// assert_eq!(sentence, "没有名为 `{name}` 的游戏");
/// ```
#[must_use]
pub fn errors_in_chinese() -> &'static HashMap<String, String> {
    error_sentences()
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

/// Returns the sentence for a step of an explanation, in `language`.
///
/// ```
/// use grundy_core::step::Step;
/// use grundy_wording::{Language, words};
/// let step = Step::new("play_hint_hot").with("temperature", "3/4");
/// let sentence = words(&step, Language::En);
/// assert_eq!(sentence, "The temperature is 3/4, which is about what a move gains.");
/// ```
#[must_use]
pub fn words(step: &Step, language: Language) -> String {
    let Some(sentence) = sentences(language).get(step.code) else {
        // If the sentence is missing, the code and the arguments are returned. A test checks that
        // no sentence is missing.
        return format!("{} {}", step.code, arguments(step));
    };
    let argument = |placeholder: &str| -> Option<Filling<'_>> {
        let name = placeholder
            .strip_suffix(ONE_BASED_SUFFIX)
            .unwrap_or(placeholder);
        let Some((_, datum)) = step.args.iter().find(|(known, _)| *known == name) else {
            return Some("?".into());
        };
        let translation = match datum {
            Datum::Text(text) => translation_key(step.code, name, text),
            _ => None,
        };
        let translation = translation.and_then(|key| sentences(language).get(&key));
        if let (true, Datum::Int(index)) = (name != placeholder, datum) {
            return Some((index + 1).to_string().into());
        }
        Some(translation.map_or_else(|| plain(datum, language).into(), Into::into))
    };
    let mut out = filled(sentence, argument, join);
    // Names of theorems and players are stored in lower case, but a sentence begins with a capital
    // letter.
    let starts_with_name = ["{name}: ", "{side} "]
        .iter()
        .any(|name| sentence.starts_with(name));
    match out.get_mut(..1) {
        Some(first) if starts_with_name => first.make_ascii_uppercase(),
        _ => {}
    }
    out
}

/// Appends an argument to a sentence. Returns `rest`, the template after the argument, possibly
/// without its first blank. Templates of Chinese sentences have blanks around arguments. A blank
/// before or after the argument is removed if it would separate two Chinese characters.
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

/// Returns whether `c` is a Chinese character or a full-width form, such as a Chinese punctuation
/// mark. Such a character takes two columns on a terminal.
///
/// ```
/// use grundy_wording::is_han;
/// assert_eq!(['堆', '，', 'G', ','].map(is_han), [true, true, false, false]);
/// ```
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}')
}

/// Returns the width of a text on a terminal, in columns.
///
/// ```
/// use grundy_wording::width;
/// assert_eq!(width("heap 3"), 6);
/// assert_eq!(width("第 3 堆"), 7);
/// ```
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(|c| 1 + usize::from(is_han(c))).sum()
}

/// Returns a label, such as `value`, followed by its content.
///
/// ```
/// use grundy_wording::{Language, labelled};
/// assert_eq!(labelled("Grundy value", 5u64, Language::En), "Grundy value: 5");
/// assert_eq!(labelled("SG 值", 5u64, Language::Zh), "SG 值：5");
/// ```
#[must_use]
pub fn labelled(label: &str, what: impl Into<Datum>, language: Language) -> String {
    let step = Step::new("labelled").with("label", label);
    words(&step.with("what", what), language)
}

/// Returns the phrase with the code `code`. The phrase must have no arguments.
///
/// ```
/// use grundy_wording::{Language, phrase};
/// assert_eq!(phrase("outcome_p", Language::En), "P: the previous player wins");
/// assert_eq!(phrase("outcome_p", Language::Zh), "必败态（P 局面）：后手必胜");
/// ```
#[must_use]
pub fn phrase(code: &'static str, language: Language) -> String {
    words(&Step::new(code), language)
}

/// Translates an English phrase of the library, such as the name of a theorem. Returns the phrase
/// unchanged if it has no translation.
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

/// Returns the text that an argument has within a sentence. The items of a list are separated by
/// commas, and only the first 40 items are shown.
fn plain(datum: &Datum, language: Language) -> String {
    match datum {
        Datum::Int(n) => n.to_string(),
        // A name may come from a file. Its control characters are escaped, so that they cannot
        // affect the terminal or break a line.
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

/// Returns the sentence with the code `code`. The sentence contains placeholders such as `{name}`
/// for the arguments.
///
/// ```
/// use grundy_wording::{Language, sentence};
/// assert_eq!(sentence("label_component", Language::En), Some("in {part}"));
/// assert_eq!(sentence("no such code", Language::En), None);
/// ```
#[must_use]
pub fn sentence(code: &str, language: Language) -> Option<&'static str> {
    sentences(language).get(code).map(String::as_str)
}

/// Returns the codes of all sentences in a language.
///
/// ```
/// use grundy_wording::{Language, codes};
/// let codes = codes(Language::En);
/// assert!(codes.contains(&"outcome_n") && codes.is_sorted());
/// ```
#[must_use]
pub fn codes(language: Language) -> Vec<&'static str> {
    let mut codes: Vec<_> = sentences(language).keys().map(String::as_str).collect();
    codes.sort_unstable();
    codes
}
