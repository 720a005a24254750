//! Explicit trees: `tree(moves, start, ends, to_move="X")`.
//!
//! Rules. X and O move in turn. X moves first, unless `to_move` is `"O"`. The map `moves` contains
//! the options of each position that has moves. The map `ends` contains the result of each position
//! without moves: the winner `"X"` or `"O"`, or `"tie"`. Positions have names, which are strings or
//! integers, as in `graph`. A position may be reached in several ways, but no sequence of moves may
//! repeat a position.
//!
//! Values come from backward induction over the tree. Larger trees are read from files by the
//! command `tree`.

use std::fmt::Write as _;
use std::sync::Arc;

use grundy_base::message;
use grundy_base::message::Command;

use crate::argument::{Argument, Arguments, list, text, type_error};
use crate::graphs::graph::{shortened, vertex_name, write_name};
use grundy_base::limits::{Flow, Stop};
use grundy_base::outcome::PayoffResult;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Beginner, Capabilities, Captions, Ends, Nature, Payoffs, Pictures, Ruleset, Visit,
};
use grundy_graphs::graph::Names;

/// Maximal number of positions. The text of a position contains all positions reachable from it.
const MAX_POSITIONS: usize = 2000;

/// A game tree whose positions have names.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct ExplicitTree {
    names: Names,
    moves: Vec<Vec<u32>>,
    /// For each position, whether play continues or has ended.
    ends: Vec<Status>,
}

/// The state of the game at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    /// Play continues.
    Open,
    /// Play has ended. Contains the winner, or `None` for a tie.
    Over(Option<Player>),
}

/// Reads `tree(moves, start, ends, to_move="X")`.
///
/// # Errors
/// Arguments that do not describe a tree. Examples are a cycle, a position with neither moves nor a
/// result, and a position with both.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Play, Position, Solver, ruleset::tree};
/// let text = |text: &str| Argument::Text(text.to_owned());
/// let moves = vec![(text("start"), Argument::List(vec![text("a"), text("b")]))];
/// let ends = vec![(text("a"), text("O")), (text("b"), text("tie"))];
/// let items = [Argument::Map(moves), text("start"), Argument::Map(ends)];
/// let items = items.map(|item| (None, item));
/// let position = Position::from(tree::construct(&Arguments { items: &items })?);
/// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(solution.verdict().to_string(), "tie");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
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
    let without_result =
        (0..tree.names.len()).find(|&v| tree.moves[v].is_empty() && tree.ends[v] == Status::Open);
    if let Some(vertex) = without_result {
        let name = shortened(tree.names.get(vertex as u32));
        let message = message!("{name} has no moves and no result", name);
        return Err(Diagnostic::illegal(message)
            .at([ends_at])
            .help(message!("give every end a result: \"X\", \"O\" or \"tie\"")));
    }
    if let Some(vertex) = tree.position_on_cycle() {
        let name = shortened(tree.names.get(vertex as u32));
        let message = message!(
            "{name} lies on a cycle, but a tree cannot contain cycles",
            name
        );
        // Only positions with moves can repeat. Their rows are numbered first, so the number of the
        // position is the index of its row.
        return Err(Diagnostic::new(Kind::Cyclic, message).at([moves_at, vertex]));
    }
    let name = vertex_name(start, &[start_at])?;
    let Some(vertex) = tree.names.find(&name) else {
        let message = message!(
            "the start {name} is not a position of the tree",
            name = shortened(&name)
        );
        return Err(Diagnostic::illegal(message).at([start_at]));
    };
    let side = match to_move {
        None => Player::Left,
        Some((at, value)) => match text(value, &[at])? {
            "X" => Player::Left,
            "O" => Player::Right,
            _ => {
                return Err(Diagnostic::illegal(message!(
                    "the player to move must be \"X\" or \"O\""
                ))
                .at([at]));
            }
        },
    };
    Ok(Arc::new(Term::new(tree, vec![(vertex, side)])))
}

