//! Refinement of the equivalence of the sums so far, that is, of the sums of the pieces before a
//! new piece. Sums are distinguished by their outcomes with at most k copies of the new piece, for
//! k = 1, 2, and so on.
//!
//! A *guess* is a monoid M of the sums so far, with a set of losing elements for each j = 0, 1,
//! ..., k. The set for j has the elements that are losing with j copies of the new piece. In a
//! guess, a sum has a *view*. The view has three parts: the element of the sum, the information
//! whether the sum has options, and a set of pairs (z, j). Here z is an element of M. A pair (z, j)
//! is in the view if some option of the sum, plus z and j copies of the new piece, is losing. The
//! view of X + Y depends only on the views of X and Y. There are finitely many views.
//!
//! The guess is right if, for each view, the outcome of its element agrees with the outcomes of the
//! options, which the view determines. Otherwise the views form a finer monoid of the sums, from
//! which the next guess is made. The next guess is right about longer sums than this guess: see
//! "Guessing the monoid" in docs/theory.md.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use grundy_base::index::{Index, hash};
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::action::{self, Action};
use super::closure::{BITS, put};
use super::extension::Copies;
use super::monoid::{Draft, Monoid};
use super::representatives::Representative;

/// Number of bits that are inspected between two polls of the limits.
const POLL_INTERVAL: usize = 1 << 20;

/// A monoid of the sums of the earlier pieces, with k + 1 sets of its elements. For j = 0, 1, ...,
/// k, set j has the elements that are losing when j copies of a new piece are added.
#[derive(Debug)]
pub(super) struct Guess {
    pub(super) draft: Draft,
    /// For each number of copies 0, 1, ..., k, the elements that are losing with this number of
    /// copies.
    losing: Vec<FixedBitSet>,
}

/// All views that the sums of the earlier pieces have in a [`Guess`]. The view of a sum is the data
/// that determines whether the guess is right about it (see the documentation of this module).
#[derive(Debug)]
pub(super) struct Views {
    /// The action of the pieces on the views. There is one column for each [`Representative`] of a
    /// class of interchangeable pieces.
    pub(super) action: Action,
    /// The length of a shortest sum for which the guess is wrong. `None` if the guess is right.
    pub(super) wrong: Option<u64>,
}

impl Guess {
    /// Returns the guess in which each state of the base behaves like its shortest sum. The
    /// argument `columns` has, for each earlier piece, the index of its column in `base`. `options`
    /// has the states of the options of the new piece, and `most` is the largest number of copies
    /// of this piece.
    pub(super) fn new(
        base: &Action,
        columns: &[u32],
        options: &[u32],
        most: usize,
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        let copies = Copies::new(base, options, limits)?;
        let mut losing: Vec<FixedBitSet> = Vec::new();
        while losing.len() <= most {
            limits.poll()?;
            losing.push(copies.losing_with_one_more_copy(losing.last()));
        }
        Self::reduced(base, &losing, columns, limits)
    }

    /// Returns the guess in which states are identified if no sum distinguishes them.
    fn reduced(
        base: &Action,
        losing: &[FixedBitSet],
        columns: &[u32],
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        let (monoid, element) = base.reduced_by(colours(losing, base.size), limits)?;
        let of = |set: &FixedBitSet| {
            let mut elements = FixedBitSet::with_capacity(monoid.order());
            set.ones()
                .for_each(|state| elements.insert(element[state] as usize));
            elements
        };
        let losing: Vec<FixedBitSet> = losing.iter().map(of).collect();
        let columns = columns.iter();
        let elements = columns.map(|&column| element[base.columns[column as usize][0] as usize]);
        Ok(Self {
            draft: Draft {
                elements: elements.collect(),
                monoid,
            },
            losing,
        })
    }

    /// Returns whether the set of losing elements for the largest number of copies is equal to a
    /// set for fewer copies.
    // The set for k + 1 copies depends only on the set for k copies. So a set that occurs again
    // determines the sets for all larger numbers.
    pub(super) fn repeats_row(&self) -> bool {
        let last = self.losing.len() - 1;
        self.losing[..last].contains(&self.losing[last])
    }

