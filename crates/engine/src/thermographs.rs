//! Stops and thermographs of positions that have too many canonical forms.
//!
//! They are computed in one pass, which visits every reachable sum of components once. Each stop is
//! recorded together with the player to move there. This decides whether a game is at least a given
//! number, and hence which positions are numbers. The walls of all other positions follow from the
//! walls of their options. The walls of a sum do not follow from those of its components, so sums
//! are played out as a whole. The proof is in docs/theory.md.

use std::sync::Arc;

use grundy_forms::Thermograph;
use rustc_hash::FxHashMap;

use crate::position::Position;
use crate::rules::{Beginner, Ends, Moves};
use crate::store::option_cache::OptionCache;
use crate::store::{Store, lists};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::{OutcomeClass, Player};
use grundy_graphs::graph::Lists;

/// The outcome class, the stops and the thermograph of a position.
#[derive(Clone, Debug)]
pub struct Thermal {
    /// The outcome class.
    pub class: OutcomeClass,
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// The value, if it is a number.
    pub number: Option<Dyadic>,
    /// The thermograph.
    pub thermograph: Arc<Thermograph>,
}

/// The facts computed about a sum.
#[derive(Clone)]
struct Facts {
    /// `true` if Left wins moving first, then `true` if Right wins moving first.
    wins: [bool; 2],
    number: Option<Dyadic>,
    /// The stop if Left moves first, and the stop if Right moves first. Each has the player who is
    /// to move at the stop.
    stops: [(Dyadic, Player); 2],
    /// The number of the thermograph in [`Graphs`].
    thermograph: u32,
}

/// The state of a sum during the depth-first search.
enum SumState {
    Unseen,
    /// The sum is on the path of the search. If the search reaches it again, there is a cycle.
    Open,
    Facts(Facts),
}

/// A sum on the path of the search, with the numbers of its options. The options of Left come
/// first.
struct Open {
    sum: u32,
    options: Vec<u32>,
    /// Number of Left's options.
    left: usize,
    /// The index of the first option that may have no facts yet.
    next: usize,
}

/// An interner of thermographs. The sums have few different thermographs, and these follow from few
/// different sets of other thermographs.
#[derive(Default)]
struct Graphs {
    all: Vec<Arc<Thermograph>>,
    numbers: FxHashMap<Arc<Thermograph>, u32>,
    of_numbers: FxHashMap<Dyadic, u32>,
    /// The number of a thermograph, by the set of thermographs of Left's options and that of
    /// Right's options.
    of_options: FxHashMap<[Box<[u32]>; 2], u32>,
    held: u64,
}

impl Graphs {
    fn numbered(&mut self, graph: Thermograph) -> u32 {
        if let Some(&known) = self.numbers.get(&graph) {
            return known;
        }
        let (graph, next) = (Arc::new(graph), self.all.len() as u32);
        let points = graph.walls().iter().map(Vec::len).sum::<usize>();
        // This is an estimate, since the points contain numbers of any size.
        self.held += 150 + 40 * points as u64;
        self.all.push(Arc::clone(&graph));
        self.numbers.insert(graph, next);
        next
    }

    fn of_number(&mut self, number: &Dyadic) -> u32 {
        if let Some(&known) = self.of_numbers.get(number) {
            return known;
        }
        let graph = self.numbered(Thermograph::of_number(number));
        self.held += 50;
        self.of_numbers.insert(number.clone(), graph);
        graph
    }

    fn of_options(&mut self, options: [Vec<u32>; 2]) -> u32 {
        let options = options.map(|mut graphs| {
            graphs.sort_unstable();
            graphs.dedup();
            graphs.into_boxed_slice()
        });
        if let Some(&known) = self.of_options.get(&options) {
            return known;
        }
        let [left, right] = options
            .each_ref()
            .map(|graphs| graphs.iter().map(|&graph| &*self.all[graph as usize]));
        let graph = Thermograph::of_options(left, right);
        let graph = self.numbered(graph);
        let [left, right] = options.each_ref().map(|graphs| graphs.len() as u64);
        self.held += 80 + 4 * (left + right);
        self.of_options.insert(options, graph);
        graph
    }
}

struct Pass<'a> {
    store: Store,
    limits: &'a Limits<'a>,
    options: OptionCache,
    /// The sums visited so far, each as a list of component numbers.
    sums: Lists,
    /// The state of each sum.
    known: Vec<SumState>,
    graphs: Graphs,
}

/// Computes the outcome class, the stops and the thermograph of a position in normal play.
///
/// # Complexity
/// One visit to every reachable sum of components.
///
/// # Errors
/// The limit that was reached. [`Stop::Cyclic`] if a position repeats. [`Stop::NoValue`] if the
/// last move does not decide the game, or if the position fixes the player who begins.
pub fn thermograph(position: &Position, limits: &Limits<'_>) -> Result<Thermal, Stop> {
    let nature = position.nature();
    let own_turn = nature.moves == Moves::Own && nature.beginner != Beginner::Either;
    if nature.ends == Ends::Payoff || own_turn {
        return Err(Stop::NoValue);
    }
    let mut pass = Pass {
        store: Store::default(),
        limits,
        options: OptionCache::default(),
        sums: Lists::default(),
        known: Vec::new(),
        graphs: Graphs::default(),
    };
    let mut start = Vec::new();
    position.enter(&mut pass.store, &mut start);
    let start = pass.numbered(&mut start);
    let facts = pass.run(start)?;
    let thermograph = &pass.graphs.all[facts.thermograph as usize];
    Ok(Thermal {
        class: OutcomeClass::from_wins(facts.wins[0], facts.wins[1]),
        stops: facts.stops.map(|(stop, _)| stop),
        number: facts.number,
        thermograph: Arc::clone(thermograph),
    })
}

