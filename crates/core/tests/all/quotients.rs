//! Answers from misère quotients, compared with brute force: outcomes and all winning moves of sums
//! of heaps under one or several rules.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use grundy_core::argument::Argument;
use grundy_core::limits::stopped_early;
use grundy_core::step::Step;
use grundy_core::{Limits, Outcome, Play, Player, Position, Solver, explain, registry};

/// Misère outcomes by brute force. The sums are small, which bounds the depth of the recursion.
#[derive(Default)]
struct BruteForce {
    known: HashMap<String, bool>,
}

impl BruteForce {
    fn is_p(&mut self, position: &Position) -> bool {
        // Sort the parts, so that sums in another order share an entry.
        let mut parts: Vec<String> = (position.terms().iter())
            .flat_map(|term| term.parts())
            .map(|part| part.text())
            .collect();
        parts.sort();
        let text = parts.join(" + ");
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let options = options(position);
        // In misère play a position without moves is won.
        let lost = !options.is_empty() && !options.iter().any(|option| self.is_p(option));
        self.known.insert(text, lost);
        lost
    }
}

fn options(position: &Position) -> Vec<Position> {
    let mut options = Vec::new();
    let all = stopped_early(position.moves(Player::Left, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    }));
    assert_eq!(all, Ok(false));
    options
}

/// Returns a heap under one of six rules.
fn heap(rules: usize, size: u64) -> Position {
    let size = Argument::Int(size.into());
    let code = |code: &str| vec![(None, Argument::Text(code.into())), (None, size.clone())];
    let (name, arguments) = match rules {
        0 => ("kayles", vec![(None, size)]),
        1 => ("dawsons_kayles", vec![(None, size)]),
        2 => ("take_and_break", code("0.75")),
        3 => ("take_and_break", code("0.123")),
        4 => ("take_and_break", code("4.3")),
        _ => ("grundys_game", vec![(None, size)]),
    };
    Position::from(registry::construct(name, &arguments).unwrap())
}

/// Maximum number of winning moves that get a reason in an explanation.
const REASONS: usize = 20;

/// Compares the answers for random sums with brute force. Returns the number of sums that the
/// library solved with a misère quotient.
fn compare_with_brute_force(sums: usize, seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut play, mut solver) = (BruteForce::default(), Solver::default());
    let mut by_quotient = 0;
    for _ in 0..sums {
        let several = random.bool();
        let rules = random.usize(0..6);
        let terms = (0..random.usize(1..=5)).flat_map(|_| {
            let rules = if several { random.usize(0..6) } else { rules };
            // Smaller heaps in mixed sums keep the brute force fast.
            heap(rules, random.u64(1..=if several { 6 } else { 11 }))
                .terms()
                .to_vec()
        });
        let position = Position::sum(terms.collect::<Vec<_>>()).unwrap();
        let solution = solver
            .solve(&position, Play::Misere, &Limits::default())
            .unwrap();
        let lost = play.is_p(&position);
        assert_eq!(solution.outcome() == Outcome::P, lost, "{position}");
        if solution.method != "misere-quotient" {
            continue;
        }
        by_quotient += 1;
        let found: BTreeSet<String> = solution
            .winning_moves()
            .iter()
            .map(|winning| winning.to.to_string())
            .collect();
        let winning = options(&position)
            .into_iter()
            .filter(|option| play.is_p(option));
        let winning: BTreeSet<String> = winning.map(|option| option.to_string()).collect();
        assert_eq!(found, winning, "{position}");
        // An explanation names the element of each part and their product, and gives a reason for
        // each winning move.
        let steps = explain::steps(
            &position,
            Play::Misere,
            &solution,
            &mut solver,
            &Limits::default(),
        )
        .unwrap();
        let count = |code: &str| steps.iter().filter(|step| step.code == code).count();
        let parts: usize = position.terms().iter().map(|term| term.part_count()).sum();
        assert_eq!(
            count("quotient_element") + count("quotient_element_period"),
            parts,
            "{position}"
        );
        let reasons = winning.len().min(REASONS);
        assert_eq!(count("reason_quotient"), reasons, "{position}");
        let concluded = if lost {
            "quotient_product_p"
        } else {
            "quotient_product_n"
        };
        assert_eq!(count(concluded), 1, "{position}");
    }
    by_quotient
}

#[test]
fn sums_of_up_to_five_small_heaps() {
    let by_quotient = compare_with_brute_force(400, 1);
    assert!(by_quotient > 100, "{by_quotient}");
}

#[test]
#[ignore = "minutes"]
fn a_hundred_thousand_sums() {
    let by_quotient = compare_with_brute_force(100_000, 2);
    assert!(by_quotient >= 25_000, "{by_quotient}");
}

#[test]
fn the_first_winning_moves_get_reasons_and_the_rest_a_count() {
    let mut solver = Solver::default();
    let limits = Limits::default();
    let heaps = [300, 1000, 7].map(|size| heap(0, size));
    let position =
        Position::sum(heaps.iter().flat_map(Position::terms).cloned().collect()).unwrap();
    let solution = solver.solve(&position, Play::Misere, &limits).unwrap();
    let others = solution.winning_moves().len() - REASONS;
    let steps = explain::steps(&position, Play::Misere, &solution, &mut solver, &limits).unwrap();
    let count = |code: &str| steps.iter().filter(|step| step.code == code).count();
    assert_eq!(count("reason_quotient"), REASONS);
    let found = steps.iter().find(|step| step.code == "quotient_more_moves");
    let expected = Step::new("quotient_more_moves").with("count", others);
    assert_eq!(found, Some(&expected));
}

#[test]
fn large_heaps_equal_those_one_period_earlier() {
    let mut solver = Solver::default();
    // Kayles in misère play has period 12 from 71 on, as in normal play.
    for (small, large) in [(72, 72 + 12 * 83_333), (83, 83 + 12), (300, 300 + 12 * 7)] {
        for other in 1..30 {
            let sum = |size| {
                Position::sum([heap(0, size).terms(), heap(0, other).terms()].concat()).unwrap()
            };
            let mut outcome = |position: &Position| {
                solver
                    .outcome(position, Play::Misere, &Limits::default())
                    .unwrap()
            };
            assert_eq!(
                outcome(&sum(small)),
                outcome(&sum(large)),
                "{small} {large} {other}"
            );
        }
    }
}
