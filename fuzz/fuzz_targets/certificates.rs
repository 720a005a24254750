//! Checks that every text is accepted as a valid certificate or rejected, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|certificate: &str| {
    let question = json!({"file": "c.json", "files": {"c.json": certificate}});
    grundy_fuzz::ask("verify", question.to_string().as_bytes());
});
