//! A game in progress: history with undo and redo, parsing of moves as people write them, and the
//! text form of saved games.

pub mod report;

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

use fastrand::Rng;
use grundy_core::limits::stopped_early;
use grundy_core::picture::Picture;
use grundy_core::ruleset::Ends;
use grundy_core::solve::Choice;
use grundy_core::step::{Datum, Step};
use grundy_core::{
    Diagnostic, Halt, Kind, PayoffResult, Play, Player, Position, Stop, Verdict, message,
};
use grundy_wording::plain::with_component;
use grundy_wording::{Language, words};

use crate::opponent::{self, Opponent};
use grundy_job::random::one_of;

pub(crate) use report::player_names;

/// The highest level of the program, at which it makes no mistakes.
pub const PERFECT: u8 = 10;

/// Maximal number of moves that [`Playing::moves`] returns. Only these can be chosen by number.
pub const MAX_LISTED: usize = 10_000;

/// Maximal number of moves that are visited in the search for a move with a given path.
const MAX_SEARCHED: usize = 10_000_000;

/// Maximal number of moves that an error message names if a text fits several moves.
const MAX_NAMED: usize = 5;

/// The reason why a text could not be parsed as a move.
#[derive(Clone, Debug)]
pub enum MoveParseError {
    /// No move fits.
    NoMove,
    /// More than one move fits. Contains descriptions of the first few of them.
    Ambiguous(Vec<String>),
    /// The search ended after this number of moves, and none of them fits.
    SearchLimit(usize),
    /// The rules failed, or the search was stopped.
    Stop(Stop),
}

impl From<Stop> for MoveParseError {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl MoveParseError {
    /// Returns the sentence that explains this error to the user.
    ///
    /// # Errors
    /// The stop, if this is [`MoveParseError::Stop`].
    ///
    /// # Examples
    /// ```
    /// use grundy_play::playing::MoveParseError;
    /// use grundy_wording::{Language, words};
    /// let error = MoveParseError::Ambiguous(vec!["take 1".to_owned(), "take 2".to_owned()]);
    /// let message = words(&error.step()?, Language::En);
    /// assert_eq!(message, "several moves match: take 1, take 2");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn step(self) -> Result<Step, Stop> {
        Ok(match self {
            Self::NoMove => Step::new("play_illegal"),
            Self::Ambiguous(moves) => Step::new("play_several").with("moves", moves),
            Self::SearchLimit(count) => Step::new("play_unsearched").with("count", count),
            Self::Stop(stop) => return Err(stop),
        })
    }
}

/// A game in progress, and an opponent for it.
///
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_job::Reader;
/// use grundy_play::{Opponent, Playing};
/// use grundy_wording::Language;
/// let start = Reader::default().read("nim(3, 4, 5)").unwrap();
/// let mut playing = Playing::new(start, Opponent::new(Play::Normal, Limits::default()));
/// let choice = playing.read("2 from 1", Language::En).unwrap();
/// playing.make(choice);
/// assert_eq!(playing.now().to_string(), "nim(1, 4, 5)");
/// assert_eq!(playing.saved(), "0 1");
/// assert!(playing.undo());
/// assert_eq!(playing.turn(), 0);
/// ```
#[derive(Debug)]
pub struct Playing<'a> {
    /// The positions from the start to the present one, in order.
    positions: Vec<Position>,
    /// The moves between consecutive positions.
    moves_made: Vec<Choice>,
    /// The moves that were undone. The last move of the list is redone first.
    undone: Vec<Choice>,
    opponent: Opponent<'a>,
    /// The player who makes the first move, as an index into [`Player::BOTH`]: 0 for Left, 1 for
    /// Right.
    first_player: usize,
    /// The level of the program, from 0 (random moves) to [`PERFECT`].
    level: u8,
    random: Rng,
}

