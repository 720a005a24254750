//! Deterministic strategies: as tables, by number, and two of them against each other.

use num_bigint::BigUint;

use crate::count::{plans, values};
use crate::tree::Tree;

/// Most decisions of one table.
pub const MOST_DECISIONS: usize = 100_000;

/// One line of a table: at a node, reached by these moves, take this branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The branches that lead to the node from the root.
    pub way: Vec<usize>,
    /// The node.
    pub node: usize,
    /// The branch chosen.
    pub branch: usize,
}

/// A deterministic strategy of a player: what it does at every node that it lets happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The player.
    pub player: usize,
    /// The decisions, in the order of the tree.
    pub decisions: Vec<Decision>,
    /// The worst payoff it can end in, as a place in [`Tree::payoffs`].
    pub guarantees: usize,
}

/// Follows a strategy of `player` wherever the opponent goes. `None` when the table would be longer
/// than [`MOST_DECISIONS`].
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

/// Returns the first optimal strategy of a player: at each node the first move that keeps the
/// value.
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

/// Strategies of a player by number, from 0, in the order of the tree: those with the first move at
/// the root come first.
#[derive(Debug)]
pub struct Numbered<'a> {
    tree: &'a Tree,
    player: usize,
    plans: Vec<BigUint>,
}

impl<'a> Numbered<'a> {
    /// Counts the strategies of `player` that differ in play. The tree must be so small that their
    /// number can be written.
    #[must_use]
    pub fn new(tree: &'a Tree, player: usize) -> Self {
        Self {
            tree,
            player,
            plans: plans(tree, player, |_| true),
        }
    }

    /// Returns the same for those alone that guarantee the value of the game.
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

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> &BigUint {
        &self.plans[self.tree.root()]
    }

    /// Returns the strategy of this number; `None` when there is none or its table would be too
    /// long.
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
                // The last branch changes fastest.
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

/// Returns the play of two strategies against each other: the branches taken, and the payoff.
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
