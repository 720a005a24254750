//! `value --random`: the distribution of temperatures in a random sample of positions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fastrand::Rng;
use grundy_core::registry::squares::Squares;
use grundy_core::step::Step;
use grundy_core::thermographs::thermograph;
use grundy_core::{Diagnostic, Dyadic, Kind, Limits, Position, Stop};
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::report::{AnySerialize, Report, Words, status, stopped};
use grundy_wording::{Audience, message_text, words};
use num_traits::{Signed, Zero};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::find::{BoardSize, squares};
use crate::job::Job;
use crate::progress::Progress;
use crate::question::TemperaturesQuestion;
use crate::random::one_of;
use crate::result_cache::ResultCache;
use crate::value::{form, no_value_error};

/// Largest number of canonical forms that are computed for one position of the sample. Also the
/// largest number of positions that are visited to find the temperature of one position.
const MAX_POSITIONS: u64 = 300_000;

/// Largest number of random fillings of the squares that are tried to obtain one legal position. If
/// none of them is legal, the rules are assumed to allow no position of this size.
const MAX_DRAWS: usize = 10_000;

/// Largest number of positions in the list of the hottest positions.
const HOTTEST: usize = 5;

/// Length of the longest bar of the histogram, in characters.
const BAR_LENGTH: u64 = 40;

/// The temperatures of random positions.
#[derive(Clone, Debug)]
pub struct Sample {
    game: &'static str,
    within: String,
    seed: u64,
    /// For each temperature, the number of positions that have it.
    counts: BTreeMap<Dyadic, u64>,
    /// Number of positions whose temperature could not be computed within the limits.
    unknown: u64,
    /// The positions with the highest temperatures, in descending order.
    hottest: Vec<(Dyadic, Position)>,
    stopped: Option<Stop>,
}

#[derive(Serialize)]
struct SampleView<'a> {
    random: &'a str,
    within: &'a str,
    seed: u64,
    count: u64,
    unknown: u64,
    /// The exact sum of the temperatures. `sum_of_squares` is exact, too.
    sum: String,
    sum_of_squares: String,
    /// The mean, rounded to four decimal places.
    mean: Option<String>,
    deviation: Option<String>,
    histogram: Vec<BinView>,
    hottest: Vec<HotView>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

#[derive(Serialize)]
struct BinView {
    from: String,
    to: String,
    count: u64,
}

#[derive(Serialize)]
struct HotView {
    game: String,
    temperature: String,
}

impl Sample {
    /// Returns the number of positions whose temperature is known.
    fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the sum of the temperatures and the sum of their squares.
    fn sums(&self) -> [Dyadic; 2] {
        let mut sums = [Dyadic::ZERO, Dyadic::ZERO];
        for (temperature, &count) in &self.counts {
            let (numerator, exponent) = (temperature.numerator(), temperature.exponent());
            let square = &numerator * &numerator * count;
            sums[0] = &sums[0] + &Dyadic::from_bigint(numerator * count, exponent);
            sums[1] = &sums[1] + &Dyadic::from_bigint(square, 2 * exponent);
        }
        sums
    }

    /// Returns the mean and the standard deviation of the temperatures, rounded to four decimal
    /// places. Returns `None` if no temperature is known.
    fn moments(&self) -> Option<[String; 2]> {
        let count = Some(self.count()).filter(|&count| count > 0)?;
        let [sum, squares] = self.sums();
        let (n, exponent) = (sum.numerator(), sum.exponent());
        // Both results are first computed as twice their value, in units of 1/10,000, rounded down.
        // Adding 1 and halving then rounds to the nearest unit. Integers are used because a sum of
        // dyadic numbers may exceed the precision of floating point.
        let mean = ((n.abs() * 20_000u32) >> exponent) / count;
        // For n temperatures t, n² times the variance is n Σt² - (Σt)². Under the square root, the
        // factor 2 · 10,000 is squared.
        let all = Dyadic::from_bigint(squares.numerator() * count, squares.exponent());
        let spread = &all - &Dyadic::from_bigint(&n * &n, 2 * exponent);
        let scaled = (spread.numerator() * 400_000_000u64) >> spread.exponent();
        let deviation = scaled.sqrt() / count;
        let rounded = [mean, deviation].map(|twice| (twice + 1u32) / 2u32);
        let below = [n.is_negative(), false];
        let mut shown = rounded.iter().zip(below).map(|(rounded, below)| {
            // If a negative mean rounds to zero, it is written without a minus sign.
            let sign = if below && !rounded.is_zero() { "-" } else { "" };
            let (whole, rest) = (rounded / 10_000u32, rounded % 10_000u32);
            format!("{sign}{whole}.{:0>4}", rest.to_string())
        });
        Some([shown.next()?, shown.next()?])
    }

