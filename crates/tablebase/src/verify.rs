//! Verification of a tablebase. The label and the value of each entry are compared with those of
//! its options. The options are computed by the rules of the game.
//!
//! The verifier does not label the game. Entries are checked one by one, in any order and on any
//! number of cores. The following theorems show that this suffices: if the claim about each entry
//! agrees with the claims about its options, all claims are true.
//!
//! **Labels.** Let every entry be labelled P, N or D, where each label P or N has a number r, the
//! claimed remoteness. Suppose that the labels satisfy these conditions:
//!
//! - An entry without options has the label that the end of the game gives it, with r = 0.
//! - Each N with options has an option P. The least number among its options P is r - 1.
//! - Each P with options has options N only. The greatest number among them is r - 1.
//! - Each D with options has no option P, and at least one option D.
//!
//! Then an N is won by the player to move in r moves, and a P is lost in r moves, if the winner
//! hurries and the loser delays. A D is a draw.
//!
//! *Proof.* The claims about N and P follow by induction on r. An N has an option that is lost for
//! the opponent in r - 1 moves. No option is lost for the opponent sooner, since by induction it
//! would be a P with that smaller number. From a P every option is won for the opponent, the
//! slowest of them in r - 1 moves.
//!
//! It remains to show that no D is won or lost. Suppose that some D is, and choose a D that is
//! decided in the fewest moves. If it is won, it has an option that is lost in fewer moves. By the
//! choice that option is no D, and by the first part it is labelled P: a contradiction. If it is
//! lost, all its options are won in fewer moves, so all of them are labelled N: a contradiction. ∎
//!
//! **Values, if the options of each entry have smaller numbers** than the entry itself. By
//! induction on the entry number, all values are right if the value of each entry is the mex of the
//! values of its options.
//!
//! **Values of loopy games.** Let each entry have a value, which is a number or an infinity with a
//! set K. Suppose that the values satisfy these conditions:
//!
//! - (1) An entry of value m has no option of value m, and for each k < m it has an option of value
//!   k.
//! - (2) The entries of value m have an order as follows. Let e be such an entry, and let f be an
//!   option of e. If the value of f is not a number below m, then f has an option of value m that
//!   comes before e.
//! - (3) If an entry has an infinity with a set K, then K is the set of the numbers among the
//!   values of its options. At least one option has an infinity whose set lacks the least number
//!   that K lacks.
//!
//! Then these are the values of Smith, Fraenkel and Perl, because they decide every sum with Nim
//! heaps in the same way. The proof is in docs/graphs.md.

mod claims;
mod edges;
mod labels;
#[cfg(test)]
mod tests;
mod values;

use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use grundy_base::{Diagnostic, Limits, Message, Outcome, Stop};

use crate::probe::Tablebase;
pub use claims::Claims;
use edges::Edges;

/// The moves of a game, in terms of entries. An entry is a position together with the player to
/// move, and is given by its number. In an impartial game, position i has the one entry i. In a
/// partizan game it has entry 2i with Left to move, and 2i + 1 with Right to move.
pub trait Moves: Sync {
    /// Returns the number of entries.
    fn entries(&self) -> u64;

    /// Returns whether the game claims that the options of each entry have smaller numbers than the
    /// entry itself. The verifier checks this claim.
    fn descends(&self) -> bool;

    /// Appends the options of an entry to `to`.
    ///
    /// # Errors
    /// An error that prevents the moves from being computed.
    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic>;

    /// Returns the outcome of an entry without options, for the player to move.
    ///
    /// # Errors
    /// An error that prevents the outcome from being computed.
    fn end(&self, entry: u64) -> Result<Outcome, Diagnostic>;
}

/// An entry (a position with a player to move) whose label or value does not follow from its
/// options. The label is the outcome with the remoteness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongEntry {
    /// The number of the entry.
    pub entry: u64,
    /// The reason why the entry is wrong.
    pub why: Message,
}

