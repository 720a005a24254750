//! Games as trees of moves, and their properties computed from the definitions alone: comparisons,
//! sums, numbers, stops, and walls sampled by cooling. Only the options of a form come from the
//! library.

#![allow(dead_code, reason = "every test takes what it needs")]

use std::collections::HashMap;

use grundy_base::{Dyadic, Limits, Player};
use grundy_forms::{Form, Forms};

/// A game, given by its index in `Trees`. Game 0 has no moves.
pub(crate) type Tree = usize;

/// A number or a temperature in units of 1/2^12. The numbers and temperatures of the games in these
/// tests are small enough to be multiples of the unit.
pub(crate) type Units = i64;
/// The number 1.
pub(crate) const ONE: Units = 1 << 12;

/// Trees, each stored once, with caches of their properties.
#[derive(Default)]
pub(crate) struct Trees {
    pub(crate) options: Vec<[Vec<Tree>; 2]>,
    depths: Vec<i64>,
    known: HashMap<[Vec<Tree>; 2], Tree>,
    at_most: HashMap<(Tree, Tree), bool>,
    sums: HashMap<(Tree, Tree), Tree>,
    numbers: HashMap<Tree, Option<Units>>,
    samples: HashMap<Tree, Vec<[Units; 2]>>,
}

impl Trees {
    /// Creates the tables with the game 0.
    pub(crate) fn new() -> Self {
        let mut trees = Self::default();
        trees.tree(Vec::new(), Vec::new());
        trees
    }

    /// Returns the tree with these options.
    pub(crate) fn tree(&mut self, mut left: Vec<Tree>, mut right: Vec<Tree>) -> Tree {
        for side in [&mut left, &mut right] {
            side.sort_unstable();
            side.dedup();
        }
        let options = [left, right];
        if let Some(&known) = self.known.get(&options) {
            return known;
        }
        let below = options.iter().flatten().map(|&option| self.depths[option]);
        self.depths
            .push(below.max().map_or(0, |deepest| deepest + 1));
        self.options.push(options.clone());
        self.known.insert(options, self.options.len() - 1);
        self.options.len() - 1
    }

    /// Returns the length of the longest sequence of moves, in which the players need not
    /// alternate.
    pub(crate) fn depth(&self, tree: Tree) -> i64 {
        self.depths[tree]
    }

    /// Returns whether G <= H: no G^L >= H and no H^R <= G.
    pub(crate) fn at_most(&mut self, g: Tree, h: Tree) -> bool {
        if let Some(&known) = self.at_most.get(&(g, h)) {
            return known;
        }
        let (lefts, rights) = (self.options[g][0].clone(), self.options[h][1].clone());
        let answer = !lefts.into_iter().any(|left| self.at_most(h, left))
            && !rights.into_iter().any(|right| self.at_most(right, g));
        self.at_most.insert((g, h), answer);
        answer
    }

    /// Returns whether two games are equal.
    pub(crate) fn equal(&mut self, g: Tree, h: Tree) -> bool {
        self.at_most(g, h) && self.at_most(h, g)
    }

    /// Returns G + H: a move is a move in one of the two.
    pub(crate) fn sum(&mut self, g: Tree, h: Tree) -> Tree {
        if let Some(&known) = self.sums.get(&(g, h)) {
            return known;
        }
        let sides = [0, 1].map(|side| {
            let in_g = self.options[g][side]
                .clone()
                .into_iter()
                .map(|option| (option, h));
            let in_h = self.options[h][side]
                .clone()
                .into_iter()
                .map(|option| (g, option));
            let pairs: Vec<(Tree, Tree)> = in_g.chain(in_h).collect();
            pairs
                .into_iter()
                .map(|(a, b)| self.sum(a, b))
                .collect::<Vec<_>>()
        });
        let [left, right] = sides;
        let sum = self.tree(left, right);
        self.sums.insert((g, h), sum);
        sum
    }

    /// Returns -G: the game with the players exchanged.
    pub(crate) fn negative(&mut self, g: Tree) -> Tree {
        let [left, right] = self.options[g].clone().map(|side| {
            let negatives = side.into_iter().map(|option| self.negative(option));
            negatives.collect::<Vec<_>>()
        });
        self.tree(right, left)
    }

    /// Returns G - H.
    pub(crate) fn minus(&mut self, g: Tree, h: Tree) -> Tree {
        let negative = self.negative(h);
        self.sum(g, negative)
    }

    /// Returns the nimber *n.
    pub(crate) fn star(&mut self, n: usize) -> Tree {
        let mut stars: Vec<Tree> = Vec::new();
        for _ in 0..=n {
            stars.push(self.tree(stars.clone(), stars.clone()));
        }
        stars[n]
    }

    /// Returns the simplest form of a number: n is {n - 1 | }, m/2^k is {(m - 1)/2^k |
    /// (m + 1)/2^k}.
    pub(crate) fn of_number(&mut self, number: Units) -> Tree {
        if number == 0 {
            return 0;
        }
        if number % ONE == 0 {
            let nearer = self.of_number(number - ONE * number.signum());
            return if number > 0 {
                self.tree(vec![nearer], Vec::new())
            } else {
                self.tree(Vec::new(), vec![nearer])
            };
        }
        let step = 1 << number.trailing_zeros();
        let (less, more) = (self.of_number(number - step), self.of_number(number + step));
        self.tree(vec![less], vec![more])
    }

