//! How an expression of nimbers is computed, step by step: the columns of sums, and the rules that
//! products follow.

use std::collections::{HashSet, VecDeque};

use grundy::nimber::Nimber;
use grundy::step::Step;

/// Most products that are written out.
const PRODUCTS: usize = 60;

/// Most terms that a product is multiplied out to.
const TERMS: u32 = 16;

/// Most squares that a power is made of, where they are written out.
const SQUARES: u32 = 12;

/// A value on the stack, with the number of the operation that made it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) nimber: Nimber,
    pub(super) made_by: Option<usize>,
}

/// What has been done with operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Done {
    Sum(Operand, Operand),
    Product(Nimber, Nimber),
    Quotient(Nimber, Nimber),
    Power(Nimber, i128),
    Root(Nimber),
}

/// Everything that has been done, in order. A sum that is added to becomes one longer sum.
#[derive(Debug, Default)]
pub(super) struct Record {
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Sum(Vec<u64>),
    Other(Done),
    /// A sum that is part of a longer one now.
    Absorbed,
}

impl Record {
    pub(super) fn note(&mut self, done: Done) {
        let Done::Sum(a, b) = done else {
            self.entries.push(Entry::Other(done));
            return;
        };
        let before = a.made_by.and_then(|at| self.entries.get_mut(at));
        let mut addends = match before {
            Some(entry @ Entry::Sum(_)) => match std::mem::replace(entry, Entry::Absorbed) {
                Entry::Sum(addends) => addends,
                _ => Vec::new(),
            },
            _ => vec![a.nimber.0],
        };
        addends.push(b.nimber.0);
        self.entries.push(Entry::Sum(addends));
    }

    /// Returns the steps, for an expression of this value.
    pub(super) fn steps(self, value: u64) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut products = Products::default();
        for entry in self.entries {
            match entry {
                Entry::Absorbed => {}
                Entry::Sum(addends) => steps.push(sum(addends)),
                Entry::Other(done) => other(done, &mut products, &mut steps),
            }
        }
        if products.left_out > 0 {
            steps.push(Step::new("nimber_more").with("count", products.left_out));
        }
        if steps.is_empty() {
            steps.push(Step::new("nimber_alone").with("value", value));
        }
        steps
    }
}

fn sum(addends: Vec<u64>) -> Step {
    let sum = addends.iter().fold(0, |sum, addend| sum ^ addend);
    let most = addends.iter().copied().max().unwrap_or(0);
    let width = (64 - most.leading_zeros()).max(1) as usize;
    let binary: Vec<String> = addends.iter().map(|n| format!("{n:0width$b}")).collect();
    Step::new("nimber_sum")
        .with("heaps", addends)
        .with("binary", binary)
        .with("sum_binary", format!("{sum:0width$b}"))
        .with("sum", sum)
}

/// Returns the powers of a number whose exponents are the powers of 2 up to an exponent, where one
/// would write them on a board.
fn squares(base: Nimber, exponent: i128) -> Option<Vec<String>> {
    if !(2..1 << SQUARES).contains(&exponent) {
        return None;
    }
    let powers = (0..=exponent.ilog2()).map(|times| 1i128 << times);
    Some(
        powers
            .map(|power| {
                let value = base.pow(power).unwrap_or_default();
                format!("{}**{power} = {}", base.0, value.0)
            })
            .collect(),
    )
}

fn other(done: Done, products: &mut Products, steps: &mut Vec<Step>) {
    match done {
        Done::Product(a, b) => products.explain(a, b, steps),
        Done::Quotient(a, b) => {
            let quotient = a.checked_div(b).unwrap_or_default();
            steps.push(
                Step::new("nimber_quotient")
                    .with("a", a.0)
                    .with("b", b.0)
                    .with("quotient", quotient.0),
            );
        }
        Done::Power(base, exponent) => {
            let power = base.pow(exponent).unwrap_or_default();
            let said = |code| {
                Step::new(code)
                    .with("base", base.0)
                    .with("exponent", exponent.to_string())
                    .with("power", power.0)
            };
            steps.push(match base.inverse() {
                Some(inverse) if exponent < 0 => {
                    said("nimber_inverse_power").with("inverse", inverse.0)
                }
                _ => match squares(base, exponent) {
                    Some(squares) => said("nimber_power_squares").with("squares", squares),
                    None => said("nimber_power"),
                },
            });
        }
        Done::Root(a) => steps.push(
            Step::new("nimber_root")
                .with("a", a.0)
                .with("root", a.sqrt().0),
        ),
        Done::Sum(..) => {}
    }
}

/// Products that are explained: each once, however often it is met.
#[derive(Debug, Default)]
struct Products {
    met: HashSet<(u64, u64)>,
    written: usize,
    left_out: usize,
}

impl Products {
    /// The product, then those that it was reduced to, each before those that it is reduced to
    /// itself.
    fn explain(&mut self, a: Nimber, b: Nimber, steps: &mut Vec<Step>) {
        let mut due = VecDeque::from([(a, b)]);
        while let Some((a, b)) = due.pop_front() {
            if !self.met.insert((a.0.min(b.0), a.0.max(b.0))) {
                continue;
            }
            if self.written == PRODUCTS {
                self.left_out += 1;
                continue;
            }
            self.written += 1;
            let (step, next) = reduced(a, b);
            steps.push(step);
            // What a factor 0 or 1 does needs no words.
            due.extend(next.into_iter().filter(|(a, b)| a.0 > 1 && b.0 > 1));
        }
    }
}

