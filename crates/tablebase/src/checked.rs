//! Files with a checksum: a line of JSON, then bytes, then the CRC-32 of everything before it (4
//! bytes, little-endian).
//!
//! The line contains the kind and the format version of the file, and the number of bytes between
//! the line and the checksum. Its key `head` stores further data of the caller. Hence the same code
//! detects truncation, damage and a wrong kind for all these files. The bytes are read and written
//! as a stream, so a file may be larger than memory.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crc32fast::Hasher;
use grundy_base::{Diagnostic, Kind, Message, message};
use serde::Serialize;
use serde_json::Value;

/// Length limit of the first line in bytes.
const LONGEST_HEAD: u64 = 1 << 26;
/// Size of the checksum in bytes.
const SUM: u64 = 4;

/// A kind of file with a checksum: its name, its version, and the texts for error messages about
/// such files.
///
/// ```
/// use std::io::{Read as _, Write as _};
/// use grundy_core::message;
/// use grundy_tablebase::checked::Form;
///
/// let form = Form {
/// noun: || message!("note"),
/// kind: "example note",
/// version: 1,
/// help: || message!("write the Parquet file again"),
/// };
/// let file = std::env::temp_dir().join(format!("grundy-checked-{}", std::process::id()));
/// let mut bytes = Vec::new();
/// form.write(&mut bytes, &"three", 3, |out| out.write_all(b"abc"))?;
/// std::fs::write(&file, &bytes)?;
/// let mut found = form.open(&file)?;
/// let mut text = String::new();
/// found.read_to_string(&mut text)?;
/// assert_eq!((found.head().as_str(), text.as_str()), (Some("three"), "abc"));
/// found.finish()?;
/// std::fs::write(&file, &bytes[..bytes.len() - 1])?;
/// assert!(form.open(&file).unwrap_err().message.ends_with("the note is cut off"));
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The name of the file in messages, as in "the checkpoint is cut off".
    pub noun: fn() -> Message,
    /// The name of the kind in the first line of the file.
    pub kind: &'static str,
    /// The version of the format of this kind.
    pub version: u64,
    /// The help message for a file that is rejected.
    pub help: fn() -> Message,
}

/// The content of the first line of a file with a checksum, as a JSON object.
#[derive(Serialize)]
struct FirstLine<'a, T> {
    kind: &'a str,
    version: u64,
    bytes: u64,
    head: &'a T,
}

impl Form {
    /// Writes a file with a checksum to `out`. The first line contains `head`. After this line come
    /// the `bytes` bytes that `content` writes, and then the checksum.
    ///
    /// # Errors
    /// An error of `out`, or content whose length is not `bytes`.
    pub fn write<W: Write>(
        &self,
        out: &mut W,
        head: &impl Serialize,
        bytes: u64,
        content: impl FnOnce(&mut Writer<'_, W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let line = FirstLine {
            kind: self.kind,
            version: self.version,
            bytes,
            head,
        };
        let mut out = Writer {
            inner: out,
            sum: Hasher::new(),
            written: 0,
        };
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
        // The checksum covers the first line, but `bytes` does not count it.
        let first = out.written;
        content(&mut out)?;
        if out.written - first != bytes {
            let found = out.written - first;
            let message = format!("expected {bytes} bytes, but {found} were written");
            return Err(io::Error::other(message));
        }
        // `inner` is used directly, since the checksum does not cover itself.
        out.inner.write_all(&out.sum.finalize().to_le_bytes())
    }

