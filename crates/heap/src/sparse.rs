//! Values of octal games and of Grundy's game by sparse spaces, every value verified.
//!
//! A heap of n is split into a and b. With few rare heaps (see [`Classes`]) the least common value
//! that is not reached is known after the splits with a rare heap, for only these reach common
//! values. The value is that one, unless a smaller rare value is not reached; each is looked for
//! among the splits with small a until it is found, which takes a few dozen in good games. If one
//! is not found among all splits, it is the value and the heap is a new rare one. So every value is
//! exact, whatever the classes are.
//!
//! Splits are looked at 64 at a time: `BLOCK` values of small heaps, kept in reverse, against as
//! many of large ones. Where many heaps are rare, 64 heaps are looked at together: see `far`.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

mod dispatch;
mod far;
mod front;
mod listed;
mod missing;
mod packing;
mod reached;
mod wide;

use far::FarBlocks;
use front::Front;
use reached::{Bytes, ReachedValues, WordOfValues};
use wide::{AfterBlock, WideBlocks};

use super::classes::Classes;
use super::narrow::{Entry, Narrow, Recurrence};
use super::recurrence::Budget;
use super::rules::HeapRules;
use grundy_base::limits::Stop;

/// Splits looked at together.
pub(crate) const BLOCK: usize = 64;

/// Blocks of small heaps kept in reverse; splits beyond them are looked at one by one.
const KEPT: usize = 4096;

/// Heaps below this are left to the plain recurrence.
const START: usize = 1024;

/// The moves of a heap of at least `START` + `last` chips.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeapMoves {
    /// Chips that may go while one heap stays.
    pub(crate) takes: Vec<usize>,
    /// Chips that may go while two heaps stay.
    pub(crate) breaks: Vec<usize>,
    /// The most chips that may go.
    pub(crate) last: usize,
    /// `true` if the two heaps have to differ.
    pub(crate) unequal: bool,
}

impl HeapMoves {
    /// Returns the moves of games that break heaps into at most two.
    pub(crate) fn of(rules: &HeapRules) -> Option<Self> {
        match rules {
            HeapRules::UnequalSplit => Some(Self {
                breaks: vec![0],
                unequal: true,
                ..Self::default()
            }),
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

    /// Returns the first heap that the engine computes.
    pub(crate) fn start(&self) -> u64 {
        START.max(2 * self.last) as u64
    }

    /// Returns the number of splits of `rest` that have to be looked at.
    fn splits(&self, rest: usize) -> usize {
        if self.unequal {
            rest.saturating_sub(1) / 2
        } else {
            rest / 2
        }
    }
}

/// What is known about a sequence beside its values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    classes: Option<Classes>,
    /// The rare heaps, ascending.
    rares: Vec<usize>,
    /// Heaps from here on were computed with the present classes.
    since: usize,
    /// For each number of blocks the last heap that needed so many to verify its rare values.
    last_use: Vec<usize>,
    /// Rare heaps when the classes were chosen.
    chosen_at: usize,
}

/// What the engine has to keep beside the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseSnapshot {
    /// The rule that tells common from rare heaps.
    pub classes: Option<Classes>,
    /// Heaps from here on were computed with it.
    pub since: u64,
    /// Rare heaps when it was chosen.
    pub chosen_at: u64,
    /// Numbers of blocks with the last heap that needed so many.
    pub last_use: Vec<(u64, u64)>,
}

/// Why all heaps from `since` on have the values they have: what the sparse-window theorem speaks
/// of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Witness {
    pub(crate) classes: Classes,
    pub(crate) rares: Vec<usize>,
    /// Every rare value was reached by a take, or by a split with a heap of at most this.
    pub(crate) reach: usize,
}

impl Sparse {
    pub(crate) fn space(&self) -> Option<(Classes, &[usize])> {
        Some((self.classes?, &self.rares))
    }

    pub(crate) fn snapshot(&self) -> SparseSnapshot {
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

    /// Returns the engine as it was when `snapshot` was taken at the end of `values`.
    pub(crate) fn resume(values: &Narrow, snapshot: SparseSnapshot) -> Self {
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
            // A heap of n has no more than n / BLOCK blocks.
            if blocks <= values.len() as u64 {
                sparse.record(blocks as usize, heap as usize);
            }
        }
        sparse
    }

    /// Heaps from here on were computed with the present classes.
    pub(crate) fn since(&self) -> usize {
        self.since
    }

    /// Returns the evidence about heaps from `from` to the end; `None` when they were not all
    /// computed in this way.
    pub(crate) fn witness(&self, from: usize) -> Option<Witness> {
        let classes = self.classes.filter(|_| from >= self.since)?;
        let blocks = self.last_use.iter().rposition(|&n| n >= from).unwrap_or(0);
        Some(Witness {
            classes,
            rares: self.rares.clone(),
            reach: blocks.max(1) * BLOCK,
        })
    }

    /// The values of heap `n` were verified with `blocks` blocks. Blocks beyond those kept count as
    /// one.
    #[inline(always)]
    fn record(&mut self, blocks: usize, n: usize) {
        if self.last_use.len() <= blocks {
            self.last_use.resize(blocks + 1, 0);
        }
        self.last_use[blocks] = n;
    }

    /// Returns every value since the uses were forgotten was verified with heaps of at most this.
    pub(crate) fn reach(&self) -> usize {
        self.last_use.len().saturating_sub(1).max(1) * BLOCK
    }

