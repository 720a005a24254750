//! Values of partizan games: canonical forms with arithmetic, order and thermographs.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::Sum;
use std::ops::Mul;
use std::str::FromStr;

use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Stop;
use grundy_base::{Limits, OutcomeClass as Outcome, Player};
use grundy_forms::{Form, Forms, Relation, Thermograph};

use crate::operators::{assignment, negation, operator};
use crate::run::{Engine, Settings, Shared, run};
use crate::{Error, Position};

/// The forms of values that were found together.
pub(crate) type Arena = Shared<Forms>;

/// The value of a short partizan game in normal play, stored as its canonical form.
///
/// Two values are equal if and only if the games are equal: G = H if G - H is a win for the second
/// player (J. H. Conway, On Numbers and Games, 1976). The order is partial: values can be confused
/// with each other.
///
/// A value is a handle to an arena of forms. Values with a common origin share an arena, and
/// operations on values of different arenas copy one of them first. Values can be sent to and
/// shared by threads.
///
/// The operators and the methods without a `Result` compute without limits. A sum of games can have
/// exponentially more followers than the games; [`Value::checked_add`] computes within limits.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let switch: Value = "{2|-1/2}".parse()?;
/// let up: Value = "^".parse()?;
/// assert_eq!((&switch + &up).to_string(), "{2^|-1/2^}");
/// assert_eq!((&switch - &switch).to_string(), "0");
/// assert!(up > Value::zero() && up < Value::from(1));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Value {
    arena: Arena,
    form: Form,
}

/// The maximal incentives of both players, see [`Value::incentives`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Incentives {
    /// The maximal values of G^L - G over the left options G^L of G.
    pub left: Vec<Value>,
    /// The maximal values of G - G^R over the right options G^R of G.
    pub right: Vec<Value>,
}

/// Returns the result of a computation without limits.
///
/// # Panics
/// If the form has more parts than fit into the interner.
fn unlimited<T>(result: Result<T, Stop>) -> T {
    result.unwrap_or_else(|stop| panic!("the value cannot be represented: {stop}"))
}

impl Value {
    /// Copies a form into the arena.
    pub(crate) fn import(arena: &Arena, forms: &Forms, form: Form) -> Self {
        let form = arena.lock().import(forms, form);
        Self {
            arena: arena.clone(),
            form,
        }
    }

    /// Computes the canonical form of a position, and copies it into the arena.
    pub(crate) fn of_position(
        position: &Position,
        engine: &Engine,
        settings: &Settings,
        arena: &Arena,
    ) -> Result<Self, Error> {
        let sum = position.valid()?;
        run(engine, settings, sum, |solver, limits| {
            let (form, _) = solver.canonical_form(sum, limits)?;
            let forms = &solver.short_values().theory.forms;
            Ok(Self::import(arena, forms, form))
        })
    }

    /// Returns the value 0.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Value::zero().to_string(), "0");
    /// ```
    #[must_use]
    pub fn zero() -> Self {
        Self {
            arena: Arena::default(),
            form: Form::ZERO,
        }
    }

    /// Returns the value of a Nim heap.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Value::nimber(2).to_string(), "*2");
    /// ```
    #[must_use]
    pub fn nimber(size: u64) -> Self {
        let arena = Arena::default();
        let form = arena.lock().of_packed(&grundy_forms::Packed::nimber(size));
        Self { arena, form }
    }

    /// Returns the value of a game with the given options.
    ///
    /// # Complexity
    /// Polynomial in the number of followers, by removing dominated and bypassing reversible
    /// options.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let switch = Value::of_options([Value::from(1)], [Value::from(-1)]);
    /// assert_eq!(switch.to_string(), "+-1");
    /// ```
    #[must_use]
    pub fn of_options(
        left: impl IntoIterator<Item = Self>,
        right: impl IntoIterator<Item = Self>,
    ) -> Self {
        let arena = Arena::default();
        let import = |value: Self| value.moved_to(&arena);
        let left: Vec<Form> = left.into_iter().map(import).collect();
        let right: Vec<Form> = right.into_iter().map(import).collect();
        let form = unlimited(arena.lock().canonical(&left, &right, &Limits::none()));
        Self { arena, form }
    }

