//! The claims of a tablebase, held in memory.

use std::collections::hash_map::Entry;

use grundy_base::{Diagnostic, Kind, Limits, Loopy, Outcome, Play, Stop, message};
use rustc_hash::FxHashMap;

use super::{Refusal, Wrong};
use crate::Record;
use crate::census::Census;
use crate::manifest::{GameKind, Manifest, Tally};
use crate::probe::Tablebase;

/// A label as a number: 0 for a draw, odd for P, even for N. It grows with the remoteness.
pub(super) type Code = u64;

/// The code of a draw.
pub(super) const DRAW: Code = 0;

/// Returns whether a code is that of a P-position.
#[inline]
pub(super) fn is_p(code: Code) -> bool {
    code & 1 == 1
}

/// The claimed labels and values of all entries of a table, or of some.
#[derive(Debug)]
pub struct Claims {
    scale: Scale,
    entries: u64,
    codes: Packed,
    /// The codes of values as in the table: 0 for none, 2 v + 1 for v, 2 s + 2 for infinity with
    /// the set of number s.
    values: Option<Packed>,
    sets: Vec<Vec<u64>>,
    /// The code of the best move: 0 for none, e + 1 for a move to entry e.
    best: Option<Packed>,
    /// The index of each entry. `None` if all entries are present in order.
    places: Option<FxHashMap<u64, u64>>,
}

/// The encoding of outcome and remoteness as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// The last move decides, so the parity of the remoteness r determines the winner. The code is
    /// r + 1 in normal play and r + 2 in misère play.
    LastMove(Play),
    /// The game ends with a payoff. The code is 2 r + 1 for P and 2 r + 2 for N.
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
        // The parity of the code must fit the outcome. It does not if a table claims, say, N in 2
        // moves of normal play.
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

/// Numbers in as few bytes as the greatest one needs.
#[derive(Debug)]
enum Packed {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Longs(Vec<u32>),
    Whole(Vec<u64>),
}

impl Packed {
    fn with_capacity(length: usize, limits: &Limits<'_>) -> Result<Self, Diagnostic> {
        // The codes of a remoteness up to 253 fit a byte, so the vector starts with bytes and is
        // widened only when a larger number comes.
        let mut bytes = Vec::new();
        limits.check(length as u64, 1)?;
        bytes
            .try_reserve_exact(length)
            .map_err(|_| Stop::Memory(limits.memory))?;
        Ok(Self::Bytes(bytes))
    }

