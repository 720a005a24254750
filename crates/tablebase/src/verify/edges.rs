//! The moves of a game in memory, for checks that visit them repeatedly or backwards.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_base::{Diagnostic, Limits, Outcome, Stop};

use super::{CHUNK, Moves, VerifyError, Work, each_chunk, labels};

/// The number of an entry in 32 bits instead of 64, which halves the memory for the list of moves.
type Entry = u32;

/// The options of every entry of a game.
pub(super) struct Edges {
    entries: u64,
    chunks: Vec<Chunk>,
    /// The outcome of each entry without options, in ascending order of the entries.
    ends: Vec<(Entry, Outcome)>,
}

/// The options of [`CHUNK`] consecutive entries, in one list.
#[derive(Default)]
struct Chunk {
    /// The end of the options of each entry, as an index into `options`.
    ends: Vec<u32>,
    options: Vec<Entry>,
    terminal: Vec<(Entry, Outcome)>,
}

impl Edges {
    /// Computes and stores all moves of a game.
    pub(super) fn of(game: &(impl Moves + ?Sized), work: &Work<'_>) -> Result<Self, VerifyError> {
        let entries = game.entries();
        if entries > u64::from(Entry::MAX) {
            return Err(Stop::Positions(Entry::MAX.into()).into());
        }
        work.limits.check(entries, 4)?;
        // The memory limit applies to all chunks together. They are built on several threads, so an
        // atomic counter holds the total.
        let memory = work.limits.memory;
        let quiet = Work {
            progress: &|_| (),
            ..*work
        };
        let held = AtomicU64::new(4 * entries);
        let mut chunks = each_chunk(entries, &quiet, |range| {
            let mut chunk = Chunk::default();
            let mut options = Vec::new();
            for entry in range {
                options.clear();
                game.options(entry, &mut options)?;
                // This check also ensures that the cast to 32 bits below is lossless.
                if let Some(&option) = options.iter().find(|&&option| option >= entries) {
                    return Err(labels::outside(entry, option, false).into());
                }
                if options.is_empty() {
                    chunk.terminal.push((entry as Entry, game.end(entry)?));
                }
                chunk
                    .options
                    .extend(options.iter().map(|&option| option as Entry));
                chunk.ends.push(chunk.options.len() as u32);
            }
            // The size of a chunk is counted after it is built, so each thread can exceed the limit
            // by one chunk.
            let bytes = 4 * chunk.options.len() as u64;
            let held = held.fetch_add(bytes, Ordering::Relaxed) + bytes;
            if held > memory {
                return Err(Stop::Memory(memory).into());
            }
            Ok(chunk)
        })?;
        // Chunks are in order, so `ends` is sorted, as the binary search in `end` requires.
        let ends = chunks
            .iter_mut()
            .flat_map(|chunk| std::mem::take(&mut chunk.terminal))
            .collect();
        Ok(Self {
            entries,
            chunks,
            ends,
        })
    }

    /// Returns the options of an entry.
    pub(super) fn of_entry(&self, entry: u64) -> &[Entry] {
        let chunk = &self.chunks[(entry / CHUNK) as usize];
        let within = (entry % CHUNK) as usize;
        let first = within.checked_sub(1).map_or(0, |before| chunk.ends[before]);
        &chunk.options[first as usize..chunk.ends[within] as usize]
    }

    /// Returns the predecessors of each entry, that is, the entries with a move to it.
    pub(super) fn reversed(&self, limits: &Limits<'_>) -> Result<Sources, Stop> {
        let edges: u64 = self
            .chunks
            .iter()
            .map(|chunk| chunk.options.len() as u64)
            .sum();
        limits.check(self.entries + edges, 8)?;
        // A counting sort by target: count the predecessors, compute prefix sums, and then place
        // each predecessor.
        let mut first = vec![0u64; self.entries as usize + 1];
        let options = || self.chunks.iter().flat_map(|chunk| &chunk.options);
        for &option in options() {
            first[option as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut next = first.clone();
        let mut sources = vec![0; edges as usize];
        for entry in 0..self.entries {
            if entry.is_multiple_of(CHUNK) {
                limits.poll()?;
            }
            for &option in self.of_entry(entry) {
                let at = &mut next[option as usize];
                sources[*at as usize] = entry as Entry;
                *at += 1;
            }
        }
        Ok(Sources { first, sources })
    }
}

impl Moves for Edges {
    fn entries(&self) -> u64 {
        self.entries
    }

    fn descends(&self) -> bool {
        false
    }

    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic> {
        to.extend(self.of_entry(entry).iter().copied().map(u64::from));
        Ok(())
    }

    fn end(&self, entry: u64) -> Result<Outcome, Diagnostic> {
        let found = self
            .ends
            .binary_search_by_key(&entry, |&(end, _)| end.into());
        Ok(found.map_or(Outcome::D, |at| self.ends[at].1))
    }
}

/// The predecessors of every entry, in compressed sparse row form.
pub(super) struct Sources {
    first: Vec<u64>,
    sources: Vec<Entry>,
}

impl Sources {
    pub(super) fn of_entry(&self, entry: Entry) -> &[Entry] {
        let at = entry as usize;
        &self.sources[self.first[at] as usize..self.first[at + 1] as usize]
    }
}
