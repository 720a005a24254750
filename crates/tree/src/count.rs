//! Values by backward induction, and exact counts.

use grundy_base::{Limits, Stop};
use num_bigint::BigUint;
use num_traits::One as _;

use crate::tree::Tree;

/// Returns the value of every node: the place in [`Tree::payoffs`] of what both players can hold
/// each other to. Backward induction, O of nodes and branches.
#[must_use]
pub fn values(tree: &Tree) -> Vec<usize> {
    let mut values: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let following = node.branches.iter().map(|branch| values[branch.to]);
        let best = if node.player == 0 {
            following.max()
        } else {
            following.min()
        };
        values.push(best.unwrap_or(node.payoff));
    }
    values
}

/// Counts over the whole tree, every way to a position counted.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Nodes.
    pub nodes: BigUint,
    /// Complete plays, also called instances: ways from the root to an end.
    pub plays: BigUint,
    /// Of these, the ones won by the first player, by the second, and tied.
    pub wins: [BigUint; 3],
    /// Moves of the longest play.
    pub longest: usize,
    /// The value of the root.
    pub value: usize,
    /// Strategies of each player: functions that choose a move at each of its decision nodes.
    pub strategies: [Option<BigUint>; 2],
    /// Of these, the ones that win against everything.
    pub winning: [Option<BigUint>; 2],
    /// Of these, the ones that guarantee the value of the game.
    pub optimal: [Option<BigUint>; 2],
    /// Strategies of each player that differ in play: what is chosen at nodes that the strategy
    /// itself avoids does not count.
    pub plans: [Option<BigUint>; 2],
    /// Of these, the ones that guarantee the value of the game.
    pub optimal_plans: [Option<BigUint>; 2],
}

/// Longest number of strategies, in bits: a longer one is left out.
const BITS: f64 = 2e6;

impl Counts {
    /// Counts everything.
    ///
    /// # Complexity
    /// A few additions and products for each node and branch. Numbers of strategies that would have
    /// more than 2 million bits are left out.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn new(tree: &Tree, limits: &Limits<'_>) -> Result<Self, Stop> {
        let mut nodes: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
        let mut wins: Vec<[BigUint; 3]> = Vec::with_capacity(tree.nodes.len());
        let mut longest: Vec<usize> = Vec::with_capacity(tree.nodes.len());
        for node in &tree.nodes {
            limits.poll()?;
            let mut count = BigUint::one();
            let mut won = <[BigUint; 3]>::default();
            let mut long = 0;
            for branch in &node.branches {
                count += &nodes[branch.to];
                for (sum, part) in won.iter_mut().zip(&wins[branch.to]) {
                    *sum += part;
                }
                long = long.max(longest[branch.to] + 1);
            }
            if node.branches.is_empty() {
                won[tree.winner(node.payoff).unwrap_or(2)] = BigUint::one();
            }
            nodes.push(count);
            wins.push(won);
            longest.push(long);
        }
        let root = tree.root();
        let value = values(tree)[root];
        let wins = wins.swap_remove(root);
        let mut counts = Self {
            nodes: nodes.swap_remove(root),
            plays: wins.iter().sum(),
            wins,
            longest: longest[root],
            value,
            strategies: [None, None],
            winning: [None, None],
            optimal: [None, None],
            plans: [None, None],
            optimal_plans: [None, None],
        };
        for player in [0, 1] {
            if bits(tree, player) > BITS {
                continue;
            }
            let [all, winning] = guaranteeing(tree, player, limits, |payoff| {
                tree.winner(payoff) == Some(player)
            })?;
            let keeps = |payoff| !Tree::better(player, value, payoff);
            let [_, optimal] = guaranteeing(tree, player, limits, keeps)?;
            counts.strategies[player] = Some(all);
            counts.winning[player] = Some(winning);
            counts.optimal[player] = Some(optimal);
            counts.plans[player] = plans(tree, player, |_| true).pop();
            counts.optimal_plans[player] = plans(tree, player, keeps).pop();
        }
        Ok(counts)
    }
}

/// Returns the logarithm of the number of strategies, to base 2.
fn bits(tree: &Tree, player: usize) -> f64 {
    let mut bits: Vec<f64> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let below: f64 = node.branches.iter().map(|branch| bits[branch.to]).sum();
        let here = if node.player == player && !node.branches.is_empty() {
            (node.branches.len() as f64).log2()
        } else {
            0.0
        };
        bits.push(below + here);
    }
    bits[tree.root()]
}

/// Returns the number of all strategies of a player, and of those that only lead to ends that are
/// `good`.
fn guaranteeing(
    tree: &Tree,
    player: usize,
    limits: &Limits<'_>,
    good: impl Fn(usize) -> bool,
) -> Result<[BigUint; 2], Stop> {
    let mut all: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
    let mut fine: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        limits.poll()?;
        if node.branches.is_empty() {
            all.push(BigUint::one());
            fine.push(BigUint::from(u8::from(good(node.payoff))));
            continue;
        }
        let mut product = BigUint::one();
        // Of the strategies below the branches so far: those that are fine below the one chosen, or
        // below each of them.
        let mut chosen = BigUint::ZERO;
        let mut each = BigUint::one();
        for branch in &node.branches {
            if node.player == player {
                chosen = chosen * &all[branch.to] + &product * &fine[branch.to];
            } else {
                each *= &fine[branch.to];
            }
            product *= &all[branch.to];
        }
        if node.player == player {
            all.push(product * node.branches.len());
            fine.push(chosen);
        } else {
            all.push(product);
            fine.push(each);
        }
    }
    let root = tree.root();
    Ok([all.swap_remove(root), fine.swap_remove(root)])
}

/// Returns the number of plans of a player from each node on: strategies that differ in play and
/// only lead to ends that are `good`.
pub(crate) fn plans(tree: &Tree, player: usize, good: impl Fn(usize) -> bool) -> Vec<BigUint> {
    let mut plans: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let following = node.branches.iter().map(|branch| &plans[branch.to]);
        let count = if node.branches.is_empty() {
            BigUint::from(u8::from(good(node.payoff)))
        } else if node.player == player {
            following.sum()
        } else {
            following.product()
        };
        plans.push(count);
    }
    plans
}
