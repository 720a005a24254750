//! Canonical forms: the simplest game that is equal to a component, in normal play.
//!
//! J. H. Conway, On Numbers and Games, 1976, chapter 10. An impartial component is a nimber, which the theory of Sprague and Grundy
//! finds faster; where a theorem of the ruleset gives a number or a form no option is looked at.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_forms::{Form, Forms, Packed};
use rustc_hash::FxHashMap;

use super::answers::Answers;
use super::explored::written;
use super::grundy::Grundy;
use super::sums::{Answer, Question, Sums};
use super::{Evidence, PartValue, Reach, Theory, Valuation, Work};
use crate::limits::{Limits, Stop, ended};
use crate::player::Player;
use crate::position::{Position, Valued};
use crate::rules::{Beginner, Ends, Known, Moves, Nature, Ruleset, Sides, Theorem};

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
    /// Values of what is impartial.
    nimbers: Valuation<Grundy>,
    /// What was worked out of games inside games; it has no forms of its own, and is lent these.
    inside: Option<Box<Valuation<Canonical>>>,
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

    /// What is known of a component as it is written.
    fn recollection<R: Ruleset>(&self, rules: &R, part: &R::Part) -> Option<Form> {
        if self.recalled.values.is_empty() {
            return None;
        }
        let text = written(rules, part)?;
        self.recalled.values.get(text.as_str()).copied()
    }

    /// The form of a component that a theorem of its ruleset or the theory of impartial games gives.
    fn known<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Form>>, Stop> {
        let nature = rules.nature(part);
        if nature.is_impartial() {
            let PartValue { value, evidence } = self.nimbers.part(rules, part, limits)?;
            let value = self.forms.of_packed(&Packed::nimber(value));
            return Ok(Some(PartValue { value, evidence }));
        }
        let knowledge = rules.knowledge();
        if let Some([base, top]) = knowledge.ordinal(part) {
            return self.stacked(base, top, limits).map(Some);
        }
        let known = match knowledge.number(part) {
            Some(Known { value, theorem }) => Some(Known {
                value: self.forms.of_number(value),
                theorem,
            }),
            None => knowledge.form(part, &mut self.forms, limits)?,
        };
        Ok(known.map(|Known { value, theorem }| PartValue {
            value,
            evidence: Evidence::Theorem(theorem),
        }))
    }
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

/// The value of a position.
pub(crate) fn whole(
    position: &Position,
    valuation: &mut Valuation<Canonical>,
    limits: &Limits<'_>,
) -> Result<Form, Stop> {
    let mut parts = Vec::new();
    for term in position.terms() {
        let values = Valued::<Canonical>::values(&**term, valuation, limits)?;
        parts.extend(values.into_iter().map(|part| part.value));
    }
    valuation.theory.forms.total(&parts, limits)
}

impl Canonical {
    /// Lends what is remembered to the theory of games inside games, or takes it back.
    fn lend(&mut self, inside: &mut Self) {
        std::mem::swap(&mut inside.forms, &mut self.forms);
        std::mem::swap(&mut inside.recalled, &mut self.recalled);
    }

    /// The value of `base` with `top` on it.
    fn stacked(
        &mut self,
        base: &Position,
        top: &Position,
        limits: &Limits<'_>,
    ) -> Result<PartValue<Form>, Stop> {
        let mut inside = self.inside.take().unwrap_or_default();
        self.lend(&mut inside.theory);
        let found = ordinal(base, top, &mut inside, limits);
        self.lend(&mut inside.theory);
        self.inside = Some(inside);
        found
    }
}

/// The same among games inside games.
fn ordinal(
    base: &Position,
    top: &Position,
    valuation: &mut Valuation<Canonical>,
    limits: &Limits<'_>,
) -> Result<PartValue<Form>, Stop> {
    if top.terms().is_empty() {
        return Ok(PartValue {
            value: whole(base, valuation, limits)?,
            evidence: Evidence::Search,
        });
    }
    let mut sides = [Vec::new(), Vec::new()];
    for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
        ended(base.moves(
            player,
            &mut |_, _, to| match whole(&to(), valuation, limits) {
                Ok(value) => {
                    side.push(value);
                    ControlFlow::Continue(())
                }
                Err(stop) => ControlFlow::Break(stop.into()),
            },
        ))?;
    }
    let [left, right] = sides;
    let top = whole(top, valuation, limits)?;
    Ok(PartValue {
        value: (valuation.theory.forms).ordinal(&left, &right, top, limits)?,
        evidence: Evidence::Theorem(&ORDINAL),
    })
}

impl Valuation<Canonical> {
    /// Visits the components that were valued so far, those of games inside games among them, as [`Valuation::each_valued`] does,
    /// and those whose values are taken on trust.
    pub fn each_known(&self, visit: &mut dyn FnMut(&str, Form)) {
        for (component, value) in self.theory.recalled() {
            visit(component, value);
        }
        self.each_valued(&mut |component, &value| visit(&component, value));
        if let Some(inside) = &self.theory.inside {
            inside.each_valued(&mut |component, &value| visit(&component, value));
        }
    }
}

impl Theory for Canonical {
    type Value = Form;
    type Notes = ();
    const REACH: Reach = Reach::Options;

    fn refuses(nature: Nature) -> Option<Stop> {
        let own_turn = nature.moves == Moves::Own && nature.beginner != Beginner::Either;
        (nature.ends == Ends::Payoff || own_turn).then_some(Stop::NoValue)
    }

    fn zero(&self) -> Form {
        Form::ZERO
    }

    fn add(&mut self, &a: &Form, &b: &Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        self.forms.plus(a, b, limits)
    }

    fn theorem<R: Ruleset>(_: &R, _: &R::Part) -> Option<Known<Form>> {
        // It takes the forms to write one down.
        None
    }

    fn by_structure<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Form>>, Stop> {
        if !rules.knowledge().finite() {
            return Err(Stop::Cyclic);
        }
        valuation.theory.known(rules, part, limits)
    }

    fn settle<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let known = self.known(rules, part, limits)?;
        let known = known.map(|known| known.value);
        if let Some(known) = known.or_else(|| self.recollection(&**rules, part)) {
            return Ok(Some(known));
        }
        (rules.knowledge()).form_in_pieces(part, &mut self.forms, limits)
    }

    fn of_options(
        &mut self,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        self.forms.canonical(left, right, limits).map(Some)
    }

    fn work(&self) -> Work {
        let mut work = self.nimbers.work();
        if let Some(inside) = &self.inside {
            work += inside.work();
        }
        work
    }
}
