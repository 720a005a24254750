//! Published results on Clobber: the outcomes of rectangles full of stones, and comparisons of
//! strips with multiples of the game up (↑). A comparison solves the sum of the strip and the
//! negative of the multiple.
//!
//! M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, INTEGERS
//! 5(2) (2005), A1; T. Folkersen, M. Müller and H. Du, MCGS, for the larger rectangles.

use std::sync::Arc;
use std::time::Instant;

use grundy_core::argument::Argument;
use grundy_core::position::AnyTerm;
use grundy_core::solve::Detail;
use grundy_core::{Limits, OutcomeClass, Play, Position, Solver, registry};

fn term(name: &str, argument: Argument) -> Arc<dyn AnyTerm> {
    registry::construct(name, &[(None, argument)]).unwrap()
}

/// Returns a single row of stones.
fn strip(stones: &str) -> Arc<dyn AnyTerm> {
    term(
        "clobber",
        Argument::List(vec![Argument::Text(stones.to_owned())]),
    )
}

fn literal(text: &str) -> Arc<dyn AnyTerm> {
    term("literal", Argument::Text(text.to_owned()))
}

/// Returns a board full of stones in a checkerboard pattern.
fn rectangle(rows: usize, columns: usize) -> Arc<dyn AnyTerm> {
    let row = |row: usize| {
        let stone = |column: usize| ['x', 'o'][(row + column) % 2];
        Argument::Text((0..columns).map(stone).collect())
    };
    term("clobber", Argument::List((0..rows).map(row).collect()))
}

fn class(terms: Vec<Arc<dyn AnyTerm>>) -> OutcomeClass {
    let position = Position::sum(terms).unwrap();
    let solution =
        Solver::default().answer(&position, Play::Normal, Detail::Outcome, &Limits::none());
    solution.unwrap().class()
}

/// Checks the computed outcomes of Clobber rectangles against the known outcomes, which are N or P.
fn rectangles(known: impl IntoIterator<Item = (usize, usize, OutcomeClass)>) {
    for (rows, columns, right) in known {
        let begun = Instant::now();
        assert_eq!(
            class(vec![rectangle(rows, columns)]),
            right,
            "{rows} by {columns}"
        );
        println!(
            "{rows} by {columns}: {right}, {:.2} s",
            begun.elapsed().as_secs_f64()
        );
    }
}

/// Returns a Clobber rectangle of two rows with its outcome, which is P if and only if 3 divides
/// the number of columns.
fn two_rows(columns: usize) -> (usize, usize, OutcomeClass) {
    let class = if columns.is_multiple_of(3) {
        OutcomeClass::P
    } else {
        OutcomeClass::N
    };
    (2, columns, class)
}

/// Returns a Clobber rectangle of three rows with its outcome, which is P if and only if the number
/// of columns is even.
fn three_rows(columns: usize) -> (usize, usize, OutcomeClass) {
    let class = if columns.is_multiple_of(2) {
        OutcomeClass::P
    } else {
        OutcomeClass::N
    };
    (3, columns, class)
}

#[test]
fn rectangles_are_won_as_published() {
    rectangles((1..=9).map(two_rows));
    rectangles((1..=5).map(three_rows));
    rectangles([(4, 4, OutcomeClass::N)]);
}

// The following command prints the time of each rectangle:
// `cargo test -p grundy-core --release --test all -- clobber:: --ignored --nocapture`
#[test]
#[ignore = "minutes in release builds"]
fn two_long_rows_are_won_as_published() {
    rectangles((10..=17).map(two_rows));
}

#[test]
#[ignore = "minutes in release builds"]
fn three_long_rows_are_won_as_published() {
    rectangles((6..=10).map(three_rows));
}

#[test]
#[ignore = "minutes in release builds"]
fn wide_rectangles_are_won_as_published() {
    rectangles([
        (4, 5, OutcomeClass::N),
        (4, 6, OutcomeClass::P),
        (4, 7, OutcomeClass::N),
        (5, 5, OutcomeClass::P),
        (5, 6, OutcomeClass::P),
    ]);
}

// (xo)^n is an N-position, except for n = 3.
#[test]
fn alternating_strips_are_n_positions() {
    for n in 1..=16 {
        let right = if n == 3 {
            OutcomeClass::P
        } else {
            OutcomeClass::N
        };
        assert_eq!(class(vec![strip(&"xo".repeat(n))]), right, "(xo)^{n}");
    }
}

// For 5 < n < 15: v < (xo)^n < ^.
#[test]
fn alternating_strips_lie_between_down_and_up() {
    for n in 6..15 {
        let strip = || strip(&"xo".repeat(n));
        // G > v is equivalent to G + ^ > 0, an outcome L; G < ^ is equivalent to G + v < 0, an
        // outcome R.
        assert_eq!(
            class(vec![strip(), literal("^")]),
            OutcomeClass::L,
            "(xo)^{n} > v"
        );
        assert_eq!(
            class(vec![strip(), literal("v")]),
            OutcomeClass::R,
            "(xo)^{n} < ^"
        );
    }
    // (xo)^3 is 0, and shorter strips are confused with ^ or v.
    assert_eq!(class(vec![strip("xo"), literal("^")]), OutcomeClass::N);
}

// (xxo)^n equals ⌊(n + 1) / 2⌋ copies of ^.
#[test]
fn strips_of_two_against_one_are_ups() {
    for n in 1..=8usize {
        let with_downs = |downs: usize| {
            let downs = vec![literal("v"); downs];
            class([vec![strip(&"xxo".repeat(n))], downs].concat())
        };
        // Equality with k ups is shown by the outcome P of the sum with k downs.
        let ups = n.div_ceil(2);
        assert_eq!(with_downs(ups), OutcomeClass::P, "(xxo)^{n}");
        assert_eq!(with_downs(ups + 1), OutcomeClass::R, "(xxo)^{n}");
    }
}
