//! Genera, misère forms and distinguishing games, compared with misère play by the definition.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

use grundy_core::{Limits, Player, Position, Solver, Stop};

use super::kinds::KINDS;
use super::random::Random;
use super::rules::{LEFT, Part, Rules};
use super::text::read;

/// Maximum number of positions of a game in this test.
const MOST: usize = 400;

/// Number of digits of a genus that are compared.
const DIGITS: usize = 5;

/// Returns all reachable positions, or `None` if there are more than [`MOST`].
fn reached(rules: &dyn Rules, start: &Part) -> Option<HashSet<Part>> {
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    while let Some(part) = open.pop() {
        for (_, to) in rules.options(&part, LEFT) {
            if seen.insert(to.clone()) {
                open.push(to);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(seen)
}

/// Returns whether the game is loopy.
fn is_loopy(rules: &dyn Rules, all: &HashSet<Part>) -> bool {
    // Remove positions whose options all end. If some are never removed, they contain a cycle.
    let mut ended: HashSet<&Part> = HashSet::new();
    loop {
        let before = ended.len();
        for part in all {
            let mut options = rules.options(part, LEFT).into_iter();
            if options.all(|(_, to)| all.get(&to).is_some_and(|to| ended.contains(to))) {
                ended.insert(part);
            }
        }
        if ended.len() == before {
            return before < all.len();
        }
    }
}

/// Sizes of nonempty Nim heaps, in ascending order.
type Heaps = Vec<usize>;

/// Returns whether the player to move loses the sum of a game and Nim heaps in misère play, by
/// searching the whole game tree.
fn loses(
    rules: &dyn Rules,
    part: &Part,
    heaps: &Heaps,
    known: &mut HashMap<(Part, Heaps), bool>,
) -> bool {
    let key = (part.clone(), heaps.clone());
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let options = rules.options(part, LEFT);
    // In misère play a player without a move has won.
    let ends = options.is_empty() && heaps.is_empty();
    let mut loses_all = options
        .iter()
        .all(|(_, to)| !loses(rules, to, heaps, known));
    for (index, &heap) in heaps.iter().enumerate() {
        for left in 0..heap {
            let mut heaps = heaps.clone();
            heaps[index] = left;
            heaps.retain(|&heap| heap > 0);
            heaps.sort_unstable();
            loses_all = loses_all && !loses(rules, part, &heaps, known);
        }
    }
    let answer = !ends && loses_all;
    known.insert(key, answer);
    answer
}

/// Returns the digits of the genus by their definition. Digit k, counted from 0, is the size of the
/// Nim heap whose sum with the game and k copies of *2 is a P-position in misère play.
fn digits(rules: &dyn Rules, part: &Part) -> Vec<u32> {
    let mut known = HashMap::new();
    let digits = (0..DIGITS).map(|twos| {
        // 64 is larger than every digit of the genus of such small games.
        let heap = (0..64).find(|&heap| {
            let mut heaps = vec![2; twos];
            heaps.extend((heap > 0).then_some(heap));
            heaps.sort_unstable();
            loses(rules, part, &heaps, &mut known)
        });
        heap.expect("one heap does") as u32
    });
    digits.collect()
}

/// Returns the Grundy value by the mex.
fn grundy(rules: &dyn Rules, part: &Part, known: &mut HashMap<Part, u32>) -> u32 {
    if let Some(&known) = known.get(part) {
        return known;
    }
    let options = rules.options(part, LEFT).into_iter();
    let values: BTreeSet<u32> = options.map(|(_, to)| grundy(rules, &to, known)).collect();
    let value = (0..).find(|value| !values.contains(value)).unwrap_or(0);
    known.insert(part.clone(), value);
    value
}

/// Returns whether the player to move loses in misère play, by searching the whole game tree.
fn loses_position(position: &Position, known: &mut HashMap<Position, bool>) -> bool {
    if let Some(&known) = known.get(position) {
        return known;
    }
    let mut options = Vec::new();
    let _ = position.moves(Player::Left, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    let answer = !options.is_empty() && options.iter().all(|option| !loses_position(option, known));
    known.insert(position.clone(), answer);
    answer
}

/// Counts of the tested rulesets (`kinds`), positions (`games`) and pairs of positions.
/// `distinguished` is the number of pairs for which a distinguishing game was found.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) kinds: usize,
    pub(crate) games: usize,
    pub(crate) loopy: usize,
    pub(crate) equal: usize,
    pub(crate) distinguished: usize,
}

/// Compares genera, forms and distinguishing games with the definition, on random positions.
pub(crate) fn check(random: &mut Random) -> Counts {
    let (mut counted, limits) = (Counts::default(), Limits::default());
    let mut solver = Solver::default();
    let mut last: Option<Position> = None;
    for kind in KINDS.iter().filter(|kind| kind.file.is_none()) {
        let mut games = 0;
        for size in [1, 2, 2, 3, 3, 3, 4, 4] {
            let term = (kind.term)(random, size);
            let rules = &*term.rules;
            if rules.is_partizan() {
                continue;
            }
            let Some(all) = reached(rules, &term.start) else {
                continue;
            };
            let source = rules.source(&term.start, None);
            let position = read(&source).unwrap();
            if !position.nature().is_impartial() {
                continue;
            }
            games += 1;
            if is_loopy(rules, &all) {
                let refused = solver.misere_form(&position, &limits);
                assert_eq!(refused, Err(Stop::Cyclic), "{source}");
                counted.loopy += 1;
                continue;
            }
            let form = solver.misere_form(&position, &limits).unwrap();
            let (genus, class) = solver.genus(&position, &limits).unwrap();
            let by_positions =
                grundy_core::values::misere_forms::genus_by_positions(&position, &limits).unwrap();
            assert_eq!(genus, by_positions, "{source}");
            let found: Vec<u32> = (0..DIGITS).map(|i| genus.digit(i)).collect();
            assert_eq!(found, digits(rules, &term.start), "{source}: {genus}");
            let value = grundy(rules, &term.start, &mut HashMap::new());
            assert_eq!(genus.grundy(), value, "{source}");
            let forms = &mut solver.misere_values().theory.forms;
            assert_eq!(class, Some(forms.class(form, &limits).unwrap()));
            let Some(text) = forms.write(form, 400, &limits).unwrap() else {
                continue;
            };
            // The form parses to the same game, and the sum of a game and its mate is a P-position.
            let literal = read(&format!("literal(\"{text}\")")).unwrap();
            assert_eq!(solver.misere_form(&literal, &limits), Ok(form), "{source}");
            let forms = &mut solver.misere_values().theory.forms;
            let mate = forms.mate(form, &limits).unwrap();
            assert!(forms.is_p_sum(&[form, mate], &limits).unwrap(), "{source}");
            if let Some(other) = last.replace(literal.clone()) {
                compare(&literal, &other, &mut solver, &mut counted);
            }
            // The game and its form are equal, so they have the same outcome in every sum.
            check_in_sums(&position, &literal);
        }
        counted.kinds += usize::from(games > 0);
        counted.games += games;
    }
    counted
}

/// Checks that a game and its misère canonical form have the same outcome in sums with some test
/// games.
fn check_in_sums(game: &Position, form: &Position) {
    // The list includes wild games, which nim heaps alone do not represent.
    for other in ["0", "*", "*2", "*[*2]", "*[*[*2],0]", "*[*3,*[*2]]"] {
        let other = read(&format!("literal(\"{other}\")")).unwrap();
        let [one, two] = [game, form]
            .map(|position| loses_position(&sum(position, &other), &mut HashMap::new()));
        assert_eq!(one, two, "{game} and {form}, each plus {other}");
    }
}

fn sum(one: &Position, other: &Position) -> Position {
    let terms = one.terms().iter().chain(other.terms());
    Position::sum(terms.cloned().collect()).unwrap()
}

/// Checks the game that the library finds to distinguish two positions in misère play. Its sums
/// with the two positions must have different outcomes.
fn compare(one: &Position, other: &Position, solver: &mut Solver, counted: &mut Counts) {
    let limits = Limits::default();
    let forms = [one, other].map(|position| solver.misere_form(position, &limits).unwrap());
    let known = &mut solver.misere_values().theory.forms;
    let Some(witness) = known
        .distinguishing_game(forms[0], forms[1], &limits)
        .unwrap()
    else {
        assert_eq!(forms[0], forms[1]);
        counted.equal += 1;
        return;
    };
    let Some(text) = known.write(witness, 200, &limits).unwrap() else {
        return;
    };
    let witness = read(&format!("literal(\"{text}\")")).unwrap();
    let [one_loses, other_loses] =
        [one, other].map(|position| loses_position(&sum(position, &witness), &mut HashMap::new()));
    assert_ne!(
        one_loses, other_loses,
        "{one} and {other}, each plus {witness}"
    );
    counted.distinguished += 1;
}
