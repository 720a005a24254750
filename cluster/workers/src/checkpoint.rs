//! Checkpoints of a labelling by several workers, written at the end of a round.
//!
//! The state of all workers is stored in parts, that is, Parquet files whose content does not
//! depend on the number of workers. Worker 0 writes the manifest after all parts are complete. So
//! even if a process is killed, either the new checkpoint or the previous one is valid. Any number
//! of workers can resume from it.
//!
//! While positions and moves are discovered, their lists only grow. So a checkpoint writes only the
//! positions and moves that earlier checkpoints do not contain.

mod manifest;
mod part;
mod restore;
mod writer;

use std::time::{Duration, Instant};

use grundy_base::{Diagnostic, Kind, Message, message};
use grundy_core::graph::Values;

use crate::checkpoint_options::{CheckpointOptions, Resumable};
use crate::interner::Interner;
use crate::labels::Labelling;
use crate::options::Options;
use crate::partial_lists::PartialLists;
use crate::phase::Phase;
use crate::rounds::{CheckpointPoint, Rounds};
use crate::share::{Layout, Moves, Share};
use crate::sieve::Sieve;
use manifest::Manifest;
use part::{Part, Rows};
use writer::Writer;

pub(crate) use restore::Restored;

/// Least time until the next attempt after a checkpoint that could not be written.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// Numbers of names, moves, vertices and terminal vertices that this worker has written in earlier
/// checkpoints. The next checkpoint continues after them.
#[derive(Clone, Copy, Debug, Default)]
struct Saved {
    names: usize,
    moves: usize,
    vertices: usize,
    ends: usize,
    /// `true` if all moves of the game graph are saved. They are saved together once the graph is
    /// completely known.
    graph: bool,
    /// `true` if all final scores are saved.
    scores: bool,
    /// The amounts of data from partially read edge lists that earlier checkpoints contain. `None`
    /// before the first checkpoint of this run.
    lists: Option<SavedLists>,
}

/// Numbers of names, runs and edges of partially read lists that earlier checkpoints have written.
/// A run consists of consecutive edges of one list.
#[derive(Clone, Copy, Debug, Default)]
struct SavedLists {
    names: usize,
    runs: usize,
    edges: usize,
}

/// The kinds of parts (files of a checkpoint) that store partially read edge lists.
const LIST_KINDS: [Rows; 5] = [Rows::Keys, Rows::Seen, Rows::Edges, Rows::Runs, Rows::Lists];

/// A game graph that is completely known, while its labels or values are computed.
#[derive(Clone, Copy)]
pub(crate) struct CompleteGraph<'g> {
    pub(crate) interner: Option<&'g Interner>,
    pub(crate) options: Option<&'g Options>,
    pub(crate) share: &'g Share,
    pub(crate) layout: Layout,
    pub(crate) positions: u64,
}

/// The checkpoints of one worker: options, and the data written so far.
pub(crate) struct Checkpoints<'a> {
    settings: Option<&'a CheckpointOptions<'a>>,
    run: u64,
    count: u64,
    saved: Saved,
    /// The parts that the last manifest lists. A part is a file with some of the data of a
    /// checkpoint. Only worker 0 stores this list.
    parts: Vec<Part>,
    every: Duration,
    /// The random number that identifies the labelling, drawn by its first run. It is correct at
    /// worker 0 only.
    labelling: u64,
    /// `true` if a manifest exists, written by this run or by the run that it resumes.
    has_manifest: bool,
    /// `true` if the last checkpoint could not be written. This has already been reported.
    failed: bool,
}

/// Encodes the value of a vertex for a checkpoint: v + 2 for a value v. A vertex without a value
/// has the code 1 if it is eligible, and the code 0 otherwise. A vertex is eligible if its options
/// have all values below the current one.
pub(crate) fn encode_value(value: Option<u32>, eligible: bool) -> i64 {
    value.map_or(i64::from(eligible), |value| i64::from(value) + 2)
}

