//! The search for a period. Values are computed in stretches, with progress, checkpoints and proofs
//! in between.

use std::time::Duration;

use grundy::algebra::{NormalPlay, SingleHeapMisere, TamePlay, Winner};
use grundy::heap::{Classes, HeapAlgebra, HeapRules, Memory, Period, Sequence, Store as _, Stream};
use grundy::{Diagnostic, Limits, Message, Stop, message};

use super::Task;
use super::checkpoint::{self, PeriodSearch};
use super::record::{Frequencies, Recorded, ValueRecord};
use grundy_job::{Job, Progress};

/// Computes values until a period is proved or `max` is reached. Returns pairs of a number of
/// values and the seconds until they were computed, for the plot of the time.
pub(super) fn run(
    task: Task<'_>,
    sequence: &mut Sequence<NormalPlay>,
) -> Result<Vec<(u64, f64)>, Diagnostic> {
    let asked = task.asked;
    let started = task.job.now();
    let mut seconds = vec![(sequence.values().len() as u64, 0.0)];
    let limits = task.job.long_limits();
    let pace = Pace::begin(task, sequence.values().len() as u64);
    let every = Duration::try_from_secs_f64(asked.every).unwrap_or(Duration::MAX);
    let mut saved = task.job.now();
    // The stretch doubles while it takes less than 200 ms, so that progress is reported a few times
    // a second at any speed.
    let mut stretch = 1 << 14;
    while sequence.period().is_none() && (sequence.values().len() as u64) < asked.max {
        let begun = task.job.now();
        let computed = sequence.values().len() as u64;
        // Computes all `max` values if no period is found, and tries a proof at each length of the
        // schedule.
        let goal = sequence.next_try().min(asked.max);
        let to = goal.min(computed + stretch);
        let mut result = sequence.compute(to, &limits);
        if result.is_ok() && to == sequence.next_try() {
            result = sequence.try_to_prove(&limits);
        } else if result.is_ok() && task.job.since(begun) < Duration::from_millis(200) {
            stretch *= 2;
        }
        pace.show(
            sequence.values().len() as u64,
            sequence.state().sparse_space(),
        );
        seconds.push((
            sequence.values().len() as u64,
            task.job.since(started).as_secs_f64(),
        ));
        // Also on an error such as a time limit, since the values so far can then be resumed from.
        if let Some(file) = &asked.checkpoint
            && (result.is_err() || task.job.since(saved) >= every)
        {
            checkpoint::write(task, file, sequence)?;
            saved = task.job.now();
        }
        // Only after the checkpoint.
        result?;
    }
    if sequence.period().is_none() {
        sequence.prove(&limits)?;
    }
    if let Some(file) = &asked.checkpoint {
        checkpoint::write(task, file, sequence)?;
    }
    Ok(seconds)
}

