//! NoGo: `nogo(board)`.
//!
//! Rules. The board is a list of strings: `.` is a free point, `x` a stone of Left and `o` a stone
//! of Right. A `#` is not part of the board. A block is a maximal set of orthogonally connected
//! stones of one colour. A player puts a stone of their colour on a free point. After the move
//! every block of either colour must be adjacent to a free point. Nothing is captured. A player who
//! cannot move loses (Anti-Atari Go, N. Schmoelzer 2005; C. W. Chou, O. Teytaud, S. J. Yen,
//! Revisiting Monte-Carlo tree search on a normal form game: NoGo, 2011).
//!
//! Components. A block and its adjacent free points belong to the same connected region of points.
//! So the regions form a sum. Regions without a move are dropped. The symmetries of the square
//! preserve the value of a region, and exchanging the colours negates it.
//!
//! Bounds. If a player may not play on a free point now, the player may never play there. A stone
//! on that point would leave some block without a free point: a block of the opponent, or the block
//! that the new stone joins. Such a block can grow only by a stone on that very point, and free
//! points never come back. Hence Left has at most as many moves ahead as there are points that Left
//! may play on now. The same holds for Right.
//!
//! No general formula is known: outcomes and values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use crate::kit::grid::{ORTHOGONAL, Symmetries};
use crate::kit::stones::{BLOCKED, FREE, STONES, Stones, has_moves};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of NoGo. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NoGo;

/// Reads `nogo(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `x`, `o`, `.` and `#`. Also a board on
/// which a connected set of stones of one colour has no adjacent free point.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::nogo};
/// // After the first stone, any second stone would fill the last free point.
/// let items = [(None, Argument::Board(1, 2))];
/// let position = Position::from(nogo::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    // `in_checked_block` marks the stones of blocks with an adjacent free point that have been
    // traversed. So each block is traversed once.
    let stones = (0..board.letters().len()).filter(|&at| STONES.contains(&board.letters()[at]));
    let mut in_checked_block = vec![false; board.letters().len()];
    for stone in stones {
        if in_checked_block[stone] {
            continue;
        }
        let block = block(&board, stone);
        if !has_liberty(&board, &block) {
            let [row, column] = board.row_and_column(stone);
            let message = message!(
                "the block of stones at ({row}, {column}) is not adjacent to a free point",
                row,
                column
            );
            return Err(Diagnostic::illegal(message)
                .at([0, row])
                .within(column..column + 1)
                .help(message!(
                    "in NoGo every block of stones must be adjacent to a free point"
                )));
        }
        for stone in block {
            in_checked_block[stone] = true;
        }
    }
    Ok(Term::new(NoGo, vec![board]).into())
}

/// Returns the block of a stone, that is, the maximal connected set of stones of its colour that
/// contains it.
fn block(board: &Stones, stone: usize) -> Vec<usize> {
    let mut block = vec![stone];
    let mut next = 0;
    while let Some(&square) = block.get(next) {
        next += 1;
        for near in board.neighbours(square, ORTHOGONAL) {
            if board.letters()[near] == board.letters()[stone] && !block.contains(&near) {
                block.push(near);
            }
        }
    }
    block
}

/// Returns whether a set of stones is adjacent to a free point.
fn has_liberty(board: &Stones, block: &[usize]) -> bool {
    let mut neighbours = block
        .iter()
        .flat_map(|&stone| board.neighbours(stone, ORTHOGONAL));
    neighbours.any(|near| board.letters()[near] == FREE)
}

/// Returns the board after `player` has played on `point`, or `None` if the rules forbid the move.
///
/// Only blocks (connected sets of stones of one colour) that are adjacent to `point` lose a free
/// point by the move. Hence only these blocks and the block of the new stone are tested.
fn after(board: &Stones, point: usize, player: Player) -> Option<Stones> {
    let after = board.with([(point, player.of(STONES))]);
    let mut touched = std::iter::once(point).chain(
        board
            .neighbours(point, ORTHOGONAL)
            .filter(|&near| STONES.contains(&board.letters()[near])),
    );
    touched
        .all(|stone| {
            // Most stones are adjacent to a free point themselves, so their blocks need not be
            // traversed.
            has_liberty(&after, &[stone]) || has_liberty(&after, &block(&after, stone))
        })
        .then_some(after)
}

impl Ruleset for NoGo {
    type Part = Stones;

    fn name(&self) -> &'static str {
        "nogo"
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
        for point in board.squares_with(FREE) {
            if let Some(after) = after(board, point, player) {
                visit(&[after], &|| board.move_on_squares("place_stone", [point]))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let point = |letter| letter != BLOCKED;
        board.components(
            point,
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
        boards.iter().map(|board| board.write("nogo")).collect()
    }
}

impl Bounds<Stones> for NoGo {
    fn bounds(&self, region: &Stones) -> Option<[i64; 2]> {
        let [left, right] = Player::BOTH.map(|player| {
            let points = region.squares_with(FREE);
            points
                .filter(|&point| after(region, point, player).is_some())
                .count() as i64
        });
        Some([-right, left])
    }
}

impl Negation<Stones> for NoGo {
    fn negative(&self, region: &Stones) -> Option<Stones> {
        Some(region.exchanged())
    }
}

impl Pictures<Stones> for NoGo {
    fn picture(&self, boards: &[Stones]) -> Picture {
        Stones::picture(boards)
    }
}
