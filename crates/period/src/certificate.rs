//! Certificates of periods.

use std::path::Path;

use grundy_core::Diagnostic;
use grundy_core::heap::{CompactValues, Period, PeriodTheorem};
use grundy_wording::answer::json_line;
use serde::Serialize;

use super::report::Repetition;
use super::{Task, spelling};
use grundy_job::files;

/// The claim of a certificate, with the data from which it can be verified.
#[derive(Serialize)]
struct PeriodClaim<'a> {
    kind: &'static str,
    family: &'a str,
    #[serde(flatten)]
    repetition: Repetition,
    theorem: &'static str,
    #[serde(flatten)]
    grounds: ClaimGrounds<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ClaimGrounds<'a> {
    Window {
        mask: u64,
        position: bool,
        rares: &'a [usize],
        reach: u64,
        start: u64,
    },
    Values {
        values: Vec<u64>,
    },
}

pub(super) fn write(
    task: Task<'_>,
    file: &Path,
    period: &Period,
    values: &CompactValues,
) -> Result<(), Diagnostic> {
    let grounds = if let PeriodTheorem::SparseWindow {
        classes,
        rares,
        reach,
        start,
    } = &period.theorem
    {
        ClaimGrounds::Window {
            mask: classes.mask,
            position: classes.position,
            rares,
            reach: *reach,
            start: *start,
        }
    } else {
        // The theorems on windows need the values of the preperiod and of one period. All other
        // values follow from the claim.
        let count = (period.preperiod + period.period) as usize;
        ClaimGrounds::Values {
            values: values.iter().take(count).collect(),
        }
    };
    let claim = PeriodClaim {
        kind: "period",
        // This is the spelling of certificates, which the second verifier can parse.
        family: &spelling::certificate_spelling(task.source)?,
        repetition: period.into(),
        theorem: period.theorem.code(),
        grounds,
    };
    files::write(task.files, file, |out| json_line(out, &claim))
}
