//! Who wins, by search over the sums of components that can be reached.
//!
//! In normal play a sum is a number and a set of components that are not known to be numbers: equal and opposite
//! components cancel, numbers add up, and bounds on the rest settle many sums before any move is tried (J. H. Conway, On
//! Numbers and Games, 1976, chapters 7 to 9). In misère play none of this holds, and every component stays. A game that ends
//! with a payoff is a single component, and the search is backward induction that leaves a position as soon as a win is found
//! (E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels, 1913).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dyadic::Dyadic;
use crate::limits::{Limits, Stop};
use crate::outcome::{Play, Worth};
use crate::player::Player;
use crate::position::Position;
use crate::rules::Moves;
use crate::space::Space;
use crate::space::interned::lists;
use crate::values::Work;

/// A sum: a number, and the other components by their own numbers, in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    number: Dyadic,
    rest: Box<[u32]>,
}

impl Sum {
    /// Whether nothing but a number is left.
    pub(crate) fn is_number(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Components and outcomes met so far.
pub(crate) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    space: Space,
    /// Whether it makes no difference whose turn it is.
    same: bool,
    /// What is known of each component.
    facts: Vec<Facts>,
    /// The component that cancels each one.
    negatives: Vec<Option<u32>>,
    /// What a sum is worth to the player to move, and `None` while the question is on the way to its answer.
    known: FxHashMap<(Sum, Player), Option<Worth>>,
    /// Bytes held, about.
    held: u64,
    work: Work,
}

#[derive(Default)]
struct Facts {
    number: Option<Dyadic>,
    bounds: Option<[i64; 2]>,
    /// What the moves of Left and of Right leave, once they have been asked for.
    options: [Option<Arc<[Sum]>>; 2],
}

/// A question on the way: what `sum` is worth to `player`, who moves, and the options still to be tried.
struct Unsettled {
    sum: Sum,
    player: Player,
    options: std::vec::IntoIter<Sum>,
    /// The best that has been found.
    best: Worth,
    /// Bytes held by the options, about.
    held: u64,
}

impl<'a> Search<'a> {
    /// A search that can be asked about everything that can be reached from `position`.
    pub(crate) fn new(position: &Position, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            play,
            limits,
            space: Space::default(),
            same: position.nature().moves == Moves::Same,
            facts: Vec::new(),
            negatives: Vec::new(),
            known: FxHashMap::default(),
            held: 0,
            work: Work::default(),
        }
    }

    /// The sum of the components of a position.
    pub(crate) fn sum(&mut self, position: &Position) -> Sum {
        let mut ids: Vec<u32> = Vec::new();
        position.enter(&mut self.space, &mut ids);
        self.learn();
        self.gathered(Dyadic::ZERO, ids)
    }

