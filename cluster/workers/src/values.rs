//! Values in normal play: numbers where every play ends, else the Smith-Fraenkel theory.

use grundy::graph::{Counters, Score, Values};
use grundy::mex::MexSet;
use grundy_base::{Diagnostic, Outcome};
use rustc_hash::FxHashMap;

use crate::labels::tell;
use crate::phase::Phase;
use crate::rounds::{At, Rounds};
use crate::share::Share;
use crate::terms::{Report, Stage};
use crate::wire::put;

/// Values of the vertices here, and the sets of those that are infinite.
#[derive(Debug)]
pub(crate) struct FoundValues {
    pub(crate) values: Values,
    /// The finite values among the options of infinite vertices, in order.
    pub(crate) sets: FxHashMap<u32, Vec<u32>>,
}

/// Hands the values of a frontier to all who move to it.
fn tell_values(
    rounds: &mut Rounds<'_>,
    share: &Share,
    frontier: &[u32],
    values: &Values,
    mut apply: impl FnMut(u32, u32),
) -> Result<u64, Diagnostic> {
    let tallies = [frontier.len() as u64, 0, 0, 0];
    let (mut next, mut sum) = (0, None);
    loop {
        while next < frontier.len() && (!next.is_multiple_of(64) || rounds.has_room()) {
            let vertex = frontier[next];
            let value = values.get(vertex).unwrap_or_default();
            for (worker, local) in share.sources(vertex) {
                let out = rounds.to(worker);
                out.extend_from_slice(&local.to_le_bytes());
                put(out, value.into());
            }
            next += 1;
        }
        let arrived = rounds.swap(next < frontier.len(), tallies)?;
        sum.get_or_insert(arrived.tallies[0]);
        for (_, mut reader) in arrived.readers() {
            while !reader.is_empty() {
                let local = reader.short()?;
                apply(local, reader.number()? as u32);
            }
        }
        if !arrived.more {
            return Ok(sum.unwrap_or_default());
        }
    }
}

/// The values that the options of vertices have so far, of those whose options have not all got
/// one.
struct Seen {
    /// Bit v for value v below 64.
    small: Vec<u64>,
    large: FxHashMap<u32, MexSet>,
}

impl Seen {
    fn insert(&mut self, vertex: u32, value: u32) {
        if value < 64 {
            self.small[vertex as usize] |= 1 << value;
        } else {
            self.large.entry(vertex).or_default().insert(value.into());
        }
    }

    /// Returns the least value that none has.
    fn mex(&mut self, vertex: u32) -> u32 {
        let small = self.small[vertex as usize];
        let large = self.large.remove(&vertex);
        if small != u64::MAX {
            return small.trailing_ones();
        }
        let mut set = large.unwrap_or_default();
        (0..64).for_each(|value| set.insert(value));
        set.mex() as u32
    }
}

/// Has a checkpoint written, if it is time: of how far the work is, the values so far, and who may
/// get the present one.
pub(crate) type Keep<'k> =
    &'k mut dyn FnMut(&mut Rounds<'_>, (Phase, At), &Values, &[u32]) -> Result<(), Diagnostic>;

/// Values by the options, from the ends backwards; nothing where a play need not end. It goes on
/// after the values in a checkpoint, which come with the round and how many there are.
pub(crate) fn finite(
    rounds: &mut Rounds<'_>,
    share: &Share,
    vertices: u64,
    restored: Option<(Values, u64, u64)>,
    keep: Keep<'_>,
) -> Result<Option<FoundValues>, Diagnostic> {
    let mut left = Counters::decided(share.vertices());
    for (vertex, &degree) in (0..).zip(&share.degrees) {
        left.set(vertex, degree);
    }
    let mut seen = Seen {
        small: vec![0; share.vertices()],
        large: FxHashMap::default(),
    };
    let mut frontier = left.ends();
    let (mut values, mut round, mut done) = match restored {
        None => (Values::absent(share.vertices()), 0, 0),
        Some((values, round, done)) => {
            let all = 0..values.len() as u32;
            let known: Vec<u32> = all.filter(|&vertex| values.has(vertex)).collect();
            tell_values(rounds, share, &known, &values, |vertex, value| {
                seen.insert(vertex, value);
                left.count_down(&[vertex], &mut frontier);
            })?;
            frontier.retain(|&vertex| !values.has(vertex));
            (values, round, done)
        }
    };
    loop {
        for &vertex in &frontier {
            values.set(vertex, seen.mex(vertex));
        }
        let mut next = Vec::new();
        let sum = tell_values(rounds, share, &frontier, &values, |vertex, value| {
            seen.insert(vertex, value);
            left.count_down(&[vertex], &mut next);
        })?;
        frontier = next;
        done += sum;
        round += 1;
        report(rounds, round, done, vertices);
        let at = match sum {
            // Where values are left over they are infinite, and loopy ones come next.
            0 if done == vertices => At::Table,
            0 => At::End,
            _ => At::Round,
        };
        keep(rounds, (Phase::Finite { round, done }, at), &values, &[])?;
        if sum == 0 {
            break;
        }
    }
    Ok((done == vertices).then(|| FoundValues {
        values,
        sets: FxHashMap::default(),
    }))
}

