//! Writing of answers with a limit on their length. Entries, rows or lines that do not fit are
//! omitted, and the output reports this.

use std::io::{self, BufWriter, Write};

use grundy_core::solve::Status;
use grundy_core::{Diagnostic, Stop};
use serde::Serialize;
use serde::ser::{self, Impossible, SerializeMap, SerializeStruct};
use serde_json::Value;

use crate::Audience;
use crate::answer::json_line;
use crate::diagnostic::DiagnosticView;
use crate::report::limit_sentence;

/// Largest length, in bytes, of an answer that is kept in memory until its length is known. A
/// longer answer is serialized twice: once to measure it, and once to write it.
const MAX_BUFFER: usize = 1 << 20;

/// Number of bytes that are reserved at the end of an output for the entries that report what was
/// omitted.
const RESERVED_BYTES: u64 = 4 << 10;

/// The key whose value lists the names of omitted entries.
const LEFT_OUT: &str = "left_out";

/// A writer that counts all bytes written to it. Once more than `MAX_BUFFER` bytes have been
/// written, further bytes are counted but no longer stored. If more than `max_bytes` bytes are
/// written, it returns an error.
struct CountingWriter {
    buffer: Vec<u8>,
    length: u64,
    max_bytes: u64,
}

impl CountingWriter {
    fn new(max_bytes: u64) -> Self {
        Self {
            buffer: Vec::new(),
            length: 0,
            max_bytes,
        }
    }
}

impl Write for CountingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.length += bytes.len() as u64;
        if self.length > self.max_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if self.length <= MAX_BUFFER as u64 {
            self.buffer.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes an answer if it has at most `max_bytes` bytes, and otherwise writes nothing. Returns
/// whether it was written. For an answer of more than 1 MiB, `write` is called twice.
///
/// # Errors
/// The error of `out`, or an error of `write` that is not due to the length.
///
/// # Examples
/// ```
/// use grundy_wording::output::write_within;
/// let mut out = Vec::new();
/// let value = "1, 2, 3";
/// assert!(!write_within(&mut out, 6, &|out| write!(out, "{value}"))?);
/// assert!(write_within(&mut out, 7, &|out| write!(out, "{value}"))?);
/// assert_eq!(out, b"1, 2, 3");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_within(
    out: &mut dyn Write,
    max_bytes: u64,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<bool> {
    // Serializers write a few bytes at a time, so they are collected here.
    let mut counter = BufWriter::new(CountingWriter::new(max_bytes));
    let measured = write(&mut counter).and_then(|()| counter.flush());
    let (counter, _) = counter.into_parts();
    match measured {
        Ok(()) if counter.length <= MAX_BUFFER as u64 => out.write_all(&counter.buffer)?,
        Ok(()) => write(out)?,
        // This error comes from `CountingWriter` and only means that the answer is too long.
        Err(_) if counter.length > max_bytes => return Ok(false),
        Err(error) => return Err(error),
    }
    Ok(true)
}

/// Writes `object` as JSON of at most `max_bytes` bytes. Entries that do not fit are omitted, and
/// their names are listed under the key `left_out`. The written object has the status `partial`.
///
/// # Errors
/// The error of `out`.
///
/// # Examples
/// ```
/// use grundy_wording::Audience;
/// use grundy_wording::{answer::OrderedMap, output::cut_object};
/// let long = "x".repeat(10_000);
/// let object = OrderedMap(vec![("outcome", "N"), ("certificate", &long)]);
/// let mut out = Vec::new();
/// cut_object(&mut out, 5_000, &object, Audience::default())?;
/// let json: serde_json::Value = serde_json::from_slice(&out)?;
/// assert_eq!((&json["outcome"], &json["left_out"][0]), (&"N".into(), &"certificate".into()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn cut_object(
    out: &mut dyn Write,
    max_bytes: u64,
    object: &impl Serialize,
    audience: Audience,
) -> io::Result<()> {
    let mut entries = ObjectWriter {
        out,
        remaining: max_bytes.saturating_sub(RESERVED_BYTES),
        left_out: Vec::new(),
        error: None,
        first: true,
    };
    entries.out.write_all(b"{")?;
    let written = object.serialize(&mut entries);
    if let Some(error) = entries.error.take() {
        return Err(error);
    }
    written.map_err(io::Error::other)?;
    // These entries use the bytes that `RESERVED_BYTES` reserves, so they always fit.
    let left_out = std::mem::take(&mut entries.left_out);
    entries.put(LEFT_OUT, &left_out)?;
    entries.put("status", Status::Partial.name())?;
    let stopped = Diagnostic::from(Stop::Output(max_bytes));
    entries.put("stopped", &DiagnosticView::new(&stopped, "", audience))?;
    entries.out.write_all(b"}\n")
}

