//! Rule files of every kind that can stand in a sum. A part is the positions that the game has
//! fallen into.

use crate::sums::kinds::Kind;
use crate::sums::random::Random;
use crate::sums::rules::{LEFT, Options, Part, Rules, Term};

const fn kind(name: &'static str, file: &'static str, term: fn(&mut Random, i64) -> Term) -> Kind {
    let file = Some(file);
    Kind { name, file, term }
}

/// All rule files, each with small positions chosen by chance.
pub(crate) const FILES: &[Kind] = &[
    kind("moves", MOVES, moves),
    kind("moves to sums", SUMS, sums),
    kind("left and right", OWN, own),
    kind("loops", ROUND, loops),
    kind("left, right and loops", OWN_ROUND, own_loops),
];

/// A rule file and the same rules again.
struct File {
    /// `moves` or `rules`.
    function: &'static str,
    options: fn(i64, usize) -> Vec<Part>,
    own_moves: bool,
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

    fn own_moves(&self) -> bool {
        self.own_moves
    }
}

/// Returns each number is a position of its own.
fn single(numbers: impl IntoIterator<Item = i64>) -> Vec<Part> {
    numbers.into_iter().map(|n| vec![n]).collect()
}

/// Moves with and without labels, some of them equal.
const MOVES: &str = "
def moves(n):
    squares = [n - k * k for k in range(1, n + 1) if k * k <= n]
    return squares + ([('halve', n // 2), n // 2] if n > 1 else [])
";

fn moves(random: &mut Random, size: i64) -> Term {
    let options = |n: i64, _| {
        let squares = (1..=n).map(|k| n - k * k).filter(|&left| left >= 0);
        let halves = if n > 1 { vec![n / 2; 2] } else { vec![] };
        single(squares.chain(halves))
    };
    let file = File {
        function: "moves",
        options,
        own_moves: false,
    };
    Term::new(file, vec![random.between(0, 3 + 5 * size)])
}

/// Options that fall apart: one or two chips, and what is left in two heaps, or one, or none.
const SUMS: &str = "
def moves(n):
    out = []
    for k in range(1, min(n, 2) + 1):
        for a in range((n - k) // 2 + 1):
            out.append(sum_of([heap for heap in (a, n - k - a) if heap > 0]))
    return out
";

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
        own_moves: false,
    };
    Term::new(file, vec![random.between(0, 4 + size)])
}

/// Moves of Left and of Right.
const OWN: &str = "
def left(n):
    return [n - k for k in (1, 3) if k <= n]
def right(n):
    return [n - k for k in (2, 3) if k <= n] + ([('third', n // 3)] if n > 2 else [])
";

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
        own_moves: true,
    };
    Term::new(file, vec![random.between(0, 3 + 3 * size)])
}

/// Positions that come back.
const ROUND: &str = "
def moves(n):
    return [] if n in (0, 4) else [(n + 1) % 9, n * 2 % 9]
";

fn round(n: i64) -> Vec<Part> {
    match n {
        0 | 4 => Vec::new(),
        n => single([(n + 1) % 9, n * 2 % 9]),
    }
}

fn loops(random: &mut Random, _: i64) -> Term {
    let file = File {
        function: "moves",
        options: |n, _| round(n),
        own_moves: false,
    };
    Term::new(file, vec![random.between(0, 8)])
}

/// Positions that come back, with moves of Left and of Right.
const OWN_ROUND: &str = "
def left(n):
    return [] if n in (0, 4) else [(n + 1) % 9, n * 2 % 9]
def right(n):
    return [] if n in (0, 5) else [(n + 8) % 9, (n * 4 + 1) % 9]
";

fn own_loops(random: &mut Random, _: i64) -> Term {
    let options = |n: i64, player| match n {
        n if player == LEFT => round(n),
        0 | 5 => Vec::new(),
        n => single([(n + 8) % 9, (n * 4 + 1) % 9]),
    };
    let file = File {
        function: "rules",
        options,
        own_moves: true,
    };
    Term::new(file, vec![random.between(0, 8)])
}
