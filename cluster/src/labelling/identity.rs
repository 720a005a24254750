//! The settings that all processes of a labelling must share.

use grundy_core::{Diagnostic, Message, message};
use serde_json::{Value, json};

use super::{Source, Work};
use grundy_job::graph_file;

impl Work<'_> {
    /// Returns the lengths of the input files of a graph, as text.
    fn lengths(&self) -> Result<String, Diagnostic> {
        let files = self.reader.files();
        let Source::File(file) = self.source else {
            return Ok(String::new());
        };
        let parts = graph_file::parts(file, self.options.format, files)?;
        let lengths = parts.iter().map(|part| part.length(files).to_string());
        Ok(lengths.collect::<Vec<_>>().join(","))
    }

    /// Returns the identity of the labelling: its source, rules, and options. A checkpoint is
    /// rejected if its identity differs from this one.
    pub(super) fn label_identity(&self) -> Result<Value, Diagnostic> {
        let options = self.options;
        let rules = self.reader.rules();
        // Only options that change the state of the computation are included. For example, the
        // moves of an input graph are part of the state only if a tablebase is written. The numbers
        // of workers and processes may differ between runs.
        let graph_options = (
            options.by_ranks,
            options.format,
            options.tablebase.is_some(),
        );
        Ok(match self.source {
            Source::Position(position) => json!({
                "position": position.to_string(),
                "rules": rules.map(|rules| crc32fast::hash(rules.source().as_bytes())),
                "ranked": [options.play.to_string(), format!("{:?}", options.by_ranks)],
            }),
            Source::File(file) => json!({
                "file": file.display().to_string(),
                "bytes": self.lengths()?,
                "ranked": [options.play.to_string(), format!("{graph_options:?}")],
            }),
        })
    }

    /// Returns the settings that all processes must share, as pairs of a name and a value. If a
    /// value differs, the error message shows its name.
    pub(super) fn identity(&self, hosts: &[String]) -> Result<Vec<(Message, String)>, Diagnostic> {
        let options = self.options;
        let rules = self.reader.rules().map_or("", |rules| rules.source());
        let output = |file: &Option<std::path::PathBuf>| {
            file.as_ref()
                .map_or(String::new(), |file| file.display().to_string())
        };
        Ok(vec![
            (
                message!("version of the program"),
                env!("CARGO_PKG_VERSION").to_owned(),
            ),
            // The addresses may differ between processes: with port forwarding, a process has
            // several addresses.
            (message!("number of processes"), hosts.len().to_string()),
            (
                message!("number of workers"),
                self.worker_options.workers.to_string(),
            ),
            (message!("rule file"), rules.to_owned()),
            (message!("source"), self.source.text()),
            (message!("length of the graph files"), self.lengths()?),
            (message!("kind of play"), options.play.to_string()),
            (
                message!("set of options"),
                format!("{:?} {:?}", options.by_ranks, options.format),
            ),
            (
                message!("location of the table"),
                [output(&options.output), output(&options.tablebase)].join("\n"),
            ),
            (
                message!("location of checkpoints"),
                format!("{} {}", output(&options.checkpoint), options.resume),
            ),
        ])
    }
}
