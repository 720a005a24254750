//! Canonical forms in normal play: the simplest game that is equal to a component (J. H. Conway, On
//! Numbers and Games, 1976, chapter 10).
//!
//! An impartial component is equal to a nimber, which the Sprague-Grundy theory finds faster. If a
//! theorem of the ruleset gives the value as a number or as a canonical form, no option is visited.

use std::ops::ControlFlow;

use grundy_forms::{Form, Forms, Packed};

use super::grundy::Grundy;
use super::{Engine, Evidence, PartRef, PartValue, Reach, Theory, Valuation};
use crate::answers::Entry;
use crate::nature::{Beginner, Ends, Moves, Nature};
use crate::position::Position;
use crate::store::erased::PartFacts;
use crate::theorem::{ByTheorem, Theorem};
use grundy_base::limits::{Limits, Stop, stopped_early};
use grundy_base::player::Player;

/// The theorem on the value of an ordinal sum.
pub const ORDINAL: Theorem = Theorem {
    method: "ordinal sum",
    name: "the value of an ordinal sum",
    statement: "G:H = {G^L, G:H^L | G^R, G:H^R} depends on the options of G and on the value of \
                H, but not on the form of H",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// The theory of canonical forms, for games that end.
#[derive(Debug, Default)]
pub struct Canonical {
    /// The arena of all forms.
    pub forms: Forms,
}

impl Canonical {
    /// Returns the approximate number of bytes that the forms occupy.
    ///
    /// ```
    /// use grundy_core::values::canonical::Canonical;
    /// let mut theory = Canonical::default();
    /// let before = theory.bytes();
    /// let _integers: Vec<_> = (1..100).map(|n| theory.forms.of_integer(n)).collect();
    /// assert!(theory.bytes() > before);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.forms.bytes()
    }
}

/// Returns the notation of a part, or `None` if the notation does not determine the part. For
/// example, a graph from a file is written as the name of the file.
fn full_text(parts: &dyn PartFacts, index: usize) -> Option<String> {
    let named = parts.network_of(index).is_some();
    (!named).then(|| parts.text_of(index))
}

impl Engine {
    /// Returns the canonical form of a position.
    pub(crate) fn form_of_position(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        let values = self.terms::<Canonical>(position.terms(), limits)?;
        let parts: Vec<Form> = values.iter().flatten().map(|part| part.value).collect();
        self.short.theory.forms.total(&parts, limits)
    }

    /// Returns the form of a part, if it is impartial, an ordinal sum, or covered by a theorem of
    /// its ruleset.
    fn known_form(
        &mut self,
        part: PartRef<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Form>>, Stop> {
        let (parts, index) = part.facts(&self.store);
        if parts.nature_of(index).is_impartial() {
            let PartValue { value, evidence } = self.part::<Grundy>(part, limits)?;
            let value = self.short.theory.forms.of_packed(&Packed::nimber(value));
            return Ok(Some(PartValue { value, evidence }));
        }
        // The value depends only on the value of the upper game, so positions of the ordinal sum
        // are not searched.
        if let Some(operands) = parts.operands_of(index) {
            let [base, top] = operands.map(|terms| Position::of_terms(terms.to_vec()));
            return self.ordinal_sum(&base, &top, limits).map(Some);
        }
        let forms = &mut self.short.theory.forms;
        let known = match parts.number_of(index) {
            Some(ByTheorem { value, theorem }) => Some(ByTheorem {
                value: forms.of_number(value),
                theorem,
            }),
            None => parts.form_of(index, forms, limits)?,
        };
        Ok(known.map(|ByTheorem { value, theorem }| PartValue {
            value,
            evidence: Evidence::Theorem(theorem),
        }))
    }

    /// Returns the form of the ordinal sum of `base` and `top`.
    fn ordinal_sum(
        &mut self,
        base: &Position,
        top: &Position,
        limits: &Limits<'_>,
    ) -> Result<PartValue<Form>, Stop> {
        if top.terms().is_empty() {
            return Ok(PartValue {
                value: self.form_of_position(base, limits)?,
                evidence: Evidence::Search,
            });
        }
        let mut sides = [Vec::new(), Vec::new()];
        // A move in the base removes the top. So the theorem `ORDINAL` needs only the forms of the
        // base's options, and the form of the top.
        for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
            stopped_early(base.moves(player, &mut |_, _, to| {
                match self.form_of_position(&to(), limits) {
                    Ok(value) => {
                        side.push(value);
                        ControlFlow::Continue(())
                    }
                    Err(stop) => ControlFlow::Break(stop.into()),
                }
            }))?;
        }
        let [left, right] = sides;
        let top = self.form_of_position(top, limits)?;
        let forms = &mut self.short.theory.forms;
        Ok(PartValue {
            value: forms.ordinal(&left, &right, top, limits)?,
            evidence: Evidence::Theorem(&ORDINAL),
        })
    }

