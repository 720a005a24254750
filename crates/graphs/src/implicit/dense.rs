//! Dense tables: a byte or a few for every number of a position, filled in one pass from below.
//!
//! A game that can number its positions from 0 so that every option has a smaller number than its
//! position needs no hashing and no order of its own. [`Ranked`] says how; the passes are generic
//! over it and inlined.

mod cell;
mod pass;
mod sieve;
mod stretches;

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

pub use grundy_base::{Cells, Outcomes};
pub use pass::{Pass, PassQuestion, go_on};
pub use sieve::sieve_on;
pub use stretches::{Sieved, Stretches};

/// A game whose positions are numbered so that options come before what they are options of.
///
/// ```
/// use grundy::implicit::dense::{Ranked, grundy, outcomes};
/// use grundy::{Limits, Play};
///
/// /// A heap from which one, three or four chips are taken.
/// struct Take(u64);
///
/// impl Ranked for Take {
///     fn len(&self) -> u64 {
///         self.0
///     }
///
///     #[inline]
///     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
///         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
///     }
/// }
///
/// let wins = outcomes(&Take(10), Play::Normal, &Limits::default())?;
/// assert!(!wins.wins(9) && wins.wins(8));
/// assert_eq!(grundy(&Take(10), &Limits::default())?, vec![0, 1, 0, 1, 2, 3, 2, 0, 1, 0].into());
/// # Ok::<(), grundy::Stop>(())
/// ```
pub trait Ranked {
    /// How many positions there are; their numbers are 0, 1, ..., `len() - 1`.
    fn len(&self) -> u64;

    /// Returns whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits the numbers of the options of `position`, all smaller than it, until `visit` answers
    /// false.
    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool);

    /// How many positions are gone through between two looks at the clock: fewer where one of them
    /// takes long.
    #[inline]
    fn beat(&self) -> u64 {
        1 << 16
    }

    /// How many positions, from a multiple of this number on, share options as
    /// [`shared`](Self::shared) says: up to 64.
    #[inline]
    fn block(&self) -> u64 {
        1
    }

    /// Visits options that the positions `start`, `start + 1`, ... of a block have in common, each
    /// counted from itself: where `start` has option `n`, `start + 1` has `n + 1`, and so on. So it
    /// is with a heap when the block goes through the sizes of another one. They are read for the
    /// whole block at once, which is several times as fast.
    #[inline]
    fn shared(&self, start: u64, visit: impl FnMut(Row)) {
        let _ = (start, visit);
    }

    /// Visits the options of `position` that its block does not share.
    #[inline]
    fn own(&self, position: u64, mut visit: impl FnMut(Row)) {
        self.options(position, |first| {
            visit(Row {
                first,
                step: 1,
                count: 1,
            });
            true
        });
    }
}

/// The numbers `first`, `first + step`, ..., `count` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The smallest.
    pub first: u64,
    /// From one to the next.
    pub step: u64,
    /// How many there are.
    pub count: u64,
}

impl Row {
    #[inline]
    fn numbers(self) -> impl Iterator<Item = usize> {
        let mut at = self.first as usize;
        (0..self.count).map(move |_| {
            let number = at;
            at += self.step as usize;
            number
        })
    }
}

/// A ranked game whose moves can be taken back.
pub trait Reversible: Ranked {
    /// Visits the number of every position that has `position` as an option.
    fn sources(&self, position: u64, visit: impl FnMut(u64));

    /// Into stretches of this length the table falls for workers that share it.
    fn stretch(&self) -> u64 {
        1 << 16
    }

    /// How high the i-th stretch is: moves from it stay in it, or lead to stretches that are lower.
    fn height(&self, stretch: u64) -> u64 {
        stretch
    }

    /// Visits what can move to `position` and is smaller than `end`.
    #[inline]
    fn sources_below(&self, position: u64, end: u64, mut visit: impl FnMut(u64)) {
        self.sources(position, |source| {
            if source < end {
                visit(source);
            }
        });
    }

    /// Visits the options of `position` that are not smaller than `start`.
    #[inline]
    fn options_from(&self, position: u64, start: u64, mut visit: impl FnMut(u64)) {
        self.options(position, |option| {
            if option >= start {
                visit(option);
            }
            true
        });
    }
}

/// Who wins every position. A position is done as soon as an option is found lost.
///
/// # Complexity
/// At most one visit to every option; a byte a position.
///
/// # Errors
/// A limit.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn outcomes<G: Ranked>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let cells = whole(game, PassQuestion::Outcome, play, limits)?;
    Ok(Outcomes::without_remoteness(cells))
}

/// Who wins every position, and in how many moves, by a sieve: each lost position, once met, marks
/// what can move to it.
///
/// Most games have few lost positions, so this writes much less than [`remoteness`] reads.
///
/// # Complexity
/// One visit to every move that leads to a lost position and to every option of one; a byte a
/// position where plays have less than 254 moves, two up to 65,534, else four.
///
/// # Errors
/// A limit.
///
/// # Panics
/// When a source is no position.
pub fn sieve<G: Reversible>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let mut pass = Pass::default();
    sieve_on(game, play, &mut pass, limits)?;
    Ok(Outcomes::new(pass.cells, play))
}

/// Who wins every position, and in how many moves.
///
/// # Complexity
/// One visit to every option; memory as of [`sieve`].
///
/// # Errors
/// A limit.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn remoteness<G: Ranked>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let cells = whole(game, PassQuestion::Remoteness, play, limits)?;
    Ok(Outcomes::new(cells, play))
}

/// Returns the Sprague–Grundy value of every position.
///
/// # Complexity
/// One visit to every option; a byte a position where values are below 255, two below 65,535, else
/// four.
///
/// # Errors
/// A limit.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn grundy<G: Ranked>(game: &G, limits: &Limits<'_>) -> Result<Cells, Stop> {
    whole(game, PassQuestion::Grundy, Play::Normal, limits)
}

fn whole<G: Ranked>(
    game: &G,
    question: PassQuestion,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Cells, Stop> {
    let mut pass = Pass::default();
    go_on(game, question, play, &mut pass, limits)?;
    Ok(pass.cells)
}
