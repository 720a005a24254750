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

/// A game graph under construction. Positions are explored in the order in which they were found.
///
/// A limit stops the exploration between two moves, and the next run resumes it. An exploration
/// that is saved and restored produces the same graph.
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
    /// The game if its positions are numbered by rank.
    ranked: Option<Arc<dyn RankedGame>>,
    /// The last vertex that has an edge to each vertex, counted from 1.
    last: Vec<u32>,
}

impl Exploration {
    /// Starts at `position`.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let network = position.only_term().and_then(|term| term.network());
        Self::resume(match network {
            Some((network, start)) => network.part_from(start).into(),
            None => GameGraph::new(position),
        })
    }

    /// Resumes an earlier exploration, which has all positions found and the moves of the first
    /// ones, as recorded in `found.graph`.
    #[must_use]
    pub fn resume(found: GameGraph) -> Self {
        Self {
            found,
            ranked: None,
            last: Vec::new(),
        }
    }

    /// Starts with all positions of a ranked game, whether or not they are reachable. Position i
    /// has rank i.
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

    /// Returns the graph found so far. It has positions without moves until the exploration has
    /// finished.
    #[must_use]
    pub fn found(&self) -> &GameGraph {
        &self.found
    }

    /// Returns the graph found so far.
    #[must_use]
    pub fn finish(self) -> GameGraph {
        self.found
    }

    /// Explores everything reachable.
    ///
    /// # Complexity
    /// One visit to every move that was not explored before. The options of a part next to others
    /// are listed once.
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
            // The end of each turn in the row, and the result of a terminal position. A position is
            // added with all its turns or not at all, so that a limit leaves a valid graph.
            let mut looked_at = Vec::with_capacity(turns as usize);
            for turn in 0..turns {
                match self.look(turn, limits, &mut row) {
                    Ok(end) => looked_at.push((row.len(), end)),
                    Err(stop) => {
                        // The position is explored again from its first move, so its stamps must be
                        // cleared.
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

    /// Appends the targets of the edges for one turn of the next position to `row`, each once.
    /// Returns the result of a terminal position if a payoff decides.
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
            // The turn passes to the other player, if there are two.
            let vertex = position * turns + (turn + 1) % turns;
            if self.last.len() <= vertex as usize {
                self.last.resize(vertex as usize + 1, 0);
            }
            if self.last[vertex as usize] != source {
                self.last[vertex as usize] = source;
                row.push(vertex);
            }
            // One position may have millions of moves, so poll within it.
            seen += 1;
            if seen.is_multiple_of(64) {
                limits.poll()?;
            }
            // A repeated position takes no memory, so the check is for new ones only.
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

    /// Does the same as [`Exploration::look`] for a ranked game.
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

    /// Checks that the limits leave room for the graph and its labels.
    fn check(&self, limits: &Limits<'_>) -> Result<(), Stop> {
        let GameGraph { graph, met, .. } = &self.found;
        check(graph, met.len(), met.bytes(), self.found.turns(), limits)
    }
}

/// Returns the player to move in a position, for a turn with this number. The position itself may
/// fix the player.
pub(super) fn mover(numbered: &Numbered, nature: Nature, position: u32, turn: u32) -> Player {
    match nature.beginner {
        Beginner::Either => nature.beginners()[turn as usize],
        Beginner::Fixed(_) => numbered.position(position).first_player(),
    }
}

/// Returns the result of a position without moves, if a payoff decides.
pub(super) fn worth_of_end(
    numbered: &Numbered,
    position: u32,
    mover: Player,
) -> Result<Worth, Stop> {
    numbered
        .position(position)
        .worth_at_the_end(mover, Play::Normal)
}

/// Checks that the limits leave room for a graph with `positions` positions in `bytes` bytes, and
/// for its labels.
fn check(
    graph: &Digraph,
    positions: usize,
    bytes: u64,
    turns: u32,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let turns = turns as usize;
    // The next position can have an edge to every position found, and edges are numbered with 32
    // bits.
    let moves_left = Digraph::MOST_EDGES.saturating_sub(graph.edges());
    let most = Digraph::MOST_VERTICES.min(moves_left) / turns;
    if positions > most {
        return Err(Stop::Positions(most as u64));
    }
    limits.check(positions as u64, 0)?;
    // Labelling needs about 22 bytes a vertex and 10 an edge, and must not fail after the
    // exploration.
    let labels = 22 * turns * positions + 10 * graph.edges();
    limits.check(1, bytes + labels as u64)
}
