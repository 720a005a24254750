//! `--remoteness`: the remoteness in the answer, and its absence if the search for it would exceed
//! the limits.

use serde_json::Value;

use crate::program::{grundy, grundy_with};

#[test]
fn remoteness_beyond_the_limits_is_omitted() {
    let output = grundy(&["solve", "--json", "--remoteness", "nim(3, 4)"]);
    let answer = String::from_utf8_lossy(&output.stdout);
    // With optimal play the sum lasts until every chip is taken singly: 3 + 4 moves.
    assert!(answer.contains(r#""remoteness":7"#), "{answer}");
    // The outcome follows from the nim-sum at once, while the remoteness would need a search of
    // 2^32 positions. It is left out without an error.
    let output = grundy(&["solve", "--json", "--remoteness", "nim(4294967296, 0)"]);
    let answer = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        answer.contains(r#""outcome":"N""#) && !answer.contains("remoteness"),
        "{answer}"
    );
    let lines = "nim(4294967296, 0)\nnim(1)\n";
    let output = grundy_with(&["solve", "--remoteness", "--jsonl", "-"], lines);
    let answers = String::from_utf8_lossy(&output.stdout);
    // The answer about the heap of 1 has the remoteness of the heap, and of the empty heap.
    assert_eq!(answers.matches("remoteness").count(), 2, "{answers}");
    assert_eq!(output.status.code(), Some(0));
}

/// Checks the remotenesses of a game with loops in a table, against the answers of `solve`.
#[test]
fn tables_of_remoteness_agree_with_solve() {
    type Family = fn(usize, usize) -> String;
    let graph: Family =
        |m, n| format!("graph({{0: [1], 1: [0, 2], 2: [], 3: [2, 4], 4: [2, 3]}}, {n}) + nim({m})");
    let cases: [(&str, Family, &[&str]); 4] = [
        ("nim(m, n)", |m, n| format!("nim({m}, {n})"), &[]),
        ("nim(m, n)", |m, n| format!("nim({m}, {n})"), &["--misere"]),
        (
            "domineering(board(m, n))",
            |m, n| format!("domineering(board({m}, {n}))"),
            &[],
        ),
        (
            "graph({0: [1], 1: [0, 2], 2: [], 3: [2, 4], 4: [2, 3]}, n) + nim(m)",
            graph,
            &[],
        ),
    ];
    for (family, at, misere) in cases {
        let ranges = ["m=1..3", "n=1..4", "--of", "remoteness", "--json"];
        let output = grundy(&[&["table", family], &ranges[..], misere].concat());
        let table: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut lost = Vec::new();
        for m in 1..=3 {
            for n in 1..=4 {
                let position = at(m, n);
                let solve = ["solve", "--json", "--remoteness", &position];
                let output = grundy(&[&solve[..], misere].concat());
                let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
                let (i, j) = (m - 1, n - 1);
                assert_eq!(
                    table["remoteness"][i][j], answer["remoteness"],
                    "{position}"
                );
                assert_eq!(table["outcome"][i][j], answer["outcome"], "{position}");
                if answer["outcome"] == "P" && answer["remoteness"].is_u64() {
                    lost.push((answer["remoteness"].as_u64().unwrap(), m, n));
                }
            }
        }
        lost.sort_unstable();
        if family.starts_with("domineering") {
            // In a partizan game the outcome class P has two remotenesses, so there is no list.
            assert_eq!(table.get("p_positions"), None, "{family}");
            continue;
        }
        let groups = table["p_positions"].as_array().unwrap().iter();
        let listed: Vec<(u64, usize, usize)> = groups
            .flat_map(|group| {
                let remoteness = group["remoteness"].as_u64().unwrap();
                let at = group["at"].as_array().unwrap().iter();
                at.map(move |at| {
                    let number = |index: usize| at[index].as_u64().unwrap() as usize;
                    (remoteness, number(0), number(1))
                })
            })
            .collect();
        assert_eq!(listed, lost, "{family}");
    }
}

/// Checks the list of P-positions and the addresses of searches, against the outcomes of `solve`.
#[test]
fn patterns_list_the_p_positions() {
    for (family, range, play) in [
        ("subtraction([1, 3, 4], n)", 0..40, None),
        ("subtraction([1, 3, 4], n)", 5..40, Some("--misere")),
        ("fibonacci_nim(n)", 1..30, None),
    ] {
        let numbers = format!("n={}..{}", range.start, range.end - 1);
        let question = ["table", family, &numbers, "--pattern", "--json"];
        let output = grundy(&[&question[..], play.as_slice()].concat());
        let table: Value = serde_json::from_slice(&output.stdout).unwrap();
        let lost: Vec<u64> = range
            .filter(|n: &u64| {
                let position = family.replace("n)", &format!("{n})"));
                let question = ["solve", "--outcome", "--json", &position];
                let output = grundy(&[&question[..], play.as_slice()].concat());
                let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
                answer["outcome"] == "P"
            })
            .collect();
        assert!(lost.len() > 5, "{family}: {lost:?}");
        assert_eq!(table["p_numbers"], Value::from(lost.clone()), "{family}");
        // The first term, and 0 and 1 at the start, are left out.
        let at_start = lost.iter().filter(|n| **n <= 1).count().max(1);
        let terms = lost.iter().skip(at_start).take(12).map(u64::to_string);
        let terms = terms.collect::<Vec<_>>().join(",");
        let address = format!("https://oeis.org/search?q={terms}");
        assert_eq!(table["oeis"]["p_positions"], address, "{family}");
        assert_eq!(table["oeis"].get("grundy").is_some(), play.is_none());
    }
}

/// Checks answers that the nearest positions decide. A search of all positions would not end.
#[test]
fn remoteness_is_known_where_infinitely_many_positions_are_reachable() {
    let rules = "../../examples/infinite/put_or_take_a_square.star";
    for (n, outcome, remoteness) in [(0, "P", 0), (1, "N", 1), (4, "N", 1), (5, "P", 2)] {
        let game = format!("game(moves, {n})");
        let output = grundy(&["solve", "--json", "--remoteness", "--rules", rules, &game]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["outcome"], outcome, "{answer}");
        assert_eq!(answer["remoteness"], remoteness, "{answer}");
    }
}
