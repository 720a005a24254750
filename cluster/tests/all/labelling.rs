//! Labelling by several workers and processes: identical output, and one clear error if a process
//! is lost.
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::executable;

/// A temporary folder of a test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("grundy-cluster-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes files with `count` free addresses and a secret. Returns the addresses.
    fn hosts(&self, count: usize) -> Vec<String> {
        // All listeners are open at the same time, so that the ports differ.
        let free: Vec<TcpListener> = (0..count)
            .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
            .collect();
        let hosts: Vec<String> = free
            .iter()
            .map(|one| one.local_addr().unwrap().to_string())
            .collect();
        fs::write(self.at("hosts"), hosts.join("\n")).unwrap();
        fs::write(self.at("secret"), "0123456789abcdef\n").unwrap();
        hosts
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn grundy() -> Command {
    let mut command = Command::new(executable());
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .arg("label");
    command
}

/// Starts one of several processes.
fn process(
    test_folder: &TestFolder,
    index: usize,
    game: &[&str],
    secret: &Path,
    table: &str,
) -> Child {
    grundy()
        .args(game)
        .arg("--hosts")
        .arg(test_folder.at("hosts"))
        .args(["--process", &index.to_string()])
        .arg("--secret-file")
        .arg(secret)
        .arg("--output")
        .arg(test_folder.at(&format!("{table}.csv")))
        .arg("--tablebase")
        .arg(test_folder.at(table))
        .spawn()
        .unwrap()
}

/// Starts one of several processes with checkpoints, and with its own list of hosts.
fn start_with_checkpoint(
    test_folder: &TestFolder,
    index: usize,
    game: &[&str],
    hosts: &Path,
    table: &str,
) -> Child {
    grundy()
        .args(game)
        .arg("--hosts")
        .arg(hosts)
        .args(["--process", &index.to_string(), "--secret-file"])
        .arg(test_folder.at("secret"))
        .args(["--every", "0", "--resume", "--checkpoint"])
        .arg(test_folder.at("state"))
        .arg("--output")
        .arg(test_folder.at(&format!("{table}.csv")))
        .spawn()
        .unwrap()
}

/// A proxy in front of the address of a process. It delays all data in both directions, and cuts
/// its connections once a given number of bytes has passed.
struct Relay {
    address: String,
    /// Number of bytes that may still pass, in both directions together, before all connections are
    /// cut.
    left: Arc<AtomicI64>,
}

impl Relay {
    fn new(to: &str, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let new = Self {
            address: listener.local_addr().unwrap().to_string(),
            left: Arc::new(AtomicI64::new(i64::MAX)),
        };
        let (to, left) = (to.to_owned(), Arc::clone(&new.left));
        thread::spawn(move || {
            for caller in listener.incoming() {
                let caller = caller.unwrap();
                // The target does not listen yet. The caller sees a closed connection and retries.
                let Ok(called) = TcpStream::connect(&to) else {
                    continue;
                };
                for (from, into) in [(&caller, &called), (&called, &caller)] {
                    let (from, into) = (from.try_clone().unwrap(), into.try_clone().unwrap());
                    let left = Arc::clone(&left);
                    thread::spawn(move || pass(from, into, delay, &left));
                }
            }
        });
        new
    }
}

fn pass(mut from: TcpStream, mut into: TcpStream, delay: Duration, left: &AtomicI64) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        thread::sleep(delay);
        let passes = left.fetch_sub(read as i64, Ordering::SeqCst) >= read as i64;
        if !passes || into.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    for end in [from, into] {
        let _ = end.shutdown(Shutdown::Both);
    }
}

