//! The pages of the help that are neither about a game nor about a command.

use crate::Language;

/// Their names; `games` lists all games.
pub const PAGES: [&str; 5] = ["notation", "words", "games", "rules", "json"];

/// Returns the pages about the program that are texts: `first` is the first screen.
///
/// ```
/// use grundy_wording::{Language, help};
/// assert!(help::page("notation", Language::En).unwrap().starts_with("A position is written"));
/// assert!(help::page("notation", Language::Zh).is_some());
/// ```
#[must_use]
pub fn page(name: &str, language: Language) -> Option<&'static str> {
    let [english, chinese] = match name {
        "first" => [
            include_str!("pages/en/first.txt"),
            include_str!("pages/zh-CN/first.txt"),
        ],
        "notation" => [
            include_str!("pages/en/notation.txt"),
            include_str!("pages/zh-CN/notation.txt"),
        ],
        "words" => [
            include_str!("pages/en/words.txt"),
            include_str!("pages/zh-CN/words.txt"),
        ],
        "rules" => [
            include_str!("pages/en/rules.txt"),
            include_str!("pages/zh-CN/rules.txt"),
        ],
        "json" => [
            include_str!("pages/en/json.txt"),
            include_str!("pages/zh-CN/json.txt"),
        ],
        _ => return None,
    };
    Some(match language {
        Language::En => english,
        Language::Zh => chinese,
    })
}

/// What people ask for, and the page that tells it.
const TOLD: [(&str, &[&str]); 2] = [
    (
        "notation",
        &["sum_of", "board", "expression", "expr", "syntax", "grammar"],
    ),
    (
        "rules",
        &[
            "game",
            "rule",
            "rule_file",
            "file",
            "starlark",
            "own_game",
            "new_game",
            "custom_game",
        ],
    ),
];

/// Words of the answers that the page of words has under another name.
const OTHERWISE: [&str; 8] = [
    "p", "n", "misere", "misère", "nimber", "sg_value", "win", "tie",
];

/// Returns the page that tells of something: its name, what it is called otherwise, or a word that
/// the page of words explains, in either language, of one or of several.
///
/// ```
/// use grundy_wording::help::page_about;
/// assert_eq!(page_about("Starlark"), Some("rules"));
/// assert_eq!(page_about("P-positions"), Some("words"));
/// assert_eq!(page_about("尼姆和"), Some("words"));
/// assert_eq!(page_about("rock"), None);
/// ```
#[must_use]
pub fn page_about(written: &str) -> Option<&'static str> {
    let asked = super::plain_name(written);
    let one = |name: &str| name.strip_suffix('s').unwrap_or(name).to_owned();
    let meant = |name: &str| one(name) == one(&asked);
    if let Some(page) = PAGES.into_iter().find(|page| *page == asked) {
        return Some(page);
    }
    if let Some((page, _)) = TOLD
        .iter()
        .find(|(_, names)| names.iter().any(|name| meant(name)))
    {
        return Some(page);
    }
    let of_words = OTHERWISE.into_iter().any(meant)
        || [Language::En, Language::Zh].into_iter().any(|language| {
            page("words", language)
                .unwrap_or_default()
                .lines()
                .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
                .flat_map(|(terms, _)| terms.split([',', '、', '（', '）']))
                .map(|term| super::plain_name(term.trim()))
                .any(|term| !term.is_empty() && meant(&term))
        });
    let position = asked
        .strip_suffix("position")
        .or_else(|| asked.strip_suffix("positions"));
    let class = position.is_some_and(|class| matches!(class, "p_" | "n_" | "d_"));
    (of_words || class).then_some("words")
}
