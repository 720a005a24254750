//! Coins and pieces. The odd steps of a staircase, the gaps between pieces, or the coins with heads
//! determine the value, so they are marked.

use super::{MARGIN, wide};
use crate::svg::{Svg, number};

const CELL: f64 = 28.0;
const MARKED: &str = "#fbe3ab";
const PLAIN: &str = "#ffffff";
const COIN: &str = "#E69F00";

/// Draws a staircase that rises to the right, with coins on its steps. The odd steps determine the
/// value, so they are marked. Returns the width and the height.
pub(super) fn staircase(svg: &mut Svg, coins: &[u64]) -> [f64; 2] {
    let steps = coins.len();
    let (width, rise) = (44.0, 18.0);
    let base = MARGIN + rise * steps as f64 + 30.0;
    for (index, &count) in coins.iter().enumerate() {
        let step = index + 1;
        let odd = step % 2 == 1;
        let x = MARGIN + width * index as f64;
        let top = base - rise * step as f64;
        svg.rect(
            [x, top, width, rise * step as f64],
            if odd { MARKED } else { PLAIN },
            if odd { "odd-step" } else { "step" },
        );
        let (middle, fill) = (x + width / 2.0, if odd { COIN } else { "#dddddd" });
        svg.circle(middle, top - 13.0, 12.0, fill, "coin");
        svg.text(middle, top - 8.5, 12.0, "middle", &count.to_string());
        svg.text(middle, base + 16.0, 12.0, "middle", &step.to_string());
    }
    [width * steps as f64, rise * steps as f64 + 30.0 + 18.0]
}

/// Draws a bracket between two x coordinates, with a text under it.
fn bracket(svg: &mut Svg, [from, to]: [f64; 2], y: f64, text: &str) {
    let d = format!(
        "M{f} {a}V{b}H{t}V{a}",
        f = number(from),
        a = number(y),
        b = number(y + 8.0),
        t = number(to)
    );
    svg.path(&d, "pair", "#0072B2", 2.0, "");
    svg.text(f64::midpoint(from, to), y + 22.0, 13.0, "middle", text);
}

/// Draws coins on a strip, paired from the right. Under each pair is a bracket with the number of
/// squares between its coins. Returns the width and the height.
pub(super) fn pairs(svg: &mut Svg, coins: &[u64]) -> [f64; 2] {
    let mut coins = coins.to_vec();
    coins.sort_unstable();
    let last = coins.last().copied().unwrap_or(0);
    let at = |square: u64| MARGIN + CELL * square as f64 + CELL / 2.0;
    let base = MARGIN + 26.0;
    let mut gaps = Vec::new();
    let mut pairs: Vec<[u64; 2]> = coins
        .rchunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    pairs.reverse();
    // An unpaired coin is paired with the end of the strip, so the squares before it count.
    if coins.len() % 2 == 1 {
        gaps.extend(0..coins[0]);
    }
    for [low, high] in &pairs {
        gaps.extend(low + 1..*high);
    }
    for square in 0..=last {
        let x = at(square) - CELL / 2.0;
        let marked = gaps.contains(&square);
        svg.rect(
            [x, base, CELL, 10.0],
            if marked { MARKED } else { PLAIN },
            if marked { "gap" } else { "square" },
        );
        svg.text(at(square), base + 24.0, 11.0, "middle", &square.to_string());
    }
    for &coin in &coins {
        svg.circle(at(coin), base - 11.0, 10.0, COIN, "coin");
    }
    if coins.len() % 2 == 1 && coins[0] > 0 {
        let from = at(0) - CELL / 2.0;
        bracket(
            svg,
            [from, at(coins[0])],
            base + 32.0,
            &coins[0].to_string(),
        );
    }
    for [low, high] in pairs {
        bracket(
            svg,
            [at(low), at(high)],
            base + 32.0,
            &(high - low - 1).to_string(),
        );
    }
    [CELL * (last + 1) as f64, 26.0 + 58.0]
}

/// Draws rows with two pieces each. The squares between the two pieces are marked, and their number
/// is shown. Returns the width and the height.
pub(super) fn rows(svg: &mut Svg, width: u64, rows: &[[u64; 2]]) -> [f64; 2] {
    let side = 30.0;
    for (index, &[left, right]) in rows.iter().enumerate() {
        let y = MARGIN + side * index as f64;
        // In Northcott's game, either piece of a row may be the left one.
        let (low, high) = (left.min(right), left.max(right));
        for square in 0..width {
            let x = MARGIN + side * square as f64;
            let marked = low < square && square < high;
            svg.rect(
                [x, y, side, side],
                if marked { MARKED } else { PLAIN },
                if marked { "gap" } else { "square" },
            );
        }
        for (place, fill, name) in [(left, "#56B4E9", "L"), (right, "#E8A0B8", "R")] {
            let x = MARGIN + side * place as f64 + side / 2.0;
            svg.circle(x, y + side / 2.0, 11.0, fill, "piece");
            svg.text(x, y + side / 2.0 + 5.0, 13.0, "middle", name);
        }
        let x = MARGIN + side * width as f64 + 12.0;
        svg.text(
            x,
            y + 20.0,
            15.0,
            "start",
            &(high - low).saturating_sub(1).to_string(),
        );
    }
    [side * width as f64 + 40.0, side * rows.len() as f64]
}

/// Draws a row of coins. The coins in `heads` are filled, and the value of each is below it.
/// Returns the width and the height.
pub(super) fn heads(svg: &mut Svg, heads: &[u64], values: &[u64]) -> [f64; 2] {
    let last = heads.iter().copied().max().unwrap_or(0);
    // Some games, such as Mock Turtles, number coins from 0. If coin 0 shows heads, the numbers
    // begin at 0, and otherwise at 1.
    let first = u64::from(!heads.contains(&0));
    let widest = values
        .iter()
        .map(|value| wide(&value.to_string(), 14.0))
        .fold(22.0, f64::max);
    let cell = widest + 8.0;
    for place in first..=last {
        let x = MARGIN + cell * (place - first) as f64 + cell / 2.0;
        svg.text(x, MARGIN + 10.0, 11.0, "middle", &place.to_string());
        let head = heads.iter().position(|&head| head == place);
        svg.circle(
            x,
            MARGIN + 28.0,
            11.0,
            if head.is_some() { COIN } else { PLAIN },
            "coin",
        );
        if let Some(value) = head.and_then(|index| values.get(index)) {
            svg.text(x, MARGIN + 58.0, 14.0, "middle", &value.to_string());
        }
    }
    [cell * (last + 1 - first) as f64, 62.0]
}
