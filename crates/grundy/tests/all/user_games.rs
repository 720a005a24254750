//! User-defined games in sums, explanations, values and play.

use grundy::prelude::*;

/// Take a square number of chips.
struct Squares;

impl Game for Squares {
    type Position = u64;

    fn options(&self, n: &u64) -> impl IntoIterator<Item = u64> {
        (1..)
            .map(|k| k * k)
            .take_while(|s| s <= n)
            .map(|s| n - s)
            .collect::<Vec<_>>()
    }

    fn name_move(&self, from: &u64, to: &u64) -> Option<String> {
        Some(format!("take {}", from - to))
    }
}

/// A vertex of a cycle with an exit: a move goes on, or from an even vertex to the end.
struct Cycle;

impl Game for Cycle {
    type Position = Option<u8>;

    fn options(&self, at: &Option<u8>) -> impl IntoIterator<Item = Option<u8>> {
        at.map_or_else(Vec::new, |v| match v {
            0 => vec![Some(1), None],
            v => vec![Some((v + 1) % 4)],
        })
    }
}

/// Panics in the position 7.
struct Broken;

impl Game for Broken {
    type Position = u64;

    fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
        assert_ne!(n, 7, "seven");
        n.checked_sub(1)
    }
}

/// The player who reaches 0 ties; the player who cannot move from 1 wins.
struct Ties;

impl Game for Ties {
    type Position = u8;

    const HAS_TERMINAL_VALUES: bool = true;

    fn options(&self, &n: &u8) -> impl IntoIterator<Item = u8> {
        n.checked_sub(2)
    }

    fn terminal_value(&self, &n: &u8) -> Option<PayoffResult> {
        (n == 0).then_some(PayoffResult::Tie)
    }
}

#[test]
fn values_agree_with_the_built_in_game() {
    for n in 0..30 {
        let own = Position::of(Squares, n).solve().unwrap().grundy();
        let built_in = games::subtraction("squares", [n])
            .unwrap()
            .solve()
            .unwrap()
            .grundy();
        assert_eq!(own, built_in, "{n}");
    }
}

#[test]
fn user_defined_positions_are_in_sums_explanations_and_play() {
    let sum = Position::of(Squares, 20) + games::nim([3]) + games::kayles([5]);
    let answer = sum.solve().unwrap();
    assert_eq!(answer.outcome(), Outcome::N);
    let text = answer.explain(Language::English);
    assert!(text.contains("Squares(20)"), "{text}");
    assert!(
        answer
            .winning_moves()
            .iter()
            .any(|mv| mv.to_string().contains("take"))
    );
    let mut game = Playing::new(sum);
    let mut turns = 0;
    while !game.is_over().unwrap() {
        let best = game.best().unwrap();
        game.make(best).unwrap();
        turns += 1;
    }
    // The first player wins, so the number of moves is odd.
    assert_eq!(turns % 2, 1);
    assert_eq!(
        Position::of(Squares, 2).misere_value().unwrap().to_string(),
        "0"
    );
}

#[test]
fn positions_that_recur_are_solved_as_loopy_games() {
    let answer = Position::of(Cycle, Some(0)).solve().unwrap();
    assert_eq!(answer.outcome(), Outcome::N);
    let answer = (Position::of(Cycle, Some(1)) + games::nim([2]))
        .solve()
        .unwrap();
    assert!(matches!(
        answer.outcome(),
        Outcome::N | Outcome::D | Outcome::P
    ));
    let error = Position::of(Cycle, Some(0)).value().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cyclic);
    assert!(
        !Position::of(Cycle, Some(1))
            .solve()
            .unwrap()
            .explain(Language::English)
            .is_empty()
    );
}

#[test]
fn a_panic_in_the_rules_is_an_error() {
    let mut solver = Solver::new();
    let error = solver
        .solve(&(Position::of(Broken, 9) + games::nim([1])))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rules);
    assert!(
        error.message().contains("Broken") && error.message().contains("seven"),
        "{error}"
    );
    // The solver still works.
    assert_eq!(solver.grundy(&Position::of(Broken, 5)), Ok(Nimber(1)));
    assert_eq!(
        Position::of(Broken, 9).value().unwrap_err().kind(),
        ErrorKind::Rules
    );
}

#[test]
fn games_with_ties_are_solved() {
    let tied = Position::of(Ties, 4).solve().unwrap();
    assert_eq!(tied.verdict().to_string(), "tie");
    assert!((Position::of(Ties, 4) + games::nim([1])).solve().is_err());
}

#[test]
fn pictures_of_user_defined_games_are_text() {
    let picture = Position::of(Squares, 20).picture().unwrap();
    assert!(picture.to_text().contains("20"), "{}", picture.to_text());
    assert!(picture.to_svg().contains("<svg"));
}

/// A heap from which one chip is taken. The game ends in a tie.
struct OneByOne;

impl Game for OneByOne {
    type Position = u32;

    fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
        n.checked_sub(1)
    }

    fn terminal_value(&self, _: &u32) -> Option<PayoffResult> {
        Some(PayoffResult::Tie)
    }
}

/// The first play ends without a terminal value, but other plays end with one.
struct Sometimes;

impl Game for Sometimes {
    type Position = u32;

    fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
        if n == 2 { vec![0, 1] } else { vec![] }
    }

    fn terminal_value(&self, &n: &u32) -> Option<PayoffResult> {
        (n == 1).then_some(PayoffResult::Tie)
    }
}

#[test]
fn terminal_values_are_found_without_the_constant() {
    for n in 0..4 {
        let answer = Position::of(OneByOne, n).solve().unwrap();
        assert_eq!(answer.outcome(), Outcome::D, "{n}");
    }
    let error = Position::of(Sometimes, 2).solve().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rules);
    assert!(error.message().contains("HAS_TERMINAL_VALUES"), "{error}");
}
