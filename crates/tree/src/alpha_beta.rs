//! The alpha-beta method, told step by step.
//!
//! Moves are looked at in their natural order, with a full window: the first player can already be
//! sure of alpha, the second can already hold it to beta; where the two meet the rest of the moves
//! cannot matter (D. E. Knuth, R. W. Moore, An analysis of alpha-beta pruning, Artificial
//! Intelligence 6 (1975), 293-326).

use grundy_base::{Limits, Stop};

use crate::tree::Tree;

/// A place where moves were not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The branches that lead to the node from the root.
    pub way: Vec<usize>,
    /// The node.
    pub node: usize,
    /// The branch after which the rest was left.
    pub after: usize,
    /// How many branches were left.
    pub left: usize,
    /// The payoff that the player to move is sure of here, as a place in [`Tree::payoffs`].
    pub reached: usize,
    /// The payoff that the other player can already have elsewhere, which is as good for it or
    /// better.
    pub bound: usize,
    /// How many moves from the root the node stands at which the other player has that bound.
    pub bound_at: usize,
}

/// What the method did.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The value of the root.
    pub value: usize,
    /// Nodes looked at.
    pub nodes: u64,
    /// How often moves were left.
    pub cut_offs: u64,
    /// The first cut-offs, as many as were asked for.
    pub listed: Vec<CutOff>,
}

struct Visit {
    node: usize,
    next: usize,
    /// What each player is sure of by now, and the depth of the node where it is.
    window: [Option<(usize, usize)>; 2],
    best: Option<usize>,
}

/// Plays the method through the tree, every way to a position being a node of its own.
///
/// # Errors
/// The limit that was reached: nodes looked at count as positions.
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
            let own = frame_here.window[player];
            if own.is_none_or(|(known, _)| Tree::better(player, value, known)) {
                frame_here.window[player] = Some((value, depth));
            }
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
