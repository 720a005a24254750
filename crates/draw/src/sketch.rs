//! A picture as a list of shapes with coordinates. A surface converts it to SVG or TikZ.

use grundy_core::Player;

use crate::ink::{Ink, Tone};
use crate::svg::letters;

/// A part of a path. Points are absolute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stroke {
    Move([f64; 2]),
    Line([f64; 2]),
    Curve([f64; 2], [f64; 2], [f64; 2]),
    Close,
}

/// The horizontal position of the anchor of a text: at its start or in its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    Middle,
}

/// A text with its anchor point. The anchor lies at half the height of the capital letters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) at: [f64; 2],
    pub(crate) size: f64,
    pub(crate) side: Side,
    pub(crate) tone: Tone,
    pub(crate) text: String,
}

/// The data of a move, which is attached to the shapes on which the move is clicked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) component: usize,
    pub(crate) at: Vec<u64>,
    pub(crate) players: Vec<&'static str>,
    pub(crate) leaves: Option<String>,
    pub(crate) wins: bool,
    /// The player for whom the move wins, in a partizan game. `None` if the move wins for neither
    /// player, or if it wins for both.
    pub(crate) wins_for: Option<Player>,
    pub(crate) words: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Rect([f64; 4], f64, Ink),
    /// A circle: its centre, its radius, its ink, and the number of the vertex that it represents,
    /// if any.
    Circle([f64; 2], f64, Ink, Option<u32>),
    Path(Vec<Stroke>, Ink),
    Text(Label),
    /// The beginning of the group of shapes of a move.
    Open(Target),
    /// The end of the group of shapes of a move.
    Close,
}

/// An output format, which receives the shapes one after the other.
pub(crate) trait Surface {
    fn rect(&mut self, place: [f64; 4], radius: f64, ink: Ink);
    fn circle(&mut self, centre: [f64; 2], radius: f64, ink: Ink, vertex: Option<u32>);
    fn path(&mut self, strokes: &[Stroke], ink: Ink);
    fn text(&mut self, label: &Label);
    fn open(&mut self, target: &Target);
    fn close(&mut self);
}

/// The corners of a five-pointed star around (0, 0). They are constants, because computed sines
/// could differ in the last digits between machines.
const CORNERS: [[f64; 2]; 10] = [
    [0.0, -5.4],
    [1.27, -1.75],
    [5.14, -1.67],
    [2.05, 0.67],
    [3.17, 4.37],
    [0.0, 2.16],
    [-3.17, 4.37],
    [-2.05, 0.67],
    [-5.14, -1.67],
    [-1.27, -1.75],
];

/// A list of shapes, and the smallest rectangle that contains them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sketch {
    marks: Vec<Mark>,
    bounds: Option<[f64; 4]>,
}

impl Sketch {
    fn grow(&mut self, [left, top, right, bottom]: [f64; 4]) {
        self.bounds = Some(self.bounds.map_or([left, top, right, bottom], |b| {
            [
                b[0].min(left),
                b[1].min(top),
                b[2].max(right),
                b[3].max(bottom),
            ]
        }));
    }

