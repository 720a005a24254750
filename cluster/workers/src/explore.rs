//! Breadth-first exploration of all positions that can be reached from a start position. The
//! positions get the same numbers as in a single process.
//!
//! During the exploration, a position belongs to the worker given by the hash of its text. A level
//! expands the positions that the previous level discovered, in the order of their numbers. Each
//! option is sent to its owner together with the key of the move. The key consists of the number of
//! the parent and the place of the move among the parent's moves.
//!
//! A single process discovers a position by the move with the least key. Hence new positions are
//! numbered in the order of their least keys. Once a position has a number, it belongs to the
//! worker given by that number, and its moves are sent there.

use grundy::{Position, Visited, Worth};
use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Stop, message};

use crate::interner::{Interner, owner};
use crate::numbering::{Key, numbers};
use crate::phase::Phase;
use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
use crate::terms::{Report, Stage};
use crate::wire::{damaged, put, put_text};

/// A start position, and a parser for the texts of its components.
pub struct Start<'a> {
    /// The start position.
    pub position: &'a Position,
    /// A parser for the text of a component. The second argument is the number of turns, which is 2
    /// if either player may begin.
    pub read: &'a (dyn Fn(&str, u32) -> Option<Position> + Sync),
}

impl std::fmt::Debug for Start<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Start")
            .field("position", self.position)
            .finish_non_exhaustive()
    }
}

/// Moves to positions that have no numbers yet.
#[derive(Debug, Default)]
struct Waiting {
    /// Target of each move, as the local index of its text.
    options: Vec<u32>,
    /// Source of each move, as a vertex number among all workers.
    sources: Vec<u64>,
}

/// The result of expanding a vertex: its number of moves, and its payoff if it is terminal.
struct Looked {
    vertex: u64,
    moves: u32,
    end: Option<Worth>,
}

pub(crate) struct Exploration<'s> {
    start: &'s Start<'s>,
    layout: Layout,
    visited: Visited,
    /// For each local text, 1 plus the index of its position in `visited`. It is 0 if the position
    /// is not in `visited`.
    met: Vec<u32>,
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    /// The positions of this worker to expand in this level, ordered by number.
    frontier: Vec<u32>,
    /// The number of the first position of this level. The level ends before `positions`.
    first: u64,
    pub(crate) positions: u64,
    level: u64,
}

/// The state at the beginning of a level, as restored from a checkpoint.
pub(crate) struct Reached {
    /// Number of vertices of each position.
    pub(crate) turns: u64,
    pub(crate) positions: u64,
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    pub(crate) level: u64,
    /// The number of the first position of the level.
    pub(crate) first: u64,
}

impl<'s> Exploration<'s> {
    /// Creates the state before the first level.
    pub(crate) fn new(rounds: &Rounds<'_>, start: &'s Start<'s>) -> Result<Self, Diagnostic> {
        let turns = start.position.nature().beginners().len() as u64;
        let visited = Visited::new(start.position);
        let text = visited.text(0).ok_or_else(|| unsaid(start))?;
        let mut new = Self {
            start,
            layout: Layout {
                workers: rounds.workers() as u64,
                turns,
                me: rounds.me() as u64,
            },
            visited,
            met: Vec::new(),
            known: Interner::default(),
            moves: Moves::default(),
            frontier: Vec::new(),
            first: 0,
            positions: 1,
            level: 0,
        };
        if owner(&text, rounds.workers()) == rounds.me() {
            new.known.texts.number(&text);
            new.known.numbers.push(0);
            new.frontier.push(0);
        }
        Ok(new)
    }

    /// Restores the state at the beginning of a level.
    pub(crate) fn resume(
        rounds: &Rounds<'_>,
        start: &'s Start<'s>,
        reached: Reached,
    ) -> Result<Self, Diagnostic> {
        let mut new = Self::new(rounds, start)?;
        let Reached {
            turns,
            positions,
            known,
            moves,
            level,
            first,
        } = reached;
        if turns != new.layout.turns {
            return Err(damaged());
        }
        // Local indices follow the order of the numbers only, not the order of the texts. The
        // checkpoint may come from a different number of workers, so local indices differ anyway.
        let all = 0..known.numbers.len() as u32;
        let number = |local: u32| known.numbers[local as usize];
        new.frontier = all.filter(|&local| number(local) >= first).collect();
        new.frontier.sort_unstable_by_key(|&local| number(local));
        (new.known, new.moves) = (known, moves);
        (new.level, new.first, new.positions) = (level, first, positions);
        Ok(new)
    }

