//! A game tree in words.

use std::io::{self, Write};

use grundy_core::step::Step;
use grundy_tree::strategy::Plan;
use grundy_tree::{BigUint, Tree};
use grundy_wording::plain::heading;
use grundy_wording::{Language, phrase, words};
use num_traits::Zero as _;

use super::{TreeReport, steps};

/// Greatest length, in digits, of a number that is printed completely. Of a longer number, only the
/// leading digits and the length are printed.
const DIGITS: u64 = 40;

/// Largest number of alpha-beta cut-offs (nodes whose remaining moves are skipped) that are listed.
const CUT_OFFS: usize = 30;

pub(super) fn write(
    out: &mut dyn Write,
    report: &TreeReport,
    language: Language,
) -> io::Result<()> {
    let (tree, counts) = (&report.tree, &report.counts);
    let [first, second] = &tree.players;
    let say = |step: &Step| words(step, language);
    writeln!(out, "{}", grundy_wording::plain::brief(report.game.clone()))?;
    let value = value(tree, counts.value);
    writeln!(out, "  {}", say(&value))?;
    let [wins, losses, ties] = counts.wins.each_ref().map(|count| shown(count, language));
    let plays = Step::new("tree_plays")
        .with("plays", shown(&counts.plays, language))
        .with("first", first.clone())
        .with("second", second.clone())
        .with("wins", wins)
        .with("losses", losses)
        .with("ties", ties)
        .with("longest", counts.longest);
    writeln!(out, "  {}", say(&plays))?;
    let nodes = Step::new("tree_nodes")
        .with("nodes", shown(&counts.nodes, language))
        .with("positions", tree.positions())
        .with("classes", tree.classes());
    writeln!(out, "  {}", say(&nodes))?;
    for (player, name) in tree.players.iter().enumerate() {
        let step = match (
            &counts.strategies[player],
            &counts.winning[player],
            &counts.optimal[player],
            &counts.plans[player],
            &counts.optimal_plans[player],
        ) {
            (Some(all), Some(winning), Some(optimal), Some(plans), Some(optimal_plans)) => {
                Step::new("tree_strategies")
                    .with("player", name.clone())
                    .with("strategies", shown(all, language))
                    .with("winning", shown(winning, language))
                    .with("optimal", shown(optimal, language))
                    .with("plans", shown(plans, language))
                    .with("optimal_plans", shown(optimal_plans, language))
            }
            _ => Step::new("tree_strategies_many").with("player", name.clone()),
        };
        writeln!(out, "  {}", say(&step))?;
    }
    for plan in report.tables.iter().flatten() {
        let name = tree.players[plan.player].clone();
        let above = say(&Step::new("tree_table").with("player", name));
        writeln!(out, "\n{}", heading(&above, language))?;
        table(out, report, plan, language)?;
    }
    for (player, plans) in report.listed.iter().flatten().enumerate() {
        let name = tree.players[player].clone();
        let above = say(&Step::new(if report.only_optimal {
            "tree_listed_optimal"
        } else {
            "tree_listed"
        })
        .with("player", name));
        writeln!(out, "\n{}", heading(&above, language))?;
        for (number, plan) in plans.iter().enumerate() {
            // If the best result that a player can guarantee is a loss, the sentence does not say
            // `guarantees`.
            let loses = tree.win_or_tie && tree.winner(plan.guaranteed_payoff) == Some(1 - player);
            let step = if loses {
                Step::new("tree_plan_loses")
            } else {
                let guarantees = payoff(tree, plan.guaranteed_payoff, language);
                Step::new("tree_plan").with("guarantees", guarantees)
            };
            let step = step.with("number", number);
            writeln!(out, " {}", say(&step))?;
            table(out, report, plan, language)?;
        }
    }
    if let Some(versus) = &report.versus {
        let [i, j] = versus.names.clone();
        let above = Step::new("tree_versus")
            .with("first", first.clone())
            .with("second", second.clone())
            .with("i", i)
            .with("j", j);
        writeln!(out, "\n{}", heading(&say(&above), language))?;
        for (node, action) in steps(tree, &versus.path) {
            let step = Step::new("tree_step")
                .with("player", &tree.players[tree.nodes[node].player][..])
                .with("action", words(action, language));
            writeln!(out, "  {}", say(&step))?;
        }
        let result = Step::new("tree_result").with("value", payoff(tree, versus.payoff, language));
        writeln!(out, "  {}", say(&result))?;
    }
    alpha_beta(out, report, language)
}

