//! Texts that consist of shared parts. Each part is stored once, and a text is written up to a
//! limit on its length.
//!
//! The text of a small game can be exponentially long, since each `±` doubles it. [`Texts`] stores
//! each part once, even if it occurs many times. It writes as much of a text as the limit allows.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

/// Largest length of a text in an answer, in bytes.
pub const LONGEST: u64 = 1 << 20;

/// The mark that replaces an omitted part of a text.
pub const ELLIPSIS: &str = "...";

/// Returns whether a text contains the mark of an omitted part.
///
/// ```
/// assert!(grundy_base::shared_text::is_cut("{1|...}"));
/// assert!(!grundy_base::shared_text::is_cut("{1|-1}"));
/// ```
#[must_use]
pub fn is_cut(text: &str) -> bool {
    text.contains(ELLIPSIS)
}

/// The index of a text in [`Texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextId(u32);

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// A string.
    Letters(&'a str),
    /// A text that has been added before.
    Text(TextId),
}

/// Texts that consist of strings and of texts added before.
///
/// ```
/// use grundy_base::shared_text::{Piece::{Letters, Text}, Texts};
/// let mut texts = Texts::default();
/// let mut text = texts.join(&[Letters("0")]);
/// for _ in 0..40 {
///     text = texts.join(&[Letters("{"), Text(text), Letters("|"), Text(text), Letters("}")]);
/// }
/// assert_eq!(texts.length(text), 4 * (1 << 40) - 3);
/// assert_eq!(texts.write(text, 20), "{{...|...}|...}");
/// ```
#[derive(Debug)]
pub struct Texts {
    letters: String,
    pieces: Vec<Stored>,
    entries: Vec<Entry>,
}

impl Default for Texts {
    /// Creates an empty collection with room for a few texts.
    fn default() -> Self {
        Self {
            letters: String::with_capacity(128),
            pieces: Vec::with_capacity(64),
            entries: Vec::with_capacity(32),
        }
    }
}

#[derive(Clone, Debug)]
enum Stored {
    Letters(Range<usize>),
    Text(TextId),
}

#[derive(Debug)]
struct Entry {
    pieces: Range<usize>,
    length: u64,
    hash: u64,
}

/// Largest number of pieces that a comparison of two texts reads. If all these pieces are equal,
/// the hashes of the texts are compared.
const COMPARED: usize = 1 << 14;

