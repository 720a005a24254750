//! Well-known sequences of Grundy values. A game is recognized by its values.

use crate::algebra::NormalPlay;
use crate::take_set::NAMES;
use crate::{Code, HeapRules, Sequence, TakeSet};
use grundy_base::limits::Limits;

/// A well-known game that has the values of another game, possibly shifted by a number of chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualGame {
    /// The well-known game as a family, such as `kayles(n)`.
    pub family: String,
    /// The shift: a heap of n has the value of a heap of n + `shift` in the well-known game.
    pub shift: i64,
}

/// Largest number of values compared. Some games agree on many values: 0.161 and 0.36 first differ
/// at heap 519.
const MAX_COMPARED: usize = 4096;

/// Number of values that are compared first, before the rest is computed.
const FIRST_COMPARED: usize = 64;

/// Least number of equal values for which a game is reported.
const MIN_EQUAL: usize = 16;

/// The octal codes of games that have a name, with the family of each.
const NAMED: [(&str, &str); 5] = [
    ("0.77", "kayles(n)"),
    ("0.137", "dawsons_chess(n)"),
    ("0.07", "dawsons_kayles(n)"),
    ("0.007", "treblecross(n)"),
    ("0.6", "officers(n)"),
];

/// Returns at most three well-known games that agree with `values`, possibly after a shift.
/// `values` are the values of the heaps from `first` upward. Named games precede all others. The
/// game with the rules `own` is left out.
///
/// # Complexity
/// The first 64 values of some 200 games are compared. For games that agree, up to 4096 values are
/// compared.
///
/// ```
/// use grundy_heap::known_games::equal_games;
/// use grundy_heap::{Code, HeapRules, Sequence};
/// use grundy_base::Limits;
/// use grundy_heap::algebra::NormalPlay;
/// let rules = HeapRules::TakeAndBreak(Code::parse("0.4").unwrap());
/// let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
/// sequence.compute(100, &Limits::default())?;
/// let found = equal_games(0, &sequence.values().iter().collect::<Vec<_>>(), Some(&rules));
/// assert_eq!((found[0].family.as_str(), found[0].shift), ("dawsons_chess(n)", -2));
/// assert_eq!((found[1].family.as_str(), found[1].shift), ("dawsons_kayles(n)", -1));
/// # Ok::<(), grundy_base::Stop>(())
/// ```
#[must_use]
pub fn equal_games(first: u64, values: &[u64], own: Option<&HeapRules>) -> Vec<EqualGame> {
    const SHOWN: usize = 3;
    let values = &values[..values.len().min(MAX_COMPARED)];
    let needed = own.map_or(0, HeapRules::least_observed);
    if first + (values.len() as u64) < needed {
        return Vec::new();
    }
    // A constant sequence occurs in too many games to say anything.
    if values.len() < MIN_EQUAL || values.iter().all(|value| *value == values[0]) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut known = well_known_games();
    // First come the named games, each with all shifts, and then the other games without a shift.
    let named = known
        .iter()
        .position(|game| game.family.contains('['))
        .unwrap_or(0);
    let shifted = |index| [0i64, -1, 1, -2, 2].map(|shift| (index, shift));
    let candidates = (0..named)
        .flat_map(shifted)
        .chain((named..known.len()).map(|index| (index, 0)));
    for (index, shift) in candidates {
        let game = &mut known[index];
        let itself = own.is_some() && game.rules() == own;
        let duplicate = found
            .iter()
            .any(|other: &EqualGame| other.family == game.family);
        // All values up to `last` are computed in one call, since the engine is slow if it is
        // called for a few values.
        let mut agrees = |count: usize| {
            let values = &values[..values.len().min(count)];
            let last = (first + values.len() as u64).saturating_add_signed(shift);
            let mut compared = 0;
            let same = (first..).zip(values).all(|(n, value)| {
                let Some(n) = n.checked_add_signed(shift) else {
                    return true;
                };
                compared += 1;
                game.value(n, last) == Some(*value)
            });
            same && compared >= MIN_EQUAL
        };
        if found.len() < SHOWN
            && !itself
            && !duplicate
            && agrees(FIRST_COMPARED)
            && agrees(MAX_COMPARED)
        {
            found.push(EqualGame {
                family: game.family.clone(),
                shift,
            });
        }
    }
    found
}

/// A well-known game, with its values.
struct KnownGame {
    family: String,
    values: KnownValues,
}

enum KnownValues {
    Formula(fn(u64) -> u64),
    Computed(Box<Sequence<NormalPlay>>),
}

impl KnownGame {
    fn rules(&self) -> Option<&HeapRules> {
        match &self.values {
            KnownValues::Formula(_) => None,
            KnownValues::Computed(sequence) => Some(sequence.rules()),
        }
    }

    /// Returns the value of a heap of `n`. If it is not stored, computes all values up to `last`.
    fn value(&mut self, n: u64, last: u64) -> Option<u64> {
        match &mut self.values {
            KnownValues::Formula(formula) => Some(formula(n)),
            KnownValues::Computed(sequence) => {
                if n >= sequence.values().len() as u64 {
                    sequence.compute(last.max(n) + 1, &Limits::default()).ok()?;
                }
                sequence.get(n)
            }
        }
    }
}

/// Returns the well-known games, the best known first. If a game has two names, only the first is
/// listed.
fn well_known_games() -> Vec<KnownGame> {
    let formula = |family: &str, formula| KnownGame {
        family: family.to_owned(),
        values: KnownValues::Formula(formula),
    };
    let mut known = vec![
        formula("nim(n)", |n| n),
        formula("at_least_half(n)", |n| u64::from(64 - n.leading_zeros())),
    ];
    let mut add = |family: String, rules: HeapRules| {
        if known.iter().all(|game| game.rules() != Some(&rules)) {
            let values = KnownValues::Computed(Box::new(Sequence::new(rules)));
            known.push(KnownGame { family, values });
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
