//! The pictures of an explanation. Some are drawn from the data of a step. Others show the
//! positions that the step mentions.

use grundy_core::picture::Picture;
use grundy_core::step::{Datum, Step};
use grundy_core::{Limits, Play, Position, Solver};
use grundy_draw::DrawnComponent;
use grundy_draw::step::{Residue, StepPicture, pictures};

use crate::analyst::Analyst;

/// Largest length of the notation of a position that is drawn for a step.
const MAX_NOTATION_LENGTH: usize = 2000;

/// Largest coordinate of a piece on a board that is drawn with the value of each square.
const MAX_COORDINATE: u64 = 15;

/// Returns, for each step, its picture or `None`.
pub(super) fn of_steps(
    position: &Position,
    play: Play,
    steps: &[Step],
    analyst: &Analyst,
    limits: &Limits<'_>,
) -> Vec<Option<StepPicture>> {
    let mut illustrator = StepIllustrator {
        analyst,
        limits,
        original: position.to_string(),
        play,
        current: position.to_string(),
        solver: Solver::default(),
        values_drawn: false,
    };
    // `pictures` returns the pictures that need only the data of the steps. For the others,
    // positions must be parsed.
    let pairs = pictures(steps).into_iter().zip(steps);
    pairs
        .map(|(picture, step)| match picture {
            Some(StepPicture::Residue(residue)) => {
                let values = illustrator.class_values(step, &residue);
                Some(StepPicture::Residue(Residue { values, ..residue }))
            }
            Some(picture) => Some(picture),
            None => illustrator.picture(step),
        })
        .collect()
}

/// A visitor of the steps of an explanation, which draws the positions that they mention.
struct StepIllustrator<'a> {
    analyst: &'a Analyst,
    limits: &'a Limits<'a>,
    /// The component that the steps explain, in the notation.
    original: String,
    /// The component after the simplifications in the steps so far, in the notation.
    current: String,
    play: Play,
    solver: Solver,
    /// `true` if a board with the value of each square has been drawn.
    values_drawn: bool,
}

impl StepIllustrator<'_> {
    fn picture(&mut self, step: &Step) -> Option<StepPicture> {
        match step.code {
            "about_part" => {
                text(step, "part")?.clone_into(&mut self.original);
                self.current.clone_from(&self.original);
                None
            }
            // The picture of this step already contains the stalk, which the step only names.
            "one_stalk" => self.positions(&[text(step, "picture")?]),
            "fuse" | "colon" | "stalks_on_the_ground" => {
                let after = text(step, "picture")?.to_owned();
                let before = std::mem::replace(&mut self.current, after);
                self.positions(&[&before, &self.current.clone()])
            }
            // Leaves are cut from the original component, not from the simplified one.
            "cut_leaves" => self.positions(&[&self.original.clone(), text(step, "picture")?]),
            code if ["rook_", "wythoff_", "king_", "knight_", "queen_"]
                .iter()
                .any(|piece| code.starts_with(piece)) =>
            {
                self.values_board(step)
            }
            _ => match ["from", "to", "move", "answer"].map(|name| text(step, name)) {
                [Some(from), Some(to), ..] => self.positions(&[from, to]),
                [_, Some(to), ..] => self.positions(&[to]),
                [_, _, Some(first), Some(answer)] => self.positions(&[first, answer]),
                [_, _, Some(first), None] => self.positions(&[first]),
                _ => None,
            },
        }
    }

    /// Returns a picture that shows positions one after another. Returns `None` if one of them has
    /// no picture.
    fn positions(&self, texts: &[&str]) -> Option<StepPicture> {
        let mut shown = Vec::new();
        for text in texts {
            shown.push(DrawnComponent::new(
                (*text).to_owned(),
                self.picture_of(text)?,
            ));
        }
        Some(StepPicture::Positions(shown))
    }

    /// Returns the picture of a position in the notation, if it has one.
    fn picture_of(&self, text: &str) -> Option<Picture> {
        if text.len() > MAX_NOTATION_LENGTH {
            return None;
        }
        if let Some(board) = marks(text) {
            return Some(board);
        }
        let position = self.analyst.read(text).ok()?;
        match position.only_term()?.picture() {
            Picture::Text(_) => None,
            picture => Some(picture),
        }
    }

    /// Returns the Grundy values that the picture of a step shows. They belong to heaps of the
    /// first period, one for each residue class in [`Residue::shown`]. Returns an empty list if a
    /// value cannot be computed.
    fn class_values(&mut self, step: &Step, residue: &Residue) -> Vec<u64> {
        let size = residue.size.to_string();
        // The name of the family remains if the size is removed from the notation: `kayles(7)`
        // becomes `kayles(`.
        let part = text(step, "part").and_then(|part| part.strip_suffix(')'));
        let Some(head) = part.and_then(|part| part.strip_suffix(&size)) else {
            return Vec::new();
        };
        let mut value = |heap: u64| {
            let heap = self.analyst.read(&format!("{head}{heap})")).ok()?;
            self.solver.grundy(&heap, self.limits).ok()
        };
        let classes = residue
            .shown()
            .map(|class| value(residue.preperiod + class));
        classes.collect::<Option<_>>().unwrap_or_default()
    }

    /// Returns a picture of the quarter-plane board with the value of each square. Returns `None`
    /// if the explanation already contains this picture, or if it cannot be drawn.
    fn values_board(&mut self, step: &Step) -> Option<StepPicture> {
        let (name, _) = text(step, "part")?.split_once('(')?;
        let piece = [number(step, "x")?, number(step, "y")?];
        let near = piece.iter().all(|&place| place <= MAX_COORDINATE);
        if self.play != Play::Normal || !near || self.values_drawn {
            return None;
        }
        // The board extends two squares beyond the piece, so that the pattern of the values is
        // visible.
        let side = (piece[0].max(piece[1]) + 2).clamp(6, MAX_COORDINATE + 1);
        let mut values = Vec::new();
        for y in 0..side {
            let mut row = Vec::new();
            for x in 0..side {
                // This notation is valid for all pieces, whatever their moves are.
                let square = self.analyst.read(&format!("{name}({x}, {y})")).ok()?;
                row.push(self.solver.grundy(&square, self.limits).ok()?);
            }
            values.push(row);
        }
        self.values_drawn = true;
        Some(StepPicture::Values { values, piece })
    }
}

/// Returns the board of a game in which players write marks, from its short notation, such as
/// `X_/_O`.
fn marks(text: &str) -> Option<Picture> {
    let rows: Vec<String> = text.split('/').map(|row| row.replace('_', ".")).collect();
    let mark = |c: char| matches!(c, 'X' | 'O' | '.' | '#');
    let even = rows.iter().all(|row| row.len() == rows[0].len());
    let board = rows.len() > 1 && even && text.len() > 2;
    (board && rows.iter().all(|row| row.chars().all(mark))).then_some(Picture::Board(rows))
}

fn argument<'a>(step: &'a Step, name: &str) -> Option<&'a Datum> {
    let found = step.args.iter().find(|(known, _)| *known == name)?;
    Some(&found.1)
}

fn text<'a>(step: &'a Step, name: &str) -> Option<&'a str> {
    match argument(step, name)? {
        Datum::Text(text) => Some(text),
        _ => None,
    }
}

fn number(step: &Step, name: &str) -> Option<u64> {
    match argument(step, name)? {
        Datum::Int(number) => Some(*number),
        _ => None,
    }
}
