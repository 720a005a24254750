//! Limits on the work for an answer, and the interruption of a computation.
//!
//! If a limit is reached, there is no answer. A limit never changes an answer.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::diagnostic::{Diagnostic, Kind};
use crate::limit_kind::LimitKind;
use crate::message;
use crate::message::{Message, Setting};

/// The reason why a computation ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The computation needs more positions than [`Limits::positions`].
    Positions(u64),
    /// The computation needs more bytes than [`Limits::memory`].
    Memory(u64),
    /// The answer would have more bytes than the given limit.
    Output(u64),
    /// A position can recur, so the chosen method has no value for it.
    Cyclic,
    /// The question has an answer for impartial games only.
    NotImpartial,
    /// The chosen theory has no value for this game.
    NoValue,
    /// The value of the heap of this size depends on the value of a smaller heap that is no longer
    /// stored.
    NotStored(u64),
    /// The value is 2^64 or more, which does not fit a nimber of 64 bits.
    Overflow,
    /// The rules of a user-defined game failed with this error.
    Rules(Arc<Diagnostic>),
    /// The callback [`Limits::interrupted`] reported that the time is up.
    Time,
    /// The callback [`Limits::interrupted`] reported that the user asked to stop.
    Interrupted,
}

impl Stop {
    /// Returns the message for the user.
    ///
    /// ```
    /// use grundy_base::Stop;
    /// let message = Stop::Positions(1000).message();
    /// assert_eq!(message, "the computation needs more than 1000 positions");
    /// ```
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Positions(limit) => {
                message!("the computation needs more than {limit} positions", limit)
            }
            Self::Memory(limit) => {
                message!(
                    "the computation needs more than {limit} bytes of memory",
                    limit
                )
            }
            Self::Output(limit) => message!("the answer has more than {limit} bytes", limit),
            Self::Cyclic => message!("a position can recur, so the game need not end"),
            Self::NotImpartial => message!("this question requires an impartial game"),
            Self::NoValue => message!("the theory used here assigns no value to this game"),
            Self::NotStored(heap) => message!(
                "the value of heap {heap} depends on values that were not stored",
                heap
            ),
            Self::Overflow => message!("the value is larger than 2^64 - 1"),
            Self::Rules(why) => why.message.clone(),
            Self::Time => message!("the time limit was reached"),
            Self::Interrupted => message!("interrupted"),
        }
    }

    /// Returns the limit that was reached, among those that the user can set. Returns `None` if the
    /// computation stopped for another reason.
    ///
    /// ```
    /// use grundy_base::{LimitKind, Stop};
    /// assert_eq!(Stop::Memory(1 << 20).limit(), Some(LimitKind::Memory));
    /// assert_eq!(Stop::Cyclic.limit(), None);
    /// ```
    #[must_use]
    pub fn limit(&self) -> Option<LimitKind> {
        match self {
            Self::Time => Some(LimitKind::Time),
            Self::Memory(_) => Some(LimitKind::Memory),
            Self::Positions(_) => Some(LimitKind::Positions),
            Self::Output(_) => Some(LimitKind::Output),
            _ => None,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Stop {}

/// Converts the reason into a diagnostic. If a limit set by the user was reached, the advice names
/// the option that raises it.
impl From<Stop> for Diagnostic {
    fn from(stop: Stop) -> Self {
        let kind = match &stop {
            Stop::Rules(diagnostic) => return (**diagnostic).clone(),
            Stop::Cyclic => Kind::Cyclic,
            Stop::NotImpartial | Stop::NoValue => Kind::NotImpartial,
            Stop::Overflow => Kind::Overflow,
            Stop::Positions(_)
            | Stop::Memory(_)
            | Stop::Output(_)
            | Stop::Time
            // No limit of the user was reached. But without the option `stream`, all values are
            // stored, and the computation succeeds.
            | Stop::NotStored(_)
            | Stop::Interrupted => Kind::Limit,
        };
        let help = match (&stop, stop.limit()) {
            (Stop::NotStored(_), _) => Some(message!(
                "omit {option} to store all values",
                option = Setting::new("stream")
            )),
            (_, Some(limit)) => Some(message!(
                "{option} raises the limit",
                option = limit.setting()
            )),
            (_, None) => None,
        };
        let mut diagnostic = Self::new(kind, stop.message());
        diagnostic.limit = stop.limit();
        diagnostic.help = help;
        diagnostic
    }
}

/// The reason why a visitor ends an enumeration early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The visitor needs no further items.
    Enough,
    /// The computation cannot continue.
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// The result of a visitor, and of a function that calls it: continue the enumeration, or end it
/// for a reason.
///
/// ```
/// use std::ops::ControlFlow;
/// use grundy_base::{Flow, Halt, Stop, limits::stopped_early};
/// let numbers = |visit: &mut dyn FnMut(u32) -> Flow| (1..).try_for_each(visit);
/// let mut below_5 = |n: u32| match n {
///     0..5 => ControlFlow::Continue(()),
///     _ => ControlFlow::Break(Halt::Enough),
/// };
/// assert_eq!(stopped_early(numbers(&mut below_5)), Ok(true));
/// let mut fails = |_| ControlFlow::Break(Stop::Time.into());
/// assert_eq!(stopped_early(numbers(&mut fails)), Err(Stop::Time));
/// ```
pub type Flow = ControlFlow<Halt>;

/// Returns whether the visitor ended the enumeration because it needs no further items.
///
/// # Errors
/// The reason why the computation could not continue.
///
/// # Examples
/// ```
/// use std::ops::ControlFlow;
/// use grundy_base::{Halt, Stop, limits::stopped_early};
/// assert_eq!(stopped_early(ControlFlow::Continue(())), Ok(false));
/// assert_eq!(stopped_early(ControlFlow::Break(Halt::Enough)), Ok(true));
/// assert_eq!(stopped_early(ControlFlow::Break(Stop::Cyclic.into())), Err(Stop::Cyclic));
/// ```
pub fn stopped_early(flow: Flow) -> Result<bool, Stop> {
    match flow {
        ControlFlow::Continue(()) => Ok(false),
        ControlFlow::Break(Halt::Enough) => Ok(true),
        ControlFlow::Break(Halt::Stop(stop)) => Err(stop),
    }
}

/// Converts a result into a control flow: an error ends the enumeration, and `Ok` continues it.
///
/// ```
/// use std::ops::ControlFlow;
/// use grundy_base::{Halt, Limits, Stop, limits::break_on_error};
/// let limits = Limits { positions: 9, ..Limits::default() };
/// assert_eq!(break_on_error(limits.check(9, 1)), ControlFlow::Continue(()));
/// let reached = Halt::Stop(Stop::Positions(9));
/// assert_eq!(break_on_error(limits.check(10, 1)), ControlFlow::Break(reached));
/// ```
pub fn break_on_error(result: Result<(), Stop>) -> Flow {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(stop) => ControlFlow::Break(Halt::Stop(stop)),
    }
}

/// The resources of a computation. `positions` limits the number of stored positions, or the number
/// of stored values of a heap sequence. `memory` limits the bytes that the stored positions or
/// values occupy. Both limits are checked before memory is allocated.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Largest number of stored positions.
    pub positions: u64,
    /// Largest number of bytes.
    pub memory: u64,
    /// A callback that returns the reason to stop, if there is one. It is polled every few thousand
    /// steps. The library itself reads no clock.
    pub interrupted: &'a (dyn Fn() -> Option<Stop> + Sync),
    /// A counter of the positions visited, for a progress display.
    pub visited: Option<&'a AtomicU64>,
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("positions", &self.positions)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Default for Limits<'_> {
    /// Creates limits of 50 million positions and 4 GiB, without interruption.
    fn default() -> Self {
        Self {
            positions: 50_000_000,
            memory: 4 << 30,
            interrupted: &|| None,
            visited: None,
        }
    }
}

