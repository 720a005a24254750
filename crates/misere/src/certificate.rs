//! Certificates of quotients, and a verifier that shares no code with the search.
//!
//! The verifier is told the options of each piece by whoever knows the rules, and does everything
//! else by itself: the table of products is a commutative monoid that the pieces generate, no two
//! elements are alike, every transition listed holds, and nothing else comes of multiplying them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use grundy_base::limits::{Limits, Stop, ended};
use grundy_base::{Message, message};

use crate::quotient::Family;

/// What a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The products of each element with all, of which the first is the identity.
    pub products: Vec<Vec<u32>>,
    /// The losing elements.
    pub p: Vec<u32>,
    /// The elements of the pieces.
    pub elements: Vec<u32>,
    /// An element and the elements of the options, of every sum.
    pub transitions: Vec<(u32, Vec<u32>)>,
    /// From which piece on, counted from 0, and after how many the elements repeat for ever, if
    /// they do.
    pub repetition: Option<(u32, u32)>,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forged {
    /// A table of the wrong shape, or an element that does not exist.
    Shape,
    /// The table is not that of a commutative monoid with identity 0.
    NoMonoid,
    /// An element that is no product of those of the pieces.
    Unreached {
        /// The element.
        element: u32,
    },
    /// Two elements that no third tells apart.
    Alike {
        /// The one.
        x: u32,
        /// The other.
        y: u32,
    },
    /// A transition does not hold: the element says something else than the options.
    Wrong {
        /// The element.
        element: u32,
    },
    /// A transition that occurs is not listed.
    Missing {
        /// Its element.
        element: u32,
    },
    /// A transition is listed that does not occur, or twice.
    Superfluous,
    /// The elements do not repeat as claimed, or not so far that a theorem makes it last.
    NoRepetition,
    /// They repeat from an earlier piece on, or with a smaller period.
    NotLeast,
    /// The limits: nothing is said about the certificate.
    Stopped(Stop),
}

impl Forged {
    /// What is wrong with it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Shape => message!("a table has the wrong shape, or an element does not exist"),
            Self::NoMonoid => message!("the products are not those of a commutative monoid"),
            Self::Unreached { element } => {
                message!("no sum of pieces has element {element}", element)
            }
            Self::Alike { x, y } => {
                message!("nothing tells the elements {x} and {y} apart", x, y)
            }
            Self::Wrong { element } => message!(
                "who wins a sum of element {element} is not what follows from its options",
                element
            ),
            Self::Missing { element } => message!(
                "a transition of element {element} occurs that is not listed",
                element
            ),
            Self::Superfluous => message!("a transition is listed that does not occur, or twice"),
            Self::NoRepetition => {
                message!("the elements do not repeat so far that they do for ever")
            }
            Self::NotLeast => {
                message!("the elements repeat earlier or sooner than is claimed")
            }
            Self::Stopped(stop) => stop.message(),
        }
    }
}

impl fmt::Display for Forged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Forged {}

