//! The value of a game.

use grundy_base::dyadic::Dyadic;

/// The value of a game, in the theory that has one for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameValue {
    /// The Sprague–Grundy value.
    Nimber(u64),
    /// An infinite value of Smith and Fraenkel, with its set K: the finite values among the
    /// options, in order.
    Infinity(Vec<u64>),
    /// The canonical form of a partizan game.
    Short {
        /// The canonical notation.
        text: String,
        /// The number, if the value is one.
        number: Option<Dyadic>,
    },
}