impl<'a> Playing<'a> {
    /// Creates a game at its start, against an opponent that makes no mistake.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let playing = Playing::new(read_position("kayles(5)")?, opponent);
    /// assert_eq!((playing.turn(), playing.moves()?.len()), (0, 5));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(start: Position, opponent: Opponent<'a>) -> Self {
        Self {
            positions: vec![start],
            moves_made: Vec::new(),
            undone: Vec::new(),
            opponent,
            first_player: 0,
            level: PERFECT,
            random: Rng::with_seed(0),
        }
    }

    /// Sets the level of the opponent, from 0 to [`PERFECT`], and the seed of its random moves.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::playing::PERFECT;
    /// use grundy_play::{Opponent, Playing};
    /// let start = read_position("nim(3, 4, 5)")?;
    /// let reply = |level| {
    ///     let opponent = Opponent::new(Play::Normal, Limits::default());
    ///     Playing::new(start.clone(), opponent).at_level(level, 1).reply()
    /// };
    /// assert_eq!(reply(PERFECT)?.to.to_string(), "nim(1, 4, 5)");
    /// // The random move of this seed is a mistake.
    /// assert_eq!(reply(0)?.to.to_string(), "nim(3, 3, 5)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn at_level(self, level: u8, seed: u64) -> Self {
        Self {
            level: level.min(PERFECT),
            random: Rng::with_seed(seed),
            ..self
        }
    }

    /// Sets the player who moves first. This has no effect if the position fixes that player.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Player};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let start = read_position("hackenbush('0-1:b 0-2:r')")?;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let playing = Playing::new(start, opponent).with_first_player(Player::Right);
    /// assert_eq!(playing.mover(), Player::Right);
    /// // Right cuts the red edge.
    /// assert_eq!(playing.moves()?[0].to.to_string(), "hackenbush(\"0-1:b\")");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn with_first_player(self, player: Player) -> Self {
        Self {
            first_player: player as usize,
            ..self
        }
    }

    /// Returns the present position.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("kayles(7)")?, opponent);
    /// playing.replay("take 1 leave 3 3", Language::En)?;
    /// assert_eq!(playing.now().to_string(), "kayles(3, 3)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn now(&self) -> &Position {
        &self.positions[self.moves_made.len()]
    }

    /// Returns the position at the start.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// let choice = playing.best()?;
    /// playing.make(choice);
    /// assert_eq!(playing.start().to_string(), "nim(3, 4, 5)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Returns the number of moves made. Undone moves do not count.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4)")?, opponent);
    /// playing.replay("1 3; 0 2", Language::En)?;
    /// assert_eq!(playing.turn(), 2);
    /// playing.undo();
    /// assert_eq!(playing.turn(), 1);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn turn(&self) -> usize {
        self.moves_made.len()
    }

    /// Returns the player to move.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Player};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("hackenbush('0-1:b 0-2:r')")?, opponent);
    /// assert_eq!(playing.mover(), Player::Left);
    /// playing.replay("0", Language::En)?;
    /// assert_eq!(playing.mover(), Player::Right);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn mover(&self) -> Player {
        self.mover_at(self.turn())
    }

    /// Returns the player to move after `turn` moves.
    fn mover_at(&self, turn: usize) -> Player {
        opponent::mover(&self.positions[turn], self.first_player + turn)
    }

    /// Returns the moves made so far, each with the position before it.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4)")?, opponent);
    /// playing.replay("1 3; 0 2", Language::En)?;
    /// let before: Vec<_> = playing.history().map(|(before, _)| before.to_string()).collect();
    /// assert_eq!(before, ["nim(3, 4)", "nim(3, 3)"]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn history(&self) -> impl Iterator<Item = (&Position, &Choice)> {
        self.positions.iter().zip(&self.moves_made)
    }

    /// Returns the moves of the present position, but no more than [`MAX_LISTED`].
    ///
    /// # Errors
    /// An error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let playing = Playing::new(read_position("chomp(2, 1)")?, opponent);
    /// let after: Vec<_> = playing.moves()?.iter().map(|choice| choice.to.to_string()).collect();
    /// assert_eq!(after, ["chomp(1, 1)", "chomp(2)"]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn moves(&self) -> Result<Vec<Choice>, Stop> {
        self.first_moves(MAX_LISTED).map(|(moves, _)| moves)
    }

    /// Returns at most `most` moves of the present position, and `true` if it has no other moves.
    fn first_moves(&self, most: usize) -> Result<(Vec<Choice>, bool), Stop> {
        opponent::first_moves(self.now(), self.first_player + self.turn(), most)
    }

    /// Returns the convention, which is normal or misère play.
    pub(crate) fn play(&self) -> Play {
        self.opponent.play()
    }

    /// Returns the opponent, for callers that solve positions with it.
    fn opponent(&mut self) -> &mut Opponent<'a> {
        &mut self.opponent
    }

    /// Makes a move. Undone moves can no longer be redone afterwards.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(2, 5)")?, opponent);
    /// let choice = playing.best()?;
    /// playing.make(choice);
    /// assert_eq!(playing.now().to_string(), "nim(2, 2)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn make(&mut self, choice: Choice) {
        self.undone.clear();
        self.advance(choice);
    }

    fn advance(&mut self, choice: Choice) {
        self.positions.push(choice.to.clone());
        self.moves_made.push(choice);
    }

    /// Undoes the last move. Returns `false` if there is none.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4)")?, opponent);
    /// playing.replay("1 3", Language::En)?;
    /// assert!(playing.undo());
    /// assert_eq!(playing.now().to_string(), "nim(3, 4)");
    /// assert!(!playing.undo());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn undo(&mut self) -> bool {
        let Some(choice) = self.moves_made.pop() else {
            return false;
        };
        self.positions.pop();
        self.undone.push(choice);
        true
    }

    /// Redoes the move that was undone last. Returns `false` if there is none.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4)")?, opponent);
    /// playing.replay("1 3", Language::En)?;
    /// assert!(playing.undo() && playing.redo());
    /// assert_eq!(playing.now().to_string(), "nim(3, 3)");
    /// assert!(!playing.redo());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn redo(&mut self) -> bool {
        let Some(choice) = self.undone.pop() else {
            return false;
        };
        self.advance(choice);
        true
    }

    /// Returns the best move of the present position.
    ///
    /// # Errors
    /// A limit that was exceeded, an error in the rules, or a position without moves.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Misere, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(1, 1, 4)")?, opponent);
    /// // In misère play an odd number of heaps of 1 is lost for the player to move.
    /// assert_eq!(playing.best()?.to.to_string(), "nim(1, 1, 1)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn best(&mut self) -> Result<Choice, Diagnostic> {
        let moves = self.moves()?;
        if moves.is_empty() {
            return Err(Diagnostic::new(
                Kind::IllegalMove,
                message!("no move is left"),
            ));
        }
        let turn = self.turn();
        let position = &self.positions[turn];
        Ok(self
            .opponent
            .choose(position, self.first_player + turn, &moves)?)
    }

    /// Returns the reply of the program. Depending on the level, it is the best move or a random
    /// one.
    ///
    /// # Errors
    /// The errors of [`Playing::best`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("kayles(5)")?, opponent);
    /// // The second player wins two equal rows by symmetry.
    /// assert_eq!(playing.reply()?.to.to_string(), "kayles(2, 2)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn reply(&mut self) -> Result<Choice, Diagnostic> {
        // The move is random with probability 1 - level/10. At the highest level it is never
        // random.
        if self.random.u8(..PERFECT) >= self.level {
            let moves = self.moves()?;
            if !moves.is_empty() {
                return Ok(one_of(&moves, &mut self.random).clone());
            }
        }
        self.best()
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
    /// use grundy_play::{Opponent, Playing};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(1, 2, 3)")?, opponent);
    /// // The nim-sum is 0.
    /// assert_eq!(playing.standing()?, PayoffResult::Lose);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn standing(&mut self) -> Result<PayoffResult, Stop> {
        let turn = self.turn();
        self.opponent
            .standing(&self.positions[turn], self.first_player + turn)
    }

    /// Returns a hint to the player to move: whether there is a winning move. `standing` is the
    /// best result that this player can force.
    ///
    /// ```
    /// use grundy_core::{Limits, PayoffResult, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::{Language, words};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// let hint = playing.outcome_hint(PayoffResult::Win);
    /// assert_eq!(words(&hint, Language::En), "You can win from here.");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn outcome_hint(&self, standing: PayoffResult) -> Step {
        let payoff = self.start().nature().ends == Ends::Payoff;
        Step::new(match standing {
            PayoffResult::Win => "play_nudge_win",
            PayoffResult::Tie if payoff => "play_nudge_tie",
            PayoffResult::Tie => "play_nudge_draw",
            PayoffResult::Lose => "play_nudge_lose",
        })
    }

    /// Returns a hint about the temperatures of a partizan game, if they are known.
    ///
    /// The orthodox rule is to move in the hottest component (E. R. Berlekamp, J. H. Conway, R. K.
    /// Guy, Winning Ways, 1982, chapter 6). This rule is a heuristic. A move that wins is better
    /// than a move in the hottest component that does not win.
    ///
    /// # Errors
    /// The time limit, an interruption, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::{Language, words};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("domineering(['..', '..'])")?, opponent);
    /// let hint = words(&playing.temperature_hint()?.unwrap(), Language::En);
    /// assert_eq!(hint, "The temperature is 1, which is about what a move gains.");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn temperature_hint(&mut self) -> Result<Option<Step>, Stop> {
        let turn = self.turn();
        let position = &self.positions[turn];
        let Some((hottest, temperature)) = self.opponent.hottest(position)? else {
            return Ok(None);
        };
        let alone = position.terms().len() == 1;
        Ok(Some(match temperature.sign() {
            Ordering::Less => Step::new("play_hint_cold"),
            Ordering::Equal => Step::new("play_hint_tepid"),
            Ordering::Greater if alone => {
                Step::new("play_hint_hot").with("temperature", temperature.to_string())
            }
            Ordering::Greater => {
                let term = Position::from(Arc::clone(&position.terms()[hottest]));
                Step::new("play_hint_hottest")
                    .with("game", term.to_string())
                    .with("temperature", temperature.to_string())
            }
        }))
    }

    /// Returns the moves that made the mover's best possible result worse.
    ///
    /// `verdicts` has an entry for each position from the start, as [`Playing::verdicts`] returns
    /// it.
    ///
    /// ```
    /// use grundy_core::{Limits, PayoffResult, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// // The first player should take 2 from heap 1, and the second player 1 from heap 3.
    /// playing.replay("0 0; 2 4; 1 3", Language::En)?;
    /// let verdicts = playing.verdicts()?;
    /// let mistakes = playing.mistakes(&verdicts);
    /// assert_eq!((mistakes.len(), mistakes[0].turn, mistakes[0].to), (1, 0, PayoffResult::Lose));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn mistakes(&self, verdicts: &[(Verdict, PayoffResult)]) -> Vec<Mistake<'_>> {
        let turns = self.history().zip(verdicts.windows(2)).enumerate();
        let mistakes = turns.filter_map(|(turn, (move_made, around))| {
            // The standing after a move is that of the opponent, so it is reversed for the mover.
            let (from, to) = (around[0].1, around[1].1.reversed());
            let mistake = Mistake {
                turn,
                move_made,
                from,
                to,
            };
            (to < from).then_some(mistake)
        });
        mistakes.collect()
    }

    /// Returns the steps of an explanation of the outcome of the present position.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::{Language, words};
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 3)")?, opponent);
    /// let steps = playing.why()?;
    /// assert!(words(&steps[0], Language::En).starts_with("The components come in equal pairs."));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn why(&mut self) -> Result<Vec<Step>, Stop> {
        let turn = self.turn();
        self.opponent.why(&self.positions[turn])
    }

    /// Returns the result for the player to move. The game must have ended in the present position.
    ///
    /// # Errors
    /// An error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, PayoffResult, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3)")?, opponent);
    /// playing.replay("take 3", Language::En)?;
    /// assert_eq!(playing.at_the_end()?, PayoffResult::Lose);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn at_the_end(&self) -> Result<PayoffResult, Stop> {
        self.opponent
            .at_the_end(self.now(), self.first_player + self.turn())
    }

    /// Returns, for each position from the start, the outcome and the best result that its player
    /// to move can force.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// playing.replay("0 1; 1 0", Language::En)?;
    /// let verdicts = playing.verdicts()?;
    /// let letters: Vec<_> = verdicts.iter().map(|(verdict, _)| verdict.to_string()).collect();
    /// assert_eq!(letters, ["N", "P", "N"]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn verdicts(&mut self) -> Result<Vec<(Verdict, PayoffResult)>, Stop> {
        let positions = (self.first_player..).zip(&self.positions);
        let opponent = &mut self.opponent;
        positions
            .map(|(turn, position)| {
                Ok((
                    opponent.verdict(position)?,
                    opponent.standing(position, turn)?,
                ))
            })
            .collect()
    }

    /// Returns a description of a move of the present position. In a sum it includes the term in
    /// which the move is made.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// let best = playing.best()?;
    /// assert_eq!(playing.describe(&best, Language::En), "take 2 from heap 1");
    /// assert_eq!(playing.describe(&best, Language::Zh), "从第 1 堆取走 2 枚");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn describe(&self, choice: &Choice, language: Language) -> String {
        describe_move(self.now(), choice, language)
    }

    /// Returns the moves made as a text, in which `;` separates the moves. Each move is given by
    /// its path, which is a list of numbers such as `0 1`. [`Playing::replay`] reads this text.
    ///
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// playing.replay("take 2 from heap 1; take 1 from heap 2", Language::En)?;
    /// assert_eq!(playing.saved(), "0 1; 1 3");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn saved(&self) -> String {
        let written = self.history();
        let written = written.map(|(position, choice)| path_text(position, choice));
        written.collect::<Vec<_>>().join("; ")
    }

    /// Makes the moves in a text, in which `;` separates the moves. The text may be the result of
    /// [`Playing::saved`], or written by hand.
    ///
    /// # Errors
    /// The first text that is not a move, with its index among the texts separated by `;`. The
    /// index is counted from 1.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let mut playing = Playing::new(read_position("nim(3, 4, 5)")?, opponent);
    /// playing.replay("0 1; take 1 from heap 2", Language::En)?;
    /// assert_eq!(playing.now().to_string(), "nim(1, 3, 5)");
    /// let error = playing.replay("0 1", Language::En).unwrap_err();
    /// assert!(error.message.starts_with("move 1 is `0 1`: that is not a legal move here"));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn replay(&mut self, saved: &str, language: Language) -> Result<(), Diagnostic> {
        for (number, written) in saved.split(';').enumerate() {
            // A trailing `;` is allowed.
            if written.trim().is_empty() {
                continue;
            }
            match self.read(written, language) {
                Ok(choice) => self.make(choice),
                Err(error) => {
                    let why = words(&error.step()?, language);
                    let message = message!(
                        "move {number} is `{written}`: {why}",
                        number = number + 1,
                        written = written.trim(),
                        why
                    );
                    return Err(Diagnostic::new(Kind::IllegalMove, message));
                }
            }
        }
        Ok(())
    }

    /// Parses a move that a user has written.
    ///
    /// A move is given by the numbers of its path in the notation, such as `0 1`. In a sum the
    /// index of the term, counted from 0, precedes the path, as in `2: 0 1`. A move may also be
    /// given in words, as in `2 from 1`. Some of the words may be omitted.
    ///
    /// # Errors
    /// A text that fits no move, or several moves.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Play};
    /// use grundy_notation::read_position;
    /// use grundy_play::{Opponent, Playing};
    /// use grundy_wording::Language;
    /// let opponent = Opponent::new(Play::Normal, Limits::default());
    /// let playing = Playing::new(read_position("nim(3) + kayles(4)")?, opponent);
    /// let after = |text| playing.read(text, Language::En).unwrap().to.to_string();
    /// assert_eq!(after("0: 0 1"), "nim(1) + kayles(4)");
    /// assert_eq!(after("take 2 leave 1 1"), "nim(3) + kayles(1, 1)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn read(&self, written: &str, language: Language) -> Result<Choice, MoveParseError> {
        read(self.now(), self.mover(), written, language)
    }
}

