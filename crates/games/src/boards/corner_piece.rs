//! One piece on the quarter board: `rook(x, y)`, `queen(x, y)`, `king(x, y)`, `knight(x, y)`, and
//! `wythoff(a, b)`.
//!
//! Rules. The piece stands on square (x, y) of an infinite board with corner (0, 0). All moves lead
//! toward the corner. The rook moves left or down by any distance. The queen also moves diagonally
//! toward the corner. The king takes one step in one of the queen's directions. The knight moves by
//! (-2, +1), (-2, -1), (+1, -2) or (-1, -2). A player who cannot move loses. Wythoff's game is the
//! queen under another name: take chips from one of two heaps, or the same number from both.
//! Theorems.
//!
//! - Rook: the position is two Nim heaps, so its value is the nim-sum of x and y (Bouton).
//! - King: the value is 2 (min(x, y) mod 2) + ((x + y) mod 2), by induction over the four cases of
//!   the parities (see `docs/theory.md`).
//! - Knight: the position is P if and only if x mod 4 and y mod 4 are both 0 or 1, by induction on
//!   the sixteen residues.
//! - Queen (W. A. Wythoff, A modification of the game of Nim, Nieuw Arch. Wisk. 7 (1907), 199-202):
//!   the P-positions are (floor(k phi), floor(k phi^2)) and their mirror images.
//!
//! The P-positions of the queen are computed in integer arithmetic, since floor(k phi) = floor((k +
//! floor(sqrt(5 k^2))) / 2). No closed form is known for her Grundy values. They come from a table
//! (see `slider`).

mod slider;

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use self::slider::Slider;
use crate::argument::{Arguments, number};
use grundy_base::limits::Flow;
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::BOUTON;
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Tabulation, Teaching, Theorem,
    Theorems, Visit, call,
};

/// The theorem on the P-positions of the queen.
pub const WYTHOFF: Theorem = Theorem {
    method: "wythoff",
    name: "Wythoff's theorem",
    statement: "the P-positions are (floor(k phi), floor(k phi^2)) and their mirror images, \
                where phi is the golden ratio",
    source: "W. A. Wythoff, A modification of the game of Nim, Nieuw Archief voor Wiskunde 7 (1907), 199-202",
};

/// The theorem on the Grundy values of the king.
pub const KING: Theorem = Theorem {
    method: "king",
    name: "the values of the king",
    statement: "the value is 2 (min(x, y) mod 2) + ((x + y) mod 2)",
    source: "by induction over the four cases of the parities, docs/theory.md",
};

/// The theorem on the P-positions of the knight.
pub const KNIGHT: Theorem = Theorem {
    method: "knight",
    name: "the P-positions of the knight",
    statement: "the position is P if and only if x mod 4 and y mod 4 are both 0 or 1",
    source: "by induction on the residues modulo 4, docs/theory.md",
};

/// A piece. The queen and Wythoff's game differ only in name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CornerPiece {
    /// Moves left or down.
    Rook,
    /// Moves left, down or diagonally.
    Queen,
    /// The queen's moves, as moves in two heaps.
    Wythoff,
    /// Moves one step left, down or diagonally.
    King,
    /// Moves two squares in one direction and one in the other.
    Knight,
}

type Square = (u64, u64);

macro_rules! constructors {
    ($($name:ident = $piece:ident;)*) => {$(
        #[doc = concat!("Reads `", stringify!($name), "(x, y)`.")]
        ///
        /// # Errors
        /// Arguments that are not two integers from 0 to 2^64 - 1.
        pub fn $name(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
            construct(CornerPiece::$piece, arguments)
        }
    )*};
}

constructors! {
    rook = Rook;
    queen = Queen;
    king = King;
    knight = Knight;
    wythoff = Wythoff;
}

fn construct(
    piece: CornerPiece,
    arguments: &Arguments<'_>,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let names = if piece == CornerPiece::Wythoff {
        ["a", "b"]
    } else {
        ["x", "y"]
    };
    let [Some((x_at, x)), Some((y_at, y))] = arguments.bind(names, 2)? else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let square = (
        number(x, &[x_at], 0, u64::MAX)?,
        number(y, &[y_at], 0, u64::MAX)?,
    );
    Ok(Term::new(piece, vec![square]).into())
}

/// Largest index k of the Wythoff pairs that an explanation lists.
const EXPLAINED_PAIRS: u64 = 12;

const ROOK_DIRECTIONS: &[Square] = &[(1, 0), (0, 1)];
const QUEEN_DIRECTIONS: &[Square] = &[(1, 0), (0, 1), (1, 1)];

