//! The search for a period: values in stretches, with progress, checkpoints and proofs on the way.

use std::time::{Duration, Instant};

use grundy::heap::{Classes, HeapRules, HeapTheory, Memory, Period, Sequence, Store as _, Stream};
use grundy::theory::{NormalPlay, SingleHeapMisere, TamePlay, Winner};
use grundy::{Limits, Stop};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::checkpoint::{self, Search};
use super::record::{Counts, Record, Recorded};
use crate::failure::Failure;
use crate::session::Session;

/// Computes values until a period is proved or there are enough. Returns after how many values how many seconds had passed.
pub(super) fn run(
    sequence: &mut Sequence<NormalPlay>,
    source: &str,
    arguments: &crate::arguments::Period,
    session: &Session,
) -> Result<Vec<(u64, f64)>, Failure> {
    let started = Instant::now();
    let mut seconds = vec![(sequence.values().len() as u64, 0.0)];
    let limits = session.long_limits();
    let bar = Bar::new(arguments.max, sequence.values().len() as u64);
    let every = Duration::try_from_secs_f64(arguments.every).unwrap_or(Duration::MAX);
    let mut saved = Instant::now();
    let mut stretch = 1 << 14;
    while sequence.period().is_none() && (sequence.values().len() as u64) < arguments.max {
        let begun = Instant::now();
        let computed = sequence.values().len() as u64;
        // All of --max is computed, and a proof is tried where the schedule has it.
        let goal = sequence.next_try().min(arguments.max);
        let to = goal.min(computed + stretch);
        let mut result = sequence.compute(to, &limits);
        if result.is_ok() && to == sequence.next_try() {
            result = sequence.try_to_prove(&limits);
        } else if result.is_ok() && begun.elapsed() < Duration::from_millis(200) {
            stretch *= 2;
        }
        bar.show(
            sequence.values().len() as u64,
            sequence.state().sparse_space(),
        );
        seconds.push((
            sequence.values().len() as u64,
            started.elapsed().as_secs_f64(),
        ));
        if let Some(file) = &arguments.checkpoint
            && (result.is_err() || saved.elapsed() >= every)
        {
            checkpoint::write(file, source, sequence)?;
            saved = Instant::now();
        }
        result?;
    }
    if sequence.period().is_none() {
        sequence.prove();
    }
    if let Some(file) = &arguments.checkpoint {
        checkpoint::write(file, source, sequence)?;
    }
    Ok(seconds)
}

/// The same with only the smallest heaps and the last kept as soon as the sequence allows it.
pub(super) fn stream(
    mut search: Search,
    recorded: Recorded,
    source: &str,
    arguments: &crate::arguments::Period,
    session: &Session,
) -> Result<(Search, Option<Period>, Option<Counts>), Failure> {
    let limits = session.long_limits();
    let done = match &search {
        Search::Whole(sequence) => sequence.values().len() as u64,
        Search::Stream(stream) => stream.count(),
    };
    let mut record = match &search {
        Search::Whole(_) => None,
        Search::Stream(stream) => Some(Record::resume(arguments, stream, recorded)?),
    };
    let bar = Bar::new(arguments.max, done);
    let every = Duration::try_from_secs_f64(arguments.every).unwrap_or(Duration::MAX);
    let mut saved = Instant::now();
    loop {
        let (next, result) = further(search, arguments.max, &limits, &mut record)?;
        search = next;
        if let (None, Search::Stream(stream)) = (&record, &search) {
            record = Some(Record::begin(arguments, stream)?);
        }
        let more = match &search {
            Search::Whole(sequence) => {
                bar.show(
                    sequence.values().len() as u64,
                    sequence.state().sparse_space(),
                );
                sequence.period().is_none() && (sequence.values().len() as u64) < arguments.max
            }
            Search::Stream(stream) => {
                bar.show(stream.count(), stream.sparse_space());
                !stream.repeats() && stream.count() < arguments.max
            }
        };
        if let Some(file) = &arguments.checkpoint
            && (result.is_err() || !more || saved.elapsed() >= every)
        {
            match &search {
                Search::Whole(sequence) => checkpoint::write(file, source, sequence)?,
                Search::Stream(stream) => {
                    let recorded = record.as_mut().map(Record::recorded).transpose()?;
                    checkpoint::write_stream(file, source, stream, &recorded.unwrap_or_default())?;
                }
            }
            saved = Instant::now();
        }
        if let Some(record) = record.as_mut().filter(|_| result.is_err() || !more) {
            record.settle()?;
        }
        result?;
        if !more {
            break;
        }
    }
    let period = match &mut search {
        Search::Whole(sequence) => sequence.prove().cloned(),
        Search::Stream(stream) => {
            if stream.repeats() {
                bar.say("the last values stood earlier, too: looking for the first that repeats");
            }
            stream.period(&limits)?
        }
    };
    Ok((search, period, record.and_then(Record::into_counts)))
}

