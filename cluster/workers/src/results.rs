//! The results of a worker after labelling: the names that belong to it, with their labels and
//! values.
//!
//! A name belongs to a worker by its hash, and a label belongs to a worker by its position number.
//! So each worker first fetches the labels of its names from their owners. Then it has the complete
//! rows of its names.

use std::ops::Range;
use std::sync::Arc;

use grundy_base::{Diagnostic, Limits, Loopy, Outcome, Stop};
use grundy_core::graph::{Label, Score, Values};
use grundy_core::implicit::dense::OwnedStretches;
use grundy_core::{RankedGame, Visited};
use rustc_hash::FxHashMap;

use crate::explore::{Start, ambiguous_text};
use crate::interner::Interner;
use crate::options::Options;
use crate::rounds::Rounds;
use crate::share::Layout;
use crate::values::FoundValues;
use crate::wire::{Reader, put, put_text};

/// Largest number of rows in one request for rows in the order of position numbers.
pub(crate) const ROWS_PER_REQUEST: u64 = 1 << 13;
/// Number of consecutive table cells that one request for cells covers.
const CELLS_PER_REQUEST: u64 = 1 << 17;
/// Target size in bytes of a block of rows sorted by name. The last row of a block may exceed it.
const BLOCK_BYTES: usize = 1 << 18;

/// Encodes a label as one number: 3r for a loss in r moves, 3r + 1 for a win in r moves, and 2 for
/// a draw.
fn put_label(out: &mut Vec<u8>, label: Label) {
    let moves = u64::from(label.remoteness.unwrap_or_default());
    put(
        out,
        match label.outcome {
            Outcome::P => 3 * moves,
            Outcome::N => 3 * moves + 1,
            Outcome::D => 2,
        },
    );
}

fn score(reader: &mut Reader<'_>) -> Result<Score, Diagnostic> {
    let number = reader.number()?;
    let moves = (number / 3) as u32;
    Ok(match number % 3 {
        0 => Score::lost(moves),
        1 => Score::won(moves),
        _ => Score::DRAW,
    })
}

/// Encodes a value: 0 for no value, and 2v + 1 for a finite value v. Infinity with a set of k
/// values is encoded as 2k + 2, followed by the values of the set.
fn put_value(out: &mut Vec<u8>, value: Option<u32>, set: Option<&[u32]>) {
    match (value, set) {
        (Some(value), _) => put(out, 2 * u64::from(value) + 1),
        (None, Some(set)) => {
            put(out, 2 * set.len() as u64 + 2);
            set.iter().for_each(|&member| put(out, member.into()));
        }
        (None, None) => put(out, 0),
    }
}

fn value(reader: &mut Reader<'_>) -> Result<Option<Loopy>, Diagnostic> {
    Ok(match reader.number()? {
        0 => None,
        number if number % 2 == 1 => Some(Loopy::Finite(number / 2)),
        number => {
            let members = (0..number / 2 - 1).map(|_| reader.number());
            Some(Loopy::Infinite(members.collect::<Result<_, _>>()?))
        }
    })
}

/// Labels and values of consecutive local positions. Each position has one score for each turn.
pub(crate) struct LabelsAndValues {
    pub(crate) scores: Vec<u32>,
    pub(crate) values: Option<FoundValues>,
}

impl LabelsAndValues {
    /// Encodes the labels and the value of a local position.
    fn put(&self, out: &mut Vec<u8>, position: u64, turns: u64) {
        for vertex in position * turns..(position + 1) * turns {
            put_label(out, Score(self.scores[vertex as usize]).label());
        }
        let values = self.values.as_ref();
        let set = values.and_then(|found| found.sets.get(&(position as u32)));
        put_value(
            out,
            values.and_then(|found| found.values.get(position as u32)),
            set.map(|set| &set[..]),
        );
    }

    /// Fetches the labels and values of positions from their owners. `numbers` lists the positions.
    fn fetch(
        self,
        rounds: &mut Rounds<'_>,
        numbers: &[u64],
        turns: u64,
    ) -> Result<Self, Diagnostic> {
        let workers = rounds.workers() as u64;
        let mut new = Self {
            scores: Vec::with_capacity(numbers.len() * turns as usize),
            values: self.values.is_some().then(|| FoundValues {
                values: Values::absent(numbers.len()),
                sets: FxHashMap::default(),
            }),
        };
        // Answers arrive in the order of `numbers`, so `position` is the index of the next one.
        let mut position = 0;
        rounds.query(
            numbers.iter().copied(),
            |number, out| self.put(out, number / workers, turns),
            |reader| {
                for _ in 0..turns {
                    new.scores.push(score(reader)?.0);
                }
                let value = value(reader)?;
                if let Some(found) = &mut new.values {
                    match value {
                        Some(Loopy::Finite(value)) => found.values.set(position, value as u32),
                        Some(Loopy::Infinite(set)) => {
                            let set = set.into_iter().map(|member| member as u32);
                            found.sets.insert(position, set.collect());
                        }
                        None => {}
                    }
                }
                position += 1;
                Ok(())
            },
        )?;
        Ok(new)
    }
}

