//! `--jsonl` of `grundy solve`, `grundy value` and `grundy probe`: positions one a line, answers in
//! the same order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use grundy::Diagnostic;
use grundy_analysis::batch::Batch;
use grundy_wording::answer::json_line;
use serde_json::json;

use crate::arguments::{Common, ProbeArgs, SolveArgs, ValueArgs};
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

/// Runs a batch. `sums_up` adds a line with the times of all lines, where they are measured.
fn run(
    mut batch: Batch,
    file: Option<&PathBuf>,
    sums_up: bool,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    batch.seconds = common.timeout;
    match file {
        Some(file) if file.as_os_str() != "-" => {
            let opened =
                File::open(file).map_err(|error| Diagnostic::io(file.display(), &error))?;
            lines(BufReader::new(opened), batch, sums_up, session)
        }
        _ => lines(BufReader::new(io::stdin()), batch, sums_up, session),
    }
}

/// Returns one answer a line, in input order; a bad line becomes an error object and the rest goes
/// on.
fn lines(
    mut input: BufReader<impl io::Read>,
    mut batch: Batch,
    sums_up: bool,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, outside::answers());
    let (mut failed, mut partial) = (false, false);
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
        failed |= answer.has_failed();
        times.extend(answer.milliseconds().filter(|_| sums_up));
        let is_complete = answer.write(&mut out)?;
        partial |= answer.is_partial() || !is_complete;
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
