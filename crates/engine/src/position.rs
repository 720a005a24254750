//! Positions, which are sums of terms of any games.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::nature::{Beginner, Ends, Moves, Nature};
use crate::rules::Part;
use crate::store::Store;
use crate::store::erased::ranked::RankedGame;
pub use crate::term::{AnyTerm, PartFacts, Term, VisitTerm};
use grundy_base::diagnostic::Diagnostic;
use grundy_base::limits::{Flow, Halt, Stop, stopped_early};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};

/// A position: a disjunctive sum of terms. The player to move picks one term and moves in it.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Position, Term};
/// let position =
///     Position::sum(vec![Term::new(Nim, vec![3, 4]).into(), Term::new(Nim, vec![5]).into()])?;
/// assert_eq!(position.to_string(), "nim(3, 4) + nim(5)");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The terms, in the order written.
    terms: Vec<Arc<dyn AnyTerm>>,
}

/// A move, together with its term and the position after it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The index of the term in which the move is made.
    pub component: usize,
    /// The move.
    pub mv: Move,
    /// The position after the move.
    pub to: Position,
}

/// A callback for a move. Its arguments are the index of the term, a function that returns the
/// move, and a function that returns the position after the move.
pub type VisitMove<'a> = &'a mut dyn FnMut(usize, &dyn Fn() -> Move, &dyn Fn() -> Position) -> Flow;

