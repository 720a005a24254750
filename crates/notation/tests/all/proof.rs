//! Proofs by the game tree: every claim of every step is verified independently.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use grundy_core::step::{Datum, Step};
use grundy_core::{Limits, Player, Solver, Stop, proof};
use grundy_notation::read_position;

fn text<'a>(step: &'a Step, name: &str) -> &'a str {
    match step.args.iter().find(|(known, _)| *known == name) {
        Some((_, Datum::Text(text))) => text,
        other => panic!("{name}: {other:?}"),
    }
}

fn number(step: &Step, name: &str) -> u64 {
    match step.args.iter().find(|(known, _)| *known == name) {
        Some((_, Datum::Int(n))) => *n,
        other => panic!("{name}: {other:?}"),
    }
}

fn options(game: &str) -> HashSet<String> {
    let mut options = HashSet::new();
    let position = read_position(game).unwrap();
    let _ = position.moves(Player::Left, &mut |_, _, to| {
        options.insert(to().to_string());
        ControlFlow::Continue(())
    });
    options
}

#[test]
fn every_step_of_a_proof_holds() {
    for game in [
        "chomp(3, 2)",
        "nim(2, 3)",
        "kayles(5)",
        "hackenbush(\"0-1 1-2 1-3 3-4 3-0\")",
        "hackenbush(\"0-1 1-2 1-3\") + nim(2)",
        "wythoff(2, 3)",
        "nim()",
        "cram([\"..\", \"..\"])",
    ] {
        let position = read_position(game).unwrap();
        let limits = Limits::default();
        let steps = proof::steps(&position, &limits).unwrap();
        let mut solver = Solver::default();
        let mut value = |game: &str| {
            solver
                .grundy(&read_position(game).unwrap(), &limits)
                .unwrap()
        };
        // The moves that are answered in each G + *m.
        let mut answered: HashMap<String, HashSet<String>> = HashMap::new();
        for step in &steps {
            let of = text(step, "game");
            match step.code {
                "proof_claim" | "proof_value" | "proof_end" => {
                    assert_eq!(number(step, "value"), value(of), "{of}");
                    answered.entry(of.to_owned()).or_default();
                }
                code => {
                    let (moved, answer) = (text(step, "move"), text(step, "answer"));
                    let heap = number(step, "heap");
                    assert_eq!(heap, value(of));
                    answered.get_mut(of).unwrap().insert(moved.to_owned());
                    match code {
                        "proof_heap" => {
                            assert!(options(of).contains(answer));
                            assert_eq!(format!("*{}", value(answer)), moved);
                        }
                        "proof_raised" => {
                            assert!(options(of).contains(moved) && options(moved).contains(answer));
                            assert_eq!(value(answer), heap);
                        }
                        "proof_lowered" => {
                            assert!(options(of).contains(moved) && value(moved) < heap);
                            assert_eq!(format!("*{}", value(moved)), answer);
                        }
                        other => panic!("{other}"),
                    }
                }
            }
        }
        // A proof is complete if every move is answered: those in G, and those in the heap *m.
        for (of, answered) in answered {
            let mut expected = options(&of);
            expected.extend((0..value(&of)).map(|size| format!("*{size}")));
            assert_eq!(answered, expected, "{of}");
        }
    }
}

#[test]
fn oversized_and_loopy_games_are_rejected() {
    let limits = Limits::default();
    let refused = |game: &str| proof::steps(&read_position(game).unwrap(), &limits).map(|_| ());
    assert!(matches!(
        refused("nim(18446744073709551615)"),
        Err(Stop::Positions(_))
    ));
    assert!(matches!(refused("nim(30, 30)"), Err(Stop::Positions(_))));
    assert!(refused("northcott(4, [[0, 2]])").is_err());
}