    /// Divides the temperatures into intervals of length 1/2. Returns the two ends of each interval
    /// and the number of positions in it. The coldest interval comes first.
    fn histogram(&self) -> Vec<(Dyadic, Dyadic, u64)> {
        let half = |halves: &Dyadic| halves.times_power_of_two(-1);
        let bin = |temperature: &Dyadic| temperature.times_power_of_two(1).floor();
        let mut bins: BTreeMap<Dyadic, u64> = BTreeMap::new();
        for (temperature, count) in &self.counts {
            *bins.entry(bin(temperature)).or_default() += count;
        }
        let mut all = Vec::new();
        let (first, last) = (
            bins.keys().next().cloned(),
            bins.keys().next_back().cloned(),
        );
        let (Some(mut from), Some(last)) = (first, last) else {
            return all;
        };
        // Empty intervals between others are included, so that the axis of the histogram has no
        // gaps.
        while from <= last {
            let to = &from + &Dyadic::ONE;
            let count = bins.get(&from).copied().unwrap_or_default();
            all.push((half(&from), half(&to), count));
            from = to;
        }
        all
    }
}

impl Report for Sample {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let [sum, sum_of_squares] = self.sums().map(|sum| sum.to_string());
        let (mean, deviation) = match self.moments() {
            Some([mean, deviation]) => (Some(mean), Some(deviation)),
            None => (None, None),
        };
        let bins = self.histogram().into_iter();
        let bins = bins.map(|(from, to, count)| BinView {
            from: from.to_string(),
            to: to.to_string(),
            count,
        });
        let hottest = self.hottest.iter().map(|(temperature, position)| HotView {
            game: position.to_string(),
            temperature: temperature.to_string(),
        });
        let view = SampleView {
            random: self.game,
            within: &self.within,
            seed: self.seed,
            count: self.count(),
            unknown: self.unknown,
            sum,
            sum_of_squares,
            mean,
            deviation,
            histogram: bins.collect(),
            hottest: hottest.collect(),
            status: status(self.is_partial()),
            stopped: stopped(self.stopped.as_ref(), "", words.audience()),
        };
        Box::new(view)
    }

    fn plain(&self, audience: Audience) -> String {
        let say = |step: &Step| words(step, audience.language);
        let head = Step::new("temperatures_of")
            .with("game", self.game)
            .with("count", self.count())
            .with("within", &self.within[..])
            .with("seed", self.seed);
        let mut lines = vec![say(&head)];
        if let Some([mean, deviation]) = self.moments() {
            let step = Step::new("temperatures_moments")
                .with("mean", mean)
                .with("deviation", deviation);
            lines.push(format!("  {}", say(&step)));
        }
        let bins = self.histogram();
        let most = bins.iter().map(|bin| bin.2).max().unwrap_or(1).max(1);
        let labels: Vec<String> = bins
            .iter()
            .map(|(from, to, _)| format!("[{from}, {to})"))
            .collect();
        let wide = labels.iter().map(String::len).max().unwrap_or_default();
        for (label, (_, _, count)) in labels.iter().zip(&bins) {
            // The length is rounded up, so that every non-empty interval has a visible bar.
            let bar = "#".repeat((count * BAR_LENGTH).div_ceil(most) as usize);
            lines.push(format!("  {label:>wide$} {bar:<40} {count}"));
        }
        if !self.hottest.is_empty() {
            lines.push(format!("  {}", say(&Step::new("temperatures_hottest"))));
            let hottest = self.hottest.iter();
            lines.extend(
                hottest.map(|(temperature, position)| format!("    {temperature} {position}")),
            );
        }
        if self.unknown > 0 {
            let step = Step::new("temperatures_unknown").with("count", self.unknown);
            lines.push(format!("  {}", say(&step)));
        }
        if let Some(stop) = &self.stopped {
            let why = message_text(&stop.message(), audience);
            let step = Step::new("value_withheld").with("why", why);
            lines.push(format!("  {}", say(&step)));
        }
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    fn is_partial(&self) -> bool {
        self.stopped.is_some() || self.unknown > 0
    }
}