impl Texts {
    /// Adds a text, the concatenation of `pieces`.
    ///
    /// # Panics
    /// If there are more than 2^32 texts.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::shared_text::{Piece::{Letters, Text}, Texts};
    /// let mut texts = Texts::default();
    /// let star = texts.join(&[Letters("*")]);
    /// let up = texts.join(&[Letters("{0|"), Text(star), Letters("}")]);
    /// assert_eq!(texts.write(up, 100), "{0|*}");
    /// ```
    pub fn join(&mut self, pieces: &[Piece<'_>]) -> TextId {
        let first = self.pieces.len();
        let (mut length, mut hash) = (0u64, 0xCBF2_9CE4_8422_2325u64);
        let mut mix = |word: u64| {
            hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        };
        for piece in pieces {
            match *piece {
                Piece::Letters(letters) => {
                    let start = self.letters.len();
                    self.letters.push_str(letters);
                    letters.bytes().for_each(|byte| mix(byte.into()));
                    // A text can have 2^100000 letters. The length saturates, which suffices, since
                    // it is only compared with limits.
                    length = length.saturating_add(letters.len() as u64);
                    (self.pieces).push(Stored::Letters(start..self.letters.len()));
                }
                Piece::Text(text) => {
                    let entry = self.entry(text);
                    mix(entry.hash);
                    length = length.saturating_add(entry.length);
                    self.pieces.push(Stored::Text(text));
                }
            }
        }
        let entry = Entry {
            pieces: first..self.pieces.len(),
            length,
            hash,
        };
        let id = u32::try_from(self.entries.len()).expect("fewer than 2^32 texts");
        self.entries.push(entry);
        TextId(id)
    }

    /// Adds the concatenation of `texts`, with the string `separator` between adjacent texts.
    ///
    /// ```
    /// use grundy_base::shared_text::{Piece::Letters, Texts};
    /// let mut texts = Texts::default();
    /// let options = ["0", "*", "^"].map(|option| texts.join(&[Letters(option)]));
    /// let list = texts.join_with(options, ",");
    /// assert_eq!(texts.write(list, 100), "0,*,^");
    /// ```
    pub fn join_with(
        &mut self,
        texts: impl IntoIterator<Item = TextId>,
        separator: &str,
    ) -> TextId {
        let mut pieces = Vec::new();
        for text in texts {
            if !pieces.is_empty() {
                pieces.push(Piece::Letters(separator));
            }
            pieces.push(Piece::Text(text));
        }
        self.join(&pieces)
    }

    /// Returns the length of a text in bytes, or 2^64 - 1 if it does not fit 64 bits.
    ///
    /// ```
    /// use grundy_base::shared_text::{Piece::Letters, Texts};
    /// let mut texts = Texts::default();
    /// let text = texts.join(&[Letters("{1|"), Letters("-1}")]);
    /// assert_eq!(texts.length(text), 6);
    /// ```
    #[must_use]
    pub fn length(&self, text: TextId) -> u64 {
        self.entry(text).length
    }

    /// Returns the number of bytes of memory that all texts occupy.
    ///
    /// ```
    /// use grundy_base::shared_text::{Piece::{Letters, Text}, Texts};
    /// let mut texts = Texts::default();
    /// let mut text = texts.join(&[Letters("0")]);
    /// for _ in 0..40 {
    ///     text = texts.join(&[Text(text), Letters("|"), Text(text)]);
    /// }
    /// assert_eq!(texts.length(text), (1 << 41) - 1);
    /// assert!(texts.bytes() < 10_000);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let pieces = self.pieces.len() * size_of::<Stored>();
        (self.letters.len() + pieces + self.entries.len() * size_of::<Entry>()) as u64
    }

    /// Compares two texts of equal length letter by letter. If no difference is found after
    /// `COMPARED` pieces, compares the hashes of the texts instead. The order depends only on the
    /// texts and on their division into pieces.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use grundy_base::shared_text::{Piece::Letters, Texts};
    /// let mut texts = Texts::default();
    /// let [zero, one] = ["{2|0}", "{2|1}"].map(|game| texts.join(&[Letters(game)]));
    /// assert_eq!(texts.compare(zero, one), Ordering::Less);
    /// ```
    #[must_use]
    pub fn compare(&self, one: TextId, other: TextId) -> Ordering {
        let (mut mine, mut theirs) = (vec![Stored::Text(one)], vec![Stored::Text(other)]);
        // Each stack contains the pieces that have not been read yet, with the next piece on top.
        for _ in 0..COMPARED {
            match (mine.pop(), theirs.pop()) {
                (None, None) => return Ordering::Equal,
                (None, Some(_)) => return Ordering::Less,
                (Some(_), None) => return Ordering::Greater,
                // Equal identifiers denote equal texts, so shared parts are skipped without being
                // read.
                (Some(Stored::Text(one)), Some(Stored::Text(other))) if one == other => {}
                // Expand the longer text first. The shorter text may be one of its parts, and then
                // both are skipped.
                (Some(Stored::Text(one)), Some(Stored::Text(other)))
                    if self.length(one) < self.length(other) =>
                {
                    self.push_pieces(other, &mut theirs);
                    mine.push(Stored::Text(one));
                }
                (Some(Stored::Text(one)), Some(rest)) => {
                    self.push_pieces(one, &mut mine);
                    theirs.push(rest);
                }
                (Some(rest), Some(Stored::Text(other))) => {
                    self.push_pieces(other, &mut theirs);
                    mine.push(rest);
                }
                (Some(Stored::Letters(one)), Some(Stored::Letters(other))) => {
                    let both = one.len().min(other.len());
                    let [a, b] = [&one, &other].map(|at| &self.letters[at.start..at.start + both]);
                    match a.cmp(b) {
                        Ordering::Equal => {}
                        different => return different,
                    }
                    for (rest, stack) in [(one, &mut mine), (other, &mut theirs)] {
                        if rest.len() > both {
                            stack.push(Stored::Letters(rest.start + both..rest.end));
                        }
                    }
                }
            }
        }
        // Two long texts may agree in exponentially many letters. In this case the order of their
        // hashes is used.
        self.entry(one).hash.cmp(&self.entry(other).hash)
    }

