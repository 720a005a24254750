//! Colours by purpose. Every tone has a colour for light and one for dark backgrounds. It also has
//! a class name, by which the style sheet of a page can change the colour.

/// The purpose of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The background.
    Paper,
    /// Outlines and text.
    Ink,
    /// Numbers and other small text.
    Soft,
    /// A free square.
    Square,
    /// A free square of the other colour of a chequered board.
    Shade,
    /// A square that is not part of the board.
    Blocked,
    /// Chips of heaps.
    Chip,
    /// Coins and pieces.
    Coin,
    /// Pieces of Left.
    Left,
    /// Pieces of Right.
    Right,
    /// Squares of a bar of chocolate.
    Bar,
    /// The poisoned square of a bar of chocolate.
    Poison,
    /// Marks of best moves.
    Accent,
    /// Green edges.
    Green,
    /// Blue edges.
    Blue,
    /// Red edges.
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

/// The fill and the outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    pub(crate) fill: Option<Tone>,
    pub(crate) stroke: Option<Tone>,
    pub(crate) width: f64,
    /// Lengths of dashes and gaps in turn, in pixels. Empty for a solid line.
    pub(crate) dashes: &'static [u8],
    /// The CSS class of the shape, for style sheets and for programs that read drawings.
    pub(crate) class: &'static str,
}

impl Ink {
    /// Creates the ink of a filled shape with an outline.
    pub(crate) const fn filled(fill: Tone) -> Self {
        Self {
            fill: Some(fill),
            stroke: Some(Tone::Ink),
            width: 1.0,
            dashes: &[],
            class: "scenery",
        }
    }

    /// Creates the ink of a filled shape without an outline.
    pub(crate) const fn bare(fill: Tone) -> Self {
        Self {
            stroke: None,
            ..Self::filled(fill)
        }
    }

    /// Creates the ink of a line.
    pub(crate) const fn line(stroke: Tone, width: f64) -> Self {
        Self {
            fill: None,
            stroke: Some(stroke),
            width,
            dashes: &[],
            class: "scenery",
        }
    }

    /// Creates the ink of an invisible shape, which receives clicks.
    pub(crate) const fn unseen() -> Self {
        Self {
            fill: None,
            stroke: None,
            width: 0.0,
            dashes: &[],
            class: "target scenery",
        }
    }

    /// Returns this ink, with the outline of a best move if `best` is `true`.
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
