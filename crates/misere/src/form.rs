//! References to misère canonical forms.

/// A misère canonical form in the [`Forms`](crate::Forms) that created it. Two forms are equal if
/// and only if their games are equal in misère play.
///
/// Every game is either *even* or the sum of an even game and * (J. H. Conway, On Numbers and
/// Games, chapter 12). The last bit of a form distinguishes the two cases. So adding * costs
/// nothing, and only even games are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub(crate) u32);

impl Form {
    /// The game 0, which has no moves. It is the same form in any [`Forms`](crate::Forms).
    pub const ZERO: Self = Self(0);

    /// The game \*, whose only move is to 0. It is the same form in any [`Forms`](crate::Forms).
    pub const STAR: Self = Self(1);

    /// Returns the sum of this game and *. Adding * twice gives the original game.
    ///
    /// ```
    /// use grundy_misere::Form;
    /// assert_eq!(Form::ZERO.plus_star(), Form::STAR);
    /// assert_eq!(Form::STAR.plus_star(), Form::ZERO);
    /// ```
    #[must_use]
    pub fn plus_star(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns whether the game is even, that is, whether its birthday is smaller than the birthday
    /// of its sum with *.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// assert!(forms.nimber(2, &limits)?.is_even());
    /// assert!(!forms.nimber(3, &limits)?.is_even());
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn is_even(self) -> bool {
        self.0 & 1 == 0
    }

    /// Returns the even game among this game and its sum with *.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [two, three] = [forms.nimber(2, &limits)?, forms.nimber(3, &limits)?];
    /// assert_eq!(three.even_part(), two);
    /// assert_eq!(two.even_part(), two);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn even_part(self) -> Self {
        Self(self.0 & !1)
    }

    /// Returns the index at which [`Forms`](crate::Forms) stores the even part of the form, that
    /// is, the form without * (see `even_part`).
    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns 0 if the form is even, or 1 if it is an even form plus *.
    pub(crate) fn star(self) -> u32 {
        self.0 & 1
    }
}
