//! Boards for dominoes: free and blocked squares, and their connected regions.

pub(crate) mod ranked;

use std::ops::ControlFlow;

use grundy_base::message;

use super::grid::{Frame, Images, Layout, Lie, STRAIGHT, Word};
pub(crate) use super::large::Grid;
use super::planes::Planes;
use crate::argument::{Arguments, squares};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::step::{Move, Step};
use grundy_engine::move_counts::Reserve;

/// A board, or a connected region that has been cut out of a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Board {
    /// The free squares of an 8 by 8 board. The square in row r and column c is bit 8 r + c. A
    /// region is stored as its least image.
    Region(u64),
    /// The free squares of a board of at most 128 squares. A region that does not fit an 8 by 8
    /// board is stored as its least image.
    Wide(Planes<1>),
    /// A board of any size.
    Full(Grid),
}

/// The frame of [`Board::Region`].
const EIGHT: Frame = Frame::new(8, 8, Layout::Eight);

/// Maximal number of squares of a board.
const SQUARES: usize = 1_000_000;

/// Reads the argument `board`, a list of strings of equal length.
///
/// # Errors
/// Anything but strings of `.` and `#` of one length.
pub(crate) fn read(arguments: &Arguments<'_>) -> Result<Board, Diagnostic> {
    let [Some((at, board))] = arguments.bind(["board"], 1)? else {
        return Err(Diagnostic::illegal(message!("no board given")));
    };
    let help = message!("write . for a free square and # for a blocked square");
    let board = squares(board, &[at], ".#", &help, SQUARES)?;
    let mut grid = Grid::blocked(board.width, board.height);
    for (square, _) in (0..).zip(&board.letters).filter(|(_, c)| **c == b'.') {
        let (row, column) = (square / board.width, square % board.width);
        grid.set(row, column..column + 1, true);
    }
    Ok(Board::Full(grid))
}

