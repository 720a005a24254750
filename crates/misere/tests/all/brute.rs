//! Comparison with an independent implementation of the definitions. Games are lists of options and
//! are never simplified. Outcomes of sums are found by trying all moves.

use std::collections::HashMap;

use grundy_base::Limits;
use grundy_forms::text::{Item, parse};
use grundy_misere::{Class, Form, Forms};

/// Games, given by their indices. For each game, `options` has the indices of its options.
#[derive(Default)]
struct Trees {
    options: Vec<Vec<usize>>,
    outcomes: HashMap<(Vec<usize>, bool), bool>,
}

impl Trees {
    /// Adds a game and returns its index.
    fn add(&mut self, options: Vec<usize>) -> usize {
        self.options.push(options);
        self.options.len() - 1
    }

    /// Returns the heaps *0 to *n.
    fn nim(&mut self, n: usize) -> Vec<usize> {
        let mut heaps = Vec::new();
        for _ in 0..=n {
            let heap = self.add(heaps.clone());
            heaps.push(heap);
        }
        heaps
    }

    /// Returns whether a sum is a P-position.
    fn is_p(&mut self, sum: &[usize], misere: bool) -> bool {
        let mut sum: Vec<usize> = sum.to_vec();
        // Games without moves change no outcome, and order does not matter. So these sums share an
        // entry.
        sum.retain(|&game| !self.options[game].is_empty());
        sum.sort_unstable();
        if sum.is_empty() {
            return !misere;
        }
        if let Some(&known) = self.outcomes.get(&(sum.clone(), misere)) {
            return known;
        }
        let mut p = true;
        for place in 0..sum.len() {
            for option in self.options[sum[place]].clone() {
                let mut moved = sum.clone();
                moved[place] = option;
                p = p && !self.is_p(&moved, misere);
            }
        }
        self.outcomes.insert((sum, misere), p);
        p
    }

    /// Returns the nim-value of a sum: the n for which the sum plus *n is a P-position.
    fn value(&mut self, sum: &[usize], heaps: &[usize], misere: bool) -> usize {
        let mut beside = sum.to_vec();
        beside.push(0);
        let is = (0..heaps.len()).filter(|&n| {
            *beside.last_mut().unwrap() = heaps[n];
            self.is_p(&beside, misere)
        });
        let is: Vec<usize> = is.collect();
        assert_eq!(is.len(), 1, "a nim-value exists once");
        is[0]
    }

    /// Returns a sum as one game.
    fn sum(&mut self, a: usize, b: usize) -> usize {
        let mut known = HashMap::new();
        self.sum_of(a, b, &mut known)
    }

    /// Returns the sum of two games as one game. `known` is a cache of the sums of positions of
    /// these games.
    fn sum_of(&mut self, a: usize, b: usize, known: &mut HashMap<(usize, usize), usize>) -> usize {
        if let Some(&sum) = known.get(&(a, b)) {
            return sum;
        }
        let mut options = Vec::new();
        for option in self.options[a].clone() {
            options.push(self.sum_of(option, b, known));
        }
        for option in self.options[b].clone() {
            options.push(self.sum_of(a, option, known));
        }
        let sum = self.add(options);
        known.insert((a, b), sum);
        sum
    }

    /// Returns the game tree of a form.
    fn of_form(&mut self, forms: &Forms, form: Form) -> usize {
        let mut known = HashMap::new();
        self.of(forms, form, &mut known)
    }

    /// Returns the game tree of a form. `known` is a cache of the trees of its positions.
    fn of(&mut self, forms: &Forms, form: Form, known: &mut HashMap<Form, usize>) -> usize {
        if let Some(&game) = known.get(&form) {
            return game;
        }
        let options = forms.options(form).collect::<Vec<_>>();
        let options = options
            .into_iter()
            .map(|option| self.of(forms, option, known));
        let options = options.collect();
        let game = self.add(options);
        known.insert(form, game);
        game
    }

    /// Returns the canonical forms of all games.
    fn forms(&self, forms: &mut Forms) -> Vec<Form> {
        let mut all: Vec<Form> = Vec::new();
        for options in &self.options {
            let options: Vec<Form> = options.iter().map(|&option| all[option]).collect();
            all.push(forms.of_options(&options, &Limits::default()).unwrap());
        }
        all
    }
}

