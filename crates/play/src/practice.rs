//! Exercises: random positions of a game at a level of difficulty, with their solutions.

mod question;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use fastrand::Rng;
use grundy_core::registry::CONSTRUCTORS;
use grundy_core::ruleset::{Ends, Moves};
use grundy_core::solve::Beginning;
use grundy_core::step::Step;
use grundy_core::{
    Diagnostic, Kind, Limits, Outcome, Play, Position, Solver, Stop, Verdict, message,
};
use grundy_notation::Expression;
use grundy_wording::help::{plain_name, unknown};
use grundy_wording::solved::Solved;
use grundy_wording::{Language, phrase, words};
use serde::{Deserialize, Serialize};

pub use question::{PracticeOptions, PracticeQuestion, practice_question};

use crate::opponent::moves;
use crate::playing::{MoveParseError, read};
use grundy_job::Reader;
use grundy_job::random::{below, one_of};
use grundy_job::range::Range;
use grundy_job::reader::with_source;

/// Limit on the number of positions that the solver may visit for an exercise.
const MAX_POSITIONS: u64 = 500_000;

/// Maximal number of positions drawn for one exercise. If none of them is suitable, no more
/// exercises are drawn.
const MAX_DRAWS: usize = 400;

/// Maximal number of winning moves in an exercise that asks for the winning moves.
const MAX_WINNING_MOVES: usize = 8;

/// Maximal number of moves among which a random move is drawn.
const MAX_CHOICES: usize = 2_000;

/// The highest level of difficulty; the lowest is 0.
pub const HARDEST: u8 = 10;

/// The kind of a question about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum QuestionKind {
    /// The outcome
    #[default]
    Outcome,
    /// The Grundy value
    Value,
    /// A winning move
    Move,
}

impl QuestionKind {
    /// All kinds of questions, in the order in which a sheet cycles through them.
    pub const ALL: [Self; 3] = [Self::Outcome, Self::Move, Self::Value];
}

/// A position, the question about it, and the solution.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The question.
    pub ask: QuestionKind,
    /// The position with its solution.
    pub solved: Solved,
}

/// The result of checking an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The answer is right.
    Right,
    /// The answer is wrong.
    Wrong,
    /// The text is not an answer to the question.
    Unread,
}

