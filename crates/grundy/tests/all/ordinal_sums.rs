//! Ordinal sums against the definition: G:H is played here from the moves of G and of H alone, and
//! its value, its winner and its winning moves are compared with those of the library.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use grundy::argument::Argument;
use grundy::solve::GameValue;
use grundy::values::canonical;
use grundy::{Diagnostic, Limits, Outcome, Play, Player, Position, Solver, mex, registry};
use grundy_forms::{Form, Forms};

fn made(name: &str, arguments: Vec<Argument>) -> Position {
    let items: Vec<_> = arguments.into_iter().map(|item| (None, item)).collect();
    registry::construct(name, &items).unwrap().into()
}

fn text(name: &str, written: &str) -> Position {
    made(name, vec![Argument::Text(written.into())])
}

fn nim(sizes: &[i128]) -> Position {
    made("nim", sizes.iter().map(|&n| Argument::Int(n)).collect())
}

fn clobber(row: &str) -> Position {
    made(
        "clobber",
        vec![Argument::List(vec![Argument::Text(row.into())])],
    )
}

fn sum(positions: &[&Position]) -> Position {
    let terms = positions
        .iter()
        .flat_map(|position| position.terms().iter().cloned());
    Position::sum(terms.collect()).unwrap()
}

fn stacked(base: &Position, top: &Position) -> Position {
    try_stacked(base, top).unwrap()
}

fn try_stacked(base: &Position, top: &Position) -> Result<Position, Diagnostic> {
    let items = [base, top].map(|game| (None, Argument::Game(game.clone())));
    registry::construct("ordinal_sum", &items).map(Position::from)
}

