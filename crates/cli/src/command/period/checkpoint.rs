//! Checkpoints of a long search: a line of JSON, the values as they stand in memory, a checksum.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crc32fast::Hasher;
use grundy::Kind;
use grundy::heap::stream::{Found, Mark, StreamState, Tail};
use grundy::heap::{Classes, HeapRules, Narrow, Sequence, Snapshot, SparseSnapshot, Stream};
use grundy::theory::NormalPlay;
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use super::export::Written;
use super::family;
use super::record::Recorded;
use crate::failure::Failure;
use crate::whole_file;

/// How far a search has come.
pub(super) enum Search {
    /// All values are kept.
    Whole(Sequence<NormalPlay>),
    /// The smallest heaps and the last are kept.
    Stream(Stream),
}

pub(super) fn write(
    file: &Path,
    source: &str,
    sequence: &Sequence<NormalPlay>,
) -> Result<(), Failure> {
    let Snapshot { tried, sparse } = sequence.snapshot();
    let values = sequence.values();
    let mut head = head("checkpoint", source, &sparse);
    head["count"] = values.len().into();
    head["width"] = values.width().into();
    head["tried"] = tried.into();
    put(file, &head, &[values])
}

/// What is recorded belongs to the values before the end of the stream.
pub(super) fn write_stream(
    file: &Path,
    source: &str,
    stream: &Stream,
    recorded: &Recorded,
) -> Result<(), Failure> {
    let state = stream.state();
    let mut head = head("stream", source, &state.sparse);
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
    put(file, &head, &blocks)
}

fn head(kind: &str, source: &str, sparse: &SparseSnapshot) -> Value {
    json!({
        "kind": kind,
        "version": 1,
        "family": source,
        "mask": sparse.classes.map(|classes| classes.mask),
        "position": sparse.classes.is_some_and(|classes| classes.position),
        "odd": sparse.classes.is_some_and(|classes| classes.odd),
        "since": sparse.since,
        "chosen_at": sparse.chosen_at,
        "last_use": sparse.last_use,
    })
}

fn put(file: &Path, head: &Value, blocks: &[&Narrow]) -> Result<(), Failure> {
    whole_file::write(file, |out| {
        let mut sum = Hasher::new();
        let mut put = |out: &mut io::BufWriter<fs::File>, bytes: &[u8]| {
            sum.update(bytes);
            out.write_all(bytes)
        };
        put(out, format!("{head}\n").as_bytes())?;
        for values in blocks {
            values.write_bytes(&mut |bytes| put(out, bytes))?;
        }
        out.write_all(&sum.finalize().to_le_bytes())
    })
}

pub(super) fn read(
    file: &Path,
    source: &str,
    rules: &HeapRules,
) -> Result<(Search, Recorded), Failure> {
    let name = file.display();
    let refuse = |what: &str| {
        Failure::from(
            Diagnostic::new(Kind::Io, format!("{name}: {what}"))
                .help("leave --resume out to begin again"),
        )
    };
    let bytes = fs::read(file).map_err(|error| refuse(&error.to_string()))?;
    let (content, sum) = bytes
        .split_last_chunk::<4>()
        .ok_or_else(|| refuse("the checkpoint is cut off"))?;
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return Err(refuse(
            "the checkpoint is cut off or damaged: its checksum is wrong",
        ));
    }
    let line = content.iter().position(|&byte| byte == b'\n');
    let (head, values) = content.split_at(line.ok_or_else(|| refuse("not a checkpoint"))? + 1);
    let head: Value = serde_json::from_slice(head).map_err(|_| refuse("not a checkpoint"))?;
    if head["version"] != 1 {
        return Err(refuse("not a checkpoint of this version"));
    }
    let written = head["family"].as_str().unwrap_or_default();
    let same = family(written)
        .is_ok_and(|term| term.heap_rules().is_some_and(|(known, _)| known == rules));
    if !same {
        return Err(refuse(&format!(
            "the checkpoint is of {written}, not of {source}"
        )));
    }
    let search = match head["kind"].as_str() {
        Some("checkpoint") => whole(&head, values, rules),
        Some("stream") => stream(&head, values, rules),
        _ => return Err(refuse("not a checkpoint of a period")),
    };
    let both = search.zip(recorded(&head));
    both.ok_or_else(|| refuse("the checkpoint is damaged"))
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
