//! Values of loopy games: the graph of all reachable components, evaluated by the theory of Smith
//! and Fraenkel.

use super::grundy::Grundy;
use super::{Closure, Engine, PartRef, PartValue, Reach, Theory, Valuation};
use crate::nature::Nature;
use crate::store::erased::PartFacts;
use crate::theorem::{ByTheorem, Theorem};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_graphs::graph::Digraph;

pub use grundy_base::Loopy;

/// The theorem on sums of games with cycles.
pub const SMITH_FRAENKEL: Theorem = Theorem {
    method: "smith-fraenkel",
    name: "the theorem of Smith and Fraenkel",
    statement: "finite values add like Nim heaps, a number shifts the set of an infinity, two infinities make inf{}; a position is P when its value is 0, a draw when it is infinite without 0 in its set, and N otherwise",
    source: "C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81; A. S. Fraenkel and Y. Perl, Constructions in combinatorial games with cycles, Colloq. Math. Soc. J. Bolyai 10 (1975), 667-699",
};

/// The distance of a won game from its end, compared in the order of the fields. A winner who
/// always moves to the least sum of stages wins in finitely many moves (`docs/graphs.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage {
    /// The value.
    pub value: u64,
    /// The round in which the vertex got the value.
    pub round: u64,
}

impl Stage {
    /// Returns the stage of a sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            round: self.round + other.round,
        }
    }
}

/// The value and the stage of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyPart {
    /// The value.
    pub value: Loopy,
    /// The stage. It is zero if every play ends or the value is infinite.
    pub stage: Stage,
}

impl LoopyPart {
    /// The part without moves.
    pub const END: Self = Self {
        value: Loopy::Finite(0),
        stage: Stage { value: 0, round: 0 },
    };

    /// Returns the part with a finite value in which every play ends.
    fn finite(value: u64) -> Self {
        Self {
            value: Loopy::Finite(value),
            ..Self::END
        }
    }

    /// Returns the sum of two parts.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            value: self.value.plus(&other.value),
            stage: self.stage.plus(other.stage),
        }
    }
}

/// The theory of Smith and Fraenkel. Components with a Sprague-Grundy value keep it.
#[derive(Debug, Default)]
pub struct SmithFraenkel;

impl Theory for SmithFraenkel {
    type Value = LoopyPart;
    const EMPTY_SUM: LoopyPart = LoopyPart::END;
    const REACH: Reach = Reach::Closure;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.loopy
    }

    fn refuses(nature: Nature) -> Option<Stop> {
        Grundy::refuses(nature)
    }

    fn add(&mut self, a: &LoopyPart, b: &LoopyPart, _: &Limits<'_>) -> Result<LoopyPart, Stop> {
        Ok(a.plus(b))
    }

    fn theorem(parts: &dyn PartFacts, index: usize) -> Option<ByTheorem<LoopyPart>> {
        let known = Grundy::theorem(parts, index)?;
        Some(ByTheorem {
            value: LoopyPart::finite(known.value),
            theorem: known.theorem,
        })
    }

    fn by_structure(
        engine: &mut Engine,
        part: PartRef<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<LoopyPart>>, Stop> {
        match engine.part::<Grundy>(part, limits) {
            Ok(PartValue { value, evidence }) => Ok(Some(PartValue {
                value: LoopyPart::finite(value),
                evidence,
            })),
            // A cycle is no error in this theory: evaluate the closure instead.
            Err(Stop::Cyclic) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    fn of_closure(
        &mut self,
        closure: &Closure,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<LoopyPart>>, Stop> {
        // Vertex 0 is the end of the game, and vertex k + 1 is component k. All sums without
        // components share the end.
        let mut graph = Digraph::default();
        graph.end_vertex();
        for id in 0..closure.len() {
            limits.check(1, 32 * graph.edges() as u64)?;
            for option in closure.options(id, Player::Left) {
                graph.push_edge(option.first().map_or(0, |id| id + 1));
            }
            graph.end_vertex();
        }
        let transposed = graph.transpose(limits)?;
        // Values and labels both work backwards, so they share one transposed graph.
        let labels = graph.label_with(&transposed, Play::Normal, limits)?;
        let values = graph.loopy_values_with(&transposed, &labels, limits)?;
        let finite = |vertex, value: u32| LoopyPart {
            value: Loopy::Finite(value.into()),
            stage: Stage {
                value: value.into(),
                round: values.round(vertex).into(),
            },
        };
        let infinite = |vertex| {
            let set = values.infinity(&graph, vertex).into_iter().flatten();
            LoopyPart {
                value: Loopy::Infinite(set.map(u64::from).collect()),
                stage: Stage::default(),
            }
        };
        let value = |vertex| match values.get(vertex) {
            Some(value) => finite(vertex, value),
            None => infinite(vertex),
        };
        Ok(Some((1..=closure.len()).map(value).collect()))
    }
}
