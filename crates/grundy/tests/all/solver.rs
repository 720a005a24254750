//! Limits, cancellation, progress and shared caches.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use grundy::prelude::*;

fn hard() -> Position {
    "cram(board(9, 9))".parse().unwrap()
}

#[test]
fn every_question_honours_the_limits() {
    let questions: [fn(&mut Solver) -> Option<Error>; 5] = [
        |solver| solver.solve(&hard()).err(),
        |solver| solver.solve_as(&hard(), Play::Misere).err(),
        |solver| solver.grundy(&hard()).err(),
        |solver| {
            solver
                .value(&"amazons(board(6, 6))".parse().unwrap())
                .err()
                .or_else(|| {
                    solver
                        .value(&"domineering(board(8, 9))".parse().unwrap())
                        .err()
                })
        },
        |solver| solver.misere_value(&hard()).err(),
    ];
    for (index, question) in questions.iter().enumerate() {
        let positions = question(&mut Solver::new().max_positions(500)).unwrap();
        assert_eq!(
            positions.limit(),
            Some(Limit::Positions),
            "{index}: {positions:?}"
        );
        let memory = question(&mut Solver::new().max_memory(1 << 14)).unwrap();
        assert_eq!(memory.limit(), Some(Limit::Memory), "{index}: {memory:?}");
        let begun = Instant::now();
        let time = question(&mut Solver::new().timeout(Duration::from_millis(30))).unwrap();
        assert_eq!(time.limit(), Some(Limit::Time), "{index}: {time:?}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{index}");
        assert!(
            time.hint().is_some_and(|hint| hint.contains("Solver::")),
            "{time:?}"
        );
    }
}

#[test]
fn an_answer_at_a_limit_is_partial() {
    // The board is symmetric, so a theorem gives the outcome. The list of winning moves is cut off.
    let board: Position = "cram(board(7, 8))".parse().unwrap();
    let error = Solver::new().max_positions(100).solve(&board).unwrap_err();
    assert_eq!(error.limit(), Some(Limit::Positions));
    let answer = error.partial().unwrap();
    assert_eq!(
        (answer.outcome(), answer.status()),
        (Outcome::N, Status::Partial)
    );
    assert!(!answer.moves_complete());
    // No theorem gives the outcome of this board.
    let board: Position = "cram(board(7, 9))".parse().unwrap();
    let error = Solver::new().max_positions(100).solve(&board).unwrap_err();
    assert!(error.partial().is_none());
}

#[test]
fn a_question_is_cancelled_from_another_thread() {
    let mut solver = Solver::new();
    let handle = solver.cancel_handle();
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        handle.cancel();
    });
    let error = solver.solve(&hard()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    canceller.join().unwrap();
    solver.cancel_handle().reset();
    assert!(solver.solve(&games::nim([3])).is_ok());
}

#[test]
fn progress_is_reported() {
    let calls = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&calls);
    let mut solver = Solver::new()
        .timeout(Duration::from_millis(500))
        .progress(move |progress| {
            assert!(progress.elapsed >= Duration::from_millis(100));
            counter.fetch_add(1, Ordering::Relaxed);
        });
    assert!(solver.solve(&hard()).is_err());
    assert!(
        (1..10).contains(&calls.load(Ordering::Relaxed)),
        "{calls:?}"
    );
}

#[test]
fn answers_are_shared_by_threads() {
    let answer = games::kayles([5, 9]).solve().unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let text = answer.explain(Language::English);
                assert!(text.contains("mex") || text.contains("nim-sum"), "{text}");
            });
        }
    });
}

#[test]
fn families_and_quotients_end_at_a_limit() {
    let family: Family = "grundys_game(n)".parse().unwrap();
    assert_eq!(
        family.period_within(1_000).unwrap_err().kind(),
        ErrorKind::Limit
    );
    assert!(family.values(0..u64::MAX).is_err());
    assert!(family.values(5..).is_err());
    let boards: Family = "cram(board(4, n))".parse().unwrap();
    let solver = Solver::new().timeout(Duration::from_millis(50));
    let error = boards.with_solver(&solver).values(0..1_000).unwrap_err();
    assert_eq!(error.limit(), Some(Limit::Time));
}

#[test]
fn wrong_families_are_errors() {
    for (text, kind) in [
        ("kayles(3)", ErrorKind::Syntax),
        ("nim(n, m)", ErrorKind::Syntax),
        ("kayles(n", ErrorKind::Syntax),
        ("kaylse(n)", ErrorKind::UnknownName),
        ("domineering(n)", ErrorKind::Type),
    ] {
        let error = text.parse::<Family>().unwrap_err();
        assert_eq!(error.kind(), kind, "{error:?}");
        assert_eq!(error.input(), Some(text));
        assert!(error.place().is_some(), "{error:?}");
    }
    let partizan: Family = "domineering(board(2, n))".parse().unwrap();
    let error = partizan.value(3).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotSupported);
    let rows: Family = "chomp(3, n)".parse().unwrap();
    assert_eq!(rows.values(0..=3).unwrap().len(), 4);
    let error = rows.value(4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IllegalPosition);
}

#[test]
fn family_values_agree_with_positions() {
    for game in [
        "kayles(",
        "subtraction([2, 5], ",
        "all_but([2], ",
        "laskers_nim(",
    ] {
        let family: Family = format!("{game}n)").parse().unwrap();
        let values = family.values(0..40).unwrap();
        for (n, &value) in values.iter().enumerate() {
            let position: Position = format!("{game}{n})").parse().unwrap();
            assert_eq!(
                position.solve().unwrap().grundy(),
                Some(value),
                "{game}{n})"
            );
        }
        assert_eq!(family.values(7..=9).unwrap(), values[7..=9]);
    }
}

#[test]
fn families_need_not_be_heaps() {
    for text in [
        "nim(X)",
        "at_most_half(X)",
        "chomp(X, X)",
        "kayles(2*X)",
        "kayles(X) + nim(3)",
        "cram(board(2, X))",
        "wythoff(X, 3)",
    ] {
        let family: Family = text.parse().unwrap();
        let values = family.values(1..6).unwrap();
        for (n, &value) in (1..6).zip(&values) {
            let position: Position = text.replace('X', &n.to_string()).parse().unwrap();
            assert_eq!(
                position.solve().unwrap().grundy(),
                Some(value),
                "{text}, {n}"
            );
            assert_eq!(family.value(n).unwrap(), value);
        }
        for error in [
            family.period().unwrap_err(),
            family.misere_quotient(Some(3)).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::NotSupported, "{text}");
        }
    }
}

#[test]
fn quotients_agree_with_solved_positions() {
    let kayles: Family = "kayles(n)".parse().unwrap();
    let quotient = kayles.misere_quotient(None).unwrap();
    let mut solver = Solver::new();
    for a in 0..8 {
        for b in a..8 {
            for c in [0, 3, 5] {
                let solved = solver
                    .outcome(&games::kayles([a, b, c]), Play::Misere)
                    .unwrap();
                assert_eq!(quotient.outcome([a, b, c]), Some(solved), "{a} {b} {c}");
            }
        }
    }
    assert_eq!(kayles.misere_quotient(Some(3)).unwrap().outcome([4]), None);
}
