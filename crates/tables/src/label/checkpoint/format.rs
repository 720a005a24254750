//! A checkpoint of a labelling: a file with a checksum that contains the part of the graph found so
//! far.
//!
//! All numbers are little-endian. The file holds, in this order:
//!
//! - For a game: each component as the length of its text, the number of its table, and its text.
//!   The two numbers take 4 bytes each. [`Numbered::parts`] defines the tables.
//! - For a graph from a file: the name of each vertex in the same form, with table 0.
//! - For a game: each position as a list of component numbers, after the length of the list (4
//!   bytes a number).
//! - The number of moves of each expanded vertex (4 bytes).
//! - The targets of all moves (4 bytes each).
//! - For a game with ties: the vertex of each terminal position (4 bytes) and its payoff (1 byte).
//!   The payoff is 0 for a loss, 1 for a tie and 2 for a win.

use std::io::{self, Read, Write as _};
use std::path::Path;

use grundy_core::graph::{Digraph, Lists, Names};
use grundy_core::message::Setting;
use grundy_core::ruleset::{Beginner, Ends, Moves, Nature};
use grundy_core::{
    Diagnostic, GameGraph, Limits, Message, Numbered, PayoffResult, Player, Position,
    PositionIndex, message,
};
use grundy_tablebase::checked::Form;
use serde_json::{Value, json};

use grundy_job::files::{self, Files};

const FORM: Form = Form {
    noun: || message!("checkpoint"),
    kind: "label checkpoint",
    version: 5,
    help: || {
        message!(
            "omit {option} to start over",
            option = Setting::command_line("resume")
        )
    },
};

