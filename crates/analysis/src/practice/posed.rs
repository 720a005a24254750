//! A question to somebody who practises, and the verdict on what they say, as data.

use grundy::{Diagnostic, Kind, message};
use grundy_draw::Look;
use grundy_notation::answer::{SolutionView, StepView};
use grundy_notation::wording::words;
use grundy_notation::{Language, plain};
use serde::Serialize;

use super::{Judged, Practice};
use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::draw::shown;
use crate::job::Job;
use crate::learned::Learned;
use crate::opponent::Opponent;
use crate::playing::sides;
use crate::question::{Ask, Practise};
use crate::report::{AnySerialize, Report, Words};

/// A question, with what was said to it where somebody did.
#[derive(Clone, Debug, Serialize)]
pub struct Posed {
    /// The position that it is about.
    pub position: String,
    ask: Ask,
    question: String,
    mover: &'static str,
    svg: String,
    /// The answers there are, where they are few.
    choices: Vec<&'static str>,
    #[serde(flatten)]
    verdict: Option<VerdictView>,
}

/// What an answer is worth, and why.
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

    fn plain(&self, _: Language) -> String {
        let told = self.verdict.as_ref().map(|verdict| &verdict.text);
        format!("{}\n{}\n", self.position, told.unwrap_or(&self.question))
    }
}

impl Question for Practise {
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }
}

fn answer(asked: &Practise, analyst: &Analyst, job: &Job) -> Result<Posed, Diagnostic> {
    let (language, limits) = (analyst.language(), job.limits());
    let (game, ranges) = (&asked.game[..], &asked.ranges[..]);
    let practice = Practice::new(game, ranges, asked.play, asked.level, asked.seed, analyst);
    let exercise = practice?.exercise(asked.ask, &limits)?.ok_or_else(|| {
        let message = message!("there is no position of this game at this level to be asked about");
        Diagnostic::new(Kind::Range, message).help(message!("take another level"))
    })?;
    let solved = &exercise.solved;
    let position = &solved.position;
    let pictured = shown(position, None, language);
    let look = Look {
        labels: true,
        ..Look::default()
    };
    let verdict = asked.answer.as_deref().map(|said| {
        let judged = exercise.judge(said, language)?;
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
