//! Checkpoints of a long search: checked files with the values as they stand in memory.

use std::io::Write as _;
use std::path::Path;

use grundy::Diagnostic;
use grundy::algebra::NormalPlay;
use grundy::heap::stream::{Found, Mark, StreamState, Tail};
use grundy::heap::{Classes, HeapRules, Narrow, Sequence, Snapshot, SparseSnapshot, Stream};
use grundy_tablebase::checked::Form;
use serde_json::{Value, json};

use super::export::Written;
use super::record::Recorded;
use super::{Task, family};
use crate::files::{self, Files};

const FORM: Form = Form {
    noun: "checkpoint",
    kind: "period checkpoint",
    version: 2,
    help: "leave --resume out to begin again",
};

/// How far a search has come.
pub(super) enum Search {
    /// All values are kept.
    Whole(Sequence<NormalPlay>),
    /// The smallest heaps and the last are kept.
    Stream(Stream),
}

pub(super) fn write(
    task: Task<'_>,
    file: &Path,
    sequence: &Sequence<NormalPlay>,
) -> Result<(), Diagnostic> {
    let Snapshot { tried, sparse } = sequence.snapshot();
    let values = sequence.values();
    let mut head = head("all", task.source, &sparse);
    head["count"] = values.len().into();
    head["width"] = values.width().into();
    head["tried"] = tried.into();
    put(task.files, file, &head, &[values])
}

/// What is recorded belongs to the values before the end of the stream.
pub(super) fn write_stream(
    task: Task<'_>,
    file: &Path,
    stream: &Stream,
    recorded: &Recorded,
) -> Result<(), Diagnostic> {
    let state = stream.state();
    let mut head = head("last", task.source, &state.sparse);
    head["small"] = state.tail.small.into();
    head["dropped"] = state.tail.dropped.into();
    head["largest"] = state.largest.into();
    head["found"] = state
        .found
        .map_or(Value::Null, |found| json!([found.mark, found.period]));
    head["values"] = recorded
        .values
        .as_ref()
        .map_or(Value::Null, Written::as_json);
    head["counts"] = recorded.counts.as_ref().map_or(Value::Null, |counts| {
        counts
            .iter()
            .map(|(value, times)| json!([value, times]))
            .collect()
    });
    let marks = state.marks.iter();
    head["marks"] = marks.map(|mark| json!([mark.at, mark.reach])).collect();
    let blocks: Vec<&Narrow> = [&state.tail.values, &state.start]
        .into_iter()
        .chain(state.marks.iter().map(|mark| &mark.window))
        .collect();
    let sizes = blocks.iter();
    head["blocks"] = sizes
        .map(|values| json!([values.width(), values.len()]))
        .collect();
    put(task.files, file, &head, &blocks)
}

/// `kept` says which values: all, or the last.
fn head(kept: &str, source: &str, sparse: &SparseSnapshot) -> Value {
    json!({
        "kept": kept,
        "family": source,
        "mask": sparse.classes.map(|classes| classes.mask),
        "position": sparse.classes.is_some_and(|classes| classes.position),
        "odd": sparse.classes.is_some_and(|classes| classes.odd),
        "since": sparse.since,
        "chosen_at": sparse.chosen_at,
        "last_use": sparse.last_use,
    })
}

fn put(files: Files, file: &Path, head: &Value, blocks: &[&Narrow]) -> Result<(), Diagnostic> {
    let bytes = blocks.iter().map(|values| values.bytes()).sum();
    files::write(files, file, |out| {
        FORM.write(out, head, bytes, |out| {
            let mut blocks = blocks.iter();
            blocks.try_for_each(|values| values.write_bytes(&mut |bytes| out.write_all(bytes)))
        })
    })
}

pub(super) fn read(
    task: Task<'_>,
    file: &Path,
    rules: &HeapRules,
) -> Result<(Search, Recorded), Diagnostic> {
    task.files.allowed(file)?;
    let mut input = FORM.open(file)?;
    let (head, values) = (input.head().clone(), input.rest()?);
    input.finish()?;
    let written = head["family"].as_str().unwrap_or_default();
    let same = family(written)
        .is_ok_and(|term| term.heap_rules().is_some_and(|(known, _)| known == rules));
    if !same {
        let what = format!("the checkpoint is of {written}, not of {}", task.source);
        return Err(input.refuse(&what));
    }
    let search = match head["kept"].as_str() {
        Some("all") => whole(&head, &values, rules),
        Some("last") => stream(&head, &values, rules),
        _ => None,
    };
    let both = search.zip(recorded(&head));
    both.ok_or_else(|| input.damaged())
}

/// What was recorded of the values before the checkpoint.
fn recorded(head: &Value) -> Option<Recorded> {
    let values = match &head["values"] {
        Value::Null => None,
        values => Some(Written::from_json(values)?),
    };
    let counts = match &head["counts"] {
        Value::Null => None,
        counts => Some(counts.as_array()?.iter().map(pair).collect::<Option<_>>()?),
    };
    Some(Recorded { values, counts })
}

/// What is kept of the engine.
fn sparse(head: &Value) -> Option<SparseSnapshot> {
    let number = |key: &str| head[key].as_u64();
    let last_use = head["last_use"].as_array()?.iter().map(pair);
    Some(SparseSnapshot {
        classes: number("mask").map(|mask| Classes {
            mask,
            position: head["position"] == true,
            odd: head["odd"] == true,
        }),
        since: number("since")?,
        chosen_at: number("chosen_at")?,
        last_use: last_use.collect::<Option<_>>()?,
    })
}

fn pair(value: &Value) -> Option<(u64, u64)> {
    Some((value[0].as_u64()?, value[1].as_u64()?))
}

fn whole(head: &Value, values: &[u8], rules: &HeapRules) -> Option<Search> {
    let number = |key: &str| head[key].as_u64();
    let snapshot = Snapshot {
        tried: number("tried")?,
        sparse: sparse(head)?,
    };
    let values = Narrow::from_bytes(number("width")?, values)?;
    let all = values.len() as u64 == number("count")?;
    all.then(|| Search::Whole(Sequence::resume(rules.clone(), values, snapshot)))
}

fn stream(head: &Value, mut bytes: &[u8], rules: &HeapRules) -> Option<Search> {
    let number = |key: &str| head[key].as_u64();
    let mut blocks = Vec::new();
    for block in head["blocks"].as_array()? {
        let (width, count) = pair(block)?;
        let length = usize::try_from(width.checked_mul(count)?).ok()?;
        let (block, rest) = bytes.split_at_checked(length)?;
        blocks.push(Narrow::from_bytes(width, block)?);
        bytes = rest;
    }
    let mut blocks = blocks.into_iter();
    let tail = Tail {
        small: number("small")?,
        dropped: number("dropped")?,
        values: blocks.next()?,
    };
    let start = blocks.next()?;
    let marks = head["marks"].as_array()?.iter().map(|mark| {
        let (at, reach) = pair(mark)?;
        let window = blocks.next()?;
        Some(Mark { at, reach, window })
    });
    let marks = marks.collect::<Option<_>>()?;
    let found = match &head["found"] {
        Value::Null => None,
        found => Some(Found {
            mark: usize::try_from(found[0].as_u64()?).ok()?,
            period: found[1].as_u64()?,
        }),
    };
    let state = StreamState {
        tail,
        start,
        marks,
        found,
        largest: number("largest")?,
        sparse: sparse(head)?,
    };
    let whole = bytes.is_empty() && blocks.next().is_none();
    let stream = Stream::resume(rules.clone(), state).filter(|_| whole)?;
    Some(Search::Stream(stream))
}
