//! `label`: every position of a game graph, or of what can be reached from a position, labelled.

pub(crate) mod card;
mod certificate;
mod checkpoint;
#[cfg(feature = "cluster")]
mod crew;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod ranked;
mod rows;
mod source;
mod tablebase;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use grundy::{Diagnostic, Kind, Labelled, RankedGame, message};
use grundy_notation::Language;
use grundy_notation::answer::{Named, json_line};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::learned::Learned;
use crate::progress::Progress;
use crate::question::{ByRanks, Crew, LabelQuestion};
use crate::report::{AnySerialize, Report, Words, written};
use checkpoint::Checkpoints;
use output::Format;
use plan::Plan;
use ranked::RankedLabels;
use rows::Table;
use source::Source;

/// A labelled game. Where it was written to a file or a tablebase there is nothing more to say.
#[derive(Debug)]
pub struct Labelling {
    found: Found,
    /// Whether the table has been written already.
    done: bool,
}

/// What was found out.
#[derive(Debug)]
enum Found {
    /// A graph with its labels.
    Graph(Box<Table>),
    /// A game by ranks with its labels.
    Ranked(RankedLabels),
    /// The same by several workers.
    #[cfg(feature = "cluster")]
    Gathered(crew::Gathered),
    /// Nothing here: it was written as it came, or by another process.
    #[cfg(feature = "cluster")]
    Elsewhere,
    /// What labelling it would take.
    Plan(Plan),
    /// What it would take several workers.
    #[cfg(feature = "cluster")]
    Shared(crew::Plan),
}

impl Labelling {
    /// Writes the table where it is the answer.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match &self.found {
            _ if self.done => Ok(()),
            Found::Graph(table) => output::write(&**table, format, out),
            Found::Ranked(labels) => output::write(labels, format, out),
            #[cfg(feature = "cluster")]
            Found::Gathered(rows) => output::write(rows, format, out),
            _ => Ok(()),
        }
    }
}

impl Report for Labelling {
    fn plain(&self, language: Language) -> String {
        written(|out| self.write_plain(out, language))
    }

    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        match &self.found {
            Found::Plan(plan) => Box::new(plan),
            #[cfg(feature = "cluster")]
            Found::Shared(plan) => Box::new(plan),
            // The table is in a file.
            _ if self.done => Box::new(Named::<()>(Vec::new())),
            Found::Graph(table) => Box::new(output::View(&**table)),
            Found::Ranked(labels) => Box::new(output::View(labels)),
            #[cfg(feature = "cluster")]
            Found::Gathered(rows) => Box::new(output::View(rows)),
            #[cfg(feature = "cluster")]
            Found::Elsewhere => Box::new(Named::<()>(Vec::new())),
        }
    }

    /// The table has a row a line.
    fn write_json(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        match &self.found {
            Found::Plan(_) => json_line(out, &self.view(Words::Contract(language))),
            #[cfg(feature = "cluster")]
            Found::Shared(_) => json_line(out, &self.view(Words::Contract(language))),
            _ => self.write(Format::Json, out),
        }
    }

    fn write_plain(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        match &self.found {
            Found::Plan(plan) => out.write_all(plan.plain(language).as_bytes()),
            #[cfg(feature = "cluster")]
            Found::Shared(plan) => out.write_all(plan.plain(language).as_bytes()),
            _ => self.write(Format::Csv, out),
        }
    }
}

impl Question for LabelQuestion {
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }

    fn game(&self) -> Option<&str> {
        self.source.to_str()
    }
}

