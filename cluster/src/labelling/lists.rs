//! The edge lists of a graph, one for each input file. Each is read by one worker.

use std::path::Path;

use grundy_cluster::EdgeLists;
use grundy_core::Diagnostic;

use grundy_job::Job;
use grundy_job::Reader;
use grundy_job::graph_file::{self, GraphFormat, Part};

/// The input files of a graph, in order.
pub(super) struct Lists<'a> {
    parts: Vec<Part>,
    reader: &'a Reader,
    job: &'a Job,
}

impl<'a> Lists<'a> {
    pub(super) fn new(
        file: &Path,
        format: Option<GraphFormat>,
        reader: &'a Reader,
        job: &'a Job,
    ) -> Result<Self, Diagnostic> {
        Ok(Self {
            parts: graph_file::parts(file, format, reader.files())?,
            reader,
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
        self.parts[list].rows(self.reader.files(), self.job, row)
    }
}
