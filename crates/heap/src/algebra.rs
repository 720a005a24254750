//! What a value is in each play: the two algebras that a solver can run over.
//!
//! A solver that works out values from options needs three things only: the value of the empty sum,
//! the value of a sum from the values of its parts, and the value of a position from the values of
//! its options. [`NormalPlay`] answers with Sprague–Grundy values, [`TamePlay`] with tame misère
//! values.

use std::fmt::Debug;
use std::hash::Hash;

use grundy_base::mex::MexSet;

/// An algebra of values: how sums and options combine.
pub trait Algebra: Debug + Copy + Default + Send + Sync + 'static {
    /// A value.
    type Value: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The value of a game in which nobody can move.
    const TERMINAL: Self::Value;

    /// Returns the value of a sum of two games.
    fn add(a: Self::Value, b: Self::Value) -> Self::Value;

    /// Returns the value of a position from the values of its options. `scratch` holds the sets
    /// being built; it is cleared first, so that a caller can keep one for many positions.
    fn of_options(values: impl Iterator<Item = Self::Value>, scratch: &mut Scratch) -> Self::Value;
}

/// The sets used by [`Algebra::of_options`], kept between calls so that no memory is asked for in a
/// loop.
#[derive(Debug, Default)]
pub struct Scratch {
    normal: MexSet,
    misere: MexSet,
}

/// Normal play: the value is the Sprague–Grundy value, sums are nim-sums.
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

/// A misère value where the theory of tame games gives one.
///
/// A tame game behaves in every sum of tame games like a Nim heap, or like two equal ones: it has
/// its Sprague–Grundy value `grundy`, and it is *fickle* when its misère nim-value differs from it
/// (then `grundy` is 0 or 1 and the misère nim-value is the other of the two), *firm* when both
/// agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misere {
    /// A tame game.
    Tame {
        /// The Sprague–Grundy value in normal play.
        grundy: u64,
        /// `true` if the misère nim-value is `1 - grundy` (else it is `grundy`).
        fickle: bool,
    },
    /// The theory of tame games does not apply: the outcome has to be searched for.
    Wild,
}

impl Misere {
    /// Returns the value of a Nim heap.
    #[must_use]
    pub fn heap(size: u64) -> Self {
        Self::Tame {
            grundy: size,
            fickle: size <= 1,
        }
    }

    /// Returns the misère nim-value γ₀, if the game is tame.
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
/// The class T of games: G is in T when all its options are in T and the pair (g, γ₀) of its normal
/// and misère nim-values is (0, 1), (1, 0) or (n, n). Sums of games in T are in T, and their pair
/// is the one computed by `add`; the proof is in `docs/theory.md`, "Tame games". After J. H.
/// Conway, On Numbers and Games (1976), ch. 12, and E. R. Berlekamp, J. H. Conway, R. K. Guy,
/// Winning Ways (1982), ch. 13.
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

/// Who wins a single heap in misère play, for rules that leave at most one heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleHeapMisere;

/// Who wins, for [`SingleHeapMisere`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// There is no heap: the player to move has won, because the other one moved last.
    NoHeap,
    /// The player to move wins.
    Next,
    /// The player who moved wins.
    Previous,
}

impl Algebra for SingleHeapMisere {
    type Value = Winner;
    const TERMINAL: Winner = Winner::NoHeap;

    fn add(a: Winner, b: Winner) -> Winner {
        // At most one of the two is a heap.
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
