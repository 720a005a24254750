//! Cutcake: `cutcake(rows, columns)`.
//!
//! Rules. A rectangular cake is marked in rows and columns. Left cuts one piece between two
//! columns, Right between two rows, along the whole line. Both new pieces stay in play. Whoever
//! cannot move loses (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 2). The
//! name of a move gives the sizes of the two new pieces: rows and columns of the first, then of the
//! second.
//!
//! Theorem (in the same chapter). Let 2^i be the largest power of 2 that is at most the number of
//! rows r. Let 2^j be the largest power of 2 that is at most the number of columns c. If j >= i,
//! the cake has value floor(c / 2^i) - 1. If i >= j, it has value 1 - floor(r / 2^j).
//!
//! Proof, by induction, for j >= i; the other case follows by exchanging the players. Write f(c)
//! for floor(c / 2^i), so that f(x) + f(y) <= f(x + y). A piece of r rows and x columns has value
//! f(x) - 1 if x >= 2^i. Otherwise f(x) = 0, and its value is at most -1 = f(x) - 1. So after a
//! move of Left the two pieces together have value at most f(c) - 2. If j > i, Left attains this
//! value by cutting off x = 2^i columns. A move of Right leaves a piece of at most r / 2 rows,
//! whose value is at least 2 f(c) - 1. The value of the other piece is at least f(c) - 1, so the
//! sum exceeds f(c) - 1. Hence f(c) - 1 is the simplest number between the options of Left and of
//! Right. It is the next integer after Left's best option if j > i, and 0 if j = i.

use std::cmp::Ordering;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use crate::argument::{Arguments, number};
use grundy_base::Diagnostic;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, EveryOption, Nature, Negation, Ruleset, Teaching, TextStyle, Theorem,
    Theorems, Visit, call,
};

/// The theorem on the values of cakes.
pub const POWERS: Theorem = Theorem {
    method: "powers of 2",
    name: "the values of Cutcake",
    statement: "if 2^i is the largest power of 2 that is at most the shorter side, the value is \
                floor(longer side / 2^i) - 1, for Left if there are more columns and for Right \
                if there are more rows",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 2",
};

/// The rules of Cutcake. A part is one piece.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Cutcake;

/// The numbers of rows and columns of a piece.
pub type Piece = [u64; 2];

/// Reads `cutcake(rows, columns)`.
///
/// # Errors
/// Anything but two positive numbers.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::cutcake};
/// let items = [2, 7].map(|side| (None, Argument::Int(side)));
/// let position = Position::from(cutcake::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((first, rows)), Some((second, columns))] = arguments.bind(["rows", "columns"], 2)?
    else {
        unreachable!("bind has seen to it that both are there");
    };
    let piece = [
        number(rows, &[first], 1, u64::MAX)?,
        number(columns, &[second], 1, u64::MAX)?,
    ];
    Ok(Term::new(Cutcake, vec![piece]).into())
}

/// Visits the cuts of `player` in which the size of the first new piece is in `lengths`. The size
/// is the number of columns for Left, and the number of rows for Right.
fn cuts(
    player: Player,
    piece: Piece,
    lengths: RangeInclusive<u64>,
    visit: Visit<'_, Piece>,
) -> Flow {
    let axis = player.of([1, 0]);
    for length in lengths {
        let mut left = [piece; 2];
        left[0][axis] = length;
        left[1][axis] = piece[axis] - length;
        visit(&left, &|| {
            let [[rows, columns], [rows2, columns2]] = left;
            let action = Step::new("cut_in_two")
                .with("rows", rows)
                .with("columns", columns)
                .with("rows2", rows2)
                .with("columns2", columns2);
            Move::new([rows, columns, rows2, columns2], action)
        })?;
    }
    ControlFlow::Continue(())
}

impl Ruleset for Cutcake {
    type Part = Piece;

    fn name(&self) -> &'static str {
        "cutcake"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Piece> {
        Capabilities {
            theorems: Some(self),
            negation: Some(self),
            every_option: Some(self),
            teaching: Some(self),
            text: TextStyle {
                sum: true,
                ..TextStyle::default()
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Piece) -> Nature {
        Nature::PARTIZAN
    }

    /// Visits the cuts in which the first new piece is not the larger one.
    ///
    /// Other cuts leave the same two pieces in the other order.
    fn options(&self, player: Player, _: usize, piece: &Piece, visit: Visit<'_, Piece>) -> Flow {
        cuts(player, *piece, 1..=piece[player.of([1, 0])] / 2, visit)
    }

    fn components(&self, piece: &Piece, visit: &mut dyn FnMut(Piece)) {
        // A single square cannot be cut.
        if *piece != [1, 1] {
            visit(*piece);
        }
    }

    fn write(&self, pieces: &[Piece]) -> String {
        if pieces.is_empty() {
            return "sum_of([])".to_owned();
        }
        let pieces = pieces.iter().map(|piece| call("cutcake", piece));
        pieces.collect::<Vec<_>>().join(" + ")
    }
}

impl Theorems<Piece> for Cutcake {
    fn number(&self, piece: &Piece) -> Option<ByTheorem<Dyadic>> {
        let [i, j] = piece.map(u64::ilog2);
        let [rows, columns] = piece.map(i128::from);
        let value = if j >= i {
            (columns >> i) - 1
        } else {
            1 - (rows >> j)
        };
        Some(ByTheorem {
            value: Dyadic::new(value, 0),
            theorem: &POWERS,
        })
    }
}

impl Negation<Piece> for Cutcake {
    fn negative(&self, &[rows, columns]: &Piece) -> Option<Piece> {
        Some([columns, rows])
    }
}

impl EveryOption<Piece> for Cutcake {
    fn every_option(
        &self,
        player: Player,
        _: usize,
        piece: &Piece,
        visit: Visit<'_, Piece>,
    ) -> Flow {
        cuts(player, *piece, 1..=piece[player.of([1, 0])] - 1, visit)
    }
}

impl Teaching<Piece> for Cutcake {
    fn theorem_application(&self, &[rows, columns]: &Piece, play: Play) -> Option<Step> {
        let [shorter, longer] = [rows.min(columns), rows.max(columns)];
        let power = 1 << shorter.ilog2();
        let code = match rows.cmp(&columns) {
            _ if play == Play::Misere => return None,
            Ordering::Less => "cake_of_left",
            Ordering::Equal => "cake_of_nobody",
            Ordering::Greater => "cake_of_right",
        };
        let step = Step::new(code)
            .with("shorter", shorter)
            .with("longer", longer);
        let step = step.with("power", power).with("quotient", longer / power);
        Some(step.with("moves", longer / power - 1))
    }
}