    /// Opens a file and reads its first line.
    ///
    /// # Errors
    /// A file that cannot be read, or has another kind, version, or length than expected.
    pub fn open(&self, file: &Path) -> Result<Reader, Diagnostic> {
        let refuse = |what: &Message| self.refuse(file, what);
        let failed = |error: io::Error| refuse(&Message::from(&error));
        let opened = File::open(file).map_err(failed)?;
        let length = opened.metadata().map_err(failed)?.len();
        let mut input = BufReader::with_capacity(1 << 18, opened);
        let mut line = Vec::new();
        // A binary file may have no line break, so the length of the first line is limited.
        let mut first = Read::by_ref(&mut input).take(LONGEST_HEAD);
        first.read_until(b'\n', &mut line).map_err(failed)?;
        let noun = (self.noun)();
        if line.is_empty() {
            return Err(refuse(&message!("the {noun} is cut off", noun)));
        }
        if line.last() != Some(&b'\n') {
            return Err(refuse(&message!(
                "the file is not a {noun}, or it is cut off",
                noun
            )));
        }
        // If the line is complete but is not JSON, the file is of another kind.
        let found = serde_json::from_slice::<Value>(&line);
        let mut found = found.map_err(|_| refuse(&message!("not a {noun}", noun)))?;
        if found["kind"] != self.kind || found["version"] != self.version {
            return Err(refuse(&message!(
                "not a {noun}, or its version is not supported",
                noun
            )));
        }
        let damaged = || refuse(&message!("the {noun} is damaged", noun));
        let bytes = found["bytes"].as_u64().ok_or_else(damaged)?;
        // The length is checked before any byte is used, so that a truncated file is reported
        // first. The sum is computed in 128 bits, since `bytes` may be any number.
        let all = u128::from(bytes) + line.len() as u128 + u128::from(SUM);
        match all.cmp(&u128::from(length)) {
            Ordering::Greater => return Err(refuse(&message!("the {noun} is cut off", noun))),
            Ordering::Equal => {}
            Ordering::Less => return Err(damaged()),
        }
        let mut sum = Hasher::new();
        sum.update(&line);
        Ok(Reader {
            form: *self,
            file: file.to_owned(),
            head: found["head"].take(),
            bytes,
            left: bytes,
            input,
            sum,
        })
    }

    /// Returns the stamp of a file, by which a later change of the file is detected. Returns `None`
    /// if the file does not exist.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn stamp(&self, file: &Path) -> Result<Option<Stamp>, Diagnostic> {
        match Stamp::of(file) {
            Ok(stamp) => Ok(Some(stamp)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.refuse(file, &Message::from(&error))),
        }
    }

    fn refuse(&self, file: &Path, what: &Message) -> Diagnostic {
        Diagnostic::new(
            Kind::Io,
            message!("{file}: {what}", file = file.display(), what),
        )
        .help((self.help)())
    }
}

/// The length, the modification time and the stored checksum of a file. If the file is replaced by
/// one with other content, almost certainly at least one of the three changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    sum: [u8; SUM as usize],
}

impl Stamp {
    fn of(file: &Path) -> io::Result<Self> {
        let mut file = File::open(file)?;
        let about = file.metadata()?;
        let mut sum = [0; SUM as usize];
        // The checksum is part of the file, so computing a stamp reads only 4 bytes.
        if about.len() >= SUM {
            file.seek(SeekFrom::End(-(SUM as i64)))?;
            file.read_exact(&mut sum)?;
        }
        Ok(Self {
            length: about.len(),
            modified: about.modified().ok(),
            sum,
        })
    }
}

/// The destination for the content of a file that is being written.
#[derive(Debug)]
pub struct Writer<'a, W> {
    inner: &'a mut W,
    sum: Hasher,
    written: u64,
}

impl<W: Write> Write for Writer<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A file that is being read. It yields the bytes between the first line and the checksum. The
/// checksum is verified only by [`Reader::finish`].
#[derive(Debug)]
pub struct Reader {
    form: Form,
    file: PathBuf,
    head: Value,
    bytes: u64,
    left: u64,
    input: BufReader<File>,
    sum: Hasher,
}

impl Reader {
    /// Returns the data that the writer stored in the first line.
    #[must_use]
    pub fn head(&self) -> &Value {
        &self.head
    }

