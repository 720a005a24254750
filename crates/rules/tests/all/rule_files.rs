//! Rule files of every kind that can occur in a sum. The position of a term with a rule file is a
//! list of numbers: the positions into which the game has decomposed.

use crate::sums::kinds::Kind;
use crate::sums::random::Random;
use crate::sums::rules::{LEFT, Options, Part, Rules, Term};

/// Creates a kind of game with a rule file.
const fn kind(name: &'static str, file: &'static str, term: fn(&mut Random, i64) -> Term) -> Kind {
    let file = Some(file);
    Kind { name, file, term }
}

/// All rule files, each with a generator of small random positions.
pub(crate) const FILES: &[Kind] = &[
    kind("moves", MOVES, moves),
    kind("moves to sums", SUMS, sums),
    kind("left and right", OWN, own),
    kind("loops", ROUND, loops),
    kind("left, right and loops", OWN_ROUND, partizan_loops),
];

/// The rules of a file, implemented a second time in Rust.
struct File {
    /// The first argument of `game` in the notation of a position: `moves` or `rules`.
    function: &'static str,
    options: fn(i64, usize) -> Vec<Part>,
    is_partizan: bool,
}

impl Rules for File {
    fn options(&self, parts: &[i64], player: usize) -> Options {
        let mut options = Vec::new();
        for (place, &n) in parts.iter().enumerate() {
            for (index, left) in (0..).zip((self.options)(n, player)) {
                let to = [&parts[..place], &left, &parts[place + 1..]].concat();
                options.push((vec![index], to));
            }
        }
        options
    }

    fn write(&self, parts: &[i64], _: Option<usize>) -> String {
        let write = |n: &i64| format!("game({}, {n})", self.function);
        let parts: Vec<String> = parts.iter().map(write).collect();
        if parts.is_empty() {
            return "sum_of([])".to_owned();
        }
        parts.join(" + ")
    }

    fn is_partizan(&self) -> bool {
        self.is_partizan
    }
}

/// Converts each number to an option that consists of this one position.
fn single(numbers: impl IntoIterator<Item = i64>) -> Vec<Part> {
    numbers.into_iter().map(|n| vec![n]).collect()
}

/// A rule file with labelled and unlabelled moves, some of which lead to the same position.
const MOVES: &str = "
def moves(n):
    squares = [n - k * k for k in range(1, n + 1) if k * k <= n]
    return squares + ([('halve', n // 2), n // 2] if n > 1 else [])
";

/// Creates a random position of `MOVES`.
fn moves(random: &mut Random, size: i64) -> Term {
    let options = |n: i64, _| {
        let squares = (1..=n).map(|k| n - k * k).filter(|&left| left >= 0);
        let halves = if n > 1 { vec![n / 2; 2] } else { vec![] };
        single(squares.chain(halves))
    };
    let file = File {
        function: "moves",
        options,
        is_partizan: false,
    };
    Term::new(file, vec![random.between(0, 3 + 5 * size)])
}

/// A rule file whose options are sums: a move takes one or two chips and leaves two heaps, one, or
/// none.
const SUMS: &str = "
def moves(n):
    out = []
    for k in range(1, min(n, 2) + 1):
        for a in range((n - k) // 2 + 1):
            out.append(sum_of([heap for heap in (a, n - k - a) if heap > 0]))
    return out
";

/// Creates a random position of `SUMS`.
fn sums(random: &mut Random, size: i64) -> Term {
    let options = |n: i64, _| {
        let mut found = Vec::new();
        for k in 1..=n.min(2) {
            for a in 0..=(n - k) / 2 {
                let heaps = [a, n - k - a].into_iter();
                found.push(heaps.filter(|&heap| heap > 0).collect());
            }
        }
        found
    };
    let file = File {
        function: "moves",
        options,
        is_partizan: false,
    };
    Term::new(file, vec![random.between(0, 4 + size)])
}

/// A partizan game.
const OWN: &str = "
def left(n):
    return [n - k for k in (1, 3) if k <= n]
def right(n):
    return [n - k for k in (2, 3) if k <= n] + ([('third', n // 3)] if n > 2 else [])
";

/// Creates a random position of `OWN`.
fn own(random: &mut Random, size: i64) -> Term {
    let options = |n: i64, player| {
        let takes = if player == LEFT { [1, 3] } else { [2, 3] };
        let third = (player != LEFT && n > 2).then_some(n / 3);
        let left = takes.map(|k| n - k).into_iter().filter(|&left| left >= 0);
        single(left.chain(third))
    };
    let file = File {
        function: "rules",
        options,
        is_partizan: true,
    };
    Term::new(file, vec![random.between(0, 3 + 3 * size)])
}

/// A game with cycles.
const ROUND: &str = "
def moves(n):
    return [] if n in (0, 4) else [(n + 1) % 9, n * 2 % 9]
";

/// Returns the options of `ROUND`.
fn round(n: i64) -> Vec<Part> {
    match n {
        0 | 4 => Vec::new(),
        n => single([(n + 1) % 9, n * 2 % 9]),
    }
}

/// Creates a random position of `ROUND`.
fn loops(random: &mut Random, _: i64) -> Term {
    let file = File {
        function: "moves",
        options: |n, _| round(n),
        is_partizan: false,
    };
    Term::new(file, vec![random.between(0, 8)])
}

/// A partizan game with cycles.
const OWN_ROUND: &str = "
def left(n):
    return [] if n in (0, 4) else [(n + 1) % 9, n * 2 % 9]
def right(n):
    return [] if n in (0, 5) else [(n + 8) % 9, (n * 4 + 1) % 9]
";

/// Creates a random position of `OWN_ROUND`.
fn partizan_loops(random: &mut Random, _: i64) -> Term {
    let options = |n: i64, player| match n {
        n if player == LEFT => round(n),
        0 | 5 => Vec::new(),
        n => single([(n + 8) % 9, (n * 4 + 1) % 9]),
    };
    let file = File {
        function: "rules",
        options,
        is_partizan: true,
    };
    Term::new(file, vec![random.between(0, 8)])
}
