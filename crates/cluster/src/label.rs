//! One labelling, from the source to the table.

use std::sync::Arc;

use grundy::ruleset::{Ends, Nature};
use grundy::{Play, RankedGame};
use grundy_base::Diagnostic;

use crate::company::Company;
use crate::desk::{Desk, Whole, attend};
use crate::edges::{self, EdgeLists};
use crate::explore::{Exploration, Start};
use crate::held::{Answers, Held, Names};
use crate::labels::Labelling;
use crate::ranks;
use crate::rounds::{Rounds, Traffic};
use crate::share::{Layout, Moves};
use crate::terms::Terms;
use crate::values;

/// What is labelled.
#[derive(Clone)]
pub enum Source<'s> {
    /// A graph in lists of edges. Where its moves are kept they come with the rows.
    Edges {
        /// The lists.
        lists: &'s dyn EdgeLists,
        /// Whether moves are kept.
        keep: bool,
    },
    /// Everything that can be reached from a position.
    Position(&'s Start<'s>),
    /// All positions of a game by ranks.
    Ranked {
        /// The game.
        game: Arc<dyn RankedGame>,
        /// Whether values are found.
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

/// A graph whose moves lie with the owners of what they lead to.
struct Graph<'s> {
    nature: Nature,
    positions: u64,
    moves: Moves,
    names: Names<'s>,
    options: Option<edges::Options>,
}

impl<'s> Graph<'s> {
    fn of(rounds: &mut Rounds<'_>, source: &Source<'s>) -> Result<Self, Diagnostic> {
        match source {
            Source::Edges { lists, keep } => {
                let graph = edges::read(rounds, *lists, *keep)?;
                Ok(Self {
                    nature: Nature::IMPARTIAL,
                    positions: graph.positions,
                    moves: graph.moves,
                    names: Names::Given(graph.known),
                    options: graph.options,
                })
            }
            Source::Position(start) => {
                let mut exploration = Exploration::new(rounds, start)?;
                while exploration.step(rounds)? {}
                Ok(Self {
                    nature: start.position.nature(),
                    positions: exploration.positions,
                    moves: exploration.moves,
                    names: Names::Written(exploration.known, start),
                    options: None,
                })
            }
            Source::Ranked { game, .. } => Ok(Self {
                nature: game.nature(),
                positions: game.positions(),
                moves: ranks::moves(rounds, game)?,
                names: Names::Ranked(Arc::clone(game)),
                options: None,
            }),
        }
    }
}

/// Labels a game with all workers of a company. `write` is called once, in the process that writes, and its answer comes back there.
///
/// # Errors
/// What stopped the work, what was wrong with the source, a process that was lost, or what `write` ended with.
pub fn label<T: Send>(
    company: Company,
    terms: &Terms<'_>,
    source: &Source<'_>,
    play: Play,
    write: impl Fn(&Desk<'_, '_>) -> Result<T, Diagnostic> + Sync,
) -> Result<(Option<T>, Traffic), Diagnostic> {
    let results = company.run(terms, |rounds| {
        let (held, whole) = labelled(rounds, source, play)?;
        if rounds.me() > 0 {
            attend(rounds, held)?;
            return Ok((None, rounds.traffic()));
        }
        let desk = Desk::new(rounds, held, whole);
        let written = write(&desk)?;
        desk.end()?;
        Ok((Some(written), rounds.traffic()))
    })?;
    let mut traffic = Traffic::default();
    let mut written = None;
    for (one, sent) in results {
        written = written.or(one);
        traffic.rounds = traffic.rounds.max(sent.rounds);
        traffic.bytes += sent.bytes;
    }
    Ok((written, traffic))
}

/// Everything up to the table.
fn labelled(
    rounds: &mut Rounds<'_>,
    source: &Source<'_>,
    play: Play,
) -> Result<(Held, Whole), Diagnostic> {
    let graph = Graph::of(rounds, source)?;
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
    let mut labelling = Labelling::new(&share, play, by_payoff);
    while labelling.step(rounds, &share, vertices)? {}
    let scores = labelling.scores;
    let wanted = !matches!(source, Source::Ranked { values: false, .. });
    let has_values = wanted && graph.nature.is_impartial() && play == Play::Normal;
    let values = if has_values {
        let finite = values::finite(rounds, &share, vertices)?;
        Some(match finite {
            Some(found) => found,
            None => values::loopy(rounds, &share, &scores, vertices)?,
        })
    } else {
        None
    };
    drop(share);
    let answers = Answers { scores, values };
    let size = (layout, graph.positions);
    let held = Held::new(rounds, size, graph.names, answers, graph.options)?;
    let whole = Whole {
        positions: graph.positions,
        moves,
        nature: graph.nature,
        has_values,
    };
    Ok((held, whole))
}