    /// Returns the number of bytes between the first line and the checksum.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.bytes
    }

    /// Returns the error that rejects the file. `what` is the reason.
    #[must_use]
    pub fn refuse(&self, what: &Message) -> Diagnostic {
        self.form.refuse(&self.file, what)
    }

    /// Returns the error for a file whose content is invalid.
    #[must_use]
    pub fn damaged(&self) -> Diagnostic {
        self.refuse(&message!(
            "the {noun} is damaged",
            noun = (self.form.noun)()
        ))
    }

    /// Returns the error for a read that failed. If the data was invalid or ended early, the error
    /// says that the file is damaged.
    #[must_use]
    pub fn broken(&self, error: &io::Error) -> Diagnostic {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => self.damaged(),
            _ => self.refuse(&Message::from(error)),
        }
    }

    /// Returns all bytes that have not been read yet.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn rest(&mut self) -> Result<Vec<u8>, Diagnostic> {
        let mut bytes = Vec::new();
        let read = self.read_to_end(&mut bytes);
        read.map_err(|error| self.broken(&error))?;
        Ok(bytes)
    }

    /// Verifies the checksum. All bytes of the content must have been read.
    ///
    /// # Errors
    /// A damaged file.
    pub fn finish(&mut self) -> Result<(), Diagnostic> {
        if self.left > 0 {
            return Err(self.damaged());
        }
        let mut written = [0; SUM as usize];
        let read = self.input.read_exact(&mut written);
        read.map_err(|error| self.broken(&error))?;
        if self.sum.clone().finalize() == u32::from_le_bytes(written) {
            Ok(())
        } else {
            let noun = (self.form.noun)();
            Err(self.refuse(&message!(
                "the {noun} is damaged: its checksum is wrong",
                noun
            )))
        }
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // At most the rest of the content is read, so that the checksum after it is not returned as
        // data.
        let most = into
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.input.read(&mut into[..most])?;
        self.sum.update(&into[..read]);
        self.left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use std::fs;

    const FORM: Form = Form {
        noun: || message!("checkpoint"),
        kind: "test",
        version: 2,
        help: || message!("begin again"),
    };

    fn read(file: &Path) -> Result<(Value, Vec<u8>), Diagnostic> {
        let mut found = FORM.open(file)?;
        let (head, bytes) = (found.head().clone(), found.rest()?);
        found.finish().map(|()| (head, bytes))
    }

    #[test]
    fn every_truncation_and_flipped_bit_is_detected() {
        let file = std::env::temp_dir().join(format!("grundy-checked-test-{}", std::process::id()));
        let mut good = Vec::new();
        let content = [0, 10, 255, 7];
        FORM.write(&mut good, &json!({"of": "nim"}), 4, |out| {
            out.write_all(&content)
        })
        .unwrap();
        fs::write(&file, &good).unwrap();
        assert_eq!(read(&file), Ok((json!({"of": "nim"}), content.to_vec())));
        // The first line states the length, so every truncation is detected, even one inside the
        // checksum.
        for length in 0..good.len() {
            fs::write(&file, &good[..length]).unwrap();
            let error = read(&file).unwrap_err();
            assert!(error.message.ends_with("cut off"), "{length}: {error}");
            assert_eq!(error.help, Some((FORM.help)()));
        }
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&file, &bytes).unwrap();
            assert!(read(&file).is_err(), "bit {bit}");
        }
        // A file with additional bytes is damaged, not cut off.
        good.push(0);
        fs::write(&file, &good).unwrap();
        assert!(read(&file).unwrap_err().message.ends_with("is damaged"));
        fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_replaced_file_has_another_stamp() {
        let file = std::env::temp_dir().join(format!("grundy-stamps-{}", std::process::id()));
        let write = |content: &[u8; 2]| {
            let mut bytes = Vec::new();
            let written = FORM.write(&mut bytes, &Value::Null, 2, |out| out.write_all(content));
            written.unwrap();
            fs::write(&file, &bytes).unwrap();
            let stamp = FORM.stamp(&file).unwrap().unwrap();
            assert_eq!(FORM.stamp(&file), Ok(Some(stamp)));
            stamp
        };
        let _ = fs::remove_file(&file);
        assert_eq!(FORM.stamp(&file), Ok(None));
        // The two files have the same length, and perhaps the same modification time. So only the
        // checksum differs.
        assert_ne!(write(b"ab"), write(b"ba"));
        fs::write(&file, "?").unwrap();
        assert!(FORM.stamp(&file).unwrap().is_some());
        fs::remove_file(&file).unwrap();
    }

    #[test]
    fn other_kinds_and_other_lengths_are_refused() {
        let file = std::env::temp_dir().join(format!("grundy-checked-kind-{}", std::process::id()));
        for other in [
            Form { version: 1, ..FORM },
            Form {
                kind: "labels",
                ..FORM
            },
        ] {
            let mut bytes = Vec::new();
            other
                .write(&mut bytes, &Value::Null, 0, |_| Ok(()))
                .unwrap();
            fs::write(&file, &bytes).unwrap();
            let error = read(&file).unwrap_err();
            assert!(
                error
                    .message
                    .ends_with("not a checkpoint, or its version is not supported")
            );
        }
        fs::remove_file(&file).unwrap();
        let written = FORM.write(&mut Vec::new(), &Value::Null, 3, |out| out.write_all(b"ab"));
        assert!(written.is_err());
    }
}
