//! Passes over all positions of a game with numbered positions (see [`Ranked`](super::Ranked)), in
//! the order of their numbers.

use grundy_base::Cells;

use super::cell::{Accumulator, Best, Cell, SmallValues};
use super::{Ranked, Row};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// The kind of number that a pass computes for every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassQuantity {
    /// The outcome. A cell is 1 if the player to move wins, and 0 otherwise. Options are examined
    /// only until a lost one is found.
    Outcome,
    /// The outcome and the remoteness, in the cells of [`Outcomes`](super::Outcomes).
    Remoteness,
    /// The Sprague–Grundy value in normal play.
    Grundy,
}

/// The state of a pass: the cells computed so far, and the number of positions done. If a limit
/// stops a pass, it can be resumed from this state, even after the state was saved and restored.
/// The final table is the same as that of a pass without interruption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// The cells of the finished positions. In a sieve, in which each lost position marks its
    /// predecessors, the vector contains the cells of all positions.
    pub cells: Cells,
    /// Number of finished positions.
    pub done: u64,
}

/// The reason why a pass was interrupted.
pub(super) enum Pause {
    /// A limit that was reached, or an error.
    Stop(Stop),
    /// The outcome, remoteness or value of a position does not fit in a cell. All earlier positions
    /// are finished.
    CellOverflow,
}

