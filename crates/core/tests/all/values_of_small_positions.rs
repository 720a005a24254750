//! All small positions of every partizan game, compared with the definitions: moves, outcomes,
//! stops and values. The rules are implemented independently in `sums::rules`. Values are compared
//! as game trees. The comparison takes only the options of a canonical form from the library.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use grundy_core::argument::Argument;
use grundy_core::solve::Detail;
use grundy_core::thermographs::thermograph;
use grundy_core::{Limits, OutcomeClass, Play, Player, Position, Solver, registry};

#[path = "../../../forms/tests/all/definition.rs"]
mod definition;
use crate::sums::rules::boards::Dominoes;
use crate::sums::rules::cakes::{Cutcake, Maundy};
use crate::sums::rules::edges::{Colouring, Hackenbush};
use crate::sums::rules::heaps::Partizan;
use crate::sums::rules::stones::Board;
use crate::sums::rules::{Part, Rules, strips};
use definition::{Tree, Trees, dyadic};

/// The solver, the game trees and the count of positions that all checks of one game share.
#[derive(Default)]
struct Checker {
    trees: Trees,
    solver: Solver,
    /// A cache: the game tree of each canonical form that was expanded, by the form.
    forms: HashMap<grundy_forms::Form, Tree>,
    count: usize,
}

/// Returns the complete game tree of a position.
fn tree(
    rules: &dyn Rules,
    part: &[i64],
    trees: &mut Trees,
    known: &mut HashMap<Part, Tree>,
) -> Tree {
    if let Some(&known) = known.get(part) {
        return known;
    }
    let [left, right] = [0, 1].map(|player| {
        let options = rules.options(part, player).into_iter();
        let trees = options.map(|(_, to)| tree(rules, &to, trees, known));
        trees.collect::<Vec<_>>()
    });
    let tree = trees.tree(left, right);
    known.insert(part.to_vec(), tree);
    tree
}

impl Checker {
    fn new() -> Self {
        let trees = Trees::new();
        Self {
            trees,
            ..Self::default()
        }
    }

    /// Compares the moves, outcome, stops and value that the library finds for a position with
    /// those by `rules`. The library constructs the position from `arguments`.
    fn check(
        &mut self,
        rules: &dyn Rules,
        part: &[i64],
        (name, arguments): (&str, Vec<Argument>),
        known: &mut HashMap<Part, Tree>,
    ) {
        let limits = Limits::default();
        let items: Vec<_> = arguments
            .into_iter()
            .map(|argument| (None, argument))
            .collect();
        let position = Position::from(registry::construct(name, &items).unwrap());
        for (player, mover) in Player::BOTH.into_iter().enumerate() {
            let mut found = BTreeSet::new();
            let _ = position.moves(mover, &mut |_, _, to| {
                found.insert(to().to_string());
                ControlFlow::Continue(())
            });
            let options = rules.options(part, player).into_iter();
            let expected: BTreeSet<String> =
                options.map(|(_, to)| rules.write(&to, None)).collect();
            // The library and the rules may write a position without moves differently, so leave
            // such options out.
            let found: BTreeSet<String> = found
                .into_iter()
                .filter(|text| text != "sum_of([])")
                .collect();
            let expected: BTreeSet<String> = expected
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect();
            assert_eq!(found, expected, "{position}, {mover:?}");
        }
        let tree = tree(rules, part, &mut self.trees, known);
        let at_least = self.trees.at_most(0, tree);
        let at_most = self.trees.at_most(tree, 0);
        // Left wins moving first if not G <= 0, and Right if not G >= 0.
        let class = OutcomeClass::from_wins(!at_most, !at_least);
        let solution = Solver::default().answer(&position, Play::Normal, Detail::Outcome, &limits);
        assert_eq!(solution.unwrap().class(), class, "{position}");
        let (form, _) = self.solver.canonical_form(&position, &limits).unwrap();
        let forms = &mut self.solver.short_values().theory.forms;
        let text = forms.write(form);
        let written = self.trees.of_form(form, forms, &mut self.forms);
        assert!(self.trees.equal(tree, written), "{position} is not {text}");
        let stops = self.trees.stops(tree).map(dyadic);
        let found = [forms.left_stop(form), forms.right_stop(form)];
        assert_eq!(found, stops.each_ref(), "{position} = {text}");
        // Stops, number and thermograph are also computed from the moves, a separate algorithm.
        let from_moves = thermograph(&position, &limits).unwrap();
        assert_eq!(
            (from_moves.class, from_moves.stops),
            (class, stops),
            "{position}"
        );
        let number = self.trees.number(tree).map(dyadic);
        assert_eq!(
            (from_moves.number.as_ref(), forms.number(form)),
            (number.as_ref(), number.as_ref()),
            "{position}"
        );
        let thermograph = forms.thermograph(form, &limits).unwrap();
        assert_eq!(
            from_moves.thermograph.walls(),
            thermograph.walls(),
            "{position} = {text}"
        );
        self.count += 1;
    }
}

