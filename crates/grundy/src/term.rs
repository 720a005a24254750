//! Terms: one call of a constructor each.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::dyadic::Dyadic;
use crate::graph::Network;
use crate::heap::{HeapRules, Progression};
use crate::limits::{Flow, Halt, Limits, Stop, ended};
use crate::outcome::{Outcome, Play, Worth};
use crate::picture::Picture;
use crate::player::Player;
use crate::rules::{Goal, Known, Nature, Ruleset, Structure, Visit};
use crate::space::Space;
use crate::step::{Move, Step};
use crate::theory::{NormalPlay, TamePlay};
use crate::values::loopy::LoopyPart;
use crate::values::solvable::Solvable;
use crate::values::{PartValue, Tables};

/// One call of a constructor: parts under one set of rules.
#[derive(Clone, Debug)]
pub struct Term<R: Ruleset> {
    /// The rules.
    pub rules: Arc<R>,
    /// The parts, in the order written.
    pub parts: Vec<R::Part>,
}

impl<R: Ruleset> Term<R> {
    /// A term of `parts` under `rules`.
    pub fn new(rules: R, parts: Vec<R::Part>) -> Self {
        Self {
            rules: Arc::new(rules),
            parts,
        }
    }

    /// Other parts under the same rules.
    fn with(&self, parts: Vec<R::Part>) -> Arc<dyn AnyTerm> {
        Arc::new(Self {
            rules: Arc::clone(&self.rules),
            parts,
        })
    }

    /// Whether leaving `left` in place of part `index` gives a term that a move in an earlier part gives, too: what
    /// takes one of several equal neighbours away is one move, that in the first of them.
    fn repeated(&self, index: usize, left: &[R::Part]) -> bool {
        left.is_empty() && index > 0 && self.parts[index - 1] == self.parts[index]
    }

    /// The term with `left` in place of part `index`.
    fn replace(&self, index: usize, left: &[R::Part]) -> Arc<dyn AnyTerm> {
        let mut parts = self.parts.clone();
        parts.splice(index..=index, left.iter().cloned());
        self.with(parts)
    }
}

impl<R: Ruleset> From<Term<R>> for Arc<dyn AnyTerm> {
    fn from(term: Term<R>) -> Self {
        Arc::new(term)
    }
}

/// Receives a move and a way to ask for the term after it.
pub type VisitTerm<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// Receives an option of a part: the value of what it leaves, and ways to ask for the move and for the term after it.
pub type VisitValued<'a> =
    &'a mut dyn FnMut(&LoopyPart, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// A term whose ruleset is known at run time only.
