//! The structure of a finite commutative monoid: generators, relations, idempotents, the kernel,
//! and its name in the literature.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::monoid::Monoid;

/// Generators of a monoid, relations between them, and each element as a product of generators.
///
/// Products are ordered by their number of factors, and then lexicographically in the order of the
/// generators. Each relation equates a product on its left side with the least product of the same
/// element. The left side is not the least product of its element. But each proper factor of the
/// left side is the least product of the element of this factor. The relations are the reduced
/// Gröbner basis of the monoid in this order, so together with the generators they define the
/// monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The element of each generator.
    pub generators: Vec<u32>,
    /// For each element, the exponents of the generators in the least product that is equal to it.
    pub words: Vec<Vec<u32>>,
    /// For each relation, the exponents of the generators on the left and on the right side.
    pub relations: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Presentation {
    /// Returns the presentation of a monoid. The generators are those of `elements` that are not
    /// products of earlier elements of this list.
    ///
    /// # Examples
    /// ```
    /// use grundy_misere::quotient::{Monoid, Presentation};
    /// // <a,b | a^2 = 1, b^3 = b>. Element 2j + i is a^i b^j, and a and b^2 are losing.
    /// let product = |x: u32, y: u32| 2 * [0, 1, 2, 1, 2][(x / 2 + y / 2) as usize] + (x ^ y) % 2;
    /// let products = (0..36).map(|at| product(at / 6, at % 6)).collect();
    /// let monoid = Monoid::new(6, products, [1, 4].into_iter().collect());
    /// let presentation = Presentation::of(&monoid, [1, 2]);
    /// assert_eq!(presentation.to_string(), "<a,b | a^2 = 1, b^3 = b>");
    /// ```
    ///
    /// # Complexity
    /// One product is computed for each pair of an element and a generator. Each product is tested
    /// for divisibility by the left side of each relation.
    #[must_use]
    pub fn of(monoid: &Monoid, elements: impl IntoIterator<Item = u32>) -> Self {
        let mut generators: Vec<u32> = Vec::new();
        let mut reached = FixedBitSet::with_capacity(monoid.order());
        reached.insert(0);
        for element in elements {
            if !reached.contains(element as usize) {
                generators.push(element);
                reached = submonoid(monoid, &generators);
            }
        }
        let mut words: Vec<Option<Vec<u32>>> = vec![None; monoid.order()];
        words[0] = Some(vec![0; generators.len()]);
        let mut relations: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        let mut level = vec![(vec![0; generators.len()], 0u32)];
        while !level.is_empty() {
            // The products with one more factor, in ascending order. The new factor is the last
            // letter of the product or a later letter, so that each product occurs once.
            let mut longer: Vec<(Vec<u32>, u32)> = Vec::new();
            for (word, element) in &level {
                let last = word.iter().rposition(|&exponent| exponent > 0).unwrap_or(0);
                for (letter, &generator) in generators.iter().enumerate().skip(last) {
                    let mut word = word.clone();
                    word[letter] += 1;
                    longer.push((word, monoid.times(*element, generator)));
                }
            }
            longer.sort_by(|(a, _), (b, _)| b.cmp(a));
            level = Vec::new();
            for (word, element) in longer {
                let divides =
                    |(left, _): &(Vec<u32>, Vec<u32>)| left.iter().zip(&word).all(|(a, b)| a <= b);
                // If a factor of a product is the left side of a relation, then the relation of the
                // product follows from it.
                if relations.iter().any(divides) {
                    continue;
                }
                // Products are visited in ascending order. So if the element is known, it has a
                // smaller product.
                if let Some(least) = &words[element as usize] {
                    relations.push((word, least.clone()));
                } else {
                    words[element as usize] = Some(word.clone());
                    level.push((word, element));
                }
            }
        }
        let words = words.into_iter();
        Self {
            generators,
            words: words
                .map(|word| word.expect("the generators generate"))
                .collect(),
            relations,
        }
    }

    /// Returns the name of the generator with this index: a, b, ..., z, a1, b1, and so on.
    ///
    /// ```
    /// use grundy_misere::quotient::Presentation;
    /// assert_eq!([0, 25, 26].map(Presentation::letter), ["a", "z", "a1"]);
    /// ```
    #[must_use]
    pub fn letter(number: usize) -> String {
        let letter = char::from(b'a' + (number % 26) as u8);
        match number / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }

    /// Returns an element as a product of generators, such as `1`, `a` or `ab^2`.
    ///
    /// ```
    /// use grundy_misere::quotient::{Monoid, Presentation};
    /// // <a,b | a^2 = 1, b^3 = b>. Element 2j + i is a^i b^j, and a and b^2 are losing.
    /// let product = |x: u32, y: u32| 2 * [0, 1, 2, 1, 2][(x / 2 + y / 2) as usize] + (x ^ y) % 2;
    /// let products = (0..36).map(|at| product(at / 6, at % 6)).collect();
    /// let monoid = Monoid::new(6, products, [1, 4].into_iter().collect());
    /// let presentation = Presentation::of(&monoid, [1, 2]);
    /// assert_eq!([0, 3, 4].map(|element| presentation.name(element)), ["1", "ab", "b^2"]);
    /// ```
    #[must_use]
    pub fn name(&self, element: u32) -> String {
        product(&self.words[element as usize])
    }
}

