//! Runs one labelling, from the source of the positions to the table.

use std::sync::Arc;

use grundy_base::{Diagnostic, Stop};
use grundy_core::graph::Values;
use grundy_core::ruleset::{Ends, Nature};
use grundy_core::{Play, RankedGame};

use crate::checkpoint::{self, Checkpoints, Restored};
use crate::context::Context;
use crate::edges::{self, EdgeLists};
use crate::explore::{Exploration, RestoredLevel, Start};
use crate::labels::Labelling;
use crate::options::Options;
use crate::phase::Phase;
use crate::ranks;
use crate::results::{LabelsAndValues, Names, Results};
use crate::rounds::{CheckpointPoint, Rounds, Traffic};
use crate::share::{Layout, Moves};
use crate::sieve::Sieve;
use crate::values;
use crate::workers::Workers;
use crate::writer::{TableSummary, TableWriter, serve_requests};

/// The source of the positions to label.
#[derive(Clone)]
pub enum Source<'s> {
    /// A graph in edge lists.
    Edges {
        /// The edge lists.
        lists: &'s dyn EdgeLists,
        /// `true` if each row of the table lists the moves of its position.
        keep_moves: bool,
    },
    /// All positions that can be reached from a start position.
    Position(&'s Start<'s>),
    /// All positions of a ranked game.
    Ranked {
        /// The ranked game.
        game: Arc<dyn RankedGame>,
        /// `true` if values are computed in addition to labels.
        values: bool,
    },
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Edges { keep_moves, .. } => f
                .debug_struct("Edges")
                .field("keep_moves", keep_moves)
                .finish_non_exhaustive(),
            Self::Position(start) => f.debug_tuple("Position").field(start).finish(),
            Self::Ranked { game, values } => f
                .debug_struct("Ranked")
                .field("game", game)
                .field("values", values)
                .finish(),
        }
    }
}

impl Source<'_> {
    /// Returns whether the table is computed by a sieve, which stores no moves. The writer then
    /// receives cells instead of rows.
    #[must_use]
    pub fn is_sieved(&self) -> bool {
        let Self::Ranked { game, values } = self else {
            return false;
        };
        let ends = game.is_topological() && game.nature().ends == Ends::LastMove;
        ends && !values && game.sieved().is_some()
    }

    /// Returns the nature of the game.
    fn nature(&self) -> Nature {
        match self {
            Self::Edges { .. } => Nature::IMPARTIAL,
            Self::Position(start) => start.position.nature(),
            Self::Ranked { game, .. } => game.nature(),
        }
    }
}

/// A game graph that is completely known. Its moves are stored by the owners of their targets.
struct Graph<'s> {
    nature: Nature,
    positions: u64,
    moves: Moves,
    names: Names<'s>,
    options: Option<Options>,
}

impl<'s> Graph<'s> {
    /// Builds the whole graph of a source, or completes it from a checkpoint.
    fn build(
        rounds: &mut Rounds<'_>,
        source: &Source<'s>,
        checkpoints: &mut Checkpoints<'_>,
        restored: Option<Restored>,
    ) -> Result<Self, Diagnostic> {
        let nature = source.nature();
        if let Source::Position(start) = source {
            let mut exploration = match restored {
                None => Exploration::new(rounds, start)?,
                Some(restored) => match restored.phase {
                    Phase::Finding { level, first } => {
                        let Restored {
                            turns,
                            positions,
                            interner,
                            moves,
                            ..
                        } = restored;
                        let level_state = RestoredLevel {
                            turns,
                            positions,
                            interner,
                            moves,
                            level,
                            first,
                        };
                        Exploration::resume(rounds, start, level_state)?
                    }
                    _ => return Ok(Self::restored(source, restored)),
                },
            };
            while exploration.step(rounds)? {
                let of = (
                    exploration.phase(),
                    exploration.positions,
                    exploration.layout(),
                );
                let found = (Some(&exploration.interner), &exploration.moves);
                checkpoints.write_discovery(rounds, of, found)?;
            }
            return Ok(Self {
                nature,
                positions: exploration.positions,
                moves: exploration.moves,
                names: Names::Components(exploration.interner, start),
                options: None,
            });
        }
        let (mut begun, mut read) = ((Moves::default(), 0), None);
        if let Some(restored) = restored {
            match (source, restored.phase) {
                (Source::Ranked { .. }, Phase::Finding { first, .. }) => {
                    begun = (restored.moves, first);
                }
                (Source::Edges { .. }, Phase::Reading) => read = restored.partial,
                _ => return Ok(Self::restored(source, restored)),
            }
        }
        match source {
            Source::Edges { lists, keep_moves } => {
                let graph = edges::read(rounds, (*lists, *keep_moves), checkpoints, read)?;
                Ok(Self {
                    nature,
                    positions: graph.positions,
                    moves: graph.moves,
                    names: Names::Input(graph.interner),
                    options: graph.options,
                })
            }
            Source::Ranked { game, .. } => Ok(Self {
                nature,
                positions: game.positions(),
                moves: ranks::moves(rounds, game, begun, &mut |rounds, moves, first| {
                    let phase = Phase::Finding { level: 0, first };
                    let layout = Layout {
                        workers: rounds.workers() as u64,
                        turns: game.turns(),
                        worker: rounds.index() as u64,
                    };
                    let of = (phase, game.positions(), layout);
                    checkpoints.write_discovery(rounds, of, (None, moves))
                })?,
                names: Names::Ranked(Arc::clone(game)),
                options: None,
            }),
            Source::Position(_) => unreachable!("positions are handled above"),
        }
    }

