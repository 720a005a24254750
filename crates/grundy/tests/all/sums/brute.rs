//! Sums worked out by going through all their positions, backwards from where a player cannot move.

use std::collections::HashMap;

use super::rules::{Part, Term};

/// All positions of a term; the start has number 0.
pub(crate) struct Table {
    /// The numbers of the options of each position, by player.
    options: [Vec<Vec<usize>>; 2],
    /// The numbers of the positions that lead to each position, by player.
    back: [Vec<Vec<usize>>; 2],
}

impl Table {
    /// Returns the positions of a term, if there are at most so many.
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

/// What comes of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Win,
    Loss,
    /// Play that never ends, where neither can do better.
    Draw,
}

/// All positions of a sum, and what comes of each for each player to move.
pub(crate) struct Solution<'a> {
    tables: &'a [Table],
    fates: Vec<[Fate; 2]>,
}

impl<'a> Solution<'a> {
    /// Goes back from the positions where a player cannot move: that player has lost in normal
    /// play, and has won in misère play. Who can move to a loss of the other wins; whose moves all
    /// lead to wins of the other loses. What is never reached so is a draw.
    pub(crate) fn new(tables: &'a [Table], misere: bool) -> Self {
        let count: usize = tables.iter().map(Table::len).product();
        let mut solution = Self {
            tables,
            fates: vec![[Fate::Draw; 2]; count],
        };
        let end = if misere { Fate::Win } else { Fate::Loss };
        let mut open = vec![[0; 2]; count];
        let mut settled = Vec::new();
        for (sum, open) in open.iter_mut().enumerate() {
            for (player, open) in open.iter_mut().enumerate() {
                *open = solution.near(sum, |table| &table.options[player]).count();
                if *open == 0 {
                    solution.fates[sum][player] = end;
                    settled.push((sum, player));
                }
            }
        }
        while let Some((sum, player)) = settled.pop() {
            let lost = solution.fates[sum][player] == Fate::Loss;
            let mover = 1 - player;
            let before: Vec<usize> = solution.near(sum, |table| &table.back[mover]).collect();
            for from in before {
                open[from][mover] -= 1;
                if solution.fates[from][mover] != Fate::Draw || !lost && open[from][mover] > 0 {
                    continue;
                }
                solution.fates[from][mover] = if lost { Fate::Win } else { Fate::Loss };
                settled.push((from, mover));
            }
        }
        solution
    }

    /// Returns the sums that differ from this one in one term, by a list for each position of the
    /// term.
    fn near<'b>(
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

    /// What comes of the start when this player is to move.
    pub(crate) fn start(&self, player: usize) -> Fate {
        self.fates[0][player]
    }

    /// Returns whether each move of a player in a term of the start wins, in the order of the
    /// rules.
    pub(crate) fn wins(&self, player: usize, component: usize) -> impl Iterator<Item = bool> {
        let stride: usize = self.tables[..component].iter().map(Table::len).product();
        let options = self.tables[component].options[player][0].iter();
        options.map(move |&to| self.fates[to * stride][1 - player] == Fate::Loss)
    }
}
