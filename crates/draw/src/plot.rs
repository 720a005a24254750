//! Pictures of many positions at once: how many are won in how many moves; and of sequences: the
//! value of each heap, what comes before the period, where periods begin, and rare heaps.

mod axes;
mod bars;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use grundy::step::Step;

use self::axes::{Frame, WIDTH};
pub use self::bars::{MovesPlot, moves};
use crate::Say;
use crate::lines::lines;
use crate::svg::{Svg, number};

/// A sequence of values, and what it cost to compute it.
#[derive(Clone, Debug, Default)]
pub struct SequencePlot<'a> {
    /// What it is.
    pub title: &'a str,
    /// The values of heaps 0, 1, 2, ...
    pub values: &'a [u64],
    /// The period, where one is known.
    pub period: Option<PlottedPeriod>,
    /// The rare heaps, where the sequence has a sparse space.
    pub rare: Option<PlottedRare<'a>>,
    /// After so many values the computation had taken so many seconds.
    pub seconds: &'a [(u64, f64)],
}

/// Values that repeat: g(n + period) = g(n) + saltus from the preperiod on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlottedPeriod {
    /// From where on.
    pub preperiod: u64,
    /// After how many heaps.
    pub period: u64,
    /// What is added each time.
    pub saltus: u64,
    /// `true` if that is proved, and not only seen.
    pub proved: bool,
}

/// The heaps of a sparse space that are rare.
#[derive(Clone, Copy, Debug)]
pub struct PlottedRare<'a> {
    /// These heaps, ascending.
    pub heaps: &'a [u64],
    /// The bits of a value whose parity tells rare heaps from common ones.
    pub mask: u64,
}

/// Columns of dots: dots that would fall on one another are drawn once.
const COLUMNS: usize = 450;
/// Rows of dots.
const ROWS: u64 = 160;
/// Common values are dots in blue, rare ones rings in vermilion: form and colour tell them apart.
const COMMON: &str = "#0072B2";
const RARE: &str = "#D55E00";
/// Letters of a line of words.
const LETTERS: usize = 130;
/// Seconds that are too few to be drawn.
const SHORT: f64 = 0.5;
/// Room above a panel for its name and what is written over its top.
const HEAD: f64 = 44.0;

/// Returns the values against the heaps, rare heaps ringed, the preperiod shaded and the periods
/// ruled; with a saltus the same without what it adds; the number of rare heaps; the time taken.
///
/// ```
/// use grundy_draw::plot::{PlottedPeriod, SequencePlot, sequence};
/// let period = PlottedPeriod { preperiod: 0, period: 3, saltus: 0, proved: true };
/// let plot = SequencePlot { title: "n mod 3", values: &[0, 1, 2, 0, 1, 2], period: Some(period), ..SequencePlot::default() };
/// assert_eq!(sequence(&plot, &|step| step.code.to_owned()).matches("class=\"heap\"").count(), 6);
/// ```
#[must_use]
pub fn sequence(plot: &SequencePlot<'_>, say: Say<'_>) -> String {
    let mut svg = Svg::new(plot.title, &say(&Step::new("plot_about")));
    let title: String = plot.title.chars().take(90).collect();
    svg.text(16.0, 26.0, 18.0, "start", &title);
    let mut y = 48.0;
    for line in told(plot, say).iter().flat_map(|text| lines(text, LETTERS)) {
        svg.text(16.0, y, 13.0, "start", &line);
        y += 19.0;
    }
    let shown = shown(plot);
    y = values(&mut svg, plot, &plot.values[..shown], y + 12.0, "g(n)", say);
    if let Some(period) = plot.period.filter(|period| period.saltus > 0) {
        let level = |(n, value): (u64, &u64)| value.saturating_sub(period.added(n));
        let levelled: Vec<u64> = (0..).zip(&plot.values[..shown]).map(level).collect();
        let name = say(&Step::new("plot_levelled"));
        y = values(&mut svg, plot, &levelled, y + 24.0, &name, say);
    }
    if let Some(rare) = plot.rare {
        let steps = (1u32..).zip(rare.heaps);
        let steps = steps.flat_map(|(count, &n)| [(n, count - 1), (n, count)]);
        let counted = steps.map(|(n, count)| (n as f64, f64::from(count)));
        let last = (plot.values.len() as f64, rare.heaps.len() as f64);
        let points: Vec<(f64, f64)> = counted.chain([last]).collect();
        y = curve(&mut svg, &points, y + 24.0, &say(&Step::new("plot_rare")));
    }
    // What took no time to speak of is not shown; so the picture of a short sequence is always the
    // same.
    let took = plot.seconds.last().map_or(0.0, |&(_, seconds)| seconds);
    if plot.seconds.len() > 1 && took >= SHORT {
        let points = plot.seconds.iter().map(|&(n, seconds)| (n as f64, seconds));
        let points: Vec<(f64, f64)> = points.collect();
        y = curve(
            &mut svg,
            &points,
            y + 24.0,
            &say(&Step::new("plot_seconds")),
        );
    }
    svg.finish(WIDTH, y + 8.0)
}

