//! The program as a player: the result that each player can force, and the choice of a move.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_core::limits::stopped_early;
use grundy_core::rules::Moves;
use grundy_core::ruleset::Beginner;
use grundy_core::solve::reachable_sums::ReachableSums;
use grundy_core::solve::{Choice, Detail, Grounds, LabelSource, Solution};
use grundy_core::step::Step;
use grundy_core::{
    Dyadic, Halt, Limits, Outcome, PayoffResult, Play, Player, Position, Solver, Stop, Verdict,
    explain,
};

/// Maximal number of positions that are labelled with outcome and remoteness for the sole purpose
/// of winning sooner or losing later.
const MAX_LABELLED: u64 = 20_000;

/// Limit, in bytes, on the total size of the positions to which the listed moves lead. Once it is
/// exceeded, no further moves are listed.
const MAX_POSITION_BYTES: usize = 4 << 20;

/// Maximal number of moves in a lost position for which the winning answers of the opponent are
/// counted.
const MAX_COMPARED: usize = 200;

/// The program as an opponent. It never gives away a win or a draw.
///
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_job::Reader;
/// use grundy_play::{Opponent, opponent::moves};
/// // From a the program may go to b and back for ever, or to c and lose.
/// let text = "graph({'a': ['b', 'c'], 'b': ['a'], 'c': ['d'], 'd': []}, 'a')";
/// let position = Reader::default().read(text).unwrap();
/// let mut opponent = Opponent::new(Play::Normal, Limits::default());
/// let moves = moves(&position, 0, 100).unwrap();
/// let choice = opponent.choose(&position, 0, &moves).unwrap();
/// assert_eq!(choice.to.terms()[0].caption().contains("\"b\")"), true);
/// ```
#[derive(Debug)]
pub struct Opponent<'a> {
    play: Play,
    limits: Limits<'a>,
    solver: Solver,
    /// A table of labels, if one has been set. A label contains the outcome and the remoteness,
    /// which is the number of moves with best play.
    table: Option<Box<dyn LabelSource>>,
    /// Labels (outcome and remoteness) of all positions reachable from a position, computed once
    /// and reused.
    labels: Option<Arc<ReachableSums>>,
    /// For each position in which the program chose a move for a player: the number of moves made
    /// before the first such choice.
    first_visits: HashMap<(Position, Player), usize>,
}

/// Returns the player to move after `turn` moves.
///
/// If the position fixes the player to move, returns that player. Otherwise Left makes the first
/// move, and the players alternate. In a game with the same moves for both players, Left stands for
/// the first player.
///
/// ```
/// use grundy_core::Player;
/// use grundy_notation::read_position;
/// use grundy_play::opponent::mover;
/// let position = read_position("hackenbush('0-1:b 0-2:r')")?;
/// assert_eq!([0, 1, 2].map(|turn| mover(&position, turn)), [
///     Player::Left,
///     Player::Right,
///     Player::Left,
/// ]);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn mover(position: &Position, turn: usize) -> Player {
    match position.nature().beginner {
        Beginner::Fixed(player) => player,
        Beginner::Either => Player::BOTH[turn % 2],
    }
}

/// Returns at most `most` moves of the player to move. Of several moves in a term that lead to the
/// same position, only the first is returned.
///
/// Returns fewer moves if the positions to which they lead take too much memory.
///
/// # Errors
/// An error in the rules of the game.
///
/// # Examples
/// ```
/// use grundy_notation::read_position;
/// use grundy_play::opponent::moves;
/// let position = read_position("hackenbush('0-1:b 1-2:r 0-3:r')")?;
/// // Left has one blue edge to cut, and Right two red ones.
/// assert_eq!(moves(&position, 0, 100)?.len(), 1);
/// assert_eq!(moves(&position, 1, 100)?.len(), 2);
/// assert_eq!(moves(&position, 1, 1)?.len(), 1);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn moves(position: &Position, turn: usize, most: usize) -> Result<Vec<Choice>, Stop> {
    first_moves(position, turn, most).map(|(moves, _)| moves)
}

/// Returns the first moves as [`moves`] does, and `true` if there are no other moves.
pub(crate) fn first_moves(
    position: &Position,
    turn: usize,
    most: usize,
) -> Result<(Vec<Choice>, bool), Stop> {
    let (mut moves, mut bytes) = (Vec::new(), 0);
    let has_more = stopped_early(position.moves(
        mover(position, turn),
        &mut |component, name, to| {
            if moves.len() == most || bytes > MAX_POSITION_BYTES {
                return ControlFlow::Break(Halt::Enough);
            }
            let (mv, to) = (name(), to());
            bytes += to.bytes();
            moves.push(Choice { component, mv, to });
            ControlFlow::Continue(())
        },
    ))?;
    Ok((moves, !has_more))
}

