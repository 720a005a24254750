//! The interface for labelling with several workers, in one process or on many machines.

use std::fmt;
use std::sync::Arc;

use grundy::{Diagnostic, Kind, RankedGame, message};
use grundy_job::{Job, Reader};

use super::output::Format;
use super::source::Source;
use super::{Crew, LabelOptions, Labelling};

/// A labelling that several workers share.
#[derive(Debug)]
pub struct SharedWork<'a> {
    /// The options of the labelling.
    pub asked: &'a LabelOptions,
    /// The workers.
    pub crew: &'a Crew,
    /// The graph or the start position.
    pub source: &'a Source<'a>,
    /// The ranked game, if the labelling is by rank.
    pub ranked: Option<Arc<dyn RankedGame>>,
    /// The format of the table file.
    pub format: Option<Format>,
    /// The reader of positions and files.
    pub reader: &'a Reader,
    /// The limits, the clock and the progress.
    pub job: &'a Job,
}

/// Workers that label games. This crate has none: the program passes an implementation.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Labels a game, or estimates the cost if the crew asks for a plan.
    ///
    /// # Errors
    /// As [`label`](super::label), and lost processes.
    fn label(&self, work: &SharedWork<'_>) -> Result<Labelling, Diagnostic>;
}

/// Returns the error of a program that was built without workers.
pub(super) fn without_workers() -> Diagnostic {
    let message =
        message!("this grundy was built without the cluster, which labels with several workers");
    Diagnostic::new(Kind::Io, message).help(message!(
        "build the program in the folder `cluster`, as docs/cluster.md shows"
    ))
}
