//! Lists of the options of components, while they are made and in memory. A list in memory also
//! contains the proof numbers of the options.

use crate::answers::nimbers::{LARGE, NimberTable};

/// A buffer in which the options of a component are listed. It is used again for every component.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) keys: Vec<u64>,
    pub(super) options: Vec<Listed>,
    /// Number of options at the front that have been looked up and have no known value.
    weeded: usize,
}

/// Number of low bits of a sort key that order options of equal size.
pub(super) const RANK_BITS: u32 = 24;

/// An option in the buffer: the range of its keys, and its sort key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    /// The sort key. The high bits are the size, and the low [`RANK_BITS`] bits order options of
    /// equal size.
    pub(super) rank: u64,
    start: u32,
    pub(super) length: u32,
}

impl Listed {
    pub(super) fn of<'a>(&self, keys: &'a [u64]) -> &'a [u64] {
        &keys[self.start as usize..][..self.length as usize]
    }
}

/// Number of options that are looked up together if the table exceeds the processor cache. Together
/// their memory accesses overlap. Single lookups would list fewer options in vain.
const AT_ONCE: u64 = 4;

/// Returns the number of options that should be listed before they are looked up.
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

    /// Appends an option, with its keys in ascending order.
    pub(super) fn push(&mut self, sum: &[u64]) {
        let start = self.keys.len();
        // For one to three keys a loop is faster than `extend_from_slice`, since it avoids a call
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

    /// Looks up the options added since the last call, and removes those with a known value.
    /// Returns the set of these values. They are excluded for the component, and the options carry
    /// no other information.
    pub(super) fn weed(&mut self, classes: &NimberTable) -> u32 {
        if let [first, _, ..] = self.options[self.weeded..] {
            classes.fetch(&self.keys[first.start as usize..]);
        }
        let (mut left, mut taken) = (self.weeded, 0);
        for at in self.weeded..self.options.len() {
            let option = self.options[at];
            let mut keys = option.of(&self.keys).iter();
            let value = keys.try_fold(0, |sum, &key| Some(sum ^ classes.value(key)?));
            // Values of at least `LARGE` share one bit, so an option with such a value stays in the
            // list.
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

/// The proof numbers of a query whether a value is k. `yes` is the cost of showing that it is, and
/// `no` is the cost of showing that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) yes: u32,
    pub(super) no: u32,
}

impl Numbers {
    /// Largest proof number. It fits the 28 bits of a [`Label`].
    const MOST: u32 = (1 << 28) - 1;

    /// The proof numbers of an option that does not have the value in question.
    pub(super) const SHUT: Self = Self {
        yes: Self::MOST,
        no: 0,
    };

    /// Creates proof numbers, each at least 1, since 0 is reserved for queries with an answer.
    pub(super) fn new(yes: u64, no: u64) -> Self {
        let [yes, no] = [yes, no].map(|number| number.clamp(1, Self::MOST.into()) as u32);
        Self { yes, no }
    }
}

/// The first word of an option in a list: the number of its components, and its proof numbers.
///
/// Bits 0 to 7 are the number of components. If they are [`MANY`](Self::MANY), the number is in the
/// second word. Bits 8 to 35 are the cost of showing that the option has the value in question.
/// Bits 36 to 63 are the cost of showing that it does not.
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

/// All lists of options, in one vector of words.
#[derive(Debug, Default)]
pub(super) struct Lists {
    heads: Vec<Head>,
    /// The options of all lists. Each option is a [`Label`], followed by the keys of its
    /// components.
    words: Vec<u64>,
    /// A buffer for the options that [`Lists::sift`] moves behind the open ones.
    aside: Vec<u64>,
}

/// Number of steps for which the stored proof numbers of options are used again. Other queries may
/// change them meanwhile, but the numbers of the chosen option are always computed again.
const LATELY: u64 = 4000;

/// A list, with the state of the last query about its component.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The start of the options in `words`. Their end is the next field.
    start: usize,
    end: usize,
    /// Number of moves that are not listed. Each leaves the component in one piece.
    unlisted: u32,
    /// The end of the open options, which may have the value of the last query.
    open: usize,
    asked: Option<u8>,
    /// The number of the step in which all options were last tested for that value.
    sifted: u64,
    /// The value to which the proof numbers belong.
    noted: Option<u8>,
    numbers: Numbers,
}

/// A pass over the options of a list, which moves the open options to the front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve {
    /// The index of the current option.
    pub(super) at: usize,
    /// The end of the options that are to be tested.
    pub(super) end: usize,
    /// The end of the options that were found open.
    open: usize,
}