/// Returns, in a lost position, the move to which the opponent has the fewest winning answers. Only
/// moves to positions of the given remoteness are compared.
fn hardest(
    labels: &ReachableSums,
    position: &Position,
    mover: Player,
    remoteness: Option<u32>,
) -> Result<Option<Choice>, Stop> {
    let mut best: Option<(usize, Choice)> = None;
    let mut counted = 0;
    stopped_early(position.moves(mover, &mut |component, name, to| {
        let to = to();
        // Only moves that lose as late as possible are compared.
        let label = labels.label(&to, mover.other());
        if label.is_none_or(|label| label.remoteness != remoteness) {
            return ControlFlow::Continue(());
        }
        counted += 1;
        if counted > MAX_COMPARED {
            return ControlFlow::Break(Halt::Enough);
        }
        let mut wins = 0;
        to.moves(mover.other(), &mut |_, _, after| {
            let after = labels.label(&after(), mover);
            wins += usize::from(after.is_some_and(|after| after.outcome == Outcome::P));
            ControlFlow::Continue(())
        })?;
        if best.as_ref().is_none_or(|(fewest, _)| wins < *fewest) {
            let mv = name();
            best = Some((wins, Choice { component, mv, to }));
        }
        ControlFlow::Continue(())
    }))?;
    Ok(best.map(|(_, choice)| choice))
}

impl<'a> Opponent<'a> {
    /// Returns the convention, which is normal or misère play.
    pub(crate) fn play(&self) -> Play {
        self.play
    }

