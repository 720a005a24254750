//! From the command line as typed to the question that is meant.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::num::NonZeroUsize;
use std::path::Path;

use grundy::{Diagnostic, Kind, Play, message};
use grundy_analysis::Question;
use grundy_analysis::question::{self as asked, Ask};

use crate::arguments::{self, Command, Common, CompareArgs, LabelArgs, text};
use crate::failure::Failure;

/// The question that a command asks.
pub(crate) fn question(command: &Command, common: &Common) -> Result<Box<dyn Question>, Failure> {
    let play = common.play();
    Ok(match command {
        Command::Solve(solve) => Box::new(asked::Solve {
            source: source(&solve.source)?,
            play,
            wanted: solve.wanted(),
            remoteness: solve.remoteness,
            genus: solve.genus,
            table: solve.table.clone(),
            threads: solve.threads,
        }),
        Command::Explain(explain) => Box::new(asked::Explain {
            source: source(&explain.source)?,
            play,
            proof: explain.proof,
            pictures: false,
            svg: explain.svg.clone(),
            html: explain.html.clone(),
        }),
        Command::Table(table) => Box::new(self::table(table, play)?),
        Command::Period(period) => Box::new(self::period(period, play)?),
        Command::Quotient(quotient) => Box::new(asked::QuotientQuestion {
            family: text(&quotient.family)?.to_owned(),
            max: quotient.max,
            certificate: quotient.certificate.clone(),
            checkpoint: quotient.checkpoint.clone(),
            every: quotient.every,
            resume: quotient.resume,
            svg: quotient.svg.clone(),
        }),
        Command::Verify(verify) => Box::new(asked::Verify {
            file: verify.file.clone(),
            sample: verify.sample,
            seed: verify.seed,
            threads: verify.threads,
        }),
        Command::Label(label) => Box::new(self::label(label, play)),
        Command::Probe(probe) => Box::new(asked::Probe {
            directory: Some(probe.directory.clone()),
            position: probe.position.as_ref().map_or(Ok(""), text)?.to_owned(),
            play,
            moves: !probe.no_moves,
        }),
        Command::Convert(convert) => Box::new(asked::ConvertQuestion {
            from: convert.from.clone(),
            to: convert.to.clone(),
            rows: convert.rows,
            no_positions: convert.no_positions,
        }),
        Command::Matrix(matrix) => Box::new(asked::MatrixQuestion {
            content: standard_input(&matrix.file)?,
            file: matrix.file.clone(),
            trace: matrix.trace,
            svg: matrix.svg.clone(),
            dominance: matrix.dominance.map(Into::into),
            extreme: matrix.extreme,
            row_strategy: matrix.row_strategy.clone(),
            col_strategy: matrix.col_strategy.clone(),
            certificate: matrix.certificate.clone(),
        }),
        Command::Tree(tree) => Box::new(asked::TreeQuestion {
            source: text(&tree.expr)?.to_owned(),
            play,
            svg: tree.svg.clone(),
            merge: tree.merge,
            alpha_beta: tree.alpha_beta,
            table: tree.table,
            list: tree.list,
            optimal: tree.optimal,
            versus: tree.versus.clone(),
            efg: tree.efg.clone(),
        }),
        Command::Value(value) => of_values(value, common)?,
        Command::Compare(compare) => Box::new(compared(compare, play)?),
        Command::Nimber(nimber) => Box::new(asked::NimberQuestion {
            expression: text(&nimber.expr)?.to_owned(),
            explain: nimber.explain,
        }),
        Command::Exercises(exercises) => Box::new(sheet(exercises, play)?),
        Command::Draw(draw) => Box::new(self::draw(draw, play)?),
        #[cfg(feature = "serve")]
        Command::Serve(_) => return Err(asks_nothing()),
        Command::Play(_)
        | Command::Guide(_)
        | Command::Completions { .. }
        | Command::Man { .. } => {
            return Err(asks_nothing());
        }
    })
}

fn asks_nothing() -> Failure {
    Diagnostic::new(Kind::Internal, message!("this command asks nothing")).into()
}

fn draw(draw: &arguments::DrawArgs, play: Play) -> Result<asked::Draw, Failure> {
    Ok(asked::Draw {
        source: source(&draw.source)?,
        play,
        labels: draw.labels,
        graph: draw.graph,
        form: match (draw.dot, draw.terminal, draw.tikz) {
            (true, ..) => asked::Drawing::Dot,
            (_, true, _) => asked::Drawing::Terminal,
            (.., true) => asked::Drawing::Tikz,
            _ => asked::Drawing::Svg,
        },
        svg: draw.svg.clone().filter(|file| file.as_os_str() != "-"),
        title: draw.title,
        winning: draw.moves,
        dark: draw.dark,
        buttons: draw.buttons,
        ascii: draw.ascii,
        thermographs: texts(&draw.thermograph)?,
    })
}