/// Writes the graph found so far to a file atomically. If this fails, the previous checkpoint is
/// intact.
pub(super) fn write(
    files: &Files,
    file: &Path,
    identity: &Value,
    found: &GameGraph,
) -> Result<(), Diagnostic> {
    let GameGraph {
        graph,
        index,
        nature,
        ends,
    } = found;
    let rows = graph.vertices() as u32;
    let mut head = Head {
        nature: *nature,
        positions: index.len() as u64,
        texts: 0,
        text: 0,
        numbers: None,
        looked_at: found.positions().into(),
        moves: graph.edges() as u64,
        ends: ends.len() as u64,
    };
    if let PositionIndex::Numbered(numbered) = index {
        let lengths = list_lengths(numbered.lists()).map(u64::from);
        head.numbers = Some(lengths.sum());
    }
    // The head contains the exact lengths and comes first, so the texts are visited twice.
    for_each_text(index, |_, text| {
        head.texts += 1;
        head.text += text.len() as u64;
        Ok(())
    })
    .expect("counting does not fail");
    files::write(files, file, |out| {
        FORM.write(out, &head.to_json(identity), head.bytes() as u64, |out| {
            for_each_text(index, |table, text| {
                out.write_all(&(text.len() as u32).to_le_bytes())?;
                out.write_all(&table.to_le_bytes())?;
                out.write_all(text.as_bytes())
            })?;
            if let PositionIndex::Numbered(numbered) = index {
                for (position, length) in (0..).zip(list_lengths(numbered.lists())) {
                    out.write_all(&length.to_le_bytes())?;
                    for part in numbered.lists().get(position) {
                        out.write_all(&part.to_le_bytes())?;
                    }
                }
            }
            // All degrees come before the targets. So a reader can compare their sum with the head
            // before it allocates the edges.
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

/// Returns the length of each list in `lists`. Each list contains the indices of the components of
/// one position.
fn list_lengths(lists: &Lists) -> impl Iterator<Item = u32> + '_ {
    (0..lists.len() as u32).map(|number| lists.get(number).len() as u32)
}

/// Calls `visit` for each component, with the index of its table (see [`Numbered::parts`]) and its
/// text. For a graph from a file, calls `visit` for each vertex, with table 0 and the name of the
/// vertex.
fn for_each_text(
    index: &PositionIndex,
    mut visit: impl FnMut(u32, &str) -> io::Result<()>,
) -> io::Result<()> {
    match index {
        PositionIndex::Named(names) => {
            (0..names.len() as u32).try_for_each(|v| visit(0, names.get(v)))
        }
        PositionIndex::Numbered(numbered) => {
            let mut parts = numbered.parts();
            parts.try_for_each(|(table, text)| visit(table, &text))
        }
    }
}

/// Returns the nature of a game (see [`Nature`]) as words, as stored in the first line of a
/// checkpoint. There are three words, and a fourth if a player wins endless play.
fn nature_words(nature: Nature) -> Vec<&'static str> {
    let mut words = vec![
        match nature.moves {
            Moves::Same => "impartial",
            Moves::Partizan => "partizan",
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
    ];
    words.extend(nature.endless.map(|winner| winner.of(["left", "right"])));
    words
}

fn nature_of(words: &Value) -> Option<Nature> {
    // The words are compared with those of all natures, so that this function is the inverse of
    // `nature_words`.
    let [left, right] = Player::BOTH;
    let beginners = [left, right].map(Beginner::Fixed);
    let beginners = [Beginner::Either, beginners[0], beginners[1]];
    let all = [Moves::Same, Moves::Partizan]
        .into_iter()
        .flat_map(|moves| {
            let ends = [Ends::LastMove, Ends::Payoff].into_iter();
            ends.flat_map(move |ends| {
                beginners.into_iter().flat_map(move |beginner| {
                    [None, Some(left), Some(right)].map(|endless| Nature {
                        moves,
                        ends,
                        beginner,
                        endless,
                    })
                })
            })
        });
    all.into_iter()
        .find(|&nature| json!(nature_words(nature)) == *words)
}

/// The data in the first line of a checkpoint file.
struct Head {
    nature: Nature,
    /// Number of positions found.
    positions: u64,
    texts: u64,
    /// Total length of all texts in bytes.
    text: u64,
    /// Total length of the lists of component indices by which positions are stored. `None` if
    /// positions are stored by their names.
    numbers: Option<u64>,
    looked_at: u64,
    moves: u64,
    ends: u64,
}

impl Head {
    fn to_json(&self, identity: &Value) -> Value {
        json!({
            "of": identity,
            "nature": nature_words(self.nature),
            "met": self.positions,
            "texts": self.texts,
            "text": self.text,
            "numbers": self.numbers,
            "looked_at": self.looked_at,
            "moves": self.moves,
            "ends": self.ends,
        })
    }

    fn of(line: &Value) -> Option<Self> {
        let number = |key: &str| line[key].as_u64();
        let new = Self {
            nature: nature_of(&line["nature"])?,
            positions: number("met")?,
            texts: number("texts")?,
            text: number("text")?,
            numbers: number("numbers"),
            looked_at: number("looked_at")?,
            moves: number("moves")?,
            ends: number("ends")?,
        };
        // With these bounds, vertex numbers fit in `u32`, and the sums in `bytes` cannot overflow
        // `u128`. A graph from a file has one text for each vertex.
        let possible = new.positions <= Digraph::MAX_VERTICES as u64 / new.turns()
            && new.moves <= Digraph::MAX_EDGES as u64
            && new.looked_at <= new.positions
            && (new.numbers.is_some() || new.texts == new.positions);
        possible.then_some(new)
    }

    fn turns(&self) -> u64 {
        self.nature.beginners().len() as u64
    }

    /// Returns the number of bytes between the first line of the checkpoint and its checksum.
    fn bytes(&self) -> u128 {
        let parts = [
            (8, self.texts),
            (1, self.text),
            (4, self.numbers.unwrap_or(0)),
            (4, self.numbers.map_or(0, |_| self.positions)),
            (4, self.turns() * self.looked_at),
            (4, self.moves),
            (5, self.ends),
        ];
        let bytes = parts.iter().map(|&(size, count)| size * u128::from(count));
        bytes.sum()
    }
}

/// The start position of a labelling, and the function that parses a component from its text.
pub(crate) type Start<'a> = (&'a Position, &'a dyn Fn(&str, u32) -> Option<Position>);

/// Reads the checkpoint of a labelling. A checkpoint whose stored identity is not `identity` is
/// rejected. The argument `start` is `None` for a graph from a file.
///
/// Returns `None` if a component cannot be parsed from its text. The exploration then has to start
/// again.
pub(super) fn read(
    file: &Path,
    identity: &Value,
    start: Option<Start<'_>>,
    limits: &Limits<'_>,
) -> Result<Option<GameGraph>, Diagnostic> {
    let mut input = FORM.open(file)?;
    if input.head()["of"] != *identity {
        let what = difference(&input.head()["of"], identity);
        return Err(input.refuse(&what));
    }
    let head = Head::of(input.head()).filter(|head| head.bytes() == input.length().into());
    let head = head.ok_or_else(|| input.damaged())?;
    limits.check(head.positions, 0)?;
    // The graph and its indices are estimated to take twice the size of the file.
    limits.check(1, input.length().saturating_mul(2))?;
    let found = graph(&mut input, &head, start).map_err(|error| input.broken(&error))?;
    input.finish()?;
    Ok(found)
}

/// Returns a message that explains why a checkpoint with the identity `found` does not fit a
/// labelling with the identity `identity`.
#[must_use]
pub fn difference(found: &Value, identity: &Value) -> Message {
    let name = |value: &Value| {
        let name = value["position"].as_str().or(value["file"].as_str());
        name.map_or_else(
            || message!("something else"),
            |name| message!("{name}", name),
        )
    };
    if name(found) != name(identity) {
        message!(
            "the checkpoint belongs to {other}, not to {this}",
            other = name(found),
            this = name(identity)
        )
    // The positions are the same, so only the options or the rules can differ.
    } else if found["ranked"] != identity["ranked"] {
        message!("the checkpoint was written with other options")
    } else if identity["position"].is_string() {
        message!("the checkpoint was written with a different rule file")
    } else {
        message!(
            "{file} has changed since the checkpoint was written",
            file = name(identity)
        )
    }
}

/// Returns [`io::ErrorKind::InvalidData`] as an error unless `holds` is `true`.
fn ensure(holds: bool) -> io::Result<()> {
    if holds {
        Ok(())
    } else {
        Err(io::ErrorKind::InvalidData.into())
    }
}

fn take<const N: usize>(input: &mut (impl Read + ?Sized)) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number(input: &mut (impl Read + ?Sized)) -> io::Result<u32> {
    Ok(u32::from_le_bytes(take(input)?))
}

/// Reads the graph that follows the first line of a checkpoint. The checkpoint stores the text of
/// each component. Returns `None` if one of these texts cannot be parsed, or denotes another
/// component.
fn graph(
    input: &mut impl Read,
    head: &Head,
    start: Option<Start<'_>>,
) -> io::Result<Option<GameGraph>> {
    let vertices = head.turns() * head.positions;
    let looked_at = head.turns() * head.looked_at;
    let index = read_positions(input, head, start)?;
    // Nothing is allocated for the lengths in the head, which may be false. The vectors grow with
    // the bytes that are read.
    let mut degrees = Vec::new();
    for _ in 0..looked_at {
        degrees.push(number(input)?);
    }
    let all: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
    ensure(all == head.moves)?;
    let mut graph = Digraph::default();
    for degree in degrees {
        for _ in 0..degree {
            let target = number(input)?;
            ensure(u64::from(target) < vertices)?;
            graph.push_edge(target);
        }
        graph.end_vertex();
    }
    let mut ends: Vec<(u32, PayoffResult)> = Vec::new();
    for _ in 0..head.ends {
        let vertex = number(input)?;
        let worth = match take(input)? {
            [0] => PayoffResult::Lose,
            [1] => PayoffResult::Tie,
            [2] => PayoffResult::Win,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        // The vertices must be strictly ascending, as the binary search of `GameGraph` requires.
        let after = ends.last().is_none_or(|&(last, _)| last < vertex);
        ensure(after && u64::from(vertex) < looked_at)?;
        ends.push((vertex, worth));
    }
    ensure(head.nature.ends == Ends::Payoff || ends.is_empty())?;
    Ok(index.map(|index| GameGraph {
        graph,
        index,
        nature: head.nature,
        ends,
    }))
}

/// Reads the positions of a checkpoint. Returns `None` if parsing the stored text of a component
/// does not give that component.
fn read_positions(
    input: &mut impl Read,
    head: &Head,
    start: Option<Start<'_>>,
) -> io::Result<Option<PositionIndex>> {
    let (mut left, mut text) = (head.text, Vec::new());
    let mut next = |input: &mut dyn Read| {
        let [length, table] = [number(input)?, number(input)?];
        // A damaged length must not make the buffer longer than the total length of the texts.
        ensure(u64::from(length) <= left)?;
        left -= u64::from(length);
        text.resize(length as usize, 0);
        input.read_exact(&mut text)?;
        let text = str::from_utf8(&text).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok::<_, io::Error>((table, text.to_owned()))
    };
    let (Some(numbers), Some((start, read))) = (head.numbers, start) else {
        ensure(head.numbers.is_none())?;
        let mut names = Names::default();
        for v in 0..head.texts as u32 {
            // For a name that occurs before, the interner returns the earlier number. So a repeated
            // name is detected here.
            ensure(names.intern(&next(input)?.1) == v)?;
        }
        return Ok(Some(PositionIndex::Named(names)));
    };
    let (mut numbered, mut all) = (Numbered::new(start), true);
    for part in 0..head.texts as u32 {
        let (table, text) = next(input)?;
        let restored = |read| numbered.restore_part(part, table, &text, &read);
        // Even after a failure the remaining texts are read, since `finish` must reach the checksum
        // at the end of the file.
        all = all && read(&text, head.turns() as u32).is_some_and(restored);
    }
    let (mut lists, mut list, mut left) = (Lists::default(), Vec::new(), numbers);
    for position in 0..head.positions as u32 {
        let length = u64::from(number(input)?);
        ensure(length <= left)?;
        left -= length;
        list.clear();
        for _ in 0..length {
            list.push(number(input)?);
        }
        // As for names, a repeated list is detected here.
        ensure(lists.intern(&list) == position)?;
    }
    ensure(!all || numbered.restore_lists(lists))?;
    Ok(all.then_some(PositionIndex::Numbered(numbered)))
}
