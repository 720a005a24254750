//! Bar charts of the numbers of won and lost positions, by remoteness.

use grundy_core::step::Step;

use super::axes::{Frame, HEIGHT, WIDTH};
use super::{HEAD, LETTERS, lines};
use crate::Wording;
use crate::svg::Svg;

/// The numbers of won and lost positions, by remoteness.
#[derive(Clone, Copy, Debug)]
pub struct MovesPlot<'a> {
    /// The title of the chart.
    pub title: &'a str,
    /// The number of consecutive values of the remoteness that share a bar. Bar i counts the
    /// positions whose remoteness is from `i * step` to `(i + 1) * step - 1`.
    pub step: u64,
    /// For each bar, the number of positions that the player to move wins.
    pub won: &'a [u64],
    /// For each bar, the number of positions that the player to move loses.
    pub lost: &'a [u64],
    /// The number of drawn positions.
    pub drawn: u64,
}

/// The colour of the bars for won positions. Game graphs use the same colour for N-positions.
const WON: &str = "#a6dcc8";
/// The colour of the bars for lost positions. Game graphs use the same colour for P-positions.
const LOST: &str = "#f3bd94";

/// Draws two bars for each range of the remoteness: one for won positions, and one for lost ones.
/// Heights are logarithmic, so that even the bar for a single position is visible.
///
/// ```
/// use grundy_draw::plot::{MovesPlot, moves};
/// let plot = MovesPlot { title: "nim(1)", step: 1, won: &[0, 1], lost: &[1], drawn: 0 };
/// let svg = moves(&plot, &|step| step.code.to_owned());
/// assert_eq!(svg.matches("class=\"won\"").count(), 2);
/// assert_eq!(svg.matches("class=\"lost\"").count(), 2);
/// ```
#[must_use]
pub fn moves(plot: &MovesPlot<'_>, say: Wording<'_>) -> String {
    let mut svg = Svg::new(plot.title, &say(&Step::new("plot_moves_about")));
    let title: String = plot.title.chars().take(90).collect();
    svg.text(16.0, 26.0, 18.0, "start", &title);
    let mut y = 48.0;
    let mut captions = vec![say(&Step::new("plot_moves_bars"))];
    if plot.drawn > 0 {
        captions.push(say(&Step::new("plot_moves_drawn").with("count", plot.drawn)));
    }
    for line in captions.iter().flat_map(|text| lines(text, LETTERS)) {
        svg.text(16.0, y, 13.0, "start", &line);
        y += 19.0;
    }
    // The legend of the two colours.
    for (x, fill, class, code) in [
        (16.0, WON, "won", "plot_moves_won"),
        (316.0, LOST, "lost", "plot_moves_lost"),
    ] {
        svg.rect([x, y - 8.0, 14.0, 14.0], fill, class);
        svg.text(x + 22.0, y + 4.0, 13.0, "start", &say(&Step::new(code)));
    }
    let top = y + 12.0 + HEAD;
    let count = plot.won.len().max(plot.lost.len()).max(1);
    let most = plot.won.iter().chain(plot.lost).max().copied().unwrap_or(0);
    let frame = Frame::new(
        top,
        [(count as u64 * plot.step) as f64, height(most).ceil()],
    );
    let names = [Step::new("plot_moves_across"), Step::new("plot_moves_up")];
    frame.draw(&mut svg, &say(&names[0]), &say(&names[1]));
    let foot = top + HEIGHT;
    let mut bar = |index: usize, side: f64, counted: u64, fill, class| {
        if counted > 0 {
            let [from, to] =
                [side, side + 0.5].map(|part| (index as f64 + part - 0.5) * plot.step as f64);
            let [left, y] = frame.at(from, height(counted));
            let width = frame.at(to, 0.0)[0] - left;
            svg.rect([left, y, width, foot - y], fill, class);
        }
    };
    for (index, &counted) in plot.won.iter().enumerate() {
        bar(index, 0.0, counted, WON, "won");
    }
    for (index, &counted) in plot.lost.iter().enumerate() {
        bar(index, 0.5, counted, LOST, "lost");
    }
    svg.finish(WIDTH, foot + 48.0)
}

/// Returns the height of a bar: 1 for one position, 2 for ten, 3 for a hundred.
fn height(count: u64) -> f64 {
    // The small summand ensures that an exact power of ten does not fall just below an integer.
    (count as f64 + 0.001).log10() + 1.0
}
