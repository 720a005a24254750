//! The picture of a tree. It contains as many complete layers as are readable. The nodes below them
//! are only counted.

use std::collections::HashMap;

use grundy::step::Step;
use grundy_draw::tree::{Below, TreeVertex};
use grundy_tree::{BigUint, Branch};
use grundy_wording::{Language, phrase, words};

use super::Grown;

/// Largest number of nodes in a picture.
const DRAWN: usize = 400;

/// Largest number of nodes of a tree in which every move is drawn. In a larger tree, symmetric
/// moves are drawn once.
const WHOLE: u32 = 150;

/// Largest number of nodes in a layer, for trees with more than [`WHOLE`] nodes.
const ROW: usize = 40;

/// A node of the tree that is in the picture.
struct DrawnNode {
    /// The index of the node in the picture.
    index: usize,
    node: usize,
    /// The path from the root: the index of a branch at each node. Empty if equal positions are
    /// merged, since there may be several paths.
    way: Vec<usize>,
    /// `true` if alpha-beta pruning skips this node.
    left_out: bool,
}

pub(super) fn svg(report: &Grown, merge: bool, language: Language) -> String {
    let (tree, counts) = (&report.tree, &report.counts);
    let plays = plays(report);
    let cuts = cuts(report, merge);
    // With alpha-beta pruning, symmetric moves are not joined, since it depends on their order.
    // With merging, equal nodes of a layer have been joined already.
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
                // This move represents several symmetric moves. The label shows their number.
                if alike && times > 1 {
                    folded = true;
                    let space = if label.is_empty() { "" } else { " " };
                    label = format!("{label}{space}×{times}");
                }
                // A move is best if the value of the node does not change.
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
        // Whether a layer is too large is known only when it is complete. Then it is discarded as a
        // whole.
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

/// Returns the path to a child of a node. It is empty if equal positions are merged.
fn below(above: &DrawnNode, branch: usize, merge: bool) -> Vec<usize> {
    if merge {
        return Vec::new();
    }
    above.way.iter().copied().chain([branch]).collect()
}

/// Returns the cut-offs of alpha-beta pruning. The key is the path to the node, the value its last
/// branch that is examined. Returns none for a merged picture, in which paths are not unique.
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

/// Returns, for each node, the number of ways in which the game can continue until its end.
fn plays(report: &Grown) -> Vec<BigUint> {
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
