//! Time, memory and output of every game and every position question, under small limits and at
//! four sizes. An answer may use at most twice each limit, plus a fixed allowance of time and of
//! memory.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use grundy_core::registry::CONSTRUCTORS;
use serde_json::{Map, Value, json};

use crate::program::command;

/// The sizes of positions: the size of a heap, the length of a row, or the number of squares or
/// edges.
const SIZES: [usize; 4] = [5, 30, 200, 2_000];

const SECONDS: f64 = 0.2;
const MEMORY: u64 = 24 << 20;
const OUTPUT: u64 = 64 << 10;

/// Additional time in seconds for an answer. Reading the question and writing the answer are not
/// interrupted, and the check for ever-growing positions takes a quarter of a second.
const MORE_SECONDS: f64 = 0.4;

/// Additional memory in bytes, for small allocations that the estimate omits and for fragmentation
/// of the allocator.
const MORE_MEMORY: u64 = 12 << 20;

/// Time after which the test stops waiting for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// The name of each question, and a JSON object with the keys that the question needs in addition
/// to the position.
const QUESTIONS: [(&str, &str); 15] = [
    ("solve", "{}"),
    ("solve", r#"{"play": "misere", "remoteness": true}"#),
    ("explain", r#"{"proof": true}"#),
    ("value", "{}"),
    (
        "value",
        r#"{"of": ["incentives", "thermograph", "reduced", "birthday"]}"#,
    ),
    ("label", r#"{"best_move": true}"#),
    ("tree", "{}"),
    ("draw", "{}"),
    ("draw", r#"{"graph": true, "form": "dot"}"#),
    (
        "compare",
        r#"{"with": "literal(\"{1|-1}\")", "explain": true}"#,
    ),
    ("quotient", "{}"),
    ("board", "{}"),
    ("analyse", "{}"),
    ("reply", r#"{"level": 10}"#),
    ("hint", "{}"),
];

/// Returns a row of `length` letters that repeats a pattern.
fn row(pattern: &str, length: usize) -> String {
    pattern.chars().cycle().take(length).collect()
}

/// Returns a square board in the notation, with about `squares` squares. Each row repeats the
/// pattern, and starts one letter later in it than the row above.
fn board(pattern: &str, squares: usize) -> String {
    let width = squares.isqrt().max(1);
    let letters: Vec<char> = pattern.chars().collect();
    let rows = (0..width).map(|y| {
        let row = (0..width).map(|x| letters[(x + y) % letters.len()]);
        format!("\"{}\"", row.collect::<String>())
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}

/// Returns the edges of a ladder, which is a graph with many cycles, in the notation. The edges get
/// the suffixes `behind` in turn.
fn ladder(edges: usize, behind: &[&str]) -> String {
    let steps = (0..edges.div_ceil(3)).flat_map(|k| {
        let k = 2 * k;
        [(k, k + 1), (k, k + 2), (k + 1, k + 3)]
    });
    let edges = steps.zip(behind.iter().cycle());
    let edges = edges.map(|((a, b), behind)| format!("{a}-{b}{behind}"));
    edges.collect::<Vec<_>>().join(" ")
}

fn numbers(count: usize, step: usize) -> String {
    let numbers = (1..=count).map(|k| (k * step).to_string());
    numbers.collect::<Vec<_>>().join(", ")
}

/// Returns a graph in the notation, given by the successors of each node.
fn moves(nodes: usize, to: impl Fn(usize) -> Vec<usize>) -> String {
    let entries = (0..nodes).map(|node| {
        let to = to(node).into_iter().filter(|next| *next < nodes);
        let to = to.map(|next| format!("\"p{next}\"")).collect::<Vec<_>>();
        format!("\"p{node}\": [{}]", to.join(", "))
    });
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

/// Returns a position of the game with this name, of about this size.
fn sized(name: &str, n: usize) -> Option<String> {
    // The largest heaps have n² chips, 4 000 000 at the largest size.
    let heaps = numbers(n.min(50), n);
    let squared = n * n;
    let arguments = match name {
        "nim" | "at_least_half" | "at_most_half" | "laskers_nim" => heaps,
        "at_most" => format!("2, 7, {heaps}"),
        "nim_except" => {
            let pairs = (1..=n).map(|k| format!("[{}, {k}]", n.min(2 * k)));
            format!("[{}], {squared}, {n}", pairs.collect::<Vec<_>>().join(", "))
        }
        "kayles" | "dawsons_chess" | "dawsons_kayles" | "treblecross" | "officers"
        | "grundys_game" => format!("{squared}, {n}"),
        "subtraction" => format!("[{}], {squared}", numbers(n, 3)),
        "all_but" => format!("[{}], {squared}", numbers(n, 2)),
        "take_and_break" => format!("\"0.{}\", {squared}", row("1370", n.min(64))),
        "fibonacci_nim" => format!("{squared}"),
        "nimble" | "strip_coins" | "turning_turtles" | "mock_turtles" | "ruler" | "twins" => {
            numbers(n, 2)
        }
        "staircase_nim" => numbers(n, 1),
        "northcott" => {
            let rows = (0..n).map(|k| format!("[{}, {}]", k % 3, 4 + k % 3));
            format!("9, [{}]", rows.collect::<Vec<_>>().join(", "))
        }
        "rook" | "queen" | "king" | "knight" | "wythoff" | "euclid" | "cutcake" => {
            format!("{squared}, {}", squared + n)
        }
        "maundy_cake" => format!("{squared}, {}", 12 * n),
        "moore_nim" => format!("2, {heaps}"),
        "chomp" => (0..n)
            .map(|k| (2 * n - k).to_string())
            .collect::<Vec<_>>()
            .join(", "),
        "hackenbush" => format!("\"{}\"", ladder(n, &[":b", ":r", ":g"])),
        "graph" => {
            let to = |node: usize| vec![node + 1, node + 2, node.saturating_sub(3), node * 7 % n];
            format!("{}, \"p0\"", moves(n, to))
        }
        "tree" => format!(
            "{}, \"p0\", {{}}",
            moves(n, |node| vec![2 * node + 1, 2 * node + 2])
        ),
        "cram" | "domineering" | "nogo" => board(".", n),
        "node_kayles" | "arc_kayles" => format!("\"{}\"", ladder(n, &[""])),
        "geography" => format!("\"{}\", 0", ladder(n, &[""])),
        "kayles_row" => format!("\"{}\"", row("1101111", n)),
        "treblecross_row" => format!("\"{}\"", row(".", n)),
        "toads_and_frogs" => format!("\"{}{}{}\"", row("T", n / 2), "..", row("F", n / 2)),
        "impartial" => format!("domineering({})", board(".", n)),
        "ordinal_sum" => format!("hackenbush(\"{}\"), nim({n})", ladder(n, &[":b", ":r"])),
        // Nested switches double the expanded text at each level: exponential without sharing.
        "literal" => format!("\"{}1{}\"", "+-(".repeat(n), ")".repeat(n)),
        "toppling_dominoes" => format!("\"{}\"", row("LREL", n)),
        "elephants" => format!("\"{}\"", row("E..R.", n)),
        "push" => format!("\"{}\"", row("..RL.L", n)),
        "ski_jumps" => board("L..R.", n),
        "clobber" | "cannibal_clobber" => board("xo", n),
        "fission" => board("x...", n),
        "konane" => board("xoxoxo.xo", n),
        "amazons" => board("x....o...", n),
        "partizan_subtraction" => format!("[1, 4], [2, 3], {squared}, {n}"),
        "col" | "snort" => {
            let ladder = ladder(n, &[""]);
            let vertices = 2 * n.div_ceil(3) + 2;
            format!("\"{ladder}\", \"{}\"", row(".", vertices))
        }
        "k_in_a_row" => format!("{}, 3", board(".", n)),
        "calendar" => format!("{}, 1, 1", 2000usize.saturating_sub(n)),
        "tic_toe" | "tic_tac_toe" => String::new(),
        _ => return None,
    };
    Some(format!("{name}({arguments})"))
}

/// A worker process that answers questions.
struct Worker {
    child: Child,
    to: ChildStdin,
    replies: Receiver<Reply>,
    thread: u64,
    /// Memory in use after the start, in bytes.
    base: u64,
}

/// A header line from the worker, and the length of the answer that follows.
type Reply = (Value, usize);

/// The resources that an answer consumed.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    seconds: f64,
    memory: u64,
    output: u64,
}

impl Worker {
    fn start() -> Self {
        let mut child = command(&["serve", "--worker"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = child.stdout.take().unwrap();
        let (sender, replies) = channel();
        thread::spawn(move || {
            forward_replies(BufReader::new(from), &|reply| sender.send(reply).is_ok());
        });
        let (ready, _) = replies.recv().unwrap();
        let mut worker = Self {
            child,
            to,
            replies,
            thread: ready["ready"].as_u64().unwrap(),
            base: 0,
        };
        worker.base = worker.peak();
        worker
    }

    /// Returns the peak resident memory since the last question, in bytes.
    fn peak(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|peak| peak.trim().split(' ').next()?.parse::<u64>().ok());
        kilobytes.unwrap_or_default() << 10
    }

    /// Returns the CPU time of the answering thread, in seconds.
    // CPU time instead of wall-clock time, so that other processes on the machine do not count.
    fn cpu_seconds(&self) -> f64 {
        let path = format!("/proc/{}/schedstat", self.thread);
        let statistics = std::fs::read_to_string(path).unwrap_or_default();
        let nanoseconds = statistics
            .split(' ')
            .next()
            .and_then(|first| first.parse::<u64>().ok());
        nanoseconds.unwrap_or_default() as f64 / 1e9
    }

    /// Asks a question and returns its cost, or the reason that there is no answer.
    fn ask(&mut self, name: &str, keys: &str) -> Result<Cost, &'static str> {
        // Writing 5 resets the peak of the resident memory (VmHWM) of the process.
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").unwrap();
        let before = self.cpu_seconds();
        let limits = json!({
            // The number of positions is unlimited, so that the limits under test are the ones
            // reached.
            "seconds": SECONDS, "positions": 1u64 << 40, "memory": MEMORY, "output": OUTPUT,
        });
        let request = json!({"ask": {
            "name": name, "length": keys.len(), "limits": limits, "told": false,
        }});
        let sent = write!(self.to, "{request}\n{keys}").and_then(|()| self.to.flush());
        sent.map_err(|_| "the process has ended")?;
        let (line, length) = match self.replies.recv_timeout(ANSWER_TIMEOUT) {
            Ok(reply) => reply,
            Err(RecvTimeoutError::Disconnected) => return Err("the process has ended"),
            Err(RecvTimeoutError::Timeout) => return Err("there is no answer"),
        };
        if line["ended"][0] == "defect" {
            return Err("the process has a defect");
        }
        Ok(Cost {
            seconds: self.cpu_seconds() - before,
            memory: self.peak().saturating_sub(self.base),
            output: length as u64,
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Forwards the header lines of a process and discards the answers.
fn forward_replies(mut from: BufReader<ChildStdout>, forward: &dyn Fn(Reply) -> bool) {
    let mut line = String::new();
    while from.read_line(&mut line).is_ok_and(|read| read > 0) {
        let header: Value = serde_json::from_str(&line).unwrap();
        line.clear();
        let length = header["ended"][1].as_u64().unwrap_or_default();
        let mut answer = Vec::new();
        let read = from.by_ref().take(length).read_to_end(&mut answer);
        if read.is_err() || !forward((header, length as usize)) {
            return;
        }
    }
}

/// Returns the questions of `QUESTIONS` for every game. Each is a pair of its name and its keys as
/// JSON text, including the position. `selected` gets the indices of game, question and size.
fn questions(selected: impl Fn(usize, usize, usize) -> bool) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for (size_index, size) in SIZES.into_iter().enumerate() {
        for (game_index, constructor) in CONSTRUCTORS.iter().enumerate() {
            let Some(game) = sized(constructor.name, size) else {
                panic!("add sizes of {} to `sized`", constructor.name);
            };
            for (index, (name, keys)) in QUESTIONS.into_iter().enumerate() {
                if !selected(game_index, index, size_index) {
                    continue;
                }
                let mut keys: Map<String, Value> = serde_json::from_str(keys).unwrap();
                keys.insert("game".to_owned(), game.clone().into());
                all.push((name, Value::Object(keys).to_string()));
            }
        }
    }
    all
}

/// Asks every game every question at one size. The size changes with the game and the question, so
/// every game and every question has all sizes.
#[test]
fn every_game_and_question_stays_within_its_limits() {
    let all = questions(|game, question, size| (game + question) % SIZES.len() == size);
    assert!(all.len() >= 60 * 12);
    assert_within_limits(&all);
}

#[test]
#[ignore = "every game, question and size, 200 seconds"]
fn every_game_and_question_stays_within_its_limits_at_all_sizes() {
    let all = questions(|_, _, _| true);
    assert!(all.len() >= 60 * 12 * SIZES.len());
    assert_within_limits(&all);
}

/// Asks the questions, and fails if an answer exceeds a limit.
fn assert_within_limits(all: &[(&str, String)]) {
    let next = Mutex::new(all.iter());
    let found = Mutex::new(Vec::new());
    let worst = Mutex::new([(0.0, ""); 3].map(|(factor, text)| (factor, String::from(text))));
    let ask_all = || {
        let mut worker = Worker::start();
        loop {
            let Some((name, keys)) = next.lock().unwrap().next() else {
                return;
            };
            let shown: String = keys.chars().take(120).collect();
            let shown = format!("{name} {shown}");
            match worker.ask(name, keys) {
                Ok(cost) => {
                    let factors = [
                        (cost.seconds - MORE_SECONDS) / SECONDS,
                        (cost.memory as f64 - MORE_MEMORY as f64) / MEMORY as f64,
                        cost.output as f64 / OUTPUT as f64,
                    ];
                    for (worst, factor) in worst.lock().unwrap().iter_mut().zip(factors) {
                        if factor > worst.0 {
                            *worst = (factor, shown.clone());
                        }
                    }
                    if factors.iter().any(|factor| *factor > 2.0) {
                        found
                            .lock()
                            .unwrap()
                            .push(format!("{factors:.1?}: {shown}"));
                    }
                    // The allocator may keep freed memory, so start the next question in a fresh
                    // process.
                    if cost.memory > MORE_MEMORY {
                        worker = Worker::start();
                    }
                }
                Err(why) => {
                    found.lock().unwrap().push(format!("{why}: {shown}"));
                    worker = Worker::start();
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(ask_all);
        }
    });
    println!("{} questions; the worst factors:", all.len());
    for ((factor, shown), limit) in worst
        .lock()
        .unwrap()
        .iter()
        .zip(["time", "memory", "output"])
    {
        println!("  {limit}: {factor:.2}, {shown}");
    }
    let found = found.lock().unwrap();
    assert!(
        found.is_empty(),
        "{} findings:\n{}",
        found.len(),
        found.join("\n")
    );
}
