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

use grundy::graph::{Labels, LoopyValues, Network, Values};
use grundy::solve::loopy::Loopy;
use grundy::{Limits, Play, Refusal, Stop};

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
    let network = source.network(arguments, &mut checkpoints, session, &progress)?;
    progress.say("labelling");
    let labelled = Labelled::new(&network, common.play(), &limits)?;
    progress.say("writing");
    let table = Table {
        network: &network,
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

/// Labels and values of all vertices.
pub(crate) struct Labelled {
    labels: Labels,
    values: Option<AnyValues>,
}

enum AnyValues {
    Finite(Values),
    Loopy(LoopyValues),
}

impl Labelled {
    pub(crate) fn new(network: &Network, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        let graph = &network.graph;
        if play == Play::Misere {
            // Values are of normal play.
            let labels = graph.label_within(play, limits)?;
            return Ok(Self {
                labels,
                values: None,
            });
        }
        if let Some(values) = graph.grundy_values_within(limits)? {
            return Ok(Self {
                labels: graph.label_within(play, limits)?,
                values: Some(AnyValues::Finite(values)),
            });
        }
        let transposed = graph.transpose(limits)?;
        let labels = graph.label_with(&transposed, play, limits)?;
        let values = graph.loopy_values_with(&transposed, &labels, limits)?;
        Ok(Self {
            labels,
            values: Some(AnyValues::Loopy(values)),
        })
    }

    /// Whether there are values: those of normal play.
    pub(crate) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// The label of a vertex.
    pub(crate) fn label(&self, vertex: u32) -> grundy::graph::Label {
        self.labels.get(vertex)
    }

    /// The value of a vertex; nothing in misère play.
    pub(crate) fn value(&self, network: &Network, vertex: u32) -> Option<Loopy> {
        let finite = |value: u32| Loopy::Finite(value.into());
        match self.values.as_ref()? {
            AnyValues::Finite(values) => values.get(vertex).map(finite),
            AnyValues::Loopy(values) => values.get(vertex).map(finite).or_else(|| {
                let set = values.infinity(&network.graph, vertex)?;
                Some(Loopy::Infinite(set.into_iter().map(u64::from).collect()))
            }),
        }
    }
}
