//! Labelling by rank: one cell for each entry, and no stored positions.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use grundy::implicit::dense::{Cells, Outcomes, PassQuestion};
use grundy::message::{Command, Setting};
use grundy::ruleset::Ends;
use grundy::values::loopy::Loopy;
use grundy::{
    Diagnostic, Kind, Limits, Outcome, Play, Position, RankedGame, Stop, Verdict, message,
};
use grundy_tablebase::{RankedTable, Record};

use super::LabelOptions;
use super::checkpoint::{CellState, Checkpoints};
use super::rows::{Cell, Rows};
use super::source::Source;
use grundy_job::Job;
use grundy_job::Progress;

/// A ranked game with its labels.
#[derive(Debug)]
pub struct RankedLabels {
    game: Arc<dyn RankedGame>,
    labels: Outcomes,
    values: Option<Cells>,
    play: Play,
}

/// The outcome and the remoteness of a cell.
pub type CellLabel = (Outcome, Option<u32>);

/// A ranked game whose labels are known for each cell. In a game with t turns the cells of position
/// n are n t, ..., n t + t - 1.
pub trait ByCell {
    /// Returns the game.
    fn game(&self) -> &dyn RankedGame;

    /// Returns normal or misère play.
    fn play(&self) -> Play;

    /// Returns the label of a cell.
    ///
    /// # Errors
    /// A lost process, if other processes hold the labels.
    fn label(&self, cell: u64) -> Result<CellLabel, Diagnostic>;

    /// Returns whether Grundy values are known.
    fn has_values(&self) -> bool {
        false
    }

    /// Returns the Grundy value of a position, if it is known.
    fn value(&self, position: u64) -> Option<Loopy> {
        let _ = position;
        None
    }
}

impl<T: ByCell> Rows for T {
    fn positions(&self) -> u64 {
        self.game().positions()
    }

    fn edges(&self) -> Option<usize> {
        None
    }

    fn play(&self) -> Play {
        ByCell::play(self)
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
        // The columns of `Rows::columns`, in the same order.
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

/// Returns the labels as rows of a tablebase.
pub(super) fn table<T: ByCell>(
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
                // Values exist for impartial games only, where a cell is a position.
                value: labels.value(cell),
                best: None,
            })
        },
        name: |rank| Ok(labels.game().position(rank)?.to_string()),
    }
}

/// Returns the game to be labelled by rank, if `asked` requests it.
pub(super) fn game(
    asked: &LabelOptions,
    source: &Source<'_>,
) -> Result<Option<Arc<dyn RankedGame>>, Diagnostic> {
    let Some(ranked) = asked.by_ranks else {
        return Ok(None);
    };
    let Source::Position(position) = source else {
        let message = message!(
            "a graph has no ranks: {option} needs a position",
            option = Setting::new("ranked")
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message));
    };
    let game = position.ranked()?.ok_or_else(|| unranked(position))?;
    let nature = game.nature();
    if ranked.values && !(nature.is_impartial() && asked.play == Play::Normal) {
        let message = message!("Grundy values are those of impartial games in normal play");
        return Err(Diagnostic::new(Kind::NotImpartial, message).help(message!(
            "leave {option} out",
            option = Setting::new("values")
        )));
    }
    // A dense pass derives moves and forgets them; a graph keeps them, so only dense games refuse.
    if asked.best_move && is_dense(&*game) {
        let message = message!("a table by ranks keeps no moves");
        return Err(
            Diagnostic::new(Kind::IllegalPosition, message).help(message!(
                "leave {option} out: {command} finds the moves by the rules",
                option = Setting::new("best_move"),
                command = Command::new("probe")
            )),
        );
    }
    Ok(Some(game))
}

/// Returns the error for a position whose ruleset has no ranks.
fn unranked(position: &Position) -> Diagnostic {
    let message = message!("the positions of {position} have no ranks", position);
    Diagnostic::new(Kind::IllegalPosition, message).help(message!(
        "nim, chomp, cram and domineering of a size that fits have some, and rule files that define rank(p), unrank(i) and size()"
    ))
}

