//! Labels a ranked game by a sieve: each lost position marks its predecessors. The table has one
//! cell for each position and player to move. It is divided into stretches of consecutive cells,
//! and each worker sieves its own stretches.
//!
//! A move stays in its stretch or leads to a stretch of smaller height. So all stretches of the
//! same height are sieved at the same time; see [`OwnedStretches`] and
//! `DistributedSieve::height_of`. Each lost cell is broadcast twice: first its index, then its
//! remoteness. In between, every other worker reports the largest remoteness among the options that
//! belong to it. So a lost cell costs a few bytes for each other worker, and a won cell costs
//! nothing.

use grundy_base::Diagnostic;
use grundy_core::Play;
use grundy_core::implicit::dense::{DistributedSieve, OwnedStretches};

use crate::context::{Report, Stage};
use crate::phase::Phase;
use crate::rounds::{Arrived, Rounds};
use crate::wire::{Reader, damaged, put};

/// The table of a ranked game while it is filled by a sieve, in which lost positions mark their
/// predecessors.
pub(crate) struct Sieve<'g> {
    game: &'g dyn DistributedSieve,
    play: Play,
    pub(crate) table: OwnedStretches,
    /// Height and index of each local stretch (a run of consecutive cells), sorted by height.
    order: Vec<(u64, u64)>,
    next: usize,
    /// Exclusive bound on the heights of complete stretches: all stretches (runs of cells) whose
    /// height is less than this are complete.
    height: u64,
    /// Number of distinct heights whose stretches (runs of cells) have been sieved so far.
    levels: u64,
    /// Number of complete cells in all workers.
    done: u64,
}

impl<'g> Sieve<'g> {
    /// Creates an empty table.
    pub(crate) fn new(
        rounds: &Rounds<'_>,
        game: &'g dyn DistributedSieve,
        play: Play,
    ) -> Result<Self, Diagnostic> {
        let (workers, me) = (rounds.workers() as u64, rounds.index() as u64);
        let limits = rounds.table_limits();
        let table = OwnedStretches::new(game.cells(), game.length(), (workers, me), &limits)?;
        let own = (me..table.count()).step_by(rounds.workers());
        limits.check(table.count() / workers, 16 + game.length())?;
        let mut order: Vec<(u64, u64)> = own
            .map(|stretch| (game.height_of(stretch), stretch))
            .collect();
        order.sort_unstable();
        Ok(Self {
            game,
            play,
            table,
            order,
            next: 0,
            height: 0,
            levels: 0,
            done: 0,
        })
    }

    /// Continues with the stretches (runs of cells) of height `height`, after the table was
    /// restored from a checkpoint. The table must already hold all stretches of smaller height.
    pub(crate) fn resume_at(&mut self, height: u64, done: u64) {
        self.next = self.order.partition_point(|&(own, _)| own < height);
        (self.height, self.done) = (height, done);
    }

    /// Returns the number of cells of the game.
    pub(crate) fn cells(&self) -> u64 {
        self.game.cells()
    }

    /// Returns the phase of the computation, as recorded in a checkpoint between two heights.
    pub(crate) fn phase(&self) -> Phase {
        Phase::Sieving {
            height: self.height,
            done: self.done,
        }
    }

    /// Sieves all stretches (runs of cells) of the least height that is not finished yet. Returns
    /// `false` if no stretch was left to sieve.
    pub(crate) fn step(&mut self, rounds: &mut Rounds<'_>) -> Result<bool, Diagnostic> {
        let own = self.order.get(self.next).map_or(u64::MAX, |&(own, _)| own);
        // Each worker has its own next height, so all agree on the least one first. It is read from
        // `each`, because the sum of the heights has no meaning.
        let heights = rounds.swap(false, [own, 0, 0, 0])?;
        let heights = heights.each.iter().map(|tallies| tallies[0]);
        let height = heights.min().unwrap_or(u64::MAX);
        if height == u64::MAX {
            return Ok(false);
        }
        // `batch` returns the same answer on all workers, so they leave the loop together.
        while self.batch(rounds, height)? {}
        self.height = height + 1;
        self.levels += 1;
        rounds.check_memory(self.bytes())?;
        let cells = self.game.cells();
        rounds.report(&Report {
            stage: Stage::Labelling,
            round: self.levels,
            done: self.done,
            of: cells,
            sent: rounds.sent(),
            ..Report::default()
        });
        Ok(true)
    }

