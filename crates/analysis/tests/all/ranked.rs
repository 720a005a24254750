//! Tests of `label --ranked`. The answer contains all rows of `label` without this option, a
//! stopped run resumes to the same bytes, and unsupported questions are rejected.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_analysis::question::LabelQuestion;
use grundy_analysis::{Analyst, Files, Job};
use grundy_core::{Kind, Play};
use grundy_wording::Language;

/// Creates an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-ranked-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn label(game: &str) -> LabelQuestion {
    LabelQuestion {
        source: game.into(),
        every: 60.0,
        ..LabelQuestion::default()
    }
}

/// Returns the sorted rows of an answer.
fn rows(analyst: &Analyst, question: &LabelQuestion) -> Vec<String> {
    let answer = analyst.answer(question, &Job::default()).unwrap();
    let mut rows: Vec<String> = answer
        .plain(Language::En)
        .lines()
        .map(str::to_owned)
        .collect();
    rows.sort_unstable();
    rows
}

// A cyclic game whose rules number the positions.
const RING: &str = "
def size():
    return 7

def rank(p):
    return p

def unrank(i):
    return i

def moves(p):
    return [] if p == 0 else [(p + 1) % 7, (p + 3) % 7]
";

#[test]
fn ranked_rows_equal_unranked_rows() {
    let analyst = Analyst::default();
    // The edge cases are a sum without heaps and a board of one square.
    for game in ["chomp(5, 5, 5)", "nim(3, 4, 2)", "nim()", "chomp(1)"] {
        for play in [Play::Normal, Play::Misere] {
            let plain = LabelQuestion {
                play,
                ..label(game)
            };
            let values = play == Play::Normal;
            let ranked = LabelQuestion {
                ranked: true,
                values,
                ..plain.clone()
            };
            assert_eq!(
                rows(&analyst, &ranked),
                rows(&analyst, &plain),
                "{game} {play}"
            );
        }
    }
    // Some sets of squares of a board are unreachable, so the table by ranks has more rows: 2^6 and
    // a header.
    for game in ["domineering(board(2, 3))", "cram(board(2, 3))"] {
        let ranked = LabelQuestion {
            ranked: true,
            values: game.starts_with("cram"),
            ..label(game)
        };
        let (all, some) = (rows(&analyst, &ranked), rows(&analyst, &label(game)));
        assert!(
            all.len() == 65 && some.iter().all(|row| all.contains(row)),
            "{game}"
        );
    }
    let ring = Analyst::default()
        .with_rules("ring.star", RING, &Job::default())
        .unwrap();
    let game = "game(moves, 5)";
    let ranked = LabelQuestion {
        ranked: true,
        values: true,
        ..label(game)
    };
    assert_eq!(rows(&ring, &ranked), rows(&ring, &label(game)));
}

/// Returns the files of a folder, sorted by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    files.sort_unstable();
    files
}

