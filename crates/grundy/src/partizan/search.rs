//! Who wins, by search over the sums of components that can be reached.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AnyTerm, Dyadic, Player};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;

/// A sum: its components by number, in increasing order.
type Sum = Box<[u32]>;

/// Components and outcomes met so far.
pub(super) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    ids: FxHashMap<String, u32>,
    components: Vec<Component>,
    /// Who wins, and `None` while the question is on the way to its answer.
    known: FxHashMap<(Sum, Player), Option<bool>>,
    /// Bytes held, about.
    held: u64,
}

struct Component {
    term: Arc<dyn AnyTerm>,
    number: Option<Dyadic>,
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
        let mut sum: Vec<u32> = Vec::new();
        for component in terms.iter().flat_map(|term| term.components()) {
            sum.push(self.id(component));
        }
        sum.sort_unstable();
        sum.into()
    }

    fn id(&mut self, term: Arc<dyn AnyTerm>) -> u32 {
        let text = term.text();
        if let Some(&id) = self.ids.get(&text) {
            return id;
        }
        let id = self.components.len() as u32;
        self.held += 4 * text.len() as u64 + 200;
        self.ids.insert(text, id);
        let number = term.number().map(|known| known.value);
        self.components.push(Component {
            term,
            number,
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
                self.held += 64 + 4 * frame.sum.len() as u64;
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
        if self.play == Play::Normal {
            // A sum of numbers is a number; zero is lost by whoever moves.
            let total = sum.iter().try_fold(Dyadic::ZERO, |total, &id| {
                total.plus(self.components[id as usize].number?)
            });
            if let Some(total) = total {
                return Some(match player {
                    Player::Left => total.sign().is_gt(),
                    Player::Right => total.sign().is_lt(),
                });
            }
        }
        self.known.get(&(sum.clone(), player)).copied().flatten()
    }

    fn frame(&mut self, sum: Sum, player: Player) -> Result<Frame, Stop> {
        self.check()?;
        if self.known.insert((sum.clone(), player), None).is_some() {
            return Err(Stop::Cyclic);
        }
        let mut options = Vec::new();
        for (index, &id) in sum.iter().enumerate() {
            if index > 0 && sum[index - 1] == id {
                continue;
            }
            for left in self.options(id, player)?.iter() {
                let mut option: Vec<u32> = sum.to_vec();
                option.remove(index);
                option.extend(left.iter().copied());
                option.sort_unstable();
                options.push(option.into());
            }
        }
        Ok(Frame {
            sum,
            player,
            wins_at_the_end: options.is_empty() && self.play == Play::Misere,
            options: options.into_iter(),
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
        let mut stop = Ok(());
        let flow = term.moves(player, &mut |_, to| {
            options.push(self.sum(&[to()]));
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
        options.sort_unstable();
        options.dedup();
        self.held += options
            .iter()
            .map(|sum| 16 + 4 * sum.len() as u64)
            .sum::<u64>();
        let options: Arc<[Sum]> = options.into();
        self.components[id as usize].options[side] = Some(Arc::clone(&options));
        Ok(options)
    }
}