    /// Returns the number of bytes held in memory.
    fn bytes(&self) -> u64 {
        let cells = self.table.cells();
        cells.len() as u64 * cells.width() + 16 * self.order.len() as u64
    }

    /// Sieves as many stretches (runs of cells) of a height as fit into the outboxes. Returns
    /// whether any worker has more stretches of this height.
    ///
    /// A batch has three rounds, each of which needs the results of the previous round from all
    /// workers. The first one sends the lost cells. The second one sends the remoteness of their
    /// options, which may belong to any worker. The third one sends the remoteness of the lost
    /// cells, with which their predecessors are marked.
    fn batch(&mut self, rounds: &mut Rounds<'_>, height: u64) -> Result<bool, Diagnostic> {
        let (me, workers) = (rounds.index(), rounds.workers());
        let (mut lost, mut written, mut broadcast, mut cells) = (Vec::new(), Vec::new(), 0, 0);
        // The lost cells of a worker are in increasing order within a batch, because its stretches
        // are sorted. So they are sent as differences.
        let mut last = 0;
        while let Some(&(own, stretch)) = self.order.get(self.next)
            && own == height
            && rounds.has_room()
        {
            // No other stretch of this height is needed: all marks in this stretch come from lower
            // stretches or from itself.
            self.game
                .lost(&mut self.table, stretch, self.play, &mut lost);
            let range = self.table.range(stretch);
            cells += range.end - range.start;
            for &cell in &lost[broadcast..] {
                put(&mut written, cell - last);
                last = cell;
            }
            broadcast = lost.len();
            for other in (0..workers).filter(|&other| other != me) {
                rounds.outbox(other).extend_from_slice(&written);
            }
            written.clear();
            self.next += 1;
            rounds.poll()?;
        }
        let more = self
            .order
            .get(self.next)
            .is_some_and(|&(own, _)| own == height);
        let found = rounds.swap(more, [cells, 0, 0, 0])?;
        self.done += found.tallies[0];
        // Round 2: for each lost cell, every worker reports the largest remoteness among the
        // options that it owns. The answers are in the order of the cells, so they contain no keys.
        let mut longest: Vec<u32> = Vec::with_capacity(lost.len());
        longest.extend(
            lost.iter()
                .map(|&cell| self.game.longest(&self.table, cell)),
        );
        let all = self.game.cells();
        each_lost(&found, (me, all), |from, cell| {
            put(
                rounds.outbox(from),
                self.game.longest(&self.table, cell).into(),
            );
            Ok(())
        })?;
        let answers = rounds.swap(false, [0; 4])?;
        for (from, mut reader) in answers.readers() {
            if from != me {
                for longest in &mut longest {
                    *longest = (*longest).max(reader.number()? as u32);
                }
            }
        }
        // Options in the same stretch are lower cells, which `assign` reads from the table. Hence
        // the lost cells must be settled in increasing order.
        let limits = rounds.table_limits();
        for (&cell, longest) in lost.iter().zip(&mut longest) {
            *longest = self.game.assign(&mut self.table, cell, *longest, &limits)?;
            put(&mut written, (*longest).into());
        }
        for other in (0..workers).filter(|&other| other != me) {
            rounds.outbox(other).extend_from_slice(&written);
        }
        // Round 3: every worker receives the final remoteness of each lost cell and marks the
        // predecessors that it owns. A worker does so for its own lost cells, too, whose
        // predecessors may lie in its other stretches.
        let settled = rounds.swap(false, [0; 4])?;
        let mut moves: Vec<Reader<'_>> = settled.readers().map(|(_, reader)| reader).collect();
        for (&cell, &moves) in lost.iter().zip(&longest) {
            self.game.mark(&mut self.table, cell, moves, &limits)?;
        }
        each_lost(&found, (me, all), |from, cell| {
            let moves = moves[from].number()? as u32;
            self.game.mark(&mut self.table, cell, moves, &limits)?;
            Ok(())
        })?;
        Ok(found.more)
    }
}

/// Calls `visit` for each lost cell that another worker has sent. The arguments are the index of
/// the sender and the index of the cell.
///
/// # Errors
/// A cell outside the table.
fn each_lost(
    found: &Arrived,
    (me, all): (usize, u64),
    mut visit: impl FnMut(usize, u64) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    for (from, mut reader) in found.readers().filter(|&(from, _)| from != me) {
        let mut cell = 0;
        while !reader.is_empty() {
            cell += reader.number()?;
            if cell >= all {
                return Err(damaged());
            }
            visit(from, cell)?;
        }
    }
    Ok(())
}