/// A move that made the mover's best possible result worse.
#[derive(Clone, Copy, Debug)]
pub struct Mistake<'a> {
    /// The number of moves made before this one.
    pub turn: usize,
    /// The position before the move, and the move.
    pub move_made: (&'a Position, &'a Choice),
    /// The best result that the mover could force before the move.
    pub from: PayoffResult,
    /// The best result that the mover can force after the move.
    pub to: PayoffResult,
}

/// Returns the path of a move as a text that [`Playing::read`] parses.
///
/// ```
/// use grundy_notation::read_position;
/// use grundy_play::{opponent::moves, playing::path_text};
/// let [alone, sum] = [read_position("nim(2)")?, read_position("kayles(1) + nim(2)")?];
/// assert_eq!(path_text(&alone, &moves(&alone, 0, 1)?[0]), "0 0");
/// assert_eq!(path_text(&sum, &moves(&sum, 0, 10)?[1]), "1: 0 0");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn path_text(position: &Position, choice: &Choice) -> String {
    let (component, at) = position.locate_move(choice.component, &choice.mv.at);
    let at: Vec<String> = at.iter().map(u64::to_string).collect();
    let at = at.join(" ");
    match component {
        None => at,
        Some(component) => format!("{component}: {at}"),
    }
}

/// Parses a move of `mover` in `position`, as [`Playing::read`] does.
pub(crate) fn read(
    position: &Position,
    mover: Player,
    written: &str,
    language: Language,
) -> Result<Choice, MoveParseError> {
    // Paths contain no negative numbers, so `-1` is rejected instead of being read as 1. A minus
    // between two digits is allowed: in `cut edge 0 (0-1)` it joins the ends of an edge.
    let negative = |(at, _): (usize, &str)| {
        let before = written[..at].chars().next_back();
        let after = written[at + 1..].chars().next();
        before.is_none_or(|c| !c.is_ascii_digit()) && after.is_some_and(|c| c.is_ascii_digit())
    };
    if written.match_indices('-').any(negative) {
        return Err(MoveParseError::NoMove);
    }
    match parse_path(written) {
        Some((component, at)) => move_by_path(position, mover, component, &at, language),
        None => move_by_words(position, mover, written, language),
    }
}

