//! Equality, order and hashes of values, and membership in collections.

use std::cmp::Ordering;

use grundy_core::message;

use crate::error::{RuleError, range_error, type_error};
use crate::machine::Machine;
use crate::value::{Value, range_len};

/// The largest depth of nested values that can be compared or hashed.
const MAX_DEPTH: usize = 100;

impl Machine {
    /// Returns an error if the depth of nesting exceeds the limit. Otherwise charges one step.
    fn check_depth(&mut self, depth: usize) -> Result<(), RuleError> {
        // Equality, order and hashing are recursive on the stack of the host, so the depth is
        // limited. The limit also ends comparisons of cyclic lists.
        if depth > MAX_DEPTH {
            return Err(range_error(message!(
                "the value is nested more than {nested} deep",
                nested = MAX_DEPTH
            )));
        }
        self.charge(1)
    }

    /// Returns whether two values are equal.
    pub(crate) fn equal(&mut self, a: Value, b: Value, depth: usize) -> Result<bool, RuleError> {
        self.check_depth(depth)?;
        Ok(match (a, b) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            // As in Python, `True` equals 1: a position that contains `True` is stored with 1.
            (Value::Bool(truth), Value::Int(n)) | (Value::Int(n), Value::Bool(truth)) => {
                truth as i64 == n
            }
            (Value::Wide(x), Value::Wide(y)) => self.arena.get_wide(x) == self.arena.get_wide(y),
            (Value::Str(x), Value::Str(y)) | (Value::Literal(x), Value::Literal(y)) => {
                // Bytes are compared quickly, so one step is charged for 64 of them.
                self.charge(self.arena.str(x).len() as u64 / 64)?;
                self.arena.str(x) == self.arena.str(y)
            }
            (Value::Tuple(x), Value::Tuple(y)) | (Value::List(x), Value::List(y)) => {
                let length = self.arena.items(x).len();
                if length != self.arena.items(y).len() {
                    return Ok(false);
                }
                for index in 0..length {
                    let (a, b) = (self.arena.items(x)[index], self.arena.items(y)[index]);
                    if !self.equal(a, b, depth + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Range(x), Value::Range(y)) => {
                let (x, y) = (self.arena.get_range(x), self.arena.get_range(y));
                let length = range_len(x);
                // Ranges are equal if they have the same items. So the step is irrelevant if there
                // are fewer than two items.
                length == range_len(y) && (length == 0 || x.0 == y.0 && (length == 1 || x.2 == y.2))
            }
            (Value::Dict(x), Value::Dict(y)) => {
                // Dictionaries are equal if they have the same entries, in whatever order.
                let length = self.arena.get_dict(x).entries.len();
                if length != self.arena.get_dict(y).entries.len() {
                    return Ok(false);
                }
                for index in 0..length {
                    let (key, value) = self.arena.get_dict(x).entries[index];
                    match self.find(y, key)? {
                        Some(at) => {
                            let other = self.arena.get_dict(y).entries[at].1;
                            if !self.equal(value, other, depth + 1)? {
                                return Ok(false);
                            }
                        }
                        None => return Ok(false),
                    }
                }
                true
            }
            (Value::Function(x), Value::Function(y)) => x == y,
            (Value::Builtin(x), Value::Builtin(y)) => x == y,
            _ => false,
        })
    }

    /// Returns the order of two values, which must have the same type.
    pub(crate) fn compare(
        &mut self,
        a: Value,
        b: Value,
        depth: usize,
    ) -> Result<Ordering, RuleError> {
        self.check_depth(depth)?;
        Ok(match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(&b),
            (Value::Int(a), Value::Wide(y)) => i128::from(a).cmp(&self.arena.get_wide(y)),
            (Value::Wide(x), Value::Int(b)) => self.arena.get_wide(x).cmp(&i128::from(b)),
            (Value::Wide(x), Value::Wide(y)) => self.arena.get_wide(x).cmp(&self.arena.get_wide(y)),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(&b),
            (Value::Bool(a), Value::Int(b)) => (a as i64).cmp(&b),
            (Value::Int(a), Value::Bool(b)) => a.cmp(&(b as i64)),
            (Value::Str(x), Value::Str(y)) => {
                self.charge(self.arena.str(x).len() as u64 / 64)?;
                self.arena.str(x).cmp(self.arena.str(y))
            }
            (Value::Tuple(x), Value::Tuple(y)) | (Value::List(x), Value::List(y)) => {
                let (n, m) = (self.arena.items(x).len(), self.arena.items(y).len());
                for index in 0..n.min(m) {
                    let (a, b) = (self.arena.items(x)[index], self.arena.items(y)[index]);
                    // The first pair of items that are not equal determines the order.
                    if !self.equal(a, b, depth + 1)? {
                        return self.compare(a, b, depth + 1);
                    }
                }
                n.cmp(&m)
            }
            _ => {
                return Err(type_error(message!(
                    "values of types {a} and {b} cannot be compared",
                    a = a.kind(),
                    b = b.kind()
                )));
            }
        })
    }

