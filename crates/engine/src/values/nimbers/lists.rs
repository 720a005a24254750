//! Lists of the options of components. A new list is collected in a [`Listing`], and complete lists
//! are stored in [`Lists`], together with the proof numbers of the options.

use crate::answers::nimbers::{LARGE, NimberTable};

/// A buffer in which the options of one component are collected. The buffer is reused for the next
/// component.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) keys: Vec<u64>,
    pub(super) options: Vec<ListedOption>,
    /// Number of options at the front that have been looked up in the table and have no known
    /// value.
    checked: usize,
}

/// Number of low bits in the sort key of an option. These bits order options of equal size.
pub(super) const RANK_BITS: u32 = 24;

/// An option in the buffer: the range of its keys, and its sort key.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedOption {
    /// The sort key. The high bits are the size, and the low [`RANK_BITS`] bits order options of
    /// equal size.
    pub(super) rank: u64,
    start: u32,
    pub(super) length: u32,
}

impl ListedOption {
    pub(super) fn of<'a>(&self, keys: &'a [u64]) -> &'a [u64] {
        &keys[self.start as usize..][..self.length as usize]
    }
}

/// Number of options that are looked up together if the table exceeds the processor cache, so that
/// their memory accesses overlap. As a drawback, the listing may include up to three more options
/// before it ends than with single lookups.
const LOOKUP_BATCH: u64 = 4;

/// Returns the number of options that should be listed before they are looked up together.
pub(super) fn lookup_batch(table: &NimberTable) -> u64 {
    if table.exceeds_cache() {
        LOOKUP_BATCH
    } else {
        1
    }
}

impl Listing {
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.options.clear();
        self.checked = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.keys[..]) + size_of_val(&self.options[..])) as u64
    }

    /// Appends an option, given by the keys of its components. The keys are stored in ascending
    /// order.
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
        self.options.push(ListedOption {
            rank: 0,
            start: start as u32,
            length: sum.len() as u32,
        });
    }

    /// Looks up the options added since the last call, and removes those with a known value below
    /// [`LARGE`]. Returns the set of these values, in which bit v stands for v. The caller excludes
    /// these values for the component, so the removed options are not needed.
    pub(super) fn remove_known(&mut self, table: &NimberTable) -> u32 {
        if let [first, _, ..] = self.options[self.checked..] {
            table.prefetch_tags(&self.keys[first.start as usize..]);
        }
        let (mut kept, mut excluded) = (self.checked, 0);
        for at in self.checked..self.options.len() {
            let option = self.options[at];
            let mut keys = option.of(&self.keys).iter();
            let value = keys.try_fold(0, |sum, &key| Some(sum ^ table.value(key)?));
            // Values of at least `LARGE` share one bit, so an option with such a value stays in the
            // list.
            if let Some(value) = value.filter(|&value| value < LARGE) {
                excluded |= 1 << value;
            } else {
                self.options[kept] = option;
                kept += 1;
            }
        }
        self.options.truncate(kept);
        self.checked = kept;
        excluded
    }
}

/// The proof numbers of a query whether a value is k. `proof` is the estimated cost of showing that
/// it is k, and `disproof` is the estimated cost of showing that it is not k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl ProofNumbers {
    /// Largest proof number. It fits the 28 bits of a [`Label`].
    const MAX: u32 = (1 << 28) - 1;

    /// The proof numbers of an option that does not have the value in question.
    pub(super) const DISPROVED: Self = Self {
        proof: Self::MAX,
        disproof: 0,
    };

    /// Creates proof numbers, each at least 1, since 0 is reserved for queries that have an answer.
    pub(super) fn new(proof: u64, disproof: u64) -> Self {
        let [proof, disproof] =
            [proof, disproof].map(|number| number.clamp(1, Self::MAX.into()) as u32);
        Self { proof, disproof }
    }
}

/// The first word of an option in a list. It contains the number of the option's components, and
/// the proof numbers of the option.
///
/// Bits 0 to 7 are the number of components. If they are [`OVERFLOW`](Self::OVERFLOW), the number
/// is in the second word. Bits 8 to 35 are the cost of showing that the option has the value in
/// question. Bits 36 to 63 are the cost of showing that it does not.
#[derive(Clone, Copy, Debug)]
struct Label(u64);

impl Label {
    const OVERFLOW: u64 = 0xff;

