//! Certificates of periods.

use std::io::Write as _;
use std::path::Path;

use grundy::Diagnostic;
use grundy::heap::{Narrow, Period, PeriodTheorem};
use serde_json::{Value, json};

use super::Task;
use crate::files;

pub(super) fn write(
    task: Task<'_>,
    file: &Path,
    period: &Period,
    values: &Narrow,
) -> Result<(), Diagnostic> {
    let mut certificate: Value = json!({
        "kind": "period",
        "family": task.source,
        "preperiod": period.preperiod,
        "period": period.period,
        "saltus": period.saltus,
        "theorem": period.theorem.code(),
    });
    if let PeriodTheorem::SparseWindow {
        classes,
        rares,
        reach,
        start,
    } = &period.theorem
    {
        certificate["mask"] = classes.mask.into();
        certificate["position"] = classes.position.into();
        certificate["rares"] = rares.iter().copied().collect();
        certificate["reach"] = (*reach).into();
        certificate["start"] = (*start).into();
    } else {
        let count = (period.preperiod + period.period) as usize;
        certificate["values"] = values.iter().take(count).collect();
    }
    files::write(task.files, file, |out| writeln!(out, "{certificate}"))
}
