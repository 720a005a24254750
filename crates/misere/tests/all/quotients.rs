//! Quotients compared with published ones, with play, and with an independent algorithm.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use grundy_base::limits::{Flow, Limits, Stop, stopped_early};
use grundy_misere::certificate::{Certificate, CertificateError, verify_quotient};
use grundy_misere::quotient::{Family, Monoid, Presentation, Search, learned};

/// An octal code. Heap n is piece n - 1.
#[derive(Clone, Debug)]
struct Octal {
    digits: Vec<u32>,
    most: Option<u32>,
}

impl Octal {
    fn new(code: &str) -> Self {
        let digits = code.chars().filter_map(|digit| digit.to_digit(8));
        Self {
            digits: digits.collect(),
            most: None,
        }
    }
}

impl Family for Octal {
    fn pieces(&self) -> Option<u32> {
        self.most
    }

    fn options(&mut self, piece: u32, visit: &mut dyn FnMut(&[u32]) -> Flow) -> Flow {
        let heap = piece + 1;
        for (take, digit) in (0..=heap).zip(&self.digits) {
            let left = heap - take;
            if digit & 1 != 0 && left == 0 {
                visit(&[])?;
            }
            if digit & 2 != 0 && left > 0 {
                visit(&[left - 1])?;
            }
            if digit & 4 != 0 {
                (1..=left / 2).try_for_each(|a| visit(&[a - 1, left - a - 1]))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the bound of the periodicity theorem for games in which a move leaves at most two
    /// heaps. Pieces are counted from 0.
    fn pieces_needed(&self, preperiod: u32, period: u32) -> Option<u64> {
        let last = self.digits.len() as u64 - 1;
        Some(2 * (u64::from(preperiod) + 1) + 2 * u64::from(period) + last)
    }
}

/// Searches until the quotient of all heaps is proved.
fn until_periodic(code: &str) -> Search<Octal> {
    let mut search = Search::new(Octal::new(code));
    while search.repetition().is_none() {
        search.advance(&Limits::none()).unwrap();
    }
    search
}

/// Returns the certificate of a search.
fn certified(search: &Search<Octal>) -> Certificate {
    let monoid = search.monoid();
    let mut transitions = Vec::new();
    (search.closure()).each(|element, options| transitions.push((element, options)));
    let order = monoid.order() as u32;
    Certificate {
        products: (0..order).map(|x| monoid.row(x).to_vec()).collect(),
        p: (0..order).filter(|&x| monoid.is_p(x)).collect(),
        elements: search.elements(),
        transitions,
        repetition: (search.repetition()).map(|found| (found.preperiod, found.period)),
    }
}

/// Octal codes, each with the order of the quotient, the size of the P-portion, the period, and the
/// preperiod counted in heaps.
const KNOWN: [(&str, usize, usize, u32, u32); 36] = [
    ("0.00", 1, 0, 1, 1),
    ("0.02", 2, 1, 4, 1),
    ("0.10", 2, 1, 1, 2),
    ("0.12", 2, 1, 4, 1),
    ("0.20", 2, 1, 2, 1),
    ("0.22", 6, 2, 3, 1),
    ("0.32", 6, 2, 3, 1),
    ("0.34", 12, 3, 8, 7),
    ("0.52", 6, 2, 4, 6),
    ("0.53", 16, 3, 9, 21),
    ("0.71", 36, 9, 6, 3),
    ("0.72", 24, 5, 4, 16),
    ("0.75", 8, 2, 2, 8),
    ("0.77", 40, 9, 12, 71),
    ("0.102", 2, 1, 6, 1),
    ("0.111", 2, 1, 1, 4),
    ("0.115", 42, 12, 14, 92),
    ("0.122", 6, 2, 5, 1),
    ("0.123", 20, 5, 5, 5),
    ("0.131", 6, 2, 4, 4),
    ("0.144", 30, 5, 10, 12),
    ("0.211", 6, 2, 2, 4),
    ("0.312", 12, 3, 2, 5),
    ("0.351", 22, 6, 8, 4),
    ("0.512", 8, 2, 6, 16),
    ("4.1", 2, 1, 1, 1),
    ("4.5", 2, 1, 1, 1),
    ("0.1021", 6, 2, 6, 5),
    ("0.1023", 20, 5, 7, 6),
    ("0.1032", 20, 5, 7, 8),
    ("0.1213", 6, 2, 3, 1),
    ("0.1232", 46, 12, 6, 6),
    ("0.1233", 46, 12, 6, 6),
    ("0.1321", 20, 5, 5, 6),
    ("0.2012", 20, 5, 5, 4),
    ("0.3101", 14, 4, 2, 5),
];

#[test]
fn published_quotients_are_found_and_certified() {
    for (code, order, p_order, period, preperiod) in KNOWN {
        let search = until_periodic(code);
        let certificate = certified(&search);
        assert_eq!(certificate.products.len(), order, "{code}");
        assert_eq!(certificate.p.len(), p_order, "{code}");
        let repetition = certificate.repetition.unwrap();
        // The table counts heaps from 1, the search counts pieces from 0.
        assert_eq!(repetition, (preperiod - 1, period), "{code}");
        let mut rules = Octal::new(code);
        let checked = verify_quotient(&certificate, &mut rules, &Limits::none());
        assert_eq!(checked, Ok(()), "{code}");
    }
}

/// Outcomes of sums of heaps, from the rules alone.
#[derive(Default)]
struct Play {
    known: HashMap<Vec<u32>, bool>,
}

impl Play {
    /// Returns whether a sum is losing. Sums are small here, which bounds the recursion.
    fn is_p(&mut self, rules: &mut Octal, sum: &[u32]) -> bool {
        let mut sum = sum.to_vec();
        sum.sort_unstable();
        if let Some(&known) = self.known.get(&sum) {
            return known;
        }
        let mut options = HashSet::new();
        for place in 0..sum.len() {
            let rest = [&sum[..place], &sum[place + 1..]].concat();
            let visited = stopped_early(rules.options(sum[place], &mut |left| {
                options.insert([&rest[..], left].concat());
                ControlFlow::Continue(())
            }));
            assert_eq!(visited, Ok(false));
        }
        let lost = !options.is_empty() && !options.iter().any(|option| self.is_p(rules, option));
        self.known.insert(sum, lost);
        lost
    }
}

/// Returns all sums of at most `most` pieces, where the index of each piece is below `pieces`.
fn sums(pieces: u32, most: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = all.len();
        for at in from..to {
            let first = all[at].last().copied().unwrap_or(0);
            for piece in first..pieces {
                all.push([&all[at][..], &[piece]].concat());
            }
        }
        from = to;
    }
    all
}

/// Compares a quotient with play for all small sums. Returns their number.
fn compare_with_play(code: &str, pieces: u32, most: usize) -> usize {
    let mut search = until_periodic(code);
    while search.pieces() < pieces {
        search.advance(&Limits::none()).unwrap();
    }
    let (mut rules, mut play) = (Octal::new(code), Play::default());
    let sums = sums(pieces, most);
    for sum in &sums {
        let elements = sum.iter().map(|&piece| search.element(piece));
        let element = search.monoid().product(elements);
        let told = search.monoid().is_p(element);
        assert_eq!(told, play.is_p(&mut rules, sum), "{code} {sum:?}");
    }
    sums.len()
}

#[test]
fn quotients_decide_every_sum_of_small_heaps() {
    for (code, ..) in KNOWN {
        compare_with_play(code, 8, 4);
    }
    compare_with_play("0.77", 11, 5);
}

#[test]
#[ignore = "a minute"]
fn quotients_decide_100_000_sums() {
    let mut count = 0;
    for (code, ..) in KNOWN {
        count += compare_with_play(code, 13, 5);
    }
    assert!(count >= 100_000, "{count}");
}

/// Counts the classes of sums, where two sums are in the same class if no small sum distinguishes
/// them. All outcomes come from play alone, and the search is not involved.
#[test]
fn orders_equal_the_number_of_classes_found_by_play() {
    // Each case has the code, the number of heaps, the number of summands, and the order.
    let cases = [
        ("0.75", 5, 4, 8),
        ("0.34", 10, 3, 12),
        ("0.312", 4, 4, 12),
        ("0.53", 9, 3, 10),
        ("0.123", 9, 4, 20),
        ("0.351", 9, 4, 22),
        ("0.77", 9, 4, 18),
        ("0.3101", 4, 4, 14),
    ];
    for (code, heaps, most, order) in cases {
        let (mut rules, mut play) = (Octal::new(code), Play::default());
        let sums = sums(heaps, most);
        // A test of fewer summands is enough here. More tests could only split further classes.
        let tests: Vec<&Vec<u32>> = sums.iter().filter(|sum| sum.len() < most).collect();
        let mut rows = HashSet::new();
        for sum in &sums {
            let row = tests
                .iter()
                .map(|test| play.is_p(&mut rules, &[&sum[..], test].concat()));
            rows.insert(row.collect::<Vec<bool>>());
        }
        let mut search = Search::new(Octal::new(code));
        (0..heaps).for_each(|_| assert_eq!(search.advance(&Limits::none()), Ok(true)));
        assert_eq!(rows.len(), order, "{code} by play");
        assert_eq!(search.monoid().order(), order, "{code}");
    }
}

/// Returns whether two monoids are isomorphic, such that the given elements of the pieces
/// correspond. The elements of the pieces generate both monoids.
fn are_one(a: (&Monoid, &[u32]), b: (&Monoid, &[u32])) -> bool {
    let mut image = HashMap::from([(0, 0)]);
    let mut waiting = vec![0];
    while let Some(x) = waiting.pop() {
        let y = image[&x];
        if a.0.is_p(x) != b.0.is_p(y) {
            return false;
        }
        for (&by, &with) in a.1.iter().zip(b.1) {
            let (x, y) = (a.0.times(x, by), b.0.times(y, with));
            match image.insert(x, y) {
                None => waiting.push(x),
                Some(before) if before == y => {}
                Some(_) => return false,
            }
        }
    }
    let images: HashSet<&u32> = image.values().collect();
    image.len() == a.0.order() && images.len() == b.0.order() && b.0.order() == image.len()
}

/// Compares two independent algorithms: the search, and learning from queries and counterexamples.
#[test]
fn search_and_learning_find_the_same_quotient() {
    let cases = [
        ("0.07", 16),
        ("0.15", 14),
        ("0.26", 16),
        ("0.35", 7),
        ("0.77", 12),
        ("0.75", 9),
        ("0.123", 10),
        ("0.144", 14),
        ("0.241", 9),
        ("0.315", 9),
        ("0.3102", 6),
        ("4.7", 8),
        ("4.32", 6),
    ];
    let mut orders = 0;
    for (code, heaps) in cases {
        let mut search = Search::new(Octal::new(code));
        for heaps in 1..=heaps {
            search.advance(&Limits::none()).unwrap();
            let (monoid, elements) =
                learned(&mut Octal::new(code), heaps, &Limits::none()).unwrap();
            let found = search.elements();
            assert!(
                are_one((search.monoid(), &found), (&monoid, &elements)),
                "{code} to {heaps}: {} and {}",
                search.monoid().order(),
                monoid.order()
            );
        }
        orders += search.monoid().order();
    }
    assert!(orders > 200, "{orders}");
}

/// Returns the heaps at which the quotient grows, each with the new order of the quotient.
fn growth(code: &str, heaps: u32) -> Vec<(u32, usize)> {
    let mut search = Search::new(Octal::new(code));
    let mut growth = vec![(0, 1)];
    while search.pieces() < heaps {
        search.advance(&Limits::none()).unwrap();
        let order = search.monoid().order();
        if growth.last().unwrap().1 != order {
            growth.push((search.pieces(), order));
        }
    }
    growth.remove(0);
    growth
}

#[test]
fn orders_of_growing_quotients() {
    let grown = growth("0.26", 38);
    assert_eq!(grown.last(), Some(&(37, 162)));
    assert!(grown.contains(&(33, 128)) && grown.contains(&(35, 144)));
    assert_eq!(growth("0.07", 24), [(2, 2), (4, 6), (10, 12), (14, 24)]);
}

/// Tests Dawson's Kayles far beyond what play can decide. The transition algebra proves each order.
#[test]
#[ignore = "two minutes"]
fn dawsons_kayles_to_heap_33() {
    let after = [
        (25, 144),
        (27, 176),
        (30, 360),
        (31, 520),
        (32, 552),
        (33, 638),
    ];
    assert_eq!(growth("0.07", 33)[4..], after);
}

#[test]
fn relations_hold_and_words_have_their_elements() {
    for (code, order, ..) in KNOWN {
        let search = until_periodic(code);
        let monoid = search.monoid();
        let presentation = Presentation::of(monoid, search.elements());
        let element = |word: &Vec<u32>| {
            let factors = word.iter().zip(&presentation.generators);
            let factors =
                factors.flat_map(|(&count, &generator)| (0..count).map(move |_| generator));
            monoid.product(factors)
        };
        for (left, right) in &presentation.relations {
            assert_eq!(element(left), element(right), "{code}");
        }
        // The irreducible products are as many as the elements, and they have different elements.
        let words: HashSet<u32> = presentation.words.iter().map(element).collect();
        assert_eq!(words.len(), order, "{code}");
        let reducible = |word: &Vec<u32>| {
            (presentation.relations.iter())
                .any(|(left, _)| left.iter().zip(word).all(|(a, b)| a <= b))
        };
        assert!(!presentation.words.iter().any(reducible), "{code}");
    }
}

#[test]
fn known_monoids_are_named() {
    for (code, name) in [
        ("0.00", "T_0"),
        ("0.02", "T_1"),
        ("0.22", "T_2"),
        ("0.75", "R_8"),
        ("0.512", "R_8"),
        ("0.34", "S_12"),
        ("0.312", "S_12"),
    ] {
        let name = Some(name.to_owned());
        assert_eq!(until_periodic(code).monoid().name(), name, "{code}");
    }
    assert_eq!(until_periodic("0.77").monoid().name(), None);
}

#[test]
fn kayles_matches_the_published_quotient() {
    let search = until_periodic("0.77");
    let monoid = search.monoid();
    let elements = search.elements();
    let presentation = Presentation::of(monoid, elements.iter().copied());
    // The heaps at which W. L. Sibert and J. H. Conway (Mathematical Kayles, 1992) find something
    // new.
    let first = |generator: &u32| {
        elements
            .iter()
            .position(|element| element == generator)
            .unwrap()
            + 1
    };
    let heaps: Vec<usize> = presentation.generators.iter().map(first).collect();
    assert_eq!(heaps, [1, 2, 5, 9, 12, 25, 27]);
    assert_eq!(monoid.idempotents().len(), 5);
    assert_eq!(monoid.kernel().len(), 16);
    let mut members: Vec<u32> = monoid
        .components()
        .into_iter()
        .flat_map(|(_, of)| of)
        .collect();
    members.sort_unstable();
    assert!(members.into_iter().eq(0..40));
}

#[test]
fn a_stopped_search_resumes() {
    let mut whole = until_periodic("0.144");
    // A limit stops the search in the middle of a step. The search must be unchanged and able to
    // continue.
    let mut search = Search::new(Octal::new("0.144"));
    let tight = Limits {
        positions: 40,
        ..Limits::none()
    };
    loop {
        match search.advance(&tight) {
            Ok(more) => assert!(more),
            Err(stop) => break assert_eq!(stop, Stop::Positions(40)),
        }
    }
    let (before, monoid) = (search.pieces(), search.monoid().clone());
    assert!(before < whole.pieces());
    let mut resumed = Search::new(Octal::new("0.144"));
    let elements = search.elements();
    assert_eq!(
        resumed.resume(monoid, elements, search.stable(), &Limits::none()),
        Ok(true)
    );
    for mut search in [search, resumed] {
        while search.repetition().is_none() {
            search.advance(&Limits::none()).unwrap();
        }
        assert_eq!(search.monoid(), whole.monoid());
        assert_eq!(search.elements(), whole.elements());
    }
    // Elements that were exchanged are rejected.
    let mut elements = whole.elements();
    elements.swap(0, 4);
    let monoid = whole.monoid().clone();
    assert_eq!(
        whole.resume(monoid, elements, 0, &Limits::none()),
        Ok(false)
    );
}

#[test]
fn forged_certificates_are_refused() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut refused = 0;
    for code in ["0.34", "0.75", "0.71", "0.123"] {
        let search = until_periodic(code);
        let certificate = certified(&search);
        for _ in 0..60 {
            let mut forged = certificate.clone();
            let order = forged.products.len();
            let element = |random: &mut fastrand::Rng| random.u32(0..order as u32);
            match random.u8(0..10) {
                0 => {
                    let (x, y) = (random.usize(0..order), random.usize(0..order));
                    forged.products[x][y] = element(&mut random);
                    forged.products[y][x] = forged.products[x][y];
                }
                1 => _ = forged.p.remove(random.usize(0..forged.p.len())),
                2 => {
                    forged.p.push(element(&mut random));
                    forged.p.sort_unstable();
                    forged.p.dedup();
                }
                3 => {
                    let at = random.usize(0..forged.elements.len());
                    forged.elements[at] = element(&mut random);
                }
                4 => {
                    let at = random.usize(0..forged.transitions.len());
                    forged.transitions.remove(at);
                }
                5 => {
                    let at = random.usize(0..forged.transitions.len());
                    forged.transitions[at].1 = vec![element(&mut random)];
                }
                6 => forged.repetition = forged.repetition.map(|(from, period)| (from, 2 * period)),
                7 => forged.repetition = forged.repetition.map(|(from, period)| (from + 1, period)),
                8 => _ = forged.elements.pop(),
                _ => forged.transitions.push((element(&mut random), vec![0])),
            }
            if forged == certificate {
                continue;
            }
            let checked = verify_quotient(&forged, &mut Octal::new(code), &Limits::none());
            // Two changes are harmless. One heap less may still be enough for the theorem, and
            // another heap may have the same transition.
            let enough = forged.elements.len() as u64;
            let harmless = forged.elements.len() < certificate.elements.len()
                && forged
                    .repetition
                    .and_then(|(a, b)| Octal::new(code).pieces_needed(a, b))
                    <= Some(enough);
            if checked.is_ok() {
                assert!(harmless, "{code}: {:?}", forged.repetition);
            } else {
                assert!(!matches!(checked, Err(CertificateError::Stopped(_))));
                refused += 1;
            }
        }
    }
    assert!(refused >= 200, "{refused}");
}

/// Tests monoids that are not tame. A monoid may have the order of a tame quotient without being
/// tame. `name` must decide this quickly, whatever the number of generators.
#[test]
fn monoids_of_tame_order_need_not_be_tame() {
    for (code, heaps) in [("0.56", 60), ("4.7", 12)] {
        let mut search = Search::new(Octal::new(code));
        (0..heaps).for_each(|_| assert_eq!(search.advance(&Limits::none()), Ok(true)));
        let monoid = search.monoid();
        let tame = monoid.name().is_some_and(|name| name.starts_with('T'));
        let firm = monoid.order() - 2;
        let like = firm.is_power_of_two()
            && monoid.idempotents().len() == 2
            && monoid.kernel().len() == firm;
        assert_eq!(tame, like, "{code}");
    }
}
