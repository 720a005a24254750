//! Exploration of all positions reachable from a start position.

use std::sync::Arc;

use super::{GameGraph, Numbered, PositionIndex};
use crate::position::Position;
use crate::rules::{Beginner, Ends, Nature};
use crate::store::erased::ranked::RankedGame;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;
use grundy_graphs::graph::{Digraph, Names};

/// A game graph under construction. Positions are explored in the order in which they are found.
///
/// If a limit stops the exploration, the next call of [`Exploration::run`] resumes it. An
/// exploration that was saved and restored produces the same graph.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Exploration, Limits, Position, Stop, Term};
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
    /// The [`RankedGame`] that gives the positions, if the positions are numbered by their ranks.
    /// Otherwise `None`.
    ranked: Option<Arc<dyn RankedGame>>,
    /// For each vertex v, 1 plus the index of the vertex from which an edge to v was last found.
    /// The entry is 0 if no edge to v was found. A further move from the same vertex to v adds no
    /// second edge.
    last_source: Vec<u32>,
}

impl Exploration {
    /// Creates an exploration that starts at `position`.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Exploration, Limits, Position, Term};
    /// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![3])));
    /// exploration.run(&Limits::default())?;
    /// assert_eq!(exploration.finish().graph.edges(), 6);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let network = position.only_term().and_then(|term| term.network());
        Self::resume(match network {
            Some((network, start)) => network.reachable_subgraph(start).into(),
            None => GameGraph::new(position),
        })
    }

    /// Resumes an earlier exploration. `found` contains all positions that the earlier exploration
    /// found, and the moves of the positions that it explored.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Exploration, Limits, Position, Stop, Term};
    /// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![2, 2])));
    /// let few = Limits { positions: 4, ..Limits::default() };
    /// assert_eq!(exploration.run(&few), Err(Stop::Positions(4)));
    /// let mut resumed = Exploration::resume(exploration.finish());
    /// resumed.run(&Limits::default())?;
    /// assert_eq!(resumed.finish().graph.vertices(), 9);
    /// # Ok::<(), Stop>(())
    /// ```
    #[must_use]
    pub fn resume(found: GameGraph) -> Self {
        Self {
            found,
            ranked: None,
            last_source: Vec::new(),
        }
    }

    /// Creates an exploration of all positions of a game whose positions have ranks
    /// ([`RankedGame`]), whether or not the positions are reachable. The position of rank i becomes
    /// position i of the graph.
    ///
    /// # Complexity
    /// O(length of all names) time and memory.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::chomp::Chomp;
    /// use grundy_core::{Exploration, Limits, Position, Term};
    /// let limits = Limits::default();
    /// let game = Position::from(Term::new(Chomp, vec![vec![2, 2]])).ranked()?.expect("ranks");
    /// let mut exploration = Exploration::ranked(&game, &limits)?;
    /// exploration.run(&limits)?;
    /// let found = exploration.finish();
    /// assert_eq!((found.graph.vertices(), found.name(0)), (5, "chomp(1)".into()));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn ranked(game: &Arc<dyn RankedGame>, limits: &Limits<'_>) -> Result<Self, Stop> {
        let (mut names, turns) = (Names::default(), game.turns() as u32);
        for rank in 0..game.positions() {
            if rank.is_multiple_of(1024) {
                limits.poll()?;
                let count = rank as usize + 1;
                check(
                    &Digraph::default(),
                    count,
                    names.bytes() as u64,
                    turns,
                    limits,
                )?;
            }
            names.intern(&game.position(rank)?.to_string());
        }
        let found = GameGraph {
            graph: Digraph::default(),
            index: PositionIndex::Named(names),
            nature: game.nature(),
            ends: Vec::new(),
        };
        Ok(Self::resume_ranked(game, found))
    }

    /// Resumes an earlier exploration that [`Exploration::ranked`] created. `found` is the graph
    /// found so far.
    ///
    /// ```
    /// use grundy_core::ruleset::chomp::Chomp;
    /// use grundy_core::{Exploration, Limits, Position, Term};
    /// let limits = Limits::default();
    /// let game = Position::from(Term::new(Chomp, vec![vec![2, 2]])).ranked()?.expect("ranks");
    /// let found = Exploration::ranked(&game, &limits)?.finish();
    /// assert_eq!(found.positions(), 0);
    /// let mut resumed = Exploration::resume_ranked(&game, found);
    /// resumed.run(&limits)?;
    /// assert_eq!(resumed.found().positions(), 5);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn resume_ranked(game: &Arc<dyn RankedGame>, found: GameGraph) -> Self {
        Self {
            ranked: Some(Arc::clone(game)),
            ..Self::resume(found)
        }
    }

    /// Returns the graph found so far. Until the exploration has finished, the graph lacks the
    /// moves of some positions.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Exploration, Limits, Position, Term};
    /// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![3])));
    /// let found = exploration.found();
    /// assert_eq!((found.index.len(), found.positions()), (1, 0));
    /// exploration.run(&Limits::default())?;
    /// assert_eq!(exploration.found().positions(), 4);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn found(&self) -> &GameGraph {
        &self.found
    }

    /// Returns the graph found so far, and ends the exploration.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Exploration, Limits, Position, Term};
    /// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![2])));
    /// exploration.run(&Limits::default())?;
    /// let game = exploration.finish();
    /// assert_eq!(game.graph.options(0), [1, 2]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Exploration, Limits, Position, Stop, Term};
    /// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![9])));
    /// let few = Limits { positions: 5, ..Limits::default() };
    /// assert_eq!(exploration.run(&few), Err(Stop::Positions(5)));
    /// assert_eq!(exploration.run(&Limits::default()), Ok(()));
    /// assert_eq!(exploration.found().positions(), 10);
    /// ```
    pub fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let turns = self.found.turns();
        let mut row = Vec::new();
        self.check(limits)?;
        while self.found.positions() < self.found.index.len() as u32 {
            limits.poll()?;
            row.clear();
            let vertex = self.found.graph.vertices() as u32;
            // For each turn, the end of its edges in `row`, and the result if the position is
            // terminal. The vertices of all turns are added to the graph together. So the graph
            // remains valid if a limit is reached between two turns.
            let mut turns_of_row = Vec::with_capacity(turns as usize);
            for turn in 0..turns {
                match self.expand(turn, limits, &mut row) {
                    Ok(end) => turns_of_row.push((row.len(), end)),
                    Err(stop) => {
                        // The next run explores this position again from its first move, so remove
                        // the marks of the edges found.
                        row.iter().for_each(|&to| self.last_source[to as usize] = 0);
                        return Err(stop);
                    }
                }
            }
            let mut begin = 0;
            for (turn, (end, result)) in (vertex..).zip(turns_of_row) {
                row[begin..end]
                    .iter()
                    .for_each(|&to| self.found.graph.push_edge(to));
                self.found.graph.end_vertex();
                begin = end;
                self.found.ends.extend(result.map(|result| (turn, result)));
            }
        }
        Ok(())
    }

    /// Appends to `row` the targets of the edges from the first unexplored position, without
    /// repetitions. `turn` is the index of the player to move. Returns the result for this player
    /// if the position is terminal and a payoff decides.
    fn expand(
        &mut self,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<PayoffResult>, Stop> {
        if let Some(game) = &self.ranked {
            let game = Arc::clone(game);
            return self.expand_ranked(&*game, turn, limits, row);
        }
        let (here, turns) = (self.found.positions(), self.found.turns());
        let source = self.found.graph.vertices() as u32 + turn + 1;
        let GameGraph {
            graph,
            index: PositionIndex::Numbered(numbered),
            nature,
            ..
        } = &mut self.found
        else {
            return Ok(None);
        };
        let mover = mover(numbered, *nature, here, turn);
        let (begin, mut visited, mut positions) = (row.len(), 0u64, numbered.lists().len());
        numbered.follow(here, mover, limits, &mut |numbered, position| {
            // If there are two turns, the other player is to move after a move.
            let vertex = position * turns + (turn + 1) % turns;
            if self.last_source.len() <= vertex as usize {
                self.last_source.resize(vertex as usize + 1, 0);
            }
            if self.last_source[vertex as usize] != source {
                self.last_source[vertex as usize] = source;
                row.push(vertex);
            }
            // A position can have millions of moves, so poll the limits between them.
            visited += 1;
            if visited.is_multiple_of(64) {
                limits.poll()?;
            }
            // Only a new position takes memory, so check the memory only then.
            if numbered.lists().len() == positions {
                return Ok(());
            }
            positions = numbered.lists().len();
            check(graph, positions, numbered.bytes(), turns, limits)
        })?;
        if nature.ends == Ends::LastMove || row.len() > begin {
            return Ok(None);
        }
        Ok(Some(terminal_result(numbered, here, mover)?))
    }

    /// Does the same as [`Exploration::expand`], for a game whose positions are numbered by their
    /// ranks.
    fn expand_ranked(
        &mut self,
        game: &dyn RankedGame,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<PayoffResult>, Stop> {
        let (here, turns) = (self.found.positions(), self.found.turns());
        let source = self.found.graph.vertices() as u32 + turn + 1;
        let nature = self.found.nature;
        let mover = nature.beginners()[turn as usize];
        let (begin, mut ranks) = (row.len(), Vec::new());
        game.options(mover, here.into(), &mut ranks)?;
        self.last_source
            .resize(self.found.index.len() * turns as usize, 0);
        for rank in ranks {
            let vertex = rank as u32 * turns + (turn + 1) % turns;
            if self.last_source[vertex as usize] != source {
                self.last_source[vertex as usize] = source;
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
        Ok(Some(here.terminal_result(mover, Play::Normal)?))
    }

    /// Checks that the graph found so far is within the limits. Also counts the memory that its
    /// labels will need.
    fn check(&self, limits: &Limits<'_>) -> Result<(), Stop> {
        let GameGraph { graph, index, .. } = &self.found;
        check(
            graph,
            index.len(),
            index.bytes(),
            self.found.turns(),
            limits,
        )
    }
}

/// Returns the player to move in a position. If the position fixes the player to move, returns this
/// player. Otherwise returns the player with index `turn`.
pub(super) fn mover(numbered: &Numbered, nature: Nature, position: u32, turn: u32) -> Player {
    match nature.beginner {
        Beginner::Either => nature.beginners()[turn as usize],
        Beginner::Fixed(_) => numbered.position(position).first_player(),
    }
}

/// Returns the result of a terminal position for the player `mover`, in a game that a payoff
/// decides.
pub(super) fn terminal_result(
    numbered: &Numbered,
    position: u32,
    mover: Player,
) -> Result<PayoffResult, Stop> {
    numbered
        .position(position)
        .terminal_result(mover, Play::Normal)
}

/// Checks that a graph is within the limits, together with the labels that will be computed for it.
/// The graph has `positions` positions, whose descriptions occupy `bytes` bytes.
fn check(
    graph: &Digraph,
    positions: usize,
    bytes: u64,
    turns: u32,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let turns = turns as usize;
    // The next position may have an edge to every position found so far. The indices of edges have
    // 32 bits.
    let free_edges = Digraph::MAX_EDGES.saturating_sub(graph.edges());
    let max_positions = Digraph::MAX_VERTICES.min(free_edges) / turns;
    if positions > max_positions {
        return Err(Stop::Positions(max_positions as u64));
    }
    limits.check(positions as u64, 0)?;
    // After the exploration, the graph and its labels will occupy about 22 bytes for each vertex
    // and 10 bytes for each edge. So count these bytes now.
    let labels = 22 * turns * positions + 10 * graph.edges();
    limits.check(1, bytes + labels as u64)
}
