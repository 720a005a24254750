//! Col: `col(edges, colors)`.
//!
//! Rules. A graph whose vertices are coloured one by one, by Left with its colour and by Right with
//! its own. Neighbours may not have the same colour. Whoever cannot move loses (C. Vout; E. R.
//! Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 2).

use std::sync::Arc;

use super::colouring::{self, Colouring, Custom};
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_engine::position::AnyTerm;

/// The custom of Col.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Col;

impl Custom for Col {
    const NAME: &'static str = "col";
    const LIKE_FORBIDS_LIKE: bool = true;
}

/// Reads `col(edges, colors)`.
///
/// # Errors
/// What is no graph, no colouring, or a colouring that the rules forbid.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    colouring::construct(Colouring(Col), arguments)
}
