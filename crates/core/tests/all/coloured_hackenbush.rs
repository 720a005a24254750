//! Coloured Hackenbush compared with the definition: outcome and winning cuts of random pictures,
//! by brute force over sets of edges. Also pictures for which the fusion principle would give a
//! wrong answer.

use std::collections::HashSet;
use std::sync::Arc;

use grundy_core::position::AnyTerm;
use grundy_core::ruleset::hackenbush::{
    Colour, Coloured, Edge, HackenbushPicture, coloured, edges, term,
};
use grundy_core::ruleset::nim::Nim;
use grundy_core::ruleset::{Nature, Theorems as _};
use grundy_core::{Dyadic, Limits, OutcomeClass, Play, Player, Position, Solver, Term};

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
fn connected(edges: &[Edge], mask: u32) -> u32 {
    let (mut reached, mut kept) = (1u32, 0);
    loop {
        let before = (reached, kept);
        for (index, edge) in edges.iter().enumerate() {
            let [a, b] = edge.ends;
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

/// Returns the edges of `mask`, in order.
fn edges_of(edges: &[Edge], mask: u32) -> Vec<Edge> {
    (0..edges.len())
        .filter(|index| mask >> index & 1 == 1)
        .map(|index| edges[index])
        .collect()
}

/// Returns the cuts of `player` (0 is Left, 1 is Right) in `mask`: each edge with the edges that
/// remain.
fn cuts(edges: &[Edge], mask: u32, player: usize) -> Vec<(u32, u32)> {
    let kept = [Colour::Red, Colour::Blue][player];
    // Left may cut all but red edges, Right all but blue ones.
    (0..edges.len() as u32)
        .filter(|&index| mask >> index & 1 == 1 && edges[index as usize].colour != kept)
        .map(|index| (index, connected(edges, mask & !(1 << index))))
        .collect()
}

/// Returns whether `player`, to move, wins, by searching the whole game tree.
fn wins(
    edges: &[Edge],
    mask: u32,
    player: usize,
    misere: bool,
    known: &mut [[Option<bool>; 2]],
) -> bool {
    if let Some(known) = known[mask as usize][player] {
        return known;
    }
    let options = cuts(edges, mask, player);
    let answer = if options.is_empty() {
        misere
    } else {
        options
            .iter()
            .any(|&(_, left)| !wins(edges, left, 1 - player, misere, known))
    };
    known[mask as usize][player] = Some(answer);
    answer
}

fn check(edges: &[Edge]) {
    let picture = HackenbushPicture::new(edges, &[0]);
    let position = Position::from(coloured(picture));
    let all = connected(edges, (1 << edges.len()) - 1);
    for play in [Play::Normal, Play::Misere] {
        let misere = play == Play::Misere;
        let solution = Solver::default()
            .solve(&position, play, &Limits::default())
            .unwrap();
        let mut known = vec![[None; 2]; 1 << edges.len()];
        let [left, right] = [0, 1].map(|player| wins(edges, all, player, misere, &mut known));
        assert_eq!(
            solution.class(),
            OutcomeClass::from_wins(left, right),
            "{position} {play}"
        );
        assert_eq!(solution.beginnings.len(), 2, "{position}");
        for (player, beginner) in [(0, Player::Left), (1, Player::Right)] {
            let found = &solution.beginning(beginner).moves;
            // Cuts that leave the same edges are one move, listed as the first of them.
            let mut seen = HashSet::new();
            let expected: Vec<u64> = cuts(edges, all, player)
                .into_iter()
                .filter(|&(_, after)| seen.insert(edges_of(edges, after)))
                .filter(|&(_, after)| !wins(edges, after, 1 - player, misere, &mut known))
                .map(|(index, _)| u64::from(index))
                .collect();
            let found: Vec<u64> = found.iter().map(|winning| winning.mv.at[0]).collect();
            assert_eq!(found, expected, "{position} {play}");
        }
    }
}

fn random_edges(random: &mut Random, vertices: u32, count: u32, colours: &[Colour]) -> Vec<Edge> {
    (0..count)
        .map(|_| Edge {
            ends: [random.below(vertices), random.below(vertices)],
            colour: colours[random.below(colours.len() as u32) as usize],
        })
        .collect()
}

/// All colours. The colours at indices 1 and 2 (blue and red) are the colours of red-blue pictures.
const ALL: [Colour; 3] = [Colour::Green, Colour::Blue, Colour::Red];

#[test]
fn outcome_classes_and_winning_cuts_match_the_definition() {
    let mut random = Random(0xc010);
    for round in 0..1200 {
        let (vertices, count) = (1 + random.below(7), random.below(10));
        // Every third picture is red-blue, since such pictures are numbers and use other theorems.
        let colours = if round % 3 == 0 { &ALL[1..] } else { &ALL[..] };
        check(&random_edges(&mut random, vertices, count, colours));
    }
}

/// Returns the negative of a picture: blue and red are exchanged. The numbers of all vertices
/// except the ground are increased by `shift`.
fn negative(edges: &[Edge], shift: u32) -> Vec<Edge> {
    edges
        .iter()
        .map(|edge| Edge {
            ends: edge.ends.map(|end| if end == 0 { 0 } else { end + shift }),
            colour: match edge.colour {
                Colour::Blue => Colour::Red,
                Colour::Red => Colour::Blue,
                Colour::Green => Colour::Green,
            },
        })
        .collect()
}

/// Checks random pairs of pictures G and H that are numbers: the sign of the difference of the two
/// numbers must determine the outcome of G - H.
fn compare_as_their_numbers(
    mut picture: impl FnMut() -> Vec<Edge>,
    mut number: impl FnMut(&[Edge]) -> Dyadic,
) {
    for _ in 0..1500 {
        let (a, b) = (picture(), picture());
        let difference = &number(&a) - &number(&b);
        let both: Vec<Edge> = a.iter().copied().chain(negative(&b, 10)).collect();
        let mut known = vec![[None; 2]; 1 << both.len()];
        let all = connected(&both, (1 << both.len()) - 1);
        let [left, right] = [0, 1].map(|player| wins(&both, all, player, false, &mut known));
        let expected = match difference.sign() {
            std::cmp::Ordering::Greater => OutcomeClass::L,
            std::cmp::Ordering::Less => OutcomeClass::R,
            std::cmp::Ordering::Equal => OutcomeClass::P,
        };
        assert_eq!(
            OutcomeClass::from_wins(left, right),
            expected,
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn red_blue_trees_compare_as_their_numbers() {
    let mut random = Random(0x7ee5);
    let tree = || {
        let edge = |i| Edge {
            ends: [random.below(i), i],
            colour: ALL[1 + random.below(2) as usize],
        };
        (1..=5).map(edge).collect()
    };
    compare_as_their_numbers(tree, |edges| {
        let known = Coloured.number(&HackenbushPicture::new(edges, &[0]));
        known.unwrap().value
    });
}

// With cycles no theorem gives the number, so it is computed from the numbers of the options.
#[test]
fn red_blue_pictures_with_cycles_compare_as_their_numbers() {
    let mut random = Random(0xc1c1e);
    let picture = || {
        let mut edge = |i: u32| Edge {
            ends: [random.below(i.min(4)), random.below(4).min(i)],
            colour: ALL[1 + random.below(2) as usize],
        };
        (1..=5).map(&mut edge).collect()
    };
    let (mut solver, mut cycles) = (Solver::default(), 0);
    compare_as_their_numbers(picture, |edges| {
        let picture = HackenbushPicture::new(edges, &[0]);
        cycles += u32::from(Coloured.number(&picture).is_none());
        let position = Position::from(coloured(picture));
        let solution = solver.solve(&position, Play::Normal, &Limits::default());
        solution.unwrap().number().unwrap().clone()
    });
    // Check the generator: most pictures must have a cycle.
    assert!(cycles > 1000, "{cycles}");
}

#[test]
fn stalks_have_the_numbers_of_the_sign_rule() {
    // Berlekamp's sign rule, with two branching trees at the end.
    for (stalk, number) in [
        ("", "0"),
        ("0-1:b", "1"),
        ("0-1:r", "-1"),
        ("0-1:b 1-2:b", "2"),
        ("0-1:b 1-2:r", "1/2"),
        ("0-1:b 1-2:r 2-3:r", "1/4"),
        ("0-1:b 1-2:r 2-3:b", "3/4"),
        ("0-1:b 1-2:b 2-3:r", "3/2"),
        ("0-1:r 1-2:b", "-1/2"),
        ("0-1:b 1-2:r 1-3:r", "1/4"),
        ("0-1:b 1-2:r 1-3:b", "1"),
    ] {
        let picture = HackenbushPicture::new(&edges(stalk).unwrap(), &[0]);
        assert_eq!(
            Coloured.number(&picture).unwrap().value.to_string(),
            number,
            "{stalk}"
        );
    }
    // A stalk of n edges can have a denominator of 2^(n-1).
    let long: Vec<Edge> = (0..200)
        .map(|i| Edge {
            ends: [i, i + 1],
            colour: if i == 0 { Colour::Blue } else { Colour::Red },
        })
        .collect();
    let number = Coloured.number(&HackenbushPicture::new(&long, &[0]));
    assert_eq!(number.unwrap().value, Dyadic::ONE.times_power_of_two(-199));
}

// Fusing the cycle of any of these pictures would change the outcome.
#[test]
fn fusion_is_never_used_on_pictures_with_other_colours() {
    let class = |text: &str, play| {
        let picture = HackenbushPicture::new(&edges(text).unwrap(), &[0]);
        assert!(Coloured.number(&picture).is_none(), "{text}");
        assert_eq!(term(picture.clone()).nature(), Nature::PARTIZAN, "{text}");
        let position = Position::from(coloured(picture));
        let solution = Solver::default().solve(&position, play, &Limits::default());
        solution.unwrap().class()
    };
    // A cycle through the ground with two blue edges and a red one: fusion would give 1 + 1 - 1 =
    // 1, which is wrong.
    for text in [
        "0-1 0-1 1-1:b",
        "0-1 0-1 1-2:b",
        "0-1:b 1-2:r 2-0:b",
        "0-1:b 1-2:b 2-0:r",
        "0-1 1-2 2-0 1-3:b 2-4:r",
    ] {
        let edges = edges(text).unwrap();
        check(&edges);
    }
    // Two green edges to a vertex with a blue loop have an infinitesimal value. Fused, the green
    // edges would cancel and leave 1.
    assert_eq!(class("0-1 0-1 1-1:b", Play::Normal), OutcomeClass::L);
    // With a red edge added the sum is negative. By fusion, 1 - 1 would be a P-position.
    assert_eq!(class("0-1 0-1 1-1:b 0-2:r", Play::Normal), OutcomeClass::R);
    // With -1/2 added the sum is negative. By fusion, 1 - 1/2 would be a win for Left.
    assert_eq!(
        class("0-1 0-1 1-1:b 0-2:r 2-3:b", Play::Normal),
        OutcomeClass::R
    );
}

#[test]
fn sums_with_impartial_games_are_searched() {
    let limits = Limits::default();
    let nim = |heap| -> Arc<dyn AnyTerm> { Term::new(Nim, vec![heap]).into() };
    let stalk = |text: &str| coloured(HackenbushPicture::new(&edges(text).unwrap(), &[0]));
    let class = |terms| {
        let sum = Position::sum(terms).unwrap();
        let solution = Solver::default().solve(&sum, Play::Normal, &limits);
        solution.unwrap().class()
    };
    assert_eq!(class(vec![nim(3), nim(3)]), OutcomeClass::P);
    assert_eq!(class(vec![nim(3), nim(3), stalk("")]), OutcomeClass::P);
    assert_eq!(class(vec![nim(3), stalk("0-1")]), OutcomeClass::N);
    // A positive number, however small, exceeds every nimber.
    assert_eq!(
        class(vec![nim(9), stalk("0-1:b 1-2:r 2-3:r")]),
        OutcomeClass::L
    );
    // A flower is confused with 0. Adding *1, the value of its stem, makes it positive.
    assert_eq!(class(vec![stalk("0-1 1-2:b")]), OutcomeClass::N);
    assert_eq!(class(vec![stalk("0-1 1-2:b"), nim(1)]), OutcomeClass::L);
}

#[test]
fn a_limit_stops_the_search() {
    let mut random = Random(3);
    let edges = random_edges(&mut random, 14, 40, &ALL);
    let position = Position::from(coloured(HackenbushPicture::new(&edges, &[0])));
    let limits = Limits {
        positions: 500,
        ..Limits::default()
    };
    let solution = Solver::default().solve(&position, Play::Normal, &limits);
    assert!(solution.is_err());
}