/// Writes the presentation, for example as `<a,b | a^2 = 1, b^3 = b>`.
impl std::fmt::Display for Presentation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letters: Vec<String> = (0..self.generators.len()).map(Self::letter).collect();
        let relations = self.relations.iter();
        let relations: Vec<String> = relations
            .map(|(left, right)| format!("{} = {}", product(left), product(right)))
            .collect();
        write!(f, "<{} | {}>", letters.join(","), relations.join(", "))
    }
}

/// Returns the text of a product of generators, given its exponents.
fn product(exponents: &[u32]) -> String {
    let factors = exponents
        .iter()
        .enumerate()
        .filter(|&(_, &exponent)| exponent > 0);
    let factors: String = factors
        .map(|(number, &exponent)| match exponent {
            1 => Presentation::letter(number),
            _ => format!("{}^{exponent}", Presentation::letter(number)),
        })
        .collect();
    if factors.is_empty() {
        "1".to_owned()
    } else {
        factors
    }
}

/// Returns the set of all elements that are products of the generators.
fn submonoid(monoid: &Monoid, generators: &[u32]) -> FixedBitSet {
    let mut reached = FixedBitSet::with_capacity(monoid.order());
    reached.insert(0);
    let mut pending = vec![0];
    while let Some(element) = pending.pop() {
        for &generator in generators {
            let product = monoid.times(element, generator);
            if !reached.put(product as usize) {
                pending.push(product);
            }
        }
    }
    reached
}

impl Monoid {
    /// Returns the idempotents: the elements x such that x·x = x.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // <a,b | a^2 = 1, b^3 = b>. Element 2j + i is a^i b^j, and a and b^2 are losing.
    /// let product = |x: u32, y: u32| 2 * [0, 1, 2, 1, 2][(x / 2 + y / 2) as usize] + (x ^ y) % 2;
    /// let products = (0..36).map(|at| product(at / 6, at % 6)).collect();
    /// let monoid = Monoid::new(6, products, [1, 4].into_iter().collect());
    /// assert_eq!(monoid.idempotents(), [0, 4]);
    /// ```
    #[must_use]
    pub fn idempotents(&self) -> Vec<u32> {
        let elements = 0..self.order() as u32;
        elements.filter(|&x| self.times(x, x) == x).collect()
    }

    /// Returns the kernel: the least ideal of the monoid. It is a group, and its identity is the
    /// product of all idempotents.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // <a,b | a^2 = 1, b^3 = b>. Element 2j + i is a^i b^j, and a and b^2 are losing.
    /// let product = |x: u32, y: u32| 2 * [0, 1, 2, 1, 2][(x / 2 + y / 2) as usize] + (x ^ y) % 2;
    /// let products = (0..36).map(|at| product(at / 6, at % 6)).collect();
    /// let monoid = Monoid::new(6, products, [1, 4].into_iter().collect());
    /// // The kernel is a group with the identity b^2.
    /// assert_eq!(monoid.kernel(), [2, 3, 4, 5]);
    /// ```
    #[must_use]
    pub fn kernel(&self) -> Vec<u32> {
        // The product e of all idempotents is the least idempotent. The kernel is the ideal that e
        // generates.
        let identity = self.product(self.idempotents());
        let mut kernel = self.row(identity).to_vec();
        kernel.sort_unstable();
        kernel.dedup();
        kernel
    }

