//! The typed functions agree with the notation, and those without a `Result` accept all arguments.

use grundy::prelude::*;
use proptest::prelude::{ProptestConfig, any, prop, proptest};

/// Checks that a typed call and a text are the same position.
macro_rules! same {
    ($($text:literal => $call:expr;)*) => {
        let mut tested = Vec::new();
        $(
            let position: Position = $call;
            assert_eq!($text.parse::<Position>().unwrap(), position, "{}", $text);
            tested.push($text.split('(').next().unwrap());
        )*
        assert_eq!(tested, games::names(), "write one line for each game, in the order of constructors.rs");
    };
}

#[test]
fn typed_functions_agree_with_the_notation() -> Result<(), Error> {
    let edges = |text: &str| {
        [("a", vec!["b", "c"]), ("b", vec!["a", "c"]), ("c", vec![])]
            .map(|(from, to)| (format!("{text}{from}"), to))
    };
    same! {
        "nim(3, 4, 5)" => games::nim([3, 4, 5]);
        "subtraction([1, 3, 4], 100)" => games::subtraction([1, 3, 4], [100])?;
        "all_but([2, 4], 30)" => games::all_but([2, 4], [30])?;
        "at_least_half(12, 5)" => games::at_least_half([12, 5]);
        "at_most_half(12, 5)" => games::at_most_half([12, 5]);
        "at_most(1, 3, 12, 5)" => games::at_most(1, 3, [12, 5])?;
        "nim_except([[2, 1], [3, 3]], 3, 5)" => games::nim_except([(2, 1), (3, 3)], [3, 5])?;
        "take_and_break('0.137', 20)" => games::take_and_break("0.137", [20])?;
        "kayles(7)" => games::kayles([7]);
        "dawsons_chess(15)" => games::dawsons_chess([15]);
        "dawsons_kayles(16)" => games::dawsons_kayles([16]);
        "treblecross(9)" => games::treblecross([9]);
        "officers(12)" => games::officers([12]);
        "grundys_game(20)" => games::grundys_game([20]);
        "laskers_nim(2, 5, 7)" => games::laskers_nim([2, 5, 7]);
        "fibonacci_nim(20, most=6)" => games::fibonacci_nim(20, 6);
        "nimble(3, 4, 4)" => games::nimble([3, 4, 4]);
        "strip_coins(1, 3, 7, 8)" => games::strip_coins([1, 3, 7, 8])?;
        "staircase_nim(3, 1, 4)" => games::staircase_nim([3, 1, 4]);
        "northcott(8, [[0, 3], [2, 7]], to_move='right')" =>
            games::northcott(8, [(0, 3), (2, 7)], Player::Right)?;
        "rook(3, 5)" => games::rook(3, 5);
        "queen(3, 6)" => games::queen(3, 6);
        "king(5, 4)" => games::king(5, 4);
        "knight(6, 7)" => games::knight(6, 7);
        "wythoff(5, 8)" => games::wythoff(5, 8);
        "euclid(25, 7)" => games::euclid(25, 7)?;
        "moore_nim(2, 3, 4, 5)" => games::moore_nim(2, [3, 4, 5])?;
        "chomp(4, 3, 1)" => games::chomp([4, 3, 1])?;
        "turning_turtles(2, 5, 6)" => games::turning_turtles([2, 5, 6])?;
        "mock_turtles(2, 5, 6)" => games::mock_turtles([2, 5, 6])?;
        "ruler(3, 8)" => games::ruler([3, 8])?;
        "twins(2, 5)" => games::twins([2, 5])?;
        "hackenbush('0-1 1-2', ground=[0, 2])" =>
            games::hackenbush(games::Edges::from([(0, 1), (1, 2)]).grounded([0, 2]))?;
        "graph({'a': ['b', 'c'], 'b': ['a', 'c'], 'c': []}, 'a')" =>
            games::graph(edges(""), "a", None)?;
        "cram(['...', '..#'])" => games::cram("...\n..#")?;
        "node_kayles('0-1 1-2 4')" => games::node_kayles("0-1 1-2 4")?;
        "arc_kayles('0-1 2-2')" => games::arc_kayles(String::from("0-1 2-2"))?;
        "geography('0-1 1-2 2-3', 1, directed=True)" =>
            games::geography("0-1 1-2 2-3", 1, true)?;
        "kayles_row('1101111')" => games::kayles_row("1101111")?;
        "treblecross_row('.......')" => games::treblecross_row(".......")?;
        "domineering(board(4, 5))" => games::domineering(games::Board::empty(4, 5))?;
        "toads_and_frogs('TT..FF')" => games::toads_and_frogs("TT..FF")?;
        "impartial(toads_and_frogs('T.F'))" =>
            games::impartial(&games::toads_and_frogs("T.F")?)?;
        "ordinal_sum(nim(2), nim(3))" =>
            games::ordinal_sum(&games::nim([2]), &games::nim([3]))?;
        "literal('{2|-1/2}')" => games::literal("{2|-1/2}")?;
        "toppling_dominoes('LREL')" => games::toppling_dominoes("LREL")?;
        "elephants('E.E...R.R')" => games::elephants("E.E...R.R")?;
        "push('..RL.L')" => games::push("..RL.L")?;
        "ski_jumps(['L....', '....R'])" => games::ski_jumps(["L....", "....R"])?;
        "clobber(['xox', 'oxo'])" => games::clobber(vec!["xox", "oxo"])?;
        "cannibal_clobber(['xxo', 'xo.'])" => games::cannibal_clobber(["xxo", "xo."])?;
        "nogo(['...', '..o'])" => games::nogo(vec!["...".to_owned(), "..o".to_owned()])?;
        "fission(['....', '.x..'])" => games::fission(["....", ".x.."])?;
        "konane(['xoxo', 'o.ox'])" => games::konane(&["xoxo", "o.ox"][..])?;
        "amazons(['x..', '..o'])" => games::amazons(["x..", "..o"])?;
        "cutcake(3, 9)" => games::cutcake(3, 9)?;
        "maundy_cake(2, 12, copies=3)" => games::maundy_cake(2, 12, 3)?;
        "partizan_subtraction([1, 4], 'odd', 9)" =>
            games::partizan_subtraction([1, 4], "odd", [9])?;
        "col('0-1 1-2', '..L')" => games::col("0-1 1-2", "..L")?;
        "snort('0-1 1-2', '..L')" => games::snort("0-1 1-2", "..L")?;
        "k_in_a_row(['X..', '.O.'], 3, diagonals=False)" =>
            games::k_in_a_row(["X..", ".O."], 3, false)?;
        "tic_toe()" => games::tic_toe();
        "tic_tac_toe()" => games::tic_tac_toe();
        "tree({'a': ['b', 'c'], 'b': ['d']}, 'a', {'c': 'tie', 'd': 'X'}, to_move='O')" =>
            games::tree(
                [("a", vec!["b", "c"]), ("b", vec!["d"])],
                "a",
                [("c", "tie"), ("d", "X")],
                Player::Right,
            )?;
        "calendar(2001, 11, 1)" => games::calendar(2001, 11, 1)?;
    }
    Ok(())
}

