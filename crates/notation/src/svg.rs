//! Hackenbush pictures from drawings in SVG, as any vector editor makes them.
//!
//! Every straight or curved piece of a line, polyline, polygon or path is an edge; pieces whose
//! ends lie together share a vertex. The ground is whatever has `ground` as its id or one of its
//! classes; without one, the lowest horizontal line. Colours come from a class `green`, `blue` or
//! `red`, else from the stroke: what is clearly blue or red counts as that, all else as green. A
//! circle of class `vertex` with an attribute `data-vertex` gives the vertex under it that number.
//! What has the class `scenery`, texts, and definitions are passed over.
//!
//! Nothing is fetched and nothing is run: scripts, event handlers, document type definitions,
//! embedded documents and links to elsewhere are refused.

mod joints;
mod path;
mod transform;

use std::ops::Range;

use grundy::ruleset::hackenbush::{Colour, Edge};
use grundy::{Kind, Message, message};
use roxmltree::{Document, Node, ParsingOptions};

use crate::Diagnostic;
use joints::Sketch;
use transform::Transform;

/// Most elements of a drawing.
const NODES: u32 = 20_000_000;

const SVG: &str = "http://www.w3.org/2000/svg";

/// A piece of a line: its ends, its colour, and the bytes it was read from.
pub(crate) struct Stroke {
    pub(crate) ends: [[f64; 2]; 2],
    pub(crate) curved: bool,
    pub(crate) colour: Colour,
    pub(crate) span: Range<usize>,
}

/// Returns the edges and the ground of a drawing.
pub(crate) fn read(source: &str) -> Result<(Vec<Edge>, Vec<u32>), Diagnostic> {
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(source, options).map_err(|error| {
        let place = error.pos();
        let offset = offset(source, place.row as usize, place.col as usize);
        let message = match error {
            roxmltree::Error::DtdDetected => {
                message!("document type definitions and entities are not read")
            }
            error => message!("this is not a drawing in SVG: {error}", error),
        };
        Diagnostic::new(Kind::Syntax, message).at(offset..offset)
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!("this is not a drawing in SVG: its root is not <svg>"),
        )
        .at(start_of(root)));
    }
    let mut sketch = Sketch::default();
    let mut pending = vec![(root, Transform::IDENTITY, Inherited::default())];
    while let Some((node, outer, inherited)) = pending.pop() {
        harmless(node)?;
        let foreign = node
            .tag_name()
            .namespace()
            .is_some_and(|namespace| namespace != SVG);
        let inherited = inherited.with(node);
        let known = !foreign && !inherited.skipped;
        let transform =
            match node.attribute("transform") {
                Some(text) if known => outer.then(Transform::parse(text).ok_or_else(|| {
                    unreadable(message!("the transformation cannot be read"), node)
                })?),
                _ => outer,
            };
        let name = node.tag_name().name();
        if known {
            element(node, name, transform, inherited, &mut sketch)?;
        }
        let hidden = foreign
            || matches!(
                name,
                "defs" | "metadata" | "marker" | "clipPath" | "mask" | "pattern" | "symbol"
            );
        let inherited = Inherited {
            skipped: inherited.skipped || hidden,
            ..inherited
        };
        for child in node.children().rev().filter(Node::is_element) {
            pending.push((child, transform, inherited));
        }
    }
    sketch.joined()
}

/// What a group hands down to its members.
#[derive(Clone, Copy, Default)]
struct Inherited {
    skipped: bool,
    ground: bool,
    colour: Option<Colour>,
}

impl Inherited {
    fn with(self, node: Node<'_, '_>) -> Self {
        let class = |name: &str| {
            node.attribute("class")
                .is_some_and(|classes| classes.split_ascii_whitespace().any(|class| class == name))
        };
        let colour = if class("green") {
            Some(Colour::Green)
        } else if class("blue") {
            Some(Colour::Blue)
        } else if class("red") {
            Some(Colour::Red)
        } else {
            property(node, "stroke").and_then(colour_of)
        };
        let hidden = property(node, "display") == Some("none");
        Self {
            skipped: self.skipped || class("scenery") || hidden,
            ground: self.ground || class("ground") || node.attribute("id") == Some("ground"),
            colour: colour.or(self.colour),
        }
    }
}

/// Returns a presentation attribute, which `style` overrides.
fn property<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let in_style = node.attribute("style").and_then(|style| {
        style.split(';').find_map(|rule| {
            let (key, value) = rule.split_once(':')?;
            (key.trim() == name).then(|| value.trim())
        })
    });
    in_style.or_else(|| node.attribute(name))
}

