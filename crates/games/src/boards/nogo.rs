//! NoGo: `nogo(board)`.
//!
//! Rules. The board is a list of strings: `.` is a free point, `x` a stone of Left, `o` one of
//! Right, `#` no point. A player puts a stone of their own on a free point so that afterwards every
//! block, the stones of one colour that are connected along rows and columns, has a free point
//! beside it, the other player's blocks as well as one's own; nothing is taken. Whoever cannot move
//! loses (Anti-Atari Go, N. Schmoelzer 2005; C. W. Chou, O. Teytaud, S. J. Yen, Revisiting
//! Monte-Carlo tree search on a normal form game: NoGo, 2011).
//!
//! Blocks and their free points lie within one region of points that are connected, so the regions
//! add up; those in which nobody can move are gone. A region turned, mirrored or with the colours
//! exchanged is the same, or the opposite.
//!
//! Bounds. A point on which a player may not put a stone stays so as long as it is free. For a
//! stone there would leave a block without a free point: a block of the other player whose only
//! free point it is, or the block that the stone becomes part of, all of whose stones have no other
//! free point. None of these can grow but on that very point, and no free point comes back. So Left
//! has at most as many moves ahead as there are points that Left may play on now, and Right
//! likewise.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use crate::kit::grid::{Images, STRAIGHT};
use crate::kit::stones::{BLOCKED, FREE, STONES, Stones, is_alive};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of NoGo; a part is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NoGo;

/// Reads `nogo(board)`.
///
/// # Errors
/// Anything but strings of `x`, `o`, `.` and `#` of one length, or a block without a free point.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    let stones = (0..board.letters().len()).filter(|&at| STONES.contains(&board.letters()[at]));
    let mut breathing = vec![false; board.letters().len()];
    for stone in stones {
        if breathing[stone] {
            continue;
        }
        let block = block(&board, stone);
        if !breathes(&board, &block) {
            let [row, column] = board.place(stone);
            let message = message!(
                "the stones connected to ({row}, {column}) have no free point beside them",
                row,
                column
            );
            return Err(Diagnostic::illegal(message)
                .at([0, row])
                .within(column..column + 1)
                .help(message!("in NoGo every block of stones has a free point")));
        }
        for stone in block {
            breathing[stone] = true;
        }
    }
    Ok(Term::new(NoGo, vec![board]).into())
}

/// Returns the stones of one colour that are connected to this one.
fn block(board: &Stones, stone: usize) -> Vec<usize> {
    let mut block = vec![stone];
    let mut next = 0;
    while let Some(&square) = block.get(next) {
        next += 1;
        for near in board.near(square, STRAIGHT) {
            if board.letters()[near] == board.letters()[stone] && !block.contains(&near) {
                block.push(near);
            }
        }
    }
    block
}

fn breathes(board: &Stones, block: &[usize]) -> bool {
    let mut beside = block.iter().flat_map(|&stone| board.near(stone, STRAIGHT));
    beside.any(|near| board.letters()[near] == FREE)
}

/// Returns the board after a stone of `player` on a free point, where the rules allow it. Only
/// blocks that the stone touches can lose a free point by it.
fn after(board: &Stones, point: usize, player: Player) -> Option<Stones> {
    let after = board.with([(point, player.of(STONES))]);
    let mut touched = std::iter::once(point).chain(
        board
            .near(point, STRAIGHT)
            .filter(|&near| STONES.contains(&board.letters()[near])),
    );
    touched
        .all(|stone| {
            // Most stones have a free point beside them.
            breathes(&after, &[stone]) || breathes(&after, &block(&after, stone))
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
        for point in board.holding(FREE) {
            if let Some(after) = after(board, point, player) {
                visit(&[after], &|| board.named("place_stone", [point]))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let point = |letter| letter != BLOCKED;
        board.parts(point, STRAIGHT, BLOCKED, Images::Eight, &mut |region| {
            if is_alive(self, &region) {
                visit(region);
            }
        });
    }

    fn write(&self, boards: &[Stones]) -> String {
        boards.iter().map(|board| board.write("nogo")).collect()
    }
}

impl Bounds<Stones> for NoGo {
    fn bounds(&self, region: &Stones) -> Option<[i64; 2]> {
        let [left, right] = Player::BOTH.map(|player| {
            let points = region.holding(FREE);
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
