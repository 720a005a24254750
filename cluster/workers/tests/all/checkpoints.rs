//! Interrupts a labelling at its progress reports and resumes it with other numbers of workers.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use grundy_base::{Diagnostic, Kind, Message, Stop, message};
use grundy_cluster::{
    CheckpointOptions, Context, EdgeLists, Report, Row, Source, Store, Workers, label,
};
use grundy_core::argument::Argument;
use grundy_core::{Play, Position, RankedGame, registry};
use serde_json::Value;

/// A temporary folder of a test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        // Tests that run at the same time may choose the same name, so a number is added.
        static CREATED: AtomicU64 = AtomicU64::new(0);
        // Every part is synchronized to disk, which costs nothing in a memory file system.
        let memory = PathBuf::from("/dev/shm");
        let folder = Some(memory).filter(|memory| memory.is_dir());
        let folder = folder.unwrap_or_else(std::env::temp_dir);
        let number = CREATED.fetch_add(1, Ordering::SeqCst);
        let process = std::process::id();
        let path = folder.join(format!("grundy-{name}-{process}-{number}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn text(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Random edges in three lists.
struct Random(Vec<(u64, u64)>);

impl Random {
    fn new(vertices: u64, edges: usize, down: bool) -> Self {
        let mut seed = 11u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % vertices
        };
        let edge = |_| match (next(), next()) {
            // Edges from larger to smaller numbers make the graph acyclic.
            (from, to) if down => (from.max(to) + 1, from.min(to)),
            edge => edge,
        };
        Self((0..edges).map(edge).collect())
    }
}

impl EdgeLists for Random {
    fn lists(&self) -> usize {
        3
    }

    fn read(
        &self,
        list: usize,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        for (from, to) in self.0.iter().skip(list).step_by(3) {
            row(&format!("v{from}"), Some(&format!("v{to}")))?;
        }
        Ok(())
    }
}

/// The game to label.
enum Game {
    Graph(Random),
    /// A ranked game, and `true` if its values are computed. A game without values is labelled by a
    /// sieve if possible.
    Ranked(Arc<dyn RankedGame>, bool),
}

impl Game {
    fn nim(heaps: &[u64], values: bool) -> Self {
        let heaps = heaps.iter().map(|&heap| (None, Argument::Int(heap.into())));
        let start = registry::construct("nim", &heaps.collect::<Vec<_>>()).unwrap();
        Self::Ranked(Position::from(start).ranked().unwrap().unwrap(), values)
    }
}

/// The settings of a run.
#[derive(Clone, Copy)]
struct Run<'r> {
    workers: usize,
    /// Location of the checkpoints, if any are written.
    place: Option<&'r str>,
    of: &'r str,
    /// Number of progress reports after which the run is interrupted.
    stop: u64,
    play: Play,
    keep_moves: bool,
}

