//! Traits of user-defined games: a position type and its options.

use std::fmt::Debug;
use std::hash::Hash;

use grundy_base::outcome::Worth;

/// An impartial game: both players have the same moves.
///
/// `options` is all that has to be written. Positions of such a game take part in sums,
/// explanations, labels and values like those of any other (`Position::of` in the crate `grundy`),
/// and the searches of [`implicit`](crate::implicit) take the rules as they are.
///
/// ```
/// use grundy::{Game, Limits, Position, Solver};
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
    /// A position. The smaller it is, the more of them fit into memory.
    type Position: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// `true` if [`terminal_value`](Self::terminal_value) decides the game, and not the last move.
    const HAS_TERMINAL_VALUES: bool = false;

    /// Returns the positions that are one move away, in any order: good moves first make a search
    /// quick.
    fn options(&self, position: &Self::Position) -> impl IntoIterator<Item = Self::Position>;

    /// Returns the name of the game, as it is written before a position. The default is the name of
    /// the type.
    fn name(&self) -> &'static str {
        name_of_type::<Self>()
    }

    /// Writes a position. Positions that differ are written differently. The default is the text of
    /// `Debug`.
    fn describe(&self, position: &Self::Position) -> String {
        format!("{position:?}")
    }

    /// Names the move between two positions. Without a name a move is told by the position that it
    /// leads to.
    fn name_move(&self, _from: &Self::Position, _to: &Self::Position) -> Option<String> {
        None
    }

    /// Returns the independent components of a position: the position is their sum. None of them
    /// means that nobody can move. The default is the position itself.
    fn components(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Returns one position for all that are equal by a symmetry. The default knows no symmetry.
    fn symmetry(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Returns the result for the player to move of a position without options, in a game that sets
    /// [`HAS_TERMINAL_VALUES`](Self::HAS_TERMINAL_VALUES). `None` is a loss: who cannot move loses.
    fn terminal_value(&self, _position: &Self::Position) -> Option<Worth> {
        None
    }
}

/// A partizan game: each player has moves of his own.
///
/// ```
/// use grundy::{PartizanGame, Position, Solver, Limits, Play, OutcomeClass};
///
/// /// A strip of `T`, `F` and `.`: toads move to the right, frogs to the left, each may jump over one of the others.
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
/// # Ok::<(), grundy::Stop>(())
/// ```
pub trait PartizanGame: Send + Sync + 'static {
    /// A position. The smaller it is, the more of them fit into memory.
    type Position: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// `true` if [`terminal_value`](Self::terminal_value) decides the game, and not the last move.
    const HAS_TERMINAL_VALUES: bool = false;

    /// Returns the positions that Left can move to.
    fn left(&self, position: &Self::Position) -> impl IntoIterator<Item = Self::Position>;

    /// Returns the positions that Right can move to.
    fn right(&self, position: &Self::Position) -> impl IntoIterator<Item = Self::Position>;

    /// Returns the name of the game, as it is written before a position. The default is the name of
    /// the type.
    fn name(&self) -> &'static str {
        name_of_type::<Self>()
    }

    /// Writes a position. Positions that differ are written differently. The default is the text of
    /// `Debug`.
    fn describe(&self, position: &Self::Position) -> String {
        format!("{position:?}")
    }

    /// Names the move between two positions. Without a name a move is told by the position that it
    /// leads to.
    fn name_move(&self, _from: &Self::Position, _to: &Self::Position) -> Option<String> {
        None
    }

    /// Returns the independent components of a position: the position is their sum. None of them
    /// means that nobody can move. The default is the position itself.
    fn components(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Returns one position for all that are equal by a symmetry. The default knows no symmetry.
    fn symmetry(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Returns the result for the player to move of a position without options, in a game that sets
    /// [`HAS_TERMINAL_VALUES`](Self::HAS_TERMINAL_VALUES). `None` is a loss: who cannot move loses.
    fn terminal_value(&self, _position: &Self::Position) -> Option<Worth> {
        None
    }
}

/// Returns the name of a type without its path and its parameters.
fn name_of_type<T: ?Sized>() -> &'static str {
    let name = std::any::type_name::<T>();
    let name = name.split_once('<').map_or(name, |(name, _)| name);
    name.rsplit_once("::").map_or(name, |(_, name)| name)
}
