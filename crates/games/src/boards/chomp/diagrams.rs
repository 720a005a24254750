//! Tables for Chomp: Grundy values and P-positions of all Young diagrams up to a given one.
//!
//! The borders of the diagrams are words (`young_diagram.rs`). The words with a fixed number of 1s
//! are listed in increasing order. In this list, every bite leads to an earlier word.
//!
//! P-positions need less work than values: a diagram is P if and only if no bite leads to a
//! P-position. The words are visited in increasing order. A diagram whose word is not marked when
//! it is visited is a P-position. Then all diagrams from which a bite leads to this P-position are
//! marked.

mod block_table;

use rustc_hash::FxHashMap;

use self::block_table::BlockTable;
use super::young_diagram::{
    MAX_LENGTH, WordRanks, binomial, empty_word, predecessors, successor, word_of,
};
use grundy_base::limits::{Limits, Stop};
use grundy_engine::rules::ValueTable;
use grundy_engine::work::Work;

/// Number of diagrams that count as one position for the limit on positions.
const DIAGRAMS_PER_POSITION: u64 = 16;

/// Maximal number of diagrams inside a given diagram for which plain search is preferred to a sieve
/// of P-positions.
const MAX_SEARCHED: u64 = 1 << 14;

/// Approximate number of options between two checks of the limits.
const CHECK_INTERVAL: u64 = 1 << 20;

/// Tables of values and of P-positions of diagrams.
#[derive(Debug, Default)]
pub(super) struct Diagrams {
    /// For each number of rows, the table of values.
    values: FxHashMap<u32, BlockTable>,
    /// For each number of rows and of columns, the sieve of P-positions.
    sieves: FxHashMap<(u32, u32), Sieve>,
    /// The numbers of rows and columns of the largest diagram requested.
    largest_request: Option<(u32, u32)>,
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
    ranks: WordRanks,
    /// One bit for each diagram, by the rank of its border word. The bit is set if a bite is known
    /// to lead from the diagram to a P-position. If the transpose of a diagram is also in the
    /// rectangle, only the diagram with the lesser word is marked.
    marked: Vec<u64>,
    /// The rank of the first diagram that has not been visited, in the order of the border words.
    next_rank: u64,
    /// The border word of the first diagram that has not been visited.
    next_word: u64,
}

impl Border {
    /// Creates the border of a diagram, transposed if it has more rows than columns.
    ///
    /// Returns `None` if the diagram is too large.
    fn new(lengths: &[u64]) -> Option<Self> {
        let (rows, columns) = (lengths.len() as u64, *lengths.first()?);
        if rows.checked_add(columns)? > MAX_LENGTH.into() {
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
        let rank = binomial((rows + columns).into(), rows.into());
        // The table has an entry for every word up to the diagram, so this bounds the wasted
        // entries. Values below 256 fit a byte.
        rows * columns < 256 && rank / 8 <= self.count_contained()
    }

    /// Returns whether the diagram fits into a rectangle, given by its numbers of rows and columns.
    fn fits(&self, (rows, columns): (u32, u32)) -> bool {
        self.rows <= rows && self.columns <= columns
    }

    /// Returns the same diagram with `rows` rows, of which the added rows are empty.
    fn with_rows(self, rows: u32) -> Self {
        let more = rows - self.rows;
        Self {
            word: self.word << more | empty_word(more),
            rows,
            ..self
        }
    }

    /// Returns the number of nonempty diagrams that this diagram contains.
    fn count_contained(&self) -> u64 {
        // `ways[c]` counts the choices of the lengths of the rows so far, of which the last has c
        // squares. The shortest row comes first.
        let mut counts = vec![0u64; self.columns as usize + 1];
        counts[0] = 1;
        let (mut rest, mut length) = (self.word, 0);
        for _ in 0..self.rows {
            let zeros = rest.trailing_zeros();
            rest >>= zeros + 1;
            length += zeros as usize;
            // A row is at least as long as the shorter rows before it, hence the prefix sum. It is
            // at most as long as in the diagram.
            let mut sum = 0;
            for (column, count) in counts.iter_mut().enumerate() {
                sum += *count;
                *count = if column <= length { sum } else { 0 };
            }
        }
        counts.iter().sum::<u64>() - 1
    }
}

/// Returns the least image of a diagram: the lesser of its word and the word of its transpose.
/// Returns `word` itself if the transpose has more than `rows` rows.
///
/// The words are visited in increasing order, so the least image is visited first.
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
            ranks: WordRanks::new(rows, rows + columns),
            marked: vec![0; (all as usize).div_ceil(64)],
            next_rank: 1,
            next_word: successor(empty_word(rows)),
        }
    }

    /// Returns whether a diagram is a P-position. Extends the sieve to this diagram first.
    fn is_p(&mut self, border: Border, columns: u32, limits: &Limits<'_>) -> Result<bool, Stop> {
        let Border { word, rows, .. } = border;
        let word = least_image(word, rows);
        let rank = self.ranks.rank(word);
        while self.next_rank <= rank {
            if self.next_rank.is_multiple_of(CHECK_INTERVAL) {
                limits.poll()?;
            }
            let least = least_image(self.next_word, rows);
            // In a square rectangle, the diagrams with a move to the transpose are the transposes
            // of those with a move to the word. They have the same least images, so they are
            // already marked.
            let mirrored = least < self.next_word && rows == columns;
            if !mirrored && self.is_unmarked(self.ranks.rank(least)) {
                self.mark_predecessors(self.next_word, rows, columns);
            }
            self.next_rank += 1;
            self.next_word = successor(self.next_word);
        }
        Ok(self.is_unmarked(rank))
    }

    /// Returns whether the diagram with this rank is unmarked. Its word must be the least image of
    /// the diagram, since only least images are marked.
    fn is_unmarked(&self, rank: u64) -> bool {
        self.marked[rank as usize / 64] >> (rank % 64) & 1 == 0
    }

    /// Marks the least images of all diagrams in the rectangle from which a bite leads to the
    /// P-position `word`.
    ///
    /// The least image of such a diagram may precede `word`. It is then already marked, because a
    /// bite leads from it to the transpose of `word`. This transpose is a P-position that precedes
    /// `word`, so it was visited earlier.
    fn mark_predecessors(&mut self, word: u64, rows: u32, columns: u32) {
        predecessors(word, rows, columns, &mut |before| {
            let rank = self.ranks.rank(least_image(before, rows));
            self.marked[rank as usize / 64] |= 1 << (rank % 64);
        });
    }
}