    fn of(components: usize) -> Self {
        Self((components as u64).min(Self::OVERFLOW))
    }

    fn components(self) -> u64 {
        self.0 & 0xff
    }

    fn numbers(self) -> ProofNumbers {
        ProofNumbers {
            proof: (self.0 >> 8) as u32 & ProofNumbers::MAX,
            disproof: (self.0 >> 36) as u32,
        }
    }

    fn with(self, ProofNumbers { proof, disproof }: ProofNumbers) -> Self {
        Self(self.components() | u64::from(proof) << 8 | u64::from(disproof) << 36)
    }
}

/// All lists of options, in one vector of words.
#[derive(Debug, Default)]
pub(super) struct Lists {
    heads: Vec<Head>,
    /// The options of all lists. Each option is a [`Label`], followed by the keys of its
    /// components.
    words: Vec<u64>,
    /// A buffer for the options that [`Lists::partition_step`] found not to have the value k.
    /// `Lists::end_partition` writes them behind the options that may have it.
    closed_options: Vec<u64>,
}

/// Number of search steps after which the proof numbers of all options of a list are computed
/// again. Until then, the stored numbers may be out of date, since other queries change them. The
/// numbers of an option are also computed again whenever this option is chosen.
const NUMBERS_LIFETIME: u64 = 4000;

/// A list, with the state of the last query about its component.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The start of the options in `words`.
    start: usize,
    end: usize,
    /// Number of moves whose options are not in the list. Each of these moves leaves the component
    /// in one piece.
    unlisted: u32,
    /// The end of the open options in `words`. These are the options that may have the value
    /// `tested`.
    open: usize,
    /// The value for which the last pass over the list tested all options. It is `None` if no pass
    /// was made, or if the last pass ended early.
    tested: Option<u8>,
    /// The index of the search step in which all options were last tested for the value `tested`.
    tested_at: u64,
    /// The value in question in the query whose proof numbers are `numbers`.
    query: Option<u8>,
    numbers: ProofNumbers,
}

