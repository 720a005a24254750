//! The directory of components. It maps the id of a component to the table that contains the
//! component, and to the index of the component in this table.

use rustc_hash::FxHashMap;

/// The kind of code that enters components into a store. The limit on positions applies to each
/// kind separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Client {
    /// Everything except the search over sums, such as theories of values and labels.
    #[default]
    Theories,
    /// The search over sums.
    Search,
}

/// The table and the place of each component, by the id of the component. The place is the index of
/// the component in its table.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    places: Vec<(u32, u32)>,
    /// Data that are needed only when components are entered, freed or pinned. They are boxed, so
    /// that types that contain a store stay small.
    changes: Box<Changes>,
}

/// The free component ids, the pinned components, and the counts of entered components.
#[derive(Debug, Default)]
struct Changes {
    /// The free ids in descending order, so that the lowest free id is used first.
    free: Vec<u32>,
    /// One bit for each component id. The bit is set if the component is pinned, that is, if it
    /// must never be freed.
    pinned: Vec<u64>,
    client: Client,
    /// Number of components entered since the question began. The index of the array is the
    /// [`Client`] that entered them, and the key of the map is the index of their table.
    entered: [FxHashMap<u32, u64>; 2],
    /// Number of components that were kept when components were last freed.
    kept: usize,
}

/// Margin in the test for freeing components. Let n be the number of components that were kept when
/// components were last freed. Components are freed when their number exceeds 2n plus this margin.
const MIN_NEW: usize = 1 << 13;

/// The entry for a free id, instead of a table and a place.
const FREE: (u32, u32) = (u32::MAX, u32::MAX);

/// Returns the location of a component's bit in a bit set: the index of the word, and a mask with
/// only this bit set.
fn bit(id: u32) -> (usize, u64) {
    ((id / u64::BITS) as usize, 1 << (id % u64::BITS))
}

impl Directory {
    /// Gives an id to a new component, and returns this id. `place` is the index of the component
    /// in its table.
    pub(crate) fn number(&mut self, table: u32, place: u32) -> u32 {
        let Changes {
            client,
            entered,
            free,
            ..
        } = &mut *self.changes;
        *entered[*client as usize].entry(table).or_default() += 1;
        // Use low numbers first. Columns of values are indexed by these numbers, so they stay
        // dense.
        if let Some(id) = free.pop() {
            self.places[id as usize] = (table, place);
            return id;
        }
        self.places.push((table, place));
        self.places.len() as u32 - 1
    }

    /// Returns the index of the table that contains a component, and the index of the component in
    /// this table.
    pub(crate) fn get(&self, id: u32) -> (u32, u32) {
        self.places[id as usize]
    }

    /// Records that a component was moved to the index `place` of its table.
    pub(crate) fn move_to(&mut self, id: u32, place: u32) {
        self.places[id as usize].1 = place;
    }

    /// Frees the id of a component, so that it can be used again.
    pub(crate) fn free(&mut self, id: u32) {
        self.places[id as usize] = FREE;
        self.changes.free.push(id);
    }

    /// Removes the free ids that are greater than the id of every component. Sorts the other free
    /// ids, so that the lowest free id is used first.
    pub(crate) fn trim(&mut self) {
        let used = self.places.iter().rposition(|&place| place != FREE);
        let used = used.map_or(0, |last| last + 1);
        self.places.truncate(used);
        // Shrink to twice the size needed, so that growing and shrinking do not alternate.
        self.places.shrink_to(2 * used);
        self.changes.free.retain(|&id| (id as usize) < used);
        self.changes.free.sort_unstable_by(|a, b| b.cmp(a));
        self.changes.kept = self.count();
    }

    /// Returns whether the number of components exceeds 2n + [`MIN_NEW`], where n is the number of
    /// components that were kept when components were last freed.
    pub(crate) fn has_doubled(&self) -> bool {
        // Freeing visits all components. It happens only when their number has doubled, so its cost
        // for each new component is constant on average.
        self.count() > 2 * self.changes.kept + MIN_NEW
    }

    /// Returns whether there is a component with this id.
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

    /// Resets the counts of entered components, at the start of a question.
    pub(crate) fn begin_question(&mut self) {
        self.changes.entered.iter_mut().for_each(FxHashMap::clear);
    }

    /// Sets the client (the kind of code) that enters components from now on. Returns the previous
    /// client.
    pub(crate) fn set_client(&mut self, client: Client) -> Client {
        std::mem::replace(&mut self.changes.client, client)
    }

    /// Returns the number of components of a table that the current client has entered since the
    /// question began.
    pub(crate) fn entered(&self, table: u32) -> u64 {
        let entered = self.changes.entered[self.changes.client as usize].get(&table);
        entered.copied().unwrap_or_default()
    }

    /// Returns an exclusive upper bound of the ids in use. It may exceed the number of components,
    /// since some smaller ids may be free.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of components.
    pub(crate) fn count(&self) -> usize {
        self.places.len() - self.changes.free.len()
    }

    /// Returns the number of bytes allocated.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.places.capacity() + self.changes.pinned.capacity();
        (8 * words + 4 * self.changes.free.capacity()) as u64
    }
}
