//! Stops and thermographs, computed without canonical forms, for positions that would need too many
//! of these forms.
//!
//! Stops and thermographs are computed in one pass, which visits every reachable sum of components
//! once. With each stop, the pass records the player to move at the stop. The stops of the options
//! of a game determine whether the game is a number. If it is not, the walls of its thermograph
//! follow from the thermographs of its options. The thermograph of a sum does not follow from those
//! of its components, so the pass visits the options of the sum itself. The proof is in
//! docs/theory.md.

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

/// The outcome, the stops and the thermograph of a sum, and its value if it is a number.
#[derive(Clone)]
struct Facts {
    /// Two flags: whether Left wins moving first, and whether Right wins moving first.
    wins: [bool; 2],
    number: Option<Dyadic>,
    /// The stop if Left moves first, and the stop if Right moves first. Each is given with the
    /// player to move at the stop.
    stops: [(Dyadic, Player); 2],
    /// The index of the thermograph in [`Thermographs`].
    thermograph: u32,
}

/// The state of a sum in the depth-first search.
enum SumState {
    Unseen,
    /// The sum is on the path of the search. If the search reaches it again, there is a cycle.
    Open,
    Facts(Facts),
}

/// A sum on the path of the search, with its options. `options` lists the sums after one move, each
/// by its index in `Pass::sums`. The options of Left come first.
struct OpenSum {
    sum: u32,
    options: Vec<u32>,
    /// Number of Left's options.
    left: usize,
    /// The index in `options` of the first option for which no `Facts` may have been computed yet.
    next: usize,
}

/// An interner of thermographs, with a cache of computed thermographs. It saves memory and time,
/// since different sums often have equal thermographs.
#[derive(Default)]
struct Thermographs {
    all: Vec<Arc<Thermograph>>,
    numbers: FxHashMap<Arc<Thermograph>, u32>,
    of_numbers: FxHashMap<Dyadic, u32>,
    /// The thermograph of a game, by the thermographs of Left's options and those of Right's
    /// options. Each thermograph is given by its index in `all`.
    of_options: FxHashMap<[Box<[u32]>; 2], u32>,
    /// Approximate number of bytes that the thermographs and the cache occupy.
    bytes: u64,
}

impl Thermographs {
    fn intern(&mut self, graph: Thermograph) -> u32 {
        if let Some(&known) = self.numbers.get(&graph) {
            return known;
        }
        let (graph, next) = (Arc::new(graph), self.all.len() as u32);
        let points = graph.walls().iter().map(Vec::len).sum::<usize>();
        // This is an estimate, since the coordinates of points are numbers of any size.
        self.bytes += 150 + 40 * points as u64;
        self.all.push(Arc::clone(&graph));
        self.numbers.insert(graph, next);
        next
    }

    fn of_number(&mut self, number: &Dyadic) -> u32 {
        if let Some(&known) = self.of_numbers.get(number) {
            return known;
        }
        let graph = self.intern(Thermograph::of_number(number));
        self.bytes += 50;
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
        let graph = self.intern(graph);
        let [left, right] = options.each_ref().map(|graphs| graphs.len() as u64);
        self.bytes += 80 + 4 * (left + right);
        self.of_options.insert(options, graph);
        graph
    }
}

struct Pass<'a> {
    store: Store,
    limits: &'a Limits<'a>,
    options: OptionCache,
    /// The sums found so far, each as a list of component ids.
    sums: Lists,
    /// The state of each sum in the search, by the index of the sum in `sums`.
    states: Vec<SumState>,
    thermographs: Thermographs,
}

/// Computes the outcome class, the stops and the thermograph of a position in normal play.
///
/// # Complexity
/// One visit to every reachable sum of components.
///
/// # Errors
/// Fails with the limit that was reached, or with [`Stop::Cyclic`] if a position repeats. Fails
/// with [`Stop::NoValue`] if the last move does not decide the game, or if the position fixes the
/// player who begins.
///
/// # Examples
/// ```
/// use grundy_core::thermographs::thermograph;
/// use grundy_core::{Dyadic, Limits, argument::Argument, registry};
/// let board = registry::construct("domineering", &[(None, Argument::Board(2, 2))])?.into();
/// let thermal = thermograph(&board, &Limits::default())?;
/// assert_eq!(thermal.stops, [1, -1].map(Dyadic::integer));
/// assert_eq!(thermal.thermograph.mean(), &Dyadic::ZERO);
/// assert_eq!(thermal.thermograph.temperature(), &Dyadic::ONE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn thermograph(position: &Position, limits: &Limits<'_>) -> Result<Thermal, Stop> {
    let nature = position.nature();
    let own_turn = nature.moves == Moves::Partizan && nature.beginner != Beginner::Either;
    if nature.ends == Ends::Payoff || own_turn {
        return Err(Stop::NoValue);
    }
    let mut pass = Pass {
        store: Store::default(),
        limits,
        options: OptionCache::default(),
        sums: Lists::default(),
        states: Vec::new(),
        thermographs: Thermographs::default(),
    };
    let mut start = Vec::new();
    position.enter(&mut pass.store, &mut start);
    let start = pass.sum_number(&mut start);
    let facts = pass.run(start)?;
    let thermograph = &pass.thermographs.all[facts.thermograph as usize];
    Ok(Thermal {
        class: OutcomeClass::from_wins(facts.wins[0], facts.wins[1]),
        stops: facts.stops.map(|(stop, _)| stop),
        number: facts.number,
        thermograph: Arc::clone(thermograph),
    })
}

