//! `value --born`: all values born by a given day, and their partial order.

use std::io::{self, Write};

use grundy::{Diagnostic, Kind, message};
use grundy_forms::Forms;
use grundy_wording::report::{AnySerialize, Report, Words, written};
use grundy_wording::{Audience, words};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::learned::Learned;
use crate::picture::{self, Picture};
use crate::question::BornQuestion;

/// The last day whose order is drawn. Day 3 has 1474 values, too many for a picture.
const DRAWN: u32 = 2;

/// The values born by a day.
#[derive(Clone, Debug, Serialize)]
pub struct Born {
    day: u32,
    count: usize,
    /// The values in the notation, in order of birthday.
    games: Vec<String>,
}

impl Report for Born {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, audience: Audience) -> String {
        written(|out| self.write_plain(out, audience))
    }

    /// Writes one value a line, in a form that every command accepts.
    fn write_plain(&self, out: &mut dyn Write, _: Audience) -> io::Result<()> {
        let mut games = self.games.iter();
        games.try_for_each(|game| writeln!(out, "literal(\"{game}\")"))
    }
}

impl Question for BornQuestion {
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }
}

fn answer(asked: &BornQuestion, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    if let Some(file) = &asked.svg {
        picture::allowed(analyst.files(), file)?;
        // The bound on the day is checked first, since the computation for day 3 takes long.
        if asked.day > DRAWN {
            let message = message!(
                "the order of the games of day {day} is too large for a picture",
                day = asked.day
            );
            let help = message!("days up to {day} are drawn", day = DRAWN);
            return Err(Diagnostic::new(Kind::Range, message).help(help));
        }
    }
    let limits = job.limits();
    let mut forms = Forms::default();
    let born = forms.born_by(asked.day, &limits)?;
    let written = born.iter().map(|&form| forms.write_within(form, &limits));
    let games = written.collect::<Result<Vec<String>, _>>()?;
    let drawn = picture::put(analyst.files(), asked.svg.as_deref(), || {
        let mut at_most = Vec::new();
        // The order is computed in full because `at_most` needs the forms, which the drawing
        // function does not have.
        for &one in &born {
            let row = born.iter().map(|&other| forms.at_most(one, other, &limits));
            at_most.push(row.collect::<Result<Vec<bool>, _>>()?);
        }
        let title = format!("day {}", asked.day);
        let svg = grundy_draw::order(&title, &games, &|a, b| at_most[a][b], false, &|step| {
            words(step, analyst.language())
        });
        Ok(Picture::svg(&title, svg))
    })?;
    let answer = Born {
        day: asked.day,
        count: born.len(),
        games,
    };
    Ok(drawn.map_or_else(|| Answer::new(answer), Answer::new))
}
