//! Backward induction on game trees, and exact counts of plays, strategies and plans.

use grundy_base::{Limits, Stop};
use num_bigint::BigUint;
use num_traits::One as _;

use crate::tree::Tree;

/// Returns the value of every node by backward induction, as an index into [`Tree::payoffs`]. The
/// time is linear in the number of nodes and branches.
///
/// ```
/// let game = r#"EFG 2 R "" { "A" "B" }
///     p "" 1 1 "" { "down" "up" } 0
///     t "" 1 "" { 2 -2 }
///     p "" 2 1 "" { "out" "in" } 0
///     t "" 2 "" { 1 -1 }
///     t "" 3 "" { 3 -3 }"#;
/// let tree = grundy_tree::efg::read(game).unwrap();
/// let values = grundy_tree::values(&tree).into_iter().map(|value| tree.payoff_text(value));
/// // The nodes are in postorder, so the root is the last.
/// assert_eq!(values.collect::<Vec<_>>(), ["2", "1", "3", "1", "2"]);
/// ```
#[must_use]
pub fn values(tree: &Tree) -> Vec<usize> {
    let mut values: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let successors = node.branches.iter().map(|branch| values[branch.to]);
        let best = if node.player == 0 {
            successors.max()
        } else {
            successors.min()
        };
        values.push(best.unwrap_or(node.payoff));
    }
    values
}

/// Counts over the unfolded tree, in which every path from the root is a separate node.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Number of nodes of the unfolded tree.
    pub nodes: BigUint,
    /// Number of complete plays, which are the paths from the root to a terminal node.
    pub plays: BigUint,
    /// Number of plays that the first player wins, that the second player wins, and that are tied.
    pub wins: [BigUint; 3],
    /// Number of moves of the longest play.
    pub longest: usize,
    /// The value of the root, as an index into [`Tree::payoffs`].
    pub value: usize,
    /// Number of strategies of each player. A strategy chooses a move at every node at which the
    /// player is to move.
    pub strategies: [Option<BigUint>; 2],
    /// Number of strategies of each player that win against every strategy of the opponent.
    pub winning: [Option<BigUint>; 2],
    /// Number of strategies of each player that guarantee the value of the game.
    pub optimal: [Option<BigUint>; 2],
    /// Number of plans of each player. A plan is a strategy without the choices at nodes that
    /// cannot be reached when the strategy is followed.
    pub plans: [Option<BigUint>; 2],
    /// Number of plans of each player that guarantee the value of the game.
    pub optimal_plans: [Option<BigUint>; 2],
}

/// Maximum length in bits of a count of strategies. A count that is estimated to be longer is not
/// computed.
const MAX_BITS: f64 = 2e6;

impl Counts {
    /// Computes all counts.
    ///
    /// # Complexity
    /// A few additions and multiplications for each node and branch. If the number of strategies of
    /// a player has more than 2 million bits, the strategies and plans of this player are not
    /// counted.
    ///
    /// # Errors
    /// The limit that was reached.
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
    /// let counts = grundy_tree::Counts::new(&tree, &Default::default()).unwrap();
    /// assert_eq!((counts.nodes, counts.plays), (5_u32.into(), 3_u32.into()));
    /// // B has two plans. Only `out` guarantees that A gets no more than 2.
    /// assert_eq!(counts.plans[1], Some(2_u32.into()));
    /// assert_eq!(counts.optimal_plans[1], Some(1_u32.into()));
    /// ```
    pub fn new(tree: &Tree, limits: &Limits<'_>) -> Result<Self, Stop> {
        let mut nodes: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
        let mut wins: Vec<[BigUint; 3]> = Vec::with_capacity(tree.nodes.len());
        let mut longest: Vec<usize> = Vec::with_capacity(tree.nodes.len());
        // The successors of a node come before it, so one pass suffices. A shared node is visited
        // once, and its counts are added for each of its parents.
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
            // The estimate in floating point is cheap and prevents huge products.
            if log2_strategies(tree, player) > MAX_BITS {
                continue;
            }
            let [all, winning] = count_strategies(tree, player, limits, |payoff| {
                tree.winner(payoff) == Some(player)
            })?;
            let keeps = |payoff| !Tree::better(player, value, payoff);
            let [_, optimal] = count_strategies(tree, player, limits, keeps)?;
            counts.strategies[player] = Some(all);
            counts.winning[player] = Some(winning);
            counts.optimal[player] = Some(optimal);
            counts.plans[player] = plans(tree, player, |_| true).pop();
            counts.optimal_plans[player] = plans(tree, player, keeps).pop();
        }
        Ok(counts)
    }
}

/// Returns the estimated base-2 logarithm of the number of strategies of a player.
fn log2_strategies(tree: &Tree, player: usize) -> f64 {
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

/// Returns the number of strategies of a player, and the number of good strategies. A strategy is
/// good if `good` is `true` for the payoff of every terminal node that can be reached with it.
fn count_strategies(
    tree: &Tree,
    player: usize,
    limits: &Limits<'_>,
    good: impl Fn(usize) -> bool,
) -> Result<[BigUint; 2], Stop> {
    let mut all: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
    let mut good_strategies: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        limits.poll()?;
        if node.branches.is_empty() {
            all.push(BigUint::one());
            good_strategies.push(BigUint::from(u8::from(good(node.payoff))));
            continue;
        }
        let mut product = BigUint::one();
        // At a node of the player: the number of strategies below the branches visited so far that
        // are good below the chosen branch. At a node of the opponent: the number of those that are
        // good below every branch.
        let mut chosen = BigUint::ZERO;
        let mut each = BigUint::one();
        for branch in &node.branches {
            // Either an earlier branch is chosen, with any strategy below this one, or this branch
            // is chosen. Below branches that are not chosen, every strategy counts, since a
            // strategy also decides at nodes that are not reached.
            if node.player == player {
                chosen = chosen * &all[branch.to] + &product * &good_strategies[branch.to];
            } else {
                each *= &good_strategies[branch.to];
            }
            product *= &all[branch.to];
        }
        if node.player == player {
            all.push(product * node.branches.len());
            good_strategies.push(chosen);
        } else {
            all.push(product);
            good_strategies.push(each);
        }
    }
    let root = tree.root();
    Ok([all.swap_remove(root), good_strategies.swap_remove(root)])
}

/// Returns, for each node, the number of good plans of a player in the game that starts at this
/// node. A plan is good if `good` is `true` for the payoff of every terminal node that can be
/// reached with it.
pub(crate) fn plans(tree: &Tree, player: usize, good: impl Fn(usize) -> bool) -> Vec<BigUint> {
    let mut plans: Vec<BigUint> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let successors = node.branches.iter().map(|branch| &plans[branch.to]);
        let count = if node.branches.is_empty() {
            BigUint::from(u8::from(good(node.payoff)))
        } else if node.player == player {
            successors.sum()
        } else {
            successors.product()
        };
        plans.push(count);
    }
    plans
}
