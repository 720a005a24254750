//! k in a row: `k_in_a_row(board, k, diagonals=True)`, `tic_tac_toe()` and `tic_toe()`.
//!
//! Rules. X and O alternately mark an empty square, X first. The first player to have k marks in a
//! row wins. A row is horizontal or vertical, and with `diagonals` also diagonal. If the board is
//! full and neither player has a row, the game is a tie. Tic-Tac-Toe is 3 in a row on 3 by 3
//! squares. Tic-Toe is 2 in a row on 2 by 2 squares without diagonals.
//!
//! No theorem is used: the result comes from search over positions up to symmetry.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Argument, Arguments, number, squares, type_error};
use grundy_base::diagnostic::Diagnostic;
use grundy_base::limits::{Flow, Stop};
use grundy_base::outcome::PayoffResult;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Beginner, Capabilities, Captions, Ends, Nature, Payoffs, Pictures, Ruleset, Visit,
};

/// Maximal number of squares of a board.
const MAX_SQUARES: usize = 128;

/// The rules of k in a row on a board of fixed size.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct KInARow {
    width: usize,
    squares: usize,
    k: u64,
    diagonals: bool,
    /// All winning rows, as sets of squares.
    rows: Vec<u128>,
    /// All symmetries of the board. Each is a list that contains, for each square, the index of its
    /// image.
    symmetries: Vec<Vec<u8>>,
}

/// The squares marked by X and by O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks {
    x: u128,
    o: u128,
}

impl KInARow {
    fn new(height: usize, width: usize, k: u64, diagonals: bool) -> Self {
        let mut directions: Vec<(isize, isize)> = vec![(0, 1), (1, 0)];
        if diagonals {
            directions.extend([(1, 1), (1, -1)]);
        }
        let mut rows = Vec::new();
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |c| (row, c))) {
            for &(down, right) in &directions {
                let squares: Option<u128> = (0..k as isize).try_fold(0, |set, step| {
                    let row = row.checked_add_signed(step.checked_mul(down)?)?;
                    let column = column.checked_add_signed(step.checked_mul(right)?)?;
                    (row < height && column < width).then(|| set | 1 << (row * width + column))
                });
                rows.extend(squares.filter(|_| k as usize <= height.max(width)));
            }
        }
        // For k = 1 all directions give the same set.
        rows.sort_unstable();
        rows.dedup();
        let mut symmetries = Vec::new();
        for symmetry in 0..8 {
            let (flip, mirror, swap) = (symmetry & 1 != 0, symmetry & 2 != 0, symmetry & 4 != 0);
            // The transpose is a symmetry of square boards only.
            if swap && height != width {
                continue;
            }
            let image = |square: usize| {
                let (mut row, mut column) = (square / width, square % width);
                if flip {
                    row = height - 1 - row;
                }
                if mirror {
                    column = width - 1 - column;
                }
                if swap {
                    (row, column) = (column, row);
                }
                (row * width + column) as u8
            };
            symmetries.push((0..height * width).map(image).collect());
        }
        Self {
            width,
            squares: height * width,
            k,
            diagonals,
            rows,
            symmetries,
        }
    }

    fn rows_of(&self, marks: Marks) -> Vec<String> {
        let letter = |square: usize| match (marks.x >> square & 1, marks.o >> square & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        };
        (0..self.squares)
            .step_by(self.width.max(1))
            .map(|first| (first..first + self.width).map(letter).collect())
            .collect()
    }

    fn has_row(&self, marks: u128) -> bool {
        self.rows.iter().any(|&row| row & !marks == 0)
    }
}

/// Reads `k_in_a_row(board, k, diagonals=True)`.
///
/// # Errors
/// An argument that is not a board, or marks that X and O cannot have made in turn.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Play, Position, Solver, ruleset::k_in_a_row};
/// let items = [(None, Argument::Board(3, 3)), (None, Argument::Int(3))];
/// let position = Position::from(k_in_a_row::construct(&Arguments { items: &items })?);
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.verdict().to_string(), "tie");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((first, board)), Some((second, k)), diagonals] =
        arguments.bind(["board", "k", "diagonals"], 2)?
    else {
        unreachable!("bind has seen to it that both are there");
    };
    let k = number(k, &[second], 1, MAX_SQUARES as u64)?;
    let diagonals = match diagonals {
        None | Some((_, Argument::Bool(true))) => true,
        Some((_, Argument::Bool(false))) => false,
        Some((place, value)) => {
            return Err(type_error(&message!("True or False"), value, &[place]));
        }
    };
    let help = message!("write . for an empty square, and X and O for the marks");
    let board = squares(board, &[first], ".XO", &help, MAX_SQUARES)?;
    let marked = |mark: u8| {
        let squares = (0..).zip(&board.letters).filter(|(_, c)| **c == mark);
        squares.fold(0, |set: u128, (square, _)| set | 1 << square)
    };
    let marks = Marks {
        x: marked(b'X'),
        o: marked(b'O'),
    };
    let rules = KInARow::new(board.height, board.width, k, diagonals);
    let (x, o) = (marks.x.count_ones(), marks.o.count_ones());
    if x != o && x != o + 1 {
        let message = message!(
            "the board has {x} X and {o} O, but X and O move alternately and X moves first",
            x,
            o
        );
        return Err(Diagnostic::illegal(message).at([first]));
    }
    // The game ends when a row is completed. Hence a player with a row made the last mark, and
    // before that mark this player had no row.
    let with_last = |marks: u128, last: bool| {
        let without =
            |square: usize| marks >> square & 1 == 1 && !rules.has_row(marks & !(1u128 << square));
        !rules.has_row(marks) || last && (0..rules.squares).any(without)
    };
    if !with_last(marks.x, x != o) || !with_last(marks.o, x == o) {
        let message = message!("the game had already ended before the last mark");
        return Err(Diagnostic::illegal(message).at([first]));
    }
    Ok(term(rules, marks))
}

