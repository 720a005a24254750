//! Nimber expressions, such as `2 * 4 + sqrt(5)`.
//!
//! Here `+` (or `⊕`) is the nim-sum, and `*` (or `⊗`) is the nim-product. The quotient `/` is the
//! inverse of the nim-product. For an integer n >= 0, the power `a**n` is the nim-product of n
//! factors a. If n is negative, it is the inverse of `a**(-n)`. Exponents are ordinary integers,
//! and powers are right-associative as in Python. So `2**2**3` is the product of 8 factors 2.
//!
//! In Starlark there is no `**`, so these expressions have a separate parser. It is not recursive
//! but uses a stack of operators.

mod steps;

use std::ops::Range;

use grundy_core::nimber::Nimber;
use grundy_core::step::Step;
use grundy_core::{Kind, Message, message};

use self::steps::{Operand, Operation, Record};
use crate::Diagnostic;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Open,
    SquareRoot,
    Add,
    Multiply,
    Divide,
}

impl Operator {
    fn precedence(self) -> u8 {
        match self {
            Self::Open | Self::SquareRoot => 0,
            Self::Add => 1,
            Self::Multiply | Self::Divide => 2,
        }
    }
}

/// Length limit of an expression in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// Evaluates a nimber expression.
///
/// # Errors
/// A text that is not an expression, a number that exceeds 64 bits, or a division by 0.
///
/// ```
/// use grundy_notation::nimber::evaluate;
/// assert_eq!(evaluate("2 * 4"), Ok(8));
/// assert_eq!(evaluate("4**2 + 1 / 2"), Ok(6 ^ 3));
/// assert!(evaluate("1 / (3 + 3)").is_err());
/// ```
pub fn evaluate(source: &str) -> Result<u64, Diagnostic> {
    read(source, &mut |_| ())
}

/// Evaluates a nimber expression and returns the steps of an explanation.
///
/// Sums are explained by their binary columns. Products are explained by the distributive law and
/// by the rules for the Fermat 2-powers 2, 4, 16, 256, ..., in a limited number of steps. Quotients
/// and roots are only stated, with a check.
///
/// # Errors
/// The errors of [`evaluate`].
///
/// ```
/// use grundy_notation::nimber::explain;
/// let (value, steps) = explain("22 + 51").unwrap();
/// assert_eq!((value, steps[0].code), (37, "nimber_sum"));
/// ```
pub fn explain(source: &str) -> Result<(u64, Vec<Step>), Diagnostic> {
    let mut record = Record::default();
    let value = read(source, &mut |operation| record.push(operation))?;
    Ok((value, record.steps(value)))
}

/// The stack of operands, and a callback that receives each operation.
struct Stack<'a> {
    values: Vec<Operand>,
    /// Number of operations performed so far.
    count: usize,
    on_operation: &'a mut dyn FnMut(Operation),
}

impl Stack<'_> {
    fn push(&mut self, nimber: Nimber) {
        let operation_index = None;
        self.values.push(Operand {
            nimber,
            operation_index,
        });
    }

    fn pop(&mut self) -> Operand {
        // The grammar guarantees that each operator has two operands, so the stack is never empty
        // here.
        let nothing = Operand {
            nimber: Nimber(0),
            operation_index: None,
        };
        self.values.pop().unwrap_or(nothing)
    }

    /// Passes an operation to the callback, and pushes its result on the stack.
    fn push_result(&mut self, operation: Operation, nimber: Nimber) {
        (self.on_operation)(operation);
        let operation_index = Some(self.count);
        self.values.push(Operand {
            nimber,
            operation_index,
        });
        self.count += 1;
    }
}

/// Evaluates an expression, and passes every operation to `on_operation`.
fn read(source: &str, on_operation: &mut dyn FnMut(Operation)) -> Result<u64, Diagnostic> {
    if source.len() > MAX_LENGTH {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!("the expression is longer than 1 MiB"),
        )
        .at(0..0));
    }
    let mut parser = NimberParser { source, at: 0 };
    let mut values = Stack {
        values: Vec::new(),
        count: 0,
        on_operation,
    };
    // This is the shunting-yard algorithm. Operands and operators are stored on two explicit
    // stacks, so deep nesting cannot overflow the call stack.
    let mut operators: Vec<(Operator, Range<usize>)> = Vec::new();
    loop {
        // An operand is expected. Opening brackets may precede it.
        loop {
            let start = parser.skip_blanks();
            if parser.accept("sqrt") {
                parser.skip_blanks();
                if !parser.accept("(") {
                    return Err(parser.expected(&message!("`(` after sqrt")));
                }
                operators.push((Operator::SquareRoot, start..parser.at));
            } else if parser.accept("(") {
                operators.push((Operator::Open, start..parser.at));
            } else {
                break;
            }
        }
        values.push(Nimber(parser.number()?));
        // After an operand there may be powers and closing brackets. Then an operator or the end
        // must follow.
        loop {
            let start = parser.skip_blanks();
            if parser.accept("**") {
                let exponent = parser.exponent()?;
                let base = values.pop().nimber;
                let power = base
                    .pow(exponent)
                    .ok_or_else(|| division_by_zero(start..parser.at))?;
                values.push_result(Operation::Power(base, exponent), power);
            } else if parser.accept(")") {
                loop {
                    match operators.pop() {
                        None => {
                            return Err(Diagnostic::new(
                                Kind::Syntax,
                                message!("unmatched closing bracket"),
                            )
                            .at(start..start + 1));
                        }
                        Some((Operator::Open, _)) => break,
                        Some((Operator::SquareRoot, _)) => {
                            let value = values.pop().nimber;
                            values.push_result(Operation::Root(value), value.sqrt());
                            break;
                        }
                        Some(operator) => apply(operator, &mut values)?,
                    }
                }
            } else {
                break;
            }
        }
        let start = parser.skip_blanks();
        let operator = if parser.accept("+") || parser.accept("\u{2295}") {
            Operator::Add
        } else if parser.accept("*") || parser.accept("\u{2297}") {
            Operator::Multiply
        } else if parser.accept("/") {
            Operator::Divide
        } else if parser.at == source.len() {
            break;
        } else {
            let error = parser.expected(&message!("one of the operators `+`, `*`, `/` and `**`"));
            // In most languages these symbols denote the nim-sum. In some, the caret denotes
            // powers.
            let sum = ["^", "xor", "XOR"]
                .into_iter()
                .find(|mark| parser.rest().starts_with(mark));
            return Err(match sum {
                Some(_) => error.help(message!("write a nim-sum as 3 + 5, and a power as a**n")),
                None => error,
            });
        };
        // All operators here are left-associative, so operators with the same precedence are also
        // applied.
        while let Some((last, _)) = operators.last()
            && last.precedence() >= operator.precedence()
        {
            let last = operators.pop().expect("just seen");
            apply(last, &mut values)?;
        }
        operators.push((operator, start..parser.at));
    }
    while let Some((operator, span)) = operators.pop() {
        if operator.precedence() == 0 {
            return Err(Diagnostic::new(Kind::Syntax, message!("unclosed bracket")).at(span));
        }
        apply((operator, span), &mut values)?;
    }
    Ok(values.pop().nimber.0)
}

