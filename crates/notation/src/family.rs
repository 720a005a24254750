//! Families of heaps, such as `kayles(n)`.

use std::sync::Arc;

use grundy_core::dynamic::DynamicPosition;
use grundy_core::message::{Command, Setting};
use grundy_core::position::AnyTerm;
use grundy_core::{Diagnostic, Kind, message};

use crate::read::{Expression, Games};

/// Returns the game of a family such as `kayles(n)`, with a heap of size 1. The size of the heap
/// must be the only free variable of the family.
///
/// # Errors
/// A text that is not a family with one heap.
///
/// # Examples
/// ```
/// use grundy_core::Position;
/// use grundy_notation::family;
/// assert_eq!(Position::from(family("kayles(n)")?).to_string(), "kayles(1)");
/// let error = family("kayles(2*n)").unwrap_err();
/// assert_eq!(error.help.unwrap(), "write a family such as kayles(n)");
/// # Ok::<(), grundy_notation::Diagnostic>(())
/// ```
pub fn family(source: &str) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    family_with(source, &BuiltInOnly)
}

/// Returns the game of a family as [`family`] does. A name that has a value in `games` is not a
/// variable.
///
/// # Errors
/// A text that is not a family with one heap, or an error of `games`.
///
/// # Examples
/// ```
/// use grundy_core::Position;
/// use grundy_core::argument::Argument;
/// use grundy_notation::{Games, family_with};
/// #[derive(Debug)]
/// struct Few;
/// impl Games for Few {
///     fn argument(&self, name: &str) -> Result<Option<Argument>, grundy_core::Diagnostic> {
///         let list = [1, 3].map(Argument::Int).to_vec();
///         Ok((name == "few").then_some(Argument::List(list)))
///     }
/// }
/// let term = family_with("subtraction(few, n)", &Few)?;
/// assert_eq!(Position::from(term).to_string(), "subtraction([1, 3], 1)");
/// # Ok::<(), grundy_notation::Diagnostic>(())
/// ```
pub fn family_with(source: &str, games: &dyn Games) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let expression = Expression::parse_or_guess(source)?;
    let names = expression.free_variables(games)?;
    let at = |heap: u64| {
        let bindings: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), heap)).collect();
        expression.position_with(&bindings, games)
    };
    let position = at(1)?;
    let Some(term) = position.only_term().filter(|_| names.len() == 1) else {
        return Err(one_variable());
    };
    // The sequence consists of the heaps 0, 1, 2, ... under fixed rules. So the variable must be
    // the heap itself, and nothing else may depend on it. The family is evaluated at 2 as well as
    // at 1, since an expression such as `n*n` equals `n` at 1.
    let heap = |term: &Arc<dyn AnyTerm>| term.heap_rules().is_none_or(|(_, size)| size == 2);
    let alone = expression.has_alone(&names[0])
        && at(2).is_ok_and(|position| position.only_term().is_some_and(heap));
    if !alone && term.heap_rules().is_some() {
        let message = message!(
            "the heap size of the family must be the variable itself, not an expression such as n + 1"
        );
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(0..source.len())
            .help(message!("write a family such as kayles(n)")));
    }
    Ok(Arc::clone(term))
}

/// A source of games that rejects every name, so that a family can only be a built-in game.
#[derive(Debug)]
struct BuiltInOnly;

impl Games for BuiltInOnly {
    fn game(&self, _: &str, _: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let message = message!("the rules of this family are in a rule file, and no file is given");
        Err(Diagnostic::new(Kind::Type, message).at([]).help(message!(
            "use `{command}`",
            command = Command::new("period")
                .with(Setting::new("rules").with_placeholder("FILE"))
                .argument("family", "game(moves, n)")
        )))
    }
}

fn one_variable() -> Diagnostic {
    Diagnostic::new(
        Kind::Syntax,
        message!("a family must be one game with one free variable"),
    )
    .help(message!("write a family such as kayles(n)"))
}
