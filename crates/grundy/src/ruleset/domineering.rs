//! Domineering: `domineering(board)`.
//!
//! Rules. The board is a list of strings, `.` for a free square and `#` for a blocked one. Left places a domino upright on
//! two free neighbouring squares, Right a flat one. Whoever cannot move loses.
//!
//! Bounds. Left's moves fill columns: from runs of m free squares at most floor(m / 2) each. A run whose squares have no
//! free neighbour to either side is safe, for no flat domino touches it. So the value is at most what Left can ever place
//! less what Right has safe, and at least the negative of the same with the players exchanged (D. M. Breuker, J. W. H. M.
//! Uiterwijk, H. J. van den Herik, Solving 8 x 8 Domineering, Theoretical Computer Science 230 (2000), 195-206, section 3:
//! real and safe moves).
//!
//! Reserves. A block of two by two with a closed side gives Left two moves if she is the first to place a domino there; where dominoes of
//! hers may lie side by side a flat one spoils at most two, and where none lies beside another at most one. Each of Left's dominoes takes
//! two squares from the rows that Right fills, so at most the squares left over at the ends of odd rows cost him nothing. Proofs are in
//! docs/theory.md.

use std::sync::Arc;

use super::board::ranked::FreeSquares;
use super::board::{self, Board, Images, Lie};
use super::{Knowledge, Nature, Ruleset, Show, Visit};
use crate::Diagnostic;
use crate::argument::Arguments;
use crate::limits::{Flow, Stop};
use crate::picture::Picture;
use crate::player::Player;
use crate::position::{AnyTerm, Term};
use crate::ranked::RankedGame;
use crate::reserve::Reserve;

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

impl Ruleset for Domineering {
    type Part = Board;

    fn name(&self) -> &'static str {
        "domineering"
    }

    fn show(&self) -> &dyn Show<Board> {
        self
    }

    fn knowledge(&self) -> &dyn Knowledge<Board> {
        self
    }

    fn nature(&self, _: &Self::Part) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, board: &Board, visit: Visit<'_, Board>) -> Flow {
        let lie = match player {
            Player::Left => Lie::Upright,
            Player::Right => Lie::Flat,
        };
        board.dominoes(&[lie], &mut |left, name| visit(&[left], name))
    }

    fn components(&self, board: &Board, visit: &mut dyn FnMut(Board)) {
        board.regions(Images::Four, visit);
    }
}

impl Knowledge<Board> for Domineering {
    fn ranked(&self, boards: &[Board]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let [board] = boards else { return Ok(None) };
        let term = |board| Term::new(Domineering, vec![board]).into();
        let squares = FreeSquares::new::<Self>(
            board,
            Nature::PARTIZAN,
            &[&[Lie::Upright], &[Lie::Flat]],
            term,
        );
        Ok(squares.map(|squares| Arc::new(squares) as Arc<dyn RankedGame>))
    }

    fn bounds(&self, board: &Board) -> Option<[i64; 2]> {
        let [left, right] = board.reserves();
        let moves = |of: Reserve| of.least() / Reserve::UNIT;
        Some([moves(left), -moves(right)])
    }

    fn reserves(&self, board: &Board) -> Option<[Reserve; 2]> {
        Some(board.reserves())
    }

    fn negative(&self, board: &Board) -> Option<Board> {
        Some(board.transposed())
    }
}

impl Show<Board> for Domineering {
    fn write(&self, parts: &[Board]) -> String {
        parts
            .iter()
            .map(|board| board.write("domineering"))
            .collect()
    }

    fn picture(&self, parts: &[Board]) -> Picture {
        Picture::Board(parts.iter().flat_map(Board::strings).take(60).collect())
    }
}
