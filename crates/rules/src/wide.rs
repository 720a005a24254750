//! Integers of 65 bits: those between -2^64 and 2^64 that do not fit in 64 bits.
//!
//! Heaps of the notation have up to 2^64 - 1 chips, so positions of rule files reach as far. A
//! value has a payload of 64 bits, so that the machine is fast. A number beyond that is an object
//! in the arena ([`Value::Wide`]). Such a number never fits in 64 bits, so each number has one
//! form.

use grundy_core::{Kind, message};

use crate::error::{RuleError, overflow, range_error};
use crate::machine::Machine;
use crate::operate::{compare_integers, power};
use crate::program::Binary;
use crate::value::Value;

impl Machine {
    /// Returns the number that a value represents, if it is an integer.
    pub(crate) fn integer(&self, value: Value) -> Option<i128> {
        match value {
            Value::Int(n) => Some(n.into()),
            Value::Wide(handle) => Some(self.arena.get_wide(handle)),
            _ => None,
        }
    }

    /// Returns the value of a number. A number of more than 65 bits is an error.
    pub(crate) fn integer_value(&mut self, n: i128) -> Result<Value, RuleError> {
        match i64::try_from(n) {
            Ok(n) => Ok(Value::Int(n)),
            Err(_) => self.arena.wide(n),
        }
    }

    /// Returns `a op b` after the operator has failed with `error` in 64 bits. An overflow is
    /// computed again in more bits.
    #[cold]
    pub(crate) fn after_overflow(
        &mut self,
        error: RuleError,
        op: Binary,
        a: i64,
        b: i64,
    ) -> Result<Value, RuleError> {
        if error.kind != Kind::Overflow {
            return Err(error);
        }
        self.wide_integers(op, a.into(), b.into())
    }

    /// Applies an operator to two integers of at most 65 bits.
    pub(crate) fn wide_integers(
        &mut self,
        op: Binary,
        a: i128,
        b: i128,
    ) -> Result<Value, RuleError> {
        let shift =
            || u32::try_from(b).map_err(|_| range_error(message!("a shift must not be negative")));
        let result = match op {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a.checked_mul(b).ok_or_else(overflow)?,
            Binary::Power => power(a, b)?,
            Binary::FloorDivide | Binary::Percent if b == 0 => {
                return Err(range_error(message!("division by 0")));
            }
            // As in Python, division rounds down, and the remainder has the sign of the divisor.
            Binary::FloorDivide => {
                let down = a % b != 0 && (a < 0) != (b < 0);
                a / b - i128::from(down)
            }
            Binary::Percent => {
                let rest = a % b;
                let down = rest != 0 && (rest < 0) != (b < 0);
                if down { rest + b } else { rest }
            }
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            // A number other than 0 has more than 65 bits if it is shifted by 65 or more.
            Binary::LeftShift => a.checked_mul(1 << shift()?.min(65)).ok_or_else(overflow)?,
            Binary::RightShift => a >> shift()?.min(127),
            other => return compare_integers(other, a, b),
        };
        self.integer_value(result)
    }
}
