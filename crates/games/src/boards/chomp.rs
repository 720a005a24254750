//! Chomp: `chomp(rows...)`.
//!
//! Rules. A bar of chocolate has rows of squares, each row at most as long as the one above. Square
//! (0, 0) is poisoned. A bite at (r, c) removes all squares with row >= r and column >= c. The
//! player who must eat the poison loses. Hence the bite at (0, 0) is never made, and a bar of one
//! square is the end.
//!
//! Theorems (D. Gale, A curious Nim-type game, Amer. Math. Monthly 81 (1974), 876-879).
//!
//! - A single row or column of n squares is a Nim heap of n - 1.
//! - A rectangle of more than one square is N, by strategy stealing. If the bite of the far corner
//!   does not win, the opponent's winning answer could have been played at once.
//! - Two rows, or two columns, are P if and only if the second is one shorter than the first.
//! - In a square, the bite at (1, 1) wins. It leaves a row and a column of equal length, in which
//!   every bite can be mirrored.
//!
//! Nothing else is known in general: other values come from search.

mod diagrams;
mod ranked;
mod young_diagram;

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use self::diagrams::Diagrams;
use crate::argument::{Argument, Arguments};
use crate::kit::ranked::RetrogradeAdapter;
use grundy_base::Diagnostic;
use grundy_base::limits::{Flow, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::RankedGame;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ranking, Ruleset, Shortcuts, Tabulation, Teaching,
    Theorem, Theorems, Visit, call,
};

/// The theorem on bars of one row or one column.
pub const ONE_ROW: Theorem = Theorem {
    method: "bouton",
    name: "a single row of Chomp",
    statement: "a row of n squares is equal to a Nim heap of size n - 1",
    source: "D. Gale, A curious Nim-type game, American Mathematical Monthly 81 (1974), 876-879",
};

/// The theorem on rectangles.
pub const STEALING: Theorem = Theorem {
    method: "strategy stealing",
    name: "strategy stealing",
    statement: "a rectangle of more than one square is N: a winning answer to the bite of the \
                far corner could have been played at once",
    source: "D. Gale, A curious Nim-type game, American Mathematical Monthly 81 (1974), 876-879",
};

/// The theorem on bars of two rows or two columns.
pub const TWO_ROWS: Theorem = Theorem {
    method: "two-rowed chomp",
    name: "Chomp with two rows",
    statement: "two rows, or two columns, are P if and only if the second is one shorter than \
                the first",
    source: "D. Gale, A curious Nim-type game, American Mathematical Monthly 81 (1974), 876-879",
};

/// The rules of Chomp. Each part of a position is a bar, given by the lengths of its nonempty rows.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Chomp;

/// Maximal number of rows of a bar.
const MAX_ROWS: usize = 100_000;

/// Reads `chomp(rows...)`.
///
/// # Errors
/// Rows that are longer than the row above, or no square at all.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::chomp};
/// // With two rows, the player to move loses if the lower row is one square shorter.
/// let items = [5, 4].map(|row| (None, Argument::Int(row)));
/// let position = Position::from(chomp::construct(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::P));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let too_many = || {
        Diagnostic::illegal(message!(
            "a bar of more than {rows} rows is too large",
            rows = MAX_ROWS
        ))
    };
    let mut rows = match arguments.items {
        [(None, Argument::Board(height, width))] => {
            let rows = usize::try_from(*height)
                .ok()
                .filter(|&rows| rows <= MAX_ROWS);
            vec![*width; rows.ok_or_else(|| too_many().at([0]))?]
        }
        _ => arguments.numbers(0, 0)?,
    };
    if let Some(index) = (1..rows.len()).find(|&i| rows[i] > rows[i - 1]) {
        return Err(Diagnostic::illegal(message!(
            "row {index}, counted from 0, is longer than the row above it",
            index
        ))
        .at([index])
        .help(message!(
            "list the rows from the longest to the shortest, as in chomp(4, 3, 1)"
        )));
    }
    rows.retain(|&row| row > 0);
    if rows.is_empty() {
        return Err(
            Diagnostic::illegal(message!("a bar needs at least the poisoned square")).help(
                message!("chomp(1) is the terminal position: only the poisoned square is left"),
            ),
        );
    }
    if rows.len() > MAX_ROWS {
        return Err(too_many());
    }
    Ok(Term::new(Chomp, vec![rows]).into())
}

/// Visits the bar that is left by the bite at the square in row `row` and column `column`.
fn bite(rows: &[u64], row: usize, column: u64, visit: Visit<'_, Vec<u64>>) -> Flow {
    let mut after = rows[..row].to_vec();
    // A bite in column 0 removes whole rows, and rows without squares are not stored.
    if column > 0 {
        after.extend(rows[row..].iter().map(|&length| length.min(column)));
    }
    visit(&[after], &|| {
        let step = Step::new("bite").with("row", row).with("column", column);
        Move::new([row as u64, column], step)
    })
}

/// Returns the lengths of the first two columns.
fn columns(rows: &[u64]) -> [u64; 2] {
    [1, 2].map(|column| rows.iter().filter(|&&row| row >= column).count() as u64)
}

impl Ruleset for Chomp {
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        "chomp"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Vec<u64>> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            ranks: Some(self),
            teaching: Some(self),
            value_table: Some(Tabulation {
                table: || Box::new(Diagrams::default()),
                complete: false,
            }),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, rows: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> Flow {
        (0..rows.len()).try_for_each(|row| {
            // The poisoned square is never bitten.
            let least = u64::from(row == 0);
            (least..rows[row]).try_for_each(|column| bite(rows, row, column, visit))
        })
    }

