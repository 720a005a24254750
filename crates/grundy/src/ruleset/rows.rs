//! Games on a row written as a string: `kayles_row(row)` and `treblecross_row(row)`.
//!
//! Rules of Kayles. `1` is a pin, `0` a gap. A move knocks down one pin, or two pins that stand side by side. Whoever
//! cannot move loses. Runs of pins are heaps of Kayles (0.77).
//!
//! Rules of Treblecross. `.` is empty, `X` is crossed. A move crosses one empty square. Who makes three crosses in a row
//! wins, so the game ends there; a row that already has them is the end of a game, and so is a full row.
//!
//! The heaps of the code 0.007 describe Treblecross only while no player makes a blunder: a cross next to or one away
//! from another one lets the opponent win at once. Here the true rules are searched, so rows are at most 64 squares
//! long, and about twenty-five empty squares are the most that can be searched in practice.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Known, Ruleset, Theorem, Visit};
use crate::Refusal;
use crate::argument::{Arguments, text};
use crate::picture::Picture;
use crate::position::{AnyTerm, Term};
use crate::step::{Move, Step};

/// The values of Kayles.
pub const KAYLES: Theorem = Theorem {
    method: "kayles",
    name: "the values of Kayles",
    statement: "the values repeat with period 12 from 71 pins on",
    source: "R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956), 514-526",
};

/// Kayles on a row; a part is the row, `true` for a pin.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct KaylesRow;

/// Treblecross on a row; a part is its length and its crosses.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct TreblecrossRow;

/// Most squares of a row of Kayles.
const SQUARES: usize = 1_000_000;

fn row<'a>(arguments: &Arguments<'a>, letters: [char; 2], most: usize) -> Result<&'a str, Refusal> {
    let [Some((at, row))] = arguments.bind(["row"], 1)? else {
        return Err(Refusal::illegal("the row is missing"));
    };
    let [a, b] = letters;
    let row = text(row, &[at])?;
    if let Some(c) = row.chars().find(|c| !letters.contains(c)) {
        return Err(Refusal::illegal(format!(
            "`{}` is neither `{a}` nor `{b}`",
            c.escape_default()
        ))
        .at([at]));
    }
    if row.len() > most {
        return Err(
            Refusal::illegal(format!("a row of more than {most} squares is too long")).at([at]),
        );
    }
    Ok(row)
}

/// Reads `kayles_row(row)`.
///
/// # Errors
/// Anything but a string of `1` and `0`.
pub fn kayles_row(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
    let row = row(arguments, ['1', '0'], SQUARES)?;
    Ok(Term::new(
        KaylesRow,
        vec![row.bytes().map(|square| square == b'1').collect()],
    )
    .into())
}

/// Reads `treblecross_row(row)`.
///
/// # Errors
/// Anything but a string of `.` and `X`.
pub fn treblecross_row(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
    let row = row(arguments, ['.', 'X'], 64)?;
    let crosses = row
        .bytes()
        .enumerate()
        .filter(|(_, square)| *square == b'X');
    let crosses = crosses.fold(0, |crosses, (square, _)| crosses | 1u64 << square);
    Ok(Term::new(TreblecrossRow, vec![(row.len() as u32, crosses)]).into())
}

/// The value of n pins in a row.
fn kayles_value(n: usize) -> u64 {
    const PERIOD: [u64; 12] = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7];
    match n {
        0 => 0,
        3 | 6 | 18 | 39 => 3,
        9 | 21 | 57 => 4,
        28 => 5,
        11 | 22 | 34 | 70 => 6,
        15 => 7,
        _ => PERIOD[n % 12],
    }
}

impl Ruleset for KaylesRow {
    type Part = Vec<bool>;

    fn name(&self) -> &'static str {
        "kayles_row"
    }

    fn write(&self, parts: &[Vec<bool>]) -> String {
        let row: String = parts
            .iter()
            .flatten()
            .map(|&pin| if pin { '1' } else { '0' })
            .collect();
        format!("kayles_row(\"{row}\")")
    }

    fn options(&self, _: usize, row: &Vec<bool>, visit: Visit<'_, Vec<bool>>) -> ControlFlow<()> {
        (0..row.len()).filter(|&pin| row[pin]).try_for_each(|pin| {
            let pair = row.get(pin + 1) == Some(&true);
            (pin..=pin + usize::from(pair)).try_for_each(|last| {
                let mut left = row.clone();
                left[pin..=last].fill(false);
                visit(&[left], &|| {
                    let pins: Vec<u64> = (pin..=last).map(|pin| pin as u64).collect();
                    Move::new(pins.clone(), Step::new("knock").with("pins", pins))
                })
            })
        })
    }

    fn components(&self, row: &Vec<bool>, visit: &mut dyn FnMut(Vec<bool>)) {
        row.split(|pin| !pin)
            .filter(|run| !run.is_empty())
            .for_each(|run| visit(run.to_vec()));
    }

    fn grundy(&self, row: &Vec<bool>) -> Option<Known<u64>> {
        let value = row
            .split(|pin| !pin)
            .fold(0, |sum, run| sum ^ kayles_value(run.len()));
        Some(Known {
            value,
            theorem: &KAYLES,
        })
    }

    fn longest_play(&self, row: &Vec<bool>) -> Option<u128> {
        Some(row.iter().filter(|&&pin| pin).count() as u128)
    }

    fn picture(&self, parts: &[Vec<bool>]) -> Picture {
        let coins = parts
            .iter()
            .flatten()
            .zip(0u64..)
            .filter(|(pin, _)| **pin)
            .map(|(_, square)| square);
        Picture::Strip {
            first: 0,
            coins: coins.collect(),
        }
    }
}

fn has_treble(crosses: u64) -> bool {
    crosses & crosses << 1 & crosses << 2 != 0
}

impl Ruleset for TreblecrossRow {
    type Part = (u32, u64);

    fn name(&self) -> &'static str {
        "treblecross_row"
    }

    fn write(&self, parts: &[(u32, u64)]) -> String {
        format!(
            "treblecross_row(\"{}\")",
            parts.iter().map(squares).collect::<String>()
        )
    }

    fn options(
        &self,
        _: usize,
        &(length, crosses): &(u32, u64),
        visit: Visit<'_, (u32, u64)>,
    ) -> ControlFlow<()> {
        if has_treble(crosses) {
            return ControlFlow::Continue(());
        }
        (0..length)
            .filter(|square| crosses >> square & 1 == 0)
            .try_for_each(|square| {
                visit(&[(length, crosses | 1 << square)], &|| {
                    Move::new(
                        [u64::from(square)],
                        Step::new("cross").with("square", u64::from(square)),
                    )
                })
            })
    }

    fn components(&self, &(length, crosses): &(u32, u64), visit: &mut dyn FnMut((u32, u64))) {
        // All finished rows are one; a row and its mirror image are one.
        if has_treble(crosses) || length == 0 {
            return;
        }
        visit((length, crosses.min(crosses.reverse_bits() >> (64 - length))));
    }

    fn picture(&self, parts: &[(u32, u64)]) -> Picture {
        Picture::Board(parts.iter().map(squares).collect())
    }
}

fn squares(&(length, crosses): &(u32, u64)) -> String {
    (0..length)
        .map(|square| if crosses >> square & 1 == 1 { 'X' } else { '.' })
        .collect()
}
