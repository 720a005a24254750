//! The components of one ruleset, with their values in one theory: by the definition, remembered for canonical components.

use std::any::Any;
use std::sync::Arc;

use super::{AnyExplored, Reach, Theory, Work};
use crate::limits::{Limits, Stop};
use crate::player::Player;
use crate::rules::{Moves, Ruleset};
use crate::space::interned::{Interned, lists};

/// Components by number, with their values.
#[derive(Debug)]
pub(super) struct Explored<R: Ruleset, T: Theory> {
    pub(super) interned: Interned<R>,
    states: Vec<State<T::Value>>,
    family: Family,
    pub(super) notes: T::Notes,
    /// Bytes that the notes hold.
    pub(super) noted: u64,
    pub(super) work: Work,
}

#[derive(Debug, Clone)]
enum State<V> {
    New,
    /// Its options are being valued; to meet it again would be a cycle.
    Open,
    Known(V),
}

/// A component as it is written, where that says all of it: a graph in a file is known by the name of the file alone.
pub(super) fn written<R: Ruleset>(rules: &R, part: &R::Part) -> Option<String> {
    let named = rules.knowledge().network(part).is_some();
    (!named).then(|| rules.show().write(std::slice::from_ref(part)))
}

/// Components by number and all their options: everything that can be reached from what was met, for theories that look at
/// the whole.
#[derive(Debug, Default)]
pub struct Family {
    /// For each component, where Left's options and Right's end; in `options` one follows the other.
    ends: Vec<[usize; 2]>,
    options: Vec<u32>,
}

impl Family {
    /// How many components there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The options of a component, each as the numbers of its components. Where both players have the same moves all are
    /// Left's.
    ///
    /// # Panics
    /// When there is no such component.
    pub fn options(&self, id: u32, player: Player) -> impl Iterator<Item = &[u32]> {
        let id = id as usize;
        let before = id.checked_sub(1).map_or(0, |id| self.ends[id][1]);
        let [left, right] = self.ends[id];
        lists(match player {
            Player::Left => &self.options[before..left],
            Player::Right => &self.options[left..right],
        })
    }
}

/// A component whose options are being valued: where they stand in the buffer, which is next, and where Right's begin if these
/// are others than Left's.
struct Unvalued {
    id: u32,
    start: usize,
    next: usize,
    right: Option<usize>,
}

/// What is used again and again on the way.
struct Way<V> {
    open: Vec<Unvalued>,
    options: Vec<u32>,
    /// Values of Left's options and of Right's.
    values: [Vec<V>; 2],
}

impl<R: Ruleset, T: Theory> AnyExplored<T> for Explored<R, T> {
    fn each_valued(&self, visit: &mut dyn FnMut(String, &T::Value)) {
        let rules = self.rules();
        for (id, state) in (0..).zip(&self.states) {
            let State::Known(value) = state else {
                continue;
            };
            let part = self.interned.part(id);
            let at_once =
                rules.nature(part).is_impartial() || rules.knowledge().number(part).is_some();
            if !at_once && let Some(text) = written(rules, part) {
                visit(text, value);
            }
        }
    }

    fn notes(&self) -> (&str, &T::Notes) {
        (self.rules().name(), &self.notes)
    }

    fn work(&self) -> Work {
        self.work
    }

