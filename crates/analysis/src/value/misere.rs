//! `value --misere`: the genus, class, canonical form and mate in misère play.

mod words;

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_core::message::Setting;
use grundy_core::solve::Detail;
use grundy_core::step::Step;
use grundy_core::values::misere_forms::genus_by_positions;
use grundy_core::{
    Diagnostic, Kind, Limits, Outcome, OutcomeClass, Play, Position, Stop, Verdict, message,
};
use grundy_misere::{Class, Form, Forms, Genus};
use grundy_wording::answer::{DisplayText, OptionalText, StepView};
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::report::{AnySerialize, Report, Words, is_limit, status, stopped};
use grundy_wording::{Audience, Language};
use serde::{Serialize, Serializer};

use crate::job::Job;
use crate::question::{ValueChange, ValueQuestion, ValueRequest};
use crate::result_cache::ResultCache;

/// Largest length of the text of a form, in characters. A longer form is not written.
const MAX_FORM_LENGTH: usize = 10_000;

/// Largest number of new canonical forms in the search for partitions, that is, for pairs of games
/// with a given sum.
const MAX_NEW_FORMS: u64 = 20_000;

/// Largest number of times that the search for partitions (pairs of games with a given sum) checks
/// its limits. This number bounds the work independently of the machine.
const MAX_CHECKS: u64 = 20_000;

/// The value of an impartial game in misère play.
#[derive(Clone, Debug)]
pub struct ValuedInMisere {
    /// The position.
    pub position: Position,
    /// The known facts about its value.
    pub facts: Facts,
    /// The method that gave the facts. `None` if nothing is known.
    pub method: Option<&'static str>,
    /// The limit that stopped the computation, if some facts are missing.
    pub stopped: Option<Stop>,
}

/// The facts about a value in misère play. If no limit was reached, all of them are known, except
/// perhaps `partitions` and `prime`, whose search has separate limits.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The outcome.
    pub outcome: Option<Outcome>,
    /// The text of the genus.
    pub genus: Option<String>,
    /// The class of the game, such as tame or wild: the degree to which it resembles a sum of Nim
    /// heaps.
    pub class: Option<Class>,
    /// The birthday: the largest number of moves from the canonical form to its end.
    pub birthday: Option<u32>,
    /// The canonical form, in the notation of `literal`.
    pub form: Option<OptionalText>,
    /// The mate: a game whose sum with this game is a P-position.
    pub mate: Option<OptionalText>,
    /// The partitions: pairs of games, neither 0 nor *, whose sum is this game. `None` if they
    /// could not be computed.
    pub partitions: Option<Vec<[String; 2]>>,
    /// `true` if there is no partition and this game is neither 0 nor *.
    pub prime: Option<bool>,
}

#[derive(Serialize)]
struct View<'a> {
    game: DisplayText<&'a Position>,
    play: DisplayText<Play>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<DisplayText<Outcome>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    genus: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'a OptionalText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    birthday: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<&'a OptionalText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prime: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partitions: Option<&'a [[String; 2]]>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<StepView>,
}

/// An answer, with the limit that stopped the computation if it is incomplete.
#[derive(Serialize)]
struct ReportView<'a> {
    #[serde(flatten)]
    valued: &'a ValuedInMisere,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

impl ValuedInMisere {
    /// Returns a remark if the form or the mate is too long to be written.
    pub(super) fn remarks(&self) -> Option<Step> {
        let mut written = [&self.facts.form, &self.facts.mate].into_iter().flatten();
        let long = written.any(|OptionalText(text)| text.is_none());
        long.then(|| Step::new("misere_form_long").with("most", MAX_FORM_LENGTH as u64))
    }

    /// Returns the error object of the limit that stopped the computation, if some facts are
    /// missing.
    pub(crate) fn stopped(&self, audience: Audience) -> Option<DiagnosticView> {
        let stop = self.stopped.as_ref()?;
        stopped(Some(stop), &self.position.to_string(), audience)
    }
}

impl Serialize for ValuedInMisere {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let facts = &self.facts;
        let remarks = self.remarks();
        let view = View {
            game: DisplayText(&self.position),
            play: DisplayText(Play::Misere),
            outcome: facts.outcome.map(DisplayText),
            genus: facts.genus.as_deref(),
            class: facts.class.map(Class::name),
            form: facts.form.as_ref(),
            birthday: facts.birthday,
            mate: facts.mate.as_ref(),
            prime: facts.prime,
            partitions: facts.partitions.as_deref(),
            status: status(self.stopped.is_some()),
            method: self.method,
            remarks: (remarks.iter())
                .map(|step| StepView::new(step, Language::En))
                .collect(),
        };
        view.serialize(to)
    }
}

