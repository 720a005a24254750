//! The claims of a tablebase about its entries (labels, values and best moves), stored in memory.

use std::collections::hash_map::Entry;

use grundy_base::{Diagnostic, Kind, Limits, Loopy, Outcome, Play, Stop, message};
use rustc_hash::FxHashMap;

use super::{VerifyError, WrongEntry};
use crate::Record;
use crate::census::Census;
use crate::manifest::{GameKind, Manifest, Tally};
use crate::probe::Tablebase;

/// A label (an outcome with its remoteness) as one number, its code. The code of a draw is 0, the
/// codes of labels P are odd, and the other codes of labels N are even. For the same outcome, a
/// greater remoteness has a greater code.
pub(super) type Code = u64;

/// The code of a draw.
pub(super) const DRAW: Code = 0;

/// Returns whether a code is that of a P-position.
#[inline]
pub(super) fn is_p(code: Code) -> bool {
    code & 1 == 1
}

/// The claimed labels, values and best moves of all entries of a table, or of some entries.
#[derive(Debug)]
pub struct Claims {
    scale: Scale,
    entries: u64,
    codes: Packed,
    /// The value of each entry as a code: 0 for none, 2 v + 1 for a number v, and 2 s + 2 for
    /// infinity with set number s.
    values: Option<Packed>,
    sets: Vec<Vec<u64>>,
    /// The best move of each entry as a code: 0 for none, and e + 1 for a move to entry e.
    best: Option<Packed>,
    /// The index of each entry in the lists of label codes, values and best moves. `None` if the
    /// lists contain all entries in order.
    places: Option<FxHashMap<u64, u64>>,
}

/// The encoding of outcome and remoteness as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// The last move decides, so the parity of the remoteness r determines the winner. The code is
    /// r + 1 in normal play, and r + 2 in misère play.
    LastMove(Play),
    /// A payoff decides at the end of the game. With remoteness r the code is 2 r + 1 for P, and 2
    /// r + 2 for N.
    Payoff,
    /// Remoteness is not stored. The code is 1 for P and 2 for N.
    Outcomes(Play),
}

impl Scale {
    fn of(table: &Tablebase) -> Self {
        let manifest = table.manifest();
        match manifest.about.kind {
            _ if manifest.column("remoteness").is_none() => Self::Outcomes(manifest.about.play),
            GameKind::Ties => Self::Payoff,
            GameKind::Impartial | GameKind::Partizan => Self::LastMove(manifest.about.play),
        }
    }

    fn code(self, outcome: Outcome, remoteness: Option<u32>) -> Option<Code> {
        let wins = match outcome {
            Outcome::D => return remoteness.is_none().then_some(DRAW),
            Outcome::N => 1,
            Outcome::P => 0,
        };
        let code = match self {
            Self::Outcomes(_) => return Some(1 + wins),
            Self::LastMove(Play::Normal) => Code::from(remoteness?) + 1,
            Self::LastMove(Play::Misere) => Code::from(remoteness?) + 2,
            Self::Payoff => 2 * Code::from(remoteness?) + 1 + wins,
        };
        // The parity of the code must agree with the outcome. It does not if a table claims, for
        // example, N with remoteness 2 in normal play.
        (code & 1 != wins).then_some(code)
    }

    fn remoteness(self, code: Code) -> Option<u64> {
        match self {
            Self::LastMove(Play::Normal) => Some(code - 1),
            Self::LastMove(Play::Misere) => Some(code - 2),
            Self::Payoff => Some((code - 1) / 2),
            Self::Outcomes(_) => None,
        }
    }
}

/// A list of numbers, which all take the same number of bytes: 1, 2, 4 or 8, as the greatest number
/// needs.
#[derive(Debug)]
enum Packed {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Longs(Vec<u32>),
    Whole(Vec<u64>),
}

impl Packed {
    fn with_capacity(length: usize, limits: &Limits<'_>) -> Result<Self, Diagnostic> {
        // The code of a remoteness of up to 253 fits in a byte. So the list starts with bytes and
        // is widened when a larger number is added.
        let mut bytes = Vec::new();
        limits.check(length as u64, 1)?;
        bytes
            .try_reserve_exact(length)
            .map_err(|_| Stop::Memory(limits.memory))?;
        Ok(Self::Bytes(bytes))
    }

