//! `matrix`: two-person zero-sum games in strategic form.

mod certificate;
mod digits;
mod json;
mod picture;
mod trace;
mod words;

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::Path;

use grundy::message::{Command, Setting};
use grundy::{Diagnostic, Kind, message};
use grundy_matrix::dominance::{Reduction, reduce};
use grundy_matrix::face::{self, Extreme};
use grundy_matrix::read;
use grundy_matrix::tableau::{self, MOST_TRACED, Trace};
use grundy_matrix::{BigRational, Matrix, MatrixSolution, Mixed, solve};
use grundy_wording::Audience;
use grundy_wording::answer::json_line;
use grundy_wording::report::{AnySerialize, Report, Words};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::files;
use crate::job::Job;
use crate::learned::Learned;
use crate::picture::{self as pictures, Picture};
use crate::question;
use grundy_job::reader::about;

use certificate::Certificate;
use json::SolvedMatrixView;

/// Largest size of an input: 256 MiB.
pub const LENGTH: u64 = 256 << 20;

/// A matrix game, with the requested results about it.
#[derive(Clone, Debug)]
pub struct SolvedMatrix {
    /// The game.
    pub game: Matrix,
    /// The value and an optimal strategy of each player.
    pub solution: MatrixSolution,
    /// The optimal strategies of the row player and of the column player, as probabilities in
    /// lowest terms.
    pub fractions: [Vec<BigRational>; 2],
    /// The extreme optimal strategies of the row player, and those of the column player.
    pub extreme: [Extreme; 2],
    /// The number of extreme optimal strategies to list, if they were requested.
    pub listed: Option<usize>,
    /// The dominated strategies that were removed, if this was requested.
    pub dominance: Option<Reduction>,
    /// A given strategy of the row player, whose payoffs are computed.
    pub row: Option<Mixed>,
    /// A given strategy of the column player, whose payoffs are computed.
    pub column: Option<Mixed>,
    /// The tableaux of the simplex method, if they were requested.
    pub trace: Option<Trace>,
}

impl Report for SolvedMatrix {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(SolvedMatrixView::of(self))
    }

    fn plain(&self, audience: Audience) -> String {
        words::text(self, audience)
    }
}

impl Question for question::MatrixQuestion {
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }
}

