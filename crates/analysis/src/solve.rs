//! `solve`: the outcome, the value and every winning move.

use std::sync::Arc;

use grundy_core::message::Setting;
use grundy_core::solve::reachable_sums::ReachableSums;
use grundy_core::solve::{Beginning, Detail, Grounds, Status};
use grundy_core::{
    Diagnostic, Kind, Limits, Message, Outcome, Play, Position, Solution, Solver, Stop, Verdict,
    message,
};

use grundy_wording::answer::{OptionalText, SolutionView};
use grundy_wording::report::{Stopped, is_limit};

use crate::analyst::{Analyst, CostKind, Question, attach_source};
use crate::answer::Answer;
use crate::expect::ExpectedSolution;
use crate::growth::Watch;
use crate::job::Job;
use crate::progress::Progress;
use crate::question::Solve;
use crate::result_cache::ResultCache;
use crate::value::misere::{genus_text, no_misere_value_error, require_misere_play};
use crate::value_table::{self, ValueTable};

mod list;

/// Largest number of positions that are searched for the remoteness, after the nearest positions
/// have decided who wins.
const MAX_POSITIONS_FOR_REMOTENESS: u64 = 1 << 20;

pub use grundy_wording::solved::Solved;

impl Question for Solve {
    fn answer(
        &self,
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        check_genus(self.genus, self.play)?;
        let expected = self.expect.as_ref().map(ExpectedSolution::read);
        let expected = expected.transpose().map_err(wrong)?;
        if let Some(text) = &self.source.expression
            && let Some(items) = list::items(text)
        {
            if expected.is_some() {
                return Err(wrong(message!(
                    "an expected answer belongs to one position"
                )));
            }
            return self.solve_list(text, &items, analyst, cache, job);
        }
        let position = analyst.position(&self.source)?;
        let components = self.stats.then(|| position.component_count());
        let (answer, view, solution) =
            self.solved(&position, expected.as_ref(), analyst, cache, job)?;
        let agreement = expected.map(|expected| {
            let read = |text: &str| analyst.read(text).ok();
            expected.compare(&view, &position, solution.as_ref(), read)
        });
        Ok(answer.with_agreement(agreement).with_components(components))
    }

    fn game(&self) -> Option<&str> {
        self.source.expression.as_deref()
    }

    fn cost_kind(&self) -> Option<CostKind> {
        self.stats.then_some(CostKind::Work)
    }
}

fn wrong(message: Message) -> Diagnostic {
    Diagnostic::new(Kind::Type, message)
}

