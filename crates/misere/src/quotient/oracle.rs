//! Outcomes of sums. For short sums, they come from a draft (a guessed quotient) that is known to
//! be right about these sums. Otherwise they are found by trying all moves.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use grundy_base::limits::{Limits, Stop, stopped_early};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Word;
use super::family::Family;
use super::monoid::Draft;

/// The computation of outcomes of sums, with a cache.
pub(super) struct Oracle<'a, F> {
    pub(super) family: &'a mut F,
    /// The length of each piece: the number of moves in its longest play.
    pub(super) lengths: &'a [u64],
    /// A draft (a guessed quotient) and a length. The draft is right about every sum whose longest
    /// play has fewer moves than this length.
    pub(super) guess: (&'a Draft, u64),
    /// The outcomes that have been found by playing sums: `true` for losing.
    pub(super) played: &'a mut FxHashMap<Word, bool>,
}

/// Approximate size in bytes of an entry of `Oracle::played`, the cache of outcomes.
const PLAYED_BYTES: u64 = 112;

impl<F: Family> Oracle<'_, F> {
    /// Returns whether the sum is losing.
    ///
    /// # Complexity
    /// Each option of every reachable sum is visited once, unless the outcome of that sum is known.
    pub(super) fn is_p(&mut self, word: &Word, limits: &Limits<'_>) -> Result<bool, Stop> {
        if let Some(known) = self.known_outcome(word) {
            return Ok(known);
        }
        // The stack is explicit, since a long play could overflow the call stack. Each entry is a
        // sum with its options that are not decided.
        let mut stack: Vec<(Word, Vec<Word>)> = Vec::new();
        let mut next = Some(word.clone());
        loop {
            if let Some(word) = next.take() {
                limits.check(self.played.len() as u64, PLAYED_BYTES)?;
                limits.poll()?;
                match self.first_pass(&word)? {
                    FirstPass::Known(lost) => _ = self.played.insert(word, lost),
                    FirstPass::Undecided(options) => stack.push((word, options)),
                }
            }
            let Some((word, undecided)) = stack.last_mut() else {
                break;
            };
            // A sum is losing if all its options are winning. So the first losing option decides
            // the sum.
            let lost = match undecided.last().map(|option| self.played.get(option)) {
                None => true,
                Some(Some(true)) => false,
                Some(Some(false)) => {
                    undecided.pop();
                    continue;
                }
                Some(None) => {
                    next = undecided.last().cloned();
                    continue;
                }
            };
            self.played.insert(std::mem::take(word), lost);
            stack.pop();
        }
        Ok(self.played[word])
    }

    /// Returns the outcome of a sum if it is known from the draft or the cache. Otherwise returns
    /// `None`.
    fn known_outcome(&self, word: &Word) -> Option<bool> {
        let (guess, right) = self.guess;
        let length: u64 = word.iter().map(|&piece| self.lengths[piece as usize]).sum();
        if length < right {
            return Some(guess.is_p(word));
        }
        self.played.get(word).copied()
    }

    /// Returns the outcome if the known outcomes of the options decide it. Otherwise returns the
    /// options whose outcomes are unknown, the shortest last.
    fn first_pass(&mut self, word: &Word) -> Result<FirstPass, Stop> {
        let options = options(self.family, self.lengths, word)?;
        if options.is_empty() {
            return Ok(FirstPass::Known(false));
        }
        let mut undecided = Vec::new();
        for option in options {
            match self.known_outcome(&option) {
                Some(true) => return Ok(FirstPass::Known(false)),
                Some(false) => {}
                None => undecided.push(option),
            }
        }
        if undecided.is_empty() {
            return Ok(FirstPass::Known(true));
        }
        let length = |word: &Word| -> u64 {
            let lengths = word.iter().map(|&piece| self.lengths[piece as usize]);
            lengths.sum()
        };
        // Options are taken from the end of the list. Short options are cheap, and often decide the
        // sum. Options of equal length are sorted as words, so that the order does not depend on
        // the hash set.
        undecided.sort_by_cached_key(|option| (Reverse(length(option)), option.clone()));
        Ok(FirstPass::Undecided(undecided))
    }
}

/// The state of a sum after its options have been looked up.
enum FirstPass {
    Known(bool),
    Undecided(Vec<Word>),
}

/// Returns the options of a sum, each once. Pieces that have no moves are left out.
fn options(
    family: &mut impl Family,
    lengths: &[u64],
    word: &Word,
) -> Result<FxHashSet<Word>, Stop> {
    let mut options = FxHashSet::default();
    for (index, &piece) in word.iter().enumerate() {
        // Equal pieces are adjacent in a sorted word. They have the same options, so the second one
        // is skipped.
        if index > 0 && word[index - 1] == piece {
            continue;
        }
        stopped_early(family.options(piece, &mut |left| {
            let mut option = word.clone();
            option.remove(index);
            option.extend(left.iter().filter(|&&piece| lengths[piece as usize] > 0));
            option.sort_unstable();
            options.insert(option);
            ControlFlow::Continue(())
        }))?;
    }
    Ok(options)
}
