//! Values in as few bytes as they need.

use std::fmt::Debug;
use std::ops::{BitXor, Range};

use grundy_base::limits::Stop;

/// A row of values that grows at the end.
pub trait Store<V>: Default + Debug {
    /// How many values there are.
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

/// An unsigned number that values are kept in.
pub(crate) trait Entry:
    Copy + Debug + Eq + Ord + BitXor<Output = Self> + Send + Sync + 'static
{
    /// The number of different values.
    const SIZE: u64;
    /// One byte: what nearly every sequence is kept in.
    const BYTE: bool = Self::SIZE == 1 << 8;
    /// At most two bytes: wider values belong to heaps that are computed one by one anyway.
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
    u64, u64::MAX;
}

/// Grundy values of heaps 0, 1, 2, ..., one byte each as long as they fit, wider ones when they
/// grow.
///
/// ```
/// use grundy_heap::{Narrow, Store};
/// let mut values = Narrow::default();
/// for value in [0, 255, 256] {
///     values.append(value);
/// }
/// assert_eq!((values.bytes(), values.iter().max()), (6, Some(256)));
/// ```
#[derive(Clone, Debug)]
pub struct Narrow(pub(crate) Width);

/// Values as they are kept: all in entries of one width.
#[derive(Clone, Debug)]
pub enum Width {
    /// One byte each.
    One(Vec<u8>),
    /// Two bytes each.
    Two(Vec<u16>),
    /// Four bytes each.
    Four(Vec<u32>),
    /// Eight bytes each.
    Eight(Vec<u64>),
}

impl Default for Narrow {
    fn default() -> Self {
        Self(Width::One(Vec::new()))
    }
}

/// What is done to the values once for each width they can have.
pub(crate) trait Recurrence {
    /// Appends values; `false` when the next one does not fit.
    fn run<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop>;
}

/// What is read from the values, whatever their width.
pub(crate) trait Reading {
    type Output;
    fn read<E: Entry>(self, values: &[E]) -> Self::Output;
}

fn wider<A: Entry, B: Entry>(values: &[A]) -> Vec<B> {
    values.iter().map(|value| B::new(value.get())).collect()
}

impl Narrow {
    /// Returns the values as they are kept, for who takes them over.
    #[must_use]
    pub fn into_width(self) -> Width {
        self.0
    }

    /// Runs a recurrence to its end, in wider and wider entries.
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

    pub(crate) fn read<R: Reading>(&self, reading: R) -> R::Output {
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
            Width::Eight(values) => Width::Eight(values.clone()),
        };
    }

    /// Returns the values of a range of heaps.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        Self(match &self.0 {
            Width::One(values) => Width::One(values[range].to_vec()),
            Width::Two(values) => Width::Two(values[range].to_vec()),
            Width::Four(values) => Width::Four(values[range].to_vec()),
            Width::Eight(values) => Width::Eight(values[range].to_vec()),
        })
    }

    /// Takes the values of a range of heaps out.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        match &mut self.0 {
            Width::One(values) => drop(values.drain(range)),
            Width::Two(values) => drop(values.drain(range)),
            Width::Four(values) => drop(values.drain(range)),
            Width::Eight(values) => drop(values.drain(range)),
        }
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Width::One(values) => values.len(),
            Width::Two(values) => values.len(),
            Width::Four(values) => values.len(),
            Width::Eight(values) => values.len(),
        }
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes each of them takes: 1, 2, 4 or 8.
    #[must_use]
    pub fn width(&self) -> u64 {
        match &self.0 {
            Width::One(_) => 1,
            Width::Two(_) => 2,
            Width::Four(_) => 4,
            Width::Eight(_) => 8,
        }
    }

    /// How many bytes they take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.width() * self.len() as u64
    }

    /// Hands out the values in order, [`Narrow::width`] bytes each, the lowest first, piece by
    /// piece.
    ///
    /// # Errors
    /// What `put` answers.
    pub fn write_bytes<F>(&self, put: &mut dyn FnMut(&[u8]) -> Result<(), F>) -> Result<(), F> {
        const PIECE: usize = 1 << 16;
        let mut bytes = Vec::with_capacity(8 * PIECE);
        match &self.0 {
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

    /// Returns the values that were written with this width; `None` for another width or a part of
    /// a value.
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

    /// Returns the value of heap `n`, if it is there.
    #[must_use]
    pub fn get(&self, n: usize) -> Option<u64> {
        match &self.0 {
            Width::One(values) => values.get(n).map(|&value| value.into()),
            Width::Two(values) => values.get(n).map(|&value| value.into()),
            Width::Four(values) => values.get(n).map(|&value| value.into()),
            Width::Eight(values) => values.get(n).copied(),
        }
    }

    /// Returns the values in order.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + '_ {
        (0..self.len()).map(|n| self.at(n))
    }
}

impl Store<u64> for Narrow {
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
