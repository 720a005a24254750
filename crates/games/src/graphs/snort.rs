//! Snort: `snort(edges, colors)`.
//!
//! Rules. The players alternately colour an uncoloured vertex of a graph, each with their own
//! colour. Adjacent vertices must not have different colours. A player who cannot move loses (S.
//! Norton; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 6).
//!
//! No theorem is used: values come from search (see `colouring`).

use std::sync::Arc;

use super::colouring::{self, Colouring, ColouringRule};
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_engine::position::AnyTerm;

/// The colouring rule of Snort.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Snort;

impl ColouringRule for Snort {
    const NAME: &'static str = "snort";
    const FORBIDS_SAME_COLOUR: bool = false;
}

/// Reads `snort(edges, colors)`.
///
/// # Errors
/// Arguments that are not a graph with colours, or a colouring that the rules forbid.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::snort};
/// let items = ["0-1", ".."].map(|text| (None, Argument::Text(text.to_owned())));
/// let position = Position::from(snort::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "+-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    colouring::construct(Colouring(Snort), arguments)
}
