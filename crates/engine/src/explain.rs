//! Explanations of answers. An explanation is a list of steps. A step is one claim. It consists of
//! a code, which identifies the sentence that states the claim, and of the numbers and names that
//! occur in the sentence.

mod beginnings;
mod judge;
mod misere;
mod option_list;
mod option_outcomes;
mod partizan_value;
mod quotient;
mod reasons;
mod stages;
mod steps;
mod strategy;
mod table;
mod values;

use crate::position::Position;
use crate::rules::{Ends, Moves};
use crate::solve::{Grounds, Solution, Solver};
use crate::store::Store;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::step::Step;
pub use table::by_table;
use values::theorem_step;

/// Returns the steps of the explanation of `solution`.
///
/// The first step states the kind of game, and the last one the conclusion. The steps between them
/// give the reasons, depending on the method that found the answer. Examples are the values of the
/// parts and their sum, an answer to every move, bounds, the stages of a game graph, and a
/// strategy.
///
/// # Errors
/// Fails with the limit that was reached, or with the error of the rules.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Limits, Play, Position, Solver, Term, explain};
/// let position = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let mut solver = Solver::default();
/// let solution = solver.solve(&position, Play::Normal, &Limits::default())?;
/// let steps =
///     explain::steps(&position, Play::Normal, &solution, &mut solver, &Limits::default())?;
/// assert!(steps.iter().any(|step| step.code == "odd_column_heaps"));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
///
/// In a partizan game the explanation treats each player who may begin separately:
///
/// ```
/// use grundy_core::argument::Argument;
/// use grundy_core::{Limits, Play, Position, Solver, explain, registry};
/// let strip = [(None, Argument::Text("T.F".into()))];
/// let position = Position::from(registry::construct("toads_and_frogs", &strip)?);
/// let (mut solver, limits) = (Solver::default(), Limits::default());
/// let solution = solver.solve(&position, Play::Normal, &limits)?;
/// let steps = explain::steps(&position, Play::Normal, &solution, &mut solver, &limits)?;
/// assert_eq!(steps.last().unwrap().code, "class_conclusion_n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn steps(
    position: &Position,
    play: Play,
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    // Games with payoffs, answers from a search, and labels of partizan games are explained by
    // moves, since there are no values to add.
    let is_partizan = solution.nature.moves == Moves::Partizan;
    match (&solution.grounds, solution.nature.ends) {
        (Grounds::Search | Grounds::Table | Grounds::Labels(_), Ends::Payoff) => {
            return strategy::steps(position, play, solution, limits);
        }
        (Grounds::Search | Grounds::Table, _) => {
            return beginnings::by_search(position, play, solution, limits);
        }
        (Grounds::Labels(labels), _) if is_partizan => {
            return beginnings::by_labels(position, play, solution, labels);
        }
        _ => {}
    }
    // The steps between the kind of game and the conclusion depend on the grounds of the answer.
    let mut steps = vec![kind(position, play, solution)];
    if copycat(position, play) {
        steps.push(Step::new("copycat").with("game", position.to_string()));
    }
    match &solution.grounds {
        Grounds::Normal(values) => {
            values::normal(position, values, solver, limits, &mut steps)?;
            reasons::by_values(position, values, solution, solver, limits, &mut steps)?;
        }
        Grounds::Misere(values) => {
            misere::values(position, values, solver, limits, &mut steps)?;
            misere::reasons(solution, solver, limits, &mut steps)?;
        }
        Grounds::Quotient(values) => {
            quotient::steps(position, values, solution, solver, limits, &mut steps)?;
        }
        Grounds::Loopy(values) => {
            values::loopy(position, values, &mut steps);
            reasons::by_loopy_values(position, values, solution, &mut steps);
        }
        Grounds::Theorem => {
            steps.extend(solution.theorem.map(theorem_step));
            steps.extend(
                position
                    .only_term()
                    .and_then(|term| term.theorem_application(play)),
            );
            values::reason_for_value(position, solution, solver, limits, &mut steps)?;
            reasons::by_outcome(solution, play, limits, &mut steps)?;
        }
        Grounds::Search | Grounds::Table | Grounds::Nearest | Grounds::Labels(_) => {
            steps.push(Step::new(match solution.grounds {
                Grounds::Nearest => "searched_nearest",
                _ => "searched",
            }));
            option_outcomes::push_steps(position, play, solution, solver, limits, &mut steps)?;
        }
    }
    if let Some((network, start)) = position.only_term().and_then(|term| term.network()) {
        steps.extend(stages::steps(network, start, play, limits)?);
    }
    steps.push(conclusion(position, play, solution)?);
    Ok(steps)
}

/// Returns only the steps for each player who may begin. These steps give the winning move, or an
/// answer to every move of the player who loses.
///
/// Returns the whole explanation instead, unless the answer comes from a search and the last move
/// decides.
///
/// # Errors
/// Fails with the limit that was reached, or with the error of the rules.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
/// use grundy_core::{Limits, Play, Position, Solver, Term, explain};
/// let position = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
/// let (mut solver, limits) = (Solver::default(), Limits::default());
/// let solution = solver.solve(&position, Play::Normal, &limits)?;
/// let steps = explain::beginnings(&position, Play::Normal, &solution, &mut solver, &limits)?;
/// let codes: Vec<&str> = steps.iter().map(|step| step.code).collect();
/// assert_eq!(codes, ["left_begins_wins", "right_begins_wins"]);
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub fn beginnings(
    position: &Position,
    play: Play,
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    // Only for an answer from a search can these steps be computed separately.
    if let (Grounds::Search, Ends::LastMove) = (&solution.grounds, solution.nature.ends) {
        return beginnings::by_moves(position, play, solution, limits);
    }
    steps(position, play, solution, solver, limits)
}

