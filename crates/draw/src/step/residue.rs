//! The place of a heap in its period: the strip of one period, and the class marked.

use std::ops::Range;

use grundy::step::Step;

use super::{MARGIN, wide};
use crate::Say;
use crate::svg::Svg;

/// A heap and its class in a period.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Residue {
    /// The heap.
    pub size: u64,
    /// The least heap from which the values repeat.
    pub preperiod: u64,
    /// After how many heaps they do.
    pub period: u64,
    /// What is added each time.
    pub saltus: u64,
    /// The value of the heap.
    pub value: u64,
    /// The values of the classes that are drawn, as they are in the first period, where they are
    /// known.
    pub values: Vec<u64>,
}

impl Residue {
    /// Returns the classes that are drawn: all of a short period, of a long one those around the
    /// class of the heap.
    #[must_use]
    pub fn shown(&self) -> std::ops::Range<u64> {
        let rest = self.size.saturating_sub(self.preperiod) % self.period.max(1);
        if self.period <= WHOLE {
            return 0..self.period;
        }
        let from = rest.saturating_sub(AROUND);
        from..(from + 2 * AROUND + 1).min(self.period)
    }
}

const SIDE: f64 = 34.0;
/// Cells to each side of the one that is marked, where the period is long.
const AROUND: u64 = 7;
const WHOLE: u64 = 24;

/// Draws one period, the class of the heap marked, and the heap under it.
pub(super) fn draw(svg: &mut Svg, residue: &Residue, say: Say<'_>) -> [f64; 2] {
    let Residue {
        size,
        preperiod,
        period,
        saltus,
        value,
        ..
    } = *residue;
    let beyond = size.saturating_sub(preperiod);
    let (times, rest) = (beyond / period, beyond % period);
    let Range {
        start: from,
        end: to,
    } = residue.shown();
    let place = Step::new("step_class")
        .with("size", size)
        .with("preperiod", preperiod)
        .with("times", times)
        .with("period", period)
        .with("rest", rest);
    let legend = say(&place);
    svg.text(MARGIN, MARGIN + 12.0, 13.0, "start", &legend);
    let top = MARGIN + 46.0;
    let room = if from > 0 { 22.0 } else { 0.0 };
    let left = MARGIN + room;
    if from > 0 {
        svg.text(MARGIN, top + 22.0, 14.0, "start", "…");
    }
    for (index, class) in (from..to).enumerate() {
        let x = left + SIDE * index as f64;
        let here = class == rest;
        let fill = if here { "#fbe3ab" } else { "#ffffff" };
        svg.rect(
            [x, top, SIDE, SIDE],
            fill,
            if here { "class" } else { "square" },
        );
        let middle = x + SIDE / 2.0;
        svg.text(
            middle,
            top - 6.0,
            10.0,
            "middle",
            &(preperiod + class).to_string(),
        );
        let base = value.saturating_sub(saltus * times);
        let known = residue.values.get(index).copied();
        if let Some(shown) = known.or(here.then_some(base)) {
            svg.text(middle, top + 23.0, 15.0, "middle", &shown.to_string());
        }
        if here {
            svg.arrow(
                &[[middle, top + SIDE + 38.0], [middle, top + SIDE + 3.0]],
                1.5,
                "",
            );
            let below = if saltus == 0 {
                Step::new("step_heap_value")
            } else {
                Step::new("step_heap_value_saltus")
                    .with("base", base)
                    .with("times", times)
                    .with("saltus", saltus)
            };
            let below = say(&below.with("size", size).with("value", value));
            let x = middle.max(MARGIN + wide(&below, 13.0) / 2.0);
            svg.text(x, top + SIDE + 54.0, 13.0, "middle", &below);
        }
    }
    let cells = SIDE * (to - from) as f64;
    if to < period {
        svg.text(left + cells + 8.0, top + 22.0, 14.0, "start", "…");
    }
    let width = (room + cells + 24.0).max(wide(&legend, 13.0));
    [width + 60.0, 46.0 + SIDE + 60.0]
}
