//! Explanations of nimber expressions. Sums are explained by their binary columns, and products by
//! the rules for Fermat 2-powers.

use std::collections::{HashSet, VecDeque};

use grundy_core::nimber::Nimber;
use grundy_core::step::Step;

/// Largest number of products that are explained.
const MAX_PRODUCTS: usize = 60;

/// Largest number of terms in the expansion of a product. If there are more, the product is not
/// expanded.
const MAX_TERMS: u32 = 16;

/// Largest number of squarings in the explanation of a power.
const MAX_SQUARINGS: u32 = 12;

/// A value on the stack, with the index of the operation that computed it, if any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) nimber: Nimber,
    pub(super) operation_index: Option<usize>,
}

/// An operation with its operands, after it was performed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
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
    Other(Operation),
    /// A sum that was merged into a later one. The entry remains, since operands refer to entries
    /// by index.
    Merged,
}

impl Record {
    pub(super) fn push(&mut self, operation: Operation) {
        let Operation::Sum(a, b) = operation else {
            self.entries.push(Entry::Other(operation));
            return;
        };
        // The left operand is a sum that was just computed, as in a + b + c. One table with all
        // terms is easier to read than several tables with two terms each.
        let previous = a.operation_index.and_then(|at| self.entries.get_mut(at));
        let mut addends = match previous {
            Some(entry @ Entry::Sum(_)) => match std::mem::replace(entry, Entry::Merged) {
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
                Entry::Merged => {}
                Entry::Sum(addends) => steps.push(sum(addends)),
                Entry::Other(operation) => explain_operation(operation, &mut products, &mut steps),
            }
        }
        // This step informs the reader that some products are not explained.
        if products.unexplained > 0 {
            steps.push(Step::new("nimber_more").with("count", products.unexplained));
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
/// `None` if the exponent is less than 2, or too large for a list of powers.
fn squares(base: Nimber, exponent: i128) -> Option<Vec<String>> {
    if !(2..1 << MAX_SQUARINGS).contains(&exponent) {
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

fn explain_operation(operation: Operation, products: &mut Products, steps: &mut Vec<Step>) {
    match operation {
        Operation::Product(a, b) => products.explain(a, b, steps),
        Operation::Quotient(a, b) => {
            let quotient = a.checked_div(b).unwrap_or_default();
            steps.push(
                Step::new("nimber_quotient")
                    .with("a", a.0)
                    .with("b", b.0)
                    .with("quotient", quotient.0),
            );
        }
        Operation::Power(base, exponent) => {
            let power = base.pow(exponent).unwrap_or_default();
            let new_step = |code| {
                Step::new(code)
                    .with("base", base.0)
                    .with("exponent", exponent.to_string())
                    .with("power", power.0)
            };
            steps.push(match base.inverse() {
                Some(inverse) if exponent < 0 => {
                    new_step("nimber_inverse_power").with("inverse", inverse.0)
                }
                _ => match squares(base, exponent) {
                    Some(squares) => new_step("nimber_power_squares").with("squares", squares),
                    None => new_step("nimber_power"),
                },
            });
        }
        Operation::Root(a) => steps.push(
            Step::new("nimber_root")
                .with("a", a.0)
                .with("root", a.sqrt().0),
        ),
        Operation::Sum(..) => {}
    }
}

/// The products that were explained so far. Each is explained only once, even if it occurs several
/// times.
#[derive(Debug, Default)]
struct Products {
    explained: HashSet<(u64, u64)>,
    count: usize,
    unexplained: usize,
}

impl Products {
    /// Explains a product, and then the products that occur in its explanation. The order is
    /// breadth-first.
    fn explain(&mut self, a: Nimber, b: Nimber, steps: &mut Vec<Step>) {
        let mut queue = VecDeque::from([(a, b)]);
        while let Some((a, b)) = queue.pop_front() {
            // The product is commutative, so the order of the factors is irrelevant for the key.
            if !self.explained.insert((a.0.min(b.0), a.0.max(b.0))) {
                continue;
            }
            if self.count == MAX_PRODUCTS {
                self.unexplained += 1;
                continue;
            }
            self.count += 1;
            let (step, next) = reduce_product(a, b);
            steps.push(step);
            // Products with a factor 0 or 1 need no explanation.
            queue.extend(next.into_iter().filter(|(a, b)| a.0 > 1 && b.0 > 1));
        }
    }
}

/// Explains one product. Returns the step, and the products that occur in it.
fn reduce_product(a: Nimber, b: Nimber) -> (Step, Vec<(Nimber, Nimber)>) {
    let product = a * b;
    let new_step = |code| Step::new(code).with("a", a.0).with("b", b.0);
    let single = |n: Nimber| n.0.is_power_of_two();
    // The expansion has a term for each pair of binary digits 1 in the factors. If there are too
    // many, only the result is stated.
    if a.0 < 2 || b.0 < 2 || a.0.count_ones() * b.0.count_ones() > MAX_TERMS {
        return (
            new_step("nimber_product").with("product", product.0),
            Vec::new(),
        );
    }
    if !(single(a) && single(b)) {
        return distribute_product(a, b, new_step("nimber_distributed"));
    }
    // Each 2^i is the product of the Fermat 2-powers F_k = 2^(2^k) for which i has bit k. The
    // nim-product of different Fermat 2-powers is the ordinary product, and the nim-square of F_k
    // is 3/2 F_k. The powers that occur in both factors are those of the bits that i and j have in
    // common.
    let (i, j) = (u64::from(a.0.ilog2()), u64::from(b.0.ilog2()));
    if i & j == 0 {
        return (
            new_step("nimber_apart").with("product", product.0),
            Vec::new(),
        );
    }
    // Both factors are the same Fermat 2-power F. By definition, its square is F + F/2.
    if i == j && i.is_power_of_two() {
        let step = new_step("nimber_square")
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
    let step = new_step("nimber_regrouped")
        .with("factors", format!("{} * {}", factors(i), factors(j)))
        .with("grouped", joined(grouped.iter().map(|n| n.0), " * "))
        .with("product", product.0);
    let mut next: Vec<_> = squared.iter().map(|&power| (power, power)).collect();
    // The factors are now multiplied from left to right, and each intermediate product is
    // explained.
    let mut running_product = grouped[0];
    for &factor in &grouped[1..] {
        next.push((running_product, factor));
        running_product *= factor;
    }
    (step, next)
}

fn distribute_product(a: Nimber, b: Nimber, step: Step) -> (Step, Vec<(Nimber, Nimber)>) {
    let places = |n: Nimber| {
        let bits = (0..64).rev().map(|bit| 1 << bit);
        bits.filter(move |bit| n.0 & bit != 0).map(Nimber)
    };
    let pairs: Vec<(Nimber, Nimber)> = places(a)
        .flat_map(|x| places(b).map(move |y| (x, y)))
        .collect();
    let products = pairs.iter().map(|(x, y)| format!("{} * {}", x.0, y.0));
    let values = pairs.iter().map(|&(x, y)| (x * y).0);
    let step = step
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

    use grundy_core::step::Datum;

    use super::*;
    use crate::nimber::evaluate;

    type Product = (u64, u64);

    /// Returns the length of the longest chain of products that begins with a * b. Each later
    /// product in the chain occurs in the explanation of the preceding product.
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
        let (step, next) = reduce_product(Nimber(a), Nimber(b));
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
