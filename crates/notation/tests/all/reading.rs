//! Parsing: every printed position parses again, and no input causes a panic.

use std::ops::ControlFlow;

use grundy_core::limits::stopped_early;
use grundy_core::registry::{CONSTRUCTORS, Constructor};
use grundy_core::ruleset::{Ends, Nature};
use grundy_core::step::Datum;
use grundy_core::{Kind, Limits, Play, Solver, explain};
use grundy_notation::{Expression, read_position};
use grundy_wording::diagnostic::{ErrorView, render};
use grundy_wording::{Audience, Language, codes};
use proptest::prelude::*;

#[test]
fn every_example_of_the_registry_reads_and_prints_back() {
    for constructor in CONSTRUCTORS {
        let position = read_position(constructor.example).unwrap();
        let again = read_position(&position.to_string()).unwrap();
        assert_eq!(position.to_string(), again.to_string());
        assert!(constructor.signature.starts_with(constructor.name));
    }
}

/// Returns the constructors whose example has a nature for which `kind` is true.
fn constructors(kind: impl Fn(Nature) -> bool) -> Vec<&'static Constructor> {
    let nature = |known: &Constructor| read_position(known.example).unwrap().nature();
    let known = CONSTRUCTORS.iter();
    known.filter(|known| kind(nature(known))).collect()
}

#[test]
fn every_partizan_example_reads_and_prints_back() {
    let partizan = constructors(|nature| nature == Nature::PARTIZAN);
    assert!(partizan.iter().any(|known| known.name == "domineering"));
    let examples = partizan.iter().map(|known| known.example);
    for example in examples.chain(["hackenbush(\"0-1:b 1-2:r 1-3\")"]) {
        let position = read_position(example).unwrap();
        assert_eq!(position.nature(), Nature::PARTIZAN, "{position}");
        let again = read_position(&position.to_string()).unwrap();
        assert_eq!(position.to_string(), again.to_string());
    }
}

#[test]
fn every_position_of_a_game_with_ties_reads_and_prints_back() {
    let ties = constructors(|nature| nature.ends == Ends::Payoff);
    let names: Vec<&str> = ties.iter().map(|known| known.name).collect();
    assert_eq!(names, ["k_in_a_row", "tic_toe", "tic_tac_toe", "tree"]);
    let mut solver = Solver::default();
    for constructor in ties {
        let mut waiting = vec![constructor.example.to_owned()];
        let mut seen = 0;
        while let Some(text) = waiting.pop() {
            let position = read_position(&text).unwrap();
            assert_eq!(position.nature().ends, Ends::Payoff, "{text}");
            let again = read_position(&position.to_string()).unwrap();
            assert_eq!(again.to_string(), position.to_string());
            let solution = solver
                .solve(&position, Play::Normal, &Limits::default())
                .unwrap();
            let mut moves = Vec::new();
            let all = position.moves(position.first_player(), &mut |_, _, to| {
                moves.push(to().to_string());
                ControlFlow::Continue(())
            });
            assert_eq!(stopped_early(all), Ok(false), "{text}");
            if moves.is_empty() {
                assert!(solution.winning_moves().is_empty());
                continue;
            }
            assert!(!solution.winning_moves().is_empty());
            seen += 1;
            // A sample of the moves, since all plays would be too many.
            waiting.extend(moves.into_iter().step_by(1 + seen % 3));
            waiting.truncate(50);
        }
        assert!(seen > 1, "{}", constructor.name);
    }
}

#[test]
fn invalid_games_with_ties_are_rejected_with_the_place() {
    for (text, kind, place) in [
        ("k_in_a_row(['..', '.'], 2)", Kind::IllegalPosition, 18..21),
        ("k_in_a_row(['.x'], 2)", Kind::IllegalPosition, 14..15),
        ("k_in_a_row(['.\u{e9}'], 2)", Kind::IllegalPosition, 14..16),
        ("k_in_a_row(['OO'], 2)", Kind::IllegalPosition, 11..17),
        (
            "k_in_a_row(['XXX', 'OOO'], 3)",
            Kind::IllegalPosition,
            11..25,
        ),
        ("k_in_a_row(['X..'], 0)", Kind::Range, 20..21),
        ("k_in_a_row(['X..'], 2, diagonals=1)", Kind::Type, 33..34),
        ("tic_toe(3)", Kind::Type, 8..9),
        ("tic_toe() + nim(3)", Kind::IllegalPosition, 0..18),
        (
            "tree({'a': ['b'], 'b': ['a']}, 'a', {})",
            Kind::Cyclic,
            11..16,
        ),
        ("tree({'a': [['b']]}, 'a', {'b': 'X'})", Kind::Type, 12..17),
        ("tree({'a': ['b']}, 'a', {'b': 1})", Kind::Type, 30..31),
        (
            "tree({'a': ['b']}, 'a', {'b': 'X'}, 'Y')",
            Kind::IllegalPosition,
            36..39,
        ),
    ] {
        let diagnostic = read_position(text).unwrap_err();
        assert_eq!(
            (diagnostic.kind, diagnostic.span),
            (kind, Some(place)),
            "{text}"
        );
    }
}

