//! Drawings of tables: strips of outcomes, and maps of Grundy values or temperatures.

use std::cmp::Ordering;

use grundy_core::step::Step;
use grundy_core::{Dyadic, Outcome};

use crate::Wording;
use crate::svg::{Svg, letters};
use crate::thermograph::ratio_f64;

/// A cell of a table: one position of a family. Both fields are `None` if the arguments give no
/// position.
#[derive(Clone, Copy, Debug)]
pub struct DrawnCell {
    /// The outcome of the position, if it is known.
    pub outcome: Option<Outcome>,
    /// The Grundy value of the position, if it has one.
    pub grundy: Option<u64>,
}

/// Largest number of cells in a drawing.
const CELLS: usize = 40_000;

/// Returns the fill colour, the letter and the CSS class of an outcome.
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

/// Draws a strip of cells with the letters of their outcomes, in lines of forty cells. Cells are
/// numbered from `first`. The number of a cell is above it if there is room, and its Grundy value,
/// if known, is below it.
///
/// ```
/// use grundy_core::Outcome;
/// use grundy_draw::{DrawnCell, strip};
/// // Taking 1 or 2 chips: the Grundy values are 0, 1, 2, 0, 1, 2, and so on.
/// let cells = [0, 1, 2, 0, 1, 2].map(|value| DrawnCell {
///     outcome: Some(if value == 0 { Outcome::P } else { Outcome::N }),
///     grundy: Some(value),
/// });
/// let svg = strip("subtraction([1, 2], n)", 0, &cells, &|step| step.code.to_owned());
/// assert_eq!([">P<", ">N<"].map(|letter| svg.matches(letter).count()), [2, 4]);
/// ```
#[must_use]
pub fn strip(title: &str, first: u64, cells: &[DrawnCell], say: Wording<'_>) -> String {
    let mut svg = Svg::new(title, &say(&Step::new("strip_about")));
    let (side, per_line) = (26.0, 40);
    let label = 28.0;
    svg.text(8.0, 20.0, 14.0, "start", title);
    let shown = &cells[..cells.len().min(CELLS)];
    let values = shown.iter().any(|cell| cell.grundy.is_some());
    // A line needs room for the index, the letter and, if any cell has one, the Grundy value.
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
        // Indices of more than three digits would overlap, so only every fifth is written.
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

/// Draws a map of Grundy values. The first variable is the row, the second the column. Value 0 has
/// the colour of P-positions, and other values range from light to dark blue. Values are written in
/// the cells if these are large enough.
///
/// ```
/// use grundy_core::Outcome;
/// use grundy_draw::{DrawnCell, heat_map};
/// // The value of two heaps of Nim is their nim-sum, which is 0 on the diagonal.
/// let cell = |value| DrawnCell {
///     outcome: Some(if value == 0 { Outcome::P } else { Outcome::N }),
///     grundy: Some(value),
/// };
/// let rows: Vec<Vec<_>> = (0..4).map(|i| (0..4).map(|j| cell(i ^ j)).collect()).collect();
/// let svg = heat_map("nim(i, j)", ("i", 0), ("j", 0), &rows, &|step| step.code.to_owned());
/// assert_eq!(svg.matches("outcome-p").count(), 4);
/// ```
#[must_use]
pub fn heat_map(
    title: &str,
    (row_name, row_first): (&str, u64),
    (column_name, column_first): (&str, u64),
    rows: &[Vec<DrawnCell>],
    say: Wording<'_>,
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
    // The size of a cell depends on the number of cells, so that all maps have about the same size.
    // The cells of very large maps have colours, but no numbers.
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
    let text_width = frame(
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
        text_width.max(left + side * columns as f64) + 16.0,
        top + side * rows.len() as f64 + 16.0,
    )
}

/// x coordinate of the first cell of a map, in pixels.
const LEFT: f64 = 56.0;
/// y coordinate of the first cell of a map, in pixels.
const TOP: f64 = 64.0;

/// Draws the title of a map, the text `axes` that names its axes, and the numbers of its rows and
/// columns. `firsts` contains the numbers of the first row and the first column, from which the
/// other numbers are counted. `None` means that the rows or the columns have no numbers. `counts`
/// contains the count of rows and the count of columns. `width` and `height` are the size of a
/// cell. Returns the width, in pixels, that the title and the text `axes` need.
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
    // A small map is narrower than these texts.
    (8.0 + 8.0 * letters(title) as f64).max(LEFT + 6.6 * letters(axes) as f64)
}

