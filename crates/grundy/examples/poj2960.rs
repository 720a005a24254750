//! POJ 2960, S-Nim.
//!
//! The input has k and the k numbers of the subtraction set, m, and m lines `l h1 .. hl`. This is
//! repeated until k = 0. The answer is one line of W and L for each set.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy::Limits;
use grundy::algebra::NormalPlay;
use grundy::heap::{HeapRules, Sequence, TakeSet};

use input::{Bad, Numbers};

fn main() -> ExitCode {
    input::answer(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), Bad> {
    while let Some(count) = numbers.next()?.filter(|&count| count > 0) {
        let mut takes = numbers.list(count, "a number of the set")?;
        if takes.contains(&0) {
            return Err(numbers.bad("a move takes at least one bead"));
        }
        takes.sort_unstable();
        takes.dedup();
        // One sequence serves all positions of a set, so each heap value is computed once.
        let mut sequence =
            Sequence::<NormalPlay>::new(HeapRules::Subtraction(TakeSet::Finite(takes)));
        let mut line = String::new();
        for _ in 0..numbers.due("the number of positions")? {
            let heaps = numbers.due("the number of heaps")?;
            let mut sum = 0;
            for heap in numbers.list(heaps, "a heap")? {
                let value = sequence.value(heap, &Limits::default());
                sum ^= value.map_err(|stop| numbers.bad(&stop.to_string()))?;
            }
            line.push(if sum == 0 { 'L' } else { 'W' });
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}
