//! The JSON of a game tree, in the stable format that is called the contract.

use grundy_core::Play;
use grundy_tree::alpha_beta::{CutOff, Replay};
use grundy_tree::strategy::{Decision, Plan};
use grundy_tree::{BigRational, BigUint, Tree};
use grundy_wording::answer::{DisplayText, OrderedMap};
use grundy_wording::{Language, words};
use serde::{Serialize, Serializer};

use super::{TreeReport, steps};

/// The answer as one object. Its keys are in the order of the stable JSON format, which is called
/// the contract.
#[derive(Serialize)]
pub(super) struct TreeView<'a> {
    game: &'a str,
    play: DisplayText<Play>,
    players: &'a [String; 2],
    value: String,
    /// The payoffs of both players with best play, and their sum. Only for a file, which states the
    /// payoffs.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<[DisplayText<BigRational>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<DisplayText<&'a BigRational>>,
    instances: Count<'a>,
    nodes: Count<'a>,
    positions: usize,
    positions_up_to_symmetry: usize,
    wins: OrderedMap<'a, Count<'a>>,
    longest: usize,
    strategies: OrderedMap<'a, Option<Count<'a>>>,
    winning_strategies: OrderedMap<'a, Option<Count<'a>>>,
    optimal_strategies: OrderedMap<'a, Option<Count<'a>>>,
    strategies_different_in_play: OrderedMap<'a, Option<Count<'a>>>,
    optimal_strategies_different_in_play: OrderedMap<'a, Option<Count<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<OrderedMap<'a, PlanView<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<OrderedMap<'a, Vec<PlanView<'a>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versus: Option<VersusView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_beta: Option<ReplayView<'a>>,
}

impl<'a> TreeView<'a> {
    pub(super) fn of(report: &'a TreeReport, language: Language) -> Self {
        let (tree, counts) = (&report.tree, &report.counts);
        let number = |of: &'a [Option<BigUint>; 2]| named(tree, of, |n| n.as_ref().map(Count));
        let [first, second] = &tree.players;
        let names = [first, second, "tie"];
        let stated = report.stated_payoffs;
        Self {
            game: &report.game,
            play: DisplayText(report.play),
            players: &tree.players,
            value: tree.payoff_text(counts.value),
            values: stated.then(|| tree.payoffs_of_both(counts.value).map(DisplayText)),
            constant: stated.then_some(DisplayText(&tree.constant)),
            instances: Count(&counts.plays),
            nodes: Count(&counts.nodes),
            positions: tree.positions(),
            positions_up_to_symmetry: tree.classes(),
            // The third count is the number of ties, which belong to neither player.
            wins: OrderedMap(
                names
                    .into_iter()
                    .zip(counts.wins.iter().map(Count))
                    .collect(),
            ),
            longest: counts.longest,
            strategies: number(&counts.strategies),
            winning_strategies: number(&counts.winning),
            optimal_strategies: number(&counts.optimal),
            strategies_different_in_play: number(&counts.plans),
            optimal_strategies_different_in_play: number(&counts.optimal_plans),
            table: report
                .tables
                .as_ref()
                .map(|tables| named(tree, tables, |plan| PlanView::of(tree, plan, language))),
            listed: report.listed.as_ref().map(|listed| {
                named(tree, listed, |plans| {
                    plans
                        .iter()
                        .map(|plan| PlanView::of(tree, plan, language))
                        .collect()
                })
            }),
            versus: report.versus.as_ref().map(|versus| VersusView {
                strategies: &versus.names,
                moves: moves(tree, &versus.path, language),
                result: tree.payoff_text(versus.payoff),
            }),
            alpha_beta: report
                .alpha_beta
                .as_ref()
                .map(|replay| ReplayView::of(tree, replay, language)),
        }
    }
}

fn named<'a, T, U>(tree: &'a Tree, of: &'a [T; 2], view: impl Fn(&'a T) -> U) -> OrderedMap<'a, U> {
    let names = tree.players.iter().map(String::as_str);
    OrderedMap(names.zip(of.iter().map(view)).collect())
}

/// A number that is serialized as a string if it exceeds 64 bits.
struct Count<'a>(&'a BigUint);

impl Serialize for Count<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(count) => to.serialize_u64(count),
            Err(_) => to.collect_str(self.0),
        }
    }
}

/// Returns the names of the moves along a path from the root.
fn moves(tree: &Tree, path: &[usize], language: Language) -> Vec<String> {
    let steps = steps(tree, path).into_iter();
    steps.map(|(_, action)| words(action, language)).collect()
}

#[derive(Serialize)]
struct PlanView<'a> {
    guarantees: String,
    decisions: Vec<DecisionView<'a>>,
}

#[derive(Serialize)]
struct DecisionView<'a> {
    position: &'a str,
    way: Vec<String>,
    #[serde(rename = "move")]
    action: String,
}

impl<'a> PlanView<'a> {
    fn of(tree: &'a Tree, plan: &Plan, language: Language) -> Self {
        let decision = |decision: &Decision| {
            let node = &tree.nodes[decision.node];
            DecisionView {
                position: &node.text,
                way: moves(tree, &decision.path, language),
                action: words(&node.branches[decision.branch].action, language),
            }
        };
        Self {
            guarantees: tree.payoff_text(plan.guaranteed_payoff),
            decisions: plan.decisions.iter().map(decision).collect(),
        }
    }
}

#[derive(Serialize)]
struct VersusView<'a> {
    strategies: &'a [String; 2],
    moves: Vec<String>,
    result: String,
}

#[derive(Serialize)]
struct ReplayView<'a> {
    nodes: u64,
    cut_offs: u64,
    value: String,
    listed: Vec<CutOffView<'a>>,
}

#[derive(Serialize)]
struct CutOffView<'a> {
    position: &'a str,
    way: Vec<String>,
    player: &'a str,
    after: String,
    left_out: usize,
    reached: String,
    bound: String,
    bound_by_move: usize,
}

impl<'a> ReplayView<'a> {
    fn of(tree: &'a Tree, replay: &Replay, language: Language) -> Self {
        let cut_off = |cut: &CutOff| {
            let node = &tree.nodes[cut.node];
            CutOffView {
                position: &node.text,
                way: moves(tree, &cut.path, language),
                player: &tree.players[node.player],
                after: words(&node.branches[cut.after].action, language),
                left_out: cut.pruned,
                reached: tree.payoff_text(cut.reached),
                bound: tree.payoff_text(cut.bound),
                bound_by_move: cut.bound_at + 1,
            }
        };
        Self {
            nodes: replay.nodes,
            cut_offs: replay.cut_offs,
            value: tree.payoff_text(replay.value),
            listed: replay.listed.iter().map(cut_off).collect(),
        }
    }
}
