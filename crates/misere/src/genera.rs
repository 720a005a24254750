//! Computation of the genera of forms and of sums of forms.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::genus::{Genus, of_options};
use crate::sums::Parts;

impl Forms {
    /// Returns the genus of the form.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// assert_eq!(forms.genus(two, &limits)?.to_string(), "2^20");
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.genus(twice, &limits)?.to_string(), "0^02");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each even position (see [`Form::is_even`]) whose genus is not known is visited once. A visit
    /// to a position takes k·d steps if the position has k options and a genus of d digits.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn genus(&mut self, form: Form, limits: &Limits<'_>) -> Result<Genus, Stop> {
        // The stack is explicit, and a form is visited again after its options.
        let mut stack = vec![form.even_part()];
        while let Some(&last) = stack.last() {
            if self.genera.contains_key(&last.0) {
                stack.pop();
                continue;
            }
            self.step(limits)?;
            let before = stack.len();
            let options = self.options(last).map(Form::even_part);
            stack.extend(options.filter(|option| !self.genera.contains_key(&option.0)));
            if stack.len() > before {
                limits.check(1, 4 * stack.len() as u64)?;
                continue;
            }
            let options: Vec<(&[u32], u32)> = (self.options(last))
                .map(|option| (self.known_digits(option), option.star()))
                .collect();
            let digits = of_options(&options);
            let start = self.digits.len() as u32;
            let Ok(end) = u32::try_from(self.digits.len() + digits.len()) else {
                return Err(Stop::Memory(limits.memory));
            };
            self.digits.extend(digits);
            self.genera.insert(last.0, [start, end]);
            stack.pop();
        }
        let even = form.even_part();
        let digits = self.known_digits(even);
        Ok(Genus::new(self.grundy(even), digits, form.star()))
    }

    /// Returns the digits of the genus of the even part of the form. This genus must be in the
    /// cache.
    fn known_digits(&self, form: Form) -> &[u32] {
        let [start, end] = self.genera[&form.even_part().0];
        &self.digits[start as usize..end as usize]
    }
}

/// The forms as parts of sums. A form G + * counts as the two parts G and *.
impl Parts for Forms {
    fn options(&self, part: u32, visit: &mut dyn FnMut(&[u32])) {
        let star = Form::STAR.0;
        for option in Self::options(self, Form(part)) {
            visit(&[option.even_part().0, star][..=option.star() as usize]);
        }
    }

    fn is_zero(&self, part: u32) -> bool {
        Form(part) == Form::ZERO
    }

    fn is_star(&self, part: u32) -> bool {
        Form(part) == Form::STAR
    }
}

impl Forms {
    /// Returns the genus of the sum of `parts` without computing the canonical form of the sum. The
    /// canonical form may be too large even if the sum has few positions.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// assert_eq!(forms.genus_of_sum(&[two, two], &limits)?.to_string(), "0^02");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each position of the sum is visited once. Positions that differ only in the order of their
    /// parts count as one. A visit takes k·d steps, if the position has k options and its genus has
    /// d digits.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn genus_of_sum(&mut self, parts: &[Form], limits: &Limits<'_>) -> Result<Genus, Stop> {
        let grundy = (parts.iter()).fold(0, |sum, &part| sum ^ self.grundy(part));
        let star = Form::STAR.0;
        let split = (parts.iter()).flat_map(|part| {
            [part.even_part().0, star]
                .into_iter()
                .take(1 + part.star() as usize)
        });
        let split: Vec<u32> = split.collect();
        let mut sums = std::mem::take(&mut self.sum_genera);
        let genus = sums.digits(&split, self, limits);
        // The nim-value `grundy` already includes the stars. Since `Genus::new` adds `star` by xor,
        // it is removed first.
        let genus = genus.map(|(digits, star)| Genus::new(grundy ^ star, digits, star));
        self.sum_genera = sums;
        genus
    }

    /// Returns whether the sum of `parts` is a P-position in misère play, without computing the
    /// canonical form of the sum.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let heaps = [Form::STAR, forms.nimber(2, &limits)?, forms.nimber(3, &limits)?];
    /// assert!(forms.is_p_sum(&heaps, &limits)?);
    /// assert!(!forms.is_p_sum(&[Form::STAR, Form::STAR], &limits)?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::genus_of_sum`].
    pub fn is_p_sum(&mut self, parts: &[Form], limits: &Limits<'_>) -> Result<bool, Stop> {
        Ok(self.genus_of_sum(parts, limits)?.digit(0) == 0)
    }
}
