//! Values of all vertices, one byte each.

use rustc_hash::FxHashMap;

use super::Digraph;
use grundy_base::mex::MexSet;

/// Grundy values of vertices. A vertex may have no value.
///
/// A vertex of value k has at least k moves, so nearly all values fit in a byte. Larger ones are
/// stored in a hash table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    codes: Vec<u8>,
    large: FxHashMap<u32, u32>,
}

/// The code for a value of 254 or more. The value itself is stored in the hash table.
const LARGE: u8 = 254;
/// The code for a vertex that has no value.
const ABSENT: u8 = 255;

impl Values {
    /// Creates a table in which no vertex has a value.
    ///
    /// ```
    /// use grundy_core::graph::Values;
    /// let values = Values::absent(2);
    /// assert_eq!((values.len(), values.get(0), values.get(1)), (2, None, None));
    /// ```
    #[must_use]
    pub fn absent(vertices: usize) -> Self {
        Self {
            codes: vec![ABSENT; vertices],
            large: FxHashMap::default(),
        }
    }

    /// Returns the value of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // In Nim, the value of a heap is its size.
    /// let nim = Digraph::from_edges(4, &[(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]);
    /// let values = nim.grundy_values().expect("no cycle");
    /// assert_eq!(values.get(3), Some(3));
    /// ```
    #[must_use]
    pub fn get(&self, vertex: u32) -> Option<u32> {
        match self.codes[vertex as usize] {
            ABSENT => None,
            LARGE => self.large.get(&vertex).copied(),
            code => Some(u32::from(code)),
        }
    }

    /// Returns whether a vertex has a value.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Values;
    /// let mut values = Values::absent(2);
    /// values.set(1, 0);
    /// assert_eq!((values.has(0), values.has(1)), (false, true));
    /// ```
    #[must_use]
    pub fn has(&self, vertex: u32) -> bool {
        self.codes[vertex as usize] != ABSENT
    }

    /// Sets the value of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Values;
    /// let mut values = Values::absent(2);
    /// values.set(0, 5);
    /// values.set(1, 1_000);
    /// assert_eq!((values.get(0), values.get(1)), (Some(5), Some(1_000)));
    /// ```
    pub fn set(&mut self, vertex: u32, value: u32) {
        self.codes[vertex as usize] = if value < u32::from(LARGE) {
            value as u8
        } else {
            self.large.insert(vertex, value);
            LARGE
        };
    }

    /// Returns the values of all vertices in order.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // A heap of up to 3 chips, from which a move takes one or two chips.
    /// let graph = Digraph::from_edges(4, &[(1, 0), (2, 1), (2, 0), (3, 2), (3, 1)]);
    /// let values: Vec<_> = graph.grundy_values().expect("no cycle").iter().flatten().collect();
    /// assert_eq!(values, [0, 1, 2, 0]);
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        (0..self.codes.len() as u32).map(|v| self.get(v))
    }

    /// Returns the number of vertices.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let values = Digraph::from_edges(3, &[(0, 1)]).grundy_values().expect("no cycle");
    /// assert_eq!(values.len(), 3);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns whether the graph has no vertices.
    ///
    /// ```
    /// use grundy_core::graph::Values;
    /// assert!(Values::absent(0).is_empty());
    /// assert!(!Values::absent(2).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
}

/// A table of values under construction. The values are computed in an order in which each vertex
/// follows its options.
pub(super) struct ValueBuilder {
    values: Values,
    set: MexSet,
}

impl ValueBuilder {
    pub(super) fn new(graph: &Digraph) -> Self {
        let mut values = Values::absent(0);
        values.codes = vec![0; graph.vertices()];
        Self {
            values,
            set: MexSet::default(),
        }
    }

    /// Sets the value of `vertex` to the mex of the values of its options.
    pub(super) fn compute(&mut self, graph: &Digraph, vertex: u32) {
        let options = graph.options(vertex);
        if options.len() < 64 {
            // The mex of fewer than 64 values is below 64. Values of 64 or more, including the
            // codes of large values, cannot change it, so the shift drops them.
            let codes = &self.values.codes[..];
            let bits = options.iter().fold(0u64, |bits, &w| {
                bits | 1u64.checked_shl(u32::from(codes[w as usize])).unwrap_or(0)
            });
            self.values.codes[vertex as usize] = bits.trailing_ones() as u8;
        } else {
            self.set.clear();
            for &w in options {
                if let Some(value) = self.values.get(w) {
                    self.set.insert(u64::from(value));
                }
            }
            self.values.set(vertex, self.set.mex() as u32);
        }
    }

    pub(super) fn finish(self) -> Values {
        self.values
    }
}