    /// Returns the phase between two levels.
    pub(crate) fn phase(&self) -> Phase {
        Phase::Finding {
            level: self.level,
            first: self.first,
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Expands the positions of one level. Returns whether new positions were found in any worker.
    pub(crate) fn step(&mut self, rounds: &mut Rounds<'_>) -> Result<bool, Diagnostic> {
        // Texts with an index of at least `before` are new in this level. They get their numbers
        // only after all workers have sent their options.
        let before = self.known.texts.len();
        let mut looked = Vec::new();
        let (waiting, keys) = self.look(rounds, before, &mut looked)?;
        let range = (self.first, self.positions);
        let (numbers, new) = numbers(rounds, &keys, range, self.positions)?;
        drop(keys);
        self.known.numbers.extend_from_slice(&numbers);
        // Options are sent to the owners of their texts first, and the new texts get numbers. Only
        // then can moves and degrees be sent to the owners of these numbers.
        self.send_moves(rounds, &waiting)?;
        drop(waiting);
        self.send_looked(rounds, &looked)?;
        let mut frontier: Vec<u32> = (before as u32..self.known.texts.len() as u32).collect();
        frontier.sort_unstable_by_key(|&local| self.known.numbers[local as usize]);
        self.frontier = frontier;
        self.first = self.positions;
        self.positions += new;
        self.level += 1;
        let limits = rounds.limits();
        if self.positions > limits.positions {
            return Err(Stop::Positions(limits.positions).into());
        }
        rounds.hold(self.bytes())?;
        rounds.report(&Report {
            stage: Stage::Finding,
            round: self.level,
            done: self.first,
            of: self.positions,
            sent: rounds.sent(),
            ..Report::default()
        });
        Ok(new > 0)
    }

    fn bytes(&self) -> u64 {
        let known = self.known.texts.bytes() + 12 * self.known.numbers.len() + 4 * self.met.len();
        known as u64 + self.moves.bytes() + self.visited.bytes()
    }

    /// Expands the local positions of the level and receives the options from all workers. Returns
    /// the moves to local positions, and the least key of each new text.
    fn look(
        &mut self,
        rounds: &mut Rounds<'_>,
        before: usize,
        looked: &mut Vec<Looked>,
    ) -> Result<(Waiting, Vec<Key>), Diagnostic> {
        let workers = rounds.workers();
        let (mut waiting, mut keys): (Waiting, Vec<Key>) = Default::default();
        let mut sending = Sending::new(workers);
        let mut next = 0;
        loop {
            sending.begin_round();
            while next < self.frontier.len() && rounds.has_room() {
                self.send(rounds, self.frontier[next], &mut sending, looked)?;
                next += 1;
                if next.is_multiple_of(256) {
                    rounds.look()?;
                }
            }
            let arrived = rounds.swap(next < self.frontier.len(), [0; 4])?;
            // A back-reference counts only the texts that the same sender has sent in this round.
            // So no table is kept after the round.
            for (source, mut reader) in arrived.readers() {
                let (mut texts, mut parent) = (Vec::new(), 0);
                while !reader.is_empty() {
                    let local = match reader.number()? {
                        // 0 means that a text follows, which this sender sends for the first time
                        // in this round. A number k > 0 refers to its k-th such text.
                        0 => {
                            let local = self.known.texts.number(reader.text()?);
                            if source == rounds.me() {
                                self.meet(local, sending.own[texts.len()]);
                            }
                            texts.push(local);
                            local
                        }
                        known => *texts.get(known as usize - 1).ok_or_else(damaged)?,
                    };
                    parent += reader.number()?;
                    let place = reader.number()?;
                    let turn = place % self.layout.turns;
                    let key = (parent, (place / self.layout.turns) as u32);
                    // The interner numbers new texts consecutively. Hence a new text without a key
                    // is always the next element of `keys`.
                    if let Some(new) = (local as usize).checked_sub(before) {
                        match keys.get_mut(new) {
                            Some(least) => *least = key.min(*least),
                            None => keys.push(key),
                        }
                    }
                    waiting.options.push(local);
                    waiting.sources.push(parent * self.layout.turns + turn);
                }
            }
            let held = self.bytes() + (12 * waiting.options.len() + 48 * keys.len()) as u64;
            rounds.hold(held)?;
            if !arrived.more {
                return Ok((waiting, keys));
            }
        }
    }

    /// Returns the number of bytes that `visited` may take before it is cleared.
    ///
    /// With several workers, most positions in `visited` belong to other workers. Clearing it early
    /// keeps the memory of a worker small if there are many workers.
    fn most(&self, rounds: &Rounds<'_>) -> u64 {
        let most = (rounds.limits().memory / 8).max(1 << 20);
        match rounds.workers() {
            1 => most,
            _ => most.min(ALONG.max(self.known.texts.bytes() as u64)),
        }
    }

    /// Records the index in `visited` of the position with a local text.
    fn meet(&mut self, local: u32, visited: u32) {
        let index = local as usize;
        if self.met.len() <= index {
            self.met.resize(index + 1, 0);
        }
        // After `visited` was cleared, an old index is no longer valid. The position is then parsed
        // from its text when it is expanded.
        if visited != FORGOTTEN {
            self.met[index] = visited + 1;
        }
    }

    /// Expands one position and sends its options to their owners.
    fn send(
        &mut self,
        rounds: &mut Rounds<'_>,
        local: u32,
        sending: &mut Sending,
        looked: &mut Vec<Looked>,
    ) -> Result<(), Diagnostic> {
        if self.visited.bytes() > self.most(rounds) {
            self.visited = Visited::new(self.start.position);
            self.met.clear();
            sending.forget();
        }
        let number = self.known.numbers[local as usize];
        let turns = self.layout.turns as u32;
        let position = match self.met.get(local as usize) {
            // This worker has generated the position itself, so its text need not be parsed.
            Some(&met) if met > 0 => met - 1,
            _ => {
                let read = |text: &str| (self.start.read)(text, turns);
                let entered = self.visited.enter(self.known.texts.get(local), &read);
                entered.ok_or_else(|| unsaid(self.start))?
            }
        };
        let (limits, mut row) = (rounds.limits(), Vec::new());
        for turn in 0..turns {
            let begin = row.len();
            let end = self.visited.look(position, turn, &limits, &mut row)?;
            looked.push(Looked {
                vertex: number * u64::from(turns) + u64::from(turn),
                moves: (row.len() - begin) as u32,
                end,
            });
            // Places are counted over the moves of both turns. So the keys are distinct, and their
            // order is that of a single process.
            for (place, &option) in (begin..).zip(&row[begin..]) {
                let place = place as u64 * u64::from(turns) + u64::from(turn);
                sending
                    .option(rounds, &self.visited, option, number, place)
                    .ok_or_else(|| unsaid(self.start))?;
            }
        }
        Ok(())
    }

    /// Sends the moves to the owners of their targets.
    fn send_moves(&mut self, rounds: &mut Rounds<'_>, waiting: &Waiting) -> Result<(), Diagnostic> {
        let (layout, mut next) = (self.layout, 0);
        loop {
            while next < waiting.options.len() && (!next.is_multiple_of(256) || rounds.has_room()) {
                let (option, source) = (waiting.options[next], waiting.sources[next]);
                // At the target, the other player is to move. If positions have only one turn, this
                // expression yields turn 0.
                let turn = (source % layout.turns + 1) % layout.turns;
                let target = self.known.numbers[option as usize] * layout.turns + turn;
                let (owner, local) = layout.place(target);
                put(rounds.to(owner), local.into());
                put(rounds.to(owner), source);
                next += 1;
            }
            let arrived = rounds.swap(next < waiting.options.len(), [0; 4])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let target = reader.number()? as u32;
                    self.moves.push(target, layout.place(reader.number()?));
                }
            }
            if !arrived.more {
                return Ok(());
            }
        }
    }

