//! Heap games: subtraction, take-and-break games, Fibonacci Nim, Moore's Nim and partizan
//! subtraction.

use super::super::random::Random;
use super::{Options, Part, Rules, Term, call, commas, with};

/// A game in which a move takes chips from one heap. A predicate tells how many chips may be taken.
struct Takes {
    /// The notation before the heaps, such as `subtraction([1, 3], `.
    head: String,
    may: Box<dyn Fn(i64, i64) -> bool>,
}

impl Rules for Takes {
    fn options(&self, heaps: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        for (heap, &n) in heaps.iter().enumerate() {
            for k in (1..=n).filter(|&k| (self.may)(n, k)) {
                options.push((vec![heap as i64, n - k], with(heaps, heap, n - k)));
            }
        }
        options
    }

    fn write(&self, heaps: &[i64], _: Option<usize>) -> String {
        format!("{}{})", self.head, commas(heaps))
    }
}

fn takes(
    random: &mut Random,
    size: i64,
    head: impl Into<String>,
    may: impl Fn(i64, i64) -> bool + 'static,
) -> Term {
    let heaps = random.numbers(1, 1 + size / 2, 0, 2 + 2 * size);
    let (head, may) = (head.into(), Box::new(may));
    Term::new(Takes { head, may }, heaps)
}

pub(crate) fn nim(random: &mut Random, size: i64) -> Term {
    takes(random, size, "nim(", |_, _| true)
}

pub(crate) fn at_least_half(random: &mut Random, size: i64) -> Term {
    takes(random, size, "at_least_half(", |n, k| 2 * k >= n)
}

pub(crate) fn at_most_half(random: &mut Random, size: i64) -> Term {
    takes(random, size, "at_most_half(", |n, k| 2 * k <= n)
}

pub(crate) fn at_most(random: &mut Random, size: i64) -> Term {
    let mut fraction = random.numbers(2, 2, 1, 5);
    let divisor = common_divisor(fraction[0], fraction[1]);
    fraction.iter_mut().for_each(|number| *number /= divisor);
    let head = format!("at_most({}, ", commas(&fraction));
    takes(random, size, head, move |n, k| {
        k * fraction[1] <= n * fraction[0]
    })
}

pub(crate) fn nim_except(random: &mut Random, size: i64) -> Term {
    let numbers = random.numbers(0, 14, 1, 6);
    let mut pairs: Vec<[i64; 2]> = numbers
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .filter(|[heap, amount]| amount <= heap)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let list = pairs
        .iter()
        .map(|[heap, amount]| format!("[{heap}, {amount}]"));
    let head = format!("nim_except([{}], ", list.collect::<Vec<_>>().join(", "));
    takes(random, size, head, move |n, k| !pairs.contains(&[n, k]))
}

/// Returns a random set of one to three numbers in ascending order.
fn set(random: &mut Random) -> Vec<i64> {
    let mut set = random.numbers(1, 3, 1, 5);
    set.sort_unstable();
    set.dedup();
    set
}

pub(crate) fn all_but(random: &mut Random, size: i64) -> Term {
    let exclude = if random.below(4) == 0 {
        Vec::new()
    } else {
        set(random)
    };
    let head = format!("all_but([{}], ", commas(&exclude));
    takes(random, size, head, move |_, k| !exclude.contains(&k))
}

pub(crate) fn subtraction(random: &mut Random, size: i64) -> Term {
    let take = set(random);
    let head = format!("subtraction([{}], ", commas(&take));
    takes(random, size, head, move |_, k| take.contains(&k))
}

fn prime(k: i64) -> bool {
    k > 1 && (2..k).all(|d| k % d != 0)
}

fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The named subtraction sets: the predicate says whether k chips may be taken from a heap of n.
const NAMED: [(&str, fn(i64, i64) -> bool); 13] = [
    ("squares", |_, k| (1..=k).any(|i| i * i == k)),
    ("cubes", |_, k| (1..=k).any(|i| i * i * i == k)),
    ("triangular", |_, k| (1..=k).any(|i| i * (i + 1) == 2 * k)),
    ("primes", |_, k| prime(k)),
    ("primes_and_1", |_, k| k == 1 || prime(k)),
    ("powers_of_2", |_, k| (0..60).any(|i| 1 << i == k)),
    ("fibonacci", |_, k| {
        [1, 2, 3, 5, 8, 13, 21, 34, 55, 89].contains(&k)
    }),
    ("factorials", |_, k| [1, 2, 6, 24, 120].contains(&k)),
    ("odd", |_, k| k % 2 == 1),
    ("even", |_, k| k % 2 == 0),
    ("divisors", |n, k| n % k == 0),
    ("proper_divisors", |n, k| n % k == 0 && k < n),
    ("coprime", |n, k| common_divisor(n, k) == 1),
];