    #[inline]
    fn get(&self, at: u64) -> u64 {
        let at = at as usize;
        match self {
            Self::Bytes(all) => all[at].into(),
            Self::Words(all) => all[at].into(),
            Self::Longs(all) => all[at].into(),
            Self::Whole(all) => all[at],
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

    /// Doubles the width of the numbers.
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

/// Returns the numbers in wider cells, with the same capacity.
fn wider<A: Copy, B: From<A>>(
    numbers: &Vec<A>,
    width: u64,
    limits: &Limits<'_>,
) -> Result<Vec<B>, Diagnostic> {
    // Of the capacity, not the length: the remaining entries need their room as well.
    let room = numbers.capacity();
    limits.check(room as u64, width)?;
    let mut wide = Vec::new();
    wide.try_reserve_exact(room)
        .map_err(|_| Stop::Memory(limits.memory))?;
    wide.extend(numbers.iter().map(|&number| B::from(number)));
    Ok(wide)
}

impl Claims {
    /// Reads a whole tablebase, and compares its checksums and its counts.
    pub(super) fn read(table: &mut Tablebase, limits: &Limits<'_>) -> Result<Self, Refusal> {
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
                // The error of the visitor cannot carry a `Wrong`, so the first bad entry is
                // reported after the loop.
                if code.is_none() {
                    bad.get_or_insert(entry);
                }
                codes.push(code.unwrap_or(DRAW), limits)
            },
        )?;
        if let Some(entry) = bad {
            return Err(no_label(entry).into());
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
                // The census is counted here because decoding every infinite value would read its
                // set.
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
            // The numbers of the sets are dense, so the greatest one gives their count.
            new.sets = (0..sets)
                .map(|number| table.set(number))
                .collect::<Result<_, _>>()?;
        }
        check_counts(table.manifest(), &census)?;
        table.check_rows(limits)?;
        Ok(new)
    }

    /// Reads the claims about some entries.
    pub(super) fn some(
        table: &mut Tablebase,
        entries: impl Iterator<Item = u64>,
    ) -> Result<Self, Refusal> {
        let kept = |column| table.manifest().column(column).is_some();
        let (has_values, has_moves) = (kept("grundy"), kept("move"));
        let mut records = Vec::new();
        for entry in entries {
            records.push((entry, table.record(entry)?));
        }
        Self::of(Scale::of(table), has_values, has_moves, records)
    }

    /// Collects the claims about some entries.
    fn of(
        scale: Scale,
        has_values: bool,
        has_moves: bool,
        records: impl IntoIterator<Item = (u64, Record)>,
    ) -> Result<Self, Refusal> {
        let limits = Limits::none();
        let mut codes = Packed::with_capacity(0, &limits)?;
        let mut values = Packed::with_capacity(0, &limits)?;
        let mut best = Packed::with_capacity(0, &limits)?;
        let (mut sets, mut places) = (Vec::new(), FxHashMap::default());
        for (entry, record) in records {
            let next = places.len() as u64;
            // An option may occur several times.
            let Entry::Vacant(place) = places.entry(entry) else {
                continue;
            };
            place.insert(next);
            let code = scale
                .code(record.outcome, record.remoteness)
                .ok_or_else(|| no_label(entry))?;
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

    /// Collects the claims about all positions of a game whose last move decides, in order.
    #[cfg(test)]
    pub(super) fn of_records(play: Play, records: &[Record]) -> Result<Self, Refusal> {
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

    /// Returns the entry after the best move. `None` if the entry has none, or if best moves are
    /// not stored.
    #[inline]
    pub(super) fn best(&self, entry: u64) -> Option<u64> {
        let best = self.best.as_ref()?;
        best.get(self.place(entry)).checked_sub(1)
    }

    /// Visits the codes of some entries.
    #[inline]
    pub(super) fn each_code(&self, entries: &[u64], mut visit: impl FnMut(Code)) {
        match (&self.codes, &self.places) {
            // The usual case of large tables. It keeps the match on the width out of the inner
            // loop.
            (Packed::Bytes(codes), None) => {
                for &entry in entries {
                    visit(codes[entry as usize].into());
                }
            }
            _ => entries.iter().for_each(|&entry| visit(self.code(entry))),
        }
    }

    /// Returns the code of an end of the game.
    pub(super) fn at_an_end(&self, outcome: Outcome) -> Code {
        let remoteness = (outcome != Outcome::D).then_some(0);
        // An outcome that an end cannot have gets a code that no entry has, so it never agrees.
        self.scale.code(outcome, remoteness).unwrap_or(Code::MAX)
    }

    /// Returns the code of an N-position whose quickest option P has this code.
    #[inline]
    pub(super) fn to_n(&self, code: Code) -> Code {
        match self.scale {
            Scale::LastMove(_) => code + 1,
            // From 2 r + 1 to 2 (r + 1) + 2.
            Scale::Payoff => code + 3,
            Scale::Outcomes(_) => 2,
        }
    }

    /// Returns the code of a P-position whose slowest option has this code.
    #[inline]
    pub(super) fn to_p(&self, code: Code) -> Code {
        match self.scale {
            // For payoffs this is from 2 r + 2 to 2 (r + 1) + 1.
            Scale::LastMove(_) | Scale::Payoff => code + 1,
            Scale::Outcomes(_) => 1,
        }
    }

    /// Formats a label: P4 is lost in four moves.
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

    /// Returns the value of an entry, if the table has one.
    #[inline]
    pub(super) fn value(&self, entry: u64) -> Value<'_> {
        let code = self
            .values
            .as_ref()
            .map_or(0, |values| values.get(self.place(entry)));
        match code {
            0 => Value::None,
            odd if odd % 2 == 1 => Value::Finite(odd / 2),
            // A number without a set is treated as a missing value, which every check rejects.
            even => match self.sets.get((even / 2 - 1) as usize) {
                Some(set) => Value::Infinite(set),
                None => Value::None,
            },
        }
    }

    /// Returns the error for a table with another number of entries than its game.
    pub(super) fn other_size(&self, expected: u64) -> Diagnostic {
        Diagnostic::new(
            Kind::Io,
            message!(
                "the table has {found} entries and its game {expected}",
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

/// Compares the counts of the manifest with the counted ones.
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
        return refuse(message!("the manifest counts other labels than there are"));
    }
    Ok(())
}

/// Decodes the outcome and the remoteness of a row, if they are valid.
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

/// Returns the error for a label that no entry can have.
#[cold]
fn no_label(entry: u64) -> Wrong {
    Wrong {
        entry,
        why: message!("its outcome and its remoteness go with no play"),
    }
}
