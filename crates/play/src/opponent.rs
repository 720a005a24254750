//! Who plays against the human: how a position stands, and which move to make.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy::limits::ended;
use grundy::rules::Moves;
use grundy::ruleset::Beginner;
use grundy::solve::reached::Reached;
use grundy::solve::{Choice, Grounds, KnowsLabels, Solution, Wanted};
use grundy::step::Step;
use grundy::{
    Dyadic, Halt, Limits, Outcome, Play, Player, Position, Solver, Stop, Verdict, Worth, explain,
};

/// Positions that are labelled only to win sooner or lose later.
const LABELLED: u64 = 20_000;

/// Bytes of the positions that listed moves lead to.
const HELD: usize = 4 << 20;

/// Moves of a lost position whose answers are counted.
const COUNTED: usize = 200;

/// The opponent. It never gives away what the rules allow it to keep.
///
/// ```
/// use grundy::{Limits, Play};
/// use grundy_job::Reader;
/// use grundy_play::{Opponent, opponent::moves};
/// // From a the program may go to b and back for ever, or to c and lose.
/// let position = Reader::default().read("graph({'a': ['b', 'c'], 'b': ['a'], 'c': ['d'], 'd': []}, 'a')").unwrap();
/// let mut opponent = Opponent::new(Play::Normal, Limits::default());
/// let choice = opponent.choose(&position, 0, &moves(&position, 0, 100).unwrap()).unwrap();
/// assert_eq!(choice.to.terms()[0].caption().contains("\"b\")"), true);
/// ```
#[derive(Debug)]
pub struct Opponent<'a> {
    play: Play,
    limits: Limits<'a>,
    solver: Solver,
    /// A table of the whole game, where there is one.
    table: Option<Box<dyn KnowsLabels>>,
    /// What is known of everything that can be reached.
    labels: Option<Arc<Reached>>,
    /// The positions that a move was chosen for, with the number of moves made before.
    chosen: HashMap<(Position, Player), usize>,
}

/// Whose turn it is after so many moves: Left or the first player moves first, unless the position
/// says who does.
#[must_use]
pub fn mover(position: &Position, turn: usize) -> Player {
    match position.nature().beginner {
        Beginner::Fixed(player) => player,
        Beginner::Either => Player::BOTH[turn % 2],
    }
}

/// Returns the first moves of the player whose turn it is, at most `most` of them, and fewer where
/// the positions are large; of those that lead to one position the first.
///
/// # Errors
/// Rules that have no answer.
pub fn moves(position: &Position, turn: usize, most: usize) -> Result<Vec<Choice>, Stop> {
    first_moves(position, turn, most).map(|(moves, _)| moves)
}

/// Returns the same, and whether these are all.
pub(crate) fn first_moves(
    position: &Position,
    turn: usize,
    most: usize,
) -> Result<(Vec<Choice>, bool), Stop> {
    let (mut moves, mut held) = (Vec::new(), 0);
    let has_more = ended(
        position.moves(mover(position, turn), &mut |component, name, to| {
            if moves.len() == most || held > HELD {
                return ControlFlow::Break(Halt::Enough);
            }
            let (mv, to) = (name(), to());
            held += to.held();
            moves.push(Choice { component, mv, to });
            ControlFlow::Continue(())
        }),
    )?;
    Ok((moves, !has_more))
}

