//! Nimber expressions: `2 * 4 + sqrt(5)`.
//!
//! Here `+`, or `⊕`, is the nim-sum, `*`, or `⊗`, the nim-product, `/` its inverse and `a**n` the
//! n-fold nim-product for a whole number n, which may be negative. Powers group to the right, as in
//! Python, and what stands above the line is a whole number: `2**2**3` is the 8-fold product of 2.
//! Starlark has no `**`, so these expressions have a reader of their own: operators wait on a
//! stack, nothing recurses.

mod steps;

use std::ops::Range;

use grundy::nimber::Nimber;
use grundy::step::Step;
use grundy::{Kind, Message, message};

use self::steps::{Done, Operand, Record};
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
    fn rank(self) -> u8 {
        match self {
            Self::Open | Self::SquareRoot => 0,
            Self::Add => 1,
            Self::Multiply | Self::Divide => 2,
        }
    }
}

/// Most bytes of an expression.
const LENGTH: usize = 1 << 20;

/// Returns the value of a nimber expression.
///
/// # Errors
/// A text that is not an expression, a number beyond 64 bits, a division by 0.
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

/// Returns the value of a nimber expression and how it comes about: the binary columns of sums; for
/// products the distributive law and the rules for 2, 4, 16, 256, ..., as far as they can be
/// written down in reasonable space; quotients and roots are stated with what they are checked by.
///
/// # Errors
/// As [`evaluate`].
///
/// ```
/// use grundy_notation::nimber::explain;
/// let (value, steps) = explain("22 + 51").unwrap();
/// assert_eq!((value, steps[0].code), (37, "nimber_sum"));
/// ```
pub fn explain(source: &str) -> Result<(u64, Vec<Step>), Diagnostic> {
    let mut record = Record::default();
    let value = read(source, &mut |done| record.note(done))?;
    Ok((value, record.steps(value)))
}

/// Values that wait, and who is told what is done with them.
struct Stack<'a> {
    values: Vec<Operand>,
    /// How many operations were done.
    count: usize,
    told: &'a mut dyn FnMut(Done),
}

impl Stack<'_> {
    fn push(&mut self, nimber: Nimber) {
        let made_by = None;
        self.values.push(Operand { nimber, made_by });
    }

    fn pop(&mut self) -> Operand {
        let nothing = Operand {
            nimber: Nimber(0),
            made_by: None,
        };
        self.values.pop().unwrap_or(nothing)
    }

    /// Puts the result of an operation there.
    fn done(&mut self, done: Done, nimber: Nimber) {
        (self.told)(done);
        let made_by = Some(self.count);
        self.values.push(Operand { nimber, made_by });
        self.count += 1;
    }
}