/// One step of it. What is there stays there, whatever the result; the new values of a stream are recorded.
fn further(
    search: Search,
    max: u64,
    limits: &Limits<'_>,
    record: &mut Option<Record>,
) -> Result<(Search, Result<(), Stop>), Failure> {
    match search {
        Search::Whole(mut sequence) => {
            let next = (sequence.values().len() as u64 * 2).max(1 << 15).min(max);
            let result = sequence.compute(next, limits);
            if result.is_err() || sequence.prove().is_some() {
                return Ok((Search::Whole(sequence), result));
            }
            match Stream::new(sequence) {
                Ok(stream) => Ok((Search::Stream(stream), Ok(()))),
                Err(sequence) => Ok((Search::Whole(sequence), Ok(()))),
            }
        }
        Search::Stream(mut stream) => {
            let Some(record) = record.as_mut().filter(|record| !record.is_empty()) else {
                let result = stream.advance(max, limits);
                return Ok((Search::Stream(stream), result));
            };
            let mut recorded = Ok(());
            let result = stream.advance_showing(max, limits, &mut |values| {
                recorded = record.append(&values);
            });
            recorded?;
            Ok((Search::Stream(stream), result))
        }
    }
}

/// A progress bar on standard error, when that is a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new(max: u64, done: u64) -> Self {
        let template =
            "{bar:30} {human_pos} of {human_len} values, {per_sec}, at most {eta} left; {msg}";
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(max).with_style(style).with_position(done);
        bar.reset_eta();
        Self(bar)
    }

    fn say(&self, message: &'static str) {
        self.0.set_message(message);
    }

    fn show(&self, computed: u64, space: Option<(Classes, &[usize])>) {
        if self.0.is_hidden() {
            return;
        }
        self.0.set_position(computed);
        if let Some((_, rares)) = space
            && let Some(&last) = rares.last()
        {
            let message = format!(
                "{} rare heaps, the last {}",
                rares.len(),
                HumanCount(last as u64)
            );
            self.0.set_message(message);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The period of who wins a heap in misère play.
pub(super) fn misere(
    rules: &HeapRules,
    max: u64,
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    if matches!(rules.memory(), Memory::Splits { s: 2.., .. }) {
        // Sums come up: tame values tell who wins them, and of a heap its value tells who wins it.
        let mut sequence = Sequence::<TamePlay>::new(rules.clone());
        let period = first_proof(&mut sequence, max, limits)?;
        return Ok(period.and_then(|period| {
            of_outcomes(&period, |n| Some(sequence.get(n)?.misere_nim_value()? != 0))
        }));
    }
    let mut sequence = Sequence::<SingleHeapMisere>::new(rules.clone());
    let period = first_proof(&mut sequence, max, limits)?;
    Ok(period
        .and_then(|period| of_outcomes(&period, |n| Some(sequence.get(n)? != Winner::Previous))))
}

fn first_proof<T: HeapTheory>(
    sequence: &mut Sequence<T>,
    max: u64,
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    while sequence.period().is_none() && (sequence.values().count() as u64) < max {
        sequence.try_to_prove(limits)?;
    }
    Ok(sequence.period().cloned())
}

/// The least period and preperiod of the outcomes, of which a period is known. `None` where an outcome is not known.
fn of_outcomes(known: &Period, wins: impl Fn(u64) -> Option<bool>) -> Option<Period> {
    let end = known.preperiod + 2 * known.period;
    let outcomes: Vec<bool> = (0..end).map(wins).collect::<Option<_>>()?;
    let steady = &outcomes[known.preperiod as usize..];
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
        ..known.clone()
    })
}
