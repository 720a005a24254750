//! Transposition of the edges of a graph.

use super::Digraph;
use grundy_base::limits::{Limits, Stop};

/// The predecessors of each vertex of a directed graph, in compressed sparse rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transposed {
    pub(super) starts: Vec<u32>,
    pub(super) sources: Vec<u32>,
}

/// Number of vertices in a block. Within a block, vertex numbers fit in 16 bits, and the counters
/// of all its vertices fit in the cache.
const BLOCK: usize = 1 << 16;

impl Transposed {
    /// Returns the predecessors of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);
    /// let transposed = graph.transpose(&Limits::none())?;
    /// assert_eq!([0, 1, 2].map(|v| transposed.sources(v)), [[1], [0], [1]]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn sources(&self, vertex: u32) -> &[u32] {
        let row = vertex as usize;
        &self.sources[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Transposes the edges of `graph` by sorting them by target. If the graph is large and the
    /// targets of successive edges are scattered, the edges are first distributed to blocks of
    /// vertices. Otherwise all edges are sorted at once.
    pub(super) fn of(graph: &Digraph, limits: &Limits<'_>) -> Result<Self, Stop> {
        let n = graph.vertices() as u32;
        limits.poll()?;
        assert!(
            graph.targets.iter().all(|&w| w < n),
            "an edge leads to a vertex"
        );
        // Up to four blocks fit in the cache together, so the direct method has few cache misses.
        if graph.vertices() <= 4 * BLOCK || is_local(&graph.targets) {
            Ok(plain(graph))
        } else {
            blocked(graph, limits)
        }
    }
}

/// Returns whether most edges have a target near the target of the preceding edge. This is
/// estimated from samples.
fn is_local(targets: &[u32]) -> bool {
    const SAMPLES: usize = 512;
    const WINDOW: usize = 32;
    // Each sample consists of successive edges. The samples are spread evenly over the graph.
    let stride = (targets.len() / SAMPLES).max(1);
    let mut near = 0;
    let mut seen = 0;
    for window in targets.chunks(stride) {
        let window = &window[..window.len().min(WINDOW)];
        for pair in window.windows(2) {
            seen += 1;
            near += usize::from((pair[0].abs_diff(pair[1]) as usize) < BLOCK / 2);
        }
    }
    2 * near > seen
}

fn plain(graph: &Digraph) -> Transposed {
    let n = graph.vertices();
    let mut starts = vec![0u32; n + 1];
    for &target in &graph.targets {
        starts[target as usize] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    // The edges are visited from the last to the first. This preserves the order of the sources,
    // and each entry of `starts` becomes the start of its row.
    let mut sources = vec![0; graph.edges()];
    for v in (0..n as u32).rev() {
        for &target in graph.options(v).iter().rev() {
            let slot = &mut starts[target as usize];
            *slot -= 1;
            sources[*slot as usize] = v;
        }
    }
    Transposed { starts, sources }
}

/// Transposes the edges in two passes. The first pass distributes the edges to the blocks of their
/// targets. The second one sorts the edges of each block, within the cache.
fn blocked(graph: &Digraph, limits: &Limits<'_>) -> Result<Transposed, Stop> {
    let n = graph.vertices();
    let blocks = n.div_ceil(BLOCK);
    let mut begins = vec![0u32; blocks + 1];
    for &target in &graph.targets {
        begins[target as usize / BLOCK + 1] += 1;
    }
    for block in 0..blocks {
        begins[block + 1] += begins[block];
    }
    limits.poll()?;
    let mut sources = vec![0u32; graph.edges()];
    let mut within = vec![0u16; graph.edges()];
    // The next position to write in each block. All these positions stay in the cache, and each
    // block is written sequentially.
    let mut fill = begins.clone();
    for v in 0..n as u32 {
        for &target in graph.options(v) {
            let slot = &mut fill[target as usize / BLOCK];
            sources[*slot as usize] = v;
            within[*slot as usize] = (target as usize % BLOCK) as u16;
            *slot += 1;
        }
    }
    let mut starts = vec![0u32; n + 1];
    let mut block_sources = Vec::new();
    for block in 0..blocks {
        limits.poll()?;
        let (begin, end) = (begins[block] as usize, begins[block + 1] as usize);
        let vertices = block * BLOCK..n.min((block + 1) * BLOCK);
        let starts = &mut starts[vertices];
        for &low in &within[begin..end] {
            starts[low as usize] += 1;
        }
        let mut sum = begin as u32;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        // The sources of the block are copied, since the sort writes to the place from which it
        // reads them.
        block_sources.clear();
        block_sources.extend_from_slice(&sources[begin..end]);
        for (&source, &low) in block_sources.iter().zip(&within[begin..end]).rev() {
            let slot = &mut starts[low as usize];
            *slot -= 1;
            sources[*slot as usize] = source;
        }
    }
    starts[n] = graph.edges() as u32;
    Ok(Transposed { starts, sources })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_and_plain_transposition_agree() {
        // The edges are scattered over more than three blocks, and the last block is short.
        let n = 3 * BLOCK as u32 + 17;
        let edges: Vec<(u32, u32)> = (0..2 * n)
            .map(|i| {
                let mixed = u64::from(i).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                ((mixed >> 40) as u32 % n, (mixed >> 8) as u32 % n)
            })
            .collect();
        let graph = Digraph::from_edges(n as usize, &edges);
        let blocks = blocked(&graph, &Limits::none()).expect("nothing limits it");
        assert_eq!(blocks, plain(&graph));
        assert_eq!(blocks.sources.len(), edges.len());
        for &(source, target) in &edges[..1000] {
            assert!(blocks.sources(target).contains(&source));
        }
    }
}