    /// Returns the number that a game equals, if there is one. Let d be the depth of the game. The
    /// only candidate is the least multiple of 1/2^(d - 1) that is not less than the game.
    pub(crate) fn number(&mut self, tree: Tree) -> Option<Units> {
        if let Some(&known) = self.numbers.get(&tree) {
            return known;
        }
        let depth = self.depth(tree);
        // Numbers born by day d are multiples of 1/2^(d-1) between -d and d.
        let step = ONE >> (depth.clamp(1, 12) - 1);
        let (mut low, mut high) = (-depth * ONE / step, depth * ONE / step);
        while low < high {
            let middle = (low + high).div_euclid(2);
            let number = self.of_number(middle * step);
            if self.at_most(tree, number) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let number = self.of_number(low * step);
        let found = self.equal(tree, number).then_some(low * step);
        self.numbers.insert(tree, found);
        found
    }

    /// Returns the left stop and the right stop.
    pub(crate) fn stops(&mut self, tree: Tree) -> [Units; 2] {
        if let Some(number) = self.number(tree) {
            return [number; 2];
        }
        let [left, right] = self.options[tree].clone();
        let most = left.into_iter().map(|option| self.stops(option)[1]).max();
        let least = right.into_iter().map(|option| self.stops(option)[0]).min();
        [most, least].map(|stop| stop.expect("a game that is no number has moves of both"))
    }

    /// Returns the left and right stops of G cooled by t, for t = -1, -1 + 1/64, and so on. They
    /// are the best stops of the cooled options, minus t for Left and plus t for Right. From the
    /// temperature at which the two stops meet, they are constant.
    pub(crate) fn cooled(&mut self, tree: Tree) -> Vec<[Units; 2]> {
        if let Some(known) = self.samples.get(&tree) {
            return known.clone();
        }
        let number = self.number(tree);
        // Below temperature 0 the walls of a number are those of its simplest form.
        let simplest = number.map_or(tree, |number| self.of_number(number));
        let [left, right] = self.options[simplest].clone();
        let [left, right] = [left, right]
            .map(|side| -> Vec<_> { side.into_iter().map(|option| self.cooled(option)).collect() });
        // An integer has a vertical mast from temperature -1 on.
        let integer = number.filter(|number| number % ONE == 0);
        let mut mast = integer;
        let samples = (0..SAMPLES).map(|sample| {
            if let Some(mean) = mast {
                return [mean; 2];
            }
            let t = sample as i64 * STEP - ONE;
            let most = left.iter().map(|option| option[sample][1]).max();
            let least = right.iter().map(|option| option[sample][0]).min();
            let [most, least] = [most, least].map(|wall| wall.expect("both have moves"));
            let walls = [most - t, least + t];
            assert!(walls[0] >= walls[1], "the samples are too far apart");
            if walls[0] == walls[1] {
                mast = Some(walls[0]);
            }
            walls
        });
        let samples: Vec<[Units; 2]> = samples.collect();
        self.samples.insert(tree, samples.clone());
        samples
    }

    /// Returns the tree of a canonical form.
    pub(crate) fn of_form(
        &mut self,
        form: Form,
        forms: &mut Forms,
        seen: &mut HashMap<Form, Tree>,
    ) -> Tree {
        if let Some(&known) = seen.get(&form) {
            return known;
        }
        let [left, right] = Player::BOTH.map(|player| {
            let options = forms.options_of(form, player, &Limits::default()).unwrap();
            let trees = options
                .into_iter()
                .map(|option| self.of_form(option, forms, seen));
            trees.collect::<Vec<_>>()
        });
        let tree = self.tree(left, right);
        seen.insert(form, tree);
        tree
    }

    /// Returns whether no option is dominated or reversible, in all positions.
    pub(crate) fn is_canonical(&mut self, tree: Tree) -> bool {
        for side in [0, 1] {
            let options = self.options[tree][side].clone();
            for &option in &options {
                let order = |g: Tree, h: Tree| if side == 0 { (g, h) } else { (h, g) };
                for &other in &options {
                    let (low, high) = order(option, other);
                    if option != other && self.at_most(low, high) {
                        return false;
                    }
                }
                for answer in self.options[option][1 - side].clone() {
                    let (low, high) = order(answer, tree);
                    if self.at_most(low, high) {
                        return false;
                    }
                }
                if !self.is_canonical(option) {
                    return false;
                }
            }
        }
        true
    }
}

/// The difference between the temperatures of adjacent samples of a wall.
pub(crate) const STEP: Units = ONE / 64;
/// The number of samples of a wall, which are taken up to temperature 4. No game of depth 4 has a
/// higher temperature.
pub(crate) const SAMPLES: usize = 5 * 64 + 1;

/// Converts units to a number.
pub(crate) fn dyadic(units: Units) -> Dyadic {
    Dyadic::new(units.into(), 12)
}
