//! `value` and `compare`: canonical forms, and all that is asked of values.

mod compared;
mod words;

use std::collections::BTreeMap;
use std::io::{self, Write};

use grundy::heat::heat;
use grundy::{Diagnostic, Dyadic, Limits, OutcomeClass, Position, Solver, Stop, message};
use grundy_forms::{Form, Forms, Thermograph, text};
use grundy_notation::Language;
use grundy_notation::answer::json_line;
use grundy_notation::diagnostic::DiagnosticView;
use serde::Serialize;

pub use compared::Compared;
pub(crate) use compared::answer as compare;

use crate::analyst::Analyst;
use crate::answer::Answer;
use crate::job::Job;
use crate::picture::{self, Picture};
use crate::question::{Change, ValueQuestion};
use crate::report::Report;
use crate::solve::of_source;

/// What a game is worth.
#[derive(Clone, Debug)]
pub struct Valued {
    /// The position.
    pub position: Position,
    /// The canonical form as text; nothing where a limit withheld it.
    pub value: Option<String>,
    /// The form for typesetting, where that was asked.
    pub latex: Option<String>,
    /// Who wins.
    pub class: OutcomeClass,
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// Walls, mean and temperature.
    pub thermograph: Thermograph,
    /// What is told where the form is known.
    pub known: Option<Known>,
    /// The theorem that gave it, by its usual name, or the canonical form.
    pub method: &'static str,
    /// Why there is no more to tell.
    pub stopped: Option<Stop>,
}

/// What follows from the form.
#[derive(Clone, Debug)]
pub struct Known {
    /// How many ups it is worth, where it is all-small.
    pub atomic_weight: Option<String>,
    /// The simplest game that differs by an infinitesimal only.
    pub reduced: String,
    /// The day on which it is born.
    pub birthday: String,
    /// The maximal incentives of Left and of Right.
    pub incentives: [Vec<String>; 2],
    /// The expansion in powers of up, where it is one of more than one power.
    pub uptimal: Option<String>,
}

#[derive(Serialize)]
struct ValuedView<'a> {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latex: Option<&'a str>,
    outcome: String,
    left_stop: String,
    right_stop: String,
    mean: String,
    temperature: String,
    thermograph: WallsView,
    number_part: Option<String>,
    #[serde(flatten)]
    known: Option<KnownView<'a>>,
    status: &'static str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

#[derive(Serialize)]
struct KnownView<'a> {
    atomic_weight: Option<&'a str>,
    reduced: &'a str,
    birthday: serde_json::Value,
    incentives: BTreeMap<&'static str, &'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uptimal: Option<&'a str>,
}

/// Both walls, as points [t, value].
#[derive(Serialize)]
pub(crate) struct WallsView {
    left: Vec<[String; 2]>,
    right: Vec<[String; 2]>,
}

impl WallsView {
    pub(crate) fn new(thermograph: &Thermograph) -> Self {
        let [left, right] = thermograph.walls().map(|wall| {
            let points = wall.iter();
            points
                .map(|(t, value)| [t.to_string(), value.to_string()])
                .collect()
        });
        Self { left, right }
    }
}

impl Valued {
    /// The number that it is infinitesimally close to.
    #[must_use]
    pub fn number_part(&self) -> Option<&Dyadic> {
        let [left, right] = &self.stops;
        (left == right).then_some(left)
    }
}

impl Report for Valued {
    fn write_json(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        let known = self.known.as_ref().map(|known| KnownView {
            atomic_weight: known.atomic_weight.as_deref(),
            reduced: &known.reduced,
            // A number where it is one of the usual size.
            birthday: known
                .birthday
                .parse::<u64>()
                .map_or_else(|_| known.birthday.as_str().into(), serde_json::Value::from),
            incentives: BTreeMap::from([
                ("left", &known.incentives[0][..]),
                ("right", &known.incentives[1][..]),
            ]),
            uptimal: known.uptimal.as_deref(),
        });
        let view = ValuedView {
            game: self.position.to_string(),
            value: self.value.as_deref(),
            latex: self.latex.as_deref(),
            outcome: self.class.to_string(),
            left_stop: self.stops[0].to_string(),
            right_stop: self.stops[1].to_string(),
            mean: self.thermograph.mean().to_string(),
            temperature: self.thermograph.temperature().to_string(),
            thermograph: WallsView::new(&self.thermograph),
            number_part: self.number_part().map(Dyadic::to_string),
            known,
            status: match self.stopped {
                Some(_) => "partial",
                None => "exact",
            },
            method: self.method,
            stopped: self.stopped.as_ref().map(|stop| {
                let stopped = Diagnostic::from(stop.clone());
                DiagnosticView::told(&stopped, &self.position.to_string(), language)
            }),
        };
        json_line(out, &view)
    }

