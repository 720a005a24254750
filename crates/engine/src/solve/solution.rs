//! The solution of a position: its outcome, value and winning moves.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::game_value::GameValue;
use super::label_source::LabelSource;
use super::reachable_sums::ReachableSums;
use crate::position::Position;
use crate::rules::{Ends, Nature, Theorem};
use crate::values::loopy::LoopyPart;
use crate::values::{Evidence, PartValue};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Halt, Limits, Stop, stopped_early};
use grundy_base::outcome::{Outcome, PayoffResult};
use grundy_base::player::{OutcomeClass, Player};
use grundy_base::step::Move;
use grundy_base::verdict::Verdict;
use grundy_heap::algebra::Misere;

/// The certainty of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The answer was computed completely, or given by a theorem.
    Exact,
    /// The answer follows from a period that was proved during the computation.
    Proved,
    /// The answer is incomplete, because a limit was reached.
    Partial,
}

impl Status {
    /// Returns the name used in JSON.
    ///
    /// ```
    /// use grundy_core::solve::Status;
    /// assert_eq!(Status::Exact.name(), "exact");
    /// assert_eq!(Status::Partial.name(), "partial");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Proved => "proved",
            Self::Partial => "partial",
        }
    }
}

/// A winning move, or an arithmetic progression of winning moves in a heap. In a game that can end
/// in a tie, moves that keep the result of the position take the place of winning moves.
#[derive(Clone, Debug)]
pub struct WinningMove {
    /// The index of the term in which the move is made.
    pub component: usize,
    /// The move.
    pub mv: Move,
    /// The position after the move.
    pub to: Position,
    /// The arithmetic progression of the moves, if this entry represents several moves in a heap.
    /// `mv` is the first of these moves. Each further move leaves a larger first heap and, if it
    /// leaves two heaps, a smaller second heap.
    pub repeats: Option<Repeats>,
    /// The remoteness of the position after the move, with the opponent to move. `Some(None)`
    /// stands for a draw, and `None` means that the remoteness was not computed.
    pub remoteness: Option<Option<u32>>,
}

impl WinningMove {
    /// Creates an entry that represents a single move.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::WinningMove;
    /// use grundy_core::{Player, Position, Term};
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// let choice = heap.first_move(Player::Left, |_| Ok(true))?.expect("a move");
    /// let winning = WinningMove::new(choice.component, choice.mv, choice.to);
    /// assert_eq!((winning.count(), winning.to.to_string()), (1, "nim(0)".into()));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn new(component: usize, mv: Move, to: Position) -> Self {
        Self {
            component,
            mv,
            to,
            repeats: None,
            remoteness: None,
        }
    }

    /// Returns the number of moves that this entry represents.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver, argument::Argument, registry};
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(100_000))])?.into();
    /// let solution = Solver::default().solve(&heap, Play::Normal, &Limits::default())?;
    /// let moves = solution.winning_moves();
    /// let count: u64 = moves.iter().map(|winning| winning.count()).sum();
    /// // There are 8338 winning moves, in 18 arithmetic progressions.
    /// assert_eq!((moves.len(), count), (18, 8338));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.repeats.map_or(1, |repeats| repeats.count)
    }

    /// Returns the position after one of the moves that this entry represents. The move is made in
    /// `position`, and has index `number` in the progression. Returns `None` if there is no such
    /// move.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Position, Solver, argument::Argument, registry};
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(100_000))])?;
    /// let (heap, limits) = (Position::from(heap), Limits::default());
    /// let solution = Solver::default().solve(&heap, Play::Normal, &limits)?;
    /// let many = solution.winning_moves().iter().find(|winning| winning.count() > 1).unwrap();
    /// let after = [0, 1].map(|number| many.after(number, &heap).unwrap().to_string());
    /// assert_eq!(after, ["kayles(73, 99925)", "kayles(85, 99913)"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let (_, term) = position.terms()[self.component].move_to_heaps(heap as usize, &left)?;
        Some(position.after(self.component, term))
    }

    /// Returns the index of the move of this entry that can lead to the position `to`. There is at
    /// most one, since the moves leave first heaps of different sizes. Returns `None` if no move
    /// can lead to `to`. If the entry represents a single move, returns 0 without a check.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Position, Solver, argument::Argument, registry};
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(100_000))])?;
    /// let (heap, limits) = (Position::from(heap), Limits::default());
    /// let solution = Solver::default().solve(&heap, Play::Normal, &limits)?;
    /// let many = solution.winning_moves().iter().find(|winning| winning.count() > 1).unwrap();
    /// let after = many.after(1, &heap).unwrap();
    /// assert_eq!(many.leading_to(&after), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        // The size of the first heap that a move leaves determines the move.
        let difference = size.checked_sub(first)?;
        (difference.is_multiple_of(step) && difference / step < count).then(|| difference / step)
    }
}

