//! Northcott's game: `northcott(width, [[l, r], ...], to_move="left")`.
//!
//! Rules. Each row of a board of `width` columns holds one counter of Left, in column l, and one of
//! Right, in column r. A player moves one of their counters any distance along its row, forward or
//! back, without jumping over the other counter. Whoever cannot move loses.
//!
//! Theorem. The position is P if and only if the nim-sum of the gaps is 0. Shrinking a gap is a
//! move of Nim. A retreat enlarges a gap, and the opponent answers it by advancing the same
//! distance. Each retreat brings the retreating counter nearer to its edge, and the answer keeps it
//! there, so a won game ends. (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch.
//! 3.) By the same answer, a row with a gap of n squares can replace a Nim heap of size n in a sum
//! of impartial games.
//!
//! The players move different counters and can move back and forth. Hence the game is neither
//! impartial nor finite. It has no Sprague-Grundy value in the strict sense, and no theorem covers
//! misère play. In a sum with a partizan game, either player may begin, and a retreat can gain a
//! move. Northcott's game then counts as partizan, and the theorem is not used.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Arguments, list, number, text};
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Beginner, ByTheorem, Capabilities, Captions, Goal, Nature, Pictures, Ruleset, Shortcuts,
    Teaching, Termination, Theorem, Theorems, Turns, Visit,
};

/// The theorem of Northcott's game.
pub const NORTHCOTT: Theorem = Theorem {
    method: "northcott",
    name: "the theorem of Northcott's game",
    statement: "the position is P if and only if the nim-sum of the gaps is 0; if the opponent \
                retreats, advance by the same number of squares",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 3",
};

/// Maximal width of a row that a caption shows square by square.
const MAX_CAPTION_WIDTH: u64 = 12;

/// The rules of Northcott's game on a board with a given number of columns.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Northcott {
    width: u64,
}

/// A board and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NorthcottBoard {
    rows: Vec<[u64; 2]>,
    turn: Turn,
}

/// The player to move, if one is fixed. `Default` and `Explicit` are equal if they contain the same
/// player.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// This player is to move, by default or after a move.
    Default(Player),
    /// This player is to move, as an explicit argument specifies.
    Explicit(Player),
    /// Either player may begin, since the board is part of a sum with a partizan game.
    Free,
}

impl PartialEq for Turn {
    // `Default` and `Explicit` differ only in error messages. Boards that differ in nothing else
    // are the same position.
    fn eq(&self, other: &Self) -> bool {
        self.player() == other.player()
    }
}

impl Eq for Turn {}

impl Hash for Turn {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.player().hash(state);
    }
}

impl Turn {
    fn player(self) -> Option<Player> {
        match self {
            Self::Default(player) | Self::Explicit(player) => Some(player),
            Self::Free => None,
        }
    }

    fn passed(self) -> Self {
        self.player()
            .map_or(Self::Free, |player| Self::Default(player.other()))
    }
}

