//! `convert`: exports a tablebase to a folder of Parquet files, or imports it from such a folder.
//! The Parquet files are for programs that read many rows.

use grundy::Diagnostic;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::learned::Learned;
use crate::question::ConvertQuestion;

impl Question for ConvertQuestion {
    #[cfg(feature = "parquet")]
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        let asked = grundy_tables::parts::ConvertOptions {
            from: &self.from,
            to: &self.to,
            rows: self.rows,
            no_positions: self.no_positions,
        };
        grundy_tables::parts::convert(&asked, analyst.reader(), job).map(Answer::new)
    }

    #[cfg(not(feature = "parquet"))]
    fn answer(&self, _: &Analyst, _: &mut Learned, _: &Job) -> Result<Answer, Diagnostic> {
        Err(grundy_job::graph_file::without_parquet())
    }
}
