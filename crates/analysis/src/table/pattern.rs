//! What a table's values seem to be, in words.

use std::io::{self, Write};

use grundy::Outcome;
use grundy::heap::HeapRules;
use grundy::known_games::lookalikes;
use grundy::pattern::{Finding, in_outcomes, in_sequence, in_table};
use serde::Serialize;

/// The values of a table, rows by the first variable.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    pub(super) from: Vec<u64>,
    pub(super) rows: Vec<Vec<Option<(Outcome, Option<u64>)>>>,
}

impl Readings {
    /// The Grundy values of a family with one variable, when every one is there.
    fn sequence(&self) -> Option<Vec<u64>> {
        match (&self.from[..], &self.rows[..]) {
            ([_], [row]) => row
                .iter()
                .map(|cell| cell.and_then(|(_, grundy)| grundy))
                .collect(),
            _ => None,
        }
    }
}

/// A finding in words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Observation {
    /// `proved` or `observed`.
    pub(super) status: &'static str,
    pub(super) text: String,
}

/// What the values seem to be. `proved` is the proved period, `own` the rules of the family's heaps.
pub(super) fn findings(
    proved: Option<&str>,
    own: Option<&HeapRules>,
    values: &Readings,
) -> Vec<Observation> {
    let mut found = Vec::new();
    found.extend(proved.map(|proved| Observation {
        status: "proved",
        text: proved.to_owned(),
    }));
    let seen = match (&values.from[..], &values.rows[..]) {
        ([first], [row]) => {
            let row: Option<Vec<_>> = row.iter().copied().collect();
            let row = row.unwrap_or_default();
            let outcomes: Vec<Outcome> = row.iter().map(|(outcome, _)| *outcome).collect();
            let mut seen = Vec::new();
            if let Some(grundy) = values.sequence() {
                seen = in_sequence(*first, &grundy);
                for game in lookalikes(*first, &grundy, own) {
                    let text = match game.shift {
                        0 => format!("the values of {}", game.family),
                        shift => {
                            let sign = if shift < 0 { '-' } else { '+' };
                            let by = shift.unsigned_abs();
                            format!("g(n) is the value of n {sign} {by} in {}", game.family)
                        }
                    };
                    found.push(Observation {
                        status: "observed",
                        text,
                    });
                }
            }
            seen.extend(in_outcomes(*first, &outcomes));
            seen
        }
        ([a, b], rows) => in_table((*a, *b), rows),
        _ => Vec::new(),
    };
    let seen = seen
        .iter()
        .filter(|finding| proved.is_none() || !matches!(finding, Finding::Period { .. }));
    found.extend(seen.map(|finding| Observation {
        status: "observed",
        text: words(finding),
    }));
    found
}

/// Writes the first terms in the form one pastes into the OEIS, and the findings.
pub(super) fn write(
    out: &mut dyn Write,
    found: &[Observation],
    values: &Readings,
) -> io::Result<()> {
    writeln!(out)?;
    if let Some(grundy) = values.sequence() {
        let terms: Vec<String> = grundy.iter().take(60).map(u64::to_string).collect();
        writeln!(out, "terms: {}", terms.join(", "))?;
    }
    for Observation { status, text } in found {
        writeln!(out, "{status}: {text}")?;
    }
    if found.is_empty() {
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
