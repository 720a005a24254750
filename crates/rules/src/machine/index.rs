//! Indexing and slicing of values.

use std::ops::Range;

use grundy_core::message;

use super::Machine;
use crate::arena::Arena;
use crate::error::{RuleError, range_error, type_error};
use crate::value::{Value, range_len};

impl Machine {
    /// Returns `a[b]`.
    #[inline]
    pub(crate) fn index(&mut self, a: Value, b: Value) -> Result<Value, RuleError> {
        match (a, b) {
            (Value::Tuple(handle) | Value::List(handle), Value::Int(n)) => {
                let items = self.arena.items(handle);
                Ok(items[resolve_index(n, items.len())?])
            }
            (Value::Str(handle), Value::Int(n)) => {
                let text = self.arena.get_text(handle);
                // This takes constant time and allocates nothing, since the strings of one ASCII
                // character exist already.
                if text.ascii {
                    return Ok(Arena::ascii(
                        text.text.as_bytes()[resolve_index(n, text.text.len())?],
                    ));
                }
                self.charge(self.arena.str(handle).len() as u64 / 16)?;
                let text = self.arena.str(handle);
                let at = resolve_index(n, text.chars().count())?;
                let character: String = text.chars().skip(at).take(1).collect();
                self.arena.text(&character)
            }
            (Value::Range(handle), Value::Int(n)) => {
                let range = self.arena.get_range(handle);
                let length = usize::try_from(range_len(range)).unwrap_or(usize::MAX);
                let at = resolve_index(n, length)?;
                // The index is in range, so the exact result fits in 64 bits. Wrapping arithmetic
                // therefore yields it.
                Ok(Value::Int(
                    range.0.wrapping_add(range.2.wrapping_mul(at as i64)),
                ))
            }
            (Value::Dict(handle), _) => {
                if let Some(at) = self.find(handle, b)? {
                    return Ok(self.arena.get_dict(handle).entries[at].1);
                }
                let key = self.repr_of(b)?;
                Err(range_error(message!("the dict has no key {key}", key)))
            }
            _ => {
                let mut error = type_error(message!(
                    "a value of type {a} cannot be indexed by a value of type {b}",
                    a = a.kind(),
                    b = b.kind()
                ));
                // Often the cause is that a move was returned as a list of numbers, so that each
                // number was then taken as a position.
                if let (Value::Int(_), Value::Int(_)) = (a, b) {
                    error.help = Some(message!(
                        "moves(p) returns a list of positions: [(a, b)] contains one position (a pair), [a, b] contains two positions (numbers)"
                    ));
                }
                Err(error)
            }
        }
    }

    /// Executes `a[b] = c`.
    pub(crate) fn set_index(&mut self, a: Value, b: Value, c: Value) -> Result<(), RuleError> {
        match (a, b) {
            (Value::List(handle), Value::Int(n)) => {
                self.check_not_iterated(handle)?;
                let items = self.arena.items_mut(handle)?;
                let at = resolve_index(n, items.len())?;
                items[at] = c;
                Ok(())
            }
            (Value::Dict(_), _) => self.put(a, b, c),
            _ => {
                let mut error = type_error(message!(
                    "the items of a value of type {kind} cannot be modified",
                    kind = a.kind()
                ));
                if let Value::Tuple(_) | Value::Str(_) = a {
                    error.help = Some(message!(
                        "convert the value to a list, modify the list and convert the list back"
                    ));
                }
                Err(error)
            }
        }
    }

