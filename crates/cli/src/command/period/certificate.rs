//! Certificates of periods.

use std::io::Write as _;
use std::path::Path;

use grundy::heap::{Narrow, Period, PeriodTheorem};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::whole_file;

pub(super) fn write(
    file: &Path,
    source: &str,
    period: &Period,
    values: &Narrow,
) -> Result<(), Failure> {
    let mut certificate: Value = json!({
        "kind": "period",
        "family": source,
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
    whole_file::write(file, |out| writeln!(out, "{certificate}"))
}
