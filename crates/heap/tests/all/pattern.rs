//! Patterns: each is found in the values of its definition, and none in random values.

use grundy_base::Outcome;
use grundy_heap::pattern::{
    Finding, Floor, Form, NumberSet, floor, in_outcomes, in_sequence, in_table, period,
};

/// A generator of pseudo-random numbers (G. Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

fn outcomes(range: std::ops::Range<u64>, is_lost: impl Fn(u64) -> bool) -> Vec<Outcome> {
    range.map(|n| Outcome::from_win(!is_lost(n))).collect()
}

/// Finds the number of trailing zeros by division.
fn zeros(mut n: u64) -> u64 {
    let mut count = 0;
    while n.is_multiple_of(2) {
        n /= 2;
        count += 1;
    }
    count
}

#[test]
fn floors_of_linear_functions_are_found() {
    for first in [0u64, 1, 7, 100] {
        for (a, c) in [(1u64, 2u64), (1, 3), (2, 3), (3, 4), (1, 5), (2, 5), (5, 3)] {
            for b in 0..c {
                let values: Vec<u64> = (first..first + 60).map(|n| (a * n + b) / c).collect();
                let expected = Floor {
                    multiplier: a,
                    addend: b as i64,
                    divisor: c,
                };
                let expected = Finding::Floor {
                    floor: expected,
                    from: first,
                };
                assert_eq!(
                    in_sequence(first, &values),
                    [expected],
                    "{a} {b} {c} {first}"
                );
            }
        }
    }
}

#[test]
fn a_floor_may_begin_after_exceptions() {
    // floor((n - 3) / 2) for n >= 3, and 9 before.
    let value = |n: u64| if n < 3 { 9 } else { (n - 3) / 2 };
    let values: Vec<u64> = (0..40).map(value).collect();
    let expected = Floor {
        multiplier: 1,
        addend: -3,
        divisor: 2,
    };
    let found = in_sequence(0, &values);
    assert_eq!(
        found,
        [Finding::Floor {
            floor: expected,
            from: 3
        }]
    );
    assert_eq!(expected.to_string(), "floor((n - 3) / 2)");
    // A period of 2 with saltus 2 that is no floor: 1, 0, 3, 2, 5, 4, ...
    let swapped: Vec<u64> = (0..40).map(|n| n ^ 1).collect();
    let expected = Finding::Period {
        preperiod: 0,
        period: 2,
        saltus: 2,
    };
    assert_eq!(in_sequence(0, &swapped), std::slice::from_ref(&expected));
    assert_eq!(floor(0, &swapped, &expected), None);
}

#[test]
fn the_text_of_a_floor_is_its_value() {
    let text = |multiplier, addend, divisor| {
        let floor = Floor {
            multiplier,
            addend,
            divisor,
        };
        floor.to_string()
    };
    assert_eq!(text(1, 0, 2), "floor(n / 2)");
    assert_eq!(text(3, 2, 4), "floor((3n + 2) / 4)");
    assert_eq!(text(1, 1, 1), "n + 1");
    assert_eq!(text(2, 0, 1), "2n");
    assert_eq!(text(0, 5, 1), "5");
}

#[test]
fn logarithms_roots_and_trailing_zeros_are_found() {
    // Each value is found by counting, not by the functions of the search.
    let log = |n: u64| (1..64).take_while(|&k| 1u64 << k <= n).count() as u64;
    let root = |n: u64| (1..=n).take_while(|&k| k * k <= n).count() as u64;
    for first in [0u64, 1, 5] {
        let range = first..first + 90;
        let values: Vec<u64> = range.clone().map(|n| log(n) + 4).collect();
        let from = first.max(1);
        // At 0 the logarithm is not defined, and the value of `log` is 0.
        assert_eq!(
            in_sequence(first, &values),
            [Finding::Logarithm { plus: 4, from }]
        );
        let values: Vec<u64> = range.clone().map(|n| root(n) + 2).collect();
        let expected = Finding::SquareRoot {
            plus: 2,
            from: first,
        };
        assert_eq!(in_sequence(first, &values), [expected]);
        let values: Vec<u64> = range.clone().map(|n| zeros(n + 1)).collect();
        let expected = Finding::TrailingZeros {
            shift: 1,
            plus: 0,
            from: first,
        };
        assert_eq!(in_sequence(first, &values), [expected]);
        let values: Vec<u64> = range
            .map(|n| if n == 0 { 7 } else { zeros(n) + 1 })
            .collect();
        let expected = Finding::TrailingZeros {
            shift: 0,
            plus: 1,
            from,
        };
        assert_eq!(in_sequence(first, &values), [expected]);
    }
    // The number of binary digits is floor(log2(n)) + 1; only one of them is stated.
    let digits: Vec<u64> = (1..60).map(|n| log(n) + 1).collect();
    assert_eq!(in_sequence(1, &digits), [Finding::BinaryDigits]);
}

