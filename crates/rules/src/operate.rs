//! The operators of the language.

use grundy_core::message;

use crate::arena::Arena;
use crate::error::{RuleError, overflow, range_error, type_error};
use crate::machine::Machine;
use crate::program::{Binary, Op};
use crate::value::{Truth, Value, range_len};

impl Machine {
    /// Returns whether a value counts as true.
    #[inline]
    pub(crate) fn truth(&self, value: Value) -> bool {
        match value {
            Value::Bool(b) => b == Truth::True,
            other => self.truth_of_other(other),
        }
    }

    /// Returns whether a value that is not a boolean counts as true. Only `None`, 0, and empty
    /// strings and collections count as false.
    fn truth_of_other(&self, value: Value) -> bool {
        match value {
            Value::Unset | Value::None | Value::Bool(_) => false,
            Value::Int(n) => n != 0,
            Value::Str(handle) => !self.arena.str(handle).is_empty(),
            Value::Tuple(handle) | Value::List(handle) => !self.arena.items(handle).is_empty(),
            Value::Dict(handle) => !self.arena.get_dict(handle).entries.is_empty(),
            Value::Range(handle) => range_len(self.arena.get_range(handle)) > 0,
            Value::Wide(_)
            | Value::Sum(_)
            | Value::Literal(_)
            | Value::Function(_)
            | Value::Builtin(_) => true,
        }
    }

    /// Applies a unary operator.
    pub(crate) fn unary(&mut self, op: Op, value: Value) -> Result<Value, RuleError> {
        let Some(n) = self.integer(value) else {
            return Err(type_error(message!(
                "expected a number, found a value of type {kind}",
                kind = value.kind()
            )));
        };
        self.integer_value(match op {
            Op::Minus => -n,
            Op::BitNot => !n,
            _ => n,
        })
    }