impl Limits<'_> {
    /// Creates limits so large that no computation reaches them.
    ///
    /// ```
    /// use grundy_base::{Limits, Stop};
    /// let positions = 1 << 40;
    /// assert_eq!(Limits::default().check(positions, 1), Err(Stop::Positions(50_000_000)));
    /// assert_eq!(Limits::none().check(positions, 1), Ok(()));
    /// ```
    #[must_use]
    pub fn none() -> Self {
        Self {
            positions: u64::MAX,
            memory: u64::MAX,
            interrupted: &|| None,
            visited: None,
        }
    }

    /// Fails if `positions` exceeds the limit on stored positions. Also fails if `positions` times
    /// `bytes`, the size of one position, exceeds the limit on memory.
    ///
    /// # Errors
    /// The limit that would be exceeded.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Limits, Stop};
    /// let limits = Limits { positions: 1000, memory: 8000, ..Limits::default() };
    /// assert_eq!(limits.check(1000, 8), Ok(()));
    /// assert_eq!(limits.check(1001, 1), Err(Stop::Positions(1000)));
    /// assert_eq!(limits.check(1000, 9), Err(Stop::Memory(8000)));
    /// ```
    pub fn check(&self, positions: u64, bytes: u64) -> Result<(), Stop> {
        if positions > self.positions {
            return Err(Stop::Positions(self.positions));
        }
        // The product saturates, because callers pass estimates for which it may exceed 64 bits.
        if positions.saturating_mul(bytes) > self.memory {
            return Err(Stop::Memory(self.memory));
        }
        Ok(())
    }

    /// Adds `positions` to the counter of visited positions, if there is one.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use grundy_base::Limits;
    /// let visited = AtomicU64::new(0);
    /// let limits = Limits { visited: Some(&visited), ..Limits::default() };
    /// limits.count(3);
    /// limits.count(4);
    /// assert_eq!(visited.load(Ordering::Relaxed), 7);
    /// ```
    #[inline]
    pub fn count(&self, positions: u64) {
        if let Some(visited) = self.visited {
            // Only a display reads the counter, so it needs no ordering with other memory accesses.
            visited.fetch_add(positions, Ordering::Relaxed);
        }
    }

    /// Fails if [`Limits::interrupted`] returns a reason to stop.
    ///
    /// # Errors
    /// The reason that [`Limits::interrupted`] returned.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Limits, Stop};
    /// assert_eq!(Limits::default().poll(), Ok(()));
    /// let limits = Limits { interrupted: &|| Some(Stop::Time), ..Limits::default() };
    /// assert_eq!(limits.poll(), Err(Stop::Time));
    /// ```
    pub fn poll(&self) -> Result<(), Stop> {
        (self.interrupted)().map_or(Ok(()), Err)
    }
}
