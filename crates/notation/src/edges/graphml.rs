//! Graphs in GraphML, an XML format of yEd, `NetworkX` and others. The names of the vertices are
//! the ids of the nodes. Data such as labels and colours is ignored.

use std::collections::HashMap;
use std::io::BufRead;

use grundy_core::{Kind, Message, message};
use roxmltree::{Document, Node, NodeId, ParsingOptions};

use super::{EdgeCollector, read_whole, with_line};
use crate::Diagnostic;

pub(super) fn read(input: impl BufRead, edges: &mut EdgeCollector<'_>) -> Result<(), Diagnostic> {
    let text = read_whole(input)?;
    // A document type definition could define entities that expand exponentially.
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: 100_000_000,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options).map_err(|error| {
        let line = u64::from(error.pos().row);
        let message = match error {
            roxmltree::Error::DtdDetected => {
                message!("document type definitions and entities are not supported")
            }
            error => message!("not a GraphML file: {error}", error),
        };
        with_line(line, Diagnostic::new(Kind::Syntax, message))
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(error_at(
            root,
            message!("not a GraphML file: the root element is not <graphml>"),
        ));
    }
    let mut undirected = false;
    let mut defaults = HashMap::new();
    for node in root.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "node" => {
                let id = attribute(node, "id")?;
                edges.vertex(id)?;
            }
            "edge" => {
                let from = edges.vertex(attribute(node, "source")?)?;
                let to = edges.vertex(attribute(node, "target")?)?;
                edges.edge(from, to)?;
                let directed = match node.attribute("directed") {
                    Some(written) => written == "true",
                    None => is_directed(node, &mut defaults),
                };
                if !directed && from != to {
                    edges.edge(to, from)?;
                }
                undirected |= !directed;
            }
            "hyperedge" => {
                return Err(error_at(node, message!("hyperedges are not supported")));
            }
            _ => {}
        }
    }
    if undirected {
        edges.note_undirected();
    }
    Ok(())
}

/// Returns whether edges like `edge` are directed by default. The innermost graph around the edge
/// states it. `defaults` caches the answers for elements around earlier edges, so that each element
/// is visited once, however deep the elements are nested.
fn is_directed(edge: Node<'_, '_>, defaults: &mut HashMap<NodeId, bool>) -> bool {
    let mut visited = Vec::new();
    let mut directed = true;
    for around in edge.ancestors().skip(1) {
        if let Some(&known) = defaults.get(&around.id()) {
            directed = known;
            break;
        }
        visited.push(around.id());
        if around.tag_name().name() == "graph" {
            directed = around.attribute("edgedefault") != Some("undirected");
            break;
        }
    }
    defaults.extend(visited.into_iter().map(|id| (id, directed)));
    directed
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, Diagnostic> {
    node.attribute(name).ok_or_else(|| {
        let element = node.tag_name().name();
        error_at(
            node,
            message!("<{element}> has no attribute `{name}`", element, name),
        )
    })
}

fn error_at(node: Node<'_, '_>, message: Message) -> Diagnostic {
    let position = node.document().text_pos_at(node.range().start);
    with_line(
        u64::from(position.row),
        Diagnostic::new(Kind::Syntax, message),
    )
}
