//! A heap in a periodic sequence: a strip with one period, in which the residue class of the heap
//! is marked.

use std::ops::Range;

use grundy_core::step::Step;

use super::{MARGIN, wide};
use crate::Wording;
use crate::svg::Svg;

/// A heap in a periodic sequence of values, and its residue class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Residue {
    /// The number of chips in the heap.
    pub size: u64,
    /// The least heap size from which the values repeat.
    pub preperiod: u64,
    /// The length of the period.
    pub period: u64,
    /// The saltus: the amount that each period adds to the values.
    pub saltus: u64,
    /// The Grundy value of the heap.
    pub value: u64,
    /// The values of the first period, for the residue classes that [`Residue::shown`] returns.
    /// Empty if these values are unknown.
    pub values: Vec<u64>,
}

impl Residue {
    /// Returns the residue classes that are drawn: all classes of a short period, or those around
    /// the class of the heap.
    ///
    /// ```
    /// use grundy_draw::step::Residue;
    /// // The values of Kayles have period 12 from heap 71, and those of Dawson's Chess period 34
    /// // from heap 52.
    /// let kayles = Residue { size: 100, preperiod: 71, period: 12, ..Residue::default() };
    /// assert_eq!(kayles.shown(), 0..12);
    /// let dawson = Residue { size: 103, preperiod: 52, period: 34, ..Residue::default() };
    /// assert_eq!(dawson.shown(), 10..25);
    /// ```
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
/// Number of cells drawn on either side of the marked cell, in a long period.
const AROUND: u64 = 7;
/// Largest length of a period that is drawn completely.
const WHOLE: u64 = 24;

/// Draws one period, with the residue class of the heap marked and the size of the heap below it.
/// Returns the width and the height.
pub(super) fn draw(svg: &mut Svg, residue: &Residue, say: Wording<'_>) -> [f64; 2] {
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
        // The strip shows the first period, so the saltus that later periods have added is
        // subtracted.
        let base = value.saturating_sub(saltus * times);
        // If no values are given, only the class of the heap has a known value.
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
