//! The value that a line of a batch expects for its position, and the comparison of the answer with
//! this value.

use grundy_core::{Diagnostic, Kind, Limits, message};
use grundy_forms::text::{Literal, parse};
use grundy_forms::{Form, Forms};
use serde_json::Value;

use super::{Valued, ValuedInMisere};
use crate::agreement::Agreement;
use grundy_job::reader::with_source;

/// The expected quantities under the key `expect`. A quantity that is `None` is not compared.
pub(crate) struct ExpectedValue {
    outcome: Option<String>,
    value: Option<Literal>,
}

impl ExpectedValue {
    /// Parses the JSON object under the key `expect`.
    pub(crate) fn read(value: &Value) -> Result<Self, Diagnostic> {
        let refuse = |message| Err(Diagnostic::new(Kind::Type, message));
        let Value::Object(object) = value else {
            return refuse(message!("`expect` must be an object"));
        };
        let mut texts = [None, None];
        for (key, value) in object {
            let names = ["outcome", "value"];
            let Some(place) = names.iter().position(|name| key == name) else {
                return refuse(message!(
                    "unknown key `{key}` in `expect`: use outcome or value",
                    key
                ));
            };
            let Some(text) = value.as_str() else {
                return refuse(message!("`{name}` must be a string", name = key));
            };
            texts[place] = Some(text.to_owned());
        }
        let [outcome, value] = texts;
        let read = |text: &String| parse(text).map_err(|error| with_source(error, text));
        Ok(Self {
            outcome,
            value: value.as_ref().map(read).transpose()?,
        })
    }

    /// Compares the outcome in misère play with the expectation.
    pub(crate) fn compare_in_misere(
        &self,
        valued: &ValuedInMisere,
    ) -> Result<Agreement, Diagnostic> {
        if self.value.is_some() {
            let message = message!("the key `value` of `expect` is available in normal play only");
            return Err(Diagnostic::new(Kind::Type, message).help(message!(
                "in misère play, `expect` can contain the outcome only"
            )));
        }
        // A limit may leave the outcome unknown. Then the comparison has no result.
        let found = valued.facts.outcome.map(|outcome| outcome.to_string());
        let agrees = match (&self.outcome, found) {
            (Some(expected), Some(found)) => Some(found == *expected),
            (Some(_), None) => None,
            (None, _) => Some(true),
        };
        Ok(Agreement {
            expected: agrees,
            ..Agreement::default()
        })
    }

    /// Compares a value with the expectation. The values are compared as games, so different
    /// spellings of the same value agree.
    pub(crate) fn compare(
        &self,
        valued: &Valued,
        form: Option<Form>,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Agreement {
        let outcome = self.outcome.as_ref().map(|expected| {
            let class = valued.facts.class?;
            Some(class.to_string() == *expected)
        });
        let value = self.value.as_ref().map(|expected| {
            // If the expected form exceeds a limit, the comparison has no result. The answer does
            // not count as wrong.
            let expected = forms.evaluate(expected, limits).ok()?;
            Some(form? == expected)
        });
        let agree: Vec<Option<bool>> = outcome.into_iter().chain(value).collect();
        let wrong = agree.contains(&Some(false));
        Agreement {
            expected: (wrong || !agree.contains(&None)).then_some(!wrong),
            ..Agreement::default()
        }
    }
}
