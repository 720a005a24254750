//! All cuts that leave a picture with a wanted value.
//!
//! The wanted value is propagated from the ground upwards, from block to block. A block is a
//! maximal connected subgraph without a bridge. Suppose that a block of value b carries an upper
//! block of value c on a bridge. The bridge then contributes c + 1 to b. Suppose that a cut at or
//! above the bridge is to change b to t. The bridge must then contribute b xor (c + 1) xor t
//! instead. If this number is 0, the bridge itself has to be cut. Otherwise the upper block must
//! get this number minus 1. Hence each block has one wanted value.
//!
//! A ring consists of all edges of a block that lie on exactly the same cycles (see `rings`). A cut
//! of an edge that is alone in its ring creates no bridge. It removes one edge, so the value of the
//! block changes by xor 1. A ring of k edges splits the block into k pieces. Let their values after
//! fusion be w(0), ..., w(k-1) in ring order. The first piece contains the top of the block, that
//! is, its vertex nearest to the ground. After the cut of the i-th edge, two arms (chains of pieces
//! joined by bridges) hang from the first piece. The value is then
//!
//! w(0) xor (1 + L(i)) xor (1 + R(i)), L(i) = w(1) xor (1 + (w(2) xor ... (1 + w(i-1)))),
//!
//! with R(i) likewise from the other side. An arm without pieces contributes 0 instead of 1 + L(i)
//! or 1 + R(i). All L(i) come from one walk along the ring. Each step of the walk updates the
//! values of all arms begun so far together.

use super::add_xor_trie::AddXorTrie;
use super::grounded::GroundedGraph;
use super::rings::Rings;
use super::survey::Survey;

/// Maximal length of a ring whose arms are computed one by one. The arms are the two chains of
/// pieces that remain after a cut of one edge of the ring.
const MAX_DIRECT_LENGTH: usize = 24;

/// Returns the edges whose cut leaves a picture with the value `wanted`, in increasing order.
///
/// # Complexity
/// O(V + E log E) for V vertices and E edges. O(V + E) if no ring has more than 24 edges, for
/// example in trees.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::hackenbush::{HackenbushPicture, cuts_to, edges};
/// // A triangle on the ground has the value 1. The cut of edge 0 or 2 leaves a stalk of 2 edges.
/// let triangle = HackenbushPicture::new(&edges("0-1 1-2 2-0")?, &[0]);
/// assert_eq!(cuts_to(&triangle.graph(), 2), [0, 2]);
/// assert_eq!(cuts_to(&triangle.graph(), 0), [1]);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn cuts_to(graph: &GroundedGraph, wanted: u64) -> Vec<u32> {
    let survey = Survey::new(graph);
    let total = survey.total();
    let mut cuts = Vec::new();
    // An option never has the value of its position.
    if wanted == total {
        return cuts;
    }
    let tops = survey.tops();
    let mut targets = vec![None; survey.vertex.len()];
    targets[0] = Some(wanted);
    // In preorder a block comes before the blocks on its bridges, so its target is known.
    for here in 1..tops.len() {
        if !survey.is_top(here as u32) {
            continue;
        }
        let below = tops[survey.parent[here] as usize] as usize;
        if let Some(target) = targets[below] {
            match target ^ survey.value[below] ^ (survey.value[here] + 1) {
                0 => cuts.push(survey.parent_edge[here]),
                contribution => targets[here] = Some(contribution - 1),
            }
        }
    }
    if survey.closing.is_empty() {
        // Without cycles, only loops remain to be tested.
    } else {
        cuts_in_rings(&survey, &tops, &targets, &mut cuts);
    }
    // A loop contributes 1 to its block, like an edge that is alone in its ring.
    if graph.ends.iter().any(|[a, b]| a == b) {
        let mut preorder = vec![0; graph.vertices()];
        for (number, &vertex) in survey.vertex.iter().enumerate() {
            preorder[vertex as usize] = number;
        }
        for (edge, [a, b]) in graph.ends.iter().enumerate() {
            let top = tops[preorder[*a as usize]] as usize;
            if a == b && targets[top] == Some(survey.value[top] ^ 1) {
                cuts.push(edge as u32);
            }
        }
    }
    cuts.sort_unstable();
    cuts
}

/// An edge of a ring. An edge of the search tree is given by the preorder number of its lower end.
/// An edge that closes a cycle is given by its index in [`Survey::closing`].
#[derive(Clone, Copy)]
enum Link {
    Tree(u32),
    Closing(u32),
}

