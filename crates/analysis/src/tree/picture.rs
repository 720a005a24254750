//! The picture of a tree. It contains as many complete layers as are readable. Below them, only the
//! number of plays is shown.

use std::collections::HashMap;

use grundy_core::step::Step;
use grundy_draw::tree::{Child, TreeVertex};
use grundy_tree::{BigUint, Branch};
use grundy_wording::{Language, phrase, words};

use super::TreeReport;

/// Largest number of nodes in a picture.
const MAX_NODES: usize = 400;

/// Largest number of nodes of a tree in which every move is drawn. In a larger tree, symmetric
/// moves are drawn once, unless alpha-beta pruning is shown.
const FULL_TREE_NODES: u32 = 150;

/// Largest number of nodes in a layer of a picture in which symmetric moves are drawn once. Such a
/// tree has more than [`FULL_TREE_NODES`] nodes.
const MAX_LAYER_NODES: usize = 40;

/// A node of the tree that is in the picture.
struct DrawnNode {
    /// The index of the node in the picture.
    index: usize,
    node: usize,
    /// The path from the root: the index of a branch at each node. Empty if equal positions are
    /// merged, since there may be several paths.
    path: Vec<usize>,
    /// `true` if alpha-beta pruning skips this node.
    left_out: bool,
}

pub(super) fn svg(report: &TreeReport, merge: bool, language: Language) -> String {
    let (tree, counts) = (&report.tree, &report.counts);
    let plays = plays(report);
    let cuts = cuts(report, merge);
    // With alpha-beta pruning, symmetric moves are not joined, since it depends on their order.
    // With merging, equal nodes of a layer have been joined already.
    let alike =
        !merge && report.alpha_beta.is_none() && counts.nodes > BigUint::from(FULL_TREE_NODES);
    let (mut folded, mut cut) = (false, false);
    let mut vertices = vec![vertex(report, tree.root(), language)];
    let mut layer = vec![DrawnNode {
        index: 0,
        node: tree.root(),
        path: Vec::new(),
        left_out: false,
    }];
    while !layer.is_empty() {
        let mut next = Vec::new();
        let mut drawn: HashMap<usize, usize> = HashMap::new();
        let mut new = Vec::new();
        let mut edges = Vec::new();
        for above in &layer {
            let here = &tree.nodes[above.node];
            let last = cuts.get(&above.path[..]).copied().unwrap_or(usize::MAX);
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
                            path: child_path(above, number, merge),
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
                // This move represents several symmetric moves. The label shows their number.
                if alike && times > 1 {
                    folded = true;
                    let space = if label.is_empty() { "" } else { " " };
                    label = format!("{label}{space}×{times}");
                }
                // A move is best if the value of the node does not change.
                let best = report.values[branch.to] == report.values[above.node];
                edges.push((
                    above.index,
                    Child {
                        to,
                        label,
                        best,
                        pruned: left_out,
                    },
                ));
            }
        }
        // Whether a layer is too large is known only when it is complete. Then it is discarded as a
        // whole.
        if vertices.len() + new.len() > MAX_NODES || alike && new.len() > MAX_LAYER_NODES {
            cut = true;
            for above in layer {
                if !tree.nodes[above.node].branches.is_empty() {
                    let count = plays[above.node].to_string();
                    let step = Step::new("tree_folded").with("count", count);
                    vertices[above.index].omitted = words(&step, language);
                }
            }
            break;
        }
        vertices.extend(new);
        for (index, child) in edges {
            vertices[index].children.push(child);
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

/// Returns the path to a child of a node. It is empty if equal positions are merged.
fn child_path(above: &DrawnNode, branch: usize, merge: bool) -> Vec<usize> {
    if merge {
        return Vec::new();
    }
    above.path.iter().copied().chain([branch]).collect()
}

/// Returns the cut-offs of alpha-beta pruning, as a map. The key is the path to a node, and the
/// value is the index of the last branch that is examined there. Returns an empty map for a merged
/// picture, in which several paths may lead to a node.
fn cuts(report: &TreeReport, merge: bool) -> HashMap<&[usize], usize> {
    let replay = report.alpha_beta.iter().filter(|_| !merge);
    let cuts = replay.flat_map(|replay| &replay.listed);
    cuts.map(|cut| (&cut.path[..], cut.after)).collect()
}

fn vertex(report: &TreeReport, node: usize, language: Language) -> TreeVertex {
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
        children: Vec::new(),
        omitted: String::new(),
    }
}

/// Returns, for each node, the number of plays from this node to the end of the game.
fn plays(report: &TreeReport) -> Vec<BigUint> {
    let mut plays: Vec<BigUint> = Vec::with_capacity(report.tree.nodes.len());
    // Nodes are stored after their children, so the counts of the children are known.
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
