//! Comparisons of streams with complete sequences.

use super::*;
use crate::{Code, Period};

fn sequence(code: &str, count: u64) -> Sequence<NormalPlay> {
    let rules = HeapRules::TakeAndBreak(Code::parse(code).unwrap());
    let mut sequence = Sequence::new(rules);
    sequence.compute(count, &Limits::none()).unwrap();
    sequence
}

/// Returns the period that a stream finds if it is saved and resumed after every call of
/// [`Stream::advance`].
fn period(code: &str, count: u64) -> Period {
    let limits = Limits::none();
    let mut stream = Stream::new(sequence(code, count)).ok().unwrap();
    while !stream.repeats() {
        stream.advance(u64::MAX, &limits).unwrap();
        stream = Stream::resume(stream.rules().clone(), stream.state()).unwrap();
    }
    stream.period(&limits).unwrap().unwrap()
}

fn agrees(code: &str, count: u64) {
    let mut whole = sequence(code, 0);
    while whole.period().is_none() {
        whole.try_to_prove(&Limits::none()).unwrap();
    }
    let expected = whole.period().unwrap();
    let found = period(code, count);
    assert_eq!(
        (found.preperiod, found.period),
        (expected.preperiod, expected.period),
        "{code}"
    );
}

#[test]
fn dropped_values_change_no_period() {
    // The preperiod of 0.56 is 326,640. With 200,000 stored values it is beyond them, and with
    // 600,000 it is among them.
    agrees("0.156", 100_000);
    agrees("0.56", 200_000);
    agrees("0.56", 600_000);
}

#[test]
fn values_equal_those_of_the_whole_sequence() {
    let mut stream = Stream::new(sequence("0.106", 400_000)).ok().unwrap();
    let limits = Limits::none();
    for max in [400_001, 400_003, 450_000, 700_001, 1_500_000] {
        while stream.count() < max {
            stream.advance(max, &limits).unwrap();
        }
        assert_eq!(stream.count(), max);
    }
    let whole = sequence("0.106", 1_500_000);
    let window = stream.tail.window();
    assert!(
        whole
            .values()
            .iter()
            .rev()
            .zip(window.iter().rev())
            .all(|(a, b)| a == b)
    );
    for mark in &stream.marks {
        let at = mark.at as usize;
        assert!(
            whole
                .values()
                .part(at - window.len()..at)
                .iter()
                .eq(mark.window.iter())
        );
    }
}

#[test]
fn an_unsettled_sequence_is_returned() {
    assert!(Stream::new(sequence("0.106", 10_000)).is_err());
    assert!(Stream::new(sequence("0.137", 100_000)).is_err());
    assert!(Stream::new(sequence("0.33", 100_000)).is_err());
}

#[test]
#[ignore = "half a minute in release builds"]
fn long_periods_equal_those_of_the_whole_sequence() {
    for (code, expected) in [
        ("0.104", (197_769_598, 11_770_282)),
        ("0.054", (193_235_616, 10_015_179)),
        ("0.454", (160_949_019, 60_620_715)),
    ] {
        let found = period(code, 1 << 21);
        assert_eq!((found.preperiod, found.period), expected, "{code}");
    }
}
