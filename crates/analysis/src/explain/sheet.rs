//! An explanation with its pictures, which go to separate files or into a single page.

use std::path::{Path, PathBuf};

use grundy_core::Diagnostic;
use grundy_draw::Wording;
use grundy_wording::plain::{OutlineStep, outline};
use grundy_wording::words;

use super::{Explained, pictures as step_pictures};
use crate::analyst::Analyst;
use crate::draw;
use crate::job::Job;
use crate::question::{Draw, Explain};

/// A step and its picture.
pub(super) struct IllustratedStep<'a> {
    pub(super) text: OutlineStep<'a>,
    pub(super) svg: Option<String>,
}

/// An explanation with all its pictures.
pub(super) struct Sheet<'a> {
    pub(super) explained: &'a Explained,
    /// The picture of the position.
    pub(super) position: String,
    /// All steps except the first, which is printed with the answer.
    pub(super) steps: Vec<IllustratedStep<'a>>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(
        explained: &'a Explained,
        question: &Explain,
        analyst: &Analyst,
        job: &Job,
    ) -> Result<Self, Diagnostic> {
        let language = analyst.language();
        let say: Wording<'_> = &|step| words(step, language);
        let (position, steps) = (&explained.solved.position, &explained.steps[1..]);
        let drawing = Draw {
            source: question.source.clone(),
            play: question.play,
            ..Draw::default()
        };
        // If a game graph is too large to be drawn, the position is shown in the notation.
        let start = match draw::answer(&drawing, analyst, job) {
            Ok(drawn) => drawn.picture,
            Err(error) if error.kind == grundy_core::Kind::Limit => {
                grundy_draw::position(position, say)
            }
            Err(error) => return Err(error),
        };
        let drawn = step_pictures::of_steps(position, question.play, steps, analyst, &job.limits());
        let outlined = outline(steps, language).into_iter().zip(drawn);
        Ok(Self {
            explained,
            position: start,
            steps: outlined
                .map(|(text, picture)| IllustratedStep {
                    svg: picture
                        .map(|picture| grundy_draw::step::svg(&picture, text.sentence.trim(), say)),
                    text,
                })
                .collect(),
        })
    }

    /// Returns the path and the content of each picture. The file of a step is named after the
    /// step's number and the code that identifies its sentence. If an earlier picture already has
    /// this file name, a further number is appended.
    pub(super) fn files(&self, folder: &Path) -> Vec<(PathBuf, &str)> {
        let mut files = vec![(folder.join("00-position.svg"), &self.position[..])];
        let mut number = 0;
        for IllustratedStep { text, svg } in &self.steps {
            // A step without a number belongs to the step before it. Its file gets the number of
            // that step.
            number = text.number.unwrap_or(number);
            let Some(svg) = svg else { continue };
            let code = text.step.code.replace('_', "-");
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
