//! Steps of a retrograde analysis: the predecessors of a frontier (the vertices that were labelled
//! last), and counters of undecided moves.
//!
//! A large graph does not fit in the cache, and the vertices of a frontier are scattered over it.
//! Memory is loaded in separate loops without branches, so that the processor can wait for many
//! cache misses at once.

use std::hint::black_box;

use rustc_hash::FxHashMap;

use super::Digraph;
use super::transpose::Transposed;

/// Number of frontier vertices whose lists of predecessors are prefetched together. The frontier
/// consists of the vertices that were labelled last.
const PREFETCH_BATCH: usize = 64;
/// Number of predecessors in the buffer at which the buffer is passed to the callback. If a vertex
/// alone has more predecessors, they are passed directly, in chunks of this length. Every call
/// receives fewer than twice this number of predecessors.
const PREDECESSOR_CHUNK: usize = 2048;

/// Calls `visit` with the predecessors of the vertices in `frontier`, in chunks. A vertex with
/// several edges to the frontier occurs once for each of these edges.
pub(super) fn predecessors(
    transposed: &Transposed,
    frontier: &[u32],
    mut visit: impl FnMut(&[u32]),
) {
    if frontier.is_empty() {
        return;
    }
    let (starts, sources) = (&transposed.starts, &transposed.sources);
    let mut buffer = Vec::with_capacity(2 * PREDECESSOR_CHUNK);
    for batch in frontier.chunks(PREFETCH_BATCH) {
        // This loop loads the bounds of all rows. It has no branch that depends on them.
        let mut rows = [(0u32, 0u32); PREFETCH_BATCH];
        for (row, &v) in rows.iter_mut().zip(batch) {
            *row = (starts[v as usize], starts[v as usize + 1]);
        }
        // This loop loads the first source of every row. The loads do not depend on each other. The
        // rows themselves are read below.
        let mut touched = 0;
        for &(start, _) in &rows[..batch.len()] {
            touched ^= sources.get(start as usize).copied().unwrap_or(0);
        }
        black_box(touched);
        for &(start, end) in &rows[..batch.len()] {
            let row = &sources[start as usize..end as usize];
            // A long row is passed to the callback directly, without a copy in the buffer.
            if row.len() > PREDECESSOR_CHUNK {
                row.chunks(PREDECESSOR_CHUNK).for_each(&mut visit);
                continue;
            }
            buffer.extend_from_slice(row);
            if buffer.len() >= PREDECESSOR_CHUNK {
                visit(&buffer);
                buffer.clear();
            }
        }
    }
    if !buffer.is_empty() {
        visit(&buffer);
    }
}

/// A buffer for sorting frontiers (the vertices that were labelled last) by vertex index. After
/// sorting, the data of vertices with nearby indices is read together.
#[derive(Debug)]
pub(super) struct Sorter {
    bits: Vec<u64>,
}

impl Sorter {
    pub(super) fn new(vertices: usize) -> Self {
        Self {
            bits: vec![0; vertices.div_ceil(64)],
        }
    }

    /// Sorts `frontier`, unless it is so small that sorting would not pay off. The frontier must
    /// have no duplicates.
    pub(super) fn sort(&mut self, frontier: &mut [u32]) {
        // A bit set of all vertices fits in the cache even if the graph does not. All words of the
        // set are scanned, so sorting is worthwhile only if the frontier has at least one vertex
        // for each word.
        if frontier.len() < self.bits.len() {
            return;
        }
        for &v in &*frontier {
            self.bits[v as usize / 64] |= 1 << (v % 64);
        }
        let mut slots = frontier.iter_mut();
        for (word, bits) in self.bits.iter_mut().enumerate() {
            while *bits != 0 {
                let vertex = word as u32 * 64 + bits.trailing_zeros();
                *bits &= *bits - 1;
                if let Some(slot) = slots.next() {
                    *slot = vertex;
                }
            }
        }
    }
}

/// Calls `step` for each vertex of `sources` in order, and appends to `out` the vertices for which
/// `step` returns `true`. No branch depends on the returned value.
pub(super) fn select(sources: &[u32], out: &mut Vec<u32>, mut step: impl FnMut(usize) -> bool) {
    // Every vertex is written to `out`, and only the length depends on the result. A branch would
    // often be predicted wrongly.
    let mut length = out.len();
    out.resize(length + sources.len(), 0);
    for &source in sources {
        out[length] = source;
        length += usize::from(step(source as usize));
    }
    out.truncate(length);
}

/// For each vertex, the number of its undecided moves, in one byte. A move is undecided if its
/// target is not decided.
///
/// The byte is 0 for a vertex that is decided, and s + 1 for a vertex with s undecided moves. The
/// byte 255 means that the number does not fit and is stored in a hash table.
#[derive(Debug)]
pub struct Counters {
    bytes: Vec<u8>,
    many: FxHashMap<u32, u32>,
}

