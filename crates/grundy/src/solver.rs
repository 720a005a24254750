//! The solver: a builder of limits, and the questions about positions.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use grundy_base::limits::Stop;
use grundy_base::nimber::Nimber;
use grundy_base::{Limits, OutcomeClass, Play};
use grundy_core::solve::{Detail, Status};

use crate::run::{CancelHandle, Engine, Progress, Settings, run};
use crate::value::Arena;
use crate::{Answer, Error, ErrorKind, MisereValue, Position, Value};

/// A solver of positions. It caches its results, so that a later question about the same components
/// is answered at once.
///
/// A new solver has no limit on the time, a limit of 50 million stored positions, and a limit of
/// 4 GiB of memory. The methods that set limits take and return the solver:
///
/// ```
/// use std::time::Duration;
/// use grundy::prelude::*;
/// let mut solver = Solver::new().timeout(Duration::from_secs(5)).max_memory(1 << 30);
/// for n in 0..100 {
///     let answer = solver.solve(&games::kayles([n]))?;
///     assert_eq!(answer.outcome() == Outcome::P, n == 0);
/// }
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    engine: Engine,
    arena: Arena,
    pub(crate) settings: Settings,
}

impl Solver {
    /// Creates a solver with an empty cache and the default limits.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Solver::new().grundy(&games::kayles([7]))?, Nimber(2));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with_settings(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Sets the time limit of each question. By default there is none.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new().timeout(Duration::from_millis(20));
    /// let error = solver.solve(&"cram(board(7, 9))".parse()?).unwrap_err();
    /// assert_eq!(error.limit(), Some(Limit::Time));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = Some(timeout);
        self
    }

    /// Sets the limit on the memory of each question, in bytes. The default is 4 GiB. The solver
    /// estimates the size of its tables before it enlarges them.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new().max_memory(1 << 16);
    /// let error = solver.value(&"domineering(board(4, 6))".parse()?).unwrap_err();
    /// assert_eq!(error.limit(), Some(Limit::Memory));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.settings.memory = bytes;
        self
    }

    /// Sets the limit on the number of positions that a question stores. The default is 50 million.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new().max_positions(100);
    /// let error = solver.grundy(&"cram(board(5, 7))".parse()?).unwrap_err();
    /// assert_eq!(error.limit(), Some(Limit::Positions));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn max_positions(mut self, positions: u64) -> Self {
        self.settings.positions = positions;
        self
    }

    /// Sets the number of threads of each question. The default is 1, and 0 counts as 1. Only
    /// searches of Cram use several threads. Answers do not depend on this number.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new().threads(2);
    /// assert_eq!(solver.solve(&"cram(board(4, 5))".parse()?)?.outcome(), Outcome::N);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = NonZeroUsize::new(threads);
        self
    }

    /// Sets a callback that gets the progress of each question, at most ten times a second. It is
    /// called on a thread that computes.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new().progress(|progress| {
    ///     eprintln!("{} positions after {:.1?}", progress.positions, progress.elapsed);
    /// });
    /// solver.solve(&games::nim([3, 4, 5]))?;
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn progress(mut self, callback: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.settings.progress = Some(Arc::new(callback));
        self
    }

    /// Returns a handle that cancels the questions of this solver.
    ///
    /// # Examples
    /// See [`CancelHandle`].
    #[must_use]
    pub fn cancel_handle(&self) -> CancelHandle {
        self.settings.cancel.clone()
    }

    /// Solves a position in normal play: its outcome, its value if the theory that applies has one,
    /// and all winning moves.
    ///
    /// # Errors
    /// A sum that does not exist, a panic in the rules of a user-defined game, or a limit that was
    /// reached. In the last case, [`Error::partial`] returns what is known: an answer that contains
    /// the outcome, and perhaps some winning moves.
    ///
    /// # Complexity
    /// The complexity of the hardest component. It is constant if a theorem gives the value. A heap
    /// takes the time to compute the values of all smaller heaps, up to a proved period. Otherwise
    /// every component that can be reached is visited once. Partizan games whose components are not
    /// numbers may take exponential time in the number of components.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.solve(&games::nim([3, 4, 5]))?.grundy(), Some(2));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve(&mut self, position: &Position) -> Result<Answer, Error> {
        self.solve_as(position, Play::Normal)
    }

    /// Solves a position under the given convention.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    ///
    /// # Complexity
    /// As [`Solver::solve`]. Misère games that are not tame take exponential time, unless their
    /// misère quotient is found.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = Solver::new().solve_as(&games::kayles([5, 5]), Play::Misere)?;
    /// assert_eq!(answer.outcome(), Outcome::N);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve_as(&mut self, position: &Position, play: Play) -> Result<Answer, Error> {
        let sum = position.valid()?;
        let found = run(&self.engine, &self.settings, sum, |solver, limits| {
            solver.solve(sum, play, limits)
        });
        match found {
            Ok(solution) => {
                let stopped = solution.stopped.clone();
                let answer = self.answer(position, play, solution);
                match stopped {
                    Some(stop) => Err(Error::from(stop).with_partial(Some(answer))),
                    None => Ok(answer),
                }
            }
            Err(error) if error.kind() == ErrorKind::Limit => {
                let partial = self.without_search(position, play);
                Err(error.with_partial(partial))
            }
            Err(error) => Err(error),
        }
    }

    fn answer(&self, position: &Position, play: Play, solution: grundy_core::Solution) -> Answer {
        let (engine, settings) = (Arc::clone(&self.engine), self.settings.clone());
        Answer::new(position, play, solution, engine, settings)
    }

    /// Returns the outcome, if a theorem or the cache gives it without a search.
    fn without_search(&self, position: &Position, play: Play) -> Option<Answer> {
        let sum = position.valid().ok()?;
        let found = run(&self.engine, &self.settings, sum, |solver, limits| {
            let no_time = Limits {
                interrupted: &|| Some(Stop::Time),
                ..*limits
            };
            solver.answer(sum, play, Detail::Outcome, &no_time)
        });
        let solution = grundy_core::Solution {
            status: Status::Partial,
            ..found.ok()?
        };
        Some(self.answer(position, play, solution))
    }

    /// Returns the outcome of a position under the given convention, without its winning moves.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    ///
    /// # Complexity
    /// At most that of [`Solver::solve_as`], and often much less.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let board: Position = "domineering(board(6, 6))".parse()?;
    /// assert_eq!(Solver::new().outcome(&board, Play::Normal)?, Outcome::N);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn outcome(&mut self, position: &Position, play: Play) -> Result<OutcomeClass, Error> {
        let sum = position.valid()?;
        let solution = run(&self.engine, &self.settings, sum, |solver, limits| {
            solver.answer(sum, play, Detail::Outcome, limits)
        });
        solution.map(|solution| solution.class())
    }

    /// Returns the Grundy value of an impartial position in normal play.
    ///
    /// # Errors
    /// A partizan game, a position that can recur, or the errors of [`Solver::solve`].
    ///
    /// # Complexity
    /// As [`Solver::solve`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Solver::new().grundy(&games::nim([3, 4, 5]))?, Nimber(2));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn grundy(&mut self, position: &Position) -> Result<Nimber, Error> {
        let sum = position.valid()?;
        let value = run(&self.engine, &self.settings, sum, |solver, limits| {
            solver.grundy(sum, limits)
        });
        value.map(Nimber)
    }

    /// Returns the remoteness of a position: the number of moves if the winner plays for a quick
    /// end and the loser for a late one. The list has one entry for each player who may move first,
    /// and `None` stands for a draw.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    ///
    /// # Complexity
    /// O(n + m) for the n positions that can be reached and their m moves.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Solver::new().remoteness(&games::nim([1, 2]), Play::Normal)?, [Some(3)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn remoteness(
        &mut self,
        position: &Position,
        play: Play,
    ) -> Result<Vec<Option<u32>>, Error> {
        self.remoteness_within(position, play, u64::MAX)
    }

    /// Returns the remoteness, with an additional limit on the number of positions.
    pub(crate) fn remoteness_within(
        &self,
        position: &Position,
        play: Play,
        most: u64,
    ) -> Result<Vec<Option<u32>>, Error> {
        let sum = position.valid()?;
        run(&self.engine, &self.settings, sum, |_, limits| {
            let limits = Limits {
                positions: limits.positions.min(most),
                ..*limits
            };
            grundy_core::Solver::remoteness(sum, play, &limits)
        })
    }

    /// Returns the value of a position in normal play: its canonical form. The value does not
    /// depend on the solver any more. Values found by one solver share their memory.
    ///
    /// # Errors
    /// A position that can recur, a game that is decided by a payoff, or the errors of
    /// [`Solver::solve`].
    ///
    /// # Complexity
    /// One visit to every component that can be reached, plus the time to build its canonical form
    /// from those of its options. This time is polynomial in the size of the forms, which may grow
    /// exponentially.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new();
    /// let value = solver.value(&games::toads_and_frogs("T.F")?)?;
    /// assert_eq!(value.to_string(), "*");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn value(&mut self, position: &Position) -> Result<Value, Error> {
        Value::of_position(position, &self.engine, &self.settings, &self.arena)
    }

    /// Returns the misère value of an impartial position: its misère canonical form.
    ///
    /// # Errors
    /// A partizan game, a position that can recur, or the errors of [`Solver::solve`].
    ///
    /// # Complexity
    /// One visit to every component that can be reached, plus the time to build its form from those
    /// of its options. There can be many more forms of sums than positions.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let value = Solver::new().misere_value(&games::nim([2, 3]))?;
    /// assert_eq!(value.genus().to_string(), "1^13");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn misere_value(&mut self, position: &Position) -> Result<MisereValue, Error> {
        let sum = position.valid()?;
        run(&self.engine, &self.settings, sum, |solver, limits| {
            let form = solver.misere_form(sum, limits)?;
            MisereValue::import(&solver.misere_values().theory.forms, form, limits)
        })
    }
}

