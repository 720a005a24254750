//! Components, negatives, bounds and numbers of partizan games, compared with a search that uses
//! the moves of their rulesets. Other tests compare these moves with independent implementations of
//! the rules.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_core::argument::Argument;
use grundy_core::position::AnyTerm;
use grundy_core::rules::{AnyRules, Part};
use grundy_core::ruleset::{
    Ruleset, amazons, clobber, domineering, elephants, fission, konane, nogo,
};
use grundy_core::ruleset::{cutcake, maundy_cake, partizan_subtraction, toads_and_frogs};
use grundy_core::{Dyadic, Player, Term, registry};

/// A sum of components of a game and an integer, without simplification.
type Sum<P> = (Vec<P>, i64);

/// Brute-force outcomes of sums under one set of rules.
struct BruteForce<'a, P> {
    rules: &'a dyn AnyRules<P>,
    known: HashMap<(Sum<P>, Player, bool), bool>,
}

impl<P: Part> BruteForce<'_, P> {
    /// Returns the sums after each move of a player. An integer n > 0 gives Left n free moves, and
    /// n < 0 gives Right -n free moves.
    fn options(&self, (parts, number): &Sum<P>, player: Player) -> Vec<Sum<P>> {
        let mut options = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let _ = self.rules.options(player, index, part, &mut |left, _| {
                let mut parts = parts.clone();
                parts.splice(index..=index, left.iter().cloned());
                options.push((parts, *number));
                ControlFlow::Continue(())
            });
        }
        let step = player.of([-1, 1]);
        if number * step < 0 {
            options.push((parts.clone(), number + step));
        }
        options
    }

    /// Returns whether the player, to move, wins.
    fn wins(&mut self, sum: &Sum<P>, player: Player, misere: bool) -> bool {
        let key = (sum.clone(), player, misere);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let options = self.options(sum, player);
        let wins = if options.is_empty() {
            misere
        } else {
            options
                .iter()
                .any(|after| !self.wins(after, player.other(), misere))
        };
        self.known.insert(key, wins);
        wins
    }

    fn outcome(&mut self, sum: &Sum<P>, misere: bool) -> [bool; 2] {
        Player::BOTH.map(|player| self.wins(sum, player, misere))
    }
}

fn integer(number: &Dyadic) -> Option<i64> {
    (-100..=100).find(|&n| Dyadic::integer(n) == *number)
}

/// Compares the components, bounds, numbers and negatives of these positions with a brute-force
/// search of their moves. A component plus its negative is searched if the text of the component
/// has at most `longest` bytes. Returns the number of components.
fn check<R: Ruleset>(terms: impl Iterator<Item = Arc<dyn AnyTerm>>, longest: usize) -> usize {
    let mut rules: Option<Arc<dyn AnyRules<R::Part>>> = None;
    let mut known = HashMap::new();
    let mut seen = HashSet::new();
    for term in terms {
        let text = term.text();
        let any: &dyn Any = &*term;
        let term: &Term<R::Part> = any.downcast_ref().unwrap();
        let rules = Arc::clone(rules.get_or_insert_with(|| Arc::clone(&term.rules)));
        assert!(rules.same(&*term.rules), "{text}");
        let mut brute_force = BruteForce {
            rules: &*rules,
            known: std::mem::take(&mut known),
        };
        let mut components = Vec::new();
        for part in &term.parts {
            rules.components(part, &mut |component| components.push(component));
            let theorems = rules.capabilities().theorems;
            if let Some(value) = theorems
                .and_then(|theorems| theorems.number(part))
                .and_then(|known| integer(&known.value))
            {
                // A position of value n, minus n, must be a second-player win.
                let rest = (vec![part.clone()], -value);
                assert_eq!(
                    brute_force.outcome(&rest, false),
                    [false; 2],
                    "{text} is {value}"
                );
            }
        }
        for misere in [false, true] {
            // In misère play only the decomposition is compared, since values do not apply there.
            let [one, other] = [(term.parts.clone(), 0), (components.clone(), 0)]
                .map(|sum| brute_force.outcome(&sum, misere));
            assert_eq!(one, other, "{text} is {components:?}");
        }
        for component in components {
            let written = rules.write(std::slice::from_ref(&component));
            if !seen.insert(component.clone()) {
                continue;
            }
            // A component must not split further, and it must be in canonical form.
            let mut again = Vec::new();
            rules.components(&component, &mut |part| again.push(part));
            assert!(
                again == std::slice::from_ref(&component),
                "{text}: {written}"
            );
            let bounds = rules.capabilities().bounds;
            if let Some([least, most]) = bounds.and_then(|bounds| bounds.bounds(&component)) {
                // G >= n holds if and only if Right, moving first, does not win G - n; G <= n
                // likewise.
                let above = (vec![component.clone()], -least);
                assert!(
                    !brute_force.wins(&above, Player::Right, false),
                    "{written} >= {least}"
                );
                let below = (vec![component.clone()], -most);
                assert!(
                    !brute_force.wins(&below, Player::Left, false),
                    "{written} <= {most}"
                );
            }
            let negation = rules.capabilities().negation.unwrap();
            let negative = negation.negative(&component).unwrap();
            let mut canonical = Vec::new();
            rules.components(&negative, &mut |part| canonical.push(part));
            assert!(canonical == std::slice::from_ref(&negative), "-({written})");
            // Negation is an involution on canonical components.
            assert_eq!(
                negation.negative(&negative),
                Some(component.clone()),
                "{written}"
            );
            if written.len() <= longest {
                let nothing = (vec![component, negative], 0);
                assert_eq!(
                    brute_force.outcome(&nothing, false),
                    [false; 2],
                    "-({written})"
                );
            }
        }
        known = brute_force.known;
    }
    seen.len()
}

