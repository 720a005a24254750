//! Sets of the numbers of chips that a move may take.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;

use super::divisors::{divisors, gcd, is_prime};
use super::formula::Formula;
use super::given_set::GivenSet;
use grundy_base::limits::{Flow, Limits, Stop, break_on_error, stopped_early};
use grundy_base::nearest::nearest;
use grundy_base::{Diagnostic, Kind, message};

/// The set of numbers of chips that a move may take.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TakeSet {
    /// A finite list: sorted, without duplicates, each number at least 1.
    Finite(Vec<u64>),
    /// One of the named sets.
    Named(NamedSet),
    /// The values of a formula.
    Formula(Formula),
    /// The numbers for which a function from outside is true.
    Given(GivenSet),
    /// All positive integers that are not in the set.
    Except(Box<TakeSet>),
}

/// The sets that have a name in the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedSet {
    /// 1, 4, 9, ...
    Squares,
    /// 1, 8, 27, ...
    Cubes,
    /// 1, 3, 6, ...
    Triangular,
    /// 2, 3, 5, ...
    Primes,
    /// 1 and the primes.
    PrimesAnd1,
    /// 1, 2, 4, ...
    PowersOf2,
    /// 1, 2, 3, 5, ...
    Fibonacci,
    /// 1, 2, 6, ...
    Factorials,
    /// 1, 3, 5, ...
    Odd,
    /// 2, 4, 6, ...
    Even,
    /// The divisors of the size of the heap.
    Divisors,
    /// The divisors of the size of the heap, except the size itself.
    ProperDivisors,
    /// The numbers that are coprime to the size of the heap.
    Coprime,
}

/// The names of the sets in the notation.
pub const NAMES: [(NamedSet, &str); 13] = [
    (NamedSet::Squares, "squares"),
    (NamedSet::Cubes, "cubes"),
    (NamedSet::Triangular, "triangular"),
    (NamedSet::Primes, "primes"),
    (NamedSet::PrimesAnd1, "primes_and_1"),
    (NamedSet::PowersOf2, "powers_of_2"),
    (NamedSet::Fibonacci, "fibonacci"),
    (NamedSet::Factorials, "factorials"),
    (NamedSet::Odd, "odd"),
    (NamedSet::Even, "even"),
    (NamedSet::Divisors, "divisors"),
    (NamedSet::ProperDivisors, "proper_divisors"),
    (NamedSet::Coprime, "coprime"),
];

impl NamedSet {
    /// Parses the name of a named set.
    ///
    /// # Errors
    /// The name is unknown. The diagnostic suggests the most similar known name.
    ///
    /// # Examples
    /// ```
    /// use grundy_heap::NamedSet;
    /// assert_eq!(NamedSet::parse("squares"), Ok(NamedSet::Squares));
    /// let error = NamedSet::parse("sqares").unwrap_err();
    /// assert_eq!(error.help.unwrap(), "did you mean \"squares\"?");
    /// ```
    pub fn parse(name: &str) -> Result<Self, Diagnostic> {
        if let Some((set, _)) = NAMES.iter().find(|(_, known)| *known == name) {
            return Ok(*set);
        }
        let shown: String = name.chars().take(64).collect();
        let names = NAMES.map(|(_, known)| known);
        let help = if let Some(near) = nearest(name, names) {
            message!("did you mean \"{near}\"?", near)
        } else {
            message!("known sets: {names}", names = names.join(", "))
        };
        Err(Diagnostic::new(
            Kind::UnknownName,
            message!("unknown set \"{shown}\"", shown),
        )
        .help(help))
    }
}

impl TakeSet {
    /// Returns the largest number of a finite list, or `None` for any other set.
    ///
    /// ```
    /// use grundy_heap::{NamedSet, TakeSet};
    /// assert_eq!(TakeSet::Finite(vec![1, 3, 4]).largest(), Some(4));
    /// assert_eq!(TakeSet::Named(NamedSet::Squares).largest(), None);
    /// ```
    #[must_use]
    pub fn largest(&self) -> Option<u64> {
        match self {
            Self::Finite(takes) => takes.last().copied(),
            Self::Named(_) | Self::Formula(_) | Self::Given(_) | Self::Except(_) => None,
        }
    }