/// Returns games that begin with the heaps *0 to *most, followed by `count` random games. The
/// options of each random game are some of *0, *1, *2 and the earlier random games. Also returns
/// the heaps.
fn random(most: usize, count: usize, random: &mut fastrand::Rng) -> (Trees, Vec<usize>) {
    let mut trees = Trees::default();
    let heaps = trees.nim(most);
    // Of the heaps only *0, *1 and *2 serve as options. The larger heaps are needed to find
    // nim-values.
    let mut games: Vec<usize> = heaps[..3].to_vec();
    for _ in 0..count {
        let part = random.u32(2..5);
        let options = games.iter().copied().filter(|_| random.u32(0..part) == 0);
        let options = options.collect();
        games.push(trees.add(options));
    }
    (trees, heaps)
}

#[test]
fn random_games_have_the_outcomes_and_genera_of_their_trees() {
    let limits = Limits::default();
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..1250 {
        let (mut trees, heaps) = random(16, 8, &mut rng);
        let mut forms = Forms::default();
        let all = trees.forms(&mut forms);
        for (game, &form) in all.iter().enumerate().skip(heaps.len()) {
            assert_eq!(forms.is_p(form), trees.is_p(&[game], true));
            assert_eq!(
                forms.grundy(form) as usize,
                trees.value(&[game], &heaps, false)
            );
            let genus = forms.genus(form, &limits).unwrap();
            assert_eq!(genus.grundy(), forms.grundy(form));
            // The bound that is proved in the documentation of `Genus`.
            assert!(genus.digits().len() <= forms.birthday(form) as usize + 3);
            let mut sum = vec![game];
            // Three digits more than are stored, so that the repetition is checked, too.
            for i in 0..genus.digits().len() + 3 {
                assert_eq!(genus.digit(i) as usize, trees.value(&sum, &heaps, true));
                sum.push(heaps[2]);
            }
            assert_eq!(forms.genus_of_sum(&[form], &limits).unwrap(), genus);
            // No stored digit is redundant.
            let digits = genus.digits();
            assert!(digits.len() < 3 || digits[digits.len() - 3] != digits[digits.len() - 1]);
        }
    }
}

#[test]
fn forms_are_equal_iff_no_game_distinguishes_their_trees() {
    let limits = Limits::default();
    let mut rng = fastrand::Rng::with_seed(2);
    let (mut equal, mut different) = (0, 0);
    for _ in 0..200 {
        let (mut trees, _) = random(3, 9, &mut rng);
        let mut forms = Forms::default();
        let all = trees.forms(&mut forms);
        let count = trees.options.len();
        // Games of day 4 serve as third games: they distinguish almost all small games.
        let born = forms.born_by(4, &limits).unwrap();
        let born: Vec<usize> = born
            .iter()
            .map(|&form| trees.of_form(&forms, form))
            .collect();
        let tests: Vec<usize> = (0..count).chain(born).collect();
        for a in 0..count {
            for b in 0..a {
                let witness = forms.distinguishing_game(all[a], all[b], &limits).unwrap();
                let Some(witness) = witness else {
                    assert_eq!(all[a], all[b]);
                    equal += 1;
                    for &test in &tests {
                        assert_eq!(trees.is_p(&[a, test], true), trees.is_p(&[b, test], true));
                    }
                    continue;
                };
                different += 1;
                let witness = trees.of_form(&forms, witness);
                assert_ne!(
                    trees.is_p(&[a, witness], true),
                    trees.is_p(&[b, witness], true)
                );
            }
        }
    }
    assert!(equal > 1000 && different > 1000, "{equal} {different}");
}

