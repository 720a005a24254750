//! Certificates of periods.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::Kind;
use grundy::certificate::{PeriodCertificate, verify_period};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use crate::arguments::Common;
use crate::command::period::family;
use crate::failure::Failure;

pub(super) fn run(value: &Value, common: &Common) -> Result<ExitCode, Failure> {
    let certificate = read(value)?;
    let checked = verify_period(&certificate).map_err(|forged| {
        Diagnostic::new(
            Kind::IllegalPosition,
            format!("the certificate is refused: {forged}"),
        )
    })?;
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

fn read(value: &Value) -> Result<PeriodCertificate, Failure> {
    let refuse = |message: &str| Failure::from(Diagnostic::new(Kind::Syntax, message));
    let number = |key: &str| {
        value[key]
            .as_u64()
            .ok_or_else(|| refuse(&format!("`{key}` is not a whole number in the certificate")))
    };
    let source = value["family"]
        .as_str()
        .ok_or_else(|| refuse("`family` is missing in the certificate"))?;
    let term = family(source).map_err(|error| Failure::input(error, source))?;
    let (rules, _) = term
        .heap_rules()
        .ok_or_else(|| refuse("the family has no rules for heaps"))?;
    let values = value["values"]
        .as_array()
        .ok_or_else(|| refuse("`values` is missing in the certificate"))?;
    let values: Option<Vec<u64>> = values.iter().map(Value::as_u64).collect();
    Ok(PeriodCertificate {
        rules: rules.clone(),
        preperiod: number("preperiod")?,
        period: number("period")?,
        saltus: number("saltus")?,
        theorem: value["theorem"].as_str().unwrap_or_default().to_owned(),
        values: values.ok_or_else(|| refuse("`values` holds something else than whole numbers"))?,
    })
}
