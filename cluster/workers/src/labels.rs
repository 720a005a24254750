//! Outcome and remoteness by stages: the losses of a stage tell who moves to them that these win,
//! and wins are counted down.

use grundy::graph::{Counters, Score};
use grundy::{Outcome, Play};
use grundy_base::Diagnostic;

use crate::rounds::Rounds;
use crate::share::Share;
use crate::terms::{Report, Stage};

/// Vertices of other workers that wait to be told: the frontier, and how far it has been gone
/// through.
pub(crate) struct Telling<'a> {
    share: &'a Share,
    frontier: &'a [u32],
    next: usize,
}

impl<'a> Telling<'a> {
    pub(crate) fn new(share: &'a Share, frontier: &'a [u32]) -> Self {
        Self {
            share,
            frontier,
            next: 0,
        }
    }

    /// Writes to whom the frontier's moves lead back, as far as there is room; whether there is
    /// more.
    pub(crate) fn write(&mut self, rounds: &mut Rounds<'_>) -> bool {
        while let Some(&vertex) = self.frontier.get(self.next) {
            if self.next.is_multiple_of(64) && !rounds.has_room() {
                return true;
            }
            for (worker, local) in self.share.sources(vertex) {
                rounds.to(worker).extend_from_slice(&local.to_le_bytes());
            }
            self.next += 1;
        }
        false
    }
}

/// Tells all who move to a frontier, in as many rounds as that takes; `apply` is handed the
/// vertices here that are told. Answers the sums of the numbers.
pub(crate) fn tell(
    rounds: &mut Rounds<'_>,
    share: &Share,
    frontier: &[u32],
    tallies: [u64; 4],
    mut apply: impl FnMut(&[u32]),
) -> Result<[u64; 4], Diagnostic> {
    let mut telling = Telling::new(share, frontier);
    let (mut told, mut sums) = (Vec::new(), None);
    loop {
        let more = telling.write(rounds);
        let arrived = rounds.swap(more, tallies)?;
        sums.get_or_insert(arrived.tallies);
        for (_, reader) in arrived.readers() {
            let (locals, _) = reader.0.as_chunks();
            for chunk in locals.chunks(1 << 12) {
                told.clear();
                told.extend(chunk.iter().map(|&bytes| u32::from_le_bytes(bytes)));
                apply(&told);
            }
        }
        if !arrived.more {
            return Ok(sums.unwrap_or_default());
        }
    }
}

/// Labels under way: what a checkpoint keeps of them is [`Labelling::scores`] and the stage.
pub(crate) struct Labelling {
    left: Counters,
    /// By the vertices here, see [`Score`].
    pub(crate) scores: Vec<u32>,
    lost: Vec<u32>,
    won: Vec<u32>,
    /// The stage that comes next.
    pub(crate) stage: u32,
    /// Vertices of all workers that are labelled.
    pub(crate) done: u64,
}

impl Labelling {
    /// Before the first stage: the ends. `worth` says what those are worth to the player to move
    /// that are worth anything.
    pub(crate) fn new(share: &Share, play: Play, by_payoff: bool) -> Self {
        let mut left = Counters::decided(share.vertices());
        for (vertex, &degree) in (0..).zip(&share.degrees) {
            left.set(vertex, degree);
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
            lost = left.ends();
        } else {
            won = left.ends();
        }
        Self {
            left,
            scores: vec![Score::DRAW.0; share.vertices()],
            lost,
            won,
            stage: 0,
            done: 0,
        }
    }

    /// Before a later stage: all that follows from the scores that a checkpoint holds. Whoever
    /// loses or wins has told everybody so who moves there, and those who lost or won by that and
    /// have no score yet are the next.
    pub(crate) fn resume(
        rounds: &mut Rounds<'_>,
        share: &Share,
        scores: Vec<u32>,
        (stage, done): (u32, u64),
    ) -> Result<Self, Diagnostic> {
        let mut left = Counters::decided(share.vertices());
        for (vertex, &degree) in (0..).zip(&share.degrees) {
            left.set(vertex, degree);
        }
        let all = |outcome| {
            let of = |&(_, &score): &(u32, &u32)| Score(score).label().outcome == outcome;
            let these = (0..).zip(&scores).filter(of);
            these.map(|(vertex, _)| vertex).collect::<Vec<u32>>()
        };
        let (mut lost, mut won) = (Vec::new(), Vec::new());
        tell(rounds, share, &all(Outcome::P), [0; 4], |told| {
            left.decide(told, &mut won);
        })?;
        tell(rounds, share, &all(Outcome::N), [0; 4], |told| {
            left.count_down(told, &mut lost);
        })?;
        for next in [&mut lost, &mut won] {
            next.retain(|&vertex| scores[vertex as usize] == Score::DRAW.0);
        }
        Ok(Self {
            left,
            scores,
            lost,
            won,
            stage,
            done,
        })
    }

    /// Returns one stage; whether anything was left to be labelled.
    pub(crate) fn step(
        &mut self,
        rounds: &mut Rounds<'_>,
        share: &Share,
        of: u64,
    ) -> Result<bool, Diagnostic> {
        let Self {
            left,
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
        let sums = tell(rounds, share, lost, tallies, |told| {
            left.decide(told, &mut next_won);
        })?;
        if sums[1] > 0 {
            tell(rounds, share, won, tallies, |told| {
                left.count_down(told, &mut next_lost);
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