/// A list of texts, stored as one string with the end of each text.
#[derive(Default)]
struct Texts {
    all: String,
    ends: Vec<u64>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len() as u64);
    }

    fn get(&self, index: u32) -> &str {
        let begin = index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before as usize]);
        &self.all[begin as usize..self.ends[index as usize] as usize]
    }

    fn len(&self) -> u32 {
        self.ends.len() as u32
    }
}

/// The names of the positions on one worker.
pub(crate) enum Names<'s> {
    /// Names from the input.
    Input(Interner),
    /// Texts of the components of positions. A position is parsed from its text.
    Components(Interner, &'s Start<'s>),
    /// Ranks as names. Worker i of w workers has the ranks i, i + w, i + 2w, and so on.
    Ranked(Arc<dyn RankedGame>),
}

impl Names<'_> {
    /// Returns the interner of the names, or nothing if the names are ranks.
    pub(crate) fn interner(&self) -> Option<&Interner> {
        match self {
            Self::Input(interner) | Self::Components(interner, _) => Some(interner),
            Self::Ranked(_) => None,
        }
    }
}

/// The names of the positions, in the form in which they are sent to the writer of the table. For a
/// game that was labelled by a sieve, the cells take the place of the names.
enum Index {
    Texts {
        texts: Texts,
        numbers: Vec<u64>,
        order: Vec<u32>,
        /// `true` if `order` is sorted by name, `false` if it is sorted by position number.
        by_name: bool,
    },
    Ranked(Arc<dyn RankedGame>),
    /// The cells of a sieved ranked game, which has no rows.
    Cells(OwnedStretches),
}

/// Consecutive cells of the table that belong to the same worker.
pub(crate) struct Piece {
    pub(crate) owner: usize,
    pub(crate) cells: Range<u64>,
}

/// A row of the table, as received by the worker that writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the position.
    pub number: u64,
    /// The name of the position.
    pub name: String,
    /// A label for each turn.
    pub labels: Vec<Label>,
    /// The value, if values were computed.
    pub value: Option<Loopy>,
    /// Targets of the moves, if the table lists moves. They are position numbers before
    /// [`crate::TableWriter::resolve`], and row numbers after it.
    pub options: Vec<u64>,
}

/// Parses a row. The encoded position number is relative to `from`.
pub(crate) fn row(reader: &mut Reader<'_>, from: u64, turns: u64) -> Result<Row, Diagnostic> {
    let number = from + reader.number()?;
    let name = reader.text()?.to_owned();
    let labels = (0..turns).map(|_| Ok(score(reader)?.label()));
    let labels = labels.collect::<Result<_, Diagnostic>>()?;
    let value = value(reader)?;
    let count = reader.number()?;
    let options = (0..count).map(|_| reader.number());
    Ok(Row {
        number,
        name,
        labels,
        value,
        options: options.collect::<Result<_, _>>()?,
    })
}

/// The results of one worker after labelling.
pub(crate) struct Results {
    layout: Layout,
    positions: u64,
    index: Index,
    answers: LabelsAndValues,
    options: Option<Options>,
    /// Index of the next name to send.
    next: usize,
    /// Row number in the table of each name that was sent so far, in the order of names.
    rows: Vec<u64>,
}

