//! Exploration of everything reachable from a position.

use std::sync::Arc;

use super::{GameGraph, Met, Numbered};
use crate::position::Position;
use crate::rules::{Beginner, Ends, Nature};
use crate::store::erased::ranked::RankedGame;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;
use grundy_graphs::graph::{Digraph, Names};

/// A game graph under construction. Positions are explored in the order in which they are found.
///
/// A limit stops the exploration between two moves, and the next call of [`Exploration::run`]
/// resumes it. An exploration that was saved and restored produces the same graph.
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
    /// The game, if its positions are numbered by rank.
    ranked: Option<Arc<dyn RankedGame>>,
    /// For each vertex, the last vertex found to have an edge to it, plus 1. It serves to add each
    /// edge once.
    last: Vec<u32>,
}

impl Exploration {
    /// Creates an exploration that starts at `position`.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let network = position.only_term().and_then(|term| term.network());
        Self::resume(match network {
            Some((network, start)) => network.part_from(start).into(),
            None => GameGraph::new(position),
        })
    }

    /// Resumes an earlier exploration. `found` has all positions found by it, and the moves of the
    /// positions that it explored.
    #[must_use]
    pub fn resume(found: GameGraph) -> Self {
        Self {
            found,
            ranked: None,
            last: Vec::new(),
        }
    }

    /// Creates an exploration whose positions are those of a ranked game, whether or not they are
    /// reachable. The position of rank i has number i.
    ///
    /// # Complexity
    /// O(length of all names) time and memory.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    pub fn ranked(game: &Arc<dyn RankedGame>, limits: &Limits<'_>) -> Result<Self, Stop> {
        let (mut names, turns) = (Names::default(), game.turns() as u32);
        for rank in 0..game.positions() {
            if rank.is_multiple_of(1024) {
                limits.poll()?;
                let known = rank as usize + 1;
                check(
                    &Digraph::default(),
                    known,
                    names.bytes() as u64,
                    turns,
                    limits,
                )?;
            }
            names.number(&game.position(rank)?.to_string());
        }
        let found = GameGraph {
            graph: Digraph::default(),
            met: Met::Named(names),
            nature: game.nature(),
            ends: Vec::new(),
        };
        Ok(Self::resume_ranked(game, found))
    }

    /// Resumes an earlier exploration of a ranked game.
    #[must_use]
    pub fn resume_ranked(game: &Arc<dyn RankedGame>, found: GameGraph) -> Self {
        Self {
            ranked: Some(Arc::clone(game)),
            ..Self::resume(found)
        }
    }

    /// Returns the graph found so far. Until the exploration has finished, some of its positions
    /// lack their moves.
    #[must_use]
    pub fn found(&self) -> &GameGraph {
        &self.found
    }

    /// Returns the graph found so far, and ends the exploration.
    #[must_use]
    pub fn finish(self) -> GameGraph {
        self.found
    }

    /// Explores all positions reachable from the start, or continues to do so.
    ///
    /// # Complexity
    /// One visit to every move that was not explored before. The options of a part that occurs in
    /// several positions are listed once.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    pub fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let turns = self.found.turns();
        let mut row = Vec::new();
        self.check(limits)?;
        while self.found.positions() < self.found.met.len() as u32 {
            limits.poll()?;
            row.clear();
            let vertex = self.found.graph.vertices() as u32;
            // For each turn, the end of its edges in `row`, and the result if the position is
            // terminal. A position is added with all its turns or not at all, so that the graph
            // remains valid after a limit.
            let mut looked_at = Vec::with_capacity(turns as usize);
            for turn in 0..turns {
                match self.look(turn, limits, &mut row) {
                    Ok(end) => looked_at.push((row.len(), end)),
                    Err(stop) => {
                        // The next run explores this position again from its first move, so undo
                        // the marks of the edges found.
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
        }
        Ok(())
    }

    /// Appends to `row` the target of each edge of the next position, for one turn. Each target
    /// occurs once. Returns the result if the position is terminal and a payoff decides.
    fn look(
        &mut self,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<Worth>, Stop> {
        if let Some(game) = &self.ranked {
            let game = Arc::clone(game);
            return self.look_up(&*game, turn, limits, row);
        }
        let (here, turns) = (self.found.positions(), self.found.turns());
        let source = self.found.graph.vertices() as u32 + turn + 1;
        let GameGraph {
            graph,
            met: Met::Numbered(numbered),
            nature,
            ..
        } = &mut self.found
        else {
            return Ok(None);
        };
        let mover = mover(numbered, *nature, here, turn);
        let (begin, mut seen, mut known) = (row.len(), 0u64, numbered.lists().len());
        numbered.follow(here, mover, limits, &mut |numbered, position| {
            // If there are two turns, a move passes the turn to the other player.
            let vertex = position * turns + (turn + 1) % turns;
            if self.last.len() <= vertex as usize {
                self.last.resize(vertex as usize + 1, 0);
            }
            if self.last[vertex as usize] != source {
                self.last[vertex as usize] = source;
                row.push(vertex);
            }
            // A position can have millions of moves, so poll the limits between them.
            seen += 1;
            if seen.is_multiple_of(64) {
                limits.poll()?;
            }
            // Only a new position takes memory, so check the memory only then.
            if numbered.lists().len() == known {
                return Ok(());
            }
            known = numbered.lists().len();
            check(graph, known, numbered.bytes(), turns, limits)
        })?;
        if nature.ends == Ends::LastMove || row.len() > begin {
            return Ok(None);
        }
        Ok(Some(worth_of_end(numbered, here, mover)?))
    }

    /// Does the same as [`Exploration::look`], for a ranked game.
    fn look_up(
        &mut self,
        game: &dyn RankedGame,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<Worth>, Stop> {
        let (here, turns) = (self.found.positions(), self.found.turns());
        let source = self.found.graph.vertices() as u32 + turn + 1;
        let nature = self.found.nature;
        let mover = nature.beginners()[turn as usize];
        let (begin, mut ranks) = (row.len(), Vec::new());
        game.options(mover, here.into(), &mut ranks)?;
        self.last.resize(self.found.met.len() * turns as usize, 0);
        for rank in ranks {
            let vertex = rank as u32 * turns + (turn + 1) % turns;
            if self.last[vertex as usize] != source {
                self.last[vertex as usize] = source;
                row.push(vertex);
            }
        }
        if here.is_multiple_of(1024) {
            self.check(limits)?;
        }
        if nature.ends == Ends::LastMove || row.len() > begin {
            return Ok(None);
        }
        let here = game.position(here.into())?;
        Ok(Some(here.worth_at_the_end(mover, Play::Normal)?))
    }

    /// Checks that the graph found so far and its labels are within the limits.
    fn check(&self, limits: &Limits<'_>) -> Result<(), Stop> {
        let GameGraph { graph, met, .. } = &self.found;
        check(graph, met.len(), met.bytes(), self.found.turns(), limits)
    }
}

/// Returns the player to move at a position: the fixed player if the position determines it, and
/// otherwise the player of turn 0 or 1.
pub(super) fn mover(numbered: &Numbered, nature: Nature, position: u32, turn: u32) -> Player {
    match nature.beginner {
        Beginner::Either => nature.beginners()[turn as usize],
        Beginner::Fixed(_) => numbered.position(position).first_player(),
    }
}

/// Returns the result of a position without moves, for the player `mover`, in a game that a payoff
/// decides.
pub(super) fn worth_of_end(
    numbered: &Numbered,
    position: u32,
    mover: Player,
) -> Result<Worth, Stop> {
    numbered
        .position(position)
        .worth_at_the_end(mover, Play::Normal)
}

/// Checks that a graph with its labels is within the limits. The graph has `positions` positions,
/// which occupy `bytes` bytes.
fn check(
    graph: &Digraph,
    positions: usize,
    bytes: u64,
    turns: u32,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let turns = turns as usize;
    // The next position may have an edge to every position found, and the index of an edge has 32
    // bits.
    let moves_left = Digraph::MOST_EDGES.saturating_sub(graph.edges());
    let most = Digraph::MOST_VERTICES.min(moves_left) / turns;
    if positions > most {
        return Err(Stop::Positions(most as u64));
    }
    limits.check(positions as u64, 0)?;
    // The labels will need about 22 bytes for each vertex and 10 for each edge. They must not
    // exceed the memory after the exploration.
    let labels = 22 * turns * positions + 10 * graph.edges();
    limits.check(1, bytes + labels as u64)
}
