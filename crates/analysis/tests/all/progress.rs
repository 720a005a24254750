//! The progress reports of a search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grundy_analysis::question::Solve;
use grundy_analysis::{Analyst, Job, Progress};
use grundy_core::Play;

/// Returns the progress reports of the solution of a position. The clock advances by 50 ms at each
/// reading.
fn progress_of(game: &str, play: Play) -> Vec<Progress> {
    // With a real clock, the number of reports would depend on the speed of the machine.
    let (clock, heard) = (AtomicU64::new(0), Arc::new(Mutex::new(Vec::new())));
    let listener = Arc::clone(&heard);
    let job = Job::with_clock(u64::MAX, 1 << 32, move || {
        Duration::from_millis(clock.fetch_add(50, Ordering::Relaxed))
    });
    let job = job.with_progress(move |progress| listener.lock().unwrap().push(progress.clone()));
    let question = Solve {
        play,
        no_moves: true,
        ..Solve::new(game)
    };
    Analyst::default().answer(&question, &job).unwrap();
    heard.lock().unwrap().clone()
}

#[test]
fn searches_report_the_number_of_visited_positions() {
    // Impartial and partizan games in both play conventions, which are searched in different ways.
    for (game, play) in [
        ("cram(board(5, 6))", Play::Normal),
        ("domineering(board(6, 6))", Play::Normal),
        ("cram(board(4, 5))", Play::Misere),
        ("clobber([\"xoxo\", \"oxox\", \"xoxo\"])", Play::Misere),
    ] {
        let mut last = 0;
        for progress in progress_of(game, play) {
            let Progress::Searching {
                visited,
                per_second,
            } = progress
            else {
                continue;
            };
            assert!(
                visited > 0 && visited >= last,
                "{game}: {visited} after {last}"
            );
            // The rate is measured over at least 200 ms, so it is at most five times the increase.
            assert!(per_second <= 5 * (visited - last), "{game}: {per_second}");
            last = visited;
        }
        assert!(last > 0, "{game}: no progress was reported");
    }
}
