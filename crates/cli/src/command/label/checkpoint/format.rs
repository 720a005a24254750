//! A checkpoint of a labelling: a line of JSON, the graph as far as it was found, a checksum.
//!
//! After the line come the names one after the other, then in little-endian order where each ends (8 bytes), how many moves
//! each vertex has that was looked at (4 bytes), where they lead (4 bytes), in a game with ties the ends (4 bytes for the vertex
//! and 1 for its value: 0 for a loss, 1 for a tie, 2 for a win), and the CRC-32 of all before (4 bytes).

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::Path;

use crc32fast::Hasher;
use grundy::graph::{Digraph, Names};
use grundy::ties::Value as Worth;
use grundy::{GameGraph, Kind, Limits, Shape};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::whole_file;

/// Longest line at the beginning.
const LONGEST_HEAD: u64 = 1 << 26;

/// The parts of a checkpoint whose sum is kept on the way.
struct Summed<T> {
    inner: T,
    sum: Hasher,
}

impl<T: Write> Summed<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Summed<T> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.sum.update(&bytes);
        Ok(bytes)
    }
}

/// Writes the file as a whole, or leaves what is there.
pub(super) fn write(file: &Path, of: &Value, found: &GameGraph) -> Result<(), Failure> {
    let GameGraph {
        graph,
        names,
        shape,
    } = found;
    let (rows, positions) = (graph.vertices() as u32, names.len() as u32);
    let (word, ends) = match shape {
        Shape::Impartial => ("impartial", &[][..]),
        Shape::Partizan => ("partizan", &[][..]),
        Shape::Ties(ends) => ("ties", &ends[..]),
    };
    let head = json!({
        "kind": "label checkpoint",
        "version": 2,
        "of": of,
        "shape": word,
        "names": positions,
        "text": (0..positions).map(|v| names.get(v).len() as u64).sum::<u64>(),
        "looked_at": found.positions(),
        "moves": graph.edges(),
        "ends": ends.len(),
    });
    whole_file::write(file, |out| {
        let mut out = Summed {
            inner: out,
            sum: Hasher::new(),
        };
        out.put(format!("{head}\n").as_bytes())?;
        for v in 0..positions {
            out.put(names.get(v).as_bytes())?;
        }
        let mut end = 0u64;
        for v in 0..positions {
            end += names.get(v).len() as u64;
            out.put(&end.to_le_bytes())?;
        }
        for v in 0..rows {
            out.put(&(graph.options(v).len() as u32).to_le_bytes())?;
        }
        for v in 0..rows {
            for w in graph.options(v) {
                out.put(&w.to_le_bytes())?;
            }
        }
        for &(vertex, value) in ends {
            out.put(&vertex.to_le_bytes())?;
            out.put(&[value as u8])?;
        }
        let sum = out.sum.finalize();
        out.inner.write_all(&sum.to_le_bytes())
    })
}

/// What the line at the beginning says.
struct Head {
    shape: Shape,
    names: u64,
    text: u64,
    looked_at: u64,
    moves: u64,
    ends: u64,
}

impl Head {
    fn of(line: &Value) -> Option<Self> {
        let number = |key: &str| line[key].as_u64();
        let new = Self {
            shape: match line["shape"].as_str()? {
                "impartial" => Shape::Impartial,
                "partizan" => Shape::Partizan,
                "ties" => Shape::Ties(Vec::new()),
                _ => return None,
            },
            names: number("names")?,
            text: number("text")?,
            looked_at: number("looked_at")?,
            moves: number("moves")?,
            ends: number("ends")?,
        };
        let possible = new.names <= Digraph::MOST_VERTICES as u64 / new.turns()
            && new.moves <= Digraph::MOST_EDGES as u64
            && new.looked_at <= new.names;
        possible.then_some(new)
    }

    fn turns(&self) -> u64 {
        self.shape.turns().into()
    }

    /// How many bytes come after the line.
    fn bytes(&self) -> u128 {
        let parts = [
            (1, self.text),
            (8, self.names),
            (4, self.turns() * self.looked_at),
            (4, self.moves),
            (5, self.ends),
            (4, 1),
        ];
        let bytes = parts.iter().map(|&(size, count)| size * u128::from(count));
        bytes.sum()
    }
}

