//! Writes the parts of one worker for a checkpoint.

use parquet::data_type::ByteArray;

use grundy_base::Diagnostic;
use grundy_core::PayoffResult;
use grundy_core::implicit::dense::OwnedStretches;

use super::SavedLists;
use super::part::{Part, Rows, Table};
use crate::interner::Interner;
use crate::options::Options;
use crate::partial_lists::{ListMark, PartialLists, encode_place};
use crate::share::Layout;
use crate::store::Store;

/// Largest number of rows in a part.
const ROWS: usize = 1 << 20;
/// Largest number of rows in a part of names that has a companion part of moves.
const ROWS_WITH_OPTIONS: usize = 1 << 17;
/// Largest number of bytes of text in a part.
const TEXT: usize = 1 << 25;

/// A writer of the parts of a checkpoint, which are Parquet files. It starts a new part whenever
/// the current one is full.
pub(super) struct Writer<'w> {
    pub(super) store: &'w Store,
    /// The random number with which the names of the parts begin. It is unique to this worker and
    /// run.
    pub(super) run: u64,
    /// Sequence number of the next part that this worker writes. It increases in all checkpoints of
    /// this run, and is part of the file name. A part and its companion have the same number.
    pub(super) count: u64,
    pub(super) layout: Layout,
    /// Largest number of rows in a part under the memory limit.
    pub(super) max_rows: usize,
    pub(super) parts: Vec<Part>,
    /// The callback that returns an error if the computation was interrupted.
    pub(super) poll: &'w dyn Fn() -> Result<(), Diagnostic>,
}