impl Exercise {
    /// Returns the solution for the player whose winning moves are asked for. If either Left or
    /// Right may begin, this player is Left, unless only Right has a winning move.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::practice::{Practice, QuestionKind};
    /// let (reader, job) = (Reader::default(), Job::default());
    /// let mut practice = Practice::new("nim(3, 4, 5)", &[], Play::Normal, 0, 1, &reader)?;
    /// let exercise = practice.exercise(QuestionKind::Move, &job.limits())?.unwrap();
    /// assert_eq!(exercise.beginning().moves[0].to.to_string(), "nim(1, 4, 5)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn beginning(&self) -> &Beginning {
        let beginnings = &self.solved.solution.beginnings;
        let winning = beginnings.iter().find(|begun| !begun.moves.is_empty());
        winning.unwrap_or(&beginnings[0])
    }

    /// Returns the text of the question for a written answer, which must be complete: it names all
    /// winning moves.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::practice::{Practice, QuestionKind};
    /// use grundy_wording::Language;
    /// let (reader, job) = (Reader::default(), Job::default());
    /// let mut practice = Practice::new("nim", &[], Play::Normal, 2, 1, &reader)?;
    /// let exercise = practice.exercise(QuestionKind::Move, &job.limits())?.unwrap();
    /// assert_eq!(exercise.written_question(Language::En), "Find every winning move.");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn written_question(&self, language: Language) -> String {
        let solution = &self.solved.solution;
        let by_beginner = solution.has_two_beginnings();
        let worth = matches!(solution.verdict(), Verdict::Payoff(_));
        let code = match self.ask {
            QuestionKind::Outcome if worth => "ask_outcome_worth",
            QuestionKind::Outcome if by_beginner => "ask_outcome_by_beginner",
            QuestionKind::Outcome => "ask_outcome",
            QuestionKind::Value => "ask_value",
            QuestionKind::Move if worth => "ask_move_worth",
            QuestionKind::Move if by_beginner => "ask_move_by_beginner",
            QuestionKind::Move => "ask_move",
        };
        phrase(code, language)
    }

    /// Returns the text of the question for an immediate answer, in which one winning move is
    /// enough.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::practice::{Practice, QuestionKind};
    /// use grundy_wording::Language;
    /// let (reader, job) = (Reader::default(), Job::default());
    /// let mut practice = Practice::new("nim", &[], Play::Normal, 2, 1, &reader)?;
    /// let exercise = practice.exercise(QuestionKind::Move, &job.limits())?.unwrap();
    /// assert_eq!(exercise.question(Language::En), "Find a winning move.");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn question(&self, language: Language) -> String {
        if self.ask != QuestionKind::Move {
            return self.written_question(language);
        }
        let nature = self.solved.position.nature();
        let step = match (nature.ends, nature.moves) {
            (Ends::Payoff, _) => Step::new("practice_best"),
            (Ends::LastMove, Moves::Partizan) => {
                let player = self.beginning().player.of(self.solved.position.players());
                Step::new("practice_move_of").with("player", player)
            }
            (Ends::LastMove, Moves::Same) => Step::new("practice_move"),
        };
        words(&step, language)
    }

    /// Returns the possible answers to a question about the outcome. For other questions, the list
    /// is empty.
    fn choices(&self) -> Vec<&'static str> {
        if self.ask != QuestionKind::Outcome {
            return Vec::new();
        }
        match self.solved.solution.verdict() {
            Verdict::Payoff(_) => vec!["win", "tie", "lose"],
            Verdict::Outcome(_) => vec!["N", "P", "D"],
            Verdict::Class(_) => vec!["L", "R", "N", "P", "D"],
        }
    }

    /// Checks an answer.
    ///
    /// The outcome is given by its letter or word, a value as a number, and a move as
    /// [`crate::playing::Playing::read`] reads it.
    ///
    /// # Errors
    /// An error in the rules of the game, or another stop.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::practice::{Judgement, Practice, QuestionKind};
    /// use grundy_wording::Language;
    /// let (reader, job) = (Reader::default(), Job::default());
    /// let mut practice = Practice::new("nim(3, 4, 5)", &[], Play::Normal, 0, 1, &reader)?;
    /// let exercise = practice.exercise(QuestionKind::Value, &job.limits())?.unwrap();
    /// assert_eq!(exercise.judge("2", Language::En)?, Judgement::Right);
    /// assert_eq!(exercise.judge("12", Language::En)?, Judgement::Wrong);
    /// assert_eq!(exercise.judge("two", Language::En)?, Judgement::Unread);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn judge(&self, answer: &str, language: Language) -> Result<Judgement, Stop> {
        let right = |right| {
            Ok(if right {
                Judgement::Right
            } else {
                Judgement::Wrong
            })
        };
        let solution = &self.solved.solution;
        match self.ask {
            QuestionKind::Outcome => {
                let verdict = solution.verdict();
                let said = answer.trim().to_uppercase();
                let known: &[&str] = match verdict {
                    Verdict::Payoff(_) => &["WIN", "TIE", "LOSE"],
                    Verdict::Outcome(_) => &["N", "P", "D"],
                    // Mixed classes are accepted as answers, although `choices` does not offer
                    // them.
                    Verdict::Class(_) => &["L", "R", "N", "P", "D", "LD", "RD", "DL", "DR"],
                };
                let said = match (&said[..], verdict) {
                    ("NEXT" | "NEXT PLAYER", Verdict::Outcome(_)) => "N",
                    ("PREVIOUS" | "PREVIOUS PLAYER", Verdict::Outcome(_)) => "P",
                    ("DRAW", Verdict::Outcome(_) | Verdict::Class(_)) => "D",
                    ("LEFT", Verdict::Class(_)) => "L",
                    ("RIGHT", Verdict::Class(_)) => "R",
                    (said, _) => said,
                };
                if !known.contains(&said) {
                    return Ok(Judgement::Unread);
                }
                right(said == verdict.to_string().to_uppercase())
            }
            QuestionKind::Value => match answer.trim().parse::<u64>() {
                Ok(value) => right(solution.grundy() == Some(value)),
                Err(_) => Ok(Judgement::Unread),
            },
            QuestionKind::Move => {
                let begun = self.beginning();
                match read(&self.solved.position, begun.player, answer, language) {
                    // Two moves to the same position are equally right.
                    Ok(choice) => right(begun.moves.iter().any(|winning| winning.to == choice.to)),
                    Err(MoveParseError::Stop(stop)) => Err(stop),
                    Err(_) => Ok(Judgement::Unread),
                }
            }
        }
    }
}

