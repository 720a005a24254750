//! Passes from below that read every option.

use grundy_base::Cells;

use super::cell::{Best, Cell, Gather, SmallValues};
use super::{Ranked, Row};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// What a pass finds out about every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassQuestion {
    /// Who wins: a cell is 1 for the player to move, 0 for the other. A position is done as soon as
    /// an option is found lost.
    Outcome,
    /// Who wins, and in how many moves: the cells of [`Outcomes`](super::Outcomes).
    Remoteness,
    /// The Sprague–Grundy value, in normal play.
    Grundy,
}

/// A pass under way: what it has found, and how far it is. Stopped by the limits it can be gone on
/// with, or its parts kept and put together again another day: the table is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// The answers for the first positions; a sieve has cells for the others as well.
    pub cells: Cells,
    /// How many positions are done.
    pub done: u64,
}

/// Why a stretch of a pass ended early.
pub(super) enum Pause {
    /// The work cannot go on.
    Stop(Stop),
    /// A number needs wider cells; up to its position all is done.
    Narrow,
}

impl From<Stop> for Pause {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl Pass {
    /// Goes on in cells that become wider where it has to be.
    pub(super) fn in_cells(
        cells: &mut Cells,
        length: u64,
        limits: &Limits<'_>,
        mut stretch: impl FnMut(&mut Cells) -> Result<(), Pause>,
    ) -> Result<(), Stop> {
        limits.check(length, cells.width())?;
        loop {
            match stretch(cells) {
                Ok(()) => return Ok(()),
                Err(Pause::Stop(stop)) => return Err(stop),
                Err(Pause::Narrow) if cells.width() == 4 => return Err(Stop::Overflow),
                Err(Pause::Narrow) => {
                    // For a moment both are there.
                    limits.check(length, 3 * cells.width())?;
                    cells.widen();
                }
            }
        }
    }
}

/// Makes room for so many cells in all.
pub(super) fn reserve<T>(cells: &mut Vec<T>, length: u64, limits: &Limits<'_>) -> Result<(), Stop> {
    let size = usize::try_from(length).map_err(|_| Stop::Memory(limits.memory))?;
    cells
        .try_reserve_exact(size.saturating_sub(cells.len()))
        .map_err(|_| Stop::Memory(limits.memory))
}

/// Goes on with a pass from the first position that it does not have yet.
///
/// ```
/// use grundy::implicit::dense::{Pass, PassQuestion, Ranked, go_on};
/// use grundy::{Limits, Play, Stop};
/// # struct Take(u64);
/// # impl Ranked for Take {
/// #     fn len(&self) -> u64 {
/// #         self.0
/// #     }
/// #     fn options(&self, n: u64, mut visit: impl FnMut(u64) -> bool) {
/// #         let _ = [1, 3, 4].into_iter().take_while(|&k| k <= n).all(|k| visit(n - k));
/// #     }
/// # }
/// let mut pass = Pass { cells: vec![0, 1, 0].into(), done: 3 };                 // what was found before
/// go_on(&Take(10), PassQuestion::Grundy, Play::Normal, &mut pass, &Limits::default())?;
/// assert_eq!(pass.cells, vec![0, 1, 0, 1, 2, 3, 2, 0, 1, 0].into());
/// # Ok::<(), Stop>(())
/// ```
///
/// # Complexity
/// At most one visit to every option of the positions that were left; a byte a position, or two or
/// four where numbers are large.
///
/// # Errors
/// A limit; [`Stop::Overflow`] where a number does not fit four bytes.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn go_on<G: Ranked>(
    game: &G,
    question: PassQuestion,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let ended = Pass::in_cells(&mut pass.cells, game.len(), limits, |cells| match cells {
        Cells::One(cells) => run(game, question, play, cells, limits),
        Cells::Two(cells) => run(game, question, play, cells, limits),
        Cells::Four(cells) => run(game, question, play, cells, limits),
    });
    pass.done = pass.cells.len() as u64;
    ended
}

fn run<G: Ranked, T: Cell>(
    game: &G,
    question: PassQuestion,
    play: Play,
    cells: &mut Vec<T>,
    limits: &Limits<'_>,
) -> Result<(), Pause>
where
    Best<T>: Gather<T>,
{
    reserve(cells, game.len(), limits)?;
    let terminal = u32::from(play == Play::Misere);
    match question {
        PassQuestion::Outcome => {
            let (length, beat) = (game.len(), game.beat());
            while (cells.len() as u64) < length {
                limits.poll()?;
                let next = cells.len() as u64;
                for position in next..length.min(next + beat) {
                    let wins = outcome_of(game, terminal, position, cells);
                    cells.push(T::of(wins).ok_or(Pause::Narrow)?);
                }
            }
            Ok(())
        }
        PassQuestion::Remoteness => fill(game, cells, limits, |_, best: Option<Best<T>>, _| {
            best.map_or(terminal, |Best(merit)| T::after(merit))
        }),
        PassQuestion::Grundy => fill(
            game,
            cells,
            limits,
            |position, seen: Option<SmallValues>, known| match seen
                .map_or(0, |SmallValues(seen)| seen.trailing_ones())
            {
                mex @ 0..63 => mex,
                _ => large_grundy_of(game, position, known),
            },
        ),
    }
}

/// Largest block.
const BLOCK: usize = 64;

/// Fills a table from below, from the first position that it does not have yet. `label` makes the
/// number of a position from what was gathered, nothing where it has no option.
fn fill<G: Ranked, T: Cell, A: Gather<T>>(
    game: &G,
    cells: &mut Vec<T>,
    limits: &Limits<'_>,
    label: impl Fn(u64, Option<A>, &[T]) -> u32,
) -> Result<(), Pause> {
    let length = game.len();
    let block = game.block().clamp(1, BLOCK as u64);
    let mut next = cells.len() as u64 / block * block;
    let mut gathered = [A::NOTHING; BLOCK];
    let gathered = &mut gathered[..block as usize];
    while next < length {
        limits.poll()?;
        let end = length.min(next + (game.beat() / block).max(1) * block);
        for start in (next..end).step_by(block as usize) {
            gathered.fill(A::NOTHING);
            let mut shared = false;
            game.shared(start, |row| {
                shared |= row.count > 0;
                for at in row.numbers() {
                    let known = &cells[at..at + block as usize];
                    for (sum, &cell) in gathered.iter_mut().zip(known) {
                        *sum = sum.with(cell);
                    }
                }
            });
            // Of a block that was begun before the rest is left, and the last one may be short.
            let begun = (cells.len() as u64).max(start);
            for position in begun..length.min(start + block) {
                let (mut sum, mut any) = (gathered[(position - start) as usize], shared);
                game.own(position, |row: Row| {
                    any |= row.count > 0;
                    for at in row.numbers() {
                        sum = sum.with(cells[at]);
                    }
                });
                let number = label(position, any.then_some(sum), cells);
                cells.push(T::of(number).ok_or(Pause::Narrow)?);
            }
        }
        next = end;
    }
    Ok(())
}

#[inline]
fn outcome_of<G: Ranked, T: Cell>(game: &G, terminal: u32, position: u64, known: &[T]) -> u32 {
    let (mut wins, mut ends) = (0, true);
    game.options(position, |option| {
        ends = false;
        wins = 1 - known[option as usize].into();
        wins == 0
    });
    if ends { terminal } else { wins }
}

#[cold]
fn large_grundy_of<G: Ranked, T: Cell>(game: &G, position: u64, known: &[T]) -> u32 {
    let mut seen = Vec::new();
    game.options(position, |option| {
        let value: u32 = known[option as usize].into();
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
