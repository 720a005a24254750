//! Comparison with the trees of another parser of Starlark.

use serde_json::Value;

use crate::dump;

// The file `testdata/syntax.jsonl` has the trees that `starlark_syntax` 0.14.2 reads, and texts
// that it rejects. The program in `crates/syntax/comparison` writes it, and compares many more
// texts.
#[test]
fn trees_are_those_of_starlark_syntax() {
    let cases = include_str!("../../../../testdata/syntax.jsonl");
    let (mut valid, mut rejected) = (0, 0);
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let source = case["source"].as_str().unwrap();
        match (dump::file(source), case["tree"].as_str()) {
            (Ok(tree), Some(expected)) => {
                assert_eq!(tree, expected, "{source}");
                valid += 1;
            }
            (Err(_), None) => rejected += 1,
            (read, _) => panic!("{source}\n{read:?}"),
        }
    }
    assert!(valid > 300 && rejected > 30, "{valid}, {rejected}");
}