impl From<Stop> for Forged {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// A set of options as a list in order, each once.
type Options = Vec<u32>;

/// Checks a certificate against the options of the pieces.
///
/// # Errors
/// Why it is refused.
///
/// # Complexity
/// The square of the order for each piece that differs, and a set for each transition and such
/// piece.
pub fn verify_quotient(
    certificate: &Certificate,
    family: &mut impl Family,
    limits: &Limits<'_>,
) -> Result<(), Forged> {
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

fn check_shape(certificate: &Certificate, family: &impl Family) -> Result<(), Forged> {
    let order = certificate.products.len();
    let exist = |list: &[u32]| list.iter().all(|&x| (x as usize) < order);
    let rows = certificate.products.iter();
    let well = order > 0
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
    if well { Ok(()) } else { Err(Forged::Shape) }
}

/// A commutative monoid which the elements of the pieces generate, and in which no two elements are
/// alike.
fn check_monoid(certificate: &Certificate, limits: &Limits<'_>) -> Result<(), Forged> {
    let products = &certificate.products;
    let order = products.len();
    let times = |x: u32, y: u32| products[x as usize][y as usize];
    let elements = || 0..order as u32;
    if elements().any(|x| times(0, x) != x) {
        return Err(Forged::NoMonoid);
    }
    let generators: HashSet<u32> = certificate.elements.iter().copied().collect();
    for x in elements() {
        limits.poll()?;
        if elements().any(|y| times(x, y) != times(y, x)) {
            return Err(Forged::NoMonoid);
        }
        // Associativity need only be seen for generators in the middle (F. W. Light).
        for &middle in &generators {
            let after = times(x, middle);
            if elements().any(|y| times(after, y) != times(x, times(middle, y))) {
                return Err(Forged::NoMonoid);
            }
        }
    }
    let mut reached = vec![false; order];
    reached[0] = true;
    let mut waiting = vec![0];
    while let Some(x) = waiting.pop() {
        for &generator in &generators {
            let product = times(x, generator);
            if !std::mem::replace(&mut reached[product as usize], true) {
                waiting.push(product);
            }
        }
    }
    if let Some(element) = reached.iter().position(|reached| !reached) {
        let element = element as u32;
        return Err(Forged::Unreached { element });
    }
    let losing: HashSet<u32> = certificate.p.iter().copied().collect();
    let mut seen: HashMap<Vec<bool>, u32> = HashMap::new();
    for y in elements() {
        limits.poll()?;
        let beside = products[y as usize]
            .iter()
            .map(|product| losing.contains(product));
        if let Some(x) = seen.insert(beside.collect(), y) {
            return Err(Forged::Alike { x, y });
        }
    }
    Ok(())
}

/// What the pieces are in the monoid: the element and those of the options, as the rules have them;
/// each once.
fn transitions_of_pieces(
    certificate: &Certificate,
    family: &mut impl Family,
    limits: &Limits<'_>,
) -> Result<Vec<(u32, Options)>, Forged> {
    let mut all = HashSet::new();
    for (piece, &element) in (0u32..).zip(&certificate.elements) {
        limits.poll()?;
        let mut options = HashSet::new();
        let mut later = false;
        ended(family.options(piece, &mut |left| {
            let mut product = 0u32;
            for &other in left {
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
            return Err(Forged::Shape);
        }
        let mut options: Options = options.into_iter().collect();
        options.sort_unstable();
        all.insert((element, options));
    }
    let mut all: Vec<(u32, Options)> = all.into_iter().collect();
    all.sort_unstable();
    Ok(all)
}

/// Every listed transition holds, together they are those of all sums, and each is listed once.
fn check_transitions(
    certificate: &Certificate,
    pieces: &[(u32, Options)],
    limits: &Limits<'_>,
) -> Result<(), Forged> {
    let products = &certificate.products;
    let losing: HashSet<u32> = certificate.p.iter().copied().collect();
    let mut listed: HashMap<(u32, Options), bool> = HashMap::new();
    for (element, options) in &certificate.transitions {
        let lost = !options.is_empty() && options.iter().all(|option| !losing.contains(option));
        if lost != losing.contains(element) {
            return Err(Forged::Wrong { element: *element });
        }
        if listed.insert((*element, options.clone()), false).is_some() {
            return Err(Forged::Superfluous);
        }
    }
    let mut waiting: Vec<(u32, Options)> = vec![(0, Vec::new())];
    let missing = |element: u32| Forged::Missing { element };
    *listed.get_mut(&(0, Vec::new())).ok_or(missing(0))? = true;
    while let Some((element, options)) = waiting.pop() {
        limits.poll()?;
        for (other, of_other) in pieces {
            let after = products[element as usize][*other as usize];
            let moved = options
                .iter()
                .map(|&x| products[x as usize][*other as usize]);
            let beside = of_other
                .iter()
                .map(|&x| products[x as usize][element as usize]);
            let mut both: Options = moved.chain(beside).collect();
            both.sort_unstable();
            both.dedup();
            let transition = (after, both);
            let seen = listed.get_mut(&transition).ok_or(missing(after))?;
            if !std::mem::replace(seen, true) {
                waiting.push(transition);
            }
        }
    }
    if listed.values().all(|&seen| seen) {
        Ok(())
    } else {
        Err(Forged::Superfluous)
    }
}

fn check_repetition(
    certificate: &Certificate,
    family: &impl Family,
    preperiod: u32,
    period: u32,
    limits: &Limits<'_>,
) -> Result<(), Forged> {
    let elements = &certificate.elements;
    let from = |start: usize, period: usize| {
        let later = elements.iter().skip(start.saturating_add(period));
        elements.iter().skip(start).zip(later).all(|(a, b)| a == b)
    };
    let round = family.round();
    if period == 0 || !period.is_multiple_of(round) {
        return Err(Forged::NoRepetition);
    }
    let lasts = family
        .enough(preperiod, period)
        .is_some_and(|enough| elements.len() as u64 >= enough);
    let (start, step) = (preperiod as usize, period as usize);
    if !lasts || !from(start, step) {
        return Err(Forged::NoRepetition);
    }
    if start > 0 && from(start - 1, step) {
        return Err(Forged::NotLeast);
    }
    for smaller in (1..step).filter(|smaller| step.is_multiple_of(*smaller)) {
        limits.poll()?;
        if smaller.is_multiple_of(round as usize) && from(start, smaller) {
            return Err(Forged::NotLeast);
        }
    }
    Ok(())
}
