//! Finding everything that can be reached from a position.

use std::sync::Arc;

use super::{GameGraph, Met, Numbered};
use crate::position::Position;
use crate::rules::{Beginner, Ends, Nature};
use crate::store::erased::ranked::RankedGame;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;
use grundy_graphs::graph::{Digraph, Names};

/// A game graph that is being found, position by position in the order in which they were met.
///
/// A limit stops it between two moves, and it goes on where it was when it is run again; written
/// down and read back it ends with the same graph.
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
    /// The game by ranks, where a rank is the number of the position.
    ranked: Option<Arc<dyn RankedGame>>,
    /// The last vertex that has a move to each vertex, counted from 1.
    last: Vec<u32>,
}

impl Exploration {
    /// Begins at `position`.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let network = position.only_term().and_then(|term| term.network());
        Self::resume(match network {
            Some((network, start)) => network.part_from(start).into(),
            None => GameGraph::new(position),
        })
    }

    /// Goes on with what was found before: all positions that were met, and the moves of as many as
    /// `found.graph` has.
    #[must_use]
    pub fn resume(found: GameGraph) -> Self {
        Self {
            found,
            ranked: None,
            last: Vec::new(),
        }
    }

    /// Begins with all positions of a game by ranks, whether they can be reached or not: position i
    /// is that of rank i.
    ///
    /// # Complexity
    /// O(length of all names) time and memory.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
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

    /// Goes on with what was found before of a game by ranks.
    #[must_use]
    pub fn resume_ranked(game: &Arc<dyn RankedGame>, found: GameGraph) -> Self {
        Self {
            ranked: Some(Arc::clone(game)),
            ..Self::resume(found)
        }
    }

    /// What has been found so far: more positions were met than looked at while there is more to be
    /// looked at.
    #[must_use]
    pub fn found(&self) -> &GameGraph {
        &self.found
    }

    /// Returns the graph as far as it was found.
    #[must_use]
    pub fn finish(self) -> GameGraph {
        self.found
    }

    /// Looks at everything that can be reached.
    ///
    /// # Complexity
    /// One visit to every move that was not looked at before; the rules are asked once for the
    /// options of a part that stands beside others.
    ///
    /// # Errors
    /// The limit that was reached, or what the rules have no answer to.
    pub fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let turns = self.found.turns();
        let mut row = Vec::new();
        self.check(limits)?;
        while self.found.positions() < self.found.met.len() as u32 {
            limits.poll()?;
            row.clear();
            let vertex = self.found.graph.vertices() as u32;
            // Where the moves of each turn end in the row, and what the end of the game is worth.
            let mut looked_at = Vec::with_capacity(turns as usize);
            for turn in 0..turns {
                match self.look(turn, limits, &mut row) {
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
        }
        Ok(())
    }

    /// Appends to `row` where the moves of one turn of the next position lead, each vertex once;
    /// what the end is worth where it decides and there is no move.
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
            // The turn goes round.
            let vertex = position * turns + (turn + 1) % turns;
            if self.last.len() <= vertex as usize {
                self.last.resize(vertex as usize + 1, 0);
            }
            if self.last[vertex as usize] != source {
                self.last[vertex as usize] = source;
                row.push(vertex);
            }
            seen += 1;
            if seen.is_multiple_of(64) {
                limits.poll()?;
            }
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

    /// Returns the same in a game by ranks.
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

    /// Whether there is room for what was found, and for labelling it.
    fn check(&self, limits: &Limits<'_>) -> Result<(), Stop> {
        let GameGraph { graph, met, .. } = &self.found;
        check(graph, met.len(), met.bytes(), self.found.turns(), limits)
    }
}

/// Whose turn it is in a position, for its turn of this number: the position itself may say it.
pub(super) fn mover(numbered: &Numbered, nature: Nature, position: u32, turn: u32) -> Player {
    match nature.beginner {
        Beginner::Either => nature.beginners()[turn as usize],
        Beginner::Fixed(_) => numbered.position(position).first_player(),
    }
}

/// What a position without a move is worth where the end decides.
pub(super) fn worth_of_end(
    numbered: &Numbered,
    position: u32,
    mover: Player,
) -> Result<Worth, Stop> {
    numbered
        .position(position)
        .worth_at_the_end(mover, Play::Normal)
}

/// Whether there is room for a graph with so many positions in so many bytes, and for labelling it.
fn check(
    graph: &Digraph,
    positions: usize,
    bytes: u64,
    turns: u32,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let turns = turns as usize;
    // A vertex has at most as many moves as there are positions.
    let moves_left = Digraph::MOST_EDGES.saturating_sub(graph.edges());
    let most = Digraph::MOST_VERTICES.min(moves_left) / turns;
    if positions > most {
        return Err(Stop::Positions(most as u64));
    }
    limits.check(positions as u64, 0)?;
    let labels = 22 * turns * positions + 10 * graph.edges();
    limits.check(1, bytes + labels as u64)
}
