//! Colours in a terminal. They never show more than the characters do.

use anstyle::{AnsiColor, Style};

/// Returns the style of a piece, given its letter. Pieces of Left, X and blue edges are blue.
/// Pieces of Right, O and red edges are red. Pieces of both players and green edges are green.
pub(crate) fn ink(letter: char) -> Style {
    let colour = match letter {
        'L' | 'T' | 'X' | 'x' | 'b' => AnsiColor::BrightBlue,
        'R' | 'F' | 'O' | 'o' | 'r' => AnsiColor::BrightRed,
        'E' | 'g' => AnsiColor::Green,
        _ => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}

/// Returns a text with the escape sequences of a style. The style ends after the text.
pub(crate) fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// The text of a cell and its style.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) style: Style,
}

impl Cell {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::new(),
        }
    }

    pub(super) fn in_style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Returns this cell, highlighted if `touched` is `true`.
    pub(super) fn touched(mut self, touched: bool) -> Self {
        if touched {
            self.style = self.style.invert();
        }
        self
    }
}

/// Returns a text, highlighted if `changed` is `true`.
pub(super) fn standing_out(text: &str, changed: bool) -> String {
    let style = Style::new();
    painted(text, if changed { style.invert() } else { style })
}