/// A source of positions for exercises. It consists of a family (a position with free variables)
/// and the least and greatest number of random moves made from its positions.
#[derive(Debug, Deserialize)]
struct Start {
    /// The lowest and the highest level at which this source is used.
    levels: [u8; 2],
    #[serde(rename = "start")]
    family: String,
    #[serde(default)]
    moves: [usize; 2],
    /// The ranges of the variables of the family, including variables written `{name}` inside
    /// strings. The three numbers are the least value, the greatest value at the lowest level, and
    /// the greatest value at the highest level.
    #[serde(flatten)]
    variables: HashMap<String, [u64; 3]>,
}

/// Returns the sources of positions for each game of the library.
fn starts() -> &'static HashMap<String, Vec<Start>> {
    static STARTS: OnceLock<HashMap<String, Vec<Start>>> = OnceLock::new();
    STARTS.get_or_init(|| {
        serde_json::from_str(include_str!("practice/starts.json"))
            .expect("the starts are tested to be readable")
    })
}

/// A family (a position with free variables), the ranges of its variables at the chosen level, and
/// the least and greatest number of random moves.
#[derive(Debug)]
struct Family {
    text: String,
    ranges: Vec<Range>,
    moves: [usize; 2],
}

impl Start {
    /// Returns the family of this source at a level.
    fn family(&self, level: u8) -> Family {
        let [lowest, highest] = self.levels;
        let (above, height) = (
            u64::from(level - lowest),
            u64::from(highest - lowest).max(1),
        );
        // The upper bound grows linearly with the level. A start for a single level keeps the lower
        // of the two bounds.
        let between = |low: u64, high: u64| low + high.saturating_sub(low) * above / height;
        let mut ranges: Vec<Range> = self
            .variables
            .iter()
            .map(|(name, &[from, low, high])| Range {
                name: name.clone(),
                from,
                to: between(low, high),
            })
            .collect();
        // The map has no fixed order, but the same seed must draw the same values.
        ranges.sort_by(|one, other| one.name.cmp(&other.name));
        Family {
            text: self.family.clone(),
            ranges,
            moves: self.moves,
        }
    }
}

impl Family {
    /// Returns the placeholder for a variable inside a string.
    fn placeholder(name: &str) -> String {
        format!("{{{name}}}")
    }

    /// Draws a position of the family. Returns `None` if the drawn values give no legal position.
    fn position(&self, random: &mut Rng, reader: &Reader) -> Result<Option<Position>, Diagnostic> {
        let values = self
            .ranges
            .iter()
            .map(|range| (&range.name[..], random.u64(range.from..=range.to)));
        let bindings: Vec<(&str, u64)> = values.collect();
        // Placeholders occur inside strings, where the parser sees no variables.
        let filled = bindings
            .iter()
            .fold(self.text.clone(), |text, (name, value)| {
                text.replace(&Self::placeholder(name), &value.to_string())
            });
        let read = Expression::parse(&filled)
            .and_then(|expression| expression.position_with(&bindings, reader));
        match read {
            Ok(position) => Ok(Some(position)),
            // Families have gaps: the rows of Chomp must not increase, and dates must exist.
            Err(error) if matches!(error.kind, Kind::IllegalPosition | Kind::Range) => Ok(None),
            Err(error) => Err(with_source(error, &filled)),
        }
    }
}

