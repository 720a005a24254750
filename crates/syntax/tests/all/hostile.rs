//! Texts that no person would write.

use grundy_syntax::{MAX_BLOCKS, MAX_DEPTH, parse_expression, parse_file};
use proptest::prelude::*;

/// Parses a text in both ways, and checks the place of each error.
fn check(text: &str) {
    let errors = [parse_file(text).err(), parse_expression(text).err()];
    for error in errors.into_iter().flatten() {
        let span = error.span.clone().expect("every error has a place");
        assert!(text.get(span).is_some(), "{text:?}: {error:?}");
        assert!(!error.message.is_empty());
    }
}

#[test]
fn deep_nesting_is_an_error_and_long_chains_are_not() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("f(", ")"),
        ("{1: ", "}"),
        ("a[", "]"),
    ] {
        let nested = |depth| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(parse_expression(&nested(MAX_DEPTH)).is_ok(), "{open}");
        let error = parse_expression(&nested(MAX_DEPTH + 1)).unwrap_err();
        assert!(
            error.message.contains("nested more than 200 deep"),
            "{error}"
        );
        check(&open.repeat(1_000_000));
    }
    let blocks = |depth: usize| {
        let heads = (0..depth).map(|level| " ".repeat(level) + "if 1:\n");
        heads.collect::<String>() + &" ".repeat(depth) + "pass\n"
    };
    assert!(parse_file(&blocks(MAX_BLOCKS)).is_ok());
    assert!(parse_file(&blocks(MAX_BLOCKS + 1)).is_err());
    for unit in [
        "1 + ",
        "not ",
        "- ",
        "lambda: ",
        "1 if 2 else ",
        "x and ",
        "a, ",
    ] {
        // The depth of these trees is bounded by the callers, which limit the number of operators.
        let text = unit.repeat(2_000) + "1";
        assert!(parse_expression(&text).is_ok(), "{unit}");
    }
    let elifs = "if 1:\n    pass\n".to_owned() + &"elif 1:\n    pass\n".repeat(50_000);
    assert!(parse_file(&elifs).is_ok());
}

proptest! {
    #[test]
    fn every_text_is_parsed_or_rejected(text in "\\PC{0,60}") {
        check(&text);
    }

    #[test]
    fn every_row_of_tokens_is_parsed_or_rejected(
        tokens in prop::collection::vec(prop::sample::select(vec![
            "a", "1", "0x", "1.", ".", "..", "\"s\"", "'", "\"\"\"", "r'", "b'", "f'", "\\", "\n",
            "\r\n", "\r", "\n  ", "\n    ", "\t", " ", "#", "(", ")", "[", "]", "{", "}", ",", ":",
            ";", "=", "+=", "==", "<", "not", "in", "and", "if", "elif", "else", "for", "def",
            "lambda", "return", "pass", "load", "while", "*", "**", "-", "~", "\u{201c}", "\u{e9}",
        ]), 0..25),
    ) {
        check(&tokens.concat());
        check(&tokens.join(" "));
    }
}