    fn components(&self, rows: &Vec<u64>, visit: &mut dyn FnMut(Vec<u64>)) {
        // A bar and its transpose are the same game, so the lesser of them represents both. Large
        // bars are not transposed, since a bar of few rows may have very many columns.
        if rows[0] <= 64 && rows.len() <= 64 {
            let height =
                |column: u64| rows.iter().take_while(|&&length| length > column).count() as u64;
            let mirrored: Vec<u64> = (0..rows[0]).map(height).collect();
            visit(mirrored.min(rows.clone()));
        } else {
            visit(rows.clone());
        }
    }

    fn write(&self, parts: &[Vec<u64>]) -> String {
        call("chomp", parts.iter().flatten())
    }
}

impl Theorems<Vec<u64>> for Chomp {
    fn grundy(&self, rows: &Vec<u64>) -> Option<ByTheorem<u64>> {
        let value = match &rows[..] {
            [row] => row - 1,
            [1, ..] => rows.len() as u64 - 1,
            _ => return None,
        };
        Some(ByTheorem {
            value,
            theorem: &ONE_ROW,
        })
    }

    fn outcome(&self, rows: &Vec<u64>, play: Play) -> Option<ByTheorem<Outcome>> {
        // The theorems about outcomes hold in normal play only.
        if play == Play::Misere {
            return None;
        }
        let last = rows[rows.len() - 1];
        match &rows[..] {
            // For one row or one column, `grundy` returns the value, which determines the outcome.
            [_] | [1, ..] => None,
            [a, b] => Some(ByTheorem {
                value: Outcome::from_win(a - b != 1),
                theorem: &TWO_ROWS,
            }),
            [2, ..] => {
                let [first, second] = columns(rows);
                Some(ByTheorem {
                    value: Outcome::from_win(first - second != 1),
                    theorem: &TWO_ROWS,
                })
            }
            [first, ..] if *first == last => Some(ByTheorem {
                value: Outcome::N,
                theorem: &STEALING,
            }),
            _ => None,
        }
    }
}

impl Shortcuts<Vec<u64>> for Chomp {
    fn options_to(
        &self,
        _: usize,
        rows: &Vec<u64>,
        goal: Goal,
        visit: Visit<'_, Vec<u64>>,
    ) -> Option<Flow> {
        match (&rows[..], goal) {
            ([row], Goal::Grundy(value)) => Some(if value + 1 < *row {
                bite(rows, 0, value + 1, visit)
            } else {
                ControlFlow::Continue(())
            }),
            // The P-positions are (n, n - 1). One is reached by shortening the second row by one
            // square if the rows are equal, and otherwise by shortening the first row.
            ([a, b], Goal::P(Play::Normal)) => Some(if a == b {
                bite(rows, 1, a - 1, visit)
            } else if b + 1 < *a {
                bite(rows, 0, b + 1, visit)
            } else {
                ControlFlow::Continue(())
            }),
            _ => None,
        }
    }
}

impl Ranking<Vec<u64>> for Chomp {
    fn ranked(&self, parts: &[Vec<u64>]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let [bar] = parts else { return Ok(None) };
        Ok(ranked::Bars::new(bar)
            .map(|bars| Arc::new(RetrogradeAdapter(bars)) as Arc<dyn RankedGame>))
    }
}

impl Teaching<Vec<u64>> for Chomp {
    fn theorem_application(&self, rows: &Vec<u64>, play: Play) -> Option<Step> {
        let known = self.outcome(rows, play);
        let step = |code| Step::new(code).with("rows", rows.clone());
        match (&rows[..], known) {
            ([1], _) => Some(step("chomp_end")),
            ([n], _) => Some(step("chomp_row").with("size", *n).with("value", n - 1)),
            ([1, ..], _) => Some(
                step("chomp_column")
                    .with("size", rows.len())
                    .with("value", rows.len() as u64 - 1),
            ),
            ([a, b], Some(known)) => {
                let losing = known.value == Outcome::P;
                let code = match (losing, a == b) {
                    (true, _) => "chomp_two_rows_p",
                    (_, true) => "chomp_two_rows_equal",
                    _ => "chomp_two_rows_n",
                };
                Some(step(code).with("first", *a).with("second", *b))
            }
            ([2, ..], Some(known)) => {
                let [first, second] = columns(rows);
                let code = match (known.value, first == second) {
                    (Outcome::P, _) => "chomp_two_columns_p",
                    (_, true) => "chomp_two_columns_equal",
                    _ => "chomp_two_columns_n",
                };
                Some(step(code).with("first", first).with("second", second))
            }
            // A square of more than one row. Its winning bite is known explicitly.
            ([side, .., last], Some(_)) if side == last && *side == rows.len() as u64 => {
                Some(step("chomp_square").with("arm", side - 1))
            }
            (_, Some(_)) => Some(step("chomp_stealing")),
            ([arm, 1, ..], None) if play == Play::Normal && *arm == rows.len() as u64 => {
                Some(step("chomp_arms").with("arm", arm - 1))
            }
            _ => None,
        }
    }

    /// Returns the length of the longest game, in which each bite removes one square.
    fn longest_play(&self, rows: &Vec<u64>) -> Option<u128> {
        Some(rows.iter().map(|&row| u128::from(row)).sum::<u128>() - 1)
    }
}

impl Pictures<Vec<u64>> for Chomp {
    fn picture(&self, parts: &[Vec<u64>]) -> Picture {
        Picture::Rows(parts.concat())
    }
}
