//! The engine of sparse spaces, which computes Grundy values of octal games and of Grundy's game.
//! It verifies every value.
//!
//! A move splits the rest of a heap into a and b. Heaps are common or rare (see [`Classes`]), and
//! the classes add like parities. Hence a common value is reached only by a split with exactly one
//! rare heap. If few heaps are rare, all such splits are tried. The least common value that they
//! miss is the candidate. The candidate is the value of the heap, unless a smaller rare value is
//! missing as well. So each smaller rare value is searched for among the splits with small a, and a
//! few dozen splits are usually enough. If all splits miss some rare value, then the least such
//! value is the value of the heap, which is a new rare heap. Every value is therefore exact, no
//! matter how the classes are chosen.
//!
//! Splits are compared `BLOCK` at a time: a block of small heaps, stored in reverse order, is
//! compared with a block of large heaps. If many heaps are rare, 64 heaps are computed together
//! (modules `byte_blocks` and `word_blocks`).

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

mod byte_blocks;
mod dispatch;
mod frontier;
mod listed;
mod missing;
mod packing;
mod reached;
mod word_blocks;

use byte_blocks::ByteBlocks;
use frontier::Frontier;
use reached::{Bytes, ReachedValues, WordOfValues};
use word_blocks::{NextStep, WordBlocks};

use super::classes::Classes;
use super::compact_values::{CompactValues, Entry, Recurrence};
use super::recurrence::Budget;
use super::rules::HeapRules;
use grundy_base::limits::Stop;

/// Number of splits that are compared together.
pub(crate) const BLOCK: usize = 64;

/// Largest number of blocks of small heaps that are stored in reverse order. Splits whose smaller
/// heap is not in these blocks are compared one by one.
const MAX_BLOCKS: usize = 4096;

/// Least number of heaps that the plain recurrence computes. Their values determine the first
/// choice of the classes.
const MIN_PLAIN: usize = 1024;

/// The moves of a game, for heaps that are so large that every move leaves a non-empty heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeapMoves {
    /// Numbers of chips that a move may take if it leaves one heap.
    pub(crate) takes: Vec<usize>,
    /// Numbers of chips that a move may take if it leaves two heaps.
    pub(crate) breaks: Vec<usize>,
    /// The largest number of chips that a move may take.
    pub(crate) last: usize,
    /// `true` if the two heaps of a split must have different sizes.
    pub(crate) unequal: bool,
}

impl HeapMoves {
    /// Returns the moves of a game whose moves leave at most two heaps. Returns `None` for other
    /// games.
    pub(crate) fn of(rules: &HeapRules) -> Option<Self> {
        match rules {
            HeapRules::UnequalSplit => Some(Self {
                breaks: vec![0],
                unequal: true,
                ..Self::default()
            }),
            // Bits 1 and 2 of a digit, with values 2 and 4, allow moves that leave one heap and two
            // heaps. Bit 0, a move that leaves no heap, does not apply to heaps from `start()`
            // upward.
            HeapRules::TakeAndBreak(code) if code.most_heaps() == 2 => {
                let last = code.last()? as usize;
                let with = |bit| (0..=last).filter(move |&take| code.digit(take as u64) & bit != 0);
                Some(Self {
                    takes: with(2).collect(),
                    breaks: with(4).collect(),
                    last,
                    unequal: false,
                })
            }
            _ => None,
        }
    }

    /// Returns the first heap that the engine computes. The plain recurrence computes all smaller
    /// heaps.
    pub(crate) fn start(&self) -> u64 {
        MIN_PLAIN.max(2 * self.last) as u64
    }

    /// Returns the number of splits of `rest` into two heaps. The order of the two heaps does not
    /// count.
    fn splits(&self, rest: usize) -> usize {
        if self.unequal {
            rest.saturating_sub(1) / 2
        } else {
            rest / 2
        }
    }
}

/// The state of the engine for one sequence. The values are stored separately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    classes: Option<Classes>,
    /// The rare heaps, in ascending order.
    rares: Vec<usize>,
    /// The first heap that was computed with the current rule `classes` for common and rare heaps.
    since: usize,
    /// For each number b, entry b is the last heap whose verification needed exactly b blocks, each
    /// of `BLOCK` small heaps.
    last_use: Vec<usize>,
    /// The number of rare heaps at the time when the current rule `classes` was chosen.
    chosen_at: usize,
}

