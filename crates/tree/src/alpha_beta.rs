//! The alpha-beta method, with a record of its cut-offs.
//!
//! Moves are examined in their given order. The window of a node consists of two payoffs, alpha and
//! beta. The first player can already guarantee alpha, and the second player can already limit the
//! payoff to beta. At the root there is no guarantee yet. Once alpha reaches beta, the remaining
//! moves at the node cannot change the value of the root (D. E. Knuth, R. W. Moore, An analysis of
//! alpha-beta pruning, Artificial Intelligence 6 (1975), 293-326).

use grundy_base::{Limits, Stop};

use crate::tree::Tree;

/// A cut-off: a node at which the remaining moves were pruned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The indices of the branches on the path from the root to the node.
    pub path: Vec<usize>,
    /// The index of the node.
    pub node: usize,
    /// The index of the last branch that was examined. All later branches of the node were pruned.
    pub after: usize,
    /// Number of pruned branches.
    pub pruned: usize,
    /// The payoff that the player to move can guarantee at this node, as an index into
    /// [`Tree::payoffs`].
    pub reached: usize,
    /// The payoff that the other player can already guarantee at an earlier node, as an index into
    /// [`Tree::payoffs`]. This payoff is at least as good for the other player as `reached`.
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

struct Frame {
    node: usize,
    next: usize,
    /// For each player, the payoff that the player can already guarantee, and the depth of the node
    /// where the player has this guarantee. Index 0 is alpha, and index 1 is beta.
    window: [Option<(usize, usize)>; 2],
    best: Option<usize>,
}

/// Runs the alpha-beta method on the unfolded tree, in which every path from the root is a separate
/// node. Records the first `max_listed` cut-offs.
///
/// # Errors
/// The limit that was reached. Each visited node counts as a position.
///
/// # Examples
/// ```
/// let game = r#"EFG 2 R "" { "A" "B" }
///     p "" 1 1 "" { "down" "up" } 0
///     t "" 1 "" { 2 -2 }
///     p "" 2 1 "" { "out" "in" } 0
///     t "" 2 "" { 1 -1 }
///     t "" 3 "" { 3 -3 }"#;
/// let tree = grundy_tree::efg::read(game).unwrap();
/// let replay = grundy_tree::alpha_beta::replay(&tree, 1, &Default::default()).unwrap();
/// assert_eq!(tree.payoff_text(replay.value), "2");
/// // After `up` and `out`, the move `in` is pruned.
/// assert_eq!((replay.nodes, replay.cut_offs, replay.listed[0].pruned), (4, 1, 1));
/// ```
pub fn replay(tree: &Tree, max_listed: usize, limits: &Limits<'_>) -> Result<Replay, Stop> {
    let mut replay = Replay {
        value: 0,
        nodes: 1,
        cut_offs: 0,
        listed: Vec::new(),
    };
    let frame = |node, window| Frame {
        node,
        next: 0,
        window,
        best: None,
    };
    // The stack is explicit, since a file may contain a tree with a million levels.
    let mut stack = vec![frame(tree.root(), [None, None])];
    let mut result = None;
    while let Some(depth) = stack.len().checked_sub(1) {
        let top = &mut stack[depth];
        let here = &tree.nodes[top.node];
        let player = here.player;
        let mut cut = false;
        if let Some(value) = result.take() {
            if top
                .best
                .is_none_or(|best| Tree::better(player, value, best))
            {
                top.best = Some(value);
            }
            // Only a guarantee of the player who moves at this node may narrow the window. The
            // depth shows at which node the player has the guarantee.
            let own = top.window[player];
            if own.is_none_or(|(guaranteed, _)| Tree::better(player, value, guaranteed)) {
                top.window[player] = Some((value, depth));
            }
            // If the payoff is equal to the bound, there is also a cut-off: the other player has no
            // reason to reach this node. If no branches are left, nothing is pruned.
            if let (Some((reached, _)), Some((bound, bound_at))) =
                (top.window[player], top.window[1 - player])
                && !Tree::better(1 - player, reached, bound)
                && top.next < here.branches.len()
            {
                cut = true;
                replay.cut_offs += 1;
                if replay.listed.len() < max_listed {
                    let branches = stack.iter().take(depth).map(|frame| frame.next - 1);
                    let cut_off = CutOff {
                        path: branches.collect(),
                        node: stack[depth].node,
                        after: stack[depth].next - 1,
                        pruned: here.branches.len() - stack[depth].next,
                        reached,
                        bound,
                        bound_at,
                    };
                    replay.listed.push(cut_off);
                }
            }
        }
        let top = &mut stack[depth];
        match here.branches.get(top.next) {
            Some(branch) if !cut => {
                top.next += 1;
                replay.nodes += 1;
                if replay.nodes.is_multiple_of(4096) {
                    limits.check(replay.nodes, 0)?;
                    limits.poll()?;
                }
                // The child starts with a copy of the window. So nothing has to be restored when
                // the search returns from the child.
                let window = top.window;
                stack.push(frame(branch.to, window));
            }
            _ => {
                result = Some(top.best.unwrap_or(here.payoff));
                stack.pop();
            }
        }
    }
    replay.value = result.unwrap_or(0);
    Ok(replay)
}
