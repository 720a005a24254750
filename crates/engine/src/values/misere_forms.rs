//! Misère canonical forms: the simplest game that is equal to a component in misère play (P. M.
//! Grundy, C. A. B. Smith, Disjunctive games with the last player losing, 1956; J. H. Conway, On
//! Numbers and Games, 1976, chapter 12). If the canonical form of a position would require too many
//! forms, [`genus_by_positions`] computes the genus of the position instead.
//!
//! No theorem of a ruleset gives a misère form, so heaps too are evaluated by their options. A game
//! in which the players have different moves is accepted if the options of both players have the
//! same forms, as in `literal("*[*2,0]")`.

use std::ops::ControlFlow;

use grundy_misere::quotient::Family as _;
use grundy_misere::{Form, Forms, Genus, heap_genera};

use super::quotients::Components;
use super::{Engine, PartRef, PartValue, Reach, Theory, Valuation};
use crate::nature::{Beginner, Ends, Moves, Nature};
use crate::position::Position;
use grundy_base::limits::{Limits, Stop, stopped_early};

/// The theory of misère canonical forms, for impartial games that end.
#[derive(Debug, Default)]
pub struct MisereForms {
    /// The arena of all forms.
    pub forms: Forms,
}

impl Theory for MisereForms {
    type Value = Form;
    const EMPTY_SUM: Form = Form::ZERO;
    const REACH: Reach = Reach::Options;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.misere
    }

    fn unsupported(nature: Nature) -> Option<Stop> {
        let fixes_beginner = nature.moves == Moves::Partizan && nature.beginner != Beginner::Either;
        (nature.ends == Ends::Payoff || fixes_beginner).then_some(Stop::NotImpartial)
    }

    fn add(&mut self, &a: &Form, &b: &Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        self.forms.plus(a, b, limits)
    }

    fn by_structure(
        engine: &mut Engine,
        part: PartRef<'_>,
        _: &Limits<'_>,
    ) -> Result<Option<PartValue<Form>>, Stop> {
        if part.facts(&engine.store).0.finite() {
            Ok(None)
        } else {
            Err(Stop::Cyclic)
        }
    }

    fn of_options(
        &mut self,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        // The order of the options may differ between the players, so compare them as sets.
        if left != right && sorted(left) != sorted(right) {
            return Err(Stop::NotImpartial);
        }
        self.forms.of_options(left, limits).map(Some)
    }
}

fn sorted(forms: &[Form]) -> Vec<Form> {
    let mut forms = forms.to_vec();
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// Returns the genus of a position, computed from all reachable components. No canonical form of
/// the position is computed.
///
/// # Complexity
/// One visit to every reachable sum of components.
///
/// # Errors
/// The limit that was reached, [`Stop::NotImpartial`] if the players have different moves, and
/// [`Stop::Cyclic`] if a position repeats.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::values::misere_forms::genus_by_positions;
/// use grundy_core::{Limits, Position, Term};
/// let heaps = Position::from(Term::new(Nim, vec![2, 3]));
/// assert_eq!(genus_by_positions(&heaps, &Limits::default())?.to_string(), "1^13");
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub fn genus_by_positions(position: &Position, limits: &Limits<'_>) -> Result<Genus, Stop> {
    let mut components = Components::default();
    let parts = components.add(position, limits)?;
    let mut pieces: Vec<Vec<Vec<usize>>> = Vec::new();
    for piece in 0..components.pieces().unwrap_or(0) {
        let mut options = Vec::new();
        stopped_early(components.options(piece, &mut |option| {
            options.push(numbers(option).collect());
            ControlFlow::Continue(())
        }))?;
        pieces.push(options);
    }
    // The sum itself is added as the last piece. All options of a piece come before it, so the last
    // genus is that of the sum.
    let mut options: Vec<Vec<usize>> = Vec::new();
    // A move in the sum changes one of its parts and leaves the others unchanged.
    for (index, &part) in parts.iter().enumerate() {
        let (before, after) = (&parts[..index], &parts[index + 1..]);
        options.extend(pieces[part as usize].iter().map(|option| {
            let others = numbers(before).chain(numbers(after));
            others.chain(option.iter().copied()).collect()
        }));
    }
    pieces.push(options);
    let genera = heap_genera(&pieces, limits)?;
    genera.into_iter().next_back().ok_or(Stop::NoValue)
}

fn numbers(pieces: &[u32]) -> impl Iterator<Item = usize> {
    pieces.iter().map(|&piece| piece as usize)
}
