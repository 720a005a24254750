//! Pictures of the stages in which positions are labelled with their outcomes, and of cycles of
//! positions.

use std::f64::consts::TAU;

use grundy_core::Outcome;
use grundy_core::step::Step;

use super::{MARGIN, wide};
use crate::Wording;
use crate::svg::Svg;
use crate::table::outcome_style;

/// The positions that get their outcome in one stage of a labelling, or the set of all positions
/// with one outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The index of the stage. `None` for the set of all positions with one outcome.
    pub index: Option<u64>,
    /// The outcome with which the positions are labelled.
    pub outcome: Outcome,
    /// The names of the first positions. There may be more positions than names.
    pub names: Vec<String>,
    /// The number of positions, including those without a name in `names`.
    pub count: u64,
}

/// Largest number of names in a row of the picture.
const SHOWN: usize = 14;
/// Largest number of stages in a picture. If there are more stages, only the last `STAGES` stages
/// are drawn, since they matter most.
const STAGES: usize = 12;
const HEIGHT: f64 = 26.0;
const ROW: f64 = 42.0;

/// Draws a row for each stage. The newest stage is at the top, with a thick frame. Returns the
/// width and the height.
pub(super) fn draw(svg: &mut Svg, stages: &[Stage], say: Wording<'_>) -> [f64; 2] {
    let shown = &stages[stages.len().saturating_sub(STAGES)..];
    let heads: Vec<String> = shown
        .iter()
        .map(|stage| match stage.index {
            Some(index) => say(&Step::new("step_stage").with("index", index)),
            None => stage.outcome.to_string(),
        })
        .collect();
    let label = heads
        .iter()
        .map(|head| wide(head, 13.0))
        .fold(0.0, f64::max)
        + 14.0;
    let mut width: f64 = label;
    for (row, (stage, head)) in shown.iter().rev().zip(heads.iter().rev()).enumerate() {
        let top = MARGIN + ROW * row as f64;
        svg.text(MARGIN, top + 18.0, 13.0, "start", head);
        let (fill, letter, class) = outcome_style(Some(stage.outcome));
        let mut x = MARGIN + label;
        for name in stage.names.iter().take(SHOWN) {
            let text: String = format!("{name} {letter}").chars().take(26).collect();
            let room = wide(&text, 13.0) + 14.0;
            svg.rect([x, top, room, HEIGHT], fill, class);
            if row == 0 {
                svg.rect(
                    [x - 2.0, top - 2.0, room + 4.0, HEIGHT + 4.0],
                    "none",
                    "newest",
                );
            }
            svg.text(x + room / 2.0, top + 18.0, 13.0, "middle", &text);
            x += room + 10.0;
        }
        let rest = stage
            .count
            .saturating_sub(stage.names.len().min(SHOWN) as u64);
        if rest > 0 {
            let more = format!("+ {rest}");
            svg.text(x, top + 18.0, 13.0, "start", &more);
            x += wide(&more, 13.0) + 10.0;
        }
        width = width.max(x - MARGIN);
    }
    [width, ROW * shown.len() as f64 - (ROW - HEIGHT)]
}

/// Draws the positions of a cycle on a circle, with an arrow from each to the next. Returns the
/// width and the height.
pub(super) fn cycle(svg: &mut Svg, names: &[String]) -> [f64; 2] {
    let count = names.len();
    let room = names
        .iter()
        .map(|name| wide(name, 14.0) / 2.0 + 8.0)
        .fold(14.0, f64::max)
        .min(70.0);
    // The circle is large enough for all positions, with a little space between them.
    let radius = (1.1 * room * count as f64 / 2.0).clamp(2.0 * room, 260.0);
    let middle = MARGIN + radius + room;
    let place = |index: usize| {
        let turn = TAU * index as f64 / count as f64 - TAU / 4.0;
        [middle + radius * turn.cos(), middle + radius * turn.sin()]
    };
    for index in 0..count {
        let (from, to) = (place(index), place((index + 1) % count));
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = dx.hypot(dy).max(1e-9);
        let [ux, uy] = [dx / length, dy / length];
        // In a cycle of length 2, the two arrows are shifted, since they would cover each other.
        let shift = if count == 2 { 7.0 } else { 0.0 };
        let end = |[x, y]: [f64; 2], sign: f64| {
            let gap = sign * (room + 4.0);
            [x + gap * ux - shift * uy, y + gap * uy + shift * ux]
        };
        svg.arrow(&[end(from, 1.0), end(to, -1.0)], 1.5, "");
    }
    for (index, name) in names.iter().enumerate() {
        let [x, y] = place(index);
        svg.circle(x, y, room, "#fbe3ab", "outcome-d");
        let name: String = name.chars().take(16).collect();
        svg.text(x, y + 5.0, 14.0, "middle", &name);
    }
    [2.0 * (radius + room), 2.0 * (radius + room)]
}
