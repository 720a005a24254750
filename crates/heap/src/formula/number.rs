//! Numbers in the computation of a formula.

use super::Operator;
use grundy_base::{Message, message};

/// A number in the computation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// An exact number.
    Exact(i128),
    /// A number of at least 2^b, where b is more than 64. Only the end of the set depends on it.
    AtLeast(u32),
}

/// The reason why a value of a formula cannot be computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    DivisionByZero,
    NegativeExponent,
    TooLarge,
}

impl Fault {
    /// Returns the error message for the value at k.
    pub(super) fn message(self, k: u64) -> Message {
        match self {
            Self::DivisionByZero => message!("the formula divides by 0 for k = {k}", k),
            Self::NegativeExponent => {
                message!("the formula has a negative exponent for k = {k}", k)
            }
            Self::TooLarge => message!("the formula is too large to compute for k = {k}", k),
        }
    }
}

/// The exponent of the lower bound for a positive number that exceeds 127 bits.
const OVERFLOW: Number = Number::AtLeast(127);

/// Returns the result of an operation.
pub(super) fn operate(operator: Operator, left: Number, right: Number) -> Result<Number, Fault> {
    match (left, right) {
        (Number::Exact(left), Number::Exact(right)) => exact(operator, left, right),
        _ => bounded(operator, left, right),
    }
}

fn exact(operator: Operator, left: i128, right: i128) -> Result<Number, Fault> {
    let result = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Quotient | Operator::Remainder if right == 0 => {
            return Err(Fault::DivisionByZero);
        }
        // As in Python, quotients are rounded down.
        Operator::Quotient => left.checked_div_euclid(right).map(|quotient| {
            let remainder = left.rem_euclid(right);
            quotient - i128::from(right < 0 && remainder != 0)
        }),
        Operator::Remainder => left.checked_rem_euclid(right).map(|remainder| {
            if right < 0 && remainder != 0 {
                remainder + right
            } else {
                remainder
            }
        }),
        Operator::Power => match (left, right) {
            _ if right < 0 => return Err(Fault::NegativeExponent),
            (0 | 1, _) if right > 0 => Some(left),
            _ => u32::try_from(right)
                .ok()
                .and_then(|exponent| left.checked_pow(exponent)),
        },
    };
    let is_positive = match operator {
        Operator::Add | Operator::Power => left > 0,
        Operator::Subtract => left > right,
        Operator::Multiply => (left > 0) == (right > 0),
        Operator::Quotient | Operator::Remainder => false,
    };
    match result {
        Some(number) => Ok(Number::Exact(number)),
        None if is_positive => Ok(OVERFLOW),
        None => Err(Fault::TooLarge),
    }
}

/// Returns the result of an operation with a number of which only a lower bound is known.
fn bounded(operator: Operator, left: Number, right: Number) -> Result<Number, Fault> {
    use Number::{AtLeast, Exact};
    let small = |number: i128, bits: u32| number.unsigned_abs() < 1 << (bits - 1);
    let result = match (operator, left, right) {
        (Operator::Add, AtLeast(bits), AtLeast(other)) => Some(bits.max(other)),
        (Operator::Add, AtLeast(bits), Exact(n)) | (Operator::Add, Exact(n), AtLeast(bits)) => {
            small(n, bits).then(|| bits - 1)
        }
        (Operator::Subtract, AtLeast(bits), Exact(n)) => small(n, bits).then(|| bits - 1),
        (Operator::Multiply | Operator::Power, AtLeast(bits), AtLeast(_) | Exact(1..))
        | (Operator::Multiply, Exact(1..), AtLeast(bits))
        | (Operator::Power, Exact(2..), AtLeast(bits)) => Some(bits),
        (Operator::Power, Exact(1), AtLeast(_)) => return Ok(Exact(1)),
        (Operator::Quotient, AtLeast(bits), Exact(n @ 1..)) => bits.checked_sub(n.ilog2() + 1),
        _ => None,
    };
    // A bound of 64 bits would not show that the number is beyond the end of the set.
    let bits = result.filter(|&bits| bits > 64).ok_or(Fault::TooLarge)?;
    Ok(AtLeast(bits))
}
