//! Boards with a letter for each square: a free square, a blocked square, or a stone of a player.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use grundy_base::message;

use super::grid::{Direction, Symmetries};
use super::large::{Grid, View};
use super::planes::Planes;
use super::sides;
use crate::argument::text_of_letters;
use crate::argument::{Arguments, squares};
use grundy_base::Diagnostic;
use grundy_base::limits::Halt;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::rules::{Ruleset, Sides};

pub(crate) const FREE: u8 = b'.';
pub(crate) const BLOCKED: u8 = b'#';
/// The letter for a stone of Left, and the letter for a stone of Right.
pub(crate) const STONES: [u8; 2] = [b'x', b'o'];

/// Maximal number of squares of a board.
const MAX_SQUARES: usize = 10_000;

/// A board, or a region cut out of a board, with one letter for each square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    height: u16,
    width: u16,
    squares: Box<[u8]>,
}

impl Stones {
    /// Reads the argument `board`, a list of strings of the given letters. The first of these
    /// letters denotes a free square.
    ///
    /// # Errors
    /// An argument that is not a list of equally long strings of these letters.
    pub(crate) fn read(
        arguments: &Arguments<'_>,
        letters: &str,
        help: &grundy_base::Message,
    ) -> Result<Self, Diagnostic> {
        let [Some((at, board))] = arguments.bind(["board"], 1)? else {
            unreachable!("bind has seen to it that the board is there");
        };
        let board = squares(board, &[at], letters, help, MAX_SQUARES)?;
        Ok(Self {
            height: board.height as u16,
            width: board.width as u16,
            squares: board.letters.into(),
        })
    }

    /// Returns the help text for an error about a letter other than `x`, `o`, `.` and `#`.
    pub(crate) fn help() -> grundy_base::Message {
        message!(
            "write x for a stone of Left, o for a stone of Right, . for a free square and # for a blocked square"
        )
    }

    /// Returns the letters, row by row.
    pub(crate) fn letters(&self) -> &[u8] {
        &self.squares
    }

    /// Returns the number of squares with this letter.
    pub(crate) fn count(&self, letter: u8) -> i64 {
        self.squares_with(letter).count() as i64
    }