    /// Returns a graph that is stored completely in a checkpoint.
    fn restored(source: &Source<'s>, restored: Restored) -> Self {
        Self {
            nature: source.nature(),
            positions: restored.positions,
            moves: restored.moves,
            names: match source {
                Source::Edges { .. } => Names::Input(restored.interner),
                Source::Position(start) => Names::Components(restored.interner, start),
                Source::Ranked { game, .. } => Names::Ranked(Arc::clone(game)),
            },
            options: restored.options,
        }
    }
}

/// Labels a game with all workers of this process and of the connected processes.
///
/// Worker 0 calls `write` once. The process of worker 0 returns the result of this call, and the
/// other processes return nothing.
///
/// # Errors
/// An interruption or limit, an invalid source, a lost process, or an error of `write`.
pub fn label<T: Send>(
    workers: Workers,
    context: &Context<'_>,
    source: &Source<'_>,
    play: Play,
    write: impl Fn(&TableWriter<'_, '_>) -> Result<T, Diagnostic> + Sync,
) -> Result<(Option<T>, Traffic), Diagnostic> {
    let results = workers.run(context, |rounds| {
        let mut checkpoints = Checkpoints::new(rounds)?;
        let (results, summary) = match source {
            Source::Ranked { game, .. } if source.is_sieved() => {
                sieve_table(rounds, &**game, play, &mut checkpoints)?
            }
            _ => compute_labels(rounds, source, play, &mut checkpoints)?,
        };
        if rounds.index() > 0 {
            serve_requests(rounds, results)?;
            return Ok((None, rounds.traffic()));
        }
        let writer = TableWriter::new(rounds, (results, summary), checkpoints.resumable());
        let written = write(&writer)?;
        writer.end()?;
        checkpoints.remove(rounds);
        Ok((Some(written), rounds.traffic()))
    })?;
    let mut traffic = Traffic::default();
    let mut written = None;
    for (one, sent) in results {
        written = written.or(one);
        traffic.rounds = traffic.rounds.max(sent.rounds);
        traffic.bytes += sent.bytes;
        traffic.memory = traffic.memory.max(sent.memory);
    }
    Ok((written, traffic))
}

/// Computes the table of a ranked game by a sieve.
fn sieve_table(
    rounds: &mut Rounds<'_>,
    game: &dyn RankedGame,
    play: Play,
    checkpoints: &mut Checkpoints<'_>,
) -> Result<(Results, TableSummary), Diagnostic> {
    let sieved = game.sieved().ok_or(Stop::Cyclic)?;
    let mut sieve = Sieve::new(rounds, sieved, play)?;
    checkpoints.restore_cells(rounds, (&mut sieve, game.turns()))?;
    while sieve.step(rounds)? {
        checkpoints.write_cells(rounds, (&sieve, game.turns()), CheckpointPoint::Round)?;
    }
    checkpoints.write_cells(rounds, (&sieve, game.turns()), CheckpointPoint::BeforeTable)?;
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: game.turns(),
        worker: rounds.index() as u64,
    };
    let summary = TableSummary {
        positions: game.positions(),
        moves: 0,
        nature: game.nature(),
        has_values: false,
    };
    Ok((
        Results::from_sieve(layout, game.positions(), sieve.table),
        summary,
    ))
}

