//! Terms, each of which is one call of a constructor.

mod facts;
mod table;

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::rules::{AnyRules, Part, Ruleset, Visit};
use crate::store::Store;
use crate::store::erased::ranked::RankedGame;
use crate::theorem::Goal;
use grundy_base::diagnostic::Diagnostic;
use grundy_base::limits::{Flow, Halt, Stop, stopped_early};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_base::step::Move;

pub use crate::store::erased::{AnyTerm, PartFacts, VisitOption, VisitTerm};

/// A term, which is one call of a constructor: some parts, and the rules of all of them.
#[derive(Clone)]
pub struct Term<P: Part> {
    /// The rules.
    pub rules: Arc<dyn AnyRules<P>>,
    /// The parts, in the order written.
    pub parts: Vec<P>,
}

impl<P: Part> Term<P> {
    /// Creates a term with the given rules and parts.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let term = Term::new(Nim, vec![3, 4, 5]);
    /// assert_eq!(Position::from(term).to_string(), "nim(3, 4, 5)");
    /// ```
    pub fn new<R: Ruleset<Part = P>>(rules: R, parts: Vec<P>) -> Self {
        Self {
            rules: Arc::new(rules),
            parts,
        }
    }

    /// Returns a term with other parts and the same rules.
    fn with(&self, parts: Vec<P>) -> Arc<dyn AnyTerm> {
        Arc::new(Self {
            rules: Arc::clone(&self.rules),
            parts,
        })
    }

    /// Returns whether replacing part `index` by `left` repeats a move in the previous part. This
    /// is so if the move removes a part that is equal to the previous one. Removing one of several
    /// equal adjacent parts counts as a single move, made in the first of them.
    fn repeated(&self, index: usize, left: &[P]) -> bool {
        left.is_empty() && index > 0 && self.parts[index - 1] == self.parts[index]
    }

    /// Visits the options of part `index` that `list` generates. `visit` gets the parts that
    /// replace this part, as a term with the same rules.
    fn visit_replacements(
        &self,
        index: usize,
        visit: VisitOption<'_>,
        list: &mut dyn FnMut(Visit<'_, P>),
    ) {
        // The same term is reused for all options, so that a visit allocates nothing.
        let mut term = Self {
            rules: Arc::clone(&self.rules),
            parts: Vec::new(),
        };
        list(&mut |left, name| {
            if self.repeated(index, left) {
                return ControlFlow::Continue(());
            }
            term.parts.clear();
            term.parts.extend_from_slice(left);
            visit(&term, name, &|| self.replace(index, left))
        });
    }

    /// Returns the term in which part `index` is replaced by the parts `left`.
    fn replace(&self, index: usize, left: &[P]) -> Arc<dyn AnyTerm> {
        let mut parts = self.parts.clone();
        parts.splice(index..=index, left.iter().cloned());
        self.with(parts)
    }
}

impl<P: Part> From<Term<P>> for Arc<dyn AnyTerm> {
    fn from(term: Term<P>) -> Self {
        Arc::new(term)
    }
}

impl<P: Part> Debug for Term<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules.write(&self.parts))
    }
}

