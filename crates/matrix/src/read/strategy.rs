//! Parsing of mixed strategies that are given by their probabilities.

use grundy_base::{Diagnostic, Kind, message};
use num_rational::BigRational;

use super::builder::number_error;
use super::number::number;
use crate::matrix::{MAX_STRATEGIES, Number};
use crate::mixed::Mixed;

/// Parses `count` probabilities separated by commas or spaces.
///
/// # Errors
/// The first error, with its position in the text.
///
/// # Examples
/// ```
/// use grundy_matrix::read::strategy;
/// assert_eq!(strategy("1/2, 0.5, 0", 3).unwrap().support(), [0, 1]);
/// assert!(strategy("1/2, 1/3", 2).is_err());
/// ```
pub fn strategy(text: &str, count: usize) -> Result<Mixed, Diagnostic> {
    let whole = 0..text.len();
    let mut probabilities = Vec::new();
    for field in text.split(|c: char| c == ',' || c.is_whitespace()) {
        if field.is_empty() {
            continue;
        }
        let at = field.as_ptr() as usize - text.as_ptr() as usize;
        let span = at..at + field.len();
        let ratio = match number(field).map_err(|reason| number_error(field, reason, &span))? {
            Number::Small(small) => BigRational::from_integer(small.into()),
            Number::Ratio(ratio) => *ratio,
        };
        if ratio < BigRational::default() {
            return Err(
                Diagnostic::new(Kind::Range, message!("a probability is negative")).at(span),
            );
        }
        probabilities.push(ratio);
        // There are already too many probabilities, so the rest is not parsed.
        if probabilities.len() > MAX_STRATEGIES {
            break;
        }
    }
    if probabilities.len() != count {
        let message = message!(
            "the strategy has {probabilities} probabilities, but the player has {count} choices",
            probabilities = probabilities.len(),
            count
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message)
            .at(whole)
            .help(message!(
                "write one probability for each choice, separated by commas"
            )));
    }
    Mixed::from_probabilities(&probabilities).ok_or_else(|| {
        // The message contains the sum only if computing it is quick.
        let sum = if text.len() > 200 || text.contains(['e', 'E']) {
            String::new()
        } else {
            probabilities.iter().sum::<BigRational>().to_string()
        };
        let message = if sum.is_empty() || sum.len() > 40 {
            message!("the probabilities do not add up to 1")
        } else {
            message!("the probabilities must add up to 1, not {sum}", sum)
        };
        Diagnostic::new(Kind::IllegalPosition, message).at(whole)
    })
}
