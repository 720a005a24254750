//! Domineering: `domineering(board)`.
//!
//! Rules. The board is a list of strings: `.` is a free square, `#` a blocked one. Left places a
//! vertical domino on two free squares, Right a horizontal one. A player who cannot move loses.
//!
//! Bounds. A vertical run of m free squares holds at most floor(m / 2) of Left's dominoes. If no
//! square of the run has a free horizontal neighbour, these dominoes are safe, since no horizontal
//! domino covers any square of the run. Safe dominoes of Right are defined in the same way in
//! horizontal runs. Hence the value is at most the number of dominoes that Left can ever place,
//! less the number of safe dominoes of Right. The lower bound is the mirror image (D. M. Breuker,
//! J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8 x 8 Domineering, Theoretical Computer
//! Science 230 (2000), 195-206, section 3: real and safe moves).
//!
//! Reserves. The program counts moves that Left can make whatever Right does. She chooses disjoint
//! places for vertical dominoes. A horizontal domino spoils at most two of these places, and two
//! only if they have squares that are adjacent in a row. Suppose that a free 2 by 2 block is closed
//! on its left or right: no square on that side has a free neighbour outside the block. Then the
//! block gives Left two moves if she plays there first. Each domino of Left also covers two squares
//! of the horizontal runs in which Right places his dominoes. Each of these squares takes away room
//! for half a domino of Right, except at most one square in each run of odd length. The proofs are
//! in docs/theory.md.
//!
//! Move ordering. A vertical domino at an odd distance from the nearer of the left and right edges
//! leaves room along that edge that only Left can fill. Among moves after which the bounds are
//! equal, such dominoes are tried first. Of these, the dominoes nearest to the upper or lower edge
//! come first. The moves of Right are ordered in the same way, with rows and columns exchanged. On
//! boards of 42 to 56 squares, a search in this order visits half to three quarters of the
//! positions that a search in reading order visits.
//!
//! There is no closed form for general boards: outcomes and values come from search.

use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::board::ranked::FreeSquares;
use crate::kit::board::{self, Board};
use crate::kit::grid::{Orientation, Symmetries};
use crate::kit::ranked::RetrogradeAdapter;
use grundy_base::Diagnostic;
use grundy_base::limits::{Flow, Stop};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::RankedGame;
use grundy_engine::move_counts::Reserve;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Bounds, Capabilities, MoveOrder, Nature, Negation, Pictures, Ranking, Ruleset, Visit,
};

/// The rules of Domineering. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Domineering;

/// Reads `domineering(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::domineering};
/// let items = [(None, Argument::Board(2, 2))];
/// let position = Position::from(domineering::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "+-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = board::read(arguments)?;
    Ok(Arc::new(Term::new(Domineering, vec![board])))
}

/// Returns the orientation of the dominoes that a player places.
fn orientation(player: Player) -> Orientation {
    match player {
        Player::Left => Orientation::Vertical,
        Player::Right => Orientation::Horizontal,
    }
}

impl Ruleset for Domineering {
    type Part = Board;

    fn name(&self) -> &'static str {
        "domineering"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Board> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            move_order: Some(self),
            ranks: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Self::Part) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, board: &Board, visit: Visit<'_, Board>) -> Flow {
        board.dominoes(&[orientation(player)], &mut |after, make_move| {
            visit(&[after], make_move)
        })
    }

    fn components(&self, board: &Board, visit: &mut dyn FnMut(Board)) {
        // Transposing the board exchanges the players, so only four symmetries preserve the value.
        board.regions(Symmetries::Four, visit);
    }

    fn write(&self, parts: &[Board]) -> String {
        parts
            .iter()
            .map(|board| board.write("domineering"))
            .collect()
    }
}

impl Bounds<Board> for Domineering {
    fn bounds(&self, board: &Board) -> Option<[i64; 2]> {
        let [left, right] = board.reserves();
        let moves = |of: Reserve| of.least() / Reserve::UNIT;
        // The first number is a lower bound on the value, the second a lower bound on its negative.
        Some([moves(left), -moves(right)])
    }

    fn reserves(&self, board: &Board) -> Option<[Reserve; 2]> {
        Some(board.reserves())
    }
}

impl Negation<Board> for Domineering {
    fn negative(&self, board: &Board) -> Option<Board> {
        Some(board.transposed())
    }
}

impl MoveOrder<Board> for Domineering {
    fn ordered_options(&self, player: Player, board: &Board, visit: Visit<'_, Board>) -> Flow {
        board.dominoes_inwards(orientation(player), &mut |after, make_move| {
            visit(&[after], make_move)
        })
    }
}

impl Ranking<Board> for Domineering {
    fn ranked(&self, boards: &[Board]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let [board] = boards else { return Ok(None) };
        let term = |board| Term::new(Domineering, vec![board]).into();
        let squares = FreeSquares::new::<Self>(
            board,
            Nature::PARTIZAN,
            &[&[Orientation::Vertical], &[Orientation::Horizontal]],
            term,
        );
        Ok(squares.map(|squares| Arc::new(RetrogradeAdapter(squares)) as Arc<dyn RankedGame>))
    }
}

impl Pictures<Board> for Domineering {
    fn picture(&self, parts: &[Board]) -> Picture {
        Picture::Board(parts.iter().flat_map(Board::strings).take(60).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::argument::Argument;
    use grundy_base::limits::stopped_early;

    /// Checks that `ordered_options` visits all moves, on boards in all three representations.
    #[test]
    fn ordered_moves_are_all_moves() {
        let mut random = fastrand::Rng::with_seed(11);
        let sizes = [
            (1, 2),
            (2, 1),
            (3, 3),
            (5, 8),
            (8, 4),
            (9, 9),
            (3, 40),
            (12, 13),
        ];
        for (rows, columns) in sizes {
            for free in [3, 10] {
                let mut square = |_| if random.u32(..10) < free { '.' } else { '#' };
                let mut row = |_| Argument::Text((0..columns).map(&mut square).collect());
                let items = [(None, Argument::List((0..rows).map(&mut row).collect()))];
                let board = board::read(&Arguments { items: &items }).unwrap();
                for player in Player::BOTH {
                    let [mut plain, mut promising] = [Vec::new(), Vec::new()];
                    stopped_early(Domineering.options(
                        player,
                        0,
                        &board,
                        &mut |after, make_move| {
                            plain.push((make_move().at, after.to_vec()));
                            ControlFlow::Continue(())
                        },
                    ))
                    .unwrap();
                    stopped_early(Domineering.ordered_options(
                        player,
                        &board,
                        &mut |after, make_move| {
                            promising.push((make_move().at, after.to_vec()));
                            ControlFlow::Continue(())
                        },
                    ))
                    .unwrap();
                    plain.sort_by(|one, other| one.0.cmp(&other.0));
                    promising.sort_by(|one, other| one.0.cmp(&other.0));
                    assert_eq!(plain, promising);
                }
            }
        }
    }
}