pub trait AnyTerm: fmt::Debug + Any + Send + Sync + Valued<NormalPlay> + Valued<TamePlay> {
    /// The name of the constructor.
    fn name(&self) -> &'static str;
    /// Canonical notation.
    fn text(&self) -> String;
    /// Whether it is written as a sum of its parts.
    fn written_as_sum(&self) -> bool;
    /// A short name within its game.
    fn caption(&self) -> String;
    /// What kind of game it is.
    fn nature(&self) -> Nature;
    /// The names of the players, where they have others than usual.
    fn players(&self) -> Option<[&'static str; 2]>;
    /// The parts, each as a term of its own.
    fn parts(&self) -> Vec<Arc<dyn AnyTerm>>;
    /// What the term looks like.
    fn picture(&self) -> Picture;
    /// The number of parts.
    fn part_count(&self) -> usize;
    /// Every move of `player`, in a fixed order, until `visit` breaks.
    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> Flow;
    /// What the end is worth to the player to move, in normal play.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn payoff(&self, to_move: Player) -> Result<Worth, Stop>;
    /// The moves that may lead to a P-position, where the ruleset finds them directly; for a term of one part.
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow>;
    /// The outcome, where a theorem gives it; for a term of one part.
    fn outcome(&self, play: Play) -> Option<Known<Outcome>>;
    /// The rules and the size of the heap that the term is, if it is one.
    fn heap_rules(&self) -> Option<(&HeapRules, u64)>;
    /// The value, where a theorem says that it is a number.
    fn number(&self) -> Option<Known<Dyadic>>;
    /// The term when its player has moved elsewhere, where that makes a difference.
    fn passed(&self) -> Option<Arc<dyn AnyTerm>>;
    /// The term where either player may begin.
    ///
    /// # Errors
    /// A beginner that was asked for in so many words.
    fn freed(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic>;
    /// Why part `index` has its value, and how to give it the value wanted.
    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step>;
    /// What has to be said before anything else.
    fn remarks(&self) -> Vec<Step>;
    /// About how many bytes the term holds in memory.
    fn held(&self) -> usize;
    /// Length of the longest play, where it is known.
    fn longest_play(&self) -> Option<u128>;
    /// Whether every play ends.
    fn finite(&self) -> bool;
    /// Whether that is more than a hope.
    fn known_to_end(&self) -> bool;
    /// The graph that the game is given as, and the vertex it stands on, for a term of one part.
    fn network(&self) -> Option<(&Network, u32)>;
    /// The values of the parts in normal play, whether or not every play ends.
    ///
    /// # Errors
    /// The limit that was reached, or that this game has to be searched as a whole.
    fn loopy_parts(
        &self,
        tables: &mut Tables<NormalPlay>,
        limits: &Limits<'_>,
    ) -> Result<Vec<LoopyPart>, Stop>;
    /// Whether the term is a P-position in normal play.
    ///
    /// # Errors
    /// The limit that was reached.
    fn is_zero(&self, tables: &mut Tables<NormalPlay>, limits: &Limits<'_>) -> Result<bool, Stop>;
    /// Visits the moves in part `index`, each with the value of what it leaves there.
    ///
    /// # Errors
    /// As [`AnyTerm::loopy_parts`].
    fn loopy_moves(
        &self,
        index: usize,
        tables: &mut Tables<NormalPlay>,
        limits: &Limits<'_>,
        visit: VisitValued<'_>,
    ) -> Result<bool, Stop>;
    /// Enters the components into a space, and appends their numbers; which room of it they are in.
    fn enter(&self, space: &mut Space, out: &mut Vec<u32>) -> u32;
    /// The parts, as a list of their type.
    fn any_parts(&self) -> &dyn Any;
    /// Whether the other term is the same, part by part, under the same rules.
    fn same(&self, other: &dyn AnyTerm) -> bool;
    /// Feeds a hasher: terms that are the same feed the same.
    fn feed(&self, state: &mut dyn Hasher);
    /// Appends the numbers of the components in a space; nothing where one of them has not been met there.
    fn find(&self, space: &Space, out: &mut Vec<u32>) -> Option<()>;
}

/// The values of a term's parts in one theory.
pub trait Valued<T: Solvable> {
    /// The value of every part.
    ///
    /// # Errors
    /// The limit that was reached.
    fn values(
        &self,
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
    ) -> Result<Vec<PartValue<T::Value>>, Stop>;

    /// All moves in part `index` that leave one of the values `wanted`, as progressions, where the part is so large a heap
    /// that they are better not listed; each with its first move and the term after that.
    ///
    /// # Errors
    /// The limit that was reached.
    fn progressions_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<(Move, Arc<dyn AnyTerm>, Progression)>>, Stop>;

    /// Visits the moves in part `index` that leave, in its place, parts whose sum has one of the values `wanted`.
    ///
    /// # Errors
    /// The limit that was reached.
    fn moves_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
        visit: VisitTerm<'_>,
    ) -> Result<(), Stop>;
}

impl<R: Ruleset, T: Solvable> Valued<T> for Term<R> {
    fn values(
        &self,
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
    ) -> Result<Vec<PartValue<T::Value>>, Stop> {
        self.parts
            .iter()
            .map(|part| tables.part(&self.rules, part, limits))
            .collect()
    }

    fn progressions_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<(Move, Arc<dyn AnyTerm>, Progression)>>, Stop> {
        let part = &self.parts[index];
        let found = tables.progressions(&*self.rules, part, wanted, limits)?;
        let named = |progression: Progression| {
            let (left, name) = self.rules.leave(index, part, &progression.left)?;
            Some((name, self.replace(index, &left), progression))
        };
        Ok(found.and_then(|found| found.into_iter().map(named).collect()))
    }

    fn moves_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
        visit: VisitTerm<'_>,
    ) -> Result<(), Stop> {
        let part = &self.parts[index];
        let mut seen = 0;
        let mut keep = |left: &[R::Part], name: &dyn Fn() -> Move| {
            if self.repeated(index, left) {
                return ControlFlow::Continue(());
            }
            seen += 1;
            let mut looked = limits.check(seen, 0);
            if seen % 4096 == 0 {
                looked = looked.and_then(|()| limits.poll());
            }
            match looked.and_then(|()| tables.has_value(&self.rules, left, wanted, limits)) {
                Ok(true) => visit(name, &|| self.replace(index, left)),
                Ok(false) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        };
        let mut goals: Vec<u64> = wanted
            .iter()
            .filter_map(|&value| T::grundy(value))
            .collect();
        goals.sort_unstable();
        goals.dedup();
        // Asked for all goals before any option is visited, so that none is visited twice.
        let ask = |goal, visit: Visit<'_, R::Part>| {
            self.rules
                .options_to(index, part, Goal::Grundy(goal), visit)
        };
        let nothing: Visit<'_, R::Part> = &mut |_, _| ControlFlow::Break(Halt::Enough);
        let direct = !goals.is_empty() && goals.iter().all(|&goal| ask(goal, nothing).is_some());
        let flow = if direct {
            goals
                .into_iter()
                .try_for_each(|goal| ask(goal, &mut keep).unwrap_or(ControlFlow::Continue(())))
        } else if wanted.is_empty() {
            ControlFlow::Continue(())
        } else {
            let player = self.rules.nature(part).beginners()[0];
            self.rules.options(player, index, part, &mut keep)
        };
        ended(flow).map(|_| ())
    }
}

impl<R: Ruleset> AnyTerm for Term<R> {
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    fn text(&self) -> String {
        self.rules.write(&self.parts)
    }

