//! Checkpoints of a long search. They are files with a checksum, in which the values have the same
//! layout as in memory.

use std::io::Write as _;
use std::path::Path;

use grundy_core::algebra::NormalPlay;
use grundy_core::heap::stream::{Mark, RepeatedWindow, StreamState, Tail};
use grundy_core::heap::{
    Classes, CompactValues, HeapRules, Sequence, Snapshot, SparseSnapshot, Stream,
};
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, message};
use grundy_tablebase::checked::Form;
use serde::{Deserialize, Serialize};

use super::export::WriterState;
use super::record::RecordState;
use super::{Task, family};
use grundy_job::files::{self, Files};

const FORM: Form = Form {
    noun: || message!("checkpoint"),
    kind: "period checkpoint",
    version: 2,
    help: || {
        message!(
            "omit {option} to start over",
            option = Setting::command_line("resume")
        )
    },
};

/// A search for a period, with the values that it keeps in memory.
pub(super) enum PeriodSearch {
    /// A search that keeps all values in memory.
    Whole(Sequence<NormalPlay>),
    /// A search that keeps only the values of the smallest heaps and the most recently computed
    /// values in memory.
    Stream(Stream),
}

/// The data in the first line of a checkpoint file.
#[derive(Serialize, Deserialize)]
struct PeriodHead {
    /// The kind of search, and the layout of its values in the file.
    #[serde(flatten)]
    kept: Kept,
    family: String,
    mask: Option<u64>,
    position: bool,
    odd: bool,
    since: u64,
    chosen_at: u64,
    last_use: Vec<(u64, u64)>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kept", rename_all = "lowercase")]
enum Kept {
    All {
        count: u64,
        width: u64,
        tried: u64,
    },
    Last {
        small: u64,
        dropped: u64,
        largest: u64,
        found: Option<(usize, u64)>,
        values: Option<WriterState>,
        counts: Option<Vec<(u64, u64)>>,
        marks: Vec<(u64, u64)>,
        /// The sizes of the blocks of values in the file. Each block has the width of its values in
        /// bytes, and the number of its values.
        blocks: Vec<(u64, u64)>,
    },
}

impl PeriodHead {
    fn new(kept: Kept, source: &str, sparse: SparseSnapshot) -> Self {
        let classes = sparse.classes;
        Self {
            kept,
            family: source.to_owned(),
            mask: classes.map(|classes| classes.mask),
            position: classes.is_some_and(|classes| classes.position),
            odd: classes.is_some_and(|classes| classes.odd),
            since: sparse.since,
            chosen_at: sparse.chosen_at,
            last_use: sparse.last_use,
        }
    }

