//! Computes outcomes and remoteness stage by stage, by retrograde analysis with counters of
//! undecided moves.
//!
//! A predecessor of a lost vertex is won. A vertex is lost once all its options are won, which is
//! detected by a counter of its remaining moves. Stage s labels exactly the vertices of remoteness
//! s.

use grundy_base::Diagnostic;
use grundy_core::graph::{Counters, Score};
use grundy_core::{Outcome, Play};

use crate::context::{Report, Stage};
use crate::rounds::Rounds;
use crate::share::Share;

/// A cursor over a frontier, that is, a list of vertices whose predecessors are to be notified, for
/// example newly labelled vertices. The predecessors may belong to any worker.
pub(crate) struct FrontierCursor<'a> {
    share: &'a Share,
    frontier: &'a [u32],
    next: usize,
}

impl<'a> FrontierCursor<'a> {
    pub(crate) fn new(share: &'a Share, frontier: &'a [u32]) -> Self {
        Self {
            share,
            frontier,
            next: 0,
        }
    }

    /// Writes the predecessors of the frontier into the outboxes until these are full. Returns
    /// whether any vertices of the frontier are left.
    pub(crate) fn write(&mut self, rounds: &mut Rounds<'_>) -> bool {
        while let Some(&vertex) = self.frontier.get(self.next) {
            // The room is tested once for every 64 vertices, since this takes O(workers). An outbox
            // may exceed its room, which is a target and not a bound.
            if self.next.is_multiple_of(64) && !rounds.has_room() {
                return true;
            }
            for (worker, local) in self.share.sources(vertex) {
                // The index is written in four bytes and not in LEB128, so that the receiver can
                // read the indices as an array.
                rounds
                    .outbox(worker)
                    .extend_from_slice(&local.to_le_bytes());
            }
            self.next += 1;
        }
        false
    }
}

/// Notifies all predecessors of the vertices in `frontier`, in as many rounds as needed.
///
/// `apply` receives the local predecessors. A predecessor occurs once for each of its moves to a
/// frontier vertex, whichever worker owns that vertex. Returns the tallies summed over all workers.
pub(crate) fn notify_predecessors(
    rounds: &mut Rounds<'_>,
    share: &Share,
    frontier: &[u32],
    tallies: [u64; 4],
    mut apply: impl FnMut(&[u32]),
) -> Result<[u64; 4], Diagnostic> {
    let mut cursor = FrontierCursor::new(share, frontier);
    let (mut predecessors, mut sums) = (Vec::new(), None);
    loop {
        let more = cursor.write(rounds);
        let arrived = rounds.swap(more, tallies)?;
        // A long frontier is sent in several rounds, each with the same tallies. So only the sum of
        // the first round counts.
        sums.get_or_insert(arrived.tallies);
        for (_, reader) in arrived.readers() {
            let (locals, _) = reader.0.as_chunks();
            // A chunk has 16 KiB, so it stays in the cache between the conversion and `apply`.
            for chunk in locals.chunks(1 << 12) {
                predecessors.clear();
                predecessors.extend(chunk.iter().map(|&bytes| u32::from_le_bytes(bytes)));
                apply(&predecessors);
            }
        }
        if !arrived.more {
            return Ok(sums.unwrap_or_default());
        }
    }
}

/// The state of a labelling. A checkpoint stores only [`Labelling::scores`] and the stage.
pub(crate) struct Labelling {
    undecided: Counters,
    /// Scores of the local vertices, see [`Score`].
    pub(crate) scores: Vec<u32>,
    lost: Vec<u32>,
    won: Vec<u32>,
    /// The next stage. Stage s labels the vertices of remoteness s.
    pub(crate) stage: u32,
    /// Number of vertices in all workers that have a label.
    pub(crate) done: u64,
}

