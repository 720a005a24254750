//! Dots and Boxes: a move draws an edge, and a player who completes a box scores it and moves
//! again.
//!
//! The score is the number of boxes that the player to move will complete, minus the number for the
//! other player. Boxes that are already complete do not count, so the score depends only on the
//! drawn edges.

use grundy_core::Game;
use grundy_core::implicit::pruned::ScoredGame;

/// A board of boxes.
#[derive(Clone, Debug)]
pub(crate) struct DotsAndBoxes {
    /// The edges of each box, as bits.
    boxes: Vec<u32>,
    edges: u32,
    /// The symmetries of the board, as permutations of the edges.
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
            // Only a square has a quarter turn.
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
        let before = self.complete(drawn);
        let free = (0..self.edges).filter(|edge| drawn >> edge & 1 == 0);
        // The search prunes more if good moves come first. Edges that complete a box come first.
        // Edges that let the opponent complete a box come last.
        let mut edges = [0u32; 3];
        for edge in free {
            let completes = self.complete(drawn | 1 << edge) > before;
            let gives = || {
                self.boxes
                    .iter()
                    .any(|&b| b >> edge & 1 == 1 && (drawn & b).count_ones() == 2)
            };
            let rank = if completes {
                0
            } else {
                1 + usize::from(gives())
            };
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

impl ScoredGame for DotsAndBoxes {
    fn terminal_score(&self, drawn: &u32) -> Option<i16> {
        // A box is scored when it is completed, so nothing is left to score at the end.
        (drawn.count_ones() == self.edges).then_some(0)
    }

    fn gain(&self, before: &u32, after: &u32) -> (i16, bool) {
        let gained = self.complete(*after) - self.complete(*before);
        (gained, gained > 0)
    }

    fn bounds(&self, drawn: &u32) -> (i16, i16) {
        let remaining = self.boxes.len() as i16 - self.complete(*drawn);
        (-remaining, remaining)
    }
}
