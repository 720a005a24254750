//! Actions: sums are represented by states, and adding a piece maps each state to a state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::Word;
use super::monoid::Monoid;

/// Number of states that are computed between two polls of the limits.
const POLL_INTERVAL: usize = 1024;

/// A finite set of states, each of which stands for a class of sums of pieces. The pieces are the
/// games of a family. The state after a piece is added depends only on the state before, so each
/// piece defines a map of the states. State 0 is the state of the empty sum, and every state can be
/// reached from it.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) size: usize,
    /// The maps of the states that are defined by pieces, one column for each map. The entry of a
    /// column at a state is the state after the piece is added.
    pub(super) columns: Vec<Vec<u32>>,
    /// The pieces, each given by its column and the states of its options. Pieces with the same
    /// column and the same options may share an entry.
    pub(super) letters: Vec<Letter>,
    /// The states of losing sums, which are P-positions.
    pub(super) p: FixedBitSet,
}

/// A piece, given by its map of the states (a column of `Action::columns`) and by the states of its
/// options.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) column: u32,
    /// The states of the sums that are the options of the piece.
    pub(super) options: Vec<u32>,
    /// The length of the piece: the number of moves in its longest play.
    // The longest play of a sum is as long as those of its pieces together. So the length is the
    // weight of an edge in every search for a shortest path here.
    pub(super) length: u64,
}

/// For each state, a sum of least length with this state, as a tree of shortest paths. The length
/// of a sum is the number of moves in its longest play.
#[derive(Debug)]
pub(super) struct Shortest {
    /// The states in ascending order of the lengths of their shortest sums.
    pub(super) order: Vec<u32>,
    /// For each state, the last step to its shortest sum: the previous state, and the index of the
    /// added piece in `letters`.
    pub(super) from: Vec<(u32, u32)>,
}

impl Action {
    /// Returns the action of a monoid on itself by multiplication. `elements` has the element of
    /// each piece, and `lengths` has the number of moves in its longest play. The options of the
    /// pieces are left empty.
    pub(super) fn of_monoid(monoid: &Monoid, elements: &[u32], lengths: &[u64]) -> Self {
        let order = monoid.order();
        let letters = elements
            .iter()
            .zip(lengths)
            .map(|(&column, &length)| Letter {
                column,
                options: Vec::new(),
                length,
            });
        Self {
            size: order,
            columns: (0..order as u32)
                .map(|element| monoid.row(element).to_vec())
                .collect(),
            letters: letters.collect(),
            p: monoid.p_portion().clone(),
        }
    }

    /// Returns the state after adding the piece `letter` to a sum in state `state`.
    fn after(&self, state: u32, letter: u32) -> u32 {
        self.columns[self.letters[letter as usize].column as usize][state as usize]
    }

    /// Returns a sum of least length for each state.
    ///
    /// # Complexity
    /// The cost is that of Dijkstra's algorithm on a graph with an edge for each pair of a state
    /// and a piece in `letters`.
    pub(super) fn shortest(&self) -> Shortest {
        let mut from = vec![(0, 0); self.size];
        let mut best = vec![u64::MAX; self.size];
        let mut settled = FixedBitSet::with_capacity(self.size);
        let mut order = Vec::with_capacity(self.size);
        let mut pending = BinaryHeap::from([Reverse((0u64, 0u32))]);
        best[0] = 0;
        while let Some(Reverse((length, state))) = pending.pop() {
            // If the state is settled, this entry of the heap is out of date: the state was reached
            // by a shorter sum.
            if settled.put(state as usize) {
                continue;
            }
            order.push(state);
            for (number, letter) in (0u32..).zip(&self.letters) {
                let next = self.after(state, number) as usize;
                let length = length + letter.length;
                if length < best[next] {
                    best[next] = length;
                    from[next] = (state, number);
                    pending.push(Reverse((length, next as u32)));
                }
            }
        }
        Shortest { order, from }
    }

    /// Returns a sum of least length for each state, as a sorted list of the indices that its
    /// pieces have in `letters`.
    pub(super) fn words(&self) -> Vec<Word> {
        let shortest = self.shortest();
        let mut words = vec![Word::new(); self.size];
        for &state in &shortest.order[1..] {
            let (before, letter) = shortest.from[state as usize];
            let mut word = words[before as usize].clone();
            word.push(letter);
            // The order of the letters in a sum does not count. So the lists are sorted, and equal
            // sums have equal lists.
            word.sort_unstable();
            words[state as usize] = word;
        }
        words
    }

    /// Returns the state that is reached from `state` by adding the shortest sum of state `by`.
    fn times(&self, state: u32, by: u32, shortest: &Shortest) -> u32 {
        let (mut state, mut by) = (state, by);
        // The letters are added from the last to the first. This is allowed, since the pieces
        // commute.
        while by != 0 {
            let (before, letter) = shortest.from[by as usize];
            state = self.after(state, letter);
            by = before;
        }
        state
    }