/// Returns the sentence that states the value of the game.
fn value(tree: &Tree, value: usize) -> Step {
    let [first, second] = &tree.players;
    match (tree.win_or_tie, tree.winner(value)) {
        (true, Some(winner)) => {
            Step::new("tree_value_won").with("player", tree.players[winner].clone())
        }
        (true, None) => Step::new("tree_value_tie"),
        _ if !tree.constant.is_zero() => {
            let [own, other] = tree.payoffs_of_both(value);
            Step::new("tree_value_shared")
                .with("first", first.clone())
                .with("own", own.to_string())
                .with("second", second.clone())
                .with("other", other.to_string())
                .with("constant", tree.constant.to_string())
        }
        _ => Step::new("tree_value")
            .with("value", tree.payoff_text(value))
            .with("player", first.clone()),
    }
}

fn table(
    out: &mut dyn Write,
    report: &TreeReport,
    plan: &Plan,
    language: Language,
) -> io::Result<()> {
    for decision in &plan.decisions {
        let node = &report.tree.nodes[decision.node];
        let action = words(&node.branches[decision.branch].action, language);
        let row = Step::new("tree_row")
            .with(
                "position",
                node_name(report, decision.node, &decision.path, language),
            )
            .with("action", action);
        writeln!(out, "  {}", words(&row, language))?;
    }
    Ok(())
}

/// Returns the caption of a node. If the node has no caption, returns the moves that lead to it
/// from the root.
fn node_name(report: &TreeReport, node: usize, path: &[usize], language: Language) -> String {
    let caption = &report.tree.nodes[node].caption;
    if !caption.is_empty() {
        return caption.clone();
    }
    let moves = steps(&report.tree, path).into_iter();
    let moves: Vec<String> = moves.map(|(_, action)| words(action, language)).collect();
    if moves.is_empty() {
        return phrase("tree_root", language);
    }
    moves.join(", ")
}

fn alpha_beta(out: &mut dyn Write, report: &TreeReport, language: Language) -> io::Result<()> {
    let Some(replay) = &report.alpha_beta else {
        return Ok(());
    };
    let tree = &report.tree;
    let heading = Step::new("tree_alpha_beta")
        .with("looked", replay.nodes)
        .with("nodes", shown(&report.counts.nodes, language))
        .with("cuts", replay.cut_offs);
    writeln!(out, "\n{}", words(&heading, language))?;
    for cut in replay.listed.iter().take(CUT_OFFS) {
        let node = &tree.nodes[cut.node];
        let step = Step::new("tree_cut")
            .with("position", node_name(report, cut.node, &cut.path, language))
            .with("action", words(&node.branches[cut.after].action, language))
            .with("player", tree.players[node.player].clone())
            .with("other", tree.players[1 - node.player].clone())
            .with("reached", payoff(tree, cut.reached, language))
            .with("bound", payoff(tree, cut.bound, language))
            .with("number", cut.bound_at + 1)
            .with("left", cut.pruned);
        writeln!(out, "  {}", words(&step, language))?;
    }
    let more = replay.cut_offs.saturating_sub(CUT_OFFS as u64);
    if more > 0 {
        let step = Step::new("tree_more").with("count", more);
        writeln!(out, "  {}", words(&step, language))?;
    }
    Ok(())
}

/// Returns the words for a payoff within a sentence.
fn payoff(tree: &Tree, payoff: usize, language: Language) -> String {
    let step = match (tree.win_or_tie, tree.winner(payoff)) {
        (true, Some(winner)) => Step::new("payoff_won").with("player", &tree.players[winner][..]),
        (true, None) => Step::new("payoff_tie"),
        _ => Step::new("payoff_number")
            .with("player", &tree.players[0][..])
            .with("value", tree.payoff_text(payoff)),
    };
    words(&step, language)
}

fn shown(count: &BigUint, language: Language) -> String {
    // A decimal digit needs more than 3 bits, so such a number has at most `DIGITS` digits. This
    // avoids the conversion of a huge number.
    if count.bits() <= 3 * DIGITS {
        return count.to_string();
    }
    let digits = count.to_string();
    let step = Step::new("long_number").with("beginning", &digits[..12]);
    words(&step.with("digits", digits.len()), language)
}
