//! What forms stand on: options, options of options, and so on.

use rustc_hash::FxHashSet;

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// These forms and all that they are written with, each once and after what it is written with.
    /// What takes no braces is written with nothing else.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{3||2|1}", &mut forms, &limits).unwrap();
    /// let texts: Vec<String> = forms.below([hot]).into_iter().map(|form| forms.write(form)).collect();
    /// assert_eq!(texts.len(), 5);
    /// assert_eq!(texts[3..], ["{2|1}", "{3||2|1}"]);
    /// ```
    ///
    /// # Complexity
    /// One look at every form that there is.
    #[must_use]
    pub fn below(&self, forms: impl IntoIterator<Item = Form>) -> Vec<Form> {
        let mut among = vec![false; self.count()];
        for form in forms {
            among[form.0 as usize] = true;
        }
        // A form is made of forms that were there before it.
        let mut found = Vec::new();
        for id in (0..self.count()).rev() {
            if !among[id] {
                continue;
            }
            let form = Form(id as u32);
            found.push(form);
            for option in self.braces(form).into_iter().flatten().flatten() {
                among[option.0 as usize] = true;
            }
        }
        found.reverse();
        found
    }

    /// Returns the size of the game tree of a form: its followers and their options, each follower
    /// once. A number counts 1, a nimber of m m² + m + 1. Nothing where it is above `most`.
    ///
    /// The size does not depend on what else was computed with these forms.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{3||2|1}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.size_within(hot, 100), Some(9));
    /// assert_eq!(forms.size_within(hot, 5), None);
    /// ```
    ///
    /// # Complexity
    /// O(`most`).
    #[must_use]
    pub fn size_within(&self, form: Form, most: u64) -> Option<u64> {
        let mut seen: FxHashSet<Form> = FxHashSet::from_iter([form]);
        let mut open = vec![form];
        let mut size = 0_u64;
        while let Some(form) = open.pop() {
            let own = match self.packed(form) {
                Some(packed) => packed.size(),
                None => 1,
            };
            size = size.saturating_add(own);
            for &option in self.braces(form).into_iter().flatten().flatten() {
                size += 1;
                if seen.insert(option) {
                    open.push(option);
                }
                if size > most {
                    return None;
                }
            }
        }
        (size <= most).then_some(size)
    }
}
