//! Coin-turning games. A position lists its heads in ascending order.

use super::super::random::Random;
use super::{Options, Part, Rules, Term, call};

struct Turning {
    name: &'static str,
    /// Returns all sets of coins that may be turned together if the given coin is the rightmost of
    /// them. The coins of each set are in ascending order.
    turned: fn(i64) -> Vec<Part>,
}

impl Rules for Turning {
    fn options(&self, heads: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        // The rightmost coin turned must go from heads to tails.
        for turned in heads.iter().flat_map(|&rightmost| (self.turned)(rightmost)) {
            let untouched = heads.iter().filter(|coin| !turned.contains(coin));
            let risen = turned.iter().filter(|coin| !heads.contains(coin));
            let mut to: Part = untouched.chain(risen).copied().collect();
            to.sort_unstable();
            options.push((turned, to));
        }
        options
    }

    fn write(&self, heads: &[i64], _: Option<usize>) -> String {
        call(self.name, heads)
    }
}

fn two(n: i64) -> Vec<Part> {
    (1..n).map(|a| vec![a, n]).collect()
}

fn at_most_two(n: i64) -> Vec<Part> {
    [vec![vec![n]], two(n)].concat()
}

fn at_most_three(n: i64) -> Vec<Part> {
    let three = (1..n).flat_map(|b| (1..b).map(move |a| vec![a, b, n]));
    at_most_two(n).into_iter().chain(three).collect()
}

fn runs(n: i64) -> Vec<Part> {
    (1..=n).map(|first| (first..=n).collect()).collect()
}

fn turning(
    random: &mut Random,
    size: i64,
    name: &'static str,
    turned: fn(i64) -> Vec<Part>,
) -> Term {
    let heads = random.subset(1, 2 + size, 2 + size);
    Term::new(Turning { name, turned }, heads)
}

pub(crate) fn turning_turtles(random: &mut Random, size: i64) -> Term {
    turning(random, size, "turning_turtles", at_most_two)
}

pub(crate) fn mock_turtles(random: &mut Random, size: i64) -> Term {
    turning(random, size, "mock_turtles", at_most_three)
}

pub(crate) fn ruler(random: &mut Random, size: i64) -> Term {
    turning(random, size, "ruler", runs)
}

pub(crate) fn twins(random: &mut Random, size: i64) -> Term {
    turning(random, size, "twins", two)
}
