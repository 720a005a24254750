//! Every position that can be reached, once, under its own value as key.

use rustc_hash::FxHashMap;

use crate::game::Game;
use grundy_base::limits::{Limits, Stop};
use grundy_base::mex::MexSet;
use grundy_base::outcome::{Outcome, Play};

/// Value and remoteness of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashedEntry {
    /// The Sprague–Grundy value; in misère play 0 for P and 1 for N.
    pub value: u16,
    /// Moves left when the winner hurries and the loser delays.
    pub remoteness: u16,
}

/// The positions seen so far.
#[derive(Debug)]
pub struct HashedTable<'a, G: Game<Position: Copy>> {
    game: &'a G,
    play: Play,
    /// `None` while the position is on the way to its value.
    known: FxHashMap<G::Position, Option<HashedEntry>>,
}

struct HashedFrame<P> {
    position: P,
    /// Where its options begin on the common list, and the next of them to look at.
    first: usize,
    next: usize,
}

impl<'a, G: Game<Position: Copy>> HashedTable<'a, G> {
    /// Returns an empty table.
    pub fn new(game: &'a G, play: Play) -> Self {
        Self {
            game,
            play,
            known: FxHashMap::default(),
        }
    }

    /// How many positions have been looked at.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Who wins.
    ///
    /// # Errors
    /// As [`HashedTable::entry`].
    pub fn outcome(
        &mut self,
        position: &G::Position,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Stop> {
        let entry = self.entry(position, limits)?;
        Ok(Outcome::from_win(entry.value > 0))
    }

    /// Returns the Sprague–Grundy value, in normal play.
    ///
    /// # Errors
    /// As [`HashedTable::entry`].
    pub fn grundy(&mut self, position: &G::Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        self.entry(position, limits)
            .map(|entry| u64::from(entry.value))
    }

    /// Value and remoteness.
    ///
    /// # Complexity
    /// One call of [`Game::options`] for every canonical position that can be reached and was not
    /// yet known; memory for one entry each, and for the options along the way down.
    ///
    /// # Errors
    /// A limit, or [`Stop::Cyclic`] where a position comes back.
    pub fn entry(
        &mut self,
        position: &G::Position,
        limits: &Limits<'_>,
    ) -> Result<HashedEntry, Stop> {
        let root = self.game.symmetry(*position);
        if let Some(Some(entry)) = self.known.get(&root) {
            return Ok(*entry);
        }
        let (mut options, mut frames) = (Vec::new(), Vec::new());
        let result = self.run(root, &mut options, &mut frames, limits);
        if result.is_err() {
            // What is half done is forgotten, so that a later question starts afresh.
            frames.iter().for_each(|frame: &HashedFrame<_>| {
                self.known.remove(&frame.position);
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
            while frame.next < options.len() {
                let option = options[frame.next];
                match self.known.get(&option) {
                    Some(Some(_)) => frame.next += 1,
                    Some(None) => return Err(Stop::Cyclic),
                    None => {
                        child = Some(option);
                        break;
                    }
                }
            }
            if let Some(child) = child {
                if self.known.len().is_multiple_of(4096) {
                    limits.poll()?;
                }
                limits.check((self.known.len() + options.len()) as u64, bytes)?;
                self.open(child, options, frames);
                continue;
            }
            let done = frames.pop().ok_or(Stop::Cyclic)?;
            let entry = self.close(&options[done.first..], &mut seen);
            options.truncate(done.first);
            self.known.insert(done.position, Some(entry));
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
        self.known.insert(position, None);
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

    /// Returns the entry of a position from those of its options, all known.
    fn close(&self, options: &[G::Position], seen: &mut MexSet) -> HashedEntry {
        let entries = || options.iter().filter_map(|option| self.known[option]);
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
