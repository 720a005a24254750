//! Clobber and Cannibal Clobber: `clobber(board)`, `cannibal_clobber(board)`.
//!
//! Rules. The board is a list of strings: `x` is a stone of Left, `o` a stone of Right. Squares
//! with `.` or `#` are empty. A player moves one of their stones onto an orthogonally adjacent
//! stone of the opponent, which is removed. In Cannibal Clobber a stone may also capture an
//! adjacent stone of the same colour. A player who cannot move loses (M. H. Albert, J. P. Grossman,
//! R. J. Nowakowski, D. Wolfe, An introduction to Clobber, INTEGERS 5(2) (2005), A1).
//!
//! Components. A move leads from a stone to a stone, so stones of different connected groups never
//! interact and the groups form a sum. Groups without a move are dropped: groups of one colour in
//! Clobber, single stones in Cannibal Clobber.
//!
//! Bounds, Clobber. Left can move if and only if Right can, since both need a pair of adjacent
//! stones of different colours. Hence every group G satisfies -1 <= G <= 1. In G + 1, Left answers
//! each move in the group with another move in the group. If the group has no move left, she uses
//! the move in 1, and then Right has no move either. Hence G + 1 >= 0. The other inequality is the
//! mirror image.
//!
//! Bounds, Cannibal Clobber. A move captures one stone of a group of s stones, and a move needs two
//! stones. Hence a player with a stone in the group has at most s - 1 moves, and a player without
//! one has none. If a player has at most m moves, the value for that player is at most m.
//!
//! Theorem. In Cannibal Clobber a connected group of s stones of one colour has value s - 1 for the
//! owner. A leaf of a spanning tree captures its parent, and the other stones stay connected.
//!
//! No closed form is known for the other groups. Their outcomes and values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::grid::{ORTHOGONAL, Symmetries};
use crate::kit::sides;
use crate::kit::stones::{FREE, STONES, Stones};
use grundy_base::Diagnostic;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    AllSmall, Bounds, ByTheorem, Capabilities, EveryOption, Nature, Negation, PacksSides, Pictures,
    Ruleset, Sides, Teaching, Theorem, Theorems, Visit,
};

/// The theorem on groups of one colour in Cannibal Clobber.
pub const ONE_COLOUR: Theorem = Theorem {
    method: "one colour",
    name: "groups of one colour",
    statement: "a connected group of s stones of one colour has value s - 1 for its owner, who \
                captures the leaves of a spanning tree first",
    source: "by induction on the stones",
};

/// The rules of Clobber or of Cannibal Clobber. Each part of a position is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Clobber {
    cannibal: bool,
}

/// Reads `clobber(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `x`, `o`, `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::clobber};
/// let rows = vec![Argument::Text("xxo".to_owned())];
/// let items = [(None, Argument::List(rows))];
/// let position = Position::from(clobber::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "^");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    read(arguments, false)
}

/// Reads `cannibal_clobber(board)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `x`, `o`, `.` and `#`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::clobber};
/// // Left has one move fewer than stones, and Right has no move.
/// let rows = vec![Argument::Text("xxxx".to_owned())];
/// let items = [(None, Argument::List(rows))];
/// let position = Position::from(clobber::cannibal_clobber(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cannibal_clobber(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    read(arguments, true)
}

fn read(arguments: &Arguments<'_>, cannibal: bool) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    Ok(Term::new(Clobber { cannibal }, vec![board]).into())
}

