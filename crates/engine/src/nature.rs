//! The kind of a game: whether both players have the same moves, the condition that decides the
//! game, and the players who may begin.

use grundy_base::player::Player;

/// The relation between the moves of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Both players have the same moves: an impartial game, which the last move decides.
    Same,
    /// The players have different moves.
    Partizan,
}

/// The condition that decides a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ends {
    /// The last move decides: the player who cannot move loses in normal play, and wins in misère
    /// play.
    LastMove,
    /// A payoff at the end of play decides: one player wins, or the game is a tie. Such a game
    /// cannot be a term of a sum of several terms.
    Payoff,
}

/// The players who may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beginner {
    /// Either player.
    Either,
    /// Only this player, since the position determines who is to move.
    Fixed(Player),
}

/// The kind of a game, described by three properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nature {
    /// The moves of the players.
    pub moves: Moves,
    /// The condition that decides the game.
    pub ends: Ends,
    /// The players who may begin.
    pub beginner: Beginner,
    /// The player who wins a play that never ends. `None` means that such a play is a draw.
    pub endless: Option<Player>,
}

impl Nature {
    /// An impartial game: both players have the same moves, the last move decides, and either may
    /// begin.
    pub const IMPARTIAL: Self = Self {
        moves: Moves::Same,
        ends: Ends::LastMove,
        beginner: Beginner::Either,
        endless: None,
    };

    /// A partizan game: the players have different moves, the last move decides, and either may
    /// begin.
    pub const PARTIZAN: Self = Self {
        moves: Moves::Partizan,
        ..Self::IMPARTIAL
    };

    /// Returns the nature of the game in which `player` wins a play that never ends, and `None`
    /// makes it a draw. It then matters which of the two players moves, even if both have the same
    /// moves, so the game counts as partizan.
    ///
    /// ```
    /// use grundy_core::Player;
    /// use grundy_core::rules::Nature;
    /// let nature = Nature::IMPARTIAL.with_endless(Some(Player::Left));
    /// assert!(!nature.is_impartial());
    /// assert_eq!(nature.beginners(), Player::BOTH);
    /// assert_eq!(Nature::IMPARTIAL.with_endless(None), Nature::IMPARTIAL);
    /// ```
    #[must_use]
    pub fn with_endless(self, player: Option<Player>) -> Self {
        match player {
            None => self,
            Some(_) => Self {
                moves: Moves::Partizan,
                endless: player,
                ..self
            },
        }
    }

    /// Returns whether the game is impartial.
    ///
    /// ```
    /// use grundy_core::rules::Nature;
    /// assert!(Nature::IMPARTIAL.is_impartial());
    /// assert!(!Nature::PARTIZAN.is_impartial());
    /// ```
    #[must_use]
    pub fn is_impartial(self) -> bool {
        self == Self::IMPARTIAL
    }

    /// Returns the players who may begin. In a game where both players have the same moves, returns
    /// only Left, who stands for both players.
    ///
    /// ```
    /// use grundy_core::Player;
    /// use grundy_core::rules::{Beginner, Nature};
    /// assert_eq!(Nature::IMPARTIAL.beginners(), [Player::Left]);
    /// assert_eq!(Nature::PARTIZAN.beginners(), [Player::Left, Player::Right]);
    /// let fixed = Nature { beginner: Beginner::Fixed(Player::Right), ..Nature::PARTIZAN };
    /// assert_eq!(fixed.beginners(), [Player::Right]);
    /// ```
    #[must_use]
    pub fn beginners(self) -> &'static [Player] {
        match (self.moves, self.beginner) {
            (_, Beginner::Fixed(Player::Right)) => &[Player::Right],
            (Moves::Partizan, Beginner::Either) => &Player::BOTH,
            _ => &[Player::Left],
        }
    }
}
