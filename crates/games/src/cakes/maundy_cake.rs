//! Maundy Cake: `maundy_cake(rows, columns, copies=1)`.
//!
//! Rules. A rectangular cake is marked in rows and columns. Left cuts one piece between columns
//! into any number of equal pieces, two or more, Right between rows likewise; the pieces stay.
//! Whoever cannot move loses (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter
//! 2). A move may leave 2^64 pieces, so equal pieces are written and kept as one with their number,
//! `copies`. It is named by the rows, the columns and the number of the pieces that it leaves.
//!
//! Theorem (there). Divide the number of columns c by its least prime factor, what is left by its
//! own, and so on: this gives the chain c_1, c_2, ..., c_s = 1; the number of rows r gives r_1,
//! ..., r_t = 1 likewise. If s >= t the cake is worth c_(t+1) + ... + c_s, which is 0 for s = t,
//! and else -(r_(s+1) + ... + r_t). Proof, by induction, for s >= t; the other case is its image.
//! Let v be the sum. If Left cuts into k pieces, they have s' < s columns in their chain, and its
//! i-th number times k is at most c_i, for the i least prime factors of c / k have at least the
//! product that those of c have. So the k pieces are worth at most c_(t+1) + ... + c_s' <= v - 1 if
//! s' > t; and at most 0, which is at most v - 1, if s' <= t and v > 0; if v = 0 they are worth
//! less than 0, for s' < s = t. With k the largest prime factor of c, for v > 0, the numbers of the
//! chain of c / k are c_1 / k, ..., c_(s-1) / k, so that the pieces are worth v - 1. If Right cuts,
//! the chains of rows have t' < t numbers, the pieces are worth at least c_(t'+1) + ... + c_s > v
//! each, and there are two or more. So v is the simplest number between: 0 where it is 0, and else
//! the next whole one after Left's best.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Arguments, number};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Nature, Negation, Ruleset, Teaching, TextStyle, Theorem, Theorems,
    Visit, call,
};
use grundy_heap::{NamedSet, TakeSet};

/// The values of cakes.
pub const CHAINS: Theorem = Theorem {
    method: "chains of divisors",
    name: "the values of Maundy Cake",
    statement: "divide both sides by their least prime factors until one of them is 1; then divide the other one on until it is 1, and \
                the numbers on the way add up to the value, for Left where there are columns left, for Right where there are rows",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 2",
};

/// The rules of Maundy Cake; a part is some equal pieces.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct MaundyCake;

/// Equal pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// The rows and the columns of each.
    sides: [u64; 2],
    copies: u64,
}

/// More equal pieces than these are one component.
const APART: u64 = 64;

/// Reads `maundy_cake(rows, columns, copies=1)`.
///
/// # Errors
/// Anything but numbers from 1 on, or so many pieces that their value is beyond 128 bits.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((first, rows)), Some((second, columns)), copies] =
        arguments.bind(["rows", "columns", "copies"], 2)?
    else {
        unreachable!("bind has seen to it that both are there");
    };
    let sides = [
        number(rows, &[first], 1, u64::MAX)?,
        number(columns, &[second], 1, u64::MAX)?,
    ];
    let copies = copies.map_or(Ok(1), |(third, copies)| {
        number(copies, &[third], 1, u64::MAX)
    })?;
    let pieces = Pieces { sides, copies };
    if pieces.value().is_none() {
        let message = message!("the value of so many pieces is beyond 128 bits");
        return Err(Diagnostic::new(Kind::Overflow, message));
    }
    Ok(Term::new(MaundyCake, vec![pieces]).into())
}

/// Visits the divisors of a number, from 1 on.
fn divisors(n: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
    TakeSet::Named(NamedSet::Divisors).takes(n, visit)
}

/// What is left of a number when it is divided by its least prime factor again and again.
fn chain(n: u64) -> Vec<u64> {
    let (mut chain, mut rest) = (Vec::new(), n);
    let _ = divisors(n, &mut |divisor| {
        // Smaller primes are gone: only a prime still divides.
        while divisor > 1 && rest % divisor == 0 {
            rest /= divisor;
            chain.push(rest);
        }
        ControlFlow::Continue(())
    });
    chain
}

