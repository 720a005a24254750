//! Pictures of positions.

use grundy_base::step::Step;
use grundy_draw::{DrawnComponent, PictureStyle, TerminalStyle};

use crate::{Error, Language, Position};

/// A picture of a position, which can be written in several formats.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let picture = games::domineering(["..", ".#"])?.picture()?;
/// assert!(picture.to_svg().starts_with("<svg"));
/// assert!(picture.to_text().contains('#'));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    terms: Vec<DrawnComponent>,
    language: Language,
}

impl Position {
    /// Returns a picture of the position.
    ///
    /// # Errors
    /// A sum that does not exist.
    ///
    /// # Complexity
    /// Linear in the size of the position.
    ///
    /// # Examples
    /// See [`Picture`](crate::Picture).
    pub fn picture(&self) -> Result<Picture, Error> {
        let terms = DrawnComponent::terms(self.valid()?);
        Ok(Picture {
            terms,
            language: Language::English,
        })
    }
}

impl Picture {
    /// Sets the language of the words in the picture.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let picture = games::nim([3]).picture()?.in_language(Language::Chinese);
    /// assert!(picture.to_svg().starts_with("<svg"));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    fn say(&self) -> impl Fn(&Step) -> String {
        let language = self.language.into();
        move |step| grundy_wording::words(step, language)
    }

    /// Returns the picture with the characters of a terminal.
    ///
    /// # Examples
    /// See [`Picture`].
    #[must_use]
    pub fn to_text(&self) -> String {
        grundy_draw::terminal(&self.terms, &TerminalStyle::default(), &self.say())
    }

    /// Returns the picture as SVG. The text is the same on all machines.
    ///
    /// # Examples
    /// See [`Picture`].
    #[must_use]
    pub fn to_svg(&self) -> String {
        grundy_draw::svg(&self.terms, &PictureStyle::default(), &self.say())
    }

    /// Returns the picture as TikZ, for LaTeX.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(games::nim([3]).picture()?.to_tikz().contains("tikzpicture"));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn to_tikz(&self) -> String {
        grundy_draw::tikz(&self.terms, &PictureStyle::default(), &self.say())
    }
}
