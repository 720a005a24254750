//! The generic way: values by the definition, remembered for canonical components.

mod by_outcomes;

use std::sync::Arc;

use self::by_outcomes::Questions;
use super::solvable::Solvable;
use crate::limits::{Limits, Stop};
use crate::player::Player;
use crate::rules::Ruleset;
use crate::space::interned::{Interned, lists};
use crate::theory::Scratch;

/// Values of the components of one ruleset.
#[derive(Debug)]
pub(crate) struct Table<R: Ruleset, T: Solvable> {
    pub(super) interned: Interned<R>,
    pub(super) states: Vec<State<T::Value>>,
    scratch: Scratch,
    questions: Questions,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum State<V> {
    New,
    /// Its options are being valued; to meet it again would be a cycle.
    Open,
    Known(V),
}

/// A component whose options are being valued: where they stand in the buffer, and which is next.
struct Frame {
    id: u32,
    start: usize,
    next: usize,
}

impl<R: Ruleset, T: Solvable> Table<R, T> {
    pub(crate) fn new(rules: Arc<R>) -> Self {
        Self {
            interned: Interned::new(rules),
            states: Vec::new(),
            scratch: Scratch::default(),
            questions: Questions::default(),
        }
    }

    pub(crate) fn rules(&self) -> &R {
        &self.interned.rules
    }

    /// The value of `part`: the sum of the values of its components.
    pub(crate) fn value(&mut self, part: &R::Part, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        let mut components = Vec::new();
        self.interned.push_components(part, &mut components);
        let mut sum = T::TERMINAL;
        for id in components {
            sum = T::add(sum, self.component(id, limits)?);
        }
        Ok(sum)
    }

    pub(super) fn state(&mut self, id: u32) -> State<T::Value> {
        if self.states.len() < self.interned.len() {
            self.states.resize(self.interned.len(), State::New);
        }
        let state = self.states[id as usize];
        if let State::New = state
            && let Some(known) = T::theorem(&*self.interned.rules, self.interned.part(id))
        {
            self.states[id as usize] = State::Known(known.value);
            return State::Known(known.value);
        }
        state
    }

    /// Depth first with a stack of its own, so that the depth of a game is bounded by memory alone.
    pub(super) fn component(&mut self, root: u32, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        if let State::Known(value) = self.state(root) {
            return Ok(value);
        }
        let mut options = Vec::new();
        let mut frames = Vec::new();
        let result = self.run(root, &mut options, &mut frames, limits);
        if result.is_err() {
            for frame in frames {
                self.states[frame.id as usize] = State::New;
            }
        }
        result
    }

    fn run(
        &mut self,
        root: u32,
        options: &mut Vec<u32>,
        frames: &mut Vec<Frame>,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        self.open(root, options, frames, limits)?;
        loop {
            let Some(frame) = frames.last_mut() else {
                return Err(Stop::Cyclic);
            };
            let Frame {
                id,
                start,
                mut next,
            } = *frame;
            let mut child = None;
            while next < options.len() {
                let length = options[next] as usize;
                child = options[next + 1..=next + length]
                    .iter()
                    .copied()
                    .find(|&id| !matches!(self.states.get(id as usize), Some(State::Known(_))));
                if child.is_some() {
                    break;
                }
                next += length + 1;
            }
            frame.next = next;
            if let Some(child) = child {
                match self.state(child) {
                    State::Known(_) => {}
                    State::Open => return Err(Stop::Cyclic),
                    State::New => self.open(child, options, frames, limits)?,
                }
                continue;
            }
            let states = &self.states;
            let values = lists(&options[start..]).map(|option| {
                option
                    .iter()
                    .fold(T::TERMINAL, |sum, &id| match states[id as usize] {
                        State::Known(value) => T::add(sum, value),
                        _ => {
                            unreachable!("every component of every option has just been seen known")
                        }
                    })
            });
            let value = T::of_options(values, &mut self.scratch);
            self.states[id as usize] = State::Known(value);
            options.truncate(start);
            frames.pop();
            if frames.is_empty() {
                return Ok(value);
            }
        }
    }

    fn open(
        &mut self,
        id: u32,
        options: &mut Vec<u32>,
        frames: &mut Vec<Frame>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        // Rules given at run time may take their time over each question.
        if !self.interned.rules.known_to_end() || self.interned.len().is_multiple_of(1024) {
            limits.poll()?;
        }
        let start = options.len();
        frames.push(Frame {
            id,
            start,
            next: start,
        });
        self.states[id as usize] = State::Open;
        self.interned
            .push_options(id, Player::Left, options, limits)?;
        self.states.resize(self.interned.len(), State::New);
        Ok(())
    }
}