/// Writes lists of hosts for `count` processes that reach each other through relays only.
fn hosts_behind_relays(
    test_folder: &TestFolder,
    count: usize,
    delay: Duration,
) -> (Vec<PathBuf>, Vec<Relay>) {
    let hosts = test_folder.hosts(count);
    let relays: Vec<Relay> = hosts.iter().map(|host| Relay::new(host, delay)).collect();
    let list = |process: usize| {
        let known = (0..count).map(|other| {
            if other == process {
                hosts[other].clone()
            } else {
                relays[other].address.clone()
            }
        });
        let file = test_folder.at(&format!("hosts.{process}"));
        fs::write(&file, known.collect::<Vec<_>>().join("\n")).unwrap();
        file
    };
    let lists = (0..count).map(list).collect();
    (lists, relays)
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns all files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// Writes a graph with cycles, in two files. Returns its folder.
fn graph(test_folder: &TestFolder) -> String {
    let (mut seed, folder) = (7u64, test_folder.at("graph"));
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // More positions than one request of the writer covers.
        (seed >> 33) % 20_000
    };
    fs::create_dir_all(&folder).unwrap();
    for part in ["a.csv", "b.csv"] {
        let rows: Vec<String> = (0..25_000)
            .map(|_| format!("v{},v{}\n", next(), next()))
            .collect();
        fs::write(folder.join(part), format!("from,to\n{}", rows.concat())).unwrap();
    }
    folder.display().to_string()
}

fn rules(name: &str) -> String {
    format!("{}/../examples/rules/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn workers_and_processes_do_not_change_the_output() {
    let test_folder = TestFolder::new("bytes");
    let (graph, squares) = (graph(&test_folder), rules("squares.star"));
    // Every kind of source: graphs, explored positions of one and of both players, ranked games
    // with and without a sieve, and a rule file.
    let games: [&[&str]; 14] = [
        &[&graph],
        &[&graph, "--misere"],
        &["nim(3, 4, 5)"],
        &["kayles(6) + nim(2)"],
        &["domineering(board(3, 3))"],
        &["toads_and_frogs('TT.FF')"],
        &["k_in_a_row([\"X..\", \".O.\", \"...\"], 3)"],
        &["nim(3, 4, 5)", "--ranked"],
        &["nim(3, 4, 5)", "--ranked", "--values"],
        &[
            "nim(60, 50, 40)",
            "--ranked",
            "--misere",
            "--max-positions",
            "1000",
        ],
        &["chomp(5, 4, 4)", "--ranked"],
        &["domineering(board(4, 3))", "--ranked"],
        &["cram(board(3, 3))", "--ranked", "--misere"],
        &["--rules", &squares, "game(moves, 30)"],
    ];
    for (number, game) in games.into_iter().enumerate() {
        let one = grundy()
            .args(game)
            .arg("--output")
            .arg(test_folder.at(&format!("one{number}.csv")))
            .arg("--tablebase")
            .arg(test_folder.at(&format!("one{number}")))
            .output()
            .unwrap();
        assert!(one.status.success(), "{game:?}: {}", stderr_of(&one));
        let threads = grundy()
            .args(game)
            .args(["--workers", "3", "--output"])
            .arg(test_folder.at(&format!("threads{number}.csv")))
            .arg("--tablebase")
            .arg(test_folder.at(&format!("threads{number}")))
            .output()
            .unwrap();
        assert!(
            threads.status.success(),
            "{game:?}: {}",
            stderr_of(&threads)
        );
        let count = if number < 3 { 4 } else { 2 };
        test_folder.hosts(count);
        let table = format!("many{number}");
        let secret = test_folder.at("secret");
        let many: Vec<Child> = (0..count)
            .map(|index| process(&test_folder, index, game, &secret, &table))
            .collect();
        for child in many {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{game:?}: {}", stderr_of(&output));
        }
        for kind in ["threads", "many"] {
            let read = |name: String| fs::read(test_folder.at(&name)).unwrap();
            let [whole, other] = ["one", kind].map(|kind| read(format!("{kind}{number}.csv")));
            assert!(whole == other, "{game:?} as CSV by {kind}");
            let [whole, other] =
                ["one", kind].map(|kind| files(&test_folder.at(&format!("{kind}{number}"))));
            assert!(whole == other, "{game:?} as a tablebase by {kind}");
        }
    }
}

#[test]
fn a_lost_process_is_one_error_and_publishes_nothing() {
    let test_folder = TestFolder::new("lost");
    test_folder.hosts(3);
    let secret = test_folder.at("secret");
    let game: &[&str] = &["k_in_a_row([\"....\", \"....\", \"....\", \"....\"], 4)"];
    let mut all: Vec<Child> = (0..3)
        .map(|index| process(&test_folder, index, game, &secret, "table"))
        .collect();
    // Long enough for all to be labelling, and far less than the whole game takes.
    std::thread::sleep(Duration::from_secs(3));
    all[1].kill().unwrap();
    for (index, child) in all.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        if index != 1 {
            assert_eq!(output.status.code(), Some(4), "{}", stderr_of(&output));
            assert!(
                stderr_of(&output).starts_with("error: the connection to process 1 was lost"),
                "{}",
                stderr_of(&output)
            );
        }
    }
    assert!(!test_folder.at("table").exists() && !test_folder.at("table.csv").exists());
}

