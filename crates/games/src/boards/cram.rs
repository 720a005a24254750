//! Cram: `cram(board)`.
//!
//! Rules. The board is a list of strings: `.` is a free square, `#` a blocked one. A move places a
//! domino on two adjacent free squares, in either orientation. A player who cannot move loses.
//!
//! Theorem (M. Gardner, Scientific American, February 1974; E. R. Berlekamp, J. H. Conway, R. K.
//! Guy, Winning Ways, ch. 15). On an empty rectangle with two even sides the second player wins by
//! answering each move with its image under the half-turn. With one even and one odd side the first
//! player wins: the first move is the central domino, and then the symmetry strategy applies. The
//! argument also applies to other boards with half-turn symmetry. If no domino overlaps its image,
//! the value is 0. If only the central domino overlaps its image, this domino wins.
//!
//! Nothing is known in general about rectangles with two odd sides and boards without symmetry.
//! Their values come from search.

use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::board::ranked::FreeSquares;
use crate::kit::board::{self, Board, Grid};
use crate::kit::grid::{Orientation, Symmetries};
use crate::kit::ranked::RetrogradeAdapter;
use crate::kit::regions::Region;
use grundy_base::Diagnostic;
use grundy_base::limits::{Flow, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_engine::RankedGame;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, MoveKind, Nature, OrientationCache, PackedGame, Packs, Pictures,
    Ranking, Ruleset, SmallValues, Teaching, Theorem, Theorems, Visit,
};

/// The theorem on the half-turn symmetry strategy.
pub const SYMMETRY: Theorem = Theorem {
    method: "symmetry",
    name: "point symmetry",
    statement: "a board with half-turn symmetry is P if no domino overlaps its image, and N if \
                only the domino in the middle does",
    source: "M. Gardner, Mathematical Games, Scientific American, February 1974",
};

/// The rules of Cram. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Cram;

/// Reads `cram(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::cram};
/// let items = [(None, Argument::Board(2, 3))];
/// let position = Position::from(cram::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(1));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = board::read(arguments)?;
    Ok(Term::new(Cram, vec![board]).into())
}

impl Grid {
    /// Returns the outcome of a large board by symmetry, or `None` if the theorem does not apply.
    fn outcome(&self) -> Option<Outcome> {
        let rows = || (0..self.height).filter(|&row| self.find(row, 0, true) < self.width);
        // Symmetry is tested within the bounding box of the free squares. A board without free
        // squares has no move, hence is P.
        let (Some(top), Some(bottom)) = (rows().next(), rows().next_back()) else {
            return Some(Outcome::P);
        };
        let left = rows().map(|row| self.find(row, 0, true)).min()?;
        let last = |row| {
            let words = &self.words[self.word(row, 0)..=self.word(row, self.width - 1)];
            let word = words.iter().rposition(|&word| word != 0)?;
            Some(64 * word + words[word].ilog2() as usize)
        };
        let right = rows().filter_map(last).max()?;
        let symmetric = (top..=top + (bottom - top) / 2).all(|row| {
            (left..=right).all(|column| {
                self.is_free(row, column) == self.is_free(top + bottom - row, left + right - column)
            })
        });
        let middle = self.is_free(usize::midpoint(top, bottom), usize::midpoint(left, right));
        symmetric
            .then(|| by_symmetry((bottom - top + 1) as u32, (right - left + 1) as u32, middle))
            .flatten()
    }
}

/// Returns the outcome of a board with half-turn symmetry, or `None` if the theorem does not apply.
///
/// `middle` is `true` if the central square, or one of the central squares, is free.
fn by_symmetry(height: u32, width: u32, middle: bool) -> Option<Outcome> {
    match (height % 2 + width % 2, middle) {
        // With two even sides, or no free central square, no domino overlaps its image.
        (0, _) | (_, false) => Some(Outcome::P),
        // The two central squares are images of each other, so both are free.
        (1, true) => Some(Outcome::N),
        // The single central square belongs to up to four dominoes, each of which overlaps its
        // image.
        _ => None,
    }
}

