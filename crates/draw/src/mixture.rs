//! The graphical solution of a matrix game in which one player has only two choices. The horizontal
//! axis is the weight of the second choice in the player's mixture. Each answer of the opponent is
//! a line that shows the payoff.
//!
//! In this diagram, heights range from 0 for the least payoff to 1 for the greatest payoff.

use grundy_core::step::Step;

use crate::Wording;
use crate::svg::Svg;

/// The diagram to draw.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// The title, which is written above the diagram.
    pub title: String,
    /// The names of the two choices. At the left end of the diagram the player always makes the
    /// first choice, and at the right end always the second.
    pub ends: [String; 2],
    /// The answers of the opponent.
    pub lines: Vec<Line>,
    /// The envelope of the lines, which shows the opponent's best answer to each mixture.
    pub envelope: Envelope,
    /// The optimal mixture.
    pub best: BestMixture,
}

/// The payoff of one answer of the opponent, as a straight line from the first choice to the
/// second.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name of the answer.
    pub name: String,
    /// The height and the text of the payoff, at the left and at the right end.
    pub ends: [(f64, String); 2],
}

/// The aim of the opponent, which decides between the lower and the upper envelope of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// The opponent minimizes the payoff. The envelope is the lowest line at each weight, and its
    /// highest point is the value of the game.
    Lower,
    /// The opponent maximizes the payoff. The envelope is the highest line at each weight, and its
    /// lowest point is the value of the game.
    Upper,
}

/// The optimal mixture.
#[derive(Clone, Debug)]
pub struct BestMixture {
    /// The weight of the second choice, from 0 to 1.
    pub weight: f64,
    /// The height that shows the value of the game, from 0 to 1.
    pub height: f64,
    /// The text that describes the optimal mixture, such as the value of the game. It is written
    /// below the diagram.
    pub text: String,
}

/// Largest number of lines in a drawing.
const LINES: usize = 40;
/// The left edge, the upper edge, the width and the height of the area with the axes, in pixels.
const FRAME: [f64; 4] = [110.0, 60.0, 480.0, 320.0];

/// Draws the diagram as SVG.
///
/// # Examples
/// ```
/// use grundy_draw::mixture::{BestMixture, Envelope, Line, Mixture, mixture};
/// let line = |name: &str, from: f64, to: f64| Line {
///     name: name.to_owned(),
///     ends: [(from, from.to_string()), (to, to.to_string())],
/// };
/// let svg = mixture(&Mixture {
///     title: "a 2 by 2 game".to_owned(),
///     ends: ["row 0".to_owned(), "row 1".to_owned()],
///     lines: vec![line("column 0", 0.0, 1.0), line("column 1", 1.0, 0.0)],
///     envelope: Envelope::Lower,
///     best: BestMixture { weight: 0.5, height: 0.5, text: "value 1/2".to_owned() },
/// }, &|step| step.code.to_owned());
/// assert!(svg.contains("value 1/2"));
/// ```
#[must_use]
pub fn mixture(mixture: &Mixture, say: Wording<'_>) -> String {
    let [left, top, width, height] = FRAME;
    let side = match mixture.envelope {
        Envelope::Lower => "mixture_lower",
        Envelope::Upper => "mixture_upper",
    };
    let side = say(&Step::new(side));
    let mut svg = Svg::new(&mixture.title, &side);
    let at = |weight: f64, level: f64| (left + width * weight, top + height * (1.0 - level));
    svg.text(16.0, 24.0, 14.0, "start", &mixture.title);
    svg.text(16.0, 42.0, 12.0, "start", &side);
    for (end, name) in mixture.ends.iter().enumerate() {
        let x = left + width * end as f64;
        svg.line([x, top - 6.0, x, top + height + 6.0], 1.0);
        svg.text(x, top + height + 24.0, 12.0, "middle", name);
    }
    // Only the first lines are drawn, but the envelope includes all of them.
    let shown = &mixture.lines[..mixture.lines.len().min(LINES)];
    for line in shown {
        let (x1, y1) = at(0.0, line.ends[0].0);
        let (x2, y2) = at(1.0, line.ends[1].0);
        svg.line([x1, y1, x2, y2], 0.75);
    }
    labels(&mut svg, shown, 0, (left - 8.0, "end"), say);
    labels(&mut svg, shown, 1, (left + width + 8.0, "start"), say);
    let corners = envelope(&mixture.lines, mixture.envelope);
    for pair in corners.windows(2) {
        let ((x1, y1), (x2, y2)) = (at(pair[0].0, pair[0].1), at(pair[1].0, pair[1].1));
        svg.line([x1, y1, x2, y2], 3.0);
    }
    let (x, y) = at(mixture.best.weight, mixture.best.height);
    svg.line([x, y, x, top + height], 1.0);
    svg.circle(x, y, 5.0, "#E69F00", "value");
    let bottom = top + height + 46.0;
    svg.text(
        left + width / 2.0,
        bottom,
        13.0,
        "middle",
        &mixture.best.text,
    );
    if shown.len() < mixture.lines.len() {
        let note = Step::new("mixture_first_lines")
            .with("shown", LINES)
            .with("lines", mixture.lines.len());
        svg.text(16.0, bottom + 18.0, 12.0, "start", &say(&note));
    }
    svg.finish(left + width + 110.0, bottom + 28.0)
}