#[test]
fn a_wrong_secret_and_other_rules_are_refused() {
    let test_folder = TestFolder::new("refused");
    test_folder.hosts(2);
    fs::write(test_folder.at("other"), "another secret of a thief").unwrap();
    let nim: &[&str] = &["nim(3, 4)"];
    let pairs = [
        (nim, "other", "does not know the secret"),
        (
            &["nim(3, 5)"],
            "secret",
            "was started with a different source",
        ),
    ];
    for (game, secret, why) in pairs {
        let first = process(&test_folder, 0, nim, &test_folder.at("secret"), "table");
        let second = process(&test_folder, 1, game, &test_folder.at(secret), "table");
        let outputs = [first, second].map(|child| child.wait_with_output().unwrap());
        assert!(outputs.iter().all(|output| output.status.code() == Some(2)));
        let told: Vec<String> = outputs.iter().map(stderr_of).collect();
        assert!(told.iter().any(|told| told.contains(why)), "{told:?}");
        assert!(
            told.iter().all(|told| told.matches("error: ").count() == 1),
            "{told:?}"
        );
    }
    assert!(!test_folder.at("table").exists());
}

/// Checks that two waiting processes end at once if a third is killed or rejected. They do not wait
/// for a fourth that never starts.
#[test]
fn a_process_lost_while_connecting_ends_the_others_at_once() {
    let test_folder = TestFolder::new("meeting");
    fs::write(test_folder.at("other"), "another secret of a thief").unwrap();
    let nim: &[&str] = &["nim(3, 4)"];
    let start =
        |index, game, secret| process(&test_folder, index, game, &test_folder.at(secret), "table");
    for (game, secret) in [
        (nim, "secret"),
        (nim, "other"),
        (&["nim(3, 5)"][..], "secret"),
    ] {
        let refused = game != nim || secret == "other";
        test_folder.hosts(4);
        let waiting = [start(0, nim, "secret"), start(1, nim, "secret")];
        // Both processes are connected by now.
        thread::sleep(Duration::from_secs(2));
        let mut third = start(2, game, secret);
        let begun = Instant::now();
        if !refused {
            thread::sleep(Duration::from_secs(2));
            third.kill().unwrap();
        }
        let third = third.wait_with_output().unwrap();
        assert!(
            !refused || third.status.code() == Some(2),
            "{}",
            stderr_of(&third)
        );
        let outputs = waiting.map(|child| child.wait_with_output().unwrap());
        assert!(begun.elapsed() < Duration::from_secs(20));
        for output in outputs {
            // The process that finds the mismatch reports it; the others report a lost process.
            let code = output.status.code();
            assert!(
                code == Some(4) || refused && code == Some(2),
                "{}",
                stderr_of(&output)
            );
            assert_eq!(
                stderr_of(&output).matches("error: ").count(),
                1,
                "{}",
                stderr_of(&output)
            );
        }
    }
    assert!(!test_folder.at("table").exists());
}

