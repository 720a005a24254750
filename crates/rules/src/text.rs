//! Values as text: `str`, `repr`, `%`.

use std::fmt::Write as _;

use grundy::own::Place;

use crate::machine::Machine;
use crate::trouble::{Trouble, range_error, type_error};
use crate::value::Value;

/// Deepest nesting of values that are written.
const NESTED: usize = 100;

impl Machine {
    /// The text of a value as `repr` gives it.
    pub(crate) fn text_of(&mut self, value: Value) -> Result<String, Trouble> {
        let mut out = String::new();
        self.write(value, &mut out, 0)?;
        Ok(out)
    }

    /// The text of a value as `str` gives it: a string stands for itself.
    pub(crate) fn plain_of(&mut self, value: Value) -> Result<String, Trouble> {
        if let Value::Str(handle) = value {
            let length = self.arena.str(handle).len();
            self.arena.charge(length)?;
            return Ok(self.arena.str(handle).to_owned());
        }
        self.text_of(value)
    }

    fn write(&mut self, value: Value, out: &mut String, depth: usize) -> Result<(), Trouble> {
        if depth > NESTED {
            return Err(range_error(format!(
                "the value is nested more than {NESTED} deep"
            )));
        }
        self.charge(1)?;
        let before = out.len();
        match value {
            Value::Unset | Value::None => out.push_str("None"),
            Value::Bool(true) => out.push_str("True"),
            Value::Bool(false) => out.push_str("False"),
            Value::Int(n) => {
                let _ = write!(out, "{n}");
            }
            Value::Str(handle) => {
                let text = self.arena.str(handle);
                let _ = write!(out, "{}", Place::text(text));
            }
            Value::Range(handle) => {
                let (start, stop, step) = self.arena.get_range(handle);
                let _ = match (start, step) {
                    (0, 1) => write!(out, "range({stop})"),
                    (_, 1) => write!(out, "range({start}, {stop})"),
                    _ => write!(out, "range({start}, {stop}, {step})"),
                };
            }
            Value::Tuple(handle) | Value::List(handle) | Value::Sum(handle) => {
                let (open, close) = match value {
                    Value::Tuple(_) => ("(", ")"),
                    Value::List(_) => ("[", "]"),
                    _ => ("sum_of([", "])"),
                };
                out.push_str(open);
                let length = self.arena.items(handle).len();
                for index in 0..length {
                    out.push_str(if index == 0 { "" } else { ", " });
                    let item = self.arena.items(handle)[index];
                    self.write(item, out, depth + 1)?;
                }
                if length == 1 && matches!(value, Value::Tuple(_)) {
                    out.push(',');
                }
                out.push_str(close);
            }
            Value::Dict(handle) => {
                out.push('{');
                for index in 0..self.arena.get_dict(handle).entries.len() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    let (key, value) = self.arena.get_dict(handle).entries[index];
                    self.write(key, out, depth + 1)?;
                    out.push_str(": ");
                    self.write(value, out, depth + 1)?;
                }
                out.push('}');
            }
            Value::Function(_) | Value::Builtin(_) => out.push_str("<function>"),
        }
        self.arena.charge(out.len() - before)
    }

    /// `format % values`, with `%s`, `%r`, `%d` and `%%`.
    pub(crate) fn format(&mut self, format: Value, values: Value) -> Result<Value, Trouble> {
        let text = self.plain_of(format)?;
        let values = match values {
            Value::Tuple(_) => self.items_of(values)?,
            other => vec![other],
        };
        let mut values = values.into_iter();
        let mut out = String::new();
        let mut characters = text.chars();
        while let Some(c) = characters.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let form = characters.next();
            if form == Some('%') {
                out.push('%');
                continue;
            }
            let Some(value) = values.next() else {
                return Err(type_error(
                    "there are fewer values than places in the format",
                ));
            };
            match (form, value) {
                (Some('s'), _) => out.push_str(&self.plain_of(value)?),
                (Some('r'), _) => out.push_str(&self.text_of(value)?),
                (Some('d'), Value::Int(n)) => {
                    let _ = write!(out, "{n}");
                }
                (Some('d'), other) => {
                    return Err(type_error(format!(
                        "%d takes a number, not a value of type {}",
                        other.kind()
                    )));
                }
                _ => return Err(type_error("a format holds %s, %r, %d and %%")),
            }
        }
        if values.next().is_some() {
            return Err(type_error(
                "there are more values than places in the format",
            ));
        }
        self.arena.text(&out)
    }
}
