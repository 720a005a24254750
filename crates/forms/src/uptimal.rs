//! Uptimals: sums of a number, multiples of powers of up, and a nimber.
//!
//! The powers are ↑^n = {0 | ↓[n-1]*}. Their sums are ↑[n] = ↑^1 + ... + ↑^n = {↑[n-1] | *} (J. H.
//! Conway, A. Ryba, see A. N. Siegel, Combinatorial Game Theory, 2013, section II.5).

use std::fmt;

use grundy_base::{Dyadic, Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// The value x + d1·↑ + d2·↑^2 + ... + *m.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uptimal {
    /// The number x.
    pub number: Dyadic,
    /// The multiples d1, d2, ... of the powers. The last one is not 0.
    pub powers: Vec<i64>,
    /// The index m of the nimber.
    pub star: u64,
}

/// Writes the uptimal, for example as `1/2 + ^ - 2·^<2> + *`.
impl fmt::Display for Uptimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<(bool, String)> = Vec::new();
        if self.number != Dyadic::ZERO {
            parts.push((self.number.sign().is_lt(), self.number.abs().to_string()));
        }
        for (n, &count) in (1..).zip(&self.powers) {
            let power = if n == 1 {
                "^".to_owned()
            } else {
                format!("^<{n}>")
            };
            match count.unsigned_abs() {
                0 => {}
                1 => parts.push((count < 0, power)),
                times => parts.push((count < 0, format!("{times}·{power}"))),
            }
        }
        match self.star {
            0 => {}
            1 => parts.push((false, "*".to_owned())),
            star => parts.push((false, format!("*{star}"))),
        }
        if parts.is_empty() {
            return f.write_str("0");
        }
        for (index, (negative, part)) in parts.iter().enumerate() {
            let sign = match (index, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            write!(f, "{sign}{part}")?;
        }
        Ok(())
    }
}

/// Largest n for which the power ↑^n is recognized.
const MAX_POWERS: usize = 24;

impl Forms {
    /// Returns `^[n]` = `^<1>` + `^<2>` + ... + `^<n>` if n >= 0, or its negative `v[|n|]` if
    /// n < 0.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let sum = forms.up_to(2, &limits)?;
    /// assert_eq!(text::read("{^|*}", &mut forms, &limits), Ok(sum));
    /// let negative = forms.up_to(-2, &limits)?;
    /// assert_eq!(forms.write(negative), "v[2]");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn up_to(&mut self, n: i64, limits: &Limits<'_>) -> Result<Form, Stop> {
        let star = self.of_packed(&Packed::nimber(1));
        let count = usize::try_from(n.unsigned_abs()).map_err(|_| Stop::Overflow)?;
        while self.ups[0].len() < count {
            let last = self.ups[0].last().copied().unwrap_or(Form::ZERO);
            let next = self.canonical(&[last], &[star], limits)?;
            self.ups[0].push(next);
            self.extra_bytes += 4;
        }
        let sum = count
            .checked_sub(1)
            .map_or(Form::ZERO, |last| self.ups[0][last]);
        Ok(if n < 0 { self.negative(sum) } else { sum })
    }

    /// Returns the power ↑^n if n >= 1, or its negative ↓^|n| if n <= -1.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [up, square] = [forms.up_power(1, &limits)?, forms.up_power(2, &limits)?];
    /// assert_eq!(forms.write(square), "^<2>");
    /// assert_eq!(forms.plus(up, square, &limits)?, forms.up_to(2, &limits)?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn up_power(&mut self, n: i64, limits: &Limits<'_>) -> Result<Form, Stop> {
        let star = self.of_packed(&Packed::nimber(1));
        let count = usize::try_from(n.unsigned_abs()).map_err(|_| Stop::Overflow)?;
        while self.ups[1].len() < count {
            // The next power is ↑^n, and `below` is ↓[n-1].
            let below = self.up_to(-(self.ups[1].len() as i64), limits)?;
            let right = self.plus(below, star, limits)?;
            let next = self.canonical(&[Form::ZERO], &[right], limits)?;
            self.ups[1].push(next);
            self.extra_bytes += 4;
        }
        let power = count
            .checked_sub(1)
            .map_or(Form::ZERO, |last| self.ups[1][last]);
        Ok(if n < 0 { self.negative(power) } else { power })
    }

    /// Returns the form as an uptimal, that is, a sum of a number, multiples of powers of up, and a
    /// nimber. Returns `None` if the form is not such a sum.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let form = text::read("^[2] + ^ + *", &mut forms, &limits).unwrap();
    /// let uptimal = forms.uptimal(form, &limits)?.unwrap();
    /// assert_eq!(uptimal.powers, [2, 1]);
    /// assert_eq!(uptimal.to_string(), "2·^ + ^<2> + *");
    /// let switch = text::read("+-1", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.uptimal(switch, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn uptimal(&mut self, form: Form, limits: &Limits<'_>) -> Result<Option<Uptimal>, Stop> {
        let Some(number) = self.number_part(form).cloned() else {
            return Ok(None);
        };
        let minus_number = self.of_number(-&number);
        let mut rest = self.plus(form, minus_number, limits)?;
        let mut powers = Vec::new();
        // Nimbers and the powers ↑^n with n >= 2 have atomic weight 0. So the atomic weight is the
        // multiple of ↑.
        if let Some(weight) = self.atomic_weight(rest, limits)? {
            let Some(ups) = self.number(weight).and_then(Dyadic::to_i64) else {
                return Ok(None);
            };
            powers.push(ups);
            let ups = self.of_packed(&Packed::ups(ups, 0));
            rest = self.minus(rest, ups, limits)?;
        } else {
            return Ok(None);
        }
        // Each power is infinitesimal compared with the power before it. So the multiples are found
        // one after the other.
        while self.packed(rest).is_none() {
            let n = powers.len() as i64 + 1;
            if powers.len() == MAX_POWERS {
                return Ok(None);
            }
            let power = self.up_power(n, limits)?;
            let Some((count, less)) = self.peel(rest, power, limits)? else {
                return Ok(None);
            };
            powers.push(count);
            rest = less;
        }
        let packed = self.packed(rest).cloned().unwrap_or(Packed::ZERO);
        if packed.ups != 0 {
            return Ok(None);
        }
        while powers.last() == Some(&0) {
            powers.pop();
        }
        Ok(Some(Uptimal {
            number,
            powers,
            star: packed.star,
        }))
    }

    /// Returns an integer n and the rest that remains when n times `power` is subtracted from the
    /// form. Twice the rest lies strictly between -`power` and `power`. Returns `None` if no such n
    /// is found.
    fn peel(
        &mut self,
        form: Form,
        power: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<(i64, Form)>, Stop> {
        // Small multiples are the most frequent, so they are tried first.
        let most = self
            .birthday(form)
            .to_i64()
            .unwrap_or(0)
            .min(MAX_POWERS as i64);
        let against = self.negative(power);
        for size in 0..=most {
            for count in if size == 0 {
                vec![0]
            } else {
                vec![size, -size]
            } {
                let taken = self.times(count, power, limits)?;
                let rest = self.minus(form, taken, limits)?;
                let twice = self.plus(rest, rest, limits)?;
                let under = twice != power && self.at_most(twice, power, limits)?;
                let over = twice != against && self.at_most(against, twice, limits)?;
                if under && over {
                    return Ok(Some((count, rest)));
                }
            }
        }
        Ok(None)
    }
}
