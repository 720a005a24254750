//! Builds a graph from edge lists. Each list is read by one worker, and each name belongs to the
//! worker given by its hash.
//!
//! Names get the numbers that a single process would give them when it reads one list after the
//! other. These numbers are known only after all lists are read. Until then, `Places` stores two
//! numbers for each end of an edge: the owner of its name, and the index at that owner.

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Stop, message};

use crate::checkpoint::Checkpoints;
use crate::context::{Report, Stage};
use crate::interner::{Interner, owner};
use crate::numbering::numbers;
use crate::options::Options;
use crate::partial_lists::{ListMark, PartialLists, Run, encode_place};
use crate::rounds::{CheckpointPoint, Rounds};
use crate::share::{Layout, Moves, Places};
use crate::wire::{Reader, damaged, put, put_text};

/// The edge lists of a graph.
pub trait EdgeLists: Sync {
    /// Returns the number of edge lists.
    fn lists(&self) -> usize;

    /// Calls `row` for each row of a list. A move has two names, those of its source and its
    /// target. A vertex without moves has one name.
    ///
    /// # Errors
    /// An invalid list, or an error returned by `row`.
    fn read(
        &self,
        list: usize,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic>;
}

/// Number of names at which a batch is full, so that its names are sent to their owners. The same
/// number is a tolerance when a worker decides whether it holds far more edges than the average.
const BATCH_NAMES: usize = 1 << 16;

/// The graph after all lists are read.
pub(crate) struct Graph {
    pub(crate) interner: Interner,
    pub(crate) moves: Moves,
    pub(crate) positions: u64,
    pub(crate) options: Option<Options>,
}

/// Rows whose names have not been resolved yet. The owner of a name resolves it to a local index.
#[derive(Default)]
struct Batch {
    /// Owner of each name in the batch.
    owners: Vec<u16>,
    /// Names that belong to this worker itself, encoded like the names that are sent to other
    /// workers.
    own_names: Vec<u8>,
    /// Edges, each as the indices in `owners` of its source and its target.
    edges: Vec<(u32, u32)>,
    /// The source of the last row, with its index in `owners`. Consecutive rows often have the same
    /// source.
    last: Option<(String, u32)>,
}

/// The state of one worker while it reads its edge lists.
struct ListReader<'r, 'a, 'c> {
    rounds: &'r mut Rounds<'a>,
    checkpoints: &'r mut Checkpoints<'c>,
    partial: PartialLists,
    batch: Batch,
    list: u32,
    /// Number of rows of the current list that are still to be skipped, because a checkpoint
    /// contains them.
    skip: u64,
    /// Number of names in the current list so far, including names in skipped rows. A name counts
    /// each time that it occurs.
    names: u64,
    edges: u64,
    rows: u64,
    /// The worker to which this worker sends its next run of consecutive edges, if it holds too
    /// many edges itself.
    next_holder: usize,
}