/// The reason why a table is rejected or could not be checked.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyError {
    /// The first entry whose label or value does not follow from its options.
    Wrong(WrongEntry),
    /// An error or a limit that ended the check.
    Failed(Diagnostic),
}

impl From<Diagnostic> for VerifyError {
    fn from(why: Diagnostic) -> Self {
        Self::Failed(why)
    }
}

impl From<Stop> for VerifyError {
    fn from(why: Stop) -> Self {
        Self::Failed(why.into())
    }
}

impl From<WrongEntry> for VerifyError {
    fn from(wrong: WrongEntry) -> Self {
        Self::Wrong(wrong)
    }
}

/// The result of a successful check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of entries checked.
    pub entries: u64,
    /// Total number of options of the entries checked.
    pub options: u64,
    /// `true` if values were checked as well.
    pub values: bool,
}

/// The threads, the limits and the progress callback of a check.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Number of threads.
    pub threads: usize,
    /// The limits.
    pub limits: Limits<'a>,
    /// The callback that receives the number of entries checked so far.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Checks the label (outcome and remoteness) and the value of every entry of a tablebase. An entry
/// is a position with a player to move.
///
/// # Complexity
///
/// Visits every option once. For the values of a loopy game, some options are visited a few more
/// times. The labels, values and best moves take one byte each for every entry, or more if the
/// numbers are larger. The values of a loopy game take about 50 more bytes for each entry and 8 for
/// each option.
///
/// # Errors
/// A wrong entry, an error of the game or of the disk, or the limit that was reached.
pub fn verify(
    table: &mut Tablebase,
    game: &(impl Moves + ?Sized),
    work: &Work<'_>,
) -> Result<Checked, VerifyError> {
    check_all(&Claims::read(table, &work.limits)?, game, work)
}

/// Checks the claims of a table, which are the labels, values and best moves, for all entries.
fn check_all(
    claims: &Claims,
    game: &(impl Moves + ?Sized),
    work: &Work<'_>,
) -> Result<Checked, VerifyError> {
    if claims.entries() != game.entries() {
        return Err(VerifyError::Failed(claims.wrong_size(game.entries())));
    }
    // Condition (2) needs predecessors and repeated visits, so all moves are computed once and
    // stored. If options have smaller numbers, the condition is not needed: the mex alone proves
    // the values.
    if claims.has_values() && !game.descends() {
        let edges = Edges::of(game, work)?;
        let checked = check_each(claims, &edges, work)?;
        values::check_order(claims, &edges, &work.limits)?;
        return Ok(checked);
    }
    check_each(claims, game, work)
}

/// Checks some entries of a tablebase. Only these entries and their options are looked up.
/// Condition (2) of the module documentation, on the values of loopy games, is not checked, since
/// it is not a property of a single entry.
///
/// # Complexity
/// One lookup for each of the entries and each of their options.
///
/// # Errors
/// The first wrong entry, an error of the game or of the disk, or the limit that was reached.
pub fn verify_sample(
    table: &mut Tablebase,
    game: &(impl Moves + ?Sized),
    entries: impl IntoIterator<Item = u64>,
    work: &Work<'_>,
) -> Result<Checked, VerifyError> {
    let mut checked = Checked::default();
    let mut options = Vec::new();
    for entry in entries {
        work.limits.poll()?;
        options.clear();
        game.options(entry, &mut options)?;
        check_options(entry, &options, game)?;
        let claims = Claims::of_entries(table, options.iter().copied().chain([entry]))?;
        checked.values = claims.has_values();
        check_entry(entry, &options, &claims, game)?;
        checked.entries += 1;
        checked.options += options.len() as u64;
        (work.progress)(checked.entries);
    }
    Ok(checked)
}

/// Number of entries that a thread checks before it takes the next chunk.
const CHUNK: u64 = 1 << 13;