impl Results {
    /// Fetches the labels of the names from their owners. Converts the internal texts of positions
    /// to the names that are printed.
    pub(crate) fn new(
        rounds: &mut Rounds<'_>,
        (layout, positions): (Layout, u64),
        names: Names<'_>,
        answers: LabelsAndValues,
        options: Option<Options>,
    ) -> Result<Self, Diagnostic> {
        let (interner, start) = match names {
            Names::Ranked(game) => {
                return Ok(Self::of(
                    layout,
                    positions,
                    Index::Ranked(game),
                    answers,
                    options,
                ));
            }
            Names::Input(interner) => (interner, None),
            Names::Components(interner, start) => (interner, Some(start)),
        };
        let answers = answers.fetch(rounds, &interner.numbers, layout.turns)?;
        let (mut texts, turns) = (Texts::default(), layout.turns as u32);
        let mut visited = start.map(|start| (start, Visited::new(start.position)));
        for local in 0..interner.texts.len() as u32 {
            let text = interner.texts.get(local);
            match &mut visited {
                None => texts.push(text),
                Some((start, visited)) => {
                    let name = visited.name_of(text, &|text| (start.read)(text, turns));
                    texts.push(&name.ok_or_else(|| ambiguous_text(start))?);
                    // A name as printed is computed from the position, which is parsed from the
                    // text. The cache of positions is cleared when it exceeds an eighth of the
                    // memory.
                    if visited.bytes() > rounds.limits().memory / 8 {
                        *visited = Visited::new(start.position);
                    }
                }
            }
            if local.is_multiple_of(1 << 12) {
                rounds.poll()?;
            }
        }
        let numbers = interner.numbers;
        let mut order: Vec<u32> = (0..texts.len()).collect();
        order.sort_unstable_by_key(|&local| numbers[local as usize]);
        let index = Index::Texts {
            texts,
            numbers,
            order,
            by_name: false,
        };
        Ok(Self::of(layout, positions, index, answers, options))
    }

    /// Creates the results of a sieved table.
    pub(crate) fn from_sieve(layout: Layout, positions: u64, table: OwnedStretches) -> Self {
        let answers = LabelsAndValues {
            scores: Vec::new(),
            values: None,
        };
        Self::of(layout, positions, Index::Cells(table), answers, None)
    }

    /// Splits the [`CELLS_PER_REQUEST`] cells that start at `from` into pieces, each with its
    /// owner.
    pub(crate) fn pieces(&self, from: u64) -> Vec<Piece> {
        let Index::Cells(table) = &self.index else {
            return Vec::new();
        };
        let owner = table.owners();
        let (mut from, end) = (
            from,
            (from + CELLS_PER_REQUEST).min(self.layout.turns * self.positions),
        );
        let mut pieces = Vec::new();
        while from < end {
            // A piece ends at the end of its stretch, since neighbouring stretches have different
            // owners.
            let next = table.range_of(from).end.min(end);
            pieces.push(Piece {
                owner: owner(from) as usize,
                cells: from..next,
            });
            from = next;
        }
        pieces
    }

    /// Encodes the local cells among the [`CELLS_PER_REQUEST`] cells that start at `from`. Each
    /// [`Piece`] of consecutive cells is encoded as the byte width of a cell, followed by the
    /// bytes.
    pub(crate) fn put_cells(&self, out: &mut Vec<u8>, from: u64) {
        let Index::Cells(table) = &self.index else {
            return;
        };
        for Piece { cells, .. } in self.pieces(from) {
            if let Some(place) = table.local_index(cells.start) {
                // Cells may have different widths on different workers, because a worker widens its
                // table only when a value needs it.
                let end = place + cells.end - cells.start;
                put(out, table.cells().width());
                out.extend(table.cells().bytes(place as usize..end as usize));
            }
        }
    }

    fn of(
        layout: Layout,
        positions: u64,
        index: Index,
        answers: LabelsAndValues,
        options: Option<Options>,
    ) -> Self {
        Self {
            layout,
            positions,
            index,
            answers,
            options,
            next: 0,
            rows: Vec::new(),
        }
    }

    /// Encodes the row of the position whose local index is `local`. The position number is encoded
    /// relative to `from`.
    fn put(&self, out: &mut Vec<u8>, from: u64, local: u64) -> Result<(), Stop> {
        match &self.index {
            Index::Texts { texts, numbers, .. } => {
                put(out, numbers[local as usize] - from);
                put_text(out, texts.get(local as u32));
            }
            Index::Ranked(game) => {
                let rank = self.layout.position(local);
                put(out, rank - from);
                put_text(out, &game.position(rank)?.to_string());
            }
            Index::Cells(_) => {}
        }
        self.answers.put(out, local, self.layout.turns);
        let options: Vec<u64> = self
            .options
            .iter()
            .flat_map(|options| options.of(local as u32))
            .collect();
        put(out, options.len() as u64);
        options.iter().for_each(|&option| put(out, option));
        Ok(())
    }

