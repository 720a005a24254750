//! Domineering: `domineering(board)`.
//!
//! Rules. The board is a list of strings, `.` for a free square and `#` for a blocked one. Left
//! places a domino upright on two free neighbouring squares, Right a flat one. Whoever cannot move
//! loses.
//!
//! Bounds. Left's moves fill columns: from runs of m free squares at most floor(m / 2) each. A run
//! whose squares have no free neighbour to either side is safe, for no flat domino touches it. So
//! the value is at most what Left can ever place less what Right has safe, and at least the
//! negative of the same with the players exchanged (D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van
//! den Herik, Solving 8 x 8 Domineering, Theoretical Computer Science 230 (2000), 195-206, section
//! 3: real and safe moves).
//!
//! Reserves. A block of two by two with a closed side gives Left two moves if she is the first to
//! place a domino there; where dominoes of hers may lie side by side, or beside such a block, a
//! flat one spoils at most two, and where none lies beside another at most one. Each of Left's
//! dominoes takes two squares from the rows that Right fills, and at most one square of each odd
//! row that she takes some of costs him nothing. Proofs are in docs/theory.md.
//!
//! Order. A domino one square, or three, from the edge beside it leaves room there that only its
//! player can fill. Where counts say the same of two moves such ones are tried first, and those
//! nearest to the edges before them: on boards of 42 to 56 squares half to three quarters of the
//! positions that an order row by row takes.

use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::board::ranked::FreeSquares;
use crate::kit::board::{self, Board};
use crate::kit::grid::{Images, Lie};
use crate::kit::ranked::BySieve;
use grundy_base::Diagnostic;
use grundy_base::limits::{Flow, Stop};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::RankedGame;
use grundy_engine::move_counts::Reserve;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Bounds, Capabilities, Nature, Negation, Pictures, Promise, Ranking, Ruleset, Visit,
};

/// The rules of Domineering; a part is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Domineering;

/// Reads `domineering(board)`.
///
/// # Errors
/// Anything but strings of `.` and `#` of one length.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = board::read(arguments)?;
    Ok(Arc::new(Term::new(Domineering, vec![board])))
}

/// How the dominoes of a player lie.
fn lie(player: Player) -> Lie {
    match player {
        Player::Left => Lie::Upright,
        Player::Right => Lie::Flat,
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
            promise: Some(self),
            ranks: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Self::Part) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, board: &Board, visit: Visit<'_, Board>) -> Flow {
        board.dominoes(&[lie(player)], &mut |left, name| visit(&[left], name))
    }

    fn components(&self, board: &Board, visit: &mut dyn FnMut(Board)) {
        board.regions(Images::Four, visit);
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

impl Promise<Board> for Domineering {
    fn options_by_promise(&self, player: Player, board: &Board, visit: Visit<'_, Board>) -> Flow {
        board.dominoes_inwards(lie(player), &mut |left, name| visit(&[left], name))
    }
}

impl Ranking<Board> for Domineering {
    fn ranked(&self, boards: &[Board]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let [board] = boards else { return Ok(None) };
        let term = |board| Term::new(Domineering, vec![board]).into();
        let squares = FreeSquares::new::<Self>(
            board,
            Nature::PARTIZAN,
            &[&[Lie::Upright], &[Lie::Flat]],
            term,
        );
        Ok(squares.map(|squares| Arc::new(BySieve(squares)) as Arc<dyn RankedGame>))
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
    use grundy_base::limits::ended;

    /// The moves by promise are the moves, on boards of all sizes.
    #[test]
    fn promising_moves_are_all_moves() {
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
                    ended(Domineering.options(player, 0, &board, &mut |left, name| {
                        plain.push((name().at, left.to_vec()));
                        ControlFlow::Continue(())
                    }))
                    .unwrap();
                    ended(
                        Domineering.options_by_promise(player, &board, &mut |left, name| {
                            promising.push((name().at, left.to_vec()));
                            ControlFlow::Continue(())
                        }),
                    )
                    .unwrap();
                    plain.sort_by(|one, other| one.0.cmp(&other.0));
                    promising.sort_by(|one, other| one.0.cmp(&other.0));
                    assert_eq!(plain, promising);
                }
            }
        }
    }
}
