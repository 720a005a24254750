//! The alpha-beta method, with a record of its cut-offs.
//!
//! Moves are examined in their given order, and the search starts with a full window. The first
//! player can already guarantee alpha, and the second player can already limit the payoff to beta.
//! Once alpha reaches beta, the moves that are left cannot matter (D. E. Knuth, R. W. Moore, An
//! analysis of alpha-beta pruning, Artificial Intelligence 6 (1975), 293-326).

use grundy_base::{Limits, Stop};

use crate::tree::Tree;

/// A cut-off: a node at which the remaining moves were pruned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The branches on the path from the root to the node.
    pub way: Vec<usize>,
    /// The index of the node.
    pub node: usize,
    /// The index of the branch after which the others were pruned.
    pub after: usize,
    /// Number of pruned branches.
    pub left: usize,
    /// The payoff that the player to move can guarantee at this node, as an index into
    /// [`Tree::payoffs`].
    pub reached: usize,
    /// The payoff that the other player can already guarantee at an earlier node. For the other
    /// player it is at least as good as `reached`.
    pub bound: usize,
    /// The depth of the earlier node where the other player has this guarantee.
    pub bound_at: usize,
}

/// The result of the alpha-beta method, with a record of its work.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The value of the root, as an index into [`Tree::payoffs`].
    pub value: usize,
    /// Number of nodes visited.
    pub nodes: u64,
    /// Number of cut-offs.
    pub cut_offs: u64,
    /// The first cut-offs, as many as were requested.
    pub listed: Vec<CutOff>,
}

struct Visit {
    node: usize,
    next: usize,
    /// For each player, the payoff that the player can already guarantee, and the depth of the node
    /// where this is so. Index 0 is alpha, and index 1 is beta.
    window: [Option<(usize, usize)>; 2],
    best: Option<usize>,
}

/// Runs the alpha-beta method on the unfolded tree, in which every path from the root is a separate
/// node. Records the first `listed` cut-offs.
///
/// # Errors
/// The limit that was reached. Each visited node counts as a position.
pub fn replay(tree: &Tree, listed: usize, limits: &Limits<'_>) -> Result<Replay, Stop> {
    let mut replay = Replay {
        value: 0,
        nodes: 1,
        cut_offs: 0,
        listed: Vec::new(),
    };
    let frame = |node, window| Visit {
        node,
        next: 0,
        window,
        best: None,
    };
    // The stack is explicit, since a file may contain a tree with a million levels.
    let mut way = vec![frame(tree.root(), [None, None])];
    let mut result = None;
    while let Some(depth) = way.len().checked_sub(1) {
        let frame_here = &mut way[depth];
        let here = &tree.nodes[frame_here.node];
        let player = here.player;
        let mut cut = false;
        if let Some(value) = result.take() {
            if frame_here
                .best
                .is_none_or(|best| Tree::better(player, value, best))
            {
                frame_here.best = Some(value);
            }
            // Only a guarantee of the player who moves at this node may narrow the window. The
            // depth shows at which node the player has the guarantee.
            let own = frame_here.window[player];
            if own.is_none_or(|(known, _)| Tree::better(player, value, known)) {
                frame_here.window[player] = Some((value, depth));
            }
            // If the payoff is equal to the bound, there is also a cut-off: the other player has no
            // reason to reach this node. If no branches are left, nothing is pruned.
            if let (Some((reached, _)), Some((bound, bound_at))) =
                (frame_here.window[player], frame_here.window[1 - player])
                && !Tree::better(1 - player, reached, bound)
                && frame_here.next < here.branches.len()
            {
                cut = true;
                replay.cut_offs += 1;
                if replay.listed.len() < listed {
                    let branches = way.iter().take(depth).map(|frame| frame.next - 1);
                    let cut_off = CutOff {
                        way: branches.collect(),
                        node: way[depth].node,
                        after: way[depth].next - 1,
                        left: here.branches.len() - way[depth].next,
                        reached,
                        bound,
                        bound_at,
                    };
                    replay.listed.push(cut_off);
                }
            }
        }
        let frame_here = &mut way[depth];
        match here.branches.get(frame_here.next) {
            Some(branch) if !cut => {
                frame_here.next += 1;
                replay.nodes += 1;
                if replay.nodes.is_multiple_of(4096) {
                    limits.check(replay.nodes, 0)?;
                    limits.poll()?;
                }
                // The child starts with a copy of the window. So nothing has to be restored when
                // the search returns from the child.
                let window = frame_here.window;
                way.push(frame(branch.to, window));
            }
            _ => {
                result = Some(frame_here.best.unwrap_or(here.payoff));
                way.pop();
            }
        }
    }
    replay.value = result.unwrap_or(0);
    Ok(replay)
}