#[test]
fn a_slow_network_keeps_the_output_and_a_cut_one_resumes() {
    let test_folder = TestFolder::new("relay");
    let graph = graph(&test_folder);
    let game: &[&str] = &[&graph];
    let whole = grundy()
        .args(game)
        .arg("--output")
        .arg(test_folder.at("whole.csv"))
        .output()
        .unwrap();
    assert!(whole.status.success(), "{}", stderr_of(&whole));
    let whole = fs::read(test_folder.at("whole.csv")).unwrap();
    let (hosts, _) = hosts_behind_relays(&test_folder, 3, Duration::from_millis(2));
    let all: Vec<Child> = (0..3)
        .map(|index| start_with_checkpoint(&test_folder, index, game, &hosts[index], "slow"))
        .collect();
    for child in all {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr_of(&output));
    }
    assert!(fs::read(test_folder.at("slow.csv")).unwrap() == whole);
    assert!(!test_folder.at("state/manifest.json").exists());
    // The first cut comes as soon as a checkpoint exists, the others after more data has passed.
    for bytes in [0, 20_000, 100_000] {
        let (hosts, relays) = hosts_behind_relays(&test_folder, 3, Duration::ZERO);
        let all: Vec<Child> = (0..3)
            .map(|index| start_with_checkpoint(&test_folder, index, game, &hosts[index], "cut"))
            .collect();
        while !test_folder.at("state/manifest.json").exists() {
            thread::sleep(Duration::from_millis(1));
        }
        for relay in &relays {
            relay.left.store(bytes, Ordering::SeqCst);
        }
        for child in all {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(4), "{}", stderr_of(&output));
            let errors = stderr_of(&output).matches("error: ").count();
            assert_eq!(errors, 1, "{}", stderr_of(&output));
        }
        assert!(!test_folder.at("cut.csv").exists());
    }
    assert!(test_folder.at("state/manifest.json").exists());
    test_folder.hosts(2);
    let all: Vec<Child> = (0..2)
        .map(|index| {
            start_with_checkpoint(&test_folder, index, game, &test_folder.at("hosts"), "cut")
        })
        .collect();
    for child in all {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr_of(&output));
        assert!(!stderr_of(&output).contains("no checkpoint yet"));
    }
    assert!(fs::read(test_folder.at("cut.csv")).unwrap() == whole);
}

#[test]
fn a_host_list_in_another_order_is_rejected() {
    let test_folder = TestFolder::new("order");
    let hosts = test_folder.hosts(3);
    let other = [&*hosts[1], &*hosts[0], &*hosts[2]].join("\n");
    fs::write(test_folder.at("other"), other).unwrap();
    let lists = [
        test_folder.at("hosts"),
        test_folder.at("hosts"),
        test_folder.at("other"),
    ];
    let all: Vec<Child> = (0..3)
        .map(|index| {
            // The other two are connected when the third starts.
            thread::sleep(Duration::from_secs(index as u64));
            start_with_checkpoint(&test_folder, index, &["nim(3, 4)"], &lists[index], "table")
        })
        .collect();
    let begun = Instant::now();
    let outputs = all
        .into_iter()
        .map(|child| child.wait_with_output().unwrap());
    let [first, second, output] = <[Output; 3]>::try_from(outputs.collect::<Vec<_>>()).unwrap();
    // The processes that were connected to it notice the loss at once.
    for missing in [first, second] {
        assert_eq!(missing.status.code(), Some(4), "{}", stderr_of(&missing));
    }
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(2));
    let why = "was started with a different list of hosts";
    assert!(stderr_of(&output).contains(why), "{}", stderr_of(&output));
}

