//! Runs one labelling, from the source of the positions to the table.

use std::sync::Arc;

use grundy::graph::Values;
use grundy::ruleset::{Ends, Nature};
use grundy::{Play, RankedGame};
use grundy_base::{Diagnostic, Stop};

use crate::checkpoint::{self, Checkpoints, Restored};
use crate::edges::{self, EdgeLists};
use crate::explore::{Exploration, Reached, Start};
use crate::labels::Labelling;
use crate::options::Options;
use crate::phase::Phase;
use crate::ranks;
use crate::results::{Answers, Names, Results};
use crate::rounds::{At, Rounds, Traffic};
use crate::share::{Layout, Moves};
use crate::sieve::Sieve;
use crate::terms::Terms;
use crate::values;
use crate::workers::Workers;
use crate::writer::{TableWriter, Whole, attend};

/// The source of the positions to label.
#[derive(Clone)]
pub enum Source<'s> {
    /// A graph in edge lists.
    Edges {
        /// The edge lists.
        lists: &'s dyn EdgeLists,
        /// `true` if the rows list their moves.
        keep: bool,
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
            Self::Edges { keep, .. } => f
                .debug_struct("Edges")
                .field("keep", keep)
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
    pub fn is_sifted(&self) -> bool {
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

/// A complete graph whose moves are stored by the owners of their targets.
struct Graph<'s> {
    nature: Nature,
    positions: u64,
    moves: Moves,
    names: Names<'s>,
    options: Option<Options>,
}

impl<'s> Graph<'s> {
    /// Builds the whole graph of a source, or completes it from a checkpoint.
    fn of(
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
                            known,
                            moves,
                            ..
                        } = restored;
                        let reached = Reached {
                            turns,
                            positions,
                            known,
                            moves,
                            level,
                            first,
                        };
                        Exploration::resume(rounds, start, reached)?
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
                let found = (Some(&exploration.known), &exploration.moves);
                checkpoints.finding(rounds, of, found)?;
            }
            return Ok(Self {
                nature,
                positions: exploration.positions,
                moves: exploration.moves,
                names: Names::Written(exploration.known, start),
                options: None,
            });
        }
        let (mut begun, mut read) = ((Moves::default(), 0), None);
        if let Some(restored) = restored {
            match (source, restored.phase) {
                (Source::Ranked { .. }, Phase::Finding { first, .. }) => {
                    begun = (restored.moves, first);
                }
                (Source::Edges { .. }, Phase::Reading) => read = restored.read,
                _ => return Ok(Self::restored(source, restored)),
            }
        }
        match source {
            Source::Edges { lists, keep } => {
                let graph = edges::read(rounds, (*lists, *keep), checkpoints, read)?;
                Ok(Self {
                    nature,
                    positions: graph.positions,
                    moves: graph.moves,
                    names: Names::Given(graph.known),
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
                        me: rounds.me() as u64,
                    };
                    let of = (phase, game.positions(), layout);
                    checkpoints.finding(rounds, of, (None, moves))
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
                Source::Edges { .. } => Names::Given(restored.known),
                Source::Position(start) => Names::Written(restored.known, start),
                Source::Ranked { game, .. } => Names::Ranked(Arc::clone(game)),
            },
            options: restored.options,
        }
    }
}

/// Labels a game with all workers of this process and of the connected processes.
///
/// Worker 0 calls `write` once. The process of worker 0 returns its result, and the others return
/// nothing.
///
/// # Errors
/// An interruption or limit, an invalid source, a lost process, or an error of `write`.
pub fn label<T: Send>(
    workers: Workers,
    terms: &Terms<'_>,
    source: &Source<'_>,
    play: Play,
    write: impl Fn(&TableWriter<'_, '_>) -> Result<T, Diagnostic> + Sync,
) -> Result<(Option<T>, Traffic), Diagnostic> {
    let results = workers.run(terms, |rounds| {
        let mut checkpoints = Checkpoints::new(rounds)?;
        let (results, whole) = match source {
            Source::Ranked { game, .. } if source.is_sifted() => {
                sifted(rounds, &**game, play, &mut checkpoints)?
            }
            _ => labelled(rounds, source, play, &mut checkpoints)?,
        };
        if rounds.me() > 0 {
            attend(rounds, results)?;
            return Ok((None, rounds.traffic()));
        }
        let writer = TableWriter::new(rounds, (results, whole), checkpoints.kept());
        let written = write(&writer)?;
        writer.end()?;
        checkpoints.done(rounds);
        Ok((Some(written), rounds.traffic()))
    })?;
    let mut traffic = Traffic::default();
    let mut written = None;
    for (one, sent) in results {
        written = written.or(one);
        traffic.rounds = traffic.rounds.max(sent.rounds);
        traffic.bytes += sent.bytes;
        traffic.held = traffic.held.max(sent.held);
    }
    Ok((written, traffic))
}

