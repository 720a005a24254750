//! Lists of options of components, during listing and in storage. A stored list holds the proof
//! numbers of its options.

use crate::answers::nimbers::{LARGE, NimberTable};

/// Buffer that is reused for every listing of options.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) keys: Vec<u64>,
    pub(super) options: Vec<Listed>,
    /// Number of options that were looked up and have no known value.
    weeded: usize,
}

/// Number of low bits of a rank that order options of equal size.
pub(super) const RANK_BITS: u32 = 24;

/// A listed option: the range of its keys in the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    /// The sort key: the size in the high bits, and a tie break in the low [`RANK_BITS`] bits.
    pub(super) rank: u64,
    start: u32,
    pub(super) length: u32,
}

impl Listed {
    pub(super) fn of<'a>(&self, keys: &'a [u64]) -> &'a [u64] {
        &keys[self.start as usize..][..self.length as usize]
    }
}

/// Number of options looked up in one batch when the table exceeds the cache. A batch overlaps the
/// memory accesses. Single lookups list fewer options in vain.
const AT_ONCE: u64 = 4;

/// Returns the number of options to list before a lookup.
pub(super) fn at_once(classes: &NimberTable) -> u64 {
    if classes.is_far() { AT_ONCE } else { 1 }
}

impl Listing {
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.options.clear();
        self.weeded = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.keys[..]) + size_of_val(&self.options[..])) as u64
    }

    /// Appends an option and sorts its components by key.
    pub(super) fn push(&mut self, sum: &[u64]) {
        let start = self.keys.len();
        // A loop is faster than `extend_from_slice` for one to three keys, because it avoids a call
        // of `memcpy`.
        for &key in sum {
            self.keys.push(key);
        }
        if sum.len() > 1 {
            self.keys[start..].sort_unstable();
        }
        self.options.push(Listed {
            rank: 0,
            start: start as u32,
            length: sum.len() as u32,
        });
    }

    /// Removes the new options with a known value and returns the set of these values. The
    /// component has none of these values, and such options carry no other information.
    pub(super) fn weed(&mut self, classes: &NimberTable) -> u32 {
        if let [first, _, ..] = self.options[self.weeded..] {
            classes.fetch(&self.keys[first.start as usize..]);
        }
        let (mut left, mut taken) = (self.weeded, 0);
        for at in self.weeded..self.options.len() {
            let option = self.options[at];
            let mut keys = option.of(&self.keys).iter();
            let value = keys.try_fold(0, |sum, &key| Some(sum ^ classes.value(key)?));
            // Values of at least `LARGE` share one bit, so these options stay in the list.
            if let Some(value) = value.filter(|&value| value < LARGE) {
                taken |= 1 << value;
            } else {
                self.options[left] = option;
                left += 1;
            }
        }
        self.options.truncate(left);
        self.weeded = left;
        taken
    }
}

/// Proof numbers: the costs of showing that a value is k, and that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) yes: u32,
    pub(super) no: u32,
}

impl Numbers {
    /// Greatest proof number, which fits the 28 bits of a [`Label`].
    const MOST: u32 = (1 << 28) - 1;

    /// Proof numbers of an option that does not have the value of the query.
    pub(super) const SHUT: Self = Self {
        yes: Self::MOST,
        no: 0,
    };

    /// Creates proof numbers of at least 1. Zero is reserved for answered queries.
    pub(super) fn new(yes: u64, no: u64) -> Self {
        let [yes, no] = [yes, no].map(|number| number.clamp(1, Self::MOST.into()) as u32);
        Self { yes, no }
    }
}

/// The first word of an option: its number of components and its proof numbers.
///
/// Bits 0 to 7 are the number of components. If they are [`MANY`](Self::MANY), the second word is
/// the number. Bits 8 to 35 are the cost of showing that the option has the value of the query,
/// bits 36 to 63 the cost of the opposite.
#[derive(Clone, Copy, Debug)]
struct Label(u64);

impl Label {
    const MANY: u64 = 0xff;

    fn of(components: usize) -> Self {
        Self((components as u64).min(Self::MANY))
    }

    fn components(self) -> u64 {
        self.0 & 0xff
    }