/// Labels a game. Returns the rows, and the number of progress reports.
fn run(game: &Game, settings: Run<'_>) -> (Result<Vec<Row>, Diagnostic>, u64) {
    let (count, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let report = |_: &Report| {
        if count.fetch_add(1, Ordering::SeqCst) + 1 == settings.stop {
            stopped.store(true, Ordering::SeqCst);
        }
    };
    let interrupted = || stopped.load(Ordering::SeqCst).then_some(Stop::Interrupted);
    let differs = |_: &Value| message!("the checkpoint was written with other options");
    let note = |note: Message| {
        assert!(note.contains("no checkpoint yet"), "{}", &*note);
    };
    let checkpoint_options = settings.place.map(|place| CheckpointOptions {
        store: Store::open(place).unwrap(),
        every: Duration::ZERO,
        resume: true,
        of: Value::from(settings.of),
        differs: &differs,
    });
    let context = Context {
        positions: u64::MAX,
        memory: 1 << 30,
        workers_here: settings.workers,
        interrupted: &interrupted,
        report: &report,
        note: &note,
        checkpoint_options,
    };
    let source = match game {
        Game::Graph(graph) => Source::Edges {
            lists: graph,
            keep_moves: settings.keep_moves,
        },
        Game::Ranked(game, values) => Source::Ranked {
            game: Arc::clone(game),
            values: *values,
        },
    };
    let rows = label(
        Workers::alone(),
        &context,
        &source,
        settings.play,
        |writer| {
            if settings.keep_moves {
                let mut rows = Vec::new();
                writer.resolve()?;
                writer.sorted(None, |row| {
                    rows.push(row);
                    Ok(())
                })?;
                return Ok(rows);
            }
            let mut rows = Vec::new();
            if source.is_sieved() {
                // One row for each cell, with its content as the name.
                let summary = writer.summary();
                while rows.len() as u64
                    != summary.positions * summary.nature.beginners().len() as u64
                {
                    let from = rows.len() as u64;
                    rows.extend((from..).zip(writer.cells(from)?).map(|(number, cell)| Row {
                        number,
                        name: cell.to_string(),
                        labels: Vec::new(),
                        value: None,
                        options: Vec::new(),
                    }));
                }
                return Ok(rows);
            }
            while (rows.len() as u64) < writer.summary().positions {
                rows.append(&mut writer.rows(rows.len() as u64)?);
            }
            Ok(rows)
        },
    );
    let rows = rows.map(|(rows, _)| rows.expect("this process writes"));
    (rows, count.load(Ordering::SeqCst))
}

/// Interrupts and resumes a labelling at several points. Returns the number of points at which the
/// interrupted first run left a checkpoint with partially read lists.
fn resumes_from_every_stop(name: &str, game: &Game, play: Play, keep_moves: bool) -> u64 {
    let mut reading = 0;
    let test_folder = TestFolder::new(name);
    let place = test_folder.text();
    let settings = Run {
        workers: 1,
        place: None,
        of: "this",
        stop: u64::MAX,
        play,
        keep_moves,
    };
    let (rows, times) = run(game, settings);
    let rows = rows.unwrap();
    assert!(times > 5, "{times}");
    let with_checkpoints = Run {
        place: Some(&place),
        ..settings
    };
    // A checkpoint is written after every round, so a few points in each phase are enough.
    for stop in (1..=times).step_by((times / 8).max(1) as usize) {
        let first = Run {
            workers: 1 + stop as usize % 4,
            stop,
            ..with_checkpoints
        };
        let (stopped, _) = run(game, first);
        // Three workers read three lists in fewer rounds than one worker does.
        assert!(
            stopped.is_err() || stop + 4 >= times,
            "it was stopped after {stop}"
        );
        let manifest = fs::read_to_string(test_folder.0.join("manifest.json")).unwrap_or_default();
        reading += u64::from(manifest.contains(r#""phase":"reading""#));
        let (mut reports, mut workers) = (None, 1 + stop as usize / 4 % 4);
        // A leftover as of a process that is killed while it writes a part.
        let parts = test_folder.0.join("parts");
        fs::create_dir_all(&parts).unwrap();
        fs::write(parts.join("half.parquet#1"), "half").unwrap();
        // The resumed run is interrupted as well.
        for stop in [4, u64::MAX] {
            let (again, count) = run(
                game,
                Run {
                    workers,
                    stop,
                    ..with_checkpoints
                },
            );
            workers = 1 + workers % 4;
            match again {
                Ok(again) => {
                    assert!(again == rows, "stopped after {first}", first = first.stop);
                    reports = Some(count);
                    break;
                }
                Err(why) => assert!(
                    count >= stop,
                    "resumed after {first}: {why}",
                    first = first.stop,
                    why = &*why.message
                ),
            }
        }
        let reports = reports.expect("the last run is not interrupted");
        assert!(reports <= times + 1, "{reports} of {times}");
        // The folder is empty after the table is complete.
        let left: Vec<_> = fs::read_dir(&test_folder.0)
            .unwrap()
            .flat_map(|entry| {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    let inner = fs::read_dir(path).unwrap();
                    inner.map(|entry| entry.unwrap().path()).collect()
                } else {
                    vec![path]
                }
            })
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
    reading
}

#[test]
fn a_cyclic_graph_resumes_from_every_stop() {
    let graph = Game::Graph(Random::new(100, 220, false));
    resumes_from_every_stop("cycles", &graph, Play::Normal, false);
    resumes_from_every_stop("moves", &graph, Play::Normal, true);
}

/// Reads enough moves for many rounds, so that partially read lists are redistributed to other
/// numbers of workers.
#[test]
fn partially_read_lists_resume_from_every_stop() {
    let graph = Game::Graph(Random::new(30_000, 150_000, false));
    let stops = resumes_from_every_stop("lists", &graph, Play::Normal, false)
        + resumes_from_every_stop("lists-and-moves", &graph, Play::Misere, true);
    assert!(stops > 1, "{stops}");
}

#[test]
fn a_graph_with_many_values_resumes_from_every_stop() {
    // With few edges hardly any vertex is drawn, so values take many rounds.
    let graph = Game::Graph(Random::new(100, 100, false));
    resumes_from_every_stop("few", &graph, Play::Normal, false);
    resumes_from_every_stop("misere", &graph, Play::Misere, false);
}

#[test]
fn an_acyclic_graph_resumes_from_every_stop() {
    let graph = Game::Graph(Random::new(14, 90, true));
    resumes_from_every_stop("down", &graph, Play::Normal, false);
}

#[test]
fn a_ranked_game_resumes_from_every_stop() {
    let nim = Game::nim(&[5, 7, 6], false);
    resumes_from_every_stop("sifted", &nim, Play::Normal, false);
    resumes_from_every_stop("misere", &nim, Play::Misere, false);
    // More positions than one slice, so that there are several checkpoints while moves are stored.
    let valued = Game::nim(&[40, 30, 20], true);
    resumes_from_every_stop("valued", &valued, Play::Normal, false);
}

#[test]
fn a_damaged_or_unrelated_checkpoint_is_one_error() {
    let graph = Game::Graph(Random::new(600, 1500, false));
    let test_folder = TestFolder::new("damaged");
    let place = test_folder.text();
    let settings = Run {
        workers: 2,
        place: Some(&place),
        of: "this",
        stop: 8,
        play: Play::Normal,
        keep_moves: false,
    };
    run(&graph, settings).0.unwrap_err();
    let refused = |settings: Run<'_>, why: &str| {
        let error = run(&graph, settings).0.map(|rows| rows.len()).unwrap_err();
        assert_eq!(error.kind, Kind::Io);
        assert!(error.message.contains(why), "{}", &*error.message);
    };
    let settings = Run {
        workers: 3,
        stop: u64::MAX,
        ..settings
    };
    refused(
        Run {
            of: "that",
            ..settings
        },
        "written with other options",
    );
    // Parts that no manifest names are not read, so damage to them would go unnoticed.
    let manifest = fs::read_to_string(test_folder.0.join("manifest.json")).unwrap();
    let parts: Vec<PathBuf> = fs::read_dir(test_folder.0.join("parts"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|part| manifest.contains(part.file_name().unwrap().to_str().unwrap()))
        .collect();
    assert!(parts.len() > 4);
    for part in parts.iter().chain([&test_folder.0.join("manifest.json")]) {
        let bytes = fs::read(part).unwrap();
        fs::write(part, &bytes[..bytes.len() / 2]).unwrap();
        refused(settings, "is missing or damaged");
        fs::write(part, &bytes).unwrap();
    }
    fs::remove_file(&parts[0]).unwrap();
    refused(settings, "is missing or damaged");
}

/// Starts a labelling that fails as soon as it begins to write its table. The checkpoint interval
/// is longer than the test. Returns the number that identifies the labelling.
fn stop_before_the_table(place: &str) -> u64 {
    let differs = |_: &Value| message!("the checkpoint was written with other options");
    let checkpoint_options = CheckpointOptions {
        store: Store::open(place).unwrap(),
        every: Duration::from_secs(3600),
        resume: true,
        of: Value::from("this"),
        differs: &differs,
    };
    let context = Context {
        positions: u64::MAX,
        memory: 1 << 30,
        workers_here: 2,
        interrupted: &|| None,
        report: &|_| {},
        note: &|_| {},
        checkpoint_options: Some(checkpoint_options),
    };
    let graph = Random::new(100, 220, false);
    let source = Source::Edges {
        lists: &graph,
        keep_moves: false,
    };
    let number = AtomicU64::new(0);
    let cut = label(
        Workers::alone(),
        &context,
        &source,
        Play::Normal,
        |writer| {
            number.store(writer.resumable().unwrap().labelling, Ordering::SeqCst);
            Err::<(), _>(Stop::Interrupted.into())
        },
    );
    assert!(cut.is_err());
    number.load(Ordering::SeqCst)
}

/// Checks that a labelling keeps the number that identifies it as long as its checkpoint exists.
/// Without the checkpoint it gets a new number, even for a source of the same name and length.
#[test]
fn a_labelling_keeps_its_number_with_its_checkpoint() {
    let test_folder = TestFolder::new("number");
    let first = stop_before_the_table(&test_folder.text());
    assert!(
        test_folder.0.join("manifest.json").exists(),
        "written before the table, though not due"
    );
    assert_eq!(stop_before_the_table(&test_folder.text()), first);
    fs::remove_file(test_folder.0.join("manifest.json")).unwrap();
    assert_ne!(stop_before_the_table(&test_folder.text()), first);
}