    /// Returns the form of a component, if it is known.
    #[cfg(test)]
    pub(crate) fn found_form(&self, id: u32) -> Option<Form> {
        self.short.column.get(id).copied()
    }

    /// Returns the notation of a component, or `None` if the notation does not determine the
    /// component.
    pub(crate) fn text(&self, id: u32) -> Option<String> {
        let (parts, index) = self.store.part(id);
        full_text(parts, index)
    }

    /// Adds a search result (a nimber or an outcome) that another process found. Returns `false`
    /// and ignores the result if it is invalid, or if it contains a component that this engine does
    /// not have.
    pub(crate) fn recall_answer(&mut self, entry: Entry<'_>) -> bool {
        if let Entry::Sum(decided) = &entry {
            // The answer may contain components of the other process that are not in this store.
            let mut components = decided.components.iter();
            if !components.all(|&id| self.store.is_used(id)) {
                return false;
            }
        }
        self.answers.recall(entry, &self.short.theory.forms)
    }

    /// Visits the answers that should be written to a file. These are nimbers, and outcomes whose
    /// search took long.
    pub(crate) fn each_answer(&mut self, visit: &mut dyn FnMut(Entry<'_>)) {
        let Self { answers, short, .. } = self;
        let Valuation { theory, column, .. } = short;
        let value = |id: u32| column.get(id).copied();
        answers.each(&mut theory.forms, &value, visit);
    }

    /// Evicts the answers that were cheapest to find, if all answers together take more than
    /// `bytes` bytes.
    pub(crate) fn evict_answers_to(&mut self, bytes: u64) {
        let Self { answers, short, .. } = self;
        let Valuation { theory, column, .. } = short;
        let value = |id: u32| column.get(id).copied();
        if answers.evict_to(bytes, &theory.forms, &value) {
            // After the eviction no entry refers to a list of options any more.
            self.grundy.theory.drop_lists();
        }
    }

    /// Adds the canonical form of a component that another process found.
    pub(crate) fn recall_form(&mut self, id: u32, form: Form) {
        self.short.column.learn(id, form);
    }

    /// Visits the components that have canonical forms, each with its notation and its form.
    /// Impartial components, and components that are numbers by a theorem, are left out, since
    /// their forms are cheap to find. Components whose notation does not determine them are left
    /// out too.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::values::{Engine, canonical::Canonical};
    /// use grundy_core::{Limits, Term};
    /// let (mut engine, mut texts) = (Engine::default(), Vec::new());
    /// let strip = Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]);
    /// let star = engine.sum_of_parts::<Canonical>(&strip, &Limits::default())?;
    /// engine.each_form(&mut |text, form| texts.extend((form == star).then(|| text.to_owned())));
    /// assert_eq!(texts, ["toads_and_frogs(\"T.F\")"]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn each_form(&self, visit: &mut dyn FnMut(&str, Form)) {
        for (id, &value) in self.short.column.known() {
            let (parts, index) = self.store.part(id);
            let is_cheap =
                parts.nature_of(index).is_impartial() || parts.number_of(index).is_some();
            if !is_cheap && let Some(text) = full_text(parts, index) {
                visit(&text, value);
            }
        }
    }
}

impl Theory for Canonical {
    type Value = Form;
    const EMPTY_SUM: Form = Form::ZERO;
    const REACH: Reach = Reach::Options;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.short
    }

    fn unsupported(nature: Nature) -> Option<Stop> {
        // A position that fixes the player who begins is not a sum of its components, so it has no
        // value.
        let fixes_beginner = nature.moves == Moves::Partizan && nature.beginner != Beginner::Either;
        (nature.ends == Ends::Payoff || fixes_beginner).then_some(Stop::NoValue)
    }

    fn add(&mut self, &a: &Form, &b: &Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        self.forms.plus(a, b, limits)
    }

    fn by_structure(
        engine: &mut Engine,
        part: PartRef<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Form>>, Stop> {
        if !part.facts(&engine.store).0.finite() {
            return Err(Stop::Cyclic);
        }
        engine.known_form(part, limits)
    }

    fn value_without_options(
        engine: &mut Engine,
        id: u32,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        if let Some(known) = engine.known_form(PartRef::Component(id), limits)? {
            return Ok(Some(known.value));
        }
        let (parts, index) = engine.store.part(id);
        let theory = &mut engine.short.theory;
        parts.form_by_decomposition_of(index, &mut theory.forms, limits)
    }

    fn of_options(
        &mut self,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        self.forms.canonical(left, right, limits).map(Some)
    }
}
