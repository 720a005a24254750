//! Checks that every text is accepted as a Hackenbush picture, a list of edges or SVG, or rejected.
#![no_main]

use grundy_notation::read_picture;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|picture: &str| {
    let _ = read_picture(picture);
    let question = json!({"game": format!("hackenbush({})", json!(picture))});
    grundy_fuzz::ask("board", question.to_string().as_bytes());
});
