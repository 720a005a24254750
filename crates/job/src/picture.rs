//! Pictures that accompany an answer. They are written to a file, or replace the answer on standard
//! output.

use std::io::Write;
use std::path::Path;

use grundy::Diagnostic;
use grundy_wording::Audience;
use grundy_wording::report::{AnySerialize, Report, Words};
use serde::Serialize;

use crate::files::{self, Files};

/// A picture or a page that is printed in place of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// The game that it shows.
    pub game: String,
    /// The SVG text of a picture.
    #[serde(rename = "svg", skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The HTML text of a page.
    #[serde(rename = "html", skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// `true` if a limit made the answer incomplete.
    #[serde(skip)]
    pub partial: bool,
}

impl Picture {
    /// Returns a picture from its SVG text.
    #[must_use]
    pub fn svg(game: &str, svg: String) -> Self {
        Self {
            game: game.to_owned(),
            svg: Some(svg),
            html: None,
            partial: false,
        }
    }

    /// Returns a page from its HTML text.
    #[must_use]
    pub fn html(game: &str, html: String) -> Self {
        Self {
            game: game.to_owned(),
            svg: None,
            html: Some(html),
            partial: false,
        }
    }

    fn content(&self) -> &str {
        let content = self.svg.as_deref().or(self.html.as_deref());
        content.unwrap_or_default()
    }
}

impl Report for Picture {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, _: Audience) -> String {
        self.content().to_owned()
    }

    fn is_partial(&self) -> bool {
        self.partial
    }
}

/// Returns whether a picture replaces the answer on standard output.
#[must_use]
pub fn is_output(file: &Path) -> bool {
    file == Path::new("-")
}

/// Checks that a picture may be written, before the work begins.
///
/// # Errors
/// No permission.
pub fn allowed(files: &Files, file: &Path) -> Result<(), Diagnostic> {
    if is_output(file) {
        return Ok(());
    }
    files.allowed(file)
}

/// Writes the picture to its file. Returns it instead if the file is standard output, where it
/// replaces the answer.
///
/// # Errors
/// No permission, a file that cannot be written, and the errors of `picture`.
pub fn put(
    files: &Files,
    file: Option<&Path>,
    picture: impl FnOnce() -> Result<Picture, Diagnostic>,
) -> Result<Option<Picture>, Diagnostic> {
    let Some(file) = file else { return Ok(None) };
    let picture = picture()?;
    if is_output(file) {
        return Ok(Some(picture));
    }
    let content = picture.content().as_bytes();
    files::write(files, file, |out| out.write_all(content))?;
    Ok(None)
}
