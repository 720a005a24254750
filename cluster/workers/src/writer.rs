//! One worker writes the table. It requests the rows from all workers in the order of position
//! numbers or of names. So the table is identical to that of a single process.

use std::cell::RefCell;
use std::collections::VecDeque;

use grundy_base::{Cells, Diagnostic};
use grundy_core::ruleset::Nature;

use crate::checkpoint_options::Resumable;
use crate::context::{Report, Stage};
use crate::results::{ROWS_PER_REQUEST, Results, Row, row};
use crate::rounds::Rounds;
use crate::wire::{Reader, damaged, put, put_text};

/// A request of the writer to all workers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    /// The computation is finished.
    End,
    /// A request for a block of rows in the order of position numbers, beginning with this position
    /// number. Each worker sends those rows of the block that belong to it.
    From(u64),
    /// A request to sort the names. The message continues with a name. If `after` is `true`, all
    /// later requests refer only to names that follow this name in the order. Otherwise the name is
    /// ignored.
    Sort { after: bool },
    /// A request for the next names of the worker, in sorted order.
    Names,
    /// A request for the next rows of the worker, sorted by name.
    Rows,
    /// No request in this round, because the writer still has unprocessed rows of this worker, or
    /// has already received all of them.
    Wait,
    /// A request to replace the targets of moves by row numbers.
    Resolve,
    /// A request for a block of consecutive cells in the table of a ranked game, beginning with
    /// this cell index. Each worker sends those cells of the block that belong to it.
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

/// Serves one request of the writer. Returns whether more requests will follow. At the writer it
/// also returns the answers of all workers.
fn serve(
    rounds: &mut Rounds<'_>,
    results: &mut Results,
) -> Result<(bool, Vec<Vec<u8>>), Diagnostic> {
    let requests = rounds.swap(false, [0; 4])?;
    // Only the writer sends a request; messages from other workers are empty. All workers serve the
    // same kind of request, but some may get `Wait` instead, which takes the same number of rounds.
    let mut request = Request::Wait;
    for (from, mut reader) in requests.readers() {
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
        Request::From(from) => results.put_from(rounds.outbox(0), from)?,
        Request::Cells(from) => results.put_cells(rounds.outbox(0), from),
        Request::Names => results.put_next(rounds.outbox(0), true)?,
        Request::Rows => results.put_next(rounds.outbox(0), false)?,
        Request::Sort { .. } | Request::Wait => {}
        // `Resolve` takes further rounds, so all workers must receive this request in the same
        // round.
        Request::Resolve => {
            let limits = rounds.limits();
            results.resolve(rounds, &limits)?;
        }
    }
    let answers = rounds.swap(false, [0; 4])?;
    let answers = answers.readers().map(|(_, reader)| reader.0.to_vec());
    Ok((true, answers.collect()))
}

/// Serves the requests of the writer until the computation is finished.
pub(crate) fn serve_requests(
    rounds: &mut Rounds<'_>,
    mut results: Results,
) -> Result<(), Diagnostic> {
    while serve(rounds, &mut results)?.0 {}
    Ok(())
}

/// A summary of a labelled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// Number of positions.
    pub positions: u64,
    /// Number of moves. It is 0 if moves are not stored.
    pub moves: u64,
    /// The kind of the game: how the moves of the players are related, what decides the game, and
    /// who may begin.
    pub nature: Nature,
    /// `true` if values were computed.
    pub has_values: bool,
}

/// Access to the rows of all workers, for the worker that writes the table.
pub struct TableWriter<'d, 'a> {
    rounds: RefCell<&'d mut Rounds<'a>>,
    results: RefCell<Results>,
    summary: TableSummary,
    resumable: Option<Resumable>,
}

impl std::fmt::Debug for TableWriter<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter")
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}

