//! Followers of forms: their options, the options of their options, and so on.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Returns the given forms and all their followers, each form once. The options of a form
    /// precede the form. The followers of packed forms are left out.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{3||2|1}", &mut forms, &limits).unwrap();
    /// let followers = forms.followers([hot]).into_iter();
    /// let texts: Vec<String> = followers.map(|form| forms.write(form)).collect();
    /// assert_eq!(texts.len(), 5);
    /// assert_eq!(texts[3..], ["{2|1}", "{3||2|1}"]);
    /// ```
    ///
    /// # Complexity
    /// One visit to every form in the interner.
    #[must_use]
    pub fn followers(&self, forms: impl IntoIterator<Item = Form>) -> Vec<Form> {
        let mut wanted = vec![false; self.count()];
        for form in forms {
            wanted[form.0 as usize] = true;
        }
        // Every form is created after its options. So one pass from the last form to the first
        // finds all followers.
        let mut found = Vec::new();
        for id in (0..self.count()).rev() {
            if !wanted[id] {
                continue;
            }
            let form = Form(id as u32);
            found.push(form);
            for option in self.braces(form).into_iter().flatten().flatten() {
                wanted[option.0 as usize] = true;
            }
        }
        found.reverse();
        found
    }

    /// Copies a form and its followers from another interner, and returns the form in this one.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, mut others) = (Forms::default(), Forms::default());
    /// let limits = Limits::default();
    /// let hot = text::read("{3||2|1}", &mut others, &limits).unwrap();
    /// let copied = forms.import(&others, hot);
    /// assert_eq!(text::read("{3||2|1}", &mut forms, &limits), Ok(copied));
    /// ```
    ///
    /// # Complexity
    /// One visit to every form in the other interner, and one copy of each follower.
    pub fn import(&mut self, other: &Self, form: Form) -> Form {
        let mut copied: FxHashMap<Form, Form> = FxHashMap::default();
        for follower in other.followers([form]) {
            let copy = match (other.packed(follower), other.braces(follower)) {
                (Some(packed), _) => self.of_packed(packed),
                (None, Some(lists)) => {
                    // A list is sorted by the numbers of its forms, which differ between interners.
                    let [left, right] = lists.map(|options| {
                        let mut options: Vec<Form> =
                            options.iter().map(|option| copied[option]).collect();
                        options.sort_unstable();
                        options
                    });
                    self.of_braces(&left, &right)
                }
                (None, None) => unreachable!("a form is packed or has lists of options"),
            };
            copied.insert(follower, copy);
        }
        copied[&form]
    }

    /// Returns the size of the game tree of a form. This is the sum, over the form and its
    /// different followers, of 1 plus the number of options. However, the value x + n·↑ + *m counts
    /// 2·|n| + m² + m + 1, and its followers are not visited. So a number counts 1. Returns `None`
    /// if the size is greater than `most`.
    ///
    /// The size is the same in every interner.
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
