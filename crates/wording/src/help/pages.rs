//! The pages of the help that are not about a game or a command.

use crate::Language;

/// The names of all pages. The page `games` is the list of all games.
pub const PAGES: [&str; 7] = [
    "notation", "words", "games", "rules", "misere", "sums", "json",
];

/// Returns the text of a page of the help in a language. The page `first` is the first screen of
/// the help.
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
        "misere" => [
            include_str!("pages/en/misere.txt"),
            include_str!("pages/zh-CN/misere.txt"),
        ],
        "sums" => [
            include_str!("pages/en/sums.txt"),
            include_str!("pages/zh-CN/sums.txt"),
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

/// For some pages, other names by which users may ask for them.
const PAGE_ALIASES: [(&str, &[&str]); 4] = [
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
    (
        "misere",
        &[
            "misère",
            "misere_play",
            "misère_play",
            "anti_sg",
            "sj定理",
            "sj_theorem",
            "反常规则",
            "反nim",
            "反尼姆",
            "反尼姆博弈",
        ],
    ),
    (
        "sums",
        &["every_sg", "multi_sg", "conjunctive_sum", "disjunctive_sum"],
    ),
];

/// Other names of terms that the page `words` explains.
const TERM_ALIASES: [&str; 8] = [
    "p",
    "n",
    "nimber",
    "sg_value",
    "sg_function",
    "grundy_function",
    "win",
    "tie",
];

/// Returns the name of the page of the help about a term. The term can be a name or another name of
/// a page, or a term that the page `words` explains. Terms in either language and in the plural are
/// recognized.
///
/// ```
/// use grundy_wording::help::page_about;
/// assert_eq!(page_about("Starlark"), Some("rules"));
/// assert_eq!(page_about("P-positions"), Some("words"));
/// assert_eq!(page_about("尼姆和"), Some("words"));
/// assert_eq!(page_about("SG函数"), Some("words"));
/// assert_eq!(page_about("Anti-SG"), Some("misere"));
/// assert_eq!(page_about("rock"), None);
/// ```
#[must_use]
pub fn page_about(written: &str) -> Option<&'static str> {
    let topic = super::plain_name(written);
    // Blanks and hyphens do not matter, so that `SG 函数` and `SG函数` are the same term.
    let normalized = |name: &str| name.strip_suffix('s').unwrap_or(name).replace('_', "");
    let is_topic = |name: &str| normalized(name) == normalized(&topic);
    if let Some(page) = PAGES.into_iter().find(|page| *page == topic) {
        return Some(page);
    }
    if let Some((page, _)) = PAGE_ALIASES
        .iter()
        .find(|(_, names)| names.iter().any(|name| is_topic(name)))
    {
        return Some(page);
    }
    // A line of the page `words` consists of an indented term, two blanks and an explanation. The
    // terms are read from this page, so that they always agree with it.
    let is_term = TERM_ALIASES.into_iter().any(is_topic)
        || [Language::En, Language::Zh].into_iter().any(|language| {
            page("words", language)
                .unwrap_or_default()
                .lines()
                .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
                .flat_map(|(terms, _)| terms.split([',', '、', '（', '）']))
                .map(|term| super::plain_name(term.trim()))
                .any(|term| !term.is_empty() && is_topic(&term))
        });
    let position = topic
        .strip_suffix("position")
        .or_else(|| topic.strip_suffix("positions"));
    let class = position.is_some_and(|class| matches!(class, "p_" | "n_" | "d_"));
    (is_term || class).then_some("words")
}
