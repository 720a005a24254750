//! A graph from edge lists. Each list is read by one worker, and each name belongs to the worker
//! given by its hash.
//!
//! Names are numbered in the order in which a single process would first read them, one list after
//! the other. Until all lists are read these numbers are unknown. An edge is then a pair of places:
//! the owner of each name, and its local index there.

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

/// Edge lists.
pub trait EdgeLists: Sync {
    /// Returns the number of lists.
    fn lists(&self) -> usize;

    /// Visits the rows of a list: a move as the names of its ends, or a vertex without a move.
    ///
    /// # Errors
    /// An invalid list, or an error of `row`.
    fn read(
        &self,
        list: usize,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic>;
}

/// Most names of one batch. It is also the number of edges by which a worker may exceed its fair
/// share.
const TOGETHER: usize = 1 << 16;

/// The graph after all lists are read.
pub(crate) struct Graph {
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    pub(crate) positions: u64,
    pub(crate) options: Option<Options>,
}

/// Rows whose names wait for the local indices at their owners.
#[derive(Default)]
struct Batch {
    /// Owner of each requested name.
    asked: Vec<u16>,
    /// Requests to this worker itself, encoded like the others.
    own: Vec<u8>,
    /// Edges, as pairs of indices into `asked`.
    edges: Vec<(u32, u32)>,
    /// The last source and its index. Consecutive rows often have the same source.
    last: Option<(String, u32)>,
}

struct Reading<'r, 'a, 'c> {
    rounds: &'r mut Rounds<'a>,
    checkpoints: &'r mut Checkpoints<'c>,
    read: PartialLists,
    batch: Batch,
    list: u32,
    /// Rows of the list that a checkpoint already contains.
    skip: u64,
    /// Names and edges of the list read so far.
    names: u64,
    edges: u64,
    rows: u64,
    /// The worker that receives the next run of edges.
    keeper: usize,
}

// A name is sent with its place: the list, and its index among the names of the list. The owner
// keeps the least place, by which the names are numbered at last.
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

    /// Interns names that belong here, each with a place of occurrence.
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
        // Skipped rows still count names and edges. So the places of later rows are the same as in
        // a run without interruption.
        if self.skip > 0 {
            self.skip -= 1;
            self.names += 1 + u64::from(to.is_some());
            self.edges += u64::from(to.is_some());
            return Ok(());
        }
        // A repeated source is not sent again. Its place would be later than the one already sent,
        // so the least place is unaffected.
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

    /// Resolves the names of the batch at their owners and stores its edges. Returns whether any
    /// worker has more rows.
    ///
    /// There are three rounds: names to their owners, local indices back, and edges to another
    /// worker if this one holds too many.
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
        // The batch is taken as a whole, with `last`: its indices are only valid within this batch.
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
            // A whole run goes to one worker, because a run is stored with the place of its first
            // edge only.
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
        // After the last exchange the whole input is read, so that is the end of the phase.
        let at = if questions.more { At::Round } else { At::End };
        if self.checkpoints.reading(self.rounds, &self.read, at)? {
            self.read.kept = self.read.firsts.len();
            self.read.lowered.clear();
        }
        Ok(questions.more)
    }
}

/// Reads all lists, or resumes after the rows in a checkpoint. If `keep` is set, the ordered moves
/// of each vertex are kept, too.
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
    // Lists are assigned in turn, and a checkpoint stores rows by list. Hence any number of workers
    // can resume.
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
            let message = message!("a list of moves has fewer rows than when it was read before");
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "leave {option} out to begin again",
                option = Setting::typed("resume")
            )));
        }
        let names = reading.names;
        let mark = &mut reading.read.lists[list];
        (mark.names, mark.done) = (names, true);
        // A batch contains edges of a single list, since a run stores one list number.
        reading.exchange(true)?;
    }
    // Workers with fewer lists take part in the exchanges until all have finished.
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
    // The global index of a name is its index in its list plus the names of all lists before. Only
    // the reader of a list knows its length, so the lengths are sent to all workers.
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
    // Prefix sums, excluding the list itself.
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

/// Replaces places by position numbers, and sends the edges to the owners of their ends.
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
    // Interleaves the owners, so that `key % workers` is the owner, as `Rounds::ask` requires.
    let key = |(worker, local): (usize, u32)| u64::from(local) * workers + worker as u64;
    let mut run = runs.iter();
    // A piece bounds the answers held at a time: two numbers for each edge.
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
        // An edge becomes up to three messages, which two low bits distinguish. The move goes to
        // the owner of its target, and a degree to the owner of its source. The ordered move goes
        // to the owner of the source's name.
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
    // Messages arrive in any order, so the moves are sorted by their places in the lists.
    if let Some(options) = &mut graph.options {
        options.sort();
    }
    Ok(graph)
}