impl<'d, 'a> TableWriter<'d, 'a> {
    pub(crate) fn new(
        rounds: &'d mut Rounds<'a>,
        (results, summary): (Results, TableSummary),
        resumable: Option<Resumable>,
    ) -> Self {
        Self {
            rounds: RefCell::new(rounds),
            results: RefCell::new(results),
            summary,
            resumable,
        }
    }

    /// Returns the checkpoint interval and the number that identifies the labelling, if checkpoints
    /// are enabled.
    #[must_use]
    pub fn resumable(&self) -> Option<Resumable> {
        self.resumable
    }

    /// Returns a summary of the labelled game.
    #[must_use]
    pub fn summary(&self) -> TableSummary {
        self.summary
    }

    fn turns(&self) -> u64 {
        self.summary.nature.beginners().len() as u64
    }

    /// Sends the same request to all workers and returns their answers.
    fn request(&self, request: Request) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let rounds = &mut **self.rounds.borrow_mut();
        for worker in 0..rounds.workers() {
            request.put(rounds.outbox(worker));
        }
        Ok(serve(rounds, &mut self.results.borrow_mut())?.1)
    }

    /// Requests that all workers sort their names. If `after` is given, they later send only the
    /// names that follow it.
    fn sort(&self, after: Option<&str>) -> Result<(), Diagnostic> {
        let rounds = &mut **self.rounds.borrow_mut();
        for worker in 0..rounds.workers() {
            let out = rounds.outbox(worker);
            let request = Request::Sort {
                after: after.is_some(),
            };
            request.put(out);
            put_text(out, after.unwrap_or_default());
        }
        serve(rounds, &mut self.results.borrow_mut())?;
        Ok(())
    }

    fn report_progress(&self, done: u64) {
        let rounds = self.rounds.borrow();
        rounds.report(&Report {
            stage: Stage::Writing,
            round: 0,
            done,
            of: self.summary.positions,
            sent: rounds.sent(),
            ..Report::default()
        });
    }

    /// Returns a block of rows in the order of position numbers, starting at the row of position
    /// `from`. The block is empty only if no rows are left, that is, if `from` is
    /// `TableSummary::positions`.
    ///
    /// # Errors
    /// A lost process, or an interruption or limit.
    pub fn rows(&self, from: u64) -> Result<Vec<Row>, Diagnostic> {
        let arrived = self.request(Request::From(from))?;
        let count = ROWS_PER_REQUEST.min(self.summary.positions.saturating_sub(from));
        // Every number of the range must arrive exactly once, from any of the workers. A missing
        // number is an error below.
        let mut rows: Vec<Option<Row>> = (0..count).map(|_| None).collect();
        for bytes in &arrived {
            let mut reader = Reader(bytes);
            while !reader.is_empty() {
                let row = row(&mut reader, from, self.turns())?;
                let slot = rows.get_mut((row.number - from) as usize);
                *slot.ok_or_else(damaged)? = Some(row);
            }
        }
        self.report_progress(from + count);
        rows.into_iter()
            .map(|row| row.ok_or_else(damaged))
            .collect()
    }

    /// Returns a block of consecutive cells, beginning with cell `from`, of a game that was
    /// labelled by a sieve. The block is empty only if `from` is the number of cells.
    ///
    /// # Errors
    /// As [`TableWriter::rows`].
    pub fn cells(&self, from: u64) -> Result<Vec<u32>, Diagnostic> {
        let arrived = self.request(Request::Cells(from))?;
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
        self.report_progress((from + found.len() as u64) / self.turns());
        Ok(found)
    }

    /// Replaces the target of each move by its row number in the table sorted by name, if the moves
    /// are stored.
    ///
    /// # Errors
    /// As [`TableWriter::rows`].
    pub fn resolve(&self) -> Result<(), Diagnostic> {
        // The merge of the names of all workers determines the row number of each name. During the
        // merge, each worker receives the row numbers of its names.
        self.merge(Request::Names, None, |_, _| Ok(()))?;
        self.request(Request::Resolve)?;
        Ok(())
    }

    /// Calls `visit` for each row in the order of names. If `after` is `(n, name)`, the first n
    /// rows are skipped. `name` is the name in the last of these rows.
    ///
    /// # Errors
    /// As [`TableWriter::rows`], or an error returned by `visit`.
    pub fn sorted(
        &self,
        after: Option<(u64, &str)>,
        mut visit: impl FnMut(Row) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let before = after.map_or(0, |(rows, _)| rows);
        self.merge(Request::Rows, after.map(|(_, name)| name), |row, done| {
            let done = before + done;
            if done.is_multiple_of(ROWS_PER_REQUEST) {
                self.report_progress(done);
            }
            visit(row)
        })
    }

    /// Merges the sorted names of all workers and calls `visit` for each row, with its row number.
    /// Each worker receives the row numbers of its names.
    fn merge(
        &self,
        request: Request,
        after: Option<&str>,
        mut visit: impl FnMut(Row, u64) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.sort(after)?;
        let workers = self.rounds.borrow().workers();
        let mut queues: Vec<VecDeque<Row>> = vec![VecDeque::new(); workers];
        let (mut ended, mut row) = (vec![false; workers], 0);
        // Row numbers are sent together with the next request. They are encoded as differences.
        let (mut row_numbers, mut last) = (vec![Vec::new(); workers], vec![0; workers]);
        loop {
            // The merge can continue only while there is a row from every worker that has not
            // finished. Blocks are requested only from workers whose rows are used up.
            let empty: Vec<bool> = queues.iter().map(VecDeque::is_empty).collect();
            let wanted: Vec<bool> = empty
                .iter()
                .zip(&ended)
                .map(|(&empty, &ended)| empty && !ended)
                .collect();
            // One more request at the end sends the last row numbers to the owners of the names.
            let done = !wanted.contains(&true) && queues.iter().all(VecDeque::is_empty);
            if wanted.contains(&true) || done {
                let answers = self.fetch(request, &wanted, &mut row_numbers)?;
                if done {
                    return Ok(());
                }
                for (worker, bytes) in answers.iter().enumerate() {
                    ended[worker] |= wanted[worker] && bytes.is_empty();
                    let mut reader = Reader(bytes);
                    while !reader.is_empty() {
                        let one = self.read_row(&mut reader, request)?;
                        queues[worker].push_back(one);
                    }
                }
                continue;
            }
            // The least name is found in time O(workers). Names are unique, so no two are equal.
            let first = (0..workers)
                .filter(|&worker| !queues[worker].is_empty())
                .min_by(|&a, &b| queues[a][0].name.cmp(&queues[b][0].name));
            let Some(first) = first else { continue };
            if let Some(next) = queues[first].pop_front() {
                visit(next, row)?;
            }
            put(&mut row_numbers[first], row - last[first]);
            last[first] = row;
            row += 1;
        }
    }

    /// Parses an encoded row, or only its name, depending on the request.
    fn read_row(&self, reader: &mut Reader<'_>, request: Request) -> Result<Row, Diagnostic> {
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

    /// Sends the request to the workers marked in `wanted`. In the same message, sends each worker,
    /// marked or not, the new row numbers of the names that it owns. Returns the answers.
    fn fetch(
        &self,
        request: Request,
        wanted: &[bool],
        row_numbers: &mut [Vec<u8>],
    ) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let rounds = &mut **self.rounds.borrow_mut();
        for (worker, (&wanted, row_numbers)) in wanted.iter().zip(row_numbers).enumerate() {
            let request = if wanted { request } else { Request::Wait };
            request.put(rounds.outbox(worker));
            rounds.outbox(worker).append(row_numbers);
        }
        Ok(serve(rounds, &mut self.results.borrow_mut())?.1)
    }

    /// Sends all workers the request to end, and reports the final progress.
    pub(crate) fn end(self) -> Result<(), Diagnostic> {
        self.request(Request::End)?;
        // One more report, so that the bytes sent for the last rows are included.
        self.report_progress(self.summary.positions);
        Ok(())
    }
}