impl Writer<'_> {
    fn put(
        &mut self,
        kind: Rows,
        table: &Table,
        (first, step): (u64, u64),
    ) -> Result<(), Diagnostic> {
        if table.rows() == 0 {
            return Ok(());
        }
        (self.poll)()?;
        let bytes = table.write(kind)?;
        let part = Part {
            kind,
            name: format!(
                "parts/{:016x}-{}-{}.parquet",
                self.run,
                self.count,
                kind.name()
            ),
            rows: table.rows() as u64,
            bytes: bytes.len() as u64,
            crc32: crc32fast::hash(&bytes),
            first,
            step,
        };
        // The part is recorded before it is written, so that even a partially written object is
        // removed after a failure.
        self.parts.push(part.clone());
        self.store.put(&part.name, bytes)
    }

    /// Writes the names whose local index is at least `from`, with their moves if `options` is
    /// given.
    pub(super) fn names(
        &mut self,
        interner: &Interner,
        from: usize,
        options: Option<&Options>,
    ) -> Result<(), Diagnostic> {
        let most = self
            .max_rows
            .min(options.map_or(ROWS, |_| ROWS_WITH_OPTIONS));
        let (mut names, mut moves) = (Table::default(), Table::default());
        for local in from..interner.texts.len() {
            let text = interner.texts.get(local as u32);
            let row = names.rows() as i64;
            names.numbers[0].push(interner.numbers[local] as i64);
            names.texts.push(ByteArray::from(text));
            names.text += text.len();
            for option in options.iter().flat_map(|options| options.of(local as u32)) {
                moves.numbers[0].push(row);
                moves.numbers[1].push(option as i64);
            }
            let last = local + 1 == interner.texts.len();
            if last || names.rows() >= most || names.text >= TEXT {
                // The two parts are linked by the same number in their names.
                self.put(Rows::Names, &names, (0, 0))?;
                self.put(Rows::Options, &moves, (0, 0))?;
                self.count += 1;
                (names, moves) = (Table::default(), Table::default());
            }
        }
        Ok(())
    }

    /// Writes the names whose local index is at least `from`, each with its text and with the key
    /// that identifies it in this run.
    pub(super) fn keys(&mut self, interner: &Interner, from: usize) -> Result<(), Diagnostic> {
        let mut keys = Table::default();
        for local in from..interner.texts.len() {
            let text = interner.texts.get(local as u32);
            keys.numbers[0].push(self.layout.position(local as u64) as i64);
            keys.texts.push(ByteArray::from(text));
            keys.text += text.len();
            let last = local + 1 == interner.texts.len();
            if last || keys.rows() >= self.max_rows.min(ROWS) || keys.text >= TEXT {
                self.put(Rows::Keys, &keys, (0, 0))?;
                self.count += 1;
                keys = Table::default();
            }
        }
        Ok(())
    }

    /// Writes the state of partially read edge lists, except the texts of the names. This state
    /// consists of the places where names occur, of the unsaved edges, and of the progress of each
    /// list in `own`.
    pub(super) fn read(
        &mut self,
        partial: &PartialLists,
        saved: SavedLists,
        own: impl Iterator<Item = usize>,
    ) -> Result<(), Diagnostic> {
        let layout = self.layout;
        let new = saved.names as u32..partial.firsts.len() as u32;
        // Names that are already saved are written again only if their place has decreased. The
        // reader uses the least place of each name.
        let lowered = partial.lowered.iter().copied();
        let seen = new.chain(lowered).map(|local| {
            let (list, name) = partial.firsts[local as usize];
            (
                layout.position(local.into()),
                encode_place(list.into(), name),
            )
        });
        self.pairs(Rows::Seen, seen)?;
        let lists = own.map(|list| {
            let ListMark { rows, names, done } = partial.lists[list];
            (
                2 * list as u64 + u64::from(done),
                if done { names } else { rows },
            )
        });
        self.pairs(Rows::Lists, lists)?;
        let key = |(worker, local): (usize, u32)| layout.position_of(worker, local) as i64;
        let most = self.max_rows.min(ROWS);
        let (mut edges, mut runs) = (Table::default(), Table::default());
        let mut next = partial.runs[saved.runs..].iter();
        let (mut first, mut left) = ((0, 0), 0);
        for edge in saved.edges..partial.sources.len() {
            // The saved runs are complete, because every exchange stores whole runs. So the first
            // edge to be written is the first edge of a run.
            let begins = left == 0;
            if begins {
                let Some(run) = next.next() else { break };
                (first, left) = (run.first, run.edges);
            }
            // Each part must be readable without the others. If a run continues in the next part,
            // its place is written there again.
            if begins || edges.rows() == 0 {
                runs.numbers[0].push(edges.rows() as i64);
                runs.numbers[1].push(encode_place(first.0, first.1) as i64);
            }
            edges.numbers[0].push(key(partial.sources.get(edge)));
            edges.numbers[1].push(key(partial.targets.get(edge)));
            first.1 += 1;
            left -= 1;
            if edge + 1 == partial.sources.len() || edges.rows() >= most {
                self.put(Rows::Edges, &edges, (0, 0))?;
                self.put(Rows::Runs, &runs, (0, 0))?;
                self.count += 1;
                (edges, runs) = (Table::default(), Table::default());
            }
        }
        Ok(())
    }

    fn pairs(
        &mut self,
        kind: Rows,
        rows: impl Iterator<Item = (u64, u64)>,
    ) -> Result<(), Diagnostic> {
        let mut table = Table::default();
        for (first, second) in rows {
            table.numbers[0].push(first as i64);
            table.numbers[1].push(second as i64);
            if table.rows() >= self.max_rows.min(ROWS) {
                self.put(kind, &table, (0, 0))?;
                self.count += 1;
                table.numbers.iter_mut().for_each(Vec::clear);
            }
        }
        self.put(kind, &table, (0, 0))?;
        self.count += 1;
        Ok(())
    }

    /// Writes moves, each as a pair of target and source.
    pub(super) fn moves(
        &mut self,
        moves: impl Iterator<Item = (u64, u64)>,
    ) -> Result<(), Diagnostic> {
        self.pairs(Rows::Moves, moves)
    }

    /// Writes the payoffs of local terminal vertices.
    pub(super) fn ends(&mut self, ends: &[(u32, PayoffResult)]) -> Result<(), Diagnostic> {
        let layout = self.layout;
        let rows = ends
            .iter()
            .map(|&(local, worth)| (layout.vertex(layout.worker as usize, local), worth as u64));
        self.pairs(Rows::Ends, rows)
    }

    /// Writes those cells of this worker whose content is known.
    pub(super) fn cells(&mut self, table: &OwnedStretches) -> Result<(), Diagnostic> {
        let places = 0..table.cells().len() as u64;
        let found = places.filter_map(|place| Some((table.cell(place), table.get(place)?.into())));
        self.pairs(Rows::Cells, found)
    }

    /// Writes `numbers`, which has one number for each local vertex whose index is at least `from`.
    /// The vertex with index `from` must be the first vertex of its position.
    pub(super) fn vertices(
        &mut self,
        kind: Rows,
        from: usize,
        numbers: impl Iterator<Item = i64>,
    ) -> Result<(), Diagnostic> {
        let Layout { workers, turns, .. } = self.layout;
        // A part contains all vertices of a position or none, so that `first` and `step` describe
        // its positions.
        let most = self.max_rows.min(ROWS) / turns as usize * turns as usize;
        let (mut table, mut next) = (Table::default(), from);
        let mut numbers = numbers.peekable();
        while numbers.peek().is_some() {
            table.numbers[0].clear();
            table.numbers[0].extend(numbers.by_ref().take(most));
            let first = self.layout.position(next as u64 / turns);
            self.put(kind, &table, (first, workers))?;
            self.count += 1;
            next += table.rows();
        }
        Ok(())
    }
}
