//! The game graph of a position: everything that can be reached from it, as an explicit graph.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::graph::{Digraph, Network};
use crate::limits::{Limits, Stop};
use crate::position::Position;

/// The game graph of `position`, which becomes vertex 0. A term that is a graph already gives the part of it that can be
/// reached; elsewhere vertices have the names of their positions, and moves to the same position are one.
///
/// # Complexity
/// One visit to every position that can be reached.
///
/// # Errors
/// The limit that was reached.
///
/// # Examples
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Position, Term, game_graph};
/// let network = game_graph(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
/// assert_eq!(network.names.get(0), "nim(2)");
/// assert_eq!((network.graph.vertices(), network.graph.edges()), (3, 3));
/// # Ok::<(), grundy::Stop>(())
/// ```
pub fn game_graph(position: &Position, limits: &Limits<'_>) -> Result<Network, Stop> {
    let mut exploration = Exploration::new(position)?;
    exploration.run(limits)?;
    Ok(exploration.finish())
}

/// A game graph that is being found, position by position in the order in which they were met.
///
/// A limit stops it between two moves, and it goes on where it was when it is run again; written down and read back
/// it ends with the same graph.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Exploration, Limits, Position, Stop, Term};
/// let mut exploration = Exploration::new(&Position::from(Term::new(Nim, vec![2, 2])))?;
/// let few = Limits { positions: 4, ..Limits::default() };
/// assert_eq!(exploration.run(&few), Err(Stop::Positions(4)));
/// assert_eq!(exploration.run(&Limits::default()), Ok(()));
/// assert_eq!(exploration.finish().graph.vertices(), 9);
/// # Ok::<(), Stop>(())
/// ```
#[derive(Debug)]
pub struct Exploration {
    found: Network,
    /// The positions whose moves are still to be looked at: those of the last numbers.
    waiting: VecDeque<Position>,
    /// About how many bytes they hold.
    held: u64,
    /// The last vertex that has a move to each vertex, counted from 1.
    last: Vec<u32>,
}

impl Exploration {
    /// Begins at `position`.
    ///
    /// # Errors
    /// [`Stop::NotImpartial`].
    pub fn new(position: &Position) -> Result<Self, Stop> {
        if position.terms.iter().any(|term| !term.impartial()) {
            return Err(Stop::NotImpartial);
        }
        let mut new = Self {
            found: Network::default(),
            waiting: VecDeque::new(),
            held: 0,
            last: Vec::new(),
        };
        if let [term] = &position.terms[..]
            && let Some((network, start)) = term.network()
        {
            new.found = network.part_from(start);
            return Ok(new);
        }
        let name = position.to_string();
        new.found.names.number(&name);
        new.wait(position.clone(), &name);
        Ok(new)
    }

    /// Goes on with what was found before: all names, and the moves of as many vertices as `found.graph` has. `read` makes a
    /// position of its name.
    ///
    /// # Errors
    /// The first one of `read`.
    ///
    /// # Panics
    /// When there are more vertices than names.
    pub fn resume<E>(
        found: Network,
        mut read: impl FnMut(&str) -> Result<Position, E>,
    ) -> Result<Self, E> {
        assert!(found.graph.vertices() <= found.names.len());
        let mut new = Self {
            found,
            waiting: VecDeque::new(),
            held: 0,
            last: Vec::new(),
        };
        for number in new.found.graph.vertices()..new.found.names.len() {
            let name = new.found.names.get(number as u32);
            new.waiting.push_back(read(name)?);
            new.held += weight(name);
        }
        Ok(new)
    }

    /// What has been found so far: more names than vertices while there is more to be looked at.
    #[must_use]
    pub fn found(&self) -> &Network {
        &self.found
    }

    /// The graph as far as it was found.
    #[must_use]
    pub fn finish(self) -> Network {
        self.found
    }

    /// Looks at everything that can be reached.
    ///
    /// # Complexity
    /// One visit to every move that was not looked at before, and the writing of the position it leads to.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let (mut row, mut name) = (Vec::new(), String::new());
        self.check(limits)?;
        while let Some(here) = self.waiting.front().cloned() {
            limits.poll()?;
            let source = self.found.graph.vertices() as u32 + 1;
            row.clear();
            let mut stop = Ok(());
            let flow = here.moves(&mut |_, _, to| {
                let to = to();
                name.clear();
                let _ = write!(name, "{to}");
                let known = self.found.names.len();
                let vertex = self.found.names.number(&name);
                if vertex as usize == known {
                    self.wait(to, &name);
                    stop = self.check(limits);
                }
                if self.last.len() <= vertex as usize {
                    self.last.resize(vertex as usize + 1, 0);
                }
                if self.last[vertex as usize] != source {
                    self.last[vertex as usize] = source;
                    row.push(vertex);
                }
                if row.len().is_multiple_of(4096) && stop.is_ok() {
                    stop = limits.poll();
                }
                match stop {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            if stop.is_err() {
                // The row is looked at again from its beginning.
                row.iter()
                    .for_each(|&vertex| self.last[vertex as usize] = 0);
                return stop;
            }
            if flow.is_break() {
                return Err(Stop::Rules);
            }
            row.iter()
                .for_each(|&vertex| self.found.graph.push_edge(vertex));
            self.found.graph.end_vertex();
            self.waiting.pop_front();
            self.held -= weight(self.found.names.get(source - 1));
        }
        Ok(())
    }

    fn wait(&mut self, position: Position, name: &str) {
        self.held += weight(name);
        self.waiting.push_back(position);
    }

    /// Whether there is room for what was found, and for labelling it.
    fn check(&self, limits: &Limits<'_>) -> Result<(), Stop> {
        let Network { graph, names, .. } = &self.found;
        // A vertex has at most as many moves as there are names.
        let most = Digraph::MOST_VERTICES.min(Digraph::MOST_EDGES.saturating_sub(graph.edges()));
        if names.len() > most {
            return Err(Stop::Positions(most as u64));
        }
        limits.check(names.len() as u64, 0)?;
        let bytes = names.bytes() + 22 * names.len() + 10 * graph.edges();
        limits.check(1, bytes as u64 + self.held)
    }
}

/// About how many bytes a waiting position takes: what is in its name, and a few allocations.
fn weight(name: &str) -> u64 {
    name.len() as u64 + 128
}