    /// Returns the value of `a op b`.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "separate copies for each instruction are predicted better"
    )]
    pub(crate) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Result<Value, RuleError> {
        // The case of two integers is inlined into each instruction. All other cases are a function
        // call.
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return integers(op, a, b).or_else(|error| self.after_overflow(error, op, a, b));
        }
        if let (Binary::Equal | Binary::NotEqual, Value::Str(x), Value::Str(y)) = (op, a, b)
            && let Some(same) = Arena::equal_by_handle(x, y)
        {
            return Ok(Value::from(same == (op == Binary::Equal)));
        }
        self.other_binary(op, a, b)
    }

    /// Returns whether the value of `a op b` counts as true.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as above")]
    pub(crate) fn binary_truth(
        &mut self,
        op: Binary,
        a: Value,
        b: Value,
    ) -> Result<bool, RuleError> {
        let value = self.binary(op, a, b)?;
        Ok(self.truth(value))
    }

    /// Applies an operator to two operands, at least one of which is not an integer.
    fn other_binary(&mut self, op: Binary, a: Value, b: Value) -> Result<Value, RuleError> {
        if let (Some(a), Some(b)) = (self.integer(a), self.integer(b)) {
            return self.wide_integers(op, a, b);
        }
        match (op, a, b) {
            (Binary::Equal, ..) => Ok(Value::from(self.equal(a, b, 0)?)),
            (Binary::NotEqual, ..) => Ok(Value::from(!self.equal(a, b, 0)?)),
            (Binary::Less, ..) => Ok(Value::from(self.compare(a, b, 0)?.is_lt())),
            (Binary::Greater, ..) => Ok(Value::from(self.compare(a, b, 0)?.is_gt())),
            (Binary::LessOrEqual, ..) => Ok(Value::from(self.compare(a, b, 0)?.is_le())),
            (Binary::GreaterOrEqual, ..) => Ok(Value::from(self.compare(a, b, 0)?.is_ge())),
            (Binary::In, ..) => Ok(Value::from(self.contains(b, a)?)),
            (Binary::NotIn, ..) => Ok(Value::from(!self.contains(b, a)?)),
            (Binary::Add, Value::Str(x), Value::Str(y)) => {
                let (first, second) = (self.arena.str(x).len(), self.arena.str(y).len());
                // Bytes are copied quickly, so one step is charged for 16 of them.
                self.charge((first + second) as u64 / 16)?;
                let start = self.arena.begin_text();
                self.arena.push_text(x)?;
                self.arena.push_text(y)?;
                self.arena.end_text(start)
            }
            (Binary::Add, Value::List(x), Value::List(y)) => {
                let (first, second) = (self.arena.items(x).len(), self.arena.items(y).len());
                self.charge((first + second) as u64)?;
                self.arena.list_of(&[(x, 0..first), (y, 0..second)])
            }
            (Binary::Add, Value::Tuple(x), Value::Tuple(y)) => {
                let (first, second) = (self.arena.items(x).len(), self.arena.items(y).len());
                self.charge((first + second) as u64)?;
                self.arena.tuple_of(&[(x, 0..first), (y, 0..second)])
            }
            (
                Binary::Multiply,
                Value::Int(count),
                of @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)),
            )
            | (
                Binary::Multiply,
                of @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)),
                Value::Int(count),
            ) => self.repeat(of, count),
            (Binary::Percent, Value::Str(_), _) => self.format(a, b),
            (Binary::BitOr, Value::Dict(_), Value::Dict(_)) => {
                let merged = self.arena.dict()?;
                for of in [a, b] {
                    self.put_all(merged, of)?;
                }
                Ok(merged)
            }
            _ => Err(type_error(message!(
                "`{op}` does not support values of types {a} and {b}",
                op = symbol(op),
                a = a.kind(),
                b = b.kind()
            ))),
        }
    }

    /// Returns the items as a tuple if `like` is a tuple, and otherwise as a list.
    pub(crate) fn sequence_like(
        &mut self,
        like: Value,
        items: Vec<Value>,
    ) -> Result<Value, RuleError> {
        let Value::Tuple(_) = like else {
            return self.arena.list(items);
        };
        let tuple = self.arena.tuple(&items);
        self.arena.put_back(items);
        tuple
    }

    /// Returns a sequence repeated `count` times, for the operator `*`.
    fn repeat(&mut self, of: Value, count: i64) -> Result<Value, RuleError> {
        let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
        let length = match of {
            Value::Str(handle) => self.arena.str(handle).len(),
            Value::Tuple(handle) | Value::List(handle) => self.arena.items(handle).len(),
            _ => 0,
        };
        let total = length.saturating_mul(count);
        // The memory is charged before the result is created. So a huge count cannot exhaust the
        // memory of the host.
        self.arena.charge(total.saturating_mul(match of {
            Value::Str(_) => 1,
            _ => size_of::<Value>(),
        }))?;
        self.charge(total as u64 / 4)?;
        // No steps are charged if the sequence is empty, so the loop must not run either.
        let count = if length == 0 { 0 } else { count };
        if let Value::Str(handle) = of {
            let text = self.arena.str(handle).repeat(count);
            return self.arena.text(&text);
        }
        let few = self.items_of(of)?;
        let mut items = self.arena.vector();
        for _ in 0..count {
            items.extend_from_slice(&few);
        }
        self.arena.put_back(few);
        self.sequence_like(of, items)
    }

    /// Executes `a += b` and returns the result.
    pub(crate) fn add_assign(&mut self, a: Value, b: Value) -> Result<Value, RuleError> {
        if let Value::List(list) = a {
            // The items are copied first, so that `a += a` works.
            let items = self.items_of(b)?;
            self.check_not_iterated(list)?;
            self.arena.charge(items.len() * size_of::<Value>())?;
            self.arena.items_mut(list)?.extend_from_slice(&items);
            self.arena.put_back(items);
            return Ok(a);
        }
        self.binary(Binary::Add, a, b)
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
/// Applies an operator to two integers. A result that does not fit in 64 bits is an error, after
/// which the caller computes it in more bits.
fn integers(op: Binary, a: i64, b: i64) -> Result<Value, RuleError> {
    let shift =
        || u32::try_from(b).map_err(|_| range_error(message!("a shift must not be negative")));
    Ok(Value::Int(match op {
        Binary::Add => a.checked_add(b).ok_or_else(overflow)?,
        Binary::Subtract => a.checked_sub(b).ok_or_else(overflow)?,
        Binary::Multiply => a.checked_mul(b).ok_or_else(overflow)?,
        Binary::Power => {
            let power = power(i128::from(a), i128::from(b))?;
            i64::try_from(power).map_err(|_| overflow())?
        }
        Binary::FloorDivide | Binary::Percent => {
            if b == 0 {
                return Err(range_error(message!("division by 0")));
            }
            // As in Python, division rounds down, and the remainder has the sign of the divisor.
            // `checked_div` fails in the only case of overflow, which is -2^63 / -1.
            let quotient = a.checked_div(b).ok_or_else(overflow)?;
            let rest = a.wrapping_rem(b);
            let down = rest != 0 && (rest < 0) != (b < 0);
            match op {
                Binary::Percent if down => rest + b,
                Binary::Percent => rest,
                _ => quotient - i64::from(down),
            }
        }
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::LeftShift => {
            // A 64-bit number shifted by at most 64 fits in 128 bits. A larger shift has the same
            // result: an error, or 0.
            let shifted = i128::from(a) << shift()?.min(64);
            i64::try_from(shifted).map_err(|_| overflow())?
        }
        Binary::RightShift => a >> shift()?.min(63),
        other => return compare_integers(other, a, b),
    }))
}

/// Returns a power of an integer. A negative exponent is an error, since the power is a fraction.
#[cold]
pub(crate) fn power(base: i128, exponent: i128) -> Result<i128, RuleError> {
    if exponent < 0 {
        return Err(range_error(message!("an exponent must not be negative")));
    }
    match base {
        0 | 1 => Ok(if exponent == 0 { 1 } else { base }),
        -1 => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        // 2^127 is out of range, and so are larger powers.
        _ => u32::try_from(exponent)
            .ok()
            .and_then(|exponent| base.checked_pow(exponent))
            .ok_or_else(overflow),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
/// Applies an operator that compares two integers, of 64 bits or more.
pub(crate) fn compare_integers<T: Ord + Copy>(op: Binary, a: T, b: T) -> Result<Value, RuleError> {
    Ok(Value::from(match op {
        Binary::Equal => a == b,
        Binary::NotEqual => a != b,
        Binary::Less => a < b,
        Binary::Greater => a > b,
        Binary::LessOrEqual => a <= b,
        Binary::GreaterOrEqual => a >= b,
        _ => {
            return Err(type_error(message!(
                "the right operand of `in` must be a sequence such as a list"
            )));
        }
    }))
}

/// Returns the symbol of an operator.
fn symbol(op: Binary) -> &'static str {
    match op {
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::Greater => ">",
        Binary::LessOrEqual => "<=",
        Binary::GreaterOrEqual => ">=",
        Binary::In => "in",
        Binary::NotIn => "not in",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Power => "**",
        Binary::FloorDivide => "//",
        Binary::Percent => "%",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::LeftShift => "<<",
        Binary::RightShift => ">>",
    }
}
