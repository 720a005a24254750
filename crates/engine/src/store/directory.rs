//! The places of components by their numbers.

use rustc_hash::FxHashMap;

/// The code that enters components. A limit on positions counts those of each kind apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Client {
    /// Theories of values, labels, and everything else.
    #[default]
    Theories,
    /// The search over sums.
    Search,
}

/// The table of each component, and its place there.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    places: Vec<(u32, u32)>,
    /// Everything that only changes need; apart, as stores lie inside other types.
    changes: Box<Changes>,
}

/// The components that may be freed, that were freed, and that were entered.
#[derive(Debug, Default)]
struct Changes {
    /// Numbers of components that were freed.
    free: Vec<u32>,
    /// A bit for each component that is never freed.
    pinned: Vec<u64>,
    client: Client,
    /// The components that the question has entered, by clients and tables.
    entered: [FxHashMap<u32, u64>; 2],
    /// The components that were left when some were freed last.
    left: usize,
}

/// Components that are entered before it is worth freeing some.
const FEW: usize = 1 << 13;

/// The place of a number that is free.
const FREE: (u32, u32) = (u32::MAX, u32::MAX);

/// Returns the word and the bit of a number.
fn bit(id: u32) -> (usize, u64) {
    ((id / u64::BITS) as usize, 1 << (id % u64::BITS))
}

impl Directory {
    /// Gives a number to the component at a place of a table.
    pub(crate) fn number(&mut self, table: u32, place: u32) -> u32 {
        let Changes {
            client,
            entered,
            free,
            ..
        } = &mut *self.changes;
        *entered[*client as usize].entry(table).or_default() += 1;
        if let Some(id) = free.pop() {
            self.places[id as usize] = (table, place);
            return id;
        }
        self.places.push((table, place));
        self.places.len() as u32 - 1
    }

    /// Returns the table of a component, and its place there.
    pub(crate) fn get(&self, id: u32) -> (u32, u32) {
        self.places[id as usize]
    }

    /// Moves a component to another place of its table.
    pub(crate) fn move_to(&mut self, id: u32, place: u32) {
        self.places[id as usize].1 = place;
    }

    /// Frees the number of a component.
    pub(crate) fn free(&mut self, id: u32) {
        self.places[id as usize] = FREE;
        self.changes.free.push(id);
    }

    /// Gives back the numbers at the end that are free. Of the others the lowest are reused first.
    pub(crate) fn trim(&mut self) {
        let used = self.places.iter().rposition(|&place| place != FREE);
        let used = used.map_or(0, |last| last + 1);
        self.places.truncate(used);
        self.places.shrink_to(2 * used);
        self.changes.free.retain(|&id| (id as usize) < used);
        self.changes.free.sort_unstable_by(|a, b| b.cmp(a));
        self.changes.left = self.count();
    }

    /// Returns whether most components have been entered since some were freed last.
    pub(crate) fn has_doubled(&self) -> bool {
        self.count() > 2 * self.changes.left + FEW
    }

    /// Returns whether a number is that of a component.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.places.get(id as usize).is_some_and(|&at| at != FREE)
    }

    /// Keeps a component for as long as the store lives.
    pub(crate) fn pin(&mut self, id: u32) {
        let (word, bit) = bit(id);
        if self.changes.pinned.len() <= word {
            self.changes.pinned.resize(word + 1, 0);
        }
        self.changes.pinned[word] |= bit;
    }

    /// Returns whether a component is never freed.
    pub(crate) fn is_pinned(&self, id: u32) -> bool {
        let (word, bit) = bit(id);
        self.changes
            .pinned
            .get(word)
            .is_some_and(|word| word & bit != 0)
    }

    /// Begins to count the components that are entered.
    pub(crate) fn begin_question(&mut self) {
        self.changes.entered.iter_mut().for_each(FxHashMap::clear);
    }

    /// Counts what is entered from now on as the components of a client. Returns the client before.
    pub(crate) fn enter_for(&mut self, client: Client) -> Client {
        std::mem::replace(&mut self.changes.client, client)
    }

    /// Returns how many components of a table the client has entered in this question.
    pub(crate) fn entered(&self, table: u32) -> u64 {
        let entered = self.changes.entered[self.changes.client as usize].get(&table);
        entered.copied().unwrap_or_default()
    }

    /// Returns a number that is greater than those of all components.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns how many components have numbers.
    pub(crate) fn count(&self) -> usize {
        self.places.len() - self.changes.free.len()
    }

    /// Returns the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.places.capacity() + self.changes.pinned.capacity();
        (8 * words + 4 * self.changes.free.capacity()) as u64
    }
}