/// Computes labels and values. The table itself is written later.
fn compute_labels(
    rounds: &mut Rounds<'_>,
    source: &Source<'_>,
    play: Play,
    checkpoints: &mut Checkpoints<'_>,
) -> Result<(Results, TableSummary), Diagnostic> {
    let named = !matches!(source, Source::Ranked { .. });
    let keep_moves = matches!(
        source,
        Source::Edges {
            keep_moves: true,
            ..
        }
    );
    let mut restored = checkpoints.restore(rounds, (named, keep_moves))?;
    let labels = restored.as_mut().map(Labels::take);
    let graph = Graph::build(rounds, source, checkpoints, restored)?;
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: graph.nature.beginners().len() as u64,
        worker: rounds.index() as u64,
    };
    let own = layout.turns * layout.positions(graph.positions);
    let moves = rounds.sums([graph.moves.len() as u64, 0, 0, 0])?[0];
    let share = graph.moves.finish(own as usize)?;
    let vertices = layout.turns * graph.positions;
    let by_payoff = graph.nature.ends == Ends::Payoff;
    let complete = checkpoint::CompleteGraph {
        interner: graph.names.interner(),
        options: graph.options.as_ref(),
        share: &share,
        layout,
        positions: graph.positions,
    };
    let wanted = !matches!(source, Source::Ranked { values: false, .. });
    let has_values = wanted && graph.nature.is_impartial() && play == Play::Normal;
    let (phase, scores, values, eligible) = match labels {
        Some(labels) => (
            Some(labels.phase),
            labels.scores,
            labels.values,
            labels.eligible,
        ),
        None => (None, Vec::new(), None, Vec::new()),
    };
    let saved_values = values.and_then(|values| phase.map(|phase| (phase, values)));
    let scores = if saved_values.is_some() {
        scores
    } else {
        let mut labelling = match phase {
            Some(Phase::Labelling { stage, done }) if stage > 0 => {
                Labelling::resume(rounds, &share, scores, (stage, done))?
            }
            _ => Labelling::new(&share, play, by_payoff),
        };
        while labelling.step(rounds, &share, vertices)? {
            checkpoints.write_labels(rounds, complete, (&labelling, CheckpointPoint::Round))?;
        }
        let point = if has_values {
            CheckpointPoint::PhaseEnd
        } else {
            CheckpointPoint::BeforeTable
        };
        checkpoints.write_labels(rounds, complete, (&labelling, point))?;
        labelling.scores
    };
    let values = if has_values {
        let save: values::SaveCheckpoint<'_> = &mut |rounds, point, values, eligible| {
            checkpoints.write_values(rounds, complete, (&scores, values), point, eligible)
        };
        let (finite_progress, loopy_progress) = match saved_values {
            Some((Phase::Loopy { value, done }, values)) => {
                let progress = values::LoopyProgress {
                    values,
                    eligible,
                    value,
                    done,
                };
                (None, Some(progress))
            }
            Some((Phase::Finite { round, done }, values)) => (Some((values, round, done)), None),
            _ => (None, None),
        };
        let finite = if loopy_progress.is_none() {
            values::finite(rounds, &share, vertices, finite_progress, save)?
        } else {
            None
        };
        Some(match finite {
            Some(found) => found,
            None => values::loopy(rounds, &share, &scores, vertices, loopy_progress, save)?,
        })
    } else {
        None
    };
    // The predecessors are no longer needed. They are freed before the labels are fetched for the
    // names, which takes memory as well.
    drop(share);
    let answers = LabelsAndValues { scores, values };
    let size = (layout, graph.positions);
    let results = Results::new(rounds, size, graph.names, answers, graph.options)?;
    let summary = TableSummary {
        positions: graph.positions,
        moves,
        nature: graph.nature,
        has_values,
    };
    Ok((results, summary))
}

/// The labels in a checkpoint that was written after the game graph was completely known.
struct Labels {
    phase: Phase,
    scores: Vec<u32>,
    values: Option<Values>,
    eligible: Vec<u32>,
}

impl Labels {
    fn take(from: &mut Restored) -> Self {
        Self {
            phase: from.phase,
            scores: std::mem::take(&mut from.scores),
            values: from.values.take(),
            eligible: std::mem::take(&mut from.eligible),
        }
    }
}
