//! Values of components by number.

/// Number of components in a page.
const PAGE: usize = 1 << 10;

/// The states of components in one theory, by their numbers in the store. A page is allocated when
/// its first component gets a state.
#[derive(Debug)]
pub(crate) struct Column<V> {
    pages: Vec<Vec<State<V>>>,
}

/// The state of a component.
#[derive(Clone, Debug)]
enum State<V> {
    New,
    /// The options of the component are being evaluated, so another visit means a cycle.
    Open,
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
        // Numbers are shared by all theories, so most pages of a rarely used theory stay empty.
        if page.is_empty() {
            page.resize(PAGE, State::New);
        }
        page[id as usize % PAGE] = state;
    }

    /// Returns the value of a component if it is known.
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

    /// Marks a component as new again.
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

    /// Returns the components that have values.
    pub(crate) fn known(&self) -> impl Iterator<Item = (u32, &V)> {
        let states = (0..).step_by(PAGE).zip(&self.pages);
        let states = states.flat_map(|(first, page)| (first..).zip(page));
        states.filter_map(|(id, state)| match state {
            State::Known(value) => Some((id, value)),
            State::New | State::Open => None,
        })
    }

    /// Returns the allocated bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let states: usize = self.pages.iter().map(Vec::capacity).sum();
        let pages = self.pages.capacity() * size_of::<Vec<State<V>>>();
        (states * size_of::<State<V>>() + pages) as u64
    }
}
