//! Plots of outcomes and of sequences. A plot of outcomes shows how many positions are won and how
//! many are lost, for each range of the remoteness. A plot of a sequence shows its Grundy values,
//! the preperiod, the periods and the rare heaps. The rare heaps are the few exceptions to a rule
//! about the parity of the values.

mod axes;
mod bars;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use grundy_core::step::Step;

use self::axes::{Frame, WIDTH};
pub use self::bars::{MovesPlot, moves};
use crate::Wording;
use crate::lines::lines;
use crate::svg::{Svg, number};

/// A sequence of Grundy values, and the time that its computation took.
#[derive(Clone, Debug, Default)]
pub struct SequencePlot<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// The values of heaps 0, 1, 2, ...
    pub values: &'a [u64],
    /// The period, if one is known.
    pub period: Option<PlottedPeriod>,
    /// The rare heaps, if the sequence has a sparse space. A sparse space is a rule by which the
    /// parity of the values separates many common heaps from few rare ones.
    pub rare: Option<PlottedRare<'a>>,
    /// Measurements of the computing time. A pair `(count, seconds)` states that the first `count`
    /// values were computed after `seconds` seconds.
    pub seconds: &'a [(u64, f64)],
}

/// A period of the values: g(n + period) = g(n) + saltus for all n >= preperiod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlottedPeriod {
    /// The first heap of the period.
    pub preperiod: u64,
    /// The length of the period.
    pub period: u64,
    /// The saltus: the amount that each period adds to the values.
    pub saltus: u64,
    /// `true` if the period is proved, `false` if it is only observed.
    pub proved: bool,
}

/// The rare heaps of a sequence, and the sparse space that defines them. A sparse space is a rule
/// by which the parity of the Grundy values makes most heaps common and few heaps rare.
#[derive(Clone, Copy, Debug)]
pub struct PlottedRare<'a> {
    /// The heaps, in ascending order.
    pub heaps: &'a [u64],
    /// The mask of the sparse space. The number of binary ones in `value & mask`, where `value` is
    /// the Grundy value of a heap, is even or odd. This parity decides whether the heap is rare or
    /// common.
    pub mask: u64,
    /// `true` if the size of the heap is added to the number of ones before the parity is taken.
    pub position: bool,
}

/// Number of columns of dots. Dots with the same column and row are drawn once.
const COLUMNS: usize = 450;
/// Number of rows of dots.
const ROWS: u64 = 160;
/// Colour of common values, which are blue dots.
const COMMON: &str = "#0072B2";
/// Colour of rare values, which are vermilion rings.
const RARE: &str = "#D55E00";
/// Largest number of letters in a line of text above the plot.
const LETTERS: usize = 130;
/// Least total computing time, in seconds, for which the plot has a panel that shows the times.
const SHORT: f64 = 0.5;
/// Height of the space above a panel, in pixels. It contains the name of the panel, and the labels
/// of the lines that separate periods.
const HEAD: f64 = 44.0;

/// Draws the values of a sequence as dots: the heap is on the horizontal axis, the value on the
/// vertical one. Rare heaps are ringed, the preperiod is shaded, and lines separate the periods.
/// Further panels show the values without the saltus, the number of rare heaps, and the time of the
/// computation.
///
/// ```
/// use grundy_draw::plot::{PlottedPeriod, SequencePlot, sequence};
/// let period = PlottedPeriod { preperiod: 0, period: 3, saltus: 0, proved: true };
/// let plot = SequencePlot {
///     title: "n mod 3",
///     values: &[0, 1, 2, 0, 1, 2],
///     period: Some(period),
///     ..SequencePlot::default()
/// };
/// assert_eq!(sequence(&plot, &|step| step.code.to_owned()).matches("class=\"heap\"").count(), 6);
/// ```
#[must_use]
pub fn sequence(plot: &SequencePlot<'_>, say: Wording<'_>) -> String {
    let mut svg = Svg::new(plot.title, &say(&Step::new("plot_about")));
    let title: String = plot.title.chars().take(90).collect();
    svg.text(16.0, 26.0, 18.0, "start", &title);
    let mut y = 48.0;
    for line in captions(plot, say)
        .iter()
        .flat_map(|text| lines(text, LETTERS))
    {
        svg.text(16.0, y, 13.0, "start", &line);
        y += 19.0;
    }
    let shown = shown_count(plot);
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
    // Times differ from run to run, so short ones are omitted. Then the picture of a short sequence
    // is always the same.
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
    /// Returns the amount that the saltus has added to the value of heap `n`: the saltus times the
    /// number of complete periods before `n`.
    fn added(&self, n: u64) -> u64 {
        self.saltus * (n.saturating_sub(self.preperiod) / self.period.max(1))
    }
}

/// Returns the number of values to draw: enough to show the period, or all values if no period is
/// known.
fn shown_count(plot: &SequencePlot<'_>) -> usize {
    let all = plot.values.len();
    let Some(period) = plot.period else {
        return all;
    };
    // Four periods after the preperiod show the pattern. With more, the picture would only shrink.
    let wanted = period
        .preperiod
        .saturating_add(period.period.saturating_mul(4));
    all.min(usize::try_from(wanted.max(60)).unwrap_or(all))
}

