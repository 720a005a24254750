//! Certificates of periods.

use std::fmt;

use grundy::certificate::{
    Checked, Forged, PeriodCertificate, WindowCertificate, verify_period, verify_window,
};
use grundy::heap::HeapRules;
use grundy::{Diagnostic, Kind, Limits};
use grundy_notation::plain::brief;
use serde_json::{Value, json};

use crate::analyst::about;
use crate::period::{family, plus};

/// A period that was checked, by a theorem on finitely many values.
#[derive(Clone, Debug)]
pub struct CheckedPeriod {
    /// The family as the certificate writes it.
    pub family: String,
    /// What is claimed.
    pub certificate: PeriodCertificate,
    /// How far it was checked.
    pub checked: Checked,
}

impl CheckedPeriod {
    pub(super) fn as_json(&self) -> Value {
        json!({
            "valid": true,
            "kind": "period",
            "family": self.family,
            "preperiod": self.certificate.preperiod,
            "period": self.certificate.period,
            "saltus": self.certificate.saltus,
            "theorem": self.certificate.theorem,
            "computed": self.checked.computed,
            "repeated_to": self.checked.repeated_to,
        })
    }
}

/// What was checked, as a sentence.
impl fmt::Display for CheckedPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PeriodCertificate {
            preperiod,
            period,
            saltus,
            theorem,
            ..
        } = &self.certificate;
        let Checked {
            computed,
            repeated_to,
        } = self.checked;
        writeln!(
            f,
            "the certificate is valid: g(n + {period}) = g(n){} for n >= {preperiod} in {}; {computed} values were computed by the definition, and this was seen for {preperiod} <= n < {repeated_to}, which is what the theorem `{theorem}` asks for",
            plus(*saltus),
            shown(&self.family)
        )
    }
}

/// A period that was checked, by finitely many rare heaps.
#[derive(Clone, Debug)]
pub struct CheckedWindow {
    /// The family as the certificate writes it.
    pub family: String,
    /// What is claimed.
    pub certificate: WindowCertificate,
    /// How many values were computed.
    pub computed: u64,
}

impl CheckedWindow {
    pub(super) fn as_json(&self) -> Value {
        json!({
            "valid": true,
            "kind": "period",
            "family": self.family,
            "preperiod": self.certificate.preperiod,
            "period": self.certificate.period,
            "saltus": 0,
            "theorem": "sparse_window",
            "computed": self.computed,
        })
    }
}

/// What was checked, as a sentence.
impl fmt::Display for CheckedWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WindowCertificate {
            preperiod,
            period,
            rares,
            reach,
            start,
            ..
        } = &self.certificate;
        writeln!(
            f,
            "the certificate is valid for {}: {} values were computed; the {} rare heaps, the witnesses up to {reach} and the window before {start} are as the theorem `sparse_window` asks for, so g(n + {period}) = g(n) for n >= {preperiod}",
            shown(&self.family),
            self.computed,
            rares.len()
        )
    }
}

/// A name that is too long to read is cut.
fn shown(family: &str) -> String {
    brief(family.to_owned())
}

/// Checks a claim that rests on a theorem on finitely many values.
pub(super) fn period(claim: &Value, limits: &Limits<'_>) -> Result<CheckedPeriod, Diagnostic> {
    let certificate = read(claim)?;
    let checked = verify_period(&certificate, limits).map_err(refused)?;
    Ok(CheckedPeriod {
        family: name(claim)?.to_owned(),
        certificate,
        checked,
    })
}

/// Checks a claim that rests on finitely many rare heaps.
pub(super) fn window(claim: &Value, limits: &Limits<'_>) -> Result<CheckedWindow, Diagnostic> {
    let certificate = read_window(claim)?;
    let computed = verify_window(&certificate, limits).map_err(refused)?;
    Ok(CheckedWindow {
        family: name(claim)?.to_owned(),
        certificate,
        computed,
    })
}

fn refused(forged: Forged) -> Diagnostic {
    match forged {
        Forged::Stopped(stop) => Diagnostic::from(stop),
        Forged::TooLong => {
            let message = format!("the certificate is not checked: {forged}");
            Diagnostic::new(Kind::Limit, message)
        }
        _ => {
            let message = format!("the certificate is refused: {forged}");
            Diagnostic::new(Kind::IllegalPosition, message)
        }
    }
}

fn refuse(message: &str) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message)
}

fn number(claim: &Value, key: &str) -> Result<u64, Diagnostic> {
    claim[key]
        .as_u64()
        .ok_or_else(|| refuse(&format!("`{key}` is not a whole number in the certificate")))
}

fn numbers(claim: &Value, key: &str) -> Result<Vec<u64>, Diagnostic> {
    let values = claim[key]
        .as_array()
        .ok_or_else(|| refuse(&format!("`{key}` is missing in the certificate")))?;
    let values: Option<Vec<u64>> = values.iter().map(Value::as_u64).collect();
    values.ok_or_else(|| refuse(&format!("`{key}` holds something else than whole numbers")))
}

/// The family.
fn name(claim: &Value) -> Result<&str, Diagnostic> {
    let family = claim["family"].as_str();
    family.ok_or_else(|| refuse("`family` is missing in the certificate"))
}

/// The rules of the family.
fn rules(claim: &Value) -> Result<HeapRules, Diagnostic> {
    let source = name(claim)?;
    let term = family(source).map_err(|error| about(error, source))?;
    let (rules, _) = term
        .heap_rules()
        .ok_or_else(|| refuse("the family has no rules for heaps"))?;
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
    if claim["saltus"] != 0 {
        return Err(refuse("the saltus is 0 in certificates of this theorem"));
    }
    Ok(WindowCertificate {
        rules: rules(claim)?,
        preperiod: number(claim, "preperiod")?,
        period: number(claim, "period")?,
        mask: number(claim, "mask")?,
        position: claim["position"]
            .as_bool()
            .ok_or_else(|| refuse("`position` is neither true nor false in the certificate"))?,
        rares: numbers(claim, "rares")?,
        reach: number(claim, "reach")?,
        start: number(claim, "start")?,
    })
}