#[test]
fn sums_and_mates_match_the_trees() {
    let limits = Limits::default();
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let (mut trees, heaps) = random(16, 6, &mut rng);
        let games = [0, 1].map(|_| rng.usize(heaps.len()..trees.options.len()));
        let [a, b] = games;
        let sum = trees.sum(a, b);
        let mut forms = Forms::default();
        let all = trees.forms(&mut forms);
        assert_eq!(forms.plus(all[a], all[b], &limits).unwrap(), all[sum]);
        assert_eq!(forms.sum(&[all[b], all[a]], &limits).unwrap(), all[sum]);
        let parts = [all[a], all[b]];
        let genus = forms.genus_of_sum(&parts, &limits).unwrap();
        assert_eq!(genus, forms.genus(all[sum], &limits).unwrap());
        assert_eq!(
            forms.is_p_sum(&parts, &limits).unwrap(),
            trees.is_p(&games, true)
        );
        assert_eq!(genus.digit(0) as usize, trees.value(&games, &heaps, true));
        let three = [all[a], all[b], all[a]];
        let at_once = forms.sum(&three, &limits).unwrap();
        let genus = forms.genus(at_once, &limits).unwrap();
        assert_eq!(forms.genus_of_sum(&three, &limits).unwrap(), genus);

        let mate = forms.mate(all[a], &limits).unwrap();
        assert_eq!(forms.is_p(mate), trees.is_p(&[a], false));
        let mate = trees.of_form(&forms, mate);
        assert!(trees.is_p(&[a, mate], true));
        assert_eq!(trees.is_p(&[mate], false), trees.is_p(&[a], true));
    }
}

/// Compares canonical forms with their trees: birthdays, options and parity.
#[test]
fn canonical_forms_are_smallest_and_have_the_right_parity() {
    let limits = Limits::default();
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let (trees, heaps) = random(3, 8, &mut rng);
        let mut forms = Forms::default();
        let all = trees.forms(&mut forms);
        let mut longest: Vec<u32> = Vec::new();
        for options in &trees.options {
            let below = options.iter().map(|&option| longest[option] + 1).max();
            longest.push(below.unwrap_or(0));
        }
        for (game, &form) in all.iter().enumerate().skip(heaps.len()) {
            assert!(forms.birthday(form) <= longest[game]);
            assert!(forms.option_count(form) <= trees.options[game].len());
            let of_form = forms.options(form).map(|option| forms.birthday(option) + 1);
            assert_eq!(of_form.max().unwrap_or(0), forms.birthday(form));
            // Simplification only removes options, so every option of the form is an option of the
            // game.
            assert!(
                forms
                    .options(form)
                    .all(|option| trees.options[game].iter().any(|&o| all[o] == option))
            );
            let again: Vec<Form> = forms.options(form).collect();
            assert_eq!(forms.of_options(&again, &limits).unwrap(), form);
            let with_star = form.plus_star();
            assert_eq!(
                forms.birthday(form) < forms.birthday(with_star),
                form.is_even()
            );
            assert_eq!(forms.plus(form, Form::STAR, &limits).unwrap(), with_star);
            let nimber = forms
                .nim_heap(form)
                .map(|n| forms.nimber(n, &limits).unwrap());
            assert!(nimber.is_none_or(|nimber| nimber == form));
        }
        assert_eq!(forms.nim_heap(all[heaps[3]]), Some(3));
    }
}

/// Tests that texts read back. The text is parsed as a literal of partizan games, in which stars
/// and brackets have the same meaning.
#[test]
fn texts_read_back_as_the_same_form() {
    let limits = Limits::default();
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..400 {
        let (trees, _) = random(5, 9, &mut rng);
        let mut forms = Forms::default();
        for form in trees.forms(&mut forms) {
            let Some(text) = forms.write(form, 10_000, &limits).unwrap() else {
                continue;
            };
            let short = text.len() - 1;
            assert_eq!(forms.write(form, short, &limits).unwrap(), None);
            let mut values: Vec<Form> = Vec::new();
            for item in parse(&text).unwrap().items {
                values.push(match item {
                    Item::Packed(packed) => forms.nimber(packed.star as u32, &limits).unwrap(),
                    Item::Braces { left, right } => {
                        assert_eq!(left, right);
                        let options: Vec<Form> =
                            left.iter().map(|&option| values[option as usize]).collect();
                        forms.of_options(&options, &limits).unwrap()
                    }
                    item => panic!("{item:?} in {text}"),
                });
            }
            assert_eq!(values.last(), Some(&form), "{text}");
        }
    }
}

