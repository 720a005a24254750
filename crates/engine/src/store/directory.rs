//! The places of components by their numbers.

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
    /// Numbers of components that were freed.
    free: Vec<u32>,
    /// A bit for each component that is never freed.
    pinned: Vec<u64>,
    client: Client,
    /// The components that the question has entered, by clients and tables.
    entered: [Vec<u64>; 2],
}

/// The place of a number that is free.
const FREE: (u32, u32) = (u32::MAX, u32::MAX);

/// Returns the word and the bit of a number.
fn bit(id: u32) -> (usize, u64) {
    ((id / u64::BITS) as usize, 1 << (id % u64::BITS))
}

impl Directory {
    /// Gives a number to the component at a place of a table.
    pub(crate) fn number(&mut self, table: u32, place: u32) -> u32 {
        let entered = &mut self.entered[self.client as usize];
        if entered.len() <= table as usize {
            entered.resize(table as usize + 1, 0);
        }
        entered[table as usize] += 1;
        if let Some(id) = self.free.pop() {
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
        self.free.push(id);
    }

    /// Gives back the numbers at the end that are free. Of the others the lowest are reused first.
    pub(crate) fn trim(&mut self) {
        let used = self.places.iter().rposition(|&place| place != FREE);
        let used = used.map_or(0, |last| last + 1);
        self.places.truncate(used);
        self.places.shrink_to(2 * used);
        self.free.retain(|&id| (id as usize) < used);
        self.free.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Returns whether a number is that of a component.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        self.places.get(id as usize).is_some_and(|&at| at != FREE)
    }

    /// Keeps a component for as long as the store lives.
    pub(crate) fn pin(&mut self, id: u32) {
        let (word, bit) = bit(id);
        if self.pinned.len() <= word {
            self.pinned.resize(word + 1, 0);
        }
        self.pinned[word] |= bit;
    }

    /// Returns whether a component is never freed.
    pub(crate) fn is_pinned(&self, id: u32) -> bool {
        let (word, bit) = bit(id);
        self.pinned.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Begins to count the components that are entered.
    pub(crate) fn begin_question(&mut self) {
        self.entered.iter_mut().for_each(Vec::clear);
    }

    /// Counts what is entered from now on as the components of a client. Returns the client before.
    pub(crate) fn enter_for(&mut self, client: Client) -> Client {
        std::mem::replace(&mut self.client, client)
    }

    /// Returns how many components of a table the client has entered in this question.
    pub(crate) fn entered(&self, table: u32) -> u64 {
        let entered = self.entered[self.client as usize].get(table as usize);
        entered.copied().unwrap_or_default()
    }

    /// Returns a number that is greater than those of all components.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns how many components have numbers.
    pub(crate) fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Returns the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.places.capacity() + self.pinned.capacity();
        (8 * words + 4 * self.free.capacity()) as u64
    }
}
