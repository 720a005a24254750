//! Certificates of misère quotients, and a verifier that does not use the search.
//!
//! A piece is a game of the family whose sums the quotient describes. The verifier takes only the
//! options of each piece as given, since they follow from the rules. It checks all claims of the
//! certificate. The multiplication table must be that of a commutative monoid that the elements of
//! the pieces generate. No two elements may be equivalent. A transition consists of the element of
//! a sum of pieces, and the elements of the options of this sum. In every listed transition, the
//! outcome of the sum must follow from the outcomes of its options. The list must contain exactly
//! the transitions of all sums of pieces.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use grundy_base::limits::{Limits, Stop, stopped_early};
use grundy_base::{Message, message};

use crate::quotient::Family;

/// The claims about a misère quotient that the verifier checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The rows of the multiplication table. Element 0 is the identity.
    pub products: Vec<Vec<u32>>,
    /// The losing elements, that is, the elements of the P-positions, in ascending order.
    pub p: Vec<u32>,
    /// The element that represents each piece, that is, each game of the [`Family`] whose sums the
    /// quotient describes.
    pub elements: Vec<u32>,
    /// The transitions of all sums of pieces. Each transition has the element of a sum, and the
    /// elements of the options of this sum.
    pub transitions: Vec<(u32, Vec<u32>)>,
    /// The preperiod and the period, if the elements in `elements` repeat for ever. The preperiod
    /// is an index in `elements`, counted from 0.
    pub repetition: Option<(u32, u32)>,
}

/// The reason why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CertificateError {
    /// A table has the wrong shape, or contains an element that does not exist.
    Shape,
    /// The table is not that of a commutative monoid with the identity 0.
    NoMonoid,
    /// An element is not a product of elements of pieces. The pieces are the games of the family
    /// whose sums the quotient describes.
    Unreached {
        /// The element that no sum of pieces represents.
        element: u32,
    },
    /// Two elements are equivalent: no third element distinguishes them.
    Alike {
        /// The first element.
        x: u32,
        /// The second element.
        y: u32,
    },
    /// A listed transition does not hold. It has the element of a sum and the elements of the
    /// options of this sum, but their outcomes contradict each other.
    Wrong {
        /// The element of the sum in this transition.
        element: u32,
    },
    /// The transition of some sum is not listed. It has the element of the sum, and the elements of
    /// the options of the sum.
    Missing {
        /// The element of the sum whose transition is missing.
        element: u32,
    },
    /// A listed transition is not the transition of any sum, or it is listed twice.
    NotReached,
    /// The elements of the pieces do not repeat as claimed, or too few pieces are listed to prove
    /// that their elements repeat.
    NoRepetition,
    /// A smaller preperiod or a smaller period is also correct.
    NotLeast,
    /// A limit was reached before the check was complete.
    Stopped(Stop),
}

impl CertificateError {
    /// Returns the message that explains the reason to the user.
    ///
    /// ```
    /// use grundy_misere::certificate::CertificateError;
    /// let error = CertificateError::Unreached { element: 2 };
    /// assert_eq!(error.message().to_string(), "no sum of pieces represents the element 2");
    /// ```
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Shape => {
                message!("a table has the wrong shape, or contains an element that does not exist")
            }
            Self::NoMonoid => message!("the products are not those of a commutative monoid"),
            Self::Unreached { element } => {
                message!("no sum of pieces represents the element {element}", element)
            }
            Self::Alike { x, y } => {
                message!(
                    "the elements {x} and {y} are equivalent: no element distinguishes them",
                    x,
                    y
                )
            }
            Self::Wrong { element } => message!(
                "the outcome of a sum that represents the element {element} does not follow from the outcomes of the options of the sum",
                element
            ),
            Self::Missing { element } => message!(
                "a sum that represents the element {element} has a transition (to the elements of its options) that is not listed",
                element
            ),
            Self::NotReached => {
                message!("a listed transition is not the transition of any sum, or is listed twice")
            }
            Self::NoRepetition => {
                message!(
                    "the elements of the pieces do not repeat as claimed, or too few pieces are listed to prove that they repeat"
                )
            }
            Self::NotLeast => {
                message!("the preperiod or the period is smaller than claimed")
            }
            Self::Stopped(stop) => stop.message(),
        }
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for CertificateError {}

impl From<Stop> for CertificateError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The set of the elements that represent the options of a sum, as a sorted list.
type Options = Vec<u32>;

