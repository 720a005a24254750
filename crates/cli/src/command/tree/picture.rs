//! A tree as a picture: as many whole layers as can be read, the rest folded.

use std::collections::HashMap;

use grundy::step::Step;
use grundy_draw::tree::{Below, Vertex};
use grundy_notation::Language;
use grundy_notation::wording::{phrase, words};
use grundy_tree::BigUint;

use super::Report;

/// Nodes that are drawn.
const DRAWN: usize = 400;

pub(super) fn svg(report: &Report, merge: bool, language: Language) -> String {
    let (tree, counts) = (&report.tree, &report.counts);
    let plays = plays(report);
    let mut vertices = vec![vertex(report, tree.root())];
    let mut layer = vec![(0, tree.root())];
    while !layer.is_empty() {
        let mut next = Vec::new();
        let mut drawn: HashMap<usize, usize> = HashMap::new();
        let mut new = Vec::new();
        let mut ways = Vec::new();
        for &(index, node) in &layer {
            for branch in &tree.nodes[node].branches {
                let to = match drawn.get(&branch.to) {
                    Some(&known) if merge => known,
                    _ => {
                        let number = vertices.len() + new.len();
                        drawn.insert(branch.to, number);
                        new.push(vertex(report, branch.to));
                        next.push((number, branch.to));
                        number
                    }
                };
                let label = if tree.nodes[node].board.is_empty() && tree.nodes[node].text.is_empty()
                    || branch.action.code == "named"
                {
                    words(&branch.action, language)
                } else {
                    String::new()
                };
                let best = report.values[branch.to] == report.values[node];
                ways.push((index, Below { to, label, best }));
            }
        }
        if vertices.len() + new.len() > DRAWN {
            for (index, node) in layer {
                if !tree.nodes[node].branches.is_empty() {
                    let step = Step::new("tree_folded").with("count", plays[node].to_string());
                    vertices[index].folded = words(&step, language);
                }
            }
            break;
        }
        vertices.extend(new);
        for (index, below) in ways {
            vertices[index].below.push(below);
        }
        layer = next;
    }
    let numbers = Step::new("tree_nodes")
        .with("nodes", counts.nodes.to_string())
        .with("positions", tree.positions())
        .with("classes", tree.classes());
    let notes = [words(&numbers, language), phrase("tree_note", language)];
    grundy_draw::tree::svg(&report.game, &notes, &vertices)
}

fn vertex(report: &Report, node: usize) -> Vertex {
    let tree = &report.tree;
    let here = &tree.nodes[node];
    let value = report.values[node];
    let text = if here.text.is_empty() && !here.branches.is_empty() {
        tree.players[here.player].clone()
    } else {
        here.text.clone()
    };
    Vertex {
        board: here.board.clone(),
        text,
        value: tree.payoff_text(value),
        winner: tree.winner(value).unwrap_or(2),
        below: Vec::new(),
        folded: String::new(),
    }
}

/// The plays below each node.
fn plays(report: &Report) -> Vec<BigUint> {
    let mut plays: Vec<BigUint> = Vec::with_capacity(report.tree.nodes.len());
    for node in &report.tree.nodes {
        let count = if node.branches.is_empty() {
            BigUint::from(1u8)
        } else {
            node.branches.iter().map(|branch| &plays[branch.to]).sum()
        };
        plays.push(count);
    }
    plays
}
