//! Changes of a value before it is reported.

use grundy::{Diagnostic, Dyadic, Kind, Limits, Stop, message};
use grundy_forms::text::Literal;
use grundy_forms::{Form, Forms, text};

use crate::question::{Change, ValueQuestion};
use grundy_job::reader::about;

/// Applies the changes to a form, in order.
pub(super) fn changed(
    form: Form,
    changes: &[Change],
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<Form, Stop> {
    changes.iter().try_fold(form, |form, change| match change {
        Change::Cool(t) => forms.cool(form, t, limits),
        Change::Freeze => forms.freeze(form, limits),
        Change::Heat(by) => {
            let by = forms.evaluate(by, limits)?;
            forms.heat(form, by, limits)
        }
        Change::Overheat(from, to) => {
            let from = forms.evaluate(from, limits)?;
            let to = forms.evaluate(to, limits)?;
            forms.overheat(form, [from, to], limits)
        }
        Change::Norton(by) => {
            let by = forms.evaluate(by, limits)?;
            forms.norton(form, by, limits)
        }
    })
}

impl Change {
    /// Returns the name of the option that requests this change.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Cool(_) => "cool",
            Self::Heat(_) => "heat",
            Self::Overheat(..) => "overheat",
            Self::Norton(_) => "norton",
            Self::Freeze => "freeze",
        }
    }
}

impl ValueQuestion {
    /// Parses the changes, in the order in which they are applied.
    ///
    /// # Errors
    /// A text that is not a value, or a negative temperature.
    pub(super) fn changes(&self) -> Result<Vec<Change>, Diagnostic> {
        type Reader = fn(&str) -> Result<Change, Diagnostic>;
        // The order is fixed here, since neither JSON keys nor command-line options have a reliable
        // order.
        let written: [(_, Reader); 4] = [
            (&self.cool, |text| temperature(text).map(Change::Cool)),
            (&self.heat, |text| text::parse(text).map(Change::Heat)),
            (&self.overheat, |text| {
                two(text).map(|[from, to]| Change::Overheat(from, to))
            }),
            (&self.norton, |text| text::parse(text).map(Change::Norton)),
        ];
        let mut changes = Vec::new();
        for (text, read) in written {
            if let Some(text) = text {
                changes.push(read(text).map_err(|error| about(error, text))?);
            }
        }
        if self.freeze {
            changes.push(Change::Freeze);
        }
        Ok(changes)
    }
}

/// Parses a non-negative number.
fn temperature(written: &str) -> Result<Dyadic, Diagnostic> {
    let mut forms = Forms::default();
    let form = text::read(written, &mut forms, &Limits::default())?;
    match forms.number(form) {
        Some(number) if number.sign().is_ge() => Ok(number.clone()),
        _ => {
            let message = message!("expected a non-negative number, such as 1/2");
            Err(Diagnostic::new(Kind::Range, message).at(0..written.len()))
        }
    }
}

/// Parses two values that are separated by a comma.
fn two(written: &str) -> Result<[Literal; 2], Diagnostic> {
    // The first comma separates the values, so the first value must not contain a comma.
    let Some((one, other)) = written.split_once(',') else {
        let message = message!("expected two values: S,T");
        return Err(Diagnostic::new(Kind::Syntax, message).at(0..written.len()));
    };
    let other = text::parse(other).map_err(|error| error.further(one.len() + 1));
    Ok([text::parse(one)?, other?])
}