impl PlottedPeriod {
    /// What all saltus before heap `n` have added.
    fn added(&self, n: u64) -> u64 {
        self.saltus * (n.saturating_sub(self.preperiod) / self.period.max(1))
    }
}

/// How many values are drawn: with a period as many as show it, else all.
fn shown(plot: &SequencePlot<'_>) -> usize {
    let all = plot.values.len();
    let Some(period) = plot.period else {
        return all;
    };
    let wanted = period
        .preperiod
        .saturating_add(period.period.saturating_mul(4));
    all.min(usize::try_from(wanted.max(60)).unwrap_or(all))
}

/// What is said above the picture.
fn told(plot: &SequencePlot<'_>, say: Say<'_>) -> Vec<String> {
    let mut told = Vec::new();
    if plot.period.is_some_and(|period| period.preperiod > 0) {
        told.push(say(&Step::new("plot_shaded")));
    }
    if let Some(period) = plot.period {
        let code = match (period.proved, period.saltus) {
            (true, 0) => "plot_period",
            (true, _) => "plot_period_saltus",
            (false, 0) => "plot_period_seen",
            (false, _) => "plot_period_saltus_seen",
        };
        let step = Step::new(code)
            .with("preperiod", period.preperiod)
            .with("period", period.period)
            .with("saltus", period.saltus);
        told.push(say(&step));
    }
    if let Some(rare) = plot.rare {
        let step = Step::new("plot_rings")
            .with("count", rare.heaps.len())
            .with("mask", format!("{:b}", rare.mask));
        told.push(say(&step));
    }
    told
}

/// Returns a panel of values as dots; returns where it ends.
fn values(
    svg: &mut Svg,
    plot: &SequencePlot<'_>,
    values: &[u64],
    top: f64,
    name: &str,
    say: Say<'_>,
) -> f64 {
    let count = values.len().max(1);
    let largest = values.iter().copied().max().unwrap_or(0);
    let frame = Frame::new(top + HEAD, [count as f64, (largest + 1) as f64]);
    let foot = top + HEAD + axes::HEIGHT;
    if let Some(period) = plot.period {
        periods(svg, &frame, period, count as u64, say);
    }
    frame.draw(svg, "n", name);
    let radius = match count {
        0..=120 => 4.5,
        121..=400 => 3.2,
        401..=1500 => 2.4,
        _ => 1.6,
    };
    let cell = |n: usize| {
        let row =
            u128::from(values[n]) * u128::from(ROWS) / u128::from(largest + 1).max(ROWS.into());
        (n * COLUMNS / count.max(COLUMNS), row)
    };
    let mut taken = BTreeSet::new();
    for n in (0..values.len()).filter(|&n| taken.insert(cell(n))) {
        let [x, y] = frame.at(n as f64, values[n] as f64);
        let d = format!("M{} {}h0.01", number(x), number(y));
        svg.path(&d, "heap", COMMON, 2.0 * radius, "");
    }
    let mut taken = BTreeSet::new();
    let rare = plot.rare.map_or(&[][..], |rare| rare.heaps);
    let rare = rare.iter().filter_map(|&n| usize::try_from(n).ok());
    for n in rare.filter(|&n| n < values.len() && taken.insert(cell(n))) {
        let [x, y] = frame.at(n as f64, values[n] as f64);
        let (left, right, r) = (
            number(x - radius - 2.5),
            number(x + radius + 2.5),
            number(radius + 2.5),
        );
        let y = number(y);
        let d = format!("M{left} {y}A{r} {r} 0 1 1 {right} {y}A{r} {r} 0 1 1 {left} {y}");
        svg.path(&d, "rare", RARE, 1.5, "");
    }
    foot + 40.0
}

