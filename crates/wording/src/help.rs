//! The descriptions of the games in the help, in English and Chinese.
//!
//! The texts are in `help/en.json` and `help/zh-CN.json`. Their keys are the names of the
//! constructors. The file `help/groups.json` divides the games into groups. Signatures, examples
//! and theorems come from the library.

mod pages;
mod sheet;

use std::collections::HashMap;
use std::sync::OnceLock;

use grundy_core::message::Command;
use grundy_core::nearest::nearest;
use grundy_core::registry::{CONSTRUCTORS, Constructor, constructor_of_alias, theorems};
use grundy_core::{Diagnostic, Kind, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::pages::{PAGES, page, page_about};
pub use self::sheet::{command, game_page, list, overview, paragraph, rules, wrapped};
use crate::{Language, translated};

/// The description of a game in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHelp {
    /// The name of the constructor of the game.
    pub name: &'static str,
    /// The key of the group of the game, such as `heaps`. It is the same in every language.
    pub group: &'static str,
    /// The signature of the constructor.
    pub signature: &'static str,
    /// The usual name of the game.
    pub title: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// The rules, in about three sentences.
    pub rules: &'static str,
    /// The meaning of the arguments of the constructor.
    pub arguments: &'static str,
    /// An example of a position, which can be solved quickly.
    pub example: &'static str,
    /// The theorems about the values or outcomes of the game. The most informative comes first.
    pub theorems: Vec<TheoremHelp>,
    /// A reference for further reading.
    pub reference: &'static str,
    /// Other names of the game, in the language of the description.
    pub names: &'static [String],
}

/// A theorem in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TheoremHelp {
    /// The name of the theorem.
    pub name: &'static str,
    /// The statement, in one sentence.
    pub statement: &'static str,
    /// The source of the theorem: author, title and year.
    pub source: &'static str,
}

/// A group of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The key of the group, which is the same in every language.
    pub key: &'static str,
    /// The title of the group.
    pub title: &'static str,
    /// The games of the group.
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
    #[serde(default)]
    names: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    groups: HashMap<String, String>,
    games: HashMap<String, GameText>,
}

fn texts(language: Language) -> &'static Texts {
    // The texts are parsed when they are first used, since most runs of the program do not need
    // them.
    static EN: OnceLock<Texts> = OnceLock::new();
    static ZH: OnceLock<Texts> = OnceLock::new();
    let (cell, text) = match language {
        Language::En => (&EN, include_str!("help/en.json")),
        Language::Zh => (&ZH, include_str!("help/zh-CN.json")),
    };
    cell.get_or_init(|| serde_json::from_str(text).expect("the texts are tested to be readable"))
}

/// Returns the groups of the help with the names of the games in each group, in the order in which
/// the help lists them.
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

/// Returns the description of the game with this constructor.
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
    let constructor = CONSTRUCTORS.iter().find(|game| game.name == name)?;
    let (group, _) = members().find(|(_, member)| *member == name)?;
    describe(constructor, group, language)
}

fn describe(
    constructor: &Constructor,
    group: &'static str,
    language: Language,
) -> Option<GameHelp> {
    let text = texts(language).games.get(constructor.name)?;
    let say = |english| translated(english, language);
    let in_words = theorems(constructor.name)
        .iter()
        .map(|theorem| TheoremHelp {
            name: say(theorem.name),
            statement: say(theorem.statement),
            source: say(theorem.source),
        });
    Some(GameHelp {
        name: constructor.name,
        group,
        signature: constructor.signature,
        title: &text.title,
        summary: &text.summary,
        rules: &text.rules,
        arguments: &text.arguments,
        example: constructor.example,
        theorems: in_words.collect(),
        reference: &text.reference,
        names: &text.names,
    })
}

/// Returns the letters and digits of a name in lower case. Hence `letters` returns `knim` for both
/// `K-Nim` and `k nim`.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the constructor of the game that has `written` among its other names, in either
/// language. Blanks, hyphens and the case of letters do not matter.
fn game_with_alias(written: &str) -> Option<&'static str> {
    let key = letters(written);
    let has_name = |name: &str, language| {
        let text = texts(language).games.get(name);
        text.is_some_and(|text| text.names.iter().any(|other| letters(other) == key))
    };
    let mut names = members().map(|(_, name)| name);
    names.find(|name| has_name(name, Language::En) || has_name(name, Language::Zh))
}