impl Clobber {
    /// Visits the moves of a player.
    ///
    /// In Cannibal Clobber, all captures of own stones by one stone lead to the same board: only
    /// the square of the moving stone becomes empty. If `all` is `false`, only the first of these
    /// captures is visited.
    fn moves(&self, player: Player, board: &Stones, all: bool, visit: Visit<'_, Stones>) -> Flow {
        let (own, other) = (player.of(STONES), player.other().of(STONES));
        for from in board.squares_with(own) {
            let mut own_captured = false;
            for to in board.neighbours(from, ORTHOGONAL) {
                let taken = board.letters()[to];
                // `again` is `true` from the second capture of an own stone onwards, unless all
                // moves are wanted.
                let again = taken == own && std::mem::replace(&mut own_captured, true) && !all;
                if taken == other || self.cannibal && taken == own && !again {
                    visit(&[board.with([(from, FREE), (to, own)])], &|| {
                        board.move_on_squares("clobber", [from, to])
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Ruleset for Clobber {
    type Part = Stones;

    fn name(&self) -> &'static str {
        if self.cannibal {
            "cannibal_clobber"
        } else {
            "clobber"
        }
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Stones> {
        // The packed search requires all-small games. Cannibal Clobber is not all-small, since
        // groups of one colour have integer values.
        const CLOBBER: Clobber = Clobber { cannibal: false };
        Capabilities {
            theorems: Some(self),
            bounds: Some(self),
            negation: Some(self),
            every_option: Some(self),
            teaching: Some(self),
            packs_sides: (!self.cannibal).then_some(&CLOBBER),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Stones) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, board: &Stones, visit: Visit<'_, Stones>) -> Flow {
        self.moves(player, board, false, visit)
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let stone = |letter| STONES.contains(&letter);
        board.components(stone, ORTHOGONAL, FREE, Symmetries::Eight, &mut |group| {
            if self.cannibal || STONES.iter().all(|stone| group.letters().contains(stone)) {
                visit(group);
            }
        });
    }

    fn write(&self, boards: &[Stones]) -> String {
        boards
            .iter()
            .map(|board| board.write(self.name()))
            .collect()
    }
}

impl Theorems<Stones> for Clobber {
    fn number(&self, board: &Stones) -> Option<ByTheorem<Dyadic>> {
        if !self.cannibal {
            return None;
        }
        let mut total = Some(0);
        self.components(board, &mut |group| {
            let [left, right] = STONES.map(|stone| group.count(stone));
            let moves = match (left, right) {
                (1.., 0) => Some(left - 1),
                (0, 1..) => Some(1 - right),
                _ => None,
            };
            // The theorem does not cover groups of both colours. If there is one, `total` becomes
            // `None`.
            total = total.zip(moves).map(|(total, moves)| total + moves);
        });
        Some(ByTheorem {
            value: Dyadic::new(total?.into(), 0),
            theorem: &ONE_COLOUR,
        })
    }
}

impl Bounds<Stones> for Clobber {
    fn bounds(&self, group: &Stones) -> Option<[i64; 2]> {
        if !self.cannibal {
            return Some([-1, 1]);
        }
        let [left, right] = STONES.map(|stone| group.count(stone));
        let most = |own: i64| if own > 0 { left + right - 1 } else { 0 };
        Some([-most(right), most(left)])
    }
}

impl Negation<Stones> for Clobber {
    fn negative(&self, group: &Stones) -> Option<Stones> {
        Some(group.exchanged())
    }
}

impl EveryOption<Stones> for Clobber {
    fn every_option(
        &self,
        player: Player,
        _: usize,
        board: &Stones,
        visit: Visit<'_, Stones>,
    ) -> Flow {
        self.moves(player, board, true, visit)
    }
}

impl Teaching<Stones> for Clobber {
    fn theorem_application(&self, board: &Stones, play: Play) -> Option<Step> {
        self.number(board).filter(|_| play == Play::Normal)?;
        let mut moves = [0, 0];
        self.components(board, &mut |group| {
            for (moves, stone) in moves.iter_mut().zip(STONES) {
                *moves += u64::try_from(group.count(stone) - 1).unwrap_or(0);
            }
        });
        let [left, right] = moves;
        Some(
            Step::new("groups_of_one_colour")
                .with("left", left)
                .with("right", right),
        )
    }
}

impl PacksSides<Stones> for Clobber {
    fn pack(&self, group: &Stones) -> Option<Sides> {
        group.sides()
    }
}

impl AllSmall for Clobber {
    fn negative(&self, group: Sides) -> Sides {
        sides::least_within(group.exchanged(), group.all())
    }

    fn options(&self, group: Sides, visit: &mut dyn FnMut(&[Sides]) -> Flow) -> Flow {
        let Sides { own, other, stride } = group;
        let steps = sides::steps(stride);
        let mut groups = Vec::with_capacity(4);
        let mut stones = own & steps.neighbours(other);
        while stones != 0 {
            let from = stones & stones.wrapping_neg();
            stones ^= from;
            let mut taken = steps.neighbours(from) & other;
            while taken != 0 {
                let to = taken & taken.wrapping_neg();
                taken ^= to;
                let next = Sides {
                    own: other ^ to,
                    other: own ^ from | to,
                    stride,
                };
                groups.clear();
                // Only groups with adjacent stones of different colours have moves. Each such group
                // has a stone of the next player that touches a stone of the opponent, and this
                // stone is a seed.
                let meeting = next.own & steps.neighbours(next.other);
                steps.groups(meeting, next.all(), false, |group| {
                    groups.push(sides::least_within(next, group));
                });
                visit(&groups)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the number of pairs of adjacent stones of different colours.
    fn moves(&self, group: Sides) -> u32 {
        let Sides { own, other, stride } = group;
        let steps = sides::steps(stride);
        let pairs = |one: u64, beside: u64| (one & beside).count_ones();
        pairs(own, steps.right(other))
            + pairs(other, steps.right(own))
            + pairs(own, steps.below(other))
            + pairs(other, steps.below(own))
    }

    fn size(&self, group: Sides) -> u32 {
        group.all().count_ones()
    }
}

impl Pictures<Stones> for Clobber {
    fn picture(&self, boards: &[Stones]) -> Picture {
        Stones::picture(boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;

    /// Checks that the moves on packed groups (groups of stones stored as sets of bits) agree with
    /// the moves on boards of letters. The groups have any shape and any orientation.
    #[test]
    fn packed_moves_agree_with_letter_moves() {
        let mut random = fastrand::Rng::with_seed(11);
        // Heights, widths and numbers of empty squares. Rows of more than 8 squares are packed
        // without gaps, shorter rows 8 bits apart. Both cases occur.
        let shapes = [
            (1, 1, 2),
            (1, 9, 1),
            (2, 2, 5),
            (5, 6, 3),
            (8, 8, 2),
            (2, 17, 4),
            (3, 21, 1),
            (17, 2, 3),
            (1, 64, 1),
            (4, 16, 2),
            (7, 9, 2),
        ];
        let (mut groups, mut moves) = (0, 0);
        for round in 0..40 {
            for (height, width, holes) in shapes {
                let letters = ["xxooxoxo", "xo......"][usize::from(round % 4 == 3)];
                let letters: Vec<char> = letters.chars().chain(vec!['.'; holes]).collect();
                let mut row = |_| {
                    let mut letter = |_| letters[random.usize(..letters.len())];
                    (0..width).map(&mut letter).collect::<String>()
                };
                let rows: Vec<String> = (0..height).map(&mut row).collect();
                let text = format!("{rows:?}");
                let rows = rows.into_iter().map(Argument::Text).collect();
                let items = &[(None, Argument::List(rows))];
                let board = Stones::read(&Arguments { items }, ".xo#", &Stones::help()).unwrap();
                let rules = Clobber { cannibal: false };
                let mut parts = Vec::new();
                rules.components(&board, &mut |group| parts.push(group));
                for group in parts {
                    groups += 1;
                    let packed = rules.pack(&group).unwrap();
                    assert_eq!(rules.pack(&group.transposed()), Some(packed), "{text}");
                    let negative = rules.pack(&group.exchanged()).unwrap();
                    assert_eq!(AllSmall::negative(&rules, packed), negative, "{text}");
                    for (player, packed) in [(Player::Left, packed), (Player::Right, negative)] {
                        let mut expected: Vec<Vec<Sides>> = Vec::new();
                        let all = &mut |after: &[_], _: &dyn Fn() -> _| {
                            let mut parts = Vec::new();
                            rules.components(&after[0], &mut |part| {
                                let seen = rules.pack(&part).unwrap();
                                // Options are packed as the next player sees them.
                                parts.push(match player {
                                    Player::Left => AllSmall::negative(&rules, seen),
                                    Player::Right => seen,
                                });
                            });
                            parts.sort_unstable();
                            expected.push(parts);
                            ControlFlow::Continue(())
                        };
                        assert!(Ruleset::options(&rules, player, 0, &group, all).is_continue());
                        let mut found: Vec<Vec<Sides>> = Vec::new();
                        let flow = AllSmall::options(&rules, packed, &mut |after| {
                            let mut parts = after.to_vec();
                            parts.sort_unstable();
                            found.push(parts);
                            ControlFlow::Continue(())
                        });
                        assert!(flow.is_continue());
                        expected.sort_unstable();
                        found.sort_unstable();
                        assert_eq!(found, expected, "{text}");
                        assert_eq!(AllSmall::moves(&rules, packed) as usize, found.len());
                        moves += found.len();
                    }
                }
            }
        }
        assert!(groups > 500 && moves > 5_000, "{groups} and {moves}");
    }
}
