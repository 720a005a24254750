//! Boards and strips in characters: cells between bars, with numbers.

use std::fmt::Write as _;

use grundy_core::step::Step;

use super::paint::{Cell, painted};
use super::{Signs, more};
use crate::Wording;

/// Largest number of columns, and of rows, of a board that is drawn.
const SIDE: usize = 30;
/// Largest number of squares of a strip that is drawn.
const STRIP: usize = 300;
/// Largest number of characters in a line.
const LINE: usize = 78;

/// Returns a text with blanks on both sides, so that it is centred in a cell of the given width.
fn centred(text: &str, width: usize) -> String {
    let room = width.saturating_sub(text.chars().count());
    let left = room / 2;
    format!("{}{text}{}", " ".repeat(left), " ".repeat(room - left))
}

/// Returns one line: the cells of a row, separated by bars.
fn cells(cells: &[Cell], width: usize, signs: Signs<'_>) -> String {
    let bar = signs.bar;
    let written = |cell: &Cell| painted(&centred(&cell.text, width), cell.style);
    let cells: Vec<String> = cells.iter().map(written).collect();
    format!("{bar}{}{bar}", cells.join(&bar.to_string()))
}

/// Returns one line with a number for each cell of a row, to be printed above or below the cells.
fn numbers(numbers: impl Iterator<Item = u64>, width: usize) -> String {
    let numbers: Vec<String> = numbers
        .map(|number| centred(&number.to_string(), width))
        .collect();
    format!(" {}", numbers.join(" ")).trim_end().to_owned()
}

/// Returns a strip of squares on as many lines as necessary. Each square has its number below,
/// counted from `first`.
fn strip(squares: Vec<Cell>, first: u64, signs: Signs<'_>, say: Wording<'_>) -> String {
    let all = squares.len();
    let squares = (first..).zip(squares).take(STRIP);
    let shown: Vec<Cell> = squares
        .map(|(square, cell)| cell.touched(signs.touches(square)))
        .collect();
    let last = (first + shown.len().saturating_sub(1) as u64).to_string();
    let widest = shown.iter().map(|cell| cell.text.chars().count()).max();
    let width = widest.unwrap_or(0).max(last.len()).max(1) + 2;
    // Each cell has one bar before it. The line has one more bar at its end.
    let in_line = ((LINE - 1) / (width + 1)).max(1);
    let mut out = String::new();
    for (line, chunk) in (0u64..).zip(shown.chunks(in_line)) {
        let from = first + line * in_line as u64;
        out.push_str(&cells(chunk, width, signs));
        out.push('\n');
        out.push_str(&numbers(from..from + chunk.len() as u64, width));
        out.push('\n');
    }
    if all > shown.len() {
        out.push_str(&more(all - shown.len(), say));
    }
    out
}

/// Returns a strip of squares that are numbered from 0.
pub(super) fn lane(
    squares: impl Iterator<Item = Cell>,
    signs: Signs<'_>,
    say: Wording<'_>,
) -> String {
    strip(squares.collect(), 0, signs, say)
}

/// Returns a strip of squares from `first` to the rightmost coin. Each coin is shown with its index
/// in `coins`. If the strip is too long, or if a square has more than 8 coins, returns a line for
/// each coin instead.
pub(super) fn coins(first: u64, coins: &[u64], signs: Signs<'_>, say: Wording<'_>) -> String {
    let last = coins.iter().copied().max().unwrap_or(first);
    let stack_height = |square: u64| coins.iter().filter(|&&coin| coin == square).count();
    if last - first >= SIDE as u64 * 2 || (first..=last).any(|square| stack_height(square) > 8) {
        let mut out = String::new();
        for (coin, square) in coins.iter().enumerate().take(SIDE) {
            let step = Step::new("picture_coin_on").with("coin", coin);
            out.push_str(&say(&step.with("square", *square)));
            out.push('\n');
        }
        if coins.len() > SIDE {
            out.push_str(&more(coins.len() - SIDE, say));
        }
        return out;
    }
    let cell = |square: u64| {
        let here = coins.iter().enumerate().filter(|(_, at)| **at == square);
        let names: Vec<String> = here
            .map(|(coin, _)| format!("{}{coin}", signs.chip))
            .collect();
        Cell::plain(if names.is_empty() {
            ".".to_owned()
        } else {
            names.join(" ")
        })
    };
    // A move consists of a coin and a target square. The coin is removed here, since its number is
    // not a square.
    let signs = Signs {
        last: signs.last.get(1..).unwrap_or_default(),
        ..signs
    };
    strip((first..=last).map(cell).collect(), first, signs, say)
}

