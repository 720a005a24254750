//! Sprague–Grundy values: an impartial game that ends is worth a Nim heap, of the least size that no option is worth.
//!
//! R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41 (1935), 438-444; P. M. Grundy, Mathematics and games,
//! Eureka 2 (1939), 6-8.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::blackboard::Blackboards;
use super::by_outcomes::Questions;
use super::diagrams::Diagrams;
use super::explored::Explored;
use super::heaps::{Heaps, LARGE};
use super::slider::Slider;
use super::{Evidence, PartValue, Reach, Theory, Valuation, Work};
use crate::algebra::NormalPlay;
use crate::heap::progressions::progressions;
use crate::heap::{HeapRules, Progression, Sequence};
use crate::limits::{Limits, Stop, ended};
use crate::mex::MexSet;
use crate::position::{Position, Valued};
use crate::rules::{Known, Nature, Ruleset, Structure, Theorem};
use crate::term::look;

/// The value of an ordinal sum of impartial games.
pub const MISSING: Theorem = Theorem {
    method: "ordinal sum of nimbers",
    name: "the value of an ordinal sum of impartial games",
    statement: "if H is worth *h, G:H is worth the number after the h least ones that no option of G is worth",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// Sprague–Grundy values in normal play.
#[derive(Debug, Default)]
pub struct Grundy {
    heaps: Heaps<NormalPlay>,
    /// Boards by the directions of their piece.
    sliders: FxHashMap<&'static [(u64, u64)], Slider>,
    diagrams: Diagrams,
    seen: MexSet,
    /// What is taken on trust of packed components, by the names of rulesets that nothing was asked about since.
    recalled: FxHashMap<String, Vec<(u64, u32)>>,
    /// What others who look at the same tell, and the order in which this one looks.
    company: Option<(Arc<Blackboards>, u64)>,
}

impl Grundy {
    /// Looks at components in this order, 0 being its own, and shares what it finds out of packed ones; or no longer.
    pub(crate) fn join(&mut self, company: Option<(Arc<Blackboards>, u64)>) {
        self.company = company;
    }

    /// Takes on trust that a packed component of a ruleset has one of the values in a set (bit k for k): what was learned by then is
    /// not worked out again. What makes no sense is not taken.
    #[must_use = "it may have been refused"]
    pub fn recall(&mut self, ruleset: &str, component: u64, possible: u64) -> bool {
        // What is larger is not told apart.
        let possible = u32::try_from(possible).unwrap_or(0);
        let sound = component != 0 && component >> 63 == 0 && possible != 0 && possible >> 31 == 0;
        if sound {
            let known = self.recalled.entry(ruleset.to_owned()).or_default();
            known.push((component, possible));
        }
        sound
    }

    /// The sequence of values of a heap game.
    pub fn sequence(&mut self, rules: &HeapRules) -> &mut Sequence<NormalPlay> {
        self.heaps.sequence(rules)
    }

    /// The value of a heap.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn heap(&mut self, rules: &HeapRules, size: u64, limits: &Limits<'_>) -> Result<u64, Stop> {
        Ok(self.heaps.value(rules, size, limits)?.value)
    }
}

impl Valuation<Grundy> {
    /// Visits what is known of packed components, as [`Grundy::recall`] takes it, by the names of their rulesets.
    pub fn each_searched(&self, visit: &mut dyn FnMut(&str, u64, u64)) {
        for (name, known) in &self.theory.recalled {
            known
                .iter()
                .for_each(|&(key, set)| visit(name, key, set.into()));
        }
        for (name, questions) in self.explored.iter().map(|explored| explored.notes()) {
            questions
                .met()
                .for_each(|(key, set)| visit(name, key, set.into()));
        }
    }

    /// The theory, and the components of a ruleset, with what is taken on trust of them.
    fn searched<R: Ruleset>(&mut self, rules: &Arc<R>) -> (&mut Grundy, &mut Explored<R, Grundy>) {
        let recalled = match rules.knowledge().packed() {
            Some(_) => self.theory.recalled.remove(rules.name()),
            None => None,
        };
        let (theory, explored) = self.explored(rules);
        explored.notes.recall(&recalled.unwrap_or_default());
        let (boards, order) = theory
            .company
            .as_ref()
            .map_or((None, 0), |(boards, order)| (Some(boards), *order));
        let board = boards.map(|boards| boards.of(rules.name()));
        if order != 0
            && let Some(board) = &board
        {
            board.open();
        }
        explored.notes.join(board, order);
        (theory, explored)
    }
}

/// The value of a position.
fn whole(
    position: &Position,
    valuation: &mut Valuation<Grundy>,
    limits: &Limits<'_>,
) -> Result<u64, Stop> {
    let mut sum = 0;
    for term in position.terms() {
        let values = Valued::<Grundy>::values(&**term, valuation, limits)?;
        sum = values.iter().fold(sum, |sum, part| sum ^ part.value);
    }
    Ok(sum)
}

