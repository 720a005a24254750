//! Values in normal play: Grundy values if every play ends, and Smith–Fraenkel values otherwise.

use grundy_base::{Diagnostic, Outcome};
use grundy_core::graph::{Counters, Score, Values};
use grundy_core::mex::MexSet;
use rustc_hash::FxHashMap;

use crate::context::{Report, Stage};
use crate::labels::notify_predecessors;
use crate::phase::Phase;
use crate::rounds::{CheckpointPoint, Rounds};
use crate::share::Share;
use crate::wire::put;

/// The values of the local vertices. A vertex of infinite value also has a set of finite values.
#[derive(Debug)]
pub(crate) struct FoundValues {
    pub(crate) values: Values,
    /// For each vertex of infinite value: the finite values among its options, sorted.
    pub(crate) sets: FxHashMap<u32, Vec<u32>>,
}

/// Sends the values of the vertices in `frontier` to their predecessors, in as many rounds as
/// needed.
///
/// `apply` is called for each move from a local vertex to a frontier vertex, whichever worker owns
/// the frontier vertex. Its arguments are the local vertex and the value of the option. Returns the
/// length of the frontier, summed over all workers.
fn send_values(
    rounds: &mut Rounds<'_>,
    share: &Share,
    frontier: &[u32],
    values: &Values,
    mut apply: impl FnMut(u32, u32),
) -> Result<u64, Diagnostic> {
    // A long frontier is sent in several rounds, each with the same tallies. So only the sum of the
    // first round counts.
    let tallies = [frontier.len() as u64, 0, 0, 0];
    let (mut next, mut sum) = (0, None);
    loop {
        while next < frontier.len() && (!next.is_multiple_of(64) || rounds.has_room()) {
            let vertex = frontier[next];
            let value = values.get(vertex).unwrap_or_default();
            for (worker, local) in share.sources(vertex) {
                let out = rounds.outbox(worker);
                // The local index takes four bytes: all indices are equally likely, so LEB128 would
                // save nothing. Values are small and are packed.
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

/// The values among the options of each vertex. They are collected until the vertex itself gets a
/// value.
struct OptionValues {
    /// Bit v is set if an option has value v, for v < 64.
    small: Vec<u64>,
    large: FxHashMap<u32, MexSet>,
}

impl OptionValues {
    fn insert(&mut self, vertex: u32, value: u32) {
        if value < 64 {
            self.small[vertex as usize] |= 1 << value;
        } else {
            self.large.entry(vertex).or_default().insert(value.into());
        }
    }

    /// Returns the least value that no option of a vertex has. Removes the set of the vertex's
    /// option values from 64 upwards.
    fn mex(&mut self, vertex: u32) -> u32 {
        // The set of large values is removed even if the mex is small. A vertex gets its value only
        // after all its options, so the set is never needed again.
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

/// A callback that writes a checkpoint if one is due. Its arguments are the phase, the values so
/// far, and the eligible vertices. A vertex is eligible if it has no value, and its options have
/// all values below the current one.
pub(crate) type SaveCheckpoint<'k> = &'k mut dyn FnMut(
    &mut Rounds<'_>,
    (Phase, CheckpointPoint),
    &Values,
    &[u32],
) -> Result<(), Diagnostic>;

/// Computes Grundy values backwards from the terminal vertices. Returns nothing if the game has an
/// infinite play.
///
/// `restored` holds the data of a checkpoint, if the computation resumes: the values, the round,
/// and how many vertices in all workers have a value.
///
/// Invariant: at the start of a round the frontier holds exactly the vertices that have no value
/// although all their options have values. Hence the mex of these values is final.
pub(crate) fn finite(
    rounds: &mut Rounds<'_>,
    share: &Share,
    vertices: u64,
    restored: Option<(Values, u64, u64)>,
    save: SaveCheckpoint<'_>,
) -> Result<Option<FoundValues>, Diagnostic> {
    let mut undecided = Counters::decided(share.vertices());
    for (vertex, &degree) in (0..).zip(&share.degrees) {
        undecided.set(vertex, degree);
    }
    let mut option_values = OptionValues {
        small: vec![0; share.vertices()],
        large: FxHashMap::default(),
    };
    let mut frontier = undecided.ends();
    let (mut values, mut round, mut done) = match restored {
        None => (Values::absent(share.vertices()), 0, 0),
        Some((values, round, done)) => {
            let all = 0..values.len() as u32;
            // A checkpoint stores neither the counters nor the sets. Both are rebuilt by sending
            // all known values again.
            let known: Vec<u32> = all.filter(|&vertex| values.has(vertex)).collect();
            send_values(rounds, share, &known, &values, |vertex, value| {
                option_values.insert(vertex, value);
                undecided.count_down(&[vertex], &mut frontier);
            })?;
            // `undecided.ends()` and the countdown also return vertices that had a value before the
            // checkpoint. These are removed.
            frontier.retain(|&vertex| !values.has(vertex));
            (values, round, done)
        }
    };
    loop {
        for &vertex in &frontier {
            // All options of a frontier vertex got their values in earlier rounds, so the order
            // within a round does not matter.
            values.set(vertex, option_values.mex(vertex));
        }
        let mut next = Vec::new();
        let sum = send_values(rounds, share, &frontier, &values, |vertex, value| {
            option_values.insert(vertex, value);
            undecided.count_down(&[vertex], &mut next);
        })?;
        frontier = next;
        done += sum;
        round += 1;
        report(rounds, round, done, vertices);
        let point = match sum {
            // If vertices without a value remain, they can reach a cycle. Then `loopy` starts again
            // from the scores, so the table is not the next phase.
            0 if done == vertices => CheckpointPoint::BeforeTable,
            0 => CheckpointPoint::PhaseEnd,
            _ => CheckpointPoint::Round,
        };
        save(rounds, (Phase::Finite { round, done }, point), &values, &[])?;
        if sum == 0 {
            break;
        }
    }
    Ok((done == vertices).then(|| FoundValues {
        values,
        sets: FxHashMap::default(),
    }))
}

/// State of the computation of Smith–Fraenkel values in a checkpoint.
pub(crate) struct LoopyProgress {
    pub(crate) values: Values,
    pub(crate) eligible: Vec<u32>,
    pub(crate) value: u32,
    pub(crate) done: u64,
}

/// Computes Smith–Fraenkel values one after another, in increasing order. `scores` holds the
/// `Score` of each local vertex in normal play, from which the P-positions and N-positions
/// follow.
///
/// A vertex gets value m if two conditions hold. First, each value below m is the value of an
/// option of the vertex, and no option has value m. Second, each option that has no value itself
/// has an option of value m. The vertices of value 0 are the P-positions. Each further value takes
/// one retrograde analysis, see [`Level`]. `grundy_core::graph` has the same algorithm for one
/// process.
pub(crate) fn loopy(
    rounds: &mut Rounds<'_>,
    share: &Share,
    scores: &[u32],
    vertices: u64,
    restored: Option<LoopyProgress>,
    save: SaveCheckpoint<'_>,
) -> Result<FoundValues, Diagnostic> {
    let n = share.vertices();
    let fresh = || {
        let mut new = LoopyProgress {
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
    let LoopyProgress {
        mut values,
        mut eligible,
        mut value,
        mut done,
    } = restored.unwrap_or_else(fresh);
    let found: Vec<u32> = (0..n as u32).filter(|&vertex| values.has(vertex)).collect();
    // Number of options without a value, for each vertex. It decreases by one for each option that
    // gets a value.
    let mut open = share.degrees.clone();
    let valued = decrement_open(rounds, share, &found, &mut open)?;
    if is_new {
        done = valued;
    }
    let mut level = Level {
        unanswered: Counters::decided(n),
        answered: vec![false; n],
        all: Vec::new(),
    };
    let mut found = if is_new {
        level.begin(&eligible, &open)
    } else {
        let progress = (&values, &eligible[..], value);
        level.resume(rounds, share, progress, &open)?
    };
    // All workers must leave the loop in the same round, so the numbers of their eligible vertices
    // are summed first.
    while rounds.sums([eligible.len() as u64, 0, 0, 0])?[0] > 0 {
        loop {
            let valued = level.step(rounds, share, &mut values, &mut found, &mut open, value)?;
            done += valued;
            if valued == 0 {
                break;
            }
            // A checkpoint in the middle of a level stores which vertices already have this value,
            // and which are still eligible for it. `Level::resume` rebuilds the rest.
            if rounds.is_due(CheckpointPoint::Round) {
                let remaining = eligible.iter().copied();
                let remaining: Vec<u32> = remaining.filter(|&vertex| !values.has(vertex)).collect();
                let phase = Phase::Loopy { value, done };
                save(rounds, (phase, CheckpointPoint::Round), &values, &remaining)?;
            }
        }
        level.end(&mut eligible);
        report(rounds, value.into(), done, vertices);
        value += 1;
        found = level.begin(&eligible, &open);
    }
    let phase = Phase::Loopy { value, done };
    save(rounds, (phase, CheckpointPoint::BeforeTable), &values, &[])?;
    let sets = sets(rounds, share, &values)?;
    Ok(FoundValues { values, sets })
}

/// Decrements the number of options without a value, for the source of each move to a vertex in
/// `found`. The vertices in `found` have just received a value. Returns the length of `found`,
/// summed over all workers.
fn decrement_open(
    rounds: &mut Rounds<'_>,
    share: &Share,
    found: &[u32],
    open: &mut [u32],
) -> Result<u64, Diagnostic> {
    let sums = notify_predecessors(
        rounds,
        share,
        found,
        [found.len() as u64, 0, 0, 0],
        |predecessors| {
            predecessors
                .iter()
                .for_each(|&vertex| open[vertex as usize] -= 1);
        },
    )?;
    Ok(sums[0])
}

/// State of the retrograde analysis for one value m.
///
/// A vertex is eligible if it has no value at the start of the analysis, and its options have all
/// values below m. A vertex is answered if it has no value and has an option of value m. The name
/// means that a move to this vertex can be answered by a move to value m. An eligible vertex gets
/// value m as soon as each of its options has a smaller value or is answered.
struct Level {
    /// For each eligible vertex: the number of its options that have no value and are not answered.
    /// Vertices that are not eligible, or that have an option of value m, are marked as decided.
    unanswered: Counters,
    /// For each vertex: `true` if it has an option of the current value, but no value itself.
    answered: Vec<bool>,
    /// The answered vertices, so that `answered` can be cleared without a pass over all vertices.
    all: Vec<u32>,
}

impl Level {
    /// Starts the analysis for the current value. Returns the vertices that get this value
    /// immediately.
    fn begin(&mut self, eligible: &[u32], open: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for &vertex in eligible {
            let options = open[vertex as usize];
            self.unanswered.set(vertex, options);
            // All options have smaller values. Since the vertex is eligible, all smaller values
            // occur among them. So the mex is the current value.
            if options == 0 {
                found.push(vertex);
            }
        }
        found
    }

    /// Resumes the analysis for a value that some vertices already have. `eligible` holds the
    /// vertices that may still get this value. Returns those of them that get it in the next step.
    fn resume(
        &mut self,
        rounds: &mut Rounds<'_>,
        share: &Share,
        (values, eligible, value): (&Values, &[u32], u32),
        open: &[u32],
    ) -> Result<Vec<u32>, Diagnostic> {
        self.begin(eligible, open);
        let Self {
            unanswered,
            answered,
            all,
        } = self;
        let has = |&vertex: &u32| values.get(vertex) == Some(value);
        // These are the two passes of `step`, for all vertices that already have this value. The
        // second pass begins only when `answered` is complete on all workers. So each answered
        // vertex is counted once.
        let valued: Vec<u32> = (0..values.len() as u32).filter(has).collect();
        notify_predecessors(rounds, share, &valued, [0; 4], |predecessors| {
            for &vertex in predecessors {
                if !answered[vertex as usize] && !values.has(vertex) {
                    answered[vertex as usize] = true;
                    all.push(vertex);
                }
            }
            unanswered.mark_decided(predecessors);
        })?;
        // The vertices that the countdown returns are dropped: `ends` returns them, too, and in
        // addition the vertices whose count was 0 from the start.
        notify_predecessors(rounds, share, all, [0; 4], |predecessors| {
            unanswered.count_down(predecessors, &mut Vec::new());
        })?;
        Ok(unanswered.ends())
    }

    /// Assigns the value to the vertices in `found`. Then replaces `found` by the vertices that get
    /// the value in the next step. Returns how many vertices in all workers received the value.
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
            unanswered,
            answered,
            all,
        } = self;
        for &vertex in &*found {
            values.set(vertex, value);
        }
        let mut new = Vec::new();
        let tallies = [found.len() as u64, 0, 0, 0];
        // First pass: each vertex that has just received value m notifies its predecessors, which
        // become answered.
        let sums = notify_predecessors(rounds, share, found, tallies, |predecessors| {
            for &vertex in predecessors {
                open[vertex as usize] -= 1;
                if !answered[vertex as usize] && !values.has(vertex) {
                    answered[vertex as usize] = true;
                    new.push(vertex);
                }
            }
            // A vertex with an option of this value cannot get the same value.
            unanswered.mark_decided(predecessors);
        })?;
        if sums[0] == 0 {
            return Ok(0);
        }
        // Second pass: each newly answered vertex notifies its predecessors, which now have one
        // unanswered option fewer. These predecessors may belong to other workers, hence a separate
        // round.
        found.clear();
        notify_predecessors(rounds, share, &new, [0; 4], |predecessors| {
            unanswered.count_down(predecessors, found);
        })?;
        all.append(&mut new);
        Ok(sums[0])
    }

    /// Ends the analysis for the current value. Of the vertices without a value, exactly the
    /// answered ones have an option of this value. So only answered vertices stay eligible for the
    /// next value.
    fn end(&mut self, eligible: &mut Vec<u32>) {
        self.unanswered.mark_decided(eligible);
        eligible.retain(|&vertex| self.answered[vertex as usize]);
        for vertex in self.all.drain(..) {
            self.answered[vertex as usize] = false;
        }
    }
}

/// Returns the finite values among the options of each vertex of infinite value.
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
    send_values(rounds, share, &finite, values, |vertex, value| {
        // A vertex with a finite value is not a key of `sets`. Its options are ignored.
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
