//! Pictures of positions: each term in a row of its own.

use grundy::Position;
use grundy::picture::Picture;
use grundy::step::Step;

use crate::shown::Shown;
use crate::svg::{Svg, letters};
use crate::{Say, hackenbush};

/// Chips, coins or squares beyond this number are summed up in words.
const DRAWN: u64 = 60;
/// Characters of a term's notation that are shown.
const CAPTION: usize = 90;
/// Terms that are drawn.
const TERMS: usize = 100;

/// A picture of a position.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Position, Term};
/// let svg = grundy_draw::position(&Position::from(Term::new(Nim, vec![3, 4, 5])), &|step| step.code.to_owned());
/// assert!(svg.starts_with("<svg") && svg.matches("<circle").count() == 12);
/// ```
#[must_use]
pub fn position(position: &Position, say: Say<'_>) -> String {
    svg(&Shown::terms(position), false, say)
}

/// A picture of terms, each with its notation; with the number of its move at every edge of Hackenbush if `labels`.
#[must_use]
pub fn svg(terms: &[Shown], labels: bool, say: Say<'_>) -> String {
    let texts: Vec<&str> = terms.iter().map(|term| &term.text[..]).collect();
    let mut svg = Svg::new(&texts.join(" + "), &say(&Step::new("picture_about")));
    let (mut y, mut width) = (16.0, 200.0_f64);
    for Shown {
        text,
        picture: shape,
        ..
    } in terms.iter().take(TERMS)
    {
        let caption: String = text.chars().take(CAPTION).collect();
        svg.text(16.0, y + 12.0, 14.0, "start", &caption);
        width = width.max(32.0 + 8.0 * letters(&caption) as f64);
        y += 28.0;
        let (drawn_width, drawn_height) = picture(&mut svg, [16.0, y], shape, labels, say);
        width = width.max(drawn_width + 32.0);
        y += drawn_height + 16.0;
    }
    if terms.is_empty() {
        let nothing = say(&Step::new("picture_nothing"));
        svg.text(16.0, y + 12.0, 14.0, "start", &nothing);
        y += 28.0;
    }
    if terms.len() > TERMS {
        let more = Step::new("picture_more").with("count", terms.len() - TERMS);
        svg.text(16.0, y + 12.0, 14.0, "start", &say(&more));
        y += 28.0;
    }
    svg.finish(width, y)
}

/// Draws with the left upper corner at (x, y) and returns the width and height used.
fn picture(
    svg: &mut Svg,
    [x, y]: [f64; 2],
    picture: &Picture,
    labels: bool,
    say: Say<'_>,
) -> (f64, f64) {
    match picture {
        Picture::Heaps(heaps) | Picture::HeapsTogether(heaps) | Picture::Stairs(heaps) => {
            self::heaps(svg, x, y, heaps)
        }
        Picture::Bounded { size, .. } => self::heaps(svg, x, y, &[*size]),
        Picture::Coins(coins) => strip(svg, x, y, 0, coins),
        Picture::Heads(heads) => strip(svg, x, y, 1, heads),
        Picture::Pins(pins) => {
            let standing = (0..).zip(pins).filter(|(_, pin)| **pin);
            strip(
                svg,
                x,
                y,
                0,
                &standing.map(|(place, _)| place).collect::<Vec<_>>(),
            )
        }
        Picture::Lane(lane) | Picture::Dominoes(lane) => {
            board(svg, x, y, std::slice::from_ref(lane))
        }
        Picture::Counters { width, rows } => {
            let sign = |row: &[u64; 2], column| match column {
                _ if column == row[0] => 'L',
                _ if column == row[1] => 'R',
                _ => '.',
            };
            let row = |row| {
                (0..(*width).min(DRAWN))
                    .map(|column| sign(row, column))
                    .collect()
            };
            board(svg, x, y, &rows.iter().map(row).collect::<Vec<String>>())
        }
        Picture::Strip { first, coins } => strip(svg, x, y, *first, coins),
        Picture::Board(rows) => board(svg, x, y, rows),
        Picture::Piece(column, row) => piece(svg, [x, y], [*column, *row], say),
        Picture::Rows(rows) => self::rows(svg, x, y, rows),
        Picture::Edges {
            edges,
            numbers,
            ground,
        } => {
            let labels = labels.then_some(&numbers[..]);
            hackenbush::svg(svg, [x, y], (edges, ground), labels, say)
        }
        _ => (0.0, 0.0),
    }
}

