//! Blocks of a Hackenbush picture: maximal connected subpictures without a cut vertex. Edges with
//! the same ends and the same colour are counted instead of listed.

use grundy_base::Player;

use crate::form::Form;

/// An edge of a Hackenbush picture: its two vertices and its owner. `None` is a green edge, which
/// either player may cut. Vertex 0 is the ground.
pub type Edge = ([u32; 2], Option<Player>);

/// All edges of one colour between the same two vertices. They are equivalent: cutting any one of
/// them has the same effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bundle {
    /// The two vertices, the lesser one first. In a loop, they are equal.
    pub(crate) ends: [u32; 2],
    pub(crate) owner: Option<Player>,
    /// The number of edges in the bundle, at least 1.
    pub(crate) count: u32,
}

impl Bundle {
    /// Groups edges into bundles. A bundle consists of all edges of one colour between the same two
    /// vertices.
    pub(crate) fn gather(edges: &[Edge]) -> Vec<Self> {
        let mut bundles: Vec<Self> = edges
            .iter()
            .map(|&([a, b], owner)| Self {
                ends: [a.min(b), a.max(b)],
                owner,
                count: 1,
            })
            .collect();
        bundles.sort_unstable();
        // The bundles are sorted, so equal bundles are adjacent. Each is merged into the first one.
        bundles.dedup_by(|next, kept| {
            let equal = (next.ends, next.owner) == (kept.ends, kept.owner);
            kept.count += u32::from(equal);
            equal
        });
        bundles
    }
}

/// A block, that is, a maximal connected subpicture without a cut vertex, with the values of the
/// subpictures on its vertices other than the ground. Vertex 0 is the ground of the block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    /// The bundles, sorted. No two have the same vertices and the same colour.
    pub(crate) bundles: Box<[Bundle]>,
    /// The value of the subpicture on each vertex, from vertex 1 upward.
    pub(crate) tops: Box<[Form]>,
}

impl Block {
    /// Returns the approximate size of the block and its value, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        64 + (size_of_val(&*self.bundles) + size_of_val(&*self.tops)) as u64
    }
}
