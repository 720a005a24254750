//! Snort: `snort(edges, colors)`.
//!
//! Rules. A graph whose vertices are coloured one by one, by Left with its colour and by Right with
//! its own. Neighbours may not have different colours. Whoever cannot move loses (S. Norton; E. R.
//! Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 6).

use std::sync::Arc;

use super::colouring::{self, Colouring, Custom};
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_engine::position::AnyTerm;

/// The custom of Snort.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Snort;

impl Custom for Snort {
    const NAME: &'static str = "snort";
    const LIKE_FORBIDS_LIKE: bool = false;
}

/// Reads `snort(edges, colors)`.
///
/// # Errors
/// What is no graph, no colouring, or a colouring that the rules forbid.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    colouring::construct(Colouring(Snort), arguments)
}
