//! Tables for Chomp: Grundy values and P-positions of all Young diagrams up to a given one.
//!
//! The borders of the diagrams are words (`young_diagram.rs`). In the list of all words with a
//! fixed number of 1s in increasing order, every option precedes its diagram.
//!
//! P-positions need less work than values: a diagram is P if and only if no bite leads to a
//! P-position. The words are visited in increasing order. If a word is not marked, it is P, and all
//! diagrams from which a bite leads to it are marked.

mod ranked;

use rustc_hash::FxHashMap;

use self::ranked::Ranked;
use super::young_diagram::{Places, STEPS, before_bites, binomial, empty, following, word_of};
use grundy_base::limits::{Limits, Stop};
use grundy_engine::rules::ValueTable;
use grundy_engine::work::Work;

/// Number of diagrams that count as one position when the limits are checked.
const DIAGRAMS: u64 = 16;

/// Maximal number of diagrams for which plain search is preferred to a sieve.
const FEW: u64 = 1 << 14;

/// Approximate number of options between two checks of the limits.
const PATIENCE: u64 = 1 << 20;

/// Tables of values and of P-positions of diagrams.
#[derive(Debug, Default)]
pub(super) struct Diagrams {
    /// For each number of rows, the table of values.
    values: FxHashMap<u32, Ranked>,
    /// For each number of rows and of columns, the sieve of P-positions.
    sieves: FxHashMap<(u32, u32), Sieve>,
    /// The numbers of rows and columns of the largest diagram requested.
    asked: Option<(u32, u32)>,
    work: Work,
}

/// A diagram, given by its border word.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// The border word: a 1 for each row, starting with the shortest row. The number of 0s before a
    /// 1 is the length of its row.
    word: u64,
    rows: u32,
    columns: u32,
}

/// The P-positions among the diagrams within a rectangle.
#[derive(Debug)]
struct Sieve {
    places: Places,
    /// Bit n is set if a bite leads from the n-th diagram to a P-position.
    marked: Vec<u64>,
    /// The rank of the first diagram that has not been visited.
    done: u64,
    /// The word of the first diagram that has not been visited.
    next: u64,
}

impl Border {
    /// Creates the border of a diagram, transposed if it has more rows than columns.
    ///
    /// Returns `None` if the diagram is too large.
    fn new(lengths: &[u64]) -> Option<Self> {
        let (rows, columns) = (lengths.len() as u64, *lengths.first()?);
        if rows.checked_add(columns)? > STEPS.into() {
            return None;
        }
        let turned: Vec<u64>;
        let lengths = if rows > columns {
            let height = |column: u64| lengths.iter().filter(|&&row| row > column).count() as u64;
            turned = (0..columns).map(height).collect();
            &turned
        } else {
            lengths
        };
        Some(Self {
            word: word_of(lengths.iter().copied()),
            rows: lengths.len() as u32,
            columns: lengths[0] as u32,
        })
    }

    /// Returns whether a table of values is worthwhile. The diagram must have fewer than 256
    /// squares and contain at least an eighth of the diagrams in its rectangle.
    fn is_dense(&self) -> bool {
        let Self { rows, columns, .. } = *self;
        let place = binomial((rows + columns).into(), rows.into());
        // The table has an entry for every word up to the diagram, so this bounds the wasted
        // entries. Values below 256 fit a byte.
        rows * columns < 256 && place / 8 <= self.within()
    }

    /// Returns whether the diagram fits into a rectangle, given by its numbers of rows and columns.
    fn fits(&self, (rows, columns): (u32, u32)) -> bool {
        self.rows <= rows && self.columns <= columns
    }

    /// Returns the same diagram padded with empty rows.
    fn with_rows(self, rows: u32) -> Self {
        let more = rows - self.rows;
        Self {
            word: self.word << more | empty(more),
            rows,
            ..self
        }
    }

    /// Returns the number of nonempty diagrams that this diagram contains.
    fn within(&self) -> u64 {
        // `ways[c]` counts the choices of the lengths of the rows so far, of which the last has c
        // squares. The shortest row comes first.
        let mut ways = vec![0u64; self.columns as usize + 1];
        ways[0] = 1;
        let (mut rest, mut length) = (self.word, 0);
        for _ in 0..self.rows {
            let zeros = rest.trailing_zeros();
            rest >>= zeros + 1;
            length += zeros as usize;
            // A row is at least as long as the shorter rows before it, hence the prefix sum. It is
            // at most as long as in the diagram.
            let mut sum = 0;
            for (column, ways) in ways.iter_mut().enumerate() {
                sum += *ways;
                *ways = if column <= length { sum } else { 0 };
            }
        }
        ways.iter().sum::<u64>() - 1
    }
}

/// Returns the lesser of a word and the word of its transpose. Returns the word itself if the
/// transpose has a different number of rows.
///
/// In a square the lesser image comes first in the order of words, so it has been visited already.
fn least_image(word: u64, rows: u32) -> u64 {
    if word >> (2 * rows) != 0 {
        return word;
    }
    // Transposing reverses the path and exchanges its 0s and 1s.
    word.min(!word.reverse_bits() >> (u64::BITS - 2 * rows))
}

