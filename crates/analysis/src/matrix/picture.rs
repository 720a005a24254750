//! The picture of the graphical solution. Its scale extends from the least entry to the greatest.

use grundy_core::step::Step;
use grundy_draw::mixture::{BestMixture, Envelope, Line, Mixture};
use grundy_matrix::BigRational;
use grundy_wording::{Language, words};
use num_traits::{ToPrimitive as _, Zero as _};

use super::SolvedMatrix;
use super::digits::short;
use super::words::{self, Side};

/// Draws the graphical solution of a game with two rows or two columns. If the game has both, the
/// rows are drawn.
pub(super) fn svg(solved: &SolvedMatrix, language: Language) -> String {
    let game = &solved.game;
    let by_rows = game.rows() == 2;
    let entry = |k: usize, end: usize| {
        if by_rows {
            game.entry(end, k)
        } else {
            game.entry(k, end)
        }
    };
    let count = if by_rows { game.columns() } else { game.rows() };
    let all = || (0..count).flat_map(|k| [entry(k, 0), entry(k, 1)]);
    let least = all().min().expect("a game has entries");
    let most = all().max().expect("a game has entries");
    // The place is computed exactly and converted last. Hence huge entries and small differences
    // are drawn correctly.
    let place = |number: &BigRational| {
        let spread = &most - &least;
        // If all entries are equal, there is a single line in the middle.
        if spread.is_zero() {
            return 0.5;
        }
        ((number - &least) / spread).to_f64().unwrap_or(0.5)
    };
    // One player has two choices. Each choice of the other player is a line over the mixtures of
    // these two.
    let (own, other) = if by_rows {
        (Side::Row, Side::Column)
    } else {
        (Side::Column, Side::Row)
    };
    let lines = (0..count)
        .map(|k| Line {
            name: other.choice(solved, k, language),
            ends: [0, 1].map(|end| {
                let entry = entry(k, end);
                (place(&entry), short(&entry))
            }),
        })
        .collect();
    let weight = &solved.fractions[usize::from(!by_rows)][1];
    let value = &solved.solution.value;
    let best = Step::new("matrix_best")
        .with("choice", own.choice(solved, 1, language))
        .with("weight", short(weight))
        .with("value", short(value));
    let picture = Mixture {
        title: words::title(game, language),
        ends: [0, 1].map(|end| own.choice(solved, end, language)),
        lines,
        envelope: if by_rows {
            Envelope::Lower
        } else {
            Envelope::Upper
        },
        best: BestMixture {
            weight: weight.to_f64().unwrap_or(0.5),
            height: place(value),
            text: words(&best, language),
        },
    };
    grundy_draw::mixture::mixture(&picture, &|step| words(step, language))
}
