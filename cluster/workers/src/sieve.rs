//! A game by ranks whose moves can be taken back, a cell for each position: each worker sifts its
//! stretches of the table.
//!
//! Stretches of one height are sifted at the same time; see [`Stretches`]. Of each lost position
//! all workers hear twice, which it is and in how many moves it is lost, and between that they say
//! how long the options last that are theirs. So a worker sends a few bytes for a lost position to
//! each other, and nothing for a move.

use grundy::Play;
use grundy::implicit::dense::{Sieved, Stretches};
use grundy_base::Diagnostic;

use crate::phase::Phase;
use crate::rounds::{Arrived, Rounds};
use crate::terms::{Report, Stage};
use crate::wire::{Reader, damaged, put};

/// A table being sifted.
pub(crate) struct Sieve<'g> {
    game: &'g dyn Sieved,
    play: Play,
    pub(crate) table: Stretches,
    /// The stretches here, by their heights.
    order: Vec<(u64, u64)>,
    next: usize,
    /// What lies lower is done.
    height: u64,
    /// Levels so far.
    levels: u64,
    /// Cells of all workers that are done.
    done: u64,
}

impl<'g> Sieve<'g> {
    /// Before anything is found.
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

    /// All that lies lower has been put into the table.
    pub(crate) fn go_on_from(&mut self, height: u64, done: u64) {
        self.next = self.order.partition_point(|&(own, _)| own < height);
        (self.height, self.done) = (height, done);
    }

    /// How many cells there are.
    pub(crate) fn cells(&self) -> u64 {
        self.game.cells()
    }

    /// How far it is, between two levels.
    pub(crate) fn phase(&self) -> Phase {
        Phase::Sieving {
            height: self.height,
            done: self.done,
        }
    }

    /// Sifts all stretches of the least height that is left; whether there was any.
    pub(crate) fn step(&mut self, rounds: &mut Rounds<'_>) -> Result<bool, Diagnostic> {
        let own = self.order.get(self.next).map_or(u64::MAX, |&(own, _)| own);
        let heights = rounds.swap(false, [own, 0, 0, 0])?;
        let heights = heights.each.iter().map(|tallies| tallies[0]);
        let height = heights.min().unwrap_or(u64::MAX);
        if height == u64::MAX {
            return Ok(false);
        }
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

    /// Bytes that are held.
    fn bytes(&self) -> u64 {
        let cells = self.table.cells();
        cells.len() as u64 * cells.width() + 16 * self.order.len() as u64
    }

    /// Sifts as many stretches of a height as there is room for; whether any worker has more.
    fn batch(&mut self, rounds: &mut Rounds<'_>, height: u64) -> Result<bool, Diagnostic> {
        let (me, workers) = (rounds.me(), rounds.workers());
        let (mut lost, mut written, mut told, mut cells) = (Vec::new(), Vec::new(), 0, 0);
        let mut last = 0;
        while let Some(&(own, stretch)) = self.order.get(self.next)
            && own == height
            && rounds.has_room()
        {
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
        // How long the options last that are here.
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
        let limits = rounds.table_limits();
        for (&cell, longest) in lost.iter().zip(&mut longest) {
            *longest = self.game.settle(&mut self.table, cell, *longest, &limits)?;
            put(&mut written, (*longest).into());
        }
        for other in (0..workers).filter(|&other| other != me) {
            rounds.to(other).extend_from_slice(&written);
        }
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

/// Visits all lost cells that others have told of.
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
