//! The solver: outcomes, values and winning moves of positions.
//!
//! The solver tries several methods in this order, and uses the first one that gives an answer:
//!
//! 1. a theorem about the outcome;
//! 2. values of the components, which are added;
//! 3. values of loopy games;
//! 4. a search over sums of components;
//! 5. retrograde analysis of every reachable position.
//!
//! A method is tried only if it applies to the question. Under rules given at run time, a search of
//! the nearest positions alternates with these methods.

mod game_value;
mod helpers;
pub mod label_source;
mod method;
mod near;
pub mod reachable_sums;
pub(crate) mod search;
pub mod solution;
mod winning;

use std::num::NonZeroUsize;

pub use self::game_value::GameValue;
pub use self::label_source::LabelSource;
use self::method::{METHODS, MethodInput};
use self::reachable_sums::ReachableSums;
pub use self::solution::{Beginning, Detail, Grounds, Repeats, Solution, Status, WinningMove};
use crate::answers::{Answers, Entry};
pub use crate::position::Choice;
use crate::position::Position;
use crate::theorem::Theorem;
use crate::values::canonical::Canonical;
use crate::values::grundy::Grundy;
use crate::values::misere_forms::{MisereForms, genus_by_positions};
use crate::values::quotients::Quotients;
use crate::values::tame::Tame;
use crate::values::{Engine, Valuation, Work};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_forms::Form;
use grundy_misere::{Class, Form as MisereForm, Genus};
use winning::common_theorem;

/// Limit on positions for computing a genus by misère canonical forms. If this limit is reached,
/// the genus is computed without forms.
const MAX_FORM_POSITIONS: u64 = 1_000_000;

/// A solver of positions. It caches the values of all components that occur in the positions.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};
/// let position = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.outcome(), Outcome::N);
/// assert_eq!(solution.grundy(), Some(2));
/// assert_eq!(solution.winning_moves()[0].to.to_string(), "nim(1, 4, 5)");
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    /// The components of all questions so far, with their values in each theory of values.
    pub(crate) engine: Engine,
    /// The counts of positions and of cache hits, in all searches over sums so far.
    searched: Work,
    /// The number of threads for a question whose search can use several threads. `None` means one
    /// thread.
    threads: Option<NonZeroUsize>,
}

/// [`Limits::memory`] divided by this number is the memory for answers that are kept between
/// questions.
const ANSWER_MEMORY_DIVISOR: u64 = 8;

impl Solver {
    /// Maximum length of a list of winning moves. A longer list is cut off and marked as
    /// incomplete.
    pub const MOVES_LISTED: usize = winning::MOVES_LISTED;

    /// Largest total size in bytes of the positions after the listed winning moves. A longer list
    /// is cut off and marked as incomplete. The limit on memory may allow less.
    pub const BYTES_LISTED: usize = winning::BYTES_LISTED;

    /// Sets the number of threads for searches that can share results. These are searches of Cram
    /// on boards of up to 64 squares, in normal play.
    ///
    /// Helper threads start only if a question takes longer than 100 ms. The threads share the sets
    /// of values that they have excluded for a component. The answer does not depend on the number
    /// of threads. Each thread gets an equal part of [`Limits::memory`], and each helper thread has
    /// a stack of 8 MiB.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use grundy_core::{Limits, Outcome, Play, Solver, argument::Argument, registry};
    /// let mut solver = Solver::default();
    /// solver.set_threads(NonZeroUsize::new(2));
    /// let board = registry::construct("cram", &[(None, Argument::Board(4, 5))]).expect("a board");
    /// assert_eq!(solver.outcome(&board.into(), Play::Normal, &Limits::default()), Ok(Outcome::N));
    /// ```
    pub fn set_threads(&mut self, threads: Option<NonZeroUsize>) {
        self.threads = threads;
    }

