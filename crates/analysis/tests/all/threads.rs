//! One analyst is shared by eight threads. All threads ask the same questions about positions and
//! rule files at the same time, and each gets the same bytes as a single thread. The questions come
//! from the golden files. A job can be stopped at any check of its limits, and no lock remains held
//! afterwards.

use std::path::{Path, PathBuf};
use std::thread;

use grundy_analysis::question::{Explain, PositionSource, Solve};
use grundy_analysis::{Analyst, Files, Job, Question};
use grundy_core::{Kind, Play};
use grundy_wording::Language;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A batch of a golden file: its rule file and its positions.
struct Batch {
    rules: Option<PathBuf>,
    lines: Vec<(String, Play)>,
}

/// Returns the batches of `solve` in a golden file.
fn batches(file: &str) -> Vec<Batch> {
    let text = std::fs::read_to_string(root().join("testdata/golden").join(file)).unwrap();
    let mut batches: Vec<Batch> = Vec::new();
    let mut ours = false;
    for line in text.lines() {
        if let Some(arguments) = line.strip_prefix("! ") {
            let arguments: Vec<String> = serde_json::from_str(arguments).unwrap();
            ours = arguments[0] == "solve";
            let rules = arguments.iter().position(|argument| argument == "--rules");
            let rules = rules.map(|place| root().join(&arguments[place + 1]));
            let lines = Vec::new();
            batches.extend(ours.then_some(Batch { rules, lines }));
        } else if let Some(asked) = line.strip_prefix("? ")
            && ours
        {
            // Lines that are not objects are plain expressions, or deliberate errors.
            let value: Value = serde_json::from_str(asked).unwrap_or_default();
            let play = match value["play"].as_str() {
                Some("misere") => Play::Misere,
                _ => Play::Normal,
            };
            if let (Some(game), Some(batch)) = (value["game"].as_str(), batches.last_mut()) {
                batch.lines.push((game.to_owned(), play));
            }
        }
    }
    batches
}

/// Returns two answers for each line: that of `solve` and that of `explain`.
fn answers(analyst: &Analyst, lines: &[(String, Play)]) -> Vec<String> {
    let say = |question: &dyn Question| match analyst.answer(question, &Job::default()) {
        Ok(answer) => answer.json(Language::En),
        Err(diagnostic) => diagnostic.to_string(),
    };
    let both = |(game, play): &(String, Play)| {
        let (source, play) = (PositionSource::from(&game[..]), *play);
        let solve = Solve {
            source: source.clone(),
            play,
            ..Solve::default()
        };
        let explain = Explain {
            source,
            play,
            proof: false,
            ..Explain::default()
        };
        [say(&solve), say(&explain)]
    };
    lines.iter().flat_map(both).collect()
}

#[test]
fn eight_threads_get_the_same_bytes() {
    let mut asked = 0;
    for batch in ["solve.txt", "rules.txt"].into_iter().flat_map(batches) {
        // All threads share the analyst, including the rules of its file.
        let analyst = Analyst::new(Files::Granted);
        let analyst = match &batch.rules {
            Some(file) => analyst.with_rules_file(file, &Job::default()).unwrap(),
            None => analyst,
        };
        let alone = answers(&analyst, &batch.lines);
        asked += alone.len();
        thread::scope(|scope| {
            let ask = || scope.spawn(|| answers(&analyst, &batch.lines));
            let together: Vec<_> = (0..8).map(|_| ask()).collect();
            // The answers of one thread alone are the reference.
            for one in together {
                assert!(one.join().unwrap() == alone);
            }
        });
    }
    // Guards against a change of the golden format that would leave nothing to compare.
    assert!(asked > 800, "{asked}");
}

/// Positions that are solved by different methods: sequences, component tables, partizan search,
/// payoffs, cyclic graphs, and user-defined rules.
const POSITIONS: [&str; 6] = [
    "kayles(300)",
    "cram(['......', '......', '......'])",
    "domineering(['....', '....', '....'])",
    "tic_tac_toe()",
    "graph({'a': ['b', 'c'], 'b': ['a'], 'c': []}, 'a') + domineering(['..', '..'])",
    "game(moves, 3000)",
];

#[test]
fn a_job_stops_at_any_check_and_releases_its_locks() {
    let source = "def moves(n):\n    return [n - k for k in range(1, n + 1) if n % k == 0]\n";
    let job = Job::default();
    let analyst = Analyst::default()
        .with_rules("divisors.star", source, &job)
        .unwrap();
    for game in POSITIONS {
        let question = Explain {
            source: game.into(),
            ..Explain::default()
        };
        let whole = analyst.answer(&question, &Job::default()).unwrap();
        let whole = whole.json(Language::En);
        let mut stopped = 0;
        // Every early check, where phases change, and a sample of the later ones.
        for looks in (0..60).chain((60..2000).step_by(97)) {
            match analyst.answer(&question, &Job::default().stopping_after(looks)) {
                Ok(answer) if !answer.is_partial() => {
                    assert_eq!(
                        answer.json(Language::En),
                        whole,
                        "{game} after {looks} looks"
                    );
                }
                // A partial answer is allowed, too.
                Ok(_) => stopped += 1,
                Err(diagnostic) => {
                    assert_eq!(diagnostic.kind, Kind::Limit, "{diagnostic:?}");
                    stopped += 1;
                }
            }
        }
        assert!(stopped > 0, "{game} never looks");
        // The same question is answered completely afterwards, hence nothing remained locked.
        let again = analyst.answer(&question, &Job::default()).unwrap();
        assert_eq!(again.json(Language::En), whole, "{game}");
    }
}
