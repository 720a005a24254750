//! Questions about a game in progress, and about practice.

use std::path::PathBuf;

use grundy::{Play, Player};
use grundy_play::playing::PERFECT;
use grundy_play::practice::{Ask, HARDEST};
use serde::Deserialize;

use super::family::usual_level;
use super::{PlayWord, PlayerWord, PositionSource};
use crate::keys::at_most;

/// A game in progress: its start and its moves.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Played {
    /// The first position.
    #[serde(rename = "game")]
    pub source: PositionSource,
    /// Normal or misère play.
    #[serde(default, with = "PlayWord")]
    pub play: Play,
    /// The player who moves first, if either may.
    #[serde(default, with = "PlayerWord")]
    pub begins: Player,
    /// The moves so far, as [`Playing::replay`](grundy_play::Playing::replay) reads them.
    #[serde(default)]
    pub moves: String,
    /// The tablebase that provides the outcomes; by default positions are solved.
    pub table: Option<PathBuf>,
}

/// A question about a game in progress. The object has the keys of the question and those of the
/// game.
pub trait OfGame {
    /// Returns the game.
    fn played(&mut self) -> &mut Played;
}

/// `board`: the board of a game, and the legal moves.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BoardQuestion {
    /// The game.
    #[serde(skip)]
    pub played: Played,
    /// Draw on a dark background.
    #[serde(default)]
    pub dark: bool,
}

/// `analyse`: the solution of the current position, and the outcome of each move.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Analyse {
    /// The game.
    #[serde(skip)]
    pub played: Played,
}

/// `review`: the course of a game, with its mistakes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Review {
    /// The game.
    #[serde(skip)]
    pub played: Played,
}

/// `reply`: the program's move.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Reply {
    /// The game.
    #[serde(skip)]
    pub played: Played,
    /// The strength, from 0 (any move) to [`PERFECT`].
    #[serde(
        default = "perfect",
        deserialize_with = "at_most::<{ PERFECT as u64 }, _, _>"
    )]
    pub level: u8,
    /// Seed of the mistakes.
    #[serde(default)]
    pub seed: u64,
}

fn perfect() -> u8 {
    PERFECT
}

/// `hint`: a hint for the player to move.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Hint {
    /// The game.
    #[serde(skip)]
    pub played: Played,
    /// 1: whether a winning move exists; 2: also the move; 3: also the reason.
    #[serde(default = "first", deserialize_with = "at_most::<3, _, _>")]
    pub stage: u8,
}

fn first() -> u8 {
    1
}

impl OfGame for BoardQuestion {
    fn played(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl OfGame for Analyse {
    fn played(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl OfGame for Review {
    fn played(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl OfGame for Reply {
    fn played(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl OfGame for Hint {
    fn played(&mut self) -> &mut Played {
        &mut self.played
    }
}

/// `practice`: a random task, or the verdict on an answer.
#[derive(Clone, Debug, Deserialize)]
pub struct Practise {
    /// The name of a game, or a position with free variables.
    pub game: String,
    /// The ranges of the variables, such as `n=3..12`.
    #[serde(default)]
    pub ranges: Vec<String>,
    /// Normal or misère play.
    #[serde(default, with = "PlayWord")]
    pub play: Play,
    /// The type of task, if the position permits it.
    #[serde(default)]
    pub ask: Ask,
    /// The difficulty, from 0 to [`HARDEST`].
    #[serde(
        default = "usual_level",
        deserialize_with = "at_most::<{ HARDEST as u64 }, _, _>"
    )]
    pub level: u8,
    /// Seed of the position. The same seed gives the same task.
    #[serde(default)]
    pub seed: u64,
    /// The answer to be judged, if there is one.
    pub answer: Option<String>,
}
