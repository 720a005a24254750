//! Lines of a batch whose computation a limit stops. The intermediate results of such a line are
//! cached, so that it is answered if it is repeated often enough.

use grundy_analysis::batch::Batch;
use grundy_analysis::question::Solve;
use grundy_analysis::{Analyst, Job};

#[test]
fn repeated_stopped_lines_reach_the_answer() {
    let analyst = Analyst::default();
    // One long row needs the values of many shorter rows, more than the limit permits at once.
    let row = format!("impartial(cannibal_clobber([\"{}\"]))", "x".repeat(200));
    let ask = |batch: &mut Batch, job: &Job| batch.answer(row.as_bytes(), &analyst, job);
    let whole = ask(&mut Batch::new("solve", &Solve::default()), &Job::default());
    assert!(!whole.is_partial() && !whole.has_failed());
    let mut batch = Batch::new("solve", &Solve::default());
    let mut stopped = 0;
    let answer = loop {
        // Without the cache, each attempt would stop at the same place and the loop would never
        // end.
        let answer = ask(&mut batch, &Job::default().stopping_after(30));
        let unanswered = answer.is_partial() || answer.has_failed();
        if !unanswered {
            break answer;
        }
        stopped += 1;
        assert!(stopped < 100, "{}", answer.json());
    };
    assert_eq!(answer.json(), whole.json());
    assert!(stopped > 2, "{stopped}");
}
