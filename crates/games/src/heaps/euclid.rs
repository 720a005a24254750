//! Euclid's game: `euclid(a, b)`.
//!
//! Rules. A position is a pair of positive numbers. A move subtracts a positive multiple of the
//! smaller number from the larger one, so that the result is not negative. The game ends when one
//! number is 0, and whoever made it 0 wins. A pair with one 0 is accepted as the end of a game.
//!
//! Theorem. Let b = q a + r with r < a <= b. Let h = g(r, a), where the value of a pair that
//! contains a 0 is 0. The options of (a, b) are (a, r), (a, r + a), ..., (a, r + (q - 1) a). The
//! first option has value h. The options of each later pair in this list are exactly the pairs
//! before it. Hence the values along the list are h, followed by 0, 1, 2, ... without h. It follows
//! that g(a, b) is q if q > h, and q - 1 otherwise. (For the outcomes see A. J. Cole and A. J. T.
//! Davie, A game based on the Euclidean algorithm, Math. Gaz. 53 (1969), 354-357. The formula
//! floor(|a/b - b/a|) of G. Nivasch, Discrete Math. 306 (2006), 2798-2800, is for the variant that
//! ends at a = b.)
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Arguments, number};
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};

/// The theorem on the values of Euclid's game.
pub const EUCLID: Theorem = Theorem {
    method: "euclid",
    name: "the theorem of Euclid's game",
    statement: "if b = q a + r and the value of (r, a) is h, then the value of (a, b) is q - 1 \
                if q - 1 < h, and q otherwise",
    source: "after A. J. Cole and A. J. T. Davie, A game based on the Euclidean algorithm, Mathematical Gazette 53 (1969), 354-357",
};

/// The rules of Euclid's game.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Euclid;

/// Reads `euclid(a, b)`.
///
/// # Errors
/// Arguments that are not numbers, or two zeros.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::euclid};
/// let items = [25, 7].map(|n| (None, Argument::Int(n)));
/// let position = Position::from(euclid::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((a_at, a)), Some((b_at, b))] = arguments.bind(["a", "b"], 2)? else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let pair = (
        number(a, &[a_at], 0, u64::MAX)?,
        number(b, &[b_at], 0, u64::MAX)?,
    );
    if pair == (0, 0) {
        return Err(
            Diagnostic::illegal(message!("at least one number must be positive"))
                .help(message!("Euclid's game starts from positive numbers")),
        );
    }
    Ok(Term::new(Euclid, vec![pair]).into())
}

/// Returns the quotients of the Euclidean algorithm, in order.
fn quotients((a, b): (u64, u64)) -> Vec<u64> {
    let (mut small, mut large) = (a.min(b), a.max(b));
    let mut quotients = Vec::new();
    while small > 0 {
        quotients.push(large / small);
        (small, large) = (large % small, small);
    }
    quotients
}

/// Returns the value of a pair. `q` is the quotient of its numbers, and `h` is the value of the
/// pair of the remainder and the smaller number.
fn with_quotient(h: u64, q: u64) -> u64 {
    // `q` is at least 1, since it is the quotient of the larger number by the smaller.
    if q - 1 < h { q - 1 } else { q }
}

/// Returns the value of a pair, computed from the last quotient of the Euclidean algorithm to the
/// first.
fn value(pair: (u64, u64)) -> u64 {
    let quotients = quotients(pair).into_iter().rev();
    quotients.fold(0, with_quotient)
}

fn subtract((a, b): (u64, u64), multiple: u64, visit: Visit<'_, (u64, u64)>) -> Flow {
    // The order of the two numbers is kept, so that a player recognizes the pair.
    let number = a.min(b);
    let left = if a <= b {
        (a, b - multiple * a)
    } else {
        (a - multiple * b, b)
    };
    visit(&[left], &|| {
        Move::new(
            [multiple],
            Step::new("subtract")
                .with("multiple", multiple)
                .with("number", number),
        )
    })
}

impl Ruleset for Euclid {
    type Part = (u64, u64);

    fn name(&self) -> &'static str {
        "euclid"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, (u64, u64)> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(
        &self,
        _: Player,
        _: usize,
        &pair: &(u64, u64),
        visit: Visit<'_, (u64, u64)>,
    ) -> Flow {
        let (small, large) = (pair.0.min(pair.1), pair.0.max(pair.1));
        let most = large.checked_div(small).unwrap_or(0);
        (1..=most).try_for_each(|multiple| subtract(pair, multiple, visit))
    }

    fn write(&self, parts: &[(u64, u64)]) -> String {
        call("euclid", parts.iter().flat_map(|&(a, b)| [a, b]))
    }
}

impl Theorems<(u64, u64)> for Euclid {
    fn grundy(&self, &pair: &(u64, u64)) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: value(pair),
            theorem: &EUCLID,
        })
    }
}

impl Shortcuts<(u64, u64)> for Euclid {
    fn options_to(
        &self,
        _: usize,
        &pair: &(u64, u64),
        goal: Goal,
        visit: Visit<'_, (u64, u64)>,
    ) -> Option<Flow> {
        let Goal::Grundy(wanted) = goal else {
            return None;
        };
        let (small, large) = (pair.0.min(pair.1), pair.0.max(pair.1));
        let Some(q) = large.checked_div(small) else {
            return Some(ControlFlow::Continue(()));
        };
        let h = value((large % small, small));
        // The number of multiples of the smaller number that remain after the winning move, in
        // addition to the remainder. The pair without multiples has value h. The next ones have 0,
        // 1, 2, ... without h.
        let remaining = match wanted.cmp(&h) {
            Ordering::Equal => 0,
            Ordering::Less => wanted + 1,
            Ordering::Greater => wanted,
        };
        Some(if remaining < q {
            subtract(pair, q - remaining, visit)
        } else {
            ControlFlow::Continue(())
        })
    }
}

impl Teaching<(u64, u64)> for Euclid {
    fn theorem_application(&self, &(a, b): &(u64, u64), play: Play) -> Option<Step> {
        let quotients = quotients((a, b));
        if play == Play::Misere || quotients.is_empty() {
            return None;
        }
        let mut values: Vec<u64> = quotients
            .iter()
            .rev()
            .scan(0, |h, &q| {
                *h = with_quotient(*h, q);
                Some(*h)
            })
            .collect();
        values.reverse();
        let value = values[0];
        let step = Step::new("quotients").with("quotients", quotients);
        Some(step.with("values", values).with("value", value))
    }
}

impl Pictures<(u64, u64)> for Euclid {
    fn picture(&self, parts: &[(u64, u64)]) -> Picture {
        match *parts {
            [(a, b)] => Picture::Rectangle(a, b),
            _ => Picture::Text(self.write(parts)),
        }
    }
}
