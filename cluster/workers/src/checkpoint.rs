//! Checkpoints of a labelling by several workers, written at the end of a round.
//!
//! The state of all workers is stored in parts that do not depend on the number of workers. Worker
//! 0 writes the manifest after all parts are complete. So even if a process is killed, either the
//! new checkpoint or the previous one is valid. Any number of workers can resume from it.
//!
//! While positions and moves are discovered, their lists only grow. So a checkpoint writes only
//! those that are new.

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

/// Least time until the next attempt after a checkpoint that could not be written.
const AGAIN: Duration = Duration::from_secs(10);

/// Amounts of data that this worker has written in earlier checkpoints. Only data beyond them is
/// written by the next checkpoint.
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
    /// Amounts of data of partially read edge lists. It is `None` before the first checkpoint of
    /// this run.
    read: Option<ReadBefore>,
}

/// Amounts of data of partially read lists that earlier checkpoints have written.
#[derive(Clone, Copy, Debug, Default)]
struct ReadBefore {
    names: usize,
    runs: usize,
    edges: usize,
}

/// The kinds of parts that store partially read lists.
const READ: [Rows; 5] = [Rows::Keys, Rows::Seen, Rows::Edges, Rows::Runs, Rows::Lists];

/// A complete graph while its labels or values are computed.
#[derive(Clone, Copy)]
pub(crate) struct Whole<'g> {
    pub(crate) known: Option<&'g Interner>,
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
    /// The parts of the last manifest. Only worker 0 knows them.
    parts: Vec<Part>,
    every: Duration,
    /// The random number that identifies the labelling, drawn by its first run. Only worker 0 knows
    /// it.
    labelling: u64,
    /// `true` if a manifest exists, written by this run or by the run that it resumes.
    written: bool,
    /// `true` if the last checkpoint could not be written. This has already been reported.
    failed: bool,
}

/// Encodes the value of a vertex in a part: v + 2 for a value v. Without a value it is 1 if the
/// vertex is eligible for the current value, and 0 otherwise.
pub(crate) fn written_value(value: Option<u32>, eligible: bool) -> i64 {
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
            written: false,
            failed: false,
        };
        if let Some(settings) = settings {
            new.try_out(rounds, settings)?;
            rounds.set_clock(new.every);
        }
        Ok(new)
    }

    /// Returns the identity and the checkpoint interval of the labelling, if it can be resumed.
    /// Only the answer at worker 0 has a meaning.
    pub(crate) fn kept(&self) -> Option<Resumable> {
        self.settings.map(|_| Resumable {
            every: self.every,
            labelling: self.labelling,
        })
    }

    /// Returns whether a checkpoint is to be written at this point.
    ///
    /// Before the table is written there is always a checkpoint, unless an earlier one failed. A
    /// partial table can be resumed only together with a checkpoint of its labelling.
    fn is_time(&self, rounds: &Rounds<'_>, at: At) -> bool {
        let none = !self.written && !self.failed && self.settings.is_some();
        at == At::Table && none || rounds.is_due(at)
    }

    /// Writes a test object at worker 0 and checks that all other workers can read it.
    fn try_out(
        &self,
        rounds: &mut Rounds<'_>,
        settings: &CheckpointOptions<'_>,
    ) -> Result<(), Diagnostic> {
        let store = &settings.store;
        if rounds.me() == 0 {
            store.put(&format!("parts/{:016x}-begun", self.run), Vec::new())?;
        }
        // This round distributes the run number of worker 0. No worker reads the test object before
        // it is written, because worker 0 writes it before the round.
        let runs = rounds.swap(false, [self.run, 0, 0, 0])?;
        let name = format!("parts/{:016x}-begun", runs.each[0][0]);
        if store.get(&name, 0)?.is_none() {
            let message = message!(
                "this process cannot read what the others wrote to {store}",
                store = store.name()
            );
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "use a location for checkpoints that all processes share"
            )));
        }
        // After this round all workers have read the test object, so it can be removed.
        rounds.swap(false, [0; 4])?;
        if rounds.me() == 0 {
            store.remove(&name);
        }
        Ok(())
    }

    /// Writes a checkpoint of the partially read edge lists, if one is due. Returns whether it was
    /// written.
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
        // A key identifies a name by its worker and local index, which are valid in one run only.
        // So the first checkpoint of a run replaces all parts of edge lists.
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

    /// Writes a checkpoint of the positions and moves discovered so far, if one is due. `known`
    /// holds the texts of the positions, unless they are ranks.
    pub(crate) fn finding(
        &mut self,
        rounds: &mut Rounds<'_>,
        (phase, positions, layout): (Phase, u64, Layout),
        (known, moves): (Option<&Interner>, &Moves),
    ) -> Result<(), Diagnostic> {
        if !self.is_time(rounds, At::Round) {
            return Ok(());
        }
        // `saved` is updated only after the manifest is written. So after a failed checkpoint the
        // next one writes the same data again.
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

    /// Writes a checkpoint of the labels computed so far, if one is due.
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

    /// Writes a checkpoint of the values computed so far, if one is due. `eligible` lists the
    /// vertices that are eligible for the current value.
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
        // The scores do not change while values are computed, so they are written only once.
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

    /// Writes a checkpoint of the cells of a sieved table, if one is due.
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
        // All cells are written again: lost cells mark predecessors anywhere in the table, so any
        // stretch may have changed.
        let of = (sieve.phase(), sieve.cells() / turns);
        self.write(rounds, layout, of, &[Rows::Cells], |writer| {
            writer.cells(&sieve.table)
        })?;
        Ok(())
    }

    /// Writes a checkpoint of labels or values, by means of `write`. The graph is written unless it
    /// is saved already.
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
        // A complete graph is written once, with its moves in sorted order. It replaces the parts
        // written during the exploration, whose moves are in another order.
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

    /// Writes the parts of all workers by means of `write`, and then the manifest. The new parts
    /// replace the previous parts of the kinds in `replaces`.
    ///
    /// Returns whether the checkpoint was written. Consecutive failures are reported once, and the
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
            most: (memory / 512).clamp(1 << 12, 1 << 20) as usize,
            parts: Vec::new(),
            look: &|| rounds.look(),
        };
        let result = write(&mut writer);
        let (parts, count) = (writer.parts, writer.count);
        self.count = count + 1;
        // An I/O error must not end the round early, because the other workers wait in the same
        // `swap`. If the flag in the tallies is set, the bytes sent are an error message.
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
            self.every = self.every.max(AGAIN);
        } else if !self.every.is_zero() {
            // The next interval is at least ten times as long as writing took. So at most a tenth
            // of the time is spent on checkpoints.
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
        if self.written {
            let replaced = replaced.iter();
            replaced.for_each(|part| settings.store.remove(&part.name));
        } else {
            self.written = true;
            self.clear(settings);
        }
        None
    }

    /// Removes all objects that the manifest does not name, such as those of killed runs and of
    /// other labellings.
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
            // The manifest is removed first, so that it never names parts that do not exist.
            settings.store.remove(manifest::NAME);
            self.parts.clear();
            self.clear(settings);
        }
    }
}
