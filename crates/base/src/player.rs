//! The two players, and outcome classes.

use std::fmt;

use crate::outcome::Outcome;

/// A player: Left or Right in partizan games, and the first or the second player in other games.
///
/// ```
/// use grundy_base::Player;
/// assert_eq!(Player::Left.other(), Player::Right);
/// assert_eq!(Player::Right.of(["X", "O"]), "O");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Left. In partizan games: blue edges, vertical dominoes, toads. In other games: X if players
    /// have marks, and otherwise the first player.
    #[default]
    Left,
    /// Right. In partizan games: red edges, horizontal dominoes, frogs. In other games: O if
    /// players have marks, and otherwise the second player.
    Right,
}

impl Player {
    /// Both players, Left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the opponent.
    ///
    /// ```
    /// use grundy_base::Player;
    /// assert_eq!(Player::Left.other(), Player::Right);
    /// assert_eq!(Player::Right.other(), Player::Left);
    /// ```
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Selects one of two values: the first for Left, the second for Right.
    ///
    /// ```
    /// use grundy_base::Player;
    /// assert_eq!(Player::BOTH.map(|player| player.of(["blue", "red"])), ["blue", "red"]);
    /// ```
    #[must_use]
    pub fn of<T>(self, [left, right]: [T; 2]) -> T {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }
}

/// The outcome class: the winner if Left begins, and the winner if Right begins. `None` is a draw.
///
/// It is written as one letter if there is no draw (L, R, N or P) or if both results are draws (D).
/// Otherwise it has two letters: the result if Left begins, then the result if Right begins.
///
/// ```
/// use grundy_base::{OutcomeClass, Player::{Left, Right}};
/// assert_eq!(OutcomeClass::L.to_string(), "L");
/// assert_eq!(OutcomeClass { left: Some(Left), right: None }.to_string(), "LD");
/// assert_eq!(OutcomeClass::from_wins(true, true), OutcomeClass::N);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OutcomeClass {
    /// The winner if Left begins.
    pub left: Option<Player>,
    /// The winner if Right begins.
    pub right: Option<Player>,
}

impl OutcomeClass {
    /// Left wins, no matter who begins.
    pub const L: Self = Self::decided(Player::Left, Player::Left);
    /// Right wins, no matter who begins.
    pub const R: Self = Self::decided(Player::Right, Player::Right);
    /// The next player, who begins, wins.
    pub const N: Self = Self::decided(Player::Left, Player::Right);
    /// The previous player, who does not begin, wins.
    pub const P: Self = Self::decided(Player::Right, Player::Left);
    /// Left wins if Left begins. Otherwise neither player can win.
    pub const LD: Self = Self::new(Some(Player::Left), None);
    /// Right wins if Left begins. Otherwise neither player can win.
    pub const RD: Self = Self::new(Some(Player::Right), None);
    /// Left wins if Right begins. Otherwise neither player can win.
    pub const DL: Self = Self::new(None, Some(Player::Left));
    /// Right wins if Right begins. Otherwise neither player can win.
    pub const DR: Self = Self::new(None, Some(Player::Right));
    /// Neither player can win: a draw, no matter who begins.
    pub const D: Self = Self::new(None, None);

    const fn decided(left: Player, right: Player) -> Self {
        Self::new(Some(left), Some(right))
    }

    const fn new(left: Option<Player>, right: Option<Player>) -> Self {
        Self { left, right }
    }

    /// Returns the outcome class of a game that cannot end in a draw. `left` is `true` if Left wins
    /// when she begins, and `right` if Right wins when he begins.
    ///
    /// ```
    /// use grundy_base::OutcomeClass;
    /// // Left wins, no matter who begins.
    /// assert_eq!(OutcomeClass::from_wins(true, false), OutcomeClass::L);
    /// assert_eq!(OutcomeClass::from_wins(false, false), OutcomeClass::P);
    /// ```
    #[must_use]
    pub fn from_wins(left: bool, right: bool) -> Self {
        Self::from_outcomes([left, right].map(Outcome::from_win))
    }

    /// Returns the class, given the outcome with Left to move and the outcome with Right to move.
    ///
    /// ```
    /// use grundy_base::{Outcome, OutcomeClass};
    /// assert_eq!(OutcomeClass::from_outcomes([Outcome::N, Outcome::P]), OutcomeClass::L);
    /// assert_eq!(OutcomeClass::from_outcomes([Outcome::N, Outcome::D]), OutcomeClass::LD);
    /// ```
    #[must_use]
    pub fn from_outcomes(outcomes: [Outcome; 2]) -> Self {
        // An outcome is relative to the player to move, but the class contains winners.
        let [left, right] = Player::BOTH.map(|mover| match mover.of(outcomes) {
            Outcome::N => Some(mover),
            Outcome::P => Some(mover.other()),
            Outcome::D => None,
        });
        Self { left, right }
    }

    /// Selects one of nine values by the class. The order is L, R, N, P, LD, RD, DL, DR, D. A class
    /// of two letters gives the result if Left begins, then the result if Right begins.
    ///
    /// ```
    /// use grundy_base::OutcomeClass;
    /// let signs = [">", "<", "||", "=", "", "", "", "", ""];
    /// assert_eq!(OutcomeClass::L.of(signs), ">");
    /// assert_eq!(OutcomeClass::N.of(signs), "||");
    /// ```
    #[must_use]
    pub fn of<T>(self, [l, r, n, p, ld, rd, dl, dr, d]: [T; 9]) -> T {
        use Player::{Left, Right};
        match (self.left, self.right) {
            (Some(Left), Some(Left)) => l,
            (Some(Right), Some(Right)) => r,
            (Some(Left), Some(Right)) => n,
            (Some(Right), Some(Left)) => p,
            (Some(Left), None) => ld,
            (Some(Right), None) => rd,
            (None, Some(Left)) => dl,
            (None, Some(Right)) => dr,
            (None, None) => d,
        }
    }

    /// Returns the winner if `beginner` begins, or `None` for a draw.
    ///
    /// ```
    /// use grundy_base::{OutcomeClass, Player};
    /// assert_eq!(OutcomeClass::P.winner(Player::Left), Some(Player::Right));
    /// assert_eq!(OutcomeClass::LD.winner(Player::Right), None);
    /// ```
    #[must_use]
    pub fn winner(self, beginner: Player) -> Option<Player> {
        beginner.of([self.left, self.right])
    }

    /// Returns whether `player` wins as the player who begins, or `None` for a draw.
    ///
    /// ```
    /// use grundy_base::{OutcomeClass, Player};
    /// assert_eq!(OutcomeClass::N.wins(Player::Right), Some(true));
    /// assert_eq!(OutcomeClass::L.wins(Player::Right), Some(false));
    /// assert_eq!(OutcomeClass::D.wins(Player::Left), None);
    /// ```
    #[must_use]
    pub fn wins(self, player: Player) -> Option<bool> {
        self.winner(player).map(|winner| winner == player)
    }
}

impl fmt::Debug for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.of(["L", "R", "N", "P", "LD", "RD", "DL", "DR", "D"]))
    }
}
