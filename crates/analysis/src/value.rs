//! `value` and `compare`: canonical forms and the quantities derived from values.

mod changes;
mod compared;
mod compared_in_misere;
mod expected;
pub(crate) mod facts;
pub(crate) mod misere;
mod quantities;
mod words;

use std::sync::Arc;

use grundy_core::message::Setting;
use grundy_core::shared_text::is_cut;
use grundy_core::solve::Detail;
use grundy_core::thermographs::thermograph;
use grundy_core::{
    Diagnostic, Dyadic, Limits, OutcomeClass, Play, Position, Solver, Stop, Verdict, message,
};
use grundy_forms::{Form, Forms, Thermograph};
use grundy_wording::Audience;
use grundy_wording::answer::DisplayText;
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::report::{AnySerialize, Report, Words, is_limit, status, stopped};
use serde::{Serialize, Serializer};

pub use compared::Compared;
pub use compared_in_misere::{ComparedInMisere, Witness};
pub use facts::{Facts, Heat};
pub use misere::{Facts as FactsInMisere, ValuedInMisere};

use self::changes::apply_changes;
use self::expected::ExpectedValue;
use crate::analyst::{Analyst, CostKind, Question, attach_source};
use crate::answer::Answer;
use crate::job::Job;
use crate::picture::{self, Picture};
use crate::question::{Quantity, ValueQuestion, ValueRequest};
use crate::result_cache::ResultCache;
use crate::value_table::ValueTable;

/// The value of a game.
#[derive(Clone, Debug)]
pub struct Valued {
    /// The position.
    pub position: Position,
    /// Known facts about its value.
    pub facts: Arc<Facts>,
    /// The method that gave the value: the name of a theorem, `canonical form`, or the name of a
    /// method that needs no canonical form. `None` if nothing is known.
    pub method: Option<&'static str>,
    /// The requested quantities.
    pub request: ValueRequest,
    /// The limit that stopped the computation, if some facts are missing.
    pub stopped: Option<Stop>,
}

#[derive(Serialize)]
struct ValuedView<'a> {
    game: DisplayText<&'a Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    /// `true` if the text would exceed one megabyte, so that parts of it were replaced by `...`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    value_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    latex: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<DisplayText<OutcomeClass>>,
    #[serde(flatten)]
    heat: HeatView<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[expect(clippy::option_option, reason = "the key may be absent, or null")]
    atomic_weight: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduced: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    birthday: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    incentives: Option<IncentivesView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uptimal: Option<&'a str>,
    #[serde(skip_serializing_if = "<[Quantity]>::is_empty")]
    left_out: &'a [Quantity],
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
}

#[derive(Default, Serialize)]
struct HeatView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    left_stop: Option<DisplayText<&'a Dyadic>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_stop: Option<DisplayText<&'a Dyadic>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<DisplayText<&'a Dyadic>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<DisplayText<&'a Dyadic>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thermograph: Option<WallsView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[expect(clippy::option_option, reason = "the key may be absent, or null")]
    number_part: Option<Option<DisplayText<&'a Dyadic>>>,
}

impl<'a> HeatView<'a> {
    /// Selects the requested quantities from `facts`. The argument `heat` is the content of the
    /// field `heat` of `facts`.
    fn new(heat: &'a Heat, facts: &'a Facts, request: &ValueRequest) -> Self {
        let [left, right] = &heat.stops;
        let stop = |stop| request.wants(Quantity::Stops).then_some(DisplayText(stop));
        let number = |wanted, number| request.wants(wanted).then_some(DisplayText(number));
        let number_part = request.wants(Quantity::NumberPart);
        Self {
            left_stop: stop(left),
            right_stop: stop(right),
            mean: number(Quantity::Mean, &heat.mean),
            temperature: number(Quantity::Temperature, &heat.temperature),
            thermograph: facts.walls(request).map(WallsView::new),
            number_part: number_part.then(|| heat.number_part().map(DisplayText)),
        }
    }
}

/// An answer, with the limit that stopped the computation if it is incomplete.
#[derive(Serialize)]
struct ReportView<'a> {
    #[serde(flatten)]
    valued: &'a Valued,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

