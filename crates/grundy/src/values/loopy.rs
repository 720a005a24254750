//! Values of games that need not end: the graph of what can be reached, valued by Smith and Fraenkel's theory.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::graph::{Digraph, LoopyValues};
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::player::Player;
use crate::rules::{Ruleset, Theorem};
use crate::space::interned::{Interned, lists};

/// The value of a game that need not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loopy {
    /// A number: in sums the game is like a Nim heap.
    Finite(u64),
    /// Infinity, with the finite values among the options, in order.
    Infinite(Vec<u64>),
}

/// The theorem about sums of games that need not end.
pub const SMITH_FRAENKEL: Theorem = Theorem {
    method: "smith-fraenkel",
    name: "the theorem of Smith and Fraenkel",
    statement: "finite values add like Nim heaps, a number shifts the set of an infinity, two infinities make inf{}; a position is P when its value is 0, a draw when it is infinite without 0 in its set, and N otherwise",
    source: "C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81; A. S. Fraenkel and Y. Perl, Constructions in combinatorial games with cycles, Colloq. Math. Soc. J. Bolyai 10 (1975), 667-699",
};

impl fmt::Display for Loopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(value) => value.fmt(f),
            Self::Infinite(set) => {
                let set: Vec<String> = set.iter().map(u64::to_string).collect();
                write!(f, "inf{{{}}}", set.join(","))
            }
        }
    }
}

impl Loopy {
    /// The value of a sum: numbers are nim-added, a number shifts the set of an infinity, and two infinities
    /// make one whose set is empty.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(a ^ b),
            (Self::Finite(n), Self::Infinite(set)) | (Self::Infinite(set), Self::Finite(n)) => {
                let mut shifted: Vec<u64> = set.iter().map(|k| k ^ n).collect();
                shifted.sort_unstable();
                Self::Infinite(shifted)
            }
            (Self::Infinite(_), Self::Infinite(_)) => Self::Infinite(Vec::new()),
        }
    }

    /// Who wins.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Finite(value) => Outcome::from_win(*value != 0),
            Self::Infinite(set) if set.contains(&0) => Outcome::N,
            Self::Infinite(_) => Outcome::D,
        }
    }
}

/// How far a won game still is from its end, to be compared in the order of the fields: a winner who always moves to
/// the least sum of these wins in the end (`docs/graphs.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage {
    /// The value.
    pub value: u64,
    /// The round in which the vertex got it.
    pub round: u64,
}

impl Stage {
    /// The stage of a sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            round: self.round + other.round,
        }
    }
}

/// Value and stage of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyPart {
    /// The value.
    pub value: Loopy,
    /// The stage; zero where every play ends, and where the value is infinite.
    pub stage: Stage,
}

impl LoopyPart {
    /// The part in which nobody can move.
    pub const END: Self = Self {
        value: Loopy::Finite(0),
        stage: Stage { value: 0, round: 0 },
    };

    /// The sum of two parts.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            value: self.value.plus(&other.value),
            stage: self.stage.plus(other.stage),
        }
    }
}

/// The components of one ruleset met so far, and their values. Vertex 0 is the end of the game, vertex k + 1 is
/// component k.
#[derive(Debug)]
pub(super) struct LoopyTable<R: Ruleset> {
    interned: Interned<R>,
    graph: Digraph,
    values: Option<LoopyValues>,
}

impl<R: Ruleset> LoopyTable<R> {
    fn new(rules: Arc<R>) -> Self {
        let mut graph = Digraph::default();
        graph.end_vertex();
        Self {
            interned: Interned::new(rules),
            graph,
            values: None,
        }
    }

    pub(super) fn part(&mut self, part: &R::Part, limits: &Limits<'_>) -> Result<LoopyPart, Stop> {
        let mut components = Vec::new();
        self.interned.push_components(part, &mut components);
        let mut sum = LoopyPart::END;
        for id in components {
            sum = sum.plus(&self.component(id, limits)?);
        }
        Ok(sum)
    }

    fn component(&mut self, id: u32, limits: &Limits<'_>) -> Result<LoopyPart, Stop> {
        let known = self.values.take();
        let values = match known.filter(|values| values.len() > id as usize + 1) {
            Some(values) => values,
            None => self.work_out(limits)?,
        };
        let values = self.values.insert(values);
        let vertex = id + 1;
        Ok(match values.get(vertex) {
            Some(value) => LoopyPart {
                value: Loopy::Finite(value.into()),
                stage: Stage {
                    value: value.into(),
                    round: values.round(vertex).into(),
                },
            },
            None => LoopyPart {
                value: Loopy::Infinite(
                    values
                        .infinity(&self.graph, vertex)
                        .into_iter()
                        .flatten()
                        .map(u64::from)
                        .collect(),
                ),
                stage: Stage::default(),
            },
        })
    }

    /// Lays out what can be reached and values all of it.
    fn work_out(&mut self, limits: &Limits<'_>) -> Result<LoopyValues, Stop> {
        let mut flat = Vec::new();
        while self.graph.vertices() <= self.interned.len() {
            let id = self.graph.vertices() as u32 - 1;
            flat.clear();
            self.interned
                .push_options(id, Player::Left, &mut flat, limits)?;
            limits.check(1, 32 * self.graph.edges() as u64)?;
            // A sum has no vertex of its own here: the whole game has to be searched then.
            if lists(&flat).any(|option| option.len() > 1) {
                return Err(Stop::Cyclic);
            }
            for option in lists(&flat) {
                self.graph.push_edge(option.first().map_or(0, |id| id + 1));
            }
            self.graph.end_vertex();
        }
        let transposed = self.graph.transpose(limits)?;
        let labels = self.graph.label_with(&transposed, Play::Normal, limits)?;
        self.graph.loopy_values_with(&transposed, &labels, limits)
    }
}

/// Tables of games that need not end, one a ruleset.
#[derive(Debug, Default)]
pub(super) struct LoopyTables(Vec<Box<dyn Any + Send>>);

impl LoopyTables {
    pub(super) fn of<R: Ruleset>(&mut self, rules: &Arc<R>) -> &mut LoopyTable<R> {
        let found = self.0.iter().position(|table| {
            table
                .downcast_ref::<LoopyTable<R>>()
                .is_some_and(|table| table.interned.rules == *rules)
        });
        let index = found.unwrap_or_else(|| {
            self.0.push(Box::new(LoopyTable::new(Arc::clone(rules))));
            self.0.len() - 1
        });
        self.0[index]
            .downcast_mut()
            .expect("found by its type, or just made with it")
    }
}
