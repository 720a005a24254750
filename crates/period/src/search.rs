//! The search for a period. Values are computed in stretches. Between two stretches, progress is
//! reported, checkpoints are written, and proofs are tried.

use std::time::Duration;

use grundy_core::algebra::{NormalPlay, SingleHeapMisere, TamePlay, Winner};
use grundy_core::heap::{
    Classes, HeapAlgebra, HeapRules, Memory, Period, Sequence, Store as _, Stream,
};
use grundy_core::{Diagnostic, Limits, Message, Stop, message};

use super::Task;
use super::checkpoint::{self, PeriodSearch};
use super::record::{Frequencies, RecordState, ValueRecord};
use grundy_job::{Job, Progress};

/// Computes values until a period is proved or `max` values are known. Returns pairs for the plot
/// of the time: a number of values, and the seconds until that number was reached.
pub(super) fn run(
    task: Task<'_>,
    sequence: &mut Sequence<NormalPlay>,
) -> Result<Vec<(u64, f64)>, Diagnostic> {
    let options = task.options;
    let started = task.job.now();
    let mut seconds = vec![(sequence.values().len() as u64, 0.0)];
    let limits = task.job.long_limits();
    let progress = SearchProgress::begin(task, sequence.values().len() as u64);
    let every = Duration::try_from_secs_f64(options.every).unwrap_or(Duration::MAX);
    let mut saved = task.job.now();
    // The length of a stretch is doubled while a stretch takes less than 200 ms. So progress is
    // reported a few times in a second at any speed.
    let mut stretch = 1 << 14;
    while sequence.period().is_none() && (sequence.values().len() as u64) < options.max {
        let begun = task.job.now();
        let computed = sequence.values().len() as u64;
        // If no period is found, all `max` values are computed. A proof is tried at each length in
        // the schedule of the sequence.
        let goal = sequence.next_try().min(options.max);
        let to = goal.min(computed + stretch);
        let mut result = sequence.compute(to, &limits);
        if result.is_ok() && to == sequence.next_try() {
            result = sequence.try_to_prove(&limits);
        } else if result.is_ok() && task.job.since(begun) < Duration::from_millis(200) {
            stretch *= 2;
        }
        progress.show(
            sequence.values().len() as u64,
            sequence.state().sparse_space(),
        );
        seconds.push((
            sequence.values().len() as u64,
            task.job.since(started).as_secs_f64(),
        ));
        // The checkpoint is also written after an error such as a time limit. So the search can be
        // resumed from the values computed so far.
        if let Some(file) = &options.checkpoint
            && (result.is_err() || task.job.since(saved) >= every)
        {
            checkpoint::write(task, file, sequence)?;
            saved = task.job.now();
        }
        // The error is returned only after the checkpoint was written.
        result?;
    }
    if sequence.period().is_none() {
        sequence.prove(&limits)?;
    }
    if let Some(file) = &options.checkpoint {
        checkpoint::write(task, file, sequence)?;
    }
    Ok(seconds)
}

/// Searches for a period. As soon as the sequence has a sparse space, the search continues as a
/// stream. A stream keeps only the values of the smallest heaps and the most recently computed
/// values in memory.
pub(super) fn stream(
    task: Task<'_>,
    mut search: PeriodSearch,
    recorded: RecordState,
) -> Result<(PeriodSearch, Option<Period>, Option<Frequencies>), Diagnostic> {
    let options = task.options;
    let limits = task.job.long_limits();
    let done = match &search {
        PeriodSearch::Whole(sequence) => sequence.values().len() as u64,
        PeriodSearch::Stream(stream) => stream.count(),
    };
    let mut record = match &search {
        PeriodSearch::Whole(_) => None,
        PeriodSearch::Stream(stream) => Some(ValueRecord::resume(task, stream, recorded)?),
    };
    let progress = SearchProgress::begin(task, done);
    let every = Duration::try_from_secs_f64(options.every).unwrap_or(Duration::MAX);
    let mut saved = task.job.now();
    loop {
        let (next, result) = step(search, options.max, &limits, &mut record)?;
        search = next;
        // The records start when the sequence becomes a stream. Before that, all values are kept in
        // memory.
        if let (None, PeriodSearch::Stream(stream)) = (&record, &search) {
            record = Some(ValueRecord::begin(task, stream)?);
        }
        let more = match &search {
            PeriodSearch::Whole(sequence) => {
                progress.show(
                    sequence.values().len() as u64,
                    sequence.state().sparse_space(),
                );
                sequence.period().is_none() && (sequence.values().len() as u64) < options.max
            }
            PeriodSearch::Stream(stream) => {
                progress.show(stream.count(), stream.sparse_space());
                !stream.repeats() && stream.count() < options.max
            }
        };
        if let Some(file) = &options.checkpoint
            && (result.is_err() || !more || task.job.since(saved) >= every)
        {
            match &search {
                PeriodSearch::Whole(sequence) => checkpoint::write(task, file, sequence)?,
                PeriodSearch::Stream(stream) => {
                    // The records are synced to disk before the checkpoint, which refers to them,
                    // is written.
                    let recorded = record
                        .as_mut()
                        .map(ValueRecord::checkpoint_state)
                        .transpose()?;
                    checkpoint::write_stream(task, file, stream, recorded.unwrap_or_default())?;
                }
            }
            saved = task.job.now();
        }
        // Even without a checkpoint, the file must contain all values that were computed.
        if let Some(record) = record.as_mut().filter(|_| result.is_err() || !more) {
            record.flush()?;
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
                progress.note(
                    stream.count(),
                    message!(
                        "the last values repeat earlier ones: searching for the start of the period"
                    ),
                );
            }
            stream.period(&limits)?
        }
    };
    Ok((search, period, record.and_then(ValueRecord::into_counts)))
}

