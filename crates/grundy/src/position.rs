//! Positions: sums of games.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::Sum;
use std::ops::Mul;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use grundy_base::{Diagnostic, message};
use grundy_core::position::AnyTerm;
use grundy_core::{Game, PartizanGame};

use crate::Error;
use crate::operators::{assignment, negation, operator};

/// A position: a disjunctive sum of games. The player to move picks one game and moves in it.
///
/// Positions come from the functions in [`games`](crate::games), from text (`"nim(3, 4)".parse()`),
/// or from a user-defined game ([`Position::of`], [`Position::of_partizan`]). They are added and
/// subtracted with the usual operators, by value and by reference.
///
/// The operators never panic. Some sums do not exist, for example a sum with a game that is decided
/// by a payoff. The first question about such a sum returns the error; [`Position::validate`]
/// returns it at once.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let sum = games::nim([3, 4]) + games::kayles([7]);
/// assert_eq!(sum.to_string(), "nim(3, 4) + kayles(7)");
/// assert_eq!("nim(3, 4) + kayles(7)".parse::<Position>()?, sum);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Position {
    pub(crate) sum: grundy_core::Position,
    /// The reason why this is not a position.
    invalid: Option<Arc<Diagnostic>>,
}

/// Largest number of terms of a sum.
const MAX_TERMS: u64 = 1_000_000;

impl Position {
    /// Returns the empty sum, in which no player has a move.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Position::zero().solve()?.outcome(), Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn zero() -> Self {
        Self::default()
    }

    /// Returns a position of a user-defined impartial game.
    ///
    /// If the type `G` has no fields, all its values are the same game, and a solver shares results
    /// between their positions. If it has fields, every call creates a separate game. To create
    /// several positions of one game, use [`Position::of_shared`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    ///
    /// /// Take 1, 3 or 4 chips.
    /// struct Take;
    ///
    /// impl Game for Take {
    ///     type Position = u32;
    ///
    ///     fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
    ///         [1, 3, 4].into_iter().filter_map(move |k| n.checked_sub(k))
    ///     }
    /// }
    ///
    /// let sum = Position::of(Take, 6) + games::nim([3]);
    /// assert_eq!(sum.solve()?.grundy(), Some(1));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn of<G: Game>(game: G, position: G::Position) -> Self {
        grundy_core::Position::of(game, position).into()
    }

    /// Returns a position of a user-defined impartial game. Positions with the same `Arc` belong to
    /// the same game.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use grundy::prelude::*;
    ///
    /// /// Take one of the given numbers of chips.
    /// struct Take(Vec<u32>);
    ///
    /// impl Game for Take {
    ///     type Position = u32;
    ///
    ///     fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
    ///         self.0.iter().filter_map(move |k| n.checked_sub(*k)).collect::<Vec<_>>()
    ///     }
    /// }
    ///
    /// let game = Arc::new(Take(vec![2, 5]));
    /// assert_eq!(Position::of_shared(&game, 7), Position::of_shared(&game, 7));
    /// ```
    #[must_use]
    pub fn of_shared<G: Game>(game: &Arc<G>, position: G::Position) -> Self {
        grundy_core::Position::of_shared(game, position).into()
    }

    /// Returns a position of a user-defined partizan game. As in [`Position::of`], every call
    /// creates a separate game if the type `G` has fields.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    ///
    /// /// Left takes one chip, Right takes two.
    /// struct OneTwo;
    ///
    /// impl PartizanGame for OneTwo {
    ///     type Position = u32;
    ///
    ///     fn left(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(1)
    ///     }
    ///
    ///     fn right(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(2)
    ///     }
    /// }
    ///
    /// assert_eq!(Position::of_partizan(OneTwo, 2).value()?.to_string(), "{1|0}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn of_partizan<G: PartizanGame>(game: G, position: G::Position) -> Self {
        grundy_core::Position::of_partizan(game, position).into()
    }

    /// Returns a position of a user-defined partizan game. Positions with the same `Arc` belong to
    /// the same game.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use grundy::prelude::*;
    ///
    /// /// Left takes the first number of chips, and Right takes the second.
    /// struct Takes(u32, u32);
    ///
    /// impl PartizanGame for Takes {
    ///     type Position = u32;
    ///
    ///     fn left(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(self.0)
    ///     }
    ///
    ///     fn right(&self, n: &u32) -> impl IntoIterator<Item = u32> {
    ///         n.checked_sub(self.1)
    ///     }
    /// }
    ///
    /// let game = Arc::new(Takes(1, 2));
    /// let difference =
    ///     Position::of_partizan_shared(&game, 5) - Position::of_partizan_shared(&game, 5);
    /// assert_eq!(difference.value()?.to_string(), "0");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn of_partizan_shared<G: PartizanGame>(game: &Arc<G>, position: G::Position) -> Self {
        grundy_core::Position::of_partizan_shared(game, position).into()
    }

    /// Returns the error of a sum that does not exist, and `Ok` for a position.
    ///
    /// # Errors
    /// A sum or a negative that cannot contain one of its games. Such a game is decided by a
    /// payoff, or it fixes the player to move.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!((games::nim([3]) + games::kayles([7])).validate().is_ok());
    /// assert!((games::nim([3]) + games::tic_tac_toe()).validate().is_err());
    /// ```
    pub fn validate(&self) -> Result<(), Error> {
        match &self.invalid {
            None => Ok(()),
            Some(diagnostic) => Err(Error::from((**diagnostic).clone())),
        }
    }

    /// Returns the sum of games as the engine represents it.
    pub(crate) fn valid(&self) -> Result<&grundy_core::Position, Error> {
        self.validate()?;
        Ok(&self.sum)
    }

    /// Returns whether both players have the same moves.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(games::nim([3]).is_impartial());
    /// assert!(!games::toads_and_frogs("T.F")?.is_impartial());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn is_impartial(&self) -> bool {
        self.sum.nature().is_impartial()
    }

    /// Returns the terms of the sum as positions, in the order in which they were added.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let sum = games::nim([3, 4]) + games::kayles([7]);
    /// let terms: Vec<String> = sum.terms().map(|term| term.to_string()).collect();
    /// assert_eq!(terms, ["nim(3, 4)", "kayles(7)"]);
    /// ```
    #[must_use]
    pub fn terms(&self) -> impl ExactSizeIterator<Item = Self> + '_ {
        let terms = self.sum.terms().iter();
        terms.map(|term| grundy_core::Position::from(Arc::clone(term)).into())
    }

    /// Returns the position, or the empty sum that returns this error when it is solved.
    pub(crate) fn or_invalid(position: Result<Self, Diagnostic>) -> Self {
        position.unwrap_or_else(|diagnostic| Self {
            invalid: Some(Arc::new(diagnostic)),
            ..Self::default()
        })
    }

    fn of_terms(terms: Vec<Arc<dyn AnyTerm>>, invalid: Option<Arc<Diagnostic>>) -> Self {
        if invalid.is_some() {
            return Self {
                sum: grundy_core::Position::of_terms(terms),
                invalid,
            };
        }
        match grundy_core::Position::sum(terms.clone()) {
            Ok(sum) => Self { sum, invalid: None },
            Err(diagnostic) => Self {
                sum: grundy_core::Position::of_terms(terms),
                invalid: Some(Arc::new(diagnostic)),
            },
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let terms = [self.sum.terms(), other.sum.terms()].concat();
        Self::of_terms(
            terms,
            self.invalid.clone().or_else(|| other.invalid.clone()),
        )
    }

    fn negative(&self) -> Self {
        if self.invalid.is_some() {
            return self.clone();
        }
        match self.sum.negated() {
            Ok(sum) => Self { sum, invalid: None },
            Err(diagnostic) => Self {
                sum: self.sum.clone(),
                invalid: Some(Arc::new(diagnostic)),
            },
        }
    }

    fn times(&self, count: u64) -> Self {
        let terms = self.sum.terms();
        if terms.is_empty() {
            return self.clone();
        }
        if count.saturating_mul(terms.len() as u64) > MAX_TERMS {
            let message = message!("a sum can have at most {most} terms", most = MAX_TERMS);
            return Self {
                sum: self.sum.clone(),
                invalid: Some(Arc::new(Diagnostic::new(grundy_base::Kind::Limit, message))),
            };
        }
        let terms = (0..count)
            .flat_map(|_| terms.iter().map(Arc::clone))
            .collect();
        Self::of_terms(terms, self.invalid.clone())
    }
}

