//! The places of components by their numbers.

/// The table of each component, and its place there.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    places: Vec<(u32, u32)>,
}

impl Directory {
    /// Gives a number to the component at a place of a table.
    pub(crate) fn number(&mut self, table: u32, place: u32) -> u32 {
        self.places.push((table, place));
        self.places.len() as u32 - 1
    }

    /// Returns the table of a component, and its place there.
    pub(crate) fn get(&self, id: u32) -> (u32, u32) {
        self.places[id as usize]
    }

    /// Returns how many numbers have been given.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        8 * self.places.capacity() as u64
    }
}