#[test]
fn invalid_partizan_positions_are_rejected_with_the_place() {
    for (text, place) in [
        ("domineering(['..', '.'])", 19..22),
        ("domineering('..')", 12..16),
        ("toads_and_frogs('T.x')", 19..20),
        ("toads_and_frogs('T.é')", 19..21),
        ("col('0-1', 'LL')", 4..9),
        ("snort('0-1', 'LR')", 6..11),
        ("col('0-0', '.')", 4..9),
        ("col('0-9', '..')", 4..9),
        ("col('0-1:b', '..')", 4..11),
        ("snort('0-1', '.Q')", 15..16),
        ("snort('0-1')", 0..12),
    ] {
        let diagnostic = read_position(text).unwrap_err();
        assert_eq!(diagnostic.span, Some(place), "{text}: {diagnostic:?}");
    }
}

#[test]
fn whitespace_does_not_matter() {
    for text in [
        "  nim(3)",
        "nim(3)  ",
        "\n nim(3)\n",
        " nim(1) +\n nim(2)",
        "nim(3) # three",
        "\tnim(3) # x",
    ] {
        assert!(
            read_position(text).is_ok(),
            "{text:?}: {:?}",
            read_position(text)
        );
    }
    let diagnostic = read_position("  nim(x)").unwrap_err();
    assert_eq!(diagnostic.span, Some(6..7));
}

#[test]
fn long_sums_print_and_read_back() {
    let text = format!("sum_of([{}])", vec!["nim(1)"; 100_000].join(", "));
    let position = read_position(&text).unwrap();
    assert_eq!(position.terms().len(), 100_000);
    assert_eq!(position.to_string(), text);
}

#[test]
fn too_deep_nesting_is_rejected() {
    // Each text would overflow the stack of a recursive parser or take quadratic time. An error
    // must be short and no internal one.
    let deep = [
        "(".repeat(100_000),
        format!("{}nim(1){}", "(".repeat(150), ")".repeat(150)),
        format!("nim({}1)", "-".repeat(100_000)),
        format!("nim({}1)", "not ".repeat(100_000)),
        vec!["nim(1)"; 100_000].join(" + "),
        format!("nim({})", vec!["1"; 100_000].join("+")),
        format!("{}1", "lambda: ".repeat(10_000)),
        format!("nim({})", "9".repeat(1_000_000)),
        "nim(3)".repeat(1_000_000),
        "\"".repeat(999),
        "\"\\".repeat(9999),
    ];
    for text in deep {
        if let Err(diagnostic) = read_position(&text) {
            assert!(
                !diagnostic.message.is_empty()
                    && render(&diagnostic, &text, Audience::default()).len() < 2000
            );
            assert_ne!(
                diagnostic.kind,
                grundy_core::Kind::Internal,
                "{diagnostic:?}"
            );
        }
    }
}

#[test]
fn theorems_have_chinese_names() {
    let games = [
        "chomp(5)",
        "chomp(5, 3)",
        "euclid(21, 13)",
        "kayles_row(\"1111\")",
        "laskers_nim(9)",
    ];
    let examples = CONSTRUCTORS.iter().map(|known| known.example);
    let chinese = codes(Language::Zh);
    let mut theorems = 0;
    for text in examples.chain(games) {
        let position = read_position(text).unwrap();
        for play in [Play::Normal, Play::Misere] {
            let (mut solver, limits) = (Solver::default(), Limits::default());
            let solution = solver.solve(&position, play, &limits).unwrap();
            let steps = explain::steps(&position, play, &solution, &mut solver, &limits).unwrap();
            for step in steps.iter().filter(|step| step.code == "theorem") {
                theorems += 1;
                for (name, datum) in &step.args {
                    let Datum::Text(text) = datum else { continue };
                    assert!(
                        *name == "source" || chinese.contains(&text.as_str()),
                        "{text}"
                    );
                }
            }
        }
    }
    assert!(theorems > 20, "{theorems} theorems were checked");
}