impl Board {
    /// Returns the outcome by symmetry, or `None` if the theorem does not apply.
    fn outcome_by_symmetry(&self) -> Option<Outcome> {
        let (frame, squares) = match self {
            Self::Full(grid) => return grid.outcome(),
            _ => self.squares()?,
        };
        if squares == 0 {
            return Some(Outcome::P);
        }
        let bounds = frame.bounding_box(squares, frame.layout);
        let middle = bounds.frame.half_turn_centre(bounds.crop(squares))?;
        by_symmetry(bounds.frame.height, bounds.frame.width, middle)
    }
}

impl Ruleset for Cram {
    type Part = Board;

    fn name(&self) -> &'static str {
        "cram"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Board> {
        Capabilities {
            theorems: Some(self),
            small_values: Some(self),
            ranks: Some(self),
            teaching: Some(self),
            packs: Some(&Cram),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, board: &Board, visit: Visit<'_, Board>) -> Flow {
        board.dominoes(
            &[Orientation::Horizontal, Orientation::Vertical],
            &mut |after, make_move| visit(&[after], make_move),
        )
    }

    fn components(&self, board: &Board, visit: &mut dyn FnMut(Board)) {
        board.regions(Symmetries::Eight, visit);
    }

    fn write(&self, parts: &[Board]) -> String {
        parts.iter().map(|board| board.write("cram")).collect()
    }
}

impl Theorems<Board> for Cram {
    fn grundy(&self, board: &Board) -> Option<ByTheorem<u64>> {
        // The theorem gives the value only for P-positions; an N-position may have any nonzero
        // value.
        let lost = board.outcome_by_symmetry()? == Outcome::P;
        lost.then_some(ByTheorem {
            value: 0,
            theorem: &SYMMETRY,
        })
    }

    fn outcome(&self, board: &Board, play: Play) -> Option<ByTheorem<Outcome>> {
        // The player with the symmetry strategy makes the last move, which loses in misère play.
        if play == Play::Misere {
            return None;
        }
        Some(ByTheorem {
            value: board.outcome_by_symmetry()?,
            theorem: &SYMMETRY,
        })
    }
}

impl SmallValues<Board> for Cram {
    fn size(&self, board: &Board) -> u64 {
        match board {
            Board::Region(squares) => u64::from(squares.count_ones()),
            Board::Wide(planes) => u64::from(planes.sets[0].count_ones()),
            Board::Full(grid) => grid
                .words
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum(),
        }
    }
}

impl Ranking<Board> for Cram {
    fn ranked(&self, boards: &[Board]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let [board] = boards else { return Ok(None) };
        let term = |board| Term::new(Cram, vec![board]).into();
        let squares = FreeSquares::new::<Self>(
            board,
            Nature::IMPARTIAL,
            &[&[Orientation::Horizontal, Orientation::Vertical]],
            term,
        );
        Ok(squares.map(|squares| Arc::new(RetrogradeAdapter(squares)) as Arc<dyn RankedGame>))
    }
}

impl Teaching<Board> for Cram {
    fn theorem_application(&self, board: &Board, play: Play) -> Option<Step> {
        Some(Step::new(match self.outcome(board, play)?.value {
            Outcome::P => "cram_half_turn",
            _ => "cram_middle_domino",
        }))
    }
}

impl Packs<Board> for Cram {
    fn pack(&self, component: &Board) -> Option<u64> {
        Region::pack(component)
    }
}

impl PackedGame for Cram {
    fn options(
        &self,
        key: u64,
        moves: MoveKind,
        cache: &mut OrientationCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        Region::from_key(key).options(moves, cache, visit)
    }

    fn moves(&self, key: u64) -> u32 {
        Region::from_key(key).moves()
    }

    fn non_splitting_moves(&self, key: u64) -> u32 {
        Region::from_key(key).non_splitting_moves()
    }

    fn size(&self, key: u64) -> u32 {
        Region::from_key(key).size()
    }

