//! Partizan games at the table: Left moves first.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy::Play;
use grundy::partizan::{Player, Position, Retrograde, Solution, explain, solve};
use grundy::step::{Move, Step};

use super::{Choice, Standing, Table};
use crate::failure::Failure;
use crate::session::Session;

pub(super) struct Partizan<'a> {
    play: Play,
    session: &'a Session,
    /// What is known of everything that can be reached, once positions have come back.
    labels: Option<Arc<Retrograde>>,
    /// The positions and players that a move was chosen for, with the number of moves made before.
    chosen: HashMap<(String, Player), usize>,
}

impl<'a> Partizan<'a> {
    pub(super) fn new(play: Play, session: &'a Session) -> Self {
        Self {
            play,
            session,
            labels: None,
            chosen: HashMap::new(),
        }
    }

    fn solve(&mut self, position: &Position) -> Result<Solution, Failure> {
        let limits = self.session.limits();
        if let Some(labels) = &self.labels
            && let Some(solution) = labels.solution(position, &limits)?
        {
            return Ok(solution);
        }
        let solution = solve(position, self.play, &limits)?;
        if solution.labels.is_some() {
            self.labels.clone_from(&solution.labels);
        }
        Ok(solution)
    }

    /// A search proves that a move wins, and not that it brings the end nearer: where a position has come back, everything is
    /// labelled, unless that is too much.
    fn notice(&mut self, position: &Position, turn: usize) {
        let key = (position.to_string(), player(turn));
        let before = *self.chosen.entry(key).or_insert(turn);
        if before != turn && self.labels.is_none() {
            let labels = Retrograde::new(position, self.play, &self.session.limits());
            self.labels = labels.ok().map(Arc::new);
        }
    }
}

fn player(turn: usize) -> Player {
    Player::BOTH[turn % 2]
}

impl Table for Partizan<'_> {
    type Position = Position;

    fn greeting(&self) -> Option<&'static str> {
        Some("play_left_first")
    }

    fn terms(position: &Position) -> usize {
        position.terms.len()
    }

    fn moves(
        &self,
        position: &Position,
        turn: usize,
        visit: &mut dyn FnMut(&dyn Fn() -> Move, usize, &dyn Fn() -> Position) -> bool,
    ) {
        let _ = position.moves(player(turn), &mut |term, name, to| {
            if visit(name, term, to) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }

    fn standing(&mut self, position: &Position, turn: usize) -> Result<Standing, Failure> {
        let wins = self.solve(position)?.class.wins(player(turn));
        Ok(wins.map_or(Standing::Draws, Standing::of_win))
    }

    fn at_the_end(&self, _: &Position, _: usize) -> Result<Standing, Failure> {
        Ok(Standing::of_win(self.play == Play::Misere))
    }

    fn letter(&mut self, position: &Position, _: usize) -> Result<String, Failure> {
        Ok(self.solve(position)?.class.to_string())
    }

    /// A winning move, or where there is none the move after which the opponent has fewest ways to win. Where positions come
    /// back: the quickest win, a move that keeps the draw, or the longest loss.
    fn choose(
        &mut self,
        position: &Position,
        turn: usize,
        moves: &[Choice<Position>],
    ) -> Result<Choice<Position>, Failure> {
        self.notice(position, turn);
        let solution = self.solve(position)?;
        if let Some(labels) = &self.labels
            && let Some(best) = labels.best(position, player(turn))
        {
            return Ok(best);
        }
        let [winning, _] = sides(&solution, player(turn));
        if let Some(winning) = winning.first() {
            let winning = winning.clone();
            return Ok((winning.mv, winning.component, winning.to));
        }
        let mut best: Option<(usize, &Choice<Position>)> = None;
        for option in moves.iter().take(200) {
            let after = self.solve(&option.2)?;
            let [_, answers] = sides(&after, player(turn));
            if best.is_none_or(|(least, _)| answers.len() < least) {
                best = Some((answers.len(), option));
            }
        }
        Ok(best.map_or(&moves[0], |(_, option)| option).clone())
    }

    fn why(&mut self, position: &Position, _: usize) -> Result<Vec<Step>, Failure> {
        let solution = self.solve(position)?;
        Ok(explain(
            position,
            self.play,
            &solution,
            &self.session.limits(),
        )?)
    }
}

/// The winning moves of the player and of its opponent.
fn sides(solution: &Solution, player: Player) -> [&[grundy::partizan::WinningMove]; 2] {
    match player {
        Player::Left => [&solution.left, &solution.right],
        Player::Right => [&solution.right, &solution.left],
    }
}