    fn bytes(&self) -> u64 {
        let states = self.states.capacity() * size_of::<State<T::Value>>();
        let family = self.family.ends.capacity() * size_of::<[usize; 2]>()
            + self.family.options.capacity() * 4;
        self.interned.bytes() + (states + family) as u64 + self.noted
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl<R: Ruleset, T: Theory> Explored<R, T> {
    pub(super) fn new(rules: Arc<R>) -> Self {
        Self {
            interned: Interned::new(rules),
            states: Vec::new(),
            family: Family::default(),
            notes: T::Notes::default(),
            noted: 0,
            work: Work::default(),
        }
    }

    pub(super) fn rules(&self) -> &R {
        &self.interned.rules
    }

    /// The value of `part`: the sum of the values of its components.
    pub(super) fn value(
        &mut self,
        theory: &mut T,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        let mut components = Vec::new();
        self.interned.push_components(part, &mut components);
        let zero = theory.zero();
        components.into_iter().try_fold(zero, |sum, id| {
            let value = self.component(id, theory, limits)?;
            theory.add(&sum, &value, limits)
        })
    }

    /// The value of a component, if it is known.
    pub(super) fn known(&mut self, id: u32) -> Option<&T::Value> {
        match self.state(id) {
            State::Known(value) => Some(value),
            State::New | State::Open => None,
        }
    }

    /// The value of a component, if it was found before or a theorem gives it.
    pub(super) fn given(&self, id: u32) -> Option<T::Value> {
        match self.states.get(id as usize) {
            Some(State::Known(value)) => Some(value.clone()),
            _ => T::theorem(&*self.interned.rules, self.interned.part(id)).map(|known| known.value),
        }
    }

    /// The value of a component, if it was found before.
    pub(super) fn found(&mut self, component: &R::Part) -> Option<T::Value> {
        let id = self.interned.find(component)?;
        self.known(id).cloned()
    }

    /// Keeps a value.
    pub(super) fn learn(&mut self, id: u32, value: T::Value) {
        if self.states.len() < self.interned.len() {
            self.states.resize(self.interned.len(), State::New);
        }
        self.states[id as usize] = State::Known(value);
    }

    fn state(&mut self, id: u32) -> &State<T::Value> {
        if self.states.len() < self.interned.len() {
            self.states.resize(self.interned.len(), State::New);
        }
        let state = &mut self.states[id as usize];
        if let State::New = state
            && let Some(known) = T::theorem(&*self.interned.rules, self.interned.part(id))
        {
            *state = State::Known(known.value);
        }
        state
    }

    /// The value of a component whose options were not looked at, if it is known or the theory knows it.
    fn settled(
        &mut self,
        id: u32,
        theory: &mut T,
        limits: &Limits<'_>,
    ) -> Result<Option<T::Value>, Stop> {
        match self.state(id) {
            State::Known(value) => return Ok(Some(value.clone())),
            State::Open => return Ok(None),
            State::New => {}
        }
        let rules = Arc::clone(&self.interned.rules);
        let settled = theory.settle(&rules, self.interned.part(id), limits)?;
        if let Some(value) = &settled {
            self.learn(id, value.clone());
        }
        Ok(settled)
    }

    pub(super) fn component(
        &mut self,
        root: u32,
        theory: &mut T,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        if let Some(value) = self.settled(root, theory, limits)? {
            self.work.hits += 1;
            return Ok(value);
        }
        match T::REACH {
            Reach::Options => self.by_options(root, theory, limits),
            Reach::Family { splits } => {
                self.whole_family(splits, theory, limits)?;
                self.known(root).cloned().ok_or(Stop::Cyclic)
            }
        }
    }

    /// Lists everything that can be reached, and has it valued.
    fn whole_family(
        &mut self,
        splits: bool,
        theory: &mut T,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        while self.family.ends.len() < self.interned.len() {
            let (id, start) = (self.family.len(), self.family.options.len());
            let listed = self.list(id, limits);
            if let Ok(ends) = listed
                && (splits || lists(&self.family.options[start..]).all(|option| option.len() <= 1))
            {
                self.family.ends.push(ends);
                continue;
            }
            self.family.options.truncate(start);
            return Err(listed.err().unwrap_or(Stop::Cyclic));
        }
        let values = theory.of_family(&self.family, limits)?;
        let values = values.ok_or(Stop::NoValue)?;
        self.states = values.into_iter().map(State::Known).collect();
        Ok(())
    }

    /// Appends the options of the next component of the family.
    fn list(&mut self, id: u32, limits: &Limits<'_>) -> Result<[usize; 2], Stop> {
        self.work.positions += 1;
        let out = &mut self.family.options;
        limits.check(1, 4 * out.len() as u64)?;
        self.interned.push_options(id, Player::Left, out, limits)?;
        let left = out.len();
        if self.interned.rules.nature(self.interned.part(id)).moves == Moves::Own {
            self.interned.push_options(id, Player::Right, out, limits)?;
        }
        Ok([left, out.len()])
    }

    /// Depth first with a stack of its own, so that the depth of a game is bounded by memory alone.
    fn by_options(
        &mut self,
        root: u32,
        theory: &mut T,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        let mut way = Way {
            open: Vec::new(),
            options: Vec::new(),
            values: [Vec::new(), Vec::new()],
        };
        let result = self.run(root, &mut way, theory, limits);
        if result.is_err() {
            for opened in way.open {
                self.states[opened.id as usize] = State::New;
            }
        }
        result
    }

    fn run(
        &mut self,
        root: u32,
        way: &mut Way<T::Value>,
        theory: &mut T,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        self.open(root, way, limits)?;
        loop {
            let Some(last) = way.open.last_mut() else {
                return Err(Stop::Cyclic);
            };
            let Unvalued {
                id,
                start,
                mut next,
                right,
            } = *last;
            let options = &way.options;
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
                self.work.hits += 1;
                next += length + 1;
            }
            last.next = next;
            if let Some(child) = child {
                if self.settled(child, theory, limits)?.is_none() {
                    if matches!(self.states[child as usize], State::Open) {
                        return Err(Stop::Cyclic);
                    }
                    self.open(child, way, limits)?;
                }
                continue;
            }
            let options = &way.options[start..];
            let value = match right {
                None => {
                    let [left, _] = &mut way.values;
                    self.value_all(options, left, theory, limits)?;
                    theory.of_options(left, left, limits)
                }
                Some(right) => {
                    let (lefts, rights) = options.split_at(right - start);
                    let [left, right] = &mut way.values;
                    self.value_all(lefts, left, theory, limits)?;
                    self.value_all(rights, right, theory, limits)?;
                    theory.of_options(left, right, limits)
                }
            };
            let value = value?.ok_or(Stop::NoValue)?;
            self.learn(id, value.clone());
            way.options.truncate(start);
            way.open.pop();
            if way.open.is_empty() {
                return Ok(value);
            }
        }
    }

    /// The values of options whose components are all known.
    fn value_all(
        &self,
        options: &[u32],
        out: &mut Vec<T::Value>,
        theory: &mut T,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        out.clear();
        for option in lists(options) {
            let known = |id: u32| match &self.states[id as usize] {
                State::Known(value) => value,
                State::New | State::Open => unreachable!("every option has just been seen known"),
            };
            out.push(match *option {
                [only] => known(only).clone(),
                _ => option.iter().try_fold(theory.zero(), |sum, &id| {
                    theory.add(&sum, known(id), limits)
                })?,
            });
        }
        Ok(())
    }

    fn open(&mut self, id: u32, way: &mut Way<T::Value>, limits: &Limits<'_>) -> Result<(), Stop> {
        // Rules given at run time may take their time over each question. Whoever has no time at all gets what is known already.
        let patient = self.interned.rules.knowledge().known_to_end();
        if !patient || way.open.is_empty() || self.work.positions.is_multiple_of(64) {
            limits.poll()?;
        }
        self.work.positions += 1;
        limits.count(1);
        let start = way.options.len();
        self.states[id as usize] = State::Open;
        way.open.push(Unvalued {
            id,
            start,
            next: start,
            right: None,
        });
        let out = &mut way.options;
        self.interned.push_options(id, Player::Left, out, limits)?;
        if self.interned.rules.nature(self.interned.part(id)).moves == Moves::Own {
            if let Some(last) = way.open.last_mut() {
                last.right = Some(out.len());
            }
            self.interned.push_options(id, Player::Right, out, limits)?;
        }
        self.states.resize(self.interned.len(), State::New);
        Ok(())
    }
}
