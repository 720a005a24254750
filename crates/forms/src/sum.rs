//! Sums of values, and integer multiples of a value.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// A sum that is being computed. `pairs` has the pairs of forms whose sums are its options, Left's
/// options first. `sums` has the sums computed so far, in the order of `pairs`.
struct OpenSum {
    a: Form,
    b: Form,
    pairs: Vec<(Form, Form)>,
    /// The number of pairs that belong to Left's options.
    lefts: usize,
    sums: Vec<Form>,
}

impl Forms {
    /// Returns the sum a + b.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{1|0}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.plus(hot, hot, &limits)?, forms.of_integer(1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each pair of a position of `a` and a position of `b` is visited at most once.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Overflow`] if the multiple of up does not fit into 64
    /// bits.
    pub fn plus(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        if let Some(known) = self.known_sum(a, b)? {
            return Ok(known);
        }
        // The stack is explicit, since its depth is the sum of the two birthdays. `answer` is the
        // sum that was popped last.
        let mut stack = vec![self.open_sum(a, b, limits)?];
        let mut answer: Option<Form> = None;
        loop {
            let Some(last) = stack.last_mut() else {
                return Ok(answer.unwrap_or(Form::ZERO));
            };
            last.sums.extend(answer.take());
            let mut next = None;
            while let Some(&(a, b)) = last.pairs.get(last.sums.len()) {
                if let Some(known) = self.known_sum(a, b)? {
                    last.sums.push(known);
                } else {
                    next = Some((a, b));
                    break;
                }
            }
            if let Some((a, b)) = next {
                let next = self.open_sum(a, b, limits)?;
                stack.push(next);
                continue;
            }
            let Some(done) = stack.pop() else { continue };
            let (left, right) = done.sums.split_at(done.lefts);
            let sum = if self.number(done.a).is_some() {
                // Number translation: let x be a number, and let G be canonical and not a number.
                // Then {x + G^L | x + G^R} is the canonical form of x + G.
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

    /// Returns the difference a - b.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{3|1}", &mut forms, &limits).unwrap();
    /// let mean = forms.of_integer(2);
    /// let switch = forms.minus(hot, mean, &limits)?;
    /// assert_eq!(forms.write(switch), "+-1");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::plus`].
    pub fn minus(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let b = self.negative(b);
        self.plus(a, b, limits)
    }

    /// Returns the sum of all forms in `parts`.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Form, Forms, Packed};
    /// let mut forms = Forms::default();
    /// let heaps = [1, 2, 3].map(|n| forms.of_packed(&Packed::nimber(n)));
    /// assert_eq!(forms.total(&heaps, &Limits::default())?, Form::ZERO);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::plus`].
    pub fn total(&mut self, parts: &[Form], limits: &Limits<'_>) -> Result<Form, Stop> {
        self.step(limits)?;
        // The simplest forms are added first. So intermediate sums stay small and occur in more
        // than one sum.
        let mut parts = parts.to_vec();
        parts.sort_by_key(|&part| (self.birthday(part).clone(), part));
        let mut sum = Form::ZERO;
        for part in parts {
            sum = self.plus(sum, part, limits)?;
        }
        Ok(sum)
    }

    /// Returns n·G: the sum of n copies of G if n >= 0, or of |n| copies of -G if n < 0.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// // 3·{2|-1/2} = 3/2 + {2|-1/2}
    /// let triple = forms.times(3, hot, &limits)?;
    /// assert_eq!(forms.write(triple), "{7/2|1}");
    /// let switch = text::read("+-1", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.times(-5, switch, &limits)?, switch);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::plus`].
    pub fn times(&mut self, n: i64, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let form = if n < 0 { self.negative(form) } else { form };
        let mut rest = n.unsigned_abs();
        if self.negative(form) == form {
            // If G = -G, then G + G = 0. So only the parity of n matters.
            rest &= 1;
        }
        if let Some(number) = self.number(form)
            && let Some(n) = i64::try_from(rest).ok()
        {
            let product = number.numerator() * n;
            let exponent = number.exponent();
            return Ok(self.of_number(Dyadic::from_bigint(product, exponent)));
        }
        // Binary multiplication needs only O(log n) sums.
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

    /// Returns the sum if it is trivial, if both forms are packed, or if it is in the cache.
    fn known_sum(&mut self, a: Form, b: Form) -> Result<Option<Form>, Stop> {
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

    /// Returns the key of the sum a + b in the cache. A sum and its negative share the lesser of
    /// their two keys. Also returns whether the value stored under this key is that of the
    /// negative.
    fn sum_key(&self, a: Form, b: Form) -> (u64, bool) {
        let ordered = |a: Form, b: Form| u64::from(a.min(b).0) << 32 | u64::from(a.max(b).0);
        let (one, other) = (ordered(a, b), ordered(self.negative(a), self.negative(b)));
        (one.min(other), other < one)
    }

    /// Starts the sum a + b by listing the pairs of forms whose sums are its options. If `b` is a
    /// number, `a` and `b` are exchanged, so that `a` is a number.
    fn open_sum(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<OpenSum, Stop> {
        self.step(limits)?;
        let (a, b) = match self.number(b) {
            Some(_) => (b, a),
            None => (a, b),
        };
        // By number avoidance, moves in a number are left out if the other form is not a number.
        let number = self.number(a).is_some();
        let mut pairs = Vec::with_capacity(4);
        let mut lefts = 0;
        for player in Player::BOTH {
            if player == Player::Right {
                lefts = pairs.len();
            }
            if !number {
                let moves = self.all_options(a, player, limits)?;
                pairs.extend(self.pool_slice(moves).iter().map(|&option| (option, b)));
            }
            let moves = self.all_options(b, player, limits)?;
            pairs.extend(self.pool_slice(moves).iter().map(|&option| (a, option)));
        }
        Ok(OpenSum {
            a,
            b,
            sums: Vec::with_capacity(pairs.len()),
            pairs,
            lefts,
        })
    }
}
