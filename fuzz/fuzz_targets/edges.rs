//! Any text is a list of moves in one of the forms that are read, or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|input: (u8, &str)| {
    let (form, edges) = input;
    let name = ["e.csv", "e.dot", "e.json", "e.gv"][usize::from(form % 4)];
    let question = json!({"game": name, "files": {name: edges}});
    grundy_fuzz::ask("label", question.to_string().as_bytes());
});