    /// Returns the hash of a value. Returns an error if the value cannot be a key.
    pub(crate) fn hash(&mut self, value: Value, depth: usize) -> Result<u64, RuleError> {
        use std::hash::{BuildHasher as _, BuildHasherDefault};
        self.check_depth(depth)?;
        let mix = BuildHasherDefault::<rustc_hash::FxHasher>::default();
        Ok(match value {
            Value::None => 1,
            // Equal values need equal hashes.
            Value::Bool(b) => mix.hash_one((3, b as i64)),
            Value::Int(n) => mix.hash_one((3, n)),
            Value::Wide(handle) => mix.hash_one((4, self.arena.get_wide(handle))),
            Value::Str(handle) => {
                self.charge(self.arena.str(handle).len() as u64 / 16)?;
                mix.hash_one(self.arena.str(handle))
            }
            Value::Tuple(handle) => {
                let mut hash = 5;
                for index in 0..self.arena.items(handle).len() {
                    let item = self.arena.items(handle)[index];
                    hash = mix.hash_one((hash, self.hash(item, depth + 1)?));
                }
                hash
            }
            other => {
                // Lists and dictionaries can change, so they cannot be keys.
                let mut error = type_error(message!(
                    "a value of type {kind} cannot be a key",
                    kind = other.kind()
                ));
                error.help = Some(message!("keys must be numbers, strings or tuples of these"));
                return Err(error);
            }
        })
    }

    /// Returns whether a collection contains a value, as the operator `in` does.
    pub(crate) fn contains(&mut self, all: Value, one: Value) -> Result<bool, RuleError> {
        match (all, one) {
            (Value::Str(x), Value::Str(y)) => {
                self.charge(self.arena.str(x).len() as u64 / 8)?;
                Ok(self.arena.str(x).contains(self.arena.str(y)))
            }
            (Value::Dict(dict), _) => Ok(self.find(dict, one)?.is_some()),
            (Value::Range(_), Value::Bool(truth)) => self.contains(all, Value::Int(truth as i64)),
            (Value::Range(handle), Value::Int(n)) => {
                let (start, stop, step) = self.arena.get_range(handle);
                let inside = if step > 0 {
                    n >= start && n < stop
                } else {
                    n <= start && n > stop
                };
                // The difference of two 64-bit integers may need more than 64 bits.
                let offset = i128::from(n) - i128::from(start);
                Ok(inside && offset % i128::from(step) == 0)
            }
            (Value::Tuple(handle) | Value::List(handle), _) => {
                for index in 0..self.arena.items(handle).len() {
                    let item = self.arena.items(handle)[index];
                    if self.equal(item, one, 1)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Err(type_error(message!(
                "`in` does not support values of types {one} and {all}",
                one = one.kind(),
                all = all.kind()
            ))),
        }
    }
}