    /// Returns the numbers of the set that are at most `most`, in ascending order. Returns `None`
    /// if the set depends on the heap.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::{NamedSet, TakeSet};
    /// let limits = Limits::default();
    /// let squares = TakeSet::Named(NamedSet::Squares).up_to(20, &limits)?;
    /// assert_eq!(squares.as_deref(), Some(&[1, 4, 9, 16][..]));
    /// assert_eq!(TakeSet::Named(NamedSet::Divisors).up_to(20, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn up_to(&self, most: u64, limits: &Limits<'_>) -> Result<Option<Cow<'_, [u64]>>, Stop> {
        match self {
            Self::Finite(takes) => {
                let usable = takes.partition_point(|&take| take <= most);
                Ok(Some(Cow::Borrowed(&takes[..usable])))
            }
            _ if self.depends_on_heap() => Ok(None),
            _ => {
                let mut list = Vec::new();
                stopped_early(self.takes(most, &mut |take| {
                    list.push(take);
                    // Sets as dense as the odd numbers fill the memory quickly. So the limits are
                    // polled while the set is listed.
                    if list.len() % 4096 != 0 {
                        return ControlFlow::Continue(());
                    }
                    let room = limits.check(list.len() as u64, 8);
                    break_on_error(room.and_then(|()| limits.poll()))
                }))?;
                Ok(Some(Cow::Owned(list)))
            }
        }
    }

    /// Returns whether the set depends on the heap, such as that of its divisors.
    fn depends_on_heap(&self) -> bool {
        match self {
            Self::Named(set) => matches!(
                set,
                NamedSet::Divisors | NamedSet::ProperDivisors | NamedSet::Coprime
            ),
            // The set inside is no exception itself, so the recursion ends.
            Self::Except(set) => set.depends_on_heap(),
            Self::Finite(_) | Self::Formula(_) | Self::Given(_) => false,
        }
    }

    /// Visits the numbers from 1 to `n` that the set does not contain.
    fn others(&self, n: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
        let mut last = 0;
        self.takes(n, &mut |number| {
            (last + 1..number).try_for_each(&mut *visit)?;
            last = number;
            ControlFlow::Continue(())
        })?;
        (last..n).try_for_each(|before| visit(before + 1))
    }

    /// Returns the greatest common divisor of the numbers of a finite list.
    fn common_divisor(&self) -> u64 {
        let Self::Finite(takes) = self else { return 1 };
        // The start is 0, since gcd(x, 0) = x.
        let mut common = 0;
        for &take in takes {
            common = gcd(take, common);
            if common == 1 {
                break;
            }
        }
        common.max(1)
    }

    /// Returns the set divided by the greatest common divisor d of its numbers, and d. A heap of n
    /// corresponds to a heap of floor(n / d) under the divided set. A move n -> n - d k keeps n mod
    /// d, so it corresponds to the move floor(n / d) -> floor(n / d) - k. Conversely, every move
    /// under the divided set arises in this way. Hence the two game trees are equal, in normal and
    /// in misère play.
    ///
    /// Returns `None` for any other set, if d is 1, or if every number is below `large`. A set of
    /// small numbers is fast enough without division.
    ///
    /// ```
    /// use grundy_heap::TakeSet;
    /// let (set, chips) = TakeSet::Finite(vec![20, 30]).divided(1).unwrap();
    /// assert_eq!((set, chips), (TakeSet::Finite(vec![2, 3]), 10));
    /// ```
    #[must_use]
    pub fn divided(&self, large: u64) -> Option<(Self, u64)> {
        self.largest().filter(|&largest| largest >= large)?;
        let divisor = self.common_divisor();
        let Self::Finite(takes) = self else {
            return None;
        };
        let divided = || Self::Finite(takes.iter().map(|take| take / divisor).collect());
        (divisor > 1).then(|| (divided(), divisor))
    }

    /// Visits the numbers of chips that may be taken from a heap of `n`, in ascending order.
    ///
    /// ```
    /// use grundy_heap::{NamedSet, TakeSet};
    /// use std::ops::ControlFlow;
    /// let mut takes = Vec::new();
    /// let _ = TakeSet::Named(NamedSet::ProperDivisors).takes(12, &mut |take| {
    ///     takes.push(take);
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(takes, [1, 2, 3, 4, 6]);
    /// ```
    pub fn takes(&self, n: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
        let mut from = |next: &dyn Fn(u64) -> Option<u64>| {
            (1..)
                .map_while(next)
                .take_while(|&take| take <= n)
                .try_for_each(&mut *visit)
        };
        let named = match self {
            Self::Finite(takes) => {
                return takes
                    .iter()
                    .copied()
                    .take_while(|&take| take <= n)
                    .try_for_each(visit);
            }
            Self::Named(named) => named,
            Self::Formula(formula) => return formula.up_to(n, visit),
            Self::Given(set) => return set.up_to(n, visit),
            Self::Except(set) => return set.others(n, visit),
        };
        match named {
            NamedSet::Squares => from(&|i| i.checked_pow(2)),
            NamedSet::Cubes => from(&|i| i.checked_pow(3)),
            NamedSet::Triangular => {
                // The product may exceed 64 bits although the triangular number does not.
                from(&|i| u64::try_from(u128::from(i) * (u128::from(i) + 1) / 2).ok())
            }
            NamedSet::PowersOf2 => from(&|i| 1u64.checked_shl(i as u32 - 1)),
            NamedSet::Factorials => from(&|i| (1..=i).try_fold(1u64, u64::checked_mul)),
            NamedSet::Odd => from(&|i| (i - 1).checked_mul(2)?.checked_add(1)),
            NamedSet::Even => from(&|i| i.checked_mul(2)),
            NamedSet::Fibonacci => {
                let (mut a, mut b) = (1u64, 2u64);
                while a <= n {
                    visit(a)?;
                    // If the next Fibonacci number exceeds 64 bits, the saturated sum ends the
                    // list.
                    (a, b) = (b, a.saturating_add(b));
                    if a == u64::MAX {
                        break;
                    }
                }
                ControlFlow::Continue(())
            }
            NamedSet::Primes => (2..=n).filter(|&k| is_prime(k)).try_for_each(visit),
            NamedSet::PrimesAnd1 => (1..=n)
                .filter(|&k| k == 1 || is_prime(k))
                .try_for_each(visit),
            NamedSet::Divisors | NamedSet::ProperDivisors => {
                let proper = *named == NamedSet::ProperDivisors;
                let divisors = divisors(n).into_iter();
                divisors.filter(|&k| !proper || k < n).try_for_each(visit)
            }
            NamedSet::Coprime => (1..=n).filter(|&k| gcd(k, n) == 1).try_for_each(visit),
        }
    }
}

