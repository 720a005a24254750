//! The check that the files of a command are distinct. Otherwise a result could overwrite or remove
//! an input or another result.

use std::path::{Path, PathBuf};

use grundy::message::Setting;
use grundy::{Diagnostic, Kind, Message, message};

use super::Files;

/// Returns an error if two of the given files are the same. A file that is read comes with a
/// description, and a file that is written with its option. The name `-` of a file that is read is
/// standard input.
///
/// # Errors
/// Two names of the same file.
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

/// Returns the canonical path of a file, which need not exist.
fn place(files: &Files, file: &Path) -> PathBuf {
    // The names of files in memory are keys and not paths.
    if !matches!(files, Files::Granted) {
        return file.to_owned();
    }
    if let Ok(whole) = file.canonicalize() {
        return whole;
    }
    // The file does not exist yet, but the path of its folder may contain a symbolic link.
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), file.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}
