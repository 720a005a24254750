//! Values in three-coloured Hackenbush: trees by ordinal sums, and pictures with cycles by their
//! blocks, compared with the definition. Also pictures so large that only the theorems can evaluate
//! them.

use grundy_core::ruleset::Theorems as _;
use grundy_core::ruleset::hackenbush::{Colour, Coloured, Edge, HackenbushPicture, edges};
use grundy_core::{Limits, Play, Position, Solver};
use grundy_forms::{Form, Forms, Packed};

/// A deterministic random number generator (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }

    fn colour(&mut self) -> Colour {
        [Colour::Green, Colour::Blue, Colour::Red][self.below(3) as usize]
    }

    /// Returns a random tree. Edge k leads to vertex k + 1, from one of the last `near` vertices
    /// before it.
    fn tree(&mut self, count: u32, near: u32) -> Vec<Edge> {
        (1..=count)
            .map(|vertex| Edge {
                ends: [vertex - 1 - self.below(near.min(vertex)), vertex],
                colour: self.colour(),
            })
            .collect()
    }
}

/// Returns the edges of `mask` that are connected to vertex 0.
fn connected(edges: &[Edge], mask: u32) -> u32 {
    let (mut reached, mut kept) = (1u32, 0);
    loop {
        let before = kept;
        for (index, edge) in edges.iter().enumerate() {
            let [a, b] = edge.ends;
            if mask >> index & 1 == 1 && (reached >> a | reached >> b) & 1 == 1 {
                reached |= 1 << a | 1 << b;
                kept |= 1 << index;
            }
        }
        if before == kept {
            return kept;
        }
    }
}

/// Returns the value by the definition: the canonical form of the values after all cuts.
fn by_cuts(edges: &[Edge], mask: u32, forms: &mut Forms, known: &mut [Option<Form>]) -> Form {
    if let Some(known) = known[mask as usize] {
        return known;
    }
    let mut options = |kept: Colour| -> Vec<Form> {
        let mine: Vec<usize> = (0..edges.len())
            .filter(|&index| mask >> index & 1 == 1 && edges[index].colour != kept)
            .collect();
        let mine = mine.into_iter();
        mine.map(|index| by_cuts(edges, connected(edges, mask & !(1 << index)), forms, known))
            .collect()
    };
    let (left, right) = (options(Colour::Red), options(Colour::Blue));
    let form = forms.canonical(&left, &right, &Limits::none()).unwrap();
    known[mask as usize] = Some(form);
    form
}

fn by_theorem(edges: &[Edge], forms: &mut Forms) -> Form {
    let picture = HackenbushPicture::new(edges, &[0]);
    let known = Coloured.form(&picture, forms, &Limits::none()).unwrap();
    known.expect("a tree has a value by theorem").value
}

#[test]
fn values_of_random_trees_match_the_definition() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut forms = Forms::default();
    let mut branching = 0;
    for round in 0..3_000 {
        let count = 1 + random.below(8);
        let edges = random.tree(count, 1 + round % 6);
        branching += u32::from((1..edges.len()).any(|k| edges[k].ends[0] != k as u32));
        let mut known = vec![None; 1 << edges.len()];
        let expected = by_cuts(&edges, (1 << edges.len()) - 1, &mut forms, &mut known);
        let found = by_theorem(&edges, &mut forms);
        assert_eq!(found, expected, "{edges:?}: {}", forms.write(expected));
    }
    // Check the generator: if all trees were stalks, sums on a branch would not be tested.
    assert!(branching > 1_000, "{branching} of the trees are no stalks");
}

fn by_blocks(edges: &[Edge], forms: &mut Forms) -> Form {
    let picture = HackenbushPicture::new(edges, &[0]);
    let found = Coloured.form_by_decomposition(&picture, forms, &Limits::none());
    found.unwrap().expect("every picture is made of blocks")
}

/// Returns random edges, including loops and multiple edges, on at most as many vertices as edges.
fn random_edges(random: &mut Random, count: u32) -> Vec<Edge> {
    let vertices = 1 + random.below(count);
    let mut edge = || Edge {
        ends: [random.below(vertices), random.below(vertices)],
        colour: random.colour(),
    };
    (0..count).map(|_| edge()).collect()
}

#[test]
fn values_of_pictures_with_cycles_match_the_definition() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut forms, mut known_forms) = (Forms::default(), Forms::default());
    let mut circuits = 0;
    for round in 0..6_000 {
        let count = 1 + random.below(9);
        let edges = if round % 3 == 0 {
            random_edges(&mut random, count)
        } else {
            // A tree with one or two additional edges.
            let mut edges = random.tree(count, 1 + round % 4);
            for _ in 0..=random.below(2) {
                let ends = [random.below(count + 1), random.below(count + 1)];
                let colour = random.colour();
                edges.push(Edge { ends, colour });
            }
            edges
        };
        let all = connected(&edges, (1 << edges.len()) - 1);
        let picture = HackenbushPicture::new(&edges, &[0]);
        circuits += u32::from(picture.edges().len() >= picture.vertices());
        let mut known = vec![None; 1 << edges.len()];
        let expected = by_cuts(&edges, all, &mut known_forms, &mut known);
        let found = by_blocks(&edges, &mut forms);
        // The two sides use separate interners, so compare the printed forms.
        assert_eq!(forms.write(found), known_forms.write(expected), "{edges:?}");
    }
    assert!(circuits > 4_000, "{circuits} of the pictures have circuits");
}