/// The preperiod shaded, a line where each period begins, the first one named.
fn periods(svg: &mut Svg, frame: &Frame, found: PlottedPeriod, count: u64, say: Say<'_>) {
    let begin = found.preperiod.min(count);
    let [left, top, right, foot] = frame.sides();
    let x = |n: u64| frame.at(n as f64 - 0.5, 0.0)[0].clamp(left, right);
    if begin > 0 {
        svg.rect(
            [left, top, x(begin) - left, foot - top],
            "#eeeeee",
            "preperiod",
        );
        let text = say(&Step::new("plot_preperiod"));
        let room = x(begin) - left;
        if room > 7.5 * crate::svg::letters(&text) as f64 {
            svg.text(left + room / 2.0, top - 6.0, 12.0, "middle", &text);
        }
    }
    let spacing = x(begin.saturating_add(found.period)) - x(begin);
    let mut n = begin;
    let mut ruled = 0;
    while n < count && (ruled == 0 || spacing > 7.0) {
        let at = number(x(n));
        let d = format!("M{at} {}V{}", number(top), number(foot));
        svg.path(&d, "period", "#777777", 1.2, "5 4");
        if spacing > 60.0 && n + found.period <= count {
            let text = say(&Step::new("plot_one_period").with("period", found.period));
            svg.text(x(n) + spacing / 2.0, top - 6.0, 12.0, "middle", &text);
        }
        ruled += 1;
        n = n.saturating_add(found.period);
    }
    if spacing <= 60.0 && begin < count {
        let text = say(&Step::new("plot_from").with("preperiod", begin));
        let room = 7.5 * crate::svg::letters(&text) as f64;
        svg.text(x(begin).min(right - room), top - 6.0, 12.0, "start", &text);
    }
}

/// Returns a panel with a curve, with steps between few points; returns where it ends.
fn curve(svg: &mut Svg, points: &[(f64, f64)], top: f64, name: &str) -> f64 {
    let end = points.iter().fold([1f64, f64::MIN_POSITIVE], |end, point| {
        [end[0].max(point.0), end[1].max(point.1)]
    });
    let frame = Frame::new(top + HEAD, [end[0], end[1] * 1.05]);
    frame.draw(svg, "n", name);
    let every = points.len().div_ceil(COLUMNS).max(1);
    let thinned = points.iter().step_by(every).chain(points.last());
    let mut d = String::new();
    for (index, &(n, value)) in thinned.enumerate() {
        let [x, y] = frame.at(n, value);
        d.push(if index == 0 { 'M' } else { 'L' });
        let _ = write!(d, "{} {}", number(x), number(y));
    }
    svg.path(&d, "curve", COMMON, 2.0, "");
    top + HEAD + axes::HEIGHT + 40.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(step: &Step) -> String {
        step.code.to_owned()
    }

    #[test]
    fn dots_that_fall_on_one_another_are_drawn_once() {
        let values: Vec<u64> = (0..1_000_000).map(|n| n % 12).collect();
        let rares: Vec<u64> = (1..50).map(|k| k * k).collect();
        let svg = sequence(
            &SequencePlot {
                title: "kayles(n) & <others>",
                values: &values,
                rare: Some(PlottedRare {
                    heaps: &rares,
                    mask: 5,
                }),
                seconds: &[(10, 0.1), (1_000_000, 2.0)],
                ..SequencePlot::default()
            },
            &code,
        );
        assert!(svg.contains("&lt;others&gt;"), "titles are escaped");
        let dots = svg.matches("class=\"heap\"").count();
        assert!((5_000..6_000).contains(&dots), "{dots}");
        assert!(svg.contains("class=\"rare\""));
    }

    #[test]
    fn a_period_is_ruled_and_what_comes_before_it_is_shaded() {
        let values: Vec<u64> = (0..100).map(|n| n % 7 + 2 * (n / 7)).collect();
        let period = PlottedPeriod {
            preperiod: 5,
            period: 7,
            saltus: 2,
            proved: true,
        };
        let plot = SequencePlot {
            values: &values,
            period: Some(period),
            ..SequencePlot::default()
        };
        let svg = sequence(&plot, &code);
        assert!(svg.contains("plot_period_saltus") && svg.contains("plot_levelled"));
        assert_eq!(svg.matches("class=\"preperiod\"").count(), 2);
        assert!(svg.matches("class=\"period\"").count() > 8);
    }

    #[test]
    fn nothing_to_plot_is_no_failure() {
        for values in [&[][..], &[0]] {
            let plot = SequencePlot {
                values,
                ..SequencePlot::default()
            };
            assert!(sequence(&plot, &code).contains("<svg"));
        }
    }
}
