//! Records of a stream, which is a search that keeps only some of its values in memory. On request,
//! all values are written to a file, and the occurrences of each value are counted.

use std::collections::BTreeMap;

use grundy_core::heap::{CompactValues, Stream};
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, message};

use super::export::{ValuesFormat, ValuesWriter, WriterState};
use super::{PeriodOptions, Task};

/// The number of occurrences of each value.
pub type Frequencies = BTreeMap<u64, u64>;

/// The state of the records of a stream, as stored in a checkpoint: the file of values and the
/// counts of their occurrences.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordState {
    pub(super) values: Option<WriterState>,
    pub(super) counts: Option<Frequencies>,
}

/// Records of the values of a stream, which is a search that keeps only some of its values in
/// memory.
#[derive(Default)]
pub(super) struct ValueRecord {
    file: Option<ValuesWriter>,
    counts: Option<Frequencies>,
}

impl ValueRecord {
    /// Checks that the name of the file for the values has a known extension. This is done before
    /// the search starts.
    pub(super) fn check(options: &PeriodOptions) -> Result<(), Diagnostic> {
        options
            .values
            .as_deref()
            .map_or(Ok(()), |file| ValuesFormat::of(file).map(drop))
    }

    /// Creates the records of a new stream. They start with the values that the stream already has.
    pub(super) fn begin(task: Task<'_>, stream: &Stream) -> Result<Self, Diagnostic> {
        let file = task.options.values.as_deref();
        let mut record = Self {
            file: file
                .map(|file| ValuesWriter::create(task.files, file, stream.start().width()))
                .transpose()?,
            counts: task.options.frequencies.then(Frequencies::new),
        };
        // From now on the stream passes on only new values, so its first values are recorded here.
        record.append(stream.start())?;
        Ok(record)
    }

    /// Resumes the records of a stream from a checkpoint.
    pub(super) fn resume(
        task: Task<'_>,
        stream: &Stream,
        recorded: RecordState,
    ) -> Result<Self, Diagnostic> {
        let without = |option: Setting| {
            let message = message!(
                "the checkpoint was written without {option}, so earlier values were not stored",
                option
            );
            Diagnostic::new(Kind::Range, message).help(message!(
                "omit {option} to start over",
                option = Setting::command_line("resume")
            ))
        };
        let file = match (&task.options.values, recorded.values) {
            (Some(file), Some(written)) => {
                let next = stream.count();
                Some(ValuesWriter::resume(task.files, file, &written, next)?)
            }
            (Some(_), None) => return Err(without(Setting::new("values"))),
            (None, _) => None,
        };
        if task.options.frequencies && recorded.counts.is_none() {
            return Err(without(Setting::new("frequencies")));
        }
        Ok(Self {
            file,
            counts: recorded.counts,
        })
    }

    /// Records the values of the next heaps.
    pub(super) fn append(&mut self, values: &CompactValues) -> Result<(), Diagnostic> {
        if let Some(file) = &mut self.file {
            file.append(values)?;
        }
        if let Some(counts) = &mut self.counts {
            count(values, counts);
        }
        Ok(())
    }

    /// Returns whether neither values nor occurrences are recorded.
    pub(super) fn is_empty(&self) -> bool {
        self.file.is_none() && self.counts.is_none()
    }

    /// Writes buffered values to the file.
    pub(super) fn flush(&mut self) -> Result<(), Diagnostic> {
        self.file.as_mut().map_or(Ok(()), ValuesWriter::flush)
    }

    /// Returns the state of the records for a checkpoint.
    pub(super) fn checkpoint_state(&mut self) -> Result<RecordState, Diagnostic> {
        Ok(RecordState {
            values: self
                .file
                .as_mut()
                .map(ValuesWriter::checkpoint_state)
                .transpose()?,
            counts: self.counts.clone(),
        })
    }

    pub(super) fn into_counts(self) -> Option<Frequencies> {
        self.counts
    }
}

/// Adds the number of occurrences of each value in `values` to `counts`.
pub(super) fn count(values: &CompactValues, counts: &mut Frequencies) {
    /// Exclusive upper bound on the values that are counted in an array.
    const SMALL: usize = 1 << 16;
    // Grundy values are nearly always small. Counting them in an array is faster than a tree lookup
    // for each of them.
    let mut small = vec![0u64; SMALL];
    for value in values.iter() {
        match small.get_mut(usize::try_from(value).unwrap_or(SMALL)) {
            Some(times) => *times += 1,
            None => *counts.entry(value).or_insert(0) += 1,
        }
    }
    for (value, times) in (0..).zip(small).filter(|(_, times)| *times > 0) {
        *counts.entry(value).or_insert(0) += times;
    }
}
