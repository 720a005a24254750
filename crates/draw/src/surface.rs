//! The two output formats of a sketch.

mod svg;
mod tikz;

pub(crate) use svg::svg;
pub(crate) use tikz::tikz;
