//! Facts about parts beyond their moves: theorems, structure, goals.

use grundy_base::outcome::Play;
use grundy_heap::HeapRules;

/// A theorem that a ruleset relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Theorem {
    /// The short name used as `method` in JSON, such as `bouton`.
    pub method: &'static str,
    /// The name in words, such as "Bouton's theorem".
    pub name: &'static str,
    /// The statement in one sentence.
    pub statement: &'static str,
    /// Author, title, year.
    pub source: &'static str,
}

/// A fact with the theorem that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByTheorem<T> {
    /// The fact.
    pub value: T,
    /// The theorem that gives the fact.
    pub theorem: &'static Theorem,
}

/// Bouton's theorem. Explanations draw the heaps whose values it gives.
pub const BOUTON: Theorem = Theorem {
    method: "bouton",
    name: "Bouton's theorem",
    statement: "a Nim position is P exactly when the nim-sum of its heaps is 0",
    source: "C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901), 35-39",
};

/// The theorem on values with names: numbers, ups and nimbers.
pub const NAMED_VALUES: Theorem = Theorem {
    method: "named value",
    name: "values with names",
    statement: "numbers, ups and nimbers add up: {x | x + (n - 1)·↑ + *(m xor 1)} is x + n·↑ + *m for n >= 1, but ↑* is {0, * | 0}",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapters 2 and 3",
};

/// The structure that a solver may rely on to compute the value of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure<'a> {
    /// One heap of a heap game, with its size. The values form a sequence.
    Heap(&'a HeapRules, u64),
    /// A part whose value may be in the table of its rules.
    Table {
        /// `true` if every part is in the table.
        complete: bool,
    },
    /// A finite game whose positions split and have small values. Outcome queries about sums with
    /// Nim heaps find them, without a visit to most options.
    Splitting,
    /// A loopy game with values of Smith and Fraenkel.
    Loopy,
    /// No structure: the options have to be searched.
    Search,
}

/// A property of the options to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The Sprague-Grundy value in normal play.
    Grundy(u64),
    /// A P-position.
    P(Play),
}