    /// Sends the number of moves and the payoff of each expanded vertex to its owner.
    fn send_looked(
        &mut self,
        rounds: &mut Rounds<'_>,
        looked: &[Looked],
    ) -> Result<(), Diagnostic> {
        let (layout, mut next) = (self.layout, 0);
        loop {
            while next < looked.len() && (!next.is_multiple_of(256) || rounds.has_room()) {
                let Looked { vertex, moves, end } = looked[next];
                let (owner, local) = layout.place(vertex);
                put(rounds.to(owner), local.into());
                let end = end.map_or(0, |end| end as u64 + 1);
                // The two lowest bits hold the payoff: 0 for none, and otherwise the payoff plus 1.
                put(rounds.to(owner), u64::from(moves) * 4 + end);
                next += 1;
            }
            let arrived = rounds.swap(next < looked.len(), [0; 4])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let vertex = reader.number()? as u32;
                    let number = reader.number()?;
                    self.moves.add_degree(vertex, (number / 4) as u32);
                    let worth = match number % 4 {
                        0 => None,
                        1 => Some(Worth::Lose),
                        2 => Some(Worth::Tie),
                        _ => Some(Worth::Win),
                    };
                    if let Some(worth) = worth {
                        self.moves.end(vertex, worth);
                    }
                }
            }
            if !arrived.more {
                return Ok(());
            }
        }
    }
}

