//! One worker writes the table. It pulls rows from all workers in the order of their numbers or
//! names, so the output is identical to that of a single process.

use std::cell::RefCell;
use std::collections::VecDeque;

use grundy::ruleset::Nature;
use grundy_base::{Cells, Diagnostic};

use crate::checkpoint_options::Resumable;
use crate::results::{Results, Row, TOGETHER, row};
use crate::rounds::Rounds;
use crate::terms::{Report, Stage};
use crate::wire::{Reader, damaged, put, put_text};

/// A request of the writer to all workers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    /// The end of the computation.
    End,
    /// The rows with numbers from this one on.
    From(u64),
    /// Sort the names. With `after`, a name follows, and only later names are wanted.
    Sort { after: bool },
    /// The next names.
    Names,
    /// The next rows by name.
    Rows,
    /// Nothing in this round, because the rows sent before are not used up.
    Wait,
    /// Resolve the targets of moves to rows.
    Resolve,
    /// The cells of a ranked game from this one on.
    Cells(u64),
}

impl Request {
    fn put(self, out: &mut Vec<u8>) {
        let (kind, number) = match self {
            Self::End => (0, 0),
            Self::From(number) => (1, number),
            Self::Sort { after } => (2, u64::from(after)),
            Self::Names => (3, 0),
            Self::Rows => (4, 0),
            Self::Wait => (5, 0),
            Self::Resolve => (6, 0),
            Self::Cells(number) => (7, number),
        };
        out.push(kind);
        put(out, number);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Diagnostic> {
        let (kind, number) = (reader.bytes(1)?[0], reader.number()?);
        Ok(match kind {
            0 => Self::End,
            1 => Self::From(number),
            2 => Self::Sort { after: number > 0 },
            3 => Self::Names,
            4 => Self::Rows,
            5 => Self::Wait,
            6 => Self::Resolve,
            7 => Self::Cells(number),
            _ => return Err(damaged()),
        })
    }
}

/// Serves one request of the writer. Returns whether more will follow, and at the writer the
/// answers of all workers.
fn serve(
    rounds: &mut Rounds<'_>,
    results: &mut Results,
) -> Result<(bool, Vec<Vec<u8>>), Diagnostic> {
    let asked = rounds.swap(false, [0; 4])?;
    // Messages of other workers are empty. All workers serve the same kind of request, except that
    // some may get `Wait`, which takes the same rounds.
    let mut request = Request::Wait;
    for (from, mut reader) in asked.readers() {
        if from == 0 {
            request = Request::read(&mut reader)?;
            if let Request::Sort { after } = request {
                let name = reader.text()?;
                results.sort(after.then_some(name));
            }
            results.take_rows(&mut reader)?;
        }
    }
    match request {
        Request::End => return Ok((false, Vec::new())),
        Request::From(from) => results.put_from(rounds.to(0), from)?,
        Request::Cells(from) => results.put_cells(rounds.to(0), from),
        Request::Names => results.put_next(rounds.to(0), true)?,
        Request::Rows => results.put_next(rounds.to(0), false)?,
        Request::Sort { .. } | Request::Wait => {}
        // Resolving takes further rounds, so all workers must receive this request together.
        Request::Resolve => {
            let limits = rounds.limits();
            results.resolve(rounds, &limits)?;
        }
    }
    let answers = rounds.swap(false, [0; 4])?;
    let answers = answers.readers().map(|(_, reader)| reader.0.to_vec());
    Ok((true, answers.collect()))
}

/// Serves requests of the writer until the end.
pub(crate) fn attend(rounds: &mut Rounds<'_>, mut results: Results) -> Result<(), Diagnostic> {
    while serve(rounds, &mut results)?.0 {}
    Ok(())
}

/// A summary of a labelled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Number of positions.
    pub positions: u64,
    /// Number of moves. It is 0 if moves are not stored.
    pub moves: u64,
    /// The nature of the game.
    pub nature: Nature,
    /// `true` if values were computed.
    pub has_values: bool,
}

/// Access to the rows of all workers, for the worker that writes the table.
pub struct TableWriter<'d, 'a> {
    rounds: RefCell<&'d mut Rounds<'a>>,
    results: RefCell<Results>,
    whole: Whole,
    kept: Option<Resumable>,
}

