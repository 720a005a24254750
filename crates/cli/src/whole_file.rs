//! Files written as a whole: beside first and then moved into place, so that no half of one is ever there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use grundy::Kind;
use grundy_notation::Diagnostic;

use crate::failure::Failure;

/// Writes a file.
pub(crate) fn write(
    file: &Path,
    contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        Failure::from(Diagnostic::new(
            Kind::Io,
            format!("{}: {error}", file.display()),
        ))
    };
    let beside = file.with_extension("partial");
    let mut out = BufWriter::new(File::create(&beside).map_err(failed)?);
    contents(&mut out)
        .and_then(|()| out.flush())
        .map_err(failed)?;
    fs::rename(&beside, file).map_err(failed)
}
