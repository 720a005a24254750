//! Finite commutative monoids given by what pieces do to their elements.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::Word;
use super::monoid::Monoid;

/// After so many states it is asked whether to go on.
const POLLED: usize = 1024;

/// States of sums, of which 0 is that of the empty one, and what pieces do to them. All states are
/// reached.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) size: usize,
    /// Where each state goes: a column for each thing that pieces do.
    pub(super) columns: Vec<Vec<u32>>,
    /// The pieces, as far as they differ.
    pub(super) letters: Vec<Letter>,
    /// The states of losing sums.
    pub(super) p: FixedBitSet,
}

/// A piece.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) column: u32,
    /// The states of its options.
    pub(super) options: Vec<u32>,
    /// Its longest play.
    pub(super) length: u64,
}

/// The sums of shortest longest play, one in every state, as a tree.
#[derive(Debug)]
pub(super) struct Shortest {
    /// The states by that length.
    pub(super) order: Vec<u32>,
    /// The state without the last piece, and that piece among the letters.
    pub(super) from: Vec<(u32, u32)>,
}

impl Action {
    /// What the elements of a monoid do, with pieces of which the elements and longest plays are
    /// known, but not the options.
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

    /// Where a letter takes a state.
    fn after(&self, state: u32, letter: u32) -> u32 {
        self.columns[self.letters[letter as usize].column as usize][state as usize]
    }

    /// Returns the shortest sums.
    ///
    /// # Complexity
    /// That of shortest ways in a graph with an edge for every state and letter.
    pub(super) fn shortest(&self) -> Shortest {
        let mut from = vec![(0, 0); self.size];
        let mut best = vec![u64::MAX; self.size];
        let mut settled = FixedBitSet::with_capacity(self.size);
        let mut order = Vec::with_capacity(self.size);
        let mut waiting = BinaryHeap::from([Reverse((0u64, 0u32))]);
        best[0] = 0;
        while let Some(Reverse((length, state))) = waiting.pop() {
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
                    waiting.push(Reverse((length, next as u32)));
                }
            }
        }
        Shortest { order, from }
    }

    /// Returns the shortest sum in each state, as letters in order.
    pub(super) fn words(&self) -> Vec<Word> {
        let shortest = self.shortest();
        let mut words = vec![Word::new(); self.size];
        for &state in &shortest.order[1..] {
            let (before, letter) = shortest.from[state as usize];
            let mut word = words[before as usize].clone();
            word.push(letter);
            word.sort_unstable();
            words[state as usize] = word;
        }
        words
    }

    /// Where the shortest sum in state `by` takes a state.
    fn times(&self, state: u32, by: u32, shortest: &Shortest) -> u32 {
        let (mut state, mut by) = (state, by);
        while by != 0 {
            let (before, letter) = shortest.from[by as usize];
            state = self.after(state, letter);
            by = before;
        }
        state
    }

    /// Where the shortest sum in state `by` takes every state.
    pub(super) fn acted(&self, by: u32, shortest: &Shortest) -> Vec<u32> {
        (0..self.size as u32)
            .map(|state| self.times(state, by, shortest))
            .collect()
    }

    /// Returns the states of the options of the shortest sum in each state.
    pub(super) fn options(
        &self,
        shortest: &Shortest,
        limits: &Limits<'_>,
    ) -> Result<Vec<FixedBitSet>, Stop> {
        limits.check(self.size as u64, self.size as u64 / 8 + 24)?;
        let mut options = vec![FixedBitSet::with_capacity(self.size); self.size];
        for (done, &state) in shortest.order.iter().enumerate().skip(1) {
            if done % POLLED == 0 {
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

    /// Returns the monoid in which those states are one that no sum tells apart, and the element of
    /// each state.
    ///
    /// # Complexity
    /// A signature for each state and column, as often as classes are divided.
    pub(super) fn reduced(&self, limits: &Limits<'_>) -> Result<(Monoid, Vec<u32>), Stop> {
        let colours = (0..self.size).map(|state| u32::from(self.p.contains(state)));
        self.reduced_by(colours.collect(), limits)
    }

    /// Returns the same where states have colours, those of losing states being others than those
    /// of winning ones: what no sum brings to different colours is one.
    pub(super) fn reduced_by(
        &self,
        colours: Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(Monoid, Vec<u32>), Stop> {
        let mut class = colours;
        let mut classes = 0;
        loop {
            let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let finer = (0..self.size).map(|state| {
                if state % POLLED == 0 {
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
        // Classes are numbered in the order of their first states, so that of the empty sum is 0.
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

    /// Returns the monoid of the states, numbered by the lengths of their shortest sums, and the
    /// number of each.
    fn monoid(&self) -> (Monoid, Vec<u32>) {
        let shortest = self.shortest();
        let (order, size) = (&shortest.order, self.size);
        let mut number = vec![0; size];
        for (element, &state) in (0u32..).zip(order) {
            number[state as usize] = element;
        }
        // The row of an element follows from that of the sum without its last piece.
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