#[test]
fn an_unwritable_checkpoint_is_reported_once_and_not_fatal() {
    let test_folder = TestFolder::new("full");
    let graph = graph(&test_folder);
    let whole = grundy()
        .arg(&graph)
        .arg("--output")
        .arg(test_folder.at("whole.csv"))
        .output()
        .unwrap();
    assert!(whole.status.success(), "{}", stderr_of(&whole));
    let whole = fs::read_to_string(test_folder.at("whole.csv")).unwrap();
    // Simulates a full disk: no file may grow beyond this size, but the answer goes to a pipe.
    let label = |limit: &str| {
        let limited = format!("{limit} exec \"$@\"");
        Command::new("sh")
            .args(["-c", &limited, "sh", executable(), "label"])
            .arg(&graph)
            .args(["--workers", "2", "--every", "0", "--checkpoint"])
            .arg(test_folder.at("state"))
            .output()
            .unwrap()
    };
    let output = label("trap '' XFSZ; ulimit -f 2;");
    assert_eq!(output.status.code(), Some(0), "{}", stderr_of(&output));
    assert!(String::from_utf8_lossy(&output.stdout) == whole);
    let said = stderr_of(&output);
    let warning = "continuing without a new checkpoint";
    assert_eq!(
        (said.matches(warning).count(), said.lines().count()),
        (1, 1),
        "{said}"
    );
    // The failed checkpoint leaves no parts behind.
    let left = fs::read_dir(test_folder.at("state/parts")).unwrap().count();
    assert!(left == 0 && !test_folder.at("state/manifest.json").exists());
    // A location that is invalid from the start is an error at once.
    fs::remove_dir_all(test_folder.at("state")).unwrap();
    fs::create_dir(test_folder.at("state")).unwrap();
    fs::write(test_folder.at("state/parts"), "no folder").unwrap();
    let refused = label("");
    assert_eq!(refused.status.code(), Some(2), "{}", stderr_of(&refused));
    assert_eq!(stderr_of(&refused).matches("error: ").count(), 1);
    assert!(refused.stdout.is_empty());
}

/// Checks that too many workers are rejected before any thread is started.
#[test]
fn too_many_workers_are_rejected_before_any_thread_starts() {
    let test_folder = TestFolder::new("many");
    let graph = graph(&test_folder);
    for more in [&["--plan"][..], &[]] {
        let output = grundy()
            .arg(&graph)
            .args(["--workers", "70000"])
            .args(more)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr_of(&output));
        assert!(
            stderr_of(&output).contains("70000 workers are too many"),
            "{}",
            stderr_of(&output)
        );
    }
}

#[test]
fn checkpoints_of_other_rules_or_at_bad_locations_are_rejected() {
    let test_folder = TestFolder::new("places");
    fs::write(
        test_folder.at("a.star"),
        "def moves(n):\n    return [n - 1] if n else []\n",
    )
    .unwrap();
    fs::write(
        test_folder.at("b.star"),
        "def moves(n):\n    return [n - 2] if n > 1 else []\n",
    )
    .unwrap();
    let by = |rules: &str, place: &str| {
        let mut command = grundy();
        command
            .args(["game(moves, 100000)", "--workers", "2", "--every", "0"])
            .arg("--rules")
            .arg(test_folder.at(rules))
            .args(["--checkpoint", place]);
        command
    };
    let label = |rules: &str, place: &str| by(rules, place).arg("--resume").output().unwrap();
    let place = test_folder.at("state").display().to_string();
    let mut first = by("a.star", &place).spawn().unwrap();
    while !test_folder.at("state/manifest.json").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let other = label("b.star", &place);
    assert_eq!(other.status.code(), Some(2), "{}", stderr_of(&other));
    assert!(
        stderr_of(&other).contains("a different rule file"),
        "{}",
        stderr_of(&other)
    );
    let nowhere = label("a.star", "ftp://somewhere/state");
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(
        stderr_of(&nowhere).contains("without support for checkpoints at"),
        "{}",
        stderr_of(&nowhere)
    );
}

