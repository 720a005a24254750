//! Random sums of one to three terms.

use super::brute::Table;
use super::kinds::{KINDS, Kind, LOOPY_OR_PARTIZAN};
use super::random::Random;
use super::rules::{LEFT, RIGHT, Term};

/// A sum of games, the play convention (normal or misère), and the player to move if that is fixed.
pub(crate) struct Sum {
    pub(crate) terms: Vec<Term>,
    /// The enumerated positions of each term.
    pub(crate) tables: Vec<Table>,
    pub(crate) file: Option<&'static str>,
    pub(crate) misere: bool,
    /// The player to move, if the text of the position says whose turn it is. `None` if either
    /// player may begin.
    pub(crate) to_move: Option<usize>,
    has_northcott: bool,
}

/// Returns the number of sums to test, from `GRUNDY_SUMS` or by default 4000.
pub(crate) fn wanted() -> usize {
    let wanted = std::env::var("GRUNDY_SUMS").ok();
    wanted.map_or(4_000, |text| text.parse().expect("GRUNDY_SUMS is a number"))
}

/// Maximum number of positions of a term.
const TERM: usize = 2_000;

impl Sum {
    /// Creates a sum with one random term for each kind of game in `kinds`. Returns `None` if the
    /// sum has more than `most` positions, or if some term has more than `TERM`. Also returns
    /// `None` if the kinds need different rule files.
    pub(crate) fn new(random: &mut Random, kinds: &[&Kind], most: usize) -> Option<Self> {
        let mut files: Vec<&str> = kinds.iter().filter_map(|kind| kind.file).collect();
        files.dedup();
        // A position is read together with a single rule file.
        if files.len() > 1 {
            return None;
        }
        // Take the larger of two random sizes, so that larger positions are more frequent.
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
        if has_northcott && !sum.is_partizan() {
            sum.to_move = Some(*random.pick(&[LEFT, RIGHT]));
            // The library does not solve sums of Northcott's game with impartial games in misère
            // play.
            sum.misere &= kinds.len() == 1;
        }
        Some(sum)
    }

    /// Returns whether the sum is partizan, so that either player may begin.
    pub(crate) fn is_partizan(&self) -> bool {
        self.terms.iter().any(|term| term.rules.is_partizan())
    }

    /// Returns whether the sum contains Northcott's game together with a partizan game.
    pub(crate) fn has_partizan_northcott(&self) -> bool {
        self.has_northcott && self.is_partizan()
    }

    /// Returns the starting position of the sum as text. The notation of a term need not be the
    /// canonical one.
    pub(crate) fn source(&self) -> String {
        let write = |term: &Term| term.rules.source(&term.start, self.to_move);
        let terms: Vec<String> = self.terms.iter().map(write).collect();
        terms.join(" + ")
    }

    /// Returns the sum that results if a move changes the term with index `component` to `to`, as
    /// text in the notation.
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

/// Maximum number of attempts to generate a sum of given kinds.
const TRIES: usize = 60;

fn chosen(
    random: &mut Random,
    kinds: &[&Kind],
    most: usize,
    keep: impl Fn(&Sum) -> bool,
) -> Option<Sum> {
    (0..TRIES).find_map(|_| Sum::new(random, kinds, most).filter(&keep))
}

/// Returns all unordered pairs of games of the library.
pub(crate) fn pairs() -> impl Iterator<Item = [&'static Kind; 2]> {
    let firsts = KINDS.iter().enumerate();
    firsts.flat_map(|(index, first)| KINDS[..=index].iter().map(move |second| [first, second]))
}

/// Generates one random sum for each pair of kinds of games, with its two terms in random order.
/// Returns the sums, and the pairs for which no suitable sum was found.
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

/// Generates `count` random sums of one to three games. In a third of the attempts, all games come
/// from the last [`LOOPY_OR_PARTIZAN`] entries of `kinds`, which are loopy or partizan.
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
        // Outcomes with draws are rare except in loopy games, so prefer those.
        let least = *random.pick(&[0, 0, kinds.len() - LOOPY_OR_PARTIZAN]);
        let terms: Vec<&Kind> = (0..terms).map(|_| random.pick(&kinds[least..])).collect();
        sums.extend(Sum::new(random, &terms, most).filter(&keep));
    }
    sums
}
