//! Sets of numbers that are given by a formula in k = 1, 2, 3, ..., such as `k**k`.

use std::fmt;
use std::sync::Arc;

use grundy_base::limits::Flow;
use grundy_base::{Diagnostic, Kind, message};

use self::growth::{grows, is_monotone};
use self::number::{Fault, Number};

mod growth;
mod number;

/// Length limit of a formula in bytes.
const MAX_BYTES: usize = 1000;

/// Number of values that are computed one by one when a formula is parsed. A proof covers the
/// other values.
const CHECKED: u64 = 1024;

/// The values of a formula for k = 1, 2, 3, ... The values increase. The first value above 2^64 - 1
/// ends the set.
///
/// ```
/// use grundy_heap::Formula;
/// use std::ops::ControlFlow;
/// let formula = Formula::parse("k * (k + 1) // 2")?;
/// assert_eq!(formula.to_string(), "k*(k+1)//2");
/// let mut numbers = Vec::new();
/// let _ = formula.up_to(15, &mut |number| {
///     numbers.push(number);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(numbers, [1, 3, 6, 10, 15]);
/// # Ok::<(), grundy_base::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// The text without blanks.
    text: Arc<str>,
    program: Program,
}

/// A formula in postfix notation.
type Program = Arc<[Instruction]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Instruction {
    /// Pushes a number.
    Number(u64),
    /// Pushes k.
    Index,
    /// Replaces the last two numbers by the result of an operation.
    Operation(Operator),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Quotient,
    Remainder,
    Power,
}

impl Operator {
    fn precedence(self) -> u8 {
        match self {
            Self::Add | Self::Subtract => 1,
            Self::Multiply | Self::Quotient | Self::Remainder => 2,
            Self::Power => 3,
        }
    }
}

impl Formula {
    /// Returns whether a text can only be a formula. Any other text is the name of a set.
    ///
    /// ```
    /// use grundy_heap::Formula;
    /// assert!(Formula::is_formula("k**k") && Formula::is_formula("k"));
    /// assert!(!Formula::is_formula("powers_of_2"));
    /// ```
    #[must_use]
    pub fn is_formula(text: &str) -> bool {
        let text = text.trim();
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_name = text.chars().all(is_letter) && !text.starts_with(|c: char| c.is_numeric());
        text == "k" || !is_name
    }

    /// Parses a formula. It consists of integers, `k`, parentheses and the operators `+`, `-`, `*`,
    /// `//`, `%` and `**`, which have the same meaning as in Python.
    ///
    /// # Errors
    /// A text that is not a formula, a division by 0, or values that do not increase. A formula is
    /// also rejected if it cannot be proved that its values always increase.
    ///
    /// # Complexity
    /// The first 1024 values are computed.
    ///
    /// # Examples
    /// ```
    /// use grundy_heap::Formula;
    /// assert!(Formula::parse("k**k").is_ok());
    /// let error = Formula::parse("k % 3").unwrap_err();
    /// assert!(error.message.ends_with("do not increase: 0 follows 2 at k = 3"));
    /// ```
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        if text.len() > MAX_BYTES {
            let message = message!(
                "a formula of more than {bytes} bytes is too long",
                bytes = MAX_BYTES
            );
            return Err(Diagnostic::new(Kind::Range, message));
        }
        let program = compile(text)?;
        check_values(&program)?;
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        Ok(Self {
            text: text.into(),
            program,
        })
    }

    /// Visits the numbers of the set that are at most `most`, in ascending order.
    ///
    /// See [`Formula`] for an example.
    pub fn up_to(&self, most: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
        let number = |k| match value(&self.program, k) {
            Ok(Number::Exact(number)) => u64::try_from(number).ok(),
            _ => None,
        };
        (1..)
            .map_while(number)
            .take_while(|&number| number <= most)
            .try_for_each(visit)
    }
}