/// A generator of exercises.
///
/// ```
/// use grundy_core::Play;
/// use grundy_job::{Job, Reader};
/// use grundy_play::practice::{QuestionKind, Practice};
/// let (reader, job) = (Reader::default(), Job::default());
/// let mut practice = Practice::new("kayles", &[], Play::Normal, 3, 1, &reader)?;
/// let exercise = practice.exercise(QuestionKind::Value, &job.limits())?.unwrap();
/// assert_eq!(exercise.ask, QuestionKind::Value);
/// assert!(exercise.solved.solution.grundy().is_some());
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[derive(Debug)]
pub struct Practice<'a> {
    reader: &'a Reader,
    families: Vec<Family>,
    play: Play,
    random: Rng,
    solver: Solver,
    /// The texts of the positions drawn so far, which are not drawn again.
    drawn_positions: HashSet<String>,
}

impl<'a> Practice<'a> {
    /// Creates a generator for a game of the library at a level from 0 to [`HARDEST`], or for a
    /// family.
    ///
    /// A family such as `kayles(n)` has free variables with ranges such as `n=3..12`. Inside a
    /// string a variable is written `{n}`. The same seed draws the same exercises.
    ///
    /// # Errors
    /// An unknown game, an invalid family, or a variable without a range.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::Reader;
    /// use grundy_play::Practice;
    /// let reader = Reader::default();
    /// let ranges = ["n=3..12".to_owned()];
    /// assert!(Practice::new("kayles(n)", &ranges, Play::Normal, 2, 1, &reader).is_ok());
    /// let error = Practice::new("kayles(n)", &[], Play::Normal, 2, 1, &reader).unwrap_err();
    /// assert_eq!(error.message, "the variable `n` has no range");
    /// ```
    pub fn new(
        game: &str,
        ranges: &[String],
        play: Play,
        level: u8,
        seed: u64,
        reader: &'a Reader,
    ) -> Result<Self, Diagnostic> {
        let mut practice = Self {
            reader,
            families: Vec::new(),
            play,
            random: Rng::with_seed(seed),
            solver: Solver::default(),
            drawn_positions: HashSet::new(),
        };
        practice.set_level(game, ranges, level)?;
        Ok(practice)
    }