fn move_by_path(
    position: &Position,
    mover: Player,
    component: Option<usize>,
    at: &[u64],
    language: Language,
) -> Result<Choice, MoveParseError> {
    // A move whose path is exactly `at` takes precedence. Otherwise `at` may be the beginning of a
    // path, if only one move has such a path.
    let mut exact: Vec<Choice> = Vec::new();
    let mut begun: Vec<Choice> = Vec::new();
    let mut seen = 0;
    let stopped = stopped_early(position.every_move(mover, &mut |index, name, to| {
        seen += 1;
        let mv = name();
        // The number before the colon may also select a game inside a term.
        let (part, inside) = position.locate_move(index, &mv.at);
        if component.is_none_or(|wanted| wanted == part.unwrap_or(index)) {
            let list = if mv.at == at || component.is_some() && inside == at {
                Some(&mut exact)
            } else if mv.at.starts_with(at) || component.is_some() && inside.starts_with(at) {
                Some(&mut begun)
            } else {
                None
            };
            if let Some(list) = list {
                let to = to();
                let component = index;
                add_distinct(list, Choice { component, mv, to });
            }
        }
        // If the term is given, no other move has this path, so the search can stop.
        if seen == MAX_SEARCHED || (component.is_some() && !exact.is_empty()) {
            return ControlFlow::Break(Halt::Enough);
        }
        ControlFlow::Continue(())
    }))?;
    let found = if exact.is_empty() { begun } else { exact };
    if found.is_empty() && stopped {
        return Err(MoveParseError::SearchLimit(MAX_SEARCHED));
    }
    single_move(position, found, language)
}

