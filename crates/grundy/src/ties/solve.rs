//! Win, tie or loss by backward induction.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AnyPosition, Game, Rules, Standing, Value, loops};
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
    /// The first of these that brings a win nearer: where positions come back not every one does.
    pub nearest: usize,
    /// How the value was found.
    pub method: &'static str,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The value to the player to move.
    pub(super) value: Value,
    /// Moves to the end when the winner hurries, where positions come back; 0 elsewhere, where every move is one nearer.
    pub(super) distance: u32,
}

/// An option of a position: the move and what comes after it.
pub(super) type NamedOption<S> = (Move, S);

/// A position on the way: the options still to be looked at and the best value so far.
struct Frame<S> {
    state: S,
    options: Vec<S>,
    best: Value,
}

/// The values of positions of a game, found as they are asked for.
pub(super) struct Values<'a, R: Rules> {
    rules: &'a R,
    play: Play,
    limits: &'a Limits<'a>,
    /// `None` for positions on the way.
    known: FxHashMap<R::State, Option<Known>>,
    method: &'static str,
}

impl<'a, R: Rules> Values<'a, R> {
    pub(super) fn new(rules: &'a R, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            rules,
            play,
            limits,
            known: FxHashMap::default(),
            method: "backward induction",
        }
    }

    /// The value of a position whose game stands so, if it is over.
    pub(super) fn ended(&self, state: &R::State, standing: Standing) -> Option<Value> {
        let value = match standing {
            Standing::Open => return None,
            Standing::Over(None) => Value::Tie,
            Standing::Over(Some(side)) if side == self.rules.to_move(state) => Value::Win,
            Standing::Over(Some(_)) => Value::Lose,
        };
        Some(match self.play {
            Play::Normal => value,
            Play::Misere => value.reversed(),
        })
    }

    /// The options up to symmetry, or the value when the game is over.
    pub(super) fn follow(&self, state: &R::State) -> Result<Result<Vec<R::State>, Value>, Stop> {
        let mut options = Vec::new();
        let standing = self.rules.options(state, &mut |option, _| {
            options.push(self.rules.canonical(&option));
        })?;
        Ok(self.ended(state, standing).map_or(Ok(options), Err))
    }

    /// The options with their moves.
    pub(super) fn named(&self, state: &R::State) -> Result<Vec<NamedOption<R::State>>, Stop> {
        let mut options = Vec::new();
        self.rules.options(state, &mut |option, name| {
            options.push((name(), option));
        })?;
        Ok(options)
    }

    /// What is known of a position, after it was found out.
    pub(super) fn get(&mut self, state: &R::State) -> Result<Known, Stop> {
        let state = self.rules.canonical(state);
        if let Some(Some(known)) = self.known.get(&state) {
            return Ok(*known);
        }
        match self.induction(state.clone()) {
            Err(Stop::Cyclic) => {
                // The ways left open are found again.
                self.method = "retrograde analysis";
                self.known = loops::values(self, &state)?;
            }
            other => other?,
        }
        self.known
            .get(&state)
            .copied()
            .flatten()
            .ok_or(Stop::Cyclic)
    }

    fn check(&self) -> Result<(), Stop> {
        let bytes = 64 + 2 * size_of::<R::State>() as u64;
        self.limits.check(self.known.len() as u64, bytes)?;
        if self.known.len().is_multiple_of(1024) {
            self.limits.poll()?;
        }
        Ok(())
    }

    /// Opens a position, or settles it when the game is over.
    fn open(&mut self, state: R::State, way: &mut Vec<Frame<R::State>>) -> Result<(), Stop> {
        self.check()?;
        match self.follow(&state)? {
            Err(value) => {
                let distance = 0;
                self.known.insert(state, Some(Known { value, distance }));
            }
            Ok(mut options) => {
                options.reverse();
                self.known.insert(state.clone(), None);
                way.push(Frame {
                    state,
                    options,
                    best: Value::Lose,
                });
            }
        }
        Ok(())
    }

    /// Finds the value of a position from those of its options. [`Stop::Cyclic`] where one comes back.
    fn induction(&mut self, state: R::State) -> Result<(), Stop> {
        let mut way = Vec::new();
        self.open(state, &mut way)?;
        while let Some(frame) = way.last_mut() {
            match frame.options.last() {
                Some(option) if frame.best < Value::Win => match self.known.get(option) {
                    Some(Some(known)) => {
                        frame.best = frame.best.max(known.value.reversed());
                        frame.options.pop();
                    }
                    Some(None) => return Err(Stop::Cyclic),
                    None => {
                        let option = option.clone();
                        self.open(option, &mut way)?;
                    }
                },
                _ => {
                    let (value, distance) = (frame.best, 0);
                    if let Some(entry) = self.known.get_mut(&frame.state) {
                        *entry = Some(Known { value, distance });
                    }
                    way.pop();
                }
            }
        }
        Ok(())
    }

    pub(super) fn limits(&self) -> &'a Limits<'a> {
        self.limits
    }

    pub(super) fn rules(&self) -> &'a R {
        self.rules
    }

    pub(super) fn method(&self) -> &'static str {
        self.method
    }

    /// The options of a position that keep its value, and the place of the one that brings a win nearest.
    pub(super) fn keeping(
        &mut self,
        state: &R::State,
    ) -> Result<(Vec<NamedOption<R::State>>, usize), Stop> {
        let value = self.get(state)?.value;
        let mut keeping = Vec::new();
        let mut nearest = (u32::MAX, 0);
        for (mv, option) in self.named(state)? {
            let known = self.get(&option)?;
            if known.value.reversed() == value {
                nearest = nearest.min((known.distance, keeping.len()));
                keeping.push((mv, option));
            }
        }
        Ok((keeping, nearest.1))
    }

    pub(super) fn solution(mut self, game: &Game<R>) -> Result<Solution, Stop> {
        let value = self.get(&game.state)?.value;
        let (keeping, nearest) = self.keeping(&game.state)?;
        let keeping = keeping.into_iter().map(|(mv, state)| KeepingMove {
            mv,
            to: game.at(state),
        });
        Ok(Solution {
            value,
            keeping: keeping.collect(),
            nearest,
            method: self.method,
        })
    }
}
