//! Dense tables: a byte for every number of a position, filled in one pass from below.
//!
//! A game that can number its positions from 0 so that every option has a smaller number than its position needs no
//! hashing and no order of its own. [`Ranked`] says how; the passes are generic over it and inlined.

mod gather;

use gather::{BestLabel, Gather, SmallValues};

use crate::limits::{Limits, Stop};
use crate::outcome::Play;

pub use grundy_base::Outcomes;

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
/// assert_eq!(grundy(&Take(10), &Limits::default())?, [0, 1, 0, 1, 2, 3, 2, 0, 1, 0]);
/// # Ok::<(), grundy::Stop>(())
/// ```
pub trait Ranked {
    /// How many positions there are; their numbers are 0, 1, ..., `len() - 1`.
    fn len(&self) -> u64;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits the numbers of the options of `position`, all smaller than it, until `visit` answers false.
    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool);

    /// How many positions, from a multiple of this number on, share options as [`shared`](Self::shared) says: up to 64.
    #[inline]
    fn block(&self) -> u64 {
        1
    }

    /// Visits options that the positions `start`, `start + 1`, ... of a block have in common, each counted from itself:
    /// where `start` has option `n`, `start + 1` has `n + 1`, and so on. So it is with a heap when the block goes through
    /// the sizes of another one. They are read for the whole block at once, which is several times as fast.
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
}

/// Positions between two looks at the clock.
const BEAT: u64 = 1 << 16;

/// What a pass finds out about every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassQuestion {
    /// Who wins: a byte is 1 for the player to move, 0 for the other. A position is done as soon as an option is found lost.
    Outcome,
    /// Who wins, and in how many moves: the bytes of [`Outcomes`].
    Remoteness,
    /// The Sprague–Grundy value, in normal play.
    Grundy,
}

fn allocate<G: Ranked>(game: &G, limits: &Limits<'_>) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    reserve(game, &mut bytes, limits)?;
    Ok(bytes)
}

/// Makes room for all positions.
fn reserve<G: Ranked>(game: &G, bytes: &mut Vec<u8>, limits: &Limits<'_>) -> Result<(), Stop> {
    let length = game.len();
    limits.check(length, 1)?;
    let size = usize::try_from(length).map_err(|_| Stop::Memory(limits.memory))?;
    bytes
        .try_reserve_exact(size.saturating_sub(bytes.len()))
        .map_err(|_| Stop::Memory(limits.memory))
}

/// Largest block.
const BLOCK: usize = 64;

/// Fills a table from below, from the first position that it does not have yet. `label` makes the byte of a position from what
/// was gathered, nothing where it has no option.
fn fill<G: Ranked, A: Gather>(
    game: &G,
    bytes: &mut Vec<u8>,
    limits: &Limits<'_>,
    label: impl Fn(u64, Option<A>, &[u8]) -> Option<u8>,
) -> Result<(), Stop> {
    let length = game.len();
    let block = game.block().clamp(1, BLOCK as u64);
    let mut next = bytes.len() as u64 / block * block;
    let mut gathered = [A::nothing(); BLOCK];
    let gathered = &mut gathered[..block as usize];
    while next < length {
        limits.poll()?;
        let end = length.min(next + BEAT / block * block);
        for start in (next..end).step_by(block as usize) {
            gathered.fill(A::nothing());
            let mut shared = false;
            game.shared(start, |row| {
                shared |= row.count > 0;
                for at in row.numbers() {
                    let known = &bytes[at..at + block as usize];
                    for (sum, &byte) in gathered.iter_mut().zip(known) {
                        *sum = sum.with(byte);
                    }
                }
            });
            // Of a block that was begun before the rest is left, and the last one may be short.
            let begun = (bytes.len() as u64).max(start);
            for position in begun..length.min(start + block) {
                let (mut sum, mut any) = (gathered[(position - start) as usize], shared);
                game.own(position, |row| {
                    any |= row.count > 0;
                    for at in row.numbers() {
                        sum = sum.with(bytes[at]);
                    }
                });
                let byte = label(position, any.then_some(sum), bytes);
                bytes.push(byte.ok_or(Stop::Positions(255))?);
            }
        }
        next = end;
    }
    Ok(())
}

