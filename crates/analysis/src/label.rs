//! `label`: every position of a game graph, or of what can be reached from a position, labelled.

mod checkpoint;
mod input;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod source;
mod tablebase;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use grundy::graph::Network;
use grundy::{Diagnostic, GameGraph, Labelled, Limits, Play};
use grundy_notation::Language;

use crate::analyst::Analyst;
use crate::answer::{Report, written};
use crate::files::Files;
use crate::job::{Job, Progress};
use crate::question::Label;
use checkpoint::Checkpoints;
use output::{Format, Table};
use source::Source;

/// A labelled game. Where it was written to a file or a tablebase there is nothing more to say.
#[derive(Debug)]
pub struct Labelling {
    game: GameGraph,
    labelled: Labelled,
    play: Play,
    best_move: bool,
    /// Whether the table has been written already.
    done: bool,
}

impl Labelling {
    fn table(&self) -> Table<'_> {
        Table {
            game: &self.game,
            labelled: &self.labelled,
            play: self.play,
            best_move: self.best_move,
        }
    }
}

impl Report for Labelling {
    fn plain(&self, language: Language) -> String {
        written(|out| self.write_plain(out, language))
    }

    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        if self.done {
            return Ok(());
        }
        output::write(&self.table(), Format::Json, out)
    }

    fn write_plain(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        if self.done {
            return Ok(());
        }
        output::write(&self.table(), Format::Csv, out)
    }
}

pub(crate) fn answer(asked: &Label, analyst: &Analyst, job: &Job) -> Result<Labelling, Diagnostic> {
    analyst.check_apart(
        [("the graph", Path::new(&asked.source))],
        [
            ("--output", asked.output.as_ref()),
            ("--tablebase", asked.tablebase.as_ref()),
            ("--checkpoint", asked.checkpoint.as_ref()),
        ],
    )?;
    let format = asked.output.as_deref().map(Format::of).transpose()?;
    if let Some(folder) = &asked.tablebase {
        analyst.files.allowed(folder)?;
        // Said before the work, not after it.
        grundy_tablebase::check_free(folder)?;
    }
    let limits = job.limits();
    let source = Source::of(asked, analyst)?;
    let mut checkpoints = Checkpoints::new(asked, &source, analyst, job)?;
    let game = source.graph(asked, &mut checkpoints, analyst, job)?;
    job.report(&Progress::Doing("labelling"));
    let labelled =
        Labelled::new(&game, asked.play, &limits).map_err(|stop| checkpoints.refused(stop))?;
    job.report(&Progress::Doing("writing"));
    let labelling = Labelling {
        game,
        labelled,
        play: asked.play,
        best_move: asked.best_move,
        done: asked.tablebase.is_some() || asked.output.is_some(),
    };
    let table = labelling.table();
    if let Some(folder) = &asked.tablebase {
        tablebase::write(&table, folder, &source.text(), &limits)?;
    }
    if let (Some(file), Some(format)) = (&asked.output, format) {
        output::to_file(&table, format, file, analyst.files)?;
    }
    checkpoints.done();
    Ok(labelling)
}

/// The graph in a file, for `graph("moves.csv", "a")`.
pub(crate) fn open(file: &str, files: Files) -> Result<Arc<Network>, Diagnostic> {
    let (limits, quiet) = (Limits::default(), Job::default());
    let mut network = input::read(Path::new(file), None, &limits, files, &quiet).map_err(
        // The place in the file is none in the expression.
        |diagnostic| Diagnostic {
            help: diagnostic.help,
            ..Diagnostic::new(diagnostic.kind, diagnostic.message)
        },
    )?;
    network.file = Some(file.to_owned());
    Ok(Arc::new(network))
}
