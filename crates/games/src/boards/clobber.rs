//! Clobber and Cannibal Clobber: `clobber(board)`, `cannibal_clobber(board)`.
//!
//! Rules. The board is a list of strings, `x` for a stone of Left, `o` for one of Right; all other
//! squares, `.` and `#`, hold none. A move takes a neighbouring stone of the other player, above,
//! below or beside, with one of one's own, which then stands in its place. In Cannibal Clobber a
//! stone may take a neighbour of its own colour, too. Whoever cannot move loses (M. H. Albert, J.
//! P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to Clobber, INTEGERS 5(2) (2005), A1).
//!
//! Stones that are not connected never meet, for a move leads from a stone to a stone: the groups
//! add up, and those that hold no move are gone: in Clobber groups of one colour, in Cannibal
//! Clobber stones that stand alone.
//!
//! Bounds. In Clobber, where Left can move Right can: both take along the same pair of unlike
//! neighbours. So a group G is worth at least -1: in G + 1 Left answers a move in G by one in G as
//! long as there is one, and when there is none Right has none either, in 1 never had one, and
//! loses. Likewise it is at most 1. In Cannibal Clobber a move takes one stone of a group of s, and
//! none is made without two: with a stone of one's own there are at most s - 1 moves, without there
//! are none, and who can make at most m moves does not win more than m.
//!
//! Theorem. In Cannibal Clobber a group of s stones of one colour is worth s - 1 moves of theirs: a
//! stone at the end of a branch of a tree that spans the group takes the one before it, and the
//! others stay connected.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::grid::{Images, STRAIGHT};
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

/// Groups of one colour among cannibals.
pub const ONE_COLOUR: Theorem = Theorem {
    method: "one colour",
    name: "groups of one colour",
    statement: "s connected stones of one colour are s - 1 moves of their player, who takes the ends of branches first",
    source: "by induction on the stones",
};

/// The rules of Clobber, or of Cannibal Clobber; a part is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Clobber {
    cannibal: bool,
}

/// Reads `clobber(board)`.
///
/// # Errors
/// Anything but strings of `x`, `o`, `.` and `#` of one length.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    read(arguments, false)
}

/// Reads `cannibal_clobber(board)`.
///
/// # Errors
/// Anything but strings of `x`, `o`, `.` and `#` of one length.
pub fn cannibal_clobber(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    read(arguments, true)
}

fn read(arguments: &Arguments<'_>, cannibal: bool) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    Ok(Term::new(Clobber { cannibal }, vec![board]).into())
}

impl Clobber {
    /// Visits the moves. Whichever stone of its own colour a stone takes, it is its own square that
    /// becomes free: these moves are one option, that of the first.
    fn moves(&self, player: Player, board: &Stones, all: bool, visit: Visit<'_, Stones>) -> Flow {
        let (own, other) = (player.of(STONES), player.other().of(STONES));
        for from in board.holding(own) {
            let mut left = false;
            for to in board.near(from, STRAIGHT) {
                let taken = board.letters()[to];
                let again = taken == own && std::mem::replace(&mut left, true) && !all;
                if taken == other || self.cannibal && taken == own && !again {
                    visit(&[board.with([(from, FREE), (to, own)])], &|| {
                        board.named("clobber", [from, to])
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
        const USUAL: Clobber = Clobber { cannibal: false };
        Capabilities {
            theorems: Some(self),
            bounds: Some(self),
            negation: Some(self),
            every_option: Some(self),
            teaching: Some(self),
            packs_sides: (!self.cannibal).then_some(&USUAL),
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
        board.parts(stone, STRAIGHT, FREE, Images::Eight, &mut |group| {
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
    fn reckon(&self, board: &Stones, play: Play) -> Option<Step> {
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
        let rows = sides::rows(stride);
        let mut left = Vec::with_capacity(4);
        let mut stones = own & rows.near(other);
        while stones != 0 {
            let from = stones & stones.wrapping_neg();
            stones ^= from;
            let mut taken = rows.near(from) & other;
            while taken != 0 {
                let to = taken & taken.wrapping_neg();
                taken ^= to;
                let next = Sides {
                    own: other ^ to,
                    other: own ^ from | to,
                    stride,
                };
                left.clear();
                let meeting = next.own & rows.near(next.other);
                rows.groups(meeting, next.all(), false, |group| {
                    left.push(sides::least_within(next, group));
                });
                visit(&left)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Pairs of unlike neighbours.
    fn moves(&self, group: Sides) -> u32 {
        let Sides { own, other, stride } = group;
        let rows = sides::rows(stride);
        let pairs = |one: u64, beside: u64| (one & beside).count_ones();
        pairs(own, rows.right(other))
            + pairs(other, rows.right(own))
            + pairs(own, rows.below(other))
            + pairs(other, rows.below(own))
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

    /// Boards of stones as words have the moves that they have as letters, of any shape and turned
    /// in any way.
    #[test]
    fn words_have_the_moves_of_letters() {
        let mut random = fastrand::Rng::with_seed(11);
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
                        let mut right: Vec<Vec<Sides>> = Vec::new();
                        let all = &mut |left: &[_], _: &dyn Fn() -> _| {
                            let mut parts = Vec::new();
                            rules.components(&left[0], &mut |part| {
                                let seen = rules.pack(&part).unwrap();
                                // It is Left's turn in all that is packed.
                                parts.push(match player {
                                    Player::Left => AllSmall::negative(&rules, seen),
                                    Player::Right => seen,
                                });
                            });
                            parts.sort_unstable();
                            right.push(parts);
                            ControlFlow::Continue(())
                        };
                        assert!(Ruleset::options(&rules, player, 0, &group, all).is_continue());
                        let mut found: Vec<Vec<Sides>> = Vec::new();
                        let flow = AllSmall::options(&rules, packed, &mut |left| {
                            let mut parts = left.to_vec();
                            parts.sort_unstable();
                            found.push(parts);
                            ControlFlow::Continue(())
                        });
                        assert!(flow.is_continue());
                        right.sort_unstable();
                        found.sort_unstable();
                        assert_eq!(found, right, "{text}");
                        assert_eq!(AllSmall::moves(&rules, packed) as usize, found.len());
                        moves += found.len();
                    }
                }
            }
        }
        assert!(groups > 500 && moves > 5_000, "{groups} and {moves}");
    }
}