impl Sieve {
    /// Creates the sieve of a rectangle. The diagram without squares counts as visited.
    fn new(rows: u32, columns: u32) -> Self {
        let all = binomial((rows + columns).into(), rows.into());
        Self {
            places: Places::new(rows, rows + columns),
            marked: vec![0; (all as usize).div_ceil(64)],
            done: 1,
            next: following(empty(rows)),
        }
    }

    /// Returns whether a diagram is a P-position. Extends the sieve to this diagram first.
    fn is_p(&mut self, border: Border, columns: u32, limits: &Limits<'_>) -> Result<bool, Stop> {
        let Border { word, rows, .. } = border;
        let word = least_image(word, rows);
        let place = self.places.of(word);
        while self.done <= place {
            if self.done.is_multiple_of(PATIENCE) {
                limits.poll()?;
            }
            let least = least_image(self.next, rows);
            // In a square rectangle, the diagrams with a move to the transpose are the transposes
            // of those with a move to the word. They have the same least images, so they are
            // already marked.
            let mirrored = least < self.next && rows == columns;
            if !mirrored && self.is_open(self.places.of(least)) {
                self.mark_before(self.next, rows, columns);
            }
            self.done += 1;
            self.next = following(self.next);
        }
        Ok(self.is_open(place))
    }

    /// Returns whether the diagram with this rank is unmarked. The diagram must be its least image.
    fn is_open(&self, place: u64) -> bool {
        self.marked[place as usize / 64] >> (place % 64) & 1 == 0
    }

    /// Marks the least images of all diagrams in the rectangle from which a bite leads to a
    /// P-position.
    ///
    /// An image that precedes the word is already marked, due to the transpose of the P-position.
    fn mark_before(&mut self, word: u64, rows: u32, columns: u32) {
        before_bites(word, rows, columns, &mut |before| {
            let place = self.places.of(least_image(before, rows));
            self.marked[place as usize / 64] |= 1 << (place % 64);
        });
    }
}

impl ValueTable<Vec<u64>> for Diagrams {
    /// Returns the value of a diagram, given by the lengths of its rows. Returns `None` if plain
    /// search is cheaper.
    ///
    /// # Complexity
    /// Visits every bite of every diagram with the same number of rows that precedes this one. An r
    /// by c rectangle has C(r + c, r) diagrams, and each takes one byte.
    ///
    /// # Errors
    /// A limit that was exceeded.
    fn grundy(&mut self, lengths: &Vec<u64>, limits: &Limits<'_>) -> Result<Option<u64>, Stop> {
        let Some(border) = Border::new(lengths) else {
            return Ok(None);
        };
        if let Some(value) = self.known(border) {
            self.work.hits += 1;
            return Ok(Some(value.into()));
        }
        if !border.is_dense() {
            return Ok(None);
        }
        self.ask(border);
        let ranked = self.values.entry(border.rows);
        let ranked = ranked.or_insert_with(|| Ranked::new(border.rows));
        let before = ranked.len();
        let value = ranked.value(border, limits);
        self.work.count(ranked.len() - before);
        value.map(Some)
    }

    /// Returns whether a diagram is a P-position, or `None` if plain search is cheaper.
    ///
    /// # Complexity
    /// Makes one mark for every bite that leads to a P-position preceding this diagram. An r by c
    /// rectangle takes C(r + c, r) bits.
    ///
    /// # Errors
    /// A limit that was exceeded.
    fn is_p(&mut self, lengths: &Vec<u64>, limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        let Some(border) = Border::new(lengths) else {
            return Ok(None);
        };
        if let Some(value) = self.known(border) {
            self.work.hits += 1;
            return Ok(Some(value == 0));
        }
        let dense = border.is_dense();
        if dense {
            self.ask(border);
        }
        // A sieve is reused if the diagram fits it. Otherwise the sieve is created for the largest
        // rectangle requested so far, since the bites of that rectangle are requested next.
        let there = self.sieves.keys().copied();
        let there = there.filter(|&size| border.fits(size)).min();
        let around = there.or(self.asked.filter(|&size| border.fits(size)));
        let own = dense.then_some((border.rows, border.columns));
        let many = dense || border.within() > FEW;
        let Some((rows, columns)) = around.filter(|_| many).or(own) else {
            return Ok(None);
        };
        let all = binomial((rows + columns).into(), rows.into());
        limits.check(all.div_ceil(8), 1)?;
        let sieve = self.sieves.entry((rows, columns));
        let sieve = sieve.or_insert_with(|| Sieve::new(rows, columns));
        let before = sieve.done;
        let lost = sieve.is_p(border.with_rows(rows), columns, limits);
        self.work.count(sieve.done - before);
        lost.map(Some)
    }

    fn work(&self) -> Work {
        self.work
    }
}

impl Diagrams {
    /// Returns the value of a diagram, if a table with at least as many rows contains it.
    fn known(&self, border: Border) -> Option<u8> {
        self.values.values().find_map(|ranked| ranked.known(border))
    }

    /// Records the rectangle of a requested diagram, if it is the largest so far.
    fn ask(&mut self, border: Border) {
        let size = (border.rows, border.columns);
        if self.asked.is_none_or(|asked| size > asked) {
            self.asked = Some(size);
        }
    }
}
