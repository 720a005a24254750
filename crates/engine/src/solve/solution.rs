//! The solution of a position: its outcome, value and winning moves.

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

/// The certainty of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Computed completely, or given by a theorem.
    Exact,
    /// Follows from a period that was proved during the computation.
    Proved,
    /// Incomplete, because a limit was reached.
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

/// A winning move. In a game that can end in a tie, it is a move that keeps the result.
#[derive(Clone, Debug)]
pub struct WinningMove {
    /// The index of the term in which the move is made.
    pub component: usize,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub to: Position,
    /// If this entry represents several moves in a heap, their arithmetic progression. With each
    /// further move the first heap that is left is larger, and the second is smaller.
    pub repeats: Option<Repeats>,
}

impl WinningMove {
    /// Creates an entry that represents a single move.
    #[must_use]
    pub fn new(component: usize, mv: Move, to: Position) -> Self {
        Self {
            component,
            mv,
            to,
            repeats: None,
        }
    }

    /// Returns the number of moves that this entry represents.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.repeats.map_or(1, |repeats| repeats.count)
    }

    /// Returns the position after one of the moves that this entry represents, made in `position`.
    /// `number` is the index of the move, counted from 0.
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

    /// Returns the index of the only move of this entry that can lead to the position `to`.
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
        // The size of the first heap that is left determines the move.
        let further = size.checked_sub(first)?;
        (further.is_multiple_of(step) && further / step < count).then(|| further / step)
    }
}

/// An arithmetic progression of moves in a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The difference of the sizes of the first heap left, for two successive moves.
    pub step: u64,
    /// The number of moves, including the first one.
    pub count: u64,
}

/// The result of a position if a given player moves first.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// The player who moves first.
    pub player: Player,
    /// The outcome for that player. N means that the player wins.
    pub outcome: Outcome,
    /// The number of moves with best play, where the inner `None` stands for a draw. The outer
    /// `None` means that it was not computed.
    pub remoteness: Option<Option<u32>>,
    /// The winning moves.
    pub moves: Vec<WinningMove>,
}

impl Beginning {
    /// Creates a result that contains only the outcome.
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

/// The amount of information that an answer should contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// The outcome.
    Outcome,
    /// The outcome, and the value if there is one.
    Value,
    /// The outcome, the value, and every winning move.
    #[default]
    Moves,
}

/// The answer to a question about a position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The kind of game.
    pub nature: Nature,
    /// The result for each player who may move first. If it makes no difference who moves first,
    /// there is one entry.
    pub beginnings: Vec<Beginning>,
    /// The value, if it was found.
    pub value: Option<GameValue>,
    /// The certainty of the answer.
    pub status: Status,
    /// The usual name of the method that gave the answer.
    pub method: &'static str,
    /// The theorem, if a single theorem gives the answer.
    pub theorem: Option<&'static Theorem>,
    /// The amount of information that was asked for. Unless it includes moves, the lists of moves
    /// are empty.
    pub wanted: Wanted,
    /// `true` if the lists contain all winning moves. A list is cut off after
    /// [`Solver::MOVES_LISTED`](crate::Solver::MOVES_LISTED) moves.
    pub moves_complete: bool,
    /// The facts from which the answer follows.
    pub grounds: Grounds,
}

/// The facts from which an answer follows.
#[derive(Clone, Debug, Default)]
pub enum Grounds {
    /// A theorem about the outcome.
    #[default]
    Theorem,
    /// Sprague–Grundy values of the parts of each term.
    Normal(Vec<Vec<PartValue<u64>>>),
    /// Tame misère values of the parts of each term.
    Misere(Vec<Vec<PartValue<Misere>>>),
    /// Elements of a misère quotient for the parts of each term.
    Quotient(Vec<Vec<PartValue<u32>>>),
    /// Smith–Fraenkel values of the parts of each term.
    Loopy(Vec<Vec<PartValue<LoopyPart>>>),
    /// A search over sums of components.
    Search,
    /// Labels of all reachable positions.
    Labels(Arc<Reached>),
    /// A table of the whole game.
    Table,
}

