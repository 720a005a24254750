//! A panel with two axes, which have round numbers at their ticks.

use crate::svg::{Svg, number};

/// Width of a plot, in pixels.
pub(super) const WIDTH: f64 = 1000.0;
/// Height of a panel, in pixels.
pub(super) const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 970.0;

/// The conversion from numbers to coordinates in a panel. Both axes begin at 0.
pub(super) struct Frame {
    top: f64,
    ends: [f64; 2],
}

impl Frame {
    pub(super) fn new(top: f64, ends: [f64; 2]) -> Self {
        Self { top, ends }
    }

    /// Returns the coordinates of the point (x, y). The left edge of the panel is half a unit left
    /// of x = 0, so that the first dot is completely visible.
    pub(super) fn at(&self, x: f64, y: f64) -> [f64; 2] {
        let across = (x + 0.5) / (self.ends[0] + 0.5);
        let up = (y + 0.04 * self.ends[1]) / (1.04 * self.ends[1]);
        [
            LEFT + (RIGHT - LEFT) * across,
            self.top + HEIGHT * (1.0 - up),
        ]
    }

    /// Returns the left, top, right and bottom coordinates of the panel.
    pub(super) fn sides(&self) -> [f64; 4] {
        [LEFT, self.top, RIGHT, self.top + HEIGHT]
    }

    /// Draws both axes, their ticks with numbers, and their names `across` and `up`.
    pub(super) fn draw(&self, svg: &mut Svg, across: &str, up: &str) {
        let foot = self.top + HEIGHT;
        svg.line([LEFT, self.top, LEFT, foot], 1.0);
        svg.line([LEFT, foot, RIGHT, foot], 1.0);
        for tick in ticks(self.ends[0], 12) {
            let x = self.at(tick, 0.0)[0];
            svg.line([x, foot, x, foot + 5.0], 1.0);
            svg.text(x, foot + 19.0, 12.0, "middle", &short(tick));
        }
        for tick in ticks(self.ends[1], 7) {
            let y = self.at(0.0, tick)[1];
            svg.line([LEFT - 5.0, y, LEFT, y], 1.0);
            let d = format!("M{} {y}H{}", number(LEFT), number(RIGHT), y = number(y));
            svg.path(&d, "grid", "#dddddd", 0.6, "");
            svg.text(LEFT - 9.0, y + 4.0, 12.0, "end", &short(tick));
        }
        svg.text(RIGHT, foot + 34.0, 13.0, "end", across);
        svg.text(16.0, self.top - 26.0, 13.0, "start", up);
    }
}

/// Returns round numbers from 0 to `end` at equal distances, about `count` of them. The distance is
/// 1, 2 or 5 times a power of ten.
fn ticks(end: f64, count: u32) -> Vec<f64> {
    let wish = end / f64::from(count);
    let power = 10f64.powi(wish.max(1e-9).log10().floor() as i32);
    let factors = [1.0, 2.0, 5.0, 10.0];
    let step = factors
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= wish);
    let step = step.unwrap_or(10.0 * power);
    // Ticks must be integers if the axis shows heaps or values, where fractions make no sense.
    let whole = end >= 3.0 || end.fract() == 0.0;
    let step = if whole { step.max(1.0) } else { step };
    let mut ticks = Vec::new();
    // Each tick is a multiple of the distance. Repeated addition would accumulate rounding errors.
    while ticks.len() < 100 && (ticks.len() as f64) * step <= end {
        ticks.push(ticks.len() as f64 * step);
    }
    ticks
}

/// Returns a number as text for an axis, such as "20 M" for 20000000.
fn short(number: f64) -> String {
    let (number, unit) = match number {
        n if n >= 1e9 => (n / 1e9, " G"),
        n if n >= 1e6 => (n / 1e6, " M"),
        n if n >= 1e4 => (n / 1e3, " k"),
        n => (n, ""),
    };
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(9.0, 7), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(ticks(2.0, 7).last(), Some(&2.0));
        for end in [1.0, 7.0, 120.0, 99_999.0, 3e9] {
            let ticks = ticks(end, 12);
            assert!((2..=13).contains(&ticks.len()), "{end}: {ticks:?}");
        }
        assert_eq!(short(2e7), "20 M");
    }
}
