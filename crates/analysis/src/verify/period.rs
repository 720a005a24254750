//! Verification of the certificates of periods.

use grundy_core::certificate::{
    CertificateError, PeriodCertificate, WindowCertificate, verify_period, verify_window,
};
use grundy_core::heap::HeapRules;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Limits, Message, message};
use grundy_wording::plain::brief;
use grundy_wording::{Language, words};
use serde::Serialize;
use serde_json::Value;

use super::spelling::family;
use crate::period::Repetition;

/// Name of the theorem on sparse windows, which proves periods of games with finitely many rare
/// heaps. A heap is rare or common by its Grundy value: the parity of the number of ones among
/// certain binary digits decides. In some games the parity of the size of the heap counts as well.
pub(super) const SPARSE_WINDOW: &str = "sparse_window";

/// The keys of every certificate of a period.
pub(super) const CLAIM_KEYS: &[&str] =
    &["kind", "family", "preperiod", "period", "saltus", "theorem"];

/// The additional key of a certificate that lists Grundy values, as every theorem except
/// `SPARSE_WINDOW` requires.
pub(super) const VALUES_KEYS: &[&str] = &["values"];

/// The additional keys of a certificate that uses the theorem on sparse windows.
pub(super) const WINDOW_KEYS: &[&str] = &["mask", "position", "rares", "reach", "start"];

/// The result of verifying a period.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedPeriod {
    /// The family, spelled as in the certificate.
    pub family: String,
    /// The claimed preperiod, period and saltus.
    #[serde(flatten)]
    pub repetition: Repetition,
    /// The theorem that proves the claim.
    pub theorem: String,
    /// The number of Grundy values that were computed for the verification.
    pub computed: u64,
    /// The evidence that was checked.
    #[serde(flatten)]
    pub checked_by: CheckedBy,
}

/// The kinds of evidence for a period.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum CheckedBy {
    /// Finitely many values, from which a theorem concludes that the period continues.
    Values {
        /// The size n of the largest heap for which the values of the heaps n and n - p were
        /// compared, where p is the period.
        repeated_to: u64,
    },
    /// The evidence for the theorem on sparse windows: finitely many rare heaps, and a window of
    /// values that occurs again one period later.
    Window {
        /// The number of rare heaps.
        #[serde(skip)]
        rares: usize,
        /// A bound on the splits that the proof needs for heaps from `start` upward. Each such heap
        /// can reach every smaller value that would make it rare, by certain moves alone. These
        /// moves are takes, splits that leave a rare heap, and splits that leave a heap of at most
        /// this size.
        #[serde(skip)]
        reach: u64,
        /// The size of the first heap after the window, which is a range of heaps whose values
        /// occur again one period later.
        #[serde(skip)]
        start: u64,
    },
}

impl CheckedPeriod {
    /// Returns the result of the check as a `Step`: the code of a sentence, with its arguments.
    pub(super) fn step(&self, language: Language) -> Step {
        let step = match self.checked_by {
            CheckedBy::Values { repeated_to } => Step::new("verified_period")
                .with("preperiod", self.repetition.preperiod)
                .with("repeated_to", repeated_to),
            CheckedBy::Window {
                rares,
                reach,
                start,
            } => Step::new("verified_window")
                .with("rares", rares)
                .with("reach", reach)
                .with("start", start),
        };
        // The name comes from the certificate, so it can have any length.
        step.with("family", brief(self.family.clone()))
            .with("repeats", words(&self.repetition.step(), language))
            .with("computed", self.computed)
            .with("certified", &self.theorem[..])
    }
}

/// Verifies a claim about a period that follows, by a theorem, from finitely many Grundy values.
pub(super) fn period(claim: &Value, limits: &Limits<'_>) -> Result<CheckedPeriod, Diagnostic> {
    let certificate = read(claim)?;
    let checked = verify_period(&certificate, limits).map_err(verification_error)?;
    Ok(CheckedPeriod {
        family: name(claim)?.to_owned(),
        repetition: Repetition {
            preperiod: certificate.preperiod,
            period: certificate.period,
            saltus: certificate.saltus,
        },
        theorem: certificate.theorem,
        computed: checked.computed,
        checked_by: CheckedBy::Values {
            repeated_to: checked.repeated_to,
        },
    })
}