    fn plain(&self, language: Language) -> String {
        words::told(self, language)
    }

    fn is_partial(&self) -> bool {
        self.stopped.is_some()
    }
}

/// The canonical form of a position, and how it was found.
pub(crate) fn form(
    position: &Position,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<(Form, &'static str), Stop> {
    let (form, theorem) = solver.canonical_form(position, limits)?;
    let method = theorem.map_or("canonical form", |theorem| theorem.method);
    Ok((form, method))
}

pub(crate) fn answer(
    asked: &ValueQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Answer, Diagnostic> {
    if let Some(file) = &asked.svg {
        picture::allowed(analyst, file)?;
    }
    let position = analyst.position(&asked.source)?;
    let mut solver = Solver::default();
    let valued = valued(&position, asked, &mut solver, job)
        .map_err(|error| of_source(error, &asked.source))?;
    let drawn = picture::put(analyst, asked.svg.as_deref(), || {
        let title = valued.value.clone().unwrap_or_else(|| position.to_string());
        let graphs = [(title, valued.thermograph.clone())];
        let svg = grundy_draw::thermographs(&graphs, false, &|step| {
            grundy_notation::wording::words(step, asked.language)
        });
        Ok(Picture::svg(&position.to_string(), svg))
    })?;
    Ok(drawn.map_or_else(|| Answer::Value(Box::new(valued)), Answer::Picture))
}

/// All that is known of a position's value.
fn valued(
    position: &Position,
    asked: &ValueQuestion,
    solver: &mut Solver,
    job: &Job,
) -> Result<Valued, Diagnostic> {
    let limits = &job.limits();
    let found = form(position, solver, limits).and_then(|(form, method)| {
        let forms = &mut solver.short_values().theory.forms;
        let form = changed(form, &asked.changes, forms, limits)?;
        Ok((form, method))
    });
    let (form, method) = match found {
        Ok(found) => found,
        // Forms are too many; what positions alone tell may still be had.
        Err(stop @ (Stop::Positions(_) | Stop::Memory(_) | Stop::Time))
            if asked.changes.is_empty() =>
        {
            return withheld(position, stop, job);
        }
        Err(stop) => return Err(refusal(stop)),
    };
    let forms = &mut solver.short_values().theory.forms;
    let class = class(form, forms, limits)?;
    let thermograph = forms.thermograph(form, limits)?;
    let stops = [forms.left_stop(form), forms.right_stop(form)].map(Dyadic::clone);
    let mut valued = Valued {
        position: position.clone(),
        value: None,
        latex: None,
        class,
        stops,
        thermograph: (*thermograph).clone(),
        known: None,
        method,
        stopped: None,
    };
    // Whatever is left takes its time on large forms, and none of it changes what is known.
    if let Err(stop) = tell(&mut valued, form, asked, forms, limits) {
        match stop {
            Stop::Positions(_) | Stop::Memory(_) | Stop::Time => valued.stopped = Some(stop),
            stop => return Err(stop.into()),
        }
    }
    Ok(valued)
}

fn tell(
    valued: &mut Valued,
    form: Form,
    asked: &ValueQuestion,
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    valued.value = Some(if asked.braces {
        forms.write_braces(form, limits)?
    } else {
        forms.write_within(form, limits)?
    });
    if asked.latex {
        valued.latex = Some(forms.latex(form, limits)?);
    }
    let weight = forms.atomic_weight(form, limits)?;
    let atomic_weight = weight.map(|weight| forms.write_within(weight, limits));
    let reduced = forms.reduced(form, limits)?;
    let reduced = forms.write_within(reduced, limits)?;
    let found = forms.incentives(form, limits)?;
    let mut incentives = [Vec::new(), Vec::new()];
    for (texts, found) in incentives.iter_mut().zip([found.left, found.right]) {
        for incentive in found {
            texts.push(forms.write_within(incentive, limits)?);
        }
        texts.sort_by_key(|text| (text.len(), text.clone()));
    }
    let uptimal = forms.uptimal(form, limits)?;
    valued.known = Some(Known {
        atomic_weight: atomic_weight.transpose()?,
        reduced,
        birthday: forms.birthday(form).to_string(),
        incentives,
        uptimal: uptimal
            .filter(|found| found.powers.len() > 1)
            .map(|found| found.to_string()),
    });
    Ok(())
}

/// Who wins a form.
pub(crate) fn class(
    form: Form,
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<OutcomeClass, Stop> {
    let at_most = forms.at_most(form, Form::ZERO, limits)?;
    let at_least = forms.at_most(Form::ZERO, form, limits)?;
    Ok(OutcomeClass::from_wins(!at_most, !at_least))
}

/// What positions alone tell.
fn withheld(position: &Position, stop: Stop, job: &Job) -> Result<Valued, Diagnostic> {
    let found = heat(position, &job.limits()).map_err(|_| refusal(stop.clone()))?;
    Ok(Valued {
        position: position.clone(),
        value: None,
        latex: None,
        class: found.class,
        stops: found.stops,
        thermograph: (*found.thermograph).clone(),
        known: None,
        method: "stops",
        stopped: Some(stop),
    })
}

/// Why there is no value.
pub(crate) fn refusal(stop: Stop) -> Diagnostic {
    match stop {
        Stop::NoValue => Diagnostic::illegal(message!(
            "values are those of games in which the last move decides and either player may begin"
        )),
        stop => stop.into(),
    }
}

/// The form after each of the changes asked for, one after the other.
fn changed(
    form: Form,
    changes: &[Change],
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<Form, Stop> {
    changes.iter().try_fold(form, |form, change| match change {
        Change::Cool(t) => forms.cool(form, t, limits),
        Change::Freeze => forms.freeze(form, limits),
        Change::Heat(by) => {
            let by = forms.evaluate(by, limits)?;
            forms.heat(form, by, limits)
        }
        Change::Overheat(from, to) => {
            let from = forms.evaluate(from, limits)?;
            let to = forms.evaluate(to, limits)?;
            forms.overheat(form, [from, to], limits)
        }
        Change::Norton(by) => {
            let by = forms.evaluate(by, limits)?;
            forms.norton(form, by, limits)
        }
    })
}

impl Change {
    /// Reads a change by its name.
    ///
    /// # Errors
    /// What is no value, or a temperature below 0.
    pub fn read(name: &str, written: &str) -> Result<Self, Diagnostic> {
        let own = |error: Diagnostic| crate::analyst::about(error, written);
        Ok(match name {
            "cool" => Self::Cool(temperature(written).map_err(own)?),
            "heat" => Self::Heat(text::parse(written).map_err(own)?),
            "norton" => Self::Norton(text::parse(written).map_err(own)?),
            _ => {
                let Some((from, to)) = written.split_once(',') else {
                    let message = message!("two values are expected here: S,T");
                    return Err(own(
                        Diagnostic::new(grundy::Kind::Syntax, message).at(0..written.len())
                    ));
                };
                Self::Overheat(
                    text::parse(from).map_err(own)?,
                    text::parse(to).map_err(|error| own(error.further(from.len() + 1)))?,
                )
            }
        })
    }
}

/// A number of at least 0.
fn temperature(written: &str) -> Result<Dyadic, Diagnostic> {
    let mut forms = Forms::default();
    let form = text::read(written, &mut forms, &Limits::default())?;
    match forms.number(form) {
        Some(number) if number.sign().is_ge() => Ok(number.clone()),
        _ => {
            let message = message!("a temperature is a number of at least 0, such as 1/2");
            Err(Diagnostic::new(grundy::Kind::Range, message).at(0..written.len()))
        }
    }
}