impl Lists {
    /// Returns the number of bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        8 * self.words.capacity() + size_of::<Head>() * self.heads.capacity()
    }

    /// Returns the number of bytes that all lists occupy, without unused capacity.
    pub(super) fn length(&self) -> usize {
        8 * self.words.len() + size_of::<Head>() * self.heads.len()
    }

    /// Adds a list of options and returns its index. `unlisted` is the number of moves whose
    /// options are not in the list.
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

    /// Copies the options of a list into a buffer.
    pub(super) fn copy(&self, list: usize, listing: &mut Listing) {
        let (mut at, end) = self.range(list);
        while at < end {
            listing.push(self.option(at));
            at = self.after(at);
        }
    }

    /// Returns the number of moves that are not in a list. Each leaves the component in one piece.
    pub(super) fn unlisted(&self, list: usize) -> u32 {
        self.heads[list].unlisted
    }

    /// Adds a list of all options, in place of a list that lacks some, and returns its index. The
    /// proof numbers of the query are kept.
    pub(super) fn complete<'a>(
        &mut self,
        list: usize,
        options: impl Iterator<Item = &'a [u64]>,
    ) -> usize {
        // Only the last list can be freed. The words of any other list stay unused until all lists
        // are evicted.
        let Head { noted, numbers, .. } = self.heads[list];
        self.drop_last(list);
        let complete = self.keep(options, 0);
        let head = &mut self.heads[complete];
        (head.noted, head.numbers) = (noted, numbers);
        complete
    }

    /// Frees a list if it was allocated last. Returns whether it was freed.
    pub(super) fn drop_last(&mut self, list: usize) -> bool {
        let last = list + 1 == self.heads.len();
        if last {
            self.words.truncate(self.heads[list].start);
            self.heads.pop();
        }
        last
    }

    /// Returns the range of the words that contain the options of a list.
    pub(super) fn range(&self, list: usize) -> (usize, usize) {
        let head = &self.heads[list];
        (head.start, head.end)
    }

    /// Returns the words in a range.
    pub(super) fn words(&self, start: usize, end: usize) -> &[u64] {
        &self.words[start..end]
    }

    /// Returns the range of the words with the keys of the option at index `at`.
    fn components(&self, at: usize) -> (usize, usize) {
        match Label(self.words[at]).components() {
            Label::MANY => (at + 2, at + 2 + self.words[at + 1] as usize),
            few => (at + 1, at + 1 + few as usize),
        }
    }

    /// Returns the keys of the components of the option at index `at`.
    pub(super) fn option(&self, at: usize) -> &[u64] {
        let (start, end) = self.components(at);
        &self.words[start..end]
    }

    /// Returns the index of the option that follows the one at index `at`.
    pub(super) fn after(&self, at: usize) -> usize {
        self.components(at).1
    }

    /// Returns the stored proof numbers of the option at index `at`.
    pub(super) fn weight(&self, at: usize) -> Numbers {
        Label(self.words[at]).numbers()
    }

    /// Stores the proof numbers of the option at index `at`.
    pub(super) fn weigh(&mut self, at: usize, numbers: Numbers) {
        self.words[at] = Label(self.words[at]).with(numbers).0;
    }

    /// Returns the range of the options that may have the value k. Returns `None` unless all
    /// options were tested for k shortly before `step`.
    pub(super) fn sifted(&self, list: usize, k: u64, step: u64) -> Option<(usize, usize)> {
        let head = &self.heads[list];
        let lately = head.asked.map(u64::from) == Some(k) && step - head.sifted < LATELY;
        lately.then_some((head.start, head.open))
    }

    /// Returns the value and the proof numbers of the query that are stored in a list.
    pub(super) fn noted(&self, list: usize) -> Option<(u64, Numbers)> {
        let head = &self.heads[list];
        Some((head.noted?.into(), head.numbers))
    }

    /// Stores the proof numbers of the query whether the value is k. Returns `false` if the list
    /// has the numbers of a query about another value.
    pub(super) fn note(&mut self, list: usize, k: u64, numbers: Numbers) -> bool {
        let head = &mut self.heads[list];
        let free = head.noted.is_none_or(|noted| u64::from(noted) == k);
        if free {
            head.noted = Some(k as u8);
            head.numbers = numbers;
        }
        free
    }

    /// Starts a pass over a list for the value k.
    pub(super) fn sieve(&mut self, list: usize, k: u64) -> Sieve {
        let Head {
            start, end, open, ..
        } = self.heads[list];
        // An option that does not have the value k stays excluded. So a second pass for k ends with
        // the open options.
        let same = self.heads[list].asked.map(u64::from) == Some(k);
        self.aside.clear();
        Sieve {
            at: start,
            end: if same { open } else { end },
            open: start,
        }
    }

    /// Moves the pass to the next option. `open` is `true` if the current option may have the value
    /// k.
    pub(super) fn sift(&mut self, sieve: &mut Sieve, open: bool) {
        let (at, after) = (sieve.at, self.after(sieve.at));
        if open {
            // The gap between the open options and `at` has the size of `aside`, so the copy does
            // not overwrite options that come later.
            if sieve.open < at {
                self.words.copy_within(at..after, sieve.open);
            }
            sieve.open += after - at;
        } else {
            self.aside.extend_from_slice(&self.words[at..after]);
        }
        sieve.at = after;
    }

    /// Ends a pass. If all options were tested, `all` contains the value and the number of the
    /// step. Otherwise it is `None`.
    pub(super) fn done(&mut self, list: usize, all: Option<(u64, u64)>, sieve: Sieve) {
        // Both ranges have the same length, since every option before `sieve.at` is either open or
        // in `aside`.
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

    // Returns proof numbers that identify the option, so that the test notices if they move to
    // another option.
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
                    // The number of components of an option with more than 254 components is in a
                    // second word.
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
            // The pass visits all options, or those that stayed open in the last pass for the same
            // value.
            assert_eq!(looked, before[..looked.len()]);
            // Half of the passes end early, as a pass does at the first option of value k.
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
    fn a_completed_list_keeps_its_options_and_notes() {
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
    fn a_list_stores_the_numbers_of_one_value() {
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
