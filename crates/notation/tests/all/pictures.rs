//! Hackenbush pictures from files: valid and hostile lists of edges and drawings.

use grundy_notation::{read_picture, read_position};
use grundy_wording::Audience;
use grundy_wording::diagnostic::render;

fn read(source: &str) -> String {
    read_picture(source).map_or_else(
        |error| panic!("{}", render(&error, source, Audience::default())),
        |term| term.text(),
    )
}

fn refused(source: &str) -> String {
    read_picture(source)
        .map(|term| term.text())
        .expect_err(source)
        .to_string()
}

#[test]
fn a_list_of_edges_may_have_lines_comments_and_a_ground() {
    assert_eq!(
        read("# twig\n0-1, 1-2\n\n1-3 # a branch\n"),
        "hackenbush(\"0-1 1-2 1-3\")"
    );
    assert_eq!(
        read("ground 4 9\r\n4-1 1-9\r\n"),
        "hackenbush(\"4-1 1-9\", ground=[4, 9])"
    );
    assert_eq!(read(""), "hackenbush(\"\")");
    for (source, span) in [
        ("0-1 1-2x", 6..8),
        ("0-1\n0_1", 4..7),
        ("0-1\nground 0 x", 13..14),
        ("0-99999999999", 2..13),
        ("0-1:", 4..5),
        ("-1-2", 0..1),
    ] {
        let error = read_picture(source)
            .map(|term| term.text())
            .expect_err(source);
        assert_eq!(error.span, Some(span), "{source}");
    }
}

#[test]
fn a_drawing_of_any_vector_editor_is_read() {
    // A house with a loop in the attic. The walls are a polyline and the roof is a path, all in a
    // transformed group. One wall ends slightly below the ground, within the merging distance.
    let house = r#"<?xml version="1.0"?>
        <svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
        <title>house</title>
        <g transform="translate(5, 5) scale(2)">
          <path id="ground" d="M 0,40 H 50"/>
          <polyline points="10,40 10,20 30,20 30,40.05"/>
          <path style="stroke:#0000ff" d="m 10,20 10,-10 l 10 10 c 8 0 8 -9 0 0"/>
          <rect class="scenery" width="4" height="4"/><text>smoke</text>
        </g></svg>"#;
    assert_eq!(read(house), "hackenbush(\"0-1 1-2 2-0 1-3:b 3-2:b 2-2:b\")");
    assert_eq!(
        read(&house.replace("#0000ff", "#222")),
        "hackenbush(\"0-1 1-2 2-0 1-3 3-2 2-2\")"
    );
    // Without a mark, the lowest horizontal line is the ground.
    assert_eq!(
        read(
            r#"<svg><line x1="5" y1="9" x2="5" y2="4"/><line x1="0" y1="9" x2="9" y2="9"/></svg>"#
        ),
        "hackenbush(\"0-1\")"
    );
}

#[test]
fn invalid_drawings_are_rejected_and_nothing_is_fetched() {
    for (source, message) in [
        ("<html><body/></html>", "the root element is not <svg>"),
        ("<svg>", "not an SVG drawing"),
        ("<svg/>", "the drawing has no lines"),
        (
            "<svg><line x2='3' y2='4'/></svg>",
            "the drawing has no ground",
        ),
        (
            "<svg><line id='ground' x2='9'/><line x1='1' y1='-5' x2='1' y2='-9'/></svg>",
            "no edge ends on the ground",
        ),
        ("<svg><script>1</script></svg>", "a script"),
        ("<svg><g><defs><script/></defs></g></svg>", "a script"),
        ("<svg onload='x()'/>", "a script"),
        ("<svg><g onclick='x()'/></svg>", "a script"),
        (
            "<svg><image href='http://example.org/a.png'/></svg>",
            "<image>",
        ),
        ("<svg><use href='#a'/></svg>", "<use>"),
        ("<svg><a href='javascript:x'/></svg>", "an external link"),
        ("<svg><foreignObject/></svg>", "an embedded document"),
        (
            "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg>&a;</svg>",
            "document type definitions and entities are not supported",
        ),
        ("<svg><line x1='a'/></svg>", "`x1` is not a number"),
        ("<svg><line x1='1e999'/></svg>", "`x1` is not a number"),
        ("<svg><polyline points='1 2 3'/></svg>", "invalid points"),
        ("<svg><path d='M 0 0 L x'/></svg>", "invalid path"),
        (
            "<svg><g transform='spin(3)'/></svg>",
            "invalid transformation",
        ),
        (
            "<svg><circle data-vertex='-1'/></svg>",
            "not the number of a vertex",
        ),
    ] {
        let found = refused(source);
        assert!(found.contains(message), "{source}: {found}");
    }
    // Deep nesting and long texts must not overflow the stack or take quadratic time.
    refused(&format!("<svg>{}", "<g>".repeat(100_000)));
    refused(&format!(
        "<svg>{}{}</svg>",
        "<g>".repeat(100_000),
        "</g>".repeat(100_000)
    ));
    refused(&format!("0-{}", "x".repeat(1_000_000)));
    refused(&format!(
        "<svg><line x1='{}'/></svg>",
        "1".repeat(1_000_000)
    ));
}

#[test]
fn the_place_of_a_bad_edge_is_shown_inside_the_string() {
    let error = read_position("nim(3) + hackenbush('0-1 1+2')").unwrap_err();
    assert_eq!(error.span, Some(25..28));
    let error = read_position("hackenbush('0-1', ground=[0, -1])").unwrap_err();
    assert_eq!(error.span, Some(29..31));
}
