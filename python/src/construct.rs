//! Creation of positions from constructors, texts and files.

use std::sync::Arc;

use grundy_analysis::{Analyst, Files};
use grundy_core::argument::Argument;
use grundy_core::{Diagnostic, Position, message, registry};
use grundy_notation::{Games as _, read_picture};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::argument::{argument, set_argument};
use crate::ask::Names;
use crate::failure::exception;
use crate::native_position::NativePosition;
use crate::rule::{Rule, RuleText};

/// Splits the parameters of a signature at the commas outside brackets.
fn parameters(signature: &str) -> Vec<&str> {
    let inner = signature.split_once('(').map_or("", |(_, rest)| rest);
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let (mut parameters, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parameters.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parameters.push(inner[start..].trim());
    parameters
}

/// Returns the name of an argument for error messages, such as `take[1]` or `argument 3`. The
/// argument `path` consists of the index of the argument and of indices into nested lists.
fn argument_name(
    signature: &str,
    items: &[(Option<String>, Argument)],
    path: &[usize],
) -> Option<String> {
    let (&first, rest) = path.split_first()?;
    let given = items.get(first).and_then(|(name, _)| name.clone());
    let parameters = parameters(signature);
    // A variadic parameter has no name for each single argument. The parameter `...` repeats the
    // one before it.
    let is_single = |name: &&&str| {
        !name.ends_with("...")
            && parameters.get(first + 1) != Some(&"...")
            && name.starts_with(|c: char| c.is_alphabetic())
    };
    let named = parameters.get(first).filter(is_single).map(|name| {
        let name = name.split('=').next().unwrap_or(name);
        name.to_owned()
    });
    let name = given
        .or(named)
        .unwrap_or_else(|| format!("argument {}", first + 1));
    let places = rest.iter().map(|index| format!("[{index}]"));
    Some(places.fold(name, |name, place| name + &place))
}

/// Returns the position that a constructor creates from its arguments.
#[pyfunction]
pub(crate) fn construct(
    py: Python<'_>,
    name: &str,
    arguments: &Bound<'_, PyTuple>,
    named: &Bound<'_, PyDict>,
) -> PyResult<NativePosition> {
    let mut items = Vec::with_capacity(arguments.len() + named.len());
    let named_error = |error: PyErr, which: String| -> PyErr {
        // The name of the argument is added to the error of its conversion.
        let kind = if error.is_instance_of::<pyo3::exceptions::PyTypeError>(py) {
            grundy_core::Kind::Type
        } else {
            grundy_core::Kind::Range
        };
        let message = message!("{which}: {what}", which, what = error.value(py));
        exception(py, &Diagnostic::new(kind, message), "")
    };
    let known = registry::CONSTRUCTORS.iter().find(|game| game.name == name);
    let signature = known.map_or("", |game| game.signature);
    for (index, value) in arguments.iter().enumerate() {
        // While the argument is converted, `argument_name` must see it as positional. This
        // placeholder has that effect.
        items.push((None, Argument::None));
        let is_set = match name {
            "subtraction" | "all_but" => index == 0,
            "partizan_subtraction" => index < 2,
            _ => false,
        };
        let read = if is_set {
            set_argument(&value)
        } else {
            argument(&value)
        };
        items[index].1 = read.map_err(|error| {
            let which = argument_name(signature, &items, &[index]);
            named_error(
                error,
                which.unwrap_or_else(|| format!("argument {}", index + 1)),
            )
        })?;
    }
    for (key, value) in named {
        let key: String = key.extract()?;
        let read = argument(&value).map_err(|error| named_error(error, key.clone()))?;
        items.push((Some(key), read));
    }
    // A graph is read from a file if its argument is the name of one: `graph("name")`.
    if let ("graph", Some((None, Argument::Text(file)))) = (name, items.first()) {
        let analyst = Analyst::new(Files::Granted);
        let network = py.detach(|| analyst.reader().graph(file));
        items[0].1 = Argument::Network(network.map_err(|error| exception(py, &error, ""))?);
    }
    let term = registry::construct(name, &items).map_err(|mut error| {
        if let Some(which) = argument_name(signature, &items, &error.path) {
            error.message = message!("{which}: {what}", which, what = error.message);
        }
        exception(py, &error, "")
    })?;
    Ok(Position::from(term).into())
}

/// Parses a position in the notation. The text may use the names of the rules in `rules`, and of
/// the rules in the rule file `file`.
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    text: &str,
    rules: Vec<(String, PyRef<'_, Rule>)>,
    file: Option<PyRef<'_, RuleText>>,
    files: bool,
) -> PyResult<NativePosition> {
    let rules = rules.into_iter().map(|(name, rule)| (name, rule.game()));
    let games = Names::new(Vec::new(), rules.collect(), file.map(|file| file.file()));
    let granted = if files { Files::Granted } else { Files::Denied };
    let analyst = Analyst::new(granted).with_games(Arc::new(games));
    let position = py.detach(|| analyst.read(text));
    let position = position.map_err(|error| exception(py, &error, text))?;
    Ok(position.into())
}

/// Parses a Hackenbush picture.
#[pyfunction]
pub(crate) fn picture(py: Python<'_>, text: &str) -> PyResult<NativePosition> {
    let term = py.detach(|| read_picture(text));
    let term = term.map_err(|error| exception(py, &error, text))?;
    Ok(Position::from(term).into())
}

/// Returns the name, the signature and an example of each constructor.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, &'static str, &'static str)> {
    let games = registry::CONSTRUCTORS.iter();
    games
        .map(|game| (game.name, game.signature, game.example))
        .collect()
}