    /// Changes the level. `game` and `ranges` are those of [`Practice::new`].
    ///
    /// # Errors
    /// The errors of [`Practice::new`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::practice::{Practice, QuestionKind};
    /// let (reader, job) = (Reader::default(), Job::default());
    /// let mut practice = Practice::new("nim(7)", &[], Play::Normal, 0, 1, &reader)?;
    /// // At level 0 no random moves are made from a starting position, at level 3 at most three.
    /// let exercise = practice.exercise(QuestionKind::Value, &job.limits())?.unwrap();
    /// assert_eq!(exercise.solved.solution.grundy(), Some(7));
    /// practice.set_level("nim(7)", &[], 3)?;
    /// let exercise = practice.exercise(QuestionKind::Value, &job.limits())?.unwrap();
    /// assert!(exercise.solved.solution.grundy() < Some(7));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn set_level(
        &mut self,
        game: &str,
        ranges: &[String],
        level: u8,
    ) -> Result<(), Diagnostic> {
        let level = level.min(HARDEST);
        // A parenthesis distinguishes a family from the name of a game.
        if game.contains('(') {
            self.families = vec![family(game, ranges, level)?];
            return Ok(());
        }
        if let Some(range) = ranges.first() {
            let message = message!("the game has no variable for the range {range}", range);
            let help = message!("use the variable in the game, as in kayles(n) n=3..12");
            return Err(Diagnostic::new(Kind::Syntax, message).help(help));
        }
        let name = plain_name(game);
        let Some(starts) = starts().get(&name) else {
            // A game without starts uses its example.
            let known = CONSTRUCTORS.iter().find(|known| known.name == name);
            let example = known.ok_or_else(|| unknown(game, []))?.example;
            self.families = vec![family(example, ranges, level)?];
            return Ok(());
        };
        let starts = starts.iter();
        let fitting = starts.filter(|start| (start.levels[0]..=start.levels[1]).contains(&level));
        self.families = fitting.map(|start| start.family(level)).collect();
        Ok(())
    }

    /// Draws an exercise with a position that has not been drawn before.
    ///
    /// The question is `wanted` if a drawn position allows it. Otherwise the question is who wins.
    /// Returns `None` if no more positions are found.
    ///
    /// # Errors
    /// An error in the text of the family, an exceeded time limit or another stop, or an error in
    /// the rules of the game.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::practice::{Practice, QuestionKind};
    /// let (reader, job) = (Reader::default(), Job::default());
    /// let mut practice = Practice::new("nim(3, 4, 5)", &[], Play::Normal, 0, 1, &reader)?;
    /// let exercise = practice.exercise(QuestionKind::Value, &job.limits())?.unwrap();
    /// assert_eq!(exercise.solved.position.to_string(), "nim(3, 4, 5)");
    /// // At level 0 this is the only position.
    /// assert!(practice.exercise(QuestionKind::Value, &job.limits())?.is_none());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn exercise(
        &mut self,
        wanted: QuestionKind,
        limits: &Limits<'_>,
    ) -> Result<Option<Exercise>, Diagnostic> {
        let within = Limits {
            positions: limits.positions.min(MAX_POSITIONS),
            ..*limits
        };
        // Nearly all random positions are won. Half of the outcome questions therefore ask for a
        // lost position, so that wins and losses are about equally frequent.
        let lost = wanted == QuestionKind::Outcome && self.random.bool();
        let mut other = None;
        for drawn in 0..MAX_DRAWS {
            limits.poll()?;
            // Some games have few lost positions, so the second half of the draws accepts any.
            let lost = lost && drawn < MAX_DRAWS / 2;
            let Some(solved) = self.draw(lost, &within)? else {
                continue;
            };
            let text = solved.position.to_string();
            if self.drawn_positions.contains(&text) {
                continue;
            }
            let beginnings = &solved.solution.beginnings;
            let fits = match wanted {
                QuestionKind::Outcome => true,
                QuestionKind::Value => solved.solution.grundy().is_some(),
                QuestionKind::Move => {
                    let written = |n| (1..=MAX_WINNING_MOVES).contains(&n);
                    let mut moves = beginnings.iter().map(|begun| begun.moves.len());
                    solved.solution.moves_complete && moves.any(written)
                }
            };
            if fits {
                self.drawn_positions.insert(text);
                let ask = wanted;
                return Ok(Some(Exercise { ask, solved }));
            }
            // The last position that does not fit the question `wanted` is kept as a fallback.
            other = Some((text, solved));
        }
        Ok(other.map(|(text, solved)| {
            self.drawn_positions.insert(text);
            let ask = QuestionKind::Outcome;
            Exercise { ask, solved }
        }))
    }

    /// Draws a position and solves it. Returns `None` if it is unsuitable for an exercise.
    ///
    /// If `lost` is `true` and the position is won, a position after a winning move replaces it.
    fn draw(&mut self, lost: bool, limits: &Limits<'_>) -> Result<Option<Solved>, Diagnostic> {
        let family = one_of(&self.families, &mut self.random);
        let Some(mut position) = family.position(&mut self.random, self.reader)? else {
            return Ok(None);
        };
        let [least, most] = family.moves;
        let made = least + below(most - least + 1, &mut self.random);
        // In a partizan game either player may have begun.
        let first = below(2, &mut self.random);
        for turn in first..first + made {
            let choices = moves(&position, turn, MAX_CHOICES)?;
            if choices.is_empty() {
                return Ok(None);
            }
            position = one_of(&choices, &mut self.random).to.clone();
        }
        let Some(solved) = self.solve(position, limits)? else {
            return Ok(None);
        };
        let won = solved.solution.outcome() == Outcome::N && !solved.solution.has_two_beginnings();
        let Some(winning) = solved.solution.beginnings[0].moves.first() else {
            return Ok(Some(solved));
        };
        // A winning move leads to a position that the next player loses.
        if lost && won {
            let after = winning.to.clone();
            return self.solve(after, limits);
        }
        Ok(Some(solved))
    }

    /// Solves a position. Returns `None` if the position is trivial, or if the solution exceeds the
    /// limits.
    fn solve(
        &mut self,
        position: Position,
        limits: &Limits<'_>,
    ) -> Result<Option<Solved>, Diagnostic> {
        // Both players need a move, and one of them a choice. Otherwise the question is trivial.
        let [one, other] = [moves(&position, 0, 2)?.len(), moves(&position, 1, 2)?.len()];
        if one == 0 || other == 0 || one + other < 3 {
            return Ok(None);
        }
        match self.solver.solve(&position, self.play, limits) {
            Ok(solution) => Ok(Some(Solved {
                position,
                play: self.play,
                solution,
                genus: None,
            })),
            Err(Stop::Positions(_) | Stop::Memory(_) | Stop::Overflow) => Ok(None),
            Err(stop) => Err(stop.into()),
        }
    }
}