    fn numbers(self) -> Numbers {
        Numbers {
            yes: (self.0 >> 8) as u32 & Numbers::MOST,
            no: (self.0 >> 36) as u32,
        }
    }

    fn with(self, Numbers { yes, no }: Numbers) -> Self {
        Self(self.components() | u64::from(yes) << 8 | u64::from(no) << 36)
    }
}

/// Arena of lists of options.
#[derive(Debug, Default)]
pub(super) struct Lists {
    heads: Vec<Head>,
    /// The options of all lists: for each its [`Label`] and the keys of its components.
    words: Vec<u64>,
    /// Buffer for options that move behind the open ones.
    aside: Vec<u64>,
}

/// Number of steps for which the stored weights of options are trusted. Other queries may have
/// changed them since. The weight of the chosen option is always recomputed.
const LATELY: u64 = 4000;

/// A list and the state of the last query about its component.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The range of the options in `words`.
    start: usize,
    end: usize,
    /// Number of unlisted moves, none of which splits the component.
    unlisted: u32,
    /// End of the options that may have the value of the last query.
    open: usize,
    asked: Option<u8>,
    /// The step of the last scan of all options for that value.
    sifted: u64,
    /// The value that the proof numbers are about.
    noted: Option<u8>,
    numbers: Numbers,
}

/// A pass over the options of a list that moves the open ones to the front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve {
    /// The place of the current option.
    pub(super) at: usize,
    /// The end of the options to test.
    pub(super) end: usize,
    /// The end of the open options.
    open: usize,
}