fn map(value: &Argument, at: usize) -> Result<&[(Argument, Argument)], Diagnostic> {
    match value {
        Argument::Map(rows) => Ok(rows),
        _ => Err(type_error(&message!("a map"), value, &[at])),
    }
}

fn duplicate_entry(name: &str, path: [usize; 2]) -> Diagnostic {
    Diagnostic::illegal(message!(
        "duplicate entry for {name}",
        name = shortened(name)
    ))
    .at(path)
}

impl ExplicitTree {
    fn number(&mut self, name: &Argument, path: &[usize]) -> Result<usize, Diagnostic> {
        // Numbers grow by one with each new name, so the first number beyond the limit is
        // `MAX_POSITIONS`.
        let number = self.names.intern(&vertex_name(name, path)?) as usize;
        if number == MAX_POSITIONS {
            let message = message!(
                "the tree has more than {positions} positions",
                positions = MAX_POSITIONS
            );
            return Err(Diagnostic::new(Kind::Limit, message)
                .at(path)
                .help(message!(
                    "`{command}` reads larger trees from .efg files",
                    command = Command::new("tree")
                )));
        }
        if number == self.moves.len() {
            self.moves.push(Vec::new());
            self.ends.push(Status::Open);
        }
        Ok(number)
    }

    /// Reads the map `moves`. Positions with an entry are numbered first, in the order of the
    /// entries.
    fn read_moves(&mut self, rows: &[(Argument, Argument)], at: usize) -> Result<(), Diagnostic> {
        for (index, (key, _)) in rows.iter().enumerate() {
            let path = [at, index];
            // A key with a smaller number was entered by an earlier row.
            if self.number(key, &path)? < index {
                return Err(duplicate_entry(&vertex_name(key, &path)?, path));
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

    fn read_ends(&mut self, rows: &[(Argument, Argument)], at: usize) -> Result<(), Diagnostic> {
        for (index, (key, winner)) in rows.iter().enumerate() {
            let path = [at, index];
            let vertex = self.number(key, &path)?;
            if !self.moves[vertex].is_empty() {
                let name = shortened(self.names.get(vertex as u32));
                let message = message!("{name} has moves, so it cannot have a result", name);
                return Err(Diagnostic::illegal(message).at(path));
            }
            let winner = match text(winner, &path)? {
                "X" => Some(Player::Left),
                "O" => Some(Player::Right),
                "tie" => None,
                _ => {
                    let message = message!("a result must be \"X\", \"O\" or \"tie\"");
                    return Err(Diagnostic::illegal(message).at(path));
                }
            };
            if self.ends[vertex] != Status::Open {
                return Err(duplicate_entry(self.names.get(vertex as u32), path));
            }
            self.ends[vertex] = Status::Over(winner);
        }
        Ok(())
    }

    /// Returns a position on a cycle of moves, if there is one.
    ///
    /// Positions without moves are removed repeatedly, with the moves to them. Every remaining
    /// position then has a remaining option, so the remaining positions contain a cycle.
    fn position_on_cycle(&self) -> Option<usize> {
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        let mut open_moves: Vec<usize> = self.moves.iter().map(Vec::len).collect();
        for (from, row) in self.moves.iter().enumerate() {
            for &to in row {
                predecessors[to as usize].push(from as u32);
            }
        }
        let mut ends: Vec<usize> = (0..open_moves.len())
            .filter(|&v| open_moves[v] == 0)
            .collect();
        while let Some(end) = ends.pop() {
            for &from in &predecessors[end] {
                open_moves[from as usize] -= 1;
                if open_moves[from as usize] == 0 {
                    ends.push(from as usize);
                }
            }
        }
        // A walk through remaining positions that has made as many steps as there are positions is
        // on a cycle.
        let mut here = (0..open_moves.len()).find(|&v| open_moves[v] > 0)?;
        for _ in 0..open_moves.len() {
            let next = self.moves[here]
                .iter()
                .find(|&&to| open_moves[to as usize] > 0)?;
            here = *next as usize;
        }
        Some(here)
    }

    /// Returns the name of a position, written in the notation.
    fn name_text(&self, vertex: u32) -> String {
        let mut out = String::new();
        write_name(&mut out, self.names.get(vertex));
        out
    }

    /// Returns all positions reachable from `start`, in depth-first order.
    fn reachable_from(&self, start: u32) -> Vec<u32> {
        let mut seen = vec![false; self.names.len()];
        let mut order = Vec::new();
        let mut stack = vec![start];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut seen[vertex as usize], true) {
                order.push(vertex);
                // Reversed, because the stack returns the last option first.
                stack.extend(self.moves[vertex as usize].iter().rev());
            }
        }
        order
    }
}

impl ExplicitTree {
    fn write_one(&self, start: u32, to_move: Player) -> String {
        let (mut moves, mut ends) = (String::new(), String::new());
        for vertex in self.reachable_from(start) {
            let row = &self.moves[vertex as usize];
            let (part, entry) = match self.ends[vertex as usize] {
                Status::Open => {
                    let row: Vec<String> = row.iter().map(|&to| self.name_text(to)).collect();
                    (&mut moves, format!("[{}]", row.join(", ")))
                }
                Status::Over(None) => (&mut ends, "\"tie\"".to_owned()),
                Status::Over(Some(Player::Left)) => (&mut ends, "\"X\"".to_owned()),
                Status::Over(Some(Player::Right)) => (&mut ends, "\"O\"".to_owned()),
            };
            let comma = if part.is_empty() { "" } else { ", " };
            let _ = write!(part, "{comma}{}: {entry}", self.name_text(vertex));
        }
        let start = self.name_text(start);
        let to_move = match to_move {
            Player::Left => "",
            Player::Right => ", to_move=\"O\"",
        };
        format!("tree({{{moves}}}, {start}, {{{ends}}}{to_move})")
    }
}

impl Ruleset for ExplicitTree {
    /// A position and the player to move.
    type Part = (u32, Player);

