//! Values by asking who wins: g(G) is the only k for which G + *k is a P-position.
//!
//! To show that G + *k is N, one good move is enough; the mex over all options would look at every one of them. In
//! games that fall apart into components with small values this leaves out most positions. After J. Lemoine and
//! S. Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012), 70-79: of the components of an option all
//! but one are valued, and the question is carried on with the last one and a Nim heap.

use super::Theory;
use super::explored::Explored;
use crate::limits::{Limits, Stop};
use crate::player::Player;
use crate::rules::Ruleset;
use crate::space::interned::lists;

/// Values from this on are not asked for one by one: they come from the mex over all options.
const ASKED: u64 = u64::BITS as u64;

/// What is known of components that have no value yet.
#[derive(Debug, Default)]
pub struct Questions {
    /// Bit k of entry `id` tells that the value of the component is not k.
    excluded: Vec<u64>,
    /// Where the options of a component begin and end in `options`; equal where they have not been listed.
    listed: Vec<(usize, usize)>,
    /// Options as lists of components, those that look easiest first.
    options: Vec<u32>,
}

/// A question that is being answered.
#[derive(Clone, Copy)]
enum Query {
    /// What is the value of component `id`?
    Value { id: u32 },
    /// Is the value of component `id` equal to `k`? `next` is where the next option to look at stands.
    Is { id: u32, k: u64, next: usize },
}

/// What an option of a component says about `k`.
enum Look {
    /// Its value is k: the component's is not.
    Equal,
    /// Its value is something else.
    Other,
    /// It depends on another question.
    Ask(Query),
}

impl Query {
    fn is(id: u32, k: u64) -> Self {
        Self::Is { id, k, next: 0 }
    }
}

impl<R: Ruleset, T: Theory<Value = u64, Notes = Questions>> Explored<R, T> {
    /// The value of `part`.
    pub(super) fn value_by_outcomes(
        &mut self,
        theory: &mut T,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        let mut components = Vec::new();
        self.interned.push_components(part, &mut components);
        components.into_iter().try_fold(0, |sum, id| {
            self.answer(Query::Value { id }, theory, limits)?;
            Ok(sum ^ *self.known(id).ok_or(Stop::Cyclic)?)
        })
    }

    /// Whether the sum of `parts` has the value `wanted`, which may be known long before the value is.
    pub(super) fn has_value(
        &mut self,
        theory: &mut T,
        parts: &[R::Part],
        wanted: u64,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let mut list = vec![0];
        for part in parts {
            self.interned.push_components(part, &mut list);
        }
        list[0] = list.len() as u32 - 1;
        loop {
            match self.look(&list, wanted) {
                Look::Equal => return Ok(true),
                Look::Other => return Ok(false),
                Look::Ask(question) => self.answer(question, theory, limits)?,
            }
        }
    }

    /// Whether component `id` has the value `k`, as far as that is known.
    fn is(&mut self, id: u32, k: u64) -> Option<bool> {
        if let Some(&value) = self.known(id) {
            return Some(value == k);
        }
        let excluded = self.notes.excluded.get(id as usize);
        (k < ASKED && excluded.copied().unwrap_or(0) >> k & 1 == 1).then_some(false)
    }