/// Returns the step that every explanation begins with: the kind of game.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Limits, Play, Position, Solver, Term, explain};
/// let position = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// let step = explain::kind(&position, Play::Normal, &solution);
/// assert_eq!(step.code, "kind_impartial_bounded");
/// assert!(step.args.contains(&("longest_play", 12u64.into())));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[must_use]
pub fn kind(position: &Position, play: Play, solution: &Solution) -> Step {
    let is_partizan = solution.nature.moves == Moves::Partizan;
    match (&solution.grounds, solution.nature.ends) {
        (grounds @ (Grounds::Search | Grounds::Table | Grounds::Labels(_)), Ends::Payoff) => {
            let code = match grounds {
                Grounds::Labels(_) => "ties_kind_loops",
                _ => "ties_kind",
            };
            let side = position.first_player().of(position.players());
            Step::new(code)
                .with("side", side)
                .with("play", play.to_string())
        }
        (grounds @ (Grounds::Search | Grounds::Table | Grounds::Labels(_)), Ends::LastMove)
            if is_partizan =>
        {
            beginnings::kind(position, play, !matches!(grounds, Grounds::Labels(_)))
        }
        _ => kind_by_values(position, play),
    }
}

/// Returns the step with the kind of game for most answers. [`kind`] itself handles the answers
/// from a search, a table or labels, if the game is partizan or has a payoff.
fn kind_by_values(position: &Position, play: Play) -> Step {
    let terms = position.terms();
    let impartial = position.nature().is_impartial();
    let finite = terms.iter().all(|term| term.finite());
    let known_to_end = terms.iter().all(|term| term.known_to_end());
    let parts: usize = terms.iter().map(|term| term.part_count()).sum();
    // The longest play of the sum. `None` if a term has no bound, or if the bounds overflow.
    let longest = terms
        .iter()
        .try_fold(0u128, |sum, term| sum.checked_add(term.longest_play()?))
        .filter(|_| finite);
    let code = match (impartial, finite, longest) {
        (false, ..) => "kind_partizan",
        (true, false, _) => "kind_loopy",
        (true, true, Some(_)) => "kind_impartial_bounded",
        (true, true, None) if !known_to_end => "kind_impartial_open",
        (true, true, None) => "kind_impartial",
    };
    let mut step = Step::new(code)
        .with("impartial", impartial)
        .with("finite", finite)
        .with("play", play.to_string())
        .with("parts", parts);
    if let Some(longest) = longest {
        step = match u64::try_from(longest) {
            Ok(longest) => step.with("longest_play", longest),
            Err(_) => step.with("longest_play", longest.to_string()),
        };
    }
    step
}

/// Returns whether the second player wins by copying moves. This is so if the game is finite,
/// impartial and in normal play, and consists of pairs of equal parts. The copy of a move is made
/// in the other part of the pair. Returns `false` for the empty position.
fn copycat(position: &Position, play: Play) -> bool {
    let mut store = Store::default();
    let terms = position.terms().iter();
    let mut parts: Vec<Vec<u32>> = terms
        .flat_map(|term| term.parts())
        .map(|part| {
            let mut components = Vec::new();
            part.enter(&mut store, &mut components);
            components.sort_unstable();
            components
        })
        .collect();
    parts.sort_unstable();
    // In a game that may continue forever, copying moves does not guarantee a win.
    let ends = position.terms().iter().all(|term| term.finite());
    let is_valid = ends && position.nature().is_impartial();
    play == Play::Normal
        && is_valid
        && !parts.is_empty()
        && parts.len().is_multiple_of(2)
        && parts.chunks_exact(2).all(|pair| pair[0] == pair[1])
}

/// Returns the last step, the conclusion.
fn conclusion(position: &Position, play: Play, solution: &Solution) -> Result<Step, Stop> {
    // If the player to move has no move, the step has a separate code, since it cannot name a move.
    let has_no_move = match solution.outcome() {
        Outcome::N => solution.winning_moves().is_empty() && play == Play::Misere,
        Outcome::P => true,
        Outcome::D => false,
    } && !position.has_move(position.first_player())?;
    let conclusion = conclusion_step(solution);
    Ok(match solution.outcome() {
        Outcome::N if has_no_move => Step {
            code: "conclusion_misere_end",
            ..conclusion
        },
        Outcome::P if has_no_move => Step {
            code: "conclusion_no_move",
            ..conclusion
        },
        _ => conclusion,
    })
}

/// Returns the last step of an explanation in which it does not matter who begins. The step states
/// the outcome and the number of winning moves. Its code depends on whether the list of winning
/// moves is complete.
fn conclusion_step(solution: &Solution) -> Step {
    let moves = solution.winning_moves().iter();
    // One entry of the list may represent many moves.
    let moves: u64 = moves
        .map(|winning| winning.repeats.map_or(1, |repeats| repeats.count))
        .sum();
    let code = match solution.outcome() {
        Outcome::N if solution.moves_complete => "conclusion_n",
        Outcome::N if moves == 0 => "conclusion_n_unlisted",
        Outcome::N => "conclusion_n_some",
        Outcome::D => "conclusion_d",
        Outcome::P => "conclusion_p",
    };
    Step::new(code).with("moves", moves)
}
