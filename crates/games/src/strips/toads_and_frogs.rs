//! Toads and Frogs: `toads_and_frogs(strip)`.
//!
//! Rules. A strip of squares holds toads `T`, frogs `F` and empty squares `.`. Left moves a toad to
//! the right, Right a frog to the left. A piece steps onto an empty square, or jumps over one piece
//! of the opponent onto the empty square behind it. Whoever cannot move loses (E. R. Berlekamp, J.
//! H. Conway, R. K. Guy, Winning Ways, 1982, chapters 1 and 5).
//!
//! Decomposition. The block `TTFF` is stuck: no piece can leave or cross it, so the strip splits
//! there. Frogs at the left end and toads at the right end never move again.
//!
//! Theorem. If no frog is to the right of a toad, the pieces cannot interact. The value is the
//! number of steps available to the toads less the number available to the frogs.
//!
//! The values of other positions come from search.

use std::ops::ControlFlow;
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

/// The theorem on strips on which all pieces have passed each other.
pub const FREE: Theorem = Theorem {
    method: "free moves",
    name: "free moves",
    statement: "pieces that cannot meet have as many moves as there are empty squares ahead of \
                them; the value is the number of Left's moves minus the number of Right's",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 1",
};

/// The rules of Toads and Frogs. A position is a sum of strips of `T`, `F` and `.`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ToadsAndFrogs;

/// Reads `toads_and_frogs(strip)`.
///
/// # Errors
/// An argument that is not a string of `T`, `F` and `.`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::toads_and_frogs};
/// let items = [(None, Argument::Text("T.F".to_owned()))];
/// let position = Position::from(toads_and_frogs::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let help = message!("write T for a toad, F for a frog and . for an empty square");
    let squares = strip::squares(arguments, "TF.", help)?;
    Ok(Arc::new(Term::new(ToadsAndFrogs, vec![squares])))
}

/// Returns the total number of steps that the pieces with the letter `piece` can make. Squares are
/// listed in the direction of movement.
///
/// A piece makes one step for each free square ahead. If `barrier` is `false`, each piece of the
/// opponent ahead counts as a free square.
fn steps(squares: impl Iterator<Item = u8>, piece: u8, barrier: bool) -> i64 {
    let (mut pieces, mut steps) = (0, 0);
    for square in squares {
        match square {
            b'.' => steps += pieces,
            square if square == piece => pieces += 1,
            // Pieces of one player keep their order. So a piece advances at most by the number of
            // squares ahead without a piece of that player. An upper bound must therefore count
            // squares with pieces of the opponent, too.
            _ if barrier => {}
            _ => steps += pieces,
        }
    }
    steps
}

impl Ruleset for ToadsAndFrogs {
    type Part = Vec<u8>;

    fn name(&self) -> &'static str {
        "toads_and_frogs"
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

    fn nature(&self, _: &Self::Part) -> Nature {
        Nature::PARTIZAN
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        strip: &Vec<u8>,
        visit: Visit<'_, Vec<u8>>,
    ) -> Flow {
        let (piece, opponent) = match player {
            Player::Left => (b'T', b'F'),
            Player::Right => (b'F', b'T'),
        };
        let ahead = |from: usize, by: usize| match player {
            Player::Left => Some(from + by).filter(|&to| to < strip.len()),
            Player::Right => from.checked_sub(by),
        };
        let with_piece = |square: Option<usize>, piece| square.filter(|&at| strip[at] == piece);
        (0..strip.len())
            .filter(|&from| strip[from] == piece)
            .try_for_each(|from| {
                // A piece has at most one move: it jumps only if the next square is occupied.
                let step = with_piece(ahead(from, 1), b'.').map(|to| (to, "slide"));
                let jump = || {
                    with_piece(ahead(from, 1), opponent)?;
                    with_piece(ahead(from, 2), b'.').map(|to| (to, "jump"))
                };
                let Some((to, code)) = step.or_else(jump) else {
                    return ControlFlow::Continue(());
                };
                let mut after = strip.clone();
                after.swap(from, to);
                visit(&[after], &|| {
                    let action = Step::new(code).with("from", from).with("to", to);
                    Move::new([from as u64, to as u64], action)
                })
            })
    }

    fn components(&self, strip: &Vec<u8>, visit: &mut dyn FnMut(Vec<u8>)) {
        let mut rest = &strip[..];
        while !rest.is_empty() {
            let blocked_at = rest.windows(4).position(|four| four == b"TTFF");
            // The block acts as an end of the strip for both parts. Pieces that cannot move at such
            // an end are removed below.
            let (mut part, after) = match blocked_at {
                Some(at) => (&rest[..at], &rest[at + 4..]),
                None => (rest, &rest[rest.len()..]),
            };
            while let [b'F', inner @ ..] | [inner @ .., b'T'] = part {
                part = inner;
            }
            // Without pieces or without empty squares there is no move.
            if part.iter().any(|&square| square != b'.') && part.contains(&b'.') {
                visit(part.to_vec());
            }
            rest = after;
        }
    }

    fn write(&self, parts: &[Vec<u8>]) -> String {
        strip::write(self.name(), parts)
    }
}

impl Theorems<Vec<u8>> for ToadsAndFrogs {
    fn number(&self, strip: &Vec<u8>) -> Option<ByTheorem<Dyadic>> {
        // If the leftmost toad is to the right of the rightmost frog, no two pieces face each
        // other.
        let toad = strip.iter().position(|&square| square == b'T');
        let frog = strip.iter().rposition(|&square| square == b'F');
        if let (Some(toad), Some(frog)) = (toad, frog)
            && toad < frog
        {
            return None;
        }
        let squares = || strip.iter().copied();
        let value = steps(squares(), b'T', true) - steps(squares().rev(), b'F', true);
        Some(ByTheorem {
            value: Dyadic::integer(value),
            theorem: &FREE,
        })
    }
}

impl Bounds<Vec<u8>> for ToadsAndFrogs {
    fn bounds(&self, strip: &Vec<u8>) -> Option<[i64; 2]> {
        let squares = || strip.iter().copied();
        Some([
            -steps(squares().rev(), b'F', false),
            steps(squares(), b'T', false),
        ])
    }
}

impl Negation<Vec<u8>> for ToadsAndFrogs {
    fn negative(&self, strip: &Vec<u8>) -> Option<Vec<u8>> {
        let mut exchanged = strip::exchanged(strip, [b'T', b'F']);
        exchanged.reverse();
        Some(exchanged)
    }
}

impl Teaching<Vec<u8>> for ToadsAndFrogs {
    fn theorem_application(&self, strip: &Vec<u8>, play: Play) -> Option<Step> {
        self.number(strip).filter(|_| play == Play::Normal)?;
        let squares = || strip.iter().copied();
        let toads = steps(squares(), b'T', true).unsigned_abs();
        let frogs = steps(squares().rev(), b'F', true).unsigned_abs();
        Some(
            Step::new("free_toads")
                .with("toads", toads)
                .with("frogs", frogs),
        )
    }
}

impl Pictures<Vec<u8>> for ToadsAndFrogs {
    fn picture(&self, parts: &[Vec<u8>]) -> Picture {
        Picture::Lane(strip::joined(parts))
    }
}
