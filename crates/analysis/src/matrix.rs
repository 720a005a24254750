//! `matrix`: two-person zero-sum and constant-sum games in strategic form.

mod certificate;
mod digits;
mod json;
mod picture;
mod trace;
mod words;

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::Path;

use grundy_core::message::{Command, Setting};
use grundy_core::{Diagnostic, Kind, message};
use grundy_matrix::dominance::{Reduction, reduce};
use grundy_matrix::face::{self, ExtremeStrategies};
use grundy_matrix::read::{self, MatrixGame, Note};
use grundy_matrix::tableau::{self, MAX_TRACED_ENTRIES, Trace};
use grundy_matrix::{BigRational, Matrix, MatrixSolution, Mixed, solve};
use grundy_wording::answer::json_line;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, phrase};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::files;
use crate::job::Job;
use crate::picture::{self as pictures, Picture};
use crate::question;
use crate::result_cache::ResultCache;
use grundy_job::reader::with_source;

use certificate::Certificate;
use json::SolvedMatrixView;

/// Largest size of an input: 256 MiB.
pub const MAX_INPUT_BYTES: u64 = 256 << 20;

/// A matrix game, with the requested results about it.
#[derive(Clone, Debug)]
pub struct SolvedMatrix {
    /// The game, with the payoffs to the row player.
    pub game: Matrix,
    /// The sum of the payoffs to both players. `None` if only the payoffs to the row player are
    /// given, as in a zero-sum game.
    pub constant: Option<BigRational>,
    /// The names of the rows and those of the columns, if they have names.
    pub names: [Option<Vec<String>>; 2],
    /// Remarks about how the text was read.
    pub notes: Vec<Note>,
    /// The value and an optimal strategy of each player.
    pub solution: MatrixSolution,
    /// The optimal strategies of the row player and of the column player, as probabilities in
    /// lowest terms.
    pub fractions: [Vec<BigRational>; 2],
    /// The extreme optimal strategies of the row player, and those of the column player.
    pub extreme: [ExtremeStrategies; 2],
    /// The largest number of extreme optimal strategies to list for each player. `None` if the list
    /// was not requested.
    pub listed: Option<usize>,
    /// The dominated strategies that were removed, if their removal was requested.
    pub dominance: Option<Reduction>,
    /// A given strategy of the row player, whose payoffs are computed.
    pub row: Option<Mixed>,
    /// A given strategy of the column player, whose payoffs are computed.
    pub column: Option<Mixed>,
    /// The tableaux of the simplex method, if they were requested.
    pub trace: Option<Trace>,
}

impl SolvedMatrix {
    /// Returns what the row player and the column player get on average, if the payoffs to both are
    /// given.
    fn values(&self) -> Option<[BigRational; 2]> {
        let value = &self.solution.value;
        (self.constant.as_ref()).map(|constant| [value.clone(), constant - value])
    }

    /// Returns remarks about how the input was read.
    fn notes(&self, language: Language) -> Vec<String> {
        let name = |note: &Note| match note {
            Note::DecimalCommas => "matrix_note_commas",
            Note::SizeLine => "matrix_note_size",
            Note::SizeOrRow => "matrix_note_size_or_row",
        };
        self.notes
            .iter()
            .map(|note| phrase(name(note), language))
            .collect()
    }
}

impl Report for SolvedMatrix {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(SolvedMatrixView::of(self, words.audience().language))
    }

    fn plain(&self, audience: Audience) -> String {
        words::text(self, audience)
    }
}

impl Question for question::MatrixQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }
}