    /// Returns the left, top, right and bottom coordinates of the bounding box.
    pub(crate) fn bounds(&self) -> [f64; 4] {
        self.bounds.unwrap_or_default()
    }

    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], radius: f64, ink: Ink) {
        let half = ink.width / 2.0;
        self.grow([x - half, y - half, x + width + half, y + height + half]);
        self.marks
            .push(Mark::Rect([x, y, width, height], radius, ink));
    }

    pub(crate) fn circle(&mut self, centre: [f64; 2], radius: f64, ink: Ink) {
        self.dot(centre, radius, ink, None);
    }

    pub(crate) fn dot(&mut self, [x, y]: [f64; 2], radius: f64, ink: Ink, vertex: Option<u32>) {
        let reach = radius + ink.width / 2.0;
        self.grow([x - reach, y - reach, x + reach, y + reach]);
        self.marks.push(Mark::Circle([x, y], radius, ink, vertex));
    }

    pub(crate) fn path(&mut self, strokes: Vec<Stroke>, ink: Ink) {
        let half = ink.width / 2.0;
        for stroke in &strokes {
            let points: &[[f64; 2]] = match stroke {
                Stroke::Move(to) | Stroke::Line(to) => &[*to],
                // A Bézier curve lies in the convex hull of its control points, so these points
                // bound it.
                Stroke::Curve(first, second, to) => &[*first, *second, *to],
                Stroke::Close => &[],
            };
            for [x, y] in points {
                self.grow([x - half, y - half, x + half, y + half]);
            }
        }
        self.marks.push(Mark::Path(strokes, ink));
    }

    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], ink: Ink) {
        self.path(vec![Stroke::Move(from), Stroke::Line(to)], ink);
    }

    /// Writes a text whose anchor is `at`. The anchor lies at half the height of the capital
    /// letters.
    pub(crate) fn write(&mut self, at: [f64; 2], size: f64, side: Side, tone: Tone, text: &str) {
        if text.is_empty() {
            return;
        }
        let width = text_width(text, size);
        let left = match side {
            Side::Start => at[0],
            Side::Middle => at[0] - width / 2.0,
        };
        self.grow([left, at[1] - 0.6 * size, left + width, at[1] + 0.6 * size]);
        self.marks.push(Mark::Text(Label {
            at,
            size,
            side,
            tone,
            text: text.to_owned(),
        }));
    }

    /// Writes a number in small letters, centred at `at`.
    pub(crate) fn number(&mut self, at: [f64; 2], number: impl ToString + Copy) {
        self.write(at, 12.0, Side::Middle, Tone::Soft, &number.to_string());
    }

    /// Draws a star on a disc at (x, y). It marks a winning move.
    pub(crate) fn star(&mut self, [x, y]: [f64; 2]) {
        self.circle([x, y], 7.0, Ink::bare(Tone::Accent));
        let mut strokes: Vec<Stroke> = CORNERS
            .iter()
            .map(|[dx, dy]| Stroke::Line([x + dx, y + dy]))
            .collect();
        strokes[0] = Stroke::Move([x, y - 5.4]);
        strokes.push(Stroke::Close);
        self.path(strokes, Ink::bare(Tone::Paper));
    }

    /// Draws the letter of a player on a disc. It marks a move that both players can make, but that
    /// wins only for this player.
    pub(crate) fn star_of(&mut self, player: Player, at: [f64; 2]) {
        self.circle(at, 7.0, Ink::bare(Tone::Accent));
        let letter = match player {
            Player::Left => "L",
            Player::Right => "R",
        };
        self.write(at, 11.0, Side::Middle, Tone::Paper, letter);
    }

    pub(crate) fn open(&mut self, target: Target) {
        self.marks.push(Mark::Open(target));
    }

    pub(crate) fn close(&mut self) {
        self.marks.push(Mark::Close);
    }

    /// Adds all shapes of `other`, shifted by (dx, dy).
    pub(crate) fn add(&mut self, other: Self, [dx, dy]: [f64; 2]) {
        if let Some([left, top, right, bottom]) = other.bounds {
            self.grow([left + dx, top + dy, right + dx, bottom + dy]);
        }
        let by = |[x, y]: [f64; 2]| [x + dx, y + dy];
        self.marks
            .extend(other.marks.into_iter().map(|mark| match mark {
                Mark::Rect([x, y, width, height], radius, ink) => {
                    Mark::Rect([x + dx, y + dy, width, height], radius, ink)
                }
                Mark::Circle(centre, radius, ink, vertex) => {
                    Mark::Circle(by(centre), radius, ink, vertex)
                }
                Mark::Path(strokes, ink) => {
                    let moved = strokes.into_iter().map(|stroke| match stroke {
                        Stroke::Move(to) => Stroke::Move(by(to)),
                        Stroke::Line(to) => Stroke::Line(by(to)),
                        Stroke::Curve(a, b, to) => Stroke::Curve(by(a), by(b), by(to)),
                        Stroke::Close => Stroke::Close,
                    });
                    Mark::Path(moved.collect(), ink)
                }
                Mark::Text(label) => Mark::Text(Label {
                    at: by(label.at),
                    ..label
                }),
                other => other,
            }));
    }

    pub(crate) fn write_on(&self, surface: &mut impl Surface) {
        for mark in &self.marks {
            match mark {
                Mark::Rect(place, radius, ink) => surface.rect(*place, *radius, *ink),
                Mark::Circle(centre, radius, ink, vertex) => {
                    surface.circle(*centre, *radius, *ink, *vertex);
                }
                Mark::Path(strokes, ink) => surface.path(strokes, *ink),
                Mark::Text(label) => surface.text(label),
                Mark::Open(target) => surface.open(target),
                Mark::Close => surface.close(),
            }
        }
    }
}

/// Returns the approximate width of a text in pixels.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    // 0.6 of the size is a generous average for the width of a sans-serif letter. Font metrics are
    // not available.
    0.6 * size * letters(text) as f64
}
