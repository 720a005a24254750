//! Deterministic strategies: their tables of decisions, an enumeration of all strategies of a
//! player, and the play of two strategies against each other.

use num_bigint::BigUint;

use crate::count::{plans, values};
use crate::tree::Tree;

/// Largest number of decisions in the table of a strategy. A decision is the choice of a move at a
/// node.
pub const MAX_DECISIONS: usize = 100_000;

/// A line in the table of a strategy: the branch to choose at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The indices of the branches on the path from the root to the node.
    pub path: Vec<usize>,
    /// The index of the node.
    pub node: usize,
    /// The index of the chosen branch.
    pub branch: usize,
}

/// A deterministic strategy of a player, without decisions at nodes that cannot be reached when it
/// is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The player.
    pub player: usize,
    /// The decisions, in the order of a preorder walk.
    pub decisions: Vec<Decision>,
    /// The worst payoff that the player can get with this strategy, as an index into
    /// [`Tree::payoffs`].
    pub guaranteed_payoff: usize,
}

/// Builds the table of decisions of a strategy of `player`. The function visits all nodes that can
/// be reached when the strategy is followed. Each visited node has a state, which is `start` at the
/// root and is computed along the path.
///
/// At a node of `player`, `choose` returns the branch and the state after it. At a node of the
/// opponent, `branch_states` returns the state after each branch. The function returns `None` if
/// the table has more than [`MAX_DECISIONS`] decisions. It also returns `None` if it would visit
/// more than four times [`MAX_DECISIONS`] nodes.
fn build_table<S: Clone>(
    tree: &Tree,
    player: usize,
    start: S,
    mut choose: impl FnMut(usize, &S) -> (usize, S),
    mut branch_states: impl FnMut(usize, S) -> Vec<S>,
) -> Option<Plan> {
    let mut decisions = Vec::new();
    let mut worst: Option<usize> = None;
    let mut stack = vec![(Vec::new(), tree.root(), start)];
    let mut seen = 0;
    while let Some((path, node, state)) = stack.pop() {
        // Nodes of the opponent and terminal nodes are also counted, since they take time but add
        // no decisions.
        seen += 1;
        if seen > 4 * MAX_DECISIONS || decisions.len() > MAX_DECISIONS {
            return None;
        }
        let here = &tree.nodes[node];
        if here.branches.is_empty() {
            worst = Some(match worst {
                Some(worst) if Tree::better(player, here.payoff, worst) => worst,
                _ => here.payoff,
            });
        } else if here.player == player {
            let (branch, state) = choose(node, &state);
            let mut next = path.clone();
            next.push(branch);
            stack.push((next, here.branches[branch].to, state));
            decisions.push(Decision { path, node, branch });
        } else {
            let states = branch_states(node, state);
            // The branches are pushed in reverse order, so that they are popped in the order of the
            // tree.
            for (branch, state) in states.into_iter().enumerate().rev() {
                let mut next = path.clone();
                next.push(branch);
                stack.push((next, here.branches[branch].to, state));
            }
        }
    }
    Some(Plan {
        player,
        decisions,
        guaranteed_payoff: worst?,
    })
}

/// Returns an optimal strategy of a player: at each node, it chooses the first move that preserves
/// the value. Returns `None` if the strategy has more than [`MAX_DECISIONS`] decisions, or too many
/// nodes can be reached.
///
/// ```
/// let game = r#"EFG 2 R "" { "A" "B" }
///     p "" 1 1 "" { "down" "up" } 0
///     t "" 1 "" { 2 -2 }
///     p "" 2 1 "" { "out" "in" } 0
///     t "" 2 "" { 1 -1 }
///     t "" 3 "" { 3 -3 }"#;
/// let tree = grundy_tree::efg::read(game).unwrap();
/// let plan = grundy_tree::strategy::optimal(&tree, 1).unwrap();
/// // After `up`, B chooses `out`.
/// assert_eq!((&plan.decisions[0].path[..], plan.decisions[0].branch), (&[1][..], 0));
/// assert_eq!(tree.payoff_text(plan.guaranteed_payoff), "2");
/// ```
#[must_use]
pub fn optimal(tree: &Tree, player: usize) -> Option<Plan> {
    let values = values(tree);
    let preserving_branch = |node: usize| {
        let branches = &tree.nodes[node].branches;
        let found = branches
            .iter()
            .position(|branch| values[branch.to] == values[node]);
        found.unwrap_or(0)
    };
    build_table(
        tree,
        player,
        (),
        |node, ()| (preserving_branch(node), ()),
        |node, ()| vec![(); tree.nodes[node].branches.len()],
    )
}

/// An enumeration of the plans of a player, by an index from 0. A plan is a strategy without
/// decisions at unreachable nodes. The order of the plans follows the order of the moves in the
/// tree.
#[derive(Debug)]
pub struct PlanEnumeration<'a> {
    tree: &'a Tree,
    player: usize,
    plans: Vec<BigUint>,
}

impl<'a> PlanEnumeration<'a> {
    /// Enumerates all plans of `player`, that is, all strategies without decisions at unreachable
    /// nodes. The caller must ensure that their number is not too large to be computed.
    ///
    /// ```
    /// use grundy_tree::{efg, strategy::PlanEnumeration};
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "" 1 1 "" { "up" "middle" "down" } 0
    ///     t "" 1 "" { 1 -1 }
    ///     t "" 2 "" { 0 0 }
    ///     t "" 1"#;
    /// let tree = efg::read(game).unwrap();
    /// assert_eq!(*PlanEnumeration::new(&tree, 0).count(), 3_u32.into());
    /// ```
    #[must_use]
    pub fn new(tree: &'a Tree, player: usize) -> Self {
        Self {
            tree,
            player,
            plans: plans(tree, player, |_| true),
        }
    }