#[derive(Serialize)]
struct IncentivesView<'a> {
    left: &'a [String],
    right: &'a [String],
}

/// The walls of a thermograph as lists of points [t, value]. A point is the value of a wall at
/// temperature t.
#[derive(Serialize)]
struct WallsView {
    left: Vec<[DisplayText<Dyadic>; 2]>,
    right: Vec<[DisplayText<Dyadic>; 2]>,
}

impl WallsView {
    fn new(thermograph: &Thermograph) -> Self {
        let [left, right] = thermograph.walls().map(|wall| {
            let points = wall.into_iter();
            points
                .map(|(t, value)| [DisplayText(t), DisplayText(value)])
                .collect()
        });
        Self { left, right }
    }
}

impl Valued {
    /// Returns the error object of the limit that stopped the computation, if some facts are
    /// missing.
    pub(crate) fn stopped(&self, audience: Audience) -> Option<DiagnosticView> {
        let stop = self.stopped.as_ref()?;
        stopped(Some(stop), &self.position.to_string(), audience)
    }
}

impl Serialize for Valued {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let facts = &*self.facts;
        let heat = facts.heat.as_ref();
        // A birthday that does not fit into 64 bits is serialized as a string.
        let birthday = |birthday: &String| {
            let number = birthday.parse::<u64>();
            number.map_or_else(|_| birthday.as_str().into(), serde_json::Value::from)
        };
        let view = ValuedView {
            game: DisplayText(&self.position),
            value: facts.value.as_deref(),
            value_cut: facts.value.as_deref().is_some_and(is_cut),
            latex: facts.latex.as_deref(),
            outcome: facts.class.map(DisplayText),
            heat: heat.map_or_else(HeatView::default, |heat| {
                HeatView::new(heat, facts, &self.request)
            }),
            atomic_weight: facts.atomic_weight.as_ref().map(Option::as_deref),
            reduced: facts.reduced.as_deref(),
            birthday: facts.birthday.as_ref().map(birthday),
            incentives: facts
                .incentives
                .as_ref()
                .map(|[left, right]| IncentivesView { left, right }),
            uptimal: facts.uptimal.as_deref(),
            left_out: &facts.left_out,
            status: status(self.stopped.is_some()),
            method: self.method,
        };
        view.serialize(to)
    }
}

impl Report for Valued {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let view = ReportView {
            valued: self,
            stopped: self.stopped(words.audience()),
        };
        Box::new(view)
    }

    fn plain(&self, audience: Audience) -> String {
        words::text(self, audience)
    }

    fn is_partial(&self) -> bool {
        self.stopped.is_some()
    }
}

