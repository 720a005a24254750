//! Theorems that give facts about parts, structures of parts by which a solver can compute their
//! values, and the goals of a search for options.

use grundy_base::outcome::Play;
use grundy_heap::HeapRules;

/// A theorem that a ruleset uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Theorem {
    /// The short name of the theorem, such as `bouton`. In JSON it is the value of the field
    /// `method`.
    pub method: &'static str,
    /// The name in words, such as "Bouton's theorem".
    pub name: &'static str,
    /// The statement in one sentence.
    pub statement: &'static str,
    /// The author, the title and the year.
    pub source: &'static str,
}

/// A fact, and the theorem that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByTheorem<T> {
    /// The fact that the theorem gives, for example a value or an outcome.
    pub value: T,
    /// The theorem that gives the fact.
    pub theorem: &'static Theorem,
}

/// Bouton's theorem. If it gives the values of heaps, an explanation shows their sizes in binary.
pub const BOUTON: Theorem = Theorem {
    method: "bouton",
    name: "Bouton's theorem",
    statement: "a Nim position is a P-position if and only if the nim-sum of its heaps is 0",
    source: "C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901), 35-39",
};

/// The theorem about sums of numbers, ups and nimbers. It says that each of these three kinds is
/// added separately.
pub const NAMED_VALUES: Theorem = Theorem {
    method: "named value",
    name: "addition of numbers, ups and nimbers",
    statement: "sums of numbers, ups and nimbers have closed forms: {x | x + (n - 1)·↑ + *(m \
                xor 1)} = x + n·↑ + *m for n >= 1, except that ↑* = {0, * | 0}",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapters 2 and 3",
};

/// The structure of a part, by which a solver can compute its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure<'a> {
    /// A heap of a heap game, with the rules of the game and the size of the heap. The rules define
    /// a sequence of values by heap size, which gives the value of the heap.
    Heap(&'a HeapRules, u64),
    /// A part under rules that have a table of values.
    Table {
        /// `true` if the table covers every part.
        complete: bool,
    },
    /// An impartial game that ends, and whose positions split into parts with small values. A
    /// solver finds the value from the outcomes of sums with Nim heaps, and so visits only few
    /// options.
    Splitting,
    /// A loopy game, which has a Smith–Fraenkel value.
    Loopy,
    /// No special structure, so the options have to be searched.
    Search,
}

/// The property that a search for options looks for. The search must find all options with this
/// property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Options with this Sprague-Grundy value in normal play.
    Grundy(u64),
    /// Options that are P-positions under this convention of play.
    P(Play),
}