#[test]
fn variables_are_found() {
    let expression = Expression::parse("subtraction([1, k], n) + nim(n + 1)").unwrap();
    assert_eq!(expression.variables(), ["k", "n"]);
    assert_eq!(
        expression
            .position(&[("k", 3), ("n", 7)])
            .unwrap()
            .to_string(),
        "subtraction([1, 3], 7) + nim(8)"
    );
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected(text in ".{0,80}") {
        let _ = read_position(&text).map_err(|diagnostic| render(&diagnostic, &text, Audience::default()));
    }

    #[test]
    fn texts_like_the_notation_are_parsed_or_rejected(text in "(nim|wythoff|cram|chomp|sum_of|[0-9]{1,3}|[\\[\\](),+'\". -]){0,30}") {
        let _ = read_position(&text).map_err(|diagnostic| serde_json::to_string(&ErrorView::new(&diagnostic, &text, Audience::default())).unwrap());
    }

    #[test]
    fn sums_round_trip(heaps in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..4), 1..6)) {
        let names = ["nim", "kayles", "nimble", "laskers_nim", "grundys_game", "at_most_half"];
        let terms: Vec<String> = heaps
            .iter()
            .zip(names)
            .map(|(heaps, name)| format!("{name}({})", heaps.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")))
            .collect();
        let text = terms.join(" + ");
        prop_assert_eq!(read_position(&text).unwrap().to_string(), text);
    }
}

/// Checks the hints for input in the style of other programs and languages.
#[test]
fn input_in_other_notations_gets_a_hint() {
    let join = "join games with +";
    let numbers = "write the numbers one by one: [1, 2, 3]";
    let nim = "usage: nim(n, ...), for example nim(3, 4, 5)";
    for (text, place, help) in [
        ("nim(3),nim(4)", 6..7, join),
        ("[nim(3), nim(4)]", 0..16, join),
        ("(nim(3), nim(4))", 1..15, join),
        ("nim(3)\nnim(4)", 7..10, join),
        ("nim[3,4]", 0..8, nim),
        ("NIM(3)", 0..3, "did you mean `nim`?"),
        ("SUBTRACTION([1], 3)", 0..11, "did you mean `subtraction`?"),
        ("take_away([1], 3)", 0..9, "did you mean `subtraction`?"),
        ("heaps(3, 4)", 0..5, "did you mean `nim`?"),
        (
            "matrix([[1, 0], [0, 2]])",
            0..6,
            "a matrix game is read from a file: `matrix {\"file\": \"FILE\"}`",
        ),
        (
            "sum([chomp(3, 2), nim(3)])",
            0..3,
            "add games with + or with sum_of([g, h, ...])",
        ),
        (
            "graph({a: ['b']}, 'a')",
            7..8,
            "if the name is meant as a string, write \"a\" in quotation marks; if the name is meant as a free variable, use `table`: `table {\"game\": \"EXPR\", \"ranges\": [\"a=0..100\"]}`",
        ),
        ("subtraction([1..3], 20)", 14..16, numbers),
        ("subtraction(range(1, 4), 20)", 12..23, numbers),
        ("subtraction([k for k in [1, 2]], 20)", 12..31, numbers),
        (
            "domineering([...])",
            13..16,
            "write the rows of a board in quotation marks: [\"...\", \"..#\"]",
        ),
        (
            "nim\u{ff08}3\u{ff0c}4\u{ff09}",
            3..6,
            "use ASCII brackets, commas and quotation marks: nim(3,4)",
        ),
        (
            "kayles_row(\u{201c}1101\u{201d})",
            11..14,
            "use ASCII brackets, commas and quotation marks: kayles_row(\"1101\")",
        ),
        (
            "{1|2}",
            4..5,
            "to use a value as a position, write literal(\"{1|2}\")",
        ),
        (
            "nim(3) + 3/4",
            9..12,
            "to use a value as a position, write literal(\"3/4\")",
        ),
        (
            "chomp(4, 3, 1) + *2",
            17..18,
            "to use a value as a position, write literal(\"*2\")",
        ),
        (
            "m.txt",
            0..5,
            "to read a game graph from a file, use `label {\"game\": \"FILE\"}`; to read a matrix, use `matrix {\"file\": \"FILE\"}`",
        ),
    ] {
        let refusal = read_position(text).unwrap_err();
        assert_eq!(refusal.span, Some(place), "{text}");
        assert_eq!(refusal.help.as_deref(), Some(help), "{text}");
    }
}

#[test]
fn an_expression_may_span_several_lines() {
    for text in [
        "nim(3)\n+ nim(4)",
        "nim(3) + # the first\r\n  nim(4)\n",
        "\n  nim(3)\n  + nim(4)\n# the end",
        "nim(3) +\n\tnim(4)",
    ] {
        assert_eq!(read_position(text).unwrap().to_string(), "nim(3) + nim(4)");
    }
    let refusal = read_position("nim(3)\n+ nime(4)").unwrap_err();
    assert_eq!(refusal.span, Some(9..13));
}

/// Checks that nested products such as `2 * (3 * nim(1))` evaluate their operand only once. The
/// work must not grow with the product of the counts. If a count is 0, errors in the operand are
/// still reported.
#[test]
fn copies_of_copies_are_evaluated_once() {
    // With eager copying the first expression would make 10^16 terms before the factor 0 removes
    // them.
    let nothing = "10000 * (10000 * (10000 * (10000 * (0 * nim(1)))))";
    assert_eq!(read_position(nothing).unwrap().terms().len(), 0);
    let six = read_position("2 * (3 * (nim(1) - nim(2)))").unwrap();
    assert_eq!(six.terms().len(), 12);
    assert_eq!(six.terms()[1].text(), "nim(2)");
    for wrong in [
        "0 * rock(1)",
        "2 * (0 * rock)",
        "100 * (100 * (2 * nim(1)))",
    ] {
        assert!(read_position(wrong).is_err(), "{wrong}");
    }
}
