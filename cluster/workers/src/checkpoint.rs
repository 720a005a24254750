//! Checkpoints of a labelling by several workers, written at the end of a round.
//!
//! The state of all workers is stored in parts that do not depend on the number of workers. Worker
//! 0 writes the manifest after all parts are complete. So a process can be killed at any time, and
//! either the last checkpoint or the previous one is valid. Any number of workers can resume from
//! it.
//!
//! Positions and moves only grow while they are discovered, so a checkpoint writes only those that
//! are new.

mod manifest;
mod part;
mod restore;
mod writer;

use std::time::{Duration, Instant};

use grundy::graph::Values;
use grundy_base::{Diagnostic, Kind, Message, message};

use crate::checkpoint_options::{CheckpointOptions, Resumable};
use crate::interner::Interner;
use crate::labels::Labelling;
use crate::options::Options;
use crate::partial_lists::PartialLists;
use crate::phase::Phase;
use crate::rounds::{At, Rounds};
use crate::share::{Layout, Moves, Share};
use crate::sieve::Sieve;
use manifest::Manifest;
use part::{Part, Rows};
use writer::Writer;

pub(crate) use restore::Restored;

/// Least interval after a checkpoint that could not be written.
const AGAIN: Duration = Duration::from_secs(10);

/// Sizes of a worker's state in the last checkpoint. Data up to these sizes need not be written
/// again.
#[derive(Clone, Copy, Debug, Default)]
struct Saved {
    names: usize,
    moves: usize,
    vertices: usize,
    ends: usize,
    /// `true` if all moves of a complete graph are saved.
    graph: bool,
    /// `true` if all final scores are saved.
    scores: bool,
    /// Sizes of the edge lists read by this run. There are none before the first checkpoint of the
    /// run.
    read: Option<ReadBefore>,
}

/// Sizes of partially read lists in the last checkpoint.
#[derive(Clone, Copy, Debug, Default)]
struct ReadBefore {
    names: usize,
    runs: usize,
    edges: usize,
}

/// The kinds of parts that hold partially read lists.
const READ: [Rows; 5] = [Rows::Keys, Rows::Seen, Rows::Edges, Rows::Runs, Rows::Lists];

/// A complete graph whose labels are being computed.
#[derive(Clone, Copy)]
pub(crate) struct Whole<'g> {
    pub(crate) known: Option<&'g Interner>,
    pub(crate) options: Option<&'g Options>,
    pub(crate) share: &'g Share,
    pub(crate) layout: Layout,
    pub(crate) positions: u64,
}

/// The checkpoints of one worker.
pub(crate) struct Checkpoints<'a> {
    settings: Option<&'a CheckpointOptions<'a>>,
    run: u64,
    count: u64,
    saved: Saved,
    /// The parts of the last manifest. Only worker 0 knows them.
    parts: Vec<Part>,
    every: Duration,
    /// The random number of the labelling, which is that of its first run. Only worker 0 knows it.
    labelling: u64,
    /// `true` if there is a manifest, of this run or of the one that it resumes.
    written: bool,
    /// `true` if the last checkpoint failed, which has been reported.
    failed: bool,
}

/// Encodes the value of a vertex for a part: 0 for none, 1 for a vertex that is eligible for the
/// current value, and v + 2 for value v.
pub(crate) fn written_value(value: Option<u32>, eligible: bool) -> i64 {
    value.map_or(i64::from(eligible), |value| i64::from(value) + 2)
}