/// Returns the canonical form of a position and the method that found it.
pub(crate) fn form(
    position: &Position,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<(Form, &'static str), Stop> {
    let (form, theorem) = solver.canonical_form(position, limits)?;
    let method = theorem.map_or("canonical form", |theorem| theorem.method);
    Ok((form, method))
}

impl Question for ValueQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let request = self.request()?;
        let expected = self.expect.as_ref().map(ExpectedValue::read).transpose()?;
        if let Some(file) = &self.svg {
            picture::allowed(analyst.files(), file)?;
        }
        let written = [
            (Setting::new("svg"), &self.svg),
            (Setting::command_line("table"), &self.table),
        ];
        let written = written.map(|(name, file)| (name, file.as_ref()));
        // The picture and the table must be separate files, and neither may replace the rule file.
        analyst.reader().check_distinct([], written)?;
        let position = analyst.position(&self.source)?;
        let components = self.stats.then(|| position.component_count());
        if request.play == Play::Misere {
            let valued = misere::valued(&position, &request, cache, job);
            let valued = valued
                .map_err(|stop| attach_source(misere::no_misere_value_error(stop), &self.source))?;
            let agreement = expected.map(|expected| expected.compare_in_misere(&valued));
            let answer = Answer::new(valued).with_agreement(agreement.transpose()?);
            return Ok(answer.with_components(components));
        }
        let (valued, form) = self.valued(&position, &request, analyst, cache, job)?;
        let heat = valued.facts.heat.as_ref();
        let walls = heat.and_then(|heat| heat.thermograph.as_deref());
        if self.svg.is_some() && walls.is_none() {
            // The walls can be missing only because of a limit. `Stop::Time` is used if no limit
            // was recorded.
            let stop = valued.stopped.unwrap_or(Stop::Time);
            return Err(attach_source(stop, &self.source));
        }
        let agreement = expected.map(|expected| {
            let forms = &mut cache.solver.short_values().theory.forms;
            expected.compare(&valued, form, forms, &job.limits())
        });
        let drawn = picture::put(analyst.files(), self.svg.as_deref(), || {
            let facts = &valued.facts;
            let title = facts.value.clone().unwrap_or_else(|| position.to_string());
            let graphs: Vec<(String, Thermograph)> = walls
                .map(|walls| (title.clone(), walls.clone()))
                .into_iter()
                .collect();
            let svg = grundy_draw::thermographs(&graphs, false, &|step| {
                grundy_wording::words(step, analyst.language())
            });
            Ok(Picture::svg(&position.to_string(), svg))
        })?;
        let answer = drawn.map_or_else(|| Answer::new(valued), Answer::new);
        Ok(answer.with_agreement(agreement).with_components(components))
    }

    fn game(&self) -> Option<&str> {
        self.source.expression.as_deref()
    }

    fn cost_kind(&self) -> Option<CostKind> {
        self.stats.then_some(CostKind::Work)
    }
}

