//! Take-and-break games: `take_and_break(code, n, ...)`, and the named codes `kayles` (0.77),
//! `dawsons_chess` (0.137), `dawsons_kayles` (0.07), `treblecross` (0.007) and `officers` (0.6).
//!
//! Rules. The code `d0.d1d2d3...` describes the moves in a heap. Consider a move that removes i
//! chips. If digit `d_i` has bit k set, the remaining chips may be left as exactly k non-empty
//! heaps. Octal digits split a heap into at most two heaps, hexadecimal digits into at most three.
//! [`grundy_heap::code`] describes more digits, and repetitions of digits.
//!
//! Theorem (R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52
//! (1956), 514-526). Let d_k be the last digit of the code of an octal game. If the values of the
//! game repeat with period p from n0 to 2 n0 + p + k, they repeat for ever. It is not known whether
//! every finite octal game is periodic. For 0.6 no period has been found.

use std::sync::Arc;

use grundy_base::message;

use super::heap_game::HeapGame;
use super::subtraction::first;
use crate::argument::{Arguments, text};
use grundy_base::Diagnostic;
use grundy_engine::position::{AnyTerm, Term};
use grundy_heap::{Code, HeapRules};

/// Reads `take_and_break(code, n, ...)`.
///
/// # Errors
/// An invalid code or heap.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::take_and_break};
/// // The code of Kayles.
/// let items = [(None, Argument::Text("0.77".to_owned())), (None, Argument::Int(11))];
/// let position = Position::from(take_and_break::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(6));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let code = first(arguments)?;
    let code = text(code, &[0])
        .map_err(|refusal| refusal.help(message!("write the code as a string: \"0.137\"")))?;
    let code = Code::parse(code).map_err(|refusal| refusal.at([0]))?;
    let argument = Some(format!("\"{code}\""));
    let rules = HeapRules::TakeAndBreak(code);
    Ok(Term::new(
        HeapGame {
            name: "take_and_break",
            argument,
            rules,
        },
        arguments.numbers(1, 0)?,
    )
    .into())
}

fn named(
    name: &'static str,
    code: &str,
    arguments: &Arguments<'_>,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let rules = HeapRules::TakeAndBreak(Code::parse(code)?);
    Ok(Term::new(
        HeapGame {
            name,
            argument: None,
            rules,
        },
        arguments.numbers(0, 0)?,
    )
    .into())
}

macro_rules! named_codes {
    ($($name:ident = $code:literal;)*) => {$(
        #[doc = concat!("Reads `", stringify!($name), "(n, ...)`, the code ", $code, ".")]
        ///
        /// # Errors
        /// An argument that is not a heap size.
        pub fn $name(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
            named(stringify!($name), $code, arguments)
        }
    )*};
}

named_codes! {
    kayles = "0.77";
    dawsons_chess = "0.137";
    dawsons_kayles = "0.07";
    treblecross = "0.007";
    officers = "0.6";
}
