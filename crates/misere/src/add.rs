//! Sums and mates.

use grundy_base::{Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// A sum on the way: the pairs whose sums are its options, and those sums that are known.
struct Adding {
    key: u64,
    pairs: Vec<(Form, Form)>,
    sums: Vec<Form>,
}

impl Adding {
    /// Returns a pair and a sum for each option.
    fn bytes(&self) -> u64 {
        12 * self.pairs.len() as u64 + 64
    }
}

impl Forms {
    /// Returns the canonical form of a + b.
    ///
    /// # Complexity
    /// At most one visit to each pair of even positions of the two, each with as many sums as both
    /// have options.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn plus(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        if let Some(known) = self.added(a, b) {
            return Ok(known);
        }
        self.adding = 0;
        let mut way = vec![self.add(a, b, limits)?];
        while let Some(last) = way.last_mut() {
            let mut next = None;
            while let Some(&(a, b)) = last.pairs.get(last.sums.len()) {
                if let Some(known) = self.added(a, b) {
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
            let sums = std::mem::take(&mut last.sums);
            let key = last.key;
            let sum = self.of_options(&sums, limits)?;
            self.sums.insert(key, sum);
            self.adding -= way.pop().map_or(0, |done| done.bytes());
        }
        Ok(self.added(a, b).unwrap_or(Form::ZERO))
    }

    /// Returns the canonical form of the sum of several, the simplest first.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn sum(&mut self, parts: &[Form], limits: &Limits<'_>) -> Result<Form, Stop> {
        let mut parts = parts.to_vec();
        parts.sort_by_key(|&part| (self.birthday(part), part));
        let mut sum = Form::ZERO;
        for part in parts {
            sum = self.plus(sum, part, limits)?;
        }
        Ok(sum)
    }

    /// What is known about a sum without looking at options.
    fn added(&self, a: Form, b: Form) -> Option<Form> {
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

    /// Lists the sums that have to be known.
    fn add(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<Adding, Stop> {
        self.step(limits)?;
        let (a, b) = (a.even_part(), b.even_part());
        let mut pairs: Vec<(Form, Form)> = self.options(a).map(|option| (option, b)).collect();
        if a != b {
            pairs.extend(self.options(b).map(|option| (a, option)));
        }
        let adding = Adding {
            key: key(a, b),
            pairs,
            sums: Vec::new(),
        };
        self.adding += adding.bytes();
        Ok(adding)
    }

    /// Returns the mate of G, in which 0 and * have changed places wherever they stand in G: G and
    /// its mate add up to a P-position, and the misère outcome of either is the normal outcome of
    /// the other (On Numbers and Games, theorem 74).
    ///
    /// # Complexity
    /// One visit to each position.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn mate(&mut self, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        if let Some(mate) = self.mated(form) {
            return Ok(mate);
        }
        let mut mate = Form::ZERO;
        for position in self.positions(form, limits)? {
            if let Some(known) = self.mated(position) {
                mate = known;
                continue;
            }
            let mates = (self.options(position)).filter_map(|option| self.mated(option));
            let mates: Vec<Form> = mates.collect();
            mate = self.of_options(&mates, limits)?;
            self.mates.insert(position, mate);
        }
        // The form itself has the largest number of its positions.
        Ok(mate)
    }

    fn mated(&self, form: Form) -> Option<Form> {
        if form.even_part() == Form::ZERO {
            return Some(form.plus_star());
        }
        self.mates.get(&form).copied()
    }
}

/// Returns the key of a sum of even forms.
fn key(a: Form, b: Form) -> u64 {
    u64::from(a.min(b).0) << 32 | u64::from(a.max(b).0)
}
