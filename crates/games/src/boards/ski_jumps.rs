//! Ski Jumps: `ski_jumps(slope)`.
//!
//! Rules. Skiers of both players stand on a slope, a board of squares. Left moves a skier of Left
//! any number of squares to the right over free squares. Right moves a skier of Right to the left.
//! A skier that reaches the edge may leave the slope and is then removed. Skiers are jumpers or
//! slippers. A jumper may also jump over a skier of the opponent directly below it, onto the next
//! square below, if that square is free. The skier that is jumped over becomes a
//! slipper. Slippers do not jump. A player who cannot move loses (E. R. Berlekamp, J. H. Conway, R.
//! K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 1).
//!
//! Bounds. A move takes a skier of the player at least one square across or two squares down. A
//! skier with a squares ahead and b rows below has at most a + 1 moves across and floor(b / 2)
//! jumps. No move of the opponent moves the skier.
//!
//! There is no closed form for general slopes: outcomes and values come from search.

use std::sync::Arc;

use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, message};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit, call,
};

use crate::argument::{Arguments, Squares, squares, text_of_letters};

/// The rules of Ski Jumps. Each part of a position is a slope with jumpers `L` and `R`, slippers
/// `l` and `r`, and free squares `.`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct SkiJumps;

/// Maximal number of squares of a slope.
const MAX_SQUARES: usize = 10_000;

const FREE: u8 = b'.';

/// Reads `ski_jumps(slope)`.
///
/// # Errors
/// An argument that is not a list of equally long strings of `L`, `R`, `l`, `r` and `.`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::ski_jumps};
/// // Three steps to the right, and one step off the slope.
/// let rows = ["L...", "...."].map(|row| Argument::Text(row.to_owned()));
/// let items = [(None, Argument::List(rows.to_vec()))];
/// let position = Position::from(ski_jumps::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((place, slope))] = arguments.bind(["slope"], 1)? else {
        unreachable!("bind has seen to it that the slope is there");
    };
    let help = message!(
        "write L and l for Left's jumpers and slippers, R and r for Right's, and . for a free square"
    );
    let slope = squares(slope, &[place], ".LRlr", &help, MAX_SQUARES)?;
    Ok(Arc::new(Term::new(SkiJumps, vec![slope])))
}

/// Returns the player whose skier stands on a square, given by the letter of the square.
fn owner(square: u8) -> Option<Player> {
    match square {
        b'L' | b'l' => Some(Player::Left),
        b'R' | b'r' => Some(Player::Right),
        _ => None,
    }
}

/// Returns the slope with the letters of some squares replaced.
fn with_letters<const N: usize>(slope: &Squares, changes: [(usize, u8); N]) -> Squares {
    let mut after = slope.clone();
    for (square, letter) in changes {
        after.letters[square] = letter;
    }
    after
}

impl Ruleset for SkiJumps {
    type Part = Squares;