/// A pass over the options of a list, which moves the options that may have the tested value to the
/// front. All indices refer to `words`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partition {
    /// The index of the current option.
    pub(super) at: usize,
    /// The end of the options that are to be tested.
    pub(super) end: usize,
    /// The end of the open options, that is, of the options at the front that may have the tested
    /// value.
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
    pub(super) fn add<'a>(
        &mut self,
        options: impl Iterator<Item = &'a [u64]>,
        unlisted: u32,
    ) -> usize {
        let start = self.words.len();
        for option in options {
            let label = Label::of(option.len());
            self.words.push(label.0);
            if label.components() == Label::OVERFLOW {
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
            tested: None,
            tested_at: 0,
            query: None,
            numbers: ProofNumbers {
                proof: 0,
                disproof: 0,
            },
        });
        self.heads.len() - 1
    }

    /// Copies the options of a list into a buffer.
    pub(super) fn copy_to(&self, list: usize, listing: &mut Listing) {
        let (mut at, end) = self.range(list);
        while at < end {
            listing.push(self.option(at));
            at = self.next_option(at);
        }
    }

    /// Returns the number of moves whose options are not in the list. Each of these moves leaves
    /// the component in one piece.
    pub(super) fn unlisted(&self, list: usize) -> u32 {
        self.heads[list].unlisted
    }

    /// Replaces a list that lacks some options by a list of all options, and returns the index of
    /// the new list. The stored query and its proof numbers are copied to the new list.
    pub(super) fn replace_by_complete<'a>(
        &mut self,
        list: usize,
        options: impl Iterator<Item = &'a [u64]>,
    ) -> usize {
        // Only the last list can be freed. The words of any other list stay unused until all lists
        // are evicted.
        let Head { query, numbers, .. } = self.heads[list];
        self.drop_last(list);
        let complete = self.add(options, 0);
        let head = &mut self.heads[complete];
        (head.query, head.numbers) = (query, numbers);
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

    /// Returns the start and the end of the words that contain the options of a list.
    pub(super) fn range(&self, list: usize) -> (usize, usize) {
        let head = &self.heads[list];
        (head.start, head.end)
    }

    /// Returns the words in a range.
    pub(super) fn words(&self, start: usize, end: usize) -> &[u64] {
        &self.words[start..end]
    }

    /// Returns the start and the end of the words that contain the keys of the option at index
    /// `at`.
    fn components(&self, at: usize) -> (usize, usize) {
        match Label(self.words[at]).components() {
            Label::OVERFLOW => (at + 2, at + 2 + self.words[at + 1] as usize),
            few => (at + 1, at + 1 + few as usize),
        }
    }

    /// Returns the keys of the components of the option at index `at`.
    pub(super) fn option(&self, at: usize) -> &[u64] {
        let (start, end) = self.components(at);
        &self.words[start..end]
    }

    /// Returns the index of the option that follows the one at index `at`.
    pub(super) fn next_option(&self, at: usize) -> usize {
        self.components(at).1
    }

    /// Returns the stored proof numbers of the option at index `at`.
    pub(super) fn numbers(&self, at: usize) -> ProofNumbers {
        Label(self.words[at]).numbers()
    }

    /// Stores the proof numbers of the option at index `at`.
    pub(super) fn set_numbers(&mut self, at: usize, numbers: ProofNumbers) {
        self.words[at] = Label(self.words[at]).with(numbers).0;
    }

    /// Returns the start and the end of the options that may have the value k. Returns `None`
    /// unless all options of the list were tested for k shortly before the search step `step`.
    pub(super) fn open_range(&self, list: usize, k: u64, step: u64) -> Option<(usize, usize)> {
        let head = &self.heads[list];
        let recent =
            head.tested.map(u64::from) == Some(k) && step - head.tested_at < NUMBERS_LIFETIME;
        recent.then_some((head.start, head.open))
    }

    /// Returns the value in question in the query that is stored in a list, and the proof numbers
    /// of this query.
    pub(super) fn stored_query(&self, list: usize) -> Option<(u64, ProofNumbers)> {
        let head = &self.heads[list];
        Some((head.query?.into(), head.numbers))
    }

    /// Stores the proof numbers of the query whether the value of the component is k. Returns
    /// `false` and stores nothing if the list already has the numbers of a query about another
    /// value.
    pub(super) fn store_query(&mut self, list: usize, k: u64, numbers: ProofNumbers) -> bool {
        let head = &mut self.heads[list];
        let free = head.query.is_none_or(|query| u64::from(query) == k);
        if free {
            head.query = Some(k as u8);
            head.numbers = numbers;
        }
        free
    }

    /// Starts a pass over a list, which tests the options for the value k.
    pub(super) fn start_partition(&mut self, list: usize, k: u64) -> Partition {
        let Head {
            start, end, open, ..
        } = self.heads[list];
        // An option that does not have the value k stays excluded. So a second pass for k visits
        // only the open options.
        let same = self.heads[list].tested.map(u64::from) == Some(k);
        self.closed_options.clear();
        Partition {
            at: start,
            end: if same { open } else { end },
            open: start,
        }
    }

    /// Moves the pass over the options of a list to the next option. `open` is `true` if the
    /// current option may have the value k.
    pub(super) fn partition_step(&mut self, partition: &mut Partition, open: bool) {
        let (at, next) = (partition.at, self.next_option(partition.at));
        if open {
            // The gap between the open options and `at` is as long as `closed_options`, so the copy
            // does not overwrite options after `at`.
            if partition.open < at {
                self.words.copy_within(at..next, partition.open);
            }
            partition.open += next - at;
        } else {
            self.closed_options.extend_from_slice(&self.words[at..next]);
        }
        partition.at = next;
    }

    /// Ends a pass over the options of a list. If all options were tested, `all` contains the value
    /// k and the index of the search step. Otherwise `all` is `None`.
    pub(super) fn end_partition(
        &mut self,
        list: usize,
        all: Option<(u64, u64)>,
        partition: Partition,
    ) {
        // Both ranges have the same length, since every option before `partition.at` is either open
        // or in `closed_options`.
        self.words[partition.open..partition.at].copy_from_slice(&self.closed_options);
        let head = &mut self.heads[list];
        head.open = partition.open;
        head.tested = all.map(|(k, _)| k as u8);
        head.tested_at = all.map_or(0, |(_, step)| step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(lists: &Lists, (mut at, end): (usize, usize)) -> Vec<Vec<u64>> {
        let mut options = Vec::new();
        while at < end {
            options.push(lists.option(at).to_vec());
            at = lists.next_option(at);
        }
        options
    }

    // Returns proof numbers that identify the option, so that the test notices if they move to
    // another option.
    fn numbers_of(option: &[u64]) -> ProofNumbers {
        ProofNumbers::new(option[0], option[0] >> 40)
    }

    #[test]
    fn a_partition_loses_no_options() {
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
            .map(|list| lists.add(list.iter().map(|option| &option[..]), 0))
            .collect();
        for step in 0..2_000 {
            let at = random.usize(..numbers.len());
            let (list, k) = (numbers[at], random.u64(..3));
            let before = options(&lists, lists.range(list));
            let mut partition = lists.start_partition(list, k);
            let visited = options(&lists, (partition.at, partition.end));
            // The pass visits all options, or those that stayed open if the last pass was for the
            // same value.
            assert_eq!(visited, before[..visited.len()]);
            // Half of the passes end early, as in the search at the first option of value k.
            let stop = random.bool().then(|| random.usize(..10));
            let (mut open, mut closed) = (Vec::new(), Vec::new());
            let mut seen = 0;
            while partition.at < partition.end && stop != Some(seen) {
                let stays = random.usize(..8) > 0;
                let side = if stays { &mut open } else { &mut closed };
                let option = lists.option(partition.at).to_vec();
                lists.set_numbers(partition.at, numbers_of(&option));
                side.push(option);
                lists.partition_step(&mut partition, stays);
                seen += 1;
            }
            let all = seen == visited.len();
            lists.end_partition(list, all.then_some((k, step)), partition);
            let expected_order = [&open[..], &closed, &before[seen..]].concat();
            assert_eq!(options(&lists, lists.range(list)), expected_order);
            let again = lists.start_partition(list, k);
            let expected = if all { &open } else { &expected_order };
            assert_eq!(&options(&lists, (again.at, again.end)), expected);
            let other = lists.start_partition(list, k + 1);
            assert_eq!(options(&lists, (other.at, other.end)), expected_order);
        }
        for (list, mut listed) in numbers.into_iter().zip(listed) {
            let (mut at, end) = lists.range(list);
            let mut unchanged = 0;
            while at < end {
                let expected = numbers_of(lists.option(at));
                unchanged += usize::from(lists.numbers(at) == expected);
                at = lists.next_option(at);
            }
            assert_eq!(unchanged, listed.len());
            let mut kept = options(&lists, lists.range(list));
            kept.sort_unstable();
            listed.sort_unstable();
            assert_eq!(kept, listed);
        }
    }

    #[test]
    fn a_complete_list_keeps_the_options_and_the_query() {
        for dropped in [true, false] {
            let mut lists = Lists::default();
            let short = lists.add([[7].as_slice(), &[3, 5]].into_iter(), 2);
            assert_eq!(lists.unlisted(short), 2);
            assert!(lists.store_query(short, 2, ProofNumbers::new(5, 6)));
            if !dropped {
                lists.add([[9].as_slice()].into_iter(), 0);
            }
            let mut listing = Listing::default();
            lists.copy_to(short, &mut listing);
            listing.push(&[11]);
            let all = (listing.options.iter()).map(|option| option.of(&listing.keys));
            let complete = lists.replace_by_complete(short, all);
            assert_eq!(complete == short, dropped);
            assert_eq!(lists.unlisted(complete), 0);
            assert_eq!(
                options(&lists, lists.range(complete)),
                [vec![7], vec![3, 5], vec![11]]
            );
            assert_eq!(
                lists.stored_query(complete),
                Some((2, ProofNumbers::new(5, 6)))
            );
        }
    }

    #[test]
    fn a_list_stores_the_numbers_of_one_value() {
        let mut lists = Lists::default();
        let list = lists.add([[7].as_slice()].into_iter(), 0);
        assert!(lists.stored_query(list).is_none());
        assert!(lists.store_query(list, 2, ProofNumbers::new(5, 6)));
        assert!(!lists.store_query(list, 3, ProofNumbers::new(8, 9)));
        assert!(lists.store_query(list, 2, ProofNumbers::new(10, 11)));
        let stored = lists
            .stored_query(list)
            .map(|(k, numbers)| (k, numbers.proof, numbers.disproof));
        assert_eq!(stored, Some((2, 10, 11)));
    }
}
