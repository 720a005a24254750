//! The form that stands for a component in a search: pictures that are found to be copies of each
//! other become equal.

use super::picture::{Edge, HackenbushPicture};

/// Rounds in which the neighbours of a vertex tell it from others; copies may go unseen after that,
/// which costs memory and changes no answer.
const ROUNDS: usize = 12;

/// Returns the parts that stand on the ground side by side: the vertices of each, and its edges. A
/// loop on the ground has no vertices. Edges from the ground to a vertex that carries nothing are
/// parts of their own, since no cut of one makes another fall.
fn side_by_side(picture: &HackenbushPicture) -> Vec<(Vec<u32>, Vec<usize>)> {
    let graph = picture.graph();
    let count = graph.vertices();
    // Parts are found by walking without setting foot on the ground.
    let mut part = vec![u32::MAX; count];
    let mut parts: Vec<(Vec<u32>, Vec<usize>)> = Vec::new();
    for start in 1..count as u32 {
        if part[start as usize] != u32::MAX {
            continue;
        }
        let number = parts.len() as u32;
        part[start as usize] = number;
        let mut members = vec![start];
        let mut next = 0;
        while next < members.len() {
            for &[other, _] in graph.at(members[next]) {
                if other != 0 && part[other as usize] == u32::MAX {
                    part[other as usize] = number;
                    members.push(other);
                }
            }
            next += 1;
        }
        parts.push((members, Vec::new()));
    }
    for (edge, &[a, b]) in graph.ends.iter().enumerate() {
        match part[a.max(b) as usize] {
            // A loop on the ground stands alone.
            u32::MAX => parts.push((Vec::new(), vec![edge])),
            number => parts[number as usize].1.push(edge),
        }
    }
    let mut apart = Vec::with_capacity(parts.len());
    for (members, edges) in parts {
        let carries = |&edge: &usize| graph.ends[edge][0] == graph.ends[edge][1];
        if members.len() == 1 && !edges.iter().any(carries) {
            apart.extend(edges.iter().map(|&edge| (members.clone(), vec![edge])));
        } else {
            apart.push((members, edges));
        }
    }
    apart
}

/// Returns the parts that stand on the ground side by side, with their vertices as they are.
pub(super) fn pieces(picture: &HackenbushPicture) -> Vec<HackenbushPicture> {
    let kept = |edges: Vec<usize>| {
        let edges: Vec<Edge> = edges.iter().map(|&edge| picture.edges()[edge]).collect();
        HackenbushPicture::new(&edges, picture.ground())
    };
    (side_by_side(picture).into_iter())
        .map(|(_, edges)| kept(edges))
        .collect()
}

/// Splits a picture into the parts that stand on the ground side by side, each numbered afresh with
/// the ground as 0.
pub(super) fn components(picture: &HackenbushPicture, visit: &mut dyn FnMut(HackenbushPicture)) {
    let graph = picture.graph();
    let count = graph.vertices();
    let parts = side_by_side(picture);
    let mut name = vec![0u32; count];
    let (mut signature, mut next) = (vec![0; count], vec![0; count]);
    for (members, edges) in &parts {
        if members.is_empty() {
            visit(rebuilt(&[picture.edges()[edges[0]]], &[[0, 0]]));
            continue;
        }
        sign(
            members,
            edges,
            picture,
            &graph.ends,
            &mut signature,
            &mut next,
        );
        let mut order = members.clone();
        order.sort_by_key(|&vertex| signature[vertex as usize]);
        for (number, &vertex) in (1..).zip(&order) {
            name[vertex as usize] = number;
        }
        let coloured: Vec<Edge> = edges.iter().map(|&edge| picture.edges()[edge]).collect();
        let ends: Vec<[u32; 2]> = edges
            .iter()
            .map(|&edge| graph.ends[edge].map(|vertex| name[vertex as usize]))
            .collect();
        visit(rebuilt(&coloured, &ends));
    }
}

/// Returns the edges with new ends, in order.
fn rebuilt(edges: &[Edge], ends: &[[u32; 2]]) -> HackenbushPicture {
    let mut edges: Vec<Edge> = edges
        .iter()
        .zip(ends)
        .map(|(edge, &[a, b])| Edge {
            ends: [a.min(b), a.max(b)],
            colour: edge.colour,
        })
        .collect();
    edges.sort_unstable();
    HackenbushPicture::new(&edges, &[0])
}

/// Puts a number for each member into `signature` that depends on nothing but the shape of the
/// picture around it. Entries of other vertices, the ground's 0 among them, stay as they are;
/// `next` is room to work in.
fn sign(
    members: &[u32],
    edges: &[usize],
    picture: &HackenbushPicture,
    ends: &[[u32; 2]],
    signature: &mut [u64],
    next: &mut [u64],
) {
    for &vertex in members {
        signature[vertex as usize] = 1;
    }
    for _ in 0..ROUNDS.min(members.len()) {
        for &vertex in members {
            next[vertex as usize] = signature[vertex as usize];
        }
        for &edge in edges {
            let [a, b] = ends[edge].map(|vertex| vertex as usize);
            let colour = 1 + picture.edges()[edge].colour as u64;
            next[a] = next[a].wrapping_add(mixed(signature[b], colour));
            next[b] = next[b].wrapping_add(mixed(signature[a], colour));
        }
        for &vertex in members {
            signature[vertex as usize] = next[vertex as usize];
        }
    }
}

/// Returns a fixed scramble of two numbers (the finisher of SplitMix64).
fn mixed(x: u64, y: u64) -> u64 {
    let mut z = x
        .wrapping_add(y.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
