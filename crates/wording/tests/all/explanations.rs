//! Explanations, checked against the definition. Every number in a step of an explanation is
//! recomputed from the moves alone, and every winning move must have a reason.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::mex;
use grundy_core::step::{Datum, Step};
use grundy_core::{Limits, Outcome, Play, Player, Position, Solver, explain};
use grundy_notation::read_position;
use grundy_wording::plain::outline;
use grundy_wording::{Language, words};

/// Values and outcomes of positions, computed by the recursive definition. The positions are given
/// as text.
#[derive(Default)]
struct Definition {
    values: HashMap<String, u64>,
    misere: HashMap<String, u64>,
}

impl Definition {
    fn options(position: &Position) -> Vec<Position> {
        let mut options = Vec::new();
        let player = position.first_player();
        let _ = position.moves(player, &mut |_, _, to| {
            options.push(to());
            ControlFlow::Continue(())
        });
        options
    }

    /// Returns the mex of the values of all options, or `end` if the position has no option.
    fn of(known: &mut HashMap<String, u64>, position: &Position, end: u64) -> u64 {
        let name = position.to_string();
        if let Some(&value) = known.get(&name) {
            return value;
        }
        let options = Self::options(position);
        let value = if options.is_empty() {
            end
        } else {
            let values: Vec<u64> = options
                .iter()
                .map(|option| Self::of(known, option, end))
                .collect();
            mex::mex(values)
        };
        known.insert(name, value);
        value
    }

    fn value(&mut self, text: &str) -> u64 {
        Self::of(&mut self.values, &read_position(text).unwrap(), 0)
    }

    /// Returns the misère nim-value, which is 0 exactly for P-positions.
    fn misere_value(&mut self, text: &str) -> u64 {
        Self::of(&mut self.misere, &read_position(text).unwrap(), 1)
    }

    fn losing(&mut self, text: &str, play: Play) -> bool {
        match play {
            Play::Normal => self.value(text) == 0,
            Play::Misere => self.misere_value(text) == 0,
        }
    }
}

fn int(step: &Step, name: &str) -> Option<u64> {
    step.args.iter().find_map(|(known, datum)| match datum {
        Datum::Int(number) if *known == name => Some(*number),
        _ => None,
    })
}

fn text<'a>(step: &'a Step, name: &str) -> Option<&'a str> {
    step.args.iter().find_map(|(known, datum)| match datum {
        Datum::Text(text) if *known == name => Some(&**text),
        _ => None,
    })
}

fn ints(step: &Step, name: &str) -> Vec<u64> {
    let list = step.args.iter().find_map(|(known, datum)| match datum {
        Datum::List(items) if *known == name => Some(items),
        _ => None,
    });
    let number = |item: &Datum| match item {
        Datum::Int(number) => Some(*number),
        _ => None,
    };
    list.into_iter().flatten().filter_map(number).collect()
}

fn texts<'a>(step: &'a Step, name: &str) -> Vec<&'a str> {
    let list = step.args.iter().find_map(|(known, datum)| match datum {
        Datum::List(items) if *known == name => Some(items),
        _ => None,
    });
    let text = |item: &'a Datum| match item {
        Datum::Text(text) => Some(&**text),
        _ => None,
    };
    list.into_iter().flatten().filter_map(text).collect()
}

fn nim_sum(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, number| sum ^ number)
}

/// Codes of the steps of explanations that claim a P-position. The position is the argument `part`
/// of the step.
const P_STEPS: [&str; 10] = [
    "chomp_arms",
    "cram_half_turn",
    "knight_p",
    "wythoff_pair",
    "zeckendorf_p",
    "moore_p",
    "chomp_two_rows_p",
    "chomp_two_columns_p",
    "calendar_odd",
    "treblecross_over",
];
const N_STEPS: [&str; 14] = [
    "chomp_square",
    "cram_middle_domino",
    "knight_n",
    "wythoff_pairs",
    "wythoff_far",
    "zeckendorf_n",
    "moore_n",
    "chomp_two_rows_n",
    "chomp_two_rows_equal",
    "chomp_two_columns_n",
    "chomp_two_columns_equal",
    "chomp_stealing",
    "calendar_even",
    "calendar_exception",
];

