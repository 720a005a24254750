//! Game graphs with positions as lists of numbers, compared with a search that identifies positions
//! by their text.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use grundy_core::limits::stopped_early;
use grundy_core::outcome::Play;
use grundy_core::registry::CONSTRUCTORS;
use grundy_core::ruleset::Ends;
use grundy_core::{Limits, Numbered, PayoffResult, Position, PositionIndex, game_graph};
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};

/// A file with labelled moves, sums, and positions of two types.
const RULES: &str = "
def moves(p):
    n = p[0] if type(p) == 'tuple' else p
    return [n - 1, n // 2, (n - 1, 'x'), sum_of([n // 2, n - n // 2 - 1]), sum_of([])] if n > 0 else []
";

/// A partizan file with cycles.
const OWN: &str = "
def left(n):
    return [] if n > 8 else [(n + 1) % 4 if n < 4 else n + 1] + ([6, 9] if n == 2 else [])
def right(n):
    return [] if n > 8 or n == 4 else [(n + 3) % 4 if n < 4 else n - 1] + ([7] if n % 2 else [])
";

/// A file with moves to literals, which are games that are given by their values.
const FINISHED: &str = "
def left(n):
    return [n - 1, literal('{1|-1}')] if n > 0 else []
def right(n):
    return [literal('^'), sum_of([n - 1, literal('-1/2'), literal('*')])] if n > 0 else []
";

/// A file with ties and cycles.
const TIES: &str = "
def moves(n):
    return [n - k for k in (2, 3, 4) if k <= n] + ([n + 3] if n % 5 == 3 and n < 30 else [])
def value(n):
    return ['tie', 'win'][n]
";

/// Positions of every kind, each with its rule file. They are small enough for the search by text.
const POSITIONS: &[(&str, &str)] = &[
    ("nim(2, 3, 2) + nim(0) + nim(2)", RULES),
    ("nim()", RULES),
    ("sum_of([])", RULES),
    ("subtraction([1, 3, 4], 9, 0, 4)", RULES),
    ("all_but([2, 4], 6, 6)", RULES),
    ("at_least_half(9, 5) + at_most_half(9, 5)", RULES),
    ("take_and_break(\"0.137\", 7, 7)", RULES),
    ("kayles(9, 1, 1) + kayles(2, 1)", RULES),
    ("dawsons_chess(8) + dawsons_kayles(7)", RULES),
    ("treblecross(7) + officers(7)", RULES),
    ("grundys_game(10, 1, 2)", RULES),
    ("laskers_nim(2, 5, 0)", RULES),
    ("fibonacci_nim(9) + fibonacci_nim(6, 2)", RULES),
    ("nimble(3, 4, 4) + nimble(0, 1)", RULES),
    ("strip_coins(1, 3, 7)", RULES),
    ("staircase_nim(3, 1, 2)", RULES),
    ("northcott(4, [[0, 3], [2, 1]])", RULES),
    ("northcott(4, [[0, 3], [2, 1]], to_move=\"left\")", RULES),
    (
        "northcott(4, [[0, 3]], to_move=\"right\") + nim(2, 1)",
        RULES,
    ),
    (
        "northcott(4, [[0, 3]], to_move=\"left\") + northcott(5, [[3, 1]])",
        RULES,
    ),
    (
        "northcott(4, [[0, 3]]) + domineering([\"..\", \"..\"])",
        RULES,
    ),
    (
        "ordinal_sum(ordinal_sum(nim(1), nim(2)) + literal(\"{1|*}\"), clobber([\"xo\"])) + ordinal_sum(nim(1), nim(1))",
        RULES,
    ),
    ("ordinal_sum(kayles(3) + nim(1), nim(2, 1))", RULES),
    ("game(rules, 2) + nim(1)", FINISHED),
    ("-game(rules, 2)", FINISHED),
    ("rook(3, 2) + queen(2, 3) + king(1, 2)", RULES),
    ("knight(5, 4) + wythoff(3, 2)", RULES),
    ("euclid(13, 5) + euclid(2, 2)", RULES),
    ("moore_nim(2, 3, 2, 2) + nim(1)", RULES),
    ("chomp(4, 3, 1) + chomp(2)", RULES),
    ("turning_turtles(2, 5) + mock_turtles(2, 4)", RULES),
    ("ruler(3, 5) + twins(2, 5)", RULES),
    ("hackenbush(\"0-1 1-2 1-3 3-4\")", RULES),
    (
        "hackenbush(\"0-1 0-1 1-2 5-6 6-7 3-3\") + hackenbush(\"0-1\")",
        RULES,
    ),
    (
        "hackenbush(\"0-1:b 0-1:b 1-2:r 2-0 1-1:g 7-8:r\", ground=[0, 7]) + hackenbush(\"0-1 4-5\")",
        RULES,
    ),
    (
        "hackenbush(\"4-1:b 1-2:r 2-3 5-2:r\", ground=[4, 5])",
        RULES,
    ),
    (
        "graph({\"a\": [\"b\", \"c\"], \"b\": [\"a\", \"c\"], \"c\": []}, \"a\") + nim(2)",
        RULES,
    ),
    (
        "graph({\"b\": [\"c\", \"c\", \"a\"], \"a\": [\"d\"]}, \"b\") + graph({\"a\": []}, \"a\")",
        RULES,
    ),
    ("cram([\"...\", \"..#\"]) + cram([\"..\"])", RULES),
    ("node_kayles(\"0-1 1-2 2-3 4\") + node_kayles(\"7\")", RULES),
    ("kayles_row(\"1101111\")", RULES),
    (
        "treblecross_row(\"..X....\") + treblecross_row(\"....\")",
        RULES,
    ),
    (
        "domineering([\"...\", \"..#\", \"#..\"]) + nim(1, 1)",
        RULES,
    ),
    (
        "toads_and_frogs(\"TT..FF\") + toads_and_frogs(\"T.F\")",
        RULES,
    ),
    (
        "toppling_dominoes(\"LREL\") + toppling_dominoes(\"RLL\")",
        RULES,
    ),
    (
        "col(\"0-1 1-2 2-3 3-1\", \"....\") + snort(\"0-1 1-2\", \"..L\")",
        RULES,
    ),
    ("snort(\"0-1 1-2 2-3\", \"...L\") + nim(1)", RULES),
    ("k_in_a_row([\"X..\", \".O.\", \"...\"], 3)", RULES),
    ("k_in_a_row([\"...\", \"...\"], 2, diagonals=False)", RULES),
    (
        "tree({\"a\": [\"b\", \"c\"], \"b\": [\"d\"]}, \"a\", {\"c\": \"tie\", \"d\": \"X\"})",
        RULES,
    ),
    (
        "tree({\"z\": [\"b\", \"c\"], \"b\": [\"c\", \"e\"]}, \"z\", {\"c\": \"tie\", \"e\": \"O\"}, to_move=\"O\")",
        RULES,
    ),
    ("calendar(2001, 9, 1)", RULES),
    ("game(moves, 7)", RULES),
    ("game(moves, (3, 'x')) + game(moves, 3) + nim(2)", RULES),
    ("game(rules, 0) + game(rules, 5)", OWN),
    ("game(rules, 1) + nim(1)", OWN),
    ("game(rules, 20)", TIES),
];

/// Parses a position.
fn position(text: &str, rules: &RuleFile) -> Position {
    let expression = Expression::parse(text).unwrap();
    expression.position_with(&[], rules).unwrap()
}

/// Returns the graph found by a search that identifies positions by their texts. The result
/// contains the text of each position and the options of each vertex. If the last move does not
/// decide the game, it also contains the result at each terminal vertex.
fn by_text(start: &Position) -> (Vec<String>, Vec<Vec<u32>>, Vec<(u32, PayoffResult)>) {
    let mut numbers = HashMap::from([(start.to_string(), 0u32)]);
    let (mut names, mut moves, mut ends) = (vec![start.to_string()], Vec::new(), Vec::new());
    let mut waiting = VecDeque::from([start.clone()]);
    let turns = start.nature().beginners().len() as u32;
    while let Some(here) = waiting.pop_front() {
        for turn in 0..turns {
            // If both players may begin, each position has a vertex for each of them.
            let movers = if turns == 2 {
                start.nature()
            } else {
                here.nature()
            };
            let mover = movers.beginners()[turn as usize];
            let mut row = Vec::new();
            let all = here.moves(mover, &mut |_, _, to| {
                let to = to();
                let next = names.len() as u32;
                let number = *numbers.entry(to.to_string()).or_insert(next);
                if number == next {
                    names.push(to.to_string());
                    waiting.push_back(to);
                }
                let vertex = number * turns + (turn + 1) % turns;
                if !row.contains(&vertex) {
                    row.push(vertex);
                }
                ControlFlow::Continue(())
            });
            assert_eq!(stopped_early(all), Ok(false));
            if row.is_empty() && start.nature().ends == Ends::Payoff {
                let worth = here.terminal_result(mover, Play::Normal).unwrap();
                ends.push((moves.len() as u32, worth));
            }
            moves.push(row);
        }
    }
    (names, moves, ends)
}

/// Returns whether the numbering `met` can be restored from its stored form. The parts, which are
/// the summands of the positions, are restored from their texts. The positions are restored from
/// their lists of indices of parts.
fn restored(start: &Position, met: &Numbered, rules: &RuleFile) -> bool {
    let mut again = Numbered::new(start);
    let free = start.nature().beginners().len() == 2;
    let read = (0..).zip(met.parts()).all(|(number, (room, text))| {
        let part = position(&text, rules);
        let part = if free {
            part.with_either_beginner().unwrap()
        } else {
            part
        };
        again.restore_part(number, room, &text, &part)
    });
    read && again.restore_lists(met.lists().clone())
}

#[test]
fn numbers_are_equal_iff_the_texts_are_equal() {
    let examples = CONSTRUCTORS.iter().map(|game| (game.example, RULES));
    // These examples are too large for the search by text.
    let large = [
        "tic_t",
        "calendar",
        "grundys_game",
        "cutcake",
        "maundy_cake",
    ];
    let small = examples.filter(|(text, _)| !large.iter().any(|name| text.starts_with(name)));
    for (text, source) in POSITIONS.iter().copied().chain(small) {
        let rules = RuleFile::read("rules.star", source, Allowance::default()).unwrap();
        let start = position(text, &rules);
        let found = game_graph(&start, &Limits::default()).expect(text);
        let PositionIndex::Numbered(met) = &found.index else {
            assert!(text.starts_with("graph"));
            continue;
        };
        // Adjacent games under one rule file become one term in the graph.
        assert_eq!(met.position(0).to_string(), start.to_string());
        let (names, moves, ends) = by_text(&met.position(0));
        let numbers = 0..found.index.len() as u32;
        assert!(
            numbers
                .map(|number| found.name(number).into_owned())
                .eq(names.iter().cloned()),
            "{text}"
        );
        let vertices = 0..found.graph.vertices() as u32;
        assert!(
            vertices.map(|v| found.graph.options(v).to_vec()).eq(moves),
            "{text}"
        );
        assert_eq!(found.ends, ends, "{text}");
        // The text of a position in a tree lacks the ancestors, so it cannot be restored.
        let whole = !text.starts_with("tree(");
        assert_eq!(restored(&start, met, &rules), whole, "{text}");
    }
}
