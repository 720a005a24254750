//! The game graph of a partizan position: everything that can be reached when either player may move.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::{Class, Player, Position};
use crate::graph::Digraph;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};

/// Positions and the moves of both players between them; the start is vertex 0.
///
/// ```
/// use grundy::partizan::{Class, Graph, Player, Position};
/// use grundy::ruleset::toads_and_frogs;
/// use grundy::{Limits, Play};
/// let position = Position { terms: vec![toads_and_frogs::term("T.F")?] };
/// let graph = Graph::of(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(graph.names.len(), 5);
/// assert_eq!(graph.classes[0], Class::N);
/// assert_eq!(graph.moves[0], (0, 1, Player::Left));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    /// The positions in canonical notation.
    pub names: Vec<String>,
    /// Who wins at each.
    pub classes: Vec<Class>,
    /// From where, whereto, whose; several moves of a player between the same positions are one.
    pub moves: Vec<(u32, u32, Player)>,
}

impl Graph {
    /// The graph of `position`. Classes come from one graph on positions with the player to move, labelled as any
    /// other graph.
    ///
    /// # Complexity
    /// One visit to every position that can be reached.
    ///
    /// # Errors
    /// The limit that was reached, [`Stop::Rules`], or [`Stop::Cyclic`] where a play need not end and nobody can force
    /// that it does.
    pub fn of(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        let mut found = vec![position.clone()];
        let mut names = vec![position.to_string()];
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        numbers.insert(names[0].clone(), 0);
        let (mut moves, mut held) = (Vec::new(), 0);
        let mut from = 0;
        while let Some(position) = found.get(from).cloned() {
            limits.poll()?;
            for player in Player::BOTH {
                let first = moves.len();
                let mut over = None;
                let flow = position.moves(player, &mut |_, _, to| {
                    let to = to();
                    let name = to.to_string();
                    held += 400 + 3 * name.len() as u64;
                    let next = numbers.len() as u32;
                    let number = *numbers.entry(name).or_insert_with_key(|name| {
                        names.push(name.clone());
                        found.push(to);
                        next
                    });
                    let step = (from as u32, number, player);
                    if !moves[first..].contains(&step) {
                        moves.push(step);
                    }
                    over = limits
                        .check(names.len() as u64, 0)
                        .and(limits.check(1, held))
                        .err();
                    match over {
                        Some(_) => ControlFlow::Break(()),
                        None => ControlFlow::Continue(()),
                    }
                });
                match over {
                    Some(stop) => return Err(stop),
                    None if flow.is_break() => return Err(Stop::Rules),
                    None => {}
                }
            }
            from += 1;
        }
        Ok(Self {
            classes: classes(names.len(), &moves, play, limits)?,
            names,
            moves,
        })
    }

    /// Whether a move wins for the player who makes it: the other one, then to move, loses.
    #[must_use]
    pub fn wins(&self, (_, to, player): (u32, u32, Player)) -> bool {
        let class = self.classes[to as usize];
        match player {
            Player::Left => matches!(class, Class::L | Class::P),
            Player::Right => matches!(class, Class::R | Class::P),
        }
    }
}

/// Vertex 2v is position v with Left to move, 2v + 1 with Right to move.
fn classes(
    positions: usize,
    moves: &[(u32, u32, Player)],
    play: Play,
    limits: &Limits<'_>,
) -> Result<Vec<Class>, Stop> {
    let edges: Vec<(u32, u32)> = moves
        .iter()
        .map(|&(from, to, player)| match player {
            Player::Left => (2 * from, 2 * to + 1),
            Player::Right => (2 * from + 1, 2 * to),
        })
        .collect();
    let labels = Digraph::from_edges(2 * positions, &edges).label_within(play, limits)?;
    let wins = |vertex: u32| match labels.get(vertex).outcome {
        Outcome::N => Ok(true),
        Outcome::P => Ok(false),
        Outcome::D => Err(Stop::Cyclic),
    };
    (0..positions as u32)
        .map(|v| Ok(Class::from_wins(wins(2 * v)?, wins(2 * v + 1)?)))
        .collect()
}
