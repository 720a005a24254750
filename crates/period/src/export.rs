//! Files of values in CSV, as a b-file, or in raw form, which may be compressed. They are written
//! either as a whole after the computation, or step by step while the values are computed.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::GzEncoder;
use grundy_core::heap::CompactValues;
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Message, message};
use serde::{Deserialize, Serialize};

use grundy_job::files::{self, Files, failed};

/// The format of a file of values, which is determined by its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValuesFormat {
    kind: FormatKind,
    compressed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormatKind {
    Csv,
    BFile,
    Raw,
}

impl ValuesFormat {
    pub(super) fn of(file: &Path) -> Result<Self, Diagnostic> {
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        let (plain, compressed) = name
            .strip_suffix(".gz")
            .map_or((name, false), |plain| (plain, true));
        let kind = match plain.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => FormatKind::Csv,
            Some("txt") => FormatKind::BFile,
            Some("bin") => FormatKind::Raw,
            _ => {
                let message = message!("{file}: unknown file extension", file = file.display());
                return Err(Diagnostic::new(Kind::Io, message).help(message!(
                    "use .csv, .txt (a b-file) or .bin, and append .gz to compress"
                )));
            }
        };
        Ok(Self { kind, compressed })
    }

    fn ending(self) -> &'static str {
        match (self.kind, self.compressed) {
            (FormatKind::Csv, false) => "csv",
            (FormatKind::Csv, true) => "csv.gz",
            (FormatKind::BFile, false) => "txt",
            (FormatKind::BFile, true) => "txt.gz",
            (FormatKind::Raw, false) => "bin",
            (FormatKind::Raw, true) => "bin.gz",
        }
    }

    /// Writes the values of consecutive heaps, of which `first` is the smallest. Raw values have
    /// `width` bytes each. A compressed file may consist of several gzip members, so each call
    /// appends a member.
    fn write(
        self,
        first: u64,
        values: &CompactValues,
        width: u64,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.compressed {
            let mut out = GzEncoder::new(out, Compression::fast());
            self.kind.write(first, values, width, &mut out)?;
            out.finish().map(drop)
        } else {
            self.kind.write(first, values, width, out)
        }
    }
}

impl FormatKind {
    fn write(
        self,
        first: u64,
        values: &CompactValues,
        width: u64,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut heaps = (first..).zip(values.iter());
        match self {
            Self::Csv => {
                // If a file is written in several parts, only the first part has the header.
                if first == 0 {
                    writeln!(out, "n,grundy")?;
                }
                heaps.try_for_each(|(n, value)| writeln!(out, "{n},{value}"))
            }
            Self::BFile => heaps.try_for_each(|(n, value)| writeln!(out, "{n} {value}")),
            // The values are stored in memory as in the file, so no value needs to be converted.
            Self::Raw if values.width() == width => {
                values.write_bytes(&mut |bytes| out.write_all(bytes))
            }
            Self::Raw => heaps.try_for_each(|(n, value)| {
                let bytes = value.to_le_bytes();
                let (bytes, rest) = bytes.split_at(width as usize);
                // The width was determined when the file was created, so a value that needs more
                // bytes cannot be written.
                if rest.iter().any(|byte| *byte != 0) {
                    let message = message!("the value {value} of heap {n} does not fit the {width} bytes that the file uses for each value; .csv and .txt files have no such limit", value, n, width);
                    return Err(io::Error::other(Diagnostic::new(Kind::Range, message)));
                }
                out.write_all(bytes)
            }),
        }
    }
}

/// Writes a complete file of values.
pub(super) fn write(files: &Files, file: &Path, values: &CompactValues) -> Result<(), Diagnostic> {
    let form = ValuesFormat::of(file)?;
    files::write(files, file, |out| {
        form.write(0, values, values.width(), out)
    })
}

/// The state of a growing file of values at a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WriterState {
    form: String,
    width: u64,
    length: u64,
    sum: u32,
}

impl WriterState {
    /// Returns whether the width of the values is possible.
    pub(super) fn is_sound(&self) -> bool {
        self.width <= 8
    }
}

