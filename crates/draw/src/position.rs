//! Pictures of positions. Components are drawn next to each other, with a plus sign between them.
//! For a move that has no place in the drawing of its component, there is a button below the
//! drawing.

use grundy_core::Position;
use grundy_core::step::Step;

use crate::Wording;
use crate::component::{DrawnComponent, PictureStyle};
use crate::ink::{Ink, Tone};
use crate::pen::Pen;
use crate::shape;
use crate::sketch::{Side, Sketch, Target, text_width};
use crate::surface;

/// Largest number of components in a drawing.
const TERMS: usize = 60;
/// Approximate largest width of a row of components, in pixels.
const WIDTH: f64 = 860.0;
/// Largest number of buttons for a component.
const BUTTONS: usize = 60;
/// Largest number of characters on a button.
const LETTERS: usize = 44;

/// Draws a position as SVG, without moves to click.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Position, Term};
/// let nim = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let svg = grundy_draw::position(&nim, &|step| step.code.to_owned());
/// assert!(svg.starts_with("<svg") && svg.matches("fill-chip").count() == 12);
/// ```
#[must_use]
pub fn position(position: &Position, say: Wording<'_>) -> String {
    svg(
        &DrawnComponent::terms(position),
        &PictureStyle::default(),
        say,
    )
}

/// Draws components as SVG. Each move is a group of the class `move`. The group contains the index
/// of its component and the integers `at` of the move.
///
/// ```
/// use grundy_draw::{DrawnComponent, DrawnMove, PictureStyle, svg};
/// use grundy_notation::read_position;
/// let mut terms = DrawnComponent::terms(&read_position("nim(2)")?);
/// let (words, leaves) = ("take 2".to_owned(), Some("P".to_owned()));
/// terms[0].moves = vec![DrawnMove { at: vec![0, 0], player: None, words, leaves, wins: true }];
/// let picture = svg(&terms, &PictureStyle::default(), &|step| step.code.to_owned());
/// assert!(picture.contains("class=\"move wins\"") && picture.contains("data-at=\"0,0\""));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn svg(terms: &[DrawnComponent], style: &PictureStyle, say: Wording<'_>) -> String {
    let texts: Vec<&str> = terms.iter().map(|term| &term.text[..]).collect();
    let sketch = sketch(terms, *style, say);
    let about = say(&Step::new("picture_about"));
    surface::svg(&sketch, style.dark, &texts.join(" + "), &about)
}

/// Draws components as a TikZ picture for LaTeX.
///
/// ```
/// use grundy_draw::{DrawnComponent, PictureStyle, tikz};
/// use grundy_notation::read_position;
/// let terms = DrawnComponent::terms(&read_position("nim(3, 4, 5)")?);
/// let picture = tikz(&terms, &PictureStyle::default(), &|step| step.code.to_owned());
/// // The colour of the chips is defined once, and then used for each of the 12 chips.
/// assert_eq!(picture.matches("grundy-chip").count(), 1 + 12);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn tikz(terms: &[DrawnComponent], style: &PictureStyle, say: Wording<'_>) -> String {
    surface::tikz(&sketch(terms, *style, say), style.dark)
}

/// A component whose left side is at x = 0 and whose foot is at y = 0, with its buttons below.
struct Block {
    body: Sketch,
    buttons: Sketch,
}

impl Block {
    /// Returns the width of the component or of its buttons, whichever is greater.
    fn width(&self) -> f64 {
        let [_, _, right, _] = self.body.bounds();
        let [_, _, buttons, _] = self.buttons.bounds();
        right.max(buttons)
    }

    fn height(&self) -> f64 {
        -self.body.bounds()[1]
    }
}

fn sketch(terms: &[DrawnComponent], style: PictureStyle, say: Wording<'_>) -> Sketch {
    let mut page = Sketch::default();
    let mut y = 0.0;
    let mut row: Vec<Block> = Vec::new();
    let mut x = 0.0;
    let mut first = true;
    for (component, shown) in terms.iter().take(TERMS).enumerate() {
        let room = if terms.len() == 1 { 640.0 } else { 200.0 };
        let block = block(component, shown, style, room, say);
        let width = block.width();
        // Every row has at least one component, even if that component is wider than the page.
        if !row.is_empty() && x + PLUS + width > WIDTH {
            y = draw_row(&mut page, std::mem::take(&mut row), y, first);
            (x, first) = (0.0, false);
        }
        x += width + PLUS;
        row.push(block);
    }
    if !row.is_empty() {
        y = draw_row(&mut page, row, y, first);
    }
    let note = match terms.len() {
        0 => say(&Step::new("picture_nothing")),
        count if count > TERMS => say(&Step::new("picture_more").with("count", count - TERMS)),
        _ => String::new(),
    };
    page.write([0.0, y + 10.0], 14.0, Side::Start, Tone::Ink, &note);
    if style.title {
        let texts: Vec<&str> = terms.iter().map(|term| &term.text[..]).collect();
        title(&mut page, &texts.join(" + "));
    }
    page
}

