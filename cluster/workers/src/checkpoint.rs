//! Checkpoints of a labelling by several workers, at the ends of rounds.
//!
//! What all workers hold is written in parts that do not depend on how many workers there are, and
//! only when all parts are there the worker that writes puts a manifest beside them. So whatever is
//! killed whenever, there is the last checkpoint or the one before it, and any number of workers
//! goes on from it. Positions and moves are only added to while they are looked for: a checkpoint
//! writes those that are new.

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

/// After a checkpoint that could not be written the next is tried so much later.
const AGAIN: Duration = Duration::from_secs(10);

/// What of a worker's share is in the parts of the last checkpoint: that much need not be written
/// again.
#[derive(Clone, Copy, Debug, Default)]
struct Saved {
    names: usize,
    moves: usize,
    vertices: usize,
    ends: usize,
    /// All moves of a graph that is whole.
    graph: bool,
    /// All scores, none of which changes any more.
    scores: bool,
    /// What has been read of lists by this run; nothing of it before its first checkpoint.
    read: Option<ReadBefore>,
}

/// How much of what has been read of lists is in parts.
#[derive(Clone, Copy, Debug, Default)]
struct ReadBefore {
    names: usize,
    runs: usize,
    edges: usize,
}

/// The kinds of parts of lists that are being read.
const READ: [Rows; 5] = [Rows::Keys, Rows::Seen, Rows::Edges, Rows::Runs, Rows::Lists];

/// The graph whose labels are being found.
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
    /// The parts of the last manifest: known to the worker that writes it.
    parts: Vec<Part>,
    every: Duration,
    /// The number of the labelling, as the worker knows it that writes: that of its first run.
    labelling: u64,
    /// `true` if a manifest of this run, or the one that it goes on from, is there.
    written: bool,
    /// `true` if the last one could not be written, which was said.
    failed: bool,
}

/// Returns the value of a vertex in a part: 0 where there is none, 1 where it may get the present
/// one, and 2 more than the value.
pub(crate) fn written_value(value: Option<u32>, eligible: bool) -> i64 {
    value.map_or(i64::from(eligible), |value| i64::from(value) + 2)
}

impl<'a> Checkpoints<'a> {
    /// Looks whether checkpoints can be written, and whether all processes see them.
    pub(crate) fn new(rounds: &mut Rounds<'a>) -> Result<Self, Diagnostic> {
        let settings = rounds.checkpoint_options();
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

    /// How the labelling is kept, where it is: told to the worker that writes.
    pub(crate) fn kept(&self) -> Option<Resumable> {
        self.settings.map(|_| Resumable {
            every: self.every,
            labelling: self.labelling,
        })
    }

    /// Returns whether one is written at this place. Before the table there is one, due or not,
    /// unless it was said that none can be written: by no other is gone on with what is written of
    /// the table.
    fn is_time(&self, rounds: &Rounds<'_>, at: At) -> bool {
        let none = !self.written && !self.failed && self.settings.is_some();
        at == At::Table && none || rounds.is_due(at)
    }

    /// Has the worker that writes put something there, which all others have to see.
    fn try_out(
        &self,
        rounds: &mut Rounds<'_>,
        settings: &CheckpointOptions<'_>,
    ) -> Result<(), Diagnostic> {
        let store = &settings.store;
        if rounds.me() == 0 {
            store.put(&format!("parts/{:016x}-begun", self.run), Vec::new())?;
        }
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
        rounds.swap(false, [0; 4])?;
        if rounds.me() == 0 {
            store.remove(&name);
        }
        Ok(())
    }

    /// Writes what has been read of lists of edges so far, if it is time; whether it was written.
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
        // Keys are those of one run and its workers.
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

    /// Writes what has been found so far, if it is time: `known` are its names, where it has any.
    pub(crate) fn finding(
        &mut self,
        rounds: &mut Rounds<'_>,
        (phase, positions, layout): (Phase, u64, Layout),
        (known, moves): (Option<&Interner>, &Moves),
    ) -> Result<(), Diagnostic> {
        if !self.is_time(rounds, At::Round) {
            return Ok(());
        }
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

    /// Writes labels under way, if it is time.
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

    /// Writes values under way, if it is time. `eligible` holds those that may get the present
    /// value.
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

    /// Writes the table of a game by ranks, if it is time.
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
        let of = (sieve.phase(), sieve.cells() / turns);
        self.write(rounds, layout, of, &[Rows::Cells], |writer| {
            writer.cells(&sieve.table)
        })?;
        Ok(())
    }

    /// Writes labels or values, with the graph where it is not there as a whole yet.
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

    /// Writes the parts of all workers and then a manifest, in which they take the places of others
    /// of some kinds; whether that was done. Where it cannot be done the work goes on without,
    /// which is said.
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
            // A row takes two numbers, and as much again as it is packed.
            most: (memory / 512).clamp(1 << 12, 1 << 20) as usize,
            parts: Vec::new(),
            look: &|| rounds.look(),
        };
        let result = write(&mut writer);
        let (parts, count) = (writer.parts, writer.count);
        self.count = count + 1;
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
        // The others hear whether it was published.
        let failed = u64::from(why.is_some());
        let published = rounds.swap(false, [failed, 0, 0, 0])?.tallies[0] == 0;
        if let Some(why) = why {
            rounds.note(message!(
                "warning: {what}: the work goes on without a new checkpoint",
                what = why
            ));
        }
        if !published {
            // A manifest that is said not to be written may be there all the same: then what it
            // names stays.
            if arrived.tallies[0] > 0 {
                parts.iter().for_each(|part| store.remove(&part.name));
            }
            self.every = self.every.max(AGAIN);
        } else if !self.every.is_zero() {
            // Writing takes a tenth of the time at most.
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

    /// Writes the manifest, after all parts; why not, if that cannot be done.
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

    /// Removes what no manifest names: what is left of runs that were killed, or of something else
    /// that was labelled before.
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

    /// Removes the checkpoint: the work is done.
    pub(crate) fn done(&mut self, rounds: &Rounds<'_>) {
        if let (Some(settings), true, 0) = (self.settings, self.written, rounds.me()) {
            // The manifest first, so that at no time one names parts that are gone.
            settings.store.remove(manifest::NAME);
            self.parts.clear();
            self.clear(settings);
        }
    }
}
