//! Algebras of values. A solver is generic over the algebra, so it can compute different kinds of
//! values.
//!
//! An algebra defines three operations from which a solver computes values:
//!
//! - the value of the empty sum,
//! - the value of a sum from those of its components,
//! - the value of a position from those of its options.
//!
//! In [`NormalPlay`] the values are Sprague–Grundy values, in [`TamePlay`] tame misère values.

use std::fmt::Debug;
use std::hash::Hash;

use grundy_base::mex::MexSet;

/// A kind of value, with the operations that define the value of a sum and of a position.
pub trait Algebra: Debug + Copy + Default + Send + Sync + 'static {
    /// The type of the values.
    type Value: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The value of a game without moves.
    const TERMINAL: Self::Value;

    /// Returns the value of a sum of two games with the values `a` and `b`.
    fn add(a: Self::Value, b: Self::Value) -> Self::Value;

    /// Returns the value of a position from the values of its options. `scratch` is cleared first.
    /// A caller can pass the same `scratch` for many positions to avoid allocations.
    fn of_options(values: impl Iterator<Item = Self::Value>, scratch: &mut Scratch) -> Self::Value;
}

/// Working memory of [`Algebra::of_options`]. Its reuse avoids an allocation for each position.
#[derive(Debug, Default)]
pub struct Scratch {
    normal: MexSet,
    misere: MexSet,
}

/// Normal play: the value is the Sprague–Grundy value, and sums are nim-sums.
///
/// R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41 (1935), 438-444; P. M. Grundy,
/// Mathematics and games, Eureka 2 (1939), 6-8.
#[derive(Clone, Copy, Debug, Default)]
pub struct NormalPlay;

impl Algebra for NormalPlay {
    type Value = u64;
    const TERMINAL: u64 = 0;

    fn add(a: u64, b: u64) -> u64 {
        a ^ b
    }

    fn of_options(values: impl Iterator<Item = u64>, scratch: &mut Scratch) -> u64 {
        scratch.normal.clear();
        for value in values {
            scratch.normal.insert(value);
        }
        scratch.normal.mex()
    }
}

/// A misère value in the theory of tame games, or a mark that the theory does not apply.
///
/// In every sum of tame games, a tame game behaves like a Nim heap or like a sum of two Nim heaps.
/// The field `grundy` is the Sprague–Grundy value of the game. The game is *firm* if its misère
/// nim-value is equal to `grundy`. Otherwise the game is *fickle*: one of the two values is 0, and
/// the other is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misere {
    /// A tame game.
    Tame {
        /// The Sprague–Grundy value in normal play.
        grundy: u64,
        /// `true` if the misère nim-value is `1 - grundy`. `false` if the misère nim-value is equal
        /// to `grundy`.
        fickle: bool,
    },
    /// A game to which the theory of tame games does not apply. Its outcome requires a search.
    Wild,
}

impl Misere {
    /// Returns the value of a Nim heap.
    ///
    /// ```
    /// use grundy_heap::algebra::Misere;
    /// // In misère play, heaps of 0 and 1 exchange their values.
    /// let values = [0, 1, 2, 3].map(|size| Misere::heap(size).misere_nim_value());
    /// assert_eq!(values, [1, 0, 2, 3].map(Some));
    /// ```
    #[must_use]
    pub fn heap(size: u64) -> Self {
        Self::Tame {
            grundy: size,
            fickle: size <= 1,
        }
    }

    /// Returns the misère nim-value γ₀, if the game is tame.
    ///
    /// ```
    /// use grundy_heap::algebra::{Algebra, Misere, TamePlay};
    /// // A sum with a heap of 2 or more has the same value in normal and in misère play.
    /// let sum = TamePlay::add(Misere::heap(1), Misere::heap(2));
    /// assert_eq!(sum.misere_nim_value(), Some(3));
    /// assert_eq!(TamePlay::add(sum, Misere::heap(3)).misere_nim_value(), Some(0));
    /// assert_eq!(Misere::Wild.misere_nim_value(), None);
    /// ```
    #[must_use]
    pub fn misere_nim_value(self) -> Option<u64> {
        match self {
            Self::Tame { grundy, fickle } => Some(if fickle { 1 - grundy } else { grundy }),
            Self::Wild => None,
        }
    }
}

/// Misère play of tame games.
///
/// A game G belongs to the class T if two conditions hold. All options of G belong to T. The pair
/// (g, γ₀) of the normal and misère nim-values of G is (0, 1), (1, 0) or (n, n). Sums of games in T
/// are in T, and `add` computes the pair of a sum. The proof is in `docs/theory.md`, "Tame games".
/// After J. H. Conway, On Numbers and Games (1976), ch. 12, and E. R. Berlekamp, J. H. Conway, R.
/// K. Guy, Winning Ways (1982), ch. 13.
#[derive(Clone, Copy, Debug, Default)]
pub struct TamePlay;

impl Algebra for TamePlay {
    type Value = Misere;
    const TERMINAL: Misere = Misere::Tame {
        grundy: 0,
        fickle: true,
    };

    fn add(a: Misere, b: Misere) -> Misere {
        match (a, b) {
            (
                Misere::Tame {
                    grundy: g,
                    fickle: f,
                },
                Misere::Tame {
                    grundy: h,
                    fickle: k,
                },
            ) => Misere::Tame {
                grundy: g ^ h,
                // A sum is fickle only if both components are. With a firm component, its pair is
                // (n, n).
                fickle: f && k,
            },
            _ => Misere::Wild,
        }
    }

    fn of_options(values: impl Iterator<Item = Misere>, scratch: &mut Scratch) -> Misere {
        scratch.normal.clear();
        scratch.misere.clear();
        let mut terminal = true;
        for value in values {
            let Misere::Tame { grundy, .. } = value else {
                return Misere::Wild;
            };
            terminal = false;
            scratch.normal.insert(grundy);
            scratch
                .misere
                .insert(value.misere_nim_value().unwrap_or(grundy));
        }
        // A game without moves has the pair (0, 1), since a player who cannot move wins in misère
        // play. The mex rules would give (0, 0).
        if terminal {
            return Self::TERMINAL;
        }
        match (scratch.normal.mex(), scratch.misere.mex()) {
            (0, 1) => Misere::Tame {
                grundy: 0,
                fickle: true,
            },
            (1, 0) => Misere::Tame {
                grundy: 1,
                fickle: true,
            },
            (n, m) if n == m => Misere::Tame {
                grundy: n,
                fickle: false,
            },
            _ => Misere::Wild,
        }
    }
}

/// Misère play of a single heap. The rules must never leave two heaps.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleHeapMisere;

/// The player who wins, as a value of [`SingleHeapMisere`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// There is no heap left. The player to move wins, because the opponent made the last move.
    NoHeap,
    /// There is a heap, and the player to move wins.
    Next,
    /// There is a heap, and the opponent of the player to move wins.
    Previous,
}

impl Algebra for SingleHeapMisere {
    type Value = Winner;
    const TERMINAL: Winner = Winner::NoHeap;

    fn add(a: Winner, b: Winner) -> Winner {
        // At most one of the two games is a heap.
        if a == Winner::NoHeap { b } else { a }
    }

    fn of_options(values: impl Iterator<Item = Winner>, _: &mut Scratch) -> Winner {
        let (mut any, mut lost) = (false, false);
        for value in values {
            any = true;
            lost |= value == Winner::Previous;
        }
        if lost || !any {
            Winner::Next
        } else {
            Winner::Previous
        }
    }
}