    /// Forgets what was needed to verify the values so far.
    pub(crate) fn forget_uses(&mut self) {
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

/// What is left of the values where those between the first and the last are forgotten. The entries
/// are counted as if there were no gap: all that is asked for lies among the first, or near the
/// end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// Splits with heaps of at most so many blocks can be looked at.
    pub(crate) blocks: usize,
    /// A heap came up whose value needs more than is there: the run has ended before it.
    pub(crate) stuck: bool,
}

/// A run of the engine.
pub(crate) struct Run<'a, 'b, 'c> {
    pub(crate) moves: &'a HeapMoves,
    pub(crate) sparse: &'a mut Sparse,
    pub(crate) count: usize,
    pub(crate) budget: Budget<'b, 'c>,
    /// The values between those of the small heaps and those of the last are not there.
    pub(crate) gap: Option<Gap>,
    /// The vector instructions used; the values are the same with all.
    pub(crate) instructions: pulp::Arch,
}

impl Recurrence for Run<'_, '_, '_> {
    fn run<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop> {
        while values.len() < self.count && !self.gap.is_some_and(|gap| gap.stuck) {
            let instructions = self.instructions;
            let stretch = Stretch {
                run: self,
                values: &mut *values,
            };
            // Each kind of instructions is compiled apart: only for what is met.
            let fits = if E::SHORT {
                instructions.dispatch(stretch)?
            } else {
                pulp::NullaryFnOnce::call(stretch)?
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The part of a run that needs no new choice of classes, under the widest instructions of the
/// machine.
struct Stretch<'s, 'a, 'b, 'c, E> {
    run: &'s mut Run<'a, 'b, 'c>,
    values: &'s mut Vec<E>,
}

impl<E: Entry> pulp::NullaryFnOnce for Stretch<'_, '_, '_, '_, E> {
    type Output = Result<bool, Stop>;

    #[inline(always)]
    fn call(self) -> Result<bool, Stop> {
        let Stretch { run, values } = self;
        if run.sparse.classes.is_none() {
            run.sparse.choose(run.moves, values);
        }
        // Values below 64 stand in single bytes.
        if E::BYTE {
            let largest = values.iter().map(|value| value.get()).max().unwrap_or(0);
            if largest < 64 {
                return stretch::<E, WordOfValues>(run, values);
            }
        }
        stretch::<E, Bytes>(run, values)
    }
}

/// Computes values until all are there, a value does not fit, or the classes have to be chosen
/// again.
#[inline(always)]
fn stretch<E: Entry, S: ReachedValues<E>>(
    run: &mut Run<'_, '_, '_>,
    values: &mut Vec<E>,
) -> Result<bool, Stop> {
    let Run {
        moves,
        sparse,
        count,
        budget,
        gap,
        instructions,
    } = run;
    let Some(classes) = sparse.classes else {
        return Ok(false);
    };
    let largest = values.iter().map(|value| value.get()).max().unwrap_or(0);
    // Sums of values stay below this.
    let size = (largest + 1).next_power_of_two().max(BLOCK as u64);
    let reached = S::new(classes, largest);
    let kept = gap.map_or(KEPT, |gap| gap.blocks);
    let mut front = Front::new(moves, reached, &sparse.rares, values, kept);
    // Among the small heaps there must be no gap.
    let whole = |small| gap.is_none_or(|gap| gap.blocks * BLOCK >= small);
    let far = whole(far::SMALL).then(|| FarBlocks::new(classes, size, *instructions, values));
    let mut far = far.flatten();
    let wide = whole(wide::SMALL).then(|| WideBlocks::new(classes, size, *instructions, values));
    let mut wide = wide.flatten();
    let mut unpaid = (values.len() + 1).next_multiple_of(4096);
    while values.len() < *count {
        if values.len() >= unpaid {
            let splits = moves.breaks.len() * (front.rares.len() + 2 * BLOCK);
            budget.spend(4096 * (1 + splits as u64 / 8))?;
            unpaid += 4096;
        }
        // Without a sparse space every split has to be looked at.
        let dense = gap.is_none() && front.rares.len() > values.len() / S::RARE;
        if let Some(far) = &mut far
            && FarBlocks::ready(values.len(), size, moves, &sparse.rares)
        {
            if !far.block(*count, size, &mut front, values, sparse) {
                continue;
            }
        } else if let Some(wide) = &mut wide
            && !dense
            && WideBlocks::ready(values.len(), moves, sparse.rares.len())
        {
            match wide.block(*count, gap.is_some(), &mut front, values, sparse) {
                AfterBlock::Block => continue,
                AfterBlock::Alone => {}
                AfterBlock::Choose => {
                    sparse.choose(moves, values);
                    return Ok(true);
                }
            }
        }
        let n = values.len();
        let blocks = front.keep_blocks(n, values);
        front.mark_near_and_rare(n, values, !dense);
        if dense {
            budget.spend((n * moves.breaks.len()) as u64 / 8)?;
            front.mark_all(n, blocks, values);
        }
        let least = front.reached.least_common(n).unwrap_or(size);
        front.reached.missing_rares(n, least, &mut front.missing);
        let needed = if dense {
            n / BLOCK + 1
        } else if front.missing.is_empty() {
            1
        } else {
            let needed = front.verify(n, blocks, values);
            if front.missing.is_empty() {
                needed
            } else if let Some(gap) = gap {
                gap.stuck = true;
                return Ok(true);
            } else {
                front.verify_rest(n, blocks, values);
                n / BLOCK + 1
            }
        };
        sparse.record(needed, n);
        let value = front.missing.first().map_or(least, |value| value.get());
        if value >= E::SIZE {
            return Ok(false);
        }
        if let Some(gap) = gap
            && !classes.common(n, value)
        {
            gap.stuck = true;
            return Ok(true);
        }
        values.push(E::new(value));
        if gap.is_some() && value >= size {
            // The tables grow; the classes stay.
            return Ok(true);
        }
        let mut choose = value >= size;
        if !classes.common(n, value) {
            choose |= front.add_rare(n, value, sparse);
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
