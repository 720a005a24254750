//! Values in files: CSV, b-file or raw, compressed if wished.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use grundy::Kind;
use grundy::heap::Narrow;
use grundy_notation::Diagnostic;

use crate::failure::Failure;
use crate::whole_file;

enum Form {
    Csv,
    BFile,
    Raw,
}

pub(super) fn write(file: &Path, values: &Narrow) -> Result<(), Failure> {
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("");
    let (plain, compressed) = name
        .strip_suffix(".gz")
        .map_or((name, false), |plain| (plain, true));
    let form = match plain.rsplit_once('.').map(|(_, ending)| ending) {
        Some("csv") => Form::Csv,
        Some("txt") => Form::BFile,
        Some("bin") => Form::Raw,
        _ => {
            let message = format!("{}: the ending says what is written", file.display());
            return Err(Diagnostic::new(Kind::Io, message)
                .help("use .csv, .txt (a b-file) or .bin, and .gz after that to compress")
                .into());
        }
    };
    whole_file::write(file, |out| {
        if compressed {
            let mut out = GzEncoder::new(out, Compression::fast());
            put(&form, values, &mut out)?;
            out.finish().map(drop)
        } else {
            put(&form, values, out)
        }
    })
}

fn put(form: &Form, values: &Narrow, out: &mut impl Write) -> io::Result<()> {
    match form {
        Form::Csv => {
            writeln!(out, "n,grundy")?;
            (0u64..)
                .zip(values.iter())
                .try_for_each(|(n, value)| writeln!(out, "{n},{value}"))
        }
        Form::BFile => (0u64..)
            .zip(values.iter())
            .try_for_each(|(n, value)| writeln!(out, "{n} {value}")),
        Form::Raw => values.write_bytes(&mut |bytes| out.write_all(bytes)),
    }
}