impl Position {
    /// Solves the position in normal play, with a new [`Solver`] and its default limits.
    ///
    /// # Errors
    /// A sum that does not exist, or a limit that was reached.
    ///
    /// # Complexity
    /// That of [`Solver::solve`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::nim([3, 4, 5]).solve()?;
    /// assert_eq!((answer.outcome(), answer.grundy()), (Outcome::N, Some(2)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve(&self) -> Result<Answer, Error> {
        Solver::new().solve(self)
    }

    /// Solves the position under the given convention, with a new [`Solver`] and its default
    /// limits.
    ///
    /// # Errors
    /// As [`Position::solve`].
    ///
    /// # Complexity
    /// That of [`Solver::solve_as`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([1, 1, 1]).solve_as(Play::Misere)?.outcome(), Outcome::P);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve_as(&self, play: Play) -> Result<Answer, Error> {
        Solver::new().solve_as(self, play)
    }

    /// Returns the value of the position in normal play: its canonical form.
    ///
    /// # Errors
    /// A position that can recur, a game that is decided by a payoff, or a limit that was reached.
    ///
    /// # Complexity
    /// That of [`Solver::value`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::domineering(["...", "..."])?.value()?.to_string(), "{2|-1/2}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn value(&self) -> Result<Value, Error> {
        Solver::new().value(self)
    }

    /// Returns the misère value of an impartial position: its misère canonical form.
    ///
    /// # Errors
    /// A partizan game, a position that can recur, or a limit that was reached.
    ///
    /// # Complexity
    /// That of [`Solver::misere_value`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::kayles([5]).misere_value()?.genus().to_string(), "4^146");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn misere_value(&self) -> Result<MisereValue, Error> {
        Solver::new().misere_value(self)
    }
}
