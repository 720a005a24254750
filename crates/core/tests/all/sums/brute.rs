//! Brute-force solution of sums by retrograde analysis over all their positions.

use std::collections::HashMap;

use super::rules::{Part, Term};

/// All positions of a term, numbered from 0. The start position has number 0.
pub(crate) struct Table {
    /// For each player and each position, the numbers of the positions that are its options.
    options: [Vec<Vec<usize>>; 2],
    /// For each player and each position, the numbers of the positions that are its predecessors.
    back: [Vec<Vec<usize>>; 2],
}

impl Table {
    /// Enumerates the positions of a term. Returns `None` if there are more than `most`.
    pub(crate) fn new(term: &Term, most: usize) -> Option<Self> {
        let mut numbers: HashMap<Part, usize> = HashMap::from([(term.start.clone(), 0)]);
        let mut parts = vec![term.start.clone()];
        let mut options = [vec![], vec![]];
        let mut next = 0;
        while next < parts.len() {
            if parts.len() > most {
                return None;
            }
            for (player, options) in options.iter_mut().enumerate() {
                let mut row = Vec::new();
                for (_, to) in term.rules.options(&parts[next], player) {
                    let number = *numbers.entry(to.clone()).or_insert(parts.len());
                    if number == parts.len() {
                        parts.push(to);
                    }
                    row.push(number);
                }
                options.push(row);
            }
            next += 1;
        }
        let back = [0, 1].map(|player: usize| {
            let mut back = vec![Vec::new(); parts.len()];
            for (from, row) in options[player].iter().enumerate() {
                row.iter().for_each(|&to| back[to].push(from));
            }
            back
        });
        Some(Self { options, back })
    }

    pub(crate) fn len(&self) -> usize {
        self.options[0].len()
    }
}

/// The result of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Win,
    Loss,
    /// Neither player can force a win, so the game never ends.
    Draw,
}

/// The result of every position of a sum, for each player to move.
pub(crate) struct Solution<'a> {
    tables: &'a [Table],
    fates: Vec<[Fate; 2]>,
}

impl<'a> Solution<'a> {
    /// Solves the sum backwards from the positions without a move, which are lost in normal play
    /// and won in misère play. A move to a loss of the opponent wins. If all moves lead to wins of
    /// the opponent, the position is lost. The positions that remain are draws.
    pub(crate) fn new(tables: &'a [Table], misere: bool) -> Self {
        let count: usize = tables.iter().map(Table::len).product();
        let mut solution = Self {
            tables,
            fates: vec![[Fate::Draw; 2]; count],
        };
        let end = if misere { Fate::Win } else { Fate::Loss };
        // The number of options of a state that are not known to be won by the opponent.
        let mut open = vec![[0; 2]; count];
        let mut settled = Vec::new();
        for (sum, open) in open.iter_mut().enumerate() {
            for (player, open) in open.iter_mut().enumerate() {
                *open = solution
                    .neighbours(sum, |table| &table.options[player])
                    .count();
                if *open == 0 {
                    solution.fates[sum][player] = end;
                    settled.push((sum, player));
                }
            }
        }
        while let Some((sum, player)) = settled.pop() {
            let lost = solution.fates[sum][player] == Fate::Loss;
            let mover = 1 - player;
            let before: Vec<usize> = solution
                .neighbours(sum, |table| &table.back[mover])
                .collect();
            for from in before {
                open[from][mover] -= 1;
                // A state is decided by its first lost option, or when its last option is known to
                // be won.
                if solution.fates[from][mover] != Fate::Draw || !lost && open[from][mover] > 0 {
                    continue;
                }
                solution.fates[from][mover] = if lost { Fate::Win } else { Fate::Loss };
                settled.push((from, mover));
            }
        }
        solution
    }

    /// Returns the sums that differ from `sum` by one move in one term. `lists` gives the
    /// direction: for each position of a term, it lists either the options or the predecessors.
    fn neighbours<'b>(
        &'b self,
        sum: usize,
        lists: impl Fn(&'b Table) -> &'b [Vec<usize>] + 'b,
    ) -> impl Iterator<Item = usize> + 'b {
        let mut stride = 1;
        self.tables.iter().flat_map(move |table| {
            let (size, unit) = (table.len(), stride);
            stride *= size;
            let part = sum / unit % size;
            let list = lists(table)[part].iter();
            list.map(move |&to| sum - part * unit + to * unit)
        })
    }

    /// Returns the result of the start position if `player` is to move.
    pub(crate) fn start(&self, player: usize) -> Fate {
        self.fates[0][player]
    }

    /// Returns for each move of a player in a term of the start position whether the move wins. The
    /// moves are in the order of the rules.
    pub(crate) fn wins(&self, player: usize, component: usize) -> impl Iterator<Item = bool> {
        let stride: usize = self.tables[..component].iter().map(Table::len).product();
        let options = self.tables[component].options[player][0].iter();
        options.map(move |&to| self.fates[to * stride][1 - player] == Fate::Loss)
    }
}
