//! The sieve: each lost position marks its predecessors as won.

use grundy_base::Cells;

use super::Predecessors;
use super::cell::Cell;
use super::pass::{Pass, Pause, reserve};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// Continues a sieve that was stopped, see [`sieve`](super::sieve). From the start, the table of a
/// sieve has a cell for every position.
///
/// ```
/// use grundy_core::implicit::dense::{Pass, Ranked, Predecessors, resume_sieve};
/// use grundy_core::{Limits, Play, Stop};
///
/// /// A heap from which one, three or four chips are taken.
/// struct Take(u64);
///
/// impl Ranked for Take {
///     fn len(&self) -> u64 {
///         self.0
///     }
///
///     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
///         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
///     }
/// }
///
/// impl Predecessors for Take {
///     fn predecessors(&self, n: u64, visit: impl FnMut(u64)) {
///         [1, 3, 4].into_iter().map(|k| n + k).filter(|&n| n < self.0).for_each(visit);
///     }
/// }
///
/// let mut pass = Pass::default();
/// resume_sieve(&Take(6), Play::Normal, &mut pass, &Limits::default())?;
/// assert_eq!(pass.cells, vec![0, 1, 2, 1, 1, 3].into());
/// # Ok::<(), Stop>(())
/// ```
///
/// # Errors
/// The limit that was reached, or [`Stop::Overflow`] if a number of moves does not fit in four
/// bytes.
///
/// # Panics
/// If a predecessor is not a position, or the state of the pass belongs to another game.
pub fn resume_sieve<G: Predecessors>(
    game: &G,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let (length, done) = (game.len(), &mut pass.done);
    Pass::with_wide_cells(&mut pass.cells, length, limits, |cells| match cells {
        Cells::One(cells) => sift(game, play, cells, done, limits),
        Cells::Two(cells) => sift(game, play, cells, done, limits),
        Cells::Four(cells) => sift(game, play, cells, done, limits),
    })
}

fn sift<G: Predecessors, T: Cell>(
    game: &G,
    play: Play,
    cells: &mut Vec<T>,
    done: &mut u64,
    limits: &Limits<'_>,
) -> Result<(), Pause> {
    let length = game.len();
    reserve(cells, length, limits)?;
    cells.resize(length as usize, T::NONE);
    while *done < length {
        limits.poll()?;
        let end = length.min(*done + game.poll_interval());
        for position in *done..end {
            let at = position as usize;
            if cells[at] != T::NONE {
                continue;
            }
            // A position without a mark has no lost option, since such an option would have marked
            // it. Hence it is lost, and its slowest won option determines its remoteness.
            let mut longest = None;
            game.options(position, |option| {
                longest = longest.max(Some(cells[option as usize]));
                true
            });
            let moves = match longest {
                None if play == Play::Misere => {
                    cells[at] = T::from_number(1).ok_or(Pause::CellOverflow)?;
                    continue;
                }
                None => 0,
                Some(won) => won.into() + 1,
            };
            // Both numbers are checked before anything is written. If one does not fit, the
            // position is processed again with wider cells.
            let (Some(number), Some(predecessor_number)) =
                (T::from_number(moves), T::from_number(moves + 1))
            else {
                *done = position;
                return Err(Pause::CellOverflow);
            };
            cells[at] = number;
            game.predecessors(position, |source| {
                let cell = &mut cells[source as usize];
                // Several lost options may mark the position, in any order. The minimum keeps the
                // quickest win.
                *cell = predecessor_number.min(*cell);
            });
        }
        *done = end;
    }
    Ok(())
}
