//! Who wins, by search over the sums of components that can be reached.
//!
//! In normal play a sum is a number and a set of components that are not known to be numbers: equal and opposite
//! components cancel, numbers add up, and bounds on the rest settle many sums before any move is tried (J. H. Conway, On
//! Numbers and Games, 1976, chapters 7 to 9). In misère play none of this holds, and every component stays.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AnyTerm, Dyadic, Player};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;

/// A sum: a number, and the other components by their own numbers, in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    number: Dyadic,
    rest: Box<[u32]>,
}

impl Sum {
    /// Whether nothing but a number is left.
    pub(super) fn is_number(&self) -> bool {
        self.rest.is_empty()
    }
}

/// A term as a key: the same position of the same game is the same key.
struct Key(Arc<dyn AnyTerm>);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&*other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.feed(state);
    }
}

/// Components and outcomes met so far.
pub(super) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    ids: FxHashMap<Key, u32>,
    components: Vec<Component>,
    /// Who wins, and `None` while the question is on the way to its answer.
    known: FxHashMap<(Sum, Player), Option<bool>>,
    /// Bytes held, about.
    held: u64,
}

struct Component {
    term: Arc<dyn AnyTerm>,
    number: Option<Dyadic>,
    bounds: Option<[i64; 2]>,
    negative: Option<u32>,
    /// What the moves of Left and of Right leave, once they have been asked for.
    options: [Option<Arc<[Sum]>>; 2],
}

