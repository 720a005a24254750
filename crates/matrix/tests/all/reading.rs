//! Tests that valid input in every format is accepted, and that invalid input gives an error at the
//! right place.

use grundy_base::Kind;
use grundy_matrix::{Matrix, read::read};

fn good(text: &str) -> Matrix {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn one_game_in_every_format() {
    let game = Matrix::from_integers(2, &[1, -1, 0, 3]);
    for text in [
        "1,-1\n0,3\n",
        "1;-1\r\n0;3",
        "1\t-1\n0\t3\n",
        "\u{feff}  1 -1\n\n# a comment\n 0   3  \n",
        "\"1\", \"-1\"\n0, 3",
        "[[1, -1], [0, 3]]",
        "[[\"2/2\", -1e0],\n [0.0, \"3\"]]",
        "NFG 1 R \"t\" { \"A\" \"B\" } { 2 2 }\n\n1 -1 0 0 -1 1 3 -3",
        "NFG 1 R \"t\" { \"A\" \"B\" } { { \"a\" \"b\" } { \"c\" \"d\" } } \"why\"\n 1, -1, 0, 0, -1, 1, 3, -3\n",
        "NFG 1 R \"a \\\" b\" { \"A\" \"B\" } { { \"a\" \"b\" } { \"c\" \"d\" } } \"\"\n\
         { { \"\" 1, -1 } { \"\" -1, 1 } { \"x\" 3, -3 } }\n1 0 2 3\n",
    ] {
        let read = good(text);
        for i in 0..2 {
            for j in 0..2 {
                assert_eq!(read.entry(i, j), game.entry(i, j), "{text}");
            }
        }
    }
}

#[test]
fn malformed_games_are_rejected_with_the_place() {
    let cases: &[(&str, Kind, usize)] = &[
        ("", Kind::IllegalPosition, 0),
        (" \n\n", Kind::IllegalPosition, 0),
        ("# nothing\n", Kind::IllegalPosition, 0),
        ("1 2\n3\n", Kind::IllegalPosition, 4),
        ("1 2\n3 4 5\n", Kind::IllegalPosition, 8),
        ("1,2\n3,1/0\n", Kind::Range, 6),
        ("1,NaN", Kind::Range, 2),
        ("1,-inf", Kind::Range, 2),
        ("1,infinity", Kind::Range, 2),
        ("1,,2", Kind::Syntax, 2),
        ("1,2,", Kind::Syntax, 4),
        ("1 1e999999999", Kind::Range, 2),
        ("a b", Kind::Syntax, 2),
        ("1,5;2,5", Kind::Syntax, 0),
        ("{\"payoffs\": [[1]]}", Kind::Syntax, 1),
        ("{\"matrix\": [[1]], \"matrix\": [[1]]}", Kind::Syntax, 18),
        (
            "{\"matrix\": [[1]], \"row_names\": [\"a\", \"b\"]}",
            Kind::IllegalPosition,
            0,
        ),
        ("{\"matrix\": [[1]]", Kind::Syntax, 16),
        ("[]", Kind::IllegalPosition, 0),
        ("[[]]", Kind::IllegalPosition, 1),
        ("[[1, 2], [3]]", Kind::IllegalPosition, 9),
        ("[[1, 2], [3, 4]", Kind::Syntax, 15),
        ("[[1, 2]] x", Kind::Syntax, 9),
        ("[[1, [2]]]", Kind::Syntax, 5),
        ("[[1, \"2]]", Kind::Syntax, 5),
        ("[1, 2]", Kind::Syntax, 1),
        ("[[1, null]]", Kind::Syntax, 5),
        ("NFG", Kind::Syntax, 3),
        ("NFG 2 R", Kind::Syntax, 4),
        ("NFG 1 R \"t", Kind::Syntax, 8),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" \"C\" } { 1 1 1 } 1 1 1",
            Kind::IllegalPosition,
            12,
        ),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" } { 1 2 } 1 1 1 2",
            Kind::IllegalPosition,
            36,
        ),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" } { 1 2 } 1 -1",
            Kind::Syntax,
            36,
        ),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" } { 1 1 } 1 -1 5",
            Kind::Syntax,
            37,
        ),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" } { 1 0 } 1 -1 5",
            Kind::IllegalPosition,
            28,
        ),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" } { 20000 20000 } 1",
            Kind::Limit,
            39,
        ),
        (
            "NFG 1 R \"t\" { \"A\" \"B\" } { 1 1 } \"\" { { \"\" 1 -1 } } 2",
            Kind::Range,
            51,
        ),
    ];
    for (text, kind, start) in cases {
        let error = read(text.as_bytes()).expect_err(text);
        assert_eq!(
            (error.kind, error.span.clone().map(|span| span.start)),
            (*kind, Some(*start)),
            "{text}: {error}"
        );
    }
}

#[test]
fn sizes_and_bytes_are_bounded() {
    // The inputs are large enough that quadratic time or recursion would make the test fail.
    let wide = "1,".repeat(1_000_000) + "1";
    assert_eq!(read(wide.as_bytes()).unwrap_err().kind, Kind::Limit);
    let tall = "1\n".repeat(1_000_000);
    assert_eq!(read(tall.as_bytes()).unwrap_err().kind, Kind::Limit);
    let long = "9".repeat(10_000_000);
    let error = read(long.as_bytes()).unwrap_err();
    assert_eq!(error.kind, Kind::Range);
    assert!(error.message.len() < 200);
    let nested = "[".repeat(1_000_000);
    assert_eq!(read(nested.as_bytes()).unwrap_err().kind, Kind::Syntax);
    let error = read(b"1 2\n3 \xff").unwrap_err();
    assert_eq!((error.kind, error.span), (Kind::Encoding, Some(6..7)));
}

#[test]
fn no_prefix_of_a_game_panics() {
    let text = "NFG 1 R \"t\" { \"A\" \"B\" } { { \"a\" \"b\" } { \"c\" \"d\" } } \"\" { { \"\" 1, -1 } { \"é\" -1, 1 } } 1 0 2 2";
    for end in 0..text.len() {
        let _ = read(&text.as_bytes()[..end]);
    }
    let text = "[[1, \"1/2\"], [0.5e-3, -7]]";
    for end in 0..text.len() {
        assert!(read(&text.as_bytes()[..end]).is_err());
    }
}
