//! Sequences of values. All entries have the least width in bytes that is sufficient.

use std::fmt::Debug;
use std::ops::{BitXor, Range};

use grundy_base::limits::Stop;

/// A growing sequence of values.
pub trait Store<V>: Default + Debug {
    /// Returns the number of values.
    fn count(&self) -> usize;
    /// Returns the value at `index`.
    fn at(&self, index: usize) -> V;
    /// Appends a value.
    fn append(&mut self, value: V);
}

impl<V: Copy + Debug> Store<V> for Vec<V> {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, index: usize) -> V {
        self[index]
    }

    fn append(&mut self, value: V) {
        self.push(value);
    }
}

/// An unsigned integer type in which values are stored.
pub(crate) trait Entry:
    Copy + Debug + Eq + Ord + BitXor<Output = Self> + Send + Sync + 'static
{
    /// The number of different values that an entry can store.
    const SIZE: u64;
    /// `true` if an entry has one byte. This is sufficient for nearly every sequence.
    const BYTE: bool = Self::SIZE == 1 << 8;
    /// `true` if an entry has at most two bytes. The vector kernels handle only these widths.
    const SHORT: bool = Self::SIZE <= 1 << 16;
    fn new(value: u64) -> Self;
    fn get(self) -> u64;
}

macro_rules! entry {
    ($($type:ty, $size:expr;)*) => {$(
        impl Entry for $type {
            const SIZE: u64 = $size;
            fn new(value: u64) -> Self {
                value as Self
            }
            fn get(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

entry! {
    u8, 1 << 8;
    u16, 1 << 16;
    u32, 1 << 32;
    // The number 2^64 does not fit into SIZE. So the value 2^64 - 1 counts as too large, but no
    // heap in memory can have it.
    u64, u64::MAX;
}

/// The Grundy values of the heaps 0, 1, 2, ..., with one byte for each value. If a value does not
/// fit, all entries are widened.
///
/// ```
/// use grundy_heap::{CompactValues, Store};
/// let mut values = CompactValues::default();
/// for value in [0, 255, 256] {
///     values.append(value);
/// }
/// assert_eq!((values.bytes(), values.iter().max()), (6, Some(256)));
/// ```
#[derive(Clone, Debug)]
pub struct CompactValues(pub(crate) Width);

/// The vector of the values, with one variant for each width of the entries.
#[derive(Clone, Debug)]
pub enum Width {
    /// Entries of one byte.
    One(Vec<u8>),
    /// Entries of two bytes.
    Two(Vec<u16>),
    /// Entries of four bytes.
    Four(Vec<u32>),
    /// Entries of eight bytes.
    Eight(Vec<u64>),
}

impl Default for CompactValues {
    fn default() -> Self {
        Self(Width::One(Vec::new()))
    }
}

/// A computation that appends values. It is generic over the width of the entries.
pub(crate) trait Recurrence {
    /// Appends values until the computation is complete. Returns `false` if the next value does not
    /// fit into an entry of this width.
    fn run<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop>;
}

/// A visitor of the values of a sequence. It is generic over the width of the entries.
pub(crate) trait ValuesVisitor {
    type Output;
    fn read<E: Entry>(self, values: &[E]) -> Self::Output;
}

fn wider<A: Entry, B: Entry>(values: &[A]) -> Vec<B> {
    values.iter().map(|value| B::new(value.get())).collect()
}

impl CompactValues {
    /// Converts the sequence into the vector of its entries.
    ///
    /// ```
    /// use grundy_heap::{CompactValues, Store, Width};
    /// let mut values = CompactValues::default();
    /// for value in [0, 1, 300] {
    ///     values.append(value);
    /// }
    /// assert!(matches!(values.into_width(), Width::Two(entries) if entries == [0, 1, 300]));
    /// ```
    #[must_use]
    pub fn into_width(self) -> Width {
        self.0
    }

    /// Runs a computation until it is complete. Whenever a value does not fit, all entries are
    /// widened.
    pub(crate) fn extend(&mut self, recurrence: &mut impl Recurrence) -> Result<(), Stop> {
        loop {
            let done = match &mut self.0 {
                Width::One(values) => recurrence.run(values)?,
                Width::Two(values) => recurrence.run(values)?,
                Width::Four(values) => recurrence.run(values)?,
                Width::Eight(values) => recurrence.run(values)?,
            };
            if done {
                return Ok(());
            }
            self.widen();
        }
    }

    pub(crate) fn read<R: ValuesVisitor>(&self, reading: R) -> R::Output {
        match &self.0 {
            Width::One(values) => reading.read(values),
            Width::Two(values) => reading.read(values),
            Width::Four(values) => reading.read(values),
            Width::Eight(values) => reading.read(values),
        }
    }

    fn widen(&mut self) {
        self.0 = match &self.0 {
            Width::One(values) => Width::Two(wider(values)),
            Width::Two(values) => Width::Four(wider(values)),
            Width::Four(values) => Width::Eight(wider(values)),
            // This case does not occur, since no value exceeds eight bytes.
            Width::Eight(values) => Width::Eight(values.clone()),
        };
    }

    /// Returns a copy of the values with indices in `range`.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        Self(match &self.0 {
            Width::One(values) => Width::One(values[range].to_vec()),
            Width::Two(values) => Width::Two(values[range].to_vec()),
            Width::Four(values) => Width::Four(values[range].to_vec()),
            Width::Eight(values) => Width::Eight(values[range].to_vec()),
        })
    }

    /// Removes the values with indices in `range`.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        match &mut self.0 {
            Width::One(values) => drop(values.drain(range)),
            Width::Two(values) => drop(values.drain(range)),
            Width::Four(values) => drop(values.drain(range)),
            Width::Eight(values) => drop(values.drain(range)),
        }
    }

    /// Returns the number of values.
    ///
    /// ```
    /// use grundy_heap::CompactValues;
    /// let values = CompactValues::from_bytes(2, &[1, 0, 2, 0, 3, 0]).unwrap();
    /// assert_eq!((values.len(), values.bytes()), (3, 6));
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Width::One(values) => values.len(),
            Width::Two(values) => values.len(),
            Width::Four(values) => values.len(),
            Width::Eight(values) => values.len(),
        }
    }

    /// Returns whether there are no values.
    ///
    /// ```
    /// use grundy_heap::{CompactValues, Store};
    /// let mut values = CompactValues::default();
    /// assert!(values.is_empty());
    /// values.append(0);
    /// assert!(!values.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the width of an entry in bytes: 1, 2, 4 or 8.
    ///
    /// ```
    /// use grundy_heap::{CompactValues, Store};
    /// let mut values = CompactValues::default();
    /// values.append(255);
    /// assert_eq!(values.width(), 1);
    /// values.append(1 << 16);
    /// assert_eq!(values.width(), 4);
    /// ```
    #[must_use]
    pub fn width(&self) -> u64 {
        match &self.0 {
            Width::One(_) => 1,
            Width::Two(_) => 2,
            Width::Four(_) => 4,
            Width::Eight(_) => 8,
        }
    }

    /// Returns the total size of all entries in bytes.
    ///
    /// ```
    /// use grundy_heap::{CompactValues, Store};
    /// let mut values = CompactValues::default();
    /// values.append(3);
    /// assert_eq!(values.bytes(), 1);
    /// values.append(300);
    /// assert_eq!(values.bytes(), 4);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.width() * self.len() as u64
    }

    /// Passes all values to `put` as bytes, in order and in chunks. Each value has
    /// [`CompactValues::width`] bytes in little-endian order.
    ///
    /// # Errors
    /// The first error that `put` returns.
    ///
    /// # Examples
    /// ```
    /// use grundy_heap::{CompactValues, Store};
    /// let mut values = CompactValues::default();
    /// values.append(1);
    /// values.append(258);
    /// let mut written = Vec::new();
    /// values.write_bytes(&mut |chunk| {
    ///     written.extend_from_slice(chunk);
    ///     Ok::<(), ()>(())
    /// }).unwrap();
    /// assert_eq!(written, [1, 0, 2, 1]);
    /// ```
    pub fn write_bytes<F>(&self, put: &mut dyn FnMut(&[u8]) -> Result<(), F>) -> Result<(), F> {
        const PIECE: usize = 1 << 16;
        let mut bytes = Vec::with_capacity(8 * PIECE);
        match &self.0 {
            // Entries of one byte need no conversion, so they are passed without a copy.
            Width::One(values) => return values.chunks(PIECE).try_for_each(put),
            Width::Two(values) => {
                for piece in values.chunks(PIECE) {
                    bytes.clear();
                    bytes.extend(piece.iter().flat_map(|value| value.to_le_bytes()));
                    put(&bytes)?;
                }
            }
            Width::Four(values) => {
                for piece in values.chunks(PIECE) {
                    bytes.clear();
                    bytes.extend(piece.iter().flat_map(|value| value.to_le_bytes()));
                    put(&bytes)?;
                }
            }
            Width::Eight(values) => {
                for piece in values.chunks(PIECE) {
                    bytes.clear();
                    bytes.extend(piece.iter().flat_map(|value| value.to_le_bytes()));
                    put(&bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Reads values that were written with entries of `width` bytes. Returns `None` if there is no
    /// such width, or if the last value is incomplete.
    ///
    /// ```
    /// use grundy_heap::CompactValues;
    /// let values = CompactValues::from_bytes(2, &[1, 0, 2, 1]).unwrap();
    /// assert_eq!(values.iter().collect::<Vec<_>>(), [1, 258]);
    /// assert!(CompactValues::from_bytes(2, &[1, 0, 2]).is_none());
    /// ```
    #[must_use]
    pub fn from_bytes(width: u64, bytes: &[u8]) -> Option<Self> {
        let (two, rest_two) = bytes.as_chunks::<2>();
        let (four, rest_four) = bytes.as_chunks::<4>();
        let (eight, rest_eight) = bytes.as_chunks::<8>();
        let values = match width {
            1 => Width::One(bytes.to_vec()),
            2 if rest_two.is_empty() => {
                Width::Two(two.iter().map(|&value| u16::from_le_bytes(value)).collect())
            }
            4 if rest_four.is_empty() => Width::Four(
                four.iter()
                    .map(|&value| u32::from_le_bytes(value))
                    .collect(),
            ),
            8 if rest_eight.is_empty() => Width::Eight(
                eight
                    .iter()
                    .map(|&value| u64::from_le_bytes(value))
                    .collect(),
            ),
            _ => return None,
        };
        Some(Self(values))
    }

    /// Returns the value of heap `n`, or `None` if it is not stored.
    ///
    /// ```
    /// use grundy_heap::CompactValues;
    /// let kayles = CompactValues::from_bytes(1, &[0, 1, 2, 3, 1, 4]).unwrap();
    /// assert_eq!((kayles.get(5), kayles.get(6)), (Some(4), None));
    /// ```
    #[must_use]
    pub fn get(&self, n: usize) -> Option<u64> {
        match &self.0 {
            Width::One(values) => values.get(n).map(|&value| value.into()),
            Width::Two(values) => values.get(n).map(|&value| value.into()),
            Width::Four(values) => values.get(n).map(|&value| value.into()),
            Width::Eight(values) => values.get(n).copied(),
        }
    }

    /// Returns an iterator over the values in order.
    ///
    /// ```
    /// use grundy_heap::CompactValues;
    /// let kayles = CompactValues::from_bytes(1, &[0, 1, 2, 3, 1, 4]).unwrap();
    /// assert_eq!(kayles.iter().rev().collect::<Vec<_>>(), [4, 1, 3, 2, 1, 0]);
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + '_ {
        (0..self.len()).map(|n| self.at(n))
    }
}

impl Store<u64> for CompactValues {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, index: usize) -> u64 {
        match &self.0 {
            Width::One(values) => values[index].into(),
            Width::Two(values) => values[index].into(),
            Width::Four(values) => values[index].into(),
            Width::Eight(values) => values[index],
        }
    }

    fn append(&mut self, value: u64) {
        while match self.0 {
            Width::One(_) => value >= u8::SIZE,
            Width::Two(_) => value >= u16::SIZE,
            Width::Four(_) => value >= u32::SIZE,
            Width::Eight(_) => false,
        } {
            self.widen();
        }
        match &mut self.0 {
            Width::One(values) => values.push(value as u8),
            Width::Two(values) => values.push(value as u16),
            Width::Four(values) => values.push(value as u32),
            Width::Eight(values) => values.push(value),
        }
    }
}