    /// Returns all views of sums in this guess.
    ///
    /// The earlier pieces are given by `representatives`, one for each transition in the monoid of
    /// the guess. The argument `options` has the elements of the options of the new piece.
    ///
    /// # Complexity
    /// One bit operation is performed for each combination of a view, a representative, a number of
    /// copies and an element.
    pub(super) fn views(
        &self,
        representatives: &[Representative],
        options: &FixedBitSet,
        limits: &Limits<'_>,
    ) -> Result<Views, Stop> {
        let mut table = ViewTable::new(self, representatives);
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); representatives.len()];
        let (mut next, mut bits_read) = (0, 0);
        while next < table.len() {
            // The size of a view differs between guesses. So the limits are polled after a number
            // of bits, not after a number of views.
            if bits_read >= POLL_INTERVAL {
                let bytes = size_of::<usize>() * (table.words + 1) + 4 * representatives.len() + 24;
                limits.check(table.len() as u64, bytes as u64)?;
                limits.poll()?;
                bits_read = 0;
            }
            bits_read += representatives.len() * table.words * BITS;
            for (representative, after) in after.iter_mut().enumerate() {
                after.push(table.plus_representative(next as u32, representative));
            }
            next += 1;
        }
        let monoid = &self.draft.monoid;
        let right = |view: u32| {
            let element = table.elements[view as usize];
            let (moves, none) = (table.has_options(view), options.is_clear());
            // `stays` is `true` if no move in the sum itself reaches a P-position. All other moves
            // are made in a copy of the new piece, and leave one copy fewer.
            let holds = |copies: usize| {
                let stays = !table.has_losing_option(view, 0, copies);
                let lost = stays
                    && match copies.checked_sub(1) {
                        Some(fewer) => {
                            let row = monoid.row(element);
                            let mut options = options.ones().map(|option| row[option] as usize);
                            (moves || !none)
                                && options.all(|option| !self.losing[fewer].contains(option))
                        }
                        None => moves,
                    };
                lost == self.losing[copies].contains(element as usize)
            };
            (0..self.losing.len()).all(holds)
        };
        let wrong = first_wrong(&after, representatives, table.len(), right);
        let losing = table.elements.iter().enumerate();
        let losing = losing.filter(|&(_, &element)| self.losing[0].contains(element as usize));
        // The letters are left empty. The caller knows the pieces and adds them.
        let action = Action {
            size: table.len(),
            p: losing.map(|(view, _)| view).collect(),
            columns: after,
            letters: Vec::new(),
        };
        Ok(Views { action, wrong })
    }

    /// Returns a smaller guess. It keeps only the distinctions that are visible in sums of a length
    /// below `right`. The guess `self` must be right about these sums.
    ///
    /// Elements are identified if they agree on all such sums. Returns `None` if the result is not
    /// a commutative monoid.
    ///
    /// # Complexity
    /// Two rows of the multiplication table are compared for each pair of an element and a class of
    /// identified elements.
    pub(super) fn smallest(
        &self,
        representatives: &[Representative],
        right: u64,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stop> {
        let monoid = &self.draft.monoid;
        // For sums of length `right` or more, much of the guess is wrong, and its views make too
        // many distinctions. The smaller monoid ignores these sums.
        let (order, length) = by_length(monoid, representatives);
        let colour = colours(&self.losing, monoid.order());
        let mut found: Vec<u32> = Vec::new();
        let mut class = vec![0; monoid.order()];
        for &x in &order {
            limits.poll()?;
            // A length such that x and y agree on all shorter sums. The list `order` is sorted by
            // length, so y is not longer than x.
            let agree = |y: u32| {
                let (x_row, y_row) = (monoid.row(x), monoid.row(y));
                let differ = |&&z: &&u32| {
                    let (x, y) = (x_row[z as usize], y_row[z as usize]);
                    colour[x as usize] != colour[y as usize]
                };
                let z = order.iter().find(differ);
                z.map_or(u64::MAX, |&z| length[x as usize] + length[z as usize])
            };
            // Agreement on short sums need not be transitive. So an element joins the class with
            // which it agrees on the longest sums. If there are several, it joins the first.
            let like = (0u32..).zip(&found).map(|(n, &y)| (agree(y), Reverse(n)));
            class[x as usize] = match like.max() {
                Some((far, Reverse(number))) if far >= right => number,
                _ => {
                    found.push(x);
                    found.len() as u32 - 1
                }
            };
        }
        let after = |representative: &Representative| -> Vec<u32> {
            let row = monoid.row(representative.letter.element);
            let after = found.iter().map(|&x| class[row[x as usize] as usize]);
            after.collect()
        };
        let columns: Vec<Vec<u32>> = representatives.iter().map(after).collect();
        // After the identification, pieces may not commute, since the classes come from only some
        // of the sums.
        let commute =
            |a: &[u32], b: &[u32]| (0..found.len()).all(|x| a[b[x] as usize] == b[a[x] as usize]);
        if !columns
            .iter()
            .enumerate()
            .all(|(n, a)| columns[..n].iter().all(|b| commute(a, b)))
        {
            return Ok(None);
        }
        let letters = (0u32..)
            .zip(representatives)
            .map(|(column, representative)| action::Letter {
                column,
                options: Vec::new(),
                length: representative.length,
            });
        let of = |set: &FixedBitSet| {
            let found = found.iter().enumerate();
            let losing = found.filter(|&(_, &x)| set.contains(x as usize));
            losing.map(|(state, _)| state).collect()
        };
        let losing: Vec<FixedBitSet> = self.losing.iter().map(of).collect();
        let base = Action {
            size: found.len(),
            letters: letters.collect(),
            p: losing[0].clone(),
            columns,
        };
        // All representatives with the same element have equal columns, so any of them can be used.
        let mut representative_of = FxHashMap::default();
        for (number, representative) in (0u32..).zip(representatives) {
            representative_of.insert(representative.letter.element, number);
        }
        let elements = self.draft.elements.iter();
        let columns: Vec<u32> = elements.map(|element| representative_of[element]).collect();
        Self::reduced(&base, &losing, &columns, limits).map(Some)
    }
}

