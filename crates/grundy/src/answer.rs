//! Answers about positions, and moves.

use std::fmt;
use std::ops::ControlFlow;

use grundy_base::limits::{Halt, stopped_early};
use grundy_base::step::Move as Action;
use grundy_base::{Play, Player};
use grundy_core::Solution;
use grundy_core::solve::{GameValue, WinningMove};

use grundy_base::{OutcomeClass as Outcome, Verdict};
use grundy_core::solve::Status;

use crate::run::{Engine, Settings};
use crate::value::Arena;
use crate::{Error, ErrorKind, Position, Value};

/// The answer to the question who wins a position: the outcome, the value, the winning moves, and
/// how they were found.
///
/// An answer shares the cache of the solver that found it, which its explanation uses.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let answer = games::nim([3, 4, 5]).solve()?;
/// assert_eq!(answer.outcome(), Outcome::N);
/// assert_eq!(answer.grundy(), Some(2));
/// assert_eq!(answer.winning_moves()[0].position(), &games::nim([1, 4, 5]));
/// assert_eq!((answer.method(), answer.theorem()), ("bouton", Some("Bouton's theorem")));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Answer {
    position: Position,
    play: Play,
    solution: Solution,
    /// The winning moves of each player, in the order of `Player::BOTH`.
    moves: [Vec<Move>; 2],
    engine: Engine,
    settings: Settings,
}

impl Answer {
    pub(crate) fn new(
        position: &Position,
        play: Play,
        solution: Solution,
        engine: Engine,
        settings: Settings,
    ) -> Self {
        let moves = Player::BOTH.map(|player| {
            let moves = solution.beginning(player).moves.iter();
            moves
                .map(|winning| Move::winning(&position.sum, winning))
                .collect()
        });
        Self {
            position: position.clone(),
            play,
            solution,
            moves,
            engine,
            settings,
        }
    }

