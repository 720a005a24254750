//! Numbers in binary, one below the other with aligned digits. A column is marked if its number of
//! ones is not divisible by the modulus, which is 2 for a nim-sum. The bits that a move changes are
//! underlined.

use grundy_core::step::Step;

use super::{MARGIN, wide};
use crate::Wording;
use crate::svg::Svg;

/// Numbers written in binary, one below the other with aligned digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryColumns {
    /// The numbers.
    pub numbers: Vec<u64>,
    /// The modulus for the number of ones in each column: 2 for a nim-sum.
    pub modulus: u64,
    /// The index of the number that a move changes, and its value after the move.
    pub changed: Option<(usize, u64)>,
    /// The column that the step mentions, given by the power of two that its digits stand for.
    pub column: Option<u64>,
}

const CELL: f64 = 24.0;
const LINE: f64 = 26.0;
const PALE: &str = "#fbe3ab";
const BLUE: &str = "#0072B2";

/// Draws the numbers in columns. Returns the width and the height.
pub(super) fn draw(svg: &mut Svg, columns: &BinaryColumns, say: Wording<'_>) -> [f64; 2] {
    // The picture shows the numbers after the move. The old value of the changed number is on its
    // left.
    let now = |index: usize| match columns.changed {
        Some((changed, to)) if changed == index => to,
        _ => columns.numbers[index],
    };
    let count = columns.numbers.len();
    let numbers: Vec<u64> = (0..count).map(now).collect();
    // Both the old and the new numbers determine the number of columns. A leading bit that the move
    // removes is underlined, too.
    let all = numbers.iter().chain(&columns.numbers);
    let bits = all
        .map(|n| 64 - n.leading_zeros())
        .max()
        .unwrap_or(1)
        .max(1);
    let before = columns.changed.map(|(index, _)| columns.numbers[index]);
    let names: Vec<String> = numbers
        .iter()
        .enumerate()
        .map(|(index, n)| match (columns.changed, before) {
            (Some((changed, _)), Some(before)) if changed == index => format!("{before} → {n}"),
            _ => n.to_string(),
        })
        .collect();
    let nim = columns.modulus == 2;
    let total = numbers.iter().fold(0, |sum, n| sum ^ n);
    let foot = if nim {
        format!("⊕ {total}")
    } else {
        say(&Step::new("step_count_modulo").with("modulus", columns.modulus))
    };
    let widths = names.iter().chain([&foot]).map(|name| wide(name, 16.0));
    let label = widths.fold(0.0, f64::max) + 18.0;
    let left = MARGIN + label;
    let column_at = |bit: u32| left + CELL * f64::from(bits - 1 - bit) + CELL / 2.0;
    let height = 22.0 + LINE * (count + 1) as f64 + 12.0;
    for bit in 0..bits {
        let ones = numbers.iter().filter(|n| *n >> bit & 1 == 1).count() as u64;
        let rest = ones % columns.modulus;
        let x = column_at(bit);
        if rest != 0 {
            let mentioned = columns.column == Some(1 << bit);
            let frame = [
                x - CELL / 2.0 + 1.0,
                MARGIN + 18.0,
                CELL - 2.0,
                height - 14.0,
            ];
            svg.rect(
                frame,
                if mentioned { "#f3bd94" } else { PALE },
                "odd-column",
            );
        }
        let power = (1u64 << bit).to_string();
        if power.len() <= 3 {
            svg.text(x, MARGIN + 12.0, 10.0, "middle", &power);
        }
        for (index, n) in numbers.iter().enumerate() {
            let y = MARGIN + 22.0 + LINE * index as f64 + 18.0;
            let one = n >> bit & 1;
            svg.text(x, y, 16.0, "middle", &one.to_string());
            let old = columns.numbers[index] >> bit & 1;
            if old != one {
                let (from, to) = (x - 6.0, x + 6.0);
                let d = format!(
                    "M{} {}H{}",
                    crate::svg::number(from),
                    crate::svg::number(y + 4.0),
                    crate::svg::number(to)
                );
                svg.path(&d, "changed", BLUE, 2.5, "");
            }
        }
        let y = MARGIN + 22.0 + LINE * count as f64 + 26.0;
        let shown = if nim { rest } else { ones % columns.modulus };
        svg.text(x, y, 16.0, "middle", &shown.to_string());
    }
    for (index, name) in names.iter().enumerate() {
        let y = MARGIN + 22.0 + LINE * index as f64 + 18.0;
        svg.text(left - 12.0, y, 16.0, "end", name);
    }
    let rule = MARGIN + 22.0 + LINE * count as f64 + 4.0;
    let right = left + CELL * f64::from(bits);
    svg.line([MARGIN, rule, right, rule], 1.5);
    svg.text(left - 12.0, rule + 22.0, 16.0, "end", &foot);
    [label + CELL * f64::from(bits), height]
}