fn term(name: &str, arguments: Vec<Argument>) -> Option<Arc<dyn AnyTerm>> {
    let items: Vec<_> = arguments
        .into_iter()
        .map(|argument| (None, argument))
        .collect();
    registry::construct(name, &items).ok()
}

fn text(letters: Vec<u8>) -> Argument {
    Argument::Text(String::from_utf8(letters).unwrap())
}

/// Returns all rows of `length` letters.
fn rows(letters: &'static [u8], length: usize) -> impl Iterator<Item = Vec<u8>> {
    let count = letters.len();
    (0..count.pow(length as u32)).map(move |number| {
        let letter = |place| letters[number / count.pow(place as u32) % count];
        (0..length).map(letter).collect()
    })
}

/// Returns all legal boards with these letters.
fn boards(
    name: &'static str,
    letters: &'static [u8],
    [height, width]: [usize; 2],
) -> impl Iterator<Item = Arc<dyn AnyTerm>> {
    rows(letters, height * width).filter_map(move |squares| {
        let rows = squares.chunks(width).map(|row| text(row.to_vec()));
        term(name, vec![Argument::List(rows.collect())])
    })
}

fn strips(
    name: &'static str,
    letters: &'static [u8],
    longest: usize,
) -> impl Iterator<Item = Arc<dyn AnyTerm>> {
    let strips = (0..=longest).flat_map(move |length| rows(letters, length));
    strips.filter_map(move |strip| term(name, vec![text(strip)]))
}

#[test]
fn boards_of_stones() {
    // The last argument bounds the length of the components whose sums with their negatives are
    // searched. It keeps the test fast.
    for shape in [[1, 7], [2, 3], [2, 4]] {
        assert!(check::<clobber::Clobber>(boards("clobber", b"xo.", shape), 22) > 10);
        assert!(check::<clobber::Clobber>(boards("cannibal_clobber", b"xo.", shape), 30) > 10);
        assert!(check::<konane::Konane>(boards("konane", b"xo.", shape), 22) > 10);
    }
    for shape in [[1, 5], [2, 3], [3, 2]] {
        assert!(check::<konane::Konane>(boards("konane", b"xo.#", shape), 22) > 3);
        assert!(check::<nogo::NoGo>(boards("nogo", b"xo.#", shape), 18) > 10);
        assert!(check::<amazons::Amazons>(boards("amazons", b"xo.#", shape), 20) > 10);
    }
    for shape in [[3, 3], [2, 4], [1, 7]] {
        assert!(check::<fission::Fission>(boards("fission", b"x.#", shape), 26) > 3);
    }
    assert!(check::<nogo::NoGo>(boards("nogo", b"xo.", [2, 4]), 0) > 100);
}

#[test]
fn dominoes_and_strips() {
    for shape in [[2, 4], [3, 3]] {
        assert!(check::<domineering::Domineering>(boards("domineering", b".#", shape), 40) > 10);
    }
    assert!(check::<toads_and_frogs::ToadsAndFrogs>(strips("toads_and_frogs", b"TF.", 6), 40) > 10);
    assert!(check::<elephants::Elephants>(strips("elephants", b"ER.", 8), 22) > 10);
}

