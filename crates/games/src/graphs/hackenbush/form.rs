//! Representatives of the components of a picture, for use in a search. Many
//! isomorphic components become equal, since their vertices are renumbered.

use super::picture::{Edge, HackenbushPicture};

/// Number of rounds of colour refinement.
///
/// After these rounds some isomorphic pictures may still have different representations. This costs
/// memory but changes no result.
const ROUNDS: usize = 12;

/// Returns the parts of a picture that share only the ground. Each part is given by its vertices
/// and the indices of its edges.
///
/// A loop on the ground has no vertices. If a vertex is joined only to the ground, each edge to it
/// is a separate part. A cut of one of these edges removes no other edge.
fn parts_on_ground(picture: &HackenbushPicture) -> Vec<(Vec<u32>, Vec<usize>)> {
    let graph = picture.graph();
    let count = graph.vertices();
    // A breadth-first search that never enters the ground finds each part.
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
        // The ground is vertex 0. So the larger end is not the ground, unless the edge is a loop on
        // the ground.
        match part[a.max(b) as usize] {
            u32::MAX => parts.push((Vec::new(), vec![edge])),
            number => parts[number as usize].1.push(edge),
        }
    }
    let mut separate_parts = Vec::with_capacity(parts.len());
    for (members, edges) in parts {
        // A part with one vertex consists of edges to the ground and loops at the vertex.
        let is_loop = |&edge: &usize| graph.ends[edge][0] == graph.ends[edge][1];
        if members.len() == 1 && !edges.iter().any(is_loop) {
            separate_parts.extend(edges.iter().map(|&edge| (members.clone(), vec![edge])));
        } else {
            separate_parts.push((members, edges));
        }
    }
    separate_parts
}

/// Returns the parts of a picture that share only the ground. The vertices keep their numbers.
pub(super) fn pieces(picture: &HackenbushPicture) -> Vec<HackenbushPicture> {
    let part = |edges: Vec<usize>| {
        let edges: Vec<Edge> = edges.iter().map(|&edge| picture.edges()[edge]).collect();
        HackenbushPicture::new(&edges, picture.ground())
    };
    (parts_on_ground(picture).into_iter())
        .map(|(_, edges)| part(edges))
        .collect()
}

/// Visits the parts that share only the ground. Their vertices are renumbered canonically, with the
/// ground as vertex 0.
pub(super) fn components(picture: &HackenbushPicture, visit: &mut dyn FnMut(HackenbushPicture)) {
    let graph = picture.graph();
    let count = graph.vertices();
    let parts = parts_on_ground(picture);
    let mut new_number = vec![0u32; count];
    let (mut signature, mut next) = (vec![0; count], vec![0; count]);
    for (members, edges) in &parts {
        if members.is_empty() {
            visit(picture_with_ends(&[picture.edges()[edges[0]]], &[[0, 0]]));
            continue;
        }
        refine_signatures(
            members,
            edges,
            picture,
            &graph.ends,
            &mut signature,
            &mut next,
        );
        let mut order = members.clone();
        // Vertices with equal signatures stay in the order of the search, so isomorphic parts may
        // still differ.
        order.sort_by_key(|&vertex| signature[vertex as usize]);
        for (number, &vertex) in (1..).zip(&order) {
            new_number[vertex as usize] = number;
        }
        let coloured: Vec<Edge> = edges.iter().map(|&edge| picture.edges()[edge]).collect();
        let ends: Vec<[u32; 2]> = edges
            .iter()
            .map(|&edge| graph.ends[edge].map(|vertex| new_number[vertex as usize]))
            .collect();
        visit(picture_with_ends(&coloured, &ends));
    }
}

/// Returns a picture with the colours of `edges` and the ends `ends`, in which vertex 0 is the
/// ground. The edges of the picture are sorted.
fn picture_with_ends(edges: &[Edge], ends: &[[u32; 2]]) -> HackenbushPicture {
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

/// Computes a signature of each vertex in `members`. Vertices with isomorphic surroundings in the
/// picture have equal signatures.
///
/// The signatures of other vertices do not change. The signature of the ground must be 0. `next` is
/// scratch space.
fn refine_signatures(
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
    // Each round adds the hashed signatures of the neighbours. The sum does not depend on the order
    // of the neighbours.
    for _ in 0..ROUNDS.min(members.len()) {
        for &vertex in members {
            next[vertex as usize] = signature[vertex as usize];
        }
        for &edge in edges {
            let [a, b] = ends[edge].map(|vertex| vertex as usize);
            // The colour of an edge enters the hash, so refinement distinguishes pictures that
            // differ in colours.
            let colour = 1 + picture.edges()[edge].colour as u64;
            next[a] = next[a].wrapping_add(hash_pair(signature[b], colour));
            next[b] = next[b].wrapping_add(hash_pair(signature[a], colour));
        }
        for &vertex in members {
            signature[vertex as usize] = next[vertex as usize];
        }
    }
}

/// Returns a fixed hash of two numbers (the finalizer of SplitMix64).
fn hash_pair(x: u64, y: u64) -> u64 {
    let mut z = x
        .wrapping_add(y.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
