//! Questions about a game in progress, and about practice.

use std::path::PathBuf;

use grundy_core::{Play, Player};
use grundy_play::playing::PERFECT;
use grundy_play::practice::{HARDEST, QuestionKind};
use serde::Deserialize;

use super::family::usual_level;
use super::{PlayWord, PlayerWord, PositionSource};
use crate::keys::at_most;

/// A game in progress: its first position and its moves.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Played {
    /// The first position of the game.
    #[serde(rename = "game")]
    pub source: PositionSource,
    /// Normal or misère play.
    #[serde(default, with = "PlayWord")]
    pub play: Play,
    /// The player who moves first, if either player may.
    #[serde(default, with = "PlayerWord")]
    pub begins: Player,
    /// The moves that have been made, in the format of
    /// [`Playing::replay`](grundy_play::Playing::replay).
    #[serde(default)]
    pub moves: String,
    /// The tablebase from which outcomes are read. `None` if positions are solved instead.
    pub table: Option<PathBuf>,
}

/// A question about a game in progress. Its JSON object contains the keys of the question and those
/// of [`Played`].
pub trait OfGame {
    /// Returns the game that the question is about.
    fn played(&mut self) -> &mut Played;
}

/// `board`: a question for the board of a game and the legal moves.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BoardQuestion {
    /// The game.
    #[serde(skip)]
    pub played: Played,
    /// Draw on a dark background.
    #[serde(default)]
    pub dark: bool,
}

/// `analyse`: a question for the solution of the present position and the outcome of each move.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Analyse {
    /// The game.
    #[serde(skip)]
    pub played: Played,
}

/// `review`: a question for the mistakes in the moves of a game.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Review {
    /// The game.
    #[serde(skip)]
    pub played: Played,
}

/// `reply`: a question for the move that the program makes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Reply {
    /// The game.
    #[serde(skip)]
    pub played: Played,
    /// The strength of the program, from 0 (any move) to [`PERFECT`].
    #[serde(
        default = "perfect",
        deserialize_with = "at_most::<{ PERFECT as u64 }, _, _>"
    )]
    pub level: u8,
    /// Seed of the random choice of mistakes.
    #[serde(default)]
    pub seed: u64,
}

fn perfect() -> u8 {
    PERFECT
}

/// `hint`: a question for a hint to the player to move.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Hint {
    /// The game.
    #[serde(skip)]
    pub played: Played,
    /// The extent of the hint. 1: whether a winning move exists; 2: also the move; 3: also the
    /// reason.
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

/// `practice`: a question for a random task. If `answer` is set, the question asks instead to judge
/// this answer of the user to the task.
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
    /// The kind of task. If no random position permits this kind, the task is to find the winner.
    #[serde(default)]
    pub ask: QuestionKind,
    /// The difficulty of the task, from 0 to [`HARDEST`].
    #[serde(
        default = "usual_level",
        deserialize_with = "at_most::<{ HARDEST as u64 }, _, _>"
    )]
    pub level: u8,
    /// Seed of the random position. The same seed gives the same task.
    #[serde(default)]
    pub seed: u64,
    /// The user's answer to the task, if it is to be judged.
    pub answer: Option<String>,
}
