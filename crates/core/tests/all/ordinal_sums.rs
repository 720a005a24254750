//! Ordinal sums compared with the definition: values, outcomes and winning moves of G:H, computed
//! here from the moves of G and H alone.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use grundy_core::argument::Argument;
use grundy_core::solve::GameValue;
use grundy_core::values::canonical;
use grundy_core::{Diagnostic, Limits, Outcome, Play, Player, Position, Solver, mex, registry};
use grundy_forms::{Form, Forms};

fn build(name: &str, arguments: Vec<Argument>) -> Position {
    let items: Vec<_> = arguments.into_iter().map(|item| (None, item)).collect();
    registry::construct(name, &items).unwrap().into()
}

fn text(name: &str, written: &str) -> Position {
    build(name, vec![Argument::Text(written.into())])
}

fn nim(sizes: &[i128]) -> Position {
    build("nim", sizes.iter().map(|&n| Argument::Int(n)).collect())
}

fn clobber(row: &str) -> Position {
    build(
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

fn ordinal_sum(base: &Position, top: &Position) -> Position {
    try_ordinal_sum(base, top).unwrap()
}

fn try_ordinal_sum(base: &Position, top: &Position) -> Result<Position, Diagnostic> {
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

/// The values of ordinal sums by the definition, with memoization. The top is `None` if an earlier
/// move in the base has removed it.
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
            // A move in the base removes the top; a move in the top keeps the base.
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
fn values_and_winning_moves_match_the_definition() {
    let mut definition = Definition::default();
    let mut by_theorem = 0;
    for base in games() {
        for top in games() {
            let position = ordinal_sum(&base, &top);
            let value = definition.value(&base, Some(&top));
            let mut solver = Solver::default();
            let solution = solver
                .solve(&position, Play::Normal, &Limits::default())
                .unwrap();
            // The library may return an impartial value as a nimber, so compare each form of value.
            match &solution.value {
                Some(GameValue::Short { text, .. }) => {
                    assert_eq!(*text, definition.forms.write(value), "{position}");
                    by_theorem += u32::from(solution.method == canonical::ORDINAL.method);
                }
                Some(GameValue::Nimber(nimber)) => {
                    let packed = definition.forms.packed(value).unwrap();
                    assert_eq!((packed.star, packed.ups), (*nimber, 0), "{position}");
                    assert_eq!(packed.number, grundy_core::Dyadic::ZERO);
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
    // Check the test: the theorem for ordinal sums must have been used often.
    assert!(by_theorem > 60, "{by_theorem} values by the theorem");
}

#[test]
fn impartial_ordinal_sums_have_the_mex_of_their_options() {
    /// Returns the Grundy value of a position of G:H, by the mex.
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
        build("kayles", vec![Argument::Int(4)]),
        sum(&[&nim(&[2]), &build("kayles", vec![Argument::Int(3)])]),
    ];
    for base in &impartial {
        for top in &impartial {
            let position = ordinal_sum(base, top);
            assert!(position.nature().is_impartial());
            let found = Solver::default().grundy(&position, &Limits::default());
            assert_eq!(found.unwrap(), value(base, Some(top)), "{position}");
        }
    }
    // Far too many options for the mex, so this needs the theorem.
    let huge = ordinal_sum(&nim(&[3]), &nim(&[1 << 60]));
    let found = Solver::default().grundy(&huge, &Limits::default());
    assert_eq!(found.unwrap(), 3 + (1 << 60));
}

#[test]
fn options_read_back() {
    let game = ordinal_sum(&sum(&[&nim(&[1]), &text("literal", "1")]), &clobber("xo"));
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
    // The first number of `at` tells whether the move is in the base (0) or in the top (1).
    let mut places = Vec::new();
    let _ = game.moves(Player::Left, &mut |component, name, _| {
        let at = name().at;
        let (part, inside) = game.locate_move(component, &at);
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
    let game = ordinal_sum(&text("literal", "{1|*}"), &text("toads_and_frogs", "T.TF"));
    let difference = game.minus(&game).unwrap();
    let solved = Solver::default()
        .solve(&difference, Play::Normal, &Limits::default())
        .unwrap();
    assert_eq!(solved.class().to_string(), "P");
    let mut tower = nim(&[1]);
    let mut refused = None;
    // Evaluation recurses into the top, so the height is limited.
    for height in 1..100 {
        match try_ordinal_sum(&nim(&[1]), &tower) {
            Ok(higher) => tower = higher,
            Err(error) => {
                refused = Some((height, error.kind));
                break;
            }
        }
    }
    assert_eq!(refused, Some((41, grundy_core::Kind::Range)));
    // Forty-one nested ordinal sums of *1 form a green stalk, with the value of its height.
    assert_eq!(
        Solver::default()
            .grundy(&tower, &Limits::default())
            .unwrap(),
        41
    );
    let tied = build("tic_toe", Vec::new());
    assert!(try_ordinal_sum(&tied, &nim(&[1])).is_err());
    assert!(try_ordinal_sum(&nim(&[1]), &tied).is_err());
}
