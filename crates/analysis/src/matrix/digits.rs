//! Text of fractions for readers. A short fraction is written completely, a long one by its leading
//! digits.

use grundy_matrix::{BigInt, BigRational};

/// Largest number of characters of a fraction that is always written completely.
const MAX_FULL_LENGTH: usize = 30;
/// Largest number of characters of all fractions in a line if they are written completely.
const MAX_LINE_LENGTH: usize = 400;

/// Returns the texts of the fractions in a line of output, and `true` if digits are omitted in at
/// least one text. If the complete texts are too long for a line, each fraction is written by
/// [`short`].
pub(super) fn line<'a>(fractions: impl Iterator<Item = &'a BigRational>) -> (Vec<String>, bool) {
    let fractions: Vec<&BigRational> = fractions.collect();
    let mut full: Vec<String> = fractions.iter().map(ToString::to_string).collect();
    if full.iter().map(String::len).sum::<usize>() <= MAX_LINE_LENGTH {
        return (full, false);
    }
    for (text, fraction) in full.iter_mut().zip(fractions) {
        *text = short(fraction);
    }
    let cut = full.iter().any(|text| text.contains("..."));
    (full, cut)
}

/// Returns the text of a fraction. A long fraction is written as a short integer times a power of
/// ten if possible. Otherwise its leading digits are written, truncated and not rounded.
pub(super) fn short(fraction: &BigRational) -> String {
    let text = fraction.to_string();
    if text.len() <= MAX_FULL_LENGTH {
        return text;
    }
    if let Some(text) = power_of_ten(fraction) {
        return text;
    }
    let negative = *fraction < BigRational::default();
    let sign = if negative { "-" } else { "" };
    let absolute = if negative {
        -fraction
    } else {
        fraction.clone()
    };
    let ten = BigRational::from_integer(BigInt::from(10));
    // The exponent of the first digit is the difference of the two lengths, or one less.
    let digits = |number: &BigInt| number.to_string().len() as i32;
    let mut power = digits(absolute.numer()) - digits(absolute.denom());
    if absolute < ten.pow(power) {
        power -= 1;
    }
    // The quotient, rounded down, consists of the ten leading digits. Floating point would overflow
    // for such long numbers.
    let leading = (absolute / ten.pow(power - 9)).to_integer().to_string();
    match power {
        -6..0 => format!("{sign}0.{}{leading}...", "0".repeat((-power - 1) as usize)),
        0..9 => {
            let (whole, rest) = leading.split_at(power as usize + 1);
            format!("{sign}{whole}.{rest}...")
        }
        _ => format!("{sign}{}.{}...e{power}", &leading[..1], &leading[1..]),
    }
}

/// Returns a fraction as a short integer times a power of ten, such as `-7e-30`. Returns `None` if
/// this is impossible.
fn power_of_ten(fraction: &BigRational) -> Option<String> {
    let (above, below) = (fraction.numer().to_string(), fraction.denom().to_string());
    let zeros = |digits: &str| digits.len() - digits.trim_end_matches('0').len();
    let (factor, power) = if below == "1" {
        let zeros = zeros(&above);
        (above[..above.len() - zeros].to_owned(), zeros as i64)
    } else {
        // The denominator need not be a power of ten: 2/10^30 in lowest terms is 1/(5 · 10^29).
        // Multiplying by a power of ten gives an integer in every such case.
        let power = below.len() as i64;
        let raised = fraction * BigRational::from_integer(BigInt::from(10).pow(power as u32));
        if !raised.is_integer() {
            return None;
        }
        let digits = raised.to_integer().to_string();
        let zeros = zeros(&digits);
        let factor = digits[..digits.len() - zeros].to_owned();
        (factor, zeros as i64 - power)
    };
    // A long integer would be no easier to read than the leading digits.
    (factor.len() <= MAX_FULL_LENGTH / 2).then(|| format!("{factor}e{power}"))
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
        assert_eq!(short(&ratio(&format!("7{}", "0".repeat(30)), "1")), "7e30");
        assert_eq!(
            short(&ratio("-2", &format!("1{}", "0".repeat(30)))),
            "-2e-30"
        );
        let long = "1".repeat(40);
        // R_40 = (10^40 - 1)/9, hence 1.11... · 10^39. Below, 2/R_40 = 18/(10^40 - 1).
        assert_eq!(short(&ratio(&long, "1")), "1.111111111...e39");
        assert_eq!(short(&ratio("-2", &long)), "-1.800000000...e-39");
        // 99...91 / 33...3 is slightly less than 3. Rounding would give 3, which is wrong.
        let below = "3".repeat(40);
        assert_eq!(
            short(&ratio(&format!("{}1", "9".repeat(39)), &below)),
            "2.999999999..."
        );
    }
}