    /// Returns the position that was solved.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([3]).solve()?.position(), &games::nim([3]));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the convention: in normal play the player who makes the last move wins, and in
    /// misère play that player loses.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([3]).solve()?.play(), Play::Normal);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn play(&self) -> Play {
        self.play
    }

    /// Returns the outcome class: N if the next player, who is to move, wins, and P if the previous
    /// player wins. It is L if Left wins, R if Right wins, and D for a draw by endless play. In an
    /// impartial game only N, P and D occur. Some loopy partizan games have classes such as LD:
    /// Left wins if Left begins, and otherwise the game is drawn.
    ///
    /// In a game that is decided by a payoff, N means that the player to move wins, and P that this
    /// player loses. D means that the game is tied. See [`Answer::verdict`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::hackenbush("0-1:b")?.solve()?.outcome(), Outcome::L);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.solution.class()
    }

    /// Returns the outcome in the terms that suit the kind of game. It is N, P or D for an
    /// impartial game, and the outcome class for a partizan game. In a game that is decided by a
    /// payoff, it is win, tie or lose for the player to move.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::tic_tac_toe().solve()?.verdict().to_string(), "tie");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.solution.verdict()
    }

    /// Returns the Grundy value of an impartial position in normal play, if it was computed. It is
    /// `None` for an infinite value of a loopy game.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::kayles([7]).solve()?.grundy(), Some(2));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn grundy(&self) -> Option<u64> {
        self.solution.grundy()
    }

    /// Returns the value of the position in normal play, if it was found while solving. The value
    /// of a partizan game is its canonical form, and that of an impartial game a nimber.
    /// [`Position::value`] computes the value in any case.
    ///
    /// # Complexity
    /// The value is copied from the cache of the solver. If the solver has dropped it, it is
    /// computed again within the limits of the solver.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::domineering(["...", "..."])?.solve()?;
    /// assert_eq!(answer.value().unwrap().to_string(), "{2|-1/2}");
    /// assert_eq!(games::nim([3]).solve()?.value(), Some(Value::nimber(3)));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        match &self.solution.value {
            Some(GameValue::Nimber(size)) => Some(Value::nimber(*size)),
            Some(GameValue::Short { .. }) => {
                let arena = Arena::default();
                Value::of_position(&self.position, &self.engine, &self.settings, &arena).ok()
            }
            _ => None,
        }
    }

    /// Returns the set K of an infinite Grundy value of a loopy impartial position. It consists of
    /// the finite values of the options, in ascending order. `None` for a finite value. Source: A.
    /// S. Fraenkel, Y. Perl, Constructions in combinatorial games with cycles, 1975.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// // A pass back to the same vertex, or a move to the end.
    /// let position = games::graph([("a", vec!["a", "b"]), ("b", vec![])], "a", None)?;
    /// assert_eq!(position.solve()?.infinity(), Some(&[0][..]));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn infinity(&self) -> Option<&[u64]> {
        self.solution.infinity()
    }

    /// Returns the winning moves of the player who moves first: of Left if either player may begin.
    ///
    /// A game that is decided by a payoff lists the moves that keep the result.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::nim([3, 4, 5]).solve()?;
    /// assert!(answer.winning_moves()[0].to_string().starts_with("take 2"));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn winning_moves(&self) -> &[Move] {
        self.winning_moves_of(self.position.sum.first_player())
    }

    /// Returns the winning moves of a player who moves first. In an impartial game they are the
    /// same for both players.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::hackenbush("0-1:b 0-2:r")?.solve()?;
    /// assert!(answer.winning_moves_of(Player::Right).is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn winning_moves_of(&self, player: Player) -> &[Move] {
        &self.moves[player as usize]
    }

    /// Returns whether the lists of winning moves are complete. A list is cut off after
    /// [`Answer::MOVES_LISTED`] moves.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(games::nim([3, 4, 5]).solve()?.moves_complete());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn moves_complete(&self) -> bool {
        self.solution.moves_complete
    }

    /// Number of winning moves after which a list of them is cut off.
    pub const MOVES_LISTED: usize = grundy_core::Solver::MOVES_LISTED;

    /// Returns how certain the answer is. An answer is `Exact` if it was computed completely or
    /// given by a theorem. It is `Proved` if it is based on a period that was proved during the
    /// computation. It is `Partial` if it is incomplete because of a limit.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([3]).solve()?.status(), Status::Exact);
    /// assert_eq!(games::kayles([1_000_000]).solve()?.status(), Status::Proved);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn status(&self) -> Status {
        self.solution.status
    }

    /// Returns the usual name of the method that gave the answer.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::grundys_game([20]).solve()?.method(), "recurrence");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.solution.method
    }

    /// Returns the name of the theorem, if a single theorem gives the answer.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::wythoff(5, 8).solve()?;
    /// assert_eq!(answer.theorem(), Some("Wythoff's theorem"));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn theorem(&self) -> Option<&'static str> {
        self.solution.theorem.map(|theorem| theorem.name)
    }

    /// Returns the explanation: numbered steps from the kind of game to the conclusion, as a
    /// lecturer would write them on the board. If a limit prevents the explanation, the text
    /// reports the limit.
    ///
    /// # Complexity
    /// Usually that of solving the position once more for each option, with the cache of the
    /// solver.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::nim([3, 4, 5]).solve()?;
    /// assert!(answer.explain(Language::English).contains("Bouton"));
    /// assert!(answer.explain(Language::Chinese).contains("异或和"));
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "explain")]
    #[must_use]
    pub fn explain(&self, language: crate::Language) -> String {
        self.try_explain(language)
            .unwrap_or_else(|error| format!("{error:#}\n"))
    }

    /// Returns the explanation like [`Answer::explain`].
    ///
    /// # Errors
    /// The limit of the solver that was reached.
    ///
    /// # Complexity
    /// As [`Answer::explain`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let text = games::kayles([3, 3]).solve()?.try_explain(Language::English)?;
    /// assert!(text.starts_with("1. "));
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "explain")]
    pub fn try_explain(&self, language: crate::Language) -> Result<String, Error> {
        let sum = self.position.valid()?;
        let steps = crate::run::run(&self.engine, &self.settings, sum, |solver, limits| {
            grundy_core::explain::steps(sum, self.play, &self.solution, solver, limits)
        })?;
        Ok(grundy_wording::plain::numbered(&steps, language.into()))
    }
}

impl Error {
    /// Returns what was known when a limit was reached: an answer that contains the outcome, and
    /// perhaps the value and some of the winning moves. Returns `None` if the outcome is not known.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// // By symmetry the first player wins on this board, but the search for the moves is stopped.
    /// let board: Position = "cram(board(7, 8))".parse()?;
    /// let error = Solver::new().max_positions(100).solve(&board).unwrap_err();
    /// assert_eq!(error.partial().unwrap().outcome(), Outcome::N);
    ///
    /// // No theorem gives the outcome of this board.
    /// let board: Position = "cram(board(7, 9))".parse()?;
    /// let error = Solver::new().max_positions(1_000).solve(&board).unwrap_err();
    /// assert!(error.partial().is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn partial(&self) -> Option<&Answer> {
        self.partial_result()
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("position", &self.position.to_string())
            .field("play", &self.play)
            .field("verdict", &self.verdict())
            .field("value", &self.solution.value)
            .field("status", &self.status())
            .field("method", &self.method())
            .finish_non_exhaustive()
    }
}

