//! A small graph that represents a large one. It contains some names with all their moves. Each
//! move leads to the next of these names in the order of hashes.
//!
//! So the degrees of positions and the lengths of names are preserved. Distances are not: long
//! plays become shorter.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher as _};

use grundy::Diagnostic;
use grundy_cluster::EdgeLists;

use grundy_job::Job;

/// Most names and most moves of the sample.
const MOST: usize = 1 << 17;
/// Bound on [`Fold::zeros`], reached when the sample keeps one name in 2^40.
const MOST_ZEROS: u32 = 40;

/// A row of a list, as hashes of its names.
struct Row {
    list: usize,
    from: u64,
    to: Option<u64>,
}

/// The names with the smallest hashes, and the rows that begin with them.
pub(super) struct Fold {
    lists: usize,
    names: BTreeMap<u64, String>,
    rows: Vec<Row>,
    /// Number of leading zeros that the hash of a kept name has.
    zeros: u32,
    moves: u64,
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl Fold {
    /// Reads all lists once.
    pub(super) fn new(lists: &dyn EdgeLists, job: &Job) -> Result<Self, Diagnostic> {
        let mut new = Self {
            lists: lists.lists(),
            names: BTreeMap::new(),
            rows: Vec::new(),
            zeros: 0,
            moves: 0,
        };
        for list in 0..lists.lists() {
            lists.read(list, &mut |from, to| {
                new.moves += u64::from(to.is_some());
                if new.moves.is_multiple_of(1 << 12) {
                    job.limits().poll()?;
                }
                let (from, to) = (new.name(from), to.map(|to| new.name(to)));
                if new.has(from) {
                    new.rows.push(Row { list, from, to });
                }
                // The sample must be bounded without knowing the size of the input. Each halving
                // keeps a random half of the names, consistently in all lists.
                while (new.rows.len() > MOST || new.names.len() > MOST) && new.zeros < MOST_ZEROS {
                    new.halve();
                }
                Ok(())
            })?;
        }
        Ok(new)
    }

    fn has(&self, hash: u64) -> bool {
        hash.leading_zeros() >= self.zeros
    }

    /// Returns the hash of a name. Keeps the name if its hash is small enough.
    fn name(&mut self, name: &str) -> u64 {
        let hash = hash(name);
        if self.has(hash) {
            self.names.entry(hash).or_insert_with(|| name.to_owned());
        }
        hash
    }

    fn halve(&mut self) {
        self.zeros += 1;
        let zeros = self.zeros;
        self.names.retain(|hash, _| hash.leading_zeros() >= zeros);
        self.rows.retain(|row| row.from.leading_zeros() >= zeros);
    }

    /// Returns an estimate of the number of names, which is exact if all are kept.
    pub(super) fn positions(&self) -> u64 {
        (self.names.len() as u64) << self.zeros
    }

    /// Returns the number of moves.
    pub(super) fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the name that represents the one with a hash.
    fn standing_for(&self, hash: u64) -> Option<&str> {
        // Shifting maps all hashes evenly to the range of the kept ones, whose leading bits are
        // zero. The last part of the range wraps to the first name.
        let hash = hash >> self.zeros;
        let next = self.names.range(hash..).next();
        let found = next.or_else(|| self.names.first_key_value());
        found.map(|(_, name)| name.as_str())
    }
}

impl EdgeLists for Fold {
    fn lists(&self) -> usize {
        self.lists
    }

    fn read(
        &self,
        list: usize,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        for Row { from, to, .. } in self.rows.iter().filter(|row| row.list == list) {
            if let Some(from) = self.names.get(from) {
                row(from, to.and_then(|to| self.standing_for(to)))?;
            }
        }
        Ok(())
    }
}
