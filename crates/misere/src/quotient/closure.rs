//! The transition algebra of a monoid: the set of the transitions of all sums of the pieces.
//!
//! The *transition* of a sum is a pair: the element of the sum, and the set of the elements of its
//! options. The element of a sum is the product of the elements of its pieces. If h is a piece, the
//! transition of `X + h` depends only on the transitions of X and h. Hence all transitions are
//! found by multiplication. A finite monoid has finitely many transitions.
//!
//! A transition holds if the outcomes agree: the element must be losing if and only if there are
//! options and none of them is losing. If every transition holds, then by induction the monoid
//! gives the correct outcome of every sum (T. E. Plambeck, A. N. Siegel, Misère quotients for
//! impartial games, 2008, section 5).

use fixedbitset::FixedBitSet;
use grundy_base::index::{Index, hash};
use grundy_base::limits::{Limits, Stop};

use super::monoid::Monoid;

/// Number of bits in a machine word (a `usize`) of a bit set of elements.
pub(super) const BITS: usize = usize::BITS as usize;

/// The transition of a piece: the element of the piece in a monoid, and the set of the elements of
/// its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The element that represents the piece in the monoid.
    pub element: u32,
    /// The elements that represent the options of the piece in the monoid.
    pub options: FixedBitSet,
}

/// The transitions of all sums of some pieces. The transition of a sum is a pair: its element in a
/// monoid, and the set of the elements of its options. Each transition is stored once.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The number of machine words (`usize`) in a bit set of elements.
    words: usize,
    // Invariant between calls of `grow`: the set of transitions is closed under multiplication by
    // every letter, and every transition holds. Every entry of `done` is the number of letters.
    elements: Vec<u32>,
    /// For each transition, the set of the elements of the options. Each set has `words` words.
    sets: Vec<usize>,
    index: Index,
    /// For each transition, the number k such that it has been multiplied by the first k entries of
    /// `letters`.
    done: Vec<u32>,
    letters: Vec<Letter>,
    /// For each letter and each element x: the set of the products of x with the elements in
    /// [`Letter::options`]. Entries are computed on first use, and are empty until then.
    moved_options: Vec<Vec<Box<[usize]>>>,
}

