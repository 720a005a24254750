//! Retrograde analysis of all reachable sums, for positions without a value in any theory.
//!
//! A sum is a multiset of components, which are identified by their ids in a store. The reachable
//! sums form a game graph. In a partizan game each sum has one vertex for each player to move. The
//! label of a vertex contains its outcome and its remoteness, in normal or in misère play. The
//! labels are computed backwards from the terminal positions. The game may be loopy: a play that
//! never ends is a draw.

use crate::position::Position;
use crate::rules::{Ends, Moves, Nature};
use crate::solve::label_source::LabelSource;
use crate::store::option_cache::OptionCache;
use crate::store::{Store, lists};
use grundy_base::Kind;
use grundy_base::limits::{Limits, Stop, break_on_error, stopped_early};
use grundy_base::outcome::{Outcome, PayoffResult, Play};
use grundy_base::player::{OutcomeClass, Player};
use grundy_graphs::graph::{Digraph, Label, Labels, Lists};

/// All sums reachable from a position, each with its label (outcome and remoteness).
///
/// ```
/// use grundy_core::argument::Argument;
/// use grundy_core::solve::reachable_sums::ReachableSums;
/// use grundy_core::{Limits, Play, Position, registry};
/// let text = |text: &str| Argument::Text(text.into());
/// let edge = |from, to| Argument::List(vec![text(from), text(to)]);
/// let edges = Argument::List(vec![edge("a", "b"), edge("b", "a")]);
/// let cycle = registry::construct("graph", &[(None, edges), (None, text("a"))])?;
/// let stalk = registry::construct("hackenbush", &[(None, text("0-1:b"))])?;
/// let position = Position::sum(vec![cycle, stalk])?;
/// let reached = ReachableSums::new(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(reached.class(&position).unwrap().to_string(), "D");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReachableSums {
    store: Store,
    sums: Lists,
    labels: Labels,
    /// The number of vertices of each sum: 2 in a partizan game, one for each player to move, and
    /// otherwise 1.
    turns: u32,
    /// `true` if a position can repeat.
    has_cycle: bool,
}

