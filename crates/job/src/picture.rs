//! Pictures that belong to an answer. A picture is written to a file, or is printed on standard
//! output in place of the answer.

use std::io::Write;
use std::path::Path;

use grundy_core::Diagnostic;
use grundy_wording::Audience;
use grundy_wording::report::{AnySerialize, Report, Words};
use serde::Serialize;

use crate::files::{self, Files};

/// A picture, or an HTML page, that is printed in place of the answer.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// The game that the picture shows.
    pub game: String,
    /// The picture as SVG text.
    #[serde(rename = "svg", skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The page as HTML text.
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

/// Returns whether `file` is standard output. A picture is then printed in place of the answer.
#[must_use]
pub fn is_output(file: &Path) -> bool {
    file == Path::new("-")
}

/// Checks that a picture may be written to a file. This is called before the computation.
///
/// # Errors
/// A missing permission.
pub fn allowed(files: &Files, file: &Path) -> Result<(), Diagnostic> {
    if is_output(file) {
        return Ok(());
    }
    files.allowed(file)
}

/// Writes the picture to its file. If the file is standard output, the picture is returned instead,
/// and is printed in place of the answer.
///
/// # Errors
/// A missing permission, a file that cannot be written, or an error of `picture`.
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
