//! Writing of labels as a tablebase.

use std::path::Path;

use crc32fast::Hasher;
use grundy_core::graph::Names;
use grundy_core::message::{Command, Setting};
use grundy_core::ruleset::{Ends, Nature};
use grundy_core::{Diagnostic, Limits, Play};
use grundy_tablebase::{
    About, CheckpointSchedule, Extras, GameKind, RankedTable, Record, Rows, RuleText, write,
    write_ranked,
};

use super::LabelOptions;
use super::card;
use super::ranked::{self, CellLabels};
use super::rows::{Rows as _, Table};
use super::source::Source;
use grundy_job::Reader;

/// A labelled graph with the names of all its positions.
struct NamedGraph<'a> {
    table: &'a Table,
    names: &'a Names,
    /// `true` for a graph from a file, which has no rules.
    graph: bool,
}

impl Rows for NamedGraph<'_> {
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

impl NamedGraph<'_> {
    /// Returns the checksum of the names and options of all vertices.
    fn graph_sum(&self) -> u32 {
        let mut sum = GraphSum::default();
        for vertex in 0..self.len() {
            let options = self.table.game.graph.options(vertex);
            sum.update(self.key(vertex), options.iter().copied());
        }
        sum.get()
    }
}

/// A CRC-32 of the vertices of a graph in order. For each vertex it covers the name, a byte 0, the
/// number of options and the options (4 bytes each).
#[derive(Debug, Clone, Default)]
pub struct GraphSum(Hasher);

impl GraphSum {
    /// Creates a checksum that continues `sum`, the checksum of the earlier vertices.
    #[must_use]
    pub fn after(sum: u32) -> Self {
        Self(Hasher::new_with_initial(sum))
    }

    /// Returns the checksum of all vertices so far.
    #[must_use]
    pub fn get(&self) -> u32 {
        self.0.clone().finalize()
    }

    /// Adds the next vertex to the checksum.
    pub fn update(&mut self, name: &str, options: impl ExactSizeIterator<Item = u32>) {
        // The byte 0 and the number of options separate the fields, so that a byte moved from one
        // field to the next changes the checksum.
        self.0.update(name.as_bytes());
        self.0.update(&[0]);
        self.0.update(&(options.len() as u32).to_le_bytes());
        options.for_each(|option| self.0.update(&option.to_le_bytes()));
    }
}

/// Returns the kind of a game for the manifest.
fn kind(nature: Nature) -> GameKind {
    match (nature.ends, nature.beginners().len()) {
        // If the game ends with a payoff, ties are possible. This has precedence over the players'
        // moves.
        (Ends::Payoff, _) => GameKind::Ties,
        (Ends::LastMove, 1) => GameKind::Impartial,
        (Ends::LastMove, _) => GameKind::Partizan,
    }
}

/// A tablebase to be written atomically, with its source and options.
#[derive(Debug)]
pub struct TablebaseOutput<'a> {
    /// The folder to be written.
    pub folder: &'a Path,
    /// The graph or the start position.
    pub source: &'a Source<'a>,
    /// The options of the labelling.
    pub options: &'a LabelOptions,
    /// The reader of positions.
    pub reader: &'a Reader,
    /// The limits of the work.
    pub limits: &'a Limits<'a>,
    /// The schedule of checkpoints while the tablebase is written, if the run can be resumed.
    pub schedule: Option<&'a CheckpointSchedule>,
}

impl TablebaseOutput<'_> {
    /// Writes the labels of a graph as a tablebase. The rows are in rank order if labelling by rank
    /// was requested, and otherwise sorted by name.
    pub(super) fn graph(&self, table: &Table) -> Result<(), Diagnostic> {
        let names = &table.game.names(self.limits)?;
        let named = NamedGraph {
            table,
            names,
            graph: matches!(self.source, Source::File(_)),
        };
        // A graph from a file has no rules to identify it, so it is identified by a checksum.
        let graph = named.graph.then(|| named.graph_sum());
        let about = self.about(table.game.nature, graph);
        if self.options.by_ranks.is_some() {
            let ranked = RankedTable {
                positions: table.positions(),
                has_values: named.has_values(),
                record: |vertex| Ok(named.record(vertex as u32)),
                name: |rank| Ok(names.get(rank as u32).to_owned()),
            };
            return self.by_ranks(&about, &ranked);
        }
        write(self.folder, &about, &named, CARD_FILES, self.limits)
    }

    /// Writes the labels of a ranked game as a tablebase.
    ///
    /// # Errors
    /// A file that cannot be written, an error of the rows, or a limit that was reached.
    pub fn ranked(&self, labels: &impl CellLabels) -> Result<(), Diagnostic> {
        let about = self.about(labels.game().nature(), None);
        self.by_ranks(&about, &ranked::table(labels))
    }

    /// Writes a table in rank order as a tablebase.
    ///
    /// # Errors
    /// A file that cannot be written, an error of the rows, or a limit that was reached.
    pub fn by_ranks(
        &self,
        about: &About,
        table: &RankedTable<
            impl Fn(u64) -> Result<Record, Diagnostic>,
            impl Fn(u64) -> Result<String, Diagnostic>,
        >,
    ) -> Result<(), Diagnostic> {
        write_ranked(
            self.folder,
            about,
            table,
            CARD_FILES,
            self.limits,
            self.schedule,
        )
    }

    /// Returns the description of the tablebase. `graph` is the checksum of a graph from a file.
    #[must_use]
    pub fn about(&self, nature: Nature, graph: Option<u32>) -> About {
        let rules = self.reader.rules().map(|rules| RuleText {
            file: rules.name().to_owned(),
            text: rules.source().to_owned(),
        });
        let game = match self.source {
            // Only the name of the file is kept, since its path on this machine means nothing to
            // other users of the tablebase.
            Source::File(file) => {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Source::Position(_) => self.source.text(),
        };
        About {
            command: command(&game, rules.as_ref(), self.options),
            game,
            // A graph is described completely by its file, so an open rule file does not belong to
            // it.
            rules: rules.filter(|_| graph.is_none()),
            graph,
            play: self.options.play,
            kind: kind(nature),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Returns the command line that reproduces the tablebase.
fn command(game: &str, rules: Option<&RuleText>, options: &LabelOptions) -> String {
    let mut command = Command::new("label").argument("game", game);
    if let Some(rules) = rules {
        command = command.with(Setting::new("rules").set_to(rules.file.clone()));
    }
    if options.play == Play::Misere {
        command = command.with(Setting::new("play").set_to("misere"));
    }
    // The command contains only options that change the tablebase. Limits, threads and checkpoints
    // do not.
    let ranked = options.by_ranks;
    let flags = [
        (Setting::new("best_move"), options.best_move),
        (Setting::new("ranked"), ranked.is_some()),
        (
            Setting::new("values"),
            ranked.is_some_and(|ranked| ranked.values),
        ),
    ];
    let given = flags.into_iter().filter(|(_, given)| *given);
    let command = given.fold(command, |command, (flag, _)| command.with(flag));
    let folder = Setting::command_line("tablebase").with_placeholder("DIR");
    command.with(folder).command_line_form()
}

/// The callback that creates the additional files of a tablebase: the card, which is a README with
/// statistics, and its plot.
pub const CARD_FILES: Extras<'static> = &|manifest| Ok(card::files(manifest));
