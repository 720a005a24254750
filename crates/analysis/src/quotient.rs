//! `quotient`: the misère quotient of a family of heaps or of finitely many positions, with a
//! certificate of the result on request.

mod certificate;
mod checkpoint;
mod report;
mod source;

use std::path::PathBuf;

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Play, Stop, message};
use grundy_misere::quotient::{Family as _, Search};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::period::literal_family;
use crate::picture;
use crate::progress::Progress;
use crate::question::QuotientQuestion;
use crate::result_cache::ResultCache;
use grundy_wording::report::Report as _;
use source::Source;

pub use report::{Quotient, QuotientStatus};

impl Question for QuotientQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }

    fn game(&self) -> Option<&str> {
        Some(&self.family)
    }
}

/// Computes the quotient and writes the requested files.
fn answer(question: &QuotientQuestion, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    if question.play == Play::Normal {
        let message = message!("quotients are defined in misère play only");
        return Err(Diagnostic::new(Kind::Type, message).help(message!("omit `play`")));
    }
    let written: [(Setting, Option<&PathBuf>); 3] = [
        (Setting::new("certificate"), question.certificate.as_ref()),
        (
            Setting::command_line("checkpoint"),
            question.checkpoint.as_ref(),
        ),
        (Setting::new("svg"), question.svg.as_ref()),
    ];
    // If a file must not be written, the error is reported before the computation.
    for file in written.iter().filter_map(|(_, file)| *file) {
        picture::allowed(analyst.files(), file)?;
    }
    analyst.reader().check_distinct([], written)?;
    // With its values written out, a family of a rule file is a built-in family.
    let literal = literal_family(&question.family, analyst.reader());
    let family = literal.as_deref().unwrap_or(&question.family);
    let mut source = Source::read(family, analyst)?;
    // A checkpoint refers to pieces by their numbers. These depend on the order of the search,
    // except for heaps.
    if question.checkpoint.is_some() && !source.is_heaps() {
        let message = message!("checkpoints are available for built-in heap games only");
        return Err(Diagnostic::new(Kind::Range, message).with_source(&*question.family));
    }
    if question.certificate.is_some() && !source.is_certifiable() {
        let message = message!("certificates are not available for user-defined rules");
        return Err(Diagnostic::new(Kind::Range, message)
            .help(message!(
                "omit {option}",
                option = Setting::new("certificate")
            ))
            .with_source(&*question.family));
    }
    let mut search = Search::new(source.pieces(question.max, &job.limits())?);
    // If there is no checkpoint file, the search starts from the beginning. Hence the same command
    // can start the search and resume it.
    if let Some(file) = question.checkpoint.as_deref().filter(|_| question.resume)
        && !crate::files::no_checkpoint_yet(file, job)
    {
        checkpoint::read(family, analyst, file, &mut search, job)?;
    }
    // If the search stops at a limit, the checkpoint and the partial quotient are still written.
    let stop = run(question, family, analyst, &mut source, &mut search, job)?;
    if let Some(file) = &question.checkpoint {
        checkpoint::write(family, analyst, file, &search)?;
    }
    // The checkpoint has already been written, so the results of an interrupted search are not
    // lost.
    if let Some(stop @ Stop::Interrupted) = stop {
        return Err(stop.into());
    }
    let found = Quotient::of(question, &source, &search, stop.as_ref());
    if let Some(file) = &question.certificate {
        certificate::write(family, analyst, file, &search)?;
    }
    let drawn = picture::put(analyst.files(), question.svg.as_deref(), || {
        Ok(picture::Picture::svg(
            &question.family,
            found.svg(analyst.language(), &search),
        ))
    })?;
    let partial = found.is_partial();
    Ok(match drawn {
        Some(drawn) => Answer::new(picture::Picture { partial, ..drawn }),
        None => Answer::new(found),
    })
}

/// Number of pieces (components of positions) that must have been examined before an observed
/// period ends the search.
const MIN_OBSERVED_PIECES: u32 = 100;

/// Adds pieces (heaps, or components of positions) to the quotient. Stops when all have been added,
/// a period is proved or observed, or a limit is reached. Returns the limit that stopped the
/// search, if there is one.
fn run(
    question: &QuotientQuestion,
    family: &str,
    analyst: &Analyst,
    source: &mut Source,
    search: &mut Search<source::Pieces>,
    job: &Job,
) -> Result<Option<Stop>, Diagnostic> {
    let limits = job.limits();
    let mut saved = job.now();
    loop {
        if search.repetition().is_some() {
            return Ok(None);
        }
        let complete = search.is_complete();
        // For positions, no theorem proves that an observed period continues. More positions would
        // not change this.
        if complete
            && report::observed_period(source, search)
                .is_some_and(|_| search.pieces() >= MIN_OBSERVED_PIECES)
        {
            return Ok(None);
        }
        let advanced = if complete {
            source.grow(search.family_mut(), question.max, &limits)
        } else {
            search.advance(&limits)
        };
        match advanced {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(Stop::Rules(why)) => return Err((*why).clone()),
            Err(stop @ (Stop::Cyclic | Stop::NotImpartial)) => {
                return Err(Diagnostic::from(stop).with_source(&*question.family));
            }
            Err(stop) => return Ok(Some(stop)),
        }
        job.report(&Progress::Computing {
            computed: u64::from(search.pieces()),
            of: search.family().pieces().map_or(question.max, u64::from),
            note: Some(message!("order {order}", order = search.monoid().order())),
        });
        if let Some(file) = &question.checkpoint
            && job.since(saved).as_secs_f64() >= question.every
        {
            checkpoint::write(family, analyst, file, search)?;
            saved = job.now();
        }
    }
}