impl Position {
    /// Returns the sum of `terms`. If some partizan term allows either player to begin, either
    /// player may begin in the sum.
    ///
    /// # Errors
    /// Fails if a sum of several terms contains a game that a payoff decides, or if the terms fix
    /// different players to begin.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, registry};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// let sum = Position::sum(vec![nim(vec![3, 4]), nim(vec![5])])?;
    /// assert_eq!(sum.to_string(), "nim(3, 4) + nim(5)");
    /// // A payoff decides Tic-Tac-Toe.
    /// let board = registry::construct("tic_tac_toe", &[])?;
    /// assert!(Position::sum(vec![board, nim(vec![5])]).is_err());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn sum(terms: Vec<Arc<dyn AnyTerm>>) -> Result<Self, Diagnostic> {
        let natures: Vec<Nature> = terms.iter().map(|term| term.nature()).collect();
        if natures.len() > 1 && natures.iter().any(|nature| nature.ends == Ends::Payoff) {
            let message = message!("a game that can end in a tie cannot be a term of a sum");
            return Err(Diagnostic::illegal(message).help(message!(
                "the winner of a sum is determined by the last move, but the winner of this game by its final position"
            )));
        }
        let mut winners = natures.iter().filter_map(|nature| nature.endless);
        if let Some(winner) = winners.next() {
            // If play in a term without such a player may never end, it is then a draw.
            let draws = |(term, nature): (&Arc<dyn AnyTerm>, &Nature)| {
                nature.endless.is_none() && !term.known_to_end()
            };
            if winners.any(|other| other != winner) || terms.iter().zip(&natures).any(draws) {
                let message = message!("the terms have different winners of endless play");
                return Err(Diagnostic::illegal(message)
                    .help(message!("use the same `endless` in all terms of a sum")));
            }
        }
        // If one partizan term allows either player to begin, the other terms must allow it too.
        let either = |nature: &Nature| {
            nature.moves == Moves::Partizan && nature.beginner == Beginner::Either
        };
        if natures.iter().any(either) {
            return Self { terms }.with_either_beginner();
        }
        let mut beginners = natures.iter().filter_map(|nature| match nature.beginner {
            Beginner::Fixed(player) => Some(player),
            Beginner::Either => None,
        });
        if let Some(first) = beginners.next()
            && beginners.any(|other| other != first)
        {
            let message = message!("the terms have different players to move");
            return Err(Diagnostic::illegal(message)
                .help(message!("use the same to_move in all terms of a sum")));
        }
        Ok(Self { terms })
    }

    /// Returns the sum of `terms` without the checks of [`Position::sum`]. The terms must form a
    /// valid sum.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// let sum = Position::of_terms(vec![nim(vec![1]), nim(vec![2])]);
    /// assert_eq!(sum.to_string(), "nim(1) + nim(2)");
    /// assert_eq!(Position::of_terms(vec![]).to_string(), "sum_of([])");
    /// ```
    #[must_use]
    pub fn of_terms(terms: Vec<Arc<dyn AnyTerm>>) -> Self {
        Self { terms }
    }

    /// Returns the same position, in which either player may begin.
    ///
    /// # Errors
    /// Fails if the notation of a term fixes the player who begins.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Player, Position, argument::Argument, registry};
    /// let int = Argument::Int;
    /// let rows = Argument::List(vec![Argument::List(vec![int(0), int(3)])]);
    /// let board = registry::construct("northcott", &[(None, int(4)), (None, rows)])?;
    /// let board = Position::from(board);
    /// assert_eq!(board.nature().beginners(), [Player::Left]);
    /// assert_eq!(board.with_either_beginner()?.nature().beginners(), Player::BOTH);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn with_either_beginner(self) -> Result<Self, Diagnostic> {
        let terms = self.terms.iter().map(|term| term.with_either_beginner());
        Ok(Self {
            terms: terms.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the negative of the position, in which the players are exchanged.
    ///
    /// ```
    /// use grundy_core::{Position, registry, argument::Argument};
    /// let board = Argument::List(vec![Argument::Text("..".into())]);
    /// let flat = Position::from(registry::construct("domineering", &[(None, board)])?);
    /// assert_eq!(flat.negated()?.to_string(), "domineering([\".\", \".\"])");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the position contains a game whose players cannot be exchanged.
    pub fn negated(&self) -> Result<Self, Diagnostic> {
        let terms = self.terms.iter().map(|term| {
            term.negated().ok_or_else(|| {
                let message = message!("`{name}` has no negative", name = term.name());
                Diagnostic::illegal(message).help(message!(
                    "the players cannot be exchanged in a game that is decided by its final position, or in a position that fixes the player to move"
                ))
            })
        });
        Self::sum(terms.collect::<Result<_, _>>()?)
    }

    /// Returns this position minus another: the sum of this position and the negative of the other.
    ///
    /// # Errors
    /// Fails like [`Position::negated`] and [`Position::sum`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Limits, OutcomeClass, Play, Position, Solver, Term};
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"TT.F".to_vec()]));
    /// let zero = strip.minus(&strip)?;
    /// assert_eq!(zero.to_string(), "toads_and_frogs(\"TT.F\") + toads_and_frogs(\"T.FF\")");
    /// let solution = Solver::default().solve(&zero, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.class(), OutcomeClass::P);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minus(&self, other: &Self) -> Result<Self, Diagnostic> {
        let mut terms = self.terms.clone();
        terms.extend(other.negated()?.terms);
        Self::sum(terms)
    }

    /// Returns the terms, in the order written.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let position = Position::from(Term::new(Nim, vec![3, 4]));
    /// assert_eq!(position.terms().len(), 1);
    /// assert_eq!(position.terms()[0].part_count(), 2);
    /// ```
    #[must_use]
    pub fn terms(&self) -> &[Arc<dyn AnyTerm>] {
        &self.terms
    }

    /// Returns the approximate number of bytes that the parts of all terms occupy.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let bytes = |heaps: u64| Position::from(Term::new(Nim, (0..heaps).collect())).bytes();
    /// assert!(bytes(1000) > bytes(10));
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.terms.iter().map(|term| term.bytes()).sum()
    }

    /// Returns the term, if there is exactly one.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// let single = Position::of_terms(vec![nim(vec![3, 4])]);
    /// assert_eq!(single.only_term().map(|term| term.text()).as_deref(), Some("nim(3, 4)"));
    /// assert!(Position::of_terms(vec![nim(vec![3]), nim(vec![4])]).only_term().is_none());
    /// ```
    #[must_use]
    pub fn only_term(&self) -> Option<&Arc<dyn AnyTerm>> {
        match &self.terms[..] {
            [term] => Some(term),
            _ => None,
        }
    }

    /// Returns the [`RankedGame`] of this position, which gives a rank to this position and to all
    /// positions reachable from it. Returns `None` if the rules do not rank positions, or for a sum
    /// of several terms.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail or give inconsistent answers.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::chomp::Chomp;
    /// use grundy_core::{Position, Term};
    /// // The non-empty positions of a bar with two rows of three squares.
    /// let game = Position::from(Term::new(Chomp, vec![vec![3, 3]])).ranked()?.expect("ranks");
    /// assert_eq!(game.positions(), 9);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        self.only_term().map_or(Ok(None), |term| term.ranked())
    }

    /// Returns the kind of game.
    ///
    /// ```
    /// use grundy_core::ruleset::{nim::Nim, toads_and_frogs::ToadsAndFrogs};
    /// use grundy_core::{Position, Term, rules::Nature};
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// assert_eq!(heap.nature(), Nature::IMPARTIAL);
    /// let sum = Position::sum([heap.terms(), strip.terms()].concat())?;
    /// assert_eq!(sum.nature(), Nature::PARTIZAN);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn nature(&self) -> Nature {
        // The sum is partizan, is decided by a payoff, or fixes the beginner if this is true for
        // one of its terms. `sum` has rejected terms that contradict each other.
        let natures = self.terms.iter().map(|term| term.nature());
        natures.fold(Nature::IMPARTIAL, |sum, nature| Nature {
            moves: match (sum.moves, nature.moves) {
                (Moves::Same, Moves::Same) => Moves::Same,
                _ => Moves::Partizan,
            },
            ends: match (sum.ends, nature.ends) {
                (Ends::LastMove, Ends::LastMove) => Ends::LastMove,
                _ => Ends::Payoff,
            },
            beginner: match nature.beginner {
                Beginner::Either => sum.beginner,
                fixed @ Beginner::Fixed(_) => fixed,
            },
            endless: sum.endless.or(nature.endless),
        })
    }

    /// Returns the two parts of the JSON notation of a move. The first is the index of the term or
    /// game in which the move is made, if there is one. The second is the list of integers that
    /// identifies the move within it. `component` is the index of the term in which the move is
    /// made, and `at` identifies the move in this term.
    ///
    /// For a sum of several terms, returns both arguments unchanged. For a single term composed of
    /// games, such as an ordinal sum, returns the index of the game in which the move is made. For
    /// any other single term there is no index.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// // The move from heap 0 to 2 chips.
    /// let at = [0, 2];
    /// let single = Position::of_terms(vec![nim(vec![5])]);
    /// assert_eq!(single.locate_move(0, &at), (None, &at[..]));
    /// let sum = Position::of_terms(vec![nim(vec![5]), nim(vec![7])]);
    /// assert_eq!(sum.locate_move(1, &at), (Some(1), &at[..]));
    /// ```
    #[must_use]
    pub fn locate_move<'a>(&self, component: usize, at: &'a [u64]) -> (Option<usize>, &'a [u64]) {
        match (self.only_term(), at.split_first()) {
            (Some(term), Some((&part, rest))) if term.at_begins_with_the_part() => {
                (Some(part as usize), rest)
            }
            (Some(_), _) => (None, at),
            (None, _) => (Some(component), at),
        }
    }

    /// Returns the names of both players: Left or the first player, then Right or the second
    /// player.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, registry};
    /// assert_eq!(Position::from(Term::new(Nim, vec![3])).players(), ["first", "second"]);
    /// let board = Position::from(registry::construct("tic_tac_toe", &[])?);
    /// assert_eq!(board.players(), ["X", "O"]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn players(&self) -> [&'static str; 2] {
        let named = self.terms.iter().find_map(|term| term.players());
        named.unwrap_or(match self.nature().moves {
            Moves::Same => ["first", "second"],
            Moves::Partizan => ["Left", "Right"],
        })
    }

    /// Returns the player who moves first: the player whom the position fixes, and otherwise Left
    /// or the first player.
    ///
    /// ```
    /// use grundy_core::{Player, Position, registry};
    /// let board = Position::from(registry::construct("tic_tac_toe", &[])?);
    /// assert_eq!(board.first_player(), Player::Left);
    /// let choice = board.first_move(Player::Left, |_| Ok(true))?.expect("a move");
    /// assert_eq!(choice.to.first_player(), Player::Right);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_player(&self) -> Player {
        self.nature().beginners()[0]
    }

    /// Returns a short name of the position within its game, such as the name of a vertex, or else
    /// its notation.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, argument::Argument, registry};
    /// assert_eq!(Position::from(Term::new(Nim, vec![3])).caption(), "nim(3)");
    /// let rows = ["XO.", ".X.", "..."].map(|row| Argument::Text(row.into()));
    /// let board = [(None, Argument::List(rows.into())), (None, Argument::Int(3))];
    /// let board = Position::from(registry::construct("k_in_a_row", &board)?);
    /// assert_eq!(board.caption(), "XO_/_X_/___");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn caption(&self) -> String {
        match self.only_term() {
            Some(term) => term.caption(),
            None => self.to_string(),
        }
    }

    /// Returns the position after a move that replaces the term at `index` by `term`.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// let sum = Position::of_terms(vec![nim(vec![3]), nim(vec![4, 5])]);
    /// assert_eq!(sum.after(1, nim(vec![1, 5])).to_string(), "nim(3) + nim(1, 5)");
    /// ```
    #[must_use]
    pub fn after(&self, index: usize, term: Arc<dyn AnyTerm>) -> Self {
        let others = self.terms.iter();
        // The notation of some terms contains the player to move. Such a term changes with every
        // move in another term.
        let mut terms: Vec<_> = others
            .map(|other| {
                other
                    .after_move_elsewhere()
                    .unwrap_or_else(|| Arc::clone(other))
            })
            .collect();
        terms[index] = term;
        Self { terms }
    }

    /// Visits the moves of `player` in all terms in a fixed order, until `visit` breaks. If several
    /// moves in a term lead to the same position, visits only the first of them.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Player, Position, Term};
    /// let (heaps, mut options) = (Position::from(Term::new(Nim, vec![1, 2])), Vec::new());
    /// let _ = heaps.moves(Player::Left, &mut |_, _, to| {
    ///     options.push(to().to_string());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(options, ["nim(0, 2)", "nim(1, 0)", "nim(1, 1)"]);
    /// ```
    pub fn moves(&self, player: Player, visit: VisitMove<'_>) -> Flow {
        self.terms.iter().enumerate().try_for_each(|(index, term)| {
            term.moves(player, &mut |name, to| {
                visit(index, name, &|| self.after(index, to()))
            })
        })
    }

    /// Visits all moves of `player`, including several moves to the same position. It serves to
    /// find the move that a player has named.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use grundy_core::ruleset::toppling_dominoes::TopplingDominoes;
    /// use grundy_core::{Player, Position, Term};
    /// // Each domino can fall to the left or to the right. Two moves leave one domino, and two
    /// // moves leave none.
    /// let row = Position::from(Term::new(TopplingDominoes, vec![b"EE".to_vec()]));
    /// let (mut moves, mut options) = (0, 0);
    /// let _ = row.every_move(Player::Left, &mut |_, _, _| ControlFlow::Continue(moves += 1));
    /// let _ = row.moves(Player::Left, &mut |_, _, _| ControlFlow::Continue(options += 1));
    /// assert_eq!((moves, options), (4, 2));
    /// ```
    pub fn every_move(&self, player: Player, visit: VisitMove<'_>) -> Flow {
        self.terms.iter().enumerate().try_for_each(|(index, term)| {
            term.every_move(player, &mut |name, to| {
                visit(index, name, &|| self.after(index, to()))
            })
        })
    }

    /// Returns the first move of `player` such that `holds` returns `true` for the position after
    /// the move. Returns `None` if there is no such move.
    ///
    /// # Errors
    /// Fails with the error of `holds`, or with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Player, Position, Solver, Term};
    /// let heaps = Position::from(Term::new(Nim, vec![3, 4, 5]));
    /// let mut solver = Solver::default();
    /// let winning = heaps.first_move(Player::Left, |to| {
    ///     Ok(solver.grundy(to, &Limits::default())? == 0)
    /// })?;
    /// assert_eq!(winning.expect("the nim-sum is 2").to.to_string(), "nim(1, 4, 5)");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn first_move(
        &self,
        player: Player,
        mut holds: impl FnMut(&Self) -> Result<bool, Stop>,
    ) -> Result<Option<Choice>, Stop> {
        let mut found = None;
        stopped_early(self.moves(player, &mut |component, name, to| {
            let to = to();
            match holds(&to) {
                Ok(true) => {
                    let mv = name();
                    found = Some(Choice { component, mv, to });
                    ControlFlow::Break(Halt::Enough)
                }
                Ok(false) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        }))?;
        Ok(found)
    }

    /// Returns whether `player` has a move.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Player, Position, Term};
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.".to_vec()]));
    /// assert!(strip.has_move(Player::Left)?);
    /// assert!(!strip.has_move(Player::Right)?);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn has_move(&self, player: Player) -> Result<bool, Stop> {
        stopped_early(self.moves(player, &mut |_, _, _| ControlFlow::Break(Halt::Enough)))
    }

    /// Returns the result for `player`, who is to move in this position and has no move.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{PayoffResult, Play, Player, Position, Term};
    /// let end = Position::from(Term::new(Nim, vec![0]));
    /// assert_eq!(end.terminal_result(Player::Left, Play::Normal)?, PayoffResult::Lose);
    /// assert_eq!(end.terminal_result(Player::Left, Play::Misere)?, PayoffResult::Win);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn terminal_result(&self, player: Player, play: Play) -> Result<PayoffResult, Stop> {
        let result = match self.only_term() {
            Some(term) => term.payoff(player)?,
            None => PayoffResult::Lose,
        };
        Ok(result.in_play(play))
    }

    /// Returns the number of components of all terms.
    ///
    /// ```
    /// use grundy_core::{Position, argument::Argument, registry};
    /// // A blocked square splits the strip into two components.
    /// let strip = Argument::List(vec![Argument::Text("..#...".into())]);
    /// let strip = Position::from(registry::construct("cram", &[(None, strip)])?);
    /// assert_eq!(strip.component_count(), 2);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn component_count(&self) -> usize {
        let mut components = Vec::new();
        // The store only serves to split the parts into components. A component that occurs several
        // times is counted each time.
        self.enter(&mut Store::default(), &mut components);
        components.len()
    }

    /// Enters the components of all terms into a store, and appends the ids of the components in
    /// the store to `out`.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, store::Store};
    /// let (mut store, mut ids) = (Store::default(), Vec::new());
    /// Position::from(Term::new(Nim, vec![5, 3, 5])).enter(&mut store, &mut ids);
    /// assert_eq!(ids, [0, 1, 0]);
    /// ```
    pub fn enter(&self, store: &mut Store, out: &mut Vec<u32>) {
        for term in &self.terms {
            term.enter(store, out);
        }
    }

    /// Returns the remarks of all terms, for example that the parser dropped some parts. Interfaces
    /// show remarks before any other output.
    ///
    /// ```
    /// use grundy_core::{Position, argument::Argument, registry};
    /// // The ground is vertex 0, so the second edge is not connected to it and is dropped.
    /// let edges = (None, Argument::Text("0-1:b 2-3:r".into()));
    /// let picture = Position::from(registry::construct("hackenbush", &[edges])?);
    /// assert_eq!(picture.remarks().next().map(|remark| remark.code), Some("hangs_on_nothing"));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn remarks(&self) -> impl Iterator<Item = Step> + '_ {
        self.terms.iter().flat_map(|term| term.remarks())
    }
}

