//! Words for steps, in English and 中文.
//!
//! The sentences stand in `en.json` and `zh-CN.json`, one for each code, with `{name}` where an argument goes.

use std::collections::HashMap;
use std::sync::OnceLock;

use grundy::step::{Datum, Step};

/// A language of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// 中文.
    Zh,
}

/// Arguments that are English phrases, to be looked up as they stand.
const NAMES: [&str; 4] = ["play", "name", "statement", "theorem"];

type Sentences = HashMap<String, String>;

fn sentences(language: Language) -> &'static Sentences {
    static EN: OnceLock<Sentences> = OnceLock::new();
    static ZH: OnceLock<Sentences> = OnceLock::new();
    let (cell, text) = match language {
        Language::En => (&EN, include_str!("wording/en.json")),
        Language::Zh => (&ZH, include_str!("wording/zh-CN.json")),
    };
    cell.get_or_init(|| {
        serde_json::from_str(text).expect("the wording files are tested to be maps of strings")
    })
}

/// The sentence for a step.
#[must_use]
pub fn words(step: &Step, language: Language) -> String {
    let Some(sentence) = sentences(language).get(step.code) else {
        return format!("{} {}", step.code, arguments(step));
    };
    let mut out = String::new();
    let mut rest = sentence.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        match step.args.iter().find(|(known, _)| *known == name) {
            // The play and the theorems have words of their own in each language.
            Some((_, Datum::Text(text))) if NAMES.contains(&name) => {
                out.push_str(sentences(language).get(text).unwrap_or(text));
            }
            Some((_, datum)) => out.push_str(&plain(datum)),
            None => out.push('?'),
        }
        rest = after;
    }
    out.push_str(rest);
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

/// A fixed phrase, by its code.
#[must_use]
pub fn phrase(code: &'static str, language: Language) -> String {
    words(&Step::new(code), language)
}

/// An English phrase of the library, such as the name of a theorem, in this language; as it stands where there are no words
/// for it.
///
/// ```
/// use grundy_notation::wording::{Language, translated};
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
        .map(|(name, datum)| format!("{name} {}", plain(datum)))
        .collect();
    args.join(", ")
}

/// A datum as it stands in a sentence: lists with commas, long ones cut.
fn plain(datum: &Datum) -> String {
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
            let mut shown: Vec<_> = items.iter().take(40).map(plain).collect();
            if items.len() > 40 {
                shown.push("...".to_owned());
            }
            shown.join(", ")
        }
    }
}

/// All codes that have a sentence.
#[must_use]
pub fn codes(language: Language) -> Vec<&'static str> {
    let mut codes: Vec<_> = sentences(language).keys().map(String::as_str).collect();
    codes.sort_unstable();
    codes
}
