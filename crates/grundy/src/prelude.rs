//! The names that most programs need: `use grundy::prelude::*;`.

#[cfg(feature = "explain")]
pub use crate::Language;
#[cfg(feature = "draw")]
pub use crate::Picture;
pub use crate::games;
pub use crate::{
    Answer, CancelHandle, Digraph, Dyadic, Error, ErrorKind, Family, Game, Labels, Limit, Matrix,
    MisereQuotient, MisereValue, Move, Nimber, Outcome, PartizanGame, PayoffResult, Period, Place,
    Play, Player, Playing, Position, Progress, Solver, Status, Thermograph, Value, Verdict,
};