/// Of the losses with so many moves left the one that is hardest to see: the fewest answers to it
/// win.
fn hardest(
    labels: &Reached,
    position: &Position,
    mover: Player,
    remoteness: Option<u32>,
) -> Result<Option<Choice>, Stop> {
    let mut best: Option<(usize, Choice)> = None;
    let mut counted = 0;
    ended(position.moves(mover, &mut |component, name, to| {
        let to = to();
        let label = labels.label(&to, mover.other());
        if label.is_none_or(|label| label.remoteness != remoteness) {
            return ControlFlow::Continue(());
        }
        counted += 1;
        if counted > COUNTED {
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
    /// Normal or misère play.
    pub(crate) fn play(&self) -> Play {
        self.play
    }

    /// Returns an opponent who thinks within these limits.
    #[must_use]
    pub fn new(play: Play, limits: Limits<'a>) -> Self {
        Self {
            play,
            limits,
            solver: Solver::default(),
            table: None,
            labels: None,
            chosen: HashMap::new(),
        }
    }

    /// Returns the same, who looks up in a table what is in it.
    #[must_use]
    pub fn with_table(self, table: Box<dyn KnowsLabels>) -> Self {
        Self {
            table: Some(table),
            ..self
        }
    }

    /// What is known of a position; what was labelled before is not searched again.
    pub(crate) fn solution(
        &mut self,
        position: &Position,
        wanted: Wanted,
    ) -> Result<Solution, Stop> {
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

    /// How the player to move stands.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub fn standing(&mut self, position: &Position, turn: usize) -> Result<Worth, Stop> {
        let solution = self.solution(position, Wanted::Outcome)?;
        Ok(solution.beginning(mover(position, turn)).outcome.into())
    }

    /// Returns the hottest term of a position, the first of several, with its temperature, where
    /// canonical forms are known or soon found; nothing where they are not, or where moves have no
    /// such worth.
    ///
    /// # Errors
    /// The clock, an interruption, or rules that have no answer.
    pub fn hottest(&mut self, position: &Position) -> Result<Option<(usize, Dyadic)>, Stop> {
        let nature = position.nature();
        if self.play != Play::Normal || nature.moves == Moves::Same {
            return Ok(None);
        }
        let limits = Limits {
            positions: self.limits.positions.min(LABELLED),
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
                Err(_) => return Ok(None),
            };
            if hottest.as_ref().is_none_or(|(_, most)| temperature > *most) {
                hottest = Some((index, temperature));
            }
        }
        Ok(hottest)
    }

    /// How the player to move stands where no move is left.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub fn at_the_end(&self, position: &Position, turn: usize) -> Result<Worth, Stop> {
        position.worth_at_the_end(mover(position, turn), self.play)
    }

    /// Who wins.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub fn verdict(&mut self, position: &Position) -> Result<Verdict, Stop> {
        Ok(self.solution(position, Wanted::Outcome)?.verdict())
    }

    /// Why the position stands as it does.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub fn why(&mut self, position: &Position) -> Result<Vec<Step>, Stop> {
        if let Some(table) = &self.table
            && let Some(solution) =
                Solution::from_table(position, &**table, Wanted::Outcome, &self.limits)?
        {
            return explain::by_table(position, &solution, &**table);
        }
        // Labels know that it is so, and no reason.
        let solution = self
            .solver
            .answer(position, self.play, Wanted::Moves, &self.limits)?;
        let steps = explain::steps(
            position,
            self.play,
            &solution,
            &mut self.solver,
            &self.limits,
        )?;
        // What kind of game it is was said before.
        let kind = explain::kind(position, self.play, &solution);
        Ok(steps.into_iter().filter(|step| *step != kind).collect())
    }

    /// A search proves that a move wins, and not that it brings the end nearer: where a position
    /// has come back everything is labelled, unless that is too much. Small games are labelled at
    /// once, so that a win is quick and a loss slow.
    fn label(&mut self, position: &Position, mover: Player, turn: usize) -> Result<(), Stop> {
        if let Some(labels) = &self.labels
            && labels.knows(position, mover)?
        {
            return Ok(());
        }
        let before = *self.chosen.entry((position.clone(), mover)).or_insert(turn);
        let positions = if before == turn {
            self.limits.positions.min(LABELLED)
        } else {
            self.limits.positions
        };
        let limits = Limits {
            positions,
            ..self.limits
        };
        match Reached::new(position, self.play, &limits) {
            Ok(labels) => self.labels = Some(Arc::new(labels)),
            Err(stop @ (Stop::Rules(_) | Stop::Time | Stop::Interrupted)) => return Err(stop),
            Err(_) => {}
        }
        Ok(())
    }

    /// Returns the move to make, of which there is at least one: the quickest win, a move that
    /// keeps the draw, or the longest loss; where that cannot be counted, a winning move, a move
    /// that keeps the draw, or the loss that leaves the opponent most to do.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub fn choose(
        &mut self,
        position: &Position,
        turn: usize,
        moves: &[Choice],
    ) -> Result<Choice, Stop> {
        let mover = mover(position, turn);
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
                Some(label) if label.outcome == Outcome::N => {
                    let hardest = hardest(labels, position, mover, label.remoteness)?;
                    Ok(hardest.unwrap_or(best))
                }
                _ => Ok(best),
            };
        }
        let solution = self.solution(position, Wanted::Moves)?;
        let beginning = solution.beginning(mover);
        if let Some(first) = beginning.moves.first() {
            let hottest = self.hottest(position)?;
            let there = |(hottest, _): (usize, Dyadic)| {
                let mut moves = beginning.moves.iter();
                moves.find(|winning| winning.component == hottest)
            };
            let best = hottest.and_then(there).unwrap_or(first);
            return Ok(Choice {
                component: best.component,
                mv: best.mv.clone(),
                to: best.to.clone(),
            });
        }
        let best = match beginning.outcome {
            Outcome::D => self.keeping(position, mover)?,
            _ => self.longest_loss(mover, moves)?,
        };
        Ok(best.unwrap_or_else(|| moves[0].clone()))
    }

    /// Returns a move that keeps the draw.
    fn keeping(&mut self, position: &Position, mover: Player) -> Result<Option<Choice>, Stop> {
        position.first_move(mover, |to| {
            let after = self.solution(to, Wanted::Outcome)?;
            Ok(after.beginning(mover.other()).outcome == Outcome::D)
        })
    }

    /// Returns the loss with most left to play, where that is known; else the one after which the
    /// opponent has fewest ways to win.
    fn longest_loss(&mut self, mover: Player, moves: &[Choice]) -> Result<Option<Choice>, Stop> {
        let left = |option: &Choice| {
            let mut terms = option.to.terms().iter();
            terms.try_fold(0u128, |sum, term| {
                Some(sum.saturating_add(term.longest_play()?))
            })
        };
        let lengths: Option<Vec<u128>> = moves.iter().map(left).collect();
        if let Some(lengths) = lengths {
            let longest = lengths.iter().max();
            let place = lengths.iter().position(|length| Some(length) == longest);
            return Ok(place.map(|place| moves[place].clone()));
        }
        let mut best: Option<(usize, &Choice)> = None;
        for option in moves.iter().take(COUNTED) {
            self.limits.poll()?;
            let after = self.solution(&option.to, Wanted::Moves)?;
            let answers = after.beginning(mover.other()).moves.len();
            if best.is_none_or(|(least, _)| answers < least) {
                best = Some((answers, option));
            }
        }
        Ok(best.map(|(_, option)| option.clone()))
    }
}