/// Reads `northcott(width, [[l, r], ...], to_move="left")`.
///
/// # Errors
/// A row that is not a pair of different columns of the board, or an unknown player.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::northcott};
/// // Both gaps have 2 squares, so their nim-sum is 0.
/// let pair = |l, r| Argument::List(vec![Argument::Int(l), Argument::Int(r)]);
/// let rows = Argument::List(vec![pair(0, 3), pair(4, 7)]);
/// let items = [(None, Argument::Int(8)), (None, rows)];
/// let position = Position::from(northcott::construct(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::P));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [width, rows, to_move] = arguments.bind(["width", "rows", "to_move"], 2)?;
    let (Some((width_at, width)), Some((rows_at, rows))) = (width, rows) else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let width = number(width, &[width_at], 2, u64::MAX)?;
    let mut board = NorthcottBoard {
        rows: Vec::new(),
        turn: Turn::Default(Player::Left),
    };
    for (path, row) in list(rows, &[rows_at])? {
        let pair = list(row, &path)?;
        let [(l_at, l), (r_at, r)] = &pair[..] else {
            return Err(
                Diagnostic::new(Kind::Type, message!("a row must contain two counters"))
                    .at(path)
                    .help(message!("write each row as a pair of numbers [l, r]")),
            );
        };
        let row = [
            number(l, l_at, 0, width - 1)?,
            number(r, r_at, 0, width - 1)?,
        ];
        if row[0] == row[1] {
            return Err(
                Diagnostic::illegal(message!("both counters are on the same square")).at(path),
            );
        }
        board.rows.push(row);
    }
    if let Some((at, player)) = to_move {
        board.turn = match text(player, &[at])? {
            "left" => Turn::Explicit(Player::Left),
            "right" => Turn::Explicit(Player::Right),
            _ => {
                return Err(Diagnostic::new(
                    Kind::Range,
                    message!("to_move must be \"left\" or \"right\""),
                )
                .at([at]));
            }
        };
    }
    Ok(Term::new(Northcott { width }, vec![board]).into())
}

impl NorthcottBoard {
    fn gap(&self, row: usize) -> u64 {
        self.rows[row][0].abs_diff(self.rows[row][1]) - 1
    }

    /// Returns the column of the player's counter, and that of the opponent's counter.
    fn counters(&self, row: usize, player: Player) -> (u64, u64) {
        let row = self.rows[row];
        (row[player as usize], row[player.other() as usize])
    }

    fn sum(&self) -> u64 {
        (0..self.rows.len()).fold(0, |sum, row| sum ^ self.gap(row))
    }

    fn move_counter(&self, player: Player, row: usize, to: u64, visit: Visit<'_, Self>) -> Flow {
        let mut left = Self {
            rows: self.rows.clone(),
            turn: self.turn.passed(),
        };
        left.rows[row][player as usize] = to;
        let from = self.rows[row][player as usize];
        visit(&[left], &|| {
            let step = Step::new("northcott")
                .with("row", row)
                .with("from", from)
                .with("to", to);
            Move::new([row as u64, to], step)
        })
    }
}

impl Ruleset for Northcott {
    type Part = NorthcottBoard;

    fn name(&self) -> &'static str {
        "northcott"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, NorthcottBoard> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            turn: Some(self),
            teaching: Some(self),
            termination: Termination::Loopy,
            captions: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, board: &NorthcottBoard) -> Nature {
        Nature {
            beginner: board
                .turn
                .player()
                .map_or(Beginner::Either, Beginner::Fixed),
            ..Nature::PARTIZAN
        }
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        board: &NorthcottBoard,
        visit: Visit<'_, NorthcottBoard>,
    ) -> Flow {
        (0..board.rows.len()).try_for_each(|row| {
            // A counter cannot jump, so the squares on its side of the other counter are available.
            let (own, other) = board.counters(row, player);
            let free = if own < other {
                0..other
            } else {
                other + 1..self.width
            };
            free.into_iter()
                .filter(|&to| to != own)
                .try_for_each(|to| board.move_counter(player, row, to, visit))
        })
    }

    fn components(&self, board: &NorthcottBoard, visit: &mut dyn FnMut(NorthcottBoard)) {
        // The player to move is a property of the whole sum, so a component leaves it open. The
        // rows are sorted, and each row is replaced by the lesser of itself and its mirror image.
        let last = self.width - 1;
        let row = |&[left, right]: &[u64; 2]| [left, right].min([last - left, last - right]);
        let mut rows: Vec<[u64; 2]> = board.rows.iter().map(row).collect();
        rows.sort_unstable();
        visit(NorthcottBoard {
            rows,
            turn: Turn::Free,
        });
    }

    fn write(&self, parts: &[NorthcottBoard]) -> String {
        let write = |board: &NorthcottBoard| {
            let player = match board.turn.player() {
                Some(Player::Right) => ", to_move=\"right\"",
                _ => "",
            };
            format!("northcott({}, {:?}{player})", self.width, board.rows)
        };
        parts.iter().map(write).collect()
    }
}

