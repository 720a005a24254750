//! The transition algebra: what sums can be, seen through a monoid.
//!
//! A sum has an element, the product of those of its pieces, and its options have elements. The
//! pair of both is its *transition*. That of a sum with one more piece follows from the two
//! transitions alone, so all transitions that occur are found by multiplying, and where the monoid
//! is finite they are finitely many. If every one of them holds, that is, if the element is losing
//! exactly when there are options and none of them is, then by induction on the sum the monoid says
//! of each sum who wins (T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, 2008,
//! section 5).

use fixedbitset::FixedBitSet;
use grundy_base::index::{Index, hash};
use grundy_base::limits::{Limits, Stop};

use super::monoid::Monoid;

pub(super) const BITS: usize = usize::BITS as usize;

/// The transition of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The element of the piece.
    pub element: u32,
    /// The elements of its options.
    pub options: FixedBitSet,
}

/// All transitions of the sums of some pieces, each once.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Words of a set.
    words: usize,
    elements: Vec<u32>,
    /// The sets of options, `words` each.
    sets: Vec<usize>,
    index: Index,
    /// How many letters each has been multiplied by.
    done: Vec<u32>,
    letters: Vec<Letter>,
    /// What the options of a letter become beside an element, by letter and element; empty where
    /// nobody asked.
    beside: Vec<Vec<Box<[usize]>>>,
}

impl Closure {
    /// Returns the transition of the empty sum alone.
    #[must_use]
    pub fn new(monoid: &Monoid) -> Self {
        let words = monoid.order().div_ceil(BITS);
        let mut closure = Self {
            words,
            elements: Vec::new(),
            sets: Vec::new(),
            index: Index::default(),
            done: Vec::new(),
            letters: Vec::new(),
            beside: Vec::new(),
        };
        closure.insert(0, &vec![0; words]);
        closure
    }

    /// How many transitions there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "the empty sum is always there")]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns the transitions of the pieces.
    #[must_use]
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Multiplies by one more piece, until nothing new comes of it. Answers whether all transitions
    /// hold. Where one does not, or a limit is reached, everything is as it was.
    ///
    /// # Errors
    /// The limits.
    ///
    /// # Complexity
    /// A set is moved for every new pair of a transition and a piece.
    pub fn grow(
        &mut self,
        monoid: &Monoid,
        letter: Letter,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let before = self.len();
        self.letters.push(letter);
        self.beside.push(vec![Box::default(); monoid.order()]);
        let holds = self.close(monoid, limits);
        if holds != Ok(true) {
            self.letters.pop();
            self.beside.pop();
            self.elements.truncate(before);
            self.sets.truncate(before * self.words);
            self.done = vec![self.letters.len() as u32; before];
            self.index = Index::default();
            self.make_room(before);
        }
        holds
    }

    fn close(&mut self, monoid: &Monoid, limits: &Limits<'_>) -> Result<bool, Stop> {
        let mut next = 0;
        let mut set = vec![0; self.words];
        while next < self.len() {
            if next % 256 == 0 {
                let bytes = size_of::<usize>() * self.words + 24;
                limits.check(self.len() as u64, bytes as u64)?;
                limits.poll()?;
            }
            let element = self.elements[next];
            for letter in self.done[next] as usize..self.letters.len() {
                let row = monoid.row(self.letters[letter].element);
                set.fill(0);
                let options = &self.sets[next * self.words..][..self.words];
                for_each(options, |x| put(&mut set, row[x]));
                let beside = &mut self.beside[letter][element as usize];
                if beside.is_empty() {
                    let mut moved = vec![0; self.words].into_boxed_slice();
                    let row = monoid.row(element);
                    let options = self.letters[letter].options.ones();
                    options.for_each(|x| put(&mut moved, row[x]));
                    *beside = moved;
                }
                for (word, more) in set.iter_mut().zip(&beside[..]) {
                    *word |= more;
                }
                let product = row[element as usize];
                if self.insert(product, &set) && !holds(monoid, product, &set) {
                    return Ok(false);
                }
            }
            self.done[next] = self.letters.len() as u32;
            next += 1;
        }
        Ok(true)
    }

    /// Stores a transition; whether it is new.
    fn insert(&mut self, element: u32, set: &[usize]) -> bool {
        let count = self.len();
        self.make_room(count + 1);
        let (elements, sets, words) = (&self.elements, &self.sets, self.words);
        let found = self
            .index
            .number(hash(&(element, set)), count as u32, |number| {
                let number = number as usize;
                elements[number] == element && sets[number * words..][..words] == *set
            });
        if (found as usize) < count {
            return false;
        }
        self.elements.push(element);
        self.sets.extend_from_slice(set);
        self.done.push(0);
        true
    }

    fn make_room(&mut self, count: usize) {
        let (elements, sets, words) = (&self.elements, &self.sets, self.words);
        self.index.make_room(elements.len(), count, |number| {
            let number = number as usize;
            hash(&(elements[number], &sets[number * words..][..words]))
        });
    }

    /// Visits every transition: the element, and the elements of the options.
    pub fn each(&self, mut visit: impl FnMut(u32, Vec<u32>)) {
        for (at, &element) in self.elements.iter().enumerate() {
            let mut options = Vec::new();
            for_each(&self.sets[at * self.words..][..self.words], |x| {
                options.push(x as u32);
            });
            visit(element, options);
        }
    }
}

/// Returns whether an element says of a sum what follows from its options.
fn holds(monoid: &Monoid, element: u32, options: &[usize]) -> bool {
    let p = monoid.p_portion().as_slice();
    let any = options.iter().any(|&word| word != 0);
    let disjoint = options.iter().zip(p).all(|(&word, &p)| word & p == 0);
    monoid.is_p(element) == (any && disjoint)
}

pub(super) fn put(set: &mut [usize], element: u32) {
    set[element as usize / BITS] |= 1 << (element as usize % BITS);
}

fn for_each(set: &[usize], mut visit: impl FnMut(usize)) {
    for (place, &word) in set.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(BITS * place + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
