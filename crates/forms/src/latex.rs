//! Values as LaTeX text.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::text::Style;

/// The style that writes TeX for math mode.
struct Tex;

impl Style for Tex {
    fn number(&self, number: &Dyadic) -> String {
        let (sign, size) = (if number.sign().is_lt() { "-" } else { "" }, number.abs());
        let text = size.to_string();
        match text.split_once('/') {
            Some((above, below)) => {
                let power = below.strip_prefix("(2^");
                let power = power.and_then(|power| power.strip_suffix(')'));
                let power = power.map(|power| format!("2^{{{power}}}"));
                let below = power.as_deref().unwrap_or(below);
                format!(r"{sign}\tfrac{{{above}}}{{{below}}}")
            }
            None => format!("{sign}{text}"),
        }
    }

    fn ups(&self, n: i64) -> String {
        let [single, double] = if n > 0 {
            [r"{\uparrow}", r"{\Uparrow}"]
        } else {
            [r"{\downarrow}", r"{\Downarrow}"]
        };
        match n.unsigned_abs() {
            1 => single.to_owned(),
            2 => double.to_owned(),
            n => format!(r"{single}{n}"),
        }
    }

    fn star(&self, star: u64) -> String {
        match star {
            1 => r"{\ast}".to_owned(),
            star => format!(r"{{\ast}}{star}"),
        }
    }

    fn power(&self, n: i64, bracket: char) -> String {
        let arrow = if n > 0 { r"\uparrow" } else { r"\downarrow" };
        let n = n.unsigned_abs();
        match bracket {
            '[' => format!("{{{arrow}}}^{{[{n}]}}"),
            _ => format!("{{{arrow}}}^{{{n}}}"),
        }
    }

    fn tiny(&self, player: Player) -> [&'static str; 2] {
        [player.of(["{+}_{", "{-}_{"]), "}"]
    }

    fn plus_minus(&self) -> &'static str {
        r"{\pm}"
    }

    fn braces(&self) -> [&'static str; 2] {
        [r"\left\{", r"\right\}"]
    }

    fn bars(&self, count: usize) -> String {
        match count {
            1 => r"\mid ".to_owned(),
            count => format!(r"\mathrel{{{}}}", "|".repeat(count)),
        }
    }
}

impl Forms {
    /// Returns the value of the form as TeX for math mode.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.latex(hot, &limits)?, r"\left\{2\mid -\tfrac{1}{2}\right\}");
    /// let up = text::read("^^*", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.latex(up, &limits)?, r"{\Uparrow}{\ast}");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::write_within`].
    pub fn latex(&mut self, form: Form, limits: &Limits<'_>) -> Result<String, Stop> {
        self.write_in(&Tex, true, form, limits)
    }
}
