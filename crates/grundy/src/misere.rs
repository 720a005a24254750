//! Misère values of impartial games: misère canonical forms.

use std::fmt;
use std::hash::{Hash, Hasher};

use grundy_base::limits::Stop;
use grundy_base::{Limits, OutcomeClass as Outcome};
use grundy_misere::{Class, Form, Forms, Genus};

use crate::Error;
use crate::operators::operator;
use crate::run::Shared;

/// The value of an impartial game in misère play, stored as its misère canonical form (J. H.
/// Conway, On Numbers and Games, 1976, chapter 12).
///
/// Two misère values are equal if and only if each of the games can replace the other in every sum.
/// A value is a handle to an arena of forms and can be shared by threads.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let two = games::nim([2]).misere_value()?;
/// // In misère play *2 + *2 is not 0, although both are P-positions... of different genus.
/// let twice = &two + &two;
/// assert_eq!(twice.to_string(), "*[*3,*2]");
/// assert_eq!(twice.genus().to_string(), "0^02");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct MisereValue {
    arena: Shared<Forms>,
    form: Form,
}

impl MisereValue {
    /// Copies a form into a new arena.
    pub(crate) fn import(forms: &Forms, form: Form, limits: &Limits<'_>) -> Result<Self, Stop> {
        let mut own = Forms::default();
        let form = own.import(forms, form, limits)?;
        Ok(Self {
            arena: Shared::new(own),
            form,
        })
    }

    /// Computes a result without limits.
    ///
    /// # Panics
    /// If the form has more parts than fit into the interner.
    fn get<T>(&self, compute: impl FnOnce(&mut Forms, Form, &Limits<'_>) -> Result<T, Stop>) -> T {
        let found = compute(&mut self.arena.lock(), self.form, &Limits::none());
        found.unwrap_or_else(|stop| panic!("the misère value cannot be represented: {stop}"))
    }

    fn moved_to(&self, arena: &Shared<Forms>) -> Form {
        if self.arena.is(arena) {
            return self.form;
        }
        // Only one arena is locked at a time, since two threads could lock them in either order.
        let copy = self.get(|forms, form, limits| Self::import(forms, form, limits));
        let (own, form) = (copy.arena.lock(), copy.form);
        let moved = arena.lock().import(&own, form, &Limits::none());
        moved.unwrap_or_else(|stop| panic!("the misère value cannot be represented: {stop}"))
    }

    fn plus(&self, other: &Self) -> Self {
        let other = other.moved_to(&self.arena);
        let form = self.get(|forms, form, limits| forms.plus(form, other, limits));
        Self {
            arena: self.arena.clone(),
            form,
        }
    }

    /// Returns the sum, or an error if it needs more than the given number of forms.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Complexity
    /// The sum is computed for every pair of followers.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let two = games::nim([2]).misere_value()?;
    /// assert!(two.checked_add(&two, 1_000).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn checked_add(&self, other: &Self, max_forms: u64) -> Result<Self, Error> {
        let other = other.moved_to(&self.arena);
        let limits = Limits {
            positions: max_forms,
            ..Limits::none()
        };
        let form = self.arena.lock().plus(self.form, other, &limits)?;
        Ok(Self {
            arena: self.arena.clone(),
            form,
        })
    }

    /// Returns the outcome in misère play: P if the player to move loses, otherwise N.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([1]).misere_value()?.outcome(), Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.arena.lock().is_p(self.form) {
            Outcome::P
        } else {
            Outcome::N
        }
    }

    /// Returns the genus g^γ0γ1..., where g is the Grundy value in normal play. The others are the
    /// misère Grundy values of the sums with 0, 1, 2, ... copies of \*2, until they repeat. Source:
    /// E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 13.
    ///
    /// # Complexity
    /// One visit to every follower for each digit.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([2]).misere_value()?.genus().to_string(), "2^20");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn genus(&self) -> Genus {
        self.get(Forms::genus)
    }

    /// Returns the class of the game: whether it behaves like Nim in sums (tame), and its
    /// relatives.
    ///
    /// # Complexity
    /// One visit to every follower.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(games::nim([2, 3]).misere_value()?.class().is_tame());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn class(&self) -> Class {
        self.get(Forms::class)
    }

    /// Returns the mate G⁻ of the game G: the sum G + G⁻ is a P-position.
    ///
    /// # Complexity
    /// One visit to every follower.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let value = games::kayles([5]).misere_value()?;
    /// assert_eq!((&value + &value.mate()).outcome(), Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn mate(&self) -> Self {
        let form = self.get(Forms::mate);
        Self {
            arena: self.arena.clone(),
            form,
        }
    }

    /// Returns the size of the Nim heap that is equal to the game in misère play, if there is one.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([2]).misere_value()?.nim_heap(), Some(2));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn nim_heap(&self) -> Option<u32> {
        self.arena.lock().nim_heap(self.form)
    }

    /// Returns the birthday: the largest number of moves in a play of the canonical form.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([2, 2]).misere_value()?.birthday(), 4);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn birthday(&self) -> u32 {
        self.arena.lock().birthday(self.form)
    }
}

operator!(
    Add,
    add,
    MisereValue,
    MisereValue,
    MisereValue,
    MisereValue::plus
);

impl PartialEq for MisereValue {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.moved_to(&self.arena)
    }
}

impl Eq for MisereValue {}

/// Hashes the Grundy values and the birthday, which are the same in every arena.
impl Hash for MisereValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let forms = self.arena.lock();
        forms.grundy(self.form).hash(state);
        forms.misere_grundy(self.form).hash(state);
        forms.birthday(self.form).hash(state);
    }
}

/// Largest length of the text of a form in bytes.
const MAX_TEXT: usize = 16 << 20;

/// Writes the canonical form: `*n` for a Nim heap, and `*[...]` with the options for other games. A
/// form whose text would have more than 16 MiB is written as `...`.
impl fmt::Display for MisereValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.get(|forms, form, limits| forms.write(form, MAX_TEXT, limits));
        f.write_str(text.as_deref().unwrap_or("..."))
    }
}

impl fmt::Debug for MisereValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MisereValue({self})")
    }
}