    fn name(&self) -> &'static str {
        "ski_jumps"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Squares> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Squares) -> Nature {
        Nature::PARTIZAN
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        slope: &Squares,
        visit: Visit<'_, Squares>,
    ) -> Flow {
        let (width, letters) = (slope.width, &slope.letters);
        let mut skiers = (0..letters.len()).filter(|&from| owner(letters[from]) == Some(player));
        skiers.try_for_each(|from| {
            let (row, column, skier) = (from / width, from % width, letters[from]);
            let with_square = |step: Step| step.with("row", row).with("column", column);
            // Moves across, and off the slope if no skier blocks the way.
            let ahead = match player {
                Player::Left => width - 1 - column,
                Player::Right => column,
            };
            let to = |squares: usize| match player {
                Player::Left => from + squares,
                Player::Right => from - squares,
            };
            let blocked = (1..=ahead).find(|&squares| letters[to(squares)] != FREE);
            for squares in 1..blocked.unwrap_or(ahead + 1) {
                let after = with_letters(slope, [(from, FREE), (to(squares), skier)]);
                visit(&[after], &|| skier_move("ski", [from, to(squares)], width))?;
            }
            if blocked.is_none() {
                visit(&[with_letters(slope, [(from, FREE)])], &|| {
                    Move::new(
                        [row as u64, column as u64],
                        with_square(Step::new("ski_off")),
                    )
                })?;
            }
            let (over, below) = (from + width, from + 2 * width);
            let jumps = skier.is_ascii_uppercase()
                && below < letters.len()
                && owner(letters[over]) == Some(player.other())
                && letters[below] == FREE;
            if jumps {
                // Lower case marks a slipper. A slipper that is jumped over stays one.
                let slipper = letters[over].to_ascii_lowercase();
                let after = with_letters(slope, [(from, FREE), (over, slipper), (below, skier)]);
                visit(&[after], &|| skier_move("jump_over", [from, below], width))?;
            }
            Flow::Continue(())
        })
    }

    /// Visits the slope without the free rows above its first skier. No skier ever moves upwards.
    fn components(&self, slope: &Squares, visit: &mut dyn FnMut(Squares)) {
        let first = slope.letters.iter().position(|&square| square != FREE);
        if let Some(first) = first {
            let top = first / slope.width;
            visit(Squares {
                height: slope.height - top,
                width: slope.width,
                letters: slope.letters[top * slope.width..].to_vec(),
            });
        }
    }

    fn write(&self, slopes: &[Squares]) -> String {
        let slopes = slopes.iter().map(|slope| {
            let rows = rows(slope).map(|row| format!("\"{row}\""));
            format!("[{}]", rows.collect::<Vec<_>>().join(", "))
        });
        call(self.name(), slopes)
    }
}

/// Creates the move of a skier from one square to another.
fn skier_move(code: &'static str, squares: [usize; 2], width: usize) -> Move {
    let [row, column, row2, column2] = [
        squares[0] / width,
        squares[0] % width,
        squares[1] / width,
        squares[1] % width,
    ];
    let action = Step::new(code)
        .with("row", row)
        .with("column", column)
        .with("row2", row2)
        .with("column2", column2);
    Move::new([row, column, row2, column2].map(|n| n as u64), action)
}

/// Returns the rows as strings.
fn rows(slope: &Squares) -> impl Iterator<Item = String> + '_ {
    (0..slope.height).map(|row| text_of_letters(&slope.letters[row * slope.width..][..slope.width]))
}

impl Bounds<Squares> for SkiJumps {
    fn bounds(&self, slope: &Squares) -> Option<[i64; 2]> {
        let mut moves = [0, 0];
        for (square, &letter) in slope.letters.iter().enumerate() {
            let Some(player) = owner(letter) else {
                continue;
            };
            let (row, column) = (square / slope.width, square % slope.width);
            // The last move across leaves the slope, so a skier in the last column still has a
            // move.
            let across = player.of([slope.width - column, column + 1]);
            let jumps = match letter {
                b'L' | b'R' => (slope.height - 1 - row) / 2,
                _ => 0,
            };
            moves[usize::from(player == Player::Right)] += (across + jumps) as i64;
        }
        Some([-moves[1], moves[0]])
    }
}

impl Negation<Squares> for SkiJumps {
    /// Returns the left-right reflection of the slope with the players exchanged.
    fn negative(&self, slope: &Squares) -> Option<Squares> {
        let other = |&square: &u8| match square {
            b'L' => b'R',
            b'R' => b'L',
            b'l' => b'r',
            b'r' => b'l',
            free => free,
        };
        let rows = slope.letters.chunks(slope.width.max(1));
        let letters = rows.flat_map(|row| row.iter().rev().map(other)).collect();
        Some(Squares { letters, ..*slope })
    }
}

impl Pictures<Squares> for SkiJumps {
    fn picture(&self, slopes: &[Squares]) -> Picture {
        Picture::Board(slopes.iter().flat_map(rows).collect())
    }
}