/// The data of the engine that a checkpoint contains, apart from the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseSnapshot {
    /// The rule that separates common from rare heaps.
    pub classes: Option<Classes>,
    /// The first heap that was computed with the rule `classes`.
    pub since: u64,
    /// The number of rare heaps at the time when the rule `classes` was chosen.
    pub chosen_at: u64,
    /// Pairs (b, n): heap n is the last heap whose verification needed exactly b blocks of 64 small
    /// heaps.
    pub last_use: Vec<(u64, u64)>,
}

/// The evidence that the hypotheses of the sparse-window theorem hold for all heaps from a certain
/// heap upward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Witness {
    pub(crate) classes: Classes,
    pub(crate) rares: Vec<usize>,
    /// A bound on the smaller heap in the splits that the evidence needs. For each verified heap,
    /// three kinds of moves reach all rare values below its value. They are takes, splits with a
    /// rare heap, and splits with a heap of at most `reach` chips.
    pub(crate) reach: usize,
}

impl Sparse {
    pub(crate) fn space(&self) -> Option<(Classes, &[usize])> {
        Some((self.classes?, &self.rares))
    }

    pub(crate) fn snapshot(&self) -> SparseSnapshot {
        // Heap 0 is never recorded. So an entry 0 means that no heap needed exactly this number of
        // blocks.
        let used = self
            .last_use
            .iter()
            .enumerate()
            .filter(|(_, heap)| **heap > 0);
        SparseSnapshot {
            classes: self.classes,
            since: self.since as u64,
            chosen_at: self.chosen_at as u64,
            last_use: used
                .map(|(blocks, &heap)| (blocks as u64, heap as u64))
                .collect(),
        }
    }

    /// Creates the engine from `values` and from a `snapshot` that was taken when exactly these
    /// values were computed.
    pub(crate) fn resume(values: &CompactValues, snapshot: SparseSnapshot) -> Self {
        let mut sparse = Self {
            classes: snapshot.classes,
            since: snapshot.since as usize,
            chosen_at: snapshot.chosen_at as usize,
            ..Self::default()
        };
        if let Some(classes) = snapshot.classes {
            let heaps = values.iter().enumerate().skip(1);
            let rares = heaps.filter(|&(n, value)| !classes.common(n, value));
            sparse.rares = rares.map(|(n, _)| n).collect();
        }
        for (blocks, heap) in snapshot.last_use {
            // A heap of n needs at most n / BLOCK blocks. A larger number means that the snapshot
            // is damaged, and `record` would allocate a vector of this length.
            if blocks <= values.len() as u64 {
                sparse.record(blocks as usize, heap as usize);
            }
        }
        sparse
    }

    /// Returns the first heap that was computed with the current rule for common and rare heaps.
    pub(crate) fn since(&self) -> usize {
        self.since
    }

    /// Returns the evidence for all heaps from `from` upward. Returns `None` if some of these heaps
    /// were computed with an earlier rule for common and rare heaps.
    pub(crate) fn witness(&self, from: usize) -> Option<Witness> {
        let classes = self.classes.filter(|_| from >= self.since)?;
        // All heaps from `from` upward needed at most this number of blocks.
        let blocks = self.last_use.iter().rposition(|&n| n >= from).unwrap_or(0);
        Some(Witness {
            classes,
            rares: self.rares.clone(),
            reach: blocks.max(1) * BLOCK,
        })
    }

    /// Records that the verification of heap `n` needed exactly `blocks` blocks of `BLOCK` small
    /// heaps. Heaps are recorded in ascending order, so the last recorded heap replaces earlier
    /// heaps with the same number of blocks.
    #[inline(always)]
    fn record(&mut self, blocks: usize, n: usize) {
        if self.last_use.len() <= blocks {
            self.last_use.resize(blocks + 1, 0);
        }
        self.last_use[blocks] = n;
    }