impl ReachableSums {
    /// Finds all sums reachable from `position`, and computes their outcomes and remotenesses.
    ///
    /// # Complexity
    /// O(V + E) time and memory for V vertices and E moves. A vertex is a reachable sum or, in a
    /// partizan game, a reachable sum with the player to move.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::reachable_sums::ReachableSums;
    /// use grundy_core::{Limits, OutcomeClass, Play, Position, Term};
    /// let heaps = Position::from(Term::new(Nim, vec![1, 1, 1]));
    /// let reached = ReachableSums::new(&heaps, Play::Misere, &Limits::default())?;
    /// assert_eq!(reached.class(&heaps), Some(OutcomeClass::P));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn new(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        // A bounded game never repeats a position. So there are more positions than moves in the
        // longest play. This check avoids a long computation that is certain to exceed the limit.
        let longest = position
            .terms()
            .iter()
            .try_fold(0u128, |sum, term| sum.checked_add(term.longest_play()?));
        if longest.is_some_and(|longest| longest >= u128::from(limits.positions)) {
            return Err(Stop::Positions(limits.positions));
        }
        let nature = position.nature();
        let movers = movers(nature);
        let mut builder = GraphBuilder::new(movers, nature.ends, play, limits);
        builder.add_sum(position);
        builder.explore()?;
        // The store may represent equal positions by different sums. So the position after a move
        // may be another sum than the one found above. Add these sums too, so that the position
        // after each move has a label.
        for &player in movers {
            stopped_early(position.moves(player, &mut |_, _, to| {
                builder.add_sum(&to());
                break_on_error(builder.check().and_then(|()| limits.poll()))
            }))?;
        }
        builder.explore()?;
        let graph = &builder.graph;
        let mut labels = match nature.ends {
            Ends::LastMove => graph.label_with_limits(play, limits)?,
            Ends::Payoff => graph.label_with_ends(
                &graph.transpose(limits)?,
                &builder.terminal_results,
                limits,
            )?,
        };
        if let Some(winner) = nature.endless {
            labels.decide_draws(|vertex| vertex % 2 == winner as u32);
        }
        Ok(Self {
            has_cycle: graph.cycle_from(0).is_some(),
            store: builder.store,
            sums: builder.sums,
            labels,
            turns: movers.len() as u32,
        })
    }

    /// Labels the sums that are nearest to `position`, at most about `most` of them. The labels of
    /// all other sums, and those that depend on them, remain unknown and appear as draws.
    ///
    /// A win or a loss is proved: it uses only moves between the sums that were explored. A
    /// position at which the rules compute a number that is too large counts as unknown.
    pub(super) fn nearest(
        position: &Position,
        play: Play,
        most: usize,
        limits: &Limits<'_>,
    ) -> Result<Nearest, Stop> {
        let nature = position.nature();
        let movers = movers(nature);
        let mut builder = GraphBuilder::new(movers, nature.ends, play, limits);
        builder.add_sum(position);
        for &player in movers {
            stopped_early(position.moves(player, &mut |_, _, to| {
                builder.add_sum(&to());
                break_on_error(builder.check().and_then(|()| limits.poll()))
            }))?;
        }
        let (radius, unknown) = builder.explore_nearest(most)?;
        let graph = &builder.graph;
        let labels = match nature.ends {
            Ends::LastMove => graph.label_with_limits(play, limits)?,
            Ends::Payoff => graph.label_with_ends(
                &graph.transpose(limits)?,
                &builder.terminal_results,
                limits,
            )?,
        };
        // The start has vertex 0 and, in a partizan game, vertex 1.
        let starts = 0..movers.len() as u32;
        let undecided = |vertex: u32| labels.get(vertex).outcome == Outcome::D;
        let is_draw = if nature.endless.is_none() && starts.clone().any(undecided) {
            let bounds = builder.bounds(&unknown)?;
            starts.filter(|&vertex| undecided(vertex)).all(|vertex| {
                let [upper, lower] = [2 * vertex, 2 * vertex + 1];
                [upper, lower].map(|bound| bounds.get(bound).outcome) == [Outcome::D; 2]
            })
        } else {
            false
        };
        let labels = Self {
            has_cycle: true,
            store: builder.store,
            sums: builder.sums,
            labels,
            turns: movers.len() as u32,
        };
        Ok(Nearest {
            labels,
            radius,
            is_draw,
        })
    }

    /// Returns the number of reachable sums, no matter who is to move.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::reachable_sums::ReachableSums;
    /// use grundy_core::{Limits, Play, Position, Term};
    /// // The order of the heaps does not matter, so 6 sums of two heaps are reachable.
    /// let heaps = Position::from(Term::new(Nim, vec![2, 2]));
    /// let reached = ReachableSums::new(&heaps, Play::Normal, &Limits::default())?;
    /// assert_eq!(reached.sums(), 6);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn sums(&self) -> usize {
        self.sums.len()
    }

    /// Returns whether a position can repeat.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::reachable_sums::ReachableSums;
    /// use grundy_core::{Limits, Play, Position, Term};
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// let reached = ReachableSums::new(&heap, Play::Normal, &Limits::default())?;
    /// assert!(!reached.has_cycle());
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn has_cycle(&self) -> bool {
        self.has_cycle
    }

    /// Returns the label (outcome and remoteness) of a position with `player` to move. Returns
    /// `None` if the position is not reachable.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::solve::reachable_sums::ReachableSums;
    /// use grundy_core::{Limits, Outcome, Play, Player, Position, Term};
    /// let nim = |heaps| Position::from(Term::new(Nim, heaps));
    /// let reached = ReachableSums::new(&nim(vec![2, 3]), Play::Normal, &Limits::default())?;
    /// let label = reached.label(&nim(vec![2, 2]), Player::Left).expect("reachable");
    /// assert_eq!((label.outcome, label.remoteness), (Outcome::P, Some(4)));
    /// assert!(reached.label(&nim(vec![3, 3]), Player::Left).is_none());
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn label(&self, position: &Position, player: Player) -> Option<Label> {
        let mut state = Vec::new();
        position
            .terms()
            .iter()
            .try_for_each(|term| term.find(&self.store, &mut state))?;
        state.sort_unstable();
        let id = self.sums.find(&state)?;
        let turn = if self.turns == 2 { player as u32 } else { 0 };
        Some(self.labels.get(self.turns * id + turn))
    }

    /// Returns the outcome class of a position, or `None` if the position is not reachable.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::solve::reachable_sums::ReachableSums;
    /// use grundy_core::{Limits, OutcomeClass, Play, Position, Term};
    /// let strip = |strip: &[u8]| Position::from(Term::new(ToadsAndFrogs, vec![strip.to_vec()]));
    /// let reached = ReachableSums::new(&strip(b"T.F"), Play::Normal, &Limits::default())?;
    /// assert_eq!(reached.class(&strip(b"T.F")), Some(OutcomeClass::N));
    /// assert_eq!(reached.class(&strip(b".TF")), Some(OutcomeClass::P));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn class(&self, position: &Position) -> Option<OutcomeClass> {
        let [left, right] = Player::BOTH.map(|player| self.label(position, player));
        Some(OutcomeClass::from_outcomes([left?.outcome, right?.outcome]))
    }
}