fn text(letters: &[i64]) -> Argument {
    let letters = letters.iter().map(|&letter| char::from(letter as u8));
    Argument::Text(letters.collect())
}

fn rows(letters: &[i64], columns: usize) -> Argument {
    Argument::List(letters.chunks(columns).map(text).collect())
}

fn numbers(numbers: &[i64]) -> Vec<Argument> {
    let numbers = numbers.iter().map(|&n| Argument::Int(n.into()));
    numbers.collect()
}

/// Returns all strings of `length` letters from `letters`, each as a list of character codes.
fn texts(letters: &[u8], length: usize) -> impl Iterator<Item = Part> {
    let count = letters.len();
    (0..count.pow(length as u32)).map(move |number| {
        let letter = |place| i64::from(letters[number / count.pow(place as u32) % count]);
        (0..length).map(letter).collect()
    })
}

/// Checks all boards whose height and width are in `shapes` and whose squares have letters from
/// `letters`. Returns the number of positions.
fn boards(name: &'static str, letters: &[u8], shapes: &[[usize; 2]]) -> usize {
    let mut checker = Checker::new();
    for &[height, width] in shapes {
        let mut known = HashMap::new();
        let rules = Board {
            name,
            columns: width as i64,
        };
        for squares in texts(letters, height * width) {
            if name != "nogo" || rules.breathes(&squares) {
                checker.check(
                    &rules,
                    &squares,
                    (name, vec![rows(&squares, width)]),
                    &mut known,
                );
            }
        }
    }
    checker.count
}

/// Checks all strips of at most `longest` squares. Returns their number.
fn strips(name: &str, rules: &dyn Rules, letters: &[u8], longest: usize) -> usize {
    let (mut checker, mut known) = (Checker::new(), HashMap::new());
    for strip in (0..=longest).flat_map(|length| texts(letters, length)) {
        checker.check(rules, &strip, (name, vec![text(&strip)]), &mut known);
    }
    checker.count
}

fn dominoes(shapes: &[[usize; 2]]) -> usize {
    let mut checker = Checker::new();
    for &[height, width] in shapes {
        let mut known = HashMap::new();
        let rules = Dominoes {
            cram: false,
            columns: width as i64,
        };
        for squares in texts(b".#", height * width) {
            let board = vec![rows(&squares, width)];
            let blocked: Part = squares
                .iter()
                .map(|&square| i64::from(square == i64::from(b'#')))
                .collect();
            checker.check(&rules, &blocked, ("domineering", board), &mut known);
        }
    }
    checker.count
}

