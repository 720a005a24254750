//! A game in progress.

use std::borrow::Borrow;

use grundy_base::{OutcomeClass as Outcome, Play, Player};
use grundy_core::position::Choice;

use crate::{Error, ErrorKind, Move, Position, Solver};

/// A game in progress: the position, the player to move, and the moves made so far.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let mut game = Playing::new(games::nim([3, 4, 5]));
/// let best = game.best()?;
/// game.make(best)?;
/// assert_eq!(game.position(), &games::nim([1, 4, 5]));
/// assert_eq!(game.mover(), Player::Right);
/// assert!(game.undo());
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Playing {
    /// The positions from the start to the present one.
    positions: Vec<Position>,
    moves: Vec<Move>,
    first: Player,
    play: Play,
    solver: Solver,
}

/// Largest number of positions that are searched for the length of a loss.
const MAX_LABELLED: u64 = 200_000;

impl Playing {
    /// Creates a game in normal play that starts at the position. Left moves first, unless the
    /// position fixes the player to move.
    ///
    /// # Examples
    /// See [`Playing`].
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self {
            first: start.sum.first_player(),
            positions: vec![start],
            moves: Vec::new(),
            play: Play::Normal,
            solver: Solver::new(),
        }
    }

    /// Sets the convention of play.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut game = Playing::new(games::nim([1, 2])).with_play(Play::Misere);
    /// assert_eq!(game.best()?.position(), &games::nim([1, 0]));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_play(mut self, play: Play) -> Self {
        self.play = play;
        self
    }

    /// Sets the player who moves first. This has no effect if the position fixes that player.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let game = Playing::new(games::nim([1])).with_first_player(Player::Right);
    /// assert_eq!(game.mover(), Player::Right);
    /// ```
    #[must_use]
    pub fn with_first_player(mut self, player: Player) -> Self {
        let nature = self.positions[0].sum.nature();
        if nature.is_impartial() || nature.beginners().contains(&player) {
            self.first = player;
        }
        self
    }

    /// Sets the solver that finds the best moves, with its limits.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let solver = Solver::new().max_positions(1_000);
    /// let game = Playing::new(games::nim([1])).with_solver(solver);
    /// assert!(!game.is_over()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// Returns the present position.
    ///
    /// # Examples
    /// See [`Playing`].
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Returns the player to move.
    ///
    /// # Examples
    /// See [`Playing`].
    #[must_use]
    pub fn mover(&self) -> Player {
        if self.moves.len().is_multiple_of(2) {
            self.first
        } else {
            self.first.other()
        }
    }

    /// Returns the moves made so far, in order.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(Playing::new(games::nim([1])).history().is_empty());
    /// ```
    #[must_use]
    pub fn history(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the moves of the player to move.
    ///
    /// # Errors
    /// As [`Position::moves`].
    ///
    /// # Complexity
    /// As [`Position::moves`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Playing::new(games::nim([3])).moves()?.len(), 3);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn moves(&self) -> Result<Vec<Move>, Error> {
        self.position().moves(self.mover())
    }

    /// Returns whether the player to move has no move.
    ///
    /// # Errors
    /// A sum that does not exist.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(Playing::new(games::nim([0])).is_over()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_over(&self) -> Result<bool, Error> {
        Ok(!self.position().valid()?.has_move(self.mover())?)
    }

    /// Makes a move of the player to move.
    ///
    /// # Errors
    /// No move leads from the present position to the position after `mv`.
    ///
    /// # Complexity
    /// O(m) for m moves of the position.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut game = Playing::new(games::nim([3]));
    /// let taken = game.moves()?.remove(0);
    /// game.make(taken.clone())?;
    /// assert_eq!(game.make(taken).unwrap_err().kind(), ErrorKind::IllegalMove);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn make(&mut self, mv: impl Borrow<Move>) -> Result<(), Error> {
        let target = mv.borrow().position();
        let sum = self.position().valid()?;
        let found = sum.first_move(self.mover(), |to| Ok(*to == target.sum))?;
        let Some(Choice { component, mv, to }) = found else {
            let (from, to) = (self.position(), target);
            let message = format!("no move leads from {from} to {to}");
            return Err(Error::new(ErrorKind::IllegalMove, message));
        };
        // The argument may be a move of another position, with another name.
        let legal = Move::new(sum, component, mv, to.into(), 1);
        self.positions.push(legal.position().clone());
        self.moves.push(legal);
        Ok(())
    }

    /// Takes back the last move. Returns `false` if there is none.
    ///
    /// # Examples
    /// See [`Playing`].
    pub fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        self.positions.truncate(self.moves.len() + 1);
        undone
    }

    /// Returns the outcome class of the present position.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    ///
    /// # Complexity
    /// As [`Solver::outcome`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Playing::new(games::nim([3, 3])).outcome()?, Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn outcome(&mut self) -> Result<Outcome, Error> {
        let position = self.positions[self.moves.len()].clone();
        self.solver.outcome(&position, self.play)
    }

    /// Returns a best move: one that wins, else one that keeps a draw, else one that loses as late
    /// as possible. If the lengths of losses need too long a search, any losing move is returned.
    ///
    /// # Errors
    /// The game is over, or a limit of the solver was reached.
    ///
    /// # Complexity
    /// That of solving the position, and, if it is lost, of labelling the positions that can be
    /// reached.
    ///
    /// # Examples
    /// See [`Playing`].
    pub fn best(&mut self) -> Result<Move, Error> {
        let (position, mover) = (self.position().clone(), self.mover());
        let solved = self.solver.solve_as(&position, self.play);
        // At a limit, a winning move may already be known.
        let known = solved.as_ref().map_or_else(Error::partial, Some);
        if let Some(winning) =
            known.and_then(|known| known.winning_moves_of(mover).first().cloned())
        {
            return Ok(winning);
        }
        let answer = solved?;
        let moves = self.moves()?;
        let Some(first) = moves.first() else {
            return Err(Error::new(ErrorKind::IllegalMove, "the game is over"));
        };
        if answer.outcome().winner(mover).is_none() {
            for mv in &moves {
                let after = self.solver.outcome(mv.position(), self.play)?;
                if after.winner(mover.other()).is_none() {
                    return Ok(mv.clone());
                }
            }
        }
        let late = |mv: &&Move| {
            let lengths = self
                .solver
                .remoteness_within(mv.position(), self.play, MAX_LABELLED);
            // A position of a partizan game has one length for each player who may begin.
            lengths.ok().and_then(|lengths| {
                let index = if lengths.len() == 2 {
                    mover.other() as usize
                } else {
                    0
                };
                lengths[index]
            })
        };
        Ok(moves.iter().max_by_key(late).unwrap_or(first).clone())
    }
}
