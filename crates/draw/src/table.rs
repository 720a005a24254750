//! Tables of values: a strip of outcomes, maps of Grundy values and of temperatures.

use std::cmp::Ordering;

use grundy::step::Step;
use grundy::{Dyadic, Outcome};

use crate::Say;
use crate::svg::{Svg, letters};
use crate::thermograph::share;

/// One value of a family; nothing where the arguments are no position.
#[derive(Clone, Copy, Debug)]
pub struct ShownCell {
    /// Who wins.
    pub outcome: Option<Outcome>,
    /// The Grundy value, where there is one.
    pub grundy: Option<u64>,
}

/// Most cells that are drawn.
const CELLS: usize = 40_000;

/// Returns the fill and the letter of an outcome.
pub(crate) fn outcome_style(
    outcome: Option<Outcome>,
) -> (&'static str, &'static str, &'static str) {
    match outcome {
        Some(Outcome::N) => ("#009E73", "N", "outcome-n"),
        Some(Outcome::P) => ("#D55E00", "P", "outcome-p"),
        Some(Outcome::D) => ("#E69F00", "D", "outcome-d"),
        None => ("#999999", "", "outcome-none"),
    }
}

/// Returns one row of cells with letters, forty to a line, the index above each; Grundy values
/// stand below the letters where they are known.
#[must_use]
pub fn strip(title: &str, first: u64, cells: &[ShownCell], say: Say<'_>) -> String {
    let mut svg = Svg::new(title, &say(&Step::new("strip_about")));
    let (side, per_line) = (26.0, 40);
    let label = 28.0;
    svg.text(8.0, 20.0, 14.0, "start", title);
    let shown = &cells[..cells.len().min(CELLS)];
    let values = shown.iter().any(|cell| cell.grundy.is_some());
    // The index, the letter, and the value if there is one.
    let line = if values { 64.0 } else { 48.0 };
    for (index, cell) in shown.iter().enumerate() {
        let x = label + side * (index % per_line) as f64;
        let y = 48.0 + line * (index / per_line) as f64;
        let n = (first + index as u64).to_string();
        if index % per_line == 0 {
            svg.text(label - 6.0, y - 4.0, 11.0, "end", "n");
            if values {
                svg.text(label - 6.0, y + 39.0, 11.0, "end", "g");
            }
        }
        // Every index that has room, and of long ones each fifth.
        if n.len() <= 3 || (first + index as u64).is_multiple_of(5) {
            svg.text(x + side / 2.0, y - 4.0, 9.0, "middle", &n);
        }
        let (fill, letter, class) = outcome_style(cell.outcome);
        svg.rect([x, y, side, side], fill, class);
        svg.text(x + side / 2.0, y + 18.0, 14.0, "middle", letter);
        if let Some(grundy) = cell.grundy {
            svg.text(
                x + side / 2.0,
                y + 39.0,
                10.0,
                "middle",
                &grundy.to_string(),
            );
        }
    }
    let lines = shown.len().div_ceil(per_line);
    let mut height = 40.0 + line * lines as f64;
    if shown.len() < cells.len() {
        svg.text(
            8.0,
            height + 12.0,
            12.0,
            "start",
            &say(&Step::new("strip_first")
                .with("shown", CELLS)
                .with("count", cells.len())),
        );
        height += 24.0;
    }
    let width = label + side * shown.len().min(per_line) as f64 + 12.0;
    svg.finish(
        width.max(120.0 + 7.0 * letters(title).min(120) as f64),
        height,
    )
}

/// Returns a map of Grundy values, the first variable counting rows; the value 0 has the colour of
/// P, the others a ramp from light to dark blue. The value is printed while cells are large enough.
#[must_use]
pub fn heat_map(
    title: &str,
    (row_name, row_first): (&str, u64),
    (column_name, column_first): (&str, u64),
    rows: &[Vec<ShownCell>],
    say: Say<'_>,
) -> String {
    let mut svg = Svg::new(title, &say(&Step::new("heat_about")));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if rows.len() * columns > CELLS {
        svg.text(8.0, 24.0, 14.0, "start", title);
        let note = Step::new("heat_too_large")
            .with("rows", rows.len())
            .with("columns", columns)
            .with("most", CELLS);
        svg.text(8.0, 48.0, 12.0, "start", &say(&note));
        return svg.finish(520.0, 64.0);
    }
    let side = (960.0 / rows.len().max(columns).max(1) as f64).clamp(5.0, 28.0);
    let largest = rows
        .iter()
        .flatten()
        .filter_map(|cell| cell.grundy)
        .max()
        .unwrap_or(1)
        .max(1);
    let axes = say(&Step::new("heat_axes")
        .with("across", column_name)
        .with("down", row_name));
    let firsts = [Some(row_first), Some(column_first)];
    let words = frame(
        &mut svg,
        title,
        &axes,
        firsts,
        [rows.len(), columns],
        [side, side],
    );
    let (left, top) = (LEFT, TOP);
    for (i, row) in rows.iter().enumerate() {
        let y = top + side * i as f64;
        for (j, cell) in row.iter().enumerate() {
            let x = left + side * j as f64;
            let fill = match (cell.grundy, cell.outcome) {
                (Some(0), _) => "#D55E00".to_owned(),
                (Some(grundy), _) => ramp(grundy as f64 / largest as f64),
                (None, outcome) => outcome_style(outcome).0.to_owned(),
            };
            let class = outcome_style(cell.outcome).2;
            svg.rect([x, y, side, side], &fill, class);
            if side >= 14.0 {
                let text = cell
                    .grundy
                    .map_or(outcome_style(cell.outcome).1.to_owned(), |g| g.to_string());
                svg.text(
                    x + side / 2.0,
                    y + side / 2.0 + 4.0,
                    (side * 0.42).min(11.0),
                    "middle",
                    &text,
                );
            }
        }
    }
    svg.finish(
        words.max(left + side * columns as f64) + 16.0,
        top + side * rows.len() as f64 + 16.0,
    )
}

