//! Random games and all games born by day 3, compared with results from the definitions alone.

use std::collections::HashMap;

use crate::definition::{ONE, STEP, Tree, Trees, dyadic};
use grundy_base::{Dyadic, Limits, Player};
use grundy_forms::{Form, Forms, Relation, Wall};

/// Returns a random tree of at most this depth.
fn random_tree(trees: &mut Trees, depth: u32, random: &mut fastrand::Rng) -> Tree {
    if depth == 0 {
        return 0;
    }
    let mut side = || -> Vec<Tree> {
        // Few options with a bias to deep ones give many games that are neither trivial nor huge.
        let count = [0, 1, 1, 1, 2, 2, 3][random.usize(..7)];
        let depth = |random: &mut fastrand::Rng| random.u32(..depth).max(random.u32(..depth));
        (0..count)
            .map(|_| {
                let depth = depth(random);
                random_tree(trees, depth, random)
            })
            .collect()
    };
    let (left, right) = (side(), side());
    trees.tree(left, right)
}

/// Returns the form that the library computes for a tree.
fn form_of(tree: Tree, trees: &Trees, forms: &mut Forms) -> Form {
    let [left, right] = [0, 1].map(|side| {
        let options = trees.options[tree][side].iter();
        options
            .map(|&option| form_of(option, trees, forms))
            .collect::<Vec<_>>()
    });
    forms.canonical(&left, &right, &Limits::default()).unwrap()
}

/// Number of random games that are tested before new tables (`Trees` and `Forms`) are created, so
/// that the tables stay small.
const ROUND: u32 = 500;

#[test]
fn ten_thousand_random_games_match_the_definitions() {
    let limits = Limits::default();
    let mut random = fastrand::Rng::with_seed(2026);
    let (mut numbers, mut hot, mut simplified) = (0, 0, 0);
    for _ in 0..10_000 / ROUND {
        let (mut trees, mut forms) = (Trees::new(), Forms::default());
        let mut seen = HashMap::new();
        let mut before: Option<(Tree, Form)> = None;
        for index in 0..ROUND {
            let tree = random_tree(&mut trees, 3 + index % 2, &mut random);
            let form = form_of(tree, &trees, &mut forms);
            let text = forms.write(form);
            // The canonical form equals the game, and it is canonical.
            let written = trees.of_form(form, &mut forms, &mut seen);
            assert!(trees.equal(tree, written), "{text}");
            assert!(trees.is_canonical(written), "{text}");
            simplified += u32::from(written != tree);
            let born = trees.depth(written);
            assert_eq!(forms.birthday(form).to_i64(), Some(born), "{text}");
            assert!(born <= trees.depth(tree), "{text}");
            // Numbers and stops.
            let number = trees.number(tree).map(dyadic);
            assert_eq!(forms.number(form), number.as_ref(), "{text}");
            numbers += u32::from(number.is_some());
            let [left, right] = trees.stops(tree).map(dyadic);
            assert_eq!(*forms.left_stop(form), left, "{text}");
            assert_eq!(*forms.right_stop(form), right, "{text}");
            hot += u32::from(left != right);
            // Both walls at all sampled temperatures.
            let graph = forms.thermograph(form, &limits).unwrap();
            for (sample, walls) in trees.cooled(tree).into_iter().enumerate() {
                let t = dyadic(sample as i64 * STEP - ONE);
                for (player, wall) in Player::BOTH.into_iter().zip(walls) {
                    assert_eq!(graph.wall(player).at(&t), dyadic(wall), "{text} at {t}");
                }
                let meet = walls[0] == walls[1];
                assert_eq!(meet, *graph.temperature() <= t, "{text} at {t}");
            }
            // The relation to the previous game.
            if let Some((other, other_form)) = before.replace((tree, form)) {
                let expected =
                    Relation::from_tests(trees.at_most(tree, other), trees.at_most(other, tree));
                let found = forms.relation(form, other_form, &limits).unwrap();
                assert_eq!(found, expected, "{text} and {}", forms.write(other_form));
            }
        }
    }
    // The random games must include enough of each kind.
    assert!(
        numbers > 1000 && hot > 1500 && simplified > 5000,
        "{numbers} {hot} {simplified}"
    );
}

#[test]
fn ten_thousand_sums_match_their_trees() {
    let limits = Limits::default();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200 {
        let (mut trees, mut forms) = (Trees::new(), Forms::default());
        let mut seen = HashMap::new();
        for _ in 0..50 {
            let [a, b] = [2, 3].map(|depth| random_tree(&mut trees, depth, &mut random));
            let sum = trees.sum(a, b);
            let parts = [a, b].map(|tree| form_of(tree, &trees, &mut forms));
            let form = forms.plus(parts[0], parts[1], &limits).unwrap();
            let text = forms.write(form);
            // Two ways to the same form: the sum of forms, and the form of the sum of trees.
            assert_eq!(form_of(sum, &trees, &mut forms), form, "{text}");
            let written = trees.of_form(form, &mut forms, &mut seen);
            assert!(trees.equal(sum, written), "{text}");
            let [left, right] = trees.stops(sum).map(dyadic);
            assert_eq!(*forms.left_stop(form), left, "{text}");
            assert_eq!(*forms.right_stop(form), right, "{text}");
            let back = forms.minus(form, parts[1], &limits).unwrap();
            assert_eq!(back, parts[0], "{text}");
        }
    }
}

