//! Checks that every text is accepted as a list of moves in a supported format or rejected.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|input: (u8, &str)| {
    let (form, edges) = input;
    let name = ["e.csv", "e.dot", "e.json", "e.gv"][usize::from(form % 4)];
    let question = json!({"game": name, "files": {name: edges}});
    grundy_fuzz::ask("label", question.to_string().as_bytes());
});