/// The labels of the sums that are nearest to a position.
#[derive(Debug)]
pub(super) struct Nearest {
    /// The labels. An unknown label appears as a draw.
    pub(super) labels: ReachableSums,
    /// The least number of moves after which an unexplored sum can be reached. `None` if every sum
    /// was explored.
    pub(super) radius: Option<u32>,
    /// `true` if each draw in the labels of the start is proved, whatever the unknown labels are.
    pub(super) is_draw: bool,
}

/// Returns whether a position at which a search stopped is merely unknown. This is so beyond a
/// limit on positions, and where the rules compute a number that is too large. Any other error of
/// the rules is a mistake, which is reported.
pub(super) fn leaves_unknown(stop: &Stop) -> bool {
    match stop {
        Stop::Positions(_) => true,
        Stop::Rules(error) => error.kind == Kind::Overflow,
        _ => false,
    }
}

/// Returns the players whose moves are different edges of the graph.
fn movers(nature: Nature) -> &'static [Player] {
    match nature.moves {
        Moves::Same => &[Player::Left],
        Moves::Partizan => &Player::BOTH,
    }
}

/// A source of labels. It knows the labels of the start position and of all positions after one
/// move.
impl LabelSource for ReachableSums {
    fn label_of(&self, position: &Position, player: Player) -> Result<Option<Label>, Stop> {
        Ok(self.label(position, player))
    }
}

/// The game graph of the reachable sums, while it is under construction.
struct GraphBuilder<'a> {
    movers: &'a [Player],
    end_rule: Ends,
    play: Play,
    limits: &'a Limits<'a>,
    store: Store,
    options: OptionCache,
    sums: Lists,
    graph: Digraph,
    /// The vertices of terminal positions, each with its outcome. The list is empty unless a payoff
    /// decides the game.
    terminal_results: Vec<(u32, Outcome)>,
}

