//! The files of a graph, each read by one worker.

use std::path::Path;

use grundy::Diagnostic;
use grundy_cluster::EdgeLists;

use crate::analyst::Analyst;
use crate::graph_file::{self, Part};
use crate::job::Job;
use crate::question::GraphFormat;

/// The files, in order.
pub(super) struct Lists<'a> {
    parts: Vec<Part>,
    analyst: &'a Analyst,
    job: &'a Job,
}

impl<'a> Lists<'a> {
    pub(super) fn new(
        file: &Path,
        format: Option<GraphFormat>,
        analyst: &'a Analyst,
        job: &'a Job,
    ) -> Result<Self, Diagnostic> {
        Ok(Self {
            parts: graph_file::parts(file, format, analyst.files())?,
            analyst,
            job,
        })
    }
}

impl EdgeLists for Lists<'_> {
    fn lists(&self) -> usize {
        self.parts.len()
    }

    fn read(
        &self,
        list: usize,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.parts[list].rows(self.analyst.files(), self.job, row)
    }
}
