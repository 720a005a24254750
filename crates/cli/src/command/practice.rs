//! `grundy play --practice`: questions about positions of a game, one after the other, harder after a right answer and easier
//! after a wrong one.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use grundy::step::Step;
use grundy::{Diagnostic, Kind, Play, message};
use grundy_analysis::Opponent;
use grundy_analysis::draw::{self, TerminalLook};
use grundy_analysis::practice::{Ask, Exercise, HARDEST, Judged, Practice};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{help, plain};

use crate::arguments::{Common, PlayArgs, text};
use crate::asked;
use crate::failure::Failure;
use crate::outside;
use crate::session::Session;

/// Where the questions begin.
const FIRST_LEVEL: u8 = 2;

pub(crate) fn run(
    ask: Ask,
    arguments: &PlayArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let Some(game) = &arguments.source.expr else {
        return Err(Diagnostic::new(Kind::Syntax, message!("a game is missing"))
            .help(message!(
                "name one, such as nim, or a family with its ranges: kayles(n) n=3..12"
            ))
            .into());
    };
    let lesson = Lesson {
        game: text(game)?,
        ranges: &arguments.ranges,
        ask,
        ascii: arguments.ascii,
        common,
        session,
    };
    let level = arguments.level.unwrap_or(FIRST_LEVEL);
    lesson.run(level, &mut io::stdin().lock(), &mut outside::coloured())?;
    Ok(ExitCode::SUCCESS)
}

struct Lesson<'a> {
    game: &'a str,
    ranges: &'a [String],
    ask: Ask,
    ascii: bool,
    common: &'a Common,
    session: &'a Session,
}

/// What came of a question.
enum Answered {
    Right,
    Wrong,
    Quit,
}

impl Lesson<'_> {
    fn run(
        &self,
        mut level: u8,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let analyst = &self.session.analyst;
        let (play, seed) = (self.common.play(), asked::any_seed());
        let mut practice = Practice::new(self.game, self.ranges, play, level, seed, analyst)?;
        let rule = match play {
            Play::Normal => String::new(),
            Play::Misere => self.say("exercises_misere"),
        };
        let greeting = Step::new("practice_greeting")
            .with("game", self.game)
            .with("rule", rule);
        writeln!(out, "{}", self.words(&greeting))?;
        let (mut asked, mut right) = (0u64, 0u64);
        loop {
            let limits = self.session.job.limits();
            let Some(exercise) = practice.exercise(self.ask, &limits)? else {
                writeln!(out, "\n{}", self.say("practice_no_more"))?;
                break;
            };
            if exercise.ask != self.ask {
                writeln!(out, "\n{}", self.say("practice_not_asked"))?;
                break;
            }
            let number = Step::new("practice_number")
                .with("number", asked + 1)
                .with("level", u64::from(level));
            writeln!(out, "\n{}", self.words(&number))?;
            let answered = self.ask(&exercise, input, out)?;
            let next = match answered {
                Answered::Quit => break,
                Answered::Right => level.saturating_add(1).min(HARDEST),
                Answered::Wrong => level.saturating_sub(1),
            };
            asked += 1;
            right += u64::from(matches!(answered, Answered::Right));
            if next != level {
                level = next;
                practice.set_level(self.game, self.ranges, level)?;
            }
        }
        let score = Step::new("practice_score")
            .with("right", right)
            .with("asked", asked);
        writeln!(out, "{}", self.words(&score))?;
        Ok(())
    }

    fn say(&self, code: &'static str) -> String {
        phrase(code, self.common.language())
    }

    fn words(&self, step: &Step) -> String {
        words(step, self.common.language())
    }

    /// Shows a position, and asks until there is an answer.
    fn ask(
        &self,
        exercise: &Exercise,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Answered, Failure> {
        let language = self.common.language();
        let position = &exercise.solved.position;
        let look = TerminalLook {
            ascii: self.ascii,
            colour: true,
            ..TerminalLook::default()
        };
        out.write_all(draw::board(position, look, language).as_bytes())?;
        writeln!(out, "{}", exercise.question(language))?;
        let judged = loop {
            write!(out, "{}> ", self.say("practice_your_answer"))?;
            out.flush()?;
            let Some(line) = outside::line(input, &self.say("practice_unread"), out)? else {
                return Ok(Answered::Quit);
            };
            match line.trim() {
                "" => {}
                "q" | "quit" | "exit" => return Ok(Answered::Quit),
                "?" | "help" => {
                    let names = position.terms().iter().map(|term| term.name());
                    let rules = help::rules(names, self.common.play(), language);
                    if !rules.is_empty() {
                        writeln!(out, "{rules}\n")?;
                    }
                    writeln!(out, "{}", self.help())?;
                }
                written => {
                    let judged = exercise.judge(written, language)?;
                    if judged != Judged::Unread {
                        break judged;
                    }
                    writeln!(out, "  {}", self.say("practice_unread"))?;
                }
            }
        };
        let right = judged == Judged::Right;
        let said = self.say(if right {
            "practice_right"
        } else {
            "practice_wrong"
        });
        writeln!(out, "  {said}")?;
        let solution = &exercise.solved.solution;
        for line in plain::in_short(position, solution, language).lines() {
            writeln!(out, "  {line}")?;
        }
        if !right {
            self.why(exercise, out)?;
        }
        Ok(if right {
            Answered::Right
        } else {
            Answered::Wrong
        })
    }

    fn help(&self) -> String {
        self.say(match self.ask {
            Ask::Outcome => "practice_help_outcome",
            Ask::Value => "practice_help_value",
            Ask::Move => "practice_help_move",
        })
    }

    /// Why the answer is what it is.
    fn why(&self, exercise: &Exercise, out: &mut impl Write) -> Result<(), Failure> {
        let mut opponent = Opponent::new(self.common.play(), self.session.job.limits());
        let steps = opponent.why(&exercise.solved.position)?;
        out.write_all(plain::numbered(&steps, self.common.language()).as_bytes())?;
        Ok(())
    }
}
