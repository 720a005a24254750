//! Going backwards from a frontier: the predecessors of many vertices, and moves counted down.
//!
//! A big graph does not fit the cache, and the vertices of a frontier lie anywhere in it. What
//! waits for memory is kept apart from what branches, so that the processor has many loads under
//! way at once.

use std::hint::black_box;

use rustc_hash::FxHashMap;

use super::Digraph;
use super::transpose::Transposed;

/// Vertices of the frontier looked up together.
const BATCH: usize = 64;
/// Predecessors handed over together.
const CHUNK: usize = 2048;

/// Hands the predecessors of the vertices of `frontier` to `visit`, in chunks; one that has several
/// edges to the frontier comes several times.
pub(super) fn predecessors(
    transposed: &Transposed,
    frontier: &[u32],
    mut visit: impl FnMut(&[u32]),
) {
    if frontier.is_empty() {
        return;
    }
    let (starts, sources) = (&transposed.starts, &transposed.sources);
    let mut buffer = Vec::with_capacity(2 * CHUNK);
    for batch in frontier.chunks(BATCH) {
        let mut rows = [(0u32, 0u32); BATCH];
        for (row, &v) in rows.iter_mut().zip(batch) {
            *row = (starts[v as usize], starts[v as usize + 1]);
        }
        // The first source of every row is asked for now and read below.
        let mut touched = 0;
        for &(start, _) in &rows[..batch.len()] {
            touched ^= sources.get(start as usize).copied().unwrap_or(0);
        }
        black_box(touched);
        for &(start, end) in &rows[..batch.len()] {
            let row = &sources[start as usize..end as usize];
            if row.len() > CHUNK {
                row.chunks(CHUNK).for_each(&mut visit);
                continue;
            }
            buffer.extend_from_slice(row);
            if buffer.len() >= CHUNK {
                visit(&buffer);
                buffer.clear();
            }
        }
    }
    if !buffer.is_empty() {
        visit(&buffer);
    }
}

/// Puts frontiers into the order of the numbering, so that what belongs to neighbours is read
/// together.
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

    /// Sorts `frontier`, which holds no vertex twice, if it is so large that this pays.
    pub(super) fn sort(&mut self, frontier: &mut [u32]) {
        // A bit a vertex fits the cache where nothing else does; all bits are looked through.
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

/// Appends the vertices of `sources` for which `step` says so; `step` is asked for every one, in
/// order, and no branch depends on its answers.
pub(super) fn select(sources: &[u32], out: &mut Vec<u32>, mut step: impl FnMut(usize) -> bool) {
    let mut length = out.len();
    out.resize(length + sources.len(), 0);
    for &source in sources {
        out[length] = source;
        length += usize::from(step(source as usize));
    }
    out.truncate(length);
}

/// The number of undecided moves of every vertex, a byte each: 0 when the vertex is decided
/// otherwise, 1 when none is left, s when s - 1 are left; 255 for numbers that fit no byte, which
/// are kept aside.
///
/// ```
/// use grundy::graph::Counters;
/// let mut left = Counters::decided(3);
/// [2, 1, 0].into_iter().zip(0..).for_each(|(moves, vertex)| left.set(vertex, moves));
/// assert_eq!(left.ends(), [2]);
/// let mut out = Vec::new();
/// left.count_down(&[0, 1, 0], &mut out);
/// assert_eq!(out, [1, 0]);
/// ```
#[derive(Debug)]
pub struct Counters {
    bytes: Vec<u8>,
    many: FxHashMap<u32, u32>,
}

impl Counters {
    const MANY: u8 = 255;

    /// Returns all moves of all vertices.
    pub(super) fn new(graph: &Digraph) -> Self {
        let mut all = Self::decided(graph.vertices());
        for (v, row) in graph.offsets.windows(2).enumerate() {
            all.set(v as u32, row[1] - row[0]);
        }
        all
    }

    /// Returns all vertices decided.
    #[must_use]
    pub fn decided(vertices: usize) -> Self {
        Self {
            bytes: vec![0; vertices],
            many: FxHashMap::default(),
        }
    }

    /// Sets the number of moves left of a vertex.
    pub fn set(&mut self, vertex: u32, left: u32) {
        self.bytes[vertex as usize] = if left < u32::from(Self::MANY) - 1 {
            left as u8 + 1
        } else {
            self.many.insert(vertex, left);
            Self::MANY
        };
    }

    /// Decides vertices, new or not.
    pub fn forget(&mut self, vertices: &[u32]) {
        for &v in vertices {
            self.bytes[v as usize] = 0;
        }
    }

    /// Returns the vertices with no move left.
    #[must_use]
    pub fn ends(&self) -> Vec<u32> {
        (0..self.bytes.len() as u32)
            .filter(|&v| self.bytes[v as usize] == 1)
            .collect()
    }

    /// Decides vertices; those that were not decided before are appended to `out`.
    pub fn decide(&mut self, vertices: &[u32], out: &mut Vec<u32>) {
        let bytes = &mut self.bytes[..];
        select(vertices, out, |v| {
            let byte = &mut bytes[v];
            let new = *byte != 0;
            *byte = 0;
            new
        });
    }

    /// Counts down one move of each vertex, if it is undecided; those that have none left now are
    /// appended to `out`.
    pub fn count_down(&mut self, vertices: &[u32], out: &mut Vec<u32>) {
        let Self { bytes, many } = self;
        let bytes = &mut bytes[..];
        select(vertices, out, |v| {
            let byte = &mut bytes[v];
            if *byte == Self::MANY {
                let left = many.entry(v as u32).or_default();
                *left -= 1;
                let last = *left == 0;
                *byte = if last { 1 } else { Self::MANY };
                return last;
            }
            let last = *byte == 2;
            *byte -= u8::from(*byte >= 2);
            last
        });
    }
}
