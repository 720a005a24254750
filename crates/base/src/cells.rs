//! Lists of small integers, with one integer for each position of a game. All integers of a list
//! take the same number of bytes, and `Cells::widen` increases this number when a value does not
//! fit.

/// A list of integers (cells), each with one, two or four bytes. The largest integer of that width
/// is reserved: it marks a cell that has no value yet.
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
    /// One byte each.
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
    /// Returns the number of cells.
    ///
    /// ```
    /// // The Grundy values of rows of 0 to 7 pins in Kayles.
    /// let kayles = grundy_base::Cells::from(vec![0, 1, 2, 3, 1, 4, 3, 2]);
    /// assert_eq!(kayles.len(), 8);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::One(cells) => cells.len(),
            Self::Two(cells) => cells.len(),
            Self::Four(cells) => cells.len(),
        }
    }

    /// Returns whether there are no cells.
    ///
    /// ```
    /// use grundy_base::Cells;
    /// assert!(Cells::default().is_empty());
    /// assert!(!Cells::from(vec![0]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes of one cell: 1, 2 or 4.
    ///
    /// ```
    /// use grundy_base::Cells;
    /// assert_eq!(Cells::One(vec![1, 2]).width(), 1);
    /// assert_eq!(Cells::Four(vec![1, 2]).width(), 4);
    /// ```
    #[must_use]
    pub fn width(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Four(_) => 4,
        }
    }

    /// Returns the largest value that a cell can have. The next integer is reserved for a cell
    /// without a value.
    ///
    /// ```
    /// use grundy_base::Cells;
    /// assert_eq!(Cells::One(Vec::new()).largest(), 254);
    /// assert_eq!(Cells::Two(Vec::new()).largest(), 65534);
    /// ```
    #[must_use]
    pub fn largest(&self) -> u32 {
        match self {
            Self::One(_) => u32::from(u8::MAX - 1),
            Self::Two(_) => u32::from(u16::MAX - 1),
            Self::Four(_) => u32::MAX - 1,
        }
    }

    /// Returns the value of the cell `index`, or [`Cells::largest`] + 1 if it has no value yet.
    ///
    /// # Panics
    /// If the index is out of range.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Cells;
    /// let kayles = Cells::from(vec![0, 1, 2, 3, 1, 4, u8::MAX]);
    /// assert_eq!(kayles.get(5), 4);
    /// // The row of 6 pins has no value yet.
    /// assert_eq!(kayles.get(6), kayles.largest() + 1);
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, index: u64) -> u32 {
        match self {
            Self::One(cells) => cells[index as usize].into(),
            Self::Two(cells) => cells[index as usize].into(),
            Self::Four(cells) => cells[index as usize],
        }
    }

    /// Keeps only the first `length` cells.
    ///
    /// ```
    /// use grundy_base::Cells;
    /// let mut kayles = Cells::from(vec![0, 1, 2, 3, 1, 4, 3, 2]);
    /// kayles.truncate(4);
    /// assert_eq!(kayles, Cells::from(vec![0, 1, 2, 3]));
    /// ```
    pub fn truncate(&mut self, length: usize) {
        match self {
            Self::One(cells) => cells.truncate(length),
            Self::Two(cells) => cells.truncate(length),
            Self::Four(cells) => cells.truncate(length),
        }
    }

    /// Doubles the number of bytes of a cell, unless it is four. All values are kept, and cells
    /// without a value remain so.
    ///
    /// # Complexity
    /// O(n) time for n cells. The old and the new list are both in memory during the conversion.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Cells;
    /// let mut cells = Cells::from(vec![7, u8::MAX]);
    /// cells.widen();
    /// assert_eq!(cells, Cells::Two(vec![7, u16::MAX]));
    /// ```
    pub fn widen(&mut self) {
        *self = match std::mem::take(self) {
            Self::One(cells) => {
                let wide = |cell: u8| {
                    // The mark of a cell without a value is the largest integer of its width, so it
                    // becomes the largest integer of the new width.
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

    /// Returns the bytes of a range of cells, in little-endian order.
    ///
    /// # Panics
    /// If the range is out of bounds.
    ///
    /// # Examples
    /// ```
    /// let cells = grundy_base::Cells::Two(vec![258, 3, 4]);
    /// // 258 = 2 + 256
    /// assert_eq!(cells.bytes(0..2), [2, 1, 3, 0]);
    /// ```
    #[must_use]
    pub fn bytes(&self, range: std::ops::Range<usize>) -> Vec<u8> {
        match self {
            Self::One(cells) => cells[range].to_vec(),
            Self::Two(cells) => cells[range].iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Four(cells) => cells[range].iter().flat_map(|n| n.to_le_bytes()).collect(),
        }
    }

    /// Creates cells of `width` bytes from the bytes that [`Cells::bytes`] returned. Returns `None`
    /// if the width or the number of bytes is invalid.
    ///
    /// ```
    /// use grundy_base::Cells;
    /// assert_eq!(Cells::from_bytes(2, &[2, 1, 3, 0]), Some(Cells::Two(vec![258, 3])));
    /// assert_eq!(Cells::from_bytes(2, &[2, 1, 3]), None);
    /// assert_eq!(Cells::from_bytes(3, &[2, 1, 3]), None);
    /// ```
    #[must_use]
    pub fn from_bytes(width: u64, bytes: &[u8]) -> Option<Self> {
        // Start with an empty list of this width, so that `extend` parses the bytes.
        let mut cells = match width {
            1 => Self::One(Vec::new()),
            2 => Self::Two(Vec::new()),
            4 => Self::Four(Vec::new()),
            _ => return None,
        };
        cells.extend(bytes).then_some(cells)
    }

    /// Appends cells of the present width, given by their bytes. Returns `false` if the last cell
    /// is incomplete.
    ///
    /// ```
    /// use grundy_base::Cells;
    /// let mut cells = Cells::Two(vec![5]);
    /// assert!(cells.extend(&[2, 1]));
    /// assert_eq!(cells, Cells::Two(vec![5, 258]));
    /// assert!(!cells.extend(&[2]));
    /// ```
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
