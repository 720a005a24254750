//! Certificates of periods.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::certificate::{
    Forged, PeriodCertificate, WindowCertificate, verify_period, verify_window,
};
use grundy::heap::HeapRules;
use grundy::{Kind, Limits};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use crate::arguments::Common;
use crate::command::period::family;
use crate::failure::Failure;

pub(super) fn run(
    value: &Value,
    common: &Common,
    limits: &Limits<'_>,
) -> Result<ExitCode, Failure> {
    let refused = |forged: Forged| match forged {
        Forged::Stopped(stop) => Diagnostic::stopped(stop),
        Forged::TooLong => {
            let message = format!("the certificate is not checked: {forged}");
            Diagnostic::new(Kind::Limit, message)
        }
        _ => {
            let message = format!("the certificate is refused: {forged}");
            Diagnostic::new(Kind::IllegalPosition, message)
        }
    };
    if value["theorem"] == "sparse_window" {
        let certificate = read_window(value)?;
        let computed = verify_window(&certificate, limits).map_err(refused)?;
        let mut out = io::stdout().lock();
        if common.json {
            let object = json!({
                "valid": true,
                "kind": "period",
                "theorem": "sparse_window",
                "computed": computed,
            });
            writeln!(out, "{object}")?;
        } else {
            writeln!(
                out,
                "the certificate is valid: {computed} values were computed; the {} rare heaps, the witnesses up to {} and the window before {} are as the theorem `sparse_window` asks for, so g(n + {}) = g(n) for n >= {}",
                certificate.rares.len(),
                certificate.reach,
                certificate.start,
                certificate.period,
                certificate.preperiod
            )?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let certificate = read(value)?;
    let checked = verify_period(&certificate, limits).map_err(refused)?;
    let mut out = io::stdout().lock();
    if common.json {
        let object = json!({
            "valid": true,
            "kind": "period",
            "theorem": certificate.theorem,
            "computed": checked.computed,
            "repeated_to": checked.repeated_to,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "the certificate is valid: {} values were computed by the definition, and g(n + {}) = g(n) + {} was seen for {} <= n < {}, which is what the theorem `{}` asks for",
            checked.computed,
            certificate.period,
            certificate.saltus,
            certificate.preperiod,
            checked.repeated_to,
            certificate.theorem
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn refuse(message: &str) -> Failure {
    Diagnostic::new(Kind::Syntax, message).into()
}

fn number(value: &Value, key: &str) -> Result<u64, Failure> {
    value[key]
        .as_u64()
        .ok_or_else(|| refuse(&format!("`{key}` is not a whole number in the certificate")))
}

fn numbers(value: &Value, key: &str) -> Result<Vec<u64>, Failure> {
    let values = value[key]
        .as_array()
        .ok_or_else(|| refuse(&format!("`{key}` is missing in the certificate")))?;
    let values: Option<Vec<u64>> = values.iter().map(Value::as_u64).collect();
    values.ok_or_else(|| refuse(&format!("`{key}` holds something else than whole numbers")))
}

/// The rules of the family.
fn rules(value: &Value) -> Result<HeapRules, Failure> {
    let source = value["family"]
        .as_str()
        .ok_or_else(|| refuse("`family` is missing in the certificate"))?;
    let term = family(source).map_err(|error| Failure::input(error, source))?;
    let (rules, _) = term
        .heap_rules()
        .ok_or_else(|| refuse("the family has no rules for heaps"))?;
    Ok(rules.clone())
}

fn read(value: &Value) -> Result<PeriodCertificate, Failure> {
    Ok(PeriodCertificate {
        rules: rules(value)?,
        preperiod: number(value, "preperiod")?,
        period: number(value, "period")?,
        saltus: number(value, "saltus")?,
        theorem: value["theorem"].as_str().unwrap_or_default().to_owned(),
        values: numbers(value, "values")?,
    })
}

fn read_window(value: &Value) -> Result<WindowCertificate, Failure> {
    if value["saltus"] != 0 {
        return Err(refuse("the saltus is 0 in certificates of this theorem"));
    }
    Ok(WindowCertificate {
        rules: rules(value)?,
        preperiod: number(value, "preperiod")?,
        period: number(value, "period")?,
        mask: number(value, "mask")?,
        position: value["position"]
            .as_bool()
            .ok_or_else(|| refuse("`position` is neither true nor false in the certificate"))?,
        rares: numbers(value, "rares")?,
        reach: number(value, "reach")?,
        start: number(value, "start")?,
    })
}
