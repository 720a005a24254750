//! Solving positions: who wins, the value, and every winning move.
//!
//! In normal play each part has a Sprague–Grundy value and the sum has their nim-sum; a move wins when it gives a
//! part the value that makes the nim-sum 0. In misère play the same is done with tame values where all parts are
//! tame; otherwise the whole sum is searched. A single part whose outcome a theorem gives needs no value at all.

mod by_outcomes;
pub(crate) mod interned;
pub mod loopy;
pub mod search;
pub mod slider;
pub mod solvable;
mod table;
pub mod tables;
pub mod universe;

use std::ops::ControlFlow;

use self::loopy::{Loopy, LoopyPart};
use crate::heap::Progression;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::position::{AnyTerm, Position, Valued, VisitTerm};
use crate::ruleset::Theorem;
use crate::step::Move;
use crate::theory::{Misere, NormalPlay, TamePlay, Theory};
use tables::{Evidence, PartValue, Tables};

/// How certain an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Computed in full or given by a theorem.
    Exact,
    /// Follows from a period that was proved on the way.
    Proved,
    /// A limit ended the work before everything was known.
    Partial,
}

impl Status {
    /// The name used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Proved => "proved",
            Self::Partial => "partial",
        }
    }
}

/// A winning move.
#[derive(Clone, Debug)]
pub struct WinningMove {
    /// The term moved in.
    pub component: usize,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub to: Position,
    /// Where it stands for several: the same with so many chips more in the first heap left and fewer in the second.
    pub repeats: Option<Repeats>,
}

/// How a move on a heap goes on, in arithmetic progression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The distance from one to the next.
    pub step: u64,
    /// How many moves there are, the first one counted.
    pub count: u64,
}

/// The answer to "who wins, with what value, by which moves".
#[derive(Clone, Debug)]
pub struct Solution {
    /// Who wins.
    pub outcome: Outcome,
    /// The Sprague–Grundy value, in normal play of an impartial game, when it was computed.
    pub grundy: Option<u64>,
    /// The set K when the Smith–Fraenkel value is infinite: the finite values among the options, in order.
    pub infinity: Option<Vec<u64>>,
    /// Moves left with best play, `None` inside for a draw; outside when it was not asked for.
    pub remoteness: Option<Option<u32>>,
    /// How certain the answer is.
    pub status: Status,
    /// The usual name of what gave the answer.
    pub method: &'static str,
    /// The theorem, where the answer is one theorem's.
    pub theorem: Option<&'static Theorem>,
    /// The winning moves.
    pub winning_moves: Vec<WinningMove>,
    /// Whether `winning_moves` holds them all: more than [`Solver::MOVES_LISTED`] are not listed.
    pub moves_complete: bool,
    /// The values of the parts of each term, when the answer comes from values.
    pub values: Values,
}

/// Values of parts, by term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// The answer needed none.
    #[default]
    None,
    /// Sprague–Grundy values.
    Normal(Vec<Vec<PartValue<u64>>>),
    /// Tame misère values.
    Misere(Vec<Vec<PartValue<Misere>>>),
    /// Smith–Fraenkel values.
    Loopy(Vec<Vec<LoopyPart>>),
}

/// Solves positions and remembers the values of their parts.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Outcome, Play, Position, Solver, Term};
/// let position = Position::from(Term::new(Nim, vec![3, 4, 5]));
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.outcome, Outcome::N);
/// assert_eq!(solution.grundy, Some(2));
/// assert_eq!(solution.winning_moves[0].to.to_string(), "nim(1, 4, 5)");
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    normal: Tables<NormalPlay>,
    misere: Tables<TamePlay>,
}

impl Solver {
    /// Winning moves beyond this number are counted out: the list ends and says so.
    pub const MOVES_LISTED: usize = 10_000;

    /// Positions after winning moves that hold more than this many bytes together are counted out likewise.
    pub const BYTES_LISTED: usize = 64 << 20;

    /// Work spent on the value of a position whose outcome a theorem has given already.
    const EXTRA_POSITIONS: u64 = 300_000;

    /// The sequence tables in normal play, for periods and tables of values.
    pub fn normal(&mut self) -> &mut Tables<NormalPlay> {
        &mut self.normal
    }

    /// The sequence tables in misère play.
    pub fn misere(&mut self) -> &mut Tables<TamePlay> {
        &mut self.misere
    }