/// Returns the name under which a topic of the help is looked up. If `written` is another name of a
/// game, the result is the constructor of that game. Otherwise, the result is `written` as spelled
/// by [`plain_name`].
///
/// ```
/// use grundy_wording::help::topic;
/// assert_eq!(topic("巴什博弈"), "subtraction");
/// assert_eq!(topic("K Nim"), "moore_nim");
/// assert_eq!(topic("Dawsons-Chess"), "dawsons_chess");
/// assert_eq!(topic("HDU 1846"), "subtraction");
/// assert_eq!(topic("Nim or not Nim?"), "laskers_nim");
/// ```
#[must_use]
pub fn topic(written: &str) -> String {
    let plain = plain_name(written);
    let is_known = CONSTRUCTORS.iter().any(|game| game.name == plain);
    let other = game_with_alias(written).or_else(|| {
        // A help page about the word takes precedence over a game that is also called so.
        let is_free = !is_known && page_about(written).is_none();
        is_free.then(|| constructor_of_alias(&plain)).flatten()
    });
    other.map_or(plain, str::to_owned)
}

/// Returns all games in their groups.
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

/// Returns the name of a constructor, spelled as in the notation. `Grundy's-Game` becomes
/// `grundys_game`. The arguments of `nim(3, 4)` are removed.
///
/// ```
/// use grundy_wording::help::plain_name;
/// assert_eq!(plain_name("Dawsons-Chess"), "dawsons_chess");
/// assert_eq!(plain_name("nim(3, 4)"), "nim");
/// ```
#[must_use]
pub fn plain_name(written: &str) -> String {
    let name = written.split('(').next().unwrap_or_default().trim();
    let name = name.trim_end_matches(['?', '!', '.', '？']).trim_end();
    let letters = name.chars().filter(|letter| !matches!(letter, '\'' | '’'));
    let plain = |letter: char| match letter {
        ' ' | '-' => '_',
        letter => letter.to_ascii_lowercase(),
    };
    letters.map(plain).collect()
}

/// Largest number of games that the error for an unknown name suggests.
const MAX_SUGGESTIONS: usize = 6;

/// Returns the games that have a text which contains all of the given words, in either language. A
/// word in a text also matches if it is slightly longer than a given word and begins with it. Games
/// whose title or summary contains all words come first. At most `MAX_SUGGESTIONS` games are
/// returned.
fn games_mentioning(words: &str) -> Vec<&'static str> {
    let words = words.to_lowercase();
    let is_separator = |c: char| !c.is_alphanumeric();
    // Plural endings are removed, so that `pins` matches `a pin`.
    let stems: Vec<&str> = words
        .split(is_separator)
        .filter(|word| !word.is_empty())
        .map(|word| word.strip_suffix("es").unwrap_or(word))
        .map(|word| word.strip_suffix('s').unwrap_or(word))
        .collect();
    let matches = |text: &str| {
        let text = text.to_lowercase();
        stems.iter().all(|stem| {
            let mut words = text.split(is_separator);
            // The bound on the length prevents a short stem from matching an unrelated long word.
            // Chinese has no blanks between words, so a Chinese stem may occur anywhere.
            let begins = |word: &str| word.starts_with(stem) && word.len() < stem.len() + 4;
            words.any(begins) || (!stem.is_ascii() && text.contains(stem))
        })
    };
    let mut found = Vec::new();
    // The name comes from a user and can have any length. A long one is not searched for, since the
    // time of the search grows with the length.
    if stems.is_empty() || words.len() > 64 {
        return found;
    }
    let texts = [Language::En, Language::Zh].map(texts);
    // The first pass searches titles and summaries, the second rules and arguments. Hence matches
    // of the first come first.
    let field_sets: [fn(&GameText) -> [&str; 2]; 2] = [
        |game| [&game.title, &game.summary],
        |game| [&game.rules, &game.arguments],
    ];
    for fields in field_sets {
        for (_, name) in members() {
            let mentions = |texts: &Texts| {
                let game = texts.games.get(name);
                game.is_some_and(|game| fields(game).into_iter().any(matches))
            };
            if !found.contains(&name) && texts.iter().any(|texts| mentions(texts)) {
                found.push(name);
            }
        }
    }
    found.truncate(MAX_SUGGESTIONS);
    found
}

