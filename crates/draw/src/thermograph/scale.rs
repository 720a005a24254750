//! Conversion of values and temperatures to coordinates. Before this conversion, numbers are exact,
//! however large or close together they are.

use std::fmt::Write as _;

use grundy_core::Dyadic;
use grundy_forms::Thermograph;

/// The ranges of values and temperatures in a picture, and the size of the picture in pixels.
pub(super) struct Scale {
    values: [Dyadic; 2],
    temperatures: [Dyadic; 2],
    size: [f64; 2],
}

/// Returns `number * count / 16`.
fn sixteenths(number: &Dyadic, count: i64) -> Dyadic {
    Dyadic::from_bigint(number.numerator() * count, number.exponent()).times_power_of_two(-4)
}

/// Returns `part / whole`. A quotient too large for a picture is returned as 1000000.
pub(crate) fn ratio_f64(part: &Dyadic, whole: &Dyadic) -> f64 {
    // The division is a fixed-point division of big integers, since `f64` could overflow or lose
    // small differences. 40 fractional bits are more precise than any coordinate in the output.
    const BITS: u32 = 40;
    // A common factor 2^common is removed, since it would only make both numbers longer.
    let common = part.exponent().min(whole.exponent());
    let above = part.numerator() << (BITS + whole.exponent() - common);
    let below = whole.numerator() << (part.exponent() - common);
    let quotient = Dyadic::from_bigint(above / below, 0).to_i64();
    quotient.map_or(1e6, |quotient| quotient as f64 / (1u64 << BITS) as f64)
}

impl Scale {
    /// Creates a scale that shows all points of the thermographs in a picture of at most the given
    /// size. Walls lean by 45 degrees, unless the picture would then be too flat.
    pub(super) fn new<'a>(
        graphs: impl Iterator<Item = &'a Thermograph>,
        [width, height]: [f64; 2],
    ) -> Self {
        let points: Vec<(Dyadic, Dyadic)> = graphs
            .flat_map(|graph| graph.walls().into_iter().flatten())
            .collect();
        let values = || points.iter().map(|(_, value)| value);
        let low = values().min().cloned().unwrap_or(Dyadic::ZERO);
        let high = values().max().cloned().unwrap_or(Dyadic::ZERO);
        let half = Dyadic::new(1, 1);
        // 3/16 of the range of values stay free on both sides, as room for labels.
        let margin = sixteenths(&(&high - &low), 3).max(half.clone());
        let mut values = [&low - &margin, &high + &margin];
        let hot = points.iter().map(|(t, _)| t).max();
        let hot = hot.cloned().unwrap_or(Dyadic::ZERO).max(Dyadic::ZERO);
        let mast = (&hot + &Dyadic::ONE).times_power_of_two(-2).max(half);
        let lowest = Dyadic::integer(-1);
        let temperatures = [lowest, &hot + &mast];
        let [across, up] = [&values, &temperatures].map(|[from, to]| to - from);
        let ratio = ratio_f64(&across, &up).clamp(1e-6, 1e6);
        let wide = width.min(height * ratio);
        let high = wide / ratio;
        if high < 0.5 * height {
            return Self {
                values,
                temperatures,
                size: [width, height],
            };
        }
        // The range of values is extended on both sides, so that it fills the width.
        let more = (8.0 * (width / wide - 1.0)).floor() as i64;
        let more = sixteenths(&across, more.clamp(0, 1 << 20));
        values = [&values[0] - &more, &values[1] + &more];
        let wide = wide * ratio_f64(&(&values[1] - &values[0]), &across);
        Self {
            values,
            temperatures,
            size: [wide, high],
        }
    }

    pub(super) fn width(&self) -> f64 {
        self.size[0]
    }

    pub(super) fn height(&self) -> f64 {
        self.size[1]
    }

    /// Returns the least and the greatest value in the picture.
    pub(super) fn values(&self) -> &[Dyadic; 2] {
        &self.values
    }

    /// Returns the lowest and the highest temperature in the picture.
    pub(super) fn temperatures(&self) -> &[Dyadic; 2] {
        &self.temperatures
    }

    /// Returns the coordinates of a point, given its value and its temperature.
    pub(super) fn at(&self, value: &Dyadic, temperature: &Dyadic) -> [f64; 2] {
        let along = |[from, to]: &[Dyadic; 2], at: &Dyadic| ratio_f64(&(to - at), &(to - from));
        [
            self.size[0] * along(&self.values, value),
            self.size[1] * along(&self.temperatures, temperature),
        ]
    }

    /// Returns the coordinates at which a segment of a wall crosses temperature 0. Each end of the
    /// segment is given as [temperature, value].
    pub(super) fn crossing(&self, from: [&Dyadic; 2], to: [&Dyadic; 2]) -> [f64; 2] {
        let along = ratio_f64(&-from[0], &(to[0] - from[0]));
        let [a, b] = [from, to].map(|[t, value]| self.at(value, t)[0]);
        let [_, zero] = self.at(from[1], &Dyadic::ZERO);
        [a + along * (b - a), zero]
    }
}

