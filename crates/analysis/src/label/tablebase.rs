//! Labels as a tablebase.

use std::path::Path;

use crc32fast::Hasher;
#[cfg(feature = "cluster")]
use grundy::RankedGame;
use grundy::graph::Names;
use grundy::ruleset::{Ends, Nature};
use grundy::{Diagnostic, Limits, Play};
use grundy_tablebase::{
    About, Extras, GameKind, Pauses, RankedTable, Record, Rows, RuleText, write, write_ranked,
};
#[cfg(feature = "cluster")]
use grundy_tablebase::{Kept, RowWriter, write_rows};

use super::card;
#[cfg(feature = "cluster")]
use super::crew::Streamed;
use super::ranked::{self, ByCell};
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
    /// The checksum of all vertices.
    fn graph_sum(&self) -> u32 {
        let mut sum = GraphSum::default();
        for vertex in 0..self.len() {
            let options = self.table.game.graph.options(vertex);
            sum.update(self.key(vertex), options.iter().copied());
        }
        sum.get()
    }
}

/// The CRC-32 of vertices: the name of each, then a byte 0, how many options it has and their numbers, 4 bytes each.
#[derive(Clone, Default)]
pub(super) struct GraphSum(Hasher);

impl GraphSum {
    /// Goes on from the sum of the vertices before.
    #[cfg(feature = "cluster")]
    pub(super) fn after(sum: u32) -> Self {
        Self(Hasher::new_with_initial(sum))
    }

    pub(super) fn get(&self) -> u32 {
        self.0.clone().finalize()
    }

    pub(super) fn update(&mut self, name: &str, options: impl ExactSizeIterator<Item = u32>) {
        self.0.update(name.as_bytes());
        self.0.update(&[0]);
        self.0.update(&(options.len() as u32).to_le_bytes());
        options.for_each(|option| self.0.update(&option.to_le_bytes()));
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
    /// When it is put on the disk, where it is to be gone on with.
    pub(super) pauses: Option<&'a Pauses>,
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
        if self.asked.by_ranks().is_some() {
            let ranked = RankedTable {
                positions: table.positions(),
                has_values: keyed.has_values(),
                record: |vertex| Ok(keyed.record(vertex as u32)),
                name: |rank| Ok(names.get(rank as u32).to_owned()),
            };
            return self.by_ranks(&about, &ranked);
        }
        write(self.folder, &about, &keyed, FILES, self.limits)
    }

    /// Writes the labels of a game by ranks.
    pub(super) fn ranked(&self, labels: &impl ByCell) -> Result<(), Diagnostic> {
        let about = self.about(labels.game().nature(), None);
        self.by_ranks(&about, &ranked::table(labels))
    }

    fn by_ranks(
        &self,
        about: &About,
        table: &RankedTable<
            impl Fn(u64) -> Result<Record, Diagnostic>,
            impl Fn(u64) -> Result<String, Diagnostic>,
        >,
    ) -> Result<(), Diagnostic> {
        write_ranked(self.folder, about, table, FILES, self.limits, self.pauses)
    }

    /// Writes the labels that several workers have, sorted by names: those of a graph that was given come with its checksum, and their
    /// moves are known by row.
    #[cfg(feature = "cluster")]
    pub(super) fn streamed(
        &self,
        rows: &Streamed<'_, '_, '_>,
        graph: Option<u32>,
    ) -> Result<(), Diagnostic> {
        let whole = rows.writer.whole();
        let about = self.about(whole.nature, graph);
        let kept = Kept {
            names: true,
            values: whole.has_values,
            moves: false,
            options: graph.is_some(),
        };
        let fill = |writer: &mut RowWriter<'_>| {
            let last = writer.last_name().map(str::to_owned);
            let after = last.as_deref().map(|name| (writer.positions(), name));
            rows.writer.sorted(after, |row| {
                let value = &row.value;
                let records = row.labels.iter().map(|label| Record {
                    outcome: label.outcome,
                    remoteness: label.remoteness,
                    value: value.clone(),
                    best: None,
                });
                let name = || Ok(row.name.as_str().into());
                writer.push(name, records, row.options.iter().copied())
            })
        };
        write_rows(
            self.folder,
            &about,
            kept,
            fill,
            FILES,
            self.limits,
            self.pauses,
        )
    }

    /// The same by ranks.
    #[cfg(feature = "cluster")]
    pub(super) fn streamed_ranks(
        &self,
        rows: &Streamed<'_, '_, '_>,
        game: &dyn RankedGame,
    ) -> Result<(), Diagnostic> {
        let whole = rows.writer.whole();
        let about = self.about(whole.nature, None);
        let turns = game.turns();
        let record = |entry: u64| {
            let turn = (entry % turns) as usize;
            rows.with(entry / turns, |row| Record {
                outcome: row.labels[turn].outcome,
                remoteness: row.labels[turn].remoteness,
                value: row.value.clone(),
                best: None,
            })
        };
        let ranked = RankedTable {
            positions: whole.positions,
            has_values: whole.has_values,
            record,
            name: |rank| Ok(game.position(rank)?.to_string()),
        };
        self.by_ranks(&about, &ranked)
    }

    /// What the tablebase is of; `graph` is the checksum of one that was given.
    fn about(&self, nature: Nature, graph: Option<u32>) -> About {
        let rules = self.analyst.reader().rules().map(|rules| RuleText {
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
        ("--ranked", asked.by_ranks().is_some()),
        (
            "--values",
            asked.by_ranks().is_some_and(|ranked| ranked.values),
        ),
    ];
    let given = flags.into_iter().filter(|&(_, given)| given);
    words.extend(given.map(|(flag, _)| flag.to_owned()));
    words.push("--tablebase DIR".to_owned());
    words.join(" ")
}

/// The further files of a tablebase.
const FILES: Extras<'static> = &|manifest| Ok(card::files(manifest));

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