/// Where the cells of a map begin.
const LEFT: f64 = 56.0;
const TOP: f64 = 64.0;

/// What stands around a map: its title, what its axes are, and the first values of these, counted
/// on; how wide the words are.
fn frame(
    svg: &mut Svg,
    title: &str,
    axes: &str,
    firsts: [Option<u64>; 2],
    counts: [usize; 2],
    [width, height]: [f64; 2],
) -> f64 {
    svg.text(8.0, 20.0, 14.0, "start", title);
    svg.text(LEFT, 40.0, 12.0, "start", axes);
    let step = if height >= 20.0 { 1 } else { 10 };
    let [rows, columns] = firsts.map(|first| move |index: usize| Some(first? + index as u64));
    for index in (0..counts[1]).step_by(step) {
        let x = LEFT + width * (index as f64 + 0.5);
        if let Some(value) = columns(index) {
            svg.text(x, TOP - 6.0, 10.0, "middle", &value.to_string());
        }
    }
    for index in (0..counts[0]).step_by(step) {
        let y = TOP + height * (index as f64 + 0.5) + 4.0;
        if let Some(value) = rows(index) {
            svg.text(LEFT - 6.0, y, 10.0, "end", &value.to_string());
        }
    }
    // A small map is narrower than its words.
    (8.0 + 8.0 * letters(title) as f64).max(LEFT + 6.6 * letters(axes) as f64)
}

/// Returns a map of temperatures: colder than 0 in blue, hotter in orange, which nobody takes for
/// one another, each the stronger the further from 0; the temperature stands in every cell, and the
/// scale below. One variable alone has one row, without a name.
#[must_use]
pub fn temperature_map(
    title: &str,
    row: Option<(&str, u64)>,
    (column_name, column_first): (&str, u64),
    rows: &[Vec<Option<Dyadic>>],
    say: Say<'_>,
) -> String {
    let mut svg = Svg::new(title, &say(&Step::new("temperature_map_about")));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let known = || rows.iter().flatten().flatten();
    let longest = known().map(|cell| cell.to_string().len()).max();
    let (width, height) = (8.0 + 7.0 * longest.unwrap_or(1).max(3) as f64, 28.0);
    let axes = match row {
        Some((row_name, _)) => Step::new("temperature_map_axes").with("down", row_name),
        None => Step::new("temperature_map_axis"),
    };
    let axes = say(&axes.with("across", column_name));
    let firsts = [row.map(|(_, first)| first), Some(column_first)];
    let words = frame(
        &mut svg,
        title,
        &axes,
        firsts,
        [rows.len(), columns],
        [width, height],
    );
    let most = known().max().filter(|most| most.sign().is_gt()).cloned();
    let most = most.unwrap_or(Dyadic::ONE);
    for (i, row) in rows.iter().enumerate() {
        for (j, cell) in row.iter().enumerate() {
            let [x, y] = [LEFT + width * j as f64, TOP + height * i as f64];
            temperature(&mut svg, [x, y, width, height], cell.as_ref(), &most);
        }
    }
    let below = TOP + height * rows.len() as f64 + 30.0;
    svg.text(
        LEFT,
        below - 8.0,
        11.0,
        "start",
        &say(&Step::new("temperature_map_scale")),
    );
    let minus = |halves: i64| Dyadic::integer(halves).shifted(-1);
    let scale = [
        minus(-2),
        minus(-1),
        Dyadic::ZERO,
        most.shifted(-1),
        most.clone(),
    ];
    let wide = 8.0
        + 7.0
            * scale
                .iter()
                .map(|mark| mark.to_string().len())
                .max()
                .unwrap_or(1)
                .max(4) as f64;
    for (index, mark) in scale.iter().enumerate() {
        let at = [LEFT + wide * index as f64, below, wide, 20.0];
        temperature(&mut svg, at, Some(mark), &most);
    }
    svg.finish(
        words.max(LEFT + (width * columns as f64).max(wide * 5.0)) + 16.0,
        below + 36.0,
    )
}

/// A cell with its temperature.
fn temperature(svg: &mut Svg, at: [f64; 4], cell: Option<&Dyadic>, most: &Dyadic) {
    let [x, y, width, height] = at;
    let Some(cell) = cell else {
        svg.rect(at, "#FFFFFF", "temperature-none");
        return;
    };
    // Numbers are as cold as -1 at most.
    let (fill, class) = match cell.sign() {
        Ordering::Less => (
            mixed(share(&cell.abs(), &Dyadic::ONE), [86.0, 180.0, 233.0]),
            "temperature-cold",
        ),
        Ordering::Equal => (mixed(0.0, [0.0; 3]), "temperature-tepid"),
        Ordering::Greater => (
            mixed(share(cell, most), [230.0, 159.0, 0.0]),
            "temperature-hot",
        ),
    };
    svg.rect(at, &fill, class);
    svg.text(
        x + width / 2.0,
        y + height / 2.0 + 4.0,
        11.0,
        "middle",
        &cell.to_string(),
    );
}

/// From white to a colour on which black can still be read.
fn mixed(share: f64, to: [f64; 3]) -> String {
    let [r, g, b] = to.map(|to| (255.0 + (to - 255.0) * share).round() as u8);
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// From almost white to a blue on which black can still be read.
fn ramp(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    format!(
        "#{:02X}{:02X}{:02X}",
        mix(240.0, 86.0),
        mix(246.0, 160.0),
        mix(252.0, 216.0)
    )
}
