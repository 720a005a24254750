//! A small graph that represents a large one. It contains a sample of the names with all their
//! moves. The target of each move is replaced by a sampled name. To find this name, the hash of the
//! target is shifted to the range of the sampled hashes. The sampled name with the next hash
//! becomes the target.
//!
//! So the degrees of the sampled positions and the lengths of their names are preserved. Distances
//! are not preserved, and plays are shorter than in the large graph.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher as _};

use grundy_cluster::EdgeLists;
use grundy_core::Diagnostic;

use grundy_job::Job;

/// Largest number of names in the sample, and largest number of rows in the sample.
const MAX_SAMPLE: usize = 1 << 17;
/// Upper bound on [`Fold::zeros`]. At this bound the sample contains about one name in 2^40.
const MAX_ZEROS: u32 = 40;

/// A row of an edge list, with the hashes of its names.
struct Row {
    list: usize,
    from: u64,
    to: Option<u64>,
}

/// A sample of the names, namely those with the smallest hashes, and all rows whose first name is
/// in the sample.
pub(super) struct Fold {
    lists: usize,
    names: BTreeMap<u64, String>,
    rows: Vec<Row>,
    /// Least number of leading zero bits in the hash of a sampled name.
    zeros: u32,
    moves: u64,
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl Fold {
    /// Reads all lists once and samples their names.
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
                // The size of the input is not known in advance, so the sample is halved whenever
                // it is too large. Whether a name stays depends on its hash only, hence it is the
                // same in all lists.
                while (new.rows.len() > MAX_SAMPLE || new.names.len() > MAX_SAMPLE)
                    && new.zeros < MAX_ZEROS
                {
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

    /// Returns the hash of a name. Adds the name to the sample if its hash is small enough.
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

    /// Returns an estimate of the number of names in all lists. It is exact if the sample contains
    /// all names.
    pub(super) fn positions(&self) -> u64 {
        (self.names.len() as u64) << self.zeros
    }

    /// Returns the number of moves in all lists.
    pub(super) fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the sampled name that replaces the name with a given hash.
    fn replacement(&self, hash: u64) -> Option<&str> {
        // The hashes of sampled names begin with `zeros` zero bits. The shift maps all hashes
        // evenly to that range. A hash beyond the last sampled name wraps to the first one.
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
                row(from, to.and_then(|to| self.replacement(to)))?;
            }
        }
        Ok(())
    }
}