pub(crate) fn named_subtraction(random: &mut Random, size: i64) -> Term {
    let (name, may) = *random.pick(&NAMED);
    let heaps = random.numbers(1, 1 + size / 3, 0, 4 + 4 * size);
    let head = format!("subtraction(\"{name}\", ");
    let may = Box::new(may);
    Term::new(Takes { head, may }, heaps)
}

/// A take-and-break game.
struct Breaks {
    head: String,
    /// The predicate for a move: the number of chips taken, and the remaining heaps in ascending
    /// order.
    may: Box<dyn Fn(i64, &[i64]) -> bool>,
}

/// Returns all partitions of `n` into positive parts, each in ascending order. Partitions with
/// fewer parts come first, and then the order is lexicographic.
fn parts(n: i64) -> Vec<Part> {
    fn of_length(n: i64, least: i64, length: usize) -> Vec<Part> {
        if length <= 1 {
            return Vec::from_iter((length == 1 && n >= least).then(|| vec![n]));
        }
        (least..=n)
            .flat_map(|first| {
                let rest = of_length(n - first, first, length - 1);
                rest.into_iter()
                    .map(move |rest| [vec![first], rest].concat())
            })
            .collect()
    }
    if n == 0 {
        return vec![vec![]];
    }
    (1..=n as usize)
        .flat_map(|length| of_length(n, 1, length))
        .collect()
}

impl Rules for Breaks {
    fn options(&self, heaps: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        for (heap, &n) in heaps.iter().enumerate() {
            for taken in 0..=n {
                for left in parts(n - taken) {
                    // A move must change the heap: taking nothing requires a split.
                    if (taken > 0 || left.len() > 1) && (self.may)(taken, &left) {
                        let to = [&heaps[..heap], &left, &heaps[heap + 1..]].concat();
                        options.push(([vec![heap as i64], left].concat(), to));
                    }
                }
            }
        }
        options
    }

    fn write(&self, heaps: &[i64], _: Option<usize>) -> String {
        let text = format!("{}{}", self.head, commas(heaps));
        // Without heaps, the separator after the code must not remain.
        format!("{})", text.trim_end_matches(", "))
    }
}

fn breaks(
    random: &mut Random,
    size: i64,
    head: impl Into<String>,
    may: impl Fn(i64, &[i64]) -> bool + 'static,
) -> Term {
    let heaps = random.numbers(1, 1 + size / 3, 0, 3 + size + size / 2);
    let (head, may) = (head.into(), Box::new(may));
    Term::new(Breaks { head, may }, heaps)
}

/// Returns the predicate of an octal or hexadecimal code such as `0.77` or `4.07`.
fn by_code(code: &str) -> impl Fn(i64, &[i64]) -> bool + 'static {
    let digits: Vec<u32> = code
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .collect();
    move |taken, left| {
        let digit = digits.get(taken as usize).copied().unwrap_or(0);
        // Bit k of the digit at place d allows taking d chips and leaving k nonempty heaps.
        digit >> left.len() & 1 == 1
    }
}

