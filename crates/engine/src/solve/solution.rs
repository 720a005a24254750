//! The answer to "who wins, with what value, by which moves".

use std::ops::ControlFlow;
use std::sync::Arc;

use super::game_value::GameValue;
use super::known::KnowsLabels;
use super::reached::Reached;
use crate::position::Position;
use crate::rules::{Ends, Nature, Theorem};
use crate::values::loopy::LoopyPart;
use crate::values::{Evidence, PartValue};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Halt, Limits, Stop, ended};
use grundy_base::outcome::{Outcome, Worth};
use grundy_base::player::{OutcomeClass, Player};
use grundy_base::step::Move;
use grundy_base::verdict::Verdict;
use grundy_heap::algebra::Misere;

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
    /// Returns the name used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Proved => "proved",
            Self::Partial => "partial",
        }
    }
}

/// A winning move; in a game that can end in a tie, a move that keeps what the position is worth.
#[derive(Clone, Debug)]
pub struct WinningMove {
    /// The term moved in.
    pub component: usize,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub to: Position,
    /// Where it stands for several: the same with so many chips more in the first heap left and
    /// fewer in the second.
    pub repeats: Option<Repeats>,
}

impl WinningMove {
    /// Returns a move that stands for itself.
    #[must_use]
    pub fn new(component: usize, mv: Move, to: Position) -> Self {
        Self {
            component,
            mv,
            to,
            repeats: None,
        }
    }

    /// How many moves it stands for.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.repeats.map_or(1, |repeats| repeats.count)
    }

    /// Returns the position after the move `number`, from 0 on, of those that it stands for, when
    /// it is made in `position`.
    #[must_use]
    pub fn after(&self, number: u64, position: &Position) -> Option<Position> {
        let (Some(Repeats { step, count }), 1..) = (self.repeats, number) else {
            return (number == 0).then(|| self.to.clone());
        };
        let (&heap, left) = self.mv.at.split_first().filter(|_| number < count)?;
        let mut left = left.to_vec();
        *left.first_mut()? += number * step;
        if let Some(second) = left.get_mut(1) {
            *second -= number * step;
        }
        let (_, term) = position.terms()[self.component].leave(heap as usize, &left)?;
        Some(position.after(self.component, term))
    }

    /// Which of the moves that it stands for, when it is made in `position`, could lead to `to`: no
    /// other does.
    #[must_use]
    pub fn leading_to(&self, to: &Position) -> Option<u64> {
        let Some(Repeats { step, count }) = self.repeats else {
            return Some(0);
        };
        let &[heap, first, ..] = &self.mv.at[..] else {
            return None;
        };
        let term = to.terms().get(self.component)?;
        let heap = Some(heap as usize).filter(|&heap| heap < term.part_count())?;
        let part = term.some_parts(heap..heap + 1);
        let (_, size) = part.heap_rules()?;
        let further = size.checked_sub(first)?;
        (further.is_multiple_of(step) && further / step < count).then(|| further / step)
    }
}

/// How a move on a heap goes on, in arithmetic progression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The distance from one to the next.
    pub step: u64,
    /// How many moves there are, the first one counted.
    pub count: u64,
}

/// What comes of it when one player begins.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// Who begins.
    pub player: Player,
    /// Who wins: N is the one who begins.
    pub outcome: Outcome,
    /// Moves left with best play, `None` inside for a draw; outside when it was not worked out.
    pub remoteness: Option<Option<u32>>,
    /// The winning moves.
    pub moves: Vec<WinningMove>,
}

impl Beginning {
    /// What comes of it, and no more.
    #[must_use]
    pub fn new(player: Player, outcome: Outcome) -> Self {
        Self {
            player,
            outcome,
            remoteness: None,
            moves: Vec::new(),
        }
    }
}

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// Who wins.
    Outcome,
    /// Who wins, and the value where there is one.
    Value,
    /// Who wins, the value, and every winning move.
    #[default]
    Moves,
}