fn term(rules: KInARow, marks: Marks) -> Arc<dyn AnyTerm> {
    Arc::new(Term::new(rules, vec![marks]))
}

/// Reads `tic_toe()`.
///
/// # Errors
/// Any argument.
///
/// # Examples
/// ```
/// use grundy_core::argument::Arguments;
/// use grundy_core::{Limits, Play, Position, Solver, ruleset::k_in_a_row};
/// let position = Position::from(k_in_a_row::tic_toe(&Arguments { items: &[] })?);
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.verdict().to_string(), "win");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tic_toe(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [] = arguments.bind([], 0)?;
    Ok(term(KInARow::new(2, 2, 2, false), Marks { x: 0, o: 0 }))
}

/// Reads `tic_tac_toe()`.
///
/// # Errors
/// Any argument.
///
/// # Examples
/// ```
/// use grundy_core::argument::Arguments;
/// use grundy_core::{Limits, Play, Position, Solver, ruleset::k_in_a_row};
/// let position = Position::from(k_in_a_row::tic_tac_toe(&Arguments { items: &[] })?);
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.verdict().to_string(), "tie");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tic_tac_toe(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [] = arguments.bind([], 0)?;
    Ok(term(KInARow::new(3, 3, 3, true), Marks { x: 0, o: 0 }))
}

impl Marks {
    fn to_move(self) -> Player {
        if self.x.count_ones() == self.o.count_ones() {
            Player::Left
        } else {
            Player::Right
        }
    }
}

impl Ruleset for KInARow {
    type Part = Marks;

    fn name(&self) -> &'static str {
        "k_in_a_row"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Marks> {
        Capabilities {
            payoffs: Some(self),
            players: Some(["X", "O"]),
            captions: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, marks: &Marks) -> Nature {
        Nature {
            ends: Ends::Payoff,
            beginner: Beginner::Fixed(marks.to_move()),
            ..Nature::PARTIZAN
        }
    }

    fn options(&self, player: Player, _: usize, marks: &Marks, visit: Visit<'_, Marks>) -> Flow {
        // Only the player who has just moved can have completed a row.
        if self.has_row(player.other().of([marks.x, marks.o])) {
            return ControlFlow::Continue(());
        }
        let taken = marks.x | marks.o;
        let mut free = (0..self.squares).filter(|square| taken >> square & 1 == 0);
        free.try_for_each(|square| {
            let mut after = *marks;
            match player {
                Player::Left => after.x |= 1 << square,
                Player::Right => after.o |= 1 << square,
            }
            visit(&[after], &|| {
                let (row, column) = (square / self.width, square % self.width);
                let code = player.of(["mark_x", "mark_o"]);
                let action = Step::new(code).with("row", row).with("column", column);
                Move::new([row as u64, column as u64], action)
            })
        })
    }

    fn components(&self, marks: &Marks, visit: &mut dyn FnMut(Marks)) {
        let moved = |set: u128, symmetry: &[u8]| {
            let (mut rest, mut image) = (set, 0u128);
            while rest != 0 {
                image |= 1 << symmetry[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            image
        };
        let images = self.symmetries.iter().map(|symmetry| Marks {
            x: moved(marks.x, symmetry),
            o: moved(marks.o, symmetry),
        });
        // The least image represents all images under the symmetries of the board.
        visit(images.min().unwrap_or(*marks));
    }

    fn write(&self, boards: &[Marks]) -> String {
        let diagonals = if self.diagonals {
            ""
        } else {
            ", diagonals=False"
        };
        let write = |marks: &Marks| {
            let rows = self.rows_of(*marks);
            let rows: Vec<String> = rows.iter().map(|row| format!("\"{row}\"")).collect();
            format!("k_in_a_row([{}], {}{diagonals})", rows.join(", "), self.k)
        };
        boards.iter().map(write).collect()
    }
}

impl Payoffs<Marks> for KInARow {
    fn payoff(&self, marks: &Marks, to_move: Player) -> Result<PayoffResult, Stop> {
        Ok(if self.has_row(to_move.other().of([marks.x, marks.o])) {
            PayoffResult::Lose
        } else {
            PayoffResult::Tie
        })
    }
}

impl Captions<Marks> for KInARow {
    fn caption(&self, marks: &Marks) -> String {
        self.rows_of(*marks).join("/").replace('.', "_")
    }
}

impl Pictures<Marks> for KInARow {
    fn picture(&self, boards: &[Marks]) -> Picture {
        let rows = boards.iter().flat_map(|marks| self.rows_of(*marks));
        Picture::Board(rows.collect())
    }
}
