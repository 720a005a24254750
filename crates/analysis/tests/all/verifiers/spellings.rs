//! Unusual spellings of numbers. All verifiers read the same number or reject the spelling.

use std::collections::BTreeSet;

use super::{Verdict, verdicts};

/// Spellings that some parser reads in its own way: signs, underscores, radix prefixes, exponents,
/// fractions, white space, and digits of other scripts.
const ODD: [&str; 122] = [
    "",
    " ",
    "0",
    "1",
    "7",
    "10",
    "12",
    "-0",
    "-1",
    "-12",
    "+0",
    "+1",
    "+12",
    "--1",
    "1_0",
    "_1",
    "1_",
    "0_1",
    "1__0",
    "00",
    "01",
    "-01",
    "0x8",
    "0X8",
    "-0x8",
    "0b11",
    "0o17",
    "1e3",
    "1E3",
    "1e0",
    "1e-1",
    "1.0",
    "1.",
    ".5",
    "-.5",
    "0.5",
    "1,5",
    "1 000",
    "1'000",
    "NaN",
    "nan",
    "inf",
    "Infinity",
    "-Infinity",
    "true",
    "false",
    "null",
    "True",
    "None",
    "1/3",
    "-1/3",
    "+1/3",
    "2/6",
    "4/2",
    "6/3",
    "0/5",
    "-0/5",
    "1/0",
    "0/0",
    "1/00",
    "1/03",
    "01/3",
    "1/-3",
    "1/+3",
    "-1/-3",
    "1 /3",
    "1/ 3",
    " 1/3",
    "1/3 ",
    "1//3",
    "1/3/5",
    "/3",
    "1/",
    "1_0/3",
    "1/3_0",
    "0x1/3",
    "1/0x3",
    "1.5/2",
    "1/2.0",
    "1e1/2",
    "\u{bd}",
    "\u{b2}",
    "\u{661}",
    "\u{662}/\u{663}",
    "\u{ff11}",
    "\u{ff11}\u{ff12}",
    "1\u{661}",
    "\u{2212}1",
    "\u{200b}1",
    "1\u{a0}",
    "\u{feff}1",
    "\u{1d7d8}",
    "\u{4e00}",
    "1\n",
    "\n1",
    "\t1",
    "1\u{b}",
    "1\u{c}",
    "1\u{1c}",
    "1\u{0}",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999",
    "9223372036854775808",
    "4294967296",
    "-9223372036854775809",
    "I",
    "XII",
    "1n",
    "1u",
    "1L",
    "1f",
    "(1)",
    "[1]",
    "\"1\"",
    "1;",
    "1#",
    "0-",
    "1-",
    "1+",
    "*",
    "^",
];

/// Returns spellings of numbers, and texts that denote no number. Some are random, with a fixed
/// seed.
fn spellings() -> Vec<String> {
    let mut found: BTreeSet<String> = ODD.map(str::to_owned).into();
    found.extend(
        ["1", "9", "0", "01", "-1", "+1"]
            .into_iter()
            .flat_map(|begin| {
                // The lengths are at the bounds of the parsers: 20 digits of 64 bits, 4,300 digits
                // in Python, 50,000 characters here.
                let lengths = [
                    19, 20, 21, 100, 4_300, 4_301, 49_999, 50_000, 50_001, 100_000,
                ];
                lengths.map(|length| begin.to_owned() + &"3".repeat(length))
            }),
    );
    found.insert(format!("1/{}", "7".repeat(30_000)));
    found.insert(format!("{}/7", "7".repeat(60_000)));
    found.insert("0".repeat(10_000));
    let pieces = [
        "0", "1", "2", "3", "8", "10", "12", "00", "-", "+", "_", "/", "/", "0x", "e", ".", " ",
        "\u{661}", "\u{ff11}", "9", "5", "\t",
    ];
    let mut random = fastrand::Rng::with_seed(1939);
    // Random combinations of the pieces find spellings that the list does not contain.
    while found.len() < 2_400 {
        let length = random.usize(1..=5);
        let drawn = (0..length).map(|_| pieces[random.usize(..pieces.len())]);
        found.insert(drawn.collect());
    }
    found.into_iter().collect()
}

