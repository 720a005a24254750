//! Labelling by several workers and processes: the bytes of one, and one clear error where a process is lost.
#![cfg(feature = "cluster")]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for a test.
struct Room(PathBuf);

impl Room {
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

    /// A file of so many free addresses, and a secret.
    fn hosts(&self, count: usize) -> Vec<String> {
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

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn grundy() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .arg("label");
    command
}

/// One process of several.
fn process(room: &Room, index: usize, game: &[&str], secret: &Path, table: &str) -> Child {
    grundy()
        .args(game)
        .arg("--hosts")
        .arg(room.at("hosts"))
        .args(["--process", &index.to_string()])
        .arg("--secret-file")
        .arg(secret)
        .arg("--output")
        .arg(room.at(&format!("{table}.csv")))
        .arg("--tablebase")
        .arg(room.at(table))
        .spawn()
        .unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All files of a folder, by name.
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

/// A graph with cycles, in two parts.
fn graph(room: &Room) -> String {
    let (mut seed, folder) = (7u64, room.at("graph"));
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % 2_000
    };
    fs::create_dir_all(&folder).unwrap();
    for part in ["a.csv", "b.csv"] {
        let rows: Vec<String> = (0..2_500)
            .map(|_| format!("v{},v{}\n", next(), next()))
            .collect();
        fs::write(folder.join(part), format!("from,to\n{}", rows.concat())).unwrap();
    }
    folder.display().to_string()
}

fn rules(name: &str) -> String {
    format!("{}/../../examples/rules/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn several_workers_and_processes_write_the_bytes_of_one() {
    let room = Room::new("bytes");
    let (graph, squares) = (graph(&room), rules("squares.star"));
    let games: [&[&str]; 9] = [
        &[&graph],
        &[&graph, "--misere"],
        &["nim(3, 4, 5)"],
        &["kayles(6) + nim(2)"],
        &["domineering(board(3, 3))"],
        &["toads_and_frogs('TT.FF')"],
        &["k_in_a_row([\"X..\", \".O.\", \"...\"], 3)"],
        &["nim(3, 4, 5)", "--ranked"],
        &["--rules", &squares, "game(moves, 30)"],
    ];
    for (number, game) in games.into_iter().enumerate() {
        let one = grundy()
            .args(game)
            .arg("--output")
            .arg(room.at(&format!("one{number}.csv")))
            .arg("--tablebase")
            .arg(room.at(&format!("one{number}")))
            .output()
            .unwrap();
        assert!(one.status.success(), "{game:?}: {}", told(&one));
        let threads = grundy()
            .args(game)
            .args(["--workers", "3", "--output"])
            .arg(room.at(&format!("threads{number}.csv")))
            .arg("--tablebase")
            .arg(room.at(&format!("threads{number}")))
            .output()
            .unwrap();
        assert!(threads.status.success(), "{game:?}: {}", told(&threads));
        let count = if number < 3 { 4 } else { 2 };
        room.hosts(count);
        let table = format!("many{number}");
        let secret = room.at("secret");
        let many: Vec<Child> = (0..count)
            .map(|index| process(&room, index, game, &secret, &table))
            .collect();
        for child in many {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{game:?}: {}", told(&output));
        }
        for kind in ["threads", "many"] {
            let read = |name: String| fs::read(room.at(&name)).unwrap();
            let [whole, other] = ["one", kind].map(|kind| read(format!("{kind}{number}.csv")));
            assert!(whole == other, "{game:?} as CSV by {kind}");
            let [whole, other] =
                ["one", kind].map(|kind| files(&room.at(&format!("{kind}{number}"))));
            assert!(whole == other, "{game:?} as a tablebase by {kind}");
        }
    }
}

#[test]
fn a_process_that_is_lost_is_one_error_and_nothing_is_published() {
    let room = Room::new("lost");
    room.hosts(3);
    let secret = room.at("secret");
    let game: &[&str] = &["k_in_a_row([\"....\", \"....\", \"....\", \"....\"], 4)"];
    let mut all: Vec<Child> = (0..3)
        .map(|index| process(&room, index, game, &secret, "table"))
        .collect();
    std::thread::sleep(Duration::from_secs(3));
    all[1].kill().unwrap();
    for (index, child) in all.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        if index != 1 {
            assert_eq!(output.status.code(), Some(4), "{}", told(&output));
            assert!(
                told(&output).starts_with("error: process 1 was lost"),
                "{}",
                told(&output)
            );
        }
    }
    assert!(!room.at("table").exists() && !room.at("table.csv").exists());
}

#[test]
fn a_wrong_secret_and_other_rules_are_refused() {
    let room = Room::new("refused");
    room.hosts(2);
    fs::write(room.at("other"), "another secret of a thief").unwrap();
    let nim: &[&str] = &["nim(3, 4)"];
    let pairs = [
        (nim, "other", "does not know the secret"),
        (&["nim(3, 5)"], "secret", "was started with another source"),
    ];
    for (game, secret, why) in pairs {
        let first = process(&room, 0, nim, &room.at("secret"), "table");
        let second = process(&room, 1, game, &room.at(secret), "table");
        let outputs = [first, second].map(|child| child.wait_with_output().unwrap());
        assert!(outputs.iter().all(|output| output.status.code() == Some(2)));
        let told: Vec<String> = outputs.iter().map(told).collect();
        assert!(told.iter().any(|told| told.contains(why)), "{told:?}");
        assert!(
            told.iter().all(|told| told.matches("error: ").count() == 1),
            "{told:?}"
        );
    }
    assert!(!room.at("table").exists());
}
