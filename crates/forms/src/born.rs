//! All games born by a day.

use grundy_base::{Dyadic, Limits, Stop};
use rustc_hash::FxHashSet;

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Returns the games born by day n, each once, by birthday.
    ///
    /// Those of the next day have as options of Left a set of these of which none is at least as
    /// great as another, and of Right likewise; all of these pairs are tried.
    ///
    /// # Complexity
    /// 1, 4, 22 and 1,474 games; day 3 tries 9,604 pairs of sets. Beyond day 3 no machine is large
    /// enough.
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

    /// Returns all sets of forms of which no two can be compared.
    fn antichains(&mut self, forms: &[Form], limits: &Limits<'_>) -> Result<Vec<Vec<Form>>, Stop> {
        let mut sets: Vec<Vec<Form>> = vec![Vec::new()];
        for &form in forms {
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