    /// Returns, for every state, the state that is reached by adding the shortest sum of state
    /// `by`.
    pub(super) fn action_of(&self, by: u32, shortest: &Shortest) -> Vec<u32> {
        (0..self.size as u32)
            .map(|state| self.times(state, by, shortest))
            .collect()
    }

    /// Returns a set for each state: the states of all options of the shortest sum that has this
    /// state.
    pub(super) fn options(
        &self,
        shortest: &Shortest,
        limits: &Limits<'_>,
    ) -> Result<Vec<FixedBitSet>, Stop> {
        limits.check(self.size as u64, self.size as u64 / 8 + 24)?;
        let mut options = vec![FixedBitSet::with_capacity(self.size); self.size];
        // An option of X + h is X' + h or X + h'. The options of X have been computed before those
        // of X + h, because states are visited in the order of their lengths.
        for (done, &state) in shortest.order.iter().enumerate().skip(1) {
            if done % POLL_INTERVAL == 0 {
                limits.poll()?;
            }
            let (before, number) = shortest.from[state as usize];
            let of_letter = self.letters[number as usize].options.iter();
            let mut set: FixedBitSet = (options[before as usize].ones())
                .map(|option| self.after(option as u32, number) as usize)
                .chain(of_letter.map(|&option| self.times(before, option, shortest) as usize))
                .collect();
            set.grow(self.size);
            options[state as usize] = set;
        }
        Ok(options)
    }

    /// Returns the quotient monoid, and the element of each state. Two states are identified if
    /// adding the same sum to both always gives the same outcome.
    ///
    /// # Complexity
    /// The partition of the states is refined in rounds. In each round, a signature is computed for
    /// every state from all columns. There is at most one round more than there are states.
    pub(super) fn reduced(&self, limits: &Limits<'_>) -> Result<(Monoid, Vec<u32>), Stop> {
        let colours = (0..self.size).map(|state| u32::from(self.p.contains(state)));
        self.reduced_by(colours.collect(), limits)
    }

    /// Returns the quotient monoid as [`Action::reduced`] does, but for given colours of the
    /// states. Two states are identified if adding the same sum to both always gives states of the
    /// same colour. Losing and winning states must have different colours.
    pub(super) fn reduced_by(
        &self,
        colours: Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(Monoid, Vec<u32>), Stop> {
        // Moore's partition refinement. The signature of a state contains its class, so a round can
        // only split classes. Hence the partition is stable if the number of classes does not
        // change.
        let mut class = colours;
        let mut classes = 0;
        loop {
            let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let finer = (0..self.size).map(|state| {
                if state % POLL_INTERVAL == 0 {
                    limits.poll()?;
                }
                let after = self.columns.iter();
                let after = after.map(|column| class[column[state] as usize]);
                let signature = std::iter::once(class[state]).chain(after).collect();
                let count = numbers.len() as u32;
                Ok(*numbers.entry(signature).or_insert(count))
            });
            class = finer.collect::<Result<Vec<u32>, Stop>>()?;
            if numbers.len() == classes {
                break;
            }
            classes = numbers.len();
        }
        // Classes are numbered in the order of their first states. So the state of the empty sum
        // has class 0.
        let mut first = vec![0; classes];
        for (state, &class) in class.iter().enumerate().rev() {
            first[class as usize] = state;
        }
        let columns = self.columns.iter().map(|column| {
            let first = first.iter();
            first.map(|&state| class[column[state] as usize]).collect()
        });
        let quotient = Self {
            size: classes,
            columns: columns.collect(),
            letters: self.letters.clone(),
            p: (0..classes)
                .filter(|&class| self.p.contains(first[class]))
                .collect(),
        };
        limits.check(classes as u64, 4 * classes as u64)?;
        let (monoid, number) = quotient.monoid();
        let elements = class.iter().map(|&class| number[class as usize]);
        Ok((monoid, elements.collect()))
    }

    /// Returns the monoid whose elements are the states, and the element of each state. Elements
    /// are numbered in the order of the lengths of their shortest sums, so the identity is 0.
    fn monoid(&self) -> (Monoid, Vec<u32>) {
        let shortest = self.shortest();
        let (order, size) = (&shortest.order, self.size);
        let mut number = vec![0; size];
        for (element, &state) in (0u32..).zip(order) {
            number[state as usize] = element;
        }
        // If the shortest sum of an element is X + h, then its row of products is the row of X
        // followed by h. The row of X has been computed before, because elements are visited in the
        // order `order`.
        let mut products: Vec<u32> = (0..size as u32).collect();
        products.reserve(size * (size - 1));
        for &state in &order[1..] {
            let (before, letter) = shortest.from[state as usize];
            let row = number[before as usize] as usize * size;
            for x in 0..size {
                let state = order[products[row + x] as usize];
                products.push(number[self.after(state, letter) as usize]);
            }
        }
        let p = self.p.ones().map(|state| number[state] as usize).collect();
        (Monoid::new(size, products, p), number)
    }
}
