//! A single pass along a topological order, in which every vertex follows its options.

use super::Digraph;
use super::label::{Labels, Score};
use super::order::Numbering;
use super::values::{ValueBuilder, Values};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// Number of vertices between two checks of the limits.
const STRIDE: usize = 1 << 20;

/// A [`Score`] in a narrow integer. Options are scattered over memory, so the time of a pass is
/// determined by cache misses. Narrow integers cause fewer of them. A pass starts with one byte for
/// each vertex, and changes to wider integers when a remoteness does not fit.
trait NarrowScore: Copy + Ord + From<u8> {
    /// The least score that is a win.
    const HALF: Self;

    /// Returns the complement. It maps the score of a loss in r moves to the score of a win in r
    /// moves, and vice versa.
    fn complement(self) -> Self;

    /// Returns the score of a vertex whose best option has score `self`. Returns `None` if this
    /// score does not fit.
    fn predecessor(self) -> Option<Self>;

    fn widen(self) -> Score;
}

macro_rules! narrow {
    ($width:ty) => {
        impl NarrowScore for $width {
            const HALF: Self = 1 << (Self::BITS - 1);

            fn complement(self) -> Self {
                !self
            }

            fn predecessor(self) -> Option<Self> {
                // The score of a loss in r moves is r, and that of a win in r moves is !r. After
                // `HALF` and `HALF - 1`, the next remoteness would reach the other half.
                if self == Self::HALF || self == Self::HALF - 1 {
                    None
                } else if self < Self::HALF {
                    Some(!self - 1)
                } else {
                    Some(!self + 1)
                }
            }

            fn widen(self) -> Score {
                if self < Self::HALF {
                    Score::lost(u32::from(self))
                } else {
                    Score::won(u32::from(!self))
                }
            }
        }
    };
}

narrow!(u8);
narrow!(u16);
narrow!(u32);

/// Labels the vertices of a graph whose vertex numbers are a topological order, upwards or
/// downwards. The vertices are labelled in this order.
pub(super) fn labels(
    graph: &Digraph,
    numbering: Numbering,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Labels, Stop> {
    let pass = Pass {
        graph,
        numbering,
        play,
        limits,
    };
    let mut bytes = vec![0u8; graph.vertices()];
    let mut done = pass.run(&mut bytes, 0)?;
    let mut scores = bytes.iter().map(|cell| cell.widen().0).collect();
    if done < graph.vertices() {
        // With 16 bits the remoteness may be up to 32767. The scores computed so far are converted
        // and not computed again.
        let mut words = pass.convert::<u16>(&bytes, done);
        drop(bytes);
        done = pass.run(&mut words, done)?;
        scores = words.iter().map(|cell| cell.widen().0).collect::<Vec<_>>();
        // Scores of 32 bits always suffice, since a play has fewer moves than the graph has
        // vertices.
        done = pass.run(&mut scores, done)?;
    }
    debug_assert_eq!(done, graph.vertices());
    Ok(Labels { scores })
}

struct Pass<'a> {
    graph: &'a Digraph,
    numbering: Numbering,
    play: Play,
    limits: &'a Limits<'a>,
}

impl Pass<'_> {
    /// Labels the vertices in the topological order, starting at index `from` of this order. If the
    /// score of a vertex does not fit in a cell, the pass ends before this vertex. Returns the
    /// number of vertices that are labelled, including those before `from`.
    fn run<T: NarrowScore>(&self, cells: &mut [T], from: usize) -> Result<usize, Stop> {
        let n = cells.len();
        let end = match self.play {
            Play::Normal => T::from(0),
            Play::Misere => T::from(0).complement(),
        };
        for step in from..n {
            if step % STRIDE == 0 {
                self.limits.poll()?;
            }
            let v = self.numbering.vertex(step, n);
            let options = self.graph.options(v as u32);
            // Without cycles there are no draws. So the option with the least score is the best
            // move.
            cells[v] = match options.iter().map(|&w| cells[w as usize]).min() {
                None => end,
                Some(best) => match best.predecessor() {
                    Some(score) => score,
                    None => return Ok(step),
                },
            };
        }
        Ok(n)
    }

    /// Converts the scores of the first `done` vertices of the order from one byte to a wider
    /// integer.
    fn convert<T: NarrowScore>(&self, bytes: &[u8], done: usize) -> Vec<T> {
        let mut cells = vec![T::from(0); bytes.len()];
        for step in 0..done {
            let v = self.numbering.vertex(step, bytes.len());
            let byte = bytes[v];
            cells[v] = if byte < u8::HALF {
                T::from(byte)
            } else {
                T::from(!byte).complement()
            };
        }
        cells
    }
}

/// Computes the Grundy values of a graph whose vertex numbers are a topological order, upwards or
/// downwards. The values are computed in this order.
pub(super) fn values(
    graph: &Digraph,
    numbering: Numbering,
    limits: &Limits<'_>,
) -> Result<Values, Stop> {
    let n = graph.vertices();
    let mut values = ValueBuilder::new(graph);
    for step in 0..n {
        if step % STRIDE == 0 {
            limits.poll()?;
        }
        values.compute(graph, numbering.vertex(step, n) as u32);
    }
    Ok(values.finish())
}

/// Computes the Grundy values of the vertices one by one in the topological order `order`.
pub(super) fn values_along(
    graph: &Digraph,
    order: &[u32],
    limits: &Limits<'_>,
) -> Result<Values, Stop> {
    let mut values = ValueBuilder::new(graph);
    for part in order.chunks(STRIDE) {
        limits.poll()?;
        part.iter().for_each(|&v| values.compute(graph, v));
    }
    Ok(values.finish())
}
