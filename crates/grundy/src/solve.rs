//! Solving positions: who wins, the value, and every winning move.
//!
//! One question goes through an ordered list of methods, and the first that applies answers it: a theorem about the outcome;
//! values of the parts, which add up; values of games that need not end; search over the sums of components; retrograde
//! analysis of everything that can be reached. Each says whether it applies by answering or declining.

mod loopy_sums;
pub mod reached;
pub(crate) mod search;
pub mod solution;
mod winning;

use std::ops::ControlFlow;
use std::sync::Arc;

use self::reached::Reached;
use self::search::Search;
use self::solution::lists_moves;
pub use self::solution::{
    Beginning, GameValue, Grounds, Repeats, Solution, Status, Wanted, WinningMove,
};
use self::winning::{Found, keeping_moves, part_values};
use crate::dyadic::Dyadic;
use crate::limits::{Limits, Stop, ended};
use crate::outcome::{Outcome, Play};
pub use crate::position::Choice;
use crate::position::{AnyTerm, Position, Valued};
use crate::rules::{Beginner, Ends, Moves, Theorem};
use crate::step::Move;
use crate::theory::{Misere, NormalPlay, TamePlay, Theory};
use crate::values::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL};
use crate::values::{PartValue, Tables};

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
    normal: Tables<NormalPlay>,
    misere: Tables<TamePlay>,
}

/// What a method is asked.
#[derive(Clone, Copy)]
struct Question<'a> {
    position: &'a Position,
    play: Play,
    wanted: Wanted,
    limits: &'a Limits<'a>,
}

