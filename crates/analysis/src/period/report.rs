//! What is known of the values of a family, and how it is said.

use std::fmt;

use grundy::algebra::NormalPlay;
use grundy::heap::{Classes, Period, PeriodTheorem, Sequence, Stream};
use grundy::known_games::{Lookalike, lookalikes};
use grundy::pattern::{Finding, in_sequence};
use grundy::{Diagnostic, Kind};
use serde_json::{Value, json};

use super::Task;
use super::record::Counts;
use crate::job::{Job, Progress};

/// Patterns are looked for in so many values.
const LOOKED_AT: usize = 1 << 20;

/// What is known of the values of a family in normal play.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The family.
    pub family: String,
    /// The period, where one is proved.
    pub proved: Option<Period>,
    /// What the values seem to do, where no period is proved.
    pub observed: Option<Repetition>,
    /// How many values were computed.
    pub computed: u64,
    /// The largest of them.
    pub largest: u64,
    /// The rare heaps, where they were looked for.
    pub rare: Option<Rare>,
    /// Known games with the same values at first.
    pub alike: Vec<Lookalike>,
    /// How often each value occurs, if that was asked.
    pub frequencies: Option<Counts>,
    /// Whether nothing less than a proof was wanted, for a certificate.
    pub proof_wanted: bool,
}

/// Values that repeat: g(n + period) = g(n) + saltus from the preperiod on, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The least heap from which it is seen.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// What is added in each period.
    pub saltus: u64,
}

/// The rare heaps of a sparse space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rare {
    /// How many there are.
    pub heaps: usize,
    /// The bits of a value whose parity makes its heap rare or common.
    pub mask: u64,
    /// Whether the parity of the heap is counted, too.
    pub position: bool,
}

impl Rare {
    fn of((classes, rares): (Classes, &[usize])) -> Self {
        Self {
            heaps: rares.len(),
            mask: classes.mask,
            position: classes.position,
        }
    }
}

impl Survey {
    pub(super) fn of_stream(
        task: Task<'_>,
        stream: &Stream,
        proved: Option<Period>,
        frequencies: Option<Counts>,
    ) -> Self {
        let first: Vec<u64> = stream.start().iter().take(LOOKED_AT).collect();
        Self {
            family: task.source.to_owned(),
            proved,
            observed: None,
            computed: stream.count(),
            largest: stream.largest(),
            rare: stream.sparse_space().map(Rare::of),
            alike: lookalikes(0, &first, Some(stream.rules())),
            frequencies,
            proof_wanted: task.asked.certificate.is_some(),
        }
    }

    pub(super) fn of_sequence(
        task: Task<'_>,
        sequence: &Sequence<NormalPlay>,
        frequencies: Option<Counts>,
    ) -> Self {
        let values = sequence.values();
        let first: Vec<u64> = values.iter().take(LOOKED_AT).collect();
        let seen = || {
            in_sequence(0, &first)
                .into_iter()
                .find_map(|finding| match finding {
                    Finding::Period {
                        preperiod,
                        period,
                        saltus,
                    } => Some(Repetition {
                        preperiod,
                        period,
                        saltus,
                    }),
                    _ => None,
                })
        };
        let observed = match sequence.period() {
            None if first.len() == values.len() => seen(),
            _ => None,
        };
        Self {
            family: task.source.to_owned(),
            proved: sequence.period().cloned(),
            observed,
            computed: values.len() as u64,
            largest: values.iter().max().unwrap_or(0),
            rare: sequence.state().sparse_space().map(Rare::of),
            alike: lookalikes(0, &first, Some(sequence.rules())),
            frequencies,
            proof_wanted: task.asked.certificate.is_some(),
        }
    }

