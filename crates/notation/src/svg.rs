//! Hackenbush pictures from SVG drawings. The drawings may come from any vector editor.
//!
//! Every straight or curved segment of a line, polyline, polygon or path is an edge. Ends that are
//! close together are the same vertex. The ground consists of all elements with the id or class
//! `ground`. If there are no such elements, the ground is the lowest horizontal line.
//!
//! An edge has the colour of its class: `green`, `blue` or `red`. Without such a class, its stroke
//! determines the colour: clearly blue and clearly red strokes are blue and red, and all others are
//! green. The attribute `data-vertex` of a circle or an ellipse is the number of the vertex at its
//! centre. Elements of class `scenery`, texts and definitions are ignored.
//!
//! Nothing is loaded or executed. Scripts, event handlers, document type definitions, embedded
//! documents and external links are rejected.

mod path;
mod transform;
mod vertices;

use std::ops::Range;

use grundy_core::ruleset::hackenbush::{Colour, Edge};
use grundy_core::{Kind, Message, message};
use roxmltree::{Document, Node, ParsingOptions};

use crate::Diagnostic;
use transform::Transform;
use vertices::Sketch;

/// Largest number of elements in a drawing.
const MAX_NODES: u32 = 20_000_000;

const SVG: &str = "http://www.w3.org/2000/svg";

/// A segment of the drawing, with its colour and the byte range in the source at which its element
/// begins.
pub(crate) struct Stroke {
    pub(crate) ends: [[f64; 2]; 2],
    pub(crate) curved: bool,
    pub(crate) colour: Colour,
    pub(crate) span: Range<usize>,
}

/// Parses a drawing and returns its edges and its ground vertices.
pub(crate) fn read(source: &str) -> Result<(Vec<Edge>, Vec<u32>), Diagnostic> {
    // A document type definition could define entities that expand exponentially.
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(source, options).map_err(|error| {
        let position = error.pos();
        let offset = offset(source, position.row as usize, position.col as usize);
        let message = match error {
            roxmltree::Error::DtdDetected => {
                message!("document type definitions and entities are not supported")
            }
            error => message!("not an SVG drawing: {error}", error),
        };
        Diagnostic::new(Kind::Syntax, message).at(offset..offset)
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!("not an SVG drawing: the root element is not <svg>"),
        )
        .at(start_of(root)));
    }
    let mut sketch = Sketch::default();
    // The stack is explicit, since groups may be nested to any depth.
    let mut pending = vec![(root, Transform::IDENTITY, Inherited::default())];
    while let Some((node, outer, inherited)) = pending.pop() {
        reject_active_content(node)?;
        let foreign = node
            .tag_name()
            .namespace()
            .is_some_and(|namespace| namespace != SVG);
        let inherited = inherited.with(node);
        let visible = !foreign && !inherited.skipped;
        let transform = match node.attribute("transform") {
            Some(text) if visible => outer.then(
                Transform::parse(text)
                    .ok_or_else(|| invalid_element(message!("invalid transformation"), node))?,
            ),
            _ => outer,
        };
        let name = node.tag_name().name();
        if visible {
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
    sketch.into_picture()
}

/// The properties that elements inherit from the groups around them.
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

/// Returns the value of a presentation attribute. If the attribute `style` contains the property,
/// that value has precedence.
fn property<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    // In CSS, inline styles have precedence over presentation attributes.
    let in_style = node.attribute("style").and_then(|style| {
        style.split(';').find_map(|rule| {
            let (key, value) = rule.split_once(':')?;
            (key.trim() == name).then(|| value.trim())
        })
    });
    in_style.or_else(|| node.attribute(name))
}

/// Returns blue or red if the stroke is clearly of this colour, and green for other colours.
/// Returns `None` if the stroke has no colour.
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
    // Thresholds are used, since editors write many shades of a colour. Dark and grey strokes must
    // be green.
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
            .ok_or_else(|| invalid_element(message!("`{name}` is not a number", name), node)),
    };
    let mut segments: Vec<path::Segment> = Vec::new();
    match name {
        "line" => segments.push(path::Segment {
            ends: [
                [number("x1")?, number("y1")?],
                [number("x2")?, number("y2")?],
            ],
            curved: false,
        }),
        "polyline" | "polygon" => {
            let points = path::points(node.attribute("points").unwrap_or(""))
                .ok_or_else(|| invalid_element(message!("invalid points"), node))?;
            let closed = (name == "polygon" && points.len() > 2).then(|| points[0]);
            let ends = points.iter().copied().chain(closed);
            let mut before: Option<[f64; 2]> = None;
            for point in ends {
                if let Some(before) = before.replace(point) {
                    segments.push(path::Segment {
                        ends: [before, point],
                        curved: false,
                    });
                }
            }
        }
        "path" => {
            segments = path::segments(node.attribute("d").unwrap_or(""))
                .ok_or_else(|| invalid_element(message!("invalid path"), node))?;
        }
        "circle" | "ellipse" => {
            if let Some(vertex) = node.attribute("data-vertex") {
                let vertex: u32 = vertex
                    .parse()
                    .ok()
                    .filter(|&vertex| vertex < u32::MAX)
                    .ok_or_else(|| {
                        invalid_element(
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
    for segment in segments {
        let ends = segment.ends.map(|end| transform.apply(end));
        let stroke = Stroke {
            ends,
            curved: segment.curved,
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

/// Returns an error for elements and attributes that run code, embed documents or refer to external
/// documents.
fn reject_active_content(node: Node<'_, '_>) -> Result<(), Diagnostic> {
    let name = node.tag_name().name();
    let rejected = match name {
        "script" | "handler" | "listener" => Some(message!("a script")),
        "foreignObject" | "iframe" | "embed" | "object" | "audio" | "video" => {
            Some(message!("an embedded document"))
        }
        "image" | "use" | "feImage" => Some(message!(
            "an external picture, or an element that repeats another part of the drawing"
        )),
        "animate" | "animateMotion" | "animateTransform" | "set" => Some(message!("an animation")),
        _ => None,
    };
    if let Some(what) = rejected {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!(
                "the drawing contains {what} (<{name}>), which is not supported",
                what,
                name
            ),
        )
        .at(start_of(node))
        .help(message!("use lines, polylines and paths only")));
    }
    for attribute in node.attributes() {
        let name = attribute.name();
        // References within the document are allowed. For example, a colour may refer to a
        // gradient.
        let link = name == "href" && !attribute.value().trim_start().starts_with('#');
        if link
            || name
                .get(..2)
                .is_some_and(|start| start.eq_ignore_ascii_case("on"))
        {
            let what = if link {
                message!("an external link")
            } else {
                message!("a script")
            };
            return Err(Diagnostic::new(
                Kind::Syntax,
                message!(
                    "the drawing contains {what} (`{name}`), which is not supported",
                    what,
                    name
                ),
            )
            .at(attribute.range()));
        }
    }
    Ok(())
}

fn invalid_element(message: Message, node: Node<'_, '_>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(start_of(node))
}

/// Returns the byte range of `<name` at the beginning of an element.
fn start_of(node: Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    start..start + 1 + node.tag_name().name().len()
}

/// Returns the byte index of a row and a column, both counted from 1.
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
