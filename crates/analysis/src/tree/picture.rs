//! The picture of a tree: as many complete layers as are readable. Deeper nodes are folded.

use std::collections::HashMap;

use grundy::step::Step;
use grundy_draw::tree::{Below, TreeVertex};
use grundy_tree::{BigUint, Branch};
use grundy_wording::{Language, phrase, words};

use super::Grown;

/// Largest number of nodes that are drawn.
const DRAWN: usize = 400;

/// Largest number of nodes of a tree that is drawn completely. In larger trees, symmetric moves are
/// drawn once.
const WHOLE: u32 = 150;

/// Largest number of nodes in a layer of a larger tree.
const ROW: usize = 40;

/// A node in the picture.
struct DrawnNode {
    /// Its index in the picture.
    index: usize,
    node: usize,
    /// The branches that lead to the node. Empty if equal positions are merged, since the path is
    /// not unique then.
    way: Vec<usize>,
    /// `true` if alpha-beta pruning never reaches this node.
    left_out: bool,
}

pub(super) fn svg(report: &Grown, merge: bool, language: Language) -> String {
    let (tree, counts) = (&report.tree, &report.counts);
    let plays = plays(report);
    let cuts = cuts(report, merge);
    // With alpha-beta pruning, every move matters because the order does. With merging, no two
    // nodes of a layer are equal.
    let alike = !merge && report.alpha_beta.is_none() && counts.nodes > BigUint::from(WHOLE);
    let (mut folded, mut cut) = (false, false);
    let mut vertices = vec![vertex(report, tree.root(), language)];
    let mut layer = vec![DrawnNode {
        index: 0,
        node: tree.root(),
        way: Vec::new(),
        left_out: false,
    }];
    while !layer.is_empty() {
        let mut next = Vec::new();
        let mut drawn: HashMap<usize, usize> = HashMap::new();
        let mut new = Vec::new();
        let mut ways = Vec::new();
        for above in &layer {
            let here = &tree.nodes[above.node];
            let last = cuts.get(&above.way[..]).copied().unwrap_or(usize::MAX);
            for (number, branch) in here.branches.iter().enumerate() {
                let same =
                    |other: &&Branch| tree.nodes[other.to].class == tree.nodes[branch.to].class;
                if alike && here.branches[..number].iter().any(|other| same(&other)) {
                    continue;
                }
                let times = here.branches.iter().filter(same).count();
                let left_out = above.left_out || number > last;
                let to = match drawn.get(&branch.to) {
                    Some(&known) if merge => known,
                    _ => {
                        let index = vertices.len() + new.len();
                        drawn.insert(branch.to, index);
                        new.push(vertex(report, branch.to, language));
                        next.push(DrawnNode {
                            index,
                            node: branch.to,
                            way: below(above, number, merge),
                            left_out,
                        });
                        index
                    }
                };
                let unnamed = here.board.is_empty() && here.caption.is_empty();
                let mut label = if unnamed || branch.action.code == "named" {
                    words(&branch.action, language)
                } else {
                    String::new()
                };
                // A move to a class of symmetric positions represents all of them; the label shows
                // their number.
                if alike && times > 1 {
                    folded = true;
                    let space = if label.is_empty() { "" } else { " " };
                    label = format!("{label}{space}×{times}");
                }
                // A move is best if it preserves the value of the node.
                let best = report.values[branch.to] == report.values[above.node];
                ways.push((
                    above.index,
                    Below {
                        to,
                        label,
                        best,
                        left_out,
                    },
                ));
            }
        }
        // The layer is complete only now, so a layer that is too wide is discarded as a whole.
        if vertices.len() + new.len() > DRAWN || alike && new.len() > ROW {
            cut = true;
            for above in layer {
                if !tree.nodes[above.node].branches.is_empty() {
                    let count = plays[above.node].to_string();
                    let step = Step::new("tree_folded").with("count", count);
                    vertices[above.index].folded = words(&step, language);
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
    let mut notes = vec![words(&numbers, language), phrase("tree_note", language)];
    if folded {
        notes.push(phrase("tree_note_alike", language));
    }
    if cut {
        notes.push(phrase("tree_note_folded", language));
    }
    if !cuts.is_empty() {
        notes.push(phrase("tree_note_left_out", language));
    }
    let about = phrase("tree_about", language);
    grundy_draw::tree::svg(&report.game, &about, &notes, &vertices)
}

/// Returns the path to a child.
fn below(above: &DrawnNode, branch: usize, merge: bool) -> Vec<usize> {
    if merge {
        return Vec::new();
    }
    above.way.iter().copied().chain([branch]).collect()
}

/// Returns the last branch that alpha-beta pruning examines at each cut-off, by path. Empty for
/// merged pictures, in which paths are not unique.
fn cuts(report: &Grown, merge: bool) -> HashMap<&[usize], usize> {
    let replay = report.alpha_beta.iter().filter(|_| !merge);
    let cuts = replay.flat_map(|replay| &replay.listed);
    cuts.map(|cut| (&cut.way[..], cut.after)).collect()
}

fn vertex(report: &Grown, node: usize, language: Language) -> TreeVertex {
    let tree = &report.tree;
    let here = &tree.nodes[node];
    let value = report.values[node];
    let text = if here.caption.is_empty() && !here.branches.is_empty() {
        let step = Step::new("player_alone").with("player", &tree.players[here.player][..]);
        words(&step, language)
    } else {
        here.caption.clone()
    };
    let worth = match tree.winner(value) {
        Some(_) if tree.win_or_tie => {
            Step::new("player_alone").with("player", tree.payoff_text(value))
        }
        _ => Step::new("worth_alone").with("worth", tree.payoff_text(value)),
    };
    let mover = Step::new("tree_mover").with("player", &tree.players[here.player][..]);
    TreeVertex {
        board: here.board.clone(),
        text,
        mover: if here.branches.is_empty() {
            String::new()
        } else {
            words(&mover, language)
        },
        value: words(&worth, language),
        winner: tree.winner(value).unwrap_or(2),
        below: Vec::new(),
        folded: String::new(),
    }
}

/// Returns the number of runs of play from each node.
fn plays(report: &Grown) -> Vec<BigUint> {
    let mut plays: Vec<BigUint> = Vec::with_capacity(report.tree.nodes.len());
    // Each node comes after its children, so their counts are already known.
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
