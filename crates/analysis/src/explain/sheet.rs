//! An argument with its pictures, for separate files or a single page.

use std::path::{Path, PathBuf};

use grundy::Diagnostic;
use grundy_draw::Say;
use grundy_wording::plain::{ToldStep, outline};
use grundy_wording::words;

use super::{Explained, pictures as step_pictures};
use crate::analyst::Analyst;
use crate::draw;
use crate::job::Job;
use crate::question::{Draw, Explain};

/// A step and its picture.
pub(super) struct Shown<'a> {
    pub(super) told: ToldStep<'a>,
    pub(super) svg: Option<String>,
}

/// An argument with all its pictures.
pub(super) struct Sheet<'a> {
    pub(super) explained: &'a Explained,
    /// The picture of the position.
    pub(super) position: String,
    /// All steps except the first, which is part of the answer.
    pub(super) steps: Vec<Shown<'a>>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(
        explained: &'a Explained,
        asked: &Explain,
        analyst: &Analyst,
        job: &Job,
    ) -> Result<Self, Diagnostic> {
        let language = analyst.language();
        let say: Say<'_> = &|step| words(step, language);
        let (position, steps) = (&explained.solved.position, &explained.steps[1..]);
        let drawing = Draw {
            source: asked.source.clone(),
            play: asked.play,
            ..Draw::default()
        };
        // A game graph that is too large to draw is shown in the notation.
        let start = match draw::answer(&drawing, analyst, job) {
            Ok(drawn) => drawn.picture,
            Err(error) if error.kind == grundy::Kind::Limit => grundy_draw::position(position, say),
            Err(error) => return Err(error),
        };
        let drawn = step_pictures::of_steps(position, asked.play, steps, analyst, &job.limits());
        let told = outline(steps, language).into_iter().zip(drawn);
        Ok(Self {
            explained,
            position: start,
            steps: told
                .map(|(told, picture)| Shown {
                    svg: picture.map(|it| grundy_draw::step::svg(&it, told.sentence.trim(), say)),
                    told,
                })
                .collect(),
        })
    }

    /// Returns the file of each picture, named by the number and code of its step. Further files of
    /// the same name get a number.
    pub(super) fn files(&self, folder: &Path) -> Vec<(PathBuf, &str)> {
        let mut files = vec![(folder.join("00-position.svg"), &self.position[..])];
        let mut number = 0;
        for Shown { told, svg } in &self.steps {
            // Steps without a number continue the previous step, so their files sort behind it.
            number = told.number.unwrap_or(number);
            let Some(svg) = svg else { continue };
            let code = told.step.code.replace('_', "-");
            let mut file = folder.join(format!("{number:02}-{code}.svg"));
            let mut again = 1;
            while files.iter().any(|(other, _)| *other == file) {
                again += 1;
                file = folder.join(format!("{number:02}-{code}-{again}.svg"));
            }
            files.push((file, svg));
        }
        files
    }
}