impl Lists {
    /// Returns the allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        8 * self.words.capacity() + size_of::<Head>() * self.heads.capacity()
    }

    /// Returns the bytes in use by all lists.
    pub(super) fn length(&self) -> usize {
        8 * self.words.len() + size_of::<Head>() * self.heads.len()
    }

    /// Stores options as a new list and returns its number. `unlisted` moves are missing from the
    /// list.
    pub(super) fn keep<'a>(
        &mut self,
        options: impl Iterator<Item = &'a [u64]>,
        unlisted: u32,
    ) -> usize {
        let start = self.words.len();
        for option in options {
            let label = Label::of(option.len());
            self.words.push(label.0);
            if label.components() == Label::MANY {
                self.words.push(option.len() as u64);
            }
            for &key in option {
                self.words.push(key);
            }
        }
        let end = self.words.len();
        self.heads.push(Head {
            start,
            end,
            unlisted,
            open: end,
            asked: None,
            sifted: 0,
            noted: None,
            numbers: Numbers { yes: 0, no: 0 },
        });
        self.heads.len() - 1
    }

    /// Copies the options of a list into a listing.
    pub(super) fn copy(&self, list: usize, listing: &mut Listing) {
        let (mut at, end) = self.range(list);
        while at < end {
            listing.push(self.option(at));
            at = self.after(at);
        }
    }

    /// Returns the number of moves missing from a list. None of them splits the component.
    pub(super) fn unlisted(&self, list: usize) -> u32 {
        self.heads[list].unlisted
    }

    /// Stores a list again with the missing options. The proof numbers are kept.
    pub(super) fn complete<'a>(
        &mut self,
        list: usize,
        options: impl Iterator<Item = &'a [u64]>,
    ) -> usize {
        // A list in the middle of the arena is not freed; its words stay unused until all lists are
        // evicted.
        let Head { noted, numbers, .. } = self.heads[list];
        self.drop_last(list);
        let complete = self.keep(options, 0);
        let head = &mut self.heads[complete];
        (head.noted, head.numbers) = (noted, numbers);
        complete
    }

    /// Frees a list if it was allocated last. Returns whether it was.
    pub(super) fn drop_last(&mut self, list: usize) -> bool {
        let last = list + 1 == self.heads.len();
        if last {
            self.words.truncate(self.heads[list].start);
            self.heads.pop();
        }
        last
    }

    /// Returns the range of the options of a list.
    pub(super) fn range(&self, list: usize) -> (usize, usize) {
        let head = &self.heads[list];
        (head.start, head.end)
    }

    /// Returns the words in a range.
    pub(super) fn words(&self, start: usize, end: usize) -> &[u64] {
        &self.words[start..end]
    }

    /// Returns the range of the components of the option at `at`.
    fn components(&self, at: usize) -> (usize, usize) {
        match Label(self.words[at]).components() {
            Label::MANY => (at + 2, at + 2 + self.words[at + 1] as usize),
            few => (at + 1, at + 1 + few as usize),
        }
    }

    /// Returns the components of the option that stands at `at`.
    pub(super) fn option(&self, at: usize) -> &[u64] {
        let (start, end) = self.components(at);
        &self.words[start..end]
    }

    /// Returns the place of the option after the one at `at`.
    pub(super) fn after(&self, at: usize) -> usize {
        self.components(at).1
    }

    /// Returns the stored proof numbers of the option at `at`.
    pub(super) fn weight(&self, at: usize) -> Numbers {
        Label(self.words[at]).numbers()
    }

    /// Stores the proof numbers of the option at `at`.
    pub(super) fn weigh(&mut self, at: usize, numbers: Numbers) {
        self.words[at] = Label(self.words[at]).with(numbers).0;
    }

    /// Returns the range of the options that may have the value k, if they were all tested for k
    /// shortly before `step`.
    pub(super) fn sifted(&self, list: usize, k: u64, step: u64) -> Option<(usize, usize)> {
        let head = &self.heads[list];
        let lately = head.asked.map(u64::from) == Some(k) && step - head.sifted < LATELY;
        lately.then_some((head.start, head.open))
    }

    /// Returns the proof numbers of a list and the value that they are about.
    pub(super) fn noted(&self, list: usize) -> Option<(u64, Numbers)> {
        let head = &self.heads[list];
        Some((head.noted?.into(), head.numbers))
    }

    /// Stores proof numbers in a list. Returns `false` if the list has numbers for another value.
    pub(super) fn note(&mut self, list: usize, k: u64, numbers: Numbers) -> bool {
        let head = &mut self.heads[list];
        let free = head.noted.is_none_or(|noted| u64::from(noted) == k);
        if free {
            head.noted = Some(k as u8);
            head.numbers = numbers;
        }
        free
    }

    /// Starts a pass for the value k over a list.
    pub(super) fn sieve(&mut self, list: usize, k: u64) -> Sieve {
        let Head {
            start, end, open, ..
        } = self.heads[list];
        // An option that was excluded for k stays excluded, so a second pass for k skips the tail.
        let same = self.heads[list].asked.map(u64::from) == Some(k);
        self.aside.clear();
        Sieve {
            at: start,
            end: if same { open } else { end },
            open: start,
        }
    }

    /// Moves to the next option. `open` tells whether the current option may still have the value
    /// k.
    pub(super) fn sift(&mut self, sieve: &mut Sieve, open: bool) {
        let (at, after) = (sieve.at, self.after(sieve.at));
        if open {
            // The gap between the open options and `at` has the size of `aside`, so the copy cannot
            // reach options that come later.
            if sieve.open < at {
                self.words.copy_within(at..after, sieve.open);
            }
            sieve.open += after - at;
        } else {
            self.aside.extend_from_slice(&self.words[at..after]);
        }
        sieve.at = after;
    }

    /// Ends a pass. `all` gives the value and the step of a complete pass. Options that remain open
    /// may have this value.
    pub(super) fn done(&mut self, list: usize, all: Option<(u64, u64)>, sieve: Sieve) {
        // Both ranges have the same length: every word before `sieve.at` is either open or set
        // aside.
        self.words[sieve.open..sieve.at].copy_from_slice(&self.aside);
        let head = &mut self.heads[list];
        head.open = sieve.open;
        head.asked = all.map(|(k, _)| k as u8);
        head.sifted = all.map_or(0, |(_, step)| step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(lists: &Lists, (mut at, end): (usize, usize)) -> Vec<Vec<u64>> {
        let mut options = Vec::new();
        while at < end {
            options.push(lists.option(at).to_vec());
            at = lists.after(at);
        }
        options
    }

    // Numbers that identify the option, so that the test notices if a weight moves to another one.
    fn weight(option: &[u64]) -> Numbers {
        Numbers::new(option[0], option[0] >> 40)
    }

    #[test]
    fn a_sieve_moves_options_and_loses_none() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut lists = Lists::default();
        let listed: Vec<Vec<Vec<u64>>> = (0..20)
            .map(|_| {
                let mut option = || {
                    // Options of more than 254 components have a second length word.
                    let few = random.u8(..) > 3;
                    let length = if few { 1..4 } else { 250..260 };
                    (0..random.usize(length)).map(|_| random.u64(..)).collect()
                };
                (0..10).map(|_| option()).collect()
            })
            .collect();
        let numbers: Vec<usize> = (listed.iter())
            .map(|list| lists.keep(list.iter().map(|option| &option[..]), 0))
            .collect();
        for step in 0..2_000 {
            let at = random.usize(..numbers.len());
            let (list, k) = (numbers[at], random.u64(..3));
            let before = options(&lists, lists.range(list));
            let mut sieve = lists.sieve(list, k);
            let looked = options(&lists, (sieve.at, sieve.end));
            // All options, or those that stayed open in the last pass for the same value.
            assert_eq!(looked, before[..looked.len()]);
            // Half the passes break off, as a pass does at the first option of value k.
            let stop = random.bool().then(|| random.usize(..10));
            let (mut open, mut shut) = (Vec::new(), Vec::new());
            let mut seen = 0;
            while sieve.at < sieve.end && stop != Some(seen) {
                let stays = random.usize(..8) > 0;
                let side = if stays { &mut open } else { &mut shut };
                let option = lists.option(sieve.at).to_vec();
                lists.weigh(sieve.at, weight(&option));
                side.push(option);
                lists.sift(&mut sieve, stays);
                seen += 1;
            }
            let all = seen == looked.len();
            lists.done(list, all.then_some((k, step)), sieve);
            let left = [&open[..], &shut, &before[seen..]].concat();
            assert_eq!(options(&lists, lists.range(list)), left);
            let again = lists.sieve(list, k);
            let expected = if all { &open } else { &left };
            assert_eq!(&options(&lists, (again.at, again.end)), expected);
            let other = lists.sieve(list, k + 1);
            assert_eq!(options(&lists, (other.at, other.end)), left);
        }
        for (list, mut listed) in numbers.into_iter().zip(listed) {
            let (mut at, end) = lists.range(list);
            let mut weighed = 0;
            while at < end {
                let expected = weight(lists.option(at));
                weighed += usize::from(lists.weight(at) == expected);
                at = lists.after(at);
            }
            assert_eq!(weighed, listed.len());
            let mut kept = options(&lists, lists.range(list));
            kept.sort_unstable();
            listed.sort_unstable();
            assert_eq!(kept, listed);
        }
    }

    #[test]
    fn a_list_is_completed_with_what_is_noted() {
        for dropped in [true, false] {
            let mut lists = Lists::default();
            let short = lists.keep([[7].as_slice(), &[3, 5]].into_iter(), 2);
            assert_eq!(lists.unlisted(short), 2);
            assert!(lists.note(short, 2, Numbers { yes: 5, no: 6 }));
            if !dropped {
                lists.keep([[9].as_slice()].into_iter(), 0);
            }
            let mut listing = Listing::default();
            lists.copy(short, &mut listing);
            listing.push(&[11]);
            let all = (listing.options.iter()).map(|option| option.of(&listing.keys));
            let complete = lists.complete(short, all);
            assert_eq!(complete == short, dropped);
            assert_eq!(lists.unlisted(complete), 0);
            assert_eq!(
                options(&lists, lists.range(complete)),
                [vec![7], vec![3, 5], vec![11]]
            );
            assert_eq!(lists.noted(complete), Some((2, Numbers { yes: 5, no: 6 })));
        }
    }

    #[test]
    fn a_list_has_room_for_the_numbers_of_one_value() {
        let mut lists = Lists::default();
        let list = lists.keep([[7].as_slice()].into_iter(), 0);
        assert!(lists.noted(list).is_none());
        assert!(lists.note(list, 2, Numbers { yes: 5, no: 6 }));
        assert!(!lists.note(list, 3, Numbers { yes: 8, no: 9 }));
        assert!(lists.note(list, 2, Numbers { yes: 10, no: 11 }));
        let noted = lists
            .noted(list)
            .map(|(k, numbers)| (k, numbers.yes, numbers.no));
        assert_eq!(noted, Some((2, 10, 11)));
    }
}