/// Checks all graphs on `vertices` vertices in all legal colourings. Returns the number of
/// positions, that is, of coloured graphs.
fn colourings(name: &str, vertices: usize) -> usize {
    let pairs = (0..vertices as i64).flat_map(|b| (0..b).map(move |a| (a, b)));
    let pairs: Vec<(i64, i64)> = pairs.collect();
    let mut checker = Checker::new();
    for graph in 0..1usize << pairs.len() {
        let edges = (0..pairs.len())
            .filter(|edge| graph >> edge & 1 == 1)
            .map(|edge| pairs[edge]);
        let edges: Vec<(i64, i64)> = edges.collect();
        let written: Vec<String> = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        let rules = Colouring {
            snort: name == "snort",
            edges,
        };
        let mut known = HashMap::new();
        for letters in texts(b"LR.", vertices) {
            let colour = |letter: &i64| {
                i64::from(*letter == i64::from(b'R')) + 2 * i64::from(*letter == i64::from(b'.'))
            };
            let colours: Part = letters.iter().map(colour).collect();
            if rules.legal(&colours) {
                let arguments = vec![Argument::Text(written.join(" ")), text(&letters)];
                checker.check(&rules, &colours, (name, arguments), &mut known);
            }
        }
    }
    checker.count
}

/// Checks all pictures of `count` edges, each blue, red or green, on the ground and three vertices.
/// Returns their number.
fn pictures(count: u32) -> usize {
    let pairs = (0..4).flat_map(|b| (0..=b).map(move |a| (a, b)));
    let edges: Vec<(i64, i64, char)> = pairs
        .flat_map(|(a, b)| ['b', 'r', 'g'].map(|colour| (a, b, colour)))
        .collect();
    let mut checker = Checker::new();
    for number in 0..edges.len().pow(count) {
        let places: Vec<usize> = (0..count)
            .map(|place| number / edges.len().pow(place) % edges.len())
            .collect();
        // Another order of the edges is the same picture.
        if !places.is_sorted() {
            continue;
        }
        let edges = places.into_iter().map(|place| edges[place]).collect();
        let rules = Hackenbush {
            edges,
            ground: vec![0],
        };
        let all: Part = (0..i64::from(count)).collect();
        let source = rules.source(&all, None);
        let picture = source.split('"').nth(1).unwrap_or_default();
        let arguments = vec![Argument::Text(picture.to_owned())];
        checker.check(&rules, &all, ("hackenbush", arguments), &mut HashMap::new());
    }
    checker.count
}

fn cakes(name: &str, rules: &dyn Rules, most: i64) -> usize {
    let (mut checker, mut known) = (Checker::new(), HashMap::new());
    for rows in 1..=most {
        for columns in 1..=most / rows {
            let sides = [rows, columns];
            let part: Part = if name == "cutcake" {
                sides.to_vec()
            } else {
                vec![rows, columns, 1]
            };
            checker.check(rules, &part, (name, numbers(&sides)), &mut known);
        }
    }
    checker.count
}

fn heaps(largest: i64) -> usize {
    let mut checker = Checker::new();
    // All nonempty sets of numbers up to 4.
    let sets = (1..16).map(|set| {
        (1..=4)
            .filter(|k| set >> (k - 1) & 1 == 1)
            .collect::<Part>()
    });
    let sets: Vec<Part> = sets.collect();
    for left in &sets {
        for right in &sets {
            let rules = Partizan {
                sets: [left.clone(), right.clone()],
            };
            let mut known = HashMap::new();
            for heap in 0..=largest {
                let mut arguments = [left, right]
                    .map(|set| Argument::List(numbers(set)))
                    .to_vec();
                arguments.extend(numbers(&[heap]));
                checker.check(
                    &rules,
                    &[heap],
                    ("partizan_subtraction", arguments),
                    &mut known,
                );
            }
        }
    }
    checker.count
}

#[test]
fn clobber() {
    for name in ["clobber", "cannibal_clobber"] {
        // Three letters on seven and on six squares: 3^7 + 3^6 boards.
        assert_eq!(boards(name, b"xo.", &[[1, 7], [2, 3]]), 2187 + 729);
        assert_eq!(boards(name, b"xo.#", &[[2, 2], [5, 1]]), 256 + 1024);
    }
}

