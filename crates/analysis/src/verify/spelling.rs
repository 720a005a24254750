//! Fractions and families of heaps as certificates spell them (`docs/proofs.md`).

use std::sync::Arc;

use grundy::position::AnyTerm;
use grundy::{Diagnostic, Kind, message};
use grundy_job::reader::about;
use grundy_matrix::BigRational;
use grundy_period::spelling::{self, is_natural};
use grundy_wording::plain::brief;

/// Longest fraction that is read: reading takes time with the square of the length.
const LENGTH: usize = 50_000;

/// Reads a fraction. Returns `None` for other texts: the parser of the number type reads more.
pub(super) fn fraction(text: &str) -> Option<BigRational> {
    let (above, below) = match text.split_once('/') {
        Some((above, below)) => (above, Some(below)),
        None => (text, None),
    };
    let digits = above.strip_prefix('-').unwrap_or(above);
    let spelled = text.len() <= LENGTH
        && is_natural(digits)
        && below.is_none_or(|below| is_natural(below) && below != "0");
    spelled.then(|| text.parse().ok()).flatten()
}

/// Reads a family of heaps.
///
/// # Errors
/// A text that is no family, or is spelled in another way than in certificates.
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
