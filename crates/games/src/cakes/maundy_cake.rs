//! Maundy Cake: `maundy_cake(rows, columns, copies=1)`.
//!
//! Rules. A rectangular cake is marked in rows and columns. Left cuts one piece between columns
//! into two or more equal pieces. Right cuts a piece between rows in the same way. All pieces
//! remain in play, and whoever cannot move loses (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning
//! Ways, 1982, chapter 2). A move may leave up to 2^64 pieces, so equal pieces are stored as one
//! piece with a number of `copies`. The name of a move gives the rows, the columns and the number
//! of the new pieces.
//!
//! Theorem (in the same chapter). Divide the number of columns c by its least prime factor, then
//! the quotient by its least prime factor, and so on. The quotients are the chain c_1, c_2, ...,
//! c_s = 1, which is empty (s = 0) for c = 1. The number of rows r gives the chain r_1, ..., r_t =
//! 1 in the same way. If s >= t, the value of the cake is c_(t+1) + ... + c_s, which is 0 for s =
//! t. Otherwise it is -(r_(s+1) + ... + r_t).
//!
//! Proof, by induction, for s >= t; the other case follows by exchanging the players. Let v =
//! c_(t+1) + ... + c_s. Suppose that Left cuts into k pieces, whose chain of columns has s' < s
//! numbers. The i-th number of that chain times k is at most c_i. Indeed, the product of the i
//! least prime factors of c / k is at least that of the i least prime factors of c. If s' > t, the
//! k pieces together have value at most c_(t+1) + ... + c_s' <= v - 1. If s' <= t and v > 0, they
//! have value at most 0 <= v - 1. If v = 0, they have negative value, since s' < s = t. So the
//! options of Left have values of at most v - 1. If v > 0, Left also has an option of value v - 1:
//! she cuts into k pieces, where k is the largest prime factor of c. Then the chain of c / k is c_1
//! / k, ..., c_(s-1) / k, so the pieces have value v - 1. If Right cuts, the chain of rows has t' <
//! t numbers. Each of the pieces, of which there are at least two, has value at least c_(t'+1) +
//! ... + c_s > v. Hence v is the simplest number between the values of Left's and Right's options.
//! Indeed it is 0 or, if v > 0, the next integer after the value of Left's best option.

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

/// The theorem on the values of cakes.
pub const CHAINS: Theorem = Theorem {
    method: "chains of divisors",
    name: "the values of Maundy Cake",
    statement: "divide both sides by their least prime factors until one of them is 1; continue \
                with the other side until it is 1; the numbers on the way add up to the value, \
                for Left if columns remain and for Right if rows remain",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 2",
};

/// The rules of Maundy Cake. A part is a set of equal pieces.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct MaundyCake;

/// Equal pieces, given by the size of one piece and the number of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// The numbers of rows and columns of each piece.
    sides: [u64; 2],
    copies: u64,
}

/// Maximal number of equal pieces that count as separate components.
const MAX_SEPARATE_PIECES: u64 = 64;

/// Reads `maundy_cake(rows, columns, copies=1)`.
///
/// # Errors
/// Anything but positive numbers, or a value beyond 128 bits.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::maundy_cake};
/// let items = [1, 12].map(|side| (None, Argument::Int(side)));
/// let position = Position::from(maundy_cake::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        let message = message!("the value of these pieces does not fit in 128 bits");
        return Err(Diagnostic::new(Kind::Overflow, message));
    }
    Ok(Term::new(MaundyCake, vec![pieces]).into())
}

/// Visits the divisors of a number in increasing order.
fn divisors(n: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
    TakeSet::Named(NamedSet::Divisors).takes(n, visit)
}

/// Divides `n` by its least prime factor, then the quotient by its least prime factor, and so on,
/// down to 1. Returns the quotients in order.
fn chain(n: u64) -> Vec<u64> {
    let (mut chain, mut rest) = (Vec::new(), n);
    let _ = divisors(n, &mut |divisor| {
        // All smaller primes have been divided out, so only a prime can still divide the rest.
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
        // Each chain sums to less than 2^65. The product with the number of copies is checked.
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
            // Only one piece is cut, and the other copies remain.
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
        // If there are few pieces, each is a separate component. The search can then pair it with
        // an equal or opposite one.
        if pieces.copies > MAX_SEPARATE_PIECES {
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
    fn theorem_application(&self, pieces: &Pieces, play: Play) -> Option<Step> {
        let value = pieces.value().filter(|_| play == Play::Normal)?;
        let full_chain = |n: u64| -> Vec<u64> { std::iter::once(n).chain(chain(n)).collect() };
        let [rows, columns] = pieces.sides.map(full_chain);
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
