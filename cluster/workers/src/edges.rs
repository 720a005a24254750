//! Builds a graph from edge lists. Each list is read by one worker, and each name belongs to the
//! worker given by its hash.
//!
//! Names get the numbers that a single process would give them when it reads one list after the
//! other. These numbers are known only after all lists are read. Until then, an edge is a pair of
//! places. A place consists of the owner of a name and the local index of the name there.

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Stop, message};

use crate::checkpoint::Checkpoints;
use crate::interner::{Interner, owner};
use crate::numbering::numbers;
use crate::options::Options;
use crate::partial_lists::{ListMark, PartialLists, Run, place_of};
use crate::rounds::{At, Rounds};
use crate::share::{Layout, Moves, Places};
use crate::terms::{Report, Stage};
use crate::wire::{Reader, damaged, put, put_text};

/// The edge lists of a graph.
pub trait EdgeLists: Sync {
    /// Returns the number of lists.
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

/// Most names of one batch. A worker may also exceed its fair share of the edges by this number.
const TOGETHER: usize = 1 << 16;

/// The graph after all lists are read.
pub(crate) struct Graph {
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    pub(crate) positions: u64,
    pub(crate) options: Option<Options>,
}

/// Rows that have been read, while their names are not yet resolved to local indices by their
/// owners.
#[derive(Default)]
struct Batch {
    /// Owner of each name in the batch.
    asked: Vec<u16>,
    /// Names that belong to this worker itself, encoded like those sent to others.
    own: Vec<u8>,
    /// Edges whose ends are indices into `asked`.
    edges: Vec<(u32, u32)>,
    /// The source of the last row, with its index in `asked`. Consecutive rows often have the same
    /// source.
    last: Option<(String, u32)>,
}

struct Reading<'r, 'a, 'c> {
    rounds: &'r mut Rounds<'a>,
    checkpoints: &'r mut Checkpoints<'c>,
    read: PartialLists,
    batch: Batch,
    list: u32,
    /// Number of rows of the list still to be skipped, because a checkpoint contains them.
    skip: u64,
    /// Number of occurrences of names in the rows of the list read so far.
    names: u64,
    edges: u64,
    rows: u64,
    /// The worker that receives the next run of edges.
    keeper: usize,
}

// A name is sent with its place: the number of the list, and the index among the names of the list,
// counted with repetitions. The owner keeps the least place of a name. Finally, names are numbered
// in the order of these places.
impl Reading<'_, '_, '_> {
    fn name(&mut self, name: &str) -> u32 {
        let worker = owner(name, self.rounds.workers());
        let out = if worker == self.rounds.me() {
            &mut self.batch.own
        } else {
            self.rounds.to(worker)
        };
        put(out, self.list.into());
        put(out, self.names);
        put_text(out, name);
        self.batch.asked.push(worker as u16);
        self.batch.asked.len() as u32 - 1
    }

    /// Adds names that belong to this worker to its interner, each with a place where it occurs.
    ///
    /// Names are looked up in batches of 256, so that the cache misses of their lookups overlap.
    fn met(
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
            self.read.known.texts.numbers(&names, &mut locals);
            for (&local, &first) in locals.iter().zip(&firsts) {
                self.read.met(local, first);
                take(self, local);
            }
        }
        Ok(())
    }

    fn row(&mut self, from: &str, to: Option<&str>) -> Result<(), Diagnostic> {
        self.read.lists[self.list as usize].rows += 1;
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
        let full = self.batch.asked.len() >= TOGETHER;
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
        let kept = self.read.sources.len() as u64;
        let questions = self.rounds.swap(more, [self.rows, kept, 0, 0])?;
        for (from, reader) in questions.readers() {
            self.met(reader, |reading, local| {
                put(reading.rounds.to(from), local.into());
            })?;
        }
        let answers = self.rounds.swap(false, [0; 4])?;
        let mut readers: Vec<_> = answers.readers().map(|(_, reader)| reader).collect();
        // The batch is taken as a whole. It includes `last`, whose index is valid only within this
        // batch.
        let Batch {
            asked, own, edges, ..
        } = std::mem::take(&mut self.batch);
        let (mut locals, mut here) = (Vec::with_capacity(asked.len()), Vec::new());
        self.met(Reader(&own), |_, local| here.push(local))?;
        let mut here = here.into_iter();
        for &worker in &asked {
            locals.push(if worker as usize == self.rounds.me() {
                here.next().ok_or_else(damaged)?
            } else {
                readers[worker as usize].number()? as u32
            });
        }
        let place = |slot: u32| (asked[slot as usize] as usize, locals[slot as usize]);
        let first = (u64::from(self.list), self.edges);
        self.edges += edges.len() as u64;
        // Edges stay with the worker that read them, unless it holds more than twice the average.
        // One long list would otherwise fill the memory of its reader.
        if kept * workers as u64 <= 2 * questions.tallies[1] + TOGETHER as u64 {
            if !edges.is_empty() {
                self.read.runs.push(Run {
                    first,
                    edges: edges.len(),
                });
            }
            for (source, target) in edges {
                self.read.push(place(source), place(target));
            }
        } else if !edges.is_empty() {
            // All edges of a run are sent to the same worker, because only the place of the first
            // edge of a run is stored.
            let out = self.rounds.to(self.keeper);
            self.keeper = (self.keeper + 1) % workers;
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
                    self.read.push(place()?, place()?);
                }
                self.read.runs.push(run);
            }
        }
        self.rounds.hold(self.read.bytes())?;
        self.rounds.report(&Report {
            stage: Stage::Finding,
            round: self.rounds.traffic().rounds,
            done: questions.tallies[0],
            of: 0,
            sent: self.rounds.sent(),
            ..Report::default()
        });
        // After the last exchange all lists are read, which is the end of the phase.
        let at = if questions.more { At::Round } else { At::End };
        if self.checkpoints.reading(self.rounds, &self.read, at)? {
            self.read.kept = self.read.firsts.len();
            self.read.lowered.clear();
        }
        Ok(questions.more)
    }
}

