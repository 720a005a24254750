//! What all processes of a labelling must have in common.

use grundy::{Diagnostic, Message, message};

use super::{Source, Work};
use crate::graph_file;

impl Work<'_> {
    /// Names and values: the names are told where values differ.
    pub(super) fn identity(&self, hosts: &[String]) -> Result<Vec<(Message, String)>, Diagnostic> {
        let asked = self.asked;
        let rules = self.analyst.rules().map_or("", |rules| rules.source());
        let files = match self.source {
            Source::File(file) => graph_file::parts(file, asked.format, &self.analyst.files)?
                .iter()
                .map(|part| part.length(&self.analyst.files).to_string())
                .collect(),
            Source::Position(_) => Vec::new(),
        };
        let output = |file: &Option<std::path::PathBuf>| {
            file.as_ref()
                .map_or(String::new(), |file| file.display().to_string())
        };
        Ok(vec![
            (
                message!("version of the program"),
                env!("CARGO_PKG_VERSION").to_owned(),
            ),
            (message!("list of hosts"), hosts.join("\n")),
            (message!("number of workers"), self.crew.workers.to_string()),
            (message!("rule file"), rules.to_owned()),
            (message!("source"), self.source.text()),
            (message!("length of its files"), files.join(",")),
            (message!("kind of play"), asked.play.to_string()),
            (
                message!("set of options"),
                format!("{:?} {:?}", asked.ranked, asked.format),
            ),
            (
                message!("place for the table"),
                [output(&asked.output), output(&asked.tablebase)].join("\n"),
            ),
            (
                message!("place for checkpoints"),
                format!("{} {}", output(&asked.checkpoint), asked.resume),
            ),
        ])
    }
}