impl From<grundy_core::Position> for Position {
    fn from(sum: grundy_core::Position) -> Self {
        Self { sum, invalid: None }
    }
}

/// Equality of positions: the same terms in the same order. Positions of equal value can differ.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.sum == other.sum && self.invalid.is_some() == other.invalid.is_some()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sum.hash(state);
    }
}

// The terms of a position are never changed, also if the rules of a user-defined game panic.
impl UnwindSafe for Position {}
impl RefUnwindSafe for Position {}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.invalid {
            Some(reason) => write!(f, "Position(invalid: {})", &*reason.message),
            None => write!(f, "Position({self})"),
        }
    }
}

/// Writes the position in the notation.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.fmt(f)
    }
}

/// Parses a position in the notation.
#[cfg(feature = "parse")]
impl std::str::FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match grundy_notation::read_position(text) {
            Ok(position) => Ok(position.into()),
            Err(diagnostic) => Err(Error::from(diagnostic).with_input(text)),
        }
    }
}

operator!(Add, add, Position, Position, Position, Position::plus);
operator!(
    Sub,
    sub,
    Position,
    Position,
    Position,
    |one: &Position, other: &Position| { one.plus(&other.negative()) }
);
negation!(Position, Position::negative);
assignment!(AddAssign, add_assign, Position, +);
assignment!(SubAssign, sub_assign, Position, -);

/// The sum of `self` equal positions.
impl Mul<Position> for u64 {
    type Output = Position;

    fn mul(self, position: Position) -> Position {
        position.times(self)
    }
}

/// The sum of `self` equal positions.
impl Mul<&Position> for u64 {
    type Output = Position;

    fn mul(self, position: &Position) -> Position {
        position.times(self)
    }
}

impl<P: Borrow<Position>> Sum<P> for Position {
    fn sum<I: Iterator<Item = P>>(positions: I) -> Self {
        let (mut terms, mut invalid) = (Vec::new(), None);
        for position in positions {
            let position = position.borrow();
            terms.extend(position.sum.terms().iter().map(Arc::clone));
            invalid = invalid.or_else(|| position.invalid.clone());
        }
        Self::of_terms(terms, invalid)
    }
}