impl Pass<'_> {
    /// Computes the outcome, the stops and the thermograph of a sum by a depth-first search. For
    /// each sum, the search first computes the facts about the options.
    fn run(&mut self, start: u32) -> Result<Facts, Stop> {
        // Use an explicit stack, so that only the memory limits the length of play.
        let mut path = vec![self.open(start)?];
        while let Some(last) = path.last_mut() {
            let remaining = last.options[last.next..].iter();
            let is_known =
                |&&option: &&u32| matches!(self.states[option as usize], SumState::Facts(_));
            last.next += remaining.take_while(is_known).count();
            if let Some(&missing) = last.options.get(last.next) {
                if matches!(self.states[missing as usize], SumState::Open) {
                    return Err(Stop::Cyclic);
                }
                let next = self.open(missing)?;
                path.push(next);
                continue;
            }
            let facts = self.facts(last);
            let sum = last.sum;
            path.pop();
            if path.is_empty() {
                return Ok(facts);
            }
            self.states[sum as usize] = SumState::Facts(facts);
        }
        unreachable!("the first sum ends the pass");
    }

    /// Returns the index of the sum of some components in `sums`. Adds a new sum to the list.
    fn sum_number(&mut self, components: &mut [u32]) -> u32 {
        components.sort_unstable();
        let number = self.sums.intern(components);
        if number as usize == self.states.len() {
            self.states.push(SumState::Unseen);
        }
        number
    }

    fn open(&mut self, sum: u32) -> Result<OpenSum, Stop> {
        let bytes = self.store.bytes() + self.options.bytes() + self.thermographs.bytes;
        let known = self.states.len() as u64;
        let each = size_of::<SumState>() as u64;
        self.limits
            .check(known, bytes + self.sums.bytes() as u64 + each * known)?;
        self.limits.poll()?;
        self.states[sum as usize] = SumState::Open;
        let components: Box<[u32]> = self.sums.get(sum).into();
        let mut options = Vec::new();
        let mut left = 0;
        let mut option = Vec::new();
        for player in Player::BOTH {
            let mut of_player = Vec::new();
            for (index, &id) in components.iter().enumerate() {
                // Equal components are adjacent and have the same options, so visit the first only.
                if index > 0 && components[index - 1] == id {
                    continue;
                }
                let replacements =
                    self.options
                        .options(&mut self.store, id, player, self.limits)?;
                for replacement in lists(&replacements) {
                    option.clear();
                    option.extend_from_slice(&components[..index]);
                    option.extend_from_slice(&components[index + 1..]);
                    option.extend_from_slice(replacement);
                    of_player.push(self.sum_number(&mut option));
                }
            }
            // Remove duplicates. Different moves often lead to equal sums, since components are
            // canonical.
            of_player.sort_unstable();
            of_player.dedup();
            options.append(&mut of_player);
            if player == Player::Left {
                left = options.len();
            }
        }
        Ok(OpenSum {
            sum,
            options,
            left,
            next: 0,
        })
    }

    /// Computes the outcome, the stops and the thermograph of a sum from those of its options.
    fn facts(&mut self, open: &OpenSum) -> Facts {
        let facts_of = |options: &[u32]| -> Vec<&Facts> {
            let states = options.iter().map(|&option| &self.states[option as usize]);
            let facts = states.filter_map(|state| match state {
                SumState::Facts(facts) => Some(facts),
                SumState::Unseen | SumState::Open => None,
            });
            facts.collect()
        };
        let (left, right) = (
            facts_of(&open.options[..open.left]),
            facts_of(&open.options[open.left..]),
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
            // A number x fits if no left option is at least x and no right option is at most x. A
            // left option is at least x if its stop is above x, or if its stop is x and Right is to
            // move there. So x may equal the stop only if Left is to move there. For a right option
            // the players are exchanged.
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
                thermograph: self.thermographs.of_number(&number),
                number: Some(number),
            };
        }
        // No number fits here. If a player had no option, some integer would fit. So both players
        // have options, and both stops exist.
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
            thermograph: self.thermographs.of_options(graphs),
        }
    }
}
