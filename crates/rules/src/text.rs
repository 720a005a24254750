//! Conversion of values to text: `str`, `repr`, and formatting by `%`.

use std::fmt::Write as _;

use grundy_core::dynamic::DynamicPosition;
use grundy_core::message;

use crate::error::{RuleError, range_error, type_error};
use crate::machine::Machine;
use crate::value::{Truth, Value};

/// The largest depth of nested values that can be formatted.
const MAX_DEPTH: usize = 100;

impl Machine {
    /// Returns the text of a value in the form of `repr`.
    pub(crate) fn repr_of(&mut self, value: Value) -> Result<String, RuleError> {
        let mut out = String::new();
        self.write_repr(value, &mut out, 0)?;
        Ok(out)
    }

    /// Returns the text of a value in the form of `str`. For a string, this is the string itself,
    /// and for any other value it is the form of `repr`.
    pub(crate) fn str_of(&mut self, value: Value) -> Result<String, RuleError> {
        if let Value::Str(handle) = value {
            let length = self.arena.str(handle).len();
            self.arena.charge(length)?;
            return Ok(self.arena.str(handle).to_owned());
        }
        self.repr_of(value)
    }

    /// Appends the text of a value to `out`, in the form of `repr`.
    fn write_repr(
        &mut self,
        value: Value,
        out: &mut String,
        depth: usize,
    ) -> Result<(), RuleError> {
        if depth > MAX_DEPTH {
            return Err(range_error(message!(
                "the value is nested more than {nested} deep",
                nested = MAX_DEPTH
            )));
        }
        self.charge(1)?;
        let before = out.len();
        match value {
            Value::Unset | Value::None => out.push_str("None"),
            Value::Bool(Truth::True) => out.push_str("True"),
            Value::Bool(Truth::False) => out.push_str("False"),
            Value::Int(n) => {
                let _ = write!(out, "{n}");
            }
            Value::Wide(handle) => {
                let _ = write!(out, "{}", self.arena.get_wide(handle));
            }
            Value::Str(handle) => {
                let text = self.arena.str(handle);
                let _ = write!(out, "{}", DynamicPosition::text(text));
            }
            Value::Literal(handle) => {
                let text = self.arena.str(handle);
                let _ = write!(out, "literal({})", DynamicPosition::text(text));
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
                    self.write_repr(item, out, depth + 1)?;
                }
                // A tuple of one item is written with a comma. Otherwise it would be an expression
                // in parentheses.
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
                    self.write_repr(key, out, depth + 1)?;
                    out.push_str(": ");
                    self.write_repr(value, out, depth + 1)?;
                }
                out.push('}');
            }
            Value::Function(_) | Value::Builtin(_) => out.push_str("<function>"),
        }
        // Each level of nesting charges its whole text. So the text of a nested value is charged
        // once for each level around it.
        self.arena.charge(out.len() - before)
    }

    /// Implements `format % values`. The format may contain `%s`, `%r`, `%d` and `%%`.
    pub(crate) fn format(&mut self, format: Value, values: Value) -> Result<Value, RuleError> {
        let Value::Str(format) = format else {
            return Err(type_error(message!("a format must be a string")));
        };
        let start = self.arena.begin_text();
        let length = self.arena.str(format).len();
        self.charge(length as u64 / 16)?;
        let (mut at, mut used) = (0, 0);
        // `%` and a valid letter after it are single bytes in UTF-8. So every cut is between two
        // characters. A format with another letter is rejected below.
        while let Some(plain) = self.arena.str(format)[at..].find('%') {
            self.arena.push_slice(format, at..at + plain)?;
            let form = self
                .arena
                .str(format)
                .as_bytes()
                .get(at + plain + 1)
                .copied();
            at = (at + plain + 2).min(length);
            if form == Some(b'%') {
                self.arena.push_str("%")?;
                continue;
            }
            let value = match values {
                Value::Tuple(handle) => self.arena.items(handle).get(used).copied(),
                other => (used == 0).then_some(other),
            };
            let Some(value) = value else {
                return Err(type_error(message!("too few values for the format")));
            };
            used += 1;
            self.charge(1)?;
            match (form, value) {
                (Some(b's'), Value::Str(text)) => {
                    self.arena.push_text(text)?;
                }
                (Some(b's' | b'd'), Value::Int(n)) => self.push_number(n)?,
                (Some(b's' | b'r'), _) | (Some(b'd'), Value::Wide(_)) => {
                    let text = self.repr_of(value)?;
                    self.arena.push_str(&text)?;
                }
                (Some(b'd'), other) => {
                    return Err(type_error(message!(
                        "%d requires a number, found a value of type {kind}",
                        kind = other.kind()
                    )));
                }
                _ => return Err(type_error(message!("a format supports %s, %r, %d and %%"))),
            }
        }
        let given = match values {
            Value::Tuple(handle) => self.arena.items(handle).len(),
            _ => 1,
        };
        if used < given {
            return Err(type_error(message!("too many values for the format")));
        }
        self.arena.push_slice(format, at..length)?;
        self.arena.end_text(start)
    }

    /// Appends a number in decimal digits to the string that is being written.
    fn push_number(&mut self, n: i64) -> Result<(), RuleError> {
        // An i64 has at most 19 digits. They are computed from the last to the first.
        let (mut digits, mut first, mut rest) = ([0; 20], 20, n.unsigned_abs());
        while rest > 0 || first == 20 {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        if n < 0 {
            self.arena.push_str("-")?;
        }
        let digits = str::from_utf8(&digits[first..]).expect("digits are ASCII");
        self.arena.push_str(digits)
    }
}
