//! Why an answer holds: the argument as steps, each a claim with its numbers.

mod stages;

use std::ops::ControlFlow;

use crate::limits::Limits;
use crate::outcome::{Outcome, Play};
use crate::position::Position;
use crate::solve::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL};
use crate::solve::tables::{Evidence, PartValue};
use crate::solve::{Solution, Solver, Values};
use crate::step::{Datum, Step};
use crate::theory::Misere;

/// Options listed in a `mex` step; a longer list helps nobody.
const OPTIONS_LISTED: usize = 24;

/// Parts whose own argument is told.
const PARTS_ARGUED: usize = 20;

/// The argument for `solution`, in the order one would give it on the board.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Play, Position, Solver, Term, explain};
/// let position = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let mut solver = Solver::default();
/// let solution = solver.solve(&position, Play::Normal, &Limits::default())?;
/// let steps = explain::steps(&position, Play::Normal, &solution, &mut solver, &Limits::default());
/// assert!(steps.iter().any(|step| step.code == "odd_column"));
/// # Ok::<(), grundy::Stop>(())
/// ```
#[must_use]
pub fn steps(
    position: &Position,
    play: Play,
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Vec<Step> {
    let mut steps = vec![kind_of_game(position, play)];
    if copycat(position, play) {
        steps.push(Step::new("copycat").with("game", position.to_string()));
    }
    match &solution.values {
        Values::Normal(values) => normal(position, values, solver, limits, &mut steps),
        Values::Misere(values) => misere(values, &mut steps),
        Values::Loopy(values) => loopy(position, values, &mut steps),
        Values::None => match solution.theorem {
            Some(theorem) => steps.push(theorem_step(theorem)),
            None => steps.push(Step::new("searched")),
        },
    }
    if let [term] = &position.terms[..]
        && let Some((network, start)) = term.network()
    {
        // Without them the argument is shorter, and still one.
        steps.extend(
            stages::steps(network, start, play, limits)
                .into_iter()
                .flatten(),
        );
    }
    conclusion(position, solution, &mut steps);
    steps
}

/// What kind of game it is, in the words of a course.
#[must_use]
pub fn kind_of_game(position: &Position, play: Play) -> Step {
    let impartial = position.terms.iter().all(|term| term.impartial());
    let finite = position.terms.iter().all(|term| term.finite());
    let known = position.terms.iter().all(|term| term.known_to_end());
    let parts: usize = position.terms.iter().map(|term| term.part_count()).sum();
    let longest = position
        .terms
        .iter()
        .try_fold(0u128, |sum, term| sum.checked_add(term.longest_play()?))
        .filter(|_| finite);
    let code = match (impartial, finite, longest) {
        (false, ..) => "kind_partizan",
        (true, false, _) => "kind_loopy",
        (true, true, Some(_)) => "kind_impartial_bounded",
        (true, true, None) if !known => "kind_impartial_open",
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

/// Whether the parts fall into pairs of equals (and there are some): then the second player copies.
fn copycat(position: &Position, play: Play) -> bool {
    let mut parts: Vec<String> = position
        .terms
        .iter()
        .flat_map(|term| term.parts())
        .map(|part| part.text())
        .collect();
    parts.sort_unstable();
    // Where plays need not end, copying may go on for ever.
    let sound = position
        .terms
        .iter()
        .all(|term| term.impartial() && term.finite());
    play == Play::Normal
        && sound
        && !parts.is_empty()
        && parts.len().is_multiple_of(2)
        && parts.chunks_exact(2).all(|pair| pair[0] == pair[1])
}

fn theorem_step(theorem: &crate::ruleset::Theorem) -> Step {
    Step::new("theorem")
        .with("name", theorem.name)
        .with("statement", theorem.statement)
        .with("source", theorem.source)
}

fn normal(
    position: &Position,
    values: &[Vec<PartValue<u64>>],
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) {
    let all: Vec<&PartValue<u64>> = values.iter().flatten().collect();
    let sum = all.iter().fold(0, |sum, part| sum ^ part.value);
    let parts: Vec<_> = position
        .terms
        .iter()
        .flat_map(|term| term.parts())
        .collect();
    let mut named = Vec::new();
    for (part, text) in all.iter().zip(parts.iter().map(|part| part.text())) {
        match &part.evidence {
            Evidence::Theorem(theorem) if !named.contains(theorem) => {
                named.push(*theorem);
                steps.push(theorem_step(theorem));
            }
            Evidence::Period { period, .. } => {
                let size = part_size(&text);
                let mut step = Step::new("residue")
                    .with("part", text)
                    .with("preperiod", period.preperiod)
                    .with("period", period.period)
                    .with("saltus", period.saltus)
                    .with("value", part.value)
                    .with("theorem", period.theorem.name());
                if let Some(size) = size {
                    step = step
                        .with("size", size)
                        .with("remainder", size % period.period);
                }
                steps.push(step);
            }
            Evidence::Recurrence => steps.push(
                Step::new("recurrence")
                    .with("part", text)
                    .with("value", part.value),
            ),
            _ => {}
        }
    }
    for (term, values) in position.terms.iter().zip(values).take(PARTS_ARGUED) {
        for (index, part) in values.iter().enumerate().take(PARTS_ARGUED) {
            let wanted = (sum != 0).then_some(part.value ^ sum);
            steps.extend(term.argument(index, wanted));
        }
    }
    // One part without a theorem: the values of its options, and the least number missing.
    if let ([part], [only]) = (&all[..], &parts[..])
        && !matches!(part.evidence, Evidence::Theorem(_))
        && let Some(step) = mex_step(&Position::from(only.clone()), part.value, solver, limits)
    {
        steps.push(step);
    }
    if all.len() > 1 {
        let bouton = all.iter().all(|part| {
            matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == "bouton")
        });
        let numbers: Vec<u64> = all.iter().map(|part| part.value).collect();
        if !bouton {
            let texts: Vec<String> = parts.iter().map(|part| part.text()).collect();
            steps.push(
                Step::new("components")
                    .with("parts", texts)
                    .with("values", numbers.clone()),
            );
        }
        columns(&numbers, sum, steps);
    }
}

/// The size in `name(size)` or `name(..., size)`: what a residue is taken of.
fn part_size(text: &str) -> Option<u64> {
    text.strip_suffix(')')?
        .rsplit([',', '('])
        .next()?
        .trim()
        .parse()
        .ok()
}

fn columns(numbers: &[u64], sum: u64, steps: &mut Vec<Step>) {
    let width = numbers
        .iter()
        .map(|n| 64 - n.leading_zeros())
        .max()
        .unwrap_or(0)
        .max(1) as usize;
    let rows: Vec<String> = numbers.iter().map(|n| format!("{n:0width$b}")).collect();
    steps.push(
        Step::new("nim_columns")
            .with("heaps", numbers.to_vec())
            .with("binary", rows)
            .with("sum_binary", format!("{sum:0width$b}"))
            .with("sum", sum),
    );
    if sum == 0 {
        steps.push(Step::new("even_columns"));
        return;
    }
    let bit = sum.ilog2();
    let with_one: Vec<u64> = (0..numbers.len())
        .filter(|&i| numbers[i] >> bit & 1 == 1)
        .map(|i| i as u64)
        .collect();
    steps.push(
        Step::new("odd_column")
            .with("column", 1u64 << bit)
            .with("ones", with_one.len())
            .with("in", with_one.clone()),
    );
    for index in with_one {
        let from = numbers[index as usize];
        steps.push(
            Step::new("reduce")
                .with("heap", index)
                .with("from", from)
                .with("to", from ^ sum),
        );
    }
}

/// A vertex by its name where the game is an explicit graph, and any other position as it is written.
fn short_name(position: &Position) -> String {
    match &position.terms[..] {
        [term] => match term.network() {
            Some((network, vertex)) => network.names.get(vertex).to_owned(),
            None => position.to_string(),
        },
        _ => position.to_string(),
    }
}

fn mex_step(
    position: &Position,
    value: u64,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Option<Step> {
    let mut listed: Vec<(String, u64)> = Vec::new();
    let mut count = 0usize;
    let mut failed = false;
    let _ = position.moves(&mut |_, _, to| {
        count += 1;
        if count > 4 * OPTIONS_LISTED {
            return ControlFlow::Break(());
        }
        let to = to();
        match solver.grundy(&to, limits) {
            Ok(value) => listed.push((short_name(&to), value)),
            Err(_) => failed = true,
        }
        if failed {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if failed || count > 4 * OPTIONS_LISTED {
        return None;
    }
    if listed.is_empty() {
        return Some(Step::new("terminal"));
    }
    let values: std::collections::BTreeSet<u64> = listed.iter().map(|(_, value)| *value).collect();
    let mut pairs: Vec<Datum> = listed
        .iter()
        .take(OPTIONS_LISTED)
        .map(|(text, value)| Datum::Text(format!("{text} = {value}")))
        .collect();
    if listed.len() > OPTIONS_LISTED {
        pairs.push("...".into());
    }
    Some(
        Step::new("mex")
            .with("options", Datum::List(pairs))
            .with("values", values.into_iter().collect::<Vec<u64>>())
            .with("missing", value),
    )
}

fn misere(values: &[Vec<PartValue<Misere>>], steps: &mut Vec<Step>) {
    let all: Vec<&PartValue<Misere>> = values.iter().flatten().collect();
    let tame = |part: &&PartValue<Misere>| match part.value {
        Misere::Tame { grundy, fickle } => (grundy, fickle),
        Misere::Wild => (0, false),
    };
    let numbers: Vec<u64> = all.iter().map(|part| tame(part).0).collect();
    let firm = all.iter().filter(|part| !tame(part).1).count();
    let nim = all.iter().all(
        |part| matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == "bouton"),
    );
    if !nim {
        steps.push(
            Step::new("tame")
                .with("values", numbers.clone())
                .with("firm", firm),
        );
    }
    let sum = numbers.iter().fold(0, |sum, n| sum ^ n);
    if firm == 0 {
        let ones = numbers.iter().filter(|&&n| n == 1).count();
        let code = if ones % 2 == 1 {
            "misere_all_ones_odd"
        } else {
            "misere_all_ones_even"
        };
        steps.push(Step::new(code).with("ones", ones));
    } else {
        steps.push(
            Step::new("misere_exception")
                .with("large", firm)
                .with("sum", sum),
        );
        if all.len() > 1 {
            columns(&numbers, sum, steps);
            // The columns name moves of normal play; near the end misère play departs from them.
            if firm == 1 {
                steps.retain(|step| step.code != "reduce");
                steps.push(Step::new("misere_last_large"));
            }
        }
    }
}

/// The values of games that need not end, and how they add.
fn loopy(position: &Position, values: &[Vec<LoopyPart>], steps: &mut Vec<Step>) {
    steps.push(theorem_step(&SMITH_FRAENKEL));
    let values: Vec<&Loopy> = values.iter().flatten().map(|part| &part.value).collect();
    let parts: Vec<String> = position
        .terms
        .iter()
        .flat_map(|term| term.parts())
        .map(|part| part.text())
        .collect();
    let sum = values
        .iter()
        .fold(Loopy::Finite(0), |sum, value| sum.plus(value));
    if values.len() > 1 {
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        steps.push(
            Step::new("components")
                .with("parts", parts)
                .with("values", texts),
        );
    }
    let infinite = values
        .iter()
        .filter(|value| matches!(value, Loopy::Infinite(_)));
    let code = match (&sum, infinite.count()) {
        (Loopy::Finite(_), _) => "loopy_finite",
        (Loopy::Infinite(set), 1) if set.contains(&0) => "loopy_zero_in_set",
        (Loopy::Infinite(_), 1) => "loopy_zero_not_in_set",
        _ => "loopy_two_infinities",
    };
    steps.push(Step::new(code).with("sum", sum.to_string()));
}

fn conclusion(position: &Position, solution: &Solution, steps: &mut Vec<Step>) {
    let code = match solution.outcome {
        Outcome::N => "conclusion_n",
        Outcome::D => "conclusion_d",
        Outcome::P => {
            let stuck = position
                .moves(&mut |_, _, _| ControlFlow::Break(()))
                .is_continue();
            if stuck {
                "conclusion_no_move"
            } else {
                "conclusion_p"
            }
        }
    };
    steps.push(Step::new(code).with("moves", solution.winning_moves.len()));
}
