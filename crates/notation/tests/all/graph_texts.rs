//! Graphs as people and programs write them: every format gives the same graph.

use grundy_core::graph::Network;
use grundy_core::{Kind, Limits};
use grundy_notation::edges::{EdgeCollector, Format};

/// Parses a graph. Returns it with the remarks about how it was read.
fn read(format: Format, text: &str) -> Result<(Network, Vec<String>), grundy_notation::Diagnostic> {
    let limits = Limits::default();
    let mut edges = EdgeCollector::new(&limits);
    edges.read(format, text.as_bytes())?;
    let notes = edges
        .notes()
        .iter()
        .map(|note| (**note).to_owned())
        .collect();
    Ok((edges.finish()?, notes))
}

/// Returns the moves as text, sorted, and the vertices without moves.
fn moves(network: &Network) -> String {
    let mut moves = Vec::new();
    for vertex in 0..network.names.len() as u32 {
        let from = network.names.get(vertex);
        let options = network.graph.options(vertex);
        if options.is_empty() {
            moves.push(from.to_owned());
        }
        for &option in options {
            moves.push(format!("{from}>{}", network.names.get(option)));
        }
    }
    moves.sort();
    moves.join(" ")
}

const UNDIRECTED: &str = "edges without a direction are moves in both directions";

#[test]
fn directed_graphs_in_every_format() {
    for (format, text) in [
        (Format::Text, "a->b b->a, b->c\n"),
        (Format::Text, "\u{feff}# moves\na -> b -> a\r\nb\u{2192}c\r\n"),
        (Format::Text, "a: b\nb: a c\nc:\n"),
        (Format::Text, "a: [b]\nb: [a, c]\n"),
        (Format::Text, "\"a\": [\"b\"]\n\"b\": [\"a\", \"c\"]\n"),
        (Format::Text, "a b\nb a\nb c\n"),
        (Format::Text, "from\tto\na\tb\nb\ta\nb\tc\n"),
        (Format::Text, "a b {}\nb a {'weight': 3}\nb c {}\n"),
        (Format::Text, "a, b\nb; a\n% a comment\nb c\n"),
        (Format::Dot, "digraph { a -> b; b -> {a c} }"),
        (Format::Json, r#"{"a": ["b"], "b": ["a", "c"]}"#),
        (Format::Json, r#"[["a", "b"], ["b", "a"], ["b", "c"]]"#),
        (
            Format::Json,
            r#"{"directed": true, "multigraph": false, "graph": {"name": "x"},
               "nodes": [{"id": "a"}, {"label": 1, "id": "b"}, {"id": "c"}],
               "links": [{"source": "a", "target": "b", "key": 0},
                         {"source": "b", "target": "a"}, {"source": "b", "target": "c"}]}"#,
        ),
        (
            Format::Json,
            r#"{"edges": [{"source": "a", "target": "b"}, {"target": "a", "source": "b"},
                          {"source": "b", "target": "c"}], "directed": true}"#,
        ),
        (
            Format::GraphMl,
            r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d0" for="edge"/>
<graph edgedefault="directed"><node id="a"/><node id="b"><data key="d0">x</data></node><node id="c"/>
<edge source="a" target="b"/><edge source="b" target="a"><data key="d0">1</data></edge>
<edge source="b" target="c"/></graph></graphml>"#,
        ),
        (
            Format::Gml,
            "Creator \"x\"\ngraph [ directed 1 # a comment\n node [ id 0 label \"a\" graphics [ x 1.5 id 7 ] ]
             node [ id 1 label \"b\" ]\n node [ id 2 label \"c\" ]
             edge [ source 0 target 1 ]\n edge [ source 1 target 0 ]\n edge [ source 1 target 2 value 3 ] ]",
        ),
    ] {
        let (network, notes) = read(format, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&network), "a>b b>a b>c c", "{text}");
        assert_eq!(notes, [""; 0], "{text}");
    }
}

#[test]
fn edges_without_a_direction_are_moves_in_both() {
    for (format, text) in [
        (Format::Text, "a-b b-c\n3-3 5\n"),
        (Format::Text, "a - b -- c, 3-3\n5\n"),
        (Format::Dot, "graph { a -- b -- c; 3 -- 3; 5 }"),
        (
            Format::Json,
            r#"{"directed": false, "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": 3}, {"id": 5}],
               "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}, {"source": 3, "target": 3}]}"#,
        ),
        (
            Format::GraphMl,
            r#"<graphml><graph edgedefault="undirected"><node id="a"/><node id="5"/>
               <edge source="a" target="b"/><edge source="b" target="c" directed="false"/>
               <edge source="3" target="3"/></graph></graphml>"#,
        ),
        (
            Format::Gml,
            "graph [ node [ id 1 label \"a\" ] node [ id 2 label \"b\" ] node [ id 4 label \"c\" ]
             node [ id 3 label \"3\" ] node [ id 5 label \"5\" ] edge [ source 1 target 2 ]
             edge [ source 2 target 4 ] edge [ source 3 target 3 ] ]",
        ),
    ] {
        let (network, notes) = read(format, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&network), "3>3 5 a>b b>a b>c c>b", "{text}");
        assert_eq!(notes, [UNDIRECTED], "{text}");
    }
}

