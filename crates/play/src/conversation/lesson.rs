//! A conversation that asks questions about positions of a game.
//!
//! Questions become harder after a right answer and easier after a wrong one.

use std::fmt::Write as _;

use grundy::step::Step;
use grundy::{Diagnostic, Play};
use grundy_wording::plain;

use super::{Conversation, Manner, Next};
use crate::opponent::Opponent;
use crate::practice::{Ask, Exercise, HARDEST, Judged, Practice};
use grundy_job::Job;
use grundy_job::Reader;

/// The level of the first question.
pub const FIRST_LEVEL: u8 = 2;

/// A series of questions, with the state of the conversation.
#[derive(Debug)]
pub struct Lesson<'a> {
    game: &'a str,
    ranges: &'a [String],
    ask: Ask,
    play: Play,
    manner: Manner,
    job: &'a Job,
    practice: Practice<'a>,
    level: u8,
    asked: u64,
    right: u64,
    at: Place,
}

/// The state of the conversation.
#[derive(Debug)]
enum Place {
    Greeting,
    Exercise,
    Answer(Box<Exercise>),
    Score,
    Over,
}

impl Conversation for Lesson<'_> {
    fn next(&mut self) -> Result<Next, Diagnostic> {
        let said = match self.at {
            Place::Greeting => {
                self.at = Place::Exercise;
                let rule = match self.play {
                    Play::Normal => String::new(),
                    Play::Misere => self.manner.say("exercises_misere"),
                };
                let greeting = Step::new("practice_greeting")
                    .with("game", self.game)
                    .with("rule", rule);
                self.manner.words(&greeting) + "\n"
            }
            Place::Exercise => self.pose()?,
            Place::Answer(_) => {
                return Ok(Next::Asked(format!(
                    "{}> ",
                    self.manner.say("practice_your_answer")
                )));
            }
            Place::Score => {
                self.at = Place::Over;
                let score = Step::new("practice_score")
                    .with("right", self.right)
                    .with("asked", self.asked);
                self.manner.words(&score) + "\n"
            }
            Place::Over => return Ok(Next::Over),
        };
        Ok(Next::Said(said))
    }

    fn hear(&mut self, line: &str) -> Result<String, Diagnostic> {
        // `Score` is the default, which quitting and errors leave unchanged. All other paths
        // overwrite it.
        let exercise = match std::mem::replace(&mut self.at, Place::Score) {
            Place::Answer(exercise) => exercise,
            other => {
                self.at = other;
                return Ok(String::new());
            }
        };
        let mut out = String::new();
        match line.trim() {
            "q" | "quit" | "exit" => return Ok(out),
            "" => {}
            "?" | "help" => {
                out += &self.manner.rules(&exercise.solved.position, self.play);
                let _ = writeln!(out, "{}", self.help());
            }
            written => match exercise.judge(written, self.manner.language)? {
                Judged::Unread => {
                    let _ = writeln!(out, "  {}", self.manner.say("practice_unread"));
                }
                judged => {
                    self.judged(&exercise, judged == Judged::Right, &mut out)?;
                    return Ok(out);
                }
            },
        }
        self.at = Place::Answer(exercise);
        Ok(out)
    }

    fn hang_up(&mut self) {
        self.at = Place::Score;
    }

    fn complaint(&self) -> String {
        self.manner.say("practice_unread")
    }
}

impl<'a> Lesson<'a> {
    /// Creates a lesson about a game, or about a family with the ranges of its variables. The first
    /// question has the given level. The other arguments are those of [`Practice::new`].
    ///
    /// # Errors
    /// The errors of [`Practice::new`].
    pub fn new(
        (game, ranges): (&'a str, &'a [String]),
        ask: Ask,
        play: Play,
        (level, seed): (u8, u64),
        manner: Manner,
        reader: &'a Reader,
        job: &'a Job,
    ) -> Result<Self, Diagnostic> {
        Ok(Self {
            game,
            ranges,
            ask,
            play,
            manner,
            job,
            practice: Practice::new(game, ranges, play, level, seed, reader)?,
            level,
            asked: 0,
            right: 0,
            at: Place::Greeting,
        })
    }

    /// Returns the text of the next question, or a message that no positions remain.
    fn pose(&mut self) -> Result<String, Diagnostic> {
        // This is the state if no exercise is found, or if drawing one fails.
        self.at = Place::Score;
        let limits = self.job.limits();
        let Some(exercise) = self.practice.exercise(self.ask, &limits)? else {
            return Ok(format!("\n{}\n", self.manner.say("practice_no_more")));
        };
        // Practice falls back to another question if no position fits the question wanted. A lesson
        // asks only one kind of question.
        if exercise.ask != self.ask {
            return Ok(format!("\n{}\n", self.manner.say("practice_not_asked")));
        }
        let number = Step::new("practice_number")
            .with("number", self.asked + 1)
            .with("level", u64::from(self.level));
        let board = self.manner.board(&exercise.solved.position, None);
        let question = exercise.question(self.manner.language);
        self.at = Place::Answer(Box::new(exercise));
        Ok(format!(
            "\n{}\n{board}{question}\n",
            self.manner.words(&number)
        ))
    }

    /// Reports whether an answer was right, shows the solution, and sets the level of the next
    /// question.
    fn judged(
        &mut self,
        exercise: &Exercise,
        right: bool,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (said, next) = if right {
            ("practice_right", self.level.saturating_add(1).min(HARDEST))
        } else {
            ("practice_wrong", self.level.saturating_sub(1))
        };
        let _ = writeln!(out, "  {}", self.manner.say(said));
        let (position, solution) = (&exercise.solved.position, &exercise.solved.solution);
        for line in plain::in_short(position, solution, self.manner.language).lines() {
            let _ = writeln!(out, "  {line}");
        }
        // The reasons are long, so they are printed only after a wrong answer.
        if !right {
            let mut opponent = Opponent::new(self.play, self.job.limits());
            let steps = opponent.why(position)?;
            out.push_str(&plain::numbered(&steps, self.manner.language));
        }
        self.asked += 1;
        self.right += u64::from(right);
        if next != self.level {
            self.level = next;
            self.practice
                .set_level(self.game, self.ranges, self.level)?;
        }
        self.at = Place::Exercise;
        Ok(())
    }

    fn help(&self) -> String {
        self.manner.say(match self.ask {
            Ask::Outcome => "practice_help_outcome",
            Ask::Value => "practice_help_value",
            Ask::Move => "practice_help_move",
        })
    }
}