fn table(table: &arguments::TableArgs, play: Play) -> Result<asked::TableQuestion, Failure> {
    Ok(asked::TableQuestion {
        family: text(&table.expr)?.to_owned(),
        ranges: table.ranges.clone(),
        play,
        form: match (table.csv, table.bfile) {
            (true, _) => asked::TableForm::Csv,
            (_, true) => asked::TableForm::BFile,
            _ => asked::TableForm::Text,
        },
        of: if table.genus {
            Some(asked::CellOf::Genus)
        } else {
            table.of.map(Into::into)
        },
        full: table.full,
        pattern: table.pattern,
        table: table.table.clone(),
        svg: table.svg.clone(),
    })
}

fn compared(compare: &CompareArgs, play: Play) -> Result<asked::CompareQuestion, Failure> {
    Ok(asked::CompareQuestion {
        first: text(&compare.expr)?.to_owned(),
        second: text(&compare.with)?.to_owned(),
        play,
        explain: compare.explain,
        table: compare.table.clone(),
    })
}

/// What `value` asks: of one position, or of many.
fn of_values(value: &arguments::ValueArgs, common: &Common) -> Result<Box<dyn Question>, Failure> {
    let sampled = [
        ("--find", value.find.is_some()),
        ("--random", value.random.is_some()),
        ("--born", value.born.is_some()),
    ];
    if let Some((name, _)) = sampled.into_iter().find(|(_, asked)| *asked)
        && common.play() == Play::Misere
    {
        let message = message!("`{name}` is asked of values in normal play only", name);
        let help = message!("leave it or misère play out");
        return Err(Diagnostic::new(Kind::Type, message).help(help).into());
    }
    let within = || written(value.within.as_ref()).map(Option::unwrap_or_default);
    if let Some(game) = &value.find {
        return Ok(Box::new(asked::FindQuestion {
            game: text(game)?.to_owned(),
            equals: written(value.equals.as_ref())?.unwrap_or_default(),
            within: within()?,
            count: value.count as usize,
        }));
    }
    if let Some(count) = value.random {
        let Some(game) = written(value.source.expr.as_ref())? else {
            let message = message!("a game is missing");
            let help = message!("write its name, such as clobber");
            return Err(Diagnostic::new(Kind::Syntax, message).help(help).into());
        };
        return Ok(Box::new(asked::TemperaturesQuestion {
            game,
            within: within()?,
            count,
            seed: value.seed.unwrap_or_else(any_seed),
        }));
    }
    if let Some(day) = value.born {
        return Ok(Box::new(asked::BornQuestion {
            day,
            svg: value.svg.clone(),
        }));
    }
    Ok(Box::new(asked::ValueQuestion {
        source: source(&value.source)?,
        telling: telling(value, common)?,
        table: value.table.clone(),
        svg: value.svg.clone(),
    }))
}

/// What is done to values, and how they are written.
pub(crate) fn telling(
    value: &arguments::ValueArgs,
    common: &Common,
) -> Result<asked::Telling, Failure> {
    let changes = asked::WrittenChanges {
        cool: value.cool.clone(),
        heat: value.heat.clone(),
        overheat: value.overheat.clone(),
        norton: value.norton.clone(),
        freeze: value.freeze,
    };
    Ok(asked::Telling {
        changes: changes.read()?,
        braces: value.form,
        latex: value.latex,
        play: common.play(),
        full: value.full,
    })
}

fn sheet(
    exercises: &arguments::ExercisesArgs,
    play: Play,
) -> Result<asked::ExercisesQuestion, Failure> {
    Ok(asked::ExercisesQuestion {
        game: text(&exercises.game)?.to_owned(),
        ranges: exercises.ranges.clone(),
        play,
        count: exercises.count,
        level: exercises.level,
        seed: exercises.seed.unwrap_or_else(any_seed),
        part: match exercises.only {
            None => asked::SheetPart::Both,
            Some(arguments::SheetPartArg::Questions) => asked::SheetPart::Questions,
            Some(arguments::SheetPartArg::Answers) => asked::SheetPart::Answers,
        },
    })
}

/// A seed that differs from one run to the next, short enough to be typed.
pub(crate) fn any_seed() -> u64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
    since.map_or(0, |since| u64::from(since.subsec_nanos()) % 1_000_000)
}