    /// What was looked at since this was last asked.
    pub(super) fn take_work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }

    /// The components of a position, each in canonical notation and as a sum of its own.
    pub(crate) fn components(&mut self, position: &Position) -> Vec<(String, Sum)> {
        let mut ids: Vec<u32> = Vec::new();
        position.enter(&mut self.space, &mut ids);
        self.learn();
        let one = |&id| (self.space.write(id), self.gathered(Dyadic::ZERO, vec![id]));
        ids.iter().map(one).collect()
    }

    /// Numbers are added up and opposites are cancelled.
    fn gathered(&self, mut number: Dyadic, mut ids: Vec<u32>) -> Sum {
        if self.play == Play::Normal {
            let mut rest: Vec<u32> = Vec::with_capacity(ids.len());
            for id in ids {
                let known = self.facts[id as usize].number;
                if let Some(total) = known.and_then(|value| number.plus(value)) {
                    number = total;
                } else if let Some(opposite) = self.negatives[id as usize]
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

    /// Finds out about the components that are new.
    fn learn(&mut self) {
        while self.facts.len() < self.space.len() {
            let id = self.facts.len() as u32;
            self.held += 400;
            self.negatives.resize(self.space.len(), None);
            if self.play == Play::Misere {
                self.facts.push(Facts::default());
                continue;
            }
            let bounds = self.space.bounds(id);
            // Bounds that meet are the value.
            let met = bounds
                .filter(|[least, most]| least == most)
                .and_then(|[least, _]| Dyadic::new(i128::from(least), 0));
            let number = self.space.number(id).map(|known| known.value).or(met);
            if number.is_none()
                && self.negatives[id as usize].is_none()
                && let Some(negative) = self.space.negative(id)
            {
                self.negatives.resize(self.space.len(), None);
                self.negatives[id as usize] = Some(negative);
                self.negatives[negative as usize] = Some(id);
            }
            self.facts.push(Facts {
                number,
                bounds,
                options: [None, None],
            });
        }
    }

    /// Whether `player` wins `sum` when it moves now.
    pub(crate) fn wins(&mut self, sum: Sum, player: Player) -> Result<bool, Stop> {
        Ok(self.worth(sum, player)? == Worth::Win)
    }

    /// What `sum` is worth to `player`, who moves now; [`Stop::Cyclic`] where a question comes back to itself.
    pub(crate) fn worth(&mut self, sum: Sum, player: Player) -> Result<Worth, Stop> {
        let player = if self.same { Player::Left } else { player };
        if let Some(known) = self.settled(&sum, player) {
            return Ok(known);
        }
        let mut way = vec![self.unsettled(sum, player)?];
        let mut answer: Option<Worth> = None;
        while let Some(last) = way.last_mut() {
            if let Some(answer) = answer.take() {
                last.best = last.best.max(answer.reversed());
            }
            let next = match last.best {
                Worth::Win => None,
                _ => last.options.next(),
            };
            let Some(next) = next else {
                let last = way.pop().expect("it was there a moment ago");
                self.held -= last.held;
                self.known.insert((last.sum, last.player), Some(last.best));
                answer = Some(last.best);
                continue;
            };
            let other = if self.same {
                last.player
            } else {
                last.player.other()
            };
            match self.settled(&next, other) {
                Some(known) => {
                    self.work.hits += 1;
                    answer = Some(known);
                }
                None => way.push(self.unsettled(next, other)?),
            }
        }
        Ok(answer.unwrap_or(Worth::Lose))
    }

    /// What is known without trying moves.
    fn settled(&self, sum: &Sum, player: Player) -> Option<Worth> {
        if self.play == Play::Normal
            && let Some([least, most]) = self.bounds(sum)
        {
            // Whoever moves loses 0. What is at least 0 is not won by Right, to move, and so on.
            let settled = match player {
                Player::Left if least.sign().is_gt() => Some(Worth::Win),
                Player::Left if most.sign().is_le() => Some(Worth::Lose),
                Player::Right if most.sign().is_lt() => Some(Worth::Win),
                Player::Right if least.sign().is_ge() => Some(Worth::Lose),
                _ => None,
            };
            if settled.is_some() {
                return settled;
            }
        }
        self.known.get(&(sum.clone(), player)).copied().flatten()
    }

    /// Numbers between which the value of the sum lies.
    pub(crate) fn bounds(&self, sum: &Sum) -> Option<[Dyadic; 2]> {
        let (mut least, mut most) = (0i128, 0i128);
        for &id in &sum.rest {
            let [below, above] = self.facts[id as usize].bounds?;
            least += i128::from(below);
            most += i128::from(above);
        }
        Some([
            sum.number.plus(Dyadic::new(least, 0)?)?,
            sum.number.plus(Dyadic::new(most, 0)?)?,
        ])
    }

    fn unsettled(&mut self, sum: Sum, player: Player) -> Result<Unsettled, Stop> {
        self.check()?;
        self.work.positions += 1;
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
                    .filter_map(|&id| self.facts[id as usize].bounds)
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
        let best = match (&options[..], &sum.rest[..]) {
            ([], &[only]) => self.space.payoff(only, player)?.in_play(self.play),
            ([], _) => Worth::Lose.in_play(self.play),
            _ => Worth::Lose,
        };
        let held = bytes(&options);
        self.held += held;
        Ok(Unsettled {
            sum,
            player,
            options: options.into_iter(),
            best,
            held,
        })
    }

    /// Fails when the work has to end.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.limits
            .check((self.known.len() + self.facts.len()) as u64, 0)?;
        self.limits.check(1, self.held)?;
        self.limits.poll()
    }

    fn options(&mut self, id: u32, player: Player) -> Result<Arc<[Sum]>, Stop> {
        let side = player as usize;
        if let Some(options) = &self.facts[id as usize].options[side] {
            return Ok(Arc::clone(options));
        }
        let mut flat = Vec::new();
        self.space
            .push_options(id, player, &mut flat, self.limits)?;
        self.learn();
        self.check()?;
        let mut seen = FxHashSet::default();
        let options: Vec<Sum> = lists(&flat)
            .map(|ids| self.gathered(Dyadic::ZERO, ids.to_vec()))
            .filter(|sum| seen.insert(sum.clone()))
            .collect();
        self.held += bytes(&options);
        let options: Arc<[Sum]> = options.into();
        self.facts[id as usize].options[side] = Some(Arc::clone(&options));
        Ok(options)
    }
}

/// About how many bytes some sums take.
fn bytes(sums: &[Sum]) -> u64 {
    sums.iter().map(|sum| 64 + 4 * sum.rest.len() as u64).sum()
}
