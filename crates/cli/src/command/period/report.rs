//! What is said about a sequence and its period.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::Kind;
use grundy::heap::{Period, PeriodTheorem, Sequence, Stream};
use grundy::known_games::{Lookalike, lookalikes};
use grundy::pattern::{Finding, in_sequence};
use grundy::theory::NormalPlay;
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use super::record::Counts;
use crate::arguments::Common;
use crate::failure::exit_code;

/// Patterns are looked for in so many values.
const LOOKED_AT: usize = 1 << 20;

/// What is said about a sequence in normal play.
pub(super) struct Report<'a> {
    source: &'a str,
    proved: Option<&'a Period>,
    /// Preperiod, period and saltus as seen, without a proof.
    observed: Option<(u64, u64, u64)>,
    largest: u64,
    /// How many rare heaps there are, and what makes them rare.
    rare: Option<(usize, u64, bool)>,
    alike: Vec<Lookalike>,
    computed: u64,
}

impl<'a> Report<'a> {
    pub(super) fn of_stream(
        source: &'a str,
        stream: &'a Stream,
        proved: Option<&'a Period>,
    ) -> Self {
        let first: Vec<u64> = stream.start().iter().take(LOOKED_AT).collect();
        Self {
            source,
            proved,
            observed: None,
            largest: stream.largest(),
            rare: stream
                .sparse_space()
                .map(|(classes, rares)| (rares.len(), classes.mask, classes.position)),
            alike: lookalikes(0, &first, Some(stream.rules())),
            computed: stream.count(),
        }
    }

    pub(super) fn of_sequence(source: &'a str, sequence: &'a Sequence<NormalPlay>) -> Self {
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
                    } => Some((preperiod, period, saltus)),
                    _ => None,
                })
        };
        let observed = match sequence.period() {
            None if first.len() == values.len() => seen(),
            _ => None,
        };
        Self {
            source,
            proved: sequence.period(),
            observed,
            largest: values.iter().max().unwrap_or(0),
            rare: sequence
                .state()
                .sparse_space()
                .map(|(classes, rares)| (rares.len(), classes.mask, classes.position)),
            alike: lookalikes(0, &first, Some(sequence.rules())),
            computed: values.len() as u64,
        }
    }

    fn as_json(&self) -> Value {
        let mut object = json!({ "family": self.source });
        match (self.proved, self.observed) {
            (Some(period), _) => {
                object["preperiod"] = period.preperiod.into();
                object["period"] = period.period.into();
                object["saltus"] = period.saltus.into();
                object["status"] = "proved".into();
                object["theorem"] = period.theorem.name().into();
                object["checked_to"] = period.checked_to.into();
            }
            (None, Some((preperiod, period, saltus))) => {
                object["preperiod"] = preperiod.into();
                object["period"] = period.into();
                object["saltus"] = saltus.into();
                object["status"] = "observed".into();
                object["checked_to"] = self.computed.into();
            }
            (None, None) => {
                object["status"] = "partial".into();
                object["checked_to"] = self.computed.into();
            }
        }
        object["largest"] = self.largest.into();
        if let Some((heaps, mask, position)) = self.rare {
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
        object
    }

    /// Prints it, with the frequencies if there are any.
    pub(super) fn print(&self, counts: Option<Counts>, common: &Common) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if common.json {
            let mut object = self.as_json();
            if let Some(counts) = counts {
                let pairs = counts.iter();
                object["frequencies"] = pairs.map(|(value, count)| json!([value, count])).collect();
            }
            writeln!(out, "{object}")?;
        } else {
            self.write(&mut out)?;
            if let Some(counts) = counts {
                writeln!(out, "value  heaps")?;
                for (value, count) in counts {
                    writeln!(out, "{value:>5}  {count}")?;
                }
            }
        }
        out.flush()
    }

    fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let source = self.source;
        match (self.proved, self.observed) {
            (Some(period), _) => writeln!(out, "{source}: {}", words(period))?,
            (None, Some((preperiod, period, saltus))) => writeln!(
                out,
                "{source}: g(n + {period}) = g(n){} for n >= {preperiod}, observed in the first {} values, not proved",
                plus(saltus),
                self.computed
            )?,
            (None, None) => writeln!(
                out,
                "{source}: no period is seen in the first {} values",
                self.computed
            )?,
        }
        write!(out, "  largest value {}", self.largest)?;
        if let Some((heaps, mask, position)) = self.rare {
            let counted = if position {
                " and the parity of the heap"
            } else {
                ""
            };
            write!(
                out,
                "; rare heaps {heaps}, by the parity of g(n) and {mask:b} in binary{counted}"
            )?;
        }
        writeln!(out)?;
        for game in &self.alike {
            match game.shift {
                0 => writeln!(out, "  the first values are those of {}", game.family)?,
                shift => writeln!(
                    out,
                    "  the first values are those of {} on heaps {} by {}",
                    game.family,
                    if shift < 0 { "smaller" } else { "larger" },
                    shift.unsigned_abs()
                )?,
            }
        }
        Ok(())
    }

    /// Without a period the command has not done its work: it says so and ends as at a limit.
    pub(super) fn end(&self, certificate: bool) -> ExitCode {
        let done = self.proved.is_some() || self.observed.is_some() && !certificate;
        if done {
            return ExitCode::SUCCESS;
        }
        let message = format!("no period is proved by the first {} values", self.computed);
        let diagnostic = Diagnostic::new(Kind::Limit, message).help("--max computes more values");
        eprint!("{}", diagnostic.render(""));
        ExitCode::from(exit_code(&diagnostic))
    }
}

fn plus(saltus: u64) -> String {
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
