//! `value --born`: all values born by a given day, with their partial order.

use std::io::{self, Write};

use grundy_core::{Diagnostic, Kind, message};
use grundy_forms::Forms;
use grundy_wording::report::{AnySerialize, Report, Words, to_text};
use grundy_wording::{Audience, words};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::picture::{self, Picture};
use crate::question::BornQuestion;
use crate::result_cache::ResultCache;

/// The last day for which the partial order of the values is drawn. By day 3 there are 1474 values,
/// too many for a picture.
const LAST_DRAWN_DAY: u32 = 2;

/// All values born by a given day.
#[derive(Clone, Debug, Serialize)]
pub struct Born {
    day: u32,
    count: usize,
    /// The values in the notation. Those with an earlier birthday come first.
    games: Vec<String>,
}

impl Report for Born {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, audience: Audience) -> String {
        to_text(|out| self.write_plain(out, audience))
    }

    /// Writes one value per line, in a notation that every command accepts.
    fn write_plain(&self, out: &mut dyn Write, _: Audience) -> io::Result<()> {
        let mut games = self.games.iter();
        games.try_for_each(|game| writeln!(out, "literal(\"{game}\")"))
    }
}

impl Question for BornQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }
}

fn answer(question: &BornQuestion, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    if let Some(file) = &question.svg {
        picture::allowed(analyst.files(), file)?;
        // The computation for day 3 takes long, so a picture of it is rejected first.
        if question.day > LAST_DRAWN_DAY {
            let message = message!(
                "the partial order of the games born by day {day} is too large for a picture",
                day = question.day
            );
            let help = message!("choose a day of at most {day}", day = LAST_DRAWN_DAY);
            return Err(Diagnostic::new(Kind::Range, message).help(help));
        }
    }
    let limits = job.limits();
    let mut forms = Forms::default();
    let born = forms.born_by(question.day, &limits)?;
    let written = born.iter().map(|&form| forms.write_within(form, &limits));
    let games = written.collect::<Result<Vec<String>, _>>()?;
    let drawn = picture::put(analyst.files(), question.svg.as_deref(), || {
        let mut at_most = Vec::new();
        // All pairs are compared here, since the drawing function does not have the forms.
        for &one in &born {
            let row = born.iter().map(|&other| forms.at_most(one, other, &limits));
            at_most.push(row.collect::<Result<Vec<bool>, _>>()?);
        }
        let title = format!("day {}", question.day);
        let svg = grundy_draw::order(&title, &games, &|a, b| at_most[a][b], false, &|step| {
            words(step, analyst.language())
        });
        Ok(Picture::svg(&title, svg))
    })?;
    let answer = Born {
        day: question.day,
        count: born.len(),
        games,
    };
    Ok(drawn.map_or_else(|| Answer::new(answer), Answer::new))
}
