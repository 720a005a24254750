//! The rules of every game of the notation, written anew.

pub(crate) mod boards;
pub(crate) mod cakes;
pub(crate) mod coins;
pub(crate) mod edges;
pub(crate) mod heaps;
pub(crate) mod pieces;
pub(crate) mod stones;
pub(crate) mod strips;
pub(crate) mod turning;

use std::fmt::Display;

/// Index of a player in pairs.
pub(crate) const LEFT: usize = 0;
/// The other player.
pub(crate) const RIGHT: usize = 1;

/// A position of one term: the numbers that change in play.
pub(crate) type Part = Vec<i64>;

/// Moves: how JSON identifies each (`at`), and where it leads; in the order of the contract.
pub(crate) type Options = Vec<(Vec<i64>, Part)>;

/// The rules of one game, with what stays the same in play.
pub(crate) trait Rules {
    /// Returns the moves of a player; both have the same where moves are not own.
    fn options(&self, part: &[i64], player: usize) -> Options;

    /// Returns the notation. `to_move` is the player to move, unless either may begin.
    fn write(&self, part: &[i64], to_move: Option<usize>) -> String;

    /// Returns the notation of the start, where it need not be the canonical one.
    fn source(&self, part: &[i64], to_move: Option<usize>) -> String {
        self.write(part, to_move)
    }

    /// Returns whether Left and Right have moves of their own.
    fn own_moves(&self) -> bool {
        false
    }
}

/// A game and where it begins.
pub(crate) struct Term {
    pub(crate) rules: Box<dyn Rules>,
    pub(crate) start: Part,
}

impl Term {
    pub(crate) fn new(rules: impl Rules + 'static, start: Part) -> Self {
        let rules = Box::new(rules);
        Self { rules, start }
    }
}

/// `1, 2, 3`
fn commas<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

/// `name(1, 2, 3)`
fn call<T: Display>(name: &str, items: impl IntoIterator<Item = T>) -> String {
    format!("{name}({})", commas(items))
}

/// Returns the part with a number replaced.
fn with(part: &[i64], index: usize, number: i64) -> Part {
    let mut part = part.to_vec();
    part[index] = number;
    part
}
