//! Fission: `fission(board)`.
//!
//! Rules. The board is a list of strings: `x` is a stone, `.` a free square, `#` a wall. Left may
//! split a stone if the squares above and below it are free. The stone is removed, and one stone is
//! placed on each of the two squares. Right does the same with the squares to the left and to the
//! right. A player who cannot move loses (A. N. Siegel, Combinatorial Game Theory, 2013, and the
//! ruleset of CGSuite).
//!
//! Components. Stones do not interact across walls, so the connected regions of the other squares
//! form a sum. Regions without a move are dropped. Symmetries that keep vertical lines vertical
//! preserve the value, and the transpose negates it.
//!
//! Bounds. A move takes two free squares and gives one back. Hence with f free squares, f >= 1,
//! there are at most f - 1 moves. A player has no move unless the region contains three consecutive
//! squares in the player's direction.
//!
//! No general formula is known: outcomes and values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use crate::kit::grid::{Images, STRAIGHT, Way};
use crate::kit::stones::{BLOCKED, FREE, Stones, is_alive};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of Fission. A part is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Fission;

const STONE: u8 = b'x';

/// For each player, the directions of the two squares onto which the player splits a stone.
const LINES: [[Way; 2]; 2] = [[[-1, 0], [1, 0]], [[0, -1], [0, 1]]];

/// Reads `fission(board)`.
///
/// # Errors
/// Anything but strings of `x`, `.` and `#` of one length.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let help = message!("write x for a stone, . for a free square and # for a wall");
    let board = Stones::read(arguments, ".x#", &help)?;
    Ok(Term::new(Fission, vec![board]).into())
}

/// Returns the two neighbours of a square in the direction of a player, if both are on the board.
fn beside(board: &Stones, square: usize, player: Player) -> Option<[usize; 2]> {
    let [one, other] = player.of(LINES);
    board
        .step(square, one)
        .zip(board.step(square, other))
        .map(<[usize; 2]>::from)
}

impl Ruleset for Fission {
    type Part = Stones;

    fn name(&self) -> &'static str {
        "fission"
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
        for stone in board.holding(STONE) {
            let sides = beside(board, stone, player);
            let free = |sides: &[usize; 2]| sides.iter().all(|&at| board.letters()[at] == FREE);
            if let Some([one, other]) = sides.filter(free) {
                let left = board.with([(stone, FREE), (one, STONE), (other, STONE)]);
                visit(&[left], &|| board.named("split_stone", [stone]))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let square = |letter| letter != BLOCKED;
        board.parts(square, STRAIGHT, BLOCKED, Images::Four, &mut |region| {
            if is_alive(self, &region) {
                visit(region);
            }
        });
    }

    fn write(&self, boards: &[Stones]) -> String {
        boards.iter().map(|board| board.write("fission")).collect()
    }
}

impl Bounds<Stones> for Fission {
    fn bounds(&self, region: &Stones) -> Option<[i64; 2]> {
        let most = (region.count(FREE) - 1).max(0);
        let [left, right] = Player::BOTH.map(|player| {
            let square = |&at: &usize| region.letters()[at] != BLOCKED;
            let room = |at: usize| {
                beside(region, at, player).is_some_and(|sides| sides.iter().all(square))
            };
            // Only walls are tested, since stones may move away later.
            let three = (0..region.letters().len()).any(|at| square(&at) && room(at));
            if three { most } else { 0 }
        });
        Some([-right, left])
    }
}

impl Negation<Stones> for Fission {
    fn negative(&self, region: &Stones) -> Option<Stones> {
        Some(region.transposed().least(Images::Four))
    }
}

impl Pictures<Stones> for Fission {
    /// Returns a picture of the boards. Stones belong to neither player and are drawn as coins.
    fn picture(&self, boards: &[Stones]) -> Picture {
        let mut picture = Stones::picture(boards);
        if let Picture::Board(rows) = &mut picture {
            for row in rows {
                *row = row.replace('x', "*");
            }
        }
        picture
    }
}
