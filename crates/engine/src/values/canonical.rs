//! Canonical forms: the simplest game that is equal to a component, in normal play.
//!
//! J. H. Conway, On Numbers and Games, 1976, chapter 10. An impartial component is a nimber, which the theory of Sprague and Grundy
//! finds faster; where a theorem of the ruleset gives a number or a form no option is looked at.

use std::ops::ControlFlow;

use grundy_forms::{Form, Forms, Packed};
use rustc_hash::FxHashMap;

use super::answers::Answers;
use super::grundy::Grundy;
use super::sums::{Answer, Question, Sums};
use super::{Engine, Evidence, PartRef, PartValue, Reach, Theory, Valuation};
use crate::nature::{Beginner, Ends, Moves, Nature};
use crate::packed::Sides;
use crate::position::Position;
use crate::store::erased::PartFacts;
use crate::theorem::{Known, Theorem};
use grundy_base::limits::{Limits, Stop, ended};
use grundy_base::player::Player;

/// The value of an ordinal sum.
pub const ORDINAL: Theorem = Theorem {
    method: "ordinal sum",
    name: "the value of an ordinal sum",
    statement: "G:H = {G^L, G:H^L | G^R, G:H^R} depends on the options of G and on the value of H, whatever the form of H",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// Canonical forms of games that end.
#[derive(Debug, Default)]
pub struct Canonical {
    /// The forms met so far.
    pub forms: Forms,
    recalled: Recalled,
    /// Who wins sums of components without values.
    pub sums: Sums,
    /// Who wins sums of packed components, by the names of their rulesets.
    pub(crate) answers: FxHashMap<Box<str>, Answers>,
}

/// Values that were worked out before, by components as they are written.
#[derive(Debug, Default)]
struct Recalled {
    values: FxHashMap<Box<str>, Form>,
    /// Bytes that the texts hold.
    texts: u64,
}

/// Who wins a component beside a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decided {
    /// The component, as Left sees it, who moves.
    pub component: Sides,
    /// What stands beside it.
    pub form: Form,
    /// Whether Left wins.
    pub wins: bool,
    /// How many positions were searched for it: the length of that number in binary.
    pub class: u8,
}

/// About how many bytes a value takes that is recalled, beside its text.
const RECALLED: u64 = 32;

impl Canonical {
    /// Takes the value of a component as it is written on trust: it is not worked out again.
    pub fn recall(&mut self, component: &str, value: Form) {
        self.recalled.texts += component.len() as u64;
        self.recalled.values.insert(component.into(), value);
    }

    /// Takes on trust who wins a packed component of a ruleset beside a form, as [`Canonical::each_decided`] tells it. What makes no
    /// sense is not taken.
    #[must_use = "it may have been refused"]
    pub fn recall_decided(&mut self, ruleset: &str, decided: Decided) -> bool {
        let Decided {
            component,
            form,
            wins,
            class,
        } = decided;
        let Sides { own, other, stride } = component;
        let sound =
            own & other == 0 && own | other != 0 && (1..=64).contains(&stride) && class <= 64;
        if sound {
            let answers = self.answers.entry(ruleset.into()).or_default();
            answers.recall(component, form, Answer { wins, class });
        }
        sound
    }

    /// Takes on trust who wins a sum, as an entry of [`Canonical::sums`] tells it; each component comes with how it is written. What
    /// makes no sense is not taken.
    #[must_use = "it may have been refused"]
    pub fn recall_sum(
        &mut self,
        player: Player,
        forms: &[Form],
        components: &[(&str, Position)],
        answer: Answer,
    ) -> bool {
        let (mut packed, mut rest, mut unvalued) = (Packed::ZERO, Vec::new(), Vec::new());
        // What has got a value since then counts as this.
        let valued = components.iter().filter_map(|(text, component)| {
            let value = self.recalled.values.get(*text).copied();
            if value.is_none() {
                unvalued.push(self.sums.enter(component.clone()));
            }
            value
        });
        let forms = forms.iter().copied().chain(valued);
        if gather(&self.forms, forms, &mut packed, &mut rest).is_err() {
            return false;
        }
        let packed = self.forms.of_packed(&packed);
        let question = Question::new(player, packed, rest, unvalued);
        self.sums.keep(question, answer)
    }

    /// Visits who wins packed components beside forms, where that took long to find, by the names of their rulesets.
    pub fn each_decided(&self, visit: &mut dyn FnMut(&str, Decided)) {
        for (name, answers) in &self.answers {
            answers.each_dear(&mut |component, form, Answer { wins, class }| {
                let decided = Decided {
                    component,
                    form,
                    wins,
                    class,
                };
                visit(name, decided);
            });
        }
    }

    /// The values that are taken on trust.
    pub fn recalled(&self) -> impl Iterator<Item = (&str, Form)> {
        let values = self.recalled.values.iter();
        values.map(|(component, &value)| (&**component, value))
    }