impl CornerPiece {
    /// Returns the directions in which the piece moves. The king takes one step in such a
    /// direction, and other pieces take any number of steps. The list is empty for a knight.
    fn directions(self) -> &'static [Square] {
        match self {
            Self::Rook => ROOK_DIRECTIONS,
            Self::Knight => &[],
            Self::Queen | Self::Wythoff | Self::King => QUEEN_DIRECTIONS,
        }
    }

    /// Visits the move of the piece to the square (x, y).
    fn visit_square(self, (x, y): Square, visit: Visit<'_, Square>) -> Flow {
        visit(&[(x, y)], &|| {
            let step = match self {
                Self::Wythoff => Step::new("leave").with("heaps", vec![x, y]),
                _ => Step::new("walk").with("x", x).with("y", y),
            };
            Move::new([x, y], step)
        })
    }
}

/// Returns the k-th pair of Wythoff's theorem. Returns `None` if its larger number exceeds 64 bits.
fn wythoff_pair(k: u64) -> Option<Square> {
    // For larger k the pair exceeds 2^64, and 5 k^2 would exceed 2^128.
    if k > 7_046_029_254_386_353_131 {
        return None;
    }
    let wide = u128::from(k);
    // floor(k phi) without floating point: k phi = (k + sqrt(5 k^2)) / 2, and taking the floor of
    // the root first does not change the floor of the whole.
    let a = u64::try_from(u128::midpoint(wide, (5 * wide * wide).isqrt())).ok()?;
    Some((a, a.checked_add(k)?))
}

/// Returns whether a position is a P-position of the queen.
fn is_wythoff_pair((x, y): Square) -> bool {
    // The numbers of the k-th pair differ by k, so the difference determines the only candidate.
    wythoff_pair(x.abs_diff(y)).is_some_and(|(a, _)| a == x.min(y))
}

/// Returns the other number of the Wythoff pair that contains `n`. Every positive number is in
/// exactly one pair. Returns `None` if the other number exceeds 64 bits.
fn partner(n: u64) -> Option<u64> {
    // Both members of the pairs increase with k, so a binary search finds `n` in either sequence.
    let find = |side: &dyn Fn(Square) -> u64| {
        let (mut low, mut high) = (0, 7_046_029_254_386_353_132_u64);
        while low < high {
            let middle = u64::midpoint(low, high);
            match wythoff_pair(middle) {
                Some(pair) if side(pair) < n => low = middle + 1,
                _ => high = middle,
            }
        }
        wythoff_pair(low).filter(|&pair| side(pair) == n)
    };
    find(&|pair| pair.0)
        .map(|pair| pair.1)
        .or_else(|| find(&|pair| pair.1).map(|pair| pair.0))
}

impl Ruleset for CornerPiece {
    type Part = Square;

    fn name(&self) -> &'static str {
        match self {
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::Wythoff => "wythoff",
            Self::King => "king",
            Self::Knight => "knight",
        }
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Square> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            value_table: matches!(self, Self::Queen | Self::Wythoff).then_some(Tabulation {
                table: || Box::new(Slider::new(QUEEN_DIRECTIONS)),
                complete: true,
            }),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, &(x, y): &Square, visit: Visit<'_, Square>) -> Flow {
        if *self == Self::Knight {
            return [(-2, 1), (-2, -1), (1, -2), (-1, -2)]
                .into_iter()
                .try_for_each(|(dx, dy)| {
                    match (x.checked_add_signed(dx), y.checked_add_signed(dy)) {
                        (Some(x), Some(y)) => self.visit_square((x, y), visit),
                        _ => ControlFlow::Continue(()),
                    }
                });
        }
        self.directions().iter().try_for_each(|&(dx, dy)| {
            let room = if dx == 0 {
                y
            } else if dy == 0 {
                x
            } else {
                x.min(y)
            };
            let most = if *self == Self::King {
                room.min(1)
            } else {
                room
            };
            // Long moves come first.
            (1..=most)
                .rev()
                .try_for_each(|steps| self.visit_square((x - dx * steps, y - dy * steps), visit))
        })
    }

    fn write(&self, parts: &[Square]) -> String {
        call(self.name(), parts.iter().flat_map(|&(x, y)| [x, y]))
    }
}

impl Theorems<Square> for CornerPiece {
    fn grundy(&self, &(x, y): &Square) -> Option<ByTheorem<u64>> {
        match self {
            Self::Rook => Some(ByTheorem {
                value: x ^ y,
                theorem: &BOUTON,
            }),
            Self::King => Some(ByTheorem {
                value: 2 * (x.min(y) % 2) + (x ^ y) % 2,
                theorem: &KING,
            }),
            _ => None,
        }
    }

    fn outcome(&self, &(x, y): &Square, play: Play) -> Option<ByTheorem<Outcome>> {
        // Both theorems are about normal play only.
        let (losing, theorem) = match (self, play) {
            (Self::Queen | Self::Wythoff, Play::Normal) => (is_wythoff_pair((x, y)), &WYTHOFF),
            (Self::Knight, Play::Normal) => (x % 4 < 2 && y % 4 < 2, &KNIGHT),
            _ => return None,
        };
        Some(ByTheorem {
            value: Outcome::from_win(!losing),
            theorem,
        })
    }
}

