//! Amazons: `amazons(board)`.
//!
//! Rules. The board is a list of strings: `x` is an amazon of Left and `o` an amazon of Right. A
//! `.` is a free square and a `#` a burnt one. An amazon moves like a chess queen, any distance
//! along a row, a column or a diagonal over free squares. From its new square it shoots an arrow,
//! which travels in the same way and may cross or hit the square that the amazon left. The square
//! where the arrow lands is burnt for the rest of the game. A player who cannot move loses (W.
//! Zamkauskas 1988; E. R. Berlekamp, Sums of N x 2 Amazons, in: Game Theory, Optimal Stopping,
//! Probability and Statistics, 2000, 1-34).
//!
//! Components. Nothing moves over burnt squares. Hence the regions of the other squares, connected
//! along diagonals too, form a sum. Regions without a move are dropped.
//!
//! Bounds. Every move burns a free square. A player with an amazon in a region has at most as many
//! moves ahead as the region has free squares. A player without an amazon there has no moves.
//!
//! No general formula is known: outcomes and values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::grid::{ALL_DIRECTIONS, Symmetries};
use crate::kit::stones::{BLOCKED, FREE, STONES, Stones, has_moves};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of Amazons. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Amazons;

/// Reads `amazons(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `x`, `o`, `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::amazons};
/// let rows = vec![Argument::Text("x.o".to_owned())];
/// let items = [(None, Argument::List(rows))];
/// let position = Position::from(amazons::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    Ok(Term::new(Amazons, vec![board]).into())
}

/// Returns the squares that a chess queen on the square `from` reaches in one move.
fn queen_squares(board: &Stones, from: usize) -> impl Iterator<Item = usize> {
    ALL_DIRECTIONS
        .iter()
        .flat_map(move |&direction| board.free_run(from, direction))
}

impl Ruleset for Amazons {
    type Part = Stones;

    fn name(&self) -> &'static str {
        "amazons"
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
        let own = player.of(STONES);
        for from in board.squares_with(own) {
            for to in queen_squares(board, from) {
                // The arrow is shot after the move, so the square that the amazon has left is free.
                let moved = board.with([(from, FREE), (to, own)]);
                for shot in queen_squares(&moved, to) {
                    visit(&[moved.with([(shot, BLOCKED)])], &|| {
                        board.move_on_squares("amazon", [from, to, shot])
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let square = |letter| letter != BLOCKED;
        board.components(
            square,
            ALL_DIRECTIONS,
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
        boards.iter().map(|board| board.write("amazons")).collect()
    }
}

impl Bounds<Stones> for Amazons {
    fn bounds(&self, region: &Stones) -> Option<[i64; 2]> {
        let free = region.count(FREE);
        let [left, right] = STONES.map(|amazon| if region.count(amazon) > 0 { free } else { 0 });
        Some([-right, left])
    }
}

impl Negation<Stones> for Amazons {
    fn negative(&self, region: &Stones) -> Option<Stones> {
        Some(region.exchanged())
    }
}

impl Pictures<Stones> for Amazons {
    fn picture(&self, boards: &[Stones]) -> Picture {
        Stones::picture(boards)
    }
}