impl Question for TemperaturesQuestion {
    fn answer(&self, _: &Analyst, _: &mut ResultCache, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, job)?))
    }

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }
}

fn answer(question: &TemperaturesQuestion, job: &Job) -> Result<Sample, Diagnostic> {
    let squares = squares(&question.game)?;
    let within = BoardSize::read(&question.within, squares.layout)?;
    let mut sample = Sample {
        game: squares.game,
        within: question.within.clone(),
        seed: question.seed,
        counts: BTreeMap::new(),
        unknown: 0,
        hottest: Vec::new(),
        stopped: None,
    };
    let mut random = Rng::with_seed(question.seed);
    let mut cache = ResultCache::default();
    let job_limits = job.limits();
    let limits = Limits {
        // Without this bound, one difficult position could use up the limit of the whole sample.
        positions: job_limits.positions.min(MAX_POSITIONS),
        ..job_limits
    };
    for drawn in 0..question.count {
        job.report(&Progress::Computing {
            computed: drawn,
            of: question.count,
            note: None,
        });
        let Some(position) = random_position(squares, within, &mut random)? else {
            break;
        };
        // A position whose temperature exceeds a limit is skipped, which biases the sample. Hence
        // the answer contains the number of such positions.
        match temperature(&position, &mut cache, &limits) {
            Ok(temperature) => sample.add(temperature, position),
            Err(Stop::Positions(_) | Stop::Memory(_)) => sample.unknown += 1,
            Err(stop @ (Stop::Time | Stop::Interrupted)) => {
                sample.stopped = Some(stop);
                break;
            }
            Err(stop) => return Err(no_value_error(stop)),
        }
        // Positions of a game share components. Hence forms are kept for the next position as long
        // as memory permits.
        cache.clear_if_large(&limits);
    }
    Ok(sample)
}