/// Searches with the values of the smallest heaps and the last ones only, as soon as the sequence
/// has a sparse space.
pub(super) fn stream(
    task: Task<'_>,
    mut search: PeriodSearch,
    recorded: Recorded,
) -> Result<(PeriodSearch, Option<Period>, Option<Frequencies>), Diagnostic> {
    let asked = task.asked;
    let limits = task.job.long_limits();
    let done = match &search {
        PeriodSearch::Whole(sequence) => sequence.values().len() as u64,
        PeriodSearch::Stream(stream) => stream.count(),
    };
    let mut record = match &search {
        PeriodSearch::Whole(_) => None,
        PeriodSearch::Stream(stream) => Some(ValueRecord::resume(task, stream, recorded)?),
    };
    let pace = Pace::begin(task, done);
    let every = Duration::try_from_secs_f64(asked.every).unwrap_or(Duration::MAX);
    let mut saved = task.job.now();
    loop {
        let (next, result) = further(search, asked.max, &limits, &mut record)?;
        search = next;
        // The records begin when the sequence turns into a stream: until then all values are kept
        // anyway.
        if let (None, PeriodSearch::Stream(stream)) = (&record, &search) {
            record = Some(ValueRecord::begin(task, stream)?);
        }
        let more = match &search {
            PeriodSearch::Whole(sequence) => {
                pace.show(
                    sequence.values().len() as u64,
                    sequence.state().sparse_space(),
                );
                sequence.period().is_none() && (sequence.values().len() as u64) < asked.max
            }
            PeriodSearch::Stream(stream) => {
                pace.show(stream.count(), stream.sparse_space());
                !stream.repeats() && stream.count() < asked.max
            }
        };
        if let Some(file) = &asked.checkpoint
            && (result.is_err() || !more || task.job.since(saved) >= every)
        {
            match &search {
                PeriodSearch::Whole(sequence) => checkpoint::write(task, file, sequence)?,
                PeriodSearch::Stream(stream) => {
                    // The records are synced before the checkpoint that refers to them is written.
                    let recorded = record.as_mut().map(ValueRecord::recorded).transpose()?;
                    checkpoint::write_stream(task, file, stream, recorded.unwrap_or_default())?;
                }
            }
            saved = task.job.now();
        }
        // Without a checkpoint, too, the file must contain everything that was computed.
        if let Some(record) = record.as_mut().filter(|_| result.is_err() || !more) {
            record.settle()?;
        }
        result?;
        if !more {
            break;
        }
    }
    let period = match &mut search {
        PeriodSearch::Whole(sequence) => sequence.prove(&limits)?.cloned(),
        PeriodSearch::Stream(stream) => {
            if stream.repeats() {
                pace.say(
                    stream.count(),
                    message!(
                        "the last values stood earlier, too: looking for the first that repeats"
                    ),
                );
            }
            stream.period(&limits)?
        }
    };
    Ok((search, period, record.and_then(ValueRecord::into_counts)))
}

/// Performs one step of a search. The search survives an error with its values. New values of a
/// stream are recorded.
fn further(
    search: PeriodSearch,
    max: u64,
    limits: &Limits<'_>,
    record: &mut Option<ValueRecord>,
) -> Result<(PeriodSearch, Result<(), Stop>), Diagnostic> {
    match search {
        PeriodSearch::Whole(mut sequence) => {
            // Doubling reaches the length at which a sparse space shows after few steps. Below 2^15
            // values there is little memory to save.
            let next = (sequence.values().len() as u64 * 2).max(1 << 15).min(max);
            let result = sequence.compute(next, limits);
            let proved = match result.and_then(|()| sequence.prove(limits)) {
                Ok(period) => period.is_some(),
                Err(stop) => return Ok((PeriodSearch::Whole(sequence), Err(stop))),
            };
            if proved {
                return Ok((PeriodSearch::Whole(sequence), Ok(())));
            }
            match Stream::new(sequence) {
                Ok(stream) => Ok((PeriodSearch::Stream(stream), Ok(()))),
                Err(sequence) => Ok((PeriodSearch::Whole(sequence), Ok(()))),
            }
        }
        PeriodSearch::Stream(mut stream) => {
            let Some(record) = record.as_mut().filter(|record| !record.is_empty()) else {
                let result = stream.advance(max, limits);
                return Ok((PeriodSearch::Stream(stream), result));
            };
            // The callback cannot return an error, so it is carried out in `recorded`.
            let mut recorded = Ok(());
            let result = stream.advance_showing(max, limits, &mut |values| {
                recorded = record.append(&values);
            });
            recorded?;
            Ok((PeriodSearch::Stream(stream), result))
        }
    }
}

/// The reporter of the progress of a search.
struct Pace<'a> {
    job: &'a Job,
    of: u64,
}

impl<'a> Pace<'a> {
    fn begin(task: Task<'a>, done: u64) -> Self {
        let pace = Self {
            job: task.job,
            of: task.asked.max,
        };
        // Begins the measurement of the rate: values from a checkpoint took no time.
        pace.tell(done, None);
        pace
    }

