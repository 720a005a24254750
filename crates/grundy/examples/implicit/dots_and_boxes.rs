//! Dots and Boxes: a move draws an edge, and a player who completes a box scores it and moves
//! again.
//!
//! The score counts the remaining boxes of the player to move minus those of the other player, so
//! it depends on the edges alone.

use grundy::Game;
use grundy::implicit::pruned::Scored;

/// A board of boxes.
#[derive(Clone, Debug)]
pub(crate) struct DotsAndBoxes {
    /// The edges of each box, as bits.
    boxes: Vec<u32>,
    edges: u32,
    /// The permutations of the edges under the symmetries of the board.
    symmetries: Vec<Vec<u32>>,
}

impl DotsAndBoxes {
    /// Creates a board of `rows` by `columns` boxes, with at most 32 edges.
    pub(crate) fn new(rows: u32, columns: u32) -> Self {
        let horizontal = |r: u32, c: u32| r * columns + c;
        let vertical = |r: u32, c: u32| (rows + 1) * columns + r * (columns + 1) + c;
        let edges = (rows + 1) * columns + rows * (columns + 1);
        let mut boxes = Vec::new();
        for r in 0..rows {
            for c in 0..columns {
                boxes.push(
                    1 << horizontal(r, c)
                        | 1 << horizontal(r + 1, c)
                        | 1 << vertical(r, c)
                        | 1 << vertical(r, c + 1),
                );
            }
        }
        let mut symmetries = Vec::new();
        for (flip_rows, flip_columns, turn) in [
            (1, 0, 0),
            (0, 1, 0),
            (1, 1, 0),
            (0, 0, 1),
            (1, 0, 1),
            (0, 1, 1),
            (1, 1, 1),
        ] {
            // A rectangle has no quarter turn.
            if turn == 1 && rows != columns {
                continue;
            }
            let mut to = vec![0; edges as usize];
            for r in 0..=rows {
                for c in 0..columns {
                    let row = if flip_rows == 1 { rows - r } else { r };
                    let column = if flip_columns == 1 {
                        columns - 1 - c
                    } else {
                        c
                    };
                    to[horizontal(r, c) as usize] = if turn == 1 {
                        vertical(column, row)
                    } else {
                        horizontal(row, column)
                    };
                }
            }
            for r in 0..rows {
                for c in 0..=columns {
                    let row = if flip_rows == 1 { rows - 1 - r } else { r };
                    let column = if flip_columns == 1 { columns - c } else { c };
                    to[vertical(r, c) as usize] = if turn == 1 {
                        horizontal(column, row)
                    } else {
                        vertical(row, column)
                    };
                }
            }
            symmetries.push(to);
        }
        Self {
            boxes,
            edges,
            symmetries,
        }
    }

    /// Returns the number of complete boxes for a set of drawn edges.
    pub(crate) fn complete(&self, drawn: u32) -> i16 {
        self.boxes
            .iter()
            .filter(|&&edges| drawn & edges == edges)
            .count() as i16
    }
}

impl Game for DotsAndBoxes {
    /// The set of drawn edges.
    type Position = u32;

    fn options(&self, &drawn: &u32) -> impl IntoIterator<Item = u32> {
        let here = self.complete(drawn);
        let free = (0..self.edges).filter(|edge| drawn >> edge & 1 == 0);
        // The search prunes more if good moves come first. Edges that complete a box are first, and
        // edges that give one away are last.
        let mut edges = [0u32; 3];
        for edge in free {
            let takes = self.complete(drawn | 1 << edge) > here;
            let gives = || {
                self.boxes
                    .iter()
                    .any(|&b| b >> edge & 1 == 1 && (drawn & b).count_ones() == 2)
            };
            let rank = if takes { 0 } else { 1 + usize::from(gives()) };
            edges[rank] |= 1 << edge;
        }
        edges.into_iter().flat_map(move |mut edges| {
            std::iter::from_fn(move || {
                let edge = edges & edges.wrapping_neg();
                edges ^= edge;
                (edge != 0).then_some(drawn | edge)
            })
        })
    }

    fn symmetry(&self, drawn: u32) -> u32 {
        let images = self.symmetries.iter().map(|to| {
            let (mut rest, mut image) = (drawn, 0);
            while rest != 0 {
                image |= 1 << to[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            image
        });
        images.min().map_or(drawn, |image| image.min(drawn))
    }
}

impl Scored for DotsAndBoxes {
    fn end(&self, drawn: &u32) -> Option<i16> {
        // Boxes score when they are completed, so nothing remains at the end.
        (drawn.count_ones() == self.edges).then_some(0)
    }

    fn gain(&self, before: &u32, after: &u32) -> (i16, bool) {
        let gained = self.complete(*after) - self.complete(*before);
        (gained, gained > 0)
    }

    fn bounds(&self, drawn: &u32) -> (i16, i16) {
        let left = self.boxes.len() as i16 - self.complete(*drawn);
        (-left, left)
    }
}
