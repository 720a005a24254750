//! Games of two players that end in a win for one of them or in a tie.
//!
//! A position says whose turn it is, so it cannot be part of a sum; it is worth a win, a tie or a loss to the player to move,
//! found by backward induction (E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels, 1913).
//! Play that never ends is a tie; where positions can come back, retrograde analysis takes the place of induction.

mod explain;
mod graph;
mod loops;
mod solve;

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

pub use graph::Graph;
pub use solve::{KeepingMove, Solution};

use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::picture::Picture;
use crate::step::{Move, Step};

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Who moves first.
    First,
    /// Who moves second.
    Second,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// This player's of two things.
    fn of<T: Copy>(self, [first, second]: [T; 2]) -> T {
        match self {
            Self::First => first,
            Self::Second => second,
        }
    }
}

/// What a position is worth to the player to move, in increasing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A loss.
    Lose,
    /// A tie.
    Tie,
    /// A win.
    Win,
}

impl Value {
    /// The same for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Lose => Self::Win,
            Self::Tie => Self::Tie,
            Self::Win => Self::Lose,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lose => "lose",
            Self::Tie => "tie",
            Self::Win => "win",
        })
    }
}

/// Receives a position after a move, and a way to ask for the move.
pub type VisitState<'a, S> = &'a mut dyn FnMut(S, &dyn Fn() -> Move);

/// How a game stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It goes on.
    Open,
    /// It is over, and this player has won, if anybody.
    Over(Option<Side>),
}

/// The rules of a game that can end in a tie.
pub trait Rules: fmt::Debug + Send + Sync + 'static {
    /// A position.
    type State: Clone + fmt::Debug + Eq + Hash + Send + Sync + 'static;

    /// The names of the players.
    fn players(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    /// The position in canonical notation.
    fn write(&self, state: &Self::State) -> String;

    /// A short name of the position within its game.
    fn caption(&self, state: &Self::State) -> String {
        self.write(state)
    }

    /// Whose turn it is.
    fn to_move(&self, state: &Self::State) -> Side;

    /// Visits every position after a move, in a fixed order, and says whether the game goes on; when it is over nothing is
    /// visited, and the winner is the one of normal play.
    ///
    /// # Errors
    /// [`Stop::Rules`] where the rules have no answer.
    fn options(
        &self,
        state: &Self::State,
        visit: VisitState<'_, Self::State>,
    ) -> Result<Standing, Stop>;

    /// One position for all that are worth the same by symmetry.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// What the position looks like.
    fn picture(&self, state: &Self::State) -> Picture {
        Picture::Text(self.write(state))
    }
}

/// A position under its rules.
#[derive(Debug)]
pub struct Game<R: Rules> {
    /// The rules.
    pub rules: Arc<R>,
    /// The position.
    pub state: R::State,
}

impl<R: Rules> Game<R> {
    /// The same game at another position.
    fn at(&self, state: R::State) -> Arc<dyn AnyPosition> {
        let rules = Arc::clone(&self.rules);
        Arc::new(Self { rules, state })
    }
}

impl<R: Rules> Clone for Game<R> {
    fn clone(&self) -> Self {
        Self {
            rules: Arc::clone(&self.rules),
            state: self.state.clone(),
        }
    }
}

/// What can follow a position.
#[derive(Clone, Debug)]
pub enum Next {
    /// Every move, in a fixed order, with the position after it.
    Moves(Vec<(Move, Arc<dyn AnyPosition>)>),
    /// Nothing: the game is over, and this player has won, if anybody.
    Over(Option<Side>),
}

/// A position whose rules are known at run time only.
pub trait AnyPosition: fmt::Debug + Send + Sync {
    /// Canonical notation.
    fn text(&self) -> String;
    /// The notation of one position for all that are equal up to symmetry.
    fn class(&self) -> String;
    /// A short name within the game.
    fn caption(&self) -> String;
    /// The names of the players, of the one who moves first in the game first.
    fn players(&self) -> [&'static str; 2];
    /// Whose turn it is.
    fn to_move(&self) -> Side;
    /// What can follow. In misère play who would win loses.
    ///
    /// # Errors
    /// [`Stop::Rules`] where the rules have no answer.
    fn next(&self, play: Play) -> Result<Next, Stop>;
    /// What the position looks like.
    fn picture(&self) -> Picture;
    /// The value and the moves that keep it.
    ///
    /// # Complexity
    /// Each position that can be reached is looked at once, up to symmetry, and not even that below a position with a
    /// winning move. Where positions can come back each is looked at once more, and all of them are kept.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Rules`].
    fn solve(&self, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop>;
    /// The value and the argument for it: a winner's strategy, with an answer to everything that the opponent can do; otherwise
    /// the opponent's answer to every move.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Rules`].
    fn explain(&self, play: Play, limits: &Limits<'_>) -> Result<(Solution, Vec<Step>), Stop>;
}

impl<R: Rules> AnyPosition for Game<R> {
    fn text(&self) -> String {
        self.rules.write(&self.state)
    }

    fn class(&self) -> String {
        self.rules.write(&self.rules.canonical(&self.state))
    }

    fn caption(&self) -> String {
        self.rules.caption(&self.state)
    }

    fn players(&self) -> [&'static str; 2] {
        self.rules.players()
    }

    fn to_move(&self) -> Side {
        self.rules.to_move(&self.state)
    }

    fn next(&self, play: Play) -> Result<Next, Stop> {
        let mut moves = Vec::new();
        let standing = self.rules.options(&self.state, &mut |state, name| {
            moves.push((name(), self.at(state)));
        })?;
        Ok(match (standing, play) {
            (Standing::Open, _) => Next::Moves(moves),
            (Standing::Over(winner), Play::Normal) => Next::Over(winner),
            (Standing::Over(winner), Play::Misere) => Next::Over(winner.map(Side::other)),
        })
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.state)
    }

    fn solve(&self, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop> {
        solve::Values::new(self, play, limits).solution(self)
    }

    fn explain(&self, play: Play, limits: &Limits<'_>) -> Result<(Solution, Vec<Step>), Stop> {
        explain::explain(self, play, limits)
    }
}

impl fmt::Display for dyn AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