    fn say(&self, computed: u64, note: Message) {
        self.tell(computed, Some(note));
    }

    fn show(&self, computed: u64, space: Option<(Classes, &[usize])>) {
        if !self.job.is_watched() {
            return;
        }
        let rares = space.and_then(|(_, rares)| {
            let last = rares.last()?;
            let count = rares.len();
            Some(message!("{count} rare heaps, the last {last}", count, last))
        });
        self.tell(computed, rares);
    }

    fn tell(&self, computed: u64, note: Option<Message>) {
        self.job.report(&Progress::Computing {
            computed,
            of: self.of,
            note,
        });
    }
}

/// The result of a search for a period in misère play.
pub(super) enum MisereSearch {
    Period(Period),
    /// The outcome of this heap, the first without a tame value, is unknown. `looked_at` heaps were
    /// tried.
    Wild {
        heap: u64,
        looked_at: u64,
    },
    Nothing {
        looked_at: u64,
    },
}

/// Searches for the period of the outcomes of heaps in misère play.
pub(super) fn misere(
    rules: &HeapRules,
    max: u64,
    limits: &Limits<'_>,
) -> Result<MisereSearch, Stop> {
    if matches!(rules.memory(), Memory::Splits { s: 2.., .. }) {
        // A move can split a heap, so outcomes of sums matter. Tame values determine the outcomes
        // of sums. The value of a heap determines its own outcome.
        let mut sequence = Sequence::<TamePlay>::new(rules.clone());
        let period = first_proof(&mut sequence, max, limits)?;
        let looked_at = sequence.values().count() as u64;
        let tame = |n| Some(sequence.get(n)?.misere_nim_value()? != 0);
        let wild = (0..looked_at).find(|&n| tame(n).is_none());
        return Ok(match (period, wild) {
            (_, Some(heap)) => MisereSearch::Wild { heap, looked_at },
            (period, None) => of_outcomes(period, looked_at, tame),
        });
    }
    // A heap stays a single heap, so its outcome depends only on the outcomes of smaller heaps.
    let mut sequence = Sequence::<SingleHeapMisere>::new(rules.clone());
    let period = first_proof(&mut sequence, max, limits)?;
    let looked_at = sequence.values().count() as u64;
    let wins = |n| Some(sequence.get(n)? != Winner::Previous);
    Ok(of_outcomes(period, looked_at, wins))
}

fn first_proof<T: HeapAlgebra>(
    sequence: &mut Sequence<T>,
    max: u64,
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    while sequence.period().is_none() && (sequence.values().count() as u64) < max {
        sequence.try_to_prove(limits)?;
    }
    Ok(sequence.period().cloned())
}

/// Returns the least period and preperiod of the outcomes. They may be less than those of the
/// values.
fn of_outcomes(
    known: Option<Period>,
    looked_at: u64,
    wins: impl Fn(u64) -> Option<bool>,
) -> MisereSearch {
    let least = known.and_then(|known| {
        // Two periods determine the sequence of outcomes for good, since the values repeat.
        let end = known.preperiod + 2 * known.period;
        let outcomes: Vec<bool> = (0..end).map(wins).collect::<Option<_>>()?;
        let steady = &outcomes[known.preperiod as usize..];
        // The least period of a periodic sequence divides every other one.
        let period = (1..=known.period as usize)
            .filter(|period| known.period.is_multiple_of(*period as u64))
            .find(|&period| steady.iter().zip(&steady[period..]).all(|(a, b)| a == b))?;
        let preperiod = (0..outcomes.len() - period)
            .rev()
            .find(|&n| outcomes[n] != outcomes[n + period])
            .map_or(0, |n| n as u64 + 1);
        Some(Period {
            preperiod,
            period: period as u64,
            saltus: 0,
            ..known
        })
    });
    match least {
        Some(period) => MisereSearch::Period(period),
        None => MisereSearch::Nothing { looked_at },
    }
}
