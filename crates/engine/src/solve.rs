//! The solver: outcomes, values and winning moves of positions.
//!
//! A question goes through a list of methods in order. The first method that applies answers it:
//!
//! 1. a theorem about the outcome;
//! 2. values of the components, which add up;
//! 3. values of loopy games;
//! 4. a search over sums of components;
//! 5. retrograde analysis of every reachable position.
//!
//! If a method that applies returns no answer, the next one is tried.

mod game_value;
mod helpers;
pub mod known;
mod method;
pub mod reached;
pub(crate) mod search;
pub mod solution;
mod winning;

use std::num::NonZeroUsize;

pub use self::game_value::GameValue;
pub use self::known::KnowsLabels;
use self::method::{METHODS, MethodInput};
use self::reached::Reached;
pub use self::solution::{Beginning, Grounds, Repeats, Solution, Status, Wanted, WinningMove};
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
use winning::given_by;

/// Limit on positions for computing a genus by misère canonical forms. If it is reached, the genus
/// is computed without forms.
const FORMS_TRIED: u64 = 1_000_000;

/// A solver of positions, which caches the values of their components.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Outcome, Play, Position, Solver, Term};
/// let position = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.outcome(), Outcome::N);
/// assert_eq!(solution.grundy(), Some(2));
/// assert_eq!(solution.winning_moves()[0].to.to_string(), "nim(1, 4, 5)");
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    /// The components of all questions so far, with their values in all theories.
    pub(crate) engine: Engine,
    /// The amount of work of all searches over sums.
    searched: Work,
    /// The number of threads for a question whose search can use several. `None` means one.
    threads: Option<NonZeroUsize>,
}

/// [`Limits::memory`] divided by this number is the memory for answers kept between questions.
const ANSWERS: u64 = 8;

impl Solver {
    /// Number of winning moves after which the list is cut off and marked as incomplete.
    pub const MOVES_LISTED: usize = winning::MOVES_LISTED;

    /// Number of bytes of the positions after winning moves, beyond which the list is cut off and
    /// marked as incomplete.
    pub const BYTES_LISTED: usize = winning::BYTES_LISTED;

    /// Sets the number of threads for searches that can share results. These are searches of Cram
    /// on boards of up to 64 squares, in normal play.
    ///
    /// Helper threads start only if a question takes longer than a moment. The threads share which
    /// values components cannot have, so the answer does not depend on their number. Each thread
    /// gets an equal part of [`Limits::memory`], and each helper a stack of 8 MiB.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use grundy::{Limits, Outcome, Play, Solver, argument::Argument, registry};
    /// let mut solver = Solver::default();
    /// solver.set_threads(NonZeroUsize::new(2));
    /// let board = registry::construct("cram", &[(None, Argument::Board(4, 5))]).expect("a board");
    /// assert_eq!(solver.outcome(&board.into(), Play::Normal, &Limits::default()), Ok(Outcome::N));
    /// ```
    pub fn set_threads(&mut self, threads: Option<NonZeroUsize>) {
        self.threads = threads;
    }

