//! Directions, dominoes and mirror images on a board of squares.

/// A direction on a board: rows down and columns to the right.
pub(crate) type Way = [isize; 2];

/// The directions of the four neighbours of a square.
pub(crate) const STRAIGHT: &[Way] = &[[-1, 0], [0, -1], [0, 1], [1, 0]];

/// The directions of the eight squares around a square.
pub(crate) const AROUND: &[Way] = &[
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
];

/// The position of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// On two squares of a row.
    Flat,
    /// On two squares of a column.
    Upright,
}

impl Lie {
    /// Returns the other position.
    pub(crate) fn across(self) -> Self {
        match self {
            Self::Flat => Self::Upright,
            Self::Upright => Self::Flat,
        }
    }
}

/// The mirror images of a region that are the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Images {
    /// Those that leave flat dominoes flat.
    Four,
    /// All of them.
    Eight,
}