    /// Returns a bound on the smaller heap in the splits that the verification has needed since the
    /// last call of `clear_uses`. Takes, splits with a rare heap, and splits with a heap of at most
    /// this size reached all rare values that had to be reached.
    pub(crate) fn reach(&self) -> usize {
        self.last_use.len().saturating_sub(1).max(1) * BLOCK
    }

    /// Forgets how many blocks of small heaps the verification of earlier heaps needed.
    pub(crate) fn clear_uses(&mut self) {
        self.last_use.clear();
    }

    fn choose<E: Entry>(&mut self, moves: &HeapMoves, values: &[E]) {
        let classes = Classes::best(values, &moves.breaks);
        self.rares = (1..values.len())
            .filter(|&n| !classes.common(n, values[n].get()))
            .collect();
        self.classes = Some(classes);
        self.since = values.len();
        self.last_use.clear();
        self.chosen_at = self.rares.len();
    }
}

/// The restrictions of a run that does not store the values of middle heaps. Such a run reads only
/// the values of the smallest heaps and of the last heaps. Indices count only the stored values.
/// The number of omitted values is even, so that an index has the parity of its heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Omission {
    /// Number of blocks, each of `BLOCK` small heaps, whose values are all stored.
    pub(crate) blocks: usize,
    /// `true` if the next value depends on a value that is not stored. Then the run stops before
    /// this value.
    pub(crate) blocked: bool,
}

/// A run of the engine, which appends values until there are `count` of them.
pub(crate) struct Run<'a, 'b, 'c> {
    pub(crate) moves: &'a HeapMoves,
    pub(crate) sparse: &'a mut Sparse,
    pub(crate) count: usize,
    pub(crate) budget: Budget<'b, 'c>,
    /// The restrictions of a run whose middle values are not stored. `None` if all values are
    /// stored.
    pub(crate) omission: Option<Omission>,
    /// The vector instructions to use. They never change the values.
    pub(crate) instructions: pulp::Arch,
}

