//! Explanations of nimber expressions. Sums are explained by their binary columns, and products by
//! the rules for Fermat 2-powers.

use std::collections::{HashSet, VecDeque};

use grundy::nimber::Nimber;
use grundy::step::Step;

/// Largest number of products that are explained.
const PRODUCTS: usize = 60;

/// Largest number of terms in a product that is expanded.
const TERMS: u32 = 16;

/// Largest number of squarings in the explanation of a power.
const SQUARES: u32 = 12;

/// A value on the stack, with the index of the operation that computed it, if any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) nimber: Nimber,
    pub(super) made_by: Option<usize>,
}

/// An operation with its operands, after it was performed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Done {
    Sum(Operand, Operand),
    Product(Nimber, Nimber),
    Quotient(Nimber, Nimber),
    Power(Nimber, i128),
    Root(Nimber),
}

/// All operations in order. Additions that follow one another are merged into one sum.
#[derive(Debug, Default)]
pub(super) struct Record {
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Sum(Vec<u64>),
    Other(Done),
    /// The place of a sum that was merged into a later one.
    Absorbed,
}

impl Record {
    pub(super) fn note(&mut self, done: Done) {
        let Done::Sum(a, b) = done else {
            self.entries.push(Entry::Other(done));
            return;
        };
        // The left operand is a sum that was just computed, as in a + b + c. One table with all
        // terms is easier to read than several tables with two terms each.
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

    /// Returns the steps that explain an expression with value `value`.
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
        // This step informs the reader that some products are not explained.
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

/// Returns the powers of `base` whose exponents are 1, 2, 4, ..., up to the given exponent. Returns
/// `None` if there are none or too many.
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

/// The products that are explained. Each is explained only once, even if it occurs several times.
#[derive(Debug, Default)]
struct Products {
    met: HashSet<(u64, u64)>,
    written: usize,
    left_out: usize,
}

impl Products {
    /// Explains a product, and then the products that occur in its explanation. The order is
    /// breadth-first.
    fn explain(&mut self, a: Nimber, b: Nimber, steps: &mut Vec<Step>) {
        let mut due = VecDeque::from([(a, b)]);
        while let Some((a, b)) = due.pop_front() {
            // The product is commutative, so the order of the factors is irrelevant for the key.
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
            // Products with a factor 0 or 1 need no explanation.
            due.extend(next.into_iter().filter(|(a, b)| a.0 > 1 && b.0 > 1));
        }
    }
}

/// Explains one product. Returns the step, and the products that occur in it.
fn reduced(a: Nimber, b: Nimber) -> (Step, Vec<(Nimber, Nimber)>) {
    let product = a * b;
    let said = |code| Step::new(code).with("a", a.0).with("b", b.0);
    let single = |n: Nimber| n.0.is_power_of_two();
    // The expansion has a term for each pair of binary digits 1 in the factors. If there are too
    // many, only the result is stated.
    if a.0 < 2 || b.0 < 2 || a.0.count_ones() * b.0.count_ones() > TERMS {
        return (
            said("nimber_product").with("product", product.0),
            Vec::new(),
        );
    }
    if !(single(a) && single(b)) {
        return distributed(a, b, said("nimber_distributed"));
    }
    // Each 2^i is the product of the Fermat 2-powers F_k = 2^(2^k) for which i has bit k. The
    // nim-product of different Fermat 2-powers is the ordinary product, and the nim-square of F_k
    // is 3/2 F_k. The powers that occur in both factors are those of the bits that i and j have in
    // common.
    let (i, j) = (u64::from(a.0.ilog2()), u64::from(b.0.ilog2()));
    if i & j == 0 {
        return (said("nimber_apart").with("product", product.0), Vec::new());
    }
    // Both factors are the same Fermat 2-power F. By definition, its square is F + F/2.
    if i == j && i.is_power_of_two() {
        let step = said("nimber_square")
            .with("half", a.0 / 2)
            .with("product", product.0);
        return (step, Vec::new());
    }
    let squared: Vec<Nimber> = fermat_powers(i & j).collect();
    let mut grouped: Vec<Nimber> = squared.iter().map(|power| power.square()).collect();
    if i ^ j != 0 {
        // The other factors are different Fermat 2-powers, so their nim-product is the ordinary
        // product.
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
    // The factors are now multiplied from left to right, and each product on the way is explained.
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

/// Returns the Fermat 2-powers 2^(2^k) whose ordinary product is 2^`exponent`.
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

    /// Returns the length of the longest chain of products in which each occurs in the explanation
    /// of the one before. The chain begins with this product.
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

    /// Checks every equation in the step that explains a * b.
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

    /// Checks that every equation of every step is true, and that no product occurs in its own
    /// explanation.
    #[test]
    fn every_step_holds_and_leads_to_simpler_products() {
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
