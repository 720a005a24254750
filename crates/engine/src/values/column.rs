//! A sparse array of values, indexed by the ids of components in the store.

/// Number of components in a page of a [`Column`].
const PAGE: usize = 1 << 10;

/// The state of the value of each component in one theory, indexed by the id of the component in
/// the store. A page is allocated when its first component gets a state.
#[derive(Debug)]
pub(crate) struct Column<V> {
    pages: Vec<Vec<State<V>>>,
}

/// The state of a component's value in one theory.
#[derive(Clone, Debug)]
enum State<V> {
    /// The component has no value and is not being evaluated.
    New,
    /// The options of the component are being evaluated. If the component is reached again
    /// meanwhile, there is a cycle.
    Open,
    /// The value of the component.
    Known(V),
}

impl<V> Default for Column<V> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<V: Clone> Column<V> {
    fn state(&self, id: u32) -> Option<&State<V>> {
        let page = self.pages.get(id as usize / PAGE)?;
        page.get(id as usize % PAGE)
    }

    fn set(&mut self, id: u32, state: State<V>) {
        let page = id as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, Vec::new);
        }
        let page = &mut self.pages[page];
        // All theories use the same numbers of components. Pages save memory for a theory that has
        // values for only a few of them.
        if page.is_empty() {
            page.resize(PAGE, State::New);
        }
        page[id as usize % PAGE] = state;
    }

    /// Returns the value of a component, if it is known.
    pub(crate) fn get(&self, id: u32) -> Option<&V> {
        match self.state(id)? {
            State::Known(value) => Some(value),
            State::New | State::Open => None,
        }
    }

    /// Returns whether a component is being evaluated.
    pub(crate) fn is_open(&self, id: u32) -> bool {
        matches!(self.state(id), Some(State::Open))
    }

    /// Marks a component as being evaluated.
    pub(crate) fn open(&mut self, id: u32) {
        self.set(id, State::Open);
    }

    /// Removes the mark that a component is being evaluated.
    pub(crate) fn close(&mut self, id: u32) {
        self.set(id, State::New);
    }

    /// Stores the value of a component.
    pub(crate) fn learn(&mut self, id: u32, value: V) {
        self.set(id, State::Known(value));
    }

    /// Returns whether a component has a value or is being evaluated.
    pub(crate) fn is_used(&self, id: u32) -> bool {
        !matches!(self.state(id), None | Some(State::New))
    }

    /// Returns the id and the value of each component that has a value.
    pub(crate) fn known(&self) -> impl Iterator<Item = (u32, &V)> {
        let states = (0..).step_by(PAGE).zip(&self.pages);
        let states = states.flat_map(|(first, page)| (first..).zip(page));
        states.filter_map(|(id, state)| match state {
            State::Known(value) => Some((id, value)),
            State::New | State::Open => None,
        })
    }

    /// Returns the number of bytes allocated.
    pub(crate) fn bytes(&self) -> u64 {
        let states: usize = self.pages.iter().map(Vec::capacity).sum();
        let pages = self.pages.capacity() * size_of::<Vec<State<V>>>();
        (states * size_of::<State<V>>() + pages) as u64
    }
}