/// The value of `base` with `top` on it: if that is *h, of the numbers that no option of the base is worth, the one after h others.
fn ordinal(
    base: &Position,
    top: &Position,
    valuation: &mut Valuation<Grundy>,
    limits: &Limits<'_>,
) -> Result<PartValue<u64>, Stop> {
    if top.terms().is_empty() {
        return Ok(PartValue {
            value: whole(base, valuation, limits)?,
            evidence: Evidence::Search,
        });
    }
    let mut taken = BTreeSet::new();
    let mut seen = 0;
    ended(base.moves(base.first_player(), &mut |_, _, to| {
        match look(&mut seen, limits).and_then(|()| whole(&to(), valuation, limits)) {
            Ok(value) => {
                taken.insert(value);
                ControlFlow::Continue(())
            }
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))?;
    let mut value = whole(top, valuation, limits)?;
    for taken in taken {
        if taken > value {
            break;
        }
        value = value.checked_add(1).ok_or(Stop::Overflow)?;
    }
    Ok(PartValue {
        value,
        evidence: Evidence::Theorem(&MISSING),
    })
}

impl Theory for Grundy {
    type Value = u64;
    type Notes = Questions;
    const REACH: Reach = Reach::Options;

    fn refuses(nature: Nature) -> Option<Stop> {
        (!nature.is_impartial()).then_some(Stop::NotImpartial)
    }

    fn zero(&self) -> u64 {
        0
    }

    fn add(&mut self, a: &u64, b: &u64, _: &Limits<'_>) -> Result<u64, Stop> {
        Ok(a ^ b)
    }

    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<u64>> {
        rules.knowledge().grundy(part)
    }

    fn by_structure<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<u64>>, Stop> {
        if let Some([base, top]) = rules.knowledge().ordinal(part) {
            return ordinal(base, top, valuation, limits).map(Some);
        }
        let (value, evidence) = match rules.knowledge().structure(part) {
            Structure::Heap(heap, size) => {
                let heaps = &mut valuation.theory.heaps;
                return heaps.value(heap, size, limits).map(Some);
            }
            Structure::Slider(directions, at) => {
                let sliders = &mut valuation.theory.sliders;
                let board = sliders.entry(directions);
                let board = board.or_insert_with(|| Slider::new(directions));
                (board.value(at, limits)?, Evidence::Recurrence)
            }
            Structure::Diagram(rows) => {
                let value = valuation.theory.diagrams.value(rows, limits)?;
                return Ok(value.map(|value| PartValue {
                    value,
                    evidence: Evidence::Search,
                }));
            }
            Structure::Splitting => {
                let (theory, explored) = valuation.searched(rules);
                let value = explored.value_by_outcomes(theory, part, limits)?;
                (value, Evidence::Search)
            }
            Structure::Loopy => return Err(Stop::Cyclic),
            Structure::Search => return Ok(None),
        };
        Ok(Some(PartValue { value, evidence }))
    }

    fn of_options(&mut self, left: &[u64], _: &[u64], _: &Limits<'_>) -> Result<Option<u64>, Stop> {
        self.seen.clear();
        left.iter().for_each(|&value| self.seen.insert(value));
        Ok(Some(self.seen.mex()))
    }

    fn is_one_of<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        parts: &[R::Part],
        wanted: &[u64],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let splitting = |part| rules.knowledge().structure(part) == Structure::Splitting;
        if !parts.iter().any(splitting) {
            return Ok(wanted.contains(&valuation.sum_of_parts(rules, parts, limits)?));
        }
        let (theory, explored) = valuation.searched(rules);
        for &value in wanted {
            if explored.has_value(theory, parts, value, limits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// As a rule known long before the value is, because an N-position needs one good move only.
    fn is_zero<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        parts: &[R::Part],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        if let [part] = parts
            && let Structure::Diagram(rows) = rules.knowledge().structure(part)
            && let Some(lost) = valuation.theory.diagrams.is_p(rows, limits)?
        {
            return Ok(lost);
        }
        let searched = |part| {
            let structure = rules.knowledge().structure(part);
            let search = matches!(structure, Structure::Search | Structure::Diagram(_));
            search && rules.nature(part).is_impartial()
        };
        if rules.knowledge().known_to_end() && parts.iter().all(searched) {
            let (theory, explored) = valuation.searched(rules);
            return explored.has_value(theory, parts, 0, limits);
        }
        Self::is_one_of(valuation, rules, parts, &[0], limits)
    }

    fn goal(value: &u64) -> Option<u64> {
        Some(*value)
    }

    fn progressions<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &R,
        part: &R::Part,
        wanted: &[u64],
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        let Structure::Heap(heap, size) = rules.knowledge().structure(part) else {
            return Ok(None);
        };
        // So many moves as numbers in the set can be looked at.
        if let HeapRules::Subtraction(_) = heap {
            return Ok(None);
        }
        // Where a theorem gives the values there may be no sequence that reaches so far.
        if size < LARGE || Self::theorem(rules, part).is_some() {
            return Ok(None);
        }
        let sequence = valuation.theory.heaps.sequence(heap);
        sequence.value(size, limits)?;
        let Some(period) = sequence.period_for(size) else {
            return Ok(None);
        };
        limits.check(period.period.saturating_add(period.preperiod), 1)?;
        let value = |n| sequence.get(n).unwrap_or_default();
        Ok(progressions(heap, period, size, &value, wanted))
    }

    fn work(&self) -> Work {
        let mut work = self.heaps.work();
        work += self.diagrams.work();
        work
    }
}
