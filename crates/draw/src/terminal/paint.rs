//! Colour in a terminal. It says nothing that the characters do not say as well.

use anstyle::{AnsiColor, Style};

/// Returns the colour of a player's piece, by its letter: Left, X and blue edges blue, Right, O and
/// red edges red, and green what both may move.
pub(crate) fn ink(letter: char) -> Style {
    let colour = match letter {
        'L' | 'T' | 'X' | 'x' | 'b' => AnsiColor::BrightBlue,
        'R' | 'F' | 'O' | 'o' | 'r' => AnsiColor::BrightRed,
        'E' | 'g' => AnsiColor::Green,
        _ => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}

/// Text in a style, which ends with it.
pub(crate) fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// The text of a cell, and how it is written.
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

    /// Returns the cell, which stands out where the last move has touched it.
    pub(super) fn touched(mut self, touched: bool) -> Self {
        if touched {
            self.style = self.style.invert();
        }
        self
    }
}

/// Returns a text, which stands out if the last move has changed what it says.
pub(super) fn standing_out(text: &str, changed: bool) -> String {
    let style = Style::new();
    painted(text, if changed { style.invert() } else { style })
}
