//! Labelling by rank: there is one cell for each position and player to move, and positions are not
//! stored.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use grundy_core::implicit::dense::{Cells, Outcomes, PassQuantity};
use grundy_core::message::{Command, Setting};
use grundy_core::ruleset::Ends;
use grundy_core::values::loopy::Loopy;
use grundy_core::{
    Diagnostic, Kind, Limits, Outcome, Play, Position, RankedGame, Stop, Verdict, message,
};
use grundy_tablebase::{RankedTable, Record};

use super::LabelOptions;
use super::checkpoint::{CellState, Checkpoints};
use super::rows::{Cell, Rows};
use super::source::Source;
use grundy_job::Job;
use grundy_job::Progress;

/// A ranked game (whose rules number the positions) with the labels and values of its positions.
#[derive(Debug)]
pub struct RankedLabels {
    game: Arc<dyn RankedGame>,
    labels: Outcomes,
    values: Option<Cells>,
    play: Play,
}

/// The label of a cell, which is a position with a player to move: the outcome and, unless it is a
/// draw, the remoteness.
pub type CellLabel = (Outcome, Option<u32>);

/// A ranked game in which the label of each cell is known. A cell is a position with a player to
/// move, so each position has one or two cells. If each position has t cells, the position of rank
/// n has the cells n t, ..., n t + t - 1.
pub trait CellLabels {
    /// Returns the game.
    fn game(&self) -> &dyn RankedGame;

    /// Returns the kind of play.
    fn play(&self) -> Play;

    /// Returns the label of a cell, that is, the outcome and the remoteness of a position with a
    /// player to move.
    ///
    /// # Errors
    /// The loss of a process, if other processes hold the labels.
    fn label(&self, cell: u64) -> Result<CellLabel, Diagnostic>;

    /// Returns whether Grundy values are known.
    fn has_values(&self) -> bool {
        false
    }

    /// Returns the Grundy value of a position, if values are known.
    fn value(&self, position: u64) -> Option<Loopy> {
        let _ = position;
        None
    }
}

impl<T: CellLabels> Rows for T {
    fn positions(&self) -> u64 {
        self.game().positions()
    }

    fn edges(&self) -> Option<usize> {
        None
    }

    fn play(&self) -> Play {
        CellLabels::play(self)
    }

    fn by_player(&self) -> bool {
        self.game().turns() == 2
    }

    fn best_move(&self) -> bool {
        false
    }

    fn row<'a>(&'a self, position: u64, row: &mut Vec<Cell<'a>>) -> Result<(), Diagnostic> {
        let (game, turns) = (self.game(), self.game().turns());
        let cells = turns * position..turns * (position + 1);
        let labels: Vec<CellLabel> = cells
            .map(|cell| self.label(cell))
            .collect::<Result<_, _>>()?;
        let text = |text: String| Cell::Text(Some(Cow::Owned(text)));
        let outcomes: Vec<Outcome> = labels.iter().map(|&(outcome, _)| outcome).collect();
        let remoteness = labels.iter().map(|&(_, moves)| Cell::Number(moves));
        row.clear();
        // The cells are in the same order as `Rows::columns`.
        row.push(text(game.position(position)?.to_string()));
        row.push(text(Verdict::of(false, &outcomes).to_string()));
        if turns == 2 {
            row.extend([Cell::Number(None), Cell::Grundy(None)]);
            row.extend(remoteness);
        } else {
            row.extend(remoteness);
            row.push(Cell::Grundy(self.value(position)));
        }
        Ok(())
    }
}

/// Returns the labels in the form from which a tablebase is written.
pub(super) fn table<T: CellLabels>(
    labels: &T,
) -> RankedTable<
    impl Fn(u64) -> Result<Record, Diagnostic>,
    impl Fn(u64) -> Result<String, Diagnostic>,
> {
    RankedTable {
        positions: labels.game().positions(),
        has_values: labels.has_values(),
        record: |cell| {
            let (outcome, remoteness) = labels.label(cell)?;
            Ok(Record {
                outcome,
                remoteness,
                // Only impartial games have values. There a position has one cell, so the numbers
                // are the same.
                value: labels.value(cell),
                best: None,
            })
        },
        name: |rank| Ok(labels.game().position(rank)?.to_string()),
    }
}

/// Returns the game to be labelled by rank, if `options` requests labelling by rank.
pub(super) fn game(
    options: &LabelOptions,
    source: &Source<'_>,
) -> Result<Option<Arc<dyn RankedGame>>, Diagnostic> {
    let Some(ranked) = options.by_ranks else {
        return Ok(None);
    };
    let Source::Position(position) = source else {
        let message = message!(
            "{option} requires a position: the vertices of a graph have no ranks",
            option = Setting::new("ranked")
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message));
    };
    let game = position.ranked()?.ok_or_else(|| unranked(position))?;
    let nature = game.nature();
    if ranked.values && !(nature.is_impartial() && options.play == Play::Normal) {
        let message = message!("Grundy values exist for impartial games in normal play only");
        return Err(Diagnostic::new(Kind::NotImpartial, message)
            .help(message!("omit {option}", option = Setting::new("values"))));
    }
    // A dense pass does not store moves. A graph stores them, so best moves are rejected only for
    // dense games.
    if options.best_move && is_dense(&*game) {
        let message = message!("labelling by rank does not store moves");
        return Err(
            Diagnostic::new(Kind::IllegalPosition, message).help(message!(
                "omit {option}: {command} computes the moves from the rules",
                option = Setting::new("best_move"),
                command = Command::new("probe")
            )),
        );
    }
    Ok(Some(game))
}

