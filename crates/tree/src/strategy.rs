//! Deterministic strategies: their tables, an enumeration of them, and the play of one against
//! another.

use num_bigint::BigUint;

use crate::count::{plans, values};
use crate::tree::Tree;

/// Largest number of decisions in the table of a strategy.
pub const MOST_DECISIONS: usize = 100_000;

/// A line in the table of a strategy: the branch to choose at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The branches on the path from the root to the node.
    pub way: Vec<usize>,
    /// The index of the node.
    pub node: usize,
    /// The chosen branch.
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
    /// The worst payoff for the player that can occur, as an index into [`Tree::payoffs`].
    pub guarantees: usize,
}

/// Builds the table of a strategy of `player` against all moves of the opponent. At a node,
/// `choose` returns the branch for `player`, and `pass` returns a state for each branch of the
/// opponent. Returns `None` if the table has more than [`MOST_DECISIONS`] decisions.
fn follow<S: Clone>(
    tree: &Tree,
    player: usize,
    start: S,
    mut choose: impl FnMut(usize, &S) -> (usize, S),
    mut pass: impl FnMut(usize, S) -> Vec<S>,
) -> Option<Plan> {
    let mut decisions = Vec::new();
    let mut worst: Option<usize> = None;
    let mut waiting = vec![(Vec::new(), tree.root(), start)];
    let mut seen = 0;
    while let Some((way, node, state)) = waiting.pop() {
        // Nodes of the opponent and terminal nodes are also counted, since they take time but add
        // no decisions.
        seen += 1;
        if seen > 4 * MOST_DECISIONS || decisions.len() > MOST_DECISIONS {
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
            let mut next = way.clone();
            next.push(branch);
            waiting.push((next, here.branches[branch].to, state));
            decisions.push(Decision { way, node, branch });
        } else {
            let states = pass(node, state);
            // The branches are pushed in reverse order, so that they are popped in the order of the
            // tree.
            for (branch, state) in states.into_iter().enumerate().rev() {
                let mut next = way.clone();
                next.push(branch);
                waiting.push((next, here.branches[branch].to, state));
            }
        }
    }
    Some(Plan {
        player,
        decisions,
        guarantees: worst?,
    })
}

/// Returns the first optimal strategy of a player. At each node it chooses the first move that
/// preserves the value.
#[must_use]
pub fn optimal(tree: &Tree, player: usize) -> Option<Plan> {
    let values = values(tree);
    let keeps = |node: usize| {
        let branches = &tree.nodes[node].branches;
        let found = branches
            .iter()
            .position(|branch| values[branch.to] == values[node]);
        found.unwrap_or(0)
    };
    follow(
        tree,
        player,
        (),
        |node, ()| (keeps(node), ()),
        |node, ()| vec![(); tree.nodes[node].branches.len()],
    )
}

/// An enumeration of the plans of a player, counted from 0. The order of the plans follows the
/// order of the moves in the tree.
#[derive(Debug)]
pub struct Numbered<'a> {
    tree: &'a Tree,
    player: usize,
    plans: Vec<BigUint>,
}

impl<'a> Numbered<'a> {
    /// Enumerates all plans of `player`. The caller must ensure that their number is not too large
    /// to be computed.
    #[must_use]
    pub fn new(tree: &'a Tree, player: usize) -> Self {
        Self {
            tree,
            player,
            plans: plans(tree, player, |_| true),
        }
    }

    /// Enumerates the plans of `player` that guarantee the value of the game.
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
    #[must_use]
    pub fn count(&self) -> &BigUint {
        &self.plans[self.tree.root()]
    }

    /// Returns plan `number`. Returns `None` if there is no such plan, or if its table is too long.
    #[must_use]
    pub fn get(&self, number: &BigUint) -> Option<Plan> {
        if number >= self.count() {
            return None;
        }
        follow(
            self.tree,
            self.player,
            number.clone(),
            |node, number| {
                // At a node of the player, the plans of the first branch come first, then those of
                // the second, and so on. So the number of plans of each branch is subtracted in
                // turn.
                let mut rest = number.clone();
                for (index, branch) in self.tree.nodes[node].branches.iter().enumerate() {
                    let plans = &self.plans[branch.to];
                    if rest < *plans {
                        return (index, rest);
                    }
                    rest -= plans;
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

/// Plays a strategy of the first player against one of the second. Returns the branches taken, and
/// the payoff as an index. Returns `None` if a strategy has no decision for a node that is reached.
#[must_use]
pub fn against(tree: &Tree, plans: [&Plan; 2]) -> Option<(Vec<usize>, usize)> {
    let mut node = tree.root();
    let mut way = Vec::new();
    while !tree.nodes[node].branches.is_empty() {
        let plan = plans[tree.nodes[node].player];
        let decision = plan.decisions.iter().find(|decision| decision.way == way)?;
        node = tree.nodes[node].branches.get(decision.branch)?.to;
        way.push(decision.branch);
    }
    Some((way, tree.nodes[node].payoff))
}
