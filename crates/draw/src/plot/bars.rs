//! How many positions are won and lost in how many moves.

use grundy::step::Step;

use super::axes::{Frame, HEIGHT, WIDTH};
use super::{HEAD, LETTERS, lines};
use crate::Say;
use crate::svg::Svg;

/// Counts of positions by the moves left with best play.
#[derive(Clone, Copy, Debug)]
pub struct MovesPlot<'a> {
    /// What it is of.
    pub title: &'a str,
    /// Bar i counts what takes `i * step` moves or more, and fewer than `(i + 1) * step`.
    pub step: u64,
    /// Won by the player to move.
    pub won: &'a [u64],
    /// Lost.
    pub lost: &'a [u64],
    /// Draws.
    pub drawn: u64,
}

/// The colours of N and P in all pictures; P has a heavy edge, too.
const WON: &str = "#a6dcc8";
const LOST: &str = "#f3bd94";

/// Two bars for each number of moves, as high as the logarithm of their counts: one position has a
/// bar of its own.
///
/// ```
/// use grundy_draw::plot::{MovesPlot, moves};
/// let plot = MovesPlot { title: "nim(1)", step: 1, won: &[0, 1], lost: &[1], drawn: 0 };
/// let svg = moves(&plot, &|step| step.code.to_owned());
/// assert_eq!((svg.matches("class=\"won\"").count(), svg.matches("class=\"lost\"").count()), (2, 2));
/// ```
#[must_use]
pub fn moves(plot: &MovesPlot<'_>, say: Say<'_>) -> String {
    let mut svg = Svg::new(plot.title, &say(&Step::new("plot_moves_about")));
    let title: String = plot.title.chars().take(90).collect();
    svg.text(16.0, 26.0, 18.0, "start", &title);
    let mut y = 48.0;
    let mut told = vec![say(&Step::new("plot_moves_bars"))];
    if plot.drawn > 0 {
        told.push(say(&Step::new("plot_moves_drawn").with("count", plot.drawn)));
    }
    for line in told.iter().flat_map(|text| lines(text, LETTERS)) {
        svg.text(16.0, y, 13.0, "start", &line);
        y += 19.0;
    }
    // What the two colours are.
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

/// How high a bar is: 1 for one position, 2 for ten.
fn height(count: u64) -> f64 {
    (count as f64 + 0.001).log10() + 1.0
}