    /// Enumerates the plans of `player` that guarantee the value of the game. A plan is a strategy
    /// without decisions at unreachable nodes.
    ///
    /// ```
    /// use grundy_tree::{efg, strategy::PlanEnumeration};
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "" 1 1 "" { "up" "middle" "down" } 0
    ///     t "" 1 "" { 1 -1 }
    ///     t "" 2 "" { 0 0 }
    ///     t "" 1"#;
    /// let tree = efg::read(game).unwrap();
    /// // `up` and `down`
    /// assert_eq!(*PlanEnumeration::optimal(&tree, 0).count(), 2_u32.into());
    /// ```
    #[must_use]
    pub fn optimal(tree: &'a Tree, player: usize) -> Self {
        let value = values(tree)[tree.root()];
        let plans = plans(tree, player, |payoff| !Tree::better(player, value, payoff));
        Self {
            tree,
            player,
            plans,
        }
    }

    /// Returns the number of plans in the enumeration.
    ///
    /// ```
    /// use grundy_tree::{efg, strategy::PlanEnumeration};
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "" 1 1 "" { "down" "up" } 0
    ///     t "" 1 "" { 2 -2 }
    ///     p "" 1 2 "" { "out" "in" } 0
    ///     t "" 2 "" { 1 -1 }
    ///     t "" 3 "" { 3 -3 }"#;
    /// let tree = efg::read(game).unwrap();
    /// // There are 4 strategies, but those with `down` are one plan.
    /// assert_eq!(*PlanEnumeration::new(&tree, 0).count(), 3_u32.into());
    /// ```
    #[must_use]
    pub fn count(&self) -> &BigUint {
        &self.plans[self.tree.root()]
    }

    /// Returns the plan with the index `number`. Returns `None` if there is no such plan, or if the
    /// plan has too many decisions or reachable nodes.
    ///
    /// ```
    /// use grundy_tree::{efg, strategy::PlanEnumeration};
    /// let game = r#"EFG 2 R "" { "A" "B" }
    ///     p "" 1 1 "" { "up" "down" } 0
    ///     t "" 1 "" { 1 -1 }
    ///     t "" 2 "" { 0 0 }"#;
    /// let tree = efg::read(game).unwrap();
    /// let plans = PlanEnumeration::new(&tree, 0);
    /// let down = plans.get(&1_u32.into()).unwrap();
    /// assert_eq!(down.decisions[0].branch, 1);
    /// assert_eq!(tree.payoff_text(down.guaranteed_payoff), "tie");
    /// assert_eq!(plans.get(&2_u32.into()), None);
    /// ```
    #[must_use]
    pub fn get(&self, number: &BigUint) -> Option<Plan> {
        if number >= self.count() {
            return None;
        }
        build_table(
            self.tree,
            self.player,
            number.clone(),
            |node, number| {
                // At a node of the player, the plans of the first branch come first, then those of
                // the second, and so on. So the number of plans of each branch is subtracted in
                // turn.
                let mut remaining = number.clone();
                for (index, branch) in self.tree.nodes[node].branches.iter().enumerate() {
                    let plans = &self.plans[branch.to];
                    if remaining < *plans {
                        return (index, remaining);
                    }
                    remaining -= plans;
                }
                unreachable!("the number is below the number of plans")
            },
            |node, mut number| {
                // At a node of the opponent, a plan consists of a plan for each branch. The number
                // is written in mixed radix, where the digit of the last branch changes fastest.
                let branches = &self.tree.nodes[node].branches;
                let mut digits: Vec<BigUint> = branches
                    .iter()
                    .rev()
                    .map(|branch| {
                        let plans = &self.plans[branch.to];
                        let digit = &number % plans;
                        number /= plans;
                        digit
                    })
                    .collect();
                digits.reverse();
                digits
            },
        )
    }
}

/// Plays a strategy of the first player against a strategy of the second player. Returns the
/// indices of the branches taken, and the payoff as an index into [`Tree::payoffs`]. Returns `None`
/// if a strategy has no decision for a node that is reached.
///
/// ```
/// use grundy_tree::{efg, strategy::{PlanEnumeration, optimal, play_out}};
/// let game = r#"EFG 2 R "" { "A" "B" }
///     p "" 1 1 "" { "down" "up" } 0
///     t "" 1 "" { 2 -2 }
///     p "" 2 1 "" { "out" "in" } 0
///     t "" 2 "" { 1 -1 }
///     t "" 3 "" { 3 -3 }"#;
/// let tree = efg::read(game).unwrap();
/// let up = PlanEnumeration::new(&tree, 0).get(&1_u32.into()).unwrap();
/// let (path, payoff) = play_out(&tree, [&up, &optimal(&tree, 1).unwrap()]).unwrap();
/// // A plays `up`, B plays `out`, and A gets 1.
/// assert_eq!((path, tree.payoff_text(payoff)), (vec![1, 0], "1".to_owned()));
/// ```
#[must_use]
pub fn play_out(tree: &Tree, plans: [&Plan; 2]) -> Option<(Vec<usize>, usize)> {
    let mut node = tree.root();
    let mut path = Vec::new();
    while !tree.nodes[node].branches.is_empty() {
        let plan = plans[tree.nodes[node].player];
        let decision = plan
            .decisions
            .iter()
            .find(|decision| decision.path == path)?;
        node = tree.nodes[node].branches.get(decision.branch)?.to;
        path.push(decision.branch);
    }
    Some((path, tree.nodes[node].payoff))
}