impl Recurrence for Run<'_, '_, '_> {
    fn run<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop> {
        while values.len() < self.count && !self.omission.is_some_and(|omission| omission.blocked) {
            let instructions = self.instructions;
            let segment = Segment {
                run: self,
                values: &mut *values,
            };
            // The code is compiled separately for each instruction set. Entries of four and eight
            // bytes are rare, so only the portable code is compiled for them.
            let fits = if E::SHORT {
                instructions.dispatch(segment)?
            } else {
                pulp::NullaryFnOnce::call(segment)?
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The part of a run until the rule for common and rare heaps is chosen again. It is a function
/// object, since `pulp` compiles such objects for each set of vector instructions.
struct Segment<'s, 'a, 'b, 'c, E> {
    run: &'s mut Run<'a, 'b, 'c>,
    values: &'s mut Vec<E>,
}

impl<E: Entry> pulp::NullaryFnOnce for Segment<'_, '_, '_, '_, E> {
    type Output = Result<bool, Stop>;

    #[inline(always)]
    fn call(self) -> Result<bool, Stop> {
        let Segment { run, values } = self;
        if run.sparse.classes.is_none() {
            run.sparse.choose(run.moves, values);
        }
        // The xor of two values below 64 is below 64. So one word of 64 bits can store the set of
        // reached values.
        if E::BYTE {
            let largest = values.iter().map(|value| value.get()).max().unwrap_or(0);
            if largest < 64 {
                return run_segment::<E, WordOfValues>(run, values);
            }
        }
        run_segment::<E, Bytes>(run, values)
    }
}

/// Computes values until there are `count` of them. Stops early if a value does not fit into an
/// entry, or depends on a value that is not stored. Also stops early if the rule for common and
/// rare heaps must be chosen again. Returns `false` if a value does not fit.
#[inline(always)]
fn run_segment<E: Entry, S: ReachedValues<E>>(
    run: &mut Run<'_, '_, '_>,
    values: &mut Vec<E>,
) -> Result<bool, Stop> {
    let Run {
        moves,
        sparse,
        count,
        budget,
        omission,
        instructions,
    } = run;
    let Some(classes) = sparse.classes else {
        return Ok(false);
    };
    let largest = values.iter().map(|value| value.get()).max().unwrap_or(0);
    // The size is a power of two, so the xor of two values below it stays below it. Hence accesses
    // to tables of this size need no bounds check.
    let size = (largest + 1).next_power_of_two().max(BLOCK as u64);
    let reached = S::new(classes, largest);
    let max_blocks = omission.map_or(MAX_BLOCKS, |omission| omission.blocks);
    let mut frontier = Frontier::new(moves, reached, &sparse.rares, values, max_blocks);
    // The blocks contain the small heaps up to `small`. All of these must be stored.
    let stored = |small| omission.is_none_or(|omission| omission.blocks * BLOCK >= small);
    let new_bytes = || ByteBlocks::new(classes, size, *instructions, values);
    let mut byte_blocks = stored(byte_blocks::SMALL).then(new_bytes).flatten();
    let new_words = || WordBlocks::new(classes, size, *instructions, values);
    let mut word_blocks = stored(word_blocks::SMALL).then(new_words).flatten();
    // Steps are counted for 4,096 heaps at a time, since a call for each heap would be noticeably
    // slow.
    let mut next_charge = (values.len() + 1).next_multiple_of(4096);
    while values.len() < *count {
        if values.len() >= next_charge {
            let splits = moves.breaks.len() * (frontier.rare_values.len() + 2 * BLOCK);
            budget.spend(4096 * (1 + splits as u64 / 8))?;
            next_charge += 4096;
        }
        // If about every third or sixth heap is rare, then splits with rare heaps cost as much as
        // all splits. In this case all splits are marked, which is simpler and also verifies the
        // rare values.
        let dense = omission.is_none() && frontier.rare_values.len() > values.len() / S::RARE_SHARE;
        if let Some(byte_blocks) = &mut byte_blocks
            && ByteBlocks::ready(values.len(), size, moves, &sparse.rares)
        {
            if !byte_blocks.block(*count, size, &mut frontier, values, sparse) {
                continue;
            }
        } else if let Some(word_blocks) = &mut word_blocks
            && !dense
            && WordBlocks::ready(values.len(), moves, sparse.rares.len())
        {
            match word_blocks.block(*count, omission.is_some(), &mut frontier, values, sparse) {
                NextStep::Block => continue,
                NextStep::SingleHeap => {}
                NextStep::ChooseClasses => {
                    sparse.choose(moves, values);
                    return Ok(true);
                }
            }
        }
        let n = values.len();
        let blocks = frontier.store_blocks(n, values);
        frontier.mark_near_and_rare(n, values, !dense);
        if dense {
            budget.spend((n * moves.breaks.len()) as u64 / 8)?;
            frontier.mark_all(n, blocks, values);
        }
        // A split of two common or of two rare heaps never reaches a common value, and all other
        // splits are marked. So `least` is exact. Only a smaller rare value can still be the mex.
        let least = frontier.reached.least_common(n).unwrap_or(size);
        frontier
            .reached
            .missing_rares(n, least, &mut frontier.missing);
        let needed = if dense {
            n / BLOCK + 1
        } else if frontier.missing.is_empty() {
            1
        } else {
            let needed = frontier.verify(n, blocks, values);
            if frontier.missing.is_empty() {
                needed
            } else if let Some(omission) = omission {
                omission.blocked = true;
                return Ok(true);
            } else {
                frontier.verify_rest(n, blocks, values);
                n / BLOCK + 1
            }
        };
        // The list `missing` is ascending. If some rare value is not reached, the first entry is
        // the mex.
        sparse.record(needed, n);
        let value = frontier.missing.first().map_or(least, |value| value.get());
        // The value was not stored, so the run repeats this heap with wider entries.
        if value >= E::SIZE {
            return Ok(false);
        }
        if let Some(omission) = omission
            && !classes.common(n, value)
        {
            omission.blocked = true;
            return Ok(true);
        }
        values.push(E::new(value));
        if omission.is_some() && value >= size {
            // The next part of the run has larger tables. The classes are not changed, because
            // choosing them requires all values.
            return Ok(true);
        }
        // A value of `size` or more does not fit into the tables. Since there are more values now,
        // the classes are also chosen again.
        let mut choose = value >= size;
        if !classes.common(n, value) {
            choose |= frontier.add_rare(n, value, sparse);
        }
        if choose {
            sparse.choose(moves, values);
            return Ok(true);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
