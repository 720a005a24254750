//! Estimates the cost of a labelling by several workers. Workers of this process label a sample,
//! and their memory and traffic are scaled to the whole game.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grundy_cluster::{
    Context, EdgeLists, Report, Source as Labelled, Stage, Start, TableWriter, Traffic, Workers,
    label,
};
use grundy_core::implicit::dense::{Pass, PassQuantity};
use grundy_core::position::AnyTerm;
use grundy_core::ruleset::Nature;
use grundy_core::step::Step;
use grundy_core::{
    Diagnostic, Exploration, Halt, Limits, Play, Player, Position, RankedGame, Stop, message,
};
use grundy_wording::report::{AnySerialize, Report as Printed, Words};
use grundy_wording::{Audience, words};
use serde::Serialize;

use super::lists::Lists;
use super::{Work, is_dense};
use fold::Fold;
use grundy_job::Progress;
use grundy_tables::label::mean_options;
use grundy_tables::label::source::Source;

mod fold;

/// Largest number of workers that label a sample. The traffic of a larger number of workers is
/// extrapolated.
const WORKERS: u64 = 4;
/// Largest number of positions in an explored sample. Also the approximate limit on the number of
/// moves in the sample of a ranked game.
const SAMPLE: u64 = 1 << 18;
/// Largest number of cells of a ranked table that are evaluated for the estimate. The first cells
/// of the table are used.
const CELLS: u64 = 1 << 22;
/// Time limit for discovering positions.
const EXPLORATION_TIME: Duration = Duration::from_secs(10);
/// Number of names that a worker reads from edge lists in one batch, and number of moves that it
/// resolves at a time. An actual labelling has the same limits.
const BATCH: u64 = 1 << 16;
/// Number of rows that the writer fetches with one request. `ROW_CELLS` is the corresponding number
/// of cells.
const ROWS: u64 = 1 << 13;
const ROW_CELLS: u64 = 1 << 17;

/// The estimated cost of a labelling.
#[derive(Debug, Serialize)]
pub(super) struct Plan {
    /// Number of positions.
    positions: u64,
    /// `true` if the time limit was reached before all positions were found.
    more: bool,
    /// Number of moves of all positions.
    options: u64,
    processes: u64,
    /// Number of workers in each process.
    workers: u64,
    /// Memory of each process in bytes.
    memory: u64,
    /// Number of bytes sent between all workers.
    sent: u64,
    rounds: u64,
}

impl Printed for Plan {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let step = |code| {
            Step::new(code)
                .with("positions", self.positions)
                .with("options", self.options)
                .with("processes", self.processes)
                .with("workers", self.workers)
                .with("memory", self.memory)
                .with("sent", self.sent)
                .with("rounds", self.rounds)
        };
        let size = if self.more { "plan_more" } else { "plan_found" };
        let lines = [size, "plan_shared"].map(|code| words(&step(code), language));
        lines.join("\n") + "\n"
    }
}

/// The measured cost of a sample.
struct SampleCost {
    positions: u64,
    moves: u64,
    traffic: Traffic,
    /// Numbers of rounds from the start until three events: all positions are found, all labels are
    /// known, and the table is written.
    rounds: [u64; 3],
    /// Number of levels of the exploration.
    levels: u64,
}

/// Returns `number * all / of`: a number measured on `of` items, scaled to `all` items. The product
/// is taken in 128 bits.
fn scaled(number: u64, of: u64, all: u64) -> u64 {
    (u128::from(number) * u128::from(all) / u128::from(of.max(1))) as u64
}