    fn written_as_sum(&self) -> bool {
        self.rules.written_as_sum()
    }

    fn parts(&self) -> Vec<Arc<dyn AnyTerm>> {
        let parts = self.parts.iter();
        parts.map(|part| self.with(vec![part.clone()])).collect()
    }

    fn caption(&self) -> String {
        match &self.parts[..] {
            [part] => self.rules.caption(part),
            _ => self.text(),
        }
    }

    fn nature(&self) -> Nature {
        // The parts of a term are of one kind.
        self.parts
            .first()
            .map_or(Nature::IMPARTIAL, |part| self.rules.nature(part))
    }

    fn players(&self) -> Option<[&'static str; 2]> {
        self.rules.players()
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.parts)
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> Flow {
        self.parts.iter().enumerate().try_for_each(|(index, part)| {
            self.rules.options(player, index, part, &mut |left, name| {
                if self.repeated(index, left) {
                    return ControlFlow::Continue(());
                }
                visit(name, &|| self.replace(index, left))
            })
        })
    }

    fn payoff(&self, to_move: Player) -> Result<Worth, Stop> {
        match &self.parts[..] {
            [part] => self.rules.payoff(part, to_move),
            _ => Ok(Worth::Lose),
        }
    }

    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow> {
        let [part] = &self.parts[..] else { return None };
        self.rules
            .options_to(0, part, Goal::P(play), &mut |left, name| {
                visit(name, &|| self.replace(0, left))
            })
    }

    fn outcome(&self, play: Play) -> Option<Known<Outcome>> {
        match &self.parts[..] {
            [part] => self.rules.outcome(part, play),
            _ => None,
        }
    }

    fn heap_rules(&self) -> Option<(&HeapRules, u64)> {
        match &self.parts[..] {
            [part] => match self.rules.structure(part) {
                Structure::Heap(rules, size) => Some((rules, size)),
                _ => None,
            },
            _ => None,
        }
    }

