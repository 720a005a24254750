//! An independent implementation of the rules of every game in the notation.

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

/// Index of Left in pairs.
pub(crate) const LEFT: usize = 0;
/// Index of Right in pairs.
pub(crate) const RIGHT: usize = 1;

/// A position of one term: the numbers that change during the game.
pub(crate) type Part = Vec<i64>;

/// The moves from a position: the coordinates (`at` in JSON) and the position after each, in the
/// documented order.
pub(crate) type Options = Vec<(Vec<i64>, Part)>;

/// The rules of one game, with the parameters that do not change during the game.
pub(crate) trait Rules {
    /// Returns the moves of a player. In an impartial game both players have the same moves.
    fn options(&self, part: &[i64], player: usize) -> Options;

    /// Returns the position in the notation. `to_move` is the player to move, unless either may
    /// begin.
    fn write(&self, part: &[i64], to_move: Option<usize>) -> String;

    /// Returns the position in a notation that need not be the canonical one. The tests use this
    /// notation for the start position.
    fn source(&self, part: &[i64], to_move: Option<usize>) -> String {
        self.write(part, to_move)
    }

    /// Returns whether the game is partizan.
    fn is_partizan(&self) -> bool {
        false
    }
}

/// A game and its start position.
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

/// Joins items as in `1, 2, 3`.
fn commas<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

/// Writes a call as in `name(1, 2, 3)`.
fn call<T: Display>(name: &str, items: impl IntoIterator<Item = T>) -> String {
    format!("{name}({})", commas(items))
}

/// Returns the position with one of its numbers replaced.
fn with(part: &[i64], index: usize, number: i64) -> Part {
    let mut part = part.to_vec();
    part[index] = number;
    part
}
