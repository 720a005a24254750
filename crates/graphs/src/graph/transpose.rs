//! Turning the edges round.

use super::Digraph;
use grundy_base::limits::{Limits, Stop};

/// The edges of a digraph turned round, in compressed rows: who moves to each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transposed {
    pub(super) starts: Vec<u32>,
    pub(super) sources: Vec<u32>,
}

/// Vertices in a block: numbers within one fit 16 bits, and counters for one fit the cache.
const BLOCK: usize = 1 << 16;

impl Transposed {
    /// Where the edges of a vertex come from.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn sources(&self, vertex: u32) -> &[u32] {
        let row = vertex as usize;
        &self.sources[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Turns the edges of `graph` round: block by block when they jump about, plainly when edges
    /// written side by side lead to places that are cached together anyway.
    pub(super) fn of(graph: &Digraph, limits: &Limits<'_>) -> Result<Self, Stop> {
        let n = graph.vertices() as u32;
        limits.poll()?;
        assert!(
            graph.targets.iter().all(|&w| w < n),
            "an edge leads to a vertex"
        );
        if graph.vertices() <= 4 * BLOCK || is_local(&graph.targets) {
            Ok(plain(graph))
        } else {
            blocked(graph, limits)
        }
    }
}

/// Returns whether most edges lead near to where an edge written shortly before led, judged by
/// samples.
fn is_local(targets: &[u32]) -> bool {
    const SAMPLES: usize = 512;
    const WINDOW: usize = 32;
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
    // Filled from the back, each start ends as the beginning of its row.
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

/// First every edge goes to the block of its target, then each block is sorted in the cache.
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
    fn blocks_and_the_plain_way_agree() {
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