/// An arithmetic progression of moves in a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The difference in size between the first heaps that two successive moves leave.
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
    /// The remoteness, which is the number of moves with best play. `Some(None)` stands for a draw,
    /// and `None` means that the remoteness was not computed.
    pub remoteness: Option<Option<u32>>,
    /// The winning moves.
    pub moves: Vec<WinningMove>,
}

impl Beginning {
    /// Creates a result that contains only the outcome.
    ///
    /// ```
    /// use grundy_core::{Outcome, Player, solve::Beginning};
    /// let beginning = Beginning::new(Player::Right, Outcome::N);
    /// assert_eq!((beginning.outcome, beginning.remoteness), (Outcome::N, None));
    /// assert!(beginning.moves.is_empty());
    /// ```
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

/// The information that an answer should contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
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
    /// The information that was asked for. If it does not include moves, the lists of moves are
    /// empty.
    pub wanted: Detail,
    /// `true` if the lists of moves in `beginnings` contain all winning moves. A list is cut off
    /// after [`Solver::MOVES_LISTED`](crate::Solver::MOVES_LISTED) moves. It ends earlier if its
    /// positions take too much memory or a limit stops the work.
    pub moves_complete: bool,
    /// The limit that stopped the list of winning moves, if there is one.
    pub stopped: Option<Stop>,
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
    /// Moves between the positions nearest to the position, which are not all reachable positions.
    Nearest,
    /// Labels (outcomes and remotenesses) of all reachable positions.
    Labels(Arc<ReachableSums>),
    /// A table of the whole game.
    Table,
}

impl Solution {
    /// Creates an exact answer by `method` that contains only the outcome for the first player. The
    /// outcome must not depend on who begins.
    pub(super) fn from_outcome(
        position: &Position,
        outcome: Outcome,
        method: &'static str,
    ) -> Self {
        let player = position.first_player();
        Self::from_outcomes(position, [(player, outcome)].into_iter(), method)
    }

