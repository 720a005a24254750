//! Labelling by several workers, in one process or over many machines.

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
    /// What is labelled, and how.
    pub asked: &'a LabelOptions,
    /// The workers.
    pub crew: &'a Crew,
    /// The graph or the position.
    pub source: &'a Source<'a>,
    /// The game by ranks, where it is labelled so.
    pub ranked: Option<Arc<dyn RankedGame>>,
    /// The format of the table in a file.
    pub format: Option<Format>,
    /// The reader of positions and files.
    pub reader: &'a Reader,
    /// The limits, the clock and the progress.
    pub job: &'a Job,
}

/// Labels games with several workers. This crate has no such workers: the program hands them over.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Labels a game, or says what that would take, where the crew has a plan.
    ///
    /// # Errors
    /// As [`label`](super::label), and processes that are lost.
    fn label(&self, work: &SharedWork<'_>) -> Result<Labelling, Diagnostic>;
}

/// Returns the error of a program that has no workers.
pub(super) fn without_workers() -> Diagnostic {
    let message =
        message!("this grundy was built without the cluster, which labels with several workers");
    Diagnostic::new(Kind::Io, message).help(message!(
        "build the program in the folder `cluster`, as docs/cluster.md shows"
    ))
}