    /// Returns the set of possible values. Bit n is set if the value may be n.
    ///
    /// On a board with s free squares, a game has at most floor(s / 2) moves. The value is at most
    /// the length of the longest game. Half-turn symmetry may also show whether the value is 0.
    fn possible(&self, key: u64) -> u32 {
        let region = Region::from_key(key);
        let bounded = (2 << (region.size() / 2)) - 1;
        let symmetric = region.symmetric();
        let symmetric =
            symmetric.and_then(|(height, width, middle)| by_symmetry(height, width, middle));
        match symmetric {
            // By symmetry the value is 0, or it is not 0.
            Some(Outcome::P) => 1,
            Some(_) => bounded & !1,
            None => bounded,
        }
    }
}

impl Pictures<Board> for Cram {
    fn picture(&self, parts: &[Board]) -> Picture {
        Picture::Board(parts.iter().flat_map(Board::strings).take(60).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    /// Returns the board of the given size whose free squares are the bits of `set`.
    fn grid(height: usize, width: usize, set: u64) -> Grid {
        let mut grid = Grid::blocked(width, height);
        for square in (0..height * width).filter(|square| set >> square & 1 == 1) {
            grid.set(square / width, square % width..square % width + 1, true);
        }
        grid
    }

    #[test]
    fn symmetry_follows_the_definition() {
        // Rectangles with one even side, in both orientations, a single row, and two odd sides,
        // where the theorem covers only some boards.
        for (height, width) in [(3, 4), (4, 3), (2, 6), (1, 11), (3, 3)] {
            // Boards are sets of bits. Every move leads to a smaller number, so one pass in
            // increasing order computes all values by mex.
            let mut values: Vec<u64> = Vec::new();
            let mut components = Vec::new();
            for set in 0..1u64 << (height * width) {
                let board = Board::Full(grid(height, width, set));
                let mut options = Vec::new();
                let _ =
                    Ruleset::options(&Cram, Player::Left, 0, &board, &mut |after, make_move| {
                        let at: Vec<usize> = make_move().at.iter().map(|&n| n as usize).collect();
                        let rest =
                            set & !(1 << (at[0] * width + at[1])) & !(1 << (at[2] * width + at[3]));
                        assert_eq!(after, [Board::Full(grid(height, width, rest))]);
                        options.push(values[rest as usize]);
                        ControlFlow::Continue(())
                    });
                let value = grundy_base::mex(options);
                if let Some(theorem) = Cram.outcome(&board, Play::Normal) {
                    assert_eq!(theorem.value, Outcome::from_win(value != 0), "{board:?}");
                }
                // The nim-sum of the canonical regions must be the value of the board.
                let mut images = Vec::new();
                Cram.components(&board, &mut |part| {
                    let mut free = 0u64;
                    let (columns, rows) = part.size();
                    // A canonical region of a tall board may be transposed. It may then be wider
                    // than the board.
                    let upright = (0..columns)
                        .any(|c| c >= width && (0..rows).any(|r| part.is_free(r, c)))
                        || (0..rows)
                            .any(|r| r >= height && (0..columns).any(|c| part.is_free(r, c)));
                    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                        let (row, column) = if upright { (c, r) } else { (r, c) };
                        if part.is_free(r, c) {
                            free |= 1 << (row * width + column);
                        }
                    }
                    images.push(free);
                    // The symmetry test on words must agree with the test on large boards.
                    if !matches!(part, Board::Full(_)) {
                        let small = part.outcome_by_symmetry();
                        assert_eq!(small, grid(height, width, free).outcome(), "{part:?}");
                    }
                });
                values.push(value);
                components.push(images);
            }
            for (value, images) in values.iter().zip(components) {
                let sum = images
                    .iter()
                    .fold(0, |sum, &set| sum ^ values[set as usize]);
                assert_eq!(*value, sum, "regions {images:?}");
            }
        }
    }

    #[test]
    fn wide_boards_split_into_regions() {
        let mut wide = Grid::blocked(200, 3);
        // Two runs that cross the words of a row, joined by a single square.
        wide.set(0, 10..150, true);
        wide.set(1, 149..150, true);
        wide.set(2, 60..199, true);
        let mut parts = Vec::new();
        Cram.components(&Board::Full(wide.clone()), &mut |part| parts.push(part));
        assert_eq!(parts.len(), 1);
        wide.set(1, 149..150, false);
        parts.clear();
        Cram.components(&Board::Full(wide), &mut |part| parts.push(part));
        let strip = |length| {
            let mut strip = Grid::blocked(length, 1);
            strip.set(0, 0..length, true);
            Board::Full(strip)
        };
        assert_eq!(parts, [strip(140), strip(139)]);
    }
}
