//! Push: `push(strip)`.
//!
//! Rules. A strip of squares holds pieces of both players. A player moves one of their pieces one
//! square to the left. The piece pushes the pieces in front of it, up to the first free square, and
//! each of them also moves one square. If no square in front of the piece is free, the leftmost
//! piece falls off the strip. Whoever cannot move loses (M. H. Albert, R. J. Nowakowski, D. Wolfe,
//! Lessons in Play, 2nd edition 2019, appendix "Rulesets").
//!
//! Bounds. A piece on square n, counted from 0, makes n + 1 steps before it is removed, whichever
//! player causes them. Each move of a player moves at least one piece of that player. Hence Left
//! has at most as many moves as Left's pieces have steps in total. The same holds for Right.
//!
//! Values come from search.

use std::sync::Arc;

use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, message};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

use crate::argument::Arguments;
use crate::kit::strip;

/// The rules of Push. A position is a sum of strips of `L`, `R` and `.`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Push;

const FREE: u8 = b'.';

/// Reads `push(strip)`.
///
/// # Errors
/// An argument that is not a string of `L`, `R` and `.`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::push};
/// // The game is {1|2}: Left pushes R off the strip, and Right moves R off it.
/// let items = [(None, Argument::Text("RL".to_owned()))];
/// let position = Position::from(push::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "3/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let help =
        message!("write L for a piece of Left, R for a piece of Right and . for a free square");
    let squares = strip::squares(arguments, "LR.", help)?;
    Ok(Arc::new(Term::new(Push, vec![squares])))
}

/// Returns the strip after the piece on `square` has moved.
fn pushed(strip: &[u8], square: usize) -> Vec<u8> {
    // If no square in front is free, the rotation puts the leftmost piece on `square`, and the next
    // assignment removes it.
    let free = strip[..square].iter().rposition(|&piece| piece == FREE);
    let mut after = strip.to_vec();
    after[free.unwrap_or(0)..=square].rotate_left(1);
    after[square] = FREE;
    after
}

impl Ruleset for Push {
    type Part = Vec<u8>;

    fn name(&self) -> &'static str {
        "push"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Vec<u8>> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Vec<u8>) -> Nature {
        Nature::PARTIZAN
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        strip: &Vec<u8>,
        visit: Visit<'_, Vec<u8>>,
    ) -> Flow {
        let own = player.of([b'L', b'R']);
        let mut pieces = (0..strip.len()).filter(|&square| strip[square] == own);
        pieces.try_for_each(|square| {
            visit(&[pushed(strip, square)], &|| {
                let action = Step::new("push").with("square", square);
                Move::new([square as u64], action)
            })
        })
    }

    /// Visits the strip without the squares after its last piece, since these have no effect.
    fn components(&self, strip: &Vec<u8>, visit: &mut dyn FnMut(Vec<u8>)) {
        if let Some(last) = strip.iter().rposition(|&piece| piece != FREE) {
            visit(strip[..=last].to_vec());
        }
    }

    fn write(&self, strips: &[Vec<u8>]) -> String {
        strip::write(self.name(), strips)
    }
}

impl Bounds<Vec<u8>> for Push {
    fn bounds(&self, strip: &Vec<u8>) -> Option<[i64; 2]> {
        let moves = |own: u8| -> i64 {
            let pieces = (1..).zip(strip).filter(|(_, piece)| **piece == own);
            pieces.map(|(squares, _)| squares).sum()
        };
        Some([-moves(b'R'), moves(b'L')])
    }
}

impl Negation<Vec<u8>> for Push {
    fn negative(&self, strip: &Vec<u8>) -> Option<Vec<u8>> {
        Some(strip::exchanged(strip, [b'L', b'R']))
    }
}

impl Pictures<Vec<u8>> for Push {
    fn picture(&self, strips: &[Vec<u8>]) -> Picture {
        Picture::Lane(strip::joined(strips))
    }
}
