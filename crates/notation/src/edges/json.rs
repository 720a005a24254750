//! Edge lists in JSON: a map from vertices to lists of their options, or a list of edges. Also
//! objects with nodes and links, as `NetworkX` (`node_link_data`) and D3 write them.

use std::fmt;
use std::io::{self, BufRead, Read};

use grundy_core::{Kind, message};
use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::{EdgeCollector, MAX_NAME_BYTES};
use crate::Diagnostic;
use crate::json_error;

pub(super) fn read(input: impl BufRead, edges: &mut EdgeCollector<'_>) -> Result<(), Diagnostic> {
    // The visitors add each edge to `edges` while the file is parsed. A `serde_json::Value` of the
    // whole file would take many times the memory of the graph.
    let mut error = None;
    let mut text = serde_json::Deserializer::from_reader(LengthGuard {
        input,
        string_bytes: 0,
        last: 0,
    });
    let mut sink = EdgeSink {
        edges,
        error: &mut error,
    };
    let result = text
        .deserialize_any(DocumentVisitor(&mut sink))
        .and_then(|()| text.end());
    match (result, error) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(diagnostic)) => Err(diagnostic),
        (Err(error), None) => {
            let kind = if error.is_io() {
                Kind::Io
            } else {
                Kind::Syntax
            };
            Err(Diagnostic::new(kind, json_error(&error)).help(message!(
                r#"write {"a": ["b", "c"], "b": []} or [["a", "b"], ["a", "c"]]"#
            )))
        }
    }
}

/// A reader that returns an error for very long strings, because the parser would store them
/// completely.
struct LengthGuard<R> {
    input: R,
    /// Number of bytes since the last quotation mark, without white space.
    string_bytes: usize,
    last: u8,
}

impl<R: BufRead> Read for LengthGuard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        for &byte in &buffer[..count] {
            let ends = byte == b'"' && self.last != b'\\';
            // White space is not counted and may have any length, since the parser does not store
            // it.
            self.string_bytes += usize::from(!byte.is_ascii_whitespace());
            self.string_bytes = if ends { 0 } else { self.string_bytes };
            self.last = byte;
        }
        // An escape such as `\u0061` has more bytes than its character, so twice the limit is
        // allowed. The exact length is checked by `EdgeCollector::vertex`.
        if self.string_bytes > 2 * MAX_NAME_BYTES {
            return Err(io::Error::other(super::name_too_long()));
        }
        Ok(count)
    }
}

/// The collector of the edges, and the error that stopped the parser. The error is stored here,
/// since an error of serde cannot contain a diagnostic.
struct EdgeSink<'s, 'a> {
    edges: &'s mut EdgeCollector<'a>,
    error: &'s mut Option<Diagnostic>,
}

impl EdgeSink<'_, '_> {
    fn store_error<T, E: Error>(&mut self, result: Result<T, Diagnostic>) -> Result<T, E> {
        result.map_err(|diagnostic| {
            *self.error = Some(diagnostic);
            E::custom("stopped")
        })
    }

    fn vertex<E: Error>(&mut self, name: &str) -> Result<u32, E> {
        let vertex = self.edges.vertex(name);
        self.store_error(vertex)
    }

    fn edge<E: Error>(&mut self, from: u32, to: u32) -> Result<(), E> {
        let edge = self.edges.edge(from, to);
        self.store_error(edge)
    }
}

struct DocumentVisitor<'t, 's, 'a>(&'t mut EdgeSink<'s, 'a>);

impl<'de> Visitor<'de> for DocumentVisitor<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of lists, or a list of edges")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let first = self.0.edges.edges();
        let mut form = NodeLink::default();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(EntrySeed {
                sink: self.0,
                key: &key,
                form: &mut form,
            })?;
        }
        // NetworkX states whether the graph is directed. D3 does not, and its links have no arrows.
        if form.links && !form.directed {
            self.0.edges.note_undirected();
            let reversed = self.0.edges.add_reversed(first);
            self.0.store_error(reversed)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(EdgeSeed(self.0))?.is_some() {}
        Ok(())
    }
}

/// A seed that deserializes a vertex, given as a string or an integer.
struct VertexSeed<'t, 's, 'a>(&'t mut EdgeSink<'s, 'a>);

impl<'de> DeserializeSeed<'de> for VertexSeed<'_, '_, '_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<u32, D::Error> {
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for VertexSeed<'_, '_, '_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a vertex, a string or a whole number")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<u32, E> {
        self.0.vertex(name)
    }

    fn visit_u64<E: Error>(self, name: u64) -> Result<u32, E> {
        self.0.vertex(&name.to_string())
    }

    fn visit_i64<E: Error>(self, name: i64) -> Result<u32, E> {
        self.0.vertex(&name.to_string())
    }
}

/// The properties of an object with nodes and links.
#[derive(Default)]
struct NodeLink {
    directed: bool,
    links: bool,
    /// The number of nodes. `None` if nothing shows that the object has nodes.
    nodes: Option<usize>,
}

/// A seed for the value of a key of an object. The value is the list of the options of the vertex
/// `key`, or a part of an object with nodes and links.
struct EntrySeed<'t, 's, 'a> {
    sink: &'t mut EdgeSink<'s, 'a>,
    key: &'t str,
    form: &'t mut NodeLink,
}

