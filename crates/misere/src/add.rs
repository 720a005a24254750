//! Sums and mates of misère canonical forms.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// A sum that is being computed. Each option of the sum is itself the sum of a pair of forms in
/// `pairs`. `sums` has the sums of the first pairs, as many as are known, in the same order.
struct OpenSum {
    key: u64,
    pairs: Vec<(Form, Form)>,
    sums: Vec<Form>,
}

impl OpenSum {
    /// Returns the approximate size in bytes. Each option has a pair and a sum.
    fn bytes(&self) -> u64 {
        12 * self.pairs.len() as u64 + 64
    }
}

impl Forms {
    /// Returns the canonical form of the sum a + b.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// assert_eq!(forms.plus(two, Form::STAR, &limits)?, forms.nimber(3, &limits)?);
    /// // In misère play, *2 + *2 is not 0.
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.write(twice, 100, &limits)?.unwrap(), "*[*3,*2]");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each pair of an even position of `a` and an even position of `b` (see [`Form::is_even`]) is
    /// visited at most once. A visit looks up one sum for each option of either form.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn plus(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        if let Some(known) = self.known_sum(a, b) {
            return Ok(known);
        }
        self.open_bytes = 0;
        // The stack is explicit, since its depth is the sum of the two birthdays.
        let mut stack = vec![self.open_sum(a, b, limits)?];
        while let Some(last) = stack.last_mut() {
            let mut next = None;
            while let Some(&(a, b)) = last.pairs.get(last.sums.len()) {
                // The known sums belong to the first pairs. So a resumed sum continues with the
                // next pair.
                if let Some(known) = self.known_sum(a, b) {
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
            let sums = std::mem::take(&mut last.sums);
            let key = last.key;
            let sum = self.of_options(&sums, limits)?;
            self.sums.insert(key, sum);
            self.open_bytes -= stack.pop().map_or(0, |done| done.bytes());
        }
        Ok(self.known_sum(a, b).unwrap_or(Form::ZERO))
    }

    /// Returns the canonical form of the sum of all forms in `parts`.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let heaps = [Form::STAR, forms.nimber(2, &limits)?, forms.nimber(3, &limits)?];
    /// let sum = forms.sum(&heaps, &limits)?;
    /// // The heaps 1, 2 and 3 are a P-position, but their sum is not the P-position *.
    /// assert!(forms.is_p(sum));
    /// assert_ne!(sum, Form::STAR);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn sum(&mut self, parts: &[Form], limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut parts = parts.to_vec();
        // The simplest forms are added first. So intermediate sums stay small and occur in more
        // than one sum.
        parts.sort_by_key(|&part| (self.birthday(part), part));
        let mut sum = Form::ZERO;
        for part in parts {
            sum = self.plus(sum, part, limits)?;
        }
        Ok(sum)
    }

    /// Returns the sum if it is in the cache, or if the even part of `a` or of `b` is 0. Otherwise
    /// returns `None`.
    fn known_sum(&self, a: Form, b: Form) -> Option<Form> {
        // Each form is G or G + * for an even G. Since * + * = 0, the stars are added by xor, and
        // only the sums of even forms are stored.
        let star = a.star() ^ b.star();
        let (a, b) = (a.even_part(), b.even_part());
        let sum = if a == Form::ZERO {
            b
        } else if b == Form::ZERO {
            a
        } else {
            *self.sums.get(&key(a, b))?
        };
        Some(Form(sum.0 ^ star))
    }

    /// Starts the computation of the sum of the even parts of the two forms (see
    /// [`Form::even_part`]). Lists the pairs of forms whose sums are the options. These sums must
    /// be computed first.
    fn open_sum(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<OpenSum, Stop> {
        self.step(limits)?;
        let (a, b) = (a.even_part(), b.even_part());
        let mut pairs: Vec<(Form, Form)> = self.options(a).map(|option| (option, b)).collect();
        // If a = b, the moves in `a` and the moves in `b` lead to the same sums.
        if a != b {
            pairs.extend(self.options(b).map(|option| (a, option)));
        }
        let open = OpenSum {
            key: key(a, b),
            pairs,
            sums: Vec::new(),
        };
        self.open_bytes += open.bytes();
        Ok(open)
    }

    /// Returns the mate of G: the game that results if 0 and * are exchanged everywhere in G.
    ///
    /// The sum of G and its mate is a P-position. The misère outcome of G is the normal outcome of
    /// its mate, and conversely (On Numbers and Games, theorem 74).
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// let odd = forms.of_options(&[two], &limits)?;
    /// let game = forms.of_options(&[odd, Form::ZERO], &limits)?;
    /// let mate = forms.mate(game, &limits)?;
    /// assert_eq!(forms.write(mate, 100, &limits)?.unwrap(), "*[*[*2],*]");
    /// assert!(forms.is_p_sum(&[game, mate], &limits)?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each position of the form is visited once.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn mate(&mut self, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        if let Some(mate) = self.known_mate(form) {
            return Ok(mate);
        }
        let mut mate = Form::ZERO;
        for position in self.positions(form, limits)? {
            if let Some(known) = self.known_mate(position) {
                mate = known;
                continue;
            }
            let mates = (self.options(position)).filter_map(|option| self.known_mate(option));
            let mates: Vec<Form> = mates.collect();
            mate = self.of_options(&mates, limits)?;
            self.mates.insert(position, mate);
        }
        // The form has the largest number among its positions. So its mate is computed last.
        Ok(mate)
    }

    /// Returns the mate if it is in the cache, or if the form is 0 or *. Otherwise returns `None`.
    fn known_mate(&self, form: Form) -> Option<Form> {
        if form.even_part() == Form::ZERO {
            return Some(form.plus_star());
        }
        self.mates.get(&form).copied()
    }
}

/// Returns the key under which the cache stores the sum of two even forms. The key does not depend
/// on the order of the two forms.
fn key(a: Form, b: Form) -> u64 {
    u64::from(a.min(b).0) << 32 | u64::from(a.max(b).0)
}