/// What a checkpoint holds of values in a game that need not end: the values, who may get the
/// present one, which one that is, and how many have been given out.
pub(crate) struct Given {
    pub(crate) values: Values,
    pub(crate) eligible: Vec<u32>,
    pub(crate) value: u32,
    pub(crate) done: u64,
}

/// Smith-Fraenkel values, from the scores of normal play: as in `grundy::graph`, value after value.
pub(crate) fn loopy(
    rounds: &mut Rounds<'_>,
    share: &Share,
    scores: &[u32],
    vertices: u64,
    restored: Option<Given>,
    keep: Keep<'_>,
) -> Result<FoundValues, Diagnostic> {
    let n = share.vertices();
    let anew = || {
        let mut new = Given {
            values: Values::absent(n),
            eligible: Vec::new(),
            value: 1,
            done: 0,
        };
        for (vertex, &score) in (0..).zip(scores) {
            match Score(score).label().outcome {
                Outcome::P => new.values.set(vertex, 0),
                Outcome::N => new.eligible.push(vertex),
                Outcome::D => {}
            }
        }
        new
    };
    let is_new = restored.is_none();
    // The vertices that may get the next value: they have options of all values before.
    let Given {
        mut values,
        mut eligible,
        mut value,
        mut done,
    } = restored.unwrap_or_else(anew);
    let found: Vec<u32> = (0..n as u32).filter(|&vertex| values.has(vertex)).collect();
    // Options without a value.
    let mut open = share.degrees.clone();
    let given = tell_open(rounds, share, &found, &mut open)?;
    if is_new {
        done = given;
    }
    let mut level = Level {
        left: Counters::decided(n),
        answered: vec![false; n],
        all: Vec::new(),
    };
    let mut found = if is_new {
        level.begin(&eligible, &open)
    } else {
        let given = (&values, &eligible[..], value);
        level.resume(rounds, share, given, &open)?
    };
    while rounds.sums([eligible.len() as u64, 0, 0, 0])?[0] > 0 {
        loop {
            let given = level.step(rounds, share, &mut values, &mut found, &mut open, value)?;
            done += given;
            if given == 0 {
                break;
            }
            if rounds.is_due(At::Round) {
                let left = eligible.iter().copied();
                let left: Vec<u32> = left.filter(|&vertex| !values.has(vertex)).collect();
                let phase = Phase::Loopy { value, done };
                keep(rounds, (phase, At::Round), &values, &left)?;
            }
        }
        level.end(&mut eligible);
        report(rounds, value.into(), done, vertices);
        value += 1;
        found = level.begin(&eligible, &open);
    }
    let phase = Phase::Loopy { value, done };
    keep(rounds, (phase, At::Table), &values, &[])?;
    let sets = sets(rounds, share, &values)?;
    Ok(FoundValues { values, sets })
}

/// Tells who moves to vertices that these have got a value.
fn tell_open(
    rounds: &mut Rounds<'_>,
    share: &Share,
    found: &[u32],
    open: &mut [u32],
) -> Result<u64, Diagnostic> {
    let sums = tell(
        rounds,
        share,
        found,
        [found.len() as u64, 0, 0, 0],
        |told| {
            told.iter().for_each(|&vertex| open[vertex as usize] -= 1);
        },
    )?;
    Ok(sums[0])
}

