//! Col: `col(edges, colors)`.
//!
//! Rules. The players alternately colour an uncoloured vertex of a graph, each with their own
//! colour. Adjacent vertices must not have the same colour. A player who cannot move loses (C.
//! Vout; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 2).
//!
//! No theorem is used: values come from search (see `colouring`).

use std::sync::Arc;

use super::colouring::{self, Colouring, ColouringRule};
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_engine::position::AnyTerm;

/// The colouring rule of Col.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Col;

impl ColouringRule for Col {
    const NAME: &'static str = "col";
    const FORBIDS_SAME_COLOUR: bool = true;
}

/// Reads `col(edges, colors)`.
///
/// # Errors
/// Arguments that are not a graph with colours, or a colouring that the rules forbid.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    colouring::construct(Colouring(Col), arguments)
}
