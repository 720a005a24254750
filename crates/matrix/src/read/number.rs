//! Exact numbers: an integer, a fraction a/b or a decimal, each with or without an exponent of ten.

use grundy_base::{Kind, Message, message};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow as _, Zero as _};

use crate::divisor::gcd;
use crate::matrix::Number;

/// Largest number of digits of a number when it is written without an exponent.
pub const MAX_DIGITS: usize = 4_000;

/// The reason why a text is not a number: the kind of error, and the end of the error message. The
/// whole message starts with the rejected text, as in "`1/0` divides by zero".
pub type NotANumber = (Kind, Message);

fn too_long() -> NotANumber {
    (Kind::Range, message!("has more than 4,000 digits"))
}

/// Parses a number.
///
/// # Errors
/// The kind of error, and the end of its message.
///
/// # Examples
/// ```
/// use grundy_matrix::{Number, read::number};
/// assert_eq!(number::number("1.5e1"), Ok(Number::Small(15)));
/// assert!(number::number("1/0").is_err());
/// ```
pub fn number(text: &str) -> Result<Number, NotANumber> {
    // U+2212 and U+2013, the minus signs that spreadsheets and papers use.
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}', '\u{2013}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.len() > 2 * MAX_DIGITS {
        return Err(too_long());
    }
    // The fast path, which covers almost all entries of a game: an integer of up to 18 digits fits
    // in `i64`.
    if digits.len() <= 18 && is_digits(digits) {
        let small: i64 = digits.parse().expect("at most 18 digits");
        return Ok(Number::Small(if negative { -small } else { small }));
    }
    let ratio = match digits.split_once('/') {
        Some((numerator, denominator)) => {
            let denominator = integer(denominator)?;
            if denominator.is_zero() {
                return Err((Kind::Range, message!("divides by zero")));
            }
            reduced_fraction(integer(numerator)?, &denominator)
        }
        None => decimal(digits)?,
    };
    Ok(if negative { -ratio } else { ratio }.into())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn integer(text: &str) -> Result<BigInt, NotANumber> {
    if !is_digits(text) {
        return Err(not_a_number(text));
    }
    if text.len() > MAX_DIGITS {
        return Err(too_long());
    }
    Ok(BigInt::parse_bytes(text.as_bytes(), 10).expect("digits"))
}

fn decimal(text: &str) -> Result<BigRational, NotANumber> {
    // Mathematica writes `*^` before an exponent.
    let split = text.split_once("*^");
    let (mantissa, exponent) = match split.or_else(|| text.split_once(['e', 'E'])) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // "1." and ".5" are numbers, but "." is not.
    let written: String = [whole, part].concat();
    if !is_digits(&written) {
        return Err(not_a_number(text));
    }
    let exponent: i64 = match exponent {
        None => 0,
        Some(exponent) => {
            let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            if !is_digits(unsigned) {
                return Err((Kind::Syntax, message!("is not a number")));
            }
            // An exponent that does not fit is replaced by a very large one. Then the number is
            // rejected as too long, unless it is 0.
            let size: i64 = unsigned.parse().unwrap_or(i64::MAX / 4);
            if exponent.starts_with('-') {
                -size
            } else {
                size
            }
        }
    };
    let digits = written.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(BigRational::zero());
    }
    // The limit applies to the number written without an exponent, since a few bytes such as
    // `1e999999999` could be a huge number.
    let shift = exponent - part.len() as i64;
    if digits.len() > MAX_DIGITS || shift.unsigned_abs() > MAX_DIGITS as u64 {
        return Err(too_long());
    }
    let mantissa = integer(digits)?;
    let power = BigInt::from(10).pow(shift.unsigned_abs());
    Ok(if shift < 0 {
        reduced_fraction(mantissa, &power)
    } else {
        (mantissa * power).into()
    })
}

/// Returns the fraction `numerator` / `denominator` in lowest terms.
fn reduced_fraction(numerator: BigInt, denominator: &BigInt) -> BigRational {
    // `BigRational::new` would use the gcd of the library, which is slow if the lengths differ
    // much.
    let common = gcd(&numerator, denominator);
    BigRational::new_raw(numerator / &common, denominator / common)
}

fn not_a_number(text: &str) -> NotANumber {
    let bare: String = text.chars().take(9).flat_map(char::to_lowercase).collect();
    match bare.as_str() {
        "nan" => (Kind::Range, message!("is not a valid payoff")),
        "inf" | "infinity" | "∞" => (Kind::Range, message!("is not finite")),
        _ => (Kind::Syntax, message!("is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> BigRational {
        match number(text).unwrap() {
            Number::Small(small) => BigRational::from_integer(small.into()),
            Number::Ratio(ratio) => *ratio,
        }
    }

    #[test]
    fn numbers_are_read_exactly() {
        let is = |text: &str, a: i64, b: i64| {
            assert_eq!(ratio(text), BigRational::new(a.into(), b.into()), "{text}");
        };
        is("0", 0, 1);
        is("-7", -7, 1);
        is("\u{2212}7", -7, 1);
        is("+7/21", 1, 3);
        is("-4/6", -2, 3);
        is("0.1", 1, 10);
        is(".5", 1, 2);
        is("3.", 3, 1);
        is("1.25e1", 25, 2);
        is("125E-3", 1, 8);
        is("-0e999999999999", 0, 1);
        assert_eq!(
            ratio("1e-30"),
            BigRational::new(1.into(), BigInt::from(10).pow(30_u32))
        );
        assert_eq!(
            ratio("999999999999999999999"),
            BigRational::from_integer("999999999999999999999".parse().unwrap())
        );
    }

    #[test]
    fn invalid_numbers_are_rejected() {
        for text in [
            "",
            "-",
            ".",
            "x",
            "1/0",
            "0/0",
            "1/",
            "/2",
            "1/2/3",
            "1.5/2",
            "NaN",
            "inf",
            "Infinity",
            "1e",
            "e5",
            "1e+",
            "1e1.5",
            "--1",
            "1_000",
            "0x10",
            "1e999999999",
            "1e-999999999",
            "٣",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(number(&"9".repeat(100_000)).is_err());
        assert!(number(&format!("1/{}", "9".repeat(4_001))).is_err());
    }
}
