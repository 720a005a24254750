//! Files that one command reads and writes must be different files: else a result would be
//! overwritten or removed.

use std::path::{Path, PathBuf};

use grundy::message::Setting;
use grundy::{Diagnostic, Kind, Message, message};

use super::Files;

/// Refuses a file that is named twice. A file that is read comes with the words for what it is, one
/// that is written with its option; `-` is no file where it is read.
///
/// # Errors
/// Two names of one file.
pub fn check<'a>(
    files: &Files,
    read: impl IntoIterator<Item = (Message, &'a Path)>,
    written: impl IntoIterator<Item = (Setting, Option<&'a PathBuf>)>,
) -> Result<(), Diagnostic> {
    let mut known: Vec<(Message, PathBuf)> = read
        .into_iter()
        .filter(|(_, file)| *file != Path::new("-"))
        .map(|(name, file)| (name, place(files, file)))
        .collect();
    for (name, file) in written {
        let Some(file) = file else { continue };
        let name = message!("{name}", name);
        let here = place(files, file);
        if let Some((other, _)) = known.iter().find(|(_, there)| *there == here) {
            let message = message!(
                "{file}: {other} and {name} are the same file",
                file = file.display(),
                other,
                name
            );
            return Err(Diagnostic::new(Kind::Io, message).help(message!("name two files")));
        }
        known.push((name, here));
    }
    Ok(())
}

/// Where a file is or would be, in one way of writing it.
fn place(files: &Files, file: &Path) -> PathBuf {
    if !matches!(files, Files::Granted) {
        return file.to_owned();
    }
    if let Ok(whole) = file.canonicalize() {
        return whole;
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), file.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}