/// Examines the rings (classes of edges that lie on the same cycles) of each block that has a
/// target value. Appends to `cuts` the edges whose cut gives their block its target value. A block
/// is a maximal connected subgraph without a bridge.
fn cuts_in_rings(survey: &Survey, tops: &[u32], targets: &[Option<u64>], cuts: &mut Vec<u32>) {
    let rings = Rings::new(survey);
    // Counting sort of the edges by ring. Within a ring the tree edges come from the top downwards.
    // The closing edge follows, if there is one.
    let mut starts = vec![0u32; rings.count as usize + 1];
    let tree = || {
        (1..tops.len() as u32)
            .map(|vertex| (rings.of_parent[vertex as usize], Link::Tree(vertex)))
            .filter(|(ring, _)| *ring != u32::MAX)
    };
    let closing = || {
        (0u32..)
            .zip(&rings.of_closing)
            .map(|(id, &ring)| (ring, Link::Closing(id)))
    };
    for (ring, _) in tree().chain(closing()) {
        starts[ring as usize + 1] += 1;
    }
    for ring in 0..rings.count as usize {
        starts[ring + 1] += starts[ring];
    }
    let mut next = starts.clone();
    let mut links = vec![Link::Tree(0); starts[rings.count as usize] as usize];
    for (ring, link) in tree().chain(closing()) {
        links[next[ring as usize] as usize] = link;
        next[ring as usize] += 1;
    }
    let mut pieces = Vec::new();
    let mut found = Vec::new();
    for ring in starts.windows(2) {
        let links = &links[ring[0] as usize..ring[1] as usize];
        let Some(&first) = links.first() else {
            continue;
        };
        let top = match first {
            Link::Tree(vertex) => tops[vertex as usize],
            Link::Closing(id) => tops[survey.closing[id as usize][0] as usize],
        };
        let Some(target) = targets[top as usize] else {
            continue;
        };
        self::pieces(survey, links, survey.value[top as usize], &mut pieces);
        found.clear();
        cuts_of_ring(&pieces, target, &mut found);
        for &index in &found {
            cuts.push(match links[index] {
                Link::Tree(vertex) => survey.parent_edge[vertex as usize],
                Link::Closing(id) => survey.closing[id as usize][2],
            });
        }
    }
}

/// Computes the values of the pieces into which the edges `links` of a ring split their block.
/// `block` is the value of this block. The piece that contains the top of the block (its vertex
/// nearest to the ground) comes first.
fn pieces(survey: &Survey, links: &[Link], block: u64, pieces: &mut Vec<u64>) {
    pieces.clear();
    // The value of a fused block is the nim-sum of its pieces and of a 1 for each edge of the ring.
    // Removing these edges and the other pieces from this sum leaves the first piece.
    pieces.push(block ^ (links.len() as u64 & 1));
    for pair in links.windows(2) {
        let (Link::Tree(upper), lower) = (pair[0], pair[1]) else {
            unreachable!("at most one edge of a ring closes it, and it stands last");
        };
        let below = match lower {
            Link::Tree(vertex) => survey.value[vertex as usize],
            // The last piece is the whole subtree. Its closing edge is counted at its lower end,
            // and the `^ 1` below removes it.
            Link::Closing(_) => 0,
        };
        let piece = survey.value[upper as usize] ^ below ^ 1;
        pieces.push(piece);
        pieces[0] ^= piece;
    }
}

/// Finds the edges of a ring whose cut gives the block that contains the ring the value `target`.
/// `pieces` contains the values of the pieces into which the ring splits the block. The indices of
/// the edges in the ring are appended to `found`.
fn cuts_of_ring(pieces: &[u64], target: u64, found: &mut Vec<usize>) {
    let count = pieces.len();
    if count <= MAX_DIRECT_LENGTH {
        let arm = |pieces: &mut dyn Iterator<Item = &u64>| {
            pieces.fold(0, |value, piece| (value ^ piece) + 1)
        };
        for index in 0..count {
            let left = arm(&mut pieces[1..=index].iter().rev());
            let right = arm(&mut pieces[index + 1..].iter());
            if pieces[0] ^ left ^ right == target {
                found.push(index);
            }
        }
        return;
    }
    // left[j] is the contribution of the arm of the pieces 1..=count-1-j, right[j] that of the arm
    // of the pieces from j+1 onwards. An empty arm contributes 0.
    let left = arms(pieces[1..].iter().rev());
    let right = arms(pieces[1..].iter());
    for index in 0..count {
        let left = if index == 0 {
            0
        } else {
            left[count - 1 - index]
        };
        let right = right.get(index).copied().unwrap_or(0);
        if pieces[0] ^ left ^ right == target {
            found.push(index);
        }
    }
}

/// Returns, for each piece, the contribution of an arm to the nim-sum of a block. The arm is the
/// chain of pieces, joined by bridges, from this piece to the last one.
///
/// `pieces` contains the values of the pieces p(0), p(1), ..., from the free end of the chain
/// inwards. Entry i of the result is 1 plus the value of the arm that begins with p(i).
fn arms<'a>(pieces: impl ExactSizeIterator<Item = &'a u64>) -> Vec<u64> {
    let mut values = AddXorTrie::with_capacity(pieces.len());
    let mut tickets = Vec::with_capacity(pieces.len());
    for &piece in pieces {
        values.add_one_xor(piece);
        tickets.push(values.insert(piece));
    }
    let numbers = values.read();
    tickets
        .iter()
        .map(|&ticket| numbers[ticket as usize] + 1)
        .collect()
}