    /// Returns the form of this value in the given arena.
    fn moved_to(&self, arena: &Arena) -> Form {
        if self.arena.is(arena) {
            return self.form;
        }
        // Only one arena is locked at a time, since two threads could lock them in either order. So
        // the followers of this value are copied twice.
        let mut own = Forms::default();
        let form = own.import(&self.arena.lock(), self.form);
        arena.lock().import(&own, form)
    }

    /// Returns a value of the same arena.
    fn with(&self, form: Form) -> Self {
        Self {
            arena: self.arena.clone(),
            form,
        }
    }

    /// Computes a form from this one, without limits.
    fn map(
        &self,
        compute: impl FnOnce(&mut Forms, Form, &Limits<'_>) -> Result<Form, Stop>,
    ) -> Self {
        self.with(self.get(compute))
    }

    /// Computes a result from this form, without limits.
    fn get<T>(&self, compute: impl FnOnce(&mut Forms, Form, &Limits<'_>) -> Result<T, Stop>) -> T {
        unlimited(compute(&mut self.arena.lock(), self.form, &Limits::none()))
    }

    fn plus(&self, other: &Self) -> Self {
        let other = other.moved_to(&self.arena);
        self.map(|forms, form, limits| forms.plus(form, other, limits))
    }

    fn minus(&self, other: &Self) -> Self {
        let other = other.moved_to(&self.arena);
        self.map(|forms, form, limits| forms.minus(form, other, limits))
    }

    fn negative(&self) -> Self {
        self.with(self.arena.lock().negative(self.form))
    }

    /// Returns the sum, or an error if it needs more than the given number of forms. The forms that
    /// the arenas of both values contain already count as well.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Complexity
    /// The sum is computed for every pair of followers that can be reached.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let (up, star): (Value, Value) = ("^".parse()?, "*".parse()?);
    /// assert_eq!(up.checked_add(&star, 1_000)?.to_string(), "^*");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn checked_add(&self, other: &Self, max_forms: u64) -> Result<Self, Error> {
        let other = other.moved_to(&self.arena);
        let limits = Limits {
            positions: max_forms,
            ..Limits::none()
        };
        let form = self.arena.lock().plus(self.form, other, &limits)?;
        Ok(self.with(form))
    }

    /// Returns the number that is equal to the value, if there is one.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let value: Value = "{0|1}".parse()?;
    /// assert_eq!(value.number().map(|number| number.to_string()), Some("1/2".into()));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> Option<Dyadic> {
        self.arena.lock().number(self.form).cloned()
    }

