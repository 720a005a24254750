//! `solve`: the outcome, the value and every winning move.

use grundy::message::Setting;
use grundy::solve::Wanted;
use grundy::{
    Diagnostic, Kind, Limits, Message, Outcome, Play, Position, Solution, Solver, Stop, Verdict,
    message,
};

use grundy_wording::answer::{SolutionView, Written};
use grundy_wording::report::{Stopped, is_limit};

use crate::analyst::{Analyst, Measured, Question, of_source};
use crate::answer::Answer;
use crate::expect::ExpectedSolution;
use crate::growth;
use crate::job::Job;
use crate::learned::Learned;
use crate::progress::Progress;
use crate::question::Solve;
use crate::value::misere::{misere_alone, printed, refusal};
use crate::value_table::{self, ValueTable};

pub use grundy_wording::solved::Solved;

impl Question for Solve {
    fn answer(
        &self,
        analyst: &Analyst,
        learned: &mut Learned,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        check_genus(self.genus, self.play)?;
        let expected = self.expect.as_ref().map(ExpectedSolution::read);
        let expected = expected.transpose().map_err(wrong)?;
        let position = analyst.position(&self.source)?;
        let components = self.stats.then(|| position.component_count());
        let (answer, view, solution) =
            self.solved(&position, expected.as_ref(), analyst, learned, job)?;
        let agreement = expected.map(|expected| {
            let read = |text: &str| analyst.read(text).ok();
            expected.compare(&view, &position, solution.as_ref(), read)
        });
        Ok(answer.compared(agreement).counted(components))
    }

    fn game(&self) -> Option<&str> {
        self.source.expression.as_deref()
    }

    fn measured(&self) -> Option<Measured> {
        self.stats.then_some(Measured::Work)
    }
}

fn wrong(message: Message) -> Diagnostic {
    Diagnostic::new(Kind::Type, message)
}

impl Solve {
    /// Returns the answer and its JSON view. Also returns the solution, unless a limit prevented
    /// it.
    fn solved(
        &self,
        position: &Position,
        expected: Option<&ExpectedSolution>,
        analyst: &Analyst,
        learned: &mut Learned,
        job: &Job,
    ) -> Result<(Answer, SolutionView, Option<Solution>), Diagnostic> {
        let (play, limits) = (self.play, job.limits());
        // If winning moves are expected, they are computed even if the question does not request
        // them.
        let wanted = match expected {
            Some(expected) if expected.names_moves() => Wanted::Moves,
            _ => self.wanted(),
        };
        learned.solver.set_threads(self.threads);
        analyst
            .reader()
            .check_apart([], [(Setting::typed("table"), self.table.as_ref())])?;
        let table = ValueTable::open(self.table.as_ref(), analyst, &mut learned.solver, &limits)?;
        // The announcement needs an additional search. It is made only for the first question, and
        // only if a reader watches the progress.
        let watched = job.is_watched() && learned.is_fresh();
        if watched && play == Play::Normal && wanted == Wanted::Moves {
            announce(position, &mut learned.solver, job);
        }
        let found = learned.ask(|learned| {
            let solver = &mut learned.solver;
            solution(position, play, wanted, self.remoteness, solver, &limits)
        });
        // The table is written before an error is returned, so that a stopped search can be
        // resumed.
        let grown = table.save(&mut learned.solver, job)?;
        let solver = &mut learned.solver;
        match found {
            Ok(solution) => {
                // If a limit prevents the genus, it is left empty. The solution is still complete.
                let genus = self.genus.then(|| genus(position, solver, &limits));
                let genus = genus.transpose();
                let genus = genus.map_err(|stop| of_source(refusal(stop), &self.source))?;
                let solved = Solved {
                    position: position.clone(),
                    play,
                    solution,
                    genus,
                };
                let (view, solution) = (solved.view(), solved.solution.clone());
                Ok((Answer::new(solved), view, Some(solution)))
            }
            Err(stop) => {
                // A theorem may give the outcome even though the search was stopped.
                let verdict = is_limit(&stop).then(|| at_once(position, play, solver, &limits));
                let help = grown.and_then(|file| value_table::help(file, &stop));
                let error = of_source(growth::of_stop(stop, help, position, job), &self.source);
                let Some(verdict) = verdict else {
                    return Err(error);
                };
                let stopped = Stopped {
                    game: Some(position.to_string()),
                    play: Some(play),
                    verdict,
                    error,
                };
                let view = SolutionView::partial(position, play, verdict);
                Ok((Answer::new(stopped), view, None))
            }
        }
    }
}

/// Returns the outcome, if a theorem or the cache gives it without a search.
fn at_once(
    position: &Position,
    play: Play,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Option<Verdict> {
    // With a time limit of 0, a search stops at its first check. Only theorems and the cache can
    // answer.
    let no_time = Limits {
        interrupted: &|| Some(Stop::Time),
        ..*limits
    };
    let known = solver.answer(position, play, Wanted::Outcome, &no_time);
    known.ok().map(|known| known.verdict())
}

/// Rejects a request for the genus if normal play is chosen.
pub(crate) fn check_genus(asked: bool, play: Play) -> Result<(), Diagnostic> {
    misere_alone("genus", asked && play == Play::Normal)
}

/// Returns the text of the genus, which is empty if a limit prevented it.
pub(crate) fn genus(
    position: &Position,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Written, Stop> {
    match solver.genus(position, limits) {
        Ok((genus, class)) => Ok(Written(Some(printed(&genus, class, false)))),
        Err(stop) if is_limit(&stop) => Ok(Written(None)),
        Err(stop) => Err(stop),
    }
}

/// Reports the outcome and the value as progress, before the search for winning moves begins.
///
/// In impartial games this does not delay the list of winning moves, since their search reuses the
/// cached results.
fn announce(position: &Position, solver: &mut Solver, job: &Job) {
    // If a user-defined game is not known to end, the additional search may reach a limit.
    let ends = position.terms().iter().all(|term| term.known_to_end());
    if !(ends && position.nature().is_impartial()) {
        return;
    }
    let limits = job.limits();
    let Ok(first) = solver.answer(position, Play::Normal, Wanted::Outcome, &limits) else {
        return;
    };
    if first.outcome() != Outcome::N {
        return;
    }
    if first.theorem.is_some() {
        // If a theorem gives the value, it also gives the moves at little cost.
        let message = message!("the next player wins; searching for the winning moves");
        return job.report(&Progress::Doing(message));
    }
    let message = message!("the next player wins; computing the value");
    job.report(&Progress::Doing(message));
    let Ok(valued) = solver.answer(position, Play::Normal, Wanted::Value, &limits) else {
        return;
    };
    if let (Outcome::N, Some(value)) = (valued.outcome(), valued.grundy()) {
        job.report(&Progress::Doing(message!(
            "the next player wins, the Grundy value is {value}; searching for the winning moves",
            value
        )));
    }
}

/// Returns the solution. Adds the remoteness if it is requested, unless a limit prevents it.
pub(crate) fn solution(
    position: &Position,
    play: Play,
    wanted: Wanted,
    remoteness: bool,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Solution, Stop> {
    let mut solution = solver.answer(position, play, wanted, limits)?;
    if remoteness {
        let moves = match Solver::remoteness(position, play, limits) {
            // The outcome is known, and only the remoteness is missing.
            Err(Stop::Positions(_) | Stop::Memory(_) | Stop::Time) => return Ok(solution),
            moves => moves?,
        };
        for (beginning, moves) in solution.beginnings.iter_mut().zip(moves) {
            beginning.remoteness = Some(moves);
        }
    }
    Ok(solution)
}
