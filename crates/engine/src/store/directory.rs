//! The table and place of each component, by number.

use rustc_hash::FxHashMap;

/// The code that enters components. A limit on positions applies to each client separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Client {
    /// Theories of values, labels, and everything else.
    #[default]
    Theories,
    /// The search over sums.
    Search,
}

/// The table of each component, and its place in the table.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    places: Vec<(u32, u32)>,
    /// Data that only changes need. It is boxed to keep stores small inside other types.
    changes: Box<Changes>,
}

/// The free numbers, the pinned components, and counts of entered components.
#[derive(Debug, Default)]
struct Changes {
    /// Free numbers, the lowest at the end.
    free: Vec<u32>,
    /// One bit for each component that is never freed.
    pinned: Vec<u64>,
    client: Client,
    /// Components entered since the question began, by client and table.
    entered: [FxHashMap<u32, u64>; 2],
    /// Number of components left by the last round of freeing.
    left: usize,
}

/// Number of new components before a round of freeing is considered.
const FEW: usize = 1 << 13;

/// The place of a free number.
const FREE: (u32, u32) = (u32::MAX, u32::MAX);

/// Returns the word and the bit for a number.
fn bit(id: u32) -> (usize, u64) {
    ((id / u64::BITS) as usize, 1 << (id % u64::BITS))
}

impl Directory {
    /// Assigns a number to the component at a place of a table.
    pub(crate) fn number(&mut self, table: u32, place: u32) -> u32 {
        let Changes {
            client,
            entered,
            free,
            ..
        } = &mut *self.changes;
        *entered[*client as usize].entry(table).or_default() += 1;
        // Low numbers first: columns of values are indexed by number, so they stay dense.
        if let Some(id) = free.pop() {
            self.places[id as usize] = (table, place);
            return id;
        }
        self.places.push((table, place));
        self.places.len() as u32 - 1
    }

    /// Returns the table of a component and its place in the table.
    pub(crate) fn get(&self, id: u32) -> (u32, u32) {
        self.places[id as usize]
    }

    /// Records that a component moved to another place of its table.
    pub(crate) fn move_to(&mut self, id: u32, place: u32) {
        self.places[id as usize].1 = place;
    }

    /// Frees the number of a component.
    pub(crate) fn free(&mut self, id: u32) {
        self.places[id as usize] = FREE;
        self.changes.free.push(id);
    }

    /// Drops the free numbers at the end. Of the others the lowest are reused first.
    pub(crate) fn trim(&mut self) {
        let used = self.places.iter().rposition(|&place| place != FREE);
        let used = used.map_or(0, |last| last + 1);
        self.places.truncate(used);
        // Shrinking to twice the size leaves room, so that growth and freeing do not alternate.
        self.places.shrink_to(2 * used);
        self.changes.free.retain(|&id| (id as usize) < used);
        self.changes.free.sort_unstable_by(|a, b| b.cmp(a));
        self.changes.left = self.count();
    }

    /// Returns whether the number of components has doubled since the last round of freeing.
    pub(crate) fn has_doubled(&self) -> bool {
        // Freeing visits all components, so waiting until they double makes its cost constant per
        // new component.
        self.count() > 2 * self.changes.left + FEW
    }

    /// Returns whether a number belongs to a component.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.places.get(id as usize).is_some_and(|&at| at != FREE)
    }

    /// Pins a component, so that it is never freed.
    pub(crate) fn pin(&mut self, id: u32) {
        let (word, bit) = bit(id);
        if self.changes.pinned.len() <= word {
            self.changes.pinned.resize(word + 1, 0);
        }
        self.changes.pinned[word] |= bit;
    }

    /// Returns whether a component is pinned.
    pub(crate) fn is_pinned(&self, id: u32) -> bool {
        let (word, bit) = bit(id);
        self.changes
            .pinned
            .get(word)
            .is_some_and(|word| word & bit != 0)
    }

    /// Resets the counts of entered components.
    pub(crate) fn begin_question(&mut self) {
        self.changes.entered.iter_mut().for_each(FxHashMap::clear);
    }

    /// Sets the client for which entered components are counted. Returns the client before.
    pub(crate) fn enter_for(&mut self, client: Client) -> Client {
        std::mem::replace(&mut self.changes.client, client)
    }

    /// Returns the number of components of a table that the current client has entered in this
    /// question.
    pub(crate) fn entered(&self, table: u32) -> u64 {
        let entered = self.changes.entered[self.changes.client as usize].get(&table);
        entered.copied().unwrap_or_default()
    }

    /// Returns a number greater than those of all components.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of components.
    pub(crate) fn count(&self) -> usize {
        self.places.len() - self.changes.free.len()
    }

    /// Returns the allocated bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.places.capacity() + self.changes.pinned.capacity();
        (8 * words + 4 * self.changes.free.capacity()) as u64
    }
}