    /// Keeps answers about sums between questions from now on, in at most an eighth of
    /// [`Limits::memory`]. After a limit has stopped a search of a partizan game, the next search
    /// of this game uses the answers found before.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver, argument::Argument, registry};
    /// let board = (None, Argument::Board(6, 7));
    /// let board = registry::construct("domineering", &[board]).expect("a board");
    /// let (board, mut solver) = (board.into(), Solver::default());
    /// solver.keep_sums();
    /// let limits = Limits { positions: 1_000, ..Limits::default() };
    /// assert!(solver.outcome(&board, Play::Normal, &limits).is_err());
    /// assert!(!solver.answers().has_no_sums());
    /// ```
    pub fn keep_sums(&mut self) {
        self.engine.answers.keep_sums();
    }

    /// Returns the answers that searches have found.
    ///
    /// ```
    /// use grundy_core::{Limits, Solver, argument::Argument, registry};
    /// let board = registry::construct("cram", &[(None, Argument::Board(5, 5))])?.into();
    /// let mut solver = Solver::default();
    /// assert_eq!(solver.grundy(&board, &Limits::default())?, 0);
    /// assert!(solver.answers().bytes() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.engine.answers
    }

    /// Visits the answers to be written to a file: the possible nimbers of components, and the
    /// outcomes that are expensive to find.
    ///
    /// ```
    /// use grundy_core::answers::Entry;
    /// use grundy_core::{Limits, Solver, argument::Argument, registry};
    /// let board = registry::construct("cram", &[(None, Argument::Board(5, 5))])?.into();
    /// let (mut solver, mut nimbers) = (Solver::default(), 0);
    /// solver.grundy(&board, &Limits::default())?;
    /// solver.each_answer(&mut |entry| {
    ///     nimbers += u32::from(matches!(entry, Entry::Nimber { ruleset: "cram", .. }));
    /// });
    /// assert!(nimbers > 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each_answer(&mut self, visit: &mut dyn FnMut(Entry<'_>)) {
        self.engine.each_answer(visit);
    }

    /// Adds an answer that another process found. Returns `false` and ignores the answer if it
    /// cannot be valid.
    ///
    /// ```
    /// use grundy_core::{Solver, answers::Entry};
    /// let mut solver = Solver::default();
    /// let entry = |possible| Entry::Nimber { ruleset: "cram", component: 1, possible, class: 5 };
    /// assert!(solver.recall_answer(entry(0b101)));
    /// // A component has at least one possible value.
    /// assert!(!solver.recall_answer(entry(0)));
    /// ```
    #[must_use = "the entry may have been rejected"]
    pub fn recall_answer(&mut self, entry: Entry<'_>) -> bool {
        self.engine.recall_answer(entry)
    }

    /// Adds the canonical form of `component`, which another process has found. Does nothing if
    /// `component` is not a single component.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// use grundy_forms::Packed;
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// let star = solver.short_values().theory.forms.of_packed(&Packed::nimber(1));
    /// solver.recall_form(&strip, star);
    /// assert_eq!(solver.canonical_form(&strip, &limits)?.0, star);
    /// assert_eq!(solver.work().positions, 0);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn recall_form(&mut self, component: &Position, form: Form) {
        if let Some(id) = self.enter(component) {
            self.engine.recall_form(id, form);
        }
    }

    /// Enters the components of a position into the store of components. If there is exactly one
    /// component, returns its id in the store.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Solver, Term};
    /// let mut solver = Solver::default();
    /// assert_eq!(solver.enter(&Position::from(Term::new(Nim, vec![7]))), Some(0));
    /// assert_eq!(solver.enter(&Position::from(Term::new(Nim, vec![3, 4]))), None);
    /// ```
    pub fn enter(&mut self, position: &Position) -> Option<u32> {
        let mut components = Vec::new();
        position.enter(&mut self.engine.store, &mut components);
        match components[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the notation of the component whose id in the store is `id`. Returns `None` if the
    /// notation does not determine the component. For example, the notation of a graph from a file
    /// contains only the name of the file.
    ///
    /// # Panics
    /// Panics if no component has this id.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Solver, Term};
    /// let mut solver = Solver::default();
    /// let id = solver.enter(&Position::from(Term::new(Nim, vec![7]))).expect("one component");
    /// assert_eq!(solver.component_text(id).as_deref(), Some("nim(7)"));
    /// ```
    #[must_use]
    pub fn component_text(&self, id: u32) -> Option<String> {
        self.engine.text(id)
    }

    /// Returns the Sprague–Grundy values computed so far, including the value sequences of heap
    /// games.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::{Limits, Solver};
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// let mut solver = Solver::default();
    /// let values = &mut solver.grundy_values().theory;
    /// assert_eq!(values.heap(&kayles, 9, &Limits::default())?, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grundy_values(&mut self) -> &mut Valuation<Grundy> {
        &mut self.engine.grundy
    }

    /// Returns the number of positions searched and the number of cache hits so far.
    ///
    /// ```
    /// use grundy_core::ruleset::{chomp::Chomp, nim::Nim};
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// // A theorem gives the value, so no position is visited.
    /// assert_eq!(solver.grundy(&Position::from(Term::new(Nim, vec![3, 4])), &limits)?, 7);
    /// assert_eq!(solver.work().positions, 0);
    /// solver.grundy(&Position::from(Term::new(Chomp, vec![vec![3, 3, 3]])), &limits)?;
    /// assert!(solver.work().positions > 0);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = self.searched;
        work += self.engine.work();
        work
    }

    /// Returns the outcome, the value and every winning move of a position.
    ///
    /// # Complexity
    /// The complexity is that of the hardest component, and is constant if a theorem gives the
    /// value. A heap takes the time to compute the values of all smaller heaps. For any other
    /// component, every reachable canonical component is visited once.
    ///
    /// Two kinds of games take exponential time in their size: partizan games whose components are
    /// not numbers, and misère games that are not tame. For these the search may visit every
    /// reachable sum of components.
    ///
    /// # Errors
    /// Fails with the limit that was reached before the outcome was known, or with the error of the
    /// rules.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, OutcomeClass, Play, Solver, argument::Argument, registry};
    /// let board = registry::construct("domineering", &[(None, Argument::Board(2, 3))])?.into();
    /// let solution = Solver::default().solve(&board, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.class(), OutcomeClass::N);
    /// assert_eq!(solution.winning_moves().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        self.answer(position, play, Detail::Moves, limits)
    }

    /// Solves a position like [`Solver::solve`], but computes only the information that `wanted`
    /// requires.
    ///
    /// # Errors
    /// Fails like [`Solver::solve`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::Detail;
    /// use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};
    /// let heaps = Position::from(Term::new(Nim, vec![3, 4, 5]));
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let solution = solver.answer(&heaps, Play::Normal, Detail::Value, &limits)?;
    /// assert_eq!((solution.outcome(), solution.grundy()), (Outcome::N, Some(2)));
    /// assert!(solution.winning_moves().is_empty());
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn answer(
        &mut self,
        position: &Position,
        play: Play,
        wanted: Detail,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        self.engine.begin_question();
        let question = MethodInput {
            position,
            play,
            wanted,
            limits,
        };
        let answer = match self.threads_for(&question) {
            0 | 1 => self.answer_alone(&question),
            threads => self.answer_with_helpers(&question, threads),
        };
        // Evict answers only between questions. During a question the search limits its memory.
        self.engine
            .evict_answers_to(limits.memory / ANSWER_MEMORY_DIVISOR);
        answer
    }

    /// Answers a question on the current thread, without helper threads.
    fn answer_alone(&mut self, question: &MethodInput<'_>) -> Result<Solution, Stop> {
        let terms = question.position.terms().iter();
        // Under rules given at run time, infinitely many positions may be reachable.
        if terms
            .clone()
            .any(|term| term.finite() && !term.known_to_end())
        {
            return near::answer(self, question);
        }
        self.try_methods(question)
    }

    /// Answers a question with the first method that gives an answer.
    fn try_methods(&mut self, question: &MethodInput<'_>) -> Result<Solution, Stop> {
        let wanted = question.wanted;
        for method in METHODS {
            if !(method.applies)(question) {
                continue;
            }
            match (method.answer)(self, question) {
                Ok(Some(solution)) => return Ok(Solution { wanted, ..solution }),
                // The position has no value in the theory of this method, for example because it is
                // loopy or partizan. A later method may give an answer. If a limit is reached, no
                // later method is tried, since the caller can raise the limit.
                Ok(None) | Err(Stop::Cyclic | Stop::NotImpartial | Stop::NoValue) => {}
                Err(stop) => return Err(stop),
            }
        }
        // The last method applies to every position. So this line is reached only if this method
        // reports a cycle.
        Err(Stop::Cyclic)
    }

    /// Returns the Sprague–Grundy value of a position in normal play.
    ///
    /// # Errors
    /// Fails with the limit that was reached. Fails with [`Stop::Cyclic`] or [`Stop::NotImpartial`]
    /// if the position may have no value.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Solver, Stop, Term, registry};
    /// let mut solver = Solver::default();
    /// let heaps = Position::from(Term::new(Nim, vec![3, 4, 5]));
    /// assert_eq!(solver.grundy(&heaps, &Limits::default()), Ok(2));
    /// let board = Position::from(registry::construct("tic_tac_toe", &[])?);
    /// assert_eq!(solver.grundy(&board, &Limits::default()), Err(Stop::NotImpartial));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn grundy(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        self.engine.begin_question();
        let value = self.engine.nimber(position, limits);
        self.engine
            .evict_answers_to(limits.memory / ANSWER_MEMORY_DIVISOR);
        value
    }

    /// Returns the tame misère values computed so far.
    ///
    /// ```
    /// use grundy_core::heap::algebra::Misere;
    /// use grundy_core::{Limits, Solver};
    /// let mut solver = Solver::default();
    /// let heaps = [2, 3].map(Misere::heap);
    /// let sum = solver.tame_values().sum(&heaps, &Limits::default())?;
    /// assert_eq!(sum, Misere::Tame { grundy: 1, fickle: false });
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn tame_values(&mut self) -> &mut Valuation<Tame> {
        &mut self.engine.tame
    }

    /// Returns the misère quotients computed so far. If the last answer used a quotient, this
    /// quotient is the current one.
    ///
    /// ```
    /// use grundy_core::{Limits, Outcome, Play, Solver, argument::Argument, registry};
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(9))])?.into();
    /// let mut solver = Solver::default();
    /// let outcome = solver.outcome(&heap, Play::Misere, &Limits::default())?;
    /// assert_eq!(outcome, Outcome::P);
    /// assert_eq!(solver.quotients().largest_heap(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn quotients(&self) -> &Quotients {
        &self.engine.quotients.theory
    }

    /// Returns the values of components in misère quotients, as far as they have been computed. The
    /// value of a component is the element of a quotient to which the component maps.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::{Limits, Solver};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// let values = solver.quotient_values();
    /// assert!(values.theory.prepare(&[(&kayles, 1)], &limits)?);
    /// // A heap of one chip has order 2.
    /// let one = values.theory.search().element(0);
    /// assert_eq!(values.sum(&[one, one], &limits)?, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quotient_values(&mut self) -> &mut Valuation<Quotients> {
        &mut self.engine.quotients
    }

    /// Returns the canonical form of a position in normal play. If a theorem gives the value of
    /// each part, also returns the theorem for the first part.
    ///
    /// # Complexity
    /// Visits every reachable component once. Also takes the time to build the form of each
    /// component from the forms of its options.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with [`Stop::Cyclic`] if a position may repeat.
    /// Fails with [`Stop::NoValue`] if a payoff decides or if the position fixes the player to
    /// move.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Solver, argument::Argument, registry};
    /// let board = registry::construct("domineering", &[(None, Argument::Board(2, 2))])?.into();
    /// let mut solver = Solver::default();
    /// let (form, _) = solver.canonical_form(&board, &Limits::default())?;
    /// assert_eq!(solver.short_values().theory.forms.write(form), "+-1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn canonical_form(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<(Form, Option<&'static Theorem>), Stop> {
        self.engine.begin_question();
        let values = self.engine.terms::<Canonical>(position.terms(), limits)?;
        let parts: Vec<Form> = values.iter().flatten().map(|part| part.value).collect();
        let sum = self.engine.short.theory.forms.total(&parts, limits)?;
        Ok((sum, common_theorem(&values)))
    }

    /// Visits the components that have canonical forms, like [`Engine::each_form`].
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// let (mut solver, mut texts) = (Solver::default(), Vec::new());
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// let (star, _) = solver.canonical_form(&strip, &Limits::default())?;
    /// solver.each_form(&mut |text, form| texts.extend((form == star).then(|| text.to_owned())));
    /// assert_eq!(texts, ["toads_and_frogs(\"T.F\")"]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn each_form(&self, visit: &mut dyn FnMut(&str, Form)) {
        self.engine.each_form(visit);
    }

    /// Returns the canonical forms in normal play computed so far.
    ///
    /// ```
    /// use grundy_core::Solver;
    /// let mut solver = Solver::default();
    /// let forms = &mut solver.short_values().theory.forms;
    /// let three = forms.of_integer(3);
    /// assert_eq!(forms.write(three), "3");
    /// ```
    pub fn short_values(&mut self) -> &mut Valuation<Canonical> {
        &mut self.engine.short
    }

    /// Returns the canonical form of an impartial position in misère play.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let position = Position::from(Term::new(Nim, vec![2, 3]));
    /// let form = solver.misere_form(&position, &limits)?;
    /// // In misère play no Nim heap equals *2 + *3.
    /// let forms = &mut solver.misere_values().theory.forms;
    /// assert_eq!(forms.genus(form, &limits)?.to_string(), "1^13");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Visits every reachable component once. Also takes the time to build the form of each
    /// component from the forms of its options. There can be many more forms of sums than
    /// positions.
    ///
    /// # Errors
    /// Fails with the limit that was reached, with [`Stop::Cyclic`] if a position may repeat, or
    /// with [`Stop::NotImpartial`].
    pub fn misere_form(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<MisereForm, Stop> {
        self.engine.begin_question();
        let values = (self.engine).terms::<MisereForms>(position.terms(), limits)?;
        let parts: Vec<MisereForm> = values.iter().flatten().map(|part| part.value).collect();
        self.engine.misere.theory.forms.sum(&parts, limits)
    }

    /// Returns the misère canonical forms computed so far.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// let mut solver = Solver::default();
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// let form = solver.misere_form(&heap, &Limits::default())?;
    /// assert_eq!(solver.misere_values().theory.forms.nim_heap(form), Some(3));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn misere_values(&mut self) -> &mut Valuation<MisereForms> {
        &mut self.engine.misere
    }

    /// Returns the genus and the class of an impartial position. If there are too many misère
    /// canonical forms, the genus is computed without them, and the class is `None`.
    ///
    /// # Complexity
    /// The complexity is that of [`Solver::misere_form`] with at most a million positions. If this
    /// limit is reached, every reachable sum is also visited once.
    ///
    /// # Errors
    /// Fails like [`Solver::misere_form`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Solver, argument::Argument, registry};
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(5))])?.into();
    /// let (genus, class) = Solver::default().genus(&heap, &Limits::default())?;
    /// assert_eq!(genus.abbreviated(class.expect("few forms")), "4^146");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn genus(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<(Genus, Option<Class>), Stop> {
        let form_limits = Limits {
            positions: limits.positions.min(MAX_FORM_POSITIONS),
            ..*limits
        };
        // An arena that has not been used contains exactly one form, that of the empty sum.
        let has_forms = self.engine.misere.theory.forms.count() > 1;
        let mut found = self.genus_of_form(position, &form_limits);
        if has_forms && matches!(found, Err(Stop::Positions(_) | Stop::Memory(_))) {
            // The forms of earlier positions count against the limits, so try again with an empty
            // arena.
            self.engine.misere = Valuation::default();
            found = self.genus_of_form(position, &form_limits);
        }
        match found {
            Err(Stop::Positions(_) | Stop::Memory(_)) if position.nature().is_impartial() => {
                self.engine.misere = Valuation::default();
                Ok((genus_by_positions(position, limits)?, None))
            }
            found => found.map(|(genus, class)| (genus, Some(class))),
        }
    }

    fn genus_of_form(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<(Genus, Class), Stop> {
        let form = self.misere_form(position, limits)?;
        let forms = &mut self.engine.misere.theory.forms;
        Ok((forms.genus(form, limits)?, forms.class(form, limits)?))
    }

    /// Returns the approximate number of bytes that the components of all games and the values of
    /// partizan games occupy.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// let mut solver = Solver::default();
    /// let before = solver.bytes();
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// solver.canonical_form(&strip, &Limits::default())?;
    /// assert!(solver.bytes() > before);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.engine.bytes()
    }

    /// Returns the outcome for the player who moves first, without the winning moves. If either
    /// player may move first and the outcomes differ, returns the outcome for Left.
    ///
    /// # Errors
    /// Fails like [`Solver::solve`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let heaps = Position::from(Term::new(Nim, vec![1, 1, 1]));
    /// assert_eq!(solver.outcome(&heaps, Play::Normal, &limits)?, Outcome::N);
    /// assert_eq!(solver.outcome(&heaps, Play::Misere, &limits)?, Outcome::P);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn outcome(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Stop> {
        let solution = self.answer(position, play, Detail::Outcome, limits)?;
        Ok(solution.outcome())
    }

    /// Returns the remoteness of a position for each player who may move first. The remoteness is
    /// the number of moves until the end of the game. The winner plays for a quick end, and the
    /// loser delays the end. `None` stands for a draw.
    ///
    /// # Complexity
    /// The complexity is that of [`ReachableSums::new`].
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Play, Position, Solver, Term};
    /// // The winner moves to two equal heaps, and then both players take one chip.
    /// let heaps = Position::from(Term::new(Nim, vec![1, 2]));
    /// assert_eq!(Solver::remoteness(&heaps, Play::Normal, &Limits::default())?, [Some(3)]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn remoteness(
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Vec<Option<u32>>, Stop> {
        let reached = ReachableSums::new(position, play, limits)?;
        let beginners = position.nature().beginners().iter();
        beginners
            .map(|&player| {
                let label = reached.label(position, player).ok_or(Stop::Cyclic)?;
                Ok(label.remoteness)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::registry::construct;

    fn board(name: &str, rows: u32, columns: u32) -> Position {
        let board = (None, Argument::Board(rows.into(), columns.into()));
        construct(name, &[board]).unwrap().into()
    }

    /// Returns the least limit on positions with which a new solver finds the answer, by bisection.
    fn least_limit(position: &Position, wanted: Detail) -> u64 {
        let (mut below, mut enough) = (0, 1 << 20);
        while below + 1 < enough {
            let positions = u64::midpoint(below, enough);
            let limits = Limits {
                positions,
                ..Limits::default()
            };
            let answer = Solver::default().answer(position, Play::Normal, wanted, &limits);
            if answer.is_ok() {
                enough = positions;
            } else {
                below = positions;
            }
        }
        enough
    }

    /// Checks that a limit which suffices for a new solver also suffices after another question.
    #[test]
    fn earlier_questions_do_not_count_against_a_limit() {
        let questions = [
            board("domineering", 4, 5),
            board("domineering", 5, 5),
            board("cram", 4, 4),
            board("domineering", 3, 6),
        ];
        let least_limits = questions.each_ref().map(|question| {
            [Detail::Outcome, Detail::Moves].map(|wanted| least_limit(question, wanted))
        });
        for (first, one) in questions.iter().enumerate() {
            for (second, other) in questions.iter().enumerate() {
                for (wanted, index) in [(Detail::Outcome, 0), (Detail::Moves, 1)] {
                    let mut solver = Solver::default();
                    // The store keeps the components and answers of the first question. If the
                    // limit counted them, the second question would fail.
                    let mut answers = Vec::new();
                    for (question, question_index) in [(one, first), (other, second)] {
                        let limits = Limits {
                            positions: least_limits[question_index][index],
                            ..Limits::default()
                        };
                        let answer = solver.answer(question, Play::Normal, wanted, &limits);
                        answers.push(answer.map(|answer| answer.outcome()));
                    }
                    assert!(
                        answers.iter().all(Result::is_ok),
                        "{one}, {other}: {answers:?}"
                    );
                }
            }
        }
    }

    /// Checks that evicted answers are found again, and that components can be freed if no answer
    /// needs them.
    #[test]
    fn evicting_answers_changes_no_result() {
        let limits = Limits::default();
        let stones = ["xoxox", "oxoxo", "xoxox"].map(|row| Argument::Text(row.into()));
        let stones = construct("clobber", &[(None, Argument::List(stones.into()))]).unwrap();
        let questions = [
            board("domineering", 4, 5),
            board("cram", 4, 5),
            stones.into(),
            board("domineering", 5, 5),
        ];
        let solve = |solver: &mut Solver, question: &Position| {
            let solution = solver.solve(question, Play::Normal, &limits).unwrap();
            let moves = solution.winning_moves().iter();
            let mut moves: Vec<String> = moves.map(|winning| winning.to.to_string()).collect();
            moves.sort_unstable();
            (solution.outcome(), solution.grundy(), moves)
        };
        let mut solver = Solver::default();
        solver.keep_sums();
        for _ in 0..2 {
            for question in &questions {
                let expected = solve(&mut Solver::default(), question);
                assert_eq!(solve(&mut solver, question), expected, "{question}");
                solver.engine.retain(&|_| false);
                // Evict all answers, so that the second round starts with a filled store but no
                // answers.
                assert_eq!(solve(&mut solver, question), expected, "{question}");
                assert!(solver.answers().bytes() > 0);
                solver.engine.evict_answers_to(0);
                solver.engine.retain(&|_| false);
            }
        }
    }

    /// Checks that answers about sums of loopy games are not cached. Such an answer would keep a
    /// later search from detecting that a position repeats.
    #[test]
    fn sums_of_loopy_games_are_not_cached() {
        let limits = Limits::default();
        let int = |number: u32| Argument::Int(number.into());
        let rows = Argument::List(vec![Argument::List(vec![int(1), int(3)])]);
        let row = construct("northcott", &[(None, int(4)), (None, rows)]).unwrap();
        let boards = board("domineering", 4, 5);
        let mut solver = Solver::default();
        solver.keep_sums();
        let both = Position::sum([boards.terms(), &[row]].concat()).unwrap();
        // Northcott's game is loopy, so the search may fail. The test is only about the cache.
        let _ = solver.outcome(&both, Play::Normal, &limits);
        assert!(solver.answers().has_no_sums());
        solver.outcome(&boards, Play::Normal, &limits).unwrap();
        assert!(!solver.answers().has_no_sums());
    }
}
