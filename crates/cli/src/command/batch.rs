//! `--jsonl` of `grundy solve`, `grundy value` and `grundy probe`: one position per line. The
//! answers are in the same order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use grundy_analysis::batch::Batch;
use grundy_core::Diagnostic;
use grundy_wording::answer::json_line;
use serde_json::json;

use crate::arguments::{Common, ProbeArgs, SolveArgs, ValueArgs};
use crate::failure::Failure;
use crate::output;
use crate::session::Session;

/// Largest length of a line of a batch, in bytes. The rest of a longer line is skipped.
const MAX_LINE_BYTES: u64 = 8 << 20;

pub(crate) fn solve(
    solve: &SolveArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let batch = Batch::new("solve", &solve.question);
    run(batch, solve.jsonl.as_ref(), false, common, session)
}

pub(crate) fn value(
    value: &ValueArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let batch = Batch::new("value", &value.question);
    run(batch, value.jsonl.as_ref(), false, common, session)
}

pub(crate) fn probe(
    probe: &ProbeArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let mut batch = Batch::new("probe", &probe.question);
    if let Some(table) = &probe.question.directory {
        batch.open(table, &session.analyst, &session.job)?;
    }
    run(batch, probe.jsonl.as_ref(), true, common, session)
}

/// Runs a batch of questions, one a line. If `with_statistics` is `true` and the batch measured
/// times, an additional line after the answers summarizes the times of all lines.
fn run(
    mut batch: Batch,
    file: Option<&PathBuf>,
    with_statistics: bool,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    batch.seconds = common.timeout;
    match file {
        Some(file) if file.as_os_str() != "-" => {
            let opened =
                File::open(file).map_err(|error| Diagnostic::io(file.display(), &error))?;
            lines(BufReader::new(opened), batch, with_statistics, session)
        }
        _ => lines(BufReader::new(io::stdin()), batch, with_statistics, session),
    }
}

/// Writes one answer for each line of input, in the same order. For an invalid line, writes an
/// error object and continues.
fn lines(
    mut input: BufReader<impl io::Read>,
    mut batch: Batch,
    with_statistics: bool,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, output::stdout());
    let (mut failed, mut partial) = (false, false);
    let mut times = Vec::new();
    let mut line = Vec::new();
    let mut first = true;
    loop {
        line.clear();
        // At most `MAX_LINE_BYTES` are read, so that input without line breaks cannot exhaust the
        // memory.
        if input
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)?
            == 0
        {
            break;
        }
        if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            skip_line(&mut input)?;
        }
        // A byte order mark is permitted only at the beginning of the first line.
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
        failed |= answer.has_failed();
        times.extend(answer.milliseconds().filter(|_| with_statistics));
        let is_complete = answer.write(&mut out)?;
        partial |= answer.is_partial() || !is_complete;
        // A client may wait for each answer before it sends the next line. Hence the output is
        // flushed if no further input is buffered. Otherwise answers are collected into larger
        // writes.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    if !times.is_empty() {
        times.sort_by(f64::total_cmp);
        // The percentile by nearest rank: the shortest time that at least `percent` per cent of the
        // lines did not exceed.
        let within = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1];
        let (half, most, all) = (within(50), within(99), within(100));
        let stats = json!({"lines": times.len(), "p50": half, "p99": most, "max": all});
        json_line(&mut out, &json!({"stats": stats}))?;
    }
    out.flush()?;
    Ok(ExitCode::from(
        // The exit code depends first on an interruption, then on a failed line, then on a partial
        // answer.
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