fn period(period: &arguments::PeriodArgs, play: Play) -> Result<asked::PeriodQuestion, Failure> {
    Ok(asked::PeriodQuestion {
        family: written(period.family.as_ref())?,
        play,
        max: period.max,
        certificate: period.certificate.clone(),
        checkpoint: period.checkpoint.clone(),
        every: period.every,
        resume: period.resume,
        stream: period.stream,
        values: period.values.clone(),
        frequencies: period.frequencies,
        svg: period.svg.clone(),
        all: period.all,
    })
}

/// Where a position comes from.
pub(crate) fn source(source: &arguments::SourceArgs) -> Result<asked::PositionSource, Failure> {
    Ok(asked::PositionSource {
        expression: written(source.expr.as_ref())?,
        picture: source.picture.clone(),
    })
}

fn texts(arguments: &[OsString]) -> Result<Vec<String>, Failure> {
    let texts = arguments
        .iter()
        .map(|argument| Ok(text(argument)?.to_owned()));
    texts.collect()
}

fn written(argument: Option<&OsString>) -> Result<Option<String>, Failure> {
    Ok(argument.map(text).transpose()?.map(str::to_owned))
}

/// What is on standard input, where the file is `-`.
fn standard_input(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if file != Path::new("-") {
        return Ok(None);
    }
    let mut content = Vec::new();
    io::stdin()
        .lock()
        .take(grundy_analysis::matrix::LENGTH + 1)
        .read_to_end(&mut content)?;
    Ok(Some(content))
}

impl From<arguments::GraphFormatArg> for asked::GraphFormat {
    fn from(format: arguments::GraphFormatArg) -> Self {
        match format {
            arguments::GraphFormatArg::Csv => Self::Csv,
            arguments::GraphFormatArg::Dot => Self::Dot,
            arguments::GraphFormatArg::Json => Self::Json,
            arguments::GraphFormatArg::Parquet => Self::Parquet,
        }
    }
}

impl From<arguments::CellOfArg> for asked::CellOf {
    fn from(of: arguments::CellOfArg) -> Self {
        match of {
            arguments::CellOfArg::Grundy => Self::Grundy,
            arguments::CellOfArg::Outcome => Self::Outcome,
            arguments::CellOfArg::Value => Self::Value,
            arguments::CellOfArg::Temperature => Self::Temperature,
            arguments::CellOfArg::Mean => Self::Mean,
            arguments::CellOfArg::AtomicWeight => Self::AtomicWeight,
            arguments::CellOfArg::Genus => Self::Genus,
        }
    }
}

impl From<arguments::DominanceArg> for asked::Dominance {
    fn from(dominance: arguments::DominanceArg) -> Self {
        match dominance {
            arguments::DominanceArg::Strict => Self::Strict,
            arguments::DominanceArg::Weak => Self::Weak,
            arguments::DominanceArg::Mixed => Self::Mixed,
        }
    }
}

impl From<arguments::PracticeArg> for Ask {
    fn from(ask: arguments::PracticeArg) -> Self {
        match ask {
            arguments::PracticeArg::Outcome => Self::Outcome,
            arguments::PracticeArg::Value => Self::Value,
            arguments::PracticeArg::Move => Self::Move,
        }
    }
}

/// The workers that label together, where there are several.
fn crew(label: &LabelArgs) -> Option<Box<asked::Crew>> {
    // A plan is made without meeting anybody.
    let hosts = label.hosts.as_ref().map(|file| asked::Hosts {
        file: file.clone(),
        process: label.process.unwrap_or_default(),
        secret_file: label.secret_file.clone().unwrap_or_default(),
    });
    let asked = hosts.is_some() || label.workers.is_some();
    asked.then(|| {
        Box::new(asked::Crew {
            workers: label.workers.unwrap_or(NonZeroUsize::MIN),
            hosts,
            metrics: label.metrics.clone(),
            plan: label.plan,
        })
    })
}

fn label(label: &LabelArgs, play: Play) -> asked::LabelQuestion {
    asked::LabelQuestion {
        source: label.source.clone(),
        play,
        output: label.output.clone(),
        tablebase: label.tablebase.clone(),
        certificate: label.certificate.clone(),
        format: label.format.map(Into::into),
        best_move: label.best_move,
        checkpoint: label.checkpoint.clone(),
        every: label.every,
        resume: label.resume,
        ranked: label.ranked.then_some(asked::ByRanks {
            values: label.values,
            plan: label.plan,
        }),
        crew: crew(label),
    }
}