/// Parses a family and the ranges of its variables, as the user has written them.
fn family(text: &str, ranges: &[String], level: u8) -> Result<Family, Diagnostic> {
    let expression = Expression::parse_or_guess(text).map_err(|error| with_source(error, text))?;
    let ranges: Vec<Range> = ranges
        .iter()
        .map(|range| Range::read(range))
        .collect::<Result<_, _>>()?;
    let variables = expression.variables();
    let ranged = |name: &&String| ranges.iter().any(|range| range.name == **name);
    if let Some(name) = variables.iter().find(|name| !ranged(name)) {
        let message = message!("the variable `{name}` has no range", name);
        let help = message!("add a range after the game: {name}=1..20", name);
        return Err(Diagnostic::new(Kind::Syntax, message).help(help));
    }
    let used = |range: &&Range| {
        variables.contains(&range.name) || text.contains(&Family::placeholder(&range.name))
    };
    if let Some(range) = ranges.iter().find(|range| !used(range)) {
        let message = message!(
            "the game does not contain the variable `{name}`",
            name = range.name
        );
        return Err(Diagnostic::new(Kind::Syntax, message));
    }
    // A position without variables is a starting position, from which random moves are made.
    let moves = [
        0,
        if ranges.is_empty() {
            usize::from(level)
        } else {
            0
        },
    ];
    Ok(Family {
        text: text.to_owned(),
        ranges,
        moves,
    })
}

