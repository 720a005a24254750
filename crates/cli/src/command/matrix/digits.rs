//! Fractions for readers: in full where they are short, else their leading digits.

use grundy_matrix::{BigInt, BigRational};

/// Longest fraction that is printed in full.
const LENGTH: usize = 30;

/// The fraction, or its leading digits where it is long: cut, not rounded, so all shown are right.
pub(super) fn short(fraction: &BigRational) -> String {
    let text = fraction.to_string();
    if text.len() <= LENGTH {
        return text;
    }
    let negative = *fraction < BigRational::default();
    let sign = if negative { "-" } else { "" };
    let size = if negative {
        -fraction
    } else {
        fraction.clone()
    };
    let ten = BigRational::from_integer(BigInt::from(10));
    // The power of ten of the first digit, first estimated from the lengths of both numbers.
    let digits = |number: &BigInt| number.to_string().len() as i32;
    let mut power = digits(size.numer()) - digits(size.denom());
    if size < ten.pow(power) {
        power -= 1;
    }
    let leading = (size / ten.pow(power - 9)).to_integer().to_string();
    match power {
        -6..0 => format!("{sign}0.{}{leading}...", "0".repeat((-power - 1) as usize)),
        0..9 => {
            let (whole, rest) = leading.split_at(power as usize + 1);
            format!("{sign}{whole}.{rest}...")
        }
        _ => format!("{sign}{}.{}...e{power}", &leading[..1], &leading[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fractions_show_their_leading_digits() {
        let ratio = |above: &str, below: &str| {
            BigRational::new(above.parse().unwrap(), below.parse().unwrap())
        };
        assert_eq!(short(&ratio("-1", "3")), "-1/3");
        let long = "1".repeat(40);
        assert_eq!(short(&ratio(&long, "1")), "1.111111111...e39");
        assert_eq!(short(&ratio("-2", &long)), "-1.800000000...e-39");
        let below = "3".repeat(40);
        assert_eq!(
            short(&ratio(&format!("{}1", "9".repeat(39)), &below)),
            "2.999999999..."
        );
    }
}
