//! Plots of sequences.

use std::collections::BTreeSet;

use grundy::step::Step;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::Say;

/// A sequence of values, and what it cost to compute it.
#[derive(Clone, Debug, Default)]
pub struct SequencePlot<'a> {
    /// What it is.
    pub title: &'a str,
    /// The values of heaps 0, 1, 2, ...
    pub values: &'a [u64],
    /// The rare heaps, ascending, where the sequence has a sparse space.
    pub rares: &'a [u64],
    /// After so many values the computation had taken so many seconds.
    pub seconds: &'a [(u64, f64)],
}

/// Columns of dots: dots that would fall on one another are drawn once.
const COLUMNS: usize = 300;
/// Rows of dots.
const ROWS: u64 = 100;
const WIDTH: u32 = 1000;
/// Common values are dots in blue, rare ones rings in vermilion: form and colour tell them apart.
const COMMON: RGBColor = RGBColor(0, 114, 178);
const RARE: RGBColor = RGBColor(213, 94, 0);

/// The values against the heaps, rare heaps ringed; the number of rare heaps; the time taken.
///
/// # Errors
/// What the plotting library could not do.
pub fn sequence(plot: &SequencePlot<'_>, say: Say<'_>) -> Result<String, String> {
    let mut out = String::new();
    let panels = 1 + u32::from(!plot.rares.is_empty()) + u32::from(plot.seconds.len() > 1);
    {
        let area =
            SVGBackend::with_string(&mut out, (WIDTH, 60 + 300 * panels)).into_drawing_area();
        draw(plot, &area, say).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    Ok(out)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failed<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw<'a>(plot: &SequencePlot<'_>, area: &Area<'a>, say: Say<'_>) -> Result<(), Failed<'a>> {
    area.fill(&WHITE)?;
    let (top, mut rest) = area.split_vertically(360);
    values(plot, &top, say)?;
    if !plot.rares.is_empty() {
        let steps = (1u32..).zip(plot.rares);
        let steps = steps.flat_map(|(count, &n)| [(n, count - 1), (n, count)]);
        let counted = steps.map(|(n, count)| (n as f64, f64::from(count)));
        let (panel, below) = rest.split_vertically(300);
        let last = (plot.values.len() as f64, plot.rares.len() as f64);
        curve(
            &panel,
            &say(&Step::new("plot_rare")),
            counted.chain([last]).collect(),
        )?;
        rest = below;
    }
    if plot.seconds.len() > 1 {
        let points = plot.seconds.iter().map(|&(n, seconds)| (n as f64, seconds));
        curve(&rest, &say(&Step::new("plot_seconds")), points.collect())?;
    }
    Ok(())
}

/// The values as dots.
fn values<'a>(plot: &SequencePlot<'_>, area: &Area<'a>, say: Say<'_>) -> Result<(), Failed<'a>> {
    let count = plot.values.len().max(1);
    let largest = plot.values.iter().copied().max().unwrap_or(0);
    let title: String = plot.title.chars().take(80).collect();
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 22))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0f64..count as f64, 0f64..(largest + 1) as f64)?;
    chart
        .configure_mesh()
        .x_desc(if plot.rares.is_empty() {
            "n".to_owned()
        } else {
            say(&Step::new("plot_rings"))
        })
        .y_desc("g(n)")
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .light_line_style(WHITE)
        .draw()?;
    let cell = |n: usize, value: u64| {
        (
            n * COLUMNS / count.max(COLUMNS),
            value * ROWS / (largest + 1).max(ROWS),
        )
    };
    let mut taken = BTreeSet::new();
    let first = |n: &usize| taken.insert(cell(*n, plot.values[*n]));
    let dots = (0..plot.values.len()).filter(first);
    let place = |n: usize| (n as f64, plot.values[n] as f64);
    chart.draw_series(dots.map(|n| Circle::new(place(n), 1, COMMON.filled())))?;
    let mut taken = BTreeSet::new();
    let rares = plot.rares.iter().filter_map(|&n| usize::try_from(n).ok());
    let rares = rares.filter(|n| *n < plot.values.len() && taken.insert(cell(*n, plot.values[*n])));
    chart.draw_series(rares.map(|n| Circle::new(place(n), 3, RARE.stroke_width(1))))?;
    Ok(())
}

/// A curve, with steps between few points.
fn curve<'a>(area: &Area<'a>, what: &str, points: Vec<(f64, f64)>) -> Result<(), Failed<'a>> {
    let end = points.iter().fold((1f64, f64::MIN_POSITIVE), |end, point| {
        (end.0.max(point.0), end.1.max(point.1))
    });
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0f64..end.0, 0f64..end.1 * 1.05)?;
    chart
        .configure_mesh()
        .x_desc("n")
        .y_desc(what)
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .light_line_style(WHITE)
        .draw()?;
    let every = points.len().div_ceil(COLUMNS).max(1);
    let last = points.last().copied();
    let thinned = points.into_iter().step_by(every).chain(last);
    chart.draw_series(LineSeries::new(thinned, COMMON.stroke_width(2)))?;
    Ok(())
}

/// A number on an axis: 20000000 as 20 M.
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
                rares: &rares,
                seconds: &[(10, 0.1), (1_000_000, 2.0)],
            },
            &code,
        )
        .unwrap();
        assert!(svg.contains("&lt;others&gt;"), "titles are escaped");
        let dots = svg.matches("<circle").count();
        assert!((3_000..4_000).contains(&dots), "{dots}");
    }

    #[test]
    fn nothing_to_plot_is_no_failure() {
        for values in [&[][..], &[0]] {
            let plot = SequencePlot {
                values,
                ..SequencePlot::default()
            };
            assert!(sequence(&plot, &code).unwrap().contains("<svg"));
        }
    }
}
