//! Subtraction games: `subtraction(take, n, ...)`.
//!
//! Rules. A move takes k chips from one heap, where k is in the set `take` and at most the size of
//! the heap. The set is a list of positive integers, one of the named sets of
//! [`grundy_heap::take_set`], a formula such as `"k**k"`, or a function. The sets `"divisors"`,
//! `"proper_divisors"` and `"coprime"` depend on the heap.
//!
//! Theorem. For a finite set the values are periodic (S. W. Golomb, A mathematical investigation of
//! games of "take-away", J. Combin. Theory 1 (1966), 443-458). The reason is that each value is a
//! function of the preceding max(take) values, which have finitely many combinations. Hence two
//! equal windows of max(take) values in the sequence prove a period.
//!
//! Theorems for infinite sets, proved in `docs/theory.md`. Suppose that a set contains 1, ..., p -
//! 1 and no multiple of p. Then g(n) = n mod p. This covers `"odd"` with p = 2, `"powers_of_2"`
//! with p = 3, and `"primes_and_1"` with p = 4. For `"even"`, g(n) = floor(n/2). Let 2^a be the
//! largest power of 2 that divides n >= 1. Then g(n) is a + 1 for `"divisors"` and a for
//! `"proper_divisors"`. For both, g(0) = 0.
//!
//! For other infinite sets no general theorem is known. Their values are computed heap by heap.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::{Message, message};

use super::heap_game::HeapGame;
use super::nim::reduce;
use crate::argument::{Argument, Arguments, list, number, type_error};
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Heaps, Pictures, Ruleset, Shortcuts, Teaching, Theorem,
    Theorems, Visit,
};
use grundy_heap::{Formula, GivenSet, HeapRules, NamedSet, TakeSet};

/// Maximal number of elements of a set that is given as a list.
const MAX_SET_SIZE: usize = 1_000_000;

/// Reads `subtraction(take, n, ...)`.
///
/// # Errors
/// An invalid set or heap.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::subtraction};
/// // If 1, 2 or 3 chips are taken, the value is the heap size modulo 4.
/// let take = Argument::List([1, 2, 3].map(Argument::Int).to_vec());
/// let items = [(None, take), (None, Argument::Int(21))];
/// let position = Position::from(subtraction::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(1));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let form = message!("write subtraction([1, 3, 4], 100) or subtraction(\"squares\", 100)");
    let set = take_set(first(arguments)?, 0, &form)?;
    let argument = Some(set.to_string());
    let named = match set {
        TakeSet::Named(named) => Some(named),
        _ => None,
    };
    let sizes = heaps(arguments, 1, [&set])?;
    let heaps = HeapGame {
        name: "subtraction",
        argument,
        rules: HeapRules::Subtraction(set),
    };
    let game = Subtraction { heaps, named };
    Ok(Term::new(game, sizes).into())
}

/// The rules of a subtraction game.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Subtraction {
    heaps: HeapGame,
    named: Option<NamedSet>,
}

/// The theorem on the values if 1, ..., p - 1 may be taken, but no multiple of p.
pub const RESIDUES: Theorem = Theorem {
    method: "residues",
    name: "the rule of residues",
    statement: "if 1, ..., p-1 may be taken, but no multiple of p, then g(n) = n mod p",
    source: "by induction, since one of 1, ..., p-1 leads to each smaller residue and nothing leads to the same one",
};

/// The theorem on the values if any even number may be taken.
pub const PAIRS: Theorem = Theorem {
    method: "pairs",
    name: "Nim with pairs of chips",
    statement: "taking an even number of chips from n is Nim with floor(n/2) pairs of chips",
    source: "the odd chip is never taken",
};

/// The theorem on the values if a divisor of the heap is taken.
pub const DIVISORS: Theorem = Theorem {
    method: "divisors",
    name: "the values of the divisor game",
    statement: "g(0) = 0, and g(n) = a + 1 where 2^a is the largest power of 2 that divides n",
    source: "by induction, see docs/theory.md",
};

/// The theorem on the values if a proper divisor of the heap is taken.
pub const PROPER_DIVISORS: Theorem = Theorem {
    method: "proper_divisors",
    name: "the values of the aliquot game",
    statement: "g(n) = a where 2^a is the largest power of 2 that divides n, and g(0) = 0",
    source: "by induction, see docs/theory.md",
};

