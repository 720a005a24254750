//! `label`: every position of a game graph, or of what can be reached from a position, labelled.

mod checkpoint;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod source;
mod tablebase;

use std::io::{self, Write};
use std::path::Path;

use grundy::{Diagnostic, GameGraph, Labelled, Play, message};
use grundy_notation::Language;

use crate::analyst::Analyst;
use crate::job::Job;
use crate::progress::Progress;
use crate::question::LabelQuestion;
use crate::report::{Report, written};
use checkpoint::Checkpoints;
use output::Format;
use rows::Table;
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

pub(crate) fn answer(
    asked: &LabelQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Labelling, Diagnostic> {
    analyst.check_apart(
        [(message!("the graph"), Path::new(&asked.source))],
        [
            ("--output", asked.output.as_ref()),
            ("--tablebase", asked.tablebase.as_ref()),
            ("--checkpoint", asked.checkpoint.as_ref()),
        ],
    )?;
    let format = asked.output.as_deref().map(Format::of).transpose()?;
    if let Some(folder) = &asked.tablebase {
        analyst.files.on_disk(folder)?;
        // Said before the work, not after it.
        grundy_tablebase::check_free(folder)?;
    }
    let limits = job.limits();
    let source = Source::of(asked, analyst)?;
    let mut checkpoints = Checkpoints::new(asked, source.identity(analyst), analyst, job)?;
    let game = source.graph(asked, &mut checkpoints, analyst, job)?;
    job.report(&Progress::Doing(message!("labelling")));
    let labelled =
        Labelled::new(&game, asked.play, &limits).map_err(|stop| checkpoints.refused(stop))?;
    job.report(&Progress::Doing(message!("writing")));
    let labelling = Labelling {
        game,
        labelled,
        play: asked.play,
        best_move: asked.best_move,
        done: asked.tablebase.is_some() || asked.output.is_some(),
    };
    let table = labelling.table();
    if let Some(folder) = &asked.tablebase {
        tablebase::write(&table, folder, &source, asked, analyst, &limits)?;
    }
    if let (Some(file), Some(format)) = (&asked.output, format) {
        output::to_file(&table, format, file, &analyst.files)?;
    }
    checkpoints.done();
    Ok(labelling)
}
