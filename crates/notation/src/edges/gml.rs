//! Graphs in GML, the Graph Modelling Language. A vertex is named by its label, or by its id if it
//! has no label. All other data is ignored.

use std::collections::HashMap;
use std::io::BufRead;

use grundy_core::{Kind, Message, message};

use super::{EdgeCollector, read_whole, with_line};
use crate::Diagnostic;

/// A token of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Open,
    Close,
    /// A key, a number or a quoted text.
    Word(&'a str),
    End,
}

struct Tokenizer<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Tokenizer<'a> {
    fn next(&mut self) -> Result<Token<'a>, Diagnostic> {
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else {
                return Ok(Token::End);
            };
            let length = match first {
                '#' => rest.find('\n').unwrap_or(rest.len()),
                '[' | ']' => {
                    self.at += 1;
                    return Ok(if first == '[' {
                        Token::Open
                    } else {
                        Token::Close
                    });
                }
                '"' => {
                    let Some(end) = rest[1..].find('"') else {
                        return Err(self.error(message!("unterminated string")));
                    };
                    self.line += rest[..end].matches('\n').count() as u64;
                    self.at += end + 2;
                    return Ok(Token::Word(&rest[1..=end]));
                }
                _ if first.is_whitespace() => {
                    self.line += u64::from(first == '\n');
                    first.len_utf8()
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"' | '#');
                    let end = rest.find(ends).unwrap_or(rest.len());
                    self.at += end;
                    return Ok(Token::Word(&rest[..end]));
                }
            };
            self.at += length;
        }
    }

    fn error(&self, message: Message) -> Diagnostic {
        with_line(self.line, Diagnostic::new(Kind::Syntax, message))
    }
}

/// The values of an element that matter here.
#[derive(Default)]
struct Element<'a> {
    key: &'a str,
    id: Option<&'a str>,
    label: Option<&'a str>,
    source: Option<&'a str>,
    target: Option<&'a str>,
}

pub(super) fn read(input: impl BufRead, edges: &mut EdgeCollector<'_>) -> Result<(), Diagnostic> {
    let text = read_whole(input)?;
    let mut tokens = Tokenizer {
        text: text.trim_start_matches('\u{feff}'),
        at: 0,
        line: 1,
    };
    let mut directed = false;
    let mut nodes: Vec<(&str, Option<&str>)> = Vec::new();
    let mut links: Vec<(&str, &str, u64)> = Vec::new();
    // The stack is explicit, since elements can be nested to any depth.
    let mut open: Vec<Element<'_>> = Vec::new();
    let mut graphs = 0;
    loop {
        let key = match tokens.next()? {
            Token::End if open.is_empty() => break,
            Token::End => {
                return Err(tokens.error(message!("the graph is not closed: missing `]`")));
            }
            Token::Open => return Err(tokens.error(message!("expected a key before `[`"))),
            Token::Close => {
                let Some(element) = open.pop() else {
                    return Err(tokens.error(message!("unexpected `{sign}`", sign = "]")));
                };
                let inside = open.len() == 1 && open[0].key == "graph";
                match (inside, element.key) {
                    (true, "node") => {
                        let id = element.id.ok_or_else(|| {
                            tokens.error(message!("this element has no key `{name}`", name = "id"))
                        })?;
                        nodes.push((id, element.label));
                    }
                    (true, "edge") => {
                        let (Some(from), Some(to)) = (element.source, element.target) else {
                            return Err(tokens.error(message!("an edge must have two ends")));
                        };
                        links.push((from, to, tokens.line));
                    }
                    _ => {}
                }
                continue;
            }
            Token::Word(key) => key,
        };
        match tokens.next()? {
            Token::Open => {
                graphs += usize::from(open.is_empty() && key == "graph");
                open.push(Element {
                    key,
                    ..Element::default()
                });
            }
            Token::Word(value) => {
                directed |= open.len() == 1 && key == "directed" && value == "1";
                if let Some(element) = open.last_mut() {
                    match key {
                        "id" => element.id = Some(value),
                        "label" => element.label = Some(value),
                        "source" => element.source = Some(value),
                        "target" => element.target = Some(value),
                        _ => {}
                    }
                }
            }
            _ => return Err(tokens.error(message!("the key `{key}` has no value", key))),
        }
    }
    if graphs != 1 {
        return Err(tokens.error(message!("expected one `graph [ ... ]`")));
    }
    add(&nodes, &links, directed, edges)
}

/// Adds the vertices and edges of a graph.
fn add(
    nodes: &[(&str, Option<&str>)],
    links: &[(&str, &str, u64)],
    directed: bool,
    edges: &mut EdgeCollector<'_>,
) -> Result<(), Diagnostic> {
    // Labels are names only if they identify the vertices.
    let mut labels: Vec<&str> = nodes.iter().filter_map(|(_, label)| *label).collect();
    labels.sort_unstable();
    labels.dedup();
    let named = labels.len() == nodes.len();
    let mut vertices = HashMap::new();
    for (id, label) in nodes {
        let name = label.filter(|_| named).unwrap_or(id);
        vertices.insert(*id, edges.vertex(name)?);
    }
    for (from, to, line) in links {
        let end = |id: &str| {
            vertices.get(id).copied().ok_or_else(|| {
                let shown: String = id.chars().take(40).collect();
                let message = message!("there is no node with the id {id}", id = shown);
                with_line(*line, Diagnostic::new(Kind::Syntax, message))
            })
        };
        let (from, to) = (end(from)?, end(to)?);
        edges.edge(from, to)?;
        if !directed && from != to {
            edges.edge(to, from)?;
        }
    }
    if !directed && !links.is_empty() {
        edges.note_undirected();
    }
    Ok(())
}
