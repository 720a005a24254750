//! Sums of one to three terms.

use super::brute::Table;
use super::kinds::{KINDS, Kind, LIVELY};
use super::random::Random;
use super::rules::{LEFT, RIGHT, Term};

/// A sum, and how it is played.
pub(crate) struct Sum {
    pub(crate) terms: Vec<Term>,
    /// All positions of each term.
    pub(crate) tables: Vec<Table>,
    pub(crate) file: Option<&'static str>,
    pub(crate) misere: bool,
    /// The player to move, where it has to be said.
    pub(crate) to_move: Option<usize>,
    has_northcott: bool,
}

/// How many sums of the games of the library are asked for.
pub(crate) fn wanted() -> usize {
    let wanted = std::env::var("GRUNDY_SUMS").ok();
    wanted.map_or(4_000, |text| text.parse().expect("GRUNDY_SUMS is a number"))
}

/// The most positions of one term.
const TERM: usize = 2_000;

impl Sum {
    /// Returns a sum of these kinds with at most so many positions, if chance finds one.
    fn new(random: &mut Random, kinds: &[&Kind], most: usize) -> Option<Self> {
        let mut files: Vec<&str> = kinds.iter().filter_map(|kind| kind.file).collect();
        files.dedup();
        // A position is read beside one rule file.
        if files.len() > 1 {
            return None;
        }
        let size = random.between(1, 4).max(random.between(1, 4));
        let terms: Vec<Term> = kinds.iter().map(|kind| (kind.term)(random, size)).collect();
        let tables: Option<Vec<Table>> = terms.iter().map(|term| Table::new(term, TERM)).collect();
        let tables = tables?;
        if tables.iter().map(Table::len).product::<usize>() > most {
            return None;
        }
        let has_northcott = kinds.iter().any(|kind| kind.name == "northcott");
        let mut sum = Self {
            terms,
            tables,
            file: files.first().copied(),
            misere: random.below(2) == 1,
            to_move: None,
            has_northcott,
        };
        if has_northcott && !sum.own_moves() {
            sum.to_move = Some(*random.pick(&[LEFT, RIGHT]));
            // Nothing is said about Northcott's game among impartial games in misère play.
            sum.misere &= kinds.len() == 1;
        }
        Some(sum)
    }

    /// Returns whether Left and Right have moves of their own, and either may begin.
    pub(crate) fn own_moves(&self) -> bool {
        self.terms.iter().any(|term| term.rules.own_moves())
    }

    /// Returns whether Northcott's game stands beside own moves.
    pub(crate) fn own_northcott(&self) -> bool {
        self.has_northcott && self.own_moves()
    }

    /// Returns the notation of the start.
    pub(crate) fn source(&self) -> String {
        let write = |term: &Term| term.rules.source(&term.start, self.to_move);
        let terms: Vec<String> = self.terms.iter().map(write).collect();
        terms.join(" + ")
    }

    /// Returns the notation after a move in one term.
    pub(crate) fn after(&self, component: usize, to: &[i64]) -> String {
        let next = self.to_move.map(|player| 1 - player);
        let write = |(index, term): (usize, &Term)| {
            let part = if index == component { to } else { &term.start };
            term.rules.write(part, next)
        };
        let terms: Vec<String> = self.terms.iter().enumerate().map(write).collect();
        terms.join(" + ")
    }
}

/// How often chance is asked for a sum of given kinds.
const TRIES: usize = 60;

fn chosen(
    random: &mut Random,
    kinds: &[&Kind],
    most: usize,
    keep: impl Fn(&Sum) -> bool,
) -> Option<Sum> {
    (0..TRIES).find_map(|_| Sum::new(random, kinds, most).filter(&keep))
}

/// Returns every two games of the library.
pub(crate) fn pairs() -> impl Iterator<Item = [&'static Kind; 2]> {
    let firsts = KINDS.iter().enumerate();
    firsts.flat_map(|(index, first)| KINDS[..=index].iter().map(move |second| [first, second]))
}

/// Returns one sum of every pair that can stand together, in either order; and the pairs of which
/// chance found none.
pub(crate) fn every_pair(
    random: &mut Random,
    pairs: impl Iterator<Item = [&'static Kind; 2]>,
    most: usize,
    keep: impl Fn(&Sum) -> bool,
) -> (Vec<Sum>, Vec<[&'static Kind; 2]>) {
    let (mut sums, mut missing) = (Vec::new(), Vec::new());
    for pair in pairs {
        let mut order = pair;
        if random.below(2) == 0 {
            order.swap(0, 1);
        }
        match chosen(random, &order, most, &keep) {
            Some(sum) => sums.push(sum),
            None => missing.push(pair),
        }
    }
    (sums, missing)
}

/// So many sums of one to three of these games, of which the last have loops or moves of the
/// players' own.
pub(crate) fn some_sums(
    random: &mut Random,
    kinds: &[Kind],
    count: usize,
    most: usize,
    keep: impl Fn(&Sum) -> bool,
) -> Vec<Sum> {
    let mut sums = Vec::new();
    while sums.len() < count {
        let terms = *random.pick(&[1, 1, 2, 2, 3]);
        // Draws are rare but for some kinds.
        let least = *random.pick(&[0, 0, kinds.len() - LIVELY]);
        let terms: Vec<&Kind> = (0..terms).map(|_| random.pick(&kinds[least..])).collect();
        sums.extend(Sum::new(random, &terms, most).filter(&keep));
    }
    sums
}