impl Solution {
    /// Creates an exact answer by `method` that contains only the outcome. It is for a position
    /// where it makes no difference who begins.
    pub(super) fn of(position: &Position, outcome: Outcome, method: &'static str) -> Self {
        let player = position.first_player();
        Self::of_beginnings(position, [(player, outcome)].into_iter(), method)
    }

    /// Creates an exact answer by `method` that contains only the outcomes.
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

    /// Creates an answer that follows from the values of all parts. The method is named `theory`
    /// for a sum. For a single term it is named after the evidence for the value of its part.
    pub(super) fn from_values<V>(
        position: &Position,
        outcome: Outcome,
        values: &[Vec<PartValue<V>>],
        theory: &'static str,
    ) -> Self {
        let evidence = || values.iter().flatten().map(|part| &part.evidence);
        let proved = evidence().any(|e| matches!(e, Evidence::Period { beyond: true, .. }));
        let mut theorem = None;
        // The result of a sum follows from adding values, no matter how the values of its parts
        // were found.
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

    /// Creates the answer for a position from labels. Returns `None` if the labels do not contain
    /// the position.
    ///
    /// # Errors
    /// Fails if the work is interrupted, or with the error of the rules.
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

    /// Creates the answer for a position from a table of the whole game. Returns `None` if the
    /// table does not contain the position.
    ///
    /// # Errors
    /// Fails if the work is interrupted, if the table cannot be read, or with the error of the
    /// rules.
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

    /// Creates the answer for a position from its label. If moves are wanted, also uses the labels
    /// of its options.
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
            // The label contains the remoteness, so reporting it costs nothing.
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
                    // A move keeps the result if the result for the opponent after it is the
                    // reverse.
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

    /// Returns the outcome for the player who moves first. N means that this player wins. If there
    /// are several beginnings, it is the outcome of the first.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.beginnings[0].outcome
    }

    /// Returns the outcome class. If only one player may move first, the class is that of a game
    /// with the same outcome for both players.
    #[must_use]
    pub fn class(&self) -> OutcomeClass {
        let last = self.beginnings.len() - 1;
        OutcomeClass::from_outcomes([self.beginnings[0].outcome, self.beginnings[last].outcome])
    }

    /// Returns whether there is a separate result for each player who may move first.
    #[must_use]
    pub fn by_beginner(&self) -> bool {
        self.beginnings.len() == 2
    }

    /// Returns the result if `player` moves first, or the only result.
    #[must_use]
    pub fn beginning(&self, player: Player) -> &Beginning {
        let found = self.beginnings.iter().find(|one| one.player == player);
        found.unwrap_or(&self.beginnings[0])
    }

    /// Returns the winning moves of the first beginning in the list.
    #[must_use]
    pub fn winning_moves(&self) -> &[WinningMove] {
        &self.beginnings[0].moves
    }

    /// Returns the Sprague–Grundy value of an impartial game in normal play, if it was computed.
    #[must_use]
    pub fn grundy(&self) -> Option<u64> {
        match self.value {
            Some(GameValue::Nimber(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the set K of an infinite Smith–Fraenkel value.
    #[must_use]
    pub fn infinity(&self) -> Option<&[u64]> {
        match &self.value {
            Some(GameValue::Infinity(set)) => Some(set),
            _ => None,
        }
    }

    /// Returns the value, if it is a number.
    #[must_use]
    pub fn number(&self) -> Option<&Dyadic> {
        match &self.value {
            Some(GameValue::Short { number, .. }) => number.as_ref(),
            _ => None,
        }
    }

    /// Returns the verdict. It is N, P or D, or the outcome class if it depends on who moves first.
    /// If a payoff decides, it is win, tie or loss for the player to move.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let outcomes: Vec<Outcome> = self.beginnings.iter().map(|one| one.outcome).collect();
        Verdict::of(self.nature.ends == Ends::Payoff, &outcomes)
    }
}

/// Returns whether an answer lists the moves that keep the result `worth`. Winning moves are always
/// listed. If a payoff decides, moves that keep a tie or a loss are listed too.
pub(super) fn lists_moves(nature: Nature, worth: Worth) -> bool {
    worth == Worth::Win || nature.ends == Ends::Payoff
}
