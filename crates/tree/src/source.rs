//! Where a tree comes from: a game as its positions and moves.

use std::hash::Hash;

use grundy_base::step::Step;
use grundy_base::{Flow, Player, Stop, Worth};

/// A game that a tree can be laid out of: two players who move in turn, and what the end is worth.
///
/// A [`Tree`](crate::Tree) asks each position for its moves once for each player to move, and knows
/// positions by their names.
pub trait TreeSource {
    /// A position.
    type Position: Clone;
    /// What is the same for positions that are one up to symmetry.
    type Class: Eq + Hash;

    /// Where the game begins.
    fn start(&self) -> Self::Position;

    /// Who moves there.
    fn first_player(&self) -> Player;

    /// Returns the names of the players, Left's first.
    fn players(&self) -> [String; 2];

    /// Returns the moves of a player, each with the position that it leads to, until `visit`
    /// breaks.
    fn moves(
        &self,
        position: &Self::Position,
        player: Player,
        visit: &mut dyn FnMut(Step, Self::Position) -> Flow,
    ) -> Flow;

    /// What a position in which `player` should move and cannot is worth to this player.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn worth_at_the_end(&self, position: &Self::Position, player: Player) -> Result<Worth, Stop>;

    /// What is written at the node of a position; no two have the same.
    fn name(&self, position: &Self::Position) -> String;

    /// Returns a short form of the name, for people.
    fn caption(&self, position: &Self::Position) -> String {
        self.name(position)
    }

    /// Returns the rows of its board, if it is played on one.
    fn board(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Returns its class up to symmetry.
    fn class(&mut self, position: &Self::Position) -> Self::Class;
}
