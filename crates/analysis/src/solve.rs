//! `solve`: who wins, the value, and every winning move.

use std::io::{self, Write};

use grundy::solve::{Status, Wanted};
use grundy::{Diagnostic, Limits, Outcome, Play, Position, Solution, Solver, Stop, message};

use grundy_notation::answer::{SolutionView, Written, json_line};
use grundy_notation::wording::phrase;
use grundy_notation::{Language, plain};

use crate::analyst::{Analyst, Question, of_source};
use crate::answer::Answer;
use crate::growth;
use crate::job::Job;
use crate::progress::Progress;
use crate::question::Solve;
use crate::report::{Report, is_limit};
use crate::value::misere::{misere_alone, printed, refusal};
use crate::value_table::{self, ValueTable};

/// A position and what was found out about it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The position.
    pub position: Position,
    /// Normal or misère play.
    pub play: Play,
    /// Who wins, with what value, by which moves.
    pub solution: Solution,
    /// The genus, where it was asked for; nothing inside where a limit withholds it.
    pub genus: Option<Written>,
}

impl Solved {
    pub(crate) fn view(&self) -> SolutionView {
        let mut view = SolutionView::new(&self.position, self.play, &self.solution);
        view.genus.clone_from(&self.genus);
        view
    }
}

impl Report for Solved {
    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        json_line(out, &self.view())
    }

    fn plain(&self, language: Language) -> String {
        let genus = self
            .genus
            .clone()
            .map(|Written(genus)| genus.unwrap_or_else(|| phrase("genus_withheld", language)));
        plain::solution(&self.position, self.play, &self.solution, genus, language)
    }

    fn is_partial(&self) -> bool {
        let withheld = self.genus == Some(Written(None));
        self.solution.status == Status::Partial || !self.solution.moves_complete || withheld
    }
}

impl Question for Solve {
    fn answer(&self, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }
}

fn answer(asked: &Solve, analyst: &Analyst, job: &Job) -> Result<Solved, Diagnostic> {
    check_genus(asked.genus, asked.play)?;
    let position = analyst.position(&asked.source)?;
    let mut solver = Solver::default();
    solver.set_threads(asked.threads);
    let limits = job.limits();
    analyst.check_apart([], [("--table", asked.table.as_ref())])?;
    let table = ValueTable::open(asked.table.as_ref(), analyst, &mut solver, &limits)?;
    if job.is_watched() && asked.play == Play::Normal && asked.wanted == Wanted::Moves {
        announce(&position, &mut solver, job);
    }
    let solution = solution(
        &position,
        asked.play,
        asked.wanted,
        asked.remoteness,
        &mut solver,
        &limits,
    );
    let grown = table.save(&mut solver)?;
    let solution = solution.map_err(|stop| {
        let help = grown.and_then(|file| value_table::help(file, &stop));
        of_source(growth::of_stop(stop, help, &position, job), &asked.source)
    })?;
    let genus = asked.genus.then(|| genus(&position, &mut solver, &limits));
    let genus = genus.transpose();
    let genus = genus.map_err(|stop| of_source(refusal(stop), &asked.source))?;
    Ok(Solved {
        position,
        play: asked.play,
        solution,
        genus,
    })
}

/// Refuses to tell the genus in normal play.
pub(crate) fn check_genus(asked: bool, play: Play) -> Result<(), Diagnostic> {
    misere_alone("genus", asked && play == Play::Normal)
}

/// The genus as it is printed; nothing where a limit withholds it.
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

/// Says who wins and the value as soon as they are known, to somebody who sees the list of moves grow. Where both players have the
/// same moves the list then takes no longer: what was found out is remembered.
fn announce(position: &Position, solver: &mut Solver, job: &Job) {
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
        // The value is told beside the moves where it costs little.
        let message = message!("the next player wins; looking for the winning moves");
        return job.report(&Progress::Doing(message));
    }
    let message = message!("the next player wins; looking for the value");
    job.report(&Progress::Doing(message));
    let Ok(valued) = solver.answer(position, Play::Normal, Wanted::Value, &limits) else {
        return;
    };
    if let (Outcome::N, Some(value)) = (valued.outcome(), valued.grundy()) {
        job.report(&Progress::Doing(message!(
            "the next player wins, the Grundy value is {value}; looking for the winning moves",
            value
        )));
    }
}

/// The solution, with remoteness if it is wanted and the limits allow it.
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
            // The outcome is known all the same.
            Err(Stop::Positions(_) | Stop::Memory(_) | Stop::Time) => return Ok(solution),
            moves => moves?,
        };
        for (beginning, moves) in solution.beginnings.iter_mut().zip(moves) {
            beginning.remoteness = Some(moves);
        }
    }
    Ok(solution)
}
