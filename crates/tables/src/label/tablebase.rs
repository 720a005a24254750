//! Labels as a tablebase.

use std::path::Path;

use crc32fast::Hasher;
use grundy::graph::Names;
use grundy::message::{Command, Setting};
use grundy::ruleset::{Ends, Nature};
use grundy::{Diagnostic, Limits, Play};
use grundy_tablebase::{
    About, Extras, GameKind, Pauses, RankedTable, Record, Rows, RuleText, write, write_ranked,
};

use super::LabelOptions;
use super::card;
use super::ranked::{self, ByCell};
use super::rows::{Rows as _, Table};
use super::source::Source;
use grundy_job::Reader;

/// A labelled graph with all names.
struct Keyed<'a> {
    table: &'a Table,
    names: &'a Names,
    /// `true` for a graph from a file, which has no rules.
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
    /// Returns the checksum of all vertices.
    fn graph_sum(&self) -> u32 {
        let mut sum = GraphSum::default();
        for vertex in 0..self.len() {
            let options = self.table.game.graph.options(vertex);
            sum.update(self.key(vertex), options.iter().copied());
        }
        sum.get()
    }
}

/// The CRC-32 of vertices in order. Each vertex contributes its name, a 0 byte, the number of its
/// options and their numbers (4 bytes each).
#[derive(Debug, Clone, Default)]
pub struct GraphSum(Hasher);

impl GraphSum {
    /// Continues from the checksum of the preceding vertices.
    #[must_use]
    pub fn after(sum: u32) -> Self {
        Self(Hasher::new_with_initial(sum))
    }

    /// Returns the checksum.
    #[must_use]
    pub fn get(&self) -> u32 {
        self.0.clone().finalize()
    }

    /// Adds the next vertex.
    pub fn update(&mut self, name: &str, options: impl ExactSizeIterator<Item = u32>) {
        // The 0 byte and the count delimit name and list, so that moving a byte between fields
        // changes the sum.
        self.0.update(name.as_bytes());
        self.0.update(&[0]);
        self.0.update(&(options.len() as u32).to_le_bytes());
        options.for_each(|option| self.0.update(&option.to_le_bytes()));
    }
}

/// Returns the kind of a game.
fn kind(nature: Nature) -> GameKind {
    match (nature.ends, nature.beginners().len()) {
        // A payoff at the end makes ties, whoever may move.
        (Ends::Payoff, _) => GameKind::Ties,
        (Ends::LastMove, 1) => GameKind::Impartial,
        (Ends::LastMove, _) => GameKind::Partizan,
    }
}

/// A tablebase folder to be written atomically, and its source.
#[derive(Debug)]
pub struct Written<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The graph or the start position.
    pub source: &'a Source<'a>,
    /// The options of the labelling.
    pub asked: &'a LabelOptions,
    /// The reader of positions.
    pub reader: &'a Reader,
    /// The limits.
    pub limits: &'a Limits<'a>,
    /// The checkpoint interval of the writer, if the run can be resumed.
    pub pauses: Option<&'a Pauses>,
}

impl Written<'_> {
    /// Writes the labels of a graph: in rank order if they were requested by rank, else sorted by
    /// name.
    pub(super) fn graph(&self, table: &Table) -> Result<(), Diagnostic> {
        let names = &table.game.names(self.limits)?;
        let keyed = Keyed {
            table,
            names,
            graph: matches!(self.source, Source::File(_)),
        };
        // A graph from a file has no rules that identify it, so its checksum does.
        let graph = keyed.graph.then(|| keyed.graph_sum());
        let about = self.about(table.game.nature, graph);
        if self.asked.by_ranks.is_some() {
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

    /// Writes the labels of a ranked game.
    ///
    /// # Errors
    /// A file that cannot be written, the errors of the rows, and limits.
    pub fn ranked(&self, labels: &impl ByCell) -> Result<(), Diagnostic> {
        let about = self.about(labels.game().nature(), None);
        self.by_ranks(&about, &ranked::table(labels))
    }

    /// Writes a table by rank.
    ///
    /// # Errors
    /// A file that cannot be written, the errors of the rows, and limits.
    pub fn by_ranks(
        &self,
        about: &About,
        table: &RankedTable<
            impl Fn(u64) -> Result<Record, Diagnostic>,
            impl Fn(u64) -> Result<String, Diagnostic>,
        >,
    ) -> Result<(), Diagnostic> {
        write_ranked(self.folder, about, table, FILES, self.limits, self.pauses)
    }

    /// Describes the content of the tablebase; `graph` is the checksum of a graph from a file.
    #[must_use]
    pub fn about(&self, nature: Nature, graph: Option<u32>) -> About {
        let rules = self.reader.rules().map(|rules| RuleText {
            file: rules.name().to_owned(),
            text: rules.source().to_owned(),
        });
        let game = match self.source {
            // Paths of this machine mean nothing to other readers of the tablebase, so only the
            // name is kept.
            Source::File(file) => {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Source::Position(_) => self.source.text(),
        };
        About {
            command: command(&game, rules.as_ref(), self.asked),
            game,
            // A graph is fully described by its file, so open rules do not belong to it.
            rules: rules.filter(|_| graph.is_none()),
            graph,
            play: self.asked.play,
            kind: kind(nature),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Returns the command line that reproduces the tablebase.
fn command(game: &str, rules: Option<&RuleText>, asked: &LabelOptions) -> String {
    let mut command = Command::new("label").argument("game", game);
    if let Some(rules) = rules {
        command = command.with(Setting::new("rules").set_to(rules.file.clone()));
    }
    if asked.play == Play::Misere {
        command = command.with(Setting::new("play").set_to("misere"));
    }
    // Only options that change the bytes belong to the command: no limits, threads or checkpoints.
    let ranked = asked.by_ranks;
    let flags = [
        (Setting::new("best_move"), asked.best_move),
        (Setting::new("ranked"), ranked.is_some()),
        (
            Setting::new("values"),
            ranked.is_some_and(|ranked| ranked.values),
        ),
    ];
    let given = flags.into_iter().filter(|(_, given)| *given);
    let command = given.fold(command, |command, (flag, _)| command.with(flag));
    let folder = Setting::typed("tablebase").taking("DIR");
    command.with(folder).as_typed()
}

/// The additional files of a tablebase.
pub const FILES: Extras<'static> = &|manifest| Ok(card::files(manifest));
