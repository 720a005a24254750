//! Labels as a tablebase.

use std::path::Path;

use crc32fast::Hasher;
use grundy::graph::Names;
use grundy::ruleset::{Ends, Nature};
use grundy::{Diagnostic, Limits, Play};
use grundy_tablebase::{About, GameKind, RankedTable, Record, Rows, RuleText, write, write_ranked};

use super::card;
use super::ranked::RankedLabels;
use super::rows::{Rows as _, Table};
use super::source::Source;
use crate::analyst::Analyst;
use crate::question::LabelQuestion;

/// A table with all its names.
struct Keyed<'a> {
    table: &'a Table,
    names: &'a Names,
    /// Whether it is a graph that was given, with no rules beside.
    graph: bool,
}

impl Rows for Keyed<'_> {
    fn len(&self) -> u32 {
        self.table.game.positions()
    }

    fn key(&self, number: u32) -> &str {
        self.names.get(number)
    }

    fn record(&self, vertex: u32) -> Record {
        let Table { game, labelled, .. } = self.table;
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

    fn has_options(&self) -> bool {
        self.graph
    }

    fn options(&self, number: u32) -> &[u32] {
        self.table.game.graph.options(number)
    }
}

impl Keyed<'_> {
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

/// The kind of a game.
fn kind(nature: Nature) -> GameKind {
    match (nature.ends, nature.beginners().len()) {
        (Ends::Payoff, _) => GameKind::Ties,
        (Ends::LastMove, 1) => GameKind::Impartial,
        (Ends::LastMove, _) => GameKind::Partizan,
    }
}

/// A folder to be written as a whole or not at all, and what it is of.
pub(super) struct Written<'a> {
    pub(super) folder: &'a Path,
    pub(super) source: &'a Source<'a>,
    pub(super) asked: &'a LabelQuestion,
    pub(super) analyst: &'a Analyst,
    pub(super) limits: &'a Limits<'a>,
}

impl Written<'_> {
    /// Writes the labels of a graph: of one by ranks in this order, else sorted by names.
    pub(super) fn graph(&self, table: &Table) -> Result<(), Diagnostic> {
        let names = &table.game.names(self.limits)?;
        let keyed = Keyed {
            table,
            names,
            graph: matches!(self.source, Source::File(_)),
        };
        let graph = keyed.graph.then(|| keyed.graph_sum());
        let about = self.about(table.game.nature, graph);
        if self.asked.ranked.is_some() {
            let ranked = RankedTable {
                positions: table.positions(),
                has_values: keyed.has_values(),
                record: |vertex| keyed.record(vertex as u32),
                name: |rank| Ok(names.get(rank as u32).to_owned()),
            };
            return write_ranked(
                self.folder,
                &about,
                &ranked,
                &|manifest| Ok(card::files(manifest)),
                self.limits,
            );
        }
        write(
            self.folder,
            &about,
            &keyed,
            &|manifest| Ok(card::files(manifest)),
            self.limits,
        )
    }

    /// Writes the labels of a game by ranks.
    pub(super) fn ranked(&self, labels: &RankedLabels) -> Result<(), Diagnostic> {
        let about = self.about(labels.game().nature(), None);
        write_ranked(
            self.folder,
            &about,
            &labels.rows(),
            &|manifest| Ok(card::files(manifest)),
            self.limits,
        )
    }

    /// What the tablebase is of; `graph` is the checksum of one that was given.
    fn about(&self, nature: Nature, graph: Option<u32>) -> About {
        let rules = self.analyst.rules().map(|rules| RuleText {
            file: rules.name().to_owned(),
            text: rules.source().to_owned(),
        });
        let game = match self.source {
            // A folder of this machine says nothing to others.
            Source::File(file) => {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Source::Position(_) => self.source.text(),
        };
        About {
            command: command(&game, rules.as_ref(), self.asked),
            game,
            // A graph is what its file says.
            rules: rules.filter(|_| graph.is_none()),
            graph,
            play: self.asked.play,
            kind: kind(nature),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
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
    let flags = [
        ("--best-move", asked.best_move),
        ("--ranked", asked.ranked.is_some()),
        ("--values", asked.ranked.is_some_and(|ranked| ranked.values)),
    ];
    let given = flags.into_iter().filter(|&(_, given)| given);
    words.extend(given.map(|(flag, _)| flag.to_owned()));
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