impl<'a> Checkpoints<'a> {
    /// Checks that checkpoints can be written and that all processes share the location.
    pub(crate) fn new(rounds: &mut Rounds<'a>) -> Result<Self, Diagnostic> {
        let settings = rounds.checkpoint_options();
        // The run number makes the names of parts unique. A killed run cannot overwrite parts of a
        // manifest, even if its processes still write.
        let mut run = [0; 8];
        if settings.is_some() {
            getrandom::fill(&mut run).map_err(|_| {
                let message = message!("the system gives no random numbers");
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
            written: false,
            failed: false,
        };
        if let Some(settings) = settings {
            new.try_out(rounds, settings)?;
            rounds.set_clock(new.every);
        }
        Ok(new)
    }

    /// Returns the identity and the interval of the labelling, if it is resumable. The result is
    /// meaningful at worker 0 only.
    pub(crate) fn kept(&self) -> Option<Resumable> {
        self.settings.map(|_| Resumable {
            every: self.every,
            labelling: self.labelling,
        })
    }

    /// Returns whether a checkpoint is due at this point.
    ///
    /// Before the table there is always one, unless writing failed. A partial table can only be
    /// resumed together with the checkpoint of its labelling.
    fn is_time(&self, rounds: &Rounds<'_>, at: At) -> bool {
        let none = !self.written && !self.failed && self.settings.is_some();
        at == At::Table && none || rounds.is_due(at)
    }

    /// Writes a probe object at worker 0 and checks that all other workers can see it.
    fn try_out(
        &self,
        rounds: &mut Rounds<'_>,
        settings: &CheckpointOptions<'_>,
    ) -> Result<(), Diagnostic> {
        let store = &settings.store;
        if rounds.me() == 0 {
            store.put(&format!("parts/{:016x}-begun", self.run), Vec::new())?;
        }
        // The round carries the run number of worker 0, and no worker reads before the probe is
        // written.
        let runs = rounds.swap(false, [self.run, 0, 0, 0])?;
        let name = format!("parts/{:016x}-begun", runs.each[0][0]);
        if store.get(&name, 0)?.is_none() {
            let message = message!(
                "this process does not see what the others write to {store}",
                store = store.name()
            );
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "checkpoints need a place that all processes share"
            )));
        }
        // Only after another round have all workers read the probe, and it can be removed.
        rounds.swap(false, [0; 4])?;
        if rounds.me() == 0 {
            store.remove(&name);
        }
        Ok(())
    }

    /// Writes partially read edge lists, if a checkpoint is due. Returns whether it was written.
    pub(crate) fn reading(
        &mut self,
        rounds: &mut Rounds<'_>,
        read: &PartialLists,
        at: At,
    ) -> Result<bool, Diagnostic> {
        if !self.is_time(rounds, at) {
            return Ok(false);
        }
        let layout = Layout {
            workers: rounds.workers() as u64,
            turns: 1,
            me: rounds.me() as u64,
        };
        let saved = self.saved.read;
        // Keys identify a name by worker and local index, so they are valid within one run only.
        // The first checkpoint of a run replaces all parts of lists.
        let replaces = if saved.is_some() {
            &[Rows::Lists][..]
        } else {
            &READ
        };
        let saved = saved.unwrap_or_default();
        let own = (rounds.me()..read.lists.len()).step_by(rounds.workers());
        let written = self.write(rounds, layout, (Phase::Reading, 0), replaces, |writer| {
            writer.keys(&read.known, saved.names)?;
            writer.read(read, saved, own)
        })?;
        if written {
            self.saved.read = Some(ReadBefore {
                names: read.firsts.len(),
                runs: read.runs.len(),
                edges: read.sources.len(),
            });
        }
        Ok(written)
    }

    /// Writes the positions and moves discovered so far, if a checkpoint is due. `known` holds the
    /// texts, unless positions are ranks.
    pub(crate) fn finding(
        &mut self,
        rounds: &mut Rounds<'_>,
        (phase, positions, layout): (Phase, u64, Layout),
        (known, moves): (Option<&Interner>, &Moves),
    ) -> Result<(), Diagnostic> {
        if !self.is_time(rounds, At::Round) {
            return Ok(());
        }
        // `saved` is updated only after the manifest is written. A failed checkpoint leaves its
        // data to be written by the next one.
        let saved = self.saved;
        let next = Saved {
            names: known.map_or(0, |known| known.texts.len()),
            moves: moves.len(),
            vertices: moves.degrees().len(),
            ends: moves.ends().len(),
            ..saved
        };
        let written = self.write(rounds, layout, (phase, positions), &[], |writer| {
            if let Some(known) = known {
                writer.names(known, saved.names, None)?;
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

    /// Writes the labels computed so far, if a checkpoint is due.
    pub(crate) fn labelling(
        &mut self,
        rounds: &mut Rounds<'_>,
        graph: Whole<'_>,
        (labelling, at): (&Labelling, At),
    ) -> Result<(), Diagnostic> {
        if !self.is_time(rounds, at) {
            return Ok(());
        }
        let phase = Phase::Labelling {
            stage: labelling.stage,
            done: labelling.done,
        };
        self.with_graph(rounds, graph, phase, |writer| {
            let scores = labelling.scores.iter().map(|&score| score.into());
            writer.vertices(Rows::Scores, 0, scores)
        })?;
        Ok(())
    }

    /// Writes the values computed so far, if a checkpoint is due. `eligible` holds the vertices
    /// that are eligible for the current value.
    pub(crate) fn valuing(
        &mut self,
        rounds: &mut Rounds<'_>,
        graph: Whole<'_>,
        (scores, values): (&[u32], &Values),
        (phase, at): (Phase, At),
        eligible: &[u32],
    ) -> Result<(), Diagnostic> {
        if !self.is_time(rounds, at) {
            return Ok(());
        }
        // Scores no longer change once values are computed, so they are written only once.
        let known = self.saved.scores;
        let mut may = vec![false; values.len()];
        for &vertex in eligible {
            may[vertex as usize] = true;
        }
        let written = self.with_graph(rounds, graph, phase, |writer| {
            if !known {
                let scores = scores.iter().map(|&score| score.into());
                writer.vertices(Rows::Scores, 0, scores)?;
            }
            let all = (0..).zip(&may);
            let all = all.map(|(vertex, &may)| written_value(values.get(vertex), may));
            writer.vertices(Rows::Values, 0, all)
        })?;
        self.saved.scores |= written;
        Ok(())
    }

    /// Writes the cells of a sieved table, if a checkpoint is due.
    pub(crate) fn sieving(
        &mut self,
        rounds: &mut Rounds<'_>,
        (sieve, turns): (&Sieve<'_>, u64),
        at: At,
    ) -> Result<(), Diagnostic> {
        if !self.is_time(rounds, at) {
            return Ok(());
        }
        let layout = Layout {
            workers: rounds.workers() as u64,
            turns,
            me: rounds.me() as u64,
        };
        // All cells are written again: a stretch may have changed anywhere, since lost cells mark
        // predecessors in the whole table.
        let of = (sieve.phase(), sieve.cells() / turns);
        self.write(rounds, layout, of, &[Rows::Cells], |writer| {
            writer.cells(&sieve.table)
        })?;
        Ok(())
    }

    /// Writes labels or values, and the graph unless it is saved already.
    fn with_graph(
        &mut self,
        rounds: &mut Rounds<'_>,
        graph: Whole<'_>,
        phase: Phase,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), Diagnostic>,
    ) -> Result<bool, Diagnostic> {
        let Whole {
            known,
            options,
            share,
            layout,
            positions,
        } = graph;
        let saved = self.saved;
        // A complete graph is written once, from its sorted form. It replaces the increments of the
        // exploration, whose moves are in another order.
        let mut replaces = vec![Rows::Values];
        if !saved.scores {
            replaces.push(Rows::Scores);
        }
        if !saved.graph {
            replaces.extend([Rows::Moves, Rows::Degrees, Rows::Ends]);
            replaces.extend(READ);
        }
        let written = self.write(rounds, layout, (phase, positions), &replaces, |writer| {
            if let Some(known) = known {
                writer.names(known, saved.names, options)?;
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
            self.saved.names = known.map_or(0, |known| known.texts.len());
            self.saved.graph = true;
        }
        Ok(written)
    }

    /// Writes the parts of all workers and then the manifest, in which they replace the parts of
    /// some kinds.
    ///
    /// Returns whether the checkpoint was written. A failure is reported once, and the computation
    /// continues without a new checkpoint.
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
            // A row takes two numbers, and the same again while it is encoded. A part may use a
            // small fraction of the memory only.
            most: (memory / 512).clamp(1 << 12, 1 << 20) as usize,
            parts: Vec::new(),
            look: &|| rounds.look(),
        };
        let result = write(&mut writer);
        let (parts, count) = (writer.parts, writer.count);
        self.count = count + 1;
        // An I/O error must not end the round early, because the other workers wait in the same
        // swap. The flag in the tallies says that the bytes are a message.
        let failed = u64::from(result.is_err());
        *rounds.to(0) = match result {
            Ok(()) => serde_json::to_vec(&parts).unwrap_or_default(),
            Err(why) if why.kind == Kind::Io => why.message.as_bytes().to_vec(),
            Err(why) => return Err(why),
        };
        let arrived = rounds.swap(false, [failed, 0, 0, 0])?;
        let mut why = None;
        if rounds.me() == 0 {
            why = self.publish(
                settings,
                &arrived,
                (phase, positions, layout.turns),
                replaces,
            );
        }
        // The other workers learn whether the manifest was published.
        let failed = u64::from(why.is_some());
        let published = rounds.swap(false, [failed, 0, 0, 0])?.tallies[0] == 0;
        if let Some(why) = why {
            rounds.note(message!(
                "warning: {what}: the work goes on without a new checkpoint",
                what = why
            ));
        }
        if !published {
            // A manifest whose writing failed may exist nevertheless. So parts are removed only if
            // a worker failed before the manifest was written.
            if arrived.tallies[0] > 0 {
                parts.iter().for_each(|part| store.remove(&part.name));
            }
            self.every = self.every.max(AGAIN);
        } else if !self.every.is_zero() {
            // The interval is at least ten times the duration, so writing takes at most a tenth of
            // the time.
            self.every = self.every.max(10 * begun.elapsed());
        }
        rounds.set_clock(self.every);
        self.failed = !published;
        if published {
            self.written = true;
            rounds.count_checkpoint();
        }
        Ok(published)
    }

    /// Writes the manifest after all parts. Returns the reason if that fails.
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
        // The new manifest is in place. From here on no reader needs the replaced parts.
        self.parts = manifest.parts;
        if self.written {
            let replaced = replaced.iter();
            replaced.for_each(|part| settings.store.remove(&part.name));
        } else {
            self.written = true;
            self.clear(settings);
        }
        None
    }

    /// Removes all objects that the manifest does not name: leftovers of killed runs and of other
    /// labellings.
    fn clear(&self, settings: &CheckpointOptions<'_>) {
        let names = self.parts.iter().map(|part| &part.name);
        let wanted: std::collections::HashSet<&String> = names.collect();
        let there = settings.store.list("parts").unwrap_or_default();
        for name in there.iter().filter(|name| !wanted.contains(name)) {
            settings.store.remove(name);
        }
        for folder in ["", "parts"] {
            settings.store.sweep(folder);
        }
    }

    /// Removes the checkpoint after the computation has finished.
    pub(crate) fn done(&mut self, rounds: &Rounds<'_>) {
        if let (Some(settings), true, 0) = (self.settings, self.written, rounds.me()) {
            // The manifest goes first, so that it never names removed parts.
            settings.store.remove(manifest::NAME);
            self.parts.clear();
            self.clear(settings);
        }
    }
}