    /// Creates an opponent that searches within `limits`.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::Opponent;
    /// let position = read_position("nim(1, 1)")?;
    /// let verdict = |play| Opponent::new(play, Limits::default()).verdict(&position);
    /// assert_eq!(verdict(Play::Normal)?.to_string(), "P");
    /// assert_eq!(verdict(Play::Misere)?.to_string(), "N");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(play: Play, limits: Limits<'a>) -> Self {
        Self {
            play,
            limits,
            solver: Solver::default(),
            table: None,
            labels: None,
            first_visits: HashMap::new(),
        }
    }

    /// Sets a table in which positions are looked up before any search.
    #[must_use]
    pub fn with_table(self, table: Box<dyn LabelSource>) -> Self {
        Self {
            table: Some(table),
            ..self
        }
    }

    /// Returns the solution of a position. It is looked up in the table or in the labels if
    /// possible.
    pub(crate) fn solution(
        &mut self,
        position: &Position,
        wanted: Detail,
    ) -> Result<Solution, Stop> {
        // The table and the labels answer by lookup, the solver by search. Labels that a search
        // computes are kept for later positions.
        if let Some(table) = &self.table
            && let Some(solution) = Solution::from_table(position, &**table, wanted, &self.limits)?
        {
            return Ok(solution);
        }
        if let Some(labels) = &self.labels
            && let Some(solution) = Solution::from_labels(position, labels, wanted, &self.limits)?
        {
            return Ok(solution);
        }
        let solution = self
            .solver
            .answer(position, self.play, wanted, &self.limits)?;
        if let Grounds::Labels(labels) = &solution.grounds {
            self.labels = Some(Arc::clone(labels));
        }
        Ok(solution)
    }

    /// Returns the Grundy value of a position.
    pub(crate) fn grundy(&mut self, position: &Position) -> Result<u64, Stop> {
        self.solver.grundy(position, &self.limits)
    }

    /// Returns the best result that the player to move can force.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, PayoffResult, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::Opponent;
    /// let mut opponent = Opponent::new(Play::Normal, Limits::default());
    /// // The value is 1/2 > 0, so Left wins whoever begins.
    /// let position = read_position("hackenbush('0-1:b 1-2:r')")?;
    /// assert_eq!(opponent.standing(&position, 0)?, PayoffResult::Win);
    /// assert_eq!(opponent.standing(&position, 1)?, PayoffResult::Lose);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn standing(&mut self, position: &Position, turn: usize) -> Result<PayoffResult, Stop> {
        let solution = self.solution(position, Detail::Outcome)?;
        Ok(solution.beginning(mover(position, turn)).outcome.into())
    }

    /// Returns the index and the temperature of the hottest term of a position. If several terms
    /// are hottest, the first is returned.
    ///
    /// Returns `None` if the canonical form of a term is neither known nor easily computed. Also
    /// returns `None` if the game is impartial or in misère play.
    ///
    /// # Errors
    /// The time limit, an interruption, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Dyadic, Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::Opponent;
    /// let mut opponent = Opponent::new(Play::Normal, Limits::default());
    /// // The square has the value {1 | -1}, whose temperature is 1. The stalk is the number 1.
    /// let position = read_position("hackenbush('0-1:b') + domineering(['..', '..'])")?;
    /// assert_eq!(opponent.hottest(&position)?, Some((1, Dyadic::ONE)));
    /// assert_eq!(opponent.hottest(&read_position("nim(3)")?)?, None);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn hottest(&mut self, position: &Position) -> Result<Option<(usize, Dyadic)>, Stop> {
        let nature = position.nature();
        if self.play != Play::Normal || nature.moves == Moves::Same {
            return Ok(None);
        }
        // Temperatures only rank moves, so they get a small share of the limits.
        let limits = Limits {
            positions: self.limits.positions.min(MAX_LABELLED),
            ..self.limits
        };
        let mut hottest: Option<(usize, Dyadic)> = None;
        for (index, term) in position.terms().iter().enumerate() {
            let alone = Position::from(Arc::clone(term));
            let form = self.solver.canonical_form(&alone, &limits);
            let forms = &mut self.solver.short_values().theory.forms;
            let temperature = match form.and_then(|(form, _)| forms.temperature(form, &limits)) {
                Ok(temperature) => temperature,
                Err(stop @ (Stop::Rules(_) | Stop::Time | Stop::Interrupted)) => return Err(stop),
                // Without the temperature of every term none can be called the hottest.
                Err(_) => return Ok(None),
            };
            if hottest.as_ref().is_none_or(|(_, most)| temperature > *most) {
                hottest = Some((index, temperature));
            }
        }
        Ok(hottest)
    }

    /// Returns the result for the player to move. The game must have ended in this position.
    ///
    /// # Errors
    /// An error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, PayoffResult, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::Opponent;
    /// let position = read_position("nim(0)")?;
    /// let result = |play| Opponent::new(play, Limits::default()).at_the_end(&position, 0);
    /// assert_eq!(result(Play::Normal)?, PayoffResult::Lose);
    /// assert_eq!(result(Play::Misere)?, PayoffResult::Win);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn at_the_end(&self, position: &Position, turn: usize) -> Result<PayoffResult, Stop> {
        position.terminal_result(mover(position, turn), self.play)
    }

    /// Returns the outcome of a position.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::Opponent;
    /// let mut opponent = Opponent::new(Play::Normal, Limits::default());
    /// assert_eq!(opponent.verdict(&read_position("kayles(3, 4)")?)?.to_string(), "N");
    /// assert_eq!(opponent.verdict(&read_position("hackenbush('0-1:r')")?)?.to_string(), "R");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn verdict(&mut self, position: &Position) -> Result<Verdict, Stop> {
        Ok(self.solution(position, Detail::Outcome)?.verdict())
    }

    /// Returns the steps of an explanation of the outcome.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::Opponent;
    /// let mut opponent = Opponent::new(Play::Normal, Limits::default());
    /// let steps = opponent.why(&read_position("nim(1, 2, 3)")?)?;
    /// let codes: Vec<_> = steps.iter().map(|step| step.code).collect();
    /// assert_eq!(codes, ["theorem", "nim_columns", "even_columns_heaps", "conclusion_p"]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn why(&mut self, position: &Position) -> Result<Vec<Step>, Stop> {
        if let Some(table) = &self.table
            && let Some(solution) =
                Solution::from_table(position, &**table, Detail::Outcome, &self.limits)?
        {
            return explain::by_table(position, &solution, &**table);
        }
        // Labels give the outcome without a reason, so the solver runs even if there are labels.
        let solution = self
            .solver
            .answer(position, self.play, Detail::Moves, &self.limits)?;
        let steps = explain::steps(
            position,
            self.play,
            &solution,
            &mut self.solver,
            &self.limits,
        )?;
        // The step about the kind of the game is left out, since the player has seen it before.
        let kind = explain::kind(position, self.play, &solution);
        Ok(steps.into_iter().filter(|step| *step != kind).collect())
    }

    /// Labels all positions reachable from `position` with outcome and remoteness, if that is cheap
    /// or necessary.
    ///
    /// A search proves that a move wins, but not that it brings the end of the game nearer. In a
    /// game with cycles, the program could therefore repeat winning moves for ever. Hence, once a
    /// position recurs, all positions reachable from it are labelled within the limits of the
    /// opponent. If there are at most `MAX_LABELLED` such positions, they are labelled at the
    /// first visit. So the program wins small games quickly and loses them slowly.
    fn label(&mut self, position: &Position, mover: Player, turn: usize) -> Result<(), Stop> {
        if let Some(labels) = &self.labels
            && labels.covers(position, mover)?
        {
            return Ok(());
        }
        // The turn of the first visit differs from the present one if the position has recurred.
        let before = *self
            .first_visits
            .entry((position.clone(), mover))
            .or_insert(turn);
        let positions = if before == turn {
            self.limits.positions.min(MAX_LABELLED)
        } else {
            self.limits.positions
        };
        let limits = Limits {
            positions,
            ..self.limits
        };
        match ReachableSums::new(position, self.play, &limits) {
            Ok(labels) => self.labels = Some(Arc::new(labels)),
            Err(stop @ (Stop::Rules(_) | Stop::Time | Stop::Interrupted)) => return Err(stop),
            // Exceeding a limit is no error here, because the choice falls back to a search.
            Err(_) => {}
        }
        Ok(())
    }

    /// Returns the move of the program. `moves` contains the moves of the position and must not be
    /// empty.
    ///
    /// The move is the quickest win, a move that keeps the draw, or the longest loss. If the
    /// lengths of wins are not known, a winning move in the hottest term is preferred. If the
    /// lengths of losses are not known, the move with the fewest winning answers is chosen.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, opponent::moves};
    /// let position = read_position("nim(3, 4, 5)")?;
    /// let mut opponent = Opponent::new(Play::Normal, Limits::default());
    /// let choice = opponent.choose(&position, 0, &moves(&position, 0, 100)?)?;
    /// // This is the only move to a position with nim-sum 0.
    /// assert_eq!(choice.to.to_string(), "nim(1, 4, 5)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn choose(
        &mut self,
        position: &Position,
        turn: usize,
        moves: &[Choice],
    ) -> Result<Choice, Stop> {
        let mover = mover(position, turn);
        // The sources with more information are tried first. The table and the labels contain the
        // remoteness, the solution only the outcome.
        if let Some(table) = &self.table
            && let Some(best) = table.best(position, mover)?
        {
            return Ok(best);
        }
        self.label(position, mover, turn)?;
        if let Some(labels) = &self.labels
            && let Some(best) = labels.best(position, mover)?
        {
            let lost = labels.label(&best.to, mover.other());
            return match lost {
                // The opponent wins after the best move, so every move loses. Among the longest
                // losses the one with the fewest refutations is chosen.
                Some(label) if label.outcome == Outcome::N => {
                    let hardest = hardest(labels, position, mover, label.remoteness)?;
                    Ok(hardest.unwrap_or(best))
                }
                _ => Ok(best),
            };
        }
        let solution = self.solution(position, Detail::Moves)?;
        let beginning = solution.beginning(mover);
        if let Some(first) = beginning.moves.first() {
            // Every listed move wins. Moving in the hottest term is the orthodox choice.
            let hottest = self.hottest(position)?;
            let in_hottest = |(hottest, _): (usize, Dyadic)| {
                let mut moves = beginning.moves.iter();
                moves.find(|winning| winning.component == hottest)
            };
            let best = hottest.and_then(in_hottest).unwrap_or(first);
            return Ok(Choice {
                component: best.component,
                mv: best.mv.clone(),
                to: best.to.clone(),
            });
        }
        let best = match beginning.outcome {
            Outcome::D => self.drawing_move(position, mover)?,
            _ => self.longest_loss(mover, moves)?,
        };
        Ok(best.unwrap_or_else(|| moves[0].clone()))
    }

    /// Returns a move after which the position is still a draw, if there is one.
    fn drawing_move(&mut self, position: &Position, mover: Player) -> Result<Option<Choice>, Stop> {
        position.first_move(mover, |to| {
            let after = self.solution(to, Detail::Outcome)?;
            Ok(after.beginning(mover.other()).outcome == Outcome::D)
        })
    }

    /// Returns, in a lost position, the move after which the longest play is possible.
    ///
    /// If the lengths are not known, returns the move to which the opponent has the fewest winning
    /// answers.
    fn longest_loss(&mut self, mover: Player, moves: &[Choice]) -> Result<Option<Choice>, Stop> {
        let length = |option: &Choice| {
            let mut terms = option.to.terms().iter();
            terms.try_fold(0u128, |sum, term| {
                Some(sum.saturating_add(term.longest_play()?))
            })
        };
        let lengths: Option<Vec<u128>> = moves.iter().map(length).collect();
        // One term without a known length makes all lengths useless for comparison.
        if let Some(lengths) = lengths {
            let longest = lengths.iter().max();
            let index = lengths.iter().position(|length| Some(length) == longest);
            return Ok(index.map(|index| moves[index].clone()));
        }
        let mut best: Option<(usize, &Choice)> = None;
        for option in moves.iter().take(MAX_COMPARED) {
            self.limits.poll()?;
            let after = self.solution(&option.to, Detail::Moves)?;
            let answers = after.beginning(mover.other()).moves.len();
            if best.is_none_or(|(least, _)| answers < least) {
                best = Some((answers, option));
            }
        }
        Ok(best.map(|(_, option)| option.clone()))
    }
}
