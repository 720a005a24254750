//! Winning moves from large heaps, compared with the definition. The library lists them as
//! arithmetic progressions, which are expanded before the comparison.

use std::ops::ControlFlow;

use grundy_core::heap::{Code, HeapRules, plain};
use grundy_core::ruleset::heap_game::HeapGame;
use grundy_core::ruleset::nim::Nim;
use grundy_core::{Limits, Play, Position, Solver, Term};

fn code(text: &str) -> HeapRules {
    HeapRules::TakeAndBreak(Code::parse(text).unwrap())
}

#[test]
fn winning_moves_of_large_heaps_match_the_definition() {
    let limits = Limits::default();
    // The heaps are large enough for their winning moves to be listed as progressions.
    for (rules, sizes) in [
        (code("0.77"), [20_011, 20_012, 20_013]),
        (code("0.137"), [20_035, 20_036, 30_000]),
        (code("0.156"), [20_349, 22_222, 23_456]),
        (code("0.34"), [20_000, 20_003, 20_007]),
        (HeapRules::AllBut(vec![2, 4]), [20_000, 20_001, 20_005]),
        (HeapRules::AllBut(vec![1, 2, 5]), [20_000, 20_001, 20_005]),
    ] {
        let values: Vec<u64> = plain(&rules, 30_001, &limits).unwrap().iter().collect();
        for n in sizes {
            // A Nim heap of value 0, 1 or 3 shifts the target value of the moves.
            for nim in [0, 1, 3] {
                let term = Term::new(
                    HeapGame {
                        name: "take_and_break",
                        argument: None,
                        rules: rules.clone(),
                    },
                    vec![n],
                );
                let heap = Term::new(Nim, vec![nim]);
                let position = Position::sum(vec![term.into(), heap.into()]).unwrap();
                let solution = Solver::default()
                    .solve(&position, Play::Normal, &limits)
                    .unwrap();
                assert!(solution.moves_complete);
                let mut found: Vec<Vec<u64>> = Vec::new();
                for winning in solution
                    .winning_moves()
                    .iter()
                    .filter(|mv| mv.component == 0)
                {
                    let (step, count) = winning.repeats.map_or((0, 1), |r| (r.step, r.count));
                    for i in 0..count {
                        let mut left = winning.mv.at[1..].to_vec();
                        left[0] += i * step;
                        if left.len() > 1 {
                            left[1] -= i * step;
                        }
                        found.push(left);
                    }
                }
                let mut expected: Vec<Vec<u64>> = Vec::new();
                let _ = rules.options(n, &mut |left| {
                    if left
                        .iter()
                        .fold(nim, |sum, &heap| sum ^ values[heap as usize])
                        == 0
                    {
                        expected.push(left.to_vec());
                    }
                    ControlFlow::Continue(())
                });
                for list in [&mut found, &mut expected] {
                    list.iter_mut().for_each(|left| left.sort_unstable());
                    list.sort_unstable();
                }
                assert_eq!(found, expected, "{rules:?} {n} + {nim}");
            }
        }
    }
}
