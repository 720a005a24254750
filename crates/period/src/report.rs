//! Results of a search for the period of a family, as text and as data.

use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{Classes, HeapRules, Period, PeriodTheorem, Sequence, Stream};
use grundy_core::known_games::{EqualGame, equal_games};
use grundy_core::message::Setting;
use grundy_core::pattern::{self, Finding};
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Stop, message};
use grundy_wording::answer::DisplayText;
use grundy_wording::{Audience, Language, message_text, phrase, words};
use serde::Serialize;

use super::Task;
use super::record::Frequencies;
use grundy_job::{Job, Progress};

/// Largest number of values that are searched for a pattern.
const MAX_PATTERN_VALUES: usize = 1 << 20;

/// The result for a family in normal play. Its serialized form is the documented JSON.
#[derive(Clone, Debug, Serialize)]
pub struct PeriodSurvey {
    /// The family.
    pub family: String,
    /// The built-in family as which a family of a rule file was recognized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recognised_as: Option<String>,
    /// The proved period. If no period is proved, it is a period that all computed values follow,
    /// if there is one.
    #[serde(flatten)]
    pub repetition: Option<Repetition>,
    /// The status of the result: `proved`, `observed` or `partial`.
    pub status: &'static str,
    /// The theorem by which the period is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorem: Option<DisplayText<PeriodTheorem>>,
    /// Number of values that the proof needed. Without a proof, it is the number of values that
    /// were computed.
    pub checked_to: u64,
    /// The largest of the computed values.
    pub largest: u64,
    /// The rare heaps, if the sequence has a sparse space.
    #[serde(rename = "sparse_space", skip_serializing_if = "Option::is_none")]
    pub rare: Option<RareHeaps>,
    /// Known games whose values begin in the same way.
    #[serde(rename = "same_as", skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Alike>,
    /// The number of occurrences of each value, if this was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequencies: Option<Vec<(u64, u64)>>,
    /// `true` if only a proof is a satisfactory result, because a certificate was requested.
    #[serde(skip)]
    pub proof_wanted: bool,
    /// The first values, at most 2^20 of them. With a period, the list contains its first
    /// repetition.
    #[serde(skip)]
    pub first: Vec<u64>,
    /// The error for the limit that ended the search, if there is one.
    #[serde(skip)]
    pub stopped: Option<Box<Diagnostic>>,
    /// Number of values from which a period can be observed under these rules.
    #[serde(skip)]
    pub needed: u64,
    /// The largest number of chips that the rules name.
    #[serde(skip)]
    pub largest_take: u64,
}

/// A known game with the same values up to a shift. Its value at n + `shift` equals the value at n
/// of the family that was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alike {
    /// The known game, as a family.
    pub family: String,
    /// The difference in heap size. The heap n + `shift` of the known game has the same value as
    /// the heap n of the searched family.
    pub shift: i64,
}

/// A repetition of values: g(n + period) = g(n) + saltus for all n >= preperiod whose values are
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Repetition {
    /// The preperiod: the equation holds for all n from this number upward, and for no smaller
    /// number.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The number that is added to the values in each period.
    pub saltus: u64,
}

impl Repetition {
    /// Returns the repetition that a finding states, if it states one.
    ///
    /// ```
    /// use grundy_core::pattern::period;
    /// use grundy_period::Repetition;
    /// let values: Vec<u64> = (0..60).map(|n| n % 4).collect();
    /// let found = period(0, &values).unwrap();
    /// let repetition = Repetition::of_finding(&found).unwrap();
    /// assert_eq!((repetition.preperiod, repetition.period), (0, 4));
    /// ```
    #[must_use]
    pub fn of_finding(finding: &Finding) -> Option<Self> {
        let &Finding::Period {
            preperiod,
            period,
            saltus,
        } = finding
        else {
            return None;
        };
        Some(Self {
            preperiod,
            period,
            saltus,
        })
    }
}

impl Repetition {
    /// Returns the equation g(n + period) = g(n) + saltus, and the range in which it holds, as a
    /// step of an explanation.
    ///
    /// ```
    /// use grundy_period::Repetition;
    /// use grundy_wording::{Language, words};
    /// let kayles = Repetition { preperiod: 71, period: 12, saltus: 0 };
    /// assert_eq!(words(&kayles.step(), Language::En), "g(n + 12) = g(n) for n >= 71");
    /// ```
    #[must_use]
    pub fn step(self) -> Step {
        self.add_to(Step::new("period_repeats"))
    }

