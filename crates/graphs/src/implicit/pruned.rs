//! Computes the score of a single position by alpha-beta search with a table of bounds. Most
//! positions are never visited.

use rustc_hash::FxHashMap;

use crate::game::Game;
use grundy_base::limits::{Limits, Stop};

/// A game with scores. The score of a position is the greatest result that the player to move can
/// guarantee.
pub trait ScoredGame: Game<Position: Copy> {
    /// Returns the score for the player to move if the game is over, or `None` if it continues. In
    /// a game with wins, ties and losses only, these count 1, 0 and -1.
    fn terminal_score(&self, position: &Self::Position) -> Option<i16>;

    /// Returns the number that a move adds to the score of the player who makes it, and whether
    /// that player moves again. By default the number is 0, and the other player moves next.
    fn gain(&self, position: &Self::Position, option: &Self::Position) -> (i16, bool) {
        let _ = (position, option);
        (0, false)
    }

    /// Returns a lower and an upper bound on the score of `position`.
    fn bounds(&self, position: &Self::Position) -> (i16, i16);
}

/// Lower and upper bound on the score of a position. They are valid in a search with any window
/// from `alpha` to `beta`.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: i16,
    high: i16,
}

/// An alpha-beta search with its table of bounds.
#[derive(Debug)]
pub struct PrunedSearch<'a, G: ScoredGame> {
    game: &'a G,
    entries: FxHashMap<G::Position, Bounds>,
}

struct PrunedFrame<P> {
    position: P,
    /// The window from `alpha` to `beta`. The search need not find a score exactly if it is at most
    /// `alpha` or at least `beta`.
    alpha: i16,
    beta: i16,
    best: i16,
    /// The number that the current option adds to the score, and whether the same player moves
    /// again.
    gain: (i16, bool),
    /// The index of the first option of this position in the vector of options, which all stack
    /// frames share.
    first: usize,
    /// The index of the next option to examine.
    next: usize,
}

impl<'a, G: ScoredGame> PrunedSearch<'a, G> {
    /// Creates a search with an empty table.
    ///
    /// ```
    /// use grundy_core::implicit::pruned::{PrunedSearch, ScoredGame};
    /// use grundy_core::{Game, Limits};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// # impl ScoredGame for Take {
    /// #     fn terminal_score(&self, &n: &u64) -> Option<i16> { (n == 0).then_some(-1) }
    /// #     fn bounds(&self, _: &u64) -> (i16, i16) { (-1, 1) }
    /// # }
    /// // A move takes one, three or four chips. A win counts 1, and a loss counts -1.
    /// let mut search = PrunedSearch::new(&Take);
    /// assert_eq!(search.score(&100, &Limits::default())?, -1);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn new(game: &'a G) -> Self {
        Self {
            game,
            entries: FxHashMap::default(),
        }
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the score of `position`, for the player to move.
    ///
    /// # Complexity
    /// If the best option is always examined first, the search visits about the square root of the
    /// number of positions that a full search visits.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::implicit::pruned::{PrunedSearch, ScoredGame};
    /// use grundy_core::{Game, Limits};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// # impl ScoredGame for Take {
    /// #     fn terminal_score(&self, &n: &u64) -> Option<i16> { (n == 0).then_some(-1) }
    /// #     fn bounds(&self, _: &u64) -> (i16, i16) { (-1, 1) }
    /// # }
    /// // A move takes one, three or four chips. A win counts 1, and a loss counts -1.
    /// let mut search = PrunedSearch::new(&Take);
    /// assert_eq!(search.score(&7, &Limits::default())?, -1);
    /// assert_eq!(search.score(&8, &Limits::default())?, 1);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn score(&mut self, position: &G::Position, limits: &Limits<'_>) -> Result<i16, Stop> {
        let (low, high) = self.game.bounds(position);
        self.window(position, low, high, limits)
    }

    /// Returns whether the score of `position` for the player to move exceeds `score`. The search
    /// uses the null window from `score` to `score + 1`.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::implicit::pruned::{PrunedSearch, ScoredGame};
    /// use grundy_core::{Game, Limits};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// # impl ScoredGame for Take {
    /// #     fn terminal_score(&self, &n: &u64) -> Option<i16> { (n == 0).then_some(-1) }
    /// #     fn bounds(&self, _: &u64) -> (i16, i16) { (-1, 1) }
    /// # }
    /// // A move takes one, three or four chips. A win counts 1, and a loss counts -1.
    /// let mut search = PrunedSearch::new(&Take);
    /// assert!(search.score_exceeds(&8, 0, &Limits::default())?);
    /// assert!(!search.score_exceeds(&7, -1, &Limits::default())?);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn score_exceeds(
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
            // The score that was just computed is that of an option of the topmost frame on the
            // stack.
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
            // The window of an option refers to the score from there on, so the gain of the move is
            // subtracted. If the opponent moves next, the window is negated.
            let alpha = frame.alpha.max(frame.best) - gain;
            let beta = frame.beta - gain;
            let (alpha, beta) = if again {
                (alpha, beta)
            } else {
                (-beta, -alpha)
            };
            if self.entries.len().is_multiple_of(4096) {
                limits.poll()?;
            }
            limits.check((self.entries.len() + options.len()) as u64, bytes)?;
            answer = self.enter(option, alpha, beta, &mut options, &mut frames);
        }
    }

    /// Returns the score of a position if the game is over, or if the known bounds suffice for the
    /// window. Otherwise pushes the position on the stack.
    fn enter(
        &mut self,
        position: G::Position,
        mut alpha: i16,
        mut beta: i16,
        options: &mut Vec<(G::Position, G::Position)>,
        frames: &mut Vec<PrunedFrame<G::Position>>,
    ) -> Option<i16> {
        let game = self.game;
        if let Some(score) = game.terminal_score(&position) {
            return Some(score);
        }
        let stored = self.entries.get(&position).copied();
        let (low, high) = stored.map_or_else(|| game.bounds(&position), |b| (b.low, b.high));
        if low >= beta || low == high {
            return Some(low);
        }
        if high <= alpha {
            return Some(high);
        }
        // The known bounds narrow the window, so that more options may be pruned.
        alpha = alpha.max(low);
        beta = beta.min(high);
        let first = options.len();
        let listed = game.options(&position).into_iter();
        options.extend(listed.map(|option| (option, game.symmetry(option))));
        frames.push(PrunedFrame {
            position,
            alpha,
            beta,
            // `i16::MIN` is not used, since its negation overflows.
            best: i16::MIN + 1,
            gain: (0, false),
            first,
            next: first,
        });
        None
    }

    /// Stores the bounds that the search has found for the score of a position, given by its stack
    /// frame. Returns the score that the search has found.
    fn leave(&mut self, frame: &PrunedFrame<G::Position>) -> i16 {
        let game = self.game;
        let bounds = self.entries.entry(frame.position).or_insert_with(|| {
            let (low, high) = game.bounds(&frame.position);
            Bounds { low, high }
        });
        // The search is fail-soft: a score above `alpha` is a lower bound, and a score below `beta`
        // is an upper bound. Between `alpha` and `beta` it is both, and so the exact score.
        if frame.best > frame.alpha {
            bounds.low = bounds.low.max(frame.best);
        }
        if frame.best < frame.beta {
            bounds.high = bounds.high.min(frame.best);
        }
        frame.best
    }
}
