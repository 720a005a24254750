//! Iteration over lists, ranges and dictionaries.

use grundy_core::message;

use super::Machine;
use crate::error::{RuleError, type_error};
use crate::value::{Handle, Value, range_len};

/// An iteration in progress.
#[derive(Clone, Copy, Debug)]
pub(super) enum Iteration {
    Range {
        next: i64,
        remaining: u64,
        step: i64,
    },
    Items {
        handle: Handle,
        index: usize,
    },
    Keys {
        handle: Handle,
        index: usize,
    },
}

impl Machine {
    /// Begins an iteration over a value.
    pub(super) fn begin_iteration(&mut self, value: Value) -> Result<(), RuleError> {
        self.iterations.push(match value {
            Value::Range(handle) => {
                let (start, stop, step) = self.arena.get_range(handle);
                Iteration::Range {
                    next: start,
                    remaining: range_len((start, stop, step)),
                    step,
                }
            }
            Value::Tuple(handle) | Value::List(handle) => Iteration::Items { handle, index: 0 },
            Value::Dict(handle) => Iteration::Keys { handle, index: 0 },
            other => return Err(not_a_sequence(other)),
        });
        Ok(())
    }

    /// Returns the next value of the innermost iteration. If there is none, ends the iteration and
    /// returns `None`.
    #[inline]
    pub(super) fn next_value(&mut self) -> Option<Value> {
        let iteration = self
            .iterations
            .last_mut()
            .expect("the compiler balances loops");
        let value = match iteration {
            Iteration::Range { remaining: 0, .. } => None,
            Iteration::Range {
                next,
                remaining,
                step,
            } => {
                let value = *next;
                *remaining -= 1;
                // `next` may overflow after the last value. The end of the range is determined by
                // the number of values left.
                *next = next.wrapping_add(*step);
                Some(Value::Int(value))
            }
            Iteration::Items { handle, index } => {
                *index += 1;
                self.arena.items(*handle).get(*index - 1).copied()
            }
            Iteration::Keys { handle, index } => {
                *index += 1;
                let entries = &self.arena.get_dict(*handle).entries;
                entries.get(*index - 1).map(|(key, _)| *key)
            }
        };
        if value.is_none() {
            self.iterations.pop();
        }
        value
    }

    /// Returns an error if an iteration over the object `changed` is in progress. An object must
    /// not be changed during an iteration over it.
    pub(crate) fn check_not_iterated(&self, changed: Handle) -> Result<(), RuleError> {
        let iterated = self.iterations.iter().any(|iteration| match iteration {
            Iteration::Items { handle, .. } | Iteration::Keys { handle, .. } => *handle == changed,
            Iteration::Range { .. } => false,
        });
        if iterated {
            return Err(type_error(message!(
                "a list or dict is modified during iteration"
            )));
        }
        Ok(())
    }

    /// Pushes the `count` values of a sequence, so that the first one is on top.
    pub(super) fn unpack(&mut self, value: Value, count: usize) -> Result<(), RuleError> {
        let copied;
        let items = match value {
            Value::Tuple(handle) | Value::List(handle) => self.arena.items(handle),
            other => {
                copied = self.items_of(other).map_err(|mut error| {
                    if matches!(other, Value::Int(_)) {
                        error.help = Some(message!(
                            "write a position of several numbers as game(moves, (2, 3))"
                        ));
                    }
                    error
                })?;
                &copied
            }
        };
        // The order is reversed, because the targets of an assignment pop their values from the
        // first target to the last.
        if items.len() == count {
            self.stack.extend(items.iter().rev());
            return Ok(());
        }
        let found = items.len();
        Err(type_error(message!(
            "expected {count} values, found {found}",
            count,
            found
        )))
    }

    /// Copies the items of an iterable value to a vector, and charges the steps and the memory for
    /// the copy. The items of a dictionary are its keys.
    pub(crate) fn items_of(&mut self, value: Value) -> Result<Vec<Value>, RuleError> {
        let length = match value {
            Value::Tuple(handle) | Value::List(handle) => self.arena.items(handle).len() as u64,
            Value::Range(handle) => range_len(self.arena.get_range(handle)),
            Value::Dict(handle) => self.arena.get_dict(handle).entries.len() as u64,
            other => return Err(not_a_sequence(other)),
        };
        // Both are charged before the copy is made, since the length of a range has no other limit.
        self.charge(length)?;
        let bytes = usize::try_from(length).unwrap_or(usize::MAX);
        self.arena
            .charge(bytes.saturating_mul(size_of::<Value>()))?;
        let mut items = self.arena.vector();
        match value {
            Value::Tuple(handle) | Value::List(handle) => {
                items.extend_from_slice(self.arena.items(handle));
            }
            Value::Range(handle) => {
                let (start, _, step) = self.arena.get_range(handle);
                // The exact values fit in 64 bits, so wrapping arithmetic yields them.
                let value = |k| start.wrapping_add(step.wrapping_mul(k as i64));
                items.extend((0..length).map(|k| Value::Int(value(k))));
            }
            Value::Dict(handle) => {
                items.extend(
                    self.arena
                        .get_dict(handle)
                        .entries
                        .iter()
                        .map(|(key, _)| *key),
                );
            }
            _ => {}
        }
        Ok(items)
    }
}

/// Returns the error for a value over which no iteration is possible.
fn not_a_sequence(value: Value) -> RuleError {
    let mut error = type_error(message!(
        "expected a sequence such as a list, found a value of type {kind}",
        kind = value.kind()
    ));
    if let Value::Str(_) = value {
        error.help = Some(message!(
            "to iterate over the characters of a string, use s.elems()"
        ));
    }
    error
}