/// Codes of the steps of explanations that only cite a theorem or a strategy, and claim nothing
/// about the position that could be checked.
const CITING: [&str; 2] = ["theorem", "copycat"];

/// Checks the claims that a step makes about the values of its argument `part`, which is a
/// position, and of the options of this position. Covers normal and misère play.
fn check_values(step: &Step, definition: &mut Definition) {
    let part = text(step, "part");
    let number = |name| int(step, name).unwrap_or_else(|| panic!("{name}: {step:?}"));
    match step.code {
        "tame_value" | "tame_options" | "residue_tame" => {
            let value = definition.misere_value(part.unwrap());
            assert_eq!(value, number("misere_value"), "{step:?}");
            let value = definition.value(part.unwrap());
            assert_eq!(value, number("value"), "{step:?}");
            let told = match step.code {
                "tame_options" => texts(step, "options"),
                _ => Vec::new(),
            };
            for option in told {
                let (name, values) = option.rsplit_once(" = ").unwrap();
                let both = format!(
                    "{}|{}",
                    definition.value(name),
                    definition.misere_value(name)
                );
                assert_eq!(values, both, "{step:?}");
            }
        }
        // Only entries of the form `option = value` are claims.
        "mex" | "mex_of" => {
            let mut told = Vec::new();
            for option in texts(step, "options") {
                if let Some((name, value)) = option.rsplit_once(" = ") {
                    assert_eq!(definition.value(name).to_string(), value, "{step:?}");
                    told.push(value.parse().unwrap());
                }
            }
            assert_eq!(mex::mex(told), number("missing"), "{step:?}");
        }
        "nim_heap" | "mex_many_of" => {
            let value = int(step, "value").unwrap_or_else(|| number("missing"));
            assert_eq!(definition.value(part.unwrap()), value, "{step:?}");
            assert_eq!(number("last") + 1, value);
        }
        "reason_end" => {
            let to = read_position(text(step, "to").unwrap()).unwrap();
            assert!(Definition::options(&to).is_empty(), "{step:?}");
        }
        _ => {}
    }
}