impl fmt::Display for Formula {
    /// Formats the formula without blanks, such as `k*(k+1)//2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the value of a formula for one k.
fn value(program: &[Instruction], k: i128) -> Result<Number, Fault> {
    let mut stack = Vec::new();
    for instruction in program {
        let number = match instruction {
            Instruction::Number(number) => Number::Exact(i128::from(*number)),
            Instruction::Index => Number::Exact(k),
            Instruction::Operation(operator) => {
                let [left, right] = operands(&mut stack);
                number::operate(*operator, left, right)?
            }
        };
        stack.push(number);
    }
    Ok(stack.pop().expect("a program leaves one number"))
}

/// Removes the last two items of a stack.
fn operands<T>(stack: &mut Vec<T>) -> [T; 2] {
    let right = stack.pop().expect("an operation follows its operands");
    let left = stack.pop().expect("an operation follows its operands");
    [left, right]
}

/// Returns an error unless the values of a formula are positive and increase.
fn check_values(program: &Program) -> Result<(), Diagnostic> {
    let largest = i128::from(u64::MAX);
    let mut last = 0;
    let mut has_ended = false;
    for k in 1..=CHECKED {
        let fault = |fault| Diagnostic::new(Kind::Range, Fault::message(fault, k));
        match value(program, i128::from(k)).map_err(fault)? {
            Number::Exact(number) if number > last && number <= largest && !has_ended => {
                last = number;
            }
            Number::Exact(number) if number <= largest => {
                let error = if k == 1 {
                    message!(
                        "the value of the formula for k = 1 is {number}, but a move takes at least one chip",
                        number
                    )
                } else if has_ended {
                    message!(
                        "the values of the formula do not increase: {number} follows a number above 2^64 - 1 at k = {k}",
                        number,
                        k
                    )
                } else {
                    message!(
                        "the values of the formula do not increase: {number} follows {last} at k = {k}",
                        number,
                        last,
                        k
                    )
                };
                return Err(Diagnostic::new(Kind::Range, error).help(message!(
                    "write a formula with increasing values, or the list of the numbers"
                )));
            }
            _ if k == 1 => {
                let message =
                    message!("the value of the formula for k = 1 is larger than 2^64 - 1");
                return Err(Diagnostic::new(Kind::Overflow, message));
            }
            _ if is_monotone(program) => return Ok(()),
            _ => has_ended = true,
        }
    }
    if grows(program) {
        return Ok(());
    }
    let message = message!("the values of the formula cannot be proved to increase for all k");
    Err(Diagnostic::new(Kind::Range, message).help(message!(
        "write a formula with increasing values, or the list of the numbers"
    )))
}

/// A token on the stack of the parser, which has not been written to the program.
enum Pending {
    Open,
    Operator(Operator),
}

/// Parses a formula by the shunting-yard algorithm, so the depth of parentheses needs no recursion.
fn compile(text: &str) -> Result<Program, Diagnostic> {
    let mut program = Vec::new();
    let mut pending: Vec<Pending> = Vec::new();
    // `true` if a number, `k` or `(` must follow.
    let mut operand = true;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        at += first.len_utf8();
        match first {
            blank if blank.is_whitespace() => {}
            '0'..='9' if operand => {
                at = start + rest.bytes().take_while(u8::is_ascii_digit).count();
                let number = text[start..at].parse().map_err(|_| {
                    let message = message!("the number is larger than 2^64 - 1");
                    Diagnostic::new(Kind::Overflow, message).within(start..at)
                })?;
                program.push(Instruction::Number(number));
                operand = false;
            }
            'k' if operand && !rest[1..].starts_with(|c: char| c.is_alphanumeric()) => {
                program.push(Instruction::Index);
                operand = false;
            }
            '(' if operand => pending.push(Pending::Open),
            ')' if !operand => loop {
                match pending.pop() {
                    Some(Pending::Open) => break,
                    Some(Pending::Operator(operator)) => {
                        program.push(Instruction::Operation(operator));
                    }
                    None => return Err(unexpected(text, start)),
                }
            },
            _ if !operand => {
                let (operator, length) = operator(rest).ok_or_else(|| unexpected(text, start))?;
                at = start + length;
                // `**` groups from the right, and all other operators from the left.
                let least = operator.precedence() + u8::from(operator == Operator::Power);
                let stronger = |token: &mut Pending| matches!(token, Pending::Operator(earlier) if earlier.precedence() >= least);
                while let Some(Pending::Operator(earlier)) = pending.pop_if(stronger) {
                    program.push(Instruction::Operation(earlier));
                }
                pending.push(Pending::Operator(operator));
                operand = true;
            }
            _ => return Err(unexpected(text, start)),
        }
    }
    if operand {
        return Err(not_a_formula(message!("the formula is incomplete")));
    }
    while let Some(token) = pending.pop() {
        match token {
            Pending::Operator(operator) => program.push(Instruction::Operation(operator)),
            Pending::Open => return Err(not_a_formula(message!("the formula is incomplete"))),
        }
    }
    Ok(program.into())
}

/// Returns the operator at the beginning of a text, and its length.
fn operator(text: &str) -> Option<(Operator, usize)> {
    [
        ("**", Operator::Power),
        ("//", Operator::Quotient),
        ("+", Operator::Add),
        ("-", Operator::Subtract),
        ("*", Operator::Multiply),
        ("%", Operator::Remainder),
    ]
    .into_iter()
    .find(|(sign, _)| text.starts_with(sign))
    .map(|(sign, operator)| (operator, sign.len()))
}