/// Returns a colour for each state. Two states have equal colours if and only if they are losing
/// with the same numbers of copies of the new piece. The set `losing[j]` has the states that are
/// losing with j copies.
fn colours(losing: &[FixedBitSet], size: usize) -> Vec<u32> {
    // `reduced_by` requires that losing and winning states have different colours. The set for 0
    // copies ensures this.
    let mut colours = vec![0; size];
    for set in losing {
        let mut numbers: FxHashMap<(u32, bool), u32> = FxHashMap::default();
        for (state, colour) in colours.iter_mut().enumerate() {
            let count = numbers.len() as u32;
            *colour = *numbers
                .entry((*colour, set.contains(state)))
                .or_insert(count);
        }
    }
    colours
}

/// Returns the elements in ascending order of the lengths of their shortest sums. Also returns
/// these lengths, indexed by element.
fn by_length(monoid: &Monoid, representatives: &[Representative]) -> (Vec<u32>, Vec<u64>) {
    let elements: Vec<u32> = representatives
        .iter()
        .map(|representative| representative.letter.element)
        .collect();
    let lengths: Vec<u64> = representatives
        .iter()
        .map(|representative| representative.length)
        .collect();
    let shortest = Action::of_monoid(monoid, &elements, &lengths).shortest();
    let mut length = vec![0; monoid.order()];
    for &x in &shortest.order[1..] {
        let (before, letter) = shortest.from[x as usize];
        length[x as usize] = length[before as usize] + lengths[letter as usize];
    }
    (shortest.order, length)
}

/// Returns the length of a shortest sum for whose view `right` returns `false`, or `None` if
/// `right` holds for all views. The sum is found by Dijkstra's algorithm.
fn first_wrong(
    after: &[Vec<u32>],
    representatives: &[Representative],
    views: usize,
    right: impl Fn(u32) -> bool,
) -> Option<u64> {
    let mut best = vec![u64::MAX; views];
    best[0] = 0;
    let mut settled = FixedBitSet::with_capacity(views);
    let mut pending = BinaryHeap::from([Reverse((0u64, 0u32))]);
    while let Some(Reverse((length, view))) = pending.pop() {
        if settled.put(view as usize) {
            continue;
        }
        if !right(view) {
            return Some(length);
        }
        for (after, representative) in after.iter().zip(representatives) {
            let next = after[view as usize];
            let length = length + representative.length;
            if length < best[next as usize] {
                best[next as usize] = length;
                pending.push(Reverse((length, next)));
            }
        }
    }
    None
}

/// A table of the views of sums in a [`Guess`] that have been found so far. Each view is stored
/// once. Views are defined in the documentation of this module.
struct ViewTable<'a> {
    // Layout of a view: for each number of copies j there is a set of `set_words` words, in which
    // bit z is 1 if (z, j) is in the view. The last word of the view is 1 if the sum has options.
    monoid: &'a Monoid,
    /// The number of machine words (`usize`) in one bit set of elements.
    set_words: usize,
    /// The number of machine words in the bits of a view. The element of the view is stored
    /// separately, in `elements`.
    words: usize,
    /// The element of each view.
    elements: Vec<u32>,
    /// The bits of all views, one view after the other. Each view takes `words` machine words.
    sets: Vec<usize>,
    index: Index,
    representatives: &'a [Representative],
    /// For each representative, the words of its view.
    threats: Vec<Vec<usize>>,
    /// For each representative and each element, the words of the view of the representative plus
    /// the element. Entries are computed on first use, and are empty until then.
    moved_threats: Vec<Vec<Box<[usize]>>>,
}