/// Returns the elements of a set below `most`, by its definition.
fn elements(set: NumberSet, most: u64) -> Vec<u64> {
    let wythoff = || {
        // The pairs by the definition of Wythoff: the least unused number, and k more.
        let mut pairs: Vec<(u64, u64)> = Vec::new();
        for k in 1..most {
            let used = |n: u64| pairs.iter().any(|&(a, b)| a == n || b == n);
            let a = (1..).find(|&n| !used(n)).unwrap();
            if a >= most {
                break;
            }
            pairs.push((a, a + k));
        }
        pairs
    };
    let all: Vec<u64> = match set {
        NumberSet::Squares => (0..most).map(|k| k * k).collect(),
        NumberSet::Triangular => (0..most).map(|k| (0..=k).sum()).collect(),
        NumberSet::Fibonacci => {
            let mut all = vec![0, 1];
            while all[all.len() - 1] < most {
                all.push(all[all.len() - 1] + all[all.len() - 2]);
            }
            all
        }
        NumberSet::Powers { base } => (0..10).map(|k| base.pow(k)).collect(),
        NumberSet::PowersMinusOne { base } => (0..10).map(|k| base.pow(k) - 1).collect(),
        NumberSet::EvenTrailingZeros => (1..most).filter(|&n| zeros(n).is_multiple_of(2)).collect(),
        NumberSet::OddTrailingZeros => (1..most).filter(|&n| !zeros(n).is_multiple_of(2)).collect(),
        NumberSet::LowerWythoff => wythoff().into_iter().map(|(a, _)| a).collect(),
        NumberSet::UpperWythoff => wythoff().into_iter().map(|(_, b)| b).collect(),
        _ => Vec::new(),
    };
    all.into_iter().filter(|&n| n < most).collect()
}

#[test]
fn sets_of_p_positions_are_found() {
    for set in [
        NumberSet::Squares,
        NumberSet::Triangular,
        NumberSet::Fibonacci,
        NumberSet::Powers { base: 2 },
        NumberSet::Powers { base: 3 },
        NumberSet::PowersMinusOne { base: 2 },
        NumberSet::PowersMinusOne { base: 3 },
        NumberSet::EvenTrailingZeros,
        NumberSet::OddTrailingZeros,
        NumberSet::LowerWythoff,
        NumberSet::UpperWythoff,
    ] {
        let all = elements(set, 300);
        for n in 0..300 {
            assert_eq!(set.contains(n), all.contains(&n), "{set:?} {n}");
        }
        for first in [0, 1, 3] {
            let lost = outcomes(first..300, |n| all.contains(&n));
            let expected = Finding::Set { set, from: first };
            assert_eq!(
                in_outcomes(first, &lost),
                [expected],
                "{set:?} from {first}"
            );
            // Another outcome at the beginning is an exception.
            let lost = outcomes(first..300, |n| all.contains(&n) != (n == first));
            let from = first + 1;
            assert_eq!(
                in_outcomes(first, &lost),
                [Finding::Set { set, from }],
                "{set:?}"
            );
        }
        // One exception in the middle refutes the pattern.
        let lost = outcomes(0..300, |n| all.contains(&n) != (n == 150));
        assert_eq!(in_outcomes(0, &lost), [], "{set:?}");
        // A few positions are no evidence.
        let lost = outcomes(0..9, |n| all.contains(&n));
        let few = in_outcomes(0, &lost);
        assert!(
            !few.iter().any(|found| matches!(found, Finding::Set { .. })),
            "{few:?}"
        );
    }
}

#[test]
fn random_values_have_no_pattern() {
    let mut random = Random(88_172_645_463_325_252);
    for round in 0..400 {
        let length = 20 + random.below(100) as usize;
        let (first, bound) = (random.below(30), 2 + random.below(6));
        let values: Vec<u64> = (0..length).map(|_| random.below(bound)).collect();
        assert_eq!(in_sequence(first, &values), [], "{round}: {values:?}");
        let rare = 2 + random.below(4);
        let lost: Vec<Outcome> = (0..length)
            .map(|_| Outcome::from_win(random.below(rare) > 0))
            .collect();
        let found = in_outcomes(first, &lost);
        // Many positions that are not lost in a row can look like an end of all P-positions.
        let tail = |found: &Finding| matches!(found, Finding::Residues { modulus: 1, .. });
        assert!(found.iter().all(tail), "{round}: {found:?} {lost:?}");
    }
}

#[test]
fn constant_values_have_only_their_constant() {
    for (first, value, length) in [(0u64, 0u64, 30usize), (1, 3, 40), (9, 1, 200)] {
        let constant = Finding::Floor {
            floor: Floor {
                multiplier: 0,
                addend: value as i64,
                divisor: 1,
            },
            from: first,
        };
        assert_eq!(in_sequence(first, &vec![value; length]), [constant]);
        for is_lost in [false, true] {
            let lost = vec![Outcome::from_win(!is_lost); length];
            let expected = Finding::Residues {
                modulus: 1,
                remainders: if is_lost { vec![0] } else { vec![] },
                from: first,
            };
            assert_eq!(in_outcomes(first, &lost), [expected]);
        }
    }
    for length in 0..8 {
        assert_eq!(in_sequence(0, &vec![0; length]), []);
        assert_eq!(in_outcomes(0, &vec![Outcome::P; length]), []);
        assert_eq!(period(0, &vec![5; length]), None);
    }
}