// A name is sent with its place: the number of the list, and the index among the names of the list,
// counted with repetitions. The owner keeps the least place of a name. Finally, names are numbered
// in the order of these places.
impl ListReader<'_, '_, '_> {
    fn name(&mut self, name: &str) -> u32 {
        let worker = owner(name, self.rounds.workers());
        let out = if worker == self.rounds.index() {
            &mut self.batch.own_names
        } else {
            self.rounds.outbox(worker)
        };
        put(out, self.list.into());
        put(out, self.names);
        put_text(out, name);
        self.batch.owners.push(worker as u16);
        self.batch.owners.len() as u32 - 1
    }

    /// Adds names that belong to this worker to its interner, each with a place where it occurs.
    ///
    /// Names are looked up in batches of 256, so that the cache misses of their lookups overlap.
    fn intern_names(
        &mut self,
        mut reader: Reader<'_>,
        mut take: impl FnMut(&mut Self, u32),
    ) -> Result<(), Diagnostic> {
        let (mut firsts, mut names, mut locals) = (Vec::new(), Vec::new(), Vec::new());
        while !reader.is_empty() {
            firsts.clear();
            names.clear();
            locals.clear();
            while !reader.is_empty() && names.len() < 256 {
                firsts.push((reader.number()? as u32, reader.number()?));
                names.push(reader.text()?);
            }
            self.partial.interner.texts.intern_all(&names, &mut locals);
            for (&local, &first) in locals.iter().zip(&firsts) {
                self.partial.record_place(local, first);
                take(self, local);
            }
        }
        Ok(())
    }

    fn row(&mut self, from: &str, to: Option<&str>) -> Result<(), Diagnostic> {
        self.partial.lists[self.list as usize].rows += 1;
        // The names and edges of skipped rows are counted nevertheless. So later rows get the same
        // places as in a run without interruption.
        if self.skip > 0 {
            self.skip -= 1;
            self.names += 1 + u64::from(to.is_some());
            self.edges += u64::from(to.is_some());
            return Ok(());
        }
        // If the source is the same as in the previous row, it is not sent again. Its place would
        // be later than the one already sent, so the least place does not change.
        let source = match &self.batch.last {
            Some((last, slot)) if last == from => *slot,
            _ => {
                let slot = self.name(from);
                self.batch.last = Some((from.to_owned(), slot));
                slot
            }
        };
        self.names += 1;
        if let Some(to) = to {
            let target = self.name(to);
            self.batch.edges.push((source, target));
            self.names += 1;
        }
        self.rows += 1;
        let full = self.batch.owners.len() >= BATCH_NAMES;
        if full || self.rows.is_multiple_of(64) && !self.rounds.has_room() {
            self.exchange(true)?;
        }
        Ok(())
    }

    /// Resolves the names of the batch to local indices and stores its edges. Returns whether any
    /// worker has more rows.
    ///
    /// There are three rounds. Names are sent to their owners, and local indices are sent back.
    /// Then edges are sent to another worker if this one holds too many.
    fn exchange(&mut self, more: bool) -> Result<bool, Diagnostic> {
        let workers = self.rounds.workers();
        let stored = self.partial.sources.len() as u64;
        let requests = self.rounds.swap(more, [self.rows, stored, 0, 0])?;
        for (from, reader) in requests.readers() {
            self.intern_names(reader, |list_reader, local| {
                put(list_reader.rounds.outbox(from), local.into());
            })?;
        }
        let answers = self.rounds.swap(false, [0; 4])?;
        let mut readers: Vec<_> = answers.readers().map(|(_, reader)| reader).collect();
        // The batch is taken as a whole. It includes `last`, whose index is valid only within this
        // batch.
        let Batch {
            owners,
            own_names,
            edges,
            ..
        } = std::mem::take(&mut self.batch);
        let (mut locals, mut here) = (Vec::with_capacity(owners.len()), Vec::new());
        self.intern_names(Reader(&own_names), |_, local| here.push(local))?;
        let mut here = here.into_iter();
        for &worker in &owners {
            locals.push(if worker as usize == self.rounds.index() {
                here.next().ok_or_else(damaged)?
            } else {
                readers[worker as usize].number()? as u32
            });
        }
        let place = |slot: u32| (owners[slot as usize] as usize, locals[slot as usize]);
        let first = (u64::from(self.list), self.edges);
        self.edges += edges.len() as u64;
        // Edges stay with the worker that read them, unless it holds more than twice the average.
        // One long list would otherwise fill the memory of its reader.
        if stored * workers as u64 <= 2 * requests.tallies[1] + BATCH_NAMES as u64 {
            if !edges.is_empty() {
                self.partial.runs.push(Run {
                    first,
                    edges: edges.len(),
                });
            }
            for (source, target) in edges {
                self.partial.push(place(source), place(target));
            }
        } else if !edges.is_empty() {
            // All edges of a run are sent to the same worker, because only the place of the first
            // edge of a run is stored.
            let out = self.rounds.outbox(self.next_holder);
            self.next_holder = (self.next_holder + 1) % workers;
            put(out, first.0);
            put(out, first.1);
            put(out, edges.len() as u64);
            for (source, target) in edges {
                for (worker, local) in [place(source), place(target)] {
                    put(out, worker as u64);
                    put(out, local.into());
                }
            }
        }
        let runs = self.rounds.swap(false, [0; 4])?;
        for (_, mut reader) in runs.readers() {
            while !reader.is_empty() {
                let run = Run {
                    first: (reader.number()?, reader.number()?),
                    edges: reader.number()? as usize,
                };
                for _ in 0..run.edges {
                    let mut place = || -> Result<_, Diagnostic> {
                        Ok((reader.number()? as usize, reader.number()? as u32))
                    };
                    self.partial.push(place()?, place()?);
                }
                self.partial.runs.push(run);
            }
        }
        self.rounds.check_memory(self.partial.bytes())?;
        self.rounds.report(&Report {
            stage: Stage::Finding,
            round: self.rounds.traffic().rounds,
            done: requests.tallies[0],
            of: 0,
            sent: self.rounds.sent(),
            ..Report::default()
        });
        // After the last exchange all lists are read, which is the end of the phase.
        let point = if requests.more {
            CheckpointPoint::Round
        } else {
            CheckpointPoint::PhaseEnd
        };
        if self
            .checkpoints
            .write_lists(self.rounds, &self.partial, point)?
        {
            self.partial.saved_names = self.partial.firsts.len();
            self.partial.lowered.clear();
        }
        Ok(requests.more)
    }
}

