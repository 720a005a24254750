//! Tests of numbers with long denominators: their text is short, and parsing the text gives the
//! number again.

use grundy_base::{Dyadic, Kind, Limits};
use grundy_forms::Forms;
use grundy_forms::text::parse;
use num_bigint::BigInt;
use proptest::prelude::*;

/// Parses a value and formats it. Returns the text, and the number if the value is a number.
fn read(text: &str) -> (String, Option<Dyadic>) {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let form = forms.evaluate(&parse(text).unwrap(), &limits).unwrap();
    let written = forms.write_within(form, &limits).unwrap();
    (written, forms.number(form).cloned())
}

proptest! {
    #[test]
    fn numbers_read_back(numerator: i64, up in 0u64..300, exponent in 0u32..20_000) {
        let number = Dyadic::from_bigint(BigInt::from(numerator) << up, exponent);
        let text = number.to_string();
        prop_assert_eq!(read(&text), (text.clone(), Some(number.clone())));
        // The denominator in digits gives the same number.
        let digits = format!("{}/{}", number.numerator(), BigInt::from(1) << number.exponent());
        prop_assert_eq!(read(&digits), (text.clone(), Some(number)));
    }

    #[test]
    fn ups_after_a_number_are_not_exponents(numerator in 0i64..1000, exponent in 0u32..200, ups in 1u32..99) {
        let number = Dyadic::new((2 * numerator + 1).into(), exponent);
        let text = format!("{number}^{ups}*");
        let (written, found) = read(&text);
        prop_assert_eq!(found, None);
        prop_assert_eq!(read(&written).0, written.clone());
        if ups > 2 {
            prop_assert_eq!(written, text);
        }
    }
}

#[test]
fn denominators_of_more_than_64_bits_are_powers() {
    for (text, short) in [
        ("1/(2^9999)", "1/(2^9999)"),
        ("-6/(2^101)", "-3/(2^100)"),
        ("3/(2^2)", "3/4"),
        ("1/(2^64)", "1/18446744073709551616"),
        ("1/36893488147419103232", "1/(2^65)"),
        ("4/(2^2)", "1"),
        ("0/(2^9999)", "0"),
        ("5/(2^0)", "5"),
        ("{0|1/(2^9999)}", "1/(2^10000)"),
        ("{1/(2^100)|-1}", "{1/(2^100)|-1}"),
        // Without parentheses, 1/2^100 is a half plus a hundred ups.
        ("1/2^100", "1/2^100"),
    ] {
        assert_eq!(read(text).0, short, "{text}");
    }
}

#[test]
fn exponents_have_the_bound_of_digits() {
    assert!(parse("1/(2^66438)").is_ok());
    // The bound for exponents agrees with the bound of 20,000 digits.
    assert_eq!((BigInt::from(1) << 66_438u32).to_string().len(), 20_000);
    for (text, place) in [
        ("1/(2^66439)", 5..10),
        ("1/(2^99999999999999999999)", 5..25),
        ("1/(2^)", 2..3),
        ("1/(2^5", 2..3),
        ("1/(3^5)", 2..3),
        ("1/()", 2..3),
        ("1/(2^-5)", 2..3),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.kind, Kind::Range, "{text}");
        assert_eq!(error.span, Some(place), "{text}");
    }
}
