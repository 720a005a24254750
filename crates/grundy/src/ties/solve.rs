//! Win, tie or loss by backward induction.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AnyPosition, Game, Rules, Standing, Value, loops};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::step::Move;

/// The method where no position comes back.
pub(super) const INDUCTION: &str = "backward induction";

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
    /// One of these that brings a win nearer: where positions come back not every one does.
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
    /// Everything that is asked for can be reached from here.
    start: R::State,
}

impl<'a, R: Rules> Values<'a, R> {
    pub(super) fn new(game: &'a Game<R>, play: Play, limits: &'a Limits<'a>) -> Self {
        let rules = &*game.rules;
        Self {
            start: rules.canonical(&game.state),
            rules,
            play,
            limits,
            known: FxHashMap::default(),
            method: INDUCTION,
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

    /// The options, or the value when the game is over.
    pub(super) fn follow(&self, state: &R::State) -> Result<Result<Vec<R::State>, Value>, Stop> {
        let mut options = Vec::new();
        let standing = self
            .rules
            .options(state, &mut |option, _| options.push(option))?;
        Ok(self.ended(state, standing).map_or(Ok(options), Err))
    }

    /// The options with their moves.
    pub(super) fn named(&self, state: &R::State) -> Result<Vec<(Move, R::State)>, Stop> {
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
                // All at once, so that all distances are known.
                self.method = "retrograde analysis";
                self.known = loops::values(self, &self.start)?;
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

    /// The value of a position whose game is over; any other is put on the way.
    fn open(
        &mut self,
        state: R::State,
        way: &mut Vec<Frame<R::State>>,
    ) -> Result<Option<Value>, Stop> {
        self.check()?;
        match self.follow(&state)? {
            Err(value) => {
                self.known.insert(state, Some(Known { value, distance: 0 }));
                Ok(Some(value))
            }
            Ok(mut options) => {
                options.reverse();
                self.known.insert(state.clone(), None);
                way.push(Frame {
                    state,
                    options,
                    best: Value::Lose,
                });
                Ok(None)
            }
        }
    }

    /// Finds the value of a position from those of its options. [`Stop::Cyclic`] where one comes back.
    fn induction(&mut self, state: R::State) -> Result<(), Stop> {
        let mut way = Vec::new();
        // What the option looked at last is worth to its own player.
        let mut after = self.open(state, &mut way)?;
        while let Some(frame) = way.last_mut() {
            if let Some(value) = after.take() {
                frame.best = frame.best.max(value.reversed());
            }
            let next = frame.options.pop().filter(|_| frame.best < Value::Win);
            let Some(option) = next else {
                let value = frame.best;
                if let Some(entry) = self.known.get_mut(&frame.state) {
                    *entry = Some(Known { value, distance: 0 });
                }
                way.pop();
                after = Some(value);
                continue;
            };
            let option = self.rules.canonical(&option);
            after = match self.known.get(&option) {
                Some(Some(known)) => Some(known.value),
                Some(None) => return Err(Stop::Cyclic),
                None => self.open(option, &mut way)?,
            };
        }
        Ok(())
    }

    pub(super) fn limits(&self) -> &'a Limits<'a> {
        self.limits
    }

    pub(super) fn rules(&self) -> &'a R {
        self.rules
    }

    /// The place of the option to take among all options of a position; `None` when the game is over.
    ///
    /// A win comes nearer by it. Where induction has settled the position the first option that keeps the value is the one
    /// whose proof was found, and every proof ends; elsewhere the distance to the end decides.
    pub(super) fn best(&mut self, state: &R::State) -> Result<Option<usize>, Stop> {
        let value = self.get(state)?.value;
        let Ok(options) = self.follow(state)? else {
            return Ok(None);
        };
        let mut nearest: Option<(u32, usize)> = None;
        for (place, option) in options.iter().enumerate() {
            let before = self.method;
            let known = self.get(option)?;
            if self.method != before {
                // From now on distances are known, those passed by included.
                return self.best(state);
            }
            if known.value.reversed() != value {
                continue;
            }
            let found = (known.distance, place);
            nearest = Some(nearest.map_or(found, |nearest| nearest.min(found)));
            if self.method == INDUCTION {
                break;
            }
        }
        Ok(nearest.map(|(_, place)| place))
    }

    pub(super) fn solution(&mut self, game: &Game<R>) -> Result<Solution, Stop> {
        let value = self.get(&game.state)?.value;
        let best = self.best(&game.state)?;
        let (mut keeping, mut nearest) = (Vec::new(), 0);
        for (place, (mv, option)) in self.named(&game.state)?.into_iter().enumerate() {
            if self.get(&option)?.value.reversed() != value {
                continue;
            }
            if Some(place) == best {
                nearest = keeping.len();
            }
            let to = game.at(option);
            keeping.push(KeepingMove { mv, to });
        }
        Ok(Solution {
            value,
            keeping,
            nearest,
            method: self.method,
        })
    }
}