    #[inline]
    fn get(&self, index: u64) -> u64 {
        let index = index as usize;
        match self {
            Self::Bytes(all) => all[index].into(),
            Self::Words(all) => all[index].into(),
            Self::Longs(all) => all[index].into(),
            Self::Whole(all) => all[index],
        }
    }

    fn push(&mut self, number: u64, limits: &Limits<'_>) -> Result<(), Diagnostic> {
        loop {
            match self {
                Self::Bytes(all) if number <= u8::MAX.into() => all.push(number as u8),
                Self::Words(all) if number <= u16::MAX.into() => all.push(number as u16),
                Self::Longs(all) if number <= u32::MAX.into() => all.push(number as u32),
                Self::Whole(all) => all.push(number),
                _ => {
                    self.widen(limits)?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Doubles the bytes that each number takes.
    fn widen(&mut self, limits: &Limits<'_>) -> Result<(), Diagnostic> {
        let wide = match self {
            Self::Bytes(all) => Self::Words(wider(all, 2, limits)?),
            Self::Words(all) => Self::Longs(wider(all, 4, limits)?),
            Self::Longs(all) => Self::Whole(wider(all, 8, limits)?),
            Self::Whole(_) => return Ok(()),
        };
        *self = wide;
        Ok(())
    }
}

/// Returns a copy of the numbers in a wider integer type, with the capacity of the old list.
fn wider<A: Copy, B: From<A>>(
    numbers: &Vec<A>,
    width: u64,
    limits: &Limits<'_>,
) -> Result<Vec<B>, Diagnostic> {
    // The capacity is kept, since the numbers that are still missing need room as well.
    let room = numbers.capacity();
    limits.check(room as u64, width)?;
    let mut wide = Vec::new();
    wide.try_reserve_exact(room)
        .map_err(|_| Stop::Memory(limits.memory))?;
    wide.extend(numbers.iter().map(|&number| B::from(number)));
    Ok(wide)
}

impl Claims {
    /// Reads the claims of a tablebase about all entries: labels, values and best moves. Verifies
    /// the checksums and the counts in the manifest.
    pub(super) fn read(table: &mut Tablebase, limits: &Limits<'_>) -> Result<Self, VerifyError> {
        table.check()?;
        let scale = Scale::of(table);
        let entries = table.rows();
        let length = usize::try_from(entries).map_err(|_| Stop::Memory(limits.memory))?;
        let mut codes = Packed::with_capacity(length, limits)?;
        let mut census = Census::default();
        let mut bad = None;
        table.each(
            0..entries,
            ["outcome", "remoteness"],
            limits,
            |_, entry, [outcome, remoteness]| {
                let label = label_of(outcome, remoteness);
                let code = label.and_then(|(outcome, moves)| {
                    census.label(entry, outcome, moves);
                    scale.code(outcome, moves)
                });
                // The error of the visitor cannot carry a `Wrong`. So the first wrong entry is
                // stored and reported after the loop.
                if code.is_none() {
                    bad.get_or_insert(entry);
                }
                codes.push(code.unwrap_or(DRAW), limits)
            },
        )?;
        if let Some(entry) = bad {
            return Err(impossible_label(entry).into());
        }
        let mut new = Self {
            scale,
            entries,
            codes,
            values: None,
            sets: Vec::new(),
            best: None,
            places: None,
        };
        if table.manifest().column("move").is_some() {
            let mut best = Packed::with_capacity(length, limits)?;
            table.each(0..entries, ["move"], limits, |_, _, [to]| {
                best.push(to, limits)
            })?;
            new.best = Some(best);
        }
        if table.manifest().column("grundy").is_some() {
            let mut values = Packed::with_capacity(length, limits)?;
            let mut sets = 0;
            table.each(0..entries, ["grundy"], limits, |_, _, [code]| {
                // The census is counted from codes, because decoding an infinite value would read
                // its set from the table.
                match code {
                    0 => (),
                    odd if odd % 2 == 1 => census.grundy.count(odd / 2),
                    even => {
                        census.infinite += 1;
                        sets = sets.max(even / 2);
                    }
                }
                values.push(code, limits)
            })?;
            new.values = Some(values);
            // Sets are numbered without gaps, so their count follows from the greatest number.
            new.sets = (0..sets)
                .map(|number| table.set(number))
                .collect::<Result<_, _>>()?;
        }
        check_counts(table.manifest(), &census)?;
        table.check_rows(limits)?;
        Ok(new)
    }

    /// Reads the claims of a tablebase about the given entries: labels, values and best moves.
    pub(super) fn of_entries(
        table: &mut Tablebase,
        entries: impl Iterator<Item = u64>,
    ) -> Result<Self, VerifyError> {
        let has_column = |column| table.manifest().column(column).is_some();
        let (has_values, has_moves) = (has_column("grundy"), has_column("move"));
        let mut records = Vec::new();
        for entry in entries {
            records.push((entry, table.record(entry)?));
        }
        Self::of(Scale::of(table), has_values, has_moves, records)
    }

    /// Collects the claims (labels, values and best moves) of the given records. Each record is
    /// given with its entry number.
    fn of(
        scale: Scale,
        has_values: bool,
        has_moves: bool,
        records: impl IntoIterator<Item = (u64, Record)>,
    ) -> Result<Self, VerifyError> {
        let limits = Limits::none();
        let mut codes = Packed::with_capacity(0, &limits)?;
        let mut values = Packed::with_capacity(0, &limits)?;
        let mut best = Packed::with_capacity(0, &limits)?;
        let (mut sets, mut places) = (Vec::new(), FxHashMap::default());
        for (entry, record) in records {
            let next = places.len() as u64;
            // An option may occur several times among the entries, but is stored once.
            let Entry::Vacant(place) = places.entry(entry) else {
                continue;
            };
            place.insert(next);
            let code = scale
                .code(record.outcome, record.remoteness)
                .ok_or_else(|| impossible_label(entry))?;
            codes.push(code, &limits)?;
            let value = match record.value {
                None => 0,
                Some(Loopy::Finite(value)) => 2 * value + 1,
                Some(Loopy::Infinite(set)) => {
                    sets.push(set);
                    2 * sets.len() as u64
                }
            };
            values.push(value, &limits)?;
            best.push(record.best.map_or(0, |to| to + 1), &limits)?;
        }
        Ok(Self {
            scale,
            entries: places.len() as u64,
            codes,
            values: has_values.then_some(values),
            sets,
            best: has_moves.then_some(best),
            places: Some(places),
        })
    }

    /// Collects the claims of `records`, the records of all positions in order. The game must be
    /// one in which the last move decides.
    #[cfg(test)]
    pub(super) fn of_records(play: Play, records: &[Record]) -> Result<Self, VerifyError> {
        let records = (0..).zip(records.iter().cloned());
        Self::of(Scale::LastMove(play), play == Play::Normal, true, records)
    }

    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    pub(super) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    #[inline]
    fn place(&self, entry: u64) -> u64 {
        match &self.places {
            None => entry,
            Some(places) => places[&entry],
        }
    }

    #[inline]
    pub(super) fn code(&self, entry: u64) -> Code {
        self.codes.get(self.place(entry))
    }

    pub(super) fn has_moves(&self) -> bool {
        self.best.is_some()
    }

    /// Returns the entry that the best move leads to. Returns `None` if the entry has no best move,
    /// or if best moves are not stored.
    #[inline]
    pub(super) fn best(&self, entry: u64) -> Option<u64> {
        let best = self.best.as_ref()?;
        best.get(self.place(entry)).checked_sub(1)
    }

    /// Calls `visit` with the label code of each of the given entries.
    #[inline]
    pub(super) fn each_code(&self, entries: &[u64], mut visit: impl FnMut(Code)) {
        match (&self.codes, &self.places) {
            // The usual case for large tables is separate, so that the inner loop contains no match
            // on the width.
            (Packed::Bytes(codes), None) => {
                for &entry in entries {
                    visit(codes[entry as usize].into());
                }
            }
            _ => entries.iter().for_each(|&entry| visit(self.code(entry))),
        }
    }

    /// Returns the label code of an entry without options that has the given outcome.
    pub(super) fn terminal_code(&self, outcome: Outcome) -> Code {
        let remoteness = (outcome != Outcome::D).then_some(0);
        // If an end of the game cannot have the outcome, it gets a code that no entry has. So the
        // comparison fails.
        self.scale.code(outcome, remoteness).unwrap_or(Code::MAX)
    }

    /// Returns the label code of an N-position. `code` is the least label code of its options that
    /// are P-positions.
    #[inline]
    pub(super) fn to_n(&self, code: Code) -> Code {
        match self.scale {
            Scale::LastMove(_) => code + 1,
            // From 2 r + 1 to 2 (r + 1) + 2.
            Scale::Payoff => code + 3,
            Scale::Outcomes(_) => 2,
        }
    }

    /// Returns the label code of a P-position. `code` is the greatest label code of its options,
    /// which are all N-positions.
    #[inline]
    pub(super) fn to_p(&self, code: Code) -> Code {
        match self.scale {
            // For payoffs this is from 2 r + 2 to 2 (r + 1) + 1.
            Scale::LastMove(_) | Scale::Payoff => code + 1,
            Scale::Outcomes(_) => 1,
        }
    }

    /// Formats the label with a given code. For example, P4 is a loss in four moves.
    pub(super) fn label(&self, code: Code) -> String {
        let letter = match code {
            DRAW => return "D".to_owned(),
            _ if is_p(code) => 'P',
            _ => 'N',
        };
        match self.scale.remoteness(code) {
            Some(moves) => format!("{letter}{moves}"),
            None => letter.to_string(),
        }
    }

    /// Returns the claimed value of an entry.
    #[inline]
    pub(super) fn value(&self, entry: u64) -> Value<'_> {
        let code = self
            .values
            .as_ref()
            .map_or(0, |values| values.get(self.place(entry)));
        match code {
            0 => Value::None,
            odd if odd % 2 == 1 => Value::Finite(odd / 2),
            // A set number without a set is treated as a missing value, which every check rejects.
            even => match self.sets.get((even / 2 - 1) as usize) {
                Some(set) => Value::Infinite(set),
                None => Value::None,
            },
        }
    }

    /// Returns the error for a table whose number of entries is not that of its game.
    pub(super) fn wrong_size(&self, expected: u64) -> Diagnostic {
        Diagnostic::new(
            Kind::Io,
            message!(
                "the table has {found} entries, but a table of its game must have {expected}",
                found = self.entries,
                expected
            ),
        )
    }
}

/// The claimed value of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    None,
    Finite(u64),
    Infinite(&'a [u64]),
}

impl Value<'_> {
    pub(super) fn text(self) -> String {
        match self {
            Self::None => "?".to_owned(),
            Self::Finite(value) => value.to_string(),
            Self::Infinite(set) => Loopy::Infinite(set.to_vec()).to_string(),
        }
    }
}

/// Compares the counts of outcomes, remoteness and values in the manifest with the counts found in
/// the table.
fn check_counts(manifest: &Manifest, counted: &Census) -> Result<(), Diagnostic> {
    let refuse = |message| Err(Diagnostic::new(Kind::Io, message));
    let (said, found) = (manifest.outcomes, Tally::of(counted));
    for (outcome, said, found) in [
        ("N", said.n, found.n),
        ("P", said.p, found.p),
        ("D", said.d, found.d),
    ] {
        if said != found {
            return refuse(message!(
                "the manifest counts {said} entries with outcome {outcome}, but there are {found}",
                said,
                outcome,
                found
            ));
        }
    }
    if manifest.census != *counted {
        return refuse(message!("the counts of labels in the manifest are wrong"));
    }
    Ok(())
}

/// Decodes the outcome and the remoteness of an entry from the numbers in its row. Returns `None`
/// if a number is invalid.
fn label_of(outcome: u64, remoteness: u64) -> Option<(Outcome, Option<u32>)> {
    let outcome = match outcome {
        0 => Outcome::P,
        1 => Outcome::N,
        2 => Outcome::D,
        _ => return None,
    };
    let moves = remoteness.checked_sub(1).map(u32::try_from);
    Some((outcome, moves.transpose().ok()?))
}

/// Returns the error for an entry whose outcome and remoteness contradict each other.
#[cold]
fn impossible_label(entry: u64) -> WrongEntry {
    WrongEntry {
        entry,
        why: message!("its outcome and its remoteness contradict each other"),
    }
}