/// Returns the multiples of a round number that lie in the given range. The round number is 1, 2 or
/// 5 times a power of ten. It is chosen so that there are at most about `most` multiples.
pub(super) fn ticks([from, to]: &[Dyadic; 2], most: usize) -> Vec<Dyadic> {
    let room = to - from;
    let digits = room.floor().to_string().len() as u32;
    // The first candidate is at most a hundredth of the range. So few candidates are tried, even if
    // the range has thousands of digits.
    let power = Dyadic::integer(10)
        .numerator()
        .pow(digits.saturating_sub(3));
    let steps = (0..).flat_map(|more| {
        [1, 2, 5].map(|factor| &power * factor * Dyadic::integer(10).numerator().pow(more))
    });
    let fits = |step: &Dyadic| ratio_f64(&room, step) <= most as f64;
    let Some(step) = steps.map(|step| Dyadic::from_bigint(step, 0)).find(fits) else {
        return Vec::new();
    };
    // Division of big integers rounds towards zero, so the start is one step lower.
    let below = from.floor().numerator() / step.numerator() - 1;
    let mut tick = Dyadic::from_bigint(below * step.numerator(), 0);
    let mut ticks = Vec::new();
    while tick <= *to {
        if tick >= *from {
            ticks.push(tick.clone());
        }
        tick = &tick + &step;
    }
    ticks
}

/// Returns a number as a short text. It is written in full if this takes at most `most` letters.
/// Otherwise it is written as a fraction such as `3/2^50`, or in scientific notation such as
/// `10^20`. If it is rounded, the sign `≈` precedes it. Returns `None` if no short text exists.
pub(super) fn short_number(number: &Dyadic, most: usize) -> Option<String> {
    // Large numbers are not written in full. Their conversion to decimal digits is slow, and the
    // text would not be short.
    let numerator = number.numerator();
    if numerator.bits() < 64 && number.exponent() < 40 {
        let full = number.to_string();
        if full.len() <= most {
            return Some(full);
        }
    }
    if numerator.bits() > 4000 {
        return None;
    }
    let above = numerator.to_string();
    let exponent = number.exponent();
    if exponent > 0 && above.len() <= 5 {
        return Some(format!("{above}/2^{exponent}"));
    }
    let whole = above.parse::<f64>().ok()?;
    let rounded = whole / 2f64.powi(i32::try_from(exponent).ok()?);
    if !rounded.is_normal() {
        return None;
    }
    let scientific = format!("{rounded:.2e}");
    let (mantissa, power) = scientific.split_once('e')?;
    // The mantissa has exactly two decimals, so only zeros after the decimal point are removed.
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let digits = mantissa.replace('.', "");
    let exact = exponent == 0 && above.trim_end_matches('0') == digits.trim_end_matches('0');
    let mut text = if exact {
        String::new()
    } else {
        "≈".to_owned()
    };
    let _ = match mantissa {
        _ if power == "0" => write!(text, "{mantissa}"),
        "1" => write!(text, "10^{power}"),
        "-1" => write!(text, "-10^{power}"),
        _ => write!(text, "{mantissa}e{power}"),
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_mark_rounding() {
        let one = Dyadic::ONE;
        for (number, text) in [
            (Dyadic::new(5, 2), "5/4"),
            (Dyadic::integer(-7), "-7"),
            (Dyadic::integer(1_000_000_000_000), "10^12"),
            (Dyadic::integer(-1_000_000_000_000), "-10^12"),
            (Dyadic::integer(2_500_000_000_000), "2.5e12"),
            (Dyadic::integer(1_000_000_000_001), "≈10^12"),
            (one.times_power_of_two(100), "≈1.27e30"),
            (one.times_power_of_two(-100), "1/2^100"),
            (&one - &one.times_power_of_two(-100), "≈1"),
        ] {
            assert_eq!(short_number(&number, 12).as_deref(), Some(text));
        }
        assert_eq!(short_number(&one.times_power_of_two(5000), 12), None);
    }

    #[test]
    fn ticks_are_round_and_not_too_many() {
        let small = ticks(&[Dyadic::new(-3, 1), Dyadic::new(7, 1)], 9);
        assert_eq!(small, [-1, 0, 1, 2, 3].map(Dyadic::integer));
        for power in [0, 3, 40, 300, 2000] {
            for shift in [0, power] {
                let from = Dyadic::ONE.times_power_of_two(shift);
                let to = &from + &Dyadic::integer(3).times_power_of_two(power);
                let ticks = ticks(&[from, to], 9);
                assert!((2..=10).contains(&ticks.len()), "{power}: {}", ticks.len());
            }
        }
    }

    #[test]
    fn shares_are_correct_at_all_magnitudes() {
        let tiny = Dyadic::ONE.times_power_of_two(-500);
        assert!((ratio_f64(&tiny, &tiny.times_power_of_two(2)) - 0.25).abs() < 1e-9);
        assert!(ratio_f64(&tiny, &Dyadic::ONE).abs() < 1e-9);
        assert!((ratio_f64(&Dyadic::ONE, &tiny) - 1e6).abs() < 1e-9);
        assert!((ratio_f64(&Dyadic::integer(-3), &Dyadic::integer(4)) + 0.75).abs() < 1e-9);
    }
}