impl<'a> GraphBuilder<'a> {
    fn new(movers: &'a [Player], end_rule: Ends, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            movers,
            end_rule,
            play,
            limits,
            store: Store::default(),
            options: OptionCache::default(),
            sums: Lists::default(),
            graph: Digraph::default(),
            terminal_results: Vec::new(),
        }
    }

    /// Enters the components of a position into the store. Adds the sorted list of their ids to
    /// `sums`, unless it is already there.
    fn add_sum(&mut self, position: &Position) {
        let mut sum = Vec::new();
        position.enter(&mut self.store, &mut sum);
        sum.sort_unstable();
        self.sums.intern(&sum);
    }

    fn check(&self) -> Result<(), Stop> {
        // The indices of vertices and edges have 32 bits.
        let max_sums = Digraph::MAX_VERTICES / self.movers.len();
        if self.sums.len() > max_sums || self.graph.edges() == Digraph::MAX_EDGES {
            return Err(Stop::Positions(max_sums as u64));
        }
        self.limits.check(self.sums.len() as u64, 0)?;
        // The size of a sum is not bounded, so check the number of bytes as well as the number of
        // sums.
        let bytes = self.sums.bytes() as u64 + 12 * self.graph.edges() as u64;
        self.limits.check(1, bytes)
    }

    /// Adds the vertices and edges of each sum in `sums` that has no vertices yet. Does the same
    /// for all sums reachable from these sums.
    fn explore(&mut self) -> Result<(), Stop> {
        let turns = self.movers.len();
        // Vertices are added in the order of the sums. So the number of vertices gives the index of
        // the next sum.
        while self.graph.vertices() / turns < self.sums.len() {
            let next = self.graph.vertices() / turns;
            if next.is_multiple_of(16) {
                self.limits.poll()?;
            }
            self.limits.count(1);
            let state = self.sums.get(next as u32).to_vec();
            for &mover in self.movers {
                self.add_vertex(&state, mover)?;
            }
        }
        Ok(())
    }

    /// Explores sums in the order in which they were reached, and stops after `most` of them. Adds
    /// a loop to each vertex that was not explored, so that its label stays unknown. Returns the
    /// least number of moves after which such a vertex can be reached, and the list of these
    /// vertices.
    fn explore_nearest(&mut self, most: usize) -> Result<(Option<u32>, Vec<u32>), Stop> {
        let turns = self.movers.len();
        let mut unknown = Vec::new();
        let (mut radius, mut distance, mut end_of_layer) = (None, 0, self.sums.len());
        while self.graph.vertices() / turns < self.sums.len() {
            let next = self.graph.vertices() / turns;
            if next == end_of_layer {
                distance += 1;
                end_of_layer = self.sums.len();
            }
            if next.is_multiple_of(16) {
                self.limits.poll()?;
            }
            let state = self.sums.get(next as u32).to_vec();
            for &mover in self.movers {
                if next < most {
                    self.limits.count(1);
                    match self.add_edges(&state, mover) {
                        Ok(()) => {
                            self.graph.end_vertex();
                            continue;
                        }
                        Err(stop @ Stop::Rules(_)) if leaves_unknown(&stop) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                radius.get_or_insert(distance);
                let vertex = self.graph.vertices() as u32;
                unknown.push(vertex);
                self.graph.push_edge(vertex);
                self.graph.end_vertex();
            }
        }
        Ok((radius, unknown))
    }

    /// Labels bounds of the outcomes. Vertex 2v stands for the vertex v if every unknown position
    /// is best for the player who moves from v. Vertex 2v + 1 stands for v if it is worst. If both
    /// have the same outcome, v has it, too.
    fn bounds(&self, unknown: &[u32]) -> Result<Labels, Stop> {
        let mut graph = Digraph::default();
        let mut ends = Vec::new();
        let mut results = self.terminal_results.iter().copied().peekable();
        let last_move = Outcome::from_win(self.play == Play::Misere);
        for vertex in 0..self.graph.vertices() as u32 {
            if vertex.is_multiple_of(1024) {
                self.limits.poll()?;
            }
            let is_unknown = unknown.binary_search(&vertex).is_ok();
            let result = results.next_if(|&(end, _)| end == vertex);
            let options = self.graph.options(vertex);
            for (side, guess) in [(0, Outcome::N), (1, Outcome::P)] {
                if is_unknown {
                    ends.push((2 * vertex + side, guess));
                } else if options.is_empty() {
                    let outcome = result.map_or(last_move, |(_, outcome)| outcome);
                    ends.push((2 * vertex + side, outcome));
                } else {
                    // The opponent moves from the option, so the better side for one player is the
                    // worse side for the other.
                    let other = 1 - side;
                    options.iter().for_each(|&w| graph.push_edge(2 * w + other));
                }
                graph.end_vertex();
            }
        }
        graph.label_with_ends(&graph.transpose(self.limits)?, &ends, self.limits)
    }

    /// Adds the vertex for the sum of the components `state` with `mover` to move, and the edges
    /// from this vertex.
    fn add_vertex(&mut self, state: &[u32], mover: Player) -> Result<(), Stop> {
        self.add_edges(state, mover)?;
        self.graph.end_vertex();
        Ok(())
    }

    /// Adds the edges from the vertex for the sum of the components `state` with `mover` to move.
    fn add_edges(&mut self, state: &[u32], mover: Player) -> Result<(), Stop> {
        let before = self.graph.edges();
        let turns = self.movers.len() as u32;
        // In a pair of vertices, the first has Left to move, and the second has Right to move.
        let turn = u32::from(turns == 2 && mover == Player::Left);
        let (mut previous, mut sum) = (None, Vec::new());
        for (index, &component) in state.iter().enumerate() {
            // The sum is sorted, so equal components are adjacent. They have the same options, so
            // explore only the first one.
            if previous.replace(component) == Some(component) {
                continue;
            }
            let Self { options, store, .. } = self;
            let listed = options.options(store, component, mover, self.limits)?;
            for option in lists(&listed) {
                sum.clear();
                sum.extend_from_slice(&state[..index]);
                sum.extend_from_slice(&state[index + 1..]);
                sum.extend_from_slice(option);
                sum.sort_unstable();
                let id = self.sums.intern(&sum);
                self.graph.push_edge(turns * id + turn);
            }
            self.check()?;
        }
        if self.end_rule == Ends::Payoff && self.graph.edges() == before {
            let result = match *state {
                [only] => self.store.payoff(only, mover)?,
                _ => PayoffResult::Lose,
            };
            let vertex = self.graph.vertices() as u32;
            self.terminal_results
                .push((vertex, result.in_play(self.play).into()));
        }
        Ok(())
    }
}
