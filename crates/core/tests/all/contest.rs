//! Tests of the contest programs in `examples/`. For valid input a program must answer in the
//! format of the judge, and for bad input with an error message of one line.

#![allow(dead_code, reason = "the programs' main functions are not called")]
#![allow(
    clippy::duplicate_mod,
    reason = "each program has its own input reader"
)]

#[path = "../../examples/poj1067.rs"]
mod poj1067;
#[path = "../../examples/poj1082.rs"]
mod poj1082;
#[path = "../../examples/poj1704.rs"]
mod poj1704;
#[path = "../../examples/poj2234.rs"]
mod poj2234;
#[path = "../../examples/poj2348.rs"]
mod poj2348;
#[path = "../../examples/poj2425.rs"]
mod poj2425;
#[path = "../../examples/poj2960.rs"]
mod poj2960;

// Runs a program and returns its output or its error. It is a macro, since each program has its own
// type `InputError`.
macro_rules! output {
    ($program:ident, $input:expr) => {{
        let mut out = Vec::new();
        let mut numbers = $program::input::Numbers::new($input);
        let result = $program::answer(&mut numbers, &mut out);
        let out = String::from_utf8(out).unwrap();
        result.map(|()| out).map_err(|error| error.0)
    }};
}

/// Creates a test of a program. For each input, the test requires a given answer, or an error of
/// one line that contains a given text.
macro_rules! cases {
    ($program:ident: $($input:expr => $answer:expr),* $(,)?) => {
        #[test]
        fn $program() {
            $(
                let expected: Result<&str, &str> = $answer;
                match (output!($program, $input), expected) {
                    (Ok(output), Ok(expected)) => assert_eq!(output, expected, "{}", $input),
                    (Err(output), Err(expected)) => {
                        assert!(output.contains(expected), "{}: {output}", $input);
                        assert_eq!(output.lines().count(), 1);
                    }
                    (output, _) => panic!("{}: {output:?}", $input),
                }
            )*
        }
    };
}

mod answers {
    use super::*;

    cases!(poj1067:
        "2 1\n8 4\n4 7\n" => Ok("0\n1\n0\n"),
        "" => Ok(""),
        "2 x" => Err("line 1: expected an integer from 0 to 2^64 - 1, found `x`"),
        "2 1\n3" => Err("line 2: unexpected end of input: expected the second heap"),
        "2 -1" => Err("found `-1`"),
        "2 18446744073709551616" => Err("expected an integer"),
    );
    cases!(poj1082:
        "3\n2001 11 3\n2001 11 2\n2001 10 3\n" => Ok("YES\nNO\nNO\n"),
        "" => Err("expected the number of dates"),
        "2\n2001 11 3\n" => Err("line 2: unexpected end of input"),
        "1\n2001 13 3\n" => Err("line 2: "),
        "-1\n" => Err("line 1: expected an integer from 0 to 2^64 - 1, found `-1`"),
    );
    cases!(poj1704:
        "2\n3\n1 2 3\n8\n1 5 6 7 9 12 14 17\n" => Ok("Bob will win\nGeorgia will win\n"),
        "1\n3\n1 2\n" => Err("line 3: unexpected end of input: expected a chessman"),
        "1\n2\n3 3\n" => Err("must be distinct"),
        "1\n1\n0\n" => Err("at least 1"),
        "1\n-2\n" => Err("`-2`"),
        "1\n99999999999999\n1\n" => Err("unexpected end of input"),
    );
    cases!(poj2234:
        "2 45 45\n3 3 6 9\n" => Ok("No\nYes\n"),
        "2 45\n" => Err("expected a heap"),
        "-2 45 45\n" => Err("`-2`"),
        "2 4.5 1\n" => Err("`4.5`"),
    );
    cases!(poj2348:
        "34 12\n15 24\n0 0\n" => Ok("Stan wins\nOllie wins\n"),
        "34" => Err("expected the second number"),
        "34 12\n5 0\n" => Err("line 2: both numbers must be at least 1, found 5 and 0"),
        "0 5\n0 0\n" => Err("line 1: both numbers must be at least 1, found 0 and 5"),
        "34 a" => Err("`a`"),
    );
    cases!(poj2425:
        "4\n2 1 2\n0\n1 3\n0\n1 0\n2 0 2\n0\n4\n1 1\n1 2\n0\n0\n2 0 1\n2 1 1\n3 0 1 3\n0\n"
            => Ok("WIN\nWIN\nWIN\nLOSE\nWIN\n"),
        "2\n1 5\n0\n0\n" => Err("no vertex 5"),
        "2\n1 1\n1 0\n0\n" => Err("cycle"),
        "1\n0\n1 3\n0\n" => Err("no vertex 3"),
        "1\n0\n" => Err("expected the number of pieces"),
        "1\n-1\n" => Err("`-1`"),
    );
    cases!(poj2960:
        "2 2 5\n3\n2 5 12\n3 2 4 7\n4 2 3 7 12\n5 1 2 3 4 5\n3\n2 5 12\n3 2 4 7\n4 2 3 7 12\n0\n"
            => Ok("LWW\nWWL\n"),
        "2 2 5\n3\n2 5" => Err("expected a heap"),
        "2 0 5\n" => Err("at least one bead"),
        "2 2 five\n" => Err("`five`"),
        "-1\n" => Err("`-1`"),
    );
}