impl ValueTable<Vec<u64>> for Diagrams {
    /// Returns the value of a diagram, given by the lengths of its rows. Returns `None` if plain
    /// search is cheaper.
    ///
    /// # Complexity
    /// Visits at most the bites of all diagrams that have the same number of rows and precede this
    /// diagram in the order of words. An r by c rectangle has C(r + c, r) diagrams, each of which
    /// takes one byte.
    ///
    /// # Errors
    /// A limit that was exceeded.
    fn grundy(&mut self, lengths: &Vec<u64>, limits: &Limits<'_>) -> Result<Option<u64>, Stop> {
        let Some(border) = Border::new(lengths) else {
            return Ok(None);
        };
        if let Some(value) = self.tabulated_value(border) {
            self.work.hits += 1;
            return Ok(Some(value.into()));
        }
        if !border.is_dense() {
            return Ok(None);
        }
        self.record_request(border);
        let table = self.values.entry(border.rows);
        let table = table.or_insert_with(|| BlockTable::new(border.rows));
        let before = table.len();
        let value = table.value(border, limits);
        self.work.count(table.len() - before);
        value.map(Some)
    }

    /// Returns whether a diagram is a P-position, or `None` if plain search is cheaper.
    ///
    /// # Complexity
    /// Makes at most one mark for each bite that leads from a diagram in the rectangle to a
    /// P-position. P-positions that follow the given diagram in the order of words are not visited.
    /// An r by c rectangle takes C(r + c, r) bits.
    ///
    /// # Errors
    /// A limit that was exceeded.
    fn is_p(&mut self, lengths: &Vec<u64>, limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        let Some(border) = Border::new(lengths) else {
            return Ok(None);
        };
        if let Some(value) = self.tabulated_value(border) {
            self.work.hits += 1;
            return Ok(Some(value == 0));
        }
        let dense = border.is_dense();
        if dense {
            self.record_request(border);
        }
        // A sieve is reused if the diagram fits it. Otherwise the sieve is created for the largest
        // rectangle requested so far, since the bites of that rectangle are requested next.
        let fitting_size = self.sieves.keys().copied();
        let fitting_size = fitting_size.filter(|&size| border.fits(size)).min();
        let size = fitting_size.or(self.largest_request.filter(|&size| border.fits(size)));
        let own_size = dense.then_some((border.rows, border.columns));
        let is_large = dense || border.count_contained() > MAX_SEARCHED;
        let Some((rows, columns)) = size.filter(|_| is_large).or(own_size) else {
            return Ok(None);
        };
        let all = binomial((rows + columns).into(), rows.into());
        limits.check(all.div_ceil(8), 1)?;
        let sieve = self.sieves.entry((rows, columns));
        let sieve = sieve.or_insert_with(|| Sieve::new(rows, columns));
        let before = sieve.next_rank;
        let lost = sieve.is_p(border.with_rows(rows), columns, limits);
        self.work.count(sieve.next_rank - before);
        lost.map(Some)
    }

    fn work(&self) -> Work {
        self.work
    }
}

impl Diagrams {
    /// Returns the value of a diagram, if a table with at least as many rows contains it.
    fn tabulated_value(&self, border: Border) -> Option<u8> {
        self.values.values().find_map(|table| table.get(border))
    }

    /// Records the rectangle of a requested diagram, if it is the largest so far.
    fn record_request(&mut self, border: Border) {
        let size = (border.rows, border.columns);
        if self.largest_request.is_none_or(|largest| size > largest) {
            self.largest_request = Some(size);
        }
    }
}
