//! Pictures drawn by the command line.

use crate::program::grundy;

#[test]
fn game_graphs_are_drawn_in_the_dark_theme() {
    let graph = "graph([[\"a\", \"b\"], [\"b\", \"a\"], [\"b\", \"c\"]], \"a\")";
    for arguments in [
        &[graph][..],
        &["nim(1, 2)", "--graph"],
        &["toads_and_frogs('T.F')", "--graph"],
        &["tic_toe()", "--graph"],
    ] {
        let output = grundy(&[&["draw"], arguments, &["--dark"]].concat());
        let svg = String::from_utf8(output.stdout).unwrap();
        assert!(svg.contains("class=\"grundy dark\""), "{svg}");
        let document = roxmltree::Document::parse(&svg).unwrap();
        for node in document
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "rect")))
        {
            let fill = node.attribute("fill").unwrap();
            // The sum of the colour channels: below half of the maximum, a rectangle is dark.
            let bright =
                (0..3).map(|at| u32::from_str_radix(&fill[1 + 2 * at..3 + 2 * at], 16).unwrap());
            assert!(bright.sum::<u32>() < 384, "{arguments:?} {fill}");
        }
    }
}