fn options(position: &Position, player: Player) -> Vec<Position> {
    let mut options = Vec::new();
    let _ = position.moves(player, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    options
}

/// Games written out by their moves: `None` on top once the base has been moved in.
#[derive(Default)]
struct Definition {
    forms: Forms,
    known: HashMap<(String, Option<String>), Form>,
}

impl Definition {
    fn value(&mut self, base: &Position, top: Option<&Position>) -> Form {
        let key = (base.to_string(), top.map(Position::to_string));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let [left, right] = Player::BOTH.map(|player| {
            let mut values = Vec::new();
            for base in options(base, player) {
                values.push(self.value(&base, None));
            }
            for top in top.map(|top| options(top, player)).unwrap_or_default() {
                values.push(self.value(base, Some(&top)));
            }
            values
        });
        let form = self
            .forms
            .canonical(&left, &right, &Limits::none())
            .unwrap();
        self.known.insert(key, form);
        form
    }
}

fn games() -> Vec<Position> {
    vec![
        nim(&[0]),
        nim(&[2]),
        nim(&[1, 2]),
        text("literal", "1"),
        text("literal", "{*|*}"),
        text("literal", "{1,*|-1}"),
        text("literal", "-1/2"),
        text("toads_and_frogs", "T.TF"),
        text("toppling_dominoes", "LRE"),
        clobber("xox"),
        sum(&[&text("literal", "+-1"), &nim(&[1])]),
    ]
}

#[test]
fn values_and_winning_moves_are_those_of_the_definition() {
    let mut definition = Definition::default();
    let mut by_theorem = 0;
    for base in games() {
        for top in games() {
            let position = stacked(&base, &top);
            let value = definition.value(&base, Some(&top));
            let mut solver = Solver::default();
            let solution = solver
                .solve(&position, Play::Normal, &Limits::default())
                .unwrap();
            match &solution.value {
                Some(GameValue::Short { text, .. }) => {
                    assert_eq!(*text, definition.forms.write(value), "{position}");
                    by_theorem += u32::from(solution.method == canonical::ORDINAL.method);
                }
                Some(GameValue::Nimber(nimber)) => {
                    let packed = definition.forms.packed(value).unwrap();
                    assert_eq!((packed.star, packed.ups), (*nimber, 0), "{position}");
                    assert_eq!(packed.number, grundy::Dyadic::ZERO);
                }
                other => panic!("{position}: {other:?}"),
            }
            for beginning in &solution.beginnings {
                let player = beginning.player;
                let mut expected: Vec<String> = options(&position, player)
                    .into_iter()
                    .filter(|to| {
                        let after = solver.solve(to, Play::Normal, &Limits::default()).unwrap();
                        let mut others = after.beginnings.iter();
                        let other = others.find(|other| other.player == player.other());
                        other.unwrap_or(&after.beginnings[0]).outcome == Outcome::P
                    })
                    .map(|to| to.to_string())
                    .collect();
                let mut found: Vec<String> =
                    beginning.moves.iter().map(|mv| mv.to.to_string()).collect();
                assert_eq!(
                    found.is_empty(),
                    beginning.outcome == Outcome::P,
                    "{position}"
                );
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{position}");
            }
        }
    }
    assert!(by_theorem > 60, "{by_theorem} values by the theorem");
}

#[test]
fn impartial_ones_have_the_number_that_is_missing() {
    /// g of a position of G:H, by the mex.
    fn value(base: &Position, top: Option<&Position>) -> u64 {
        let left = options(base, Player::Left);
        let mut values: Vec<u64> = left.iter().map(|base| value(base, None)).collect();
        for top in top
            .map(|top| options(top, Player::Left))
            .unwrap_or_default()
        {
            values.push(value(base, Some(&top)));
        }
        mex::mex(values)
    }
    let impartial = [
        nim(&[0]),
        nim(&[3]),
        nim(&[1, 2]),
        made("kayles", vec![Argument::Int(4)]),
        sum(&[&nim(&[2]), &made("kayles", vec![Argument::Int(3)])]),
    ];
    for base in &impartial {
        for top in &impartial {
            let position = stacked(base, top);
            assert!(position.nature().is_impartial());
            let found = Solver::default().grundy(&position, &Limits::default());
            assert_eq!(found.unwrap(), value(base, Some(top)), "{position}");
        }
    }
    // Far more than can be looked at one by one.
    let huge = stacked(&nim(&[3]), &nim(&[1 << 60]));
    let found = Solver::default().grundy(&huge, &Limits::default());
    assert_eq!(found.unwrap(), 3 + (1 << 60));
}

#[test]
fn what_is_left_is_written_so_that_it_reads_back() {
    let game = stacked(&sum(&[&nim(&[1]), &text("literal", "1")]), &clobber("xo"));
    let written = "ordinal_sum(nim(1) + literal(\"1\"), clobber([\"xo\"]))";
    assert_eq!(game.to_string(), written);
    let after: BTreeSet<String> = options(&game, Player::Left)
        .iter()
        .map(Position::to_string)
        .collect();
    let expected = [
        "nim(0) + literal(\"1\")",
        "nim(1) + literal(\"0\")",
        "ordinal_sum(nim(1) + literal(\"1\"), clobber([\".x\"]))",
    ];
    assert_eq!(after, expected.map(str::to_owned).into());
    // Which game is moved in comes first in `at`, and what it is there follows.
    let mut places = Vec::new();
    let _ = game.moves(Player::Left, &mut |component, name, _| {
        let at = name().at;
        let (part, inside) = game.place(component, &at);
        places.push((part.unwrap(), inside.to_vec()));
        ControlFlow::Continue(())
    });
    assert_eq!(
        places,
        [(0, vec![0, 0, 0]), (0, vec![1, 0]), (1, vec![0, 0, 0, 1])]
    );
}

#[test]
fn negatives_cancel_and_deep_towers_are_refused() {
    let game = stacked(&text("literal", "{1|*}"), &text("toads_and_frogs", "T.TF"));
    let difference = game.minus(&game).unwrap();
    let solved = Solver::default()
        .solve(&difference, Play::Normal, &Limits::default())
        .unwrap();
    assert_eq!(solved.class().to_string(), "P");
    let mut tower = nim(&[1]);
    let mut refused = None;
    for height in 1..100 {
        match try_stacked(&nim(&[1]), &tower) {
            Ok(higher) => tower = higher,
            Err(error) => {
                refused = Some((height, error.kind));
                break;
            }
        }
    }
    assert_eq!(refused, Some((41, grundy::Kind::Range)));
    // n edges above one another are a stalk of n.
    assert_eq!(
        Solver::default()
            .grundy(&tower, &Limits::default())
            .unwrap(),
        41
    );
    let tied = made("tic_toe", Vec::new());
    assert!(try_stacked(&tied, &nim(&[1])).is_err());
    assert!(try_stacked(&nim(&[1]), &tied).is_err());
}
