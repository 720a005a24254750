//! Games of two players, X and O, that end in a win for one of them or in a tie.
//!
//! X moves first. A position says whose turn it is, so it cannot be part of a sum; it is worth a win, a tie or a loss to the
//! player to move, found by backward induction (E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des
//! Schachspiels, 1913).

mod explain;
mod solve;

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use explain::explain;
pub use solve::{KeepingMove, Solution};

use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::picture::Picture;
use crate::step::Move;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Who moves first.
    X,
    /// Who moves second.
    O,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
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
pub type VisitState<'a, S> = &'a mut dyn FnMut(S, &dyn Fn() -> Move) -> ControlFlow<()>;

/// The rules of a game that can end in a tie.
pub trait Rules: fmt::Debug + Send + Sync + 'static {
    /// A position.
    type State: Clone + fmt::Debug + Eq + Hash + Send + Sync + 'static;

    /// The position in canonical notation.
    fn write(&self, state: &Self::State) -> String;

    /// Whose turn it is.
    fn to_move(&self, state: &Self::State) -> Side;

    /// Whether the game is over: the one who has won, if anybody, in normal play.
    fn ending(&self, state: &Self::State) -> Option<Option<Side>>;

    /// Visits every position after a move, in a fixed order, until `visit` breaks. Never asked when the game is over.
    fn options(&self, state: &Self::State, visit: VisitState<'_, Self::State>) -> ControlFlow<()>;

    /// One position for all that are equal up to symmetry.
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

impl<R: Rules> Clone for Game<R> {
    fn clone(&self) -> Self {
        Self {
            rules: Arc::clone(&self.rules),
            state: self.state.clone(),
        }
    }
}

/// Receives a move and a way to ask for the position after it.
pub type VisitPosition<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyPosition>) -> ControlFlow<()>;

/// A position whose rules are known at run time only.
pub trait AnyPosition: fmt::Debug + Send + Sync {
    /// Canonical notation.
    fn text(&self) -> String;
    /// The notation of one position for all that are equal up to symmetry.
    fn class(&self) -> String;
    /// Whose turn it is.
    fn to_move(&self) -> Side;
    /// Whether the game is over, and who has won, if anybody.
    fn ending(&self, play: Play) -> Option<Option<Side>>;
    /// Every move, in a fixed order, until `visit` breaks; none when the game is over.
    fn moves(&self, visit: VisitPosition<'_>) -> ControlFlow<()>;
    /// What the position looks like.
    fn picture(&self) -> Picture;
    /// The value and the moves that keep it. In misère play who would win loses.
    ///
    /// # Complexity
    /// Each position that can be reached is looked at once, up to symmetry.
    ///
    /// # Errors
    /// The limit that was reached.
    fn solve(&self, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop>;
}

impl<R: Rules> AnyPosition for Game<R> {
    fn text(&self) -> String {
        self.rules.write(&self.state)
    }

    fn class(&self) -> String {
        self.rules.write(&self.rules.canonical(&self.state))
    }

    fn to_move(&self) -> Side {
        self.rules.to_move(&self.state)
    }

    fn ending(&self, play: Play) -> Option<Option<Side>> {
        let winner = self.rules.ending(&self.state)?;
        Some(match play {
            Play::Normal => winner,
            Play::Misere => winner.map(Side::other),
        })
    }

    fn moves(&self, visit: VisitPosition<'_>) -> ControlFlow<()> {
        if self.rules.ending(&self.state).is_some() {
            return ControlFlow::Continue(());
        }
        self.rules.options(&self.state, &mut |state, name| {
            visit(name, &|| {
                Arc::new(Self {
                    rules: Arc::clone(&self.rules),
                    state: state.clone(),
                })
            })
        })
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.state)
    }

    fn solve(&self, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop> {
        solve::solve(self, play, limits)
    }
}

impl fmt::Display for dyn AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
