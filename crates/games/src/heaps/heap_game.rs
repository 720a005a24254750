//! The ruleset that is shared by all games on heaps whose moves are described by [`HeapRules`]. A
//! position is a sum of heaps.

use crate::heaps::nim::reduce;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::rules::{Capabilities, Heaps, Pictures, Ruleset, Visit};
use grundy_heap::HeapRules;

/// A game on heaps, as a constructor of the notation, for example `subtraction([1, 3, 4], n, ...)`,
/// creates it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct HeapGame {
    /// The name of the constructor in the notation, such as `subtraction`.
    pub name: &'static str,
    /// The text of the argument in front of the heaps, such as `[1, 3, 4]`.
    pub argument: Option<String>,
    /// The rules of a heap.
    pub rules: HeapRules,
}

impl Ruleset for HeapGame {
    type Part = u64;

    fn name(&self) -> &'static str {
        self.name
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, u64> {
        Capabilities {
            heaps: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, index: usize, &heap: &u64, visit: Visit<'_, u64>) -> Flow {
        self.rules.options(heap, &mut |left| {
            visit(left, &|| name_move(index, heap, left))
        })
    }

    fn write(&self, parts: &[u64]) -> String {
        let heaps = parts.iter().map(u64::to_string);
        grundy_engine::rules::call(self.name, self.argument.iter().cloned().chain(heaps))
    }
}

impl Heaps<u64> for HeapGame {
    fn heap(&self, &heap: &u64) -> (&HeapRules, u64) {
        (&self.rules, heap)
    }

    fn move_to_heaps(&self, index: usize, &heap: &u64, left: &[u64]) -> Option<(Vec<u64>, Move)> {
        Some((left.to_vec(), name_move(index, heap, left)))
    }
}

impl Pictures<u64> for HeapGame {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Heaps(parts.to_vec())
    }
}

/// Creates the move that replaces a heap by the heaps `left`. The `at` field of the move is the
/// index of the heap, followed by the sizes in `left`.
fn name_move(index: usize, heap: u64, left: &[u64]) -> Move {
    let rest: u64 = left.iter().sum();
    match left {
        [] => Move::new(
            [index as u64],
            Step::new("take").with("count", heap).with("heap", index),
        ),
        [size] => reduce(index, heap, *size),
        _ => {
            let step = if rest == heap {
                Step::new("split")
            } else {
                Step::new("take_split").with("count", heap - rest)
            };
            let at: Vec<u64> = std::iter::once(index as u64)
                .chain(left.iter().copied())
                .collect();
            Move::new(at, step.with("heap", index).with("into", left.to_vec()))
        }
    }
}
