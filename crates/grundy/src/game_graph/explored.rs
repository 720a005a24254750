//! What can be explored: positions of every kind.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{GameGraph, Shape};
use crate::limits::Stop;
use crate::outcome::Play;
use crate::partizan::{self, Player};
use crate::position::Position;
use crate::ties::{self, AnyPosition, Next};

/// A position whose game graph can be found. Two positions of the same text are the same.
pub trait Explored: Clone + fmt::Display {
    /// What the vertices of its game graph are; no end has been met yet.
    fn shape(&self) -> Shape;

    /// The game graph, where the position is a vertex of one: that vertex comes first.
    fn given(&self) -> Option<GameGraph> {
        None
    }

    /// Visits the positions after a move of the player with this turn, of [`Shape::turns`], until `visit` breaks; where the
    /// rules say what the end of the game is worth to the player to move in normal play, that is returned.
    ///
    /// # Errors
    /// [`Stop::Rules`] where the rules have no answer, or where `visit` broke.
    fn follow(
        &self,
        turn: u32,
        visit: VisitPosition<'_, Self>,
    ) -> Result<Option<ties::Value>, Stop>;
}

/// Receives a way to ask for a position after a move.
pub type VisitPosition<'a, P> = &'a mut dyn FnMut(&dyn Fn() -> P) -> ControlFlow<()>;

fn flowed(flow: ControlFlow<()>) -> Result<Option<ties::Value>, Stop> {
    match flow {
        ControlFlow::Continue(()) => Ok(None),
        ControlFlow::Break(()) => Err(Stop::Rules),
    }
}

/// A position whose terms are all impartial; for others, see [`partizan::Position`].
impl Explored for Position {
    fn shape(&self) -> Shape {
        Shape::Impartial
    }

    fn given(&self) -> Option<GameGraph> {
        let [term] = &self.terms[..] else {
            return None;
        };
        let (network, start) = term.network()?;
        Some(network.part_from(start).into())
    }

    fn follow(&self, _: u32, visit: VisitPosition<'_, Self>) -> Result<Option<ties::Value>, Stop> {
        if self.terms.iter().any(|term| !term.impartial()) {
            return Err(Stop::NotImpartial);
        }
        flowed(self.moves(&mut |_, _, to| visit(to)))
    }
}

impl Explored for partizan::Position {
    fn shape(&self) -> Shape {
        Shape::Partizan
    }

    fn follow(
        &self,
        turn: u32,
        visit: VisitPosition<'_, Self>,
    ) -> Result<Option<ties::Value>, Stop> {
        let player = Player::BOTH[turn as usize];
        flowed(self.moves(player, &mut |_, _, to| visit(to)))
    }
}

impl Explored for Arc<dyn AnyPosition> {
    fn shape(&self) -> Shape {
        Shape::Ties(Vec::new())
    }

    fn follow(&self, _: u32, visit: VisitPosition<'_, Self>) -> Result<Option<ties::Value>, Stop> {
        match self.next(Play::Normal)? {
            Next::Over(winner) => Ok(Some(match winner {
                None => ties::Value::Tie,
                Some(side) if side == self.to_move() => ties::Value::Win,
                Some(_) => ties::Value::Lose,
            })),
            Next::Moves(moves) => flowed(
                moves
                    .iter()
                    .try_for_each(|(_, to)| visit(&|| Arc::clone(to))),
            ),
        }
    }
}