/// A serializer of an object. Entries that do not fit into `remaining` bytes are omitted.
struct ObjectWriter<'a> {
    out: &'a mut dyn Write,
    remaining: u64,
    left_out: Vec<String>,
    error: Option<io::Error>,
    first: bool,
}

impl ObjectWriter<'_> {
    /// Writes an entry, whatever its length.
    fn put(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        if !std::mem::take(&mut self.first) {
            self.out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *self.out, key)?;
        self.out.write_all(b":")?;
        serde_json::to_writer(&mut *self.out, value)?;
        Ok(())
    }

    /// Writes an entry of the object if it fits into the remaining bytes. Otherwise adds its key to
    /// the list of omitted entries. The entries `status`, `stopped` and `left_out` are skipped,
    /// since `cut_object` writes them at the end.
    fn entry(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        match key {
            "status" | "stopped" => return Ok(()),
            // The object itself may already have a list of omitted entries. The two lists are
            // merged, since a key may occur only once.
            LEFT_OUT => {
                let earlier = serde_json::to_value(value)?;
                let earlier = earlier.as_array().into_iter().flatten();
                let earlier = earlier.filter_map(Value::as_str).map(str::to_owned);
                self.left_out.extend(earlier);
                return Ok(());
            }
            _ => {}
        }
        let mut counter = BufWriter::new(CountingWriter::new(self.remaining));
        let measured = serde_json::to_writer(&mut counter, value)
            .map_err(io::Error::from)
            .and_then(|()| counter.flush());
        let (counter, _) = counter.into_parts();
        // The length includes the key, its quotation marks, a colon and a comma.
        let length = counter.length + key.len() as u64 + 4;
        match measured {
            Ok(()) if length <= self.remaining => {
                self.remaining -= length;
                self.put(key, value)
            }
            // The value is not too long, so this error is due to its serialization.
            Err(error) if counter.length <= self.remaining => Err(error),
            _ => {
                self.left_out.push(key.to_owned());
                Ok(())
            }
        }
    }

    fn store_error(&mut self, written: io::Result<()>) -> Result<(), serde_json::Error> {
        written.map_err(|error| {
            // A serde error cannot contain an `io::Error`. Hence the `io::Error` is stored, and
            // `cut_object` returns it.
            let serde_error = ser::Error::custom(&error);
            self.error = Some(error);
            serde_error
        })
    }
}

/// Returns the error for a value that is not an object.
fn not_an_object<T>() -> Result<T, serde_json::Error> {
    Err(ser::Error::custom("an answer is an object"))
}

type Unsupported = Impossible<(), serde_json::Error>;

/// Defines the methods of a serializer that reject a value because it is not an object.
macro_rules! rejected {
    ($($method:ident($($value:ty),*);)*) => {
        $(fn $method(self, $(_: $value),*) -> Result<(), serde_json::Error> {
            not_an_object()
        })*
    };
}