    /// Adds the period, the saltus and the preperiod as arguments to a step of an explanation.
    fn add_to(self, step: Step) -> Step {
        step.with("period", self.period)
            .with("plus", plus(self.saltus))
            .with("preperiod", self.preperiod)
    }
}

impl From<&Period> for Repetition {
    fn from(period: &Period) -> Self {
        Self {
            preperiod: period.preperiod,
            period: period.period,
            saltus: period.saltus,
        }
    }
}

/// The rare heaps of a sequence with a sparse space, in which most heaps are common and few are
/// rare (Winning Ways, chapter 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RareHeaps {
    /// The bits of a value that are counted. If `position` is `false`, a heap is common if an odd
    /// number of these bits are 1, and rare otherwise.
    pub mask: u64,
    /// `true` if the heap size also matters. The deciding parity is then that of the heap size plus
    /// the number of counted bits that are 1 (see "The sparse window" in `docs/theory.md`).
    pub position: bool,
    /// Number of rare heaps.
    #[serde(rename = "rare_heaps")]
    pub heaps: usize,
}

impl RareHeaps {
    fn of((classes, rares): (Classes, &[usize])) -> Self {
        Self {
            heaps: rares.len(),
            mask: classes.mask,
            position: classes.position,
        }
    }
}

impl PeriodSurvey {
    pub(super) fn of_stream(
        task: Task<'_>,
        stream: &Stream,
        proved: Option<Period>,
        frequencies: Option<Frequencies>,
    ) -> Self {
        let first: Vec<u64> = stream.start().iter().take(MAX_PATTERN_VALUES).collect();
        Self {
            largest: stream.largest(),
            rare: stream.sparse_space().map(RareHeaps::of),
            ..Self::new(
                task,
                Some(stream.rules()),
                &first,
                proved,
                stream.count(),
                frequencies,
            )
        }
    }

    pub(super) fn of_sequence(
        task: Task<'_>,
        sequence: &Sequence<NormalPlay>,
        frequencies: Option<Frequencies>,
    ) -> Self {
        let (values, proved) = (sequence.values(), sequence.period().cloned());
        let computed = values.len() as u64;
        let first: Vec<u64> = values.iter().take(MAX_PATTERN_VALUES).collect();
        let seen = || Repetition::of_finding(&pattern::period(0, &first)?);
        // A pattern without a proof might end just beyond the searched values. So it is reported
        // only if it covers all computed values.
        let is_long = computed >= sequence.rules().least_observed();
        let observed = if proved.is_none() && first.len() == values.len() && is_long {
            seen()
        } else {
            None
        };
        let known = Self::new(
            task,
            Some(sequence.rules()),
            &first,
            proved,
            computed,
            frequencies,
        );
        Self {
            status: if observed.is_some() {
                "observed"
            } else {
                known.status
            },
            repetition: known.repetition.or(observed),
            largest: values.iter().max().unwrap_or(0),
            rare: sequence.state().sparse_space().map(RareHeaps::of),
            ..known
        }
    }

    /// Returns the result for values of a family that need not consist of heaps. `observed` is the
    /// period that all values follow, if there is one. `stopped` is the limit that ended the
    /// search.
    pub(super) fn of_values(
        task: Task<'_>,
        values: &[u64],
        observed: Option<Repetition>,
        stopped: Option<Stop>,
    ) -> Self {
        let known = Self::new(task, None, values, None, values.len() as u64, None);
        Self {
            status: match observed {
                Some(_) => "observed",
                None => known.status,
            },
            repetition: observed,
            largest: values.iter().copied().max().unwrap_or(0),
            stopped: stopped.map(|stop| Box::new(stop.into())),
            ..known
        }
    }

    fn new(
        task: Task<'_>,
        rules: Option<&HeapRules>,
        first: &[u64],
        proved: Option<Period>,
        computed: u64,
        frequencies: Option<Frequencies>,
    ) -> Self {
        let alike = equal_games(0, first, rules).into_iter();
        Self {
            family: task.options.family.clone(),
            recognised_as: task.recognized.map(str::to_owned),
            repetition: proved.as_ref().map(Repetition::from),
            status: if proved.is_some() {
                "proved"
            } else {
                "partial"
            },
            checked_to: proved.as_ref().map_or(computed, |period| period.checked_to),
            theorem: proved.map(|period| DisplayText(period.theorem)),
            largest: 0,
            rare: None,
            alike: alike
                .map(|EqualGame { family, shift }| Alike { family, shift })
                .collect(),
            frequencies: frequencies.map(|counts| counts.into_iter().collect()),
            proof_wanted: task.options.certificate.is_some(),
            first: first.to_vec(),
            stopped: None,
            needed: rules.map_or(0, HeapRules::least_observed),
            largest_take: rules.map_or(0, HeapRules::largest_take),
        }
    }