/// Returns a random legal position. All legal positions are equally likely. Returns `None` if no
/// legal position was found.
fn random_position(
    squares: &Squares,
    within: BoardSize,
    random: &mut Rng,
) -> Result<Option<Position>, Diagnostic> {
    let letters = squares.letters.as_bytes();
    // Whole boards are drawn until one is legal, which makes legal positions equally likely.
    // Drawing letters one by one and rejecting illegal ones would prefer some positions.
    for _ in 0..MAX_DRAWS {
        let filling: Vec<u8> = (0..within.squares())
            .map(|_| *one_of(letters, random))
            .collect();
        match squares.position(within.columns, &filling) {
            Ok(position) => return Ok(Some(position)),
            Err(error) if matches!(error.kind, Kind::IllegalPosition) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Returns the temperature of a position, computed from the canonical form. If the computation of
/// this form exceeds a limit, uses a pass over all reachable positions instead.
fn temperature(
    position: &Position,
    cache: &mut ResultCache,
    limits: &Limits<'_>,
) -> Result<Dyadic, Stop> {
    let found = cache.with_retry(|cache| {
        let (form, _) = form(position, &mut cache.solver, limits)?;
        let forms = &mut cache.solver.short_values().theory.forms;
        forms.temperature(form, limits)
    });
    match found {
        Err(Stop::Positions(_) | Stop::Memory(_)) => {
            cache.clear();
            Ok(thermograph(position, limits)?
                .thermograph
                .temperature()
                .clone())
        }
        found => found,
    }
}

impl Sample {
    fn add(&mut self, temperature: Dyadic, position: Position) {
        *self.counts.entry(temperature.clone()).or_default() += 1;
        self.hottest.push((temperature, position));
        // The sort is stable. Hence of positions with equal temperatures, those drawn first are
        // kept.
        self.hottest
            .sort_by_key(|(temperature, _)| Reverse(temperature.clone()));
        self.hottest.truncate(HOTTEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyst;

    fn sample(temperatures: &[(i128, u32)]) -> Sample {
        let mut sample = Sample {
            game: "clobber",
            within: "1x1".to_owned(),
            seed: 0,
            counts: BTreeMap::new(),
            unknown: 0,
            hottest: Vec::new(),
            stopped: None,
        };
        for &(numerator, exponent) in temperatures {
            sample.add(Dyadic::new(numerator, exponent), Position::default());
        }
        sample
    }

    #[test]
    fn moments_are_rounded_to_the_nearest() {
        let moments = |temperatures: &[(i128, u32)]| sample(temperatures).moments();
        let both = |mean: &str, deviation: &str| Some([mean.to_owned(), deviation.to_owned()]);
        assert_eq!(moments(&[]), None);
        assert_eq!(moments(&[(5, 2)]), both("1.2500", "0.0000"));
        // The textbook example of a standard deviation: mean 5, deviation 2.
        let usual = [2, 4, 4, 4, 5, 5, 7, 9].map(|n| (n, 0));
        assert_eq!(moments(&usual), both("5.0000", "2.0000"));
        assert_eq!(
            moments(&[(-1, 0), (-1, 0), (0, 0)]),
            both("-0.6667", "0.4714")
        );
        assert_eq!(moments(&[(-1, 0), (1, 0)]), both("0.0000", "1.0000"));
        assert_eq!(moments(&[(1, 16), (0, 0)]), both("0.0000", "0.0000"));
    }

    #[test]
    fn bins_count_every_sample() {
        let sample = sample(&[(-1, 0), (-1, 1), (-1, 2), (0, 0), (3, 1)]);
        let bins: Vec<String> = (sample.histogram().iter())
            .map(|(from, to, count)| format!("{from} {to} {count}"))
            .collect();
        assert_eq!(
            bins,
            [
                "-1 -1/2 1",
                "-1/2 0 2",
                "0 1/2 1",
                "1/2 1 0",
                "1 3/2 0",
                "3/2 2 1"
            ]
        );
    }

    /// Checks that equal seeds give equal samples. Also checks the temperatures against an
    /// independent pass over the positions.
    #[test]
    fn samples_are_reproducible_and_correct() {
        let (analyst, job) = (Analyst::default(), Job::default());
        for (game, within) in [
            ("domineering", "4x4"),
            ("toads_and_frogs", "7"),
            ("nogo", "3x3"),
        ] {
            let question = TemperaturesQuestion {
                game: game.to_owned(),
                within: within.to_owned(),
                count: 60,
                seed: 5,
            };
            let sample = answer(&question, &job).unwrap();
            let again = answer(&question, &job).unwrap();
            assert_eq!(
                sample.plain(Audience::default()),
                again.plain(Audience::default())
            );
            assert_eq!(sample.count(), 60);
            let hottest = sample.counts.keys().next_back();
            assert_eq!(
                sample.hottest.first().map(|(temperature, _)| temperature),
                hottest
            );
            for (temperature, position) in &sample.hottest {
                let position = analyst.read(&position.to_string()).unwrap();
                let found = thermograph(&position, &job.limits()).unwrap();
                assert_eq!(found.thermograph.temperature(), temperature, "{position}");
            }
        }
    }
}