    fn number(&self) -> Option<Known<Dyadic>> {
        let (first, rest) = self.parts.split_first()?;
        let mut known = self.rules.number(first)?;
        for part in rest {
            known.value = known.value.plus(self.rules.number(part)?.value)?;
        }
        Some(known)
    }

    fn passed(&self) -> Option<Arc<dyn AnyTerm>> {
        let parts = self.parts.iter().map(|part| self.rules.passed(part));
        let parts: Option<Vec<_>> = parts.collect();
        parts
            .filter(|parts| !parts.is_empty())
            .map(|parts| self.with(parts))
    }

    fn freed(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let parts = self.parts.iter().map(|part| self.rules.freed(part));
        Ok(self.with(parts.collect::<Result<_, _>>()?))
    }

    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step> {
        self.rules.argument(&self.parts[index], wanted)
    }

    fn remarks(&self) -> Vec<Step> {
        self.rules.remarks(&self.parts)
    }

    fn held(&self) -> usize {
        self.rules.held(&self.parts)
    }

    fn longest_play(&self) -> Option<u128> {
        self.parts.iter().try_fold(0u128, |sum, part| {
            sum.checked_add(self.rules.longest_play(part)?)
        })
    }

    fn finite(&self) -> bool {
        self.rules.finite()
    }

    fn network(&self) -> Option<(&Network, u32)> {
        match &self.parts[..] {
            [part] => self.rules.network(part),
            _ => None,
        }
    }

    fn loopy_parts(
        &self,
        tables: &mut Tables<NormalPlay>,
        limits: &Limits<'_>,
    ) -> Result<Vec<LoopyPart>, Stop> {
        let parts = self.parts.iter();
        parts
            .map(|part| tables.loopy_part(&self.rules, part, limits))
            .collect()
    }

    fn is_zero(&self, tables: &mut Tables<NormalPlay>, limits: &Limits<'_>) -> Result<bool, Stop> {
        tables.is_zero(&self.rules, &self.parts, limits)
    }

    fn loopy_moves(
        &self,
        index: usize,
        tables: &mut Tables<NormalPlay>,
        limits: &Limits<'_>,
        visit: VisitValued<'_>,
    ) -> Result<bool, Stop> {
        let part = &self.parts[index];
        let player = self.rules.nature(part).beginners()[0];
        let mut seen = 0;
        ended(self.rules.options(player, index, part, &mut |left, name| {
            if self.repeated(index, left) {
                return ControlFlow::Continue(());
            }
            seen += 1;
            let looked = if seen % 4096 == 0 {
                limits.check(seen, 0).and_then(|()| limits.poll())
            } else {
                Ok(())
            };
            let sum = looked.and_then(|()| {
                left.iter().try_fold(LoopyPart::END, |sum, part| {
                    Ok(sum.plus(&tables.loopy_part(&self.rules, part, limits)?))
                })
            });
            match sum {
                Ok(sum) => visit(&sum, name, &|| self.replace(index, left)),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        }))
    }

    fn known_to_end(&self) -> bool {
        self.rules.known_to_end()
    }

    fn enter(&self, space: &mut Space, out: &mut Vec<u32>) -> u32 {
        space.enter(&self.rules, &self.parts, out)
    }

    fn any_parts(&self) -> &dyn Any {
        &self.parts
    }

    fn same(&self, other: &dyn AnyTerm) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            let rules = Arc::ptr_eq(&self.rules, &other.rules) || self.rules == other.rules;
            rules && self.parts == other.parts
        })
    }

    fn feed(&self, mut state: &mut dyn Hasher) {
        self.rules.name().hash(&mut state);
        self.parts.hash(&mut state);
    }

    fn find(&self, space: &Space, out: &mut Vec<u32>) -> Option<()> {
        let mut parts = self.parts.iter();
        parts.try_for_each(|part| space.find(&self.rules, part, out))
    }
}