    fn push_pieces(&self, text: TextId, stack: &mut Vec<Stored>) {
        let pieces = &self.pieces[self.entry(text).pieces.clone()];
        stack.extend(pieces.iter().rev().cloned());
    }

    fn entry(&self, text: TextId) -> &Entry {
        &self.entries[text.0 as usize]
    }

    /// Writes a text in at most `limit` bytes, where `limit` is at least 3. If the text is longer,
    /// `...` replaces its innermost parts. Outer parts are written in full as far as the limit
    /// allows.
    ///
    /// # Complexity
    /// O(limit), independent of the length of the text.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::shared_text::{Piece::{Letters, Text}, Texts};
    /// let mut texts = Texts::default();
    /// let [left, right] = ["1000", "-1000"].map(|number| texts.join(&[Letters(number)]));
    /// let game = [Letters("{"), Text(left), Letters("|"), Text(right), Letters("}")];
    /// let game = texts.join(&game);
    /// assert_eq!(texts.write(game, 12), "{1000|-1000}");
    /// assert_eq!(texts.write(game, 11), "{1000|...}");
    /// assert_eq!(texts.write(game, 9), "{...|...}");
    /// ```
    #[must_use]
    pub fn write(&self, text: TextId, limit: u64) -> String {
        if self.length(text) <= limit {
            return self.write_whole(text);
        }
        // The bytes that a part takes before it is expanded: those of the dots, or fewer if the
        // part is shorter.
        let collapsed_length = |text| self.length(text).min(ELLIPSIS.len() as u64);
        // `found` lists the occurrences of parts in breadth-first order. The parts of an expanded
        // occurrence are consecutive, and `expanded` has the index of the first.
        let mut found = vec![text];
        let mut expanded: Vec<Option<usize>> = vec![None];
        let mut queue = VecDeque::from([0]);
        let mut length = collapsed_length(text);
        while let Some(here) = queue.pop_front() {
            let entry = self.entry(found[here]);
            let pieces = &self.pieces[entry.pieces.clone()];
            let parts = pieces.iter().map(|piece| match piece {
                Stored::Letters(letters) => letters.len() as u64,
                Stored::Text(part) => collapsed_length(*part),
            });
            // Expand an occurrence only if all its parts fit, at least as dots. So brackets stay
            // balanced.
            let after = length - collapsed_length(found[here]) + parts.sum::<u64>();
            // A smaller occurrence later in the queue may still fit, so the search continues.
            if after > limit {
                continue;
            }
            length = after;
            expanded[here] = Some(found.len());
            for piece in pieces {
                if let Stored::Text(part) = piece {
                    queue.push_back(found.len());
                    found.push(*part);
                    expanded.push(None);
                }
            }
        }
        let mut written = String::with_capacity(length as usize);
        // Use an explicit stack, since texts may be nested too deeply for recursion.
        let mut stack = vec![(0, 0, 0)];
        while let Some((here, next, part)) = stack.pop() {
            let Some(first) = expanded[here] else {
                written.push_str(ELLIPSIS);
                continue;
            };
            let pieces = &self.pieces[self.entry(found[here]).pieces.clone()];
            for (n, piece) in pieces.iter().enumerate().skip(next) {
                match piece {
                    Stored::Letters(letters) => written.push_str(&self.letters[letters.clone()]),
                    Stored::Text(_) => {
                        stack.push((here, n + 1, part + 1));
                        stack.push((first + part, 0, 0));
                        break;
                    }
                }
            }
        }
        written
    }