/// Draws a map of temperatures, with the temperature in every cell and a colour scale below.
/// Temperatures below 0 are blue and those above 0 are orange, which colour-blind readers can
/// distinguish. The further a temperature is from 0, the stronger is its colour. If there is only
/// one variable, `row` is `None` and the map has one row.
///
/// ```
/// use grundy_core::Dyadic;
/// use grundy_draw::temperature_map;
/// // The values {1 | -1} and {2 | -2} have the temperatures 1 and 2. The integer 1 has -1.
/// let row = [1, 2, -1].map(|temperature| Some(Dyadic::integer(temperature))).to_vec();
/// let say = |step: &grundy_core::step::Step| step.code.to_owned();
/// let svg = temperature_map("three games", None, ("n", 1), &[row], &say);
/// // The colour scale has two more hot cells and two more cold ones.
/// assert_eq!(["hot", "cold"].map(|kind| svg.matches(kind).count()), [4, 3]);
/// ```
#[must_use]
pub fn temperature_map(
    title: &str,
    row: Option<(&str, u64)>,
    (column_name, column_first): (&str, u64),
    rows: &[Vec<Option<Dyadic>>],
    say: Wording<'_>,
) -> String {
    let mut svg = Svg::new(title, &say(&Step::new("temperature_map_about")));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let temperatures = || rows.iter().flatten().flatten();
    let longest = temperatures().map(|cell| cell.to_string().len()).max();
    let (width, height) = (8.0 + 7.0 * longest.unwrap_or(1).max(3) as f64, 28.0);
    let axes = match row {
        Some((row_name, _)) => Step::new("temperature_map_axes").with("down", row_name),
        None => Step::new("temperature_map_axis"),
    };
    let axes = say(&axes.with("across", column_name));
    let firsts = [row.map(|(_, first)| first), Some(column_first)];
    let text_width = frame(
        &mut svg,
        title,
        &axes,
        firsts,
        [rows.len(), columns],
        [width, height],
    );
    let most = temperatures()
        .max()
        .filter(|most| most.sign().is_gt())
        .cloned();
    // The colour scale needs an upper end even if no temperature is above 0.
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
    let minus = |halves: i64| Dyadic::integer(halves).times_power_of_two(-1);
    let scale = [
        minus(-2),
        minus(-1),
        Dyadic::ZERO,
        most.times_power_of_two(-1),
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
        text_width.max(LEFT + (width * columns as f64).max(wide * 5.0)) + 16.0,
        below + 36.0,
    )
}

/// Draws a cell with its temperature. The rectangle `at` is left, top, width and height. `most` is
/// the upper end of the colour scale.
fn temperature(svg: &mut Svg, at: [f64; 4], cell: Option<&Dyadic>, most: &Dyadic) {
    let [x, y, width, height] = at;
    let Some(cell) = cell else {
        svg.rect(at, "#FFFFFF", "temperature-none");
        return;
    };
    // No temperature is below -1, so the scale for negative temperatures is fixed.
    let (fill, class) = match cell.sign() {
        Ordering::Less => (
            mixed(ratio_f64(&cell.abs(), &Dyadic::ONE), [86.0, 180.0, 233.0]),
            "temperature-cold",
        ),
        Ordering::Equal => (mixed(0.0, [0.0; 3]), "temperature-tepid"),
        Ordering::Greater => (
            mixed(ratio_f64(cell, most), [230.0, 159.0, 0.0]),
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

/// Returns a mixture of white and the colour `to`, where `share` is the proportion of `to`, from 0
/// to 1. Black text is readable on it.
fn mixed(share: f64, to: [f64; 3]) -> String {
    let [r, g, b] = to.map(|to| (255.0 + (to - 255.0) * share).round() as u8);
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// Returns a blue between almost white (`share` 0) and darker (`share` 1). Black text is readable
/// on it.
fn ramp(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    format!(
        "#{:02X}{:02X}{:02X}",
        mix(240.0, 86.0),
        mix(246.0, 160.0),
        mix(252.0, 216.0)
    )
}