/// Width of a plus sign with the space around it, in pixels.
const PLUS: f64 = 44.0;

/// Draws a row of components and aligns their feet. The upper end of the row is at the y coordinate
/// `top`. Returns the y coordinate of the top of the next row. Every row except the first begins
/// with a plus sign.
fn draw_row(page: &mut Sketch, row: Vec<Block>, top: f64, first: bool) -> f64 {
    let height = row.iter().map(Block::height).fold(0.0, f64::max);
    let ground = top + height;
    let mut x = 0.0;
    let mut bottom = ground;
    let many = row.len() > 1 || !first;
    for (index, block) in row.into_iter().enumerate() {
        if index > 0 || !first {
            let at = [x + PLUS / 2.0, ground - height.min(140.0) / 2.0];
            page.write(at, 26.0, Side::Middle, Tone::Ink, "+");
            x += PLUS;
        }
        let width = block.width();
        bottom = bottom.max(ground + block.buttons.bounds()[3]);
        // In a sum, a component narrower than its buttons is centred above them.
        let [_, _, right, _] = block.body.bounds();
        let indent = if many { (width - right) / 2.0 } else { 0.0 };
        page.add(block.body, [x + indent, ground]);
        page.add(block.buttons, [x, ground]);
        x += width;
    }
    bottom + 26.0
}

/// Writes the expression above the picture, on several lines if necessary.
fn title(page: &mut Sketch, text: &str) {
    const LINES: usize = 6;
    let [left, top, right, _] = page.bounds();
    let letters = ((right - left).max(640.0) / 9.0) as usize;
    let mut lines = crate::wrap::wrapped(text, letters);
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push("…".to_owned());
    }
    let above = top - 18.0;
    for (index, line) in (0u32..).zip(lines.iter().rev()) {
        let at = [left, above - 20.0 * f64::from(index)];
        page.write(at, 15.0, Side::Start, Tone::Ink, line);
    }
}

/// Draws a component and its buttons. A row of buttons is broken only if it is wider than the
/// drawing, and wider than `room` pixels.
fn block(
    component: usize,
    shown: &DrawnComponent,
    style: PictureStyle,
    room: f64,
    say: Wording<'_>,
) -> Block {
    let mut pen = Pen::new(component, shown, style, say);
    shape::draw(&mut pen, &shown.picture);
    let (drawn, unplaced) = pen.finish();
    let [left, _, right, bottom] = drawn.bounds();
    let mut body = Sketch::default();
    body.add(drawn, [-left, -bottom]);
    let mut buttons = Sketch::default();
    let (inked, bare): (Vec<Target>, Vec<Target>) = unplaced
        .into_iter()
        .partition(|target| style.buttons || target.wins);
    // A move without a button is an empty group, so that programs still find it.
    for target in bare {
        buttons.open(target);
        buttons.close();
    }
    let more = style.buttons && shown.more;
    draw_buttons(&mut buttons, inked, (right - left).max(room), more, say);
    Block { body, buttons }
}

/// Draws a button for each move without a place in the drawing, in rows of at most `width` pixels.
/// If `more` is `true`, the component has further moves, and dots follow the buttons.
fn draw_buttons(
    sketch: &mut Sketch,
    mut targets: Vec<Target>,
    width: f64,
    more: bool,
    say: Wording<'_>,
) {
    const HEIGHT: f64 = 24.0;
    let count = targets.len();
    if count > BUTTONS {
        // Winning moves come first, so that others are omitted first.
        targets.sort_by_key(|target| !target.wins);
    }
    let (mut x, mut y) = (0.0, 16.0);
    for target in targets.into_iter().take(BUTTONS) {
        let mut words: String = target.words.chars().take(LETTERS).collect();
        if target.words.chars().nth(LETTERS).is_some() {
            words.push('…');
        }
        let best = target.wins;
        let star = if best { 18.0 } else { 0.0 };
        let wide = text_width(&words, 12.0) + 16.0 + star;
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + HEIGHT + 6.0);
        }
        sketch.open(target);
        sketch.rect(
            [x, y, wide, HEIGHT],
            6.0,
            Ink::filled(Tone::Shade).best(best),
        );
        let at = [x + 8.0 + star, y + HEIGHT / 2.0];
        sketch.write(at, 12.0, Side::Start, Tone::Ink, &words);
        if best {
            sketch.star([x + 14.0, y + HEIGHT / 2.0]);
        }
        sketch.close();
        x += wide + 6.0;
    }
    if count > BUTTONS || more {
        let words = match count.saturating_sub(BUTTONS) {
            _ if more => "…".to_owned(),
            rest => format!("… {}", say(&Step::new("picture_and").with("count", rest))),
        };
        if x + 80.0 > width {
            (x, y) = (0.0, y + HEIGHT + 6.0);
        }
        sketch.write(
            [x + 6.0, y + HEIGHT / 2.0],
            12.0,
            Side::Start,
            Tone::Ink,
            &words,
        );
    }
}