#[test]
fn contest_inputs_are_numbered_from_0_or_1() {
    let size = "the first line is the number of vertices and edges; the vertices are numbered from";
    let one = format!("{size} 1");
    let zero = format!("{size} 0");
    for (text, expected, note) in [
        ("4 2\n1 2\n2 3\n", "1>2 2>3 3 4", Some(one.as_str())),
        ("4 2\n0 1\n1 2\n", "0>1 1>2 2 3", Some(zero.as_str())),
        ("3 0\n", "1 2 3", Some(one.as_str())),
        // The first line is an edge if its numbers do not fit.
        (
            "1 2\n2 3\n",
            "1>2 2>3 3",
            Some("the vertices are numbered from 1"),
        ),
        (
            "2 1\n1 2\n2 3\n",
            "1>2 2>1 2>3 3",
            Some("the vertices are numbered from 1"),
        ),
        ("5 6\n6 7\n", "5>6 6>7 7", None),
        (
            "9 3\n1 2\n2 3\n",
            "1>2 2>3 3 9>3",
            Some("the vertices are numbered from 1"),
        ),
        (
            "0 1\n1 2\n",
            "0>1 1>2 2",
            Some("the vertices are numbered from 0"),
        ),
    ] {
        let (network, notes) = read(Format::Text, text).unwrap();
        assert_eq!(moves(&network), expected, "{text}");
        assert_eq!(notes.first().map(String::as_str), note, "{text}");
    }
}

#[test]
fn errors_name_the_line_and_the_remedy() {
    for (format, text, message) in [
        (
            Format::Text,
            "1 2\n1 2 3\n",
            "line 2: expected two vertices, found 3",
        ),
        (Format::Text, "a->b, c\n", "line 1: `c` is not an edge"),
        (Format::Text, "a-b c\n", "line 1: `c` is not an edge"),
        (Format::Text, "a->\n", "line 1: an edge needs two ends"),
        (Format::Text, "->a\n", "line 1: an edge needs two ends"),
        (Format::Text, "a->->b\n", "line 1: an edge needs two ends"),
        (
            Format::Text,
            "a b: c\n",
            "line 1: expected one vertex before `:`",
        ),
        (
            Format::Text,
            "\"a b\n",
            "line 1: a quote is not closed on its line",
        ),
        (
            Format::GraphMl,
            "<graphml>\n<graph><edge source='a'/></graph></graphml>",
            "line 2: <edge> has no attribute `target`",
        ),
        (
            Format::GraphMl,
            "<svg/>",
            "line 1: not a GraphML file: the root element is not <graphml>",
        ),
        (
            Format::GraphMl,
            "<!DOCTYPE a [<!ENTITY b 'c'>]><graphml/>",
            "line 1: document type definitions and entities are not supported",
        ),
        (
            Format::Gml,
            "graph [ node [ label \"a\" ] ]",
            "line 1: this element has no key `id`",
        ),
        (
            Format::Gml,
            "graph [\n edge [ source 0 target 1 ] ]",
            "line 2: there is no node with the id 0",
        ),
        (
            Format::Gml,
            "graph [ node [ id 0 ]",
            "line 1: the graph is not closed: missing `]`",
        ),
        (Format::Gml, "x 1", "line 1: expected one `graph [ ... ]`"),
    ] {
        let error = read(format, text).unwrap_err();
        assert_eq!(error.message, message, "{text}");
        assert_eq!(error.kind, Kind::Syntax, "{text}");
    }
    let unknown = r#"{"nodes": [{"id": "a"}], "links": [{"source": 0, "target": "a"}]}"#;
    let error = read(Format::Json, unknown).unwrap_err();
    assert!(
        error.message.contains("an end that is not among the nodes"),
        "{error}"
    );
}

#[test]
fn hostile_graphs_end_soon() {
    for (format, text) in [
        (Format::Text, "-".repeat(5_000_000)),
        (Format::Text, "a->".repeat(1_000_000)),
        (Format::Text, "a:".to_owned() + &" b".repeat(1_000_000)),
        (Format::Text, "x".repeat(5_000_000)),
        (Format::Text, "18446744073709551615 0\n".to_owned()),
        (Format::Text, "18446744073709551615 1\n1 2\n".to_owned()),
        (Format::Gml, "a [ ".repeat(500_000)),
        (Format::GraphMl, "<a>".repeat(300_000)),
        (
            Format::Json,
            r#"{"nodes":"#.to_owned() + &"[".repeat(1_000_000),
        ),
    ] {
        let begin = std::time::Instant::now();
        let _ = read(format, &text);
        assert!(begin.elapsed().as_secs() < 20, "{}", &text[..4]);
    }
}
