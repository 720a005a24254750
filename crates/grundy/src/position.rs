//! Positions: sums of terms of any kind.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::graph::Network;
use crate::heap::{HeapRules, Progression};
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::picture::Picture;
use crate::ruleset::{Goal, Known, Ruleset, Structure, Visit};

use crate::solve::loopy::{LoopyPart, VisitValued};
use crate::solve::solvable::Solvable;
use crate::solve::tables::{PartValue, Tables};
use crate::solve::universe::{Component, Universe};
use crate::step::{Move, Step};
use crate::theory::{NormalPlay, TamePlay};

/// A position: a disjunctive sum of terms. The player to move picks one term and moves in it.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Position, Term};
/// let position = Position::from(Term::new(Nim, vec![3, 4])) + Term::new(Nim, vec![5]).into();
/// assert_eq!(position.to_string(), "nim(3, 4) + nim(5)");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The terms, in the order written.
    pub terms: Vec<Arc<dyn AnyTerm>>,
}

impl Position {
    /// The position after the move in term `index` that leaves `term` there.
    #[must_use]
    pub fn after(&self, index: usize, term: Arc<dyn AnyTerm>) -> Self {
        let mut terms: Vec<_> = self
            .terms
            .iter()
            .map(|other| other.passed().unwrap_or_else(|| Arc::clone(other)))
            .collect();
        terms[index] = term;
        Self { terms }
    }

    /// Every move with its term, in a fixed order, until `visit` breaks.
    pub fn moves(
        &self,
        visit: &mut dyn FnMut(usize, &dyn Fn() -> Move, &dyn Fn() -> Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.terms.iter().enumerate().try_for_each(|(index, term)| {
            term.moves(&mut |name, to| visit(index, name, &|| self.after(index, to())))
        })
    }
}

impl From<Arc<dyn AnyTerm>> for Position {
    fn from(term: Arc<dyn AnyTerm>) -> Self {
        Self { terms: vec![term] }
    }
}

impl<R: Ruleset> From<Term<R>> for Position {
    fn from(term: Term<R>) -> Self {
        Self {
            terms: vec![term.into()],
        }
    }
}

impl std::ops::Add for Position {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("sum_of([])");
        }
        // A long chain of + is refused by readers, because parsers nest it.
        let long = self.terms.len() > 200;
        f.write_str(if long { "sum_of([" } else { "" })?;
        for (index, term) in self.terms.iter().enumerate() {
            let separator = match (index, long) {
                (0, _) => "",
                (_, true) => ", ",
                (_, false) => " + ",
            };
            write!(f, "{separator}{}", term.text())?;
        }
        f.write_str(if long { "])" } else { "" })
    }
}

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

    /// The term with `left` in place of part `index`.
    fn replace(&self, index: usize, left: &[R::Part]) -> Arc<dyn AnyTerm> {
        let mut parts = self.parts.clone();
        parts.splice(index..=index, left.iter().cloned());
        Arc::new(Self {
            rules: Arc::clone(&self.rules),
            parts,
        })
    }
}

impl<R: Ruleset> From<Term<R>> for Arc<dyn AnyTerm> {
    fn from(term: Term<R>) -> Self {
        Arc::new(term)
    }
}

/// Receives a move and a way to ask for the term after it.
pub type VisitTerm<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> ControlFlow<()>;