/// Returns a strip with coins of which no two share a square.
pub(super) fn single_coins(coins: &[u64], signs: Signs<'_>, say: Wording<'_>) -> String {
    let last = coins.iter().copied().max().unwrap_or(0);
    if last >= STRIP as u64 {
        return self::coins(0, coins, signs, say);
    }
    let sign = |square| {
        Cell::plain(if coins.contains(&square) {
            signs.chip
        } else {
            '.'
        })
    };
    lane((0..=last).map(sign), signs, say)
}

/// Returns a row of coins, numbered from 1. The coins in `heads` show heads, the others tails.
pub(super) fn heads(heads: &[u64], signs: Signs<'_>, say: Wording<'_>) -> String {
    let last = heads.iter().copied().max().unwrap_or(1);
    if last > STRIP as u64 {
        let shown: Vec<u64> = heads.iter().copied().take(SIDE).collect();
        let text = say(&Step::new("picture_heads").with("heads", shown));
        let rest = heads.len().saturating_sub(SIDE);
        let rest = if rest > 0 {
            more(rest, say)
        } else {
            String::new()
        };
        return format!("{text}\n{rest}");
    }
    let sign = |coin| {
        if heads.contains(&coin) { 'H' } else { 'T' }
    };
    let coins = (1..=last).map(|coin| Cell::plain(sign(coin)));
    strip(coins.collect(), 1, signs, say)
}

/// Returns a table of cells. The numbers of the columns are above it, and those of the rows on its
/// left.
fn table<'a>(
    rows: impl ExactSizeIterator<Item = Vec<Cell>> + 'a,
    signs: Signs<'_>,
    say: Wording<'_>,
) -> String {
    let count = rows.len();
    let mut rows: Vec<Vec<Cell>> = rows.take(SIDE).collect();
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let columns = widest.min(SIDE);
    for row in &mut rows {
        if row.len() > columns {
            row.truncate(columns);
            row.push(Cell::plain(signs.ellipsis));
        }
    }
    let width = if columns > 10 { 2 } else { 1 } + 2;
    let side = rows.len().saturating_sub(1).to_string().len();
    let mut out = format!(
        "{} {}\n",
        " ".repeat(side),
        numbers(0..columns as u64, width)
    );
    for (index, row) in rows.iter().enumerate() {
        let bare = row.is_empty();
        let line = if bare {
            String::new()
        } else {
            cells(row, width, signs)
        };
        out.push_str(format!("{index:>side$} {line}").trim_end());
        out.push('\n');
    }
    if count > rows.len() {
        out.push_str(&more(count - rows.len(), say));
    }
    out
}

/// Returns a board, given by its rows of letters.
pub(super) fn board(rows: &[String], signs: Signs<'_>, say: Wording<'_>) -> String {
    let row = |(row, squares): (usize, &String)| {
        let squares = squares.chars().take(SIDE + 1).enumerate();
        let cell = |(column, sign)| signs.piece(sign).touched(signs.touches_square(row, column));
        squares.map(cell).collect()
    };
    table(rows.iter().enumerate().map(row), signs, say)
}

/// Returns a bar of chocolate, given by the lengths of its rows. The first square is poisoned.
pub(super) fn rows(rows: &[u64], signs: Signs<'_>, say: Wording<'_>) -> String {
    let row = |(index, &length): (usize, &u64)| {
        let poison = |column| index == 0 && column == 0;
        let squares = 0..length.min(SIDE as u64 + 1);
        squares
            .map(|column| Cell::plain(if poison(column) { 'x' } else { '.' }))
            .collect()
    };
    table(rows.iter().enumerate().map(row), signs, say)
}

