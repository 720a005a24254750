//! `grundy matrix` and its certificates: exit codes and errors on hostile input.

use crate::program::grundy_with;
use serde_json::Value;

#[test]
fn hostile_input_gets_one_clear_error() {
    let wide = "1,".repeat(1_000_000) + "1";
    let long = "9".repeat(10_000_000);
    // 3000 unrelated denominators of 105 digits, whose common denominator may have 315 000 digits.
    let unrelated: Vec<String> = (0..3000)
        .map(|i| format!("1/{}\n", "1".repeat(100) + &format!("{:05}", 2 * i + 1)))
        .collect();
    let unrelated = unrelated.concat();
    let cases: &[(&[u8], &str, i32)] = &[
        (b"", "illegal_position", 2),
        (b"1 2\n3\n", "illegal_position", 2),
        (b"1 1/0\n", "range", 2),
        (b"1 NaN\n", "range", 2),
        (b"1 infinity\n", "range", 2),
        (b"1 1e999999999\n", "range", 2),
        (b"1 x\n", "syntax", 2),
        (b"1 \xff\n", "encoding", 2),
        (b"\x1b[31m\n", "syntax", 2),
        (b"[[1, 2], [3, 4]", "syntax", 2),
        (
            b"NFG 1 R \"t\" { \"A\" \"B\" } { 1 2 } 1 1 1 2",
            "illegal_position",
            2,
        ),
        (wide.as_bytes(), "limit", 3),
        (long.as_bytes(), "range", 2),
        (unrelated.as_bytes(), "limit", 3),
    ];
    for (input, kind, code) in cases {
        let shown = String::from_utf8_lossy(&input[..input.len().min(40)]);
        let output = grundy_with(&["matrix", "--json", "-"], input);
        assert_eq!(output.status.code(), Some(*code), "{shown}");
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(error["error"]["kind"], *kind, "{shown}");
        assert!(error["error"]["at"]["line"].is_u64(), "{shown}");
        assert!(
            output.stderr.starts_with(b"error: ") && output.stderr.len() < 2000,
            "{shown}"
        );
        // Input is quoted in errors, so escape sequences in it must be removed.
        assert!(
            !output.stderr.contains(&0x1b),
            "no control characters reach the terminal"
        );
    }
}

#[test]
fn bad_options_are_refused() {
    let cases: [(&[&str], i32); 7] = [
        (&["--row-strategy", "1"], 2),
        (&["--row-strategy", "1/2,1/3"], 2),
        (&["--row-strategy", "-1,2"], 2),
        (&["--col-strategy", "x,y"], 2),
        (&["--extreme", "0"], 2),
        (&["--dominance", "some"], 2),
        (&["--certificate", "/nowhere/at/all.json"], 2),
    ];
    for (options, code) in cases {
        let arguments = [&["matrix", "-"], options].concat();
        let output = grundy_with(&arguments, b"1 0\n0 2\n");
        assert_eq!(output.status.code(), Some(code), "{options:?}");
    }
    let output = grundy_with(&["matrix", "-", "--svg", "x.svg"], b"1 0 0\n0 2 0\n0 0 3");
    assert_eq!(output.status.code(), Some(2));
    let output = grundy_with(&["matrix", "-", "--max-memory", "0"], b"1 0\n0 2\n");
    assert_eq!(output.status.code(), Some(3));
    let big = "1 0\n".repeat(300);
    let output = grundy_with(&["matrix", "-", "--trace"], big.as_bytes());
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn only_an_unchanged_certificate_is_accepted() {
    let output = grundy_with(&["matrix", "--json", "-"], b"3 -1 0\n-2 4 1\n1/2 0 2.5\n");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let file = std::env::temp_dir().join(format!("grundy-matrix-{}.json", std::process::id()));
    let verified = |certificate: &str| {
        std::fs::write(&file, certificate).unwrap();
        grundy_with(&["verify", file.to_str().unwrap()], b"")
            .status
            .code()
    };
    let good = answer["certificate"].to_string();
    assert_eq!(verified(&good), Some(0));
    let value = answer["value"].as_str().unwrap();
    // A wrong value, wrong entries, wrong types, wrong keys, and a truncated file.
    for forged in [
        good.replacen(&format!("\"value\":\"{value}\""), "\"value\":\"1\"", 1),
        good.replacen("\"4\"", "\"5\"", 1),
        good.replacen("\"4\"", "\"1/0\"", 1),
        good.replacen("\"4\"", "4", 1),
        good.replacen("\"matrix\":", "\"tensor\":", 1),
        good.replacen("\"kind\":\"matrix\"", "\"kind\":\"chess\"", 1),
        good[..good.len() - 3].to_owned(),
        String::new(),
    ] {
        assert_ne!(forged, good);
        assert_eq!(verified(&forged), Some(2), "{forged}");
    }
    let _ = std::fs::remove_file(file);
}

#[test]
fn fractions_are_printed_in_full_if_they_fit_a_line() {
    // 1e-30 is a fraction with a 31-digit denominator, which still fits in a line.
    let output = grundy_with(&["matrix", "-"], b"1e30 1e-30\n3 4\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(" 1e30 1e-30\n"), "{text}");
    let json = grundy_with(&["matrix", "--json", "-"], b"1e30 1e-30\n3 4\n");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    for told in [
        &json["value"],
        &json["row_strategy"][0],
        &json["col_strategy"][1],
    ] {
        assert!(text.contains(told.as_str().unwrap()), "{told}: {text}");
    }
    assert!(text.contains(" = 3.999999999...\nrow player"), "{text}");
    // A value that does not fit is rounded, and a note refers to `--json`.
    let output = grundy_with(&["matrix", "-"], b"1e300 1e-300\n3 4\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("value 3.999999999... (truncated decimals; --json prints exact fractions)"),
        "{text}"
    );
}
