//! Konane: `konane(board)`.
//!
//! Rules. The board is a list of strings: `x` is a stone of Left and `o` a stone of Right. A `.` is
//! a free square and a `#` a square out of play. A stone jumps over an orthogonally adjacent stone
//! of the opponent onto the free square behind it. The stone that is jumped over is removed. The
//! jumping stone may continue in the same direction over further stones, each with a free square
//! behind it, and may stop after any jump. A player who cannot move loses. In the traditional game
//! two stones are removed before the first jump. In this program the given board is the position
//! after this removal (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982; M. D. Ernst,
//! Playing Konane mathematically, The UMAP Journal 16 (1995), 95-121).
//!
//! Components. No jump crosses or reaches a square out of play, so the connected regions of the
//! other squares form a sum. Regions without a jump are dropped.
//!
//! Bounds. Every jump removes a stone of the opponent, so a player has at most as many moves ahead
//! as the opponent has stones.
//!
//! No general formula is known: outcomes and values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::grid::{ORTHOGONAL, Symmetries};
use crate::kit::stones::{BLOCKED, FREE, STONES, Stones, has_moves};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of Konane. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Konane;

/// Reads `konane(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `x`, `o`, `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::konane};
/// // Either player has one jump.
/// let rows = vec![Argument::Text(".xo.".to_owned())];
/// let items = [(None, Argument::List(rows))];
/// let position = Position::from(konane::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    Ok(Term::new(Konane, vec![board]).into())
}

impl Ruleset for Konane {
    type Part = Stones;

    fn name(&self) -> &'static str {
        "konane"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Stones> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Stones) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, board: &Stones, visit: Visit<'_, Stones>) -> Flow {
        let (own, other) = (player.of(STONES), player.other().of(STONES));
        for from in board.squares_with(own) {
            for &direction in ORTHOGONAL {
                let (mut after, mut current) = (None::<Stones>, from);
                while let Some(over) = board.step(current, direction)
                    && board.letters()[over] == other
                    && let Some(to) = board.step(over, direction)
                    && board.letters()[to] == FREE
                {
                    // Most stones cannot jump in most directions, so the board is copied only for
                    // actual jumps.
                    let before = after.as_ref().unwrap_or(board);
                    let jumped = before.with([(current, FREE), (over, FREE), (to, own)]);
                    visit(std::slice::from_ref(&jumped), &|| {
                        board.move_on_squares("jump_over", [from, to])
                    })?;
                    (after, current) = (Some(jumped), to);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let square = |letter| letter != BLOCKED;
        board.components(
            square,
            ORTHOGONAL,
            BLOCKED,
            Symmetries::Eight,
            &mut |region| {
                if has_moves(self, &region) {
                    visit(region);
                }
            },
        );
    }

    fn write(&self, boards: &[Stones]) -> String {
        boards.iter().map(|board| board.write("konane")).collect()
    }
}

impl Bounds<Stones> for Konane {
    fn bounds(&self, region: &Stones) -> Option<[i64; 2]> {
        let [left, right] = STONES.map(|stone| region.count(stone));
        Some([-left, right])
    }
}

impl Negation<Stones> for Konane {
    fn negative(&self, region: &Stones) -> Option<Stones> {
        Some(region.exchanged())
    }
}

impl Pictures<Stones> for Konane {
    fn picture(&self, boards: &[Stones]) -> Picture {
        Stones::picture(boards)
    }
}
