//! A ranked game whose moves can be reversed, with one cell for each position: each worker sieves
//! its stretches of the table.
//!
//! Stretches of the same height share no move and are sieved at the same time; see [`Stretches`]. A
//! lost cell is broadcast twice: first its number, then its remoteness. In between, the owners of
//! its options report the longest of them. So each lost cell costs a few bytes for each other
//! worker, and a single move costs nothing.

use grundy::Play;
use grundy::implicit::dense::{Sieved, Stretches};
use grundy_base::Diagnostic;

use crate::phase::Phase;
use crate::rounds::{Arrived, Rounds};
use crate::terms::{Report, Stage};
use crate::wire::{Reader, damaged, put};

/// A table while it is sieved.
pub(crate) struct Sieve<'g> {
    game: &'g dyn Sieved,
    play: Play,
    pub(crate) table: Stretches,
    /// Height and number of the local stretches, sorted.
    order: Vec<(u64, u64)>,
    next: usize,
    /// All stretches below this height are complete.
    height: u64,
    /// Number of heights sieved so far.
    levels: u64,
    /// Number of complete cells of all workers.
    done: u64,
}

impl<'g> Sieve<'g> {
    /// Creates an empty table.
    pub(crate) fn new(
        rounds: &Rounds<'_>,
        game: &'g dyn Sieved,
        play: Play,
    ) -> Result<Self, Diagnostic> {
        let (workers, me) = (rounds.workers() as u64, rounds.me() as u64);
        let limits = rounds.table_limits();
        let table = Stretches::new(game.cells(), game.length(), (workers, me), &limits)?;
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

    /// Continues at a height. The table already holds all stretches below it.
    pub(crate) fn go_on_from(&mut self, height: u64, done: u64) {
        self.next = self.order.partition_point(|&(own, _)| own < height);
        (self.height, self.done) = (height, done);
    }

    /// Returns the number of cells of the game.
    pub(crate) fn cells(&self) -> u64 {
        self.game.cells()
    }

    /// Returns the phase between two heights.
    pub(crate) fn phase(&self) -> Phase {
        Phase::Sieving {
            height: self.height,
            done: self.done,
        }
    }

    /// Sieves all stretches of the least remaining height. Returns whether there were any.
    pub(crate) fn step(&mut self, rounds: &mut Rounds<'_>) -> Result<bool, Diagnostic> {
        let own = self.order.get(self.next).map_or(u64::MAX, |&(own, _)| own);
        // Workers own different heights, so the least one is agreed on first. The tally is read
        // from `each`; its sum is meaningless.
        let heights = rounds.swap(false, [own, 0, 0, 0])?;
        let heights = heights.each.iter().map(|tallies| tallies[0]);
        let height = heights.min().unwrap_or(u64::MAX);
        if height == u64::MAX {
            return Ok(false);
        }
        // Each batch returns the same answer on all workers, so they leave together.
        while self.batch(rounds, height)? {}
        self.height = height + 1;
        self.levels += 1;
        rounds.hold(self.bytes())?;
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

    /// Returns the bytes held.
    fn bytes(&self) -> u64 {
        let cells = self.table.cells();
        cells.len() as u64 * cells.width() + 16 * self.order.len() as u64
    }

    /// Sieves as many stretches of a height as fit into the outboxes. Returns whether any worker
    /// has more.
    ///
    /// The three rounds of a batch are separated because each needs the previous one everywhere. A
    /// remoteness needs the options on all workers, and marking needs the remoteness.
    fn batch(&mut self, rounds: &mut Rounds<'_>, height: u64) -> Result<bool, Diagnostic> {
        let (me, workers) = (rounds.me(), rounds.workers());
        let (mut lost, mut written, mut told, mut cells) = (Vec::new(), Vec::new(), 0, 0);
        // Lost cells of a worker increase within a batch, because its stretches are sorted. So they
        // are sent as differences.
        let mut last = 0;
        while let Some(&(own, stretch)) = self.order.get(self.next)
            && own == height
            && rounds.has_room()
        {
            // Correct without any other stretch of this height: all marks come from lower
            // stretches, or from this one.
            self.game
                .lost(&mut self.table, stretch, self.play, &mut lost);
            let range = self.table.range(stretch);
            cells += range.end - range.start;
            for &cell in &lost[told..] {
                put(&mut written, cell - last);
                last = cell;
            }
            told = lost.len();
            for other in (0..workers).filter(|&other| other != me) {
                rounds.to(other).extend_from_slice(&written);
            }
            written.clear();
            self.next += 1;
            rounds.look()?;
        }
        let more = self
            .order
            .get(self.next)
            .is_some_and(|&(own, _)| own == height);
        let found = rounds.swap(more, [cells, 0, 0, 0])?;
        self.done += found.tallies[0];
        // Round 2: for each lost cell, every worker reports the longest of the options that it
        // owns. The answers are in the order of the cells, so they need no keys.
        let mut longest: Vec<u32> = Vec::with_capacity(lost.len());
        longest.extend(
            lost.iter()
                .map(|&cell| self.game.longest(&self.table, cell)),
        );
        let all = self.game.cells();
        each_lost(&found, (me, all), |from, cell| {
            put(rounds.to(from), self.game.longest(&self.table, cell).into());
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
        // Options within the stretch are lower cells, which `settle` reads from the table. Hence
        // the lost cells must be settled in increasing order.
        let limits = rounds.table_limits();
        for (&cell, longest) in lost.iter().zip(&mut longest) {
            *longest = self.game.settle(&mut self.table, cell, *longest, &limits)?;
            put(&mut written, (*longest).into());
        }
        for other in (0..workers).filter(|&other| other != me) {
            rounds.to(other).extend_from_slice(&written);
        }
        // Round 3: with the final remoteness every worker marks the predecessors that it owns. This
        // includes the worker's own lost cells, whose predecessors may lie in its other stretches.
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

/// Visits all lost cells that other workers have sent.
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
