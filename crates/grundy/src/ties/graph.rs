//! The game graph of a position that can end in a tie.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AnyPosition, Next, Value};
use crate::graph::Digraph;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};

/// Positions and the moves between them; the start is vertex 0. A position with either player to move is two.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The positions in short.
    pub names: Vec<String>,
    /// What each is worth to the player to move.
    pub values: Vec<Value>,
    /// From where, whereto; several moves between the same positions are one.
    pub moves: Vec<(u32, u32)>,
}

impl Graph {
    /// The graph of `position`. Values come from the labels of an ordinary graph: an end that is a tie gets a move to
    /// itself and so is a draw there, and an end that is won for the player to move gets a move to a lost one.
    ///
    /// # Complexity
    /// One visit to every position that can be reached.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Rules`].
    pub fn of(
        position: Arc<dyn AnyPosition>,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        let key = |position: &dyn AnyPosition| (position.text(), position.to_move());
        let mut names = vec![position.caption()];
        let mut numbers = FxHashMap::default();
        numbers.insert(key(&*position), 0);
        let mut found = vec![position];
        let (mut moves, mut ends, mut held) = (Vec::new(), Vec::new(), 0);
        let mut from = 0;
        while let Some(position) = found.get(from).cloned() {
            limits.poll()?;
            match position.next(play)? {
                Next::Over(winner) => {
                    ends.push((from as u32, winner.map(|side| side == position.to_move())));
                }
                Next::Moves(options) => {
                    let first = moves.len();
                    for (_, to) in options {
                        let next = numbers.len() as u32;
                        let number = *numbers.entry(key(&*to)).or_insert_with_key(|(text, _)| {
                            held += 400 + 3 * text.len() as u64;
                            names.push(to.caption());
                            found.push(Arc::clone(&to));
                            next
                        });
                        if !moves[first..].contains(&(from as u32, number)) {
                            moves.push((from as u32, number));
                        }
                    }
                    limits.check(names.len() as u64, 0)?;
                    limits.check(1, held)?;
                }
            }
            from += 1;
        }
        let lost = names.len() as u32;
        let mut edges = moves.clone();
        edges.extend(ends.into_iter().filter_map(|(end, won)| match won {
            None => Some((end, end)),
            Some(true) => Some((end, lost)),
            Some(false) => None,
        }));
        // In misère play ends have been turned round already.
        let labels =
            Digraph::from_edges(names.len() + 1, &edges).label_within(Play::Normal, limits)?;
        let values = (0..lost).map(|v| match labels.get(v).outcome {
            Outcome::N => Value::Win,
            Outcome::P => Value::Lose,
            Outcome::D => Value::Tie,
        });
        Ok(Self {
            values: values.collect(),
            names,
            moves,
        })
    }

    /// Whether a move keeps what the player who makes it has, a win or a tie.
    #[must_use]
    pub fn keeps(&self, (from, to): (u32, u32)) -> bool {
        let [from, to] = [from, to].map(|v| self.values[v as usize]);
        from != Value::Lose && to == from.reversed()
    }
}