#[test]
fn cakes_and_heaps() {
    let numbers =
        |list: &[u64]| -> Vec<Argument> { list.iter().map(|&n| Argument::Int(n.into())).collect() };
    let sides = |rows, columns| {
        (1..=rows).flat_map(move |rows| (1..=columns).map(move |columns| [rows, columns]))
    };
    let cakes = sides(3, 4).filter_map(|side| term("cutcake", numbers(&side)));
    assert!(check::<cutcake::Cutcake>(cakes, 12) > 8);
    let cakes = sides(6, 8).filter(|[rows, columns]| rows * columns <= 8);
    let cakes = cakes.filter_map(|side| term("maundy_cake", numbers(&side)));
    assert!(check::<maundy_cake::MaundyCake>(cakes, 17) > 8);
    let several =
        sides(4, 3).filter_map(|[side, copies]| term("maundy_cake", numbers(&[side, 2, copies])));
    assert!(check::<maundy_cake::MaundyCake>(several, 0) > 1);
    let sets: [[&[u64]; 2]; 6] = [
        [&[1], &[2]],
        [&[1, 4], &[2, 3]],
        [&[2], &[2]],
        [&[3], &[1, 2, 5]],
        [&[2, 3, 5], &[3, 4]],
        [&[4, 6], &[1]],
    ];
    for [left, right] in sets {
        let heaps = (0..=14).filter_map(|heap| {
            let [left, right] = [left, right].map(|set| Argument::List(numbers(set)));
            term(
                "partizan_subtraction",
                vec![left, right, Argument::Int(heap)],
            )
        });
        assert!(check::<partizan_subtraction::PartizanSubtraction>(heaps, 60) > 3);
    }
    for [left, right] in [
        ["squares", "primes"],
        ["even", "odd"],
        ["coprime", "proper_divisors"],
    ] {
        let heaps = (0..=14).filter_map(|heap| {
            let [left, right] = [left, right].map(|set| Argument::Text(set.to_owned()));
            term(
                "partizan_subtraction",
                vec![left, right, Argument::Int(heap)],
            )
        });
        assert!(check::<partizan_subtraction::PartizanSubtraction>(heaps, 60) > 3);
    }
}

/// Returns the simplest integer greater than all of Left's values and less than all of Right's.
fn simplest(left: Option<i128>, right: Option<i128>) -> i128 {
    let value = match (left, right) {
        (Some(left), _) if left >= 0 => left + 1,
        (_, Some(right)) if right <= 0 => right - 1,
        _ => 0,
    };
    // The assertion shows that an integer fits, so the value of a cake is always an integer.
    assert!(left.is_none_or(|left| left < value) && right.is_none_or(|right| value < right));
    value
}

fn value<R: Ruleset>(name: &str, rows: usize, columns: usize) -> Option<Dyadic> {
    let sides = [rows, columns].map(|side| Argument::Int(side as i128));
    let term = term(name, sides.to_vec()).unwrap();
    let any: &dyn Any = &*term;
    let cake: &Term<R::Part> = any.downcast_ref().unwrap();
    let theorems = cake.rules.capabilities().theorems;
    let known = theorems.and_then(|theorems| theorems.number(&cake.parts[0]));
    known.map(|known| known.value)
}

#[test]
fn values_of_cakes_are_the_simplest_numbers() {
    const SIDE: usize = 60;
    let mut cut = vec![[0i128; SIDE + 1]; SIDE + 1];
    let mut maundy = cut.clone();
    for rows in 1..=SIDE {
        for columns in 1..=SIDE {
            // Left cuts a cake vertically, Right horizontally; the values of the pieces add up.
            let left = (1..columns)
                .map(|c| cut[rows][c] + cut[rows][columns - c])
                .max();
            let right = (1..rows)
                .map(|r| cut[r][columns] + cut[rows - r][columns])
                .min();
            cut[rows][columns] = simplest(left, right);
            // In Maundy cake a cut makes k equal pieces, so their value is k times that of one.
            let parts = |side: usize| (2..=side).filter(move |k| side.is_multiple_of(*k));
            let left = parts(columns)
                .map(|k| k as i128 * maundy[rows][columns / k])
                .max();
            let right = parts(rows)
                .map(|k| k as i128 * maundy[rows / k][columns])
                .min();
            maundy[rows][columns] = simplest(left, right);
            let right = [&cut, &maundy].map(|values| Some(Dyadic::new(values[rows][columns], 0)));
            let found = [
                value::<cutcake::Cutcake>("cutcake", rows, columns),
                value::<maundy_cake::MaundyCake>("maundy_cake", rows, columns),
            ];
            assert_eq!(found, right, "{rows} {columns}");
        }
    }
}