    /// Who wins, the value and every winning move.
    ///
    /// # Complexity
    /// That of the hardest part: nothing for a theorem, one pass for heap sequences, one visit to every
    /// canonical component that can be reached otherwise.
    ///
    /// # Errors
    /// The limit that was reached before the outcome was known.
    pub fn solve(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        if let Some(solution) = self.by_outcome_theorem(position, play, limits) {
            return solution;
        }
        let by_values = match play {
            Play::Normal => self.by_normal_values(position, limits).map(Some),
            Play::Misere => self.by_tame_values(position, limits),
        };
        let by_values = match by_values {
            Err(Stop::Cyclic) if play == Play::Normal => {
                self.by_loopy_values(position, limits).map(Some)
            }
            other => other,
        };
        match by_values {
            Ok(Some(solution)) => Ok(solution),
            // Wild parts, or positions that come back: no theory of values helps.
            Ok(None) | Err(Stop::Cyclic) => Self::by_search(position, play, limits),
            Err(stop) => Err(stop),
        }
    }

    /// The Sprague–Grundy value of a position in normal play.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn grundy(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        let mut sum = 0;
        for term in &position.terms {
            for part in Valued::<NormalPlay>::values(&**term, &mut self.normal, limits)? {
                sum ^= part.value;
            }
        }
        Ok(sum)
    }

    /// The outcome alone: no winning moves are looked for.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn outcome(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Stop> {
        if let [term] = &position.terms[..]
            && let Some(known) = term.outcome(play)
        {
            return Ok(known.value);
        }
        if play == Play::Normal {
            return match self.grundy(position, limits) {
                Ok(value) => Ok(Outcome::from_win(value != 0)),
                Err(Stop::Cyclic) => match loopy::parts(position, &mut self.normal, limits) {
                    Ok(parts) => Ok(sum_of(&parts).outcome()),
                    Err(Stop::Cyclic) => Ok(search::label(position, play, limits)?.outcome),
                    Err(stop) => Err(stop),
                },
                Err(stop) => Err(stop),
            };
        }
        let sum = part_values::<TamePlay>(position, &mut self.misere, limits).map(|values| {
            values
                .iter()
                .flatten()
                .map(|part| part.value)
                .fold(TamePlay::TERMINAL, TamePlay::add)
        });
        match sum.map(Misere::misere_nim_value) {
            Ok(Some(value)) => Ok(Outcome::from_win(value != 0)),
            Ok(None) | Err(Stop::Cyclic) => Ok(search::label(position, play, limits)?.outcome),
            Err(stop) => Err(stop),
        }
    }

    fn by_outcome_theorem(
        &mut self,
        position: &Position,
        play: Play,
        limits: &Limits<'_>,
    ) -> Option<Result<Solution, Stop>> {
        let [term] = &position.terms[..] else {
            return None;
        };
        let known = term.outcome(play)?;
        let mut solution = Solution {
            outcome: known.value,
            theorem: Some(known.theorem),
            ..Solution::by_method(known.theorem.method)
        };
        if play == Play::Normal && term.impartial() {
            let extra = Limits {
                positions: limits.positions.min(Self::EXTRA_POSITIONS),
                ..*limits
            };
            // The value is a gift here; where it costs too much the outcome stands alone. That of P is 0.
            solution.grundy = match known.value {
                Outcome::P => Some(0),
                _ => self.grundy(position, &extra).ok(),
            };
        }
        if known.value == Outcome::N {
            let mut stop = Ok(());
            let mut found = Found::new(position);
            let mut seen = 0;
            let mut keep = |name: &dyn Fn() -> Move, to: &dyn Fn() -> _| {
                seen += 1;
                stop = limits.check(seen, 0).and_then(|()| {
                    if seen % 4096 == 0 {
                        limits.poll()
                    } else {
                        Ok(())
                    }
                });
                if stop.is_err() {
                    return ControlFlow::Break(());
                }
                let to: std::sync::Arc<dyn AnyTerm> = to();
                let after = Position::from(to);
                match self.outcome(&after, play, limits) {
                    Ok(Outcome::P) => found.push(0, name(), after, None),
                    Ok(_) => ControlFlow::Continue(()),
                    Err(error) => {
                        stop = Err(error);
                        ControlFlow::Break(())
                    }
                }
            };
            if term.moves_to_p(play, &mut keep).is_none() {
                let _ = term.moves(&mut keep);
            }
            found.finish(&mut solution, stop);
        }
        Some(Ok(solution))
    }

    fn by_normal_values(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        let values = part_values::<NormalPlay>(position, &mut self.normal, limits)?;
        let sum = values
            .iter()
            .flatten()
            .fold(0, |sum, part| sum ^ part.value);
        let impartial = position.terms.iter().all(|term| term.impartial());
        let mut solution = Solution {
            outcome: Outcome::from_win(sum != 0),
            grundy: impartial.then_some(sum),
            ..Solution::from_values(position, &values)
        };
        let mut found = Found::new(position);
        let wanted = |part: &PartValue<u64>| vec![part.value ^ sum];
        let stop = if sum == 0 {
            Ok(())
        } else {
            found.collect::<NormalPlay>(&values, wanted, &mut self.normal, limits)
        };
        found.finish(&mut solution, stop);
        solution.values = Values::Normal(values);
        Ok(solution)
    }

    fn by_loopy_values(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<Solution, Stop> {
        let values = loopy::parts(position, &mut self.normal, limits)?;
        let sum = sum_of(&values);
        let (grundy, infinity) = match &sum {
            Loopy::Finite(value) => (Some(*value), None),
            Loopy::Infinite(set) => (None, Some(set.clone())),
        };
        let mut solution = Solution {
            outcome: sum.outcome(),
            grundy,
            infinity,
            ..Solution::by_method("smith-fraenkel")
        };
        let mut staged = Vec::new();
        let mut found = Found::new(position);
        let stop = if solution.outcome == Outcome::N {
            let keep =
                &mut |component, stage, name: &dyn Fn() -> Move, to: &dyn Fn() -> Position| {
                    staged.push(stage);
                    found.push(component, name(), to(), None)
                };
            loopy::winning_moves(position, &values, &mut self.normal, limits, keep)
        } else {
            Ok(())
        };
        // The first move listed makes progress: whoever always plays it wins in the end.
        let mut staged: Vec<_> = staged
            .into_iter()
            .zip(std::mem::take(&mut found.moves))
            .collect();
        staged.sort_by_key(|(stage, _)| *stage);
        found.moves = staged.into_iter().map(|(_, mv)| mv).collect();
        found.finish(&mut solution, stop);
        solution.values = Values::Loopy(values);
        Ok(solution)
    }

    fn by_tame_values(
        &mut self,
        position: &Position,
        limits: &Limits<'_>,
    ) -> Result<Option<Solution>, Stop> {
        let values = part_values::<TamePlay>(position, &mut self.misere, limits)?;
        let sum_of = |values: &mut dyn Iterator<Item = Misere>| {
            values.fold(TamePlay::TERMINAL, TamePlay::add)
        };
        let sum = sum_of(&mut values.iter().flatten().map(|part| part.value));
        let Some(nim_value) = sum.misere_nim_value() else {
            return Ok(None);
        };
        let mut solution = Solution {
            outcome: Outcome::from_win(nim_value != 0),
            ..Solution::from_values(position, &values)
        };
        if solution.method == "sprague-grundy" {
            solution.method = "tame";
        }
        let mut found = Found::new(position);
        // A part may become any value that makes the misère nim-value of the whole 0.
        let total = values.iter().flatten().count();
        let firm =
            |part: &PartValue<Misere>| matches!(part.value, Misere::Tame { fickle: false, .. });
        let all_firm = values.iter().flatten().filter(|part| firm(part)).count();
        let grundy = |value: Misere| match value {
            Misere::Tame { grundy, .. } => grundy,
            Misere::Wild => 0,
        };
        let wanted = |part: &PartValue<Misere>| {
            let others = grundy(sum) ^ grundy(part.value);
            let firm_others = all_firm - usize::from(firm(part));
            let mut wanted = vec![Misere::Tame {
                grundy: others,
                fickle: false,
            }];
            if firm_others > 0 {
                if others <= 1 {
                    wanted.push(Misere::Tame {
                        grundy: others,
                        fickle: true,
                    });
                }
            } else if others <= 1 {
                wanted.push(Misere::Tame {
                    grundy: 1 - others,
                    fickle: true,
                });
            }
            wanted
        };
        let stop = if nim_value == 0 || total == 0 {
            Ok(())
        } else {
            found.collect::<TamePlay>(&values, wanted, &mut self.misere, limits)
        };
        found.finish(&mut solution, stop);
        solution.values = Values::Misere(values);
        Ok(Some(solution))
    }

    fn by_search(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Solution, Stop> {
        let mut searched = search::Searched::from(position, play, limits)?;
        let label = searched.label(position).ok_or(Stop::Cyclic)?;
        let mut solution = Solution {
            outcome: label.outcome,
            remoteness: Some(label.remoteness),
            ..Solution::by_method("search")
        };
        let mut found = Found::new(position);
        if label.outcome == Outcome::N {
            let _ = position.moves(&mut |component, name, to| {
                let after = to();
                match searched.label(&after) {
                    Some(label) if label.outcome == Outcome::P => {
                        found.push(component, name(), after, None)
                    }
                    _ => ControlFlow::Continue(()),
                }
            });
        }
        found.finish(&mut solution, Ok(()));
        Ok(solution)
    }
}

/// The value of the whole sum.
fn sum_of(values: &[Vec<LoopyPart>]) -> Loopy {
    let parts = values.iter().flatten();
    parts.fold(Loopy::Finite(0), |sum, part| sum.plus(&part.value))
}

impl Solution {
    /// An exact answer by `method`, of which nothing else is known yet.
    fn by_method(method: &'static str) -> Self {
        Self {
            outcome: Outcome::P,
            grundy: None,
            infinity: None,
            remoteness: None,
            status: Status::Exact,
            method,
            theorem: None,
            winning_moves: Vec::new(),
            moves_complete: true,
            values: Values::None,
        }
    }

    /// Status, method and theorem of an answer that comes from the values of parts.
    fn from_values<V>(position: &Position, values: &[Vec<PartValue<V>>]) -> Self {
        let evidence = || values.iter().flatten().map(|part| &part.evidence);
        let proved = evidence().any(|e| matches!(e, Evidence::Period { beyond: true, .. }));
        let mut theorem = None;
        let method = if position.terms.len() == 1 {
            match evidence().next() {
                Some(Evidence::Theorem(known)) => {
                    theorem = Some(*known);
                    known.method
                }
                Some(Evidence::Period { .. }) => "periodicity",
                Some(Evidence::Recurrence) => "recurrence",
                Some(Evidence::Search) => "mex",
                None => "sprague-grundy",
            }
        } else {
            "sprague-grundy"
        };
        Self {
            status: if proved {
                Status::Proved
            } else {
                Status::Exact
            },
            theorem,
            ..Self::by_method(method)
        }
    }
}

fn part_values<T: solvable::Solvable>(
    position: &Position,
    tables: &mut Tables<T>,
    limits: &Limits<'_>,
) -> Result<Vec<Vec<PartValue<T::Value>>>, Stop>
where
    dyn AnyTerm: Valued<T>,
{
    position
        .terms
        .iter()
        .map(|term| Valued::<T>::values(&**term, tables, limits))
        .collect()
}

/// Winning moves as they are found.
struct Found<'a> {
    position: &'a Position,
    moves: Vec<WinningMove>,
    /// Bytes that the positions listed hold in memory.
    held: usize,
    complete: bool,
}