/// Computes the table of a ranked game by a sieve.
fn sifted(
    rounds: &mut Rounds<'_>,
    game: &dyn RankedGame,
    play: Play,
    checkpoints: &mut Checkpoints<'_>,
) -> Result<(Results, Whole), Diagnostic> {
    let sieved = game.sieved().ok_or(Stop::Cyclic)?;
    let mut sieve = Sieve::new(rounds, sieved, play)?;
    checkpoints.resumed_cells(rounds, (&mut sieve, game.turns()))?;
    while sieve.step(rounds)? {
        checkpoints.sieving(rounds, (&sieve, game.turns()), At::Round)?;
    }
    checkpoints.sieving(rounds, (&sieve, game.turns()), At::Table)?;
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: game.turns(),
        me: rounds.me() as u64,
    };
    let whole = Whole {
        positions: game.positions(),
        moves: 0,
        nature: game.nature(),
        has_values: false,
    };
    Ok((
        Results::sifted(layout, game.positions(), sieve.table),
        whole,
    ))
}

/// Computes labels and values. The table itself is written later.
fn labelled(
    rounds: &mut Rounds<'_>,
    source: &Source<'_>,
    play: Play,
    checkpoints: &mut Checkpoints<'_>,
) -> Result<(Results, Whole), Diagnostic> {
    let named = !matches!(source, Source::Ranked { .. });
    let keep = matches!(source, Source::Edges { keep: true, .. });
    let mut restored = checkpoints.resumed(rounds, (named, keep))?;
    let labels = restored.as_mut().map(Labels::taken);
    let graph = Graph::of(rounds, source, checkpoints, restored)?;
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: graph.nature.beginners().len() as u64,
        me: rounds.me() as u64,
    };
    let own = layout.turns * layout.positions(graph.positions);
    let moves = rounds.sums([graph.moves.len() as u64, 0, 0, 0])?[0];
    let share = graph.moves.finish(own as usize)?;
    let vertices = layout.turns * graph.positions;
    let by_payoff = graph.nature.ends == Ends::Payoff;
    let whole = checkpoint::Whole {
        known: graph.names.known(),
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
    let valuing = values.and_then(|values| phase.map(|phase| (phase, values)));
    let scores = if valuing.is_some() {
        scores
    } else {
        let mut labelling = match phase {
            Some(Phase::Labelling { stage, done }) if stage > 0 => {
                Labelling::resume(rounds, &share, scores, (stage, done))?
            }
            _ => Labelling::new(&share, play, by_payoff),
        };
        while labelling.step(rounds, &share, vertices)? {
            checkpoints.labelling(rounds, whole, (&labelling, At::Round))?;
        }
        let at = if has_values { At::End } else { At::Table };
        checkpoints.labelling(rounds, whole, (&labelling, at))?;
        labelling.scores
    };
    let values = if has_values {
        let keep: values::Keep<'_> = &mut |rounds, at, values, eligible| {
            checkpoints.valuing(rounds, whole, (&scores, values), at, eligible)
        };
        let (ordered, given) = match valuing {
            Some((Phase::Loopy { value, done }, values)) => {
                let given = values::Given {
                    values,
                    eligible,
                    value,
                    done,
                };
                (None, Some(given))
            }
            Some((Phase::Finite { round, done }, values)) => (Some((values, round, done)), None),
            _ => (None, None),
        };
        let finite = if given.is_none() {
            values::finite(rounds, &share, vertices, ordered, keep)?
        } else {
            None
        };
        Some(match finite {
            Some(found) => found,
            None => values::loopy(rounds, &share, &scores, vertices, given, keep)?,
        })
    } else {
        None
    };
    // The predecessors are no longer needed. They are freed before the labels are fetched for the
    // names, which takes memory as well.
    drop(share);
    let answers = Answers { scores, values };
    let size = (layout, graph.positions);
    let results = Results::new(rounds, size, graph.names, answers, graph.options)?;
    let whole = Whole {
        positions: graph.positions,
        moves,
        nature: graph.nature,
        has_values,
    };
    Ok((results, whole))
}

/// The labels in a checkpoint of a complete graph.
struct Labels {
    phase: Phase,
    scores: Vec<u32>,
    values: Option<Values>,
    eligible: Vec<u32>,
}

impl Labels {
    fn taken(from: &mut Restored) -> Self {
        Self {
            phase: from.phase,
            scores: std::mem::take(&mut from.scores),
            values: from.values.take(),
            eligible: std::mem::take(&mut from.eligible),
        }
    }
}
