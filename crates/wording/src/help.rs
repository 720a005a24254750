//! What each game is, as one would tell a player: the texts of the help, in English and 中文.
//!
//! The sentences stand in `help/en.json` and `help/zh-CN.json`, by the name of the constructor;
//! `help/groups.json` says which games belong together. Signature, example and theorems are those
//! of the library.

mod pages;
mod sheet;

use std::collections::HashMap;
use std::sync::OnceLock;

use grundy::message::Command;
use grundy::nearest::nearest;
use grundy::registry::{CONSTRUCTORS, Constructor, called_otherwise, theorems};
use grundy::{Diagnostic, Kind, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::pages::{PAGES, page, page_about};
pub use self::sheet::{command, list, overview, paragraph, rules, sheet, wrapped};
use crate::{Language, translated};

/// What is to be said of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHelp {
    /// The name of its constructor.
    pub name: &'static str,
    /// The group that it belongs to, such as `heaps`; the same in every language.
    pub group: &'static str,
    /// How the constructor is called.
    pub signature: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// Its rules, in about three sentences.
    pub rules: &'static str,
    /// What the arguments mean.
    pub arguments: &'static str,
    /// A position that can be solved at once.
    pub example: &'static str,
    /// The theorems that give its values or outcomes, the most telling one first.
    pub theorems: Vec<TheoremHelp>,
    /// Where to read more.
    pub reference: &'static str,
}

/// A theorem in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TheoremHelp {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub statement: &'static str,
    /// Author, title, year.
    pub source: &'static str,
}

/// Games that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its key, the same in every language.
    pub key: &'static str,
    /// What people read above it.
    pub title: &'static str,
    /// Its games.
    pub games: Vec<GameHelp>,
}

/// The texts of a game in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameText {
    title: String,
    summary: String,
    rules: String,
    arguments: String,
    reference: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    groups: HashMap<String, String>,
    games: HashMap<String, GameText>,
}

fn texts(language: Language) -> &'static Texts {
    static EN: OnceLock<Texts> = OnceLock::new();
    static ZH: OnceLock<Texts> = OnceLock::new();
    let (cell, text) = match language {
        Language::En => (&EN, include_str!("help/en.json")),
        Language::Zh => (&ZH, include_str!("help/zh-CN.json")),
    };
    cell.get_or_init(|| serde_json::from_str(text).expect("the texts are tested to be readable"))
}

/// Returns the names of the games of each group, in the order in which they are shown.
fn order() -> &'static Map<String, Value> {
    static ORDER: OnceLock<Map<String, Value>> = OnceLock::new();
    ORDER.get_or_init(|| {
        serde_json::from_str(include_str!("help/groups.json"))
            .expect("the groups are tested to be readable")
    })
}

fn members() -> impl Iterator<Item = (&'static str, &'static str)> {
    order().iter().flat_map(|(group, names)| {
        let names = names.as_array().into_iter().flatten();
        names.filter_map(|name| Some((group.as_str(), name.as_str()?)))
    })
}

/// What is to be said of the game whose constructor has this name.
///
/// ```
/// use grundy_wording::{Language, help};
/// let nim = help::game("nim", Language::En).unwrap();
/// assert_eq!(nim.signature, "nim(n, ...)");
/// assert_eq!(nim.theorems[0].name, "Bouton's theorem");
/// assert!(help::game("rock", Language::En).is_none());
/// ```
#[must_use]
pub fn game(name: &str, language: Language) -> Option<GameHelp> {
    let known = CONSTRUCTORS.iter().find(|known| known.name == name)?;
    let (group, _) = members().find(|(_, member)| *member == name)?;
    described(known, group, language)
}

fn described(known: &Constructor, group: &'static str, language: Language) -> Option<GameHelp> {
    let text = texts(language).games.get(known.name)?;
    let say = |english| translated(english, language);
    let in_words = theorems(known.name).iter().map(|theorem| TheoremHelp {
        name: say(theorem.name),
        statement: say(theorem.statement),
        source: say(theorem.source),
    });
    Some(GameHelp {
        name: known.name,
        group,
        signature: known.signature,
        title: &text.title,
        summary: &text.summary,
        rules: &text.rules,
        arguments: &text.arguments,
        example: known.example,
        theorems: in_words.collect(),
        reference: &text.reference,
    })
}

/// Returns all games, by what they are played with.
///
/// ```
/// use grundy_wording::{Language, help};
/// let groups = help::groups(Language::En);
/// assert_eq!(groups[0].key, "heaps");
/// assert!(groups[0].games.iter().any(|game| game.name == "kayles"));
/// ```
#[must_use]
pub fn groups(language: Language) -> Vec<Group> {
    let titles = &texts(language).groups;
    let group = |key: &'static String| Group {
        key,
        title: titles.get(key).map_or(key, String::as_str),
        games: members()
            .filter(|(group, _)| group == key)
            .filter_map(|(_, name)| game(name, language))
            .collect(),
    };
    order().keys().map(group).collect()
}

/// Returns the name of a constructor as people write it: `Grundy's-Game` is `grundys_game`, and of
/// `nim(3, 4)` the name counts.
///
/// ```
/// use grundy_wording::help::plain_name;
/// assert_eq!(plain_name("Dawsons-Chess"), "dawsons_chess");
/// assert_eq!(plain_name("nim(3, 4)"), "nim");
/// ```
#[must_use]
pub fn plain_name(written: &str) -> String {
    let name = written.split('(').next().unwrap_or_default().trim();
    let letters = name.chars().filter(|letter| !matches!(letter, '\'' | '’'));
    let plain = |letter: char| match letter {
        ' ' | '-' => '_',
        letter => letter.to_ascii_lowercase(),
    };
    letters.map(plain).collect()
}

