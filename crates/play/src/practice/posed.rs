//! A practice question and the result of checking its answer, as data.

use grundy::{Diagnostic, Kind, Play, message};
use grundy_draw::Look;
use grundy_wording::answer::{SolutionView, StepView};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, plain, words};
use serde::Serialize;

use super::{Ask, Judged, Practice};
use crate::board::shown;
use crate::opponent::Opponent;
use crate::playing::sides;
use grundy_job::{Job, Reader};

/// A question. If an answer was given, it also contains the result of checking the answer.
#[derive(Clone, Debug, Serialize)]
pub struct Posed {
    /// The position that the question is about.
    pub position: String,
    ask: Ask,
    question: String,
    mover: &'static str,
    svg: String,
    /// The possible answers, if there are few.
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

impl Report for Posed {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, _: Audience) -> String {
        let told = self.verdict.as_ref().map(|verdict| &verdict.text);
        format!("{}\n{}\n", self.position, told.unwrap_or(&self.question))
    }
}

/// The options of a practice question.
#[derive(Clone, Debug)]
pub struct PosedOptions<'a> {
    /// A game, or a position with free variables.
    pub game: &'a str,
    /// The ranges of the free variables, such as `n=3..12`.
    pub ranges: &'a [String],
    /// Normal or misère play.
    pub play: Play,
    /// The kind of the question. Another kind is chosen if no position allows it.
    pub ask: Ask,
    /// The difficulty, from 0 to [`HARDEST`](super::HARDEST).
    pub level: u8,
    /// The seed from which the position is drawn.
    pub seed: u64,
    /// The answer to check, if there is one.
    pub answer: Option<&'a str>,
}

/// Draws a question. If an answer is given, checks the answer.
///
/// # Errors
/// The errors of [`Practice::new`] and [`Practice::exercise`], or a level without a position.
pub fn posed(asked: &PosedOptions<'_>, reader: &Reader, job: &Job) -> Result<Posed, Diagnostic> {
    let (language, limits) = (reader.language(), job.limits());
    let (game, ranges) = (asked.game, asked.ranges);
    // The same seed draws the same exercise, so the question need not be stored until the answer
    // arrives.
    let practice = Practice::new(game, ranges, asked.play, asked.level, asked.seed, reader);
    let exercise = practice?.exercise(asked.ask, &limits)?.ok_or_else(|| {
        let message = message!("no suitable position of this game was found at this level");
        Diagnostic::new(Kind::Range, message).help(message!("choose another level"))
    })?;
    let solved = &exercise.solved;
    let position = &solved.position;
    let pictured = shown(position, None, language);
    let look = Look {
        labels: true,
        ..Look::default()
    };
    let verdict = asked.answer.map(|said| {
        let judged = exercise.judge(said, language)?;
        // An answer that was not understood must not reveal the solution.
        let told = judged != Judged::Unread;
        let mut opponent = Opponent::new(asked.play, limits);
        let steps = told.then(|| opponent.why(position)).transpose()?;
        let text = match judged {
            Judged::Unread => words(&grundy::step::Step::new("practice_unread"), language),
            _ => plain::in_short(position, &solved.solution, language),
        };
        Ok::<_, Diagnostic>(VerdictView {
            judged: match judged {
                Judged::Right => "right",
                Judged::Wrong => "wrong",
                Judged::Unread => "unread",
            },
            text,
            solution: told.then(|| solved.view()),
            steps: steps.map(|steps| {
                let steps = steps.iter();
                steps.map(|step| StepView::new(step, language)).collect()
            }),
        })
    });
    Ok(Posed {
        position: position.to_string(),
        ask: exercise.ask,
        question: exercise.question(language),
        mover: exercise.beginning().player.of(sides(position)),
        svg: grundy_draw::svg(&pictured, &look, &|step| words(step, language)),
        choices: exercise.choices(),
        verdict: verdict.transpose()?,
    })
}
