//! Pictures that an answer brings along: into a file, or instead of the answer where standard
//! output is named.

use std::io::Write;
use std::path::Path;

use grundy::Diagnostic;
use grundy_wording::Audience;
use grundy_wording::report::{AnySerialize, Report, Words};
use serde::Serialize;

use crate::files::{self, Files};

/// A picture or a page that is all there is to print.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// What it is of.
    pub game: String,
    /// The picture, if it is one.
    #[serde(rename = "svg", skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The page, if it is one.
    #[serde(rename = "html", skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// `true` if a limit has kept something of the answer back.
    #[serde(skip)]
    pub partial: bool,
}

impl Picture {
    /// Returns a drawing.
    #[must_use]
    pub fn svg(game: &str, svg: String) -> Self {
        Self {
            game: game.to_owned(),
            svg: Some(svg),
            html: None,
            partial: false,
        }
    }

    /// Returns a page.
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

/// Returns whether a picture goes to standard output, in place of the answer.
#[must_use]
pub fn is_output(file: &Path) -> bool {
    file == Path::new("-")
}

/// Refuses what may not be written, before there is something to write.
///
/// # Errors
/// No permission.
pub fn allowed(files: &Files, file: &Path) -> Result<(), Diagnostic> {
    if is_output(file) {
        return Ok(());
    }
    files.allowed(file)
}

/// Writes the picture where it was asked for; the answer goes on beside it. Where that is standard
/// output, the picture comes back as all there is to print.
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
