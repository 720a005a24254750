//! Sums, negatives and multiples of positions.

use std::collections::HashSet;

use grundy::prelude::*;

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[test]
fn operators_take_values_and_references() {
    let (a, b) = (games::nim([3]), games::kayles([7]));
    let sum = position("nim(3) + kayles(7)");
    assert_eq!(&a + &b, sum);
    assert_eq!(a.clone() + &b, sum);
    assert_eq!(&a + b.clone(), sum);
    assert_eq!(a.clone() + b.clone(), sum);
    assert_eq!([&a, &b].into_iter().sum::<Position>(), sum);
    assert_eq!([a.clone(), b.clone()].into_iter().sum::<Position>(), sum);
    assert_eq!(2 * &a, position("nim(3) + nim(3)"));
    let none = 0_u64;
    assert_eq!(none * a.clone(), Position::zero());
    assert_eq!(Position::zero().to_string(), "sum_of([])");
    assert_eq!(HashSet::from([sum.clone()]).get(&(a + b)), Some(&sum));
}

#[test]
fn a_negative_exchanges_the_players() -> Result<(), Error> {
    for text in [
        "domineering(['..#', '...'])",
        "hackenbush('0-1:b 1-2:r')",
        "literal('{1|*}')",
        "toads_and_frogs('TT.F')",
    ] {
        let game = position(text);
        assert_eq!(-(-game.clone()), game, "{text}");
        assert_eq!((&game - &game).value()?.to_string(), "0", "{text}");
        assert_eq!(-game.value()?, (-&game).value()?, "{text}");
    }
    Ok(())
}

#[test]
fn sums_that_do_not_exist_return_an_error() {
    for invalid in [
        games::nim([3]) + games::tic_tac_toe(),
        games::tic_tac_toe() + games::nim([3]) + games::nim([1]),
        -games::tic_tac_toe(),
        games::nim([1]) - games::tic_tac_toe(),
        u64::MAX * games::nim([1]),
        2 * (3 * games::tic_toe()),
    ] {
        assert!(invalid.validate().is_err(), "{invalid}");
        assert!(invalid.solve().is_err());
        assert!(invalid.value().is_err());
        assert!(invalid.misere_value().is_err());
        assert!(invalid.moves(Player::Left).is_err());
        assert!((&invalid + &games::nim([1])).solve().is_err());
        assert!((-&invalid).solve().is_err());
        let _ = invalid.to_string();
    }
    let error = (u64::MAX * games::nim([1])).solve().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!((u64::MAX * Position::zero()).validate().is_ok());
}

#[test]
fn hostile_texts_return_an_error_with_the_text() {
    let deep = format!("literal('{}')", "{".repeat(100_000));
    for text in [
        "",
        "nim(",
        "nim(3",
        "nimm(3)",
        "nim(3) nim(4)",
        "nim(18446744073709551616)",
        &deep,
    ] {
        let error = text.parse::<Position>().unwrap_err();
        assert_eq!(error.input(), Some(text));
        assert!(!error.message().is_empty());
    }
}

#[test]
fn long_lists_of_moves_are_an_error() {
    let error = games::nim([u64::MAX]).moves(Player::Left).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn positions_are_assigned_and_shown_by_their_text() {
    let mut sum = games::nim([3]);
    sum += &games::kayles([7]);
    sum -= games::nim([2]);
    assert_eq!(sum, games::nim([3]) + games::kayles([7]) - games::nim([2]));
    assert_eq!(format!("{:?}", games::nim([3])), "Position(nim(3))");
}

#[test]
fn a_move_of_another_position_gets_the_name_of_the_legal_move() {
    let mut game = Playing::new(games::nim([3]));
    let answer = games::nim([9]).solve().unwrap();
    game.make(answer.winning_moves()[0].clone()).unwrap();
    assert_eq!(game.history()[0].to_string(), "take 3 from heap 1");
}
