//! The server, queried over a socket: answers equal to those of the command line, and rejection of
//! unauthorized requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{command, folder, grundy};
use serde_json::{Value, json};

/// A server process, killed when the test ends.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    /// Returns the threads of the worker processes that answer questions. Each is a pair of the
    /// process id and the letter of the thread's state in `/proc`.
    #[cfg(target_os = "linux")]
    fn answering_threads(&self) -> Vec<(u32, char)> {
        let stat = |path: std::path::PathBuf| {
            let text = std::fs::read_to_string(path.join("stat")).ok()?;
            // The name of a process may contain blanks and parentheses, so the fields start after
            // the last `)`.
            let (_, after) = text.rsplit_once(") ")?;
            let mut fields = after.split(' ');
            let state = fields.next()?.chars().next()?;
            Some((state, fields.next()?.parse::<u32>().ok()?))
        };
        let own = self.child.id();
        let mut threads = Vec::new();
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(number) = process.file_name().to_string_lossy().parse() else {
                continue;
            };
            if stat(process.path()).is_none_or(|(_, parent)| parent != own) {
                continue;
            }
            let tasks = std::fs::read_dir(process.path().join("task"));
            for task in tasks.into_iter().flatten().flatten() {
                let name = std::fs::read_to_string(task.path().join("comm"));
                if name.is_ok_and(|name| name.trim() == "answer") {
                    threads.extend(stat(task.path()).map(|(state, _)| (number, state)));
                }
            }
        }
        threads
    }

    fn new(arguments: &[&str]) -> Self {
        let mut arguments: Vec<&str> = arguments.to_vec();
        arguments.splice(0..0, ["serve", "--port", "0", "--no-open"]);
        let mut child = command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut said = BufReader::new(child.stdout.as_mut().unwrap());
        said.read_line(&mut url).unwrap();
        let host = url.trim().trim_start_matches("http://");
        let host = host.trim_end_matches('/').to_owned();
        Self { child, host }
    }

    /// Sends a request byte for byte and returns the response.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        // A server that rejects a request early may close the connection before it reads all of it.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Answer {
            status: status.unwrap_or_default(),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = if headers.to_lowercase().contains("host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.host)
        };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(request.as_bytes())
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    fn ask(&self, question: &str, body: &str) -> Answer {
        let path = format!("/api/v1/{question}");
        self.send("POST", &path, "Content-Type: application/json\r\n", body)
    }

    /// Returns the answer to a question that must succeed.
    fn answer(&self, question: &str, asked: &Value) -> Value {
        let answer = self.ask(question, &asked.to_string());
        assert_eq!(answer.status, 200, "{asked}: {}", answer.body);
        answer.json()
    }

    /// Returns the kind of the error for a question that must fail.
    fn error(&self, question: &str, asked: &Value) -> String {
        let answer = self.ask(question, &asked.to_string());
        assert_eq!(answer.status, 400, "{asked}: {}", answer.body);
        answer.json()["error"]["kind"].as_str().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

// The golden files and the server must give the same bytes for the same question.
#[test]
fn golden_questions_have_golden_answers() {
    let server = Server::new(&[]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut asked = 0;
    for file in ["solve", "rules", "wrong"] {
        let golden = root.join(format!("testdata/golden/{file}.txt"));
        let golden = std::fs::read_to_string(golden).unwrap();
        let mut lines = golden.lines();
        let mut options = json!({});
        while let Some(line) = lines.next() {
            if let Some(arguments) = line.strip_prefix("! ") {
                let arguments: Vec<String> = serde_json::from_str(arguments).unwrap();
                options = batch_options(&arguments, &root);
            }
            let Some(question) = line.strip_prefix("? ") else {
                continue;
            };
            let expected = lines.next().unwrap().trim();
            let mut body = options.clone();
            match serde_json::from_str(question) {
                Ok(Value::Object(keys)) => body.as_object_mut().unwrap().extend(keys),
                // A malformed object is an expression to the command line, but not a question here.
                _ if question.starts_with('{') => continue,
                _ => body["game"] = question.into(),
            }
            let answer = server.ask("solve", &body.to_string());
            let wrong = expected.contains("\"error\":");
            if wrong {
                // The command line adds the line of the batch to the message, so compare only the
                // kinds.
                let expected: Value = serde_json::from_str(expected).unwrap();
                let kind = &answer.json()["error"]["kind"];
                assert_eq!(*kind, expected["error"]["kind"], "{question}");
            } else if expected.contains("\"stopped\":") {
                // The limits of the server differ, so compare only which limit was reached.
                let expected: Value = serde_json::from_str(expected).unwrap();
                let known = |mut answer: Value| {
                    answer["stopped"] = answer["stopped"]["limit"].take();
                    answer
                };
                assert_eq!(known(answer.json()), known(expected), "{question}");
            } else {
                assert_eq!(answer.body.trim(), expected, "{question}");
            }
            assert_eq!(answer.status, if wrong { 400 } else { 200 }, "{question}");
            asked += 1;
        }
    }
    assert!(asked > 500, "{asked}");
}

/// Returns the JSON keys that correspond to the command-line options of a batch.
fn batch_options(arguments: &[String], root: &Path) -> Value {
    let mut keys = json!({});
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match &argument[..] {
            "--misere" => keys["play"] = "misere".into(),
            "--remoteness" => keys["remoteness"] = true.into(),
            "--genus" => keys["genus"] = true.into(),
            "--rules" => {
                let file = root.join(arguments.next().unwrap());
                keys["rules"] = std::fs::read_to_string(file).unwrap().into();
            }
            "solve" | "--jsonl" | "-" => {}
            other => panic!("a batch with {other} is not asked here"),
        }
    }
    keys
}

// Every question is answered.
#[test]
fn every_question_is_answered() {
    let server = Server::new(&[]);
    let nim = "nim(3, 4)";
    let explained = server.answer("explain", &json!({"game": nim, "pictures": true, "id": 5}));
    assert_eq!(explained["id"], 5);
    assert!(explained["svg"].as_str().unwrap().starts_with("<svg"));
    let steps = explained["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["svg"].is_string()));
    let table = server.answer(
        "table",
        &json!({"game": "kayles(n)", "ranges": ["n=0..5"], "svg": "t.svg"}),
    );
    assert_eq!(table["grundy"], json!([0, 1, 2, 3, 1, 4]));
    assert!(
        table["files"]["t.svg"]
            .as_str()
            .unwrap()
            .starts_with("<svg")
    );
    let mut quotient = json!({"game": "take_and_break('0.75', n)", "certificate": "q.json"});
    let found = server.answer("quotient", &quotient);
    assert_eq!(
        (&found["order"], &found["name"]),
        (&json!(8), &json!("R_8"))
    );
    let proof = json!({"file": "q.json", "files": {"q.json": found["files"]["q.json"]}});
    assert_eq!(server.answer("verify", &proof)["valid"], true);
    // A quotient is about misère play by definition: `misere` is redundant and `normal` is an
    // error.
    quotient["play"] = json!("misere");
    assert_eq!(server.answer("quotient", &quotient), found);
    quotient["play"] = json!("normal");
    assert_eq!(server.error("quotient", &quotient), "type");
    let tree = server.answer("tree", &json!({"game": "tic_toe()", "alpha_beta": true}));
    assert_eq!(tree["value"], "X");
    assert_eq!(
        server.answer("nimber", &json!({"game": "2 * 4"}))["value"],
        8
    );
    let drawn = server.answer("draw", &json!({"game": nim, "form": "tikz", "plain": true}));
    assert!(drawn["plain"].as_str().unwrap().contains("tikzpicture"));
    let labelled =
        json!({"game": "m.csv", "files": {"m.csv": "from,to\na,b\n"}, "output": "o.csv"});
    let labels = server.answer("label", &labelled);
    assert!(
        labels["files"]["o.csv"]
            .as_str()
            .unwrap()
            .contains("a,N,1,1")
    );
    let matrix = json!({"file": "a.csv", "files": {"a.csv": "1,2\n3,0"}, "certificate": "c.json"});
    let matrix = server.answer("matrix", &matrix);
    assert_eq!(matrix["value"], "3/2");
    let verified = json!({"file": "c.json", "files": {"c.json": matrix["files"]["c.json"]}});
    assert_eq!(server.answer("verify", &verified)["valid"], true);
    assert!(server.answer("help", &json!({}))["groups"].is_array());
    assert_eq!(
        server.answer("help", &json!({"game": "nim"}))["name"],
        "nim"
    );
    let sheet = server.answer("exercises", &json!({"game": "nim", "count": 2}));
    assert_eq!(sheet["exercises"].as_array().unwrap().len(), 2);
    let rules = "def moves(n):\n    return [n - k for k in (1, 2) if k <= n]\n";
    let own = server.answer("solve", &json!({"game": "game(moves, 3)", "rules": rules}));
    assert_eq!(own["outcome"], "P");
    assert_eq!(
        server.error("solve", &json!({"game": "game(moves, 3)"})),
        "unknown_name"
    );
}

// The server stores no games: the client sends the moves with each question. Board, moves in words,
// replies, hints and reviews.
#[test]
fn a_game_is_played() {
    let server = Server::new(&[]);
    let game = |moves: &str| json!({"game": "nim(3, 4)", "moves": moves});
    let board = server.answer("board", &game("take 2 from heap 1"));
    assert_eq!(board["position"], "nim(1, 4)");
    assert_eq!(board["saved"], "0 1");
    assert_eq!(
        (&board["mover"], &board["over"]),
        (&json!("second"), &json!(false))
    );
    assert_eq!(board["moves"].as_array().unwrap().len(), 5);
    let over = server.answer("board", &json!({"game": "nim(1)", "moves": "0 0"}));
    assert_eq!(
        (&over["over"], &over["standing"]),
        (&json!(true), &json!("lose"))
    );
    let analysed = server.answer("analyse", &game(""));
    let moves = analysed["moves"].as_array().unwrap();
    let winning = moves.iter().filter(|told| told["for_mover"] == "win");
    let winning: Vec<&Value> = winning.map(|told| &told["to"]).collect();
    assert_eq!(winning, [&json!("nim(3, 3)")]);
    assert!(moves.iter().all(|told| told["leaves"]["grundy"].is_u64()));
    assert_eq!(server.answer("reply", &game(""))["saved"], "1 3");
    let hint = server.answer("hint", &json!({"game": "nim(3, 4)", "stage": 3}));
    assert_eq!(hint["move"]["to"], "nim(3, 3)");
    assert!(hint["steps"].is_array());
    let review = server.answer("review", &game("0 0"));
    assert_eq!(review["strip"].as_array().unwrap().len(), 2);
    assert_eq!(review["mistakes"][0]["turn"], 1);
    // In a partizan game Right may begin.
    let own = json!({"game": "hackenbush(\"0-1:b 0-2:r\")", "begins": "right"});
    let board = server.answer("board", &own);
    assert_eq!(board["mover"], "right");
    assert_eq!(board["moves"].as_array().unwrap().len(), 1);
    let asked = json!({"game": "nim", "ask": "value", "seed": 4});
    let posed = server.answer("practice", &asked);
    let value = server.answer("solve", &json!({"game": posed["position"]}))["grundy"].to_string();
    let said = json!({"game": "nim", "ask": "value", "seed": 4, "answer": value});
    assert_eq!(server.answer("practice", &said)["judged"], "right");
}

// The example of a board in the documentation equals the answer of a server.
#[test]
fn the_documented_board_equals_the_server_answer() {
    let server = Server::new(&[]);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let page = std::fs::read_to_string(file).unwrap();
    let (_, after) = page.split_once("**`board`**").unwrap();
    let example = after.lines().skip_while(|line| !line.starts_with("    {"));
    let example: String = example
        .take_while(|line| line.starts_with("    "))
        .collect();
    let mut told: Value = serde_json::from_str(&example).unwrap();
    let mut board = server.answer("board", &json!({"game": "nim(3, 4)", "moves": "0 1"}));
    board["svg"] = told["svg"].clone();
    // The example shows only the first move.
    let first = board["moves"][0].clone();
    board["moves"] = json!([first]);
    told["moves"].as_array_mut().unwrap().truncate(1);
    assert_eq!(board, told);
}

// Requests with another host or origin, with another content type, or too large are rejected.
#[test]
fn foreign_and_oversized_requests_are_rejected() {
    let server = Server::new(&[]);
    let json_kind = "Content-Type: application/json\r\n";
    let asked = r#"{"game": "nim(3)"}"#;
    let post = |headers: &str| server.send("POST", "/api/v1/solve", headers, asked).status;
    assert_eq!(post(json_kind), 200);
    assert_eq!(
        post(&format!("{json_kind}Origin: http://{}\r\n", server.host)),
        200
    );
    for stranger in [
        // Host and Origin are checked to prevent DNS rebinding and requests from other sites.
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Host: evil.example\r\n",
        "Host: evil.example:80\r\n",
        "Host: 127.0.0.1:1\r\n",
    ] {
        let refused = post(&format!("{json_kind}{stranger}"));
        assert_eq!(refused, 403, "{stranger}");
        let page = server.send("GET", "/", stranger, "").status;
        assert_eq!(page, 403, "{stranger}");
    }
    // With two Origin headers, it is ambiguous which one counts.
    let own = format!("Origin: http://{}\r\n", server.host);
    for second in [&own, "Origin: http://evil.example\r\n"] {
        assert_eq!(post(&format!("{json_kind}{own}{second}")), 403, "{second}");
    }
    // A request target in absolute form overrides the Host header.
    let target = |host: &str| server.get(&format!("http://{host}/api/v1/tables")).status;
    assert_eq!(target(&server.host), 200);
    assert_eq!(target("evil.example"), 403);
    assert_eq!(post("Content-Type: text/plain\r\n"), 415);
    assert_eq!(post(""), 415);
    assert_eq!(server.get("/api/v1/solve").status, 405);
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.get("/../Cargo.toml").status, 404);
    assert_eq!(server.ask("nothing", "{}").status, 404);
    let long = format!(r#"{{"game": "{}"}}"#, "a".repeat(1 << 20));
    assert_eq!(server.ask("solve", &long).status, 413);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(
        page.head
            .contains("content-security-policy: default-src 'none'")
    );
    assert!(page.head.contains("x-content-type-options: nosniff"));
    assert!(!page.head.contains("access-control"));
    assert_eq!(server.get("/healthz").body, "ok\n");
    assert!(
        server
            .get("/metrics")
            .body
            .contains("grundy_answers_total{class=\"2xx\"}")
    );
}

// A question never reads or writes a file on the server, whatever path it names.
#[test]
fn questions_open_no_files() {
    let server = Server::new(&[]);
    let folder = folder("serve_files");
    let file = folder.join("secret.csv");
    std::fs::write(&file, "from,to\nsecret,b\n").unwrap();
    let name = file.to_str().unwrap();
    let graph = format!("graph(\"{name}\", \"secret\")");
    assert_eq!(server.error("solve", &json!({"game": graph})), "io");
    assert_eq!(server.error("label", &json!({"game": name})), "io");
    assert_eq!(server.error("matrix", &json!({"file": name})), "io");
    assert_eq!(server.error("verify", &json!({"file": "/dev/zero"})), "io");
    assert_eq!(server.error("tree", &json!({"game": "/etc/x.efg"})), "io");
    let written = folder.join("written.svg");
    let svg = written.to_str().unwrap();
    let table = json!({"game": "kayles(n)", "ranges": ["n=0..5"], "svg": svg});
    assert!(server.answer("table", &table)["files"][svg].is_string());
    assert!(!written.exists());
    let load = json!({"game": "game(moves, 3)", "rules": "load(\"x\", \"y\")"});
    assert_eq!(server.ask("solve", &load.to_string()).status, 400);
}

// A tablebase is addressed by its name in the configured folder only, and never by a path.
#[test]
fn tablebases_are_queried_by_name() {
    let folder = folder("serve_tables");
    let table = folder.join("tables/chomp");
    std::fs::create_dir_all(folder.join("tables")).unwrap();
    let table = table.to_str().unwrap();
    assert!(
        grundy(&["label", "chomp(4, 4)", "--tablebase", table])
            .status
            .success()
    );
    let tables = folder.join("tables");
    let server = Server::new(&["--tables", tables.to_str().unwrap()]);
    let told = server.answer("probe", &json!({"table": "chomp", "game": "chomp(3, 1)"}));
    assert_eq!(told["outcome"], "N");
    for other in [
        "../tables/chomp",
        table,
        "..",
        "",
        "nothing",
        "chomp/../chomp",
        // A server that fetches addresses for its clients could be used to reach an internal
        // network.
        "http://127.0.0.1:1/chomp",
    ] {
        let asked = json!({"table": other, "game": "chomp(3, 1)"});
        assert_eq!(server.error("probe", &asked), "io", "{other}");
    }
    let none = Server::new(&[]);
    let asked = json!({"table": table, "game": "chomp(3, 1)"});
    assert_eq!(none.error("probe", &asked), "io");
}

// An unusable folder of tablebases is reported at startup, not in the answer to a request.
#[test]
fn an_unusable_folder_of_tables_fails_at_startup() {
    let folder = folder("serve_no_tables");
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    for (tables, told) in [
        (folder.join("missing"), "No such file or directory"),
        (file, "Not a directory"),
    ] {
        let tables = tables.to_str().unwrap();
        let ended = grundy(&["serve", "--port", "0", "--no-open", "--tables", tables]);
        let error = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{error}");
        assert_eq!(error.matches("error: ").count(), 1, "{error}");
        assert!(error.contains(tables) && error.contains(told), "{error}");
        assert!(ended.stdout.is_empty());
    }
}

// Clients that send or read slowly on purpose, or send nothing, lose their connection. Meanwhile
// other clients are served.
#[test]
fn slow_and_idle_connections_are_closed() {
    let server = Server::new(&[]);
    let connect = || {
        let stream = TcpStream::connect(&server.host).unwrap();
        let most = Some(Duration::from_secs(60));
        stream.set_read_timeout(most).unwrap();
        stream
    };
    // Reads until the server closes the connection, and panics at the read timeout.
    let rest = |mut stream: TcpStream| {
        let mut bytes = Vec::new();
        match stream.read_to_end(&mut bytes) {
            Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => {
                panic!("{error}")
            }
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        }
    };
    let head = |path: &str, length: usize| {
        let host = &server.host;
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let begun = Instant::now();
    thread::scope(|scope| {
        for path in ["/api/v1/solve", "/api/v1/jobs"] {
            scope.spawn(move || {
                let mut stream = connect();
                stream.write_all(head(path, 10_000).as_bytes()).unwrap();
                let sending = stream.try_clone().unwrap();
                thread::scope(|scope| {
                    // A trickle of bytes would reset a timeout that only measures idle time.
                    scope.spawn(move || {
                        while begun.elapsed() < Duration::from_secs(60)
                            && (&sending).write_all(b" ").is_ok()
                        {
                            thread::sleep(Duration::from_millis(200));
                        }
                    });
                    let told = rest(stream);
                    assert!(told.starts_with("HTTP/1.1 408"), "{path}: {told}");
                });
            });
        }
        for part in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: "] {
            scope.spawn(move || {
                let mut stream = connect();
                stream.write_all(part.as_bytes()).unwrap();
                let told = rest(stream);
                assert!(!told.contains(" 200 "), "{part:?}: {told}");
            });
        }
        scope.spawn(|| {
            // An idle keep-alive connection is closed after a while, too.
            let mut stream = connect();
            let host = &server.host;
            let asked = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(asked.as_bytes()).unwrap();
            assert!(rest(stream).starts_with("HTTP/1.1 200"));
        });
        scope.spawn(|| {
            // More responses than the socket buffers hold, so that the server blocks on writing.
            const ASKED: usize = 300;
            let mut stream = connect();
            let host = &server.host;
            let asked = format!("GET /app.js HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(asked.repeat(ASKED).as_bytes()).unwrap();
            thread::sleep(Duration::from_secs(25));
            let answers = rest(stream).matches("HTTP/1.1 200").count();
            assert!(answers < ASKED, "{answers}");
        });
        for _ in 0..20 {
            assert_eq!(server.get("/healthz").status, 200);
            thread::sleep(Duration::from_millis(100));
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(55));
}

// Work stops when its client disconnects, whatever bytes followed the question, and when its job is
// cancelled.
#[cfg(target_os = "linux")]
#[test]
fn work_stops_when_its_client_disconnects() {
    let server = Server::new(&[]);
    // Number of answering threads that are not waiting for a question.
    let at_work = || {
        let threads = server.answering_threads();
        threads.iter().filter(|(_, state)| *state != 'S').count()
    };
    let wait = |most: Duration, done: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !done() && begun.elapsed() < most {
            thread::sleep(Duration::from_millis(10));
        }
    };
    let heavy = json!({"game": "nim(n, m)", "ranges": ["n=0..5000", "m=0..5000"]}).to_string();
    let (host, length) = (&server.host, heavy.len());
    // Bytes that follow the question must not keep the server from noticing a disconnect.
    for more in ["", "\r\n", "GET /healthz HTTP/1.1\r\n"] {
        let streams: Vec<TcpStream> = (0..8)
            .map(|_| {
                let mut stream = TcpStream::connect(host).unwrap();
                let head = "POST /api/v1/table HTTP/1.1\r\nContent-Type: application/json\r\n";
                let asked =
                    format!("{head}Host: {host}\r\nContent-Length: {length}\r\n\r\n{heavy}{more}");
                stream.write_all(asked.as_bytes()).unwrap();
                stream
            })
            .collect();
        // Six worker processes compute at the same time; the others are queued.
        wait(Duration::from_secs(10), &|| at_work() == 6);
        thread::sleep(Duration::from_millis(300));
        assert!(at_work() > 0, "{more:?}");
        drop(streams);
        // An answer would take longer than the wait.
        wait(Duration::from_secs(20), &|| at_work() == 0);
        assert_eq!(at_work(), 0, "{more:?}");
    }
    let mut job: Value = serde_json::from_str(&heavy).unwrap();
    job["command"] = "table".into();
    let begun = server.ask("jobs", &job.to_string()).json();
    wait(Duration::from_secs(10), &|| at_work() == 1);
    thread::sleep(Duration::from_millis(300));
    assert_eq!(at_work(), 1);
    let path = format!("/api/v1/jobs/{}", begun["job"].as_str().unwrap());
    assert_eq!(server.send("DELETE", &path, "", "").status, 200);
    wait(Duration::from_secs(20), &|| at_work() == 0);
    assert_eq!(at_work(), 0);
}

// If the worker process of a question dies, that question reports the memory limit. Other questions
// are still answered.
#[cfg(target_os = "linux")]
#[test]
fn the_server_survives_a_dead_worker_process() {
    // The kernel kills a process that exhausts the memory in the same way.
    const MOST: Duration = Duration::from_secs(60);
    let server = Server::new(&[]);
    let heavy = json!({"game": "nim(n, m)", "ranges": ["n=0..5000", "m=0..5000"], "id": 7});
    for command in ["table", "jobs"] {
        let mut asked = heavy.clone();
        if command == "jobs" {
            asked["command"] = "table".into();
        }
        let answer = thread::scope(|scope| {
            let answer = scope.spawn(|| server.ask(command, &asked.to_string()));
            // A process that is busy in two samples is no longer in the quick lane, so it may be
            // killed.
            let mut known = None;
            let begun = Instant::now();
            let process = loop {
                assert!(begun.elapsed() < MOST, "no process is at work");
                thread::sleep(Duration::from_millis(300));
                let threads = server.answering_threads();
                let mut at_work = threads.iter().filter(|(_, state)| *state != 'S');
                let now = at_work.next().map(|(process, _)| *process);
                match now {
                    Some(process) if now == known => break process,
                    _ => known = now,
                }
            };
            let mut kill = Command::new("kill");
            kill.arg("-9").arg(process.to_string());
            assert!(kill.status().unwrap().success());
            answer.join().unwrap()
        });
        let begun = Instant::now();
        let answer = match answer.json()["job"].as_str() {
            None => answer.json(),
            Some(job) => loop {
                assert!(begun.elapsed() < MOST, "the job does not end");
                let stands = server.get(&format!("/api/v1/jobs/{job}")).json();
                if stands["state"] == "done" {
                    break stands["failed"].clone();
                }
                thread::sleep(Duration::from_millis(50));
            },
        };
        assert_eq!(answer["error"]["limit"], "memory", "{command}: {answer}");
        assert_eq!(answer["id"], 7);
        let friendly = server.ask("solve", r#"{"game": "nim(3, 4)"}"#);
        assert_eq!(friendly.json()["outcome"], "N");
    }
}

// Every malformed question gives one error object, and names are escaped in pictures.
#[test]
fn malformed_questions_are_errors() {
    let server = Server::new(&[]);
    for (wrong, kind) in [
        (json!({"game": "nim(3"}), "syntax"),
        (json!({"game": 3}), "type"),
        (json!({}), "syntax"),
        (json!({"game": "nim(3)", "play": "upside down"}), "range"),
        (json!({"game": "nim(3)", "surprise": 1}), "unknown_name"),
        (json!({"game": "nim(3)", "timeout": -1}), "range"),
        (json!({"game": "nim(3)", "files": {"a": 1}}), "type"),
        (json!({"game": "nim(3)", "lang": "xx"}), "range"),
        (
            json!({"game": "game(moves, 1)", "rules": "def moves(n):\n return [n"}),
            "syntax",
        ),
    ] {
        assert_eq!(server.error("solve", &wrong), kind, "{wrong}");
    }
    // A table accepts one or two ranges, and a picture must not be drawn of any other number.
    for ranges in [json!([]), json!(["a=0..1", "b=0..1", "c=0..1"])] {
        let table = json!({"game": "nim(3)", "ranges": ranges, "svg": "-"});
        assert_eq!(server.error("table", &table), "syntax");
    }
    for text in [
        "",
        "[]",
        "7",
        "{",
        "\u{0}",
        "{\"game\":\"\\ud800\"}",
        // Deep nesting would overflow the stack of a recursive parser.
        &"[".repeat(100_000),
        &"{\"a\":".repeat(100_000),
    ] {
        let answer = server.ask("solve", text);
        assert_eq!(answer.status, 400, "{}", &text[..text.len().min(20)]);
        assert_eq!(answer.json()["error"]["kind"], "syntax");
    }
    // A duplicate key is an error, since parsers disagree on which value counts. An escaped
    // spelling is the same key.
    for (text, key) in [
        (r#"{"game": "nim(1)", "game": "nim(2)"}"#, "game"),
        (
            r#"{"game": "nim(1)", "g\u0061me": "nim(1)", "id": 7}"#,
            "game",
        ),
        (r#"{"game": "nim(1)", "files": {"a": "1", "a": "2"}}"#, "a"),
        (r#"{"game": "nim(1)", "id": [{"b": 1, "b": 1}]}"#, "b"),
    ] {
        let job = text.replacen('{', r#"{"command": "solve", "#, 1);
        for answer in [server.ask("solve", text), server.ask("jobs", &job)] {
            assert_eq!(answer.status, 400, "{text}: {}", answer.body);
            let error = &answer.json()["error"];
            assert_eq!(error["kind"], "syntax", "{text}");
            assert_eq!(error["message"], format!("duplicate key `{key}`"));
        }
    }
    let endless = json!({"game": "game(moves, 1)", "timeout": 0.2,
        "rules": "def moves(n):\n    return [n + 1] if n > 0 else []\n"});
    let answer = server.ask("solve", &endless.to_string());
    assert!(answer.body.contains("\"partial\"") || answer.body.contains("\"limit\""));
    let markup = "<img src=x onerror=alert(1)>";
    let rules = format!("def moves(p):\n    return [\"{markup}!\"] if p == \"{markup}\" else []\n");
    let board = json!({"game": format!("game(moves, \"{markup}\")"), "rules": rules});
    let svg = server.answer("board", &board)["svg"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(!svg.contains("<img") && svg.contains("&lt;img"), "{svg}");
    let chinese = server
        .ask("solve", r#"{"game": "nim(3", "lang": "zh"}"#)
        .json();
    let message = chinese["error"]["message"].as_str().unwrap();
    assert!(!message.is_ascii(), "{message}");
}

// A job reports its progress, ends with its answer, and can be cancelled. Its certificate verifies.
#[test]
fn jobs_report_progress_and_can_be_cancelled() {
    let server = Server::new(&[]);
    let begin = |asked: &Value| {
        let answer = server.ask("jobs", &asked.to_string());
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.json()["job"].as_str().unwrap().to_owned()
    };
    let job = begin(&json!({"command": "period", "game": "kayles(n)", "certificate": "k.json"}));
    let events = server.get(&format!("/api/v1/jobs/{job}/events"));
    assert!(events.head.contains("text/event-stream"));
    assert!(events.body.contains("event: answer"), "{}", events.body);
    let answer = server.get(&format!("/api/v1/jobs/{job}")).json();
    assert_eq!(answer["state"], "done");
    assert_eq!(answer["answer"]["period"], 12);
    let folder = folder("serve_jobs");
    let file = folder.join("k.json");
    let certificate = answer["answer"]["files"]["k.json"].as_str().unwrap();
    std::fs::write(&file, certificate).unwrap();
    assert!(grundy(&["verify", file.to_str().unwrap()]).status.success());

    let long =
        json!({"command": "period", "game": "take_and_break('0.007', n)", "max": 100_000_000});
    let job = begin(&long);
    let path = format!("/api/v1/jobs/{job}");
    assert_eq!(server.get(&path).json()["state"], "running");
    assert_eq!(server.send("DELETE", &path, "", "").status, 200);
    let events = server.get(&format!("{path}/events"));
    assert!(events.body.contains("event: failed"), "{}", events.body);
    assert_eq!(server.get(&path).json()["failed"]["error"]["kind"], "limit");
    for nobody in ["0", "ffffffffffffffffffffffffffffffff", "..", "%00"] {
        assert_eq!(
            server.get(&format!("/api/v1/jobs/{nobody}")).status,
            404,
            "{nobody}"
        );
    }
    for wrong in [
        json!({}),
        json!({"command": "nothing"}),
        json!({"command": 3}),
        json!([]),
    ] {
        assert_eq!(
            server.ask("jobs", &wrong.to_string()).status,
            400,
            "{wrong}"
        );
    }
}

// The object says whether an error is in the rules or in the expression, in every language.
#[test]
fn errors_say_whether_the_rules_or_the_expression_failed() {
    let server = Server::new(&[]);
    let adds = "def moves(n):\n    return [n + 'x']\n";
    for (rules, game, place) in [
        ("def moves(n):\n return [n", "game(moves, 1)", Some("rules")),
        ("x = nothing\n", "game(moves, 1)", Some("rules")),
        ("value = 3\n", "game(moves, 1)", Some("rules")),
        ("x = 1\n", "game(moves, 1)", None),
        (adds, "game(moves, 1)", Some("rules")),
        (adds, "game(other, 1)", None),
        (adds, "game(moves, 1", None),
    ] {
        for lang in ["en", "zh"] {
            for question in ["solve", "board", "analyse"] {
                let asked = json!({"game": game, "rules": rules, "lang": lang});
                let told = server.ask(question, &asked.to_string()).json();
                let place = place.map_or(Value::Null, Value::from);
                assert_eq!(told["error"]["in"], place, "{question} {asked}: {told}");
            }
        }
    }
}

// The theorem that proves a period has a fixed name for programs, and a translated text.
#[test]
fn theorems_are_named_in_the_language_of_the_question() {
    let server = Server::new(&[]);
    for (game, play, chinese) in [
        ("kayles(n)", "normal", "Guy-Smith 周期定理"),
        ("subtraction([1, 2], n)", "misere", "有限减法集"),
    ] {
        let asked = |lang: &str| {
            let question = json!({"game": game, "play": play, "lang": lang});
            server.answer("period", &question)
        };
        let (english, told) = (asked("en"), asked("zh"));
        assert_eq!(english["theorem"], told["theorem"]);
        assert_eq!(english["theorem_text"], english["theorem"]);
        let text = told["theorem_text"].as_str().unwrap();
        assert!(text.starts_with(chinese), "{text}");
    }
    let none = server.answer("period", &json!({"game": "grundys_game(n)", "max": 300}));
    assert_eq!(none.get("theorem_text"), None);
}

// Behind a proxy, the public host is accepted, metrics stay private, and each client has a rate
// limit.
#[test]
fn a_public_server_accepts_its_host_and_limits_rates() {
    let server = Server::new(&[
        "--public-url",
        "https://games.example.org",
        "--frame-ancestor",
        "https://course.example.org",
    ]);
    let kind = "Content-Type: application/json\r\nHost: games.example.org\r\n";
    let asked = r#"{"game": "nim(3)"}"#;
    let post =
        |headers: &str| server.send("POST", "/api/v1/solve", &format!("{kind}{headers}"), asked);
    assert_eq!(post("Origin: https://games.example.org\r\n").status, 200);
    assert_eq!(post("Origin: http://games.example.org\r\n").status, 403);
    let page = server.send("GET", "/", "Host: games.example.org\r\n", "");
    assert!(
        page.head
            .contains("frame-ancestors https://course.example.org")
    );
    assert!(!page.head.contains("x-frame-options"));
    let metrics = |host: &str| server.send("GET", "/metrics", host, "").status;
    assert_eq!(
        (metrics(""), metrics("Host: games.example.org\r\n")),
        (200, 404)
    );
    // Only the last address is added by the trusted proxy; a client can forge the ones before it.
    let client = "X-Forwarded-For: 10.0.0.1, 192.0.2.7\r\n";
    let refused = (0..300)
        .map(|_| post(client))
        .find(|answer| answer.status == 429);
    assert!(refused.unwrap().head.contains("retry-after"));
    assert_eq!(post("X-Forwarded-For: 192.0.2.7, 10.0.0.1\r\n").status, 200);
    // Requests that do not come through the proxy have no rate limit.
    assert!((0..300).all(|_| server.ask("solve", asked).status == 200));
}

// SIGTERM ends the server with exit code 0.
#[cfg(unix)]
#[test]
fn sigterm_ends_the_server() {
    let mut server = Server::new(&[]);
    assert_eq!(server.get("/healthz").status, 200);
    let process = server.child.id().to_string();
    let asked = std::process::Command::new("kill")
        .args(["-TERM", &process])
        .status();
    assert!(asked.unwrap().success());
    assert!(server.child.wait().unwrap().success());
}

/// Starts a server with some tablebases.
fn with_tables(folder: &Path) -> Server {
    for (table, game) in [
        ("small", &["nim(2, 1)"][..]),
        ("chomp", &["chomp(4, 4, 4)", "--best-move"]),
        ("misere", &["nim(2, 1)", "--misere"]),
        ("hot", &["domineering(board(2, 3))"]),
    ] {
        let table = folder.join(table);
        let written =
            grundy(&[&["label"], game, &["--tablebase", table.to_str().unwrap()]].concat());
        assert!(written.status.success(), "{written:?}");
    }
    std::fs::create_dir(folder.join("empty")).unwrap();
    std::fs::create_dir(folder.join(".hidden")).unwrap();
    Server::new(&["--tables", folder.to_str().unwrap()])
}

// The tablebases in a folder are listed, described one by one, and queried with GET requests.
#[test]
fn tablebases_are_queried_with_get_requests() {
    let server = with_tables(&folder("serve_by_address"));
    let listed = server.get("/api/v1/tables").json();
    let names: Vec<&str> = listed["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["table"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["chomp", "hot", "misere", "small"]);
    assert_eq!(listed, server.answer("tables", &json!({})));
    let card = server.get("/api/v1/tables?table=chomp").json();
    assert_eq!(card["positions"], 34);
    assert!(
        card["card"]
            .as_str()
            .unwrap()
            .starts_with("# A tablebase of")
    );
    assert!(card["svg"].as_str().unwrap().starts_with("<svg"));

    let probed = server
        .get("/api/v1/probe?table=chomp&position=chomp(4,4,1)")
        .json();
    assert_eq!(
        probed,
        server.answer(
            "probe",
            &json!({ "table": "chomp", "game": "chomp(4, 4, 1)" })
        )
    );
    assert_eq!(
        (&probed["category"], &probed["remoteness"]),
        (&json!("win"), &json!(5))
    );
    assert_eq!(probed["moves"][0]["category"], "win");
    // Without a table, the one that contains the position and has the given play is found.
    let found = server
        .get("/api/v1/probe?position=nim(1,1)&no_moves=true")
        .json();
    assert_eq!(
        (&found["category"], &found["play"]),
        (&json!("loss"), &json!("normal"))
    );
    let found = server
        .get("/api/v1/probe?position=nim%281%2C1%29&play=misere")
        .json();
    assert_eq!(
        (&found["category"], &found["play"]),
        (&json!("win"), &json!("misere"))
    );
    let own = server
        .get("/api/v1/probe?table=hot&position=domineering([%22...%22,%22...%22])&no_moves=true")
        .json();
    assert_eq!(
        (
            &own["outcome"],
            &own["category_left"],
            &own["category_right"]
        ),
        (&json!("N"), &json!("win"), &json!("win"))
    );

    for (path, kind) in [
        ("/api/v1/probe", "syntax"),
        ("/api/v1/probe?position=nim(9)", "unknown_name"),
        ("/api/v1/probe?table=chomp&position=nim(9)", "unknown_name"),
        ("/api/v1/probe?table=../chomp&position=nim(1)", "io"),
        ("/api/v1/probe?table=/etc&position=nim(1)", "io"),
        (
            "/api/v1/probe?table=http://127.0.0.1:1/x&position=nim(1)",
            "io",
        ),
        ("/api/v1/probe?position=nim(1)&position=nim(2)", "syntax"),
        ("/api/v1/probe?position=nim(1)&more=1", "unknown_name"),
        ("/api/v1/tables?table=empty", "io"),
        ("/api/v1/tables?table=nothing", "io"),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        assert_eq!(
            answer.json()["error"]["kind"],
            kind,
            "{path}: {}",
            answer.body
        );
    }
    assert_eq!(server.get("/api/v1/solve?game=nim(1)").status, 405);
}

// A partially copied table is listed as damaged, and the other tables are still listed.
#[test]
fn a_damaged_tablebase_is_listed_with_the_others() {
    let folder = folder("serve_damaged");
    let server = with_tables(&folder);
    let whole = server.get("/api/v1/tables").json();
    assert_eq!(whole.get("damaged"), None);
    let manifest = std::fs::read(folder.join("chomp/manifest.json")).unwrap();
    for (name, part) in [("bad", manifest.len() / 2), ("awful", 0)] {
        std::fs::create_dir(folder.join(name)).unwrap();
        let part = &manifest[..part];
        std::fs::write(folder.join(name).join("manifest.json"), part).unwrap();
    }
    // The manifest is intact, but the files that it names are missing.
    std::fs::create_dir(folder.join("bare")).unwrap();
    std::fs::write(folder.join("bare/manifest.json"), &manifest).unwrap();
    let path = folder.to_str().unwrap();
    let answer = server.get("/api/v1/tables");
    assert_eq!(answer.status, 200, "{}", answer.body);
    // An error must not reveal paths of the server.
    assert!(!answer.body.contains(path), "{}", answer.body);
    let listed = answer.json();
    let names = |key: &str| -> Vec<String> {
        let tables = listed[key].as_array().unwrap().iter();
        tables
            .map(|table| table["table"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("tables"), ["bare", "chomp", "hot", "misere", "small"]);
    assert_eq!(names("damaged"), ["awful", "bad"]);
    let error = &listed["damaged"][1]["error"];
    assert_eq!(error["kind"], "io");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("bad/manifest.json: "), "{message}");
    for path_of in [
        "/api/v1/tables?table=bad",
        "/api/v1/probe?table=bad&position=nim(1)",
        "/api/v1/probe?table=bare&position=chomp(3,1)",
        "/api/v1/probe?position=nim(9)",
    ] {
        let answer = server.get(path_of);
        assert_eq!(answer.status, 400, "{path_of}: {}", answer.body);
        assert_eq!(answer.json()["error"]["kind"], "io", "{path_of}");
        assert!(!answer.body.contains(path), "{path_of}: {}", answer.body);
    }
    // A position of an intact table is still found.
    let found = server.get("/api/v1/probe?position=nim(1,1)").json();
    assert_eq!(found["category"], "loss");
    std::fs::remove_dir_all(&folder).unwrap();
    let answer = server.get("/api/v1/tables");
    assert_eq!(answer.status, 400);
    assert!(!answer.body.contains(path), "{}", answer.body);
}

// A tablebase and a search must agree on the standing and on the value of each move.
#[test]
fn play_from_a_tablebase_agrees_with_a_search() {
    let server = with_tables(&folder("serve_played_from"));
    for (table, game, play) in [
        ("chomp", "chomp(4, 4, 3)", "normal"),
        ("misere", "nim(2, 1)", "misere"),
        ("hot", "domineering([\"...\", \"...\"])", "normal"),
    ] {
        let solved = server.answer("analyse", &json!({ "game": game, "play": play }));
        let looked = server.answer(
            "analyse",
            &json!({ "game": game, "play": play, "table": table }),
        );
        assert_eq!(looked["solution"]["method"], "tablebase");
        assert_eq!(looked["standing"], solved["standing"], "{game}");
        assert_eq!(
            looked["solution"]["winning_moves"], solved["solution"]["winning_moves"],
            "{game}"
        );
        let worth = |answer: &Value| -> Vec<Value> {
            let moves = answer["moves"].as_array().unwrap().iter();
            moves.map(|one| one["for_mover"].clone()).collect()
        };
        assert_eq!(worth(&looked), worth(&solved), "{game}");
        let reply = server.answer(
            "reply",
            &json!({ "game": game, "play": play, "table": table }),
        );
        assert!(reply["move"]["write"].is_string());
        let hint = server.answer(
            "hint",
            &json!({ "game": game, "play": play, "table": table, "stage": 3 }),
        );
        assert_eq!(hint["steps"][0]["code"], "told_by_table");
        server.answer(
            "review",
            &json!({ "game": game, "play": play, "table": table }),
        );
    }
    let other = json!({ "game": "nim(2, 1)", "table": "misere" });
    assert_eq!(server.error("analyse", &other), "range");
    let other = json!({ "game": "nim(7)", "table": "small" });
    assert_eq!(server.error("board", &other), "unknown_name");
}

// Ctrl-C in a terminal sends SIGINT to the whole process group. Answers in progress are still
// completed.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_completes_running_answers() {
    let server = Server::new(&[]);
    let asked = json!({"game": "cram(board(6, 7))", "timeout": 2});
    let answer = thread::scope(|scope| {
        let answer = scope.spawn(|| server.ask("solve", &asked.to_string()));
        let begun = Instant::now();
        while server
            .answering_threads()
            .iter()
            .all(|(_, state)| *state == 'S')
            && begun.elapsed() < Duration::from_secs(20)
        {
            thread::sleep(Duration::from_millis(5));
        }
        let mut processes = vec![server.child.id()];
        let group = std::fs::read_to_string(format!("/proc/{}/stat", server.child.id())).unwrap();
        let group_of = |stat: &str| {
            stat.rsplit_once(") ")
                .unwrap()
                .1
                .split(' ')
                .nth(2)
                .map(str::to_owned)
        };
        // Only workers in the group of the server would get the signal.
        for (process, _) in server.answering_threads() {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
            if group_of(&stat) == group_of(&group) {
                processes.push(process);
            }
        }
        for process in processes {
            let mut kill = Command::new("kill");
            kill.arg("-INT").arg(process.to_string());
            assert!(kill.status().unwrap().success());
        }
        answer.join().unwrap()
    });
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.json()["error"].is_null(), "{}", answer.body);
}