/// The state of the test of all games born by day 3. `seen` is a cache that maps forms to their
/// trees.
struct Day3 {
    trees: Trees,
    forms: Forms,
    seen: HashMap<Form, Tree>,
}

impl Day3 {
    /// Returns the tree of a form.
    fn tree(&mut self, form: Form) -> Tree {
        self.trees.of_form(form, &mut self.forms, &mut self.seen)
    }

    /// Returns whether G <= H up to an infinitesimal.
    fn about_at_most(&mut self, g: Tree, h: Tree) -> bool {
        let difference = self.trees.minus(g, h);
        self.trees.stops(difference)[0] <= 0
    }

    /// Returns whether a tree is a reduced canonical form. If both stops are equal, it must be the
    /// simplest form of this number. Otherwise none of its options may be dominated or reversible
    /// up to an infinitesimal, and all must be reduced canonical forms.
    fn is_reduced(&mut self, tree: Tree) -> bool {
        let [left, right] = self.trees.stops(tree);
        if left == right {
            return self.trees.of_number(left) == tree;
        }
        for side in [0, 1] {
            let options = self.trees.options[tree][side].clone();
            for &option in &options {
                let order = |g: Tree, h: Tree| if side == 0 { (g, h) } else { (h, g) };
                for &other in &options {
                    let (low, high) = order(option, other);
                    if option != other && self.about_at_most(low, high) {
                        return false;
                    }
                }
                for answer in self.trees.options[option][1 - side].clone() {
                    let (low, high) = order(answer, tree);
                    if self.about_at_most(low, high) {
                        return false;
                    }
                }
                if !self.is_reduced(option) {
                    return false;
                }
            }
        }
        true
    }

    /// Checks the incentives: the maximal differences between options and the game, each once.
    fn incentives(&mut self, form: Form, tree: Tree) {
        let found = self.forms.incentives(form, &Limits::default()).unwrap();
        for (side, listed) in [found.left, found.right].into_iter().enumerate() {
            let options = self.trees.options[tree][side].clone();
            let mut differences = Vec::new();
            for option in options {
                let (from, to) = if side == 0 {
                    (option, tree)
                } else {
                    (tree, option)
                };
                differences.push(self.trees.minus(from, to));
            }
            let listed: Vec<Tree> = listed.into_iter().map(|form| self.tree(form)).collect();
            for &one in &listed {
                assert!(
                    differences
                        .iter()
                        .any(|&other| self.trees.equal(one, other))
                );
                assert!(
                    listed
                        .iter()
                        .all(|&other| other == one || !self.trees.at_most(one, other))
                );
            }
            for one in differences {
                assert!(listed.iter().any(|&other| self.trees.at_most(one, other)));
            }
        }
    }

    /// Returns whether in every position both players can move or neither can.
    fn is_all_small(&self, tree: Tree) -> bool {
        let [left, right] = &self.trees.options[tree];
        left.is_empty() == right.is_empty()
            && left
                .iter()
                .chain(right)
                .all(|&option| self.is_all_small(option))
    }

    /// Checks the atomic weight and returns it if it is an integer. G has atomic weight n if G -
    /// n·↑ lies between ↓ and ↑ after a far star is added (A. N. Siegel, Combinatorial Game Theory,
    /// 2013, II.7).
    fn weight(&mut self, form: Form, tree: Tree) -> Option<i64> {
        let weight = self.forms.atomic_weight(form, &Limits::default()).unwrap();
        assert_eq!(weight.is_some(), self.is_all_small(tree));
        let weight = self.forms.number(weight?)?.to_i64().expect("an integer");
        let star = self.trees.star(1);
        let up = self.trees.tree(vec![0], vec![star]);
        let mut rest = tree;
        for _ in 0..weight.unsigned_abs() {
            rest = if weight > 0 {
                self.trees.minus(rest, up)
            } else {
                self.trees.sum(rest, up)
            };
        }
        // No game of day 3 contains a nimber greater than *3.
        let far = self.trees.star(8);
        let (low, high) = (self.trees.minus(far, up), self.trees.sum(far, up));
        assert!(self.trees.at_most(low, rest) && self.trees.at_most(rest, high));
        Some(weight)
    }
}

