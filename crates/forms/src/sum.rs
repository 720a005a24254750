//! Sums and multiples of values.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// A sum on the way: the pairs whose sums are its options, Left's first, and what is known of them.
struct Adding {
    a: Form,
    b: Form,
    pairs: Vec<(Form, Form)>,
    /// How many of the pairs are Left's.
    lefts: usize,
    sums: Vec<Form>,
}

impl Forms {
    /// a + b.
    ///
    /// # Complexity
    /// At most one visit to each pair of positions of the two.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Overflow`] for ups beyond 2^63.
    pub fn plus(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        if let Some(known) = self.added(a, b)? {
            return Ok(known);
        }
        let mut way = vec![self.add(a, b, limits)?];
        let mut answer: Option<Form> = None;
        loop {
            let Some(last) = way.last_mut() else {
                return Ok(answer.unwrap_or(Form::ZERO));
            };
            last.sums.extend(answer.take());
            let mut next = None;
            while let Some(&(a, b)) = last.pairs.get(last.sums.len()) {
                if let Some(known) = self.added(a, b)? {
                    last.sums.push(known);
                } else {
                    next = Some((a, b));
                    break;
                }
            }
            if let Some((a, b)) = next {
                let next = self.add(a, b, limits)?;
                way.push(next);
                continue;
            }
            let Some(done) = way.pop() else { continue };
            let (left, right) = done.sums.split_at(done.lefts);
            let sum = if self.number(done.a).is_some() {
                // A form that is no number, moved by a number, is canonical as it stands.
                let sorted = |options: &[Form]| {
                    let mut options = options.to_vec();
                    options.sort_unstable();
                    options
                };
                self.of_braces(&sorted(left), &sorted(right))
            } else {
                self.canonical(left, right, limits)?
            };
            let key = self.sum_key(done.a, done.b);
            let kept = if key.1 { self.negative(sum) } else { sum };
            self.sums.insert(key.0, kept);
            answer = Some(sum);
        }
    }

    /// a - b.
    ///
    /// # Errors
    /// As [`Forms::plus`].
    pub fn minus(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let b = self.negative(b);
        self.plus(a, b, limits)
    }

    /// Returns the sum of several, the simplest first.
    ///
    /// # Errors
    /// As [`Forms::plus`].
    pub fn total(&mut self, parts: &[Form], limits: &Limits<'_>) -> Result<Form, Stop> {
        self.step(limits)?;
        let mut parts = parts.to_vec();
        parts.sort_by_key(|&part| (self.birthday(part).clone(), part));
        let mut sum = Form::ZERO;
        for part in parts {
            sum = self.plus(sum, part, limits)?;
        }
        Ok(sum)
    }

    /// n·G: G as many times, or its negative.
    ///
    /// # Errors
    /// As [`Forms::plus`].
    pub fn times(&mut self, n: i64, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let form = if n < 0 { self.negative(form) } else { form };
        let mut rest = n.unsigned_abs();
        if self.negative(form) == form {
            // Two of them are nothing.
            rest &= 1;
        }
        if let Some(number) = self.number(form)
            && let Some(n) = i64::try_from(rest).ok()
        {
            let product = number.numerator() * n;
            let exponent = number.exponent();
            return Ok(self.of_number(Dyadic::of_integer(product, exponent)));
        }
        let (mut sum, mut power) = (Form::ZERO, form);
        loop {
            if rest & 1 == 1 {
                sum = self.plus(sum, power, limits)?;
            }
            rest >>= 1;
            if rest == 0 {
                return Ok(sum);
            }
            power = self.plus(power, power, limits)?;
        }
    }

    /// What is known about a sum without looking at options.
    fn added(&mut self, a: Form, b: Form) -> Result<Option<Form>, Stop> {
        if let (Some(one), Some(other)) = (self.packed(a), self.packed(b)) {
            let sum = one.plus(other).ok_or(Stop::Overflow)?;
            return Ok(Some(self.of_packed(&sum)));
        }
        if a == Form::ZERO || b == Form::ZERO {
            return Ok(Some(if a == Form::ZERO { b } else { a }));
        }
        if self.negative(a) == b {
            return Ok(Some(Form::ZERO));
        }
        let (key, negated) = self.sum_key(a, b);
        let known = self.sums.get(&key).copied();
        Ok(known.map(|sum| if negated { self.negative(sum) } else { sum }))
    }

    /// Returns the key of a sum or of its negative, whichever is less; whether it is that of the
    /// negative.
    fn sum_key(&self, a: Form, b: Form) -> (u64, bool) {
        let ordered = |a: Form, b: Form| u64::from(a.min(b).0) << 32 | u64::from(a.max(b).0);
        let (one, other) = (ordered(a, b), ordered(self.negative(a), self.negative(b)));
        (one.min(other), other < one)
    }

    /// Lists the sums that have to be known. A number, if there is one, is put first.
    fn add(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Adding, Stop> {
        self.step(limits)?;
        let (a, b) = match self.number(b) {
            Some(_) => (b, a),
            None => (a, b),
        };
        // Moves in numbers need not be tried where something else is there.
        let number = self.number(a).is_some();
        let mut pairs = Vec::with_capacity(4);
        let mut lefts = 0;
        for player in Player::BOTH {
            if player == Player::Right {
                lefts = pairs.len();
            }
            if !number {
                let moves = self.all_options(a, player, limits)?;
                pairs.extend(self.listed(moves).iter().map(|&option| (option, b)));
            }
            let moves = self.all_options(b, player, limits)?;
            pairs.extend(self.listed(moves).iter().map(|&option| (a, option)));
        }
        Ok(Adding {
            a,
            b,
            sums: Vec::with_capacity(pairs.len()),
            pairs,
            lefts,
        })
    }
}