/// A code, and the predicate for taking some chips and leaving some number of heaps.
type ExtendedCode = (&'static str, fn(i64, usize) -> bool);

/// Codes whose digits are more than hexadecimal ones.
const EXTENDED_CODES: [ExtendedCode; 8] = [
    ("{2+}.0", |taken, heaps| taken == 0 && heaps >= 2),
    ("k.0", |taken, heaps| {
        taken == 0 && (heaps == 2 || heaps == 4)
    }),
    ("0.[3]", |taken, heaps| taken >= 1 && heaps <= 1),
    ("4.[12]", |taken, heaps| match taken {
        0 => heaps == 2,
        _ => heaps == (taken as usize + 1) % 2,
    }),
    ("0.g", |taken, heaps| taken == 1 && heaps == 4),
    ("0.{0,3+}7", |taken, heaps| match taken {
        1 => heaps == 0 || heaps >= 3,
        2 => heaps <= 2,
        _ => false,
    }),
    ("0.(7)*20", |taken, heaps| {
        (1..=20).contains(&taken) && heaps <= 2
    }),
    ("0.02[a]", |taken, heaps| match taken {
        2 => heaps == 1,
        3.. => heaps == 1 || heaps == 3,
        _ => false,
    }),
];

pub(crate) fn take_and_break(random: &mut Random, size: i64) -> Term {
    if random.below(4) == 0 {
        let (code, may) = *random.pick(&EXTENDED_CODES);
        let head = format!("take_and_break(\"{code}\", ");
        return breaks(random, size, head, move |taken, left| {
            may(taken, left.len())
        });
    }
    let first = *random.pick(&["0", "0", "4", "8", "c"]);
    // The canonical form of a code has no trailing zero.
    let mut code = format!("{first}.");
    for _ in 0..random.below(3) {
        code.push(*random.pick(&['0', '1', '2', '3', '4', '6', '7', 'a', 'f']));
    }
    code.push(*random.pick(&['1', '3', '4', '5', '7', '8', '9', 'b', 'c']));
    let head = format!("take_and_break(\"{code}\", ");
    breaks(random, size, head, by_code(&code))
}

pub(crate) fn kayles(random: &mut Random, size: i64) -> Term {
    breaks(random, size, "kayles(", by_code("0.77"))
}

pub(crate) fn dawsons_chess(random: &mut Random, size: i64) -> Term {
    breaks(random, size, "dawsons_chess(", by_code("0.137"))
}

pub(crate) fn dawsons_kayles(random: &mut Random, size: i64) -> Term {
    breaks(random, size, "dawsons_kayles(", by_code("0.07"))
}

pub(crate) fn treblecross(random: &mut Random, size: i64) -> Term {
    breaks(random, size, "treblecross(", by_code("0.007"))
}

pub(crate) fn officers(random: &mut Random, size: i64) -> Term {
    breaks(random, size, "officers(", by_code("0.6"))
}

pub(crate) fn grundys_game(random: &mut Random, size: i64) -> Term {
    breaks(random, size, "grundys_game(", |taken, left| {
        taken == 0 && left.len() == 2 && left[0] != left[1]
    })
}

pub(crate) fn laskers_nim(random: &mut Random, size: i64) -> Term {
    // Splits multiply the number of positions, so the heaps are kept smaller.
    let size = size.min(3);
    breaks(random, size, "laskers_nim(", |taken, left| {
        if taken == 0 {
            left.len() == 2
        } else {
            left.len() <= 1
        }
    })
}

/// Fibonacci Nim. A position is the size of the heap and the maximum number of chips for the next
/// move.
struct FibonacciNim;

impl Rules for FibonacciNim {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let [n, most] = part[..] else { unreachable!() };
        let take = |k: i64| (vec![n - k], vec![n - k, (2 * k).min(n - k)]);
        (1..=most.min(n)).rev().map(take).collect()
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        call("fibonacci_nim", part)
    }
}

pub(crate) fn fibonacci_nim(random: &mut Random, size: i64) -> Term {
    let n = random.between(0, 2 + 3 * size);
    let most = if n == 0 { 0 } else { random.between(0, n) };
    // Half of the starts have the initial limit: all chips but one.
    let most = if random.below(2) == 0 {
        (n - 1).max(0)
    } else {
        most
    };
    Term::new(FibonacciNim, vec![n, most])
}

struct MooreNim {
    k: usize,
}

impl Rules for MooreNim {
    fn options(&self, heaps: &[i64], _: usize) -> Options {
        let mut all: Vec<Part> = vec![vec![]];
        for &n in heaps {
            let longer = |left: &Part| (0..=n).map(|to| [&left[..], &[to]].concat()).collect();
            all = all.iter().flat_map::<Vec<Part>, _>(longer).collect();
        }
        let reduced = |left: &Part| left.iter().zip(heaps).filter(|(a, b)| a != b).count();
        all.retain(|left| (1..=self.k).contains(&reduced(left)));
        all.into_iter().map(|left| (left.clone(), left)).collect()
    }

    fn write(&self, heaps: &[i64], _: Option<usize>) -> String {
        call("moore_nim", [&[self.k as i64], heaps].concat())
    }
}

pub(crate) fn moore_nim(random: &mut Random, size: i64) -> Term {
    let k = random.between(1, 3) as usize;
    let heaps = random.numbers(1, 1 + size / 2, 0, 2 + size);
    Term::new(MooreNim { k }, heaps)
}

/// Partizan subtraction games. For each player there is a set of the numbers of chips that the
/// player may take.
pub(crate) struct Partizan {
    pub(crate) sets: [Vec<i64>; 2],
}

impl Rules for Partizan {
    fn options(&self, heaps: &[i64], player: usize) -> Options {
        let mut options = Vec::new();
        for (heap, &n) in heaps.iter().enumerate() {
            for &k in self.sets[player].iter().filter(|&&k| k <= n) {
                options.push((vec![heap as i64, n - k], with(heaps, heap, n - k)));
            }
        }
        options
    }

    fn write(&self, heaps: &[i64], _: Option<usize>) -> String {
        let [left, right] = self.sets.each_ref().map(commas);
        format!(
            "partizan_subtraction([{left}], [{right}], {})",
            commas(heaps)
        )
    }

    fn is_partizan(&self) -> bool {
        true
    }
}

pub(crate) fn partizan_subtraction(random: &mut Random, size: i64) -> Term {
    let sets = [set(random), set(random)];
    let heaps = random.numbers(1, 1 + size / 2, 0, 2 + 2 * size);
    Term::new(Partizan { sets }, heaps)
}
