//! Moves to finished values, which are games that are given by their values. An example is
//! `literal("3/4")` among the options of `left(p)` and `right(p)`.

use grundy_core::solve::GameValue;
use grundy_core::{Limits, Play, Player, Position, Solver};
use grundy_forms::Forms;
use grundy_forms::text::read;
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};

const SOURCE: &str = r#"
def left(n):
    return [n - 1, literal("{3/4|-1}")] if n > 0 else []

def right(n):
    return [("go up", literal("^")), sum_of([n - 1, literal("* + +-{2|*}")])] if n > 0 else []
"#;

/// Loads a rule file.
fn file(source: &str) -> RuleFile {
    RuleFile::read("own.star", source, Allowance::default()).unwrap()
}

/// Parses a position with a rule file.
fn game(file: &RuleFile, text: &str) -> Position {
    Expression::parse(text)
        .unwrap()
        .position_with(&[], file)
        .unwrap()
}

/// Returns the text of the value of a position.
fn value(position: &Position) -> String {
    let solution = Solver::default().solve(position, Play::Normal, &Limits::default());
    match solution.unwrap().value {
        Some(GameValue::Short { text, .. }) => text,
        other => panic!("{position}: {other:?}"),
    }
}

#[test]
fn values_match_the_games_written_out() {
    let file = file(SOURCE);
    let (mut forms, limits) = (Forms::default(), Limits::none());
    let mut before = read("0", &mut forms, &limits).unwrap();
    for n in 1..4 {
        let [hot, up, rest] =
            ["{3/4|-1}", "^", "* + +-{2|*}"].map(|text| read(text, &mut forms, &limits).unwrap());
        let sum = forms.plus(before, rest, &limits).unwrap();
        before = forms
            .canonical(&[before, hot], &[up, sum], &limits)
            .unwrap();
        let position = game(&file, &format!("game(rules, {n})"));
        assert_eq!(value(&position), forms.write(before), "{n}");
        let opposite = game(&file, &format!("-game(rules, {n})"));
        let negative = forms.negative(before);
        assert_eq!(value(&opposite), forms.write(negative), "{n}");
        // The difference is solved by moves, not by values. So the negative must have the moves of
        // the other player.
        let difference = position.minus(&position).unwrap();
        let solved = Solver::default().solve(&difference, Play::Normal, &Limits::default());
        assert_eq!(solved.unwrap().class().to_string(), "P");
    }
}

#[test]
fn options_that_are_values_are_written_as_literals() {
    let file = file(SOURCE);
    let options = |text: &str, player: Player| {
        let mut options = Vec::new();
        let _ = game(&file, text).moves(player, &mut |_, name, to| {
            let name = name();
            options.push((name.at, to().to_string()));
            std::ops::ControlFlow::Continue(())
        });
        options
    };
    let literal = |text: &str| format!("literal(\"{text}\")");
    assert_eq!(
        options("game(rules, 2)", Player::Left),
        [
            (vec![0], "game(rules, 1)".to_owned()),
            (vec![1], literal("{3/4|-1}"))
        ]
    );
    assert_eq!(
        options("-game(rules, 2)", Player::Left)[0],
        (vec![0], literal("v"))
    );
    let after = game(&file, "game(rules, 2)");
    let mut moved = None;
    let _ = after.moves(Player::Left, &mut |_, _, to| {
        moved = Some(to());
        std::ops::ControlFlow::Continue(())
    });
    // Right continues in the finished value.
    let mut left = Vec::new();
    let _ = moved.unwrap().moves(Player::Right, &mut |_, _, to| {
        left.push(to().to_string());
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(left, [literal("-1")]);
}

/// Returns the error that a rule file causes when `position` is solved: its message, its place and
/// its hint.
fn refused(source: &str, position: &str) -> (String, Option<String>, String) {
    let file = file(source);
    let position = game(&file, position);
    let error = Solver::default().solve(&position, Play::Normal, &Limits::default());
    let Err(grundy_core::Stop::Rules(why)) = error else {
        panic!("{error:?}");
    };
    let place = why.span.clone().map(|span| source[span].to_owned());
    let help = why.help.as_ref().map(|help| help[..].to_owned());
    (why.message[..].to_owned(), place, help.unwrap_or_default())
}

#[test]
fn bad_literals_are_rejected_with_the_place() {
    let source = "def left(n):\n    return [literal('1/3')]\ndef right(n):\n    return []\n";
    let (message, place, _) = refused(source, "game(rules, 1)");
    assert!(
        message.contains("left(1)") && message.contains("1/3 is not a game: "),
        "{message}"
    );
    assert_eq!(place.as_deref(), Some("literal('1/3')"));
    let source = "def left(n):\n    return [literal(3)]\ndef right(n):\n    return []\n";
    let (message, place, _) = refused(source, "game(rules, 1)");
    assert!(
        message.contains("literal() does not accept arguments of types (int)"),
        "{message}"
    );
    assert_eq!(place.as_deref(), Some("literal(3)"));
    let source = "def moves(n):\n    return [literal('1')]\n";
    let (message, _, help) = refused(source, "game(moves, 1)");
    assert!(message.contains("leads to a partizan value"), "{message}");
    assert!(help.contains("left(p) and right(p)"), "{help}");
    let source = "def left(n):\n    return [(1, literal('1'))]\ndef right(n):\n    return []\n";
    let (message, ..) = refused(source, "game(rules, 1)");
    assert!(message.contains("a value of type literal"), "{message}");
}
