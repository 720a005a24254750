//! Writing of labels as a tablebase.

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

/// A labelled graph with the names of all its positions.
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
    /// Continues from the checksum of the earlier vertices.
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
pub struct Written<'a> {
    /// The folder to be written.
    pub folder: &'a Path,
    /// The graph or the start position.
    pub source: &'a Source<'a>,
    /// The options of the labelling.
    pub asked: &'a LabelOptions,
    /// The reader of positions.
    pub reader: &'a Reader,
    /// The limits of the work.
    pub limits: &'a Limits<'a>,
    /// The schedule of checkpoints while the tablebase is written, if the run can be resumed.
    pub pauses: Option<&'a Pauses>,
}

impl Written<'_> {
    /// Writes the labels of a graph as a tablebase. The rows are in rank order if labelling by rank
    /// was requested, and otherwise sorted by name.
    pub(super) fn graph(&self, table: &Table) -> Result<(), Diagnostic> {
        let names = &table.game.names(self.limits)?;
        let keyed = Keyed {
            table,
            names,
            graph: matches!(self.source, Source::File(_)),
        };
        // A graph from a file has no rules to identify it, so it is identified by a checksum.
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

    /// Writes the labels of a ranked game as a tablebase.
    ///
    /// # Errors
    /// A file that cannot be written, an error of the rows, or a limit that was reached.
    pub fn ranked(&self, labels: &impl ByCell) -> Result<(), Diagnostic> {
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
        write_ranked(self.folder, about, table, FILES, self.limits, self.pauses)
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
            command: command(&game, rules.as_ref(), self.asked),
            game,
            // A graph is described completely by its file, so an open rule file does not belong to
            // it.
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
    // The command contains only options that change the tablebase. Limits, threads and checkpoints
    // do not.
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

/// The callback that creates the additional files of a tablebase, which are the card and its plot.
pub const FILES: Extras<'static> = &|manifest| Ok(card::files(manifest));
