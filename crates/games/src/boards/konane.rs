//! Konane: `konane(board)`.
//!
//! Rules. The board is a list of strings: `x` is a stone of Left, `o` one of Right, `.` a free
//! square, `#` one that is out of play. A stone jumps over a stone of the other player that stands
//! beside it, above or below, onto the free square just behind, and takes it. It may go on in the
//! same direction over further stones, each with a free square behind, and stop after any jump.
//! Whoever cannot move loses. The two stones that are taken away before the first jump are left to
//! those who set up the board (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982; M. D.
//! Ernst, Playing Konane mathematically, The UMAP Journal 16 (1995), 95-121).
//!
//! No jump leads over or onto a square out of play, so regions of squares that are connected
//! without these add up, and those in which nobody can jump are gone.
//!
//! Bounds. Every jump takes a stone of the other player: nobody has more moves ahead than the other
//! has stones.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::grid::{Images, STRAIGHT};
use crate::kit::stones::{BLOCKED, FREE, STONES, Stones, is_alive};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rules of Konane; a part is a board.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Konane;

/// Reads `konane(board)`.
///
/// # Errors
/// Anything but strings of `x`, `o`, `.` and `#` of one length.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let board = Stones::read(arguments, ".xo#", &Stones::help())?;
    Ok(Term::new(Konane, vec![board]).into())
}

impl Ruleset for Konane {
    type Part = Stones;

    fn name(&self) -> &'static str {
        "konane"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Stones> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Stones) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, board: &Stones, visit: Visit<'_, Stones>) -> Flow {
        let (own, other) = (player.of(STONES), player.other().of(STONES));
        for from in board.holding(own) {
            for &way in STRAIGHT {
                let (mut after, mut stands) = (None::<Stones>, from);
                while let Some(over) = board.step(stands, way)
                    && board.letters()[over] == other
                    && let Some(to) = board.step(over, way)
                    && board.letters()[to] == FREE
                {
                    // Most stones cannot jump in most directions: a board is copied for jumps only.
                    let before = after.as_ref().unwrap_or(board);
                    let jumped = before.with([(stands, FREE), (over, FREE), (to, own)]);
                    visit(std::slice::from_ref(&jumped), &|| {
                        board.named("jump_over", [from, to])
                    })?;
                    (after, stands) = (Some(jumped), to);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn components(&self, board: &Stones, visit: &mut dyn FnMut(Stones)) {
        let square = |letter| letter != BLOCKED;
        board.parts(square, STRAIGHT, BLOCKED, Images::Eight, &mut |region| {
            if is_alive(self, &region) {
                visit(region);
            }
        });
    }

    fn write(&self, boards: &[Stones]) -> String {
        boards.iter().map(|board| board.write("konane")).collect()
    }
}

impl Bounds<Stones> for Konane {
    fn bounds(&self, region: &Stones) -> Option<[i64; 2]> {
        let [left, right] = STONES.map(|stone| region.count(stone));
        Some([-left, right])
    }
}

impl Negation<Stones> for Konane {
    fn negative(&self, region: &Stones) -> Option<Stones> {
        Some(region.exchanged())
    }
}

impl Pictures<Stones> for Konane {
    fn picture(&self, boards: &[Stones]) -> Picture {
        Stones::picture(boards)
    }
}