/// Returns the error for an unknown name. The error suggests the most similar known name, or the
/// games whose texts contain the name. The argument `others` contains the names of the pages and
/// commands of the help.
///
/// ```
/// use grundy_wording::help::unknown;
/// let error = unknown("kayls", ["solve", "notation"]);
/// assert_eq!(error.help.unwrap(), "did you mean `kayles`? `help` lists all topics");
/// let error = unknown("Take-Away", ["solve", "help"]);
/// assert_eq!(error.help.unwrap(), "did you mean `subtraction`? `help` lists all topics");
/// let help = unknown("beans", []).help.unwrap();
/// assert!(help.ends_with(": nim; to read a description, use `help {\"game\": \"NAME\"}`"));
/// ```
#[must_use]
pub fn unknown<'a>(name: &str, others: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let games = CONSTRUCTORS.iter().map(|game| game.name);
    let known = games.chain(others);
    let plain = plain_name(name);
    // Other names of games are tried first, then similar spellings, then a search in the texts.
    let meant = constructor_of_alias(&plain).or_else(|| nearest(&plain, known));
    let command = Command::new("help");
    let help = if let Some(near) = meant {
        message!(
            "did you mean `{near}`? `{command}` lists all topics",
            near,
            command
        )
    } else if let Some(page) = page_about(name) {
        message!(
            "to read the help page that covers this topic, use `{command}`",
            command = command.argument("game", page)
        )
    } else {
        match &games_mentioning(name)[..] {
            [] => message!("`{command}` lists all topics", command),
            games => message!(
                "this name occurs in the descriptions of these games: {games}; to read a description, use `{command}`",
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

    /// Checks that no name in the list `names` of a game is the constructor of a different game.
    #[test]
    fn other_names_hide_no_constructor() {
        for game in CONSTRUCTORS {
            assert_eq!(topic(game.name), game.name);
        }
    }

    #[test]
    fn every_game_has_its_texts_in_both_languages() {
        let known: BTreeSet<&str> = CONSTRUCTORS.iter().map(|game| game.name).collect();
        for language in [Language::En, Language::Zh] {
            let described: BTreeSet<&str> =
                texts(language).games.keys().map(String::as_str).collect();
            assert_eq!(described, known, "{language:?}");
            let titles: BTreeSet<&String> = texts(language).groups.keys().collect();
            assert_eq!(titles, order().keys().collect(), "{language:?}");
            for (name, text) in &texts(language).games {
                for (key, field) in [
                    ("title", &text.title),
                    ("summary", &text.summary),
                    ("rules", &text.rules),
                    ("arguments", &text.arguments),
                    ("reference", &text.reference),
                ] {
                    assert!(
                        !field.trim().is_empty() && !field.contains('\n'),
                        "{name}, {language:?}: `{key}` must be one line that is not empty"
                    );
                }
            }
        }
        let grouped: Vec<&str> = members().map(|(_, name)| name).collect();
        assert_eq!(grouped.len(), known.len(), "each game is in one group");
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), known);
    }

    /// Checks that Chinese sentences have Chinese punctuation, and that theorems are translated.
    #[test]
    fn chinese_help_is_translated_and_punctuated() {
        let han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for game in CONSTRUCTORS {
            let help = super::game(game.name, Language::Zh).unwrap();
            assert!(help.rules.ends_with('。'), "{}", game.name);
            assert!(han(help.summary) && han(help.arguments), "{}", game.name);
            for (theorem, english) in help.theorems.iter().zip(theorems(game.name)) {
                assert!(han(theorem.name), "{}", english.name);
                let formula = !english.statement.contains(" the ");
                assert!(formula || han(theorem.statement), "{}", english.statement);
            }
        }
    }
}
