//! Smith–Fraenkel values of loopy games. They are computed from the graph of all reachable
//! components.

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

/// The theorem on sums of games in which positions can repeat.
pub const SMITH_FRAENKEL: Theorem = Theorem {
    method: "smith-fraenkel",
    name: "the theorem of Smith and Fraenkel",
    statement: "finite values add by nim-sum; adding n to inf{K} replaces each k in K by n xor \
                k; the sum of two infinite values is inf{}; a position is P if its value is 0, \
                a draw if its value is inf{K} with 0 not in K, and N otherwise",
    source: "C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81; A. S. Fraenkel and Y. Perl, Constructions in combinatorial games with cycles, Colloq. Math. Soc. J. Bolyai 10 (1975), 667-699",
};

/// A measure of the distance from the end of the game. Stages are compared field by field. If the
/// winner always moves to an option whose components have the least sum of stages, the play ends
/// (`docs/graphs.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage {
    /// The finite Smith–Fraenkel value of a component, or for a sum, the sum of these values over
    /// its components. It is 0 for a component whose value is infinite or whose plays all end.
    pub value: u64,
    /// The index of the round in which the computation found the value of a component, or for a
    /// sum, the sum of these indices. It is 0 for a component whose value is infinite or whose
    /// plays all end.
    pub round: u64,
}

impl Stage {
    /// Returns the stage of a sum of two games with these stages.
    ///
    /// ```
    /// use grundy_core::values::loopy::Stage;
    /// let sum = Stage { value: 2, round: 5 }.plus(Stage { value: 3, round: 1 });
    /// assert_eq!(sum, Stage { value: 5, round: 6 });
    /// ```
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            round: self.round + other.round,
        }
    }
}

/// The Smith–Fraenkel value of a part, and its stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyPart {
    /// The value.
    pub value: Loopy,
    /// The stage. It is zero if every play of the part ends, or if the value is infinite.
    pub stage: Stage,
}

impl LoopyPart {
    /// The value and the stage of a part without moves.
    pub const END: Self = Self {
        value: Loopy::Finite(0),
        stage: Stage { value: 0, round: 0 },
    };

    /// Returns the value and the stage of a part in which every play ends, from its Sprague-Grundy
    /// value.
    fn finite(value: u64) -> Self {
        Self {
            value: Loopy::Finite(value),
            ..Self::END
        }
    }

    /// Returns the value and the stage of the sum of two parts.
    ///
    /// ```
    /// use grundy_core::values::loopy::{Loopy, LoopyPart, Stage};
    /// let part = |value| LoopyPart { value, stage: Stage::default() };
    /// let sum = part(Loopy::Infinite(vec![0, 1])).plus(&part(Loopy::Finite(2)));
    /// assert_eq!(sum.value, Loopy::Infinite(vec![2, 3]));
    /// ```
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            value: self.value.plus(&other.value),
            stage: self.stage.plus(other.stage),
        }
    }
}

/// The theory of Smith–Fraenkel values. If a component has a Sprague-Grundy value, this is also its
/// Smith–Fraenkel value.
#[derive(Debug, Default)]
pub struct SmithFraenkel;

impl Theory for SmithFraenkel {
    type Value = LoopyPart;
    const EMPTY_SUM: LoopyPart = LoopyPart::END;
    const REACH: Reach = Reach::Closure;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.loopy
    }

    fn unsupported(nature: Nature) -> Option<Stop> {
        Grundy::unsupported(nature)
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
            // In this theory a cycle is no error. The caller evaluates the closure instead.
            Err(Stop::Cyclic) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    fn of_closure(
        &mut self,
        closure: &Closure,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<LoopyPart>>, Stop> {
        // Vertex 0 of the graph is the end of the game, and vertex k + 1 is component k. An option
        // without components leads to the end.
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
        // Labels and values are both computed backwards along the edges, so both need the
        // transposed graph.
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
