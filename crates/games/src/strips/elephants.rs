//! Elephants and Rhinos: `elephants(strip)`.
//!
//! Rules. A strip of squares holds elephants `E`, rhinos `R` and free squares `.`. Left moves an
//! elephant one square to the right, Right a rhino one square to the left, onto a free square.
//! Whoever cannot move loses (A. N. Siegel, Combinatorial Game Theory, 2013, and the ruleset of
//! CGSuite).
//!
//! Decomposition. A rhino and an elephant to its right walk away from each other, so the strip
//! splits between them into groups. A group has elephants that face rhinos, elephants that face the
//! right end of the strip, or rhinos that face the left end. In a group, only the foremost elephant
//! borders on the gap ahead. Each elephant behind it has one free move for every free square
//! between it and the foremost elephant. The opponent cannot take these moves away. A step of the
//! foremost elephant into the gap gives each elephant behind it one more free move. The same holds
//! for rhinos. Hence a group is the sum of Left's free moves, Right's free moves and a contest. In
//! the contest, a elephants and b rhinos face each other over a gap of d squares. There is no free
//! square between two elephants or between two rhinos. A step of the foremost elephant reduces the
//! gap to d - 1, and it adds a - 1 free moves. The decomposition holds move by move, and therefore
//! in misère play, too. Animals that face the end of the strip have only free moves. The pair `ER`
//! can never move, and it blocks the animals behind it.
//!
//! Theorem. Let p = a - 1 and q = b - 1. The contest over an even gap is the number d/2 (p - q).
//! The contest over an odd gap is (d - 1)/2 (p - q) + {p | -q}.
//!
//! Proof, by induction on d. The contest is G = {p + G' | G' - q}, where G' is the contest over d -
//! 1 squares. If d is odd, G' is a number by the statement for even gaps. Since {p | -q} is not a
//! number, it follows that {p + G' | G' - q} = G' + {p | -q}. If d is even, let k = (d - 2)/2 (p -
//! q). Then G' = k + {p | -q} and G = {k + p + {p | -q} | k - q + {p | -q}}. From Left's option,
//! Right can move to k + p - q. From Right's option, Left can move to the same number. Hence the
//! number k + p - q is not <= Left's option and not >= Right's option. A smaller number is below
//! Left's option, since Right has no better move in that option. A larger number is above Right's
//! option, since Left has no better move in that option. So G = k + p - q, the only number that
//! fits.

use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use crate::kit::strip;
use grundy_base::Diagnostic;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Bounds, ByTheorem, Capabilities, Nature, Negation, Pictures, Ruleset, Teaching, Theorem,
    Theorems, Visit,
};

/// The theorem on the values of free moves and of contests over even gaps.
pub const GAPS: Theorem = Theorem {
    method: "even gaps",
    name: "free moves and even gaps",
    statement: "p elephants that face q rhinos across an even gap of d squares have value d/2 \
                (p - q); each animal behind them has one free move for every free square ahead \
                of it in its group",
    source: "by induction on the gap: the second player answers every step into it",
};

/// The rules of Elephants and Rhinos. A position is a sum of strips of `E`, `R` and `.`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Elephants;

/// Consecutive elephants that face consecutive rhinos over a gap of free squares.
#[derive(Clone, Copy, Debug, Default)]
struct Contest {
    elephants: i64,
    gap: i64,
    rhinos: i64,
}

impl Contest {
    /// Returns a lower and an upper bound on the value.
    fn bounds(self) -> [i64; 2] {
        let (p, q) = (self.elephants - 1, self.rhinos - 1);
        let even = self.gap / 2 * (p - q);
        if self.gap % 2 == 0 {
            [even, even]
        } else {
            // The switch {p | -q} is confused with p and with -q, and lies strictly between -q - 1
            // and p + 1.
            [even - q - 1, even + p + 1]
        }
    }
}