    /// Returns the nimber that is equal to the value, if there is one.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("{0,*|0,*}".parse::<Value>()?.as_nimber(), Some(2));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn as_nimber(&self) -> Option<u64> {
        let forms = self.arena.lock();
        let packed = forms.packed(self.form)?;
        (packed.ups == 0 && packed.number == Dyadic::ZERO).then_some(packed.star)
    }

    /// Returns the outcome class of a game of this value. It is L if the value is positive, R if it
    /// is negative, P if it is 0, and N if it is confused with 0.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("^".parse::<Value>()?.outcome(), Outcome::L);
    /// assert_eq!("*".parse::<Value>()?.outcome(), Outcome::N);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.relation_to(Form::ZERO) {
            Relation::Equal => Outcome::P,
            Relation::Greater => Outcome::L,
            Relation::Less => Outcome::R,
            Relation::Confused => Outcome::N,
        }
    }

    fn relation_to(&self, other: Form) -> Relation {
        self.get(|forms, form, limits| forms.relation(form, other, limits))
    }

    /// Returns the options of a player in the canonical form.
    ///
    /// # Complexity
    /// O(n) for n options. The canonical form of \*n has n options of each player.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let value: Value = "{2||1|0}".parse()?;
    /// assert_eq!(value.options(Player::Right)[0].to_string(), "{1|0}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn options(&self, player: Player) -> Vec<Self> {
        let options = self.get(|forms, form, limits| forms.options_of(form, player, limits));
        options
            .into_iter()
            .map(|option| self.with(option))
            .collect()
    }

    /// Returns the left stop: the number that is reached if Left begins, the players alternate, and
    /// they stop when the value is a number.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let value: Value = "{2|-1/2}".parse()?;
    /// let stops = (value.left_stop().to_string(), value.right_stop().to_string());
    /// assert_eq!(stops, ("2".into(), "-1/2".into()));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn left_stop(&self) -> Dyadic {
        self.arena.lock().left_stop(self.form).clone()
    }

    /// Returns the right stop, see [`Value::left_stop`].
    ///
    /// # Examples
    /// See [`Value::left_stop`].
    #[must_use]
    pub fn right_stop(&self) -> Dyadic {
        self.arena.lock().right_stop(self.form).clone()
    }

    /// Returns the thermograph: the stops as functions of a tax on moves, given by the points at
    /// which the two walls bend.
    ///
    /// # Complexity
    /// One visit to every follower. The number of points of a wall is at most that of its
    /// followers.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let thermograph = "{2|-1/2}".parse::<Value>()?.thermograph();
    /// assert_eq!(thermograph.temperature().to_string(), "5/4");
    /// let left = thermograph.wall(Player::Left);
    /// assert_eq!(left.at(&Dyadic::integer(1)).to_string(), "1");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn thermograph(&self) -> Thermograph {
        self.get(|forms, form, limits| Ok((*forms.thermograph(form, limits)?).clone()))
    }

    /// Returns the mean: n copies of the game differ from n times this number by a bounded amount.
    ///
    /// # Complexity
    /// As [`Value::thermograph`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("{2|-1/2}".parse::<Value>()?.mean().to_string(), "3/4");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn mean(&self) -> Dyadic {
        self.get(grundy_forms::Forms::mean)
    }

    /// Returns the temperature: the least tax on moves at which the two walls of the thermograph
    /// meet. It is negative for a number, and 0 for any other game whose stops are equal.
    ///
    /// # Complexity
    /// As [`Value::thermograph`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("{2|-1/2}".parse::<Value>()?.temperature().to_string(), "5/4");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn temperature(&self) -> Dyadic {
        self.get(grundy_forms::Forms::temperature)
    }

    /// Returns the birthday: the largest number of moves in a play of the canonical form, in which
    /// the players need not alternate.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("{1|*}".parse::<Value>()?.birthday().to_string(), "2");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn birthday(&self) -> Dyadic {
        self.arena.lock().birthday(self.form).clone()
    }

    /// Returns the maximal incentives of both players. An incentive is the change of the value that
    /// a move causes.
    ///
    /// # Complexity
    /// A difference and its comparisons for each option.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let incentives = "{2|-1/2}".parse::<Value>()?.incentives();
    /// assert_eq!(incentives.left[0].to_string(), "{5/2|0}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn incentives(&self) -> Incentives {
        let found = self.get(grundy_forms::Forms::incentives);
        let values = |forms: Vec<Form>| forms.into_iter().map(|form| self.with(form)).collect();
        Incentives {
            left: values(found.left),
            right: values(found.right),
        }
    }

    /// Returns the atomic weight of an atomic game, and `None` for other games.
    ///
    /// An atomic weight of at least 2 implies that Left wins, and one of at most -2 that Right wins
    /// (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 8).
    ///
    /// # Complexity
    /// One visit to every follower, with comparisons of sums.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let weight = "^".parse::<Value>()?.atomic_weight();
    /// assert_eq!(weight.map(|weight| weight.to_string()), Some("1".into()));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn atomic_weight(&self) -> Option<Self> {
        let weight = self.get(grundy_forms::Forms::atomic_weight);
        weight.map(|weight| self.with(weight))
    }

    /// Returns the reduced form: the simplest game that differs from this one by an infinitesimal
    /// (J. P. Grossman, A. N. Siegel, Reductions of partizan games, 2009).
    ///
    /// # Complexity
    /// One visit to every follower, with comparisons.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("{1|*}".parse::<Value>()?.reduced().to_string(), "{1|0}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn reduced(&self) -> Self {
        self.map(Forms::reduced)
    }

    /// Returns the game cooled by t: every move costs a tax of t, until the value is a number.
    ///
    /// # Complexity
    /// One visit to every follower, with the time to build the canonical form.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let cooled = "{2|-1/2}".parse::<Value>()?.cooled(&Dyadic::integer(1));
    /// assert_eq!(cooled.to_string(), "{1|1/2}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn cooled(&self, t: &Dyadic) -> Self {
        self.map(|forms, form, limits| forms.cool(form, t, limits))
    }

    /// Returns the value as LaTeX, for the package `cgtex` or plain mathematics.
    ///
    /// # Errors
    /// The text is too long.
    ///
    /// # Complexity
    /// Linear in the length of the text, which can be exponential in the number of followers.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("{2|-1/2}".parse::<Value>()?.latex()?, r"\left\{2\mid -\tfrac{1}{2}\right\}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn latex(&self) -> Result<String, Error> {
        Ok(self.arena.lock().latex(self.form, &Limits::default())?)
    }
}