impl Pieces {
    fn value(self) -> Option<i128> {
        let [rows, columns] = self.sides.map(chain);
        let rest = |chain: &[u64], from: usize| -> i128 {
            chain.iter().skip(from).map(|&n| i128::from(n)).sum()
        };
        let each = rest(&columns, rows.len()) - rest(&rows, columns.len());
        each.checked_mul(self.copies.into())
    }
}

impl Ruleset for MaundyCake {
    type Part = Pieces;

    fn name(&self) -> &'static str {
        "maundy_cake"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Pieces> {
        Capabilities {
            theorems: Some(self),
            negation: Some(self),
            teaching: Some(self),
            text: TextStyle {
                sum: true,
                ..TextStyle::default()
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Pieces) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, pieces: &Pieces, visit: Visit<'_, Pieces>) -> Flow {
        let axis = player.of([1, 0]);
        let Pieces { sides, copies } = *pieces;
        divisors(sides[axis], &mut |count| {
            if count == 1 {
                return ControlFlow::Continue(());
            }
            let mut cut = Pieces {
                sides,
                copies: count,
            };
            cut.sides[axis] /= count;
            let others = Pieces {
                sides,
                copies: copies - 1,
            };
            let left = [others, cut];
            let first = usize::from(copies == 1);
            visit(&left[first..], &|| {
                let [rows, columns] = cut.sides;
                let action = Step::new("cut_equally")
                    .with("count", count)
                    .with("rows", rows)
                    .with("columns", columns);
                Move::new([rows, columns, count], action)
            })
        })
    }

    fn components(&self, pieces: &Pieces, visit: &mut dyn FnMut(Pieces)) {
        if pieces.sides == [1, 1] {
            return;
        }
        if pieces.copies > APART {
            return visit(*pieces);
        }
        for _ in 0..pieces.copies {
            visit(Pieces {
                copies: 1,
                ..*pieces
            });
        }
    }

    fn write(&self, parts: &[Pieces]) -> String {
        if parts.is_empty() {
            return "sum_of([])".to_owned();
        }
        let parts = parts.iter().map(|pieces| {
            let [rows, columns] = pieces.sides;
            let copies = (pieces.copies > 1).then_some(pieces.copies);
            call("maundy_cake", [rows, columns].into_iter().chain(copies))
        });
        parts.collect::<Vec<_>>().join(" + ")
    }
}

impl Theorems<Pieces> for MaundyCake {
    fn number(&self, pieces: &Pieces) -> Option<ByTheorem<Dyadic>> {
        Some(ByTheorem {
            value: Dyadic::new(pieces.value()?, 0),
            theorem: &CHAINS,
        })
    }
}

impl Negation<Pieces> for MaundyCake {
    fn negative(&self, pieces: &Pieces) -> Option<Pieces> {
        let [rows, columns] = pieces.sides;
        Some(Pieces {
            sides: [columns, rows],
            ..*pieces
        })
    }
}

impl Teaching<Pieces> for MaundyCake {
    fn reckon(&self, pieces: &Pieces, play: Play) -> Option<Step> {
        let value = pieces.value().filter(|_| play == Play::Normal)?;
        let way = |n: u64| -> Vec<u64> { std::iter::once(n).chain(chain(n)).collect() };
        let [rows, columns] = pieces.sides.map(way);
        let common = rows.len().min(columns.len());
        let pairs = rows.iter().zip(&columns);
        let pairs: Vec<String> = pairs.map(|(r, c)| format!("{r} × {c}")).collect();
        let code = match rows.len().cmp(&columns.len()) {
            Ordering::Less => "maundy_of_left",
            Ordering::Equal => "maundy_of_nobody",
            Ordering::Greater => "maundy_of_right",
        };
        let rest = if rows.len() > common { rows } else { columns };
        let rest = rest[common..].to_vec();
        let step = Step::new(code).with("pairs", pairs).with("rest", rest);
        let step = step.with("copies", pieces.copies);
        Some(step.with("moves", value.unsigned_abs().to_string()))
    }
}
