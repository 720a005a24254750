//! The value of a game.

use grundy_base::dyadic::Dyadic;

/// The value of a game, in one of the theories of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameValue {
    /// The Sprague–Grundy value.
    Nimber(u64),
    /// An infinite Smith–Fraenkel value. Its set K contains the finite values of the options, in
    /// ascending order.
    Infinity(Vec<u64>),
    /// The canonical form of a partizan game.
    Short {
        /// The form in canonical notation.
        text: String,
        /// The value as a number, if it is one.
        number: Option<Dyadic>,
    },
}