/// An encoder for the options that are sent in one level.
///
/// Each text is sent once in a round, and later moves to the same position refer back to it.
/// Parents are encoded as differences, since positions are expanded in the order of their numbers.
struct Sending {
    /// For each position in `visited`: its owner, the last round in which its text was sent, and
    /// the index of the text in that round.
    sent: Vec<(u16, u32, u32)>,
    round: u32,
    /// For each worker, the number of texts sent to it in this round.
    texts: Vec<u32>,
    /// For each worker, the parent of the last option that was sent to it in this round.
    last: Vec<u64>,
    /// The texts that this worker sent to itself in this round, in order, as indices into
    /// `visited`.
    own: Vec<u32>,
}

/// The owner stored for a position whose owner is not known yet.
const NOBODY: u16 = u16::MAX;

/// The index stored in place of one that became invalid because `visited` was cleared.
const FORGOTTEN: u32 = u32::MAX;

/// Least memory limit for `visited`, in bytes. It may always take this much, even with many
/// workers.
const ALONG: u64 = 16 << 20;

impl Sending {
    fn new(workers: usize) -> Self {
        Self {
            sent: Vec::new(),
            round: 0,
            texts: vec![0; workers],
            last: vec![0; workers],
            own: Vec::new(),
        }
    }

    fn begin_round(&mut self) {
        self.round += 1;
        self.texts.fill(0);
        self.last.fill(0);
        self.own.clear();
    }

    /// Invalidates all indices into `visited` after `visited` was cleared.
    fn forget(&mut self) {
        self.sent.clear();
        self.own.fill(FORGOTTEN);
    }

    /// Encodes a move: `option` is its target as an index into `visited`, `number` its parent, and
    /// `place` its place among the parent's moves. Returns nothing if the text does not identify
    /// the position.
    fn option(
        &mut self,
        rounds: &mut Rounds<'_>,
        visited: &Visited,
        option: u32,
        number: u64,
        place: u64,
    ) -> Option<()> {
        let index = option as usize;
        if self.sent.len() <= index {
            self.sent.resize(index + 1, (NOBODY, 0, 0));
        }
        let (mut to, round, text) = self.sent[index];
        if to != NOBODY && round == self.round {
            put(rounds.to(to as usize), text.into());
        } else {
            let text = visited.text(option)?;
            // The owner is the same in every round, so the hash of the text is computed only once.
            if to == NOBODY {
                to = owner(&text, rounds.workers()) as u16;
            }
            let worker = to as usize;
            self.texts[worker] += 1;
            self.sent[index] = (to, self.round, self.texts[worker]);
            if worker == rounds.me() {
                self.own.push(option);
            }
            put(rounds.to(worker), 0);
            put_text(rounds.to(worker), &text);
        }
        let worker = to as usize;
        put(rounds.to(worker), number - self.last[worker]);
        self.last[worker] = number;
        put(rounds.to(worker), place);
        Some(())
    }
}

/// Returns the error for a game in which different positions have the same text.
pub(crate) fn unsaid(start: &Start<'_>) -> Diagnostic {
    let message = message!(
        "the text of {position} does not determine the position, so it cannot be sent to another worker",
        position = start.position
    );
    Diagnostic::new(Kind::IllegalPosition, message).help(message!(
        "label the game without {option} and {other}",
        option = Setting::typed("workers"),
        other = Setting::typed("hosts")
    ))
}