    /// Returns whether the search has found what was requested.
    pub(super) fn is_done(&self) -> bool {
        self.theorem.is_some() || self.repetition.is_some() && !self.proof_wanted
    }

    /// Returns the error for the limit that ended the search, if the search has not found what was
    /// requested.
    pub(super) fn cut_short(&self) -> Option<&Diagnostic> {
        self.stopped.as_deref().filter(|_| !self.is_done())
    }

    /// Reports a note if the search has computed all values and has not found what was requested.
    /// If a limit ended the search, the answer names this limit.
    pub(super) fn report(&self, job: &Job, audience: Audience) {
        if !self.is_done() && self.stopped.is_none() {
            let note = message!(
                "note: the first {checked_to} values do not prove a period: {help}",
                checked_to = self.checked_to,
                help = message!(
                    "{option} computes more values",
                    option = Setting::new("max")
                )
            );
            let text = message_text(&note, audience);
            job.report(&Progress::Note(message!("{text}", text)));
        }
    }
}

impl PeriodSurvey {
    /// Returns the lines that are printed in a terminal: the period, the largest value, similar
    /// games, and the number of occurrences of each value.
    pub(super) fn text(&self, language: Language) -> String {
        let say = |step: &Step| words(step, language);
        let family = |code| Step::new(code).with("family", &self.family[..]);
        let checked = self.checked_to;
        let first = match (self.repetition, &self.theorem) {
            (Some(found), Some(DisplayText(theorem))) => {
                let known = say(&proof_step(found, theorem, checked));
                family("period_of").with("known", known)
            }
            (Some(seen), None) => family("period_observed")
                .with("repeats", say(&seen.step()))
                .with("checked", checked),
            (None, _) if checked < self.needed => family("period_too_few")
                .with("checked", checked)
                .with("most", self.largest_take),
            (None, _) => family("period_unseen").with("checked", checked),
        };
        let largest = match &self.rare {
            None => Step::new("period_largest"),
            Some(rare) => Step::new(if rare.position {
                "period_largest_rare_position"
            } else {
                "period_largest_rare"
            })
            .with("heaps", rare.heaps)
            .with("mask", format!("{:b}", rare.mask)),
        };
        let mut lines = vec![say(&first)];
        let recognized = self.recognised_as.iter();
        lines.extend(recognized.map(|family| recognized_line(family, language)));
        lines.push(say(&largest.with("largest", self.largest)));
        for game in &self.alike {
            let code = match game.shift {
                0 => "period_alike",
                ..0 => "period_alike_smaller",
                1.. => "period_alike_larger",
            };
            let step = Step::new(code).with("family", &game.family[..]);
            lines.push(say(&step.with("by", game.shift.unsigned_abs())));
        }
        if let Some(counts) = &self.frequencies {
            lines.push(phrase("period_frequencies", language));
            let rows = counts.iter();
            lines.extend(rows.map(|(value, count)| format!("{value:>5}  {count}")));
        }
        lines.join("\n") + "\n"
    }
}

/// Returns the line that names the built-in family as which a family was recognized.
pub(super) fn recognized_line(family: &str, language: Language) -> String {
    words(
        &Step::new("period_recognised").with("family", family),
        language,
    )
}

/// Formats a saltus as the last term of a sum, such as `+ 4`. Returns an empty string if the saltus
/// is 0.
pub(crate) fn plus(saltus: u64) -> String {
    match saltus {
        0 => String::new(),
        saltus => format!(" + {saltus}"),
    }
}

/// Returns a proved period and its theorem as a step of an explanation.
///
/// ```
/// use grundy_core::heap::PeriodTheorem;
/// use grundy_period::{Repetition, proof_step};
/// use grundy_wording::{Language, words};
/// let kayles = Repetition { preperiod: 71, period: 12, saltus: 0 };
/// let proof = words(&proof_step(kayles, &PeriodTheorem::GuySmith, 156), Language::En);
/// assert!(proof.ends_with("(Guy-Smith periodicity theorem, from the first 156 values)"));
/// ```
#[must_use]
pub fn proof_step(found: Repetition, theorem: &PeriodTheorem, checked_to: u64) -> Step {
    let step = match theorem {
        PeriodTheorem::SparseWindow { rares, reach, .. } => Step::new("period_proved_sparse")
            .with("rares", rares.len())
            .with("reach", *reach),
        _ => Step::new("period_proved"),
    };
    found
        .add_to(step)
        .with("theorem", theorem.name())
        .with("checked", checked_to)
}
