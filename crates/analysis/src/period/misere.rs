//! The period of who wins a heap in misère play.

use std::fmt;

use grundy::heap::{HeapRules, Period};
use grundy::{Diagnostic, Kind};
use serde_json::{Value, json};

use super::Task;
use super::search::{self, Misere};

/// Who wins a heap of n in misère play, as n grows.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The family.
    pub family: String,
    /// The least period and preperiod of the outcomes.
    pub period: Period,
}

impl Outcomes {
    pub(super) fn as_json(&self) -> Value {
        json!({
            "family": self.family,
            "play": "misere",
            "preperiod": self.period.preperiod,
            "period": self.period.period,
            "saltus": 0,
            "status": "proved",
            "theorem": self.period.theorem.name(),
            "checked_to": self.period.checked_to,
        })
    }
}

/// The period as a line.
impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Period {
            preperiod,
            period,
            theorem,
            checked_to,
            ..
        } = &self.period;
        let family = &self.family;
        writeln!(
            f,
            "{family} in misère play: who wins a heap of n repeats with period {period} for n >= {preperiod} ({theorem}, from the first {checked_to} values)"
        )
    }
}

/// Finds it; what is not found is a limit that was reached.
pub(super) fn outcomes(task: Task<'_>, rules: &HeapRules) -> Result<Outcomes, Diagnostic> {
    let asked = task.asked;
    if asked.certificate.is_some()
        || asked.checkpoint.is_some()
        || asked.values.is_some()
        || asked.plot.is_some()
        || asked.stream
    {
        let message =
            "certificates, checkpoints, streams, values and plots are for normal play only";
        return Err(Diagnostic::new(Kind::Range, message));
    }
    match search::misere(rules, asked.max, &task.job.long_limits())? {
        Misere::Period(period) => Ok(Outcomes {
            family: task.source.to_owned(),
            period,
        }),
        Misere::Wild { heap, looked_at } => {
            let message = format!(
                "no theorem covers who wins here: the heap of {heap} is the first without a tame value, of {looked_at} heaps looked at"
            );
            Err(Diagnostic::new(Kind::Limit, message)
                .help("more values would not help: `grundy table --misere` searches small heaps one by one")
                .of(task.source))
        }
        Misere::Nothing { looked_at } => {
            let message = format!("no period is proved by the first {looked_at} values");
            Err(Diagnostic::new(Kind::Limit, message)
                .help("--max computes more values")
                .of(task.source))
        }
    }
}