/// A term whose ruleset is known at run time only.
pub trait AnyTerm: fmt::Debug + Send + Sync + Valued<NormalPlay> + Valued<TamePlay> {
    /// The name of the constructor.
    fn name(&self) -> &'static str;
    /// Canonical notation.
    fn text(&self) -> String;
    /// The parts, each as a term of its own.
    fn parts(&self) -> Vec<Arc<dyn AnyTerm>>;
    /// How many parts there are.
    fn part_count(&self) -> usize;
    /// What the term looks like.
    fn picture(&self) -> Picture;
    /// Every move, in a fixed order, until `visit` breaks.
    fn moves(&self, visit: VisitTerm<'_>) -> ControlFlow<()>;
    /// The moves that may lead to a P-position, found directly; `None` where the rules know no short cut or
    /// the term has not exactly one part.
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<ControlFlow<()>>;
    /// The outcome by a theorem, for a term of one part.
    fn outcome(&self, play: Play) -> Option<Known<Outcome>>;
    /// The rules of its heaps, for a term of one heap of a heap game.
    fn heap_rules(&self) -> Option<(&HeapRules, u64)>;
    /// What the term becomes when the player moves elsewhere, where that makes a difference.
    fn passed(&self) -> Option<Arc<dyn AnyTerm>>;
    /// Why part `index` has its value, and how to give it the value `wanted`.
    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step>;
    /// What has to be said before anything else.
    fn remarks(&self) -> Vec<Step>;
    /// About how many bytes the term holds in memory.
    fn held(&self) -> usize;
    /// Length of the longest play, where it is known.
    fn longest_play(&self) -> Option<u128>;
    /// Whether both players always have the same moves.
    fn impartial(&self) -> bool;
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
    ) -> Result<ControlFlow<()>, Stop>;
    /// Enters the components into a universe of numbered components.
    fn enter(&self, universe: &mut Universe, out: &mut Vec<Component>);
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
        let mut stop = Ok(());
        let (mut seen, mut enough) = (0, false);
        let mut keep = |left: &[R::Part], name: &dyn Fn() -> Move| {
            seen += 1;
            stop = limits.check(seen, 0);
            if seen % 4096 == 0 {
                stop = stop.and_then(|()| limits.poll());
            }
            match stop.and_then(|()| tables.has_value(&self.rules, left, wanted, limits)) {
                Ok(true) => {
                    let flow = visit(name, &|| self.replace(index, left));
                    enough = flow.is_break();
                    flow
                }
                Ok(false) => ControlFlow::Continue(()),
                Err(error) => {
                    stop = Err(error);
                    ControlFlow::Break(())
                }
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
        let direct = !goals.is_empty()
            && goals
                .iter()
                .all(|&goal| ask(goal, &mut |_, _| ControlFlow::Break(())).is_some());
        if direct {
            let _ = goals
                .into_iter()
                .try_for_each(|goal| ask(goal, &mut keep).unwrap_or(ControlFlow::Continue(())));
        }
        if !direct && !wanted.is_empty() {
            let flow = self.rules.options(index, part, &mut keep);
            if flow.is_break() && stop.is_ok() && !enough {
                return Err(Stop::Rules);
            }
        }
        stop
    }
}

impl<R: Ruleset> AnyTerm for Term<R> {
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    fn text(&self) -> String {
        self.rules.write(&self.parts)
    }

    fn parts(&self) -> Vec<Arc<dyn AnyTerm>> {
        let term = |part: &R::Part| Self {
            rules: Arc::clone(&self.rules),
            parts: vec![part.clone()],
        };
        self.parts.iter().map(|part| term(part).into()).collect()
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.parts)
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn moves(&self, visit: VisitTerm<'_>) -> ControlFlow<()> {
        self.parts.iter().enumerate().try_for_each(|(index, part)| {
            self.rules.options(index, part, &mut |left, name| {
                visit(name, &|| self.replace(index, left))
            })
        })
    }

    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<ControlFlow<()>> {
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

    fn passed(&self) -> Option<Arc<dyn AnyTerm>> {
        let parts: Option<Vec<_>> = self
            .parts
            .iter()
            .map(|part| self.rules.passed(part))
            .collect();
        parts.filter(|parts| !parts.is_empty()).map(|parts| {
            Self {
                rules: Arc::clone(&self.rules),
                parts,
            }
            .into()
        })
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

    fn impartial(&self) -> bool {
        self.rules.impartial()
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

    fn loopy_moves(
        &self,
        index: usize,
        tables: &mut Tables<NormalPlay>,
        limits: &Limits<'_>,
        visit: VisitValued<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        let mut stop = Ok(());
        let mut seen = 0;
        let flow = self
            .rules
            .options(index, &self.parts[index], &mut |left, name| {
                seen += 1;
                if seen % 4096 == 0
                    && let Err(error) = limits.check(seen, 0).and_then(|()| limits.poll())
                {
                    stop = Err(error);
                    return ControlFlow::Break(());
                }
                let sum = left.iter().try_fold(LoopyPart::END, |sum, part| {
                    Ok(sum.plus(&tables.loopy_part(&self.rules, part, limits)?))
                });
                match sum {
                    Ok(sum) => visit(&sum, name, &|| self.replace(index, left)),
                    Err(error) => {
                        stop = Err(error);
                        ControlFlow::Break(())
                    }
                }
            });
        stop.map(|()| flow)
    }

    fn known_to_end(&self) -> bool {
        self.rules.known_to_end()
    }

    fn enter(&self, universe: &mut Universe, out: &mut Vec<Component>) {
        for part in &self.parts {
            universe.enter(&self.rules, part, out);
        }
    }
}
