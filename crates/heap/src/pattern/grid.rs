//! Patterns in the values and P-positions of a family with two variables.

use grundy_base::outcome::Outcome;

use super::{Finding, Form, wythoff_pair};

/// Largest modulus that is tried.
const MAX_MODULUS: u64 = 30;

/// Largest modulus in a table of more than [`MANY_CELLS`] cells, where each trial takes long.
const MAX_MODULUS_OF_MANY: u64 = 6;

const MANY_CELLS: usize = 1 << 22;

/// Number of rows and columns that a table must have for each unit of the modulus. So there are at
/// least nine positions with the same pair of remainders.
const SPAN: u64 = 3;

/// Least number of positions with the same remainders. If the table has gaps, there can be fewer
/// than nine.
const MIN_SEEN: u64 = 4;

/// Least number of cells that a pattern must explain.
const MIN_CELLS: usize = 16;

/// Largest number of pairs of remainders in a statement. Longer lists do not help a reader.
const MAX_PAIRS: usize = 12;

/// The outcome and the value of a position, if the position exists.
type Cell = Option<(Outcome, Option<u64>)>;

/// Returns the patterns in a table of a family with two variables a and b. Row i has the positions
/// with a = `row_first` + i, and column j those with b = `column_first` + j.
///
/// ```
/// use grundy_base::Outcome;
/// use grundy_heap::pattern::{Finding, in_table};
/// // Nim with two heaps.
/// let cell = |a: u64, b: u64| Some((Outcome::from_win(a != b), Some(a ^ b)));
/// let rows: Vec<Vec<_>> = (0..4).map(|a| (0..4).map(|b| cell(a, b)).collect()).collect();
/// assert_eq!(in_table((0, 0), &rows), [Finding::NimSum]);
/// ```
#[must_use]
pub fn in_table(first: (u64, u64), rows: &[Vec<Cell>]) -> Vec<Finding> {
    let (row_first, column_first) = first;
    let cells = || {
        rows.iter().zip(0..).flat_map(move |(row, i)| {
            row.iter()
                .zip(0..)
                .filter_map(move |(cell, j)| Some((row_first + i, column_first + j, (*cell)?)))
        })
    };
    let mut findings = Vec::new();
    let valued = || cells().filter_map(|(a, b, (_, grundy))| Some((a, b, grundy?)));
    if valued().nth(MIN_CELLS - 1).is_some() && valued().all(|(a, b, grundy)| grundy == a ^ b) {
        findings.push(Finding::NimSum);
    }
    let height = rows.len() as u64;
    let width = rows.iter().map(Vec::len).min().unwrap_or(0) as u64;
    let square = height.min(width);
    // A square of 8 rows and columns contains four pairs of Wythoff's game: (0, 0), (1, 2), (3, 5)
    // and (4, 7). Fewer pairs would be no evidence.
    if row_first == 0 && column_first == 0 && square >= 8 {
        let is_pair = |a: u64, b: u64| wythoff_pair(a.abs_diff(b)) == (a.min(b), a.max(b));
        if cells().all(|(a, b, (outcome, _))| (outcome == Outcome::P) == is_pair(a, b)) {
            let in_table = |&(a, b): &(u64, u64)| a < square && b < height.max(width);
            let pairs = (0..).map(wythoff_pair).take_while(in_table).count() as u64;
            findings.push(Finding::WythoffPairs { pairs });
        }
    }
    findings.extend(periodic(first, rows));
    let lost = || cells().map(|(a, b, (outcome, _))| (a, b, outcome == Outcome::P));
    findings.extend(residues(square, lost));
    findings
}

/// Returns the largest modulus for which a table has enough rows or columns.
fn most(length: u64, cells: usize) -> u64 {
    let limit = if cells > MANY_CELLS {
        MAX_MODULUS_OF_MANY
    } else {
        MAX_MODULUS
    };
    (length / SPAN).min(limit)
}

/// Returns a statement on values that depend only on remainders. All positions must have values.
fn periodic((row_first, column_first): (u64, u64), rows: &[Vec<Cell>]) -> Option<Finding> {
    let width = rows.first().map_or(0, Vec::len);
    let count = rows.len() * width;
    let value = |i: usize, j: usize| -> Option<u64> { (*rows.get(i)?.get(j)?)?.1 };
    let is_complete = count >= MIN_CELLS
        && rows.iter().all(|row| {
            row.len() == width
                && row
                    .iter()
                    .all(|cell| cell.is_some_and(|(_, value)| value.is_some()))
        });
    if !is_complete {
        return None;
    }
    let same_rows =
        |m: usize| (m..rows.len()).all(|i| (0..width).all(|j| value(i, j) == value(i - m, j)));
    let same_columns =
        |m: usize| (0..rows.len()).all(|i| (m..width).all(|j| value(i, j) == value(i, j - m)));
    let row = (1..=most(rows.len() as u64, count)).find(|&m| same_rows(m as usize))?;
    let column = (1..=most(width as u64, count)).find(|&m| same_columns(m as usize))?;
    if row == 1 && column == 1 {
        return value(0, 0).map(|value| Finding::ConstantTable { value });
    }
    let nim_sum = (row_first..row_first + row).zip(0..).all(|(a, i)| {
        (column_first..column_first + column)
            .zip(0..)
            .all(|(b, j)| value(i, j) == Some((a % row) ^ (b % column)))
    });
    Some(if nim_sum {
        Finding::NimSumOfRemainders { row, column }
    } else {
        Finding::PeriodicTable { row, column }
    })
}

/// Returns a statement on P-positions that depend only on remainders. Of all such statements, the
/// one with the least modulus is returned, and among these one with a single remainder.
fn residues<I>(square: u64, lost: impl Fn() -> I) -> Option<Finding>
where
    I: Iterator<Item = (u64, u64, bool)>,
{
    let count = lost().count();
    if count < MIN_CELLS {
        return None;
    }
    (1..=most(square, count)).find_map(|modulus| {
        let forms = [Form::Sum, Form::Difference, Form::Row, Form::Column];
        let found = forms.into_iter().find_map(|form| {
            let class = |a, b| form.remainder(a, b, modulus);
            let remainders = decided(lost(), modulus, class)?;
            Some(Finding::FormResidues {
                form,
                modulus,
                remainders,
            })
        });
        found.or_else(|| {
            let class = |a, b| (a % modulus) * modulus + b % modulus;
            let classes = decided(lost(), modulus * modulus, class)?;
            let pairs: Vec<(u64, u64)> = classes
                .into_iter()
                .map(|class| (class / modulus, class % modulus))
                .collect();
            (pairs.len() <= MAX_PAIRS).then_some(Finding::PairResidues { modulus, pairs })
        })
    })
}

/// Returns the classes whose positions are P-positions. Returns `None` if some class has positions
/// of both kinds, or too few positions.
fn decided(
    lost: impl Iterator<Item = (u64, u64, bool)>,
    classes: u64,
    class: impl Fn(u64, u64) -> u64,
) -> Option<Vec<u64>> {
    let mut seen = vec![(0u64, false); classes as usize];
    for (a, b, is_lost) in lost {
        let (count, known) = &mut seen[class(a, b) as usize];
        if *count > 0 && *known != is_lost {
            return None;
        }
        *count += 1;
        *known = is_lost;
    }
    let enough = seen.iter().all(|(count, _)| *count >= MIN_SEEN);
    let lost = (0..).zip(&seen).filter(|(_, (_, lost))| *lost);
    enough.then(|| lost.map(|(class, _)| class).collect())
}