/// Returns the error for a position whose ruleset does not rank positions.
fn unranked(position: &Position) -> Diagnostic {
    let message = message!(
        "the rules do not number the positions reachable from {position}",
        position
    );
    Diagnostic::new(Kind::IllegalPosition, message).help(message!(
        "ranks are available for nim, chomp, cram and domineering up to a certain size, and for rule files that define rank(p), unrank(i) and size()"
    ))
}

/// Returns whether the game can be labelled in one bottom-up pass over its ranks, without storing a
/// graph. Any other game is first explored into an explicit graph.
pub fn is_dense(game: &dyn RankedGame) -> bool {
    // In a topological game every option has a smaller rank, so its cell is already known. The
    // second condition is needed because cells have no code for a payoff.
    game.is_topological() && game.nature().ends == Ends::LastMove
}

/// Returns the number of cells of a game: one for each position and each player who may move first.
pub(super) fn cells(game: &dyn RankedGame) -> u64 {
    game.turns().saturating_mul(game.positions())
}

/// The longest slice of time. Progress is reported, and a checkpoint can be written, only after
/// each slice.
const MAX_SLICE: Duration = Duration::from_millis(500);
/// The shortest slice of time between two reports of progress, even if the checkpoint interval is
/// shorter.
const MIN_SLICE: Duration = Duration::from_millis(1);

/// Labels all positions of a dense game, which one bottom-up pass over the ranks can label (see
/// [`is_dense`]).
pub(super) fn label(
    game: Arc<dyn RankedGame>,
    options: &LabelOptions,
    checkpoints: &mut Checkpoints<'_>,
    job: &Job,
) -> Result<RankedLabels, Diagnostic> {
    let limits = job.long_limits();
    let mut state = checkpoints.restore_cells(&limits)?.unwrap_or_default();
    let all = cells(&*game);
    // A forged checkpoint could have the right identity and yet more cells than the game.
    for pass in [&state.labels, &state.values] {
        if pass.done > all || pass.cells.len() as u64 > all {
            let message = message!("the checkpoint has more positions than the game");
            return Err(Diagnostic::new(Kind::Io, message));
        }
    }
    let questions = [PassQuantity::Remoteness, PassQuantity::Grundy];
    let values = options.by_ranks.is_some_and(|ranked| ranked.values);
    for question in questions.into_iter().take(1 + usize::from(values)) {
        run(&*game, question, options.play, &mut state, checkpoints, job)?;
    }
    let labels = Outcomes::new(state.labels.cells, options.play);
    Ok(RankedLabels {
        game,
        labels,
        values: values.then_some(state.values.cells),
        play: options.play,
    })
}

/// Runs one pass over the positions, for outcomes with remoteness or for Grundy values, in slices
/// of time. After each slice, reports progress and writes a checkpoint if one is due.
fn run(
    game: &dyn RankedGame,
    question: PassQuantity,
    play: Play,
    state: &mut CellState,
    checkpoints: &mut Checkpoints<'_>,
    job: &Job,
) -> Result<(), Diagnostic> {
    let limits = job.long_limits();
    let all = cells(game);
    // The cells of outcomes stay in memory while Grundy values are computed, so they count towards
    // the memory limit.
    let bytes = state.labels.cells.len() as u64 * state.labels.cells.width();
    let outcome_bytes = if question == PassQuantity::Grundy {
        bytes
    } else {
        0
    };
    let memory = limits.memory.saturating_sub(outcome_bytes);
    // A slice is not longer than the checkpoint interval, since checkpoints are written only
    // between slices.
    let slice = checkpoints.every().clamp(MIN_SLICE, MAX_SLICE);
    loop {
        let end = job.now() + slice;
        // The end of a slice is reported as a time limit. So the pass need not be aware of slices.
        let pause = || {
            let stop = (limits.interrupted)();
            stop.or_else(|| (job.now() >= end).then_some(Stop::Time))
        };
        let within = Limits {
            interrupted: &pause,
            memory,
            ..limits
        };
        let pass = match question {
            PassQuantity::Grundy => &mut state.values,
            PassQuantity::Outcome | PassQuantity::Remoteness => &mut state.labels,
        };
        let before = pass.done;
        let result = game.resume(question, play, pass, &within);
        let done = pass.done;
        job.report(&Progress::Computing {
            computed: done,
            of: all,
            note: None,
        });
        let Err(stop) = result else {
            return Ok(());
        };
        // The limits of the job show whether the pass stopped only because the slice ended.
        let job_stop = limits.poll().err();
        if stop != Stop::Time || job_stop.is_some() {
            if job_stop.is_some() {
                checkpoints.write_on_stop(state)?;
            }
            // If the job itself has a reason to stop, it replaces the `Time` that ended the slice.
            let why = if stop == Stop::Time { job_stop } else { None };
            return Err(checkpoints.stopped(why.unwrap_or(stop)));
        }
        // If no position was finished in the slice, a checkpoint would be the same as the last one.
        if done > before {
            checkpoints.write_if_due(state);
        }
    }
}

impl RankedLabels {
    /// Combines a ranked game with the outcomes of its positions. Grundy values are not stored.
    pub fn new(game: Arc<dyn RankedGame>, labels: Outcomes, play: Play) -> Self {
        Self {
            game,
            labels,
            values: None,
            play,
        }
    }
}

impl CellLabels for RankedLabels {
    fn game(&self) -> &dyn RankedGame {
        &*self.game
    }

    fn play(&self) -> Play {
        self.play
    }

    fn label(&self, cell: u64) -> Result<CellLabel, Diagnostic> {
        Ok((self.labels.outcome(cell), self.labels.remoteness(cell)))
    }

    fn has_values(&self) -> bool {
        self.values.is_some()
    }

    fn value(&self, position: u64) -> Option<Loopy> {
        let values = self.values.as_ref()?;
        Some(Loopy::Finite(values.get(position).into()))
    }
}