impl Shortcuts<Square> for CornerPiece {
    fn options_to(
        &self,
        _: usize,
        &(x, y): &Square,
        goal: Goal,
        visit: Visit<'_, Square>,
    ) -> Option<Flow> {
        let mut targets = Vec::new();
        match (self, goal) {
            (Self::Rook, Goal::Grundy(value)) => targets = vec![(value ^ y, y), (x, value ^ x)],
            (Self::Queen | Self::Wythoff, Goal::P(Play::Normal)) => {
                // A row and a column contain one P-position each, and a diagonal at most one. The
                // partner of 0 is 0.
                targets.extend(partner(y).or((y == 0).then_some(0)).map(|x| (x, y)));
                targets.extend(partner(x).or((x == 0).then_some(0)).map(|y| (x, y)));
                let diagonal = wythoff_pair(x.abs_diff(y));
                targets.extend(diagonal.map(|(a, b)| if x <= y { (a, b) } else { (b, a) }));
            }
            _ => return None,
        }
        targets.retain(|&(to_x, to_y)| to_x <= x && to_y <= y && (to_x, to_y) != (x, y));
        targets.dedup();
        Some(
            targets
                .into_iter()
                .try_for_each(|square| self.visit_square(square, visit)),
        )
    }
}

impl Teaching<Square> for CornerPiece {
    fn theorem_application(&self, &(x, y): &Square, play: Play) -> Option<Step> {
        let (least, most) = (x.min(y), x.max(y));
        let step = |code| Step::new(code).with("x", x).with("y", y);
        Some(match (self, play) {
            (Self::Rook, _) => step("rook_heaps").with("value", x ^ y),
            (Self::King, Play::Normal) => {
                let code = match (least % 2, most % 2) {
                    (0, 0) => "king_even",
                    (1, 1) => "king_odd",
                    (0, _) if least == 0 => "king_on_the_edge",
                    (0, _) => "king_least_even",
                    _ => "king_least_odd",
                };
                let value = self.grundy(&(x, y))?.value;
                step(code).with("least", least).with("value", value)
            }
            (Self::Knight, Play::Normal) => {
                let losing = x % 4 < 2 && y % 4 < 2;
                step(if losing { "knight_p" } else { "knight_n" })
                    .with("x_mod_4", x % 4)
                    .with("y_mod_4", y % 4)
            }
            (Self::Queen | Self::Wythoff, Play::Normal) => {
                let k = most - least;
                let pair = wythoff_pair(k);
                if pair == Some((least, most)) {
                    return Some(
                        step("wythoff_pair")
                            .with("k", k)
                            .with("a", least)
                            .with("b", most),
                    );
                }
                let pairs = || (0..=EXPLAINED_PAIRS).map_while(wythoff_pair);
                // A short list of pairs is part of the explanation. If the list is long, the
                // explanation names only the two pairs that decide.
                let pairs_listed: Vec<String> = pairs()
                    .take_while(|&(a, _)| a <= least)
                    .map(|(a, b)| format!("({a}, {b})"))
                    .collect();
                if pairs_listed.len() as u64 <= EXPLAINED_PAIRS {
                    step("wythoff_pairs").with("pairs", pairs_listed)
                } else {
                    let (a, b) = pair?;
                    let of_number = partner(least)?;
                    step("wythoff_far")
                        .with("k", k)
                        .with("a", a)
                        .with("b", b)
                        .with("least", least)
                        .with("partner", of_number)
                }
            }
            _ => return None,
        })
    }

    fn longest_play(&self, &(x, y): &Square) -> Option<u128> {
        match self {
            Self::Knight => None,
            _ => Some(u128::from(x) + u128::from(y)),
        }
    }
}

impl Pictures<Square> for CornerPiece {
    fn picture(&self, parts: &[Square]) -> Picture {
        match (self, parts) {
            (Self::Wythoff, [(a, b)]) => Picture::HeapsTogether(vec![*a, *b]),
            (_, [(x, y)]) => Picture::Piece(*x, *y),
            _ => Picture::Text(self.write(parts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wythoff_pairs_partition_the_numbers_up_to_64_bits() {
        let mut seen = [false; 2000];
        for k in 1..700 {
            let (a, b) = wythoff_pair(k).unwrap();
            for n in [a, b].into_iter().filter(|&n| n < 1800) {
                assert!(!std::mem::replace(&mut seen[n as usize], true));
                assert_eq!(partner(n), Some(a + b - n));
            }
        }
        // Wythoff's theorem: every positive number is in exactly one pair. Pairs up to k = 699
        // cover all numbers below floor(700 phi) = 1132.
        assert!(seen[1..1100].iter().all(|&s| s));
        // The last pairs of 64-bit numbers, where the arithmetic is closest to overflow.
        let (a, b) = wythoff_pair(7_046_029_254_386_353_130).unwrap();
        assert!(is_wythoff_pair((a, b)) && !is_wythoff_pair((a - 1, b)) && b > u64::MAX - 10);
        assert!(!is_wythoff_pair((u64::MAX - 1, u64::MAX)));
    }
}