/// Goes on with a pass that was stopped: `bytes` holds the answers for the first positions, as many as there are, and in the end
/// for all. Stopped by the limits it can be called again, or its bytes kept and gone on with another day: the table is the same.
///
/// ```
/// use grundy::implicit::dense::{PassQuestion, Ranked, go_on};
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
/// let mut bytes = vec![0, 1, 0];                 // what was found before
/// go_on(&Take(10), PassQuestion::Grundy, Play::Normal, &mut bytes, &Limits::default())?;
/// assert_eq!(bytes, [0, 1, 0, 1, 2, 3, 2, 0, 1, 0]);
/// # Ok::<(), Stop>(())
/// ```
///
/// # Complexity
/// At most one visit to every option of the positions that were left; a byte a position.
///
/// # Errors
/// A limit; [`Stop::Positions`] with 255 where a Grundy value does not fit a byte.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn go_on<G: Ranked>(
    game: &G,
    question: PassQuestion,
    play: Play,
    bytes: &mut Vec<u8>,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    reserve(game, bytes, limits)?;
    let (length, terminal) = (game.len(), u8::from(play == Play::Misere));
    match question {
        PassQuestion::Outcome => {
            while (bytes.len() as u64) < length {
                limits.poll()?;
                let next = bytes.len() as u64;
                for position in next..length.min(next + BEAT) {
                    bytes.push(outcome_of(game, terminal, position, bytes));
                }
            }
            Ok(())
        }
        PassQuestion::Remoteness => fill(game, bytes, limits, |_, sum: Option<BestLabel>, _| {
            Some(sum.map_or(terminal, BestLabel::byte))
        }),
        PassQuestion::Grundy => fill(
            game,
            bytes,
            limits,
            |position, sum: Option<SmallValues>, known| match sum
                .map_or(0, |SmallValues(seen)| seen.trailing_ones())
            {
                mex @ 0..63 => Some(mex as u8),
                _ => large_grundy_of(game, position, known),
            },
        ),
    }
}

#[inline]
fn outcome_of<G: Ranked>(game: &G, terminal: u8, position: u64, known: &[u8]) -> u8 {
    let (mut wins, mut ends) = (0, true);
    game.options(position, |option| {
        ends = false;
        wins = 1 - known[option as usize];
        wins == 0
    });
    if ends { terminal } else { wins }
}

#[cold]
fn large_grundy_of<G: Ranked>(game: &G, position: u64, known: &[u8]) -> Option<u8> {
    let mut seen = [0u64; 4];
    game.options(position, |option| {
        let value = known[option as usize];
        seen[usize::from(value >> 6)] |= 1 << (value & 63);
        true
    });
    let word = seen.iter().position(|&word| word != u64::MAX)?;
    Some((64 * word as u32 + seen[word].trailing_ones()) as u8)
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
    let mut bytes = Vec::new();
    go_on(game, PassQuestion::Outcome, play, &mut bytes, limits)?;
    Ok(Outcomes::from_bytes(bytes))
}

/// Who wins every position, by a sieve: each lost position, once met, marks what can move to it.
///
/// Most games have few lost positions, so this writes much less than [`outcomes`] reads.
///
/// # Complexity
/// One visit to every move that leads to a lost position; a byte a position.
///
/// # Errors
/// A limit.
///
/// # Panics
/// When a source is no position.
pub fn sieve<G: Reversible>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let mut bytes = allocate(game, limits)?;
    bytes.resize(game.len() as usize, 0);
    let mut next = 0;
    while next < game.len() {
        limits.poll()?;
        let end = game.len().min(next + BEAT);
        for position in next..end {
            if bytes[position as usize] == 1 {
                continue;
            }
            if play == Play::Misere {
                let mut terminal = true;
                game.options(position, |_| {
                    terminal = false;
                    false
                });
                if terminal {
                    bytes[position as usize] = 1;
                    continue;
                }
            }
            game.sources(position, |source| bytes[source as usize] = 1);
        }
        next = end;
    }
    Ok(Outcomes::from_bytes(bytes))
}

/// Who wins every position, and in how many moves.
///
/// # Complexity
/// One visit to every option; a byte a position.
///
/// # Errors
/// A limit.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn remoteness<G: Ranked>(game: &G, play: Play, limits: &Limits<'_>) -> Result<Outcomes, Stop> {
    let mut bytes = Vec::new();
    go_on(game, PassQuestion::Remoteness, play, &mut bytes, limits)?;
    Ok(Outcomes::from_bytes(bytes))
}

/// The Sprague–Grundy value of every position.
///
/// # Complexity
/// One visit to every option; a byte a position.
///
/// # Errors
/// A limit; [`Stop::Positions`] with 255 where a value does not fit a byte.
///
/// # Panics
/// When an option's number is not smaller than its position's.
pub fn grundy<G: Ranked>(game: &G, limits: &Limits<'_>) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    go_on(game, PassQuestion::Grundy, Play::Normal, &mut bytes, limits)?;
    Ok(bytes)
}