/// Blue and red where the stroke is clearly that; `None` where it says nothing.
fn colour_of(stroke: &str) -> Option<Colour> {
    let stroke = stroke.trim().to_ascii_lowercase();
    let [red, green, blue] = match stroke.as_str() {
        "none" | "inherit" | "currentcolor" => return None,
        "blue" | "navy" | "mediumblue" | "darkblue" | "royalblue" => [0, 0, 255],
        "red" | "crimson" | "darkred" | "firebrick" => [255, 0, 0],
        text => match text
            .strip_prefix('#')
            .map(|hex| (hex.len(), u32::from_str_radix(hex, 16)))
        {
            Some((3, Ok(n))) => [(n >> 8 & 15) * 17, (n >> 4 & 15) * 17, (n & 15) * 17],
            Some((6, Ok(n))) => [n >> 16 & 255, n >> 8 & 255, n & 255],
            _ => [0; 3],
        },
    };
    Some(if blue > red + 60 && blue > green + 40 {
        Colour::Blue
    } else if red > blue + 60 && red > green + 60 {
        Colour::Red
    } else {
        Colour::Green
    })
}

fn element(
    node: Node<'_, '_>,
    name: &str,
    transform: Transform,
    inherited: Inherited,
    sketch: &mut Sketch,
) -> Result<(), Diagnostic> {
    let number = |name: &str| match node.attribute(name) {
        None => Ok(0.0),
        Some(text) => text
            .trim()
            .trim_end_matches("px")
            .parse::<f64>()
            .ok()
            .filter(|x| x.is_finite())
            .ok_or_else(|| unreadable(message!("`{name}` is not a number", name), node)),
    };
    let mut pieces: Vec<path::Piece> = Vec::new();
    match name {
        "line" => pieces.push(path::Piece {
            ends: [
                [number("x1")?, number("y1")?],
                [number("x2")?, number("y2")?],
            ],
            curved: false,
        }),
        "polyline" | "polygon" => {
            let points = path::points(node.attribute("points").unwrap_or(""))
                .ok_or_else(|| unreadable(message!("the points cannot be read"), node))?;
            let closed = (name == "polygon" && points.len() > 2).then(|| points[0]);
            let ends = points.iter().copied().chain(closed);
            let mut before: Option<[f64; 2]> = None;
            for point in ends {
                if let Some(before) = before.replace(point) {
                    pieces.push(path::Piece {
                        ends: [before, point],
                        curved: false,
                    });
                }
            }
        }
        "path" => {
            pieces = path::pieces(node.attribute("d").unwrap_or(""))
                .ok_or_else(|| unreadable(message!("the path cannot be read"), node))?;
        }
        "circle" | "ellipse" => {
            if let Some(vertex) = node.attribute("data-vertex") {
                let vertex: u32 = vertex
                    .parse()
                    .ok()
                    .filter(|&vertex| vertex < u32::MAX)
                    .ok_or_else(|| {
                        unreadable(
                            message!("`data-vertex` is not the number of a vertex"),
                            node,
                        )
                    })?;
                sketch
                    .dots
                    .push((transform.apply([number("cx")?, number("cy")?]), vertex));
            }
        }
        _ => {}
    }
    for piece in pieces {
        let ends = piece.ends.map(|end| transform.apply(end));
        let stroke = Stroke {
            ends,
            curved: piece.curved,
            colour: inherited.colour.unwrap_or_default(),
            span: start_of(node),
        };
        if inherited.ground {
            sketch.ground.push(stroke);
        } else {
            sketch.strokes.push(stroke);
        }
    }
    Ok(())
}

/// Refuses what runs, embeds or points elsewhere.
fn harmless(node: Node<'_, '_>) -> Result<(), Diagnostic> {
    let name = node.tag_name().name();
    let refused = match name {
        "script" | "handler" | "listener" => Some(message!("a script")),
        "foreignObject" | "iframe" | "embed" | "object" | "audio" | "video" => {
            Some(message!("an embedded document"))
        }
        "image" | "use" | "feImage" => Some(message!(
            "a picture from elsewhere, or a copy of another part"
        )),
        "animate" | "animateMotion" | "animateTransform" | "set" => Some(message!("an animation")),
        _ => None,
    };
    if let Some(what) = refused {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!(
                "the drawing holds {what} (<{name}>), which is not read",
                what,
                name
            ),
        )
        .at(start_of(node))
        .help(message!("draw with lines, polylines and paths only")));
    }
    for attribute in node.attributes() {
        let name = attribute.name();
        let link = name == "href" && !attribute.value().trim_start().starts_with('#');
        if link
            || name
                .get(..2)
                .is_some_and(|start| start.eq_ignore_ascii_case("on"))
        {
            let what = if link {
                message!("a link to elsewhere")
            } else {
                message!("a script")
            };
            return Err(Diagnostic::new(
                Kind::Syntax,
                message!(
                    "the drawing holds {what} (`{name}`), which is not read",
                    what,
                    name
                ),
            )
            .at(attribute.range()));
        }
    }
    Ok(())
}

fn unreadable(message: Message, node: Node<'_, '_>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(start_of(node))
}

/// Returns the bytes of `<name`.
fn start_of(node: Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    start..start + 1 + node.tag_name().name().len()
}

/// Returns the byte at a row and column, both counted from 1.
fn offset(source: &str, row: usize, column: usize) -> usize {
    let line = source.split_inclusive('\n').nth(row - 1);
    let Some(line) = line else {
        return source.len();
    };
    let start = line.as_ptr() as usize - source.as_ptr() as usize;
    start
        + line
            .char_indices()
            .nth(column - 1)
            .map_or(line.len(), |(at, _)| at)
}
