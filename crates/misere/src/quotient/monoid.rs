//! Finite commutative monoids with a set of losing elements.

use fixedbitset::FixedBitSet;

/// A finite commutative monoid with the set of its losing elements, the P-portion. The elements are
/// 0, 1, ..., and 0 is the identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monoid {
    order: usize,
    /// The multiplication table. The product of x and y is at index `x * order + y`.
    products: Vec<u32>,
    p: FixedBitSet,
}

impl Monoid {
    /// Returns the monoid with one element. This element is not losing, since a player without a
    /// move wins in misère play.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// let monoid = Monoid::trivial();
    /// assert_eq!(monoid.order(), 1);
    /// assert!(!monoid.is_p(0));
    /// ```
    #[must_use]
    pub fn trivial() -> Self {
        Self::new(1, vec![0], FixedBitSet::new())
    }

    /// Returns the monoid with this multiplication table, given row by row, and with the losing
    /// elements `p`.
    ///
    /// # Examples
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// assert_eq!(monoid.times(1, 1), 0);
    /// assert_eq!(monoid.name().as_deref(), Some("T_1"));
    /// ```
    ///
    /// # Panics
    /// If the table does not have `order` times `order` entries.
    #[must_use]
    pub fn new(order: usize, products: Vec<u32>, mut p: FixedBitSet) -> Self {
        assert_eq!(products.len(), order * order);
        p.grow(order);
        Self { order, products, p }
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// assert_eq!(monoid.order(), 2);
    /// ```
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the product of two elements.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// assert_eq!(monoid.times(0, 1), 1);
    /// assert_eq!(monoid.times(1, 1), 0);
    /// ```
    #[must_use]
    pub fn times(&self, x: u32, y: u32) -> u32 {
        self.row(x)[y as usize]
    }

    /// Returns the product of several elements.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// assert_eq!(monoid.product([1, 1, 1]), 1);
    /// assert_eq!(monoid.product([]), 0);
    /// ```
    #[must_use]
    pub fn product(&self, elements: impl IntoIterator<Item = u32>) -> u32 {
        elements.into_iter().fold(0, |x, y| self.times(x, y))
    }

    /// Returns the products of x with all elements, in the order of the elements.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// assert_eq!(monoid.row(1), [1, 0]);
    /// ```
    #[must_use]
    pub fn row(&self, x: u32) -> &[u32] {
        &self.products[x as usize * self.order..][..self.order]
    }

    /// Returns the set of losing elements, which are the classes of the P-positions.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// assert!(monoid.p_portion().ones().eq([1]));
    /// ```
    #[must_use]
    pub fn p_portion(&self) -> &FixedBitSet {
        &self.p
    }

    /// Returns whether an element is losing for the player to move.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // The quotient of the heap *: a group with the losing element 1.
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// // An odd number of heaps * is losing.
    /// assert!(monoid.is_p(monoid.product([1; 3])));
    /// assert!(!monoid.is_p(monoid.product([1; 4])));
    /// ```
    #[must_use]
    pub fn is_p(&self, x: u32) -> bool {
        self.p.contains(x as usize)
    }
}

/// A monoid and the element of each piece. Together they claim an outcome for each sum of pieces.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) monoid: Monoid,
    /// The element of each piece.
    pub(super) elements: Vec<u32>,
}

impl Draft {
    /// Returns whether the sum is losing, according to the draft.
    pub(super) fn is_p(&self, word: &[u32]) -> bool {
        let elements = word.iter().map(|&piece| self.elements[piece as usize]);
        self.monoid.is_p(self.monoid.product(elements))
    }
}
