//! The parts that one worker writes for a checkpoint.

use parquet::data_type::ByteArray;

use grundy::Worth;
use grundy::implicit::dense::Stretches;
use grundy_base::Diagnostic;

use super::part::{Part, Rows, Table};
use crate::edges::Options;
use crate::known::Known;
use crate::share::Layout;
use crate::store::Store;

/// Most rows of a part.
const ROWS: usize = 1 << 20;
/// Most rows of names, where their moves are in a part beside.
const ROWS_WITH_OPTIONS: usize = 1 << 17;
/// Most bytes of texts in a part.
const TEXT: usize = 1 << 25;

/// Writes parts, each as it is full.
pub(super) struct Writer<'w> {
    pub(super) store: &'w Store,
    /// What no other worker of any run has in its names.
    pub(super) run: u64,
    /// Parts that were begun, of this checkpoint and those before.
    pub(super) count: u64,
    pub(super) layout: Layout,
    /// Most rows of a part, by the memory.
    pub(super) most: usize,
    pub(super) parts: Vec<Part>,
    /// Whether to go on.
    pub(super) look: &'w dyn Fn() -> Result<(), Diagnostic>,
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
        (self.look)()?;
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
        // Counted first: what is written in part is removed again.
        self.parts.push(part.clone());
        self.store.put(&part.name, bytes)
    }

    /// The names here from one on, with their moves where these are kept.
    pub(super) fn names(
        &mut self,
        known: &Known,
        from: usize,
        options: Option<&Options>,
    ) -> Result<(), Diagnostic> {
        let most = self.most.min(options.map_or(ROWS, |_| ROWS_WITH_OPTIONS));
        let (mut names, mut moves) = (Table::default(), Table::default());
        for local in from..known.texts.len() {
            let text = known.texts.get(local as u32);
            let row = names.rows() as i64;
            names.numbers[0].push(known.numbers[local] as i64);
            names.texts.push(ByteArray::from(text));
            names.text += text.len();
            for option in options.iter().flat_map(|options| options.of(local as u32)) {
                moves.numbers[0].push(row);
                moves.numbers[1].push(option as i64);
            }
            let last = local + 1 == known.texts.len();
            if last || names.rows() >= most || names.text >= TEXT {
                // Both have the same number in their names: that is how they find each other.
                self.put(Rows::Names, &names, (0, 0))?;
                self.put(Rows::Options, &moves, (0, 0))?;
                self.count += 1;
                (names, moves) = (Table::default(), Table::default());
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
            if table.rows() >= self.most.min(ROWS) {
                self.put(kind, &table, (0, 0))?;
                self.count += 1;
                table.numbers.iter_mut().for_each(Vec::clear);
            }
        }
        self.put(kind, &table, (0, 0))?;
        self.count += 1;
        Ok(())
    }

    /// Moves by the vertices that they lead to and come from.
    pub(super) fn moves(
        &mut self,
        moves: impl Iterator<Item = (u64, u64)>,
    ) -> Result<(), Diagnostic> {
        self.pairs(Rows::Moves, moves)
    }

    /// What ends here are worth.
    pub(super) fn ends(&mut self, ends: &[(u32, Worth)]) -> Result<(), Diagnostic> {
        let layout = self.layout;
        let rows = ends
            .iter()
            .map(|&(local, worth)| (layout.vertex(layout.me as usize, local), worth as u64));
        self.pairs(Rows::Ends, rows)
    }

    /// What has been found of the cells here.
    pub(super) fn cells(&mut self, table: &Stretches) -> Result<(), Diagnostic> {
        let places = 0..table.cells().len() as u64;
        let found = places.filter_map(|place| Some((table.cell(place), table.get(place)?.into())));
        self.pairs(Rows::Cells, found)
    }

    /// A number for each vertex here, from the first of a position on.
    pub(super) fn vertices(
        &mut self,
        kind: Rows,
        from: usize,
        numbers: impl Iterator<Item = i64>,
    ) -> Result<(), Diagnostic> {
        let Layout { workers, turns, .. } = self.layout;
        // Parts end with whole positions.
        let most = self.most.min(ROWS) / turns as usize * turns as usize;
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
