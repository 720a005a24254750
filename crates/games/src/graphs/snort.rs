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
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    colouring::construct(Colouring(Snort), arguments)
}
