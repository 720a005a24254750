//! Games with dominoes on boards. A position lists the cells row by row: 1 is a blocked or covered
//! cell, and 0 is a free one.

use super::super::random::Random;
use super::{LEFT, Options, Rules, Term, commas, with};

pub(crate) struct Dominoes {
    /// `true` for Cram, in which both players may place a domino in either direction.
    pub(crate) cram: bool,
    pub(crate) columns: i64,
}

impl Rules for Dominoes {
    fn options(&self, cells: &[i64], player: usize) -> Options {
        let (rows, columns) = (cells.len() as i64 / self.columns, self.columns);
        let mut options = Vec::new();
        // Vertical dominoes come first, the documented order of moves.
        for upright in [true, false] {
            if !self.cram && upright != (player == LEFT) {
                continue;
            }
            for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let (down, right) = (i64::from(upright), i64::from(!upright));
                if row + down == rows || column + right == columns {
                    continue;
                }
                let cell = (row * columns + column) as usize;
                let other = cell + (down * columns + right) as usize;
                if cells[cell] == 0 && cells[other] == 0 {
                    let to = with(&with(cells, cell, 1), other, 1);
                    options.push((vec![row, column, row + down, column + right], to));
                }
            }
        }
        options
    }

    fn write(&self, cells: &[i64], _: Option<usize>) -> String {
        let letter = |&cell: &i64| if cell == 0 { '.' } else { '#' };
        let rows = cells.chunks(self.columns as usize).map(|row| {
            let row: String = row.iter().map(letter).collect();
            format!("\"{row}\"")
        });
        let name = if self.cram { "cram" } else { "domineering" };
        format!("{name}([{}])", commas(rows))
    }

    fn is_partizan(&self) -> bool {
        !self.cram
    }
}

fn dominoes(random: &mut Random, size: i64, cram: bool) -> Term {
    let columns = random.between(1 + size / 3, 2 + size / 2);
    let rows = random.between(1 + size / 4, 1 + size / 2);
    let cell = |_| i64::from(random.below(6) == 0);
    let cells = (0..rows * columns).map(cell).collect();
    Term::new(Dominoes { cram, columns }, cells)
}

pub(crate) fn cram(random: &mut Random, size: i64) -> Term {
    dominoes(random, size, true)
}

pub(crate) fn domineering(random: &mut Random, size: i64) -> Term {
    dominoes(random, size, false)
}
