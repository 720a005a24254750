//! Hackenbush pictures from files: a list of edges, or a drawing.
//!
//! A list of edges has the edges of the notation, `0-1 1-2:b`, on any number of lines. `#` begins a
//! comment. A line `ground 0 3` names the ground vertices; without one the ground is vertex 0.

use std::sync::Arc;

use grundy::position::AnyTerm;
use grundy::ruleset::hackenbush::{self, Edge, HackenbushPicture};
use grundy::{Kind, message};

use crate::{Diagnostic, svg};

/// Reads a picture: SVG when the text begins with `<`, otherwise a list of edges.
///
/// ```
/// use grundy_notation::read_picture;
/// let house = read_picture("# a house\nground 0 3\n0-1 1-2 2-3 # walls and floor\n1-4 4-2\n").unwrap();
/// assert_eq!(house.text(), r#"hackenbush("0-1 1-2 2-3 1-4 4-2", ground=[0, 3])"#);
/// assert_eq!(read_picture("0-1\n1 2\n").unwrap_err().span, Some(4..5));
/// ```
///
/// # Errors
/// What is wrong, with its place.
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
                        message!("a ground vertex is a whole number"),
                    )
                    .at(at..at + name.len())
                    .help(message!("write a line such as: ground 0 3")));
                };
                ground.push(vertex);
            }
        } else {
            let more = hackenbush::edges(content).map_err(|misread| misread.further(start))?;
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