/// Checks a certificate. `family` has the options of the pieces, that is, of the games whose sums
/// the quotient describes.
///
/// # Examples
/// ```
/// use grundy_base::{Flow, Limits};
/// use grundy_misere::certificate::{Certificate, verify_quotient};
/// use grundy_misere::quotient::{Family, VisitPieces};
/// // The only piece is *, whose only option is the empty sum.
/// struct Star;
/// impl Family for Star {
///     fn pieces(&self) -> Option<u32> { Some(1) }
///     fn options(&mut self, _: u32, visit: VisitPieces<'_>) -> Flow { visit(&[]) }
/// }
/// let mut certificate = Certificate {
///     products: vec![vec![0, 1], vec![1, 0]],
///     p: vec![1],
///     elements: vec![1],
///     transitions: vec![(0, vec![]), (0, vec![1]), (1, vec![0])],
///     repetition: None,
/// };
/// assert_eq!(verify_quotient(&certificate, &mut Star, &Limits::default()), Ok(()));
/// certificate.p = vec![0];
/// assert!(verify_quotient(&certificate, &mut Star, &Limits::default()).is_err());
/// ```
///
/// # Errors
/// The reason why the certificate is rejected.
///
/// # Complexity
/// If q is the number of elements and g of them represent pieces, the check of the monoid takes O(g
/// q^2) steps. The check of the transitions takes one operation on sets for each pair of a listed
/// transition and a distinct transition of a piece.
pub fn verify_quotient(
    certificate: &Certificate,
    family: &mut impl Family,
    limits: &Limits<'_>,
) -> Result<(), CertificateError> {
    // The shape is checked first, since the later checks index the tables without tests.
    check_shape(certificate, family)?;
    check_monoid(certificate, limits)?;
    let pieces = transitions_of_pieces(certificate, family, limits)?;
    check_transitions(certificate, &pieces, limits)?;
    match certificate.repetition {
        Some((preperiod, period)) => {
            check_repetition(certificate, family, preperiod, period, limits)
        }
        None => Ok(()),
    }
}

/// Checks the sizes of the tables and the order of the lists. Also checks that all elements exist.
fn check_shape(certificate: &Certificate, family: &impl Family) -> Result<(), CertificateError> {
    let order = certificate.products.len();
    let exist = |list: &[u32]| list.iter().all(|&x| (x as usize) < order);
    let rows = certificate.products.iter();
    let valid = order > 0
        && rows.clone().all(|row| row.len() == order && exist(row))
        && exist(&certificate.p)
        && certificate.p.is_sorted_by(|a, b| a < b)
        && exist(&certificate.elements)
        && family
            .pieces()
            .is_none_or(|pieces| pieces as usize == certificate.elements.len())
        && (certificate.transitions.iter()).all(|(x, options)| {
            (*x as usize) < order && exist(options) && options.is_sorted_by(|a, b| a < b)
        });
    if valid {
        Ok(())
    } else {
        Err(CertificateError::Shape)
    }
}

/// Checks that the table is that of a commutative monoid generated by the elements of the pieces.
/// Also checks that no two elements are equivalent.
fn check_monoid(certificate: &Certificate, limits: &Limits<'_>) -> Result<(), CertificateError> {
    let products = &certificate.products;
    let order = products.len();
    let times = |x: u32, y: u32| products[x as usize][y as usize];
    let elements = || 0..order as u32;
    if elements().any(|x| times(0, x) != x) {
        return Err(CertificateError::NoMonoid);
    }
    let generators: HashSet<u32> = certificate.elements.iter().copied().collect();
    for x in elements() {
        limits.poll()?;
        if elements().any(|y| times(x, y) != times(y, x)) {
            return Err(CertificateError::NoMonoid);
        }
        // By Light's test, associativity needs to be checked only for products whose middle factor
        // is a generator.
        for &middle in &generators {
            let after = times(x, middle);
            if elements().any(|y| times(after, y) != times(x, times(middle, y))) {
                return Err(CertificateError::NoMonoid);
            }
        }
    }
    let mut reached = vec![false; order];
    reached[0] = true;
    let mut pending = vec![0];
    while let Some(x) = pending.pop() {
        for &generator in &generators {
            let product = times(x, generator);
            if !std::mem::replace(&mut reached[product as usize], true) {
                pending.push(product);
            }
        }
    }
    if let Some(element) = reached.iter().position(|reached| !reached) {
        let element = element as u32;
        return Err(CertificateError::Unreached { element });
    }
    let losing: HashSet<u32> = certificate.p.iter().copied().collect();
    // Two elements are equivalent if their rows have losing products at the same places.
    let mut seen: HashMap<Vec<bool>, u32> = HashMap::new();
    for y in elements() {
        limits.poll()?;
        let row = products[y as usize]
            .iter()
            .map(|product| losing.contains(product));
        if let Some(x) = seen.insert(row.collect(), y) {
            return Err(CertificateError::Alike { x, y });
        }
    }
    Ok(())
}