// Parallel edges are stored as a count instead of a list. Parallel edges with nothing above them
// are evaluated as numbers. Both the evaluation by blocks and the components of the game do this.
#[test]
fn values_of_parallel_edges_match_the_definition() {
    let mut random = Random(0x0B5E_55ED);
    let (mut forms, mut known_forms) = (Forms::default(), Forms::default());
    let mut solver = Solver::default();
    let mut equal = 0;
    for round in 0..1_500 {
        let vertices = 2 + round % 3;
        let edges: Vec<Edge> = (0..=random.below(9))
            .map(|_| Edge {
                ends: [random.below(vertices), random.below(vertices)],
                colour: random.colour(),
            })
            .collect();
        let mut sorted = edges.clone();
        sorted.sort_unstable();
        equal += u32::from(sorted.windows(2).any(|pair| pair[0] == pair[1]));
        let all = connected(&edges, (1 << edges.len()) - 1);
        let mut known = vec![None; 1 << edges.len()];
        let expected = by_cuts(&edges, all, &mut known_forms, &mut known);
        let expected = known_forms.write(expected);
        let found = by_blocks(&edges, &mut forms);
        assert_eq!(forms.write(found), expected, "{edges:?}");
        let picture = HackenbushPicture::new(&edges, &[0]);
        // A green picture is an impartial game, which has a Grundy value instead.
        if picture
            .edges()
            .iter()
            .all(|edge| edge.colour == Colour::Green)
        {
            continue;
        }
        let position = Position::from(grundy_core::ruleset::hackenbush::term(picture));
        let (value, _) = solver.canonical_form(&position, &Limits::none()).unwrap();
        let value = solver.short_values().theory.forms.write(value);
        assert_eq!(value, expected, "{edges:?}");
    }
    assert!(equal > 500, "{equal} of the pictures have equal edges");
}

// 10 000 parallel edges form one block, searched by the number of edges that remain.
#[test]
fn ten_thousand_parallel_edges_have_a_value() {
    let mut text = vec!["0-1:b"; 10_000].join(" ");
    let mut forms = Forms::default();
    let bundle = edges(&text).unwrap();
    let value = by_blocks(&bundle, &mut forms);
    assert_eq!(forms.write(value), "10000");
    text += " 1-2:r";
    let carries = edges(&text).unwrap();
    let value = by_blocks(&carries, &mut forms);
    // One blue edge under a red one is 1/2, two are {1/2|2} = 1, and n are {n-2|n} = n - 1.
    assert_eq!(forms.write(value), "9999");
    // The memory use shows that only the numbers of remaining edges were enumerated, and not their
    // subsets.
    assert!(forms.bytes() < 16 << 20, "{}", forms.bytes());
}

// On a tree, the decomposition into blocks must agree with the theorem for trees.
#[test]
fn tree_values_agree_with_the_block_decomposition() {
    let mut random = Random(77);
    let mut forms = Forms::default();
    for round in 0..500 {
        let edges = random.tree(1 + round % 30, 1 + round % 7);
        assert_eq!(
            by_blocks(&edges, &mut forms),
            by_theorem(&edges, &mut forms)
        );
    }
}

// A chain of triangles, each attached to a corner of the one below, with a tree on each corner. The
// 80 edges have far too many subsets for a search.
#[test]
fn a_tower_of_triangles_has_a_value() {
    let mut random = Random(5);
    let mut edges = Vec::new();
    let mut next = 1;
    let mut base = 0;
    for _ in 0..20 {
        for ends in [[base, next], [next, next + 1], [next + 1, base]] {
            let colour = random.colour();
            edges.push(Edge { ends, colour });
        }
        let colour = random.colour();
        let ends = [next, next + 2];
        edges.push(Edge { ends, colour });
        base = next + 1;
        next += 3;
    }
    assert_eq!(edges.len(), 80);
    let picture = HackenbushPicture::new(&edges, &[0]);
    let position = Position::from(grundy_core::ruleset::hackenbush::term(picture));
    let limits = Limits {
        positions: 100_000,
        ..Limits::default()
    };
    let mut solver = Solver::default();
    let (value, _) = solver.canonical_form(&position, &limits).unwrap();
    // Compare with the mirrored picture, evaluated separately: its value must be the negative.
    let mirrored = edges.iter().map(|edge| Edge {
        ends: edge.ends.map(|end| if end == 0 { 0 } else { end + 1_000 }),
        colour: match edge.colour {
            Colour::Blue => Colour::Red,
            Colour::Red => Colour::Blue,
            Colour::Green => Colour::Green,
        },
    });
    let mirrored: Vec<Edge> = mirrored.collect();
    let mut forms = Forms::default();
    let [one, other] = [&edges, &mirrored].map(|edges| by_blocks(edges, &mut forms));
    assert_eq!(forms.negative(one), other);
    let written = solver.short_values().theory.forms.write(value);
    assert_eq!(forms.write(one), written);
}

