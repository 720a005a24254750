//! The spelling that certificates require for fractions and for families of heaps
//! (`docs/proofs.md`).

use std::sync::Arc;

use grundy_core::position::AnyTerm;
use grundy_core::{Diagnostic, Kind, message};
use grundy_job::reader::with_source;
use grundy_matrix::BigRational;
use grundy_period::spelling::{self, is_natural};
use grundy_wording::plain::brief;

/// Largest length of the text of a fraction. Parsing takes quadratic time.
const LENGTH: usize = 50_000;

/// Parses a fraction in the spelling that certificates require. The parser of the number type also
/// accepts other spellings.
pub(super) fn fraction(text: &str) -> Option<BigRational> {
    let (above, below) = match text.split_once('/') {
        Some((above, below)) => (above, Some(below)),
        None => (text, None),
    };
    let digits = above.strip_prefix('-').unwrap_or(above);
    // All verifiers must read the same number. Hence texts such as `+1`, `01` and `1_0` are
    // rejected.
    let spelled = text.len() <= LENGTH
        && is_natural(digits)
        && below.is_none_or(|below| is_natural(below) && below != "0");
    spelled.then(|| text.parse().ok()).flatten()
}

/// Parses a family of heaps.
///
/// # Errors
/// A text that is not a family, or not in the spelling that certificates require.
pub(super) fn family(source: &str) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let Some(plain) = spelling::family(source) else {
        let message = message!(
            "invalid certificate: `{family}` is not a one-heap family",
            family = brief(source.to_owned())
        );
        return Err(Diagnostic::new(Kind::Syntax, message).help(message!(
            "write a one-heap family such as kayles(n), take_and_break(\"0.137\", n) or subtraction([1, 3, 4], n)"
        )));
    };
    crate::period::family(&plain).map_err(|error| with_source(error, &plain))
}
