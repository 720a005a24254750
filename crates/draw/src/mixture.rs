//! The graphical solution of a game with two choices on one side: what each answer pays against the
//! mixing weight.
//!
//! Heights are given on a scale from 0, the least payoff, to 1, the greatest.

use grundy::step::Step;

use crate::Say;
use crate::svg::Svg;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// Above the picture.
    pub title: String,
    /// The names of the two choices that are mixed: all of the first at the left, all of the second
    /// at the right.
    pub ends: [String; 2],
    /// The answers of the other player.
    pub lines: Vec<Line>,
    /// What the best answers make of them.
    pub envelope: Envelope,
    /// The optimal mixture.
    pub best: BestMixture,
}

/// What one answer pays: a straight line from one choice to the other.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Height and payoff at both ends.
    pub ends: [(f64, String); 2],
}

/// Which side of the lines counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// The other player wants little to be paid: the lowest line counts, its highest point is the
    /// value.
    Lower,
    /// The other player wants much: the highest line counts, its lowest point is the value.
    Upper,
}

/// The optimal mixture.
#[derive(Clone, Debug)]
pub struct BestMixture {
    /// The weight of the second choice.
    pub weight: f64,
    /// The height of the value.
    pub height: f64,
    /// What to write there.
    pub text: String,
}

/// Most lines that are drawn.
const LINES: usize = 40;
/// Left and upper edge, width and height of the diagram.
const FRAME: [f64; 4] = [110.0, 60.0, 480.0, 320.0];

/// Returns the picture.
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
pub fn mixture(mixture: &Mixture, say: Say<'_>) -> String {
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

/// Names and payoffs beside one end, each moved down until it does not cover the one above; what
/// finds no room at a height of its own is left out.
fn labels(svg: &mut Svg, lines: &[Line], end: usize, (x, anchor): (f64, &str), say: Say<'_>) {
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

/// Returns the corners of the envelope from left to right, with the ends: from each corner along
/// the line that turns best to where the next one overtakes it.
fn envelope(lines: &[Line], side: Envelope) -> Vec<(f64, f64)> {
    let sign = match side {
        Envelope::Lower => 1.0,
        Envelope::Upper => -1.0,
    };
    let start = |line: &Line| sign * line.ends[0].0;
    let slope = |line: &Line| sign * (line.ends[1].0 - line.ends[0].0);
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
                let meet = (start(line) - start(current)) / (slope(current) - slope(line));
                (meet, line)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0).then(slope(a.1).total_cmp(&slope(b.1))));
        match next {
            Some((meet, line)) if meet < 1.0 => {
                corners.push((meet, sign * (start(current) + meet * slope(current))));
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

    /// At every weight the envelope is the least, or the greatest, of all lines.
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