    /// Works until `root` has its answer.
    fn answer(&mut self, root: Query, theory: &mut T, limits: &Limits<'_>) -> Result<(), Stop> {
        let mut questions = vec![root];
        let mut steps = 0u32;
        while let Some(&question) = questions.last() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(1024) {
                limits.poll()?;
            }
            let next = match question {
                Query::Value { id } if self.known(id).is_some() => None,
                Query::Value { id } => {
                    let open = (0..ASKED).find(|&k| self.is(id, k).is_none());
                    Some(Query::is(id, open.unwrap_or(ASKED)))
                }
                Query::Is { id, k, .. } if self.is(id, k).is_some() => None,
                Query::Is { id, k, .. } if k >= ASKED => {
                    self.component(id, theory, limits)?;
                    None
                }
                Query::Is { id, k, next } => {
                    let top = questions.len() - 1;
                    self.go_on(id, k, next, &mut questions[top], limits)?
                }
            };
            match next {
                Some(next) => questions.push(next),
                None if matches!(question, Query::Is { id, k, .. } if self.is(id, k).is_none()) => {
                }
                None => {
                    questions.pop();
                }
            }
        }
        Ok(())
    }

    /// Looks at the options of component `id` from `next` on: the question to ask first, if there is one.
    fn go_on(
        &mut self,
        id: u32,
        k: u64,
        next: usize,
        question: &mut Query,
        limits: &Limits<'_>,
    ) -> Result<Option<Query>, Stop> {
        let (start, end) = self.ordered(id, limits)?;
        let mut at = next.max(start);
        if next == 0 {
            // An option known to have the value k settles the question.
            while at < end {
                if let Look::Equal = self.look_at(at, k) {
                    self.exclude(id, k);
                    return Ok(None);
                }
                at += self.notes.options[at] as usize + 1;
            }
            at = start;
        }
        while at < end {
            match self.look_at(at, k) {
                Look::Equal => {
                    self.exclude(id, k);
                    return Ok(None);
                }
                Look::Other => at += self.notes.options[at] as usize + 1,
                Look::Ask(first) => {
                    *question = Query::Is { id, k, next: at };
                    return Ok(Some(first));
                }
            }
        }
        // No option has the value k: it is k, unless it is less.
        *question = Query::Is { id, k, next: at };
        if let Some(smaller) = (0..k).find(|&smaller| self.is(id, smaller).is_none()) {
            return Ok(Some(Query::is(id, smaller)));
        }
        self.learn(id, k);
        Ok(None)
    }

    fn exclude(&mut self, id: u32, k: u64) {
        if self.notes.excluded.len() < self.interned.len() {
            self.notes.excluded.resize(self.interned.len(), 0);
        }
        self.notes.excluded[id as usize] |= 1 << k;
    }

    fn look_at(&mut self, at: usize, k: u64) -> Look {
        let options = std::mem::take(&mut self.notes.options);
        let look = self.look(&options[at..], k);
        self.notes.options = options;
        look
    }

    /// What the first option in `options` says about `k`.
    fn look(&mut self, options: &[u32], mut k: u64) -> Look {
        let Some(components) = lists(options).next() else {
            return Look::Other;
        };
        let mut open = None;
        for &id in components {
            match (self.known(id).copied(), open) {
                (Some(value), _) => k ^= value,
                (None, None) => open = Some(id),
                (None, Some(other)) => {
                    let id = if self.size(other) < self.size(id) {
                        other
                    } else {
                        id
                    };
                    return Look::Ask(Query::Value { id });
                }
            }
        }
        let equal = match open {
            None => Some(k == 0),
            Some(id) => self.is(id, k),
        };
        match (equal, open) {
            (Some(true), _) => Look::Equal,
            (None, Some(id)) => Look::Ask(Query::is(id, k)),
            _ => Look::Other,
        }
    }

    fn size(&self, id: u32) -> u64 {
        self.interned.rules.knowledge().size(self.interned.part(id))
    }

    /// Where the options of component `id` begin and end; lists and orders them when they are asked for the first time.
    fn ordered(&mut self, id: u32, limits: &Limits<'_>) -> Result<(usize, usize), Stop> {
        if let Some(&(start, end)) = self.notes.listed.get(id as usize)
            && start < end
        {
            return Ok((start, end));
        }
        // A component has many options: a look at the clock costs nothing beside them, and many questions are short.
        limits.poll()?;
        self.work.positions += 1;
        let mut flat = Vec::new();
        self.interned
            .push_options(id, Player::Left, &mut flat, limits)?;
        let mut ordered: Vec<(u64, &[u32])> = lists(&flat)
            .map(|list| (list.iter().map(|&id| self.size(id).pow(2)).sum(), list))
            .collect();
        ordered.sort_unstable();
        ordered.dedup();
        let start = self.notes.options.len();
        for (_, list) in ordered {
            self.notes.options.push(list.len() as u32);
            self.notes.options.extend(list);
        }
        let end = self.notes.options.len();
        limits.check(1, 4 * end as u64)?;
        self.notes.listed.resize(self.interned.len(), (0, 0));
        self.notes.listed[id as usize] = (start, end);
        Ok((start, end))
    }
}