impl<'de> DeserializeSeed<'de> for EntrySeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for EntrySeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of vertices")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        match self.key {
            "directed" => self.form.directed = value,
            "multigraph" => {}
            _ => return Err(E::invalid_type(Unexpected::Bool(value), &self)),
        }
        self.form.nodes.get_or_insert_default();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // The data of the whole graph.
        if self.key != "graph" {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        self.form.nodes.get_or_insert_default();
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Self { sink, key, form } = self;
        let part = matches!(key, "nodes" | "links" | "edges");
        let mut source = if part { None } else { Some(sink.vertex(key)?) };
        loop {
            let item = ItemSeed {
                entry: EntrySeed { sink, key, form },
                part,
                source: &mut source,
            };
            if list.next_element_seed(item)?.is_none() {
                break;
            }
        }
        // An empty list belongs to a vertex, unless other keys show that the object has nodes.
        if source.is_none() && form.nodes.is_none() {
            sink.vertex(key)?;
        }
        Ok(())
    }
}

/// A seed for an element of a list: an option of the vertex `source`, or a node or link.
struct ItemSeed<'i, 't, 's, 'a> {
    entry: EntrySeed<'t, 's, 'a>,
    /// `true` if the element may be a node or a link.
    part: bool,
    source: &'i mut Option<u32>,
}

impl ItemSeed<'_, '_, '_, '_> {
    fn option<E: Error>(self, name: &str) -> Result<(), E> {
        let sink = self.entry.sink;
        let source = match *self.source {
            Some(source) => source,
            None => *self.source.insert(sink.vertex(self.entry.key)?),
        };
        let target = sink.vertex(name)?;
        sink.edge(source, target)
    }
}

impl<'de> DeserializeSeed<'de> for ItemSeed<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ItemSeed<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a vertex, a string or a whole number")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<(), E> {
        self.option(name)
    }

    fn visit_u64<E: Error>(self, name: u64) -> Result<(), E> {
        self.option(&name.to_string())
    }

    fn visit_i64<E: Error>(self, name: i64) -> Result<(), E> {
        self.option(&name.to_string())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if !self.part || self.source.is_some() {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        let EntrySeed { sink, key, form } = self.entry;
        let nodes = form.nodes.get_or_insert_default();
        let known = sink.edges.names.len();
        let (mut ends, mut node) = ([None, None], None);
        while let Some(field) = map.next_key::<String>()? {
            match field.as_str() {
                "source" if key != "nodes" => {
                    ends[0] = Some(map.next_value_seed(VertexSeed(sink))?);
                }
                "target" if key != "nodes" => {
                    ends[1] = Some(map.next_value_seed(VertexSeed(sink))?);
                }
                "id" if key == "nodes" => node = Some(map.next_value_seed(VertexSeed(sink))?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if key == "nodes" {
            *nodes += 1;
            return node
                .map(|_| ())
                .ok_or_else(|| A::Error::missing_field("id"));
        }
        let [from, to] = ends;
        let from = from.ok_or_else(|| A::Error::missing_field("source"))?;
        let to = to.ok_or_else(|| A::Error::missing_field("target"))?;
        // D3 may refer to nodes by their index. Then the names are not those of the nodes.
        if *nodes > 0 && sink.edges.names.len() > known {
            return Err(A::Error::custom(
                "this link has an end that is not among the nodes",
            ));
        }
        form.links = true;
        sink.edge(from, to)
    }
}

/// A seed that deserializes an edge (`["a", "b"]` or `{"from": "a", "to": "b"}`), or a single
/// vertex (`["a"]` or `{"from": "a"}`).
struct EdgeSeed<'t, 's, 'a>(&'t mut EdgeSink<'s, 'a>);

impl<'de> DeserializeSeed<'de> for EdgeSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for EdgeSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an edge: a pair of vertices, or an object with `from` and `to`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some(from) = list.next_element_seed(VertexSeed(self.0))? else {
            return Err(A::Error::custom("an edge must have two ends"));
        };
        if let Some(to) = list.next_element_seed(VertexSeed(self.0))? {
            self.0.edge(from, to)?;
            if list.next_element::<IgnoredAny>()?.is_some() {
                return Err(A::Error::custom("an edge must have two ends"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut from, mut to) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "from" => from = Some(map.next_value_seed(VertexSeed(self.0))?),
                "to" => to = map.next_value_seed(OptionalVertexSeed(self.0))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match (from, to) {
            (Some(from), Some(to)) => self.0.edge(from, to),
            (Some(_), None) => Ok(()),
            (None, _) => Err(A::Error::missing_field("from")),
        }
    }
}

/// A seed that deserializes a vertex, or `null` for a missing vertex.
struct OptionalVertexSeed<'t, 's, 'a>(&'t mut EdgeSink<'s, 'a>);

impl<'de> DeserializeSeed<'de> for OptionalVertexSeed<'_, '_, '_> {
    type Value = Option<u32>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<u32>, D::Error> {
        from.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for OptionalVertexSeed<'_, '_, '_> {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a vertex, or null")
    }

    fn visit_none<E: Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Option<u32>, D::Error> {
        VertexSeed(self.0).deserialize(from).map(Some)
    }
}
