//! Numbers of many positions, each in as few bytes as the largest of them needs.

/// A list of numbers that are all kept in one, two or four bytes. The greatest number that fits so
/// many bytes is not among them: it is free to mean "none yet".
///
/// ```
/// use grundy_base::Cells;
/// let mut cells = Cells::from(vec![3u8, 254]);
/// assert_eq!((cells.width(), cells.get(1), cells.largest()), (1, 254, 254));
/// cells.widen();
/// assert_eq!((cells.width(), cells.get(1), cells.largest()), (2, 254, 65534));
/// assert_eq!(Cells::from_bytes(2, &cells.bytes(0..2)), Some(cells));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// A byte each.
    One(Vec<u8>),
    /// Two bytes each.
    Two(Vec<u16>),
    /// Four bytes each.
    Four(Vec<u32>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::One(Vec::new())
    }
}

impl From<Vec<u8>> for Cells {
    fn from(bytes: Vec<u8>) -> Self {
        Self::One(bytes)
    }
}

impl Cells {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::One(cells) => cells.len(),
            Self::Two(cells) => cells.len(),
            Self::Four(cells) => cells.len(),
        }
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes a number has.
    #[must_use]
    pub fn width(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Four(_) => 4,
        }
    }

    /// Returns the largest number that fits.
    #[must_use]
    pub fn largest(&self) -> u32 {
        match self {
            Self::One(_) => u32::from(u8::MAX - 1),
            Self::Two(_) => u32::from(u16::MAX - 1),
            Self::Four(_) => u32::MAX - 1,
        }
    }

    /// Returns a number; what stands for "none yet" is one more than [`Cells::largest`].
    ///
    /// # Panics
    /// When there are not so many.
    #[must_use]
    #[inline]
    pub fn get(&self, index: u64) -> u32 {
        match self {
            Self::One(cells) => cells[index as usize].into(),
            Self::Two(cells) => cells[index as usize].into(),
            Self::Four(cells) => cells[index as usize],
        }
    }

    /// Leaves the first ones only.
    pub fn truncate(&mut self, length: usize) {
        match self {
            Self::One(cells) => cells.truncate(length),
            Self::Two(cells) => cells.truncate(length),
            Self::Four(cells) => cells.truncate(length),
        }
    }

    /// The same numbers in twice as many bytes; "none yet" stays that. Four bytes stay as they are.
    ///
    /// # Complexity
    /// O(n), and both lists in memory for so long.
    pub fn widen(&mut self) {
        *self = match std::mem::take(self) {
            Self::One(cells) => {
                let wide = |cell: u8| {
                    if cell == u8::MAX {
                        u16::MAX
                    } else {
                        cell.into()
                    }
                };
                Self::Two(cells.into_iter().map(wide).collect())
            }
            Self::Two(cells) => {
                let wide = |cell: u16| {
                    if cell == u16::MAX {
                        u32::MAX
                    } else {
                        cell.into()
                    }
                };
                Self::Four(cells.into_iter().map(wide).collect())
            }
            Self::Four(cells) => Self::Four(cells),
        };
    }

    /// Returns the bytes of some of them, little-endian.
    ///
    /// # Panics
    /// When there are not so many.
    #[must_use]
    pub fn bytes(&self, range: std::ops::Range<usize>) -> Vec<u8> {
        match self {
            Self::One(cells) => cells[range].to_vec(),
            Self::Two(cells) => cells[range].iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Four(cells) => cells[range].iter().flat_map(|n| n.to_le_bytes()).collect(),
        }
    }

    /// Numbers of so many bytes each from what [`Cells::bytes`] gave; nothing where it gave no such
    /// bytes.
    #[must_use]
    pub fn from_bytes(width: u64, bytes: &[u8]) -> Option<Self> {
        let mut cells = match width {
            1 => Self::One(Vec::new()),
            2 => Self::Two(Vec::new()),
            4 => Self::Four(Vec::new()),
            _ => return None,
        };
        cells.extend(bytes).then_some(cells)
    }

    /// Appends numbers from their bytes, and says whether they were whole numbers.
    pub fn extend(&mut self, bytes: &[u8]) -> bool {
        match self {
            Self::One(cells) => {
                cells.extend_from_slice(bytes);
                true
            }
            Self::Two(cells) => {
                let (whole, rest) = bytes.as_chunks();
                cells.extend(whole.iter().copied().map(u16::from_le_bytes));
                rest.is_empty()
            }
            Self::Four(cells) => {
                let (whole, rest) = bytes.as_chunks();
                cells.extend(whole.iter().copied().map(u32::from_le_bytes));
                rest.is_empty()
            }
        }
    }
}
