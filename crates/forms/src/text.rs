//! The text of values in the usual notation: `3/4v[3]*`, `{2|-1/2}`, `+-(1*)`, `Tiny(2)`.
//!
//! ```
//! use grundy_base::Limits;
//! use grundy_forms::{Forms, text};
//! let (mut forms, limits) = (Forms::default(), Limits::default());
//! let pairs = [
//!     ("{0|*}", "^"),
//!     ("3 - 2v", "1^"),
//!     ("{1|1||-1|-1}", "+-(1*)"),
//!     ("{0||0|-2}", "Tiny(2)"),
//! ];
//! for (written, printed) in pairs {
//!     let form = text::read(written, &mut forms, &limits).unwrap();
//!     assert_eq!(forms.write(form), printed);
//! }
//! ```

mod read;
pub(crate) mod write;

use grundy_base::{Diagnostic, Limits};

use crate::arena::Forms;
use crate::form::Form;

pub use read::{Item, Literal, parse};
pub(crate) use write::Style;

/// Parses a value in the usual notation and returns its canonical form.
///
/// # Examples
/// ```
/// use grundy_base::Limits;
/// use grundy_forms::{Forms, text};
/// let (mut forms, limits) = (Forms::default(), Limits::default());
/// let tiny = text::read("{0||0|-2}", &mut forms, &limits).unwrap();
/// assert_eq!(text::read("Tiny(2)", &mut forms, &limits), Ok(tiny));
/// let error = text::read("{2|1", &mut forms, &limits).unwrap_err();
/// assert_eq!(error.message.to_string(), "unclosed bracket");
/// assert_eq!(error.span, Some(0..1));
/// ```
///
/// # Errors
/// A syntax error with its place in the text, or the limit that was reached.
pub fn read(text: &str, forms: &mut Forms, limits: &Limits<'_>) -> Result<Form, Diagnostic> {
    let literal = parse(text)?;
    forms.evaluate(&literal, limits).map_err(Diagnostic::from)
}