impl Closure {
    /// Returns a closure to which no piece has been added. It has only the transition of the empty
    /// sum.
    ///
    /// ```
    /// use grundy_misere::quotient::{Closure, Monoid};
    /// let closure = Closure::new(&Monoid::trivial());
    /// assert_eq!(closure.len(), 1);
    /// assert!(closure.letters().is_empty());
    /// ```
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
            moved_options: Vec::new(),
        };
        closure.insert(0, &vec![0; words]);
        closure
    }

    /// Returns the number of transitions.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::{Closure, Letter, Monoid};
    /// // The heap * has the element 1, and its only option has the element 0.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// let star = Letter { element: 1, options: [0].into_iter().collect() };
    /// let mut closure = Closure::new(&monoid);
    /// closure.grow(&monoid, star, &Limits::default())?;
    /// // The transitions of 0, * and * + *. The transition of * + * + * is that of *.
    /// assert_eq!(closure.len(), 3);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "the empty sum is always there")]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns the distinct transitions of the pieces that have been added.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::{Closure, Letter, Monoid};
    /// // The heap * has the element 1, and its only option has the element 0.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// let star = Letter { element: 1, options: [0].into_iter().collect() };
    /// let mut closure = Closure::new(&monoid);
    /// closure.grow(&monoid, star.clone(), &Limits::default())?;
    /// assert_eq!(closure.letters(), [star]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Adds the transition `letter` of a piece, and multiplies transitions until no new transition
    /// appears. Returns whether all transitions hold. A transition holds if the outcome of its
    /// element agrees with the outcomes of its options.
    ///
    /// If a transition does not hold, or if a limit is reached, the closure is not changed.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::{Closure, Letter, Monoid};
    /// // The heap * has the element 1, and its only option has the element 0.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// let mut star = Letter { element: 1, options: [0].into_iter().collect() };
    /// let mut closure = Closure::new(&monoid);
    /// assert!(closure.grow(&monoid, star.clone(), &Limits::default())?);
    /// // With the element 0, the piece would be winning, although its option is winning, too.
    /// star.element = 0;
    /// assert!(!Closure::new(&monoid).grow(&monoid, star, &Limits::default())?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Complexity
    /// One set of elements is computed for every pair of a transition and a letter, unless an
    /// earlier call has already multiplied this pair.
    pub fn grow(
        &mut self,
        monoid: &Monoid,
        letter: Letter,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let before = self.len();
        self.letters.push(letter);
        self.moved_options
            .push(vec![Box::default(); monoid.order()]);
        let holds = self.close(monoid, limits);
        if holds != Ok(true) {
            self.letters.pop();
            self.moved_options.pop();
            self.elements.truncate(before);
            self.sets.truncate(before * self.words);
            // The closure is restored to its state before the call. Entries of the index cannot be
            // deleted, so the index is built again.
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
            // Old transitions must be multiplied only by the new letter, and new transitions by all
            // letters.
            for letter in self.done[next] as usize..self.letters.len() {
                let row = monoid.row(self.letters[letter].element);
                set.fill(0);
                let options = &self.sets[next * self.words..][..self.words];
                // Φ'(X + h) = Φ'(X)Φ(h) ∪ Φ(X)Φ'(h). The second set depends only on h and on the
                // element of X, so it is cached.
                for_each(options, |x| put(&mut set, row[x]));
                let moved_options = &mut self.moved_options[letter][element as usize];
                if moved_options.is_empty() {
                    let mut moved = vec![0; self.words].into_boxed_slice();
                    let row = monoid.row(element);
                    let options = self.letters[letter].options.ones();
                    options.for_each(|x| put(&mut moved, row[x]));
                    *moved_options = moved;
                }
                for (word, more) in set.iter_mut().zip(&moved_options[..]) {
                    *word |= more;
                }
                let product = row[element as usize];
                // A single transition that does not hold refutes the monoid, so the search stops.
                if self.insert(product, &set) && !holds(monoid, product, &set) {
                    return Ok(false);
                }
            }
            self.done[next] = self.letters.len() as u32;
            next += 1;
        }
        Ok(true)
    }

    /// Stores a transition if it is new. Returns whether it is new.
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
        self.index.make_room(elements.len(), count, &|number| {
            let number = number as usize;
            hash(&(elements[number], &sets[number * words..][..words]))
        });
    }

    /// Calls `visit` with every transition: the element, and the elements of the options in
    /// ascending order.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::{Closure, Letter, Monoid};
    /// // The heap * has the element 1, and its only option has the element 0.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// let star = Letter { element: 1, options: [0].into_iter().collect() };
    /// let mut closure = Closure::new(&monoid);
    /// closure.grow(&monoid, star, &Limits::default())?;
    /// let mut transitions = Vec::new();
    /// closure.each(|element, options| transitions.push((element, options)));
    /// assert_eq!(transitions, [(0, vec![]), (1, vec![0]), (0, vec![1])]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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

/// Returns whether a transition holds, that is, whether the outcome of the element agrees with the
/// outcomes of the options.
fn holds(monoid: &Monoid, element: u32, options: &[usize]) -> bool {
    let p = monoid.p_portion().as_slice();
    // A sum without options is not losing, since a player without a move wins in misère play.
    let any = options.iter().any(|&word| word != 0);
    let disjoint = options.iter().zip(p).all(|(&word, &p)| word & p == 0);
    monoid.is_p(element) == (any && disjoint)
}

/// Adds an element to a set.
pub(super) fn put(set: &mut [usize], element: u32) {
    set[element as usize / BITS] |= 1 << (element as usize % BITS);
}

/// Calls `visit` with every element of a set.
fn for_each(set: &[usize], mut visit: impl FnMut(usize)) {
    for (index, &word) in set.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(BITS * index + word.trailing_zeros() as usize);
            // This removes the lowest bit that is 1.
            word &= word - 1;
        }
    }
}
