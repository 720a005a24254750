//! A conversation that asks questions about positions of a game.
//!
//! Questions become harder after a right answer and easier after a wrong one.

use std::fmt::Write as _;

use grundy_core::step::Step;
use grundy_core::{Diagnostic, Play};
use grundy_wording::plain;

use super::{Conversation, Event, Style};
use crate::opponent::Opponent;
use crate::practice::{Exercise, HARDEST, Judgement, Practice, QuestionKind};
use grundy_job::Job;
use grundy_job::Reader;

/// The level of the first question.
pub const FIRST_LEVEL: u8 = 2;

/// A series of questions, with the state of the conversation.
#[derive(Debug)]
pub struct Lesson<'a> {
    game: &'a str,
    ranges: &'a [String],
    ask: QuestionKind,
    play: Play,
    style: Style,
    job: &'a Job,
    practice: Practice<'a>,
    level: u8,
    questions: u64,
    right: u64,
    state: State,
}

/// The state of the conversation.
#[derive(Debug)]
enum State {
    Greeting,
    Exercise,
    Answer(Box<Exercise>),
    Score,
    Over,
}

impl Conversation for Lesson<'_> {
    fn next(&mut self) -> Result<Event, Diagnostic> {
        let said = match self.state {
            State::Greeting => {
                self.state = State::Exercise;
                let rule = match self.play {
                    Play::Normal => String::new(),
                    Play::Misere => self.style.say("exercises_misere"),
                };
                let greeting = Step::new("practice_greeting")
                    .with("game", self.game)
                    .with("rule", rule);
                self.style.words(&greeting) + "\n"
            }
            State::Exercise => self.next_question()?,
            State::Answer(_) => {
                return Ok(Event::Prompt(format!(
                    "{}> ",
                    self.style.say("practice_your_answer")
                )));
            }
            State::Score => {
                self.state = State::Over;
                let score = Step::new("practice_score")
                    .with("right", self.right)
                    .with("asked", self.questions);
                self.style.words(&score) + "\n"
            }
            State::Over => return Ok(Event::End),
        };
        Ok(Event::Output(said))
    }

    fn respond(&mut self, line: &str) -> Result<String, Diagnostic> {
        // `Score` is the default, which quitting and errors leave unchanged. All other paths
        // overwrite it.
        let exercise = match std::mem::replace(&mut self.state, State::Score) {
            State::Answer(exercise) => exercise,
            other => {
                self.state = other;
                return Ok(String::new());
            }
        };
        let mut out = String::new();
        match line.trim() {
            "q" | "quit" | "exit" => return Ok(out),
            "" => {}
            "?" | "help" => {
                out += &self.style.rules(&exercise.solved.position, self.play);
                let _ = writeln!(out, "{}", self.help());
            }
            written => match exercise.judge(written, self.style.language)? {
                Judgement::Unread => {
                    let _ = writeln!(out, "  {}", self.style.say("practice_unread"));
                }
                judged => {
                    self.show_judgement(&exercise, judged == Judgement::Right, &mut out)?;
                    return Ok(out);
                }
            },
        }
        self.state = State::Answer(exercise);
        Ok(out)
    }

    fn end_input(&mut self) {
        self.state = State::Score;
    }

    fn invalid_line_response(&self) -> String {
        self.style.say("practice_unread")
    }
}

impl<'a> Lesson<'a> {
    /// Creates a lesson about a game, or about a family with the ranges of its variables. The first
    /// question has the given level. The other arguments are those of [`Practice::new`].
    ///
    /// # Errors
    /// The errors of [`Practice::new`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Play;
    /// use grundy_job::{Job, Reader};
    /// use grundy_play::conversation::{Conversation, Event, FIRST_LEVEL, Lesson, Style};
    /// use grundy_play::practice::QuestionKind;
    /// let (reader, job, at) = (Reader::default(), Job::default(), (FIRST_LEVEL, 1));
    /// let (ask, style) = (QuestionKind::Value, Style::default());
    /// let mut lesson = Lesson::new(("kayles", &[]), ask, Play::Normal, at, style, &reader, &job)?;
    /// let Event::Output(greeting) = lesson.next()? else { panic!("a lesson has a greeting") };
    /// assert!(greeting.starts_with("Questions about kayles."));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn new(
        (game, ranges): (&'a str, &'a [String]),
        ask: QuestionKind,
        play: Play,
        (level, seed): (u8, u64),
        style: Style,
        reader: &'a Reader,
        job: &'a Job,
    ) -> Result<Self, Diagnostic> {
        Ok(Self {
            game,
            ranges,
            ask,
            play,
            style,
            job,
            practice: Practice::new(game, ranges, play, level, seed, reader)?,
            level,
            questions: 0,
            right: 0,
            state: State::Greeting,
        })
    }

    /// Returns the text of the next question, or a message that no positions remain.
    fn next_question(&mut self) -> Result<String, Diagnostic> {
        // This is the state if no exercise is found, or if drawing one fails.
        self.state = State::Score;
        let limits = self.job.limits();
        let Some(exercise) = self.practice.exercise(self.ask, &limits)? else {
            return Ok(format!("\n{}\n", self.style.say("practice_no_more")));
        };
        // Practice falls back to another question if no position fits the question wanted. A lesson
        // asks only one kind of question.
        if exercise.ask != self.ask {
            return Ok(format!("\n{}\n", self.style.say("practice_not_asked")));
        }
        let number = Step::new("practice_number")
            .with("number", self.questions + 1)
            .with("level", u64::from(self.level));
        let board = self.style.board(&exercise.solved.position, None);
        let question = exercise.question(self.style.language);
        self.state = State::Answer(Box::new(exercise));
        Ok(format!(
            "\n{}\n{board}{question}\n",
            self.style.words(&number)
        ))
    }

    /// Writes whether an answer was right, then the solution, and sets the level of the next
    /// question.
    fn show_judgement(
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
        let _ = writeln!(out, "  {}", self.style.say(said));
        let (position, solution) = (&exercise.solved.position, &exercise.solved.solution);
        for line in plain::short_answer(position, solution, self.style.language).lines() {
            let _ = writeln!(out, "  {line}");
        }
        // The reasons are long, so they are printed only after a wrong answer.
        if !right {
            let mut opponent = Opponent::new(self.play, self.job.limits());
            let steps = opponent.why(position)?;
            out.push_str(&plain::numbered(&steps, self.style.language));
        }
        self.questions += 1;
        self.right += u64::from(right);
        if next != self.level {
            self.level = next;
            self.practice
                .set_level(self.game, self.ranges, self.level)?;
        }
        self.state = State::Exercise;
        Ok(())
    }

    fn help(&self) -> String {
        self.style.say(match self.ask {
            QuestionKind::Outcome => "practice_help_outcome",
            QuestionKind::Value => "practice_help_value",
            QuestionKind::Move => "practice_help_move",
        })
    }
}
