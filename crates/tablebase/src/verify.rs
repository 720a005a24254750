//! Checking a tablebase against the moves of its game: whether each entry is what its options make
//! it.
//!
//! Nothing is labelled here. What a table claims is held against the options of one entry at a
//! time, in any order and on any number of cores, and theorems say that claims which agree
//! everywhere with their options are the truth:
//!
//! **Labels.** Let every entry be labelled P, N or D, the first two with a number r. Let an entry
//! without options have the label that the end of play gives it, with r = 0; let each N have an
//! option P, the least r among these being one less than its own; let each P have options N only,
//! the greatest r among them one less than its own; and let each D have no option P and at least
//! one D. Then N is won by the player to move in r moves, P lost in r, if the winner hurries and
//! the loser delays, and D is a draw. *Proof.* By induction on r the first two are right: from N
//! the option with r - 1 is lost for the other player in r - 1, and no option is lost for the other
//! player sooner, for by induction such an option would be P with its smaller number; from P every
//! option is won for the other player, the last of them in r - 1. A player who goes from D to D
//! always does not lose, and as no option of a D is P, and what is really lost for the player to
//! move has its label by the same induction over the true number of moves, neither does the other.
//! ∎
//!
//! **Values where each option has a smaller number** than its entry: all are right when each is the
//! mex of its options' values, by induction on the number.
//!
//! **Values where plays need not end.** Let each entry have a number or an infinity with a set K,
//! so that (1) an entry of value m has no option of value m, and for each k < m one of value k; (2)
//! the entries of value m can be put in an order in which each option of an entry that is not worth
//! less than m has an option of value m that comes earlier; (3) K holds the numbers among the
//! options' values, and one of the options is an infinity whose set has not the least number
//! missing in K. Then these are the values of Smith, Fraenkel and Perl, for they decide every sum
//! with Nim heaps as those do; docs/graphs.md has the proof.

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

/// The moves of a game, by the numbers of its entries: row i of an impartial game is entry i, of a
/// partizan one entries 2i, Left to move, and 2i + 1.
pub trait Moves: Sync {
    /// How many entries there are.
    fn entries(&self) -> u64;

    /// Returns whether options are said to have smaller numbers always. It is checked.
    fn descends(&self) -> bool;

    /// Appends the options of an entry.
    ///
    /// # Errors
    /// What keeps one from knowing them.
    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic>;

    /// What an entry without options is worth to the player to move.
    ///
    /// # Errors
    /// What keeps one from knowing it.
    fn end(&self, entry: u64) -> Result<Outcome, Diagnostic>;
}

/// An entry that is not what its options make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which.
    pub entry: u64,
    /// Why.
    pub why: Message,
}

/// Why a table is not found right.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// It is wrong here. Of all entries that are wrong in themselves this is the first.
    Wrong(Wrong),
    /// The check could not be ended.
    Failed(Diagnostic),
}

impl From<Diagnostic> for Refusal {
    fn from(why: Diagnostic) -> Self {
        Self::Failed(why)
    }
}

impl From<Stop> for Refusal {
    fn from(why: Stop) -> Self {
        Self::Failed(why.into())
    }
}

impl From<Wrong> for Refusal {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Entries.
    pub entries: u64,
    /// Their options.
    pub options: u64,
    /// `true` if values are checked, too.
    pub values: bool,
}

/// How a check is done.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// On how many cores at once.
    pub threads: usize,
    /// What it may use.
    pub limits: Limits<'a>,
    /// Told how many entries are done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Checks every entry of a tablebase, labels and values.
///
/// # Complexity
/// One visit to every option, and with values where plays need not end a few more; in memory one to
/// three bytes an entry, and for those values 8 bytes an option.
///
/// # Errors
/// The entry that is wrong, or what kept one from looking.
pub fn verify(
    table: &mut Tablebase,
    game: &(impl Moves + ?Sized),
    work: &Work<'_>,
) -> Result<Checked, Refusal> {
    whole(&Claims::read(table, &work.limits)?, game, work)
}

