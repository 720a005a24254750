//! An argument with its pictures: one file a picture, or one page with everything.

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

/// A step as it is told, and its picture.
pub(super) struct Shown<'a> {
    pub(super) told: ToldStep<'a>,
    pub(super) svg: Option<String>,
}

/// The argument, drawn.
pub(super) struct Sheet<'a> {
    pub(super) explained: &'a Explained,
    /// The position.
    pub(super) position: String,
    /// All steps but the first, which is said in the answer.
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
        // A graph that is too large is shown as it is written.
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

    /// Returns the file of each picture: by the number of its step and its code, several of one
    /// name by letters.
    pub(super) fn files(&self, folder: &Path) -> Vec<(PathBuf, &str)> {
        let mut files = vec![(folder.join("00-position.svg"), &self.position[..])];
        let mut number = 0;
        for Shown { told, svg } in &self.steps {
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
