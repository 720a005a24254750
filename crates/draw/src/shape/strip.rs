//! Strips of numbered squares with coins, and rows of coins that show heads or tails.

use grundy_core::step::Step;

use crate::ink::{Ink, Tone};
use crate::pen::Pen;
use crate::sketch::Side;

/// Largest number of squares of a strip that is drawn.
const SQUARES: u64 = 48;
/// Largest number of coins on one square of a strip that is drawn.
const STACKED: usize = 10;
const SIDE: f64 = 34.0;
/// Number of squares in a line of a drawing.
const LINE: u64 = 24;

/// Draws numbered coins above the squares on which they lie. Squares are numbered from `first`.
pub(super) fn coins(pen: &mut Pen<'_>, first: u64, coins: &[u64]) {
    let last = coins.iter().copied().max().unwrap_or(first);
    let stack_height = |square: u64| coins.iter().filter(|&&coin| coin == square).count();
    // Long strips and high stacks are described in words instead.
    if last - first >= SQUARES || coins.iter().any(|&coin| stack_height(coin) > STACKED) {
        return list_coins(pen, coins);
    }
    for square in first..=last {
        let left = SIDE * (square - first) as f64;
        let place = [left, 0.0, SIDE, 24.0];
        pen.sketch.rect(place, 0.0, Ink::filled(Tone::Square));
        pen.sketch.number([left + SIDE / 2.0, 12.0], square);
    }
    let mut height = std::collections::BTreeMap::new();
    for (coin, &square) in coins.iter().enumerate() {
        let up = height.entry(square).or_insert(0u32);
        let x = SIDE * (square - first) as f64 + SIDE / 2.0;
        let y = -15.0 - 28.0 * f64::from(*up);
        *up += 1;
        pen.sketch.circle([x, y], 13.0, Ink::filled(Tone::Coin));
        pen.sketch
            .write([x, y], 13.0, Side::Middle, Tone::Ink, &coin.to_string());
    }
    // Several coins may move to the same square, so each of these coins has a part of the square to
    // click on. The coins for which this move wins are drawn below the square, each with a star.
    for square in first..=last {
        let movable_coins = (0..coins.len() as u64).filter(|&coin| pen.has(&[coin, square]));
        let movable_coins: Vec<u64> = movable_coins.collect();
        let width = SIDE / movable_coins.len().max(1) as f64;
        let corner = SIDE * (square - first) as f64;
        let middle = corner + SIDE / 2.0;
        let mut y = 36.0;
        for (index, &coin) in movable_coins.iter().enumerate() {
            let place = [corner + width * index as f64, 0.0, width, 24.0];
            let best = pen.wins(&[coin, square]);
            pen.draw_target_if_any(&[coin, square], [middle + 8.0, y], |sketch, best| {
                sketch.rect(place, 2.0, Ink::unseen());
                if best {
                    let cell = [corner + 2.0, 2.0, SIDE - 4.0, 20.0];
                    sketch.rect(cell, 0.0, Ink::line(Tone::Accent, 3.0));
                    sketch.circle([middle - 8.0, y], 8.0, Ink::filled(Tone::Coin));
                    let name = coin.to_string();
                    sketch.write([middle - 8.0, y], 11.0, Side::Middle, Tone::Ink, &name);
                }
            });
            y += if best { 18.0 } else { 0.0 };
        }
    }
}

/// Writes the square of each coin in words.
fn list_coins(pen: &mut Pen<'_>, coins: &[u64]) {
    let mut lines: Vec<String> = coins
        .iter()
        .enumerate()
        .take(20)
        .map(|(coin, square)| {
            let step = Step::new("picture_coin_on").with("coin", coin);
            pen.say(&step.with("square", *square))
        })
        .collect();
    if coins.len() > 20 {
        lines.push(pen.say(&Step::new("picture_and").with("count", coins.len() - 20)));
    }
    super::other::lines(pen, &lines);
}

/// Returns the position of a square in a drawing with several lines. `down` is the distance between
/// lines.
fn place(square: u64, down: f64) -> [f64; 2] {
    [SIDE * (square % LINE) as f64, down * (square / LINE) as f64]
}

/// Draws coins of which no two share a square. A square between two coins is the target of a move
/// of the coin on its right.
pub(super) fn single_coins(pen: &mut Pen<'_>, coins: &[u64]) {
    let last = coins.iter().copied().max().unwrap_or(0);
    if last >= SQUARES {
        return list_coins(pen, coins);
    }
    for square in 0..=last {
        let [x, y] = place(square, 62.0);
        let coin = coins.iter().find(|&&coin| pen.has(&[coin, square]));
        let at: Vec<u64> = coin.iter().flat_map(|&&coin| [coin, square]).collect();
        let cell = [x, y, SIDE, SIDE];
        pen.draw_target(&at, [x + SIDE - 8.0, y + 8.0], |sketch, best| {
            sketch.rect(cell, 0.0, Ink::filled(Tone::Square).best(best));
        });
        let middle = x + SIDE / 2.0;
        if coins.contains(&square) {
            let centre = [middle, y + SIDE / 2.0];
            pen.sketch.circle(centre, 13.0, Ink::filled(Tone::Coin));
        }
        pen.sketch.number([middle, y + SIDE + 11.0], square);
    }
}

/// Draws a row of coins that show heads or tails. `heads` lists the positions of the coins that
/// show heads, counted from 1.
pub(super) fn heads(pen: &mut Pen<'_>, heads: &[u64]) {
    let last = heads.iter().copied().max().unwrap_or(1);
    if last > SQUARES {
        let shown: Vec<u64> = heads.iter().copied().take(30).collect();
        let mut text = pen.say(&Step::new("picture_heads").with("heads", shown));
        if heads.len() > 30 {
            text.push_str(" …");
        }
        return super::other::text(pen, &text);
    }
    for coin in 1..=last {
        let [x, y] = place(coin - 1, 60.0);
        let centre = [x + SIDE / 2.0, y + SIDE / 2.0];
        let head = heads.contains(&coin);
        let (tone, letter) = if head {
            (Tone::Coin, "H")
        } else {
            (Tone::Square, "T")
        };
        pen.draw_target(
            &[coin],
            [centre[0] + 11.0, centre[1] - 11.0],
            |sketch, best| {
                sketch.circle(centre, 14.0, Ink::filled(tone).best(best));
                sketch.write(centre, 15.0, Side::Middle, Tone::Ink, letter);
            },
        );
        pen.sketch.number([centre[0], y + SIDE + 9.0], coin);
    }
}
