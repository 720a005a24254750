//! Partizan games at the table: Left moves first.

use std::ops::ControlFlow;

use grundy::Play;
use grundy::partizan::{Class, Player, Position, Solution, explain, solve};
use grundy::step::{Move, Step};

use super::{Choice, Standing, Table};
use crate::failure::Failure;
use crate::session::Session;

pub(super) struct Partizan<'a> {
    play: Play,
    session: &'a Session,
}

impl<'a> Partizan<'a> {
    pub(super) fn new(play: Play, session: &'a Session) -> Self {
        Self { play, session }
    }

    fn solve(&self, position: &Position) -> Result<Solution, Failure> {
        Ok(solve(position, self.play, &self.session.limits())?)
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
        let class = self.solve(position)?.class;
        let wins = match player(turn) {
            Player::Left => matches!(class, Class::L | Class::N),
            Player::Right => matches!(class, Class::R | Class::N),
        };
        Ok(Standing::of_win(wins))
    }

    fn at_the_end(&self, _: &Position, _: usize) -> Result<Standing, Failure> {
        Ok(Standing::of_win(self.play == Play::Misere))
    }

    fn letter(&mut self, position: &Position, _: usize) -> Result<String, Failure> {
        Ok(self.solve(position)?.class.to_string())
    }

    /// A winning move, or where there is none the move after which the opponent has fewest ways to win.
    fn choose(
        &mut self,
        position: &Position,
        turn: usize,
        moves: &[Choice<Position>],
    ) -> Result<Choice<Position>, Failure> {
        let solution = self.solve(position)?;
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