/// The decomposition of a strip into contests and free moves.
#[derive(Debug, Default)]
struct Decomposition {
    contests: Vec<Contest>,
    /// Numbers of the free moves of Left and of Right, that is, moves that the other player cannot
    /// take away.
    free: [i64; 2],
}

impl Decomposition {
    // One pass from left to right. A strip splits between an R and a later E, so a group ends at
    // the first elephant after a rhino.
    fn of(strip: &[u8]) -> Self {
        let mut decomposition = Self::default();
        // The group that is being read: elephants, then rhinos. `gap` is the number of free squares
        // before the first rhino, even if the group has no elephants.
        let mut group = Contest::default();
        // `gaps_between_rhinos` counts the free squares between the rhinos so far, `gap_since_last`
        // those since the last animal.
        let (mut gaps_between_rhinos, mut gap_since_last) = (0, 0);
        for &square in strip {
            match square {
                b'E' => {
                    if group.rhinos > 0 {
                        decomposition.contests.push(std::mem::take(&mut group));
                    }
                    // Every earlier elephant of the group can cross these free squares one by one.
                    decomposition.free[0] += group.elephants * gap_since_last;
                    group.elephants += 1;
                    gap_since_last = 0;
                }
                b'R' => {
                    if group.rhinos == 0 {
                        (group.gap, gaps_between_rhinos) = (gap_since_last, 0);
                    } else {
                        gaps_between_rhinos += gap_since_last;
                    }
                    // A rhino can cross all free squares between itself and the first rhino.
                    decomposition.free[1] += gaps_between_rhinos;
                    group.rhinos += 1;
                    gap_since_last = 0;
                }
                _ => gap_since_last += 1,
            }
        }
        if group.rhinos == 0 {
            group.gap = gap_since_last;
        }
        decomposition.contests.push(group);
        // Animals of a group that faces the end of the strip can walk to the end.
        for group in &decomposition.contests {
            if group.rhinos == 0 {
                decomposition.free[0] += group.elephants * group.gap;
            } else if group.elephants == 0 {
                decomposition.free[1] += group.rhinos * group.gap;
            }
        }
        // Without animals on both sides, or without a gap, no move remains.
        decomposition
            .contests
            .retain(|group| group.elephants.min(group.gap).min(group.rhinos) > 0);
        decomposition
    }

    fn bounds(&self) -> [i64; 2] {
        let free = self.free[0] - self.free[1];
        self.contests.iter().fold([free; 2], |sum, contest| {
            let bounds = contest.bounds();
            [sum[0] + bounds[0], sum[1] + bounds[1]]
        })
    }
}

/// Returns a strip of elephants with exactly `moves` free moves. `moves` must be positive.
///
/// The numbers of elephants and of free squares are nearly equal, so that the strip is short.
fn free_elephants(moves: i64) -> Vec<u8> {
    // If s elephants have q free squares ahead, they have s q free moves. The remainder is less
    // than s, and this number of elephants is placed one square further back.
    let (moves, animals) = (moves as usize, moves.isqrt() as usize);
    let (squares, more) = (moves / animals, moves % animals);
    let mut strip = vec![b'E'; more];
    strip.extend((more > 0).then_some(b'.'));
    strip.resize(strip.len() + animals - more, b'E');
    strip.resize(strip.len() + squares, b'.');
    strip
}

/// Returns the mirrored strip with the players exchanged.
fn exchanged(strip: &[u8]) -> Vec<u8> {
    let mut exchanged = strip::exchanged(strip, [b'E', b'R']);
    exchanged.reverse();
    exchanged
}

/// Reads `elephants(strip)`.
///
/// # Errors
/// An argument that is not a string of `E`, `R` and `.`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::elephants};
/// // The step into the gap gives the other elephant or rhino of the player a free move.
/// let items = [(None, Argument::Text("EE.RR".to_owned()))];
/// let position = Position::from(elephants::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "+-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let help = message!("write E for an elephant, R for a rhino and . for a free square");
    let squares = strip::squares(arguments, "ER.", help)?;
    Ok(Arc::new(Term::new(Elephants, vec![squares])))
}

