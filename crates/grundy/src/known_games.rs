//! Well-known sequences of Grundy values, to recognise a game by.

use crate::heap::take_set::NAMES;
use crate::heap::{Code, HeapRules, Sequence, TakeSet};
use crate::limits::Limits;
use crate::theory::NormalPlay;

/// A well-known game whose values are those of another, perhaps on heaps larger or smaller by `shift`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// The game as a family, such as `kayles(n)`.
    pub family: String,
    /// The value of a heap of n is that game's value of n + `shift`.
    pub shift: i64,
}

/// Values compared: beyond this many, a difference would have shown.
const COMPARED: usize = 512;

/// Values that have to agree before that says anything.
const LEAST: usize = 16;

/// The octal codes that have names of their own.
const NAMED: [(&str, &str); 5] = [
    ("0.77", "kayles(n)"),
    ("0.137", "dawsons_chess(n)"),
    ("0.07", "dawsons_kayles(n)"),
    ("0.007", "treblecross(n)"),
    ("0.6", "officers(n)"),
];

/// The well-known games with the values `values` of the heaps from `first` on, the first few, those with names
/// first. The game with the rules `own` is no finding.
///
/// # Complexity
/// Some 200 games of at most 512 values each.
///
/// ```
/// use grundy::known_games::lookalikes;
/// use grundy::heap::{Code, HeapRules, Sequence};
/// use grundy::{Limits, theory::NormalPlay};
/// let rules = HeapRules::TakeAndBreak(Code::parse("0.4").unwrap());
/// let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
/// sequence.compute(100, &Limits::default())?;
/// let found = lookalikes(0, &sequence.values().iter().collect::<Vec<_>>(), Some(&rules));
/// assert_eq!((found[0].family.as_str(), found[0].shift), ("dawsons_chess(n)", -2));
/// assert_eq!((found[1].family.as_str(), found[1].shift), ("dawsons_kayles(n)", -1));
/// # Ok::<(), grundy::Stop>(())
/// ```
#[must_use]
pub fn lookalikes(first: u64, values: &[u64], own: Option<&HeapRules>) -> Vec<Lookalike> {
    const SHOWN: usize = 3;
    let values = &values[..values.len().min(COMPARED)];
    if values.len() < LEAST || values.iter().all(|value| *value == values[0]) {
        return Vec::new();
    }
    let known = table(first as usize + values.len());
    let mut found = Vec::new();
    // Games with names of their own first, then the rest without a shift.
    let (named, others) = known.split_at(
        known
            .iter()
            .position(|game| game.0.contains('['))
            .unwrap_or(0),
    );
    let shifted = |game| [0i64, -1, 1, -2, 2].map(|shift| (game, shift));
    let candidates = named
        .iter()
        .flat_map(shifted)
        .chain(others.iter().map(|game| (game, 0)));
    for ((family, rules, other), shift) in candidates {
        let agrees = || {
            let pairs = (first..).zip(values).filter_map(|(n, value)| {
                let n = usize::try_from(n.checked_add_signed(shift)?).ok()?;
                Some((value, other.get(n)?))
            });
            let mut compared = 0;
            let same = pairs.inspect(|_| compared += 1).all(|(a, b)| a == b);
            same && compared >= LEAST
        };
        let itself = shift == 0 && rules.as_ref() == own && own.is_some();
        let again = found.iter().any(|game: &Lookalike| game.family == *family);
        if found.len() < SHOWN && !itself && !again && agrees() {
            found.push(Lookalike {
                family: family.clone(),
                shift,
            });
        }
    }
    found
}

/// The games with their values, best known first: where two games have the same rules, the first name stays.
fn table(count: usize) -> Vec<(String, Option<HeapRules>, Vec<u64>)> {
    let count = count.min(2 * COMPARED) + 2;
    let numbers = 0..count as u64;
    let mut known: Vec<(String, Option<HeapRules>, Vec<u64>)> = vec![
        ("nim(n)".to_owned(), None, numbers.clone().collect()),
        (
            "at_least_half(n)".to_owned(),
            None,
            numbers.map(|n| u64::from(64 - n.leading_zeros())).collect(),
        ),
    ];
    let mut add = |family: String, rules: HeapRules| {
        if known
            .iter()
            .any(|(_, other, _)| other.as_ref() == Some(&rules))
        {
            return;
        }
        let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
        if sequence.compute(count as u64, &Limits::default()).is_ok() {
            known.push((
                family,
                Some(rules),
                sequence.values().iter().take(count).collect(),
            ));
        }
    };
    let code = |text: &str| HeapRules::TakeAndBreak(Code::parse(text).expect("an octal code"));
    for (text, family) in NAMED {
        add(family.to_owned(), code(text));
    }
    add("grundys_game(n)".to_owned(), HeapRules::UnequalSplit);
    for (set, name) in NAMES {
        let rules = HeapRules::Subtraction(TakeSet::Named(set));
        add(format!("subtraction(\"{name}\", n)"), rules);
    }
    for bits in 1u32..64 {
        let set: Vec<u64> = (1..=6).filter(|k| bits >> (k - 1) & 1 == 1).collect();
        let rules = HeapRules::Subtraction(TakeSet::Finite(set.clone()));
        add(format!("subtraction({set:?}, n)"), rules);
    }
    for digits in 1..64u32 {
        let text = format!("0.{}{}", digits / 8, digits % 8);
        let text = text.trim_end_matches('0');
        add(format!("take_and_break(\"{text}\", n)"), code(text));
    }
    known
}
