//! The interface of games from which trees can be built.

use std::hash::Hash;

use grundy_base::step::Step;
use grundy_base::{Flow, PayoffResult, Player, Stop};

/// A game from which a tree can be built. Two players move in turn, and there is a result at the
/// end.
///
/// When a [`Tree`](crate::Tree) is built, the moves of each position are requested once for each
/// player to move. Two positions with the same name count as the same position.
pub trait TreeSource {
    /// The type of a position.
    type Position: Clone;
    /// The type of the class of a position. Positions that are equal up to symmetry have equal
    /// classes.
    type Class: Eq + Hash;

    /// Returns the position in which the game starts.
    fn start(&self) -> Self::Position;

    /// Returns the player who moves first.
    fn first_player(&self) -> Player;

    /// Returns the names of the players, first that of Left.
    fn players(&self) -> [String; 2];

    /// Calls `visit` for each move of a player, until `visit` breaks. The arguments of `visit` are
    /// the move and the resulting position.
    fn moves(
        &self,
        position: &Self::Position,
        player: Player,
        visit: &mut dyn FnMut(Step, Self::Position) -> Flow,
    ) -> Flow;

    /// Returns the result for `player`, who is to move but has no moves.
    ///
    /// # Errors
    /// A player who cannot move, if the rules define no result for this position.
    fn terminal_result(
        &self,
        position: &Self::Position,
        player: Player,
    ) -> Result<PayoffResult, Stop>;

    /// Returns the name of a position, which is the label of its node. Different positions must
    /// have different names.
    fn name(&self, position: &Self::Position) -> String;

    /// Returns a short form of the name of a position.
    fn caption(&self, position: &Self::Position) -> String {
        self.name(position)
    }

    /// Returns the rows of the board in a position, if the game is played on a board.
    fn board(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Returns the class of a position. Positions that are equal up to symmetry have the same
    /// class.
    fn class(&mut self, position: &Self::Position) -> Self::Class;
}
