//! Game graphs through the command line: all input and output formats, and errors on hostile input.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{executable, folder, grundy, grundy_with};
use serde_json::Value;

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_same_graph_in_every_format_has_the_same_labels() {
    let csv = "to,weight,from\nb,1,a\nc,2,b\na,,b\n\"x, \"\"y\"\"\",,\"x, \"\"y\"\"\"\n,,d\n";
    // Each input exercises the corners of its format: line ends, a byte order mark, quoting, extra
    // columns, lists and maps. In DOT: comments, ports, subgraphs and concatenated strings.
    let inputs = [
        ("csv", csv.replace('\n', "\r\n")),
        ("csv", format!("\u{feff}{csv}")),
        ("json", r#"{"a": ["b"], "b": ["c", "a"], "c": [], "x, \"y\"": ["x, \"y\""], "d": []}"#.to_owned()),
        ("json", r#"[["a", "b"], {"from": "b", "to": "c"}, ["b", "a"], ["x, \"y\"", "x, \"y\""], {"from": "d", "to": null}]"#.to_owned()),
        ("dot", "# c\nstrict DIGRAPH \"g\" { graph [rank=same, size=\"7]\"]; label = <<b>x</b>>\n a -> b:n -> {c a} /* d */ [color=red]; \"x, \\\"y\\\"\" -> \"x, \" + \"\\\"y\\\"\"; subgraph s { d } }".to_owned()),
    ];
    for (format, input) in inputs {
        let output = grundy_with(
            &["label", "-", "--format", format, "--best-move"],
            input.as_bytes(),
        );
        let mut lines: Vec<String> = text(&output).lines().map(str::to_owned).collect();
        assert_eq!(
            lines.remove(0),
            "position,outcome,remoteness,grundy,move",
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        lines.sort_unstable();
        let expected = [
            "\"x, \"\"y\"\"\",D,,inf{},\"x, \"\"y\"\"\"",
            "a,P,2,0,b",
            "b,N,1,1,c",
            "c,P,0,0,",
            "d,P,0,0,",
        ];
        assert_eq!(lines, expected, "{input}");
    }
}

// The kernel values of Smith and Fraenkel: inf{...} lists the finite values of the options.
#[test]
fn infinite_values_are_written_as_the_contract_says() {
    // From b a move leads to the end, to `two` of value 2, or back to a. From a, moves lead to b or
    // to a.
    let csv = "from,to\na,b\na,a\nb,a\nb,zero\nb,two\ntwo,one\ntwo,zero\none,zero\n";
    let output = grundy_with(&["label", "-"], csv.as_bytes());
    let all = text(&output);
    assert!(
        all.contains("b,N,1,\"inf{0,2}\"\n") && all.contains("a,D,,inf{}\n"),
        "{all}"
    );
    let output = grundy_with(&["label", "-", "--json"], csv.as_bytes());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let b = &json["positions"][1];
    assert_eq!(
        (&b["position"], &b["grundy"]["infinity"]),
        (&"b".into(), &serde_json::json!([0, 2]))
    );
    let output = grundy_with(&["label", "-", "--misere"], csv.as_bytes());
    assert!(text(&output).contains("zero,N,0,\n"));
    let game = r#"graph({"a": ["b", "a"], "b": ["a", "c"], "c": []}, "b") + nim(0)"#;
    let output = grundy_with(&["solve", "--json", game], b"");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["grundy"]["infinity"], serde_json::json!([0]));
    assert_eq!(json["winning_moves"][0]["at"], serde_json::json!([1]));
    // The printed position parses to the same game.
    let again = grundy_with(&["solve", "--json", json["game"].as_str().unwrap()], b"");
    assert_eq!(
        serde_json::from_slice::<Value>(&again.stdout).unwrap(),
        json
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of inputs")]
fn hostile_graphs_get_one_clear_error_with_its_place() {
    // Names of 100 MB test that the reader stops at its limit instead of buffering the name.
    let long = format!("from,to\na,b\n{},c\n", "x".repeat(100_000_000));
    let long_json = format!("[[\"a\", \"{}\"]]", "x".repeat(100_000_000));
    let long_dot = format!("digraph {{\n a -> {} }}", "x".repeat(100_000_000));
    let columns = format!("{}\n", "a,".repeat(5000));
    // Deep nesting would overflow the stack of a recursive parser.
    let deep_dot = format!("digraph {{ {}", "{".repeat(1_000_000));
    let deep_json = "[".repeat(1_000_000);
    let cases: &[(&str, &[u8], &str, &str)] = &[
        ("csv", b"", "syntax", "line 1: there is no column `from`"),
        (
            "csv",
            b"from,too\na,b\n",
            "syntax",
            "line 1: there is no column `to`",
        ),
        (
            "csv",
            b"from,to\na,b\nc\n",
            "syntax",
            "line 3: expected 2 fields, found 1",
        ),
        ("csv", b"from,to\n,b\n", "syntax", "line 2: `from` is empty"),
        (
            "csv",
            b"from,to\na,\xff\n",
            "encoding",
            "line 2: the line is not UTF-8",
        ),
        (
            "csv",
            long.as_bytes(),
            "range",
            "line 3: the name of a vertex is longer than 1 MiB",
        ),
        (
            "csv",
            columns.as_bytes(),
            "range",
            "line 1: more than 1024 columns",
        ),
        ("json", b"", "syntax", "line 1"),
        ("json", b"{\"a\": [\"b\"", "syntax", "at line 1 column 10"),
        ("json", b"{\"a\": 3}", "syntax", "a list of vertices"),
        (
            "json",
            b"[[\"a\", \"b\", \"c\"]]",
            "syntax",
            "an edge must have two ends",
        ),
        ("json", b"[{\"to\": \"b\"}]", "syntax", "from"),
        ("json", b"[[]]", "syntax", "an edge must have two ends"),
        ("json", b"17", "syntax", "a map of lists"),
        (
            "json",
            long_json.as_bytes(),
            "io",
            "the name of a vertex is longer than 1 MiB",
        ),
        ("json", deep_json.as_bytes(), "syntax", "line 1"),
        ("dot", b"", "syntax", "line 1: expected `digraph`"),
        (
            "dot",
            b"graph { a -> b }",
            "syntax",
            "line 1: `->` is a directed edge",
        ),
        (
            "dot",
            b"digraph {\n a -- b }",
            "syntax",
            "line 2: `--` is an undirected edge",
        ),
        (
            "dot",
            b"digraph { a -> }",
            "syntax",
            "line 1: `->` has no target",
        ),
        (
            "dot",
            b"digraph { -> a }",
            "syntax",
            "line 1: `->` has no source",
        ),
        (
            "dot",
            b"digraph { a -> b",
            "syntax",
            "line 1: the graph is not closed",
        ),
        (
            "dot",
            b"digraph { a [x=\n \"",
            "syntax",
            "line 2: unterminated string",
        ),
        (
            "dot",
            b"digraph { a ] }",
            "syntax",
            "line 1: unexpected `]`",
        ),
        ("dot", b"digraph { a -> \x07 }", "syntax", "line 1"),
        (
            "dot",
            b"digraph { } more",
            "syntax",
            "line 1: unexpected text after the graph",
        ),
        (
            "dot",
            long_dot.as_bytes(),
            "range",
            "line 2: the name of a vertex is longer than 1 MiB",
        ),
        (
            "dot",
            deep_dot.as_bytes(),
            "syntax",
            "line 1: the graph is not closed",
        ),
    ];
    for (format, input, kind, message) in cases {
        let output = grundy_with(&["label", "-", "--format", format, "--json"], input);
        let shown = String::from_utf8_lossy(&input[..input.len().min(60)]);
        assert_eq!(output.status.code(), Some(2), "{shown}");
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(error["error"]["kind"], *kind, "{shown}: {error}");
        let said = error["error"]["message"].as_str().unwrap();
        assert!(said.contains(message), "{shown}: {said}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            stderr.starts_with("error: standard input: ") && stderr.lines().count() <= 3,
            "{stderr}"
        );
    }
}

#[test]
fn file_errors_are_reported_and_leave_no_partial_file() {
    let folder = folder("graph-files");
    let moves = folder.join("moves.csv");
    fs::write(&moves, "from,to\na,b\n").unwrap();
    let moves = moves.to_str().unwrap();
    let refused = |arguments: &[&str], message: &str| {
        let output = grundy_with(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    };
    refused(&["label", "nowhere.csv"], "nowhere.csv: No such file");
    // A folder is read as a graph in several files.
    let empty = folder.join("empty");
    fs::create_dir(&empty).unwrap();
    let empty = empty.to_str().unwrap();
    let none = "there is no graph in this folder";
    refused(&["label", empty], none);
    refused(&["label", empty, "--format", "csv"], none);
    fs::remove_dir(empty).unwrap();
    refused(&["label", "moves"], "unknown file extension");
    refused(
        &["label", moves, "--output", "labels.txt"],
        "unknown file extension",
    );
    refused(
        &["label", moves, "--output", "/nowhere/labels.csv"],
        "No such file",
    );
    refused(
        &["solve", &format!("graph({moves:?}, 'z')")],
        "the start `z` is not a vertex of the graph",
    );
    refused(
        &["solve", "graph('nowhere.csv', 'z')"],
        "nowhere.csv: No such file",
    );
    refused(
        &["solve", "graph({'a': ['b']}, 'c')"],
        "the start `c` is not a vertex of the graph",
    );
    refused(&["solve", "graph({'a': 'b'}, 'a')"], "expected a list");
    refused(
        &["solve", "graph([['a', 'b', 'c']], 'a')"],
        "an edge must have two ends",
    );
    refused(
        &["solve", "graph({'a': [], 'a': []}, 'a')"],
        "duplicate entry",
    );
    refused(
        &["solve", "graph({'a': [None]}, 'a')"],
        "the name of a vertex",
    );
    let output = folder.join("labels.csv");
    assert!(
        grundy_with(&["label", moves, "--output", output.to_str().unwrap()], b"")
            .status
            .success()
    );
    assert_eq!(
        fs::read_to_string(&output).unwrap(),
        "position,outcome,remoteness,grundy\na,N,1,1\nb,P,0,0\n"
    );
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

// A write error may surface only when the buffer is flushed at exit.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_clear_error() {
    let output = Command::new(executable())
        .args(["label", "-"])
        .stdin(Stdio::null())
        .stdout(
            fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap(),
        )
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let full = Command::new("sh")
        .args([
            "-c",
            "printf 'from,to\\na,b\\n' | \"$0\" label - > /dev/full",
            executable(),
        ])
        .output()
        .unwrap();
    assert_eq!(full.status.code(), Some(2));
    assert!(
        String::from_utf8(full.stderr)
            .unwrap()
            .contains("No space left")
    );
}

#[test]
fn limits_stop_the_reader() {
    let many: String = std::iter::once("from,to\n".to_owned())
        .chain((0..20_000).map(|i| format!("{i},{}\n", i + 1)))
        .collect();
    let output = grundy_with(&["label", "-", "--max-positions", "5000"], many.as_bytes());
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn parquet_round_trips_and_truncated_files_are_one_error() {
    let folder = folder("graph-parquet");
    let moves: String = std::iter::once("from,to\n".to_owned())
        .chain((0..30_000).map(|i| format!("{i},{}\n", i * 7 % 29_989)))
        .collect();
    let labels = folder.join("labels.parquet");
    let labels = labels.to_str().unwrap();
    assert!(
        grundy_with(
            &["label", "-", "--best-move", "--output", labels],
            moves.as_bytes()
        )
        .status
        .success()
    );
    let bytes = fs::read(labels).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    // A table of labels is not a list of moves; the error names the missing column.
    let output = grundy_with(&["label", labels], b"");
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no column `from`"));
    // Lengths that cut the magic number, the data and the footer.
    let half = folder.join("half.parquet");
    for length in [0, 3, 100, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&half, &bytes[..length]).unwrap();
        let output = grundy_with(&["label", half.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains("the Parquet file is damaged") && !stderr.contains("panicked"),
            "{stderr}"
        );
    }
}

#[test]
fn moves_in_parquet_are_read_with_numbers_strings_and_nulls() {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let folder = folder("graph-parquet-moves");
    let file = folder.join("moves.parquet");
    let schema = "message moves { required int64 from; required double weight; optional binary to (string); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(fs::File::create(&file).unwrap(), schema, Arc::default())
            .unwrap();
    // Row groups: 1 -> 2 -> 3 in the first; 3 -> 1 and the isolated vertex 4 in the second.
    for (from, to, levels) in [
        ([1, 2], vec!["2", "3"], [1, 1]),
        ([3, 4], vec!["1"], [1, 0]),
    ] {
        let to: Vec<ByteArray> = to.into_iter().map(ByteArray::from).collect();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<Int64Type>()
            .write_batch(&from, None, None)
            .unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let weights = [0.5, 1.5];
        column
            .typed::<parquet::data_type::DoubleType>()
            .write_batch(&weights, None, None)
            .unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&to, Some(&levels), None)
            .unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    let output = grundy_with(&["label", file.to_str().unwrap()], b"");
    let expected =
        "position,outcome,remoteness,grundy\n1,D,,inf{}\n2,D,,inf{}\n3,D,,inf{}\n4,P,0,0\n";
    assert_eq!(text(&output), expected);
    let position = format!("graph({:?}, 4)", file.to_str().unwrap());
    assert!(text(&grundy_with(&["solve", &position], b"")).contains("P: the previous player wins"));
}

/// Returns the names of the positions that `draw --dot` shows.
fn drawn(arguments: &[&str]) -> Vec<String> {
    let output = grundy(&[&["draw", "--dot"], arguments].concat());
    let dot = String::from_utf8(output.stdout).unwrap();
    let vertices = dot.lines().filter(|line| line.contains("fillcolor"));
    let name = |line: &str| line.split('"').nth(1).unwrap().to_owned();
    vertices.map(name).collect()
}

// Provably equal positions share a vertex. In Northcott's game, rows may be permuted or mirrored;
// in sums, components may be permuted and ended ones removed. Names omit what all positions share.
#[test]
fn graphs_show_equal_positions_once() {
    assert_eq!(drawn(&["northcott(3, [[0, 2]])"]), ["(L) L_R", "(R) _LR"]);
    // The graph has eight positions; three equal others after exchanging and mirroring rows.
    let rows = [
        "(L) L_R/R_L",
        "(R) _LR/R_L",
        "(L) _LR/_RL",
        "(R) L_R/_RL",
        "(L) LR_/_RL",
    ];
    assert_eq!(drawn(&["northcott(3, [[0, 2], [2, 0]])"]), rows);
    assert!(drawn(&["northcott(3, [[0, 2]]) + nim(1)"]).contains(&"((R) L_R) + (0)".to_owned()));

    let rules = "examples/rules/kayles.star";
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(rules);
    let kayles = drawn(&["--rules", file.to_str().unwrap(), "game(moves, 4)"]);
    assert_eq!(kayles, ["4", "3", "1 + 2", "2", "1 + 1", "1", "0"]);
}

#[test]
fn every_answer_says_how_a_graph_was_numbered() {
    let file = "../../examples/graphs/contest.txt";
    let note =
        "the first line is the number of vertices and edges; the vertices are numbered from 1";
    let game = format!("graph(\"{file}\", 1) + nim(2)");
    for command in ["solve", "explain"] {
        let printed = text(&grundy(&[command, &game]));
        assert!(printed.starts_with(&format!("note: {note}\n")), "{printed}");
        let answer: Value =
            serde_json::from_str(&text(&grundy(&[command, &game, "--json"]))).unwrap();
        assert_eq!(answer["notes"], serde_json::json!([note]), "{answer}");
    }
    let labels: Value = serde_json::from_str(&text(&grundy(&["label", file, "--json"]))).unwrap();
    assert_eq!(labels["notes"], serde_json::json!([note]), "{labels}");
    let lines = text(&grundy(&["solve", "graph(\"1 2\\n2 3\", 1)"]));
    let expected = "note: the vertices are numbered from 1\ngraph({1: [2], 2: [3], 3: []}, 1)\n";
    assert!(lines.starts_with(expected), "{lines}");
}

#[test]
fn games_on_graphs_read_lines_and_maps() {
    for (game, canonical) in [
        (
            "node_kayles(\"3 2\\n1 2\\n2 3\")",
            "node_kayles(\"1-2 2-3\")",
        ),
        (
            "node_kayles(\"1 2, 2 3, 3 4\")",
            "node_kayles(\"1-2 2-3 3-4\")",
        ),
        (
            "node_kayles({1: [2], 2: [1, 3]})",
            "node_kayles(\"1-2 2-3\")",
        ),
        ("arc_kayles(\"1: 2 3\\n2: 1\")", "arc_kayles(\"1-2 1-3\")"),
        (
            "geography(\"1: 2 3\\n2: 1\", 1, directed=True)",
            "geography(\"1-2 1-3 2-1\", 1, directed=True)",
        ),
        ("hackenbush({0: [1], 1: [0, 2]})", "hackenbush(\"0-1 1-2\")"),
        ("hackenbush(\"0 1\\n1 2\")", "hackenbush(\"0-1 1-2\")"),
        (
            "snort(\"0: 1; 1: 2\", \"...\")",
            "snort(\"0-1 1-2\", \"...\")",
        ),
        ("col(\"0-1; 1--2\", \"...\")", "col(\"0-1 1-2\", \"...\")"),
    ] {
        let printed = text(&grundy(&["solve", game]));
        assert_eq!(printed.lines().next(), Some(canonical), "{game}");
    }
}
