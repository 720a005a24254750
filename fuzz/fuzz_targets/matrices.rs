//! Any text is a matrix in one of the forms that are read, or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|input: (u8, &str)| {
    let (form, matrix) = input;
    let name = ["m.csv", "m.txt", "m.json", "m.nfg"][usize::from(form % 4)];
    let question = json!({"file": name, "files": {name: matrix}, "extreme": 5});
    grundy_fuzz::ask("matrix", question.to_string().as_bytes());
});