/// A file with its length, and with the checksum of its content so far.
struct ChecksummedFile {
    file: File,
    length: u64,
    sum: Hasher,
}

impl Write for ChecksummedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.length += written as u64;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file of values that grows while more values are computed.
pub(super) struct ValuesWriter {
    path: PathBuf,
    form: ValuesFormat,
    /// The width of a raw value in bytes.
    width: u64,
    /// The heap whose value is written next.
    next: u64,
    out: BufWriter<ChecksummedFile>,
}

impl ValuesWriter {
    /// Creates a file. Each raw value takes `width` bytes.
    pub(super) fn create(files: &Files, path: &Path, width: u64) -> Result<Self, Diagnostic> {
        let form = ValuesFormat::of(path)?;
        files.on_disk(path)?;
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            form,
            width,
            next: 0,
            out: BufWriter::new(ChecksummedFile {
                file,
                length: 0,
                sum: Hasher::new(),
            }),
        })
    }

    /// Opens a file that contains at least the values of the heaps below `next`. Any later values
    /// are removed.
    pub(super) fn resume(
        files: &Files,
        path: &Path,
        written: &WriterState,
        next: u64,
    ) -> Result<Self, Diagnostic> {
        let refuse = |what: Message| {
            let message = message!("{file}: {what}", file = path.display(), what);
            let help = message!(
                "name the file that belongs to the checkpoint, or omit {option} to start over",
                option = Setting::command_line("resume")
            );
            Diagnostic::new(Kind::Io, message).help(help)
        };
        let form = ValuesFormat::of(path)?;
        if form.ending() != written.form {
            return Err(refuse(message!(
                "the values before the checkpoint are in a .{form} file, so the new values need the same format",
                form = written.form
            )));
        }
        files.on_disk(path)?;
        let open = File::options().read(true).write(true).open(path);
        let mut file = open.map_err(|error| refuse(Message::from(&error)))?;
        let mut sum = Hasher::new();
        let mut part = (&mut file).take(written.length);
        let mut bytes = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let read = part
                .read(&mut bytes)
                .map_err(|error| refuse(Message::from(&error)))?;
            if read == 0 {
                break;
            }
            sum.update(&bytes[..read]);
            length += read as u64;
        }
        if length < written.length {
            return Err(refuse(message!(
                "the file is cut off: {length} bytes, but {expected} were written before the checkpoint",
                length,
                expected = written.length
            )));
        }
        // A file of another run, or a file that was edited, would be a mixture of two sequences,
        // and this would not be noticed.
        if sum.clone().finalize() != written.sum {
            return Err(refuse(message!(
                "the file was changed after the checkpoint: its checksum is wrong"
            )));
        }
        // Values after the checkpoint will be computed again, so they are removed.
        let cut = file
            .set_len(length)
            .and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| refuse(Message::from(&error)))?;
        Ok(Self {
            path: path.to_owned(),
            form,
            width: written.width,
            next,
            out: BufWriter::new(ChecksummedFile { file, length, sum }),
        })
    }

    /// Appends the values of the next heaps to the file.
    pub(super) fn append(&mut self, values: &CompactValues) -> Result<(), Diagnostic> {
        let result = self
            .form
            .write(self.next, values, self.width, &mut self.out);
        self.next += values.len() as u64;
        result.map_err(|error| failed(&self.path, &error))
    }

    /// Flushes the buffer to the file.
    pub(super) fn flush(&mut self) -> Result<(), Diagnostic> {
        let flushed = self.out.flush();
        flushed.map_err(|error| failed(&self.path, &error))
    }

    /// Syncs the file to disk and returns its state for a checkpoint.
    pub(super) fn checkpoint_state(&mut self) -> Result<WriterState, Diagnostic> {
        // Otherwise, after a crash, there could be a checkpoint although the end of this file is
        // lost.
        self.flush()?;
        let ChecksummedFile { file, length, sum } = self.out.get_ref();
        let synced = file.sync_data();
        synced.map_err(|error| failed(&self.path, &error))?;
        Ok(WriterState {
            form: self.form.ending().to_owned(),
            width: self.width,
            length: *length,
            sum: sum.clone().finalize(),
        })
    }
}