#[test]
fn nogo() {
    assert!(boards("nogo", b"xo.", &[[1, 7], [2, 3]]) > 500);
    assert!(boards("nogo", b"xo.#", &[[2, 3], [5, 1]]) > 500);
}

#[test]
fn fission() {
    assert_eq!(
        boards("fission", b"x.#", &[[2, 4], [3, 2], [1, 8]]),
        2 * 6561 + 729
    );
    assert_eq!(boards("fission", b"x.", &[[3, 3]]), 512);
}

#[test]
fn konane() {
    assert_eq!(boards("konane", b"xo.", &[[1, 8], [2, 4]]), 2 * 6561);
    assert_eq!(boards("konane", b"xo.#", &[[2, 3]]), 4096);
}

#[test]
fn amazons() {
    assert_eq!(boards("amazons", b"xo.#", &[[1, 5], [2, 3]]), 1024 + 4096);
}

#[test]
fn domineering() {
    assert_eq!(dominoes(&[[1, 8], [2, 4], [4, 2], [3, 3]]), 3 * 256 + 512);
}

#[test]
fn toads_and_frogs() {
    let rules = strips::TOADS_AND_FROGS;
    // 1 + 3 + ... + 3^8 = 9841 strips of at most eight squares.
    assert_eq!(strips("toads_and_frogs", &rules, b"TF.", 8), 9841);
}

#[test]
fn toppling_dominoes() {
    let rules = strips::TOPPLING_DOMINOES;
    assert_eq!(strips("toppling_dominoes", &rules, b"LRE", 6), 1093);
}

#[test]
fn push() {
    assert_eq!(strips("push", &strips::PUSH, b"LR.", 5), 364);
}

#[test]
fn ski_jumps() {
    assert_eq!(
        boards("ski_jumps", b"LRlr.", &[[1, 4], [3, 1], [2, 2]]),
        625 + 125 + 625
    );
    assert_eq!(boards("ski_jumps", b"LR.", &[[3, 2], [4, 1]]), 729 + 81);
}

#[test]
fn elephants() {
    let rules = strips::ELEPHANTS;
    assert_eq!(strips("elephants", &rules, b"ER.", 8), 9841);
}

#[test]
fn col_and_snort() {
    for name in ["col", "snort"] {
        for vertices in 0..=4 {
            assert!(colourings(name, vertices) >= 3usize.pow(vertices as u32));
        }
    }
}

#[test]
fn hackenbush() {
    // Multisets of `count` out of 30 edges.
    for (count, all) in [(0, 1), (1, 30), (2, 465), (3, 4960)] {
        assert_eq!(pictures(count), all);
    }
}

#[test]
fn cakes_to_eight_squares() {
    assert_eq!(cakes("cutcake", &Cutcake, 8), 20);
    assert_eq!(cakes("maundy_cake", &Maundy, 8), 20);
}

#[test]
fn heaps_to_ten() {
    // 15 sets for each player, and the heaps from 0 to 10.
    assert_eq!(heaps(10), 225 * 11);
}

// Larger positions: `cargo test -p grundy-core --release --test all -- values_of_small_positions::
// --ignored`
#[test]
#[ignore = "minutes"]
fn somewhat_larger_positions() {
    boards("clobber", b"xo.", &[[1, 8], [2, 4]]);
    boards("cannibal_clobber", b"xo.", &[[1, 8], [2, 4]]);
    boards("nogo", b"xo.", &[[1, 8], [2, 4]]);
    boards("konane", b"xo.#", &[[1, 8]]);
    boards("amazons", b"xo.", &[[2, 4]]);
    dominoes(&[[3, 4]]);
    strips("toppling_dominoes", &strips::TOPPLING_DOMINOES, b"LRE", 8);
    strips("toads_and_frogs", &strips::TOADS_AND_FROGS, b"TF.", 10);
    pictures(4);
    cakes("cutcake", &Cutcake, 12);
    cakes("maundy_cake", &Maundy, 16);
}
