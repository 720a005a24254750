//! What the graphical solution shows, measured on a scale from the least entry to the greatest.

use grundy_draw::mixture::{BestMixture, Envelope, Line, Mixture};
use grundy_matrix::BigRational;
use num_traits::{ToPrimitive as _, Zero as _};

use super::digits::short;
use super::{SolvedMatrix, words};

/// The picture of a game with two rows, or else two columns.
pub(super) fn svg(solved: &SolvedMatrix) -> String {
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
    // Exact until the last step, so that entries of any size find their place.
    let place = |number: &BigRational| {
        let spread = &most - &least;
        if spread.is_zero() {
            return 0.5;
        }
        ((number - &least) / spread).to_f64().unwrap_or(0.5)
    };
    let (own, other) = if by_rows {
        ("row", "column")
    } else {
        ("column", "row")
    };
    let lines = (0..count)
        .map(|k| Line {
            name: format!("{other} {k}"),
            ends: [0, 1].map(|end| {
                let entry = entry(k, end);
                (place(&entry), short(&entry))
            }),
        })
        .collect();
    let weight = &solved.fractions[usize::from(!by_rows)][1];
    let value = &solved.solution.value;
    grundy_draw::mixture::mixture(&Mixture {
        title: words::title(game),
        ends: [0, 1].map(|end| format!("{own} {end}")),
        lines,
        envelope: if by_rows {
            Envelope::Lower
        } else {
            Envelope::Upper
        },
        best: BestMixture {
            weight: weight.to_f64().unwrap_or(0.5),
            height: place(value),
            text: format!(
                "{own} 1 with probability {}: value {}",
                short(weight),
                short(value)
            ),
        },
    })
}
