//! Who wins a sum: by play, as far as nothing is known of it.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use grundy_base::limits::{Limits, Stop, ended};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Word;
use super::family::Family;
use super::monoid::Draft;

/// Answers who wins a sum.
pub(super) struct Oracle<'a, F> {
    pub(super) family: &'a mut F,
    /// The longest plays of the pieces.
    pub(super) lengths: &'a [u64],
    /// What is right about sums of a longest play below some length.
    pub(super) guess: (&'a Draft, u64),
    /// What was found by play.
    pub(super) played: &'a mut FxHashMap<Word, bool>,
}

/// Bytes that a sum takes that was played, about.
const PLAYED_BYTES: u64 = 112;

impl<F: Family> Oracle<'_, F> {
    /// Returns whether a sum is losing.
    ///
    /// # Complexity
    /// A visit to each option of each sum that can be reached and is not decided at once.
    pub(super) fn is_p(&mut self, word: &Word, limits: &Limits<'_>) -> Result<bool, Stop> {
        if let Some(known) = self.at_once(word) {
            return Ok(known);
        }
        // Sums on the way, with their options that are still to be asked.
        let mut way: Vec<(Word, Vec<Word>)> = Vec::new();
        let mut next = Some(word.clone());
        loop {
            if let Some(word) = next.take() {
                limits.check(self.played.len() as u64, PLAYED_BYTES)?;
                limits.poll()?;
                match self.begin(&word)? {
                    Begun::Known(lost) => _ = self.played.insert(word, lost),
                    Begun::Asking(options) => way.push((word, options)),
                }
            }
            let Some((word, asking)) = way.last_mut() else {
                break;
            };
            let lost = match asking.last().map(|option| self.played.get(option)) {
                None => true,
                Some(Some(true)) => false,
                Some(Some(false)) => {
                    asking.pop();
                    continue;
                }
                Some(None) => {
                    next = asking.last().cloned();
                    continue;
                }
            };
            self.played.insert(std::mem::take(word), lost);
            way.pop();
        }
        Ok(self.played[word])
    }

    fn at_once(&self, word: &Word) -> Option<bool> {
        let (guess, right) = self.guess;
        let length: u64 = word.iter().map(|&piece| self.lengths[piece as usize]).sum();
        if length < right {
            return Some(guess.is_p(word));
        }
        self.played.get(word).copied()
    }

    /// What the options say at once, or those that are to be asked, the shortest last.
    fn begin(&mut self, word: &Word) -> Result<Begun, Stop> {
        let options = options(self.family, self.lengths, word)?;
        if options.is_empty() {
            return Ok(Begun::Known(false));
        }
        let mut asking = Vec::new();
        for option in options {
            match self.at_once(&option) {
                Some(true) => return Ok(Begun::Known(false)),
                Some(false) => {}
                None => asking.push(option),
            }
        }
        if asking.is_empty() {
            return Ok(Begun::Known(true));
        }
        let length = |word: &Word| -> u64 {
            let lengths = word.iter().map(|&piece| self.lengths[piece as usize]);
            lengths.sum()
        };
        asking.sort_by_cached_key(|option| (Reverse(length(option)), option.clone()));
        Ok(Begun::Asking(asking))
    }
}

enum Begun {
    Known(bool),
    Asking(Vec<Word>),
}

/// Returns the options of a sum, each once, without pieces that nobody can move in.
fn options(
    family: &mut impl Family,
    lengths: &[u64],
    word: &Word,
) -> Result<FxHashSet<Word>, Stop> {
    let mut options = FxHashSet::default();
    for (place, &piece) in word.iter().enumerate() {
        if place > 0 && word[place - 1] == piece {
            continue;
        }
        ended(family.options(piece, &mut |left| {
            let mut option = word.clone();
            option.remove(place);
            option.extend(left.iter().filter(|&&piece| lengths[piece as usize] > 0));
            option.sort_unstable();
            options.insert(option);
            ControlFlow::Continue(())
        }))?;
    }
    Ok(options)
}