/// One value being given out.
struct Level {
    /// Options of the eligible vertices that have no value yet and no answer; other vertices are
    /// decided.
    left: Counters,
    /// Whether a vertex without a value has an option of the present one.
    answered: Vec<bool>,
    /// Those of which that holds.
    all: Vec<u32>,
}

impl Level {
    /// Begins to give a value out; answers those that get it first.
    fn begin(&mut self, eligible: &[u32], open: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for &vertex in eligible {
            let options = open[vertex as usize];
            self.left.set(vertex, options);
            if options == 0 {
                found.push(vertex);
            }
        }
        found
    }

    /// Goes on with a value that some vertices have got already; `eligible` are those that still
    /// may. Answers those that get it next.
    fn resume(
        &mut self,
        rounds: &mut Rounds<'_>,
        share: &Share,
        (values, eligible, value): (&Values, &[u32], u32),
        open: &[u32],
    ) -> Result<Vec<u32>, Diagnostic> {
        self.begin(eligible, open);
        let Self {
            left,
            answered,
            all,
        } = self;
        let has = |&vertex: &u32| values.get(vertex) == Some(value);
        let given: Vec<u32> = (0..values.len() as u32).filter(has).collect();
        tell(rounds, share, &given, [0; 4], |told| {
            for &vertex in told {
                if !answered[vertex as usize] && !values.has(vertex) {
                    answered[vertex as usize] = true;
                    all.push(vertex);
                }
            }
            left.forget(told);
        })?;
        tell(rounds, share, all, [0; 4], |told| {
            left.count_down(told, &mut Vec::new());
        })?;
        Ok(left.ends())
    }

    /// Gives the value to those who get it, and finds out who gets it by that; how many there were.
    fn step(
        &mut self,
        rounds: &mut Rounds<'_>,
        share: &Share,
        values: &mut Values,
        found: &mut Vec<u32>,
        open: &mut [u32],
        value: u32,
    ) -> Result<u64, Diagnostic> {
        let Self {
            left,
            answered,
            all,
        } = self;
        for &vertex in &*found {
            values.set(vertex, value);
        }
        let mut new = Vec::new();
        let tallies = [found.len() as u64, 0, 0, 0];
        let sums = tell(rounds, share, found, tallies, |told| {
            for &vertex in told {
                open[vertex as usize] -= 1;
                if !answered[vertex as usize] && !values.has(vertex) {
                    answered[vertex as usize] = true;
                    new.push(vertex);
                }
            }
            // Whoever has an option of this value cannot get it.
            left.forget(told);
        })?;
        if sums[0] == 0 {
            return Ok(0);
        }
        found.clear();
        tell(rounds, share, &new, [0; 4], |told| {
            left.count_down(told, found);
        })?;
        all.append(&mut new);
        Ok(sums[0])
    }

    /// Nobody gets the value any more: those who have an option of it may get the next.
    fn end(&mut self, eligible: &mut Vec<u32>) {
        self.left.forget(eligible);
        eligible.retain(|&vertex| self.answered[vertex as usize]);
        for vertex in self.all.drain(..) {
            self.answered[vertex as usize] = false;
        }
    }
}

/// Returns the finite values among the options of each infinite vertex.
fn sets(
    rounds: &mut Rounds<'_>,
    share: &Share,
    values: &Values,
) -> Result<FxHashMap<u32, Vec<u32>>, Diagnostic> {
    let all = 0..share.vertices() as u32;
    let mut sets: FxHashMap<u32, Vec<u32>> = all
        .clone()
        .filter(|&vertex| !values.has(vertex))
        .map(|vertex| (vertex, Vec::new()))
        .collect();
    let finite: Vec<u32> = all.filter(|&vertex| values.has(vertex)).collect();
    tell_values(rounds, share, &finite, values, |vertex, value| {
        if let Some(set) = sets.get_mut(&vertex)
            && !set.contains(&value)
        {
            set.push(value);
        }
    })?;
    sets.values_mut().for_each(|set| set.sort_unstable());
    Ok(sets)
}

fn report(rounds: &Rounds<'_>, round: u64, done: u64, of: u64) {
    rounds.report(&Report {
        stage: Stage::Valuing,
        round,
        done,
        of,
        sent: rounds.sent(),
        ..Report::default()
    });
}