fn check_step(step: &Step, play: Play, definition: &mut Definition) {
    // Any step with a part and a value claims that value. A step with `left` claims it for the
    // remaining part.
    let part = text(step, "part");
    if let (Some(part), Some(value)) = (part, int(step, "value").or(int(step, "missing"))) {
        let of = text(step, "left").unwrap_or(part);
        assert_eq!(definition.value(of), value, "{step:?}");
    }
    if P_STEPS.contains(&step.code) {
        assert!(definition.losing(part.unwrap(), play), "{step:?}");
    }
    if N_STEPS.contains(&step.code) || step.code == "treblecross_pair" {
        assert!(!definition.losing(part.unwrap(), play), "{step:?}");
    }
    let number = |name| int(step, name).unwrap_or_else(|| panic!("{name}: {step:?}"));
    match step.code {
        "residue" | "residue_saltus" => {
            let base = number("preperiod") + number("rest");
            assert_eq!(number("base"), base);
            assert_eq!(number("size"), base + number("period") * number("times"));
            let saltus = int(step, "saltus").unwrap_or(0) * number("times");
            let first = int(step, "base_value").unwrap_or(number("value"));
            assert_eq!(number("value"), first + saltus);
        }
        "rook_heaps" => assert_eq!(number("value"), number("x") ^ number("y")),
        "heads_turtles" | "heads_mock" | "heads_ruler" | "heads_twins" | "runs_of_pins" => {
            assert_eq!(number("value"), nim_sum(&ints(step, "values")));
        }
        "ordinal_missing" => {
            let taken = ints(step, "taken");
            // With a top of value k, an ordinal sum has the k-th value, counted from 0, that no
            // option of the base has.
            let free = (0..).filter(|n| !taken.contains(n));
            let value = free.take(number("skipped") as usize + 1).last();
            assert_eq!(value, Some(number("value")), "{step:?}");
            assert_eq!(definition.value(part.unwrap()), number("value"), "{step:?}");
        }
        "stalks_left" => assert_eq!(number("length"), nim_sum(&ints(step, "branches"))),
        // In Staircase Nim only the coins on odd steps count. Of coins on a strip only the gaps
        // between paired coins do.
        "odd_steps" => assert_eq!(number("value"), nim_sum(&ints(step, "coins"))),
        "gaps_in_pairs" | "gaps_with_a_coin_alone" | "gap_of_the_only_coin" | "row_gaps" => {
            assert_eq!(number("value"), nim_sum(&ints(step, "gaps")));
        }
        "worth_of_parts" => assert_eq!(number("value"), nim_sum(&ints(step, "values"))),
        "treblecross_heaps" => {
            assert_eq!(number("sum"), nim_sum(&ints(step, "values")));
            let losing = definition.losing(part.unwrap(), play);
            assert_eq!(losing, number("sum") == 0, "{step:?}");
        }
        "zeckendorf_p" | "zeckendorf_n" => {
            // Zeckendorf's theorem: the parts are Fibonacci numbers with the heap as their sum.
            assert_eq!(ints(step, "parts").iter().sum::<u64>(), number("size"));
        }
        "residue_rule" => assert_eq!(
            number("size"),
            number("p") * number("quotient") + number("value")
        ),
        "lasker_rule" => assert_eq!(number("size"), 4 * number("k") + number("rest")),
        "divisors_rule" | "proper_divisors_rule" => {
            assert_eq!(number("size"), number("odd") << number("twos"));
            assert_eq!(number("odd") % 2, 1);
        }
        "moore_ones" => {
            // Moore's Nim in which all heaps are at most 1, in misère play.
            assert_eq!(number("ones") % number("modulus"), number("rest"));
            assert_eq!(definition.losing(part.unwrap(), play), number("rest") == 1);
        }
        "searched_answered" => {
            let (moved, answer) = (text(step, "move").unwrap(), text(step, "answer").unwrap());
            assert!(!definition.losing(moved, play), "{step:?}");
            assert!(definition.losing(answer, play), "{step:?}");
            let options = Definition::options(&read_position(moved).unwrap());
            assert!(options.iter().any(|option| option.to_string() == answer));
        }
        "reason_p_options" => {
            let options = Definition::options(&read_position(text(step, "to").unwrap()).unwrap());
            let told = texts(step, "options");
            assert_eq!(told.len(), options.len(), "{step:?}");
            for option in told {
                assert!(!definition.losing(option, play), "{step:?}");
            }
        }
        "nim_columns" => assert_eq!(number("sum"), nim_sum(&ints(step, "heaps"))),
        "odd_column_heaps" => {
            let heaps = ints(step, "heaps");
            assert_eq!(heaps.len() as u64, number("ones"));
            assert!(heaps.iter().all(|heap| heap & number("column") != 0));
        }
        "reason_heap" => assert_eq!(number("count"), number("from") - number("value")),
        _ => {}
    }
    check_values(step, definition);
    if step.code.starts_with("reason") {
        let to = text(step, "to").unwrap();
        assert!(definition.losing(to, play), "{step:?}");
        if let Some(from) = int(step, "from") {
            assert_eq!(definition.value(part.unwrap()), from, "{step:?}");
            // A winning move usually lowers the value of its part. One that raises it is
            // reversible and has a separate code.
            assert_eq!(step.code == "reason_raised", number("value") > from);
        }
    }
    for language in [Language::En, Language::Zh] {
        let sentence = words(step, language);
        assert!(
            !sentence.contains('?') && !sentence.contains('{'),
            "{sentence}"
        );
    }
}

/// Checks the step `listed`, which lists the values of one period. The previous step, `residue`,
/// states the preperiod and the length of the period.
fn check_period(residue: &Step, listed: &Step, definition: &mut Definition) {
    let size = int(residue, "size").unwrap();
    let part = text(residue, "part").unwrap();
    let game = part.strip_suffix(&format!("{size})")).unwrap();
    let first = int(residue, "preperiod").unwrap();
    assert_eq!(int(listed, "preperiod"), Some(first));
    let values = ints(listed, "values");
    assert_eq!(values.len() as u64, int(residue, "period").unwrap());
    for (size, value) in (first..).zip(values) {
        assert_eq!(
            definition.value(&format!("{game}{size})")),
            value,
            "{game}{size})"
        );
    }
}