fn answer(asked: &LabelQuestion, analyst: &Analyst, job: &Job) -> Result<Labelling, Diagnostic> {
    asked.check()?;
    analyst.reader().check_apart(
        [(message!("the graph"), Path::new(&asked.source))],
        [
            ("--output", asked.output.as_ref()),
            ("--tablebase", asked.tablebase.as_ref()),
            ("--certificate", asked.certificate.as_ref()),
            ("--checkpoint", asked.checkpoint.as_ref()),
        ],
    )?;
    let format = asked.output.as_deref().map(Format::of).transpose()?;
    if let Some(folder) = &asked.tablebase {
        analyst.files().on_disk(folder)?;
        // Said before the work, not after it.
        grundy_tablebase::check_free(folder)?;
    }
    let limits = job.limits();
    let source = Source::of(asked, analyst)?;
    let ranked = ranked::game(asked, &source)?;
    if let (Some(game), Some(ByRanks { plan: true, values }), None) =
        (&ranked, asked.by_ranks(), &asked.crew())
    {
        let found = Found::Plan(Plan::new(&**game, asked.play, values, job)?);
        return Ok(Labelling { found, done: false });
    }
    if asked.certificate.is_some() {
        // Said before the work, too.
        let dense = ranked
            .as_ref()
            .is_some_and(|game| ranked::is_dense(&**game));
        let help = match (&asked.crew(), dense) {
            (Some(_), _) => Some(message!("label it without --workers and --hosts")),
            (None, true) => Some(message!("leave --ranked out, or --certificate")),
            (None, false) => None,
        };
        if let Some(help) = help {
            let message = message!("a certificate of labels needs the moves of each position");
            return Err(Diagnostic::new(Kind::IllegalPosition, message).help(help));
        }
    }
    if let Some(crew) = &asked.crew() {
        return together(asked, crew, &source, ranked, analyst, job);
    }
    let of = source.identity(asked, analyst);
    let mut checkpoints = Checkpoints::new(asked, of, analyst, job)?;
    let found = match ranked {
        Some(game) if ranked::is_dense(&*game) => {
            Found::Ranked(ranked::label(game, asked, &mut checkpoints, job)?)
        }
        ranked => {
            let game = source.graph(asked, ranked.as_ref(), &mut checkpoints, analyst, job)?;
            job.report(&Progress::Doing(message!("labelling")));
            let labelled = Labelled::new(&game, asked.play, &limits);
            Found::Graph(Box::new(Table {
                game,
                labelled: labelled.map_err(|stop| checkpoints.refused(stop))?,
                play: asked.play,
                best_move: asked.best_move,
            }))
        }
    };
    job.report(&Progress::Doing(message!("writing")));
    let done = asked.tablebase.is_some() || asked.output.is_some();
    if let (Some(file), Found::Graph(table)) = (&asked.certificate, &found) {
        certificate::write(table, file, &job.long_limits(), analyst.files())?;
    }
    if let Some(folder) = &asked.tablebase {
        let written = tablebase::Written {
            folder,
            source: &source,
            asked,
            analyst,
            limits: &job.long_limits(),
            pauses: None,
        };
        match &found {
            Found::Graph(table) => written.graph(table)?,
            Found::Ranked(labels) => written.ranked(labels)?,
            Found::Plan(_) => {}
            #[cfg(feature = "cluster")]
            Found::Gathered(_) | Found::Shared(_) | Found::Elsewhere => {}
        }
    }
    if let (Some(file), Some(format)) = (&asked.output, format) {
        match &found {
            Found::Graph(table) => output::to_file(&**table, format, file, analyst.files())?,
            Found::Ranked(labels) => output::to_file(labels, format, file, analyst.files())?,
            Found::Plan(_) => {}
            #[cfg(feature = "cluster")]
            Found::Gathered(_) | Found::Shared(_) | Found::Elsewhere => {}
        }
    }
    checkpoints.done();
    Ok(Labelling { found, done })
}

/// Labels with several workers.
#[cfg(feature = "cluster")]
fn together(
    asked: &LabelQuestion,
    crew: &Crew,
    source: &Source<'_>,
    ranked: Option<Arc<dyn RankedGame>>,
    analyst: &Analyst,
    job: &Job,
) -> Result<Labelling, Diagnostic> {
    crew::check_workers(crew)?;
    let work = crew::Work {
        asked,
        crew,
        source,
        ranked,
        analyst,
        job,
    };
    if crew.plan {
        let found = Found::Shared(work.plan()?);
        return Ok(Labelling { found, done: false });
    }
    let format = asked.output.as_deref().map(Format::of).transpose()?;
    Ok(match work.run(format)? {
        Some(found) => Labelling { found, done: false },
        None => Labelling {
            found: Found::Elsewhere,
            done: true,
        },
    })
}

/// Several workers were left out of this build.
#[cfg(not(feature = "cluster"))]
fn together(
    _: &LabelQuestion,
    _: &Crew,
    _: &Source<'_>,
    _: Option<Arc<dyn RankedGame>>,
    _: &Analyst,
    _: &Job,
) -> Result<Labelling, Diagnostic> {
    let message = message!(
        "this grundy was built without the feature `cluster`, which labels with several workers"
    );
    Err(Diagnostic::new(Kind::Io, message).help(message!("build it with --features cluster")))
}