    /// Returns `of[from:to:step]`.
    pub(crate) fn slice(
        &mut self,
        of: Value,
        from: Value,
        to: Value,
        step: Value,
    ) -> Result<Value, RuleError> {
        let number = |value: Value| match value {
            Value::None => Ok(None),
            Value::Int(n) => Ok(Some(n)),
            other => Err(type_error(message!(
                "a bound of a slice cannot be a value of type {kind}",
                kind = other.kind()
            ))),
        };
        let step = number(step)?.unwrap_or(1);
        if step == 0 {
            return Err(range_error(message!("the step of a slice must not be 0")));
        }
        let length = match of {
            Value::Str(handle) => self.arena.get_text(handle).length(),
            Value::Tuple(handle) | Value::List(handle) => self.arena.items(handle).len(),
            other => {
                return Err(type_error(message!(
                    "a value of type {kind} cannot be sliced",
                    kind = other.kind()
                )));
            }
        } as i64;
        // As in Python, negative bounds count from the end, and bounds outside the sequence are
        // replaced by its ends.
        let bound = |n: i64, low: i64, high: i64| {
            (if n < 0 { n.saturating_add(length) } else { n }).clamp(low, high)
        };
        let (from, to) = (number(from)?, number(to)?);
        // With a step of 1, which is the usual case, a contiguous range is copied. No list of
        // indices is needed.
        if step == 1 {
            let from = from.map_or(0, |n| bound(n, 0, length));
            let to = to.map_or(length, |n| bound(n, 0, length)).max(from);
            return self.contiguous_slice(of, from as usize..to as usize);
        }
        let indices: Vec<usize> = if step > 0 {
            let from = from.map_or(0, |n| bound(n, 0, length));
            let to = to.map_or(length, |n| bound(n, 0, length));
            (from..to.max(from))
                .step_by(step as usize)
                .map(|i| i as usize)
                .collect()
        } else {
            // If the step is negative, the bound -1 stands for the index before the first item.
            let from = from.map_or(length - 1, |n| bound(n, -1, length - 1));
            let to = to.map_or(-1, |n| bound(n, -1, length - 1));
            let count = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
            (to + 1..=from)
                .rev()
                .step_by(count)
                .map(|i| i as usize)
                .collect()
        };
        self.charge(indices.len() as u64 / 4)?;
        self.arena.charge(indices.len() * 8)?;
        match of {
            Value::Str(handle) => {
                let text = self.arena.get_text(handle);
                let sliced: String = if text.ascii {
                    let bytes = text.text.as_bytes();
                    indices.iter().map(|&at| char::from(bytes[at])).collect()
                } else {
                    let characters: Vec<char> = text.text.chars().collect();
                    indices.iter().map(|&at| characters[at]).collect()
                };
                self.arena.text(&sliced)
            }
            Value::Tuple(handle) | Value::List(handle) => {
                let mut items = self.arena.vector();
                let all = self.arena.items(handle);
                items.extend(indices.iter().map(|&at| all[at]));
                self.sequence_like(of, items)
            }
            _ => Err(type_error(message!("this value cannot be sliced"))),
        }
    }
}

impl Machine {
    /// Returns the items in the range `piece` of a sequence.
    fn contiguous_slice(&mut self, of: Value, piece: Range<usize>) -> Result<Value, RuleError> {
        self.charge(piece.len() as u64 / 4)?;
        match of {
            Value::Tuple(handle) => self.arena.tuple_of(&[(handle, piece)]),
            Value::List(handle) => self.arena.list_of(&[(handle, piece)]),
            Value::Str(handle) => {
                let text = self.arena.get_text(handle);
                let bytes = if text.ascii {
                    piece
                } else {
                    let mut places = text.text.char_indices().map(|(at, _)| at);
                    let end = text.text.len();
                    let first = places.nth(piece.start).unwrap_or(end);
                    let last = match piece.len().checked_sub(1) {
                        None => first,
                        Some(more) => places.nth(more).unwrap_or(end),
                    };
                    self.charge(end as u64 / 16)?;
                    first..last
                };
                let start = self.arena.begin_text();
                self.arena.push_slice(handle, bytes)?;
                self.arena.end_text(start)
            }
            _ => Err(type_error(message!("this value cannot be sliced"))),
        }
    }
}

/// Converts an index `n` of a sequence with `length` items to an index that is counted from the
/// start. A negative `n` is counted from the end.
#[inline]
pub(crate) fn resolve_index(n: i64, length: usize) -> Result<usize, RuleError> {
    let at = if n < 0 {
        n.saturating_add(length as i64)
    } else {
        n
    };
    match usize::try_from(at) {
        Ok(at) if at < length => Ok(at),
        _ => Err(index_out_of_range(n, length)),
    }
}

#[cold]
/// Returns the error for an index out of range.
fn index_out_of_range(n: i64, length: usize) -> RuleError {
    range_error(message!(
        "index {n} is out of range for {length} items",
        n,
        length
    ))
}