/// The answer to "who wins, with what value, by which moves".
#[derive(Clone, Debug)]
pub struct Solution {
    /// What kind of game it is.
    pub nature: Nature,
    /// What comes of it for each player who may begin; one entry where that makes no difference.
    pub beginnings: Vec<Beginning>,
    /// The value, where it was found.
    pub value: Option<GameValue>,
    /// How certain the answer is.
    pub status: Status,
    /// The usual name of what gave the answer.
    pub method: &'static str,
    /// The theorem, where the answer is one theorem's.
    pub theorem: Option<&'static Theorem>,
    /// How much of it was wanted: where moves were not, none are listed.
    pub wanted: Wanted,
    /// `true` if the lists hold all winning moves: more than
    /// [`Solver::MOVES_LISTED`](crate::Solver::MOVES_LISTED) are not listed.
    pub moves_complete: bool,
    /// What the answer rests on.
    pub grounds: Grounds,
}

/// What an answer rests on.
#[derive(Clone, Debug, Default)]
pub enum Grounds {
    /// A theorem about the outcome.
    #[default]
    Theorem,
    /// Sprague–Grundy values of the parts of each term.
    Normal(Vec<Vec<PartValue<u64>>>),
    /// Tame misère values of the parts of each term.
    Misere(Vec<Vec<PartValue<Misere>>>),
    /// Elements of a misère quotient, of the parts of each term.
    Quotient(Vec<Vec<PartValue<u32>>>),
    /// Smith–Fraenkel values of the parts of each term.
    Loopy(Vec<Vec<PartValue<LoopyPart>>>),
    /// A search over sums of components.
    Search,
    /// Labels of everything that can be reached.
    Labels(Arc<Reached>),
    /// A table of the whole game.
    Table,
}

impl Solution {
    /// Returns an exact answer by `method`, for the one beginning there is; nothing else is known
    /// yet.
    pub(super) fn of(position: &Position, outcome: Outcome, method: &'static str) -> Self {
        let player = position.first_player();
        Self::of_beginnings(position, [(player, outcome)].into_iter(), method)
    }

    /// Returns an exact answer by `method`.
    pub(super) fn of_beginnings(
        position: &Position,
        outcomes: impl Iterator<Item = (Player, Outcome)>,
        method: &'static str,
    ) -> Self {
        Self {
            nature: position.nature(),
            beginnings: outcomes
                .map(|(player, outcome)| Beginning::new(player, outcome))
                .collect(),
            value: None,
            status: Status::Exact,
            method,
            theorem: None,
            wanted: Wanted::Moves,
            moves_complete: true,
            grounds: Grounds::Theorem,
        }
    }

    /// Status, method and theorem of an answer that comes from the values of parts, which in a sum
    /// is `theory`'s.
    pub(super) fn from_values<V>(
        position: &Position,
        outcome: Outcome,
        values: &[Vec<PartValue<V>>],
        theory: &'static str,
    ) -> Self {
        let evidence = || values.iter().flatten().map(|part| &part.evidence);
        let proved = evidence().any(|e| matches!(e, Evidence::Period { beyond: true, .. }));
        let mut theorem = None;
        let method = if position.terms().len() == 1 {
            match evidence().next() {
                Some(Evidence::Theorem(known)) => {
                    theorem = Some(*known);
                    known.method
                }
                Some(Evidence::Period { .. }) => "periodicity",
                Some(Evidence::Recurrence) => "recurrence",
                Some(Evidence::Search) => "mex",
                None => theory,
            }
        } else {
            theory
        };
        Self {
            status: if proved {
                Status::Proved
            } else {
                Status::Exact
            },
            theorem,
            ..Self::of(position, outcome, method)
        }
    }

    /// Returns the answer for a position that labels have been found for; nothing where it is not
    /// among them.
    ///
    /// # Errors
    /// What interrupted it, or rules that have no answer.
    pub fn from_labels(
        position: &Position,
        reached: &Arc<Reached>,
        wanted: Wanted,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let method = if reached.comes_back() {
            "retrograde analysis"
        } else {
            "search"
        };
        let told = Self::told(position, &**reached, wanted, method, limits)?;
        Ok(told.map(|told| Self {
            grounds: Grounds::Labels(Arc::clone(reached)),
            ..told
        }))
    }

    /// Returns the answer of a table of the whole game; nothing where the position is not in it.
    ///
    /// # Errors
    /// What interrupted it, rules that have no answer, or a table that cannot be read.
    pub fn from_table(
        position: &Position,
        table: &dyn KnowsLabels,
        wanted: Wanted,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let told = Self::told(position, table, wanted, "tablebase", limits)?;
        let Some(told) = told else {
            return Ok(None);
        };
        Ok(Some(Self {
            value: table.value_of(position)?,
            grounds: Grounds::Table,
            ..told
        }))
    }

