//! Limits: how much work an answer may cost, and how it is stopped.
//!
//! A limit can withhold an answer, it never changes one.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::diagnostic::{Diagnostic, Kind};
use crate::limit_kind::LimitKind;
use crate::message;
use crate::message::{Message, Setting};

/// Why a computation ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// More positions than [`Limits::positions`] would be needed.
    Positions(u64),
    /// More bytes than [`Limits::memory`] would be needed.
    Memory(u64),
    /// The answer has more bytes than it may have.
    Output(u64),
    /// A position can come back, so that values by options do not exist.
    Cyclic,
    /// The question has an answer for impartial games only.
    NotImpartial,
    /// The theory of values that was asked has none for this game.
    NoValue,
    /// The value of this heap needs values that were not kept.
    Forgotten(u64),
    /// The value is 2^64 or more, which a nimber of 64 bits does not hold.
    Overflow,
    /// The rules of a game of one's own gave no answer, and this is why.
    Rules(Arc<Diagnostic>),
    /// The caller's [`Limits::interrupted`] answered "time is up".
    Time,
    /// The caller's [`Limits::interrupted`] answered "the user asked to stop".
    Interrupted,
}

impl Stop {
    /// What is told of it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Positions(limit) => {
                message!("more than {limit} positions would be needed", limit)
            }
            Self::Memory(limit) => {
                message!("more than {limit} bytes of memory would be needed", limit)
            }
            Self::Output(limit) => message!("the answer has more than {limit} bytes", limit),
            Self::Cyclic => message!("a position can come back, so the game need not end"),
            Self::NotImpartial => message!("the question needs an impartial game"),
            Self::NoValue => message!("the game has no value in the theory asked for"),
            Self::Forgotten(heap) => message!("heap {heap} needs values that were not kept", heap),
            Self::Overflow => message!("the value is larger than 2^64 - 1"),
            Self::Rules(why) => why.message.clone(),
            Self::Time => message!("the time limit was reached"),
            Self::Interrupted => message!("interrupted"),
        }
    }

    /// Returns the limit that was reached, if it was one of those that a user sets.
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

/// What ended the work, with the option that gives more room.
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
            | Stop::Forgotten(_)
            | Stop::Interrupted => Kind::Limit,
        };
        let help = match (&stop, stop.limit()) {
            (Stop::Forgotten(_), _) => Some(message!(
                "leave {option} out: all values are kept then",
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

/// Why a visit ends before everything has been seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The visitor has seen enough.
    Enough,
    /// The work cannot go on.
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// What visitors and those who call them answer: go on, or end, and why.
///
/// ```
/// use std::ops::ControlFlow;
/// use grundy_base::{Flow, Halt, Stop, limits::ended};
/// let numbers = |visit: &mut dyn FnMut(u32) -> Flow| (1..).try_for_each(visit);
/// assert_eq!(ended(numbers(&mut |n| if n < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(Halt::Enough) })), Ok(true));
/// assert_eq!(ended(numbers(&mut |_| ControlFlow::Break(Stop::Time.into()))), Err(Stop::Time));
/// ```
pub type Flow = ControlFlow<Halt>;

/// Returns whether the visitor had seen enough before everything was seen.
///
/// # Errors
/// Why the work could not go on.
pub fn ended(flow: Flow) -> Result<bool, Stop> {
    match flow {
        ControlFlow::Continue(()) => Ok(false),
        ControlFlow::Break(Halt::Enough) => Ok(true),
        ControlFlow::Break(Halt::Stop(stop)) => Err(stop),
    }
}

/// To go on, unless the work cannot.
pub fn unless(result: Result<(), Stop>) -> Flow {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(stop) => ControlFlow::Break(Halt::Stop(stop)),
    }
}

/// What a computation may use. `positions` counts positions stored or, in a heap sequence, values
/// computed; `memory` counts the bytes that hold them, estimated before they are asked for.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Positions that may be stored.
    pub positions: u64,
    /// Bytes that may be held.
    pub memory: u64,
    /// Asked every few thousand steps; the library itself reads no clock.
    pub interrupted: &'a (dyn Fn() -> Option<Stop> + Sync),
    /// Where searches count the positions that they have looked at, for somebody who watches.
    pub looked_at: Option<&'a AtomicU64>,
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
    /// 50 million positions, 4 GiB, no interruption.
    fn default() -> Self {
        Self {
            positions: 50_000_000,
            memory: 4 << 30,
            interrupted: &|| None,
            looked_at: None,
        }
    }
}

impl Limits<'_> {
    /// Returns no limit at all.
    #[must_use]
    pub fn none() -> Self {
        Self {
            positions: u64::MAX,
            memory: u64::MAX,
            interrupted: &|| None,
            looked_at: None,
        }
    }

    /// Fails when `positions` stored positions of `bytes` bytes each are too many.
    ///
    /// # Errors
    /// The limit that would be passed.
    pub fn check(&self, positions: u64, bytes: u64) -> Result<(), Stop> {
        if positions > self.positions {
            return Err(Stop::Positions(self.positions));
        }
        if positions.saturating_mul(bytes) > self.memory {
            return Err(Stop::Memory(self.memory));
        }
        Ok(())
    }

    /// Counts positions that were looked at.
    #[inline]
    pub fn count(&self, positions: u64) {
        if let Some(looked_at) = self.looked_at {
            looked_at.fetch_add(positions, Ordering::Relaxed);
        }
    }

    /// Fails when the caller wants the work to end.
    ///
    /// # Errors
    /// What [`Limits::interrupted`] answered.
    pub fn poll(&self) -> Result<(), Stop> {
        (self.interrupted)().map_or(Ok(()), Err)
    }
}