/// Returns the names of the games for which exercises can be drawn.
///
/// ```
/// use grundy_play::practice::games;
/// assert!(games().any(|game| game == "kayles"));
/// assert!(games().all(|game| game != "chess"));
/// ```
pub fn games() -> impl Iterator<Item = &'static str> {
    CONSTRUCTORS.iter().map(|game| game.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_job::Job;

    /// Checks that every game has sources of positions at every level, and exercises of each kind
    /// that it allows.
    #[test]
    fn every_game_has_exercises_at_every_level() {
        assert!(starts().keys().all(|name| games().any(|game| game == name)));
        let (reader, job) = (Reader::default(), Job::default());
        for game in games() {
            for level in [0, 3, 6, HARDEST] {
                let mut practice =
                    Practice::new(game, &[], Play::Normal, level, 7, &reader).unwrap();
                assert!(
                    !practice.families.is_empty(),
                    "{game} has no positions of level {level}: add some to practice/starts.json"
                );
                for ask in QuestionKind::ALL {
                    let drawn = practice.exercise(ask, &job.limits()).unwrap();
                    let Some(exercise) = drawn else {
                        assert!(
                            // These games have too few positions for three exercises.
                            matches!(game, "tic_toe" | "tree" | "graph"),
                            "{game} has too few positions of level {level}: add some to practice/starts.json"
                        );
                        continue;
                    };
                    if exercise.ask == QuestionKind::Move {
                        let mut begun = exercise.solved.solution.beginnings.iter();
                        assert!(begun.any(|begun| !begun.moves.is_empty()), "{game}");
                    }
                }
            }
        }
    }

    /// Checks that both won and lost positions occur.
    #[test]
    fn outcomes_are_mixed() {
        let (reader, job) = (Reader::default(), Job::default());
        for game in ["nim", "kayles", "hackenbush", "wythoff"] {
            let mut practice = Practice::new(game, &[], Play::Normal, 5, 3, &reader).unwrap();
            let mut won = 0;
            for _ in 0..12 {
                let exercise = practice
                    .exercise(QuestionKind::Outcome, &job.limits())
                    .unwrap();
                let exercise = exercise.unwrap();
                won += usize::from(exercise.solved.solution.outcome() == Outcome::N);
            }
            // Without the correction for lost positions nearly all twelve would be won.
            assert!((2..=10).contains(&won), "{game}: {won}");
        }
    }

    /// Checks that the solution is judged right, and other answers wrong.
    #[test]
    fn answers_are_judged() {
        let (reader, job) = (Reader::default(), Job::default());
        for game in ["nim", "hackenbush", "domineering", "tic_tac_toe", "kayles"] {
            let mut practice = Practice::new(game, &[], Play::Normal, 2, 5, &reader).unwrap();
            for ask in QuestionKind::ALL {
                let exercise = practice.exercise(ask, &job.limits()).unwrap().unwrap();
                let judge = |answer: &str| exercise.judge(answer, Language::En).unwrap();
                assert_eq!(judge("no idea"), Judgement::Unread, "{game}");
                match exercise.ask {
                    QuestionKind::Outcome => {
                        let verdict = exercise.solved.solution.verdict().to_string();
                        assert_eq!(judge(&verdict), Judgement::Right);
                        assert_eq!(judge(&verdict.to_lowercase()), Judgement::Right);
                    }
                    QuestionKind::Value => {
                        let value = exercise.solved.solution.grundy().unwrap();
                        assert_eq!(judge(&value.to_string()), Judgement::Right);
                        assert_eq!(judge(&(value + 1).to_string()), Judgement::Wrong);
                    }
                    QuestionKind::Move => {
                        let begun = exercise.beginning();
                        let position = &exercise.solved.position;
                        let mut right = 0;
                        let moves = moves(position, begun.player as usize, 1000).unwrap();
                        for choice in &moves {
                            let at: Vec<String> = choice.mv.at.iter().map(u64::to_string).collect();
                            let at = format!("{}: {}", choice.component, at.join(" "));
                            right += usize::from(judge(&at) == Judgement::Right);
                        }
                        // Of several winning moves to the same position the solution lists one, so
                        // `right` can be larger.
                        assert!(right >= begun.moves.len(), "{game}: {position}");
                    }
                }
            }
        }
    }

    /// Checks that invalid families are rejected.
    #[test]
    fn families_are_checked() {
        let reader = Reader::default();
        let new = |game, ranges: &[&str]| {
            let ranges: Vec<String> = ranges.iter().map(|&range| range.to_owned()).collect();
            Practice::new(game, &ranges, Play::Normal, 3, 1, &reader).map(|_| ())
        };
        assert_eq!(new("nims", &[]).unwrap_err().kind, Kind::UnknownName);
        assert_eq!(new("nim", &["n=1..3"]).unwrap_err().kind, Kind::Syntax);
        assert_eq!(new("kayles(n)", &[]).unwrap_err().kind, Kind::Syntax);
        assert_eq!(
            new("kayles(3)", &["n=1..3"]).unwrap_err().kind,
            Kind::Syntax
        );
        assert_eq!(new("kayles(n)", &["n=1..3"]), Ok(()));
    }
}
