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
//! squares, in a column for Left or in a row for Right.
//!
//! No general formula is known: outcomes and values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use crate::kit::grid::{Direction, ORTHOGONAL, Symmetries};
use crate::kit::stones::{BLOCKED, FREE, Stones, has_moves};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of Fission. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Fission;

const STONE: u8 = b'x';

/// For each player, the directions of the two squares onto which the player splits a stone.
const SPLIT_DIRECTIONS: [[Direction; 2]; 2] = [[[-1, 0], [1, 0]], [[0, -1], [0, 1]]];

/// Reads `fission(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `x`, `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::fission};
/// // After the first move only the opponent can split stones.
/// let rows = ["...", ".x.", "..."].map(|row| Argument::Text(row.to_owned()));
/// let items = [(None, Argument::List(rows.to_vec()))];
/// let position = Position::from(fission::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let help = message!("write x for a stone, . for a free square and # for a wall");
    let board = Stones::read(arguments, ".x#", &help)?;
    Ok(Term::new(Fission, vec![board]).into())
}

/// Returns the squares onto which the player splits a stone on `square`, if both are on the board.
fn split_targets(board: &Stones, square: usize, player: Player) -> Option<[usize; 2]> {
    let [one, other] = player.of(SPLIT_DIRECTIONS);
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
        for stone in board.squares_with(STONE) {
            let targets = split_targets(board, stone, player);
            let free = |targets: &[usize; 2]| targets.iter().all(|&at| board.letters()[at] == FREE);
            if let Some([one, other]) = targets.filter(free) {
                let after = board.with([(stone, FREE), (one, STONE), (other, STONE)]);
                visit(&[after], &|| board.move_on_squares("split_stone", [stone]))?;
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
            Symmetries::Four,
            &mut |region| {
                if has_moves(self, &region) {
                    visit(region);
                }
            },
        );
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
                split_targets(region, at, player).is_some_and(|targets| targets.iter().all(square))
            };
            // The test ignores stones, since they may move away later.
            let three = (0..region.letters().len()).any(|at| square(&at) && room(at));
            if three { most } else { 0 }
        });
        Some([-right, left])
    }
}

impl Negation<Stones> for Fission {
    fn negative(&self, region: &Stones) -> Option<Stones> {
        Some(region.transposed().least(Symmetries::Four))
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
