//! Positions drawn with characters: one line for each heap, boards with numbered rows and columns,
//! and strips with numbered squares.

mod grid;
mod month;
mod other;
mod paint;

use std::fmt::Write as _;

use anstyle::Style;
use grundy_core::picture::Picture;
use grundy_core::step::Step;

use self::paint::Cell;
use crate::component::{DrawnComponent, TerminalStyle};
use crate::{Wording, hackenbush};

/// Largest number of components in a drawing.
const TERMS: usize = 30;
/// Largest number of characters of the notation that is written above a drawing.
const CAPTION: usize = 72;

pub(crate) use paint::{ink, painted};

/// The characters with which a drawing is made, and the last move, which is highlighted.
#[derive(Clone, Copy)]
struct Signs<'a> {
    bar: char,
    chip: char,
    kept: char,
    ellipsis: &'static str,
    corner: &'static str,
    times: char,
    /// `true` if each piece is printed in the colour of its player.
    colour: bool,
    /// The integers of the last move, if it was made in this component. Otherwise empty.
    last: &'a [u64],
}

impl Signs<'_> {
    /// Returns the text style of a piece, given its letter.
    fn ink(self, letter: char) -> Style {
        if self.colour {
            ink(letter)
        } else {
            Style::new()
        }
    }

    /// Returns a cell that contains a piece.
    fn piece(self, letter: char) -> Cell {
        Cell::plain(letter).in_style(self.ink(letter))
    }

    /// Returns whether the last move involved this square of a strip.
    fn touches(self, square: u64) -> bool {
        self.last.contains(&square)
    }

    /// Returns whether the last move involved this square of a board.
    fn touches_square(self, row: usize, column: usize) -> bool {
        let mut squares = self.last.chunks_exact(2);
        squares.any(|at| at == [row as u64, column as u64])
    }
}

const UNICODE: Signs<'_> = Signs {
    bar: '│',
    chip: '●',
    kept: '○',
    ellipsis: "…",
    corner: "┌──",
    times: '×',
    colour: false,
    last: &[],
};

const ASCII: Signs<'_> = Signs {
    bar: '|',
    chip: 'o',
    kept: '.',
    ellipsis: "...",
    corner: "+--",
    times: 'x',
    colour: false,
    last: &[],
};

/// Returns a drawing of the components in characters, separated by empty lines. In a sum, each
/// component is preceded by its index and its notation.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Position, Term};
/// use grundy_draw::{DrawnComponent, TerminalStyle};
/// let heaps = DrawnComponent::terms(&Position::from(Term::new(Nim, vec![3, 7])));
/// let style = TerminalStyle { ascii: true, ..TerminalStyle::default() };
/// let drawn = grundy_draw::terminal(&heaps, &style, &|step| step.code.to_owned());
/// assert_eq!(drawn, "1 | ooo 3\n2 | ooooo oo 7\n");
/// ```
#[must_use]
pub fn terminal(terms: &[DrawnComponent], style: &TerminalStyle<'_>, say: Wording<'_>) -> String {
    let signs = Signs {
        colour: style.colour,
        ..if style.ascii { ASCII } else { UNICODE }
    };
    let mut out = String::new();
    if style.title {
        let texts: Vec<&str> = terms.iter().map(|term| &term.text[..]).collect();
        out.push_str(&cut(&texts.join(" + "), CAPTION, signs));
        out.push_str("\n\n");
    }
    if terms.is_empty() {
        out.push_str(&say(&Step::new("picture_nothing")));
        out.push('\n');
    }
    for (index, term) in terms.iter().take(TERMS).enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let text = matches!(term.picture, Picture::Text(_));
        if terms.len() > 1 {
            let caption = if text { "" } else { &term.text };
            out.push_str(format!("({index}) {}", cut(caption, CAPTION, signs)).trim_end());
            out.push('\n');
        }
        // The last move is highlighted only with colours, and only in its own component.
        let last = style
            .last
            .filter(|(moved, _)| style.colour && *moved == index);
        // Each component needs its own copy of the signs, because the last move differs.
        let signs = Signs {
            last: last.map_or(&[], |(_, at)| at),
            ..signs
        };
        out.push_str(&picture(&term.picture, *style, signs, say));
    }
    if terms.len() > TERMS {
        let more = Step::new("picture_more").with("count", terms.len() - TERMS);
        let _ = writeln!(out, "\n{}", say(&more));
    }
    out
}

fn picture(
    picture: &Picture,
    style: TerminalStyle<'_>,
    signs: Signs<'_>,
    say: Wording<'_>,
) -> String {
    match picture {
        Picture::Heaps(heaps) => {
            let changed = match signs.last {
                [heap, sizes @ ..] => *heap as usize..*heap as usize + sizes.len(),
                [] => 0..0,
            };
            other::heaps(heaps, u64::MAX, changed, signs, say)
        }
        Picture::HeapsTogether(heaps) => other::heaps(heaps, u64::MAX, 0..0, signs, say),
        Picture::Bounded { size, most } => {
            let caption = say(&Step::new("picture_most").with("most", *most));
            let heap = other::heaps(&[*size], *most, 0..0, signs, say);
            format!("{} ({caption})\n", heap.trim_end())
        }
        Picture::Strip { first, coins } => grid::coins(*first, coins, signs, say),
        Picture::Coins(coins) => grid::single_coins(coins, signs, say),
        Picture::Heads(heads) => grid::heads(heads, signs, say),
        Picture::Stairs(steps) => other::stairs(steps, signs, say),
        Picture::Board(rows) => grid::board(rows, signs, say),
        Picture::Lane(lane) => {
            // On a strip, X is a cross of no player, and E is an elephant, which belongs to Left.
            let cell = |sign| match sign {
                'X' => Cell::plain(sign),
                'E' => Cell::plain(sign).in_style(signs.ink('L')),
                sign => signs.piece(sign),
            };
            grid::lane(lane.chars().map(cell), signs, say)
        }
        Picture::Dominoes(row) => {
            // The dominoes of the last move are removed. Their numbers now belong to other
            // dominoes, so nothing is highlighted.
            let signs = Signs { last: &[], ..signs };
            grid::lane(row.chars().map(|letter| signs.piece(letter)), signs, say)
        }
        Picture::Pins(pins) => {
            let sign = |&pin: &bool| Cell::plain(if pin { signs.chip } else { '.' });
            grid::lane(pins.iter().map(sign), signs, say)
        }
        Picture::Counters { width, rows } => grid::counters(*width, rows, signs, say),
        Picture::Piece(column, row) => grid::piece(*column, *row, signs, say),
        Picture::Rows(rows) => grid::rows(rows, signs, say),
        Picture::Rectangle(a, b) => grid::rectangle(*a, *b, signs),
        Picture::Day { date, last } => month::sheet(*date, *last, say),
        Picture::Graph {
            vertices,
            edges,
            numbers,
        } => other::graph(vertices, edges, numbers, signs, say),
        Picture::Edges {
            edges,
            numbers,
            ground,
        } => {
            let labels = style.labels.then_some(&numbers[..]);
            hackenbush::text(edges, ground, labels, style, say)
        }
        Picture::Text(text) => other::text(text, signs),
    }
}

/// Returns the first `most` characters of a text, followed by dots if characters were cut off.
fn cut(text: &str, most: usize, signs: Signs<'_>) -> String {
    let mut out: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        out.push_str(signs.ellipsis);
    }
    out
}

/// Returns a line of text which says that the drawing omits `count` further items, such as heaps or
/// squares.
fn more(count: usize, say: Wording<'_>) -> String {
    format!("{}\n", say(&Step::new("picture_and").with("count", count)))
}