/// Reads all lists. If `restored` is given, skips the rows that this checkpoint already contains.
/// If `keep_moves` is set, the moves of each vertex are stored as well, in input order.
pub(crate) fn read(
    rounds: &mut Rounds<'_>,
    (lists, keep_moves): (&dyn EdgeLists, bool),
    checkpoints: &mut Checkpoints<'_>,
    restored: Option<PartialLists>,
) -> Result<Graph, Diagnostic> {
    let (me, workers) = (rounds.index(), rounds.workers());
    let mut list_reader = ListReader {
        next_holder: me,
        rounds,
        checkpoints,
        partial: restored.unwrap_or_default(),
        batch: Batch::default(),
        list: 0,
        skip: 0,
        names: 0,
        edges: 0,
        rows: 0,
    };
    let marks = &mut list_reader.partial.lists;
    marks.resize(lists.lists(), ListMark::default());
    // List i is read by worker i mod w. A checkpoint stores the number of rows read of each list,
    // so any number of workers can resume.
    for list in (me..lists.lists()).step_by(workers) {
        let mark = &mut list_reader.partial.lists[list];
        if mark.done {
            continue;
        }
        list_reader.skip = std::mem::take(&mut mark.rows);
        list_reader.list = list as u32;
        (list_reader.names, list_reader.edges, list_reader.batch.last) = (0, 0, None);
        lists.read(list, &mut |from, to| list_reader.row(from, to))?;
        if list_reader.skip > 0 {
            let message =
                message!("a file of the graph has fewer rows than when the checkpoint was written");
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "omit {option} to start over",
                option = Setting::command_line("resume")
            )));
        }
        let names = list_reader.names;
        let mark = &mut list_reader.partial.lists[list];
        (mark.names, mark.done) = (names, true);
        // The batch ends with the list, since all edges of a run must come from the same list.
        list_reader.exchange(true)?;
    }
    // A worker that has read its lists still takes part in the exchanges until all workers have
    // finished.
    while list_reader.exchange(false)? {}
    let ListReader {
        rounds, partial, ..
    } = list_reader;
    let PartialLists {
        mut interner,
        firsts,
        runs,
        sources,
        targets,
        lists: marks,
        ..
    } = partial;
    let own = |(list, mark): (usize, &ListMark)| {
        if list % workers == me { mark.names } else { 0 }
    };
    let lengths: Vec<u64> = marks.iter().enumerate().map(own).collect();
    // The index of a name among all lists is its index in its own list plus the number of names in
    // earlier lists. Only the reader of a list knows that number, so it is sent to all workers.
    for worker in 0..workers {
        lengths
            .iter()
            .for_each(|&length| put(rounds.outbox(worker), length));
    }
    let arrived = rounds.swap(false, [0; 4])?;
    let mut begins = vec![0; marks.len()];
    for (_, mut reader) in arrived.readers() {
        for begin in &mut begins {
            *begin += reader.number()?;
        }
    }
    // Replaces each number of names by the total of the earlier lists.
    let mut all = 0;
    for begin in &mut begins {
        all += std::mem::replace(begin, all);
    }
    let keys: Vec<_> = firsts
        .iter()
        .map(|&(list, name)| (begins[list as usize] + name, 0))
        .collect();
    let (found, positions) = numbers(rounds, &keys, (0, all), 0)?;
    interner.numbers = found;
    let limits = rounds.limits();
    if positions > limits.positions {
        return Err(Stop::Positions(limits.positions).into());
    }
    resolve(
        rounds,
        interner,
        positions,
        &runs,
        (&sources, &targets),
        keep_moves,
    )
}

