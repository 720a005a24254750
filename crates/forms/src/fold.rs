//! What is worked out of a form from what was worked out of its options.

use grundy_base::{Limits, Player, Stop};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Works something out for a form: `known` answers without options, `combine` from the answers
    /// for Left's options and Right's. The way down is a list, however deep the form.
    pub(crate) fn fold<T: Clone>(
        &mut self,
        root: Form,
        limits: &Limits<'_>,
        known: impl FnMut(&mut Self, Form) -> Result<Option<T>, Stop>,
        mut combine: impl FnMut(&mut Self, Form, &[T], &[T]) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let both = |forms: &mut Self, form: Form| {
            let mut options = forms.options_of(form, Player::Left, limits)?;
            let left = options.len();
            options.extend(forms.options_of(form, Player::Right, limits)?);
            Ok((options, left))
        };
        self.fold_over(
            root,
            limits,
            known,
            both,
            |forms, form, _, answers, &left| {
                let (left, right) = answers.split_at(left);
                combine(forms, form, left, right)
            },
        )
    }

    /// Returns the same over any other forms that an answer needs: `needs` names them, with a note
    /// for `combine`, which is given both.
    pub(crate) fn fold_over<T: Clone, N>(
        &mut self,
        root: Form,
        limits: &Limits<'_>,
        mut known: impl FnMut(&mut Self, Form) -> Result<Option<T>, Stop>,
        mut needs: impl FnMut(&mut Self, Form) -> Result<(Vec<Form>, N), Stop>,
        mut combine: impl FnMut(&mut Self, Form, &[Form], &[T], &N) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mut answers = FxHashMap::with_capacity_and_hasher(24, FxBuildHasher);
        let mut way: Vec<(Form, Vec<Form>, N)> = Vec::new();
        let mut next = root;
        loop {
            // Down to something known.
            if !answers.contains_key(&next) {
                self.step(limits)?;
                limits.check((answers.len() + way.len()) as u64, 0)?;
                if let Some(answer) = known(self, next)? {
                    answers.insert(next, answer);
                } else {
                    let (needed, note) = needs(self, next)?;
                    way.push((next, needed, note));
                }
            }
            // And up again as far as all that is needed is known.
            loop {
                let Some((form, needed, note)) = way.last() else {
                    return Ok(answers[&root].clone());
                };
                let missing = needed.iter().find(|form| !answers.contains_key(form));
                if let Some(&missing) = missing {
                    next = missing;
                    break;
                }
                let given: Vec<T> = needed.iter().map(|form| answers[form].clone()).collect();
                let answer = combine(self, *form, needed, &given, note)?;
                answers.insert(*form, answer);
                way.pop();
            }
        }
    }
}