/// Verifies a claim about a period that follows from the theorem on sparse windows (see
/// `SPARSE_WINDOW`), since only finitely many heaps are rare.
pub(super) fn window(claim: &Value, limits: &Limits<'_>) -> Result<CheckedPeriod, Diagnostic> {
    let certificate = read_window(claim)?;
    let computed = verify_window(&certificate, limits).map_err(verification_error)?;
    Ok(CheckedPeriod {
        family: name(claim)?.to_owned(),
        repetition: Repetition {
            preperiod: certificate.preperiod,
            period: certificate.period,
            saltus: 0,
        },
        theorem: SPARSE_WINDOW.to_owned(),
        computed,
        checked_by: CheckedBy::Window {
            rares: certificate.rares.len(),
            reach: certificate.reach,
            start: certificate.start,
        },
    })
}

fn verification_error(forged: CertificateError) -> Diagnostic {
    match forged {
        CertificateError::Stopped(stop) => Diagnostic::from(stop),
        // A certificate that exceeds the limits of the verifier may still be correct. Hence this is
        // another kind of error.
        CertificateError::TooLong => {
            let message = message!(
                "the certificate could not be checked: {why}",
                why = forged.message()
            );
            Diagnostic::new(Kind::Limit, message)
        }
        _ => {
            let message = message!("invalid certificate: {why}", why = forged.message());
            Diagnostic::new(Kind::IllegalPosition, message)
        }
    }
}

fn invalid_claim(message: Message) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message)
}

fn number(claim: &Value, key: &str) -> Result<u64, Diagnostic> {
    claim[key].as_u64().ok_or_else(|| {
        invalid_claim(message!(
            "`{key}` in the certificate must be an integer",
            key
        ))
    })
}

fn numbers(claim: &Value, key: &str) -> Result<Vec<u64>, Diagnostic> {
    let values = claim[key]
        .as_array()
        .ok_or_else(|| invalid_claim(message!("`{key}` is missing in the certificate", key)))?;
    let values: Option<Vec<u64>> = values.iter().map(Value::as_u64).collect();
    values.ok_or_else(|| invalid_claim(message!("`{key}` must contain integers", key)))
}

/// Returns the name of the family in a claim.
fn name(claim: &Value) -> Result<&str, Diagnostic> {
    let family = claim["family"].as_str();
    family.ok_or_else(|| invalid_claim(message!("`family` is missing in the certificate")))
}

/// Returns the ruleset of the family in a claim.
fn rules(claim: &Value) -> Result<HeapRules, Diagnostic> {
    let term = family(name(claim)?)?;
    let (rules, _) = term
        .heap_rules()
        .ok_or_else(|| invalid_claim(message!("the family is not a heap game")))?;
    Ok(rules.clone())
}

fn read(claim: &Value) -> Result<PeriodCertificate, Diagnostic> {
    Ok(PeriodCertificate {
        rules: rules(claim)?,
        preperiod: number(claim, "preperiod")?,
        period: number(claim, "period")?,
        saltus: number(claim, "saltus")?,
        theorem: claim["theorem"].as_str().unwrap_or_default().to_owned(),
        values: numbers(claim, "values")?,
    })
}

fn read_window(claim: &Value) -> Result<WindowCertificate, Diagnostic> {
    // The theorem gives periods with saltus 0 only. The key exists because other certificates need
    // it.
    if claim["saltus"] != 0 {
        return Err(invalid_claim(message!(
            "the saltus in the certificate must be 0, because the theorem of the certificate proves no other saltus"
        )));
    }
    Ok(WindowCertificate {
        rules: rules(claim)?,
        preperiod: number(claim, "preperiod")?,
        period: number(claim, "period")?,
        mask: number(claim, "mask")?,
        position: claim["position"].as_bool().ok_or_else(|| {
            invalid_claim(message!(
                "`position` in the certificate must be true or false"
            ))
        })?,
        rares: numbers(claim, "rares")?,
        reach: number(claim, "reach")?,
        start: number(claim, "start")?,
    })
}
