//! A practice question and the result of checking its answer, as data.

use grundy_core::{Diagnostic, Kind, Play, message};
use grundy_draw::PictureStyle;
use grundy_wording::answer::{SolutionView, StepView};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, plain, words};
use serde::Serialize;

use super::{Judgement, Practice, QuestionKind};
use crate::board::shown;
use crate::opponent::Opponent;
use crate::playing::player_names;
use grundy_job::{Job, Reader};

/// A question. If an answer was given, it also contains the result of checking the answer.
#[derive(Clone, Debug, Serialize)]
pub struct PracticeQuestion {
    /// The position that the question is about.
    pub position: String,
    ask: QuestionKind,
    question: String,
    mover: &'static str,
    svg: String,
    /// The possible answers to a question about the outcome. For other kinds of questions, the list
    /// is empty.
    choices: Vec<&'static str>,
    #[serde(flatten)]
    verdict: Option<VerdictView>,
}

/// The result of checking an answer, with the reasons.
#[derive(Clone, Debug, Serialize)]
struct VerdictView {
    judged: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<SolutionView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

impl Report for PracticeQuestion {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, _: Audience) -> String {
        let text = self.verdict.as_ref().map(|verdict| &verdict.text);
        format!("{}\n{}\n", self.position, text.unwrap_or(&self.question))
    }
}

/// The options of a practice question.
#[derive(Clone, Debug)]
pub struct PracticeOptions<'a> {
    /// A game, or a position with free variables.
    pub game: &'a str,
    /// The ranges of the free variables, such as `n=3..12`.
    pub ranges: &'a [String],
    /// Normal or misère play.
    pub play: Play,
    /// The kind of the question. Another kind is chosen if no position allows it.
    pub ask: QuestionKind,
    /// The difficulty, from 0 to [`HARDEST`](super::HARDEST).
    pub level: u8,
    /// The seed from which the position is drawn.
    pub seed: u64,
    /// The answer to check, if there is one.
    pub answer: Option<&'a str>,
}

/// Generates a question about a random position. If an answer is given, checks the answer.
///
/// # Errors
/// The errors of [`Practice::new`] and [`Practice::exercise`], or a level at which no suitable
/// position was found.
///
/// # Examples
/// ```
/// use grundy_core::Play;
/// use grundy_job::{Job, Reader};
/// use grundy_play::practice::{PracticeOptions, QuestionKind, practice_question};
/// use grundy_wording::{Audience, report::Report};
/// let (game, ask, play) = ("nim(3, 4, 5)", QuestionKind::Value, Play::Normal);
/// let answer = Some("2");
/// let options = PracticeOptions { game, ranges: &[], play, ask, level: 0, seed: 1, answer };
/// let question = practice_question(&options, &Reader::default(), &Job::default())?;
/// let text = question.plain(Audience::default());
/// assert!(text.starts_with("nim(3, 4, 5)\nN: the next player wins; Grundy value: 2\n"));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn practice_question(
    options: &PracticeOptions<'_>,
    reader: &Reader,
    job: &Job,
) -> Result<PracticeQuestion, Diagnostic> {
    let (language, limits) = (reader.language(), job.limits());
    let (game, ranges) = (options.game, options.ranges);
    // The same seed draws the same exercise, so the question need not be stored until the answer
    // arrives.
    let practice = Practice::new(
        game,
        ranges,
        options.play,
        options.level,
        options.seed,
        reader,
    );
    let exercise = practice?.exercise(options.ask, &limits)?.ok_or_else(|| {
        let message = message!("no position of this game that is suitable for an exercise was found at this level of difficulty");
        Diagnostic::new(Kind::Range, message).help(message!("choose another level"))
    })?;
    let solved = &exercise.solved;
    let position = &solved.position;
    let terms = shown(position, None, language);
    let look = PictureStyle {
        labels: true,
        ..PictureStyle::default()
    };
    let verdict = options.answer.map(|answer| {
        let judged = exercise.judge(answer, language)?;
        // An answer that was not understood must not reveal the solution.
        let understood = judged != Judgement::Unread;
        let mut opponent = Opponent::new(options.play, limits);
        let steps = understood.then(|| opponent.why(position)).transpose()?;
        let text = match judged {
            Judgement::Unread => words(&grundy_core::step::Step::new("practice_unread"), language),
            _ => plain::short_answer(position, &solved.solution, language),
        };
        Ok::<_, Diagnostic>(VerdictView {
            judged: match judged {
                Judgement::Right => "right",
                Judgement::Wrong => "wrong",
                Judgement::Unread => "unread",
            },
            text,
            solution: understood.then(|| solved.view()),
            steps: steps.map(|steps| {
                let steps = steps.iter();
                steps.map(|step| StepView::new(step, language)).collect()
            }),
        })
    });
    Ok(PracticeQuestion {
        position: position.to_string(),
        ask: exercise.ask,
        question: exercise.question(language),
        mover: exercise.beginning().player.of(player_names(position)),
        svg: grundy_draw::svg(&terms, &look, &|step| words(step, language)),
        choices: exercise.choices(),
        verdict: verdict.transpose()?,
    })
}
