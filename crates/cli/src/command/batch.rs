//! `--jsonl` of `grundy solve`, `grundy value` and `grundy probe`: positions one a line, answers in the same order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use grundy::Diagnostic;
use grundy_analysis::batch::{Asks, Batch, Extent};
use grundy_analysis::probe::OpenTable;
use grundy_notation::answer::json_line;
use serde_json::json;

use crate::arguments::{Common, ProbeArgs, SolveArgs, ValueArgs};
use crate::asked;
use crate::failure::Failure;
use crate::outside;
use crate::session::Session;

/// Longest line of a batch; the rest of a longer one is skipped.
const LINE: u64 = 8 << 20;

pub(crate) fn solve(
    solve: &SolveArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let asks = Asks::Solution(Extent {
        play: common.play(),
        wanted: solve.wanted(),
        remoteness: solve.remoteness,
        genus: solve.genus,
    });
    let batch = batch(asks, solve.stats, common);
    run(batch, solve.jsonl.as_ref(), session)
}

pub(crate) fn value(
    value: &ValueArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let asks = Asks::Value(asked::telling(value, common)?);
    let batch = batch(asks, value.stats, common);
    run(batch, value.jsonl.as_ref(), session)
}

pub(crate) fn probe(
    probe: &ProbeArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let asks = Asks::Record {
        play: common.play(),
        moves: !probe.no_moves,
    };
    let mut batch = batch(asks, probe.stats, common);
    let table = OpenTable::open(&probe.directory, &session.analyst, &session.job)?;
    batch.table = Some(table);
    run(batch, probe.jsonl.as_ref(), session)
}

fn batch(asks: Asks, stats: bool, common: &Common) -> Batch {
    let mut batch = Batch::default();
    batch.asks = asks;
    batch.stats = stats;
    batch.seconds = common.timeout;
    batch
}

fn run(batch: Batch, file: Option<&PathBuf>, session: &Session) -> Result<ExitCode, Failure> {
    match file {
        Some(file) if file.as_os_str() != "-" => {
            let opened =
                File::open(file).map_err(|error| Diagnostic::io(file.display(), &error))?;
            lines(BufReader::new(opened), batch, session)
        }
        _ => lines(BufReader::new(io::stdin()), batch, session),
    }
}

/// One answer a line, in input order; a bad line becomes an error object and the rest goes on.
fn lines(
    mut input: BufReader<impl io::Read>,
    mut batch: Batch,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, outside::answers());
    let (mut failed, mut partial) = (false, false);
    let tells_times = batch.table.is_some();
    let mut times = Vec::new();
    let mut line = Vec::new();
    let mut first = true;
    loop {
        line.clear();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == LINE && !line.ends_with(b"\n") {
            skip_line(&mut input)?;
        }
        if std::mem::take(&mut first) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        let content = line.trim_ascii();
        if content.is_empty() {
            continue;
        }
        if session.job.cancelled() {
            break;
        }
        let answer = batch.answer(content, &session.analyst, &session.job);
        failed |= answer.failed();
        partial |= answer.is_partial();
        times.extend(answer.milliseconds().filter(|_| tells_times));
        json_line(&mut out, &answer)?;
        // Whoever feeds line by line gets answers line by line.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    if !times.is_empty() {
        times.sort_by(f64::total_cmp);
        // The least time that so many of a hundred lines did not exceed.
        let within = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1];
        let (half, most, all) = (within(50), within(99), within(100));
        let stats = json!({"lines": times.len(), "p50": half, "p99": most, "max": all});
        json_line(&mut out, &json!({"stats": stats}))?;
    }
    out.flush()?;
    Ok(ExitCode::from(
        match (session.job.cancelled(), failed, partial) {
            (true, ..) => 130,
            (_, true, _) => 1,
            (_, _, true) => 3,
            _ => 0,
        },
    ))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