impl<'a> Found<'a> {
    fn new(position: &'a Position) -> Self {
        Self {
            position,
            moves: Vec::new(),
            held: 0,
            complete: true,
        }
    }

    fn push(
        &mut self,
        component: usize,
        mv: Move,
        to: Position,
        repeats: Option<Repeats>,
    ) -> ControlFlow<()> {
        self.held += to.terms.iter().map(|term| term.held()).sum::<usize>();
        if self.moves.len() == Solver::MOVES_LISTED || self.held > Solver::BYTES_LISTED {
            self.complete = false;
            return ControlFlow::Break(());
        }
        self.moves.push(WinningMove {
            component,
            mv,
            to,
            repeats,
        });
        ControlFlow::Continue(())
    }

    /// The moves that give some part one of the values wanted of it.
    fn collect<T: solvable::Solvable>(
        &mut self,
        values: &[Vec<PartValue<T::Value>>],
        wanted: impl Fn(&PartValue<T::Value>) -> Vec<T::Value>,
        tables: &mut Tables<T>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>
    where
        dyn AnyTerm: Valued<T>,
    {
        for (component, (term, parts)) in self.position.terms.iter().zip(values).enumerate() {
            for (index, part) in parts.iter().enumerate() {
                let position = self.position;
                let wanted = wanted(part);
                let found =
                    Valued::<T>::progressions_with(&**term, index, &wanted, tables, limits)?;
                if let Some(found) = found {
                    for (mv, to, Progression { step, count, .. }) in found {
                        let repeats = (count > 1).then_some(Repeats { step, count });
                        let to = position.after(component, to);
                        if self.push(component, mv, to, repeats).is_break() {
                            return Ok(());
                        }
                    }
                    continue;
                }
                let visit: VisitTerm<'_> = &mut |name, to| {
                    self.push(component, name(), position.after(component, to()), None)
                };
                Valued::<T>::moves_with(&**term, index, &wanted, tables, limits, visit)?;
                if !self.complete {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn finish(self, solution: &mut Solution, stop: Result<(), Stop>) {
        if stop.is_err() {
            solution.status = Status::Partial;
        }
        solution.moves_complete = self.complete && stop.is_ok();
        solution.winning_moves = self.moves;
    }
}
