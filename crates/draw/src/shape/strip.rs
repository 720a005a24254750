//! Strips of numbered squares with coins, and rows of coins that show heads or tails.

use grundy::step::Step;

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
    let crowd = |square: u64| coins.iter().filter(|&&coin| coin == square).count();
    // Long strips and high stacks are described in words instead.
    if last - first >= SQUARES || coins.iter().any(|&coin| crowd(coin) > STACKED) {
        return listed(pen, coins);
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
    // Several coins may move to the same square, so each coin has a part of the square to click on.
    // The coins whose move to this square wins are drawn below it, each with a star.
    for square in first..=last {
        let comers = (0..coins.len() as u64).filter(|&coin| pen.has(&[coin, square]));
        let comers: Vec<u64> = comers.collect();
        let width = SIDE / comers.len().max(1) as f64;
        let corner = SIDE * (square - first) as f64;
        let middle = corner + SIDE / 2.0;
        let mut below = 36.0;
        for (index, &coin) in comers.iter().enumerate() {
            let place = [corner + width * index as f64, 0.0, width, 24.0];
            let best = pen.wins(&[coin, square]);
            pen.place(&[coin, square], [middle + 8.0, below], |sketch, best| {
                sketch.rect(place, 2.0, Ink::unseen());
                if best {
                    let whole = [corner + 2.0, 2.0, SIDE - 4.0, 20.0];
                    sketch.rect(whole, 0.0, Ink::line(Tone::Accent, 3.0));
                    sketch.circle([middle - 8.0, below], 8.0, Ink::filled(Tone::Coin));
                    let name = coin.to_string();
                    sketch.write([middle - 8.0, below], 11.0, Side::Middle, Tone::Ink, &name);
                }
            });
            below += if best { 18.0 } else { 0.0 };
        }
    }
}

/// Writes the square of each coin in words.
fn listed(pen: &mut Pen<'_>, coins: &[u64]) {
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
        return listed(pen, coins);
    }
    for square in 0..=last {
        let [x, y] = place(square, 62.0);
        let comer = coins.iter().find(|&&coin| pen.has(&[coin, square]));
        let at: Vec<u64> = comer.iter().flat_map(|&&coin| [coin, square]).collect();
        let cell = [x, y, SIDE, SIDE];
        pen.spot(&at, [x + SIDE - 8.0, y + 8.0], |sketch, best| {
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

/// Draws a row of coins that show heads or tails. `heads` has the numbers of the coins with heads,
/// from 1.
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
        pen.spot(
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