    /// Returns the squares with this letter, row by row.
    pub(crate) fn squares_with(&self, letter: u8) -> impl Iterator<Item = usize> + '_ {
        (0..self.squares.len()).filter(move |&square| self.squares[square] == letter)
    }

    /// Returns the row and the column of a square.
    pub(crate) fn row_and_column(&self, square: usize) -> [usize; 2] {
        let width = usize::from(self.width);
        [square / width, square % width]
    }

    /// Returns the square one step away from `square`, or `None` if it is beyond the edge of the
    /// board.
    pub(crate) fn step(&self, square: usize, [down, right]: Direction) -> Option<usize> {
        let [row, column] = self.row_and_column(square);
        // A step off the upper or left edge wraps to a huge number, which the comparison below
        // rejects.
        let row = row.wrapping_add_signed(down);
        let column = column.wrapping_add_signed(right);
        let on_board = row < usize::from(self.height) && column < usize::from(self.width);
        on_board.then(|| row * usize::from(self.width) + column)
    }

    /// Returns the squares one step away from `square` in one of `directions`.
    pub(crate) fn neighbours(
        &self,
        square: usize,
        directions: &[Direction],
    ) -> impl Iterator<Item = usize> {
        directions
            .iter()
            .filter_map(move |&direction| self.step(square, direction))
    }

    /// Returns the free squares in one direction from `square`, up to the first square that is not
    /// free.
    pub(crate) fn free_run(
        &self,
        square: usize,
        direction: Direction,
    ) -> impl Iterator<Item = usize> {
        let next = move |&square: &usize| self.step(square, direction);
        std::iter::successors(next(&square), next).take_while(|&at| self.squares[at] == FREE)
    }

    /// Returns the board with the letters of some squares replaced.
    pub(crate) fn with<const N: usize>(&self, changes: [(usize, u8); N]) -> Self {
        let mut board = self.clone();
        for (square, letter) in changes {
            board.squares[square] = letter;
        }
        board
    }

    /// Creates a move whose action is a `Step` with the code `code`. The rows and columns of
    /// `squares` identify the move, and they are also the arguments of the step.
    pub(crate) fn move_on_squares<const N: usize>(
        &self,
        code: &'static str,
        squares: [usize; N],
    ) -> Move {
        const NAMES: [[&str; 2]; 3] = [["row", "column"], ["row2", "column2"], ["row3", "column3"]];
        let places = squares.map(|square| self.row_and_column(square));
        let action = NAMES
            .iter()
            .zip(places)
            .fold(Step::new(code), |step, ([row, column], place)| {
                step.with(row, place[0]).with(column, place[1])
            });
        let at: Vec<u64> = places.as_flattened().iter().map(|&n| n as u64).collect();
        Move::new(at, action)
    }

    /// Visits the connected components of more than one square, each as its least image.
    ///
    /// A component consists of squares whose letters satisfy `belongs`. Its squares are connected
    /// by steps in `directions`. Other squares of its bounding box get the letter `outside`.
    pub(crate) fn components(
        &self,
        belongs: impl Fn(u8) -> bool,
        directions: &[Direction],
        outside: u8,
        symmetries: Symmetries,
        visit: &mut dyn FnMut(Self),
    ) {
        // Splitting a row costs one pass and one copy. This matters because every option of a long
        // row is split here.
        if self.height == 1 {
            let runs = self.squares.split(|&letter| !belongs(letter));
            return (runs.filter(|run| run.len() > 1)).for_each(|run| visit(Self::least_row(run)));
        }
        if let Some(planes) = self.planes() {
            let (squares, outside) = (planes.squares(belongs), Planes::digits(outside));
            return planes.groups(squares, directions, outside, &mut |group| {
                visit(Self::from(group.least(symmetries)));
            });
        }
        // The board is too large for a word, so this is a flood fill over runs of squares.
        let mut grid = Grid::blocked(self.width.into(), self.height.into());
        for (square, _) in (0..)
            .zip(&self.squares)
            .filter(|(_, letter)| belongs(**letter))
        {
            let [row, column] = self.row_and_column(square);
            grid.set(row, column..column + 1, true);
        }
        grid.regions(directions.contains(&[1, 1]), &mut |[top, left], part| {
            let squares =
                (0..part.height).flat_map(|row| (0..part.width).map(move |column| (row, column)));
            let letter = |(row, column)| {
                if part.is_free(row, column) {
                    self.squares[(top + row) * usize::from(self.width) + left + column]
                } else {
                    outside
                }
            };
            let part = Self {
                height: part.height as u16,
                width: part.width as u16,
                squares: squares.map(letter).collect(),
            };
            visit(part.least(symmetries));
        });
    }

    /// Returns the lesser of a row and its reverse.
    fn least_row(row: &[u8]) -> Self {
        // Half of the row is enough: if the row and its reverse agree there, the row is a
        // palindrome.
        let half = row.len().div_ceil(2);
        let reverse_is_less = row.iter().rev().take(half).lt(&row[..half]);
        let mut squares: Box<[u8]> = row.into();
        if reverse_is_less {
            squares.reverse();
        }
        Self {
            height: 1,
            width: squares.len() as u16,
            squares,
        }
    }

    /// Returns the image of the board under the identity.
    fn identity(&self) -> View {
        View::new(self.height.into(), self.width.into())
    }

    /// Returns the letters of an image of the board, row by row.
    fn letters_of<'a>(&'a self, view: &View) -> impl Iterator<Item = u8> + 'a {
        view.squares().map(|square| self.squares[square])
    }

    /// Returns the stones of Left and of Right, cut to their common bounding box, in the least of
    /// the eight images of this box.
    ///
    /// Returns `None` if there are no stones or the board has more than 64 squares.
    pub(crate) fn sides(&self) -> Option<Sides> {
        let planes = self.planes().filter(|_| self.squares.len() <= 64)?;
        let sets = STONES.map(|stone| planes.squares(|letter| letter == stone) as u64);
        let (mut frame, mut lying) = (planes.frame(), sets);
        // A board of more than 8 rows and fewer than 8 columns may not fit a word in rows of 8
        // squares. Its transpose does.
        if frame.height > frame.width {
            (frame, lying) = frame.transposed(sets);
        }
        (sets != [0, 0]).then(|| sides::least(frame, lying))
    }

    /// Returns the board as bit sets, or `None` if it has more than 128 squares.
    fn planes(&self) -> Option<Planes<2>> {
        Planes::of_letters(self.height, self.width, &self.squares)
    }

    /// Returns the least image of the board under the group `symmetries`.
    pub(crate) fn least(&self, symmetries: Symmetries) -> Self {
        match self.planes() {
            Some(planes) => planes.least(symmetries).into(),
            None => self.least_view(symmetries),
        }
    }

    /// Returns the least image under the group `symmetries`, for a board of any size.
    fn least_view(&self, symmetries: Symmetries) -> Self {
        let least = self.identity().images(symmetries).reduce(|least, view| {
            match self.letters_of(&view).cmp(self.letters_of(&least)) {
                Ordering::Less => view,
                _ => least,
            }
        });
        least.map_or_else(|| self.clone(), |view| self.image(&view))
    }

    /// Returns the board that the image `view` shows.
    fn image(&self, view: &View) -> Self {
        Self {
            height: view.height as u16,
            width: view.width as u16,
            squares: self.letters_of(view).collect(),
        }
    }

    /// Returns the transpose of the board.
    pub(crate) fn transposed(&self) -> Self {
        self.image(&self.identity().transposed())
    }

    /// Exchanges the stones of the players. Returns the least of the eight rotations and
    /// reflections of the resulting board.
    pub(crate) fn exchanged(&self) -> Self {
        if let Some(planes) = self.planes() {
            return planes.exchanged().least(Symmetries::Eight).into();
        }
        let [left, right] = STONES;
        let other = |&letter: &u8| match letter {
            _ if letter == left => right,
            _ if letter == right => left,
            _ => letter,
        };
        Self {
            squares: self.squares.iter().map(other).collect(),
            ..*self
        }
        .least(Symmetries::Eight)
    }

    /// Returns the rows as strings.
    fn rows(&self) -> impl Iterator<Item = String> + '_ {
        let width = usize::from(self.width);
        (0..usize::from(self.height))
            .map(move |row| text_of_letters(&self.squares[row * width..][..width]))
    }

    /// Returns the text `name(["...", "..."])` of the board.
    pub(crate) fn write(&self, name: &str) -> String {
        let rows: Vec<String> = self.rows().map(|row| format!("\"{row}\"")).collect();
        format!("{name}([{}])", rows.join(", "))
    }

    /// Returns a picture of several boards, one below the other.
    pub(crate) fn picture(boards: &[Self]) -> Picture {
        Picture::Board(boards.iter().flat_map(Self::rows).collect())
    }
}