impl<'a> Checkpoints<'a> {
    /// Checks that checkpoints can be written and that all processes share the location.
    pub(crate) fn new(rounds: &mut Rounds<'a>) -> Result<Self, Diagnostic> {
        let settings = rounds.checkpoint_options();
        // The run number makes the names of parts unique. So a killed run whose processes still
        // write cannot overwrite the parts of this run.
        let mut run = [0; 8];
        if settings.is_some() {
            getrandom::fill(&mut run).map_err(|_| {
                let message = message!("the operating system provides no random numbers");
                Diagnostic::new(Kind::Io, message)
            })?;
        }
        let run = u64::from_le_bytes(run);
        let new = Self {
            settings,
            run,
            labelling: run,
            count: 0,
            saved: Saved::default(),
            parts: Vec::new(),
            every: settings.map_or(Duration::MAX, |settings| settings.every),
            has_manifest: false,
            failed: false,
        };
        if let Some(settings) = settings {
            new.check_store(rounds, settings)?;
            rounds.set_clock(new.every);
        }
        Ok(new)
    }

    /// Returns the checkpoint interval and the random number that identifies the labelling, if
    /// checkpoints are enabled. The number is correct at worker 0 only.
    pub(crate) fn resumable(&self) -> Option<Resumable> {
        self.settings.map(|_| Resumable {
            every: self.every,
            labelling: self.labelling,
        })
    }

    /// Returns whether a checkpoint is to be written at this point.
    ///
    /// If no checkpoint exists yet, one is written before the table even if it is not due, unless
    /// the last attempt failed. A partial table can be resumed only together with a checkpoint of
    /// its labelling.
    fn should_write(&self, rounds: &Rounds<'_>, point: CheckpointPoint) -> bool {
        let none = !self.has_manifest && !self.failed && self.settings.is_some();
        point == CheckpointPoint::BeforeTable && none || rounds.is_due(point)
    }

