//! Retrograde analysis of all reachable sums, for positions without a value in any theory.
//!
//! A sum is a multiset of components, which are identified by their ids in a store. The reachable
//! sums form a game graph. In a partizan game each sum has one vertex for each player to move. The
//! label of a vertex contains its outcome and its remoteness, in normal or in misère play. The
//! labels are computed backwards from the terminal positions. The game may be loopy: a play that
//! never ends is a draw.

use crate::position::Position;
use crate::rules::{Ends, Moves};
use crate::solve::label_source::LabelSource;
use crate::store::option_cache::OptionCache;
use crate::store::{Store, lists};
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
        let movers: &[Player] = match nature.moves {
            Moves::Same => &[Player::Left],
            Moves::Partizan => &Player::BOTH,
        };
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
        let labels = match nature.ends {
            Ends::LastMove => graph.label_with_limits(play, limits)?,
            Ends::Payoff => graph.label_with_ends(
                &graph.transpose(limits)?,
                &builder.terminal_results,
                limits,
            )?,
        };
        Ok(Self {
            has_cycle: graph.cycle_from(0).is_some(),
            store: builder.store,
            sums: builder.sums,
            labels,
            turns: movers.len() as u32,
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

    /// Adds the vertex for the sum of the components `state` with `mover` to move, and the edges
    /// from this vertex.
    fn add_vertex(&mut self, state: &[u32], mover: Player) -> Result<(), Stop> {
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
        self.graph.end_vertex();
        Ok(())
    }
}