/// Replaces the local indices of names by position numbers, and sends each edge to the owners of
/// its two ends.
fn resolve(
    rounds: &mut Rounds<'_>,
    interner: Interner,
    positions: u64,
    runs: &[Run],
    (sources, targets): (&Places, &Places),
    keep_moves: bool,
) -> Result<Graph, Diagnostic> {
    let (me, workers) = (rounds.index(), rounds.workers() as u64);
    let layout = Layout {
        workers,
        turns: 1,
        worker: me as u64,
    };
    let mut graph = Graph {
        interner,
        moves: Moves::default(),
        positions,
        options: keep_moves.then(Options::default),
    };
    // The owner is the remainder of the key, because `Rounds::ask` requires that `key % workers` is
    // the owner.
    let key = |(worker, local): (usize, u32)| u64::from(local) * workers + worker as u64;
    let mut run = runs.iter();
    // Edges are processed in pieces, which bounds the number of answers in memory. An edge needs
    // two answers.
    let (mut first, mut left, mut next) = ((0, 0), 0, 0);
    let piece = 1 << 16;
    loop {
        let end = sources.len().min(next + piece);
        let ends = (next..end).flat_map(|edge| [sources.get(edge), targets.get(edge)]);
        let (mut found, numbers) = (
            Vec::with_capacity(2 * (end - next)),
            &graph.interner.numbers,
        );
        rounds.query(
            ends.map(key),
            |key, out| put(out, numbers[(key / workers) as usize]),
            |reader| {
                found.push(reader.number()?);
                Ok(())
            },
        )?;
        let (pairs, _) = found.as_chunks::<2>();
        // An edge becomes up to three messages, which are distinguished by the two lowest bits. The
        // move is sent to the owner of its target. The count of moves is sent to the owner of its
        // source. With `keep_moves`, the target is also sent to the owner of the source's name.
        for (edge, &[source, target]) in (next..).zip(pairs) {
            while left == 0 {
                let Some(run) = run.next() else { break };
                (first, left) = (run.first, run.edges);
            }
            let (owner, local) = layout.place(target);
            if owner == me {
                graph.moves.push(local, layout.place(source));
            } else {
                let out = rounds.outbox(owner);
                put(out, u64::from(local) << 2);
                put(out, source);
            }
            let (owner, local) = layout.place(source);
            if owner == me {
                graph.moves.add_degree(local, 1);
            } else {
                put(rounds.outbox(owner), u64::from(local) << 2 | 1);
            }
            if keep_moves {
                let (owner, local) = sources.get(edge);
                let out = rounds.outbox(owner);
                put(out, u64::from(local) << 2 | 2);
                put(out, first.0);
                put(out, first.1);
                put(out, target);
            }
            first.1 += 1;
            left -= 1;
        }
        next = end;
        let arrived = rounds.swap(next < sources.len(), [0; 4])?;
        for (_, mut reader) in arrived.readers() {
            while !reader.is_empty() {
                let head = reader.number()?;
                let local = (head >> 2) as u32;
                match head & 3 {
                    0 => graph.moves.push(local, layout.place(reader.number()?)),
                    1 => graph.moves.add_degree(local, 1),
                    _ => {
                        let place = encode_place(reader.number()?, reader.number()?);
                        let options = graph.options.get_or_insert_default();
                        options.push(local, place, reader.number()?);
                    }
                }
            }
        }
        let options = graph.options.as_ref().map_or(0, Options::bytes);
        let named =
            graph.interner.texts.bytes() + 8 * graph.interner.numbers.len() + 12 * sources.len();
        rounds.check_memory(graph.moves.bytes() + options + named as u64)?;
        if !arrived.more {
            break;
        }
    }
    // Messages arrive in any order, so the moves of each vertex are sorted by their places in the
    // lists.
    if let Some(options) = &mut graph.options {
        options.sort();
    }
    Ok(graph)
}