impl Pass<'_> {
    /// Computes the facts about a sum, after those about its options, in a depth-first search.
    fn run(&mut self, start: u32) -> Result<Facts, Stop> {
        // Use an explicit stack, so that only the memory limits the length of play.
        let mut way = vec![self.open(start)?];
        while let Some(last) = way.last_mut() {
            let ahead = last.options[last.next..].iter();
            let is_known =
                |&&option: &&u32| matches!(self.known[option as usize], SumState::Facts(_));
            last.next += ahead.take_while(is_known).count();
            if let Some(&missing) = last.options.get(last.next) {
                if matches!(self.known[missing as usize], SumState::Open) {
                    return Err(Stop::Cyclic);
                }
                let next = self.open(missing)?;
                way.push(next);
                continue;
            }
            let facts = self.facts(last);
            let sum = last.sum;
            way.pop();
            if way.is_empty() {
                return Ok(facts);
            }
            self.known[sum as usize] = SumState::Facts(facts);
        }
        unreachable!("the first sum ends the pass");
    }

    /// Returns the number of the sum of some components. A new sum gets the next number.
    fn numbered(&mut self, components: &mut [u32]) -> u32 {
        components.sort_unstable();
        let number = self.sums.number(components);
        if number as usize == self.known.len() {
            self.known.push(SumState::Unseen);
        }
        number
    }

    fn open(&mut self, sum: u32) -> Result<Open, Stop> {
        let held = self.store.bytes() + self.options.bytes() + self.graphs.held;
        let known = self.known.len() as u64;
        let each = size_of::<SumState>() as u64;
        self.limits
            .check(known, held + self.sums.bytes() as u64 + each * known)?;
        self.limits.poll()?;
        self.known[sum as usize] = SumState::Open;
        let components: Box<[u32]> = self.sums.get(sum).into();
        let mut options = Vec::new();
        let mut left = 0;
        let mut option = Vec::new();
        for player in Player::BOTH {
            let mut its = Vec::new();
            for (index, &id) in components.iter().enumerate() {
                // Equal components are adjacent and have the same options, so visit the first only.
                if index > 0 && components[index - 1] == id {
                    continue;
                }
                let replaced = self
                    .options
                    .options(&mut self.store, id, player, self.limits)?;
                for replaced in lists(&replaced) {
                    option.clear();
                    option.extend_from_slice(&components[..index]);
                    option.extend_from_slice(&components[index + 1..]);
                    option.extend_from_slice(replaced);
                    its.push(self.numbered(&mut option));
                }
            }
            // Different moves often lead to equal sums, since components are canonical.
            its.sort_unstable();
            its.dedup();
            options.append(&mut its);
            if player == Player::Left {
                left = options.len();
            }
        }
        Ok(Open {
            sum,
            options,
            left,
            next: 0,
        })
    }

    /// Computes the facts about a sum from the facts about its options.
    fn facts(&mut self, open: &Open) -> Facts {
        let all = |options: &[u32]| -> Vec<&Facts> {
            let known = options.iter().map(|&option| &self.known[option as usize]);
            let facts = known.filter_map(|known| match known {
                SumState::Facts(facts) => Some(facts),
                SumState::Unseen | SumState::Open => None,
            });
            facts.collect()
        };
        let (left, right) = (
            all(&open.options[..open.left]),
            all(&open.options[open.left..]),
        );
        let wins = [
            left.iter().any(|option| !option.wins[1]),
            right.iter().any(|option| !option.wins[0]),
        ];
        // If two stops are equal, each player prefers the one at which the opponent is to move.
        let most = left.iter().map(|option| &option.stops[1]);
        let most = most.max_by_key(|(stop, to_move)| (stop.clone(), *to_move == Player::Right));
        let least = right.iter().map(|option| &option.stops[0]);
        let least = least.min_by_key(|(stop, to_move)| (stop.clone(), *to_move == Player::Right));
        let end = |end: Option<&(Dyadic, Player)>, player: Player| {
            // An option is at least x if its stop is above x, or if its stop is x and the other
            // player is to move there. A number x fits if no left option is at least x and no right
            // option is at most x. So in the remaining case x may equal the stop.
            end.map(|(stop, to_move)| (stop.clone(), *to_move == player))
        };
        let ends = [end(most, Player::Left), end(least, Player::Right)];
        let [from, to] = ends.each_ref().map(|end| {
            let end = end.as_ref();
            end.map(|(stop, closed)| (stop, *closed))
        });
        // By the simplicity theorem, the value is the simplest number that fits.
        if let Some(number) = Dyadic::simplest_within(from, to) {
            return Facts {
                wins,
                stops: Player::BOTH.map(|player| (number.clone(), player)),
                thermograph: self.graphs.of_number(&number),
                number: Some(number),
            };
        }
        // No number fits here. If a player had no option, some integer would fit, so both stops
        // exist.
        let zero = (Dyadic::ZERO, Player::Left);
        let stops = [most, least].map(|stop| stop.unwrap_or(&zero).clone());
        let graphs = [left, right].map(|options| {
            let graphs = options.iter().map(|option| option.thermograph);
            graphs.collect()
        });
        Facts {
            wins,
            number: None,
            stops,
            thermograph: self.graphs.of_options(graphs),
        }
    }
}
