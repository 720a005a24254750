//! Arithmetic and order of values, across arenas and threads.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::thread;

use grundy::prelude::*;

const GAMES: [&str; 12] = [
    "0", "1", "-3/4", "*", "*2", "^", "^*", "{1|*}", "{2|-1/2}", "+-1", "{3||2|1}", "{0|^*}",
];

fn values() -> Vec<Value> {
    GAMES.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn values_form_an_ordered_group() {
    let values = values();
    let zero = Value::zero();
    for a in &values {
        assert_eq!(a + &zero, *a);
        assert_eq!(a - a, zero);
        assert_eq!(-(-a), *a);
        assert_eq!(3 * a, a + a + a);
        assert_eq!(-2 * a, -(a + a));
        assert_eq!(a.to_string().parse::<Value>().as_ref(), Ok(a));
        for b in &values {
            assert_eq!(a + b, b + a);
            assert_eq!(a.partial_cmp(b), (a - b).partial_cmp(&zero), "{a} {b}");
            assert_eq!(a.partial_cmp(b).map(Ordering::reverse), b.partial_cmp(a));
            for c in &values {
                assert_eq!(&(a + b) + c, a + &(b + c));
            }
        }
    }
}

#[test]
fn the_order_agrees_with_the_outcome_of_the_difference() {
    for a in GAMES {
        for b in GAMES {
            let difference = games::literal(a).unwrap() - games::literal(b).unwrap();
            let outcome = difference.solve().unwrap().outcome();
            let (a, b): (Value, Value) = (a.parse().unwrap(), b.parse().unwrap());
            let expected = match a.partial_cmp(&b) {
                Some(Ordering::Equal) => Outcome::P,
                Some(Ordering::Greater) => Outcome::L,
                Some(Ordering::Less) => Outcome::R,
                None => Outcome::N,
            };
            assert_eq!(outcome, expected, "{a} {b}");
            assert_eq!((&a - &b).outcome(), expected);
        }
    }
}

#[test]
fn equal_values_of_different_arenas_have_equal_hashes() {
    let mut set: HashSet<Value> = values().into_iter().collect();
    assert_eq!(set.len(), GAMES.len());
    set.extend(values());
    assert_eq!(set.len(), GAMES.len());
    let mut solver = Solver::new();
    let board = solver
        .value(&games::domineering(["...", "..."]).unwrap())
        .unwrap();
    assert!(set.contains(&board));
}

#[test]
fn threads_add_values_of_two_arenas_in_both_orders() {
    let (a, b): (Value, Value) = ("{3||2|1}".parse().unwrap(), "{0|^*}".parse().unwrap());
    let expected = &a + &b;
    thread::scope(|scope| {
        for turn in 0..8 {
            let (a, b, expected) = (&a, &b, &expected);
            scope.spawn(move || {
                for _ in 0..200 {
                    let sum = if turn % 2 == 0 { a + b } else { b + a };
                    assert_eq!(&sum, expected);
                }
            });
        }
    });
}

#[test]
fn options_and_parts_of_a_value() {
    let value: Value = "{3||2|1}".parse().unwrap();
    let again = Value::of_options(value.options(Player::Left), value.options(Player::Right));
    assert_eq!(again, value);
    assert_eq!(Value::nimber(3).as_nimber(), Some(3));
    assert_eq!(
        Value::from(-7).number().map(|n| n.to_string()),
        Some("-7".into())
    );
    assert!("{1|".parse::<Value>().is_err());
    assert!("{".repeat(100_000).parse::<Value>().is_err());
    // 2^30 letters would be written in full, so the text is cut off.
    let mut doubled = Value::from(1);
    for _ in 0..30 {
        doubled = Value::of_options([doubled.clone()], [-&doubled]);
    }
    assert!(doubled.to_string().len() <= 16 << 20);
}

#[test]
fn misere_values_add_and_compare() {
    let value = |n: u64| games::nim([n]).misere_value().unwrap();
    assert_eq!(value(1) + value(1), value(0));
    assert_ne!(value(2) + value(2), value(0));
    assert_eq!(
        (value(2) + value(3)).to_string(),
        (value(3) + value(2)).to_string()
    );
    let pair = games::nim([2, 3]).misere_value().unwrap();
    assert_eq!(pair, value(2) + value(3));
    let set: HashSet<MisereValue> = [pair, value(2) + value(3)].into_iter().collect();
    assert_eq!(set.len(), 1);
}

#[test]
fn sums_and_assignments_agree_with_the_operators() {
    let values = values();
    let sum = values.iter().sum::<Value>();
    let mut assigned = Value::zero();
    for value in &values {
        assigned += value;
    }
    assert_eq!(sum, assigned);
    for value in values {
        assigned -= value;
    }
    assert_eq!(assigned, Value::zero());
}
