//! Games with stones on boards. A position lists the letters of the squares row by row.

use super::super::random::Random;
use super::{LEFT, Options, Part, Rules, Term, commas, with};

const FREE: i64 = b'.' as i64;
const BLOCKED: i64 = b'#' as i64;
const X: i64 = b'x' as i64;
const O: i64 = b'o' as i64;

/// A game on a board with `columns` columns.
pub(crate) struct Board {
    pub(crate) name: &'static str,
    pub(crate) columns: i64,
}

/// The row and column of a square, as moves name it.
type Place = (i64, i64);

const SIDES: [Place; 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const CORNERS: [Place; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

impl Board {
    fn index(&self, squares: &[i64], (row, column): Place) -> Option<usize> {
        let rows = squares.len() as i64 / self.columns.max(1);
        let there = (0..rows).contains(&row) && (0..self.columns).contains(&column);
        there.then_some((row * self.columns + column) as usize)
    }

    fn at(&self, squares: &[i64], place: Place) -> Option<i64> {
        self.index(squares, place).map(|index| squares[index])
    }

    fn places(&self, squares: &[i64], letter: i64) -> Vec<Place> {
        let all = (0..squares.len()).filter(|&index| squares[index] == letter);
        all.map(|index| (index as i64 / self.columns, index as i64 % self.columns))
            .collect()
    }

    fn put(&self, squares: &[i64], changes: &[(Place, i64)]) -> Part {
        changes
            .iter()
            .fold(squares.to_vec(), |squares, &(place, letter)| {
                let index = self.index(&squares, place).unwrap();
                with(&squares, index, letter)
            })
    }

    fn clobber(&self, squares: &[i64], own: i64) -> Options {
        let mut options = Vec::new();
        for from in self.places(squares, own) {
            for (down, right) in SIDES {
                let to = (from.0 + down, from.1 + right);
                let taken = match self.at(squares, to) {
                    Some(letter) if letter == X || letter == O => letter,
                    _ => continue,
                };
                if taken != own || self.name == "cannibal_clobber" {
                    let after = self.put(squares, &[(from, FREE), (to, own)]);
                    options.push((vec![from.0, from.1, to.0, to.1], after));
                }
            }
        }
        options
    }

    /// Returns whether every group of stones is adjacent to a free point. Liberties spread through
    /// connected stones of one colour.
    pub(crate) fn breathes(&self, squares: &[i64]) -> bool {
        [X, O].into_iter().all(|colour| {
            let stones = self.places(squares, colour);
            let mut breathing: Vec<Place> = Vec::new();
            loop {
                let near = |&(row, column): &Place| {
                    SIDES.iter().any(|&(down, right)| {
                        let place = (row + down, column + right);
                        self.at(squares, place) == Some(FREE) || breathing.contains(&place)
                    })
                };
                let now: Vec<Place> = stones.iter().copied().filter(near).collect();
                if now.len() == breathing.len() {
                    return now.len() == stones.len();
                }
                breathing = now;
            }
        })
    }

    fn nogo(&self, squares: &[i64], own: i64) -> Options {
        let placed = self.places(squares, FREE).into_iter();
        placed
            .map(|place| (vec![place.0, place.1], self.put(squares, &[(place, own)])))
            .filter(|(_, after)| self.breathes(after))
            .collect()
    }

    fn fission(&self, squares: &[i64], player: usize) -> Options {
        let mut options = Vec::new();
        for (row, column) in self.places(squares, X) {
            let sides = if player == LEFT {
                [(row - 1, column), (row + 1, column)]
            } else {
                [(row, column - 1), (row, column + 1)]
            };
            if sides
                .iter()
                .all(|&side| self.at(squares, side) == Some(FREE))
            {
                let [one, other] = sides;
                let after = self.put(squares, &[((row, column), FREE), (one, X), (other, X)]);
                options.push((vec![row, column], after));
            }
        }
        options
    }

    fn konane(&self, squares: &[i64], own: i64) -> Options {
        let other = X + O - own;
        let mut options = Vec::new();
        for from in self.places(squares, own) {
            for (down, right) in SIDES {
                // The position after one jump, after two jumps, and so on; each is a move.
                let mut after = squares.to_vec();
                for jumps in 1.. {
                    let ahead = |steps: i64| (from.0 + steps * down, from.1 + steps * right);
                    let (stands, over, to) =
                        (ahead(2 * jumps - 2), ahead(2 * jumps - 1), ahead(2 * jumps));
                    if self.at(squares, over) != Some(other) || self.at(squares, to) != Some(FREE) {
                        break;
                    }
                    after = self.put(&after, &[(stands, FREE), (over, FREE), (to, own)]);
                    options.push((vec![from.0, from.1, to.0, to.1], after.clone()));
                }
            }
        }
        options
    }

    /// Returns the squares that a queen can reach from a square.
    fn queen(&self, squares: &[i64], from: Place) -> Vec<Place> {
        let mut reached = Vec::new();
        for (down, right) in SIDES.into_iter().chain(CORNERS) {
            let mut to = (from.0 + down, from.1 + right);
            while self.at(squares, to) == Some(FREE) {
                reached.push(to);
                to = (to.0 + down, to.1 + right);
            }
        }
        reached
    }

    fn amazons(&self, squares: &[i64], own: i64) -> Options {
        let mut options = Vec::new();
        for from in self.places(squares, own) {
            for to in self.queen(squares, from) {
                let moved = self.put(squares, &[(from, FREE), (to, own)]);
                // The arrow is shot after the move, so it may fly through the square that was left.
                for shot in self.queen(&moved, to) {
                    let after = self.put(&moved, &[(shot, BLOCKED)]);
                    let at = vec![from.0, from.1, to.0, to.1, shot.0, shot.1];
                    options.push((at, after));
                }
            }
        }
        options
    }

    /// Returns the moves of a skier: any number of squares along the slope, off its end, or a jump
    /// down over a hostile skier.
    fn ski(&self, squares: &[i64], player: usize) -> Options {
        let (own, hostile, right) = if player == LEFT {
            ([b'L', b'l'], [b'R', b'r'], 1)
        } else {
            ([b'R', b'r'], [b'L', b'l'], -1)
        };
        let mut options = Vec::new();
        for skier in own.map(i64::from) {
            for (row, column) in self.places(squares, skier) {
                let from = ((row, column), FREE);
                let mut to = (row, column + right);
                while self.at(squares, to) == Some(FREE) {
                    let after = self.put(squares, &[from, (to, skier)]);
                    options.push((vec![row, column, to.0, to.1], after));
                    to.1 += right;
                }
                if self.at(squares, to).is_none() {
                    options.push((vec![row, column], self.put(squares, &[from])));
                }
                let (over, below) = ((row + 1, column), (row + 2, column));
                let jumped = hostile
                    .iter()
                    .position(|&letter| self.at(squares, over) == Some(letter.into()));
                // Only an upright skier may jump, and the one below becomes a slipper, in lower
                // case.
                if skier == i64::from(own[0])
                    && jumped.is_some()
                    && self.at(squares, below) == Some(FREE)
                {
                    let slipper = (over, i64::from(hostile[1]));
                    let after = self.put(squares, &[from, slipper, (below, skier)]);
                    options.push((vec![row, column, below.0, below.1], after));
                }
            }
        }
        options
    }
}

impl Rules for Board {
    fn options(&self, squares: &[i64], player: usize) -> Options {
        let own = if player == LEFT { X } else { O };
        match self.name {
            "nogo" => self.nogo(squares, own),
            "fission" => self.fission(squares, player),
            "konane" => self.konane(squares, own),
            "amazons" => self.amazons(squares, own),
            "ski_jumps" => self.ski(squares, player),
            _ => self.clobber(squares, own),
        }
    }

    fn write(&self, squares: &[i64], _: Option<usize>) -> String {
        let rows = squares.chunks(self.columns as usize).map(|row| {
            let row: String = row.iter().map(|&letter| char::from(letter as u8)).collect();
            format!("\"{row}\"")
        });
        format!("{}([{}])", self.name, commas(rows))
    }

    fn is_partizan(&self) -> bool {
        true
    }
}

fn board(random: &mut Random, size: i64, name: &'static str, letters: &[u8]) -> Term {
    let columns = random.between(1 + size / 3, 2 + size / 2);
    let rows = random.between(1, 1 + size / 2);
    let board = Board { name, columns };
    loop {
        let letter = |_| i64::from(*random.pick(letters));
        // In NoGo a random board is often illegal, so draw again until every group has a liberty.
        let squares: Part = (0..rows * columns).map(letter).collect();
        if name != "nogo" || board.breathes(&squares) {
            return Term::new(board, squares);
        }
    }
}

pub(crate) fn clobber(random: &mut Random, size: i64) -> Term {
    board(random, size, "clobber", b"xoxo.#")
}

pub(crate) fn cannibal_clobber(random: &mut Random, size: i64) -> Term {
    board(random, size, "cannibal_clobber", b"xoxo.#")
}

pub(crate) fn nogo(random: &mut Random, size: i64) -> Term {
    board(random, size, "nogo", b"xo....#")
}

pub(crate) fn fission(random: &mut Random, size: i64) -> Term {
    board(random, size + 2, "fission", b"x....#")
}

pub(crate) fn konane(random: &mut Random, size: i64) -> Term {
    board(random, size + 1, "konane", b"xoxo..#")
}

pub(crate) fn amazons(random: &mut Random, size: i64) -> Term {
    board(random, size, "amazons", b"xo.##")
}

pub(crate) fn ski_jumps(random: &mut Random, size: i64) -> Term {
    board(random, size, "ski_jumps", b"LRlr...")
}