impl From<Planes<2>> for Stones {
    fn from(planes: Planes<2>) -> Self {
        Self {
            height: planes.height as u16,
            width: planes.width as u16,
            squares: planes.letters(),
        }
    }
}

/// Returns whether at least one player has a move in a component of a position.
pub(crate) fn has_moves<R: Ruleset>(rules: &R, part: &R::Part) -> bool {
    Player::BOTH.into_iter().any(|player| {
        // The first option ends the enumeration.
        let stop = &mut |_: &[R::Part], _: &dyn Fn() -> Move| ControlFlow::Break(Halt::Enough);
        rules.options(player, 0, part, stop).is_break()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::grid::{ALL_DIRECTIONS, ORTHOGONAL};

    fn board(height: u16, width: u16, seed: &mut u64, letters: &[u8]) -> Stones {
        let mut letter = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            letters[(*seed >> 33) as usize % letters.len()]
        };
        let squares = (0..height * width).map(|_| letter()).collect();
        Stones {
            height,
            width,
            squares,
        }
    }

    /// Returns the groups of a board after padding it beyond 128 squares.
    ///
    /// The code for large boards finds these groups. The test compares them with the groups that
    /// the code for small boards finds.
    fn groups_of_padded_board(
        small: &Stones,
        belongs: fn(u8) -> bool,
        directions: &[Direction],
        outside: u8,
        symmetries: Symmetries,
    ) -> Vec<Stones> {
        let (height, width) = (small.height.max(12), small.width + 12);
        let mut large = Stones {
            height,
            width,
            squares: vec![outside; usize::from(height * width)].into(),
        };
        for row in 0..usize::from(small.height) {
            let line = &small.squares[row * usize::from(small.width)..][..usize::from(small.width)];
            large.squares[row * usize::from(width)..][..line.len()].copy_from_slice(line);
        }
        assert!(large.squares.len() > 128);
        let mut groups = Vec::new();
        large.components(belongs, directions, outside, symmetries, &mut |group| {
            groups.push(group);
        });
        groups
    }

    #[test]
    fn packed_boards_agree_with_letters() {
        let mut seed = 7;
        // Boards of one row, of up to 64 and of up to 128 squares are processed in three different
        // ways. The extreme shapes test the longest strides.
        let sizes = [
            (1, 1),
            (1, 9),
            (9, 1),
            (2, 64),
            (64, 2),
            (1, 128),
            (128, 1),
            (3, 4),
            (4, 4),
            (5, 3),
            (11, 11),
            (8, 16),
        ];
        for round in 0..300 {
            let (height, width) = sizes[round % sizes.len()];
            for (letters, belongs, outside) in [
                (
                    &b"..xo#"[..],
                    (|letter| letter != BLOCKED) as fn(u8) -> bool,
                    BLOCKED,
                ),
                (b"xo.", |letter| STONES.contains(&letter), FREE),
            ] {
                let small = board(height, width, &mut seed, letters);
                for (directions, symmetries) in [
                    (ORTHOGONAL, Symmetries::Four),
                    (ALL_DIRECTIONS, Symmetries::Eight),
                ] {
                    let mut groups = Vec::new();
                    small.components(belongs, directions, outside, symmetries, &mut |group| {
                        groups.push(group);
                    });
                    let expected =
                        groups_of_padded_board(&small, belongs, directions, outside, symmetries);
                    let count = |of: &[Stones], one: &Stones| {
                        of.iter().filter(|other| *other == one).count()
                    };
                    assert_eq!(groups.len(), expected.len(), "{}", small.write("board"));
                    for group in &expected {
                        assert_eq!(
                            count(&groups, group),
                            count(&expected, group),
                            "{}",
                            small.write("board")
                        );
                    }
                }
                for symmetries in [Symmetries::Four, Symmetries::Eight] {
                    assert_eq!(small.least(symmetries), small.least_view(symmetries));
                }
                let twice = small.exchanged().exchanged();
                assert_eq!(twice, small.least(Symmetries::Eight));
                let most = [STONES[0], STONES[1]].map(|stone| small.count(stone));
                let exchanged = small.exchanged();
                assert_eq!(
                    most,
                    [STONES[1], STONES[0]].map(|stone| exchanged.count(stone))
                );
            }
        }
    }
}
