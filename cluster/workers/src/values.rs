//! Values in normal play: Grundy values if every play ends, and Smith–Fraenkel values otherwise.

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

/// Values of the local vertices, with the sets of the infinite ones.
#[derive(Debug)]
pub(crate) struct FoundValues {
    pub(crate) values: Values,
    /// Sorted finite values among the options of each infinite vertex.
    pub(crate) sets: FxHashMap<u32, Vec<u32>>,
}

/// Sends the values of a frontier to all predecessors, in as many rounds as needed.
///
/// `apply` receives each local predecessor with the value of its option, once for each move.
/// Returns the length of the frontier, summed over all workers.
fn tell_values(
    rounds: &mut Rounds<'_>,
    share: &Share,
    frontier: &[u32],
    values: &Values,
    mut apply: impl FnMut(u32, u32),
) -> Result<u64, Diagnostic> {
    // The tallies are the same in every piece of a split round, so only the first sum counts.
    let tallies = [frontier.len() as u64, 0, 0, 0];
    let (mut next, mut sum) = (0, None);
    loop {
        while next < frontier.len() && (!next.is_multiple_of(64) || rounds.has_room()) {
            let vertex = frontier[next];
            let value = values.get(vertex).unwrap_or_default();
            for (worker, local) in share.sources(vertex) {
                let out = rounds.to(worker);
                // The local index has a fixed width, since it is uniform and gains nothing from
                // packing. Values are small.
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

/// Values found so far among the options of each vertex that is not valued itself.
struct Seen {
    /// Bit v is set if an option has value v, for v < 64.
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

    /// Returns the least value that no option has. Removes the set of large values.
    fn mex(&mut self, vertex: u32) -> u32 {
        // The large set is removed even if the mex is small. A vertex is valued only after its last
        // option, so the set is never needed again.
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

/// Callback that writes a checkpoint if one is due. It receives the phase, the values so far, and
/// the vertices that are still eligible for the current value.
pub(crate) type Keep<'k> =
    &'k mut dyn FnMut(&mut Rounds<'_>, (Phase, At), &Values, &[u32]) -> Result<(), Diagnostic>;

/// Computes Grundy values backwards from the terminal vertices. Returns nothing if some play need
/// not end.
///
/// `restored` resumes from a checkpoint: the values, the round, and the number of valued vertices
/// in all workers.
///
/// Invariant: at the start of a round the frontier holds exactly the vertices without a value all
/// of whose options have one. Hence their mex is final.
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
            // Counters and sets are not stored in a checkpoint. Sending all known values again
            // rebuilds both.
            let known: Vec<u32> = all.filter(|&vertex| values.has(vertex)).collect();
            tell_values(rounds, share, &known, &values, |vertex, value| {
                seen.insert(vertex, value);
                left.count_down(&[vertex], &mut frontier);
            })?;
            // `left.ends()` and the countdown also yield vertices that were valued before the
            // checkpoint.
            frontier.retain(|&vertex| !values.has(vertex));
            (values, round, done)
        }
    };
    loop {
        for &vertex in &frontier {
            // All options of a frontier vertex got their values in earlier rounds, so the order
            // within a round does not matter.
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
            // Vertices without a value reach a cycle, and `loopy` starts again from the scores.
            // Then the table is not next.
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

/// State of the Smith–Fraenkel computation in a checkpoint.
pub(crate) struct Given {
    pub(crate) values: Values,
    pub(crate) eligible: Vec<u32>,
    pub(crate) value: u32,
    pub(crate) done: u64,
}

/// Computes Smith–Fraenkel values from the scores of normal play, one value after another.
///
/// A vertex gets value m under two conditions. Its options have all values below m, and none has m.
/// Every option without a value has itself an option of value m. The vertices of value 0 are the
/// P-positions. Each further value takes one retrograde analysis, a [`Level`]. `grundy::graph` has
/// the same algorithm for one process.
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
    // Vertices that are eligible for the current value: their options have all smaller values.
    let Given {
        mut values,
        mut eligible,
        mut value,
        mut done,
    } = restored.unwrap_or_else(anew);
    let found: Vec<u32> = (0..n as u32).filter(|&vertex| values.has(vertex)).collect();
    // Number of options without a value, for each vertex. It decreases by one for each move to a
    // vertex that gets a value.
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
    // All workers must leave the loop together, so the number of eligible vertices is summed first.
    while rounds.sums([eligible.len() as u64, 0, 0, 0])?[0] > 0 {
        loop {
            let given = level.step(rounds, share, &mut values, &mut found, &mut open, value)?;
            done += given;
            if given == 0 {
                break;
            }
            // A checkpoint in the middle of a level holds the vertices that already have this value
            // and those that are still eligible. `Level::resume` rebuilds the rest.
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

/// Notifies all predecessors of newly valued vertices and decrements their open options. Returns
/// the number of these vertices in all workers.
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

/// State of the retrograde analysis for one value m.
///
/// A vertex is answered if it has no value and has an option of value m. A move to such a vertex
/// can be answered by a move to value m. An eligible vertex gets m as soon as all its options have
/// a smaller value or are answered.
struct Level {
    /// Number of options of each eligible vertex that have neither a value nor an answer. Other
    /// vertices count as decided.
    left: Counters,
    /// `true` if a vertex without a value has an option of the current value.
    answered: Vec<bool>,
    /// The answered vertices, so that `answered` can be cleared without a pass over all vertices.
    all: Vec<u32>,
}

impl Level {
    /// Starts a value. Returns the vertices that get it first.
    fn begin(&mut self, eligible: &[u32], open: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for &vertex in eligible {
            let options = open[vertex as usize];
            self.left.set(vertex, options);
            // All options have smaller values, all of them occur since the vertex is eligible, so
            // the mex is this value.
            if options == 0 {
                found.push(vertex);
            }
        }
        found
    }

    /// Resumes a value that some vertices already have. `eligible` holds the vertices that can
    /// still get it. Returns the vertices that get it next.
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
        // The two passes are those of `step`, for all vertices of this value at once. The second
        // begins only when `answered` is complete on all workers, so each answered vertex is
        // counted once.
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
        // The countdown's output is dropped because `ends` also finds the vertices whose count was
        // 0 from the start.
        tell(rounds, share, all, [0; 4], |told| {
            left.count_down(told, &mut Vec::new());
        })?;
        Ok(left.ends())
    }

    /// Gives the value to the vertices in `found`, and replaces them by those that get it next.
    /// Returns the number of vertices that got it in all workers.
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
        // First pass: from the new vertices of value m to their predecessors, which become
        // answered.
        let sums = tell(rounds, share, found, tallies, |told| {
            for &vertex in told {
                open[vertex as usize] -= 1;
                if !answered[vertex as usize] && !values.has(vertex) {
                    answered[vertex as usize] = true;
                    new.push(vertex);
                }
            }
            // A vertex with an option of this value cannot get it.
            left.forget(told);
        })?;
        if sums[0] == 0 {
            return Ok(0);
        }
        // Second pass: from the newly answered vertices to their predecessors, which have one
        // unanswered option fewer. It needs a separate round because these predecessors may belong
        // to other workers.
        found.clear();
        tell(rounds, share, &new, [0; 4], |told| {
            left.count_down(told, found);
        })?;
        all.append(&mut new);
        Ok(sums[0])
    }

    /// Ends the value. Answered vertices have an option of it, so exactly these stay eligible for
    /// the next one.
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
        // A vertex that has a value is in no set; its options are ignored.
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
