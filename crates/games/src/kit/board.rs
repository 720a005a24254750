//! Boards for dominoes: free and blocked squares, and their connected regions.

pub(crate) mod ranked;

use std::ops::ControlFlow;

use grundy_base::message;

use super::grid::{Frame, Layout, ORTHOGONAL, Orientation, Symmetries, Word};
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
    /// region that has been cut out of a board is moved to the upper left corner. It is stored as
    /// one fixed image under the symmetries of the game, the least one.
    Region(u64),
    /// The free squares of a board of at most 128 squares. A region that does not fit an 8 by 8
    /// board has this form. It is stored as its least image under the symmetries of the game.
    Wide(Planes<1>),
    /// A board of any size.
    Full(Grid),
}

/// The frame of [`Board::Region`], that is, its height, its width and the arrangement of its rows
/// in a word.
const EIGHT_BY_EIGHT: Frame = Frame::new(8, 8, Layout::Eight);

/// Maximal number of squares of a board.
const MAX_SQUARES: usize = 1_000_000;

/// Reads the argument `board`, a list of strings of equal length.
///
/// # Errors
/// An argument that is not a list of equally long strings of `.` and `#`.
pub(crate) fn read(arguments: &Arguments<'_>) -> Result<Board, Diagnostic> {
    let [Some((at, board))] = arguments.bind(["board"], 1)? else {
        return Err(Diagnostic::illegal(message!("no board given")));
    };
    let help = message!("write . for a free square and # for a blocked square");
    let board = squares(board, &[at], ".#", &help, MAX_SQUARES)?;
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

    /// Visits all placements of a domino in one of `orientations`. Passes the board after each
    /// placement, and a function that returns the move.
    pub(crate) fn dominoes(
        &self,
        orientations: &[Orientation],
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        let mut visit_pair = |first: (usize, usize), second: (usize, usize)| {
            self.visit_placement([first, second], visit)
        };
        match self {
            Self::Region(squares) => {
                return visit_placements(EIGHT_BY_EIGHT, *squares, orientations, &mut visit_pair);
            }
            Self::Wide(planes) => {
                return visit_placements(
                    planes.frame(),
                    planes.sets[0],
                    orientations,
                    &mut visit_pair,
                );
            }
            Self::Full(_) => {}
        }
        let (width, height) = self.size();
        for row in 0..height {
            for column in (0..width).filter(|&column| self.is_free(row, column)) {
                for orientation in orientations {
                    let (down, right) = orientation.swap_if_vertical((0, 1));
                    let (row2, column2) = (row + down, column + right);
                    if row2 < height && column2 < width && self.is_free(row2, column2) {
                        visit_pair((row, column), (row2, column2))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the placements of a domino, ordered so that likely wins come first.
    ///
    /// Consider the two edges of the board that are parallel to the domino, and the distance of the
    /// domino from the nearer edge. Placements at an odd distance come first. They leave room along
    /// that edge that only dominoes in the same orientation can fill. Within the odd distances, and
    /// within the even ones, placements are ordered by their distance from the nearer of the other
    /// two edges.
    pub(crate) fn dominoes_inwards(
        &self,
        orientation: Orientation,
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        let (width, height) = self.extent();
        let (across, along) = orientation.swap_if_vertical((height, width));
        // The one or two indices at this distance from an end of a line of `length` entries.
        let ends = |distance: usize, length: usize| {
            let other = length - 1 - distance;
            [Some(distance), (other > distance).then_some(other)]
                .into_iter()
                .flatten()
        };
        let starts = along.saturating_sub(1);
        for parity in [1, 0] {
            for end_distance in 0..starts.div_ceil(2) {
                for edge_distance in (parity..across.div_ceil(2)).step_by(2) {
                    for first in ends(end_distance, starts) {
                        for line in ends(edge_distance, across) {
                            let squares = [first, first + 1]
                                .map(|square| orientation.swap_if_vertical((line, square)));
                            if squares
                                .iter()
                                .all(|&(row, column)| self.is_free(row, column))
                            {
                                self.visit_placement(squares, visit)?;
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the board after a domino has been placed on two squares.
    fn visit_placement(
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

    /// Returns the free squares as one bit set, and its frame (the size of the board and the
    /// arrangement of its rows). Returns `None` unless the board has 1 to 128 squares.
    pub(crate) fn squares(&self) -> Option<(Frame, u128)> {
        match self {
            Self::Region(squares) => Some((EIGHT_BY_EIGHT, (*squares).into())),
            Self::Wide(planes) => Some((planes.frame(), planes.sets[0])),
            Self::Full(grid) => grid.squares(),
        }
    }

    /// Visits the connected regions of at least two squares. A region whose bounding box has at
    /// most 128 squares is passed as its least image under `symmetries`.
    pub(crate) fn regions(&self, symmetries: Symmetries, visit: &mut dyn FnMut(Self)) {
        if let Self::Region(squares) = *self {
            let steps = EIGHT_BY_EIGHT.steps::<u64>();
            return steps.groups(squares, squares, false, |region| {
                if !region.is_power_of_two() {
                    visit(Self::Region(least_image(region, symmetries)));
                }
            });
        }
        match (self, self.squares()) {
            (_, Some((frame, squares))) => {
                let planes = Planes::new((frame, [squares]));
                planes.groups(squares, ORTHOGONAL, [false], &mut |region| {
                    visit(Self::of_planes(&region, symmetries));
                });
            }
            (Self::Full(grid), None) => grid.regions(false, &mut |_, region| {
                // A region of a large board may be small enough for a word.
                visit(match region.squares() {
                    Some((frame, squares)) => {
                        Self::of_planes(&Planes::new((frame, [squares])), symmetries)
                    }
                    None => Self::Full(region),
                });
            }),
            _ => {}
        }
    }

    /// Returns the least image of a region under `symmetries`. The frame of `region` must be the
    /// bounding box of the region.
    fn of_planes(region: &Planes<1>, symmetries: Symmetries) -> Self {
        if region.height > 8 || region.width > 8 {
            return Self::Wide(region.least(symmetries));
        }
        let bounds = region.frame().bounding_box(region.sets[0], Layout::Eight);
        Self::Region(least_image(bounds.crop(region.sets[0]) as u64, symmetries))
    }

    /// Returns the reserves of Left and of Right, that is, counts of disjoint places for their
    /// dominoes. Left places vertical dominoes, and Right places horizontal ones.
    pub(crate) fn reserves(&self) -> [Reserve; 2] {
        let orientations = [Orientation::Vertical, Orientation::Horizontal];
        match self {
            Self::Region(squares) => orientations
                .map(|orientation| EIGHT_BY_EIGHT.steps::<u64>().reserve(*squares, orientation)),
            Self::Wide(planes) => {
                let steps = planes.frame().steps();
                orientations.map(|orientation| steps.reserve(planes.sets[0], orientation))
            }
            Self::Full(_) => {
                // Boards of more than 128 squares count only safe placements. Smaller counts are
                // still valid bounds.
                let [upright, flat] =
                    orientations.map(|orientation| self.domino_counts(orientation));
                [[upright, flat], [flat, upright]].map(|[own, other]| Reserve {
                    safe: own[1],
                    against: other[0],
                    spare: other[2],
                    ..Reserve::default()
                })
            }
        }
    }

    /// Returns three counts for dominoes in one orientation. The first two are the maximum number
    /// of dominoes that fit and the maximum number of safe dominoes that fit. The third is the
    /// number of maximal runs of free squares in this orientation that have odd length.
    ///
    /// A domino is safe if no domino of the opponent can cover one of its squares.
    fn domino_counts(&self, orientation: Orientation) -> [i32; 3] {
        let (width, height) = self.size();
        let (lines, length) = orientation.swap_if_vertical((height, width));
        let free = |line: usize, index: usize| {
            line < lines && index < length && {
                let (row, column) = orientation.swap_if_vertical((line, index));
                self.is_free(row, column)
            }
        };
        let mut count = [0, 0, 0];
        for line in 0..lines {
            let mut runs = [0, 0];
            // The index after the last square ends the last run.
            for index in 0..=length {
                let here = free(line, index);
                let safe = here && !free(line + 1, index) && !free(line.wrapping_sub(1), index);
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

    /// Returns the transpose. For [`Board::Region`] and `Board::Wide`, returns the least of the
    /// four images of the transpose that keep horizontal dominoes horizontal.
    pub(crate) fn transposed(&self) -> Self {
        match self {
            Self::Region(squares) => {
                Self::Region(least_image(squares.transposed_8x8(), Symmetries::Four))
            }
            Self::Wide(planes) => Self::Wide(planes.transposed().least(Symmetries::Four)),
            Self::Full(grid) => Self::Full(grid.transposed()),
        }
    }

    /// Returns the numbers of columns and rows. In a region on the 8 by 8 board, columns and rows
    /// after the last free square are not counted.
    fn extent(&self) -> (usize, usize) {
        match *self {
            Self::Region(squares) if squares != 0 => (
                EIGHT_BY_EIGHT.columns(squares).highest() as usize + 1,
                squares.highest() as usize / 8 + 1,
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

/// Passes the two squares of each placement of a domino on `squares` to `visit_pair`.
fn visit_placements<W: Word>(
    frame: Frame,
    squares: W,
    orientations: &[Orientation],
    visit_pair: &mut impl FnMut((usize, usize), (usize, usize)) -> Flow,
) -> Flow {
    let (steps, stride) = (frame.steps(), frame.stride() as usize);
    for &orientation in orientations {
        let (down, right) = orientation.swap_if_vertical((0, 1));
        let mut rest = steps.dominoes(squares, orientation);
        while !rest.is_zero() {
            let square = rest.trailing_zeros() as usize;
            rest = rest ^ rest.lowest();
            let (row, column) = (square / stride, square % stride);
            visit_pair((row, column), (row + down, column + right))?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the least image of a set of squares on an 8 by 8 board under `symmetries`. The image is
/// moved to the upper left corner.
fn least_image(squares: u64, symmetries: Symmetries) -> u64 {
    if squares == 0 {
        return 0;
    }
    let bounds = EIGHT_BY_EIGHT.bounding_box(squares, Layout::Eight);
    let (_, [least]) = bounds
        .frame
        .least([bounds.crop(squares)], symmetries, Ord::min);
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_region_have_one_canonical_image() {
        // The L-tetromino has no symmetry, so its eight images differ.
        let region = 0b0000_0011_u64 | 0b0000_0001 << 8 | 0b0000_0001 << 16;
        let turned = region.transposed_8x8();
        for image in [region.swap_bytes(), region.reverse_bits(), region << 18] {
            for symmetries in [Symmetries::Four, Symmetries::Eight] {
                assert_eq!(
                    least_image(image, symmetries),
                    least_image(region, symmetries)
                );
            }
        }
        assert_eq!(
            least_image(turned, Symmetries::Eight),
            least_image(region, Symmetries::Eight)
        );
        assert_ne!(
            least_image(turned, Symmetries::Four),
            least_image(region, Symmetries::Four)
        );
        assert_eq!(0b10_u64.transposed_8x8(), 1 << 8);
    }
}