    fn write_whole(&self, text: TextId) -> String {
        let entry = self.entry(text);
        let mut written = String::with_capacity(entry.length as usize);
        let mut stack = vec![entry.pieces.clone()];
        while let Some(pieces) = stack.last_mut() {
            match pieces.next().map(|piece| &self.pieces[piece]) {
                None => drop(stack.pop()),
                Some(Stored::Letters(letters)) => written.push_str(&self.letters[letters.clone()]),
                Some(Stored::Text(part)) => stack.push(self.entry(*part).pieces.clone()),
            }
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a collection of random texts, and the list of these texts. The list has the
    /// identifier and the letters of each text.
    fn random_texts(random: &mut fastrand::Rng, count: usize) -> (Texts, Vec<(TextId, String)>) {
        let mut texts = Texts::default();
        let mut all: Vec<(TextId, String)> = Vec::new();
        while all.len() < count {
            let mut written = String::from("(");
            let mut pieces = vec![Piece::Letters("(")];
            for _ in 0..random.usize(0..4) {
                if all.is_empty() || random.bool() {
                    let letters = ["", "a", "b", "ab"][random.usize(..4)];
                    pieces.push(Piece::Letters(letters));
                    written += letters;
                } else {
                    let (id, letters) = &all[random.usize(..all.len())];
                    pieces.push(Piece::Text(*id));
                    written += letters;
                }
            }
            pieces.push(Piece::Letters(")"));
            written.push(')');
            if written.len() < 300 {
                all.push((texts.join(&pieces), written));
            }
        }
        (texts, all)
    }

    #[test]
    fn shared_texts_have_the_expected_length_and_letters() {
        let mut random = fastrand::Rng::with_seed(1);
        let (texts, all) = random_texts(&mut random, 400);
        for (id, written) in &all {
            assert_eq!(texts.length(*id), written.len() as u64);
            assert_eq!(&texts.write(*id, written.len().max(3) as u64), written);
        }
    }

    #[test]
    fn truncated_texts_fit_the_limit_and_balance_brackets() {
        let mut random = fastrand::Rng::with_seed(2);
        let (texts, all) = random_texts(&mut random, 400);
        let mut cuts = 0;
        for (id, written) in &all {
            // 3 is the length of the dots, and thus the least limit.
            for limit in [3, 4, 9, 20, 60] {
                let text = texts.write(*id, limit);
                assert!(text.len() as u64 <= limit, "{text}");
                assert_eq!(is_cut(&text), written.len() as u64 > limit, "{text}");
                cuts += usize::from(is_cut(&text));
                let open_count = text.matches('(').count();
                assert_eq!(open_count, text.matches(')').count(), "{text}");
                // The text must be obtained from `written` by substituting something for each
                // `...`.
                let mut rest = &written[..];
                for (n, piece) in text.split(ELLIPSIS).enumerate() {
                    let at = rest.find(piece).expect("the piece is in the text");
                    assert!(n > 0 || at == 0, "{text} {written}");
                    rest = &rest[at + piece.len()..];
                }
            }
        }
        assert!(cuts > 500, "{cuts}");
    }

    #[test]
    fn texts_of_equal_length_compare_lexicographically() {
        let mut random = fastrand::Rng::with_seed(3);
        let (texts, all) = random_texts(&mut random, 200);
        let mut compared = 0;
        for (one, a) in &all {
            for (other, b) in all.iter().filter(|(_, b)| a.len() == b.len()) {
                assert_eq!(texts.compare(*one, *other), a.cmp(b), "{a} {b}");
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn exponential_texts_are_written_in_linear_memory() {
        let mut texts = Texts::default();
        let mut text = texts.join(&[Piece::Letters("0")]);
        // This text is nested too deeply for recursion, and its length exceeds 64 bits.
        for _ in 0..100_000 {
            let halves = [Piece::Letters("{"), Piece::Text(text), Piece::Letters("|")];
            text = texts.join(&[&halves[..], &[Piece::Text(text), Piece::Letters("}")]].concat());
        }
        assert_eq!(texts.length(text), u64::MAX);
        assert!(texts.bytes() < 100_000 * 300);
        let written = texts.write(text, LONGEST);
        assert!(is_cut(&written) && written.len() as u64 <= LONGEST);
        assert!(written.len() as u64 > LONGEST / 2);
    }
}