fn check(game: &str, play: Play, definition: &mut Definition) {
    let position = read_position(game).unwrap();
    let (mut solver, limits) = (Solver::default(), Limits::default());
    let solution = solver.solve(&position, play, &limits).unwrap();
    let steps = explain::steps(&position, play, &solution, &mut solver, &limits).unwrap();
    steps
        .iter()
        .for_each(|step| check_step(step, play, definition));
    for pair in steps.windows(2) {
        if pair[1].code == "one_period" {
            check_period(&pair[0], &pair[1], definition);
        }
    }
    // Values of a period continue the previous step, so they have no number. No other step begins
    // like them.
    for told in outline(&steps, Language::En) {
        assert_eq!(
            told.step.code == "one_period",
            told.number.is_none() && told.sentence.starts_with("  The values over")
        );
    }
    // A search with more than 24 options is only mentioned, since a list of replies would be too
    // long to read.
    let many = steps.iter().any(|step| step.code == "searched") && {
        let told = |step: &Step| matches!(step.code, "searched_n" | "searched_p");
        let options = Definition::options(&position).len();
        assert_eq!(
            steps.iter().any(told),
            (1..=24).contains(&options),
            "{game}"
        );
        options > 24
    };
    let reasons = steps
        .iter()
        .filter(|step| step.code.starts_with("reason"))
        .count();
    if !many {
        assert_eq!(reasons, solution.winning_moves().len(), "{game} {play}");
    }
    // The first step states the kind of game and the last one the conclusion. Some step between
    // them must be about this position, unless it is trivial.
    let says = steps[1..steps.len() - 1]
        .iter()
        .filter(|step| !CITING.contains(&step.code));
    let over = !position.has_move(Player::Left).unwrap();
    // A single heap in a P-position is empty or of size 1, so there is nothing to explain.
    let heap = position
        .only_term()
        .is_some_and(|term| matches!(term.name(), "nim" | "nimble") && term.part_count() < 2);
    let settled = heap && solution.outcome() == Outcome::P;
    if !over && !settled {
        assert!(says.count() > 0, "{game} {play}: {steps:?}");
    }
}

/// Ordinal sums, for which the steps of the explanation state the values of both terms, called base
/// and top.
const ORDINAL_SUMS: [&str; 4] = [
    "ordinal_sum(nim(1), nim(2))",
    "ordinal_sum(nim(2), nim(3)) + nim(1)",
    "ordinal_sum(kayles(4), kayles(3))",
    "ordinal_sum(nim(0), kayles(3))",
];

