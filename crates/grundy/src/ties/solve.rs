//! Win, tie or loss by backward induction.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AnyPosition, Game, Rules, Value};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::step::Move;

/// A move that keeps the value.
#[derive(Clone, Debug)]
pub struct KeepingMove {
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub to: Arc<dyn AnyPosition>,
}

/// What a position is worth.
#[derive(Clone, Debug)]
pub struct Solution {
    /// To the player to move.
    pub value: Value,
    /// Every move after which the value is still the same; none when the game is over.
    pub keeping: Vec<KeepingMove>,
    /// How many moves there are.
    pub moves: usize,
}

/// A position on the way: the options still to be looked at and the best value so far.
struct Frame<S> {
    state: S,
    options: Vec<S>,
    best: Value,
}

struct Search<'a, R: Rules> {
    rules: &'a R,
    play: Play,
    limits: &'a Limits<'a>,
    known: FxHashMap<R::State, Value>,
}

impl<R: Rules> Search<'_, R> {
    /// The value of a position whose game is over, to the player to move.
    fn ended(&self, state: &R::State) -> Option<Value> {
        let winner = self.rules.ending(state)?;
        let value = match winner {
            None => Value::Tie,
            Some(side) if side == self.rules.to_move(state) => Value::Win,
            Some(_) => Value::Lose,
        };
        Some(match self.play {
            Play::Normal => value,
            Play::Misere => value.reversed(),
        })
    }

    fn frame(&self, state: R::State) -> Frame<R::State> {
        let mut options = Vec::new();
        let _ = self.rules.options(&state, &mut |option, _| {
            options.push(self.rules.canonical(&option));
            ControlFlow::Continue(())
        });
        options.reverse();
        Frame {
            state,
            options,
            best: Value::Lose,
        }
    }

    fn value(&mut self, state: &R::State) -> Result<Value, Stop> {
        let state = self.rules.canonical(state);
        if let Some(value) = self.settled(&state) {
            return Ok(value);
        }
        let mut way = vec![self.frame(state)];
        loop {
            let frame = way.last_mut().expect("the last frame returns");
            match frame.options.last() {
                Some(option) if frame.best < Value::Win => {
                    let value = self
                        .ended(option)
                        .or_else(|| self.known.get(option).copied());
                    if let Some(value) = value {
                        frame.best = frame.best.max(value.reversed());
                        frame.options.pop();
                    } else {
                        let option = option.clone();
                        way.push(self.frame(option));
                    }
                }
                _ => {
                    let frame = way.pop().expect("it was there a moment ago");
                    self.known.insert(frame.state, frame.best);
                    let bytes = 96 + 2 * size_of::<R::State>() as u64;
                    self.limits.check(self.known.len() as u64, bytes)?;
                    if self.known.len().is_multiple_of(4096) {
                        self.limits.poll()?;
                    }
                    if way.is_empty() {
                        return Ok(frame.best);
                    }
                }
            }
        }
    }

    fn settled(&self, state: &R::State) -> Option<Value> {
        self.ended(state).or_else(|| self.known.get(state).copied())
    }
}

pub(super) fn solve<R: Rules>(
    game: &Game<R>,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Solution, Stop> {
    let mut search = Search {
        rules: &*game.rules,
        play,
        limits,
        known: FxHashMap::default(),
    };
    let value = search.value(&game.state)?;
    let mut solution = Solution {
        value,
        keeping: Vec::new(),
        moves: 0,
    };
    if search.ended(&game.state).is_some() {
        return Ok(solution);
    }
    let mut options = Vec::new();
    let _ = game.rules.options(&game.state, &mut |state, name| {
        options.push((state, name()));
        ControlFlow::Continue(())
    });
    solution.moves = options.len();
    for (state, mv) in options {
        if search.value(&state)?.reversed() == value {
            let to = Arc::new(Game {
                rules: Arc::clone(&game.rules),
                state,
            });
            solution.keeping.push(KeepingMove { mv, to });
        }
    }
    Ok(solution)
}
