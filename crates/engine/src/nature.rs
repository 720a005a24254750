//! The nature of a game in three facts: who has which moves, what decides, who begins.

use grundy_base::player::Player;

/// The moves of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Both always have the same: an impartial game, where the last move decides.
    Same,
    /// Each has its own.
    Own,
}

/// The condition that decides a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ends {
    /// The last move: who cannot move has lost, or in misère play won.
    LastMove,
    /// What the end is worth: a win of one of the players, or a tie. Such a game is no part of a
    /// sum.
    Payoff,
}

/// The players who may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beginner {
    /// Either player.
    Either,
    /// This one: the position says whose turn it is.
    Fixed(Player),
}

/// The kind of game that a position belongs to, in three facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nature {
    /// The moves of the players.
    pub moves: Moves,
    /// The condition that decides.
    pub ends: Ends,
    /// The players who may begin.
    pub beginner: Beginner,
}

impl Nature {
    /// The same moves for both, the last move decides, either may begin.
    pub const IMPARTIAL: Self = Self {
        moves: Moves::Same,
        ends: Ends::LastMove,
        beginner: Beginner::Either,
    };

    /// Own moves, the last move decides, either may begin.
    pub const PARTIZAN: Self = Self {
        moves: Moves::Own,
        ..Self::IMPARTIAL
    };

    /// Returns whether the game is impartial.
    #[must_use]
    pub fn is_impartial(self) -> bool {
        self == Self::IMPARTIAL
    }

    /// Returns the players who may begin and for whom it makes a difference. One stands for both if
    /// the moves are the same.
    #[must_use]
    pub fn beginners(self) -> &'static [Player] {
        match (self.moves, self.beginner) {
            (_, Beginner::Fixed(Player::Right)) => &[Player::Right],
            (Moves::Own, Beginner::Either) => &Player::BOTH,
            _ => &[Player::Left],
        }
    }
}