impl Counters {
    const MANY: u8 = 255;

    /// Creates counters in which all moves are undecided.
    pub(super) fn new(graph: &Digraph) -> Self {
        let mut all = Self::decided(graph.vertices());
        for (v, row) in graph.offsets.windows(2).enumerate() {
            all.set(v as u32, row[1] - row[0]);
        }
        all
    }

    /// Creates counters in which all vertices are decided.
    ///
    /// ```
    /// use grundy_core::graph::Counters;
    /// let mut counters = Counters::decided(3);
    /// assert!(counters.ends().is_empty());
    /// counters.set(2, 0);
    /// assert_eq!(counters.ends(), [2]);
    /// ```
    #[must_use]
    pub fn decided(vertices: usize) -> Self {
        Self {
            bytes: vec![0; vertices],
            many: FxHashMap::default(),
        }
    }

    /// Sets the number of undecided moves of a vertex.
    ///
    /// ```
    /// use grundy_core::graph::Counters;
    /// let mut counters = Counters::decided(2);
    /// counters.set(1, 1_000);
    /// let mut lost = Vec::new();
    /// counters.count_down(&[1; 999], &mut lost);
    /// assert!(lost.is_empty());
    /// counters.count_down(&[1], &mut lost);
    /// assert_eq!(lost, [1]);
    /// ```
    pub fn set(&mut self, vertex: u32, left: u32) {
        self.bytes[vertex as usize] = if left < u32::from(Self::MANY) - 1 {
            left as u8 + 1
        } else {
            self.many.insert(vertex, left);
            Self::MANY
        };
    }

    /// Marks vertices as decided. They may already be decided.
    ///
    /// ```
    /// use grundy_core::graph::Counters;
    /// let mut counters = Counters::decided(2);
    /// counters.set(0, 0);
    /// counters.set(1, 0);
    /// counters.mark_decided(&[0]);
    /// assert_eq!(counters.ends(), [1]);
    /// ```
    pub fn mark_decided(&mut self, vertices: &[u32]) {
        for &v in vertices {
            self.bytes[v as usize] = 0;
        }
    }

    /// Returns the undecided vertices that have no undecided moves.
    ///
    /// ```
    /// use grundy_core::graph::Counters;
    /// let mut counters = Counters::decided(3);
    /// counters.set(0, 2);
    /// counters.set(2, 0);
    /// assert_eq!(counters.ends(), [2]);
    /// ```
    #[must_use]
    pub fn ends(&self) -> Vec<u32> {
        (0..self.bytes.len() as u32)
            .filter(|&v| self.bytes[v as usize] == 1)
            .collect()
    }

    /// Marks vertices as decided. Appends to `out` those that were undecided before.
    ///
    /// ```
    /// use grundy_core::graph::Counters;
    /// let mut counters = Counters::decided(3);
    /// counters.set(1, 2);
    /// counters.set(2, 1);
    /// let mut won = Vec::new();
    /// // Vertex 0 was decided before, and vertex 2 is decided only once.
    /// counters.decide(&[0, 2, 2], &mut won);
    /// assert_eq!(won, [2]);
    /// ```
    pub fn decide(&mut self, vertices: &[u32], out: &mut Vec<u32>) {
        let bytes = &mut self.bytes[..];
        select(vertices, out, |v| {
            let byte = &mut bytes[v];
            let new = *byte != 0;
            *byte = 0;
            new
        });
    }

    /// Decrements the number of undecided moves of each undecided vertex in `vertices`. Appends to
    /// `out` the vertices for which this number becomes 0.
    ///
    /// ```
    /// use grundy_core::graph::Counters;
    /// let mut counters = Counters::decided(2);
    /// // Vertex 1 has two moves. It is lost once the targets of both are won.
    /// counters.set(1, 2);
    /// let mut lost = Vec::new();
    /// counters.count_down(&[1], &mut lost);
    /// assert!(lost.is_empty());
    /// counters.count_down(&[1], &mut lost);
    /// assert_eq!(lost, [1]);
    /// ```
    pub fn count_down(&mut self, vertices: &[u32], out: &mut Vec<u32>) {
        let Self { bytes, many } = self;
        let bytes = &mut bytes[..];
        select(vertices, out, |v| {
            let byte = &mut bytes[v];
            // This case is rare, so the branch is predicted well.
            if *byte == Self::MANY {
                let left = many.entry(v as u32).or_default();
                *left -= 1;
                let last = *left == 0;
                *byte = if last { 1 } else { Self::MANY };
                return last;
            }
            // The decrement needs no branch. The bytes 0 (decided) and 1 (no move left) do not
            // change.
            let last = *byte == 2;
            *byte -= u8::from(*byte >= 2);
            last
        });
    }
}
