//! Who wins where positions can come back: retrograde analysis of everything that can be reached.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{LoopyClass, Player, Position, Solution, WinningMove};
use crate::game_graph::{GameGraph, Labelled, game_graph};
use crate::graph::Label;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::step::Move;

/// Everything that can be reached from a position, labelled backwards from the ends for either player to move.
///
/// Play that never ends is a draw.
///
/// ```
/// use grundy::argument::Argument;
/// use grundy::partizan::{Player, Position, Retrograde};
/// use grundy::{Limits, Play, registry};
/// let text = |text: &str| Argument::Text(text.into());
/// let way = |from, to| Argument::List(vec![text(from), text(to)]);
/// let there_and_back = Argument::List(vec![way("a", "b"), way("b", "a")]);
/// let round = registry::construct("graph", &[(None, there_and_back), (None, text("a"))])?;
/// let round: Position = grundy::Position::from(round).into();
/// let stalk = [(None, text("0-1:b"))];
/// let stalk = registry::construct_partizan("hackenbush", &stalk)?;
/// let position = Position { terms: vec![round.terms[0].clone(), stalk] };
/// let labels = Retrograde::new(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(labels.class(&position).unwrap().to_string(), "D");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Retrograde {
    game: GameGraph,
    labelled: Labelled,
}

impl Retrograde {
    /// Finds and labels everything that can be reached from `position`.
    ///
    /// # Complexity
    /// One visit to every move of every position.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn new(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        let game = game_graph(position, limits)?;
        let labelled = Labelled::new(&game, play, limits)?;
        Ok(Self { game, labelled })
    }

    /// The number of positions, each with either player to move.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.game.positions()
    }

    /// The label of a position with `player` to move; nothing where it cannot be reached.
    #[must_use]
    pub fn label(&self, position: &Position, player: Player) -> Option<Label> {
        let vertex = self.vertex(&position.to_string(), player)?;
        Some(self.labelled.label(vertex))
    }

    /// Who wins; nothing where the position cannot be reached.
    #[must_use]
    pub fn class(&self, position: &Position) -> Option<LoopyClass> {
        let [left, right] = Player::BOTH.map(|player| self.label(position, player));
        let (left, right) = (left?.outcome, right?.outcome);
        Some(LoopyClass::from_outcomes([left, right]))
    }

    /// The best move of `player`, the term that it is made in, and the position after it: the quickest win, else a move that
    /// keeps the draw, else the longest loss. Nothing where there is no move, or where the position cannot be reached.
    ///
    /// Who always makes it wins every position that can be won.
    #[must_use]
    pub fn best(&self, position: &Position, player: Player) -> Option<(Move, usize, Position)> {
        let vertex = self.vertex(&position.to_string(), player)?;
        let best = self.labelled.best(&self.game, vertex)?;
        let wanted = self.game.names.get(self.game.position(best));
        let mut found = None;
        let _ = position.moves(player, &mut |component, name, to| {
            let to = to();
            if to.to_string() != wanted {
                return ControlFlow::Continue(());
            }
            found = Some((name(), component, to));
            ControlFlow::Break(())
        });
        found
    }

    /// Who wins, and all winning moves; nothing where the position cannot be reached.
    ///
    /// # Errors
    /// What interrupted it.
    pub fn solution(
        self: &Arc<Self>,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<Option<Solution>, Stop> {
        let Some(class) = self.class(position) else {
            return Ok(None);
        };
        Ok(Some(Solution {
            class,
            value: None,
            theorem: None,
            method: "retrograde analysis",
            left: self.winning_moves(position, Player::Left, limits)?,
            right: self.winning_moves(position, Player::Right, limits)?,
            moves_complete: true,
            labels: Some(Arc::clone(self)),
        }))
    }

    /// The moves of `player` after which the other one, to move, loses.
    fn winning_moves(
        &self,
        position: &Position,
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<WinningMove>, Stop> {
        let (mut found, mut stop) = (Vec::new(), Ok(()));
        let flow = position.moves(player, &mut |component, name, to| {
            stop = limits.poll();
            if stop.is_err() {
                return ControlFlow::Break(());
            }
            let to = to();
            let label = self.label(&to, player.other());
            if label.is_some_and(|label| label.outcome == Outcome::P) {
                let mv = name();
                found.push(WinningMove { component, mv, to });
            }
            ControlFlow::Continue(())
        });
        stop?;
        match flow {
            ControlFlow::Continue(()) => Ok(found),
            // Nobody here asked for the end: the rules could not go on.
            ControlFlow::Break(()) => Err(Stop::Rules),
        }
    }

    fn vertex(&self, name: &str, player: Player) -> Option<u32> {
        let position = self.game.names.find(name)?;
        Some(self.game.shape.turns() * position + player as u32)
    }
}
