//! Traits of user-defined games: a position type and its options.

use std::fmt::Debug;
use std::hash::Hash;

use grundy_base::outcome::PayoffResult;

/// An impartial game: both players have the same moves.
///
/// Only `options` is required. `Position::of` in the crate `grundy` makes a position of such a game
/// usable like one of a built-in game. It can be a term of a sum, and it can be labelled, evaluated
/// and explained. The searches in [`implicit`](crate::implicit) use the trait directly.
///
/// ```
/// use grundy_core::{Game, Limits, Position, Solver};
///
/// /// Take a square number of chips.
/// struct Squares;
///
/// impl Game for Squares {
///     type Position = u64;
///
///     fn options(&self, n: &u64) -> impl IntoIterator<Item = u64> {
///         (1..).map(|k| k * k).take_while(move |square| square <= n).map(move |square| n - square)
///     }
/// }
///
/// let heap = Position::of(Squares, 100);
/// assert_eq!(heap.to_string(), "Squares(100)");
/// assert_eq!(Solver::default().grundy(&heap, &Limits::default()), Ok(4));
/// ```
pub trait Game: Send + Sync + 'static {
    /// The type of a position. It should be small, since searches keep many positions in memory.
    type Position: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// `true` if the result of the game is given by [`terminal_value`](Self::terminal_value), and
    /// not by the rule that the last move wins. It need not be set if the play in which both
    /// players choose their first option ends within 100 moves, and with a terminal value.
    const HAS_TERMINAL_VALUES: bool = false;

    /// Returns the options of a position in any order. Searches are faster if good moves come
    /// first.
    fn options(&self, position: &Self::Position) -> impl IntoIterator<Item = Self::Position>;

    /// Returns the name of the game. In text, it precedes a position. The default is the name of
    /// the type.
    fn name(&self) -> &'static str {
        name_of_type::<Self>()
    }

    /// Returns the text of a position. Different positions must have different texts. The default
    /// is the output of `Debug`.
    fn describe(&self, position: &Self::Position) -> String {
        format!("{position:?}")
    }

    /// Returns the name of the move from one position to another. If the move has no name, returns
    /// `None`, and texts show the position that the move leads to.
    fn name_move(&self, _from: &Self::Position, _to: &Self::Position) -> Option<String> {
        None
    }

    /// Returns independent components whose sum is the position. An empty list means a position
    /// without moves. By default, the position itself is the only component.
    fn components(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Returns the same representative for all positions that are equal by symmetry. By default, a
    /// position represents itself.
    fn symmetry(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Returns the result of a position without options, for the player to move. `None` means the
    /// usual rule that a player who cannot move loses. In misère play, wins and losses are
    /// exchanged.
    fn terminal_value(&self, _position: &Self::Position) -> Option<PayoffResult> {
        None
    }
}

/// A partizan game: Left and Right have different moves.
///
/// ```
/// use grundy_core::{PartizanGame, Position, Solver, Limits, Play, OutcomeClass};
///
/// /// A strip of `T`, `F` and `.`. Toads move to the right and frogs to the left. Either may jump
/// /// over one animal of the other kind.
/// struct Toads;
///
/// fn moves(strip: &[u8], own: u8, other: u8, step: isize) -> Vec<Vec<u8>> {
///     let at = |place: usize| strip.get(place).copied();
///     let from = (0..strip.len()).filter(|&place| strip[place] == own);
///     let to = from.filter_map(|place| {
///         let next = place.checked_add_signed(step)?;
///         let jump = next.checked_add_signed(step);
///         match (at(next)?, jump.and_then(at)) {
///             (b'.', _) => Some((place, next)),
///             (over, Some(b'.')) if over == other => Some((place, jump?)),
///             _ => None,
///         }
///     });
///     let to = to.map(|(from, to)| {
///         let mut strip = strip.to_vec();
///         strip.swap(from, to);
///         strip
///     });
///     to.collect()
/// }
///
/// impl PartizanGame for Toads {
///     type Position = Vec<u8>;
///
///     fn left(&self, strip: &Vec<u8>) -> impl IntoIterator<Item = Vec<u8>> {
///         moves(strip, b'T', b'F', 1)
///     }
///
///     fn right(&self, strip: &Vec<u8>) -> impl IntoIterator<Item = Vec<u8>> {
///         moves(strip, b'F', b'T', -1)
///     }
/// }
///
/// let strip = Position::of_partizan(Toads, b"TF.TF.".to_vec());
/// let solution = Solver::default().solve(&strip, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.class(), OutcomeClass::P);
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub trait PartizanGame: Send + Sync + 'static {
    /// The type of a position. It should be small, since searches keep many positions in memory.
    type Position: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// `true` if the result of the game is given by [`terminal_value`](Self::terminal_value), and
    /// not by the rule that the last move wins. It need not be set if the play in which both
    /// players choose their first option ends within 100 moves, and with a terminal value.
    const HAS_TERMINAL_VALUES: bool = false;

    /// Returns the Left options of a position.
    fn left(&self, position: &Self::Position) -> impl IntoIterator<Item = Self::Position>;

    /// Returns the Right options of a position.
    fn right(&self, position: &Self::Position) -> impl IntoIterator<Item = Self::Position>;

    /// Returns the name of the game. In text, it precedes a position. The default is the name of
    /// the type.
    fn name(&self) -> &'static str {
        name_of_type::<Self>()
    }

    /// Returns the text of a position. Different positions must have different texts. The default
    /// is the output of `Debug`.
    fn describe(&self, position: &Self::Position) -> String {
        format!("{position:?}")
    }

    /// Returns the name of the move from one position to another. If the move has no name, returns
    /// `None`, and texts show the position that the move leads to.
    fn name_move(&self, _from: &Self::Position, _to: &Self::Position) -> Option<String> {
        None
    }

    /// Returns independent components whose sum is the position. An empty list means a position
    /// without moves. By default, the position itself is the only component.
    fn components(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Returns the same representative for all positions that are equal by symmetry. By default, a
    /// position represents itself.
    fn symmetry(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Returns the result of a position without options, for the player to move. `None` means the
    /// usual rule that a player who cannot move loses. In misère play, wins and losses are
    /// exchanged.
    fn terminal_value(&self, _position: &Self::Position) -> Option<PayoffResult> {
        None
    }
}

/// Returns the name of a type without its path and without its type parameters.
fn name_of_type<T: ?Sized>() -> &'static str {
    let name = std::any::type_name::<T>();
    let name = name.split_once('<').map_or(name, |(name, _)| name);
    name.rsplit_once("::").map_or(name, |(_, name)| name)
}