impl dyn RankedGame + '_ {
    /// Returns the rank of a position of this game, or `None` if it has no rank.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::{chomp::Chomp, nim::Nim};
    /// use grundy_core::{Position, Term};
    /// let bar = |rows| Position::from(Term::new(Chomp, vec![rows]));
    /// let game = bar(vec![2, 2]).ranked()?.expect("ranks");
    /// assert_eq!(game.rank(&bar(vec![1]))?, Some(0));
    /// assert_eq!(game.rank(&bar(vec![2, 2]))?, Some(4));
    /// assert_eq!(game.rank(&Position::from(Term::new(Nim, vec![2])))?, None);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn rank(&self, position: &Position) -> Result<Option<u64>, Stop> {
        self.rank_of(&position.terms)
    }

    /// Returns the position with this rank.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Panics
    /// Panics if no position has this rank.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::chomp::Chomp;
    /// use grundy_core::{Position, Term};
    /// let start = Position::from(Term::new(Chomp, vec![vec![2, 2]]));
    /// let game = start.ranked()?.expect("ranks");
    /// assert_eq!(game.position(0)?.to_string(), "chomp(1)");
    /// assert_eq!(game.position(4)?, start);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn position(&self, rank: u64) -> Result<Position, Stop> {
        self.term(rank).map(Position::from)
    }
}

/// Equality of positions: the same terms in the same order.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.terms.iter().zip(&other.terms);
        self.terms.len() == other.terms.len() && pairs.all(|(one, other)| one.same(&**other))
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.terms.len().hash(state);
        self.terms.iter().for_each(|term| term.hash_into(state));
    }
}

impl From<Arc<dyn AnyTerm>> for Position {
    fn from(term: Arc<dyn AnyTerm>) -> Self {
        Self { terms: vec![term] }
    }
}

impl<P: Part> From<Term<P>> for Position {
    fn from(term: Term<P>) -> Self {
        Self {
            terms: vec![term.into()],
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("sum_of([])");
        }
        // A parser nests a chain of `+` and rejects deep nesting, so a long sum is written as a
        // list.
        let as_list = self.terms.len() > 200;
        f.write_str(if as_list { "sum_of([" } else { "" })?;
        for (index, term) in self.terms.iter().enumerate() {
            let separator = match (index, as_list) {
                (0, _) => "",
                (_, true) => ", ",
                (_, false) => " + ",
            };
            write!(f, "{separator}{}", term.text())?;
        }
        f.write_str(if as_list { "])" } else { "" })
    }
}
