//! The two ways a sketch is written.

mod svg;
mod tikz;

pub(crate) use svg::svg;
pub(crate) use tikz::tikz;