/// Returns the games born by day 4, and random games. The options of the random games are among the
/// first 90 games. Many of the random games have options that revert to tame games.
fn games_of_all_classes(forms: &mut Forms, rng: &mut fastrand::Rng) -> Vec<Form> {
    let limits = Limits::default();
    let mut games = forms.born_by(4, &limits).unwrap();
    for _ in 0..600 {
        let many = rng.usize(1..6);
        let options: Vec<Form> = (0..many)
            // Options come from the first 90 games only, so that the birthdays stay small.
            .map(|_| games[rng.usize(0..games.len().min(90))])
            .collect();
        games.push(forms.of_options(&options, &limits).unwrap());
    }
    games.sort_unstable();
    games.dedup();
    games
}

#[test]
fn classes_predict_the_outcomes_of_sums() {
    let limits = Limits::default();
    let mut forms = Forms::default();
    let mut rng = fastrand::Rng::with_seed(7);
    let games = games_of_all_classes(&mut forms, &mut rng);
    let classes: Vec<Class> = (games.iter())
        .map(|&game| forms.class(game, &limits).unwrap())
        .collect();
    let of = |wanted: &dyn Fn(Class) -> bool| -> Vec<Form> {
        let both = games.iter().zip(&classes);
        both.filter(|&(_, &class)| wanted(class))
            .map(|(&game, _)| game)
            .collect()
    };
    for class in [
        Class::NimHeap,
        Class::Tame,
        Class::ReversiblyTame,
        Class::Restive,
        Class::Restless,
        Class::Wild,
    ] {
        let found = of(&|other| other == class).len();
        assert!(found > 2, "{}: {found}", class.name());
    }
    // A sum of tame games, reversibly or not, has the outcome of Nim heaps of the same types.
    let tame = of(&Class::is_tame);
    for _ in 0..2000 {
        let sum: Vec<Form> = (0..rng.usize(1..4))
            .map(|_| tame[rng.usize(0..tame.len())])
            .collect();
        let mut xor = 0;
        let mut fickle = true;
        for &part in &sum {
            xor ^= forms.grundy(part);
            fickle = fickle && forms.is_fickle(part, &limits).unwrap().unwrap();
        }
        let p = xor == u32::from(fickle);
        assert_eq!(forms.is_p_sum(&sum, &limits).unwrap(), p);
    }
    // In a sum with Nim heaps, a restive game acts as a heap of one of two sizes.
    let restive = of(&|class| class == Class::Restive);
    for _ in 0..2000 {
        let game = restive[rng.usize(0..restive.len())];
        let (g, misere) = (forms.grundy(game), forms.misere_grundy(game));
        let heaps: Vec<u32> = (0..rng.usize(0..4)).map(|_| rng.u32(0..7)).collect();
        let near = |n: u32| n <= 1 || n ^ misere <= 1;
        let size = if heaps.iter().all(|&n| near(n)) {
            misere
        } else {
            g
        };
        let p = heaps.iter().fold(size, |xor, n| xor ^ n) == 0;
        let mut sum = vec![game];
        for n in heaps {
            sum.push(forms.nimber(n, &limits).unwrap());
        }
        assert_eq!(forms.is_p_sum(&sum, &limits).unwrap(), p);
    }
    // The theorem for tame types fails for some wild games of such a type.
    let wild = of(&|class| class == Class::Wild);
    let mut broken = 0;
    for &game in &wild {
        if forms.grundy(game) != forms.misere_grundy(game) {
            continue;
        }
        for &part in &tame {
            let xor = forms.grundy(game) ^ forms.grundy(part);
            broken += u32::from(forms.is_p_sum(&[game, part], &limits).unwrap() != (xor == 0));
        }
    }
    assert!(broken > 0);
}

#[test]
fn half_tame_games_are_tame_only_when_doubled() {
    let limits = Limits::default();
    let mut forms = Forms::default();
    let games = forms.born_by(4, &limits).unwrap();
    let two = forms.nimber(2, &limits).unwrap();
    let mut half = 0;
    for game in games {
        if forms.is_half_tame(game, &limits).unwrap() {
            half += 1;
            assert!(!forms.class(game, &limits).unwrap().is_tame());
            // In sums with Nim heaps, two copies act like *2 + *2.
            for n in 0..6 {
                let heap = forms.nimber(n, &limits).unwrap();
                let sums = [[game, game, heap], [two, two, heap]];
                let [one, other] = sums.map(|sum| forms.is_p_sum(&sum, &limits).unwrap());
                assert_eq!(one, other);
            }
        }
    }
    assert!(half > 0);
}