    /// Creates an exact answer by `method` that contains only the outcome for each player who may
    /// move first.
    pub(super) fn from_outcomes(
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
            wanted: Detail::Moves,
            moves_complete: true,
            stopped: None,
            grounds: Grounds::Theorem,
        }
    }

    /// Creates an answer that follows from the values of all parts. For a sum of several terms, the
    /// method of the answer is named `theory`. For a single term, the method depends on the
    /// evidence for the value of the first part.
    pub(super) fn from_values<V>(
        position: &Position,
        outcome: Outcome,
        values: &[Vec<PartValue<V>>],
        theory: &'static str,
    ) -> Self {
        let evidence = || values.iter().flatten().map(|part| &part.evidence);
        let proved = evidence().any(|e| matches!(e, Evidence::Period { beyond: true, .. }));
        let mut theorem = None;
        // The outcome of a sum follows from the sum of the values, no matter how the values of the
        // parts were found.
        let method = if position.terms().len() == 1 {
            match evidence().next() {
                Some(Evidence::Theorem(found)) => {
                    theorem = Some(*found);
                    found.method
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
            ..Self::from_outcome(position, outcome, method)
        }
    }

    /// Creates the answer for a position from the labels (outcomes and remotenesses) of the
    /// reachable positions `reached`. Returns `None` if they do not include the position.
    ///
    /// # Errors
    /// Fails if the work is interrupted, or with the error of the rules.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::{Detail, Solution, reachable_sums::ReachableSums};
    /// use grundy_core::{Limits, Play, Position, Term};
    /// let (heaps, limits) = (Position::from(Term::new(Nim, vec![1, 2])), Limits::default());
    /// let reached = Arc::new(ReachableSums::new(&heaps, Play::Normal, &limits)?);
    /// let solution = Solution::from_labels(&heaps, &reached, Detail::Moves, &limits)?.unwrap();
    /// assert_eq!(solution.beginnings[0].remoteness, Some(Some(3)));
    /// assert_eq!(solution.winning_moves()[0].to.to_string(), "nim(1, 1)");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn from_labels(
        position: &Position,
        reached: &Arc<ReachableSums>,
        wanted: Detail,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let method = if reached.has_cycle() {
            "retrograde analysis"
        } else {
            "search"
        };
        let solution = Self::from_label_source(position, &**reached, wanted, method, limits)?;
        Ok(solution.map(|solution| Self {
            grounds: Grounds::Labels(Arc::clone(reached)),
            ..solution
        }))
    }

    /// Creates the answer for a position from a table of the whole game. Returns `None` if the
    /// table does not contain the position.
    ///
    /// # Errors
    /// Fails if the work is interrupted, if the table cannot be read, or with the error of the
    /// rules.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::{Detail, Solution, reachable_sums::ReachableSums};
    /// use grundy_core::{Limits, Outcome, Play, Position, Term};
    /// let (heaps, limits) = (Position::from(Term::new(Nim, vec![2, 2])), Limits::default());
    /// let table = ReachableSums::new(&heaps, Play::Normal, &limits)?;
    /// let solution = Solution::from_table(&heaps, &table, Detail::Moves, &limits)?.unwrap();
    /// assert_eq!((solution.outcome(), solution.method), (Outcome::P, "tablebase"));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn from_table(
        position: &Position,
        table: &dyn LabelSource,
        wanted: Detail,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let solution = Self::from_label_source(position, table, wanted, "tablebase", limits)?;
        let Some(solution) = solution else {
            return Ok(None);
        };
        Ok(Some(Self {
            value: table.value_of(position)?,
            grounds: Grounds::Table,
            ..solution
        }))
    }

    /// Creates the answer for a position from its label, that is, its outcome and its remoteness.
    /// If moves are wanted, also uses the labels of the options.
    fn from_label_source(
        position: &Position,
        source: &dyn LabelSource,
        wanted: Detail,
        method: &'static str,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let nature = position.nature();
        let mut beginnings = Vec::new();
        for &player in nature.beginners() {
            let Some(label) = source.label_of(position, player)? else {
                return Ok(None);
            };
            let mut beginning = Beginning::new(player, label.outcome);
            // The label contains the remoteness, so add it to the answer.
            let has_remoteness = nature.ends == Ends::LastMove && nature.beginners().len() == 1;
            beginning.remoteness = has_remoteness.then_some(label.remoteness);
            if wanted == Detail::Moves && lists_moves(nature, label.outcome.into()) {
                let result = PayoffResult::from(label.outcome);
                let missing = stopped_early(position.moves(player, &mut |component, name, to| {
                    if let Err(stop) = limits.poll() {
                        return ControlFlow::Break(stop.into());
                    }
                    let to = to();
                    let after = match source.label_of(&to, player.other()) {
                        Ok(Some(after)) => after,
                        Ok(None) => return ControlFlow::Break(Halt::Enough),
                        Err(stop) => return ControlFlow::Break(stop.into()),
                    };
                    // A move keeps the result if the opponent has the opposite result after it.
                    if PayoffResult::from(after.outcome).reversed() == result {
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
            ..Self::from_outcomes(position, std::iter::empty(), method)
        }))
    }

    /// Adds the remoteness of the position and of the position after each listed move. The labels
    /// `reached` must be those of the same position and the same convention of play.
    ///
    /// The moves are sorted. In a won position the quickest win comes first. In a position that is
    /// lost by a payoff, the slowest loss does. A progression of moves is replaced by its moves.
    ///
    /// # Errors
    /// Fails if the work is interrupted, or with the error of the rules.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::reachable_sums::ReachableSums;
    /// use grundy_core::{Limits, Play, Position, Solver, Term};
    /// let (heaps, limits) = (Position::from(Term::new(Nim, vec![1, 3, 3])), Limits::default());
    /// let mut solution = Solver::default().solve(&heaps, Play::Normal, &limits)?;
    /// let reached = ReachableSums::new(&heaps, Play::Normal, &limits)?;
    /// solution.add_remoteness(&heaps, &reached, &limits)?;
    /// let moves = solution.winning_moves().iter();
    /// let moves: Vec<_> = moves.map(|mv| (mv.to.to_string(), mv.remoteness)).collect();
    /// let expected = ["nim(0, 3, 3)", "nim(1, 2, 3)", "nim(1, 3, 2)"];
    /// assert_eq!(moves, expected.map(|to| (to.to_owned(), Some(Some(6)))));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn add_remoteness(
        &mut self,
        position: &Position,
        reached: &ReachableSums,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let moves = |one: &Beginning| one.moves.iter().any(|mv| mv.repeats.is_some());
        if self.beginnings.iter().any(moves) {
            let labelled =
                Self::from_label_source(position, reached, Detail::Moves, self.method, limits)?;
            let labelled = labelled.ok_or(Stop::Cyclic)?;
            self.beginnings = labelled.beginnings;
            self.moves_complete = true;
        }
        for beginning in &mut self.beginnings {
            let label = reached.label(position, beginning.player);
            beginning.remoteness = Some(label.ok_or(Stop::Cyclic)?.remoteness);
            for winning in &mut beginning.moves {
                limits.poll()?;
                let label = reached.label(&winning.to, beginning.player.other());
                winning.remoteness = Some(label.ok_or(Stop::Cyclic)?.remoteness);
            }
            // A play that never ends is longer than any other.
            let length = |winning: &WinningMove| winning.remoteness.map(|r| r.unwrap_or(u32::MAX));
            match beginning.outcome {
                Outcome::N => beginning.moves.sort_by_key(length),
                Outcome::P | Outcome::D => {
                    (beginning.moves).sort_by_key(|winning| Reverse(length(winning)));
                }
            }
        }
        Ok(())
    }

    /// Returns the outcome for the player who moves first. N means that this player wins. If either
    /// player may move first, it is the outcome of the first entry in `beginnings`.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};
    /// let heaps = Position::from(Term::new(Nim, vec![1, 2, 3]));
    /// let solution = Solver::default().solve(&heaps, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.outcome(), Outcome::P);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.beginnings[0].outcome
    }

    /// Returns the outcome class. If `beginnings` has a single entry, the outcome of this entry
    /// counts for both players.
    ///
    /// ```
    /// use grundy_core::{Limits, OutcomeClass, Play, Solver, argument::Argument, registry};
    /// // Left places the dominoes that stand upright.
    /// let board = registry::construct("domineering", &[(None, Argument::Board(3, 1))])?.into();
    /// let solution = Solver::default().solve(&board, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.class(), OutcomeClass::L);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn class(&self) -> OutcomeClass {
        let last = self.beginnings.len() - 1;
        OutcomeClass::from_outcomes([self.beginnings[0].outcome, self.beginnings[last].outcome])
    }

    /// Returns whether `beginnings` has two entries: one with Left moving first, and one with Right
    /// moving first.
    ///
    /// ```
    /// use grundy_core::ruleset::{nim::Nim, toads_and_frogs::ToadsAndFrogs};
    /// use grundy_core::{Limits, Play, Position, Solver, Term};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// assert!(!solver.solve(&heap, Play::Normal, &limits)?.has_two_beginnings());
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// assert!(solver.solve(&strip, Play::Normal, &limits)?.has_two_beginnings());
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn has_two_beginnings(&self) -> bool {
        self.beginnings.len() == 2
    }

    /// Returns the result if `player` moves first. If there is no such result, returns the first
    /// entry of `beginnings`.
    ///
    /// ```
    /// use grundy_core::{Limits, Outcome, Play, Player, Solver, argument::Argument, registry};
    /// let board = registry::construct("domineering", &[(None, Argument::Board(3, 1))])?.into();
    /// let solution = Solver::default().solve(&board, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.beginning(Player::Left).outcome, Outcome::N);
    /// assert_eq!(solution.beginning(Player::Right).outcome, Outcome::P);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn beginning(&self, player: Player) -> &Beginning {
        let found = self.beginnings.iter().find(|one| one.player == player);
        found.unwrap_or(&self.beginnings[0])
    }

    /// Returns the winning moves of the first entry in `beginnings`.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Play, Position, Solver, Term};
    /// let heaps = Position::from(Term::new(Nim, vec![1, 1, 1]));
    /// let solution = Solver::default().solve(&heaps, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.winning_moves().len(), 3);
    /// assert_eq!(solution.winning_moves()[0].to.to_string(), "nim(0, 1, 1)");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn winning_moves(&self) -> &[WinningMove] {
        &self.beginnings[0].moves
    }

    /// Returns the Sprague–Grundy value of an impartial game in normal play, if it was computed.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Play, Position, Solver, Term};
    /// let (mut solver, limits) = (Solver::default(), Limits::default());
    /// let heaps = Position::from(Term::new(Nim, vec![5, 6]));
    /// assert_eq!(solver.solve(&heaps, Play::Normal, &limits)?.grundy(), Some(3));
    /// assert_eq!(solver.solve(&heaps, Play::Misere, &limits)?.grundy(), None);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn grundy(&self) -> Option<u64> {
        match self.value {
            Some(GameValue::Nimber(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the set K of an infinite Smith–Fraenkel value.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver, argument::Argument, registry};
    /// // Vertex a has a loop, and a move to vertex b, the end of the game.
    /// let text = |text: &str| Argument::Text(text.into());
    /// let edges = ["a", "b"].map(|to| Argument::List(vec![text("a"), text(to)]));
    /// let edges = (None, Argument::List(edges.into()));
    /// let vertex = registry::construct("graph", &[edges, (None, text("a"))])?.into();
    /// let solution = Solver::default().solve(&vertex, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.infinity(), Some(&[0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn infinity(&self) -> Option<&[u64]> {
        match &self.value {
            Some(GameValue::Infinity(set)) => Some(set),
            _ => None,
        }
    }

    /// Returns the value, if it is a number.
    ///
    /// ```
    /// use grundy_core::{Dyadic, Limits, Play, Solver, argument::Argument, registry};
    /// let stalk = (None, Argument::Text("0-1:b 1-2:r".into()));
    /// let stalk = registry::construct("hackenbush", &[stalk])?.into();
    /// let solution = Solver::default().solve(&stalk, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.number(), Some(&Dyadic::new(1, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> Option<&Dyadic> {
        match &self.value {
            Some(GameValue::Short { number, .. }) => number.as_ref(),
            _ => None,
        }
    }

    /// Returns the verdict. If a payoff decides, the verdict is win, tie or loss for the player to
    /// move. Otherwise the verdict is N, P or D, or the outcome class if `beginnings` has two
    /// entries.
    ///
    /// ```
    /// use grundy_core::{Limits, PayoffResult, Play, Solver, Verdict, registry};
    /// let board = registry::construct("tic_tac_toe", &[])?.into();
    /// let solution = Solver::default().solve(&board, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.verdict(), Verdict::Payoff(PayoffResult::Tie));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let outcomes: Vec<Outcome> = self.beginnings.iter().map(|one| one.outcome).collect();
        Verdict::of(self.nature.ends == Ends::Payoff, &outcomes)
    }
}

/// Returns whether an answer lists the moves that keep `result`. Moves that keep a win are always
/// listed. If a payoff decides, moves that keep a tie or a loss are listed too.
pub(super) fn lists_moves(nature: Nature, result: PayoffResult) -> bool {
    result == PayoffResult::Win || nature.ends == Ends::Payoff
}
