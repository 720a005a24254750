//! A picture before it is written: marks with their places. A back end writes them as SVG or as
//! TikZ.

use grundy::Player;

use crate::ink::{Ink, Tone};
use crate::svg::letters;

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stroke {
    Move([f64; 2]),
    Line([f64; 2]),
    Curve([f64; 2], [f64; 2], [f64; 2]),
    Close,
}

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    Middle,
}

/// A text with its place: the middle of its line of small letters is there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) at: [f64; 2],
    pub(crate) size: f64,
    pub(crate) side: Side,
    pub(crate) tone: Tone,
    pub(crate) text: String,
}

/// What is known of a move at its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) component: usize,
    pub(crate) at: Vec<u64>,
    pub(crate) players: Vec<&'static str>,
    pub(crate) leaves: Option<String>,
    pub(crate) wins: bool,
    /// The player for whom alone it wins, of two who may both do it.
    pub(crate) wins_for: Option<Player>,
    pub(crate) words: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Rect([f64; 4], f64, Ink),
    /// With the number of its vertex, where it stands for one.
    Circle([f64; 2], f64, Ink, Option<u32>),
    Path(Vec<Stroke>, Ink),
    Text(Label),
    /// The beginning and the end of what belongs to a move.
    Open(Target),
    Close,
}

/// Where marks are written.
pub(crate) trait Surface {
    fn rect(&mut self, place: [f64; 4], radius: f64, ink: Ink);
    fn circle(&mut self, centre: [f64; 2], radius: f64, ink: Ink, vertex: Option<u32>);
    fn path(&mut self, strokes: &[Stroke], ink: Ink);
    fn text(&mut self, label: &Label);
    fn open(&mut self, target: &Target);
    fn close(&mut self);
}

/// A five-pointed star; its corners are written out, since sines differ between machines in their
/// last digits.
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

/// Marks and the room they take.
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

    /// Left, top, right and bottom of all there is.
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

    /// A text with its middle at half the height of its letters.
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

    /// A small number beside something.
    pub(crate) fn number(&mut self, at: [f64; 2], number: impl ToString + Copy) {
        self.write(at, 12.0, Side::Middle, Tone::Soft, &number.to_string());
    }

    /// A star on a disc: what is marked with it is a winning move.
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

    /// A letter on such a disc: the move wins for this player, and the other one may do it too.
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

    /// All marks of `other`, moved.
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

/// About how wide a text is.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    0.6 * size * letters(text) as f64
}