    /// Returns the archimedean components, each with its idempotent. Two elements are in the same
    /// component if some power of one is equal to some power of the other.
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // <a,b | a^2 = 1, b^3 = b>. Element 2j + i is a^i b^j, and a and b^2 are losing.
    /// let product = |x: u32, y: u32| 2 * [0, 1, 2, 1, 2][(x / 2 + y / 2) as usize] + (x ^ y) % 2;
    /// let products = (0..36).map(|at| product(at / 6, at % 6)).collect();
    /// let monoid = Monoid::new(6, products, [1, 4].into_iter().collect());
    /// // The powers of a contain 1, and those of the other elements contain b^2.
    /// assert_eq!(monoid.components(), [(0, vec![0, 1]), (4, vec![2, 3, 4, 5])]);
    /// ```
    #[must_use]
    pub fn components(&self) -> Vec<(u32, Vec<u32>)> {
        let mut components: Vec<(u32, Vec<u32>)> = (self.idempotents().into_iter())
            .map(|idempotent| (idempotent, Vec::new()))
            .collect();
        for x in 0..self.order() as u32 {
            // In a finite monoid, the powers of an element contain exactly one idempotent.
            let mut power = x;
            while self.times(power, power) != power {
                power = self.times(power, x);
            }
            let component = components.iter_mut().find(|component| component.0 == power);
            component.expect("the power is idempotent").1.push(x);
        }
        components
    }

    /// Returns the name of the monoid in the literature, or `None` if it has no known name.
    ///
    /// `T_n` is the quotient of the Nim heaps below 2^n, and so of all tame games with these
    /// nim-values. The smallest quotient of games that are not tame is `R_8`, and another one is
    /// `S_12` (T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, 2008).
    ///
    /// ```
    /// use grundy_misere::quotient::Monoid;
    /// // <a,b | a^2 = 1, b^3 = b>. Element 2j + i is a^i b^j, and a and b^2 are losing.
    /// let product = |x: u32, y: u32| 2 * [0, 1, 2, 1, 2][(x / 2 + y / 2) as usize] + (x ^ y) % 2;
    /// let products = (0..36).map(|at| product(at / 6, at % 6)).collect();
    /// let monoid = Monoid::new(6, products, [1, 4].into_iter().collect());
    /// assert_eq!(monoid.name().as_deref(), Some("T_2"));
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<String> {
        match self.order() {
            1 => (!self.is_p(0)).then(|| "T_0".to_owned()),
            8 => self.is_isomorphic(&Self::r8()).then(|| "R_8".to_owned()),
            12 => self.is_isomorphic(&Self::s12()).then(|| "S_12".to_owned()),
            order => self.is_tame().then(|| match order {
                2 => "T_1".to_owned(),
                _ => format!("T_{}", (order - 2).trailing_zeros()),
            }),
        }
    }

    /// Returns whether the monoid is isomorphic to T_n for some n > 0.
    ///
    /// T_n consists of the identity 1, a losing unit a, and a group of firm elements. The square of
    /// every firm element is the losing element e, and ae differs from e. A product of firm
    /// elements is firm, because 1 and a do not have the factor e. So the firm elements form a
    /// group isomorphic to the nimbers below 2^n, which determines the monoid. T_1 has no firm
    /// elements.
    fn is_tame(&self) -> bool {
        let losing: Vec<u32> = self.p_portion().ones().map(|x| x as u32).collect();
        if self.order() == 2 {
            return losing == [1] && self.times(1, 1) == 0;
        }
        // T_n has exactly two losing elements: a and e.
        let [one, other] = losing[..] else {
            return false;
        };
        [(one, other), (other, one)].into_iter().any(|(a, e)| {
            let mut firm = (1..self.order() as u32).filter(|&x| x != a);
            a != 0
                && e != 0
                && self.times(a, a) == 0
                && self.times(a, e) != e
                && firm.all(|x| self.times(x, e) == x && self.times(x, x) == e)
        })
    }

