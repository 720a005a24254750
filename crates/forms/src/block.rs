//! Blocks of a picture: edges that no vertex parts.

use grundy_base::Player;

use crate::form::Form;

/// An edge and its colour. `None` is green: either player may cut it. Vertex 0 is the ground.
pub type Edge = ([u32; 2], Option<Player>);

/// Edges that no vertex parts, one of whose vertices, 0, stands for the ground, with the values of what stands on the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    pub(crate) edges: Box<[Edge]>,
    /// What stands on the vertices from 1 on.
    pub(crate) tops: Box<[Form]>,
}

impl Block {
    /// About how many bytes it takes, with its value.
    pub(crate) fn bytes(&self) -> u64 {
        64 + (size_of_val(&*self.edges) + size_of_val(&*self.tops)) as u64
    }
}
