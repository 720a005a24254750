//! POJ 2960, S-Nim.
//!
//! The input has k and the k numbers of the subtraction set, then m, and m lines `l h1 .. hl` with
//! l heaps each. The next set follows, until k is 0. The answer is one line for each set, with W
//! for each position that the first player wins, else L.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::Limits;
use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{HeapRules, Sequence, TakeSet};

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    while let Some(count) = numbers.next()?.filter(|&count| count > 0) {
        let mut takes = numbers.list(count, "a number of the set")?;
        if takes.contains(&0) {
            return Err(numbers.error("a move takes at least one bead"));
        }
        takes.sort_unstable();
        takes.dedup();
        // All positions of a set use the same sequence, so each heap value is computed once.
        let mut sequence =
            Sequence::<NormalPlay>::new(HeapRules::Subtraction(TakeSet::Finite(takes)));
        let mut line = String::new();
        for _ in 0..numbers.expect_next("the number of positions")? {
            let heaps = numbers.expect_next("the number of heaps")?;
            let mut sum = 0;
            for heap in numbers.list(heaps, "a heap")? {
                let value = sequence.value(heap, &Limits::default());
                sum ^= value.map_err(|stop| numbers.error(&stop.to_string()))?;
            }
            line.push(if sum == 0 { 'L' } else { 'W' });
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}
