//! The code that all fuzz targets share. It answers a question of an untrusted client within small
//! limits, and checks that the answer is JSON.

use std::alloc::System;

use cap::Cap;
use grundy_analysis::Job;
use grundy_analysis::request::Request;
use serde_json::Value;

/// The allocator of a fuzz target. If a question needs more than twice `MEMORY_LIMIT` plus
/// `EXTRA_MEMORY` bytes, the allocation fails and the target aborts. The fuzzer reports the abort
/// as a crash.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Memory limit of a question, in bytes.
const MEMORY_LIMIT: usize = 32 << 20;

/// Memory allowed in addition to twice the limit, in bytes.
const EXTRA_MEMORY: usize = 32 << 20;

/// Output limit of an answer, in bytes.
const OUTPUT: u64 = 256 << 10;

/// Answers a question. Checks that the answer is one JSON object within the output limit, and not
/// an internal error. Only the answer to the command `label` may have more than one line.
pub fn ask(command: &str, question: &[u8]) {
    let answered = match Request::read(command, question) {
        Err(refusal) => refusal.json(),
        Ok(request) => {
            let before = MEMORY.allocated();
            let job = Job::new(20_000, MEMORY_LIMIT as u64)
                .with_output_limit(OUTPUT)
                .with_memory_meter(move || MEMORY.allocated().saturating_sub(before) as u64);
            let _ = MEMORY.set_limit(before + 2 * MEMORY_LIMIT + EXTRA_MEMORY);
            let answered = request.answer_within(&job, 0.2);
            let _ = MEMORY.set_limit(usize::MAX);
            let wrong = answered.error_kind.map(|kind| kind.name());
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
