//! What a table's values seem to be, in words.

use std::io::{self, Write};

use grundy::Outcome;
use grundy::pattern::{Finding, in_outcomes, in_sequence, in_table};

/// The values of a table, rows by the first variable.
pub(crate) struct Values {
    pub(crate) from: Vec<u64>,
    pub(crate) rows: Vec<Vec<Option<(Outcome, Option<u64>)>>>,
}

/// Writes the findings and the first terms in the form one pastes into the OEIS.
pub(crate) fn write(out: &mut impl Write, proved: Option<&str>, values: &Values) -> io::Result<()> {
    writeln!(out)?;
    let findings = match (&values.from[..], &values.rows[..]) {
        ([first], [row]) => {
            let row: Option<Vec<_>> = row.iter().copied().collect();
            let row = row.unwrap_or_default();
            let grundy: Option<Vec<u64>> = row.iter().map(|(_, grundy)| *grundy).collect();
            let outcomes: Vec<Outcome> = row.iter().map(|(outcome, _)| *outcome).collect();
            let mut findings = grundy
                .as_deref()
                .map(|grundy| in_sequence(*first, grundy))
                .unwrap_or_default();
            findings.extend(in_outcomes(*first, &outcomes));
            if let Some(grundy) = grundy {
                let terms: Vec<String> = grundy.iter().take(60).map(u64::to_string).collect();
                writeln!(out, "terms: {}", terms.join(", "))?;
            }
            findings
        }
        ([a, b], rows) => in_table((*a, *b), rows),
        _ => Vec::new(),
    };
    if let Some(proved) = proved {
        writeln!(out, "proved: {proved}")?;
    }
    for finding in &findings {
        if proved.is_none() || !matches!(finding, Finding::Period { .. }) {
            writeln!(out, "observed: {}", words(finding))?;
        }
    }
    if proved.is_none() && findings.is_empty() {
        writeln!(out, "no pattern found")?;
    }
    Ok(())
}

fn words(finding: &Finding) -> String {
    match finding {
        Finding::Nim => "g(n) = n, as in Nim".to_owned(),
        Finding::BinaryDigits => "g(n) is the number of binary digits of n".to_owned(),
        Finding::Ruler => "g(n) is the largest power of 2 that divides n".to_owned(),
        Finding::Period {
            preperiod,
            period,
            saltus: 0,
        } => {
            format!("g(n + {period}) = g(n) for n >= {preperiod}")
        }
        Finding::Period {
            preperiod,
            period,
            saltus,
        } => {
            format!("g(n + {period}) = g(n) + {saltus} for n >= {preperiod}")
        }
        Finding::Residues {
            modulus,
            remainders,
            from,
        } => {
            let list: Vec<String> = remainders.iter().map(u64::to_string).collect();
            if list.is_empty() {
                format!("no P-positions from {from} on")
            } else {
                format!(
                    "the P-positions from {from} on are n = {} (mod {modulus})",
                    list.join(", ")
                )
            }
        }
        Finding::Powers { base } => format!("the P-positions are the powers of {base}"),
        Finding::WythoffPairs { pairs } => {
            format!(
                "the P-positions are the {pairs} pairs (floor(k phi), floor(k phi^2)) of Wythoff's game"
            )
        }
        Finding::NimSum => "g(a, b) is the nim-sum of a and b".to_owned(),
        _ => String::new(),
    }
}