/// Returns the transition of each piece: the element of the piece, and the elements of its options.
/// Equal transitions are returned once. They are computed from the rules and the claimed elements.
fn transitions_of_pieces(
    certificate: &Certificate,
    family: &mut impl Family,
    limits: &Limits<'_>,
) -> Result<Vec<(u32, Options)>, CertificateError> {
    let mut all = HashSet::new();
    for (piece, &element) in (0u32..).zip(&certificate.elements) {
        limits.poll()?;
        let mut options = HashSet::new();
        let mut later = false;
        stopped_early(family.options(piece, &mut |left| {
            let mut product = 0u32;
            for &other in left {
                // The options of a piece must be earlier pieces, for the induction on sums. This
                // test also covers numbers out of range. So an accepted certificate never uses the
                // default element below.
                later |= other >= piece;
                let other = certificate
                    .elements
                    .get(other as usize)
                    .copied()
                    .unwrap_or(0);
                product = certificate.products[product as usize][other as usize];
            }
            options.insert(product);
            ControlFlow::Continue(())
        }))?;
        if later {
            return Err(CertificateError::Shape);
        }
        let mut options: Options = options.into_iter().collect();
        options.sort_unstable();
        all.insert((element, options));
    }
    let mut all: Vec<(u32, Options)> = all.into_iter().collect();
    all.sort_unstable();
    Ok(all)
}

/// Checks that in every listed transition, the outcome of the element agrees with the outcomes of
/// the options. Also checks that the list contains exactly the transitions of all sums, each once.
fn check_transitions(
    certificate: &Certificate,
    pieces: &[(u32, Options)],
    limits: &Limits<'_>,
) -> Result<(), CertificateError> {
    let products = &certificate.products;
    let losing: HashSet<u32> = certificate.p.iter().copied().collect();
    // The `bool` records whether some sum that has been found has this transition.
    let mut listed: HashMap<(u32, Options), bool> = HashMap::new();
    for (element, options) in &certificate.transitions {
        let lost = !options.is_empty() && options.iter().all(|option| !losing.contains(option));
        if lost != losing.contains(element) {
            return Err(CertificateError::Wrong { element: *element });
        }
        if listed.insert((*element, options.clone()), false).is_some() {
            return Err(CertificateError::NotReached);
        }
    }
    let mut pending: Vec<(u32, Options)> = vec![(0, Vec::new())];
    let missing = |element: u32| CertificateError::Missing { element };
    *listed.get_mut(&(0, Vec::new())).ok_or(missing(0))? = true;
    while let Some((element, options)) = pending.pop() {
        limits.poll()?;
        for (other, of_other) in pieces {
            let after = products[element as usize][*other as usize];
            let shifted = options
                .iter()
                .map(|&x| products[x as usize][*other as usize]);
            let shifted_other = of_other
                .iter()
                .map(|&x| products[x as usize][element as usize]);
            let mut both: Options = shifted.chain(shifted_other).collect();
            both.sort_unstable();
            both.dedup();
            let transition = (after, both);
            let seen = listed.get_mut(&transition).ok_or(missing(after))?;
            if !std::mem::replace(seen, true) {
                pending.push(transition);
            }
        }
    }
    if listed.values().all(|&seen| seen) {
        Ok(())
    } else {
        Err(CertificateError::NotReached)
    }
}

/// Checks that the elements of the pieces repeat as claimed, and that a theorem proves the
/// repetition. Also checks that the preperiod and the period are the least possible.
fn check_repetition(
    certificate: &Certificate,
    family: &impl Family,
    preperiod: u32,
    period: u32,
    limits: &Limits<'_>,
) -> Result<(), CertificateError> {
    let elements = &certificate.elements;
    let from = |start: usize, period: usize| {
        let later = elements.iter().skip(start.saturating_add(period));
        elements.iter().skip(start).zip(later).all(|(a, b)| a == b)
    };
    let round = family.pieces_per_round();
    if period == 0 || !period.is_multiple_of(round) {
        return Err(CertificateError::NoRepetition);
    }
    let proved = family
        .pieces_needed(preperiod, period)
        .is_some_and(|needed| elements.len() as u64 >= needed);
    let (start, step) = (preperiod as usize, period as usize);
    if !proved || !from(start, step) {
        return Err(CertificateError::NoRepetition);
    }
    if start > 0 && from(start - 1, step) {
        return Err(CertificateError::NotLeast);
    }
    // The periods of a sequence are the multiples of its least period. So only the divisors of the
    // claimed period are tried.
    for smaller in (1..step).filter(|smaller| step.is_multiple_of(*smaller)) {
        limits.poll()?;
        if smaller.is_multiple_of(round as usize) && from(start, smaller) {
            return Err(CertificateError::NotLeast);
        }
    }
    Ok(())
}