/// A question on the way: whether `player` wins `sum` when it moves, and the options still to be tried.
struct Frame {
    sum: Sum,
    player: Player,
    options: std::vec::IntoIter<Sum>,
    /// Whether there is no option at all, and that is a win.
    wins_at_the_end: bool,
    /// Bytes held by the options, about.
    held: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            play,
            limits,
            ids: FxHashMap::default(),
            components: Vec::new(),
            known: FxHashMap::default(),
            held: 0,
        }
    }

    /// The sum of the components of some terms.
    pub(super) fn sum(&mut self, terms: &[Arc<dyn AnyTerm>]) -> Sum {
        let mut ids: Vec<u32> = Vec::new();
        for component in terms.iter().flat_map(|term| term.components()) {
            ids.push(self.id(component));
        }
        self.gathered(Dyadic::ZERO, ids)
    }

    /// Numbers are added up and opposites are cancelled.
    fn gathered(&self, mut number: Dyadic, mut ids: Vec<u32>) -> Sum {
        if self.play == Play::Normal {
            let mut rest: Vec<u32> = Vec::with_capacity(ids.len());
            for id in ids {
                let component = &self.components[id as usize];
                if let Some(total) = component.number.and_then(|value| number.plus(value)) {
                    number = total;
                } else if let Some(opposite) = component
                    .negative
                    .and_then(|negative| rest.iter().position(|&other| other == negative))
                {
                    rest.swap_remove(opposite);
                } else {
                    rest.push(id);
                }
            }
            ids = rest;
        }
        ids.sort_unstable();
        Sum {
            number,
            rest: ids.into(),
        }
    }

    fn id(&mut self, term: Arc<dyn AnyTerm>) -> u32 {
        let key = Key(term);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let Key(term) = key;
        let id = self.enter(Arc::clone(&term));
        if self.play == Play::Normal
            && self.components[id as usize].number.is_none()
            && let Some(negative) = term.negative()
        {
            let key = Key(negative);
            let other = match self.ids.get(&key) {
                Some(&known) => known,
                None => self.enter(key.0),
            };
            self.components[id as usize].negative = Some(other);
            self.components[other as usize].negative = Some(id);
        }
        id
    }

    fn enter(&mut self, term: Arc<dyn AnyTerm>) -> u32 {
        let id = self.components.len() as u32;
        self.held += 400;
        self.ids.insert(Key(Arc::clone(&term)), id);
        let normal = self.play == Play::Normal;
        let number = term.number().filter(|_| normal).map(|known| known.value);
        let bounds = term.bounds().filter(|_| normal);
        // Bounds that meet are the value.
        let met = bounds
            .filter(|[least, most]| least == most)
            .and_then(|[least, _]| Dyadic::new(i128::from(least), 0));
        self.components.push(Component {
            term,
            number: number.or(met),
            bounds,
            negative: None,
            options: [None, None],
        });
        id
    }

    /// Whether `player` wins `sum` when it moves now.
    pub(super) fn wins(&mut self, sum: Sum, player: Player) -> Result<bool, Stop> {
        if let Some(known) = self.settled(&sum, player) {
            return Ok(known);
        }
        let mut way = vec![self.frame(sum, player)?];
        let mut answer = None;
        while let Some(frame) = way.last_mut() {
            // An option that the other player, to move there, does not win is a winning move.
            let verdict = match (answer.take(), frame.options.as_slice().first()) {
                (Some(false), _) => Some(true),
                (_, None) => Some(frame.wins_at_the_end),
                (_, Some(_)) => None,
            };
            if let Some(wins) = verdict {
                let frame = way.pop().expect("it was there a moment ago");
                self.held -= frame.held;
                self.known.insert((frame.sum, frame.player), Some(wins));
                answer = Some(wins);
                continue;
            }
            let next = frame.options.next().expect("it was there a moment ago");
            let other = frame.player.other();
            match self.settled(&next, other) {
                Some(known) => answer = Some(known),
                None => way.push(self.frame(next, other)?),
            }
        }
        Ok(answer.unwrap_or(false))
    }

    /// What is known without trying moves.
    fn settled(&self, sum: &Sum, player: Player) -> Option<bool> {
        if self.play == Play::Normal
            && let Some([least, most]) = self.bounds(sum)
        {
            // Whoever moves loses 0. What is at least 0 is not won by Right, to move, and so on.
            let settled = match player {
                Player::Left if least.sign().is_gt() => Some(true),
                Player::Left if most.sign().is_le() => Some(false),
                Player::Right if most.sign().is_lt() => Some(true),
                Player::Right if least.sign().is_ge() => Some(false),
                _ => None,
            };
            if settled.is_some() {
                return settled;
            }
        }
        self.known.get(&(sum.clone(), player)).copied().flatten()
    }

    /// Numbers between which the value of the sum lies.
    pub(super) fn bounds(&self, sum: &Sum) -> Option<[Dyadic; 2]> {
        let (mut least, mut most) = (0i128, 0i128);
        for &id in &sum.rest {
            let [below, above] = self.components[id as usize].bounds?;
            least += i128::from(below);
            most += i128::from(above);
        }
        Some([
            sum.number.plus(Dyadic::new(least, 0)?)?,
            sum.number.plus(Dyadic::new(most, 0)?)?,
        ])
    }

    fn frame(&mut self, sum: Sum, player: Player) -> Result<Frame, Stop> {
        self.check()?;
        if self.known.insert((sum.clone(), player), None).is_some() {
            return Err(Stop::Cyclic);
        }
        // A long way holds as much as what is known.
        self.held += 96 + 4 * sum.rest.len() as u64;
        let mut options = Vec::new();
        for (index, &id) in sum.rest.iter().enumerate() {
            if index > 0 && sum.rest[index - 1] == id {
                continue;
            }
            for left in self.options(id, player)?.iter() {
                let mut ids: Vec<u32> = sum.rest.to_vec();
                ids.remove(index);
                ids.extend(left.rest.iter().copied());
                let Some(number) = sum.number.plus(left.number) else {
                    // Numbers too fine to be added up: no position that can be searched has them.
                    return Err(Stop::Memory(self.limits.memory));
                };
                options.push(self.gathered(number, ids));
            }
        }
        // The most promising first: where the middle between the bounds is best for the player.
        if self.play == Play::Normal {
            options.sort_by_cached_key(|option| {
                let towards: i64 = option
                    .rest
                    .iter()
                    .filter_map(|&id| self.components[id as usize].bounds)
                    .map(|[least, most]| least.saturating_add(most))
                    .fold(option.number.twice_rounded(), i64::saturating_add);
                match player {
                    Player::Left => -i128::from(towards),
                    Player::Right => i128::from(towards),
                }
            });
        }
        // To move in a number is the last resort; when the rest is a number too it can be the only one.
        if let Some(number) = sum.number.moves()[player as usize] {
            options.push(Sum {
                number,
                rest: sum.rest.clone(),
            });
        }
        let held = bytes(&options);
        self.held += held;
        Ok(Frame {
            sum,
            player,
            wins_at_the_end: options.is_empty() && self.play == Play::Misere,
            options: options.into_iter(),
            held,
        })
    }

    /// Fails when the work has to end.
    pub(super) fn check(&self) -> Result<(), Stop> {
        self.limits
            .check((self.known.len() + self.components.len()) as u64, 0)?;
        self.limits.check(1, self.held)?;
        self.limits.poll()
    }

    fn options(&mut self, id: u32, player: Player) -> Result<Arc<[Sum]>, Stop> {
        let side = player as usize;
        if let Some(options) = &self.components[id as usize].options[side] {
            return Ok(Arc::clone(options));
        }
        let term = Arc::clone(&self.components[id as usize].term);
        let mut options: Vec<Sum> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stop = Ok(());
        let flow = term.moves(player, &mut |_, to| {
            let sum = self.sum(&[to()]);
            if seen.insert(sum.clone()) {
                options.push(sum);
            }
            stop = self.check();
            match stop {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        stop?;
        if flow.is_break() {
            // Nobody here asked for the end: the rules could not go on.
            return Err(Stop::Rules);
        }
        self.held += bytes(&options);
        let options: Arc<[Sum]> = options.into();
        self.components[id as usize].options[side] = Some(Arc::clone(&options));
        Ok(options)
    }
}

/// About how many bytes some sums take.
fn bytes(sums: &[Sum]) -> u64 {
    sums.iter().map(|sum| 64 + 4 * sum.rest.len() as u64).sum()
}
