//! The certificates of misère quotients.

use std::path::Path;

use grundy_core::Diagnostic;
use grundy_misere::quotient::Search;
use grundy_period::spelling;
use grundy_wording::answer::json_line;
use serde::Serialize;

use super::source::Pieces;
use crate::analyst::Analyst;
use crate::files;

/// The claim of a certificate, with all data that a verifier needs.
#[derive(Serialize)]
struct QuotientClaim<'a> {
    kind: &'static str,
    family: &'a str,
    /// The size of the first heap of the periodic part, if a period is proved.
    preperiod: Option<u64>,
    period: Option<u64>,
    /// The pieces (components of positions) in the notation, in the same order as their elements in
    /// `elements`. `None` if the pieces are heaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<String>>,
    products: Vec<&'a [u32]>,
    p: Vec<usize>,
    elements: Vec<u32>,
    transitions: Vec<(u32, Vec<u32>)>,
}

pub(super) fn write(
    family: &str,
    analyst: &Analyst,
    file: &Path,
    search: &Search<Pieces>,
) -> Result<(), Diagnostic> {
    let monoid = search.monoid();
    let mut transitions = Vec::with_capacity(search.closure().len());
    (search.closure()).each(|element, options| transitions.push((element, options)));
    let repetition = search.repetition();
    // Another program must find the family by this name, so no abbreviation is used.
    let family = match search.family() {
        Pieces::Heaps(_) => spelling::certificate_spelling(family)?,
        Pieces::Components(_) => family.into(),
    };
    let claim = QuotientClaim {
        kind: "quotient",
        family: &family,
        // Pieces are counted from 0, heaps from 1.
        preperiod: repetition.map(|found| u64::from(found.preperiod) + 1),
        period: repetition.map(|found| u64::from(found.period)),
        pieces: match search.family() {
            Pieces::Heaps(_) => None,
            Pieces::Components(components) => {
                let pieces = 0..search.pieces();
                Some(pieces.map(|piece| components.write(piece)).collect())
            }
        },
        products: (0..monoid.order() as u32).map(|x| monoid.row(x)).collect(),
        p: monoid.p_portion().ones().collect(),
        elements: search.elements(),
        transitions,
    };
    files::write(analyst.files(), file, |out| json_line(out, &claim))
}
