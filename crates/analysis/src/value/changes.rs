//! Changes of a value, such as cooling, before its quantities are computed.

use grundy_core::{Diagnostic, Dyadic, Kind, Limits, Stop, message};
use grundy_forms::text::Literal;
use grundy_forms::{Form, Forms, text};

use crate::question::{ValueChange, ValueQuestion};
use grundy_job::reader::with_source;

/// Applies the changes to a form, in order.
pub(super) fn apply_changes(
    form: Form,
    changes: &[ValueChange],
    forms: &mut Forms,
    limits: &Limits<'_>,
) -> Result<Form, Stop> {
    changes.iter().try_fold(form, |form, change| match change {
        ValueChange::Cool(t) => forms.cool(form, t, limits),
        ValueChange::Freeze => forms.freeze(form, limits),
        ValueChange::Heat(by) => {
            let by = forms.evaluate(by, limits)?;
            forms.heat(form, by, limits)
        }
        ValueChange::Overheat(from, to) => {
            let from = forms.evaluate(from, limits)?;
            let to = forms.evaluate(to, limits)?;
            forms.overheat(form, [from, to], limits)
        }
        ValueChange::Norton(by) => {
            let by = forms.evaluate(by, limits)?;
            forms.norton(form, by, limits)
        }
    })
}

impl ValueChange {
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
    /// Parses the changes that the question requests, in the order in which they are applied.
    ///
    /// # Errors
    /// A text that is not a value, or a negative temperature.
    pub(super) fn changes(&self) -> Result<Vec<ValueChange>, Diagnostic> {
        type Reader = fn(&str) -> Result<ValueChange, Diagnostic>;
        // The order is fixed here, since neither JSON keys nor command-line options have a reliable
        // order.
        let written: [(_, Reader); 4] = [
            (&self.cool, |text| {
                parse_temperature(text).map(ValueChange::Cool)
            }),
            (&self.heat, |text| text::parse(text).map(ValueChange::Heat)),
            (&self.overheat, |text| {
                parse_pair(text).map(|[from, to]| ValueChange::Overheat(from, to))
            }),
            (&self.norton, |text| {
                text::parse(text).map(ValueChange::Norton)
            }),
        ];
        let mut changes = Vec::new();
        for (text, read) in written {
            if let Some(text) = text {
                changes.push(read(text).map_err(|error| with_source(error, text))?);
            }
        }
        if self.freeze {
            changes.push(ValueChange::Freeze);
        }
        Ok(changes)
    }
}

/// Parses a temperature, which must be a non-negative number.
fn parse_temperature(written: &str) -> Result<Dyadic, Diagnostic> {
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
fn parse_pair(written: &str) -> Result<[Literal; 2], Diagnostic> {
    // The first comma separates the values, so the first value must not contain a comma.
    let Some((one, other)) = written.split_once(',') else {
        let message = message!("expected two values separated by a comma: S,T");
        return Err(Diagnostic::new(Kind::Syntax, message).at(0..written.len()));
    };
    let other = text::parse(other).map_err(|error| error.offset_by(one.len() + 1));
    Ok([text::parse(one)?, other?])
}