impl Work<'_> {
    /// Returns the number of processes and the number of workers in each of them.
    fn size(&self) -> Result<(u64, u64), Diagnostic> {
        let workers = self.worker_options.workers.get() as u64;
        let Some(hosts) = &self.worker_options.hosts else {
            return Ok((1, workers));
        };
        Ok((self.hosts(&hosts.file)?.len().max(1) as u64, workers))
    }

    /// Estimates the cost of the labelling.
    pub(super) fn plan(&self) -> Result<Plan, Diagnostic> {
        match (&self.ranked, self.source) {
            (Some(game), _) => {
                let values =
                    !is_dense(&**game) || self.options.by_ranks.is_some_and(|by| by.values);
                let labelled = Labelled::Ranked {
                    game: Arc::clone(game),
                    values,
                };
                if labelled.is_sieved() {
                    self.plan_sieve(&**game)
                } else {
                    self.plan_ranked(game, values)
                }
            }
            (None, Source::Position(position)) => self.plan_exploration(position),
            (None, Source::File(file)) => {
                let lists = Lists::new(file, self.options.format, self.reader, self.job)?;
                self.plan_lists(&lists)
            }
        }
    }

    /// Labels a sample with workers of this process. Then fetches the table of the sample as many
    /// times as the requested outputs require.
    fn sample(&self, labelled: &Labelled<'_>, positions: u64) -> Result<SampleCost, Diagnostic> {
        let (processes, here) = self.size()?;
        let limits = self.job.limits();
        let interrupted = || (limits.interrupted)();
        let (found, written) = (Mutex::new([0; 2]), Mutex::new(0));
        let report = |report: &Report| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            match report.stage {
                Stage::Finding => *found = [report.rounds, report.round],
                Stage::Writing => {}
                _ => {
                    let mut known = written.lock().unwrap_or_else(PoisonError::into_inner);
                    *known = report.rounds;
                }
            }
        };
        let context = Context {
            positions,
            // This process represents all processes of the labelling, so it may use the memory of
            // all of them.
            memory: limits.memory.saturating_mul(processes),
            workers_here: (processes * here).min(WORKERS) as usize,
            interrupted: &interrupted,
            report: &report,
            note: &|_| {},
            checkpoint_options: None,
        };
        let play = self.options.play;
        let (summary, traffic) = label(Workers::alone(), &context, labelled, play, |writer| {
            self.fetch(writer, matches!(labelled, Labelled::Ranked { .. }))?;
            Ok(writer.summary())
        })?;
        let summary = summary.ok_or(Stop::NoValue)?;
        let [found, levels] = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let known = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(SampleCost {
            positions: summary.positions,
            moves: summary.moves,
            traffic,
            rounds: [found, known.max(found), traffic.rounds],
            levels,
        })
    }

    /// Fetches all rows, as often as the requested outputs would require. As in an actual
    /// labelling, the rows are fetched by position number or sorted by name.
    fn fetch(&self, writer: &TableWriter<'_, '_>, by_ranks: bool) -> Result<(), Diagnostic> {
        let all = || {
            let mut row = 0;
            while row < writer.summary().positions {
                row += writer.rows(row)?.len() as u64;
            }
            Ok::<_, Diagnostic>(())
        };
        if self.options.tablebase.is_some() {
            let is_graph = matches!(self.source, Source::File(_));
            if is_graph || by_ranks {
                all()?;
            }
            if is_graph {
                writer.resolve()?;
            }
            if !by_ranks {
                writer.sorted(None, |_| Ok(()))?;
            }
        }
        if self.options.output.is_some() || self.options.tablebase.is_none() {
            all()?;
        }
        Ok(())
    }

    /// Extrapolates the cost of a sample to all positions and moves.
    fn extrapolate(
        &self,
        sampled: &SampleCost,
        (positions, moves): (u64, u64),
        rounds: u64,
    ) -> Result<Plan, Diagnostic> {
        // The memory and traffic of a graph are dominated by its moves, so they are scaled by the
        // number of moves. A sieved table stores no moves and is scaled by the number of positions.
        let (processes, workers) = self.size()?;
        let (all, here) = (processes * workers, (processes * workers).min(WORKERS));
        let (of, total) = if sampled.moves > 0 {
            (sampled.moves, moves)
        } else {
            (sampled.positions, positions)
        };
        let memory = scaled(sampled.traffic.memory * here, of, total);
        let sent = scaled(sampled.traffic.bytes, of, total);
        // With w workers, each sends a share of (w - 1)/w of its data to the others. The factor
        // replaces the share for the workers of the sample by the share for all workers.
        let sent = scaled(sent, (here - 1) * all, here * (all - 1));
        Ok(Plan {
            positions,
            more: false,
            options: moves,
            processes,
            workers,
            memory: memory.div_ceil(processes),
            sent: if all == 1 { 0 } else { sent },
            rounds,
        })
    }

    /// Estimates the cost of labelling a graph in files. The files are read once for this.
    fn plan_lists(&self, lists: &Lists<'_>) -> Result<Plan, Diagnostic> {
        let fold = Fold::new(lists, self.job)?;
        let labelled = Labelled::Edges {
            lists: &fold,
            keep_moves: self.options.tablebase.is_some(),
        };
        let sampled = self.sample(&labelled, u64::MAX)?;
        let (processes, workers) = self.size()?;
        let readers = (processes * workers).min(lists.lists() as u64).max(1);
        // A batch of names takes three rounds, and so does a piece of moves. Each list has one
        // reader, so at most as many workers read at the same time as there are lists.
        let batches = |moves: u64| {
            let read = (2 * moves).div_ceil(BATCH * readers);
            3 * read + 3 * moves.div_ceil(BATCH * processes * workers)
        };
        let all = (fold.positions(), fold.moves());
        let more = batches(all.1).saturating_sub(batches(sampled.moves));
        let rounds = sampled.rounds[1] + more + writing_rounds(&sampled, all.0);
        self.extrapolate(&sampled, all, rounds)
    }

    /// Estimates the cost of labelling a ranked game by storing its moves, that is, without a
    /// sieve.
    fn plan_ranked(&self, game: &Arc<dyn RankedGame>, values: bool) -> Result<Plan, Diagnostic> {
        let all = game.positions();
        let each = mean_options(&**game, all, self.job)? * game.turns() as f64;
        let sample = ReducedGame {
            game: Arc::clone(game),
            positions: all.min((SAMPLE as f64 / each.max(1.0)) as u64).max(1),
        };
        let labelled = Labelled::Ranked {
            game: Arc::new(sample),
            values,
        };
        let sampled = self.sample(&labelled, u64::MAX)?;
        let moves = if sampled.positions == all {
            sampled.moves
        } else {
            (each * all as f64) as u64
        };
        let rounds = sampled.rounds[1] + writing_rounds(&sampled, all);
        self.extrapolate(&sampled, (all, moves), rounds)
    }

    /// Estimates the cost of exploring all positions that can be reached.
    fn plan_exploration(&self, position: &Position) -> Result<Plan, Diagnostic> {
        let read = |text: &str, turns: u32| self.reader.read_part(text, turns);
        // If there are too many positions, the sample is explored from a position some moves later.
        let (mut start_position, mut moves_made) = (position.clone(), 0);
        let sampled = loop {
            let start = Start {
                position: &start_position,
                read: &read,
            };
            match self.sample(&Labelled::Position(&start), SAMPLE) {
                Ok(sampled) => break sampled,
                Err(why) if why.message == Stop::Positions(SAMPLE).message() => {
                    let Some(next) = middle_option(&start_position, moves_made)? else {
                        return Err(why);
                    };
                    start_position = next;
                    moves_made += 1;
                }
                Err(why) => return Err(why),
            }
        };
        if moves_made == 0 {
            let all = (sampled.positions, sampled.moves);
            return self.extrapolate(&sampled, all, sampled.traffic.rounds);
        }
        let (all, more) = self.count_positions(position)?;
        // The number of rounds grows with the length of play. The moves before the start of the
        // sample count as further levels.
        let levels = sampled.levels.max(1);
        let rounds = scaled(sampled.rounds[1], levels, levels + moves_made);
        let rounds = rounds + writing_rounds(&sampled, all.0);
        Ok(Plan {
            more,
            ..self.extrapolate(&sampled, all, rounds)?
        })
    }

    /// Explores in one process up to the time limit. Returns the numbers of positions and moves,
    /// and whether there are more positions.
    fn count_positions(&self, position: &Position) -> Result<((u64, u64), bool), Diagnostic> {
        let (limits, begun) = (self.job.limits(), self.job.now());
        let pause = || {
            let stop = (limits.interrupted)();
            stop.or_else(|| (self.job.since(begun) >= EXPLORATION_TIME).then_some(Stop::Time))
        };
        let within = Limits {
            interrupted: &pause,
            ..limits
        };
        self.job
            .report(&Progress::Doing(message!("looking for positions")));
        let mut exploration = Exploration::new(position);
        let ended = exploration.run(&within);
        limits.poll()?;
        let found = exploration.found();
        let moves = found.graph.edges() as u64;
        match ended {
            Ok(()) => Ok(((found.positions().into(), moves), false)),
            // Positions that were reached but not expanded have no moves yet. The number of their
            // moves is extrapolated from the expanded positions.
            Err(Stop::Time | Stop::Positions(_) | Stop::Memory(_)) => {
                let reached = found.index.len() as u64;
                let expanded = found.positions().into();
                Ok(((reached, scaled(moves, expanded, reached)), true))
            }
            Err(stop) => Err(stop.into()),
        }
    }

    /// Estimates the cost of labelling a ranked game by a sieve, which stores no moves. The workers
    /// of a sieve send a few bytes for each lost position.
    fn plan_sieve(&self, game: &dyn RankedGame) -> Result<Plan, Diagnostic> {
        let (processes, workers) = self.size()?;
        let all = processes * workers;
        let sieved = game.sieved().ok_or(Stop::Cyclic)?;
        let (cells, length) = (sieved.cells(), sieved.length());
        let limits = self.job.limits();
        let (begun, mut pass) = (self.job.now(), Pass::default());
        let pause = || {
            let stop = (limits.interrupted)();
            stop.or_else(|| (self.job.since(begun) >= EXPLORATION_TIME).then_some(Stop::Time))
        };
        let within = Limits {
            interrupted: &pause,
            ..self.job.long_limits()
        };
        let first = cells.min(CELLS);
        let question = PassQuantity::Remoteness;
        let ended = game.sample(first, question, self.options.play, &mut pass, &within);
        limits.poll()?;
        if !matches!(ended, Ok(()) | Err(Stop::Time)) {
            ended?;
        }
        let width = pass.cells.width();
        let (mut with_lost, mut last, mut bytes) = (0, None, 0);
        // Counts the bytes that a sieve would send for the evaluated cells. Even cell values are
        // losses, as in `Outcomes`.
        for cell in (0..pass.done).filter(|&cell| pass.cells.get(cell) % 2 == 0) {
            let same = last.filter(|last| last / length == cell / length);
            match same {
                Some(last) => bytes += leb128_length(cell - last),
                None => with_lost += 1,
            }
            // The answer with the longest option of the lost position, and the broadcast of its
            // remoteness.
            bytes += 2 * leb128_length(pass.cells.get(cell).into());
            last = Some(cell);
        }
        // The first lost cell of a stretch is sent as the difference from the previous stretch with
        // the same owner and height. One stretch in `levels` has the height, and one in `all` has
        // the owner. So the two stretches are about `levels * all` stretches apart.
        let mut heights: Vec<u64> = (0..cells.div_ceil(length))
            .map(|stretch| sieved.height_of(stretch))
            .collect();
        heights.sort_unstable();
        heights.dedup();
        let levels = heights.len() as u64;
        bytes += with_lost * leb128_length(length * levels * all);
        let done = pass.done.max(1);
        let written = u64::from(self.options.tablebase.is_some())
            + u64::from(self.options.output.is_some() || self.options.tablebase.is_none());
        let table = scaled(cells * width * written, all, all - 1);
        Ok(Plan {
            positions: game.positions(),
            more: false,
            options: (mean_options(game, game.positions(), self.job)? * cells as f64) as u64,
            processes,
            workers,
            memory: (cells * width).div_ceil(all) * workers,
            sent: scaled(bytes, done, cells) * (all - 1) + table,
            // Each height takes four rounds. One more round finds that no height is left. Writing
            // takes two rounds for each block of cells, and two at the end.
            rounds: 4 * levels + 1 + 2 * written * cells.div_ceil(ROW_CELLS) + 2,
        })
    }
}