/// Returns the number of moves of a player in a part, or `most` + 1 if there are more than `most`
/// moves.
fn count_moves<P: Part>(
    rules: &dyn AnyRules<P>,
    part: &P,
    player: Player,
    most: u64,
) -> Result<u64, Stop> {
    let mut count = 0;
    stopped_early(rules.options(player, 0, part, &mut |_, _| {
        count += 1;
        if count > most {
            ControlFlow::Break(Halt::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }))?;
    Ok(count)
}

/// Returns the parts of the term in `terms`, if there is exactly one term and its rules have the
/// type `R`.
///
/// ```
/// use grundy_core::ruleset::{chomp::Chomp, nim::Nim};
/// use grundy_core::{Position, Term, term::parts_of};
/// let heaps = Position::from(Term::new(Nim, vec![3, 4]));
/// assert_eq!(parts_of::<Nim>(heaps.terms()), Some(&[3, 4][..]));
/// assert_eq!(parts_of::<Chomp>(heaps.terms()), None);
/// ```
#[must_use]
pub fn parts_of<R: Ruleset>(terms: &[Arc<dyn AnyTerm>]) -> Option<&[R::Part]> {
    let [term] = terms else { return None };
    let term: &dyn Any = &**term;
    let term = term.downcast_ref::<Term<R::Part>>()?;
    let rules: &dyn Any = &*term.rules;
    rules.is::<R>().then_some(&term.parts[..])
}

impl<P: Part> AnyTerm for Term<P> {
    fn some_parts(&self, range: Range<usize>) -> Arc<dyn AnyTerm> {
        self.with(self.parts[range].to_vec())
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
        let every = self.rules.capabilities().every_option;
        self.parts.iter().enumerate().try_for_each(|(index, part)| {
            let visit: Visit<'_, P> = &mut |left, name| visit(name, &|| self.replace(index, left));
            match every {
                Some(every) => every.every_option(player, index, part, visit),
                None => self.rules.options(player, index, part, visit),
            }
        })
    }

    fn moves_as(&self, player: Player, index: usize, visit: VisitTerm<'_>) -> Flow {
        self.parts.iter().try_for_each(|part| {
            self.rules.options(player, index, part, &mut |left, name| {
                visit(name, &|| self.with(left.to_vec()))
            })
        })
    }

    fn options(&self, index: usize, visit: VisitOption<'_>) -> Flow {
        let part = &self.parts[index];
        let player = self.rules.nature(part).beginners()[0];
        let mut flow = ControlFlow::Continue(());
        self.visit_replacements(index, visit, &mut |visit| {
            flow = self.rules.options(player, index, part, visit);
        });
        flow
    }

    fn options_to(&self, index: usize, goal: Goal, visit: VisitOption<'_>) -> Option<Flow> {
        let shortcuts = self.rules.capabilities().shortcuts?;
        let mut flow = None;
        self.visit_replacements(index, visit, &mut |visit| {
            flow = shortcuts.options_to(index, &self.parts[index], goal, visit);
        });
        flow
    }

    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow> {
        let [part] = &self.parts[..] else { return None };
        let shortcuts = self.rules.capabilities().shortcuts?;
        shortcuts.options_to(0, part, Goal::P(play), &mut |left, name| {
            visit(name, &|| self.replace(0, left))
        })
    }

    fn move_to_heaps(&self, index: usize, sizes: &[u64]) -> Option<(Move, Arc<dyn AnyTerm>)> {
        let heaps = self.rules.capabilities().heaps?;
        let (left, name) = heaps.move_to_heaps(index, self.parts.get(index)?, sizes)?;
        Some((name, self.replace(index, &left)))
    }

    fn components(&self, visit: &mut dyn FnMut(Arc<dyn AnyTerm>)) {
        for part in &self.parts {
            self.rules
                .components(part, &mut |component| visit(self.with(vec![component])));
        }
    }

    fn pieces(&self) -> Vec<Arc<dyn AnyTerm>> {
        let named = self.rules.capabilities().pieces;
        let mut pieces = Vec::new();
        for part in &self.parts {
            match named.and_then(|named| named.pieces(part)) {
                Some(named) => pieces.extend(named),
                None => self.rules.components(part, &mut |piece| pieces.push(piece)),
            }
        }
        let pieces = self.with(pieces);
        pieces.parts()
    }

    fn joined(&self, others: &[&dyn AnyTerm]) -> Option<Arc<dyn AnyTerm>> {
        let mut parts = self.parts.clone();
        for other in others {
            parts.extend_from_slice(other.any_parts().downcast_ref::<Vec<P>>()?);
        }
        Some(self.with(parts))
    }

    fn after_move_elsewhere(&self) -> Option<Arc<dyn AnyTerm>> {
        let turn = self.rules.capabilities().turn?;
        let mut parts = Vec::new();
        for part in &self.parts {
            parts.push(turn.after_move_elsewhere(part)?);
        }
        (!parts.is_empty()).then(|| self.with(parts))
    }

    fn with_either_beginner(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let Some(turn) = self.rules.capabilities().turn else {
            return Ok(self.with(self.parts.clone()));
        };
        let mut parts = Vec::new();
        for part in &self.parts {
            parts.push(turn.with_either_beginner(part)?);
        }
        Ok(self.with(parts))
    }

    fn negated(&self) -> Option<Arc<dyn AnyTerm>> {
        if let Some(rules) = self.rules.exchanged() {
            let parts = self.parts.clone();
            return Some(Arc::new(Self { rules, parts }));
        }
        let negation = self.rules.capabilities().negation;
        let negative = |part: &P| negation.and_then(|negation| negation.negative(part));
        let (mut parts, mut all) = (Vec::new(), true);
        for part in &self.parts {
            // An impartial game is equal to its negative.
            let impartial = self.rules.nature(part).is_impartial();
            match impartial.then(|| part.clone()).or_else(|| negative(part)) {
                Some(negative) => parts.push(negative),
                // Some rules can negate only canonical components.
                None => self
                    .rules
                    .components(part, &mut |component| match negative(&component) {
                        Some(negative) => parts.push(negative),
                        None => all = false,
                    }),
            }
        }
        all.then(|| self.with(parts))
    }

    fn enter(&self, store: &mut Store, out: &mut Vec<u32>) -> u32 {
        table::enter(&self.rules, &self.parts, store, out)
    }

    fn find(&self, store: &Store, out: &mut Vec<u32>) -> Option<()> {
        let mut parts = self.parts.iter();
        parts.try_for_each(|part| table::find(&self.rules, part, store, out))
    }

    fn adopt(&self, read: &[Arc<dyn AnyTerm>], store: &mut Store) -> Option<u32> {
        let parts = match read {
            [term] => term.any_parts().downcast_ref::<Vec<P>>(),
            _ => None,
        };
        let part = match parts.map(|parts| &parts[..]) {
            Some([part]) => part.clone(),
            Some(_) => return None,
            None => self.rules.capabilities().foreign_parts?.read_as(read)?,
        };
        let mut number = Vec::new();
        table::enter(&self.rules, &[part], store, &mut number);
        number.first().copied()
    }

    fn any_parts(&self) -> &dyn Any {
        &self.parts
    }

    fn same(&self, other: &dyn AnyTerm) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            // Terms of one position usually share the object with their rules. Comparing the
            // contents of rules may take long.
            let rules = Arc::ptr_eq(&self.rules, &other.rules) || self.rules.same(&*other.rules);
            rules && self.parts == other.parts
        })
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        // The hash contains the name of the rules instead of their contents, which may be large.
        // Equal terms still have equal hashes.
        self.rules.name().hash(&mut state);
        self.parts.hash(&mut state);
    }

    fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        let ranks = self.rules.capabilities().ranks;
        ranks.map_or(Ok(None), |ranks| ranks.ranked(&self.parts))
    }
}