impl Solve {
    /// Returns the answer and its JSON view. Also returns the solution, unless a limit stopped the
    /// search for it.
    fn solved(
        &self,
        position: &Position,
        expected: Option<&ExpectedSolution>,
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<(Answer, SolutionView, Option<Solution>), Diagnostic> {
        let play = self.play;
        let watch = Watch::new(position, job);
        let interrupted = || watch.poll();
        let limits = Limits {
            interrupted: &interrupted,
            ..job.limits()
        };
        // If winning moves are expected, they are computed even if the question does not request
        // them.
        let wanted = match expected {
            Some(expected) if expected.expects_moves() => Detail::Moves,
            _ => self.wanted(),
        };
        cache.solver.set_threads(self.threads);
        analyst
            .reader()
            .check_distinct([], [(Setting::command_line("table"), self.table.as_ref())])?;
        let table = ValueTable::open(self.table.as_ref(), analyst, &mut cache.solver, &limits)?;
        // The announcement needs an additional search. It is made only for the first question, and
        // only if a reader watches the progress.
        let watched = job.is_watched() && cache.is_fresh();
        if watched && play == Play::Normal && wanted == Detail::Moves {
            announce(position, &mut cache.solver, job);
        }
        let found = cache.with_retry(|cache| {
            let solver = &mut cache.solver;
            solution(position, play, wanted, self.remoteness, solver, &limits)
        });
        // The table is written before an error is returned, so that a stopped search can be
        // resumed.
        let saved = table.save(&mut cache.solver, job)?;
        let solver = &mut cache.solver;
        match found {
            Ok(solution) => {
                // If a limit prevents the genus, it is left empty. The solution is still complete.
                let genus = self.genus.then(|| genus(position, solver, &limits));
                let genus = genus.transpose();
                let genus = genus
                    .map_err(|stop| attach_source(no_misere_value_error(stop), &self.source))?;
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
                let verdict =
                    is_limit(&stop).then(|| without_search(position, play, solver, &limits));
                let help = saved.and_then(|file| value_table::help(file, &stop));
                let error = attach_source(watch.stop_error(stop, help), &self.source);
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
fn without_search(
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
    let solution = solver.answer(position, play, Detail::Outcome, &no_time);
    solution.ok().map(|solution| solution.verdict())
}

/// Rejects a request for the genus if normal play is chosen.
pub(crate) fn check_genus(requested: bool, play: Play) -> Result<(), Diagnostic> {
    require_misere_play("genus", requested && play == Play::Normal)
}

/// Returns the text of the genus, or no text if the genus cannot be computed within the limits.
pub(crate) fn genus(
    position: &Position,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<OptionalText, Stop> {
    match solver.genus(position, limits) {
        Ok((genus, class)) => Ok(OptionalText(Some(genus_text(&genus, class, false)))),
        Err(stop) if is_limit(&stop) => Ok(OptionalText(None)),
        Err(stop) => Err(stop),
    }
}

/// Reports intermediate results as progress, before the search for winning moves begins: that the
/// next player wins, and the Grundy value. Reports nothing if the next player does not win. Omits
/// the Grundy value if a theorem gave the outcome, or if the value cannot be computed.
///
/// Progress is reported only for impartial games that are known to end. For such games, computing
/// the outcome and the value first does not delay the winning moves, since the search for them
/// reuses the cached results.
fn announce(position: &Position, solver: &mut Solver, job: &Job) {
    // If a user-defined game is not known to end, the additional search may reach a limit.
    let ends = position.terms().iter().all(|term| term.known_to_end());
    if !(ends && position.nature().is_impartial()) {
        return;
    }
    let limits = job.limits();
    let Ok(first) = solver.answer(position, Play::Normal, Detail::Outcome, &limits) else {
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
    let Ok(valued) = solver.answer(position, Play::Normal, Detail::Value, &limits) else {
        return;
    };
    if let (Outcome::N, Some(value)) = (valued.outcome(), valued.grundy()) {
        job.report(&Progress::Doing(message!(
            "the next player wins, the Grundy value is {value}; searching for the winning moves",
            value
        )));
    }
}

/// Returns the solution. If `remoteness` is set, adds the remoteness of the position and of each
/// position after a listed move. It is omitted if it cannot be computed within the limits.
pub(crate) fn solution(
    position: &Position,
    play: Play,
    wanted: Detail,
    remoteness: bool,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Solution, Stop> {
    let mut solution = solver.answer(position, play, wanted, limits)?;
    if remoteness {
        let labels = match &solution.grounds {
            Grounds::Labels(labels) => Ok(Arc::clone(labels)),
            Grounds::Nearest => {
                let is_known = |beginning: &Beginning| beginning.remoteness.is_some();
                if solution.status == Status::Partial || solution.beginnings.iter().all(is_known) {
                    return Ok(solution);
                }
                // Infinitely many positions may be reachable.
                let limits = Limits {
                    positions: limits.positions.min(MAX_POSITIONS_FOR_REMOTENESS),
                    ..*limits
                };
                ReachableSums::new(position, play, &limits).map(Arc::new)
            }
            _ => ReachableSums::new(position, play, limits).map(Arc::new),
        };
        match labels.and_then(|labels| solution.add_remoteness(position, &labels, limits)) {
            // The outcome is known, and only the remoteness is missing.
            Ok(()) | Err(Stop::Positions(_) | Stop::Memory(_) | Stop::Time) => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(solution)
}
