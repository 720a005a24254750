//! The sieve: lost positions mark what can move to them.

use grundy_base::Cells;

use super::Reversible;
use super::cell::Cell;
use super::pass::{Pass, Pause, reserve};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// Goes on with a sieve: see [`sieve`](super::sieve). Its cells are there for all positions from
/// the beginning on.
///
/// ```
/// use grundy::implicit::dense::{Pass, Ranked, Reversible, sieve_on};
/// use grundy::{Limits, Play, Stop};
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
/// impl Reversible for Take {
///     fn sources(&self, n: u64, visit: impl FnMut(u64)) {
///         [1, 3, 4].into_iter().map(|k| n + k).filter(|&n| n < self.0).for_each(visit);
///     }
/// }
///
/// let mut pass = Pass::default();
/// sieve_on(&Take(6), Play::Normal, &mut pass, &Limits::default())?;
/// assert_eq!(pass.cells, vec![0, 1, 2, 1, 1, 3].into());
/// # Ok::<(), Stop>(())
/// ```
///
/// # Errors
/// A limit; [`Stop::Overflow`] where a play can have 2^32 moves.
///
/// # Panics
/// When a source is no position, or a pass that was begun is not one of this game.
pub fn sieve_on<G: Reversible>(
    game: &G,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let (length, done) = (game.len(), &mut pass.done);
    Pass::in_cells(&mut pass.cells, length, limits, |cells| match cells {
        Cells::One(cells) => sift(game, play, cells, done, limits),
        Cells::Two(cells) => sift(game, play, cells, done, limits),
        Cells::Four(cells) => sift(game, play, cells, done, limits),
    })
}

fn sift<G: Reversible, T: Cell>(
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
        let end = length.min(*done + game.beat());
        for position in *done..end {
            let at = position as usize;
            if cells[at] != T::NONE {
                continue;
            }
            // No option is lost, or it would have marked this.
            let mut longest = None;
            game.options(position, |option| {
                longest = longest.max(Some(cells[option as usize]));
                true
            });
            let moves = match longest {
                None if play == Play::Misere => {
                    cells[at] = T::of(1).ok_or(Pause::Narrow)?;
                    continue;
                }
                None => 0,
                Some(won) => won.into() + 1,
            };
            let (Some(own), Some(before)) = (T::of(moves), T::of(moves + 1)) else {
                *done = position;
                return Err(Pause::Narrow);
            };
            cells[at] = own;
            game.sources(position, |source| {
                let cell = &mut cells[source as usize];
                *cell = before.min(*cell);
            });
        }
        *done = end;
    }
    Ok(())
}