impl Theorems<NorthcottBoard> for Northcott {
    fn grundy(&self, board: &NorthcottBoard) -> Option<ByTheorem<u64>> {
        // Without a fixed turn the theorem does not apply (see the documentation of the module).
        board.turn.player()?;
        Some(ByTheorem {
            value: board.sum(),
            theorem: &NORTHCOTT,
        })
    }
}

impl Shortcuts<NorthcottBoard> for Northcott {
    fn options_to(
        &self,
        _: usize,
        board: &NorthcottBoard,
        goal: Goal,
        visit: Visit<'_, NorthcottBoard>,
    ) -> Option<Flow> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        let player = board.turn.player()?;
        let change = board.sum() ^ value;
        Some((0..board.rows.len()).try_for_each(|row| {
            let (own, other) = board.counters(row, player);
            // The gap that the row must have after the move. The counter may advance or retreat.
            let gap = board.gap(row) ^ change;
            let to = if own < other {
                other.checked_sub(1).and_then(|edge| edge.checked_sub(gap))
            } else {
                other
                    .checked_add(1)
                    .and_then(|edge| edge.checked_add(gap))
                    .filter(|&to| to < self.width)
            };
            match to {
                Some(to) if to != own => board.move_counter(player, row, to, visit),
                _ => ControlFlow::Continue(()),
            }
        }))
    }
}

impl Turns<NorthcottBoard> for Northcott {
    fn after_move_elsewhere(&self, board: &NorthcottBoard) -> Option<NorthcottBoard> {
        Some(NorthcottBoard {
            rows: board.rows.clone(),
            turn: board.turn.passed(),
        })
    }

    fn with_either_beginner(&self, board: &NorthcottBoard) -> Result<NorthcottBoard, Diagnostic> {
        // A player who was specified explicitly is an error here. The default player is dropped
        // silently.
        if matches!(board.turn, Turn::Explicit(_)) {
            let message = message!(
                "to_move cannot be set in a sum that contains a partizan game, because either player may begin in such a sum"
            );
            return Err(Diagnostic::illegal(message).help(message!("omit to_move")));
        }
        Ok(NorthcottBoard {
            rows: board.rows.clone(),
            turn: Turn::Free,
        })
    }
}

impl Teaching<NorthcottBoard> for Northcott {
    fn theorem_application(&self, board: &NorthcottBoard, play: Play) -> Option<Step> {
        board.turn.player().filter(|_| play == Play::Normal)?;
        let gaps: Vec<u64> = (0..board.rows.len()).map(|row| board.gap(row)).collect();
        let step = Step::new("row_gaps").with("gaps", gaps);
        Some(step.with("value", board.sum()))
    }
}

impl Captions<NorthcottBoard> for Northcott {
    /// Returns the letter of the player to move and the rows, as in `(L) L_R/R_L`.
    fn caption(&self, board: &NorthcottBoard) -> String {
        let row = |&[left, right]: &[u64; 2]| {
            if self.width > MAX_CAPTION_WIDTH {
                return format!("{left}-{right}");
            }
            let sign = |column| match column {
                _ if column == left => 'L',
                _ if column == right => 'R',
                _ => '_',
            };
            (0..self.width).map(sign).collect()
        };
        let rows: Vec<String> = board.rows.iter().map(row).collect();
        let turn = match board.turn.player() {
            Some(Player::Left) => "(L) ",
            Some(Player::Right) => "(R) ",
            None => "",
        };
        format!("{turn}{}", rows.join("/"))
    }
}

impl Pictures<NorthcottBoard> for Northcott {
    fn picture(&self, parts: &[NorthcottBoard]) -> Picture {
        Picture::Counters {
            width: self.width,
            rows: parts
                .iter()
                .flat_map(|board| board.rows.iter().copied())
                .collect(),
        }
    }
}