#[test]
fn limits_are_respected_and_cycles_rejected() {
    let mut forms = Forms::default();
    let few = Limits {
        positions: 100,
        ..Limits::default()
    };
    let nimber = forms.nimber(1_000_000, &few);
    assert!(nimber.is_err());
    // Kayles up to a heap of 30 exceeds all the limits below.
    let kayles = |most: usize| -> Vec<Vec<Vec<usize>>> {
        let options = |heap: usize| {
            let taken = (1..=2).filter(move |&taken| taken <= heap);
            let left = taken.flat_map(move |taken| {
                let left = heap - taken;
                (0..=left / 2).map(move |part| vec![part, left - part])
            });
            left.collect()
        };
        (0..=most).map(options).collect()
    };
    assert!(forms.heaps(&kayles(30), &few).is_err());
    assert!(grundy_misere::heap_genera(&kayles(30), &few).is_err());
    let little = Limits {
        memory: 20_000,
        ..Limits::default()
    };
    assert!(Forms::default().heaps(&kayles(30), &little).is_err());
    assert!(grundy_misere::heap_genera(&kayles(30), &little).is_err());
    let stopped = Limits {
        interrupted: &|| Some(grundy_base::Stop::Time),
        ..Limits::default()
    };
    assert_eq!(
        Forms::default().heaps(&kayles(30), &stopped),
        Err(grundy_base::Stop::Time)
    );
    assert_eq!(
        grundy_misere::heap_genera(&kayles(30), &stopped),
        Err(grundy_base::Stop::Time)
    );
    let circle = [vec![vec![0]]];
    assert_eq!(forms.heaps(&circle, &few), Err(grundy_base::Stop::Cyclic));
    assert_eq!(
        grundy_misere::heap_genera(&circle, &few),
        Err(grundy_base::Stop::Cyclic)
    );
}

/// Distinguishes the towers *2, {*2}, {{*2}}, ... in pairs, in which the second tower is two moves
/// higher. The two genera are equal, except in the first pair.
#[test]
fn the_proof_distinguishes_games_that_no_small_game_does() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let mut towers = vec![forms.nimber(2, &limits).unwrap()];
    for height in 0..30 {
        towers.push(forms.of_options(&towers[height..], &limits).unwrap());
    }
    let mut latest = 0;
    for (low, high) in towers.iter().zip(&towers[2..]) {
        let witness = forms
            .distinguishing_game(*low, *high, &limits)
            .unwrap()
            .unwrap();
        latest = latest.max(forms.birthday(witness));
    }
    // The witnesses are not among the small games, so they come from the construction of the proof.
    assert!(latest > 4);
}

/// Tests deep forms. The tower {{{...{2}...}}} does not simplify, and any recursion over it would
/// overflow the stack.
#[test]
fn a_tower_of_100_000_moves_does_not_overflow_the_stack() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let mut top = forms.nimber(2, &limits).unwrap();
    let two = top;
    for _ in 0..100_000 {
        top = forms.of_options(&[top], &limits).unwrap();
    }
    assert_eq!(forms.birthday(top), 100_002);
    let genus = forms.genus(top, &limits).unwrap();
    assert!(genus.digits().len() <= 100_005);
    forms.class(top, &limits).unwrap();
    let mate = forms.mate(top, &limits).unwrap();
    let text = forms.write(top, 1 << 20, &limits).unwrap().unwrap();
    assert_eq!(text.len(), 300_002);
    let sum = forms.plus(top, two, &limits).unwrap();
    assert_ne!(sum, top);
    // Exchanging 0 and * does not change *2.
    assert_eq!(mate, top);
    let below = forms.options(top).next().unwrap();
    assert!(
        forms
            .distinguishing_game(top, below, &limits)
            .unwrap()
            .is_some()
    );
}
