//! Explicit trees: `tree(moves, start, ends, to_move="X")`.
//!
//! Rules. X and O move in turn, X first. `moves` is a map from the name of each position to the list of those one move away;
//! `ends` says of each position without moves who has won there: `"X"`, `"O"` or `"tie"`. Names are strings or whole numbers, as in
//! `graph`.
//! A position may be reached in several ways, but never come back.

use std::fmt::Write as _;
use std::sync::Arc;

use super::graph::{shown, vertex_name, write_name};
use crate::argument::{Argument, Arguments, list, text, wrong_type};
use crate::graph::Names;
use crate::limits::Stop;
use crate::picture::Picture;
use crate::step::{Move, Step};
use crate::ties::{AnyPosition, Game, Rules, Side, Standing, VisitState};
use crate::{Kind, Refusal};

/// Most positions: each is written with all that follows it.
const POSITIONS: usize = 2000;

/// A tree by the names of its positions.
#[derive(Debug, Default)]
pub struct ExplicitTree {
    names: Names,
    moves: Vec<Vec<u32>>,
    /// Where play ends, and who has won there.
    ends: Vec<Standing>,
}

/// Reads `tree(moves, start, ends, to_move="X")`.
///
/// # Errors
/// What is no tree: a position that comes back, an end without a winner, or a winner where play goes on.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyPosition>, Refusal> {
    let [
        Some((moves_at, moves)),
        Some((start_at, start)),
        Some((ends_at, ends)),
        to_move,
    ] = arguments.bind(["moves", "start", "ends", "to_move"], 3)?
    else {
        unreachable!("bind has seen to it that they are there");
    };
    let mut tree = ExplicitTree::default();
    tree.read_moves(map(moves, moves_at)?, moves_at)?;
    tree.read_ends(map(ends, ends_at)?, ends_at)?;
    let lost =
        (0..tree.names.len()).find(|&v| tree.moves[v].is_empty() && tree.ends[v] == Standing::Open);
    if let Some(vertex) = lost {
        let name = shown(tree.names.get(vertex as u32));
        let message = format!("no move leads on from {name}, and nothing says who has won there");
        return Err(Refusal::illegal(message)
            .at([ends_at])
            .help("give every end: \"X\", \"O\" or \"tie\""));
    }
    if let Some(vertex) = tree.comes_back() {
        let name = shown(tree.names.get(vertex as u32));
        let message = format!("{name} can come back, so this is no tree");
        // Who has moves has a row, and the rows come first.
        return Err(Refusal::new(Kind::Cyclic, message).at([moves_at, vertex]));
    }
    let name = vertex_name(start, &[start_at])?;
    let Some(vertex) = tree.names.find(&name) else {
        let message = format!("the start {} is no position of the tree", shown(&name));
        return Err(Refusal::illegal(message).at([start_at]));
    };
    let side = match to_move {
        None => Side::First,
        Some((at, value)) => match text(value, &[at])? {
            "X" => Side::First,
            "O" => Side::Second,
            _ => return Err(Refusal::illegal("\"X\" or \"O\" is to move").at([at])),
        },
    };
    Ok(Arc::new(Game {
        rules: Arc::new(tree),
        state: (vertex, side),
    }))
}

fn map(value: &Argument, at: usize) -> Result<&[(Argument, Argument)], Refusal> {
    match value {
        Argument::Map(rows) => Ok(rows),
        _ => Err(wrong_type("a map", value, &[at])),
    }
}

fn twice(name: &str, path: [usize; 2]) -> Refusal {
    Refusal::illegal(format!("{} has two entries", shown(name))).at(path)
}

impl ExplicitTree {
    fn number(&mut self, name: &Argument, path: &[usize]) -> Result<usize, Refusal> {
        let number = self.names.number(&vertex_name(name, path)?) as usize;
        if number == POSITIONS {
            let message = format!("a tree of more than {POSITIONS} positions");
            return Err(Refusal::new(Kind::Limit, message)
                .at(path)
                .help("`grundy tree` reads larger ones from .efg files"));
        }
        if number == self.moves.len() {
            self.moves.push(Vec::new());
            self.ends.push(Standing::Open);
        }
        Ok(number)
    }

    /// The positions that have rows are numbered first, in the order of the rows.
    fn read_moves(&mut self, rows: &[(Argument, Argument)], at: usize) -> Result<(), Refusal> {
        for (index, (key, _)) in rows.iter().enumerate() {
            let path = [at, index];
            if self.number(key, &path)? < index {
                return Err(twice(&vertex_name(key, &path)?, path));
            }
        }
        for (index, (_, row)) in rows.iter().enumerate() {
            for (path, target) in list(row, &[at, index])? {
                let target = self.number(target, &path)?;
                self.moves[index].push(target as u32);
            }
        }
        Ok(())
    }

