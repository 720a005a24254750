//! Files of values: CSV, b-file or raw, optionally compressed. They are written at once or while
//! the values are computed.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::GzEncoder;
use grundy::heap::Narrow;
use grundy::message::Setting;
use grundy::{Diagnostic, Kind, Message, message};
use serde::{Deserialize, Serialize};

use grundy_job::files::{self, Files, failed};

/// The form of a file of values, as its extension names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValuesForm {
    kind: FormKind,
    compressed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormKind {
    Csv,
    BFile,
    Raw,
}

impl ValuesForm {
    pub(super) fn of(file: &Path) -> Result<Self, Diagnostic> {
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        let (plain, compressed) = name
            .strip_suffix(".gz")
            .map_or((name, false), |plain| (plain, true));
        let kind = match plain.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => FormKind::Csv,
            Some("txt") => FormKind::BFile,
            Some("bin") => FormKind::Raw,
            _ => {
                let message = message!(
                    "{file}: the ending says what is written",
                    file = file.display()
                );
                return Err(Diagnostic::new(Kind::Io, message).help(message!(
                    "use .csv, .txt (a b-file) or .bin, and .gz after that to compress"
                )));
            }
        };
        Ok(Self { kind, compressed })
    }

    fn ending(self) -> &'static str {
        match (self.kind, self.compressed) {
            (FormKind::Csv, false) => "csv",
            (FormKind::Csv, true) => "csv.gz",
            (FormKind::BFile, false) => "txt",
            (FormKind::BFile, true) => "txt.gz",
            (FormKind::Raw, false) => "bin",
            (FormKind::Raw, true) => "bin.gz",
        }
    }

    /// Writes the values of the heaps from `first` on. Raw values have `width` bytes each.
    /// Concatenated gzip members are one gzip file, so a compressed file can grow by members.
    fn put(self, first: u64, values: &Narrow, width: u64, out: &mut impl Write) -> io::Result<()> {
        if self.compressed {
            let mut out = GzEncoder::new(out, Compression::fast());
            self.kind.put(first, values, width, &mut out)?;
            out.finish().map(drop)
        } else {
            self.kind.put(first, values, width, out)
        }
    }
}

impl FormKind {
    fn put(self, first: u64, values: &Narrow, width: u64, out: &mut impl Write) -> io::Result<()> {
        let mut heaps = (first..).zip(values.iter());
        match self {
            Self::Csv => {
                // Only the first part of a growing file has the header.
                if first == 0 {
                    writeln!(out, "n,grundy")?;
                }
                heaps.try_for_each(|(n, value)| writeln!(out, "{n},{value}"))
            }
            Self::BFile => heaps.try_for_each(|(n, value)| writeln!(out, "{n} {value}")),
            // The layout in memory is that of the file, so no value needs a conversion.
            Self::Raw if values.width() == width => {
                values.write_bytes(&mut |bytes| out.write_all(bytes))
            }
            Self::Raw => heaps.try_for_each(|(n, value)| {
                let bytes = value.to_le_bytes();
                let (bytes, rest) = bytes.split_at(width as usize);
                // The width was fixed at the start of the file, so a larger value cannot be
                // written.
                if rest.iter().any(|byte| *byte != 0) {
                    let message = message!("the value {value} of heap {n} does not fit the {width} bytes of those before it; .csv and .txt have no such limit", value, n, width);
                    return Err(io::Error::other(Diagnostic::new(Kind::Range, message)));
                }
                out.write_all(bytes)
            }),
        }
    }
}

/// Writes a complete file of values.
pub(super) fn write(files: &Files, file: &Path, values: &Narrow) -> Result<(), Diagnostic> {
    let form = ValuesForm::of(file)?;
    files::write(files, file, |out| form.put(0, values, values.width(), out))
}

/// The state of a growing file of values at a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Written {
    form: String,
    width: u64,
    length: u64,
    sum: u32,
}

impl Written {
    /// Returns whether the width is possible.
    pub(super) fn is_sound(&self) -> bool {
        self.width <= 8
    }
}

/// A file with its length and its running checksum.
struct SummedFile {
    file: File,
    length: u64,
    sum: Hasher,
}

impl Write for SummedFile {
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

/// A file of values that grows while they are computed.
pub(super) struct Growing {
    path: PathBuf,
    form: ValuesForm,
    /// The width of a raw value in bytes.
    width: u64,
    /// The next heap.
    next: u64,
    out: BufWriter<SummedFile>,
}

impl Growing {
    /// Creates a file. Raw values get `width` bytes each.
    pub(super) fn create(files: &Files, path: &Path, width: u64) -> Result<Self, Diagnostic> {
        let form = ValuesForm::of(path)?;
        files.on_disk(path)?;
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            form,
            width,
            next: 0,
            out: BufWriter::new(SummedFile {
                file,
                length: 0,
                sum: Hasher::new(),
            }),
        })
    }

    /// Opens a file that contained the values of the heaps below `next`. Anything after these
    /// values is cut off.
    pub(super) fn resume(
        files: &Files,
        path: &Path,
        written: &Written,
        next: u64,
    ) -> Result<Self, Diagnostic> {
        let refuse = |what: Message| {
            let message = message!("{file}: {what}", file = path.display(), what);
            let help = message!(
                "give the file that belongs to the checkpoint, or leave {option} out to begin again",
                option = Setting::typed("resume")
            );
            Diagnostic::new(Kind::Io, message).help(help)
        };
        let form = ValuesForm::of(path)?;
        if form.ending() != written.form {
            return Err(refuse(message!(
                "the values before the checkpoint were written as .{form}",
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
        // A file of another run, or one that was edited, would silently mix two sequences.
        if sum.clone().finalize() != written.sum {
            return Err(refuse(message!(
                "the file is not as it was at the checkpoint: its checksum is wrong"
            )));
        }
        // Values after the checkpoint are computed again, so they are dropped here.
        let cut = file
            .set_len(length)
            .and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| refuse(Message::from(&error)))?;
        Ok(Self {
            path: path.to_owned(),
            form,
            width: written.width,
            next,
            out: BufWriter::new(SummedFile { file, length, sum }),
        })
    }

    /// Appends the values of the next heaps.
    pub(super) fn append(&mut self, values: &Narrow) -> Result<(), Diagnostic> {
        let put = self.form.put(self.next, values, self.width, &mut self.out);
        self.next += values.len() as u64;
        put.map_err(|error| failed(&self.path, &error))
    }

    /// Flushes the buffer to the file.
    pub(super) fn settle(&mut self) -> Result<(), Diagnostic> {
        let flushed = self.out.flush();
        flushed.map_err(|error| failed(&self.path, &error))
    }

    /// Syncs the file to disk and returns its state for a checkpoint.
    pub(super) fn written(&mut self) -> Result<Written, Diagnostic> {
        // Without a sync a checkpoint could survive a crash that loses the end of this file.
        self.settle()?;
        let SummedFile { file, length, sum } = self.out.get_ref();
        let synced = file.sync_data();
        synced.map_err(|error| failed(&self.path, &error))?;
        Ok(Written {
            form: self.form.ending().to_owned(),
            width: self.width,
            length: *length,
            sum: sum.clone().finalize(),
        })
    }
}
