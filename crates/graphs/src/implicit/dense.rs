//! Dense tables: a table with a cell of one, two or four bytes for each position number, filled in
//! a single pass.
//!
//! Some games can number their positions 0, 1, 2, ... so that every option has a smaller number.
//! Then neither hashing nor a topological sort is needed. The trait [`Ranked`] defines the
//! numbering. The functions that fill a table are generic over this trait, so that its methods are
//! inlined.

mod cell;
mod pass;
mod sieve;
mod stretches;

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

pub use grundy_base::{Cells, Outcomes};
pub use pass::{Pass, PassQuantity, resume};
pub use sieve::resume_sieve;
pub use stretches::{DistributedSieve, OwnedStretches};

/// A game whose positions are numbered so that every option has a smaller number.
///
/// ```
/// use grundy_core::implicit::dense::{Ranked, grundy, outcomes};
/// use grundy_core::{Limits, Play};
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
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub trait Ranked {
    /// Returns the number n of positions, which are numbered 0, 1, ..., n - 1.
    fn len(&self) -> u64;

    /// Returns whether there are no positions.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `visit` for the options of `position`, until `visit` returns `false`. All options have
    /// smaller numbers than `position`.
    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool);

    /// Returns the number of positions between two checks of the limits. It should be small if a
    /// position takes a long time.
    #[inline]
    fn poll_interval(&self) -> u64 {
        1 << 16
    }

    /// Returns the number of positions in a block, at most 64. A block is a range of consecutive
    /// positions that begins at a multiple of this number. The positions of a block share options
    /// as described in [`shared_options`](Self::shared_options).
    #[inline]
    fn block(&self) -> u64 {
        1
    }

    /// Calls `visit` with rows (arithmetic progressions) of options of `start`, the first position
    /// of a block. All positions of the block have these options, except for a shift. If `start`
    /// has option `n`, then `start + 1` has option `n + 1`, and so on.
    ///
    /// For example, in a sum of two heaps, moves in the first heap are shared if the block contains
    /// all sizes of the second one. A row of options is read for the whole block at once. This is
    /// several times as fast as reading the options of each position separately.
    #[inline]
    fn shared_options(&self, start: u64, visit: impl FnMut(Row)) {
        let _ = (start, visit);
    }

    /// Calls `visit` for the options of `position` that are not shared in its block.
    #[inline]
    fn unshared_options(&self, position: u64, mut visit: impl FnMut(Row)) {
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

/// The `count` numbers `first`, `first + step`, `first + 2 * step`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first and smallest number.
    pub first: u64,
    /// The difference between consecutive numbers.
    pub step: u64,
    /// Number of terms.
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

/// A game with numbered positions (see [`Ranked`]) that can also list the predecessors of a
/// position.
pub trait Predecessors: Ranked {
    /// Calls `visit` for the number of every position that has `position` as an option.
    fn predecessors(&self, position: u64, visit: impl FnMut(u64));

    /// Returns the length of the stretches into which several workers divide the table.
    fn stretch(&self) -> u64 {
        1 << 16
    }

    /// Returns the height of a stretch, which is a part of the table that one worker fills. Moves
    /// stay in the stretch or lead to stretches of smaller height.
    fn height(&self, stretch: u64) -> u64 {
        stretch
    }

    /// Calls `visit` for the predecessors of `position` whose numbers are below `end`.
    #[inline]
    fn predecessors_below(&self, position: u64, end: u64, mut visit: impl FnMut(u64)) {
        self.predecessors(position, |source| {
            if source < end {
                visit(source);
            }
        });
    }

    /// Calls `visit` for the options of `position` whose numbers are at least `start`.
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

/// Computes the outcome of every position. For each position, options are examined only until a
/// lost one is found.
///
/// # Complexity
/// At most one visit to every option. One byte for each position.
///
/// # Errors
/// The limit that was reached.
///
/// # Panics
/// If the number of an option is not smaller than the number of its position.
///
/// # Examples
/// ```
/// use grundy_core::implicit::dense::{Ranked, outcomes};
/// use grundy_core::{Limits, Play, Stop};
/// # struct Take(u64);
/// # impl Ranked for Take {
/// #     fn len(&self) -> u64 {
/// #         self.0
/// #     }
/// #     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
/// #         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
/// #     }
/// # }
/// // A move takes one, three or four chips.
/// let table = outcomes(&Take(10), Play::Normal, &Limits::default())?;
/// let lost: Vec<u64> = (0..10).filter(|&n| !table.wins(n)).collect();
/// assert_eq!(lost, [0, 2, 7, 9]);
/// # Ok::<(), Stop>(())
/// ```
pub fn outcomes<G: Ranked>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let cells = complete_pass(game, PassQuantity::Outcome, play, limits)?;
    Ok(Outcomes::without_remoteness(cells))
}

/// Computes the outcome and the remoteness of every position by a sieve: each lost position marks
/// its predecessors.
///
/// Most games have few lost positions. So a sieve marks far fewer cells than [`remoteness`] reads.
///
/// # Complexity
/// One visit to every move that leads to a lost position, and to every option of a lost position.
/// One byte for each position if all plays have fewer than 254 moves, two bytes if they have fewer
/// than 65,534 moves, and otherwise four.
///
/// # Errors
/// The limit that was reached.
///
/// # Panics
/// If a predecessor is not a position.
///
/// # Examples
/// ```
/// use grundy_core::implicit::dense::{Predecessors, Ranked, sieve};
/// use grundy_core::{Limits, Play, Stop};
/// # struct Take(u64);
/// # impl Ranked for Take {
/// #     fn len(&self) -> u64 {
/// #         self.0
/// #     }
/// #     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
/// #         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
/// #     }
/// # }
/// # impl Predecessors for Take {
/// #     fn predecessors(&self, n: u64, visit: impl FnMut(u64)) {
/// #         [1, 3, 4].into_iter().map(|k| n + k).filter(|&n| n < self.0).for_each(visit);
/// #     }
/// # }
/// // A move takes one, three or four chips. From 5 chips, a win takes three moves.
/// let table = sieve(&Take(6), Play::Normal, &Limits::default())?;
/// assert_eq!((table.wins(5), table.remoteness(5)), (true, Some(3)));
/// # Ok::<(), Stop>(())
/// ```
pub fn sieve<G: Predecessors>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let mut pass = Pass::default();
    resume_sieve(game, play, &mut pass, limits)?;
    Ok(Outcomes::new(pass.cells, play))
}

