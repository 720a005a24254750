//! A graph from lists of its edges: each list is read by one worker, each name belongs to the
//! worker that its hash says.
//!
//! Names get numbers in the order in which one process would meet them that reads one list after
//! the other. Until all are read an edge is a pair of places: the owner of the name, and the number
//! of the name there.

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

/// Lists of edges.
pub trait EdgeLists: Sync {
    /// How many lists there are.
    fn lists(&self) -> usize;

    /// Visits the rows of a list: a move by the names of its ends, or a vertex alone.
    ///
    /// # Errors
    /// What is wrong with the list, or what `row` ended with.
    fn read(
        &self,
        list: usize,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic>;
}

/// Names that are asked for together at most, and edges that one worker may keep more of than
/// others.
const TOGETHER: usize = 1 << 16;

/// What came of reading.
pub(crate) struct Graph {
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    pub(crate) positions: u64,
    pub(crate) options: Option<Options>,
}

/// Rows that wait for the numbers of their names at their owners.
#[derive(Default)]
struct Batch {
    /// The owner of each name that was asked for.
    asked: Vec<u16>,
    /// Those that belong here, as others are sent.
    own: Vec<u8>,
    /// For each edge its names among these.
    edges: Vec<(u32, u32)>,
    /// The last `from`, which often comes again.
    last: Option<(String, u32)>,
}

struct Reading<'r, 'a, 'c> {
    rounds: &'r mut Rounds<'a>,
    checkpoints: &'r mut Checkpoints<'c>,
    read: PartialLists,
    batch: Batch,
    list: u32,
    /// Rows of the list that are in a checkpoint.
    skip: u64,
    /// Names and edges of the list so far.
    names: u64,
    edges: u64,
    rows: u64,
    /// Which of the workers keeps the next run.
    keeper: usize,
}

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

    /// Numbers names that belong here, which were met at some places. Many are looked up together,
    /// since each waits for memory.
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
        if self.skip > 0 {
            self.skip -= 1;
            self.names += 1 + u64::from(to.is_some());
            self.edges += u64::from(to.is_some());
            return Ok(());
        }
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

    /// Has the names of the batch numbered by their owners, and its edges kept; whether any worker
    /// has more.
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
        // Edges are kept where they were read, unless much more is kept there than elsewhere.
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
        let at = if questions.more { At::Round } else { At::End };
        if self.checkpoints.reading(self.rounds, &self.read, at)? {
            self.read.kept = self.read.firsts.len();
            self.read.lowered.clear();
        }
        Ok(questions.more)
    }
}

/// Reads all lists, or goes on after what a checkpoint holds of them; `keep` says whether the moves
/// of each vertex are kept in their order, too.
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
        // A batch is of one list.
        reading.exchange(true)?;
    }
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
    // Where the names of each list begin among those of all.
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

/// Sends the edges to the owners of their ends, by number.
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
    let key = |(worker, local): (usize, u32)| u64::from(local) * workers + worker as u64;
    let mut run = runs.iter();
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
    if let Some(options) = &mut graph.options {
        options.sort();
    }
    Ok(graph)
}
