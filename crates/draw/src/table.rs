//! Tables of values: a strip of outcomes, a heat map of Grundy values.

use grundy::Outcome;
use grundy::step::Step;

use crate::Say;
use crate::svg::{Svg, letters};

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

/// The fill and the letter of an outcome.
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

/// One row of cells with letters, forty to a line, the index above each; Grundy values
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

/// A map of Grundy values, the first variable counting rows; the value 0 has the colour of P, the others a ramp
/// from light to dark blue. The value is printed while cells are large enough.
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
    let (left, top) = (56.0, 64.0);
    svg.text(8.0, 20.0, 14.0, "start", title);
    let axes = say(&Step::new("heat_axes")
        .with("across", column_name)
        .with("down", row_name));
    svg.text(left, 40.0, 12.0, "start", &axes);
    // A small map is narrower than its words.
    let words = (8.0 + 8.0 * letters(title) as f64).max(left + 6.6 * letters(&axes) as f64);
    let step = if side >= 20.0 { 1 } else { 10 };
    for column in (0..columns).step_by(step) {
        let x = left + side * (column as f64 + 0.5);
        svg.text(
            x,
            top - 6.0,
            10.0,
            "middle",
            &(column_first + column as u64).to_string(),
        );
    }
    for (i, row) in rows.iter().enumerate() {
        let y = top + side * i as f64;
        if i % step == 0 {
            svg.text(
                left - 6.0,
                y + side / 2.0 + 4.0,
                10.0,
                "end",
                &(row_first + i as u64).to_string(),
            );
        }
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