impl Subtraction {
    /// Returns the modulus p if g(n) = n mod p holds by the theorem [`RESIDUES`].
    fn modulus(&self) -> Option<u64> {
        match self.named? {
            NamedSet::Odd => Some(2),
            NamedSet::PowersOf2 => Some(3),
            NamedSet::PrimesAnd1 => Some(4),
            _ => None,
        }
    }
}

impl Ruleset for Subtraction {
    type Part = u64;

    fn name(&self) -> &'static str {
        self.heaps.name
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, u64> {
        Capabilities {
            theorems: Some(self),
            heaps: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, player: Player, index: usize, heap: &u64, visit: Visit<'_, u64>) -> Flow {
        self.heaps.options(player, index, heap, visit)
    }

    fn write(&self, parts: &[u64]) -> String {
        self.heaps.write(parts)
    }
}

impl Theorems<u64> for Subtraction {
    fn grundy(&self, &heap: &u64) -> Option<ByTheorem<u64>> {
        let twos = u64::from(heap.trailing_zeros());
        let (value, theorem) = match (self.named?, self.modulus()) {
            (_, Some(p)) => (heap % p, &RESIDUES),
            (NamedSet::Even, _) => (heap / 2, &PAIRS),
            (NamedSet::Divisors, _) => (if heap == 0 { 0 } else { twos + 1 }, &DIVISORS),
            (NamedSet::ProperDivisors, _) => (if heap == 0 { 0 } else { twos }, &PROPER_DIVISORS),
            _ => return None,
        };
        Some(ByTheorem { value, theorem })
    }
}

impl Heaps<u64> for Subtraction {
    fn heap(&self, heap: &u64) -> (&HeapRules, u64) {
        self.heaps.heap(heap)
    }

    fn move_to_heaps(&self, index: usize, heap: &u64, left: &[u64]) -> Option<(Vec<u64>, Move)> {
        self.heaps.move_to_heaps(index, heap, left)
    }
}

impl Shortcuts<u64> for Subtraction {
    fn options_to(
        &self,
        index: usize,
        &heap: &u64,
        goal: Goal,
        visit: Visit<'_, u64>,
    ) -> Option<Flow> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        let mut only = |left: Option<u64>| {
            let left = left.filter(|&left| left < heap);
            left.map_or(ControlFlow::Continue(()), |left| {
                visit(&[left], &|| reduce(index, heap, left))
            })
        };
        let p = match (self.named?, self.modulus()) {
            (_, Some(p)) => p,
            // Exactly one heap has this value and the same parity as `heap`.
            (NamedSet::Even, _) => return Some(only(value.checked_mul(2).map(|v| v + heap % 2))),
            _ => return None,
        };
        // The residue modulo p of the numbers whose removal gives the value. `min` only prevents an
        // underflow: values of p or more are rejected below.
        let take = (heap % p + p - value.min(p)) % p;
        Some(if value >= p || take == 0 {
            ControlFlow::Continue(())
        } else if self.named == Some(NamedSet::PrimesAnd1) && take == 2 {
            // 2 is the only member of the set that is congruent to 2 modulo 4. This avoids the
            // enumeration of all primes below the heap.
            only(heap.checked_sub(2))
        } else {
            self.heaps
                .options(Player::Left, index, &heap, &mut |left, name| match left {
                    [size] if size % p == value => visit(left, name),
                    _ => ControlFlow::Continue(()),
                })
        })
    }
}

impl Teaching<u64> for Subtraction {
    fn theorem_application(&self, &heap: &u64, play: Play) -> Option<Step> {
        let value = self.grundy(&heap)?.value;
        let step = match (self.named?, self.modulus()) {
            _ if play == Play::Misere || heap == 0 => return None,
            (_, Some(p)) => Step::new("residue_rule")
                .with("p", p)
                .with("quotient", heap / p),
            (NamedSet::Even, _) => Step::new("pairs_rule").with("rest", heap % 2),
            (NamedSet::Divisors, _) => Step::new("divisors_rule")
                .with("twos", heap.trailing_zeros() as usize)
                .with("odd", heap >> heap.trailing_zeros()),
            _ => Step::new("proper_divisors_rule")
                .with("twos", heap.trailing_zeros() as usize)
                .with("odd", heap >> heap.trailing_zeros()),
        };
        Some(step.with("size", heap).with("value", value))
    }
}

