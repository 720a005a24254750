//! Green Hackenbush compared with the definition: the value of random multigraphs, and the value
//! after each cut.
//!
//! `GRUNDY_PICTURES=100000` sets the number of pictures; the default is 10 000.

use grundy_core::ruleset::hackenbush::{Edge, HackenbushPicture, cuts, value};

/// A deterministic random number generator (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

/// Returns the edges of `mask` that are still connected to vertex 0.
fn connected(edges: &[(u32, u32)], mask: u32) -> u32 {
    let (mut reached, mut kept) = (1u32, 0);
    loop {
        let before = (reached, kept);
        for (index, &(a, b)) in edges.iter().enumerate() {
            if mask >> index & 1 == 1 && (reached >> a | reached >> b) & 1 == 1 {
                reached |= 1 << a | 1 << b;
                kept |= 1 << index;
            }
        }
        if before == (reached, kept) {
            return kept;
        }
    }
}

/// Returns the Grundy value of the edges in `mask`, by the mex over all cuts.
fn by_definition(edges: &[(u32, u32)], mask: u32, known: &mut [u8]) -> u8 {
    if known[mask as usize] != u8::MAX {
        return known[mask as usize];
    }
    let mut seen = 0u64;
    for index in 0..edges.len() {
        if mask >> index & 1 == 1 {
            let left = connected(edges, mask & !(1 << index));
            seen |= 1 << by_definition(edges, left, known);
        }
    }
    // Values are below 64 here, so the mex is the number of trailing ones of the set.
    let value = seen.trailing_ones() as u8;
    known[mask as usize] = value;
    value
}

fn check(edges: &[(u32, u32)]) {
    let picture: Vec<Edge> = edges.iter().map(|&(a, b)| Edge::green(a, b)).collect();
    let picture = HackenbushPicture::new(&picture, &[0]);
    let all = connected(edges, (1 << edges.len()) - 1);
    assert_eq!(picture.edges().len() as u32, all.count_ones(), "{edges:?}");
    let mut known = vec![u8::MAX; 1 << edges.len()];
    let expected = by_definition(edges, all, &mut known);
    assert_eq!(value(&picture), u64::from(expected), "{edges:?}");
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); 32];
    for index in 0..edges.len() {
        if all >> index & 1 == 1 {
            let left = connected(edges, all & !(1 << index));
            let value = by_definition(edges, left, &mut known);
            after[value as usize].push(index as u32);
        }
    }
    // For each value, `cuts` must find all edges whose cut leaves it, and no others.
    for (wanted, expected) in after.into_iter().enumerate() {
        let found: Vec<u32> = cuts(&picture, wanted as u64)
            .into_iter()
            .map(|edge| picture.original_index(edge))
            .collect();
        assert_eq!(found, expected, "cuts of {edges:?} to {wanted}");
    }
}

fn pictures() -> u32 {
    std::env::var("GRUNDY_PICTURES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(10_000)
}

#[test]
fn values_and_cuts_match_the_definition() {
    let mut random = Random(0x5eed);
    for _ in 0..pictures() {
        let vertices = 1 + random.below(8);
        let count = random.below(11);
        let edges: Vec<(u32, u32)> = (0..count)
            .map(|_| (random.below(vertices), random.below(vertices)))
            .collect();
        check(&edges);
    }
}

#[test]
fn values_and_cuts_of_cycles_match_the_definition() {
    let mut random = Random(0xc1c1e);
    for _ in 0..pictures() / 10 {
        // A cycle through the ground or on a trunk, with chords, branches and sometimes a second
        // cycle.
        let length = 2 + random.below(6);
        let start = random.below(2);
        let mut edges: Vec<(u32, u32)> = if start == 1 { vec![(0, 1)] } else { vec![] };
        for i in 0..length {
            edges.push((start + i, start + (i + 1) % length));
        }
        let mut next = start + length;
        while edges.len() < 11 {
            let from = random.below(next);
            if random.below(3) == 0 {
                edges.push((from, random.below(next)));
            } else {
                edges.push((from, next));
                next += 1;
            }
        }
        check(&edges);
    }
}

/// Checks the cuts of a picture by evaluating the picture after each of them.
fn check_each_cut(picture: &HackenbushPicture) {
    let count = picture.edges().len() as u32;
    let mut after: Vec<(u64, u32)> = (0..count)
        .map(|edge| (value(&picture.cut(edge)), edge))
        .collect();
    after.sort_unstable();
    for group in after.chunk_by(|a, b| a.0 == b.0) {
        let expected: Vec<u32> = group.iter().map(|(_, edge)| *edge).collect();
        assert_eq!(cuts(picture, group[0].0), expected, "{picture}");
    }
    let total: usize = after.chunk_by(|a, b| a.0 == b.0).count();
    assert!(total > 0 || count == 0);
}

// Long cycles use another algorithm than short ones. Both must agree with the evaluation after each
// cut.
#[test]
fn cuts_of_long_cycles_leave_their_claimed_values() {
    let mut random = Random(0x10f6);
    for round in 0..60 {
        let length = 20 + random.below(120);
        let mut edges: Vec<Edge> = (0..length)
            .map(|i| Edge::green(i, (i + 1) % length))
            .collect();
        let mut next = length;
        for _ in 0..round * 3 {
            let from = random.below(next);
            if random.below(20) == 0 {
                edges.push(Edge::green(from, random.below(next)));
            } else {
                edges.push(Edge::green(from, next));
                next += 1;
            }
        }
        check_each_cut(&HackenbushPicture::new(&edges, &[0]));
    }
}

// Cycles attached to cycles, each at a vertex of an earlier one, with two ground vertices.
#[test]
fn cuts_of_chained_cycles_leave_their_claimed_values() {
    let mut random = Random(0xcac5);
    for _ in 0..40 {
        let mut edges = Vec::new();
        let mut next = 1;
        while edges.len() < 150 {
            let from = random.below(next);
            let length = 1 + random.below(30);
            let mut here = from;
            for _ in 1..length {
                edges.push(Edge::green(here, next));
                here = next;
                next += 1;
            }
            edges.push(Edge::green(here, from));
            if random.below(2) == 0 {
                edges.push(Edge::green(from, next));
                next += 1;
            }
        }
        check_each_cut(&HackenbushPicture::new(&edges, &[0, 3]));
    }
}
