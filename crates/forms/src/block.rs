//! Blocks of a picture: edges that no vertex parts, equal ones counted.

use grundy_base::Player;

use crate::form::Form;

/// An edge and its colour. `None` is green: either player may cut it. Vertex 0 is the ground.
pub type Edge = ([u32; 2], Option<Player>);

/// Edges of one colour that join the same two vertices: to cut one is as good as to cut another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bundle {
    /// The two vertices, the lesser first; the same one twice for loops.
    pub(crate) ends: [u32; 2],
    pub(crate) owner: Option<Player>,
    /// The number of edges, at least 1.
    pub(crate) count: u32,
}

impl Bundle {
    /// Gathers equal edges.
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
        bundles.dedup_by(|next, kept| {
            let equal = (next.ends, next.owner) == (kept.ends, kept.owner);
            kept.count += u32::from(equal);
            equal
        });
        bundles
    }
}

/// Edges that no vertex parts, one of whose vertices, 0, stands for the ground, with the values of
/// what stands on the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    /// In order, no two with the same ends and colour.
    pub(crate) bundles: Box<[Bundle]>,
    /// What stands on the vertices from 1 on.
    pub(crate) tops: Box<[Form]>,
}

impl Block {
    /// About how many bytes it takes, with its value.
    pub(crate) fn bytes(&self) -> u64 {
        64 + (size_of_val(&*self.bundles) + size_of_val(&*self.tops)) as u64
    }
}
