//! Exhaustive search: every reachable position is visited once, and stored under its canonical
//! form.

use rustc_hash::FxHashMap;

use crate::game::Game;
use grundy_base::limits::{Limits, Stop};
use grundy_base::mex::MexSet;
use grundy_base::outcome::{Outcome, Play};

/// The value and the remoteness of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashedEntry {
    /// The Sprague–Grundy value in normal play. In misère play it is 0 for P and 1 for N.
    pub value: u16,
    /// Number of moves that are left if the winner plays for the shortest game and the loser for
    /// the longest.
    pub remoteness: u16,
}

/// The table of the positions visited so far.
#[derive(Debug)]
pub struct HashedTable<'a, G: Game<Position: Copy>> {
    game: &'a G,
    play: Play,
    /// The entries of the positions. `None` means that the position is still on the stack.
    entries: FxHashMap<G::Position, Option<HashedEntry>>,
}

struct HashedFrame<P> {
    position: P,
    /// The index of the first option of this position in the vector of options, which all stack
    /// frames share.
    first: usize,
    /// The index of the next option to examine.
    next: usize,
}

impl<'a, G: Game<Position: Copy>> HashedTable<'a, G> {
    /// Creates an empty table.
    ///
    /// ```
    /// use grundy_core::implicit::hashed::HashedTable;
    /// use grundy_core::{Game, Limits, Outcome, Play};
    ///
    /// /// A heap from which one, three or four chips are taken.
    /// struct Take;
    ///
    /// impl Game for Take {
    ///     type Position = u64;
    ///
    ///     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    ///         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    ///     }
    /// }
    ///
    /// let mut table = HashedTable::new(&Take, Play::Normal);
    /// assert_eq!(table.outcome(&7, &Limits::default())?, Outcome::P);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn new(game: &'a G, play: Play) -> Self {
        Self {
            game,
            play,
            entries: FxHashMap::default(),
        }
    }

    /// Returns the number of positions visited so far.
    ///
    /// ```
    /// use grundy_core::implicit::hashed::HashedTable;
    /// use grundy_core::{Game, Limits, Play};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// // A move takes one, three or four chips. So 5 chips lead to all smaller heaps.
    /// let mut table = HashedTable::new(&Take, Play::Normal);
    /// table.grundy(&5, &Limits::default())?;
    /// assert_eq!(table.len(), 6);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether no position has been visited.
    ///
    /// ```
    /// use grundy_core::implicit::hashed::HashedTable;
    /// use grundy_core::{Game, Limits, Play};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// let mut table = HashedTable::new(&Take, Play::Normal);
    /// assert!(table.is_empty());
    /// table.grundy(&0, &Limits::default())?;
    /// assert!(!table.is_empty());
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the outcome of a position.
    ///
    /// # Errors
    /// As [`HashedTable::entry`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::implicit::hashed::HashedTable;
    /// use grundy_core::{Game, Limits, Outcome, Play};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// // A move takes one, three or four chips. In misère play, a heap of 3 chips is lost.
    /// let mut table = HashedTable::new(&Take, Play::Misere);
    /// assert_eq!(table.outcome(&3, &Limits::default())?, Outcome::P);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn outcome(
        &mut self,
        position: &G::Position,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Stop> {
        let entry = self.entry(position, limits)?;
        Ok(Outcome::from_win(entry.value > 0))
    }

    /// Returns the Sprague–Grundy value of a position if the table is for normal play. In a table
    /// for misère play, returns 0 for P and 1 for N.
    ///
    /// # Errors
    /// As [`HashedTable::entry`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::implicit::hashed::HashedTable;
    /// use grundy_core::{Game, Limits, Play, Stop};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// // A move takes one, three or four chips.
    /// let mut table = HashedTable::new(&Take, Play::Normal);
    /// let values = (0..7).map(|n| table.grundy(&n, &Limits::default()));
    /// assert_eq!(values.collect::<Result<Vec<u64>, Stop>>()?, [0, 1, 0, 1, 2, 3, 2]);
    /// # Ok::<(), Stop>(())
    /// ```
    pub fn grundy(&mut self, position: &G::Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        self.entry(position, limits)
            .map(|entry| u64::from(entry.value))
    }

    /// Returns the value and the remoteness of a position.
    ///
    /// # Complexity
    /// One call of [`Game::options`] for every canonical position that can be reached and is not
    /// yet known. Memory for an entry of each of these positions, and for the options of the
    /// positions on the current path.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] if a position repeats.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::implicit::hashed::{HashedEntry, HashedTable};
    /// use grundy_core::{Game, Limits, Play};
    /// # struct Take;
    /// # impl Game for Take {
    /// #     type Position = u64;
    /// #     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
    /// #         [1, 3, 4].into_iter().filter(move |&k| k <= n).map(move |k| n - k)
    /// #     }
    /// # }
    /// // A move takes one, three or four chips. From 5 chips, a win takes three moves.
    /// let mut table = HashedTable::new(&Take, Play::Normal);
    /// let entry = table.entry(&5, &Limits::default())?;
    /// assert_eq!(entry, HashedEntry { value: 3, remoteness: 3 });
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn entry(
        &mut self,
        position: &G::Position,
        limits: &Limits<'_>,
    ) -> Result<HashedEntry, Stop> {
        let root = self.game.symmetry(*position);
        if let Some(Some(entry)) = self.entries.get(&root) {
            return Ok(*entry);
        }
        let (mut options, mut frames) = (Vec::new(), Vec::new());
        let result = self.run(root, &mut options, &mut frames, limits);
        if result.is_err() {
            // The positions on the stack are removed, so that a later query does not regard them as
            // a cycle.
            frames.iter().for_each(|frame: &HashedFrame<_>| {
                self.entries.remove(&frame.position);
            });
        }
        result
    }

    fn run(
        &mut self,
        root: G::Position,
        options: &mut Vec<G::Position>,
        frames: &mut Vec<HashedFrame<G::Position>>,
        limits: &Limits<'_>,
    ) -> Result<HashedEntry, Stop> {
        let mut seen = MexSet::default();
        let bytes = 2 * size_of::<(G::Position, Option<HashedEntry>)>() as u64;
        self.open(root, options, frames);
        loop {
            let frame = frames.last_mut().ok_or(Stop::Cyclic)?;
            let mut child = None;
            // Options that are already known need no frame. An option that is on the stack closes a
            // cycle.
            while frame.next < options.len() {
                let option = options[frame.next];
                match self.entries.get(&option) {
                    Some(Some(_)) => frame.next += 1,
                    Some(None) => return Err(Stop::Cyclic),
                    None => {
                        child = Some(option);
                        break;
                    }
                }
            }
            if let Some(child) = child {
                if self.entries.len().is_multiple_of(4096) {
                    limits.poll()?;
                }
                limits.check((self.entries.len() + options.len()) as u64, bytes)?;
                self.open(child, options, frames);
                continue;
            }
            let done = frames.pop().ok_or(Stop::Cyclic)?;
            let entry = self.close(&options[done.first..], &mut seen);
            // The options of all frames are stored in one vector, which grows and shrinks with the
            // stack.
            options.truncate(done.first);
            self.entries.insert(done.position, Some(entry));
            if frames.is_empty() {
                return Ok(entry);
            }
        }
    }

    fn open(
        &mut self,
        position: G::Position,
        options: &mut Vec<G::Position>,
        frames: &mut Vec<HashedFrame<G::Position>>,
    ) {
        self.entries.insert(position, None);
        let first = options.len();
        let game = self.game;
        let listed = game.options(&position).into_iter();
        options.extend(listed.map(|option| game.symmetry(option)));
        frames.push(HashedFrame {
            position,
            first,
            next: first,
        });
    }

    /// Computes the entry of a position from the entries of its options, which must all be known.
    fn close(&self, options: &[G::Position], seen: &mut MexSet) -> HashedEntry {
        let entries = || options.iter().filter_map(|option| self.entries[option]);
        let value = match self.play {
            Play::Normal => {
                seen.clear();
                entries().for_each(|entry| seen.insert(u64::from(entry.value)));
                seen.mex() as u16
            }
            Play::Misere => {
                u16::from(options.is_empty() || entries().any(|entry| entry.value == 0))
            }
        };
        let quickest = entries()
            .filter(|entry| entry.value == 0)
            .map(|entry| entry.remoteness)
            .min();
        let longest = entries().map(|entry| entry.remoteness).max();
        let remoteness = quickest
            .or(longest)
            .map_or(0, |moves| moves.saturating_add(1));
        HashedEntry { value, remoteness }
    }
}
