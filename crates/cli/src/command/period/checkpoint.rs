//! Checkpoints of a long search: a line of JSON, the values as they stand in memory, a checksum.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crc32fast::Hasher;
use grundy::Kind;
use grundy::heap::{Classes, HeapRules, Narrow, Sequence, Snapshot, SparseSnapshot};
use grundy::theory::NormalPlay;
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use super::family;
use crate::failure::Failure;
use crate::whole_file;

pub(super) fn write(
    file: &Path,
    source: &str,
    sequence: &Sequence<NormalPlay>,
) -> Result<(), Failure> {
    let Snapshot { tried, sparse } = sequence.snapshot();
    let values = sequence.values();
    let head = json!({
        "kind": "checkpoint",
        "version": 1,
        "family": source,
        "count": values.len(),
        "width": values.width(),
        "tried": tried,
        "mask": sparse.classes.map(|classes| classes.mask),
        "position": sparse.classes.is_some_and(|classes| classes.position),
        "odd": sparse.classes.is_some_and(|classes| classes.odd),
        "since": sparse.since,
        "chosen_at": sparse.chosen_at,
        "last_use": sparse.last_use,
    });
    whole_file::write(file, |out| {
        let mut sum = Hasher::new();
        let mut put = |out: &mut io::BufWriter<fs::File>, bytes: &[u8]| {
            sum.update(bytes);
            out.write_all(bytes)
        };
        put(out, format!("{head}\n").as_bytes())?;
        values.write_bytes(&mut |bytes| put(out, bytes))?;
        out.write_all(&sum.finalize().to_le_bytes())
    })
}

pub(super) fn read(
    file: &Path,
    source: &str,
    rules: &HeapRules,
) -> Result<Sequence<NormalPlay>, Failure> {
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
    if head["kind"] != "checkpoint" || head["version"] != 1 {
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
    let number = |key: &str| head[key].as_u64();
    let parts = || {
        let classes = number("mask").map(|mask| Classes {
            mask,
            position: head["position"] == true,
            odd: head["odd"] == true,
        });
        let last_use = head["last_use"]
            .as_array()?
            .iter()
            .map(|pair| Some((pair[0].as_u64()?, pair[1].as_u64()?)));
        let snapshot = Snapshot {
            tried: number("tried")?,
            sparse: SparseSnapshot {
                classes,
                since: number("since")?,
                chosen_at: number("chosen_at")?,
                last_use: last_use.collect::<Option<_>>()?,
            },
        };
        let values = Narrow::from_bytes(number("width")?, values)?;
        (values.len() as u64 == number("count")?).then_some((values, snapshot))
    };
    let (values, snapshot) = parts().ok_or_else(|| refuse("the checkpoint is damaged"))?;
    Ok(Sequence::resume(rules.clone(), values, snapshot))
}
