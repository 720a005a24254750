//! What forms stand on: options, options of options, and so on.

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// These forms and all that they are written with, each once and after what it is written with. What takes no braces is
    /// written with nothing else.
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
}
