//! Ink by what it is for: every tone has a colour on light ground and one on dark ground, and a
//! name for a page to restyle.

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The ground that all stands on.
    Paper,
    /// Outlines and words.
    Ink,
    /// Numbers and other small print.
    Soft,
    /// A free square, and the other one where squares alternate.
    Square,
    Shade,
    /// A square that is no part of the board.
    Blocked,
    /// Chips of heaps.
    Chip,
    /// Coins and pieces.
    Coin,
    /// What belongs to Left and to Right.
    Left,
    Right,
    /// A bar of chocolate, and what is poisoned.
    Bar,
    Poison,
    /// What is best.
    Accent,
    /// Edges by their colour.
    Green,
    Blue,
    Red,
}

impl Tone {
    pub(crate) fn colour(self, dark: bool) -> &'static str {
        let [light, on_dark] = match self {
            Self::Paper => ["#ffffff", "#161a1d"],
            Self::Ink => ["#222222", "#eeeeee"],
            Self::Soft => ["#555555", "#b4bcc2"],
            Self::Square => ["#ffffff", "#2b3136"],
            Self::Shade => ["#e8ecef", "#3a4248"],
            Self::Blocked => ["#777777", "#0b0d0e"],
            Self::Chip => ["#9fd3f0", "#3d6f8c"],
            Self::Coin => ["#f3d08a", "#8a6a24"],
            Self::Left => ["#a9cdf0", "#2f5f8f"],
            Self::Right => ["#f3b9a0", "#8f4a2f"],
            Self::Bar => ["#e5c9a1", "#6b4f2a"],
            Self::Poison => ["#b8b8b8", "#565d63"],
            Self::Accent => ["#0072B2", "#56B4E9"],
            Self::Green => ["#007A5A", "#2CC295"],
            Self::Blue => ["#0072B2", "#56A8F0"],
            Self::Red => ["#D55E00", "#FF7A3D"],
        };
        if dark { on_dark } else { light }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Ink => "ink",
            Self::Soft => "soft",
            Self::Square => "square",
            Self::Shade => "shade",
            Self::Blocked => "blocked",
            Self::Chip => "chip",
            Self::Coin => "coin",
            Self::Left => "left",
            Self::Right => "right",
            Self::Bar => "bar",
            Self::Poison => "poison",
            Self::Accent => "accent",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Red => "red",
        }
    }
}

/// How a shape is filled and outlined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    pub(crate) fill: Option<Tone>,
    pub(crate) stroke: Option<Tone>,
    pub(crate) width: f64,
    /// Lengths of dashes and gaps.
    pub(crate) dashes: &'static [u8],
    /// What it is part of, for readers of drawings and for pages.
    pub(crate) class: &'static str,
}

impl Ink {
    /// Returns a filled shape with an outline.
    pub(crate) const fn filled(fill: Tone) -> Self {
        Self {
            fill: Some(fill),
            stroke: Some(Tone::Ink),
            width: 1.0,
            dashes: &[],
            class: "scenery",
        }
    }

    /// Returns a shape without an outline.
    pub(crate) const fn bare(fill: Tone) -> Self {
        Self {
            stroke: None,
            ..Self::filled(fill)
        }
    }

    /// Returns a line.
    pub(crate) const fn line(stroke: Tone, width: f64) -> Self {
        Self {
            fill: None,
            stroke: Some(stroke),
            width,
            dashes: &[],
            class: "scenery",
        }
    }

    /// Returns a place to click where nothing is seen.
    pub(crate) const fn unseen() -> Self {
        Self {
            fill: None,
            stroke: None,
            width: 0.0,
            dashes: &[],
            class: "target scenery",
        }
    }

    /// Returns the same, outlined as what is best if it is that.
    pub(crate) fn best(self, best: bool) -> Self {
        if !best {
            return self;
        }
        Self {
            stroke: Some(Tone::Accent),
            width: 3.0,
            ..self
        }
    }

    pub(crate) const fn dashed(self, dashes: &'static [u8]) -> Self {
        Self { dashes, ..self }
    }

    pub(crate) const fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }
}