impl Pictures<u64> for Subtraction {
    fn picture(&self, parts: &[u64]) -> Picture {
        self.heaps.picture(parts)
    }
}

/// Reads the argument with the index `index` as a set, which contains the numbers of chips that a
/// move may take.
///
/// `form` is the help text for an argument of a wrong type.
pub(crate) fn take_set(
    value: &Argument,
    index: usize,
    form: &Message,
) -> Result<TakeSet, Diagnostic> {
    match value {
        Argument::Text(text) if Formula::is_formula(text) => {
            let formula = Formula::parse(text).map_err(|refusal| refusal.at([index]))?;
            Ok(TakeSet::Formula(formula))
        }
        Argument::Set(set) => Ok(TakeSet::Given(set.clone())),
        Argument::Text(name) => {
            let named = NamedSet::parse(name).map_err(|refusal| refusal.at([index]))?;
            Ok(TakeSet::Named(named))
        }
        Argument::List(_) => {
            let help = message!("omit 0: a move takes at least one chip");
            let takes = positive_set(value, index, help)?;
            if takes.is_empty() {
                return Err(Diagnostic::illegal(message!("the set is empty"))
                    .at([index])
                    .help(message!(
                        "specify at least one number of chips that a move may take"
                    )));
            }
            Ok(TakeSet::Finite(takes))
        }
        other => Err(type_error(
            &message!("a list of positive integers or the name of a set"),
            other,
            &[index],
        )
        .help(form.clone())),
    }
}

/// Reads the arguments from the index `from` as the sizes of heaps, from which the numbers in
/// `sets` may be taken.
pub(crate) fn heaps<const N: usize>(
    arguments: &Arguments<'_>,
    from: usize,
    sets: [&TakeSet; N],
) -> Result<Vec<u64>, Diagnostic> {
    let sizes = arguments.numbers(from, 0)?;
    let is_given = sets.iter().any(|set| matches!(set, TakeSet::Given(_)));
    let large = sizes.iter().position(|&size| size > GivenSet::MAX_HEAP);
    if let (true, Some(at)) = (is_given, large) {
        let message = message!(
            "the set is a function, so a heap may have at most {most} chips",
            most = GivenSet::MAX_HEAP
        );
        return Err(Diagnostic::new(Kind::Range, message)
            .at([from + at])
            .help(message!(
                "for larger heaps, write the set as a list or a formula"
            )));
    }
    Ok(sizes)
}

/// Returns the first argument, which is required. Arguments with names are rejected.
pub(crate) fn first<'a>(arguments: &Arguments<'a>) -> Result<&'a Argument, Diagnostic> {
    argument(arguments, 0)
}

/// Returns the argument with the index `index`, which is required. Arguments with names are
/// rejected.
pub(crate) fn argument<'a>(
    arguments: &Arguments<'a>,
    index: usize,
) -> Result<&'a Argument, Diagnostic> {
    let all = arguments.positional()?;
    all.get(index)
        .map(|(_, value)| *value)
        .ok_or_else(|| Diagnostic::new(Kind::Type, message!("missing arguments")))
}

/// Reads the argument with the index `index` as a list of positive integers. Returns them in
/// increasing order, without repetitions. `zero_help` is the help text for a 0.
pub(crate) fn positive_set(
    value: &Argument,
    index: usize,
    zero_help: Message,
) -> Result<Vec<u64>, Diagnostic> {
    let items = list(value, &[index])?;
    if items.len() > MAX_SET_SIZE {
        return Err(Diagnostic::new(
            Kind::Range,
            message!(
                "the set has more than {takes} numbers",
                takes = MAX_SET_SIZE
            ),
        )
        .at([index]));
    }
    // The list denotes a set, so order and repetitions must not distinguish two games.
    let mut numbers = Vec::with_capacity(items.len());
    for (path, item) in items {
        if *item == Argument::Int(0) {
            return Err(Diagnostic::new(Kind::Range, message!("0 is not a move"))
                .at(path)
                .help(zero_help));
        }
        numbers.push(number(item, &path, 1, u64::MAX)?);
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}