/// Estimates the number of rounds that the writing of the rows takes.
fn writing_rounds(sampled: &SampleCost, positions: u64) -> u64 {
    let rounds = sampled.rounds[2] - sampled.rounds[1];
    scaled(
        rounds,
        sampled.positions.div_ceil(ROWS),
        positions.div_ceil(ROWS),
    )
}

/// Returns the number of bytes that a number takes in LEB128.
fn leb128_length(number: u64) -> u64 {
    u64::from((64 - number.leading_zeros()).max(1).div_ceil(7))
}

/// Returns the middle option of a position, if the position has options. `made` is the number of
/// moves made so far, which determines the player to move.
fn middle_option(position: &Position, made: u64) -> Result<Option<Position>, Stop> {
    let beginners = position.nature().beginners();
    let player = beginners
        .get(made as usize % beginners.len())
        .copied()
        .unwrap_or(Player::Left);
    let mut options = Vec::new();
    let ended = position.moves(player, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(Halt::Stop(stop)) = ended {
        return Err(stop);
    }
    let middle = options.len() / 2;
    Ok((middle < options.len()).then(|| options.swap_remove(middle)))
}

/// A smaller game on some of the positions of a ranked game, which are numbered by their ranks. If
/// positions cannot recur, the smaller game has the first ranks.
///
/// If positions can recur, the first ranks are not closed under moves. The ranks are then spread
/// evenly over the game, and the targets of moves are scaled down accordingly.
#[derive(Debug)]
struct ReducedGame {
    game: Arc<dyn RankedGame>,
    positions: u64,
}

impl ReducedGame {
    /// Returns the rank in the original game for a rank in the smaller one.
    fn original_rank(&self, rank: u64) -> u64 {
        if self.game.is_topological() {
            return rank;
        }
        scaled(rank, self.positions, self.game.positions())
    }
}

impl RankedGame for ReducedGame {
    fn positions(&self) -> u64 {
        self.positions
    }

    fn nature(&self) -> Nature {
        self.game.nature()
    }

    fn is_topological(&self) -> bool {
        self.game.is_topological()
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop> {
        let rank = self.game.rank_of(terms)?;
        Ok(rank.filter(|&rank| rank < self.positions))
    }

    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop> {
        self.game.term(self.original_rank(rank))
    }

    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop> {
        let begin = ranks.len();
        self.game.options(player, self.original_rank(rank), ranks)?;
        if !self.game.is_topological() {
            for option in &mut ranks[begin..] {
                *option = scaled(*option, self.game.positions(), self.positions);
            }
        }
        Ok(())
    }

    fn resume(&self, _: PassQuantity, _: Play, _: &mut Pass, _: &Limits<'_>) -> Result<(), Stop> {
        Err(Stop::Cyclic)
    }

    fn sample(
        &self,
        _: u64,
        _: PassQuantity,
        _: Play,
        _: &mut Pass,
        _: &Limits<'_>,
    ) -> Result<(), Stop> {
        Err(Stop::Cyclic)
    }
}
