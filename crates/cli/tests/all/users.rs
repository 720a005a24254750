//! The files and questions that users brought, with the right answers. The answers are those of
//! published tasks, or of a program that lists all positions.

use crate::program::grundy_with;
use serde_json::{Value, json};

fn file(name: &str) -> String {
    format!("{}/../../testdata/users/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the JSON answer to a question.
fn answer(arguments: &[&str]) -> Value {
    let all = [&[arguments[0], "--json"], &arguments[1..]].concat();
    let output = grundy_with(&all, "");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"))
}

/// Returns the answer to `solve` for a position of a rule file.
fn solve_with(rules: &str, position: &str) -> Value {
    answer(&["solve", "--outcome", "--rules", &file(rules), position])
}

fn outcome(position: &str) -> Value {
    answer(&["solve", "--outcome", position])["outcome"].clone()
}

/// Returns the mex of some values.
fn mex(values: &[u64]) -> u64 {
    (0..).find(|value| !values.contains(value)).unwrap()
}

/// Returns the values of a subtraction game from its definition.
fn subtraction(allowed: impl Fn(u64) -> bool, most: u64) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for n in 0..=most {
        let options = (1..=n).filter(|&k| allowed(k));
        let options: Vec<u64> = options.map(|k| values[(n - k) as usize]).collect();
        values.push(mex(&options));
    }
    values
}

#[test]
fn payoffs_at_inner_nodes_of_a_tree_are_added() {
    let tree = answer(&["tree", &file("inner-payoffs.efg")]);
    assert_eq!(tree["value"], "Left", "{tree}");
    assert_eq!(tree["values"], json!(["1", "-1"]));
    assert_eq!(tree["wins"], json!({"Left": 1, "Right": 1, "tie": 0}));
}

#[test]
fn a_tree_of_constant_sum_has_a_value() {
    let tree = answer(&["tree", &file("constant-sum.efg")]);
    assert_eq!(tree["constant"], "1", "{tree}");
    assert_eq!(tree["values"], json!(["1", "0"]));
}

#[test]
fn a_matrix_of_constant_sum_has_a_value() {
    // Rows (2, 0) and (0, 1): p 2 = (1 - p) 1 gives p = 1/3 and the value 2/3.
    let matrix = answer(&["matrix", &file("constant-sum.nfg")]);
    assert_eq!(matrix["value"], "2/3", "{matrix}");
    assert_eq!(matrix["row_strategy"], json!(["1/3", "2/3"]));
    assert_eq!(matrix["col_strategy"], json!(["1/3", "2/3"]));
}

#[test]
fn a_matrix_with_names_keeps_them() {
    let output = grundy_with(&["matrix", &file("labelled.csv")], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("value 0\n"), "{text}");
    assert!(text.contains("1/2 row up + 1/2 row down"), "{text}");
}

#[test]
fn a_matrix_with_decimal_commas_is_read() {
    let matrix = answer(&["matrix", &file("decimal-comma.csv")]);
    assert_eq!(matrix["value"], "1/10", "{matrix}");
}

#[test]
fn a_matrix_as_numpy_prints_it_is_read() {
    let matrix = answer(&["matrix", &file("numpy.txt")]);
    assert_eq!(matrix["value"], "0", "{matrix}");
}

#[test]
fn epsteins_game_is_decided_near_the_position() {
    // OEIS A005240.
    for n in [0, 5, 20, 29, 45, 80, 101, 116, 135, 145] {
        let solved = solve_with("epstein.star", &format!("game(moves, {n})"));
        assert_eq!(solved["outcome"], "P", "{n}");
    }
    let solved = solve_with("epstein.star", "game(moves, 4)");
    assert_eq!(
        (&solved["outcome"], &solved["remoteness"]),
        (&json!("N"), &json!(1))
    );
}

#[test]
fn a_win_in_one_move_needs_no_end_of_the_other_moves() {
    let solved = solve_with("grow.star", "game(moves, 1)");
    assert_eq!(
        (&solved["outcome"], &solved["remoteness"]),
        (&json!("N"), &json!(1))
    );
}

#[test]
fn a_table_of_remotenesses_answers_the_exam_question() {
    let rules = file("ege77.star");
    let game = "game(moves, (7, S))";
    let table = answer(&[
        "table",
        "--of",
        "remoteness",
        "--rules",
        &rules,
        game,
        "S=1..69",
    ]);
    let listed = table["remoteness"].as_array().unwrap();
    let with = |wanted: u64| -> Vec<usize> {
        (1..=69)
            .filter(|&size| listed[size - 1] == wanted)
            .collect()
    };
    assert_eq!(with(3), [31, 34]);
    assert_eq!(with(4), [30, 33]);
    // 7 + 2 S >= 77 first holds at S = 35, so a blunder to 2 S = 36 loses from S = 18.
    assert_eq!(with(1)[0], 35);
    assert_eq!(with(1).len(), 35);
}

#[test]
fn the_quickest_move_of_tic_tac_toe_comes_first() {
    let game = r#"k_in_a_row([".X.", ".O.", "OXX"], 3)"#;
    let solved = answer(&["solve", "--remoteness", game]);
    let moves = solved["winning_moves"].as_array().unwrap();
    assert_eq!(moves[0]["at"], json!([0, 2]));
    assert_eq!(moves[0]["remoteness"], 0);
    assert_eq!(moves.len(), 4);
    assert!(
        moves[1..].iter().all(|one| one["remoteness"] == 2),
        "{solved}"
    );
}

#[test]
fn geography_from_a_corner_depends_on_the_parity() {
    for n in [1, 2, 3, 6, 7, 99, 100] {
        let expected = if n % 2 == 1 { "P" } else { "N" };
        let game = format!("geography(grid({n}, {n}), 0)");
        assert_eq!(outcome(&game), expected, "{n}");
    }
}

#[test]
fn a_part_of_the_heap_may_be_taken() {
    assert_eq!(outcome("at_most(1, 2, 5) + at_most(1, 3, 3)"), "P");
    let large = answer(&["solve", "--no-moves", "at_most(1, 3, 1000000000)"]);
    let table = answer(&["table", "at_most(1, 3, n)", "n=0..60"]);
    let mut values: Vec<u64> = Vec::new();
    for n in 0..=60 {
        values.push(mex(&values[n - n / 3..n]));
    }
    assert_eq!(table["grundy"], json!(values));
    // Heaps that lose a third in each step have the same value.
    assert_eq!(large["grundy"], 222_222_222);
}

#[test]
fn nim_with_forbidden_pairs_has_a_value() {
    let game = "nim_except([[2, 1], [3, 3], [3, 1], [1, 1]], 1, 2, 4)";
    let solved = answer(&["solve", game]);
    assert_eq!(
        (&solved["outcome"], &solved["grundy"]),
        (&json!("N"), &json!(3))
    );
}

#[test]
fn a_heap_is_split_into_several_heaps() {
    let three = answer(&["table", r#"take_and_break("{2,3}.0", n)"#, "n=0..16"]);
    let known = [0, 0, 1, 2, 3, 1, 4, 3, 2, 4, 5, 6, 7, 8, 9, 7, 6];
    assert_eq!(three["grundy"], json!(known));
    let four = answer(&["table", r#"take_and_break("{2,3,4}.0", n)"#, "n=1..16"]);
    assert_eq!(four["grundy"], json!((0..16).collect::<Vec<u64>>()));
}

#[test]
fn a_run_of_three_to_five_cards_is_taken() {
    let table = answer(&["table", r#"take_and_break("0.00777", n)"#, "n=0..16"]);
    let known = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 1, 1, 1, 5];
    assert_eq!(table["grundy"], json!(known));
}

#[test]
fn positions_of_a_rule_file_are_as_large_as_heaps() {
    let large = solve_with("pair.star", "game(moves, (9223372036854775808, 1))");
    assert_eq!(large["outcome"], "N", "{large}");
    let truth = solve_with("pair.star", "game(moves, (True, 1))");
    assert_eq!(truth["game"], "game(moves, (1, 1))");
    assert_eq!(truth["outcome"], "N");
}

#[test]
fn draws_have_levels() {
    let output = grundy_with(&["label", "--draw-levels", &file("draws.csv")], "");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("draw"), "{text}");
    assert!(
        lines[1].starts_with("a,D") && lines[2].starts_with("b,D"),
        "{text}"
    );
}

#[test]
fn a_player_may_win_endless_play() {
    let game = r#"graph({"a": ["b"], "b": ["a"]}, "a", endless="left")"#;
    assert_eq!(outcome(game), "L");
    assert_eq!(outcome(&game.replace("left", "right")), "R");
    assert_eq!(outcome(&game.replace("left", "draw")), "D");
}

#[test]
fn large_positions_of_theorems_are_solved_at_once() {
    assert_eq!(outcome("moore_nim(2, 10, 20, 30, 40)"), "N");
    // 100000 is no Fibonacci number, and 121393 is one.
    assert_eq!(outcome("fibonacci_nim(100000)"), "N");
    assert_eq!(outcome("fibonacci_nim(121393)"), "P");
}

#[test]
fn first_guesses_of_a_learner_are_understood() {
    let guesses = include_str!("../../../../testdata/guesses.json");
    let guesses: Vec<(String, String)> = serde_json::from_str(guesses).unwrap();
    assert!(guesses.len() > 25);
    for (text, meaning) in guesses {
        let solved = answer(&["solve", "--outcome", &text]);
        assert_eq!(solved["game"], meaning, "{text}");
        assert_eq!(solved["understood"], meaning, "{text}");
        assert_eq!(solved["outcome"], outcome(&meaning), "{text}");
    }
    let two = answer(&["solve", "subtraction(1,2,3, 21)"]);
    assert_eq!(two["error"]["readings"][0], "subtraction([1, 2, 3], 21)");
}

#[test]
fn misere_play_in_words_leads_to_the_option() {
    for text in ["misere nim 3 4 5", "last player loses nim 3 4 5"] {
        let error = answer(&["solve", text]);
        let help = error["error"]["help"].as_str().unwrap();
        assert!(
            help.contains("nim(3, 4, 5)") && help.contains("--misere"),
            "{help}"
        );
    }
}

#[test]
fn tables_take_words_single_values_and_full_width_digits() {
    let plain = answer(&["table", "subtraction([1, 2, 3], n)", "n=0..9"]);
    assert_eq!(plain["grundy"], json!([0, 1, 2, 3, 0, 1, 2, 3, 0, 1]));
    for (text, range) in [
        ("take 1-3 from n", "n=0..9"),
        ("subtraction([1, 2, 3], n)", "n\u{ff1d}\u{ff10}..\u{ff19}"),
    ] {
        assert_eq!(
            answer(&["table", text, range])["grundy"],
            plain["grundy"],
            "{text}"
        );
    }
    let single = answer(&["table", "subtraction([1, 2, 3], n)", "n=6"]);
    assert_eq!(
        (&single["from"], &single["grundy"]),
        (&json!([6]), &json!([2]))
    );
    let listed = answer(&["table", "kayles(n)", "n=4,5,29"]);
    let help = listed["error"]["help"].as_str().unwrap();
    assert!(help.contains("n=4..29"), "{help}");
}

#[test]
fn the_period_of_a_rule_file_is_observed() {
    let rules = format!(
        "{}/../../examples/rules/squares.star",
        env!("CARGO_MANIFEST_DIR")
    );
    let all = [
        "period",
        "--json",
        "--max",
        "300",
        "--rules",
        &rules,
        "game(moves, n)",
    ];
    let output = grundy_with(&all, "");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["checked_to"], 300, "{answer}");
}

#[test]
fn all_extreme_optimal_strategies_are_listed() {
    let output = grundy_with(&["matrix", "--json", "--extreme", "10", "-"], "1 1\n1 1\n");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = answer.to_string();
    assert!(
        text.contains(r#"[["1","0"],["0","1"]]"#) || text.contains(r#"[["0","1"],["1","0"]]"#),
        "{text}"
    );
}

#[test]
fn a_set_is_given_by_a_formula() {
    let powers = |k: u64| (1..16).any(|i: u64| i.pow(i as u32) == k);
    let squares = |k: u64| (1..=k).any(|i| i * i == k);
    let triangular = |k: u64| (1..=k).any(|i| i * (i + 1) / 2 == k);
    let threes = |k: u64| k % 3 == 1;
    let cases: [(&str, &dyn Fn(u64) -> bool); 4] = [
        ("k**k", &powers),
        ("k*k", &squares),
        ("k * (k + 1) // 2", &triangular),
        ("3*k - 2", &threes),
    ];
    for (formula, allowed) in cases {
        let game = format!("subtraction(\"{formula}\", n)");
        let table = answer(&["table", &game, "n=0..120"]);
        assert_eq!(
            table["grundy"],
            json!(subtraction(allowed, 120)),
            "{formula}"
        );
        let game = format!("all_but(\"{formula}\", n)");
        let table = answer(&["table", &game, "n=0..60"]);
        let others = subtraction(|k| !allowed(k), 60);
        assert_eq!(table["grundy"], json!(others), "{formula}");
    }
}

#[test]
fn a_set_is_given_by_a_function_or_a_list_of_a_rule_file() {
    let rules = file("sets.star");
    let table = |game: &str| answer(&["table", "--rules", &rules, game, "n=0..60"]);
    let allowed = subtraction(|k| k % 3 == 1, 60);
    assert_eq!(table("subtraction(allowed, n)")["grundy"], json!(allowed));
    let few = subtraction(|k| [1, 4, 9, 16].contains(&k), 60);
    assert_eq!(table("subtraction(few, n)")["grundy"], json!(few));
    let others = subtraction(|k| k % 3 != 1, 60);
    assert_eq!(table("all_but(allowed, n)")["grundy"], json!(others));
    // A function that fails is an error with its place, and never a smaller set.
    let broken = table("subtraction(broken, n)");
    let message = broken["error"]["message"].as_str().unwrap();
    assert!(message.contains("broken(4): division by 0"), "{message}");
    let position = "partizan_subtraction(broken, [1], 9)";
    let broken = answer(&["solve", "--rules", &rules, position]);
    let message = broken["error"]["message"].as_str().unwrap();
    assert!(message.contains("broken(4): division by 0"), "{message}");
    let large = answer(&["solve", "--rules", &rules, "subtraction(allowed, 20000000)"]);
    assert_eq!(large["error"]["kind"], "range");
}

#[test]
fn the_period_of_a_set_of_a_rule_file_is_observed() {
    let rules = file("sets.star");
    let game = "subtraction(allowed, n)";
    let answer = answer(&["period", "--max", "300", "--rules", &rules, game]);
    assert_eq!(answer["status"], "observed", "{answer}");
    assert_eq!(
        (&answer["preperiod"], &answer["period"]),
        (&json!(2), &json!(3))
    );
}

#[test]
fn hostile_formulas_are_errors() {
    let deep = "(".repeat(5000) + "k" + &")".repeat(5000);
    let long = "k+".repeat(1_000_000) + "k";
    for formula in [
        "k//0", "7", "k%3", "2**(k-9)", "k^2", "k/2", "n", "(k", "", &deep, &long,
    ] {
        let question = json!({"game": format!("subtraction(\"{formula}\", 9)")}).to_string();
        let output = grundy_with(&["solve", "--jsonl", "-"], &question);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let kind = answer["error"]["kind"].as_str().unwrap();
        assert!(
            ["range", "syntax", "unknown_name"].contains(&kind),
            "{formula:.20}: {answer}"
        );
    }
}