/// Computes the outcome and the remoteness of every position, by visiting its options.
///
/// # Complexity
/// One visit to every option. Memory as for [`sieve`].
///
/// # Errors
/// The limit that was reached.
///
/// # Panics
/// If the number of an option is not smaller than the number of its position.
///
/// # Examples
/// ```
/// use grundy_core::implicit::dense::{Ranked, remoteness};
/// use grundy_core::{Limits, Play, Stop};
/// # struct Take(u64);
/// # impl Ranked for Take {
/// #     fn len(&self) -> u64 {
/// #         self.0
/// #     }
/// #     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
/// #         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
/// #     }
/// # }
/// // A move takes one, three or four chips.
/// let table = remoteness(&Take(6), Play::Normal, &Limits::default())?;
/// let moves: Vec<Option<u32>> = (0..6).map(|n| table.remoteness(n)).collect();
/// assert_eq!(moves, [0, 1, 2, 1, 1, 3].map(Some));
/// # Ok::<(), Stop>(())
/// ```
pub fn remoteness<G: Ranked>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let cells = complete_pass(game, PassQuantity::Remoteness, play, limits)?;
    Ok(Outcomes::new(cells, play))
}

/// Computes the Sprague–Grundy value of every position.
///
/// # Complexity
/// One visit to every option, or two visits if the value of the position is 63 or more. One byte
/// for each position if all values are below 255, two bytes if they are below 65,535, and otherwise
/// four.
///
/// # Errors
/// The limit that was reached.
///
/// # Panics
/// If the number of an option is not smaller than the number of its position.
///
/// # Examples
/// ```
/// use grundy_core::implicit::dense::{Ranked, grundy};
/// use grundy_core::{Limits, Stop};
/// # struct Take(u64);
/// # impl Ranked for Take {
/// #     fn len(&self) -> u64 {
/// #         self.0
/// #     }
/// #     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
/// #         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
/// #     }
/// # }
/// // A move takes one, three or four chips. The values have period 7.
/// let values = grundy(&Take(14), &Limits::default())?;
/// assert_eq!(values, vec![0, 1, 0, 1, 2, 3, 2, 0, 1, 0, 1, 2, 3, 2].into());
/// # Ok::<(), Stop>(())
/// ```
pub fn grundy<G: Ranked>(game: &G, limits: &Limits<'_>) -> Result<Cells, Stop> {
    complete_pass(game, PassQuantity::Grundy, Play::Normal, limits)
}

fn complete_pass<G: Ranked>(
    game: &G,
    quantity: PassQuantity,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Cells, Stop> {
    let mut pass = Pass::default();
    resume(game, quantity, play, &mut pass, limits)?;
    Ok(pass.cells)
}
