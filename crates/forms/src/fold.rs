//! Evaluation of a recursive function on forms, from the options upward.

use grundy_base::{Limits, Player, Stop};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Returns the value of a recursive function for a form. The callback `known` returns this
    /// value if it is known without the options. Otherwise `combine` computes it from the
    /// function's values for Left's options and for Right's options. The stack is explicit, so
    /// forms may be nested to any depth.
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

    /// Computes a recursive function like `fold`, but the value for a form may depend on any forms,
    /// not only on its options. The callback `dependencies` returns the forms on which the value
    /// depends, and extra data that is passed to `combine`.
    pub(crate) fn fold_over<T: Clone, N>(
        &mut self,
        root: Form,
        limits: &Limits<'_>,
        mut known: impl FnMut(&mut Self, Form) -> Result<Option<T>, Stop>,
        mut dependencies: impl FnMut(&mut Self, Form) -> Result<(Vec<Form>, N), Stop>,
        mut combine: impl FnMut(&mut Self, Form, &[Form], &[T], &N) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        // This capacity is enough for a small request, and avoids the first resizes.
        let mut answers = FxHashMap::with_capacity_and_hasher(24, FxBuildHasher);
        let mut stack: Vec<(Form, Vec<Form>, N)> = Vec::new();
        let mut next = root;
        loop {
            // If the value of `next` is not known, it is looked up, or the form is pushed onto the
            // stack.
            if !answers.contains_key(&next) {
                self.step(limits)?;
                limits.check((answers.len() + stack.len()) as u64, 0)?;
                if let Some(answer) = known(self, next)? {
                    answers.insert(next, answer);
                } else {
                    let (needed, extra) = dependencies(self, next)?;
                    stack.push((next, needed, extra));
                }
            }
            // The values of forms on the stack are computed as long as all needed values are known.
            loop {
                let Some((form, needed, extra)) = stack.last() else {
                    return Ok(answers[&root].clone());
                };
                let missing = needed.iter().find(|form| !answers.contains_key(form));
                if let Some(&missing) = missing {
                    next = missing;
                    break;
                }
                let values: Vec<T> = needed.iter().map(|form| answers[form].clone()).collect();
                let answer = combine(self, *form, needed, &values, extra)?;
                answers.insert(*form, answer);
                stack.pop();
            }
        }
    }
}