    /// Encodes the rows of the local positions whose numbers are among the [`ROWS_PER_REQUEST`]
    /// numbers that start at `from`.
    pub(crate) fn put_from(&mut self, out: &mut Vec<u8>, from: u64) -> Result<(), Stop> {
        if let Index::Texts {
            numbers,
            order,
            by_name: by_name @ true,
            ..
        } = &mut self.index
        // The names were sorted for requests by name, and this request needs the order by number.
        // The writer makes all requests of one kind in a row, so sorting again is rare.
        {
            order.sort_unstable_by_key(|&local| numbers[local as usize]);
            *by_name = false;
        }
        let end = (from + ROWS_PER_REQUEST).min(self.positions);
        match &self.index {
            Index::Texts { numbers, order, .. } => {
                let begin = order.partition_point(|&local| numbers[local as usize] < from);
                let these = order[begin..].iter();
                these
                    .take_while(|&&local| numbers[local as usize] < end)
                    .try_for_each(|&local| self.put(out, from, local.into()))
            }
            Index::Ranked(_) => {
                let begin = self.layout.positions(from);
                (begin..self.layout.positions(end)).try_for_each(|local| self.put(out, from, local))
            }
            // A sieved table has cells and no rows.
            Index::Cells(_) => Ok(()),
        }
    }

    /// Sorts the names. Sending continues with the first name, or with the first name after `after`
    /// if it is given.
    pub(crate) fn sort(&mut self, after: Option<&str>) {
        self.next = 0;
        if let Index::Texts {
            texts,
            order,
            by_name,
            ..
        } = &mut self.index
        {
            // Names are compared as bytes, as in the table. For UTF-8 this is the order of code
            // points.
            if !*by_name {
                order.sort_unstable_by_key(|&local| texts.get(local).as_bytes());
                *by_name = true;
            }
            if let Some(after) = after {
                let passed = |&local: &u32| texts.get(local).as_bytes() <= after.as_bytes();
                self.next = order.partition_point(passed);
            }
        }
        self.rows.clear();
    }

    /// Encodes the next block of rows in the order of names, or only the names of these rows.
    pub(crate) fn put_next(&mut self, out: &mut Vec<u8>, names_only: bool) -> Result<(), Stop> {
        let Index::Texts { texts, order, .. } = &self.index else {
            return Ok(());
        };
        let mut next = self.next;
        while out.len() < BLOCK_BYTES {
            let Some(&local) = order.get(next) else { break };
            if names_only {
                put_text(out, texts.get(local));
            } else {
                self.put(out, 0, local.into())?;
            }
            next += 1;
        }
        self.next = next;
        Ok(())
    }

    /// Receives the row numbers of the names that were sent last.
    pub(crate) fn take_rows(&mut self, reader: &mut Reader<'_>) -> Result<(), Diagnostic> {
        let mut last = self.rows.last().copied().unwrap_or_default();
        while !reader.is_empty() {
            last += reader.number()?;
            self.rows.push(last);
        }
        Ok(())
    }

    /// Replaces the targets of the moves by row numbers. The row numbers of all names must be
    /// known.
    pub(crate) fn resolve(
        &mut self,
        rounds: &mut Rounds<'_>,
        limits: &Limits<'_>,
    ) -> Result<(), Diagnostic> {
        let Self {
            layout,
            positions,
            index,
            options,
            rows,
            ..
        } = self;
        let (layout, own) = (*layout, layout.positions(*positions) as usize);
        // Pass 1: the owner of a name knows its position number and its row number. It sends the
        // row number to the owner of the position number.
        let mut by_number = vec![0; own];
        limits.check(1, 8 * own as u64)?;
        let mut pairs = Vec::new();
        if let Index::Texts { numbers, order, .. } = index {
            let numbers = order.iter().map(|&local| numbers[local as usize]);
            pairs.extend(numbers.zip(rows.iter().copied()));
        }
        let mut next = 0;
        loop {
            while let Some(&(number, row)) = pairs.get(next) {
                let (owner, local) = layout.place(number);
                if !rounds.has_room_to(owner) {
                    break;
                }
                put(rounds.outbox(owner), local.into());
                put(rounds.outbox(owner), row);
                next += 1;
            }
            let arrived = rounds.swap(next < pairs.len(), [0; 4])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let local = reader.number()? as usize;
                    by_number[local] = reader.number()?;
                }
            }
            if !arrived.more {
                break;
            }
        }
        // Pass 2: the row number of each target is requested from the owner of its position number.
        let mut found = Vec::new();
        rounds.query(
            options.iter().flat_map(Options::targets),
            |number, out| put(out, by_number[(number / layout.workers) as usize]),
            |reader| {
                found.push(reader.number()?);
                Ok(())
            },
        )?;
        if let Some(options) = options {
            options.replace(found);
        }
        Ok(())
    }
}