/// Checks the label and the value of every entry by comparing them with the labels and values of
/// its options. Condition (2) of the module documentation is not checked here.
fn check_each(
    claims: &Claims,
    game: &(impl Moves + ?Sized),
    work: &Work<'_>,
) -> Result<Checked, VerifyError> {
    let options = each_chunk(claims.entries(), work, |entries| {
        // One buffer for the whole chunk, to avoid an allocation for each entry.
        let (mut options, mut count) = (Vec::new(), 0u64);
        for entry in entries {
            options.clear();
            game.options(entry, &mut options)?;
            check_options(entry, &options, game)?;
            check_entry(entry, &options, claims, game)?;
            count += options.len() as u64;
        }
        Ok(count)
    })?;
    Ok(Checked {
        entries: claims.entries(),
        options: options.into_iter().sum(),
        values: claims.has_values(),
    })
}

/// Checks that the options of an entry are valid entry numbers. If the game claims that options
/// have smaller numbers, they must be smaller than `entry`.
#[inline]
fn check_options(
    entry: u64,
    options: &[u64],
    game: &(impl Moves + ?Sized),
) -> Result<(), WrongEntry> {
    // In a descending game, the induction on the number of the entry depends on this.
    let end = if game.descends() {
        entry
    } else {
        game.entries()
    };
    match options.iter().find(|&&option| option >= end) {
        None => Ok(()),
        Some(&option) => Err(labels::outside(entry, option, game.descends())),
    }
}

/// Checks the label, the best move and the value of one entry by comparing them with the labels and
/// values of its options.
#[inline]
fn check_entry(
    entry: u64,
    options: &[u64],
    claims: &Claims,
    game: &(impl Moves + ?Sized),
) -> Result<(), VerifyError> {
    // The label is checked first, because `check_best` requires that it is right.
    labels::check(entry, options, claims, || game.end(entry))?;
    labels::check_best(entry, options, claims)?;
    if claims.has_values() {
        values::check(entry, options, claims)?;
    }
    Ok(())
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work")
            .field("threads", &self.threads)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Runs `check` on all entries, in chunks of [`CHUNK`] entries and on several threads. Returns the
/// results in the order of the chunks. If several chunks fail, returns the error of the first of
/// them.
fn each_chunk<T: Send>(
    entries: u64,
    work: &Work<'_>,
    check: impl Fn(Range<u64>) -> Result<T, VerifyError> + Sync,
) -> Result<Vec<T>, VerifyError> {
    let chunks = entries.div_ceil(CHUNK);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let results: Mutex<Vec<(u64, Result<T, VerifyError>)>> = Mutex::new(Vec::new());
    let worker = || {
        let mut own = Vec::new();
        loop {
            // `Relaxed` suffices, since the counter only distributes chunk numbers. The results are
            // transferred under the mutex.
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                break;
            }
            let range = chunk * CHUNK..entries.min((chunk + 1) * CHUNK);
            let length = range.end - range.start;
            let result = work
                .limits
                .poll()
                .map_err(VerifyError::from)
                .and_then(|()| check(range));
            let failed = result.is_err();
            own.push((chunk, result));
            if failed {
                // Chunks are taken in ascending order, and chunks that are already taken are still
                // completed. So all chunks before a failing one are checked, and the first error
                // does not depend on timing.
                next.store(chunks, Ordering::Relaxed);
                break;
            }
            let done = done.fetch_add(length, Ordering::Relaxed) + length;
            (work.progress)(done);
        }
        if let Ok(mut results) = results.lock() {
            results.append(&mut own);
        }
    };
    let others = work.threads.max(1).min(chunks.max(1) as usize) - 1;
    thread::scope(|scope| {
        // If the system cannot start more threads, the threads that exist check all chunks.
        for _ in 0..others {
            let started = thread::Builder::new().spawn_scoped(scope, worker);
            if started.is_err() {
                break;
            }
        }
        worker();
    });
    let mut results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_unstable_by_key(|&(chunk, _)| chunk);
    results.into_iter().map(|(_, result)| result).collect()
}
