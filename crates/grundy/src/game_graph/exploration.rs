//! Finding everything that can be reached from a position.

use std::collections::VecDeque;
use std::fmt::Write as _;

use super::GameGraph;
use crate::graph::Digraph;
use crate::limits::{Limits, Stop, ended, unless};
use crate::outcome::Worth;
use crate::position::Position;
use crate::rules::Ends;

/// A game graph that is being found, position by position in the order in which they were met.
///
/// A limit stops it between two moves, and it goes on where it was when it is run again; written down and read back
/// it ends with the same graph.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Exploration, Limits, Position, Stop, Term};
/// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![2, 2])));
/// let few = Limits { positions: 4, ..Limits::default() };
/// assert_eq!(exploration.run(&few), Err(Stop::Positions(4)));
/// assert_eq!(exploration.run(&Limits::default()), Ok(()));
/// assert_eq!(exploration.finish().graph.vertices(), 9);
/// # Ok::<(), Stop>(())
/// ```
#[derive(Debug)]
pub struct Exploration {
    found: GameGraph,
    /// The positions whose moves are still to be looked at: those of the last numbers.
    waiting: VecDeque<Position>,
    /// About how many bytes they hold.
    held: u64,
    /// The last vertex that has a move to each vertex, counted from 1.
    last: Vec<u32>,
}

impl Exploration {
    /// Begins at `position`.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        if let Some(term) = position.only_term()
            && let Some((network, start)) = term.network()
        {
            return Self::at(network.part_from(start).into());
        }
        let mut new = Self::at(GameGraph::new(position.nature()));
        let name = position.to_string();
        new.found.names.number(&name);
        new.wait(position.clone(), &name);
        new
    }

    fn at(found: GameGraph) -> Self {
        Self {
            found,
            waiting: VecDeque::new(),
            held: 0,
            last: Vec::new(),
        }
    }

    /// Goes on with what was found before: all names, and the moves of as many positions as `found.graph` has. `read` makes a
    /// position of its name.
    ///
    /// # Errors
    /// The first one of `read`.
    ///
    /// # Panics
    /// When there are more positions than names.
    pub fn resume<E>(
        found: GameGraph,
        mut read: impl FnMut(&str) -> Result<Position, E>,
    ) -> Result<Self, E> {
        let (looked_at, all) = (found.positions(), found.names.len() as u32);
        assert!(looked_at <= all);
        let mut new = Self::at(found);
        for number in looked_at..all {
            let name = new.found.names.get(number);
            new.waiting.push_back(read(name)?);
            new.held += weight(name);
        }
        Ok(new)
    }

    /// What has been found so far: more names than positions while there is more to be looked at.
    #[must_use]
    pub fn found(&self) -> &GameGraph {
        &self.found
    }

    /// The graph as far as it was found.
    #[must_use]
    pub fn finish(self) -> GameGraph {
        self.found
    }

    /// Looks at everything that can be reached.
    ///
    /// # Complexity
    /// One visit to every move that was not looked at before, and the writing of the position it leads to.
    ///
    /// # Errors
    /// The limit that was reached, or what the rules have no answer to.
    pub fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let turns = self.found.turns();
        let mut row = Vec::new();
        self.check(limits)?;
        while let Some(here) = self.waiting.front().cloned() {
            limits.poll()?;
            row.clear();
            let vertex = self.found.graph.vertices() as u32;
            // Where the moves of each turn end in the row, and what the end of the game is worth.
            let mut looked_at = Vec::with_capacity(turns as usize);
            for turn in 0..turns {
                match self.look(&here, turn, limits, &mut row) {
                    Ok(end) => looked_at.push((row.len(), end)),
                    Err(stop) => {
                        // The moves are looked at again from the first.
                        row.iter().for_each(|&to| self.last[to as usize] = 0);
                        return Err(stop);
                    }
                }
            }
            let mut begin = 0;
            for (turn, (end, worth)) in (vertex..).zip(looked_at) {
                row[begin..end]
                    .iter()
                    .for_each(|&to| self.found.graph.push_edge(to));
                self.found.graph.end_vertex();
                begin = end;
                self.found.ends.extend(worth.map(|worth| (turn, worth)));
            }
            self.waiting.pop_front();
            self.held -= weight(self.found.names.get(vertex / turns));
        }
        Ok(())
    }

    /// Appends to `row` where the moves of one turn lead, each vertex once; what the end is worth where it decides and there is
    /// no move.
    fn look(
        &mut self,
        here: &Position,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<Worth>, Stop> {
        // Whose turn it is: the position itself may say it.
        let nature = here.nature();
        let movers = if self.found.turns() == 2 {
            self.found.nature.beginners()
        } else {
            nature.beginners()
        };
        let (mover, turns) = (movers[turn as usize], self.found.turns());
        let source = self.found.graph.vertices() as u32 + turn + 1;
        let begin = row.len();
        let mut name = String::new();
        ended(here.moves(mover, &mut |_, _, to| {
            let to = to();
            name.clear();
            let _ = write!(name, "{to}");
            let known = self.found.names.len();
            let position = self.found.names.number(&name);
            let mut room = Ok(());
            if position as usize == known {
                self.wait(to, &name);
                room = self.check(limits);
            }
            // The turn goes round.
            let vertex = position * turns + (turn + 1) % turns;
            if self.last.len() <= vertex as usize {
                self.last.resize(vertex as usize + 1, 0);
            }
            if self.last[vertex as usize] != source {
                self.last[vertex as usize] = source;
                row.push(vertex);
            }
            if row.len().is_multiple_of(4096) {
                room = room.and_then(|()| limits.poll());
            }
            unless(room)
        }))?;
        if self.found.nature.ends == Ends::LastMove || row.len() > begin {
            return Ok(None);
        }
        let worth = here.worth_at_the_end(mover, crate::outcome::Play::Normal)?;
        Ok(Some(worth))
    }

    fn wait(&mut self, position: Position, name: &str) {
        self.held += weight(name);
        self.waiting.push_back(position);
    }

    /// Whether there is room for what was found, and for labelling it.
    fn check(&self, limits: &Limits<'_>) -> Result<(), Stop> {
        let GameGraph { graph, names, .. } = &self.found;
        let turns = self.found.turns() as usize;
        // A vertex has at most as many moves as there are names.
        let moves_left = Digraph::MOST_EDGES.saturating_sub(graph.edges());
        let most = Digraph::MOST_VERTICES.min(moves_left) / turns;
        if names.len() > most {
            return Err(Stop::Positions(most as u64));
        }
        limits.check(names.len() as u64, 0)?;
        let bytes = names.bytes() + 22 * turns * names.len() + 10 * graph.edges();
        limits.check(1, bytes as u64 + self.held)
    }
}

/// About how many bytes a waiting position takes: what is in its name, and a few allocations.
fn weight(name: &str) -> u64 {
    name.len() as u64 + 128
}
