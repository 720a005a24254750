//! What all targets share: a question is asked as a stranger asks a server, within small limits,
//! and has to have an answer in JSON.

use std::alloc::System;

use cap::Cap;
use grundy_analysis::Job;
use grundy_analysis::request::Request;
use serde_json::Value;

/// The memory of a target. A question that needs more than twice its limit, and what reading it may
/// take, ends the target: that is a finding.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that a question may hold.
const HELD: usize = 32 << 20;

/// Bytes that may be held beside twice the limit.
const BESIDE: usize = 32 << 20;

/// Bytes of an answer.
const OUTPUT: u64 = 256 << 10;

/// Asks, and looks at what comes back: one object within the limit of bytes, on one line but for
/// the labels of a graph, and no defect.
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