/// Solves the matrix game and writes the requested files.
fn answer(
    question: &question::MatrixQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Answer, Diagnostic> {
    let written = [
        (Setting::new("svg"), question.svg.as_ref()),
        (Setting::new("certificate"), question.certificate.as_ref()),
    ];
    // If a file must not be written, the error is reported before the computation.
    for file in written.iter().filter_map(|(_, file)| *file) {
        pictures::allowed(analyst.files(), file)?;
    }
    let opened = question
        .content
        .is_none()
        .then_some((message!("the matrix"), question.file.as_path()));
    analyst.reader().check_distinct(opened, written)?;
    let bytes = input(question, analyst)?;
    // An error quotes a line of the input, which may contain bytes that are not UTF-8.
    let read = read::read_game(&bytes)
        .map_err(|error| with_source(error, &String::from_utf8_lossy(&bytes)))?;
    // The text can have 256 MiB. It is dropped because solving needs memory.
    drop(bytes);
    let game = &read.matrix;
    if question.trace && game.rows() * game.columns() > MAX_TRACED_ENTRIES {
        let message = message!(
            "simplex tableaux can be printed only for matrices of at most {most_traced} entries",
            most_traced = MAX_TRACED_ENTRIES
        );
        return Err(Diagnostic::new(Kind::Limit, message)
            .help(message!("omit {option}", option = Setting::new("trace"))));
    }
    if question.svg.is_some() && game.rows() != 2 && game.columns() != 2 {
        let message = message!("the graphical solution requires a game with 2 rows or 2 columns");
        return Err(Diagnostic::new(Kind::Range, message)
            .help(message!("omit {option}", option = Setting::new("svg"))));
    }
    let solved = solved(read, question, job)?;
    if let Some(file) = &question.certificate {
        files::write(analyst.files(), file, |out| {
            json_line(out, &Certificate::of(&solved))
        })?;
    }
    let drawn = pictures::put(analyst.files(), question.svg.as_deref(), || {
        let svg = picture::svg(&solved, analyst.language());
        Ok(Picture::svg(&question.file.display().to_string(), svg))
    })?;
    Ok(drawn.map_or_else(|| Answer::new(solved), Answer::new))
}

fn solved(
    read: MatrixGame,
    question: &question::MatrixQuestion,
    job: &Job,
) -> Result<SolvedMatrix, Diagnostic> {
    let limits = job.limits();
    let game = read.matrix;
    let parse_strategy = |text: &Option<String>, count: usize| {
        let strategy = text
            .as_ref()
            .map(|text| read::strategy(text, count).map_err(|error| with_source(error, text)));
        strategy.transpose()
    };
    let row = parse_strategy(&question.row_strategy, game.rows())?;
    let column = parse_strategy(&question.col_strategy, game.columns())?;
    let dominance = question.dominance;
    let dominance = dominance
        .map(|kind| reduce(&game, kind.into(), &limits))
        .transpose()?;
    // `solve` does not store its tableaux. They are computed again in exact arithmetic.
    let trace = question
        .trace
        .then(|| tableau::trace(&game, &limits))
        .transpose()?;
    let solution = solve(&game, &limits)?;
    let listed = question.extreme.map(NonZeroUsize::get);
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
        constant: read.constant,
        names: [read.row_names, read.column_names],
        notes: read.notes,
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
    question: &'a question::MatrixQuestion,
    analyst: &Analyst,
) -> Result<Cow<'a, [u8]>, Diagnostic> {
    let inner = question.file == Path::new("-");
    // Only the command line reads standard input. It passes the content with the question.
    let Some(content) = &question.content else {
        if inner {
            let message = message!(
                "standard input is not available here: include the text of the matrix in the question"
            );
            return Err(Diagnostic::new(Kind::Io, message));
        }
        let read = analyst.files().bytes(&question.file, MAX_INPUT_BYTES);
        return read.map(Cow::Owned).map_err(|error| {
            if names_matrix(&question.file) {
                return error.help(message!(
                    "expected a file name; to read the matrix from standard input, use `{command}`",
                    command = Command::command_line("matrix")
                        .word("-")
                        .with_input("printf '1 0\\n0 2\\n'")
                ));
            }
            error
        });
    };
    if content.len() as u64 > MAX_INPUT_BYTES {
        let name = if inner {
            message!("standard input")
        } else {
            message!("{name}", name = question.file.display())
        };
        let message = message!(
            "{name}: larger than {length} MiB",
            name,
            length = MAX_INPUT_BYTES >> 20
        );
        return Err(Diagnostic::new(Kind::Limit, message));
    }
    Ok(Cow::Borrowed(content))
}

/// Returns whether the text given as the file name is a matrix, such as `1,2;3,4`. This is a common
/// mistake on the command line.
fn names_matrix(file: &Path) -> bool {
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
