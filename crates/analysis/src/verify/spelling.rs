//! The spelling of fractions and families of heaps in certificates (`docs/proofs.md`).

use std::sync::Arc;

use grundy::position::AnyTerm;
use grundy::{Diagnostic, Kind, message};
use grundy_job::reader::about;
use grundy_matrix::BigRational;
use grundy_period::spelling::{self, is_natural};
use grundy_wording::plain::brief;

/// Largest length of a fraction, since parsing takes quadratic time.
const LENGTH: usize = 50_000;

/// Parses a fraction in the strict spelling of certificates. The parser of the number type accepts
/// further spellings.
pub(super) fn fraction(text: &str) -> Option<BigRational> {
    let (above, below) = match text.split_once('/') {
        Some((above, below)) => (above, Some(below)),
        None => (text, None),
    };
    let digits = above.strip_prefix('-').unwrap_or(above);
    // All verifiers must read the same number, so forms such as `+1`, `01` and `1_0` are rejected
    // here.
    let spelled = text.len() <= LENGTH
        && is_natural(digits)
        && below.is_none_or(|below| is_natural(below) && below != "0");
    spelled.then(|| text.parse().ok()).flatten()
}

/// Parses a family of heaps.
///
/// # Errors
/// A text that is not a family, or not in the spelling of certificates.
pub(super) fn family(source: &str) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let Some(plain) = spelling::family(source) else {
        let message = message!(
            "the certificate is refused: `{family}` is no family of heaps in a certificate",
            family = brief(source.to_owned())
        );
        return Err(Diagnostic::new(Kind::Syntax, message).help(message!(
            "such as kayles(n), take_and_break(\"0.137\", n) or subtraction([1, 3, 4], n)"
        )));
    };
    crate::period::family(&plain).map_err(|error| about(error, &plain))
}