impl Board {
    /// Returns the width and the height of the board.
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Self::Region(_) => (8, 8),
            Self::Wide(planes) => (planes.width as usize, planes.height as usize),
            Self::Full(grid) => (grid.width, grid.height),
        }
    }

    /// Returns whether a square is free.
    pub(crate) fn is_free(&self, row: usize, column: usize) -> bool {
        match self {
            Self::Region(squares) => squares >> (8 * row + column) & 1 == 1,
            Self::Wide(planes) => planes.sets[0] >> planes.square(row, column) & 1 == 1,
            Self::Full(grid) => grid.is_free(row, column),
        }
    }

    /// Returns the board with two more squares blocked.
    pub(crate) fn without(&self, squares: [(usize, usize); 2]) -> Self {
        let mut board = self.clone();
        for (row, column) in squares {
            match &mut board {
                Self::Region(squares) => *squares &= !(1 << (8 * row + column)),
                Self::Wide(planes) => planes.sets[0] &= !(1 << planes.square(row, column)),
                Self::Full(grid) => grid.set(row, column..column + 1, false),
            }
        }
        board
    }

    /// Visits the placements of a domino, each as the board after it and the move.
    pub(crate) fn dominoes(
        &self,
        lies: &[Lie],
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        let mut place =
            |first: (usize, usize), second: (usize, usize)| self.place([first, second], visit);
        match self {
            Self::Region(squares) => return by_squares(EIGHT, *squares, lies, &mut place),
            Self::Wide(planes) => {
                return by_squares(planes.frame(), planes.sets[0], lies, &mut place);
            }
            Self::Full(_) => {}
        }
        let (width, height) = self.size();
        for row in 0..height {
            for column in (0..width).filter(|&column| self.is_free(row, column)) {
                for lie in lies {
                    let (down, right) = lie.turn((0, 1));
                    let (row2, column2) = (row + down, column + right);
                    if row2 < height && column2 < width && self.is_free(row2, column2) {
                        place((row, column), (row2, column2))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the placements of a domino, ordered so that likely wins come first.
    ///
    /// The distance to the nearer edge is measured across the domino. Placements at an odd distance
    /// come first, since they leave room along that edge that only dominoes of the same player can
    /// fill. Ties go to the placement that is nearest to an edge in the other direction.
    pub(crate) fn dominoes_inwards(
        &self,
        lie: Lie,
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        let (width, height) = self.extent();
        let (across, along) = lie.turn((height, width));
        // The one or two placements at this distance from an end of the line.
        let ends = |distance: usize, length: usize| {
            let other = length - 1 - distance;
            [Some(distance), (other > distance).then_some(other)]
                .into_iter()
                .flatten()
        };
        let starts = along.saturating_sub(1);
        for rest in [1, 0] {
            for before in 0..starts.div_ceil(2) {
                for beside in (rest..across.div_ceil(2)).step_by(2) {
                    for first in ends(before, starts) {
                        for line in ends(beside, across) {
                            let squares = [first, first + 1].map(|place| lie.turn((line, place)));
                            if squares
                                .iter()
                                .all(|&(row, column)| self.is_free(row, column))
                            {
                                self.place(squares, visit)?;
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the board after a domino has been placed on two squares.
    fn place(
        &self,
        squares: [(usize, usize); 2],
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        visit(self.without(squares), &|| {
            let [(row, column), (row2, column2)] = squares;
            let step = Step::new("domino")
                .with("row", row)
                .with("column", column)
                .with("row2", row2)
                .with("column2", column2);
            Move::new([row, column, row2, column2].map(|n| n as u64), step)
        })
    }

    /// Returns the free squares as one bit set and its frame, if they fit into a word.
    pub(crate) fn squares(&self) -> Option<(Frame, u128)> {
        match self {
            Self::Region(squares) => Some((EIGHT, (*squares).into())),
            Self::Wide(planes) => Some((planes.frame(), planes.sets[0])),
            Self::Full(grid) => grid.squares(),
        }
    }

    /// Visits the connected regions of at least two squares, each as its least image.
    pub(crate) fn regions(&self, images: Images, visit: &mut dyn FnMut(Self)) {
        if let Self::Region(squares) = *self {
            let rows = EIGHT.rows::<u64>();
            return rows.groups(squares, squares, false, |region| {
                if !region.is_power_of_two() {
                    visit(Self::Region(least_image(region, images)));
                }
            });
        }
        match (self, self.squares()) {
            (_, Some((frame, squares))) => {
                let planes = Planes::new((frame, [squares]));
                planes.groups(squares, STRAIGHT, [false], &mut |region| {
                    visit(Self::of_planes(&region, images));
                });
            }
            (Self::Full(grid), None) => grid.regions(false, &mut |_, region| {
                // A region of a large board may be small enough for a word.
                visit(match region.squares() {
                    Some((frame, squares)) => {
                        Self::of_planes(&Planes::new((frame, [squares])), images)
                    }
                    None => Self::Full(region),
                });
            }),
            _ => {}
        }
    }

    /// Returns the least image of a region. The region must fill its frame.
    fn of_planes(region: &Planes<1>, images: Images) -> Self {
        if region.height > 8 || region.width > 8 {
            return Self::Wide(region.least(images));
        }
        let cut = region.frame().cut(region.sets[0], Layout::Eight);
        Self::Region(least_image(cut.of(region.sets[0]) as u64, images))
    }

    /// Returns the reserves of Left, who places vertical dominoes, and those of Right.
    pub(crate) fn reserves(&self) -> [Reserve; 2] {
        let lies = [Lie::Upright, Lie::Flat];
        match self {
            Self::Region(squares) => lies.map(|lie| EIGHT.rows::<u64>().reserve(*squares, lie)),
            Self::Wide(planes) => {
                let rows = planes.frame().rows();
                lies.map(|lie| rows.reserve(planes.sets[0], lie))
            }
            Self::Full(_) => {
                // Boards of more than 128 squares count only safe placements. Smaller counts are
                // still valid bounds.
                let [upright, flat] = lies.map(|lie| self.room(lie));
                [[upright, flat], [flat, upright]].map(|[own, other]| Reserve {
                    safe: own[1],
                    against: other[0],
                    spare: other[2],
                    ..Reserve::default()
                })
            }
        }
    }

    /// Returns the maximum number of dominoes that fit, the number of safe dominoes, and the number
    /// of runs of odd length.
    ///
    /// A domino is safe if no domino of the opponent can cover one of its squares.
    fn room(&self, lie: Lie) -> [i32; 3] {
        let (width, height) = self.size();
        let (lines, length) = lie.turn((height, width));
        let free = |line: usize, place: usize| {
            line < lines && place < length && {
                let (row, column) = lie.turn((line, place));
                self.is_free(row, column)
            }
        };
        let mut count = [0, 0, 0];
        for line in 0..lines {
            let mut runs = [0, 0];
            // The place after the last one ends the last run.
            for place in 0..=length {
                let here = free(line, place);
                let safe = here && !free(line + 1, place) && !free(line.wrapping_sub(1), place);
                count[2] += i32::from(!here && runs[0] == 1);
                for (index, here) in [here, safe].into_iter().enumerate() {
                    runs[index] = if here { runs[index] + 1 } else { 0 };
                    if runs[index] == 2 {
                        runs[index] = 0;
                        count[index] += 1;
                    }
                }
            }
        }
        count
    }

    /// Returns the transpose. A board of at most 128 squares is replaced by the least of its four
    /// images.
    pub(crate) fn transposed(&self) -> Self {
        match self {
            Self::Region(squares) => {
                Self::Region(least_image(squares.mirrored_eight(), Images::Four))
            }
            Self::Wide(planes) => Self::Wide(planes.transposed().least(Images::Four)),
            Self::Full(grid) => Self::Full(grid.transposed()),
        }
    }

    /// Returns the numbers of columns and rows up to the last ones with a free square.
    fn extent(&self) -> (usize, usize) {
        match *self {
            Self::Region(squares) if squares != 0 => (
                EIGHT.columns(squares).last() as usize + 1,
                squares.last() as usize / 8 + 1,
            ),
            _ => self.size(),
        }
    }

    /// Returns the rows as strings.
    pub(crate) fn strings(&self) -> Vec<String> {
        let (width, height) = self.extent();
        let square = |row, column| {
            if self.is_free(row, column) { '.' } else { '#' }
        };
        (0..height)
            .map(|row| (0..width).map(|column| square(row, column)).collect())
            .collect()
    }

    /// Returns the text `name(["...", "..."])` of the board.
    pub(crate) fn write(&self, name: &str) -> String {
        let rows: Vec<String> = self
            .strings()
            .iter()
            .map(|row| format!("\"{row}\""))
            .collect();
        format!("{name}([{}])", rows.join(", "))
    }
}

/// Visits the placements of a domino on a set of squares.
fn by_squares<W: Word>(
    frame: Frame,
    squares: W,
    lies: &[Lie],
    place: &mut impl FnMut((usize, usize), (usize, usize)) -> Flow,
) -> Flow {
    let (rows, stride) = (frame.rows(), frame.stride() as usize);
    for &lie in lies {
        let (down, right) = lie.turn((0, 1));
        let mut rest = rows.dominoes(squares, lie);
        while !rest.is_zero() {
            let square = rest.trailing_zeros() as usize;
            rest = rest ^ rest.lowest();
            let (row, column) = (square / stride, square % stride);
            place((row, column), (row + down, column + right))?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the least image of a set of squares on an 8 by 8 board.
fn least_image(squares: u64, images: Images) -> u64 {
    if squares == 0 {
        return 0;
    }
    let cut = EIGHT.cut(squares, Layout::Eight);
    let (_, [least]) = cut.frame.least([cut.of(squares)], images, Ord::min);
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_region_have_one_canonical_image() {
        // The L-tetromino has no symmetry, so its eight images differ.
        let region = 0b0000_0011_u64 | 0b0000_0001 << 8 | 0b0000_0001 << 16;
        let turned = region.mirrored_eight();
        for image in [region.swap_bytes(), region.reverse_bits(), region << 18] {
            for images in [Images::Four, Images::Eight] {
                assert_eq!(least_image(image, images), least_image(region, images));
            }
        }
        assert_eq!(
            least_image(turned, Images::Eight),
            least_image(region, Images::Eight)
        );
        assert_ne!(
            least_image(turned, Images::Four),
            least_image(region, Images::Four)
        );
        assert_eq!(0b10_u64.mirrored_eight(), 1 << 8);
    }
}