    /// Writes a test object at worker 0 and checks that all other workers can read it.
    fn check_store(
        &self,
        rounds: &mut Rounds<'_>,
        settings: &CheckpointOptions<'_>,
    ) -> Result<(), Diagnostic> {
        let store = &settings.store;
        if rounds.index() == 0 {
            store.put(&format!("parts/{:016x}-begun", self.run), Vec::new())?;
        }
        // This round distributes the run number of worker 0. No worker reads the test object before
        // it is written, because worker 0 writes it before the round.
        let runs = rounds.swap(false, [self.run, 0, 0, 0])?;
        let name = format!("parts/{:016x}-begun", runs.each[0][0]);
        if store.get(&name, 0)?.is_none() {
            let message = message!(
                "this process cannot read the files that the other processes wrote to {store}",
                store = store.name()
            );
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "use a location for checkpoints that all processes share"
            )));
        }
        // After this round all workers have read the test object, so it can be removed.
        rounds.swap(false, [0; 4])?;
        if rounds.index() == 0 {
            store.remove(&name);
        }
        Ok(())
    }

    /// Writes a checkpoint of the partially read edge lists, if one is due. Returns whether it was
    /// written.
    pub(crate) fn write_lists(
        &mut self,
        rounds: &mut Rounds<'_>,
        read: &PartialLists,
        point: CheckpointPoint,
    ) -> Result<bool, Diagnostic> {
        if !self.should_write(rounds, point) {
            return Ok(false);
        }
        let layout = Layout {
            workers: rounds.workers() as u64,
            turns: 1,
            worker: rounds.index() as u64,
        };
        let saved = self.saved.lists;
        // A key identifies a name by its worker and local index, which are valid in one run only.
        // So the first checkpoint of a run replaces all parts of edge lists.
        let replaces = if saved.is_some() {
            &[Rows::Lists][..]
        } else {
            &LIST_KINDS
        };
        let saved = saved.unwrap_or_default();
        let own = (rounds.index()..read.lists.len()).step_by(rounds.workers());
        let written = self.write(rounds, layout, (Phase::Reading, 0), replaces, |writer| {
            writer.keys(&read.interner, saved.names)?;
            writer.read(read, saved, own)
        })?;
        if written {
            self.saved.lists = Some(SavedLists {
                names: read.firsts.len(),
                runs: read.runs.len(),
                edges: read.sources.len(),
            });
        }
        Ok(written)
    }

    /// Writes a checkpoint of the positions and moves discovered so far, if one is due. `interner`
    /// holds the texts of the positions. It is `None` for a ranked game, whose positions have ranks
    /// and no texts.
    pub(crate) fn write_discovery(
        &mut self,
        rounds: &mut Rounds<'_>,
        (phase, positions, layout): (Phase, u64, Layout),
        (interner, moves): (Option<&Interner>, &Moves),
    ) -> Result<(), Diagnostic> {
        if !self.should_write(rounds, CheckpointPoint::Round) {
            return Ok(());
        }
        // `saved` is updated only after the manifest is written. So after a failed checkpoint the
        // next one writes the same data again.
        let saved = self.saved;
        let next = Saved {
            names: interner.map_or(0, |interner| interner.texts.len()),
            moves: moves.len(),
            vertices: moves.degrees().len(),
            ends: moves.ends().len(),
            ..saved
        };
        let written = self.write(rounds, layout, (phase, positions), &[], |writer| {
            if let Some(interner) = interner {
                writer.names(interner, saved.names, None)?;
            }
            writer.moves(moves.since(saved.moves, layout))?;
            let degrees = moves.degrees()[saved.vertices..].iter();
            let degrees = degrees.map(|&degree| degree.into());
            writer.vertices(Rows::Degrees, saved.vertices, degrees)?;
            writer.ends(&moves.ends()[saved.ends..])
        })?;
        if written {
            self.saved = next;
        }
        Ok(())
    }

    /// Writes a checkpoint of the labels computed so far, if one is due.
    pub(crate) fn write_labels(
        &mut self,
        rounds: &mut Rounds<'_>,
        graph: CompleteGraph<'_>,
        (labelling, point): (&Labelling, CheckpointPoint),
    ) -> Result<(), Diagnostic> {
        if !self.should_write(rounds, point) {
            return Ok(());
        }
        let phase = Phase::Labelling {
            stage: labelling.stage,
            done: labelling.done,
        };
        self.write_with_graph(rounds, graph, phase, |writer| {
            let scores = labelling.scores.iter().map(|&score| score.into());
            writer.vertices(Rows::Scores, 0, scores)
        })?;
        Ok(())
    }

    /// Writes a checkpoint of the values computed so far, if one is due. `eligible` lists the
    /// vertices without a value whose options have all values below the current one.
    pub(crate) fn write_values(
        &mut self,
        rounds: &mut Rounds<'_>,
        graph: CompleteGraph<'_>,
        (scores, values): (&[u32], &Values),
        (phase, point): (Phase, CheckpointPoint),
        eligible: &[u32],
    ) -> Result<(), Diagnostic> {
        if !self.should_write(rounds, point) {
            return Ok(());
        }
        // The scores do not change while values are computed, so they are written only once.
        let saved = self.saved.scores;
        let mut is_eligible = vec![false; values.len()];
        for &vertex in eligible {
            is_eligible[vertex as usize] = true;
        }
        let written = self.write_with_graph(rounds, graph, phase, |writer| {
            if !saved {
                let scores = scores.iter().map(|&score| score.into());
                writer.vertices(Rows::Scores, 0, scores)?;
            }
            let all = (0..).zip(&is_eligible);
            let all =
                all.map(|(vertex, &is_eligible)| encode_value(values.get(vertex), is_eligible));
            writer.vertices(Rows::Values, 0, all)
        })?;
        self.saved.scores |= written;
        Ok(())
    }

    /// Writes a checkpoint of the cells of a table that is computed by a sieve, if one is due.
    pub(crate) fn write_cells(
        &mut self,
        rounds: &mut Rounds<'_>,
        (sieve, turns): (&Sieve<'_>, u64),
        point: CheckpointPoint,
    ) -> Result<(), Diagnostic> {
        if !self.should_write(rounds, point) {
            return Ok(());
        }
        let layout = Layout {
            workers: rounds.workers() as u64,
            turns,
            worker: rounds.index() as u64,
        };
        // All cells are written again: lost cells mark predecessors anywhere in the table, so any
        // stretch may have changed.
        let of = (sieve.phase(), sieve.cells() / turns);
        self.write(rounds, layout, of, &[Rows::Cells], |writer| {
            writer.cells(&sieve.table)
        })?;
        Ok(())
    }

    /// Writes a checkpoint of labels or values. `write` writes the labels or values of this worker.
    /// The graph is written before them, unless an earlier checkpoint contains it.
    fn write_with_graph(
        &mut self,
        rounds: &mut Rounds<'_>,
        graph: CompleteGraph<'_>,
        phase: Phase,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), Diagnostic>,
    ) -> Result<bool, Diagnostic> {
        let CompleteGraph {
            interner,
            options,
            share,
            layout,
            positions,
        } = graph;
        let saved = self.saved;
        // A complete graph is written once, with its moves in sorted order. It replaces the parts
        // written during the exploration, whose moves are in another order.
        let mut replaces = vec![Rows::Values];
        if !saved.scores {
            replaces.push(Rows::Scores);
        }
        if !saved.graph {
            replaces.extend([Rows::Moves, Rows::Degrees, Rows::Ends]);
            replaces.extend(LIST_KINDS);
        }
        let written = self.write(rounds, layout, (phase, positions), &replaces, |writer| {
            if let Some(interner) = interner {
                writer.names(interner, saved.names, options)?;
            }
            if !saved.graph {
                writer.moves(share.moves(layout))?;
                let degrees = share.degrees.iter().map(|&degree| degree.into());
                writer.vertices(Rows::Degrees, 0, degrees)?;
                writer.ends(&share.ends)?;
            }
            write(writer)
        })?;
        if written {
            self.saved.names = interner.map_or(0, |interner| interner.texts.len());
            self.saved.graph = true;
        }
        Ok(written)
    }

    /// Writes a checkpoint together with all other workers. Each worker writes its parts (files
    /// with its data) by calling `write`, and then worker 0 writes the manifest. The new parts
    /// replace the previous parts of the kinds in `replaces`.
    ///
    /// Returns whether the checkpoint was written. A failure is reported as a warning, and the
    /// computation continues without a new checkpoint.
    fn write(
        &mut self,
        rounds: &mut Rounds<'_>,
        layout: Layout,
        (phase, positions): (Phase, u64),
        replaces: &[Rows],
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), Diagnostic>,
    ) -> Result<bool, Diagnostic> {
        let Some(settings) = self.settings else {
            return Ok(false);
        };
        let (store, begun) = (&settings.store, Instant::now());
        let memory = rounds.limits().memory;
        let mut writer = Writer {
            store,
            run: self.run,
            count: self.count,
            layout,
            // A row has two numbers, which are held twice while they are encoded. A part may use
            // only a small fraction of the memory.
            max_rows: (memory / 512).clamp(1 << 12, 1 << 20) as usize,
            parts: Vec::new(),
            poll: &|| rounds.poll(),
        };
        let result = write(&mut writer);
        let (parts, count) = (writer.parts, writer.count);
        self.count = count + 1;
        // An I/O error must not end the round early, because the other workers wait in the same
        // `swap`. If the flag in the tallies is set, the bytes sent are an error message.
        let failed = u64::from(result.is_err());
        *rounds.outbox(0) = match result {
            Ok(()) => serde_json::to_vec(&parts).unwrap_or_default(),
            Err(why) if why.kind == Kind::Io => why.message.as_bytes().to_vec(),
            Err(why) => return Err(why),
        };
        let arrived = rounds.swap(false, [failed, 0, 0, 0])?;
        let mut why = None;
        if rounds.index() == 0 {
            why = self.publish(
                settings,
                &arrived,
                (phase, positions, layout.turns),
                replaces,
            );
        }
        // In this round the other workers learn whether the manifest was written.
        let failed = u64::from(why.is_some());
        let published = rounds.swap(false, [failed, 0, 0, 0])?.tallies[0] == 0;
        if let Some(why) = why {
            rounds.note(message!(
                "warning: {what}: continuing without a new checkpoint",
                what = why
            ));
        }
        if !published {
            // A manifest may exist even though writing it returned an error. So the new parts are
            // removed only if a worker failed before the manifest was written.
            if arrived.tallies[0] > 0 {
                parts.iter().for_each(|part| store.remove(&part.name));
            }
            self.every = self.every.max(RETRY_DELAY);
        } else if !self.every.is_zero() {
            // The next interval is at least ten times as long as writing took. So at most a tenth
            // of the time is spent on checkpoints.
            self.every = self.every.max(10 * begun.elapsed());
        }
        rounds.set_clock(self.every);
        self.failed = !published;
        if published {
            self.has_manifest = true;
            rounds.count_checkpoint();
        }
        Ok(published)
    }

    /// Writes the manifest, after all parts were written. Returns the reason if that fails.
    fn publish(
        &mut self,
        settings: &CheckpointOptions<'_>,
        arrived: &crate::rounds::Arrived,
        (phase, positions, turns): (Phase, u64, u64),
        replaces: &[Rows],
    ) -> Option<Message> {
        let mut manifest = Manifest::new(
            settings.of.clone(),
            self.labelling,
            phase,
            (positions, turns),
        );
        let (replaced, mut parts) = self
            .parts
            .iter()
            .cloned()
            .partition::<Vec<_>, _>(|part| replaces.contains(&part.kind));
        for (worker, reader) in arrived.readers() {
            if arrived.each[worker][0] > 0 {
                let why = String::from_utf8_lossy(reader.0);
                return Some(message!("{text}", text = why));
            }
            match serde_json::from_slice::<Vec<Part>>(reader.0) {
                Ok(mut new) => parts.append(&mut new),
                Err(error) => return Some(message!("{error}", error)),
            }
        }
        manifest.parts = parts;
        if let Err(why) = settings.store.put(manifest::NAME, manifest.write()) {
            return Some(why.message);
        }
        // The new manifest is written. From here on no reader needs the replaced parts.
        self.parts = manifest.parts;
        if self.has_manifest {
            let replaced = replaced.iter();
            replaced.for_each(|part| settings.store.remove(&part.name));
        } else {
            self.has_manifest = true;
            self.remove_unlisted(settings);
        }
        None
    }

    /// Removes all objects that the manifest does not name, such as those of killed runs and of
    /// other labellings.
    fn remove_unlisted(&self, settings: &CheckpointOptions<'_>) {
        let names = self.parts.iter().map(|part| &part.name);
        let wanted: std::collections::HashSet<&String> = names.collect();
        let found = settings.store.list("parts").unwrap_or_default();
        for name in found.iter().filter(|name| !wanted.contains(name)) {
            settings.store.remove(name);
        }
        for folder in ["", "parts"] {
            settings.store.sweep(folder);
        }
    }

    /// Removes the checkpoint after the computation has finished.
    pub(crate) fn remove(&mut self, rounds: &Rounds<'_>) {
        if let (Some(settings), true, 0) = (self.settings, self.has_manifest, rounds.index()) {
            // The manifest is removed first, so that it never names parts that do not exist.
            settings.store.remove(manifest::NAME);
            self.parts.clear();
            self.remove_unlisted(settings);
        }
    }
}
