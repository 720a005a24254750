//! Everything that can be reached from a position, level by level, in the numbers that one process
//! would give.
//!
//! A position belongs, while it is looked for, to the worker that the hash of its text says. Each
//! level looks at the positions that the last one met, in the order of their numbers, and sends
//! every option with where it was met: the number of the position and the place among its moves.
//! The least of these says when one process would have met it, so new positions are numbered by
//! them. Then the moves go to the owners of the positions by number.

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

/// A position to begin at, and how to read the texts of its parts.
pub struct Start<'a> {
    /// The first position.
    pub position: &'a Position,
    /// Reads a part that was written; the number of turns says whether either player may begin.
    pub read: &'a (dyn Fn(&str, u32) -> Option<Position> + Sync),
}

impl std::fmt::Debug for Start<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Start")
            .field("position", self.position)
            .finish_non_exhaustive()
    }
}

/// Moves that wait for the numbers of what they lead to.
#[derive(Debug, Default)]
struct Waiting {
    /// The text here.
    options: Vec<u32>,
    /// Vertices over all workers.
    sources: Vec<u64>,
}

/// What was found out about a vertex: how many moves, and what the end is worth.
struct Looked {
    vertex: u64,
    moves: u32,
    end: Option<Worth>,
}

pub(crate) struct Exploration<'s> {
    start: &'s Start<'s>,
    layout: Layout,
    visited: Visited,
    /// For each text here its number among the visited positions and 1 more, where it was met here
    /// since they were begun; 0 elsewhere.
    met: Vec<u32>,
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    /// The positions to be looked at in this level, in the order of their numbers.
    frontier: Vec<u32>,
    /// Their numbers begin here, and end with those of all positions.
    first: u64,
    pub(crate) positions: u64,
    level: u64,
}

/// What was reached before: up to the beginning of a level.
pub(crate) struct Reached {
    /// Vertices of a position.
    pub(crate) turns: u64,
    pub(crate) positions: u64,
    pub(crate) known: Interner,
    pub(crate) moves: Moves,
    pub(crate) level: u64,
    /// The number of the first position of the level.
    pub(crate) first: u64,
}

impl<'s> Exploration<'s> {
    /// Before anything has been looked at.
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

    /// After what was reached before.
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
        let all = 0..known.numbers.len() as u32;
        let number = |local: u32| known.numbers[local as usize];
        new.frontier = all.filter(|&local| number(local) >= first).collect();
        new.frontier.sort_unstable_by_key(|&local| number(local));
        (new.known, new.moves) = (known, moves);
        (new.level, new.first, new.positions) = (level, first, positions);
        Ok(new)
    }

    /// How far it is, between two levels.
    pub(crate) fn phase(&self) -> Phase {
        Phase::Finding {
            level: self.level,
            first: self.first,
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Looks at one level; whether it met anything new.
    pub(crate) fn step(&mut self, rounds: &mut Rounds<'_>) -> Result<bool, Diagnostic> {
        let before = self.known.texts.len();
        let mut looked = Vec::new();
        let (waiting, keys) = self.look(rounds, before, &mut looked)?;
        let range = (self.first, self.positions);
        let (numbers, new) = numbers(rounds, &keys, range, self.positions)?;
        drop(keys);
        self.known.numbers.extend_from_slice(&numbers);
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

    /// Has all positions of the level looked at, and takes in what is found: moves, and where new
    /// positions were met first.
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
            for (source, mut reader) in arrived.readers() {
                let (mut texts, mut parent) = (Vec::new(), 0);
                while !reader.is_empty() {
                    let local = match reader.number()? {
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

    /// What the visited positions may take before they are begun anew. A worker who has company
    /// meets most positions of the others, too: these are not kept for long, so that its memory
    /// falls with their number.
    fn most(&self, rounds: &Rounds<'_>) -> u64 {
        let most = (rounds.limits().memory / 8).max(1 << 20);
        match rounds.workers() {
            1 => most,
            _ => most.min(ALONG.max(self.known.texts.bytes() as u64)),
        }
    }

    /// A text here is that of a visited position.
    fn meet(&mut self, local: u32, visited: u32) {
        let index = local as usize;
        if self.met.len() <= index {
            self.met.resize(index + 1, 0);
        }
        // Those that were begun anew have other numbers.
        if visited != FORGOTTEN {
            self.met[index] = visited + 1;
        }
    }

    /// Sends the options of one position to their owners.
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
            for (place, &option) in (begin..).zip(&row[begin..]) {
                let place = place as u64 * u64::from(turns) + u64::from(turn);
                sending
                    .option(rounds, &self.visited, option, number, place)
                    .ok_or_else(|| unsaid(self.start))?;
            }
        }
        Ok(())
    }

    /// Sends the moves to the owners of what they lead to.
    fn send_moves(&mut self, rounds: &mut Rounds<'_>, waiting: &Waiting) -> Result<(), Diagnostic> {
        let (layout, mut next) = (self.layout, 0);
        loop {
            while next < waiting.options.len() && (!next.is_multiple_of(256) || rounds.has_room()) {
                let (option, source) = (waiting.options[next], waiting.sources[next]);
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

    /// Sends what was found out about vertices to their owners.
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

/// What has been sent of the visited positions.
struct Sending {
    /// For each visited position its owner, the last round it was sent in, and which of the texts
    /// of this round it was.
    sent: Vec<(u16, u32, u32)>,
    round: u32,
    /// Texts of this round to each worker.
    texts: Vec<u32>,
    /// The number of the last position whose option went to each worker in this round.
    last: Vec<u64>,
    /// The visited positions whose texts went to this worker itself in this round, in their order.
    own: Vec<u32>,
}

const NOBODY: u16 = u16::MAX;

/// Stands for a visited position that has another number now.
const FORGOTTEN: u32 = u32::MAX;

/// Bytes that visited positions may always take.
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

    /// The visited positions have new numbers.
    fn forget(&mut self) {
        self.sent.clear();
        self.own.fill(FORGOTTEN);
    }

    /// Writes an option, met in a place of the position with a number; nothing where no text tells
    /// it from others.
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

/// Returns the texts of this game do not say all of a position.
pub(crate) fn unsaid(start: &Start<'_>) -> Diagnostic {
    let message = message!(
        "the parts of {position} do not say all of it when they are written, so no other worker can read them",
        position = start.position
    );
    Diagnostic::new(Kind::IllegalPosition, message).help(message!(
        "label it without {option} and {other}",
        option = Setting::typed("workers"),
        other = Setting::typed("hosts")
    ))
}
