//! Writing labels as a table.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use grundy::graph::Network;
use grundy::solve::loopy::Loopy;
use grundy::{Kind, Play};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use super::Labelled;
use crate::failure::Failure;
use crate::whole_file;

/// What is written.
pub(super) struct Table<'a> {
    pub(super) network: &'a Network,
    pub(super) labelled: &'a Labelled,
    pub(super) play: Play,
    /// Whether there is a column with an optimal move.
    pub(super) best_move: bool,
}

/// One row.
pub(super) struct Row<'a> {
    pub(super) position: &'a str,
    pub(super) outcome: &'static str,
    pub(super) remoteness: Option<u32>,
    /// Nothing in misère play.
    pub(super) grundy: Option<Loopy>,
    /// The vertex that an optimal move leads to.
    pub(super) best: Option<&'a str>,
}

impl Table<'_> {
    /// Where an optimal move from a vertex leads; nothing where there is no move.
    pub(super) fn best(&self, vertex: u32) -> Option<u32> {
        let graph = &self.network.graph;
        let index = self.labelled.labels.best_move(graph, vertex)?;
        Some(graph.options(vertex)[index])
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let Network { graph, names, .. } = self.network;
        (0..graph.vertices() as u32).map(move |v| {
            let label = self.labelled.label(v);
            let best = self.best_move.then(|| self.best(v).map(|w| names.get(w)));
            Row {
                position: names.get(v),
                outcome: match label.outcome {
                    grundy::Outcome::N => "N",
                    grundy::Outcome::P => "P",
                    grundy::Outcome::D => "D",
                },
                remoteness: label.remoteness,
                grundy: self.labelled.value(self.network, v),
                best: best.flatten(),
            }
        })
    }
}

/// A format of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Json,
    Parquet,
}

impl Format {
    /// The format for a file, by its ending; for standard output, CSV or what was asked for.
    pub(super) fn of(file: Option<&Path>, json: bool) -> Result<Self, Diagnostic> {
        let Some(file) = file else {
            return Ok(if json { Self::Json } else { Self::Csv });
        };
        let ending = file.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("parquet") if cfg!(feature = "parquet") => Ok(Self::Parquet),
            Some("parquet") => Err(without_parquet()),
            _ => {
                let message = format!("{}: there is no format for this ending", file.display());
                Err(Diagnostic::new(Kind::Io, message)
                    .help("the endings are .csv, .json and .parquet"))
            }
        }
    }
}

/// Parquet was left out of this build.
pub(super) fn without_parquet() -> Diagnostic {
    Diagnostic::new(Kind::Io, "this grundy was built without Parquet")
        .help("build it with: cargo install grundy-cli --features parquet")
}

/// Writes the file as a whole, or leaves nothing.
pub(super) fn to_file(table: &Table<'_>, format: Format, file: &Path) -> Result<(), Failure> {
    whole_file::write(file, |out| match format {
        Format::Csv => csv(table, out),
        Format::Json => json(table, out),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::write(table, out),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(io::ErrorKind::Unsupported.into()),
    })
}

/// Writes CSV or JSON.
pub(super) fn write(table: &Table<'_>, format: Format, out: impl Write) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if format == Format::Json {
        json(table, &mut out)?;
    } else {
        csv(table, &mut out)?;
    }
    Ok(out.flush()?)
}

fn csv(table: &Table<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    let mut header = vec!["position", "outcome", "remoteness", "grundy"];
    header.extend(table.best_move.then_some("move"));
    out.write_record(&header)?;
    for row in table.rows() {
        let remoteness = row.remoteness.map(|r| r.to_string()).unwrap_or_default();
        let grundy = row.grundy.map(|value| value.to_string());
        let grundy = grundy.unwrap_or_default();
        let best = table.best_move.then(|| row.best.unwrap_or(""));
        let fields = [row.position, row.outcome, &remoteness, &grundy];
        out.write_record(fields.into_iter().chain(best))?;
    }
    out.flush()
}

fn json(table: &Table<'_>, out: &mut impl Write) -> io::Result<()> {
    let graph = &table.network.graph;
    let (vertices, edges) = (graph.vertices(), graph.edges());
    writeln!(
        out,
        r#"{{"play": "{}", "vertices": {vertices}, "edges": {edges}, "positions": ["#,
        table.play
    )?;
    for (index, row) in table.rows().enumerate() {
        let grundy = match row.grundy {
            Some(Loopy::Finite(value)) => json!(value),
            Some(Loopy::Infinite(set)) => json!({ "infinity": set }),
            None => Value::Null,
        };
        let mut object = json!({
            "position": row.position,
            "outcome": row.outcome,
            "remoteness": row.remoteness,
        });
        if !grundy.is_null() {
            object["grundy"] = grundy;
        }
        if table.best_move {
            object["move"] = json!(row.best);
        }
        let separator = if index + 1 == vertices { "" } else { "," };
        writeln!(out, "{object}{separator}")?;
    }
    writeln!(out, "]}}")
}