#[test]
fn all_results_for_games_of_day_3_match_the_definitions() {
    let limits = Limits::default();
    let (mut forms, half) = (Forms::default(), dyadic(ONE / 2));
    let born = forms.born_by(3, &limits).unwrap();
    assert_eq!(born.len(), 1474);
    let (trees, seen) = (Trees::new(), HashMap::new());
    let mut day = Day3 { trees, forms, seen };
    let mut weights = 0;
    for form in born {
        let (text, tree) = (day.forms.write(form), day.tree(form));
        assert!(day.trees.is_canonical(tree), "{text}");
        assert_eq!(form_of(tree, &day.trees, &mut day.forms), form, "{text}");
        let negative = day.forms.negative(form);
        assert_eq!(day.trees.negative(tree), day.tree(negative), "{text}");
        assert_eq!(
            day.forms.birthday(form).to_i64(),
            Some(day.trees.depth(tree)),
            "{text}"
        );
        let outcome = Relation::from_tests(day.trees.at_most(tree, 0), day.trees.at_most(0, tree));
        assert_eq!(
            day.forms.relation(form, Form::ZERO, &limits),
            Ok(outcome),
            "{text}"
        );
        let stops = day.trees.stops(tree);
        let [left, right] = stops.map(dyadic);
        assert_eq!(*day.forms.left_stop(form), left, "{text}");
        assert_eq!(*day.forms.right_stop(form), right, "{text}");
        let part = (left == right).then_some(&left);
        assert_eq!(day.forms.number_part(form), part, "{text}");
        let number = day.trees.number(tree).map(dyadic);
        assert_eq!(day.forms.number(form), number.as_ref(), "{text}");
        let graph = day.forms.thermograph(form, &limits).unwrap();
        let cooled = day.trees.cooled(tree);
        for (sample, walls) in cooled.iter().enumerate() {
            let t = dyadic(sample as i64 * STEP - ONE);
            for (player, &wall) in Player::BOTH.into_iter().zip(walls) {
                assert_eq!(graph.wall(player).at(&t), dyadic(wall), "{text} at {t}");
            }
            assert_eq!(
                walls[0] == walls[1],
                *graph.temperature() <= t,
                "{text} at {t}"
            );
        }
        // The walls at temperature t are the stops of the game cooled by t.
        let cold = day.forms.cool(form, &half, &limits).unwrap();
        let [left, right] = cooled[((ONE + ONE / 2) / STEP) as usize].map(dyadic);
        assert_eq!(*day.forms.left_stop(cold), left, "{text}");
        assert_eq!(*day.forms.right_stop(cold), right, "{text}");
        let reduced = day.forms.reduced(form, &limits).unwrap();
        let reduced = day.tree(reduced);
        let infinitesimal = day.trees.minus(tree, reduced);
        assert_eq!(day.trees.stops(infinitesimal), [0, 0], "{text}");
        assert!(day.is_reduced(reduced), "{text}");
        day.incentives(form, tree);
        weights += u32::from(day.weight(form, tree).is_some());
    }
    // The number of all-small games born by day 3, as in the census of published.rs.
    assert_eq!(weights, 67);
}

/// Compares the sum of several walls with the sum of their values at each temperature. The slope
/// changes only at the points of the sum. So it is enough to compare at these points, halfway
/// between them, and after the last one.
#[test]
fn walls_add_up_at_every_temperature() {
    let limits = Limits::default();
    let mut random = fastrand::Rng::with_seed(5);
    let (mut forms, mut bent) = (Forms::default(), 0);
    let born = forms.born_by(3, &limits).unwrap();
    for _ in 0..2_000 {
        let count = random.usize(0..6);
        let graphs: Vec<_> = (0..count)
            .map(|_| {
                let form = born[random.usize(..born.len())];
                // Most games {x|-x} of this kind are hot, so their walls bend above temperature 0.
                let hot = forms.of_integer(random.i64(1..9));
                let form = forms.plus(form, hot, &limits).unwrap();
                let cold = forms.negative(form);
                let form = forms.canonical(&[form], &[cold], &limits).unwrap();
                forms.thermograph(form, &limits).unwrap()
            })
            .collect();
        for player in Player::BOTH {
            let walls: Vec<&Wall> = graphs.iter().map(|graph| graph.wall(player)).collect();
            let points = Wall::sum_from_zero(walls.iter().copied());
            bent += usize::from(points.len() > 4);
            assert_eq!(points[0].0, Dyadic::ZERO);
            let at = |t: &Dyadic| {
                let values = walls.iter().map(|wall| wall.at(t));
                values.fold(Dyadic::ZERO, |sum, value| &sum + &value)
            };
            for pair in points.windows(2) {
                assert!(pair[0].0 < pair[1].0);
                let [t, value] = [0, 1].map(|n| {
                    let of = |point: &(Dyadic, Dyadic)| [&point.0, &point.1][n].clone();
                    (&of(&pair[0]) + &of(&pair[1])).times_power_of_two(-1)
                });
                assert_eq!(at(&t), value, "{t}");
            }
            for (t, value) in &points {
                assert_eq!(at(t), *value, "{t}");
            }
            let (last, value) = points.last().unwrap();
            assert_eq!(at(&(last + &Dyadic::integer(7))), *value);
        }
    }
    assert!(bent > 500, "{bent}");
}
