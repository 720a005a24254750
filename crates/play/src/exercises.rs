//! Sheets of exercises with separate answers, as the command `exercises` prints them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use grundy_core::message::{Command, Setting};
use grundy_core::ruleset::Ends;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Play};
use grundy_wording::answer::{DisplayText, SolutionView};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, help, phrase, plain, words};
use serde::{Deserialize, Serialize};

use crate::practice::{Exercise, Practice, QuestionKind};
use grundy_job::{Job, Reader};

/// The options of a sheet.
#[derive(Clone, Debug)]
pub struct SheetOptions {
    /// A game, or a position with free variables.
    pub game: String,
    /// The ranges of the free variables, such as `n=3..12`.
    pub ranges: Vec<String>,
    /// The number of exercises.
    pub count: u64,
    /// The difficulty, from 0 to [`HARDEST`](crate::practice::HARDEST).
    pub level: u8,
    /// The seed of the random draws.
    pub seed: u64,
    /// The only part that is printed. `None` prints both parts.
    pub only: Option<SheetPart>,
    /// Normal or misère play.
    pub play: Play,
}

/// The parts of a sheet of exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum SheetPart {
    /// The questions
    Questions,
    /// The answers
    Answers,
}

/// A sheet of exercises.
#[derive(Clone, Debug)]
pub struct Sheet {
    options: SheetOptions,
    /// The rule file that was in use when the sheet was drawn.
    rules: Option<PathBuf>,
    exercises: Vec<Exercise>,
}

#[derive(Serialize)]
struct SheetView<'a> {
    game: &'a str,
    play: DisplayText<Play>,
    level: u8,
    seed: u64,
    exercises: Vec<ExerciseView>,
}

#[derive(Serialize)]
struct ExerciseView {
    position: String,
    ask: QuestionKind,
    question: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<SolutionView>,
}

impl Report for Sheet {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let language = words.language();
        let answers = self.options.only != Some(SheetPart::Questions);
        let exercises = self.exercises.iter().map(|exercise| ExerciseView {
            position: exercise.solved.position.to_string(),
            ask: exercise.ask,
            question: exercise.written_question(language),
            answer: answers.then(|| exercise.solved.view()),
        });
        let view = SheetView {
            game: &self.options.game,
            play: DisplayText(self.options.play),
            level: self.options.level,
            seed: self.options.seed,
            exercises: exercises.collect(),
        };
        Box::new(view)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let mut out = String::new();
        let part = self.options.only;
        if part != Some(SheetPart::Answers) {
            let _ = writeln!(out, "{}\n", self.heading("exercises_title", language));
            let name = help::plain_name(&self.options.game);
            let rules = help::rules([&name[..]], self.options.play, language);
            if !rules.is_empty() {
                let _ = writeln!(out, "{rules}\n");
            }
            if let Some(game) = help::game(&name, language) {
                let written = Step::new("exercises_written")
                    .with("signature", game.signature)
                    .with("arguments", game.arguments);
                let _ = writeln!(out, "{}\n", help::paragraph(&words(&written, language)));
            }
            self.numbered(&mut out, |exercise| {
                let question = exercise.written_question(language);
                format!("{}\n{question}", exercise.solved.position)
            });
            if (self.exercises.len() as u64) < self.options.count {
                let _ = writeln!(out, "{}\n", phrase("exercises_no_more", language));
            }
        }
        if part != Some(SheetPart::Questions) {
            let _ = writeln!(out, "{}\n", self.heading("exercises_answers", language));
            self.numbered(&mut out, |exercise| {
                let solved = &exercise.solved;
                plain::short_answer(&solved.position, &solved.solution, language)
            });
        }
        let again = Step::new("exercises_again").with("command", self.command());
        let _ = writeln!(out, "{}", words(&again, language));
        out
    }
}

impl Sheet {
    fn heading(&self, code: &'static str, language: Language) -> String {
        let payoff = |exercise: &Exercise| exercise.solved.solution.nature.ends == Ends::Payoff;
        let rule = match self.options.play {
            // In these games the payoff at the end decides, not who makes the last move.
            _ if self.exercises.iter().all(payoff) => String::new(),
            Play::Normal => phrase("exercises_normal", language),
            Play::Misere => phrase("exercises_misere", language),
        };
        let heading = Step::new(code)
            .with("game", self.options.game.clone())
            .with("level", u64::from(self.options.level))
            .with("rule", rule);
        words(&heading, language)
    }

    /// Appends a numbered paragraph for each exercise. The text of the paragraph is that which
    /// `say` returns for the exercise.
    fn numbered(&self, out: &mut String, say: impl Fn(&Exercise) -> String) {
        for (number, exercise) in self.exercises.iter().enumerate() {
            for (at, line) in say(exercise).lines().enumerate() {
                let head = match at {
                    0 => format!("{:>3}.", number + 1),
                    _ => "    ".to_owned(),
                };
                let _ = writeln!(out, "{head} {line}");
            }
            out.push('\n');
        }
    }

    /// Returns the command that reproduces this sheet.
    fn command(&self) -> String {
        let options = &self.options;
        let mut command = Command::new("exercises");
        // Both kinds of quotes may delimit a row of a board. Single quotes need no escape in a
        // shell argument in double quotes.
        command = command.argument("game", options.game.replace('"', "'"));
        for range in &options.ranges {
            command = command.argument("ranges", range);
        }
        command = command
            .with(Setting::new("count").set_to(options.count.to_string()))
            .with(Setting::new("level").set_to(options.level.to_string()))
            .with(Setting::new("seed").set_to(options.seed.to_string()));
        if options.play == Play::Misere {
            command = command.with(Setting::new("play").set_to("misere"));
        }
        if let Some(rules) = &self.rules {
            let rules = rules.display().to_string();
            command = command.with(Setting::new("rules").set_to(rules));
        }
        command.command_line_form()
    }
}

/// Generates a sheet of random exercises.
///
/// # Errors
/// The errors of [`Practice::new`] and [`Practice::exercise`].
///
/// # Examples
/// ```
/// use grundy_core::Play;
/// use grundy_job::{Job, Reader};
/// use grundy_play::exercises::{SheetOptions, SheetPart, sheet};
/// use grundy_wording::{Audience, report::Report};
/// let (game, ranges) = ("kayles(n)".to_owned(), vec!["n=3..12".to_owned()]);
/// let (play, only) = (Play::Normal, Some(SheetPart::Answers));
/// let options = SheetOptions { game, ranges, count: 3, level: 2, seed: 1, only, play };
/// let text = sheet(options, &Reader::default(), &Job::default())?.plain(Audience::default());
/// assert_eq!(text.matches("Grundy value").count(), 3);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn sheet(options: SheetOptions, reader: &Reader, job: &Job) -> Result<Sheet, Diagnostic> {
    let (game, ranges) = (&options.game, &options.ranges);
    let mut practice = Practice::new(
        game,
        ranges,
        options.play,
        options.level,
        options.seed,
        reader,
    )?;
    let mut exercises = Vec::new();
    for number in 0..options.count {
        // The kinds of questions alternate. If a position does not allow the question, `exercise`
        // asks for the outcome instead.
        let wanted = QuestionKind::ALL[(number % 3) as usize];
        let Some(exercise) = practice.exercise(wanted, &job.limits())? else {
            break;
        };
        exercises.push(exercise);
    }
    Ok(Sheet {
        options,
        rules: reader.rules_path().map(Path::to_owned),
        exercises,
    })
}