/// Reads all lists. If `restored` is given, the rows in that checkpoint are skipped. If `keep` is
/// set, the moves of each vertex are also stored in input order.
pub(crate) fn read(
    rounds: &mut Rounds<'_>,
    (lists, keep): (&dyn EdgeLists, bool),
    checkpoints: &mut Checkpoints<'_>,
    restored: Option<PartialLists>,
) -> Result<Graph, Diagnostic> {
    let (me, workers) = (rounds.me(), rounds.workers());
    let mut reading = Reading {
        keeper: me,
        rounds,
        checkpoints,
        read: restored.unwrap_or_default(),
        batch: Batch::default(),
        list: 0,
        skip: 0,
        names: 0,
        edges: 0,
        rows: 0,
    };
    let marks = &mut reading.read.lists;
    marks.resize(lists.lists(), ListMark::default());
    // List i is read by worker i mod w. A checkpoint stores the number of rows read of each list,
    // so any number of workers can resume.
    for list in (me..lists.lists()).step_by(workers) {
        let mark = &mut reading.read.lists[list];
        if mark.done {
            continue;
        }
        reading.skip = std::mem::take(&mut mark.rows);
        reading.list = list as u32;
        (reading.names, reading.edges, reading.batch.last) = (0, 0, None);
        lists.read(list, &mut |from, to| reading.row(from, to))?;
        if reading.skip > 0 {
            let message = message!("a list of moves has fewer rows than the checkpoint expects");
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "omit {option} to start over",
                option = Setting::typed("resume")
            )));
        }
        let names = reading.names;
        let mark = &mut reading.read.lists[list];
        (mark.names, mark.done) = (names, true);
        // The batch ends with the list, since all edges of a run must come from the same list.
        reading.exchange(true)?;
    }
    // A worker that has read its lists still takes part in the exchanges until all workers have
    // finished.
    while reading.exchange(false)? {}
    let Reading { rounds, read, .. } = reading;
    let PartialLists {
        mut known,
        firsts,
        runs,
        sources,
        targets,
        lists: marks,
        ..
    } = read;
    let own = |(list, mark): (usize, &ListMark)| {
        if list % workers == me { mark.names } else { 0 }
    };
    let lengths: Vec<u64> = marks.iter().enumerate().map(own).collect();
    // The index of a name among all lists is its index in its own list plus the number of names in
    // earlier lists. Only the reader of a list knows that number, so it is sent to all workers.
    for worker in 0..workers {
        lengths
            .iter()
            .for_each(|&length| put(rounds.to(worker), length));
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
    known.numbers = found;
    let limits = rounds.limits();
    if positions > limits.positions {
        return Err(Stop::Positions(limits.positions).into());
    }
    resolve(rounds, known, positions, &runs, (&sources, &targets), keep)
}

/// Replaces local indices by position numbers, and sends each edge to the owners of its two ends.
fn resolve(
    rounds: &mut Rounds<'_>,
    known: Interner,
    positions: u64,
    runs: &[Run],
    (sources, targets): (&Places, &Places),
    keep: bool,
) -> Result<Graph, Diagnostic> {
    let (me, workers) = (rounds.me(), rounds.workers() as u64);
    let layout = Layout {
        workers,
        turns: 1,
        me: me as u64,
    };
    let mut graph = Graph {
        known,
        moves: Moves::default(),
        positions,
        options: keep.then(Options::default),
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
        let (mut found, numbers) = (Vec::with_capacity(2 * (end - next)), &graph.known.numbers);
        rounds.ask(
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
        // source. With `keep`, the target is also sent to the owner of the source's name.
        for (edge, &[source, target]) in (next..).zip(pairs) {
            while left == 0 {
                let Some(run) = run.next() else { break };
                (first, left) = (run.first, run.edges);
            }
            let (owner, local) = layout.place(target);
            if owner == me {
                graph.moves.push(local, layout.place(source));
            } else {
                let out = rounds.to(owner);
                put(out, u64::from(local) << 2);
                put(out, source);
            }
            let (owner, local) = layout.place(source);
            if owner == me {
                graph.moves.add_degree(local, 1);
            } else {
                put(rounds.to(owner), u64::from(local) << 2 | 1);
            }
            if keep {
                let (owner, local) = sources.get(edge);
                let out = rounds.to(owner);
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
                        let place = place_of(reader.number()?, reader.number()?);
                        let options = graph.options.get_or_insert_default();
                        options.push(local, place, reader.number()?);
                    }
                }
            }
        }
        let options = graph.options.as_ref().map_or(0, Options::bytes);
        let named = graph.known.texts.bytes() + 8 * graph.known.numbers.len() + 12 * sources.len();
        rounds.hold(graph.moves.bytes() + options + named as u64)?;
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
