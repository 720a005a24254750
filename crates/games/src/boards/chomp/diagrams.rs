//! Young diagrams that lose all squares below and to the right of one, in Chomp: all of them up to
//! one at once.
//!
//! Their borders are words (`young_diagram.rs`): going through those with a given number of ones,
//! from the least on, meets every option before the diagram.
//!
//! Who wins takes less than values: the diagrams that no P-position can be bitten to are the
//! P-positions. Going through the words, each that is not marked is P, and marks what has a bite to
//! it.

mod ranked;

use rustc_hash::FxHashMap;

use self::ranked::Ranked;
use super::young_diagram::{Places, STEPS, before_bites, binomial, empty, following, word_of};
use grundy_base::limits::{Limits, Stop};
use grundy_engine::rules::ValueTable;
use grundy_engine::work::Work;

/// So many diagrams count as one position.
const DIAGRAMS: u64 = 16;

/// Diagrams that may as well be looked at one by one.
const FEW: u64 = 1 << 14;

/// Options looked at between two looks at the clock, about.
const PATIENCE: u64 = 1 << 20;

/// Values and P-positions of diagrams, by the number of their rows.
#[derive(Debug, Default)]
pub(super) struct Diagrams {
    values: FxHashMap<u32, Ranked>,
    /// By rows and columns.
    sieves: FxHashMap<(u32, u32), Sieve>,
    /// Rows and columns of the largest diagram that was asked about.
    asked: Option<(u32, u32)>,
    work: Work,
}

/// A diagram as the word of its border.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// A one for each row, the shortest row first, after as many zeros as it has squares.
    word: u64,
    rows: u32,
    columns: u32,
}

/// The P-positions among the diagrams within a rectangle.
#[derive(Debug)]
struct Sieve {
    places: Places,
    /// Bit n tells that there is a bite from the n-th diagram to a P-position.
    marked: Vec<u64>,
    /// The place of the first diagram that was not looked at, and its word.
    done: u64,
    next: u64,
}

impl Border {
    /// Turned so that there are no more rows than columns; nothing where it is too large.
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

    /// Returns whether it has less than 256 squares, and is not much smaller than its rectangle.
    fn is_dense(&self) -> bool {
        let Self { rows, columns, .. } = *self;
        let place = binomial((rows + columns).into(), rows.into());
        rows * columns < 256 && place / 8 <= self.within()
    }

    /// Returns whether it lies in a rectangle of so many rows and columns.
    fn fits(&self, (rows, columns): (u32, u32)) -> bool {
        self.rows <= rows && self.columns <= columns
    }

    /// Returns the same with more rows, empty ones at the end.
    fn with_rows(self, rows: u32) -> Self {
        let more = rows - self.rows;
        Self {
            word: self.word << more | empty(more),
            rows,
            ..self
        }
    }

    /// How many diagrams lie within this one; the empty one is not counted.
    fn within(&self) -> u64 {
        // Ways to go on below the border, by the column reached.
        let mut ways = vec![0u64; self.columns as usize + 1];
        ways[0] = 1;
        let (mut rest, mut length) = (self.word, 0);
        for _ in 0..self.rows {
            let zeros = rest.trailing_zeros();
            rest >>= zeros + 1;
            length += zeros as usize;
            // The row is at least as long as the one below it, and at most so long.
            let mut sum = 0;
            for (column, ways) in ways.iter_mut().enumerate() {
                sum += *ways;
                *ways = if column <= length { sum } else { 0 };
            }
        }
        ways.iter().sum::<u64>() - 1
    }
}

/// Returns the lesser of a word and its mirror image, where that has as many rows: in a square the
/// image came earlier, or it is the same.
fn least_image(word: u64, rows: u32) -> u64 {
    if word >> (2 * rows) != 0 {
        return word;
    }
    word.min(!word.reverse_bits() >> (u64::BITS - 2 * rows))
}

impl Sieve {
    fn new(rows: u32, columns: u32) -> Self {
        let all = binomial((rows + columns).into(), rows.into());
        Self {
            places: Places::new(rows, rows + columns),
            marked: vec![0; (all as usize).div_ceil(64)],
            done: 1,
            next: following(empty(rows)),
        }
    }

    /// Returns whether a diagram is a P-position.
    fn is_p(&mut self, border: Border, columns: u32, limits: &Limits<'_>) -> Result<bool, Stop> {
        let Border { word, rows, .. } = border;
        let word = least_image(word, rows);
        let place = self.places.of(word);
        while self.done <= place {
            if self.done.is_multiple_of(PATIENCE) {
                limits.poll()?;
            }
            let least = least_image(self.next, rows);
            // What comes before a mirror image is the mirror image of what comes before the word,
            // in a square within it.
            let mirrored = least < self.next && rows == columns;
            if !mirrored && self.is_open(self.places.of(least)) {
                self.mark_before(self.next, rows, columns);
            }
            self.done += 1;
            self.next = following(self.next);
        }
        Ok(self.is_open(place))
    }

    /// Returns whether no bite is known from the diagram at a place, which is the least of its
    /// images, to a P-position.
    fn is_open(&self, place: u64) -> bool {
        self.marked[place as usize / 64] >> (place % 64) & 1 == 0
    }

    /// Marks the least images of all diagrams in the rectangle of which a bite leaves a P-position.
    /// Those that do not come later are marked already, from its mirror image.
    fn mark_before(&mut self, word: u64, rows: u32, columns: u32) {
        before_bites(word, rows, columns, &mut |before| {
            let place = self.places.of(least_image(before, rows));
            self.marked[place as usize / 64] |= 1 << (place % 64);
        });
    }
}

impl ValueTable<Vec<u64>> for Diagrams {
    /// Returns the value of a diagram, by the lengths of its rows; nothing where there is a shorter
    /// way.
    ///
    /// # Complexity
    /// One look at every bite of every diagram that comes before it among those with as many rows:
    /// of an r by c rectangle C(r + c, r), a byte each.
    ///
    /// # Errors
    /// The limit that was reached.
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

    /// Returns whether a diagram is a P-position; nothing where there is a shorter way.
    ///
    /// # Complexity
    /// One mark for every bite to each P-position that comes before it: of an r by c rectangle C(r
    /// + c, r) bits.
    ///
    /// # Errors
    /// The limit that was reached.
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
        // A rectangle that is there already will do, else the largest that was asked about: its
        // bites are asked about next.
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
    /// Returns the value of a diagram that has been passed among those with as many rows or more.
    fn known(&self, border: Border) -> Option<u8> {
        self.values.values().find_map(|ranked| ranked.known(border))
    }

    /// Remembers the largest rectangle of diagrams that were asked about.
    fn ask(&mut self, border: Border) {
        let size = (border.rows, border.columns);
        if self.asked.is_none_or(|asked| size > asked) {
            self.asked = Some(size);
        }
    }
}
