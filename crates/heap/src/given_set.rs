//! Sets of numbers that are given by a function from outside, such as one of a rule file.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_base::limits::{Flow, Halt, Stop};

/// A function from outside that says which numbers belong to a set.
pub trait Membership: fmt::Debug + Send + Sync + Any {
    /// Returns the name of the function.
    fn name(&self) -> &str;

    /// Returns whether a number belongs to the set. The answer must always be the same.
    ///
    /// # Errors
    /// An error of the function, or a limit.
    fn contains(&self, number: u64) -> Result<bool, Stop>;

    /// Returns whether `other` is the same function.
    fn same(&self, other: &dyn Membership) -> bool;
}

/// The positive integers for which a function is true. The answers of the function are kept.
///
/// ```
/// use grundy_base::Stop;
/// use grundy_heap::{GivenSet, Membership};
/// use std::ops::ControlFlow;
///
/// #[derive(Debug)]
/// struct Odd;
///
/// impl Membership for Odd {
///     fn name(&self) -> &str {
///         "odd"
///     }
///     fn contains(&self, number: u64) -> Result<bool, Stop> {
///         Ok(number % 2 == 1)
///     }
///     fn same(&self, _: &dyn Membership) -> bool {
///         true
///     }
/// }
///
/// let mut numbers = Vec::new();
/// let _ = GivenSet::new(Odd).up_to(6, &mut |number| {
///     numbers.push(number);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(numbers, [1, 3, 5]);
/// ```
#[derive(Clone, Debug)]
pub struct GivenSet(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    function: Box<dyn Membership>,
    known: Mutex<Known>,
}

/// The part of a set that is known.
#[derive(Debug, Default)]
struct Known {
    /// The largest number that was asked for. All smaller numbers were asked for, too.
    asked: u64,
    numbers: Vec<u64>,
}

impl GivenSet {
    /// Largest heap of a game with such a set. The function is called for every number up to the
    /// size of the heap.
    pub const MAX_HEAP: u64 = 10_000_000;

    /// Returns the set of the numbers that `function` contains.
    ///
    /// See [`GivenSet`] for an example.
    #[must_use]
    pub fn new(function: impl Membership) -> Self {
        Self(Arc::new(Shared {
            function: Box::new(function),
            known: Mutex::default(),
        }))
    }

    /// Returns the name of the function.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.function.name()
    }

    /// Visits the numbers of the set that are at most `most`, in ascending order.
    ///
    /// See [`GivenSet`] for an example.
    pub fn up_to(&self, most: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
        for index in 0.. {
            match self.number(index, most) {
                Ok(Some(number)) => visit(number)?,
                Ok(None) => break,
                Err(stop) => return ControlFlow::Break(Halt::Stop(stop)),
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the number with an index in the set, if it is at most `most`.
    fn number(&self, index: usize, most: u64) -> Result<Option<u64>, Stop> {
        loop {
            let next = {
                let known = self.known();
                if let Some(&number) = known.numbers.get(index) {
                    return Ok((number <= most).then_some(number));
                }
                if known.asked >= most {
                    return Ok(None);
                }
                known.asked + 1
            };
            // The lock is not held during the call, which may wait for another thread.
            let is_member = self.0.function.contains(next)?;
            let mut known = self.known();
            if known.asked == next - 1 {
                known.asked = next;
                if is_member {
                    known.numbers.push(next);
                }
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for GivenSet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.function.same(&*other.0.function)
    }
}

impl Eq for GivenSet {}

impl Hash for GivenSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}