/// Returns the number after a key in JSON, or after a name in metrics.
fn number(text: &str, name: &str) -> f64 {
    let at = text
        .rfind(name)
        .unwrap_or_else(|| panic!("{name} in {text}"));
    let rest = text[at + name.len()..].trim_start_matches(['"', ':', ' ']);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().unwrap()
}

/// Compares a plan with the measurements of a run.
#[test]
fn a_plan_agrees_with_the_measured_run() {
    let test_folder = TestFolder::new("plan");
    let (graph, squares) = (graph(&test_folder), rules("squares.star"));
    let large = test_folder.at("large.csv").display().to_string();
    let mut seed = 5u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % 200_000
    };
    // More moves than a sample has.
    let rows: Vec<String> = (0..400_000)
        .map(|_| format!("v{},v{}\n", next(), next()))
        .collect();
    fs::write(&large, format!("from,to\n{}", rows.concat())).unwrap();
    let cyclic = test_folder.at("cyclic.star").display().to_string();
    let text = "def moves(n):\n    return [(n + 7) % 5000, (n * 3) % 5000] if n % 11 else []\n\
        def rank(n):\n    return n\ndef unrank(i):\n    return i\ndef size():\n    return 5000\n";
    fs::write(&cyclic, text).unwrap();
    // The game, the largest accepted ratio to the measurement, and the number of workers. Small
    // games are labelled completely by the plan, so their ratio is near 1.
    let games: [(&[&str], f64, &str); 7] = [
        (&[&graph], 1.1, "3"),
        (&[&large], 1.3, "2"),
        (&["nim(12, 9, 20)"], 1.1, "2"),
        (&["--rules", &squares, "game(moves, 30)"], 1.1, "2"),
        (&["nim(63, 63, 63)", "--ranked"], 1.3, "4"),
        (&["nim(30, 30, 30)", "--ranked", "--values"], 1.3, "2"),
        (
            &["--rules", &cyclic, "game(moves, 4999)", "--ranked"],
            1.3,
            "2",
        ),
    ];
    for (game, most, workers) in games {
        let run = |more: &[&str]| {
            let output = grundy()
                .args(game)
                .args(["--workers", workers])
                .args(more)
                .output();
            let output = output.unwrap();
            assert!(output.status.success(), "{game:?}: {}", stderr_of(&output));
            String::from_utf8(output.stdout).unwrap()
        };
        let plan = run(&["--plan", "--json"]);
        let metrics = test_folder.at("metrics").display().to_string();
        let table = run(&["--metrics", &metrics]);
        let metrics = fs::read_to_string(&metrics).unwrap();
        let workers: f64 = workers.parse().unwrap();
        let pairs = [
            ("positions", (table.lines().count() - 1) as f64),
            ("sent", number(&metrics, "sent_bytes_total ")),
            ("memory", workers * number(&metrics, "held_bytes ")),
            ("rounds", number(&metrics, "rounds_total ")),
        ];
        for (name, measured) in pairs {
            let planned = number(&plan, &format!("\"{name}\""));
            let ratio = (planned / measured).max(measured / planned);
            // The metrics do not include the last rounds.
            let near = (planned - measured).abs() <= if name == "rounds" { 4.0 } else { 1000.0 };
            assert!(
                near || ratio <= most,
                "{game:?}: {name} {planned}, and {measured} in the run"
            );
        }
    }
    fs::write(test_folder.at("four"), "a:1\nb:1\nc:1\nd:1\n").unwrap();
    let output = grundy()
        .args(["nim(3, 4)", "--hosts"])
        .arg(test_folder.at("four"))
        .arg("--plan")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("4 processes with 1 workers"), "{said}");
}