/// Performs one step of a search, and records the new values of a stream. Returns the search with
/// its values even if the computation is stopped, for example by a limit.
fn step(
    search: PeriodSearch,
    max: u64,
    limits: &Limits<'_>,
    record: &mut Option<ValueRecord>,
) -> Result<(PeriodSearch, Result<(), Stop>), Diagnostic> {
    match search {
        PeriodSearch::Whole(mut sequence) => {
            // The number of values is doubled, so that a sparse space is noticed after few steps.
            // Fewer than 2^15 values take little memory.
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
            // The callback cannot return an error, so the error is stored in `recorded` and
            // returned afterwards.
            let mut recorded = Ok(());
            let result = stream.advance_showing(max, limits, &mut |values| {
                recorded = record.append(&values);
            });
            recorded?;
            Ok((PeriodSearch::Stream(stream), result))
        }
    }
}

/// A reporter of the progress and the rate of a search.
struct SearchProgress<'a> {
    job: &'a Job,
    total: u64,
}

impl<'a> SearchProgress<'a> {
    fn begin(task: Task<'a>, done: u64) -> Self {
        let progress = Self {
            job: task.job,
            total: task.options.max,
        };
        // This starts the measurement of the rate. Values from a checkpoint do not count, since
        // they took no time.
        progress.report(done, None);
        progress
    }

    fn note(&self, computed: u64, note: Message) {
        self.report(computed, Some(note));
    }

    fn show(&self, computed: u64, space: Option<(Classes, &[usize])>) {
        if !self.job.is_watched() {
            return;
        }
        let rares = space.and_then(|(_, rares)| {
            let last = rares.last()?;
            let count = rares.len();
            Some(message!(
                "sparse space: {count} rare heaps so far; the largest is heap {last}",
                count,
                last
            ))
        });
        self.report(computed, rares);
    }

    fn report(&self, computed: u64, note: Option<Message>) {
        self.job.report(&Progress::Computing {
            computed,
            of: self.total,
            note,
        });
    }
}

/// The result of a search for a period in misère play.
pub(super) enum MisereSearch {
    Period(Period),
    /// A search that reached a heap of unknown outcome. `heap` is the first heap without a tame
    /// value, and `visited` is the number of heaps that were examined.
    Wild {
        heap: u64,
        visited: u64,
    },
    Nothing {
        visited: u64,
    },
}

/// Searches for the period of the outcomes of heaps in misère play.
pub(super) fn misere(
    rules: &HeapRules,
    max: u64,
    limits: &Limits<'_>,
) -> Result<MisereSearch, Stop> {
    if matches!(rules.memory(), Memory::Splits { s: 2.., .. }) {
        // A move can split a heap, so the outcomes of sums are needed. The outcome of a sum is
        // determined if its heaps have tame values. The outcome of a single heap is determined by
        // its value.
        let mut sequence = Sequence::<TamePlay>::new(rules.clone());
        let period = first_proof(&mut sequence, max, limits)?;
        let visited = sequence.values().count() as u64;
        let tame = |n| Some(sequence.get(n)?.misere_nim_value()? != 0);
        let wild = (0..visited).find(|&n| tame(n).is_none());
        return Ok(match (period, wild) {
            (_, Some(heap)) => MisereSearch::Wild { heap, visited },
            (period, None) => least_period(period, visited, tame),
        });
    }
    // No move splits a heap, so the outcome of a heap depends only on the outcomes of smaller
    // heaps.
    let mut sequence = Sequence::<SingleHeapMisere>::new(rules.clone());
    let period = first_proof(&mut sequence, max, limits)?;
    let visited = sequence.values().count() as u64;
    let wins = |n| Some(sequence.get(n)? != Winner::Previous);
    Ok(least_period(period, visited, wins))
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

/// Returns the least period and the least preperiod of the outcomes. Both may be less than the
/// period and the preperiod of the values, which are given in `known`.
fn least_period(
    known: Option<Period>,
    visited: u64,
    wins: impl Fn(u64) -> Option<bool>,
) -> MisereSearch {
    let least = known.and_then(|known| {
        // The values repeat, so the outcomes up to this heap determine all later outcomes.
        let end = known.preperiod + 2 * known.period;
        let outcomes: Vec<bool> = (0..end).map(wins).collect::<Option<_>>()?;
        let steady = &outcomes[known.preperiod as usize..];
        // The least period of a periodic sequence is a divisor of every other period.
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
        None => MisereSearch::Nothing { visited },
    }
}
