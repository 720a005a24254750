//! The check that the files of a command are distinct. If two files were the same, a result could
//! overwrite or remove an input or another result.

use std::path::{Path, PathBuf};

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Message, message};

use super::Files;

/// Returns an error if a file that is written is also read, or is written twice. Each file that is
/// read comes with a description, and each file that is written with the option that names it. For
/// a file that is read, the name `-` means standard input, which is not checked.
///
/// # Errors
/// A file to be written that is the same as another given file.
pub fn check<'a>(
    files: &Files,
    read: impl IntoIterator<Item = (Message, &'a Path)>,
    written: impl IntoIterator<Item = (Setting, Option<&'a PathBuf>)>,
) -> Result<(), Diagnostic> {
    let mut known: Vec<(Message, PathBuf)> = read
        .into_iter()
        .filter(|(_, file)| *file != Path::new("-"))
        .map(|(name, file)| (name, canonical_path(files, file)))
        .collect();
    for (name, file) in written {
        let Some(file) = file else { continue };
        let name = message!("{name}", name);
        let path = canonical_path(files, file);
        if let Some((other, _)) = known.iter().find(|(_, other_path)| *other_path == path) {
            let message = message!(
                "{file}: {other} and {name} refer to the same file",
                file = file.display(),
                other,
                name
            );
            return Err(Diagnostic::new(Kind::Io, message).help(message!("name two files")));
        }
        known.push((name, path));
    }
    Ok(())
}

/// Returns the canonical path of a file, which need not exist.
fn canonical_path(files: &Files, file: &Path) -> PathBuf {
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
