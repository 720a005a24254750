//! Solving positions: who wins, the value, and every winning move.
//!
//! One question goes through an ordered list of methods, and the first that applies answers it: a
//! theorem about the outcome; values of the parts, which add up; values of games that need not end;
//! search over the sums of components; retrograde analysis of everything that can be reached. Each
//! says whether it applies, and may still decline.

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

/// Misère canonical forms beyond which a genus is looked for without them.
const FORMS_TRIED: u64 = 1_000_000;

/// Solves positions and remembers the values of their parts.
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
    /// The components that have been met, with their values in all theories.
    pub(crate) engine: Engine,
    /// What searches over sums have cost.
    searched: Work,
    /// Threads that look at a question where they can be of use to one another; else one.
    threads: Option<NonZeroUsize>,
}

/// The part of the memory that answers may take between questions.
const ANSWERS: u64 = 8;

impl Solver {
    /// Winning moves beyond this number are counted out: the list ends and says so.
    pub const MOVES_LISTED: usize = winning::MOVES_LISTED;

    /// Positions after winning moves that hold more than this many bytes together are counted out
    /// likewise.
    pub const BYTES_LISTED: usize = winning::BYTES_LISTED;

    /// Lets so many threads look at each question that takes more than a moment and whose
    /// components can be told of: boards of Cram of up to 64 squares, in normal play. They share
    /// what they find out of components; the answers are the same whatever their number. Each has
    /// its part of [`Limits::memory`], and a stack of 8 MiB.
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

    /// Keeps answers about sums from one question to the next, in at most an eighth of
    /// [`Limits::memory`]: a search of a game with own moves resumes where a limit stopped it.
    ///
    /// ```
    /// use grundy::{Limits, Play, Solver, argument::Argument, registry};
    /// let board = registry::construct("domineering", &[(None, Argument::Board(6, 7))]).expect("a board");
    /// let (board, mut solver) = (board.into(), Solver::default());
    /// solver.keep_sums();
    /// let limits = Limits { positions: 1_000, ..Limits::default() };
    /// assert!(solver.outcome(&board, Play::Normal, &limits).is_err());
    /// assert!(!solver.answers().has_no_sums());
    /// ```
    pub fn keep_sums(&mut self) {
        self.engine.answers.keep_sums();
    }

