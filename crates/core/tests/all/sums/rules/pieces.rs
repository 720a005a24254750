//! Games on two or three numbers, and Chomp: pieces on the quarter board, Wythoff, Euclid and the
//! calendar game.

use super::super::random::Random;
use super::{Options, Rules, Term, call};

/// A chess piece that moves towards the corner.
struct Piece {
    name: &'static str,
    /// The directions of its moves.
    steps: &'static [(i64, i64)],
    /// `true` if it may move any number of steps in a direction.
    far: bool,
}

impl Rules for Piece {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let [x, y] = part[..] else { unreachable!() };
        let mut options = Vec::new();
        for &(dx, dy) in self.steps {
            let most = if self.far { x.max(y) } else { 1 };
            for length in 1..=most {
                let to = vec![x + length * dx, y + length * dy];
                if to[0] >= 0 && to[1] >= 0 {
                    options.push((to.clone(), to));
                }
            }
        }
        options
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        call(self.name, part)
    }
}

const LINES: &[(i64, i64)] = &[(-1, 0), (0, -1)];
const ALL: &[(i64, i64)] = &[(-1, 0), (0, -1), (-1, -1)];
const JUMPS: &[(i64, i64)] = &[(-2, 1), (-2, -1), (1, -2), (-1, -2)];

fn piece(
    random: &mut Random,
    size: i64,
    name: &'static str,
    steps: &'static [(i64, i64)],
    far: bool,
) -> Term {
    let most = 2 + 2 * size;
    let start = vec![random.between(0, most), random.between(0, most)];
    Term::new(Piece { name, steps, far }, start)
}

pub(crate) fn rook(random: &mut Random, size: i64) -> Term {
    piece(random, size, "rook", LINES, true)
}

pub(crate) fn queen(random: &mut Random, size: i64) -> Term {
    piece(random, size, "queen", ALL, true)
}

pub(crate) fn king(random: &mut Random, size: i64) -> Term {
    piece(random, size, "king", ALL, false)
}

pub(crate) fn knight(random: &mut Random, size: i64) -> Term {
    piece(random, size, "knight", JUMPS, false)
}

/// Returns a random position of Wythoff's game. A move takes chips from one heap, or the same
/// number from both, so the moves are those of the queen.
pub(crate) fn wythoff(random: &mut Random, size: i64) -> Term {
    piece(random, size, "wythoff", ALL, true)
}

struct Euclid;

impl Rules for Euclid {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let [a, b] = part[..] else { unreachable!() };
        if a.min(b) == 0 {
            return Vec::new();
        }
        // A multiple of the smaller number is subtracted from the larger one.
        let subtract = |k: i64| {
            if a <= b {
                [a, b - k * a]
            } else {
                [a - k * b, b]
            }
        };
        (1..=a.max(b) / a.min(b))
            .map(|k| (vec![k], subtract(k).to_vec()))
            .collect()
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        call("euclid", part)
    }
}

pub(crate) fn euclid(random: &mut Random, size: i64) -> Term {
    let most = 3 + 6 * size;
    let start = vec![random.between(1, most), random.between(1, most)];
    Term::new(Euclid, start)
}

struct Calendar;

fn days(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Rules for Calendar {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let [year, month, day] = part[..] else {
            unreachable!()
        };
        let (next_year, next_month) = if month == 12 {
            (year + 1, 1)
        } else {
            (year, month + 1)
        };
        let tomorrow = if day == days(year, month) {
            [next_year, next_month, 1]
        } else {
            [year, month, day + 1]
        };
        let mut dates = vec![tomorrow];
        if day <= days(next_year, next_month) {
            dates.push([next_year, next_month, day]);
        }
        // The player who reaches 2001-11-04 wins, so no date after it is legal.
        dates.retain(|&date| date <= [2001, 11, 4]);
        let options = dates.into_iter();
        options.map(|to| (to.to_vec(), to.to_vec())).collect()
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        call("calendar", part)
    }
}

pub(crate) fn calendar(random: &mut Random, size: i64) -> Term {
    // Count back from the last day, so that the game stays short.
    let (mut month, mut day) = (11, 4);
    for _ in 0..random.between(0, 5 + 20 * size) {
        day -= 1;
        if day == 0 {
            month -= 1;
            day = days(2001, month);
        }
    }
    Term::new(Calendar, vec![2001, month, day])
}

/// Chomp. A position lists the lengths of the rows.
struct Chomp;

impl Rules for Chomp {
    fn options(&self, rows: &[i64], _: usize) -> Options {
        let mut options = Vec::new();
        for (row, &length) in rows.iter().enumerate() {
            for column in (0..length).filter(|&column| (row, column) != (0, 0)) {
                let bite = |(r, &n): (usize, &i64)| if r >= row { n.min(column) } else { n };
                let to = rows.iter().enumerate().map(bite).filter(|&n| n > 0);
                options.push((vec![row as i64, column], to.collect()));
            }
        }
        options
    }

    fn write(&self, rows: &[i64], _: Option<usize>) -> String {
        call("chomp", rows)
    }
}

pub(crate) fn chomp(random: &mut Random, size: i64) -> Term {
    let mut rows = random.numbers(1, 1 + size, 1, 2 + size / 2);
    rows.sort_unstable_by(|a, b| b.cmp(a));
    Term::new(Chomp, rows)
}