/// Returns whether one bottom-up pass labels the game. Otherwise it is explored into a graph.
pub fn is_dense(game: &dyn RankedGame) -> bool {
    // Every option of a topological game has a smaller rank, so its cell is known already. The
    // cells have no code for a payoff at the end, hence the second condition.
    game.is_topological() && game.nature().ends == Ends::LastMove
}

/// Returns the number of cells.
pub(super) fn cells(game: &dyn RankedGame) -> u64 {
    game.turns().saturating_mul(game.positions())
}

/// The longest slice of work between two reports of progress.
const LONGEST: Duration = Duration::from_millis(500);
/// The shortest slice, for tiny checkpoint intervals.
const SHORTEST: Duration = Duration::from_millis(1);

/// Labels all positions of a dense game.
pub(super) fn label(
    game: Arc<dyn RankedGame>,
    asked: &LabelOptions,
    checkpoints: &mut Checkpoints<'_>,
    job: &Job,
) -> Result<RankedLabels, Diagnostic> {
    let limits = job.long_limits();
    let mut state = checkpoints.resumed_cells(&limits)?.unwrap_or_default();
    let all = cells(&*game);
    // The identity of the checkpoint agrees, yet a forged one could still index beyond the game.
    for pass in [&state.labels, &state.values] {
        if pass.done > all || pass.cells.len() as u64 > all {
            let message = message!("the checkpoint has more positions than the game");
            return Err(Diagnostic::new(Kind::Io, message));
        }
    }
    let questions = [PassQuestion::Remoteness, PassQuestion::Grundy];
    let values = asked.by_ranks.is_some_and(|ranked| ranked.values);
    for question in questions.into_iter().take(1 + usize::from(values)) {
        run(&*game, question, asked.play, &mut state, checkpoints, job)?;
    }
    let labels = Outcomes::new(state.labels.cells, asked.play);
    Ok(RankedLabels {
        game,
        labels,
        values: values.then_some(state.values.cells),
        play: asked.play,
    })
}

/// Runs the pass for one question in slices. After each slice it reports progress and writes a
/// checkpoint if one is due.
fn run(
    game: &dyn RankedGame,
    question: PassQuestion,
    play: Play,
    state: &mut CellState,
    checkpoints: &mut Checkpoints<'_>,
    job: &Job,
) -> Result<(), Diagnostic> {
    let limits = job.long_limits();
    let all = cells(game);
    // The remoteness cells stay allocated during the Grundy pass, so they count against its limit.
    let held = state.labels.cells.len() as u64 * state.labels.cells.width();
    let beside = if question == PassQuestion::Grundy {
        held
    } else {
        0
    };
    let memory = limits.memory.saturating_sub(beside);
    // A slice must not exceed the checkpoint interval, or checkpoints would come late.
    let slice = checkpoints.every().clamp(SHORTEST, LONGEST);
    loop {
        let end = job.now() + slice;
        // The end of a slice poses as a time limit, so that a pass needs no notion of slices.
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
            PassQuestion::Grundy => &mut state.values,
            PassQuestion::Outcome | PassQuestion::Remoteness => &mut state.labels,
        };
        let before = pass.done;
        let result = game.go_on(question, play, pass, &within);
        let done = pass.done;
        job.report(&Progress::Computing {
            computed: done,
            of: all,
            note: None,
        });
        let Err(stop) = result else {
            return Ok(());
        };
        // The job's own limits decide whether the stop was only the end of the slice.
        let asked = limits.poll().err();
        if stop != Stop::Time || asked.is_some() {
            if asked.is_some() {
                checkpoints.write_at_the_end(state)?;
            }
            // The reason of the job replaces the `Time` of the slice.
            let why = if stop == Stop::Time { asked } else { None };
            return Err(checkpoints.refused(why.unwrap_or(stop)));
        }
        // A slice may end before the first position is done; an equal checkpoint would be useless.
        if done > before {
            checkpoints.write_if_due(state);
        }
    }
}

impl RankedLabels {
    /// Creates labels without Grundy values.
    pub fn new(game: Arc<dyn RankedGame>, labels: Outcomes, play: Play) -> Self {
        Self {
            game,
            labels,
            values: None,
            play,
        }
    }
}

impl ByCell for RankedLabels {
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
