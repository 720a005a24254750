//! Checks that every text is accepted as a rule file or rejected, and that rules end within their
//! limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|rules: &str| {
    let question = json!({"game": "game(moves, 3)", "rules": rules});
    grundy_fuzz::ask("solve", question.to_string().as_bytes());
    grundy_fuzz::ask("board", question.to_string().as_bytes());
});