impl fmt::Display for TakeSet {
    /// Formats the set as in the notation: `[1, 3, 4]`, `"squares"`, `"k**k"` or the name of a
    /// function. An exception is formatted as the set that it excludes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(takes) => write!(f, "{takes:?}"),
            Self::Named(set) => {
                let name = NAMES
                    .iter()
                    .find(|(known, _)| known == set)
                    .map_or("", |(_, name)| name);
                write!(f, "\"{name}\"")
            }
            Self::Formula(formula) => write!(f, "\"{formula}\""),
            Self::Given(set) => f.write_str(set.name()),
            Self::Except(set) => set.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_base::limits::Halt;

    #[test]
    fn named_sets_have_their_first_elements() {
        let list = |name: &str, n| {
            let mut list = Vec::new();
            let _ = TakeSet::Named(NamedSet::parse(name).unwrap()).takes(n, &mut |k| {
                list.push(k);
                ControlFlow::Continue(())
            });
            list
        };
        assert_eq!(list("squares", 30), [1, 4, 9, 16, 25]);
        assert_eq!(list("cubes", 30), [1, 8, 27]);
        assert_eq!(list("triangular", 15), [1, 3, 6, 10, 15]);
        assert_eq!(list("primes", 20), [2, 3, 5, 7, 11, 13, 17, 19]);
        assert_eq!(list("primes_and_1", 6), [1, 2, 3, 5]);
        assert_eq!(list("powers_of_2", 20), [1, 2, 4, 8, 16]);
        assert_eq!(list("fibonacci", 20), [1, 2, 3, 5, 8, 13]);
        assert_eq!(list("factorials", 200), [1, 2, 6, 24, 120]);
        assert_eq!(list("odd", 6), [1, 3, 5]);
        assert_eq!(list("even", 6), [2, 4, 6]);
        assert_eq!(list("divisors", 36), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
        assert_eq!(list("proper_divisors", 12), [1, 2, 3, 4, 6]);
        assert_eq!(list("coprime", 10), [1, 3, 7, 9]);
        assert_eq!(list("coprime", 1), [1]);
    }

    #[test]
    fn sets_reach_the_largest_heap() {
        for name in ["squares", "cubes", "powers_of_2", "fibonacci", "factorials"] {
            let set = TakeSet::Named(NamedSet::parse(name).unwrap());
            let mut last = 0;
            let mut count = 0u64;
            let _ = set.takes(u64::MAX, &mut |k| {
                assert!(k > last);
                last = k;
                count += 1;
                if count < 200 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(Halt::Enough)
                }
            });
        }
    }
}
