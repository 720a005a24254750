//! Toppling Dominoes: `toppling_dominoes(row)`.
//!
//! Rules. A row of dominoes stands on end: `L` belongs to Left, `R` to Right, and `E` to either
//! player. A move topples a domino of the player or an `E`, to the left or to the right. The domino
//! is removed together with all dominoes on that side. Whoever cannot move loses (A. Fink, R. J.
//! Nowakowski, A. N. Siegel, D. Wolfe, Toppling conjectures, Games of No Chance 4, 2015).
//!
//! Bounds. A move removes at least the toppled domino. Hence the number of moves of Left is at most
//! the number of `L` and `E`. The number of moves of Right is at most the number of `R` and `E`.
//!
//! Values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;
use rustc_hash::FxHashSet;

use crate::argument::Arguments;
use crate::kit::strip;
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Bounds, Capabilities, EveryOption, Nature, Negation, Pictures, Ruleset, Visit,
};

/// The rules of Toppling Dominoes. A position is a sum of rows of `L`, `R` and `E`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct TopplingDominoes;

/// Reads `toppling_dominoes(row)`.
///
/// # Errors
/// An argument that is not a string of `L`, `R` and `E`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::toppling_dominoes};
/// let items = [(None, Argument::Text("LR".to_owned()))];
/// let position = Position::from(toppling_dominoes::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let help = message!(
        "write L for a domino of Left, R for a domino of Right and E for a domino of either player"
    );
    let too_long = message!(
        "a row of more than {longest} dominoes is too long",
        longest = strip::MAX_LENGTH
    );
    let row = strip::read(arguments, "row", "LRE", &message!("domino"), help, too_long)?;
    Ok(Arc::new(Term::new(TopplingDominoes, vec![row])))
}

impl Ruleset for TopplingDominoes {
    type Part = Vec<u8>;

    fn name(&self) -> &'static str {
        "toppling_dominoes"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Vec<u8>> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            every_option: Some(self),
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
        index: usize,
        row: &Vec<u8>,
        visit: Visit<'_, Vec<u8>>,
    ) -> Flow {
        // Moves to the same row are one option. Its name is that of the first of them.
        let mut seen = FxHashSet::default();
        self.every_option(player, index, row, &mut |after, make_move| {
            if after.iter().all(|row| seen.insert(row.clone())) {
                visit(after, make_move)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Visits the lesser of the row and its mirror image, which are equal as games.
    fn components(&self, row: &Vec<u8>, visit: &mut dyn FnMut(Vec<u8>)) {
        if !row.is_empty() {
            let mirrored: Vec<u8> = row.iter().rev().copied().collect();
            visit(mirrored.min(row.clone()));
        }
    }

    fn write(&self, rows: &[Vec<u8>]) -> String {
        strip::write(self.name(), rows)
    }
}

impl Bounds<Vec<u8>> for TopplingDominoes {
    fn bounds(&self, row: &Vec<u8>) -> Option<[i64; 2]> {
        let without = |opponent: u8| row.iter().filter(move |&&domino| domino != opponent);
        Some([
            -(without(b'L').count() as i64),
            without(b'R').count() as i64,
        ])
    }
}

impl Negation<Vec<u8>> for TopplingDominoes {
    fn negative(&self, row: &Vec<u8>) -> Option<Vec<u8>> {
        let swapped = strip::exchanged(row, [b'L', b'R']);
        let mirrored: Vec<u8> = swapped.iter().rev().copied().collect();
        // The lesser of both orientations is chosen, as in `components`, so that equal components
        // are found.
        Some(swapped.min(mirrored))
    }
}

impl EveryOption<Vec<u8>> for TopplingDominoes {
    fn every_option(
        &self,
        player: Player,
        _: usize,
        row: &Vec<u8>,
        visit: Visit<'_, Vec<u8>>,
    ) -> Flow {
        let own = player.of([b'L', b'R']);
        let mut dominoes = (0..row.len()).filter(|&at| row[at] == own || row[at] == b'E');
        dominoes.try_for_each(|at| {
            // A domino that topples to the left leaves the dominoes on its right, and vice versa.
            let rests = [(0u64, &row[at + 1..]), (1, &row[..at])];
            rests.into_iter().try_for_each(|(side, rest)| {
                visit(&[rest.to_vec()], &|| {
                    let code = ["topple_left", "topple_right"][side as usize];
                    Move::new([at as u64, side], Step::new(code).with("domino", at))
                })
            })
        })
    }
}

impl Pictures<Vec<u8>> for TopplingDominoes {
    fn picture(&self, rows: &[Vec<u8>]) -> Picture {
        Picture::Dominoes(strip::joined(rows))
    }
}