impl Default for Value {
    fn default() -> Self {
        Self::zero()
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::from(Dyadic::integer(integer))
    }
}

impl From<Dyadic> for Value {
    fn from(number: Dyadic) -> Self {
        let arena = Arena::default();
        let form = arena.lock().of_number(number);
        Self { arena, form }
    }
}

/// Reads a game in the notation of canonical forms, such as `{2|-1/2}`, `^*` or `+-{3|2}`, and
/// returns its value.
impl FromStr for Value {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let arena = Arena::default();
        let form = grundy_forms::text::read(text, &mut arena.lock(), &Limits::default());
        match form {
            Ok(form) => Ok(Self { arena, form }),
            Err(diagnostic) => Err(Error::from(diagnostic).with_input(text)),
        }
    }
}

/// Writes the canonical form. A form whose text would have more than 16 MiB is cut off.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = Limits {
            memory: 16 << 20,
            ..Limits::none()
        };
        let text = self.arena.lock().write_within(self.form, &limits);
        f.write_str(text.as_deref().unwrap_or("..."))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({self})")
    }
}

operator!(Add, add, Value, Value, Value, Value::plus);
operator!(Sub, sub, Value, Value, Value, Value::minus);
negation!(Value, Value::negative);
assignment!(AddAssign, add_assign, Value, +);
assignment!(SubAssign, sub_assign, Value, -);

impl<V: Borrow<Value>> Sum<V> for Value {
    fn sum<I: Iterator<Item = V>>(values: I) -> Self {
        values.fold(Self::zero(), |sum, value| sum + value.borrow())
    }
}

/// The sum of `self` equal games. A negative factor gives the sum of negatives.
impl Mul<Value> for i64 {
    type Output = Value;

    fn mul(self, value: Value) -> Value {
        self * &value
    }
}

/// The sum of `self` equal games. A negative factor gives the sum of negatives.
impl Mul<&Value> for i64 {
    type Output = Value;

    fn mul(self, value: &Value) -> Value {
        value.map(|forms, form, limits| forms.times(self, form, limits))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.moved_to(&self.arena)
    }
}

impl Eq for Value {}

/// The partial order of games: G >= H if Left wins G - H as the second player. `None` if the games
/// are confused with each other.
impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.relation_to(other.moved_to(&self.arena)) {
            Relation::Equal => Some(Ordering::Equal),
            Relation::Greater => Some(Ordering::Greater),
            Relation::Less => Some(Ordering::Less),
            Relation::Confused => None,
        }
    }
}

/// Hashes the stops and the birthday, which are the same in every arena.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let forms = self.arena.lock();
        forms.left_stop(self.form).hash(state);
        forms.right_stop(self.form).hash(state);
        forms.birthday(self.form).hash(state);
    }
}
