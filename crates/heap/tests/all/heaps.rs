//! Tests of heap sequences: every method against the definition, and published periods against
//! proofs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use grundy_base::Limits;
use grundy_heap::algebra::{Misere, NormalPlay, TamePlay};
use grundy_heap::take_set::NAMES;
use grundy_heap::{Code, HeapAlgebra, HeapRules, Sequence, TakeSet};
use proptest::prelude::*;

/// Returns the Grundy values of the heaps below `count` by the definition. Unlike the library, it
/// stores the reached values of each heap in a set, and uses no sparse spaces.
fn by_definition(rules: &HeapRules, count: u64) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for n in 0..count {
        let mut set = BTreeSet::new();
        let _ = rules.options(n, &mut |heaps| {
            set.insert(
                heaps
                    .iter()
                    .fold(0, |sum, &heap| sum ^ values[heap as usize]),
            );
            ControlFlow::Continue(())
        });
        values.push((0..).find(|n| !set.contains(n)).unwrap());
    }
    values
}

fn computed<T: HeapAlgebra>(rules: &HeapRules, count: u64) -> Vec<T::Value> {
    let mut sequence = Sequence::<T>::new(rules.clone());
    (0..count)
        .map(|n| sequence.value(n, &Limits::default()).unwrap())
        .collect()
}

fn agree(rules: &HeapRules, count: u64) {
    let expected = by_definition(rules, count);
    assert_eq!(computed::<NormalPlay>(rules, count), expected, "{rules:?}");
    for (tame, value) in computed::<TamePlay>(rules, count).into_iter().zip(expected) {
        // A tame value contains the normal value, which the definition gives.
        if let Misere::Tame { grundy, .. } = tame {
            assert_eq!(grundy, value, "{rules:?}");
        }
    }
}

fn code(text: &str) -> HeapRules {
    HeapRules::TakeAndBreak(Code::parse(text).unwrap())
}

#[test]
fn all_octal_codes_of_two_digits_follow_the_definition() {
    for first in ["0", "4"] {
        for digits in 0..64 {
            agree(&code(&format!("{first}.{digits:02o}")), 150);
        }
    }
}

#[test]
fn hexadecimal_codes_follow_the_definition() {
    // Codes with a digit that splits into three, alone and with all other moves.
    for text in ["0.8", "0.f", "8.0", "0.9b", "c.1", "0.08", "0.3f"] {
        agree(&code(text), 60);
    }
}

#[test]
fn named_sets_and_grundys_game_follow_the_definition() {
    for (set, _) in NAMES {
        agree(&HeapRules::Subtraction(TakeSet::Named(set)), 300);
    }
    agree(&HeapRules::UnequalSplit, 300);
}

proptest! {
    #[test]
    fn subtraction_and_all_but_games_follow_the_definition(set in prop::collection::btree_set(1u64..24, 1..6)) {
        let set: Vec<u64> = set.into_iter().collect();
        // Far enough that some values come from proved periods.
        for rules in [HeapRules::Subtraction(TakeSet::Finite(set.clone())), HeapRules::AllBut(set)] {
            let expected = by_definition(&rules, 1500);
            prop_assert_eq!(computed::<NormalPlay>(&rules, 1500), expected);
        }
    }

    #[test]
    fn random_codes_follow_the_definition(digits in prop::collection::vec(0u8..8, 1..6)) {
        let text: String = digits.iter().map(u8::to_string).collect();
        agree(&code(&format!("0.{text}")), 120);
    }
}

#[test]
fn published_octal_periods_are_proved() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/octal-periods.tsv"
    );
    let table = std::fs::read_to_string(path).unwrap();
    let mut proved = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (preperiod, period): (u64, u64) =
            (columns[1].parse().unwrap(), columns[2].parse().unwrap());
        // Longer preperiods would take too long in a debug build.
        if preperiod > 10_000 {
            continue;
        }
        let mut sequence = Sequence::<NormalPlay>::new(code(columns[0]));
        while sequence.period().is_none() {
            sequence.try_to_prove(&Limits::default()).unwrap();
        }
        let found = sequence.period().unwrap();
        // Some published tables count heaps from 1, so their preperiods are at least 1.
        assert_eq!(
            (found.preperiod.max(1), found.period),
            (preperiod, period),
            "{}",
            columns[0]
        );
        let largest = sequence.values().iter().max().unwrap();
        assert_eq!(largest.to_string(), columns[3], "{}", columns[0]);
        proved += 1;
    }
    assert!(proved >= 40, "{proved}");
}

#[test]
fn proved_periods_hold_beyond_the_checked_range() {
    for rules in [
        code("0.77"),
        code("0.137"),
        HeapRules::AllBut(vec![1, 4, 6]),
    ] {
        let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
        let last = sequence.value(5000, &Limits::default()).unwrap();
        // The value must come from the period, not from the recurrence.
        assert!(sequence.values().len() < 5000);
        assert_eq!(by_definition(&rules, 5001)[5000], last);
    }
}