/// Parses a move given in words: finds the move whose description contains all words of `written`
/// in this order.
///
/// Of several such moves, the move is chosen whose description has the fewest other words between
/// the written words. If several moves remain, the move is chosen whose description has the fewest
/// other words in all.
fn move_by_words(
    position: &Position,
    mover: Player,
    written: &str,
    language: Language,
) -> Result<Choice, MoveParseError> {
    let wanted = tokens(written);
    let mut found: Vec<Choice> = Vec::new();
    let mut fewest = (usize::MAX, usize::MAX);
    if !wanted.is_empty() {
        let mut seen = 0;
        stopped_early(position.every_move(mover, &mut |component, name, to| {
            if seen == MAX_LISTED {
                // The limit is lower than for paths, since each move must be put into words.
                return ControlFlow::Break(Halt::Enough);
            }
            seen += 1;
            let (mv, to) = (name(), to());
            let choice = Choice { component, mv, to };
            let description = describe_move(position, &choice, language);
            let Some(gaps) = word_gaps(&wanted, &tokens(&description)) else {
                return ControlFlow::Continue(());
            };
            if gaps < fewest {
                fewest = gaps;
                found.clear();
            }
            if gaps == fewest {
                add_distinct(&mut found, choice);
            }
            ControlFlow::Continue(())
        }))?;
    }
    single_move(position, found, language)
}