    /// Returns the monoid <a,b,c | a^2 = 1, b^3 = b, bc = ab, c^2 = b^2>, in which a and b^2 are
    /// losing.
    fn r8() -> Self {
        let words = [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
            [1, 1, 0],
            [0, 2, 0],
            [1, 2, 0],
            [0, 0, 1],
            [1, 0, 1],
        ];
        Self::from_words(&words, &[1, 4], |[a, b, c]| {
            if *c >= 2 {
                *c -= 2;
                *b += 2;
            } else if *b >= 1 && *c >= 1 {
                *c -= 1;
                *a += 1;
            } else if *b >= 3 {
                *b -= 2;
            } else {
                return false;
            }
            true
        })
    }

    /// Returns the monoid <a,b,c | a^2 = 1, b^4 = b^2, b^2c = b^3, c^2 = 1>, in which a, b^2 and ac
    /// are losing.
    fn s12() -> Self {
        let words = [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
            [1, 1, 0],
            [0, 2, 0],
            [1, 2, 0],
            [0, 3, 0],
            [1, 3, 0],
            [0, 0, 1],
            [1, 0, 1],
            [0, 1, 1],
            [1, 1, 1],
        ];
        Self::from_words(&words, &[1, 4, 9], |[_, b, c]| {
            if *c >= 2 {
                *c -= 2;
            } else if *b >= 2 && *c >= 1 {
                *c -= 1;
                *b += 1;
            } else if *b >= 4 {
                *b -= 2;
            } else {
                return false;
            }
            true
        })
    }

    /// Returns a monoid with a^2 = 1, whose elements are the products of a, b and c with the
    /// exponents in `words`. The set `p` has the indices of the losing elements. The function
    /// `step` applies one more rule to the exponents of a product. It returns `false` if no such
    /// rule applies.
    fn from_words(words: &[[u32; 3]], p: &[usize], step: impl Fn(&mut [u32; 3]) -> bool) -> Self {
        let product = |x: &[u32; 3], y: &[u32; 3]| {
            let mut word = [x[0] + y[0], x[1] + y[1], x[2] + y[2]];
            while step(&mut word) {}
            word[0] %= 2;
            let at = words.iter().position(|other| *other == word);
            at.expect("all words are there") as u32
        };
        let products = words.iter().flat_map(|x| words.iter().map(move |y| (x, y)));
        let products = products.map(|(x, y)| product(x, y)).collect();
        Self::new(words.len(), products, p.iter().copied().collect())
    }

    /// Returns whether there is an isomorphism of the two monoids that maps losing elements to
    /// losing elements.
    fn is_isomorphic(&self, other: &Self) -> bool {
        if self.order() != other.order() {
            return false;
        }
        let generators = Presentation::of(self, 0..self.order() as u32).generators;
        // All maps of the generators to elements are tried, so there must be few generators. The
        // monoids with a name have three.
        if generators.len() > 4 {
            return false;
        }
        // The images of the generators are the digits of a counter in base `order`.
        let mut images: Vec<u32> = vec![0; generators.len()];
        loop {
            if self.is_isomorphism(other, &generators, &images) {
                return true;
            }
            let Some(at) = images
                .iter()
                .rposition(|&image| image as usize + 1 < other.order())
            else {
                return false;
            };
            images[at] += 1;
            images[at + 1..].fill(0);
        }
    }

    /// Returns whether this map of the generators extends to an isomorphism that preserves losing
    /// elements.
    fn is_isomorphism(&self, other: &Self, generators: &[u32], images: &[u32]) -> bool {
        let mut to = vec![None; self.order()];
        // The first product that gives an element determines its image. All other products must
        // agree with it.
        to[0] = Some(0);
        let mut pending = vec![0u32];
        while let Some(x) = pending.pop() {
            let at = to[x as usize].expect("only what is mapped waits");
            for (&generator, &image) in generators.iter().zip(images) {
                let (product, image) = (self.times(x, generator), other.times(at, image));
                match to[product as usize] {
                    None => {
                        to[product as usize] = Some(image);
                        pending.push(product);
                    }
                    Some(known) if known != image => return false,
                    Some(_) => {}
                }
            }
        }
        let reached: FxHashSet<u32> = to.iter().flatten().copied().collect();
        let losing = |x: usize| to[x].is_some_and(|image| other.is_p(image)) == self.is_p(x as u32);
        reached.len() == self.order() && (0..self.order()).all(losing)
    }
}
