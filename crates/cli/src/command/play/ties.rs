//! Games that can end in a tie at the table.

use std::sync::Arc;

use grundy::Play;
use grundy::step::{Move, Step};
use grundy::ties::{AnyPosition, Next, Solution, Value};

use super::{Choice, Standing, Table};
use crate::failure::Failure;
use crate::session::Session;

pub(super) struct Ties<'a> {
    play: Play,
    session: &'a Session,
}

impl<'a> Ties<'a> {
    pub(super) fn new(play: Play, session: &'a Session) -> Self {
        Self { play, session }
    }

    fn solve(&self, position: &dyn AnyPosition) -> Result<Solution, Failure> {
        Ok(position.solve(self.play, &self.session.limits())?)
    }
}

fn standing(value: Value) -> Standing {
    match value {
        Value::Win => Standing::Wins,
        Value::Tie => Standing::Draws,
        Value::Lose => Standing::Loses,
    }
}

impl Table for Ties<'_> {
    type Position = Arc<dyn AnyPosition>;

    fn terms(_: &Self::Position) -> usize {
        1
    }

    fn moves(
        &self,
        position: &Self::Position,
        _: usize,
        visit: &mut dyn FnMut(&dyn Fn() -> Move, usize, &dyn Fn() -> Self::Position) -> bool,
    ) {
        // Where the rules fail nothing is visited, and the end of the game says why.
        let Ok(Next::Moves(moves)) = position.next(self.play) else {
            return;
        };
        for (mv, to) in moves {
            if !visit(&|| mv.clone(), 0, &|| Arc::clone(&to)) {
                return;
            }
        }
    }

    fn standing(&mut self, position: &Self::Position, _: usize) -> Result<Standing, Failure> {
        Ok(standing(self.solve(&**position)?.value))
    }

    fn at_the_end(&self, position: &Self::Position, _: usize) -> Result<Standing, Failure> {
        Ok(match position.next(self.play)? {
            Next::Over(Some(side)) => Standing::of_win(side == position.to_move()),
            _ => Standing::Draws,
        })
    }

    fn letter(&mut self, position: &Self::Position, _: usize) -> Result<String, Failure> {
        Ok(self.solve(&**position)?.value.to_string())
    }

    /// A move that keeps the value; in a lost position the one after which the opponent has fewest ways to win.
    fn choose(
        &mut self,
        position: &Self::Position,
        _: usize,
        moves: &[Choice<Self::Position>],
    ) -> Result<Choice<Self::Position>, Failure> {
        let solution = self.solve(&**position)?;
        if solution.value != Value::Lose
            && let Some(keeping) = solution.keeping.get(solution.nearest)
        {
            return Ok((keeping.mv.clone(), 0, Arc::clone(&keeping.to)));
        }
        let mut best: Option<(usize, &Choice<Self::Position>)> = None;
        for option in moves {
            let answers = self.solve(&*option.2)?.keeping.len();
            if best.is_none_or(|(least, _)| answers < least) {
                best = Some((answers, option));
            }
        }
        Ok(best.map_or(&moves[0], |(_, option)| option).clone())
    }

    fn why(&mut self, position: &Self::Position, _: usize) -> Result<Vec<Step>, Failure> {
        Ok(position.explain(self.play, &self.session.limits())?.1)
    }
}