/// Adds a move to `found`, unless a move in `found` leads to the same position.
///
/// The list stops growing at [`MAX_NAMED`] + 1 moves, which is enough to report the ambiguity.
fn add_distinct(found: &mut Vec<Choice>, choice: Choice) {
    if found.len() <= MAX_NAMED && found.iter().all(|other| other.to != choice.to) {
        found.push(choice);
    }
}

fn single_move(
    position: &Position,
    mut found: Vec<Choice>,
    language: Language,
) -> Result<Choice, MoveParseError> {
    match found.len() {
        0 => Err(MoveParseError::NoMove),
        1 => Ok(found.remove(0)),
        _ => {
            let named = found.iter().take(MAX_NAMED);
            let named = named.map(|choice| describe_move(position, choice, language));
            Err(MoveParseError::Ambiguous(named.collect()))
        }
    }
}

/// Returns a description of a move of `position`. In a sum it includes the term in which the move
/// is made.
///
/// ```
/// use grundy_notation::read_position;
/// use grundy_play::{opponent::moves, playing::describe_move};
/// use grundy_wording::Language;
/// let position = read_position("kayles(1) + nim(2)")?;
/// let choice = &moves(&position, 0, 10)?[1];
/// assert_eq!(describe_move(&position, choice, Language::En), "in nim(2): take 2 from heap 1");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn describe_move(position: &Position, choice: &Choice, language: Language) -> String {
    let action = words(&choice.mv.action, language);
    with_component(position, choice.component, action, language)
}