/// Returns the value; `told` hears of every operation.
fn read(source: &str, told: &mut dyn FnMut(Done)) -> Result<u64, Diagnostic> {
    if source.len() > LENGTH {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!("the expression is longer than 1 MiB"),
        )
        .at(0..0));
    }
    let mut reader = NimberReader { source, at: 0 };
    let mut values = Stack {
        values: Vec::new(),
        count: 0,
        told,
    };
    let mut waiting: Vec<(Operator, Range<usize>)> = Vec::new();
    loop {
        // A value is due: opening brackets first.
        loop {
            let start = reader.skip_blanks();
            if reader.eat("sqrt") {
                reader.skip_blanks();
                if !reader.eat("(") {
                    return Err(reader.expected(&message!("`(` after sqrt")));
                }
                waiting.push((Operator::SquareRoot, start..reader.at));
            } else if reader.eat("(") {
                waiting.push((Operator::Open, start..reader.at));
            } else {
                break;
            }
        }
        values.push(Nimber(reader.number()?));
        // After a value: powers and closing brackets, then an operator or the end.
        loop {
            let start = reader.skip_blanks();
            if reader.eat("**") {
                let exponent = reader.exponent()?;
                let base = values.pop().nimber;
                let power = base
                    .pow(exponent)
                    .ok_or_else(|| division_by_zero(start..reader.at))?;
                values.done(Done::Power(base, exponent), power);
            } else if reader.eat(")") {
                loop {
                    match waiting.pop() {
                        None => {
                            return Err(Diagnostic::new(
                                Kind::Syntax,
                                message!("this bracket closes nothing"),
                            )
                            .at(start..start + 1));
                        }
                        Some((Operator::Open, _)) => break,
                        Some((Operator::SquareRoot, _)) => {
                            let value = values.pop().nimber;
                            values.done(Done::Root(value), value.sqrt());
                            break;
                        }
                        Some(operator) => apply(operator, &mut values)?,
                    }
                }
            } else {
                break;
            }
        }
        let start = reader.skip_blanks();
        let operator = if reader.eat("+") || reader.eat("\u{2295}") {
            Operator::Add
        } else if reader.eat("*") || reader.eat("\u{2297}") {
            Operator::Multiply
        } else if reader.eat("/") {
            Operator::Divide
        } else if reader.at == source.len() {
            break;
        } else {
            let refusal = reader.expected(&message!("one of + * / **"));
            // What languages call the nim-sum; others write powers with the same mark.
            let sum = ["^", "xor", "XOR"]
                .into_iter()
                .find(|mark| reader.rest().starts_with(mark));
            return Err(match sum {
                Some(_) => refusal.help(message!("+ is the nim-sum: 3 + 5; a power is a**n")),
                None => refusal,
            });
        };
        while let Some((last, _)) = waiting.last()
            && last.rank() >= operator.rank()
        {
            let last = waiting.pop().expect("just seen");
            apply(last, &mut values)?;
        }
        waiting.push((operator, start..reader.at));
    }
    while let Some((operator, span)) = waiting.pop() {
        if operator.rank() == 0 {
            return Err(
                Diagnostic::new(Kind::Syntax, message!("this bracket is never closed")).at(span),
            );
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
        Operator::Add => values.done(Done::Sum(first, second), a + b),
        Operator::Multiply => values.done(Done::Product(a, b), a * b),
        Operator::Divide => {
            let quotient = a.checked_div(b).ok_or_else(|| division_by_zero(span))?;
            values.done(Done::Quotient(a, b), quotient);
        }
        // These are closed where they were opened and never applied.
        Operator::Open | Operator::SquareRoot => values.push(a),
    }
    Ok(())
}

/// Returns a power of whole numbers, as an exponent of nimbers.
fn power(base: i128, exponent: i128, span: &Range<usize>) -> Result<i128, Diagnostic> {
    if exponent < 0 && base == 0 {
        return Err(division_by_zero(span.clone()));
    }
    if exponent < 0 && base > 1 {
        let message = message!("the exponent is not a whole number");
        return Err(Diagnostic::new(Kind::Range, message).at(span.clone()));
    }
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

struct NimberReader<'a> {
    source: &'a str,
    at: usize,
}

impl NimberReader<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn skip_blanks(&mut self) -> usize {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.at
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn number(&mut self) -> Result<u64, Diagnostic> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let span = self.at..self.at + length;
        if length == 0 {
            return Err(self.expected(&message!("a nimber, a whole number from 0 on,")));
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

    /// What follows `**`: a whole number, which may be a power again. A sign binds less than the
    /// power after it.
    fn exponent(&mut self) -> Result<i128, Diagnostic> {
        let mut numbers = Vec::new();
        let begin = self.skip_blanks();
        loop {
            self.skip_blanks();
            let mut negative = false;
            while self.eat("-") {
                negative = !negative;
                self.skip_blanks();
            }
            numbers.push((negative, i128::from(self.number()?)));
            self.skip_blanks();
            if !self.eat("**") {
                break;
            }
        }
        let span = begin..self.at;
        let signed = |(negative, n): (bool, i128)| if negative { -n } else { n };
        let mut exponent = numbers.pop().map_or(0, signed);
        for (negative, n) in numbers.into_iter().rev() {
            exponent = signed((negative, power(n, exponent, &span)?));
        }
        Ok(exponent)
    }

    fn expected(&self, what: &Message) -> Diagnostic {
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        Diagnostic::new(Kind::Syntax, message!("{what} is expected here", what)).at(self.at..end)
    }
}