#[test]
fn a_run_stopped_anywhere_resumes_to_the_same_bytes() {
    let folder = folder("stopped");
    // A ruleset of the library, user-defined rules with an acyclic order of ranks, and a cyclic
    // game.
    let games = [
        ("chomp(8, 8, 8, 8, 8, 8, 8, 8, 8)", ""),
        (
            "game(moves, 20000)",
            "order_is_topological = True\ndef size(): return 20001\ndef rank(p): return p\ndef unrank(i): return i\n\ndef moves(p):\n    return [p - k for k in [1, 3, 8] if k <= p]\n",
        ),
        ("game(moves, 5)", RING),
    ];
    for (game, rules) in games {
        let analyst = Analyst::new(Files::Granted);
        let analyst = match rules {
            "" => analyst,
            rules => analyst
                .with_rules("own.star", rules, &Job::default())
                .unwrap(),
        };
        let question = |name: &str, resume| LabelQuestion {
            tablebase: Some(folder.join(name)),
            checkpoint: Some(folder.join("state")),
            every: 0.0,
            resume,
            ranked: true,
            values: true,
            ..label(game)
        };
        let ask = |question: LabelQuestion, job: &Job| analyst.answer(&question, job).map(|_| ());
        ask(question("whole", false), &Job::default()).unwrap();
        let whole = contents(&folder.join("whole"));
        let mut stops = 0;
        let mut looks = 1;
        // Each run is allowed a quarter more checks than the one before, so that stops occur in all
        // phases.
        while let Err(diagnostic) = ask(
            question("again", true),
            &Job::default().stopping_after(looks),
        ) {
            assert_eq!(diagnostic.kind, Kind::Limit, "{diagnostic:?}");
            // An interrupted run must not leave a tablebase that looks complete.
            assert!(!folder.join("again").exists());
            (stops, looks) = (stops + 1, looks + 1 + looks / 4);
        }
        assert!(stops > 1, "{game}");
        assert!(contents(&folder.join("again")) == whole, "{game}");
        assert!(!folder.join("state").exists());
        for name in ["whole", "again"] {
            fs::remove_dir_all(folder.join(name)).unwrap();
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn unsupported_questions_are_rejected() {
    let folder = folder("refused");
    let analyst = Analyst::new(Files::Granted);
    let refused = |question: LabelQuestion| {
        let answer = analyst.answer(&question, &Job::default());
        answer.map(|_| ()).unwrap_err().message.to_string()
    };
    let ranked = |game: &str| LabelQuestion {
        ranked: true,
        values: true,
        ..label(game)
    };
    // Kayles has no numbering of positions, and sums have none even if their terms do.
    assert_eq!(
        refused(ranked("kayles(5)")),
        "the rules do not number the positions reachable from kayles(5)"
    );
    assert_eq!(
        refused(ranked("nim(1) + chomp(2)")),
        "the rules do not number the positions reachable from nim(1) + chomp(2)"
    );
    assert_eq!(
        refused(ranked("domineering(board(2, 2))")),
        "Grundy values exist for impartial games in normal play only"
    );
    let misere = LabelQuestion {
        play: Play::Misere,
        ..ranked("nim(3)")
    };
    assert_eq!(
        refused(misere),
        "Grundy values exist for impartial games in normal play only"
    );
    let best = LabelQuestion {
        best_move: true,
        ..ranked("nim(3)")
    };
    assert_eq!(refused(best), "labelling by rank does not store moves");
    assert_eq!(
        refused(ranked("moves.csv")),
        "`ranked` requires a position: the vertices of a graph have no ranks"
    );
    // A checkpoint of another play convention.
    let kept = LabelQuestion {
        checkpoint: Some(folder.join("state")),
        every: 0.0,
        ranked: true,
        ..label("nim(200, 200)")
    };
    let job = Job::default().stopping_after(3);
    assert!(analyst.answer(&kept.clone(), &job).is_err());
    let other = LabelQuestion {
        play: Play::Misere,
        resume: true,
        ..kept.clone()
    };
    assert!(refused(other).ends_with("the checkpoint was written with other options"));
    // Damage to each byte of the header and to some bytes of the content. Each must give an error
    // and not a panic.
    let good = fs::read(folder.join("state")).unwrap();
    for at in (0..400).chain((400..good.len()).step_by(997)) {
        let mut bad = good.clone();
        bad[at] ^= 4;
        fs::write(folder.join("state"), &bad).unwrap();
        let _ = refused(LabelQuestion {
            resume: true,
            ..kept.clone()
        });
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_plan_counts_without_starting_the_work() {
    let question = LabelQuestion {
        ranked: true,
        values: true,
        plan: true,
        ..label("nim(7, 7, 7)")
    };
    let answer = Analyst::default()
        .answer(&question, &Job::default())
        .unwrap();
    let plan: serde_json::Value = serde_json::from_str(&answer.json(Language::En)).unwrap();
    // There are 8^3 = 512 positions. Each has one move for each chip, 10.5 on average: 512 · 10.5 =
    // 5376.
    assert_eq!(plan["positions"], 512);
    assert_eq!(plan["options"], 5376);
    assert_eq!(plan["memory"], 1024);
    assert!(plan["disk"].as_u64().unwrap() < 2000);
    let said = answer.plain(Language::En);
    assert!(
        said.starts_with("512 positions, about 5376 moves; 1024 bytes of memory\n"),
        "{said}"
    );
}