/// Writes the name and the payoff of each line at one end: 0 is left, 1 is right. A text that would
/// cover the one above is moved down. Texts without room are omitted.
fn labels(svg: &mut Svg, lines: &[Line], end: usize, (x, anchor): (f64, &str), say: Wording<'_>) {
    let [_, top, _, height] = FRAME;
    let mut order: Vec<&Line> = lines.iter().collect();
    order.sort_by(|a, b| b.ends[end].0.total_cmp(&a.ends[end].0));
    let mut free = f64::NEG_INFINITY;
    for line in order {
        let (level, payoff) = &line.ends[end];
        let y = (top + height * (1.0 - level) + 4.0).max(free);
        if y > top + height + 12.0 {
            break;
        }
        let step = Step::new("mixture_end")
            .with("choice", &line.name[..])
            .with("payoff", &payoff[..]);
        svg.text(x, y, 11.0, anchor, &say(&step));
        free = y + 13.0;
    }
}

/// Returns the corners of the envelope from left to right, including both ends. At each corner, the
/// envelope changes to the line that crosses the current line first.
fn envelope(lines: &[Line], side: Envelope) -> Vec<(f64, f64)> {
    // The upper envelope is computed as the lower envelope of the negated lines.
    let sign = match side {
        Envelope::Lower => 1.0,
        Envelope::Upper => -1.0,
    };
    let start = |line: &Line| sign * line.ends[0].0;
    let slope = |line: &Line| sign * (line.ends[1].0 - line.ends[0].0);
    // If several lines start at the lowest point, the one with the least slope forms the envelope.
    let first = lines.iter().min_by(|a, b| {
        let starts = start(a).total_cmp(&start(b));
        starts.then(slope(a).total_cmp(&slope(b)))
    });
    let Some(mut current) = first else {
        return Vec::new();
    };
    let mut corners = vec![(0.0, current.ends[0].0)];
    loop {
        let next = lines
            .iter()
            .filter(|line| slope(line) < slope(current))
            .map(|line| {
                let crossing = (start(line) - start(current)) / (slope(current) - slope(line));
                (crossing, line)
            })
            // If several lines cross the current line at the same point, the one with the least
            // slope forms the envelope after that point.
            .min_by(|a, b| a.0.total_cmp(&b.0).then(slope(a.1).total_cmp(&slope(b.1))));
        match next {
            Some((crossing, line)) if crossing < 1.0 => {
                corners.push((
                    crossing,
                    sign * (start(current) + crossing * slope(current)),
                ));
                current = line;
            }
            _ => {
                corners.push((1.0, current.ends[1].0));
                return corners;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: f64, to: f64) -> Line {
        Line {
            name: String::new(),
            ends: [(from, String::new()), (to, String::new())],
        }
    }

    /// Checks that the envelope is the minimum or the maximum of all lines at every weight.
    #[test]
    fn the_envelope_is_the_extreme_of_all_lines() {
        let lines: Vec<Line> = (0..12_i32)
            .map(|k| line(f64::from(k) / 12.0, f64::from((11 - k) * (11 - k)) / 121.0))
            .collect();
        for side in [Envelope::Lower, Envelope::Upper] {
            let corners = envelope(&lines, side);
            assert!(corners.len() > 2);
            for step in 0..=100 {
                let x = f64::from(step) / 100.0;
                let pair = corners.windows(2).find(|pair| pair[1].0 >= x).unwrap();
                let share = (x - pair[0].0) / (pair[1].0 - pair[0].0).max(1e-12);
                let drawn = pair[0].1 + share * (pair[1].1 - pair[0].1);
                let heights = lines
                    .iter()
                    .map(|line| line.ends[0].0 + x * (line.ends[1].0 - line.ends[0].0));
                let extreme = match side {
                    Envelope::Lower => heights.fold(f64::INFINITY, f64::min),
                    Envelope::Upper => heights.fold(f64::NEG_INFINITY, f64::max),
                };
                assert!(
                    (drawn - extreme).abs() < 1e-9,
                    "{side:?} {x}: {drawn} {extreme}"
                );
            }
        }
    }
}