impl Labelling {
    /// Creates the state before the first stage. The terminal vertices form the frontier.
    /// `by_payoff` is `true` if the ruleset defines a payoff for each of them.
    pub(crate) fn new(share: &Share, play: Play, by_payoff: bool) -> Self {
        let mut undecided = Counters::decided(share.vertices());
        for (vertex, &degree) in (0..).zip(&share.degrees) {
            undecided.set(vertex, degree);
        }
        let (mut lost, mut won) = (Vec::new(), Vec::new());
        if by_payoff {
            for &(vertex, worth) in &share.ends {
                match worth.in_play(play).into() {
                    Outcome::P => lost.push(vertex),
                    Outcome::N => won.push(vertex),
                    Outcome::D => {}
                }
            }
        } else if play == Play::Normal {
            lost = undecided.ends();
        } else {
            won = undecided.ends();
        }
        Self {
            undecided,
            scores: vec![Score::DRAW.0; share.vertices()],
            lost,
            won,
            stage: 0,
            done: 0,
        }
    }

    /// Restores the state from the scores in a checkpoint.
    ///
    /// Counters and frontiers are rebuilt from the scores: all lost and won vertices notify their
    /// predecessors again. If a vertex that is decided by these notifications has no score yet, it
    /// belongs to the next stage.
    pub(crate) fn resume(
        rounds: &mut Rounds<'_>,
        share: &Share,
        scores: Vec<u32>,
        (stage, done): (u32, u64),
    ) -> Result<Self, Diagnostic> {
        let mut undecided = Counters::decided(share.vertices());
        for (vertex, &degree) in (0..).zip(&share.degrees) {
            undecided.set(vertex, degree);
        }
        let all = |outcome| {
            let of = |&(_, &score): &(u32, &u32)| Score(score).label().outcome == outcome;
            let these = (0..).zip(&scores).filter(of);
            these.map(|(vertex, _)| vertex).collect::<Vec<u32>>()
        };
        // `decide` and `count_down` also return vertices that were labelled before the checkpoint.
        // These have a score and are removed.
        let (mut lost, mut won) = (Vec::new(), Vec::new());
        notify_predecessors(rounds, share, &all(Outcome::P), [0; 4], |predecessors| {
            undecided.decide(predecessors, &mut won);
        })?;
        notify_predecessors(rounds, share, &all(Outcome::N), [0; 4], |predecessors| {
            undecided.count_down(predecessors, &mut lost);
        })?;
        for next in [&mut lost, &mut won] {
            next.retain(|&vertex| scores[vertex as usize] == Score::DRAW.0);
        }
        Ok(Self {
            undecided,
            scores,
            lost,
            won,
            stage,
            done,
        })
    }

    /// Labels the vertices of one stage. Returns whether any worker labelled a vertex.
    pub(crate) fn step(
        &mut self,
        rounds: &mut Rounds<'_>,
        share: &Share,
        of: u64,
    ) -> Result<bool, Diagnostic> {
        let Self {
            undecided,
            scores,
            lost,
            won,
            ..
        } = self;
        for &vertex in &*lost {
            scores[vertex as usize] = Score::lost(self.stage).0;
        }
        for &vertex in &*won {
            scores[vertex as usize] = Score::won(self.stage).0;
        }
        let tallies = [lost.len() as u64, won.len() as u64, 0, 0];
        let (mut next_lost, mut next_won) = (Vec::new(), Vec::new());
        let sums = notify_predecessors(rounds, share, lost, tallies, |predecessors| {
            undecided.decide(predecessors, &mut next_won);
        })?;
        // Without payoffs, all vertices of a stage are lost or all are won, depending on the parity
        // of the remoteness. All workers know the sum, so all of them skip this round.
        if sums[1] > 0 {
            notify_predecessors(rounds, share, won, tallies, |predecessors| {
                undecided.count_down(predecessors, &mut next_lost);
            })?;
        }
        self.lost = next_lost;
        self.won = next_won;
        self.stage += 1;
        self.done += sums[0] + sums[1];
        rounds.report(&Report {
            stage: Stage::Labelling,
            round: self.stage.into(),
            done: self.done,
            of,
            sent: rounds.sent(),
            ..Report::default()
        });
        Ok(sums[0] + sums[1] > 0)
    }
}