#[test]
fn heaps_are_given_by_arrays_vectors_slices_and_iterators() {
    let expected = games::nim([3, 4]);
    let heaps: Vec<u64> = vec![3, 4];
    assert_eq!(games::nim(heaps.clone()), expected);
    assert_eq!(games::nim(&heaps), expected);
    assert_eq!(games::nim(&heaps[..]), expected);
    assert_eq!(games::nim(3..=4), expected);
    assert_eq!(games::nim(heaps.iter().copied().filter(|_| true)), expected);
}

#[test]
fn boards_rows_and_edges_are_given_in_several_ways() -> Result<(), Error> {
    let board = games::cram(["...", "..."])?;
    let rows: games::Board = (0..2).map(|_| ".".repeat(3)).collect();
    assert_eq!(games::cram(rows)?, board);
    let edges = [(0, 1), (1, 2)];
    assert_eq!(
        games::node_kayles(edges)?,
        games::node_kayles(edges.to_vec())?
    );
    assert_eq!(
        games::col(edges, "...")?.to_string(),
        "col(\"0-1 1-2\", \"...\")"
    );
    let error = games::arc_kayles(games::Edges::from(edges).grounded([0])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownName, "{error:?}");
    let counters = [[0, 3], [2, 7]];
    assert_eq!(
        games::northcott(8, counters, None)?,
        games::northcott(8, [(0, 3), (2, 7)], Player::Left)?
    );
    let edges = [("a", "b"), ("b", "a"), ("a", "c")];
    assert_eq!(
        games::graph(edges, "a", None)?,
        "graph({'a': ['b', 'c'], 'b': ['a']}, 'a')".parse()?
    );
    Ok(())
}

#[test]
fn none_stands_for_the_default() -> Result<(), Error> {
    let cases = [
        ("fibonacci_nim(20)", games::fibonacci_nim(20, None)),
        (
            "northcott(8, [[0, 3]])",
            games::northcott(8, [(0, 3)], None)?,
        ),
        ("maundy_cake(2, 12)", games::maundy_cake(2, 12, None)?),
        (
            "k_in_a_row(['X..', '.O.'], 3)",
            games::k_in_a_row(["X..", ".O."], 3, None)?,
        ),
        (
            "tree({'a': ['b']}, 'a', {'b': 'tie'})",
            games::tree([("a", "b")], "a", [("b", "tie")], None)?,
        ),
    ];
    for (text, position) in cases {
        assert_eq!(text.parse::<Position>()?, position, "{text}");
    }
    Ok(())
}

#[test]
fn errors_name_the_wrong_argument() {
    let error = games::subtraction([1, 0], [5]).unwrap_err();
    assert_eq!(
        error.place(),
        Some(&Place::Argument(vec![0, 1])),
        "{error:?}"
    );
    let error = games::chomp([3, 4]).unwrap_err();
    assert_eq!(
        (error.kind(), error.place()),
        (ErrorKind::IllegalPosition, Some(&Place::Argument(vec![1])))
    );
    let error = games::literal("{1|").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax, "{error:?}");
    assert!(games::hackenbush("0=1").is_err());
    assert!(games::take_and_break("0.?", [3]).is_err());
    assert!(games::euclid(0, 0).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn functions_without_a_result_never_panic(
        heaps in prop::collection::vec(any::<u64>(), 0..5),
        a in any::<u64>(),
        b in any::<u64>(),
    ) {
        let positions = [
            games::nim(&heaps), games::at_least_half(&heaps), games::at_most_half(&heaps),
            games::kayles(&heaps), games::dawsons_chess(&heaps), games::dawsons_kayles(&heaps),
            games::treblecross(&heaps), games::officers(&heaps), games::grundys_game(&heaps),
            games::laskers_nim(&heaps), games::fibonacci_nim(a, b), games::fibonacci_nim(a, None),
            games::nimble(&heaps), games::staircase_nim(&heaps), games::rook(a, b),
            games::queen(a, b), games::king(a, b), games::knight(a, b), games::wythoff(a, b),
            games::tic_toe(), games::tic_tac_toe(),
        ];
        for position in positions {
            if position.validate().is_err() {
                // The sum of the coins does not fit into 64 bits.
                assert!(position.solve().is_err());
                continue;
            }
            assert_eq!(position.to_string().parse::<Position>().as_ref(), Ok(&position));
        }
    }
}