/// Reads a checkpoint of `of`.
pub(super) fn read(file: &Path, of: &Value, limits: &Limits<'_>) -> Result<GameGraph, Failure> {
    let name = file.display();
    let refuse = |what: &str| {
        Failure::from(
            Diagnostic::new(Kind::Io, format!("{name}: {what}"))
                .help("leave --resume out to begin again"),
        )
    };
    let broken = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => refuse("the checkpoint is cut off"),
        io::ErrorKind::InvalidData => refuse("the checkpoint is damaged"),
        _ => refuse(&error.to_string()),
    };
    let opened = File::open(file).map_err(|error| refuse(&error.to_string()))?;
    let length = opened.metadata().map_err(broken)?.len();
    let mut input = BufReader::with_capacity(1 << 18, opened);
    let mut line = Vec::new();
    let mut first = Read::by_ref(&mut input).take(LONGEST_HEAD);
    first.read_until(b'\n', &mut line).map_err(broken)?;
    if line.is_empty() {
        return Err(refuse("the checkpoint is cut off"));
    }
    let value: Value = serde_json::from_slice(&line).map_err(|_| refuse("not a checkpoint"))?;
    if value["kind"] != "label checkpoint" || value["version"] != 2 {
        return Err(refuse("not a checkpoint of this version"));
    }
    if value["of"] != *of {
        return Err(refuse(&difference(&value["of"], of)));
    }
    let head = Head::of(&value).ok_or_else(|| refuse("the checkpoint is damaged"))?;
    match (head.bytes() + line.len() as u128).cmp(&u128::from(length)) {
        Ordering::Greater => return Err(refuse("the checkpoint is cut off")),
        Ordering::Equal => {}
        Ordering::Less => return Err(refuse("the checkpoint is damaged")),
    }
    limits.check(head.names, 0)?;
    limits.check(1, length.saturating_mul(2))?;
    let mut sum = Hasher::new();
    sum.update(&line);
    let mut input = Summed { inner: input, sum };
    let found = input.graph(head).map_err(broken)?;
    let sum = input.sum.clone().finalize();
    let mut written = [0; 4];
    input.inner.read_exact(&mut written).map_err(broken)?;
    if sum != u32::from_le_bytes(written) {
        return Err(refuse("the checkpoint is damaged: its checksum is wrong"));
    }
    Ok(found)
}

/// In what a checkpoint of `kept` is not one of `of`.
fn difference(kept: &Value, of: &Value) -> String {
    let name = |value: &Value| {
        let name = value["position"].as_str().or(value["file"].as_str());
        name.unwrap_or("something else").to_owned()
    };
    if name(kept) != name(of) {
        format!("the checkpoint is of {}, not of {}", name(kept), name(of))
    } else if of["position"].is_string() {
        "the rule file is not the one that the checkpoint was written with".to_owned()
    } else {
        format!("{} has changed since the checkpoint was written", name(of))
    }
}

/// [`io::ErrorKind::InvalidData`] unless something holds.
fn sound(holds: bool) -> io::Result<()> {
    if holds {
        Ok(())
    } else {
        Err(io::ErrorKind::InvalidData.into())
    }
}

impl<T: Read> Summed<T> {
    fn number(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// All that comes after the line but the checksum.
    fn graph(&mut self, head: Head) -> io::Result<GameGraph> {
        let vertices = head.turns() * head.names;
        let looked_at = head.turns() * head.looked_at;
        let names = self.names(&head)?;
        let mut degrees = Vec::new();
        for _ in 0..looked_at {
            degrees.push(self.number()?);
        }
        let all: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
        sound(all == head.moves)?;
        let mut graph = Digraph::default();
        for degree in degrees {
            for _ in 0..degree {
                let target = self.number()?;
                sound(u64::from(target) < vertices)?;
                graph.push_edge(target);
            }
            graph.end_vertex();
        }
        let mut ends: Vec<(u32, Worth)> = Vec::new();
        for _ in 0..head.ends {
            let vertex = self.number()?;
            let worth = match self.take()? {
                [0] => Worth::Lose,
                [1] => Worth::Tie,
                [2] => Worth::Win,
                _ => return Err(io::ErrorKind::InvalidData.into()),
            };
            let after = ends.last().is_none_or(|&(last, _)| last < vertex);
            sound(after && u64::from(vertex) < looked_at)?;
            ends.push((vertex, worth));
        }
        let mut shape = head.shape;
        match &mut shape {
            Shape::Ties(list) => *list = ends,
            Shape::Impartial | Shape::Partizan => sound(ends.is_empty())?,
        }
        Ok(GameGraph {
            graph,
            names,
            shape,
        })
    }

    fn names(&mut self, head: &Head) -> io::Result<Names> {
        let mut text = vec![0; head.text as usize];
        self.inner.read_exact(&mut text)?;
        self.sum.update(&text);
        let text = String::from_utf8(text).map_err(|_| io::ErrorKind::InvalidData)?;
        let mut names = Names::default();
        let mut start = 0;
        for number in 0..head.names as u32 {
            let end = u64::from_le_bytes(self.take()?) as usize;
            let name = text.get(start..end);
            sound(name.is_some_and(|name| names.number(name) == number))?;
            start = end;
        }
        sound(start == text.len())?;
        Ok(names)
    }
}
