//! Estimates of the cost of a labelling by rank, in which positions are identified by the numbers
//! that the rules give them.

use std::time::Duration;

use grundy_core::implicit::dense::{Outcomes, Pass, PassQuantity};
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Limits, Play, RankedGame, Stop};
use grundy_tablebase::estimated_size;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, words};
use serde::Serialize;

use super::ranked::{cells, is_dense};
use grundy_job::Job;

/// Largest number of positions in the sample whose options are counted.
const SAMPLE_POSITIONS: u64 = 4096;
/// Number of positions that are labelled to measure the speed and the compression ratio.
const MEASURED_POSITIONS: u64 = 1 << 22;
/// Time limit for labelling the [`MEASURED_POSITIONS`].
const MEASUREMENT_TIME: Duration = Duration::from_secs(3);

/// The estimated cost of a labelling by rank. The number of positions is exact. The memory is exact
/// as well if one bottom-up pass labels the game, see [`is_dense`]. Everything else is extrapolated
/// from samples.
#[derive(Debug, Serialize)]
pub(super) struct Plan {
    /// Number of positions.
    positions: u64,
    /// Estimated number of moves in all positions.
    options: u64,
    /// Memory in bytes. If one bottom-up pass labels the game, each cell is assumed to take one
    /// byte, which suffices if all numbers are small.
    memory: u64,
    /// Estimated size of the tablebase in bytes. `None` if the labelling needs an explicit graph.
    disk: Option<u64>,
    /// Estimated time in seconds. `None` if the labelling needs an explicit graph.
    seconds: Option<f64>,
}

impl Plan {
    pub(super) fn new(
        game: &dyn RankedGame,
        play: Play,
        values: bool,
        job: &Job,
    ) -> Result<Self, Diagnostic> {
        let all = cells(game);
        let each = mean_options(game, game.positions(), job)?;
        let mut plan = Self {
            positions: game.positions(),
            options: (each * all as f64) as u64,
            // An option takes about 10 bytes, since the graph and its reverse hold 4 bytes each.
            // The labels take 22 bytes for each cell.
            memory: (22.0 * all as f64 + 10.0 * each * all as f64) as u64,
            disk: None,
            seconds: None,
        };
        if !is_dense(game) {
            return Ok(plan);
        }
        plan.memory = all * (1 + u64::from(values));
        // The positions of the first ranks are labelled as the measurement, because a pass needs
        // the cells of all smaller ranks.
        let first = all.min(MEASURED_POSITIONS);
        let (mut disk, mut seconds) = (0.0, 0.0);
        let questions = [PassQuantity::Remoteness, PassQuantity::Grundy];
        for question in questions.into_iter().take(1 + usize::from(values)) {
            let (begun, mut pass) = (job.now(), Pass::default());
            let pause = || {
                let stop = (job.limits().interrupted)();
                stop.or_else(|| (job.since(begun) >= MEASUREMENT_TIME).then_some(Stop::Time))
            };
            let limits = Limits {
                interrupted: &pause,
                ..job.long_limits()
            };
            let ended = game.sample(first, question, play, &mut pass, &limits);
            // `Stop::Time` may come from the time limit of the measurement. The limits of the job
            // show whether the job itself is to stop.
            job.limits().poll()?;
            if !matches!(ended, Ok(()) | Err(Stop::Time)) {
                ended?;
            }
            let time = job.since(begun).as_secs_f64();
            let done = pass.done.max(1);
            let scale = all as f64 / done as f64;
            // If a pass visits every option, its time is proportional to the number of options. The
            // first ranks have fewer options than the average position, so the time is scaled up.
            let factor = if game.visits_every_option(question) {
                let here = mean_options(game, done.div_ceil(game.turns()), job)?;
                (each / here.max(f64::MIN_POSITIVE)).max(1.0)
            } else {
                1.0
            };
            seconds += time * scale * factor;
            disk += scale * bytes(question, play, &pass) as f64;
        }
        plan.disk = Some(disk as u64);
        plan.seconds = Some(seconds);
        Ok(plan)
    }
}

impl Report for Plan {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let step = |code| {
            Step::new(code)
                .with("positions", self.positions)
                .with("options", self.options)
                .with("memory", self.memory)
                .with("disk", self.disk.unwrap_or_default())
                .with("seconds", self.seconds.unwrap_or_default().ceil() as u64)
        };
        let mut text = words(&step("plan_size"), language);
        if self.seconds.is_some() {
            text.push('\n');
            text.push_str(&words(&step("plan_cost"), language));
        }
        text.push('\n');
        text
    }
}

/// Estimates the mean number of options of a cell, which is a position with a player to move. The
/// sample consists of ranks at equal distances.
///
/// # Errors
/// The limit that was reached, or rules that failed.
pub fn mean_options(game: &dyn RankedGame, ranks: u64, job: &Job) -> Result<f64, Stop> {
    // At most `SAMPLE_POSITIONS` positions are sampled, at equal distances over all ranks, since
    // the number of options grows with the rank.
    let step = ranks.div_ceil(SAMPLE_POSITIONS).max(1);
    let (mut options, mut cells, mut found) = (Vec::new(), 0, 0);
    for rank in (0..ranks).step_by(step as usize) {
        job.limits().poll()?;
        for &player in game.nature().beginners() {
            options.clear();
            game.options(player, rank, &mut options)?;
            cells += 1;
            found += options.len();
        }
    }
    Ok(found as f64 / f64::from(cells.max(1)))
}

/// Returns the estimated number of bytes on disk of the columns for one pass, which computes either
/// outcomes with remoteness or Grundy values.
fn bytes(question: PassQuantity, play: Play, pass: &Pass) -> u64 {
    let cells = 0..pass.done;
    if question == PassQuantity::Grundy {
        // The numbers are encoded as in the columns of a tablebase, since other numbers would have
        // another compression ratio. See the table in the documentation of `grundy_tablebase`.
        return estimated_size(cells.map(|cell| 2 * u64::from(pass.cells.get(cell)) + 1));
    }
    let labels = Outcomes::new(pass.cells.clone(), play);
    let wins = estimated_size(cells.clone().map(|cell| labels.wins(cell).into()));
    let moves = cells.map(|cell| u64::from(labels.remoteness(cell).unwrap_or_default()) + 1);
    wins + estimated_size(moves)
}