impl ser::Serializer for &mut ObjectWriter<'_> {
    type Ok = ();
    type Error = serde_json::Error;
    type SerializeSeq = Unsupported;
    type SerializeTuple = Unsupported;
    type SerializeTupleStruct = Unsupported;
    type SerializeTupleVariant = Unsupported;
    type SerializeMap = EntrySerializer<Self>;
    type SerializeStruct = EntrySerializer<Self>;
    type SerializeStructVariant = Unsupported;

    rejected! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Self::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Self::Error> {
        not_an_object()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Unsupported, Self::Error> {
        not_an_object()
    }

    fn serialize_tuple(self, _: usize) -> Result<Unsupported, Self::Error> {
        not_an_object()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Unsupported, Self::Error> {
        not_an_object()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Unsupported, Self::Error> {
        not_an_object()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Self::Error> {
        Ok(EntrySerializer {
            entries: self,
            key: String::new(),
        })
    }

    fn serialize_struct(
        self,
        _: &'static str,
        length: usize,
    ) -> Result<Self::SerializeStruct, Self::Error> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Unsupported, Self::Error> {
        not_an_object()
    }
}

/// A serializer of the entries of an object. The field `key` is the key that was serialized last,
/// whose value comes next.
struct EntrySerializer<E> {
    entries: E,
    key: String,
}

impl SerializeMap for EntrySerializer<&mut ObjectWriter<'_>> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Self::Error> {
        let Value::String(key) = serde_json::to_value(key)? else {
            return not_an_object();
        };
        self.key = key;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Self::Error> {
        let written = self.entries.entry(&self.key, value);
        self.entries.store_error(written)
    }

    fn end(self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl SerializeStruct for EntrySerializer<&mut ObjectWriter<'_>> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        let written = self.entries.entry(key, value);
        self.entries.store_error(written)
    }

    fn end(self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A writer that passes on whole lines as long as they fit into `remaining` bytes. At the first
/// line that does not fit, it returns an error.
struct LineLimiter<'a> {
    out: &'a mut dyn Write,
    line: Vec<u8>,
    remaining: u64,
    full: bool,
}

impl Write for LineLimiter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            // A buffered writer writes its remaining bytes when it is dropped. Hence the error is
            // returned again for these.
            if self.full || (self.line.len() + piece.len()) as u64 > self.remaining {
                self.full = true;
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.out.write_all(&self.line)?;
                self.remaining -= self.line.len() as u64;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes as many whole lines as fit into `max_bytes` bytes, with room for the report of omissions.
/// Then calls `end`, which writes this report.
fn cut_lines(
    out: &mut dyn Write,
    max_bytes: u64,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    end: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut lines = LineLimiter {
        out,
        line: Vec::new(),
        remaining: max_bytes.saturating_sub(RESERVED_BYTES),
        full: false,
    };
    match write(&mut lines) {
        Err(error) if !lines.full => Err(error),
        _ => end(out),
    }
}

/// Writes the rows of a table, one JSON object per line, in at most `max_bytes` bytes. Rows that do
/// not fit are omitted, and a last object reports the omission.
///
/// # Errors
/// The error of `out`.
///
/// # Examples
/// ```
/// use grundy_wording::Audience;
/// use grundy_wording::{answer::json_line, output::cut_rows};
/// let mut out = Vec::new();
/// let rows = |out: &mut dyn std::io::Write| (0..1_000).try_for_each(|n| json_line(out, &[n, n]));
/// cut_rows(&mut out, 5_000, &rows, Audience::default())?;
/// let text = String::from_utf8_lossy(&out);
/// assert!(text.starts_with("[0,0]\n[1,1]\n") && text.len() <= 5_000);
/// assert!(text.lines().last().unwrap().starts_with(r#"{"status":"partial""#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn cut_rows(
    out: &mut dyn Write,
    max_bytes: u64,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    audience: Audience,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct End {
        status: &'static str,
        stopped: DiagnosticView,
    }
    cut_lines(out, max_bytes, write, &|out| {
        let stopped = Diagnostic::from(Stop::Output(max_bytes));
        let end = End {
            status: Status::Partial.name(),
            stopped: DiagnosticView::new(&stopped, "", audience),
        };
        json_line(out, &end)
    })
}

/// Writes a text in at most `max_bytes` bytes. Lines that do not fit are omitted, and a last line
/// reports the omission.
///
/// # Errors
/// The error of `out`.
///
/// # Examples
/// ```
/// use grundy_wording::{Audience, output::cut_text};
/// let mut out = Vec::new();
/// let lines = |out: &mut dyn std::io::Write| (0..9_000).try_for_each(|n| writeln!(out, "*{n}"));
/// cut_text(&mut out, 5_000, &lines, Audience::default())?;
/// let text = String::from_utf8_lossy(&out);
/// let last = "  The rest of the answer is missing: the answer has more than 5000 bytes.";
/// assert_eq!(text.lines().last(), Some(last));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn cut_text(
    out: &mut dyn Write,
    max_bytes: u64,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    audience: Audience,
) -> io::Result<()> {
    cut_lines(out, max_bytes, write, &|out| {
        writeln!(
            out,
            "  {}",
            limit_sentence(&Stop::Output(max_bytes).message(), audience)
        )
    })
}

/// Writes lines of data in at most `max_bytes` bytes. Lines that do not fit are omitted. The caller
/// has to report the omission.
///
/// # Errors
/// The error of `out`.
///
/// # Examples
/// ```
/// use grundy_wording::output::cut_data;
/// let mut out = Vec::new();
/// let lines = |out: &mut dyn std::io::Write| (0..9).try_for_each(|n| writeln!(out, "{n},{n}"));
/// // 4,096 bytes are reserved, and the first two lines have 8 bytes.
/// cut_data(&mut out, 4_096 + 10, &lines)?;
/// assert_eq!(out, b"0,0\n1,1\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn cut_data(
    out: &mut dyn Write,
    max_bytes: u64,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    cut_lines(out, max_bytes, write, &|_| Ok(()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::answer::OrderedMap;

    fn cut(max_bytes: u64, object: &impl Serialize) -> Value {
        let mut out = Vec::new();
        cut_object(&mut out, max_bytes, object, Audience::default()).unwrap();
        assert!(out.len() as u64 <= max_bytes, "{}", out.len());
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn entries_that_do_not_fit_are_omitted_and_listed() {
        let long = "x".repeat(20_000);
        let object = json!({
            "game": "nim(3)", "long": long, "status": "exact", "winning_moves": [{"at": [0]}],
            "left_out": ["birthday"],
        });
        // The long entry does not fit, but the short entries after it do.
        let object = cut(10_000, &object);
        assert_eq!(object["game"], "nim(3)");
        assert_eq!(object["winning_moves"], json!([{"at": [0]}]));
        assert_eq!(object["left_out"], json!(["long", "birthday"]));
        assert_eq!(object["status"], "partial");
        assert_eq!(object["stopped"]["limit"], "output");
        assert_eq!(object.as_object().unwrap().len(), 5);
    }

    #[test]
    fn entries_are_omitted_from_the_first_that_does_not_fit() {
        let texts: Vec<_> = (0..10)
            .map(|n| (format!("k{n}"), "y".repeat(1_000)))
            .collect();
        let entries = texts.iter().map(|(key, text)| (&key[..], text)).collect();
        // Each entry has about 1,008 bytes. Three of them fit into 3,500 bytes, so 7 of 10 are
        // omitted.
        let object = cut(RESERVED_BYTES + 3_500, &OrderedMap(entries));
        let left_out = object["left_out"].as_array().unwrap();
        assert_eq!(left_out.len(), 7);
        assert!(object["k2"].is_string() && object["k3"].is_null());
    }

    #[test]
    fn rows_and_texts_end_with_whole_lines() {
        let write = |out: &mut dyn Write| -> io::Result<()> {
            (10_000..11_000).try_for_each(|n| writeln!(out, "{{\"row\":{n}}}"))
        };
        let mut out = Vec::new();
        cut_rows(&mut out, RESERVED_BYTES + 150, &write, Audience::default()).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[10]["stopped"]["limit"], "output");
        let mut out = Vec::new();
        cut_text(&mut out, RESERVED_BYTES + 150, &write, Audience::default()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), 11);
        assert!(text.contains("more than 4246 bytes"), "{text}");
        let mut out = Vec::new();
        cut_data(&mut out, RESERVED_BYTES + 150, &write).unwrap();
        let data = String::from_utf8(out).unwrap();
        assert_eq!(data.lines().count(), 10);
        assert!(text.starts_with(&data) && data.ends_with('\n'), "{data}");
    }

    #[test]
    fn a_long_answer_is_written_whole_or_not_at_all() {
        let write = |length: usize| {
            move |out: &mut dyn Write| -> io::Result<()> {
                (0..length).try_for_each(|_| out.write_all(b"0123456789"))
            }
        };
        // These answers are shorter than the buffer, about as long, and longer. A longer answer is
        // serialized twice.
        for length in [10, MAX_BUFFER / 10, MAX_BUFFER / 10 + 1, MAX_BUFFER / 4] {
            let mut out = Vec::new();
            assert!(write_within(&mut out, 10 * length as u64, &write(length)).unwrap());
            assert_eq!(out.len(), 10 * length);
            out.clear();
            assert!(!write_within(&mut out, 10 * length as u64 - 1, &write(length)).unwrap());
            assert!(out.is_empty());
        }
    }
}
