//! `explain`: the answer of `solve` with the reasons for it, and with pictures on request.

mod page;
mod pictures;
mod sheet;

use grundy_core::message::Setting;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Limits, Solver, Stop, explain, message, proof};
use grundy_wording::answer::{SolutionView, StepView};
use grundy_wording::plain::outline;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, plain};
use serde::Serialize;

use self::sheet::Sheet;
use crate::analyst::{Analyst, Question, attach_source};
use crate::answer::Answer;
use crate::files;
use crate::growth::Watch;
use crate::job::Job;
use crate::picture::{self, Picture};
use crate::question::Explain;
use crate::result_cache::ResultCache;
use crate::solve::Solved;

/// An answer with an explanation.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The answer.
    pub solved: Solved,
    /// The steps of the explanation. The first step states the kind of game.
    pub steps: Vec<Step>,
    /// The pictures, if they were requested.
    pub pictures: Option<Pictures>,
}

/// The pictures of an explanation.
#[derive(Clone, Debug)]
pub struct Pictures {
    /// The picture of the position.
    pub position: String,
    /// For each step except the first, its picture or `None`. The first step is printed with the
    /// answer.
    pub steps: Vec<Option<String>>,
}

/// A step with its picture, in the form in which it is serialized.
#[derive(Serialize)]
struct PicturedView<'a> {
    #[serde(flatten)]
    step: StepView,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    sentence: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    below: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<&'a str>,
}

#[derive(Serialize)]
struct IllustratedView<'a> {
    #[serde(flatten)]
    solved: SolutionView,
    method_text: String,
    svg: &'a str,
    steps: Vec<PicturedView<'a>>,
}

#[derive(Serialize)]
struct ExplainedView {
    #[serde(flatten)]
    solved: SolutionView,
    steps: Vec<StepView>,
}

impl Report for Explained {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let language = words.language();
        if let Some(pictures) = &self.pictures {
            return Box::new(self.illustrated(pictures, language));
        }
        let steps = self.steps.iter();
        let explained = ExplainedView {
            solved: self.solved.view(),
            steps: steps.map(|step| StepView::new(step, language)).collect(),
        };
        Box::new(explained)
    }

    /// Writes the answer and the steps. The first step is omitted, since the answer contains it.
    fn plain(&self, audience: Audience) -> String {
        let answer = self.solved.plain(audience);
        let steps = plain::numbered(&self.steps[1..], audience.language);
        format!("{answer}\n{steps}")
    }

    fn is_partial(&self) -> bool {
        self.solved.is_partial()
    }
}

impl Explained {
    fn illustrated<'a>(
        &'a self,
        pictures: &'a Pictures,
        language: Language,
    ) -> IllustratedView<'a> {
        let outlined = outline(&self.steps[1..], language).into_iter();
        let steps = outlined
            .zip(&pictures.steps)
            .map(|(item, svg)| PicturedView {
                step: StepView::new(item.step, language),
                number: item.number,
                sentence: item.sentence.trim().to_owned(),
                below: item.below,
                svg: svg.as_deref(),
            });
        IllustratedView {
            solved: self.solved.view(),
            method_text: plain::method(&self.solved.solution, language),
            svg: &pictures.position,
            steps: steps.collect(),
        }
    }
}

impl Question for Explain {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }

    fn game(&self) -> Option<&str> {
        self.source.expression.as_deref()
    }
}

/// Answers the question and writes the requested files. If the explanation is requested as a
/// printable page on standard output, this page replaces the answer.
fn answer(question: &Explain, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    if let Some(folder) = &question.svg {
        if picture::is_output(folder) {
            let message = message!(
                "{option} must name a folder, because an explanation can have several pictures",
                option = Setting::new("svg")
            );
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "to write a single page to standard output, use {option}",
                option = Setting::new("html").set_to("-")
            )));
        }
        analyst.files().allowed(folder)?;
    }
    if let Some(file) = &question.html {
        picture::allowed(analyst.files(), file)?;
    }
    let mut explained = explained(question, analyst, job)?;
    if question.pictures {
        explained.pictures = Some(draw_pictures(&explained, question, analyst, job)?);
    }
    let partial = explained.is_partial();
    Ok(match write(&explained, question, analyst, job)? {
        Some(page) => Answer::new(Picture { partial, ..page }),
        None => Answer::new(explained),
    })
}