impl From<Stop> for Pause {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl Pass {
    /// Calls `run` on the cells. Whenever a number does not fit in a cell, the cells are widened
    /// and `run` is called again.
    pub(super) fn with_wide_cells(
        cells: &mut Cells,
        length: u64,
        limits: &Limits<'_>,
        mut run: impl FnMut(&mut Cells) -> Result<(), Pause>,
    ) -> Result<(), Stop> {
        limits.check(length, cells.width())?;
        loop {
            match run(cells) {
                Ok(()) => return Ok(()),
                Err(Pause::Stop(stop)) => return Err(stop),
                Err(Pause::CellOverflow) if cells.width() == 4 => return Err(Stop::Overflow),
                Err(Pause::CellOverflow) => {
                    // During the conversion, both tables are in memory.
                    limits.check(length, 3 * cells.width())?;
                    cells.widen();
                }
            }
        }
    }
}

/// Reserves memory so that `cells` can have `length` elements in total.
pub(super) fn reserve<T>(cells: &mut Vec<T>, length: u64, limits: &Limits<'_>) -> Result<(), Stop> {
    let size = usize::try_from(length).map_err(|_| Stop::Memory(limits.memory))?;
    cells
        .try_reserve_exact(size.saturating_sub(cells.len()))
        .map_err(|_| Stop::Memory(limits.memory))
}

/// Continues a pass at the first position that is not finished.
///
/// ```
/// use grundy_core::implicit::dense::{Pass, PassQuantity, Ranked, resume};
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
/// // The results of an earlier run.
/// let mut pass = Pass { cells: vec![0, 1, 0].into(), done: 3 };
/// resume(&Take(10), PassQuantity::Grundy, Play::Normal, &mut pass, &Limits::default())?;
/// assert_eq!(pass.cells, vec![0, 1, 0, 1, 2, 3, 2, 0, 1, 0].into());
/// # Ok::<(), Stop>(())
/// ```
///
/// # Complexity
/// At most one visit to every option of the positions that are not finished, with one exception.
/// The options of a position are visited twice if its Sprague–Grundy value is computed and is 63 or
/// more. One byte for each position, or two or four bytes if numbers are large.
///
/// # Errors
/// The limit that was reached, or [`Stop::Overflow`] if a number does not fit in four bytes.
///
/// # Panics
/// If the number of an option is not smaller than the number of its position.
pub fn resume<G: Ranked>(
    game: &G,
    quantity: PassQuantity,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let ended = Pass::with_wide_cells(&mut pass.cells, game.len(), limits, |cells| match cells {
        Cells::One(cells) => run(game, quantity, play, cells, limits),
        Cells::Two(cells) => run(game, quantity, play, cells, limits),
        Cells::Four(cells) => run(game, quantity, play, cells, limits),
    });
    pass.done = pass.cells.len() as u64;
    ended
}

fn run<G: Ranked, T: Cell>(
    game: &G,
    quantity: PassQuantity,
    play: Play,
    cells: &mut Vec<T>,
    limits: &Limits<'_>,
) -> Result<(), Pause>
where
    Best<T>: Accumulator<T>,
{
    reserve(cells, game.len(), limits)?;
    // In misère play a terminal position is a win, so its cell must be odd.
    let terminal = u32::from(play == Play::Misere);
    match quantity {
        PassQuantity::Outcome => {
            let (length, interval) = (game.len(), game.poll_interval());
            while (cells.len() as u64) < length {
                limits.poll()?;
                let next = cells.len() as u64;
                for position in next..length.min(next + interval) {
                    let wins = outcome_of(game, terminal, position, cells);
                    cells.push(T::from_number(wins).ok_or(Pause::CellOverflow)?);
                }
            }
            Ok(())
        }
        PassQuantity::Remoteness => fill(game, cells, limits, |_, best: Option<Best<T>>, _| {
            best.map_or(terminal, |Best(merit)| T::after_best(merit))
        }),
        PassQuantity::Grundy => fill(
            game,
            cells,
            limits,
            |position, seen: Option<SmallValues>, cells| match seen
                .map_or(0, |SmallValues(seen)| seen.trailing_ones())
            {
                // Bit 63 represents all values of 63 or more. If the mex is not below 63, the exact
                // values are needed.
                mex @ 0..63 => mex,
                _ => large_grundy_value(game, position, cells),
            },
        ),
    }
}

/// Largest number of positions in a block.
const BLOCK: usize = 64;

/// Fills a table, starting at its first missing position. `label` computes the number to store for
/// a position. Its arguments are the position, the accumulator over the options, and the cells of
/// all earlier positions. The accumulator is `None` for a position without options.
fn fill<G: Ranked, T: Cell, A: Accumulator<T>>(
    game: &G,
    cells: &mut Vec<T>,
    limits: &Limits<'_>,
    label: impl Fn(u64, Option<A>, &[T]) -> u32,
) -> Result<(), Pause> {
    let length = game.len();
    let block = game.block().clamp(1, BLOCK as u64);
    // A pass may be resumed in the middle of a block. The accumulators of the whole block are then
    // computed again.
    let mut next = cells.len() as u64 / block * block;
    let mut accumulators = [A::EMPTY; BLOCK];
    let accumulators = &mut accumulators[..block as usize];
    while next < length {
        limits.poll()?;
        let end = length.min(next + (game.poll_interval() / block).max(1) * block);
        for start in (next..end).step_by(block as usize) {
            accumulators.fill(A::EMPTY);
            let mut shared = false;
            game.shared_options(start, |row| {
                shared |= row.count > 0;
                for at in row.numbers() {
                    // The inner loop visits consecutive cells, for all positions of the block. So
                    // the compiler can vectorize it.
                    let row = &cells[at..at + block as usize];
                    for (sum, &cell) in accumulators.iter_mut().zip(row) {
                        *sum = sum.with(cell);
                    }
                }
            });
            // In the first block, positions that are already finished are skipped. The last block
            // may be short.
            let first_unfinished = (cells.len() as u64).max(start);
            for position in first_unfinished..length.min(start + block) {
                let (mut sum, mut any) = (accumulators[(position - start) as usize], shared);
                game.unshared_options(position, |row: Row| {
                    any |= row.count > 0;
                    for at in row.numbers() {
                        sum = sum.with(cells[at]);
                    }
                });
                let number = label(position, any.then_some(sum), cells);
                cells.push(T::from_number(number).ok_or(Pause::CellOverflow)?);
            }
        }
        next = end;
    }
    Ok(())
}

#[inline]
fn outcome_of<G: Ranked, T: Cell>(game: &G, terminal: u32, position: u64, cells: &[T]) -> u32 {
    let (mut wins, mut ends) = (0, true);
    game.options(position, |option| {
        ends = false;
        wins = 1 - cells[option as usize].into();
        wins == 0
    });
    // The last option that was read decides, since the loop stops at the first lost option.
    if ends { terminal } else { wins }
}

#[cold]
fn large_grundy_value<G: Ranked, T: Cell>(game: &G, position: u64, cells: &[T]) -> u32 {
    // Values are not bounded here, so the bit set grows when necessary.
    let mut seen = Vec::new();
    game.options(position, |option| {
        let value: u32 = cells[option as usize].into();
        let word = value as usize / 64;
        if seen.len() <= word {
            seen.resize(word + 1, 0u64);
        }
        seen[word] |= 1 << (value % 64);
        true
    });
    let word = seen.iter().position(|&word| word != u64::MAX);
    let word = word.unwrap_or(seen.len());
    64 * word as u32 + seen.get(word).map_or(0, |seen| seen.trailing_ones())
}