    /// Returns the state of the computation in a sparse space.
    fn sparse(&self) -> SparseSnapshot {
        SparseSnapshot {
            classes: self.mask.map(|mask| Classes {
                mask,
                position: self.position,
                odd: self.odd,
            }),
            since: self.since,
            chosen_at: self.chosen_at,
            last_use: self.last_use.clone(),
        }
    }
}

pub(super) fn write(
    task: Task<'_>,
    file: &Path,
    sequence: &Sequence<NormalPlay>,
) -> Result<(), Diagnostic> {
    let Snapshot { tried, sparse } = sequence.snapshot();
    let values = sequence.values();
    let kept = Kept::All {
        count: values.len() as u64,
        width: values.width(),
        tried,
    };
    put(
        task.files,
        file,
        &PeriodHead::new(kept, task.source, sparse),
        &[values],
    )
}

/// Writes a checkpoint of a stream, which is a search that keeps only some of its values in memory.
/// `recorded` is the state of the records of all values: the file to which they are written, and
/// the counts of their occurrences.
pub(super) fn write_stream(
    task: Task<'_>,
    file: &Path,
    stream: &Stream,
    recorded: RecordState,
) -> Result<(), Diagnostic> {
    let state = stream.state();
    // `resumed` reads the blocks in the same order.
    let blocks: Vec<&CompactValues> = [&state.tail.values, &state.start]
        .into_iter()
        .chain(state.marks.iter().map(|mark| &mark.window))
        .collect();
    let sizes = blocks
        .iter()
        .map(|values| (values.width(), values.len() as u64));
    let marks = state.marks.iter().map(|mark| (mark.at, mark.reach));
    let kept = Kept::Last {
        small: state.tail.small,
        dropped: state.tail.dropped,
        largest: state.largest,
        found: state.found.map(|found| (found.mark, found.period)),
        values: recorded.values,
        counts: recorded.counts.map(|counts| counts.into_iter().collect()),
        marks: marks.collect(),
        blocks: sizes.collect(),
    };
    let head = PeriodHead::new(kept, task.source, state.sparse);
    put(task.files, file, &head, &blocks)
}

fn put(
    files: &Files,
    file: &Path,
    head: &PeriodHead,
    blocks: &[&CompactValues],
) -> Result<(), Diagnostic> {
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
) -> Result<(PeriodSearch, RecordState), Diagnostic> {
    // Text in memory is written once, at the end of a request, so it is never a checkpoint.
    task.files.on_disk(file)?;
    let mut input = FORM.open(file)?;
    let (head, values) = (PeriodHead::deserialize(input.head()), input.rest()?);
    input.finish()?;
    let head = head.map_err(|_| input.damaged())?;
    // The rules are compared and not the texts, so the family may be spelled differently.
    let same = family(&head.family)
        .is_ok_and(|term| term.heap_rules().is_some_and(|(known, _)| known == rules));
    if !same {
        let what = message!(
            "the checkpoint belongs to {family}, not to {source}",
            family = head.family,
            source = task.source
        );
        return Err(input.refuse(&what));
    }
    resumed(head, &values, rules).ok_or_else(|| input.damaged())
}

fn resumed(
    head: PeriodHead,
    mut bytes: &[u8],
    rules: &HeapRules,
) -> Option<(PeriodSearch, RecordState)> {
    let sparse = head.sparse();
    match head.kept {
        Kept::All {
            count,
            width,
            tried,
        } => {
            // The block extends to the end of the file, so its actual length is compared with
            // `count`.
            let values = CompactValues::from_bytes(width, bytes)?;
            let whole = values.len() as u64 == count;
            let snapshot = Snapshot { tried, sparse };
            let sequence = Sequence::resume(rules.clone(), values, snapshot);
            whole.then_some((PeriodSearch::Whole(sequence), RecordState::default()))
        }
        Kept::Last {
            small,
            dropped,
            largest,
            found,
            values,
            counts,
            marks,
            blocks,
        } => {
            let mut blocks = blocks.into_iter().map(|(width, count)| {
                // The numbers come from a file and may be false. So no product may overflow, and no
                // block may be longer than the bytes that are left.
                let length = usize::try_from(width.checked_mul(count)?).ok()?;
                let (block, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                CompactValues::from_bytes(width, block)
            });
            let tail = Tail {
                small,
                dropped,
                values: blocks.next()??,
            };
            let start = blocks.next()??;
            let marks = marks.into_iter().map(|(at, reach)| {
                let window = blocks.next()??;
                Some(Mark { at, reach, window })
            });
            let state = StreamState {
                tail,
                start,
                marks: marks.collect::<Option<_>>()?,
                found: found.map(|(mark, period)| RepeatedWindow { mark, period }),
                largest,
                sparse,
            };
            let sound = values.as_ref().is_none_or(WriterState::is_sound);
            // Every block and every byte must be used. Otherwise, the head and the content do not
            // belong together.
            let whole = sound && blocks.next().is_none() && bytes.is_empty();
            let stream = Stream::resume(rules.clone(), state).filter(|_| whole)?;
            let counts = counts.map(|counts| counts.into_iter().collect());
            Some((PeriodSearch::Stream(stream), RecordState { values, counts }))
        }
    }
}