/// Writes the files that the question names. Returns the printable page of the explanation if it
/// goes to standard output.
fn write(
    explained: &Explained,
    question: &Explain,
    analyst: &Analyst,
    job: &Job,
) -> Result<Option<Picture>, Diagnostic> {
    if question.svg.is_none() && question.html.is_none() {
        return Ok(None);
    }
    let sheet = Sheet::new(explained, question, analyst, job)?;
    let named = question.svg.as_deref().map(|folder| sheet.files(folder));
    let named = named.unwrap_or_default();
    let opened = question.source.picture.as_deref();
    // The steps determine the names of the files. Hence only now can they be compared with the
    // names of input files.
    let written = named
        .iter()
        .map(|(file, _)| (Setting::new("svg"), Some(file)));
    analyst.reader().check_distinct(
        opened.map(|file| {
            (
                message!("{name}", name = Setting::command_line("picture")),
                file,
            )
        }),
        written.chain([(Setting::new("html"), question.html.as_ref())]),
    )?;
    if let Some(folder) = &question.svg {
        files::make_folder(analyst.files(), folder)?;
    }
    for (file, svg) in &named {
        files::write(analyst.files(), file, |out| {
            std::io::Write::write_all(out, svg.as_bytes())
        })?;
    }
    picture::put(analyst.files(), question.html.as_deref(), || {
        let html = page::html(&sheet, analyst.language());
        Ok(Picture::html(&explained.solved.position.to_string(), html))
    })
}

/// Returns the pictures of the position and of the steps.
fn draw_pictures(
    explained: &Explained,
    question: &Explain,
    analyst: &Analyst,
    job: &Job,
) -> Result<Pictures, Diagnostic> {
    let sheet = Sheet::new(explained, question, analyst, job)?;
    Ok(Pictures {
        position: sheet.position,
        steps: sheet.steps.into_iter().map(|shown| shown.svg).collect(),
    })
}

fn explained(question: &Explain, analyst: &Analyst, job: &Job) -> Result<Explained, Diagnostic> {
    let play = question.play;
    let stopped = |stop: Stop| attach_source(stop, &question.source);
    let position = analyst.position(&question.source)?;
    // The proof adds a Nim heap to the position, so the value of the position must be a nimber.
    if question.proof && !position.nature().is_impartial() {
        return Err(Diagnostic::new(
            Kind::NotImpartial,
            message!(
                "{option} is available for impartial games only",
                option = Setting::new("proof")
            ),
        )
        .help(message!("omit {option}", option = Setting::new("proof"))));
    }
    let mut solver = Solver::default();
    let watch = Watch::new(&position, job);
    let interrupted = || watch.poll();
    let limits = Limits {
        interrupted: &interrupted,
        ..job.limits()
    };
    let solution = solver
        .solve(&position, play, &limits)
        // If the game never ends, more memory or time would not help. In this case the watch
        // replaces the hint.
        .map_err(|stop| attach_source(watch.stop_error(stop, None), &question.source))?;
    let limits = job.limits();
    let steps = if question.proof {
        let kind = explain::kind(&position, play, &solution);
        let proof = proof::steps(&position, &limits).map_err(|stop| match stop {
            // A proof lists every position. Hence games of moderate size already exceed its limits.
            Stop::Positions(most) => stopped(stop).help(message!(
                "the proof exceeds {most} positions or {steps} steps: choose a smaller game",
                most,
                steps = proof::MAX_STEPS
            )),
            stop => stopped(stop),
        })?;
        // The first step always states the kind of game. The views of the steps omit it.
        [kind].into_iter().chain(proof).collect()
    } else {
        explain::steps(&position, play, &solution, &mut solver, &limits).map_err(stopped)?
    };
    Ok(Explained {
        solved: Solved {
            position,
            play,
            solution,
            genus: None,
        },
        steps,
        pictures: None,
    })
}