fn unexpected(text: &str, at: usize) -> Diagnostic {
    let first = text[at..].chars().next().unwrap_or(' ');
    let message = message!(
        "unexpected `{sign}` in a formula",
        sign = first.escape_default()
    );
    not_a_formula(message).within(at..at + first.len_utf8())
}

fn not_a_formula(message: grundy_base::Message) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).help(message!(
        "write a formula in k = 1, 2, 3, ... with + - * // % ** and parentheses, such as \"k**k\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn numbers(text: &str, most: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        let formula = Formula::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let _ = formula.up_to(most, &mut |number| {
            numbers.push(number);
            ControlFlow::Continue(())
        });
        numbers
    }

    #[test]
    fn formulas_have_the_values_of_rust_functions() {
        type Case = (&'static str, fn(u64) -> u64);
        let cases: [Case; 12] = [
            ("k*k", |k| k * k),
            ("k ** 3", |k| k.pow(3)),
            ("k*(k+1)//2", |k| k * (k + 1) / 2),
            ("2*k - 1", |k| 2 * k - 1),
            ("(k**3 - k)//6 + k", |k| (k.pow(3) - k) / 6 + k),
            ("3*k//2", |k| 3 * k / 2),
            ("k*k - k % 2 + 1", |k| k * k - k % 2 + 1),
            ("k - 1 - 2 + 3 + 2*k", |k| 3 * k),
            ("100 - 99 + (k - 1)*7", |k| 1 + (k - 1) * 7),
            ("k*k*k - k*k + 1", |k| k.pow(3) - k * k + 1),
            ("(((k)))", |k| k),
            // Values above 2^64 follow before k = 1024.
            ("k**8 - k + 1", |k| k.pow(8) - k + 1),
        ];
        for (text, function) in cases {
            let expected: Vec<u64> = (1..).map(function).take_while(|&n| n <= 3000).collect();
            assert_eq!(numbers(text, 3000), expected, "{text}");
        }
    }

    #[test]
    fn fast_formulas_end_at_the_largest_number() {
        let powers: Vec<u64> = (1..=15).map(|k: u64| k.pow(k as u32)).collect();
        assert_eq!(numbers("k**k", u64::MAX), powers);
        let nines: Vec<u64> = (1..=20).map(|k| 9u64.pow(k)).collect();
        assert_eq!(numbers("9**k", u64::MAX), nines);
        // `**` groups from the right: 3^(3^3) is below 2^64, and 4^(4^4) is not.
        assert_eq!(numbers("k**k**k", u64::MAX), [1, 16, 7_625_597_484_987]);
        assert_eq!(numbers("(k**k)**k", 20_000), [1, 16, 19_683]);
        assert_eq!(numbers("2**2**k // 3", u64::MAX).len(), 6);
    }

    #[test]
    fn other_texts_are_rejected() {
        let deep = "(".repeat(400) + "k" + &")".repeat(400);
        assert_eq!(numbers(&deep, 3), [1, 2, 3]);
        let long = "k+".repeat(5_000_000) + "k";
        for (text, part) in [
            ("5", "do not increase: 5 follows 5 at k = 2"),
            ("k%3", "do not increase: 0 follows 2 at k = 3"),
            ("100-k", "do not increase: 98 follows 99"),
            ("k-1", "for k = 1 is 0"),
            ("k*k-5*k", "for k = 1 is -4"),
            ("k//0", "divides by 0 for k = 1"),
            ("k//(k-7)+1000*k", "divides by 0 for k = 7"),
            ("k%(k-k)", "divides by 0"),
            ("1000*k+1000//(8-k)", "divides by 0 for k = 8"),
            ("2**(k-3)", "negative exponent for k = 1"),
            ("k**40//k**39", "too large to compute for k = 10"),
            ("2**(k//1000)*k", "cannot be proved"),
            ("k + k//1000*(k%2)", "1002 follows 1002 at k = 1002"),
            ("k + k//2000*(k%2)", "cannot be proved"),
            (
                "k + (k//5)*(10-k)*2**70",
                "10 follows a number above 2^64 - 1 at k = 10",
            ),
            ("2**(k*(100-k))", "for k = 1 is larger than 2^64 - 1"),
            ("k + k//3*2**70*(2000-k)", "cannot be proved"),
            ("", "incomplete"),
            ("k+", "incomplete"),
            ("(k", "incomplete"),
            ("k)", "unexpected `)`"),
            ("k k", "unexpected `k`"),
            ("k^2", "unexpected `^`"),
            ("k/2", "unexpected `/`"),
            ("n*n", "unexpected `n`"),
            ("kk", "unexpected `k`"),
            ("-k", "unexpected `-`"),
            ("99999999999999999999", "larger than 2^64 - 1"),
            (&long, "too long"),
        ] {
            let error = Formula::parse(text).expect_err(&text[..text.len().min(40)]);
            let message = error.message.to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