    /// Makes the solver keep answers about sums between questions, in at most an eighth of
    /// [`Limits::memory`]. A search of a partizan game then continues where a limit stopped the
    /// previous one.
    ///
    /// ```
    /// use grundy::{Limits, Play, Solver, argument::Argument, registry};
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
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.engine.answers
    }

    /// Visits the answers to be written to a file: nimbers, and outcomes that took long to find.
    pub fn each_answer(&mut self, visit: &mut dyn FnMut(Entry<'_>)) {
        self.engine.each_answer(visit);
    }

    /// Adds an answer that another process found. Returns `false` and ignores the answer if it is
    /// not plausible.
    #[must_use = "the entry may have been rejected"]
    pub fn recall_answer(&mut self, entry: Entry<'_>) -> bool {
        self.engine.recall_answer(entry)
    }

    /// Adds the canonical form of a component that another process found. Does nothing if
    /// `component` is not a single component.
    pub fn recall_form(&mut self, component: &Position, form: Form) {
        if let Some(id) = self.enter(component) {
            self.engine.recall_form(id, form);
        }
    }

    /// Enters a position into the store of components. Returns the number of its component if it
    /// has exactly one.
    pub fn enter(&mut self, position: &Position) -> Option<u32> {
        let mut components = Vec::new();
        position.enter(&mut self.engine.store, &mut components);
        match components[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the notation of a component, or `None` if the notation does not determine the
    /// component. For example, a graph from a file is written as the name of the file.
    ///
    /// # Panics
    /// If there is no component of this number.
    #[must_use]
    pub fn component_text(&self, id: u32) -> Option<String> {
        self.engine.text(id)
    }

    /// Returns the Sprague–Grundy values computed so far, and the value sequences of heaps.
    pub fn grundy_values(&mut self) -> &mut Valuation<Grundy> {
        &mut self.engine.grundy
    }

    /// Returns the number of positions searched so far, and the number of cache hits.
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = self.searched;
        work += self.engine.work();
        work
    }

    /// Returns the outcome, the value and every winning move of a position.
    ///
    /// # Complexity
    /// The complexity of the hardest component. It is constant for a theorem, and one pass for a
    /// heap sequence. In other cases it is one visit to every reachable canonical component.
    ///
    /// Two kinds of games take exponential time in their size: partizan games whose components are
    /// not numbers, and misère games that are not tame. For these the search may visit every
    /// reachable sum of components.
    ///
    /// # Errors
    /// Fails with the limit that was reached before the outcome was known, or with the error of the
    /// rules.
    pub fn solve(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        self.answer(position, play, Wanted::Moves, limits)
    }

    /// Solves a position like [`Solver::solve`], but computes only the information that `wanted`
    /// names.
    ///
    /// # Errors
    /// Fails like [`Solver::solve`].
    pub fn answer(
        &mut self,
        position: &Position,
        play: Play,
        wanted: Wanted,
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
        // The limit on answers applies between questions. During a question the search limits its
        // own memory.
        self.engine.fit_answers(limits.memory / ANSWERS);
        answer
    }

    /// Answers a question on this thread, without helpers.
    fn answer_alone(&mut self, question: &MethodInput<'_>) -> Result<Solution, Stop> {
        let wanted = question.wanted;
        for method in METHODS {
            if !(method.applies)(question) {
                continue;
            }
            match (method.answer)(self, question) {
                Ok(Some(solution)) => return Ok(Solution { wanted, ..solution }),
                // The position has no value in the theory of this method, for example because it is
                // loopy or partizan. A later method may answer. An error from a limit is final,
                // since the caller can raise the limit.
                Ok(None) | Err(Stop::Cyclic | Stop::NotImpartial | Stop::NoValue) => {}
                Err(stop) => return Err(stop),
            }
        }
        // The last method applies to every position. So this line is reached only if that method
        // itself reports a cycle.
        Err(Stop::Cyclic)
    }

    /// Returns the Sprague–Grundy value of a position in normal play.
    ///
    /// # Errors
    /// Fails with the limit that was reached. Fails with [`Stop::Cyclic`] or [`Stop::NotImpartial`]
    /// if the position may have no value.
    pub fn grundy(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        self.engine.begin_question();
        let value = self.engine.nimber(position, limits);
        self.engine.fit_answers(limits.memory / ANSWERS);
        value
    }

    /// Returns the tame misère values computed so far.
    pub fn tame_values(&mut self) -> &mut Valuation<Tame> {
        &mut self.engine.tame
    }

    /// Returns the misère quotients. If the last answer used a quotient, it is the last one in the
    /// list.
    #[must_use]
    pub fn quotients(&self) -> &Quotients {
        &self.engine.quotients.theory
    }

    /// Returns the values that components have as elements of misère quotients, as computed so far.
    pub fn quotient_values(&mut self) -> &mut Valuation<Quotients> {
        &mut self.engine.quotients
    }

    /// Returns the canonical form of a position in normal play, and the theorem that gives it, if a
    /// theorem does.
    ///
    /// # Complexity
    /// One visit to every reachable component, plus the time to build its form from the forms of
    /// its options.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with [`Stop::Cyclic`] if a position may repeat.
    /// Fails with [`Stop::NoValue`] if a payoff decides or if the position fixes the player to
    /// move.
    pub fn canonical_form(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<(Form, Option<&'static Theorem>), Stop> {
        self.engine.begin_question();
        let values = self.engine.terms::<Canonical>(position.terms(), limits)?;
        let parts: Vec<Form> = values.iter().flatten().map(|part| part.value).collect();
        let sum = self.engine.short.theory.forms.total(&parts, limits)?;
        Ok((sum, given_by(&values)))
    }

    /// Visits the components that have canonical forms, like [`Engine::each_form`].
    pub fn each_form(&self, visit: &mut dyn FnMut(&str, Form)) {
        self.engine.each_form(visit);
    }

    /// Returns the canonical forms in normal play computed so far.
    pub fn short_values(&mut self) -> &mut Valuation<Canonical> {
        &mut self.engine.short
    }

    /// Returns the canonical form of an impartial position in misère play.
    ///
    /// ```
    /// use grundy::ruleset::nim::Nim;
    /// use grundy::{Limits, Position, Solver, Term};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let position = Position::from(Term::new(Nim, vec![2, 3]));
    /// let form = solver.misere_form(&position, &limits)?;
    /// // In misère play no Nim heap equals *2 + *3. It has the genus of *, but a longer form.
    /// let forms = &mut solver.misere_values().theory.forms;
    /// assert_eq!(forms.genus(form, &limits)?.to_string(), "1^13");
    /// # Ok::<(), grundy::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// One visit to every reachable component, plus the time to build its form from the forms of
    /// its options. There can be many more forms of sums than positions.
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
    pub fn misere_values(&mut self) -> &mut Valuation<MisereForms> {
        &mut self.engine.misere
    }

    /// Returns the genus of an impartial position, and its class if the misère canonical form was
    /// found. If there are too many forms, the genus is computed without them, and there is no
    /// class.
    ///
    /// # Complexity
    /// The complexity of [`Solver::misere_form`] with at most a million forms. If these do not
    /// suffice, one visit to every reachable sum.
    ///
    /// # Errors
    /// Fails like [`Solver::misere_form`].
    pub fn genus(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<(Genus, Option<Class>), Stop> {
        let tried = Limits {
            positions: limits.positions.min(FORMS_TRIED),
            ..*limits
        };
        // An unused arena contains exactly one form, that of the empty sum.
        let used = self.engine.misere.theory.forms.count() > 1;
        let mut found = self.genus_of_form(position, &tried);
        if used && matches!(found, Err(Stop::Positions(_) | Stop::Memory(_))) {
            // The forms of earlier positions count against the limits, so try again with an empty
            // arena.
            self.engine.misere = Valuation::default();
            found = self.genus_of_form(position, &tried);
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

    /// Returns the approximate number of bytes of the components of all games, and of the values of
    /// partizan games.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.engine.bytes()
    }

    /// Returns the outcome for the player who moves first, without the winning moves. If either
    /// player may move first and the outcomes differ, returns the outcome for Left.
    ///
    /// # Errors
    /// Fails like [`Solver::solve`].
    pub fn outcome(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Stop> {
        let solution = self.answer(position, play, Wanted::Outcome, limits)?;
        Ok(solution.outcome())
    }

    /// Returns the number of moves with best play, where the winner hurries and the loser delays.
    /// There is one entry for each player who may move first, and `None` stands for a draw.
    ///
    /// # Complexity
    /// The complexity of [`Reached::new`].
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    pub fn remoteness(
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Vec<Option<u32>>, Stop> {
        let reached = Reached::new(position, play, limits)?;
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

    /// Returns the least limit on positions with which a new solver answers, found by bisection.
    fn least(position: &Position, wanted: Wanted) -> u64 {
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
        let least = questions
            .each_ref()
            .map(|question| [Wanted::Outcome, Wanted::Moves].map(|wanted| least(question, wanted)));
        for (first, one) in questions.iter().enumerate() {
            for (second, other) in questions.iter().enumerate() {
                for (wanted, index) in [(Wanted::Outcome, 0), (Wanted::Moves, 1)] {
                    let mut solver = Solver::default();
                    // The store keeps the components and answers of the first question. If the
                    // limit counted them, the second question would fail.
                    let mut answers = Vec::new();
                    for (question, place) in [(one, first), (other, second)] {
                        let limits = Limits {
                            positions: least[place][index],
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

    /// Checks that evicted answers are found again, and that components that no answer needs can be
    /// freed.
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
                let right = solve(&mut Solver::default(), question);
                assert_eq!(solve(&mut solver, question), right, "{question}");
                solver.engine.retain(&|_| false);
                // Evict all answers, so that the second round starts with a filled store but no
                // answers.
                assert_eq!(solve(&mut solver, question), right, "{question}");
                assert!(solver.answers().bytes() > 0);
                solver.engine.fit_answers(0);
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
