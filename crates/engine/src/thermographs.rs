//! Stops and thermographs computed from positions, for games with too many canonical forms.
//!
//! The pass visits every reachable sum of components once. It records for each stop the player to
//! move there. This decides whether a game is at least a given number, hence which positions are
//! numbers. The walls of all other positions follow from those of their options. Since the walls of
//! a sum do not follow from the walls of its components, sums are played out as a whole. The proof
//! is in docs/theory.md.

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

/// Outcome, stops and thermograph of a position.
#[derive(Clone, Debug)]
pub struct Thermal {
    /// The outcome class.
    pub class: OutcomeClass,
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// The value if it is a number.
    pub number: Option<Dyadic>,
    /// The thermograph.
    pub thermograph: Arc<Thermograph>,
}

/// Facts about a sum.
#[derive(Clone)]
struct Facts {
    /// `true` if Left wins moving first, and the same for Right.
    wins: [bool; 2],
    number: Option<Dyadic>,
    /// The stop if Left begins and the stop if Right begins, each with the player to move there.
    stops: [(Dyadic, Player); 2],
    /// The number of the thermograph.
    thermograph: u32,
}

/// State of a sum in the depth-first search.
enum SumState {
    Unseen,
    /// The sum is on the current path. Reaching it again means a cycle.
    Open,
    Facts(Facts),
}

/// A sum on the current path, with the numbers of its options, Left's first.
struct Open {
    sum: u32,
    options: Vec<u32>,
    /// Number of Left's options.
    left: usize,
    /// The first option that may have no facts yet.
    next: usize,
}

/// Interner of thermographs. Sums have few different thermographs, and these follow from few
/// different sets of others.
#[derive(Default)]
struct Graphs {
    all: Vec<Arc<Thermograph>>,
    numbers: FxHashMap<Arc<Thermograph>, u32>,
    of_numbers: FxHashMap<Dyadic, u32>,
    /// Thermographs by those of Left's and of Right's options, without duplicates.
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
        // Estimate of the allocation, since the points hold numbers of any size.
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
    /// The sums visited, each as the numbers of its components.
    sums: Lists,
    /// The state of each sum.
    known: Vec<SumState>,
    graphs: Graphs,
}

/// Computes outcome, stops and thermograph of a position in normal play.
///
/// # Complexity
/// One visit to every reachable sum of components.
///
/// # Errors
/// The limit that was reached. [`Stop::Cyclic`] if a position repeats. [`Stop::NoValue`] if the
/// last move does not decide, or the position fixes the beginner.
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
    /// Returns the facts about a sum, after a depth-first search of its options.
    fn run(&mut self, start: u32) -> Result<Facts, Stop> {
        // An explicit stack, since only memory bounds the depth of a game.
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

    /// Returns the number of the sum of some components.
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
                // Equal components are adjacent and have the same options.
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
            // Components are canonical, so different moves often lead to equal sums.
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

    /// Computes the facts about a sum from those of its options.
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
        // At equal stops each player prefers that the opponent be on move.
        let most = left.iter().map(|option| &option.stops[1]);
        let most = most.max_by_key(|(stop, to_move)| (stop.clone(), *to_move == Player::Right));
        let least = right.iter().map(|option| &option.stops[0]);
        let least = least.min_by_key(|(stop, to_move)| (stop.clone(), *to_move == Player::Right));
        let end = |end: Option<&(Dyadic, Player)>, player: Player| {
            // An option is at least x if it stops above x, or at x with the other player to move. A
            // number x fits if no left option is at least x and no right option at most x, so the
            // end is closed in the remaining case.
            end.map(|(stop, to_move)| (stop.clone(), *to_move == player))
        };
        let ends = [end(most, Player::Left), end(least, Player::Right)];
        let [from, to] = ends.each_ref().map(|end| {
            let end = end.as_ref();
            end.map(|(stop, closed)| (stop, *closed))
        });
        // The simplest number that fits is the value, by the simplicity theorem.
        if let Some(number) = Dyadic::simplest_within(from, to) {
            return Facts {
                wins,
                stops: Player::BOTH.map(|player| (number.clone(), player)),
                thermograph: self.graphs.of_number(&number),
                number: Some(number),
            };
        }
        // If a player has no option, some integer fits, so both stops exist here.
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