    /// Returns the answers of searches.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.engine.answers
    }

    /// Visits the answers that took long to find.
    pub fn each_answer(&mut self, visit: &mut dyn FnMut(Entry<'_>)) {
        self.engine.each_answer(visit);
    }

    /// Trusts an answer that another process found. Returns whether it makes sense.
    #[must_use = "it may have been refused"]
    pub fn recall_answer(&mut self, entry: Entry<'_>) -> bool {
        self.engine.recall_answer(entry)
    }

    /// Trusts the canonical form of a component that another process found. Does nothing if the
    /// position is not one component.
    pub fn recall_form(&mut self, component: &Position, form: Form) {
        if let Some(id) = self.enter(component) {
            self.engine.recall_form(id, form);
        }
    }

    /// Returns the number of the component that a position is, if it is one.
    pub fn enter(&mut self, position: &Position) -> Option<u32> {
        let mut components = Vec::new();
        position.enter(&mut self.engine.store, &mut components);
        match components[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the text of a component, if that says all of it: a graph in a file is known only by
    /// the name of the file.
    ///
    /// # Panics
    /// If there is no component of this number.
    #[must_use]
    pub fn component_text(&self, id: u32) -> Option<String> {
        self.engine.text(id)
    }

    /// Sprague–Grundy values: those worked out so far, and the sequences of heaps.
    pub fn grundy_values(&mut self) -> &mut Valuation<Grundy> {
        &mut self.engine.grundy
    }

    /// How much work was done since the beginning, and how much was saved by what was known
    /// already.
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = self.searched;
        work += self.engine.work();
        work
    }

    /// Who wins, the value and every winning move.
    ///
    /// # Complexity
    /// That of the hardest part: nothing for a theorem, one pass for heap sequences, one visit to
    /// every canonical component that can be reached otherwise. Games with own moves whose
    /// components are no numbers, and misère play beyond the tame, are exponential in their size:
    /// every sum of components that can be reached may be looked at.
    ///
    /// # Errors
    /// The limit that was reached before the outcome was known, or rules that have no answer.
    pub fn solve(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        self.answer(position, play, Wanted::Moves, limits)
    }

    /// As [`Solver::solve`], as far as wanted.
    ///
    /// # Errors
    /// As [`Solver::solve`].
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
        self.engine.fit_answers(limits.memory / ANSWERS);
        answer
    }

    /// As [`Solver::answer`], by this thread.
    fn answer_alone(&mut self, question: &MethodInput<'_>) -> Result<Solution, Stop> {
        let wanted = question.wanted;
        for method in METHODS {
            if !(method.applies)(question) {
                continue;
            }
            match (method.answer)(self, question) {
                Ok(Some(solution)) => return Ok(Solution { wanted, ..solution }),
                // Positions come back, or values do not exist here: the next one knows how.
                Ok(None) | Err(Stop::Cyclic | Stop::NotImpartial | Stop::NoValue) => {}
                Err(stop) => return Err(stop),
            }
        }
        Err(Stop::Cyclic)
    }

    /// Returns the Sprague–Grundy value of a position in normal play.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] or [`Stop::NotImpartial`] where there may be
    /// none.
    pub fn grundy(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        self.engine.begin_question();
        let value = self.engine.nimber(position, limits);
        self.engine.fit_answers(limits.memory / ANSWERS);
        value
    }

    /// Tame values in misère play: those worked out so far.
    pub fn tame_values(&mut self) -> &mut Valuation<Tame> {
        &mut self.engine.tame
    }

    /// Misère quotients, the last one being that which the last answer went by, if it did.
    #[must_use]
    pub fn quotients(&self) -> &Quotients {
        &self.engine.quotients.theory
    }

    /// Elements in misère quotients.
    pub fn quotient_values(&mut self) -> &mut Valuation<Quotients> {
        &mut self.engine.quotients
    }

    /// Returns the canonical form of a position in normal play, with the theorem that gives it
    /// where one does.
    ///
    /// # Complexity
    /// One visit to every component that can be reached, and what it takes to make the form of each
    /// from those of its options.
    ///
    /// # Errors
    /// The limit that was reached, [`Stop::Cyclic`] where a position may come back,
    /// [`Stop::NoValue`] where the end decides or the position says who begins.
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

    /// Visits the components that have canonical forms, as [`Engine::each_form`] does.
    pub fn each_form(&self, visit: &mut dyn FnMut(&str, Form)) {
        self.engine.each_form(visit);
    }

    /// Canonical forms in normal play: those worked out so far.
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
    /// // *2 + *3 is no heap of Nim in misère play: its genus is that of *, but it has a longer form.
    /// let forms = &mut solver.misere_values().theory.forms;
    /// assert_eq!(forms.genus(form, &limits)?.to_string(), "1^13");
    /// # Ok::<(), grundy::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// One visit to every component that can be reached, and what it takes to make the form of each
    /// from those of its options; the forms of sums can be many more than their positions.
    ///
    /// # Errors
    /// The limit that was reached, [`Stop::Cyclic`] where a position may come back,
    /// [`Stop::NotImpartial`].
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

    /// Misère canonical forms: those worked out so far.
    pub fn misere_values(&mut self) -> &mut Valuation<MisereForms> {
        &mut self.engine.misere
    }

    /// Returns the genus of an impartial position, and its class where the misère canonical form
    /// was found; where forms are too many the genus comes from the positions alone.
    ///
    /// # Complexity
    /// That of [`Solver::misere_form`] up to a million forms, and beyond that one visit to every
    /// sum that can be reached.
    ///
    /// # Errors
    /// As [`Solver::misere_form`].
    pub fn genus(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<(Genus, Option<Class>), Stop> {
        let tried = Limits {
            positions: limits.positions.min(FORMS_TRIED),
            ..*limits
        };
        let used = self.engine.misere.theory.forms.count() > 1;
        let mut found = self.genus_of_form(position, &tried);
        if used && matches!(found, Err(Stop::Positions(_) | Stop::Memory(_))) {
            // What was worked out for other positions must not take the room that this one needs.
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

    /// About how many bytes hold what was worked out about games with own moves, and the components
    /// of all others.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.engine.bytes()
    }

    /// Returns the outcome for the player who begins, where it makes no difference which one that
    /// is or only one can; else for Left. No winning moves are looked for.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn outcome(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Stop> {
        let solution = self.answer(position, play, Wanted::Outcome, limits)?;
        Ok(solution.outcome())
    }

    /// Moves left when the winner hurries and the loser delays, for each player who may begin;
    /// nothing for a draw.
    ///
    /// # Complexity
    /// That of [`Reached::new`].
    ///
    /// # Errors
    /// The limit that was reached.
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

    /// Returns the least limit on positions within which a fresh solver answers.
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

    /// A limit that suffices for a question suffices for it after others.
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

    /// Answers that are forgotten between questions are found again, and components that are not in
    /// any of them are freed.
    #[test]
    fn forgetting_answers_changes_none() {
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
                assert_eq!(solve(&mut solver, question), right, "{question}");
                assert!(solver.answers().bytes() > 0);
                solver.engine.fit_answers(0);
                solver.engine.retain(&|_| false);
            }
        }
    }

    /// A later search of a game that need not end has to find out that a position comes back.
    #[test]
    fn sums_of_games_that_need_not_end_are_not_kept() {
        let limits = Limits::default();
        let int = |number: u32| Argument::Int(number.into());
        let rows = Argument::List(vec![Argument::List(vec![int(1), int(3)])]);
        let row = construct("northcott", &[(None, int(4)), (None, rows)]).unwrap();
        let boards = board("domineering", 4, 5);
        let mut solver = Solver::default();
        solver.keep_sums();
        let both = Position::sum([boards.terms(), &[row]].concat()).unwrap();
        let _ = solver.outcome(&both, Play::Normal, &limits);
        assert!(solver.answers().has_no_sums());
        solver.outcome(&boards, Play::Normal, &limits).unwrap();
        assert!(!solver.answers().has_no_sums());
    }
}