type Rows = Vec<Vec<Option<(Outcome, Option<u64>)>>>;

/// Returns a table of size by size positions from (a, b) with the given values.
fn table(first: (u64, u64), size: u64, value: impl Fn(u64, u64) -> u64) -> Rows {
    let cell = |a, b| Some((Outcome::from_win(value(a, b) != 0), Some(value(a, b))));
    let row = |a| (first.1..first.1 + size).map(|b| cell(a, b)).collect();
    (first.0..first.0 + size).map(row).collect()
}

/// Removes the values from a table.
fn without_values(rows: Rows) -> Rows {
    let cell = |cell: Option<(Outcome, Option<u64>)>| cell.map(|(outcome, _)| (outcome, None));
    rows.into_iter()
        .map(|row| row.into_iter().map(cell).collect())
        .collect()
}

#[test]
fn remainders_decide_tables() {
    for first in [(0, 0), (1, 1), (3, 5)] {
        let rows = table(first, 15, |a, b| (a % 3) ^ (b % 3));
        let nim_sum = Finding::NimSumOfRemainders { row: 3, column: 3 };
        let difference = Finding::FormResidues {
            form: Form::Difference,
            modulus: 3,
            remainders: vec![0],
        };
        assert_eq!(in_table(first, &rows), [nim_sum, difference.clone()]);
        assert_eq!(in_table(first, &without_values(rows)), [difference]);
        let rows = table(first, 15, |a, b| (a % 2) ^ (b % 4));
        let nim_sum = Finding::NimSumOfRemainders { row: 2, column: 4 };
        assert_eq!(in_table(first, &rows)[0], nim_sum);
        // Both numbers are even.
        let even = table(first, 12, |a, b| u64::from(a % 2 + b % 2 > 0));
        let pairs = Finding::PairResidues {
            modulus: 2,
            pairs: vec![(0, 0)],
        };
        assert_eq!(in_table(first, &without_values(even)), [pairs]);
        let sum = table(first, 20, |a, b| (a + b) % 5);
        let expected = Finding::FormResidues {
            form: Form::Sum,
            modulus: 5,
            remainders: vec![0],
        };
        assert_eq!(in_table(first, &without_values(sum)), [expected]);
        let row = table(first, 20, |a, _| a % 4);
        let expected = Finding::FormResidues {
            form: Form::Row,
            modulus: 4,
            remainders: vec![0],
        };
        assert_eq!(in_table(first, &without_values(row)), [expected]);
    }
}

#[test]
fn constant_and_small_tables_have_no_remainders() {
    let rows = table((2, 2), 9, |_, _| 3);
    let none = Finding::FormResidues {
        form: Form::Sum,
        modulus: 1,
        remainders: vec![],
    };
    let constant = Finding::ConstantTable { value: 3 };
    assert_eq!(in_table((2, 2), &rows), [constant, none]);
    // Three rows and columns are no evidence, and five are none for a modulus of 2.
    assert_eq!(in_table((0, 0), &table((0, 0), 3, |a, b| a ^ b)), []);
    assert_eq!(
        in_table(
            (0, 0),
            &without_values(table((0, 0), 5, |a, b| (a + b) % 2))
        ),
        []
    );
}

#[test]
fn random_tables_have_no_pattern() {
    let mut random = Random(2_463_534_242);
    for _ in 0..200 {
        let size = 6 + random.below(20);
        let bound = 2 + random.below(4);
        let mut cell = || {
            let value = random.below(bound);
            Some((Outcome::from_win(value != 0), Some(value)))
        };
        let rows: Rows = (0..size)
            .map(|_| (0..size).map(|_| cell()).collect())
            .collect();
        assert_eq!(in_table((0, 0), &rows), []);
    }
}

/// Searches tables that end at the largest number.
#[test]
fn tables_up_to_the_largest_number_are_searched() {
    let first = u64::MAX - 31;
    let values: Vec<u64> = (0..32).map(|i| first + i).collect();
    assert_eq!(in_sequence(first, &values), [Finding::Nim]);
    let lost: Vec<Outcome> = (0..32).map(|i| Outcome::from_win(i % 2 == 0)).collect();
    let odd = Finding::Residues {
        modulus: 2,
        remainders: vec![1],
        from: first,
    };
    assert_eq!(in_outcomes(first, &lost), [odd]);
    assert_eq!(in_outcomes(first, &[Outcome::N; 32]).len(), 1);
    let irregular: Vec<Outcome> = (0..32)
        .map(|i| Outcome::from_win(i * i % 31 != 4))
        .collect();
    assert_eq!(in_outcomes(first, &irregular), []);
    let corner = u64::MAX - 8;
    let cell = |i, j| Some((Outcome::N, Some((corner + i) ^ (corner + j))));
    let rows: Rows = (0..9)
        .map(|i| (0..9).map(|j| cell(i, j)).collect())
        .collect();
    assert!(in_table((corner, corner), &rows).contains(&Finding::NimSum));
}
