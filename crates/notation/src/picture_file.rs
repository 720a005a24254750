//! Hackenbush pictures in files. A file contains a list of edges or a drawing.
//!
//! In a list, edges are written as in the notation, for example `0-1 1-2:b`, on any number of
//! lines. A `#` begins a comment. A line such as `ground 0 3` lists the vertices on the ground.
//! Without such a line, the ground is vertex 0.

use std::sync::Arc;

use grundy_core::position::AnyTerm;
use grundy_core::ruleset::hackenbush::{self, Edge, HackenbushPicture};
use grundy_core::{Kind, message};

use crate::{Diagnostic, svg};

/// Parses a picture. It is SVG if the text begins with `<`, and otherwise a list of edges.
///
/// ```
/// use grundy_notation::read_picture;
/// let text = "# a house\nground 0 3\n0-1 1-2 2-3 # walls and floor\n1-4 4-2\n";
/// let house = read_picture(text).unwrap();
/// assert_eq!(house.text(), r#"hackenbush("0-1 1-2 2-3 1-4 4-2", ground=[0, 3])"#);
/// assert_eq!(read_picture("0-1\n1 2\n").unwrap_err().span, Some(4..5));
/// ```
///
/// # Errors
/// The first error, with its place in the text.
pub fn read_picture(source: &str) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (edges, ground) = if source.trim_start().starts_with('<') {
        svg::read(source)?
    } else {
        edge_list(source)?
    };
    let picture = HackenbushPicture::new(&edges, &ground);
    Ok(hackenbush::term(picture))
}

fn edge_list(source: &str) -> Result<(Vec<Edge>, Vec<u32>), Diagnostic> {
    let mut edges = Vec::new();
    let mut ground = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or("");
        let trimmed = content.trim_start();
        if let Some(names) = trimmed.strip_prefix("ground") {
            let names_start = start + content.len() - names.len();
            for name in names.split_ascii_whitespace() {
                let vertex = name.parse().ok().filter(|&vertex| vertex < u32::MAX);
                let Some(vertex) = vertex else {
                    let at = names_start + (name.as_ptr() as usize - names.as_ptr() as usize);
                    return Err(Diagnostic::new(
                        Kind::Syntax,
                        message!("a ground vertex must be an integer"),
                    )
                    .at(at..at + name.len())
                    .help(message!("write a line such as: ground 0 3")));
                };
                ground.push(vertex);
            }
        } else {
            let more = hackenbush::edges(content).map_err(|misread| misread.offset_by(start))?;
            // The edges of the first line are moved and not copied, since the line may contain all
            // edges.
            if edges.is_empty() {
                edges = more;
            } else {
                edges.extend(more);
            }
        }
        start += line.len();
    }
    if ground.is_empty() {
        ground.push(0);
    }
    Ok((edges, ground))
}
