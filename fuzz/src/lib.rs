//! What all targets share: a question is asked as a stranger asks a server, within small limits, and has to have an answer in JSON.

use grundy_analysis::Job;
use grundy_analysis::request::Request;
use serde_json::Value;

/// Asks, and looks at what comes back: one object, on one line but for the labels of a graph, and no defect.
pub fn ask(command: &str, question: &[u8]) {
    let answered = match Request::read(command, question) {
        Err(refusal) => refusal.json(),
        Ok(request) => {
            let job = Job::new(20_000, 32 << 20);
            let answered = request.answer_within(&job, 0.2);
            let wrong = answered.wrong.map(|kind| kind.name());
            assert_ne!(wrong, Some("internal"), "{}", answered.json);
            answered.json
        }
    };
    let read: Value = serde_json::from_str(&answered).expect("an answer is JSON");
    assert!(read.is_object(), "{answered}");
    let lines = answered.trim_end().lines().count();
    assert!(lines == 1 || command == "label", "{answered}");
}