#[test]
fn the_theorem_gives_no_value_to_cycles() {
    for text in [
        "0-1:b 1-2:g 2-3:r 3-1:b",
        "0-1:b 1-1:r",
        "0-1:b 0-1:g",
        "0-0:r",
    ] {
        let picture = HackenbushPicture::new(&edges(text).unwrap(), &[0]);
        let known = Coloured.form(&picture, &mut Forms::default(), &Limits::none());
        assert_eq!(known.unwrap(), None, "{text}");
    }
}

#[test]
fn two_ground_vertices_are_one_ground() {
    let apart = HackenbushPicture::new(&edges("0-1:b 1-2:g 3-4:r 4-5:g").unwrap(), &[0, 3]);
    let known = Coloured.form(&apart, &mut Forms::default(), &Limits::none());
    assert_eq!(known.unwrap().unwrap().value, Form::ZERO);
}

/// Returns a flower: a green stalk of n edges with blue and red petals on top. With petals of value
/// x, the flower is the ordinal sum `*n:x`.
fn flower(stalk: u32, blue: u32, red: u32, first: u32) -> Vec<Edge> {
    let mut edges: Vec<Edge> = (0..stalk)
        .map(|step| Edge::green(if step == 0 { 0 } else { first + step - 1 }, first + step))
        .collect();
    let top = first + stalk - 1;
    for petal in 0..blue + red {
        edges.push(Edge {
            ends: [top, first + stalk + petal],
            colour: if petal < blue {
                Colour::Blue
            } else {
                Colour::Red
            },
        });
    }
    edges
}

#[test]
fn a_garden_is_the_sum_of_its_flowers() {
    // A green edge under n blue ones is ^[n]*.
    let mut forms = Forms::default();
    let limits = Limits::none();
    let one = by_theorem(&flower(1, 20, 0, 1), &mut forms);
    let star = forms.of_packed(&Packed::nimber(1));
    let ups = forms.minus(one, star, &limits).unwrap();
    assert_eq!(forms.write(ups), "^[20]");
    // Pairs of opposite flowers cancel, and a green stalk of 7 remains.
    let mut garden = Vec::new();
    for (index, stalk) in (1..=10).enumerate() {
        let first = 1 + 200 * index as u32;
        garden.extend(flower(stalk, 9, 2, first));
        garden.extend(flower(stalk, 2, 9, first + 100));
    }
    garden.extend(flower(7, 0, 0, 5_000));
    assert!(garden.len() > 300);
    let value = by_theorem(&garden, &mut forms);
    assert_eq!(value, forms.of_packed(&Packed::nimber(7)));
}

/// Returns a stalk with the given colours, from the ground up.
fn stalk(letters: &[Colour]) -> Vec<Edge> {
    (0..)
        .zip(letters)
        .map(|(below, &colour)| Edge {
            ends: [below, below + 1],
            colour,
        })
        .collect()
}

#[test]
fn stalks_of_a_thousand_edges_have_a_value() {
    let mut forms = Forms::default();
    let mut random = Random(88_172_645_463_325_252);
    let letters: Vec<Colour> = (0..1_000).map(|_| random.colour()).collect();
    let shorter = by_theorem(&stalk(&letters), &mut forms);
    // By the colon principle it suffices to compare the ends: an additional blue edge increases the
    // value, and a red one decreases it.
    for (last, expected) in [(Colour::Blue, [false, true]), (Colour::Red, [true, false])] {
        let longer: Vec<Colour> = letters.iter().copied().chain([last]).collect();
        let longer = by_theorem(&stalk(&longer), &mut forms);
        let limits = Limits::none();
        let found = [
            forms.at_most(longer, shorter, &limits).unwrap(),
            forms.at_most(shorter, longer, &limits).unwrap(),
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn a_large_stalk_is_solved() {
    let mut random = Random(1_181_783_497_276_652_981);
    let letters: Vec<Colour> = (0..300).map(|_| random.colour()).collect();
    let picture = HackenbushPicture::new(&stalk(&letters), &[0]);
    let position = Position::from(grundy_core::ruleset::hackenbush::term(picture));
    let solution = Solver::default().solve(&position, Play::Normal, &Limits::default());
    let solution = solution.unwrap();
    // The lowest edge decides: a player who cuts it leaves nothing, so its colour gives the
    // outcome.
    let class = match letters[0] {
        Colour::Green => "N",
        Colour::Blue => "L",
        Colour::Red => "R",
    };
    assert_eq!(solution.class().to_string(), class);
    assert_eq!(solution.method, "coloured trees");
}