/// A move: the action, and the position after it.
///
/// An entry in a list of winning moves can represent several moves in a heap of a game such as
/// at_most_half, see [`Move::count`].
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let answer = games::nim([3, 4, 5]).solve()?;
/// let mv = &answer.winning_moves()[0];
/// assert_eq!(mv.to_string(), "take 2 from heap 1");
/// assert_eq!(mv.position(), &games::nim([1, 4, 5]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Move {
    action: Action,
    component: usize,
    /// The text of the term in which the move is made, in a sum of several terms.
    #[cfg_attr(
        not(feature = "explain"),
        expect(dead_code, reason = "only sentences name it")
    )]
    term: Option<String>,
    position: Position,
    count: u64,
}

impl Move {
    pub(crate) fn new(
        from: &grundy_core::Position,
        component: usize,
        action: Action,
        position: Position,
        count: u64,
    ) -> Self {
        let terms = from.terms();
        let term = (terms.len() > 1).then(|| terms[component].text());
        Self {
            action,
            component,
            term,
            position,
            count,
        }
    }

    fn winning(from: &grundy_core::Position, winning: &WinningMove) -> Self {
        let (action, to) = (winning.mv.clone(), winning.to.clone());
        Self::new(from, winning.component, action, to.into(), winning.count())
    }

    /// Returns the position after the move. If the entry represents several moves, it is that after
    /// the first of them.
    ///
    /// # Examples
    /// See [`Move`].
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the index of the term of the sum in which the move is made.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let sum = games::nim([1]) + games::kayles([3]);
    /// assert_eq!(sum.solve()?.winning_moves()[0].term(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn term(&self) -> usize {
        self.component
    }

    /// Returns the integers that identify the move in its term, counted from 0. Their meaning
    /// depends on the game, as the page on its notation says: for Nim the heap and its new size.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([3, 4, 5]).solve()?.winning_moves()[0].at(), [0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn at(&self) -> &[u64] {
        &self.action.at
    }

    /// Returns the number of moves that this entry of a list of winning moves represents. It is 1,
    /// except for an arithmetic progression of moves in a heap.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(games::nim([3, 4, 5]).solve()?.winning_moves()[0].count(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the name of the move in words.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let answer = games::nim([3, 4, 5]).solve()?;
    /// let mv = &answer.winning_moves()[0];
    /// assert_eq!(mv.words(Language::English), "take 2 from heap 1");
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "explain")]
    #[must_use]
    pub fn words(&self, language: crate::Language) -> String {
        let action = grundy_wording::words(&self.action.action, language.into());
        match &self.term {
            Some(term) => grundy_wording::labelled(term, action, language.into()),
            None => action,
        }
    }
}

/// Writes the name of the move in English. Without the feature `explain`, writes the position after
/// the move.
impl fmt::Display for Move {
    #[cfg(feature = "explain")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(crate::Language::English))
    }

    #[cfg(not(feature = "explain"))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to {}", self.position)
    }
}

/// Largest number of moves in the list of [`Position::moves`].
const MAX_MOVES: usize = 1_000_000;

impl Position {
    /// Returns the moves of a player, with one move for each option. In an impartial game both
    /// players have the same moves.
    ///
    /// # Errors
    /// A sum that does not exist, or more than a million moves.
    ///
    /// # Complexity
    /// O(m) for m moves.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let moves = games::nim([1, 2]).moves(Player::Left)?;
    /// let options: Vec<String> = moves.iter().map(|mv| mv.position().to_string()).collect();
    /// assert_eq!(options, ["nim(0, 2)", "nim(1, 0)", "nim(1, 1)"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn moves(&self, player: Player) -> Result<Vec<Move>, Error> {
        let sum = self.valid()?;
        let mut moves = Vec::new();
        let stopped = stopped_early(sum.moves(player, &mut |component, name, to| {
            if moves.len() == MAX_MOVES {
                return ControlFlow::Break(Halt::Enough);
            }
            moves.push(Move::new(sum, component, name(), to().into(), 1));
            ControlFlow::Continue(())
        }))?;
        if stopped {
            let message = format!("the position has more than {MAX_MOVES} moves");
            return Err(Error::new(ErrorKind::Limit, message));
        }
        Ok(moves)
    }
}
