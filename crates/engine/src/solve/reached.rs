//! Retrograde analysis of all reachable sums, for positions without a value in any theory.
//!
//! A state is a multiset of component numbers and, in a partizan game, the player to move. The
//! reachable states form a game graph, whose labels are computed backwards from the terminal
//! states. This gives outcomes and remoteness in normal and in misère play, also for loopy games. A
//! play that never ends is a draw.

use crate::position::Position;
use crate::rules::{Ends, Moves};
use crate::solve::known::KnowsLabels;
use crate::store::option_cache::OptionCache;
use crate::store::{Store, lists};
use grundy_base::limits::{Limits, Stop, ended, unless};
use grundy_base::outcome::{Outcome, Play, Worth};
use grundy_base::player::{OutcomeClass, Player};
use grundy_graphs::graph::{Digraph, Label, Labels, Lists};

/// All sums reachable from a position, with their labels.
///
/// ```
/// use grundy::argument::Argument;
/// use grundy::solve::reached::Reached;
/// use grundy::{Limits, Play, Position, registry};
/// let text = |text: &str| Argument::Text(text.into());
/// let way = |from, to| Argument::List(vec![text(from), text(to)]);
/// let there_and_back = Argument::List(vec![way("a", "b"), way("b", "a")]);
/// let round = registry::construct("graph", &[(None, there_and_back), (None, text("a"))])?;
/// let stalk = registry::construct("hackenbush", &[(None, text("0-1:b"))])?;
/// let position = Position::sum(vec![round, stalk])?;
/// let reached = Reached::new(&position, Play::Normal, &Limits::default())?;
/// assert_eq!(reached.class(&position).unwrap().to_string(), "D");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reached {
    store: Store,
    sums: Lists,
    labels: Labels,
    /// The number of vertices of each sum: 2 if the player to move makes a difference, and
    /// otherwise 1.
    turns: u32,
    /// `true` if a position can repeat.
    comes_back: bool,
}

impl Reached {
    /// Finds all sums reachable from `position` and computes their labels.
    ///
    /// # Complexity
    /// O(V + E) time and memory for V vertices and E moves. A vertex is a reachable sum or, in a
    /// partizan game, a reachable sum with the player to move.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    pub fn new(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        // All positions of the longest play are different, so its length is a lower bound of the
        // number of positions. The check avoids a long computation that is certain to exceed the
        // limit.
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
            Moves::Own => &Player::BOTH,
        };
        let mut layout = Layout::new(movers, nature.ends, play, limits);
        layout.root(position);
        layout.follow()?;
        // The canonical form may not merge all equal positions. Then a move may lead to a sum whose
        // equal was reached only in another form. Add these sums too, so that every move finds its
        // label.
        for &player in movers {
            ended(position.moves(player, &mut |_, _, to| {
                layout.root(&to());
                unless(layout.check().and_then(|()| limits.poll()))
            }))?;
        }
        layout.follow()?;
        let graph = &layout.graph;
        let labels = match nature.ends {
            Ends::LastMove => graph.label_within(play, limits)?,
            Ends::Payoff => graph.label_from(&graph.transpose(limits)?, &layout.ends, limits)?,
        };
        Ok(Self {
            comes_back: graph.cycle_from(0).is_some(),
            store: layout.store,
            sums: layout.sums,
            labels,
            turns: movers.len() as u32,
        })
    }

    /// Returns the number of sums. A sum with Left to move and with Right to move counts once.
    #[must_use]
    pub fn sums(&self) -> usize {
        self.sums.len()
    }

    /// Returns whether a position can repeat.
    #[must_use]
    pub fn comes_back(&self) -> bool {
        self.comes_back
    }

    /// Returns the label of a position with `player` to move, or `None` if it is not reachable.
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

    /// Returns the outcome class, or `None` if the position is not reachable.
    #[must_use]
    pub fn class(&self, position: &Position) -> Option<OutcomeClass> {
        let [left, right] = Player::BOTH.map(|player| self.label(position, player));
        Some(OutcomeClass::from_outcomes([left?.outcome, right?.outcome]))
    }
}

/// Knows the labels of the start position, and of all positions after one move.
impl KnowsLabels for Reached {
    fn label_of(&self, position: &Position, player: Player) -> Result<Option<Label>, Stop> {
        Ok(self.label(position, player))
    }
}

/// The game graph of the reachable sums, while it is under construction.
struct Layout<'a> {
    movers: &'a [Player],
    payoffs: Ends,
    play: Play,
    limits: &'a Limits<'a>,
    store: Store,
    options: OptionCache,
    sums: Lists,
    graph: Digraph,
    /// The results of the terminal states, each with its vertex, if payoffs decide.
    ends: Vec<(u32, Outcome)>,
}

impl<'a> Layout<'a> {
    fn new(movers: &'a [Player], payoffs: Ends, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            movers,
            payoffs,
            play,
            limits,
            store: Store::default(),
            options: OptionCache::default(),
            sums: Lists::default(),
            graph: Digraph::default(),
            ends: Vec::new(),
        }
    }

    /// Adds the sum of a position to the list of sums, if it is new.
    fn root(&mut self, position: &Position) {
        let mut sum = Vec::new();
        position.enter(&mut self.store, &mut sum);
        sum.sort_unstable();
        self.sums.number(&sum);
    }

    fn check(&self) -> Result<(), Stop> {
        // The indices of vertices and edges have 32 bits.
        let most = Digraph::MOST_VERTICES / self.movers.len();
        if self.sums.len() > most || self.graph.edges() == Digraph::MOST_EDGES {
            return Err(Stop::Positions(most as u64));
        }
        self.limits.check(self.sums.len() as u64, 0)?;
        // The size of a sum is not bounded, so check the number of bytes as well as the number of
        // sums.
        let bytes = self.sums.bytes() as u64 + 12 * self.graph.edges() as u64;
        self.limits.check(1, bytes)
    }

    /// Adds everything reachable from the sums in the list: their vertices and edges, and the sums
    /// that these lead to.
    fn follow(&mut self) -> Result<(), Stop> {
        let turns = self.movers.len();
        // Vertices are added in the order of the sums. So the number of vertices gives the next sum
        // to be explored.
        while self.graph.vertices() / turns < self.sums.len() {
            let next = self.graph.vertices() / turns;
            if next.is_multiple_of(16) {
                self.limits.poll()?;
            }
            self.limits.count(1);
            let state = self.sums.get(next as u32).to_vec();
            for &mover in self.movers {
                self.row(&state, mover)?;
            }
        }
        Ok(())
    }

    /// Adds the vertex for a sum with `mover` to move, and the edges from it.
    fn row(&mut self, state: &[u32], mover: Player) -> Result<(), Stop> {
        let before = self.graph.edges();
        let turns = self.movers.len() as u32;
        // After a move of Left, Right is to move. The vertex with Right to move is the second of a
        // pair.
        let turn = u32::from(turns == 2 && mover == Player::Left);
        let (mut previous, mut sum) = (None, Vec::new());
        for (index, &component) in state.iter().enumerate() {
            // The state is sorted, so equal components are adjacent. They have the same options, so
            // explore the first only.
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
                let id = self.sums.number(&sum);
                self.graph.push_edge(turns * id + turn);
            }
            self.check()?;
        }
        if self.payoffs == Ends::Payoff && self.graph.edges() == before {
            let worth = match *state {
                [only] => self.store.payoff(only, mover)?,
                _ => Worth::Lose,
            };
            let vertex = self.graph.vertices() as u32;
            self.ends.push((vertex, worth.in_play(self.play).into()));
        }
        self.graph.end_vertex();
        Ok(())
    }
}
