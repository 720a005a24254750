//! A proof that the values of a formula increase.
//!
//! A formula without powers of constants is close to a polynomial: its value is (P(k) + e) / c,
//! where P has integer coefficients, and the error e lies between two constants. The values
//! increase if P(k + 1) - P(k) exceeds the difference of these constants.

use super::number::{self, Number};
use super::{CHECKED, Instruction, Operator, operands, value};

/// Largest number of coefficients of a polynomial. The value of a polynomial of higher degree
/// exceeds 2^64 long before [`CHECKED`].
const MAX_COEFFICIENTS: usize = 9;

/// A polynomial, with the coefficient of k^i at the index i.
type Polynomial = Vec<i128>;

/// A value (P(k) + e) / c, where e lies in `error`.
#[derive(Clone, Debug)]
struct Approximation {
    polynomial: Polynomial,
    divisor: i128,
    error: [i128; 2],
}

impl Approximation {
    fn constant(number: i128) -> Self {
        Self {
            polynomial: vec![number],
            divisor: 1,
            error: [0, 0],
        }
    }

    /// Returns the integer that the value is for all k, if it is known to be one.
    fn integer(&self) -> Option<i128> {
        let constant = self.polynomial[1..].iter().all(|&number| number == 0);
        (constant && self.is_exact() && self.divisor == 1).then(|| self.polynomial[0])
    }

    fn is_exact(&self) -> bool {
        self.error == [0, 0]
    }

    fn scaled(&self, factor: i128) -> Option<Self> {
        let [low, high] = [
            self.error[0].checked_mul(factor)?,
            self.error[1].checked_mul(factor)?,
        ];
        Some(Self {
            polynomial: scaled(&self.polynomial, factor)?,
            divisor: self.divisor,
            error: [low.min(high), low.max(high)],
        })
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let (left, right) = (self.scaled(other.divisor)?, other.scaled(self.divisor)?);
        Some(Self {
            polynomial: sum(&left.polynomial, &right.polynomial)?,
            divisor: self.divisor.checked_mul(other.divisor)?,
            error: [
                left.error[0].checked_add(right.error[0])?,
                left.error[1].checked_add(right.error[1])?,
            ],
        })
    }

    fn times(&self, other: &Self) -> Option<Self> {
        if let Some(factor) = self.integer() {
            return other.scaled(factor);
        }
        if let Some(factor) = other.integer() {
            return self.scaled(factor);
        }
        if !self.is_exact() || !other.is_exact() {
            return None;
        }
        let mut polynomial = vec![0];
        for (degree, &factor) in self.polynomial.iter().enumerate() {
            let mut part = vec![0; degree];
            part.extend(scaled(&other.polynomial, factor)?);
            polynomial = sum(&polynomial, &part)?;
        }
        Some(Self {
            polynomial,
            divisor: self.divisor.checked_mul(other.divisor)?,
            error: [0, 0],
        })
    }

    /// Returns the value divided by `number` and rounded down.
    fn quotient(self, number: i128) -> Option<Self> {
        // Rounding down subtracts at most (number - 1) / number.
        let most = (number - 1).checked_mul(self.divisor)?;
        Some(Self {
            divisor: self.divisor.checked_mul(number)?,
            error: [self.error[0].checked_sub(most)?, self.error[1]],
            ..self
        })
    }

    fn power(&self, exponent: i128) -> Option<Self> {
        if let Some(number) = self.integer() {
            let exponent = u32::try_from(exponent).ok()?;
            return number.checked_pow(exponent).map(Self::constant);
        }
        if exponent >= MAX_COEFFICIENTS as i128 {
            return None;
        }
        (0..exponent).try_fold(Self::constant(1), |power, _| power.times(self))
    }

    fn operate(operator: Operator, left: Self, right: &Self) -> Option<Self> {
        match operator {
            Operator::Add => left.plus(right),
            Operator::Subtract => left.plus(&right.scaled(-1)?),
            Operator::Multiply => left.times(right),
            Operator::Quotient => left.quotient(right.integer().filter(|&number| number > 0)?),
            Operator::Remainder => Some(Self {
                error: [0, right.integer().filter(|&number| number > 0)? - 1],
                ..Self::constant(0)
            }),
            Operator::Power => left.power(right.integer().filter(|&number| number >= 0)?),
        }
    }

    /// Returns whether the value increases from k to k + 1 for all k of at least [`CHECKED`].
    fn increases(&self) -> Option<bool> {
        let next = shifted(&self.polynomial, 1)?;
        let mut difference = sum(&next, &scaled(&self.polynomial, -1)?)?;
        let spread = self.error[1].checked_sub(self.error[0])?;
        difference[0] = difference[0].checked_sub(spread)?;
        // Without negative coefficients in k - CHECKED, the difference is least at CHECKED.
        let at_checked = shifted(&difference, i128::from(CHECKED))?;
        Some(at_checked[0] > 0 && at_checked.iter().all(|&number| number >= 0))
    }
}

fn scaled(polynomial: &Polynomial, factor: i128) -> Option<Polynomial> {
    let scaled = polynomial.iter().map(|number| number.checked_mul(factor));
    scaled.collect()
}

