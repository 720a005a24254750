//! Stops and thermographs from the positions alone, where canonical forms would be too many.
//!
//! One pass over all sums of components that can be reached. A stop remembers who is to move there: that tells whether a game is at
//! least a number, so it tells which positions are numbers, and the walls of the others follow from those of their options.
//! The walls of a sum do not follow from those of its parts, so sums are played out as a whole. docs/theory.md has the proof.

use std::sync::Arc;

use grundy_forms::Thermograph;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dyadic::Dyadic;
use crate::limits::{Limits, Stop};
use crate::player::{OutcomeClass, Player};
use crate::position::Position;
use crate::rules::{Beginner, Ends, Moves};
use crate::space::Space;
use crate::space::interned::lists;

/// What the pass tells of a position.
#[derive(Clone, Debug)]
pub struct Heat {
    /// Who wins.
    pub class: OutcomeClass,
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// The number that it is.
    pub number: Option<Dyadic>,
    /// The thermograph.
    pub thermograph: Arc<Thermograph>,
}

/// What is known of a sum.
struct Facts {
    /// Whether Left wins moving first, and Right.
    wins: [bool; 2],
    number: Option<Dyadic>,
    /// Where play stops when Left begins and when Right does, and who is to move there.
    stops: [(Dyadic, Player); 2],
    thermograph: Arc<Thermograph>,
}

/// A sum on the way: its options, Left's first, and how many of them are Left's.
struct Open {
    sum: Box<[u32]>,
    options: Vec<Box<[u32]>>,
    left: usize,
}

/// The options of a component, each as the numbers of its components.
type Options = Arc<[Box<[u32]>]>;

struct Pass<'a> {
    space: Space,
    limits: &'a Limits<'a>,
    /// The options of each component, once they were asked for.
    options: Vec<[Option<Options>; 2]>,
    known: FxHashMap<Box<[u32]>, Facts>,
    held: u64,
}

/// Outcome, stops and thermograph of a position in normal play.
///
/// # Complexity
/// One visit to every sum of components that can be reached.
///
/// # Errors
/// The limit that was reached; [`Stop::Cyclic`] where a position comes back, [`Stop::NoValue`] where the last move does not decide or
/// not either player may begin.
pub fn heat(position: &Position, limits: &Limits<'_>) -> Result<Heat, Stop> {
    let nature = position.nature();
    let own_turn = nature.moves == Moves::Own && nature.beginner != Beginner::Either;
    if nature.ends == Ends::Payoff || own_turn {
        return Err(Stop::NoValue);
    }
    let mut pass = Pass {
        space: Space::default(),
        limits,
        options: Vec::new(),
        known: FxHashMap::default(),
        held: 0,
    };
    let mut start = Vec::new();
    position.enter(&mut pass.space, &mut start);
    start.sort_unstable();
    let start: Box<[u32]> = start.into();
    pass.run(&start)?;
    let facts = &pass.known[&start];
    Ok(Heat {
        class: OutcomeClass::from_wins(facts.wins[0], facts.wins[1]),
        stops: facts.stops.each_ref().map(|(stop, _)| stop.clone()),
        number: facts.number.clone(),
        thermograph: Arc::clone(&facts.thermograph),
    })
}

