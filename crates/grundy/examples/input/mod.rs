//! Reading contest input: numbers with any white space between them, to the end of standard input.

use std::io::Read as _;

/// All numbers of standard input. What is not a number ends the reading, as it does for `scanf`.
pub(crate) fn numbers() -> impl Iterator<Item = u64> {
    let mut text = String::new();
    if std::io::stdin().read_to_string(&mut text).is_err() {
        text.clear();
    }
    let numbers: Vec<u64> = text
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    numbers.into_iter()
}
