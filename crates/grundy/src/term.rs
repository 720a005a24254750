//! Terms: one call of a constructor each.

mod informed;
mod shown;
mod valued;

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::limits::{Flow, Stop};
use crate::outcome::Worth;
use crate::player::Player;
use crate::position::Position;
use crate::rules::{Nature, Ruleset};
use crate::space::Space;
use crate::step::Move;
use crate::values::canonical::Canonical;
use crate::values::grundy::Grundy;
use crate::values::loopy::SmithFraenkel;
use crate::values::misere_forms::MisereForms;
use crate::values::quotients::Quotients;
use crate::values::tame::Tame;

pub use self::informed::Informed;
pub use self::shown::Shown;
pub(crate) use self::valued::look;
pub use self::valued::{Valued, VisitValued};

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

/// A term whose ruleset is known at run time only.
pub trait AnyTerm:
    fmt::Debug
    + Any
    + Send
    + Sync
    + Shown
    + Informed
    + Valued<Grundy>
    + Valued<Tame>
    + Valued<MisereForms>
    + Valued<Quotients>
    + Valued<SmithFraenkel>
    + Valued<Canonical>
{
    /// The name of the constructor.
    fn name(&self) -> &'static str;
    /// What kind of game it is.
    fn nature(&self) -> Nature;
    /// The parts, each as a term of its own.
    fn parts(&self) -> Vec<Arc<dyn AnyTerm>>;
    /// Some of the parts, as a term.
    ///
    /// # Panics
    /// When there are not so many parts.
    fn some_parts(&self, range: Range<usize>) -> Arc<dyn AnyTerm>;
    /// The number of parts.
    fn part_count(&self) -> usize;
    /// Every move of `player`, in a fixed order, until `visit` breaks; of those that lead to one position the first.
    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> Flow;
    /// The same with all that lead to one position.
    fn every_move(&self, player: Player, visit: VisitTerm<'_>) -> Flow;
    /// The moves in a term of one part, named as if that stood at `index` in its term.
    fn moves_as(&self, player: Player, index: usize, visit: VisitTerm<'_>) -> Flow;
    /// The canonical components, each as a term of its own.
    fn components(&self, visit: &mut dyn FnMut(Arc<dyn AnyTerm>));
    /// The components with the names that they have in the term.
    fn pieces(&self) -> Vec<Arc<dyn AnyTerm>>;
    /// The parts of this term and of others under the same rules, as one term.
    fn joined(&self, others: &[&dyn AnyTerm]) -> Option<Arc<dyn AnyTerm>>;
    /// What the end is worth to the player to move, in normal play.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn payoff(&self, to_move: Player) -> Result<Worth, Stop>;
    /// The term when its player has moved elsewhere, where that makes a difference.
    fn passed(&self) -> Option<Arc<dyn AnyTerm>>;
    /// The term where either player may begin.
    ///
    /// # Errors
    /// A beginner that was asked for in so many words.
    fn freed(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic>;
    /// The term with the players exchanged; nothing where its rules cannot express that.
    fn negated(&self) -> Option<Arc<dyn AnyTerm>>;
    /// Enters the components into a space, and appends their numbers; which room of it they are in.
    fn enter(&self, space: &mut Space, out: &mut Vec<u32>) -> u32;
    /// The term of parts that have these numbers in a space, under the same rules.
    fn gathered(&self, space: &Space, parts: &[u32]) -> Arc<dyn AnyTerm>;
    /// The parts, as a list of their type.
    fn any_parts(&self) -> &dyn Any;
    /// Enters what a part under the rules of this was written and read as: its number, where it has parts of the same type, perhaps
    /// under other rules, or these rules write some of theirs as it is.
    fn adopt(&self, read: &Position, space: &mut Space) -> Option<u32>;
    /// Whether the other term is the same, part by part, under the same rules.
    fn same(&self, other: &dyn AnyTerm) -> bool;
    /// Feeds a hasher: terms that are the same feed the same.
    fn feed(&self, state: &mut dyn Hasher);
    /// Appends the numbers of the components in a space; nothing where one of them has not been met there.
    fn find(&self, space: &Space, out: &mut Vec<u32>) -> Option<()>;
}

impl<R: Ruleset> AnyTerm for Term<R> {
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    fn parts(&self) -> Vec<Arc<dyn AnyTerm>> {
        let parts = self.parts.iter();
        parts.map(|part| self.with(vec![part.clone()])).collect()
    }

    fn nature(&self) -> Nature {
        // The parts of a term are of one kind.
        self.parts
            .first()
            .map_or(Nature::IMPARTIAL, |part| self.rules.nature(part))
    }

    fn some_parts(&self, range: Range<usize>) -> Arc<dyn AnyTerm> {
        self.with(self.parts[range].to_vec())
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

    fn every_move(&self, player: Player, visit: VisitTerm<'_>) -> Flow {
        self.parts.iter().enumerate().try_for_each(|(index, part)| {
            self.rules
                .every_option(player, index, part, &mut |left, name| {
                    visit(name, &|| self.replace(index, left))
                })
        })
    }

    fn moves_as(&self, player: Player, index: usize, visit: VisitTerm<'_>) -> Flow {
        self.parts.iter().try_for_each(|part| {
            self.rules.options(player, index, part, &mut |left, name| {
                visit(name, &|| self.with(left.to_vec()))
            })
        })
    }

    fn components(&self, visit: &mut dyn FnMut(Arc<dyn AnyTerm>)) {
        for part in &self.parts {
            self.rules
                .components(part, &mut |component| visit(self.with(vec![component])));
        }
    }

    fn pieces(&self) -> Vec<Arc<dyn AnyTerm>> {
        let mut pieces: Vec<Arc<dyn AnyTerm>> = Vec::new();
        for part in &self.parts {
            let mut add = |piece| pieces.push(self.with(vec![piece]));
            match self.rules.show().pieces(part) {
                Some(named) => named.into_iter().for_each(add),
                None => self.rules.components(part, &mut add),
            }
        }
        pieces
    }

    fn joined(&self, others: &[&dyn AnyTerm]) -> Option<Arc<dyn AnyTerm>> {
        let mut parts = self.parts.clone();
        for other in others {
            parts.extend_from_slice(other.any_parts().downcast_ref::<Vec<R::Part>>()?);
        }
        Some(self.with(parts))
    }

    fn payoff(&self, to_move: Player) -> Result<Worth, Stop> {
        match &self.parts[..] {
            [part] => self.rules.payoff(part, to_move),
            _ => Ok(Worth::Lose),
        }
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

    fn negated(&self) -> Option<Arc<dyn AnyTerm>> {
        if let Some(rules) = self.rules.exchanged() {
            return Some(Self::new(rules, self.parts.clone()).into());
        }
        let knowledge = self.rules.knowledge();
        let mut parts = Vec::new();
        for part in &self.parts {
            if self.rules.nature(part).is_impartial() {
                parts.push(part.clone());
            } else if let Some(negative) = knowledge.negative(part) {
                parts.push(negative);
            } else {
                let mut components = Vec::new();
                self.rules
                    .components(part, &mut |component| components.push(component));
                for component in components {
                    parts.push(knowledge.negative(&component)?);
                }
            }
        }
        Some(self.with(parts))
    }

    fn enter(&self, space: &mut Space, out: &mut Vec<u32>) -> u32 {
        space.enter(&self.rules, &self.parts, out)
    }

    fn gathered(&self, space: &Space, parts: &[u32]) -> Arc<dyn AnyTerm> {
        let parts = parts.iter().filter_map(|&part| space.part::<R>(part));
        self.with(parts.cloned().collect())
    }

    fn adopt(&self, read: &Position, space: &mut Space) -> Option<u32> {
        let term = read.only_term().map(|term| term.any_parts());
        let parts = term.and_then(|parts| parts.downcast_ref::<Vec<R::Part>>());
        let part = match parts.map(|parts| &parts[..]) {
            Some([only]) => only.clone(),
            Some(_) => return None,
            None => self.rules.read_as(read)?,
        };
        let mut number = Vec::new();
        space.enter(&self.rules, &[part], &mut number);
        number.first().copied()
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