impl Ruleset for Elephants {
    type Part = Vec<u8>;

    fn name(&self) -> &'static str {
        "elephants"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Vec<u8>> {
        Capabilities {
            theorems: Some(self),
            bounds: Some(self),
            negation: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Vec<u8>) -> Nature {
        Nature::PARTIZAN
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        strip: &Vec<u8>,
        visit: Visit<'_, Vec<u8>>,
    ) -> Flow {
        let pairs = strip.windows(2).enumerate();
        let mut steps = pairs.filter_map(|(at, pair)| match (player, pair) {
            (Player::Left, b"E.") => Some((at, at + 1)),
            (Player::Right, b".R") => Some((at + 1, at)),
            _ => None,
        });
        steps.try_for_each(|(from, to)| {
            let mut after = strip.clone();
            after.swap(from, to);
            visit(&[after], &|| {
                let action = Step::new("slide").with("from", from).with("to", to);
                Move::new([from as u64, to as u64], action)
            })
        })
    }

    fn components(&self, strip: &Vec<u8>, visit: &mut dyn FnMut(Vec<u8>)) {
        let Decomposition { contests, free } = Decomposition::of(strip);
        for contest in contests {
            let squares = [
                (b'E', contest.elephants),
                (b'.', contest.gap),
                (b'R', contest.rhinos),
            ];
            let close = squares.map(|(square, count)| std::iter::repeat_n(square, count as usize));
            visit(close.into_iter().flatten().collect());
        }
        let [left, right] = free;
        if left > 0 {
            visit(free_elephants(left));
        }
        if right > 0 {
            visit(exchanged(&free_elephants(right)));
        }
    }

    fn write(&self, parts: &[Vec<u8>]) -> String {
        strip::write(self.name(), parts)
    }
}

impl Theorems<Vec<u8>> for Elephants {
    fn number(&self, strip: &Vec<u8>) -> Option<ByTheorem<Dyadic>> {
        let decomposition = Decomposition::of(strip);
        let even = decomposition
            .contests
            .iter()
            .all(|contest| contest.gap % 2 == 0);
        // For an even gap both bounds are the exact value.
        let [value, _] = decomposition.bounds();
        even.then_some(ByTheorem {
            value: Dyadic::new(value.into(), 0),
            theorem: &GAPS,
        })
    }
}

impl Bounds<Vec<u8>> for Elephants {
    fn bounds(&self, strip: &Vec<u8>) -> Option<[i64; 2]> {
        Some(Decomposition::of(strip).bounds())
    }
}

impl Negation<Vec<u8>> for Elephants {
    fn negative(&self, strip: &Vec<u8>) -> Option<Vec<u8>> {
        Some(exchanged(strip))
    }
}

impl Teaching<Vec<u8>> for Elephants {
    fn theorem_application(&self, strip: &Vec<u8>, play: Play) -> Option<Step> {
        self.number(strip).filter(|_| play == Play::Normal)?;
        let decomposition = Decomposition::of(strip);
        let facing = decomposition.contests.iter();
        let facing: Vec<String> = facing
            .map(|contest| {
                format!(
                    "{}/2 ({} - {})",
                    contest.gap, contest.elephants, contest.rhinos
                )
            })
            .collect();
        let [left, right] = decomposition.free.map(i64::unsigned_abs);
        let code = match &facing[..] {
            [] => "free_elephants",
            _ => "facing_elephants",
        };
        let step = Step::new(code).with("facing", facing);
        Some(step.with("left", left).with("right", right))
    }
}

impl Pictures<Vec<u8>> for Elephants {
    fn picture(&self, parts: &[Vec<u8>]) -> Picture {
        Picture::Lane(strip::joined(parts))
    }
}
