//! `convert`: exports a tablebase to a folder of Parquet files, or imports it from such a folder.
//! The Parquet files are for programs that read many rows.

use grundy_core::Diagnostic;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::ConvertQuestion;
use crate::result_cache::ResultCache;

impl Question for ConvertQuestion {
    #[cfg(feature = "parquet")]
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let options = grundy_tables::parts::ConvertOptions {
            from: &self.from,
            to: &self.to,
            rows: self.rows,
            no_positions: self.no_positions,
        };
        grundy_tables::parts::convert(&options, analyst.reader(), job).map(Answer::new)
    }

    #[cfg(not(feature = "parquet"))]
    fn answer(&self, _: &Analyst, _: &mut ResultCache, _: &Job) -> Result<Answer, Diagnostic> {
        Err(grundy_job::graph_file::without_parquet())
    }
}