    /// About how many bytes the forms hold, the values that are taken on trust, and who wins sums.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let recalled = self.recalled.values.capacity() as u64 * RECALLED + self.recalled.texts;
        let answers: u64 = self.answers.values().map(Answers::bytes).sum();
        self.forms.bytes() + recalled + answers + self.sums.bytes()
    }

    /// Returns the trusted value of a part, by its text.
    fn recollection(&self, parts: &dyn PartFacts, index: usize) -> Option<Form> {
        if self.recalled.values.is_empty() {
            return None;
        }
        let text = full_text(parts, index)?;
        self.recalled.values.get(text.as_str()).copied()
    }
}

/// Returns the text of a part, if that says all of it: a graph in a file is known only by the name of
/// the file.
fn full_text(parts: &dyn PartFacts, index: usize) -> Option<String> {
    let named = parts.network_of(index).is_some();
    (!named).then(|| parts.text_of(index))
}

/// Adds forms to what is packed, as far as they are packed themselves, and collects the others, of which opposites cancel.
pub(crate) fn gather(
    known: &Forms,
    forms: impl Iterator<Item = Form>,
    packed: &mut Packed,
    rest: &mut Vec<Form>,
) -> Result<(), Stop> {
    for form in forms {
        if let Some(other) = known.packed(form) {
            *packed = packed.plus(other).ok_or(Stop::Overflow)?;
        } else if let Some(opposite) = rest.iter().position(|&one| one == known.negative(form)) {
            rest.swap_remove(opposite);
        } else {
            rest.push(form);
        }
    }
    Ok(())
}

impl Engine {
    /// Returns the canonical form of a position.
    pub(crate) fn whole(&mut self, position: &Position, limits: &Limits<'_>) -> Result<Form, Stop> {
        let values = self.terms::<Canonical>(position.terms(), limits)?;
        let parts: Vec<Form> = values.iter().flatten().map(|part| part.value).collect();
        self.short.theory.forms.total(&parts, limits)
    }

    /// Returns the form of a part that a theorem of its ruleset or the theory of impartial games gives.
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
        if let Some(operands) = parts.operands_of(index) {
            let [base, top] = operands.map(|terms| Position::of_terms(terms.to_vec()));
            return self.ordinal_sum(&base, &top, limits).map(Some);
        }
        let forms = &mut self.short.theory.forms;
        let known = match parts.number_of(index) {
            Some(Known { value, theorem }) => Some(Known {
                value: forms.of_number(value),
                theorem,
            }),
            None => parts.form_of(index, forms, limits)?,
        };
        Ok(known.map(|Known { value, theorem }| PartValue {
            value,
            evidence: Evidence::Theorem(theorem),
        }))
    }

    /// Returns the value of `base` with `top` on it.
    fn ordinal_sum(
        &mut self,
        base: &Position,
        top: &Position,
        limits: &Limits<'_>,
    ) -> Result<PartValue<Form>, Stop> {
        if top.terms().is_empty() {
            return Ok(PartValue {
                value: self.whole(base, limits)?,
                evidence: Evidence::Search,
            });
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
            ended(
                base.moves(player, &mut |_, _, to| match self.whole(&to(), limits) {
                    Ok(value) => {
                        side.push(value);
                        ControlFlow::Continue(())
                    }
                    Err(stop) => ControlFlow::Break(stop.into()),
                }),
            )?;
        }
        let [left, right] = sides;
        let top = self.whole(top, limits)?;
        let forms = &mut self.short.theory.forms;
        Ok(PartValue {
            value: forms.ordinal(&left, &right, top, limits)?,
            evidence: Evidence::Theorem(&ORDINAL),
        })
    }

    /// Returns the form of a component, if it was found before.
    pub(crate) fn found_form(&self, id: u32) -> Option<Form> {
        self.short.column.get(id).copied()
    }

    /// Visits the components that have canonical forms, each as it is written, and those whose forms are
    /// trusted. Components with a theorem are left out, and those whose text does not say all.
    pub fn each_form(&self, visit: &mut dyn FnMut(&str, Form)) {
        for (component, value) in self.short.theory.recalled() {
            visit(component, value);
        }
        for (id, &value) in self.short.column.known() {
            let (parts, index) = self.store.part(id);
            let at_once = parts.nature_of(index).is_impartial() || parts.number_of(index).is_some();
            if !at_once && let Some(text) = full_text(parts, index) {
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

    fn refuses(nature: Nature) -> Option<Stop> {
        let own_turn = nature.moves == Moves::Own && nature.beginner != Beginner::Either;
        (nature.ends == Ends::Payoff || own_turn).then_some(Stop::NoValue)
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

    fn settle(engine: &mut Engine, id: u32, limits: &Limits<'_>) -> Result<Option<Form>, Stop> {
        if let Some(known) = engine.known_form(PartRef::Component(id), limits)? {
            return Ok(Some(known.value));
        }
        let (parts, index) = engine.store.part(id);
        let theory = &mut engine.short.theory;
        if let Some(recalled) = theory.recollection(parts, index) {
            return Ok(Some(recalled));
        }
        parts.form_in_pieces_of(index, &mut theory.forms, limits)
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