/// Returns whether a list of `moves` identifies each move by numbers that are printed on the board.
///
/// Such numbers belong to edges, vertices, coins and pins, and also occur in the paths of the
/// moves. If the result is `false`, the list numbers the moves 1, 2, 3, and so on.
///
/// ```
/// use grundy_notation::read_position;
/// use grundy_play::{opponent::moves, playing::uses_board_numbers};
/// let [edges, heaps] = [read_position("hackenbush('0-1 1-2')")?, read_position("nim(3, 4)")?];
/// assert!(uses_board_numbers(&edges, &moves(&edges, 0, 100)?));
/// assert!(!uses_board_numbers(&heaps, &moves(&heaps, 0, 100)?));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn uses_board_numbers(position: &Position, moves: &[Choice]) -> bool {
    let Some(term) = position.only_term() else {
        return false;
    };
    // Heaps are excluded, since the path of a move in a heap is the heap and the size that remains.
    let places = matches!(
        term.picture(),
        Picture::Edges { .. }
            | Picture::Graph { .. }
            | Picture::Pins(_)
            | Picture::Heads(_)
            | Picture::Lane(_)
    );
    // The number must also occur in the description of the move. Otherwise users would misread it.
    let named = |choice: &Choice| {
        let said = |number: &u64| {
            let mut arguments = choice.mv.action.args.iter();
            arguments.any(|(_, datum)| *datum == Datum::Int(*number))
        };
        choice.mv.at.first().is_some_and(said)
    };
    places && moves.iter().all(named) && moves.iter().any(|choice| choice.mv.at.len() == 1)
}

/// Parses the path of a move, which the index of a term and a colon may precede. Examples are `0
/// 1`, `0,1`, `(0, 1)` and `2: 0 1`.
fn parse_path(written: &str) -> Option<(Option<usize>, Vec<u64>)> {
    let (component, at) = match written.split_once(':') {
        Some((component, at)) => (Some(component.trim().parse().ok()?), at),
        None => (None, written),
    };
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']');
    let at: Option<Vec<u64>> = at
        .split(separator)
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok())
        .collect();
    at.filter(|at| !at.is_empty()).map(|at| (component, at))
}

/// Splits a text into words and numbers in lower case. Each Chinese character is a word.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut open = None;
    for c in text.to_lowercase().chars() {
        let kind = match c {
            c if c.is_ascii_digit() => Some(0),
            // U+2E80 is where the CJK blocks begin. Their text has no spaces between words.
            c if c.is_alphabetic() && (c as u32) < 0x2e80 => Some(1),
            c if c.is_alphanumeric() => Some(2),
            _ => None,
        };
        match (kind, tokens.last_mut()) {
            (Some(kind), Some(last)) if open == Some(kind) && kind != 2 => last.push(c),
            (Some(_), _) => tokens.push(c.to_string()),
            (None, _) => {}
        }
        open = kind;
    }
    tokens
}

/// Counts the words in `words` that are not wanted. Returns the number of such words between the
/// first and the last wanted word, and the number of all such words. Returns `None` if the wanted
/// words do not occur in this order.
///
/// A wanted number must be the next number in `words`. Otherwise `cut edge 1` would fit `cut edge 2
/// (1-3)`.
fn word_gaps(wanted: &[String], words: &[String]) -> Option<(usize, usize)> {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut places: Vec<usize> = Vec::new();
    for token in wanted {
        // Each token is matched with its first occurrence after the previous match. This finds a
        // match in order if there is one.
        let from = places.last().map_or(0, |place| place + 1);
        let place = from + words[from..].iter().position(|word| word == token)?;
        let passed = words[from..place].iter().any(|word| is_number(word));
        if passed && is_number(token) {
            return None;
        }
        places.push(place);
    }
    let reach = places.last()? - places.first()? + 1;
    Some((reach - wanted.len(), words.len() - wanted.len()))
}

#[cfg(test)]
mod tests {
    use grundy_core::{Limits, Play};

    use super::*;
    use grundy_job::Reader;