/// Returns one product, and the products that it is reduced to.
fn reduced(a: Nimber, b: Nimber) -> (Step, Vec<(Nimber, Nimber)>) {
    let product = a * b;
    let said = |code| Step::new(code).with("a", a.0).with("b", b.0);
    let single = |n: Nimber| n.0.is_power_of_two();
    if a.0 < 2 || b.0 < 2 || a.0.count_ones() * b.0.count_ones() > TERMS {
        return (
            said("nimber_product").with("product", product.0),
            Vec::new(),
        );
    }
    if !(single(a) && single(b)) {
        return distributed(a, b, said("nimber_distributed"));
    }
    // 2^i is the product of those F_k = 2^(2^k) for which i has bit k; equal ones are in both i and
    // j.
    let (i, j) = (u64::from(a.0.ilog2()), u64::from(b.0.ilog2()));
    if i & j == 0 {
        return (said("nimber_apart").with("product", product.0), Vec::new());
    }
    if i == j && i.is_power_of_two() {
        let step = said("nimber_square")
            .with("half", a.0 / 2)
            .with("product", product.0);
        return (step, Vec::new());
    }
    let squared: Vec<Nimber> = fermat_powers(i & j).collect();
    let mut grouped: Vec<Nimber> = squared.iter().map(|power| power.square()).collect();
    if i ^ j != 0 {
        // What is left over are different ones, whose product is the ordinary one.
        grouped.push(Nimber(1 << (i ^ j)));
    }
    let factors = |exponent| {
        let names: Vec<_> = fermat_powers(exponent).map(|power| power.0).collect();
        match &names[..] {
            [one] => one.to_string(),
            several => format!("({})", joined(several.iter(), " * ")),
        }
    };
    let step = said("nimber_regrouped")
        .with("factors", format!("{} * {}", factors(i), factors(j)))
        .with("grouped", joined(grouped.iter().map(|n| n.0), " * "))
        .with("product", product.0);
    let mut next: Vec<_> = squared.iter().map(|&power| (power, power)).collect();
    let mut so_far = grouped[0];
    for &factor in &grouped[1..] {
        next.push((so_far, factor));
        so_far = so_far * factor;
    }
    (step, next)
}

fn distributed(a: Nimber, b: Nimber, said: Step) -> (Step, Vec<(Nimber, Nimber)>) {
    let places = |n: Nimber| {
        let bits = (0..64).rev().map(|bit| 1 << bit);
        bits.filter(move |bit| n.0 & bit != 0).map(Nimber)
    };
    let pairs: Vec<(Nimber, Nimber)> = places(a)
        .flat_map(|x| places(b).map(move |y| (x, y)))
        .collect();
    let products = pairs.iter().map(|(x, y)| format!("{} * {}", x.0, y.0));
    let values = pairs.iter().map(|&(x, y)| (x * y).0);
    let step = said
        .with("parts_a", joined(places(a).map(|x| x.0), " + "))
        .with("parts_b", joined(places(b).map(|y| y.0), " + "))
        .with("products", joined(products, " + "))
        .with("values", joined(values, " + "))
        .with("product", (a * b).0);
    (step, pairs)
}

/// Returns the numbers 2^(2^k) whose ordinary product is 2^exponent.
fn fermat_powers(exponent: u64) -> impl Iterator<Item = Nimber> {
    (0..6)
        .rev()
        .filter(move |k| exponent >> k & 1 == 1)
        .map(|k| Nimber(1 << (1 << k)))
}

fn joined(items: impl Iterator<Item = impl ToString>, by: &str) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    items.join(by)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy::step::Datum;

    use super::*;
    use crate::nimber::evaluate;

    type Product = (u64, u64);

    /// How many reductions below this product follow each other at most.
    fn height(
        (a, b): Product,
        known: &mut HashMap<Product, usize>,
        above: &mut Vec<Product>,
    ) -> usize {
        let key = (a.min(b), a.max(b));
        if let Some(height) = known.get(&key) {
            return *height;
        }
        assert!(!above.contains(&key), "{key:?} is reduced to itself");
        above.push(key);
        let (step, next) = reduced(Nimber(a), Nimber(b));
        holds(&step, a, b);
        let below = next.into_iter().filter(|(a, b)| a.0 > 1 && b.0 > 1);
        let below = below.map(|(a, b)| height((a.0, b.0), known, above));
        let own = below.max().unwrap_or(0) + 1;
        above.pop();
        known.insert(key, own);
        own
    }

    /// What the step says of a * b is so.
    fn holds(step: &Step, a: u64, b: u64) {
        let number = |name| match step.args.iter().find(|(known, _)| *known == name) {
            Some((_, Datum::Int(n))) => Some(*n),
            Some((_, Datum::Text(sum))) => Some(evaluate(sum).unwrap()),
            _ => None,
        };
        let product = (Nimber(a) * Nimber(b)).0;
        for name in ["product", "products", "values", "factors", "grouped"] {
            assert!(number(name).is_none_or(|n| n == product), "{step:?}");
        }
        assert!(number("parts_a").is_none_or(|n| n == a), "{step:?}");
        assert!(number("parts_b").is_none_or(|n| n == b), "{step:?}");
        assert!(number("half").is_none_or(|n| n ^ a == product), "{step:?}");
        if step.code == "nimber_apart" {
            assert_eq!(
                u128::from(product),
                u128::from(a) * u128::from(b),
                "{step:?}"
            );
        }
    }

    /// Every equation of every step holds, and no product is reduced to itself by way of others.
    #[test]
    fn products_are_reduced_truly_and_to_simpler_ones() {
        let mut known = HashMap::new();
        for a in 0..130 {
            for b in 0..=a {
                height((a, b), &mut known, &mut Vec::new());
            }
        }
        for (i, j) in (0..64).flat_map(|i| (0..64).map(move |j| (i, j))) {
            height((1 << i, 1 << j), &mut known, &mut Vec::new());
        }
    }
}