/// Solves the matrix game and writes the requested files.
fn answer(
    asked: &question::MatrixQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Answer, Diagnostic> {
    let written = [
        (Setting::new("svg"), asked.svg.as_ref()),
        (Setting::new("certificate"), asked.certificate.as_ref()),
    ];
    // If a file must not be written, the error is reported before the computation.
    for file in written.iter().filter_map(|(_, file)| *file) {
        pictures::allowed(analyst.files(), file)?;
    }
    let opened = asked
        .content
        .is_none()
        .then_some((message!("the matrix"), asked.file.as_path()));
    analyst.reader().check_apart(opened, written)?;
    let bytes = input(asked, analyst)?;
    // An error quotes a line of the input, which may contain bytes that are not UTF-8.
    let game =
        read::read(&bytes).map_err(|error| about(error, &String::from_utf8_lossy(&bytes)))?;
    // The text can have 256 MiB. It is dropped because solving needs memory.
    drop(bytes);
    if asked.trace && game.rows() * game.columns() > MOST_TRACED {
        let message = message!(
            "tableaux are available for games of at most {most_traced} entries",
            most_traced = MOST_TRACED
        );
        return Err(Diagnostic::new(Kind::Limit, message)
            .help(message!("omit {option}", option = Setting::new("trace"))));
    }
    if asked.svg.is_some() && game.rows() != 2 && game.columns() != 2 {
        let message = message!("the graphical solution requires a game with 2 rows or 2 columns");
        return Err(Diagnostic::new(Kind::Range, message)
            .help(message!("omit {option}", option = Setting::new("svg"))));
    }
    let solved = solved(game, asked, job)?;
    if let Some(file) = &asked.certificate {
        files::write(analyst.files(), file, |out| {
            json_line(out, &Certificate::of(&solved))
        })?;
    }
    let alone = pictures::put(analyst.files(), asked.svg.as_deref(), || {
        let svg = picture::svg(&solved, analyst.language());
        Ok(Picture::svg(&asked.file.display().to_string(), svg))
    })?;
    Ok(alone.map_or_else(|| Answer::new(solved), Answer::new))
}

fn solved(
    game: Matrix,
    asked: &question::MatrixQuestion,
    job: &Job,
) -> Result<SolvedMatrix, Diagnostic> {
    let limits = job.limits();
    let judged = |text: &Option<String>, count: usize| {
        let strategy = text
            .as_ref()
            .map(|text| read::strategy(text, count).map_err(|error| about(error, text)));
        strategy.transpose()
    };
    let row = judged(&asked.row_strategy, game.rows())?;
    let column = judged(&asked.col_strategy, game.columns())?;
    let dominance = asked.dominance;
    let dominance = dominance
        .map(|kind| reduce(&game, kind.into(), &limits))
        .transpose()?;
    // `solve` does not store its tableaux. They are computed again in exact arithmetic.
    let trace = asked
        .trace
        .then(|| tableau::trace(&game, &limits))
        .transpose()?;
    let solution = solve(&game, &limits)?;
    let listed = asked.extreme.map(NonZeroUsize::get);
    // If a second strategy exists, the optimal strategy is not unique. Hence two are computed even
    // if fewer are listed.
    let most = listed.unwrap_or(2).max(2);
    let extreme = [
        face::of_rows(&game, &solution, most, &limits)?,
        face::of_columns(&game, &solution, most, &limits)?,
    ];
    let fractions = [&solution.row_strategy, &solution.column_strategy].map(|strategy| {
        (0..strategy.choices())
            .map(|k| strategy.probability(k))
            .collect()
    });
    Ok(SolvedMatrix {
        game,
        solution,
        fractions,
        extreme,
        listed,
        dominance,
        row,
        column,
        trace,
    })
}

/// Returns the text of the matrix, which is in the question or in a file.
fn input<'a>(
    asked: &'a question::MatrixQuestion,
    analyst: &Analyst,
) -> Result<Cow<'a, [u8]>, Diagnostic> {
    let inner = asked.file == Path::new("-");
    // Only the command line reads standard input. It passes the content with the question.
    let Some(content) = &asked.content else {
        if inner {
            let message = message!(
                "standard input is not available here: pass its content with the question"
            );
            return Err(Diagnostic::new(Kind::Io, message));
        }
        let read = analyst.files().bytes(&asked.file, LENGTH);
        return read.map(Cow::Owned).map_err(|error| {
            if is_matrix(&asked.file) {
                return error.help(message!(
                    "expected a file name; to read the matrix from standard input, use `{command}`",
                    command = Command::typed("matrix")
                        .word("-")
                        .fed_by("printf '1 0\\n0 2\\n'")
                ));
            }
            error
        });
    };
    if content.len() as u64 > LENGTH {
        let name = if inner {
            message!("standard input")
        } else {
            message!("{name}", name = asked.file.display())
        };
        let message = message!(
            "{name}: larger than {length} MiB",
            name,
            length = LENGTH >> 20
        );
        return Err(Diagnostic::new(Kind::Limit, message));
    }
    Ok(Cow::Borrowed(content))
}

/// Returns whether the file name is itself a matrix. This is a common mistake on the command line.
fn is_matrix(file: &Path) -> bool {
    let written = file.to_string_lossy();
    let text = written.replace(';', "\n");
    read::read(text.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix_question(file: &str, content: Option<&str>) -> question::MatrixQuestion {
        question::MatrixQuestion {
            file: file.into(),
            content: content.map(Into::into),
            ..question::MatrixQuestion::default()
        }
    }

    #[test]
    fn an_inline_matrix_needs_no_file() {
        let (analyst, job) = (Analyst::default(), Job::default());
        let solved = answer(&matrix_question("-", Some("1 0\n0 2\n")), &analyst, &job).unwrap();
        let written = solved.json(Audience::default());
        assert!(written.starts_with("{\"value\":\"2/3\","));
        for file in ["-", "matrix.csv"] {
            let error = answer(&matrix_question(file, None), &analyst, &job).unwrap_err();
            assert_eq!(error.kind, Kind::Io, "{error}");
        }
        let mut drawn = matrix_question("-", Some("1 0\n0 2\n"));
        drawn.svg = Some("never.svg".into());
        let error = answer(&drawn, &analyst, &job).unwrap_err();
        assert_eq!(error.message, "never.svg: file access is not permitted");
        drawn.svg = Some("-".into());
        let alone = answer(&drawn, &analyst, &job).unwrap();
        assert!(alone.plain(Audience::default()).starts_with("<svg"));
    }
}