/// Returns rows of `width` squares, each with one counter of each player. Each entry of `rows`
/// contains the column of Left's counter and the column of Right's counter.
pub(super) fn counters(
    width: u64,
    rows: &[[u64; 2]],
    signs: Signs<'_>,
    say: Wording<'_>,
) -> String {
    if width > SIDE as u64 {
        let mut out = String::new();
        for (row, &[left, right]) in rows.iter().enumerate().take(SIDE) {
            let step = Step::new("picture_counters").with("row", row);
            out.push_str(&say(&step.with("left", left).with("right", right)));
            out.push('\n');
        }
        if rows.len() > SIDE {
            out.push_str(&more(rows.len() - SIDE, say));
        }
        return out;
    }
    let row = |(row, &[left, right]): (usize, &[u64; 2])| {
        let sign = |column| match column {
            _ if column == left => 'L',
            _ if column == right => 'R',
            _ => '.',
        };
        let touched = |column| signs.last == [row as u64, column];
        let cell = |column| signs.piece(sign(column)).touched(touched(column));
        (0..width).map(cell).collect()
    };
    table(rows.iter().enumerate().map(row), signs, say)
}

/// Returns the part of a quarter-infinite board from its corner, at the bottom left, to a piece at
/// the given column and row. If the piece is too far from the corner, returns a sentence with its
/// column and row.
pub(super) fn piece(column: u64, row: u64, signs: Signs<'_>, say: Wording<'_>) -> String {
    if column.max(row) >= SIDE as u64 {
        let far = Step::new("picture_far")
            .with("column", column)
            .with("row", row);
        return format!("{}\n", say(&far));
    }
    let width = if column > 9 { 2 } else { 1 } + 2;
    let side = row.to_string().len();
    let mut out = String::new();
    for y in (0..=row).rev() {
        let sign = |x| {
            if (x, y) == (column, row) {
                signs.chip
            } else {
                '.'
            }
        };
        let cell = |x| Cell::plain(sign(x)).touched(signs.last == [x, y]);
        let squares: Vec<Cell> = (0..=column).map(cell).collect();
        let _ = writeln!(out, "{y:>side$} {}", cells(&squares, width, signs));
    }
    let numbers = numbers(0..=column, width);
    let _ = writeln!(out, "{} {numbers}", " ".repeat(side));
    out
}

/// Returns the rectangle of Euclid's game with sides `a` and `b`. It shows the squares that can be
/// cut off, numbered from 1, and the rectangle that remains.
pub(super) fn rectangle(a: u64, b: u64, signs: Signs<'_>) -> String {
    let (small, large) = (a.min(b), a.max(b));
    let times = signs.times;
    let mut out = format!("{a} {times} {b}\n");
    if small == 0 {
        return out;
    }
    let (count, rest) = (large / small, large % small);
    let square = format!("{small}{times}{small}");
    let few = count.min(3);
    let mut texts = vec![square; few as usize];
    let mut names: Vec<String> = (1..=few).map(|number| number.to_string()).collect();
    if count > few {
        texts.extend([signs.ellipsis.to_owned(), texts[0].clone()]);
        names.extend([String::new(), count.to_string()]);
    }
    if rest > 0 {
        texts.push(format!("{rest}{times}{small}"));
        names.push(String::new());
    }
    let widest = texts.iter().chain(&names).map(|text| text.chars().count());
    let width = widest.max().unwrap_or(0) + 2;
    let names: Vec<String> = names.iter().map(|name| centred(name, width)).collect();
    let texts: Vec<Cell> = texts.into_iter().map(Cell::plain).collect();
    out.push_str(&cells(&texts, width, signs));
    let _ = writeln!(out, "\n {}", names.join(" ").trim_end());
    out
}
