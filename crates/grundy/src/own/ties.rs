//! Games that end in a win, a tie or a loss.
//!
//! Who cannot move has what the rules say: [`Rules::verdict`], seen by the player who would be to move. All positions
//! that can be reached are labelled by retrograde analysis. Play that never ends is a tie.

use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Choice, Left, Mover, Place, Rules, Verdict, named};
use crate::graph::Digraph;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::step::Move;

/// A game with ties, at a position.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// The position.
    pub start: Place,
}

impl Game {
    /// The same game at another position.
    #[must_use]
    pub fn at(&self, start: Place) -> Self {
        let rules = Arc::clone(&self.rules);
        Self { rules, start }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game({}, {})", self.rules.name(), self.start)
    }
}

/// The answer for a game with ties.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The value for the player to move.
    pub verdict: Verdict,
    /// The moves that keep the value, each with the position after it.
    pub moves: Vec<(Move, Game)>,
}

/// Bytes that a position takes here, beside its contents: entry of the table, row of the graph, label.
const BYTES: u64 = 160;

/// Solves a game.
///
/// # Complexity
/// One question to the rules for every position that can be reached, and time linear in their moves.
///
/// # Errors
/// The limit that was reached, or [`Stop::Rules`]. A move that leaves a sum is [`Stop::Rules`] too: ties have no theory
/// of sums.
pub fn solve(game: &Game, limits: &Limits<'_>) -> Result<Solution, Stop> {
    let Game { rules, start } = game;
    let mut ids: FxHashMap<Place, u32> = FxHashMap::default();
    let mut places = vec![start.clone()];
    ids.insert(start.clone(), 0);
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut edges = 0;
    while rows.len() < places.len() {
        if rows.len().is_multiple_of(1024) {
            limits.poll()?;
        }
        limits.check((places.len() + edges / 8) as u64, BYTES)?;
        let place = places[rows.len()].clone();
        let mut row = Vec::new();
        for to in options(rules, &place)?.into_iter().map(|(_, to)| to) {
            let id = match ids.entry(to) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(vacant) => {
                    places.push(vacant.key().clone());
                    *vacant.insert(places.len() as u32 - 1)
                }
            };
            row.push(id);
        }
        edges += row.len();
        rows.push(row);
    }
    // In normal play a vertex without moves is lost. A win at the end moves to one more such vertex, and a tie goes
    // round for ever.
    let lost = rows.len() as u32;
    let mut graph = Digraph::default();
    for (id, row) in rows.iter().enumerate() {
        row.iter().for_each(|&to| graph.push_edge(to));
        if row.is_empty() {
            match rules.verdict(&places[id]).map_err(|_| Stop::Rules)? {
                Verdict::Win => graph.push_edge(lost),
                Verdict::Tie => graph.push_edge(id as u32),
                Verdict::Lose => {}
            }
        }
        graph.end_vertex();
    }
    graph.end_vertex();
    let labels = graph.label(Play::Normal);
    let verdict = |id: u32| match labels.get(id).outcome {
        Outcome::N => Verdict::Win,
        Outcome::P => Verdict::Lose,
        Outcome::D => Verdict::Tie,
    };
    let here = verdict(0);
    let kept = match here {
        Verdict::Win => Verdict::Lose,
        Verdict::Tie => Verdict::Tie,
        Verdict::Lose => Verdict::Win,
    };
    let moves = options(rules, start)?
        .into_iter()
        .enumerate()
        .filter(|(number, _)| verdict(rows[0][*number]) == kept)
        .map(|(number, (label, to))| {
            let left = Left::One(to.clone());
            (named(0, number, &Choice { label, left }), game.at(to))
        })
        .collect();
    Ok(Solution {
        verdict: here,
        moves,
    })
}

/// The options, each of one position.
fn options(rules: &Arc<dyn Rules>, place: &Place) -> Result<Vec<(Option<Arc<str>>, Place)>, Stop> {
    let mut choices = Vec::new();
    rules
        .options(Mover::Either, place, &mut choices)
        .map_err(|_| Stop::Rules)?;
    choices
        .into_iter()
        .map(|Choice { label, left }| match left {
            Left::One(to) => Ok((label, to)),
            Left::Sum(_) => Err(Stop::Rules),
        })
        .collect()
}
