//! The names that most programs need: `use grundy::prelude::*;`.

#[cfg(feature = "explain")]
pub use crate::Language;
pub use crate::games;
pub use crate::{
    Answer, Digraph, Error, Family, Game, Matrix, MisereValue, Move, Nimber, Outcome, PartizanGame,
    Play, Player, Playing, Position, Solver, Value,
};
