//! A table of the Grundy values of a piece that slides toward the corner of the quarter board.
//!
//! The options of a square are the squares on its lines that are nearer to the corner. Their values
//! are computed first. Hence it is enough to store, for each line, the set of the values on the
//! line so far, as a bit set. The value of a square is the least number that is on none of its
//! lines. For a square of value g, only O(1 + g / 64) words of each bit set are read. The values of
//! the options are not read one by one.

use grundy_base::limits::{Limits, Stop};
use grundy_engine::rules::ValueTable;

/// The values of a piece that slides any distance in some directions. Each direction is (1, 0),
/// (0, 1) or (1, 1).
#[derive(Debug)]
pub(super) struct Slider {
    directions: &'static [(u64, u64)],
    width: usize,
    height: usize,
    values: Vec<u32>,
}

impl ValueTable<(u64, u64)> for Slider {
    fn grundy(&mut self, &at: &(u64, u64), limits: &Limits<'_>) -> Result<Option<u64>, Stop> {
        self.value(at, limits).map(Some)
    }
}

impl Slider {
    /// Creates an empty table.
    pub(super) fn new(directions: &'static [(u64, u64)]) -> Self {
        Self {
            directions,
            width: 0,
            height: 0,
            values: Vec::new(),
        }
    }

    /// Returns the Grundy value of a square.
    ///
    /// # Errors
    /// A limit that was exceeded, if the rectangle up to the square has too many positions.
    fn value(&mut self, (x, y): (u64, u64), limits: &Limits<'_>) -> Result<u64, Stop> {
        if x >= self.width as u64 || y >= self.height as u64 {
            let needed = |least: u64, old: usize| least.saturating_add(1).max(old as u64);
            let (mut width, mut height) = (needed(x, self.width), needed(y, self.height));
            limits.check(width.saturating_mul(height), 8)?;
            // The table is rebuilt when it grows. Small tables double in size, so that a sequence
            // of growing requests takes only a constant factor more time in all.
            for side in [&mut width, &mut height] {
                *side = (*side).max(16);
            }
            if limits.check(width * height * 4, 8).is_ok() && width * height < 1 << 20 {
                width *= 2;
                height *= 2;
            }
            self.fill(width as usize, height as usize, limits)?;
        }
        Ok(u64::from(
            self.values[x as usize * self.height + y as usize],
        ))
    }

    /// Computes the values of all squares in the rectangle of this width and height at the corner
    /// of the board.
    fn fill(&mut self, width: usize, height: usize, limits: &Limits<'_>) -> Result<(), Stop> {
        let mut values = vec![0; width * height];
        let mut lines: Vec<Vec<Vec<u64>>> = self
            .directions
            .iter()
            .map(|_| vec![Vec::new(); width + height])
            .collect();
        for x in 0..width {
            limits.poll()?;
            for y in 0..height {
                // Indices of the row, the column and the diagonal. On a diagonal x - y is constant,
                // and adding the height makes the index positive.
                let indices: [usize; 3] = [y, x, x + height - y];
                let line = |&(dx, dy): &(u64, u64)| match (dx, dy) {
                    (1, 0) => indices[0],
                    (0, 1) => indices[1],
                    _ => indices[2],
                };
                // The values on the lines through this square.
                let mut sets: [&[u64]; 3] = [&[]; 3];
                for ((set, direction), lines) in sets.iter_mut().zip(self.directions).zip(&lines) {
                    *set = &lines[line(direction)];
                }
                // The mex of the union of the lines, found 64 values at a time.
                let mut word = 0;
                let value = loop {
                    let used = sets
                        .iter()
                        .fold(0, |used, set| used | set.get(word).unwrap_or(&0));
                    if used != u64::MAX {
                        break word * 64 + used.trailing_ones() as usize;
                    }
                    word += 1;
                };
                for (direction, sets) in self.directions.iter().zip(&mut lines) {
                    let set = &mut sets[line(direction)];
                    if set.len() <= value / 64 {
                        set.resize(value / 64 + 1, 0);
                    }
                    set[value / 64] |= 1 << (value % 64);
                }
                values[x * height + y] = value as u32;
            }
        }
        (self.width, self.height, self.values) = (width, height, values);
        Ok(())
    }
}