impl ValueQuestion {
    /// Returns the facts about the value of a position, and its canonical form if it was found.
    /// Uses the file of values if the question names one.
    fn valued(
        &self,
        position: &Position,
        request: &ValueRequest,
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<(Valued, Option<Form>), Diagnostic> {
        let stop_error = |stop| attach_source(no_value_error(stop), &self.source);
        let table = self.table.as_ref();
        let table = ValueTable::open(table, analyst, &mut cache.solver, &job.limits())?;
        let found = facts_by_form(position, request, cache, job);
        // The table is saved before an error is returned, so that the next attempt resumes from it.
        table.save(&mut cache.solver, job)?;
        let found = found.map_err(stop_error)?;
        found
            .with_fallback(position, request, cache, job)
            .map_err(stop_error)
    }
}

/// Returns all facts about the value of a position that could be computed within the limits, and
/// its canonical form if it was found.
pub(crate) fn valued(
    position: &Position,
    request: &ValueRequest,
    cache: &mut ResultCache,
    job: &Job,
) -> Result<(Valued, Option<Form>), Stop> {
    facts_by_form(position, request, cache, job)?.with_fallback(position, request, cache, job)
}

/// The facts that follow from the canonical form of a position. Some facts are missing if a limit
/// was reached.
struct FormFacts {
    found: Option<(Arc<Facts>, Form, &'static str)>,
    stopped: Option<Stop>,
}

/// Returns whether the question changes the value, for example by cooling. If it does, nothing is
/// known about the changed value without the canonical form.
fn has_changes(request: &ValueRequest) -> bool {
    !request.changes.is_empty()
}

fn facts_by_form(
    position: &Position,
    request: &ValueRequest,
    cache: &mut ResultCache,
    job: &Job,
) -> Result<FormFacts, Stop> {
    // The first attempt may use half of the remaining time. The other half is left for
    // `without_form`, which is cheaper.
    let first_try = (!has_changes(request)).then(|| job.first_try());
    let mut partial = None;
    let found = cache.with_retry(|cache| {
        // `with_retry` may call this closure a second time. Facts from a failed first call must
        // then be discarded.
        partial = None;
        let limits = first_try.as_ref().unwrap_or(job).limits();
        let (form, method) = form(position, &mut cache.solver, &limits)?;
        let forms = &mut cache.solver.short_values().theory.forms;
        let form = apply_changes(form, &request.changes, forms, &limits)?;
        // The key of the cache is the form, so positions with the same form share the facts.
        if let Some(facts) = cache.facts(form, request) {
            return Ok((facts, form, method));
        }
        let mut facts = Facts::default();
        let forms = &mut cache.solver.short_values().theory.forms;
        let computed = quantities::compute_quantities(&mut facts, form, request, forms, job);
        let facts = Arc::new(facts);
        match computed {
            Ok(()) => {
                cache.insert(form, request, &facts);
                Ok((facts, form, method))
            }
            Err(stop) => {
                // Cheap facts are computed first. Those that were computed before the limit was
                // reached belong to the partial answer.
                partial = Some((facts, form, method));
                Err(stop)
            }
        }
    });
    let (found, stopped) = match found {
        Ok(found) => (Some(found), None),
        Err(stop) if is_limit(&stop) => (partial, Some(stop)),
        // Any other stop means that the game has no value, so no fallback could find one.
        Err(stop) => return Err(stop),
    };
    Ok(FormFacts { found, stopped })
}

impl FormFacts {
    /// Returns the facts from the canonical form. If no form was found, returns the facts that a
    /// search of the positions gives, or no facts if the question changes the value.
    fn with_fallback(
        self,
        position: &Position,
        request: &ValueRequest,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<(Valued, Option<Form>), Stop> {
        let valued = |facts, method| Valued {
            position: position.clone(),
            facts,
            method,
            request: request.clone(),
            stopped: self.stopped,
        };
        if let Some((facts, form, method)) = self.found {
            return Ok((valued(facts, Some(method)), Some(form)));
        }
        // The forms of the failed attempt occupy the memory that the fallback needs.
        cache.clear();
        let (facts, method) = if has_changes(request) {
            (Facts::default(), None)
        } else {
            without_form(position, job)?
        };
        Ok((valued(Arc::new(facts), method), None))
    }
}

/// Returns the outcome class of a form.
pub(crate) fn class(
    form: Form,
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<OutcomeClass, Stop> {
    // Left wins moving first if and only if G <= 0 is false. Right wins moving first if and only if
    // G >= 0 is false.
    let at_most = forms.at_most(form, Form::ZERO, limits)?;
    let at_least = forms.at_most(Form::ZERO, form, limits)?;
    Ok(OutcomeClass::from_wins(!at_most, !at_least))
}

/// Returns the facts that need no canonical form, and the name of the method. One pass over all
/// positions gives the outcome class, the stops and the thermograph. If the pass exceeds a limit, a
/// search finds the outcome class only.
fn without_form(position: &Position, job: &Job) -> Result<(Facts, Option<&'static str>), Stop> {
    // The pass may use half of the remaining time. The other half is left for the search.
    match thermograph(position, &job.first_try().limits()) {
        Ok(found) => {
            let facts = Facts {
                class: Some(found.class),
                heat: Some(Heat::of_walls(found.stops, found.thermograph)),
                ..Facts::default()
            };
            return Ok((facts, Some("stops")));
        }
        Err(stop) if is_limit(&stop) => {}
        Err(stop) => return Err(stop),
    }
    let mut solver = Solver::default();
    match solver.answer(position, Play::Normal, Detail::Outcome, &job.limits()) {
        Ok(solution) => {
            let class = match solution.verdict() {
                Verdict::Class(class) => Some(class),
                Verdict::Outcome(outcome) => Some(OutcomeClass::from_outcomes([outcome, outcome])),
                Verdict::Payoff(_) => None,
            };
            let facts = Facts {
                class,
                ..Facts::default()
            };
            Ok((facts, Some(solution.method)))
        }
        Err(stop) if is_limit(&stop) => Ok((Facts::default(), None)),
        Err(stop) => Err(stop),
    }
}

/// Returns the error for a position whose value was not found. The argument `stop` is the reason:
/// the position has no value, or a limit was reached.
pub(crate) fn no_value_error(stop: Stop) -> Diagnostic {
    match stop {
        Stop::NoValue => Diagnostic::illegal(message!(
            "values are defined only for games in which the last move decides and either player may begin"
        )),
        stop => stop.into(),
    }
}