/// Returns the sentences above the plot.
fn captions(plot: &SequencePlot<'_>, say: Wording<'_>) -> Vec<String> {
    let mut captions = Vec::new();
    if plot.period.is_some_and(|period| period.preperiod > 0) {
        captions.push(say(&Step::new("plot_shaded")));
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
        captions.push(say(&step));
    }
    if let Some(rare) = plot.rare {
        let code = if rare.position {
            "plot_rings_position"
        } else {
            "plot_rings"
        };
        let step = Step::new(code)
            .with("count", rare.heaps.len())
            .with("mask", format!("{:b}", rare.mask));
        captions.push(say(&step));
    }
    captions
}

/// Draws a panel with a dot for each value. Returns the y coordinate of its lower end.
fn values(
    svg: &mut Svg,
    plot: &SequencePlot<'_>,
    values: &[u64],
    top: f64,
    name: &str,
    say: Wording<'_>,
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
    // Products are computed in 128 bits, since a value times the number of rows may exceed 64 bits.
    let cell = |n: usize| {
        let row =
            u128::from(values[n]) * u128::from(ROWS) / u128::from(largest + 1).max(ROWS.into());
        (n * COLUMNS / count.max(COLUMNS), row)
    };
    let mut occupied = BTreeSet::new();
    for n in (0..values.len()).filter(|&n| occupied.insert(cell(n))) {
        let [x, y] = frame.at(n as f64, values[n] as f64);
        let d = format!("M{} {}h0.01", number(x), number(y));
        svg.path(&d, "heap", COMMON, 2.0 * radius, "");
    }
    let mut occupied = BTreeSet::new();
    let rare = plot.rare.map_or(&[][..], |rare| rare.heaps);
    let rare = rare.iter().filter_map(|&n| usize::try_from(n).ok());
    for n in rare.filter(|&n| n < values.len() && occupied.insert(cell(n))) {
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

/// Shades the preperiod and draws a line at the beginning of each period. If the lines would be too
/// close together, draws only the first one. Labels every complete period, or only the first line
/// if the periods are too narrow for labels.
fn periods(svg: &mut Svg, frame: &Frame, period: PlottedPeriod, count: u64, say: Wording<'_>) {
    let begin = period.preperiod.min(count);
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
    // The distance between two lines decides how many lines and labels are drawn.
    let spacing = x(begin.saturating_add(period.period)) - x(begin);
    let mut n = begin;
    let mut drawn = 0;
    // If the lines were closer than 7 pixels, they would fill the panel, so only the first is
    // drawn.
    while n < count && (drawn == 0 || spacing > 7.0) {
        let at = number(x(n));
        let d = format!("M{at} {}V{}", number(top), number(foot));
        svg.path(&d, "period", "#777777", 1.2, "5 4");
        if spacing > 60.0 && n + period.period <= count {
            let text = say(&Step::new("plot_one_period").with("period", period.period));
            svg.text(x(n) + spacing / 2.0, top - 6.0, 12.0, "middle", &text);
        }
        drawn += 1;
        n = n.saturating_add(period.period);
    }
    if spacing <= 60.0 && begin < count {
        let text = say(&Step::new("plot_from").with("preperiod", begin));
        let room = 7.5 * crate::svg::letters(&text) as f64;
        svg.text(x(begin).min(right - room), top - 6.0, 12.0, "start", &text);
    }
}

/// Draws a panel with a curve through the points, of which at most about `COLUMNS` are used.
/// Returns the y coordinate of the lower end of the panel.
fn curve(svg: &mut Svg, points: &[(f64, f64)], top: f64, name: &str) -> f64 {
    let end = points.iter().fold([1f64, f64::MIN_POSITIVE], |end, point| {
        [end[0].max(point.0), end[1].max(point.1)]
    });
    let frame = Frame::new(top + HEAD, [end[0], end[1] * 1.05]);
    frame.draw(svg, "n", name);
    let every = points.len().div_ceil(COLUMNS).max(1);
    // The last point is always included, since the curve must end at the final count.
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
    fn coincident_dots_are_drawn_once() {
        let values: Vec<u64> = (0..1_000_000).map(|n| n % 12).collect();
        let rares: Vec<u64> = (1..50).map(|k| k * k).collect();
        let svg = sequence(
            &SequencePlot {
                title: "kayles(n) & <others>",
                values: &values,
                rare: Some(PlottedRare {
                    heaps: &rares,
                    mask: 5,
                    position: true,
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
        // The caption names the rule by which heaps are rare.
        assert!(svg.contains("plot_rings_position"));
    }

    #[test]
    fn periods_are_ruled_and_the_preperiod_is_shaded() {
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
    fn empty_sequences_are_plotted() {
        for values in [&[][..], &[0]] {
            let plot = SequencePlot {
                values,
                ..SequencePlot::default()
            };
            assert!(sequence(&plot, &code).contains("<svg"));
        }
    }
}
