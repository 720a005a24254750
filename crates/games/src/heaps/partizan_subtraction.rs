//! Partizan subtraction games: `partizan_subtraction(left, right, n, ...)`.
//!
//! Rules. Left takes k chips from one heap, where k is in the set `left`. For Right, k is in the
//! set `right`. A move takes at most the whole heap. The sets are written as in
//! [`subtraction`](super::subtraction). Whoever cannot move loses (A. S. Fraenkel, A. Kotzig,
//! Partizan octal games: partizan subtraction games, Internat. J. Game Theory 16 (1987), 145-154).
//!
//! If both sets are finite, the outcomes of single heaps are periodic from some size onwards (see
//! the same paper). The reason is that each outcome is a function of the outcomes of the preceding
//! m heaps, where m is the largest number in the two sets. Values come from search.
//!
//! Bounds. A player who takes at least l chips in each move has at most floor(n/l) moves in a heap
//! of n.
//!
//! The negative of a heap is the same heap with the sets exchanged.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use super::subtraction::{argument, heaps, take_set};
use crate::argument::Arguments;
use crate::heaps::nim::reduce;
use grundy_base::Diagnostic;
use grundy_base::limits::{Flow, Halt, stopped_early};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit, call,
};
use grundy_heap::TakeSet;

/// The rules of a game: the set of Left and the set of Right.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PartizanSubtraction {
    sets: [TakeSet; 2],
}

/// A heap, possibly with the players exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    size: u64,
    /// `true` if Left uses the set of Right, and Right uses the set of Left.
    exchanged: bool,
}

/// Reads `partizan_subtraction(left, right, n, ...)`.
///
/// # Errors
/// An invalid set or heap.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::partizan_subtraction};
/// let set = |take| (None, Argument::List(vec![Argument::Int(take)]));
/// let items = [set(1), set(2), (None, Argument::Int(2))];
/// let position = Position::from(partizan_subtraction::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "{1|0}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let form = message!(
        "write partizan_subtraction([1, 3], [2], 100) or partizan_subtraction(\"odd\", \"primes\", 100)"
    );
    let sets = [
        take_set(argument(arguments, 0)?, 0, &form)?,
        take_set(argument(arguments, 1)?, 1, &form)?,
    ];
    let heap = |size| Heap {
        size,
        exchanged: false,
    };
    let sizes = heaps(arguments, 2, sets.each_ref())?;
    let parts = sizes.into_iter().map(heap).collect();
    Ok(Term::new(PartizanSubtraction { sets }, parts).into())
}

impl PartizanSubtraction {
    fn set(&self, player: Player, heap: Heap) -> &TakeSet {
        let [left, right] = &self.sets;
        let player = if heap.exchanged {
            player.other()
        } else {
            player
        };
        player.of([left, right])
    }

    /// Returns an upper bound on the number of moves that a player has left in a heap.
    fn most(&self, player: Player, heap: Heap) -> u64 {
        // The sets are visited in increasing order. The least number for this heap is also a lower
        // bound for smaller heaps, even if the set depends on the heap.
        let mut least = None;
        let flow = self.set(player, heap).takes(heap.size, &mut |take| {
            least = Some(take);
            ControlFlow::Break(Halt::Enough)
        });
        // If the function of a set fails, the options of the heap report the error.
        if stopped_early(flow).is_err() {
            return heap.size;
        }
        least.map_or(0, |least| heap.size / least)
    }
}

impl Ruleset for PartizanSubtraction {
    type Part = Heap;

    fn name(&self) -> &'static str {
        "partizan_subtraction"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Heap> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Heap) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, index: usize, heap: &Heap, visit: Visit<'_, Heap>) -> Flow {
        self.set(player, *heap).takes(heap.size, &mut |take| {
            let left = Heap {
                size: heap.size - take,
                ..*heap
            };
            visit(&[left], &|| reduce(index, heap.size, left.size))
        })
    }

    fn components(&self, heap: &Heap, visit: &mut dyn FnMut(Heap)) {
        // A heap in which neither player can move has value 0.
        if Player::BOTH
            .iter()
            .any(|&player| self.most(player, *heap) > 0)
        {
            visit(*heap);
        }
    }

    fn write(&self, heaps: &[Heap]) -> String {
        let write = |heaps: &[Heap]| {
            let mut sets = self.sets.each_ref().map(ToString::to_string);
            if heaps.first().is_some_and(|heap| heap.exchanged) {
                sets.reverse();
            }
            let sizes = heaps.iter().map(|heap| heap.size.to_string());
            call(self.name(), sets.into_iter().chain(sizes))
        };
        if heaps.is_empty() {
            return write(heaps);
        }
        // A sum with its negative contains heaps of both orientations. A term has only one pair of
        // sets, so each run of heaps with one orientation becomes a term.
        let alike = heaps.chunk_by(|one, next| one.exchanged == next.exchanged);
        alike.map(write).collect::<Vec<_>>().join(" + ")
    }
}

impl Bounds<Heap> for PartizanSubtraction {
    fn bounds(&self, heap: &Heap) -> Option<[i64; 2]> {
        let most = |player| i64::try_from(self.most(player, *heap)).ok();
        Some([-most(Player::Right)?, most(Player::Left)?])
    }
}

impl Negation<Heap> for PartizanSubtraction {
    fn negative(&self, heap: &Heap) -> Option<Heap> {
        let [left, right] = &self.sets;
        // If the sets are equal, the game is its own negative. Then the flag does not change, so
        // that equal heaps compare equal.
        Some(Heap {
            exchanged: heap.exchanged != (left != right),
            ..*heap
        })
    }
}

impl Pictures<Heap> for PartizanSubtraction {
    fn picture(&self, heaps: &[Heap]) -> Picture {
        Picture::Heaps(heaps.iter().map(|heap| heap.size).collect())
    }
}
