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

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Stop, message};
use grundy_core::{PayoffResult, Position, Visited};

use crate::context::{Report, Stage};
use crate::interner::{Interner, owner};
use crate::numbering::{Key, numbers};
use crate::phase::Phase;
use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
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
struct UnnumberedMoves {
    /// Target of each move, as the local index of its text.
    options: Vec<u32>,
    /// Source of each move, as a vertex number that is the same for all workers.
    sources: Vec<u64>,
}

/// The result of expanding a vertex: its number of moves, and its payoff if it is terminal.
struct Expansion {
    vertex: u64,
    moves: u32,
    end: Option<PayoffResult>,
}

/// The state of one worker during the exploration.
pub(crate) struct Exploration<'s> {
    start: &'s Start<'s>,
    layout: Layout,
    visited: Visited,
    /// For each local text, 1 plus the index in `visited` of the position with this text. It is 0
    /// if the position is not in `visited`.
    visited_index: Vec<u32>,
    pub(crate) interner: Interner,
    pub(crate) moves: Moves,
    /// The positions of this worker to expand in this level, ordered by number.
    frontier: Vec<u32>,
    /// The number of the first position of this level. The last position of this level has the
    /// number `positions - 1`.
    first: u64,
    pub(crate) positions: u64,
    level: u64,
}

