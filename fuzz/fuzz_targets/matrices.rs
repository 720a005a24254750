//! Checks that every text is accepted as a matrix in a supported format or rejected.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|input: (u8, &str)| {
    let (form, matrix) = input;
    let name = ["m.csv", "m.txt", "m.json", "m.nfg"][usize::from(form % 4)];
    // With `extreme` the enumeration of extreme optimal strategies is covered, too. Five of them
    // keep a case fast.
    let question = json!({"file": name, "files": {name: matrix}, "extreme": 5});
    grundy_fuzz::ask("matrix", question.to_string().as_bytes());
});