    /// What labels say of a position, and of all one move away where moves are wanted.
    fn told(
        position: &Position,
        known: &dyn KnowsLabels,
        wanted: Wanted,
        method: &'static str,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let nature = position.nature();
        let mut beginnings = Vec::new();
        for &player in nature.beginners() {
            let Some(label) = known.label_of(position, player)? else {
                return Ok(None);
            };
            let mut beginning = Beginning::new(player, label.outcome);
            // Where it costs nothing more it is said.
            let one = nature.ends == Ends::LastMove && nature.beginners().len() == 1;
            beginning.remoteness = one.then_some(label.remoteness);
            if wanted == Wanted::Moves && lists_moves(nature, label.outcome.into()) {
                let worth = Worth::from(label.outcome);
                let missing = ended(position.moves(player, &mut |component, name, to| {
                    if let Err(stop) = limits.poll() {
                        return ControlFlow::Break(stop.into());
                    }
                    let to = to();
                    let after = match known.label_of(&to, player.other()) {
                        Ok(Some(after)) => after,
                        Ok(None) => return ControlFlow::Break(Halt::Enough),
                        Err(stop) => return ControlFlow::Break(stop.into()),
                    };
                    if Worth::from(after.outcome).reversed() == worth {
                        let mv = name();
                        beginning.moves.push(WinningMove::new(component, mv, to));
                    }
                    ControlFlow::Continue(())
                }))?;
                if missing {
                    return Ok(None);
                }
            }
            beginnings.push(beginning);
        }
        Ok(Some(Self {
            beginnings,
            ..Self::of_beginnings(position, std::iter::empty(), method)
        }))
    }

    /// Who wins when the first player who may begin does: N is the one who begins.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.beginnings[0].outcome
    }

    /// Who wins, over both beginnings; where only one player may begin, as if it were so for both.
    #[must_use]
    pub fn class(&self) -> OutcomeClass {
        let last = self.beginnings.len() - 1;
        OutcomeClass::from_outcomes([self.beginnings[0].outcome, self.beginnings[last].outcome])
    }

    /// Returns whether two players may begin, so that an answer is one for each.
    #[must_use]
    pub fn by_beginner(&self) -> bool {
        self.beginnings.len() == 2
    }

    /// Returns the beginning of `player`, or the one there is.
    #[must_use]
    pub fn beginning(&self, player: Player) -> &Beginning {
        let found = self.beginnings.iter().find(|one| one.player == player);
        found.unwrap_or(&self.beginnings[0])
    }

    /// Returns the winning moves of the first player who may begin.
    #[must_use]
    pub fn winning_moves(&self) -> &[WinningMove] {
        &self.beginnings[0].moves
    }

    /// Returns the Sprague–Grundy value, in normal play of an impartial game, when it was computed.
    #[must_use]
    pub fn grundy(&self) -> Option<u64> {
        match self.value {
            Some(GameValue::Nimber(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the set K when the Smith–Fraenkel value is infinite.
    #[must_use]
    pub fn infinity(&self) -> Option<&[u64]> {
        match &self.value {
            Some(GameValue::Infinity(set)) => Some(set),
            _ => None,
        }
    }

    /// Returns the value, where theorems give it as a number.
    #[must_use]
    pub fn number(&self) -> Option<&Dyadic> {
        match &self.value {
            Some(GameValue::Short { number, .. }) => number.as_ref(),
            _ => None,
        }
    }

    /// Who wins: N, P or D; the outcome class where either player may begin and that makes a
    /// difference; win, tie or lose for the player to move where the end decides.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let outcomes: Vec<Outcome> = self.beginnings.iter().map(|one| one.outcome).collect();
        Verdict::of(self.nature.ends == Ends::Payoff, &outcomes)
    }
}

/// Returns whether moves are listed that keep what a position is worth: those that win, and where
/// there are ties those that keep one.
pub(super) fn lists_moves(nature: Nature, worth: Worth) -> bool {
    worth == Worth::Win || nature.ends == Ends::Payoff
}
