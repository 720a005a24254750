//! What is known about a term beyond its moves.

use std::sync::Arc;

use super::{AnyTerm, Term, VisitTerm};
use crate::graph::Network;
use crate::heap::HeapRules;
use crate::limits::{Flow, Stop};
use crate::outcome::{Outcome, Play};
use crate::position::Position;
use crate::ranked::RankedGame;
use crate::rules::{Goal, Known, Ruleset, Structure};
use crate::step::{Move, Step};

/// What is known about a term beyond its moves.
pub trait Informed {
    /// The moves that may lead to a P-position, where the ruleset finds them directly; for a term of one part.
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow>;
    /// The outcome, where a theorem gives it; for a term of one part.
    fn outcome(&self, play: Play) -> Option<Known<Outcome>>;
    /// The rules and the size of the heap that the term is, if it is one.
    fn heap_rules(&self) -> Option<(&HeapRules, u64)>;
    /// The move that leaves heaps of these sizes in place of part `index`, where parts are heaps.
    fn leave(&self, index: usize, left: &[u64]) -> Option<(Move, Arc<dyn AnyTerm>)>;
    /// The theorem applied to the only part, as one step with its numbers; nothing for a term of several parts.
    fn reckon(&self, play: Play) -> Option<Step>;
    /// Why part `index` has its value, and how to give it the value wanted.
    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step>;
    /// The base and the top of the ordinal sum that the term is, if it is one.
    fn ordinal(&self) -> Option<[&Position; 2]>;
    /// Length of the longest play, where it is known.
    fn longest_play(&self) -> Option<u128>;
    /// Whether every play ends.
    fn finite(&self) -> bool;
    /// Whether that is more than a hope.
    fn known_to_end(&self) -> bool;
    /// Whether what is found out of its components can be told to others who look at them.
    fn can_be_told(&self) -> bool;
    /// The graph that the game is given as, and the vertex it stands on, for a term of one part.
    fn network(&self) -> Option<(&Network, u32)>;
    /// The game with its positions numbered, where the rules number them.
    ///
    /// # Errors
    /// Rules that have no answer, or answers that do not fit together.
    fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

impl<R: Ruleset> Informed for Term<R> {
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow> {
        let [part] = &self.parts[..] else { return None };
        self.rules
            .knowledge()
            .options_to(0, part, Goal::P(play), &mut |left, name| {
                visit(name, &|| self.replace(0, left))
            })
    }

    fn outcome(&self, play: Play) -> Option<Known<Outcome>> {
        match &self.parts[..] {
            [part] => self.rules.knowledge().outcome(part, play),
            _ => None,
        }
    }

    fn heap_rules(&self) -> Option<(&HeapRules, u64)> {
        match &self.parts[..] {
            [part] => match self.rules.knowledge().structure(part) {
                Structure::Heap(rules, size) => Some((rules, size)),
                _ => None,
            },
            _ => None,
        }
    }

    fn leave(&self, index: usize, left: &[u64]) -> Option<(Move, Arc<dyn AnyTerm>)> {
        let knowledge = self.rules.knowledge();
        let (left, name) = knowledge.leave(index, self.parts.get(index)?, left)?;
        Some((name, self.replace(index, &left)))
    }

    fn reckon(&self, play: Play) -> Option<Step> {
        match &self.parts[..] {
            [part] => {
                let step = self.rules.knowledge().reckon(part, play)?;
                Some(step.with("part", self.rules.show().write(&self.parts)))
            }
            _ => None,
        }
    }

    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step> {
        self.rules.knowledge().argument(&self.parts[index], wanted)
    }

    fn ordinal(&self) -> Option<[&Position; 2]> {
        match &self.parts[..] {
            [part] => self.rules.knowledge().ordinal(part),
            _ => None,
        }
    }

    fn longest_play(&self) -> Option<u128> {
        self.parts.iter().try_fold(0u128, |sum, part| {
            sum.checked_add(self.rules.knowledge().longest_play(part)?)
        })
    }

    fn finite(&self) -> bool {
        self.rules.knowledge().finite()
    }

    fn network(&self) -> Option<(&Network, u32)> {
        match &self.parts[..] {
            [part] => self.rules.knowledge().network(part),
            _ => None,
        }
    }

    fn known_to_end(&self) -> bool {
        self.rules.knowledge().known_to_end()
    }

    fn can_be_told(&self) -> bool {
        self.rules.knowledge().packed().is_some()
    }

    fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        self.rules.knowledge().ranked(&self.parts)
    }
}