fn sum(left: &Polynomial, right: &Polynomial) -> Option<Polynomial> {
    let length = left.len().max(right.len());
    let at = |polynomial: &Polynomial, index| polynomial.get(index).copied().unwrap_or(0);
    let sum = (0..length).map(|index| at(left, index).checked_add(at(right, index)));
    sum.collect::<Option<_>>()
        .filter(|_| length <= MAX_COEFFICIENTS)
}

/// Returns the polynomial P(k + by).
fn shifted(polynomial: &Polynomial, by: i128) -> Option<Polynomial> {
    let mut shifted = polynomial.clone();
    for first in 0..shifted.len() {
        for index in (first..shifted.len() - 1).rev() {
            let carried = shifted[index + 1].checked_mul(by)?;
            shifted[index] = shifted[index].checked_add(carried)?;
        }
    }
    Some(shifted)
}

/// Returns whether the values increase for all k of at least [`CHECKED`], up to the end of the set,
/// and can all be computed.
pub(super) fn grows(program: &[Instruction]) -> bool {
    approximation(program).is_some_and(|value| value.increases() == Some(true))
        && end(program).is_some_and(|k| magnitude(program, k).is_some())
}

/// An expression in a formula, in the proof that its values do not decrease.
#[derive(Clone, Copy)]
struct Monotone {
    /// `true` if it is proved that the values for k = 1, 2, ... do not decrease.
    is_proved: bool,
    is_constant: bool,
    /// The value at k = 1, which is the least one if the values do not decrease.
    first: Number,
}

impl Monotone {
    fn is_at_least(self, number: i128) -> bool {
        self.is_proved
            && match self.first {
                Number::Exact(first) => first >= number,
                Number::AtLeast(_) => true,
            }
    }
}

/// Returns whether it is proved that the values of a formula do not decrease. This proof also
/// applies to powers with an exponent that depends on k.
pub(super) fn is_monotone(program: &[Instruction]) -> bool {
    let mut stack: Vec<Monotone> = Vec::new();
    for instruction in program {
        let part = match instruction {
            Instruction::Number(number) => Monotone {
                is_proved: true,
                is_constant: true,
                first: Number::Exact(i128::from(*number)),
            },
            Instruction::Index => Monotone {
                is_proved: true,
                is_constant: false,
                first: Number::Exact(1),
            },
            Instruction::Operation(operator) => {
                let [left, right] = operands(&mut stack);
                let Ok(first) = number::operate(*operator, left.first, right.first) else {
                    return false;
                };
                let is_constant = left.is_constant && right.is_constant;
                let follows = match operator {
                    Operator::Add => left.is_proved && right.is_proved,
                    Operator::Subtract => left.is_proved && right.is_constant,
                    Operator::Multiply => left.is_at_least(0) && right.is_at_least(0),
                    Operator::Quotient => {
                        left.is_proved && right.is_constant && right.is_at_least(1)
                    }
                    Operator::Remainder => false,
                    Operator::Power => left.is_at_least(1) && right.is_at_least(0),
                };
                Monotone {
                    is_proved: is_constant || follows,
                    is_constant,
                    first,
                }
            }
        };
        stack.push(part);
    }
    stack.pop().is_some_and(|formula| formula.is_proved)
}

fn approximation(program: &[Instruction]) -> Option<Approximation> {
    let mut stack = Vec::new();
    for instruction in program {
        let value = match instruction {
            Instruction::Number(number) => Approximation::constant(i128::from(*number)),
            Instruction::Index => Approximation {
                polynomial: vec![0, 1],
                ..Approximation::constant(0)
            },
            Instruction::Operation(operator) => {
                let [left, right] = operands(&mut stack);
                Approximation::operate(*operator, left, &right)?
            }
        };
        stack.push(value);
    }
    stack.pop()
}

/// Returns a k beyond the end of a set whose values increase.
fn end(program: &[Instruction]) -> Option<i128> {
    let mut k = i128::from(CHECKED);
    while k <= 1 << 64 {
        match value(program, k).ok()? {
            Number::Exact(number) if number <= i128::from(u64::MAX) => k *= 2,
            _ => return Some(k),
        }
    }
    None
}

/// Returns an upper bound for the absolute values of all numbers in the computation of the values
/// for 1, ..., k. Returns `None` if it exceeds 127 bits. The bound is the value of the formula with
/// sums instead of differences, and without divisions.
fn magnitude(program: &[Instruction], k: i128) -> Option<i128> {
    let mut stack: Vec<i128> = Vec::new();
    for instruction in program {
        let number = match instruction {
            Instruction::Number(number) => i128::from(*number),
            Instruction::Index => k,
            Instruction::Operation(operator) => {
                let [left, right] = operands(&mut stack);
                match operator {
                    Operator::Add | Operator::Subtract => left.checked_add(right)?,
                    Operator::Multiply => left.checked_mul(right)?,
                    Operator::Quotient => left,
                    Operator::Remainder => right,
                    Operator::Power => left.checked_pow(u32::try_from(right).ok()?)?.max(1),
                }
            }
        };
        stack.push(number);
    }
    stack.pop()
}