impl<'a> ViewTable<'a> {
    /// Creates the table. It contains only the view of the empty sum.
    fn new(guess: &'a Guess, representatives: &'a [Representative]) -> Self {
        let monoid = &guess.draft.monoid;
        let order = monoid.order();
        let set_words = order.div_ceil(BITS);
        let words = set_words * guess.losing.len() + 1;
        let threats = representatives.iter().map(|representative| {
            let mut threats = vec![0; words];
            let options = &representative.letter.options;
            for (losing, threats) in guess.losing.iter().zip(threats.chunks_mut(set_words)) {
                for z in 0..order {
                    let row = monoid.row(z as u32);
                    if options.ones().any(|y| losing.contains(row[y] as usize)) {
                        put(threats, z as u32);
                    }
                }
            }
            threats[words - 1] = usize::from(!options.is_clear());
            threats
        });
        let mut table = Self {
            monoid,
            set_words,
            words,
            elements: Vec::new(),
            sets: Vec::new(),
            index: Index::default(),
            threats: threats.collect(),
            moved_threats: vec![vec![Box::default(); order]; representatives.len()],
            representatives,
        };
        table.number(0, &vec![0; words]);
        table
    }

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn set(&self, view: u32) -> &[usize] {
        &self.sets[view as usize * self.words..][..self.words]
    }

    /// Returns whether a sum with this view has an option that is losing together with z and
    /// `copies` copies of the new piece. The argument `z` is an element of the monoid.
    fn has_losing_option(&self, view: u32, z: u32, copies: usize) -> bool {
        contains(&self.set(view)[copies * self.set_words..], z)
    }

    /// Returns whether a sum with this view has options.
    fn has_options(&self, view: u32) -> bool {
        self.set(view)[self.words - 1] != 0
    }

    /// Returns the index of the view of a sum plus a representative.
    fn plus_representative(&mut self, view: u32, representative: usize) -> u32 {
        let element = self.elements[view as usize];
        let by = self.representatives[representative].letter.element;
        if self.moved_threats[representative][element as usize].is_empty() {
            let threats = self.plus_element(&self.threats[representative], element);
            self.moved_threats[representative][element as usize] = threats.into_boxed_slice();
        }
        // An option of X + Y is X' + Y or X + Y'. So a view of X + Y is the union of the view of X
        // with Y added and the view of Y with X added.
        let mut set = self.plus_element(self.set(view), by);
        for (word, more) in set
            .iter_mut()
            .zip(&self.moved_threats[representative][element as usize])
        {
            *word |= more;
        }
        self.number(self.monoid.times(element, by), &set)
    }

    /// Returns the words of a view after the element x is added to the sum. The pair (z, j) is in
    /// the result if (xz, j) was in the view.
    fn plus_element(&self, threats: &[usize], x: u32) -> Vec<usize> {
        let row = self.monoid.row(x);
        let mut moved = vec![0; self.words];
        let sets = threats[..self.words - 1].chunks(self.set_words);
        for (set, moved) in sets.zip(moved.chunks_mut(self.set_words)) {
            for (word, products) in moved.iter_mut().zip(row.chunks(BITS)) {
                let bits = products.iter().enumerate();
                *word = bits.fold(0, |word, (bit, &xz)| {
                    word | usize::from(contains(set, xz)) << bit
                });
            }
        }
        // Adding x does not change whether the sum has options.
        moved[self.words - 1] = threats[self.words - 1];
        moved
    }

    /// Returns the index of a view in the table. If the view is new, it is stored.
    fn number(&mut self, element: u32, set: &[usize]) -> u32 {
        let count = self.len();
        let (elements, sets, words) = (&self.elements, &self.sets, self.words);
        let at = |number: u32| &sets[number as usize * words..][..words];
        self.index.make_room(count, count + 1, &|number| {
            hash(&(elements[number as usize], at(number)))
        });
        let found = self
            .index
            .number(hash(&(element, set)), count as u32, |number| {
                elements[number as usize] == element && at(number) == set
            });
        if found as usize == count {
            self.elements.push(element);
            self.sets.extend_from_slice(set);
        }
        found
    }
}

/// Returns whether a set contains the element x.
fn contains(set: &[usize], x: u32) -> bool {
    set[x as usize / BITS] >> (x as usize % BITS) & 1 != 0
}
