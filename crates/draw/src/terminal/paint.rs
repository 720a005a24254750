//! Colours in a terminal. They carry no information that the characters do not show.

use anstyle::{AnsiColor, Style};

/// Returns the style of a piece or an edge, given its letter. The style is blue for pieces of Left,
/// for X, and for blue edges. It is red for pieces of Right, for O, and for red edges. It is green
/// for pieces that both players may move, and for green edges.
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
pub(super) fn highlighted_if(text: &str, changed: bool) -> String {
    let style = Style::new();
    painted(text, if changed { style.invert() } else { style })
}