/// Returns small positions of every impartial game.
fn positions() -> Vec<String> {
    let mut all = Vec::new();
    // The definition visits every sum reachable by splitting, that is, about as many positions as
    // the heap has partitions. Hence smaller heaps than for games that only take chips.
    let splitting = [
        "kayles(",
        "dawsons_chess(",
        "dawsons_kayles(",
        "treblecross(",
        "officers(",
        "grundys_game(",
        "laskers_nim(",
        "take_and_break(\"0.16\", ",
        "take_and_break(\"4.007\", ",
    ];
    let taking = [
        "nim(",
        "at_least_half(",
        "at_most_half(",
        "at_most(1, 3, ",
        "at_most(3, 5, ",
        "nim_except([[1, 1], [2, 1], [5, 4], [5, 5], [7, 2]], ",
        "nimble(",
        "subtraction([1, 3, 4], ",
        "subtraction([2, 3], ",
        "all_but([2, 4], ",
        "all_but([1], ",
        "subtraction(\"odd\", ",
        "subtraction(\"even\", ",
        "subtraction(\"divisors\", ",
        "subtraction(\"proper_divisors\", ",
        "subtraction(\"powers_of_2\", ",
        "subtraction(\"primes_and_1\", ",
        "subtraction(\"squares\", ",
    ];
    let heaps = splitting.map(|game| (game, 12));
    for (heap, most) in heaps.into_iter().chain(taking.map(|game| (game, 30))) {
        all.extend((0..most).map(|n| format!("{heap}{n})")));
        all.extend((0..5).flat_map(|a| (0..5).map(move |b| format!("{heap}{a}, {b})"))));
        all.extend((1..4).map(|a| format!("{heap}{a}) + nim(2) + kayles(3)")));
    }
    let squares = |most: u64| (0..most).flat_map(move |x| (0..most).map(move |y| (x, y)));
    for piece in ["rook", "queen", "king", "knight", "wythoff"] {
        all.extend(squares(12).map(|(x, y)| format!("{piece}({x}, {y})")));
        all.extend(squares(4).map(|(x, y)| format!("{piece}({x}, {y}) + nim(1)")));
    }
    let pairs = squares(24).filter(|&(a, b)| a > 0 && b > 0);
    all.extend(pairs.map(|(a, b)| format!("euclid({a}, {b})")));
    for (a, b) in squares(7) {
        all.extend((1..4).map(|k| format!("moore_nim({k}, {a}, {b}, {})", (a + b) % 5)));
        all.push(format!(
            "staircase_nim({}, {}, {})",
            a % 4,
            b % 4,
            (a * b) % 3
        ));
        all.push(format!("fibonacci_nim({}, {})", 3 * a + b, b));
        all.push(format!(
            "strip_coins({a}, {}, {})",
            a + b + 1,
            a + 2 * b + 4
        ));
        all.push(format!("strip_coins({a}, {})", a + b + 1));
        all.push(format!("calendar(2001, {}, {})", 9 + a % 2, 24 + b));
    }
    for game in ["turning_turtles", "mock_turtles", "ruler", "twins"] {
        for set in 1..128u32 {
            let heads: Vec<String> = (1..=7)
                .filter(|n| set >> (n - 1) & 1 == 1)
                .map(|n: u32| n.to_string())
                .collect();
            all.push(format!("{game}({})", heads.join(", ")));
        }
    }
    all.push("chomp(4, 4, 4, 4)".to_owned());
    for a in 1..6u32 {
        for b in 0..=a {
            all.extend((0..=b).map(|c| format!("chomp({a}, {b}, {c})")));
        }
    }
    for row in 0..128u32 {
        all.push(format!("kayles_row(\"{row:07b}\")"));
        let crossed = format!("{row:07b}").replace('0', ".").replace('1', "X");
        if row.count_ones() < 4 {
            all.push(format!("treblecross_row(\"..{crossed}\")"));
        }
    }
    all.extend(ORDINAL_SUMS.map(str::to_owned));
    for edges in [
        "0-1",
        "0-1 1-2 1-3",
        "0-1 1-2 2-0 2-3",
        "0-1 0-2 2-2",
        "0-1 1-2 2-3 3-1 3-4",
    ] {
        all.push(format!("hackenbush(\"{edges}\")"));
        all.push(format!("hackenbush(\"{edges}\") + nim(2) + kayles(2)"));
    }
    all.extend(["....", "...", ".."].map(|row| format!("cram([\"{row}\", \"{row}\"])")));
    all.extend(["0-1 1-2", "0-1 1-2 2-3 3-0"].map(|edges| format!("node_kayles(\"{edges}\")")));
    all
}

#[test]
fn claims_of_explanations_hold() {
    let mut definition = Definition::default();
    let positions = positions();
    assert!(positions.len() > 3000);
    for game in &positions {
        check(game, Play::Normal, &mut definition);
    }
}

#[test]
fn claims_of_misere_explanations_hold() {
    let mut definition = Definition::default();
    let simple = |game: &&String| !game.starts_with("calendar") && game.len() < 30;
    // Misère values are not additive, so long sums would take the definition too long.
    for game in positions().iter().filter(simple).step_by(2) {
        check(game, Play::Misere, &mut definition);
    }
}
