//! The interface for labelling with several workers, which share the positions, in one process or
//! on many machines.

use std::fmt;
use std::sync::Arc;

use grundy_core::{Diagnostic, Kind, RankedGame, message};
use grundy_job::{Job, Reader};

use super::output::Format;
use super::source::Source;
use super::{LabelOptions, Labelling, WorkerOptions};

/// The input of a labelling by several workers.
#[derive(Debug)]
pub struct SharedWork<'a> {
    /// The options of the labelling.
    pub options: &'a LabelOptions,
    /// The options of the workers that share the labelling.
    pub worker_options: &'a WorkerOptions,
    /// The graph or the start position.
    pub source: &'a Source<'a>,
    /// The game whose rules number the positions, if the positions are labelled by rank.
    pub ranked: Option<Arc<dyn RankedGame>>,
    /// The format of the table file, if one is written.
    pub format: Option<Format>,
    /// The reader of positions and files.
    pub reader: &'a Reader,
    /// The limits, the clock and the progress callback.
    pub job: &'a Job,
}

/// The implementation of labelling by several workers. This crate only defines the interface, and
/// the program supplies the implementation.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Labels a game, or only estimates the cost if [`WorkerOptions::plan`] is set.
    ///
    /// # Errors
    /// An error of [`label`](super::label), or the loss of a process.
    fn label(&self, work: &SharedWork<'_>) -> Result<Labelling, Diagnostic>;
}

/// Returns the error for a program that was built without support for several workers.
pub(super) fn without_workers() -> Diagnostic {
    let message = message!("this program was built without support for several workers");
    Diagnostic::new(Kind::Io, message).help(message!(
        "build the program from the source in the folder `cluster`, as described in docs/cluster.md"
    ))
}