    fn playing(text: &str) -> Playing<'static> {
        let start = Reader::default().read(text).unwrap();
        Playing::new(start, Opponent::new(Play::Normal, Limits::default()))
    }

    /// Returns the text of the position after the move `written`, or the error message.
    fn position_after(text: &str, written: &str) -> Result<String, String> {
        let read = playing(text).read(written, Language::En);
        read.map(|choice| choice.to.to_string())
            .map_err(|error| words(&error.step().unwrap(), Language::En))
    }

    #[test]
    fn moves_are_read_in_common_spellings() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(position_after("nim(3, 4, 5)", "0 1"), ok("nim(1, 4, 5)"));
        assert_eq!(
            position_after("nim(3, 4, 5)", "take 2 from heap 1"),
            ok("nim(1, 4, 5)")
        );
        assert_eq!(
            position_after("nim(3, 4, 5)", "2 from 1"),
            ok("nim(1, 4, 5)")
        );
        assert_eq!(
            position_after("nim(3, 4, 5)", "Take 2 From 1"),
            ok("nim(1, 4, 5)")
        );
        assert_eq!(
            position_after("kayles(4)", "take 2 from heap 1"),
            ok("kayles(2)")
        );
        assert_eq!(
            position_after("kayles(4)", "2 leave 1 1"),
            ok("kayles(1, 1)")
        );
        assert_eq!(position_after("chomp(3, 3)", "(1, 1)"), ok("chomp(3, 1)"));
        assert_eq!(
            position_after("hackenbush('0-1 1-2')", "1"),
            ok("hackenbush(\"0-1\")")
        );
        assert_eq!(
            position_after("nim(1) + kayles(2)", "1: 0 1"),
            ok("nim(1) + kayles(1)")
        );
        assert_eq!(
            position_after("nim(2) + nim(3)", "in nim(3) take 3"),
            ok("nim(2) + nim(0)")
        );
        for (game, wrong) in [
            ("nim(3, 4, 5)", "0 3"),
            ("nim(3, 4, 5)", "4 from 1"),
            ("nim(3, 4, 5)", "?"),
            ("hackenbush('0-2 2-1')", "cut edge 2"),
            ("nim(3)", "-1"),
            ("nim(3)", ""),
            ("nim(3)", "99999999999999999999999"),
        ] {
            let error = position_after(game, wrong).unwrap_err();
            assert!(
                error.starts_with("that is not a legal move here"),
                "{wrong}: {error}"
            );
        }
        // Several moves lead to the same position here. The text may fit any of them.
        assert_eq!(position_after("kayles(1, 1, 1)", "2"), ok("kayles(1, 1)"));
        assert_eq!(
            position_after("kayles(1, 1, 1)", "take 1 from heap 1"),
            ok("kayles(1, 1)")
        );
        assert_eq!(
            position_after("kayles(1, 1, 1)", "take 1"),
            ok("kayles(1, 1)")
        );
        let doubled = "hackenbush('0-1 0-1 1-2')";
        assert_eq!(position_after(doubled, "1"), ok("hackenbush(\"0-1 1-2\")"));
        let cut = playing(doubled).read("cut edge 1", Language::En).unwrap();
        assert_eq!(cut.mv.at, [1]);
        assert_eq!(
            position_after("hackenbush('0-1:b 0-1:b 1-2:r')", "1"),
            ok("hackenbush(\"0-1:b 1-2:r\")")
        );
        assert_eq!(
            position_after("toppling_dominoes('LL')", "1 0"),
            ok("toppling_dominoes(\"\")")
        );
        let edges = "graph({'a': ['b', 'b'], 'b': []}, 'a')";
        assert!(position_after(edges, "1").unwrap().ends_with(", \"b\")"));
        let several = position_after("nim(3, 4, 5)", "take 2").unwrap_err();
        let fit = ["1", "2", "3"].map(|heap| format!("take 2 from heap {heap}"));
        assert_eq!(several, format!("several moves match: {}", fit.join(", ")));
        let chinese = playing("nim(3, 4)").read("第 2 堆取走 2 枚", Language::Zh);
        assert_eq!(chinese.unwrap().to.to_string(), "nim(3, 2)");
    }

    /// Checks that a saved game resumes at the same position, and that undo and redo are inverse.
    #[test]
    fn saved_games_resume() {
        for text in [
            "nim(3, 4, 5)",
            "kayles(7) + chomp(3, 2)",
            "hackenbush('0-1 1-2 1-3')",
            "domineering([\"...\", \"...\"])",
            "northcott(6, [[0, 3], [1, 5]])",
        ] {
            // At a weak level with a fixed seed, some moves of the program are mistakes.
            let mut first = playing(text).at_level(3, 11);
            while let Ok(choice) = first.reply() {
                if first.turn() == 6 {
                    break;
                }
                first.make(choice);
            }
            let mut second = playing(text);
            second.replay(&first.saved(), Language::En).unwrap();
            assert_eq!(second.now().to_string(), first.now().to_string(), "{text}");
            let turn = first.turn();
            while first.undo() {}
            assert_eq!((first.turn(), first.now()), (0, second.start()), "{text}");
            while first.redo() {}
            assert_eq!((first.turn(), first.now()), (turn, second.now()), "{text}");
        }
        let error = playing("nim(2)")
            .replay("0 1; 0 1", Language::En)
            .unwrap_err();
        assert!(
            error
                .message
                .starts_with("move 2 is `0 1`: that is not a legal move here")
        );
    }
}