/// The state at the beginning of a level, as restored from a checkpoint.
pub(crate) struct RestoredLevel {
    /// Number of vertices of each position: 2 if either player may begin, and otherwise 1.
    pub(crate) turns: u64,
    pub(crate) positions: u64,
    pub(crate) interner: Interner,
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
        let text = visited.text(0).ok_or_else(|| ambiguous_text(start))?;
        let mut new = Self {
            start,
            layout: Layout {
                workers: rounds.workers() as u64,
                turns,
                worker: rounds.index() as u64,
            },
            visited,
            visited_index: Vec::new(),
            interner: Interner::default(),
            moves: Moves::default(),
            frontier: Vec::new(),
            first: 0,
            positions: 1,
            level: 0,
        };
        if owner(&text, rounds.workers()) == rounds.index() {
            new.interner.texts.intern(&text);
            new.interner.numbers.push(0);
            new.frontier.push(0);
        }
        Ok(new)
    }

    /// Restores the state at the beginning of a level.
    pub(crate) fn resume(
        rounds: &Rounds<'_>,
        start: &'s Start<'s>,
        restored: RestoredLevel,
    ) -> Result<Self, Diagnostic> {
        let mut new = Self::new(rounds, start)?;
        let RestoredLevel {
            turns,
            positions,
            interner,
            moves,
            level,
            first,
        } = restored;
        if turns != new.layout.turns {
            return Err(damaged());
        }
        // Local indices follow the order of the numbers only, not the order of the texts. The
        // checkpoint may come from a different number of workers, so local indices differ anyway.
        let all = 0..interner.numbers.len() as u32;
        let number = |local: u32| interner.numbers[local as usize];
        new.frontier = all.filter(|&local| number(local) >= first).collect();
        new.frontier.sort_unstable_by_key(|&local| number(local));
        (new.interner, new.moves) = (interner, moves);
        (new.level, new.first, new.positions) = (level, first, positions);
        Ok(new)
    }

    /// Returns the phase of the computation, as recorded in a checkpoint between two levels.
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
        let before = self.interner.texts.len();
        let mut expansions = Vec::new();
        let (unnumbered, keys) = self.expand_level(rounds, before, &mut expansions)?;
        let range = (self.first, self.positions);
        let (numbers, new) = numbers(rounds, &keys, range, self.positions)?;
        drop(keys);
        self.interner.numbers.extend_from_slice(&numbers);
        // Options are sent to the owners of their texts first, and the new texts get numbers. Only
        // then can moves and degrees be sent to the owners of these numbers.
        self.send_moves(rounds, &unnumbered)?;
        drop(unnumbered);
        self.send_expansions(rounds, &expansions)?;
        let mut frontier: Vec<u32> = (before as u32..self.interner.texts.len() as u32).collect();
        frontier.sort_unstable_by_key(|&local| self.interner.numbers[local as usize]);
        self.frontier = frontier;
        self.first = self.positions;
        self.positions += new;
        self.level += 1;
        let limits = rounds.limits();
        if self.positions > limits.positions {
            return Err(Stop::Positions(limits.positions).into());
        }
        rounds.check_memory(self.bytes())?;
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
        let known = self.interner.texts.bytes()
            + 12 * self.interner.numbers.len()
            + 4 * self.visited_index.len();
        known as u64 + self.moves.bytes() + self.visited.bytes()
    }

    /// Expands the local positions of the level and receives the options from all workers. Returns
    /// the moves to local positions, and the least key of each new position. A key consists of the
    /// number of the parent and the place of the move among its moves.
    fn expand_level(
        &mut self,
        rounds: &mut Rounds<'_>,
        before: usize,
        expansions: &mut Vec<Expansion>,
    ) -> Result<(UnnumberedMoves, Vec<Key>), Diagnostic> {
        let workers = rounds.workers();
        let (mut unnumbered, mut keys): (UnnumberedMoves, Vec<Key>) = Default::default();
        let mut encoder = OptionEncoder::new(workers);
        let mut next = 0;
        loop {
            encoder.begin_round();
            while next < self.frontier.len() && rounds.has_room() {
                self.send(rounds, self.frontier[next], &mut encoder, expansions)?;
                next += 1;
                if next.is_multiple_of(256) {
                    rounds.poll()?;
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
                            let local = self.interner.texts.intern(reader.text()?);
                            if source == rounds.index() {
                                self.record_visited(local, encoder.own[texts.len()]);
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
                    unnumbered.options.push(local);
                    unnumbered.sources.push(parent * self.layout.turns + turn);
                }
            }
            let memory = self.bytes() + (12 * unnumbered.options.len() + 48 * keys.len()) as u64;
            rounds.check_memory(memory)?;
            if !arrived.more {
                return Ok((unnumbered, keys));
            }
        }
    }

    /// Returns the number of bytes that the cache `visited` may take before it is cleared. The
    /// cache holds the positions that this worker has parsed or generated.
    ///
    /// With several workers, most positions in the cache `visited` belong to other workers. If it
    /// is cleared early, the memory of a worker stays small even with many workers.
    fn visited_limit(&self, rounds: &Rounds<'_>) -> u64 {
        let most = (rounds.limits().memory / 8).max(1 << 20);
        match rounds.workers() {
            1 => most,
            _ => most.min(MIN_VISITED_BYTES.max(self.interner.texts.bytes() as u64)),
        }
    }

    /// Stores `visited`, the index of a position in the cache of visited positions, for the text of
    /// this position. `local` is the local index of the text. Stores nothing if `visited` is the
    /// placeholder `STALE`.
    fn record_visited(&mut self, local: u32, visited: u32) {
        let index = local as usize;
        if self.visited_index.len() <= index {
            self.visited_index.resize(index + 1, 0);
        }
        // After `visited` was cleared, an old index is no longer valid. The position is then parsed
        // from its text when it is expanded.
        if visited != STALE {
            self.visited_index[index] = visited + 1;
        }
    }

    /// Expands one position and sends its options to their owners.
    fn send(
        &mut self,
        rounds: &mut Rounds<'_>,
        local: u32,
        encoder: &mut OptionEncoder,
        expansions: &mut Vec<Expansion>,
    ) -> Result<(), Diagnostic> {
        if self.visited.bytes() > self.visited_limit(rounds) {
            self.visited = Visited::new(self.start.position);
            self.visited_index.clear();
            encoder.invalidate();
        }
        let number = self.interner.numbers[local as usize];
        let turns = self.layout.turns as u32;
        let position = match self.visited_index.get(local as usize) {
            // This worker has generated the position itself, so its text need not be parsed.
            Some(&index) if index > 0 => index - 1,
            _ => {
                let read = |text: &str| (self.start.read)(text, turns);
                let entered = self.visited.enter(self.interner.texts.get(local), &read);
                entered.ok_or_else(|| ambiguous_text(self.start))?
            }
        };
        let (limits, mut row) = (rounds.limits(), Vec::new());
        for turn in 0..turns {
            let begin = row.len();
            let end = self.visited.expand(position, turn, &limits, &mut row)?;
            expansions.push(Expansion {
                vertex: number * u64::from(turns) + u64::from(turn),
                moves: (row.len() - begin) as u32,
                end,
            });
            // Places are counted over the moves of both turns. So the keys are distinct, and their
            // order is that of a single process.
            for (place, &option) in (begin..).zip(&row[begin..]) {
                let place = place as u64 * u64::from(turns) + u64::from(turn);
                encoder
                    .option(rounds, &self.visited, option, number, place)
                    .ok_or_else(|| ambiguous_text(self.start))?;
            }
        }
        Ok(())
    }

    /// Sends the moves to the owners of their targets.
    fn send_moves(
        &mut self,
        rounds: &mut Rounds<'_>,
        unnumbered: &UnnumberedMoves,
    ) -> Result<(), Diagnostic> {
        let (layout, mut next) = (self.layout, 0);
        loop {
            while next < unnumbered.options.len()
                && (!next.is_multiple_of(256) || rounds.has_room())
            {
                let (option, source) = (unnumbered.options[next], unnumbered.sources[next]);
                // At the target, the other player is to move. If positions have only one turn, this
                // expression yields turn 0.
                let turn = (source % layout.turns + 1) % layout.turns;
                let target = self.interner.numbers[option as usize] * layout.turns + turn;
                let (owner, local) = layout.place(target);
                put(rounds.outbox(owner), local.into());
                put(rounds.outbox(owner), source);
                next += 1;
            }
            let arrived = rounds.swap(next < unnumbered.options.len(), [0; 4])?;
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
    fn send_expansions(
        &mut self,
        rounds: &mut Rounds<'_>,
        expansions: &[Expansion],
    ) -> Result<(), Diagnostic> {
        let (layout, mut next) = (self.layout, 0);
        loop {
            while next < expansions.len() && (!next.is_multiple_of(256) || rounds.has_room()) {
                let Expansion { vertex, moves, end } = expansions[next];
                let (owner, local) = layout.place(vertex);
                put(rounds.outbox(owner), local.into());
                let end = end.map_or(0, |end| end as u64 + 1);
                // The two lowest bits hold the payoff: 0 for none, and otherwise the payoff plus 1.
                put(rounds.outbox(owner), u64::from(moves) * 4 + end);
                next += 1;
            }
            let arrived = rounds.swap(next < expansions.len(), [0; 4])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let vertex = reader.number()? as u32;
                    let number = reader.number()?;
                    self.moves.add_degree(vertex, (number / 4) as u32);
                    let worth = match number % 4 {
                        0 => None,
                        1 => Some(PayoffResult::Lose),
                        2 => Some(PayoffResult::Tie),
                        _ => Some(PayoffResult::Win),
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
struct OptionEncoder {
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
const UNKNOWN_OWNER: u16 = u16::MAX;

/// The placeholder for an index into the cache `visited` that became invalid because the cache was
/// cleared.
const STALE: u32 = u32::MAX;

/// Lower bound on the memory limit of the cache `visited` with several workers, in bytes. An eighth
/// of the worker's memory limit takes precedence if it is smaller.
const MIN_VISITED_BYTES: u64 = 16 << 20;

impl OptionEncoder {
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
    fn invalidate(&mut self) {
        self.sent.clear();
        self.own.fill(STALE);
    }

    /// Encodes a move: `option` is the index of the target in `visited`, and `number` is the
    /// position number of the source. `place` combines the index of the move among the moves of the
    /// source with the turn. Returns nothing if the text of the target does not identify the
    /// target.
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
            self.sent.resize(index + 1, (UNKNOWN_OWNER, 0, 0));
        }
        let (mut to, round, text) = self.sent[index];
        if to != UNKNOWN_OWNER && round == self.round {
            put(rounds.outbox(to as usize), text.into());
        } else {
            let text = visited.text(option)?;
            // The owner is the same in every round, so the hash of the text is computed only once.
            if to == UNKNOWN_OWNER {
                to = owner(&text, rounds.workers()) as u16;
            }
            let worker = to as usize;
            self.texts[worker] += 1;
            self.sent[index] = (to, self.round, self.texts[worker]);
            if worker == rounds.index() {
                self.own.push(option);
            }
            put(rounds.outbox(worker), 0);
            put_text(rounds.outbox(worker), &text);
        }
        let worker = to as usize;
        put(rounds.outbox(worker), number - self.last[worker]);
        self.last[worker] = number;
        put(rounds.outbox(worker), place);
        Some(())
    }
}

/// Returns the error for a game in which different positions have the same text.
pub(crate) fn ambiguous_text(start: &Start<'_>) -> Diagnostic {
    let message = message!(
        "the text of {position} does not determine the position, so it cannot be sent to another worker",
        position = start.position
    );
    Diagnostic::new(Kind::IllegalPosition, message).help(message!(
        "label the game without {option} and {other}",
        option = Setting::command_line("workers"),
        other = Setting::command_line("hosts")
    ))
}