/// Checks all that is claimed.
fn whole(
    claims: &Claims,
    game: &(impl Moves + ?Sized),
    work: &Work<'_>,
) -> Result<Checked, Refusal> {
    if claims.entries() != game.entries() {
        return Err(Refusal::Failed(claims.other_size(game.entries())));
    }
    if claims.has_values() && !game.descends() {
        let edges = Edges::of(game, work)?;
        let checked = local(claims, &edges, work)?;
        values::grounded(claims, &edges, &work.limits)?;
        return Ok(checked);
    }
    local(claims, game, work)
}

/// Checks some entries of a tablebase, which is asked for them and for their options and not read
/// as a whole. What no single entry shows is left: that numbers where plays need not end come in an
/// order.
///
/// # Complexity
/// A probe for each of the entries and for each of their options.
///
/// # Errors
/// The first entry that is wrong, or what kept one from looking.
pub fn verify_sample(
    table: &mut Tablebase,
    game: &(impl Moves + ?Sized),
    entries: impl IntoIterator<Item = u64>,
    work: &Work<'_>,
) -> Result<Checked, Refusal> {
    let mut checked = Checked::default();
    let mut options = Vec::new();
    for entry in entries {
        work.limits.poll()?;
        options.clear();
        game.options(entry, &mut options)?;
        within(entry, &options, game)?;
        let claims = Claims::some(table, options.iter().copied().chain([entry]))?;
        checked.values = claims.has_values();
        one(entry, &options, &claims, game)?;
        checked.entries += 1;
        checked.options += options.len() as u64;
        (work.progress)(checked.entries);
    }
    Ok(checked)
}

/// Entries that are looked at by one core before it looks for more work.
const CHUNK: u64 = 1 << 13;

/// Returns every entry against its options.
fn local(
    claims: &Claims,
    game: &(impl Moves + ?Sized),
    work: &Work<'_>,
) -> Result<Checked, Refusal> {
    let options = each_chunk(claims.entries(), work, |entries| {
        let (mut options, mut seen) = (Vec::new(), 0u64);
        for entry in entries {
            options.clear();
            game.options(entry, &mut options)?;
            within(entry, &options, game)?;
            one(entry, &options, claims, game)?;
            seen += options.len() as u64;
        }
        Ok(seen)
    })?;
    Ok(Checked {
        entries: claims.entries(),
        options: options.into_iter().sum(),
        values: claims.has_values(),
    })
}

/// Whether the options of an entry are entries.
#[inline]
fn within(entry: u64, options: &[u64], game: &(impl Moves + ?Sized)) -> Result<(), Wrong> {
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

/// One entry against its options.
#[inline]
fn one(
    entry: u64,
    options: &[u64],
    claims: &Claims,
    game: &(impl Moves + ?Sized),
) -> Result<(), Refusal> {
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

/// Hands out all entries, in chunks of [`CHUNK`], to some cores; answers what became of each chunk,
/// in order. Where some fail it is the first that is told: chunks are handed out in order, and what
/// is begun is ended.
fn each_chunk<T: Send>(
    entries: u64,
    work: &Work<'_>,
    check: impl Fn(Range<u64>) -> Result<T, Refusal> + Sync,
) -> Result<Vec<T>, Refusal> {
    let chunks = entries.div_ceil(CHUNK);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let results: Mutex<Vec<(u64, Result<T, Refusal>)>> = Mutex::new(Vec::new());
    let worker = || {
        let mut own = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                break;
            }
            let range = chunk * CHUNK..entries.min((chunk + 1) * CHUNK);
            let length = range.end - range.start;
            let result = work
                .limits
                .poll()
                .map_err(Refusal::from)
                .and_then(|()| check(range));
            let failed = result.is_err();
            own.push((chunk, result));
            if failed {
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
        // Where the system gives no more threads the work is done by those that there are.
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