    fn read_ends(&mut self, rows: &[(Argument, Argument)], at: usize) -> Result<(), Refusal> {
        for (index, (key, winner)) in rows.iter().enumerate() {
            let path = [at, index];
            let vertex = self.number(key, &path)?;
            if !self.moves[vertex].is_empty() {
                let name = shown(self.names.get(vertex as u32));
                let message = format!("play goes on at {name}, so nobody has won there yet");
                return Err(Refusal::illegal(message).at(path));
            }
            let winner = match text(winner, &path)? {
                "X" => Some(Side::First),
                "O" => Some(Side::Second),
                "tie" => None,
                _ => {
                    let message = "an end is \"X\", \"O\" or \"tie\"";
                    return Err(Refusal::illegal(message).at(path));
                }
            };
            if self.ends[vertex] != Standing::Open {
                return Err(twice(self.names.get(vertex as u32), path));
            }
            self.ends[vertex] = Standing::Over(winner);
        }
        Ok(())
    }

    /// A position that can come back, if there is one: what is left when ends are taken away again and again.
    fn comes_back(&self) -> Option<usize> {
        let mut above: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        let mut left: Vec<usize> = self.moves.iter().map(Vec::len).collect();
        for (from, row) in self.moves.iter().enumerate() {
            for &to in row {
                above[to as usize].push(from as u32);
            }
        }
        let mut ends: Vec<usize> = (0..left.len()).filter(|&v| left[v] == 0).collect();
        while let Some(end) = ends.pop() {
            for &from in &above[end] {
                left[from as usize] -= 1;
                if left[from as usize] == 0 {
                    ends.push(from as usize);
                }
            }
        }
        // Whoever follows what is left goes round before long.
        let mut here = (0..left.len()).find(|&v| left[v] > 0)?;
        for _ in 0..left.len() {
            let next = self.moves[here].iter().find(|&&to| left[to as usize] > 0)?;
            here = *next as usize;
        }
        Some(here)
    }

    /// The name of a position in the notation.
    fn written(&self, vertex: u32) -> String {
        let mut out = String::new();
        write_name(&mut out, self.names.get(vertex));
        out
    }

    /// Everything that can be reached, in the order of a walk.
    fn reached(&self, start: u32) -> Vec<u32> {
        let mut seen = vec![false; self.names.len()];
        let mut order = Vec::new();
        let mut waiting = vec![start];
        while let Some(vertex) = waiting.pop() {
            if !std::mem::replace(&mut seen[vertex as usize], true) {
                order.push(vertex);
                waiting.extend(self.moves[vertex as usize].iter().rev());
            }
        }
        order
    }
}

impl Rules for ExplicitTree {
    type State = (u32, Side);

    fn write(&self, &(start, side): &Self::State) -> String {
        let (mut moves, mut ends) = (String::new(), String::new());
        for vertex in self.reached(start) {
            let row = &self.moves[vertex as usize];
            let (part, entry) = match self.ends[vertex as usize] {
                Standing::Open => {
                    let row: Vec<String> = row.iter().map(|&to| self.written(to)).collect();
                    (&mut moves, format!("[{}]", row.join(", ")))
                }
                Standing::Over(None) => (&mut ends, "\"tie\"".to_owned()),
                Standing::Over(Some(Side::First)) => (&mut ends, "\"X\"".to_owned()),
                Standing::Over(Some(Side::Second)) => (&mut ends, "\"O\"".to_owned()),
            };
            let comma = if part.is_empty() { "" } else { ", " };
            let _ = write!(part, "{comma}{}: {entry}", self.written(vertex));
        }
        let start = self.written(start);
        let to_move = match side {
            Side::First => "",
            Side::Second => ", to_move=\"O\"",
        };
        format!("tree({{{moves}}}, {start}, {{{ends}}}{to_move})")
    }

    fn caption(&self, &(vertex, _): &Self::State) -> String {
        self.names.get(vertex).to_owned()
    }

    fn to_move(&self, &(_, side): &Self::State) -> Side {
        side
    }

    fn options(
        &self,
        &(vertex, side): &Self::State,
        visit: VisitState<'_, Self::State>,
    ) -> Result<Standing, Stop> {
        // Where play ends there are no moves.
        for (index, &to) in self.moves[vertex as usize].iter().enumerate() {
            let after = (to, side.other());
            visit(after, &|| {
                let action = Step::new("own_go_to").with("to", self.caption(&after));
                Move::new([index as u64], action)
            });
        }
        Ok(self.ends[vertex as usize])
    }

    fn picture(&self, state: &Self::State) -> Picture {
        Picture::Text(self.caption(state))
    }
}
