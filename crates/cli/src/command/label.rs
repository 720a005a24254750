//! `grundy label`: every position of a game graph, or of what can be reached from a position, labelled.

mod checkpoint;
mod input;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod source;
mod tablebase;

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use grundy::graph::Network;
use grundy::{Labelled, Limits, Refusal};

use crate::arguments::{Common, Label};
use crate::failure::Failure;
use crate::session::Session;
use checkpoint::Checkpoints;
use output::Table;
use source::Source;

pub(crate) fn run(
    arguments: &Label,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let format = output::Format::of(arguments.output.as_deref(), common.json)?;
    if let Some(folder) = &arguments.tablebase {
        // Said before the work, not after it.
        grundy_tablebase::check_free(folder)?;
    }
    let progress = input::Progress::new();
    let limits = session.limits();
    let source = Source::of(arguments, session)?;
    let mut checkpoints = Checkpoints::new(arguments, &source, session)?;
    let game = source.graph(arguments, &mut checkpoints, session, &progress)?;
    progress.say("labelling");
    let labelled =
        Labelled::new(&game, common.play(), &limits).map_err(|stop| checkpoints.refused(stop))?;
    progress.say("writing");
    let table = Table {
        game: &game,
        labelled: &labelled,
        play: common.play(),
        best_move: arguments.best_move,
    };
    if let Some(folder) = &arguments.tablebase {
        tablebase::write(&table, folder, &source.text(), &limits)?;
    }
    match &arguments.output {
        Some(file) => output::to_file(&table, format, file)?,
        None if arguments.tablebase.is_some() => {}
        None => output::write(&table, format, io::stdout().lock())?,
    }
    checkpoints.done();
    progress.end();
    Ok(ExitCode::SUCCESS)
}

/// The graph in a file, for `graph("moves.csv", "a")`.
pub(crate) fn open(file: &str) -> Result<Arc<Network>, Refusal> {
    let limits = Limits::default();
    let mut network = input::read(Path::new(file), None, &limits, &input::Progress::none())
        .map_err(|diagnostic| Refusal {
            help: diagnostic.help,
            ..Refusal::new(diagnostic.kind, diagnostic.message)
        })?;
    network.file = Some(file.to_owned());
    Ok(Arc::new(network))
}
