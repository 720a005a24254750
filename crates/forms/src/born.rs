//! The list of all games born by day n.

use grundy_base::{Dyadic, Limits, Stop};
use rustc_hash::FxHashSet;

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Returns all games born by day `day`, each once, sorted by birthday.
    ///
    /// The games born by day d + 1 are {L | R}, where L and R are sets of games born by day d.
    /// Dominated options can be removed, so only antichains are needed as L and R. Hence all pairs
    /// of antichains are tried.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // The games 0, 1, -1 and * are born by day 1.
    /// assert_eq!(forms.born_by(1, &limits)?.len(), 4);
    /// assert_eq!(forms.born_by(2, &limits)?.len(), 22);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// There are 1, 4, 22 and 1,474 games born by days 0, 1, 2 and 3. For day 3, 9,604 pairs of
    /// sets are tried. No machine is large enough for day 4.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn born_by(&mut self, day: u32, limits: &Limits<'_>) -> Result<Vec<Form>, Stop> {
        let mut born = vec![Form::ZERO];
        for _ in 0..day {
            let sets = self.antichains(&born, limits)?;
            let mut seen: FxHashSet<Form> = FxHashSet::default();
            let mut next = Vec::new();
            for left in &sets {
                for right in &sets {
                    let form = self.canonical(left, right, limits)?;
                    if seen.insert(form) {
                        limits.check(next.len() as u64 + 1, 8)?;
                        next.push(form);
                    }
                }
            }
            born = next;
        }
        let key =
            |forms: &Self, form: Form| -> (Dyadic, Form) { (forms.birthday(form).clone(), form) };
        born.sort_by_cached_key(|&form| key(self, form));
        Ok(born)
    }

    /// Returns all antichains: the sets in which no two forms are comparable.
    fn antichains(&mut self, forms: &[Form], limits: &Limits<'_>) -> Result<Vec<Vec<Form>>, Stop> {
        let mut sets: Vec<Vec<Form>> = vec![Vec::new()];
        for &form in forms {
            // The range `0..sets.len()` is fixed before the loop. So sets that already contain this
            // form are not extended by it again.
            for index in 0..sets.len() {
                let mut free = true;
                for &other in &sets[index] {
                    free = free
                        && !self.at_most(form, other, limits)?
                        && !self.at_most(other, form, limits)?;
                }
                if free {
                    self.step(limits)?;
                    limits.check(sets.len() as u64 + 1, 64)?;
                    let mut larger = sets[index].clone();
                    larger.push(form);
                    sets.push(larger);
                }
            }
        }
        Ok(sets)
    }
}
