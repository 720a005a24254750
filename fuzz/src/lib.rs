//! The common part of all targets: ask a question as an unknown client asks a server, within small
//! limits, and expect an answer in JSON.

use std::alloc::System;

use cap::Cap;
use grundy_analysis::Job;
use grundy_analysis::request::Request;
use serde_json::Value;

/// The allocator of a target. A question that needs more than twice its limit, and the memory for
/// reading it, aborts the target. The fuzzer reports this as a crash.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Memory limit of a question, in bytes.
const HELD: usize = 32 << 20;

/// Memory allowed in addition to twice the limit, in bytes.
const BESIDE: usize = 32 << 20;

/// Output limit of an answer, in bytes.
const OUTPUT: u64 = 256 << 10;

/// Asks a question and checks the answer: one object within the output limit, no internal error.
/// The object is on one line, except for the labels of a graph.
pub fn ask(command: &str, question: &[u8]) {
    let answered = match Request::read(command, question) {
        Err(refusal) => refusal.json(),
        Ok(request) => {
            let before = MEMORY.allocated();
            let job = Job::new(20_000, HELD as u64)
                .writing(OUTPUT)
                .measuring(move || MEMORY.allocated().saturating_sub(before) as u64);
            let _ = MEMORY.set_limit(before + 2 * HELD + BESIDE);
            let answered = request.answer_within(&job, 0.2);
            let _ = MEMORY.set_limit(usize::MAX);
            let wrong = answered.wrong.map(|kind| kind.name());
            assert_ne!(wrong, Some("internal"), "{}", answered.json);
            assert!(answered.json.len() as u64 <= OUTPUT);
            answered.json
        }
    };
    let read: Value = serde_json::from_str(&answered).expect("an answer is JSON");
    assert!(read.is_object(), "{answered}");
    let lines = answered.trim_end().lines().count();
    assert!(lines == 1 || command == "label", "{answered}");
}
