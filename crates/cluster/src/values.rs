//! Values in normal play: numbers where every play ends, else the Smith-Fraenkel theory.

use grundy::graph::{Counters, Score, Values};
use grundy::mex::MexSet;
use grundy_base::{Diagnostic, Outcome};
use rustc_hash::FxHashMap;

use crate::labels::tell;
use crate::rounds::Rounds;
use crate::share::Share;
use crate::terms::{Stage, Told};
use crate::wire::put;

/// Values of the vertices here, and the sets of those that are infinite.
#[derive(Debug)]
pub(crate) struct Found {
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

/// The values that the options of vertices have so far, of those whose options have not all got one.
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

    /// The least value that none has.
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

/// Values by the options, from the ends backwards; nothing where a play need not end.
pub(crate) fn finite(
    rounds: &mut Rounds<'_>,
    share: &Share,
    vertices: u64,
) -> Result<Option<Found>, Diagnostic> {
    let mut values = Values::absent(share.vertices());
    let mut left = Counters::decided(share.vertices());
    for (vertex, &degree) in (0..).zip(&share.degrees) {
        left.set(vertex, degree);
    }
    let mut seen = Seen {
        small: vec![0; share.vertices()],
        large: FxHashMap::default(),
    };
    let (mut frontier, mut done, mut round) = (left.ends(), 0, 0);
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
        if sum == 0 {
            break;
        }
    }
    Ok((done == vertices).then(|| Found {
        values,
        sets: FxHashMap::default(),
    }))
}

/// Smith-Fraenkel values, from the scores of normal play: as in `grundy::graph`, value after value.
pub(crate) fn loopy(
    rounds: &mut Rounds<'_>,
    share: &Share,
    scores: &[u32],
    vertices: u64,
) -> Result<Found, Diagnostic> {
    let n = share.vertices();
    let mut values = Values::absent(n);
    // The vertices that may get the next value: they have options of all values before.
    let (mut eligible, mut found) = (Vec::new(), Vec::new());
    for (vertex, &score) in (0..).zip(scores) {
        match Score(score).label().outcome {
            Outcome::P => {
                values.set(vertex, 0);
                found.push(vertex);
            }
            Outcome::N => eligible.push(vertex),
            Outcome::D => {}
        }
    }
    // Options without a value.
    let mut open = share.degrees.clone();
    let mut done = tell_open(rounds, share, &found, &mut open)?;
    let mut level = Level {
        left: Counters::decided(n),
        answered: vec![false; n],
    };
    let mut value = 1;
    while rounds.sums([eligible.len() as u64, 0, 0, 0])?[0] > 0 {
        done += level.give(rounds, share, &mut values, &mut eligible, &mut open, value)?;
        report(rounds, value.into(), done, vertices);
        value += 1;
    }
    let sets = sets(rounds, share, &values)?;
    Ok(Found { values, sets })
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
    /// Options of the eligible vertices that have no value yet and no answer; other vertices are decided.
    left: Counters,
    /// Whether a vertex without a value has an option of the present one.
    answered: Vec<bool>,
}

impl Level {
    /// Gives a value out; how many vertices of all workers get it. Those that have an option of it are eligible for the next.
    fn give(
        &mut self,
        rounds: &mut Rounds<'_>,
        share: &Share,
        values: &mut Values,
        eligible: &mut Vec<u32>,
        open: &mut [u32],
        value: u32,
    ) -> Result<u64, Diagnostic> {
        let Self { left, answered } = self;
        let mut found = Vec::new();
        for &vertex in &*eligible {
            let options = open[vertex as usize];
            left.set(vertex, options);
            if options == 0 {
                found.push(vertex);
            }
        }
        let (mut all, mut given) = (Vec::new(), 0);
        loop {
            for &vertex in &found {
                values.set(vertex, value);
            }
            let mut new = Vec::new();
            let tallies = [found.len() as u64, 0, 0, 0];
            let sums = tell(rounds, share, &found, tallies, |told| {
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
                break;
            }
            given += sums[0];
            let mut next = Vec::new();
            tell(rounds, share, &new, [0; 4], |told| {
                left.count_down(told, &mut next);
            })?;
            all.append(&mut new);
            found = next;
        }
        left.forget(eligible);
        eligible.retain(|&vertex| answered[vertex as usize]);
        for vertex in all {
            answered[vertex as usize] = false;
        }
        Ok(given)
    }
}

/// The finite values among the options of each infinite vertex.
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
    rounds.tell(&Told {
        stage: Stage::Valuing,
        round,
        done,
        of,
        sent: rounds.traffic().bytes,
    });
}
