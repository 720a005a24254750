//! POJ 2960, S-Nim: repeated k and the k numbers of the subtraction set; m; m lines `l h1 .. hl`; k = 0 ends. One
//! line of W and L for each set.

mod input;

use grundy::Limits;
use grundy::heap::{HeapRules, Sequence, TakeSet};
use grundy::theory::NormalPlay;

fn main() {
    let mut numbers = input::numbers();
    while let Some(count) = numbers.next().filter(|&count| count > 0) {
        let mut takes: Vec<u64> = numbers
            .by_ref()
            .take(count as usize)
            .filter(|&take| take > 0)
            .collect();
        takes.sort_unstable();
        takes.dedup();
        let mut sequence =
            Sequence::<NormalPlay>::new(HeapRules::Subtraction(TakeSet::Finite(takes)));
        let positions = numbers.next().unwrap_or(0);
        let mut line = String::new();
        for _ in 0..positions {
            let heaps = numbers.next().unwrap_or(0) as usize;
            let sum = numbers.by_ref().take(heaps).fold(0, |sum, heap| {
                sum ^ sequence
                    .value(heap, &Limits::default())
                    .expect("sizes up to 10^4 are within the limits")
            });
            line.push(if sum == 0 { 'L' } else { 'W' });
        }
        println!("{line}");
    }
}
