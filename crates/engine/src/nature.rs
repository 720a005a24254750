//! The kind of a game: who has which moves, the condition that decides, and who begins.

use grundy_base::player::Player;

/// The moves of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Both players have the same moves: an impartial game, which the last move decides.
    Same,
    /// The players have different moves.
    Own,
}

/// The condition that decides a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ends {
    /// The last move: the player who cannot move loses in normal play and wins in misère play.
    LastMove,
    /// The payoff at the end: a win of one of the players, or a tie. Such a game cannot be a
    /// component of a sum.
    Payoff,
}

/// The players who may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beginner {
    /// Either player.
    Either,
    /// This player, since the position records the turn.
    Fixed(Player),
}

/// The kind of a game, in three properties.
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
    /// Same moves for both players, last move decides, either player may begin.
    pub const IMPARTIAL: Self = Self {
        moves: Moves::Same,
        ends: Ends::LastMove,
        beginner: Beginner::Either,
    };

    /// Different moves, last move decides, either player may begin.
    pub const PARTIZAN: Self = Self {
        moves: Moves::Own,
        ..Self::IMPARTIAL
    };

    /// Returns whether the game is impartial.
    #[must_use]
    pub fn is_impartial(self) -> bool {
        self == Self::IMPARTIAL
    }

    /// Returns the players who may begin, without those for whom it makes no difference. If the
    /// moves are the same, Left stands for both.
    #[must_use]
    pub fn beginners(self) -> &'static [Player] {
        match (self.moves, self.beginner) {
            (_, Beginner::Fixed(Player::Right)) => &[Player::Right],
            (Moves::Own, Beginner::Either) => &Player::BOTH,
            _ => &[Player::Left],
        }
    }
}
