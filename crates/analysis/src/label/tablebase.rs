//! Labels as a tablebase.

use std::path::Path;

use crc32fast::Hasher;
use grundy::graph::Names;
use grundy::ruleset::Ends;
use grundy::{Diagnostic, Limits, Play};
use grundy_tablebase::{About, GameKind, Record, Rows, RuleText};

use super::rows::Table;
use super::source::Source;
use crate::analyst::Analyst;
use crate::question::LabelQuestion;

/// A table with all its names.
struct Keyed<'a> {
    table: &'a Table<'a>,
    names: &'a Names,
}

impl Rows for Keyed<'_> {
    fn len(&self) -> u32 {
        self.table.game.positions()
    }

    fn key(&self, number: u32) -> &str {
        self.names.get(number)
    }

    fn record(&self, vertex: u32) -> Record {
        let Table { game, labelled, .. } = *self.table;
        let label = labelled.label(vertex);
        let best = self.has_moves().then(|| labelled.best(game, vertex));
        Record {
            outcome: label.outcome,
            remoteness: label.remoteness,
            value: labelled.value(game, vertex),
            best: best.flatten().map(u64::from),
        }
    }

    fn has_values(&self) -> bool {
        self.table.labelled.has_values()
    }

    fn has_moves(&self) -> bool {
        self.table.best_move
    }
}

impl Keyed<'_> {
    fn kind(&self) -> GameKind {
        match (self.table.game.nature.ends, self.table.game.turns()) {
            (Ends::Payoff, _) => GameKind::Ties,
            (Ends::LastMove, 1) => GameKind::Impartial,
            (Ends::LastMove, _) => GameKind::Partizan,
        }
    }

    /// The CRC-32 of all vertices: the name of each, then a byte 0, how many options it has and their numbers, 4 bytes each.
    fn graph_sum(&self) -> u32 {
        let mut sum = Hasher::new();
        for vertex in 0..self.len() {
            let options = self.table.game.graph.options(vertex);
            sum.update(self.key(vertex).as_bytes());
            sum.update(&[0]);
            sum.update(&(options.len() as u32).to_le_bytes());
            options
                .iter()
                .for_each(|option| sum.update(&option.to_le_bytes()));
        }
        sum.finalize()
    }
}

/// Writes the folder as a whole, or leaves nothing.
pub(super) fn write(
    table: &Table<'_>,
    folder: &Path,
    source: &Source<'_>,
    asked: &LabelQuestion,
    analyst: &Analyst,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let names = &table.game.names(limits)?;
    let keyed = Keyed { table, names };
    let rules = analyst.rules().map(|rules| RuleText {
        file: rules.name().to_owned(),
        text: rules.source().to_owned(),
    });
    let (game, graph) = match source {
        // A folder of this machine says nothing to others.
        Source::File(file) => {
            let name = file.file_name().unwrap_or(file.as_os_str());
            (name.to_string_lossy().into_owned(), Some(keyed.graph_sum()))
        }
        Source::Position(_) => (source.text(), None),
    };
    let about = About {
        command: command(&game, rules.as_ref(), asked),
        game,
        // A graph is what its file says.
        rules: rules.filter(|_| graph.is_none()),
        graph,
        play: table.play,
        kind: keyed.kind(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
    };
    grundy_tablebase::write(folder, &about, &keyed, &|_| Vec::new(), limits)
}

/// The command line that makes the same tablebase.
fn command(game: &str, rules: Option<&RuleText>, asked: &LabelQuestion) -> String {
    let mut words = vec!["grundy".to_owned(), "label".to_owned(), quoted(game)];
    if let Some(rules) = rules {
        words.extend(["--rules".to_owned(), quoted(&rules.file)]);
    }
    if asked.play == Play::Misere {
        words.push("--misere".to_owned());
    }
    if asked.best_move {
        words.push("--best-move".to_owned());
    }
    words.push("--tablebase DIR".to_owned());
    words.join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if word.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}