/// Games named where a word is no game.
const SUGGESTED: usize = 6;

/// Returns the games whose texts, in either language, hold all these words or begin words with
/// them, those first whose first lines do.
fn told_of(words: &str) -> Vec<&'static str> {
    let words = words.to_lowercase();
    let apart = |c: char| !c.is_alphanumeric();
    // Of several things one reads as of one: `pins` is found in `a pin`.
    let stems: Vec<&str> = words
        .split(apart)
        .filter(|word| !word.is_empty())
        .map(|word| word.strip_suffix("es").unwrap_or(word))
        .map(|word| word.strip_suffix('s').unwrap_or(word))
        .collect();
    let holds = |text: &str| {
        let text = text.to_lowercase();
        stems.iter().all(|stem| {
            let mut words = text.split(apart);
            let begins = |word: &str| word.starts_with(stem) && word.len() < stem.len() + 4;
            words.any(begins) || (!stem.is_ascii() && text.contains(stem))
        })
    };
    let mut found = Vec::new();
    if stems.is_empty() || words.len() > 64 {
        return found;
    }
    let texts = [Language::En, Language::Zh].map(texts);
    let said: [fn(&GameText) -> [&str; 2]; 2] = [
        |game| [&game.title, &game.summary],
        |game| [&game.rules, &game.arguments],
    ];
    for of in said {
        for (_, name) in members() {
            let told = |texts: &Texts| {
                let game = texts.games.get(name);
                game.is_some_and(|game| of(game).into_iter().any(holds))
            };
            if !found.contains(&name) && texts.iter().any(|texts| told(texts)) {
                found.push(name);
            }
        }
    }
    found.truncate(SUGGESTED);
    found
}

/// Returns the error about a name that the help does not know, with the nearest one, or with the
/// games that speak of it. `others` are the pages and commands that it knows beside the games.
///
/// ```
/// use grundy_wording::help::unknown;
/// let error = unknown("kayls", ["solve", "notation"]);
/// assert_eq!(error.help.unwrap(), "did you mean `kayles`? `help` says what there is");
/// let error = unknown("Take-Away", ["solve", "help"]);
/// assert_eq!(error.help.unwrap(), "did you mean `subtraction`? `help` says what there is");
/// let error = unknown("matches", []);
/// assert_eq!(error.help.unwrap(), "games that speak of it: nim; `help {\"game\": \"NAME\"}` tells of one");
/// ```
#[must_use]
pub fn unknown<'a>(name: &str, others: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let games = CONSTRUCTORS.iter().map(|game| game.name);
    let known = games.chain(others);
    let plain = plain_name(name);
    let meant = called_otherwise(&plain).or_else(|| nearest(&plain, known));
    let command = Command::new("help");
    let help = if let Some(near) = meant {
        message!(
            "did you mean `{near}`? `{command}` says what there is",
            near,
            command
        )
    } else if let Some(page) = page_about(name) {
        message!(
            "`{command}` tells of it",
            command = command.argument("game", page)
        )
    } else {
        match &told_of(name)[..] {
            [] => message!("`{command}` says what there is", command),
            games => message!(
                "games that speak of it: {games}; `{command}` tells of one",
                games = games.join(", "),
                command = command.argument("game", "NAME")
            ),
        }
    };
    let message = message!(
        "there is no game, command or page named `{name}`",
        name = crate::plain::brief(name.to_owned())
    );
    Diagnostic::new(Kind::UnknownName, message).help(help)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A game without texts cannot be added, and texts of a game that is gone cannot stay.
    #[test]
    fn every_game_has_its_texts_in_both_languages() {
        let known: BTreeSet<&str> = CONSTRUCTORS.iter().map(|game| game.name).collect();
        for language in [Language::En, Language::Zh] {
            let told: BTreeSet<&str> = texts(language).games.keys().map(String::as_str).collect();
            assert_eq!(told, known, "{language:?}");
            let titles: BTreeSet<&String> = texts(language).groups.keys().collect();
            assert_eq!(titles, order().keys().collect(), "{language:?}");
            for (name, text) in &texts(language).games {
                for said in [
                    &text.title,
                    &text.summary,
                    &text.rules,
                    &text.arguments,
                    &text.reference,
                ] {
                    assert!(
                        !said.trim().is_empty() && !said.contains('\n'),
                        "{name}, {language:?}"
                    );
                }
            }
        }
        let grouped: Vec<&str> = members().map(|(_, name)| name).collect();
        assert_eq!(grouped.len(), known.len(), "each game is in one group");
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), known);
    }

    /// Chinese sentences end as Chinese ones do, and theorems have Chinese words, too.
    #[test]
    fn chinese_is_chinese() {
        let han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for game in CONSTRUCTORS {
            let told = super::game(game.name, Language::Zh).unwrap();
            assert!(told.rules.ends_with('。'), "{}", game.name);
            assert!(han(told.summary) && han(told.arguments), "{}", game.name);
            for (theorem, english) in told.theorems.iter().zip(theorems(game.name)) {
                assert!(han(theorem.name), "{}", english.name);
                let formula = !english.statement.contains(" the ");
                assert!(formula || han(theorem.statement), "{}", english.statement);
            }
        }
    }
}
