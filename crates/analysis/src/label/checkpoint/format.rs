//! A checkpoint of a labelling: a checked file with the graph as far as it was found.
//!
//! Its bytes are the names one after the other, then in little-endian order where each ends (8 bytes), how many moves
//! each vertex has that was looked at (4 bytes), where they lead (4 bytes), in a game with ties the ends (4 bytes for the vertex
//! and 1 for its value: 0 for a loss, 1 for a tie, 2 for a win).

use std::io::{self, Read, Write as _};
use std::path::Path;

use grundy::graph::{Digraph, Names};
use grundy::ruleset::{Beginner, Ends, Moves, Nature};
use grundy::{Diagnostic, GameGraph, Limits, Player, Worth};
use grundy_tablebase::checked::Form;
use serde_json::{Value, json};

use crate::files::{self, Files};

const FORM: Form = Form {
    noun: "checkpoint",
    kind: "label checkpoint",
    version: 4,
    help: "leave --resume out to begin again",
};

/// Writes the file as a whole, or leaves what is there.
pub(super) fn write(
    files: Files,
    file: &Path,
    of: &Value,
    found: &GameGraph,
) -> Result<(), Diagnostic> {
    let GameGraph {
        graph,
        names,
        nature,
        ends,
    } = found;
    let (rows, positions) = (graph.vertices() as u32, names.len() as u32);
    let head = Head {
        nature: *nature,
        names: positions.into(),
        text: (0..positions).map(|v| names.get(v).len() as u64).sum(),
        looked_at: found.positions().into(),
        moves: graph.edges() as u64,
        ends: ends.len() as u64,
    };
    files::write(files, file, |out| {
        FORM.write(out, &head.to_json(of), head.bytes() as u64, |out| {
            for v in 0..positions {
                out.write_all(names.get(v).as_bytes())?;
            }
            let mut end = 0u64;
            for v in 0..positions {
                end += names.get(v).len() as u64;
                out.write_all(&end.to_le_bytes())?;
            }
            for v in 0..rows {
                out.write_all(&(graph.options(v).len() as u32).to_le_bytes())?;
            }
            for v in 0..rows {
                for w in graph.options(v) {
                    out.write_all(&w.to_le_bytes())?;
                }
            }
            for &(vertex, value) in ends {
                out.write_all(&vertex.to_le_bytes())?;
                out.write_all(&[value as u8])?;
            }
            Ok(())
        })
    })
}

/// What kind of game it is, in three words.
fn nature_words(nature: Nature) -> [&'static str; 3] {
    [
        match nature.moves {
            Moves::Same => "same moves",
            Moves::Own => "own moves",
        },
        match nature.ends {
            Ends::LastMove => "last move",
            Ends::Payoff => "payoff",
        },
        match nature.beginner {
            Beginner::Either => "either",
            Beginner::Fixed(Player::Left) => "left",
            Beginner::Fixed(Player::Right) => "right",
        },
    ]
}

fn nature_of(words: &Value) -> Option<Nature> {
    let all = [Moves::Same, Moves::Own].into_iter().flat_map(|moves| {
        [Ends::LastMove, Ends::Payoff]
            .into_iter()
            .flat_map(move |ends| {
                let fixed = Player::BOTH.map(Beginner::Fixed);
                [Beginner::Either, fixed[0], fixed[1]].map(|beginner| Nature {
                    moves,
                    ends,
                    beginner,
                })
            })
    });
    all.into_iter()
        .find(|&nature| json!(nature_words(nature)) == *words)
}

/// What the head of the file says.
struct Head {
    nature: Nature,
    names: u64,
    text: u64,
    looked_at: u64,
    moves: u64,
    ends: u64,
}

impl Head {
    fn to_json(&self, of: &Value) -> Value {
        json!({
            "of": of,
            "nature": nature_words(self.nature),
            "names": self.names,
            "text": self.text,
            "looked_at": self.looked_at,
            "moves": self.moves,
            "ends": self.ends,
        })
    }

    fn of(line: &Value) -> Option<Self> {
        let number = |key: &str| line[key].as_u64();
        let new = Self {
            nature: nature_of(&line["nature"])?,
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
        self.nature.beginners().len() as u64
    }

    /// How many bytes that makes.
    fn bytes(&self) -> u128 {
        let parts = [
            (1, self.text),
            (8, self.names),
            (4, self.turns() * self.looked_at),
            (4, self.moves),
            (5, self.ends),
        ];
        let bytes = parts.iter().map(|&(size, count)| size * u128::from(count));
        bytes.sum()
    }
}

/// Reads a checkpoint of `of`.
pub(super) fn read(file: &Path, of: &Value, limits: &Limits<'_>) -> Result<GameGraph, Diagnostic> {
    let mut input = FORM.open(file)?;
    if input.head()["of"] != *of {
        let what = difference(&input.head()["of"], of);
        return Err(input.refuse(&what));
    }
    let head = Head::of(input.head()).filter(|head| head.bytes() == input.length().into());
    let head = head.ok_or_else(|| input.damaged())?;
    limits.check(head.names, 0)?;
    limits.check(1, input.length().saturating_mul(2))?;
    let found = graph(&mut input, &head).map_err(|error| input.broken(&error))?;
    input.finish()?;
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

fn take<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number(input: &mut impl Read) -> io::Result<u32> {
    Ok(u32::from_le_bytes(take(input)?))
}

/// All that comes after the head.
fn graph(input: &mut impl Read, head: &Head) -> io::Result<GameGraph> {
    let vertices = head.turns() * head.names;
    let looked_at = head.turns() * head.looked_at;
    let names = names(input, head)?;
    let mut degrees = Vec::new();
    for _ in 0..looked_at {
        degrees.push(number(input)?);
    }
    let all: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
    sound(all == head.moves)?;
    let mut graph = Digraph::default();
    for degree in degrees {
        for _ in 0..degree {
            let target = number(input)?;
            sound(u64::from(target) < vertices)?;
            graph.push_edge(target);
        }
        graph.end_vertex();
    }
    let mut ends: Vec<(u32, Worth)> = Vec::new();
    for _ in 0..head.ends {
        let vertex = number(input)?;
        let worth = match take(input)? {
            [0] => Worth::Lose,
            [1] => Worth::Tie,
            [2] => Worth::Win,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        let after = ends.last().is_none_or(|&(last, _)| last < vertex);
        sound(after && u64::from(vertex) < looked_at)?;
        ends.push((vertex, worth));
    }
    sound(head.nature.ends == Ends::Payoff || ends.is_empty())?;
    Ok(GameGraph {
        graph,
        names,
        nature: head.nature,
        ends,
    })
}

fn names(input: &mut impl Read, head: &Head) -> io::Result<Names> {
    let mut text = vec![0; head.text as usize];
    input.read_exact(&mut text)?;
    let text = String::from_utf8(text).map_err(|_| io::ErrorKind::InvalidData)?;
    let mut names = Names::default();
    let mut start = 0;
    for number in 0..head.names as u32 {
        let end = u64::from_le_bytes(take(input)?) as usize;
        let name = text.get(start..end);
        sound(name.is_some_and(|name| names.number(name) == number))?;
        start = end;
    }
    sound(start == text.len())?;
    Ok(names)
}
