//! The value of one position, most others left unlooked at: alpha-beta search with a table of
//! bounds.

use rustc_hash::FxHashMap;

use crate::game::Game;
use grundy_base::limits::{Limits, Stop};

/// A game with scores: what a player can be sure of against best play.
pub trait Scored: Game<Position: Copy> {
    /// Returns the score at the end of play for the player to move, `None` where play goes on.
    /// Wins, ties and losses are 1, 0 and -1.
    fn end(&self, position: &Self::Position) -> Option<i16>;

    /// What a move from `position` to `option` adds to the score of the player who makes it, and
    /// whether that player moves again. In most games nothing and no.
    fn gain(&self, position: &Self::Position, option: &Self::Position) -> (i16, bool) {
        let _ = (position, option);
        (0, false)
    }

    /// Bounds of the score that can still be got from `position`, lower and upper.
    fn bounds(&self, position: &Self::Position) -> (i16, i16);
}

/// Lower and upper bound of a score, once known for good.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: i16,
    high: i16,
}

/// The positions looked at, with bounds of their scores.
#[derive(Debug)]
pub struct PrunedSearch<'a, G: Scored> {
    game: &'a G,
    known: FxHashMap<G::Position, Bounds>,
}

struct PrunedFrame<P> {
    position: P,
    /// The window: a score of at most `alpha` or at least `beta` need not be exact.
    alpha: i16,
    beta: i16,
    best: i16,
    /// What the option being looked at adds, and whether the same player moves again.
    gain: (i16, bool),
    first: usize,
    next: usize,
}

impl<'a, G: Scored> PrunedSearch<'a, G> {
    /// Returns a search that has looked at nothing.
    pub fn new(game: &'a G) -> Self {
        Self {
            game,
            known: FxHashMap::default(),
        }
    }

    /// How many positions are in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the score of `position` for the player to move.
    ///
    /// # Complexity
    /// With the best option always first, about the square root of what a full search looks at.
    ///
    /// # Errors
    /// A limit.
    pub fn score(&mut self, position: &G::Position, limits: &Limits<'_>) -> Result<i16, Stop> {
        let (low, high) = self.game.bounds(position);
        self.window(position, low, high, limits)
    }

    /// Returns whether the player to move scores more than `score`: a search with the narrowest
    /// window.
    ///
    /// # Errors
    /// A limit.
    pub fn beats(
        &mut self,
        position: &G::Position,
        score: i16,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        Ok(self.window(position, score, score + 1, limits)? > score)
    }

    fn window(
        &mut self,
        position: &G::Position,
        alpha: i16,
        beta: i16,
        limits: &Limits<'_>,
    ) -> Result<i16, Stop> {
        let root = self.game.symmetry(*position);
        let mut options: Vec<(G::Position, G::Position)> = Vec::new();
        let mut frames: Vec<PrunedFrame<G::Position>> = Vec::new();
        let mut answer = self.enter(root, alpha, beta, &mut options, &mut frames);
        let bytes = 2 * size_of::<(G::Position, Bounds)>() as u64;
        loop {
            // An answer belongs to the frame that asked for it.
            let Some(frame) = frames.last_mut() else {
                return Ok(answer.unwrap_or(0));
            };
            if let Some(score) = answer.take() {
                let (gain, again) = frame.gain;
                frame.best = frame.best.max(gain + if again { score } else { -score });
            }
            if frame.best >= frame.beta || frame.next == options.len() {
                let frame = frames.pop().ok_or(Stop::Cyclic)?;
                options.truncate(frame.first);
                answer = Some(self.leave(&frame));
                continue;
            }
            let (raw, option) = options[frame.next];
            frame.next += 1;
            frame.gain = self.game.gain(&frame.position, &raw);
            let (gain, again) = frame.gain;
            let alpha = frame.alpha.max(frame.best) - gain;
            let beta = frame.beta - gain;
            let (alpha, beta) = if again {
                (alpha, beta)
            } else {
                (-beta, -alpha)
            };
            if self.known.len().is_multiple_of(4096) {
                limits.poll()?;
            }
            limits.check((self.known.len() + options.len()) as u64, bytes)?;
            answer = self.enter(option, alpha, beta, &mut options, &mut frames);
        }
    }

    /// Returns the score, where it is known well enough at once; otherwise the position is put on
    /// the way.
    fn enter(
        &mut self,
        position: G::Position,
        mut alpha: i16,
        mut beta: i16,
        options: &mut Vec<(G::Position, G::Position)>,
        frames: &mut Vec<PrunedFrame<G::Position>>,
    ) -> Option<i16> {
        let game = self.game;
        if let Some(score) = game.end(&position) {
            return Some(score);
        }
        let known = self.known.get(&position).copied();
        let (low, high) = known.map_or_else(|| game.bounds(&position), |b| (b.low, b.high));
        if low >= beta || low == high {
            return Some(low);
        }
        if high <= alpha {
            return Some(high);
        }
        alpha = alpha.max(low);
        beta = beta.min(high);
        let first = options.len();
        let listed = game.options(&position).into_iter();
        options.extend(listed.map(|option| (option, game.symmetry(option))));
        frames.push(PrunedFrame {
            position,
            alpha,
            beta,
            best: i16::MIN + 1,
            gain: (0, false),
            first,
            next: first,
        });
        None
    }

    /// Remembers what a frame has found.
    fn leave(&mut self, frame: &PrunedFrame<G::Position>) -> i16 {
        let game = self.game;
        let bounds = self.known.entry(frame.position).or_insert_with(|| {
            let (low, high) = game.bounds(&frame.position);
            Bounds { low, high }
        });
        if frame.best > frame.alpha {
            bounds.low = bounds.low.max(frame.best);
        }
        if frame.best < frame.beta {
            bounds.high = bounds.high.min(frame.best);
        }
        frame.best
    }
}
