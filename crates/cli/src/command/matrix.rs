//! `grundy matrix`: a two-person zero-sum game in strategic form.

mod certificate;
mod digits;
mod json;
mod picture;
mod trace;
mod words;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use grundy::Kind;
use grundy_matrix::dominance::{self, Reduction};
use grundy_matrix::face::{self, Extreme};
use grundy_matrix::read::{self, Unreadable};
use grundy_matrix::tableau::{self, MOST_TRACED, Trace};
use grundy_matrix::{BigRational, Matrix, Mixed, Solution, solve};
use grundy_notation::Diagnostic;

use crate::arguments::{self, Common};
use crate::failure::Failure;
use crate::session::Session;
use crate::whole_file;

/// Largest input that is read.
const LENGTH: u64 = 256 << 20;

/// Everything that was asked about a game.
struct Report {
    game: Matrix,
    solution: Solution,
    /// The probabilities of the optimal strategies, in lowest terms.
    fractions: [Vec<BigRational>; 2],
    /// The extreme optimal strategies of the row player and of the column player, and how many to list.
    extreme: [Extreme; 2],
    listed: Option<usize>,
    dominance: Option<Reduction>,
    /// Strategies to be judged.
    row: Option<Mixed>,
    column: Option<Mixed>,
    trace: Option<Trace>,
}

pub(crate) fn run(
    arguments: &arguments::Matrix,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let bytes = input(&arguments.file)?;
    let game =
        read::read(&bytes).map_err(|error| refused(error, &String::from_utf8_lossy(&bytes)))?;
    drop(bytes);
    if arguments.trace && game.rows() * game.columns() > MOST_TRACED {
        let message = format!("tableaux are shown for games of at most {MOST_TRACED} entries");
        return Err(Diagnostic::new(Kind::Limit, message)
            .help("leave --trace out")
            .into());
    }
    if arguments.svg.is_some() && game.rows() != 2 && game.columns() != 2 {
        let message = "the graphical solution is for games with 2 rows or 2 columns";
        return Err(Diagnostic::new(Kind::Range, message)
            .help("leave --svg out")
            .into());
    }
    let report = report(game, arguments, session)?;
    if let Some(file) = &arguments.svg {
        let svg = picture::svg(&report);
        whole_file::write(file, |out| out.write_all(svg.as_bytes()))?;
    }
    if let Some(file) = &arguments.certificate {
        whole_file::write(file, |out| {
            certificate::write(out, &report)?;
            writeln!(out)
        })?;
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    if common.json {
        json::write(&mut out, &report)?;
    } else {
        words::write(&mut out, &report)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn report(
    game: Matrix,
    arguments: &arguments::Matrix,
    session: &Session,
) -> Result<Report, Failure> {
    let limits = session.limits();
    let judged = |text: &Option<String>, count: usize| {
        let strategy = text
            .as_ref()
            .map(|text| read::strategy(text, count).map_err(|error| refused(error, text)));
        strategy.transpose()
    };
    let row = judged(&arguments.row_strategy, game.rows())?;
    let column = judged(&arguments.col_strategy, game.columns())?;
    let dominance = arguments
        .dominance
        .map(|kind| {
            let kind = match kind {
                arguments::Dominance::Strict => dominance::Dominance::Strict,
                arguments::Dominance::Weak => dominance::Dominance::Weak,
                arguments::Dominance::Mixed => dominance::Dominance::Mixed,
            };
            dominance::reduce(&game, kind, &limits)
        })
        .transpose()?;
    let trace = arguments
        .trace
        .then(|| tableau::trace(&game, &limits))
        .transpose()?;
    let solution = solve(&game, &limits)?;
    let listed = arguments.extreme.map(NonZeroUsize::get);
    // Two are enough to know that a strategy is not the only one.
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
    Ok(Report {
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

fn input(file: &Path) -> Result<Vec<u8>, Failure> {
    let name = if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    let failed = |error: io::Error| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
    let source: Box<dyn io::Read> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(failed)?)
    };
    let mut bytes = Vec::new();
    source
        .take(LENGTH + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > LENGTH {
        return Err(Diagnostic::new(Kind::Limit, format!("{name}: larger than 256 MiB")).into());
    }
    Ok(bytes)
}

fn refused(error: Unreadable, source: &str) -> Failure {
    let diagnostic = Diagnostic::new(error.kind, error.message).at(error.span);
    let diagnostic = match error.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    };
    Failure::input(diagnostic, source)
}