impl Pass<'_> {
    fn run(&mut self, start: &[u32]) -> Result<(), Stop> {
        let mut way = vec![self.open(start.into())?];
        let mut on_the_way: FxHashSet<Box<[u32]>> = FxHashSet::default();
        on_the_way.insert(start.into());
        while let Some(last) = way.last() {
            let missing = last
                .options
                .iter()
                .find(|option| !self.known.contains_key(*option));
            if let Some(missing) = missing.cloned() {
                if !on_the_way.insert(missing.clone()) {
                    return Err(Stop::Cyclic);
                }
                let next = self.open(missing)?;
                way.push(next);
                continue;
            }
            let facts = self.facts(last);
            let Some(done) = way.pop() else { break };
            on_the_way.remove(&done.sum);
            let points = facts
                .thermograph
                .walls()
                .iter()
                .map(Vec::len)
                .sum::<usize>();
            self.held += 300 + 4 * done.sum.len() as u64 + 40 * points as u64;
            self.known.insert(done.sum, facts);
        }
        Ok(())
    }

    fn open(&mut self, sum: Box<[u32]>) -> Result<Open, Stop> {
        self.limits.check(self.known.len() as u64, 0)?;
        self.limits.check(1, self.held + self.space.bytes())?;
        self.limits.poll()?;
        let mut options: Vec<Box<[u32]>> = Vec::new();
        let mut left = 0;
        for player in Player::BOTH {
            let before = options.len();
            for (index, &id) in sum.iter().enumerate() {
                if index > 0 && sum[index - 1] == id {
                    continue;
                }
                for replaced in self.options_of(id, player)?.iter() {
                    let mut option: Vec<u32> = sum.to_vec();
                    option.remove(index);
                    option.extend_from_slice(replaced);
                    option.sort_unstable();
                    options.push(option.into());
                }
            }
            options[before..].sort_unstable();
            if player == Player::Left {
                options.dedup();
                left = options.len();
            }
        }
        let mut right = options.split_off(left);
        right.dedup();
        options.append(&mut right);
        Ok(Open { sum, options, left })
    }

    fn options_of(&mut self, id: u32, player: Player) -> Result<Options, Stop> {
        let side = player as usize;
        if let Some(Some(known)) = self.options.get(id as usize).map(|known| &known[side]) {
            return Ok(Arc::clone(known));
        }
        let mut flat = Vec::new();
        self.space
            .push_options(id, player, &mut flat, self.limits)?;
        let options: Options = lists(&flat).map(Box::from).collect();
        self.options.resize(self.space.len(), [None, None]);
        self.options[id as usize][side] = Some(Arc::clone(&options));
        Ok(options)
    }

    /// From what is known of all options.
    fn facts(&self, open: &Open) -> Facts {
        let all = |options: &[Box<[u32]>]| -> Vec<&Facts> {
            options.iter().map(|option| &self.known[option]).collect()
        };
        let (left, right) = (
            all(&open.options[..open.left]),
            all(&open.options[open.left..]),
        );
        let wins = [
            left.iter().any(|option| !option.wins[1]),
            right.iter().any(|option| !option.wins[0]),
        ];
        // Of equal stops each player likes the one at which the other has to move.
        let most = left.iter().map(|option| &option.stops[1]);
        let most = most.max_by_key(|(stop, to_move)| (stop.clone(), *to_move == Player::Right));
        let least = right.iter().map(|option| &option.stops[0]);
        let least = least.min_by_key(|(stop, to_move)| (stop.clone(), *to_move == Player::Right));
        let end = |end: Option<&(Dyadic, Player)>, player: Player| {
            // An option is at least x where it stops above x, or at x with the other to move.
            end.map(|(stop, to_move)| (stop.clone(), *to_move == player))
        };
        let ends = [end(most, Player::Left), end(least, Player::Right)];
        let [from, to] = ends.each_ref().map(|end| {
            let end = end.as_ref();
            end.map(|(stop, closed)| (stop, *closed))
        });
        if let Some(number) = Dyadic::simplest_within(from, to) {
            return Facts {
                wins,
                stops: Player::BOTH.map(|player| (number.clone(), player)),
                thermograph: Arc::new(Thermograph::of_number(&number)),
                number: Some(number),
            };
        }
        let zero = (Dyadic::ZERO, Player::Left);
        let graphs = |options: Vec<&Facts>| -> Vec<Arc<Thermograph>> {
            options
                .iter()
                .map(|option| Arc::clone(&option.thermograph))
                .collect()
        };
        let stops = [most, least].map(|stop| stop.unwrap_or(&zero).clone());
        let (left, right) = (graphs(left), graphs(right));
        Facts {
            wins,
            number: None,
            stops,
            thermograph: Arc::new(Thermograph::of_options(
                left.iter().map(|graph| &**graph),
                right.iter().map(|graph| &**graph),
            )),
        }
    }
}