/// A way to an answer. It declines a question that it does not apply to.
type Method = fn(&mut Solver, Question<'_>) -> Result<Option<Solution>, Stop>;

impl Solver {
    /// Winning moves beyond this number are counted out: the list ends and says so.
    pub const MOVES_LISTED: usize = winning::MOVES_LISTED;

    /// Positions after winning moves that hold more than this many bytes together are counted out likewise.
    pub const BYTES_LISTED: usize = winning::BYTES_LISTED;

    /// Work spent on the value of a position whose outcome a theorem has given already.
    const EXTRA_POSITIONS: u64 = 300_000;

    /// In the order in which they are asked.
    const METHODS: [Method; 6] = [
        Self::by_outcome_theorem,
        Self::by_normal_values,
        Self::by_tame_values,
        Self::by_loopy_values,
        |_, question| by_search(question),
        |_, question| by_retrograde_analysis(question),
    ];

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
    /// canonical component that can be reached otherwise. Games with own moves whose components are no numbers, and misère
    /// play beyond the tame, are exponential in their size: every sum of components that can be reached may be looked at.
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
        let question = Question {
            position,
            play,
            wanted,
            limits,
        };
        for method in Self::METHODS {
            match method(self, question) {
                Ok(Some(solution)) => return Ok(solution),
                // Positions come back, or values do not exist here: the next one knows how.
                Ok(None) | Err(Stop::Cyclic | Stop::NotImpartial) => {}
                Err(stop) => return Err(stop),
            }
        }
        Err(Stop::Cyclic)
    }

    /// The Sprague–Grundy value of a position in normal play.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] or [`Stop::NotImpartial`] where there may be none.
    pub fn grundy(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        let mut sum = 0;
        for term in position.terms() {
            for part in Valued::<NormalPlay>::values(&**term, &mut self.normal, limits)? {
                sum ^= part.value;
            }
        }
        Ok(sum)
    }

    /// The outcome for the player who begins, where it makes no difference which one that is or only one can; else for Left. No
    /// winning moves are looked for.
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

    fn by_outcome_theorem(&mut self, question: Question<'_>) -> Result<Option<Solution>, Stop> {
        let Question {
            position,
            play,
            wanted,
            limits,
        } = question;
        let Some(term) = position.only_term() else {
            return Ok(None);
        };
        let Some(known) = term.outcome(play) else {
            return Ok(None);
        };
        let mut solution = Solution {
            theorem: Some(known.theorem),
            ..Solution::of(position, known.value, known.theorem.method)
        };
        if wanted == Wanted::Outcome {
            return Ok(Some(solution));
        }
        if play == Play::Normal && solution.nature.is_impartial() {
            let extra = Limits {
                positions: limits.positions.min(Self::EXTRA_POSITIONS),
                ..*limits
            };
            // The value is a gift here; where it costs too much the outcome stands alone. That of P is 0.
            let grundy = match known.value {
                Outcome::P => Ok(0),
                _ => self.grundy(position, &extra),
            };
            solution.value = match grundy {
                Ok(value) => Some(GameValue::Nimber(value)),
                Err(stop @ (Stop::Interrupted | Stop::Rules(_))) => return Err(stop),
                Err(_) => None,
            };
        }
        if known.value == Outcome::N {
            let mut found = Found::new(position);
            let mut seen = 0;
            let mut keep = |name: &dyn Fn() -> Move, to: &dyn Fn() -> Arc<dyn AnyTerm>| {
                seen += 1;
                let mut looked = limits.check(seen, 0);
                if seen % 4096 == 0 {
                    looked = looked.and_then(|()| limits.poll());
                }
                let after = Position::from(to());
                match looked.and_then(|()| self.outcome(&after, play, limits)) {
                    Ok(Outcome::P) => found.push(0, name(), after, None),
                    Ok(_) => ControlFlow::Continue(()),
                    Err(stop) => ControlFlow::Break(stop.into()),
                }
            };
            let player = solution.beginnings[0].player;
            let flow = match term.moves_to_p(play, &mut keep) {
                Some(flow) => flow,
                None => term.moves(player, &mut keep),
            };
            found.finish(&mut solution, &ended(flow).map(|_| ()));
        }
        Ok(Some(solution))
    }

    fn by_normal_values(&mut self, question: Question<'_>) -> Result<Option<Solution>, Stop> {
        let Question {
            position, limits, ..
        } = question;
        if question.play == Play::Misere {
            return Ok(None);
        }
        if question.wanted == Wanted::Outcome
            && let Some(term) = position.only_term()
        {
            let outcome = Outcome::from_win(!term.is_zero(&mut self.normal, limits)?);
            return Ok(Some(Solution::of(position, outcome, "sprague-grundy")));
        }
        let values = part_values::<NormalPlay>(position, &mut self.normal, limits)?;
        let all = values.iter().flatten();
        let sum = all.fold(0, |sum, part| sum ^ part.value);
        let outcome = Outcome::from_win(sum != 0);
        let mut solution = Solution::from_values(position, outcome, &values);
        if solution.nature.is_impartial() {
            solution.value = Some(GameValue::Nimber(sum));
        }
        if question.wanted == Wanted::Moves && sum != 0 {
            let mut found = Found::new(position);
            let wanted = |part: &PartValue<u64>| vec![part.value ^ sum];
            let stop = found.collect::<NormalPlay>(&values, wanted, &mut self.normal, limits);
            found.finish(&mut solution, &stop);
        }
        solution.grounds = Grounds::Normal(values);
        Ok(Some(solution))
    }

    fn by_loopy_values(&mut self, question: Question<'_>) -> Result<Option<Solution>, Stop> {
        let Question {
            position, limits, ..
        } = question;
        if question.play == Play::Misere {
            return Ok(None);
        }
        let values = loopy_sums::parts(position, &mut self.normal, limits)?;
        let sum = sum_of(&values);
        let mut solution = Solution::of(position, sum.outcome(), SMITH_FRAENKEL.method);
        solution.theorem = Some(&SMITH_FRAENKEL);
        if solution.nature.is_impartial() {
            solution.value = Some(match sum {
                Loopy::Finite(value) => GameValue::Nimber(value),
                Loopy::Infinite(set) => GameValue::Infinity(set),
            });
        }
        if question.wanted == Wanted::Moves && solution.outcome() == Outcome::N {
            let mut staged = Vec::new();
            let mut found = Found::new(position);
            let keep =
                &mut |component, stage, name: &dyn Fn() -> Move, to: &dyn Fn() -> Position| {
                    staged.push(stage);
                    found.push(component, name(), to(), None)
                };
            let stop = loopy_sums::winning_moves(position, &values, &mut self.normal, limits, keep);
            // The first move listed makes progress: whoever always plays it wins in the end.
            let mut staged: Vec<_> = staged
                .into_iter()
                .zip(std::mem::take(&mut found.moves))
                .collect();
            staged.sort_by_key(|(stage, _)| *stage);
            found.moves = staged.into_iter().map(|(_, mv)| mv).collect();
            found.finish(&mut solution, &stop);
        }
        solution.grounds = Grounds::Loopy(values);
        Ok(Some(solution))
    }

    fn by_tame_values(&mut self, question: Question<'_>) -> Result<Option<Solution>, Stop> {
        let Question {
            position, limits, ..
        } = question;
        if question.play == Play::Normal {
            return Ok(None);
        }
        let values = part_values::<TamePlay>(position, &mut self.misere, limits)?;
        let sum_of = |values: &mut dyn Iterator<Item = Misere>| {
            values.fold(TamePlay::TERMINAL, TamePlay::add)
        };
        let sum = sum_of(&mut values.iter().flatten().map(|part| part.value));
        let Some(nim_value) = sum.misere_nim_value() else {
            return Ok(None);
        };
        let outcome = Outcome::from_win(nim_value != 0);
        let mut solution = Solution::from_values(position, outcome, &values);
        if solution.method == "sprague-grundy" {
            solution.method = "tame";
        }
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
        if question.wanted == Wanted::Moves && nim_value != 0 && total != 0 {
            let mut found = Found::new(position);
            let stop = found.collect::<TamePlay>(&values, wanted, &mut self.misere, limits);
            found.finish(&mut solution, &stop);
        }
        solution.grounds = Grounds::Misere(values);
        Ok(Some(solution))
    }

    /// Moves left when the winner hurries and the loser delays, for each player who may begin; nothing for a draw.
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

/// By search over sums of components. Declines where the players have the same moves and the last one decides: there retrograde analysis of the whole sum tells
/// more for the same work.
fn by_search(question: Question<'_>) -> Result<Option<Solution>, Stop> {
    let Question {
        position,
        play,
        wanted,
        limits,
    } = question;
    let nature = position.nature();
    let one_turn = matches!(nature.beginner, Beginner::Fixed(_));
    if nature.ends == Ends::LastMove && (nature.moves == Moves::Same || one_turn) {
        return Ok(None);
    }
    let mut search = Search::new(position, play, limits);
    let start = search.sum(position);
    let mut worths = Vec::new();
    for &player in nature.beginners() {
        worths.push((player, search.worth(start.clone(), player)?));
    }
    let mut solution = Solution::of_beginnings(
        position,
        worths.iter().map(|&(player, worth)| (player, worth.into())),
        match nature.ends {
            Ends::LastMove => "search",
            Ends::Payoff => "backward induction",
        },
    );
    if play == Play::Normal
        && let Some((value, theorem)) = number(position)
    {
        solution.value = Some(GameValue::Number(value));
        if let Some(theorem) = theorem {
            solution.method = theorem.method;
            solution.theorem = Some(theorem);
        }
    }
    solution.grounds = Grounds::Search;
    if wanted == Wanted::Moves {
        for (beginning, &(player, worth)) in solution.beginnings.iter_mut().zip(&worths) {
            if !lists_moves(nature, worth) {
                continue;
            }
            let complete = keeping_moves(position, player, worth, &mut search, beginning)?;
            solution.moves_complete &= complete;
        }
        if !solution.moves_complete {
            solution.status = Status::Partial;
        }
    }
    Ok(Some(solution))
}

/// By labels of everything that can be reached: the last resort, which always applies.
fn by_retrograde_analysis(question: Question<'_>) -> Result<Option<Solution>, Stop> {
    let Question {
        position,
        play,
        limits,
        ..
    } = question;
    let reached = Arc::new(Reached::new(position, play, limits)?);
    Solution::from_labels(position, &reached, question.wanted, limits)
}

/// The sum of the numbers that theorems say the terms are, and the theorem of the first.
fn number(position: &Position) -> Option<(Dyadic, Option<&'static Theorem>)> {
    let terms = position.terms().iter();
    let known: Option<Vec<_>> = terms.map(|term| term.number()).collect();
    let known = known?;
    let mut values = known.iter();
    let value = values.try_fold(Dyadic::ZERO, |sum, known| sum.plus(known.value))?;
    Some((value, known.first().map(|known| known.theorem)))
}

/// The value of the whole sum.
fn sum_of(values: &[Vec<LoopyPart>]) -> Loopy {
    let parts = values.iter().flatten();
    parts.fold(Loopy::Finite(0), |sum, part| sum.plus(&part.value))
}