impl Report for ValuedInMisere {
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

/// Returns the text of a genus. Writes all digits if `full` is set or the class is unknown.
/// Otherwise omits the digits that the class and the remaining text determine, as is usual in the
/// literature.
pub(crate) fn genus_text(genus: &Genus, class: Option<Class>, full: bool) -> String {
    match class {
        Some(class) if !full => genus.abbreviated(class),
        _ => genus.to_string(),
    }
}

/// Returns all facts about the value of a position in misère play that could be computed within the
/// limits.
pub(crate) fn valued(
    position: &Position,
    request: &ValueRequest,
    cache: &mut ResultCache,
    job: &Job,
) -> Result<ValuedInMisere, Stop> {
    // The first attempt may use half of the remaining time; the fallback gets the rest.
    let first_try = job.first_try();
    let mut facts = Facts::default();
    let found = cache.with_retry(|cache| {
        facts = Facts::default();
        let limits = first_try.limits();
        let form = cache.solver.misere_form(position, &limits)?;
        let forms = &mut cache.solver.misere_values().theory.forms;
        compute_facts(&mut facts, form, request, forms, &limits)
    });
    let valued = |facts, method, stopped| ValuedInMisere {
        position: position.clone(),
        facts,
        method,
        stopped,
    };
    match found {
        Ok(()) => Ok(valued(facts, Some("misere canonical form"), None)),
        Err(stop) if !is_limit(&stop) => Err(stop),
        // If the genus is known, the form was found, and only later facts are missing.
        Err(stop) if facts.genus.is_some() => {
            Ok(valued(facts, Some("misere canonical form"), Some(stop)))
        }
        Err(stop) => {
            // The forms of the failed attempt occupy the memory that the fallback needs.
            cache.clear();
            let (facts, method) = without_form(position, cache, job)?;
            Ok(valued(facts, method, Some(stop)))
        }
    }
}

/// Computes the facts about a form, the cheap facts first.
fn compute_facts(
    facts: &mut Facts,
    form: Form,
    request: &ValueRequest,
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    facts.outcome = Some(Outcome::from_win(!forms.is_p(form)));
    facts.birthday = Some(forms.birthday(form));
    let class = forms.class(form, limits)?;
    let genus = forms.genus(form, limits)?;
    facts.class = Some(class);
    facts.genus = Some(genus_text(&genus, Some(class), request.full));
    facts.form = Some(OptionalText(forms.write(form, MAX_FORM_LENGTH, limits)?));
    let mate = forms.mate(form, limits)?;
    facts.mate = Some(OptionalText(forms.write(mate, MAX_FORM_LENGTH, limits)?));
    match partitions(form, forms, limits) {
        Ok(Some(found)) => {
            // The even part is 0 only for the games 0 and *, which are not prime by definition.
            facts.prime = Some(found.is_empty() && form.even_part() != Form::ZERO);
            facts.partitions = Some(found);
        }
        Err(stop @ Stop::Interrupted) => return Err(stop),
        // Partitions are optional. If a limit prevents them, the answer still counts as complete.
        Ok(None) | Err(_) => {}
    }
    Ok(())
}

/// Returns the partitions of a game as text, that is, the pairs of games whose sum it is. Returns
/// `None` if a text is too long. Fails if the search exceeds its small, fixed limits, since
/// partitions are an optional part of the answer.
fn partitions(
    form: Form,
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<Option<Vec<[String; 2]>>, Stop> {
    let max_forms = forms.count() as u64 + MAX_NEW_FORMS;
    // The number of limit checks measures the work independently of the machine, so answers are
    // reproducible.
    let checks = AtomicU64::new(0);
    let limits = Limits {
        positions: limits.positions.min(max_forms),
        interrupted: &|| {
            let within_budget = checks.fetch_add(1, Ordering::Relaxed) < MAX_CHECKS;
            (limits.interrupted)().or((!within_budget).then_some(Stop::Time))
        },
        ..*limits
    };
    let mut written = Vec::new();
    for pair in forms.partitions(form, &limits)? {
        let [Some(one), Some(other)] = [
            forms.write(pair[0], MAX_FORM_LENGTH, &limits)?,
            forms.write(pair[1], MAX_FORM_LENGTH, &limits)?,
        ] else {
            return Ok(None);
        };
        written.push([one, other]);
    }
    Ok(Some(written))
}

/// Returns the facts that need no canonical form, and the name of the method. A pass over the
/// positions gives the genus. If the pass exceeds a limit, a search finds the outcome only.
fn without_form(
    position: &Position,
    cache: &mut ResultCache,
    job: &Job,
) -> Result<(Facts, Option<&'static str>), Stop> {
    // A partizan ruleset may contain impartial positions. Only their forms show that they are
    // impartial.
    if position.nature().is_impartial() {
        match genus_by_positions(position, &job.first_try().limits()) {
            Ok(genus) => {
                let facts = Facts {
                    outcome: Some(Outcome::from_win(genus.digit(0) != 0)),
                    genus: Some(genus_text(&genus, None, true)),
                    ..Facts::default()
                };
                return Ok((facts, Some("genus")));
            }
            Err(stop) if is_limit(&stop) => {}
            Err(stop) => return Err(stop),
        }
    }
    let solver = &mut cache.solver;
    match solver.answer(position, Play::Misere, Detail::Outcome, &job.limits()) {
        Ok(solution) => {
            let outcome = match solution.verdict() {
                Verdict::Outcome(outcome) => Some(outcome),
                Verdict::Class(OutcomeClass::N) => Some(Outcome::N),
                Verdict::Class(OutcomeClass::P) => Some(Outcome::P),
                Verdict::Class(_) | Verdict::Payoff(_) => None,
            };
            let facts = Facts {
                outcome,
                ..Facts::default()
            };
            Ok((facts, Some(solution.method)))
        }
        Err(stop) if is_limit(&stop) => Ok((Facts::default(), None)),
        Err(stop) => Err(stop),
    }
}

/// Returns the error for a position whose misère value was not found. The argument `stop` is the
/// reason: the position has no misère value, or a limit was reached.
pub(crate) fn no_misere_value_error(stop: Stop) -> Diagnostic {
    match stop {
        Stop::NotImpartial | Stop::NoValue => Diagnostic::new(
            Kind::NotImpartial,
            message!("misère values are defined for impartial games only"),
        )
        .help(message!(
            "omit {option}",
            option = Setting::new("play").set_to("misere")
        )),
        stop => stop.into(),
    }
}

impl ValueRequest {
    /// Rejects options that do not apply to the chosen play convention.
    ///
    /// # Errors
    /// An option of misère play in normal play, or of normal play in misère play.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let changes = self.changes.iter().map(ValueChange::name);
        let written = [
            ("form", self.braces),
            ("latex", self.latex),
            ("of", !self.quantities.is_empty()),
        ];
        let written = written.into_iter().filter(|(_, is_set)| *is_set);
        require_normal_play(self.play, changes.chain(written.map(|(name, _)| name)))?;
        require_misere_play("full", self.full && self.play == Play::Normal)
    }
}

impl ValueQuestion {
    /// Returns the requested quantities and their format. Rejects options that do not apply to the
    /// chosen play convention.
    pub(super) fn request(&self) -> Result<ValueRequest, Diagnostic> {
        let request = ValueRequest {
            changes: self.changes()?,
            braces: self.form,
            latex: self.latex,
            quantities: self.of.clone(),
            draws_thermograph: self.svg.is_some(),
            play: self.play,
            full: self.full,
        };
        request.check()?;
        let files = [("svg", &self.svg), ("table", &self.table)];
        let files = files.into_iter().filter(|(_, file)| file.is_some());
        require_normal_play(self.play, files.map(|(name, _)| name))?;
        Ok(request)
    }
}

/// Rejects an option of normal play if misère play is chosen.
pub(crate) fn require_normal_play(
    play: Play,
    mut options: impl Iterator<Item = &'static str>,
) -> Result<(), Diagnostic> {
    match options.next() {
        Some(name) if play == Play::Misere => {
            let message = message!("`{name}` is available in normal play only", name);
            Err(Diagnostic::new(Kind::Type, message)
                .help(message!("omit this option, or use normal play")))
        }
        _ => Ok(()),
    }
}

/// Rejects an option of misère play if normal play is chosen.
pub(crate) fn require_misere_play(name: &'static str, is_set: bool) -> Result<(), Diagnostic> {
    if !is_set {
        return Ok(());
    }
    let message = message!(
        "`{name}` requires misère play, because the genus is defined in misère play only",
        name
    );
    Err(Diagnostic::new(Kind::Type, message).help(message!(
        "add {option}",
        option = Setting::new("play").set_to("misere")
    )))
}
