//! The contract's JSON of a tree.

use grundy_notation::Language;
use grundy_notation::wording::words;
use grundy_tree::strategy::Plan;
use grundy_tree::{BigUint, Tree};
use serde_json::{Map, Value, json};

use super::{Grown, steps};

pub(super) fn object(report: &Grown) -> Value {
    let (tree, counts) = (&report.tree, &report.counts);
    let mut object = Map::new();
    object.insert("game".into(), json!(report.game));
    object.insert("play".into(), json!(report.play.to_string()));
    object.insert("players".into(), json!(tree.players));
    object.insert("value".into(), json!(tree.payoff_text(counts.value)));
    object.insert("instances".into(), number(&counts.plays));
    object.insert("nodes".into(), number(&counts.nodes));
    object.insert("positions".into(), json!(tree.positions()));
    object.insert("positions_up_to_symmetry".into(), json!(tree.classes()));
    let mut wins = Map::new();
    for (player, count) in tree.players.iter().zip(&counts.wins) {
        wins.insert(player.clone(), number(count));
    }
    wins.insert("tie".into(), number(&counts.wins[2]));
    object.insert("wins".into(), Value::Object(wins));
    object.insert("longest".into(), json!(counts.longest));
    for (key, numbers) in [
        ("strategies", &counts.strategies),
        ("winning_strategies", &counts.winning),
        ("optimal_strategies", &counts.optimal),
        ("strategies_different_in_play", &counts.plans),
        (
            "optimal_strategies_different_in_play",
            &counts.optimal_plans,
        ),
    ] {
        let numbers = tree.players.iter().cloned().zip(numbers);
        let numbers: Map<String, Value> = numbers
            .map(|(player, count)| (player, count.as_ref().map_or(Value::Null, number)))
            .collect();
        object.insert(key.into(), Value::Object(numbers));
    }
    if let Some(tables) = &report.tables {
        let tables = tree.players.iter().cloned().zip(tables);
        let tables: Map<String, Value> = tables
            .map(|(player, table)| (player, plan(tree, table)))
            .collect();
        object.insert("table".into(), Value::Object(tables));
    }
    if let Some(listed) = &report.listed {
        let listed = tree.players.iter().cloned().zip(listed);
        let listed: Map<String, Value> = listed
            .map(|(player, plans)| {
                let plans = plans.iter().map(|each| plan(tree, each)).collect();
                (player, Value::Array(plans))
            })
            .collect();
        object.insert("listed".into(), Value::Object(listed));
    }
    if let Some(versus) = &report.versus {
        let moves = moves(tree, &versus.way);
        object.insert(
            "versus".into(),
            json!({"strategies": versus.names, "moves": moves, "result": tree.payoff_text(versus.payoff)}),
        );
    }
    if let Some(replay) = &report.alpha_beta {
        let listed: Vec<Value> = replay
            .listed
            .iter()
            .map(|cut| {
                let node = &tree.nodes[cut.node];
                json!({
                    "position": node.text,
                    "way": moves(tree, &cut.way),
                    "player": tree.players[node.player],
                    "after": words(&node.branches[cut.after].action, Language::En),
                    "left_out": cut.left,
                    "reached": tree.payoff_text(cut.reached),
                    "bound": tree.payoff_text(cut.bound),
                    "bound_by_move": cut.bound_at + 1,
                })
            })
            .collect();
        object.insert(
            "alpha_beta".into(),
            json!({"nodes": replay.nodes, "cut_offs": replay.cut_offs, "value": tree.payoff_text(replay.value), "listed": listed}),
        );
    }
    Value::Object(object)
}

/// A number where it fits 64 bits, its digits otherwise.
fn number(count: &BigUint) -> Value {
    u64::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count))
}

/// The moves of a way from the root.
fn moves(tree: &Tree, way: &[usize]) -> Vec<String> {
    let steps = steps(tree, way).into_iter();
    steps
        .map(|(_, action)| words(action, Language::En))
        .collect()
}

fn plan(tree: &Tree, plan: &Plan) -> Value {
    let decisions: Vec<Value> = plan
        .decisions
        .iter()
        .map(|decision| {
            let node = &tree.nodes[decision.node];
            let action = &node.branches[decision.branch].action;
            json!({
                "position": node.text,
                "way": moves(tree, &decision.way),
                "move": words(action, Language::En),
            })
        })
        .collect();
    json!({"guarantees": tree.payoff_text(plan.guarantees), "decisions": decisions})
}