    fn name(&self) -> &'static str {
        "tree"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, (u32, Player)> {
        Capabilities {
            payoffs: Some(self),
            players: Some(["X", "O"]),
            captions: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, &(_, to_move): &Self::Part) -> Nature {
        Nature {
            ends: Ends::Payoff,
            beginner: Beginner::Fixed(to_move),
            ..Nature::PARTIZAN
        }
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        &(vertex, _): &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow {
        let mut moves = self.moves[vertex as usize].iter().enumerate();
        moves.try_for_each(|(index, &to)| {
            let after = (to, player.other());
            visit(&[after], &|| {
                let action = Step::new("own_go_to").with("to", self.caption(&after));
                Move::new([index as u64], action)
            })
        })
    }

    fn components(&self, &(vertex, _): &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        // The solver stores the player to move separately, so both parts of a position have one
        // component.
        visit((vertex, Player::Left));
    }

    fn write(&self, parts: &[(u32, Player)]) -> String {
        let parts = parts.iter();
        parts
            .map(|&(start, to_move)| self.write_one(start, to_move))
            .collect()
    }
}

impl Payoffs<(u32, Player)> for ExplicitTree {
    fn payoff(&self, &(vertex, _): &(u32, Player), to_move: Player) -> Result<PayoffResult, Stop> {
        Ok(match self.ends[vertex as usize] {
            Status::Over(Some(winner)) if winner == to_move => PayoffResult::Win,
            Status::Over(None) => PayoffResult::Tie,
            _ => PayoffResult::Lose,
        })
    }
}

impl Captions<(u32, Player)> for ExplicitTree {
    fn caption(&self, &(vertex, _): &(u32, Player)) -> String {
        self.names.get(vertex).to_owned()
    }
}

impl Pictures<(u32, Player)> for ExplicitTree {
    fn picture(&self, parts: &[(u32, Player)]) -> Picture {
        let captions: Vec<String> = parts.iter().map(|part| self.caption(part)).collect();
        Picture::Text(captions.join(" "))
    }
}