/// Returns certificates of all kinds, in each of which the spelling takes the place of one or more
/// numbers. The claim of the first certificate is true if and only if the spelling denotes
/// `number`.
fn certificates(spelling: &str, number: &str) -> Vec<String> {
    let text = serde_json::to_string(spelling).unwrap();
    let escaped = text.trim_matches('"');
    let mut all = Vec::new();
    // A fraction as a string, and as a JSON value.
    for entry in [&text[..], spelling] {
        all.push(format!(
            r#"{{"kind": "matrix", "matrix": [[{entry}]], "value": "{number}",
                "row_strategy": ["1"], "col_strategy": ["1"]}}"#
        ));
        all.push(format!(
            r#"{{"kind": "matrix", "matrix": [[{entry}]], "value": {entry},
                "row_strategy": ["1"], "col_strategy": ["1"]}}"#
        ));
        all.push(format!(
            r#"{{"kind": "matrix", "matrix": [["5"]], "value": "5", "row_strategy": [{entry}],
                "col_strategy": ["1"]}}"#
        ));
        // A number, and a string that spells one.
        all.push(format!(
            r#"{{"kind": "labels", "play": "normal", "options": [[]], "labels": ["P0"],
                "values": [0], "places": [{entry}]}}"#
        ));
        all.push(format!(
            r#"{{"kind": "labels", "play": "normal", "options": [[], [{entry}]],
                "labels": ["P0", "N1"], "values": [0, {entry}], "places": [0, 0]}}"#
        ));
        all.push(format!(
            r#"{{"kind": "period", "family": "subtraction([1], n)", "preperiod": 0,
                "period": 2, "saltus": {entry}, "theorem": "window", "values": [0, {entry}]}}"#
        ));
        all.push(format!(
            r#"{{"kind": "quotient", "family": "subtraction([1], n)", "preperiod": null,
                "period": null, "products": [[0, {entry}], [1, 0]], "p": [{entry}],
                "elements": [{entry}], "transitions": [[0, []], [1, [0]], [0, [{entry}]]]}}"#
        ));
    }
    all.push(format!(
        r#"{{"kind": "labels", "play": "normal", "options": [[], [0], [1]],
            "labels": ["P0", "N1", "P{escaped}"]}}"#
    ));
    // The game of taking exactly `chips` chips has the period 2 · `chips`.
    let chips = number.parse::<usize>().unwrap_or(1).clamp(1, 400);
    let values: Vec<u8> = (0..2 * chips).map(|n| u8::from(n >= chips)).collect();
    for list in [format!("[{escaped}]"), format!("[{escaped},{escaped}]")] {
        all.push(format!(
            r#"{{"kind": "period", "family": "subtraction({list}, n)", "preperiod": 0,
                "period": {period}, "saltus": 0, "theorem": "window", "values": {values:?}}}"#,
            period = 2 * chips
        ));
    }
    all.push(format!(
        r#"{{"kind": "quotient", "family": "all_but([{escaped}], n)", "preperiod": null,
            "period": null, "products": [[0, 1], [1, 0]], "p": [1], "elements": [1],
            "transitions": [[0, []], [1, [0]], [0, [1]]]}}"#
    ));
    all
}

/// Returns the number that a text denotes, as a fraction in lowest terms, or "1" if the text
/// denotes no number. The number is computed independently of the verifiers.
fn number(spelling: &str) -> String {
    let (above, below) = spelling.split_once('/').unwrap_or((spelling, "1"));
    let (Ok(above), Ok(below)) = (above.parse::<i128>(), below.parse::<i128>()) else {
        return "1".to_owned();
    };
    let (mut divisor, mut rest) = (above, below);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    match (above.checked_div(divisor), below.checked_div(divisor)) {
        (Some(above), Some(1)) => above.to_string(),
        (Some(above), Some(below)) if below > 0 => format!("{above}/{below}"),
        _ => "1".to_owned(),
    }
}

/// Returns whether a number exceeds the limits of the extracted checker: 2,000 digits of a
/// fraction, or 100,000 chips.
fn is_large(spelling: &str) -> bool {
    let chips = spelling.trim_matches(' ').parse::<u64>();
    spelling.len() > 2_000 || chips.is_ok_and(|chips| chips > 100_000)
}

#[test]
fn all_verifiers_read_the_same_numbers() {
    let spellings = spellings();
    assert!(spellings.len() >= 2_000);
    let all: Vec<(&String, String)> = (spellings.iter())
        .flat_map(|spelling| {
            let all = certificates(spelling, &number(spelling));
            all.into_iter()
                .map(move |certificate| (spelling, certificate))
        })
        .collect();
    let texts: Vec<String> = all.iter().map(|(_, text)| text.clone()).collect();
    let mut accepted = 0;
    for ((spelling, certificate), verdicts) in all.iter().zip(verdicts("spellings", &texts)) {
        let shown: String = certificate.chars().take(400).collect();
        let shown = shown.replace('\n', " ");
        let expected = [Verdict::Accepted, Verdict::Limit];
        let by_proofs = &expected[..=usize::from(is_large(spelling))];
        assert!(
            verdicts.agree(&expected[..1], by_proofs),
            "{verdicts:?}: {shown}"
        );
        accepted += usize::from(verdicts.program == Verdict::Accepted);
    }
    // Too few would mean that only rejections are compared, too many that the certificates do not
    // depend on the spelling.
    assert!((300..all.len() / 5).contains(&accepted), "{accepted}");
    // A spelling that is accepted denotes one number only.
    let right = [
        ("12", Some("12")),
        ("-0", Some("0")),
        ("4/6", Some("2/3")),
        ("-4/2", Some("-2")),
        ("+12", None),
        ("1_0", None),
        ("+1/3", None),
        ("0x8", None),
        ("1/03", None),
        ("\u{ff11}", None),
    ];
    let numbers = ["12", "0", "2/3", "-2", "10", "1/3", "8", "1"];
    let pairs = || {
        right
            .iter()
            .flat_map(|pair| numbers.map(|number| (pair, number)))
    };
    let matrices = pairs().map(|((spelling, _), number)| certificates(spelling, number).remove(0));
    let matrices: Vec<String> = matrices.collect();
    let pairs = pairs().zip(verdicts("numbers", &matrices));
    for (((spelling, right), number), verdicts) in pairs {
        let verdict = if *right == Some(number) {
            Verdict::Accepted
        } else {
            Verdict::Refused
        };
        assert_eq!(verdicts.program, verdict, "{spelling} {number}");
        assert_eq!(verdicts.python, verdict, "{spelling} {number}");
        assert!(
            verdicts.proofs.is_none_or(|proofs| proofs == verdict),
            "{spelling} {number}"
        );
    }
}