fn apply(
    (operator, span): (Operator, Range<usize>),
    values: &mut Stack<'_>,
) -> Result<(), Diagnostic> {
    let (second, first) = (values.pop(), values.pop());
    let (a, b) = (first.nimber, second.nimber);
    match operator {
        Operator::Add => values.push_result(Operation::Sum(first, second), a + b),
        Operator::Multiply => values.push_result(Operation::Product(a, b), a * b),
        Operator::Divide => {
            let quotient = a.checked_div(b).ok_or_else(|| division_by_zero(span))?;
            values.push_result(Operation::Quotient(a, b), quotient);
        }
        // Opening brackets are removed from the stack at their closing bracket, and are never
        // applied.
        Operator::Open | Operator::SquareRoot => values.push(a),
    }
    Ok(())
}

/// Returns `base` to the power `exponent`. Both are ordinary integers, since powers such as `2**3`
/// can occur in the exponent of a nimber, as in `5**2**3`.
fn power(base: i128, exponent: i128, span: &Range<usize>) -> Result<i128, Diagnostic> {
    if exponent < 0 && base == 0 {
        return Err(division_by_zero(span.clone()));
    }
    // The result would not be an integer. The sign of the base is handled by the caller.
    if exponent < 0 && base > 1 {
        let message = message!("the exponent must be an integer");
        return Err(Diagnostic::new(Kind::Range, message).at(span.clone()));
    }
    // If the base is 0 or 1, the exponent may be arbitrarily large, so `checked_pow` is not used.
    let power = match base {
        0 if exponent == 0 => Some(1),
        0 | 1 => Some(base),
        _ => u32::try_from(exponent)
            .ok()
            .and_then(|exponent| base.checked_pow(exponent)),
    };
    power.ok_or_else(|| {
        let message = message!("the exponent is larger than 2^127 - 1");
        Diagnostic::new(Kind::Overflow, message).at(span.clone())
    })
}

fn division_by_zero(span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Range, message!("0 has no inverse")).at(span)
}

struct NimberParser<'a> {
    source: &'a str,
    at: usize,
}

impl NimberParser<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn skip_blanks(&mut self) -> usize {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.at
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn number(&mut self) -> Result<u64, Diagnostic> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let span = self.at..self.at + length;
        if length == 0 {
            return Err(self.expected(&message!("a nimber (a non-negative integer)")));
        }
        self.at += length;
        self.source[span.clone()].parse().map_err(|_| {
            Diagnostic::new(
                Kind::Overflow,
                message!("the number is larger than 2^64 - 1"),
            )
            .at(span)
        })
    }

    /// Parses the exponent after `**`: an integer, or a power such as `2**3`. A power has
    /// precedence over a sign, so `-2**2` is -4.
    fn exponent(&mut self) -> Result<i128, Diagnostic> {
        let mut numbers = Vec::new();
        let begin = self.skip_blanks();
        loop {
            self.skip_blanks();
            let mut negative = false;
            while self.accept("-") {
                negative = !negative;
                self.skip_blanks();
            }
            numbers.push((negative, i128::from(self.number()?)));
            self.skip_blanks();
            if !self.accept("**") {
                break;
            }
        }
        let span = begin..self.at;
        let signed = |(negative, n): (bool, i128)| if negative { -n } else { n };
        // Powers are right-associative, so the evaluation starts with the last exponent.
        let mut exponent = numbers.pop().map_or(0, signed);
        for (negative, n) in numbers.into_iter().rev() {
            exponent = signed((negative, power(n, exponent, &span)?));
        }
        Ok(exponent)
    }

    fn expected(&self, what: &Message) -> Diagnostic {
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        Diagnostic::new(Kind::Syntax, message!("expected {what}", what)).at(self.at..end)
    }
}