    pub(super) fn as_json(&self) -> Value {
        let mut object = json!({ "family": self.family });
        match (&self.proved, &self.observed) {
            (Some(period), _) => {
                object["preperiod"] = period.preperiod.into();
                object["period"] = period.period.into();
                object["saltus"] = period.saltus.into();
                object["status"] = "proved".into();
                object["theorem"] = period.theorem.name().into();
                object["checked_to"] = period.checked_to.into();
            }
            (None, Some(seen)) => {
                object["preperiod"] = seen.preperiod.into();
                object["period"] = seen.period.into();
                object["saltus"] = seen.saltus.into();
                object["status"] = "observed".into();
                object["checked_to"] = self.computed.into();
            }
            (None, None) => {
                object["status"] = "partial".into();
                object["checked_to"] = self.computed.into();
            }
        }
        object["largest"] = self.largest.into();
        if let Some(rare) = &self.rare {
            let Rare {
                heaps,
                mask,
                position,
            } = rare;
            object["sparse_space"] =
                json!({"mask": mask, "position": position, "rare_heaps": heaps});
        }
        if !self.alike.is_empty() {
            object["same_as"] = self
                .alike
                .iter()
                .map(|game| json!({"family": game.family, "shift": game.shift}))
                .collect();
        }
        if let Some(counts) = &self.frequencies {
            let pairs = counts.iter();
            object["frequencies"] = pairs.map(|(value, count)| json!([value, count])).collect();
        }
        object
    }

    /// Whether what was wanted was found.
    pub(super) fn is_done(&self) -> bool {
        self.proved.is_some() || self.observed.is_some() && !self.proof_wanted
    }

    /// Without a period the work has not been done: it says so.
    pub(super) fn tell(&self, job: &Job) {
        if !self.is_done() {
            let message = format!("no period is proved by the first {} values", self.computed);
            let diagnostic =
                Diagnostic::new(Kind::Limit, message).help("--max computes more values");
            let text = grundy_notation::diagnostic::render(&diagnostic, "");
            job.report(&Progress::Note(text));
        }
    }
}

/// What is known, in a few lines.
impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            family, computed, ..
        } = self;
        match (&self.proved, &self.observed) {
            (Some(period), _) => writeln!(f, "{family}: {}", words(period))?,
            (None, Some(seen)) => writeln!(
                f,
                "{family}: g(n + {}) = g(n){} for n >= {}, observed in the first {computed} values, not proved",
                seen.period,
                plus(seen.saltus),
                seen.preperiod
            )?,
            (None, None) => writeln!(
                f,
                "{family}: no period is seen in the first {computed} values"
            )?,
        }
        write!(f, "  largest value {}", self.largest)?;
        if let Some(rare) = &self.rare {
            let counted = if rare.position {
                " and the parity of the heap"
            } else {
                ""
            };
            write!(
                f,
                "; rare heaps {}, by the parity of g(n) and {:b} in binary{counted}",
                rare.heaps, rare.mask
            )?;
        }
        writeln!(f)?;
        for game in &self.alike {
            match game.shift {
                0 => writeln!(f, "  the first values are those of {}", game.family)?,
                shift => writeln!(
                    f,
                    "  the first values are those of {} on heaps {} by {}",
                    game.family,
                    if shift < 0 { "smaller" } else { "larger" },
                    shift.unsigned_abs()
                )?,
            }
        }
        if let Some(counts) = &self.frequencies {
            writeln!(f, "value  heaps")?;
            for (value, count) in counts {
                writeln!(f, "{value:>5}  {count}")?;
            }
        }
        Ok(())
    }
}

/// A saltus as it is added.
pub(crate) fn plus(saltus: u64) -> String {
    match saltus {
        0 => String::new(),
        saltus => format!(" + {saltus}"),
    }
}

/// The period as a sentence.
pub(crate) fn words(found: &Period) -> String {
    let Period {
        preperiod,
        period,
        saltus,
        theorem,
        checked_to,
    } = found;
    let holds = format!(
        "g(n + {period}) = g(n){} for n >= {preperiod}",
        plus(*saltus)
    );
    match theorem {
        PeriodTheorem::SparseWindow { rares, reach, .. } => format!(
            "{holds} ({theorem}, from the first {checked_to} values: {} rare heaps, witnesses up to {reach})",
            rares.len()
        ),
        _ => format!("{holds} ({theorem}, from the first {checked_to} values)"),
    }
}