impl std::fmt::Debug for TableWriter<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter")
            .field("whole", &self.whole)
            .finish_non_exhaustive()
    }
}

impl<'d, 'a> TableWriter<'d, 'a> {
    pub(crate) fn new(
        rounds: &'d mut Rounds<'a>,
        (results, whole): (Results, Whole),
        kept: Option<Resumable>,
    ) -> Self {
        Self {
            rounds: RefCell::new(rounds),
            results: RefCell::new(results),
            whole,
            kept,
        }
    }

    /// Returns the identity and the interval of the labelling, if it is resumable.
    #[must_use]
    pub fn kept(&self) -> Option<Resumable> {
        self.kept
    }

    /// Returns a summary of the labelled game.
    #[must_use]
    pub fn whole(&self) -> Whole {
        self.whole
    }

    fn turns(&self) -> u64 {
        self.whole.nature.beginners().len() as u64
    }

    /// Sends the same request to all workers.
    fn ask(&self, request: Request) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let rounds = &mut **self.rounds.borrow_mut();
        for worker in 0..rounds.workers() {
            request.put(rounds.to(worker));
        }
        Ok(serve(rounds, &mut self.results.borrow_mut())?.1)
    }

    /// Sorts the names at all workers. If `after` is given, only later names follow.
    fn sort(&self, after: Option<&str>) -> Result<(), Diagnostic> {
        let rounds = &mut **self.rounds.borrow_mut();
        for worker in 0..rounds.workers() {
            let out = rounds.to(worker);
            let request = Request::Sort {
                after: after.is_some(),
            };
            request.put(out);
            put_text(out, after.unwrap_or_default());
        }
        serve(rounds, &mut self.results.borrow_mut())?;
        Ok(())
    }

    fn tell(&self, done: u64) {
        let rounds = self.rounds.borrow();
        rounds.report(&Report {
            stage: Stage::Writing,
            round: 0,
            done,
            of: self.whole.positions,
            sent: rounds.sent(),
            ..Report::default()
        });
    }

    /// Returns rows from a number on, in order. There is at least one, unless `from` is the number
    /// of positions.
    ///
    /// # Errors
    /// A lost process, or an interruption or limit.
    pub fn rows(&self, from: u64) -> Result<Vec<Row>, Diagnostic> {
        let arrived = self.ask(Request::From(from))?;
        let count = TOGETHER.min(self.whole.positions.saturating_sub(from));
        // Every number of the range must arrive exactly once from some worker; a gap is an error
        // below.
        let mut rows: Vec<Option<Row>> = (0..count).map(|_| None).collect();
        for bytes in &arrived {
            let mut reader = Reader(bytes);
            while !reader.is_empty() {
                let row = row(&mut reader, from, self.turns())?;
                let slot = rows.get_mut((row.number - from) as usize);
                *slot.ok_or_else(damaged)? = Some(row);
            }
        }
        self.tell(from + count);
        rows.into_iter()
            .map(|row| row.ok_or_else(damaged))
            .collect()
    }

    /// Returns cells of a sieved game from `from` on. There is at least one, unless `from` is the
    /// number of cells.
    ///
    /// # Errors
    /// As [`TableWriter::rows`].
    pub fn cells(&self, from: u64) -> Result<Vec<u32>, Diagnostic> {
        let arrived = self.ask(Request::Cells(from))?;
        let mut readers: Vec<Reader<'_>> = arrived.iter().map(|bytes| Reader(bytes)).collect();
        let mut found = Vec::new();
        for piece in self.results.borrow().pieces(from) {
            let reader = readers.get_mut(piece.owner).ok_or_else(damaged)?;
            let width = reader.number()?;
            let bytes =
                reader.bytes((piece.cells.end - piece.cells.start) as usize * width as usize)?;
            let cells = Cells::from_bytes(width, bytes).ok_or_else(damaged)?;
            found.extend((0..cells.len() as u64).map(|place| cells.get(place)));
        }
        self.tell((from + found.len() as u64) / self.turns());
        Ok(found)
    }

    /// Resolves the targets of moves to rows of the sorted table, if moves are kept.
    ///
    /// # Errors
    /// As [`TableWriter::rows`].
    pub fn resolve(&self) -> Result<(), Diagnostic> {
        // A merge of all names assigns the rows. Each worker receives the rows of its names during
        // the merge.
        self.merged(Request::Names, None, |_, _| Ok(()))?;
        self.ask(Request::Resolve)?;
        Ok(())
    }

    /// Visits all rows in the order of their names. If `after` gives a number of rows and the last
    /// name among them, only later rows follow.
    ///
    /// # Errors
    /// As [`TableWriter::rows`], or an error of `visit`.
    pub fn sorted(
        &self,
        after: Option<(u64, &str)>,
        mut visit: impl FnMut(Row) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let before = after.map_or(0, |(rows, _)| rows);
        self.merged(Request::Rows, after.map(|(_, name)| name), |row, done| {
            let done = before + done;
            if done.is_multiple_of(TOGETHER) {
                self.tell(done);
            }
            visit(row)
        })
    }

    /// Merges the sorted names of all workers, and sends each worker the row numbers of its names.
    fn merged(
        &self,
        request: Request,
        after: Option<&str>,
        mut visit: impl FnMut(Row, u64) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.sort(after)?;
        let workers = self.rounds.borrow().workers();
        let mut waiting: Vec<VecDeque<Row>> = vec![VecDeque::new(); workers];
        let (mut ended, mut row) = (vec![false; workers], 0);
        // Row numbers travel with the next request, as differences.
        let (mut given, mut last) = (vec![Vec::new(); workers], vec![0; workers]);
        loop {
            // A k-way merge can only proceed while every worker that has not ended has a row
            // waiting. Blocks are requested from the empty ones only.
            let empty: Vec<bool> = waiting.iter().map(VecDeque::is_empty).collect();
            let wanted: Vec<bool> = empty
                .iter()
                .zip(&ended)
                .map(|(&empty, &ended)| empty && !ended)
                .collect();
            // One more request at the end carries the last row numbers to their owners.
            let done = !wanted.contains(&true) && waiting.iter().all(VecDeque::is_empty);
            if wanted.contains(&true) || done {
                let answers = self.fetch(request, &wanted, &mut given)?;
                if done {
                    return Ok(());
                }
                for (worker, bytes) in answers.iter().enumerate() {
                    ended[worker] |= wanted[worker] && bytes.is_empty();
                    let mut reader = Reader(bytes);
                    while !reader.is_empty() {
                        let one = self.one(&mut reader, request)?;
                        waiting[worker].push_back(one);
                    }
                }
                continue;
            }
            // Linear in the number of workers. Names are unique, so ties cannot occur.
            let first = (0..workers)
                .filter(|&worker| !waiting[worker].is_empty())
                .min_by(|&a, &b| waiting[a][0].name.cmp(&waiting[b][0].name));
            let Some(first) = first else { continue };
            if let Some(next) = waiting[first].pop_front() {
                visit(next, row)?;
            }
            put(&mut given[first], row - last[first]);
            last[first] = row;
            row += 1;
        }
    }

    /// Parses a row, or only its name.
    fn one(&self, reader: &mut Reader<'_>, request: Request) -> Result<Row, Diagnostic> {
        if request != Request::Names {
            return row(reader, 0, self.turns());
        }
        Ok(Row {
            number: 0,
            name: reader.text()?.to_owned(),
            labels: Vec::new(),
            value: None,
            options: Vec::new(),
        })
    }

    /// Sends the request to the wanted workers, and the row numbers of their names to all.
    fn fetch(
        &self,
        request: Request,
        wanted: &[bool],
        given: &mut [Vec<u8>],
    ) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let rounds = &mut **self.rounds.borrow_mut();
        for (worker, (&wanted, given)) in wanted.iter().zip(given).enumerate() {
            let request = if wanted { request } else { Request::Wait };
            request.put(rounds.to(worker));
            rounds.to(worker).append(given);
        }
        Ok(serve(rounds, &mut self.results.borrow_mut())?.1)
    }

    /// Ends the work of all workers.
    pub(crate) fn end(self) -> Result<(), Diagnostic> {
        self.ask(Request::End)?;
        // The last report includes the bytes sent for the last rows.
        self.tell(self.whole.positions);
        Ok(())
    }
}