fn heaps(svg: &mut Svg, x: f64, y: f64, heaps: &[u64]) -> (f64, f64) {
    let shown = &heaps[..heaps.len().min(DRAWN as usize)];
    let tallest = shown.iter().copied().max().unwrap_or(0).min(DRAWN / 3);
    let height = 20.0 * tallest as f64 + 24.0;
    let ground = y + height - 20.0;
    let width = 34.0 * shown.len().max(1) as f64;
    svg.line([x, ground, x + width, ground], 2.0);
    for (index, &heap) in shown.iter().enumerate() {
        let middle = x + 34.0 * index as f64 + 17.0;
        for chip in 0..heap.min(DRAWN / 3) {
            svg.circle(
                middle,
                ground - 10.0 - 20.0 * chip as f64,
                9.0,
                "#56B4E9",
                "chip",
            );
        }
        let label = if heap.to_string().len() > 4 {
            format!("{}...", &heap.to_string()[..3])
        } else {
            heap.to_string()
        };
        svg.text(middle, ground + 16.0, 12.0, "middle", &label);
    }
    (width, height)
}

fn strip(svg: &mut Svg, x: f64, y: f64, first: u64, coins: &[u64]) -> (f64, f64) {
    let last = coins.iter().copied().max().unwrap_or(first);
    let squares = (last.saturating_sub(first) + 1).min(DRAWN);
    let most = (0..squares)
        .map(|square| coins.iter().filter(|&&coin| coin == first + square).count())
        .max()
        .unwrap_or(1)
        .clamp(1, 10);
    let base = y + 22.0 * most as f64;
    for square in 0..squares {
        let left = x + 28.0 * square as f64;
        svg.rect([left, base, 28.0, 8.0], "#ffffff", "square");
        svg.text(
            left + 14.0,
            base + 22.0,
            11.0,
            "middle",
            &(first + square).to_string(),
        );
        let here = coins
            .iter()
            .filter(|&&coin| coin == first + square)
            .count()
            .min(10);
        for coin in 0..here {
            svg.circle(
                left + 14.0,
                base - 11.0 - 22.0 * coin as f64,
                10.0,
                "#E69F00",
                "coin",
            );
        }
    }
    if last.saturating_sub(first) >= DRAWN {
        svg.text(
            x + 28.0 * squares as f64 + 6.0,
            base + 8.0,
            12.0,
            "start",
            "...",
        );
    }
    (28.0 * squares as f64 + 24.0, 22.0 * most as f64 + 30.0)
}

fn board(svg: &mut Svg, x: f64, y: f64, rows: &[String]) -> (f64, f64) {
    let shown = &rows[..rows.len().min(DRAWN as usize)];
    let mut columns = 0;
    for (i, row) in shown.iter().enumerate() {
        for (j, square) in row.chars().take(DRAWN as usize).enumerate() {
            columns = columns.max(j + 1);
            let (left, top) = (x + 28.0 * j as f64, y + 28.0 * i as f64);
            let fill = if square == '#' { "#666666" } else { "#ffffff" };
            svg.rect([left, top, 28.0, 28.0], fill, "square");
            if !matches!(square, '#' | '.') {
                svg.text(left + 14.0, top + 20.0, 16.0, "middle", &square.to_string());
            }
        }
    }
    (28.0 * columns as f64, 28.0 * shown.len() as f64)
}

fn piece(svg: &mut Svg, [x, y]: [f64; 2], [column, row]: [u64; 2], say: Say<'_>) -> (f64, f64) {
    if column >= DRAWN / 2 || row >= DRAWN / 2 {
        let note = Step::new("picture_far")
            .with("column", column)
            .with("row", row);
        let note = say(&note);
        svg.text(x, y + 12.0, 12.0, "start", &note);
        return (8.0 * letters(&note) as f64, 16.0);
    }
    let side = (column.max(row) + 1).max(4);
    for i in 0..side {
        for j in 0..side {
            let (left, top) = (x + 24.0 * j as f64, y + 24.0 * (side - 1 - i) as f64);
            svg.rect(
                [left, top, 24.0, 24.0],
                if (i + j) % 2 == 0 {
                    "#eeeeee"
                } else {
                    "#ffffff"
                },
                "square",
            );
            if (j, i) == (column, row) {
                svg.circle(left + 12.0, top + 12.0, 9.0, "#E69F00", "piece");
            }
        }
    }
    (24.0 * side as f64, 24.0 * side as f64)
}

fn rows(svg: &mut Svg, x: f64, y: f64, rows: &[u64]) -> (f64, f64) {
    let shown = &rows[..rows.len().min(DRAWN as usize)];
    let widest = shown.iter().copied().max().unwrap_or(0).min(DRAWN);
    for (i, &length) in shown.iter().enumerate() {
        for j in 0..length.min(DRAWN) {
            let poison = i == 0 && j == 0;
            let (left, top) = (x + 28.0 * j as f64, y + 28.0 * i as f64);
            svg.rect(
                [left, top, 28.0, 28.0],
                if poison { "#999999" } else { "#E5C9A1" },
                "square",
            );
            if poison {
                svg.text(left + 14.0, top + 20.0, 16.0, "middle", "x");
            }
        }
    }
    (28.0 * widest as f64, 28.0 * shown.len() as f64)
}
