//! Coins on strips and staircases, and Northcott's game.

use super::super::random::Random;
use super::{LEFT, Options, RIGHT, Rules, Term, call, commas, with};

struct Nimble;

impl Rules for Nimble {
    fn options(&self, coins: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        for (coin, &square) in coins.iter().enumerate() {
            options.extend((0..square).map(|to| (vec![coin as i64, to], with(coins, coin, to))));
        }
        options
    }

    fn write(&self, coins: &[i64], _: Option<usize>) -> String {
        call("nimble", coins)
    }
}

pub(crate) fn nimble(random: &mut Random, size: i64) -> Term {
    Term::new(Nimble, random.numbers(size / 2, 1 + size / 2, 0, 2 + size))
}

struct StripCoins;

impl Rules for StripCoins {
    fn options(&self, coins: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        for (coin, &from) in coins.iter().enumerate() {
            let least = if coin == 0 { 0 } else { coins[coin - 1] + 1 };
            options.extend((least..from).map(|to| (vec![from, to], with(coins, coin, to))));
        }
        options
    }

    fn write(&self, coins: &[i64], _: Option<usize>) -> String {
        call("strip_coins", coins)
    }
}

pub(crate) fn strip_coins(random: &mut Random, size: i64) -> Term {
    Term::new(StripCoins, random.subset(0, 4 + size, 2 + size / 2))
}

struct StaircaseNim;

impl Rules for StaircaseNim {
    fn options(&self, steps: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        for (index, &coins) in steps.iter().enumerate() {
            for count in 1..=coins {
                let mut to = with(steps, index, coins - count);
                if index > 0 {
                    to[index - 1] += count;
                }
                options.push((vec![index as i64 + 1, count], to));
            }
        }
        options
    }

    fn write(&self, steps: &[i64], _: Option<usize>) -> String {
        call("staircase_nim", steps)
    }
}

pub(crate) fn staircase_nim(random: &mut Random, size: i64) -> Term {
    Term::new(
        StaircaseNim,
        random.numbers(size / 2, 2 + size / 3, 0, 1 + size / 2),
    )
}

/// Northcott's game. A position lists, for each row, the column of Left's counter and the column of
/// Right's counter.
pub(crate) struct Northcott {
    pub(crate) width: i64,
}

impl Rules for Northcott {
    fn options(&self, counters: &[i64], player: usize) -> Options {
        let mut options = Vec::new();
        for row in 0..counters.len() / 2 {
            let index = 2 * row + player;
            let (own, other) = (counters[index], counters[2 * row + 1 - player]);
            // A counter must not jump over the other one, so it stays on its side.
            let free = |to: &i64| *to != own && *to != other && (own < other) == (*to < other);
            for to in (0..self.width).filter(free) {
                options.push((vec![row as i64, to], with(counters, index, to)));
            }
        }
        options
    }

    fn write(&self, counters: &[i64], to_move: Option<usize>) -> String {
        let rows = counters.chunks(2).map(|row| format!("[{}]", commas(row)));
        let player = match to_move {
            None | Some(LEFT) => "",
            Some(_) => ", to_move=\"right\"",
        };
        format!("northcott({}, [{}]{player})", self.width, commas(rows))
    }

    fn source(&self, counters: &[i64], to_move: Option<usize>) -> String {
        // `to_move="left"` is not canonical, which tests the reader; `write` omits it.
        let text = self.write(counters, Some(RIGHT));
        match to_move {
            Some(LEFT) => text.replace("right", "left"),
            Some(_) => text,
            None => self.write(counters, None),
        }
    }
}

pub(crate) fn northcott(random: &mut Random, size: i64) -> Term {
    let width = random.between(2, 3 + size / 2);
    let mut counters = Vec::new();
    for _ in 0..random.between(size / 3, 1 + size / 3) {
        let left = random.between(0, width - 1);
        let right = (left + random.between(1, width - 1)) % width;
        counters.extend([left, right]);
    }
    Term::new(Northcott { width }, counters)
}
