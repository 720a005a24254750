//! The functions and variables of a rule file as arguments of games.

use std::any::Any;
use std::sync::Arc;

use grundy_core::argument::Argument;
use grundy_core::dynamic::DynamicPosition;
use grundy_core::heap::{GivenSet, Membership};
use grundy_core::{Diagnostic, Kind, Stop, message};

use super::Shared;
use crate::error::type_error;
use crate::value::Value;

/// Returns the value of a name of the file: a set for a function, and the numbers, texts and lists
/// of a variable. Returns `None` if the file does not define the name.
///
/// # Errors
/// A variable with a value of another type.
pub(super) fn argument(shared: &Arc<Shared>, name: &str) -> Result<Option<Argument>, Diagnostic> {
    let Some(value) = shared.initial.global(name) else {
        return Ok(None);
    };
    if let Value::Function(_) = value {
        return Ok(Some(Argument::Set(GivenSet::new(FileSet {
            shared: Arc::clone(shared),
            name: name.to_owned(),
            function: value,
        }))));
    }
    let position = shared.run(name, value, String::new, |machine| {
        machine.position_of(value)
    });
    match position {
        Ok(position) => Ok(of_position(&position)),
        Err(Stop::Rules(error)) => Err(Diagnostic::clone(&error)),
        Err(_) => Err(Diagnostic::new(
            Kind::Limit,
            message!("a limit stopped the evaluation of `{name}`", name),
        )),
    }
}

/// Converts a position to an argument. The function is recursive, but the depth of a position is
/// limited.
fn of_position(position: &DynamicPosition) -> Option<Argument> {
    match position {
        DynamicPosition::None => Some(Argument::None),
        DynamicPosition::Text(text) => Some(Argument::Text(text.to_string())),
        DynamicPosition::Tuple(parts) | DynamicPosition::List(parts) => {
            let parts: Option<Vec<Argument>> = parts.iter().map(of_position).collect();
            parts.map(Argument::List)
        }
        other => other.to_integer().map(Argument::Int),
    }
}

/// The numbers for which a function of a rule file is true.
#[derive(Debug)]
struct FileSet {
    shared: Arc<Shared>,
    name: String,
    function: Value,
}

impl Membership for FileSet {
    fn name(&self) -> &str {
        &self.name
    }

    fn contains(&self, number: u64) -> Result<bool, Stop> {
        let arguments = || number.to_string();
        self.shared
            .run(&self.name, self.function, arguments, |machine| {
                let argument = machine.integer_value(i128::from(number))?;
                let returned = machine.call(self.function, &[argument])?;
                match (returned.as_bool(), returned) {
                    (Some(truth), _) => Ok(truth),
                    (None, Value::Int(number)) => Ok(number != 0),
                    _ => Err(type_error(message!(
                        "a function that defines a set must return True or False"
                    ))),
                }
            })
    }

    fn same(&self, other: &dyn Membership) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            Arc::ptr_eq(&self.shared, &other.shared) && self.name == other.name
        })
    }
}
