//! The two players, and who of them wins over both beginnings.

use std::fmt;

use crate::outcome::Outcome;

/// A player: Left and Right in games with own moves, the first and the second player elsewhere.
///
/// ```
/// use grundy_base::Player;
/// assert_eq!(Player::Left.other(), Player::Right);
/// assert_eq!(Player::Right.of(["X", "O"]), "O");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Left: blue edges, vertical dominoes, toads; X, where players have marks; else who moves
    /// first.
    #[default]
    Left,
    /// Right: red edges, horizontal dominoes, frogs; O, where players have marks; else who moves
    /// second.
    Right,
}

impl Player {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// This player's of two things, Left's first.
    #[must_use]
    pub fn of<T>(self, [left, right]: [T; 2]) -> T {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }
}

/// Who wins, over both beginnings; nobody where play goes on for ever.
///
/// It is written as the outcome class L, R, N or P where there is one, `D` when both beginnings are
/// draws, and else with two letters: what comes of it when Left begins and when Right begins.
///
/// ```
/// use grundy_base::{OutcomeClass, Player::{Left, Right}};
/// assert_eq!(OutcomeClass::L.to_string(), "L");
/// assert_eq!(OutcomeClass { left: Some(Left), right: None }.to_string(), "LD");
/// assert_eq!(OutcomeClass::from_wins(true, true), OutcomeClass::N);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutcomeClass {
    /// The winner when Left begins.
    pub left: Option<Player>,
    /// The winner when Right begins.
    pub right: Option<Player>,
}

impl OutcomeClass {
    /// Left wins, whoever begins.
    pub const L: Self = Self::decided(Player::Left, Player::Left);
    /// Right wins, whoever begins.
    pub const R: Self = Self::decided(Player::Right, Player::Right);
    /// The next player, who begins, wins.
    pub const N: Self = Self::decided(Player::Left, Player::Right);
    /// The previous player, who does not begin, wins.
    pub const P: Self = Self::decided(Player::Right, Player::Left);

    const fn decided(left: Player, right: Player) -> Self {
        Self {
            left: Some(left),
            right: Some(right),
        }
    }

    /// Returns the class from whether each player wins when it begins, where there are no draws.
    #[must_use]
    pub fn from_wins(left: bool, right: bool) -> Self {
        Self::from_outcomes([left, right].map(Outcome::from_win))
    }

    /// Returns the class from what Left and what Right, to move, can expect.
    #[must_use]
    pub fn from_outcomes(outcomes: [Outcome; 2]) -> Self {
        let [left, right] = Player::BOTH.map(|mover| match mover.of(outcomes) {
            Outcome::N => Some(mover),
            Outcome::P => Some(mover.other()),
            Outcome::D => None,
        });
        Self { left, right }
    }

    /// Which of these it is, in the order L, R, N, P, and where a player who begins draws LD, RD,
    /// DL, DR, D.
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

    /// Who wins when `beginner` begins; nobody where that is a draw.
    #[must_use]
    pub fn winner(self, beginner: Player) -> Option<Player> {
        beginner.of([self.left, self.right])
    }

    /// Returns whether `player` wins when it begins; nothing where that is a draw.
    #[must_use]
    pub fn wins(self, player: Player) -> Option<bool> {
        self.winner(player).map(|winner| winner == player)
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.of(["L", "R", "N", "P", "LD", "RD", "DL", "DR", "D"]))
    }
}
