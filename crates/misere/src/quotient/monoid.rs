//! Finite commutative monoids in which some elements are losing.

use fixedbitset::FixedBitSet;

/// A commutative monoid with the elements 0, 1, ..., of which 0 is the identity, and its P-portion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monoid {
    order: usize,
    /// The product of x and y at `x * order + y`.
    products: Vec<u32>,
    p: FixedBitSet,
}

impl Monoid {
    /// Returns the monoid with one element, which is not losing: who cannot move has won.
    #[must_use]
    pub fn trivial() -> Self {
        Self::new(1, vec![0], FixedBitSet::new())
    }

    /// Returns a monoid by its table of products, row by row, and its P-portion.
    ///
    /// # Panics
    /// Where the table has not `order` times `order` entries.
    #[must_use]
    pub fn new(order: usize, products: Vec<u32>, mut p: FixedBitSet) -> Self {
        assert_eq!(products.len(), order * order);
        p.grow(order);
        Self { order, products, p }
    }

    /// How many elements there are.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the product of two elements.
    #[must_use]
    pub fn times(&self, x: u32, y: u32) -> u32 {
        self.row(x)[y as usize]
    }

    /// Returns the product of several elements.
    #[must_use]
    pub fn product(&self, elements: impl IntoIterator<Item = u32>) -> u32 {
        elements.into_iter().fold(0, |x, y| self.times(x, y))
    }

    /// Returns all products with an element: what it does to each.
    #[must_use]
    pub fn row(&self, x: u32) -> &[u32] {
        &self.products[x as usize * self.order..][..self.order]
    }

    /// Returns the losing elements: whoever has just moved there wins.
    #[must_use]
    pub fn p_portion(&self) -> &FixedBitSet {
        &self.p
    }

    /// Returns whether an element is losing for the player to move.
    #[must_use]
    pub fn is_p(&self, x: u32) -> bool {
        self.p.contains(x as usize)
    }
}

/// A monoid with the elements of pieces: what says of sums of these who wins.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) monoid: Monoid,
    /// The elements of pieces.
    pub(super) elements: Vec<u32>,
}

impl Draft {
    pub(super) fn is_p(&self, word: &[u32]) -> bool {
        let elements = word.iter().map(|&piece| self.elements[piece as usize]);
        self.monoid.is_p(self.monoid.product(elements))
    }
}
